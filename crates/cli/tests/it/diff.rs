//! The command `voxlint diff`.

use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use voxlint_testing::assert_snapshot;

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

/// An agent with only summaries of its versions.
const AGENT: &str = r#"{
  "id": "ag_front_desk",
  "folder_id": "fo_desks",
  "timezone": null,
  "agent_type": "Single_Prompt_Agent",
  "pipeline_type": "Cascaded",
  "versions": [{ "version_number": 3, "title": "Front desk", "is_published": false }]
}"#;

fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("diff").join(name);
    if folder.exists() {
        fs::remove_dir_all(&folder).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    for (path, text) in files {
        fs::write(folder.join(path), text).unwrap();
    }
    folder
}

fn voxlint(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_voxlint"));
    command.current_dir(folder).arg("diff").args(arguments);
    for name in ["NO_COLOR", "CLICOLOR_FORCE", "TERM"] {
        command.env_remove(name);
    }
    command
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
fn what_an_update_omits_is_kept_unless_it_is_complete() {
    let new = r#"{ "version_number": 3, "title": "Night desk" }"#;
    let configuration = "[[documents]]\nfiles = \"new.json\"\nkind = \"settings\"\n";
    let files = [("old.json", HELD), ("new.json", new), ("all.toml", configuration)];
    let folder = folder("omitted", &files);
    let run = |options: &[&str]| {
        shown(&voxlint(&folder, &[&["old.json", "new.json"], options].concat()).output().unwrap())
    };
    let kept =
        "exit code: 0\n-- stdout\n{\n  \"version_number\": 3,\n  \"title\": \"Night desk\"\n}\n";
    assert!(run(&[]).starts_with(kept), "{}", run(&[]));
    let complete = run(&["--complete", "--explain"]);
    assert!(complete.contains("! removes all 3 functions"), "{complete}");
    // Settings are complete, as in `check`.
    assert_eq!(run(&["--config", "all.toml", "--explain"]), complete);
}

#[test]
fn explain_says_the_dangerous_changes_first() {
    let output = assert_output("explain", HELD, WANTED, &["--explain", "--complete"]);
    assert_eq!(status(&output), 0);
    assert!(!shown(&output).contains("sk-live-0"));
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
fn nothing_to_change_prints_nothing() {
    let new = r#"{ "kb_max_chunks": 3.0, "title": "Front\u0020desk", "agent_functions": null, "version_number": 3e0 }"#;
    let old = r#"{ "version": { "version_number": 3, "title": "Front desk", "kb_max_chunks": 3, "post_call_analysis": [] }, "complete": true }"#;
    let output = assert_output("nothing", old, new, &["--complete"]);
    assert_eq!((status(&output), output.stdout.len()), (0, 0));
    let output = assert_output("nothing-json", old, new, &["--format", "json", "--complete"]);
    assert_eq!(status(&output), 0);
}

#[test]
fn an_update_that_would_be_rejected_is_not_printed() {
    let new = r#"{ "title": "Front desk", "kb_max_chunks": 12, "responsiveness": 3 }"#;
    let output = assert_output("rejected", DRAFT, new, &["--complete"]);
    assert_eq!((status(&output), output.stdout.len()), (1, 0));
    // `--explain` still lists its changes.
    let output = assert_output("rejected-explain", DRAFT, new, &["--explain", "--complete"]);
    assert_eq!(status(&output), 1);
}

#[test]
fn settings_that_no_update_can_unset_fail_the_run() {
    let new = r#"{ "title": "Night desk" }"#;
    assert_eq!(status(&assert_output("cannot_unset", DRAFT, new, &["--complete"])), 1);
    assert_eq!(status(&assert_output("update", DRAFT, new, &[])), 0);
    // An explicit change that is impossible fails even then.
    let new = r#"{ "kb_max_chunks": null }"#;
    assert_eq!(status(&assert_output("update-null", DRAFT, new, &[])), 1);
}

#[test]
fn a_published_version_cannot_be_edited() {
    let old = r#"{ "version_number": 3, "title": "Front desk", "is_published": true }"#;
    let new = r#"{ "title": "Night desk" }"#;
    assert_eq!(status(&assert_output("published", old, new, &["--complete"])), 1);
    // Settings without `is_published` do not unpublish.
    let new = r#"{ "title": "Front desk" }"#;
    assert_eq!(status(&assert_output("published-same", old, new, &["--complete"])), 0);
}

#[test]
fn a_document_that_cannot_be_used_is_shown() {
    let new = r#"{ "title": "Night desk" }"#;
    for (name, old, new) in [
        ("broken-old", "{ \"version_number\": 3, \"title\": }", new),
        ("broken-new", DRAFT, "{ \"title\": \"Night desk\", }"),
        ("misspelled-new", DRAFT, "{ \"agent_function\": [], \"title\": \"Night desk\" }"),
        ("empty-new", DRAFT, ""),
        ("array-new", DRAFT, "[]"),
        ("duplicate-new", DRAFT, "{ \"title\": \"Night desk\", \"title\": \"Day desk\" }"),
        (
            "duplicate-variable",
            DRAFT,
            r#"{ "title": "Night desk", "default_dynamic_variables": { "room": 1, "room": 2 } }"#,
        ),
        ("half-a-character", DRAFT, "{ \"title\": \"\\ud83d\" }"),
        ("agent-new", DRAFT, r#"{ "id": "ag_a", "agent_type": "Single_Prompt_Agent" }"#),
        ("envelope-new", DRAFT, r#"{ "version": { "version_number": 3 } }"#),
        ("foreign-new", DRAFT, r#"{ "name": "web", "dependencies": {} }"#),
        ("no-number", r#"{ "title": "Front desk" }"#, new),
    ] {
        let output = assert_output(name, old, new, &["--complete"]);
        assert_eq!((status(&output), output.stdout.len()), (2, 0), "{name}");
    }
    let folder = folder("missing", &[("old.json", DRAFT)]);
    let output = voxlint(&folder, &["old.json", "gone.json"]).output().unwrap();
    assert_eq!(
        shown(&output),
        "exit code: 2\n-- stderr\nvoxlint: gone.json: no such file or directory\n"
    );
}

#[test]
fn the_update_is_for_the_version_that_is_stored() {
    let new = r#"{ "version_number": 4, "title": "Night desk", "kb_max_chunks": 3, "colour": 1, "update_deployment": true }"#;
    assert_eq!(status(&assert_output("other-version", DRAFT, new, &["--complete"])), 0);
}

#[test]
fn summaries_of_an_agent_provide_stored_settings() {
    let old = r#"{
  "id": "ag_front_desk",
  "agent_type": "Single_Prompt_Agent",
  "pipeline_type": "Cascaded",
  "versions": [
    { "version_number": 2, "title": "Old desk", "is_published": true },
    { "version_number": 3, "title": "Front desk", "is_published": false, "transcriber_id": "tr_nova", "post_call_analysis_llm_id": "llm_a" }
  ]
}"#;
    let new = r#"{ "version_number": 3, "title": "Front desk", "transcriber_id": "tr_echo", "voice_id": "vo_max", "agent_functions": [], "outbound_phone_number_id": "pn_a" }"#;
    assert_eq!(status(&assert_output("agent", old, new, &["--complete"])), 0);
    assert_eq!(status(&assert_output("agent-explain", old, new, &["--explain", "--complete"])), 0);
    assert_eq!(
        status(&assert_output("agent-id", old, new, &["--agent-id", "ag_other", "--complete"])),
        2
    );
}

#[test]
fn unchanged_unknown_settings_are_reported_in_one_line() {
    let new = r#"{ "version_number": 3, "title": "Night desk" }"#;
    let output = assert_output("left-alone", AGENT, new, &["--complete"]);
    assert_eq!(shown(&output).matches("it is unknown whether").count(), 1);
    assert_eq!(status(&output), 0);
    // Without `--complete`, omitted settings are kept, and null unsets a setting.
    let output = assert_output("left-alone-update", AGENT, new, &[]);
    assert!(!shown(&output).contains("it is unknown whether"), "{}", shown(&output));
    let new = r#"{ "version_number": 3, "title": "Night desk", "prompt_text": null }"#;
    assert_output("left-alone-update-null", AGENT, new, &[]);
    // A new voice takes its recommended model, whatever the stored one is.
    let new = r#"{ "version_number": 3, "title": "Front desk", "voice_id": "vo_max" }"#;
    let output = assert_output("left-alone-model", AGENT, new, &["--format", "json", "--complete"]);
    assert!(shown(&output).contains(" more"), "{}", shown(&output));
}

#[test]
fn undecided_checks_are_counted() {
    let new = r#"{ "title": "Front desk", "kb_max_chunks": 3, "is_published": true }"#;
    let output = assert_output("undecided", DRAFT, new, &["--complete"]);
    assert_eq!(status(&output), 0);
    assert!(shown(&output).ends_with("voxlint: 1 check needs workspace facts\n"));
    let old = r#"{ "version_number": 3, "outbound_phone_number_id": "pn_a" }"#;
    let new = r#"{ "is_published": true, "outbound_phone_number_id": "pn_b" }"#;
    assert_output("undecided-old", old, new, &["--explain"]);
}

#[test]
fn a_fallback_that_is_left_empty_is_dangerous() {
    let version = |members: &str| {
        format!(
            r#"{{ "version": {{ "version_number": 3, "is_published": false, "llm_fallback_model": "llm_b", {members} }}, "complete": true }}"#
        )
    };
    let explain = |name: &str, old: &str, new: &str, options: &[&str]| {
        let output = assert_output(name, old, new, &[&["--explain"], options].concat());
        shown(&output).lines().find(|line| line.contains("llm_fallback_model")).unwrap().to_owned()
    };
    let [on, off] = ["true", "false"].map(|flag| format!("\"fallback_llm_enabled\": {flag}"));
    let new = r#"{ "fallback_llm_enabled": true }"#;
    let line = explain("fallback-empty", &version(&on), new, &["--complete"]);
    assert!(line.starts_with("! clears"), "{line}");
    // The fallback stays on if it is omitted, and may be on if its stored value is unknown.
    let new = r#"{ "llm_fallback_model": null }"#;
    let line = explain("fallback-empty-kept", &version(&on), new, &[]);
    assert!(line.starts_with("! clears"), "{line}");
    let new = r#"{ "llm_fallback_model": null, "stt_fallback_transcriber_id": null }"#;
    let line = explain("fallback-empty-unknown", r#"{ "version_number": 3 }"#, new, &[]);
    assert!(line.starts_with("! clears"), "{line}");
    // If it is off, nothing is lost.
    let new = r#"{ "fallback_llm_enabled": false }"#;
    let line = explain("fallback-empty-off", &version(&off), new, &["--complete"]);
    assert!(line.starts_with("  clears"), "{line}");
}

#[test]
fn a_version_that_may_be_a_draft_is_not_made_one() {
    let new = r#"{ "version_number": 3, "title": "Front desk", "is_published": false }"#;
    let old = r#"{ "version_number": 3, "title": "Front desk" }"#;
    let output = assert_output("draft-already", old, new, &[]);
    assert_eq!((status(&output), output.stdout.len()), (0, 0));
    // A published version stays published, which is reported.
    let old = r#"{ "version_number": 3, "title": "Front desk", "is_published": true }"#;
    assert_eq!(status(&assert_output("draft-again", old, new, &[])), 1);
}

#[test]
fn fields_equal_to_the_agent_are_not_repeated() {
    let new = r#"{ "version_number": 3, "title": "Front desk", "folder_id": "fo_desks", "pipeline_type": "Cascaded" }"#;
    let output = assert_output("agent-same", AGENT, new, &[]);
    assert_eq!((status(&output), output.stdout.len()), (0, 0));
    let new = r#"{ "version_number": 3, "title": "Front desk", "folder_id": "fo_night", "timezone": "Asia/Kolkata" }"#;
    assert_eq!(status(&assert_output("agent-other", AGENT, new, &["--format", "json"])), 0);
    // Fields that only the agent has are not unset, unless the new state contains them.
    let old = format!(
        r#"{{ "agent": {AGENT}, "version": {{ "version_number": 3, "is_published": false, "title": "Front desk" }}, "complete": true }}"#
    );
    let new = r#"{ "title": "Front desk" }"#;
    assert_eq!(status(&assert_output("agent-omitted", &old, new, &["--complete"])), 0);
    let new = r#"{ "title": "Front desk", "folder_id": null }"#;
    assert_eq!(status(&assert_output("agent-null", &old, new, &["--complete"])), 1);
}

#[test]
fn a_number_is_claimed_by_the_request_that_publishes() {
    let old = r#"{ "version_number": 3, "is_published": false, "outbound_phone_number_id": "pn_a", "inbound_phone_number_id": "pn_b" }"#;
    let new = r#"{ "is_published": true, "outbound_phone_number_id": "pn_a", "inbound_phone_number_id": "pn_b" }"#;
    assert_eq!(status(&assert_output("claims", old, new, &["--complete"])), 0);
    let new = r#"{ "is_published": true, "outbound_phone_number_id": "pn_a" }"#;
    assert_eq!(status(&assert_output("claims-update", old, new, &["--explain"])), 0);
}

#[test]
fn facts_are_respected() {
    let facts = r#"{ "voices": { "vo_max": { "provider": "p", "models": [] } } }"#;
    let new = r#"{ "title": "Front desk", "kb_max_chunks": 3, "voice_id": "vo_clara" }"#;
    let folder = folder("facts", &[("old.json", DRAFT), ("new.json", new), ("facts.json", facts)]);
    let output =
        voxlint(&folder, &["old.json", "new.json", "--facts", "facts.json"]).output().unwrap();
    assert_snapshot("diff", "facts", &shown(&output));
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

#[test]
fn nothing_from_a_document_steers_the_terminal_and_no_secret_is_explained() {
    let secret = "8f3a9c2b1d4e5f60:Zk3vT9qLr2Xw8YbN5mHd7PcS";
    let hostile = "\\u001b[31m\\u202e";
    let old = format!(
        r#"{{ "version_number": 3, "title": "{hostile}", "voice_id": "{secret}", "kb_max_chunks": 3,
            "default_dynamic_variables": {{ "{hostile}": 1, "api_key": "hunter2hunter2" }}, "agent_functions": [{{ "displayName": "{hostile}{secret}" }}] }}"#
    );
    let new = format!(
        r#"{{ "title": "x{hostile}", "voice_id": "x{secret}", "{hostile}": 1, "default_dynamic_variables": {{ "api_key": "hunter3hunter3" }} }}"#
    );
    let folder = folder("hostile", &[("old.json", &old), ("new.json", &new)]);
    for options in [&["--explain"][..], &["--explain", "--complete"]] {
        let output =
            voxlint(&folder, &[&["old.json", "new.json"], options].concat()).output().unwrap();
        let text = shown(&output);
        let steers =
            |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!text.contains(steers), "{text:?}");
        assert!(!text.contains("Zk3vT9") && !text.contains("hunter"), "{text}");
    }
}

#[test]
fn a_changed_text_that_is_too_long_for_a_line_is_explained_with_its_words() {
    // Between 41 and 60 characters, and more; short ones are in the sentence.
    for (length, has_words) in [(10, false), (40, true), (55, true), (300, true)] {
        let text = |word: &str| {
            let title = format!("{} {word}", "desk ".repeat(length / 5));
            format!(r#"{{ "version_number": 3, "title": "{title}" }}"#)
        };
        let files = [("old.json", text("one")), ("new.json", text("two"))];
        let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
        let folder = folder(&format!("words-{length}"), &files);
        let said =
            shown(&voxlint(&folder, &["old.json", "new.json", "--explain"]).output().unwrap());
        assert_eq!(said.contains("[-one-]{+two+}"), has_words, "{said}");
        assert!(said.contains("one") && said.contains("two"), "{said}");
    }
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
fn a_text_file_is_compared_and_sent() {
    let new = r#"{ "version_number": 3, "title": "Front desk" }"#;
    let expected = "exit code: 0\n-- stdout\n{\n  \"version_number\": 3,\n  \"prompt_text\": \"Be kind.\\n\"\n}\n";
    let option = "--text-files=prompt_text={stem}.prompt.hbs";
    let folder = with_text_file("text_file_set", TEXT_FILES, new, "Be kind.\n");
    for options in [&["--complete"][..], &[], &["--isolated", option], &[option, "--complete"]] {
        let run = voxlint(&folder, &[&["old.json", "en.json"], options].concat()).output().unwrap();
        assert_eq!(shown(&run), expected, "{options:?}");
    }
    let run = voxlint(&folder, &["old.json", "en.json", "--explain"]).output().unwrap();
    assert!(shown(&run).contains("changes `prompt_text`: line 1 differs"), "{}", shown(&run));

    // Without the text file the prompt would have to be unset.
    let run =
        voxlint(&folder, &["old.json", "en.json", "--isolated", "--complete"]).output().unwrap();
    assert!(shown(&run).contains("`prompt_text` keeps its stored value"), "{}", shown(&run));
}

#[test]
fn a_text_file_with_the_stored_text_changes_nothing() {
    let new = r#"{ "version_number": 3, "title": "Front desk" }"#;
    let folder = with_text_file("text_file_same", TEXT_FILES, new, "Be brief.\n");
    let run = voxlint(&folder, &["old.json", "en.json"]).output().unwrap();
    assert_eq!(shown(&run), "exit code: 0\n-- stderr\nvoxlint: nothing to change\n");
}

#[test]
fn the_template_in_a_text_file_is_checked_and_its_secrets_are_not_explained() {
    let new = r#"{ "version_number": 3, "title": "Front desk" }"#;
    let folder = with_text_file("text_file_bad", TEXT_FILES, new, "Greet {{name}\n");
    let run = voxlint(&folder, &["old.json", "en.json"]).output().unwrap();
    assert_eq!((status(&run), run.stdout.len()), (1, 0), "{}", shown(&run));
    assert!(shown(&run).contains("error[template-syntax-error]"), "{}", shown(&run));

    let secret = "sk-live-8f3a9c2b1d4e5f60Zk3vT9qLr2Xw8YbN";
    fs::write(folder.join("en.prompt.hbs"), secret).unwrap();
    let run = voxlint(&folder, &["old.json", "en.json", "--explain"]).output().unwrap();
    assert!(shown(&run).contains("changes `prompt_text`"), "{}", shown(&run));
    assert!(!shown(&run).contains("Zk3vT9"), "{}", shown(&run));
}

#[test]
fn a_text_is_not_given_twice() {
    let new = r#"{ "version_number": 3, "title": "Front desk", "prompt_text": "Be quick.\n" }"#;
    let folder = with_text_file("text_file_twice", TEXT_FILES, new, "Be kind.\n");
    let run = voxlint(&folder, &["old.json", "en.json"]).output().unwrap();
    assert_snapshot("diff", "text-given-twice", &shown(&run));
    assert_eq!(status(&run), 2);
}

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
