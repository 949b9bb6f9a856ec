//! The JSON Schemas agree with the check as far as a schema can express its rules. They reject only values that
//! are or may be rejected according to the check, and all of those whose rules a schema can express.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use jsonschema::Validator;
use jsonschema::error::ValidationErrorKind;
use serde_json::{Map, Value};
use voxlint::docs::json_schema;
use voxlint::syntax::{Decimal, Format, Kind, Node, parse};
use voxlint::{Diagnostic, Document, DocumentKind, Inputs, VerdictKind, check};

use crate::texts::Texts;

/// Rules for which a schema rejects every value that is or may be rejected according to the check.
pub const COVERED: [&str; 16] = [
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

/// Rules for which a schema rejects every value that the check reports as rejected. It may accept others that
/// may be rejected.
pub const PARTLY_COVERED: [&str; 3] = [
    // A schema cannot read the stored configuration.
    "duration-over-pipeline-cap",
    "fallback-transcriber-missing",
    // A schema counts code points. Other ways of counting give lower numbers.
    "text-too-long",
];

/// Rules about one value or one object that a schema cannot express. Which numbers are too large depends on the JSON parser.
pub const NOT_COVERED: [&str; 1] = ["number-too-large"];

/// The kinds that have a schema, with its validator. Validators check `format`, as editors do.
pub static VALIDATORS: LazyLock<Vec<(DocumentKind, Validator)>> = LazyLock::new(|| {
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

/// Holds if the schema of each kind rejects the same values of a text as the check.
pub fn schemas(bytes: &[u8]) {
    let mut texts = Texts::new(bytes);
    let format = texts.format();
    let Ok(text) = std::str::from_utf8(texts.next()) else { return };
    let mut comparison = Comparison::default();
    comparison.text("the input", text, format);
    assert!(comparison.wrong.is_empty(), "{:#?}", comparison.wrong);
}

/// A text to compare the schemas and the check on.
#[derive(Debug)]
pub struct Sample<'a> {
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
    pub fn read(label: &'a str, text: &'a str, format: Format) -> Option<Self> {
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

/// Pointers to the values that a schema rejects. Missing and unknown fields have their own pointers, as in a report.
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

/// A message with the characters that it shows as `\u{9}`.
fn without_escapes(message: &str) -> String {
    let mut parts = message.split("\\u{");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let escape = part.split_once('}');
        let character =
            escape.and_then(|(code, _)| char::from_u32(u32::from_str_radix(code, 16).ok()?));
        match (character, escape) {
            (Some(character), Some((_, rest))) => text.extend([&*character.to_string(), rest]),
            _ => text.extend(["\\u{", part]),
        }
    }
    text
}

fn is_at_or_below(place: &str, field: &str) -> bool {
    place.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The number of compared documents and of rejections, and the differences.
#[derive(Debug, Default)]
pub struct Comparison {
    documents: u32,
    rejections: u32,
    /// The rules that found something.
    pub rules: BTreeSet<String>,
    wrong: Vec<String>,
}

impl Comparison {
    /// Compares the schema and the check for one text as each kind of document.
    pub fn text(&mut self, label: &str, text: &str, format: Format) {
        let Some(sample) = Sample::read(label, text, format) else { return };
        for (kind, validator) in VALIDATORS.iter() {
            self.document(&sample, *kind, validator);
        }
    }

    /// Compares the schema and the check for one text as this kind of document.
    pub fn document(&mut self, sample: &Sample, kind: DocumentKind, validator: &Validator) {
        let Sample { label, text, format, value, rounded } = sample;
        let rejected = rejected_places(validator, value);
        let document = Document::parse_as(*text, *format);
        let report = check(&Inputs::new(document).kind(kind));
        // Pointers and messages mask names that look like secrets, so they cannot be compared.
        let is_masked =
            |found: &Diagnostic| found.field.contains("***") || found.message.contains("***");
        if report.diagnostics.iter().any(is_masked) {
            return;
        }
        self.documents += 1;
        self.rejections += rejected.len() as u32;
        let found = report.diagnostics.iter().filter(|it| it.verdict != VerdictKind::Advice);
        let kind = kind.name();
        // The names of readings and their values are known to the configuration, not to its table.
        let is_of_readings =
            |place: &str| kind == "configuration" && place.starts_with("/readings");
        for place in rejected.iter().filter(|place| !is_of_readings(place)) {
            // A required field with a wrong name is one finding, at the wrong name.
            let name = place.rsplit('/').next().unwrap_or_default();
            let name = name.replace("~1", "/").replace("~0", "~");
            let renamed = format!("`{name}` is not a field of ");
            let is_renamed = |found: &&Diagnostic| {
                found.rule.id == "missing-field"
                    && without_escapes(&found.message).starts_with(&renamed)
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
            let is_covered = COVERED.contains(&&*found.rule.id)
                || (PARTLY_COVERED.contains(&&*found.rule.id)
                    && found.verdict == VerdictKind::Reject);
            if !is_covered || rounded.contains(&found.field) {
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

    /// Asserts that at least this number of documents was compared, and nothing differs.
    pub fn holds(self, least: u32) {
        let Self { documents, rejections, wrong, .. } = self;
        let shown: Vec<_> = wrong.iter().take(20).collect();
        assert!(wrong.is_empty(), "{} differ: {shown:#?}", wrong.len());
        assert!(
            documents >= least && rejections >= least / 10,
            "only {documents} documents, {rejections} rejections"
        );
    }
}
