//! The command `voxlint diff`.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

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
