//! What skips a rule never silences it.

use std::fs;
use std::sync::LazyLock;

use voxlint::schema::{DocumentKind, Items, Row, Shape, Table};
use voxlint::syntax::Format;
use voxlint::{Document, Inputs, check};
use voxlint_model::text_traits::switch::without_skipping;
use voxlint_testing::generated_inputs::Random;
use voxlint_testing::texts::lines;
use voxlint_testing::{case_files, cases, files_below};

use crate::support::format_of;

/// Asserts that the report is the same if no rule is skipped.
fn assert_nothing_is_silenced(text: &str, format: Format, kind: Option<DocumentKind>) {
    let report = || {
        let inputs = Inputs::new(Document::parse_as(text, format)).optional_rules(true);
        format!("{:#?}", check(&kind.map_or(inputs.clone(), |kind| inputs.kind(kind))))
    };
    let usual = report();
    let complete = without_skipping(report);
    assert_eq!(usual, complete, "{text}");
}

/// Parts of texts that one rule or another objects to, some of them escaped, and parts that look like them.
static PARTS: LazyLock<Vec<&str>> = LazyLock::new(|| lines(include_str!("../words/parts.txt")));

static NUMBERS: LazyLock<Vec<&str>> = LazyLock::new(|| lines(include_str!("../words/numbers.txt")));

fn text(random: &mut Random) -> String {
    let count = random.below(4) + if random.percent(10) { 12 } else { 0 };
    let parts: String = (0..count).map(|_| random.pick(&PARTS)).collect();
    format!("\"{parts}\"")
}

/// A value for a row, often of the right type.
fn value(random: &mut Random, row: &Row) -> String {
    if random.percent(15) {
        let values = ["null", "true", "\"\"", "[]", "{}", "7", "[1]", "[\"a\", null]"];
        return random.pick(&values).to_owned();
    }
    match row.shape {
        Shape::Text(shape) if !shape.choices.is_empty() && random.percent(50) => {
            format!("\"{}\"", random.pick(shape.choices))
        }
        Shape::Text(_) | Shape::TextOrTexts | Shape::List(Items::Texts(_))
            if random.percent(70) =>
        {
            let one = text(random);
            if matches!(row.shape, Shape::List(_)) { format!("[{one}]") } else { one }
        }
        Shape::Number(_) => random.pick(&NUMBERS).to_owned(),
        Shape::Flag => random.pick(&["true", "false"]).to_owned(),
        Shape::Map(Some(table)) => object(random, table),
        Shape::Entries(table) | Shape::EntriesOrFirst(table) => {
            format!("{{{}: {}}}", text(random), object(random, table))
        }
        Shape::List(Items::Maps(table)) => format!("[{}]", object(random, table)),
        _ => text(random),
    }
}

fn object(random: &mut Random, table: &Table) -> String {
    let mut members = Vec::new();
    for row in table.rows {
        if random.percent(40) {
            members.push(format!("\"{}\": {}", row.name, value(random, row)));
        }
    }
    if random.percent(30) {
        members.push(format!("{}: {}", text(random), text(random)));
    }
    format!("{{{}}}", members.join(", "))
}

#[test]
fn what_skips_a_rule_never_silences_it() {
    for case in case_files() {
        let source = fs::read_to_string(&case.path).unwrap_or_default();
        assert_nothing_is_silenced(&source, format_of(&case.path), None);
    }
    for path in ["json", "yaml", "toml"].iter().flat_map(|it| files_below("fixtures/agents", it)) {
        let source = fs::read_to_string(&path).unwrap_or_default();
        assert_nothing_is_silenced(&source, format_of(&path), None);
    }
    for seed in 0..cases(300, 10_000) {
        let mut random = Random::new(seed);
        let kind = random.pick(&DocumentKind::ALL);
        let document = object(&mut random, kind.table());
        assert_nothing_is_silenced(&document, Format::Json, Some(kind));
        #[cfg(feature = "yaml")]
        assert_nothing_is_silenced(&document, Format::Yaml, Some(kind));
    }
}
