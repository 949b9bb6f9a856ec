//! The readings of the description that rules declare, and what becomes of verdicts when a team sets them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use voxlint::docs::pages;
use voxlint::readings::{self, Readings, SetReading};
use voxlint::syntax::Format;
use voxlint::{
    Document, DocumentKind, Facts, Inputs, Prediction, Report, Stored, VerdictKind, check, predict,
    rules,
};
use voxlint_testing::generated_inputs::{GeneratedInputs, Random};
use voxlint_testing::{case_files, cases, examples, examples_in};

use crate::support::{format_of, inputs};

/// The cases of all rules and the examples of their pages.
fn documents() -> Vec<Inputs> {
    let mut all = Vec::new();
    for case in case_files() {
        let beside = |extension: &str| fs::read_to_string(case.path.with_extension(extension)).ok();
        let text = fs::read(&case.path).unwrap();
        let document =
            Document::parse_as(voxlint::Source::from_bytes(&text), format_of(&case.path));
        let stored = beside("stored.json").map(|text| Stored::new(Document::parse(text)));
        let facts = beside("facts.json").map(|text| Facts::new(Document::parse(text)));
        all.push(Inputs::new(document).stored(stored).facts(facts));
    }
    for rule in rules::all() {
        let page = rule.page();
        let (mut stored, mut facts) = ("", "");
        for (verdict, example) in examples(&page) {
            match verdict {
                "stored" => stored = example,
                "facts" => facts = example,
                "variables" => {}
                _ => all.push(inputs(
                    example,
                    std::mem::take(&mut stored),
                    std::mem::take(&mut facts),
                )),
            }
        }
        for format in [Format::Yaml, Format::Toml] {
            for (_, example) in examples_in(&page, format.name()) {
                all.push(Inputs::new(Document::parse_as(example, format)));
            }
        }
    }
    all
}

/// Updates that omit a stored value, and the stored configurations: for rules whose own cases have none that only readings decide.
const OMITTED: [(&str, &str); 4] = [
    (
        r#"{ "version_number": 3, "default_dynamic_variables": {} }"#,
        r#"{ "version_number": 3, "default_dynamic_variables": { "agent_transfer_destinations": 7 } }"#,
    ),
    (
        r#"{ "version_number": 3, "title": "Desk" }"#,
        r#"{ "version_number": 3, "kb_max_chunks": 2.5 }"#,
    ),
    (
        r#"{ "version_number": 3, "default_dynamic_variables": {} }"#,
        r#"{ "version_number": 3, "default_dynamic_variables": { "agent_transfer_destinations": null } }"#,
    ),
    (
        r#"{ "version_number": 3, "default_dynamic_variables": {} }"#,
        r#"{ "version_number": 3, "default_dynamic_variables": { "agent_transfer_destinations": "+14155552600|+14155552600|+14155552601|+14155552602|+14155552603|+14155552604|+14155552605|+14155552606" } }"#,
    ),
];

/// The documents and generated ones, the generated ones as updates.
fn all_documents() -> impl Iterator<Item = Inputs> {
    let generated = (0..cases(1_000, 20_000)).map(|case| {
        let [document, stored, facts] = GeneratedInputs::any(&mut Random::new(case)).texts();
        inputs(&document, &stored, &facts).kind(DocumentKind::Update)
    });
    let omitted = OMITTED.map(|(update, stored)| inputs(update, stored, ""));
    let own = documents().into_iter().chain(omitted);
    own.flat_map(|it| [it.clone(), it.kind(DocumentKind::Update)]).chain(generated)
}

/// Some of the readings, each with one or two of its values.
fn any_readings(random: &mut Random) -> Readings {
    let share = random.pick(&[10, 50, 100]);
    let set = readings::ALL.iter().filter_map(|reading| {
        if !random.percent(share) {
            return None;
        }
        let number = if random.percent(20) { 2 } else { 1 };
        let values = (0..number).map(|_| reading.values[random.below(reading.values.len())].name);
        SetReading::new(reading, values.collect::<Vec<_>>(), "voxlint.toml:1", None, None).ok()
    });
    set.collect()
}

/// The reports of a check and of a prediction.
fn reports(inputs: &Inputs) -> Vec<Report> {
    let predicted = predict(inputs).map(|prediction| prediction.report);
    [check(inputs)].into_iter().chain(predicted).collect()
}

#[test]
fn declared_readings_are_exact() {
    let mut seen: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    // Some verdicts depend on a reading only once others are set.
    let others = readings::ALL.iter().filter(|it| it.name != "default-variables");
    let strict = others.filter_map(|it| {
        SetReading::new(it, it.values.first().map(|value| value.name), "voxlint.toml:1", None, None)
            .ok()
    });
    let strict: Readings = strict.collect();
    for inputs in all_documents() {
        let team = [Readings::default(), strict.clone()];
        for report in team.into_iter().flat_map(|team| reports(&inputs.clone().readings(team))) {
            let found = report.diagnostics.iter().map(|it| (&it.rule, &it.assumes));
            let undecided = report.undecided.iter().map(|it| (&it.rule, &it.assumes));
            for (rule, assumes) in found.chain(undecided) {
                for it in assumes.iter().filter(|it| it.reading.strictest().is_some()) {
                    assert!(it.rejects(0), "{}: {}", rule.id, it.reading.name);
                }
                let names = assumes.iter().map(|it| it.reading.name);
                seen.entry(rule.id.to_string()).or_default().extend(names);
            }
        }
    }
    let mut wrong = Vec::new();
    for rule in rules::all() {
        let declared: BTreeSet<&str> = rule.readings.iter().map(|it| it.name).collect();
        let seen = seen.remove(&*rule.id).unwrap_or_default();
        if declared != seen {
            wrong.push(format!("{}: declares {declared:?}, depends on {seen:?}", rule.id));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    for reading in readings::ALL {
        assert!(pages::depending(reading).next().is_some(), "no rule depends on {}", reading.name);
    }
}

/// The rules with a finding of this verdict.
fn rules_with(report: &Report, verdict: VerdictKind) -> BTreeSet<&str> {
    let found = report.diagnostics.iter().filter(|found| found.verdict == verdict);
    found.map(|found| &*found.rule.id).collect()
}

/// What is known of one answer: the statuses that are possible, and the rules by what they say.
#[track_caller]
fn assert_narrowed(inputs: &Inputs, team: &Readings) -> bool {
    let (Some(before), Some(after)) =
        (predict(inputs), predict(&inputs.clone().readings(team.clone())))
    else {
        return false;
    };
    let about = || format!("{}\n{team:#?}", inputs.document().text());
    let statuses = |it: &Prediction| -> BTreeSet<u16> {
        let answers = it.answers.iter().map(|answer| answer.status);
        let accepted = it.may_be_accepted().then_some(200);
        answers.chain(it.other_rejections()).chain(accepted).collect()
    };
    let (possible, left) = (statuses(&before), statuses(&after));
    assert!(left.is_subset(&possible), "{possible:?} became {left:?}: {}", about());
    let [rejected, may_reject] =
        [VerdictKind::Reject, VerdictKind::Possible].map(|it| rules_with(&before.report, it));
    let rejects = rules_with(&after.report, VerdictKind::Reject);
    let may_be_accepted = before.report.undecided.iter().filter(|it| it.may_be_accepted);
    let reversible: BTreeSet<&str> = may_be_accepted.map(|it| &*it.rule.id).collect();
    // The more telling rejection of a value hides others.
    let is_more_telling = !rejects.is_subset(&rejected);
    let lost: Vec<_> =
        rejected.iter().filter(|id| !rejects.contains(*id) && !reversible.contains(*id)).collect();
    assert!(lost.is_empty() || is_more_telling, "{lost:?} no longer rejects: {}", about());
    let undecided: BTreeSet<&str> = before.report.undecided.iter().map(|it| &*it.rule.id).collect();
    let known = |id: &&&str| {
        rejected.contains(**id) || may_reject.contains(**id) || undecided.contains(**id)
    };
    let new: Vec<_> = rejects.iter().filter(|id| !known(id)).collect();
    assert!(
        new.is_empty() || !rejected.is_empty(),
        "{new:?} rejects what was certain: {}",
        about()
    );
    for found in &after.report.diagnostics {
        let open = found
            .assumes
            .iter()
            .all(|it| team.get(it.reading).is_none_or(|set| set.values.len() > 1));
        let is_right = match found.verdict {
            VerdictKind::Reject => {
                found.settled_by.len() == found.assumes.len()
                    && found.settled_by.iter().zip(&found.assumes).all(|(set, it)| {
                        set.values.iter().all(|value| it.rejecting().any(|it| it.name == *value))
                    })
            }
            _ => open && found.settled_by.is_empty(),
        };
        assert!(is_right, "{found:#?}: {}", about());
    }
    left.len() < possible.len()
}

#[test]
fn setting_readings_only_narrows_the_possible_answers() {
    let mut narrowed = 0;
    let mut random = Random::new(2);
    for inputs in all_documents() {
        for _ in 0..3 {
            let team = any_readings(&mut random);
            narrowed += usize::from(assert_narrowed(&inputs, &team));
        }
    }
    assert!(narrowed > 100, "{narrowed} predictions became more certain");
}
