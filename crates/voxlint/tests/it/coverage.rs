//! Every statement of the service's description names the rules that check it, or the reason why none does. These tests fail if
//! a statement or a rule is missing.

use std::collections::BTreeSet;
use std::fs;

use crate::statements::{Claim, FIELDS, Fields, Statement, statements};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use voxlint::schema::{Items, Presence, Row, Shape, TextFormat};
use voxlint::{Basis, Document, DocumentKind, Family, Inputs, check, rules};
use voxlint_testing::{assert_snapshot, repository, shared};

#[test]
fn every_statement_names_existing_rules_or_a_reason() {
    let mut ids = BTreeSet::new();
    for Statement { id, section, words, claim, .. } in statements() {
        assert!(ids.insert(id.clone()), "{id} is listed twice");
        assert!(!section.is_empty() && !words.is_empty(), "{id}");
        match claim {
            Claim::Checked(rules) => {
                assert!(!rules.is_empty(), "{id} names no rule");
                let distinct: BTreeSet<&String> = rules.iter().collect();
                assert_eq!(distinct.len(), rules.len(), "{id} names a rule twice");
                for rule in rules {
                    assert!(rules::find(&rule).is_some(), "{id}: there is no rule {rule}");
                }
            }
            Claim::Accepted(case) => {
                // The tests in `rules.rs` check that cases that begin with `ok-` have no finding.
                let (folder, name) = case.rsplit_once('/').unwrap();
                assert!(name.starts_with("ok-"), "{id}: {case} is not accepted");
                let rule = folder.strip_prefix("fixtures/rules/").unwrap();
                assert!(rules::find(rule).is_some(), "{id}: {case} does not belong to a rule");
                assert!(repository().join(&case).is_file(), "{id}: there is no {case}");
            }
            Claim::Planned(what) => assert!(!what.is_empty(), "{id}"),
            Claim::Offline(topic, reason) => {
                assert!(!topic.is_empty() && !reason.is_empty(), "{id}");
            }
        }
    }
}

#[test]
fn every_rule_says_where_it_comes_from() {
    let statements = statements();
    let claimed: BTreeSet<&str> =
        statements.iter().flat_map(Statement::rules).map(String::as_str).collect();
    for rule in rules::all() {
        let (is_stated, words) = match rule.basis {
            None => {
                assert_eq!(rule.family(), Family::Suppression, "{}: it needs a basis", rule.id);
                continue;
            }
            Some(Basis::Stated) => (true, None),
            Some(Basis::Read(open)) => (true, Some(open)),
            Some(Basis::Inferred(reason)) => (false, Some(reason)),
            Some(other) => panic!("{}: {other:?}", rule.id),
        };
        assert_eq!(
            claimed.contains(&*rule.id),
            is_stated,
            "{}: a rule is in statements.tsv unless it is inferred",
            rule.id
        );
        assert!(words.is_none_or(|words| words.ends_with('.')), "{}: {words:?}", rule.id);
    }
}

#[test]
fn rules_have_the_status_of_their_statement() {
    let mut compared = 0;
    for statement in statements() {
        let named: Vec<u16> = words_of(&statement.words)
            .filter_map(|word| word.parse().ok())
            .filter(|status| [400, 403, 404, 409].contains(status))
            .collect();
        let [status] = named[..] else { continue };
        for rule in statement.rules() {
            let found = rules::find(rule).unwrap();
            assert_eq!(found.status, Some(status), "{}: {rule}", statement.id);
            compared += 1;
        }
    }
    assert!(compared > 10, "{compared}");
}

#[test]
fn every_statement_is_on_the_page() {
    let page = crate::statements::page();
    let lines: Vec<&str> = page.lines().collect();
    for Statement { id, words, section, .. } in statements() {
        let line = format!("| {} | {section} | ", words.replace('|', "\\|"));
        let count = lines.iter().filter(|it| it.starts_with(&line)).count();
        assert_eq!(count, 1, "{id} is not on the page once");
    }
}

#[test]
fn every_statement_of_the_description_is_listed() {
    let Some(readings) = shared("spec/readings.md") else { return };
    let listed: BTreeSet<&str> = readings
        .lines()
        .filter_map(|line| line.strip_prefix("| ")?.split(" |").next())
        .filter(|number| is_number(number))
        .collect();
    assert!(listed.len() > 200, "{}", listed.len());
    let statements = statements();
    let claimed: BTreeSet<&str> =
        statements.iter().flat_map(|it| &it.readings).map(String::as_str).collect();
    let unclaimed: Vec<_> = listed.difference(&claimed).collect();
    assert!(unclaimed.is_empty(), "no statement has the numbers {unclaimed:?}");
    let unknown: Vec<_> = claimed.difference(&listed).collect();
    assert!(unknown.is_empty(), "the list does not contain {unknown:?}");
}

/// A new line of the description may contain a new statement. The description is not part of this repository, so a line is
/// known by a part of its hash.
#[test]
fn every_line_of_the_description_is_known() {
    let file = repository().join("fixtures/service/description.sha256");
    let Some(description) = shared("spec/service.md") else { return };
    let hash = |line: &str| {
        let digest = Sha256::digest(line.split_whitespace().collect::<Vec<_>>().join(" "));
        let digits: Vec<String> = digest.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
        digits.concat()
    };
    let lines = description.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let lines: Vec<(String, usize)> = lines.map(|(line, at)| (hash(line), at)).collect();
    if std::env::var_os("UPDATE_DESCRIPTION").is_some() {
        let known: BTreeSet<&str> = lines.iter().map(|(hash, _)| hash.as_str()).collect();
        let known: Vec<&str> = known.into_iter().collect();
        fs::write(&file, known.join("\n") + "\n").unwrap();
    }
    let known = fs::read_to_string(&file).unwrap();
    let known: BTreeSet<&str> = known.lines().collect();
    let new: Vec<usize> = lines
        .iter()
        .filter(|(hash, _)| !known.contains(hash.as_str()))
        .map(|(_, at)| *at)
        .collect();
    assert!(
        new.is_empty(),
        "lines {new:?} of the description are new: add what they state to statements.tsv, then record them with \
         UPDATE_DESCRIPTION=1"
    );
}

/// Removing a statement means that voxlint no longer checks it.
#[test]
fn statement_ids_do_not_change() {
    let ids: BTreeSet<String> = statements().into_iter().map(|statement| statement.id).collect();
    let list: Vec<String> = ids.into_iter().collect();
    assert_snapshot("", "statement-ids", &list.join("\n"));
}

/// `N` and three digits.
fn is_number(text: &str) -> bool {
    text.strip_prefix('N').is_some_and(|digits| {
        digits.len() == 3 && digits.bytes().all(|digit| digit.is_ascii_digit())
    })
}

#[test]
fn every_table_row_of_the_description_has_a_statement() {
    let Some(description) = shared("spec/service.md") else { return };
    let statements = statements();
    let mut section = "";
    let mut rows = 0;
    for line in description.lines() {
        if let Some(heading) = line.strip_prefix('#') {
            let heading = heading.trim_start_matches('#').trim();
            let number = heading.split(' ').next().unwrap().trim_end_matches('.');
            if number.starts_with(|it: char| it.is_ascii_digit()) {
                section = number;
            }
            continue;
        }
        let Some(first) = line.strip_prefix("| ").and_then(|line| line.split(" |").next()) else {
            continue;
        };
        let heads = ["Field", "Part", "State", "Status", "Query parameter"];
        let is_of_a_table = ["2.", "3", "4.", "7"].iter().any(|it| section.starts_with(it));
        if !is_of_a_table || heads.contains(&first) {
            continue;
        }
        let first = first.split(" (").next().unwrap().replace('`', "");
        // Rows that are not fields are identified by the last word of their name: `Path parameter id`, `404`.
        let word = first.rsplit(' ').next().unwrap().to_lowercase();
        let is_stated = if section.starts_with("2.") {
            statements.iter().any(|it| it.id == format!("{section} {first}"))
        } else {
            let here = |it: &&Statement| it.section.split(' ').next() == Some(section);
            let mut texts = statements.iter().filter(here).flat_map(|it| [&it.id, &it.words]);
            texts.any(|text| words_of(text).any(|it| it == word))
        };
        assert!(is_stated, "section {section} has a row {first} without a statement");
        rows += 1;
    }
    assert!(rows > 100, "{rows}");
}

fn words_of(text: &str) -> impl Iterator<Item = String> {
    text.split(|it: char| !it.is_alphanumeric() && it != '_').map(str::to_lowercase)
}

/// For each rule of each field, checks a document that breaks only this rule.
#[test]
fn the_rules_of_each_field_find_invalid_values() {
    let statements = statements();
    let mut tried = 0;
    for Fields { section, prefix, table } in &FIELDS {
        for row in table.rows {
            let id = format!("{section} {prefix}{}", row.name);
            let statement = statements.iter().find(|it| it.id == id).unwrap();
            assert!(found(section, prefix, row, Some(good(row))).is_empty(), "{id}: {}", good(row));
            for rule in statement.rules() {
                let value = (rule != "missing-field").then(|| broken(row, rule));
                let found = found(section, prefix, row, value.clone());
                assert!(found.contains(rule), "{id}: {value:?} does not break {rule}: {found:?}");
                tried += 1;
            }
        }
    }
    println!("{tried} claims tried");
}

/// The rules about single values with findings in a document in which a field has this value, or is missing.
fn found(section: &str, prefix: &str, row: &Row, value: Option<Value>) -> BTreeSet<String> {
    let fields = FIELDS.iter().find(|it| (it.section, it.prefix) == (section, prefix)).unwrap();
    // Required fields are present.
    let mut object: Map<String, Value> = fields
        .table
        .rows
        .iter()
        .filter(|it| it.presence != Presence::Optional)
        .map(|it| (it.name.to_owned(), good(it)))
        .collect();
    match value {
        Some(value) => object.insert(row.name.to_owned(), value),
        None => object.remove(row.name),
    };
    let (kind, document) = match (section, prefix.trim_end_matches(['.', '[', ']'])) {
        ("2.1", _) => (DocumentKind::Agent, json!(object)),
        ("2.2", _) => (DocumentKind::Version, json!(object)),
        ("2.3", "") => (DocumentKind::Update, json!(object)),
        ("2.3", name @ "default_dynamic_variables") => {
            (DocumentKind::Update, json!({ "version_number": 3, name: object }))
        }
        ("2.3", name) => (DocumentKind::Update, json!({ "version_number": 3, name: [object] })),
        ("2.4", _) => (DocumentKind::ApiKeys, json!({ "data": [object], "meta": {} })),
        ("2.5", _) => (DocumentKind::ApiKeys, json!({ "data": [], "meta": object })),
        ("4.2", _) => (DocumentKind::ApiKeys, json!(object)),
        ("7", _) => (DocumentKind::Error, json!(object)),
        _ => panic!("no document contains the fields of {section} {prefix}"),
    };
    let text = document.to_string();
    let parsed = Document::parse(text.as_str());
    let report = check(&Inputs::new(parsed).kind(kind));
    let of_fields = |id: &str| {
        rules::find(id).is_some_and(|rule| {
            matches!(rule.family(), Family::Value | Family::Text | Family::Template)
        }) || id == "missing-field"
    };
    let ids = report.diagnostics.iter().map(|found| found.rule.id.to_string());
    ids.filter(|id| of_fields(id)).collect()
}

/// A valid value of a field.
fn good(row: &Row) -> Value {
    match row.shape {
        Shape::Text(text) => json!(match (text.choices.first(), text.format) {
            (Some(choice), _) => choice,
            (None, TextFormat::TimeZone) => "Asia/Kolkata",
            (None, TextFormat::DateTime) => "2025-01-31T09:30:00.000Z",
            (None, TextFormat::Json) => "{}",
            (None, TextFormat::Destinations { .. }) => "+14155552671",
            (None, TextFormat::Any) => "some",
        }),
        Shape::Number(number) => json!(number.min.unwrap_or(1).max(1)),
        Shape::Flag => json!(true),
        Shape::Map(_) | Shape::Entries(_) | Shape::EntriesOrFirst(_) => json!({}),
        Shape::List(Items::Maps(_)) => json!([]),
        Shape::List(Items::Texts(_)) | Shape::TextOrTexts => json!(["some"]),
    }
}

/// A value of a field that breaks a rule.
fn broken(row: &Row, rule: &str) -> Value {
    let text = |text: &str| json!(text);
    match (rule, row.shape) {
        ("wrong-type", Shape::Flag) => json!(1),
        ("wrong-type", _) => json!(true),
        ("null-not-allowed", _) => Value::Null,
        ("out-of-range", Shape::Number(number)) => {
            let below = number.min.or(number.disputed.and_then(|it| it.min)).map(|min| min - 1);
            json!(number.max.map(|max| max + 1).or(below))
        }
        ("fractional-number", Shape::Number(number)) => {
            json!(f64::from(i32::try_from(number.min.unwrap_or(1)).unwrap()) + 0.5)
        }
        ("unknown-value" | "timestamp-malformed", _) => text("neither"),
        ("unknown-time-zone", _) => text("IST"),
        ("node-positions-not-json" | "template-syntax-error", _) => text("{{"),
        ("empty-id", Shape::List(_)) => json!([""]),
        ("empty-id", _) => text(""),
        ("text-too-long", Shape::Text(shape)) => {
            json!("a".repeat(shape.max_characters.unwrap() as usize + 1))
        }
        ("transfer-destination-malformed", _) => text("+442071838750"),
        ("transfer-destination-empty", _) => text("+14155552671|"),
        ("too-many-transfer-destinations", _) => {
            json!((0..8).map(|last| format!("+1415555010{last}")).collect::<Vec<_>>().join("|"))
        }
        ("boosted-keyword-character", _) => text("e-mandate"),
        ("boosted-keyword-too-long", _) => json!("a".repeat(51)),
        ("too-many-boosted-keywords", _) => json!(terms(101, 0)),
        ("boosted-keywords-too-long", _) => json!(terms(50, 45)),
        _ => panic!("{}: there is no value that breaks {rule}", row.name),
    }
}

/// Different terms. Each is a number after this many letters.
fn terms(count: usize, longer: usize) -> String {
    let padding = "a".repeat(longer);
    (0..count).map(|number| format!("{padding}{number}")).collect::<Vec<_>>().join(",")
}
