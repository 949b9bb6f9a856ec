//! Documents as people break them. One mistake is one fault, several independent ones are one each, and as much of the
//! rest as can be is in the tree. Where nothing is lost, the document is not called incomplete.

use std::fmt::Write as _;

use voxlint_syntax::{Format, Kind, LineIndex, Node, Span, SyntaxError, parse};

struct Row {
    what: &'static str,
    text: &'static str,
    /// The faults: kind, place, the text at fault, the same of the second place, and how many are folded into it.
    errors: &'static [&'static str],
    /// The names in the tree, in their order.
    names: &'static str,
    root: Root,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    Whole,
    Incomplete,
    None,
}

#[test]
fn one_mistake_is_one_fault_and_the_rest_is_read() {
    let mut wrong = String::new();
    for row in ROWS {
        let parsed = parse(row.text, Format::Json);
        let index = LineIndex::new(row.text);
        let tree = &parsed.documents[0];
        let errors: Vec<String> =
            parsed.errors.iter().map(|error| describe(error, row.text, &index)).collect();
        let names: Vec<_> = tree
            .nodes()
            .filter(|node| node.kind() == Kind::Key)
            .map(|key| key.as_str().unwrap().into_owned())
            .collect();
        let root = match tree.root() {
            None => Root::None,
            Some(root) if root.is_incomplete() => Root::Incomplete,
            Some(_) => Root::Whole,
        };
        if errors != row.errors || names.join(" ") != row.names || root != row.root {
            writeln!(wrong, "{}\n{}\n{errors:#?} {names:?} {root:?}", row.what, row.text).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn messages_are_phrases() {
    for row in ROWS {
        for error in parse(row.text, Format::Json).errors {
            let words = [Some(error.message(row.text)), error.help(row.text)];
            let labels = [Some(error.label()), error.related_label()];
            let labels = labels.map(|label| label.map(str::to_owned));
            for phrase in words.into_iter().chain(labels).flatten() {
                let is_plain =
                    ["JSON ", "YAML ", "TOML "].iter().any(|name| phrase.starts_with(name))
                        || phrase.starts_with(|first: char| first.is_lowercase() || first == '`');
                assert!(is_plain && !phrase.ends_with('.'), "{}: {phrase}", row.what);
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

const ROWS: &[Row] = &[
    Row {
        what: "missing comma pretty",
        text: r#"{
  "a": 1
  "b": {"c": 2},
  "d": 3
}"#,
        errors: &[r#"MissingComma 2:9 «» with 3:3 «"»"#],
        names: "a b c d",
        root: Root::Whole,
    },
    Row {
        what: "missing comma one line",
        text: r#"{"a": 1 "b": 2, "c": 3}"#,
        errors: &[r#"MissingComma 1:8 «» with 1:9 «"»"#],
        names: "a b c",
        root: Root::Whole,
    },
    Row {
        what: "missing comma after string and array and object",
        text: r#"{"a": "x" "b": [1] "c": {} "d": 1}"#,
        errors: &[
            r#"MissingComma 1:10 «» with 1:11 «"»"#,
            r#"MissingComma 1:19 «» with 1:20 «"»"#,
            r#"MissingComma 1:27 «» with 1:28 «"»"#,
        ],
        names: "a b c d",
        root: Root::Whole,
    },
    Row {
        what: "missing commas in array",
        text: r#"[1 2, "a" "b", {} []]"#,
        errors: &[
            "MissingComma 1:3 «» with 1:4 «2»",
            r#"MissingComma 1:10 «» with 1:11 «"»"#,
            "MissingComma 1:18 «» with 1:19 «[»",
        ],
        names: "",
        root: Root::Whole,
    },
    Row {
        what: "trailing comma object",
        text: r#"{
  "a": 1,
}"#,
        errors: &["TrailingComma 2:9 «,»"],
        names: "a",
        root: Root::Whole,
    },
    Row {
        what: "two trailing commas",
        text: r#"{"a": [1, 2,], "b": {"c": 1,}, "d": 2}"#,
        errors: &["TrailingComma 1:12 «,»", "TrailingComma 1:28 «,»"],
        names: "a b c d",
        root: Root::Whole,
    },
    Row {
        what: "double comma",
        text: r#"{"a": 1,, "b": 2}"#,
        errors: &["ExtraComma 1:9 «,»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "double comma array",
        text: "[1,,2]",
        errors: &["ExtraComma 1:4 «,»"],
        names: "",
        root: Root::Whole,
    },
    Row {
        what: "leading comma",
        text: r#"{, "a": 1}"#,
        errors: &["ExtraComma 1:2 «,»"],
        names: "a",
        root: Root::Whole,
    },
    Row {
        what: "leading comma array",
        text: "[, 1]",
        errors: &["ExtraComma 1:2 «,»"],
        names: "",
        root: Root::Whole,
    },
    Row {
        what: "double trailing comma",
        text: r#"{"a": 1,,}"#,
        errors: &["TrailingComma 1:8 «,»", "ExtraComma 1:9 «,»"],
        names: "a",
        root: Root::Whole,
    },
    Row {
        what: "only comma",
        text: "{,}",
        errors: &["ExtraComma 1:2 «,»"],
        names: "",
        root: Root::Whole,
    },
    Row {
        what: "comments",
        text: r#"// head
{
  "a": 1, // one
  # two
  /* three
     four */
  "b": 2 /* five */
}
// tail"#,
        errors: &["Comment 1:1 «// head» and 5 more"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "comment unclosed",
        text: r#"{"a": 1} /* never ends"#,
        errors: &["Comment 1:10 «/* never ends»"],
        names: "a",
        root: Root::Whole,
    },
    Row {
        what: "comment inside unclosed",
        text: r#"{"a": 1, /* never ends
"b": 2}"#,
        errors: &["Comment 1:10 «/* never ends»"],
        names: "a",
        root: Root::Incomplete,
    },
    Row {
        what: "single quotes",
        text: r#"{'a': 'x', 'b': ['y', "z"]}"#,
        errors: &[
            "SingleQuotes 1:2 «'a'»",
            "SingleQuotes 1:7 «'x'»",
            "SingleQuotes 1:12 «'b'»",
            "SingleQuotes 1:18 «'y'»",
        ],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "single quotes with apostrophe",
        text: r#"{"a": 'it\'s', "b": 1}"#,
        errors: &[r"SingleQuotes 1:7 «'it\'s'»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "single quotes apostrophe unescaped",
        text: r#"{"a": 'it's', "b": 1}"#,
        errors: &["SingleQuotes 1:7 «'it's'»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "bare keys",
        text: r#"{a: 1, b_c: "x", "d": 2, e-f: 3}"#,
        errors: &["KeyNotQuoted 1:2 «a»", "KeyNotQuoted 1:8 «b_c»", "KeyNotQuoted 1:26 «e-f»"],
        names: "a b_c d e-f",
        root: Root::Whole,
    },
    Row {
        what: "python literals",
        text: r#"{"a": True, "b": False, "c": None, "d": NaN, "e": undefined, "f": Infinity, "g": -Infinity, "h": yes}"#,
        errors: &[
            "NotALiteral 1:7 «True»",
            "NotALiteral 1:18 «False»",
            "NotALiteral 1:30 «None»",
            "NotALiteral 1:41 «NaN»",
            "NotALiteral 1:51 «undefined»",
            "NotALiteral 1:67 «Infinity»",
            "InvalidNumber 1:82 «-Infinity»",
            "NotALiteral 1:98 «yes»",
        ],
        names: "a b c d e f g h",
        root: Root::Whole,
    },
    Row {
        what: "numbers",
        text: "[01, +1, .5, 1., 0x1F, 1_000, 1e, -, --1, 1.2.3, 1,5, 5%, 30s]",
        errors: &[
            "InvalidNumber 1:2 «01»",
            "InvalidNumber 1:6 «+1»",
            "InvalidNumber 1:10 «.5»",
            "InvalidNumber 1:14 «1.»",
            "InvalidNumber 1:18 «0x1F»",
            "InvalidNumber 1:24 «1_000»",
            "InvalidNumber 1:31 «1e»",
            "InvalidNumber 1:35 «-»",
            "InvalidNumber 1:38 «--1»",
            "InvalidNumber 1:43 «1.2.3»",
            "Unexpected 1:56 «%»",
            "InvalidNumber 1:59 «30s»",
        ],
        names: "",
        root: Root::Incomplete,
    },
    Row {
        what: "missing colon",
        text: r#"{"a" 1, "b": 2}"#,
        errors: &["MissingColon 1:5 «»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "missing colon pretty",
        text: r#"{
  "a" "x",
  "b": 2
}"#,
        errors: &["MissingColon 2:6 «»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "missing colon container",
        text: r#"{"a" {"c": 1}, "b": [1]}"#,
        errors: &["MissingColon 1:5 «»"],
        names: "a c b",
        root: Root::Whole,
    },
    Row {
        what: "equals",
        text: r#"{"a" = 1, "b" => 2, "c": 3}"#,
        errors: &["NotAColon 1:6 «=»", "NotAColon 1:15 «=>»"],
        names: "a b c",
        root: Root::Whole,
    },
    Row {
        what: "bare equals",
        text: "{a = 1, b => 2}",
        errors: &["KeyNotQuoted 1:2 «a»", "KeyNotQuoted 1:9 «b»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "semicolon",
        text: r#"{"a": 1; "b": 2; "c": 3}"#,
        errors: &["NotAComma 1:8 «;»", "NotAComma 1:16 «;»"],
        names: "a b c",
        root: Root::Whole,
    },
    Row {
        what: "semicolon end",
        text: r#"{"a": 1, "b": 2;}"#,
        errors: &["Unexpected 1:16 «;»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "semicolon after doc",
        text: r#"{"a": 1};"#,
        errors: &["TrailingText 1:9 «;»"],
        names: "a",
        root: Root::Whole,
    },
    Row {
        what: "comma after doc",
        text: r#"{"a": 1},"#,
        errors: &["TrailingText 1:9 «,»"],
        names: "a",
        root: Root::Whole,
    },
    Row {
        what: "missing value",
        text: r#"{"a": , "b": 2}"#,
        errors: &["MissingValue 1:7 «»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "missing value end",
        text: r#"{"a": 1, "b": }"#,
        errors: &["MissingValue 1:15 «»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "missing value pretty no comma",
        text: r#"{
  "a":
  "b": 2
}"#,
        errors: &["MissingValue 2:7 «»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "name only",
        text: r#"{"a", "b": 2}"#,
        errors: &["MissingValue 1:5 «»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "name only end",
        text: r#"{"b": 2, "a"}"#,
        errors: &["MissingValue 1:13 «»"],
        names: "b a",
        root: Root::Whole,
    },
    Row {
        what: "set braces",
        text: r#"{"a", "b"}"#,
        errors: &["MissingValue 1:5 «»", "MissingValue 1:10 «»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "missing closing at the end",
        text: r#"{
  "a": {
    "b": 1
  },
  "c": 2"#,
        errors: &["Unclosed 1:1 «{» with 5:9 «»"],
        names: "a b c",
        root: Root::Incomplete,
    },
    Row {
        what: "missing inner closing",
        text: r#"{
  "a": {
    "b": 1,
  "c": 2,
  "d": 3
}"#,
        errors: &["Unclosed 2:8 «{» with 4:3 «»"],
        names: "a b c d",
        root: Root::Whole,
    },
    Row {
        what: "missing inner closing 2",
        text: r#"{
  "a": {
    "b": 1
  "c": {
    "x": 2
  },
  "d": 3
}"#,
        errors: &["Unclosed 2:8 «{» with 4:3 «»"],
        names: "a b c x d",
        root: Root::Whole,
    },
    Row {
        what: "missing inner array closing",
        text: r#"{
  "a": [
    1,
    2
  ,
  "c": {
    "x": 2
  },
  "d": 3
}"#,
        errors: &["Unclosed 2:8 «[» with 6:3 «»"],
        names: "a c x d",
        root: Root::Whole,
    },
    Row {
        what: "missing inner array closing 2",
        text: r#"{
  "a": [
    "x",
    "y",
  "c": 2,
  "d": 3
}"#,
        errors: &["Unclosed 2:8 «[» with 5:3 «»"],
        names: "a c d",
        root: Root::Whole,
    },
    Row {
        what: "missing array closing one line",
        text: r#"{"a": [1, 2, "b": 3}"#,
        errors: &["Unclosed 1:7 «[» with 1:14 «»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "missing array closing one line end",
        text: r#"{"a": [1, 2}"#,
        errors: &["Unclosed 1:7 «[» with 1:12 «}»"],
        names: "a",
        root: Root::Whole,
    },
    Row {
        what: "mismatched",
        text: r#"{"a": [1, 2}, "b": 3}"#,
        errors: &["MismatchedBracket 1:12 «}» with 1:7 «[»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "mismatched 2",
        text: r#"{"a": {"x": 1], "b": 3}"#,
        errors: &["MismatchedBracket 1:14 «]» with 1:7 «{»"],
        names: "a x b",
        root: Root::Whole,
    },
    Row {
        what: "mismatched pretty",
        text: r#"{
  "a": [
    1
  },
  "b": 2
}"#,
        errors: &["MismatchedBracket 4:3 «}» with 2:8 «[»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "missing brace before bracket pretty",
        text: r#"{
  "list": [
    {
      "a": 1
    },
    {
      "b": 2
  ],
  "c": 3
}"#,
        errors: &["Unclosed 6:5 «{» with 8:3 «]»"],
        names: "list a b c",
        root: Root::Whole,
    },
    Row {
        what: "extra closing end",
        text: r#"{"a": 1}}"#,
        errors: &["StrayClose 1:9 «}»"],
        names: "a",
        root: Root::Whole,
    },
    Row {
        what: "extra closing end pretty",
        text: r#"{
  "a": 1
}
}"#,
        errors: &["StrayClose 4:1 «}»"],
        names: "a",
        root: Root::Whole,
    },
    Row {
        what: "extra closing middle",
        text: r#"{
  "a": {
    "b": 1
  }
  },
  "c": 2
}"#,
        errors: &["StrayClose 5:3 «}»"],
        names: "a b c",
        root: Root::Whole,
    },
    Row {
        what: "extra bracket middle",
        text: r#"{"a": 1], "b": 2}"#,
        errors: &["StrayClose 1:8 «]»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "unclosed string comma",
        text: r#"{
  "a": "hello,
  "b": 2
}"#,
        errors: &[r#"UnclosedString 2:8 «"hello»"#],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "unclosed string last",
        text: r#"{
  "a": 1,
  "b": "hello
}"#,
        errors: &[r#"UnclosedString 3:8 «"hello»"#],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "unclosed string eof",
        text: r#"{"a": 1, "b": "hello"#,
        errors: &[r#"UnclosedString 1:15 «"hello»"#],
        names: "a b",
        root: Root::Incomplete,
    },
    Row {
        what: "unclosed string one line",
        text: r#"{"a": "hello, "b": 2, "c": 3}"#,
        errors: &[r#"UnclosedString 1:7 «"hello»"#],
        names: "a b c",
        root: Root::Whole,
    },
    Row {
        what: "unclosed string one line close",
        text: r#"{"a": 1, "b": "hello}"#,
        errors: &[r#"UnclosedString 1:15 «"hello}»"#],
        names: "a b",
        root: Root::Incomplete,
    },
    Row {
        what: "unclosed key",
        text: r#"{
  "a: 1,
  "b": 2
}"#,
        errors: &[r#"UnclosedString 2:3 «"a»"#],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "unclosed string in array",
        text: r#"{
  "l": [
    "a,
    "b"
  ],
  "c": 2
}"#,
        errors: &[r#"UnclosedString 3:5 «"a»"#],
        names: "l c",
        root: Root::Whole,
    },
    Row {
        what: "missing opening quote",
        text: r#"{"a": hello", "b": 2}"#,
        errors: &[r#"NotALiteral 1:7 «hello"»"#],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "missing opening quote words",
        text: r#"{"a": hello world", "b": 2}"#,
        errors: &[r#"NotALiteral 1:7 «hello world"»"#],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "missing opening quote with comma",
        text: r#"{
  "a": Hello, how are you?",
  "b": 2
}"#,
        errors: &[r#"NotALiteral 2:8 «Hello, how are you?"»"#],
        names: "a b",
        root: Root::Incomplete,
    },
    Row {
        what: "missing opening quote key",
        text: r#"{a": 1, "b": 2}"#,
        errors: &[r#"KeyNotQuoted 1:2 «a"»"#],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "missing quotes value",
        text: r#"{
  "a": hello world,
  "b": 2
}"#,
        errors: &["NotALiteral 2:8 «hello world»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "missing quotes with punctuation",
        text: r#"{
  "a": Hello: you, (what)?
  "b": 2
}"#,
        errors: &["NotALiteral 2:8 «Hello: you, (what)?»", r#"MissingComma 2:27 «» with 3:3 «"»"#],
        names: "a b",
        root: Root::Incomplete,
    },
    Row {
        what: "no quotes url",
        text: r#"{"a": https://x.y/z, "b": 2}"#,
        errors: &["NotALiteral 1:7 «https://x.y/z»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "multi-line prompt",
        text: r#"{
  "a": "line one
line two

line \"four\"",
  "b": 2
}"#,
        errors: &["ControlCharacter 2:17 «
» and 2 more"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "multi-line prompt with brackets",
        text: r#"{
  "a": "Say:
  - one
  {{name}}
  } no
  - two",
  "b": 2
}"#,
        errors: &["ControlCharacter 2:13 «
» and 3 more"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "multi-line prompt indented quoted",
        text: r#"{
  "a": "Say:
    [one]
    two",
  "b": 2
}"#,
        errors: &["ControlCharacter 2:13 «
» and 1 more"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "raw tab",
        text: "{\"a\": \"x\ty\tz\", \"b\": 2}",
        errors: &["ControlCharacter 1:9 «\t» and 1 more"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "windows path",
        text: r#"{"a": "C:\Users\new\x", "b": 2}"#,
        errors: &[r"InvalidEscape 1:10 «\U» and 1 more"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "path end backslash",
        text: r#"{"a": "C:\dir\", "b": 2}"#,
        errors: &[r"InvalidEscape 1:10 «\d» and 1 more"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "path end backslash pretty",
        text: r#"{
  "a": "C:\dir\",
  "b": 2
}"#,
        errors: &[r"InvalidEscape 2:11 «\d» and 1 more"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "escaped apostrophe",
        text: r#"{"a": "it\'s", "b": 2}"#,
        errors: &[r"InvalidEscape 1:10 «\'»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "bad u",
        text: r#"{"a": "\u12", "b": "\uZZZZ", "c": "\u{1F600}"}"#,
        errors: &[
            r"InvalidEscape 1:8 «\u12»",
            r"InvalidEscape 1:21 «\u»",
            r"InvalidEscape 1:36 «\u»",
        ],
        names: "a b c",
        root: Root::Whole,
    },
    Row {
        what: "text after",
        text: r#"{"a": 1} and more"#,
        errors: &["TrailingText 1:10 «and more»"],
        names: "a",
        root: Root::Whole,
    },
    Row {
        what: "two docs",
        text: r#"{"a": 1}
{"b": 2}"#,
        errors: &[r#"TrailingText 2:1 «{"b": 2}»"#],
        names: "a",
        root: Root::Whole,
    },
    Row {
        what: "two docs array",
        text: "[1]
[2]",
        errors: &["TrailingText 2:1 «[2]»"],
        names: "",
        root: Root::Whole,
    },
    Row { what: "empty", text: "", errors: &["Empty 1:1 «»"], names: "", root: Root::None },
    Row {
        what: "white space",
        text: "   

",
        errors: &["Empty 3:1 «»"],
        names: "",
        root: Root::None,
    },
    Row {
        what: "only comment",
        text: "// nothing",
        errors: &["Comment 1:1 «// nothing»", "Empty 1:11 «»"],
        names: "",
        root: Root::None,
    },
    Row {
        what: "nbsp",
        text: "{\u{a0}\"a\":\u{a0}1,\n\u{a0}\u{a0}\"b\": 2\u{a0}}",
        errors: &["Unexpected 1:2 «\u{a0}» and 4 more"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "a curly quote closes a string",
        text: r#"{"title": "x”, "b": 2}"#,
        errors: &["CurlyQuotes 1:13 «”»"],
        names: "title b",
        root: Root::Whole,
    },
    Row {
        what: "single curly quotes",
        text: r#"{"title": ‘x’, "b": 2}"#,
        errors: &["CurlyQuotes 1:11 «‘x’»"],
        names: "title b",
        root: Root::Whole,
    },
    Row {
        what: "decimal comma",
        text: r#"{"a": 0,7, "b": -12,50}"#,
        errors: &["DecimalComma 1:7 «0,7»", "DecimalComma 1:17 «-12,50»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "numbers in an array are not decimal commas",
        text: r#"{"a": [0,7], "b": 1, "c": 2,3x}"#,
        errors: &["Unexpected 1:29 «3x»"],
        names: "a b c",
        root: Root::Incomplete,
    },
    Row {
        what: "a date without quotes",
        text: r#"{"a": 2026-03-02, "b": [1-2]}"#,
        errors: &["InvalidNumber 1:7 «2026-03-02»", "InvalidNumber 1:25 «1-2»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "a merge conflict",
        text: "{\n<<<<<<< HEAD\n\"a\": 1,\n=======\n\"a\": 2,\n>>>>>>> theirs\n\"b\": 2}",
        errors: &["ConflictMarker 2:1 «<<<<<<< HEAD»"],
        names: "a b",
        root: Root::Incomplete,
    },
    Row {
        what: "smart quotes",
        text: r#"{“title”: “x”, "b": 2}"#,
        errors: &["CurlyQuotes 1:2 «“title”» and 1 more"],
        names: "title b",
        root: Root::Whole,
    },
    Row {
        what: "smart quotes mixed",
        text: r#"{
  “title”: “hello, world”,
  "b": ”y"
}"#,
        errors: &["CurlyQuotes 2:3 «“title”» and 2 more"],
        names: "title b",
        root: Root::Incomplete,
    },
    Row {
        what: "value without name",
        text: r#"{"a": 1, {"x": 1}, "b": 2}"#,
        errors: &["MissingKey 1:10 «{»"],
        names: "a  x b",
        root: Root::Incomplete,
    },
    Row {
        what: "value without name number",
        text: r#"{"a": 1, 5, "b": 2}"#,
        errors: &["MissingKey 1:10 «5»"],
        names: "a b",
        root: Root::Incomplete,
    },
    Row {
        what: "value without name string",
        text: r#"{"a": 1, "x", "b": 2}"#,
        errors: &["MissingValue 1:13 «»"],
        names: "a x b",
        root: Root::Whole,
    },
    Row {
        what: "value without name colon",
        text: r#"{"a": 1, : 5, "b": 2}"#,
        errors: &["MissingKey 1:10 «:»"],
        names: "a  b",
        root: Root::Incomplete,
    },
    Row {
        what: "array in key",
        text: r#"{["x"]: 1, "b": 2}"#,
        errors: &["MissingKey 1:2 «[»"],
        names: " b",
        root: Root::Incomplete,
    },
    Row {
        what: "number key",
        text: r#"{1: "x", "b": 2}"#,
        errors: &["KeyNotQuoted 1:2 «1»"],
        names: "1 b",
        root: Root::Whole,
    },
    Row {
        what: "cut name",
        text: r#"{"a": 1, "b"#,
        errors: &[r#"UnclosedString 1:10 «"b»"#],
        names: "a b",
        root: Root::Incomplete,
    },
    Row {
        what: "cut after name",
        text: r#"{"a": 1, "b""#,
        errors: &["Unclosed 1:1 «{» with 1:13 «»"],
        names: "a b",
        root: Root::Incomplete,
    },
    Row {
        what: "cut after colon",
        text: r#"{"a": 1, "b":"#,
        errors: &["Unclosed 1:1 «{» with 1:14 «»"],
        names: "a b",
        root: Root::Incomplete,
    },
    Row {
        what: "cut after comma",
        text: r#"{"a": 1,"#,
        errors: &["Unclosed 1:1 «{» with 1:9 «»"],
        names: "a",
        root: Root::Incomplete,
    },
    Row {
        what: "cut in number",
        text: r#"{"a": 1, "b": -"#,
        errors: &["Unclosed 1:1 «{» with 1:16 «»"],
        names: "a b",
        root: Root::Incomplete,
    },
    Row {
        what: "cut in literal",
        text: r#"{"a": 1, "b": tr"#,
        errors: &["Unclosed 1:1 «{» with 1:17 «»"],
        names: "a b",
        root: Root::Incomplete,
    },
    Row {
        what: "cut in array",
        text: r#"{"a": [1, 2"#,
        errors: &["Unclosed 1:7 «[» with 1:12 «» and 1 more"],
        names: "a",
        root: Root::Incomplete,
    },
    Row {
        what: "cut in array comma",
        text: r#"{"a": [1, 2,"#,
        errors: &["Unclosed 1:7 «[» with 1:13 «» and 1 more"],
        names: "a",
        root: Root::Incomplete,
    },
    Row {
        what: "cut in escape",
        text: r#"{"a": "x\"#,
        errors: &[r#"UnclosedString 1:7 «"x\»"#],
        names: "a",
        root: Root::Incomplete,
    },
    Row {
        what: "cut in u",
        text: r#"{"a": "x\u00"#,
        errors: &[r#"UnclosedString 1:7 «"x\u00»"#],
        names: "a",
        root: Root::Incomplete,
    },
    Row {
        what: "cut after brace",
        text: "{",
        errors: &["Unclosed 1:1 «{» with 1:2 «»"],
        names: "",
        root: Root::Incomplete,
    },
    Row {
        what: "cut in comment",
        text: r#"{"a": 1 /* x"#,
        errors: &["Comment 1:9 «/* x»"],
        names: "a",
        root: Root::Incomplete,
    },
    Row {
        what: "stray word",
        text: r#"{"a": 1 foo, "b": 2}"#,
        errors: &["Unexpected 1:9 «foo»"],
        names: "a b",
        root: Root::Incomplete,
    },
    Row {
        what: "stray word 2",
        text: r#"{"a": "x" foo "b": 2}"#,
        errors: &["Unexpected 1:11 «foo»"],
        names: "a b",
        root: Root::Incomplete,
    },
    Row {
        what: "string then tail",
        text: r#"{"a": "say "hello" now", "b": 2}"#,
        errors: &[r#"QuoteInString 1:12 «"»"#],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "string then tail 2",
        text: r#"{
  "a": "say "hello" now",
  "b": "x"
}"#,
        errors: &[r#"QuoteInString 2:13 «"»"#],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "unescaped quotes end",
        text: r#"{"a": "she said "hello"", "b": 2}"#,
        errors: &[r#"QuoteInString 1:17 «"»"#],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "array colon",
        text: r#"["a": 1, "b": 2]"#,
        errors: &["MismatchedBracket 1:1 «[»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "triple quotes",
        text: r#"{"a": """x
y""", "b": 2}"#,
        errors: &[r#"QuoteInString 1:7 «"""»"#],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "backtick",
        text: r#"{"a": `hello`, "b": 2}"#,
        errors: &["NotALiteral 1:7 «`hello`»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "concat",
        text: r#"{"a": "x" + "y", "b": 2}"#,
        errors: &[r#"Unexpected 1:11 «+ "y"»"#],
        names: "a b",
        root: Root::Incomplete,
    },
    Row {
        what: "concat lines",
        text: r#"{
  "a": "x" +
       "y",
  "b": 2
}"#,
        errors: &[r#"Unexpected 2:12 «+
       "y"»"#],
        names: "a b",
        root: Root::Incomplete,
    },
    Row {
        what: "parens",
        text: r#"("a")"#,
        errors: &[r#"NotALiteral 1:1 «("a")»"#],
        names: "",
        root: Root::Whole,
    },
    Row {
        what: "ndash number",
        text: r#"{"a": –5, "b": 2}"#,
        errors: &["NotALiteral 1:7 «–5»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "fenced",
        text: r#"```json
{"a": 1}
```"#,
        errors: &["Unexpected 1:1 «```json»"],
        names: "a",
        root: Root::Whole,
    },
    Row {
        what: "assignment",
        text: r#"const x = {"a": 1};"#,
        errors: &["Unexpected 1:1 «const x =»", "TrailingText 1:19 «;»"],
        names: "a",
        root: Root::Whole,
    },
    Row {
        what: "ellipsis",
        text: r#"{"a": 1, ...}"#,
        errors: &["Unexpected 1:10 «...»"],
        names: "a",
        root: Root::Incomplete,
    },
    Row {
        what: "spread",
        text: r#"{...base, "a": 1}"#,
        errors: &["Unexpected 1:2 «...base»"],
        names: "a",
        root: Root::Incomplete,
    },
    Row {
        what: "template",
        text: r#"{"a": {{name}}, "b": 2}"#,
        errors: &["NotALiteral 1:7 «{{name}}»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "template string",
        text: r#"{"a": {{name}}/x, "b": 2}"#,
        errors: &["NotALiteral 1:7 «{{name}}/x»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "missing brace open",
        text: r#""a": 1, "b": 2}"#,
        errors: &["Unopened 1:1 «»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "missing brace open pretty",
        text: r#"  "a": 1,
  "b": 2
}"#,
        errors: &["Unopened 1:3 «»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "yaml",
        text: "a: 1
b: 2",
        errors: &["NotALiteral 1:1 «a: 1»"],
        names: "",
        root: Root::Whole,
    },
    Row {
        what: "prose",
        text: "hello world",
        errors: &["NotALiteral 1:1 «hello world»"],
        names: "",
        root: Root::Whole,
    },
    Row {
        what: "function",
        text: r#"{"a": new Date(), "b": 2}"#,
        errors: &["NotALiteral 1:7 «new Date()»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "regex",
        text: r#"{"a": /x/, "b": 2}"#,
        errors: &["NotALiteral 1:7 «/x/»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "cr only",
        text: "{\"a\": 1,\r\"b\": 2,}",
        errors: &["TrailingComma 2:7 «,»"],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "two lost brackets pretty",
        text: r#"{
  "a": {
    "b": 1,
  "c": {
    "x": 2,
  "d": 3
}"#,
        errors: &["Unclosed 2:8 «{» with 4:3 «»", "Unclosed 4:8 «{» with 6:3 «»"],
        names: "a b c x d",
        root: Root::Whole,
    },
    Row {
        what: "lost bracket deeper",
        text: r#"{
  "a": {
    "b": {
      "c": 1,
    "d": 2
  },
  "e": 3
}"#,
        errors: &["Unclosed 2:8 «{» with 7:3 «»"],
        names: "a b c d e",
        root: Root::Whole,
    },
    Row {
        what: "lost last",
        text: r#"{
  "a": {
    "b": 1
}"#,
        errors: &["Unclosed 2:8 «{» with 4:2 «»"],
        names: "a b",
        root: Root::Incomplete,
    },
    Row {
        what: "mixed independent",
        text: r#"{
  'a': True,
  "b": [1, 2,],
  c: 01
  "d" 3
}"#,
        errors: &[
            "SingleQuotes 2:3 «'a'»",
            "NotALiteral 2:8 «True»",
            "TrailingComma 3:13 «,»",
            "KeyNotQuoted 4:3 «c»",
            "InvalidNumber 4:6 «01»",
            r#"MissingComma 4:8 «» with 5:3 «"»"#,
            "MissingColon 5:6 «»",
        ],
        names: "a b c d",
        root: Root::Whole,
    },
    Row {
        what: "list of objects lost brace",
        text: r#"{
  "l": [
    {
      "a": 1,
    {
      "b": 2
    }
  ],
  "c": 3
}"#,
        errors: &["Unclosed 3:5 «{» with 5:5 «»"],
        names: "l a b c",
        root: Root::Whole,
    },
    Row {
        what: "ndjson commas",
        text: r#"{"a": 1},
{"b": 2}"#,
        errors: &["TrailingText 1:9 «,»"],
        names: "a",
        root: Root::Whole,
    },
    Row {
        what: "members only",
        text: r#""a": 1"#,
        errors: &["Unopened 1:1 «»"],
        names: "a",
        root: Root::Whole,
    },
    Row {
        what: "lost brace of an object in pretty-printed text",
        text: r#"{
  "a":
    "b": 1,
    "c": 2
  },
  "d": 3
}"#,
        errors: &["Unopened 2:7 «»"],
        names: "a b c d",
        root: Root::Whole,
    },
    Row {
        what: "name without its closing quote",
        text: r#"{"a: "x", "b": 2}"#,
        errors: &[r#"UnclosedString 1:2 «"a»"#],
        names: "a b",
        root: Root::Whole,
    },
    Row {
        what: "telephone number without its opening quote",
        text: r#"{"to": +49 30 12", "b": 2}"#,
        errors: &[r#"NotALiteral 1:8 «+49 30 12"»"#],
        names: "to b",
        root: Root::Whole,
    },
];
