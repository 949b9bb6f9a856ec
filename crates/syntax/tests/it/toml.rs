//! What the TOML reader makes of a text: its tree, its spans and its faults.

use std::fmt::Write as _;

use voxlint_syntax::{
    Format, Kind, MAX_BRACKETS, MAX_DEPTH, MAX_ERRORS, Node, Span, SyntaxErrorKind as Fault, parse,
};
use voxlint_testing::texts::assert_blocks;

/// The tree as JSON, with the names in order; `…` where something may be missing.
fn shape(text: &str) -> String {
    let parsed = parse(text, Format::Toml);
    let mut out = String::new();
    write_shape(parsed.documents[0].root().unwrap(), &mut out);
    out
}

fn write_shape(node: Node<'_>, out: &mut String) {
    match node.kind() {
        Kind::Object => {
            out.push('{');
            for (at, member) in node.members().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                write!(out, "{}:", member.name()).unwrap();
                write_shape(member.value, out);
            }
            out.push_str(if node.is_incomplete() { "…}" } else { "}" });
        }
        Kind::Array => {
            out.push('[');
            for (at, element) in node.elements().enumerate() {
                out.push_str(if at == 0 { "" } else { "," });
                write_shape(element, out);
            }
            out.push_str(if node.is_incomplete() { "…]" } else { "]" });
        }
        Kind::String => write!(out, "{:?}", node.as_str().unwrap()).unwrap(),
        Kind::Number => out.push_str(node.decimal().unwrap().literal()),
        Kind::Bool => write!(out, "{}", node.as_bool().unwrap()).unwrap(),
        Kind::Invalid => out.push('?'),
        Kind::Key | Kind::Null => panic!("{node:?}"),
    }
}

/// The faults: their kind and the text that they point at.
fn faults(text: &str) -> Vec<(Fault, &str)> {
    let parsed = parse(text, Format::Toml);
    parsed.errors.iter().map(|error| (error.kind, error.span.slice(text))).collect()
}

/// Message, help and second place of the only fault.
fn only_error(text: &str) -> (String, String, &str) {
    let parsed = parse(text, Format::Toml);
    let [error] = parsed.errors.as_slice() else { panic!("{:?} in {text:?}", parsed.errors) };
    assert_eq!(error.related.is_some(), error.related_label().is_some(), "{error:?}");
    let related = error.related.map_or("", |related| related.slice(text));
    (error.message(text), error.help(text).unwrap_or_default(), related)
}

#[test]
fn tables_of_all_kinds_are_objects() {
    for (text, expected) in [
        ("", "{}"),
        ("# nothing\n", "{}"),
        ("a = 1\nb = 'x'\nc = [true, 'y',]", "{a:1,b:\"x\",c:[true,\"y\"]}"),
        ("a.b.c = 1\na.d = 2\n", "{a:{b:{c:1},d:2}}"),
        ("[a.b]\nx = 1\n[a]\ny = 2\n[c]", "{a:{b:{x:1},y:2},c:{}}"),
        ("[[t]]\na = 1\n[t.u]\nb = 2\n[[t]]\n[[t.v]]\n", "{t:[{a:1,u:{b:2}},{v:[{}]}]}"),
        ("a = { b.c = 1, 'd e' = { } }", "{a:{b:{c:1},d e:{}}}"),
        ("a = {\n  b = 1, # TOML 1.1\n}", "{a:{b:1}}"),
        ("[a]\nb.c = 1\n[a.d]\ne = 2", "{a:{b:{c:1},d:{e:2}}}"),
        ("[a.b]\nx = 1\n[c]\n[a.d]\ny = 1", "{a:{b:{x:1},d:{y:1}},c:{}}"),
        ("\"\" = 1\n'\\' = 2\n\"\\u00e9\" = 3\n4 = 4", "{:1,\\:2,é:3,4:4}"),
        ("n = [1_000, +5, 0x1F, 0o17, 0b11, 1_0.5, +1.0e+3]", "{n:[1000,5,31,15,3,10.5,1.0e+3]}"),
    ] {
        assert_eq!(shape(text), expected, "{text:?}");
        let newer = if text.contains("1.1") { vec![(Fault::Toml11, "{")] } else { Vec::new() };
        assert_eq!(faults(text), newer, "{text:?}");
    }
}

#[test]
fn names_and_values_have_exact_spans() {
    let text =
        "# c\n[a.\"b c\".d]\nx = 1 # one\nlist = [ 1,\n 2 ]\n\n[e]\n[[f]]\n[a.g]\nh = '''\nhi'''\n";
    let parsed = parse(text, Format::Toml);
    let root = parsed.documents[0].root().unwrap();
    let a = root.get("a").unwrap();
    let b = a.get("b c").unwrap();
    let d = b.get("d").unwrap();
    assert_eq!(a.name().unwrap().source(), "a");
    assert_eq!(a.name().unwrap().span(), Span::new(5, 6));
    assert_eq!(b.name().unwrap().source(), "\"b c\"");
    assert_eq!(d.name().unwrap().source(), "d");
    assert_eq!(d.source(), "x = 1 # one\nlist = [ 1,\n 2 ]");
    assert_eq!(d.opening().slice(text), "x");
    assert_eq!(d.get("list").unwrap().source(), "[ 1,\n 2 ]");
    assert_eq!(d.get("list").unwrap().opening().slice(text), "[");
    assert_eq!(root.get("e").unwrap().opening().slice(text), "[e]");
    assert_eq!(root.get("f").unwrap().opening().slice(text), "[[f]]");
    assert_eq!(a.get("g").unwrap().get("h").unwrap().source(), "'''\nhi'''");
    // A table that is defined in two places reaches from the first to the last.
    assert!(a.span().contains(root.get("e").unwrap().span()));
    assert_eq!(root.opening().slice(text), "a");
}

#[test]
fn values_without_a_json_form_are_reported_with_a_fix() {
    for (text, message, help) in [
        ("a = 2026-03-02", "JSON has no dates or times", "write it in quotes: `\"2026-03-02\"`"),
        (
            "a = 1979-05-27 07:32:00.999999-07:00",
            "JSON has no dates or times",
            "write it in quotes: `\"1979-05-27 07:32:00.999999-07:00\"`",
        ),
        (
            "a = -inf",
            "JSON cannot represent the number `-inf`",
            "write a finite number, or remove the field",
        ),
        ("a = null", "`null` is not a valid value in TOML", "TOML has no null: remove the field"),
        ("a = True", "`True` is not a valid value in TOML", "write `true`"),
        ("a = Front desk", "text in TOML needs quotes", "put the text in double quotes"),
        ("a = 007", "`007` is not a valid value in TOML", "write `7`"),
        ("a = .5", "`.5` is not a valid value in TOML", "write `0.5`"),
        ("a = 2026-02-30", "text in TOML needs quotes", "put the text in double quotes"),
    ] {
        assert_eq!(only_error(text), (message.to_owned(), help.to_owned(), ""), "{text}");
        assert_eq!(shape(text), "{a:?}", "{text}");
    }
}

#[test]
fn a_name_given_twice_keeps_its_first_value() {
    for (text, second, first, tree) in [
        ("a = 1\na = 2", "a", "a", "{a:1…}"),
        ("[t]\n'a' = 1\n\"a\" = 2", "\"a\"", "'a'", "{t:{a:1…}}"),
        ("[a]\nx = 1\n[b]\n[a]\ny = 2", "a", "a", "{a:{x:1,y:2…},b:{…}}"),
        ("a.b = 1\na.b = 2", "b", "b", "{a:{b:1…}…}"),
        ("a = { b = 1, b = 2 }", "b", "b", "{a:{b:1…}}"),
        ("a = 1\n[[a]]\nb = 1", "a", "a", "{a:1…}"),
    ] {
        assert_eq!(faults(text), [(Fault::DuplicateKey, second)], "{text}");
        assert_eq!(only_error(text).2, first, "{text}");
        assert_eq!(shape(text), tree, "{text}");
    }
    for text in ["a = 1\na.b = 2", "a = {}\na.b = 2", "[a.b]\n[a]\nb.c = 1", "a = []\n[a.b]"] {
        let [(kind, name)] = faults(text)[..] else { panic!("{text}") };
        assert_eq!(kind, Fault::NotATable, "{text}");
        assert!(matches!(name, "a" | "b"), "{text}");
    }
}

#[test]
fn a_slip_does_not_hide_what_comes_after() {
    assert_blocks("crates/syntax/tests/toml-slips.txt", |block| {
        let mut said = String::new();
        for (kind, at) in faults(&block.text) {
            writeln!(said, "{kind:?} {at:?}").unwrap();
        }
        said + &shape(&block.text)
    });
}

#[test]
fn many_faults_are_listed_in_the_order_of_the_text() {
    let text = "when = 2026-03-02\n[a]\nx = nan\nx = 1\ny\n[b\nz = 'q\n";
    let kinds: Vec<Fault> = faults(text).into_iter().map(|(kind, _)| kind).collect();
    let expected = [
        Fault::DateTime,
        Fault::NotFinite,
        Fault::DuplicateKey,
        Fault::MissingEquals,
        Fault::UnclosedHeader,
        Fault::UnclosedString,
    ];
    assert_eq!(kinds, expected);

    let text = "a = x\n".repeat(150);
    let parsed = parse(&*text, Format::Toml);
    assert_eq!(parsed.errors.len(), MAX_ERRORS + 1);
    let last = parsed.errors.last().unwrap();
    // Each line but the first is a second fault: the name is taken.
    assert_eq!(last.message(&text), format!("{} more syntax errors", 299 - MAX_ERRORS));
}

fn sub_tables_first(count: usize) -> String {
    let mut text = String::new();
    for at in 0..count {
        writeln!(text, "[x{at}.a]").unwrap();
    }
    for at in 0..count {
        writeln!(text, "[x{at}]").unwrap();
    }
    text
}

#[test]
fn hostile_texts_are_read() {
    let texts = [
        "[".repeat(100_000),
        format!("a = {}", "[".repeat(100_000)),
        format!("a = {}{}", "[".repeat(100_000), "]".repeat(100_000)),
        format!("a = {}", "{a=".repeat(100_000)),
        format!("a = {}", "{a.b.c=[".repeat(50_000)),
        format!("{}a = 1", "a.".repeat(200_000)),
        format!("[{}a]\nb = 1", "a.".repeat(200_000)),
        format!("a = [{}", "1 = ".repeat(50_000)),
        // The crate `toml` overflows its stack here.
        format!("a = {{{} x = {}", "[]".repeat(50_000), "[".repeat(50_000)),
        format!("a = {{{} x = {}", "{}".repeat(50_000), "{a=".repeat(50_000)),
        format!("a = [{}", "{[]{}x=[".repeat(50_000)),
        "[[x]]\n".repeat(50_000),
        "a = [1,\n".repeat(20_000),
        "a = \"\"\"\\\n".repeat(20_000),
        sub_tables_first(20_000),
    ];
    for text in texts {
        let parsed = parse(&*text, Format::Toml);
        assert!(parsed.errors.len() <= MAX_ERRORS + 1);
        assert!(parsed.documents[0].len() <= text.len() + 8);
        let start: String = text.chars().take(40).collect();
        for error in &parsed.errors {
            let help = error.help(&text).map_or(0, |help| help.len());
            assert!(error.message(&text).len() + help < 500, "{start}: {error:?}");
        }
    }
    let nest = |depth: usize| format!("a = {}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(faults(&nest(MAX_BRACKETS)), []);
    assert_eq!(faults(&nest(MAX_BRACKETS + 1)), [(Fault::BracketsTooDeep, "[")]);
    assert_eq!(faults(&nest(600)), [(Fault::BracketsTooDeep, "[")]);
    let dotted = |depth: usize| format!("{}a = 1", "a.".repeat(depth));
    assert_eq!(faults(&dotted(MAX_DEPTH - 1)), []);
    assert_eq!(faults(&dotted(MAX_DEPTH)), [(Fault::TooDeep, "a")]);
}

#[test]
fn toml_1_1_syntax_is_reported_once() {
    for (text, place, more) in [
        ("a = \"\\x41\"", "\\x41", 0),
        ("a = \"\\e\\e\"\n\"\\x41\" = 1", "\\e", 2),
        ("a = { b = 1, }", ",", 0),
        ("a = { b = 1,\n c = [\n 2,\n ] }", "{", 0),
        ("a = { b = 1,\n c = 2,\n }\nd = { # x\n }", "{", 2),
    ] {
        let parsed = parse(text, Format::Toml);
        let [error] = parsed.errors.as_slice() else { panic!("{:?} in {text:?}", parsed.errors) };
        assert_eq!((error.kind, error.span.slice(text), error.more), (Fault::Toml11, place, more));
        assert!(!error.label().is_empty() && error.help(text).is_some());
        let root = parsed.documents[0].root().unwrap();
        assert!(!root.is_incomplete() && root.members().all(|one| !one.value.is_faulty()));
    }
    for text in [
        "a = { b = [\n 1,\n ] }",
        "a = '\\x41'",
        "a = { b = \"\"\"\n\"\"\" }",
        "a = [ 1, ]",
        "a = {}",
    ] {
        assert_eq!(faults(text), [], "{text:?}");
    }
}
