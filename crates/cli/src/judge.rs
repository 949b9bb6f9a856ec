//! The check of one document, and what is kept of it.

use std::collections::{BTreeMap, BTreeSet};
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use voxlint::schema::Row;
use voxlint::syntax::LineIndex;
use voxlint::{
    Document, DocumentKind, HouseRule, Origin, Recognition, Report, Severity, Source, Wildcard,
};
use voxlint_config::{
    BaselineEntry, Date, FileBaseline, FileSettings, Level, SYNTAX_ERROR, SuppressionUsage,
};
use voxlint_report::{
    CheckedDocument, FailedFile, OutputFormat, Record, RenderOptions, RenderedDocument, RunSummary,
    render,
};

use crate::accounting::{Contents, Outcome, Reason, Relation};
use crate::args::InputOptions;
use crate::files::Input;
use crate::lines::{Batch, Line};
use crate::partners::{Parsed, PartnerFile, Partners, Role, parse};
use crate::paths::{absolute, is_there, lexical};
use crate::progress::Progress;
use crate::project::{BaselineFile, Project};
use crate::prompts::Prompts;
use crate::stdin;
use crate::texts::{self, Texts};

/// How documents are checked in this run.
pub(crate) struct Judge<'a> {
    pub(crate) subject: &'a InputOptions,
    pub(crate) project: &'a Project,
    /// The baselines, by the numbers of their configurations.
    pub(crate) baselines: &'a [BaselineFile],
    pub(crate) partners: &'a Partners<'a>,
    pub(crate) prompts: &'a Prompts<'a>,
    /// What findings are rendered for.
    pub(crate) looks: &'a [(OutputFormat, RenderOptions)],
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
    Checked(Box<CheckedFile>),
    Skipped(Reason),
    /// Its configuration cannot be used.
    Unconfigured,
    Failed(FailedFile),
}

/// What somebody may wonder about, and what fails nothing.
pub(crate) enum Notice {
    Said(String),
    /// A text lies beside a file of several documents. What became of it is known when the run ends.
    TextOfSeveral {
        document: String,
        text: Box<Input>,
    },
}

impl Notice {
    /// The notice, with what became of the files that it is about.
    pub(crate) fn message(self, outcomes: &BTreeMap<&str, &Outcome>) -> String {
        let (document, text) = match self {
            Self::Said(message) => return message,
            Self::TextOfSeveral { document, text } => (document, text),
        };
        let became = match outcomes.get(&*text.absolute) {
            Some(Outcome::Checked(_)) => "is checked by itself".to_owned(),
            Some(Outcome::Used(Relation::Text)) => "is checked with another document".to_owned(),
            Some(Outcome::Used(relation)) => format!("is used only as the {relation}"),
            Some(Outcome::Skipped(reason)) => format!("is skipped: {reason}"),
            Some(Outcome::Failed(_) | Outcome::BrokenOff(..) | Outcome::Unconfigured) | None => {
                "could not be checked".to_owned()
            }
        };
        format!(
            "{document}: a file for several documents has no text files: {} {became}",
            text.shown
        )
    }
}

/// A file that was checked.
#[derive(Default)]
pub(crate) struct CheckedFile {
    pub(crate) documents: Vec<Judged>,
    pub(crate) contents: Contents,
    /// The files that were read for the check of a document.
    pub(crate) used: Vec<PathBuf>,
    /// What somebody may wonder about.
    pub(crate) notices: Vec<Notice>,
    /// All findings as a baseline would list them.
    pub(crate) found: Vec<BaselineEntry>,
    /// What could not be done, though the documents could be checked.
    pub(crate) failures: Vec<FailedFile>,
}

/// One document that was checked.
pub(crate) struct Judged {
    /// What was found, once for each look.
    pub(crate) rendered: Vec<RenderedDocument>,
    pub(crate) counts: RunSummary,
    pub(crate) used: SuppressionUsage,
    /// The rules that could not be decided, by their ids, where there is a baseline.
    pub(crate) undecided: Vec<String>,
    pub(crate) kind: DocumentKind,
    /// The parts of it that were not checked, so the run cannot pass.
    pub(crate) unchecked: Vec<FailedFile>,
}

/// A file that is being checked, and what is known of it.
pub(crate) struct FileUnderCheck<'a> {
    input: &'a Input,
    settings: FileSettings<'a>,
    variables: Option<Arc<[Wildcard]>>,
    house: Arc<[HouseRule]>,
    allowed: Arc<[Wildcard]>,
    /// The kind that is stated for all of its documents.
    stated: Option<DocumentKind>,
}

impl FileUnderCheck<'_> {
    /// The kind of a document: as it is stated, or else as it looks. A file that somebody has named is what it resembles.
    fn kind_of(&self, recognised: &Recognition) -> Option<DocumentKind> {
        let resembled = || recognised.likely_kind().filter(|_| self.is_ours());
        self.stated.or_else(|| recognised.kind()).or_else(resembled)
    }

    /// The kind of a document that does not look like one of ours; `None` leaves it alone. What stands beside an update in a
    /// file is taken for an update: it would be sent like one.
    pub(crate) fn kind_of_others(
        &self,
        recognised: impl IntoIterator<Item = Option<DocumentKind>>,
    ) -> Option<DocumentKind> {
        if self.input.is_text() {
            return self.is_ours().then_some(DocumentKind::Template);
        }
        let is_update = |kind: Option<DocumentKind>| kind.is_some_and(DocumentKind::has_settings);
        (self.is_ours() || recognised.into_iter().any(is_update)).then_some(DocumentKind::Update)
    }

    /// The facts that its documents are checked against, as its configuration says.
    pub(crate) fn facts(&self) -> Option<PathBuf> {
        self.settings.facts().map(|facts| lexical(Path::new(&facts.value)))
    }

    /// Whether its documents are checked whatever they look like.
    pub(crate) fn is_ours(&self) -> bool {
        self.input.is_named || self.stated.is_some()
    }
}

/// Why documents that do not look like ours are left alone: what is closest to one says so.
fn reason_for(documents: &[Document], recognised: Vec<Recognition>) -> Reason {
    let is_blank = |document: &Document| document.text().trim().is_empty();
    if documents.iter().all(is_blank) {
        return Reason::Empty;
    }
    let unrecognised = recognised.into_iter().filter_map(Recognition::into_unrecognised);
    Reason::Foreign(unrecognised.max_by_key(|why| (why.resembles().is_some(), why.to_string())))
}

/// What belongs to one document of a file.
#[derive(Clone, Copy, Default)]
struct Place<'a> {
    record: Option<Record>,
    /// The lines of the text, where they are known already.
    lines: Option<&'a LineIndex>,
    texts: &'a [(&'static Row, &'a str, Source)],
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
        let by_settings = settings.kind().map(|stated| stated.value);
        let stated = input.kind.or(self.subject.kind).or(by_settings);
        // A text can be nothing else, whatever the files around it are.
        let stated = stated.map(|kind| if input.is_text() { DocumentKind::Template } else { kind });
        let house = settings.house_rules().into();
        let allowed = settings.allowed_fields().map_or_else(Arc::default, |it| (&*it.value).into());
        Some(FileUnderCheck { input, settings, variables, house, allowed, stated })
    }

    /// The part of the baseline that is about a file, if there is one to be used.
    pub(crate) fn baseline(&self, input: &Input) -> Option<FileBaseline<'a>> {
        if self.hides == Hides::Nothing {
            return None;
        }
        let file = self.baselines.get(self.project.number(&input.absolute)?)?;
        Some(file.baseline.as_ref()?.for_file(&file.name_of(&input.absolute)))
    }

    /// Checks a line of a file; `None` where it is none of ours. `others` is the kind of lines that are not recognised.
    pub(crate) fn line(
        &self,
        file: &FileUnderCheck<'_>,
        others: Option<DocumentKind>,
        (batch, line): (&Batch<'_>, &Line),
        baseline: Option<&mut FileBaseline<'_>>,
    ) -> Result<Option<Judged>, FailedFile> {
        self.progress.line();
        guarded(file.input, || {
            let source = Source::line(batch.bytes(line));
            let document = Document::parse(source);
            let record = Record {
                index: line.index,
                line: line.lines_before + 1,
                bytes_before: line.offset,
                lines_before: line.lines_before,
            };
            let place = Place { record: Some(record), ..Place::default() };
            let kind = file.kind_of(&document.recognition()).or(others)?;
            Some(self.document(file, kind, &document, place, baseline))
        })
    }

    fn read(&self, input: &Input) -> Fate {
        let Some(file) = self.about(input) else { return Fate::Unconfigured };
        let bytes = match input.read() {
            Ok(bytes) => bytes,
            Err(failure) => return Fate::Failed(failure),
        };
        let source = Source::from_bytes(&bytes);
        let documents = input.documents(&source);
        let recognise = |document| self.prompts.recognition(input, document, self.project);
        let recognised: Vec<Recognition> = documents.iter().map(recognise).collect();
        let others = file.kind_of_others(recognised.iter().map(Recognition::kind));
        let kind = |recognised| file.kind_of(recognised).or(others);
        let kinds: Vec<Option<DocumentKind>> = recognised.iter().map(kind).collect();
        if kinds.iter().all(Option::is_none) {
            return Fate::Skipped(reason_for(&documents, recognised));
        }
        if let Some(failure) = self.lost(&file, documents.len() == 1) {
            return Fate::Failed(failure);
        }
        let mut baseline = self.baseline(input);
        let mut checked = CheckedFile::default();
        checked.contents.documents = documents.len() as u64;
        checked.used.extend(file.facts());
        if let ([document], [Some(kind)]) = (&*documents, &*kinds) {
            let beside = texts::beside(input, &self.subject.texts.text_files, Some(&file.settings));
            let texts = match Texts::read(&beside, self.project) {
                Ok(texts) => texts,
                Err(failure) => return Fate::Failed(failure),
            };
            if kind.has_settings() {
                checked.used.extend(texts.taken_by(document));
            }
            let held = self.held(&file, &mut checked.failures);
            let held = held.as_ref().map(PartnerFile::source);
            let agent_id = self.partners.agent_id(Some(&file.settings));
            let held = held.as_ref().and_then(|(held, source)| {
                if kind.has_settings() {
                    checked.used.extend(held.path.as_deref().map(lexical));
                }
                let role = Role::Stored(agent_id);
                let fail = |unusable: crate::partners::Unusable<'_>| unusable.failure(role);
                let parsed = parse(held, source, role).map_err(fail);
                parsed.map_err(|failure| checked.failures.push(failure)).ok()
            });
            let place = Place { texts: &texts.sources(), held: held.as_ref(), ..Place::default() };
            let judged = self.document(&file, *kind, document, place, baseline.as_mut());
            checked.documents.push(judged);
        } else {
            checked.notices = self.notices_about_several(&file);
            let lines = LineIndex::new(source.text());
            for (index, (document, kind)) in documents.iter().zip(kinds).enumerate() {
                let Some(kind) = kind else {
                    checked.contents.skip(index as u64 + 1);
                    continue;
                };
                let line = u64::from(lines.line_of(document.start()));
                let record = Record { index: index as u64, line, ..Record::default() };
                let place = Place { record: Some(record), lines: Some(&lines), ..Place::default() };
                let judged = self.document(&file, kind, document, place, baseline.as_mut());
                checked.documents.push(judged);
            }
        }
        checked.found = baseline.map(FileBaseline::into_entries).unwrap_or_default();
        Fate::Checked(Box::new(checked))
    }

    /// Why what belongs to a file cannot be found, where there may be something. `is_one`: it holds one document.
    pub(crate) fn lost(&self, file: &FileUnderCheck<'_>, is_one: bool) -> Option<FailedFile> {
        let FileUnderCheck { input, settings, .. } = file;
        let has_some = settings.stored().is_some() || !settings.text_files().is_empty();
        let needs_name = is_one && has_some && !input.is_text();
        input.lost(needs_name).filter(|_| needs_name || self.project.looks_above())
    }

    /// What to say of files that lie beside a file of several documents: they could belong to any of these.
    pub(crate) fn notices_about_several(&self, file: &FileUnderCheck<'_>) -> Vec<Notice> {
        let FileUnderCheck { input, settings, .. } = file;
        let mut notices = Vec::new();
        let beside = texts::beside(input, &self.subject.texts.text_files, Some(settings));
        for (_, path) in beside {
            if let Ok(Some(text)) = texts::find(&path, self.project) {
                let (document, text) = (input.shown.clone(), Box::new(text));
                notices.push(Notice::TextOfSeveral { document, text });
            }
        }
        let stored = settings.stored().filter(|_| !self.partners.has_stored());
        if let Some(stored) = stored.filter(|it| is_there(Path::new(&it.value)) == Ok(true)) {
            notices.push(Notice::Said(format!(
                "{}: a file for several documents has no stored state: {} is not used",
                input.shown,
                self.project.shown(&stored.value)
            )));
        }
        notices
    }

    /// What is stored for the document of a file alone, as its configuration says where.
    fn held(
        &self,
        file: &FileUnderCheck<'_>,
        failures: &mut Vec<FailedFile>,
    ) -> Option<PartnerFile> {
        if self.partners.has_stored() {
            return None;
        }
        let held = PartnerFile::stored(Some(&file.settings), self.project);
        held.map_err(|failure| failures.push(failure)).ok().flatten()
    }

    /// A comment in a text that several documents share may be there for another one of them.
    fn keep_to_one_document(&self, report: &mut Report, texts: &[(&'static Row, &str, Source)]) {
        report.diagnostics.retain(|found| {
            let Origin::Text(at) = found.origin else { return true };
            let path = texts.get(usize::from(at)).map(|(_, path, _)| absolute(Path::new(path)));
            found.rule.id != "unused-suppression"
                || path.is_none_or(|path| !self.shared_texts.contains(&path))
        });
    }

    /// Why a document was not read as a whole, where the rule that says so is switched off: it must not pass for checked.
    fn switched_off(
        &self,
        report: &Report,
        document: &Document,
        input: &Input,
        settings: &FileSettings<'_>,
    ) -> Option<FailedFile> {
        let found = report.diagnostics.iter().find(|found| found.rule.id == SYNTAX_ERROR)?;
        let level = settings.level(&found.rule).filter(|level| level.value == Level::Off)?;
        let at = LineIndex::new(document.text()).position(document.text(), found.span.start);
        Some(input.failure(format!(
            "cannot be read as a whole, and {} switches `{SYNTAX_ERROR}` off: {}:{}: {}",
            self.project.shown_place(&level.source),
            at.line,
            at.column,
            found.message
        )))
    }

    /// Checks one document.
    fn document(
        &self,
        file: &FileUnderCheck<'_>,
        kind: DocumentKind,
        document: &Document,
        place: Place<'_>,
        baseline: Option<&mut FileBaseline<'_>>,
    ) -> Judged {
        let FileUnderCheck { input, settings, variables, house, allowed, .. } = file;
        let mut inputs = self
            .partners
            .inputs(document, Some(settings), place.held)
            .kind(kind)
            .texts(texts::inputs(place.texts))
            .house(Arc::clone(house))
            .allowed(Arc::clone(allowed));
        if let Some(variables) = variables {
            inputs = inputs.variables(Arc::clone(variables));
        }
        let mut report = voxlint::check(&inputs);
        let switched_off = self.switched_off(&report, document, input, settings);
        if input.is_unnamed_stdin() {
            suggest_a_name(&mut report, document.text());
        }

        let mut used = SuppressionUsage::default();
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
        let mut counts = RunSummary::default();
        counts.add(&report);
        report.diagnostics.retain(|found| found.severity >= self.least);

        let beside: Vec<_> = self
            .partners
            .list(Some(settings), place.held)
            .into_iter()
            .chain(texts::partners(place.texts))
            .collect();
        let mut checked =
            CheckedDocument::new(&input.shown, document.text(), &report).related_files(&beside);
        checked.record = place.record;
        checked.lines = place.lines;
        let render =
            |(format, style): &(OutputFormat, RenderOptions)| render(*format, style, &checked);
        let rendered = self.looks.iter().map(render).collect();
        let unchecked = unread(&checked).into_iter().chain(switched_off).collect();
        Judged { rendered, counts, used, undecided, kind, unchecked }
    }
}

/// What a line of a file looks like.
pub(crate) fn recognise(input: &Input, bytes: &[u8]) -> Result<Recognition, FailedFile> {
    guarded(input, || Document::parse(Source::line(bytes)).recognition())
}

/// What was not read of a document and of the files that belong to it.
pub(crate) fn unread(checked: &CheckedDocument<'_>) -> Vec<FailedFile> {
    let before = checked.record.map_or(0, |record| record.lines_before);
    let parts = checked.report.unread.iter().map(|part| {
        let beside = checked.related_files.iter().find(|(origin, _)| *origin == part.origin);
        let (path, text, before) = match beside {
            Some((_, partner)) => (partner.path, partner.text, 0),
            None => (checked.path, checked.text, before),
        };
        let line = before + u64::from(LineIndex::new(text).line_of(part.span.start));
        FailedFile { path: path.to_owned(), message: format!("line {line}: {}", part.message) }
    });
    parts.collect()
}

/// Tells how standard input can be read as another format, where its text is broken JSON and reads as one.
fn suggest_a_name(report: &mut Report, text: &str) {
    let fault = report.diagnostics.iter_mut().find(|found| found.rule.id == SYNTAX_ERROR);
    if let Some(fault) = fault
        && let Some(suggestion) = stdin::suggestion(text)
    {
        fault.help = Some(suggestion);
        fault.fixes.clear();
    }
}

fn guarded<T>(input: &Input, work: impl FnOnce() -> T) -> Result<T, FailedFile> {
    panic::catch_unwind(panic::AssertUnwindSafe(work))
        .map_err(|_| input.failure("internal error".to_owned()))
}
