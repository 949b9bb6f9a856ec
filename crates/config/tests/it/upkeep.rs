//! What becomes of suppressions: every case under `fixtures/suppression/<rule>/` is a folder that is checked as a whole, and has the
//! verdict that its name says; then what a user sees is compared with `snapshots/suppression/`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::support::{assert_snapshot, day, folders, frames, load, sound};
use voxlint::syntax::Format;
use voxlint::{Document, Family, Inputs, Report, Source, check, rules};
use voxlint_config::{
    Configuration, FileReport, Level, RuleSelection, SuppressionUsage, VisitedPaths,
};

/// The day on which the cases are judged.
const TODAY: &str = "2027-01-15";

/// The documents that were checked with what was found in each.
struct Run {
    documents: Vec<FileReport>,
    upkeep: Vec<FileReport>,
}

impl Run {
    /// The ids of the rules of upkeep that found something.
    fn found(&self) -> BTreeSet<&str> {
        let reports = self.documents.iter().chain(&self.upkeep);
        let found = reports.flat_map(|file| &file.report.diagnostics);
        found
            .map(|found| &found.rule)
            .filter(|rule| rule.family() == Family::Suppression)
            .map(|rule| &*rule.id)
            .collect()
    }
}

/// Checks every document, and then the configuration.
fn run(configuration: &Configuration, documents: &BTreeMap<String, String>) -> Run {
    let everything = VisitedPaths { folders: vec![String::new()], ..VisitedPaths::default() };
    run_over(configuration, documents, &everything)
}

fn run_over(
    configuration: &Configuration,
    documents: &BTreeMap<String, String>,
    looked: &VisitedPaths,
) -> Run {
    let mut used = SuppressionUsage::default();
    let checked = documents.iter().map(|(path, text)| {
        let (report, of_document) = judge(configuration, path, text);
        used.add(of_document);
        FileReport { path: path.as_str().into(), text: text.as_str().into(), report }
    });
    let documents = checked.collect();
    Run { documents, upkeep: configuration.check_suppressions(&used, looked, day(TODAY)) }
}

fn judge(configuration: &Configuration, path: &str, text: &str) -> (Report, SuppressionUsage) {
    let settings = configuration.for_file(path);
    let source = Source::from(text);
    let format = if is_called(path, "yaml") { Format::Yaml } else { Format::Json };
    let document = Document::parse_as(source, format);
    let inputs = Inputs::new(document).house(settings.house_rules());
    let mut report = check(&inputs);
    let used = settings.apply(&mut report, day(TODAY));
    settings.suppress_by_comments(&mut report, &inputs, day(TODAY));
    (report, used)
}

fn is_called(path: &str, extension: &str) -> bool {
    Path::new(path).extension().is_some_and(|it| it == extension)
}

fn documents(files: &[(&str, &str)]) -> BTreeMap<String, String> {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

const FINE: &str = r#"{ "version_number": 3, "kb_max_chunks": 5 }"#;
const FAULTY: &str = r#"{ "version_number": 3, "kb_max_chunks": 12 }"#;

#[test]
fn every_case_has_the_verdict_that_its_name_says() {
    for (id, _) in folders("suppression") {
        let rule =
            rules::find(&id).unwrap_or_else(|| panic!("fixtures/suppression/{id} is no rule"));
        assert_eq!(rule.family(), Family::Suppression, "{id}");
        for (case, folder) in folders(&format!("suppression/{id}")) {
            let files = walkdir::WalkDir::new(&folder).sort_by_file_name().into_iter();
            let files = files.map(|entry| entry.unwrap().into_path()).filter(|path| path.is_file());
            let texts: BTreeMap<String, String> = files
                .map(|path| {
                    let name = path.strip_prefix(&folder).unwrap().to_string_lossy().into_owned();
                    (name, fs::read_to_string(&path).unwrap())
                })
                .collect();
            let configuration = if texts.contains_key("voxlint.toml") {
                let mut read = |path: &str| texts.get(path).cloned().ok_or_else(String::new);
                Configuration::load("voxlint.toml", &mut read).unwrap()
            } else {
                Configuration::built_in()
            };
            let documents =
                texts.into_iter().filter(|(path, _)| !is_called(path, "toml")).collect();
            let run = run(&configuration, &documents);
            let name = format!("{id}/{case}");
            match case.split('-').next() {
                Some("bad") => {
                    assert_eq!(run.found(), BTreeSet::from([&*rule.id]), "{name}");
                    let shown = [run.documents, run.upkeep].concat();
                    assert_snapshot(&format!("suppression/{id}"), &case, &frames(&shown));
                }
                Some("ok") => assert_eq!(run.found(), BTreeSet::new(), "{name}"),
                _ => panic!("{name}: a case begins with bad- or ok-"),
            }
        }
        let shown: BTreeSet<String> = folders(&format!("suppression/{id}"))
            .into_iter()
            .map(|(case, _)| case.split('-').next().unwrap().to_owned())
            .collect();
        assert_eq!(shown, BTreeSet::from(["bad".to_owned(), "ok".to_owned()]), "{id}");
    }
    let shown: Vec<String> = folders("suppression").into_iter().map(|(id, _)| id).collect();
    let mut ids: Vec<String> = rules::all()
        .filter(|rule| rule.family() == Family::Suppression)
        .map(|rule| rule.id.to_string())
        .collect();
    ids.sort();
    assert_eq!(shown, ids, "fixtures/suppression/");
}

#[test]
fn pages_of_upkeep_do_not_lie() {
    for rule in rules::all().filter(|rule| rule.family() == Family::Suppression) {
        let page = rule.page();
        let mut document = None;
        let mut verdicts = BTreeSet::new();
        for example in page.split("```").skip(1).step_by(2) {
            let (what, text) = example.split_once('\n').expect("an example has lines");
            let (configuration, documents) = match what {
                "json,document" => {
                    document = Some(text);
                    continue;
                }
                "toml,reported" | "toml,holds" => {
                    let text_of_document = document.take().expect("a document for it");
                    (sound(text), documents(&[("agents/en.json", text_of_document)]))
                }
                "yaml,reported" | "yaml,holds" => {
                    (Configuration::built_in(), documents(&[("agents/en.yaml", text)]))
                }
                _ => panic!("{}: no example is called {what}", rule.id),
            };
            let run = run(&configuration, &documents);
            let expected = if what.ends_with("reported") { vec![&*rule.id] } else { vec![] };
            assert_eq!(run.found(), BTreeSet::from_iter(expected), "{}: {text}", rule.id);
            verdicts.insert(what.split(',').nth(1).unwrap());
        }
        assert_eq!(verdicts, BTreeSet::from(["holds", "reported"]), "{}", rule.id);
    }
}

#[test]
fn an_expired_entry_hides_nothing_and_is_not_also_unused() {
    let text = "[[suppressions]]\nfiles = '**'\nrules = 'out-of-range'\nreason = 'x'\nexpires = 2027-01-14\n";
    let run = run(&sound(text), &documents(&[("en.json", FAULTY)]));
    assert_eq!(run.documents[0].report.diagnostics[0].rule.id, "out-of-range");
    assert!(run.documents[0].report.suppressed.is_empty());
    let found = &run.upkeep[0].report.diagnostics;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].rule.id, "expired-suppression");
    assert_eq!(found[0].span.slice(&run.upkeep[0].text), "2027-01-14");
}

#[test]
fn what_was_not_looked_at_is_not_called_unused() {
    let entry = |files: &str| {
        sound(&format!("[[suppressions]]\nfiles = {files}\nrules = 'out-of-range'\nreason = 'x'\n"))
    };
    let looked = |folders: &[&str], files: &[&str]| VisitedPaths {
        folders: folders.iter().map(|it| (*it).to_owned()).collect(),
        files: files.iter().map(|it| (*it).to_owned()).collect(),
        unchecked: BTreeSet::new(),
    };
    let documents = documents(&[("agents/en.json", FINE)]);
    for (files, looked, is_unused) in [
        ("'agents/en.json'", looked(&[], &[]), false),
        ("'agents/en.json'", looked(&[], &["agents/en.json"]), true),
        ("'agents/en.json'", looked(&["agents"], &[]), true),
        ("'agents/en.json'", looked(&["agents/de"], &["agents/de.json"]), false),
        // Without a slash the name may stand anywhere.
        ("'en.json'", looked(&[], &["agents/en.json", "en.json"]), false),
        ("'en.json'", looked(&["agents"], &[]), false),
        ("'en.json'", looked(&[""], &[]), true),
        ("'agents/*.json'", looked(&[], &["agents/en.json"]), false),
        ("'agents/*.json'", looked(&["agents"], &[]), true),
        ("'agents/*/x.json'", looked(&["agents/de"], &[]), false),
        ("['agents/en.json', 'agents/de.json']", looked(&[], &["agents/en.json"]), false),
        (
            "['agents/en.json', 'agents/de.json']",
            looked(&[], &["agents/en.json", "agents/de.json"]),
            true,
        ),
        ("['/en.json', 'agents/']", looked(&["agents"], &["en.json"]), false),
        ("['/en.json', '/agents/']", looked(&["agents"], &["en.json"]), true),
    ] {
        let run = run_over(&entry(files), &documents, &looked);
        assert_eq!(!run.upkeep.is_empty(), is_unused, "{files} {looked:?}");
    }
}

#[test]
fn what_the_command_line_switches_off_is_not_called_unused() {
    let text =
        "[[suppressions]]\nfiles = '**'\nrules = ['out-of-range', 'correctness']\nreason = 'x'\n";
    let names = |choices: RuleSelection| {
        let configuration = sound(text).with(choices).unwrap();
        let run = run(&configuration, &documents(&[("en.json", FINE)]));
        let found = run.upkeep.iter().flat_map(|file| &file.report.diagnostics);
        found.map(|found| found.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        names(RuleSelection::default()).len(),
        1,
        "the group covers rules that are undecided here"
    );
    let select = RuleSelection { select: vec!["unknown-field".into()], ..RuleSelection::default() };
    assert!(names(select).is_empty());
    let ignore = RuleSelection { ignore: vec!["out-of-range".into()], ..RuleSelection::default() };
    assert!(names(ignore).is_empty());
    let ignore =
        RuleSelection { ignore: vec!["unused-suppression".into()], ..RuleSelection::default() };
    assert!(names(ignore).is_empty());
}

#[test]
fn levels_apply_to_what_is_said_of_suppressions() {
    let text = |rules: &str| {
        format!(
            "[rules]\n{rules}\n[[suppressions]]\nfiles = '**'\nrules = 'out-of-range'\nreason = 'x'\n"
        )
    };
    let severity = |rules: &str| {
        let run = run(&sound(&text(rules)), &documents(&[("en.json", FINE)]));
        run.upkeep.first().map(|file| file.report.diagnostics[0].severity)
    };
    assert_eq!(severity(""), Some(voxlint::Severity::Warning));
    assert_eq!(severity("unused-suppression = 'error'"), Some(voxlint::Severity::Error));
    assert_eq!(severity("unused-suppression = 'off'"), None);
    assert_eq!(severity("correctness = 'info'"), Some(voxlint::Severity::Info));
}

#[test]
fn house_rules_are_levelled_and_suppressed_like_any_rule() {
    let text = "
        [[house_rules]]
        id = 'title-without-team'
        field = '/title'
        must_match = '^(Sales|Support): '
        level = 'error'

        [[overrides]]
        files = 'drafts/'
        rules = { title-without-team = 'info' }

        [[overrides]]
        files = 'old/'
        rules.house = 'off'

        [[suppressions]]
        files = 'kept.json'
        rules = 'title-without-team'
        reason = 'it is the first one that we had'
    ";
    let configuration = sound(text);
    let severity = |path: &str| {
        let (report, _) =
            judge(&configuration, path, r#"{ "version_number": 3, "title": "Front desk" }"#);
        report
            .diagnostics
            .iter()
            .find(|it| it.rule.id == "title-without-team")
            .map(|it| it.severity)
    };
    assert_eq!(severity("en.json"), Some(voxlint::Severity::Error));
    assert_eq!(severity("drafts/en.json"), Some(voxlint::Severity::Info));
    assert_eq!(severity("old/en.json"), None);
    assert_eq!(severity("kept.json"), None);
    assert!(configuration.for_file("old/en.json").house_rules().is_empty());
}

#[test]
fn allowed_members_are_left_alone() {
    let text = "
        rules.unknown-field.allow = ['x_*']
        [[overrides]]
        files = 'strict/'
        rules.unknown-field = { allow = ['a/b'], level = 'error' }
    ";
    let configuration = sound(text);
    let fields = |path: &str| {
        let document = r#"{ "version_number": 3, "title": "x", "x_team": 1, "a/b": 2, "y": 3 }"#;
        let (report, _) = judge(&configuration, path, document);
        assert!(report.suppressed.is_empty());
        let found = report.diagnostics.into_iter().filter(|it| it.rule.id == "unknown-field");
        found.map(|it| it.field).collect::<Vec<_>>()
    };
    assert_eq!(fields("en.json"), ["/a~1b", "/y"]);
    assert_eq!(fields("strict/en.json"), ["/x_team", "/y"]);
}

#[test]
fn an_entry_of_an_extended_file_is_about_its_own_folder() {
    let base = "[[suppressions]]\nfiles = '**'\nrules = 'out-of-range'\nreason = 'x'\n";
    let files =
        [("/repo/en/voxlint.toml", "extends = '../voxlint.toml'"), ("/repo/voxlint.toml", base)];
    let configuration = load(&files).unwrap();
    let (report, _) = judge(&configuration, "/repo/en/agents/a.json", FAULTY);
    assert_eq!(report.suppressed.len(), 1);
    let (report, _) = judge(&configuration, "/other/a.json", FAULTY);
    assert!(report.suppressed.is_empty());
    // It may be of use to the documents of others that extend it.
    let looked =
        |folder: &str| VisitedPaths { folders: vec![folder.to_owned()], ..VisitedPaths::default() };
    assert!(
        configuration
            .check_suppressions(&SuppressionUsage::default(), &looked("/repo/en"), day(TODAY))
            .is_empty()
    );
    let all = configuration.check_suppressions(
        &SuppressionUsage::default(),
        &looked("/repo"),
        day(TODAY),
    );
    assert_eq!(&*all[0].path, "/repo/voxlint.toml");
}

#[test]
fn levels_are_decided_by_the_last_word() {
    let base = "
        rules.correctness = 'info'
        rules.unknown-field = 'error'
        rules.text-given-twice = 'off'
        [[overrides]]
        files = 'drafts/'
        rules.out-of-range = 'warning'
    ";
    let main = "
        extends = 'base.toml'
        rules.unknown-field = 'warning'
        [[overrides]]
        files = 'drafts/'
        rules.correctness = 'off'
        [[overrides]]
        files = 'drafts/en.json'
        rules = { out-of-range = 'error', unknown-field = { level = 'info' } }
    ";
    let load = || load(&[("voxlint.toml", main), ("base.toml", base)]).unwrap();
    let level = |configuration: &Configuration, path: &str, rule: &str| {
        let rule = rules::find(rule).unwrap();
        configuration.for_file(path).level(rule).map(|level| level.value.name())
    };
    let plain = load();
    for (path, rule, expected) in [
        // An id counts before its group.
        ("en.json", "text-given-twice", Some("off")),
        ("en.json", "missing-field", Some("info")),
        // What extends counts before what is extended.
        ("en.json", "unknown-field", Some("warning")),
        // A group in a later layer counts before an id in an earlier one.
        ("drafts/de.json", "out-of-range", Some("off")),
        ("drafts/de.json", "unknown-field", Some("off")),
        ("drafts/en.json", "out-of-range", Some("error")),
        ("drafts/en.json", "unknown-field", Some("info")),
        ("drafts/en.json", "missing-field", Some("off")),
    ] {
        assert_eq!(level(&plain, path, rule), expected, "{path} {rule}");
    }
    let choices = RuleSelection {
        select: vec!["out-of-range".into(), "text-given-twice".into(), "unknown-field".into()],
        ignore: vec!["unknown-field".into()],
        levels: vec![("missing-field".into(), Level::Info)],
    };
    let chosen = load().with(choices).unwrap();
    for (path, rule, expected) in [
        ("en.json", "out-of-range", Some("info")),
        // What is selected speaks, even if the configuration has switched it off.
        ("en.json", "text-given-twice", None),
        ("en.json", "unknown-field", Some("off")),
        ("en.json", "missing-field", Some("info")),
        ("en.json", "wrong-type", Some("off")),
    ] {
        assert_eq!(level(&chosen, path, rule), expected, "{path} {rule}");
    }
    // A level for a group brings nothing back.
    let choices = RuleSelection {
        select: vec!["out-of-range".into(), "unknown-field".into()],
        ignore: vec!["unknown-field".into()],
        levels: vec![("correctness".into(), Level::Error)],
    };
    let chosen = load().with(choices).unwrap();
    for (rule, expected) in
        [("out-of-range", "error"), ("unknown-field", "off"), ("missing-field", "off")]
    {
        assert_eq!(level(&chosen, "en.json", rule), Some(expected), "{rule}");
    }
}

#[test]
fn what_could_be_about_a_file_that_was_passed_over_is_not_called_unused() {
    let configuration =
        sound("[[suppressions]]\nfiles = '*.json'\nrules = 'out-of-range'\nreason = 'x'\n");
    let today = "2027-01-31".parse().unwrap();
    let unused = |others: &[&str]| {
        let looked = VisitedPaths {
            folders: vec![String::new()],
            unchecked: others.iter().map(|it| (*it).to_owned()).collect(),
            ..VisitedPaths::default()
        };
        configuration.check_suppressions(&SuppressionUsage::default(), &looked, today).len()
    };
    assert_eq!((unused(&[]), unused(&["a/en.yaml"]), unused(&["a/en.json"])), (1, 1, 0));
}
