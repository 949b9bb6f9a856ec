//! `voxlint adopt`: writes what was changed in the service into documents and their text files.

use std::io::{self, Write as _};

use serde_json::{Value, json};
use voxlint::counted;
use voxlint_config::RuleSelection;
use voxlint_project::{
    AdoptOptions as Adoption, AdoptRun, AdoptedDocument, Entry, EntryKind, FileChange, Prefer,
};
use voxlint_report::{Masked, escape_json, escape_terminal};

use super::check::print_notices;
use super::plan::planning::{base, session};
use crate::args::{AdoptOptions, PreferredSide, TextOrJson};
use crate::exit::Exit;
use crate::find::find_files;
use crate::fixes::shown;
use crate::outputs::ReportWriter;
use crate::progress::Progress;
use crate::terminal::{print_error, print_failures, style_of_stdout};

/// The version of the JSON.
const SCHEMA_VERSION: u32 = 1;

/// The JSON Schema of what `--format json` writes.
pub(crate) const SCHEMA: &str = include_str!("adopt.schema.json");

pub(crate) fn run(options: &AdoptOptions) -> Exit {
    try_run(options).unwrap_or_else(|message| {
        print_error(&message);
        Exit::Failed
    })
}

fn try_run(options: &AdoptOptions) -> Result<Exit, String> {
    let (input, adopted) = (&options.states.input, &options.adopted);
    let may_be_empty = adopted.allow_empty || input.only_documents;
    let mut session = session(&options.states, RuleSelection::default(), may_be_empty)?;
    let mut files = find_files(&mut session, input, options.color.when)?;
    let adoption = Adoption {
        prefer: adopted.prefer.map(|side| match side {
            PreferredSide::Service => Prefer::Theirs,
            PreferredSide::Document => Prefer::Ours,
        }),
        settings: adopted.settings.clone(),
        removes: adopted.remove,
        with_secrets: adopted.with_secrets,
    };
    let mut out = ReportWriter::new("standard output", io::stdout().lock());
    let (mut masked, style) = (Masked::default(), style_of_stdout(options.color.when));
    let mut diff = |change: &FileChange<'_>| {
        let change = shown(change, &style);
        masked.add(change.masked);
        if adopted.shows_diff {
            // A failure is reported when the writer is finished.
            let _ = out.write_all((change.header + &change.hunks).as_bytes());
        }
    };
    let writes = !adopted.shows_diff && !adopted.check;
    let show: Option<&mut dyn FnMut(&FileChange<'_>)> = if writes { None } else { Some(&mut diff) };
    let progress = Progress::of(files.len(), options.quiet.quiet);
    let base = base(&options.states);
    let run = session.adopt_files(&mut files, &base, &adoption, show, &|| progress.file());
    progress.clear();
    let run = run.map_err(|error| error.to_string())?;
    match options.output.format {
        TextOrJson::Json if !adopted.shows_diff => {
            let text = format!("{:#}\n", json_of(&run));
            let _ = out.write_all(escape_json(&text).as_bytes());
        }
        TextOrJson::Full if !adopted.shows_diff => {
            let _ = out.write_all(text_of(&run).as_bytes());
        }
        _ => {}
    }
    out.finish()?;
    print_failures(&run.result.failures);
    if !options.quiet.quiet {
        print_notices(&run.result.notices);
        let line = summary(&run, writes);
        let _ = writeln!(io::stderr(), "{}", escape_terminal(&line));
    }
    if let Some(notice) = masked.notice().filter(|_| adopted.shows_diff) {
        print_error(&format!("{notice}, so it cannot be applied: run without --diff"));
    }
    let is_empty = run.updates == 0 && !may_be_empty && run.result.failures.is_empty();
    if is_empty {
        print_error("no updates found, so nothing was adopted (--allow-empty accepts that)");
    }
    if is_empty || !run.result.failures.is_empty() {
        return Ok(Exit::Failed);
    }
    let is_left = entries(&run).any(|entry| entry.kind.is_left());
    Ok(if is_left || (!writes && run.files > 0) { Exit::Findings } else { Exit::Clean })
}

fn entries(run: &AdoptRun) -> impl Iterator<Item = &Entry> {
    run.documents.iter().flat_map(|document| &document.entries)
}

fn text_file<'d>(document: &'d AdoptedDocument, entry: &Entry) -> Option<&'d str> {
    Some(document.text_files.get(usize::from(entry.text_file?))?)
}

fn text_of(run: &AdoptRun) -> String {
    let mut text = String::new();
    for document in &run.documents {
        if !text.is_empty() {
            text.push('\n');
        }
        text.extend([&*escape_terminal(&document.name), "\n"]);
        for entry in &document.entries {
            let sign = if entry.kind.is_left() { "! " } else { "  " };
            let label = match entry.kind {
                EntryKind::Conflict => "conflict: ",
                _ => "",
            };
            let file = text_file(document, entry).filter(|_| entry.kind == EntryKind::Adopted);
            let file = file.map(|file| format!(" (in {file})")).unwrap_or_default();
            let line = format!("{label}{}{file}", entry.sentence);
            text.extend(["  ", sign, &*escape_terminal(&line), "\n"]);
        }
    }
    text
}

fn summary(run: &AdoptRun, writes: bool) -> String {
    let count = |is: &dyn Fn(&Entry) -> bool| entries(run).filter(|entry| is(entry)).count() as u64;
    let adopted = count(&|entry| entry.kind == EntryKind::Adopted);
    let verb = if writes { "adopted" } else { "would adopt" };
    let mut parts = vec![if adopted > 0 {
        let files = counted(run.files as u64, "file");
        format!("{verb} {} in {files}", counted(adopted, "setting"))
    } else {
        format!("nothing to adopt in {}", counted(run.updates, "document"))
    }];
    let conflicts = count(&|entry| entry.kind == EntryKind::Conflict);
    if conflicts > 0 {
        parts.push(format!("{} left (--prefer decides)", counted(conflicts, "conflict")));
    }
    let others = count(&|entry| entry.kind.is_left()) - conflicts;
    if others > 0 {
        parts.push(format!("{} not written", counted(others, "setting")));
    }
    if run.without_base > 0 {
        let documents = counted(run.without_base, "document");
        parts.push(format!(
            "no base for {documents}, so nothing tells who changed what (--base names one)"
        ));
    }
    if run.without_stored > 0 {
        parts.push(format!(
            "{} without a stored configuration",
            counted(run.without_stored, "document")
        ));
    }
    parts.join("; ")
}

fn json_of(run: &AdoptRun) -> Value {
    let entry = |document: &AdoptedDocument, entry: &Entry| {
        json!({
            "kind": EntryKind::name(entry.kind),
            "field": entry.field,
            "text_file": text_file(document, entry),
            "base": entry.base,
            "document": entry.document,
            "stored": entry.stored,
            "message": entry.sentence,
        })
    };
    let documents = run.documents.iter().map(|document| {
        let entries = document.entries.iter().map(|it| entry(document, it));
        json!({ "name": &*document.name, "changes": entries.collect::<Vec<_>>() })
    });
    let failures = run
        .result
        .failures
        .iter()
        .map(|failure| json!({ "path": failure.path, "message": failure.message }));
    json!({
        "schema": SCHEMA_VERSION,
        "files": run.files,
        "updates": run.updates,
        "without_base": run.without_base,
        "without_stored": run.without_stored,
        "documents": documents.collect::<Vec<_>>(),
        "failures": failures.collect::<Vec<_>>(),
    })
}
