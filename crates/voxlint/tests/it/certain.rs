//! Predictions that look certain but are not. An unknown value, a contradiction in the stored configuration or an ambiguous passage of
//! the description makes another status possible.

use voxlint::syntax::Format;
use voxlint::{
    DiffInputs, Document, DocumentKind, Facts, Inputs, Origin, Prediction, Stored, TextFile, check,
    diff, predict, schema::settings,
};

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
