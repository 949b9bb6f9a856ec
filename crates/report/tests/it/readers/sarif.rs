//! SARIF 2.1.0, as the specification describes it. Numbers in comments are its sections.

use std::collections::BTreeSet;

use serde_json::Value;

use super::ReadFinding;

/// The objects of the specification that voxlint writes, each with the members that the published schema allows. Required
/// members are marked with `!`.
const OBJECTS: &[(&str, &str)] = &[
    ("log", "version! $schema runs!"),
    ("run", "tool! automationDetails columnKind originalUriBaseIds results invocations"),
    ("tool", "driver!"),
    ("driver", "name! version semanticVersion informationUri rules"),
    (
        "rules",
        "id! name shortDescription fullDescription help helpUri defaultConfiguration properties",
    ),
    ("automationDetails", "id"),
    ("invocations", "executionSuccessful! toolExecutionNotifications"),
    ("toolExecutionNotifications", "level message! locations"),
    (
        "results",
        "ruleId ruleIndex kind level message! locations relatedLocations partialFingerprints fixes \
         suppressions occurrenceCount properties",
    ),
    ("locations", "physicalLocation logicalLocations message"),
    ("relatedLocations", "physicalLocation logicalLocations message"),
    ("physicalLocation", "artifactLocation region"),
    ("artifactLocation", "uri uriBaseId"),
    ("region", "startLine startColumn endLine endColumn"),
    ("deletedRegion", "startLine startColumn endLine endColumn"),
    ("logicalLocations", "fullyQualifiedName kind"),
    ("message", "text"),
    ("shortDescription", "text!"),
    ("fullDescription", "text!"),
    ("description", "text"),
    ("help", "text! markdown"),
    ("defaultConfiguration", "level"),
    ("fixes", "description artifactChanges!"),
    ("artifactChanges", "artifactLocation! replacements!"),
    ("replacements", "deletedRegion! insertedContent"),
    ("insertedContent", "text"),
    ("suppressions", "kind! status justification"),
];

/// The members with free content, or with names of their own.
const FREE: [&str; 3] = ["properties", "partialFingerprints", "originalUriBaseIds"];

/// Requires an object, and the objects in it, to have the members of the schema. `name` is the member that holds it.
fn check_members(name: &str, value: &Value) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| check_members(name, item)),
        Value::Object(members) if !FREE.contains(&name) => {
            let allowed = OBJECTS.iter().find(|(object, _)| *object == name);
            let (_, allowed) = allowed.unwrap_or_else(|| panic!("unexpected object {name}"));
            for required in allowed.split_whitespace().filter_map(|it| it.strip_suffix('!')) {
                assert!(members.contains_key(required), "no {required}: {value}");
            }
            for (member, value) in members {
                let mut names = allowed.split_whitespace().map(|it| it.trim_end_matches('!'));
                assert!(names.any(|it| it == member), "{member} in {name}");
                assert!(!value.is_null(), "{member} is null");
                check_members(if member == "runs" { "run" } else { member }, value);
            }
        }
        _ => {}
    }
}

pub(super) fn read(output: &str) -> Vec<ReadFinding> {
    let log: Value = serde_json::from_str(output).unwrap();
    check_members("log", &log);
    assert_eq!(log["version"], "2.1.0");
    assert_eq!(log["runs"].as_array().unwrap().len(), 1);
    let run = &log["runs"][0];
    // 3.14.17: required with results; the unit of columns.
    assert_eq!(run["columnKind"], "unicodeCodePoints");
    assert!(run["invocations"][0]["executionSuccessful"].is_boolean());
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let ids: BTreeSet<_> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(ids.len(), rules.len());
    let results = run["results"].as_array().unwrap();
    // 3.27.23: either all results have it or none.
    assert!(results.iter().all(|result| result["suppressions"].is_array()));
    every_location(run, &log);
    let failed = results.iter().filter(|result| result["kind"] == "fail");
    for result in results.iter().filter(|result| result["kind"] != "fail") {
        // 3.27.10: only a failure has a level.
        assert_eq!(result["level"], "none", "{result}");
        assert_eq!(result["kind"], "open");
    }
    for result in results {
        // 3.27.7: the index of the rule with that id.
        if let Some(index) = result.get("ruleIndex") {
            assert_eq!(rules[index.as_u64().unwrap() as usize]["id"], result["ruleId"]);
        }
        assert!(!result["message"]["text"].as_str().unwrap().is_empty());
        assert_eq!(result["partialFingerprints"]["voxlintPointer/v1"].as_str().unwrap().len(), 64);
        assert!(result["partialFingerprints"].get("primaryLocationLineHash").is_none());
    }
    failed
        .filter(|result| result["suppressions"] == Value::Array(Vec::new()))
        .map(finding)
        .collect()
}

fn finding(result: &Value) -> ReadFinding {
    let place = &result["locations"][0]["physicalLocation"];
    ReadFinding {
        path: decoded(place["artifactLocation"]["uri"].as_str().unwrap()),
        line: place["region"]["startLine"].as_u64().unwrap(),
        column: place["region"]["startColumn"].as_u64(),
        severity: match result["level"].as_str().unwrap() {
            "note" => "info",
            level @ ("error" | "warning") => level,
            other => panic!("{other}"),
        }
        .to_owned(),
        rule: result["ruleId"].as_str().unwrap().to_owned(),
        message: message(result["message"]["text"].as_str().unwrap()),
    }
}

/// A message as a viewer shows it. It has no placeholders (3.11.5) and no links (3.11.6).
fn message(text: &str) -> String {
    assert!(!text.contains("]("), "{text}");
    let mut shown = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if matches!(c, '{' | '}') {
            assert_eq!(rest.next(), Some(c), "{text}");
        }
        shown.push(c);
    }
    shown
}

/// Checks every artifact location and every region in a value.
fn every_location(value: &Value, log: &Value) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| every_location(item, log)),
        Value::Object(members) => {
            if let Some(Value::String(uri)) = members.get("uri") {
                // 3.4.4: relative to a base, which the run defines.
                assert!(!uri.starts_with('/') && !uri.starts_with("./"), "{uri}");
                assert!(!uri.contains([':', ' ', '\\', '?', '#']) && uri.is_ascii(), "{uri}");
                let base = members["uriBaseId"].as_str().unwrap();
                assert!(log["runs"][0]["originalUriBaseIds"].get(base).is_some());
            }
            if let Some(start_line) = members.get("startLine") {
                let number = |name: &str| members[name].as_u64().unwrap();
                assert!(start_line.as_u64().unwrap() >= 1);
                // 3.30: the end is not before the start.
                let start = (number("startLine"), number("startColumn"));
                assert!(start.1 >= 1 && start <= (number("endLine"), number("endColumn")));
            }
            members.values().for_each(|member| every_location(member, log));
        }
        _ => {}
    }
}

/// Decodes percent-encoding.
fn decoded(uri: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' {
            let digits = [rest.next().unwrap(), rest.next().unwrap()];
            u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
        } else {
            byte
        });
    }
    String::from_utf8(bytes).unwrap()
}
