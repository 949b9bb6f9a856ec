//! Plans of single documents: outcomes, dangers, drift, and what they show.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use serde_json::{Value, json};
use voxlint::syntax::Format;
use voxlint::{
    AgentPlan, AnswerBody, ChangeKind, DiffInputs, Document, DocumentKind, Facts, Group, Inputs,
    Neighbor, Outcome, Plan, PlanInputs, PlannedChange, Stored, TextFile, diff, plan, plan_agent,
    plan_among, predict, rules, schema,
};
use voxlint_testing::case_files;
use voxlint_testing::texts::assert_blocks;

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

/// The inputs of a block of `plans.txt`.
fn of_block(text: &str) -> PlanInputs {
    let parsed = |text: &str| Stored::new(Document::parse(text));
    let settings = |text: &str| stored(&serde_json::from_str(text).unwrap());
    let mut inputs = Inputs::new(Document::parse(""));
    let mut base = None;
    for line in text.lines() {
        let (what, text) = line.split_once(' ').unwrap_or((line, ""));
        inputs = match what {
            // The number of the version is not repeated in each block.
            "document" if !text.contains("version_number") => {
                let rest = text.trim_start_matches(['{', ' ']);
                let text = format!("{{ \"version_number\": 3, {rest}");
                inputs.with_document(Document::parse(text))
            }
            "document" | "text" => inputs.with_document(Document::parse(text)),
            "stored" => inputs.stored(settings(text)),
            "stored-text" => inputs.stored(parsed(text)),
            "facts" => inputs.facts(Facts::new(Document::parse(text))),
            "base" | "base-text" => {
                base = Some(if what == "base" { settings(text) } else { parsed(text) });
                inputs
            }
            _ => panic!("not an input: {what}"),
        };
    }
    PlanInputs::new("agents/en.json", inputs).base(base)
}

#[test]
fn plans_of_single_documents_are_as_expected() {
    assert_blocks("crates/voxlint/tests/plans.txt", |block| {
        let plan = plan_agent(&of_block(&block.text));
        let mut said = format!("{:?}", plan.outcome);
        for (what, value) in
            [("agent", &plan.agent_id), ("version", &plan.version_number), ("title", &plan.title)]
        {
            let _ = write!(said, ", {what} {}", value.as_deref().unwrap_or("unknown"));
        }
        for status in &plan.statuses {
            let _ = write!(said, "\n{}", status.status);
            // A list of the rules that depend on stored values grows with each rule.
            let is_known = plan.outcome != Outcome::NoStoredState;
            for reason in status.reasons.iter().filter(|_| is_known) {
                let _ = write!(said, "; {reason}");
            }
        }
        if let Some(body) = &plan.body {
            let _ = write!(said, "\nbody {}", serde_json::from_str::<Value>(body).unwrap());
        }
        let flag = |is: bool, name: &'static str| if is { name } else { "" };
        for change in &plan.changes {
            let flags = [
                flag(change.is_dangerous(), ", dangerous"),
                flag(change.is_live, ", live"),
                flag(change.overwrites, ", overwrites"),
            ];
            let _ = write!(said, "\n{:?}{}: {}", change.kind, flags.concat(), change.sentence);
        }
        for path in plan.heard.iter().flat_map(|change| &change.paths) {
            let (old, new) = (&path.texts.old, &path.texts.new);
            let _ = write!(said, "\nheard {}: {old} -> {new}", path.in_words());
        }
        for note in &plan.notes {
            let _ = write!(said, "\nnote: {note}");
        }
        for drift in &plan.drift {
            let flags = [
                flag(drift.is_overwritten, ", overwritten"),
                flag(drift.is_published, ", published"),
            ];
            let _ = write!(said, "\ndrift {:?}{}: {}", drift.kind, flags.concat(), drift.sentence);
        }
        said += flag(plan.has_danger(), "\nhas danger");
        said += flag(plan.has_drift(), "\nhas drift");
        assert_eq!(voxlint::plan(vec![plan.clone()]).counts.drifted == 1, plan.has_drift());
        said
    });
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
fn the_stored_settings_of_another_version_are_unknown() {
    let inputs = Inputs::new(Document::parse(r#"{ "version_number": 4, "title": "Desk" }"#));
    let stored = Stored::new(Document::parse(r#"{ "version_number": 3, "title": "Desk" }"#));
    let plan = plan_agent(&PlanInputs::new("a", inputs.stored(stored)));
    assert_eq!(plan.outcome, Outcome::Depends);
    assert_eq!(plan.body.unwrap(), "{\n  \"version_number\": 4,\n  \"title\": \"Desk\"\n}");
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
