//! Predictions that look certain but are not. An unknown value, a contradiction in the stored configuration or an ambiguous passage of
//! the description makes another status possible.

use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};
use voxlint::schema::{Shape, settings};
use voxlint::syntax::Format;
use voxlint::{
    DiffInputs, Document, DocumentKind, Facts, Faults as _, Inputs, Prediction, Stored, TextFile,
    check, diff, predict,
};
use voxlint_testing::case_files;
use voxlint_testing::texts::assert_blocks;

const TITLE: &str = r#"{ "version_number": 3, "title": "Front desk" }"#;
const PUBLISH: &str = r#"{ "version_number": 3, "is_published": true }"#;

/// Facts with which the updates below are decided.
const FACTS: &str = r#"{
  "agents": ["ag_1"],
  "voices": { "vo_anna": { "provider": "northwind", "models": ["mo_calm"] } },
  "transcribers": { "tr_nova": { "provider": "northwind" } },
  "boosted_keyword_providers": ["northwind"],
  "campaigns": [],
  "workflows": []
}"#;

/// A complete stored configuration: a version with these settings, and an agent with these fields.
fn state(settings: &str, agent: &str) -> String {
    format!(
        r#"{{
  "agent": {{ "id": "ag_1", "agent_type": "Single_Prompt_Agent", "versions": [{{ "version_number": 3, "is_published": false }}]{agent} }},
  "version": {{ "version_number": 3, "is_published": false{settings} }},
  "complete": true
}}"#
    )
}

/// The inputs of a block of `predictions.txt`.
fn of_block(text: &str) -> Inputs {
    let parsed = |text: &str| Document::parse(text);
    let held = |text: &str| {
        let stored = Stored::new(parsed(text));
        assert!(stored.faults().diagnostics.is_empty(), "{stored:?}");
        stored
    };
    let mut inputs = Inputs::new(parsed(""));
    let mut facts: Option<Value> = serde_json::from_str(FACTS).ok();
    for line in text.lines() {
        let (what, text) = line.split_once(' ').unwrap_or((line, ""));
        inputs = match what {
            "update" => inputs.with_document(parsed(text)),
            "yaml" => {
                inputs.with_document(Document::parse_as(text.replace('⏎', "\n"), Format::Yaml))
            }
            "settings" => {
                let comma = if text.is_empty() { "" } else { ", " };
                inputs.stored(held(&state(&format!("{comma}{text}"), "")))
            }
            "stored" => inputs.stored(held(text)),
            _ => {
                if let Some(name) = what.strip_prefix("facts.") {
                    let value = serde_json::from_str(text).unwrap();
                    facts.as_mut().unwrap()[name] = value;
                } else {
                    facts = None;
                }
                inputs
            }
        };
    }
    let facts = facts.map(|facts| Facts::new(parsed(&facts.to_string())));
    inputs.kind(DocumentKind::Update).facts(facts)
}

#[test]
fn predictions_are_as_certain_as_expected() {
    assert_blocks("crates/voxlint/tests/predictions.txt", |block| {
        let inputs = of_block(&block.text);
        let prediction = predict(&inputs).unwrap();
        let certain = match (prediction.is_certain(), prediction.may_be_accepted()) {
            (true, _) if prediction.is_certainly_accepted() => "certainly accepted",
            (true, _) => "certain",
            (false, true) => "uncertain, may be accepted",
            (false, false) => "uncertain",
        };
        let mut said = format!("{:?}\n{certain}", statuses(&prediction));
        if !prediction.other_rejections().is_empty() {
            let _ = write!(said, "\nperhaps {:?}", prediction.other_rejections());
        }
        for found in &prediction.report.diagnostics {
            let _ = write!(said, "\nfinding {} in {}", found.rule.id, found.origin);
        }
        // An update leaves more open, which grows with each rule.
        let is_of_stored = block.claim.starts_with("questionable");
        for entry in prediction.report.undecided.iter().filter(|_| is_of_stored) {
            assert!(entry.is_touched && !entry.why().is_empty(), "{entry:?}");
            let _ = write!(said, "\nopen {}", entry.rule.id);
        }
        said
    });
}

fn statuses(prediction: &Prediction) -> Vec<u16> {
    prediction.answers.iter().map(|answer| answer.status).collect()
}

#[test]
fn a_stored_text_that_is_nested_deep_makes_the_prediction_uncertain() {
    let deep = format!("{}{}", "{{#if a}}".repeat(2_000), "{{/if}}".repeat(2_000));
    let held = state(&format!(r#", "prompt_text": "{deep}""#), "");
    let inputs = Inputs::new(Document::parse(TITLE)).stored(Stored::new(Document::parse(held)));
    let prediction = predict(&inputs.facts(Facts::new(Document::parse(FACTS)))).unwrap();
    assert_eq!((statuses(&prediction), prediction.is_certain()), (vec![200, 400], false));
    let open = &prediction.report.undecided;
    assert_eq!((open.len(), &*open[0].rule.id), (1, "template-nested-too-deep"));
    assert!(open[0].is_touched && prediction.report.diagnostics.is_empty());
}

#[test]
fn an_update_with_a_text_file_is_not_a_minimal_publish() {
    let held = r#"{ "agent": { "agent_type": "Conversational_Flow_Agent" }, "version": {}, "complete": true }"#;
    let text = Document::parse_as("You are the front desk.\n", Format::Text);
    let texts = [TextFile::new(settings::prompt_text.row, text)];
    let alone = Inputs::new(Document::parse(PUBLISH)).stored(Stored::new(Document::parse(held)));
    assert_eq!(statuses(&predict(&alone).unwrap())[0], 200);
    assert_eq!(statuses(&predict(&alone.texts(texts)).unwrap())[0], 400);
}

#[test]
fn an_empty_list_of_ids_is_decided() {
    let document = Document::parse(r#"{ "version_number": 3, "knowledge_base_ids": [] }"#);
    let report = check(&Inputs::new(document));
    assert!(report.undecided.iter().all(|entry| entry.rule.id != "unknown-id"));
}

#[test]
fn a_difference_for_a_flow_agent_contains_the_required_fields() {
    let [old, new] = [
        r#"{ "agent": { "id": "ag_1", "agent_type": "Conversational_Flow_Agent" },
             "version": { "version_number": 3, "is_published": false, "title": "A", "agent_identity": "I", "agent_background": "B" },
             "complete": true }"#,
        r#"{ "title": "C", "agent_identity": "I", "agent_background": "B" }"#,
    ]
    .map(Document::parse);
    let old = Stored::new(old);
    let difference = diff(&DiffInputs::new(old.clone(), new)).unwrap();
    let update = difference.update.expect("an update");
    let names: Vec<&str> = update.lines().filter_map(|line| line.split('"').nth(1)).collect();
    assert_eq!(names, ["version_number", "title", "agent_identity", "agent_background"]);
    let report = difference.report.expect("a check");
    assert!(report.diagnostics.is_empty(), "{:#?}", report.diagnostics);
    // Without a change, the update is empty.
    let same =
        Document::parse(r#"{ "title": "A", "agent_identity": "I", "agent_background": "B" }"#);
    assert_eq!(diff(&DiffInputs::new(old, same)).unwrap().update, None);
}

/// The documents of the fixtures with their stored configurations and facts.
fn cases() -> impl Iterator<Item = (Value, Value, Option<Value>)> {
    let read = |path: &std::path::Path| -> Option<Value> {
        serde_json::from_str(&fs::read_to_string(path).ok()?).ok()
    };
    case_files().into_iter().filter_map(move |case| {
        let stored = read(&case.path.with_extension("stored.json"));
        let facts = read(&case.path.with_extension("facts.json"));
        Some((read(&case.path).filter(Value::is_object)?, stored.unwrap_or_default(), facts))
    })
}

/// The stored configuration with the agent and the settings apart.
fn parts(stored: Value) -> Value {
    match &stored {
        Value::Null => json!({ "version": {} }),
        it if it.get("agent").is_some() || it.get("version").is_some() => stored,
        it if it.get("agent_type").is_some() => json!({ "agent": stored }),
        _ => json!({ "version": stored }),
    }
}

fn update(document: &Value, stored: &Value, facts: Option<&Value>) -> Inputs {
    let parse = |value: &Value| Document::parse(value.to_string());
    Inputs::new(parse(document))
        .kind(DocumentKind::Update)
        .stored(Some(stored).filter(|it| !it.is_null()).map(|it| Stored::new(parse(it))))
        .facts(facts.map(|facts| Facts::new(parse(facts))))
}

#[test]
fn a_value_that_decides_nothing_leaves_nothing_undecided() {
    let mut tried = 0;
    for (document, stored, facts) in cases() {
        let report = check(&update(&document, &stored, facts.as_ref()));
        for entry in &report.undecided {
            let missing = entry.missing();
            let [pointer] = &*missing else { continue };
            let Some(row) = pointer.strip_prefix('/').and_then(|it| settings::TABLE.row(it)) else {
                continue;
            };
            let mut values = match row.shape {
                Shape::Flag => vec![json!(true), json!(false)],
                Shape::Text(text) if !text.choices.is_empty() => {
                    text.choices.iter().map(|it| json!(it)).collect()
                }
                _ => continue,
            };
            values.push(Value::Null);
            let verdicts = values.into_iter().map(|value| {
                let mut known = parts(stored.clone());
                known["version"]["version_number"] = document["version_number"].clone();
                known["version"][row.name] = value;
                let report = check(&update(&document, &known, facts.as_ref()));
                let found = report.diagnostics.iter().filter(|it| it.rule.id == entry.rule.id);
                let found: Vec<_> = found.map(|it| (it.verdict, it.field.clone())).collect();
                let is_open = report.undecided.iter().any(|it| it.rule.id == entry.rule.id);
                (!is_open).then_some(found)
            });
            let verdicts: Vec<_> = verdicts.collect();
            let is_decided = verdicts.iter().all(|it| it.is_some() && *it == verdicts[0]);
            assert!(!is_decided, "{document}: {} waits for {pointer}", entry.rule.id);
            tried += 1;
        }
    }
    assert!(tried > 10, "{tried}");
}

/// Of a transcriber that does not support boosted keywords, they have no effect in either pipeline, and if none is set, the
/// default is what is not known.
#[test]
fn keywords_wait_only_for_what_decides_about_them() {
    let facts = json!({ "boosted_keyword_providers": ["north"], "transcribers": { "tr_a": { "provider": "east" } } });
    let document =
        json!({ "version_number": 3, "transcriber_id": "tr_a", "boosted_keywords": "alpha" });
    let report = check(&update(&document, &Value::Null, Some(&facts)));
    let of = |id: &str| id == "boosted-keywords-without-effect";
    assert!(report.diagnostics.iter().any(|it| of(&it.rule.id)));

    let document =
        json!({ "version_number": 3, "pipeline_type": "Cascaded", "boosted_keywords": "alpha" });
    let stored = json!({ "version": { "version_number": 3 }, "complete": true });
    let report = check(&update(&document, &stored, Some(&facts)));
    let entry = report.undecided.iter().find(|it| of(&it.rule.id)).unwrap();
    assert!(entry.missing().is_empty() && entry.why().contains("default transcriber"), "{entry:?}");
}

/// The text of a YAML or TOML file is not what the service receives: no status and no answer is predicted for it.
#[test]
fn a_file_that_cannot_become_json_has_no_status_and_no_answer() {
    let mut seen = 0;
    for case in case_files() {
        let Some(extension) = case.path.extension().and_then(|it| it.to_str()) else { continue };
        let format = match extension {
            "yaml" | "yml" => Format::Yaml,
            "toml" => Format::Toml,
            _ => continue,
        };
        let text = fs::read(&case.path).unwrap();
        let text = String::from_utf8_lossy(&text);
        let inputs = Inputs::new(Document::parse_as(&*text, format)).kind(DocumentKind::Update);
        let prediction = predict(&inputs).unwrap();
        let mut faults = prediction.report.diagnostics.iter().filter(|it| it.rule.is_syntax());
        let is_broken = faults.clone().next().is_some();
        assert!(faults.all(|it| it.status.is_none()), "{}", case.path.display());
        assert_eq!(prediction.is_unsendable(), is_broken, "{}", case.path.display());
        assert_eq!(prediction.answers.is_empty(), is_broken, "{}", case.path.display());
        assert!(!(is_broken && (prediction.is_certain() || prediction.is_certainly_accepted())));
        assert!(!is_broken || prediction.other_rejections().is_empty());
        seen += u32::from(is_broken);
    }
    assert!(seen > 20, "{seen}");
    let document = Document::parse(r#"{ "version_number": 3, "title": Desk }"#);
    assert_eq!(statuses(&predict(&Inputs::new(document)).unwrap()), [400]);
}
