//! Baselines: recorded findings are not reported, and new ones are.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{folder, run, status, stderr, stdout};
use serde_json::Value;
use voxlint_testing::generated_inputs::Random;

const BASELINE: &str = "voxlint-baseline.json";

/// A project with these files, which begins where it is a folder of its own.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let head = [(".git/HEAD", "ref: refs/heads/main\n")];
    folder(&format!("baseline/{name}"), &[&head, files].concat())
}

/// The entries of a baseline: path, rule and pointer, and the ordinal where it is not the first.
fn entries(folder: &Path) -> Vec<String> {
    let baseline: Value =
        serde_json::from_slice(&fs::read(folder.join(BASELINE)).unwrap()).unwrap();
    let entry = |entry: &Value| {
        let text = |name: &str| entry[name].as_str().unwrap().to_owned();
        let ordinal = entry.get("ordinal").map(|it| format!(" #{it}")).unwrap_or_default();
        format!("{} {} {}{ordinal}", text("path"), text("rule"), text("pointer"))
    };
    baseline["findings"].as_array().unwrap().iter().map(entry).collect()
}

/// What `baseline check` names.
fn stale(folder: &Path) -> Vec<String> {
    let output = run(folder, &["baseline", "check"]);
    let lines: Vec<String> = stdout(&output).lines().map(str::to_owned).collect();
    assert_eq!(output.status.code(), Some(i32::from(!lines.is_empty())), "{}", stderr(&output));
    lines
}

fn write(folder: &Path, file: &str, text: &str) {
    fs::write(folder.join(file), text).unwrap();
}

/// Members that no document should have, by the number of the document.
fn faulty(random: &mut Random, number: usize) -> String {
    let mut text = format!("{{\n  \"version_number\": 3,\n  \"title\": \"Bot {number}\"");
    for fault in [
        "\"kb_max_chunks\": 12",
        "\"titel\": \"Front desk\"",
        "\"pipeline_type\": \"cascaded\"",
        "\"prompt_text\": \"Hi {{name}\"",
        "\"agent_functions\": [{ \"name\": \"book\", \"type\": 7 }, { \"name\": \"call\" }]",
        "\"voice_id\": null",
        "\"boosted_keywords\": \"co-op\"",
    ] {
        if random.percent(40) {
            let _ = write!(text, ",\n  {fault}");
        }
    }
    text + ",\n  \"max_call_duration_sec\": 59\n}\n"
}

#[test]
fn an_old_repository_is_at_a_green_gate_after_one_command_and_a_new_fault_fails() {
    let mut random = Random::new(7);
    let files: Vec<(String, String)> = (0..500)
        .map(|number| {
            let folder = ["sales", "support", "travel/eu"][number % 3];
            (format!("{folder}/bot-{number}.json"), faulty(&mut random, number))
        })
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let folder = project("old-repository", &files);
    let before = run(&folder, &["check"]);
    assert_eq!(before.status.code(), Some(1));

    let written = run(&folder, &["baseline", "write"]);
    assert_eq!(written.status.code(), Some(0));
    assert!(
        stderr(&written).contains("in voxlint-baseline.json; only new ones are reported"),
        "{}",
        stderr(&written)
    );
    let after = run(&folder, &["check"]);
    assert_eq!((after.status.code(), stdout(&after)), (Some(0), ""));
    let count = entries(&folder).len();
    assert!(count > 1000);
    assert!(
        stderr(&after).starts_with("500 documents, nothing to report")
            && stderr(&after).contains(&format!(" · {count} in the baseline")),
        "{}",
        stderr(&after)
    );
    assert_eq!(status(&folder, &["check", "--strict"]), 0);
    assert_eq!(stale(&folder), [""; 0]);

    let file = "sales/bot-3.json";
    let text = fs::read_to_string(folder.join(file)).unwrap();
    write(&folder, file, &text.replacen('{', "{ \"end_call_on_silence_sec\": 1,", 1));
    let failed = run(&folder, &["check", "--format", "concise"]);
    assert_eq!(failed.status.code(), Some(1));
    assert_eq!(stdout(&failed).lines().count(), 1, "{}", stdout(&failed));
    assert!(stdout(&failed).starts_with("sales/bot-3.json:1:"));

    // The same text again is the same file: a review sees what has changed.
    let first = fs::read(folder.join(BASELINE)).unwrap();
    write(&folder, file, &text);
    assert_eq!(status(&folder, &["baseline", "write"]), 0);
    assert_eq!(fs::read(folder.join(BASELINE)).unwrap(), first);
}
