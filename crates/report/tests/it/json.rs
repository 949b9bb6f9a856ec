//! The JSON format, member by member.

use crate::support::{at, changed, finding, output, place, report, undecided, with_related};
use serde_json::{Value, json};
use voxlint::{Fix, Origin, Safety, TextEdit, VerdictKind};
use voxlint_report::{
    CheckedDocument, FailedFile, OutputFormat, RenderOptions, RunInfo, RunOutcome, RunSummary,
    SkippedFile, render, write_findings,
};
use voxlint_syntax::Span;

const TEXT: &str = "{\n  \"language\": \"hi\",\n  \"नाम\": 12\n}\n";

#[test]
fn a_run_has_every_member_of_the_contract() {
    let number = place(TEXT, "12");
    let mut diagnostic = with_related(
        finding("out of range", number),
        "and the \u{1b} language",
        place(TEXT, "\"hi\""),
    );
    diagnostic.field = "/kb_max_chunks".to_owned();
    let edits = vec![TextEdit::new(number, "10")];
    diagnostic.fixes = vec![Fix::new("use the maximum", Safety::Unsafe, Origin::Document, edits)];
    let mut faulty = report(vec![diagnostic]);
    faulty.undecided =
        vec![undecided(&["/transcriber_id"], "the stored `transcriber_id` is not given")];
    let clean = report(Vec::new());
    let style = RenderOptions::default();
    let files = [("a.json", TEXT, &faulty), ("b.json", "{}", &clean)];
    let files = files.map(|(path, text, report)| {
        let checked = CheckedDocument::new(path, text, report);
        render(OutputFormat::Json, &style, &checked)
    });
    let mut summary = RunSummary { files: 2, skipped: 1, suppressed: 4, ..RunSummary::default() };
    summary.add(&faulty);
    summary.add(&clean);

    let mut out = Vec::new();
    let skipped =
        [SkippedFile { path: "package.json".to_owned(), why: "not an agent document".to_owned() }];
    let failures =
        [FailedFile { path: "locked.json".to_owned(), message: "permission denied".to_owned() }];
    write_findings(
        &mut out,
        OutputFormat::Json,
        &RunInfo::default(),
        files,
        &RunOutcome { skipped: &skipped, failed: &failures, summary, loosened: None },
    )
    .unwrap();
    let out = String::from_utf8(out).unwrap();

    assert!(out.starts_with("{\n  \"schema\": 1,\n  \"tool\": {\n    \"name\": \"voxlint\",\n"));
    assert!(out.ends_with("}\n"));
    let start = number.start;
    assert_eq!(
        serde_json::from_str::<Value>(&out).unwrap(),
        json!({
            "schema": 1,
            "tool": {"name": "voxlint", "version": env!("CARGO_PKG_VERSION")},
            "files": [
                {
                    "path": "a.json",
                    "kind": "update",
                    "diagnostics": [{
                        "rule": crate::support::rule().id,
                        "verdict": "reject",
                        "severity": "error",
                        "status": 400,
                        "field": "/kb_max_chunks",
                        "in": "document",
                        "path": "a.json",
                        "message": "out of range",
                        "help": null,
                        "note": null,
                        "span": {
                            "start": start, "end": start + 2,
                            "from": {"line": 3, "column": 10}, "to": {"line": 3, "column": 12},
                        },
                        "related": [{
                            "in": "document",
                            "field": "/transcriber_id",
                            "message": "and the \u{1b} language",
                            "span": {
                                "start": 16, "end": 20,
                                "from": {"line": 2, "column": 15}, "to": {"line": 2, "column": 19},
                            },
                        }],
                        "fixes": [{
                            "title": "use the maximum",
                            "safety": "unsafe",
                            "in": "document",
                            "edits": [{"start": start, "end": start + 2, "text": "10"}],
                        }],
                    }],
                    "undecided": [{
                        "rule": crate::support::rule().id,
                        "missing": ["/transcriber_id"],
                        "why": "the stored `transcriber_id` is not given",
                    }],
                },
                {"path": "b.json", "kind": "update", "diagnostics": [], "undecided": []},
            ],
            "skipped": [{"path": "package.json", "why": "not an agent document"}],
            "failures": [{"path": "locked.json", "message": "permission denied"}],
            "summary": {
                "files": 2, "documents": 2, "skipped": 1, "errors": 1, "warnings": 0, "infos": 0,
                "undecided": 1, "fixable": 0, "unsafe_fixable": 1, "fixed": 0, "suppressed": 4,
                "baselined": 0,
            },
        })
    );
}

#[test]
fn spans_in_an_unknown_text_have_only_offsets() {
    let diagnostic = changed(finding("stored", Span { start: 900, end: 905 }), |it| {
        it.origin = Origin::Stored;
        it.verdict = VerdictKind::Advice;
        it.status = None;
    });
    let report = report(vec![diagnostic]);
    let checked = CheckedDocument::new("a.json", TEXT, &report);
    let files = [render(OutputFormat::Json, &RenderOptions::default(), &checked)];
    let out: Value =
        serde_json::from_str(&output(OutputFormat::Json, files, &[], &RunSummary::default()))
            .unwrap();
    let diagnostic = &out["files"][0]["diagnostics"][0];
    assert_eq!(diagnostic["in"], "stored");
    assert_eq!(diagnostic["path"], Value::Null);
    assert_eq!(diagnostic["status"], Value::Null);
    assert_eq!(diagnostic["span"], json!({"start": 900, "end": 905, "from": null, "to": null}));
}

#[test]
fn documents_can_be_rendered_on_any_thread() {
    let report = report(vec![finding("out of range", place(TEXT, "12"))]);
    let checked = CheckedDocument::new("a.json", TEXT, &report);
    let render = || render(OutputFormat::Json, &RenderOptions::default(), &checked);
    let elsewhere = std::thread::scope(|scope| scope.spawn(render).join().unwrap());
    let write = |file| output(OutputFormat::Json, [file], &[], &RunSummary::default());
    assert_eq!(write(elsewhere), write(render()));
}

#[test]
fn concise_has_one_line_per_finding() {
    let stored = changed(finding("stored", at(900, 905)), |it| {
        it.origin = Origin::Stored;
    });
    let report = report(vec![
        finding("out of\nrange", place(TEXT, "12")),
        stored,
        finding("far", at(99, 99)),
    ]);
    let out =
        crate::support::written(OutputFormat::Concise, &RenderOptions::default(), TEXT, &report);
    assert_eq!(
        out,
        "agents/support/en.json:3:10: error[fallback-transcriber-same] out of\\nrange\n\
         agents/support/en.json:1:1: error[fallback-transcriber-same] stored (in the stored configuration, at /prompt_text)\n\
         agents/support/en.json:5:1: error[fallback-transcriber-same] far\n"
    );
}

#[test]
fn clean_files_add_nothing_between_findings() {
    let faulty = report(vec![finding("out of range", place(TEXT, "12"))]);
    let clean = report(Vec::new());
    let rendered = |format, report| {
        render(format, &RenderOptions::default(), &CheckedDocument::new("a.json", TEXT, report))
    };
    for (format, blank_lines) in [(OutputFormat::Full, 1), (OutputFormat::Concise, 0)] {
        let files =
            [&clean, &faulty, &clean, &faulty, &clean].map(|report| rendered(format, report));
        let out = output(format, files, &[], &RunSummary::default());
        assert_eq!(out.lines().filter(|line| line.is_empty()).count(), blank_lines);
        assert_eq!(out.matches("out of range").count(), 2);
    }
}
