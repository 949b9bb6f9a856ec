//! Checks a document.

use voxlint_model::{Document, Inputs, Report};
use voxlint_schema::DocumentKind;

use crate::Trace;
use crate::check_once_traced;
use crate::fixes::keep_applied;
use voxlint_rules::ids::SECRET_IN_DOCUMENT;

/// Checks a text as the kind of document that it looks like, with nothing else known.
///
/// ```
/// let report = voxlint::check_text(r#"{ "version_number": 3, "title": "Front desk" }"#);
/// assert!(report.diagnostics.is_empty());
/// ```
pub fn check_text(text: &str) -> Report {
    check(&Inputs::new(Document::parse(text)))
}

/// Checks a document against everything that is known.
///
/// ```
/// use voxlint::{Document, Inputs, Stored, check};
///
/// let update = Inputs::new(Document::parse(r#"{ "version_number": 3, "transcriber_id": "tr_nova" }"#));
/// assert!(check(&update).diagnostics.is_empty());
///
/// let stored = Document::parse(r#"{ "fallback_stt_enabled": true, "stt_fallback_transcriber_id": "tr_nova" }"#);
/// let report = check(&update.stored(Stored::new(stored).complete()));
/// assert_eq!(report.diagnostics[0].rule.id, "fallback-transcriber-same");
/// ```
pub fn check(inputs: &Inputs) -> Report {
    check_traced(inputs, &mut Trace::off())
}

/// The same, and records what happens to one rule.
///
/// ```
/// use voxlint::{Document, Inputs, Trace, check_traced, rules};
///
/// let inputs = Inputs::new(Document::parse(r#"{ "version_number": 3, "kb_max_chunks": [] }"#));
/// let mut trace = Trace::of(rules::find("out-of-range").expect("a rule").into());
/// check_traced(&inputs, &mut trace);
/// let why = "not checked: `wrong-type` was reported for the value first";
/// assert_eq!(trace.steps()[0].to_string(), why);
/// ```
pub fn check_traced(inputs: &Inputs, trace: &mut Trace) -> Report {
    let mut report = check_once_traced(inputs, trace);
    keep_applied(inputs, &mut report);
    report
}

/// The findings about secrets in a document that is read and not checked, such as workspace facts.
///
/// ```
/// use voxlint::{Document, DocumentKind, secrets};
///
/// let facts = Document::parse(r#"{ "voices": ["hf_wNs4Kc8GjTb2VhYx6RfLzQm9"] }"#);
/// let report = secrets::findings(&facts, DocumentKind::Facts);
/// assert_eq!(report.diagnostics[0].rule.id, "secret-in-document");
/// ```
pub fn findings(document: &Document, kind: DocumentKind) -> Report {
    let mut report = check(&Inputs::new(document.clone()).kind(kind).without_fixes());
    report.diagnostics.retain(|it| it.rule.id == SECRET_IN_DOCUMENT);
    report
}
