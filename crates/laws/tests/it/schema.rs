//! The schemas and the check agree on fixtures, examples, acceptance cases and generated documents.

use std::collections::BTreeSet;
use std::fs;

use serde_json::{Map, Value, json};
use voxlint::schema::{Items, Shape, Table};
use voxlint::syntax::Format;
use voxlint::{DocumentKind, Family, rules};
use voxlint_laws::schema::{COVERED, Comparison, NOT_COVERED, PARTLY_COVERED, Sample, VALIDATORS};
use voxlint_testing::generated_inputs::{GeneratedInputs, Random};
use voxlint_testing::{case_files, examples, files_below, shared};

/// Other rules are about the text of a document, the text inside a string, several values, the stored configuration or the workspace,
/// or they only give advice.
#[test]
fn schemas_cover_every_rule_about_one_value_or_object() {
    let listed = [&COVERED[..], &PARTLY_COVERED, &NOT_COVERED].concat();
    let is_about_shape = |rule: &&voxlint::Rule| {
        matches!(rule.family(), Family::Object | Family::Value) && rule.status.is_some()
    };
    for rule in rules::all().filter(is_about_shape) {
        assert!(listed.contains(&&*rule.id), "no list contains {}", rule.id);
    }
    for id in listed {
        assert!(rules::find(id).is_some(), "no rule is called {id}");
    }
}

#[test]
fn schema_and_check_agree_on_fixtures_and_examples() {
    let mut comparison = Comparison::default();
    let cases = case_files().into_iter().map(|case| case.path);
    let others = ["fixtures/rules", "fixtures/agents", "fixtures/gate", "fixtures/foreign"];
    let others = others.into_iter().flat_map(|folder| files_below(folder, "json"));
    for path in cases.chain(others).collect::<BTreeSet<_>>() {
        let format = match path.extension().and_then(std::ffi::OsStr::to_str) {
            Some("yaml") => Format::Yaml,
            Some("toml") => Format::Toml,
            Some("jsonc") => Format::Jsonc,
            Some("json") => Format::Json,
            _ => continue,
        };
        let Ok(text) = fs::read_to_string(&path) else { continue };
        comparison.text(&path.display().to_string(), &text, format);
    }
    for rule in rules::all() {
        for (_, example) in examples(&rule.page()) {
            comparison.text(&format!("an example of {}", rule.id), example, Format::Json);
        }
    }
    // Each covered rule has a fixture or example.
    let shown: Vec<_> = COVERED.iter().chain(&PARTLY_COVERED).copied().collect();
    let missing: Vec<_> = shown.iter().filter(|id| !comparison.rules.contains(**id)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    comparison.holds(4_000);
}

/// Found by the fuzz target: the message shows the character as an escape.
#[test]
fn schema_and_check_agree_on_names_with_control_characters() {
    let mut comparison = Comparison::default();
    for name in ["v\trsion_number", "version\u{feff}_number", "version_n\u{200b}umber"] {
        comparison.text(name, &format!("{name}: 4\n"), Format::Yaml);
        comparison.text(name, &json!({ name: 4 }).to_string(), Format::Json);
    }
    comparison.holds(30);
}

#[test]
fn schema_and_check_agree_on_acceptance_cases() {
    let Some(cases) = shared("spec/acceptance.ndjson") else { return };
    let mut comparison = Comparison::default();
    for line in cases.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let text = case["raw"].as_str().map_or_else(|| case["doc"].to_string(), str::to_owned);
        comparison.text(case["name"].as_str().unwrap(), &text, Format::Json);
    }
    comparison.holds(1_000);
}

#[test]
fn schema_and_check_agree_on_generated_inputs() {
    let mut comparison = Comparison::default();
    let seeds = voxlint_testing::cases(100, 300);
    for seed in 0..seeds {
        for text in GeneratedInputs::any(&mut Random::new(seed)).texts() {
            comparison.text(&text, &text, Format::Json);
        }
    }
    comparison.holds(seeds as u32 * 16);
}

#[test]
fn schema_and_check_agree_on_generated_documents() {
    let mut comparison = Comparison::default();
    let seeds = voxlint_testing::cases(80, 250);
    for seed in 0..seeds {
        for kind in DocumentKind::ALL {
            let mut random = Random::new(seed);
            let text = object(&mut random, kind.table()).to_string();
            let Some(sample) = Sample::read(&text, &text, Format::Json) else { continue };
            for (of, validator) in VALIDATORS.iter().filter(|(of, _)| *of == kind) {
                comparison.document(&sample, *of, validator);
            }
        }
    }
    comparison.holds(seeds as u32 * 8);
}

/// A random object for a table, with mostly valid fields.
fn object(random: &mut Random, table: &Table) -> Value {
    let mut members = Map::new();
    let kept = 20 + random.below(80);
    for row in table.rows {
        if random.percent(kept) {
            members.insert(row.name.to_owned(), one_of(random, row.shape));
        }
    }
    if random.percent(10) {
        let name = random.pick(&["$schema", "titel", "a/b~c", "", "agent_type", "é"]);
        members.insert(name.to_owned(), json!(1));
    }
    Value::Object(members)
}

fn one_of(random: &mut Random, shape: Shape) -> Value {
    if random.percent(12) {
        return anything(random);
    }
    match shape {
        Shape::Text(text) if !text.choices.is_empty() && random.percent(80) => {
            json!(random.pick(text.choices))
        }
        Shape::Text(text) if text.max_characters.is_some() => {
            let limit = text.max_characters.unwrap() as usize;
            let character = random.pick(&["x", "é", "😀", "e\u{301}"]);
            json!(character.repeat(limit - 1 + random.below(3)))
        }
        Shape::Text(text) if text.terms.is_some() => keywords(random),
        Shape::Text(_) => json!(random.pick(&TEXTS)),
        Shape::Number(number) => {
            let near = [number.min, number.max, Some(0), Some(1), Some(3600)];
            let bound = near[random.below(near.len())].unwrap_or(7);
            let beside = random.pick(&["0", "00", "5", "000000001"]);
            let text = format!("{}.{beside}", bound + [0, 0, 1, -1][random.below(4)]);
            serde_json::from_str(&text).unwrap()
        }
        Shape::Flag => json!(random.percent(50)),
        Shape::Map(None) => json!({ "any": [1, null] }),
        Shape::Map(Some(table)) => object(random, table),
        Shape::Entries(table) => {
            let entry = if random.percent(90) { object(random, table) } else { anything(random) };
            json!({ "one": entry, "a/b": object(random, table) })
        }
        Shape::EntriesOrFirst(table) => {
            let first = one_of(random, table.rows[0].shape);
            json!({ "one": first, "a/b": object(random, table) })
        }
        Shape::List(items) => {
            let count = random.below(4);
            let item = |_| match items {
                _ if random.percent(5) => anything(random),
                Items::Texts(_) => json!(random.pick(&TEXTS)),
                Items::Maps(table) => object(random, table),
            };
            Value::Array((0..count).map(item).collect())
        }
        Shape::TextOrTexts => json!(["no such agent", "nor version"]),
    }
}

const TEXTS: [&str; 14] = [
    "tr_nova",
    "tr_nova",
    "",
    " ",
    "Asia/Kolkata",
    "Asia/Calcutta",
    "asia/kolkata",
    "+14155552671",
    "+14155552671|+919876543210",
    "+14155552671| +919876543210",
    "+14155552671\n",
    "+1415555267",
    "2025-01-31T09:30:00Z",
    "Cascaded",
];

fn anything(random: &mut Random) -> Value {
    match random.below(8) {
        0 => Value::Null,
        1 => json!(true),
        2 => json!([]),
        3 => json!({}),
        4 => json!(-1),
        5 => json!(["a", null]),
        6 => json!({ "a": { "provider": 7 } }),
        _ => json!(random.pick(&TEXTS)),
    }
}

/// Keywords whose number and lengths are often near the limits.
fn keywords(random: &mut Random) -> Value {
    let term = |random: &mut Random| -> String {
        match random.below(8) {
            0 => String::new(),
            1 => format!("  {}", "x".repeat(49 + random.below(3))),
            2 => format!("a{}b ", " ".repeat(47 + random.below(3))),
            3 => {
                random.pick(&["co-op", "é", "😀", "a\tb", "a\u{a0}", "\u{feff}", "a;b"]).to_owned()
            }
            _ => "front desk".to_owned(),
        }
    };
    let count = if random.percent(20) { 99 + random.below(3) } else { random.below(4) };
    let terms: Vec<String> = (0..count).map(|_| term(random)).collect();
    json!(terms.join(random.pick(&[",", ", "])))
}
