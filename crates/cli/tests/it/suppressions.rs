//! Suppressions, in `voxlint.toml` and in comments.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{folder, places, run, stderr, stdout};
use serde_json::Value;
use voxlint_testing::generated_inputs::{GeneratedInputs, Random};

const FAULTY: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 12, \"titel\": \"x\" }";
const ERROR: &str = "1:41: error[out-of-range]";
const WARNING: &str = "1:45: error[unknown-field]";

/// A project with these files, which begins where it is a folder of its own.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let head = [(".git/HEAD", "ref: refs/heads/main\n")];
    folder(&format!("suppressions/{name}"), &[&head, files].concat())
}

/// An entry with these lines and a reason.
fn entry(lines: &str) -> String {
    format!("[[suppressions]]\n{lines}\nreason = \"decided\"\n")
}

#[test]
fn suppressed_findings_are_counted_and_can_be_shown() {
    let text = entry("files = \"*\"\nrules = \"out-of-range\"");
    let folder = project("seen-again", &[("voxlint.toml", &text), ("en.json", FAULTY)]);
    let output = run(&folder, &["check"]);
    assert!(stderr(&output).contains(" · 1 suppressed"), "{}", stderr(&output));
    let json = run(&folder, &["check", "--format", "json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(json["summary"]["suppressed"], 1);
    let sarif = stdout(&run(&folder, &["check", "--format", "sarif"])).to_owned();
    assert!(!sarif.contains("out-of-range\",\"ruleIndex"), "{sarif}");
    let arguments = ["check", "--format", "sarif", "--show-suppressed"];
    let sarif = stdout(&run(&folder, &arguments)).to_owned();
    assert!(sarif.contains("\"justification\":\"decided\""), "{sarif}");
    assert_eq!(
        places(&folder, &["--no-suppressions"]),
        [format!("en.json:{ERROR}"), format!("en.json:{WARNING}")]
    );
}

/// What is left of a document with a comment in it, without the place of the comment.
fn left(name: &str, file: &str, text: &str) -> Vec<String> {
    let folder = project(name, &[(file, text)]);
    let lines = places(&folder, &[]).into_iter();
    lines.map(|line| line.rsplit_once(": ").unwrap().1.to_owned()).collect()
}

#[test]
fn a_comment_hides_findings_of_its_line_the_next_line_or_the_file() {
    for (file, text) in [
        (
            "own.yaml",
            "version_number: 3\n# voxlint-ignore out-of-range: decided\nkb_max_chunks: 12\n",
        ),
        (
            "behind.yaml",
            "version_number: 3\nkb_max_chunks: 12 # voxlint-ignore out-of-range: decided\n",
        ),
        (
            "file.yaml",
            "# voxlint-ignore-file out-of-range wrong-type: decided\nversion_number: 3\nkb_max_chunks: 12\ntitle: 7\n",
        ),
        (
            "until.yaml",
            "version_number: 3\nkb_max_chunks: 12 # voxlint-ignore out-of-range until 2999-01-01: decided\n",
        ),
        (
            "two.yaml",
            "version_number: 3\n# voxlint-ignore out-of-range, wrong-type: decided\nkb_max_chunks: 12\n# voxlint-ignore wrong-type: decided\ntitle: 7\n",
        ),
        (
            "own.toml",
            "version_number = 3\n# voxlint-ignore out-of-range: decided\nkb_max_chunks = 12\n",
        ),
        (
            "behind.toml",
            "version_number = 3\nkb_max_chunks = 12 # voxlint-ignore out-of-range: decided\n",
        ),
        (
            "own.jsonc",
            "{ \"version_number\": 3,\n  // voxlint-ignore out-of-range: decided\n  \"kb_max_chunks\": 12 }\n",
        ),
        (
            "behind.jsonc",
            "{ \"version_number\": 3,\n  \"kb_max_chunks\": 12 /* voxlint-ignore out-of-range: decided */ }\n",
        ),
        (
            "file.jsonc",
            "// voxlint-ignore-file out-of-range: decided\n{ \"version_number\": 3, \"kb_max_chunks\": 12 }\n",
        ),
        (
            "own.prompt.hbs",
            "Hello\n{{!-- voxlint-ignore template-syntax-error: decided --}}\n{{name}\n",
        ),
        (
            "file.prompt.hbs",
            "{{! voxlint-ignore-file template-syntax-error: decided }}\nHello\n{{name}\n",
        ),
        (
            "crlf.yaml",
            "version_number: 3\r\n# voxlint-ignore out-of-range: decided\r\nkb_max_chunks: 12\r\n",
        ),
    ] {
        let expected: &[&str] =
            if file == "two.yaml" { &["warning[unused-suppression]"] } else { &[] };
        assert_eq!(left("comments", file, text), expected, "{file}");
    }
}

#[test]
fn comments_can_be_left_aside() {
    let text = "version_number: 3\nkb_max_chunks: 12 # voxlint-ignore out-of-range: decided\n";
    let folder = project("aside", &[("en.yaml", text)]);
    assert_eq!(places(&folder, &["--no-suppressions"]), ["en.yaml:2:16: error[out-of-range]"]);
    let piped = ["check", "-", "--stdin-filename", "en.yaml", "-q"];
    let input = fs::File::open(folder.join("en.yaml")).unwrap();
    let output = crate::process::voxlint(&folder, &piped).stdin(input).output().unwrap();
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), ""));
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
