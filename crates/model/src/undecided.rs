//! Rules that could not be decided, and what would decide them.

use std::borrow::Cow;

use voxlint_schema::{Row, Table, agent, facts, settings};

use crate::fields::rows_in;
use crate::readings::{self, Assumption, ReadingEntry};
use crate::{RuleRef, quote};

/// An undecided rule. Never a finding.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an answer of its own, and none excludes another"
)]
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Undecided {
    /// The rule.
    pub rule: RuleRef,
    /// Whether a field of the document raises the question, or a stored value that only some readings of the description
    /// reject. `crate::check` lists no others.
    pub is_touched: bool,
    /// Whether the stored configuration would help.
    pub needs_stored: bool,
    /// Whether a fact about the workspace would help.
    pub needs_facts: bool,
    /// Whether the rule reports a rejection that may turn out to be none. Only predictions have such entries.
    pub may_be_accepted: bool,
    /// The assumptions about the description under which the service rejects it, if nothing else decides that.
    pub assumes: Vec<Assumption>,
    pub(crate) cause: Cause,
}

/// Why a rule is undecided. Most runs only count undecided rules, so the words for missing inputs are put together when
/// somebody asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    Words { why: String, missing: Vec<String> },
    Inputs(MissingInputs),
}

impl Undecided {
    /// A rule that could not be decided, and why. No input would help.
    pub fn new(rule: impl Into<RuleRef>, why: impl Into<String>) -> Self {
        Self::of(rule.into(), Cause::Words { why: why.into(), missing: Vec::new() })
    }

    /// A rule that these inputs would decide.
    #[doc(hidden)]
    pub fn without_inputs(rule: impl Into<RuleRef>, inputs: MissingInputs) -> Self {
        Self {
            needs_stored: inputs.needs_stored(),
            needs_facts: inputs.needs_facts(),
            ..Self::of(rule.into(), Cause::Inputs(inputs))
        }
    }

    /// Whether a stored configuration with all settings would decide it.
    #[doc(hidden)]
    pub const fn needs_only_settings(&self) -> bool {
        matches!(&self.cause, Cause::Inputs(inputs) if inputs.needs_only_settings())
    }

    const fn of(rule: RuleRef, cause: Cause) -> Self {
        Self {
            rule,
            is_touched: true,
            needs_stored: false,
            needs_facts: false,
            may_be_accepted: false,
            assumes: Vec::new(),
            cause,
        }
    }

    /// The same rule with the inputs that would decide it, as [`Self::missing`] names them.
    #[must_use]
    pub fn with_missing(self, missing: impl IntoIterator<Item = String>) -> Self {
        let missing = missing.into_iter().collect();
        Self { cause: Cause::Words { why: self.why().into_owned(), missing }, ..self }
    }

    /// Why it is undecided, and what would help.
    ///
    /// ```
    /// let report = voxlint::check_text(r#"{ "version_number": 3, "title": "Front desk" }"#);
    /// assert_eq!(report.undecided[0].why(), "depends on the agent's stored `versions`");
    /// ```
    pub fn why(&self) -> Cow<'_, str> {
        match &self.cause {
            Cause::Words { why, .. } => Cow::Borrowed(why),
            Cause::Inputs(inputs) => Cow::Owned(inputs.why()),
        }
    }

    /// The inputs that would decide it, in the order of the description: JSON Pointers into the effective configuration
    /// (`/transcriber_id`), into the stored one where the document has another value (`stored:/is_published`), into the agent (`agent:/agent_type`) and into the workspace facts (`facts:/campaigns`).
    pub fn missing(&self) -> Cow<'_, [String]> {
        match &self.cause {
            Cause::Words { missing, .. } => Cow::Borrowed(missing),
            Cause::Inputs(inputs) => Cow::Owned(inputs.pointers()),
        }
    }

    /// The open readings that would decide it, for the JSON formats.
    #[doc(hidden)]
    pub fn readings(&self) -> Vec<ReadingEntry> {
        readings::entries(&self.assumes, &[])
    }

    /// What would be rejected, as a clause that completes "if …".
    ///
    /// ```
    /// let report = voxlint::check_text(r#"{ "version_number": 3, "title": "Front desk" }"#);
    /// assert_eq!(report.undecided[0].condition(), "the agent has no version with this number");
    /// ```
    pub fn condition(&self) -> String {
        let sentence = self.rule.summary().trim_end_matches('.');
        let mut letters = sentence.chars();
        let first = letters.next().map(|letter| letter.to_ascii_lowercase());
        first.into_iter().chain(letters).collect()
    }
}

/// The inputs that would decide a rule, with one bit per row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MissingInputs {
    pub(crate) settings: u128,
    /// Settings whose stored value is missing, although the document has another one.
    pub(crate) replaced: u128,
    pub(crate) agent: u128,
    pub(crate) facts: u128,
    /// Whether the facts are given and lack details.
    pub(crate) are_details: bool,
}

impl MissingInputs {
    /// One stored setting.
    pub const fn of_stored_value(row: &Row) -> Self {
        Self {
            settings: crate::fields::bit(row),
            replaced: 0,
            agent: 0,
            facts: 0,
            are_details: false,
        }
    }

    /// Whether the stored configuration would help.
    pub(crate) const fn needs_stored(&self) -> bool {
        self.settings | self.replaced | self.agent != 0
    }

    /// Whether only stored settings are missing.
    pub(crate) const fn needs_only_settings(&self) -> bool {
        self.needs_stored() && self.agent | self.facts == 0
    }

    /// Whether a fact about the workspace would help.
    pub(crate) const fn needs_facts(&self) -> bool {
        self.facts != 0
    }

    /// Why a rule without these inputs is undecided.
    pub(crate) fn why(&self) -> String {
        let owners: Vec<String> = self
            .named()
            .map(|(rows, table, _, owner)| {
                let names = rows_in(rows, table).map(|row| row.name);
                format!("{owner} {}", quote::list(names))
            })
            .collect();
        let details = if self.are_details { "details that are not given of " } else { "" };
        format!("depends on {details}{}", owners.join(" and "))
    }

    /// The inputs as JSON Pointers.
    pub(crate) fn pointers(&self) -> Vec<String> {
        let pointers = self.named().flat_map(|(rows, table, prefix, _)| {
            rows_in(rows, table).map(move |row| format!("{prefix}/{}", row.name))
        });
        pointers.collect()
    }

    /// The inputs with their table, the prefix of their JSON Pointers and the owner in messages.
    fn named(&self) -> impl Iterator<Item = (u128, &'static Table, &'static str, &'static str)> {
        let inputs: [(u128, &'static Table, _, _); 4] = [
            (self.settings, &settings::TABLE, "", "the stored"),
            (self.replaced, &settings::TABLE, "stored:", "the stored"),
            (self.agent, &agent::TABLE, "agent:", "the agent's stored"),
            (self.facts, &facts::TABLE, "facts:", "the workspace's"),
        ];
        inputs.into_iter().filter(|(rows, ..)| *rows != 0)
    }
}
