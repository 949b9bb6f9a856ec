use std::fmt;

use voxlint_schema::{DocumentKind, named};
use voxlint_syntax::Span;

use crate::RuleRef;

/// What voxlint has to say of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The kind of document that was judged.
    pub kind: DocumentKind,
    /// The findings, in the order of the text: by span, then by rule.
    pub diagnostics: Vec<Diagnostic>,
    /// The rules that what is known could not decide, in the order of the rules.
    pub undecided: Vec<Undecided>,
    /// Findings that somebody has decided to live with, in the order of the text. A check hides nothing by itself.
    pub suppressed: Vec<Suppressed>,
    /// The parts of the document that were not read, so nothing in them was checked: whoever reports the findings must fail
    /// then.
    pub unread: Vec<Unread>,
    /// The places in the document's text that hold secrets. Whoever shows the text covers them first.
    pub secrets: Vec<Span>,
    /// The same in the texts of the other inputs that findings point into.
    pub other_secrets: Vec<(Origin, Vec<Span>)>,
}

/// A part of the document that was not read, so nothing in it was checked.
///
/// ```
/// let text = format!(r#"{{ "title": {}{} }}"#, "[".repeat(600), "]".repeat(600));
/// let report = voxlint::check_text(&text);
/// let unread = &report.unread[0];
/// assert_eq!(unread.message, "nested deeper than 512 levels, so what is inside was not checked");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unread {
    /// The input that `span` points into.
    pub origin: Origin,
    /// Where the part begins.
    pub span: Span,
    /// Why it was not read: lower case, without a full stop.
    pub message: String,
}

/// A finding that somebody has decided to live with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suppressed {
    /// The finding.
    pub diagnostic: Diagnostic,
    /// Where that was decided.
    pub by: SuppressedBy,
}

/// Where it was decided to live with a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SuppressedBy {
    /// In the configuration, for this reason.
    Configuration(String),
    /// In a comment beside it, for this reason.
    Comment(String),
    /// In a baseline: it was there when the baseline was written.
    Baseline,
}

/// One finding: a rule, what the service would say, and the characters it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule that found it.
    pub rule: RuleRef,
    /// What the service would do.
    pub verdict: VerdictKind,
    /// How loudly to say so.
    pub severity: Severity,
    /// The HTTP status that the service would answer, for a document that is sent and a verdict other than advice.
    pub status: Option<u16>,
    /// Another status that the description allows as well as that one.
    pub other_status: Option<u16>,
    /// A JSON Pointer (RFC 6901) into the effective document: the value at fault, or where a missing one would stand.
    pub field: String,
    /// The input that `span` points into.
    pub origin: Origin,
    /// The characters at fault: bytes of the file as it is on disk. Empty where something is missing between two others.
    pub span: Span,
    /// A few words under the caret, where the message alone would not say what is underlined.
    pub label: Option<String>,
    /// What is wrong, with the value and the limit; lower case, one sentence without a full stop.
    pub message: String,
    /// The way out, as an instruction.
    pub help: Option<String>,
    /// What a possible refusal hangs on, in words that stand alone.
    pub depends_on: Option<String>,
    /// What else there is to know: what the service would answer, and what the verdict depends on.
    pub note: Option<String>,
    /// Whether `depends_on` is a reading of the description. The note ends with it, and says the same at each finding of the
    /// rule: see [`Self::short_note`].
    pub is_reading: bool,
    /// Other places that take part.
    pub related: Vec<Related>,
    /// Changes that would settle the finding.
    pub fixes: Vec<Fix>,
}

impl Diagnostic {
    /// The note without the explanation of a reading, for reports that have explained it before.
    ///
    /// ```
    /// let report = voxlint::check_text(r#"{ "version_number": 3, "kb_max_chunks": 2.5 }"#);
    /// let found = &report.diagnostics[0];
    /// assert!(found.note.as_deref().is_some_and(|note| note.contains("the description leaves fractions open")));
    /// assert_eq!(found.short_note(), Some("the service may answer 400 Bad Request (agent settings, section 2.3)"));
    /// ```
    pub fn short_note(&self) -> Option<&str> {
        let note = self.note.as_deref()?;
        let Some(reading) = self.depends_on.as_deref().filter(|_| self.is_reading) else {
            return Some(note);
        };
        if note.starts_with(reading) {
            return None;
        }
        let short = note.strip_suffix(reading).and_then(|short| short.strip_suffix(": "));
        Some(short.unwrap_or(note))
    }
}

/// A second place that takes part in a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The input that `span` points into.
    pub origin: Origin,
    /// A JSON Pointer to the value there.
    pub field: String,
    /// The characters.
    pub span: Span,
    /// What they have to do with it, in a few words.
    pub message: String,
}

/// One of the inputs of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The document under check.
    Document,
    /// What the service holds.
    Stored,
    /// What is known of the workspace.
    Facts,
    /// A text that is kept in a file of its own, by its place in [`crate::Inputs::texts`].
    Text(u16),
}

impl Origin {
    /// The name in the JSON report.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Stored => "stored",
            Self::Facts => "facts",
            Self::Text(_) => "text",
        }
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

/// What the service would do with the document, as far as one finding goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum VerdictKind {
    /// It refuses the document under every plausible reading of its description.
    Reject,
    /// It refuses the document under some reading, or depending on something that is not known here.
    Possible,
    /// It accepts the document, which still is probably not what the author meant.
    Advice,
}

named! {
    VerdictKind, "a verdict":
    Reject = "reject",
    Possible = "possible",
    Advice = "advice",
}

/// How loudly a finding is said. Errors fail a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Worth a look; fails a strict run.
    Warning,
    /// Fails the run.
    Error,
}

named! {
    Severity, "a severity":
    Info = "info",
    Warning = "warning",
    Error = "error",
}

/// A rule that could not be decided. Never a finding.
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an answer of its own, and none excludes another"
)]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undecided {
    /// The rule.
    pub rule: RuleRef,
    /// What would decide it, in the order of the description: JSON Pointers into the effective configuration
    /// (`/transcriber_id`), into the agent (`agent:/agent_type`) and into the facts of the workspace (`facts:/campaigns`).
    pub missing: Vec<String>,
    /// Whether something that was given raises the question: a field of the document, or a stored value that only some
    /// readings of the description refuse. [`crate::check`] tells of no others.
    pub is_touched: bool,
    /// Whether something that the service has stored would help.
    pub needs_stored: bool,
    /// Whether a fact of the workspace would help.
    pub needs_facts: bool,
    /// Whether the rule has found a refusal that would be none if what is open were known. Only a prediction tells of it.
    pub may_be_accepted: bool,
    /// Why it could not be decided, and what would help.
    pub why: String,
}

impl Undecided {
    /// What would be refused, in words that complete "if …".
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

/// A change that settles a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What the change does, as an instruction.
    pub title: String,
    /// Whether the change may be made unseen.
    pub safety: Safety,
    /// The replacements, sorted by span, none overlapping another.
    pub edits: Vec<TextEdit>,
}

/// Whether a fix keeps the document's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    /// The service would read the document as before.
    Safe,
    /// The meaning changes: somebody should look.
    Unsafe,
}

named! {
    Safety, "a safety of a fix":
    Safe = "safe",
    Unsafe = "unsafe",
}

/// One replacement of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextEdit {
    /// The characters to replace: bytes of the file as it is on disk.
    pub span: Span,
    /// What stands there afterwards.
    pub text: String,
}
