//! The JSON Schemas agree with the check as far as a schema can express its rules. They reject only values that the check
//! reports as rejected or possibly rejected, and they reject all of those that a schema can express.

use std::collections::BTreeSet;
use std::fs;
use std::sync::LazyLock;

use crate::process::{run, stderr, stdout};
use jsonschema::Validator;
use jsonschema::error::ValidationErrorKind;
use serde_json::{Map, Value, json};
use voxlint::docs::json_schema;
use voxlint::schema::{Items, Shape, Table};
use voxlint::syntax::{Decimal, Format, Kind, Node, parse};
use voxlint::{Document, DocumentKind, Family, Inputs, VerdictKind, check, rules};
use voxlint_testing::generated_inputs::{GeneratedInputs, Random};
use voxlint_testing::{case_files, examples, files_below, repository, shared};

/// Rules whose rejected and possibly rejected documents a schema always rejects.
const COVERED: [&str; 16] = [
    "boosted-keyword-character",
    "boosted-keyword-too-long",
    "empty-id",
    "fractional-number",
    "missing-field",
    "not-an-object",
    "null-not-allowed",
    "out-of-range",
    "response-only-field",
    "too-many-boosted-keywords",
    "too-many-transfer-destinations",
    "transfer-destination-empty",
    "transfer-destination-malformed",
    "unknown-field",
    "unknown-value",
    "wrong-type",
];

/// Rules whose certainly rejected documents a schema rejects.
const PARTLY_COVERED: [&str; 3] = [
    // A schema does not know the stored configuration.
    "duration-over-pipeline-cap",
    "fallback-transcriber-missing",
    // A schema counts code points, which is not the lowest count.
    "text-too-long",
];

/// Rules about one value or one object that reject something which a schema cannot express: which numbers are too large
/// depends on the JSON reader.
const NOT_COVERED: [&str; 1] = ["number-too-large"];

/// The kinds that have a schema, and what validates with it. Formats are checked, as editors do.
static VALIDATORS: LazyLock<Vec<(DocumentKind, Validator)>> = LazyLock::new(|| {
    kinds_with_schemas()
        .map(|(kind, schema)| {
            let schema = serde_json::from_str(&schema).unwrap();
            let options = jsonschema::draft202012::options().should_validate_formats(true);
            (kind, options.build(&schema).unwrap())
        })
        .collect()
});

fn kinds_with_schemas() -> impl Iterator<Item = (DocumentKind, String)> {
    DocumentKind::ALL.into_iter().filter_map(|kind| Some((kind, json_schema(kind)?)))
}

/// Other rules are about the text of a document, the text inside a string, several values, the stored configuration or the workspace,
/// or they only advise.
#[test]
fn schemas_cover_every_rule_about_one_value_or_object() {
    let listed = [&COVERED[..], &PARTLY_COVERED, &NOT_COVERED].concat();
    let is_about_shape = |rule: &&voxlint::Rule| {
        matches!(rule.family(), Family::Object | Family::Value) && rule.status.is_some()
    };
    for rule in rules::all().filter(is_about_shape) {
        assert!(listed.contains(&&*rule.id), "no schema covers {}", rule.id);
    }
    for id in listed {
        assert!(rules::find(id).is_some(), "no rule is called {id}");
    }
}

#[test]
fn every_kind_but_a_template_has_a_schema() {
    let without = DocumentKind::ALL.into_iter().filter(|kind| json_schema(*kind).is_none());
    assert_eq!(without.collect::<Vec<_>>(), [DocumentKind::Template]);
}

#[test]
fn every_schema_follows_the_schema_of_schemas() {
    for (kind, text) in kinds_with_schemas() {
        let schema: Value = serde_json::from_str(&text).unwrap();
        let valid = jsonschema::draft202012::meta::validate(&schema);
        assert!(valid.is_ok(), "{}: {valid:?}", kind.name());
        assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
        assert_eq!(schema["$id"], format!("urn:voxlint:schema:{}", kind.name()));
        // Two tables under one name would be one definition, and the last one at that.
        let report = check(&Inputs::new(Document::parse(text.as_str())).kind(kind));
        assert!(report.diagnostics.iter().all(|found| found.rule.id != "duplicate-key"));
        assert!(text.ends_with("}\n"));
    }
}

#[test]
fn every_row_is_in_the_schema_with_its_meaning() {
    for (kind, text) in kinds_with_schemas() {
        let schema: Value = serde_json::from_str(&text).unwrap();
        let described: Vec<&String> = schema["properties"].as_object().unwrap().keys().collect();
        assert_eq!(described.len(), kind.table().rows.len(), "{}", kind.name());
        for row in kind.table().rows {
            let description = schema["properties"][row.name]["description"].as_str().unwrap();
            assert!(description.starts_with(&row.description()), "{}: {}", kind.name(), row.name);
            let markdown = schema["properties"][row.name]["markdownDescription"].as_str().unwrap();
            assert!(markdown.starts_with(&row.description()), "{}: {}", kind.name(), row.name);
            assert_eq!(schema["properties"][row.name]["title"], row.name);
        }
    }
}

#[test]
fn a_schema_that_is_kept_in_the_repository_is_left_alone() {
    for (kind, text) in kinds_with_schemas() {
        assert_eq!(Document::parse(text.as_str()).recognise(), None, "{}", kind.name());
    }
}

/// A text that schema and check are compared for.
struct Sample<'a> {
    label: &'a str,
    text: &'a str,
    format: Format,
    /// The document as a validator reads it.
    value: Value,
    /// Pointers to the numbers that a validator rounds.
    rounded: BTreeSet<String>,
}

impl<'a> Sample<'a> {
    /// `None` if the text is invalid or has several documents.
    fn read(label: &'a str, text: &'a str, format: Format) -> Option<Self> {
        let parsed = parse(text, format);
        let mut rounded = BTreeSet::new();
        let [tree] = parsed.documents.as_slice() else { return None };
        if !parsed.errors.is_empty() {
            return None;
        }
        let value = value(tree.root()?, "", &mut rounded)?;
        Some(Self { label, text, format, value, rounded })
    }
}

fn value(node: Node<'_>, at: &str, rounded: &mut BTreeSet<String>) -> Option<Value> {
    Some(match node.kind() {
        Kind::Object => {
            let mut members = Map::new();
            for member in node.members() {
                let name = member.name();
                let at = format!("{at}/{}", escaped(&name));
                members.insert(name.into_owned(), value(member.value, &at, rounded)?);
            }
            Value::Object(members)
        }
        Kind::Array => {
            let elements = node.elements().enumerate();
            let elements =
                elements.map(|(index, element)| value(element, &format!("{at}/{index}"), rounded));
            Value::Array(elements.collect::<Option<_>>()?)
        }
        Kind::String | Kind::Key => Value::String(node.as_str()?.into_owned()),
        Kind::Number => {
            let number = node.decimal()?;
            let read: Value = serde_json::from_str(number.literal()).ok()?;
            let text = read.to_string();
            if Decimal::parse(&text) != Some(number) {
                rounded.insert(at.to_owned());
            }
            read
        }
        Kind::Bool => Value::Bool(node.as_bool()?),
        Kind::Null => Value::Null,
        Kind::Invalid => return None,
    })
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

/// The places that a schema rejects. Missing and unknown fields have their own pointers, as in a report.
fn rejected_places(validator: &Validator, value: &Value) -> BTreeSet<String> {
    let mut places = BTreeSet::new();
    for error in validator.iter_errors(value) {
        let at = error.instance_path().as_str();
        match error.kind() {
            ValidationErrorKind::Required { property } => {
                places.insert(format!("{at}/{}", escaped(property.as_str().unwrap())));
            }
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                places.extend(unexpected.iter().map(|name| format!("{at}/{}", escaped(name))));
            }
            _ => {
                places.insert(at.to_owned());
            }
        }
    }
    places
}

fn is_at_or_below(place: &str, field: &str) -> bool {
    place.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Counts of compared documents and rejections, and the differences.
#[derive(Default)]
struct Comparison {
    documents: u32,
    rejections: u32,
    rules: BTreeSet<String>,
    wrong: Vec<String>,
}

impl Comparison {
    /// Compares schema and check for one text as each kind of document.
    fn text(&mut self, label: &str, text: &str, format: Format) {
        let Some(sample) = Sample::read(label, text, format) else { return };
        for (kind, validator) in VALIDATORS.iter() {
            self.document(&sample, *kind, validator);
        }
    }

    fn document(&mut self, sample: &Sample, kind: DocumentKind, validator: &Validator) {
        let Sample { label, text, format, value, rounded } = sample;
        let rejected = rejected_places(validator, value);
        let document = Document::parse_as(*text, *format);
        let report = check(&Inputs::new(document).kind(kind));
        self.documents += 1;
        self.rejections += rejected.len() as u32;
        let found = report.diagnostics.iter().filter(|it| it.verdict != VerdictKind::Advice);
        let kind = kind.name();
        for place in &rejected {
            // A required field under another name is one finding, at that name.
            let name = place.rsplit('/').next().unwrap_or_default();
            let renamed = format!("`{name}` is not a field of ");
            let is_renamed = |found: &&voxlint::Diagnostic| {
                found.rule.id == "missing-field" && found.message.starts_with(&renamed)
            };
            if found.clone().any(|found| is_renamed(&found)) {
                continue;
            }
            if !found.clone().any(|found| {
                is_at_or_below(place, &found.field)
                    && (COVERED.contains(&&*found.rule.id)
                        || PARTLY_COVERED.contains(&&*found.rule.id)
                        || found.rule.id == "timestamp-malformed")
            }) {
                self.wrong.push(format!("{label} as {kind}: only the schema rejects {place}"));
            }
        }
        for found in found {
            let is_said = COVERED.contains(&&*found.rule.id)
                || (PARTLY_COVERED.contains(&&*found.rule.id)
                    && found.verdict == VerdictKind::Reject);
            if !is_said || rounded.contains(&found.field) {
                continue;
            }
            self.rules.insert(found.rule.id.to_string());
            if !rejected.iter().any(|place| is_at_or_below(place, &found.field)) {
                self.wrong.push(format!(
                    "{label} as {kind}: only the check rejects {}: {}",
                    found.field, found.message
                ));
            }
        }
    }

    /// Enough was compared, and nothing differs.
    fn holds(self, least: u32) {
        let Self { documents, rejections, rules, wrong } = self;
        println!("{documents} documents, {rejections} rejections of {} rules", rules.len());
        let shown: Vec<_> = wrong.iter().take(20).collect();
        assert!(wrong.is_empty(), "{} differ: {shown:#?}", wrong.len());
        assert!(documents >= least && rejections >= least / 10, "{documents} {rejections}");
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
    // Some fixture covers every rule.
    let shown: Vec<_> = COVERED.iter().chain(&PARTLY_COVERED).copied().collect();
    let missing: Vec<_> = shown.iter().filter(|id| !comparison.rules.contains(**id)).collect();
    assert!(missing.is_empty(), "{missing:?}");
    comparison.holds(4_000);
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

/// A random object of a table, with mostly valid fields.
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

/// Terms near their limits.
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

#[test]
fn the_command_prints_the_schema_of_a_kind() {
    for (kind, schema) in kinds_with_schemas() {
        let output = run(repository(), &["schema", kind.name()]);
        assert_eq!((output.status.code(), stdout(&output)), (Some(0), schema.as_str()));
    }
}

#[test]
fn without_a_kind_the_schema_is_that_of_an_update() {
    let output = run(repository(), &["schema"]);
    assert_eq!(Some(stdout(&output)), json_schema(DocumentKind::Update).as_deref());
}

#[test]
fn the_schema_of_a_template_is_asked_for_in_vain() {
    let output = run(repository(), &["schema", "template"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""));
    assert_eq!(stderr(&output), "voxlint: a template is not JSON, so it has no JSON Schema\n");
    let help = run(repository(), &["schema", "--help"]);
    assert!(stdout(&help).contains("configuration, plan, report]"), "{}", stdout(&help));
    assert!(!stdout(&help).contains(", template"), "{}", stdout(&help));
}
