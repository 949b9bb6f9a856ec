//! Offsets in the characters of other languages.

use voxlint_bindings::{Context, ContextOptions, DocumentOptions, Unit};

#[test]
fn offsets_are_those_of_the_characters() {
    let title = "\u{feff}{ \"version_number\": 3,\r\n \"title\": \"e\u{301} 👩‍🚀 ß\", \"kb_max_chunks\": 12 }";
    let report = Context::default().check(title.as_bytes(), &DocumentOptions::default());
    assert_eq!(report.texts().get("<text>"), Some(title));
    let starts: Vec<usize> = title.char_indices().map(|(at, _)| at).chain([title.len()]).collect();
    let before = |at: usize| title.get(..at).unwrap();
    let bytes: Vec<u64> = starts.iter().rev().map(|at| *at as u64).collect();
    let points: Vec<u64> =
        starts.iter().rev().map(|at| before(*at).chars().count() as u64).collect();
    let units: Vec<u64> =
        starts.iter().rev().map(|at| before(*at).encode_utf16().count() as u64).collect();
    assert_eq!(report.offsets("<text>", &bytes, Unit::CodePoints), Some(points));
    assert_eq!(report.offsets("<text>", &bytes, Unit::Utf16), Some(units));
    let long = format!("{{ \"title\": \"{}{}\" }}", "é🎧".repeat(400), "a".repeat(1000));
    let end = [long.len() as u64];
    let report = Context::default().check(long.as_bytes(), &DocumentOptions::default());
    let count = |unit| report.offsets("<text>", &end, unit).unwrap()[0] as usize;
    assert_eq!(count(Unit::CodePoints), long.chars().count());
    assert_eq!(count(Unit::Utf16), long.encode_utf16().count());
    // Offsets after the end are at the end.
    let report = Context::default().check(title.as_bytes(), &DocumentOptions::default());
    let length = title.chars().count() as u64;
    assert_eq!(report.offsets("<text>", &[u64::MAX], Unit::CodePoints), Some(vec![length]));
    assert_eq!(report.offsets("elsewhere", &[0], Unit::Utf16), None);
}

#[test]
fn a_report_without_findings_keeps_no_text() {
    let check = |text: &'static str, path| {
        let options = DocumentOptions::parse(None, None, Some(path)).unwrap();
        let stored = br#"{ "version_number": 3, "is_published": false }"#;
        let context = ContextOptions { stored: Some(stored), ..ContextOptions::default() };
        Context::new(&context).unwrap().check(text.as_bytes(), &options)
    };
    for (text, path) in [
        ("{ \"version_number\": 3 }", "en.json"),
        ("version_number: 3\n---\nversion_number: 4\n", "en.yaml"),
        ("{ \"version_number\": 3 }\n", "en.jsonl"),
    ] {
        let report = check(text, path);
        assert!(report.is_clean() && report.to_json().contains(path), "{}", report.to_json());
        assert_eq!((report.texts().get(path), report.texts().get("<stored>")), (None, None));
    }
    let report = check("{ \"version_number\": 3, \"titel\": 1 }", "en.json");
    assert!(report.texts().get("en.json").is_some() && report.texts().get("<stored>").is_some());
}
