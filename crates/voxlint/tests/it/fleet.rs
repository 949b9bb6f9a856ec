//! The rules across documents. Every folder `fixtures/across/<rule>/<case>` is a plan; the name of the case says what the rule says
//! about it. `snapshots/across/` has the findings and the order.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use voxlint::Faults as _;
use voxlint::{
    AgentPlan, Document, DocumentKind, Family, Inputs, Plan, PlanInputs, Rule, Severity, Stored,
    Suppressed, SuppressedBy, docs, plan, plan_agent, rules,
};
use voxlint_testing::{assert_snapshot, examples, fleet_cases, repository};

fn agent(name: &str, text: &str, stored: Option<&str>) -> AgentPlan {
    let inputs = Inputs::new(Document::parse(text)).kind(DocumentKind::Update);
    let stored = stored.map(|text| Stored::new(Document::parse(text)));
    if let Some(stored) = &stored {
        assert!(stored.faults().diagnostics.is_empty(), "{name}: {:?}", stored.faults());
    }
    plan_agent(&PlanInputs::new(name, inputs.stored(stored)))
}

/// The plan of a folder, and the texts of its documents.
fn of_folder(folder: &Path) -> (Plan, BTreeMap<String, String>) {
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        texts.insert(name, fs::read_to_string(path).unwrap());
    }
    let documents = texts.iter().filter(|(name, _)| !name.ends_with(".stored.json"));
    let agents = documents.map(|(name, text)| {
        let stored = texts.get(&name.replace(".json", ".stored.json"));
        agent(name, text, stored.map(String::as_str))
    });
    (plan(agents.collect()), texts)
}

/// Whether a rule has a finding, and whether it is undecided.
fn verdict(plan: &Plan, rule: &Rule) -> (bool, bool) {
    let mut findings = plan.agents.iter().flat_map(|agent| &agent.findings);
    let mut undecided = plan.agents.iter().flat_map(|agent| &agent.undecided);
    (
        findings.any(|finding| finding.diagnostic.rule.id == rule.id),
        undecided.any(|entry| entry.rule.id == rule.id),
    )
}

#[test]
fn every_case_of_several_documents_has_the_verdict_in_its_name() {
    let mut levels: BTreeMap<String, BTreeSet<Severity>> = BTreeMap::new();
    for (id, case) in fleet_cases() {
        let rule = rules::find(&id).unwrap();
        let (plan, texts) = of_folder(&repository().join(format!("fixtures/across/{id}/{case}")));
        let name = format!("{id}/{case}");
        let expected = match case.split('-').next() {
            Some("bad") => (true, false),
            Some("ok") => (false, false),
            Some("unknown") => (false, true),
            _ => panic!("{name}: a case begins with bad-, ok- or unknown-"),
        };
        assert_eq!(verdict(&plan, rule), expected, "{name}: {:#?}", plan.agents);
        for finding in plan.agents.iter().flat_map(|agent| &agent.findings) {
            let found = &finding.diagnostic;
            if found.rule.id == rule.id {
                levels.entry(id.clone()).or_default().insert(found.severity);
            }
        }
        assert_snapshot(&format!("across/{id}"), &case, &shown(&plan, rule, &texts));
    }
    for (id, found) in levels {
        let found: Vec<Severity> = found.into_iter().rev().collect();
        assert_eq!(docs::levels(rules::find(&id).unwrap()), found, "{id}: the levels of its page");
    }
}

/// The findings of a rule, what it is undecided about, and the order.
fn shown(plan: &Plan, rule: &Rule, texts: &BTreeMap<String, String>) -> String {
    let mut shown = String::new();
    for agent in &plan.agents {
        for finding in agent.findings.iter().filter(|it| it.diagnostic.rule.id == rule.id) {
            let found = &finding.diagnostic;
            let at = found.span.slice(&texts[&*agent.name]);
            let _ = writeln!(
                shown,
                "{} {}: {} {}",
                agent.name, found.field, found.severity, found.message
            );
            let _ =
                writeln!(shown, "  at {at}\n  help: {}", found.help.as_deref().unwrap_or_default());
            let _ = writeln!(shown, "  others: {}", finding.others.join(", "));
        }
        for entry in agent.undecided.iter().filter(|entry| entry.rule.id == rule.id) {
            let _ = writeln!(shown, "{}: undecided: {}", agent.name, entry.why());
        }
    }
    let order: Vec<&str> = plan.order.iter().map(|at| &*plan.agents[*at].name).collect();
    let _ = writeln!(shown, "order: {}", order.join(", "));
    shown
}

#[test]
fn examples_of_rules_across_documents_have_their_verdict() {
    for rule in rules::all().filter(|rule| rule.family() == Family::Fleet) {
        let page = rule.page();
        let mut verdicts = BTreeSet::new();
        let (mut stored, mut agents) = (None, Vec::new());
        for (what, text) in examples(&page) {
            if what == "stored" {
                stored = Some(text);
                continue;
            }
            let name = ["a.json", "b.json"][agents.len()];
            agents.push(agent(name, text, stored.take()));
            if what == "beside" {
                continue;
            }
            let plan = plan(std::mem::take(&mut agents));
            let expected = match what {
                "advice" => (true, false),
                "undecided" => (false, true),
                "holds" => (false, false),
                _ => panic!("{}: {what} is not a verdict", rule.id),
            };
            assert_eq!(verdict(&plan, rule), expected, "{}: {text}", rule.id);
            verdicts.insert(what);
        }
        assert_eq!(verdicts, BTreeSet::from(["advice", "holds", "undecided"]), "{}", rule.id);
    }
}

#[test]
fn findings_across_documents_show_no_secrets_and_no_control_characters() {
    let secret = "sk_live_a7Gq93LmZ0Vx82Tn51Rb";
    let stored = |id: &str| {
        format!(
            r#"{{ "agent": {{ "id": "{id}", "agent_type": "Single_Prompt_Agent", "webhook_id": "{secret}" }} }}"#
        )
    };
    let document = format!(
        r#"{{ "version_number": 3, "is_published": true, "inbound_phone_number_id": "{secret}",
             "default_dynamic_variables": {{ "api_key": "{secret}" }} }}"#
    );
    let agents = [("a\u{1b}[31m.json", "ag_a"), ("b.json", "ag_b"), ("c.json", secret)];
    let agents = agents.map(|(name, id)| {
        let mut agent = agent(name, &document, Some(&stored(id)));
        agent.body = None;
        agent
    });
    let plan = plan(agents.into());
    let findings: Vec<_> = plan.agents.iter().flat_map(|agent| &agent.findings).collect();
    assert_eq!(findings.len(), 2);
    for finding in findings {
        let found = &finding.diagnostic;
        let shown = format!("{} {:?}", found.message, found.help);
        assert!(!shown.contains(secret) && !shown.contains('\u{1b}'), "{shown}");
    }
    for agent in &plan.agents {
        assert!(!format!("{:?}", agent.agent_id).contains(secret));
    }
}

#[test]
fn levels_and_suppressions_apply_to_findings_across_documents() {
    let folder = repository().join("fixtures/across/phone-number-claimed-twice/bad-two-agents");
    let (mut plan, _) = of_folder(&folder);
    let agent = &mut plan.agents[1];
    agent.filter_findings(|report| {
        assert_eq!(report.kind, DocumentKind::Update);
        report.diagnostics[0].severity = Severity::Error;
    });
    assert_eq!(agent.findings[0].diagnostic.severity, Severity::Error);
    assert_eq!(&*agent.findings[0].others[0], "a.json");
    agent.filter_findings(|report| {
        let finding = report.diagnostics.remove(0);
        let by = SuppressedBy::Configuration("known".to_owned());
        report.suppressed.push(Suppressed::new(finding, by));
    });
    assert!(agent.findings.is_empty() && agent.suppressed.len() == 1);
}
