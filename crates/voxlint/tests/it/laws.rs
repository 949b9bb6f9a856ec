//! Laws that hold for every document, whatever is stored and known, over generated ones.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use voxlint::{
    Document, DocumentKind, Facts, Family, Inputs, Origin, Prediction, Report, Rule, Source,
    Stored, VerdictKind, check, predict, rules,
};
use voxlint_testing::triples::{Random, Triple};
use voxlint_testing::{faults_of, judge_text, seed};

/// How many triples of a document, a stored state and facts a law is held against.
const TRIPLES: u64 = 100_000;

/// What a rule says of a document as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Rejects,
    Possible,
    Undecided,
    Holds,
}

/// What the rules about the effective configuration say that can refuse. A prediction tells of undecided rules even where
/// the document says nothing of what they hang on.
fn standings(report: &Report) -> Vec<(&'static str, Standing)> {
    let standing = |rule: &Rule| {
        let verdicts = report.diagnostics.iter().filter(|found| found.rule.id == rule.id);
        match verdicts.map(|found| found.verdict).min() {
            Some(VerdictKind::Reject) => Standing::Rejects,
            Some(VerdictKind::Possible) => Standing::Possible,
            _ if report.undecided.iter().any(|entry| entry.rule.id == rule.id) => {
                Standing::Undecided
            }
            _ => Standing::Holds,
        }
    };
    let may_refuse = rules::all().filter(|rule| {
        rule.status.is_some()
            && (rule.family() == Family::Config || JUDGED_AGAIN.contains(&&*rule.id))
    });
    may_refuse.map(|rule| (&*rule.id, standing(rule))).collect()
}

/// Rules about single values that the service judges again when an update leaves them alone.
const JUDGED_AGAIN: [&str; 4] = [
    "out-of-range",
    "template-syntax-error",
    "transfer-destination-malformed",
    "boosted-keyword-character",
];

/// Rules about the effective configuration that never refuse for sure: the description leaves open whether the service does.
const NEVER_SURE: [&str; 2] = ["reminder-interval-too-long", "boosted-keywords-without-effect"];

/// Whether a fault of the document keeps a rule from judging.
fn is_at_fault(report: &Report, rule: &str) -> bool {
    let at_fault = report
        .diagnostics
        .iter()
        .filter(|found| found.rule.family() == Family::Value && found.origin == Origin::Document);
    let reads = rules::find(rule).map_or(&[][..], |rule| rule.reads);
    at_fault
        .clone()
        .any(|found| reads.iter().any(|row| found.field.trim_start_matches('/') == row.name))
}

fn predicted(triple: &Triple) -> Prediction {
    let texts = triple.texts();
    let sources = texts.each_ref().map(|text| Source::from(text.as_str()));
    let [document, held, known] = sources.each_ref().map(Document::parse);
    let mut inputs = Inputs::new(&document).kind(DocumentKind::Update);
    inputs.stored = (!texts[1].is_empty()).then(|| Stored::new(&held));
    inputs.facts = (!texts[2].is_empty()).then(|| Facts::new(&known));
    predict(&inputs).unwrap()
}

fn judge(triple: &Triple) -> Report {
    let [document, stored, facts] = triple.texts();
    judge_text(&document, &stored, &facts)
}

/// Rules, verdicts and fields of what was found, sorted.
fn findings(report: &Report) -> Vec<(&str, VerdictKind, String)> {
    let found = report.diagnostics.iter();
    let mut found: Vec<_> =
        found.map(|found| (&*found.rule.id, found.verdict, found.field.clone())).collect();
    found.sort();
    found
}

#[test]
fn more_knowledge_never_reverses_a_verdict() {
    let mut settled: BTreeMap<&str, BTreeSet<Standing>> = BTreeMap::new();
    let mut certain = 0;
    for case in 0..TRIPLES {
        let mut random = Random::new(case);
        let more = Triple::any(&mut random);
        let less = more.with_less(&mut random);
        if case < 1_000 {
            let [_, stored, facts] = more.texts();
            assert!(faults_of(&stored, &facts).is_empty(), "{stored} {facts}");
        }
        let (before, after) = (predicted(&less), predicted(&more));
        let told = standings(&before.report).into_iter().zip(standings(&after.report));
        for ((rule, told_less), (_, told_more)) in told {
            // A refusal that depends on something unknown says so: a stored frequency of 0 may mean that no reminder is
            // configured, and a flow agent may have no pipeline.
            let softened = before
                .report
                .undecided
                .iter()
                .any(|entry| entry.may_be_accepted && entry.rule.id == rule);
            let is_lawful = match told_less {
                Standing::Rejects => told_more == Standing::Rejects || softened,
                Standing::Holds => told_more == Standing::Holds,
                Standing::Possible | Standing::Undecided => true,
            };
            assert!(
                is_lawful
                    || is_at_fault(&before.report, rule)
                    || (rule == "agent-not-found" && more.contradicts_itself()),
                "{rule}: {told_less:?} became {told_more:?}\n{:#?}\n{:#?}",
                less.texts(),
                more.texts()
            );
            if told_less != told_more {
                settled.entry(rule).or_default().insert(told_more);
            }
        }
        // So the answers that are possible become fewer, and a certain success stays one.
        if !before.may_be_accepted() && !more.contradicts_itself() {
            assert!(
                statuses(&after).is_subset(&statuses(&before)),
                "{:?} became {:?}\n{:#?}\n{:#?}",
                statuses(&before),
                statuses(&after),
                less.texts(),
                more.texts()
            );
            certain += u32::from(after.is_surely_accepted());
        }
    }
    assert!(certain > 100, "{certain} certain successes");
    // The law would say nothing of rules that knowledge never touched.
    for rule in rules::all().filter(|rule| rule.family() == Family::Config) {
        let is_settled = settled.get(&*rule.id).is_some_and(|by| by.contains(&Standing::Rejects));
        let never_refuses = rule.status.is_none() || NEVER_SURE.contains(&&*rule.id);
        assert!(never_refuses || rule.id == "unknown-id" || is_settled, "{}", rule.id);
    }
}

/// The statuses of the answers, and of those that a refusal could have instead.
fn statuses(prediction: &Prediction) -> BTreeSet<u16> {
    let answers = prediction.answers.iter().map(|answer| answer.status);
    answers.chain(prediction.other_rejections()).collect()
}

#[test]
fn the_order_of_members_does_not_matter() {
    for case in 0..TRIPLES {
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
        let refusals = |report: &Report| -> BTreeSet<String> {
            let found = report.diagnostics.iter().filter(|it| it.verdict == VerdictKind::Reject);
            found
                .map(|found| found.rule.id.to_string())
                .filter(|id| REPEATABLE.contains(&id.as_str()))
                .collect()
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
    let rules: Vec<&str> = report.diagnostics.iter().map(|found| &*found.rule.id).collect();
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
        check(&Inputs::new(&document).stored(Stored::new(&document)).facts(Facts::new(&document)));
    }
}
