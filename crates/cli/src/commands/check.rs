use std::env;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::Instant;

use voxlint::Severity;
use voxlint_report::{
    FailedFile, OutputFormat, RenderOptions, RunSummary, escape_terminal, summary_line,
};

use crate::Outcome;
use crate::args::CheckOptions;
use crate::baselines::{no_such_baseline, stale};
use crate::ground::{Ground, Request};
use crate::judge::Hides;
use crate::outputs::{self, ReportWriter, is_stdout_a_file};
use crate::progress::Progress;
use crate::replace::Draft;
use crate::survey::{Manner, NOTHING, Survey, Target, survey};
use crate::terminal::{complain, style_of_stderr, style_of_stdout};

pub(crate) fn run(options: &CheckOptions) -> Outcome {
    let started = Instant::now();
    let (fails_on, least) = (fails_on(options), Severity::from(options.output.min_severity));
    let request = Request {
        subject: &options.input,
        configuration: &options.configuration,
        rules: &options.rules,
        baseline: &options.baseline,
        color: options.color.when,
    };
    let (mut ground, mut reports) = match prepare(options, request, least > fails_on) {
        Ok(prepared) => prepared,
        Err(complaint) => {
            complain(&complaint);
            return Outcome::Failed;
        }
    };

    let progress = Progress::of(ground.inputs.len() + ground.related.len(), options.quiet.quiet);
    // A run that fails for what is undecided has to say what that is.
    let undecided = options.output.show_undecided || options.exit.require_decided;
    let suppressed = options.output.show_suppressed;
    let style = RenderOptions { undecided, suppressed, ..style_of_stdout(options.color.when) };
    let mut out = ReportWriter::new("standard output", progress.before(io::stdout().lock()));
    let mut annotations = Vec::new();
    let mut targets = vec![Target { format: options.output.format, style, out: &mut out }];
    for (output, report) in options.output.files.iter().zip(&mut reports) {
        let style = RenderOptions { undecided, suppressed, ..RenderOptions::default() };
        targets.push(Target { format: output.format, style, out: report });
    }
    if wants_annotations(options) {
        let style = RenderOptions::default();
        targets.push(Target { format: OutputFormat::Github, style, out: &mut annotations });
    }
    let hides = if options.baseline.no_suppressions { Hides::Nothing } else { Hides::Known };
    let manner = Manner { hides, least, allows_empty: allows_empty(options), progress: &progress };
    let Survey { summary, failures, accounts, notices, found, looked, complaint, written, .. } =
        survey(&mut ground, request, manner, &mut targets);
    if let Some(complaint) = complaint {
        complain(&complaint);
        return Outcome::Failed;
    }
    let mut unwritten: Vec<String> = Vec::new();
    unwritten.extend(written.err().map(|error| format!("a report: {error}")));
    unwritten.extend(out.finish().err());
    unwritten.extend(reports.into_iter().filter_map(|report| report.replace().err()));
    let is_empty = summary.documents == 0 && failures.is_empty() && !allows_empty(options);
    let says_more =
        !options.quiet.quiet || options.output.show_files || is_empty || !failures.is_empty();
    // What is said next to findings on the same terminal stands apart from them.
    if summary.faulty > 0 && io::stdout().is_terminal() && says_more {
        let _ = writeln!(io::stderr());
    }
    for failure in &failures {
        complain(&format!("{}: {}", failure.path, failure.message));
    }
    // There is nobody to tell if that fails.
    let _ = io::stderr().write_all(&annotations);
    if options.output.show_files {
        let mut lines: Vec<(String, String)> =
            accounts.files.iter().map(|file| (file.shown.clone(), file.to_string())).collect();
        let unvisited = ground.unvisited(&options.input).into_iter();
        lines.extend(unvisited.map(|(shown, why)| {
            let line = format!("skipped {shown}: {why}");
            (shown, line)
        }));
        lines.sort();
        for (_, line) in lines {
            let _ = writeln!(io::stderr(), "{}", escape_terminal(&line));
        }
    }
    if is_empty && options.quiet.quiet {
        complain(NOTHING);
    }
    if !options.quiet.quiet {
        for notice in &notices {
            complain(notice);
        }
        let is_watched = io::stderr().is_terminal();
        // Where nobody is watching, the same input gives the same bytes: no time is told.
        let elapsed = is_watched.then(|| started.elapsed());
        let line = summary_line(&summary, elapsed, &style_of_stderr(options.color.when));
        let _ = writeln!(io::stderr(), "{line}");
        if is_empty {
            let _ = io::stderr().write_all(WHAT_TO_DO.as_bytes());
        }
        let gone: usize =
            if hides == Hides::Known { stale(&ground, &found, &looked).count() } else { 0 };
        if gone > 0 {
            let entries = if gone == 1 { "1 entry" } else { &format!("{gone} entries") };
            complain(&format!(
                "{entries} of the baseline matched nothing: `voxlint baseline prune` removes them"
            ));
        }
    }
    for complaint in &unwritten {
        complain(complaint);
    }
    if is_empty || !unwritten.is_empty() {
        return Outcome::Failed;
    }
    outcome(&summary, &failures, options, fails_on)
}

/// Finds what is to be checked, and opens the reports.
///
/// # Errors
///
/// What is wrong with what was asked for: then nothing is checked.
fn prepare(
    options: &CheckOptions,
    request: Request<'_>,
    hides_failing: bool,
) -> Result<(Ground, Vec<ReportWriter<Draft>>), String> {
    if hides_failing {
        return Err(
            "--min-severity would hide findings that fail the run: raise --fail-on as well"
                .to_owned(),
        );
    }
    if let Some(file) = options.baseline.file.baseline.as_deref().filter(|file| !file.exists()) {
        return Err(no_such_baseline(file));
    }
    let mut ground = Ground::prepare(request)?;
    let reports = outputs::open(&options.output.files, &options.input, &mut ground)?;
    Ok((ground, reports))
}

/// What to do then.
const WHAT_TO_DO: &str = "\
Nothing was checked, so the run fails. An agent document is JSON, YAML or TOML
with fields of an agent at the top level:
  { \"version_number\": 3, \"prompt_text\": \"You are the front desk of a clinic.\" }
What may help:
  voxlint check --show-files    list what was skipped, and why
  voxlint check FILE            check a file whatever it looks like
  voxlint init                  declare which files are documents
  voxlint check --allow-empty   accept a run in which nothing was checked
";

/// Whether a run may check nothing: somebody has said so, or pre-commit has passed some of the files.
fn allows_empty(options: &CheckOptions) -> bool {
    options.exit.allow_empty || options.input.only_documents
}

/// Whether annotations are added: under GitHub Actions, beside findings that people read in the log of the job. They go to
/// standard error, which the runner reads, too, so that nothing is added to what a pipe takes.
fn wants_annotations(options: &CheckOptions) -> bool {
    let is_for_people = matches!(
        options.output.format,
        OutputFormat::Full | OutputFormat::Concise | OutputFormat::Grouped
    );
    is_for_people
        && env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
        && options.output.files.iter().all(|output| output.format != OutputFormat::Github)
        && !is_stdout_a_file()
}

fn fails_on(options: &CheckOptions) -> Severity {
    if options.exit.strict { Severity::Warning } else { options.exit.fail_on.into() }
}

fn outcome(
    summary: &RunSummary,
    failures: &[FailedFile],
    options: &CheckOptions,
    fails_on: Severity,
) -> Outcome {
    let counts = [
        (Severity::Error, summary.errors),
        (Severity::Warning, summary.warnings),
        (Severity::Info, summary.infos),
    ];
    let fails = counts.iter().any(|(severity, count)| *severity >= fails_on && *count > 0)
        || (options.exit.require_decided && summary.undecided > 0);
    if !failures.is_empty() {
        Outcome::Failed
    } else if fails && !options.exit.exit_zero {
        Outcome::Findings
    } else {
        Outcome::Clean
    }
}
