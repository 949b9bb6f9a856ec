//! The acceptance cases beside the repository, if they are available.

use crate::support::{faults_of, inputs};
use serde_json::Value;
use voxlint::{Document, DocumentKind, Inputs, check, predict};
use voxlint_testing::shared;

/// A finding in the form of a case.
#[derive(Clone, Debug, PartialEq)]
struct Stated {
    field: String,
    verdict: String,
    status: Option<u64>,
}

#[test]
fn every_case_agrees() {
    let Some(cases) = shared("spec/acceptance.ndjson") else { return };
    let mut agreed = 0;
    let mut wrong = Vec::new();
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let name = case["name"].as_str().unwrap();
        match disagreement(&case) {
            None => agreed += 1,
            Some(disagreement) => wrong.push(format!("{name}: {disagreement}")),
        }
    }
    println!("{agreed} cases agree");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Calls a function with the inputs of a case.
fn with_inputs<T>(case: &Value, ask: impl FnOnce(&Inputs) -> T) -> T {
    let text = case["raw"].as_str().map_or_else(|| case["doc"].to_string(), str::to_owned);
    let kind = case["kind"].as_str().unwrap_or("update").parse::<DocumentKind>().unwrap();
    let given = |value: &Value| if value.is_null() { String::new() } else { value.to_string() };
    let (stored, facts) = (given(&case["stored"]), given(&case["facts"]));
    assert!(faults_of(&stored, &facts).is_empty());
    ask(&inputs(&text, &stored, &facts).kind(kind))
}

fn disagreement(case: &Value) -> Option<String> {
    let report = with_inputs(case, check);
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

#[test]
fn every_case_is_predicted() {
    let Some(cases) = shared("spec/acceptance.ndjson") else { return };
    let mut wrong = Vec::new();
    let (mut predicted, mut bodies) = (0, 0);
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let name = case["name"].as_str().unwrap();
        if case["kind"].as_str().is_some_and(|kind| kind != "update") {
            continue;
        }
        let prediction = with_inputs(&case, predict).unwrap();
        predicted += 1;
        let statuses: Vec<u64> =
            prediction.answers.iter().map(|answer| u64::from(answer.status)).collect();
        let expected = case["expect"].as_array().unwrap();
        let of = |verdict: &'static str| expected.iter().filter(move |it| it["verdict"] == verdict);
        for finding in of("reject").chain(of("possible")) {
            let others = finding["status_alt"].as_array().into_iter().flatten();
            let admissible: Vec<u64> = std::iter::once(&finding["status"])
                .chain(others)
                .filter_map(Value::as_u64)
                .collect();
            if !admissible.iter().any(|status| statuses.contains(status)) {
                wrong.push(format!("{name}: {statuses:?} without one of {admissible:?}"));
            }
        }
        if statuses.contains(&200) == of("reject").next().is_some() {
            wrong.push(format!("{name}: {statuses:?}"));
        }
        for answer in &prediction.answers {
            let Some(body) = answer.body.json() else { continue };
            let (kind, was_clean) = if answer.status == 200 {
                let before = &case["stored"]["agent"];
                let before = if before.is_object() { before } else { &case["stored"] };
                (DocumentKind::Agent, is_clean(&before.to_string(), DocumentKind::Agent))
            } else {
                (DocumentKind::Error, true)
            };
            bodies += 1;
            if was_clean && !is_clean(body, kind) {
                wrong.push(format!("{name}: the body of {} is not clean: {body}", answer.status));
            }
        }
    }
    println!("{predicted} cases predicted, {bodies} bodies");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn is_clean(text: &str, kind: DocumentKind) -> bool {
    let document = Document::parse(text);
    check(&Inputs::new(document).kind(kind)).diagnostics.is_empty()
}
