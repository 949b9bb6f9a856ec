//! What records of an independent model of the service teach.

use std::collections::BTreeMap;
use std::sync::Arc;

use voxlint::learn::{Lessons, learn, verify};
use voxlint::readings::{Readings, SetReading};
use voxlint_testing::cases;
use voxlint_testing::generated_inputs::Random;

use super::model;

/// The readings that records have settled, as a team sets them.
fn settled(lessons: &Lessons) -> Readings {
    let settled = lessons.readings.iter().filter_map(|lesson| {
        let value = lesson.settled()?.name;
        SetReading::new(lesson.reading, value, "voxlint.toml:1", None)
    });
    settled.collect()
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
            let is_allowed = lesson.values.iter().any(|value| value.name == own.value_name());
            assert!(
                is_allowed,
                "choice {choice}: {name} is {}, not {:?}",
                own.value_name(),
                lesson.values
            );
            *learned.entry(name).or_default() += u32::from(lesson.settled().is_some());
        }
        let readings = Arc::new(settled(&lessons));
        let verified = verify(records.iter().map(String::as_str), &readings);
        assert_eq!(verified.wrong, [], "choice {choice}");
    }
    println!("{learned:?}");
    // Without lessons, this test would prove nothing.
    assert!(learned.values().filter(|times| **times > 0).count() >= 15, "{learned:?}");
}
