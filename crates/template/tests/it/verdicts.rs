//! The stored verdicts of the reference, and promises that hold for every text.

use crate::common::{
    generator::{Random, template},
    stored,
};
use voxlint_template::{NESTING_LIMIT, Refusal, parse};

#[test]
fn stored_verdicts_are_ours() {
    let verdicts = stored();
    assert!(verdicts.len() > 3_000, "only {} verdicts are stored", verdicts.len());
    let disagreements: Vec<_> =
        verdicts.iter().filter_map(crate::common::Verdict::disagreement).collect();
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
}

/// Where our span begins before or after the reference's offset, it is because another place is the one to mend.
/// These are the classes, each with an example.
#[test]
fn a_better_place_than_the_reference_has() {
    let places = [
        // A name that runs into a foreign character is invalid from its first unit; the character is what is wrong.
        ("{{name, x}}", ",", 2),
        ("{{items[0]}}", "[", 2),
        // What is never closed is seen at the end, and mended where it opens.
        ("{{#if a}}x", "{{#if a}}", 10),
        ("{{name", "{{name", 2),
        ("{{name and {{x}}", "{{name", 11),
        ("{{{{a}}}}x{{/a}}", "{{{{a}}}}", 9),
        ("{{#if (f a}}x{{/if}}", "(", 10),
        // Too many braces: the surplus ones, not the whole closing.
        ("{{name}}}", "}", 6),
        // Opened with too many.
        ("{{{{x}}", "{{{{", 5),
        ("{{{{x}}}}y", "{{{{", 9),
        // An empty tag: all of it.
        ("a {{ }}", "{{ }}", 5),
        // A positional argument after a named one is seen one token later.
        ("{{f a=1 b}}", "b", 9),
        // White space before a sign.
        ("{{ #if x}}", " ", 3),
        // Two characters, of which the reference sees one at a time.
        ("{{#if a == b}}", "==", 9),
        // U+0000 after an escaped opener or in a raw block: the reference gives up where that text begins.
        ("\\{{a\u{0}", "\u{0}", 1),
    ];
    for (text, ours, reference) in places {
        let fault = parse(text).fault.expect("refused");
        assert_eq!(
            (fault.span.of(text), fault.reference_offset()),
            (ours, Some(reference)),
            "{text}"
        );
    }
}

#[test]
fn places_without_an_offset_of_the_reference() {
    let places = [
        ("{{#a}}{{/b}}", "{{/b}}", Refusal::Name),
        ("{{a.this}}", "this", Refusal::Path),
        ("{{#*d}}{{else}}{{/d}}", "{{else}}", Refusal::Decorator),
        ("{{#a as |[b]|}}{{/a}}", "[b]", Refusal::BlockParams),
        ("{{> p a b c}}", "b", Refusal::Precompile),
    ];
    for (text, ours, refusal) in places {
        let fault = parse(text).fault.expect("refused");
        assert_eq!(
            (fault.span.of(text), fault.refusal, fault.reference_offset()),
            (ours, refusal, None),
            "{text}"
        );
    }
}

#[test]
fn text_without_double_braces_is_fine() {
    for text in
        ["", "a", "{", "}}", "{name}", "a }} b", "\\", "\u{0}", "a\u{0}b", "{ {x} }", "{% if a %}"]
    {
        assert!(parse(text).fault.is_none(), "{text:?}");
    }
}

#[test]
fn two_boundary_pairs() {
    assert!(parse("{{\"k\":\"v\"}}").fault.is_some());
    assert!(parse("{{\"k\": \"v\"}}").fault.is_none());
    assert!(parse("{{.name}}").fault.is_some());
    assert!(parse("{{name.}}").fault.is_none());
}

#[test]
fn nesting_is_counted() {
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
    assert!(parsed.fault.is_none() && parsed.depth > NESTING_LIMIT);
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

/// Reads a text and says all there is to say of it.
fn check(text: &str) {
    let parsed = parse(text);
    if let Some(fault) = parsed.fault {
        let words = fault.message(text).len()
            + fault.label().len()
            + fault.help(text).map_or(0, |help| help.len());
        assert!(words > 0 && words < 1_000);
    }
}
