//! Every format with the same findings of real documents. Its output is the snapshot `snapshots/report/format-<name>.snap`.

use crate::readers::{Reader, formats_with_positions, read, reader};
use voxlint::{Document, Inputs, Origin, Report, RuleRef, Stored, SuppressedBy, check};
use voxlint_report::{
    CheckedDocument, DocumentPosition, FailedFile, FindingsWriter, OutputFormat, RelatedFile,
    RenderOptions, Repository, RunInfo, RunOutcome, RunSummary, SkippedFile, render,
};

const GREETING: &str = r#"{
  "version_number": 3,
  "title": "नमस्ते 👋", "kb_max_chunks": 12,
  "interuption_sensitivity": 0.5,
  "prompt_text": "Greet {{name}"
}
"#;

const TWIN: &str = r#"{
  "version_number": 4,
  "transcriber_id": "tr_nova",
  "fallback_stt_enabled": true,
  "stt_fallback_transcriber_id": "tr_nova"
}
"#;

const UPDATE: &str = "{ \"version_number\": 3, \"title\": \"Front desk\" }\n";
const STORED: &str =
    "{\n  \"fallback_stt_enabled\": true,\n  \"stt_fallback_transcriber_id\": \"tr_nova\"\n}\n";
const LINES: [&str; 3] = [
    r#"{"version_number": 1, "title": "ok"}"#,
    r#"{"version_number": 2, "kb_max_chunks": 0.5}"#,
    r#"{"version_number": 3, "kb_max_chunks": 99}"#,
];

/// A checked document with its related file.
struct Given {
    path: &'static str,
    text: &'static str,
    report: Report,
    position: Option<DocumentPosition>,
    stored: Option<&'static str>,
}

fn checked(path: &'static str, text: &'static str, stored: Option<&'static str>) -> Given {
    let document = Document::parse(text);
    let stored_document = Document::parse(stored.unwrap_or_default());
    let inputs = Inputs::new(document);
    let inputs = if stored.is_some() {
        inputs.stored(Stored::new(stored_document).complete())
    } else {
        inputs
    };
    Given { path, text, report: check(&inputs), position: None, stored }
}

/// Suppresses the findings of a rule.
fn hide(given: &mut Given, rule: &str, by: &SuppressedBy) {
    let (hidden, shown) = std::mem::take(&mut given.report.diagnostics)
        .into_iter()
        .partition(|found| found.rule.id == rule);
    given.report.diagnostics = shown;
    let hidden: Vec<_> = hidden;
    given.report.suppressed.extend(
        hidden.into_iter().map(|diagnostic| voxlint::Suppressed::new(diagnostic, by.clone())),
    );
}

/// The rules whose undecided checks are in the sample reports. A new rule changes none of them.
const UNDECIDED: [&str; 5] = [
    "boosted-keywords-without-effect",
    "fallback-transcriber-not-listed",
    "published-version-edited",
    "unknown-id",
    "version-not-found",
];

fn documents() -> Vec<Given> {
    let mut twin = checked("agents/twin.json", TWIN, None);
    let mut hidden = checked("agents/a b,c:d%.json", TWIN, None);
    hide(&mut hidden, "fallback-transcriber-same", &SuppressedBy::Baseline);
    twin.report.undecided.truncate(1);
    let mut suppressed = checked("agents/greeting.json", GREETING, None);
    let reason = "the old prompt stays until May".to_owned();
    hide(&mut suppressed, "template-syntax-error", &SuppressedBy::Configuration(reason));
    let update = checked(
        "agents/update.json",
        "{ \"version_number\": 3, \"transcriber_id\": \"tr_nova\" }\n",
        Some(STORED),
    );
    let mut lines_before = 0;
    let mut bytes_before = 0;
    let lines = LINES.iter().enumerate().map(|(index, text)| {
        let given = checked("export.ndjson", text, None);
        let position = DocumentPosition {
            index: index as u64,
            line: lines_before + 1,
            bytes_before,
            lines_before,
        };
        lines_before += 1;
        bytes_before += text.len() as u64 + 1;
        Given { position: Some(position), ..given }
    });
    let lines: Vec<_> = lines.collect();
    let clean = checked("agents/clean.json", UPDATE, None);
    let mut all: Vec<_> =
        [suppressed, twin, hidden, clean, update].into_iter().chain(lines).collect();
    for given in &mut all {
        given.report.undecided.retain(|entry| UNDECIDED.contains(&&*entry.rule.id));
    }
    all
}

fn rules() -> Vec<RuleRef> {
    voxlint::rules::all().map(RuleRef::from).collect()
}

fn written(
    format: OutputFormat,
    style: &RenderOptions,
    run: &RunInfo<'_>,
    documents: &[Given],
) -> String {
    let mut out = Vec::new();
    let mut summary = RunSummary { files: 6, skipped: 1, ..RunSummary::default() };
    let mut findings = FindingsWriter::new(&mut out, format, *run);
    for given in documents {
        summary.add(&given.report);
        let related_files: Vec<_> = given
            .stored
            .map(|text| (Origin::Stored, RelatedFile { path: "stored/draft.json", text }))
            .into_iter()
            .collect();
        let mut checked = CheckedDocument::new(given.path, given.text, &given.report)
            .related_files(&related_files);
        checked.position = given.position;
        let rendered = render(format, style, &checked);
        match given.position {
            Some(DocumentPosition { index: 1.., .. }) => findings.add_record(rendered).unwrap(),
            _ => findings.add(rendered).unwrap(),
        }
    }
    let skipped =
        [SkippedFile { path: "package.json".to_owned(), why: "not an agent document".to_owned() }];
    let failures = [FailedFile {
        path: "agents/locked.json".to_owned(),
        message: "permission denied".to_owned(),
    }];
    findings
        .finish(&RunOutcome { skipped: &skipped, failed: &failures, summary, loosened: None })
        .unwrap();
    String::from_utf8(out).unwrap()
}

fn snapshot(name: &str, output: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../snapshots/report");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, output));
}

#[test]
fn every_format_has_the_output_of_its_snapshot() {
    let documents = documents();
    // One rule, because the metadata of all rules would fill pages.
    let rules: Vec<_> =
        rules().into_iter().filter(|rule| rule.id == "fallback-transcriber-same").collect();
    let repository = Repository { root: "/home/ada/agents".to_owned(), prefix: "voice".to_owned() };
    let run = RunInfo { rules: &rules, repository: Some(&repository), documentation: None };
    for format in OutputFormat::ALL {
        let output = written(format, &RenderOptions::default(), &run, &documents);
        snapshot(&format!("format-{}", format.name()), &output);
    }
}

#[test]
fn every_format_is_documented() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/reports.md");
    let page = std::fs::read_to_string(path).unwrap();
    let headings = page.lines().filter_map(|line| line.strip_prefix("## "));
    let names: Vec<&str> = headings.flat_map(|heading| heading.split(" and ")).collect();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| [")).collect();
    for format in OutputFormat::ALL {
        assert!(names.contains(&format.name()), "{format}: add a section to docs/reports.md");
        let name = format!("`{format}`");
        assert!(rows.iter().any(|row| row.contains(&name)), "{format}: add it to the table");
    }
}

#[test]
fn every_format_has_the_same_findings_at_the_same_places() {
    let documents = documents();
    let rules = rules();
    let run = RunInfo { rules: &rules, ..RunInfo::default() };
    let output = |format| written(format, &RenderOptions::default(), &run, &documents);
    let places = |format| {
        let read = read(format, &output(format)).into_iter();
        let mut places: Vec<_> = read.map(|it| (it.path, it.line, it.rule)).collect();
        places.sort();
        places
    };
    let expected = places(OutputFormat::Json);
    assert!(expected.len() >= 5, "{expected:?}");
    for format in OutputFormat::ALL {
        match reader(format) {
            Reader::Findings(_) => assert_eq!(places(format), expected, "{format}"),
            Reader::Count(count) => assert_eq!(count(&output(format)), expected.len(), "{format}"),
        }
    }
}

#[test]
fn columns_are_counted_in_the_units_of_each_format() {
    let documents = documents();
    let run = RunInfo::default();
    let column = |format| {
        let output = written(format, &RenderOptions::default(), &run, &documents);
        let found = read(format, &output);
        let found = found.iter().find(|it| it.path.ends_with("greeting.json") && it.line == 3);
        found.unwrap().column.unwrap()
    };
    let line = GREETING.lines().nth(2).unwrap();
    let (before, _) = line.split_once("12").unwrap();
    for format in formats_with_positions() {
        let expected = match format {
            OutputFormat::Rdjson | OutputFormat::Rdjsonl => before.len() + 1,
            _ => before.chars().count() + 1,
        };
        assert_eq!(column(format), expected as u64, "{format:?}");
    }
}

#[test]
fn a_report_without_findings_is_complete() {
    let run = RunInfo::default();
    for format in formats_with_positions() {
        let mut out = Vec::new();
        let findings = FindingsWriter::new(&mut out, format, run);
        findings.finish(&RunOutcome::default()).unwrap();
        let output = String::from_utf8(out).unwrap();
        assert_eq!(read(format, &output).len(), 0, "{format:?}");
    }
    let mut out = Vec::new();
    FindingsWriter::new(&mut out, OutputFormat::Gitlab, run)
        .finish(&RunOutcome::default())
        .unwrap();
    assert_eq!(out, b"[]\n");
}

#[test]
fn undecided_rules_are_listed_on_request() {
    let documents = [checked("agents/update.json", UPDATE, None)];
    assert!(!documents[0].report.undecided.is_empty());
    let run = RunInfo::default();
    for format in [
        OutputFormat::Github,
        OutputFormat::Gitlab,
        OutputFormat::Checkstyle,
        OutputFormat::Azure,
        OutputFormat::Rdjson,
        OutputFormat::Rdjsonl,
    ] {
        let style = RenderOptions { undecided: true, ..RenderOptions::default() };
        let count = |style| read(format, &written(format, style, &run, &documents)).len();
        assert_eq!(count(&style), documents[0].report.undecided.len(), "{format:?}");
        assert_eq!(count(&RenderOptions::default()), 0, "{format:?}");
    }
}

#[test]
fn rule_names_link_to_their_pages_on_terminals_with_hyperlinks() {
    let documents = documents();
    let run = RunInfo::default();
    let linked =
        RenderOptions { links: Some("https://example.org/voxlint/v1"), ..RenderOptions::default() };
    let page = "\u{1b}]8;;https://example.org/voxlint/v1/docs/rules/out-of-range.md\u{1b}\\out-of-range\u{1b}]8;;\u{1b}\\";
    for format in [OutputFormat::Full, OutputFormat::Concise, OutputFormat::Grouped] {
        let output = written(format, &linked, &run, &documents);
        assert!(output.contains(page), "{output}");
        let plain = written(format, &RenderOptions::default(), &run, &documents);
        assert!(!plain.contains('\u{1b}'));
        // Links have no width.
        let mut seen = output;
        while let Some((before, rest)) = seen.split_once("\u{1b}]8;;") {
            seen = format!("{before}{}", rest.split_once("\u{1b}\\").unwrap().1);
        }
        assert_eq!(seen, plain);
    }
}

#[test]
fn formats_for_tools_link_rules_to_their_pages() {
    let documents = documents();
    let rules = rules();
    let documentation = Some("https://example.org/voxlint/v1");
    let run = RunInfo { rules: &rules, documentation, ..RunInfo::default() };
    let page = "https://example.org/voxlint/v1/docs/rules/out-of-range.md";
    for format in
        [OutputFormat::Rdjson, OutputFormat::Rdjsonl, OutputFormat::Sarif, OutputFormat::Markdown]
    {
        assert!(
            written(format, &RenderOptions::default(), &run, &documents).contains(page),
            "{format:?}"
        );
    }
}

#[test]
fn no_format_for_a_repository_names_an_absolute_path() {
    let mut documents = documents();
    for given in &mut documents {
        given.path = "/home/ada/agents/voice/x.json";
    }
    let repository = Repository { root: "/home/ada/agents".to_owned(), prefix: "voice".to_owned() };
    let run = RunInfo { repository: Some(&repository), ..RunInfo::default() };
    for format in formats_with_positions()
        .filter(|it| !matches!(it, OutputFormat::Json | OutputFormat::Ndjson))
    {
        let output = written(format, &RenderOptions::default(), &run, &documents);
        assert!(output.contains("voice/x.json") || output.contains("voice%2Fx.json"), "{format:?}");
        assert!(!output.contains("/home/ada"), "{format:?}: {output}");
    }
    for format in [OutputFormat::Sarif, OutputFormat::Gitlab] {
        let output = written(format, &RenderOptions::default(), &RunInfo::default(), &documents);
        assert!(!output.contains("\"/home/ada"), "{format:?}: {output}");
    }
}

#[test]
fn a_finding_in_a_related_file_marks_that_file_or_the_document() {
    let text = "{\n  \"a\": 1\n}\n";
    let mut found = crate::support::finding("the draft is published", crate::support::at(4, 7));
    found.origin = Origin::Stored;
    let report = crate::support::report(vec![found]);
    for format in formats_with_positions() {
        let marked = |related_files: &[_]| {
            let position =
                DocumentPosition { index: 4, line: 9, lines_before: 8, bytes_before: 100 };
            let checked = CheckedDocument::new("a.json", text, &report)
                .position(position)
                .related_files(related_files);
            let rendered = render(format, &RenderOptions::default(), &checked);
            let mut out = Vec::new();
            let mut findings = FindingsWriter::new(&mut out, format, RunInfo::default());
            findings.add(rendered).unwrap();
            findings.finish(&RunOutcome::default()).unwrap();
            String::from_utf8(out).unwrap()
        };
        let known = marked(&[(
            Origin::Stored,
            RelatedFile { path: "stored.json", text: "{ \n\"b\": 2 }" },
        )]);
        let unknown = marked(&[]);
        if matches!(format, OutputFormat::Json | OutputFormat::Ndjson) {
            continue;
        }
        let known = &read(format, &known)[0];
        assert_eq!((known.path.as_str(), known.line), ("stored.json", 2), "{format:?}");
        assert!(known.message.contains("(found for a.json)"), "{known:?}");
        let unknown = &read(format, &unknown)[0];
        assert_eq!((unknown.path.as_str(), unknown.line), ("a.json", 9), "{format:?}");
        assert!(
            unknown.message.contains("(in the stored configuration, at /prompt_text)"),
            "{unknown:?}"
        );
    }
}

#[test]
fn sarif_has_undecided_and_suppressed_results_only_on_request() {
    let documents = documents();
    let count = |style: &RenderOptions| {
        let log = written(OutputFormat::Sarif, style, &RunInfo::default(), &documents);
        let log: serde_json::Value = serde_json::from_str(&log).unwrap();
        let results = log["runs"][0]["results"].as_array().unwrap();
        let is_suppressed =
            |result: &&serde_json::Value| result["suppressions"] != serde_json::json!([]);
        let open = results.iter().filter(|result| result["kind"] == "open").count();
        (open > 0, results.iter().filter(is_suppressed).count())
    };
    let default = RenderOptions::default();
    assert_eq!(count(&default), (false, 0));
    assert_eq!(count(&RenderOptions { undecided: true, ..default }), (true, 0));
    assert_eq!(count(&RenderOptions { suppressed: true, ..default }), (false, 2));
}

#[test]
fn sarif_names_the_address_of_the_documentation() {
    let driver = |documentation| {
        let run = RunInfo { documentation, ..RunInfo::default() };
        let log = written(OutputFormat::Sarif, &RenderOptions::default(), &run, &documents());
        let log: serde_json::Value = serde_json::from_str(&log).unwrap();
        log["runs"][0]["tool"]["driver"].clone()
    };
    let address = "https://example.org/voxlint";
    assert_eq!(driver(Some(address))["informationUri"], address);
    assert!(driver(None).get("informationUri").is_none());
}

#[test]
fn sarif_has_undecided_suppressed_and_fixable_results() {
    let documents = documents();
    let rules = rules();
    let run = RunInfo { rules: &rules, ..RunInfo::default() };
    let style = RenderOptions { undecided: true, suppressed: true, ..RenderOptions::default() };
    let output = written(OutputFormat::Sarif, &style, &run, &documents);
    let log: serde_json::Value = serde_json::from_str(&output).unwrap();
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    assert!(results.iter().all(|result| result["ruleIndex"].is_u64()));
    let open: Vec<_> = results.iter().filter(|result| result["kind"] == "open").collect();
    // The documents of one file list an undecided rule once.
    let of_lines = open.iter().filter(|result| result.to_string().contains("export.ndjson"));
    assert!(of_lines.clone().count() > 0);
    assert!(of_lines.clone().all(|result| result["occurrenceCount"] == 3));
    let kinds: Vec<_> = results
        .iter()
        .flat_map(|result| result["suppressions"].as_array().unwrap())
        .map(|it| (it["kind"].as_str().unwrap(), it["justification"].as_str().unwrap()))
        .collect();
    assert_eq!(
        kinds,
        [("external", "the old prompt stays until May"), ("external", "listed in the baseline")]
    );
    assert_eq!(run["invocations"][0]["executionSuccessful"], false);
    for rule in run["tool"]["driver"]["rules"].as_array().unwrap() {
        assert!(rule["help"]["markdown"].as_str().unwrap().starts_with("# "), "{rule}");
        assert!(rule.get("helpUri").is_none());
    }
}

#[test]
fn fixes_have_the_positions_of_their_edits() {
    let text = "{\"é\": \"x\"}";
    let mut found = crate::support::finding("no x", crate::support::place(text, "\"x\""));
    let fix = |safety, text: &str| {
        let edits = vec![voxlint::TextEdit::new(found.span, text)];
        voxlint::Fix::new("say y", safety, Origin::Document, edits)
    };
    found.fixes = vec![fix(voxlint::Safety::Safe, "\"y\""), fix(voxlint::Safety::Unsafe, "\"z\"")];
    let report = crate::support::report(vec![found]);
    let value = |format| -> serde_json::Value {
        serde_json::from_str(&crate::support::written(
            format,
            &RenderOptions::default(),
            text,
            &report,
        ))
        .unwrap()
    };
    let sarif = value(OutputFormat::Sarif);
    let fixes = &sarif["runs"][0]["results"][0]["fixes"];
    let region =
        serde_json::json!({"startLine": 1, "startColumn": 7, "endLine": 1, "endColumn": 10});
    assert_eq!(fixes.as_array().unwrap().len(), 1);
    let replacement = &fixes[0]["artifactChanges"][0]["replacements"][0];
    assert_eq!(replacement["deletedRegion"], region);
    assert_eq!(replacement["insertedContent"]["text"], "\"y\"");
    let suggestions = value(OutputFormat::Rdjson)["diagnostics"][0]["suggestions"].clone();
    let range =
        serde_json::json!({"start": {"line": 1, "column": 8}, "end": {"line": 1, "column": 11}});
    assert_eq!(suggestions[0]["range"], range);
    // The unsafe fix is not among them.
    assert_eq!(suggestions[0]["text"], "\"y\"");
    assert_eq!(suggestions.as_array().unwrap().len(), 1);
}

#[test]
fn clean_documents_add_almost_nothing() {
    let given = checked("export.ndjson", UPDATE, None);
    assert!(!given.report.undecided.is_empty() && given.report.diagnostics.is_empty());
    for format in OutputFormat::ALL
        .into_iter()
        .filter(|it| !matches!(it, OutputFormat::Json | OutputFormat::Ndjson))
    {
        let mut out = Vec::new();
        let mut findings = FindingsWriter::new(&mut out, format, RunInfo::default());
        for index in 0..10_000 {
            let position =
                DocumentPosition { index, line: index + 1, lines_before: index, bytes_before: 0 };
            let checked =
                CheckedDocument::new(given.path, given.text, &given.report).position(position);
            let rendered = render(format, &RenderOptions::default(), &checked);
            if index == 0 { findings.add(rendered) } else { findings.add_record(rendered) }
                .unwrap();
        }
        findings.finish(&RunOutcome::default()).unwrap();
        // A page has its style sheet.
        let most = if format == OutputFormat::Html { 12_000 } else { 4_000 };
        assert!(out.len() < most, "{format:?}: {}", out.len());
    }
}

#[test]
fn no_format_shows_a_secret() {
    let text = "{\n  \"api_key\": \"sk-live-1234\"\n}\n";
    let secret = crate::support::place(text, "sk-live-1234");
    let mut report = crate::support::report(vec![crate::support::labelled(
        "the document contains a secret",
        secret,
        "a key",
    )]);
    report.secrets = vec![secret];
    for format in OutputFormat::ALL {
        let output = crate::support::written(format, &RenderOptions::default(), text, &report);
        assert!(!output.contains("sk-live"), "{format:?}: {output}");
    }
}

#[test]
fn a_long_job_summary_counts_the_findings_that_it_omits() {
    let text = "\n".repeat(400);
    let mut found: Vec<_> = (0..250)
        .map(|n| crate::support::finding(&format!("number {n}"), crate::support::at(n, n)))
        .collect();
    for finding in &mut found {
        finding.severity = voxlint::Severity::Warning;
    }
    found.push(crate::support::finding("the last and worst", crate::support::at(300, 300)));
    let output = crate::support::written(
        OutputFormat::Markdown,
        &RenderOptions::default(),
        &text,
        &crate::support::report(found),
    );
    let page = crate::readers::page(&output);
    assert_eq!(page.rows.len(), 100);
    assert_eq!(page.rows[99][3], "the last and worst");
    assert_eq!(page.texts.last().unwrap(), "151 more findings are not listed here.");
}

#[test]
fn repeated_findings_stay_distinct() {
    let mut report = crate::support::report(vec![crate::support::finding(
        "too large",
        crate::support::at(0, 1),
    )]);
    report.diagnostics = vec![report.diagnostics[0].clone(); 200];
    for format in [OutputFormat::Junit, OutputFormat::Gitlab] {
        let mut out = Vec::new();
        let mut findings = FindingsWriter::new(&mut out, format, RunInfo::default());
        for index in 0..100 {
            let position =
                DocumentPosition { index, line: index + 1, lines_before: index, bytes_before: 0 };
            let checked = CheckedDocument::new("a.ndjson", "{}", &report).position(position);
            findings.add_record(render(format, &RenderOptions::default(), &checked)).unwrap();
        }
        findings.finish(&RunOutcome::default()).unwrap();
        assert_eq!(read(format, &String::from_utf8(out).unwrap()).len(), 20_000, "{format:?}");
    }
}
