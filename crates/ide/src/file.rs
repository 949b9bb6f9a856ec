use voxlint::schema::{DocumentKind, template};
use voxlint::syntax::Format;
use voxlint::{Document, Inputs, Origin};

use crate::cursor::Step;
use crate::slot::Slot;

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

    /// The kind of the open document.
    pub(crate) fn kind(&self) -> DocumentKind {
        match self.origin {
            Origin::Document => self.inputs.checked_as(),
            Origin::Stored => {
                let kind = self.inputs.known_stored().and_then(voxlint::Stored::kind);
                kind.unwrap_or(DocumentKind::Stored)
            }
            Origin::Facts => DocumentKind::Facts,
            Origin::Text(_) => DocumentKind::Template,
        }
    }

    /// What the tables say about a place of the open document.
    pub(crate) fn slot(&self, kind: DocumentKind, path: &[Step]) -> Option<Slot> {
        if self.document().format() != Format::Text {
            return Slot::at(kind, path);
        }
        let texts = self.inputs.text_files();
        let row = match self.origin {
            Origin::Text(index) => texts.get(usize::from(index)).map(voxlint::TextFile::field),
            _ => None,
        };
        Some(Slot::of(row.unwrap_or(template::template.row)))
    }
}
