//! Documents and the files of texts that belong to them.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use voxlint_schema::{DocumentKind, Row, names};
use voxlint_syntax::edit::{TextEdit, apply};
use voxlint_syntax::{
    Format, Kind, MAX_LINE, Node, SharedText, Span, SyntaxError, SyntaxErrorKind, SyntaxFix, Tree,
    Unread,
};

use crate::marks::Marks;
use crate::recognition::{self, Recognition};

/// The maximum number of bytes that are searched for names of settings in a line that is too long.
const MAX_SEARCHED_BYTES: usize = 64 << 10;

/// The decoded text of a file, with the errors of its encoding. A clone shares the text.
///
/// ```
/// use voxlint::Source;
///
/// assert_eq!(Source::from("{}").text(), "{}");
/// // Bytes that are not UTF-8 are reported, and the rest is still read.
/// assert_eq!(Source::from_bytes(b"{\"title\": \"caf\xe9\"}").text(), "{\"title\": \"caf?\"}");
/// ```
#[derive(Clone, Debug)]
pub struct Source {
    text: SharedText,
    errors: Vec<SyntaxError>,
    /// Whether a text in another encoding contains names of settings.
    mentions_settings: bool,
    /// Whether it is one line of a file.
    is_line: bool,
    /// Whether reports about it may offer fixes.
    offers_fixes: bool,
}

impl Source {
    /// Reads bytes as UTF-8. Bytes that are not UTF-8 are replaced one by one, so that offsets do not change, and
    /// reported by the check. The bytes of a `Vec` are not copied.
    pub fn from_bytes<'a>(bytes: impl Into<Cow<'a, [u8]>>) -> Self {
        let decoded = voxlint_syntax::decode(bytes);
        let transcoded = decoded.transcoded.as_deref();
        let mentions_settings = transcoded.is_some_and(recognition::mentions_settings);
        Self {
            text: decoded.text.into(),
            errors: decoded.errors,
            mentions_settings,
            is_line: false,
            offers_fixes: true,
        }
    }

    /// The same text, for documents whose reports offer no fixes.
    ///
    /// ```
    /// use voxlint::{Document, Inputs, Source, check};
    ///
    /// let text = r#"{ "version_number": 3, "kb_max_chunks": "5" }"#;
    /// let fixes = |source: Source| check(&Inputs::new(Document::parse(source))).diagnostics[0].fixes.len();
    /// assert_eq!((fixes(text.into()), fixes(Source::from(text).without_fixes())), (1, 0));
    /// ```
    #[must_use]
    pub const fn without_fixes(mut self) -> Self {
        self.offers_fixes = false;
        self
    }

    /// Reads one line of a file with one document per line, without its line break. Offsets are relative to the line. A line
    /// of more than [`MAX_LINE`] bytes is reported and not read.
    ///
    /// ```
    /// use voxlint::{Document, Inputs, Source, check};
    ///
    /// let line = Source::line(br#"{ "version_number": 3, "title": "Front desk" }"#);
    /// assert!(check(&Inputs::new(Document::parse(line))).diagnostics.is_empty());
    ///
    /// let too_long = Source::line(&vec![b' '; voxlint::syntax::MAX_LINE + 1]);
    /// let found = check(&Inputs::new(Document::parse(too_long))).diagnostics;
    /// assert_eq!(found[0].message, "this line is longer than 16 MiB, so it was not checked");
    /// ```
    pub fn line(bytes: &[u8]) -> Self {
        if bytes.len() <= MAX_LINE {
            return Self { is_line: true, ..Self::from_bytes(bytes) };
        }
        let head = bytes.get(..MAX_SEARCHED_BYTES).unwrap_or_default();
        Self {
            text: SharedText::default(),
            errors: vec![SyntaxError::of_long_line()],
            mentions_settings: recognition::mentions_settings(&String::from_utf8_lossy(head)),
            is_line: true,
            offers_fixes: true,
        }
    }

    /// The decoded text. Its byte offsets are those of the file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// A document of the text, without errors and unread parts.
    const fn contents(&self, tree: Tree, format: Format, extent: Span) -> Contents {
        Contents {
            tree,
            errors: Vec::new(),
            unread: Vec::new(),
            format,
            extent,
            mentions_settings: self.mentions_settings,
            is_line: self.is_line,
            place: (0, 1),
            offers_fixes: self.offers_fixes,
            syntax_fixes: None,
            recognition: OnceLock::new(),
            marks: OnceLock::new(),
        }
    }
}

impl From<SharedText> for Source {
    fn from(text: SharedText) -> Self {
        Self {
            text,
            errors: Vec::new(),
            mentions_settings: false,
            is_line: false,
            offers_fixes: true,
        }
    }
}

impl From<&str> for Source {
    fn from(text: &str) -> Self {
        SharedText::from(text).into()
    }
}

impl From<String> for Source {
    fn from(text: String) -> Self {
        SharedText::from(text).into()
    }
}

/// One document, read but not checked. Reading never fails: the check reports the syntax errors.
///
/// A document owns its text and its tree, and may be kept and sent to other threads. A clone shares both.
#[derive(Clone, Debug)]
pub struct Document(Arc<Contents>);

#[derive(Debug)]
struct Contents {
    tree: Tree,
    errors: Vec<SyntaxError>,
    unread: Vec<Unread>,
    format: Format,
    extent: Span,
    mentions_settings: bool,
    is_line: bool,
    /// The number of the document in its text, and how many the text has.
    place: (usize, usize),
    /// Whether reports about it may offer fixes.
    offers_fixes: bool,
    /// The fixes of the syntax errors of the whole text, once a rule has asked. All documents of the text share them. `None` if
    /// there are no errors, or the document is only checked to prove a fix.
    syntax_fixes: Option<Arc<OnceLock<Vec<SyntaxFix>>>>,
    /// What the document looks like, once somebody has asked.
    recognition: OnceLock<Recognition>,
    /// Where rules have to look closer, once one of them has asked.
    marks: OnceLock<Marks>,
}

impl Document {
    /// Reads `source` as JSON.
    pub fn parse(source: impl Into<Source>) -> Self {
        Self::parse_as(source, Format::Json)
    }

    /// Reads `source` in a format, as one document. If the text has several, it is the first one. See [`Self::parse_all`].
    ///
    /// ```
    /// use voxlint::syntax::Format;
    /// use voxlint::{Document, Inputs, check};
    ///
    /// let text = "{ \"version_number\": 3, /* for now */ \"title\": \"Front desk\", }";
    /// let document = Document::parse_as(text, Format::Jsonc);
    /// assert!(check(&Inputs::new(document)).diagnostics.is_empty());
    /// ```
    pub fn parse_as(source: impl Into<Source>, format: Format) -> Self {
        let mut all = Self::parse_all(source, format);
        // There is always one.
        all.swap_remove(0)
    }

    /// Reads every document of `source`, in the order of the text. At least one document is returned. All offsets are those
    /// of the text. A syntax error belongs to the document whose extent contains it. An extent ends where the next document
    /// begins.
    ///
    /// ```
    /// use voxlint::Document;
    /// use voxlint::syntax::Format;
    ///
    /// assert_eq!(Document::parse_all("{}", Format::Json).len(), 1);
    /// ```
    pub fn parse_all(source: impl Into<Source>, format: Format) -> Vec<Self> {
        let source = source.into();
        let parsed = voxlint_syntax::parse(source.text.clone(), format);
        let mut errors = source.errors.clone();
        let readable = errors.is_empty() || !source.text().is_empty();
        if readable {
            // An unreadable encoding is one error. The empty text in its place is not reported as well.
            errors.extend(parsed.errors);
        }
        errors.sort_by_key(|error| error.span);
        let mut unread = parsed.unread;
        // An unreadable text has no value, even in TOML, where an empty text has one.
        let mut trees = if readable { parsed.documents } else { Vec::new() };
        if trees.is_empty() {
            trees.push(Tree::default());
        }
        for tree in &mut trees {
            tree.number_names(names::id);
        }
        if errors.is_empty() && trees.len() == 1 {
            let extent = Span::new(0, source.text().len() as u32);
            let trees = trees.into_iter().map(|tree| Contents {
                unread: std::mem::take(&mut unread),
                ..source.contents(tree, format, extent)
            });
            return trees.map(|contents| Self(Arc::new(contents))).collect();
        }
        let extents = extents(source.text(), &trees);
        // The line may be one of a document over several lines, which needs another change.
        let offers_fixes =
            source.offers_fixes && !(source.is_line && is_part_of_document(&trees, &errors));
        let syntax_fixes = (offers_fixes && !errors.is_empty()).then(Arc::default);
        let mut documents: Vec<Contents> = Vec::with_capacity(trees.len());
        // From the last document to the first, each takes the remaining errors after its start.
        for (mut tree, extent) in trees.into_iter().zip(extents).rev() {
            let is_own = |error: &SyntaxError| error.span.start >= extent.start;
            let own = errors.split_off(errors.partition_point(|error| !is_own(error)));
            for error in source.errors.iter().filter(|error| is_own(error)) {
                tree.mark_faulty(error.span);
            }
            let first = unread.partition_point(|part| part.span.start < extent.start);
            documents.push(Contents {
                errors: own,
                unread: unread.split_off(first),
                offers_fixes,
                syntax_fixes: syntax_fixes.clone(),
                ..source.contents(tree, format, extent)
            });
        }
        documents.reverse();
        // A separator with nothing before it or after it does not create a document.
        let is_blank = |document: &Contents| {
            document.tree.root().is_none()
                && document.unread.is_empty()
                && document.errors.iter().all(|error| error.kind == SyntaxErrorKind::Empty)
        };
        if !documents.iter().all(is_blank) {
            documents.retain(|document| !is_blank(document));
            for document in documents.iter_mut().filter(|it| it.tree.root().is_some()) {
                document.errors.retain(|error| error.kind != SyntaxErrorKind::Empty);
            }
        }
        let count = documents.len();
        let documents = documents.into_iter().enumerate();
        let documents =
            documents.map(|(index, contents)| Contents { place: (index, count), ..contents });
        documents.map(|contents| Self(Arc::new(contents))).collect()
    }

    /// The document after edits of its text; `None` if they do not fit, if the file is not UTF-8, or if it would have another
    /// number of documents. `offers_fixes` is false if it is only checked to prove the edits.
    pub(crate) fn edited(&self, edits: &[TextEdit], offers_fixes: bool) -> Option<Self> {
        let is_of_encoding = |error: &SyntaxError| {
            matches!(error.kind, SyntaxErrorKind::InvalidUtf8 | SyntaxErrorKind::Utf16)
        };
        if self.errors().iter().any(is_of_encoding) {
            return None;
        }
        let text = String::from_utf8(apply(self.text(), edits)?).ok()?;
        let source = Source { is_line: self.0.is_line, offers_fixes, ..text.into() };
        let mut documents = Self::parse_all(source, self.format());
        let (index, count) = self.0.place;
        (documents.len() == count).then(|| documents.swap_remove(index))
    }

    /// The values of the document, with their positions.
    ///
    /// ```
    /// use voxlint::Document;
    ///
    /// let document = Document::parse(r#"{ "title": "Front desk" }"#);
    /// let title = document.tree().root().and_then(|root| root.get("title")).expect("a field");
    /// assert_eq!(title.as_str().as_deref(), Some("Front desk"));
    /// ```
    pub fn tree(&self) -> &Tree {
        &self.0.tree
    }

    /// Whether the text has a syntax error.
    pub fn has_errors(&self) -> bool {
        !self.errors().is_empty()
    }

    /// The syntax errors, in the order of the text.
    #[doc(hidden)]
    pub fn errors(&self) -> &[SyntaxError] {
        &self.0.errors
    }

    /// Whether reports about it may offer fixes.
    pub(crate) fn offers_fixes(&self) -> bool {
        self.0.offers_fixes
    }

    /// The fix of a syntax error, if the text can be corrected in one way.
    #[doc(hidden)]
    pub fn syntax_fix(&self, error: &SyntaxError) -> Option<&SyntaxFix> {
        let fixes =
            self.0.syntax_fixes.as_ref()?.get_or_init(|| {
                voxlint_syntax::syntax_fixes(self.tree().shared_text(), self.format())
            });
        fixes.iter().find(|fix| fix.error == *error)
    }

    /// The parts of the document that were not read.
    #[doc(hidden)]
    pub fn unread(&self) -> &[Unread] {
        &self.0.unread
    }

    /// Where rules have to look closer. The whole text is looked at once for all of them.
    #[doc(hidden)]
    pub fn marks(&self) -> &Marks {
        self.0.marks.get_or_init(|| {
            let is_valid_json = self.format() == Format::Json && self.errors().is_empty();
            Marks::of(self.tree(), self.extent(), is_valid_json)
        })
    }

    /// The part of the text that belongs to this document: the whole text, unless it has several documents.
    ///
    /// ```
    /// use voxlint::Document;
    /// use voxlint::syntax::Format;
    ///
    /// let text = "a: 1\n---\nb: 2\n";
    /// let documents = Document::parse_all(text, Format::Yaml);
    /// let extents: Vec<_> = documents.iter().map(|it| it.extent().slice(text)).collect();
    /// assert_eq!(extents, ["a: 1\n", "---\nb: 2\n"]);
    /// ```
    pub fn extent(&self) -> Span {
        self.0.extent
    }

    /// The start of the document's value, or of its extent if it has none.
    pub fn start(&self) -> u32 {
        self.tree().root().map_or(self.extent(), Node::span).start
    }

    /// Whether the text contains no value and has no other error.
    #[doc(hidden)]
    pub fn is_empty(&self) -> bool {
        let is_it = |error: &SyntaxError| error.kind == SyntaxErrorKind::Empty;
        !self.errors().is_empty() && self.errors().iter().all(is_it)
    }

    /// The format that the document was read in.
    pub fn format(&self) -> Format {
        self.0.format
    }

    /// Whether JSON with comments allows all syntax errors of the text, so that renaming the file fixes them.
    #[doc(hidden)]
    pub fn is_fine_as_jsonc(&self) -> bool {
        let is_allowed = |error: &SyntaxError| {
            matches!(error.kind, SyntaxErrorKind::Comment | SyntaxErrorKind::TrailingComma)
        };
        self.format() == Format::Json
            && !self.0.is_line
            && self.errors().iter().all(is_allowed)
            && voxlint_syntax::parse(self.tree().shared_text(), Format::Jsonc).errors.is_empty()
    }

    /// The kind that the document resembles; `None` if it resembles none, or a document of another service.
    ///
    /// One field of an update that other files do not have, or a near-miss of it, makes an update: if
    /// documents with a misspelled `version_number` were skipped, they would pass unchecked.
    ///
    /// ```
    /// use voxlint::{Document, DocumentKind};
    ///
    /// let kind = |text: &str| Document::parse(text).recognise();
    /// assert_eq!(kind(r#"{ "verison_number": 3, "promt_text": "Hi" }"#), Some(DocumentKind::Update));
    /// assert_eq!(kind(r#"{ "name": "web", "version": "1.0.0", "dependencies": {} }"#), None);
    /// ```
    pub fn recognise(&self) -> Option<DocumentKind> {
        self.looks_like().kind()
    }

    /// The kind that the document resembles, or why it resembles none.
    pub fn recognition(&self) -> Recognition {
        self.looks_like().clone()
    }

    /// The kind that the document resembles, or why it resembles none.
    pub(crate) fn looks_like(&self) -> &Recognition {
        self.0.recognition.get_or_init(|| {
            recognition::recognition(self.tree(), self.format(), || {
                let text = || self.extent().slice(self.text());
                self.has_errors()
                    && (self.0.mentions_settings || recognition::mentions_settings(text()))
            })
        })
    }

    /// The whole decoded text, even if it has several documents.
    pub fn text(&self) -> &str {
        self.tree().text()
    }
}

/// Whether a line is probably a part of a document that goes on over several lines: it has brackets without the other one, fields
/// without an object, or a comma after its value.
fn is_part_of_document(trees: &[Tree], errors: &[SyntaxError]) -> bool {
    let is_object = |root: Node<'_>| root.kind() == Kind::Object;
    let is_bracket = |error: &SyntaxError| {
        matches!(
            error.kind,
            SyntaxErrorKind::Unopened
                | SyntaxErrorKind::StrayClose
                | SyntaxErrorKind::MismatchedBracket
                | SyntaxErrorKind::Unclosed
                | SyntaxErrorKind::TrailingText
        )
    };
    errors.iter().any(is_bracket) || !trees.iter().filter_map(Tree::root).all(is_object)
}

/// The extent of each document in the text. A document begins at its value, or at the marker before it.
fn extents(text: &str, trees: &[Tree]) -> Vec<Span> {
    const MARK: &str = "---";
    let mut starts = vec![0];
    let mut end = 0;
    for (index, tree) in trees.iter().enumerate() {
        let span = tree.root().map_or_else(|| Span::at(end), Node::span);
        if index > 0 {
            let gap = text.get(end as usize..span.start as usize).unwrap_or_default();
            let mark = if gap.starts_with(MARK) {
                Some(0)
            } else {
                gap.find(&format!("\n{MARK}")).map(|line_break| line_break + 1)
            };
            starts.push(mark.map_or(span.start, |mark| end + mark as u32).max(end));
        }
        end = span.end.max(end);
    }
    let ends = starts.iter().skip(1).copied().chain([text.len() as u32]);
    starts.iter().zip(ends).map(|(start, end)| Span::new(*start, end.max(*start))).collect()
}

/// A text of a document that has its own file. A clone shares the text.
#[derive(Clone, Debug)]
pub struct TextFile {
    #[doc(hidden)]
    pub field: &'static Row,
    #[doc(hidden)]
    pub document: Document,
}

impl TextFile {
    /// A file with the text of a setting, read as [`voxlint_syntax::Format::Text`].
    pub const fn new(field: &'static Row, document: Document) -> Self {
        Self { field, document }
    }

    /// The setting that the text is for.
    pub const fn field(&self) -> &'static Row {
        self.field
    }

    /// The text.
    pub const fn document(&self) -> &Document {
        &self.document
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Trees of one text, each parsed with spaces in place of the rest.
    fn extents_of(text: &str, documents: &[&str]) -> Vec<String> {
        let texts: Vec<String> = documents
            .iter()
            .map(|document| {
                let at = text.find(document).unwrap();
                format!("{}{document}", " ".repeat(at))
            })
            .collect();
        let parsed = texts.iter().map(|text| voxlint_syntax::parse(text.as_str(), Format::Json));
        let trees: Vec<_> = parsed.flat_map(|parsed| parsed.documents).collect();
        let extents = extents(text, &trees);
        extents.into_iter().map(|extent| extent.slice(text).to_owned()).collect()
    }

    #[test]
    fn a_document_goes_on_to_where_the_next_one_begins() {
        assert_eq!(extents_of(" [1] \n", &["[1]"]), [" [1] \n"]);
        assert_eq!(extents_of("[1] x\n[2]", &["[1]", "[2]"]), ["[1] x\n", "[2]"]);
        assert_eq!(
            extents_of("# a\n[1] x\n--- # b\n[2]\n...\n", &["[1]", "[2]"]),
            ["# a\n[1] x\n", "--- # b\n[2]\n...\n"]
        );
    }

    #[test]
    fn updates_in_utf_16_are_recognised_in_every_format() {
        for (format, text) in [
            (Format::Json, "{\"prompt_text\": \"Hi\"}"),
            #[cfg(feature = "yaml")]
            (Format::Yaml, "prompt_text: Hi\n"),
            #[cfg(feature = "toml")]
            (Format::Toml, "prompt_text = 'Hi'\n"),
        ] {
            for mark in ["", "\u{feff}"] {
                let units: Vec<u16> = format!("{mark}{text}").encode_utf16().collect();
                let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
                let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
                for bytes in [little, big] {
                    let source = Source::from_bytes(&bytes);
                    let documents = Document::parse_all(source, format);
                    let [document] = documents.as_slice() else { panic!("{documents:?}") };
                    assert_eq!(document.recognise(), Some(DocumentKind::Update), "{text}");
                    let [error] = document.errors() else { panic!("{document:?}") };
                    assert_eq!((error.kind, error.span), (SyntaxErrorKind::Utf16, Span::at(0)));
                }
            }
        }
    }

    #[test]
    fn an_unreadable_text_is_one_document_with_one_fault() {
        let source = Source::from_bytes(b"\xff\xfe{\0}\0");
        let documents = Document::parse_all(source, Format::Jsonc);
        assert_eq!(documents.len(), 1);
        assert_eq!(documents[0].errors().len(), 1);
    }
}
