//! The tool `check`: the findings in a document or folder.

use std::fmt::Write as _;

use voxlint::counted;
use voxlint_bindings::{CheckedRun, check_files};
use voxlint_project::{Failure, RunResult};
use voxlint_report::{OutputFormat, RunSummary, summary_line};

use crate::answer::{Answer, WrongUse};
use crate::arguments::Arguments;
use crate::tool::Tool;
use crate::workspace::{
    AGENT_ID, FACTS_PATH, FACTS_TEXT, FORMAT, PATH, STORED_PATH, STORED_TEXT, TEXT, Workspace,
    failures_text, style,
};

pub(super) static TOOL: Tool = Tool {
    name: "check",
    title: "Check agent documents",
    description: "Checks the configuration of a voice agent (an update, its settings, a Handlebars prompt, a stored configuration or workspace facts) in JSON, YAML, TOML or hbs. Use it on every agent document that you write or change, before you show or save it, and again after each correction. Give the document as `text`, the file or folder as `path`, or both for the new text of a file.

It answers with the findings: what the service rejects (verdict reject), what it may reject (possible) and what it accepts but is probably a mistake (advice), each with its rule, JSON Pointer, place, help and fixes, and with the rules that are undecided because a stored value or a fact is not known. No findings means that the document alone gives no reason to reject it. `structuredContent` is the JSON of `voxlint check --format json`. Secrets are masked. Nothing is changed: apply the fixes yourself.",
    arguments: &[
        &TEXT, &FORMAT, &PATH, &STORED_TEXT, &STORED_PATH, &FACTS_TEXT, &FACTS_PATH, &AGENT_ID,
    ],
    output_schema: None,
    run,
};

/// More findings than this are shown on one line each.
const MAX_EXCERPTS: u32 = 12;

/// The forms of the findings. All documents are rendered in each, because it is not known how many findings come.
const FORMATS: [OutputFormat; 3] = [OutputFormat::Json, OutputFormat::Full, OutputFormat::Concise];

fn run(workspace: &Workspace, arguments: &Arguments<'_>) -> Result<Answer, WrongUse> {
    let mut named = workspace.document(arguments)?;
    let is_folder = workspace.is_folder(&named.path);
    let nothing = Failure::new(".", NOTHING);
    let formats = (&FORMATS[..], &style());
    let run = check_files(&mut named.session, &[named.path], formats, nothing)?;
    let CheckedRun { forms, result, summary, .. } = &run;
    // In a folder, the other files have been checked.
    let has_failed = summary.documents == 0 || (!is_folder && !result.failures.is_empty());
    let [json, full, concise] = &forms[..] else { return Err(NOTHING.to_owned()) };
    let is_long = summary.errors + summary.warnings + summary.infos > MAX_EXCERPTS;
    let text = text(if is_long { concise } else { full }, summary, result);
    let answer = Answer::with_json(&text, json.as_bytes());
    Ok(if has_failed { answer.failed() } else { answer })
}

/// The message for a call in which nothing was checked.
const NOTHING: &str = "no agent documents found, so nothing was checked: name the file itself, which is then checked whatever it contains";

/// The findings, what could not be checked, and the summary.
fn text(findings: &str, summary: &RunSummary, result: &RunResult) -> String {
    let mut text = findings.trim_end().to_owned();
    let mut add = |part: &str| {
        if !text.is_empty() && !part.is_empty() {
            text.push_str("\n\n");
        }
        text.push_str(part.trim_end());
    };
    add(&failures_text(&result.failures));
    let mut notices = String::new();
    for notice in &result.notices {
        // Writing to a string cannot fail.
        let _ = writeln!(notices, "{notice}");
    }
    add(&notices);
    if summary.documents > 0 {
        add(&summary_line(summary, None, &style()));
        if summary.undecided > 0 {
            let rules = counted(u64::from(summary.undecided), "rule");
            add(&format!(
                "undecided: {rules}, listed in `structuredContent` with the values that would decide them. Give the stored configuration as `stored_text` or `stored_path`, and the workspace as `facts_text` or `facts_path`."
            ));
        }
    }
    text
}
