//! What other services and people call a field is recognised wherever the field may stand.

use voxlint::syntax::{Format, parse};
use voxlint::{Diagnostic, Document, Inputs, check};
use voxlint_schema::other_names::{FIELDS, VALUES};
use voxlint_schema::settings::{agent_function, post_call_analysis_item};
use voxlint_schema::{Items, Row, Shape, Table, TextFormat};
use voxlint_testing::writers::WRITERS;

/// A value that a field allows, in JSON.
fn value_of(row: &Row) -> String {
    match row.shape {
        Shape::Text(text) if text.format == TextFormat::TimeZone => "\"Asia/Kolkata\"".to_owned(),
        Shape::Text(text) => format!("{:?}", text.choices.first().unwrap_or(&"Later")),
        Shape::Number(number) => number.min.unwrap_or(1).max(1).to_string(),
        Shape::Flag => "false".to_owned(),
        Shape::List(Items::Texts(_)) => "[\"one\"]".to_owned(),
        Shape::List(Items::Maps(_)) => "[]".to_owned(),
        _ => "{}".to_owned(),
    }
}

/// A document with the field of a row under another name.
fn document(table: &'static Table, row: &'static Row, name: &str) -> String {
    let member = format!("{name:?}: {}", value_of(row));
    let in_item = |list: &str| {
        let others = table.rows.iter().filter(|other| other.name != row.name);
        let others: Vec<_> =
            others.map(|row| format!("{:?}: {}", row.name, value_of(row))).collect();
        format!("{{ \"version_number\": 3, {list:?}: [{{ {member}, {} }}] }}", others.join(", "))
    };
    if std::ptr::eq(table, &raw const post_call_analysis_item::TABLE) {
        in_item("post_call_analysis")
    } else if std::ptr::eq(table, &raw const agent_function::TABLE) {
        in_item("agent_functions")
    } else if row.name == "version_number" {
        format!("{{ {member}, \"timezone\": \"Asia/Kolkata\" }}")
    } else {
        format!("{{ \"version_number\": 3, {member} }}")
    }
}

fn findings(text: &str, format: Format) -> Vec<Diagnostic> {
    check(&Inputs::new(Document::parse_as(text, format))).diagnostics
}

fn names_a_field(finding: &Diagnostic) -> bool {
    ["unknown-field", "missing-field"].contains(&&*finding.rule.id)
}

/// The document in JSON and in every other style.
fn in_every_format(json: &str) -> Vec<(Format, String)> {
    let parsed = parse(json, Format::Json);
    let root = parsed.documents[0].root().unwrap();
    let others = WRITERS.iter().filter_map(|(_, format, writer)| Some((*format, writer(root)?)));
    others.chain([(Format::Json, json.to_owned())]).collect()
}

/// Writes the edits of a finding's fix.
fn fixed(text: &str, finding: &Diagnostic) -> String {
    let mut text = text.to_owned();
    for edit in finding.fixes[0].edits.iter().rev() {
        text.replace_range(edit.span.start as usize..edit.span.end as usize, &edit.text);
    }
    text
}

/// What is wrong with the findings about the other name of a field.
fn mistake(text: &str, format: Format, field: &str, is_same: bool) -> Option<&'static str> {
    let found = findings(text, format);
    let named: Vec<_> = found.iter().filter(|finding| names_a_field(finding)).collect();
    let [finding] = named.as_slice() else { return Some("not one finding") };
    let help = finding.help.as_deref().unwrap_or_default();
    if !help.contains(&format!("`{field}`")) {
        Some("the help does not name the field")
    } else if finding.fixes.is_empty() == is_same {
        Some("a fix that should not be offered, or none")
    } else if is_same && findings(&fixed(text, finding), format).iter().any(names_a_field) {
        Some("the fix leaves a finding")
    } else {
        None
    }
}

#[test]
fn every_other_name_of_a_field_is_one_finding_with_the_field_in_every_format() {
    let mut mistakes = Vec::new();
    for (table, fields) in FIELDS {
        for names in *fields {
            let row = table.row(names.field).unwrap();
            let same = names.same.split_whitespace().map(|name| (name, true));
            let akin = names.akin.split_whitespace().map(|name| (name, false));
            for (name, is_same) in same.chain(akin) {
                for (format, text) in in_every_format(&document(table, row, name)) {
                    if let Some(mistake) = mistake(&text, format, names.field, is_same) {
                        mistakes.push(format!("{mistake}: {text}"));
                    }
                }
            }
        }
    }
    assert!(mistakes.is_empty(), "{} mistakes:\n{}", mistakes.len(), mistakes.join("\n"));
}

#[test]
fn every_other_name_of_a_value_is_suggested_and_replaced_in_every_format() {
    for (table, _) in FIELDS {
        for row in table.rows {
            let Shape::Text(shape) = row.shape else { continue };
            for (value, names) in VALUES.iter().filter(|(value, _)| shape.choices.contains(value)) {
                for name in names.split_whitespace() {
                    let (right, wrong) = (format!("{:?}", shape.choices[0]), format!("{name:?}"));
                    let json = document(table, row, row.name).replace(&right, &wrong);
                    for (format, text) in in_every_format(&json) {
                        let found = findings(&text, format);
                        let finding = found.iter().find(|it| it.rule.id == "unknown-value");
                        let finding = finding.unwrap_or_else(|| panic!("{text}"));
                        let help = finding.help.as_deref().unwrap_or_default();
                        assert!(
                            help.contains(&format!("did you mean `{value}`?")),
                            "{text}: {help}"
                        );
                        let fixed = fixed(&text, finding);
                        assert!(fixed.contains(value), "{fixed}");
                        let found = findings(&fixed, format);
                        assert!(found.iter().all(|it| it.rule.id != "unknown-value"), "{fixed}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_document_of_another_service_is_one_finding_with_the_names_here() {
    let text = r#"{ "name": "Desk", "firstMessage": "Hello", "voice": {}, "maxDurationSeconds": 600,
        "model": {}, "metadata": {} }"#;
    for number in ["", r#""version_number": 3, "#] {
        let text = text.replacen("{ ", &format!("{{ {number}"), 1);
        let found = findings(&text, Format::Json);
        let found: Vec<_> = found.iter().filter(|finding| names_a_field(finding)).collect();
        assert_eq!(found.len(), 1, "{found:#?}");
        let help = found[0].help.as_deref().unwrap();
        for pair in ["`title` for `name`", "`welcome_message` for `firstMessage`"] {
            assert!(help.contains(pair), "{help}");
        }
    }
}
