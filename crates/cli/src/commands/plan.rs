//! `voxlint plan`: shows and saves what would change if all documents were sent now.

pub(super) mod planning;
mod saved;
mod verify;

use std::io::{self, Write as _};

use voxlint::{Severity, counted};
use voxlint_bindings::plan_report;
use voxlint_project::paths::absolute;
use voxlint_project::{
    FileEntry, FileRole, FileSet, FileStatus, PlanFolder, PlanRun, Session, SkipReason,
};
use voxlint_report::{
    PlanFormat, PlanReport, RenderOptions, escape_json, escape_terminal, plan_summary, write_plan,
};

use self::planning::{plan_files, plan_session};
use self::saved::SavedPlan;
use super::check::print_notices;
use crate::args::{PlanAction, PlanCommand, PlanFailure, PlanOptions};
use crate::exit::Exit;
use crate::find::find_files;
use crate::outputs::{self, NamedOutput, ReportFile, ReportWriter};
use crate::progress::Progress;
use crate::terminal::{documentation, print_error, print_failures, style_of_stdout};

pub(crate) fn run(command: &PlanCommand) -> Exit {
    let done = match &command.action {
        Some(PlanAction::Verify(options)) => verify::run(options),
        None => plan(&command.options),
    };
    done.unwrap_or_else(|message| {
        print_error(&message);
        Exit::Failed
    })
}

fn plan(options: &PlanOptions) -> Result<Exit, String> {
    let input = &options.inputs.states.input;
    let may_be_empty = options.exit.allow_empty || input.only_documents;
    let mut session = plan_session(&options.inputs, may_be_empty)?;
    let mut files = find_files(&mut session, input, options.color.when)?;
    let folder = open_folder(options, &session, &mut files)?;
    let outputs = options.output.files.iter();
    let outputs: Vec<NamedOutput<'_>> = outputs
        .map(|output| NamedOutput { format: output.format.name(), path: &output.path })
        .collect();
    let reports = outputs::open(&outputs, &session, &mut files)?;

    let progress = Progress::of(files.len(), options.quiet.quiet);
    let run = plan_files(&mut session, &mut files, &options.inputs, &|| progress.file());
    progress.clear();
    let run = run?;
    let lacks_report = reports.iter().any(Option::is_none);
    let mut unwritten = write_reports(&run, options, reports);
    let is_empty = is_empty(&run, options);
    print_failures(&run.result.failures);
    if !options.quiet.quiet {
        print_notices(&run.result.notices);
        print_rest(&run, options);
    }
    if is_empty {
        print_error("no updates found, so nothing was planned (--allow-empty accepts that)");
    }
    let has_failed = is_empty || !run.result.failures.is_empty();
    if let Some(folder) = folder {
        let saved = if has_failed {
            Err("the plan was not saved, because it is not complete".to_owned())
        } else {
            save(folder, &run).map_err(|why| format!("--out {why}"))
        };
        unwritten.extend(saved.err());
    }
    for message in &unwritten {
        print_error(message);
    }
    if has_failed || lacks_report || !unwritten.is_empty() {
        return Ok(Exit::Failed);
    }
    Ok(if fails(&run, options) { Exit::Findings } else { Exit::Clean })
}

/// Opens the folder of `--out`. The bodies of an earlier plan in it are not planned.
fn open_folder(
    options: &PlanOptions,
    session: &Session,
    files: &mut FileSet,
) -> Result<Option<PlanFolder>, String> {
    let Some(path) = &options.output.out else { return Ok(None) };
    if let Some(objection) = session.configurations().objection_to_writing(path) {
        return Err(format!("--out {} {objection}", path.display()));
    }
    let folder = PlanFolder::open(path, |bytes| Some(SavedPlan::parse(bytes).ok()?.bodies))
        .map_err(|error| format!("--out {error}"))?;
    files.take_folder(&absolute(path), FileRole::Report);
    Ok(Some(folder))
}

/// Writes the bodies and `plan.json`.
fn save(folder: PlanFolder, run: &PlanRun) -> Result<(), String> {
    let plan = format!("{:#}\n", SavedPlan::of(run)?);
    folder
        .save(&PlanFolder::bodies(&run.plan), escape_json(&plan).as_bytes())
        .map_err(|error| error.to_string())
}

/// Writes the plan in every format that was asked for. Returns the messages about what could not be written.
fn write_reports(
    run: &PlanRun,
    options: &PlanOptions,
    mut reports: Vec<Option<ReportFile>>,
) -> Vec<String> {
    let mut unwritten = Vec::new();
    let mut out = ReportWriter::new("standard output", io::stdout().lock());
    plan_report(run, |report| {
        let report = PlanReport { documentation: documentation(), ..report };
        let mut write = |format: PlanFormat, style: &RenderOptions, out: &mut dyn io::Write| {
            // A failed write is kept by the writer.
            if let Err(error) = write_plan(out, format, &report, style) {
                unwritten.push(format!("the plan: {error}"));
            }
        };
        write(options.output.format, &style_of_stdout(options.color.when), &mut out);
        for (output, file) in options.output.files.iter().zip(&mut reports) {
            if let Some(file) = file {
                write(output.format, &RenderOptions::default(), file);
            }
        }
    });
    unwritten.extend(out.finish().err());
    unwritten.extend(reports.into_iter().flatten().filter_map(|report| report.replace().err()));
    unwritten
}

/// Whether there was nothing to plan, and that is a failure.
fn is_empty(run: &PlanRun, options: &PlanOptions) -> bool {
    let may_be_empty = options.exit.allow_empty
        || options.inputs.states.input.only_documents
        || run.result.statuses.unchanged_files() > 0;
    run.updates == 0 && run.result.failures.is_empty() && !may_be_empty
}

/// Prints what the plan leaves out, and its summary if standard output is for programs.
fn print_rest(run: &PlanRun, options: &PlanOptions) {
    let mut parts = Vec::new();
    if options.output.format != PlanFormat::Full {
        parts.push(plan_summary(&run.plan));
    }
    if run.others > 0 {
        parts.push(format!("{} of other kinds not planned", counted(run.others, "document")));
    }
    let unchanged = run.result.statuses.unchanged_files() as u64;
    if unchanged > 0 {
        parts.push(format!("{} left out", counted(unchanged, "unchanged file")));
    }
    let is_new =
        |file: &&FileEntry| matches!(&file.status, FileStatus::Skipped(SkipReason::NotIn(_)));
    let new = run.result.statuses.files.iter().filter(is_new).map(|file| &*file.shown);
    let new: Vec<&str> = new.collect();
    if let Some(to) = options.inputs.to.as_ref().filter(|_| !new.is_empty()) {
        parts.push(format!("not in {to}, so their agents stay as they are: {}", new.join(", ")));
    }
    if !parts.is_empty() {
        // A failure to write to standard error cannot be reported.
        let _ = writeln!(io::stderr(), "{}", escape_terminal(&parts.join(" · ")));
    }
}

/// Whether the plan fails the run.
fn fails(run: &PlanRun, options: &PlanOptions) -> bool {
    let (counts, agents) = (run.plan.counts, &run.plan.agents);
    let exit = &options.exit;
    let has_error = || {
        let mut found = agents.iter().flat_map(|agent| &agent.findings);
        found.any(|finding| finding.diagnostic.severity == Severity::Error)
    };
    let is_undecided = || {
        counts.depends + counts.no_stored_state > 0
            || agents.iter().any(|agent| !agent.undecided.is_empty())
    };
    counts.refused > 0
        || has_error()
        || (exit.require_decided && is_undecided())
        || (exit.fail_on.contains(&PlanFailure::Danger) && counts.dangers > 0)
        || (exit.fail_on.contains(&PlanFailure::Drift) && counts.drifted > 0)
}
