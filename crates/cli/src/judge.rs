//! The check of one document, and what is kept of it.

use std::panic;

use voxlint::schema::Row;
use voxlint::syntax::LineIndex;
use voxlint::{Document, DocumentKind, Source};
use voxlint_report::{Checked, Failure, Record, Rendered, Skipped, Style, Summary, render};

use crate::args::CheckOptions;
use crate::files::Input;
use crate::lines::{Batch, Line};
use crate::partners::Partners;
use crate::progress::Progress;
use crate::texts::{self, Texts};

/// How documents are checked in this run.
pub(crate) struct Judge<'a> {
    pub(crate) options: &'a CheckOptions,
    pub(crate) partners: &'a Partners<'a>,
    pub(crate) style: Style,
    pub(crate) progress: &'a Progress,
}

/// What became of a file that was read as a whole.
pub(crate) enum Fate {
    /// The documents that were checked.
    Checked(Vec<Judged>),
    Skipped(Skipped),
    Failed(Failure),
}

/// One document that was checked.
pub(crate) struct Judged {
    pub(crate) rendered: Rendered,
    pub(crate) counts: Summary,
    /// Whether it is something that is judged against what is stored.
    pub(crate) is_change: bool,
}

/// Where a document stands in a file that holds several.
#[derive(Clone, Copy)]
struct Place<'a> {
    record: Record,
    /// The lines of the text, where they are known already.
    lines: Option<&'a LineIndex>,
}

impl Judge<'_> {
    /// Checks a file of one text. A fault of voxlint's own fails the file, and the others are checked all the same.
    pub(crate) fn file(&self, input: &Input) -> Fate {
        let fate = guarded(input, || self.read(input)).unwrap_or_else(Fate::Failed);
        self.progress.file();
        fate
    }

    /// Checks a line of a file; `None` where it was passed over.
    pub(crate) fn line(
        &self,
        input: &Input,
        batch: &Batch<'_>,
        line: &Line,
    ) -> Result<Option<Judged>, Failure> {
        self.progress.line();
        guarded(input, || {
            let source = Source::line(batch.bytes(line));
            let document = Document::parse(&source);
            let record = Record {
                index: line.index,
                line: line.lines_before + 1,
                bytes_before: line.offset,
                lines_before: line.lines_before,
            };
            self.document(input, &document, Some(Place { record, lines: None }), &[])
        })
    }

    fn read(&self, input: &Input) -> Fate {
        let bytes = match input.read() {
            Ok(bytes) => bytes,
            Err(failure) => return Fate::Failed(failure),
        };
        let source = Source::from_bytes(&bytes);
        let documents = input.documents(&source);
        let judged: Vec<Judged> = if let [document] = documents.as_slice() {
            // A text beside a file of several documents could belong to any of them.
            let texts = match Texts::read(input, &self.options.text_files) {
                Ok(texts) => texts,
                Err(failure) => return Fate::Failed(failure),
            };
            self.document(input, document, None, &texts.sources()).into_iter().collect()
        } else {
            let lines = LineIndex::new(source.text());
            let judge = |(index, document): (usize, &Document<'_>)| {
                let line = u64::from(lines.line_of(document.start()));
                let record = Record { index: index as u64, line, ..Record::default() };
                self.document(input, document, Some(Place { record, lines: Some(&lines) }), &[])
            };
            documents.iter().enumerate().filter_map(judge).collect()
        };
        if judged.is_empty() {
            return Fate::Skipped(foreign(input));
        }
        Fate::Checked(judged)
    }

    /// Checks one document; `None` where it is none of ours, and nobody has named its file. `place` is given where
    /// the file holds several.
    fn document(
        &self,
        input: &Input,
        document: &Document<'_>,
        place: Option<Place<'_>>,
        texts: &[(&'static Row, &str, Source<'_>)],
    ) -> Option<Judged> {
        let recognised = document.recognise();
        if recognised.is_none() && !input.is_named && self.options.kind.is_none() {
            return None;
        }
        let kind = self.options.kind.or(recognised).unwrap_or(DocumentKind::Update);
        let text_documents = texts::documents(texts);
        let text_files = texts::inputs(&text_documents);
        let inputs = self.partners.inputs(document).kind(kind).texts(&text_files);
        let report = voxlint::check(&inputs);

        let mut counts = Summary::default();
        counts.add(&report);
        let mut checked = Checked::new(&input.shown, document.text(), &report);
        checked.record = place.map(|place| place.record);
        checked.lines = place.and_then(|place| place.lines);
        let beside: Vec<_> =
            self.partners.list().into_iter().chain(texts::partners(texts)).collect();
        let checked = checked.with(&beside);
        let rendered = render(self.options.format, &self.style, &checked);
        Some(Judged { rendered, counts, is_change: kind.has_settings() })
    }
}

/// A file that is none of ours.
pub(crate) fn foreign(input: &Input) -> Skipped {
    Skipped { path: input.shown.clone(), why: "not an agent document".to_owned() }
}

fn guarded<T>(input: &Input, work: impl FnOnce() -> T) -> Result<T, Failure> {
    panic::catch_unwind(panic::AssertUnwindSafe(work))
        .map_err(|_| input.failure("internal error".to_owned()))
}
