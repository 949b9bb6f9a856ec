//! `voxlint plan verify`: whether planning still gives a saved plan and its bodies.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::Path;

use serde_json::Value;
use voxlint::counted;
use voxlint_project::paths::absolute;
use voxlint_project::{BodyChange, BodyChangeKind, FileRole, PlanFolder};
use voxlint_report::{escape_json, escape_terminal};

use super::compare::EntryChange;
use super::planning::{plan_files, session};
use super::saved::SavedPlanFile;
use crate::args::{ColorArgument, TextOrJson, VerifyOptions};
use crate::commands::after_writing;
use crate::exit::Exit;
use crate::find::find_files;
use crate::terminal::print_failures;

/// The most characters of a name that are shown: it may be any text.
const MOST_CHARACTERS: usize = 100;

/// The most differences that are shown to people.
const MOST_DIFFERENCES: usize = 50;

/// The most bodies, and the most entries, that are listed in JSON.
const MOST_LISTED: usize = 1_000;

/// The most characters of the arguments that are shown.
const MOST_OF_ARGUMENTS: usize = 400;

pub(super) fn run(options: &VerifyOptions) -> Result<Exit, String> {
    let VerifyOptions { plan: path, inputs, output } = options;
    let shown = path.display();
    let bytes = PlanFolder::read_plan(path).map_err(|error| error.to_string())?;
    let plan = SavedPlanFile::parse(&bytes)
        .map_err(|why| format!("{shown}: cannot be used as a saved plan: {why}"))?;
    plan.check_version().map_err(|why| format!("{shown}: {why}"))?;
    // The folder of a bare file name is empty.
    let folder = if path.is_dir() { Some(&**path) } else { path.parent() };
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    let folder = absolute(folder.unwrap_or(Path::new(".")));

    let mut session = session(inputs, true)?;
    let mut files = find_files(&mut session, &inputs.input, ColorArgument::Auto)?;
    files.take_folder(&folder, FileRole::Report);
    let run = plan_files(&mut session, &mut files, inputs, &|| ())?;
    if !run.result.failures.is_empty() {
        print_failures(&run.result.failures);
        return Ok(Exit::Failed);
    }
    let changes = PlanFolder::changed_bodies(Path::new(&folder), &run.plan);
    let found = Unverified {
        changes: changes.map_err(|error| error.to_string())?,
        entries: plan.differences(&run)?,
    };
    let text = match output.format {
        TextOrJson::Full if found.is_valid() => {
            let bodies = match PlanFolder::bodies(&run.plan).len() {
                1 => "1 body".to_owned(),
                count => format!("{count} bodies"),
            };
            let agents = counted(run.plan.agents.len() as u64, "agent");
            format!("nothing has changed since the plan was saved: {agents}, {bodies}\n")
        }
        TextOrJson::Full => in_words(&plan, &found),
        TextOrJson::Json => in_json(&found),
    };
    let written = io::stdout().lock().write_all(text.as_bytes());
    let exit = if found.is_valid() { Exit::Clean } else { Exit::Findings };
    Ok(after_writing(written, exit))
}

/// What is not as it was when the plan was saved.
struct Unverified {
    changes: Vec<BodyChange>,
    entries: Vec<EntryChange>,
}

impl Unverified {
    const fn is_valid(&self) -> bool {
        self.changes.is_empty() && self.entries.is_empty()
    }
}

fn in_words(plan: &SavedPlanFile, found: &Unverified) -> String {
    let bodies = found.changes.iter().map(|BodyChange { file, kind, .. }| {
        let what = match kind {
            BodyChangeKind::Changed => "is not what would be sent now",
            BodyChangeKind::Missing => "is missing",
            BodyChangeKind::Added => "would not be sent now",
        };
        format!("{file}: {what}")
    });
    let agents = found.entries.chunk_by(|one, other| one.agent == other.agent);
    let lines: Vec<String> = bodies.chain(agents.map(entries_in_words)).collect();
    let mut text = String::new();
    for line in lines.iter().take(MOST_DIFFERENCES) {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}", escape_terminal(line));
    }
    if lines.len() > MOST_DIFFERENCES {
        let _ = writeln!(text, "and {} more", lines.len() - MOST_DIFFERENCES);
    }
    let made_with = shortened(&in_shell(&plan.arguments), MOST_OF_ARGUMENTS);
    let _ = writeln!(
        text,
        "the saved plan is not what planning gives: do not send it, and plan again\n\
        it was made with `voxlint {}`; to verify it, give the same paths and options",
        escape_terminal(&made_with)
    );
    text
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

fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()),
        None => text.to_owned(),
    }
}

/// What differs in the entries of one agent or of the whole plan, in one line.
fn entries_in_words(entries: &[EntryChange]) -> String {
    let agent = entries.first().and_then(|entry| entry.agent.as_deref());
    let part = |entry: &EntryChange| {
        let part = entry.entry.split('/').nth(if agent.is_some() { 3 } else { 1 });
        part.map(|part| shortened(part, MOST_CHARACTERS))
    };
    let parts: BTreeSet<String> = entries.iter().filter_map(part).collect();
    let parts = parts.into_iter().collect::<Vec<_>>().join(", ");
    let differing = match entries {
        [EntryChange { recorded: None, .. }] if parts.is_empty() => "is not in the saved plan",
        [_] if parts.is_empty() => "is only in the saved plan",
        _ => "differs in",
    };
    let name = shortened(agent.unwrap_or("plan.json"), MOST_CHARACTERS);
    format!("{name}: {differing} {parts}").trim_end().to_owned()
}

/// The changes as JSON, one in a line.
fn in_json(found: &Unverified) -> String {
    let text = |text: &str| Value::from(text).to_string();
    let change = |it: &BodyChange| {
        let (path, kind) = (text(&it.file), text(it.kind.name()));
        format!("\n    {{ \"path\": {path}, \"role\": \"body\", \"change\": {kind} }}")
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
    let changes = list(found.changes.iter().take(MOST_LISTED).map(change).collect());
    let entries = list(found.entries.iter().take(MOST_LISTED).map(entry).collect());
    let more = |count: usize| count.saturating_sub(MOST_LISTED);
    let unlisted = match more(found.changes.len()) + more(found.entries.len()) {
        0 => String::new(),
        count => format!(",\n  \"unlisted\": {count}"),
    };
    let tool =
        format!("{{ \"name\": \"voxlint\", \"version\": {} }}", text(env!("CARGO_PKG_VERSION")));
    let valid = found.is_valid();
    let json = format!(
        "{{\n  \"schema\": 1,\n  \"tool\": {tool},\n  \"valid\": {valid},\n  \"changes\": {changes},\n  \"entries\": {entries}{unlisted}\n}}\n"
    );
    escape_json(&json)
}
