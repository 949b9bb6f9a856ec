//! The stored verdicts of the reference, and properties that hold for every text.

use crate::common::{
    generator::{Random, template},
    stored,
};
use voxlint_template::{NESTING_LIMIT, Stage, parse};

#[test]
fn verdicts_equal_those_of_the_reference() {
    let verdicts = stored();
    assert!(verdicts.len() > 3_000, "only {} verdicts are stored", verdicts.len());
    let disagreements: Vec<_> =
        verdicts.iter().filter_map(crate::common::Verdict::disagreement).collect();
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
}

/// Our span starts elsewhere than the reference's offset if the mistake is elsewhere. One example for each case.
#[test]
fn spans_mark_the_mistake() {
    let places = [
        // A name directly before an invalid character: the reference reports the name.
        ("{{name, x}}", ",", 2),
        ("{{items[0]}}", "[", 2),
        // Unclosed: the reference reports the end.
        ("{{#if a}}x", "{{#if a}}", 10),
        ("{{name", "{{name", 2),
        ("{{name and {{x}}", "{{name", 11),
        ("{{{{a}}}}x{{/a}}", "{{{{a}}}}", 9),
        ("{{#if (f a}}x{{/if}}", "(", 10),
        // Too many closing braces: only the extra ones.
        ("{{name}}}", "}", 6),
        // Too many opening braces.
        ("{{{{x}}", "{{{{", 5),
        ("{{{{x}}}}y", "{{{{", 9),
        // An empty tag: the whole tag.
        ("a {{ }}", "{{ }}", 5),
        // A positional argument after a hash argument: the reference reports the next token.
        ("{{f a=1 b}}", "b", 9),
        // White space before a sign: the white space.
        ("{{ #if x}}", " ", 3),
        // An operator of two characters: both.
        ("{{#if a == b}}", "==", 9),
        // U+0000 after an escaped opener or in a raw block: the reference reports the start of that text.
        ("\\{{a\u{0}", "\u{0}", 1),
    ];
    for (text, ours, reference) in places {
        let error = parse(text).error.expect("rejected");
        assert_eq!(
            (error.span.of(text), error.reference_offset()),
            (ours, Some(reference)),
            "{text}"
        );
    }
}

#[test]
fn the_reference_reports_no_offset_after_its_grammar() {
    let places = [
        ("{{#a}}{{/b}}", "{{/b}}", Stage::BlockName),
        ("{{a.this}}", "this", Stage::Path),
        ("{{#*d}}{{else}}{{/d}}", "{{else}}", Stage::Decorator),
        ("{{#a as |[b]|}}{{/a}}", "[b]", Stage::BlockParams),
        ("{{> p a b c}}", "b", Stage::Precompile),
    ];
    for (text, ours, stage) in places {
        let error = parse(text).error.expect("rejected");
        assert_eq!(
            (error.span.of(text), error.stage, error.reference_offset()),
            (ours, stage, None),
            "{text}"
        );
    }
}

#[test]
fn text_without_double_braces_is_valid() {
    for text in
        ["", "a", "{", "}}", "{name}", "a }} b", "\\", "\u{0}", "a\u{0}b", "{ {x} }", "{% if a %}"]
    {
        assert!(parse(text).error.is_none(), "{text:?}");
    }
}

#[test]
fn similar_templates_have_different_verdicts() {
    assert!(parse("{{\"k\":\"v\"}}").error.is_some());
    assert!(parse("{{\"k\": \"v\"}}").error.is_none());
    assert!(parse("{{.name}}").error.is_some());
    assert!(parse("{{name.}}").error.is_none());
}

#[test]
fn nesting_depth_is_counted() {
    let depths = [
        ("{{x}}", 0),
        ("{{#a}}{{/a}}{{#a}}{{/a}}", 1),
        ("{{#a}}{{#b}}{{/b}}{{/a}}", 2),
        ("{{#a}}{{else b}}{{else c}}{{else}}{{/a}}", 3),
        ("{{f (g (h i))}}", 2),
        ("{{#a}}{{f k=(g)}}{{/a}}", 2),
        ("{{{{a}}}}{{{{/a}}}}", 1),
    ];
    for (text, depth) in depths {
        assert_eq!(parse(text).depth, depth, "{text}");
    }
    let deep = NESTING_LIMIT as usize + 1;
    let text = format!("{}{}", "{{#a}}".repeat(deep), "{{/a}}".repeat(deep));
    let parsed = parse(&text);
    assert!(parsed.error.is_none() && parsed.depth > NESTING_LIMIT);
}

#[test]
fn no_prefix_panics() {
    for verdict in stored() {
        for (end, _) in verdict.template.char_indices() {
            check(&verdict.template[..end]);
        }
    }
}

#[test]
fn no_soup_panics() {
    const SOUP: &[u8] = b"{{{{}}}}~#/^>&!-*()[]|=.@\"'\\ \nelseasthis01,%<\0";
    let mut random = Random::new(7);
    for _ in 0..20_000 {
        let length = random.below(40);
        let bytes: Vec<u8> = (0..length)
            .map(|_| {
                if random.one_in(6) {
                    random.below(256) as u8
                } else {
                    SOUP[random.below(SOUP.len())]
                }
            })
            .collect();
        check(&String::from_utf8_lossy(&bytes));
        check(&template(&mut random));
    }
}

/// Parses a text and describes its error.
fn check(text: &str) {
    if let Some(error) = parse(text).error {
        let description = error.describe(text);
        let length = description.message.len() + description.label.len() + description.help.len();
        assert!(length > 0 && length < 1_000);
    }
}
