//! A configuration that would make checks slow is not loaded, and a long one does not.

#![allow(clippy::format_collect, reason = "the texts of a test are small")]

use voxlint::{Document, Inputs, check};
use voxlint_config::LoadError;

use crate::support::{check_document, frames, load, sound};

/// The fault of a configuration, as it is shown.
fn fault(files: &[(&str, &str)]) -> String {
    match load(files) {
        Err(LoadError::Faults(files)) => frames(&files),
        other => panic!("{other:?}"),
    }
}

fn house_rules(count: usize, name: &str) -> String {
    (0..count)
        .map(|at| {
            format!("[[house_rules]]\nid = \"{name}-{at}\"\nfield = \"/a\"\nrequired = true\n")
        })
        .collect()
}

fn suppressions(count: usize, pointer: &str) -> String {
    let entry = format!(
        "[[suppressions]]\nfiles = 'a.json'\nrules = 'out-of-range'\nreason = 'x'\npointer = '{pointer}'\n"
    );
    entry.repeat(count)
}

fn patterns(count: usize, pattern: &str) -> String {
    format!("exclude = [{}]\n", format!("'{pattern}', ").repeat(count))
}

fn variables(count: usize, pattern: &str) -> String {
    format!("variables = [{}]\n", format!("'{pattern}', ").repeat(count))
}

#[test]
fn what_every_document_is_compared_with_is_limited() {
    for (most, over, what) in [
        (house_rules(1000, "a"), house_rules(1001, "a"), "1000 house rules"),
        (suppressions(1000, "/a"), suppressions(1001, "/a"), "1000 suppressions"),
        (patterns(1000, "*.json"), patterns(1001, "*.json"), "1000 file patterns"),
        (variables(100, "a*b*"), variables(101, "a*b*"), "100 names with more than one `*`"),
    ] {
        sound(&most);
        let shown = fault(&[("voxlint.toml", &over)]);
        assert_eq!(shown.matches("error[configuration]").count(), 1, "{shown}");
        assert!(shown.contains(&format!("has at most {what}")), "{shown}");
    }
    // These are found without comparing one by one.
    sound(&patterns(1001, "a/b.json"));
    sound(&variables(1001, "crm_*"));
}

#[test]
fn files_that_are_extended_count_together() {
    let extending = format!("extends = 'base.toml'\n{}", house_rules(600, "a"));
    let base = house_rules(600, "b");
    sound(&base);
    let shown = fault(&[("voxlint.toml", &extending), ("base.toml", &base)]);
    assert!(shown.contains("voxlint.toml:1603:6") && !shown.contains("base.toml:"), "{shown}");
}

#[test]
fn long_lists_are_searched_as_fast_as_short_ones() {
    // Comparing each item with each value would take minutes here.
    const COUNT: u32 = 60_000;
    let list = |name: &str| (0..COUNT).map(|at| format!("'{name}{at}', ")).collect::<String>();
    let members = |name: &str| {
        (0..COUNT).map(|at| format!(", \"{name}{at}\": \"name_{name}{at}\"")).collect::<String>()
    };
    let wanted = sound(&format!(
        "[[house_rules]]\nid = 'of-ours'\nfield = '/default_dynamic_variables/*'\none_of = [{}]\n",
        list("name_other")
    ));
    let update = format!(
        "{{ \"version_number\": 3, \"default_dynamic_variables\": {{ \"z\": \"z\"{} }} }}",
        members("own")
    );
    let (report, _) = check_document(&wanted, "en.json", &update);
    let found = report.diagnostics.iter().filter(|found| found.rule.id == "of-ours");
    assert_eq!(found.map(|found| found.count).sum::<u32>(), COUNT + 1);

    let allowing = sound(&format!(
        "[rules]\nunknown-field = {{ level = 'warning', allow = [{}] }}\n",
        list("field_other")
    ));
    let settings = allowing.for_file("en.json");
    let update = format!("{{ \"version_number\": 3{} }}", members("own"));
    let allowed = &*settings.allowed_fields().unwrap().value;
    let report = check(&Inputs::new(Document::parse(&*update)).allowed(allowed));
    assert!(report.diagnostics.iter().any(|found| found.rule.id == "unknown-field"));
}

#[test]
fn a_message_lists_some_of_many_allowed_values() {
    let titles: Vec<String> = (0..12).map(|at| format!("'Title {at}'")).collect();
    let rule = |titles: &[String]| {
        let list = titles.join(", ");
        sound(&format!("[[house_rules]]\nid = 'of-ours'\nfield = '/title'\none_of = [{list}]\n"))
    };
    let message = |titles: &[String]| {
        let (report, _) = check_document(
            &rule(titles),
            "en.json",
            "{\"version_number\": 3, \"title\": \"Other\"}",
        );
        report.diagnostics[0].message.clone()
    };
    assert!(message(&titles[..10]).ends_with("`Title 8`, `Title 9`"));
    assert!(message(&titles).ends_with("`Title 9` and 2 more"), "{}", message(&titles));
}
