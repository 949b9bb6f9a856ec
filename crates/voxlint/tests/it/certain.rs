//! Predictions that look certain but are not. An unknown value, a contradiction in the stored configuration or an ambiguous passage of
//! the description makes another status possible.

use std::fs;

use serde_json::{Value, json};
use voxlint::schema::{Shape, settings};
use voxlint::syntax::Format;
use voxlint::{
    DiffInputs, Document, DocumentKind, Facts, Faults as _, Inputs, Origin, Prediction, Stored,
    TextFile, check, diff, predict,
};
use voxlint_testing::case_files;

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

fn predicted<T>(
    (update, format): (&str, Format),
    stored: &str,
    facts: &str,
    ask: impl FnOnce(&Prediction) -> T,
) -> T {
    let document = Document::parse_as(update, format);
    let mut inputs = Inputs::new(document).kind(DocumentKind::Update);
    if !stored.is_empty() {
        let stored = Stored::new(Document::parse(stored));
        assert!(stored.faults().diagnostics.is_empty(), "{stored:?}");
        inputs = inputs.stored(stored);
    }
    if !facts.is_empty() {
        inputs = inputs.facts(Facts::new(Document::parse(facts)));
    }
    ask(&predict(&inputs).expect("an update"))
}

fn statuses(prediction: &Prediction) -> Vec<u16> {
    prediction.answers.iter().map(|answer| answer.status).collect()
}

#[test]
fn questionable_stored_values_make_the_prediction_uncertain() {
    let sound = state("", "");
    predicted((TITLE, Format::Json), &sound, FACTS, |prediction| {
        assert!(prediction.is_certainly_accepted(), "{:#?}", prediction.report);
    });
    let deep = format!("{}{}", "{{#if a}}".repeat(2_000), "{{/if}}".repeat(2_000));
    let deep = format!(r#", "prompt_text": "{deep}""#);
    let cases = [
        (
            r#", "pipeline_type": "Cascaded", "transcriber_id": "tr_nova", "boosted_keywords": "café""#,
            "boosted-keyword-character",
        ),
        (
            r#", "default_dynamic_variables": { "agent_transfer_destinations": "+14155552671|" }"#,
            "transfer-destination-empty",
        ),
        (
            r#", "default_dynamic_variables": { "agent_transfer_destinations": "" }"#,
            "transfer-destination-empty",
        ),
        (r#", "max_call_duration_sec": 4000, "pipeline_type": null"#, "duration-over-pipeline-cap"),
        (
            r#", "voice_id": "vo_anna", "voice_model_id": "mo_lost""#,
            "voice-model-of-another-provider",
        ),
        (&deep, "template-nested-too-deep"),
        (r#", "reminder_message_interval": 24"#, "silence-not-after-reminder"),
        (r#", "reminder_message_interval": 25"#, "silence-not-after-reminder"),
        (
            r#", "end_call_on_silence_sec": 20.1, "reminder_message_interval": 15.1"#,
            "silence-not-after-reminder",
        ),
        (
            r#", "pipeline_type": "Speech_To_Speech", "boosted_keywords": "alpha""#,
            "boosted-keywords-without-effect",
        ),
        (
            r#", "transcriber_id": "tr_nova", "stt_fallback_transcriber_id": "tr_nova""#,
            "fallback-transcriber-same",
        ),
        (r#", "kb_max_chunks": 11"#, "out-of-range"),
    ];
    for (settings, rule) in cases {
        let facts =
            FACTS.replace(r#""campaigns""#, r#""fallback_transcribers": ["tr_nova"], "campaigns""#);
        predicted((TITLE, Format::Json), &state(settings, ""), &facts, |prediction| {
            assert_eq!(statuses(prediction), [200, 400], "{rule}");
            assert!(!prediction.is_certain(), "{rule}");
            let open = &prediction.report.undecided;
            assert_eq!(open.len(), 1, "{open:#?}");
            assert_eq!(open[0].rule.id, rule);
            assert!(open[0].is_touched && !open[0].why().is_empty());
            assert!(
                prediction.report.diagnostics.is_empty(),
                "the service has accepted the stored value, so there is no finding"
            );
        });
    }
}

#[test]
fn ambiguous_updates_make_the_prediction_uncertain() {
    let sound = state("", "");
    let interval = r#"{ "version_number": 3, "reminder_message_interval": 24 }"#;
    predicted((interval, Format::Json), &sound, FACTS, |it| assert_eq!(statuses(it), [200, 400]));
    let keywords = r#"{ "version_number": 3, "pipeline_type": "Speech_To_Speech", "boosted_keywords": "alpha" }"#;
    predicted((keywords, Format::Json), &sound, FACTS, |it| assert_eq!(statuses(it), [200, 400]));
    predicted(("version_number: 3\ntitle: no\n", Format::Yaml), &sound, FACTS, |it| {
        assert_eq!(statuses(it), [200, 400, 404]);
    });
    // A reader of YAML 1.1 sends true.
    predicted(("version_number: 3\nis_published: yes\n", Format::Yaml), &sound, FACTS, |it| {
        assert!(it.may_be_accepted() && !it.is_certain());
    });
    predicted(("version_number: 3\ntitle: \"no\"\n", Format::Yaml), &sound, FACTS, |it| {
        assert!(it.is_certainly_accepted());
    });
}

#[test]
fn a_rejection_that_depends_on_a_stored_frequency_is_uncertain() {
    let update = r#"{ "version_number": 3, "end_call_on_silence_sec": 20, "reminder_message_interval": 15 }"#;
    let open = r#"{ "version_number": 3, "is_published": false, "title": "A" }"#;
    predicted((update, Format::Json), open, FACTS, |it| {
        assert_eq!(statuses(it), [400]);
        assert!(it.may_be_accepted() && !it.is_certain());
    });
    let held = state(r#", "reminder_message_frequency": 2"#, "");
    predicted((update, Format::Json), &held, FACTS, |it| assert!(it.is_certain()));
}

#[test]
fn a_body_that_is_not_an_object_may_also_be_answered_with_404() {
    // It is not known whether the agent exists.
    predicted(("[]", Format::Json), "", "", |it| {
        assert_eq!((statuses(it), it.other_rejections()), (vec![400], vec![404]));
        assert!(!it.is_certain());
    });
    let agent = r#"{ "id": "ag_2", "agent_type": "Single_Prompt_Agent" }"#;
    for text in ["[]", "", "{ \"version_number\": 3,"] {
        predicted((text, Format::Json), agent, FACTS, |it| {
            assert_eq!(statuses(it), [400, 404], "{text}");
        });
    }
    let agent = r#"{ "id": "ag_1", "agent_type": "Single_Prompt_Agent" }"#;
    predicted(("[]", Format::Json), agent, FACTS, |it| assert!(it.is_certain()));
}

#[test]
fn states_in_another_spelling_may_count() {
    for state_name in ["RUNNING", "Draft", "sched-uled", "archived", ""] {
        let campaign =
            format!(r#""campaigns": [{{ "agent_id": "ag_1", "state": "{state_name}" }}]"#);
        let facts = FACTS.replace(r#""campaigns": []"#, &campaign);
        predicted((PUBLISH, Format::Json), &state("", ""), &facts, |it| {
            assert_eq!(statuses(it), [200, 409], "{state_name}");
        });
    }
    let number = r#"{ "version_number": 3, "is_published": true, "outbound_phone_number_id": "" }"#;
    for (state_name, expected) in
        [("active", &[409][..]), ("Active", &[200, 409]), ("paused", &[200])]
    {
        let workflow = format!(
            r#""workflows": [{{ "state": "{state_name}", "outbound_phone_number_ids": ["pn_1"] }}]"#
        );
        let facts = FACTS.replace(r#""workflows": []"#, &workflow);
        let held = state(r#", "outbound_phone_number_id": "pn_1""#, "");
        predicted((number, Format::Json), &held, &facts, |it| {
            assert_eq!(statuses(it), expected, "{state_name}");
        });
    }
}

#[test]
fn fields_of_the_current_version_are_known() {
    let held = r#"{ "id": "ag_1", "agent_type": "Single_Prompt_Agent",
        "current_version": { "version_number": 3, "is_published": true } }"#;
    predicted((TITLE, Format::Json), held, FACTS, |it| assert_eq!(statuses(it), [400]));
    // The version number may be in the other field.
    let held = held
        .replace(r#""version_number": 3, "#, "")
        .replace(r#""current_version""#, r#""current_version_number": 3, "current_version""#);
    predicted((TITLE, Format::Json), &held, FACTS, |it| {
        assert!(
            it.report.diagnostics.iter().any(|found| found.rule.id == "published-version-edited")
        );
    });
}

#[test]
fn a_prediction_that_depends_on_a_contradiction_is_uncertain() {
    let stale = |agent: &str| {
        let held = state("", "");
        held.replace(r#"[{ "version_number": 3, "is_published": false }]"#, agent)
    };
    let cases = [
        // The version differs from its summary.
        (stale(r#"[{ "version_number": 3, "is_published": true }]"#), vec![200, 400]),
        // The agent's own list does not contain the version.
        (stale(r#"[{ "version_number": 2, "is_published": true }]"#), vec![200, 404]),
    ];
    for (held, expected) in cases {
        predicted((TITLE, Format::Json), &held, FACTS, |it| {
            assert_eq!(statuses(it), expected, "{held}");
            let told: Vec<_> =
                it.report.diagnostics.iter().map(|found| (&*found.rule.id, found.origin)).collect();
            assert_eq!(told, [("contradictory-stored-state", Origin::Stored)]);
        });
    }
    // Other predictions stay certain.
    let named = state(r#", "title": "A""#, "").replace(
        r#""is_published": false }]"#,
        r#""is_published": false, "llm_id": "l", "version_number": 3 }], "current_version": { "version_number": 3, "llm_id": "m" }"#,
    );
    let named = named.replace(r#"[{ "version_number": 3, "#, "[{ ");
    predicted((TITLE, Format::Json), &named, FACTS, |it| {
        assert!(it.is_certainly_accepted(), "{:#?}", it.report);
        assert_eq!(it.report.diagnostics.len(), 1);
    });
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

/// Two summaries of one version contradict each other, so whether it is published is not known.
#[test]
fn no_prediction_is_certain_while_summaries_disagree_about_publishing() {
    for update_text in [TITLE, r#"{ "version_number": 3, "kb_max_chunks": 12 }"#] {
        let stored = r#"{ "id": "ag_1", "agent_type": "Single_Prompt_Agent", "versions": [
            { "version_number": 3, "is_published": true }, { "version_number": 3, "is_published": false }] }"#;
        let inputs = Inputs::new(Document::parse(update_text))
            .stored(Stored::new(Document::parse(stored)))
            .facts(Facts::new(Document::parse(FACTS)));
        assert!(!predict(&inputs).unwrap().is_certain(), "{update_text}");
    }
}
