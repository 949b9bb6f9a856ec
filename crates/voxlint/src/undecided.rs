use std::borrow::Cow;

use crate::RuleRef;
use crate::engine::input_access::MissingInputs;

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
    /// reject. [`crate::check`] lists no others.
    pub is_touched: bool,
    /// Whether the stored configuration would help.
    pub needs_stored: bool,
    /// Whether a fact about the workspace would help.
    pub needs_facts: bool,
    /// Whether the rule reports a rejection that may turn out to be none. Only predictions have such entries.
    pub may_be_accepted: bool,
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
    pub(crate) fn without_inputs(rule: impl Into<RuleRef>, inputs: MissingInputs) -> Self {
        Self {
            needs_stored: inputs.needs_stored(),
            needs_facts: inputs.needs_facts(),
            ..Self::of(rule.into(), Cause::Inputs(inputs))
        }
    }

    /// Whether a stored configuration with all settings would decide it.
    pub(crate) const fn needs_only_settings(&self) -> bool {
        matches!(&self.cause, Cause::Inputs(inputs) if inputs.needs_only_settings())
    }

    const fn of(rule: RuleRef, cause: Cause) -> Self {
        Self {
            rule,
            is_touched: true,
            needs_stored: false,
            needs_facts: false,
            may_be_accepted: false,
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
