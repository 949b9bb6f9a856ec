//! Answers about any text, also a broken one, at any offset: no panic, and only places inside the text.

use proptest::prelude::*;
use voxlint::syntax::{Format, Span};
use voxlint::{Document, DocumentKind, Inputs, Stored};
use voxlint_ide::{File, Name, Symbol, name_at, occurrences, rename, suppress, symbols, tokens};
use voxlint_testing::generated_inputs::Random;
use voxlint_testing::texts::lines;
use voxlint_testing::{cases, property};

use crate::common::{fixtures, origins};

fn assert_inside(text: &str, span: Span, what: &str) {
    let range = span.start as usize..span.end as usize;
    assert!(span.start <= span.end && text.get(range).is_some(), "{what}: {span:?} in {text:?}");
}

fn assert_outline(text: &str, outline: &[Symbol], outer: Span) {
    for symbol in outline {
        assert_inside(text, symbol.span, "a symbol");
        assert!(symbol.span.contains(symbol.selection), "{symbol:?}");
        assert!(outer.contains(symbol.span), "{symbol:?} is outside of {outer:?} in {text:?}");
        assert!(!symbol.name.is_empty() && !symbol.name.contains('\n'), "{symbol:?}");
        assert_outline(text, &symbol.children, symbol.span);
    }
}

/// Asks everything about all texts of some inputs, some of it at random offsets.
fn assert_sound(inputs: &Inputs, random: &mut Random) {
    for origin in origins(inputs) {
        let file = File { inputs, origin };
        let text = file.text();
        let whole = Span::new(0, text.len() as u32);
        assert_outline(text, &symbols(file.document()), whole);
        let tokens = tokens(file);
        for token in &tokens {
            assert_inside(text, token.span, "a token");
            let source = token.span.slice(text);
            assert!(!source.is_empty() && !source.contains(['\n', '\r']), "{token:?} in {text:?}");
        }
        let is_ordered = tokens.is_sorted_by(|a, b| a.span.end <= b.span.start);
        assert!(is_ordered, "{tokens:?} in {text:?}");
        for _ in 0..4 {
            // Also offsets inside a character, and behind the end.
            let offset = random.below(text.len() + 2) as u32;
            if let Some((name, span)) = name_at(file, offset) {
                assert_inside(text, span, "a name");
                let places = occurrences(inputs, &name);
                assert!(places.iter().any(|it| it.origin == origin), "{name:?} in {text:?}");
                for place in &places {
                    let text = File { inputs, origin: place.origin }.text();
                    assert_inside(text, place.span, "a place");
                }
                // It may be refused.
                let _ = rename(inputs, &name, "renamed");
            }
        }
    }
}

#[test]
fn answers_about_fixtures_and_their_starts_are_inside_the_text() {
    let mut random = Random::new(1);
    for (_, inputs) in fixtures() {
        assert_sound(&inputs, &mut random);
        for _ in 0..cases(1, 3) {
            let text = inputs.document().text();
            let mut end = random.below(text.len() + 1);
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            // A half-written text.
            let start = Document::parse_as(&text[..end], inputs.document().format());
            assert_sound(&inputs.clone().with_document(start), &mut random);
        }
    }
}

/// A text made of what templates and formats are made of.
fn hostile_text() -> impl Strategy<Value = String> {
    let parts = lines(include_str!("../places/parts.txt"));
    prop::collection::vec(prop::sample::select(parts), 0..40).prop_map(|parts| parts.concat())
}

proptest! {
    #![proptest_config(property(300, 20_000))]

    #[test]
    fn answers_about_any_text_are_inside_it(text in hostile_text(), seed in any::<u64>()) {
        let mut random = Random::new(seed);
        for format in Format::ALL {
            let document = Document::parse_as(text.as_str(), *format);
            let inputs = Inputs::new(document.clone()).stored(Stored::new(document));
            for kind in [DocumentKind::Update, DocumentKind::Template] {
                assert_sound(&inputs.clone().kind(kind), &mut random);
            }
        }
    }
}

#[test]
fn findings_of_broken_texts_are_suppressed_or_not_without_panic() {
    for (_, inputs) in fixtures().into_iter().step_by(23) {
        let text = inputs.document().text();
        let mut end = text.len() / 2;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        for format in [Format::Yaml, Format::Jsonc, Format::Toml] {
            let document = Document::parse_as(&text[..end], format);
            let inputs = inputs.clone().with_document(document);
            for found in voxlint::check(&inputs).diagnostics.iter().take(3) {
                let edits = suppress(File::new(&inputs), found, "for the test");
                for edit in edits.iter().flat_map(|(edits, _)| edits) {
                    assert_inside(&text[..end], edit.span, "an edit");
                }
            }
        }
    }
}

/// What a text of many mustaches costs must not grow faster than the text, in any of the answers. The test would not end in a
/// lifetime if one of them were quadratic.
#[test]
fn many_mustaches_take_linear_time() {
    let many = cases(20_000, 100_000) as usize;
    for part in ["{{a}}", "{{#if a}}", "{{! ", "{{a", "{{#a}}{{/a}}", "{{{{", "{{\\\"", "{{f a='"] {
        let text = format!(r#"{{ "prompt_text": "{}" }}"#, part.repeat(many));
        let inputs = Inputs::new(Document::parse(text)).kind(DocumentKind::Update);
        let file = File::new(&inputs);
        let count = tokens(file).len();
        assert!(count > 0, "{part}");
        symbols(file.document());
        name_at(file, 1_000);
        let name = Name::Variable("a".to_owned());
        occurrences(&inputs, &name);
        let _ = rename(&inputs, &name, "renamed");
    }
}
