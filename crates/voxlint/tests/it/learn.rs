//! What records of an independent model of the service teach.

use std::collections::BTreeSet;
use std::num::NonZero;
use std::sync::Arc;
use std::thread;

use voxlint::learn::{Lesson, Lessons, learn, verify};
use voxlint::readings::{Reading, Readings, SetReading};
use voxlint::{Document, DocumentKind, Facts, Inputs, Stored, VerdictKind, check};
use voxlint_testing::cases;
use voxlint_testing::generated_inputs::Random;

use super::model;

/// What records say about readings, as a team writes it into its configuration.
fn learned_from(lessons: &Lessons) -> Readings {
    let set = lessons.readings.iter().filter(|it| it.values.len() < it.reading.values.len());
    let set = set.map(|lesson| {
        let values = lesson.values.iter().map(|value| value.name);
        SetReading::new(lesson.reading, values, "voxlint.toml:1", None, None).expect("its values")
    });
    set.collect()
}

/// What a record says of an update.
fn inputs_of(record: &str) -> Inputs {
    let document = Document::parse(record);
    let root = document.tree().root().expect("an object");
    let part = |name: &str| root.get(name).map(|node| Document::parse(node.source()));
    let mut inputs = Inputs::new(part("body").expect("a body")).kind(DocumentKind::Update);
    inputs = inputs.stored(part("stored").map(Stored::new)).facts(part("facts").map(Facts::new));
    match root.get("agent_id") {
        Some(_) => inputs.agent_id("ag_a"),
        None => inputs,
    }
}

/// What records of a service with random readings teach: nothing wrong, and the names of the readings that are settled.
fn settled_for(choice: u64) -> Vec<&'static str> {
    let mut random = Random::new(choice);
    let service = model::Readings::any(&mut random);
    let truth = service.named();
    let records: Vec<String> = (0..cases(400, 10_000))
        .map(|_| model::record(&mut random, &service, None).record)
        .collect();
    let lessons = learn(records.iter().map(String::as_str), &Readings::default());
    assert_eq!(lessons.unexplained, [], "choice {choice}");
    assert_eq!(lessons.unusable, [], "choice {choice}");
    let mut settled = Vec::new();
    for lesson in &lessons.readings {
        let name = lesson.reading.name;
        let contradiction = &lesson.contradiction;
        assert!(contradiction.is_empty(), "choice {choice}: {name}: lines {contradiction:?}");
        let Some(own) = truth.iter().find(|it| it.reading == lesson.reading) else { continue };
        let is_allowed = lesson.values.iter().any(|value| [value.name] == *own.values);
        assert!(
            is_allowed,
            "choice {choice}: {name} is {}, not {:?}",
            own.value_name(),
            lesson.values
        );
        settled.extend(lesson.settled().map(|_| name));
    }
    // What is set rightly leads to nothing wrong.
    let team: Readings = truth.iter().filter(|_| random.percent(50)).cloned().collect();
    for lesson in learn(records.iter().take(400).map(String::as_str), &team).readings {
        let own = truth.iter().find(|it| it.reading == lesson.reading);
        let is_allowed = |own: &SetReading| lesson.values.iter().any(|it| [it.name] == *own.values);
        assert!(own.is_none_or(is_allowed), "choice {choice}: {lesson:?}");
        assert!(lesson.contradiction.is_empty(), "choice {choice}: {lesson:?}");
    }
    let readings = Arc::new(learned_from(&lessons));
    let verified = verify(records.iter().map(String::as_str), &readings);
    assert_eq!(verified.wrong, [], "choice {choice}");
    let accepted = records.iter().filter(|record| record.contains("\"status\": 200"));
    for record in accepted.take(200) {
        let report = check(&inputs_of(record).readings(Arc::clone(&readings)));
        // With two, it is open which of them the service reads differently.
        let open = report
            .diagnostics
            .iter()
            .find(|found| found.verdict == VerdictKind::Possible && found.assumes.len() == 1);
        assert_eq!(open, None, "choice {choice}: {record}");
    }
    settled
}

#[test]
fn records_of_a_service_teach_its_readings_and_nothing_else() {
    // The full number takes ten minutes of one processor.
    let threads = thread::available_parallelism().map_or(1, NonZero::get);
    let choices = |first: usize| (first as u64..cases(6, 200)).step_by(threads);
    let settled: Vec<&str> = thread::scope(|scope| {
        let every = (0..threads)
            .map(|first| scope.spawn(move || choices(first).flat_map(settled_for).collect()));
        let every: Vec<thread::ScopedJoinHandle<'_, Vec<&str>>> = every.collect();
        every.into_iter().flat_map(|it| it.join().expect("no wrong conclusion")).collect()
    });
    let learned: BTreeSet<&str> = settled.into_iter().collect();
    println!("{learned:?}");
    // Without lessons, this test would prove nothing.
    assert!(learned.len() >= 15, "{learned:?}");
}

#[test]
fn each_planted_deviation_of_a_service_is_found_and_shrunk_to_the_setting_that_matters() {
    for (choice, (name, value)) in (0..).zip(model::REJECTED) {
        let mut random = Random::new(choice);
        let service = model::Readings::any(&mut random);
        let exchanges: Vec<_> = (0..cases(300, 3_000))
            .map(|_| model::record(&mut random, &service, Some((name, value))))
            .collect();
        let lines = || exchanges.iter().map(|it| &*it.record);
        let readings = Arc::new(learned_from(&learn(lines(), &Readings::default())));
        let verified = verify(lines(), &readings);
        let is_deviant = |it: &model::Exchange| it.is_accepted && it.is_planted;
        let deviant = exchanges.iter().zip(1..).filter(|(it, _)| is_deviant(it));
        let deviant: Vec<usize> = deviant.map(|(_, line)| line).collect();
        let wrong: Vec<usize> = verified.wrong.iter().map(|it| it.line).collect();
        assert_eq!(wrong, deviant, "{name}: {value}");
        assert!(!wrong.is_empty(), "{name}: {value}");
        for wrong in &verified.wrong {
            let Some((_, smallest)) = &wrong.smallest else {
                assert!(wrong.like.is_some_and(|line| line < wrong.line), "{name}: {value}");
                continue;
            };
            assert!(smallest.contains(&format!("\"{name}\": ")), "{name}: {value}: {smallest}");
            assert_eq!(
                smallest.matches(": ").count(),
                2 + value.matches(": ").count(),
                "{smallest}"
            );
        }
    }
}

#[test]
fn what_a_record_leaves_out_is_unknown() {
    let record =
        |rest: &str| format!("{{ \"body\": {{ \"version_number\": 3, \"foo\": 1 }}, {rest} }}");
    let allowed = |record: &str| -> Vec<&str> {
        let lessons = learn([record], &Readings::default());
        let mut lessons = lessons.readings.into_iter();
        let lesson = lessons.find(|it| it.reading.name == "unknown-fields").expect("a reading");
        lesson.values.iter().map(|value| value.name).collect()
    };
    let stored = "\"stored\": { \"agent\": { \"id\": \"ag\", \"agent_type\": \"Single_Prompt_Agent\", \"versions\": [{ \"version_number\": 3, \"is_published\": false }] }, \"version\": { \"version_number\": 3, \"is_published\": false }, \"complete\": true }, \"facts\": { \"agents\": [\"ag\"] }";
    assert_eq!(allowed(&record(&format!("\"status\": 400, {stored}"))), ["rejected"]);
    // The prompt may be the reason.
    let left_out = format!("\"status\": 400, \"left_out\": [\"prompt_text\"], {stored}");
    assert_eq!(allowed(&record(&left_out)).len(), 3);
    // An answer that names another setting has another reason.
    let named = format!("\"status\": 400, \"answer\": {{ \"message\": \"bad title\" }}, {stored}");
    assert_eq!(allowed(&record(&named)).len(), 3);
    // A message that names no field may be about anything.
    let other = format!(
        "\"status\": 400, \"answer\": {{ \"message\": \"your trial has expired\" }}, {stored}"
    );
    assert_eq!(allowed(&record(&other)).len(), 3);
    // One that names it is about it, whatever else is unknown.
    let own = "\"status\": 400, \"answer\": { \"message\": [\"property foo should not exist\"] }";
    assert_eq!(allowed(&record(own)), ["rejected"]);
    // Whatever was left out, it was accepted.
    let left_out = "\"status\": 200, \"left_out\": [\"prompt_text\"]";
    assert_eq!(allowed(&record(left_out)), ["ignored", "stored"]);
}

#[test]
fn an_agent_of_an_unknown_type_may_have_no_pipeline() {
    let default_pipelines = |body: &str, agent: &str| {
        let record = format!(
            "{{ \"body\": {{ \"version_number\": 3, {body} }}, \"status\": 200, \"stored\": {{ {agent} \"version\": {{ \"version_number\": 3, \"is_published\": false, \"max_call_duration_sec\": 4500 }}, \"complete\": true }} }}"
        );
        let lessons = learn([&*record], &Readings::default());
        let lesson = lessons.readings.iter().find(|it| it.reading.name == "default-pipeline");
        lesson.expect("a reading").values.iter().map(|value| value.name).collect::<Vec<_>>()
    };
    let prompt_agent = "\"agent\": { \"id\": \"ag\", \"agent_type\": \"Single_Prompt_Agent\" },";
    for body in ["\"title\": \"Desk\"", "\"max_call_duration_sec\": 4500"] {
        assert_eq!(default_pipelines(body, prompt_agent), ["Cascaded"]);
        assert_eq!(default_pipelines(body, "").len(), 2);
    }
    let record = "{ \"body\": { \"version_number\": 3, \"max_call_duration_sec\": 4500 }, \"stored\": { \"version\": { \"version_number\": 3 }, \"complete\": true } }";
    for (value, expected) in [("Cascaded", None), ("Speech_To_Speech", Some(VerdictKind::Possible))]
    {
        let reading = Reading::named("default-pipeline").expect("a reading");
        let set = SetReading::new(reading, [value], "voxlint.toml:1", None, None);
        let team: Readings = set.into_iter().collect();
        let report = check(&inputs_of(record).readings(Arc::new(team)));
        let found =
            report.diagnostics.iter().find(|it| &*it.rule.id == "duration-over-pipeline-cap");
        assert_eq!(found.map(|it| it.verdict), expected, "{value}");
    }
}

#[test]
fn records_that_no_reading_explains_are_both_shown_and_teach_nothing() {
    let records = [
        "{ \"body\": { \"version_number\": 3, \"timezone\": \"Mars\" }, \"status\": 200 }",
        "{ \"body\": { \"version_number\": 3, \"timezone\": \"Mars\" }, \"status\": 400, \"answer\": { \"message\": \"timezone is unknown\" } }",
    ];
    for (records, lines) in [(records, [1, 2]), ([records[1], records[0]], [1, 2])] {
        let lessons = learn(records, &Readings::default());
        let zones = lessons.readings.iter().find(|it| it.reading.name == "time-zone-names");
        let zones = zones.expect("a reading");
        assert_eq!((zones.contradiction.clone(), zones.values.len()), (lines.to_vec(), 2));
    }
}

#[test]
fn what_cannot_be_used_says_why_and_shows_no_secret() {
    let secret = "sk_live_4eC39HqLyjWDarjtT1zdp7dcAbCdEf";
    let records = [
        format!("{{ \"body\": {{ \"title\": \"{secret}\""),
        "{ \"status\": 200 }".to_owned(),
        "{ \"body\": { \"sku\": 1, \"price\": 2, \"currency\": 3 }, \"status\": 200 }".to_owned(),
        "{ \"body\": {}, \"status\": 429 }".to_owned(),
        format!(
            "{{ \"body\": {{ \"version_number\": 3, \"kb_max_chunks\": 11, \"title\": \"{secret}\", \"description\": {{ \"api_key\": \"{secret}\" }} }}, \"status\": 200 }}"
        ),
    ];
    let lines = || records.iter().map(String::as_str);
    let notes: Vec<String> = learn(lines(), &Readings::default())
        .unusable
        .into_iter()
        .map(|it| it.note.to_string())
        .collect();
    assert_eq!(
        notes,
        [
            "skipped: it is not a JSON object",
            "skipped: it has no `body`",
            "skipped: its `body` is not an update of an agent",
            "skipped: status 429 says nothing about the document",
        ]
    );
    let verified = verify(lines(), &Arc::default());
    assert!(!format!("{verified:?}").contains(secret), "{verified:?}");
    assert_eq!(verified.wrong.len(), 1);
}

#[test]
fn all_readings_of_records_that_contradict_each_other_stay_open() {
    let stored = "\"stored\": { \"agent\": { \"id\": \"ag\", \"agent_type\": \"Single_Prompt_Agent\", \"versions\": [{ \"version_number\": 3, \"is_published\": false }] }, \"version\": { \"version_number\": 3, \"is_published\": false }, \"complete\": true }, \"facts\": { \"agents\": [\"ag\"] }";
    let record = |body: &str, status: u16| {
        format!(
            "{{ \"body\": {{ \"version_number\": 3, {body} }}, \"status\": {status}, {stored} }}"
        )
    };
    let records = [
        record("\"foo\": 1, \"responsiveness\": 3", 400),
        record("\"responsiveness\": 3", 200),
        record("\"foo\": 1", 200),
    ];
    let lessons = learn(records.iter().map(String::as_str), &Readings::default());
    let told = lessons.readings.iter().filter(|it| !it.contradiction.is_empty());
    let told: Vec<_> = told.map(|it| (it.reading.name, &*it.contradiction)).collect();
    let all: &[usize] = &[1, 2, 3];
    assert_eq!(told, [("responsiveness-maximum", all), ("unknown-fields", all)]);
    let is_open = |it: &Lesson| it.values.len() == it.reading.values.len();
    assert!(lessons.readings.iter().all(is_open));
    // Two of them agree, and one reading follows from both.
    let lessons = learn(records[..2].iter().map(String::as_str), &Readings::default());
    let unknown = lessons.readings.iter().find(|it| it.reading.name == "unknown-fields");
    let unknown = unknown.expect("a reading");
    assert_eq!(
        (unknown.settled().map(|it| it.name), &*unknown.lines),
        (Some("rejected"), &[1, 2][..])
    );
}

#[test]
fn what_is_secret_or_personal_in_an_update_is_not_shown_in_its_smallest_part() {
    let words = "Say hunter22xyz to everybody who calls about the room with the sea in front of its windows, and then hang up";
    let record = format!(
        "{{ \"body\": {{ \"version_number\": 3, \"title\": \"{words}\", \"default_dynamic_variables\": {{ \"password\": \"hunter22xyz\" }} }}, \"status\": 200 }}"
    );
    let verified = verify([&*record], &Arc::default());
    let (rule, smallest) = verified.wrong[0].smallest.as_ref().expect("it was accepted");
    assert_eq!(
        (&**rule, &**smallest),
        ("text-too-long", "{\"version_number\": 3, \"title\": \"***\"}")
    );
    let key = "sk_live_4eC39HqLyjWDarjtT1zdp7dcAbCdEf";
    let record =
        format!("{{ \"body\": {{ \"version_number\": 3, \"{key}\": 1 }}, \"status\": 409 }}");
    assert!(!format!("{:?}", verify([&*record], &Arc::default())).contains(key));
}

/// A draft that is stored, so that nothing but the update decides.
const DRAFT: &str = "\"stored\": { \"agent\": { \"id\": \"ag\", \"agent_type\": \"Single_Prompt_Agent\", \"versions\": [{ \"version_number\": 3, \"is_published\": false }] }, \"version\": { \"version_number\": 3, \"is_published\": false }, \"complete\": true }, \"facts\": { \"agents\": [\"ag\"] }";

/// A record of an update of the draft.
fn of_draft(body: &str, status: u16, day: u32) -> String {
    format!(
        "{{ \"body\": {{ \"version_number\": 3, {body} }}, \"status\": {status}, \"time\": \"2026-11-{day}T10:00:00Z\", {DRAFT} }}"
    )
}

/// Readings that a team has set, each in a line of its own.
fn set(values: &[(&str, &str)]) -> Readings {
    let set = |(line, (name, value)): (usize, &(&str, &str))| {
        let reading = Reading::named(name).expect("a reading");
        SetReading::new(reading, [*value], format!("voxlint.toml:{line}"), None, None)
            .expect("a value")
    };
    (2..).zip(values).map(set).collect()
}

/// What is learned about one reading: its values, the lines, the contradiction and what the team has set.
fn lesson(lessons: &Lessons, name: &str) -> (Vec<&'static str>, Vec<usize>, Vec<usize>, String) {
    let lesson = lessons.readings.iter().find(|it| it.reading.name == name).expect("a reading");
    let with: Vec<String> = lesson.with.iter().map(ToString::to_string).collect();
    let values = lesson.values.iter().map(|it| it.name).collect();
    (values, lesson.lines.clone(), lesson.contradiction.clone(), with.join(", "))
}

#[test]
fn readings_that_are_set_are_used_only_for_what_the_records_leave_open() {
    let both = of_draft("\"foo\": 1, \"responsiveness\": 3", 400, 20);
    // One of the two rejects it.
    let open = learn([&*both], &Readings::default());
    assert_eq!(lesson(&open, "responsiveness-maximum").0.len(), 2);
    let team = set(&[("unknown-fields", "ignored")]);
    assert_eq!(
        lesson(&learn([&*both], &team), "responsiveness-maximum"),
        (vec!["1"], vec![1], vec![], "unknown-fields = ignored (voxlint.toml:2)".to_owned())
    );
    // The records alone say it, too.
    let alone = of_draft("\"responsiveness\": 3", 400, 21);
    let lessons = learn([&*both, &*alone], &team);
    let expected = (vec!["1"], vec![2], vec![], String::new());
    assert_eq!(lesson(&lessons, "responsiveness-maximum"), expected);
    // What is set teaches nothing about itself.
    assert_eq!(lesson(&lessons, "unknown-fields").0.len(), 3);
}

#[test]
fn records_that_contradict_what_is_set_are_shown_with_its_place() {
    let both = of_draft("\"foo\": 1, \"responsiveness\": 3", 400, 20);
    let team = set(&[("unknown-fields", "ignored"), ("responsiveness-maximum", "5")]);
    let lessons = learn([&*both], &team);
    let with =
        "responsiveness-maximum = 5 (voxlint.toml:3), unknown-fields = ignored (voxlint.toml:2)";
    for name in ["unknown-fields", "responsiveness-maximum"] {
        let (values, lines, contradiction, set) = lesson(&lessons, name);
        assert!(values.len() > 1 && lines.is_empty(), "{name}");
        let mut set: Vec<&str> = set.split(", ").collect();
        set.sort_unstable();
        assert_eq!((contradiction, set.join(", ")), (vec![1], with.to_owned()), "{name}");
    }
    // One record is enough, and what it says stays.
    let foo = of_draft("\"foo\": 1", 400, 20);
    let (values, lines, contradiction, set) = lesson(&learn([&*foo], &team), "unknown-fields");
    assert_eq!((values, lines, contradiction), (vec!["rejected"], vec![1], vec![1]));
    assert_eq!(set, "unknown-fields = ignored (voxlint.toml:2)");
}

#[test]
fn a_reading_is_known_since_the_day_of_the_earliest_record_that_settles_it() {
    let record = |day| of_draft("\"responsiveness\": 3", 400, day);
    let since = |records: &[String]| {
        let lessons = learn(records.iter().map(String::as_str), &Readings::default());
        let mut all = lessons.readings.into_iter();
        all.find(|it| it.reading.name == "responsiveness-maximum").and_then(|it| it.since)
    };
    assert_eq!(since(&[record(20), record(21)]).as_deref(), Some("2026-11-20"));
    // This time does not begin with a day.
    let untimed =
        record(20).replace("\"time\": \"2026-11-20T10:00:00Z\"", "\"time\": \"yesterday\"");
    assert_eq!(since(&[untimed]), None);
}
