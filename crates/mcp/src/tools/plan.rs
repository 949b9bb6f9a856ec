//! The tool `plan`: what would change if all documents were sent.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::Value;
use voxlint::counted;
use voxlint_bindings::plan_report;
use voxlint_project::{BaseSource, LintOptions};
use voxlint_report::{PlanFormat, plan_schema, write_plan};

use crate::answer::{Answer, WrongUse};
use crate::arguments::{Argument, ArgumentKind, Arguments};
use crate::tool::Tool;
use crate::workspace::{FACTS_PATH, Workspace, failures_text, style, written};

static PATHS: Argument = Argument::optional(
    "paths",
    ArgumentKind::Names,
    "Files and folders to plan, absolute or relative to the first folder of the server. Default: all folders of the server.",
);

pub(super) static TOOL: Tool = Tool {
    name: "plan",
    title: "Plan what publishing would change",
    description: "Shows what would change if all agent documents in files or folders were sent to the service now: for each agent the outcome (no change, update, publish, rejected, may be rejected, no stored configuration), the changes with the dangerous ones marked, what callers hear now and then of greetings with branches, and the order to send them in; and what no document shows alone, such as two documents for one phone number. Use it before a person publishes several agents, or to review a change to a repository.

The stored configuration of each document is the file that `stored` in voxlint.toml names; a document without one has the outcome no-stored-state. Nothing is sent, git is not asked, and no bodies are shown: `voxlint plan --out` saves them for a person. `structuredContent` is the JSON of `voxlint plan --no-base --format json`. Secrets are masked.",
    arguments: &[&PATHS, &FACTS_PATH],
    output_schema: Some(output_schema),
    run,
};

fn output_schema() -> Value {
    let mut schema: Value = serde_json::from_str(plan_schema()).unwrap_or_default();
    // A client that compiles the schema again after it has listed the tools once more rejects a second one with the same id.
    if let Some(schema) = schema.as_object_mut() {
        schema.remove("$id");
    }
    schema
}

fn run(workspace: &Workspace, arguments: &Arguments<'_>) -> Result<Answer, WrongUse> {
    let mut paths: Vec<PathBuf> = Vec::new();
    for path in arguments.texts(PATHS.name) {
        paths.push(workspace.path(PATHS.name, path)?);
    }
    if paths.is_empty() {
        paths = workspace.folders();
    }
    let mut options = LintOptions::default();
    let facts = arguments.text(FACTS_PATH.name);
    options.related.facts = facts.map(|path| workspace.path(FACTS_PATH.name, path)).transpose()?;
    let mut session = workspace.session(options);
    let mut files = session.find_files(&paths).map_err(|error| error.to_string())?;
    let run = session.plan_files(&mut files, &BaseSource::None, &|| ());
    let run = run.map_err(|error| error.to_string())?;
    if run.updates == 0 {
        let mut why = failures_text(&run.result.failures);
        why.push_str("no updates found, so nothing was planned");
        if run.others > 0 {
            let others = counted(run.others, "document");
            // Writing to a string cannot fail.
            let _ = write!(why, "; {others} of other kinds not planned");
        }
        return Err(why);
    }
    let (json, mut text) = plan_report(&run, |report| {
        let form = |format| written(|out| write_plan(out, format, &report, &style()));
        (form(PlanFormat::Json), form(PlanFormat::Full))
    });
    if !run.result.failures.is_empty() {
        text.push('\n');
        text.push_str(&failures_text(&run.result.failures));
        text.push_str("the plan is not complete\n");
    }
    Ok(Answer::with_json(&text, json.as_bytes()))
}
