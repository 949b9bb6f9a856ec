//! Suppressions, in `voxlint.toml` and in comments.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{folder, run, stderr};
use serde_json::Value;
use voxlint_testing::generated_inputs::{GeneratedInputs, Random};

/// An entry with these lines and a reason.
fn entry(lines: &str) -> String {
    format!("[[suppressions]]\n{lines}\nreason = \"decided\"\n")
}

/// A finding without its characters: comments move those.
type Found = (String, String, String, String);

/// The findings in documents, without what is said of suppressions.
fn all_found(folder: &Path, arguments: &[&str]) -> BTreeSet<Found> {
    let output = run(folder, &[&["check", "--format", "json", "-q"], arguments].concat());
    let report: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)));
    let mut found = BTreeSet::new();
    for file in report["files"].as_array().unwrap() {
        for it in file["diagnostics"].as_array().unwrap() {
            let text = |name: &str| it[name].as_str().unwrap_or_default().to_owned();
            if !text("rule").ends_with("-suppression") {
                let path = file["path"].as_str().unwrap().to_owned();
                found.insert((path, text("rule"), text("field"), text("message")));
            }
        }
    }
    found
}

const WORLD: &str = "facts = \"facts.json\"\n\
    [[documents]]\nfiles = \"*.jsonc\"\nagent_id = \"ag_a\"\nstored = \"stored/{stem}.json\"\n";

/// Documents of generated worlds, each with its stored configuration, with one member per line.
fn world(name: &str) -> PathBuf {
    let mut random = Random::new(11);
    let mut files = vec![
        (".git/HEAD".to_owned(), String::new()),
        ("voxlint.toml".to_owned(), WORLD.to_owned()),
        (
            "facts.json".to_owned(),
            "{ \"voices\": {}, \"llms\": [], \"phone_numbers\": [] }".to_owned(),
        ),
    ];
    for number in 0..150 {
        let [document, stored, _] = GeneratedInputs::any(&mut random).texts();
        let document = document.replace("\", \"", "\",\n\"").replace(", \"", ",\n\"");
        files.push((format!("{number:03}.jsonc"), document));
        if stored.contains("version_number") {
            files.push((format!("stored/{number:03}.json"), stored));
        }
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    folder(&format!("suppressions/{name}"), &files)
}

#[test]
fn hiding_a_finding_never_makes_another_one_appear() {
    let folder = world("property");
    let before = all_found(&folder, &[]);
    assert!(before.len() > 100, "{}", before.len());
    let mut random = Random::new(5);
    let picked: BTreeSet<&Found> = before.iter().filter(|_| random.percent(50)).collect();
    let expect = |after: &BTreeSet<Found>, why: &str| {
        let new: Vec<_> = after.difference(&before).collect();
        assert!(new.is_empty(), "{why}: {new:?}");
    };

    // By the configuration.
    let mut text = WORLD.to_owned();
    for (path, rule, field, _) in &picked {
        let pointer =
            if field.is_empty() { String::new() } else { format!("pointer = '{field}'\n") };
        text += &entry(&format!("files = \"/{path}\"\n{pointer}rules = \"{rule}\""));
    }
    fs::write(folder.join("voxlint.toml"), text).unwrap();
    let after = all_found(&folder, &[]);
    expect(&after, "suppressed");
    assert!(picked.iter().all(|it| !after.contains(*it)));
    fs::write(folder.join("voxlint.toml"), WORLD).unwrap();

    // By the command line, a rule at a time.
    let rules: BTreeSet<&str> = before.iter().map(|(_, rule, ..)| &**rule).collect();
    for rule in rules.into_iter().take(voxlint_testing::cases(5, 1_000) as usize) {
        let after = all_found(&folder, &["--ignore", rule]);
        let expected = before.iter().filter(|it| it.1 != rule).cloned().collect();
        assert_eq!(after, expected, "{rule}");
    }

    // By a part of a baseline.
    assert_eq!(run(&folder, &["baseline", "write", "-q"]).status.code(), Some(0));
    assert_eq!(all_found(&folder, &[]), BTreeSet::new());
    let file = folder.join("voxlint-baseline.json");
    let mut baseline: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    baseline["findings"].as_array_mut().unwrap().retain(|_| random.percent(50));
    fs::write(&file, baseline.to_string()).unwrap();
    let after = all_found(&folder, &[]);
    expect(&after, "listed");
    assert!(after.len() < before.len());
    fs::remove_file(&file).unwrap();

    // By comments.
    for number in 0..150 {
        let path = format!("{number:03}.jsonc");
        let about = picked.iter().filter(|(of, ..)| *of == path);
        let rules: BTreeSet<&str> = about.map(|(_, rule, ..)| &**rule).collect();
        let file = folder.join(&path);
        let mut text = fs::read_to_string(&file).unwrap();
        for rule in rules {
            let _ = write!(text, "\n// voxlint-ignore-file {rule}: decided");
        }
        fs::write(file, text).unwrap();
    }
    let after = all_found(&folder, &[]);
    expect(&after, "commented");
    let left: Vec<_> = picked.iter().filter(|it| after.contains(**it)).collect();
    assert!(left.is_empty(), "{left:?}");
}
