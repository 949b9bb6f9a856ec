use std::io::{self, BufWriter, IsTerminal as _, Write as _};
use std::panic;
use std::time::Instant;

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use voxlint::{Document, DocumentKind, Source};
use voxlint_report::{
    Checked, Failure, Rendered, Skipped, Style, Summary, render, summary_line, write_findings,
};

use super::after_writing;
use crate::Outcome;
use crate::args::CheckOptions;
use crate::files::{self, Input};
use crate::partners::{PartnerFiles, Partners};
use crate::terminal::{complain, style_of_stderr, style_of_stdout};

/// Below this many files a second thread costs more to start than it saves.
const FEW: usize = 4;

/// What became of one file.
enum Fate {
    Checked(Rendered, Summary, DocumentKind),
    Skipped(Skipped),
    Failed(Failure),
}

pub(crate) fn run(options: &CheckOptions) -> Outcome {
    let started = Instant::now();
    if files::name_stdin_twice(options.partners.paths().chain(&options.paths)) {
        complain(files::ONE_STDIN);
        return Outcome::Failed;
    }
    let (mut inputs, mut failures) = files::find(&options.paths, options.stdin_filename.as_deref());
    // What documents are checked against lies beside them often, and is no document of its own then.
    let partners: Vec<_> = options.partners.paths().map(|path| files::named(path, None)).collect();
    inputs.retain(|input| input.is_named || partners.iter().all(|it| it.path != input.path));
    // A run that fails for what is undecided has to say what that is.
    let lists_undecided = options.show_undecided || options.require_decided;
    let style = Style { undecided: lists_undecided, ..style_of_stdout(options.color) };
    let files = PartnerFiles::read(&options.partners, &mut failures);
    let sources = files.sources();
    let partners = Partners::parse(&sources, &options.partners, options.color, &mut failures);

    // A fault of voxlint's own fails one file, and the others are checked all the same.
    let judge = |input: &Input| {
        panic::catch_unwind(|| check(input, options, &partners, &style)).unwrap_or_else(|_| {
            Fate::Failed(Failure {
                path: input.shown.clone(),
                message: "internal error".to_owned(),
            })
        })
    };
    let fates: Vec<Fate> = if inputs.len() < FEW {
        inputs.iter().map(judge).collect()
    } else {
        inputs.par_iter().map(judge).collect()
    };

    let mut summary = Summary::default();
    let (mut rendered, mut skipped, mut changes) = (Vec::new(), Vec::new(), 0);
    for fate in fates {
        match fate {
            Fate::Checked(piece, counts, kind) => {
                changes += u32::from(kind.has_settings());
                rendered.push(piece);
                summary += counts;
            }
            Fate::Skipped(file) => skipped.push(file),
            Fate::Failed(failure) => failures.push(failure),
        }
    }
    summary.skipped = skipped.len() as u32;
    if options.partners.stored.is_some() && changes > 1 {
        complain(&format!(
            "--stored holds what one document changes, and {changes} were found: name one of them"
        ));
        return Outcome::Failed;
    }

    let mut out = BufWriter::new(io::stdout().lock());
    let written =
        write_findings(&mut out, options.format, &rendered, &skipped, &failures, &summary)
            .and_then(|()| out.flush());
    for failure in &failures {
        complain(&format!("{}: {}", failure.path, failure.message));
    }
    if !options.quiet {
        summarise(&summary, &failures, started, options);
    }
    after_writing(written, outcome(&summary, &failures, options))
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

fn check(input: &Input, options: &CheckOptions, partners: &Partners<'_>, style: &Style) -> Fate {
    let bytes = match input.read() {
        Ok(bytes) => bytes,
        Err(failure) => return Fate::Failed(failure),
    };
    let source = Source::from_bytes(&bytes);
    let document = Document::parse(&source);
    let recognised = document.recognise();
    if recognised.is_none() && !input.is_named && options.kind.is_none() {
        return Fate::Skipped(Skipped {
            path: input.shown.clone(),
            why: "not an agent document".to_owned(),
        });
    }
    let kind = options.kind.or(recognised).unwrap_or(DocumentKind::Update);
    let report = voxlint::check(&partners.inputs(&document).kind(kind));

    let mut summary = Summary { files: 1, ..Summary::default() };
    summary.add(&report);
    let beside = partners.list();
    let checked = Checked::new(&input.shown, source.text(), &report).with(&beside);
    Fate::Checked(render(options.format, style, &checked), summary, kind)
}
