//! A run over documents: every one is checked, and what was found is written in their order.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};

use rayon::iter::{IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};
use voxlint::{DocumentKind, Recognition, Severity};
use voxlint_config::{BaselineEntry, FileBaseline, FileReport, SuppressionUsage, VisitedPaths};
use voxlint_report::{
    CheckedDocument, FailedFile, FindingsWriter, OutputFormat, RenderOptions, RenderedDocument,
    RunInfo, RunOutcome, RunSummary, render,
};

use crate::accounting::{Accounting, Accounts, Contents, Outcome, Reason, Relation};
use crate::files::Input;
use crate::ground::{Ground, Request};
use crate::judge::{CheckedFile, Fate, FileUnderCheck, Hides, Judge, Judged, Notice, recognise};
use crate::lines::LineReader;
use crate::partners::Partners;
use crate::paths::{absolute, is_there, lexical, slashes};
use crate::progress::Progress;
use crate::prompts::Prompts;
use crate::terminal::documentation;
use crate::texts;

/// Below this many files or lines a second thread costs more to start than it saves.
const FEW: usize = 4;

/// One form of the findings, and where it goes.
pub(crate) struct Target<'o> {
    pub(crate) format: OutputFormat,
    pub(crate) style: RenderOptions,
    pub(crate) out: &'o mut dyn Write,
}

/// How a run goes about it.
#[derive(Clone, Copy)]
pub(crate) struct Manner<'p> {
    pub(crate) hides: Hides,
    /// Findings below this are not written.
    pub(crate) least: Severity,
    /// Whether a file that was named may be one without documents.
    pub(crate) allows_empty: bool,
    pub(crate) progress: &'p Progress,
}

/// Everything that was found, listed in a baseline or not.
#[derive(Default)]
pub(crate) struct Found {
    /// The findings as a baseline would list them, with the numbers of their configurations.
    pub(crate) entries: Vec<(usize, BaselineEntry)>,
    /// The rules that could not be decided, by their ids, for each file: nobody knows whether they would find something.
    pub(crate) undecided: BTreeMap<String, BTreeSet<String>>,
}

/// What became of a run.
pub(crate) struct Survey {
    pub(crate) summary: RunSummary,
    pub(crate) failures: Vec<FailedFile>,
    /// What became of every file.
    pub(crate) accounts: Accounts,
    /// What somebody may wonder about, and what fails nothing.
    pub(crate) notices: Vec<String>,
    pub(crate) found: Found,
    pub(crate) looked: VisitedPaths,
    /// The files that were checked, in their order.
    pub(crate) checked: Vec<Seen>,
    /// What to say instead of everything else: what was asked for makes no sense for what was found.
    pub(crate) complaint: Option<String>,
    pub(crate) written: io::Result<()>,
}

/// What was seen in a file that was checked.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    pub(crate) absolute: String,
    /// How many documents of each kind it holds.
    pub(crate) kinds: BTreeMap<DocumentKind, u32>,
    /// How many findings there are in them, whoever hides them.
    pub(crate) findings: u32,
}

/// Checks everything, and writes what is found.
pub(crate) fn survey(
    ground: &mut Ground,
    request: Request<'_>,
    manner: Manner<'_>,
    targets: &mut [Target<'_>],
) -> Survey {
    let mut failures = mem::take(&mut ground.failures);
    let sources = ground.partners.sources();
    let options = &request.subject.context;
    let partners = Partners::parse(&sources, options, request.color, &mut failures);
    let looks: Vec<(OutputFormat, RenderOptions)> =
        targets.iter().map(|target| (target.format, target.style)).collect();
    let prompts = Prompts::of(&ground.repository);
    let judge = Judge {
        subject: request.subject,
        project: &ground.project,
        baselines: &ground.baselines,
        partners: &partners,
        prompts: &prompts,
        shared_texts: &ground.shared_texts,
        looks: &looks,
        hides: manner.hides,
        least: manner.least,
        today: ground.today,
        progress: manner.progress,
    };

    let files = judge_all(&judge, &ground.inputs, &ground.related, &mut ground.accounting);
    let rules = ground.project.rules();
    let known = RunInfo {
        rules: &rules,
        repository: Some(&ground.repository),
        documentation: documentation(),
    };
    let writers = targets
        .iter_mut()
        .map(|target| FindingsWriter::new(target.out, target.format, known))
        .collect();
    let is_held = options.stored.is_some();
    let accounting = mem::take(&mut ground.accounting);
    let mut run = UnderWay::new(writers, is_held, failures, accounting);
    let mut written = Ok(());
    for (input, fate) in files {
        written = match fate {
            Some(fate) => run.take(input, fate, &judge),
            None => run
                .take_lines(input, &judge, manner.allows_empty)
                .inspect(|()| manner.progress.file()),
        };
        if written.is_err() {
            break;
        }
    }
    let accounts = run.account(written.is_ok());
    let looked = run.looked(ground, &accounts);
    let complaint = run.is_stored_of_several();
    let unmatched = unmatched_patterns(ground, request, &accounts, &looked);
    let empty = empty_folders(request, &accounts, run.summary.documents);
    let notices = run.take_notices(&accounts).into_iter().chain(unmatched).chain(empty).collect();
    if complaint.is_none() && written.is_ok() && manner.hides != Hides::Nothing {
        written = run.report_suppressions(ground, &looked, &looks, manner.least);
    }
    manner.progress.clear();
    let UnderWay { writers, held, mut summary, failures, found, checked, .. } = run;
    summary.failed = accounts.failed(&failures);
    if complaint.is_none() && written.is_ok() {
        let mut told = failures.clone();
        if summary.documents == 0 && told.is_empty() && !manner.allows_empty {
            // A report that lists no failure would pass for a good one.
            let path = request.subject.paths().first().map_or(String::new(), |it| slashes(it));
            told.push(FailedFile { path, message: NOTHING.to_owned() });
        }
        written = finish(
            writers,
            held,
            &RunOutcome { skipped: &accounts.skipped(), failed: &told, summary },
        );
    }
    Survey { summary, failures, accounts, notices, found, looked, checked, complaint, written }
}

/// What to say where nothing was checked, in one line.
pub(crate) const NOTHING: &str = "no agent documents found, so nothing was checked";

/// What to say of folders that somebody has named and in which nothing was checked: one may be mistyped.
fn empty_folders(request: Request<'_>, accounts: &Accounts, documents: u32) -> Vec<String> {
    let paths = request.subject.paths();
    if documents == 0 || request.subject.only_documents {
        return Vec::new();
    }
    let is_empty = |path: &&PathBuf| path.is_dir() && !accounts.has_any_below(&absolute(path));
    let empty = paths.iter().filter(is_empty);
    empty.map(|path| format!("{}: no agent documents found", slashes(path))).collect()
}

/// What to say of patterns that match nothing, as far as the run has looked at everything that they could match.
fn unmatched_patterns(
    ground: &Ground,
    request: Request<'_>,
    accounts: &Accounts,
    looked: &VisitedPaths,
) -> Vec<String> {
    let Ground { project, inputs, .. } = ground;
    let mut notices = Vec::new();
    for (number, configuration) in project.configurations() {
        let is_for = |path: &&str| project.number(path) == Some(number);
        let has_patterns = configuration.path().is_some() && !looked.folders.is_empty();
        if !has_patterns {
            continue;
        }
        let related = inputs
            .iter()
            .filter(|input| is_for(&&*input.absolute))
            .flat_map(|input| configuration.for_file(&input.absolute).related_files())
            .filter(|(path, _)| is_there(Path::new(path)) != Ok(false))
            .map(|(_, pattern)| pattern)
            .collect();
        let files = accounts.paths().filter(is_for);
        for unmatched in configuration.unmatched(files, &related, &looked.folders) {
            let place = project.shown_place(&unmatched.source);
            notices.push(format!(
                "{place}: `{}` matches no file: `{}`",
                unmatched.setting, unmatched.pattern
            ));
        }
    }
    // A hook passes only some of the files.
    if !request.subject.only_documents {
        for convention in &request.subject.texts.text_files {
            let one = std::slice::from_ref(convention);
            let is_followed = |input: &Input| {
                let files = texts::beside(input, one, None);
                files.iter().any(|(_, path)| is_there(path) != Ok(false))
            };
            if !inputs.iter().any(is_followed) {
                notices.push(format!("`--text-files {convention}` matches no file"));
            }
        }
    }
    notices
}

/// Checks every file that is read as a whole. Files of lines are read when their turn to be written has come: nothing of them
/// has to be kept then.
///
/// Files that belong to documents come after these, because only then is it known which of them were checked as a part of one.
fn judge_all<'i>(
    judge: &Judge<'_>,
    inputs: &'i [Input],
    related: &'i [(Input, Relation)],
    accounting: &mut Accounting,
) -> Vec<(&'i Input, Option<Fate>)> {
    let mut files = judge_some(judge, inputs.iter());
    let partners = &judge.subject.context;
    let mut used: BTreeSet<PathBuf> = partners.paths().map(|path| lexical(path)).collect();
    use_related(judge, &files, &mut used);
    // A stored state that is checked by itself may have texts of its own.
    for is_text in [false, true] {
        let mut alone = Vec::new();
        for (input, relation) in related {
            if (*relation == Relation::Text) != is_text {
                continue;
            }
            let is_used = || input.path.as_deref().is_some_and(|it| used.contains(&lexical(it)));
            if *relation == Relation::Baseline || is_used() {
                accounting.settle(input, Outcome::Used(*relation));
            } else if !accounting.is_settled(input) {
                alone.push(input);
            }
        }
        let alone = judge_some(judge, alone.into_iter());
        use_related(judge, &alone, &mut used);
        files.extend(alone);
    }
    files.sort_by(|(a, _), (b, _)| (&a.shown, &a.path).cmp(&(&b.shown, &b.path)));
    files
}

fn judge_some<'i>(
    judge: &Judge<'_>,
    inputs: impl Iterator<Item = &'i Input>,
) -> Vec<(&'i Input, Option<Fate>)> {
    let inputs: Vec<&Input> = inputs.collect();
    let read = |input: &'i Input| (input, (!input.is_lines()).then(|| judge.file(input)));
    if inputs.len() < FEW {
        inputs.into_iter().map(read).collect()
    } else {
        inputs.into_par_iter().map(read).collect()
    }
}

/// Notes the files that were read for a document that was checked.
fn use_related(judge: &Judge<'_>, files: &[(&Input, Option<Fate>)], used: &mut BTreeSet<PathBuf>) {
    for (input, fate) in files {
        match fate {
            Some(Fate::Checked(checked)) => used.extend(checked.used.iter().cloned()),
            Some(Fate::Skipped(_) | Fate::Unconfigured | Fate::Failed(_)) => {}
            // Its lines have not been read yet, but what is known of the workspace has.
            None => used.extend(judge.about(input).and_then(|about| about.facts())),
        }
    }
}

/// A run under way.
struct UnderWay<'o> {
    writers: Vec<FindingsWriter<'o>>,
    /// What is to be written once it is known that what is stored was given for one document only; `None` where nothing was
    /// given.
    held: Option<Vec<(Vec<RenderedDocument>, Standing)>>,
    /// How many documents are judged against what is stored, and in how many files.
    changes: u64,
    changed_files: u64,
    summary: RunSummary,
    accounting: Accounting,
    failures: Vec<FailedFile>,
    notices: Vec<Notice>,
    found: Found,
    /// The suppressions that were of use, by the numbers of their configurations.
    used: Vec<SuppressionUsage>,
    checked: Vec<Seen>,
}

/// Whether a document is the first of its file.
#[derive(Clone, Copy)]
enum Standing {
    First,
    Further,
}

/// What is known of a file after some of its documents.
#[derive(Default)]
struct FileUnderWay {
    configuration: usize,
    is_begun: bool,
    has_changes: bool,
    /// The rules that could not be decided in one of the documents, by their ids.
    undecided: BTreeSet<String>,
    seen: Seen,
    contents: Contents,
}

impl FileUnderWay {
    fn new(input: &Input, judge: &Judge<'_>) -> Self {
        let configuration = judge.project.number(&input.absolute).unwrap_or_default();
        let seen = Seen { absolute: input.absolute.clone(), ..Seen::default() };
        Self { configuration, seen, ..Self::default() }
    }
}

impl<'o> UnderWay<'o> {
    fn new(
        writers: Vec<FindingsWriter<'o>>,
        is_held: bool,
        failures: Vec<FailedFile>,
        accounting: Accounting,
    ) -> Self {
        Self {
            writers,
            held: is_held.then(Vec::new),
            changes: 0,
            changed_files: 0,
            summary: RunSummary::default(),
            accounting,
            failures,
            notices: Vec::new(),
            found: Found::default(),
            used: Vec::new(),
            checked: Vec::new(),
        }
    }

    fn fail(&mut self, input: &Input, failure: FailedFile) {
        self.accounting.settle(input, Outcome::Failed(failure.message.clone()));
        self.add_failure(failure);
    }

    /// Documents may share a file that cannot be used.
    fn add_failure(&mut self, failure: FailedFile) {
        if !self.failures.contains(&failure) {
            self.failures.push(failure);
        }
    }

    fn take(&mut self, input: &Input, fate: Fate, judge: &Judge<'_>) -> io::Result<()> {
        match fate {
            Fate::Checked(checked) => {
                let CheckedFile { documents, contents, found, failures, notices, .. } = *checked;
                let mut file = FileUnderWay::new(input, judge);
                file.contents = contents;
                documents
                    .into_iter()
                    .try_for_each(|document| self.take_one(document, &mut file))?;
                self.notices.extend(notices);
                for failure in failures {
                    self.add_failure(failure);
                }
                self.close(input, file, found);
            }
            Fate::Skipped(reason) => self.accounting.settle(input, Outcome::Skipped(reason)),
            // What is wrong with the configuration is told once, and not for each of its files.
            Fate::Unconfigured => {
                self.accounting.settle(input, Outcome::Unconfigured);
            }
            Fate::Failed(failure) => self.fail(input, failure),
        }
        Ok(())
    }

    /// Checks a file of lines a batch at a time.
    fn take_lines(
        &mut self,
        input: &Input,
        judge: &Judge<'_>,
        allows_empty: bool,
    ) -> io::Result<()> {
        let Some(about) = judge.about(input) else {
            self.accounting.settle(input, Outcome::Unconfigured);
            return Ok(());
        };
        let others = match kind_of_other_lines(input, &about) {
            Ok(Lines::Ours { others }) => others,
            Ok(Lines::Skipped(reason)) => {
                self.accounting.settle(input, Outcome::Skipped(reason));
                return Ok(());
            }
            Err(failure) => {
                self.fail(input, failure);
                return Ok(());
            }
        };
        let opened = judge.lost(&about, false).map_or_else(|| input.open(), Err);
        let mut lines = match opened {
            Ok(bytes) => LineReader::new(bytes),
            Err(failure) => {
                self.fail(input, failure);
                return Ok(());
            }
        };
        let mut file = FileUnderWay::new(input, judge);
        // Findings of the same value are told apart by their order, so a baseline wants the lines one by one.
        let mut baseline = judge.baseline(input);
        let mut broken_off = None;
        loop {
            let batch = match lines.next_batch() {
                Ok(Some(batch)) => batch,
                Ok(None) => break,
                Err(error) => {
                    broken_off = Some(input.fail(&error));
                    break;
                }
            };
            let judged: Vec<_> = if batch.lines.len() < FEW || baseline.is_some() {
                let lines = batch.lines.iter();
                let line = |line| judge.line(&about, others, (&batch, line), baseline.as_mut());
                lines.map(line).collect()
            } else {
                let lines = batch.lines.par_iter();
                lines.map(|line| judge.line(&about, others, (&batch, line), None)).collect()
            };
            for (line, judged) in batch.lines.iter().zip(judged) {
                match judged {
                    Ok(Some(document)) => self.take_one(document, &mut file)?,
                    Ok(None) => file.contents.skip(line.index + 1),
                    Err(failure) => {
                        file.contents.failed += 1;
                        self.add_failure(failure);
                    }
                }
            }
        }
        file.contents.documents = lines.count();
        let found = baseline.map(FileBaseline::into_entries).unwrap_or_default();
        let is_empty = file.contents.documents == 0;
        if is_empty && input.is_named && !allows_empty && broken_off.is_none() {
            broken_off = Some(input.failure("the file contains no documents".to_owned()));
        }
        if let Some(failure) = broken_off {
            self.break_off(input, file, failure);
        } else if is_empty {
            self.accounting.settle(input, Outcome::Skipped(Reason::Empty));
        } else {
            self.notices.extend(judge.notices_about_several(&about));
            self.close(input, file, found);
        }
        Ok(())
    }

    /// The rest of a file could not be read. The findings in what comes before are written already.
    fn break_off(&mut self, input: &Input, file: FileUnderWay, failure: FailedFile) {
        let FileUnderWay { seen, mut contents, .. } = file;
        contents.checked = seen.kinds;
        self.accounting.settle(input, Outcome::BrokenOff(contents, failure.message.clone()));
        self.add_failure(failure);
    }

    /// A file that was checked is done.
    fn close(&mut self, input: &Input, file: FileUnderWay, found: Vec<BaselineEntry>) {
        self.summary.files += 1;
        let FileUnderWay { configuration, undecided, mut seen, mut contents, .. } = file;
        self.found.entries.extend(found.into_iter().map(|entry| (configuration, entry)));
        if !undecided.is_empty() {
            self.found.undecided.insert(seen.absolute.clone(), undecided);
        }
        contents.checked = mem::take(&mut seen.kinds);
        seen.kinds.clone_from(&contents.checked);
        self.accounting.settle(input, Outcome::Checked(contents));
        self.checked.push(seen);
    }

    /// What somebody may wonder about, now that it is known what became of everything.
    fn take_notices(&mut self, accounts: &Accounts) -> Vec<String> {
        let outcomes = accounts.outcomes();
        let notices = mem::take(&mut self.notices).into_iter();
        notices.map(|notice| notice.message(&outcomes)).collect()
    }

    /// What became of everything. Where the findings could no longer be written, files are left.
    fn account(&mut self, is_whole: bool) -> Accounts {
        let accounts = match mem::take(&mut self.accounting).finish() {
            Ok(accounts) => accounts,
            Err((accounts, contradictions)) => {
                if is_whole {
                    self.failures.extend(contradictions);
                }
                accounts
            }
        };
        if accounts.documents() != u64::from(self.summary.documents) && is_whole {
            let message = format!(
                "internal error: {} documents were checked, and {} are accounted for",
                self.summary.documents,
                accounts.documents()
            );
            self.failures.push(FailedFile { path: "voxlint".to_owned(), message });
        }
        self.summary.skipped = accounts.skipped_files() as u32;
        self.summary.skipped_documents = accounts.foreign_documents() as u32;
        accounts
    }

    fn take_one(&mut self, document: Judged, file: &mut FileUnderWay) -> io::Result<()> {
        let RunSummary { errors, warnings, infos, suppressed, baselined, .. } = document.counts;
        file.seen.findings += errors + warnings + infos + suppressed + baselined;
        *file.seen.kinds.entry(document.kind).or_default() += 1;
        self.summary += document.counts;
        if self.used.len() <= file.configuration {
            self.used.resize(file.configuration + 1, SuppressionUsage::default());
        }
        if let Some(used) = self.used.get_mut(file.configuration) {
            used.add(document.used);
        }
        if document.kind.has_settings() {
            self.changes += 1;
            self.changed_files += u64::from(!mem::replace(&mut file.has_changes, true));
        }
        file.undecided.extend(document.undecided);
        for failure in document.unchecked {
            self.add_failure(failure);
        }
        let is_begun = mem::replace(&mut file.is_begun, true);
        let standing = if is_begun { Standing::Further } else { Standing::First };
        self.hand_on(document.rendered, standing)
    }

    /// Writes what was found in a document, or keeps it until it can be written.
    fn hand_on(&mut self, rendered: Vec<RenderedDocument>, standing: Standing) -> io::Result<()> {
        match &mut self.held {
            // There will be a complaint, and nothing else.
            Some(held) if self.changes > 1 => held.clear(),
            Some(held) => held.push((rendered, standing)),
            None => add(&mut self.writers, rendered, standing)?,
        }
        Ok(())
    }

    /// What was looked at. Where something has failed, nobody knows what a folder holds.
    fn looked(&self, ground: &Ground, accounts: &Accounts) -> VisitedPaths {
        let folders = if self.failures.is_empty() { ground.folders.clone() } else { Vec::new() };
        let files: BTreeSet<String> =
            self.checked.iter().map(|seen| seen.absolute.clone()).collect();
        let mut others = accounts.unchecked();
        for (_, configuration) in ground.project.configurations() {
            let named = configuration.suppressed_files();
            let is_there = |file: &str| is_there(Path::new(file)) != Ok(false);
            let unseen = named.filter(|file| !files.contains(*file) && is_there(file));
            // A folder that is named has been looked at or has not, as others have.
            others.extend(unseen.filter(|file| !Path::new(file).is_dir()).map(str::to_owned));
        }
        VisitedPaths { folders, files, unchecked: others }
    }

    /// Writes what is to be said of the configurations themselves.
    fn report_suppressions(
        &mut self,
        ground: &Ground,
        looked: &VisitedPaths,
        looks: &[(OutputFormat, RenderOptions)],
        least: Severity,
    ) -> io::Result<()> {
        let nothing = SuppressionUsage::default();
        let all: Vec<_> = ground
            .project
            .configurations()
            .map(|(number, it)| (it, self.used.get(number).unwrap_or(&nothing).clone()))
            .collect();
        let mut told = Vec::new();
        for (configuration, _) in &all {
            let used = configuration.merge_usage(all.iter().map(|(other, used)| (*other, used)));
            for file in configuration.check_suppressions(&used, looked, ground.today) {
                // A file that several others extend is told of once.
                if !told.contains(&file.path) {
                    told.push(file.path.clone());
                    self.take_report(file, ground, looks, least)?;
                }
            }
        }
        Ok(())
    }

    fn take_report(
        &mut self,
        mut file: FileReport,
        ground: &Ground,
        looks: &[(OutputFormat, RenderOptions)],
        least: Severity,
    ) -> io::Result<()> {
        // A configuration is no document.
        let mut counts = RunSummary::default();
        counts.add(&file.report);
        self.summary += RunSummary { documents: 0, faulty: 0, ..counts };
        file.report.diagnostics.retain(|found| found.severity >= least);
        let path = ground.project.shown(&file.path);
        let checked = CheckedDocument::new(&path, &file.text, &file.report);
        let rendered = looks.iter().map(|(format, style)| render(*format, style, &checked));
        self.hand_on(rendered.collect(), Standing::First)
    }

    /// What is to be said of more documents than one that `--stored` was given for.
    fn is_stored_of_several(&self) -> Option<String> {
        if self.held.is_none() || self.changes <= 1 {
            return None;
        }
        let way_out =
            if self.changed_files > 1 { "name one of them" } else { "keep one in a file" };
        Some(format!(
            "--stored applies to one document, but {} were found: {way_out}",
            self.changes
        ))
    }
}

/// What is to be done with a file of lines.
enum Lines {
    /// Its documents are checked; those that are not recognised as `others`, or else they are left alone.
    Ours {
        others: Option<DocumentKind>,
    },
    Skipped(Reason),
}

/// Looks through a file of lines that nobody has named for one that is ours: what the others are depends on that, and those
/// before it are no less to be checked. The file is read again then, so that nothing of it has to be kept.
fn kind_of_other_lines(input: &Input, about: &FileUnderCheck<'_>) -> Result<Lines, FailedFile> {
    if about.is_ours() {
        return Ok(Lines::Ours { others: about.kind_of_others([]) });
    }
    let mut lines = LineReader::new(input.open()?);
    let mut is_ours = false;
    let mut closest = None;
    while let Some(batch) = lines.next_batch().map_err(|error| input.fail(&error))? {
        let recognise = |line| recognise(input, batch.bytes(line));
        // Most files begin with what they are.
        let (first, rest) = batch.lines.split_at(batch.lines.len().min(FEW));
        for lines in [first, rest] {
            let recognised: Result<Vec<_>, FailedFile> = if lines.len() <= FEW {
                lines.iter().map(recognise).collect()
            } else {
                lines.par_iter().map(recognise).collect()
            };
            let recognised = recognised?;
            is_ours |= recognised.iter().any(|it| it.kind().is_some());
            if let Some(kind) = about.kind_of_others(recognised.iter().map(Recognition::kind)) {
                return Ok(Lines::Ours { others: Some(kind) });
            }
            closest = recognised
                .into_iter()
                .filter_map(Recognition::into_unrecognised)
                .chain(closest)
                .max_by_key(|why| (why.resembles().is_some(), why.to_string()));
        }
    }
    Ok(if is_ours {
        Lines::Ours { others: None }
    } else if lines.count() == 0 {
        Lines::Skipped(Reason::Empty)
    } else {
        Lines::Skipped(Reason::Foreign(closest))
    })
}

/// Hands what was found in a document to each writer.
fn add(
    writers: &mut [FindingsWriter<'_>],
    rendered: Vec<RenderedDocument>,
    standing: Standing,
) -> io::Result<()> {
    writers.iter_mut().zip(rendered).try_for_each(|(writer, rendered)| match standing {
        Standing::First => writer.add(rendered),
        Standing::Further => writer.add_record(rendered),
    })
}

/// Writes what is left to be written.
fn finish(
    mut writers: Vec<FindingsWriter<'_>>,
    held: Option<Vec<(Vec<RenderedDocument>, Standing)>>,
    outcome: &RunOutcome<'_>,
) -> io::Result<()> {
    for (rendered, standing) in held.into_iter().flatten() {
        add(&mut writers, rendered, standing)?;
    }
    writers.into_iter().try_for_each(|writer| writer.finish(outcome))
}
