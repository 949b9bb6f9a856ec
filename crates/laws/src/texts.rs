//! Splits the bytes of an input into texts and choices.

use voxlint::syntax::Format;
use voxlint::{Document, DocumentKind, Facts, Inputs, Source, Stored};

/// Separates the texts of an input. It is the ASCII record separator, which documents seldom contain.
pub const SEPARATOR: u8 = 0x1e;

/// The texts of an input, and the choices that its first byte encodes.
#[derive(Clone, Debug)]
pub(crate) struct Texts<'b> {
    choice: u8,
    rest: Option<&'b [u8]>,
}

impl<'b> Texts<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        match bytes.split_first() {
            Some((choice, rest)) => Self { choice: *choice, rest: Some(rest) },
            None => Self { choice: 0, rest: None },
        }
    }

    /// A number below a bound. Each call uses up part of the first byte.
    pub(crate) fn choose(&mut self, bound: u8) -> usize {
        let chosen = self.choice % bound;
        self.choice /= bound;
        chosen.into()
    }

    pub(crate) fn format(&mut self) -> Format {
        Format::ALL[self.choose(Format::ALL.len() as u8)]
    }

    /// The next text; empty if there is none left.
    pub(crate) fn next(&mut self) -> &'b [u8] {
        let Some(rest) = self.rest else { return &[] };
        let mut parts = rest.splitn(2, |byte| *byte == SEPARATOR);
        let first = parts.next().unwrap_or_default();
        self.rest = parts.next();
        first
    }

    /// The next text as a document of a format.
    pub(crate) fn document(&mut self, format: Format) -> Document {
        Document::parse_as(Source::from_bytes(self.next()), format)
    }

    /// The next text as a JSON document, if it is not empty.
    pub(crate) fn json(&mut self) -> Option<Document> {
        let text = self.next();
        (!text.is_empty()).then(|| Document::parse(Source::from_bytes(text)))
    }

    /// A document with its stored configuration and facts.
    pub(crate) fn inputs(&mut self) -> Inputs {
        let format = self.format();
        let is_told = self.choose(2) == 1;
        let document = self.document(format);
        let stored = self.json().map(Stored::new);
        let inputs = Inputs::new(document).stored(stored).facts(self.json().map(Facts::new));
        let inputs = inputs.optional_rules(true);
        match format {
            Format::Text => inputs.kind(DocumentKind::Template),
            _ if is_told => inputs.kind(DocumentKind::Update),
            _ => inputs,
        }
    }
}

/// Choices for generated documents, one for each byte. After the last byte, every choice is 0.
#[derive(Debug)]
pub(crate) struct Choices<'b>(pub(crate) &'b [u8]);

impl Choices<'_> {
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        let (first, rest) =
            self.0.split_first().map_or((0, self.0), |(first, rest)| (*first, rest));
        self.0 = rest;
        usize::from(first) % bound.max(1)
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
