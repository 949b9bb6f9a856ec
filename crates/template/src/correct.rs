//! Corrected text.
use crate::{fault::Fault, span::Span};
/// A change that would mend the fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Correction {
    /// What to replace.
    pub span: Span,
    /// What to put there.
    pub text: String,
}
pub(crate) fn correct(_: &Fault, _: &str) -> Option<Correction> {
    None
}
