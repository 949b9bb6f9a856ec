use voxlint::{Document, Inputs, Origin};

/// A text that is open in an editor: a document, or a text that belongs to one.
///
/// ```
/// use voxlint::{Document, Inputs};
/// use voxlint_ide::File;
///
/// let inputs = Inputs::new(Document::parse(r#"{ "version_number": 3 }"#));
/// assert_eq!(File::new(&inputs).text(), r#"{ "version_number": 3 }"#);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct File<'a> {
    /// The document that the text belongs to, and everything else that is known.
    pub inputs: &'a Inputs,
    /// Which of these texts is open.
    pub origin: Origin,
}

impl<'a> File<'a> {
    /// The document itself.
    pub const fn new(inputs: &'a Inputs) -> Self {
        Self { inputs, origin: Origin::Document }
    }

    /// The open document. If the inputs have none of this origin, it is the document itself.
    pub fn document(&self) -> &'a Document {
        self.inputs.document_of(self.origin).unwrap_or_else(|| self.inputs.document())
    }

    /// The open text.
    pub fn text(&self) -> &'a str {
        self.document().text()
    }
}
