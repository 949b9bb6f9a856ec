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
        let records: Vec<String> =
            (0..cases(400, 10_000)).map(|_| model::record(&mut random, &service)).collect();
        let lessons = learn(records.iter().map(String::as_str));
        assert_eq!(lessons.unexplained, [], "choice {choice}");
        assert_eq!(lessons.unusable, [], "choice {choice}");
        for lesson in &lessons.readings {
            let name = lesson.reading.name;
            assert_eq!(lesson.contradiction, None, "choice {choice}: {name}");
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
