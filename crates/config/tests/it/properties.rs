//! Properties of all configurations.

use std::fs;

use crate::support::{check_document, day, folders, frames, load, sound};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use voxlint::{Report, rules};
use voxlint_config::{LoadError, SuppressionUsage, VisitedPaths, show_json, show_text};
use voxlint_testing::{files_below, property};

/// The texts of all configurations among the fixtures.
fn texts() -> Vec<String> {
    let folders = ["fixtures/config", "fixtures/suppression"];
    let paths = folders.into_iter().flat_map(|folder| files_below(folder, "toml"));
    paths.map(|path| fs::read_to_string(path).unwrap()).collect()
}

/// Loads a text and calls every function of the configuration.
fn use_all(text: &str) {
    match load(&[("voxlint.toml", text)]) {
        Ok(configuration) => {
            for path in ["agents/en.json", "../x", "/", "", "drafts/ä.yaml"] {
                let settings = configuration.for_file(path);
                let (_, used) = check_document(&configuration, path, DOCUMENT);
                let visited =
                    VisitedPaths { folders: vec![String::new()], ..VisitedPaths::default() };
                frames(&configuration.check_suppressions(&used, &visited, day("2027-01-15")));
                show_text(&settings.show(), &|path| path.to_owned());
            }
            show_json(&configuration.show(), &|path| path.to_owned());
        }
        Err(LoadError::Faults(files)) => {
            for file in &files {
                let faults = &file.report.diagnostics;
                assert!(!faults.is_empty());
                for fault in faults {
                    let span = fault.span.start as usize..fault.span.end as usize;
                    assert!(file.text.get(span).is_some(), "{fault:?}");
                }
            }
            frames(&files);
        }
        Err(other) => panic!("{other}"),
    }
}

/// A document with findings of several rules.
const DOCUMENT: &str = r#"{ "version_number": 3, "kb_max_chunks": 12, "titel": "x", "x_team": 1,
             "agent_functions": [{ "nam": 1 }], "prompt_text": "{{a", "title": 7 }"#;

fn report() -> Report {
    voxlint::check_text(DOCUMENT)
}

#[test]
fn no_text_panics() {
    for text in texts() {
        let step = (text.len() / 25).max(1);
        for end in (0..text.len()).step_by(step).filter(|end| text.is_char_boundary(*end)) {
            use_all(&text[..end]);
        }
    }
}

proptest! {
    #![proptest_config(property(250, 250))]

    #[test]
    fn no_mutated_text_panics(
        index: Index,
        places in prop::collection::vec((any::<Index>(), select(PIECES)), 1..6),
    ) {
        let texts = texts();
        let mut text = index.get(&texts).clone();
        for (place, piece) in places {
            let mut at = place.index(text.len() + 1);
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            let end = (at + piece.len() / 2..=text.len()).find(|end| text.is_char_boundary(*end));
            text.replace_range(at..end.unwrap_or(at), piece);
        }
        use_all(&text);
    }

    #[test]
    fn no_pattern_and_no_expression_panics(pattern in "[a-c/*?{},!\\\\\\[\\]().^$|+ -]{0,12}", any in "\\PC{0,8}") {
        for text in [&pattern, &any] {
            let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
            use_all(&format!("exclude = [\"{quoted}\"]\n[[house_rules]]\nid = 'a'\nfield = '/title'\nmust_match = \"{quoted}\"\n"));
            use_all(&format!("[[suppressions]]\nfiles = \"**\"\nrules = 'out-of-range'\nreason = 'x'\npointer = \"{quoted}\"\nexpires = \"{quoted}\"\n"));
        }
    }

    #[test]
    fn hiding_never_shows_another_finding(
        entries in prop::collection::vec(
            (select(FILES), select(POINTERS), prop::collection::vec(select(NAMES), 1..3)),
            0..5,
        ),
    ) {
        let entries: Vec<String> = entries
            .iter()
            .map(|(files, pointer, rules)| {
                format!("[[suppressions]]\nfiles = '{files}'\n{pointer}\nrules = {rules:?}\nreason = 'x'\n")
            })
            .collect();
        let all = ids(&report());
        let mut before = Vec::new();
        for count in 0..=entries.len() {
            let configuration = sound(&entries[..count].concat());
            let (shown, _) = check_document(&configuration, "agents/en.json", DOCUMENT);
            let hidden: Vec<_> = shown.suppressed.iter().map(|it| key(&it.diagnostic)).collect();
            let mut both = [ids(&shown), hidden.clone()].concat();
            both.sort();
            let mut sorted = all.clone();
            sorted.sort();
            prop_assert_eq!(both, sorted, "findings are neither lost nor added");
            // Each entry can only hide more findings.
            prop_assert!(before.iter().all(|it| hidden.contains(it)));
            before = hidden.clone();
            let is_in_order = all.iter().filter(|it| !hidden.contains(it)).eq(ids(&shown).iter());
            prop_assert!(is_in_order);
        }
    }

    #[test]
    fn a_file_takes_precedence_over_the_files_it_extends(
        own in select(LEVELS), one in select(LEVELS), other in select(LEVELS),
    ) {
        let rules = |level: Option<&str>| level.map_or(String::new(), |it| format!("rules.unknown-field = '{it}'\n"));
        let main = format!("extends = ['one.toml', 'other.toml']\n{}", rules(own));
        let (one_text, other_text) = (rules(one), rules(other));
        let configuration = load(&[("voxlint.toml", &main), ("one.toml", &one_text), ("other.toml", &other_text)]).unwrap();
        let level = configuration.level(rules::find("unknown-field").unwrap());
        let expected = own.or(other).or(one);
        prop_assert_eq!(level.as_ref().map(|level| level.value.as_str()), expected);
        let from = own.map(|_| "voxlint.toml:2").or(other.map(|_| "other.toml:1")).or(one.map(|_| "one.toml:1"));
        prop_assert_eq!(level.map(|level| level.source.to_string()), from.map(str::to_owned));
    }

    #[test]
    fn lists_of_extended_files_come_first(shape in prop::collection::vec(any::<bool>(), 1..6)) {
        // A chain of files: each extends the next one, and some have settings of their own.
        let names: Vec<String> = (0..=shape.len()).map(|at| format!("{at}.toml")).collect();
        let texts: Vec<String> = (0..=shape.len()).map(|at| {
            let extends = names.get(at + 1).map_or(String::new(), |next| format!("extends = '{next}'\n"));
            let has_some = shape.get(at).copied().unwrap_or(true);
            let own = if has_some { format!("exclude = ['{at}/']\nvariables = ['v{at}']\ninclude = ['i{at}']\n") } else { String::new() };
            format!("root = true\n{extends}{own}")
        }).collect();
        let files: Vec<(&str, &str)> = names.iter().map(String::as_str).zip(texts.iter().map(String::as_str)).collect();
        let configuration = load(&files).unwrap();
        let with_some: Vec<usize> = (0..=shape.len()).rev().filter(|at| shape.get(*at).copied().unwrap_or(true)).collect();
        let excluded: Vec<String> = configuration.exclude().iter().map(|it| it.text.clone()).collect();
        prop_assert_eq!(excluded, with_some.iter().map(|at| format!("{at}/")).collect::<Vec<_>>());
        let settings = configuration.for_file("x.json");
        let variables: Vec<&str> = settings.variables().unwrap().into_iter().map(|it| it.value.as_str()).collect();
        prop_assert_eq!(variables, with_some.iter().map(|at| format!("v{at}")).collect::<Vec<_>>());
        // `include` is replaced as a whole.
        let nearest = with_some.last().unwrap();
        prop_assert_eq!(configuration.include().unwrap()[0].text.clone(), format!("i{nearest}"));
    }
}

const PIECES: &[&str] = &[
    "",
    "[",
    "]]",
    "[[",
    "{",
    "}",
    "\"",
    "'",
    "\\",
    "#",
    "=",
    ",",
    "\n",
    "\0",
    "\u{feff}",
    "é",
    "😀",
    "*",
    "../",
    "2027-02-30",
    "1e999",
    "true",
    "rules",
    "[[suppressions]]\n",
    "expires = 2027-01-01\n",
    "extends = 'voxlint.toml'\n",
    "\"\"\"",
    "'''",
    "\u{202e}",
];
const FILES: &[&str] = &["**", "agents/", "*.json", "agents/en.json", "drafts/", "*.yaml"];
const POINTERS: &[&str] =
    &["", "pointer = '/title'", "pointer = '/**'", "pointer = '/kb_*'", "pointer = ''"];
const NAMES: &[&str] = &["out-of-range", "unknown-field", "correctness", "wrong-type", "house"];
const LEVELS: &[Option<&str>] = &[None, Some("off"), Some("info"), Some("warning"), Some("error")];

fn key(found: &voxlint::Diagnostic) -> (String, String, u32) {
    (found.rule.id.to_string(), found.field.clone(), found.span.start)
}

fn ids(report: &Report) -> Vec<(String, String, u32)> {
    report.diagnostics.iter().map(key).collect()
}

#[test]
fn usage_does_not_depend_on_the_order_of_files() {
    let text = "[[suppressions]]\nfiles = 'a.json'\nrules = ['out-of-range', 'unknown-field']\nreason = 'x'\n";
    let configuration = sound(text);
    let used = |path: &str| check_document(&configuration, path, DOCUMENT).1;
    let add = |paths: [&str; 3]| {
        let mut all = SuppressionUsage::default();
        for path in paths {
            all.add(used(path));
        }
        all
    };
    assert_eq!(add(["a.json", "b.json", "c.json"]), add(["c.json", "b.json", "a.json"]));
}

#[test]
fn paths_are_resolved_for_each_document() {
    let base = "
        facts = '../facts.yaml'
        [[documents]]
        files = 'agents/'
        kind = 'update'
        agent_type = 'Single_Prompt_Agent'
        text_files = { prompt_text = '{stem}.hbs', welcome_message = 'welcome.hbs' }
    ";
    let main = "
        extends = 'shared/../base.toml'
        [[documents]]
        files = 'agents/en.json'
        stored = '../stored/{stem}.json'
        facts = 'en/facts.yaml'
        text_files.prompt_text = '{stem}/{stem}.prompt.hbs'
    ";
    let row = |name| voxlint::schema::settings::TABLE.row(name).expect("a setting");
    let configuration =
        load(&[("/repo/app/voxlint.toml", main), ("/repo/app/base.toml", base)]).unwrap();
    let settings = configuration.for_file("/repo/app/./agents/en.json");
    assert_eq!(settings.path(), "/repo/app/agents/en.json");
    assert_eq!(settings.kind().unwrap().value.name(), "update");
    assert_eq!(settings.agent_type().unwrap().source.to_string(), "/repo/app/base.toml:6");
    assert_eq!(settings.stored().unwrap().value, "/repo/app/stored/en.json");
    assert_eq!(settings.facts().unwrap().value, "/repo/app/en/facts.yaml");
    let texts: Vec<_> =
        settings.text_files().into_iter().map(|it| (it.value.0.name, it.value.1)).collect();
    assert!(texts.contains(&("prompt_text", "/repo/app/agents/en/en.prompt.hbs".to_owned())));
    assert!(texts.contains(&("welcome_message", "/repo/app/agents/welcome.hbs".to_owned())));
    assert!(settings.has_own_text_file(row("prompt_text")));
    assert!(
        !settings.has_own_text_file(row("welcome_message")),
        "its path does not contain the stem"
    );
    assert!(!settings.has_own_text_file(row("voicemail_message")), "no text file");

    let settings = configuration.for_file("/repo/app/agents/de.json");
    assert_eq!(settings.facts().unwrap().value, "/repo/facts.yaml");
    assert!(settings.stored().is_none());
    let outside = configuration.for_file("/repo/agents/en.json");
    assert!(outside.kind().is_none() && outside.text_files().is_empty());
}

#[test]
fn files_are_included_and_excluded_by_patterns() {
    let text = "include = ['agents/**/*.json', '*.hbs']\nexclude = ['legacy/', '/agents/x.json']\n";
    let configuration = sound(text);
    for (path, is_included, is_excluded) in [
        ("agents/en.json", true, false),
        ("agents/x.json", true, true),
        ("agents/legacy/en.json", true, true),
        ("agents/en.yaml", false, false),
        ("a/b.hbs", true, false),
    ] {
        let settings = configuration.for_file(path);
        assert_eq!(settings.is_included(), Some(is_included), "{path}");
        assert_eq!(settings.is_excluded(), is_excluded, "{path}");
    }
    let pattern = configuration.for_file("agents/x.json").excluded_by().unwrap().clone();
    assert_eq!(
        (pattern.text.as_str(), pattern.source.to_string().as_str()),
        ("/agents/x.json", "voxlint.toml:2")
    );
    assert_eq!(sound("").for_file("x").is_included(), None);
    assert!(!folders("config/sound").is_empty());
}
