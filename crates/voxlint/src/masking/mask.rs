//! Masks secrets in texts about a document.

use super::{Redactor, redactor};
use crate::secret::mask_text;
use crate::{Diagnostic, Inputs};

/// Masks the secrets of the inputs of a check in other texts about them, such as the hints of an editor.
///
/// ```
/// use voxlint::secrets::Mask;
/// use voxlint::{Document, Inputs};
///
/// let text = r#"{ "default_dynamic_variables": { "password": "hunter22" } }"#;
/// let mask = Mask::of(&Inputs::new(Document::parse(text)));
/// assert_eq!(mask.sentence("now `hunter22`"), "now `********`");
/// assert!(mask.hides("hunter22") && !mask.hides("password"));
/// ```
#[derive(Debug)]
pub struct Mask(Redactor);

impl Mask {
    /// Finds the secrets of the inputs.
    pub fn of(inputs: &Inputs) -> Self {
        Self(redactor(inputs, None))
    }

    /// A sentence that quotes values between backquotes, with secrets masked.
    #[must_use]
    pub fn sentence(&self, text: &str) -> String {
        let mut masked = mask_text(text).into_owned();
        self.0.redact(&mut masked);
        masked
    }

    /// A value that is shown by itself, with secrets masked.
    #[must_use]
    pub fn value(&self, text: &str) -> String {
        let mut masked = mask_text(text).into_owned();
        self.0.redact_value(&mut masked);
        masked
    }

    /// Masks secrets in all texts of a finding, and removes fixes that show one.
    pub fn finding(&self, finding: &mut Diagnostic) {
        self.0.redact_finding(finding);
    }

    /// Whether a value contains a secret.
    pub fn hides(&self, text: &str) -> bool {
        self.value(text) != text
    }
}
