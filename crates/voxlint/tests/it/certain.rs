//! Predictions that look certain and are not: something that is not known, a contradiction in the stored state, or a passage
//! of the description that can be read in several ways leaves another status open.

use voxlint::syntax::Format;
use voxlint::{
    DiffInputs, Document, DocumentKind, Facts, Inputs, Origin, Prediction, Stored, TextFile, check,
    diff, predict, schema::settings,
};

const TITLE: &str = r#"{ "version_number": 3, "title": "Front desk" }"#;
const PUBLISH: &str = r#"{ "version_number": 3, "is_published": true }"#;

/// Facts that leave nothing open for the updates below.
const FACTS: &str = r#"{
  "agents": ["ag_1"],
  "voices": { "vo_anna": { "provider": "northwind", "models": ["mo_calm"] } },
  "transcribers": { "tr_nova": { "provider": "northwind" } },
  "boosted_keyword_providers": ["northwind"],
  "campaigns": [],
  "workflows": []
}"#;

/// A complete stored version with these settings, of an agent that has the version and these members.
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
fn stored_values_that_some_readings_refuse_leave_the_answer_open() {
    let sound = state("", "");
    predicted((TITLE, Format::Json), &sound, FACTS, |prediction| {
        assert!(prediction.is_surely_accepted(), "{:#?}", prediction.report);
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
            assert!(open[0].is_touched && !open[0].why.is_empty());
            assert!(prediction.report.diagnostics.is_empty(), "no finding: it was accepted once");
        });
    }
}

#[test]
fn what_the_update_says_leaves_the_answer_open_where_readings_differ() {
    let sound = state("", "");
    let interval = r#"{ "version_number": 3, "reminder_message_interval": 24 }"#;
    predicted((interval, Format::Json), &sound, FACTS, |it| assert_eq!(statuses(it), [200, 400]));
    let keywords = r#"{ "version_number": 3, "pipeline_type": "Speech_To_Speech", "boosted_keywords": "alpha" }"#;
    predicted((keywords, Format::Json), &sound, FACTS, |it| assert_eq!(statuses(it), [200, 400]));
    predicted(("version_number: 3\ntitle: no\n", Format::Yaml), &sound, FACTS, |it| {
        assert_eq!(statuses(it), [200, 400, 404]);
    });
    // Another reader of YAML sends true.
    predicted(("version_number: 3\nis_published: yes\n", Format::Yaml), &sound, FACTS, |it| {
        assert!(it.may_be_accepted() && !it.is_certain());
    });
    predicted(("version_number: 3\ntitle: \"no\"\n", Format::Yaml), &sound, FACTS, |it| {
        assert!(it.is_surely_accepted());
    });
}

#[test]
fn a_refusal_that_depends_on_a_stored_frequency_is_not_certain() {
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
fn a_body_that_is_no_object_is_still_sent_to_an_agent() {
    // Nobody knows whether the agent is there.
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
fn what_only_the_current_version_tells_is_known() {
    let held = r#"{ "id": "ag_1", "agent_type": "Single_Prompt_Agent",
        "current_version": { "version_number": 3, "is_published": true } }"#;
    predicted((TITLE, Format::Json), held, FACTS, |it| assert_eq!(statuses(it), [400]));
    // The number may stand beside it.
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
fn no_prediction_is_certain_that_depends_on_a_contradiction() {
    let stale = |agent: &str| {
        let held = state("", "");
        held.replace(r#"[{ "version_number": 3, "is_published": false }]"#, agent)
    };
    let cases = [
        // The version against its summary.
        (stale(r#"[{ "version_number": 3, "is_published": true }]"#), vec![200, 400]),
        // A version that the agent's own list lacks.
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
    // What does not depend on it stays certain.
    let named = state(r#", "title": "A""#, "").replace(
        r#""is_published": false }]"#,
        r#""is_published": false, "llm_id": "l", "version_number": 3 }], "current_version": { "version_number": 3, "llm_id": "m" }"#,
    );
    let named = named.replace(r#"[{ "version_number": 3, "#, "[{ ");
    predicted((TITLE, Format::Json), &named, FACTS, |it| {
        assert!(it.is_surely_accepted(), "{:#?}", it.report);
        assert_eq!(it.report.diagnostics.len(), 1);
    });
}

#[test]
fn an_update_with_a_text_in_a_file_is_not_minimal() {
    let held = r#"{ "agent": { "agent_type": "Conversational_Flow_Agent" }, "version": {}, "complete": true }"#;
    let text = Document::parse_as("You are the front desk.\n", Format::Text);
    let texts = [TextFile::new(settings::prompt_text.row, text)];
    let alone = Inputs::new(Document::parse(PUBLISH)).stored(Stored::new(Document::parse(held)));
    assert_eq!(statuses(&predict(&alone).unwrap())[0], 200);
    assert_eq!(statuses(&predict(&alone.texts(texts)).unwrap())[0], 400);
}

#[test]
fn nothing_to_look_up_is_nothing_undecided() {
    let document = Document::parse(r#"{ "version_number": 3, "knowledge_base_ids": [] }"#);
    let report = check(&Inputs::new(document));
    assert!(report.undecided.iter().all(|entry| entry.rule.id != "unknown-id"));
}

#[test]
fn a_difference_for_a_flow_agent_sends_what_is_required() {
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
    // Where nothing changes, nothing is sent.
    let same =
        Document::parse(r#"{ "title": "A", "agent_identity": "I", "agent_background": "B" }"#);
    assert_eq!(diff(&DiffInputs::new(old, same)).unwrap().update, None);
}
