//! The list of settings is complete.

use std::collections::BTreeSet;

use crate::support::sound;
use voxlint::schema::configuration::{house_rule, suppression};
use voxlint_config::{Baseline, show_json, show_text};

const ALL: &str = r#"
[[suppressions]]
files = ["agents/", "drafts/"]
pointer = "/title"
rules = "out-of-range"
reason = "a long text that explains why the findings are accepted"
expires = 2027-01-31

[[suppressions]]
files = "old/"
rules = ["unknown-field", "wrong-type"]
reason = "x"

[[house_rules]]
id = "title"
field = "/title"
files = "agents/"
message = "the title names no team"
help = "write it as in `OPS: desk`"
level = "error"
required = true
must_match = '^[A-Z]+: \w'
must_not_match = "TODO"
one_of = ["OPS: desk"]
max_length = 1_000
"#;

#[test]
fn every_value_of_an_entry_has_its_own_line() {
    let configuration = sound(ALL);
    let text = show_text(&configuration.show(), &|path| path.to_owned());
    let lines: Vec<&str> = text.lines().collect();
    for row in house_rule::TABLE.rows.iter().filter(|row| row.name != "id") {
        let key = format!("house_rules.title.{} = ", row.name);
        assert!(lines.iter().any(|line| line.starts_with(&key)), "{key}{text}");
    }
    for row in suppression::TABLE.rows {
        let key = format!("suppressions[0].{} = ", row.name);
        assert!(lines.iter().any(|line| line.starts_with(&key)), "{key}{text}");
    }
    for (setting, line) in [
        (r#"suppressions[0].rules = ["out-of-range"]"#, 5),
        (r#"suppressions[0].expires = "2027-01-31""#, 7),
        (r#"suppressions[1].files = ["old/"]"#, 10),
        (r#"house_rules.title.files = ["agents/"]"#, 17),
        ("house_rules.title.required = true", 21),
        (r#"house_rules.title.must_match = "^[A-Z]+: \\w""#, 22),
        ("house_rules.title.max_length = 1000", 25),
        (r#"rules.title = "error""#, 20),
        ("rules.house = (default of each rule)", 0),
    ] {
        let source =
            if line == 0 { "(default)".to_owned() } else { format!("voxlint.toml:{line}") };
        let is_it = |it: &&str| it.starts_with(&format!("{setting} ")) && it.ends_with(&source);
        assert!(lines.iter().any(is_it), "{setting} {source}\n{text}");
    }
    assert!(lines.iter().all(|line| line.chars().count() <= 100), "{text}");
}

#[test]
fn an_entry_has_the_same_index_for_a_file_and_for_the_project() {
    let configuration = sound(ALL);
    let keys = |path: &str| -> BTreeSet<String> {
        let list = configuration.for_file(path).show();
        let json = show_json(&list, &|path| path.to_owned());
        let keys = json["settings"].as_array().unwrap().iter();
        let keys = keys.filter_map(|it| it["key"].as_str()?.split_once('.'));
        keys.map(|(entry, _)| entry.to_owned()).filter(|it| it.contains('[')).collect()
    };
    assert_eq!(keys("agents/en.json"), BTreeSet::from(["suppressions[0]".to_owned()]));
    assert_eq!(keys("old/en.json"), BTreeSet::from(["suppressions[1]".to_owned()]));
    assert_eq!(keys("other/en.json"), BTreeSet::new());
}

#[test]
fn a_level_of_all_house_rules_is_shown_once() {
    let text = "
        rules.house = 'info'
        rules.short = 'off'
        [[house_rules]]
        id = 'short'
        field = '/title'
        max_length = 20
        [[house_rules]]
        id = 'long'
        field = '/title'
        must_match = '.....'
    ";
    let shown = |text: &str| {
        let lines = show_text(&sound(text).show(), &|path| path.to_owned());
        let rules = lines.lines().filter(|line| line.starts_with("rules."));
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        rules.map(words).collect::<Vec<_>>()
    };
    let expected = [
        "rules.correctness = (default of each rule) # (default)",
        "rules.house = \"info\" # voxlint.toml:2",
        "rules.short = \"off\" # voxlint.toml:3",
    ];
    let is = shown(text);
    for line in expected {
        assert!(is.contains(&line.to_owned()), "{line}: {is:?}");
    }
    let groups = ["correctness", "ineffective", "suspicious", "heard", "security"];
    let default = |group| format!("rules.{group} = (default of each rule) # (default)");
    let style = "rules.style = (off) # (default)".to_owned();
    assert_eq!(shown(""), groups.map(default).into_iter().chain([style]).collect::<Vec<_>>());
    let house = "rules.house = \"off\" # voxlint.toml:1";
    assert_eq!(shown("rules.house = 'off'").last().map(String::as_str), Some(house));
}

#[test]
fn the_page_of_a_house_rule_names_its_level_and_its_files() {
    let configuration = sound(ALL);
    let rule = configuration.house_rules()[0].rule();
    let page = rule.page();
    assert!(page.contains("A house rule of the level `error`, for `agents/`."), "{page}");
    let everywhere = "[[house_rules]]\nid = 'a'\nfield = '/title'\nrequired = true\n";
    let rule = sound(everywhere).house_rules()[0].rule();
    let page = rule.page();
    assert!(
        page.contains("A house rule of the level `warning`. For `/title` it requires"),
        "{page}"
    );
}

#[test]
fn a_byte_order_mark_does_not_make_a_baseline_unreadable() {
    let text = format!("\u{feff}{}", Baseline::default().to_json());
    assert_eq!(Baseline::parse(&text).unwrap(), Baseline::default());
}
