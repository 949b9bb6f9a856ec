//! Texts made to be slow to read: whatever a text holds, it is read, and what is told of it stays short. How long it takes
//! is shown by `cargo bench --bench hostile`.

use crate::common::hostile::texts;
use voxlint_syntax::{Format, LineIndex, MAX_ERRORS, Node, SyntaxErrorKind, decode, parse};

#[test]
fn every_hostile_text_is_read_with_short_messages() {
    for (what, text) in texts() {
        let text = text(100_000);
        let decoded = decode(text.as_bytes());
        let parsed = parse(&*decoded.text, Format::Json);
        let index = LineIndex::new(&decoded.text);
        for error in &parsed.errors {
            let help = error.help(&decoded.text).map_or(0, |help| help.len());
            let message = error.message(&decoded.text).len();
            assert!(message > 0 && message + help < 500, "{what}: {error:?}");
            assert!(!error.label().is_empty(), "{what}: {error:?}");
            let _ = index.position(&decoded.text, error.span.start);
        }
    }
}

#[test]
fn faults_are_listed_up_to_the_limit() {
    for (what, text) in texts() {
        let text = text(20_000);
        let parsed = parse(&*text, Format::Json);
        assert!(!parsed.errors.is_empty(), "{what}");
        assert!(parsed.errors.len() <= MAX_ERRORS + 1, "{what}");
        // Memory, too, is in proportion: there are no more nodes than bytes and a few.
        assert!(parsed.documents[0].len() <= text.len() + 8, "{what}");
    }
}

/// The size of a text: a fifth, unless all cases are asked for.
fn size(full: u32) -> usize {
    voxlint_testing::cases((full / 5).into(), full.into()) as usize
}

/// Each of these took minutes when the end of the number was looked for again after every digit.
#[test]
fn numbers_run_together_take_time_in_proportion() {
    for unit in ["-0", "1-", "01,", "-1$-", "null-", "1-\"\","] {
        for before in ["[", "{\"a\":"] {
            let text = format!("{before}{}", unit.repeat(1_000_000 / unit.len()));
            assert!(!parse(&*text, Format::Json).errors.is_empty(), "{before}{unit}");
        }
    }
}

/// However a long text is repeated without being written again, the tree holds a multiple of the file at most.
#[test]
fn copies_of_a_long_text_are_limited() {
    let long = "y".repeat(20_000);
    for (what, before, unit) in [
        ("an alias of a text", format!("x: &a \"{long}\"\nb:\n"), "- *a\n"),
        ("an alias as a key", format!("x: &a \"{long}\"\nb:\n"), "- *a : 1\n"),
        ("an alias of a key", format!("x:\n  ? &a \"{long}\"\n  : 1\nb:\n"), "- *a\n"),
        ("a merged key", format!("x: &a\n  ? \"{long}\\n\"\n  : 1\nb:\n"), "- <<: *a\n"),
        ("a merged value", format!("x: &a\n  a: [\"{long}\"]\nb:\n"), "- <<: *a\n"),
        (
            "an alias in a merged value",
            format!("x: &l \"{long}\"\ny: &a\n  a: [*l]\nb:\n"),
            "- <<: *a\n",
        ),
    ] {
        let text = before + &unit.repeat(20_000);
        let parsed = parse(&*text, Format::Yaml);
        let tree = &parsed.documents[0];
        let size = |node: Node<'_>| node.as_str().map_or(0, |text| text.len());
        let copied: usize = tree.nodes().map(size).sum();
        assert!(copied <= 21 * text.len(), "{what}: {copied} bytes");
        let kinds: Vec<_> = parsed.errors.iter().map(|error| error.kind).collect();
        assert_eq!(kinds, [SyntaxErrorKind::TooManyNodes], "{what}");
        assert_eq!(parsed.unread.len(), 1, "{what}");
    }
}

/// This took minutes when each key was looked for among all merge keys of its object.
#[test]
fn merge_keys_take_time_in_proportion() {
    let text = format!("a: &a {{}}\nb:\n{}", "  <<: *a\n".repeat(400_000));
    assert!(parse(text, Format::Yaml).errors.is_empty());
}

/// Tables of TOML are found by their names, however deep they are and however often they are extended. Each of these would take
/// minutes if every header or key were compared with those before it.
#[test]
fn deep_and_repeated_tables_take_time_in_proportion() {
    let deep = "a.".repeat(400);
    for (what, unit) in [
        ("dotted keys in new tables", format!("[[x]]\n{deep}a = 1\n")),
        ("elements of a deep array of tables", format!("[[{deep}a]]\n")),
        ("elements of an array and of an array in it", "[[a]]\n[[a.b]]\n".to_owned()),
        ("one key", "a.".to_owned()),
    ] {
        let text = unit.repeat(size(2_000_000) / unit.len());
        let parsed = parse(&*text, Format::Toml);
        assert!(parsed.documents[0].len() <= text.len(), "{what}");
    }
}

/// The small reader of YAML gives these up at their last line. Then the library reads them from the start.
#[test]
fn yaml_that_is_given_up_late_takes_time_in_proportion() {
    for (what, unit, end) in [
        ("members", "a: b\n", "? c\n"),
        ("items", "- ", "? c\n"),
        ("comments", "# a\n", "? c\n"),
        ("block scalars", "a: |\n  b\n", "? c\n"),
        ("empty lines of a block scalar", "\n", "? c\n"),
    ] {
        let text = format!("k: |\n  x\n{}{end}", unit.repeat(size(1_000_000) / unit.len()));
        let parsed = parse(&*text, Format::Yaml);
        assert!(parsed.documents[0].len() <= text.len(), "{what}");
    }
}

/// Looking ahead found these comments again at every mistake, and looked for their end in the rest of the text.
#[test]
fn comments_after_mistakes_take_time_in_proportion() {
    for (before, unit, after) in
        [("{", "a /*\n", ""), ("{\"a\":1 x", "\u{201d}/*\r", ""), ("{", "a /*\n", "*/")]
    {
        let text = format!("{before}{}{after}", unit.repeat(4_000_000 / unit.len()));
        assert!(!parse(&*text, Format::Json).errors.is_empty(), "{before}{unit}{after}");
    }
}
