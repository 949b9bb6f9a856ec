//! JSON with comments and trailing commas: the tree is the same as that of the JSON without them.

use proptest::prelude::*;
use serde_json::Value;
use voxlint_syntax::{Format, Kind, Span, SyntaxErrorKind as Fault, parse};

/// Everything that a tree says, with its places.
fn tree(text: &str, format: Format) -> Vec<(Kind, Span, Option<String>)> {
    let parsed = parse(text, format);
    parsed.documents[0]
        .nodes()
        .map(|node| (node.kind(), node.span(), node.as_str().map(std::borrow::Cow::into_owned)))
        .collect()
}

fn faults(text: &str, format: Format) -> Vec<(Fault, String)> {
    let parsed = parse(text, format);
    parsed.errors.iter().map(|error| (error.kind, error.span.slice(text).to_owned())).collect()
}

/// The gap between two tokens: white space and comments.
const GAPS: [&str; 10] = [
    "",
    " ",
    "\r\n\t",
    "/**/",
    " /* \"no\": [ {{ */ ",
    "// to the end, with a quote \" and a brace }\n",
    " // नमस्ते 👩‍🚀\r\n  ",
    "/* two\r\n * lines // * / */\n",
    "///\n//\n",
    "/***/ /* , */",
];

/// The same document with comments and trailing commas, and with spaces in their place.
#[derive(Default)]
struct Pair {
    jsonc: String,
    json: String,
}

impl Pair {
    fn token(&mut self, token: &str) {
        self.jsonc.push_str(token);
        self.json.push_str(token);
    }

    fn gap(&mut self, gaps: &mut impl Iterator<Item = u8>) {
        let gap = GAPS[gaps.next().unwrap() as usize % GAPS.len()];
        self.jsonc.push_str(gap);
        self.json.extend(gap.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }));
    }

    fn value(&mut self, value: &Value, gaps: &mut impl Iterator<Item = u8>) {
        match value {
            Value::Array(elements) => {
                self.token("[");
                for (index, element) in elements.iter().enumerate() {
                    self.comma(index, gaps);
                    self.value(element, gaps);
                }
                self.end(elements.is_empty(), "]", gaps);
            }
            Value::Object(members) => {
                self.token("{");
                for (index, (name, member)) in members.iter().enumerate() {
                    self.comma(index, gaps);
                    self.token(&Value::from(name.as_str()).to_string());
                    self.gap(gaps);
                    self.token(":");
                    self.gap(gaps);
                    self.value(member, gaps);
                }
                self.end(members.is_empty(), "}", gaps);
            }
            scalar => self.token(&scalar.to_string()),
        }
    }

    fn comma(&mut self, index: usize, gaps: &mut impl Iterator<Item = u8>) {
        self.gap(gaps);
        if index > 0 {
            self.token(",");
            self.gap(gaps);
        }
    }

    fn end(&mut self, is_empty: bool, bracket: &str, gaps: &mut impl Iterator<Item = u8>) {
        self.gap(gaps);
        if !is_empty && gaps.next().unwrap().is_multiple_of(2) {
            self.jsonc.push(',');
            self.json.push(' ');
            self.gap(gaps);
        }
        self.token(bracket);
    }
}

fn value() -> impl Strategy<Value = Value> {
    let scalar = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        Just(serde_json::json!(-0.25e-9)),
        "[a-z\"\\\\/*,\n\té👩]{0,8}".prop_map(Value::from),
    ];
    scalar.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec(("[a-z/*]{0,4}", inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        rng_seed: proptest::test_runner::RngSeed::Fixed(1),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn without_its_comments_it_is_json(
        value in value(),
        gaps in prop::collection::vec(any::<u8>(), 1..60),
    ) {
        let mut gaps = gaps.into_iter().cycle();
        let mut pair = Pair::default();
        pair.gap(&mut gaps);
        pair.value(&value, &mut gaps);
        pair.gap(&mut gaps);
        let Pair { jsonc, json } = pair;
        prop_assert_eq!(jsonc.len(), json.len());

        prop_assert_eq!(faults(&json, Format::Json), []);
        prop_assert_eq!(faults(&json, Format::Jsonc), []);
        prop_assert_eq!(faults(&jsonc, Format::Jsonc), [], "{}", jsonc);
        let said = tree(&json, Format::Json);
        prop_assert_eq!(&tree(&json, Format::Jsonc), &said);
        prop_assert_eq!(&tree(&jsonc, Format::Jsonc), &said);
        // Strict JSON reports only these errors for the same text, and parses the same tree.
        let strict = faults(&jsonc, Format::Json);
        prop_assert_eq!(strict.is_empty(), serde_json::from_str::<Value>(&jsonc).is_ok());
        for (fault, _) in strict {
            prop_assert!(matches!(fault, Fault::Comment | Fault::TrailingComma));
        }
        prop_assert_eq!(&tree(&jsonc, Format::Json), &said);
    }
}

#[test]
fn all_else_is_as_strict_as_in_json() {
    for (text, expected) in [
        ("{ 'a': 1 }", &[(Fault::SingleQuotes, "'a'")][..]),
        ("{ a: 1 }", &[(Fault::KeyNotQuoted, "a")]),
        ("[1,, 2]", &[(Fault::ExtraComma, ",")]),
        ("[,]", &[(Fault::ExtraComma, ",")]),
        ("{ \"a\": 0x1F }", &[(Fault::InvalidNumber, "0x1F")]),
        ("{ \"a\": 1 } 2 // x", &[(Fault::TrailingText, "2 // x")]),
        ("# a\n{ } # b", &[(Fault::HashComment, "# a")]),
        ("{ \"a\": 1 /* b }", &[(Fault::UnclosedComment, "/*")]),
        ("// nothing\n", &[(Fault::Empty, "")]),
        ("/* nothing", &[(Fault::UnclosedComment, "/*")]),
        ("\"a\",", &[(Fault::TrailingText, ",")]),
        ("{ \"a\": 1 // one\n \"b\": 2 }", &[(Fault::MissingComma, "")]),
    ] {
        let found = faults(text, Format::Jsonc);
        let found: Vec<_> = found.iter().map(|(fault, at)| (*fault, at.as_str())).collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[test]
fn a_missing_comma_belongs_before_the_comment() {
    let text = "{ \"a\": 1 // one\n \"b\": 2 }";
    for format in [Format::Json, Format::Jsonc] {
        let parsed = parse(text, format);
        let missing = parsed.errors.iter().find(|error| error.kind == Fault::MissingComma);
        assert_eq!(missing.unwrap().span, Span::new(8, 8));
    }
}
