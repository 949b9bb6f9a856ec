//! The public types as JSON: the same members as in the JSON report.

use serde_json::{Value, json, to_value};
use voxlint::{DiffInputs, Document, Inputs, Stored, check, diff, predict};
use voxlint_report::{CheckedDocument, write_difference_json, write_prediction_json};

const UPDATE: &str = r#"{ "version_number": 3, "kb_max_chunks": 12, "promt_text": "Hi {{name}" }"#;

/// Asserts that each member has the same value in the report. The report adds places in lines and columns.
fn assert_is_part_of(members: &Value, report: &Value, path: &str) {
    match (members, report) {
        (Value::Object(members), Value::Object(report)) => {
            for (name, value) in members {
                let other = report.get(name).unwrap_or_else(|| panic!("no {path}/{name}"));
                assert_is_part_of(value, other, &format!("{path}/{name}"));
            }
        }
        (Value::Array(items), Value::Array(others)) => {
            assert_eq!(items.len(), others.len(), "{path}");
            for (item, other) in items.iter().zip(others) {
                assert_is_part_of(item, other, path);
            }
        }
        _ => assert_eq!(members, report, "{path}"),
    }
}

#[test]
fn predictions_have_the_members_of_the_report() {
    let prediction = predict(&Inputs::new(Document::parse(UPDATE))).unwrap();
    let mut written = Vec::new();
    let checked = CheckedDocument::new("a.json", UPDATE, &prediction.report);
    write_prediction_json(&mut written, &checked, &prediction).unwrap();
    let report: Value = serde_json::from_slice(&written).unwrap();
    let value = to_value(&prediction).unwrap();
    assert!(value["diagnostics"].as_array().is_some_and(|found| found.len() > 1));
    assert_is_part_of(&value, &report, "");
}

#[test]
fn differences_have_the_members_of_the_report() {
    let old = r#"{ "version_number": 3, "title": "Front desk", "kb_max_chunks": 4 }"#;
    let new = r#"{ "title": "Night desk", "kb_max_chunks": 12 }"#;
    let inputs = DiffInputs::new(Stored::new(Document::parse(old)), Document::parse(new));
    let difference = diff(&inputs).unwrap();
    let (update, report) = (difference.update.as_deref(), difference.report.as_ref());
    let checked = update.zip(report).map(|(it, report)| CheckedDocument::new("u", it, report));
    let mut written = Vec::new();
    write_difference_json(&mut written, &difference, checked.as_ref()).unwrap();
    let report: Value = serde_json::from_slice(&written).unwrap();
    let value = to_value(&difference).unwrap();
    assert_eq!(value["update"]["kb_max_chunks"], 12);
    assert_is_part_of(&value, &report, "");
}

#[test]
fn a_report_names_everything_that_a_check_says() {
    let report = to_value(check(&Inputs::new(Document::parse(UPDATE)))).unwrap();
    assert_eq!(report["kind"], "update");
    let found = &report["diagnostics"][0];
    assert_eq!(found["rule"], "out-of-range");
    assert_eq!((&found["verdict"], &found["severity"]), (&json!("reject"), &json!("error")));
    assert_eq!(found["span"], json!({ "start": 40, "end": 42 }));
}
