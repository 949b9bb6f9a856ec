//! The check of one document, and what is kept of it.

use std::collections::BTreeSet;
use std::panic;
use std::path::Path;

use voxlint::schema::Row;
use voxlint::syntax::LineIndex;
use voxlint::{Document, DocumentKind, Origin, Recognition, Report, Severity, Source, Wildcard};
use voxlint_config::{Date, Entry, FileBaseline, FileSettings, Used};
use voxlint_report::{Checked, Failure, Format, Record, Rendered, Skipped, Style, Summary, render};

use crate::args::SubjectOptions;
use crate::files::Input;
use crate::lines::{Batch, Line};
use crate::partners::{Parsed, PartnerFile, Partners, Role, parse};
use crate::paths::absolute;
use crate::progress::Progress;
use crate::project::{BaselineFile, Project};
use crate::prompts::Prompts;
use crate::texts::{self, Texts};

/// How documents are checked in this run.
pub(crate) struct Judge<'a> {
    pub(crate) subject: &'a SubjectOptions,
    pub(crate) project: &'a Project,
    /// The baselines, by the numbers of their configurations.
    pub(crate) baselines: &'a [BaselineFile],
    pub(crate) partners: &'a Partners<'a>,
    pub(crate) prompts: &'a Prompts<'a>,
    /// What findings are rendered for.
    pub(crate) looks: &'a [(Format, Style)],
    /// The text files that belong to several documents, by their absolute paths.
    pub(crate) shared_texts: &'a BTreeSet<String>,
    /// What happens to findings that somebody has asked to leave alone.
    pub(crate) hides: Hides,
    /// Findings below this are not rendered.
    pub(crate) least: Severity,
    pub(crate) today: Date,
    pub(crate) progress: &'a Progress,
}

/// Which findings are hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hides {
    /// None.
    Nothing,
    /// Those that a configuration or a comment asks to leave alone, and those of a baseline.
    Known,
}

/// What became of a file that was read as a whole.
pub(crate) enum Fate {
    Checked(CheckedFile),
    Skipped(Skipped),
    Failed(Failure),
}

/// A file that was checked.
#[derive(Default)]
pub(crate) struct CheckedFile {
    pub(crate) documents: Vec<Judged>,
    /// All findings as a baseline would list them.
    pub(crate) found: Vec<Entry>,
    /// What could not be done, though the documents could be checked.
    pub(crate) failures: Vec<Failure>,
}

/// One document that was checked.
pub(crate) struct Judged {
    /// What was found, once for each look.
    pub(crate) rendered: Vec<Rendered>,
    pub(crate) counts: Summary,
    pub(crate) used: Used,
    /// The rules that could not be decided, by their ids, where there is a baseline.
    pub(crate) undecided: Vec<String>,
    pub(crate) kind: DocumentKind,
}

/// A file that is being checked, and what is known of it.
pub(crate) struct FileUnderCheck<'a> {
    input: &'a Input,
    settings: FileSettings<'a>,
    variables: Option<Vec<Wildcard>>,
}

/// What belongs to one document of a file.
#[derive(Clone, Copy, Default)]
struct Place<'a> {
    record: Option<Record>,
    /// The lines of the text, where they are known already.
    lines: Option<&'a LineIndex>,
    texts: &'a [(&'static Row, &'a str, Source<'a>)],
    /// What is stored for it alone.
    held: Option<&'a Parsed<'a>>,
}

impl<'a> Judge<'a> {
    /// Checks a file of one text. A fault of voxlint's own fails the file, and the others are checked all the same.
    pub(crate) fn file(&self, input: &Input) -> Fate {
        let fate = guarded(input, || self.read(input)).unwrap_or_else(Fate::Failed);
        self.progress.file();
        fate
    }

    /// What is known of a file before it is read; `None` where its configuration cannot be used.
    pub(crate) fn about<'b>(&'b self, input: &'b Input) -> Option<FileUnderCheck<'b>> {
        let settings = self.project.settings(&input.absolute)?;
        let variables = settings
            .variables()
            .map(|listed| listed.into_iter().map(|stated| stated.value.clone()).collect());
        Some(FileUnderCheck { input, settings, variables })
    }

    /// The part of the baseline that is about a file, if there is one to be used.
    pub(crate) fn baseline(&self, input: &Input) -> Option<FileBaseline<'a>> {
        if self.hides == Hides::Nothing {
            return None;
        }
        let file = self.baselines.get(self.project.number(&input.absolute)?)?;
        Some(file.baseline.as_ref()?.of_file(&file.name_of(&input.absolute)))
    }

    /// Checks a line of a file; `None` where it was passed over.
    pub(crate) fn line(
        &self,
        file: &FileUnderCheck<'_>,
        batch: &Batch<'_>,
        line: &Line,
        baseline: Option<&mut FileBaseline<'_>>,
    ) -> Result<Option<Judged>, Failure> {
        self.progress.line();
        guarded(file.input, || {
            let source = Source::line(batch.bytes(line));
            let document = Document::parse(&source);
            let record = Record {
                index: line.index,
                line: line.lines_before + 1,
                bytes_before: line.offset,
                lines_before: line.lines_before,
            };
            let place = Place { record: Some(record), ..Place::default() };
            self.document(file, &document, place, baseline)
        })
    }

    fn read(&self, input: &Input) -> Fate {
        let Some(file) = self.about(input) else { return Fate::Skipped(unconfigured(input)) };
        let bytes = match input.read() {
            Ok(bytes) => bytes,
            Err(failure) => return Fate::Failed(failure),
        };
        let source = Source::from_bytes(&bytes);
        let documents = input.documents(&source);
        let mut baseline = self.baseline(input);
        let mut checked = CheckedFile::default();
        if let [document] = documents.as_slice() {
            // What lies beside a file of several documents could belong to any of them.
            let beside = texts::beside(input, &self.subject.text_files, Some(&file.settings));
            let texts = match Texts::read(&beside, self.project) {
                Ok(texts) => texts,
                Err(failure) => return Fate::Failed(failure),
            };
            let held = self.held(&file, &mut checked.failures);
            let held = held.as_ref().map(PartnerFile::source);
            let agent_id = self.partners.agent_id(Some(&file.settings));
            let held = held.as_ref().and_then(|(held, source)| {
                let role = Role::Stored(agent_id);
                let fail = |unusable: crate::partners::Unusable<'_>| unusable.failure(role);
                let parsed = parse(held, source, role).map_err(fail);
                parsed.map_err(|failure| checked.failures.push(failure)).ok()
            });
            let place = Place { texts: &texts.sources(), held: held.as_ref(), ..Place::default() };
            checked.documents.extend(self.document(&file, document, place, baseline.as_mut()));
        } else {
            let lines = LineIndex::new(source.text());
            for (index, document) in documents.iter().enumerate() {
                let line = u64::from(lines.line_of(document.start()));
                let record = Record { index: index as u64, line, ..Record::default() };
                let place = Place { record: Some(record), lines: Some(&lines), ..Place::default() };
                checked.documents.extend(self.document(&file, document, place, baseline.as_mut()));
            }
        }
        if checked.documents.is_empty() && checked.failures.is_empty() {
            let recognition = |it| self.prompts.recognition(input, it, self.project);
            return Fate::Skipped(foreign(input, documents.iter().map(recognition)));
        }
        checked.found = baseline.map(FileBaseline::into_found).unwrap_or_default();
        Fate::Checked(checked)
    }

    /// What is stored for the document of a file alone, as its configuration says where.
    fn held(&self, file: &FileUnderCheck<'_>, failures: &mut Vec<Failure>) -> Option<PartnerFile> {
        if self.partners.has_stored() {
            return None;
        }
        let held = PartnerFile::stored(Some(&file.settings), self.project);
        held.map_err(|failure| failures.push(failure)).ok().flatten()
    }

    /// A comment in a text that several documents share may be there for another one of them.
    fn keep_to_one_document(
        &self,
        report: &mut Report,
        texts: &[(&'static Row, &str, Source<'_>)],
    ) {
        report.diagnostics.retain(|found| {
            let Origin::Text(at) = found.origin else { return true };
            let path = texts.get(usize::from(at)).map(|(_, path, _)| absolute(Path::new(path)));
            found.rule.id != "unused-suppression"
                || path.is_none_or(|path| !self.shared_texts.contains(&path))
        });
    }

    /// Checks one document; `None` where it is none of ours, and nobody has named its file.
    fn document(
        &self,
        file: &FileUnderCheck<'_>,
        document: &Document<'_>,
        place: Place<'_>,
        baseline: Option<&mut FileBaseline<'_>>,
    ) -> Option<Judged> {
        let FileUnderCheck { input, settings, variables } = file;
        let recognition = self.prompts.recognition(input, document, self.project);
        let stated = self.subject.kind.or(settings.kind().map(|stated| stated.value));
        if recognition.kind().is_none() && !input.is_named && stated.is_none() {
            return None;
        }
        let kind = stated.or(recognition.likely_kind()).unwrap_or(DocumentKind::Update);
        let text_documents = texts::documents(place.texts);
        let text_files = texts::inputs(&text_documents);
        let mut inputs = self
            .partners
            .inputs(document, Some(settings), place.held)
            .kind(kind)
            .texts(&text_files)
            .house(settings.house_rules());
        inputs.variables = variables.as_deref();
        let mut report = voxlint::check(&inputs);

        let mut used = Used::default();
        match self.hides {
            Hides::Nothing => settings.apply_levels(&mut report),
            Hides::Known => {
                settings.apply_levels(&mut report);
                settings.suppress_by_comments(&mut report, &inputs, self.today);
                self.keep_to_one_document(&mut report, place.texts);
                used = settings.suppress(&mut report, self.today);
            }
        }
        let mut undecided = Vec::new();
        if let Some(baseline) = baseline {
            baseline.hide(&mut report, &inputs, place.record.is_some());
            undecided.extend(report.undecided.iter().map(|entry| entry.rule.id.to_string()));
        }
        let mut counts = Summary::default();
        counts.add(&report);
        report.diagnostics.retain(|found| found.severity >= self.least);

        let beside: Vec<_> = self
            .partners
            .list(Some(settings), place.held)
            .into_iter()
            .chain(texts::partners(place.texts))
            .collect();
        let mut checked = Checked::new(&input.shown, document.text(), &report).with(&beside);
        checked.record = place.record;
        checked.lines = place.lines;
        let render = |(format, style): &(Format, Style)| render(*format, style, &checked);
        let rendered = self.looks.iter().map(render).collect();
        Some(Judged { rendered, counts, used, undecided, kind })
    }
}

/// A file without agent documents, and why: what is closest to one says so.
pub(crate) fn foreign(input: &Input, documents: impl IntoIterator<Item = Recognition>) -> Skipped {
    let unrecognised = documents.into_iter().filter_map(Recognition::into_unrecognised);
    let why = unrecognised.max_by_key(|why| (why.resembles().is_some(), why.to_string()));
    let why = why.map_or_else(|| "not an agent document".to_owned(), |why| why.to_string());
    Skipped { path: input.shown.clone(), why }
}

/// A file whose configuration cannot be used.
pub(crate) fn unconfigured(input: &Input) -> Skipped {
    Skipped { path: input.shown.clone(), why: "its configuration cannot be used".to_owned() }
}

fn guarded<T>(input: &Input, work: impl FnOnce() -> T) -> Result<T, Failure> {
    panic::catch_unwind(panic::AssertUnwindSafe(work))
        .map_err(|_| input.failure("internal error".to_owned()))
}
