//! The configuration of voxlint itself, as far as its table of keys describes it. The crate `voxlint-config` reads all of it.

use voxlint_engine::usability::faults_of_voxlint_format;
use voxlint_model::{Document, Report};
use voxlint_schema::DocumentKind;
use voxlint_syntax::SyntaxErrorKind;

/// The faults of a voxlint configuration that its table describes: faults of the text, unknown keys, values of the wrong
/// type. The crate `voxlint-config` checks the values further.
///
/// ```
/// use voxlint::Document;
/// use voxlint::configuration::faults;
/// use voxlint::syntax::Format;
///
/// let configuration = Document::parse_as("inclde = [\"agents/\"]\n", Format::Toml);
/// let faults = faults(&configuration);
/// assert_eq!(faults.diagnostics[0].help.as_deref(), Some("did you mean `include`?"));
/// ```
pub fn faults(document: &Document) -> Report {
    let mut report = faults_of_voxlint_format(document, DocumentKind::Configuration);
    if document.is_empty() {
        // An empty configuration changes nothing.
        report.diagnostics.clear();
    }
    for error in document.errors() {
        let (message, label) = match error.kind {
            SyntaxErrorKind::DateTime => {
                ("dates and times are not allowed here", "a date or a time")
            }
            SyntaxErrorKind::NotFinite => {
                ("infinity and NaN are not allowed here", "not a finite number")
            }
            _ => continue,
        };
        // The syntax crate explains these by what JSON allows, which does not matter to a configuration.
        for fault in report.diagnostics.iter_mut().filter(|fault| fault.span == error.span) {
            message.clone_into(&mut fault.message);
            fault.label = Some(label.to_owned());
        }
    }
    report
}
