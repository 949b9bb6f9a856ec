//! The fixes that rules declare are those that their findings offer.

use std::collections::BTreeSet;

use voxlint::docs::fix_examples;
use voxlint::syntax::Format;
use voxlint::{Document, DocumentKind, Inputs, Safety, check, rules};

use crate::fixes::fixtures;

#[test]
fn every_declared_fix_is_shown_on_its_page() {
    let mut others = Vec::new();
    for rule in rules::all() {
        let declared = rule.fix.map_or(&[][..], |fix| fix.safety);
        let shown: Vec<Safety> = fix_examples::of(rule).iter().map(|it| it.safety).collect();
        if shown != declared {
            others
                .push(format!("{}: declares {declared:?}, and its page shows {shown:?}", rule.id));
        }
    }
    assert!(others.is_empty(), "{others:#?}");
}

#[test]
fn the_fixes_that_fixtures_are_offered_are_those_that_rules_declare() {
    let mut offered = BTreeSet::new();
    for (path, inputs) in fixtures() {
        let report = check(&inputs);
        for found in &report.diagnostics {
            let declared = found.rule.fix.map_or(&[][..], |fix| fix.safety);
            for fix in &found.fixes {
                let (rule, safety) = (&found.rule.id, fix.safety);
                assert!(declared.contains(&safety), "{path}: {rule}: {safety}");
                offered.insert((rule.to_string(), safety.name()));
            }
        }
    }
    let declared = rules::all().flat_map(|rule| {
        let safety = rule.fix.map_or(&[][..], |fix| fix.safety);
        safety.iter().map(|safety| (rule.id.to_string(), safety.name()))
    });
    assert_eq!(offered, declared.collect());
}

#[test]
fn what_a_fix_does_is_described_in_sentences() {
    for rule in rules::all() {
        let Some(fix) = rule.fix else { continue };
        assert!(!fix.safety.is_empty(), "{}", rule.id);
        let is_sentence = fix.about.starts_with(char::is_uppercase) && fix.about.ends_with('.');
        assert!(is_sentence, "{}: {}", rule.id, fix.about);
    }
    let all: BTreeSet<&str> = rules::all().filter_map(|rule| rule.fix).map(|it| it.about).collect();
    assert!(all.len() > 20, "{all:#?}");
}

/// With or without quotes, `yes` is a text that probably means true.
#[test]
fn a_flag_as_a_word_has_an_unsafe_fix_in_every_spelling() {
    for (text, format) in [
        ("backchanneling: yes\n", Format::Yaml),
        ("backchanneling: \"yes\"\n", Format::Yaml),
        ("{\"backchanneling\": \"yes\"}", Format::Json),
        ("backchanneling = 'yes'\n", Format::Toml),
    ] {
        let document = Document::parse_as(text.to_owned(), format);
        let report = check(&Inputs::new(document).kind(DocumentKind::Settings));
        let found: Vec<_> =
            report.diagnostics.iter().filter(|it| &*it.rule.id == "wrong-type").collect();
        let [found] = found.as_slice() else { panic!("{text}: {found:#?}") };
        let [fix] = found.fixes.as_slice() else { panic!("{text}: {:#?}", found.fixes) };
        assert_eq!((&*fix.edits[0].text, fix.safety), ("true", Safety::Unsafe), "{text}");
        assert_eq!(found.help.as_deref(), Some("write `true`"), "{text}");
    }
}
