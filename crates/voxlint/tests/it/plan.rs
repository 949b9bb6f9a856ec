//! Plans of single documents: outcomes, dangers, drift, and what they show.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Value, json};
use voxlint::syntax::Format;
use voxlint::{
    AgentPlan, AnswerBody, ChangeKind, DiffInputs, Document, DocumentKind, DriftKind, Facts, Group,
    Inputs, Neighbor, Outcome, Plan, PlanInputs, PlannedChange, Stored, TextFile, diff, plan,
    plan_agent, plan_among, predict, rules, schema,
};
use voxlint_testing::case_files;

use crate::diff_properties::plain;

/// The stored configuration of an agent with the draft version 3, completely known.
fn stored(settings: &Value) -> Stored {
    Stored::new(Document::parse(stored_text(settings)))
}

fn stored_text(settings: &Value) -> String {
    let is_published = settings["is_published"] == true;
    let mut version = json!({ "version_number": 3, "is_published": is_published });
    for (name, value) in settings.as_object().unwrap() {
        version[name] = value.clone();
    }
    json!({
        "agent": {
            "id": "ag_desk",
            "agent_type": "Single_Prompt_Agent",
            "versions": [{ "version_number": 3, "is_published": is_published }],
        },
        "version": version,
        "complete": true,
    })
    .to_string()
}

fn planned(document: &Value, settings: &Value) -> AgentPlan {
    plan_agent(&inputs(document, settings))
}

fn inputs(document: &Value, settings: &Value) -> PlanInputs {
    let mut text = document.clone();
    text["version_number"] = json!(3);
    let inputs = Inputs::new(Document::parse(text.to_string())).stored(stored(settings));
    PlanInputs::new("agents/en.json", inputs)
}

/// The plan of a document whose stored configuration was `base` when the repository last knew it.
fn drifted(document: &Value, settings: &Value, base: &Value) -> AgentPlan {
    plan_agent(&inputs(document, settings).base(stored(base)))
}

fn kinds(document: &Value, settings: &Value) -> Vec<(ChangeKind, String)> {
    let changes = planned(document, settings).changes;
    changes.into_iter().map(|change| (change.kind, change.sentence)).collect()
}

fn statuses(plan: &AgentPlan) -> Vec<u16> {
    plan.statuses.iter().map(|status| status.status).collect()
}

/// What callers hear now and then: when, and both texts.
fn heard(document: &Value, settings: &Value) -> Vec<String> {
    let plan = planned(document, settings);
    let paths = plan.heard.iter().flat_map(|change| &change.paths);
    paths
        .map(|path| format!("{}: {} -> {}", path.in_words(), path.texts.old, path.texts.new))
        .collect()
}

#[test]
fn the_texts_that_change_are_shown_as_callers_hear_them() {
    let greeting = |text: &str| json!({ "welcome_message": text });
    let none: [&str; 0] = [];
    let stored = greeting("Hi{{#if name}} {{name}}{{/if}}, this is {{shop}}.");
    for (document, expected) in [
        (stored.clone(), &none[..]),
        (
            greeting("Hi{{#if name}} {{name}}{{/if}}, you reached {{shop}}."),
            &[
                "with `name`: Hi ⟨name⟩, this is ⟨shop⟩. -> Hi ⟨name⟩, you reached ⟨shop⟩.",
                "without `name`: Hi, this is ⟨shop⟩. -> Hi, you reached ⟨shop⟩.",
            ],
        ),
        // A path on which nothing changes is left out, and conditions of both texts are kept.
        (
            greeting(
                "Hi{{#if name}} {{name}}{{/if}}, {{#if vip}}hello!{{else}}this is {{shop}}.{{/if}}",
            ),
            &[
                "with `name` and `vip`: Hi ⟨name⟩, this is ⟨shop⟩. -> Hi ⟨name⟩, hello!",
                "without `name` and with `vip`: Hi, this is ⟨shop⟩. -> Hi, hello!",
            ],
        ),
        (
            greeting("Hi ⟨name⟩, this is {{shop}}."),
            &["without `name`: Hi, this is ⟨shop⟩. -> Hi ⟨name⟩, this is ⟨shop⟩."],
        ),
        (
            json!({ "default_dynamic_variables": { "shop": "Tea" } }),
            &[
                "with `name`: Hi ⟨name⟩, this is ⟨shop⟩. -> Hi ⟨name⟩, this is Tea.",
                "without `name`: Hi, this is ⟨shop⟩. -> Hi, this is Tea.",
            ],
        ),
        // A greeting stays that no update can unset.
        (json!({ "welcome_message": null }), &none),
        // Of a variable without a value, callers hear nothing.
        (
            greeting("Hi {{name}}, this is {{shop}}."),
            &["without `name`: Hi, this is ⟨shop⟩. -> Hi ⟨no name⟩, this is ⟨shop⟩."],
        ),
        // Every call has the name of the agent.
        (
            greeting("Hi{{#if name}} {{name}}{{/if}}, {{#if agent_name}}a{{/if}}."),
            &[
                "with `name`: Hi ⟨name⟩, this is ⟨shop⟩. -> Hi ⟨name⟩, a.",
                "without `name`: Hi, this is ⟨shop⟩. -> Hi, a.",
            ],
        ),
        // It cannot be filled in.
        (greeting("Hi {{#if name}}"), &none),
        // Callers do not hear a prompt.
        (json!({ "prompt_text": "{{#if name}}Be kind.{{/if}}" }), &none),
    ] {
        assert_eq!(heard(&document, &stored), expected, "{document}");
    }
}

#[test]
fn a_text_without_branches_is_not_shown_twice() {
    let stored =
        json!({ "welcome_message": "Hi {{name}}.", "voicemail_message": "Call {{shop}}." });
    assert!(heard(&json!({ "welcome_message": "Hello {{name}}." }), &stored).is_empty());
    // Nothing else shows what another default changes.
    let defaults = json!({ "default_dynamic_variables": { "shop": "Tea" } });
    assert_eq!(heard(&defaults, &stored), [": Call ⟨shop⟩. -> Call Tea."]);
}

#[test]
fn a_default_that_decides_about_a_branch_changes_what_callers_hear() {
    let stored = json!({
        "welcome_message": "Hi{{#if vip}}, welcome back{{/if}}.",
        "default_dynamic_variables": { "vip": false },
    });
    let defaults = json!({ "default_dynamic_variables": { "vip": true } });
    assert_eq!(
        heard(&defaults, &stored),
        ["if a call gives no variables: Hi. -> Hi, welcome back."]
    );
}

#[test]
fn a_change_in_one_of_very_many_texts_is_shown() {
    let greeting = |last: &str| {
        let branch = |at| format!("{{{{#if v{at}}}}}a{at} {{{{else}}}}b{at} {{{{/if}}}}");
        let branches: Vec<String> = (2..=8).map(branch).collect();
        json!({ "welcome_message": format!("{{{{#if v1}}}}a {{{{else}}}}{last} {{{{/if}}}}{}", branches.concat()) })
    };
    let shown = heard(&greeting("changed"), &greeting("b"));
    assert_eq!(shown.len(), 64);
    assert!(shown.iter().all(|text| text.starts_with("without `v1`")), "{shown:#?}");
}

#[test]
fn no_secret_is_heard() {
    let secret = "Zk3vT9qLr2Xw8YbN5mHd7PcS";
    let stored = json!({
        "welcome_message": "Hi{{#if name}} {{name}}{{/if}}, say {{api_key}}.",
        "default_dynamic_variables": { "api_key": secret },
    });
    let other = format!("{}X", &secret[1..]);
    let shown = heard(&json!({ "default_dynamic_variables": { "api_key": other } }), &stored);
    assert_eq!(shown.len(), 2);
    assert!(
        shown
            .iter()
            .all(|text| !text.contains("T9qLr2Xw8") && text.contains("masked part changed"))
    );
}

#[test]
fn each_outcome_has_its_body() {
    let facts = r#"{ "agents": ["ag_desk"], "campaigns": [] }"#;
    let of = |text: &str, settings: Option<&Value>| {
        let inputs = Inputs::new(Document::parse(text)).stored(settings.map(stored));
        plan_agent(&PlanInputs::new("a", inputs.facts(Facts::new(Document::parse(facts)))))
    };
    let desk = json!({ "title": "Desk" });

    let same = of(r#"{ "version_number": 3.0, "title": "D\u0065sk" }"#, Some(&desk));
    assert_eq!((same.outcome, &same.body, &same.statuses[..]), (Outcome::NoChange, &None, &[][..]));

    let update = of(r#"{ "version_number": 3, "title": "Front desk" }"#, Some(&desk));
    assert_eq!((update.outcome, statuses(&update)), (Outcome::Update, vec![200]));
    assert!(update.is_sent() && update.version_number.as_deref() == Some("3"));
    assert_eq!(update.agent_id.as_deref(), Some("ag_desk"));
    assert_eq!(update.title.as_deref(), Some("Front desk"));

    let publish = of(r#"{ "version_number": 3, "is_published": true }"#, Some(&desk));
    assert_eq!((publish.outcome, statuses(&publish)), (Outcome::Publish, vec![200]));

    let rejected = of(r#"{ "version_number": 3, "kb_max_chunks": 11 }"#, Some(&desk));
    assert_eq!((rejected.outcome, statuses(&rejected)), (Outcome::Refused, vec![400]));
    assert_eq!((rejected.body, rejected.changes.len()), (None, 1));
    let reason = &rejected.statuses[0].reasons[0];
    assert!(reason.contains("11") && reason.ends_with("[out-of-range]"), "{reason}");

    let depends = of(r#"{ "version_number": 3, "kb_max_chunks": 2.5 }"#, Some(&desk));
    assert_eq!((depends.outcome, statuses(&depends)), (Outcome::Depends, vec![200, 400]));
    assert!(depends.is_sent() && depends.statuses[1].reasons.len() == 1);

    let unknown = of(r#"{ "version_number": 3, "title": "Desk" }"#, None);
    assert_eq!((unknown.outcome, &unknown.body), (Outcome::NoStoredState, &None));
    assert!(statuses(&unknown).contains(&200) && unknown.changes.is_empty());
    let unknown = of(r#"{ "version_number": 3, "kb_max_chunks": 11 }"#, None);
    assert_eq!((unknown.outcome, statuses(&unknown)), (Outcome::Refused, vec![400]));
}

#[test]
fn a_document_that_cannot_be_read_is_rejected() {
    for text in ["", "[]", "{ \"version_number\": 3, ", "{ \"title\": \"Desk\" }", "7"] {
        let inputs = Inputs::new(Document::parse(text)).stored(Stored::new(Document::parse(
            r#"{ "agent": { "id": "ag_desk", "agent_type": "Single_Prompt_Agent" } }"#,
        )));
        let plan = plan_agent(&PlanInputs::new("a", inputs));
        assert_eq!((plan.outcome, plan.body), (Outcome::Refused, None), "{text}");
        assert!(plan.statuses.iter().any(|status| status.status == 400), "{text}");
    }
}

#[test]
fn a_document_that_equals_a_published_version_changes_nothing() {
    let published = json!({ "title": "Desk", "is_published": true });
    assert_eq!(planned(&json!({ "title": "Desk" }), &published).outcome, Outcome::NoChange);
    let rejected = planned(&json!({ "title": "Night desk" }), &published);
    assert_eq!((rejected.outcome, statuses(&rejected)), (Outcome::Refused, vec![400]));
}

#[test]
fn the_flag_of_one_request_is_sent_with_something_else_only() {
    let desk = json!({ "title": "Desk" });
    let flag = json!({ "title": "Desk", "update_deployment": true });
    assert_eq!(planned(&flag, &desk).outcome, Outcome::NoChange);
    let flag = json!({ "title": "Front desk", "update_deployment": true });
    let body = planned(&flag, &desk).body.unwrap();
    let body: Value = serde_json::from_str(&body).unwrap();
    let sent = json!({ "version_number": 3, "title": "Front desk", "update_deployment": true });
    assert_eq!(body, sent);
}

#[test]
fn the_stored_settings_of_another_version_are_unknown() {
    let inputs = Inputs::new(Document::parse(r#"{ "version_number": 4, "title": "Desk" }"#));
    let stored = Stored::new(Document::parse(r#"{ "version_number": 3, "title": "Desk" }"#));
    let plan = plan_agent(&PlanInputs::new("a", inputs.stored(stored)));
    assert_eq!(plan.outcome, Outcome::Depends);
    assert_eq!(plan.body.unwrap(), "{\n  \"version_number\": 4,\n  \"title\": \"Desk\"\n}");
}

#[test]
fn an_unusable_stored_configuration_is_unknown() {
    let inputs = Inputs::new(Document::parse(r#"{ "version_number": 3, "title": "Desk" }"#));
    let stored = Stored::new(Document::parse(r#"{ "version": { "version_number": 3, "#));
    let plan = plan_agent(&PlanInputs::new("a", inputs.stored(stored)));
    assert_eq!(plan.outcome, Outcome::NoStoredState);
    let note = "the stored configuration cannot be used: ";
    assert!(plan.notes[0].starts_with(note), "{:?}", plan.notes);
}

#[test]
fn the_text_of_a_file_is_planned() {
    let inputs = inputs(&json!({}), &json!({ "prompt_text": "Be brief." }));
    let prompt = Document::parse_as("Be kind.\nBe brief.\n", Format::Text);
    let texts = [TextFile::new(schema::settings::prompt_text.row, prompt)];
    let plan = plan_agent(&PlanInputs::new("a", inputs.inputs.texts(texts)));
    let texts = plan.changes[0].texts.as_ref().unwrap();
    assert_eq!((&*texts.old, &*texts.new), ("Be brief.", "Be kind.\nBe brief.\n"));
    assert!(plan.body.unwrap().contains(r#""prompt_text": "Be kind.\nBe brief.\n""#));
}

#[test]
fn dangerous_changes_come_first_and_are_named() {
    let function = |name: &str, of_type: &str, config: Value| json!({ "displayName": name, "type": of_type, "description": "x", "config": config });
    let old = json!({
        "title": "Desk",
        "prompt_text": "Be brief.",
        "backchanneling": true,
        "backchannel_frequency": 0.5,
        "backchannel_keywords": "yes, ok",
        "default_dynamic_variables": { "agent_transfer_destinations": "+14155550100|+14155550101", "name": "Ann" },
        "agent_functions": [function("to_billing", "call_transfer", json!({ "number": "a" }))],
    });
    let new = json!({
        "title": "Front desk",
        "prompt_text": " ",
        "backchanneling": false,
        "default_dynamic_variables": { "agent_transfer_destinations": "+14155550101|+14155550102", "name": "Bob" },
        "agent_functions": [
            function("to_billing", "call_transfer", json!({ "number": "b" })),
            function("look_up", "custom", json!({})),
        ],
    });
    let lines = [
        (
            ChangeKind::DestinationsChanged,
            "changes the transfer destinations: removes `+14155550100`; adds `+14155550102`; changes `name`",
        ),
        (
            ChangeKind::DestinationsChanged,
            "changes the configuration of the call transfer `to_billing`; adds `look_up`",
        ),
        (ChangeKind::PromptEmptied, "empties `prompt_text` (now `Be brief.`)"),
        (
            ChangeKind::SwitchedOff,
            "switches `backchanneling` off, so `backchannel_frequency` and `backchannel_keywords` have no effect",
        ),
        (ChangeKind::Changed, "changes `title` from `Desk` to `Front desk`"),
    ];
    assert_eq!(kinds(&new, &old), lines.map(|(kind, line)| (kind, line.to_owned())));
    assert!(planned(&new, &old).has_danger());
}

#[test]
fn the_items_that_differ_are_shown() {
    let texts = |document: Value, settings: Value| {
        let plan = planned(&document, &settings);
        plan.changes[0].texts.clone().map(|texts| (texts.old, texts.new))
    };
    let pay = |url: &str| json!({ "displayName": "pay", "type": "custom", "description": "pays", "config": { "url": url } });
    let end =
        json!({ "displayName": "end", "type": "end_call", "description": "ends", "config": {} });
    let of = |url: &str| json!({ "agent_functions": [end, pay(url)] });
    let (old, new) =
        texts(of("https://attacker.example/v1"), of("https://pay.example/v1")).unwrap();
    let pretty = |url: &str| serde_json::to_string_pretty(&json!([pay(url)])).unwrap();
    let parsed = |text: &str| serde_json::from_str::<Value>(text).unwrap();
    assert_eq!(parsed(&old), parsed(&pretty("https://pay.example/v1")));
    assert_eq!(parsed(&new), parsed(&pretty("https://attacker.example/v1")));
    assert!(new.contains('\n') && !new.contains("ends"), "{new}");

    let variables =
        |name: &str| json!({ "default_dynamic_variables": { "name": name, "city": "Bonn" } });
    let (old, new) = texts(variables("Bob"), variables("Ann")).unwrap();
    assert_eq!((&*old, &*new), ("{\n  \"name\": \"Ann\"\n}", "{\n  \"name\": \"Bob\"\n}"));
    let (old, new) = texts(of("https://pay.example"), json!({})).unwrap();
    assert!(old.is_empty() && new.contains("https://pay.example"));

    // Here the sentence says everything.
    let bases = |ids: &[&str]| json!({ "knowledge_base_ids": ids });
    assert_eq!(texts(bases(&["kb_a", "kb_b"]), bases(&["kb_a"])), None);

    // Short secrets, and those with characters that JSON spells differently, are masked as well.
    let secrets = |password: &str, token: &str| {
        json!({ "agent_functions": [{
            "displayName": "pay", "type": "custom", "description": "pays",
            "config": { "headers": { "password": password, "Authorization": token } },
        }] })
    };
    let (old, new) = texts(secrets("pw2", "Q\"w\"e\"r\"t\"z\"u"), secrets("pw1", "other")).unwrap();
    for (shown, hidden) in [(&old, "pw1"), (&new, "pw2"), (&new, "Q\\\""), (&new, "z\\\"u")] {
        assert!(!shown.contains(hidden) && shown.contains("***"), "{shown}");
    }
}

#[test]
fn only_settings_that_are_set_lose_their_effect() {
    let kind = |document: Value, settings: Value| kinds(&document, &settings)[0].0;
    let off = json!({ "backchanneling": false });
    assert_eq!(kind(off.clone(), json!({ "backchanneling": true })), ChangeKind::Changed);
    let idle = json!({ "backchanneling": true, "backchannel_frequency": 0 });
    assert_eq!(kind(off, idle), ChangeKind::Changed);
    let empty = json!({ "knowledge_base_ids": [] });
    let bases = json!({ "knowledge_base_ids": ["kb_a"], "kb_max_chunks": 3 });
    assert_eq!(kind(empty, bases), ChangeKind::SwitchedOff);
    let user = json!({ "conversation_start_type": "user" });
    let message = json!({ "conversation_start_type": "agent_defined", "welcome_message": "Hi" });
    assert_eq!(kind(user.clone(), message), ChangeKind::SwitchedOff);
    let before = json!({ "conversation_start_type": "agent_dynamic", "welcome_message": "Hi" });
    assert_eq!(kind(user, before), ChangeKind::Changed);
}

#[test]
fn drift_is_compared_three_ways() {
    let base = json!({ "title": "Desk", "llm_temperature": 0.1, "description": "a", "folder_id": "fo_a", "webhook_id": "wh_a" });
    let service = json!({ "title": "Reception", "llm_temperature": 0.10, "description": "b", "folder_id": "fo_b", "webhook_id": "wh_b" });
    // Changed here and there, changed here only, changed back, the same on both sides, and left alone.
    let here = json!({ "title": "Front desk", "llm_temperature": 0.3, "description": "a", "folder_id": "fo_b" });
    let plan = drifted(&here, &service, &base);
    let drift: Vec<(&str, DriftKind, bool, &str)> = plan
        .drift
        .iter()
        .map(|it| (&*it.field, it.kind, it.is_overwritten, &*it.sentence))
        .collect();
    let expected = [
        (
            "/title",
            DriftKind::Conflict,
            true,
            "`title` was changed in the service from `Desk` to `Reception`, and is `Front desk` here",
        ),
        (
            "/description",
            DriftKind::Service,
            true,
            "`description` was changed in the service from `a` to `b`, and the update changes it back",
        ),
        (
            "/folder_id",
            DriftKind::Same,
            false,
            "`folder_id` was changed in the service from `fo_a` to `fo_b`, as it was here",
        ),
        (
            "/webhook_id",
            DriftKind::Service,
            false,
            "`webhook_id` was changed in the service from `wh_a` to `wh_b`",
        ),
    ];
    assert_eq!(drift, expected);
    assert!(plan.has_danger() && plan.has_drift());
    let are_dangerous: Vec<bool> = plan.changes.iter().map(PlannedChange::is_dangerous).collect();
    assert_eq!(are_dangerous, [true, true, false]);
    let overwriting: Vec<&str> = plan
        .changes
        .iter()
        .filter(|change| change.overwrites)
        .map(|change| change.sentence.as_str())
        .collect();
    assert_eq!(
        overwriting,
        [
            "changes `title` from `Reception` to `Front desk`, which overwrites a change made in the service",
            "changes `description` from `b` to `a`, which overwrites a change made in the service",
        ]
    );
}

#[test]
fn publishing_a_change_that_only_the_service_has_is_drift() {
    let (base, service) =
        (json!({ "title": "Desk" }), json!({ "title": "Desk", "prompt_text": "Sell." }));
    let plan = drifted(&json!({ "title": "Desk", "is_published": true }), &service, &base);
    let drift = &plan.drift[0];
    assert_eq!(
        (drift.kind, drift.is_overwritten, drift.is_published),
        (DriftKind::Service, false, true)
    );
    assert_eq!(
        drift.sentence,
        "`prompt_text` was set in the service to `Sell.`, and the update publishes that"
    );
    assert_eq!(
        plan.changes[0].sentence,
        "publishes version 3, with a change that only the service has: `prompt_text`"
    );
    assert!(plan.has_drift() && plan.has_danger());
    assert_eq!(voxlint::plan(vec![plan]).counts.drifted, 1);

    // A draft that stays one keeps the change for a review.
    let plan = drifted(&json!({ "title": "Front desk" }), &service, &base);
    assert!(!plan.drift[0].is_published && !plan.has_drift());
}

#[test]
fn functions_that_go_elsewhere_and_analysis_that_is_lost_are_dangerous() {
    let of = |of_type: &str, url: &str| json!({ "agent_functions": [{ "displayName": "pay", "type": of_type, "description": "x", "config": { "url": url } }] });
    let first = |document: &Value, settings: &Value| kinds(document, settings).remove(0);
    let old = of("custom", "https://pay.example/v1");
    let destinations = |line: &str| (ChangeKind::DestinationsChanged, line.to_owned());
    assert_eq!(
        first(&of("custom", "https://attacker.example/v1"), &old),
        destinations("changes the host to which `pay` sends requests")
    );
    assert_eq!(first(&of("custom", "https://pay.example/v2"), &old).0, ChangeKind::Changed);
    let transfer = destinations("changes the configuration of the call transfer `pay`");
    assert_eq!(first(&old, &of("call_transfer", "https://pay.example/v1")), transfer);
    assert_eq!(first(&of("call_transfer", "https://pay.example/v1"), &old), transfer);

    let analysis = |names: &[&str]| {
        let items = names
            .iter()
            .map(|name| json!({ "field_name": name, "field_type": "text", "description": "x" }));
        json!({ "post_call_analysis": items.collect::<Vec<_>>() })
    };
    assert_eq!(
        first(&analysis(&["a"]), &analysis(&["a", "b"])),
        (ChangeKind::AnalysisCleared, "changes the analysis: removes 1 of 2: `b`".to_owned())
    );
    assert_eq!(first(&analysis(&["c"]), &analysis(&["a"])).0, ChangeKind::AnalysisCleared);
    assert_eq!(first(&analysis(&["a", "b"]), &analysis(&["a"])).0, ChangeKind::Changed);
}

#[test]
fn a_prompt_of_comments_is_emptied_and_one_with_variables_is_not() {
    let prompt = |text: &str| json!({ "prompt_text": text });
    let kind = |new: &str| kinds(&prompt(new), &prompt("Be brief."))[0].0;
    assert_eq!(kind(" {{!-- x --}} {{! y }}"), ChangeKind::PromptEmptied);
    assert_eq!(kind("{{!-- x --}} {{prompt}}"), ChangeKind::Changed);
}

#[test]
fn the_number_of_a_draft_and_an_edit_of_a_published_version_are_told_apart() {
    let number = |id: &str| json!({ "inbound_phone_number_id": id });
    let lines = kinds(&number("pn_b"), &number("pn_a"));
    let line = "changes the inbound number from `pn_a` to `pn_b`, which live calls do not use before an update publishes it";
    assert_eq!(lines[0].1, line);
    let publishing = json!({ "inbound_phone_number_id": "pn_b", "is_published": true });
    let lines = kinds(&publishing, &number("pn_a"));
    assert_eq!(lines[1].1, "changes the inbound number from `pn_a` to `pn_b`");

    let published = json!({ "title": "Desk", "is_published": true });
    let plan = planned(&json!({ "title": "Front desk", "update_deployment": true }), &published);
    assert!(plan.changes[0].is_live && plan.has_danger());
    assert_eq!(
        plan.changes[0].sentence,
        "changes `title` from `Desk` to `Front desk`, in a published version"
    );
    let draft = planned(
        &json!({ "title": "Front desk", "update_deployment": true }),
        &json!({ "title": "Desk" }),
    );
    assert!(!draft.changes[0].is_live && !draft.has_danger());
}

#[test]
fn what_is_unknown_on_one_side_has_no_drift() {
    let document = json!({ "title": "Desk" });
    let known = inputs(&document, &json!({ "title": "Reception", "description": "b" }));
    for base in [
        r#"{ "version_number": 3 }"#,
        r#"{ "version_number": 4, "title": "Lobby" }"#,
        r#"{ "version_number": 3, "title": "#,
    ] {
        let base = Stored::new(Document::parse(base));
        assert_eq!(plan_agent(&known.clone().base(base)).drift, []);
    }
    let unset = Stored::new(Document::parse(r#"{ "version_number": 3 }"#)).complete();
    let drift = plan_agent(&known.base(unset)).drift;
    let sentences: Vec<&str> = drift.iter().map(|drift| drift.sentence.as_str()).collect();
    let set = [
        "`title` was set in the service to `Reception`, and is `Desk` here",
        "`description` was set in the service to `b`",
    ];
    assert_eq!(sentences, set);
}

#[test]
fn only_the_body_shows_secrets() {
    let secret = "sk_live_a7Gq93LmZ0Vx82Tn51Rb";
    let prompt = format!("Say hello.\nUse {secret} for the booking.");
    let document = json!({
        "title": secret,
        "prompt_text": prompt,
        "description": secret,
        "default_dynamic_variables": { "api_key": secret },
    });
    let old = json!({
        "title": format!("{secret}!"),
        "prompt_text": format!("Use {secret}."),
        "webhook_id": secret,
        "default_dynamic_variables": { "api_key": "pw-8841-qq" },
    });
    let base = json!({ "title": "Desk", "description": "Dk-4471-uu", "default_dynamic_variables": { "password": "Dk-4471-uu" } });
    let mut plan = drifted(&document, &old, &base);
    assert!(plan.body.as_ref().unwrap().contains(secret));
    assert!(!plan.drift.is_empty() && plan.changes.iter().any(|change| change.texts.is_some()));
    plan.body = None;
    let shown = format!("{plan:?}");
    for hidden in [secret, "pw-8841-qq", "Dk-4471-uu"] {
        assert!(!shown.contains(hidden), "{hidden}: {shown}");
    }
}

/// A value that looks like the name of a secret is still a value.
#[test]
fn values_that_are_spelled_like_names_are_hidden() {
    let functions = |header: &str, key: &str| {
        json!({
            "agent_functions": [{
                "type": "custom",
                "displayName": "Look up",
                "config": { "headers": { "x-auth": header, "x-api-key": key } },
            }],
            "default_dynamic_variables": { "api_key": key },
        })
    };
    let old = functions("Bearer former-Secret-1", "former-secret-key");
    let mut plan = drifted(&functions("Bearer not-A-real-secret-2", "my-secret-token"), &old, &old);
    plan.body = None;
    assert!(plan.changes.iter().any(|change| change.texts.is_some()));
    let shown = format!("{plan:?}");
    for hidden in ["former", "not-A-real", "my-secret"] {
        assert!(!shown.contains(hidden), "{hidden}: {shown}");
    }
    assert!(shown.contains("x-api-key") && shown.contains("api_key"), "{shown}");
}

#[test]
fn another_secret_of_the_same_length_is_told_apart() {
    const MARK: &str = "(masked part changed)";
    let [old, new] = ["sk_live_a7Gq93LmZ0Vx82Tn51Rb", "sk_live_b8Hr04MnA1Wy93Uo62Sc"];
    let settings = |key: &str, title: &str| {
        json!({
            "title": title,
            "description": key,
            "prompt_text": format!("Say hello.\nUse {key} for the booking, and never say it."),
            "default_dynamic_variables": { "api_key": key, "hotel": title },
            "agent_functions": [{
                "displayName": "book", "type": "custom", "description": title,
                "config": { "headers": { "Authorization": key } },
            }],
        })
    };
    let shown = |document: &Value, stored: &Value| {
        let mut plan = planned(document, stored);
        plan.body = None;
        let text = format!("{plan:?}");
        assert!(!text.contains(old) && !text.contains(new), "{text}");
        plan.changes
    };
    for change in shown(&settings(new, "Front desk"), &settings(old, "Desk")) {
        let has_mark = |text: &str| text.contains(MARK);
        match &*change.field {
            "/title" => assert!(!has_mark(&format!("{change:?}")), "{change:?}"),
            "/description" => {
                assert!(has_mark(&change.sentence) && has_mark(change.new.as_ref().unwrap()));
                assert!(!has_mark(change.old.as_ref().unwrap()));
            }
            _ => {
                let texts = change.texts.as_ref().unwrap();
                assert!(has_mark(&texts.new) && !has_mark(&texts.old), "{change:?}");
                assert_ne!(texts.old, texts.new);
            }
        }
    }
    // The same secret is not marked, wherever the lines around it have changed.
    let changes = shown(&settings(old, "Front desk"), &settings(old, "Desk"));
    assert!(changes.len() >= 3);
    assert!(!format!("{changes:?}").contains(MARK), "{changes:?}");
}

/// The stored configuration of an agent with one version, published or not, that has a number.
fn holder(id: &str, is_published: bool, other_is_published: Option<bool>) -> Stored {
    let mut versions = vec![json!({ "version_number": 3, "is_published": is_published })];
    versions.extend(
        other_is_published.map(|flag| json!({ "version_number": 2, "is_published": flag })),
    );
    let version = json!({
        "version_number": 3, "is_published": is_published, "inbound_phone_number_id": "pn_main",
    });
    let agent = json!({ "id": id, "agent_type": "Single_Prompt_Agent", "versions": versions });
    let text = json!({ "agent": agent, "version": version, "complete": true }).to_string();
    Stored::new(Document::parse(text))
}

#[test]
fn a_number_that_is_taken_from_a_published_agent_is_dangerous() {
    let claim = json!({ "is_published": true, "inbound_phone_number_id": "pn_main" });
    let other = |stored: Stored| vec![Neighbor::stored("stored/night.json", stored)];
    let number = |neighbors: Vec<Neighbor>, document: &Value, settings: &Value| {
        let plan = plan_among(vec![planned(document, settings)], neighbors);
        let again = plan_among(plan.agents.clone(), Vec::new());
        assert!(!format!("{again:?}").contains("take it"), "it is forgotten: {again:?}");
        let mut changes = plan.agents.into_iter().flat_map(|agent| agent.changes);
        changes.find(|change| change.field == "/inbound_phone_number_id").unwrap()
    };
    let free = json!({});
    for (neighbors, clause) in [
        (
            other(holder("ag_night", true, None)),
            "takes it from the published agent `ag_night` of `stored/night.json`",
        ),
        (
            other(holder("ag_night", true, Some(true))),
            "may take it from the published agent `ag_night` of `stored/night.json`",
        ),
    ] {
        let change = number(neighbors, &claim, &free);
        assert!(change.is_dangerous() && !change.kind.is_dangerous());
        assert_eq!(
            change.sentence,
            format!("sets `inbound_phone_number_id` to `pn_main`, which {clause}")
        );
        assert_eq!(
            change.takes_from.iter().map(|it| &**it).collect::<Vec<_>>(),
            ["stored/night.json"]
        );
    }
    for neighbors in [
        Vec::new(),
        other(holder("ag_night", false, None)),
        // The same agent.
        other(holder("ag_desk", true, None)),
    ] {
        let change = number(neighbors, &claim, &free);
        assert!(change.takes_from.is_empty() && !change.is_dangerous(), "{change:?}");
    }
    // A number that is stored already is only sent again, but it is taken.
    let kept = json!({ "inbound_phone_number_id": "pn_main" });
    let change = number(other(holder("ag_night", true, None)), &claim, &kept);
    assert_eq!(change.kind, ChangeKind::Repeated);
    assert!(change.is_dangerous());
}

#[test]
fn a_number_that_is_given_up_before_is_not_taken() {
    let of = |name: &str, id: &str, document: Value| {
        let mut text = document;
        text["version_number"] = json!(3);
        let draft = holder(id, false, Some(true)).document().text().replace("pn_main", "pn_old");
        let stored = if id == "ag_night" {
            holder(id, false, Some(false)).document().text().to_owned()
        } else {
            draft
        };
        let inputs = Inputs::new(Document::parse(text.to_string()));
        PlanInputs::new(name, inputs.stored(Stored::new(Document::parse(stored))))
    };
    let claim = json!({ "is_published": true, "inbound_phone_number_id": "pn_main" });
    let release = json!({ "is_published": true, "inbound_phone_number_id": "" });
    let live = || vec![Neighbor::stored("stored/night.json", holder("ag_night", true, None))];
    let takes = |documents: Vec<PlanInputs>, mut neighbors: Vec<Neighbor>| {
        neighbors.extend(live());
        let plan = plan_among(documents.iter().map(plan_agent).collect(), neighbors);
        let agent = plan.agents.iter().find(|agent| &*agent.name == "a.json").unwrap().clone();
        let taken = agent.changes.iter().any(|change| !change.takes_from.is_empty());
        let help = agent.findings.iter().find_map(|it| it.diagnostic.help.clone());
        (taken, help.unwrap_or_default())
    };
    let (a, z) = (of("a.json", "ag_desk", claim), of("z.json", "ag_night", release));
    assert_eq!(takes(vec![a.clone(), z.clone()], Vec::new()), (false, String::new()));
    // A document that would give it up and is not planned does not.
    let (is_taken, help) = takes(vec![a.clone()], vec![Neighbor::document(&z)]);
    assert!(is_taken);
    assert_eq!(
        help,
        "plan `z.json` as well, which gives the number up, or claim another number here"
    );
    let (is_taken, help) = takes(vec![a], Vec::new());
    assert!(is_taken);
    assert_eq!(help, "detach the number from that agent first, or claim another number here");
}

/// The plan of documents that all are for the stored configuration of one agent, with these names.
fn of_one_version(documents: &[(&str, Value)], settings: &Value, facts: Option<&str>) -> Plan {
    let facts = facts.map(|text| Facts::new(Document::parse(text)));
    let agents = documents.iter().map(|(name, document)| {
        let PlanInputs { inputs, .. } = inputs(document, settings);
        plan_agent(&PlanInputs::new(*name, inputs.facts(facts.clone())))
    });
    plan(agents.collect())
}

#[test]
fn the_second_document_that_publishes_a_version_is_planned_for_the_published_one() {
    let facts = r#"{ "agents": ["ag_desk"], "campaigns": [], "workflows": [] }"#;
    let desk = json!({ "title": "Desk" });
    let outcomes = |second: &Value, first: &Value, facts: Option<&str>| {
        let documents = [("b.json", second.clone()), ("a.json", first.clone())];
        let plan = of_one_version(&documents, &desk, facts);
        assert_eq!(voxlint::plan(plan.agents.clone()), plan, "joining it again changes nothing");
        let outcomes: Vec<Outcome> = plan.agents.iter().map(|agent| agent.outcome).collect();
        (outcomes, plan)
    };
    let (publish, titled) =
        (json!({ "is_published": true }), json!({ "is_published": true, "title": "x" }));
    let other = json!({ "is_published": true, "title": "y" });

    for (second, first) in [(&titled, &publish), (&other, &titled)] {
        let (found, plan) = outcomes(second, first, Some(facts));
        assert_eq!(found, [Outcome::Publish, Outcome::Refused]);
        let second = &plan.agents[1];
        assert_eq!((statuses(second), &second.body), (vec![400], &None));
        assert_eq!(
            second.statuses[0].reasons,
            [
                "`a.json` publishes version 3 before, and a published version cannot be edited [published-version-edited]"
            ]
        );
        assert_eq!((&plan.order[..], plan.counts.refused), (&[0][..], 1));
    }

    // What the first one has said already is stored then.
    for (second, first) in [(&titled, &titled), (&publish, &titled)] {
        let (found, plan) = outcomes(second, first, Some(facts));
        assert_eq!(found, [Outcome::Publish, Outcome::NoChange]);
        assert_eq!(plan.agents[1].notes, ["`a.json` publishes version 3 with these settings"]);
    }

    // Without facts, the first one may be rejected. Then nothing is sent after it.
    let (found, plan) = outcomes(&titled, &publish, None);
    assert_eq!(found, [Outcome::Depends, Outcome::Refused]);
    assert_eq!(plan.order, [0]);

    // The description does not say what the flag permits.
    let permitted = json!({ "is_published": true, "title": "x", "update_deployment": true });
    let (found, plan) = outcomes(&permitted, &publish, Some(facts));
    assert_eq!((found[1], &plan.order[..]), (Outcome::Depends, &[0, 1][..]));
    assert_eq!(statuses(&plan.agents[1]), [200, 400]);
}

#[test]
fn a_version_is_edited_before_another_document_publishes_it() {
    let documents = [
        ("a.json", json!({ "is_published": true, "title": "x" })),
        ("b.json", json!({ "description": "y" })),
    ];
    let plan = of_one_version(&documents, &json!({ "title": "Desk" }), None);
    assert_eq!(plan.order, [1, 0]);
    assert!(plan.agents.iter().all(|agent| agent.outcome != Outcome::Refused));
}

/// A plan asks the service's rules only, whatever rules a check runs.
#[test]
fn a_plan_does_not_depend_on_the_rules_of_the_check() {
    for rule in rules::all().filter(|rule| rule.status.is_some()) {
        let groups = [Group::Correctness, Group::Ineffective];
        assert!(groups.contains(&rule.group), "{} may reject, and a plan does not ask it", rule.id);
    }
    let inputs = inputs(&json!({ "kb_max_chunks": 11 }), &json!({}));
    let all = plan_agent(&inputs);
    let few = PlanInputs::new("agents/en.json", inputs.inputs.groups(&[Group::Style]));
    assert_eq!(plan_agent(&few), all);
}

/// Documents of the fixtures, and what is left of them when a part is missing, with the stored configuration of each.
fn documents_with_stored_configurations() -> Vec<(String, Option<String>)> {
    let mut all = Vec::new();
    for case in case_files() {
        let text = String::from_utf8_lossy(&fs::read(&case.path).unwrap()).into_owned();
        let stored = fs::read_to_string(case.path.with_extension("stored.json")).ok();
        let cuts = [text.len(), text.len() / 2, text.len() * 9 / 10];
        for cut in cuts.into_iter().filter(|cut| text.is_char_boundary(*cut)) {
            all.push((text[..cut].to_owned(), stored.clone()));
        }
        all.push((
            text.clone(),
            stored.as_deref().map(|it| it[..it.len() / 2].to_owned()).filter(|_| text.is_ascii()),
        ));
        all.push((text.clone(), Some(text)));
    }
    all
}

/// A change to a field that the document omits repeats the stored value, and the prediction is that of the whole document.
#[test]
fn every_command_keeps_the_stored_value_of_a_field_that_a_document_omits() {
    let mut compared = 0;
    for (text, stored) in documents_with_stored_configurations() {
        let document = Document::parse(text.as_str());
        let stored = stored.map(|text| Stored::new(Document::parse(text)));
        let inputs = Inputs::new(document.clone()).kind(DocumentKind::Update).stored(stored);
        let plan = plan_agent(&PlanInputs::new("a", inputs.clone()));
        let Some(Ok(difference)) = DiffInputs::of(&inputs).map(|states| diff(&states)) else {
            continue;
        };
        let root = document.tree().root().unwrap();
        let omits = |field: &str| root.get(field.trim_start_matches('/')).is_none();
        for change in &difference.changes {
            let is_kept = !omits(&change.field) || change.kind == ChangeKind::Repeated;
            assert!(is_kept, "{text}: {change}");
        }
        assert!(difference.cannot_unset.iter().all(|stay| !omits(&stay.field)), "{text}");
        if plan.outcome != Outcome::Refused {
            assert_eq!(plan.body, difference.update, "{text}");
        }
        let Some(update) = &difference.update else { continue };
        let [whole, least] =
            [inputs.clone(), inputs.with_document(Document::parse(update.as_str()))]
                .map(|inputs| predict(&inputs).unwrap().answers.swap_remove(0));
        if [whole.status, least.status] == [200, 200] {
            assert_eq!(settings_of(&whole.body), settings_of(&least.body), "{text}");
        }
        compared += 1;
    }
    assert!(compared > 100, "{compared}");
}

/// The body of an answer, with numbers by value.
fn settings_of(body: &AnswerBody) -> Option<Value> {
    body.json().map(|json| plain(&serde_json::from_str(json).unwrap()))
}

#[test]
fn every_plan_is_consistent() {
    let mut outcomes = BTreeSet::new();
    for (text, stored) in documents_with_stored_configurations() {
        let stored = stored.map(|text| Stored::new(Document::parse(text)));
        let base = stored.clone().map(Stored::complete);
        let inputs = Inputs::new(Document::parse(text.as_str())).stored(stored);
        let plan = plan_agent(&PlanInputs::new("a", inputs).base(base));
        let is_accepted = plan.statuses.iter().any(|status| status.status == 200);
        let statuses = statuses(&plan);
        assert!(statuses.is_sorted(), "{text}: {statuses:?}");
        match plan.outcome {
            Outcome::NoChange => assert!(plan.body.is_none() && statuses.is_empty(), "{text}"),
            Outcome::Update | Outcome::Publish => assert_eq!(statuses, [200], "{text}"),
            Outcome::Refused => assert!(plan.body.is_none() && !is_accepted, "{text}"),
            Outcome::NoStoredState => assert!(plan.changes.is_empty() && is_accepted, "{text}"),
            _ => assert!(is_accepted && statuses.len() > 1, "{text}: {statuses:?}"),
        }
        if let Some(body) = &plan.body {
            let body: Value = serde_json::from_str(body).unwrap();
            for change in &plan.changes {
                assert!(body.pointer(&change.field).is_some(), "{text}: {}", change.field);
            }
        }
        let are_dangerous: Vec<bool> =
            plan.changes.iter().map(PlannedChange::is_dangerous).collect();
        assert!(are_dangerous.is_sorted_by(|one, other| one >= other), "{text}");
        outcomes.insert(plan.outcome);
    }
    // Without facts, no publishing update is certain to be accepted.
    outcomes.insert(Outcome::Publish);
    assert_eq!(outcomes.into_iter().collect::<Vec<_>>(), Outcome::ALL);
}

#[test]
fn a_document_that_repeats_a_published_version_edits_nothing_for_a_check() {
    let settings = json!({
        "is_published": true, "title": "Desk", "kb_max_chunks": 3, "prompt_text": "Hello.",
        "default_dynamic_variables": { "a": 1, "b": [2] },
        "post_call_analysis": [{ "identifier": "mood", "field_type": "TEXT", "purpose": "the mood" }],
    });
    let rule = "published-version-edited";
    let mut repeated = 0;
    for document in [
        r#""title": "Desk""#,
        r#""title": "Desk", "is_published": true"#,
        r#""title": "D\u0065sk", "kb_max_chunks": 3.0, "is_published": true"#,
        r#""default_dynamic_variables": { "b": [2], "a": 1.0 }"#,
        r#""prompt_text": "Hello.", "update_deployment": false"#,
        r#""inbound_phone_number_id": null, "title": "Desk""#,
        r#""title": "Desk", "is_published": false"#,
        r#""title": "desk""#,
        r#""title": "Desk", "kb_max_chunks": 4"#,
        r#""title": "Desk", "language_id": "la_en""#,
        r#""title": "Desk", "titel": "Desk""#,
        r#""is_published": true"#,
        r#""is_published": false"#,
        r#""update_deployment": true"#,
        "",
    ] {
        let comma = if document.is_empty() { "" } else { ", " };
        let text = format!("{{ \"version_number\": 3{comma}{document} }}");
        let inputs = Inputs::new(Document::parse(text)).stored(stored(&settings));
        let has_setting = ["title", "prompt", "variables"].iter().any(|it| document.contains(it));
        let is_unchanged =
            plan_agent(&PlanInputs::new("en.json", inputs.clone())).outcome == Outcome::NoChange;
        let repeats = is_unchanged && has_setting;
        repeated += u32::from(repeats);
        let is_edit = voxlint::check(&inputs).diagnostics.iter().any(|it| *it.rule.id == *rule);
        assert_eq!(is_edit, !repeats, "{document}");
        // The service would still reject it.
        let predicted = predict(&inputs).unwrap().report.diagnostics;
        assert!(predicted.iter().any(|it| *it.rule.id == *rule), "{document}");
    }
    assert_eq!(repeated, 7);
    // A text in a file of its own repeats the stored one as well.
    for (text, is_edit) in [("Hello.", false), ("Hello, caller.", true)] {
        let field = schema::settings::TABLE.row("prompt_text").unwrap();
        let file = TextFile::new(field, Document::parse_as(text, Format::Text));
        let inputs =
            Inputs::new(Document::parse(r#"{ "version_number": 3 }"#)).stored(stored(&settings));
        let report = voxlint::check(&inputs.texts(vec![file]));
        assert_eq!(report.diagnostics.iter().any(|it| *it.rule.id == *rule), is_edit, "{text}");
    }
}
