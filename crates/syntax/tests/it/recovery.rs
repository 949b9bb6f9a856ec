//! Documents as people break them. One mistake is one fault, several independent ones are one each, and as much of the
//! rest as can be is in the tree. Where nothing is lost, the document is not called incomplete.

use std::fmt::Write as _;

use voxlint_syntax::{Format, Kind, LineIndex, Node, Span, SyntaxError, parse};
use voxlint_testing::texts::{Block, assert_blocks, blocks};

/// The documents, with what is said of them.
const DOCUMENTS: &str = "crates/syntax/tests/recovery.txt";

#[test]
fn one_mistake_is_one_fault_and_the_rest_is_read() {
    assert_blocks(DOCUMENTS, |block| {
        let parsed = parse(&*block.text, Format::Json);
        let index = LineIndex::new(&block.text);
        let tree = &parsed.documents[0];
        let errors = parsed.errors.iter().map(|error| describe(error, &block.text, &index));
        let names = tree.nodes().filter(|node| node.kind() == Kind::Key);
        let names: Vec<_> = names.map(|key| key.as_str().unwrap().into_owned()).collect();
        let names =
            if names.is_empty() { "no names" } else { &*format!("names {}", names.join(" ")) };
        let root = match tree.root() {
            None => "no document",
            Some(root) if root.is_incomplete() => "incomplete",
            Some(_) => "whole",
        };
        let lines = errors.chain([names.to_owned(), root.to_owned()]);
        lines.collect::<Vec<_>>().join("\n")
    });
}

#[test]
fn messages_are_phrases() {
    for Block { claim, text, .. } in blocks(DOCUMENTS) {
        for error in parse(&*text, Format::Json).errors {
            let words = [Some(error.message(&text)), error.help(&text)];
            let labels = [Some(error.label()), error.related_label()];
            let labels = labels.map(|label| label.map(str::to_owned));
            for phrase in words.into_iter().chain(labels).flatten() {
                let is_plain =
                    ["JSON ", "YAML ", "TOML "].iter().any(|name| phrase.starts_with(name))
                        || phrase.starts_with(|first: char| first.is_lowercase() || first == '`');
                assert!(is_plain && !phrase.ends_with('.'), "{claim}: {phrase}");
            }
        }
    }
}

/// A document that is cut short has one fault, wherever the cut is, and keeps what comes before it.
#[test]
fn a_cut_is_one_fault() {
    const TEXT: &str = "{\n  \"title\": \"a\\u00e9\\\"b\",\n  \"on\": true,\n  \"list\": [1.5e+3, null, {\n    \
                        \"x\": -0.25\n  }],\n  \"empty\": {},\n  \"last\": false\n}\n";
    let compact = TEXT.replace(['\n', ' '], "");
    for text in [TEXT, &compact] {
        let end = text.trim_end().len();
        let whole = parse(text, Format::Json);
        assert!(whole.errors.is_empty());
        for cut in 0..end {
            let parsed = parse(&text[..cut], Format::Json);
            assert_eq!(parsed.errors.len(), 1, "{:?} {:?}", &text[..cut], parsed.errors);
            let cut_off = parsed.documents[0].root().is_none_or(Node::is_incomplete);
            assert!(cut_off, "{:?}", &text[..cut]);
            for (before, after) in whole.documents[0].nodes().zip(parsed.documents[0].nodes()) {
                let same =
                    before.kind() == after.kind() && before.span().start == after.span().start;
                let is_last = after.span().end as usize >= text[..cut].trim_end().len();
                assert!(same || is_last, "{before:?} is {after:?} in {:?}", &text[..cut]);
            }
        }
    }
}

/// Without any one of its commas, colons, quotes or brackets, a document has one fault. Where the opening bracket of an
/// array or of one of its elements is lost, the closing one is left over and may be another.
#[test]
fn a_lost_character_is_one_fault() {
    const TEXT: &str = r#"{
  "title": "front desk",
  "on": true,
  "voice": {
    "id": "v1",
    "speed": 1.5
  },
  "list": [
    "one",
    "two"
  ],
  "calls": [
    {
      "to": "+49 30",
      "when": null
    },
    {
      "to": "+49 31",
      "when": 3
    }
  ],
  "last": 1
}
"#;
    let mut wrong = String::new();
    for (at, lost) in TEXT.char_indices().filter(|(_, c)| "{}[]:,\"".contains(*c)) {
        let text = format!("{}{}", &TEXT[..at], &TEXT[at + 1..]);
        let parsed = parse(&*text, Format::Json);
        let names = parsed.documents[0].nodes().filter(|node| node.kind() == Kind::Key).count();
        let is_opening_of_list = lost == '[' || TEXT[..at].ends_with("    ") && lost == '{';
        let most = if is_opening_of_list { 3 } else { 1 };
        if parsed.errors.is_empty() || parsed.errors.len() > most || names < 11 {
            let index = LineIndex::new(&text);
            let errors: Vec<_> = parsed.errors.iter().map(|e| describe(e, &text, &index)).collect();
            let position = index.position(&text, at as u32);
            writeln!(wrong, "{lost} at {position:?}, {names} names: {errors:#?}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

fn describe(error: &SyntaxError, text: &str, index: &LineIndex) -> String {
    let place = |span: Span| {
        let position = index.position(text, span.start);
        format!("{}:{} «{}»", position.line, position.column, span.slice(text))
    };
    let mut description = format!("{:?} {}", error.kind, place(error.span));
    if let Some(related) = error.related {
        write!(description, " with {}", place(related)).unwrap();
    }
    if error.more > 0 {
        write!(description, " and {} more", error.more).unwrap();
    }
    description
}
