//! The acceptance cases that lie beside the repository, where they are at hand.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says so when it is skipped"
)]

mod support;

use serde_json::Value;
use support::shared;
use voxlint::{Document, DocumentKind, Facts, Inputs, Source, Stored, check};

/// Beginnings of the names of cases whose rules are still to come.
const TO_COME: [&str; 1] = ["hb_partial"];

/// A finding, as a case and a report both state it.
#[derive(Clone, Debug, PartialEq)]
struct Stated {
    field: String,
    verdict: String,
    status: Option<u64>,
}

#[test]
fn every_case_agrees() {
    let Some(cases) = shared("spec/acceptance.ndjson") else { return };
    let (mut agreed, mut to_come) = (0, 0);
    let mut wrong = Vec::new();
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let name = case["name"].as_str().unwrap();
        match (disagreement(&case), TO_COME.iter().any(|prefix| name.starts_with(prefix))) {
            (None, _) => agreed += 1,
            (Some(_), true) => to_come += 1,
            (Some(disagreement), false) => wrong.push(format!("{name}: {disagreement}")),
        }
    }
    println!("{agreed} cases agree, {to_come} are about rules to come");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn disagreement(case: &Value) -> Option<String> {
    let text = case["raw"].as_str().map_or_else(|| case["doc"].to_string(), str::to_owned);
    let kind = DocumentKind::from_name(case["kind"].as_str().unwrap_or("update")).unwrap();
    let source = Source::from(text.as_str());
    let document = Document::parse(&source);
    let (held, known) = (case["stored"].to_string(), case["facts"].to_string());
    let (held, known) = (Source::from(held.as_str()), Source::from(known.as_str()));
    let (held, known) = (Document::parse(&held), Document::parse(&known));
    let mut inputs = Inputs::new(&document).kind(kind);
    inputs.stored = (!case["stored"].is_null()).then(|| Stored::new(&held));
    inputs.facts = (!case["facts"].is_null()).then(|| Facts::new(&known));
    assert!(inputs.stored.is_none_or(|stored| stored.faults().diagnostics.is_empty()));
    assert!(inputs.facts.is_none_or(|facts| facts.faults().diagnostics.is_empty()));
    let report = check(&inputs);
    let mut found: Vec<Stated> = report
        .diagnostics
        .iter()
        .map(|found| Stated {
            field: found.field.clone(),
            verdict: found.verdict.name().to_owned(),
            status: found.status.map(u64::from),
        })
        .collect();

    for expected in case["expect"].as_array().unwrap() {
        let also = expected["also"].as_array().cloned().unwrap_or_default();
        let others = expected["status_alt"].as_array().cloned().unwrap_or_default();
        let before = found.len();
        found.retain(|found| {
            let field = Value::from(found.field.as_str());
            let status = found.status.map_or(Value::Null, Value::from);
            let matches = (expected["field"] == field || also.contains(&field))
                && expected["verdict"] == found.verdict.as_str()
                && (expected["status"] == status || others.contains(&status));
            !matches
        });
        if found.len() == before {
            return Some(format!("expected {expected}, found {found:?}"));
        }
    }
    let may_advise = case["clean"] == Value::Bool(false);
    found.retain(|found| !may_advise || found.verdict != "advice");
    (!found.is_empty()).then(|| format!("found more: {found:?}"))
}
