//! The command line as its users meet it.

use std::io::Write as _;
use std::process::{Output, Stdio};

use crate::process::{folder, run, run_with_input, stderr, stdout, voxlint};
use serde_json::Value;
use voxlint::Severity;
use voxlint_testing::repository;

const CLEAN: &str = "{ \"version_number\": 3, \"title\": \"Front desk\" }\n";
const FAULTY: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 12 }\n";
const DOUBTFUL: &str = "{ \"version_number\": 3, \"responsiveness\": 3 }\n";
const UNDECIDED: &str = "{ \"version_number\": 3, \"end_call_on_silence_sec\": 20 }\n";

#[test]
fn errors_fail_warnings_do_not_unless_strict() {
    let folder = folder(
        "statuses",
        &[("faulty.json", FAULTY), ("doubtful.json", DOUBTFUL), ("open.json", UNDECIDED)],
    );
    for format in ["full", "concise", "json"] {
        let status = |arguments: &[&str]| {
            let output = run(&folder, &[&["check", "--format", format], arguments].concat());
            if output.status.code() == Some(1) {
                assert!(!output.stdout.is_empty(), "a failed run says why");
            }
            output.status.code()
        };
        assert_eq!(status(&["faulty.json"]), Some(1));
        assert_eq!(status(&["faulty.json", "--exit-zero"]), Some(0));
        assert_eq!(status(&["doubtful.json"]), Some(0));
        assert_eq!(status(&["doubtful.json", "--strict"]), Some(1));
        assert_eq!(status(&["open.json", "--strict"]), Some(0));
        assert_eq!(status(&["open.json", "--require-decided", "--show-undecided"]), Some(1));
        assert_eq!(status(&["faulty.json", "no-such-file.json"]), Some(2));
        assert_eq!(status(&["no-such-file.json", "--exit-zero"]), Some(2));
    }
}

#[test]
fn bad_usage_exits_with_2() {
    for arguments in [
        &["check", "--format", "xml"][..],
        &["check", "--kind", "voice"],
        &["czech"],
        &["check", "--stirct"],
    ] {
        let output = run(repository(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty() && !output.stderr.is_empty());
    }
}

#[test]
fn standard_input_does_not_stand_in_for_a_file_of_its_name() {
    let folder = folder("stdin-and-file", &[("x.json", FAULTY)]);
    let mut child = voxlint(&folder, &["check", "x.json", "-", "--stdin-filename", "x.json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(CLEAN.as_bytes()).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_is_followed() {
    let folder = folder("links", &[("real/faulty.txt", FAULTY)]);
    std::os::unix::fs::symlink("real/faulty.txt", folder.join("linked.json")).unwrap();
    assert_eq!(run(&folder, &["check"]).status.code(), Some(1));
}

#[test]
fn files_of_other_tools_are_skipped() {
    let folder = repository().join("fixtures/foreign");
    let output = run(&folder, &["check", "--format", "json", "-q"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["files"], serde_json::json!([]), "false alarms");
    assert!(json["skipped"].as_array().unwrap().len() >= 18);
}

#[test]
fn a_thousand_unknown_fields_are_checked_as_fast_as_one() {
    // Quadratic work would take minutes here. More findings of one rule are not listed.
    let count = voxlint_testing::cases(2_000, 10_000) as usize;
    let members: Vec<String> = (0..count).map(|n| format!("\"strange_key_{n}\": 0")).collect();
    let document = format!("{{ \"version_number\": 3, {} }}", members.join(", "));
    let check = ["check", "-", "--format", "concise", "-q"];
    let output = run_with_input(&[&check[..], &["--kind", "settings"]].concat(), &document);
    assert_eq!(stdout(&output).lines().count(), count);
    // An update with as many is perhaps none, which is said once.
    let output = run_with_input(&check, &document);
    let expected = format!("{count} of {} fields are unknown to update agent", count + 1);
    assert!(stdout(&output).contains(&expected));
    assert_eq!(stdout(&output).lines().count(), 1);
}

#[test]
fn colours_only_where_they_are_wanted() {
    let folder = folder("colours", &[("faulty.json", FAULTY)]);
    let has_colours = |output: &Output| stdout(output).contains('\u{1b}');
    assert!(!has_colours(&run(&folder, &["check"])));
    assert!(has_colours(&run(&folder, &["check", "--color", "always"])));
    for name in ["CLICOLOR_FORCE", "FORCE_COLOR"] {
        let with = |variables: &[(&str, &str)]| {
            let mut command = voxlint(&folder, &["check"]);
            has_colours(&command.envs(variables.iter().copied()).output().unwrap())
        };
        assert!(with(&[(name, "1")]), "{name}");
        assert!(with(&[(name, "1"), ("TERM", "dumb")]), "{name}");
        for without in [(name, "0"), (name, ""), ("NO_COLOR", "1")] {
            assert!(!with(&[(name, "1"), without]), "{name} {without:?}");
        }
    }
}

#[test]
fn the_output_does_not_depend_on_threads_or_on_the_order_of_paths() {
    let paths = ["fixtures/agents/support", "fixtures/rules", "fixtures/agents"];
    let mut outputs = Vec::new();
    let formats: Vec<_> = ["full", "concise", "json"]
        .into_iter()
        .take(voxlint_testing::cases(1, 3) as usize)
        .collect();
    for &format in &formats {
        for threads in ["1", "7"] {
            let forward = [&["check", "--format", format][..], &paths].concat();
            let backward: Vec<&str> =
                ["check", "--format", format].into_iter().chain(paths.into_iter().rev()).collect();
            for arguments in [forward, backward] {
                let output = voxlint(repository(), &arguments)
                    .env("RAYON_NUM_THREADS", threads)
                    .output()
                    .unwrap();
                outputs.push((format, stdout(&output).to_owned(), stderr(&output).to_owned()));
            }
        }
    }
    outputs.dedup();
    assert_eq!(outputs.len(), formats.len(), "one output per format");
}

#[test]
fn nothing_from_a_document_steers_the_terminal() {
    let hostile = "{ \"version_number\": 3, \"pipeline_type\": \"\u{1b}[31m\u{202e}x\", \"\u{1b}]0;x\u{7}\": 1 }";
    for format in ["full", "concise"] {
        let output = run_with_input(&["check", "-", "--format", format], hostile);
        let steering =
            |c: char| (c.is_control() && c != '\n') || ('\u{202a}'..='\u{202e}').contains(&c);
        assert!(!stdout(&output).contains(steering), "{:?}", stdout(&output));
    }
}

/// A list of API keys whose last entry begins with these members.
fn key_list(members: &str) -> String {
    format!(
        "{{ \"data\": [{{ {members}, \"is_expired\": false }}], \"meta\": {{ \"page\": 0, \"limit\": 20, \"total\": 1 }} }}"
    )
}

#[test]
fn no_secret_is_shown() {
    let secret = "Zk3vT9qLr2Xw8YbN5mHd7PcS";
    let documents = [
        format!(
            "{{ \"version_number\": null, \"agent_functions\": [{{ \"config\": {{ \"api_key\": \"{secret}\" }} }}] }}"
        ),
        format!(
            "{{ \"version_number\": null, \"prompt_text\": \"Log in with 8f3a9c2b1d4e5f60:{secret}\" }}"
        ),
        format!("{{ \"version_number\": null, \"x\": \"Bearer {secret}\" }}"),
        format!(
            "{{ \"version_number\": null, \"x\": {{ \"password\": \"{secret}\", \"password\": \"{secret}\" }} }}"
        ),
        format!("{{ \"pipeline_type\": \"8f3a9c2b1d4e5f60:{secret}\", \"version_number\": 3 }}"),
        format!("{{ \"version_number\": null, \"token\": \"{secret}\" \"x\": 1 }}"),
        format!("{{ \"version_number\": null, \"secret\": {secret} }}"),
        format!("{{ \"version_number\": null, \"token\": '{secret}' }}"),
        format!("{{ \"version_number\": null, \"secret\": {{ \"value\": [\"{secret}\"] }} }}"),
        format!("{{ \"version_number\": 3, \"pipeline_type\": \"sk-live-{secret}\" }}"),
        format!("{{ \"data\": [{{ \"id\": \"key_ci:{secret}\", \"name\": \"ci\" }}] }}"),
        format!(
            "{{ \"data\": [{{ \"id\": \"k\", \"is_expired\": 1, \"full_key\": \"{secret}\" }}] }}"
        ),
        format!(
            "{{ \"data\": [{{ \"id\": \"k\", \"is_expired\": 1, \"name\": \"key_ci:{secret}\" }}] }}"
        ),
        format!("{{ \"data\": [{{ \"id\": \"k\", \"is_expired\": true, {secret} }}] }}"),
        format!("{{ \"data\": [{{ \"is_expired\": true, \"id\": \"k\":\"{secret}\" }}] }}"),
        format!(
            "{{ \"version_number\": 3, \"node_positions\": \"{{\\\"apiKey\\\": \\\"{secret}\\\" 1}}\", \"title\": 1 }}"
        ),
        format!(
            "{{ \"version_number\": null, \"default_dynamic_variables\": {{ \"agent_transfer_destinations\": \"key_ci:{secret}\" }} }}"
        ),
        format!(
            "{{ \"version_number\": null, \"prompt_text\": \"{{{{ \\\"sk_live_{secret}\\\" | x}}}}\" }}"
        ),
        format!("{{ \"version_number\": null, \"prompt_text\": \"Say {{{{sk_live_{secret}}}\" }}"),
        format!(
            "{{ \"version_number\": null, \"prompt_text\": \"{{{{#sk_live_{secret}}}}}x{{{{/}}}}\" }}"
        ),
        key_list(&format!("\"id\": \"key_ci:{secret}\"")),
        key_list(&format!("\"id\": \"key_ci\\u003a{secret}\"")),
        key_list(&format!("\"id\": \"a:{}\"", &secret[..9])),
        key_list(&format!("\"id\": \"key_ci\", \"key\": \"{secret}\"")),
        key_list(&format!(
            "\"id\": \"key_ci\", \"secrets\": [\"{secret}\", {{ \"x\": \"{secret}\" }}]"
        )),
        key_list(&format!("\"id\": \"key_ci:{secret}\" \"name\": 1")),
        key_list(&format!("\"id\": \"a:{secret}\" }}, {{ \"id\": \"a:{secret}\"")),
    ];
    for document in documents {
        for format in ["full", "concise", "json"] {
            let output = run_with_input(&["check", "-", "--format", format], &document);
            assert_eq!(output.status.code(), Some(1));
            assert!(
                !stdout(&output).contains(&secret[..8]),
                "{format} of {document}:\n{}",
                stdout(&output)
            );
        }
    }
}

#[test]
fn explain_prints_the_page_and_helps_with_a_slip() {
    let output = run(repository(), &["explain", "out-of-range"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        stdout(&output).starts_with("# out-of-range\n\nA number is outside the field's range.\n")
    );

    let output = run(repository(), &["explain", "out-of-rnage"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "voxlint: there is no rule `out-of-rnage`: did you mean `out-of-range`?\n"
    );
}

#[test]
fn rules_lists_every_rule() {
    let output = run(repository(), &["rules"]);
    let json: Value =
        serde_json::from_slice(&run(repository(), &["rules", "--format", "json"]).stdout).unwrap();
    for rule in voxlint::rules::all() {
        assert!(stdout(&output).lines().any(|line| line.starts_with(&*rule.id)));
        let listed = json["rules"].as_array().unwrap();
        let listed = listed.iter().find(|listed| listed["id"] == *rule.id).unwrap();
        assert_eq!(listed["group"], rule.group.name());
        assert_eq!(listed["recommended"], rule.is_recommended);
        let levels: Vec<_> = voxlint::docs::levels(rule).into_iter().map(Severity::name).collect();
        assert_eq!(listed["levels"], serde_json::json!(levels));
        let fixes: Vec<&str> =
            rule.fix.iter().flat_map(|fix| fix.safety).map(|safety| safety.name()).collect();
        assert_eq!(listed["fixes"], Value::from(fixes));
    }
}

#[test]
fn the_json_report_has_the_members_that_other_tools_rely_on() {
    let output =
        run_with_input(&["check", "-", "--format", "json", "--stdin-filename", "a.json"], FAULTY);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["schema"], 1);
    assert_eq!(json["tool"]["name"], "voxlint");
    let file = &json["files"][0];
    assert_eq!((&file["path"], &file["kind"]), (&Value::from("a.json"), &Value::from("update")));
    let found = &file["diagnostics"][0];
    for (member, value) in [
        ("rule", Value::from("out-of-range")),
        ("verdict", "reject".into()),
        ("severity", "error".into()),
        ("status", 400.into()),
        ("field", "/kb_max_chunks".into()),
        ("in", "document".into()),
        ("path", "a.json".into()),
        ("help", "use a number from 1 to 10".into()),
    ] {
        assert_eq!(found[member], value, "{member}");
    }
    let span = serde_json::json!({
        "start": 40, "end": 42, "from": {"line": 1, "column": 41}, "to": {"line": 1, "column": 43}
    });
    assert_eq!(found["span"], span);
    assert_eq!(found["related"], serde_json::json!([]));
    assert_eq!(found["fixes"], serde_json::json!([]));
}

#[test]
fn an_error_in_standard_input_names_the_format_option() {
    let yaml = "version_number: 3\ntitle: Desk\n";
    let yaml_with_comment = "# the desk\nversion_number: 3\n---\nversion_number: 4\n";
    let toml = "version_number = 3\n[default_dynamic_variables]\nname = \"Ada\"\n";
    let lines = "{ \"version_number\": 3 }\n\n{ \"version_number\": 4 }\n";
    for (text, name) in
        [(yaml, "yaml"), (yaml_with_comment, "yaml"), (toml, "toml"), (lines, "ndjson")]
    {
        let suggestion = format!("add `--stdin-format {name}`");
        let output = run_with_input(&["check", "-"], text);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert_eq!(stdout(&output).matches(&suggestion).count(), 1, "{}", stdout(&output));
        let output = run_with_input(&["predict", "-"], text);
        assert_eq!(stderr(&output).matches(&suggestion).count(), 1, "{}", stderr(&output));
        // The option implies standard input, and counts more than the name of the file.
        for arguments in [&["check"][..], &["check", "-", "--stdin-filename", "x.json"]] {
            let arguments = [arguments, &["--stdin-format", name]].concat();
            let output = run_with_input(&arguments, text);
            assert_eq!((output.status.code(), stdout(&output)), (Some(0), ""), "{text}");
        }
    }
    // What is JSON with a mistake in it is not called something else.
    for text in [
        "{ \"version_number\": 3, }",
        "{ version_number: 3 }",
        "{ \"version_number\": 3 }\n{ \"version_number\": }\n",
        "version_number",
        "",
        "{{",
    ] {
        let output = run_with_input(&["check", "-"], text);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(!stdout(&output).contains("--stdin-format"), "{}", stdout(&output));
    }
    // Nor is a file, whose name tells its format.
    let folder = folder("stdin-suggestion", &[("x.json", yaml)]);
    assert!(!stdout(&run(&folder, &["check", "x.json"])).contains("--stdin-format"));
    let stated = run_with_input(&["check", "--stdin-format", "json"], yaml);
    assert!(!stdout(&stated).contains("--stdin-format"), "{}", stdout(&stated));
}
