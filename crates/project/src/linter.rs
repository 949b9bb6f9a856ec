//! The linter of a file: reads its documents and what belongs to them, and checks each.

use std::collections::BTreeSet;
use std::panic;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use voxlint::syntax::LineIndex;
use voxlint::{
    Cancellation, Document, DocumentKind, DocumentPosition, Origin, Recognition, Report, Source,
    Trace,
};
use voxlint_config::{
    BaselineEntry, CheckSettings, Checked, Date, DocumentScope, FileBaseline, SuppressionMode,
    SuppressionUsage, check_document,
};

use crate::Failure;
use crate::baselines::BaselineFile;
use crate::buffer::Buffer;
use crate::configurations::Configurations;
use crate::document_related::DocumentRelated;
use crate::file_status::{DocumentCounts, SkipReason};
use crate::file_system::FileSystem;
use crate::input::InputFile;
use crate::line_reader::{Batch, Line};
use crate::linted::LintedDocument;
use crate::loose_templates::LooseTemplates;
use crate::notice::PendingNotice;
use crate::options::LintOptions;
use crate::paths::{absolute, absolute_path};
use crate::reference::Reference;
use crate::related::{RelatedFiles, RelatedReader};
use crate::text_files::{find_text_file, text_file_paths};

/// Turns linted documents into what a program shows of them. It is called in the threads that check the documents, so that
/// their texts can be dropped at once.
pub trait Renderer: Sync {
    /// The rendered form of a document.
    type Output: Send;

    /// Renders a document.
    fn render(&self, document: LintedDocument) -> Self::Output;

    /// Whether reports need fixes, which take time to prove.
    fn wants_fixes(&self) -> bool {
        true
    }

    /// Whether documents are checked, and not only read.
    fn checks(&self) -> bool {
        true
    }

    /// A record of one rule, if it is wanted.
    fn trace(&self) -> Trace {
        Trace::off()
    }

    /// Is called after each file that is read as a whole, and after the last line of the others.
    fn file_done(&self) {}

    /// Is called after each line of a file with one document per line.
    fn line_done(&self) {}
}

/// The identity: a renderer that keeps the documents.
pub(crate) struct Keep;

impl Renderer for Keep {
    type Output = LintedDocument;

    fn render(&self, document: LintedDocument) -> LintedDocument {
        document
    }
}

/// Checks documents for one run.
pub(crate) struct Linter<'a, R> {
    pub(crate) options: &'a LintOptions,
    pub(crate) reader: RelatedReader<'a>,
    pub(crate) related: &'a RelatedFiles,
    pub(crate) baselines: &'a [BaselineFile],
    /// The text files that may belong to several documents, by their absolute paths.
    pub(crate) shared_texts: &'a BTreeSet<String>,
    pub(crate) loose_templates: LooseTemplates,
    pub(crate) today: Date,
    /// What says which suppression comments are new.
    pub(crate) reference: Option<&'a Reference>,
    pub(crate) renderer: &'a R,
}

/// What was done with a file that was read as a whole.
pub(crate) enum FileOutcome<T> {
    Checked(Box<CheckedFile<T>>),
    Skipped(SkipReason),
    /// Its configuration cannot be used.
    Unconfigured,
    Failed(Failure),
}

/// A file that was checked.
pub(crate) struct CheckedFile<T> {
    pub(crate) documents: Vec<DocumentOutcome<T>>,
    pub(crate) counts: DocumentCounts,
    /// The related files that were used.
    pub(crate) used: Vec<PathBuf>,
    pub(crate) notices: Vec<PendingNotice>,
    /// All findings as a baseline lists them.
    pub(crate) findings: Vec<BaselineEntry>,
    /// Failures that did not prevent the check.
    pub(crate) failures: Vec<Failure>,
}

/// A document that was checked.
pub(crate) struct DocumentOutcome<T> {
    pub(crate) rendered: T,
    pub(crate) kind: DocumentKind,
    /// How many findings it has, suppressed ones included.
    pub(crate) findings: u32,
    pub(crate) used: SuppressionUsage,
    /// The ids of undecided rules, if there is a baseline.
    pub(crate) undecided: Vec<String>,
    /// The parts that were not checked, so that the run cannot pass.
    pub(crate) unchecked: Vec<Failure>,
}

/// A file under check, with its settings.
pub(crate) struct FileContext<'a> {
    pub(crate) input: &'a InputFile,
    pub(crate) settings: CheckSettings<'a>,
    /// The files that belong to all of its documents.
    pub(crate) related: DocumentRelated,
}

/// The related files of the only document of a file.
pub(crate) struct RelatedOfOne {
    pub(crate) related: DocumentRelated,
    /// The files that decide something about the document.
    pub(crate) used: Vec<PathBuf>,
    /// A file that cannot be used.
    pub(crate) failure: Option<Failure>,
}

/// Why a file without recognised documents is skipped: the document that is closest to one gives the reason.
fn skip_reason(documents: &[Document], recognised: Vec<Recognition>) -> SkipReason {
    if documents.iter().all(|document| document.text().trim().is_empty()) {
        return SkipReason::Empty;
    }
    let unrecognised = recognised.into_iter().filter_map(Recognition::into_unrecognised);
    let closest = unrecognised.max_by_key(|why| (why.resembles().is_some(), why.to_string()));
    SkipReason::NotADocument(closest)
}

/// One document of a file.
struct DocumentContext<'a> {
    document: Document,
    kind: DocumentKind,
    position: Option<DocumentPosition>,
    lines: Option<Arc<LineIndex>>,
    related: &'a DocumentRelated,
}

impl<'a, R: Renderer> Linter<'a, R> {
    pub(crate) fn configurations(&self) -> &'a Configurations {
        self.reader.configurations
    }

    pub(crate) fn file_system(&self) -> &'a FileSystem {
        self.configurations().file_system()
    }

    /// Checks a file that is read as a whole. An internal error fails this file only.
    pub(crate) fn lint_file(
        &self,
        input: &InputFile,
        buffer: &mut Buffer,
    ) -> FileOutcome<R::Output> {
        let outcome = guarded(input, || self.lint_whole(input, buffer));
        let outcome = outcome.unwrap_or_else(FileOutcome::Failed);
        self.renderer.file_done();
        outcome
    }

    /// The settings of a file; `None` if its configuration cannot be used.
    pub(crate) fn context<'b>(&'b self, input: &'b InputFile) -> Option<FileContext<'b>> {
        let settings = self.configurations().settings_for(&input.absolute)?;
        let related = DocumentRelated::of_file(&settings, self.related);
        let settings = CheckSettings::new(settings, self.today)
            .suppressions(self.options.suppressions)
            .kind(input.kind.or(self.options.kind))
            .text(input.is_text())
            .always_checked(input.is_explicit);
        Some(FileContext { input, settings, related })
    }

    /// The part of the baseline for a file.
    pub(crate) fn baseline(&self, input: &InputFile) -> Option<FileBaseline<'a>> {
        if self.options.suppressions == SuppressionMode::Ignore {
            return None;
        }
        let file = self.baselines.get(self.configurations().index_for(&input.absolute)?)?;
        Some(file.baseline.as_ref()?.for_file(&file.name_of(&input.absolute)))
    }

    /// Checks a line; `None` if it is skipped. `others` is the kind of lines that are not recognised.
    pub(crate) fn lint_line(
        &self,
        file: &FileContext<'_>,
        others: Option<DocumentKind>,
        (batch, line): (&Batch, &Line),
        baseline: Option<&mut FileBaseline<'_>>,
    ) -> Result<Option<DocumentOutcome<R::Output>>, Failure> {
        self.renderer.line_done();
        guarded(file.input, || {
            let document = Document::parse(Source::line(batch.bytes(line)));
            let kind = file.settings.kind_of(&document.recognition()).or(others)?;
            let (position, lines, related) = (Some(line.position()), None, &file.related);
            let document = DocumentContext { document, kind, position, lines, related };
            Some(self.lint_document(file, document, baseline))
        })
    }

    fn lint_whole(&self, input: &InputFile, buffer: &mut Buffer) -> FileOutcome<R::Output> {
        let Some(file) = self.context(input) else { return FileOutcome::Unconfigured };
        if let Err(failure) = input.read_into(self.file_system(), buffer) {
            return FileOutcome::Failed(failure);
        }
        let mut documents = input.documents(buffer.take());
        let kinds = match self.kinds(&file, &documents) {
            Ok(kinds) => kinds,
            Err(reason) => return FileOutcome::Skipped(reason),
        };
        if let Some(failure) = self.non_utf8_path_failure(&file, documents.len() == 1) {
            return FileOutcome::Failed(failure);
        }
        let mut checked = CheckedFile {
            documents: Vec::with_capacity(documents.len()),
            counts: DocumentCounts {
                documents: documents.len() as u64,
                ..DocumentCounts::default()
            },
            used: self.used_facts(&file).into_iter().collect(),
            notices: Vec::new(),
            findings: Vec::new(),
            failures: Vec::new(),
        };
        let mut baseline = self.baseline(input);
        if let ([_], [Some(kind)], Some(document)) = (&*documents, &*kinds, documents.first()) {
            let (document, kind) = (document.clone(), *kind);
            let related = match self.related_of_one(&file, &document, kind) {
                Ok(related) => related,
                Err(failure) => return FileOutcome::Failed(failure),
            };
            let RelatedOfOne { related, used, failure } = related;
            checked.used.extend(used);
            checked.failures.extend(failure);
            let (position, lines, related) = (None, None, &related);
            let document = DocumentContext { document, kind, position, lines, related };
            checked.documents.push(self.lint_document(&file, document, baseline.as_mut()));
        } else {
            checked.notices = self.notices_about_several(&file);
            let text = documents.first().map_or("", |document| document.text());
            let lines = Arc::new(LineIndex::new(text));
            for (index, (document, kind)) in documents.drain(..).zip(kinds).enumerate() {
                let Some(kind) = kind else {
                    checked.counts.skip(index as u64 + 1);
                    continue;
                };
                let line = u64::from(lines.line_of(document.start()));
                let position =
                    DocumentPosition { index: index as u64, line, ..DocumentPosition::default() };
                let (position, lines, related) =
                    (Some(position), Some(Arc::clone(&lines)), &file.related);
                let document = DocumentContext { document, kind, position, lines, related };
                checked.documents.push(self.lint_document(&file, document, baseline.as_mut()));
            }
        }
        checked.findings = baseline.map(FileBaseline::into_entries).unwrap_or_default();
        FileOutcome::Checked(Box::new(checked))
    }

    /// The kinds of the documents of a file; `None` for those that are skipped.
    ///
    /// # Errors
    ///
    /// If all of them are skipped.
    pub(crate) fn kinds(
        &self,
        file: &FileContext<'_>,
        documents: &[Document],
    ) -> Result<Vec<Option<DocumentKind>>, SkipReason> {
        let recognise = |document| {
            self.loose_templates.recognition(file.input, document, self.configurations())
        };
        let recognised: Vec<Recognition> = documents.iter().map(recognise).collect();
        let others = file.settings.kind_of_others(recognised.iter().map(Recognition::kind));
        let kind = |recognised| file.settings.kind_of(recognised).or(others);
        let kinds: Vec<Option<DocumentKind>> = recognised.iter().map(kind).collect();
        if kinds.iter().all(Option::is_none) {
            return Err(skip_reason(documents, recognised));
        }
        Ok(kinds)
    }

    /// The path of the facts that the configuration of a file names.
    pub(crate) fn used_facts(&self, file: &FileContext<'_>) -> Option<PathBuf> {
        let facts = file.settings.facts().filter(|_| !self.options.related.without_facts)?;
        Some(absolute_path(Path::new(&facts.value)))
    }

    /// The related files of the only document of a file.
    pub(crate) fn related_of_one(
        &self,
        file: &FileContext<'_>,
        document: &Document,
        kind: DocumentKind,
    ) -> Result<RelatedOfOne, Failure> {
        let mut related = file.related.clone();
        let (mut used, mut failure) = (Vec::new(), None);
        let paths = text_file_paths(file.input, &self.options.conventions, Some(&file.settings));
        related.texts = self.reader.text_files(&paths)?;
        if !self.related.has_stored() {
            let stored = self.reader.configured_stored(&file.settings, related.agent_id());
            related.stored = stored.unwrap_or_else(|why| {
                failure = Some(why);
                None
            });
        }
        if kind.has_settings() {
            let is_own = |name| document.tree().root().is_some_and(|root| root.get(name).is_some());
            let texts = related.texts.iter().filter(|(field, _)| !is_own(field.name));
            let stored = related.stored.iter().filter(|_| !self.related.has_stored());
            let all = texts.map(|(_, text)| text).chain(stored);
            used.extend(all.filter_map(|it| it.location.as_deref().map(Path::to_owned)));
        }
        Ok(RelatedOfOne { related, used, failure })
    }

    /// Why the related files of a file cannot be found, if it may have some. `is_one`: it has one document.
    pub(crate) fn non_utf8_path_failure(
        &self,
        file: &FileContext<'_>,
        is_one: bool,
    ) -> Option<Failure> {
        let FileContext { input, settings, .. } = file;
        let has_some = settings.stored().is_some() || !settings.text_files().is_empty();
        let by_name = is_one && has_some && !input.is_text();
        input
            .non_utf8_path_failure(by_name)
            .filter(|_| by_name || self.configurations().uses_nearest())
    }

    /// Notices about related files beside a file with several documents: they could belong to any of these.
    pub(crate) fn notices_about_several(&self, file: &FileContext<'_>) -> Vec<PendingNotice> {
        let FileContext { input, settings, .. } = file;
        let configurations = self.configurations();
        let mut notices = Vec::new();
        for text in text_file_paths(input, &self.options.conventions, Some(settings)) {
            if let Ok(Some(text)) = find_text_file(&text.path, configurations) {
                let (document, text) = (Arc::clone(&input.shown), Box::new(text));
                notices.push(PendingNotice::TextFileOfSeveral { document, text });
            }
        }
        let stored = settings.stored().filter(|_| !self.related.has_stored());
        let exists = |path: &str| self.file_system().exists(Path::new(path)) == Ok(true);
        if let Some(stored) = stored.filter(|stored| exists(&stored.value)) {
            notices.push(PendingNotice::StoredOfSeveral {
                document: Arc::clone(&input.shown),
                stored: configurations.shown(&stored.value),
            });
        }
        notices
    }

    /// Checks one document.
    fn lint_document(
        &self,
        file: &FileContext<'_>,
        context: DocumentContext<'_>,
        baseline: Option<&mut FileBaseline<'_>>,
    ) -> DocumentOutcome<R::Output> {
        let DocumentContext { document, kind, position, lines, related } = context;
        let inputs = related.inputs(document.clone()).kind(kind);
        let inputs = if self.renderer.wants_fixes() { inputs } else { inputs.without_fixes() };
        let has_baseline = baseline.is_some();
        let scope = self.scope(file, related, &document, position.is_some());
        let mut trace = self.renderer.trace();
        let scope = DocumentScope { baseline, ..scope };
        let Checked { inputs, report, usage } = if self.renderer.checks() {
            check_document(inputs, &file.settings, scope, &mut trace)
        } else {
            let (report, usage) = (Report::new(kind, Vec::new()), SuppressionUsage::default());
            Checked { inputs: file.settings.inputs(inputs), report, usage }
        };
        trace.show_settings(|path| self.configurations().shown(path));
        let undecided = if has_baseline {
            report.undecided.iter().map(|entry| entry.rule.id.to_string()).collect()
        } else {
            Vec::new()
        };
        let findings = (report.diagnostics.len() + report.suppressed.len()) as u32;
        let linted = LintedDocument {
            path: Arc::clone(&file.input.shown),
            document,
            kind,
            position,
            lines,
            report,
            related: related.origins(),
            inputs,
            trace,
            is_unnamed_stdin: file.input.is_unnamed_stdin(),
        };
        let unchecked = linted.unread();
        let rendered = self.renderer.render(linted);
        DocumentOutcome { rendered, kind, findings, used: usage, undecided, unchecked }
    }

    /// What is around a document of a file and decides which of its findings are hidden.
    pub(crate) fn scope<'b, 'f>(
        &self,
        file: &FileContext<'_>,
        related: &DocumentRelated,
        document: &Document,
        is_one_of_several: bool,
    ) -> DocumentScope<'b, 'f> {
        // A suppression comment in a text that several documents share may be meant for another one of them.
        let is_shared = |path: &str| self.shared_texts.contains(&absolute(Path::new(path)));
        let texts = related.texts.iter().enumerate();
        let shared_texts =
            texts.filter(|(_, (_, text))| is_shared(&text.path)).map(|(index, _)| index).collect();
        let before = self.reference.map(|reference| {
            let text = |document: &Document, path: &Path| {
                // Without a comment, it is not read.
                let has_comments = document.text().contains("voxlint");
                if has_comments { reference.text(path) } else { String::new() }
            };
            let own = file.input.path.iter();
            let own = own.map(|path| (Origin::Document, text(document, path)));
            let texts =
                related.texts.iter().zip(0..).map(|((_, it), at)| {
                    (Origin::Text(at), text(&it.document, Path::new(&*it.path)))
                });
            own.chain(texts).collect()
        });
        DocumentScope { baseline: None, is_one_of_several, shared_texts, before }
    }
}

/// The recognised kind of a line.
pub(crate) fn recognise_line(input: &InputFile, bytes: &[u8]) -> Result<Recognition, Failure> {
    guarded(input, || Document::parse(Source::line(bytes)).recognition())
}

/// Turns a panic into a failure of the file.
pub(crate) fn guarded<T>(input: &InputFile, work: impl FnOnce() -> T) -> Result<T, Failure> {
    panic::catch_unwind(panic::AssertUnwindSafe(work)).map_err(|cause| {
        if Cancellation::is_cause(&*cause) {
            panic::resume_unwind(cause);
        }
        input.failure("internal error: this is a bug in voxlint; please report it")
    })
}
