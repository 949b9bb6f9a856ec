use voxlint::Document;
use voxlint::syntax::{Format, Kind, Span};
use voxlint_testing::files_below;

use super::follow;
use super::parts::{At, Cursor, Purpose, Step};

/// The JSON Pointer of a path.
fn pointer_of(path: &[Step]) -> String {
    let mut pointer = String::new();
    for step in path {
        pointer.push('/');
        pointer.push_str(&step.to_string().replace('~', "~0").replace('/', "~1"));
    }
    pointer
}

/// The place of the mark `‸` as one line.
fn described(format: Format, marked: &str) -> String {
    let (before, after) = marked.split_once('‸').expect("a mark");
    let text = format!("{before}{after}");
    let cursor = Cursor::of(&text, format, before.len() as u32, Purpose::Completion);
    let path = pointer_of(&cursor.path);
    let word = |span: Span| span.slice(&text).to_owned();
    let what = match &cursor.at {
        At::Key(key) => {
            let colon = if key.has_value { ":" } else { "" };
            let before = if key.commas.before.is_some() { ", " } else { "" };
            let after = if key.commas.after { " ," } else { "" };
            let others = key.others.join(" ");
            format!("key {before}<{}>{colon}{after} beside [{others}]", word(key.word))
        }
        At::Value(value) => {
            let before = if value.commas.before.is_some() { ", " } else { "" };
            let after = if value.commas.after { " ," } else { "" };
            let space = if value.needs_space { " " } else { "" };
            let column =
                value.column.map_or(String::new(), |column| format!(" or block at {column}"));
            let word = word(value.word);
            format!("value {before}{space}<{word}>{after} {:?}{column}", value.quote)
        }
        At::Header(header) => format!("header <{}>", word(header.word)),
        At::Comment(_) => "comment".to_owned(),
        At::Nothing => "nothing".to_owned(),
    };
    format!("{path} {what}")
}

#[test]
fn places_in_half_written_texts() {
    let mut list = Vec::new();
    for (format, marked) in PLACES {
        let shown = marked.replace('\n', "⏎");
        let described = described(*format, marked);
        list.push(format!("{:5} {shown}\n      {described}\n", format.name()));
    }
    voxlint_testing::assert_snapshot("ide", "places", &list.concat());
}

const JSON: Format = Format::Json;
const JSONC: Format = Format::Jsonc;
const YAML: Format = Format::Yaml;
const TOML: Format = Format::Toml;

const PLACES: &[(Format, &str)] = &[
    (JSON, "‸"),
    (JSON, "{‸}"),
    (JSON, "{ ‸"),
    (JSON, "{ \"a\": 1, ‸ }"),
    (JSON, "{ \"a\": 1 ‸ }"),
    (JSON, "{ \"a\": 1‸ }"),
    (JSON, "{ \"a\": \"x\"‸ }"),
    (JSON, "{\n  \"a\": 1\n  ‸\n}"),
    (JSON, "{\n  \"a\": 1,\n  \"b‸\n}"),
    (JSON, "{\n  \"a\": 1,\n  \"b‸\n  \"c\": 2\n}"),
    (JSON, "{\n  \"a\": 1,\n  \"b‸\"\n  \"c\": 2\n}"),
    (JSON, "{\n  \"a\": 1,\n  b‸\n}"),
    (JSON, "{ \"a‸b\": 1, \"c\": 2 }"),
    (JSON, "{ \"a‸, \"c\": 2 }"),
    (JSON, "{ \"a\" ‸ }"),
    (JSON, "{ \"a\":‸ }"),
    (JSON, "{ \"a\": ‸"),
    (JSON, "{ \"a\": \"x‸y\" }"),
    (JSON, "{ \"a\": \"x‸\n  \"b\": 1 }"),
    (JSON, "{ \"a\": tr‸ }"),
    (JSON, "{ \"a\": 12‸, \"b\": 1 }"),
    (JSON, "{ \"a\": ‸ \"b\": 1 }"),
    (JSON, "{ \"a\": [\"x\", ‸] }"),
    (JSON, "{ \"a\": [\"x\" ‸] }"),
    (JSON, "{ \"a\": [{ \"b\": 1 }, { ‸ }], \"c\": 2 }"),
    (JSON, "{ \"a\": [{ \"b\": \"‸"),
    (JSON, "{ \"a\": { \"b\": { \"c\": ‸ } } }"),
    (JSON, "{ \"a\\u0062\": { ‸ } }"),
    (JSONC, "{ // a ‸\n}"),
    (JSONC, "{ \"a\": 1, /* b ‸ */ }"),
    (JSONC, "{ /* \" */ \"a\": ‸ }"),
    (YAML, "‸"),
    (YAML, "a: 1\n‸"),
    (YAML, "a: 1\nb‸"),
    (YAML, "a: 1\nb‸\nc: 2\n"),
    (YAML, "a: 1\n‸\nc: 2\n"),
    (YAML, "a‸: 1\nc: 2\n"),
    (YAML, "a:‸"),
    (YAML, "a: ‸"),
    (YAML, "a: ‸\nb: 1\n"),
    (YAML, "a: tr‸\nb: 1\n"),
    (YAML, "a: \"x‸\nb: \"y\"\n"),
    (YAML, "a: 'x‸'\n"),
    (YAML, "a: x # y‸\n"),
    (YAML, "# y‸\na: x\n"),
    (YAML, "a:\n  ‸"),
    (YAML, "a:\n  b‸"),
    (YAML, "a:\n  b: 1\n  ‸\nc: 1\n"),
    (YAML, "a:\n  b: 1\n‸\nc: 1\n"),
    (YAML, "a:\n‸\n  b: 1\n"),
    (YAML, "a:\n  - ‸"),
    (YAML, "a:\n  - x\n  - y‸\n"),
    (YAML, "a:\n- x\n- ‸\nb: 1\n"),
    (YAML, "a:\n  - b: 1\n    ‸\n"),
    (YAML, "a:\n  - b: 1\n    c‸\n"),
    (YAML, "a:\n  - b‸\n"),
    (YAML, "a:\n  - b: 1\n  - c: ‸\n"),
    (YAML, "a: |\n  x‸y\nb: 1\n"),
    (YAML, "a: |\n  x\n  ‸\nb: 1\n"),
    (YAML, "a: >-\n  x\n‸\nb: 1\n"),
    (YAML, "a: {‸}\n"),
    (YAML, "a: { b: 1, ‸\nc: 2\n"),
    (YAML, "a: [x, ‸]\n"),
    (YAML, "a: [x, y‸\nc: 2\n"),
    (YAML, "{ a: 1, b‸ }"),
    (YAML, "a: one\n  two‸\nb: 1\n"),
    (YAML, "a: \"one\n  two‸\"\nb: 1\n"),
    (YAML, "---\na: 1\n---\nb: 1\n‸\n"),
    (YAML, "a: !tag ‸x\n"),
    (TOML, "‸"),
    (TOML, "a = 1\n‸"),
    (TOML, "a = 1\nb‸\nc = 2\n"),
    (TOML, "a‸ = 1\nc = 2\n"),
    (TOML, "a =‸"),
    (TOML, "a = ‸\nb = 1\n"),
    (TOML, "a = \"x‸\nb = 1\n"),
    (TOML, "a = \"x‸\" # y\n"),
    (TOML, "a = 1 # y‸\n"),
    (TOML, "a.b‸ = 1\na.c = 2\n"),
    (TOML, "a = \"\"\"\nx‸\n\"\"\"\nb = 1\n"),
    (TOML, "a = '''x‸"),
    (TOML, "a = { b = 1, ‸ }\n"),
    (TOML, "a = { b = \"‸"),
    (TOML, "a = [\"x\", ‸]\n"),
    (TOML, "a = [\n  \"x\",\n  ‸\nb = 1\n"),
    (TOML, "a = [\n  ‸\n\n[c]\n"),
    (TOML, "[a]\nb = 1\n‸\n[c]\nd = 1\n"),
    (TOML, "[[a]]\nb = 1\n\n[[a]]\nb‸\n"),
    (TOML, "[[a]]\n[a.b]\n‸"),
    (TOML, "[‸]"),
    (TOML, "x = 1\n[[a‸"),
    (TOML, "[a.b‸]\n"),
];

/// The format of a file; `None` if it is none of those with structure.
fn format_of(path: &std::path::Path) -> Option<Format> {
    Some(match path.extension()?.to_str()? {
        "json" => JSON,
        "jsonc" => JSONC,
        "yaml" | "yml" => YAML,
        "toml" => TOML,
        _ => return None,
    })
}

/// The texts of all fixtures, with their formats.
fn fixtures() -> Vec<(Format, String, String)> {
    let mut texts = Vec::new();
    for extension in ["json", "jsonc", "yaml", "yml", "toml"] {
        for path in files_below("fixtures", extension) {
            let format = format_of(&path).expect("a format");
            let bytes = std::fs::read(&path).expect("a file");
            let text = String::from_utf8_lossy(&bytes).into_owned();
            texts.push((format, text, path.display().to_string()));
        }
    }
    texts
}

/// In texts without errors, the scanners and the parsers agree about where everything is.
#[test]
fn places_are_those_of_the_tree() {
    let mut seen = 0;
    for (format, text, path) in fixtures() {
        let documents = Document::parse_all(text.as_str(), format);
        let [document] = documents.as_slice() else { continue };
        if document.has_errors() {
            continue;
        }
        let tree = document.tree();
        let pointers = tree.pointers();
        let mut last = None;
        for node in tree.nodes() {
            let span = node.span();
            // An alias stands for text elsewhere.
            let is_elsewhere = last.is_some_and(|last| span.start < last);
            last = last.max(Some(span.start));
            if is_elsewhere {
                continue;
            }
            if matches!(node.kind(), Kind::Object | Kind::Array) || span.is_empty() {
                continue;
            }
            let cursor = Cursor::of(&text, format, span.start, Purpose::Hover);
            let mut found = cursor.path.clone();
            let word = match (&cursor.at, node.kind()) {
                (At::Key(key), Kind::Key) => {
                    found.push(Step::Name(key.name.clone()));
                    key.word
                }
                (At::Value(value), kind) if kind != Kind::Key => value.word,
                (At::Header(header), Kind::Key) => {
                    found.push(Step::Name(header.word.slice(&text).to_owned()));
                    header.word
                }
                (at, kind) => panic!("{path}: {kind:?} at {}: {at:?}", span.start),
            };
            let pointer = pointers.pointer(tree, node.id());
            assert_eq!(pointer_of(&found), pointer, "{path} at {}", span.start);
            assert!(
                word.contains(span) || node.kind() == Kind::String,
                "{path}: {word:?} {span:?}"
            );
            if node.kind() != Kind::Key {
                let followed = follow(tree, &found).map(voxlint::syntax::Node::id);
                assert!(followed.is_some(), "{path}: {pointer}");
            }
            seen += 1;
        }
    }
    assert!(seen > 5_000, "{seen}");
}

/// Every place of every text that ends anywhere has spans inside the text, between characters.
#[test]
fn no_place_of_no_prefix_panics() {
    // More of them with `VOXLINT_CASES`. Each is read from the start of its text.
    let most = voxlint_testing::cases(40, 120) as usize;
    for (format, text, path) in fixtures() {
        let step = (text.len() / most).max(1);
        let ends = (0..=text.len()).rev().filter(|end| text.is_char_boundary(*end));
        for (number, end) in ends.step_by(step).enumerate() {
            let prefix = text.get(..end).expect("a prefix");
            // All offsets of the whole text, and the end of each prefix.
            let offsets = if number == 0 { 0..=end } else { end..=end };
            for offset in offsets.step_by(if number == 0 { step } else { 1 }) {
                for purpose in [Purpose::Hover, Purpose::Completion] {
                    let cursor = Cursor::of(prefix, format, offset as u32, purpose);
                    for span in spans(&cursor) {
                        let range = span.start as usize..span.end as usize;
                        assert!(
                            prefix.get(range).is_some(),
                            "{path}[..{end}] {offset}: {cursor:?}"
                        );
                    }
                }
            }
        }
    }
}

/// Reading a text takes steps in proportion to its length.
#[test]
fn every_place_takes_linear_time() {
    const HOSTILE: &[&str] = &[
        "{\"a\":",
        "[",
        "]",
        "{",
        "\"",
        "'",
        "\"\"\"",
        "\x27\x27\x27",
        "\"\"",
        "- ",
        "- - x\n",
        "a:\n",
        "a: \n",
        "a: x\n",
        " ",
        "\n",
        "\t",
        "a.",
        "[[a]]\n",
        "[a.b]\n",
        "& ",
        "&a !b ",
        "a: |\n",
        "a: [\n",
        "a: {\n",
        "- {\n",
        "a = [\n",
        "a = \"\"\"\n",
        "a: \"\n",
        "a: '\n",
        "\"\\\n",
        "/*",
        "// a\n",
        "# x\n",
        "a=1\n",
        ",",
        ":",
        "=",
        "a: # x\n",
        "? ",
        "\"a\": 1, ",
        "{a: [",
        "- \"x\n",
        "a: b\n c\n",
        "\\",
        "{\n",
        "[\n",
        "a = {\n",
        "a = {b=",
        "\"a\" ",
        "|",
        "é",
        "---\n",
        "\r\n",
    ];
    let steps = |pattern: &str, format, length: usize, at: usize| {
        let text = pattern.repeat(length / pattern.len());
        super::lines::STEPS.with(|steps| steps.set(0));
        for purpose in [Purpose::Hover, Purpose::Completion] {
            Cursor::of(&text, format, (text.len() / 2 * at) as u32, purpose);
        }
        super::lines::STEPS.with(std::cell::Cell::get)
    };
    for pattern in HOSTILE {
        for format in [JSON, JSONC, YAML, TOML] {
            for at in [0, 1, 2] {
                let (one, two) =
                    (steps(pattern, format, 4_000, at), steps(pattern, format, 16_000, at));
                assert!(two <= 6 * one + 1_000, "{format} {pattern:?} at {at}: {one}, {two}");
            }
        }
    }
    assert!(steps("a: x\n", YAML, 4_000, 2) > 4_000);
}

fn spans(cursor: &Cursor) -> Vec<Span> {
    match &cursor.at {
        At::Key(key) => vec![key.word],
        At::Value(value) => vec![value.word, value.inner],
        At::Header(header) => vec![header.word, header.brackets],
        At::Comment(span) => vec![*span],
        At::Nothing => Vec::new(),
    }
}
