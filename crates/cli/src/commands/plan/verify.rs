//! `voxlint plan verify`: whether planning still gives a saved plan and its bodies.

use std::io::{self, Write as _};
use std::path::Path;

use serde_json::json;
use voxlint::counted;
use voxlint_project::paths::absolute;
use voxlint_project::{BodyChange, BodyChangeKind, FileRole, PlanFolder};
use voxlint_report::{escape_json, escape_terminal};

use super::planning::{plan_files, plan_session};
use super::saved::{Change, SCHEMA_VERSION, SavedPlan};
use crate::args::{ColorArgument, TextOrJson, VerifyOptions};
use crate::commands::after_writing;
use crate::exit::Exit;
use crate::find::find_files;
use crate::terminal::print_failures;

/// The most characters of a line that are shown: it may be any text.
const MOST_CHARACTERS: usize = 400;

/// The most differences that are shown to people.
const MOST_DIFFERENCES: usize = 50;

/// The most bodies, and the most entries, that are listed in JSON.
const MOST_LISTED: usize = 1_000;

pub(super) fn run(options: &VerifyOptions) -> Result<Exit, String> {
    let VerifyOptions { plan: path, inputs, output } = options;
    let bytes = PlanFolder::read_plan(path).map_err(|error| error.to_string())?;
    let shown = path.display();
    let plan = SavedPlan::parse(&bytes)
        .map_err(|why| format!("{shown}: cannot be used as a saved plan: {why}"))?;
    plan.check_version().map_err(|why| format!("{shown}: {why}"))?;
    // The folder of a bare file name is empty.
    let folder = if path.is_dir() { Some(&**path) } else { path.parent() };
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    let folder = absolute(folder.unwrap_or(Path::new(".")));

    let mut session = plan_session(inputs, true)?;
    let mut files = find_files(&mut session, &inputs.states.input, ColorArgument::Auto)?;
    files.take_folder(&folder, FileRole::Report);
    let run = plan_files(&mut session, &mut files, inputs, &|| ())?;
    if !run.result.failures.is_empty() {
        print_failures(&run.result.failures);
        return Ok(Exit::Failed);
    }
    let bodies = PlanFolder::bodies(&run.plan);
    let changes = PlanFolder::changed_bodies(Path::new(&folder), &bodies);
    let changes = changes.map_err(|error| error.to_string())?;
    let entries = plan.differences(&SavedPlan::of(&run)?);
    let valid = changes.is_empty() && entries.is_empty();
    let text = match output.format {
        TextOrJson::Full if valid => {
            let bodies = match bodies.len() {
                1 => "1 body".to_owned(),
                count => format!("{count} bodies"),
            };
            let agents = counted(run.plan.agents.len() as u64, "agent");
            format!("nothing has changed since the plan was saved: {agents}, {bodies}\n")
        }
        TextOrJson::Full => in_words(&changes, &entries, &plan.arguments),
        TextOrJson::Json => {
            let more = |count: usize| count.saturating_sub(MOST_LISTED);
            let changes_listed = changes
                .iter()
                .take(MOST_LISTED)
                .map(|it| json!({ "path": it.file, "role": "body", "change": it.kind.name() }));
            let mut report = json!({
                "schema": SCHEMA_VERSION,
                "tool": { "name": "voxlint", "version": env!("CARGO_PKG_VERSION") },
                "valid": valid,
                "changes": changes_listed.collect::<Vec<_>>(),
                "entries": entries.iter().take(MOST_LISTED).collect::<Vec<_>>(),
            });
            let unlisted = more(changes.len()) + more(entries.len());
            if let Some(report) = report.as_object_mut().filter(|_| unlisted > 0) {
                report.insert("unlisted".to_owned(), unlisted.into());
            }
            format!("{}\n", escape_json(&format!("{report:#}")))
        }
    };
    let written = io::stdout().lock().write_all(text.as_bytes());
    Ok(after_writing(written, if valid { Exit::Clean } else { Exit::Findings }))
}

fn in_words(bodies: &[BodyChange], entries: &[Change], arguments: &[String]) -> String {
    let bodies = bodies.iter().map(|BodyChange { file, kind }| {
        let what = match kind {
            BodyChangeKind::Changed => "is not what would be sent now",
            BodyChangeKind::Missing => "is missing",
            BodyChangeKind::Added => "would not be sent now",
        };
        format!("{file}: {what}")
    });
    let agents = entries.chunk_by(|one, other| one.agent == other.agent).flat_map(|entries| {
        let agent = entries.first().and_then(|entry| entry.agent.as_deref());
        let heading = format!("{}:", agent.unwrap_or("plan.json"));
        [heading].into_iter().chain(entries.iter().flat_map(Change::lines))
    });
    let mut lines: Vec<String> = bodies.chain(agents).map(|line| shortened(&line)).collect();
    let more = lines.len().saturating_sub(MOST_DIFFERENCES);
    lines.truncate(MOST_DIFFERENCES);
    if more > 0 {
        lines.push(format!("and {}", counted(more as u64, "more line")));
    }
    let verdict =
        "the saved plan (-) is not what planning gives now (+): do not send it, and plan again";
    let made_with = shortened(&in_shell(arguments));
    let made_with = format!(
        "it was made with `voxlint {made_with}`; to verify it, give the same paths and options"
    );
    lines.extend([verdict.to_owned(), made_with]);
    lines.iter().fold(String::new(), |text, line| text + &escape_terminal(line) + "\n")
}

/// Arguments as a shell reads them.
fn in_shell(arguments: &[String]) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || "-_=./:@,+".contains(char);
    let quoted = arguments.iter().map(|argument| {
        if !argument.is_empty() && argument.chars().all(is_plain) {
            return argument.clone();
        }
        format!("'{}'", argument.replace('\'', r"'\''"))
    });
    quoted.collect::<Vec<_>>().join(" ")
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MOST_CHARACTERS) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}
