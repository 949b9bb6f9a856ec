//! The command line as its users meet it.

use crate::process::{run, run_with_input, stderr, stdout, voxlint};
use serde_json::Value;
use voxlint::Severity;
use voxlint_testing::repository;
use voxlint_testing::texts::lines;

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

#[test]
fn no_secret_is_shown() {
    let secret = "Zk3vT9qLr2Xw8YbN5mHd7PcS";
    for document in lines(include_str!("../words/secrets.txt")) {
        let document = document.replace("SECRET", secret);
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
