use crate::{SyntaxError, Tree, Unread};

/// The documents and the errors of a text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parsed {
    /// The documents, in the order of the text. Only a YAML text may have several; it has at least one, and an empty document
    /// between others is one without a root. Any other text is one document, even if it is empty.
    pub documents: Vec<Tree>,
    /// The errors, in the order of the text.
    pub errors: Vec<SyntaxError>,
    /// The parts of the text that were not parsed, in the order of the text: one for each document and reason.
    pub unread: Vec<Unread>,
}
