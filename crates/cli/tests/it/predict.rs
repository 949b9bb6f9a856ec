//! `voxlint predict` as its users meet it, and what holds for every prediction.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Output;

use crate::process::{stdout, voxlint};
use proptest::prelude::*;
use serde_json::Value;
use voxlint::{Document, DocumentKind, Inputs, Prediction, Stored, check, predict};
use voxlint_testing::{assert_snapshot, files_below, property};

const DRAFT: &str = r#"{
  "agent": {
    "id": "ag_front_desk",
    "current_version_number": 2,
    "timezone": "Europe/Berlin",
    "agent_type": "Single_Prompt_Agent",
    "pipeline_type": "Cascaded",
    "current_version": { "agent_id": "ag_front_desk", "version_number": 2, "title": "Desk", "is_published": true },
    "versions": [
      { "agent_id": "ag_front_desk", "version_number": 2, "title": "Desk", "is_published": true },
      { "agent_id": "ag_front_desk", "version_number": 3, "title": "Desk", "is_published": false }
    ],
    "updated_at": "2025-03-01T09:00:00Z",
    "balance": 1.50
  },
  "version": { "version_number": 3, "is_published": false, "outbound_phone_number_id": "pn_day" },
  "complete": true
}
"#;

const FACTS: &str = r#"{
  "agents": ["ag_front_desk"],
  "campaigns": [{ "id": "ca_spring", "agent_id": "ag_front_desk", "state": "running" }],
  "features": { "prompt_caching": false }
}
"#;

const RENAMED: &str = r#"{ "version_number": 3, "title": "Front desk" }"#;
const PUBLISHED: &str = r#"{ "version_number": 3, "title": "Front desk", "is_published": true }"#;
const OUT_OF_RANGE: &str = r#"{ "version_number": 3, "kb_max_chunks": 12, "kb_min_score": 2 }"#;
const CUT_SHORT: &str = r#"{ "version_number": 3, "title": "Front"#;

/// Each case: its name, the update, and what else is known.
const CASES: [(&str, &str, &[&str]); 10] = [
    ("certain-success", RENAMED, &["--stored", "draft.json"]),
    ("nothing-known", PUBLISHED, &[]),
    ("success-that-hangs-on-facts", PUBLISHED, &["--stored", "draft.json"]),
    (
        "success-that-hangs-on-a-reading",
        r#"{ "version_number": 3, "responsiveness": 3, "prompt_caching_enabled": true }"#,
        &["--stored", "draft.json"],
    ),
    ("certain-rejection", OUT_OF_RANGE, &["--stored", "draft.json"]),
    ("rejection-with-nothing-known", OUT_OF_RANGE, &[]),
    ("conflict", PUBLISHED, &["--stored", "draft.json", "--facts", "facts.json"]),
    (
        "rejection-of-two-statuses",
        r#"{ "version_number": 4, "kb_max_chunks": 12, "prompt_caching_enabled": true }"#,
        &["--stored", "draft.json"],
    ),
    ("syntax-error", CUT_SHORT, &["--stored", "draft.json"]),
    (
        "hostile",
        "{ \"version_number\": 3, \"title\": \"\\u001b[31m\u{202e}x\", \"webhook_id\": \"8f3a9c2b1d4e5f60:Zk3vT9qLr2Xw8YbN5mHd7PcS\" }",
        &["--stored", "draft.json"],
    ),
];

/// A folder of its own for one test, with the related files and the update in it.
fn folder(name: &str, update: &str) -> PathBuf {
    let files = [("draft.json", DRAFT), ("facts.json", FACTS), ("en.json", update)];
    crate::process::folder(&format!("predict/{name}"), &files)
}

/// Predicts the update of a folder of its own.
fn run(name: &str, update: &str, arguments: &[&str]) -> Output {
    let folder = folder(name, update);
    voxlint(&folder, &[&["predict", "en.json"], arguments].concat()).output().unwrap()
}

#[test]
fn the_json_form_says_the_same() {
    for (name, update, known) in CASES {
        let tools = format!("{name}-for-tools");
        let text = run(&tools, update, known);
        let output = run(&tools, update, &[known, &["--format", "json"]].concat());
        assert_eq!(output.status.code(), text.status.code(), "{name}");
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((&json["schema"], &json["kind"]), (&Value::from(1), &Value::from("update")));
        let answers = json["answers"].as_array().unwrap();
        let statuses: Vec<&Value> = answers.iter().map(|answer| &answer["status"]).collect();
        assert_eq!(statuses, json["statuses"].as_array().unwrap().iter().collect::<Vec<_>>());
        let is_success = json["certain"] == true && json["statuses"] == serde_json::json!([200]);
        assert_eq!(output.status.code(), Some(i32::from(!is_success)), "{name}");
        // What is found and what is undecided is written as a check writes it.
        let check = voxlint(
            &folder(&tools, update),
            &[&["check", "en.json", "-q", "--format", "json"], known].concat(),
        );
        let check: Value = serde_json::from_slice(&{ check }.output().unwrap().stdout).unwrap();
        let checked = &check["files"][0];
        for member in ["path", "kind", "diagnostics"] {
            assert_eq!(json[member], checked[member], "{name}: {member}");
        }
        // A prediction also depends on the fields that the update omits.
        let undecided = json["undecided"].as_array().unwrap();
        for entry in checked["undecided"].as_array().unwrap() {
            assert!(undecided.contains(entry), "{name}: {entry}");
        }
        for answer in answers {
            let is_error = answer["status"] != 200 && !answer["body"].is_null();
            assert_eq!(answer.get("words").is_some(), is_error, "{name}");
            assert_eq!(answer.get("no_body").is_some(), answer["body"].is_null(), "{name}");
        }
        if ["certain-success", "nothing-known", "rejection-of-two-statuses"].contains(&name) {
            let version = concat!("\"version\": \"", env!("CARGO_PKG_VERSION"), "\"");
            let text = stdout(&output).replace(version, "\"version\": \"…\"");
            assert_snapshot("predict", &format!("{name}.json"), &text);
        }
    }
}

#[test]
fn nothing_steers_the_terminal_and_no_secret_is_shown() {
    let secret = "Zk3vT9qLr2Xw8YbN5mHd7PcS";
    let held = format!(
        "{{ \"id\": \"ag_1\", \"agent_type\": \"Single_Prompt_Agent\", \"versions\": [{{ \"version_number\": 3, \"title\": \"\u{9b}31m\u{202e}\" }}], \"x\": {{ \"api_key\": \"{secret}\", \"token\": [77777777], \"note\": \"Bearer {secret}\" }} }}"
    );
    let folder = folder("hostile-agent", RENAMED);
    fs::write(folder.join("stored.json"), held).unwrap();
    for update in [
        "{ \"version_number\": 3, \"llm_id\": \"x\" }".to_owned(),
        format!("{{ \"version_number\": 3, \"title\": \"8f3a9c2b1d4e5f60:{secret}\" }}"),
        format!("{{ \"version_number\": 3, \"pipeline_type\": \"8f3a9c2b1d4e5f60:{secret}\" }}"),
    ] {
        fs::write(folder.join("en.json"), update).unwrap();
        for format in ["full", "json"] {
            let arguments = ["predict", "en.json", "--stored", "stored.json", "--format", format];
            let output = voxlint(&folder, &arguments).output().unwrap();
            let text = stdout(&output);
            assert!(!text.contains(&secret[..8]) && !text.contains("7777"), "{text}");
            let steers = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
            assert!(format == "json" || !text.contains(steers), "{text:?}");
            if format == "json" {
                assert!(serde_json::from_str::<Value>(text).is_ok(), "{text}");
            }
        }
    }
}

#[test]
fn every_document_is_predicted_whole_and_in_part() {
    for path in files_below("fixtures", "json") {
        let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
        let half = text.char_indices().nth(text.chars().count() / 2).map_or(0, |(at, _)| at);
        for text in [&text[..], &text[..half]] {
            for stored in [None, Some(DRAFT), Some(text)] {
                let prediction = predicted(text, stored);
                assert!(
                    prediction.answers.iter().any(|answer| answer.is_expected),
                    "{}",
                    path.display()
                );
            }
        }
    }
}

/// Fields of an update. The service rejects some of the values.
const MEMBERS: &[(&str, &[&str])] = &[
    ("title", &["\"A\"", "\"B\""]),
    ("version_title", &["\"A\"", "null"]),
    ("llm_id", &["\"llm_a\"", "\"llm_b\""]),
    ("transcriber_id", &["\"tr_a\"", "\"tr_b\"", "null"]),
    ("fallback_stt_enabled", &["true", "false"]),
    ("stt_fallback_transcriber_id", &["\"tr_c\"", "\"tr_d\""]),
    ("post_call_analysis_llm_id", &["\"llm_a\"", "null"]),
    ("folder_id", &["\"fo_a\""]),
    ("timezone", &["\"Europe/Berlin\"", "\"Asia/Kolkata\""]),
    ("webhook_id", &["\"wh_a\""]),
    ("pipeline_type", &["\"Cascaded\"", "\"Speech_To_Speech\""]),
    ("is_published", &["true", "false"]),
    ("kb_max_chunks", &["4", "12", "2.5"]),
    ("voice_id", &["\"vo_a\"", "7"]),
];

fn members() -> impl Strategy<Value = Vec<(usize, usize)>> {
    let one = (0..MEMBERS.len()).prop_flat_map(|at| (Just(at), 0..MEMBERS[at].1.len()));
    proptest::collection::vec(one, 0..8).prop_map(|mut members| {
        let mut seen = BTreeSet::new();
        members.retain(|(at, _)| seen.insert(*at));
        members
    })
}

fn update(members: &[(usize, usize)], number: &str) -> String {
    let members = members.iter().map(|(at, value)| {
        let (name, values) = MEMBERS[*at];
        format!(", \"{name}\": {}", values[*value])
    });
    format!("{{ \"version_number\": {number}{} }}", members.collect::<String>())
}

/// The summary of a version whose settings agree with each other.
fn summary(number: &str, is_published: bool, fallback: bool) -> String {
    format!(
        r#"{{ "agent_id": "ag_1", "version_number": {number}, "title": "D", "is_published": {is_published}, "transcriber_id": "tr_a", "fallback_stt_enabled": {fallback}, "stt_fallback_transcriber_id": "tr_c" }}"#
    )
}

/// An agent: with or without a current version, a list, and something strange.
fn agent() -> impl Strategy<Value = String> {
    (0..4, 0..3, any::<bool>(), 0..3_usize).prop_map(|(current, listed, fallback, strange)| {
        let (live, draft) = (summary("2", true, false), summary("3.0", false, fallback));
        let members = [
            r#""id": "ag_1", "agent_type": "Single_Prompt_Agent""#.to_owned(),
            match current {
                0 => String::new(),
                1 => r#", "current_version": null, "current_version_number": null"#.to_owned(),
                2 => format!(r#", "current_version_number": 2, "current_version": {live}"#),
                _ => format!(r#", "current_version_number": 3, "current_version": {draft}"#),
            },
            match listed {
                0 => String::new(),
                1 => r#", "versions": []"#.to_owned(),
                _ => format!(r#", "versions": [{live}, {draft}]"#),
            },
            ["", r#", "created_at": "yesterday""#, r#", "colour": { "a": [1e400] }"#][strange]
                .to_owned(),
        ];
        let members = members.concat();
        format!("{{ {members} }}")
    })
}

fn predicted(update: &str, stored: Option<&str>) -> Prediction {
    let [update, held] = [update, stored.unwrap_or_default()].map(Document::parse);
    let stored = stored.map(|_| Stored::new(held));
    predict(&Inputs::new(update).kind(DocumentKind::Update).stored(stored)).unwrap()
}

/// What a check says of an agent: the rules, and the fields.
fn findings(agent: &str) -> BTreeSet<(String, String)> {
    let document = Document::parse(agent);
    let report = check(&Inputs::new(document).kind(DocumentKind::Agent));
    report.diagnostics.into_iter().map(|found| (found.rule.id.to_string(), found.field)).collect()
}

proptest! {
    // The same cases every time; PROPTEST_RNG_SEED tries others.
    #![proptest_config(property(150, 1_000))]

    #[test]
    fn an_update_brings_no_fault_into_the_agent(members in members(), agent in agent(), number in prop_oneof!["3", "2", "3.0"]) {
        let update = update(&members, &number);
        let prediction = predicted(&update, Some(&agent));
        prop_assert!(!prediction.answers.is_empty());
        prop_assert!(prediction.answers.is_sorted_by(|a, b| a.status < b.status));
        let Some(accepted) = prediction.answers.iter().find(|answer| answer.status == 200) else { return Ok(()) };
        let body = accepted.body.json().unwrap();
        let (before, after) = (findings(&agent), findings(body));
        prop_assert!(after.is_subset(&before), "{after:?} of\n{body}\nfrom {update} over {agent}");
    }

    #[test]
    fn a_certain_rejection_stays_certain(members in members(), agent in agent(), number in prop_oneof!["3", "2", "9"]) {
        let update = update(&members, &number);
        let (without, with) = (predicted(&update, None), predicted(&update, Some(&agent)));
        if !without.answers.iter().any(|answer| answer.status == 200) {
            prop_assert!(with.answers.iter().all(|answer| answer.status != 200), "{update} over {agent}");
        }
        for answer in without.answers.iter().filter(|answer| answer.is_expected && answer.status != 200) {
            prop_assert!(with.answers.iter().any(|it| it.is_expected && it.status == answer.status));
        }
    }
}
