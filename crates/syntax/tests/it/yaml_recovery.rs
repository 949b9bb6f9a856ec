//! What is left of a YAML text with faults, and of one that is made to be slow.

#![allow(
    clippy::cast_precision_loss,
    clippy::format_collect,
    clippy::format_push_string,
    reason = "the texts of a test are small"
)]

use crate::common::yaml::{faults, json, read, written};
use voxlint_syntax::{
    Kind, LineIndex, MAX_ERRORS, Parsed, SyntaxErrorKind as Fault, Tree, UnreadReason,
};
use voxlint_testing::texts::{assert_blocks, lines};

#[test]
fn the_rest_of_a_text_is_read_after_a_fault() {
    assert_blocks("crates/syntax/tests/yaml-recovery.txt", |block| {
        let text = &*block.text;
        let errors = read(text).errors;
        assert_eq!(errors.len(), 1, "{text:?}: {errors:?}");
        assert!(!errors[0].label().is_empty());
        assert!(!errors[0].message(text).contains("JSON"), "{}", errors[0].message(text));
        format!("{:?} {:?}\n{}", errors[0].kind, errors[0].span.slice(text), json(text))
    });
}

#[test]
fn nothing_is_missing_from_what_a_fault_has_touched() {
    let text = "a:\n  x: 1\n  y z\n  w: \"\\q\"\nb:\n  c: 1\nd: @\n";
    let parsed = read(text);
    assert_eq!(parsed.errors.len(), 3, "{:?}", parsed.errors);
    let root = parsed.documents[0].root().unwrap();
    assert!(root.is_incomplete() && root.get("a").unwrap().is_incomplete());
    assert!(!root.get("b").unwrap().is_incomplete());
    assert!(root.get("a").unwrap().get("w").unwrap().is_faulty());
    assert!(root.get("d").unwrap().is_faulty());
    assert!(!root.get("a").unwrap().get("x").unwrap().is_faulty());
    // A line that was parsed as part of a text may have been a member.
    let parsed = read("r:\n  a: |\n    x\n\ty: 1\n  b: 1\n");
    assert_eq!(parsed.errors.len(), 1, "{:?}", parsed.errors);
    let inner = parsed.documents[0].root().unwrap().get("r").unwrap();
    assert!(inner.is_incomplete() && inner.get("a").unwrap().is_faulty());
    // A value that cannot be read takes no name with it.
    let parsed = read("a: @\nb: 1\n");
    assert!(!parsed.documents[0].root().unwrap().is_incomplete());
}

/// A document of the kind that teams write.
fn agents(count: usize) -> String {
    let agent = |number: usize| {
        format!(
            "agent{number}:\n  id: agt_{number}\n  tz: Europe/Paris\n  fns:\n    - {{type: end_call, n: 1}}\n    \
             - type: custom\n      cfg: [1, 2, \"x\"]\n      more:\n        - 'it''s'\n  prompt: |\n    Hello \
             {{{{name}}}}\n\n    नमस्ते 😀 bye\n"
        )
    };
    (0..count).map(agent).collect()
}

fn next(state: &mut u64) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 8) as usize
}

fn check_places(text: &str, parsed: &Parsed) {
    let index = LineIndex::new(text);
    for node in parsed.documents.iter().flat_map(Tree::nodes) {
        let span = node.span();
        assert!(text.get(span.start as usize..span.end as usize).is_some(), "{node:?} in {text:?}");
        if let Some(read) = node.text() {
            let all = read.to_source(0..read.as_str().len());
            assert!(
                text.get(all.start as usize..all.end as usize).is_some(),
                "{node:?} in {text:?}"
            );
        }
    }
    for error in &parsed.errors {
        let span = error.span;
        let range = span.start as usize..span.end as usize;
        assert!(text.get(range).is_some(), "{error:?} in {text:?}");
        let _ = index.position(text, span.start);
        let help = error.help(text).map_or(0, |help| help.len());
        assert!(error.message(text).len() + help < 500, "{error:?}");
    }
    assert!(parsed.errors.is_sorted_by_key(|error| error.span));
    assert!(parsed.errors.len() <= MAX_ERRORS + 2);
}

#[test]
fn most_of_a_text_is_read_whatever_one_slip_does() {
    let text = agents(12);
    let scalars = |parsed: &Parsed| {
        let nodes = parsed.documents.iter().flat_map(Tree::nodes);
        nodes
            .filter(|node| !matches!(node.kind(), Kind::Object | Kind::Array | Kind::Invalid))
            .count()
    };
    let clean = read(&text);
    assert!(clean.errors.is_empty(), "{:?}", clean.errors);
    let all = scalars(&clean);
    let slips = [
        "[", "]", "{", "\"", "'", ": ", "- ", "\t", "&", "*", "%", "@", "`", "}", ",", "|", "\n",
        "\u{1}", "#",
    ];
    let mut state = 12345;
    let (mut broken, mut kept, mut several) = (0, 0.0, 0);
    for _ in 0..2000 {
        let mut at = next(&mut state) % text.len();
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        let mut slipped = text.clone();
        slipped.insert_str(at, slips[next(&mut state) % slips.len()]);
        let parsed = read(&slipped);
        check_places(&slipped, &parsed);
        if parsed.errors.is_empty() {
            continue;
        }
        broken += 1;
        several += usize::from(parsed.errors.len() > 1);
        let part = scalars(&parsed) as f64 / all as f64;
        kept += part.min(1.0);
    }
    let mean = kept / f64::from(broken);
    println!(
        "{broken} broken texts, {:.1} % of the scalars kept, {several} with several faults",
        mean * 100.0
    );
    assert!(broken > 800 && mean > 0.97, "{mean}");
}

#[test]
fn any_bytes_are_read() {
    let pieces = lines(include_str!("../words/pieces.txt"));
    let mut state = 99;
    for _ in 0..30_000 {
        let count = 1 + next(&mut state) % 24;
        let text: String = (0..count).map(|_| pieces[next(&mut state) % pieces.len()]).collect();
        check_places(&text, &read(&text));
    }
}

#[test]
fn hostile_texts_take_milliseconds() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    let mut merges = "a0: &a0 {k0: 1}\n".to_owned();
    for level in 1..40 {
        let last = level - 1;
        bomb.push_str(&format!(
            "a{level}: &a{level} [{}]\n",
            vec![format!("*a{last}"); 10].join(", ")
        ));
        merges.push_str(&format!(
            "a{level}: &a{level} {{k{level}: *a{last}, l{level}: *a{last}, <<: *a{last}}}\n"
        ));
    }
    let long = format!("a: &a {}\nb: [{}]\n", "x".repeat(100_000), "*a, ".repeat(20_000));
    let wide: String = (0..2000).map(|at| format!("k{at}: 1\n")).collect();
    let chain: String =
        (1..3000).map(|at| format!("a{at}: &a{at} {{<<: *a{}, k{at}: 1}}\n", at - 1)).collect();
    let texts: Vec<(&str, String)> = vec![
        ("an alias bomb", bomb),
        ("a bomb of merges", merges),
        ("a long text often", long),
        ("a chain of merges", format!("a0: &a0 {{x: 1}}\n{chain}")),
        (
            "many members merged often",
            format!(
                "a: &a\n{}{}",
                wide.replace('k', "  k"),
                (0..500).map(|at| format!("b{at}: {{<<: *a}}\n")).collect::<String>()
            ),
        ),
        ("many brackets", "[".repeat(200_000)),
        ("many braces", "{a: ".repeat(100_000)),
        ("many dashes", "- ".repeat(50_000)),
        ("many questions", "? ".repeat(20_000)),
        (
            "a deep object",
            (0..8000).map(|at| format!("{}k:\n", " ".repeat(at.min(2000)))).collect(),
        ),
        ("many documents", "---\n".repeat(50_000)),
        ("many anchors", "- &a x\n- *a\n".repeat(20_000)),
        ("many quotes", "a: \"\n".repeat(20_000)),
        ("many names on a line", format!("{{{}}}", "a, ".repeat(60_000))),
        ("many empty elements on a line", format!("[{}]", "a: , ".repeat(60_000))),
        ("many lines of nothing", format!("a:{}\nb:", "\n # x".repeat(60_000))),
        ("many scalars and a fault", format!("[{} @]", "a: , ".repeat(60_000))),
        ("many ats", "a: @\n".repeat(20_000)),
        ("many tabs", "\ta: 1\n".repeat(20_000)),
        ("many nulls", "\0".repeat(100_000)),
        ("many controls", "a: \u{1}\u{2}\u{3}\u{4}\n".repeat(20_000)),
        ("many escapes", format!("\"{}\"", "\\q".repeat(50_000))),
        ("many stray brackets", "a: ]\n".repeat(20_000)),
        ("many colons", "a: b: c\n".repeat(20_000)),
        ("many headers", "a: |x\n".repeat(20_000)),
        ("many spaces", format!("a: |\n{}", " ".repeat(200_000))),
        ("many lines", format!("a: >\n{}", "\n".repeat(200_000))),
        ("many tags", "- !x y\n".repeat(20_000)),
        ("a long name", format!("{}: 1\n", "k".repeat(100_000))),
        ("a long number", format!("a: 0x{}\nb: {}\n", "f".repeat(100_000), "9".repeat(100_000))),
    ];
    for (what, text) in texts {
        let parsed = read(&text);
        let nodes: usize = parsed.documents.iter().map(Tree::len).sum();
        assert!(nodes < 100_000 + 20 * text.len(), "{what}: {nodes} nodes");
        check_places(&text, &parsed);
    }
}

#[test]
fn too_many_repeats_are_one_fault() {
    let mut bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..10 {
        let last = level - 1;
        bomb.push_str(&format!(
            "a{level}: &a{level} [{}]\n",
            vec![format!("*a{last}"); 10].join(", ")
        ));
    }
    let parsed = read(&format!("{bomb}after: 1\n")).errors;
    assert_eq!(parsed.len(), 1);
    assert_eq!(parsed[0].kind, Fault::TooManyNodes);
    // After the limit, the rest is still parsed.
    let text = format!("{bomb}after: 1\n");
    let parsed = read(&text);
    let root = parsed.documents[0].root().unwrap();
    assert_eq!(root.get("after").map(written).as_deref(), Some("1"));
}

#[test]
fn containers_may_be_nested_as_deeply_as_in_json() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(faults(&nested(500)), []);
    let deep = nested(600);
    assert_eq!(faults(&deep).iter().map(|(kind, _)| *kind).collect::<Vec<_>>(), [Fault::TooDeep]);
    let block = "- ".repeat(600);
    assert_eq!(faults(&block).iter().map(|(kind, _)| *kind).collect::<Vec<_>>(), [Fault::TooDeep]);
    // Half of it by aliases.
    let half = "[".repeat(300);
    let text = format!("- &a {half}{}\n- {half}*a{}\n", "]".repeat(300), "]".repeat(300));
    assert_eq!(faults(&text), [(Fault::TooDeep, "*a")]);
}

#[test]
fn text_after_containers_that_are_too_deep_is_read() {
    let deep = format!("{}{}", "[".repeat(600), "]".repeat(600));
    let text = format!("a: {deep}\nb: 1\n---\nc: 2\n");
    let parsed = read(&text);
    let [first, second] = parsed.documents.as_slice() else { panic!("two documents") };
    assert_eq!(first.root().unwrap().get("b").map(written).as_deref(), Some("1"));
    assert_eq!(second.root().unwrap().get("c").map(written).as_deref(), Some("2"));
    assert_eq!(parsed.unread.len(), 1);
    assert_eq!((parsed.unread[0].span.start, parsed.unread[0].why), (514, UnreadReason::Depth));
    // A bracket that is never closed is told at any depth.
    let open = format!("a: {}\nb: 1\n", "[".repeat(100_000));
    assert!(faults(&open).iter().any(|(kind, _)| *kind == Fault::Unclosed));
}

#[test]
fn a_tab_is_not_indentation_of_a_single_entry() {
    for text in ["\ta: 1\n", "a:\n  \tb: 1\n", "- \ta: 1\n", "-\ta: 1\n", "---\n\ta: 1\n"] {
        assert_eq!(faults(text), [(Fault::TabIndentation, "\t")], "{text:?}");
    }
    for text in [
        "-\ta\n",
        "a:\tb\n",
        "a: \t{b: 1}\n",
        "a: 1\n\t\nb: 1\n",
        "a: &x\t1\n",
        "a: # x\ty\n  b: 1\n",
    ] {
        assert_eq!(faults(text), [], "{text:?}");
    }
}

#[test]
fn a_text_that_is_given_up_says_so() {
    let mut text = String::new();
    for index in 0..300 {
        text.push_str(&format!("a{index}: \"b\" c\n"));
    }
    let parsed = read(&text);
    assert_eq!(
        parsed.unread.iter().map(|part| part.why).collect::<Vec<_>>(),
        [UnreadReason::Errors]
    );
    // As long as there are few of them, everything is read.
    let few = text.lines().take(50).fold(String::new(), |few, line| few + line + "\n");
    assert!(read(&few).unread.is_empty());
}
