use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

use voxlint_schema::{Row, named};

use crate::Severity;
use crate::document::Document;
use crate::effective::Effective;
use crate::value::{FieldValue, ObjectValue, TemplateValue, TextValue};
use crate::verdict::Verdicts;

/// One thing that voxlint looks for. A rule is data and one pure function.
pub struct Rule {
    /// The rule's one name: it names the fault, so that ignoring it reads right.
    pub id: Cow<'static, str>,
    /// The section of the service's description that states it.
    pub section: &'static str,
    /// The HTTP status of a refusal.
    pub status: Option<u16>,
    /// Another status that the description allows for such a refusal as well as that one.
    pub other_status: Option<u16>,
    /// How loudly advice is said.
    pub advice: Severity,
    /// The fields of 2.3 whose values take part, for rules that compare fields.
    pub reads: &'static [&'static Row],
    /// The members of the agent (2.1) that take part.
    pub reads_agent: &'static [&'static Row],
    /// The facts of the workspace that take part.
    pub reads_facts: &'static [&'static Row],
    pub(crate) page: Page,
    pub(crate) check: Check,
}

/// What a rule's page says.
pub(crate) enum Page {
    /// The lines of a doc comment.
    Lines(&'static [&'static str]),
    /// What a team says of its own rule: the summary, and the whole.
    Text { summary: String, page: String },
}

/// The rule of a finding: one of voxlint's, or one of a team's own.
///
/// ```
/// use voxlint::{RuleRef, rules};
///
/// let rule = RuleRef::from(rules::find("out-of-range").expect("a rule"));
/// assert_eq!(rule.id, "out-of-range");
/// ```
#[derive(Clone)]
pub struct RuleRef(Whose);

#[derive(Clone)]
enum Whose {
    Ours(&'static Rule),
    House(Arc<Rule>),
}

impl Deref for RuleRef {
    type Target = Rule;

    fn deref(&self) -> &Rule {
        match &self.0 {
            Whose::Ours(rule) => rule,
            Whose::House(rule) => rule,
        }
    }
}

impl From<&'static Rule> for RuleRef {
    fn from(rule: &'static Rule) -> Self {
        Self(Whose::Ours(rule))
    }
}

impl From<Arc<Rule>> for RuleRef {
    fn from(rule: Arc<Rule>) -> Self {
        Self(Whose::House(rule))
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

/// What a rule looks at.
pub(crate) enum Check {
    /// The text and its tree.
    Document(fn(&Document, crate::DocumentKind) -> Verdicts),
    /// One object and the table that describes it.
    Object(fn(&ObjectValue<'_>) -> Verdicts),
    /// One value and the row that describes it.
    Value(fn(&FieldValue<'_>) -> Verdicts),
    /// What one string says, once its value is one that the row allows.
    Text(fn(&TextValue<'_>) -> Verdicts),
    /// One template, parsed once for all rules.
    Template(fn(&TemplateValue<'_>) -> Verdicts),
    /// The effective configuration.
    Config(fn(&Effective<'_>) -> Verdicts),
    /// What a team asks of its documents beyond what the service does.
    House,
    /// What a team has written down for voxlint: whoever reads that reports it.
    Suppression,
}

/// What a rule looks at, in the order in which rules are run and listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// The text and the shape of the document.
    Document,
    /// The members of one object.
    Object,
    /// One value.
    Value,
    /// What one string says.
    Text,
    /// One template.
    Template,
    /// Several fields of the effective configuration.
    Config,
    /// What a team asks of its own documents.
    House,
    /// What a team tells voxlint: which findings it has decided to live with.
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
    House = "house",
    Suppression = "suppression",
}

impl Rule {
    /// A rule that is not one of voxlint's: a team's own, or that of a tool that links the library. It looks at nothing by
    /// itself.
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
            section: "",
            status: None,
            other_status: None,
            advice: severity,
            reads: &[],
            reads_agent: &[],
            reads_facts: &[],
            page: Page::Text { summary: summary.into(), page: page.into() },
            check: Check::House,
        }
    }

    /// The group that the rule belongs to, one of [`crate::rules::GROUPS`]: a configuration may name it instead of all its
    /// rules.
    ///
    /// ```
    /// let rule = voxlint::rules::find("out-of-range").expect("a rule");
    /// assert_eq!(rule.group(), "correctness");
    /// ```
    pub const fn group(&self) -> &'static str {
        let [ours, house] = crate::rules::GROUPS;
        if matches!(self.check, Check::House) { house } else { ours }
    }

    /// What the rule looks at.
    pub const fn family(&self) -> Family {
        match self.check {
            Check::Document(_) => Family::Document,
            Check::Object(_) => Family::Object,
            Check::Value(_) => Family::Value,
            Check::Text(_) => Family::Text,
            Check::Template(_) => Family::Template,
            Check::Config(_) => Family::Config,
            Check::House => Family::House,
            Check::Suppression => Family::Suppression,
        }
    }

    /// The rule in one sentence.
    ///
    /// ```
    /// let rule = voxlint::rules::find("fallback-transcriber-same").expect("a rule");
    /// assert!(rule.summary().starts_with("The fallback transcriber"));
    /// ```
    pub fn summary(&self) -> &str {
        match &self.page {
            Page::Lines(lines) => lines.first().map_or("", |line| line.trim()),
            Page::Text { summary, .. } => summary,
        }
    }

    /// The rule's page: what it looks for, why, and examples; Markdown, one sentence or more a line.
    pub fn page(&self) -> String {
        match &self.page {
            Page::Lines(lines) => {
                let lines = lines.iter();
                lines.flat_map(|line| [line.strip_prefix(' ').unwrap_or(line), "\n"]).collect()
            }
            Page::Text { page, .. } => page.clone(),
        }
    }
}

impl std::fmt::Debug for Rule {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Rule({})", self.id)
    }
}

/// Declares the rule of a file: its page, its id, what is stated where, and the family of its `check` function.
macro_rules! rule {
    (
        $(#[doc = $line:literal])+
        $id:literal: $family:ident {
            section: $section:literal,
            $(status: $status:literal $(or $other_status:literal)?,)?
            $(advice: $advice:ident,)?
            $(reads: [$($field:path),+ $(,)?],)?
            $(reads_agent: [$($agent:path),+ $(,)?],)?
            $(reads_facts: [$($fact:path),+ $(,)?],)?
        }
    ) => {
        pub(super) static RULE: crate::Rule = crate::Rule {
            id: std::borrow::Cow::Borrowed($id),
            section: $section,
            status: rule!(@status $($status)?),
            other_status: rule!(@status $($($other_status)?)?),
            advice: rule!(@advice $($advice)?),
            reads: &[$($($field.row),+)?],
            reads_agent: &[$($($agent.row),+)?],
            reads_facts: &[$($($fact.row),+)?],
            page: crate::rule::Page::Lines(&[$($line),+]),
            check: rule!(@check $family),
        };
    };
    (@check Suppression) => { crate::rule::Check::Suppression };
    (@check $family:ident) => { crate::rule::Check::$family(check) };
    (@status $status:literal) => { Some($status) };
    (@status) => { None };
    (@advice $advice:ident) => { crate::Severity::$advice };
    (@advice) => { crate::Severity::Warning };
}

pub(crate) use rule;
