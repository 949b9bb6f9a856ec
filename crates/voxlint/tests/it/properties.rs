//! Properties that hold for every document, every stored configuration and all facts, checked against generated ones.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use crate::support::{check_text, faults_of, format_of, inputs};
use proptest::prelude::*;
use voxlint::{
    Diagnostic, Document, DocumentKind, Facts, Family, Inputs, Origin, Prediction, Report, Rule,
    Source, Stored, VerdictKind, check, predict, rules,
};
use voxlint_testing::generated_inputs::{GeneratedInputs, Random};
use voxlint_testing::{case_files, cases, property};

/// The number of generated documents, each with a stored configuration and facts, that each property is checked for.
fn generated_cases() -> u64 {
    cases(1_000, 100_000)
}

/// The verdict of a rule on a document as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Rejects,
    Possible,
    Undecided,
    Holds,
}

/// The outcome of each rule about the effective configuration that can reject, and of those about single values that the
/// service revalidates. A prediction lists undecided rules even where the document sets none of the fields that they read.
fn outcomes(report: &Report) -> Vec<(&'static Rule, Outcome)> {
    let can_reject = rules::all().filter(|rule| {
        rule.status.is_some()
            && (rule.family() == Family::Config || REVALIDATED.contains(&&*rule.id))
    });
    can_reject.map(|rule| (rule, outcome(report, rule))).collect()
}

fn outcome(report: &Report, rule: &Rule) -> Outcome {
    let verdicts = report.diagnostics.iter().filter(|found| found.rule.id == rule.id);
    match verdicts.map(|found| found.verdict).min() {
        Some(VerdictKind::Reject) => Outcome::Rejects,
        Some(VerdictKind::Possible) => Outcome::Possible,
        _ if report.undecided.iter().any(|entry| entry.rule.id == rule.id) => Outcome::Undecided,
        _ => Outcome::Holds,
    }
}

/// Rules about single values that the service checks again with every update, also where the update omits the value.
const REVALIDATED: [&str; 4] = [
    "out-of-range",
    "template-syntax-error",
    "transfer-destination-malformed",
    "boosted-keyword-character",
];

/// Whether an invalid value in the document keeps a rule from deciding.
fn is_kept_from_deciding(report: &Report, rule: &Rule) -> bool {
    let invalid = report
        .diagnostics
        .iter()
        .filter(|found| found.rule.family() == Family::Value && found.origin == Origin::Document);
    let mut fields = invalid.map(|found| found.field.trim_start_matches('/'));
    fields.any(|field| rule.reads.iter().any(|row| field == row.name))
}

/// A document, a stored configuration and facts. A text that is not given is empty.
type Texts = [String; 3];

fn predicted([document, stored, facts]: &Texts) -> Prediction {
    predict(&inputs(document, stored, facts).kind(DocumentKind::Update)).unwrap()
}

fn check_generated(generated: &GeneratedInputs) -> Report {
    let [document, stored, facts] = generated.texts();
    check_text(&document, &stored, &facts)
}

/// Rules, verdicts and fields of the findings, sorted.
fn findings(report: &Report) -> Vec<(&str, VerdictKind, String)> {
    let found = report.diagnostics.iter();
    let mut found: Vec<_> =
        found.map(|found| (&*found.rule.id, found.verdict, found.field.clone())).collect();
    found.sort();
    found
}

/// Asserts that a prediction with more knowledge agrees with one with less, and returns the rules that this knowledge made
/// reject. `is_contradictory` says that the agent is not in the workspace.
fn assert_no_verdict_is_reversed(
    less: &Texts,
    more: &Texts,
    is_contradictory: bool,
) -> (Prediction, Vec<&'static str>) {
    let (before, after) = (predicted(less), predicted(more));
    let mut rejecting = Vec::new();
    for ((rule, earlier), (_, later)) in
        outcomes(&before.report).into_iter().zip(outcomes(&after.report))
    {
        // A rejection may depend on something unknown: a stored frequency of 0 may mean that no reminder is configured, and
        // a flow agent may have no pipeline.
        let may_be_accepted = || {
            let mut undecided = before.report.undecided.iter();
            undecided.any(|entry| entry.may_be_accepted && entry.rule.id == rule.id)
        };
        let is_lawful = match earlier {
            Outcome::Rejects => later == Outcome::Rejects || may_be_accepted(),
            Outcome::Holds => later == Outcome::Holds,
            Outcome::Possible | Outcome::Undecided => true,
        };
        assert!(
            is_lawful
                || is_kept_from_deciding(&before.report, rule)
                || (rule.id == "agent-not-found" && is_contradictory),
            "{}: {earlier:?} became {later:?}\n{less:#?}\n{more:#?}",
            rule.id
        );
        if earlier != later && later == Outcome::Rejects {
            rejecting.push(&*rule.id);
        }
    }
    // So there are fewer possible answers, and a certain success stays one.
    if !before.may_be_accepted() && !is_contradictory {
        let (earlier, later) = (statuses(&before), statuses(&after));
        assert!(later.is_subset(&earlier), "{earlier:?} became {later:?}\n{less:#?}\n{more:#?}");
    }
    (after, rejecting)
}

#[test]
fn more_knowledge_never_reverses_a_verdict() {
    let mut successes = 0;
    let mut rejecting = BTreeSet::new();
    for case in 0..generated_cases() {
        let mut random = Random::new(case);
        let more = GeneratedInputs::any(&mut random);
        let less = more.with_less(&mut random).texts();
        let texts = more.texts();
        if case < 1_000 {
            assert!(faults_of(&texts[1], &texts[2]).is_empty(), "{texts:#?}");
        }
        let (after, rules) =
            assert_no_verdict_is_reversed(&less, &texts, more.contradicts_itself());
        rejecting.extend(rules);
        successes += usize::from(after.is_certainly_accepted());
    }
    assert!(successes > 0, "{successes} certain successes");

    // The generated inputs may not reach every rule, but its own cases do.
    let mut can_reject = BTreeSet::new();
    for (rule, more) in updates_with_knowledge() {
        let is_contradictory = rule.id == "agent-not-found";
        for known in [[false, false], [true, false], [false, true]] {
            let mut less = more.clone();
            for (text, is_known) in less[1..].iter_mut().zip(known) {
                if !is_known {
                    text.clear();
                }
            }
            let (_, rules) = assert_no_verdict_is_reversed(&less, &more, is_contradictory);
            rejecting.extend(rules);
        }
        if rule.family() == Family::Config
            && outcome(&predicted(&more).report, rule) == Outcome::Rejects
        {
            can_reject.insert(&*rule.id);
        }
    }
    let untouched: Vec<_> = can_reject.difference(&rejecting).collect();
    assert!(untouched.is_empty(), "knowledge never makes {untouched:?} reject");
}

/// The cases of all rules that are updates in JSON beside a usable stored configuration or facts.
fn updates_with_knowledge() -> Vec<(&'static Rule, Texts)> {
    let text = |path: PathBuf| fs::read_to_string(path).unwrap_or_default();
    let cases = case_files().into_iter().filter_map(|case| {
        let texts =
            ["json", "stored.json", "facts.json"].map(|it| text(case.path.with_extension(it)));
        let [document, stored, facts] = &texts;
        let kind = Document::parse(document.as_str()).recognise();
        let is_usable = kind == Some(DocumentKind::Update)
            && !(stored.is_empty() && facts.is_empty())
            && faults_of(stored, facts).is_empty();
        is_usable.then(|| (rules::find(&case.rule).expect("a rule"), texts))
    });
    cases.collect()
}

/// The statuses of the predicted answers, and of those that a rejection may have instead.
fn statuses(prediction: &Prediction) -> BTreeSet<u16> {
    let answers = prediction.answers.iter().map(|answer| answer.status);
    answers.chain(prediction.other_rejections()).collect()
}

#[test]
fn the_order_of_fields_does_not_matter() {
    for case in 0..generated_cases() {
        let generated = GeneratedInputs::any(&mut Random::new(case));
        let (one, other) = (check_generated(&generated), check_generated(&generated.reversed()));
        assert_eq!(findings(&one), findings(&other), "{:#?}", generated.texts());
        let undecided = |report: &Report| format!("{:?}", report.undecided);
        assert_eq!(undecided(&one), undecided(&other), "{:#?}", generated.texts());
    }
}

/// Rules about the effective configuration, which stays the same when an update repeats stored values.
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
fn repeating_stored_values_adds_no_rejection() {
    let mut repeated = 0;
    for case in 0..generated_cases() {
        let mut random = Random::new(case);
        let generated = GeneratedInputs::any(&mut random);
        let Some(version) = generated
            .version
            .as_ref()
            .filter(|_| generated.document["version_number"].starts_with('3'))
        else {
            continue;
        };
        let mut again = generated.clone();
        for (name, value) in version {
            // A new voice has a recommended model: repeating the stored model is a change.
            let is_model_of_another =
                *name == "voice_model_id" && generated.document.contains_key("voice_id");
            if !generated.document.contains_key(name) && !is_model_of_another && random.percent(60)
            {
                again.document.insert(name, value.clone());
                repeated += 1;
            }
        }
        let rejections = |report: &Report| -> BTreeSet<String> {
            let found = report.diagnostics.iter().filter(|it| it.verdict == VerdictKind::Reject);
            found
                .map(|found| found.rule.id.to_string())
                .filter(|id| REPEATABLE.contains(&id.as_str()))
                .collect()
        };
        let (before, after) =
            (rejections(&check_generated(&generated)), rejections(&check_generated(&again)));
        assert!(
            after.is_subset(&before),
            "{before:?} became {after:?}\n{:#?}\n{:#?}",
            generated.texts(),
            again.texts()
        );
    }
    assert!(repeated > 0);
}

#[test]
fn a_known_silence_timeout_is_reported_once() {
    let report = check_text(
        r#"{ "version_number": 3, "end_call_on_silence_sec": 20, "reminder_message_interval": 26 }"#,
        "",
        "",
    );
    let rules: Vec<&str> = report.diagnostics.iter().map(|found| &*found.rule.id).collect();
    assert_eq!(rules, ["silence-not-after-reminder"]);
}

proptest! {
    // The same cases every time; PROPTEST_RNG_SEED tries others.
    #![proptest_config(property(400, 4_000))]

    #[test]
    fn checking_twice_gives_the_same_report(text in "[\\[\\]{}\",:0-9a-z_ \\\\\n]{0,80}") {
        let (first, second) = (check_text(&text, "", ""), check_text(&text, "", ""));
        prop_assert_eq!(format!("{first:?}"), format!("{second:?}"));
    }

    #[test]
    fn no_text_panics(text in any::<String>(), bytes in proptest::collection::vec(any::<u8>(), 0..60)) {
        check_text(&text, "", "");
        let source = Source::from_bytes(&bytes);
        let document = Document::parse(source);
        check(&Inputs::new(document.clone()).stored(Stored::new(document.clone())).facts(Facts::new(document)));
    }
}

/// Names of variables, some of them similar to each other.
const VARIABLES: [&str; 12] = [
    "name",
    "nmae",
    "first_name",
    "firstName",
    "first name",
    "city",
    "town",
    "order.id",
    "agent_name",
    "a",
    "x?",
    "नाम",
];

/// Templates that use a variable, written `§`.
const USES: [&str; 8] = [
    "{{§}} ",
    "{{#if §}}{{§}}{{/if}} ",
    "{{#unless §}}a{{else}}{{§}}{{/unless}} ",
    "{{#each §}}{{§}}{{../§}}{{/each}} ",
    "{{#with §}}{{@root.§}}{{/with}} ",
    "{{#§}}a{{/§}} ",
    "{{lookup § 0}} ",
    "{{!-- § --}} ",
];

fn variable_report(template: &str, defaults: &[&str]) -> Report {
    let names = ["zz"].iter().chain(defaults);
    let values: serde_json::Map<_, _> =
        names.map(|name| ((*name).to_owned(), "there".into())).collect();
    let update = serde_json::json!({
        "version_number": 3, "prompt_text": template, "default_dynamic_variables": values
    });
    check(&Inputs::new(Document::parse(update.to_string())))
}

/// The names that a rule reports in a report.
fn reported<'r>(report: &'r Report, rule: &str) -> BTreeSet<&'r str> {
    let found = report.diagnostics.iter().filter(|found| found.rule.id == rule);
    found.map(|found| found.message.as_str()).collect()
}

/// Beside other defaults, one more default explains its variable and no other: a variable that templates render only if it has a
/// value is optional until a similar name is known.
#[test]
fn another_default_adds_no_unknown_variable() {
    let mut some = 0;
    for seed in 0..generated_cases() {
        let mut random = Random::new(seed);
        let mut template = String::new();
        for _ in 0..=random.below(5) {
            let one = random.pick(&USES).replace('§', random.pick(&VARIABLES));
            template.push_str(&one);
        }
        let mut defaults: Vec<&str> = Vec::new();
        let mut before: Option<Report> = None;
        for _ in 0..4 {
            let report = variable_report(&template, &defaults);
            if let Some(before) = &before {
                let rule = "unknown-template-variable";
                let (old, new) = (reported(before, rule), reported(&report, rule));
                // A name that is the path of a use is told in other words.
                let is_same = |message: &&&str| message.contains("divides a path");
                let is_optional = template.contains("{{#");
                let mut added = new.difference(&old).filter(|it| !is_optional && !is_same(it));
                assert_eq!(added.next(), None, "{template} with {defaults:?}");
                some += usize::from(new.len() < old.len());
            }
            before = Some(report);
            defaults.push(random.pick(&VARIABLES));
        }
    }
    assert!(some > 100, "{some}");
}

/// The variables that the engine collects where it parses templates are those that `template_variables` finds.
#[test]
fn every_reported_variable_is_in_the_table() {
    for seed in 0..generated_cases() {
        let mut random = Random::new(seed);
        let count = random.below(6) + 1;
        let uses = (0..count).map(|_| random.pick(&USES).replace('§', random.pick(&VARIABLES)));
        let template: String = uses.collect();
        let report = variable_report(&template, &["city"]);
        let text = serde_json::json!({
            "version_number": 3, "prompt_text": template, "default_dynamic_variables": { "city": "Lyon" }
        });
        let inputs = Inputs::new(Document::parse(text.to_string()));
        let table = voxlint::template_variables(&inputs).expect("an update");
        let unknown: BTreeSet<_> =
            table.variables.iter().filter(|it| it.source.is_none()).map(|it| &*it.name).collect();
        for found in
            report.diagnostics.iter().filter(|it| it.rule.id == "unknown-template-variable")
        {
            let name = found.message.split('`').nth(1).unwrap_or_default();
            let is_path = found.message.contains("divides a path");
            assert!(is_path || unknown.contains(name), "{template}: {name}");
        }
    }
}

/// Findings about texts whose marks overlap.
fn contradictions(report: &Report) -> Vec<String> {
    let is_about_text = |found: &&Diagnostic| {
        matches!(found.rule.family(), Family::Text | Family::Template)
            || found.rule.family() == Family::Config && found.rule.id.contains("variable")
    };
    let found: Vec<&Diagnostic> = report.diagnostics.iter().filter(is_about_text).collect();
    let pairs = found
        .iter()
        .enumerate()
        .flat_map(|(at, one)| found.iter().skip(at + 1).map(move |other| (*one, *other)));
    let overlap = |(one, other): &(&Diagnostic, &Diagnostic)| {
        one.origin == other.origin
            && one.span.start < other.span.end
            && other.span.start < one.span.end
    };
    pairs
        .filter(overlap)
        .map(|(one, other)| {
            format!("{}: {}\n{}: {}", one.rule.id, one.message, other.rule.id, other.message)
        })
        .collect()
}

#[test]
fn one_mistake_in_a_text_is_one_finding() {
    let names = [
        "agent_name",
        "AGENT_NAME",
        "Agent Name",
        "CITY",
        "COMPANY NAME",
        "Your Company",
        "TODO",
        "name",
        "first name",
        "variable",
        "1",
        "name?",
        "“NAME”",
        "transfer_call",
        "TRANSFER_CALL",
        "current_time_Europe/Berlin",
        "if not vip",
    ];
    let wrappers = [
        ("[", "]"),
        ("[[", "]]"),
        ("<", ">"),
        ("<<", ">>"),
        ("{", "}"),
        ("${", "}"),
        ("{{", "}}"),
        ("{{[", "]}}"),
        ("%", "%"),
        ("{% ", " %}"),
        ("{ {", "}}"),
        ("{{#if ", "}}x{{/if}}"),
        ("{{#", "}}"),
        ("[{", "}]"),
        ("{[", "]}"),
        ("<{", "}>"),
        ("{<", ">}"),
    ];
    let defaults = [
        r"{}",
        r#"{ "agent_name": "Ava" }"#,
        r#"{ "AGENT_NAME": "Ava", "first name": "x", "CITY": "Bonn" }"#,
    ];
    let mut all = Vec::new();
    for (open, close) in wrappers {
        for name in names {
            for other in ["", " {{other}}", " {{other}} {{transfer_call}}"] {
                for defaults in defaults {
                    let text =
                        serde_json::json!(format!("Your name is {open}{name}{close} here.{other}"));
                    let functions = r#"[{ "displayName": "transfer_call", "type": "end_call", "description": "x", "config": {} }]"#;
                    let document = format!(
                        r#"{{ "version_number": 3, "welcome_message": {text}, "prompt_text": {text}, "system_prompt_text": {text},
                            "default_dynamic_variables": {defaults}, "agent_functions": {functions} }}"#
                    );
                    let report = check_text(&document, "", "");
                    let found = contradictions(&report);
                    all.extend(found.into_iter().map(|found| format!("{document}\n{found}")));
                }
            }
        }
    }
    for case in case_files() {
        let source = Source::from_bytes(fs::read(&case.path).expect("a file"));
        let report = check(&Inputs::new(Document::parse_as(source, format_of(&case.path))));
        let found = contradictions(&report);
        all.extend(found.into_iter().map(|found| format!("{}\n{found}", case.path.display())));
    }
    assert!(all.is_empty(), "{}", all.join("\n\n"));
}
