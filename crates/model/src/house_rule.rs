//! House rules: what a team requires of its documents in addition to the service.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::fmt::{self, Write as _};
use std::ops::Range;
use std::sync::Arc;

use voxlint_schema::{Row, settings};
use voxlint_syntax::{Kind, Node, NodeId};

use crate::effective::Effective;
use crate::place::Place;
use crate::pointer::Token;
use crate::secret::mask_text;
use crate::undecided::MissingInputs;
use crate::value::{UnknownReason, Value};
use crate::verdict::{Finding, Verdict};
use crate::{Origin, PointerPattern, Rule, RuleRef, Severity, Undecided, quote, verdict};

/// A rule of a team. It checks updates and settings. Of the stored configuration it only uses whether a field is set.
///
/// ```
/// use voxlint::{Constraint, Document, HouseRule, Inputs, PointerPattern, Severity, check};
///
/// let short = HouseRule::new("title-too-long-for-our-list", PointerPattern::parse("/title")?)
///     .constraint(Constraint::AtMost(20))
///     .message("our list of agents shows 20 characters of a title")
///     .level(Severity::Error);
/// let document = Document::parse(r#"{ "version_number": 3, "title": "The front desk of the clinic" }"#);
/// let report = check(&Inputs::new(document).house([short]));
/// assert_eq!(report.diagnostics[0].rule.id, "title-too-long-for-our-list");
/// # Ok::<(), voxlint::PointerError>(())
/// ```
///
/// A rule that no constraint expresses is [written in code](Self::in_code).
#[derive(Clone, Debug)]
pub struct HouseRule {
    id: String,
    field: PointerPattern,
    constraints: Vec<Constraint>,
    code: Option<Code>,
    message: Option<String>,
    help: Option<String>,
    level: Severity,
    files: Vec<String>,
}

/// A condition that a house rule requires of a value.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Constraint {
    /// It is present and not null.
    Present,
    /// It is one of these texts. Numbers and booleans are compared as written.
    OneOf(Vec<String>),
    /// Its text has at most this many characters (code points).
    AtMost(usize),
    /// The pattern matches somewhere in its text.
    Matching(Arc<dyn TextPattern>),
    /// The pattern matches nowhere in its text.
    NotMatching(Arc<dyn TextPattern>),
}

/// A pattern to search texts for, usually a regular expression.
pub trait TextPattern: fmt::Debug + Send + Sync {
    /// The first match, in bytes of the text.
    fn find(&self, text: &str) -> Option<Range<usize>>;

    /// The pattern as it was written.
    fn as_str(&self) -> &str;
}

impl HouseRule {
    /// A rule without constraints.
    pub fn new(id: impl Into<String>, field: PointerPattern) -> Self {
        Self {
            id: id.into(),
            field,
            constraints: Vec::new(),
            code: None,
            message: None,
            help: None,
            level: Severity::Warning,
            files: Vec::new(),
        }
    }

    /// A rule that a function checks. The summary is one sentence for the page of the rule.
    ///
    /// The function sees the effective configuration. If it reads a setting that is not known and reports nothing, the rule
    /// is undecided. It must give the same result for the same document, whatever the thread and the time.
    ///
    /// ```
    /// use voxlint::{Document, HouseRule, Inputs, check};
    ///
    /// let named = HouseRule::in_code("title-not-spoken", "The welcome message says the title", |check| {
    ///     let (Some(title), Some(welcome)) = (check.text("title"), check.text("welcome_message")) else { return };
    ///     if !welcome.contains(&*title) {
    ///         check.report("welcome_message", format!("the welcome message does not say `{title}`"));
    ///     }
    /// });
    /// let text = r#"{ "version_number": 3, "title": "Front desk", "welcome_message": "Hello" }"#;
    /// let report = check(&Inputs::new(Document::parse(text)).house([named.clone()]));
    /// assert_eq!(report.diagnostics[0].rule.id, "title-not-spoken");
    /// assert_eq!(report.diagnostics[0].span.slice(text), "\"Hello\"");
    ///
    /// let text = r#"{ "version_number": 3, "title": "Front desk" }"#;
    /// let report = check(&Inputs::new(Document::parse(text)).house([named]));
    /// assert!(report.diagnostics.is_empty());
    /// assert!(report.undecided.iter().any(|undecided| undecided.rule.id == "title-not-spoken"));
    /// ```
    pub fn in_code(
        id: impl Into<String>,
        summary: impl Into<String>,
        check: impl Fn(&mut HouseCheck<'_, '_>) + Send + Sync + 'static,
    ) -> Self {
        let code = Code { summary: summary.into(), check: Arc::new(check) };
        Self { code: Some(code), ..Self::new(id, PointerPattern::whole()) }
    }

    /// Adds a constraint.
    pub fn constraint(mut self, constraint: Constraint) -> Self {
        self.constraints.push(constraint);
        self
    }

    /// The message: one sentence, lower case, without a full stop. Secrets in it are masked.
    pub fn message(self, message: impl Into<String>) -> Self {
        Self { message: Some(mask_text(&message.into()).into_owned()), ..self }
    }

    /// How to fix a finding, as an instruction. Secrets in it are masked.
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: Some(mask_text(&help.into()).into_owned()), ..self }
    }

    /// The severity. Without it, a warning.
    pub fn level(self, level: Severity) -> Self {
        Self { level, ..self }
    }

    /// The patterns of the files that the rule is for, for its page. The caller selects the rules for a document. Without
    /// patterns, the rule is for all files.
    pub fn about_files(self, patterns: &[&str]) -> Self {
        Self { files: patterns.iter().map(|pattern| (*pattern).to_owned()).collect(), ..self }
    }

    /// The rule's id.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The values that it checks: the whole document for a rule in code.
    pub fn field(&self) -> &PointerPattern {
        &self.field
    }

    /// The rule of its findings, with its page.
    pub fn rule(&self) -> RuleRef {
        let help = self.help.as_ref().map_or_else(String::new, |help| format!("\n{help}\n"));
        let files = match &*self.files {
            [] => String::new(),
            files => format!(", for {}", masked_list(files)),
        };
        let level = self.level.name();
        if let Some(code) = &self.code {
            let summary = code.summary.clone();
            let page = format!(
                "{summary}\n\nA house rule of the level `{level}`{files}, written in code.\n{help}"
            );
            return RuleRef::from(Arc::new(Rule::named(
                self.id.clone(),
                self.level,
                summary,
                page,
            )));
        }
        let field = self.shown_field();
        let constraints: Vec<String> = self
            .constraints
            .iter()
            .map(|constraint| format!("- {}\n", constraint.to_clause()))
            .collect();
        let summary =
            self.message.clone().unwrap_or_else(|| format!("`{field}` breaks a house rule"));
        let page = format!(
            "{summary}\n\nA house rule of the level `{level}`{files}. For `{field}` it requires:\n\n{}{help}",
            constraints.concat()
        );
        let rule = Rule::named(self.id.clone(), self.level, summary, page);
        RuleRef::from(Arc::new(rule))
    }

    /// Checks the configuration.
    #[doc(hidden)]
    pub fn check(&self, effective: &Effective<'_>) -> (Vec<Verdict>, Option<Undecided>) {
        if let Some(code) = &self.code {
            let (verdicts, undecided) = (Vec::new(), None);
            let mut check = HouseCheck { rule: self, effective, verdicts, undecided };
            (code.check)(&mut check);
            let HouseCheck { verdicts, undecided, .. } = check;
            let undecided = undecided.filter(|_| verdicts.is_empty());
            return (verdicts, undecided);
        }
        let mut verdicts = Vec::new();
        let tests: Vec<Test<'_>> = self.constraints.iter().map(Test::of).collect();
        if let Some(root) = effective.root() {
            for node in values(root, self.field.tokens()) {
                self.check_value(&tests, node, Origin::Document, &mut verdicts);
            }
        }
        for (row, node, origin) in effective.text_files() {
            if self.field.matches(&format!("/{}", row.name)) {
                self.check_value(&tests, node, origin, &mut verdicts);
            }
        }
        let is_wanted =
            self.constraints.iter().any(|constraint| matches!(constraint, Constraint::Present));
        let mut undecided = None;
        if is_wanted && self.field.names_a_field() {
            undecided = self.presence(effective, &mut verdicts);
        }
        (verdicts, undecided)
    }

    /// Checks a value in the document.
    fn check_value(
        &self,
        tests: &[Test<'_>],
        node: Node<'_>,
        origin: Origin,
        verdicts: &mut Vec<Verdict>,
    ) {
        let is_said = matches!(node.kind(), Kind::String | Kind::Number | Kind::Bool);
        if node.is_faulty() || !is_said {
            return;
        }
        let text = node.as_str().unwrap_or_else(|| node.source().into());
        let place = Place::of(origin, node);
        for test in tests {
            let Some((part, words)) = test.violation(&text) else { continue };
            let place = match part {
                Some(range) if node.kind() == Kind::String => place.clone().decoded(range),
                _ => place.clone(),
            };
            let finding = self.finding(place, &self.shown_field(), &words);
            verdicts.push(finding.advice());
        }
    }

    /// Checks that the field is present.
    fn presence(
        &self,
        effective: &Effective<'_>,
        verdicts: &mut Vec<Verdict>,
    ) -> Option<Undecided> {
        let root = effective.root()?;
        let (first, rest) = self.field.tokens().split_first()?;
        let row = match first {
            Token::One(name) => settings::TABLE.row(name.as_str()),
            Token::Many => None,
        };
        let Some(row) = row else {
            // A field that is not a setting is only searched in the document.
            self.absence(root, Origin::Document, self.field.tokens(), verdicts);
            return None;
        };
        match effective.node(row) {
            Value::Known(node, place) if place.is_in_document() => {
                self.absence(node, place.origin, rest, verdicts);
            }
            Value::Absent(_) => {
                verdicts.push(self.missing(root, Origin::Document, self.field.tokens()));
            }
            Value::Unknown(reason) => return self.unknown(row, reason),
            // A stored value cannot be fixed in the document.
            Value::Known(..) => {}
        }
        None
    }

    /// The rule without the value of a setting. A faulty one has been reported.
    fn unknown(&self, row: &Row, reason: UnknownReason) -> Option<Undecided> {
        match reason {
            UnknownReason::Contradictory => {
                Some(Undecided::new(self.rule(), verdict::contradictory(&[row.name])))
            }
            UnknownReason::NotGiven => {
                Some(Undecided::without_inputs(self.rule(), MissingInputs::of_stored_value(row)))
            }
            UnknownReason::Faulty | UnknownReason::Lost => None,
        }
    }

    /// Finds missing fields along the steps from a node on.
    fn absence(
        &self,
        node: Node<'_>,
        origin: Origin,
        tokens: &[Token],
        verdicts: &mut Vec<Verdict>,
    ) {
        let Some((first, rest)) = tokens.split_first() else {
            if node.kind() == Kind::Null {
                let name = self.shown_field();
                let finding = self.finding(Place::of(origin, node), &name, "it is null");
                verdicts.push(finding.advice());
            }
            return;
        };
        if first.is_literal() && node.kind() == Kind::Object && !node.is_incomplete() {
            match step(node, first).next() {
                Some(next) => self.absence(next, origin, rest, verdicts),
                None => verdicts.push(self.missing(node, origin, tokens)),
            }
        } else {
            for next in step(node, first) {
                self.absence(next, origin, rest, verdicts);
            }
        }
    }

    fn missing(&self, node: Node<'_>, origin: Origin, tokens: &[Token]) -> Verdict {
        let steps = self.field.as_str().split('/').skip(1);
        let steps: Vec<&str> = steps.skip(self.field.tokens().len() - tokens.len()).collect();
        let name = steps.join("/");
        let place = Place::of(origin, node).opening();
        self.finding(place, &mask_text(&name), "it is missing").missing(name).advice()
    }

    /// The values that it checks, with secrets masked.
    fn shown_field(&self) -> String {
        mask_text(self.field.as_str()).into_owned()
    }

    /// A finding. `words` is a clause about the wrong value.
    fn finding(&self, place: Place, name: &str, words: &str) -> Finding {
        let message = self.message.clone();
        let message = message.unwrap_or_else(|| format!("`{name}` breaks a house rule: {words}"));
        let mut finding = Finding::new(place, message);
        if self.message.is_some() {
            finding = finding.label(words.to_owned());
        }
        finding.help.clone_from(&self.help);
        finding
    }
}

/// A rule in code.
#[derive(Clone)]
struct Code {
    summary: String,
    check: Arc<dyn Fn(&mut HouseCheck<'_, '_>) + Send + Sync>,
}

impl fmt::Debug for Code {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Code").field("summary", &self.summary).finish_non_exhaustive()
    }
}

/// A setting of the effective configuration, as a [rule in code](HouseRule::in_code) sees it.
#[derive(Clone, Copy, Debug)]
pub enum Setting<'a> {
    /// The value in the document, in one of its text files or in the stored configuration. It has any type.
    Known(Node<'a>),
    /// The setting is not set.
    Unset,
    /// The setting is not known: the document omits it, and no stored configuration has it, or it is faulty.
    Unknown,
}

/// A check of one document by a [rule in code](HouseRule::in_code).
#[derive(Debug)]
pub struct HouseCheck<'c, 'a> {
    rule: &'c HouseRule,
    effective: &'c Effective<'a>,
    verdicts: Vec<Verdict>,
    undecided: Option<Undecided>,
}

impl<'a> HouseCheck<'_, 'a> {
    /// The document; `None` if it is empty.
    pub fn document(&self) -> Option<Node<'a>> {
        self.effective.root()
    }

    /// A setting of section 2.3, by its name. Another name is never set.
    pub fn setting(&mut self, name: &str) -> Setting<'a> {
        let Some(row) = settings::TABLE.row(name) else { return Setting::Unset };
        match self.effective.node(row) {
            Value::Known(node, _) if node.kind() == Kind::Null => Setting::Unset,
            Value::Known(node, _) => Setting::Known(node),
            Value::Absent(_) => Setting::Unset,
            Value::Unknown(reason) => {
                if self.undecided.is_none() {
                    self.undecided = self.rule.unknown(row, reason);
                }
                Setting::Unknown
            }
        }
    }

    /// The text of a setting; `None` if it is unknown, unset or no text.
    pub fn text(&mut self, name: &str) -> Option<Cow<'a, str>> {
        match self.setting(name) {
            Setting::Known(node) => node.as_str(),
            Setting::Unset | Setting::Unknown => None,
        }
    }

    /// Reports a finding at a setting: at its value, or at the beginning of the document if it has none. The message is one
    /// sentence, lower case, without a full stop.
    pub fn report(&mut self, name: &str, message: impl Into<String>) {
        let known = settings::TABLE.row(name).map(|row| self.effective.node(row));
        let message = message.into();
        let finding = match (known, self.effective.root()) {
            (Some(Value::Known(_, place) | Value::Absent(Some(place))), _) => {
                Finding::new(place, message)
            }
            (known, Some(root)) => {
                let place = Place::of(Origin::Document, root).opening();
                match known {
                    Some(Value::Unknown(_)) => Finding::new(place, message).of_root(),
                    _ => Finding::new(place, message).missing(name.to_owned()),
                }
            }
            (_, None) => return,
        };
        let finding = Finding { help: self.rule.help.clone(), ..finding };
        self.verdicts.push(finding.advice());
    }
}

impl Constraint {
    /// The constraint as a clause, with secrets masked.
    fn to_clause(&self) -> String {
        match self {
            Self::Present => "it is present".to_owned(),
            Self::OneOf(values) => {
                format!("it is one of {}", masked_list(values))
            }
            Self::AtMost(limit) => format!("it has at most {limit} characters"),
            Self::Matching(pattern) => format!("it matches `{}`", mask_text(pattern.as_str())),
            Self::NotMatching(pattern) => {
                format!("it does not match `{}`", mask_text(pattern.as_str()))
            }
        }
    }
}

/// The number of allowed values that a message lists.
const LISTED: usize = 10;

/// A constraint, prepared for the values of one document.
struct Test<'r> {
    constraint: &'r Constraint,
    /// The texts of [`Constraint::OneOf`], collected for the first value.
    allowed: OnceCell<HashSet<&'r str>>,
}

impl<'r> Test<'r> {
    const fn of(constraint: &'r Constraint) -> Self {
        Self { constraint, allowed: OnceCell::new() }
    }

    /// How a text breaks the constraint, and the part that does, if it is not the whole text.
    fn violation(&self, text: &str) -> Option<(Option<Range<usize>>, String)> {
        match self.constraint {
            Constraint::Present => None,
            Constraint::OneOf(values) => {
                let allowed = || values.iter().map(String::as_str).collect();
                if self.allowed.get_or_init(allowed).contains(text) {
                    return None;
                }
                let mut known = masked_list(values.get(..LISTED).unwrap_or(values));
                if let Some(more @ 1..) = values.len().checked_sub(LISTED) {
                    // Writing to a string cannot fail.
                    let _ = write!(known, " and {more} more");
                }
                Some((None, format!("it is {}, not one of {known}", quote::quote(text))))
            }
            Constraint::AtMost(limit) => {
                let (over, _) = text.char_indices().nth(*limit)?;
                let count = text.chars().count();
                let words = format!("it has {count} characters, over the limit of {limit}");
                Some((Some(over..text.len()), words))
            }
            Constraint::Matching(pattern) => {
                let words = || format!("it does not match `{}`", mask_text(pattern.as_str()));
                pattern.find(text).is_none().then(|| (None, words()))
            }
            Constraint::NotMatching(pattern) => {
                let range = pattern.find(text)?;
                // An empty match has no characters to underline.
                let part = (!range.is_empty()).then_some(range);
                Some((part, format!("this matches `{}`", mask_text(pattern.as_str()))))
            }
        }
    }
}

/// Values of the configuration between backquotes, with secrets masked.
fn masked_list(values: &[String]) -> String {
    let masked: Vec<Cow<'_, str>> = values.iter().map(|value| mask_text(value)).collect();
    quote::list(masked.iter().map(|value| &**value))
}

/// The values one step on from a node.
fn step<'a, 't>(node: Node<'a>, token: &'t Token) -> impl Iterator<Item = Node<'a>> + use<'a, 't> {
    let is_meant = move |name: &str| match token {
        Token::One(wildcard) => wildcard.matches(name),
        Token::Many => true,
    };
    let members = node.members().filter(move |member| is_meant(&member.name()));
    let elements = node.elements().enumerate();
    let elements = elements.filter(move |(index, _)| is_meant(&index.to_string()));
    members.map(|member| member.value).chain(elements.map(|(_, element)| element))
}

/// The values that the steps lead to, in the order of the text.
fn values<'a>(root: Node<'a>, tokens: &[Token]) -> Vec<Node<'a>> {
    // `**` reaches a value in many ways. Each step of the pattern takes it once.
    let mut seen: HashSet<(NodeId, usize)> = HashSet::new();
    let mut open = vec![(root, 0)];
    let mut found = Vec::new();
    while let Some((node, at)) = open.pop() {
        if !seen.insert((node.id(), at)) {
            continue;
        }
        match tokens.get(at) {
            None => found.push(node),
            Some(token @ Token::Many) => {
                open.push((node, at + 1));
                open.extend(step(node, token).map(|next| (next, at)));
            }
            Some(token) => open.extend(step(node, token).map(|next| (next, at + 1))),
        }
    }
    found.sort_by_key(|node| node.id());
    found
}
