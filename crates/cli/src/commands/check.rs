//! `voxlint check`: lints files and prints the findings.

use std::collections::BTreeSet;
use std::env;
use std::io::{self, BufRead as _, IsTerminal as _, Write};
use std::iter;
use std::time::Instant;

use serde_json::json;
use voxlint::Severity;
use voxlint_config::{Configuration, to_toml};
use voxlint_project::paths::{join, working_directory};
use voxlint_project::{
    FileSet, FileStatuses, InputFile, Notice, RunResult, Session, StdinFormat, SuppressionMode,
    begins_with_document, describe_io_error,
};
use voxlint_report::{OutputFormat, RenderOptions, RunSummary, escape_terminal, summary_line};

use crate::args::{CheckOptions, FailOn};
use crate::exit::Exit;
use crate::find::find_files;
use crate::findings::{NOTHING, OutputSpec, ReportOptions, RunReport, is_empty, lint_and_report};
use crate::fixes::{self, FixRun};
use crate::judge::Own;
use crate::options::{baseline_options, lint_options};
use crate::outputs::{self, NamedOutput, ReportFile, ReportWriter, is_stdout_a_file};
use crate::progress::Progress;
use crate::terminal::{print_error, print_failures, style_of_stderr, style_of_stdout};

/// How many loosened settings are listed. The summary counts all.
const MOST_LOOSENED: usize = 50;

pub(crate) fn run(options: &CheckOptions) -> Exit {
    check(options).unwrap_or_else(|message| {
        print_error(&message);
        Exit::Failed
    })
}

fn check(options: &CheckOptions) -> Result<Exit, String> {
    let started = Instant::now();
    let mut session = session(options)?;
    let own = own(options, &mut session)?;
    let mode = options.fixes;
    if mode.is_on() {
        fixes::keep_stdin(&session, &options.input)?;
        check_stored(&mut session, options)?;
    }
    let (mut files, mut reports) = prepare(&mut session, options)?;
    let mut unwritten: Vec<String> = Vec::new();
    let fixed = mode.is_on().then(|| fix(&session, &files, options, &mut unwritten));

    let progress = Progress::of(files.len(), options.quiet.quiet);
    let undecided = lists_undecided(options);
    let suppressed = options.output.show_suppressed;
    // A program that writes documents to standard input has to know which lines of the report answer which of them.
    let is_lines = |file: &InputFile| file.path.is_none() && file.has_document_per_line();
    let document_lines = files.inputs().iter().any(is_lines);
    let listing =
        |style: RenderOptions| RenderOptions { undecided, suppressed, document_lines, ..style };
    // The document itself is on standard output.
    let is_on_stderr = mode.writes() && reads_stdin(options);
    let stream: Box<dyn Write> =
        if is_on_stderr { Box::new(io::stderr()) } else { Box::new(io::stdout().lock()) };
    let mut out = ReportWriter::new("standard output", progress.before(stream));
    let mut annotations = Vec::new();
    let mut specs = Vec::new();
    let color = options.color.when;
    if writes_report(options) {
        let style = if is_on_stderr { style_of_stderr(color) } else { style_of_stdout(color) };
        let (format, style) = (options.output.format, listing(style));
        specs.push(OutputSpec { format, style, out: &mut out });
    }
    let lacks_report = reports.iter().any(Option::is_none);
    for (output, report) in options.output.files.iter().zip(&mut reports) {
        let Some(report) = report else { continue };
        let style = listing(RenderOptions::default());
        specs.push(OutputSpec { format: output.format, style, out: report });
    }
    if mode.reports_the_rest() && wants_annotations(options) {
        let style = RenderOptions::default();
        specs.push(OutputSpec { format: OutputFormat::Github, style, out: &mut annotations });
    }
    let report_options = ReportOptions {
        min_severity: options.output.min_severity.into(),
        allow_empty: allows_empty(options),
        progress: &progress,
        own: own.as_ref(),
        fixes: fixed.as_ref().map(|fixed| &fixed.result),
        fixed_safety: mode.writes().then(|| mode.safety()),
    };
    let report = lint_and_report(&session, &mut files, &options.input, report_options, &mut specs)?;
    let RunReport { result, summary, loosened, written } = report;
    unwritten.extend(written.err().map(|error| format!("a report: {error}")));
    unwritten.extend(out.finish().err());
    unwritten.extend(reports.into_iter().flatten().filter_map(|report| report.replace().err()));
    let has_failed = !result.failures.is_empty();
    let is_empty = is_empty(&summary) && !has_failed && !allows_empty(options);
    let has_messages = !options.quiet.quiet || options.output.show_files || is_empty || has_failed;
    // An empty line separates findings from messages on the same terminal.
    if summary.faulty > 0 && io::stdout().is_terminal() && has_messages {
        let _ = writeln!(io::stderr());
    }
    print_failures(&result.failures);
    // A failure to write to standard error cannot be reported.
    let _ = io::stderr().write_all(&annotations);
    if options.output.show_files {
        print_files(&result.statuses, &mut session, &files);
    }
    let sessions: Vec<&Session> =
        iter::once(&session).chain(own.as_ref().map(|own| &own.session)).collect();
    let missing = missing(options, &sessions, &result)?;
    print_errors(&missing);
    print_loosened(&loosened, options);
    // What is said about settings is said about those of the working tree.
    let (settings, result) =
        own.as_ref().map_or((&session, &result), |own| (&own.session, &own.result));
    if options.quiet.quiet {
        if is_empty {
            print_error(NOTHING);
        }
    } else {
        print_notices(&result.notices);
        print_summary(&summary, started, fixed.as_ref(), options);
        if is_empty {
            let _ = io::stderr().write_all(WHAT_TO_DO.as_bytes());
        }
        print_stale_entries(settings, own.as_ref().map_or(&files, |own| &own.files), result);
    }
    if let Some(fixed) = &fixed {
        fixed.print_kept();
    }
    print_errors(&unwritten);
    let is_complete = missing.is_empty() && unwritten.is_empty();
    if is_empty || has_failed || lacks_report || !is_complete {
        return Ok(Exit::Failed);
    }
    Ok(match fixed {
        Some(fixed) if mode.diff => {
            let would_fix = fixed.result.files > 0 && !options.exit.exit_zero;
            if would_fix { Exit::Findings } else { Exit::Clean }
        }
        _ if !mode.reports_the_rest() => Exit::Clean,
        _ => exit_by_findings(&summary, options),
    })
}

/// The check with the settings of the working tree, if the run has those of another commit or folder.
fn own(options: &CheckOptions, session: &mut Session) -> Result<Option<Own>, String> {
    let Some(name) = &options.settings_from else { return Ok(None) };
    if reads_stdin(options) {
        let message = "--settings-from applies to files, and not to standard input: name a file";
        return Err(message.to_owned());
    }
    let lint = session.options().clone();
    Own::check(name, lint, (&options.input, options.color.when), session).map(Some)
}

fn print_errors<'m>(messages: impl IntoIterator<Item = &'m String>) {
    for message in messages {
        print_error(message);
    }
}

fn print_loosened(loosened: &[String], options: &CheckOptions) {
    if options.quiet.quiet && !fails_on_loosened(options) {
        return;
    }
    for it in loosened.iter().take(MOST_LOOSENED) {
        print_error(&format!("loosened: {it}"));
    }
    if let Some(more) = loosened.len().checked_sub(MOST_LOOSENED).filter(|it| *it > 0) {
        print_error(&format!("loosened: {more} more"));
    }
}

/// Prints the summary of a run: of what was found, or only of what was fixed.
fn print_summary(
    summary: &RunSummary,
    started: Instant,
    fixed: Option<&FixRun>,
    options: &CheckOptions,
) {
    let mode = options.fixes;
    if let Some(fixed) = fixed.filter(|_| !mode.reports_the_rest() && summary.documents > 0) {
        return fixed.print_summary(mode, summary);
    }
    let is_terminal = io::stderr().is_terminal();
    // Redirected output is the same for the same input, so it does not contain the time.
    let elapsed = is_terminal.then(|| started.elapsed());
    let undecided = lists_undecided(options);
    let style = RenderOptions { undecided, ..style_of_stderr(options.color.when) };
    let _ = writeln!(io::stderr(), "{}", summary_line(summary, elapsed, &style));
}

/// Applies or shows the mode. Adds what could not be written to `unwritten`.
fn fix(
    session: &Session,
    files: &FileSet,
    options: &CheckOptions,
    unwritten: &mut Vec<String>,
) -> FixRun {
    let style = style_of_stdout(options.color.when);
    let mut out = ReportWriter::new("standard output", io::stdout().lock());
    let min_severity = options.output.min_severity.into();
    let fixed = fixes::run(session, files, options.fixes, min_severity, &style, &mut out);
    unwritten.extend(out.finish().err());
    if options.fixes.writes() && reads_stdin(options) {
        unwritten.extend(fixes::write_stdin(session).err());
    }
    fixed
}

/// Whether undecided rules are listed. A run that fails on them has to.
const fn lists_undecided(options: &CheckOptions) -> bool {
    options.output.show_undecided || options.exit.require_decided
}

/// Whether one of the files to check is standard input.
fn reads_stdin(options: &CheckOptions) -> bool {
    options.input.paths().iter().any(|path| path.as_os_str() == "-")
}

/// Checks that `--stored` was given for one document before anything is fixed.
///
/// # Errors
///
/// If it was given for several.
fn check_stored(session: &mut Session, options: &CheckOptions) -> Result<(), String> {
    if options.input.context.stored.is_none() {
        return Ok(());
    }
    // What is wrong with the files is reported later.
    let Ok(mut files) = session.find_files(&options.input.paths()) else { return Ok(()) };
    let progress = Progress::of(0, true);
    let report_options = ReportOptions::every_finding(&progress);
    lint_and_report(session, &mut files, &options.input, report_options, &mut []).map(drop)
}

/// The session of a check.
///
/// # Errors
///
/// If the options do not fit each other.
fn session(options: &CheckOptions) -> Result<Session, String> {
    if Severity::from(options.output.min_severity) > fails_on(options) {
        return Err(
            "--min-severity would hide findings that fail the run: lower it, or raise --fail-on (instead of --strict)"
                .to_owned(),
        );
    }
    if options.fixes.unsafe_fixes && !options.fixes.is_on() {
        return Err("--unsafe-fixes needs --fix to apply fixes, or --diff to show them".to_owned());
    }
    let mut lint = lint_options(&options.input, &options.configuration);
    options.gate.apply(&mut lint.related);
    lint.selection = options.rules.selection();
    baseline_options(&options.baseline, &mut lint)?;
    lint.allow_empty = allows_empty(options);
    lint.changed_since.clone_from(&options.changed.changed_since);
    let mut start = Vec::new();
    if may_be_lines(options) {
        start = first_line_of_stdin()?;
        if begins_with_document(&start) {
            lint.read.stdin_format = StdinFormat::of_name("ndjson");
        }
    }
    let session = Session::once(lint);
    session.file_system().give_back_stdin(start);
    Ok(session)
}

/// Whether standard input is read as one document per line if it begins with a line that is a document: who asks for one line per
/// finding may send one line per document, and waits for the answer to each.
fn may_be_lines(options: &CheckOptions) -> bool {
    options.output.format == OutputFormat::Ndjson
        && reads_stdin(options)
        && !options.input.stdin.is_given()
        && !options.fixes.is_on()
        // These are for one document.
        && options.input.context.stored.is_none()
        && options.input.kind.is_none()
}

/// The first line of standard input that is not blank, with those before it.
fn first_line_of_stdin() -> Result<Vec<u8>, String> {
    let mut start = Vec::new();
    let mut stdin = io::stdin().lock();
    loop {
        let from = start.len();
        let count = stdin.read_until(b'\n', &mut start);
        let count =
            count.map_err(|error| format!("standard input: {}", describe_io_error(&error)))?;
        let line = start.get(from..).unwrap_or_default();
        if count == 0 || !line.trim_ascii().is_empty() {
            return Ok(start);
        }
    }
}

/// Finds the files to check, and opens the reports.
///
/// # Errors
///
/// If the options do not fit the files, or a report must not be written.
fn prepare(
    session: &mut Session,
    options: &CheckOptions,
) -> Result<(FileSet, Vec<Option<ReportFile>>), String> {
    let mut files = find_files(session, &options.input, options.color.when)?;
    let named = options.output.files.iter();
    let named: Vec<NamedOutput<'_>> = named
        .map(|output| NamedOutput { format: output.format.name(), path: &output.path })
        .collect();
    let reports = outputs::open(&named, session, &mut files)?;
    Ok((files, reports))
}

/// Lists the status of every file, and the files and folders that were not visited.
fn print_files(statuses: &FileStatuses, session: &mut Session, files: &FileSet) {
    let mut lines: Vec<(String, String)> =
        statuses.files.iter().map(|file| (file.shown.to_string(), file.to_string())).collect();
    let mut unvisited = session.unvisited(files);
    unvisited.retain(|(shown, _)| statuses.files.iter().all(|file| *file.shown != **shown));
    lines.extend(unvisited.into_iter().map(|(shown, why)| {
        let line = format!("skipped {shown}: {why}");
        (shown, line)
    }));
    lines.sort();
    for (_, line) in lines {
        let _ = writeln!(io::stderr(), "{}", escape_terminal(&line));
    }
}

pub(super) fn print_notices(notices: &[Notice]) {
    for notice in notices {
        match notice {
            Notice::UnmatchedConvention(convention) => {
                print_error(&format!("`--text-files {convention}` matches no file"));
            }
            notice => print_error(&notice.to_string()),
        }
    }
}

/// Prints how many baseline entries have no finding any more.
fn print_stale_entries(session: &Session, files: &FileSet, result: &RunResult) {
    if session.options().suppressions == SuppressionMode::Ignore {
        return;
    }
    let entries = match session.stale_entries(files, result).len() {
        0 => return,
        1 => "1 entry".to_owned(),
        count => format!("{count} entries"),
    };
    print_error(&format!(
        "{entries} of the baseline matched nothing: `voxlint baseline prune` removes them"
    ));
}

/// Help for a run in which nothing was checked.
const WHAT_TO_DO: &str = "\
Nothing was checked, so the run fails. An agent document is JSON, YAML or TOML
with fields of an agent at the top level:
  { \"version_number\": 3, \"prompt_text\": \"You are the front desk of a clinic.\" }
What may help:
  voxlint check --show-files    list what was skipped, and why
  voxlint check FILE            check a file even if it is not recognized
  voxlint init                  declare which files are documents
  voxlint check --allow-empty   accept a run in which nothing was checked
";

/// Whether a run in which nothing was checked may pass: with `--allow-empty`, or if a hook named the files.
fn allows_empty(options: &CheckOptions) -> bool {
    options.exit.allow_empty || options.input.only_documents
}

/// Whether annotations are added: under GitHub Actions, beside findings in a text format. They are written to standard error,
/// which the runner reads as well, so that a pipe does not receive them.
fn wants_annotations(options: &CheckOptions) -> bool {
    let is_text = matches!(
        options.output.format,
        OutputFormat::Full | OutputFormat::Concise | OutputFormat::Grouped
    );
    is_text
        && env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
        && options.output.files.iter().all(|output| output.format != OutputFormat::Github)
        && !is_stdout_a_file()
}

/// Whether the run writes a report: with `--fix-only` only where one document holds everything about the run, since a program
/// that reads JSON cannot read an empty text.
const fn writes_report(options: &CheckOptions) -> bool {
    let mode = options.fixes;
    let is_of_run = matches!(options.output.format, OutputFormat::Json | OutputFormat::Ndjson);
    mode.reports_the_rest() || (mode.fix_only && is_of_run)
}

/// The lowest severity that fails the run.
fn fails_on(options: &CheckOptions) -> Severity {
    let lowest = options.exit.fail_on.iter().map(|it| Severity::from(*it)).min();
    if options.exit.strict { Severity::Warning } else { lowest.unwrap_or(Severity::Error) }
}

/// Whether the run fails on settings that check less than those that judge it.
fn fails_on_loosened(options: &CheckOptions) -> bool {
    options.exit.fail_on.contains(&FailOn::Loosened)
}

/// What should have been checked, and was not, in messages.
///
/// # Errors
///
/// If a pattern is not valid.
fn missing(
    options: &CheckOptions,
    sessions: &[&Session],
    result: &RunResult,
) -> Result<BTreeSet<String>, String> {
    let checked = result.files.iter().map(|file| (&*file.absolute, file.kinds.total()));
    let unchanged = result.statuses.unchanged().map(|path| (path, 1));
    let checked: Vec<(&str, u64)> = checked.chain(unchanged).collect();
    let mut missing = BTreeSet::new();
    let mut add = |place: &str, configuration: &Configuration| {
        let all = configuration.missing(&checked).into_iter();
        missing.extend(all.map(|what| format!("{place} {what}: see --show-files")));
    };
    if !options.exit.expect.is_empty() {
        let text = format!("expect = {}", to_toml(&json!(options.exit.expect)));
        let file = join(&working_directory(), "--expect");
        let expected = Configuration::load(&file, &mut |_| Ok(text.clone()));
        add("--expect", &expected.map_err(|error| error.to_string().replace(&file, "--expect"))?);
    }
    // A hook names some of the files.
    if options.input.paths().iter().any(|path| path.is_dir()) {
        for configurations in sessions.iter().map(|session| session.configurations()) {
            for (_, it) in configurations.iter() {
                add(&it.path().map(|path| configurations.shown(path)).unwrap_or_default(), it);
            }
        }
    }
    Ok(missing)
}

/// The exit code of a run that did not fail.
fn exit_by_findings(summary: &RunSummary, options: &CheckOptions) -> Exit {
    let counts = [
        (Severity::Error, summary.errors),
        (Severity::Warning, summary.warnings),
        (Severity::Info, summary.infos),
    ];
    let fails_on = fails_on(options);
    let fails = counts.iter().any(|(severity, count)| *severity >= fails_on && *count > 0)
        || (options.exit.require_decided && summary.undecided > 0)
        || (fails_on_loosened(options) && summary.loosened.is_some_and(|count| count > 0));
    if fails && !options.exit.exit_zero { Exit::Findings } else { Exit::Clean }
}
