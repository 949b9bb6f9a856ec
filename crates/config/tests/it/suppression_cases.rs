//! The rules about suppressions. Every folder `fixtures/suppression/<rule>/<case>` is checked as a project; the name of the case
//! says whether the rule reports it. `snapshots/suppression/` has the output.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use voxlint::{Family, rules};
use voxlint_config::{
    Configuration, FileReport, ReadError, RuleSelection, SuppressionUsage, VisitedPaths,
};
use voxlint_testing::assert_snapshot;

use crate::support::{TODAY, check_document, day, folders, frames, load, sound};

/// The findings in documents, and in the configuration.
struct Run {
    documents: Vec<FileReport>,
    configurations: Vec<FileReport>,
}

impl Run {
    /// The ids of the rules about suppressions that reported something.
    fn found(&self) -> BTreeSet<&str> {
        let reports = self.documents.iter().chain(&self.configurations);
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
    let all = VisitedPaths { folders: vec![String::new()], ..VisitedPaths::default() };
    run_over(configuration, documents, &all)
}

fn run_over(
    configuration: &Configuration,
    documents: &BTreeMap<String, String>,
    visited: &VisitedPaths,
) -> Run {
    let mut used = SuppressionUsage::default();
    let checked = documents.iter().map(|(path, text)| {
        let (report, of_document) = check_document(configuration, path, text);
        used.add(of_document);
        FileReport::new(path.as_str(), text.as_str(), report)
    });
    let documents = checked.collect();
    Run { documents, configurations: configuration.check_suppressions(&used, visited, day(TODAY)) }
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
fn every_case_has_the_verdict_in_its_name() {
    for (id, _) in folders("suppression") {
        let rule =
            rules::find(&id).unwrap_or_else(|| panic!("fixtures/suppression/{id} is not a rule"));
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
                let mut read = |path: &str| texts.get(path).cloned().ok_or(ReadError::NotFound);
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
                    let shown = [run.documents, run.configurations].concat();
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
fn examples_of_suppression_rules_have_their_verdict() {
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
    let found = &run.configurations[0].report.diagnostics;
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].rule.id, "expired-suppression");
    assert_eq!(found[0].span.slice(&run.configurations[0].text), "2027-01-14");
}

#[test]
fn unvisited_files_may_use_a_suppression() {
    let entry = |files: &str| {
        sound(&format!("[[suppressions]]\nfiles = {files}\nrules = 'out-of-range'\nreason = 'x'\n"))
    };
    let visited = |folders: &[&str], files: &[&str]| VisitedPaths {
        folders: folders.iter().map(|it| (*it).to_owned()).collect(),
        files: files.iter().map(|it| (*it).to_owned()).collect(),
        unchecked: BTreeSet::new(),
    };
    let documents = documents(&[("agents/en.json", FINE)]);
    for (files, visited, is_unused) in [
        ("'agents/en.json'", visited(&[], &[]), false),
        ("'agents/en.json'", visited(&[], &["agents/en.json"]), true),
        ("'agents/en.json'", visited(&["agents"], &[]), true),
        ("'agents/en.json'", visited(&["agents/de"], &["agents/de.json"]), false),
        // A pattern without a slash matches at any depth.
        ("'en.json'", visited(&[], &["agents/en.json", "en.json"]), false),
        ("'en.json'", visited(&["agents"], &[]), false),
        ("'en.json'", visited(&[""], &[]), true),
        ("'agents/*.json'", visited(&[], &["agents/en.json"]), false),
        ("'agents/*.json'", visited(&["agents"], &[]), true),
        ("'agents/*/x.json'", visited(&["agents/de"], &[]), false),
        ("['agents/en.json', 'agents/de.json']", visited(&[], &["agents/en.json"]), false),
        (
            "['agents/en.json', 'agents/de.json']",
            visited(&[], &["agents/en.json", "agents/de.json"]),
            true,
        ),
        ("['/en.json', 'agents/']", visited(&["agents"], &["en.json"]), false),
        ("['/en.json', '/agents/']", visited(&["agents"], &["en.json"]), true),
    ] {
        let run = run_over(&entry(files), &documents, &visited);
        assert_eq!(!run.configurations.is_empty(), is_unused, "{files} {visited:?}");
    }
}

#[test]
fn suppressions_of_disabled_rules_are_not_unused() {
    let text =
        "[[suppressions]]\nfiles = '**'\nrules = ['out-of-range', 'correctness']\nreason = 'x'\n";
    let names = |selection: RuleSelection| {
        let configuration = sound(text).with_rule_selection(&selection).unwrap();
        let run = run(&configuration, &documents(&[("en.json", FINE)]));
        let found = run.configurations.iter().flat_map(|file| &file.report.diagnostics);
        found.map(|found| found.message.clone()).collect::<Vec<_>>()
    };
    assert_eq!(
        names(RuleSelection::default()).len(),
        1,
        "the group covers rules that are undecided here"
    );
    let select = RuleSelection::default().select(["unknown-field"]);
    assert!(names(select).is_empty());
    let ignore = RuleSelection::default().ignore(["out-of-range"]);
    assert!(names(ignore).is_empty());
    let ignore = RuleSelection::default().ignore(["unused-suppression"]);
    assert!(names(ignore).is_empty());
}

#[test]
fn levels_apply_to_rules_about_suppressions() {
    let text = |rules: &str| {
        format!(
            "[rules]\n{rules}\n[[suppressions]]\nfiles = '**'\nrules = 'out-of-range'\nreason = 'x'\n"
        )
    };
    let severity = |rules: &str| {
        let run = run(&sound(&text(rules)), &documents(&[("en.json", FINE)]));
        run.configurations.first().map(|file| file.report.diagnostics[0].severity)
    };
    assert_eq!(severity(""), Some(voxlint::Severity::Warning));
    assert_eq!(severity("unused-suppression = 'error'"), Some(voxlint::Severity::Error));
    assert_eq!(severity("unused-suppression = 'off'"), None);
    assert_eq!(severity("correctness = 'info'"), Some(voxlint::Severity::Info));
}

#[test]
fn an_extended_entry_is_relative_to_its_own_folder() {
    let base = "[[suppressions]]\nfiles = '**'\nrules = 'out-of-range'\nreason = 'x'\n";
    let files =
        [("/repo/en/voxlint.toml", "extends = '../voxlint.toml'"), ("/repo/voxlint.toml", base)];
    let configuration = load(&files).unwrap();
    let (report, _) = check_document(&configuration, "/repo/en/agents/a.json", FAULTY);
    assert_eq!(report.suppressed.len(), 1);
    let (report, _) = check_document(&configuration, "/other/a.json", FAULTY);
    assert!(report.suppressed.is_empty());
    // Documents of other configurations that extend the file may use the entry.
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
fn unchecked_files_may_use_a_suppression() {
    let configuration =
        sound("[[suppressions]]\nfiles = '*.json'\nrules = 'out-of-range'\nreason = 'x'\n");
    let today = "2027-01-31".parse().unwrap();
    let unused = |others: &[&str]| {
        let visited = VisitedPaths {
            folders: vec![String::new()],
            unchecked: others.iter().map(|it| (*it).to_owned()).collect(),
            ..VisitedPaths::default()
        };
        configuration.check_suppressions(&SuppressionUsage::default(), &visited, today).len()
    };
    assert_eq!((unused(&[]), unused(&["a/en.yaml"]), unused(&["a/en.json"])), (1, 1, 0));
}

/// A check of documents runs no rule across documents, so it cannot know whether their suppressions are used.
#[test]
fn suppressions_of_rules_across_documents_are_not_unused() {
    for rule in rules::all().filter(|rule| rule.family() == Family::Fleet) {
        let entry =
            format!("[[suppressions]]\nfiles = '**'\nrules = '{}'\nreason = 'x'\n", rule.id);
        let run = run(&sound(&entry), &documents(&[("en.json", FINE)]));
        assert_eq!(run.found(), BTreeSet::new(), "{}", rule.id);
        let comment =
            format!("version_number: 3 # voxlint-ignore {}: x\nkb_max_chunks: 5\n", rule.id);
        let run = self::run(&Configuration::built_in(), &documents(&[("en.yaml", &comment)]));
        assert_eq!(run.found(), BTreeSet::new(), "{}", rule.id);
    }
}
