//! The files of a folder, like `voxlint check FOLDER`.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use voxlint::DocumentKind;
use voxlint::syntax::SharedText;
use voxlint_project::{
    BaseSource, ConfigurationSource, Failure, LintOptions, LintedDocument, Renderer, RunResult,
    Session,
};
use voxlint_report::{
    CheckedDocument, FailedFile, FindingsWriter, OutputFormat, RenderOptions, RenderedDocument,
    RunInfo, RunOutcome, RunSummary, SkippedFile, render,
};

use crate::error::guarded;
use crate::run::{failed_file, skipped_files, with_checked};
use crate::texts::Texts;
use crate::{Difference, Error, Plan, Prediction, Report};

/// The files that a [`Project`] is checked with, instead of those that its `voxlint.toml` names.
#[derive(Clone, Debug, Default)]
pub struct ProjectOptions {
    /// The file with the stored configuration, for one document.
    pub stored: Option<PathBuf>,
    /// The file with facts about the workspace.
    pub facts: Option<PathBuf>,
    /// The configuration, instead of the nearest `voxlint.toml` of each file.
    pub config: Option<PathBuf>,
    /// The id of the agent that documents are for.
    pub agent_id: Option<String>,
}

/// The agent documents of a file or folder, with their configuration and related files. Any number of threads may use it; they
/// take turns, and each turn uses all cores.
///
/// ```
/// use voxlint_bindings::{Project, ProjectOptions};
///
/// let folder = tempfile::tempdir()?;
/// std::fs::write(folder.path().join("en.json"), r#"{ "version_number": 3, "kb_max_chunks": 12 }"#)?;
/// let project = Project::open(folder.path(), ProjectOptions::default())?;
/// assert_eq!(project.check(&[])?.summary().errors, 1);
/// let report = project.check_text("en.json".as_ref(), r#"{ "version_number": 3 }"#)?;
/// assert!(report.is_clean());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Project {
    path: PathBuf,
    session: Mutex<Session>,
}

impl Project {
    /// Opens a project. Nothing is read yet.
    ///
    /// # Errors
    ///
    /// If the file or folder does not exist.
    pub fn open(path: &Path, options: ProjectOptions) -> Result<Self, Error> {
        if !path.exists() {
            return Err(Error::new(format_args!("{}: no such file or directory", path.display())));
        }
        let mut lint = LintOptions::default();
        lint.related.stored = options.stored;
        lint.related.facts = options.facts;
        lint.related.agent_id = options.agent_id;
        if let Some(path) = options.config {
            lint.configuration = ConfigurationSource::File(path);
        }
        Ok(Self { path: path.to_owned(), session: Mutex::new(Session::new(lint)) })
    }

    /// The file or folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A path in the project.
    fn below(&self, path: &Path) -> PathBuf {
        // Joining with `.` would show it in paths.
        if self.path == Path::new(".") { path.to_owned() } else { self.path.join(path) }
    }

    /// Runs work in the session, one thread at a time.
    fn run<T>(&self, work: impl FnOnce(&mut Session) -> Result<T, Error>) -> Result<T, Error> {
        let mut session = self.session.lock().unwrap_or_else(PoisonError::into_inner);
        guarded(|| work(&mut session))?
    }

    fn paths(&self, paths: &[PathBuf]) -> Vec<PathBuf> {
        if paths.is_empty() {
            return vec![self.path.clone()];
        }
        paths.iter().map(|path| self.below(path)).collect()
    }

    /// Checks files and folders of the project, or all of it.
    ///
    /// # Errors
    ///
    /// If the options do not fit the files. Files that cannot be read or used are [failures](Report::failures).
    pub fn check(&self, paths: &[PathBuf]) -> Result<Report, Error> {
        self.run(|session| check(session, &self.paths(paths)))
    }

    /// Checks a text as if it were saved at a path in the project. Bytes that are not UTF-8 are findings, as in a file.
    ///
    /// # Errors
    ///
    /// As [`Self::check`].
    pub fn check_text(&self, path: &Path, text: impl AsRef<[u8]>) -> Result<Report, Error> {
        let path = self.below(path);
        self.run(|session| {
            session.file_system().set_overlay(&path, text.as_ref());
            let report = guarded(|| check(session, std::slice::from_ref(&path)));
            session.file_system().remove_overlay(&path);
            report?
        })
    }

    /// Predicts the answers of the service to the update in a file.
    ///
    /// # Errors
    ///
    /// If the file is not exactly one update, or a file that affects the result cannot be used.
    pub fn predict(&self, path: &Path) -> Result<Prediction, Error> {
        let path = self.below(path);
        self.run(|session| {
            let loaded = session.load_document(&path).map_err(|failures| Error::of(&failures))?;
            Prediction::of(&loaded.input.shown, &loaded.inputs(), &loaded.related.origins())
        })
    }

    /// Compares the stored configuration of a file with the settings in it. `complete`: a setting that they omit is to be unset
    /// instead of keeping its stored value.
    ///
    /// # Errors
    ///
    /// If the file has no stored configuration, or a file that affects the result cannot be used.
    pub fn diff(&self, path: &Path, complete: bool) -> Result<Difference, Error> {
        let path = self.below(path);
        self.run(|session| {
            let new = session.load_document(&path).map_err(|failures| Error::of(&failures))?;
            let shown = &*new.input.shown;
            let origins = new.related.origins();
            Difference::of(shown, &new.inputs(), complete, &origins)?.ok_or_else(|| {
                let why =
                    "has no stored configuration: name it in voxlint.toml, or give it as `stored`";
                Error::new(format_args!("{shown}: {why}"))
            })
        })
    }

    /// Plans the updates of some files and folders of the project, or of all of it. The stored configuration of each is the file that
    /// `stored` in its `voxlint.toml` names. `base` is a folder or a commit, instead of the base that `voxlint.toml` names.
    ///
    /// # Errors
    ///
    /// If the options do not fit the files, or the base cannot be read.
    pub fn plan(&self, paths: &[PathBuf], base: Option<&str>) -> Result<Plan, Error> {
        self.run(|session| {
            let mut files = session.find_files(&self.paths(paths)).map_err(Error::new)?;
            let base = base.map(|base| BaseSource::Named(base.to_owned())).unwrap_or_default();
            let run = session.plan_files(&mut files, &base, &|| ()).map_err(Error::new)?;
            Ok(Plan::of_run(&run))
        })
    }
}

/// A document in each form, and the texts of its findings.
struct Page {
    forms: Vec<RenderedDocument>,
    counts: RunSummary,
    kind: DocumentKind,
    texts: Vec<(Arc<str>, SharedText)>,
}

/// Renders documents in some formats.
struct Forms<'f> {
    formats: &'f [OutputFormat],
    style: &'f RenderOptions,
}

impl Forms<'_> {
    fn of(&self, checked: &CheckedDocument<'_>) -> Vec<RenderedDocument> {
        let formats = self.formats.iter();
        formats.map(|format| render(*format, self.style, checked)).collect()
    }
}

impl Renderer for Forms<'_> {
    type Output = Page;

    fn render(&self, document: LintedDocument) -> Page {
        let mut counts = RunSummary::default();
        counts.add(&document.report);
        let mut texts = Vec::new();
        // For one line of a file, the other lines are not known. Documents without findings have no spans.
        let has_lines = document
            .position
            .is_some_and(|position| position.bytes_before > 0 || document.lines.is_none());
        if !document.report.diagnostics.is_empty() {
            let own = (!has_lines).then_some((&document.path, &document.document));
            let related = document.related.iter().map(|(_, it)| (&it.path, &it.document));
            texts = own
                .into_iter()
                .chain(related)
                .map(|(path, it)| (Arc::clone(path), it.tree().shared_text()))
                .collect();
        }
        let forms = with_checked(&document, |checked| self.of(&checked));
        Page { forms, counts, kind: document.kind, texts }
    }
}

/// A run over files, as it is written in each of some formats.
#[derive(Debug)]
#[non_exhaustive]
pub struct CheckedRun {
    /// What was written, by format.
    pub forms: Vec<String>,
    /// The result of the run.
    pub result: RunResult,
    /// The summary.
    pub summary: RunSummary,
    skipped: Vec<SkippedFile>,
    failed: Vec<FailedFile>,
    texts: Texts,
}

/// Checks the files at some paths. A run that checks nothing fails with the message `nothing`.
///
/// # Errors
///
/// If the options of the session do not fit the files.
pub fn check_files(
    session: &mut Session,
    paths: &[PathBuf],
    (formats, style): (&[OutputFormat], &RenderOptions),
    nothing: Failure,
) -> Result<CheckedRun, String> {
    let mut files = session.find_files(paths).map_err(|error| error.to_string())?;
    let forms = Forms { formats, style };
    let mut pages: Vec<(Page, bool)> = Vec::new();
    let mut result = session.lint_files(&mut files, &forms, &mut |page, is_first| {
        pages.push((page, is_first));
    });
    if session.options().related.stored.is_some() {
        let with_settings = pages.iter().filter(|(page, _)| page.kind.has_settings()).count();
        if with_settings > 1 {
            return Err(format!(
                "a stored configuration applies to one document, but {with_settings} were found: name one of them"
            ));
        }
    }
    let (mut summary, mut texts) = (RunSummary::default(), Texts::default());
    for (page, _) in &mut pages {
        summary += page.counts;
        for (path, text) in page.texts.drain(..) {
            texts.add(path, text);
        }
    }
    let mut others = Vec::new();
    for file in session.check_other_files(&result, None) {
        let path: Arc<str> = session.configurations().shown(&file.path).into();
        // A configuration is not a document.
        let mut counts = RunSummary::default();
        counts.add(&file.report);
        summary += RunSummary { documents: 0, faulty: 0, fixable: 0, unsafe_fixable: 0, ..counts };
        others.push(forms.of(&CheckedDocument::new(&path, &file.text, &file.report)));
        texts.add(path, SharedText::from(&*file.text));
    }
    summary.files = result.files.len() as u32;
    summary.skipped = result.statuses.skipped_files() as u32;
    summary.skipped_documents = result.statuses.skipped_documents() as u32;
    summary.failed = result.statuses.failed(&result.failures);
    if summary.documents == 0 && result.failures.is_empty() {
        result.failures.push(nothing);
    }
    let failed: Vec<FailedFile> = result.failures.iter().map(failed_file).collect();
    let skipped = skipped_files(&result);
    let outcome = RunOutcome { skipped: &skipped, failed: &failed, loosened: None, summary };
    let mut out: Vec<Vec<u8>> = formats.iter().map(|_| Vec::new()).collect();
    let writers = out.iter_mut().zip(formats);
    let mut writers: Vec<_> = writers
        .map(|(out, format)| FindingsWriter::new(out, *format, RunInfo::default()))
        .collect();
    let pages = pages.into_iter().map(|(page, is_first)| (page.forms, is_first));
    for (forms, is_first) in pages.chain(others.into_iter().map(|forms| (forms, true))) {
        for (writer, form) in writers.iter_mut().zip(forms) {
            // Memory takes everything.
            let _ = if is_first { writer.add(form) } else { writer.add_record(form) };
        }
    }
    for writer in writers {
        let _ = writer.finish(&outcome);
    }
    let forms = out.iter().map(|text| String::from_utf8_lossy(text).into_owned()).collect();
    Ok(CheckedRun { forms, result, summary, skipped, failed, texts })
}

/// The failure of a run in which nothing was checked.
const NOTHING: &str = "no agent documents found, so nothing was checked";

fn check(session: &mut Session, paths: &[PathBuf]) -> Result<Report, Error> {
    let path = paths.first().map(|path| path.to_string_lossy().into_owned());
    let nothing = Failure::new(path.unwrap_or_default(), NOTHING);
    let formats = (&[OutputFormat::Json][..], &RenderOptions::default());
    let run = check_files(session, paths, formats, nothing).map_err(Error::new)?;
    let CheckedRun { mut forms, texts, skipped, failed, summary, .. } = run;
    Ok(Report::rendered(forms.pop().unwrap_or_default(), texts, skipped, failed, summary))
}
