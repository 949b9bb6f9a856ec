//! Places in texts that may not be written to their end.

use voxlint::Document;
use voxlint::syntax::{Format, Kind, Node, Span};
use voxlint_testing::files_below;

use voxlint_ide::cursor::{At, Cursor, Step, follow};

use crate::support::places;

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
    let cursor = Cursor::typed(&text, format, before.len() as u32);
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
    for (format, marked) in places(include_str!("../places/cursor.txt")) {
        let shown = marked.replace('\n', "⏎");
        let described = described(format, &marked);
        list.push(format!("{:5} {shown}\n      {described}\n", format.name()));
    }
    voxlint_testing::assert_snapshot("ide", "places", &list.concat());
}

const JSON: Format = Format::Json;
const JSONC: Format = Format::Jsonc;
const YAML: Format = Format::Yaml;
const TOML: Format = Format::Toml;

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

/// What is under each name and each value of a text without errors is that name or value.
#[test]
fn places_are_those_of_the_tree() {
    let mut seen = 0;
    for (format, text, path) in fixtures() {
        let documents = Document::parse_all(text.as_str(), format);
        let [document] = documents.as_slice() else { continue };
        if document.has_errors() {
            continue;
        }
        for (node, pointer) in leaves(document) {
            let cursor = Cursor::under(document.tree(), format, node.span().start);
            let (found, _) = found(&cursor, &text).unwrap_or_else(|| panic!("{path}: {node:?}"));
            assert_eq!(found, pointer, "{path}: {node:?}");
            if node.kind() != Kind::Key {
                assert!(follow(document.tree(), &cursor.path).is_some(), "{path}: {pointer}");
            }
            seen += 1;
        }
    }
    assert!(seen > 5_000, "{seen}");
}

/// The names and values of a document with their JSON Pointers, except for what an alias stands for.
fn leaves(document: &Document) -> Vec<(Node<'_>, String)> {
    let tree = document.tree();
    let pointers = tree.pointers();
    let mut last = 0;
    let mut leaves = Vec::new();
    for node in tree.nodes() {
        let is_elsewhere = node.span().start < last;
        last = last.max(node.span().start);
        let is_leaf = !matches!(node.kind(), Kind::Object | Kind::Array);
        if is_leaf && !is_elsewhere && !node.span().is_empty() {
            leaves.push((node, pointers.pointer(tree, node.id())));
        }
    }
    leaves
}

/// The JSON Pointer of the name or value at a place, and its word.
fn found(cursor: &Cursor, text: &str) -> Option<(String, Span)> {
    let mut path = cursor.path.clone();
    let word = match &cursor.at {
        At::Key(key) => {
            path.push(Step::Name(key.name.clone()));
            key.word
        }
        At::Value(value) => value.word,
        At::Header(header) => {
            path.push(Step::Name(header.word.slice(text).to_owned()));
            header.word
        }
        At::Comment(_) | At::Nothing => return None,
    };
    Some((pointer_of(&path), word))
}

/// Where the tail of one name or value is missing, the place is that of the name or value in the whole text: with its closing
/// quote and what follows, and without them up to the end of the line.
#[test]
fn a_place_without_its_tail_is_that_of_the_whole_text() {
    const CHOSEN: [&str; 4] =
        ["/agents/", "realistic/clean/", "rules/unknown-template", "rules/out-of-range"];
    let mut seen = std::collections::HashMap::new();
    for (format, text, path) in fixtures() {
        let is_chosen = CHOSEN.iter().any(|part| path.contains(part)) && text.len() < 20_000;
        let documents = Document::parse_all(text.as_str(), format);
        let is_clean = matches!(documents.as_slice(), [one] if !one.has_errors());
        if !is_chosen || !is_clean {
            continue;
        }
        let mut variants = vec![(format, text.replace('\n', "\r\n")), (format, text.clone())];
        if format == JSON {
            variants.push((JSONC, text.replace('\n', " // \"n\": [\n")));
        }
        for (format, text) in variants {
            let document = Document::parse_as(text.as_str(), format);
            for (node, pointer) in leaves(&document) {
                for (from, to) in tails(node, &text) {
                    let (head, tail) = (text.get(..from).unwrap(), text.get(to..).unwrap());
                    let half = format!("{head}{tail}");
                    let cursor = Cursor::typed(&half, format, from as u32);
                    let shown = || format!("{path}: {pointer} at {from} of {half}\n{cursor:?}");
                    let (at, _) = found(&cursor, &half).unwrap_or_else(|| panic!("{}", shown()));
                    if node.kind() == Kind::Key {
                        // The name itself is only half-written. The first one of a block may be its value as well.
                        let outer = pointer.rsplit_once('/').map(|(outer, _)| outer);
                        let is_it = match &cursor.at {
                            At::Value(value) => value.column.is_some() && Some(&*at) == outer,
                            _ => at.rsplit_once('/').map(|(outer, _)| outer) == outer,
                        };
                        assert!(is_it, "{}", shown());
                    } else {
                        assert!(matches!(cursor.at, At::Value(_)) && at == pointer, "{}", shown());
                    }
                    *seen.entry(format.name()).or_insert(0) += 1;
                }
            }
        }
    }
    assert!(["json", "yaml", "toml", "jsonc"].iter().all(|it| seen[it] > 200), "{seen:?}");
}

/// Where the tail of a name or value begins, in a word, and where it ends.
fn tails(node: Node<'_>, text: &str) -> Vec<(usize, usize)> {
    let (start, end) = (node.span().start as usize, node.span().end as usize);
    let inner = end - usize::from(node.source().starts_with(['"', '\'']));
    let is_in_word =
        |cut: &usize| text.get(..*cut).is_some_and(|it| it.ends_with(char::is_alphanumeric));
    let cuts = (start..=start.midpoint(end)).filter(|cut| text.is_char_boundary(*cut));
    let Some(cut) = cuts.rev().find(is_in_word).filter(|cut| *cut > start) else {
        return Vec::new();
    };
    let mut tails = vec![(cut, inner.max(cut))];
    let value = node.tree().node(node.after()).filter(|_| node.is_name());
    let has_lines = value.is_some_and(|it| it.kind() == Kind::String && it.source().contains('\n'));
    // The lines of a text that has lost its name are those of another one.
    if !has_lines {
        let rest = text.get(end..).unwrap();
        tails.push((cut, end + rest.find(['\r', '\n']).unwrap_or(rest.len())));
    }
    tails
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
                let hovered = Document::parse_as(prefix, format);
                let hovered = Cursor::under(hovered.tree(), format, offset as u32);
                for cursor in [hovered, Cursor::typed(prefix, format, offset as u32)] {
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

fn spans(cursor: &Cursor) -> Vec<Span> {
    match &cursor.at {
        At::Key(key) => vec![key.word],
        At::Value(value) => vec![value.word, value.inner],
        At::Header(header) => vec![header.word, header.brackets],
        At::Comment(span) => vec![*span],
        At::Nothing => Vec::new(),
    }
}
