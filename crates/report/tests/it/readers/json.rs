//! The JSON formats.

use std::collections::BTreeSet;

use serde_json::Value;

use super::ReadFinding;

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}")).to_owned()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("no number: {value}"))
}

/// Requires the members of an object to be among these.
fn members_of<'v>(value: &'v Value, known: &[&str]) -> &'v Value {
    for name in value.as_object().unwrap().keys() {
        assert!(known.contains(&name.as_str()), "{name} in {value}");
    }
    value
}

/// The objects of a text with one object per line.
fn lines(output: &str) -> Vec<Value> {
    assert!(output.is_empty() || output.ends_with('\n'));
    output.split_terminator('\n').map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn own(finding: &Value) -> ReadFinding {
    ReadFinding {
        path: text(&finding["path"]),
        line: number(&finding["span"]["from"]["line"]),
        column: Some(number(&finding["span"]["from"]["column"])),
        severity: text(&finding["severity"]),
        rule: text(&finding["rule"]),
        message: text(&finding["message"]),
    }
}

pub(super) fn json(output: &str) -> Vec<ReadFinding> {
    let run: Value = serde_json::from_str(output).unwrap();
    let files = run["files"].as_array().unwrap();
    files.iter().flat_map(|file| file["diagnostics"].as_array().unwrap()).map(own).collect()
}

pub(super) fn ndjson(output: &str) -> Vec<ReadFinding> {
    let lines = lines(output);
    assert_eq!(lines.first().unwrap()["type"], "run");
    assert_eq!(lines.last().unwrap()["type"], "summary");
    lines.iter().filter(|line| line["type"] == "finding").map(own).collect()
}

/// The code quality report, with the requirements of GitLab's documentation.
pub(super) fn gitlab(output: &str) -> Vec<ReadFinding> {
    assert!(output.starts_with('['), "no byte order mark, no array of arrays");
    let issues: Vec<Value> = serde_json::from_str(output).unwrap();
    let fingerprints: BTreeSet<String> =
        issues.iter().map(|issue| text(&issue["fingerprint"])).collect();
    assert_eq!(fingerprints.len(), issues.len(), "GitLab shows one issue per fingerprint");
    assert!(
        fingerprints.iter().all(|it| it.len() == 64 && it.bytes().all(|b| b.is_ascii_hexdigit()))
    );
    issues.iter().map(issue).collect()
}

fn issue(issue: &Value) -> ReadFinding {
    let path = text(&issue["location"]["path"]);
    assert!(!path.starts_with("./") && !path.starts_with('/'), "{path}");
    let positions = &issue["location"]["positions"];
    assert!(number(&positions["end"]["line"]) >= number(&positions["begin"]["line"]));
    ReadFinding {
        path,
        line: number(&positions["begin"]["line"]),
        column: Some(number(&positions["begin"]["column"])),
        severity: match issue["severity"].as_str().unwrap() {
            "blocker" | "critical" => "error",
            "major" => "warning",
            "minor" | "info" => "info",
            other => panic!("{other}"),
        }
        .to_owned(),
        rule: text(&issue["check_name"]),
        message: text(&issue["description"]),
    }
}

/// A `DiagnosticResult` of reviewdog: it has the members of reviewdog.proto, and none of them is null.
pub(super) fn rdjson(output: &str) -> Vec<ReadFinding> {
    let result: Value = serde_json::from_str(output).unwrap();
    members_of(&result, &["diagnostics", "source", "severity"]);
    members_of(&result["source"], &["name", "url"]);
    result["diagnostics"].as_array().unwrap().iter().map(diagnostic).collect()
}

/// One `Diagnostic` of reviewdog per line.
pub(super) fn rdjsonl(output: &str) -> Vec<ReadFinding> {
    let lines = lines(output);
    lines
        .iter()
        .inspect(|line| {
            assert_eq!(text(&members_of(&line["source"], &["name", "url"])["name"]), "voxlint");
        })
        .map(diagnostic)
        .collect()
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(members) => members.values().any(has_null),
        _ => false,
    }
}

fn diagnostic(value: &Value) -> ReadFinding {
    assert!(!has_null(value), "{value}");
    members_of(
        value,
        &[
            "message",
            "location",
            "severity",
            "source",
            "code",
            "suggestions",
            "original_output",
            "related_locations",
        ],
    );
    let start = location(&value["location"]);
    for suggestion in value.get("suggestions").into_iter().flat_map(|it| it.as_array().unwrap()) {
        members_of(suggestion, &["range", "text"]);
        range(&suggestion["range"]);
        text(&suggestion["text"]);
    }
    for related in value.get("related_locations").into_iter().flat_map(|it| it.as_array().unwrap())
    {
        members_of(related, &["message", "location"]);
        location(&related["location"]);
    }
    ReadFinding {
        path: text(&value["location"]["path"]),
        line: start.0,
        column: Some(start.1),
        severity: match value["severity"].as_str().unwrap() {
            severity @ ("ERROR" | "WARNING" | "INFO") => severity.to_ascii_lowercase(),
            other => panic!("{other}"),
        },
        rule: text(&members_of(&value["code"], &["value", "url"])["value"]),
        message: text(&value["message"]),
    }
}

fn location(value: &Value) -> (u64, u64) {
    members_of(value, &["path", "range"]);
    range(&value["range"])
}

fn range(value: &Value) -> (u64, u64) {
    members_of(value, &["start", "end"]);
    let position = |value: &Value| {
        members_of(value, &["line", "column"]);
        (number(&value["line"]), number(&value["column"]))
    };
    let (start, end) = (position(&value["start"]), position(&value["end"]));
    assert!(start <= end && start >= (1, 1), "{value}");
    start
}
