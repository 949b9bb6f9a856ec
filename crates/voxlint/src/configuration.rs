//! Faults of a `voxlint.toml`, as far as its table of keys tells them.

use voxlint_syntax::SyntaxErrorKind;

use crate::check::faults_of_ours;
use crate::{Document, DocumentKind, Report};

/// What keeps a configuration of voxlint from being used, as far as its table tells: faults of the text, keys that there are
/// none of, values of the wrong type. What the values mean is not looked at.
///
/// ```
/// use voxlint::Document;
/// use voxlint::configuration::faults;
/// use voxlint::syntax::Format;
///
/// let document = Document::parse_as("inclde = [\"agents/\"]\n", Format::Toml);
/// let faults = faults(&document);
/// assert_eq!(faults.diagnostics[0].help.as_deref(), Some("did you mean `include`?"));
/// ```
pub fn faults(document: &Document) -> Report {
    let mut report = faults_of_ours(document, DocumentKind::Configuration);
    if document.is_empty() {
        // Whoever says nothing leaves everything as it is.
        report.diagnostics.clear();
    }
    for error in document.errors() {
        let words = match error.kind {
            SyntaxErrorKind::DateTime => ("a date or a time is no value here", "a date or a time"),
            SyntaxErrorKind::NotFinite => ("this is no number that can be used", "not a number"),
            _ => continue,
        };
        // The reader speaks of JSON, which nobody has meant to write here.
        for fault in report.diagnostics.iter_mut().filter(|fault| fault.span == error.span) {
            words.0.clone_into(&mut fault.message);
            fault.label = Some(words.1.to_owned());
        }
    }
    report
}
