//! What the last check of an open text has found.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use lsp_types::{Diagnostic, Uri};
use voxlint::syntax::{PositionEncoding, Span};
use voxlint::{Document, Facts, Inputs, Origin, Stored, TextFile};
use voxlint_ide::File;
use voxlint_project::LintedDocument;
use voxlint_project::paths::absolute;

use crate::open_text::LinedText;
use crate::sync::{OpenText, OpenTexts};
use crate::uri;

/// The result of checking an open text, with the documents that it is a part of.
#[derive(Debug)]
pub(crate) struct Analysis {
    /// The text as it was.
    pub(crate) open: Arc<OpenText>,
    /// The documents that were checked.
    pub(crate) documents: Vec<LintedDocument>,
    /// What to show, by the absolute paths of the files.
    pub(crate) shown: BTreeMap<String, Vec<Diagnostic>>,
    /// Whether everything that is found in the text is found by this check alone.
    pub(crate) is_complete: bool,
    /// The absolute paths of the files that decide the result. They need not exist.
    pub(crate) depends_on: BTreeSet<String>,
}

/// A text of a document: the file that it is in, and how its offsets become positions there.
#[derive(Clone, Debug)]
pub(crate) struct TextPlace {
    pub(crate) uri: Uri,
    /// The version, if the text is open.
    pub(crate) version: Option<i32>,
    pub(crate) key: String,
    pub(crate) text: LinedText,
    /// How many lines of the file come before the text.
    pub(crate) lines_before: u32,
}

/// A document as it is now, seen from one of its texts.
#[derive(Clone, Debug)]
pub(crate) struct Target<'a> {
    pub(crate) inputs: Inputs,
    /// Which text is open.
    pub(crate) origin: Origin,
    /// The open text.
    pub(crate) place: TextPlace,
    /// The check that it comes from.
    pub(crate) linted: &'a LintedDocument,
}

impl Analysis {
    /// Whether the text is still this one.
    pub(crate) fn is_current(&self, open: &OpenText) -> bool {
        self.open.text.text() == open.text.text()
    }

    /// Whether the documents of the text can be seen as they are now without another check.
    pub(crate) fn can_follow(&self, open: &OpenText) -> bool {
        self.is_current(open) || self.documents.iter().all(|document| document.position.is_none())
    }

    /// The document at an offset of a text, with the offset there: the document that starts last before it. A text that
    /// several documents use is seen from the first one.
    pub(crate) fn target<'a>(
        &'a self,
        open: &'a OpenText,
        texts: &'a OpenTexts,
        offset: u32,
    ) -> Option<Target<'a>> {
        let own = self.documents.iter().filter(|document| key_of(&document.path) == open.key);
        let starts_before = |document: &&LintedDocument| match document.position {
            Some(position) if position.bytes_before > 0 => {
                position.bytes_before <= u64::from(offset)
            }
            Some(_) if document.lines.is_some() => document.document.start() <= offset,
            _ => true,
        };
        let mut own = own.peekable();
        let first = own.peek().copied();
        match own.filter(starts_before).last().or(first) {
            Some(linted) => self.seen_from(linted, Origin::Document, open, texts),
            None => self.users(open, texts).next(),
        }
    }

    /// The documents that use a text, each seen from the text.
    pub(crate) fn users<'a>(
        &'a self,
        open: &'a OpenText,
        texts: &'a OpenTexts,
    ) -> impl Iterator<Item = Target<'a>> + 'a {
        self.documents.iter().filter_map(move |linted| {
            let origin = origin_in(linted, &open.key)?;
            self.seen_from(linted, origin, open, texts)
        })
    }

    /// A document as it is now, seen from one of its texts.
    fn seen_from<'a>(
        &'a self,
        linted: &'a LintedDocument,
        origin: Origin,
        open: &OpenText,
        texts: &OpenTexts,
    ) -> Option<Target<'a>> {
        let mut inputs = linted.inputs.clone();
        if !self.is_current(open) {
            inputs = with_text(inputs, origin, open.text.text())?;
        }
        let place = if linted.position.is_some_and(|position| position.lines_before > 0) {
            place_of(linted, origin, texts, open.text.encoding())?
        } else {
            TextPlace::of_open(open)
        };
        Some(Target { inputs, origin, place, linted })
    }
}

impl Analysis {
    /// Every document of a text. A text that belongs to a document is seen from the first one only.
    pub(crate) fn targets<'a>(
        &'a self,
        open: &'a OpenText,
        texts: &'a OpenTexts,
    ) -> Vec<Target<'a>> {
        let own: Vec<&LintedDocument> =
            self.documents.iter().filter(|document| key_of(&document.path) == open.key).collect();
        if own.len() < 2 {
            return self.target(open, texts, 0).into_iter().collect();
        }
        let mut places = Places::new(texts, open.text.encoding());
        own.into_iter()
            .filter_map(|linted| {
                let (inputs, origin) = (linted.inputs.clone(), Origin::Document);
                let place = places.place_of(linted, origin)?;
                Some(Target { inputs, origin, place, linted })
            })
            .collect()
    }
}

/// The absolute path of a file by the path that users see.
pub(crate) fn key_of(shown: &str) -> String {
    absolute(Path::new(shown))
}

/// Which document it is among all: its file, and its number there.
pub(crate) fn identity(linted: &LintedDocument) -> (Arc<str>, u64) {
    (Arc::clone(&linted.path), linted.position.map_or(0, |position| position.index))
}

/// Which text of a document a file is, if it belongs to it.
pub(crate) fn origin_in(linted: &LintedDocument, key: &str) -> Option<Origin> {
    let found = linted.related.iter().find(|(_, related)| key_of(&related.path) == key)?;
    Some(found.0)
}

/// The same inputs with a newer text.
fn with_text(inputs: Inputs, origin: Origin, text: &str) -> Option<Inputs> {
    let parse = |former: &Document| Document::parse_as(text, former.format());
    let document = parse(inputs.document_of(origin)?);
    Some(match origin {
        Origin::Document => inputs.with_document(document),
        Origin::Stored => inputs.stored(Stored::new(document)),
        Origin::Facts => inputs.facts(Facts::new(document)),
        Origin::Text(index) => {
            let mut texts: Vec<TextFile> = inputs.text_files().to_vec();
            let text = texts.get_mut(usize::from(index))?;
            *text = TextFile::new(text.field(), document);
            inputs.texts(texts)
        }
    })
}

impl Target<'_> {
    /// The open text as the library sees it.
    pub(crate) const fn file(&self) -> File<'_> {
        File { inputs: &self.inputs, origin: self.origin }
    }
}

impl TextPlace {
    /// An open text.
    pub(crate) fn of_open(open: &OpenText) -> Self {
        Self {
            uri: open.uri.clone(),
            version: Some(open.version),
            key: open.key.clone(),
            text: open.text.clone(),
            lines_before: 0,
        }
    }

    /// The same place with the version left out if it is another text than the open one.
    pub(crate) fn of_file(
        key: String,
        text: &str,
        texts: &OpenTexts,
        encoding: PositionEncoding,
    ) -> Option<Self> {
        if let Some(open) = texts.get(&key).filter(|open| open.text.text() == text) {
            return Some(Self::of_open(open));
        }
        let uri = match texts.get(&key) {
            Some(open) => open.uri.clone(),
            None => uri::of_path(Path::new(&key))?,
        };
        let text = LinedText::of_file(text, encoding);
        Some(Self { uri, version: None, key, text, lines_before: 0 })
    }

    /// The lines and columns of both ends, from 0. A half of a line break is the whole one.
    pub(crate) fn ends(&self, span: Span) -> ((u32, u32), (u32, u32)) {
        let at = |offset| {
            let (line, column) = self.text.position(offset);
            (line.saturating_add(self.lines_before), column)
        };
        let end = span.end.max(span.start);
        let start = span.start - u32::from(self.text.is_in_line_break(span.start));
        (at(start), at(end + u32::from(self.text.is_in_line_break(end))))
    }

    /// The offset of a line and a column of the file.
    pub(crate) fn offset(&self, line: u32, column: u32) -> u32 {
        match line.checked_sub(self.lines_before) {
            Some(line) => self.text.offset(line, column),
            None => 0,
        }
    }
}

/// Whether a document is a line of a file with one document per line, and has its text only.
const fn is_line(linted: &LintedDocument) -> bool {
    linted.position.is_some() && linted.lines.is_none()
}

/// The files of the texts of documents.
///
/// Many documents may be in one file or share a related one. Each text is compared with the open one only once if they are asked
/// about one after the other.
pub(crate) struct Places<'a> {
    texts: &'a OpenTexts,
    encoding: PositionEncoding,
    /// The last text of each origin. The document keeps it alive, so that no other text has its address.
    last: BTreeMap<Origin, (Document, Arc<str>, Option<TextPlace>)>,
}

impl<'a> Places<'a> {
    pub(crate) const fn new(texts: &'a OpenTexts, encoding: PositionEncoding) -> Self {
        Self { texts, encoding, last: BTreeMap::new() }
    }

    /// The file of a text of a document.
    pub(crate) fn place_of(
        &mut self,
        linted: &LintedDocument,
        origin: Origin,
    ) -> Option<TextPlace> {
        if origin == Origin::Document && is_line(linted) {
            // No other document has it.
            return place_of(linted, origin, self.texts, self.encoding);
        }
        let (document, path) = if origin == Origin::Document {
            (&linted.document, &linted.path)
        } else {
            let (_, related) = linted.related.iter().find(|(other, _)| *other == origin)?;
            (&related.document, &related.path)
        };
        if let Some((known, its_path, place)) = self.last.get(&origin)
            && std::ptr::eq(known.text(), document.text())
            && its_path == path
        {
            return place.clone();
        }
        let place = place_of(linted, origin, self.texts, self.encoding);
        self.last.insert(origin, (document.clone(), Arc::clone(path), place.clone()));
        place
    }
}

/// The file of a text of a document.
pub(crate) fn place_of(
    linted: &LintedDocument,
    origin: Origin,
    texts: &OpenTexts,
    encoding: PositionEncoding,
) -> Option<TextPlace> {
    if origin != Origin::Document {
        let (_, related) = linted.related.iter().find(|(other, _)| *other == origin)?;
        return TextPlace::of_file(key_of(&related.path), related.document.text(), texts, encoding);
    }
    let lines_before = linted.position.map_or(0, |position| position.lines_before);
    let key = key_of(&linted.path);
    if !is_line(linted) {
        return TextPlace::of_file(key, linted.document.text(), texts, encoding);
    }
    // A line of a file with one document per line.
    let open = texts.get(&key);
    let uri = match open {
        Some(open) => open.uri.clone(),
        None => uri::of_path(Path::new(&key))?,
    };
    let lines_before = u32::try_from(lines_before).unwrap_or(u32::MAX);
    let text = LinedText::of_file(linted.document.text(), encoding);
    Some(TextPlace { uri, version: open.map(|open| open.version), key, text, lines_before })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use voxlint_project::{LintOptions, Session};

    use super::*;

    /// The documents of an open text.
    fn analysis(name: &str, text: &str) -> (Analysis, OpenTexts) {
        let path = std::env::temp_dir().join(name);
        let open = Arc::new(OpenText {
            uri: uri::of_path(&path).unwrap(),
            version: 1,
            key: absolute(&path),
            text: LinedText::sent(text, PositionEncoding::Utf16),
            opened: Arc::from(text),
            path,
        });
        let mut session = Session::new(LintOptions::default());
        session.file_system().set_overlay(&open.path, open.text.shared());
        let mut files = session.find_files(std::slice::from_ref(&open.path)).unwrap();
        let mut documents = Vec::new();
        let collect = &mut |document, _| documents.push(document);
        session.lint_files(&mut files, &Keep, collect);
        let texts = Arc::new(BTreeMap::from([(open.key.clone(), Arc::clone(&open))]));
        let (shown, depends_on) = (BTreeMap::new(), BTreeSet::new());
        (Analysis { open, documents, shown, is_complete: true, depends_on }, texts)
    }

    struct Keep;

    impl voxlint_project::Renderer for Keep {
        type Output = LintedDocument;

        fn render(&self, document: LintedDocument) -> LintedDocument {
            document
        }
    }

    #[test]
    fn documents_of_one_text_share_its_lines_and_lines_have_their_own() {
        let line = "{ \"version_number\": 3 }\n";
        for (name, text, are_lines) in [
            (
                "all.yaml",
                "version_number: 3\n---\nversion_number: 4\n---\nversion_number: 5\n",
                false,
            ),
            ("all.ndjson", &*line.repeat(3), true),
        ] {
            let (analysis, texts) = analysis(name, text);
            let targets = analysis.targets(&analysis.open, &texts);
            assert_eq!(targets.len(), 3);
            for (index, target) in targets.iter().enumerate() {
                let is_shared = std::ptr::eq(target.place.text.text(), analysis.open.text.text());
                assert_eq!(is_shared, !are_lines, "{name}");
                let line = if are_lines { index } else { 0 };
                assert_eq!(target.place.lines_before as usize, line);
            }
        }
    }
}
