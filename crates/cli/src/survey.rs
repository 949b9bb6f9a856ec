//! A run over documents: every one is checked, and what was found is written in their order.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::mem;
use std::path::Path;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use voxlint::{DocumentKind, Severity};
use voxlint_config::{Entry, FileBaseline, FileReport, Looked, Used};
use voxlint_report::{
    Checked, Failure, FindingsWriter, Format, Rendered, Run, Skipped, Style, Summary, render,
};

use crate::files::Input;
use crate::ground::{Ground, Request};
use crate::judge::{CheckedFile, Fate, Hides, Judge, Judged, foreign, unconfigured};
use crate::lines::LineReader;
use crate::partners::Partners;
use crate::progress::Progress;
use crate::terminal::documentation;

/// Below this many files or lines a second thread costs more to start than it saves.
const FEW: usize = 4;

/// One form of the findings, and where it goes.
pub(crate) struct Target<'o> {
    pub(crate) format: Format,
    pub(crate) style: Style,
    pub(crate) out: &'o mut dyn Write,
}

/// How a run goes about it.
#[derive(Clone, Copy)]
pub(crate) struct Manner<'p> {
    pub(crate) hides: Hides,
    /// Findings below this are not written.
    pub(crate) least: Severity,
    pub(crate) progress: &'p Progress,
}

/// Everything that was found, listed in a baseline or not.
#[derive(Default)]
pub(crate) struct Found {
    /// The findings as a baseline would list them, with the numbers of their configurations.
    pub(crate) entries: Vec<(usize, Entry)>,
    /// The rules that could not be decided, by their ids, for each file: nobody knows whether they would find something.
    pub(crate) undecided: BTreeMap<String, BTreeSet<String>>,
}

/// What became of a run.
pub(crate) struct Survey {
    pub(crate) summary: Summary,
    pub(crate) failures: Vec<Failure>,
    pub(crate) found: Found,
    pub(crate) looked: Looked,
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
    let options = &request.subject.partners;
    let partners = Partners::parse(&sources, options, request.color, &mut failures);
    let looks: Vec<(Format, Style)> =
        targets.iter().map(|target| (target.format, target.style)).collect();
    let judge = Judge {
        subject: request.subject,
        project: &ground.project,
        baselines: &ground.baselines,
        partners: &partners,
        shared_texts: &ground.shared_texts,
        looks: &looks,
        hides: manner.hides,
        least: manner.least,
        today: ground.today,
        progress: manner.progress,
    };

    // Files of lines are read when their turn to be written has come: nothing of them has to be kept then.
    let read = |input: &Input| (!input.is_lines()).then(|| judge.file(input));
    let fates: Vec<Option<Fate>> = if ground.inputs.len() < FEW {
        ground.inputs.iter().map(read).collect()
    } else {
        ground.inputs.par_iter().map(read).collect()
    };
    let rules = ground.project.rules();
    let known =
        Run { rules: &rules, repository: Some(&ground.repository), documentation: documentation() };
    let writers = targets
        .iter_mut()
        .map(|target| FindingsWriter::new(target.out, target.format, known))
        .collect();
    let is_held = options.stored.is_some();
    let mut run = UnderWay::new(writers, is_held, failures);
    for left_out in &ground.left_out {
        run.skip(left_out.clone());
    }
    let mut written = Ok(());
    for (input, fate) in ground.inputs.iter().zip(fates) {
        written = match fate {
            Some(fate) => run.take(input, fate, &judge),
            None => run.take_lines(input, &judge).inspect(|()| manner.progress.file()),
        };
        if written.is_err() {
            break;
        }
    }
    let looked = run.looked(ground);
    let complaint = run.is_stored_of_several();
    if complaint.is_none() && written.is_ok() && manner.hides != Hides::Nothing {
        written = run.upkeep(ground, &looked, &looks, manner.least);
    }
    manner.progress.clear();
    let UnderWay { writers, held, summary, skipped, failures, found, checked, .. } = run;
    if complaint.is_none() && written.is_ok() {
        written = finish(writers, held, &skipped, &failures, &summary);
    }
    Survey { summary, failures, found, looked, checked, complaint, written }
}

/// A run under way.
struct UnderWay<'o> {
    writers: Vec<FindingsWriter<'o>>,
    /// What is to be written once it is known that what is stored was given for one document only; `None` where nothing was
    /// given.
    held: Option<Vec<(Vec<Rendered>, Standing)>>,
    /// How many documents are judged against what is stored, and in how many files.
    changes: u64,
    changed_files: u64,
    summary: Summary,
    skipped: Vec<Skipped>,
    failures: Vec<Failure>,
    found: Found,
    /// The suppressions that were of use, by the numbers of their configurations.
    used: Vec<Used>,
    checked: Vec<Seen>,
    /// The files that were found, and hold no document of ours.
    passed_over: Vec<String>,
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
}

impl FileUnderWay {
    fn new(input: &Input, judge: &Judge<'_>) -> Self {
        let configuration = judge.project.number(&input.absolute).unwrap_or_default();
        let seen = Seen { absolute: input.absolute.clone(), ..Seen::default() };
        Self { configuration, seen, ..Self::default() }
    }
}

impl<'o> UnderWay<'o> {
    fn new(writers: Vec<FindingsWriter<'o>>, is_held: bool, failures: Vec<Failure>) -> Self {
        Self {
            writers,
            held: is_held.then(Vec::new),
            changes: 0,
            changed_files: 0,
            summary: Summary::default(),
            skipped: Vec::new(),
            failures,
            found: Found::default(),
            used: Vec::new(),
            checked: Vec::new(),
            passed_over: Vec::new(),
        }
    }

    fn skip(&mut self, file: Skipped) {
        self.skipped.push(file);
        self.summary.skipped += 1;
    }

    fn pass_over(&mut self, input: &Input, file: Skipped) {
        self.passed_over.push(input.absolute.clone());
        self.skip(file);
    }

    fn take(&mut self, input: &Input, fate: Fate, judge: &Judge<'_>) -> io::Result<()> {
        match fate {
            Fate::Checked(CheckedFile { documents, found, failures }) => {
                let mut file = FileUnderWay::new(input, judge);
                documents
                    .into_iter()
                    .try_for_each(|document| self.take_one(document, &mut file))?;
                for failure in failures {
                    // Documents may share a file that cannot be used.
                    if !self.failures.contains(&failure) {
                        self.failures.push(failure);
                    }
                }
                self.close(file, found);
            }
            Fate::Skipped(file) => self.pass_over(input, file),
            Fate::Failed(failure) => self.failures.push(failure),
        }
        Ok(())
    }

    /// Checks a file of lines a batch at a time.
    fn take_lines(&mut self, input: &Input, judge: &Judge<'_>) -> io::Result<()> {
        let Some(about) = judge.about(input) else {
            self.pass_over(input, unconfigured(input));
            return Ok(());
        };
        let mut lines = match input.open() {
            Ok(bytes) => LineReader::new(bytes),
            Err(failure) => {
                self.failures.push(failure);
                return Ok(());
            }
        };
        let failures = self.failures.len();
        let mut file = FileUnderWay::new(input, judge);
        // Findings of the same value are told apart by their order, so a baseline wants the lines one by one.
        let mut baseline = judge.baseline(input);
        loop {
            let batch = match lines.next_batch() {
                Ok(Some(batch)) => batch,
                Ok(None) => break,
                Err(error) => {
                    self.failures.push(input.fail(&error));
                    break;
                }
            };
            let judged: Vec<_> = if batch.lines.len() < FEW || baseline.is_some() {
                let lines = batch.lines.iter();
                lines.map(|line| judge.line(&about, &batch, line, baseline.as_mut())).collect()
            } else {
                let lines = batch.lines.par_iter();
                lines.map(|line| judge.line(&about, &batch, line, None)).collect()
            };
            for judged in judged {
                match judged {
                    Ok(Some(document)) => self.take_one(document, &mut file)?,
                    Ok(None) => {}
                    Err(failure) => self.failures.push(failure),
                }
            }
        }
        let found = baseline.map(FileBaseline::into_found).unwrap_or_default();
        let has_failed = self.failures.len() > failures;
        if file.is_begun || (input.is_named && !has_failed) {
            self.close(file, found);
        } else if !has_failed {
            self.pass_over(input, foreign(input));
        }
        Ok(())
    }

    /// A file that was checked is done.
    fn close(&mut self, file: FileUnderWay, found: Vec<Entry>) {
        self.summary.files += 1;
        let FileUnderWay { configuration, undecided, seen, .. } = file;
        self.found.entries.extend(found.into_iter().map(|entry| (configuration, entry)));
        if !undecided.is_empty() {
            self.found.undecided.insert(seen.absolute.clone(), undecided);
        }
        self.checked.push(seen);
    }

    fn take_one(&mut self, document: Judged, file: &mut FileUnderWay) -> io::Result<()> {
        let Summary { errors, warnings, infos, suppressed, baselined, .. } = document.counts;
        file.seen.findings += errors + warnings + infos + suppressed + baselined;
        *file.seen.kinds.entry(document.kind).or_default() += 1;
        self.summary += document.counts;
        if self.used.len() <= file.configuration {
            self.used.resize(file.configuration + 1, Used::default());
        }
        if let Some(used) = self.used.get_mut(file.configuration) {
            used.add(document.used);
        }
        if document.kind.has_settings() {
            self.changes += 1;
            self.changed_files += u64::from(!mem::replace(&mut file.has_changes, true));
        }
        file.undecided.extend(document.undecided);
        let is_begun = mem::replace(&mut file.is_begun, true);
        let standing = if is_begun { Standing::Further } else { Standing::First };
        self.hand_on(document.rendered, standing)
    }

    /// Writes what was found in a document, or keeps it until it can be written.
    fn hand_on(&mut self, rendered: Vec<Rendered>, standing: Standing) -> io::Result<()> {
        match &mut self.held {
            // There will be a complaint, and nothing else.
            Some(held) if self.changes > 1 => held.clear(),
            Some(held) => held.push((rendered, standing)),
            None => add(&mut self.writers, rendered, standing)?,
        }
        Ok(())
    }

    /// What was looked at. Where something has failed, nobody knows what a folder holds.
    fn looked(&self, ground: &Ground) -> Looked {
        let folders = if self.failures.is_empty() { ground.folders.clone() } else { Vec::new() };
        let files: BTreeSet<String> =
            self.checked.iter().map(|seen| seen.absolute.clone()).collect();
        let mut others: BTreeSet<String> =
            self.passed_over.iter().chain(&ground.passed_over).cloned().collect();
        for (_, configuration) in ground.project.configurations() {
            let named = configuration.suppressed_files();
            let unseen = named.filter(|file| !files.contains(*file) && Path::new(file).exists());
            // A folder that is named has been looked at or has not, as others have.
            others.extend(unseen.filter(|file| !Path::new(file).is_dir()).map(str::to_owned));
        }
        Looked { folders, files, others }
    }

    /// Writes what is to be said of the configurations themselves.
    fn upkeep(
        &mut self,
        ground: &Ground,
        looked: &Looked,
        looks: &[(Format, Style)],
        least: Severity,
    ) -> io::Result<()> {
        let nothing = Used::default();
        let all: Vec<_> = ground
            .project
            .configurations()
            .map(|(number, it)| (it, self.used.get(number).unwrap_or(&nothing).clone()))
            .collect();
        let mut told = Vec::new();
        for (configuration, _) in &all {
            let used = configuration.gather(all.iter().map(|(other, used)| (*other, used)));
            for file in configuration.upkeep(&used, looked, ground.today) {
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
        looks: &[(Format, Style)],
        least: Severity,
    ) -> io::Result<()> {
        // A configuration is no document.
        let mut counts = Summary::default();
        counts.add(&file.report);
        self.summary += Summary { documents: 0, faulty: 0, ..counts };
        file.report.diagnostics.retain(|found| found.severity >= least);
        let path = ground.project.shown(&file.path);
        let checked = Checked::new(&path, &file.text, &file.report);
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

/// Hands what was found in a document to each writer.
fn add(
    writers: &mut [FindingsWriter<'_>],
    rendered: Vec<Rendered>,
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
    held: Option<Vec<(Vec<Rendered>, Standing)>>,
    skipped: &[Skipped],
    failures: &[Failure],
    summary: &Summary,
) -> io::Result<()> {
    for (rendered, standing) in held.into_iter().flatten() {
        add(&mut writers, rendered, standing)?;
    }
    writers.into_iter().try_for_each(|writer| writer.finish(skipped, failures, summary))
}
