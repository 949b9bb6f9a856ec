//! Baselines: recorded findings are not reported, and new ones are.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{folder, places, run, status, stderr, stdout};
use serde_json::Value;
use voxlint_testing::generated_inputs::Random;

const BASELINE: &str = "voxlint-baseline.json";

const FAULTY: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 12 }";

/// A project with these files, which begins where it is a folder of its own.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let head = [(".git/HEAD", "ref: refs/heads/main\n")];
    folder(&format!("baseline/{name}"), &[&head, files].concat())
}

/// A project whose findings are all in its baseline.
fn settled(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = project(name, files);
    assert_eq!(status(&folder, &["baseline", "write"]), 0);
    assert_eq!(places(&folder, &[]), [""; 0]);
    folder
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

const DOCUMENT: &str = r#"{
  "version_number": 3,
  "kb_max_chunks": 12,
  "titel": "Front desk",
  "agent_functions": [
    { "name": "book", "type": 7, "displayName": "Book", "description": "b", "config": {} },
    { "name": "call", "type": 8, "displayName": "Call", "description": "c", "config": {} }
  ]
}
"#;

#[test]
fn changes_around_a_finding_keep_it_baselined() {
    for (what, changed) in [
        (
            "reordered members",
            r#"{ "titel": "Front desk", "kb_max_chunks": 12, "agent_functions": [
                { "config": {}, "type": 7, "displayName": "Book", "name": "book", "description": "b" },
                { "name": "call", "type": 8, "displayName": "Call", "description": "c", "config": {} }
            ], "version_number": 3 }"#
                .to_owned(),
        ),
        ("another indentation", DOCUMENT.replace("  ", "\t\t").replace('\n', "\r\n")),
        (
            "moved items",
            DOCUMENT
                .replace(" } ,", " },")
                .replace("\"book\"", "\"x\"")
                .replace("\"call\"", "\"book\"")
                .replace("\"x\"", "\"call\"")
                .replace("\"type\": 7", "\"type\": 0")
                .replace("\"type\": 8", "\"type\": 7")
                .replace("\"type\": 0", "\"type\": 8"),
        ),
        ("a renamed neighbour", DOCUMENT.replace("\"displayName\": \"Book\"", "\"displayName\": \"Reserve\"")),
        ("a new neighbour", DOCUMENT.replace("\"kb_max", "\"title\": \"Front desk\",\n \"kb_max")),
        ("another version", DOCUMENT.replace(": 3,", ": 4,")),
    ] {
        let folder = settled("moves", &[("en.json", DOCUMENT)]);
        write(&folder, "en.json", &changed);
        assert_eq!(places(&folder, &[]), [""; 0], "{what}");
        assert_eq!(stale(&folder), [""; 0], "{what}");
    }
}

#[test]
fn a_changed_value_is_a_new_finding() {
    let folder = settled("changed", &[("en.json", DOCUMENT)]);
    write(&folder, "en.json", &DOCUMENT.replace("12", "13"));
    assert_eq!(places(&folder, &[]), ["en.json:3:20: error[out-of-range]"]);
    assert_eq!(stale(&folder), ["en.json: out-of-range at /kb_max_chunks"]);
}

#[test]
fn one_more_fault_like_an_old_one_is_new() {
    let line = format!("{FAULTY}\n");
    let folder = settled("one-more", &[("all.ndjson", &line.repeat(2))]);
    assert_eq!(
        entries(&folder),
        [
            "all.ndjson out-of-range [version_number=3]/kb_max_chunks",
            "all.ndjson out-of-range [version_number=3]/kb_max_chunks #1"
        ]
    );
    write(&folder, "all.ndjson", &line.repeat(3));
    assert_eq!(places(&folder, &[]), ["all.ndjson:3:41: error[out-of-range]"]);
    write(&folder, "all.ndjson", &line);
    assert_eq!(places(&folder, &[]), [""; 0]);
    assert_eq!(stale(&folder), ["all.ndjson: out-of-range at [version_number=3]/kb_max_chunks"]);
}

#[test]
fn fixed_findings_are_reported_and_can_be_removed() {
    let folder = settled("fixed", &[("en.json", DOCUMENT), ("de.json", FAULTY)]);
    let fixed =
        DOCUMENT.replace("12", "2").replace("\"titel\": \"Front desk\",", "\"voice_id\": 7,");
    write(&folder, "en.json", &fixed);
    let check = run(&folder, &["check", "--format", "concise"]);
    assert_eq!(check.status.code(), Some(1));
    assert!(stdout(&check).contains("[wrong-type]"));
    assert!(
        stderr(&check)
            .contains("2 entries of the baseline matched nothing: `voxlint baseline prune`"),
        "{}",
        stderr(&check)
    );
    let named = ["en.json: out-of-range at /kb_max_chunks", "en.json: unknown-field at /titel"];
    assert_eq!(stale(&folder), named);

    // Pruning adds nothing, though there is a new fault.
    let before = entries(&folder);
    let prune = run(&folder, &["baseline", "prune"]);
    assert_eq!(prune.status.code(), Some(0));
    assert!(stderr(&prune).contains("removed 2 entries from voxlint-baseline.json"));
    let after = entries(&folder);
    assert_eq!(after.len(), before.len() - 2);
    assert!(after.iter().all(|entry| before.contains(entry)));
    assert_eq!(stale(&folder), [""; 0]);
    let check = run(&folder, &["check", "--format", "concise"]);
    assert_eq!(check.status.code(), Some(1));
    assert!(!stderr(&check).contains("matched nothing"), "{}", stderr(&check));

    // A second time there is nothing to do, and the file stays as it is.
    let bytes = fs::read(folder.join(BASELINE)).unwrap();
    assert_eq!(status(&folder, &["baseline", "prune"]), 0);
    assert_eq!(fs::read(folder.join(BASELINE)).unwrap(), bytes);
}

#[test]
fn unchecked_files_are_not_reported_as_fixed() {
    let folder = settled("not-looked-at", &[("a/en.json", FAULTY), ("b/en.json", FAULTY)]);
    write(&folder, "b/en.json", "{ \"version_number\": 3 }");
    let check = |arguments: &[&str]| run(&folder, &[&["check"], arguments].concat());
    assert!(!stderr(&check(&["a"])).contains("matched nothing"));
    assert!(!stderr(&check(&["a/en.json"])).contains("matched nothing"));
    assert!(stderr(&check(&["b/en.json"])).contains("1 entry of the baseline matched nothing"));
    assert!(!stderr(&check(&["-q"])).contains("matched nothing"));
    assert!(!stderr(&check(&["--no-baseline"])).contains("matched nothing"));
    assert_eq!(status(&folder, &["baseline", "check", "a"]), 0);
    assert_eq!(status(&folder, &["baseline", "check", "b"]), 1);
    let prune = run(&folder, &["baseline", "prune", "a"]);
    assert_eq!((prune.status.code(), entries(&folder).len()), (Some(0), 2));
}

/// A run with some rules leaves the entries of the others alone.
#[test]
fn ignored_rules_are_not_reported_as_fixed() {
    let folder = settled("not-looked-for", &[("en.json", DOCUMENT)]);
    let before = entries(&folder);
    for arguments in [
        &["--ignore", "out-of-range"][..],
        &["--select", "unknown-field"],
        &["--level", "correctness=off"],
    ] {
        let check = run(&folder, &[&["check"], arguments].concat());
        assert!(!stderr(&check).contains("matched nothing"), "{}", stderr(&check));
        assert_eq!(status(&folder, &[&["baseline", "check"], arguments].concat()), 0);
        assert_eq!(status(&folder, &[&["baseline", "prune"], arguments].concat()), 0);
        assert_eq!(status(&folder, &[&["baseline", "write"], arguments].concat()), 0);
        assert_eq!(entries(&folder), before, "{arguments:?}");
    }
    // A team that has switched a rule off for good needs no entries of it.
    write(&folder, "voxlint.toml", "[rules]\nunknown-field = \"off\"\n");
    assert_eq!(stale(&folder), ["en.json: unknown-field at /titel"]);
}

#[test]
fn undecided_findings_are_not_reported_as_fixed() {
    let folder = project(
        "undecided",
        &[
            ("en.json", "{ \"version_number\": 3, \"voice_id\": \"vo_gone\" }"),
            ("facts.yaml", "voices: {}\n"),
        ],
    );
    let facts = ["--facts", "facts.yaml"];
    assert_eq!(status(&folder, &["baseline", "write", facts[0], facts[1]]), 0);
    assert_eq!(entries(&folder), ["en.json unknown-id /voice_id"]);
    assert_eq!(stale(&folder), [""; 0]);
    assert_eq!(status(&folder, &["baseline", "prune"]), 0);
    assert_eq!(entries(&folder).len(), 1);
    write(&folder, "facts.yaml", "voices: { vo_gone: { provider: p } }\n");
    assert_eq!(status(&folder, &["baseline", "check", facts[0], facts[1]]), 1);
}

#[test]
fn writing_over_some_of_the_paths_keeps_what_is_said_of_the_others() {
    let folder = settled("some-paths", &[("a/en.json", FAULTY), ("b/en.json", FAULTY)]);
    write(&folder, "a/en.json", DOCUMENT);
    write(&folder, "b/en.json", "{ \"version_number\": 3 }");
    assert_eq!(status(&folder, &["baseline", "write", "a"]), 0);
    let listed = entries(&folder);
    assert!(listed.contains(&"b/en.json out-of-range /kb_max_chunks".to_owned()));
    assert!(listed.contains(&"a/en.json unknown-field /titel".to_owned()));
    assert_eq!(status(&folder, &["baseline", "write", "b/en.json"]), 0);
    assert!(entries(&folder).iter().all(|entry| entry.starts_with("a/")));
}

#[test]
fn entries_of_a_removed_file_are_gone_with_it() {
    let folder = settled("removed", &[("en.json", FAULTY), ("old/de.json", FAULTY)]);
    fs::remove_dir_all(folder.join("old")).unwrap();
    assert_eq!(stale(&folder), ["old/de.json: out-of-range at /kb_max_chunks"]);
    assert_eq!(status(&folder, &["check"]), 0);
    assert_eq!(status(&folder, &["baseline", "prune"]), 0);
    assert_eq!(entries(&folder), ["en.json out-of-range /kb_max_chunks"]);
}

#[test]
fn documents_of_a_stream_are_distinguished_by_their_content() {
    let yaml = "version_number: 3\nkb_max_chunks: 12\n---\nversion_number: 4\nkb_max_chunks: 13\n";
    let folder = settled("streams", &[("all.yaml", yaml)]);
    let swapped = "version_number: 4\nkb_max_chunks: 13\n---\n# moved\nversion_number: 3\nkb_max_chunks: 12\n";
    write(&folder, "all.yaml", swapped);
    assert_eq!(places(&folder, &[]), [""; 0]);
    write(&folder, "all.yaml", &format!("{swapped}---\nversion_number: 5\nkb_max_chunks: 12\n"));
    assert_eq!(places(&folder, &[]), ["all.yaml:9:16: error[out-of-range]"]);
}

#[test]
fn a_fault_that_moves_to_another_document_of_a_stream_is_new() {
    let stream = |first: u8, second: u8| {
        format!(
            "{{ \"version_number\": 3, \"kb_max_chunks\": {first} }}\n\
             {{ \"version_number\": 4, \"kb_max_chunks\": {second} }}\n"
        )
    };
    let folder = settled("swapped", &[("all.ndjson", &stream(12, 10))]);
    write(&folder, "all.ndjson", &stream(10, 12));
    assert_eq!(places(&folder, &[]), ["all.ndjson:2:41: error[out-of-range]"]);
}

#[test]
fn an_equal_value_in_another_spelling_stays_baselined() {
    let document = |chunks: &str| format!("version_number: 3\nkb_max_chunks: {chunks}\n");
    let folder = settled("spelled", &[("en.yaml", &document("12"))]);
    for same in ["12.0", "1.2e1", "0xC"] {
        write(&folder, "en.yaml", &document(same));
        assert_eq!(places(&folder, &[]), [""; 0], "{same}");
    }
}

#[test]
fn a_file_that_is_only_checked_where_it_is_named_keeps_its_entries() {
    let files = [
        ("odd.json", "{ \"kb_max_chunks\": 12 }"),
        ("gen/en.json", FAULTY),
        (".gitignore", "gen/\n"),
        ("voxlint.toml", ""),
    ];
    let folder = project("passed-over", &files);
    let names = ["odd.json", "gen/en.json"];
    assert_eq!(status(&folder, &[&["baseline", "write"][..], &names].concat()), 0);
    assert_eq!(stale(&folder), [""; 0]);
    assert_eq!(status(&folder, &["baseline", "prune"]), 0);
    assert_eq!(places(&folder, &names), [""; 0]);
}

#[test]
fn a_baseline_can_be_left_out_or_be_another_file() {
    let folder = settled("another", &[("en.json", FAULTY)]);
    let fault = ["en.json:1:41: error[out-of-range]"];
    assert_eq!(places(&folder, &["--no-baseline"]), fault);
    assert_eq!(places(&folder, &["--no-suppressions"]), fault);
    fs::create_dir(folder.join("ci")).unwrap();
    fs::rename(folder.join(BASELINE), folder.join("ci/old.json")).unwrap();
    assert_eq!(places(&folder, &[]), fault);
    // Its paths begin in its folder, so it has to be written anew.
    assert_eq!(status(&folder, &["baseline", "write", "--baseline", "ci/old.json"]), 0);
    assert!(!folder.join(BASELINE).exists());
    assert_eq!(places(&folder, &["--baseline", "ci/old.json"]), [""; 0]);
    write(&folder, "voxlint.toml", "baseline = \"ci/old.json\"\n");
    assert_eq!(places(&folder, &[]), [""; 0]);
    assert_eq!(status(&folder, &["check", "--baseline", "x", "--no-baseline"]), 2);
}

#[test]
fn a_baseline_that_is_named_has_to_be_there() {
    let folder = project("missing", &[("en.json", FAULTY)]);
    for command in [&["check"][..], &["baseline", "check"], &["baseline", "prune"]] {
        let output = run(&folder, &[command, &["--baseline", "nope.json"]].concat());
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        assert!(stderr(&output).contains("nope.json: no such file"), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
}

#[test]
fn an_invalid_baseline_fails_the_run_and_is_not_overwritten() {
    for text in
        ["", "{", "[]", "{ \"schema\": 2, \"findings\": [] }", "{ \"schema\": 1, \"found\": [] }"]
    {
        let folder = project("malformed", &[("en.json", FAULTY), (BASELINE, text)]);
        for command in
            [&["check"][..], &["baseline", "write"], &["baseline", "check"], &["baseline", "prune"]]
        {
            let output = run(&folder, command);
            assert_eq!(output.status.code(), Some(2), "{text} {command:?}");
            assert!(stderr(&output).contains("voxlint-baseline.json: "), "{}", stderr(&output));
        }
        assert_eq!(fs::read_to_string(folder.join(BASELINE)).unwrap(), text);
        assert_eq!(status(&folder, &["check", "--no-baseline"]), 1);
    }
}

#[test]
fn each_configuration_has_a_baseline_next_to_it() {
    let folder = settled(
        "nested",
        &[
            ("voxlint.toml", ""),
            ("en.json", FAULTY),
            ("team/voxlint.toml", ""),
            ("team/deep/en.json", FAULTY),
        ],
    );
    assert_eq!(entries(&folder), ["en.json out-of-range /kb_max_chunks"]);
    assert_eq!(entries(&folder.join("team")), ["deep/en.json out-of-range /kb_max_chunks"]);
    for from in ["", "team", "team/deep"] {
        assert_eq!(places(&folder.join(from), &[]), [""; 0], "{from}");
        assert_eq!(stale(&folder.join(from)), [""; 0], "{from}");
    }
    write(&folder, "team/deep/en.json", "{ \"version_number\": 3 }");
    assert_eq!(stale(&folder), ["team/deep/en.json: out-of-range at /kb_max_chunks"]);
    assert_eq!(stale(&folder.join("team/deep")), ["en.json: out-of-range at /kb_max_chunks"]);
    assert_eq!(status(&folder, &["baseline", "prune"]), 0);
    assert_eq!((entries(&folder).len(), entries(&folder.join("team")).len()), (1, 0));
}

#[test]
fn the_baseline_is_the_same_wherever_it_is_written() {
    for configuration in [None, Some(("voxlint.toml", ""))] {
        let files = [("a/b/en.json", FAULTY), ("a/de.json", FAULTY)];
        let files: Vec<_> = files.into_iter().chain(configuration).collect();
        let folder = settled("wherever", &files);
        let bytes = fs::read(folder.join(BASELINE)).unwrap();
        fs::remove_file(folder.join(BASELINE)).unwrap();
        assert_eq!(status(&folder.join("a/b"), &["baseline", "write", "../.."]), 0);
        assert_eq!(fs::read(folder.join(BASELINE)).unwrap(), bytes);
        assert!(!folder.join("a/b").join(BASELINE).exists());
        assert_eq!(places(&folder.join("a/b"), &[]), [""; 0]);
        assert_eq!(places(&folder, &["a/b/en.json"]), [""; 0]);
    }
}

#[test]
fn a_baseline_without_findings_is_written() {
    for configuration in [None, Some(("voxlint.toml", ""))] {
        let files = [("en.json", "{ \"version_number\": 3 }")];
        let files: Vec<_> = files.into_iter().chain(configuration).collect();
        let folder = project("nothing", &files);
        let output = run(&folder, &["baseline", "write"]);
        assert_eq!(output.status.code(), Some(0));
        assert!(stderr(&output).contains("recorded 0 findings"), "{}", stderr(&output));
        assert_eq!(entries(&folder), [""; 0]);
    }
}

#[test]
fn the_folder_of_a_baseline_is_made_with_it() {
    let configuration = ("voxlint.toml", "baseline = \"kept/for/now.json\"\n");
    let folder = project("new-folder", &[configuration, ("en.json", FAULTY)]);
    let output = run(&folder, &["baseline", "write"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(folder.join("kept/for/now.json").exists());
    assert_eq!(places(&folder, &[]), [""; 0]);
}

#[test]
fn an_editor_may_put_a_byte_order_mark_before_a_baseline() {
    let folder = settled("byte-order-mark", &[("en.json", FAULTY)]);
    let text = fs::read_to_string(folder.join(BASELINE)).unwrap();
    write(&folder, BASELINE, &format!("\u{feff}{text}"));
    assert_eq!(places(&folder, &[]), [""; 0]);
}

#[test]
fn a_baseline_is_not_written_from_half_a_look() {
    let folder = settled("half-a-look", &[("en.json", FAULTY)]);
    let before = fs::read(folder.join(BASELINE)).unwrap();
    write(&folder, "en.json", "{ \"version_number\": 3 }");
    for command in ["write", "prune", "check"] {
        let output = run(&folder, &["baseline", command, ".", "nope.json"]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("the baseline is unchanged"), "{}", stderr(&output));
    }
    assert_eq!(fs::read(folder.join(BASELINE)).unwrap(), before);
}

#[test]
fn no_secret_gets_into_a_baseline() {
    let secret = "key_ci_1:Zk3vT9qLr2Xw8YbN5mHd7PcS";
    let document = format!(
        "{{ \"version_number\": 3, \"title\": \"{secret}\", \"{secret}\": \"Bearer {secret}\",\
         \"agent_functions\": [{{ \"name\": \"{secret}\", \"type\": 7 }}],\
         \"default_dynamic_variables\": {{ \"{secret}\": \"{secret}\" }},\
         \"prompt_text\": \"{secret} {{{{x\" }}"
    );
    let folder = settled("secrets", &[("en.json", &document)]);
    let text = fs::read_to_string(folder.join(BASELINE)).unwrap();
    assert!(entries(&folder).len() > 5);
    assert!(!text.contains(&secret[9..17]), "{text}");
    write(&folder, "en.json", "{ \"version_number\": 3 }");
    assert!(!stale(&folder).concat().contains(&secret[9..17]));
}

#[test]
fn baselined_findings_are_counted_in_reports() {
    let folder = settled("counted", &[("en.json", FAULTY)]);
    let json = run(&folder, &["check", "--format", "json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["summary"]["baselined"], 1);
    let sarif = run(&folder, &["check", "--format", "sarif", "--show-suppressed"]);
    let sarif: Value = serde_json::from_slice(&sarif.stdout).unwrap();
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let of_rule: Vec<_> = results.iter().filter(|it| it["ruleId"] == "out-of-range").collect();
    assert_eq!(of_rule.len(), 1);
    assert_eq!(of_rule[0]["suppressions"].as_array().unwrap().len(), 1);
}
