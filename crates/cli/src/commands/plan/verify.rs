//! `voxlint plan verify`: whether the inputs and bodies of a saved plan are what they were.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde_json::Value;
use voxlint::counted;
use voxlint_project::paths::absolute;
use voxlint_project::{
    Failure, FileRole, InputChange, InputChangeKind, PlanFolder, Session, describe_io_error,
};
use voxlint_report::{escape_json, escape_terminal};

use super::saved::SavedPlanFile;
use super::{arguments, project_options};
use crate::Exit;
use crate::args::{ColorArgument, TextOrJson, VerifyOptions};
use crate::commands::after_writing;
use crate::findings::find_files;
use crate::options::lint_options;
use crate::terminal::print_failures;

pub(super) fn run(options: &VerifyOptions) -> Result<Exit, String> {
    let shown = options.plan.display();
    let path =
        if options.plan.is_dir() { options.plan.join("plan.json") } else { options.plan.clone() };
    let bytes =
        fs::read(&path).map_err(|error| format!("{shown}: {}", describe_io_error(&error)))?;
    let plan = SavedPlanFile::parse(&bytes)
        .map_err(|why| format!("{shown}: cannot be used as a saved plan: {why}"))?;
    // The folder of a bare file name is empty.
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = PathBuf::from(absolute(folder.unwrap_or(Path::new("."))));
    match changes(&plan, &folder, options) {
        Ok(changes) => {
            let text = match options.output.format {
                TextOrJson::Full => in_words(&plan, &changes),
                TextOrJson::Json => in_json(&changes),
            };
            let written = io::stdout().lock().write_all(text.as_bytes());
            let exit = if changes.is_empty() { Exit::Clean } else { Exit::Findings };
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

/// What differs from the saved plan. The run continues in the working directory of the plan, so that its arguments lead to the
/// same files.
fn changes(
    plan: &SavedPlanFile,
    folder: &Path,
    options: &VerifyOptions,
) -> Result<Vec<InputChange>, Problem> {
    let root = match &options.root {
        Some(root) => absolute(root),
        None => absolute(&folder.join(&plan.root)),
    };
    let from = Path::new(&root).join(&plan.from);
    env::set_current_dir(&from).map_err(|error| {
        format!(
            "{}: {} (--root names another directory)",
            from.display(),
            describe_io_error(&error)
        )
    })?;
    let inputs = arguments::parse(&plan.arguments)
        .ok_or_else(|| "the `arguments` of the plan are not those of `voxlint plan`".to_owned())?;
    let mut lint = lint_options(&inputs.input, &inputs.configuration);
    lint.allow_empty = true;
    let mut session = Session::once(lint);
    let mut files = find_files(&mut session, &inputs.input, ColorArgument::Auto)?;
    files.take_folder(&absolute(folder), FileRole::Report);
    let mut project = project_options(&inputs, true);
    project.skips_commits = true;
    project.root = Some(root);
    let mut changes =
        session.changed_inputs(&mut files, &project, &plan.inputs).map_err(Problem::Files)?;
    let bodies = PlanFolder::changed_bodies(folder, &plan.bodies);
    changes.extend(bodies.map_err(|error| error.to_string())?);
    Ok(changes)
}

fn in_words(plan: &SavedPlanFile, changes: &[InputChange]) -> String {
    if changes.is_empty() {
        let inputs = counted(plan.inputs.len() as u64, "input");
        let bodies = match plan.bodies.len() {
            1 => "1 body".to_owned(),
            count => format!("{count} bodies"),
        };
        return format!("nothing has changed since the plan was saved: {inputs}, {bodies}\n");
    }
    let mut text = String::new();
    for change in changes {
        let InputChange { path, role, kind } = change;
        let what = match kind {
            InputChangeKind::Changed => "changed",
            InputChangeKind::Missing => "missing",
            InputChangeKind::Added => "added",
            _ => "no longer planned",
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{what}: {} ({role})", escape_terminal(path));
    }
    let is_missing = |change: &&InputChange| change.kind == InputChangeKind::Missing;
    if changes.iter().filter(is_missing).count() >= plan.inputs.len() {
        text.push_str("no input was found: --root names the directory that they are in\n");
    } else {
        text.push_str("the plan is out of date: run `voxlint plan` again, and review it\n");
    }
    text
}

/// The changes as JSON, one in a line.
fn in_json(changes: &[InputChange]) -> String {
    let text = |text: &str| Value::from(text).to_string();
    let change = |it: &InputChange| {
        let (path, role, kind) = (text(&it.path), text(it.role), text(it.kind.name()));
        format!("\n    {{ \"path\": {path}, \"role\": {role}, \"change\": {kind} }}")
    };
    let lines = changes.iter().map(change).collect::<Vec<_>>().join(",");
    let end = if changes.is_empty() { "" } else { "\n  " };
    let tool =
        format!("{{ \"name\": \"voxlint\", \"version\": {} }}", text(env!("CARGO_PKG_VERSION")));
    let valid = changes.is_empty();
    let json = format!(
        "{{\n  \"schema\": 1,\n  \"tool\": {tool},\n  \"valid\": {valid},\n  \"changes\": [{lines}{end}]\n}}\n"
    );
    escape_json(&json)
}
