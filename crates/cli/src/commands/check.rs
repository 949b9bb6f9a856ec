use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::mem;
use std::time::Instant;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use voxlint_report::{Failure, FindingsWriter, Rendered, Skipped, Style, Summary, summary_line};

use super::after_writing;
use crate::Outcome;
use crate::args::CheckOptions;
use crate::files::{self, Input, Reading};
use crate::judge::{Fate, Judge, Judged, foreign};
use crate::lines::LineReader;
use crate::partners::{PartnerFiles, Partners};
use crate::progress::Progress;
use crate::terminal::{complain, style_of_stderr, style_of_stdout};
use crate::texts;

/// Below this many files or lines a second thread costs more to start than it saves.
const FEW: usize = 4;

pub(crate) fn run(options: &CheckOptions) -> Outcome {
    let started = Instant::now();
    if files::name_stdin_twice(options.partners.paths().chain(&options.paths)) {
        complain(files::ONE_STDIN);
        return Outcome::Failed;
    }
    let reading =
        Reading { stdin_filename: options.stdin_filename.as_deref(), jsonc: options.reading.jsonc };
    let (mut inputs, mut failures) = reading.find(&options.paths);
    // What documents are checked against lies beside them often, and is no document of its own then.
    let partners: Vec<_> = options.partners.paths().map(|path| reading.named(path)).collect();
    inputs.retain(|input| input.is_named || partners.iter().all(|it| it.path != input.path));
    let texts = texts::beside(&inputs, &options.text_files);
    inputs.retain(|input| {
        input.is_named || input.path.as_ref().is_none_or(|path| !texts.contains(path))
    });
    // A run that fails for what is undecided has to say what that is.
    let lists_undecided = options.show_undecided || options.require_decided;
    let style = Style { undecided: lists_undecided, ..style_of_stdout(options.color) };
    let files = PartnerFiles::read(&options.partners, reading, &mut failures);
    let sources = files.sources();
    let partners = Partners::parse(&sources, &options.partners, options.color, &mut failures);
    let progress = Progress::of(inputs.len(), options.quiet);
    let judge = Judge { options, partners: &partners, style, progress: &progress };

    // Files of lines are read when their turn to be written has come: nothing of them has to be kept then.
    let read = |input: &Input| (!input.is_lines()).then(|| judge.file(input));
    let fates: Vec<Option<Fate>> = if inputs.len() < FEW {
        inputs.iter().map(read).collect()
    } else {
        inputs.par_iter().map(read).collect()
    };
    let mut out = BufWriter::new(progress.before(io::stdout().lock()));
    let mut run = Run::new(
        FindingsWriter::new(&mut out, options.format, voxlint_report::Run::default()),
        options,
        failures,
    );
    let mut written = Ok(());
    for (input, fate) in inputs.iter().zip(fates) {
        written = match fate {
            Some(fate) => run.take(fate),
            None => run.take_lines(input, &judge).inspect(|()| progress.file()),
        };
        if written.is_err() {
            break;
        }
    }
    progress.clear();
    if let Some(complaint) = run.is_stored_of_several() {
        complain(&complaint);
        return Outcome::Failed;
    }
    let Run { writer, held, summary, skipped, failures, .. } = run;
    let written = written
        .and_then(|()| write(writer, held, &skipped, &failures, &summary))
        .and_then(|()| out.flush());
    for failure in &failures {
        complain(&format!("{}: {}", failure.path, failure.message));
    }
    if !options.quiet {
        summarise(&summary, &failures, started, options);
    }
    after_writing(written, outcome(&summary, &failures, options))
}

/// A run under way.
struct Run<'o> {
    writer: FindingsWriter<'o>,
    /// What is to be written once it is known that what is stored was given for one document only; `None` where nothing was
    /// given.
    held: Option<Vec<(Rendered, Standing)>>,
    /// How many documents are judged against what is stored, and in how many files.
    changes: u64,
    changed_files: u64,
    summary: Summary,
    skipped: Vec<Skipped>,
    failures: Vec<Failure>,
}

/// Whether a document is the first of its file.
#[derive(Clone, Copy)]
enum Standing {
    First,
    Further,
}

impl<'o> Run<'o> {
    fn new(writer: FindingsWriter<'o>, options: &CheckOptions, failures: Vec<Failure>) -> Self {
        Self {
            writer,
            held: options.partners.stored.is_some().then(Vec::new),
            changes: 0,
            changed_files: 0,
            summary: Summary::default(),
            skipped: Vec::new(),
            failures,
        }
    }

    fn take(&mut self, fate: Fate) -> io::Result<()> {
        match fate {
            Fate::Checked(documents) => self.take_documents(documents)?,
            Fate::Skipped(file) => {
                self.skipped.push(file);
                self.summary.skipped += 1;
            }
            Fate::Failed(failure) => self.failures.push(failure),
        }
        Ok(())
    }

    fn take_documents(&mut self, documents: Vec<Judged>) -> io::Result<()> {
        let mut file = FileUnderWay::default();
        documents.into_iter().try_for_each(|document| self.take_one(document, &mut file))?;
        self.summary.files += 1;
        Ok(())
    }

    /// Checks a file of lines a batch at a time.
    fn take_lines(&mut self, input: &Input, judge: &Judge<'_>) -> io::Result<()> {
        let mut lines = match input.open() {
            Ok(bytes) => LineReader::new(bytes),
            Err(failure) => return self.take(Fate::Failed(failure)),
        };
        let failures = self.failures.len();
        let mut file = FileUnderWay::default();
        loop {
            let batch = match lines.next_batch() {
                Ok(Some(batch)) => batch,
                Ok(None) => break,
                Err(error) => {
                    self.failures.push(input.fail(&error));
                    break;
                }
            };
            let line = |line: &_| judge.line(input, &batch, line);
            let judged: Vec<_> = if batch.lines.len() < FEW {
                batch.lines.iter().map(line).collect()
            } else {
                batch.lines.par_iter().map(line).collect()
            };
            for judged in judged {
                match judged {
                    Ok(Some(document)) => self.take_one(document, &mut file)?,
                    Ok(None) => {}
                    Err(failure) => self.failures.push(failure),
                }
            }
        }
        let has_failed = self.failures.len() > failures;
        if file.is_begun || (input.is_named && !has_failed) {
            self.summary.files += 1;
            Ok(())
        } else if has_failed {
            Ok(())
        } else {
            self.take(Fate::Skipped(foreign(input)))
        }
    }

    fn take_one(&mut self, document: Judged, file: &mut FileUnderWay) -> io::Result<()> {
        self.summary += document.counts;
        if document.is_change {
            self.changes += 1;
            self.changed_files += u64::from(!mem::replace(&mut file.has_changes, true));
        }
        let is_begun = mem::replace(&mut file.is_begun, true);
        let standing = if is_begun { Standing::Further } else { Standing::First };
        match &mut self.held {
            // There will be a complaint, and nothing else.
            Some(held) if self.changes > 1 => held.clear(),
            Some(held) => held.push((document.rendered, standing)),
            None => add(&mut self.writer, document.rendered, standing)?,
        }
        Ok(())
    }

    /// What is to be said of more documents than one that `--stored` was given for.
    fn is_stored_of_several(&self) -> Option<String> {
        if self.held.is_none() || self.changes <= 1 {
            return None;
        }
        let way_out =
            if self.changed_files > 1 { "name one of them" } else { "keep one in a file" };
        Some(format!(
            "--stored holds what one document changes, and {} were found: {way_out}",
            self.changes
        ))
    }
}

/// What is known of a file after some of its documents.
#[derive(Default)]
struct FileUnderWay {
    is_begun: bool,
    has_changes: bool,
}

fn add(writer: &mut FindingsWriter<'_>, rendered: Rendered, standing: Standing) -> io::Result<()> {
    match standing {
        Standing::First => writer.add(rendered),
        Standing::Further => writer.add_record(rendered),
    }
}

/// Writes what is left to be written.
fn write(
    mut writer: FindingsWriter<'_>,
    held: Option<Vec<(Rendered, Standing)>>,
    skipped: &[Skipped],
    failures: &[Failure],
    summary: &Summary,
) -> io::Result<()> {
    for (rendered, standing) in held.into_iter().flatten() {
        add(&mut writer, rendered, standing)?;
    }
    writer.finish(skipped, failures, summary)
}

fn outcome(summary: &Summary, failures: &[Failure], options: &CheckOptions) -> Outcome {
    let fails = summary.errors > 0
        || (options.strict && summary.warnings > 0)
        || (options.require_decided && summary.undecided > 0);
    if !failures.is_empty() {
        Outcome::Failed
    } else if fails && !options.exit_zero {
        Outcome::Findings
    } else {
        Outcome::Clean
    }
}

/// One line on standard error: after findings and where what is undecided fails the run; when all is well
/// only where somebody is watching.
fn summarise(summary: &Summary, failures: &[Failure], started: Instant, options: &CheckOptions) {
    let is_watched = io::stderr().is_terminal();
    let is_empty = summary.documents == 0 && failures.is_empty();
    let fails_undecided = options.require_decided && summary.undecided > 0;
    if !is_watched && !is_empty && summary.faulty == 0 && !fails_undecided {
        return;
    }
    // Where nobody is watching, the same input gives the same bytes: no time is told.
    let elapsed = is_watched.then(|| started.elapsed());
    let line = summary_line(summary, elapsed, &style_of_stderr(options.color));
    let gap = if summary.faulty > 0 && io::stdout().is_terminal() { "\n" } else { "" };
    let _ = writeln!(io::stderr(), "{gap}{line}");
}
