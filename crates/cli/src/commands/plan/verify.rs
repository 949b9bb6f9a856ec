//! `voxlint plan verify`: whether the inputs of a saved plan are what they were, and give the plan and its bodies again.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value;
use voxlint::counted;
use voxlint_project::paths::absolute;
use voxlint_project::{
    Failure, FileRole, FileSet, InputChange, InputChangeKind, PlanFolder, Session,
    describe_io_error,
};
use voxlint_report::{escape_json, escape_terminal};

use super::compare::{EntryChange, OF_THE_BASE};
use super::saved::{Again, SavedPlanFile};
use super::{arguments, project_options};
use crate::Exit;
use crate::args::{ColorArgument, RecordedOptions, TextOrJson, VerifyOptions};
use crate::commands::after_writing;
use crate::findings::find_files;
use crate::options::lint_options;
use crate::terminal::print_failures;

/// The most characters of a value that are shown: texts can be long.
const MOST_CHARACTERS: usize = 100;

pub(super) fn run(options: &VerifyOptions) -> Result<Exit, String> {
    let shown = options.plan.display();
    let path =
        if options.plan.is_dir() { options.plan.join("plan.json") } else { options.plan.clone() };
    let bytes =
        fs::read(&path).map_err(|error| format!("{shown}: {}", describe_io_error(&error)))?;
    let plan = SavedPlanFile::parse(&bytes)
        .map_err(|why| format!("{shown}: cannot be used as a saved plan: {why}"))?;
    plan.check_version().map_err(|why| format!("{shown}: {why}"))?;
    // The folder of a bare file name is empty.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = PathBuf::from(absolute(folder.unwrap_or(Path::new("."))));
    match verify(&plan, &folder, options) {
        Ok(found) => {
            let text = match options.output.format {
                TextOrJson::Full => in_words(&plan, &found),
                TextOrJson::Json => in_json(&found),
            };
            let written = io::stdout().lock().write_all(text.as_bytes());
            let exit = if found.is_valid() { Exit::Clean } else { Exit::Findings };
            Ok(after_writing(written, exit))
        }
        Err(Problem::Files(failures)) => {
            print_failures(&failures);
            Ok(Exit::Failed)
        }
        Err(Problem::Run(message)) => Err(message),
    }
}

/// Why a plan cannot be verified.
enum Problem {
    Files(Vec<Failure>),
    Run(String),
}

impl From<String> for Problem {
    fn from(message: String) -> Self {
        Self::Run(message)
    }
}

/// What is not as it was when the plan was saved.
struct Found {
    /// Inputs and bodies.
    changes: Vec<InputChange>,
    /// Entries of `plan.json` that planning again does not give. They are only looked for if no input has changed.
    entries: Vec<EntryChange>,
    /// Whether the base is a commit that is not there, so that what only it decides was not compared.
    is_without_base: bool,
}

impl Found {
    fn is_valid(&self) -> bool {
        self.changes.is_empty() && self.entries.is_empty()
    }
}

/// Compares a saved plan with its inputs. The run continues in the working directory of the plan, so that its arguments lead
/// to the same files.
fn verify(plan: &SavedPlanFile, folder: &Path, options: &VerifyOptions) -> Result<Found, Problem> {
    let root = match &options.root {
        Some(root) => absolute(root),
        None => absolute(&folder.join(&plan.root)),
    };
    let from = Path::new(&root).join(&plan.from);
    env::set_current_dir(&from).map_err(|error| {
        format!("{}: {} (--root names another folder)", from.display(), describe_io_error(&error))
    })?;
    let recorded = arguments::parse(&plan.arguments)
        .ok_or_else(|| "the `arguments` of the plan are not those of `voxlint plan`".to_owned())?;
    let RecordedOptions { inputs, changed, rules } = &recorded;
    let mut lint = lint_options(&inputs.input, &inputs.configuration);
    lint.selection = rules.selection();
    lint.allow_empty = true;
    let mut session = Session::once(lint.clone());
    let find = |session: &mut Session| {
        let mut files = find_files(session, &inputs.input, ColorArgument::Auto)?;
        files.take_folder(&absolute(folder), FileRole::Report);
        Ok::<FileSet, String>(files)
    };
    let mut files = find(&mut session)?;
    let mut project = project_options(inputs, true);
    project.skips_commits = true;
    project.root = Some(root.clone());
    let mut changes =
        session.changed_inputs(&mut files, &project, &plan.inputs).map_err(Problem::Files)?;
    let has_changed = !changes.is_empty();
    let bodies = PlanFolder::changed_bodies(folder, &plan.bodies);
    changes.extend(bodies.map_err(|error| error.to_string())?);
    if has_changed {
        return Ok(Found { changes, entries: Vec::new(), is_without_base: false });
    }
    if changed.changed_since.is_some() {
        lint.changed_since.clone_from(&changed.changed_since);
    }
    project.commits = plan.commits.iter().cloned().collect();
    let mut plan_again = |skips_commits| {
        let mut session = Session::once(lint.clone());
        let mut files = find(&mut session)?;
        project.skips_commits = skips_commits;
        let again = session.plan_files(&mut files, &project, &|| ());
        again.map_err(|error| error.to_string())
    };
    let (again, is_without_base) = match plan_again(false) {
        Ok(again) => (again, false),
        Err(_) => (plan_again(true).map_err(|why| not_again(&why))?, true),
    };
    if !again.result.failures.is_empty() {
        return Err(Problem::Files(again.result.failures));
    }
    let again = Again {
        run: &again,
        options: &recorded,
        has_base: !is_without_base,
        is_other_root: options.root.is_some(),
    };
    let entries = plan.differences(&again, (&root, folder))?;
    Ok(Found { changes, entries, is_without_base })
}

/// Why the plan cannot be compared with one of the same inputs.
fn not_again(why: &str) -> String {
    format!("no input has changed, but they cannot be planned again to verify the plan: {why}")
}

fn in_words(plan: &SavedPlanFile, found: &Found) -> String {
    let Found { changes, entries, is_without_base } = found;
    if found.is_valid() {
        let inputs = counted(plan.inputs.len() as u64, "input");
        let bodies = match plan.bodies.len() {
            1 => "1 body".to_owned(),
            count => format!("{count} bodies"),
        };
        let found = format!("nothing has changed since the plan was saved: {inputs}, {bodies}\n");
        let without_base =
            format!("not compared, because the commit of the base is not there: {OF_THE_BASE}\n");
        return if *is_without_base { found + &without_base } else { found };
    }
    let mut text = String::new();
    for change in changes {
        let InputChange { path, role, kind, .. } = change;
        let what = match kind {
            InputChangeKind::Changed => "changed",
            InputChangeKind::Missing => "missing",
            InputChangeKind::Added => "added",
            InputChangeKind::Unplanned => "no longer planned",
            other => other.name(),
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{what}: {} ({role})", escape_terminal(path));
    }
    for change in entries {
        let _ = writeln!(text, "{}", escape_terminal(&entry_in_words(change)));
    }
    if !entries.is_empty() {
        text.push_str(
            "plan.json is not what planning the same inputs gives: do not send it, and run `voxlint plan` again\n",
        );
        return text;
    }
    let is_missing = |change: &&InputChange| change.kind == InputChangeKind::Missing;
    if changes.iter().filter(is_missing).count() >= plan.inputs.len() {
        text.push_str("no input was found: --root names the folder that they are in\n");
    } else {
        text.push_str("the plan is out of date: run `voxlint plan` again, and review it\n");
    }
    text
}

/// What differs in an entry, in one line.
fn entry_in_words(change: &EntryChange) -> String {
    let EntryChange { entry, agent, recorded, planned } = change;
    let place = match agent {
        Some(agent) => format!("plan.json: {entry} ({agent})"),
        None => format!("plan.json: {entry}"),
    };
    let shown = |value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let rest = if text.chars().nth(MOST_CHARACTERS).is_some() { "…" } else { "" };
        let text: String = text.chars().take(MOST_CHARACTERS).collect();
        format!("`{text}{rest}`")
    };
    match (recorded.as_ref().map(shown), planned.as_ref().map(shown)) {
        (Some(recorded), Some(planned)) => {
            format!("{place} is {recorded}, and planning again gives {planned}")
        }
        (Some(recorded), None) => {
            format!("{place} is {recorded}, and planning again gives none")
        }
        (None, planned) => {
            let planned = planned.unwrap_or_default();
            format!("{place} is missing, and planning again gives {planned}")
        }
    }
}

/// The changes as JSON, one in a line.
fn in_json(found: &Found) -> String {
    let text = |text: &str| Value::from(text).to_string();
    let change = |it: &InputChange| {
        let (path, role, kind) = (text(&it.path), text(it.role), text(it.kind.name()));
        format!("\n    {{ \"path\": {path}, \"role\": {role}, \"change\": {kind} }}")
    };
    let or_null = |it: &Option<Value>| it.as_ref().map_or("null".to_owned(), Value::to_string);
    let entry = |it: &EntryChange| {
        let (entry, agent) = (text(&it.entry), Value::from(it.agent.clone()));
        let (recorded, planned) = (or_null(&it.recorded), or_null(&it.planned));
        format!(
            "\n    {{ \"entry\": {entry}, \"agent\": {agent}, \"recorded\": {recorded}, \"planned\": {planned} }}"
        )
    };
    let list = |lines: Vec<String>| {
        let end = if lines.is_empty() { "" } else { "\n  " };
        format!("[{}{end}]", lines.join(","))
    };
    let changes = list(found.changes.iter().map(change).collect());
    let entries = list(found.entries.iter().map(entry).collect());
    let tool =
        format!("{{ \"name\": \"voxlint\", \"version\": {} }}", text(env!("CARGO_PKG_VERSION")));
    let (valid, without_base) = (found.is_valid(), found.is_without_base);
    let json = format!(
        "{{\n  \"schema\": 1,\n  \"tool\": {tool},\n  \"valid\": {valid},\n  \"without_base\": {without_base},\n  \"changes\": {changes},\n  \"entries\": {entries}\n}}\n"
    );
    escape_json(&json)
}
