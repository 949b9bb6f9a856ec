//! Documents that are not written as one JSON text a file.

use std::fmt::Write as _;
use std::fs;

use crate::process::{folder, run, run_with_input, stderr, stdout, voxlint};
use serde_json::{Value, json};
use voxlint::syntax::{Format, MAX_LINE};
use voxlint::{Diagnostic, Document, Inputs, check};
use voxlint_testing::{assert_snapshot, case_files};

/// Comments, trailing commas, tabs, line breaks of two bytes, and text that is wider or narrower than its bytes.
const COMMENTED: &str = "// एक ड्राफ़्ट\r\n{\r\n\t\"version_number\": 3, /* 👩‍🚀 */ \"kb_max_chunks\": 12,\r\n\t\"title\": \"नमस्ते {{\", // 👍🏽 \"\r\n\t/* \"voice_id\": */ \"voice_idd\": null,\r\n}\r\n// end";

/// Documents of several kinds, with bad lines between them, blank ones, and all that makes columns hard.
const LINES: &str = concat!(
    "{ \"version_number\": 3, \"title\": \"Front desk\" }\r\n",
    "\r\n",
    "{ \"version_number\": 3,\t\"title\": \"नमस्ते 👩‍🚀\",\t\"kb_max_chunks\": 12 }\r\n",
    "  \t\n",
    "{\"version_number\": 3, \"title\": \"cut sho\n",
    "{ \"name\": \"a line of somebody else's\" }\n",
    "{ \"id\": \"ag_desk\", \"agent_type\": \"Single_Prompt_Agent\", \"versions\": 3 }\n",
    "\u{a0}{ \"version_number\": 3, \"pipeline_type\": \"cascaded\", \"end_call_on_silence_sec\": 20 }\n",
    "{ \"version_number\": 3, \"prompt_text\": \"Hello {{name}, 👍🏽 you\\nare here\" }",
);

fn json_report(directory: &std::path::Path, arguments: &[&str]) -> Value {
    let output = run(directory, &[&["check", "--format", "json"], arguments].concat());
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn comments_and_trailing_commas_are_read_where_the_file_says_so() {
    let folder = folder(
        "jsonc",
        &[
            ("agents/a.jsonc", COMMENTED),
            ("agents/b.json", COMMENTED),
            ("tsconfig.jsonc", "{ // x\n}"),
        ],
    );
    assert_snapshot("formats", "jsonc", stdout(&run(&folder, &["check", "agents/a.jsonc"])));
    assert_snapshot("formats", "jsonc-strict", stdout(&run(&folder, &["check", "agents/b.json"])));

    let found = |arguments: &[&str]| {
        let output = run(&folder, &[&["check", "--format", "concise", "-q"], arguments].concat());
        stdout(&output).to_owned()
    };
    let lenient = found(&["agents/a.jsonc"]);
    assert_eq!(found(&["--jsonc", "agents/b.json"]), lenient.replace("a.jsonc", "b.json"));
    // The comments, the comma, and what else is wrong.
    assert_eq!(found(&["agents/b.json"]).lines().count(), lenient.lines().count() + 2);
    assert!(found(&[]).starts_with(&lenient), "directories are searched for both");

    let input = |arguments: &[&str]| {
        let arguments = [&["check", "-", "--format", "concise", "-q"], arguments].concat();
        stdout(&run_with_input(&arguments, COMMENTED)).replace("<stdin>", "agents/a.jsonc")
    };
    assert_eq!(input(&["--jsonc"]), lenient);
    assert_eq!(input(&["--stdin-filename", "agents/a.jsonc"]), lenient);
    assert_ne!(input(&[]), lenient);
}

/// The rules that these lines break or leave undecided. A new rule does not change what is shown.
const SELECTED: &str = "missing-field,out-of-range,published-version-edited,silence-not-after-reminder,syntax-error,\
                        template-syntax-error,unknown-field,unknown-value,version-not-found,wrong-type";

#[test]
fn lines_are_shown_where_they_stand() {
    let folder = folder("lines", &[("exports/all.ndjson", LINES)]);
    let output = run(&folder, &["check", "--show-undecided", "--select", SELECTED]);
    assert_eq!(output.status.code(), Some(1));
    let shown = format!("{}{}", stdout(&output), stderr(&output));
    assert_snapshot("formats", "lines", &shown);
    let output = run(&folder, &["check", "--format", "concise"]);
    assert_snapshot("formats", "lines-concise", stdout(&output));
    assert_snapshot(
        "formats",
        "lines.json",
        stdout(&run(&folder, &["check", "--format", "json", "--select", SELECTED])),
    );
}

#[test]
fn places_are_those_of_the_file_and_records_count_documents() {
    let folder = folder("records", &[("all.jsonl", LINES)]);
    let report = json_report(&folder, &["."]);
    assert_eq!(report["files"].as_array().unwrap().len(), 1);
    let file = &report["files"][0];
    let found: Vec<Value> = file["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| {
            let at = |end: &str| found["span"][end].as_u64().unwrap() as usize;
            let text = &LINES[at("start")..at("end")];
            let line = LINES[..at("start")].matches('\n').count() + 1;
            assert_eq!(found["span"]["from"]["line"], line);
            json!([found["record"], found["kind"], found["rule"], text])
        })
        .collect();
    let text = "\"cut sho";
    assert_eq!(
        found,
        [
            json!([1, "update", "out-of-range", "12"]),
            json!([2, "update", "syntax-error", text]),
            json!([3, "update", "missing-field", "{"]),
            json!([3, "update", "unknown-field", "\"name\""]),
            json!([4, "agent", "wrong-type", "3"]),
            json!([5, "update", "syntax-error", "\u{a0}"]),
            json!([5, "update", "unknown-value", "\"cascaded\""]),
            json!([6, "update", "template-syntax-error", "}"]),
        ]
    );
    let fix =
        file["diagnostics"].as_array().unwrap().iter().find(|it| it["rule"] == "unknown-value");
    let edit = &fix.unwrap()["fixes"][0]["edits"][0];
    let (start, end) = (edit["start"].as_u64().unwrap(), edit["end"].as_u64().unwrap());
    assert_eq!(&LINES[start as usize..end as usize], "\"cascaded\"");
    let undecided = file["undecided"].as_array().unwrap();
    assert!(undecided.iter().all(|entry| entry["record"].is_u64() && entry["kind"] == "update"));
    assert_eq!(undecided[0]["record"], 0, "of clean documents, too");
    // The line of somebody else has no version number that could be looked up.
    assert!(undecided.iter().all(|entry| entry["record"] != 3));
    assert_eq!(report["summary"]["documents"], 7);
    assert_eq!(report["summary"]["files"], 1);
}

#[test]
fn a_line_without_end_is_a_fault_and_the_next_one_is_read() {
    let mut text = String::from(
        "{ \"version_number\": 3, \"title\": \"a\" }\n{ \"version_number\": 3, \"prompt_text\": \"",
    );
    text.push_str(&"x".repeat(MAX_LINE));
    text.push_str("\" }\n{ \"version_number\": 3, \"kb_max_chunks\": 12 }\n");
    let folder = folder("long-line", &[("a.ndjson", text.as_str())]);
    let output = run(&folder, &["check", "--format", "concise", "-q"]);
    assert_eq!(
        stdout(&output),
        "a.ndjson:2:1: error[syntax-error] this line is longer than 16 MiB, so it was not checked\n\
         a.ndjson:3:41: error[out-of-range] `kb_max_chunks` is 12, over the maximum of 10\n"
    );
    let report = json_report(&folder, &["a.ndjson"]);
    let last = &report["files"][0]["diagnostics"][1];
    let start = last["span"]["start"].as_u64().unwrap() as usize;
    assert_eq!((&text[start..start + 2], &last["record"]), ("12", &json!(2)));
    assert!(stdout(&run(&folder, &["check"])).len() < 2000, "little of it is shown");
}

#[test]
fn other_encodings_are_one_fault() {
    let text: Vec<u8> =
        "{ \"version_number\": 3 }\n".repeat(5).encode_utf16().flat_map(u16::to_le_bytes).collect();
    let folder = folder("utf16-lines", &[("a.ndjson", text)]);
    let output = run(&folder, &["check", "--format", "concise", "-q"]);
    assert_eq!(
        stdout(&output),
        "a.ndjson:1:1: error[syntax-error] the file is in UTF-16 or UTF-32, not in UTF-8\n"
    );
    let bytes = b"\xef\xbb\xbf{ \"version_number\": 3, \"title\": \"caf\xe9\" }\n{ \"version_number\": 3, \"title\": \"\xff\" }\n";
    let output = run_with_input(
        &["check", "-", "--stdin-filename", "a.jsonl", "--format", "concise", "-q"],
        bytes,
    );
    let places: Vec<_> =
        stdout(&output).lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(places, ["a.jsonl:1:1:", "a.jsonl:1:37:", "a.jsonl:2:34:"]);
}

#[test]
fn the_order_of_lines_does_not_depend_on_threads() {
    // More than a megabyte, so that there are many batches.
    let mut text = String::new();
    for number in 0..1800 {
        let chunks = if number % 3 == 0 { 12 } else { 3 };
        let filling = "निर्देश ".repeat(number % 80);
        writeln!(text, "{{\"version_number\": {number}, \"kb_max_chunks\": {chunks}, \"title\": \"{filling}\"}}").unwrap();
    }
    let folder = folder(
        "threads",
        &[("b/all.ndjson", text.as_str()), ("a.json", LINES), ("c.json", COMMENTED)],
    );
    let formats = ["full", "concise", "json"].into_iter();
    for format in formats.take(voxlint_testing::cases(1, 3) as usize) {
        let mut outputs: Vec<(String, String)> = ["1", "7"]
            .into_iter()
            .map(|threads| {
                let output = voxlint(&folder, &["check", "--format", format])
                    .env("RAYON_NUM_THREADS", threads)
                    .output()
                    .unwrap();
                (stdout(&output).to_owned(), stderr(&output).to_owned())
            })
            .collect();
        outputs.dedup();
        assert_eq!(outputs.len(), 1, "{format}");
    }
    let output = run(&folder, &["check", "b/all.ndjson", "--format", "concise", "-q"]);
    let found: Vec<_> =
        stdout(&output).lines().filter(|line| line.contains("[out-of-range]")).collect();
    assert_eq!(found.iter().filter(|line| line.contains("kb_max_chunks")).count(), 600);
    let lines: Vec<usize> =
        found.iter().map(|line| line.split(':').nth(1).unwrap().parse().unwrap()).collect();
    assert!(lines.is_sorted());
}

/// What a finding says, with its places moved by that much.
fn said(found: &Diagnostic, by: u64) -> Value {
    let span =
        |span: voxlint::syntax::Span| json!([u64::from(span.start) + by, u64::from(span.end) + by]);
    let edits: Vec<_> = found
        .fixes
        .iter()
        .flat_map(|fix| &fix.edits)
        .map(|edit| json!([span(edit.span), edit.text]))
        .collect();
    let related: Vec<_> = found.related.iter().map(|place| span(place.span)).collect();
    json!([
        found.rule.id,
        found.verdict.name(),
        found.field,
        found.message,
        found.help,
        span(found.span),
        related,
        edits
    ])
}

#[test]
fn every_case_says_on_a_line_and_as_jsonc_what_it_says_alone() {
    let (mut lines, mut expected) = (String::new(), Vec::new());
    for case in case_files() {
        let Ok(text) = String::from_utf8(fs::read(&case.path).unwrap()) else { continue };
        // A space can replace a line break between tokens, but not inside a string, where the text is not valid JSON.
        if serde_json::from_str::<Value>(&text).is_err() || text.starts_with('\u{feff}') {
            continue;
        }
        let line = text.replace(['\n', '\r'], " ");
        let document = Document::parse(line.as_str());
        let report = check(&Inputs::new(document));
        let as_jsonc = Document::parse_as(line.as_str(), Format::Jsonc);
        let as_jsonc: Vec<_> =
            check(&Inputs::new(as_jsonc)).diagnostics.iter().map(|found| said(found, 0)).collect();
        let alone: Vec<_> = report.diagnostics.iter().map(|found| said(found, 0)).collect();
        assert_eq!(alone, as_jsonc, "{}", case.path.display());
        expected.extend(report.diagnostics.iter().map(|found| said(found, lines.len() as u64)));
        lines.push_str(&line);
        lines.push('\n');
    }
    assert!(expected.len() > 100);
    let folder = folder("cases-on-lines", &[("all.ndjson", lines.as_str())]);
    let report = json_report(&folder, &["all.ndjson"]);
    let found: Vec<_> = report["files"][0]["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .map(|found| {
            let span = |place: &Value| json!([place["span"]["start"], place["span"]["end"]]);
            let related: Vec<_> = found["related"].as_array().unwrap().iter().map(span).collect();
            let edits: Vec<_> = found["fixes"]
                .as_array()
                .unwrap()
                .iter()
                .flat_map(|fix| fix["edits"].as_array().unwrap())
                .map(|edit| json!([[edit["start"], edit["end"]], edit["text"]]))
                .collect();
            json!([
                found["rule"],
                found["verdict"],
                found["field"],
                found["message"],
                found["help"],
                span(found),
                related,
                edits
            ])
        })
        .collect();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found, expected);
    }
}

#[test]
fn a_text_in_a_file_of_its_own_belongs_to_its_document() {
    let folder = folder(
        "text-files",
        &[
            ("agents/en.yaml", "version_number: 3\ntitle: Front desk\n"),
            ("agents/en.prompt.hbs", "Greet {{name}}.\r\n\tAsk {{#if vip}}नमस्ते 👋{{/unless}}\r\n"),
            ("agents/fr.json", "{ \"version_number\": 3, \"prompt_text\": \"Salut\" }"),
            ("agents/fr.prompt.hbs", "Salut {{name}}\n"),
            ("agents/other.hbs", "{{name}"),
        ],
    );
    let texts = ["check", "agents", "--text-files", "prompt_text={stem}.prompt.hbs"];
    let output = run(&folder, &texts);
    assert_eq!(output.status.code(), Some(1));
    assert_snapshot("formats", "text-files", stdout(&output));
    // The files are not checked a second time by themselves, and the others are.
    let report = json_report(&folder, &texts[1..]);
    let found = |path: &str| -> Vec<Value> {
        let files = report["files"].as_array().unwrap();
        let file = files.iter().find(|file| file["path"] == path);
        file.map(|file| file["diagnostics"].as_array().unwrap().clone()).unwrap_or_default()
    };
    let in_text = &found("agents/en.yaml")[0];
    assert_eq!(in_text["in"], "text");
    assert_eq!(in_text["path"], "agents/en.prompt.hbs");
    assert_eq!(in_text["field"], "/prompt_text");
    assert_eq!(in_text["span"]["from"], json!({ "line": 2, "column": 25 }));
    assert_eq!(found("agents/fr.json")[0]["rule"], "text-given-twice");
    assert!(found("agents/en.prompt.hbs").is_empty());
    assert_eq!(found("agents/other.hbs")[0]["rule"], "template-syntax-error");
    // What the document gives as well is checked by itself: neither of the two may be wrong.
    assert_eq!(report["summary"]["documents"], 4);

    let both = ["predict", "agents/fr.json", "--text-files", "prompt_text={stem}.prompt.hbs"];
    assert_eq!(run(&folder, &both).status.code(), Some(2));
    fs::write(folder.join("agents/latin.prompt.hbs"), b"caf\xe9 {{x").unwrap();
    fs::write(folder.join("agents/latin.json"), "{ \"version_number\": 3 }").unwrap();
    let latin = run(&folder, &texts);
    assert_eq!(latin.status.code(), Some(2));
    assert!(stderr(&latin).contains("agents/latin.prompt.hbs: is not UTF-8"));
    let predict = ["predict", "agents/en.yaml", "--text-files", "prompt_text={stem}.prompt.hbs"];
    assert!(stdout(&run(&folder, &predict)).contains("400 Bad Request"));
    for (wrong, why) in [
        ("title", "write FIELD=PATTERN"),
        ("titel={stem}", "`titel` is not a text field"),
        ("title={name}.hbs", "only `{stem}` is allowed"),
    ] {
        let output = run(&folder, &["check", "--text-files", wrong]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}
