//! What records of an independent model of the service teach.

use std::collections::BTreeMap;
use std::sync::Arc;

use voxlint::learn::{Lessons, learn, verify};
use voxlint::readings::{Readings, SetReading};
use voxlint::{Document, DocumentKind, Facts, Inputs, Stored, VerdictKind, check};
use voxlint_testing::cases;
use voxlint_testing::generated_inputs::Random;

use super::model;

/// What records say about readings, as a team writes it into its configuration.
fn learned_from(lessons: &Lessons) -> Readings {
    let set = lessons.readings.iter().filter(|it| it.values.len() < it.reading.values.len());
    let set = set.map(|lesson| {
        let values = lesson.values.iter().map(|value| value.name);
        SetReading::new(lesson.reading, values, "voxlint.toml:1", None).expect("its values")
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

#[test]
fn records_of_a_service_teach_its_readings_and_nothing_else() {
    let mut learned: BTreeMap<&str, u32> = BTreeMap::new();
    for choice in 0..cases(6, 200) {
        let mut random = Random::new(choice);
        let service = model::Readings::any(&mut random);
        let truth = service.named();
        let records: Vec<String> = (0..cases(400, 10_000))
            .map(|_| model::record(&mut random, &service, None).record)
            .collect();
        let lessons = learn(records.iter().map(String::as_str));
        assert_eq!(lessons.unexplained, [], "choice {choice}");
        assert_eq!(lessons.unusable, [], "choice {choice}");
        for lesson in &lessons.readings {
            let name = lesson.reading.name;
            assert!(lesson.contradiction.is_empty(), "choice {choice}: {name}");
            let Some(own) = truth.iter().find(|it| it.reading == lesson.reading) else { continue };
            let is_allowed = lesson.values.iter().any(|value| [value.name] == *own.values);
            assert!(
                is_allowed,
                "choice {choice}: {name} is {}, not {:?}",
                own.value_name(),
                lesson.values
            );
            *learned.entry(name).or_default() += u32::from(lesson.settled().is_some());
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
    }
    println!("{learned:?}");
    // Without lessons, this test would prove nothing.
    assert!(learned.values().filter(|times| **times > 0).count() >= 15, "{learned:?}");
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
        let readings = Arc::new(learned_from(&learn(lines())));
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
        let lessons = learn([record]);
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
fn records_that_no_reading_explains_are_both_shown_and_teach_nothing() {
    let records = [
        "{ \"body\": { \"version_number\": 3, \"timezone\": \"Mars\" }, \"status\": 200 }",
        "{ \"body\": { \"version_number\": 3, \"timezone\": \"Mars\" }, \"status\": 400, \"answer\": { \"message\": \"timezone is unknown\" } }",
    ];
    for (records, lines) in [(records, [1, 2]), ([records[1], records[0]], [1, 2])] {
        let lessons = learn(records);
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
    let notes: Vec<String> = learn(lines()).unusable.into_iter().map(|it| it.note).collect();
    assert_eq!(
        notes,
        [
            "is not a JSON object",
            "has no `body`",
            "has a `body` that is not an update of an agent",
            "says nothing: the status 429 is not about the update",
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
    let lessons = learn(records.iter().map(String::as_str));
    let told = lessons.readings.iter().filter(|it| !it.contradiction.is_empty());
    let told: Vec<_> = told.map(|it| (it.reading.name, &*it.contradiction)).collect();
    let all: &[usize] = &[1, 2, 3];
    assert_eq!(told, [("responsiveness-maximum", all), ("unknown-fields", all)]);
    let is_open = |it: &voxlint::learn::Lesson| it.values.len() == it.reading.values.len();
    assert!(lessons.readings.iter().all(is_open));
    // Two of them agree, and one reading follows from both.
    let lessons = learn(records[..2].iter().map(String::as_str));
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
