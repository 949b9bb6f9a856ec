//! The public conformance suite for YAML readers, where it is at hand.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use voxlint_syntax::{Format, Kind, Node, Parsed, SyntaxErrorKind as Fault, Tree, parse};
use voxlint_testing::shared_folder;

struct Case {
    name: String,
    text: String,
    /// The events of a reader.
    events: Option<String>,
    /// The documents as JSON, one after the other.
    json: Option<String>,
    is_valid: bool,
}

/// Valid YAML that is rejected, with the reason.
const REJECTED: &[(&str, &str)] = &[(
    "ZYU8-2",
    "`%YAML 1.1 1.2`: valid by the letter of the productions only, says the suite, which skips it: they are likely to \
     become invalid",
)];

/// An alias of a value inside a key that is not text: the key is an error, and the value is dropped.
const ANCHORS_IN_NAMES: &[&str] = &["X38W-0"];

/// Errors of valid YAML without a JSON form, or without content.
const NOT_OF_YAML: &[Fault] = &[
    Fault::Empty,
    Fault::UnknownTag,
    Fault::TagMismatch,
    Fault::NameNotText,
    Fault::NotFinite,
    Fault::MergeNotObject,
];

/// The cases of the suite in `../shared`, if present.
fn suite() -> Option<Vec<Case>> {
    let folder = shared_folder("suites/yaml/src")?;
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let mut cases = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("a file");
        let name = file.file_stem().expect("a name").to_string_lossy().into_owned();
        // The files of the suite are YAML themselves.
        let parsed = parse(&*text, Format::Yaml);
        assert!(parsed.errors.is_empty(), "{name}: {:?}", parsed.errors);
        let mut before: BTreeMap<String, String> = BTreeMap::new();
        for (number, entry) in parsed.documents[0].root().expect("cases").elements().enumerate() {
            let field = |name: &str| entry.get(name).and_then(Node::text);
            let mut fields: BTreeMap<String, String> = BTreeMap::new();
            for name in ["yaml", "tree", "json"] {
                // What a case does not say is as in the one before; a tree of its own has a JSON of its own.
                let own = field(name).map(|text| text.as_str().to_owned());
                let is_other = name == "json" && entry.get("tree").is_some();
                let inherited = before.get(name).filter(|_| !is_other).cloned();
                if let Some(text) = own.or(inherited) {
                    fields.insert(name.to_owned(), text);
                }
            }
            cases.push(Case {
                name: format!("{name}-{number}"),
                text: visible(&fields["yaml"]),
                events: fields.get("tree").map(|text| visible(text)),
                json: fields.get("json").cloned(),
                is_valid: entry.get("fail").and_then(Node::as_bool) != Some(true),
            });
            before = fields;
        }
    }
    Some(cases)
}

/// The text that the suite spells with visible signs.
fn visible(text: &str) -> String {
    let mut read = String::new();
    for character in text.chars() {
        match character {
            '␣' => read.push(' '),
            '—' | '↵' => {}
            '»' => read.push('\t'),
            '←' => read.push('\r'),
            '⇔' => read.push('\u{feff}'),
            other => read.push(other),
        }
    }
    // The sign for no line break at the end has one behind it.
    read.strip_suffix("∎\n").map_or(read.clone(), str::to_owned)
}

fn is_rejected(parsed: &Parsed) -> bool {
    parsed.errors.iter().any(|error| !NOT_OF_YAML.contains(&error.kind))
}

#[test]
fn every_valid_text_is_accepted_and_every_invalid_one_rejected() {
    let Some(suite) = suite() else { return };
    let (mut valid, mut invalid) = (0, 0);
    let mut wrong = Vec::new();
    for case in &suite {
        let parsed = parse(&*case.text, Format::Yaml);
        *(if case.is_valid { &mut valid } else { &mut invalid }) += 1;
        let is_exception = REJECTED.iter().any(|(name, _)| *name == case.name);
        if is_rejected(&parsed) != (!case.is_valid || is_exception) {
            wrong.push((&case.name, &case.text, parsed.errors));
        }
    }
    println!("{valid} valid and {invalid} invalid texts");
    assert!(wrong.is_empty(), "{} wrong verdicts: {wrong:#?}", wrong.len());
    assert!(valid >= 310 && invalid >= 90, "the suite is smaller than it was");
}

/// What a document says, for comparing.
#[derive(Debug, PartialEq)]
enum Said {
    Object(Vec<(String, Said)>),
    Array(Vec<Said>),
    /// A scalar by its text, and whether it must be text.
    Scalar(String, bool),
}

#[test]
fn trees_match_the_suite() {
    let Some(suite) = suite() else { return };
    let (mut by_events, mut by_json) = (0, 0);
    let mut wrong = Vec::new();
    for case in suite.iter().filter(|case| case.is_valid) {
        if REJECTED.iter().any(|(name, _)| *name == case.name) {
            continue;
        }
        let parsed = parse(&*case.text, Format::Yaml);
        if let Some(events) = &case.events {
            by_events += 1;
            let expected = Events::new(events).documents();
            let read: Vec<_> = parsed.documents.iter().map(|tree| tree.root().map(said)).collect();
            // No document at all is told as an empty one.
            let read = if expected.is_empty() && read == [None] { Vec::new() } else { read };
            let is_exception = ANCHORS_IN_NAMES.contains(&case.name.as_str());
            if !same_documents(&expected, &read) && !is_exception {
                wrong.push(format!("{}: {read:?}, not {expected:?}\n{}", case.name, case.text));
            }
        }
        if let Some(json) = &case.json {
            by_json += 1;
            let expected: Vec<Value> = serde_json::Deserializer::from_str(json)
                .into_iter()
                .collect::<Result<_, _>>()
                .expect("JSON");
            let read = parsed.documents.iter().map(|tree| tree.root().map_or(Value::Null, value));
            let read: Vec<Value> = read.collect();
            let is_nothing = expected.is_empty() && read == [Value::Null];
            let is_same = expected.len() == read.len()
                && expected.iter().zip(&read).all(|(expected, read)| same_json(expected, read));
            if !is_same && !is_nothing {
                wrong.push(format!("{}: {read:?}, not {expected:?}\n{}", case.name, case.text));
            }
        }
    }
    println!("{by_events} trees compared with events, {by_json} with JSON");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(by_events >= 300 && by_json >= 250, "the suite is smaller than it was");
}

/// Compares documents. The tag decides whether a missing value is null or an empty text.
fn same_documents(expected: &[Said], read: &[Option<Said>]) -> bool {
    expected.len() == read.len()
        && expected.iter().zip(read).all(|(expected, read)| match read {
            None => *expected == Said::Scalar(String::new(), false),
            Some(read) => same(expected, read),
        })
}

fn same(expected: &Said, read: &Said) -> bool {
    match (expected, read) {
        (Said::Object(expected), Said::Object(read)) => {
            expected.len() == read.len()
                && expected.iter().zip(read).all(|((name, expected), (read_name, read))| {
                    (name == read_name || name.starts_with('\0')) && same(expected, read)
                })
        }
        (Said::Array(expected), Said::Array(read)) => {
            expected.len() == read.len()
                && expected.iter().zip(read).all(|(expected, read)| same(expected, read))
        }
        (Said::Scalar(expected, must_be_text), Said::Scalar(read, is_text)) => {
            expected == read && (*is_text || !must_be_text)
        }
        _ => false,
    }
}

fn said(node: Node<'_>) -> Said {
    match node.kind() {
        Kind::Object => {
            let member = |member: voxlint_syntax::Member<'_>| {
                (member.name().into_owned(), said(member.value))
            };
            Said::Object(node.members().map(member).collect())
        }
        Kind::Array => Said::Array(node.elements().map(said).collect()),
        Kind::String | Kind::Key => Said::Scalar(node.as_str().unwrap().into_owned(), true),
        _ => Said::Scalar(node.source().trim_matches('"').to_owned(), false),
    }
}

fn value(node: Node<'_>) -> Value {
    match node.kind() {
        Kind::Object => {
            let members = node.members();
            Value::Object(members.map(|one| (one.name().into_owned(), value(one.value))).collect())
        }
        Kind::Array => Value::Array(node.elements().map(value).collect()),
        Kind::String | Kind::Key => Value::String(node.as_str().unwrap().into_owned()),
        Kind::Number => {
            let number = node.decimal().expect("a number").literal().to_owned();
            serde_json::from_str(&number).expect("a number")
        }
        Kind::Bool => Value::Bool(node.as_bool().unwrap()),
        Kind::Null | Kind::Invalid => Value::Null,
    }
}

/// Compares values; numbers by what they are, however they are spelled.
fn same_json(expected: &Value, read: &Value) -> bool {
    match (expected, read) {
        (Value::Number(expected), Value::Number(read)) => expected.as_f64() == read.as_f64(),
        (Value::Array(expected), Value::Array(read)) => {
            expected.len() == read.len()
                && expected.iter().zip(read).all(|(expected, read)| same_json(expected, read))
        }
        (Value::Object(expected), Value::Object(read)) => {
            expected.len() == read.len()
                && expected
                    .iter()
                    .all(|(name, one)| read.get(name).is_some_and(|read| same_json(one, read)))
        }
        _ => expected == read,
    }
}

/// The events of the suite, a line each.
struct Events<'a> {
    lines: std::iter::Peekable<std::str::Lines<'a>>,
    anchors: BTreeMap<String, String>,
}

impl<'a> Events<'a> {
    fn new(text: &'a str) -> Self {
        Self { lines: text.lines().peekable(), anchors: BTreeMap::new() }
    }

    fn documents(mut self) -> Vec<Said> {
        let mut documents = Vec::new();
        while let Some(line) = self.lines.next() {
            if line.trim_start().starts_with("+DOC") {
                self.anchors.clear();
                documents.push(self.node());
            }
        }
        documents
    }

    /// The next value, all its events gone over.
    fn node(&mut self) -> Said {
        let mut raw = Vec::new();
        let mut depth = 0;
        // The lines of this value; the aliases in it are replaced by the lines of theirs.
        loop {
            let line = self.lines.next().expect("an event").trim_start();
            depth += match &line[..1] {
                "+" => 1,
                "-" => -1,
                _ => 0,
            };
            raw.push(line.to_owned());
            if depth == 0 {
                break;
            }
        }
        build(&mut raw.into_iter(), &mut self.anchors)
    }
}

fn build(lines: &mut impl Iterator<Item = String>, anchors: &mut BTreeMap<String, String>) -> Said {
    let line = lines.next().expect("an event");
    build_from(&line, lines, anchors)
}

fn build_from(
    line: &str,
    lines: &mut impl Iterator<Item = String>,
    anchors: &mut BTreeMap<String, String>,
) -> Said {
    if let Some(name) = line.strip_prefix("=ALI *") {
        let lines = anchors[name].clone();
        let mut lines = lines.lines().map(str::to_owned).collect::<Vec<_>>().into_iter();
        let first = lines.next().unwrap();
        return build_from(&first, &mut lines, anchors);
    }
    let mut rest = &line[4..];
    let mut anchor = None;
    let mut tag = None;
    loop {
        rest = rest.strip_prefix(' ').unwrap_or(rest);
        if rest.starts_with(['&', '<']) {
            let end = if rest.starts_with('<') {
                rest.find('>').unwrap() + 1
            } else {
                rest.find(' ').unwrap_or(rest.len())
            };
            *(if rest.starts_with('&') { &mut anchor } else { &mut tag }) = Some(&rest[..end]);
            rest = &rest[end..];
        } else if rest.starts_with("[]") || rest.starts_with("{}") {
            rest = &rest[2..];
        } else {
            break;
        }
    }
    let unnamed = anchor.map(|anchor| line.replacen(&format!("{anchor} "), "", 1));
    let plain = unnamed.unwrap_or_else(|| line.to_owned());
    let mut remember = |all: String| {
        if let Some(anchor) = anchor {
            anchors.insert(anchor[1..].to_owned(), all);
        }
    };
    match &line[..4] {
        "=VAL" => {
            remember(plain);
            let is_text = matches!(tag, Some("<tag:yaml.org,2002:str>"))
                || tag.is_none() && !rest.starts_with(':');
            Said::Scalar(unescape(&rest[1..]), is_text)
        }
        "+MAP" | "+SEQ" => {
            let mut inner = Vec::new();
            let mut depth = 1;
            while depth > 0 {
                let line = lines.next().expect("an event");
                depth += match &line[..1] {
                    "+" => 1,
                    "-" => -1,
                    _ => 0,
                };
                inner.push(line);
            }
            let end = inner.pop().unwrap();
            let mut all = vec![plain];
            all.extend(inner.iter().cloned());
            all.push(end);
            remember(all.join("\n"));
            let mut inner = inner.into_iter();
            let mut children = Vec::new();
            while let Some(line) = inner.next() {
                children.push(build_from(&line, &mut inner, anchors));
            }
            if line.starts_with("+SEQ") {
                return Said::Array(children);
            }
            let mut members = Vec::new();
            let mut children = children.into_iter();
            while let (Some(name), Some(value)) = (children.next(), children.next()) {
                // JSON keys must be text.
                let name = match name {
                    Said::Scalar(name, _) => name,
                    _ => "\0".to_owned(),
                };
                members.push((name, value));
            }
            Said::Object(members)
        }
        _ => panic!("{line}"),
    }
}

fn unescape(text: &str) -> String {
    let mut read = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        read.push(match character {
            '\\' => match characters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('b') => '\u{8}',
                Some('0') => '\0',
                Some('\\') => '\\',
                other => panic!("\\{other:?} in {text}"),
            },
            other => other,
        });
    }
    read
}

#[test]
fn every_scalar_maps_back_to_its_bytes() {
    let Some(suite) = suite() else { return };
    let mut count = 0;
    let mut wrong = Vec::new();
    for case in suite.iter().filter(|case| case.is_valid) {
        let parsed = parse(&*case.text, Format::Yaml);
        for node in parsed.documents.iter().flat_map(Tree::nodes) {
            let Some(text) = node.text() else { continue };
            count += 1;
            let places: Vec<_> = text
                .as_str()
                .char_indices()
                .map(|(at, character)| text.to_source(at..at + character.len_utf8()))
                .collect();
            // All of it from all of it is what is said where the two do not agree.
            let is_coarse = places.len() > 1 && places.iter().all(|place| *place == places[0]);
            let is_ordered = places.windows(2).all(|two| two[0].end <= two[1].start);
            if is_coarse && !node.source().starts_with('*') || !is_ordered && !is_coarse {
                wrong.push((&case.name, text.as_str().to_owned(), node.source().to_owned()));
            }
        }
    }
    println!("{count} texts");
    assert!(wrong.is_empty(), "{} without a way back: {wrong:#?}", wrong.len());
}

#[test]
fn every_prefix_is_read_with_spans_inside_the_text() {
    let Some(suite) = suite() else { return };
    let mut count = 0;
    for case in &suite {
        for (end, _) in case.text.char_indices().chain([(case.text.len(), ' ')]) {
            let text = &case.text[..end];
            count += 1;
            let parsed = parse(text, Format::Yaml);
            assert!(!parsed.documents.is_empty());
            for node in parsed.documents.iter().flat_map(Tree::nodes) {
                let span = node.span();
                let name = &case.name;
                assert!(
                    text.get(span.start as usize..span.end as usize).is_some(),
                    "{name} {node:?} in {text:?}"
                );
                if let Some(read) = node.text() {
                    for (at, character) in read.as_str().char_indices() {
                        let place = read.to_source(at..at + character.len_utf8());
                        let range = place.start as usize..place.end as usize;
                        assert!(text.get(range).is_some(), "{name} {node:?} {place:?} in {text:?}");
                    }
                }
            }
            for error in &parsed.errors {
                let span = error.span;
                let range = span.start as usize..span.end as usize;
                assert!(text.get(range).is_some(), "{} {error:?} in {text:?}", case.name);
                assert!(!error.message(text).is_empty());
            }
        }
    }
    println!("{count} prefixes");
}

/// Valid JSON that is invalid YAML: unescaped characters outside `c-printable`. YAML 1.2 recommends to accept them in quotes, but
/// neither the library nor libyaml does.
const JSON_BUT_NOT_YAML: &[&str] = &[
    "y_string_nonCharacterInUTF-8_U+FFFF.json",
    "y_string_unescaped_char_delete.json",
    "y_string_with_del_character.json",
];

#[test]
fn json_is_yaml_and_says_the_same_at_the_same_places() {
    let Some(folder) = shared_folder("suites/json/test_parsing") else { return };
    let mut count = 0;
    let mut wrong = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if !name.starts_with("y_") {
            continue;
        }
        count += 1;
        let text = fs::read_to_string(&path).expect("a file");
        let json = parse(&*text, Format::Json);
        let yaml = parse(&*text, Format::Yaml);
        let told = |parsed: &Parsed| -> Vec<_> {
            parsed.documents[0]
                .nodes()
                .map(|node| {
                    let text = node.as_str().map(Cow::into_owned);
                    (node.kind(), node.span(), node.opening(), text)
                })
                .collect()
        };
        let is_exception = JSON_BUT_NOT_YAML.contains(&name.as_str());
        if (told(&json) != told(&yaml) || !yaml.errors.is_empty()) != is_exception {
            wrong.push((name, text.clone(), yaml.errors.clone(), told(&json), told(&yaml)));
        }
    }
    println!("{count} texts");
    assert!(wrong.is_empty(), "{} differ: {wrong:#?}", wrong.len());
}
