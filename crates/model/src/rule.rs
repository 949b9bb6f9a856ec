//! Rules as data.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use voxlint_schema::readings::Reading;
use voxlint_schema::{Row, Table, named};

use crate::severity::{Safety, Severity, VerdictKind};
use crate::text_traits::Traits;

/// One kind of mistake that voxlint looks for: data and one pure function.
pub struct Rule {
    /// The rule's only name. It names the mistake, so that a list of ignored rules reads right.
    pub id: Cow<'static, str>,
    /// What kind of mistake it is.
    pub group: Group,
    /// Where the rule comes from; `None` if it is not about the service.
    pub basis: Option<Basis>,
    /// Whether the rule is on by default. One that is not only gives advice.
    pub is_recommended: bool,
    /// The section of the service's description that the rule is about.
    pub section: &'static str,
    /// The HTTP status of a rejection.
    pub status: Option<u16>,
    /// Another status that the description allows for the same rejection.
    pub other_status: Option<u16>,
    /// The default severity of advice.
    pub advice: Severity,
    /// The fixes that findings of the rule may offer; `None` if they offer none.
    pub fix: Option<RuleFix>,
    /// The settings (2.3) that a rule about several fields reads.
    pub reads: &'static [&'static Row],
    /// The fields of the agent (2.1) that it reads.
    pub reads_agent: &'static [&'static Row],
    /// The workspace facts that it reads.
    pub reads_facts: &'static [&'static Row],
    /// The open passages of the description on which its verdicts depend.
    pub readings: &'static [&'static Reading],
    /// What only voxlint itself reads.
    #[doc(hidden)]
    pub internal: Internal,
}

/// The data of a rule that only voxlint itself reads.
pub struct Internal {
    /// The default severities of findings that the page shows no example of, because it would be too long.
    pub unshown: &'static [Severity],
    /// The table of the objects that the rule is about; `None` for all objects.
    pub table: Option<&'static Table>,
    /// The rows of `reads`, one bit each.
    pub reads_rows: u128,
    /// What it reports, where other code depends on it.
    pub properties: &'static [Property],
    /// What a text must have for the rule to object to it. Only rules about texts and templates say.
    pub needs: Traits,
    /// Its page.
    pub page: Page,
    /// What it checks.
    pub family: Family,
}

/// What a rule reports, where other code depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// It is about how a document is written, and not about what it says.
    Writing,
    /// The text is not valid in its format.
    Syntax,
    /// Readers lose values of the document, or disagree about them.
    HidesValues,
    /// Readers change characters of a text.
    AltersText,
    /// A field that no table names.
    UnknownFields,
    /// A field that is required and missing.
    MissingFields,
    /// A value of the wrong type.
    WrongTypes,
    /// A null that is not allowed.
    Nulls,
    /// A text that is not one of the allowed values.
    UnknownValues,
    /// A value that has another type than it looks like. A finding about its type says more.
    YieldsToWrongType,
    /// A text that is given in the document and in a file of its own.
    TextGivenTwice,
    /// A suppression that suppresses nothing.
    UnusedSuppressions,
}

/// What the fixes of a rule do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RuleFix {
    /// The safety that a fix may have. A rule with both offers a safe fix where nothing changes for callers, and an unsafe one
    /// elsewhere.
    pub safety: &'static [Safety],
    /// What a fix does, and what it leaves alone: one or more sentences of Markdown.
    pub about: &'static str,
}

/// What the fixes of a rule do: their safety, and sentences about them.
pub const fn fix(safety: &'static [Safety], about: &'static str) -> RuleFix {
    RuleFix { safety, about }
}

/// The source of a rule's page.
pub enum Page {
    /// The lines of a doc comment. They are one text, because the loader has to relocate each one at every start.
    Comment(&'static str),
    /// The summary and the page of a house rule.
    Text {
        /// The rule in one sentence.
        summary: String,
        /// All of the page.
        page: String,
    },
}

/// The rule of a finding: a built-in rule or a house rule.
///
/// ```
/// use voxlint::{RuleRef, rules};
///
/// let rule = RuleRef::from(rules::find("out-of-range").expect("a rule"));
/// assert_eq!(rule.id, "out-of-range");
/// ```
#[derive(Clone)]
pub struct RuleRef(Shared);

#[derive(Clone)]
enum Shared {
    BuiltIn(&'static Rule),
    House(Arc<Rule>),
}

impl Deref for RuleRef {
    type Target = Rule;

    fn deref(&self) -> &Rule {
        match &self.0 {
            Shared::BuiltIn(rule) => rule,
            Shared::House(rule) => rule,
        }
    }
}

impl From<&'static Rule> for RuleRef {
    fn from(rule: &'static Rule) -> Self {
        Self(Shared::BuiltIn(rule))
    }
}

impl From<Arc<Rule>> for RuleRef {
    fn from(rule: Arc<Rule>) -> Self {
        Self(Shared::House(rule))
    }
}

/// Rules are equal when they have the same id: within a run an id names one rule.
impl PartialEq for Rule {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Rule {}

/// Rules are equal when they have the same id: within a run an id names one rule.
impl PartialEq for RuleRef {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for RuleRef {}

impl std::fmt::Debug for RuleRef {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (**self).fmt(formatter)
    }
}

/// What a rule checks, in the order in which rules run and are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Family {
    /// The text and the shape of the document.
    Document,
    /// The fields of one object.
    Object,
    /// One value.
    Value,
    /// The text of one string.
    Text,
    /// One template.
    Template,
    /// Several fields of the effective configuration.
    Config,
    /// Several documents of a plan.
    Fleet,
    /// The rules of a team.
    House,
    /// The suppressions of a team: whether they are valid, used and current.
    Suppression,
}

named! {
    Family, "a family of rules":
    Document = "document",
    Object = "object",
    Value = "value",
    Text = "text",
    Template = "template",
    Config = "config",
    Fleet = "fleet",
    House = "house",
    Suppression = "suppression",
}

/// What kind of mistake a rule reports. A configuration may name a group instead of all its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Group {
    /// The service rejects the document or may reject it, or readers of the document disagree about it.
    Correctness,
    /// A setting that takes no effect.
    Ineffective,
    /// The service accepts it, and it is probably not what the author meant.
    Suspicious,
    /// What callers hear and what the prompt says disagree with the rest of the document.
    Heard,
    /// Secrets and personal data.
    Security,
    /// A convention. These rules are off by default.
    Style,
    /// The rules of a team.
    House,
}

named! {
    Group, "a group of rules":
    Correctness = "correctness",
    Ineffective = "ineffective",
    Suspicious = "suspicious",
    Heard = "heard",
    Security = "security",
    Style = "style",
    House = "house",
}

impl Group {
    /// The rules of the group, in a few words.
    ///
    /// ```
    /// assert_eq!(voxlint::Group::Ineffective.description(), "settings that take no effect");
    /// ```
    pub const fn description(self) -> &'static str {
        match self {
            Self::Correctness => {
                "the service rejects the document or may reject it, or readers of it disagree"
            }
            Self::Ineffective => "settings that take no effect",
            Self::Suspicious => "accepted, and probably not what the author meant",
            Self::Heard => "what callers hear, and prompts that disagree with their own document",
            Self::Security => "secrets and personal data",
            Self::Style => "conventions, off by default",
            Self::House => "the rules of the team",
        }
    }
}

/// The name of all rules that are on by default, whatever their group.
pub const RECOMMENDED: &str = "recommended";

/// The names that a configuration may use instead of the ids of rules: the groups, and [`RECOMMENDED`].
///
/// ```
/// assert!(voxlint::rules::group_names().any(|name| name == "ineffective"));
/// ```
pub fn group_names<'a>() -> impl Iterator<Item = &'a str> {
    Group::ALL.into_iter().map(|group| -> &'a str { group.name() }).chain([RECOMMENDED])
}

/// Where a rule about the service comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Basis {
    /// The service's description states it.
    Stated,
    /// The description states the facts and leaves something open: a sentence that says what.
    Read(&'static str),
    /// The description does not state it: a sentence that gives the reason for the rule.
    Inferred(&'static str),
}

impl Basis {
    /// The name that reports use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stated => "stated",
            Self::Read(_) => "read",
            Self::Inferred(_) => "inferred",
        }
    }
}

impl Rule {
    /// A rule that is not built in: a house rule, or the rule of a tool that links the library. It checks nothing by itself.
    ///
    /// ```
    /// use voxlint::{Rule, Severity};
    ///
    /// let rule = Rule::named("title-without-team", Severity::Warning, "A title names no team.", "");
    /// assert_eq!(rule.summary(), "A title names no team.");
    /// ```
    pub fn named(
        id: impl Into<Cow<'static, str>>,
        severity: Severity,
        summary: impl Into<String>,
        page: impl Into<String>,
    ) -> Self {
        Self {
            id: id.into(),
            group: Group::House,
            basis: None,
            is_recommended: true,
            section: "",
            status: None,
            other_status: None,
            advice: severity,
            fix: None,
            reads: &[],
            reads_agent: &[],
            reads_facts: &[],
            readings: &[],
            internal: Internal {
                unshown: &[],
                table: None,
                reads_rows: 0,
                properties: &[],
                needs: Traits::NONE,
                page: Page::Text { summary: summary.into(), page: page.into() },
                family: Family::House,
            },
        }
    }

    /// The names that select the rule, the most specific one first: its id, its group, and [`RECOMMENDED`] if it is on by
    /// default.
    ///
    /// ```
    /// let rule = voxlint::rules::find("out-of-range").expect("a rule");
    /// assert!(rule.names().eq(["out-of-range", "correctness", "recommended"]));
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &str> {
        [&*self.id, self.group.name()].into_iter().chain(self.is_recommended.then_some(RECOMMENDED))
    }

    /// The severity of a finding of the rule.
    #[doc(hidden)]
    pub const fn severity(&self, verdict: VerdictKind) -> Severity {
        match verdict {
            VerdictKind::Reject => Severity::Error,
            VerdictKind::Possible => Severity::Warning,
            VerdictKind::Advice => self.advice,
        }
    }

    /// What the rule checks.
    pub const fn family(&self) -> Family {
        self.internal.family
    }

    /// The rule in one sentence.
    ///
    /// ```
    /// let rule = voxlint::rules::find("fallback-transcriber-same").expect("a rule");
    /// assert!(rule.summary().starts_with("The fallback transcriber"));
    /// ```
    pub fn summary(&self) -> &str {
        match &self.internal.page {
            Page::Comment(comment) => comment.lines().next().unwrap_or_default().trim(),
            Page::Text { summary, .. } => summary,
        }
    }

    /// The rule's page: what it reports, why, and examples. Markdown, one or more sentences per line.
    pub fn page(&self) -> String {
        match &self.internal.page {
            Page::Comment(comment) => {
                let lines = comment.lines();
                lines.flat_map(|line| [line.strip_prefix(' ').unwrap_or(line), "\n"]).collect()
            }
            Page::Text { page, .. } => page.clone(),
        }
    }

    /// Whether the rule reports such a thing.
    #[doc(hidden)]
    pub fn has(&self, property: Property) -> bool {
        self.internal.properties.contains(&property)
    }

    /// Whether the rule reports that a text is not valid in its format. Part of the document may not have been read then.
    ///
    /// ```
    /// assert!(voxlint::rules::find("syntax-error").is_some_and(|rule| rule.is_syntax()));
    /// ```
    pub fn is_syntax(&self) -> bool {
        self.has(Property::Syntax)
    }

    /// Whether the rule reports fields that no table names.
    pub fn reports_unknown_fields(&self) -> bool {
        self.has(Property::UnknownFields)
    }

    /// Whether the rule reports required fields that are missing.
    pub fn reports_missing_fields(&self) -> bool {
        self.has(Property::MissingFields)
    }

    /// Whether the rule reports values of the wrong type.
    pub fn reports_wrong_types(&self) -> bool {
        self.has(Property::WrongTypes)
    }

    /// Whether the rule reports texts that are given in the document and in a file of their own.
    pub fn reports_texts_given_twice(&self) -> bool {
        self.has(Property::TextGivenTwice)
    }

    /// Whether the rule reports suppressions that suppress nothing.
    pub fn reports_unused_suppressions(&self) -> bool {
        self.has(Property::UnusedSuppressions)
    }
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Rule({})", self.id)
    }
}
