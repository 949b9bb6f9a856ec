//! Reports and their findings.

use std::borrow::Cow;
use std::fmt;

use voxlint_schema::DocumentKind;
use voxlint_syntax::{Span, TextEdit};

use crate::place::{Origin, UnreadPart};
use crate::readings::{self, Assumption, ReadingEntry, SetReading};
use crate::severity::{Safety, Severity, VerdictKind};
use crate::{RuleRef, Undecided};

/// The note of a finding about a stored value begins with this.
pub const INVALID_STORED_VALUE: &str =
    "the stored value is invalid: an update that leaves it unchanged is validated with it";

/// The result of checking one document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Report {
    /// The kind that the document was checked as.
    pub kind: DocumentKind,
    /// The findings, in the order of the text: by span, then by rule.
    pub diagnostics: Vec<Diagnostic>,
    /// The rules that are undecided, in the order of the rules.
    pub undecided: Vec<Undecided>,
    /// Suppressed findings, in the order of the text. A check alone suppresses nothing.
    pub suppressed: Vec<Suppressed>,
    /// The parts of the document that were not read and therefore not checked. If there are any, the run must fail.
    pub unread: Vec<UnreadPart>,
    /// The places of secrets in the document's text. Mask them before the text is shown.
    pub secrets: Vec<Span>,
    /// The places of secrets in the other inputs that findings point into.
    pub other_secrets: Vec<(Origin, Vec<Span>)>,
}

/// A suppressed finding.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Suppressed {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// What suppresses it.
    pub by: SuppressedBy,
}

/// What suppresses a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuppressedBy {
    /// The configuration, for this reason.
    Configuration(String),
    /// A comment beside it, for this reason.
    Comment(String),
    /// The baseline. The finding existed when the baseline was written.
    Baseline,
}

/// One finding: a rule, what the service would do, and the characters that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Diagnostic {
    /// The rule that found it.
    pub rule: RuleRef,
    /// What the service would do.
    pub verdict: VerdictKind,
    /// The severity.
    pub severity: Severity,
    /// The HTTP status of the service's answer, if the document is sent and the verdict is not advice.
    pub status: Option<u16>,
    /// Another status that the description allows.
    pub other_status: Option<u16>,
    /// A JSON Pointer (RFC 6901) into the effective configuration, to the wrong value or to a missing field.
    pub field: String,
    /// The input that `span` points into.
    pub origin: Origin,
    /// The wrong characters, as bytes of the file on disk. Empty where something is missing between two others.
    pub span: Span,
    /// A few words under the caret, where the message alone does not say what is underlined.
    pub label: Option<String>,
    /// The value, what is wrong with it, and the limit. Lower case, one sentence without a full stop.
    pub message: String,
    /// How to fix it, as an instruction.
    pub help: Option<String>,
    /// What a possible rejection depends on, as a complete clause.
    pub depends_on: Option<String>,
    /// What the service would answer, and what the verdict depends on.
    pub note: Option<String>,
    /// Whether what it depends on is how the description is read, which is the same for each finding of the rule.
    pub is_reading: bool,
    /// The assumptions about the description on which the verdict depends: those under which the service may reject it, or, of a
    /// sure rejection, those because of which the team's readings make it sure.
    pub assumes: Vec<Assumption>,
    /// The team's readings that make a rejection certain, which is only possible without them.
    pub settled_by: Vec<SetReading>,
    /// The assumptions without which the service would accept it, depending on something unknown: such a rejection is certain
    /// only for a check. `None` if it is certain.
    #[doc(hidden)]
    pub unless: Option<Vec<Assumption>>,
    /// Related places.
    pub related: Vec<Related>,
    /// Fixes.
    pub fixes: Vec<Fix>,
    /// How many findings this is: 1, unless it stands for the findings of the rule that the report does not list, because the
    /// document has more than 10,000 of them or more than 100 syntax errors.
    pub count: u32,
}

impl Report {
    /// A report with these findings about a document of this kind.
    pub const fn new(kind: DocumentKind, diagnostics: Vec<Diagnostic>) -> Self {
        Self {
            kind,
            diagnostics,
            undecided: Vec::new(),
            suppressed: Vec::new(),
            unread: Vec::new(),
            secrets: Vec::new(),
            other_secrets: Vec::new(),
        }
    }
}

/// The finding in one line, without its place: `error[out-of-range]: kb_max_chunks is …`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}[{}]: {}", self.severity, self.rule.id, self.message)
    }
}

impl Suppressed {
    /// A finding with the place where it was decided to suppress it.
    pub const fn new(diagnostic: Diagnostic, by: SuppressedBy) -> Self {
        Self { diagnostic, by }
    }
}

impl Diagnostic {
    /// A finding of a rule in the document, at its root and without help. The severity is that of the verdict; for advice,
    /// that of the rule.
    pub fn new(
        rule: impl Into<RuleRef>,
        verdict: VerdictKind,
        span: Span,
        message: impl Into<String>,
    ) -> Self {
        let rule = rule.into();
        let severity = rule.severity(verdict);
        Self {
            rule,
            verdict,
            severity,
            status: None,
            other_status: None,
            field: String::new(),
            origin: Origin::Document,
            span,
            label: None,
            message: message.into(),
            help: None,
            depends_on: None,
            note: None,
            is_reading: false,
            assumes: Vec::new(),
            settled_by: Vec::new(),
            unless: None,
            related: Vec::new(),
            fixes: Vec::new(),
            count: 1,
        }
    }

    /// The fix that is applied if fixes up to `most` are allowed: a safe one before one that needs a review.
    ///
    /// ```
    /// use voxlint::Safety;
    ///
    /// let report = voxlint::check_text(r#"{ "version_number": 3, "titel": "Front desk" }"#);
    /// let finding = &report.diagnostics[0];
    /// assert!(finding.fix(Safety::Safe).is_none());
    /// assert_eq!(finding.fix(Safety::Unsafe).map(|fix| &*fix.title), Some("rename to `title`"));
    /// ```
    pub fn fix(&self, most: Safety) -> Option<&Fix> {
        let is_safe = |fix: &&Fix| fix.safety == Safety::Safe;
        let other = self.fixes.first().filter(|_| most == Safety::Unsafe);
        self.fixes.iter().find(is_safe).or(other)
    }

    /// The status of the service's answer in a headline: `400`, or `400?` if the service may also accept the document.
    ///
    /// ```
    /// let report = voxlint::check_text(r#"{ "version_number": 3, "kb_max_chunks": 2.5 }"#);
    /// assert_eq!(report.diagnostics[0].answer().as_deref(), Some("400?"));
    /// ```
    pub fn answer(&self) -> Option<String> {
        let status = self.status?;
        let other = self.other_status.map(|other| format!(" or {other}")).unwrap_or_default();
        let mark = if self.verdict == VerdictKind::Possible { "?" } else { "" };
        Some(format!("{status}{other}{mark}"))
    }

    /// The note below a headline that states the status: what the verdict depends on, as far as the reader does not know it.
    ///
    /// ```
    /// let report = voxlint::check_text(r#"{ "version_number": 3, "kb_max_chunks": 12 }"#);
    /// let finding = &report.diagnostics[0];
    /// assert_eq!(finding.note.as_deref(), Some("the service would answer 400 Bad Request (agent settings, section 2.3)"));
    /// assert_eq!((finding.status, finding.short_note()), (Some(400), None));
    ///
    /// let report = voxlint::check_text(r#"{ "version_number": 3, "kb_max_chunks": 2.5 }"#);
    /// let finding = &report.diagnostics[0];
    /// assert!(finding.short_note().is_some_and(|note| note.ends_with("whether a count may have a fraction")));
    /// ```
    pub fn short_note(&self) -> Option<Cow<'_, str>> {
        let note = self.note.as_deref()?;
        let is_stored = note.starts_with(INVALID_STORED_VALUE);
        match self.depends_on.as_deref() {
            Some(words) if is_stored => Some(format!("{INVALID_STORED_VALUE}: {words}").into()),
            Some(words) => Some(words.into()),
            None => match readings::by_readings(&self.settled_by) {
                Some(words) if is_stored => Some(format!("{INVALID_STORED_VALUE}, {words}").into()),
                Some(words) => Some(words.into()),
                None if is_stored => Some(INVALID_STORED_VALUE.into()),
                None => (self.verdict == VerdictKind::Advice).then(|| note.into()),
            },
        }
    }

    /// What the verdict depends on in the description, or what of the team's knowledge makes it certain, as a clause.
    ///
    /// ```
    /// let report = voxlint::check_text(r#"{ "version_number": 3, "kb_max_chunks": 2.5 }"#);
    /// let condition = report.diagnostics[0].condition();
    /// assert!(condition.is_some_and(|it| it.ends_with("whether a count may have a fraction")));
    /// ```
    pub fn condition(&self) -> Option<Cow<'_, str>> {
        let depends_on = self.depends_on.as_deref().map(Cow::Borrowed);
        depends_on.or_else(|| readings::by_readings(&self.settled_by).map(Cow::Owned))
    }

    /// The readings on which the verdict depends, for the JSON formats.
    #[doc(hidden)]
    pub fn readings(&self) -> Vec<ReadingEntry> {
        readings::entries(&self.assumes, &self.settled_by)
    }
}

/// A place that a finding is related to.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Related {
    /// The input that `span` points into.
    pub origin: Origin,
    /// A JSON Pointer to the value there.
    pub field: String,
    /// The characters.
    pub span: Span,
    /// How they are related, in a few words.
    pub message: String,
}

impl Related {
    /// A place in one of the inputs, with the pointer to the value there.
    pub fn new(
        origin: Origin,
        field: impl Into<String>,
        span: Span,
        message: impl Into<String>,
    ) -> Self {
        Self { origin, field: field.into(), span, message: message.into() }
    }
}

/// A fix for a finding.
///
/// ```
/// use voxlint::{Document, Inputs, Origin, Safety, check};
///
/// let report = check(&Inputs::new(Document::parse(r#"{ "version_number": 3, "titel": "Front desk" }"#)));
/// let fix = &report.diagnostics[0].fixes[0];
/// assert_eq!((fix.title.as_str(), fix.safety), ("rename to `title`", Safety::Unsafe));
/// assert_eq!((fix.origin, fix.edits[0].text.as_str()), (Origin::Document, "\"title\""));
/// assert_eq!(fix.changes, ["/titel", "/title"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fix {
    /// What the fix does, as an instruction.
    pub title: String,
    /// Whether the fix may be applied without review.
    pub safety: Safety,
    /// The input that the edits change: the document, or a text in a file of its own.
    pub origin: Origin,
    /// The replacements, sorted by span, none overlapping another.
    pub edits: Vec<TextEdit>,
    /// JSON Pointers to the values of the document that the fix changes, adds or removes. Empty if the values stay as they
    /// were read, as after the correction of a syntax error.
    pub changes: Vec<String>,
}

impl Fix {
    /// A fix that changes an input, and no values.
    pub fn new(
        title: impl Into<String>,
        safety: Safety,
        origin: Origin,
        edits: Vec<TextEdit>,
    ) -> Self {
        Self { title: title.into(), safety, origin, edits, changes: Vec::new() }
    }
}

/// The maximum number of fixes that one report offers, in the order of the rules. `fix` applies the others in
/// later rounds.
pub const MAX_FIXES: usize = 1_000;
