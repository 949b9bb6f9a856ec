//! Laws that hold for every document, whatever is stored and known, over generated ones.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says so when it is skipped"
)]

mod support;

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use support::triples::{Members, Random, Triple};
use support::{faults_of, judge_text, seed};
use voxlint::{Document, Family, Inputs, Origin, Report, Rule, Source, VerdictKind, check, rules};

/// How many triples of a document, a stored state and facts a law is held against.
const TRIPLES: u64 = 100_000;

/// What a rule says of a document as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Rejects,
    Possible,
    /// Undecided, or with nothing in the document to be about, or kept from judging by a fault of the document.
    Open,
    Holds,
}

/// What the rules say that can refuse.
fn standings(report: &Report, document: &Members) -> Vec<(&'static str, Standing)> {
    let at_fault: BTreeSet<&str> = report
        .diagnostics
        .iter()
        .filter(|found| found.rule.family() == Family::Value && found.origin == Origin::Document)
        .map(|found| found.field.trim_start_matches('/'))
        .collect();
    let standing = |rule: &Rule| {
        let verdicts = report.diagnostics.iter().filter(|found| found.rule.id == rule.id);
        let touched = rule.reads.iter().any(|row| document.contains_key(row.name));
        let kept_from_judging = rule.reads.iter().any(|row| at_fault.contains(row.name));
        match verdicts.map(|found| found.verdict).min() {
            Some(VerdictKind::Reject) => Standing::Rejects,
            Some(VerdictKind::Possible) => Standing::Possible,
            _ if !touched || kept_from_judging => Standing::Open,
            _ if report.undecided.iter().any(|entry| entry.rule.id == rule.id) => Standing::Open,
            _ => Standing::Holds,
        }
    };
    let may_refuse = rules::all().filter(|rule| rule.status.is_some());
    may_refuse.map(|rule| (rule.id, standing(rule))).collect()
}

fn judge(triple: &Triple) -> Report {
    let [document, stored, facts] = triple.texts();
    judge_text(&document, &stored, &facts)
}

/// Rules, verdicts and fields of what was found, sorted.
fn findings(report: &Report) -> Vec<(&'static str, VerdictKind, String)> {
    let found = report.diagnostics.iter();
    let mut found: Vec<_> =
        found.map(|found| (found.rule.id, found.verdict, found.field.clone())).collect();
    found.sort();
    found
}

#[test]
fn more_knowledge_never_reverses_a_verdict() {
    let mut settled: BTreeMap<&str, BTreeSet<Standing>> = BTreeMap::new();
    for case in 0..TRIPLES {
        let mut random = Random::new(case);
        let more = Triple::any(&mut random);
        if case < 1_000 {
            let [_, stored, facts] = more.texts();
            assert!(faults_of(&stored, &facts).is_empty(), "{stored} {facts}");
        }
        let less = more.with_less(&mut random);
        let before = standings(&judge(&less), &less.document);
        let after = standings(&judge(&more), &more.document);
        for ((rule, told_less), (_, told_more)) in before.into_iter().zip(after) {
            // The one exception: a stored frequency of 0 may mean that no reminder is configured.
            let softened = rule == "silence-not-after-reminder" && more.stores_no_reminders();
            let is_lawful = match told_less {
                Standing::Rejects => told_more == Standing::Rejects || softened,
                Standing::Holds => told_more == Standing::Holds,
                Standing::Possible | Standing::Open => true,
            };
            assert!(
                is_lawful,
                "{rule}: {told_less:?} became {told_more:?}\n{:#?}\n{:#?}",
                less.texts(),
                more.texts()
            );
            if told_less != told_more {
                settled.entry(rule).or_default().insert(told_more);
            }
        }
    }
    // The law would say nothing of rules that knowledge never touched.
    for rule in rules::all().filter(|rule| rule.family() == Family::Config) {
        let is_settled = settled.get(rule.id).is_some_and(|by| by.contains(&Standing::Rejects));
        let never_refuses = rule.status.is_none() || rule.id == "reminder-interval-too-long";
        assert!(never_refuses || rule.id == "unknown-id" || is_settled, "{}", rule.id);
    }
}

#[test]
fn the_order_of_members_does_not_matter() {
    for case in 0..TRIPLES / 10 {
        let triple = Triple::any(&mut Random::new(case));
        let (one, other) = (judge(&triple), judge(&triple.reversed()));
        assert_eq!(findings(&one), findings(&other), "{:#?}", triple.texts());
        let undecided = |report: &Report| format!("{:?}", report.undecided);
        assert_eq!(undecided(&one), undecided(&other), "{:#?}", triple.texts());
    }
}

/// Rules about the effective configuration, which is the same when an update says again what is stored.
const REPEATABLE: [&str; 12] = [
    "fallback-transcriber-missing",
    "fallback-transcriber-same",
    "fallback-transcriber-not-listed",
    "voice-model-of-another-provider",
    "silence-not-after-reminder",
    "duration-over-pipeline-cap",
    "out-of-range",
    "template-syntax-error",
    "transfer-destination-malformed",
    "too-many-transfer-destinations",
    "boosted-keyword-character",
    "boosted-keyword-too-long",
];

#[test]
fn repeating_stored_values_adds_no_refusal() {
    let mut repeated = 0;
    for case in 0..TRIPLES {
        let mut random = Random::new(case);
        let triple = Triple::any(&mut random);
        let Some(version) =
            triple.version.as_ref().filter(|_| triple.document["version_number"].starts_with('3'))
        else {
            continue;
        };
        let mut again = triple.clone();
        for (name, value) in version {
            // A new voice comes with a model of its own: to say the stored model again is a change.
            let is_model_of_another =
                *name == "voice_model_id" && triple.document.contains_key("voice_id");
            if !triple.document.contains_key(name) && !is_model_of_another && random.percent(60) {
                again.document.insert(name, value.clone());
                repeated += 1;
            }
        }
        let refusals = |report: &Report| -> BTreeSet<&str> {
            let found = report.diagnostics.iter().filter(|it| it.verdict == VerdictKind::Reject);
            found.map(|found| found.rule.id).filter(|id| REPEATABLE.contains(id)).collect()
        };
        let (before, after) = (refusals(&judge(&triple)), refusals(&judge(&again)));
        assert!(
            after.is_subset(&before),
            "{before:?} became {after:?}\n{:#?}\n{:#?}",
            triple.texts(),
            again.texts()
        );
    }
    assert!(repeated > 0);
}

#[test]
fn a_known_end_of_the_call_leaves_the_interval_alone() {
    let report = judge_text(
        r#"{ "version_number": 3, "end_call_on_silence_sec": 20, "reminder_message_interval": 26 }"#,
        "",
        "",
    );
    let rules: Vec<&str> = report.diagnostics.iter().map(|found| found.rule.id).collect();
    assert_eq!(rules, ["silence-not-after-reminder"]);
}

proptest! {
    // The same cases every time; PROPTEST_RNG_SEED tries others.
    #![proptest_config(ProptestConfig { cases: 4_000, failure_persistence: None, rng_seed: seed(), ..ProptestConfig::default() })]

    #[test]
    fn checking_twice_says_the_same(text in "[\\[\\]{}\",:0-9a-z_ \\\\\n]{0,80}") {
        let (first, second) = (judge_text(&text, "", ""), judge_text(&text, "", ""));
        prop_assert_eq!(format!("{first:?}"), format!("{second:?}"));
    }

    #[test]
    fn no_text_panics(text in any::<String>(), bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        judge_text(&text, "", "");
        let source = Source::from_bytes(&bytes);
        let document = Document::parse(&source);
        check(&Inputs::new(&document).stored(voxlint::Stored::new(&document)).facts(voxlint::Facts::new(&document)));
    }
}
