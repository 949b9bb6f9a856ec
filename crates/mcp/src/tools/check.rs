//! The tool `check`: the findings in a document or folder.

use std::fmt::Write as _;

use voxlint::{DocumentKind, counted};
use voxlint_bindings::{failed_file, related_file};
use voxlint_project::{Failure, LintedDocument, Renderer, RunResult, Session};
use voxlint_report::{
    CheckedDocument, FailedFile, FindingsWriter, OutputFormat, RenderedDocument, RunInfo,
    RunOutcome, RunSummary, SkippedFile, render, summary_line,
};

use super::Tool;
use crate::answer::{Answer, WrongUse};
use crate::arguments::Arguments;
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

/// A document in each form.
struct Rendered {
    pages: [RenderedDocument; 3],
    counts: RunSummary,
    kind: DocumentKind,
}

struct DocumentRenderer;

fn pages(checked: &CheckedDocument<'_>) -> [RenderedDocument; 3] {
    FORMATS.map(|format| render(format, &RunInfo::default(), &style(), checked))
}

impl Renderer for DocumentRenderer {
    type Output = Rendered;

    fn render(&self, document: LintedDocument) -> Rendered {
        let mut counts = RunSummary::default();
        counts.add(&document.report);
        let related: Vec<_> = document.related.iter().map(related_file).collect();
        let text = document.document.text();
        let mut checked =
            CheckedDocument::new(&document.path, text, &document.report).related_files(&related);
        checked.position = document.position;
        checked.lines = document.lines.as_deref();
        Rendered { pages: pages(&checked), counts, kind: document.kind }
    }
}

fn run(workspace: &Workspace, arguments: &Arguments<'_>) -> Result<Answer, WrongUse> {
    let mut named = workspace.document(arguments)?;
    let is_folder = workspace.is_folder(&named.path);
    let session = &mut named.session;
    let found = session.find_files(&[named.path]);
    let mut files = found.map_err(|error| error.to_string())?;
    // Each with whether it is the first of its file.
    let mut documents: Vec<(Rendered, bool)> = Vec::new();
    let mut result =
        session.lint_files(&mut files, &DocumentRenderer, &mut |document, is_first| {
            documents.push((document, is_first));
        });
    if session.options().related.stored.is_some() {
        let with_settings = documents.iter().filter(|(it, _)| it.kind.has_settings()).count();
        if with_settings > 1 {
            return Err(format!(
                "a stored configuration applies to one document, but {with_settings} were found: name one of them"
            ));
        }
    }
    let mut summary = RunSummary::default();
    for (document, _) in &documents {
        summary += document.counts;
    }
    let suppressions = suppression_findings(session, &result, &mut summary);
    summary.files = result.files.len() as u32;
    summary.skipped = result.statuses.skipped_files() as u32;
    summary.skipped_documents = result.statuses.skipped_documents() as u32;
    summary.failed = result.statuses.failed(&result.failures);
    let skipped = result.statuses.skipped().into_iter();
    let skipped: Vec<_> = skipped.map(|(path, why)| SkippedFile { path, why }).collect();
    let mut failed: Vec<FailedFile> = result.failures.iter().map(failed_file).collect();
    let is_empty = summary.documents == 0;
    // In a folder, the other files have been checked.
    let has_failed = is_empty || (!is_folder && !failed.is_empty());
    if is_empty && failed.is_empty() {
        let message = NOTHING.to_owned();
        result.failures.push(Failure::new(".", message.clone()));
        failed.push(FailedFile { path: ".".to_owned(), message });
    }
    let (skipped, failed) = (&skipped, &failed);
    let outcome = RunOutcome { skipped, failed, summary, ..RunOutcome::default() };
    let mut forms = FORMATS.map(|_| Vec::new());
    {
        let mut writers: Vec<_> = forms
            .iter_mut()
            .zip(FORMATS)
            .map(|(out, format)| FindingsWriter::new(out, format, RunInfo::default()))
            .collect();
        for (document, is_first) in documents {
            for (writer, page) in writers.iter_mut().zip(document.pages) {
                // Memory takes everything.
                let _ = if is_first { writer.add(page) } else { writer.add_record(page) };
            }
        }
        for pages in suppressions {
            for (writer, page) in writers.iter_mut().zip(pages) {
                let _ = writer.add(page);
            }
        }
        for writer in writers {
            let _ = writer.finish(&outcome);
        }
    }
    let [json, full, concise] = forms;
    let is_long = summary.errors + summary.warnings + summary.infos > MAX_EXCERPTS;
    let findings = if is_long { concise } else { full };
    let text = text(&String::from_utf8_lossy(&findings), &summary, &result);
    let answer = Answer::with_json(&text, &json);
    Ok(if has_failed { answer.failed() } else { answer })
}

/// The message for a call in which nothing was checked.
const NOTHING: &str = "no agent documents found, so nothing was checked: name the file itself, which is then checked whatever it contains";

/// The findings in configurations and workspace facts, such as unused suppressions.
fn suppression_findings(
    session: &Session,
    result: &RunResult,
    summary: &mut RunSummary,
) -> Vec<[RenderedDocument; 3]> {
    let reports = session.check_other_files(result, None).into_iter();
    let pages = reports.map(|file| {
        let path = session.configurations().shown(&file.path);
        // A configuration is not a document.
        let mut counts = RunSummary::default();
        counts.add(&file.report);
        *summary += RunSummary { documents: 0, faulty: 0, fixable: 0, unsafe_fixable: 0, ..counts };
        pages(&CheckedDocument::new(&path, &file.text, &file.report))
    });
    pages.collect()
}

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
