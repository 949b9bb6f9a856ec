//! The command `voxlint diff`.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use voxlint_testing::assert_snapshot;

use crate::process;

/// A draft with all settings whose loss is risky.
const HELD: &str = r#"{
  "agent": {
    "id": "ag_front_desk",
    "agent_type": "Single_Prompt_Agent",
    "pipeline_type": "Cascaded",
    "versions": [{ "version_number": 3, "is_published": false }]
  },
  "version": {
    "version_number": 3,
    "title": "Front desk",
    "prompt_text": "You answer the phone.\nBe brief.\nCall the guest {{name}}.",
    "welcome_message": "Hello, this is the front desk of the hotel by the lake.",
    "default_dynamic_variables": { "name": "guest", "room": "" },
    "voice_id": "vo_clara",
    "voice_model_id": "vm_warm",
    "transcriber_id": "tr_nova",
    "fallback_stt_enabled": true,
    "stt_fallback_transcriber_id": "tr_echo",
    "fallback_llm_enabled": true,
    "inbound_phone_number_id": "pn_lobby",
    "outbound_phone_number_id": "pn_office",
    "post_call_analysis": [
      { "field_name": "mood", "field_type": "STRING", "field_description": "How the guest sounded" }
    ],
    "agent_functions": [
      { "displayName": "transfer", "type": "call_transfer", "description": "To the office", "config": { "api_key": "sk-live-0123456789abcdef" } },
      { "displayName": "end", "type": "end_call", "description": "At the end", "config": {} },
      { "displayName": "book", "type": "book_calendar", "description": "A table", "config": {} }
    ]
  },
  "complete": true
}
"#;

const WANTED: &str = r#"{
  "version_number": 3,
  "title": "Night desk",
  "is_published": true,
  "prompt_text": "You answer the phone at night.\nBe brief.\nCall the guest {{name}}.",
  "welcome_message": "Hello, this is the night desk of the hotel by the lake.",
  "default_dynamic_variables": { "name": "guest" },
  "voice_id": "vo_max",
  "voice_model_id": "vm_warm",
  "transcriber_id": "tr_nova",
  "fallback_stt_enabled": false,
  "fallback_llm_enabled": false,
  "kb_min_score": 0.50,
  "outbound_phone_number_id": "pn_night",
  "agent_functions": [
    { "displayName": "book", "type": "book_calendar", "description": "A table or a room", "config": {} }
  ]
}
"#;

/// A completely known draft.
const DRAFT: &str = r#"{
  "version": { "version_number": 3, "is_published": false, "title": "Front desk", "kb_max_chunks": 3 },
  "complete": true
}"#;

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    process::folder(&format!("diff/{name}"), files)
}

fn voxlint(folder: &Path, arguments: &[&str]) -> Command {
    process::voxlint(folder, &[&["diff"], arguments].concat())
}

/// The exit code and the output of a run.
fn shown(output: &Output) -> String {
    let mut text = format!("exit code: {}\n", output.status.code().unwrap());
    for (name, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        if !bytes.is_empty() {
            let _ = write!(text, "-- {name}\n{}", std::str::from_utf8(bytes).unwrap());
        }
    }
    text
}

/// The output without the number of undecided checks, which changes with every new rule.
fn without_count(output: &str) -> String {
    let is_count = |line: &str| {
        line.starts_with("voxlint: ")
            && [" check needs ", " checks need "].iter().any(|words| line.contains(words))
    };
    let output: String = output.split_inclusive('\n').filter(|line| !is_count(line)).collect();
    output.strip_suffix("-- stderr\n").unwrap_or(&output).to_owned()
}

/// Runs the command on `old.json` and `new.json` and compares what a user sees.
fn assert_output(name: &str, old: &str, new: &str, options: &[&str]) -> Output {
    let folder = folder(name, &[("old.json", old), ("new.json", new)]);
    let output = voxlint(&folder, &[&["old.json", "new.json"], options].concat()).output().unwrap();
    let is_about_counts = name.starts_with("undecided");
    let shown = if is_about_counts { shown(&output) } else { without_count(&shown(&output)) };
    assert_snapshot("diff", name, &shown);
    output
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap()
}

#[test]
fn the_update_is_printed_ready_to_send() {
    let output = assert_output("plain", HELD, WANTED, &["--complete"]);
    assert_eq!(status(&output), 0);

    // The printed update has no findings; the stored configuration has a key.
    let folder = folder("again", &[("old.json", HELD)]);
    fs::write(folder.join("update.json"), &output.stdout).unwrap();
    let check = Command::new(env!("CARGO_BIN_EXE_voxlint"))
        .current_dir(&folder)
        .args(["check", "update.json", "--stored", "old.json", "--level", "secret-in-document=off"])
        .output()
        .unwrap();
    assert_eq!(status(&check), 0);
}

#[test]
fn json_holds_everything() {
    let new = r#"{ "title": "Night desk", "responsiveness": 3 }"#;
    assert_eq!(status(&assert_output("json", DRAFT, new, &["--format", "json", "--complete"])), 1);

    let files = [("old.json", HELD), ("new.json", WANTED)];
    let folder = folder("json-forms", &files);
    let run = |options: &[&str]| {
        voxlint(&folder, &[&["old.json", "new.json"], options].concat()).output().unwrap()
    };
    let json: Value = serde_json::from_slice(&run(&["--format", "json"]).stdout).unwrap();
    let plain: Value = serde_json::from_slice(&run(&[]).stdout).unwrap();
    assert_eq!((&json["schema"], &json["tool"]["name"]), (&1.into(), &"voxlint".into()));
    assert_eq!((&json["update"], &json["rejected"]), (&plain, &false.into()));
    let change = &json["changes"][0];
    assert_eq!(change["field"], "/is_published");
    assert_eq!((&change["kind"], &change["dangerous"]), (&"publishing".into(), &true.into()));
    assert_eq!((&change["old"], &change["new"]), (&Value::Null, &"true".into()));
    assert_eq!(change["message"], "publishes version 3");
    for member in ["cannot_unset", "notes", "diagnostics", "undecided"] {
        assert!(json[member].is_array(), "{member}");
    }
    let text = String::from_utf8(run(&["--format", "json"]).stdout).unwrap();
    assert!(text.contains("\"kb_min_score\": 0.50"), "a number is not respelled");
}

#[test]
fn one_of_the_two_may_be_standard_input() {
    let folder = folder(
        "stdin",
        &[("old.json", DRAFT), ("new.json", r#"{ "title": "x", "kb_max_chunks": 12 }"#)],
    );
    let run = |arguments: &[&str], input: &str| {
        let mut child = voxlint(&folder, arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A run with invalid arguments does not read files.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    };
    let output = run(&["old.json", "-"], r#"{ "title": "Night desk", "kb_max_chunks": 3 }"#);
    assert_eq!((status(&output), output.stderr.len()), (0, 0));
    let output = run(&["-", "new.json"], DRAFT);
    assert!(shown(&output).contains("the update from <stdin> to new.json:"), "{}", shown(&output));
    let output = run(&["-", "-"], DRAFT);
    assert_eq!(
        shown(&output),
        "exit code: 2\n-- stderr\nvoxlint: only one file can be standard input\n"
    );
}

/// A folder with a stored prompt, settings without it, and a prompt in a file of its own.
fn with_text_file(name: &str, configuration: &str, new: &str, prompt: &str) -> PathBuf {
    let old = r#"{
      "version": { "version_number": 3, "is_published": false, "title": "Front desk", "prompt_text": "Be brief.\n" },
      "complete": true
    }"#;
    folder(
        name,
        &[
            ("voxlint.toml", configuration),
            ("old.json", old),
            ("en.json", new),
            ("en.prompt.hbs", prompt),
        ],
    )
}

const TEXT_FILES: &str =
    "[[documents]]\nfiles = \"en.json\"\ntext_files = { prompt_text = \"{stem}.prompt.hbs\" }\n";

#[test]
fn a_text_that_cannot_be_read_fails_the_run() {
    let new = r#"{ "version_number": 3, "title": "Front desk" }"#;
    let folder = with_text_file("text_file_unread", TEXT_FILES, new, "");
    fs::write(folder.join("en.prompt.hbs"), b"Be \xff").unwrap();
    let run = voxlint(&folder, &["old.json", "en.json"]).output().unwrap();
    assert_eq!(shown(&run), "exit code: 2\n-- stderr\nvoxlint: en.prompt.hbs: is not UTF-8\n");
    fs::remove_file(folder.join("en.prompt.hbs")).unwrap();
    fs::create_dir(folder.join("en.prompt.hbs")).unwrap();
    let run = voxlint(&folder, &["old.json", "en.json"]).output().unwrap();
    assert_eq!((status(&run), run.stdout.len()), (2, 0), "{}", shown(&run));

    let options = ["old.json", "-", "--text-files=prompt_text={stem}.prompt.hbs"];
    let run = voxlint(&folder, &options).stdin(Stdio::null()).output().unwrap();
    assert!(shown(&run).contains("name the file of NEW"), "{}", shown(&run));
    assert_eq!(status(&run), 2);
}
