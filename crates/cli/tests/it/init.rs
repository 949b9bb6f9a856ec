//! `voxlint init` in repositories of all sorts: what it writes can be used, says what is there, and hides nothing.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::process::{folder, run, stderr, stdout};
use proptest::prelude::*;
use serde_json::Value;
use voxlint_config::{Configuration, ReadError};
use voxlint_testing::property;

const UPDATE: &str = r#"{ "version_number": 3, "title": "Front desk" }"#;
const FAULTY: &str = r#"{ "version_number": 3, "kb_max_chunks": 12 }"#;
const AGENT: &str =
    r#"{ "id": "ag_en", "agent_type": "Single_Prompt_Agent", "current_version_number": 3 }"#;
const FACTS: &str = r#"{ "voices": {}, "phone_numbers": [] }"#;

/// The configuration of a folder, which has to be sound.
fn load(folder: &Path) -> Configuration {
    let mut read =
        |path: &str| fs::read_to_string(path).map_err(|error| ReadError::Other(error.to_string()));
    let path = folder.join("voxlint.toml");
    Configuration::load(path.to_str().unwrap(), &mut read).unwrap_or_else(|error| panic!("{error}"))
}

/// What is written for a repository, and what is said of it.
fn init(folder: &Path) -> (String, String) {
    let output = run(folder, &["init"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), ""), "{}", stderr(&output));
    load(folder);
    (fs::read_to_string(folder.join("voxlint.toml")).unwrap(), stderr(&output).to_owned())
}

/// The lines that hold.
fn active(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// What a check finds, by file, rule and place, and its exit code.
fn findings(repository: &Path, arguments: &[&str]) -> (BTreeSet<String>, Option<i32>) {
    let output = run(repository, &[&["check", "--format", "json"], arguments].concat());
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    let mut found = BTreeSet::new();
    for file in report["files"].as_array().unwrap() {
        for finding in file["diagnostics"].as_array().unwrap() {
            let place = &finding["span"]["start"];
            found.insert(format!("{} {} {place}", finding["path"], finding["rule"]));
        }
    }
    (found, output.status.code())
}

#[test]
fn five_hundred_faulty_documents_are_counted() {
    let names: Vec<String> = (0..500).map(|n| format!("agents/{}/{n}.json", n % 3)).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), FAULTY)).collect();
    let (text, said) = init(&folder("init-faulty", &files));
    assert!(active(&text).is_empty(), "{text}");
    assert_eq!(
        said,
        "wrote voxlint.toml: 500 documents (500 updates) in agents/0/*.json, agents/1/*.json, agents/2/*.json\n\
         500 findings: `voxlint baseline write` records them, so that only new ones fail the gate\n"
    );
}

#[cfg(unix)]
#[test]
fn a_read_only_directory_says_so() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = folder("init-read-only", &[("sealed/en.json", UPDATE)]);
    let sealed = folder.join("sealed");
    fs::set_permissions(&sealed, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(sealed.join("try"), "").is_ok() {
        voxlint_testing::skip("this user may write everywhere");
    } else {
        let output = run(&sealed, &["init"]);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(stderr(&output), "voxlint: voxlint.toml: permission denied\n");
        assert_eq!(run(&sealed, &["init", "--print"]).status.code(), Some(0));
    }
    fs::set_permissions(&sealed, fs::Permissions::from_mode(0o755)).unwrap();

    // Nothing is written through a link that leads nowhere.
    symlink("elsewhere.toml", folder.join("voxlint.toml")).unwrap();
    assert_eq!(run(&folder, &["init"]).status.code(), Some(2));
    assert!(!folder.join("elsewhere.toml").exists());
}

#[test]
fn the_proposal_is_short_in_every_repository() {
    let mut files = vec![("workspace.json".to_owned(), FACTS)];
    for (team, end) in
        ["stored", "live", "now", "remote", "is", "was", "base", "old", "kept", "known"]
            .into_iter()
            .enumerate()
    {
        files.push((format!("t/{team}/en.json"), FAULTY));
        files.push((format!("t/{team}/en.{end}.json"), AGENT));
        files.push((format!("t/{team}/en.{end}-prompt.hbs"), "Hello."));
        files.push((format!("t/{team}/en.prompt.md"), "Hello."));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, *text)).collect();
    let folder = folder("init-short", &files);
    let (text, said) = init(&folder);
    assert!(text.lines().count() <= 30, "{text}");
    assert!(said.lines().count() <= 10, "{said}");
    assert!(said.contains("\nleft out: ") && said.contains(" other settings\n"), "{said}");
    assert_eq!(run(&folder, &["init", "--force", "--print"]).status.code(), Some(2));
    assert_eq!(stdout(&run(&folder, &["init", "--print"])), text);
}

/// A repository with files by the names that the command looks for, and what may be in them.
fn layouts() -> impl Strategy<Value = Vec<(String, String)>> {
    let place = prop::sample::select(vec![
        "",
        "agents/",
        "agents/prod/",
        "stored/",
        "stored/prod/",
        "agents/stored/",
        "prompts/",
        "ä b/",
    ]);
    let stem = prop::sample::select(vec!["en", "de", "front-en", "en.v2"]);
    let tail = prop::sample::select(vec![
        ".json",
        ".json",
        ".json",
        ".stored.json",
        ".yaml",
        ".ndjson",
        ".hbs",
        ".prompt.hbs",
        "-welcome.hbs",
        ".facts.json",
    ]);
    let text = prop::sample::select(vec![
        UPDATE,
        FAULTY,
        AGENT,
        AGENT,
        FACTS,
        r#"{ "version_number": 3, "prompt_text": "Greet {{#if" }"#,
        r#"{ "version_number": 3, "title": "#,
        r#"{ "agent": { "id": "ag_en", "agent_type": "Single_Prompt_Agent", "versions": 3 } }"#,
        r#"{ "name": "desk" }"#,
        "Hi {{#if",
        "",
    ]);
    let file = (place, stem, tail, text)
        .prop_map(|(place, stem, tail, text)| (format!("{place}{stem}{tail}"), text.to_owned()));
    prop::collection::vec(file, 0..12)
}

/// For every mix of files, no finding is lost and nothing fails.
#[test]
fn the_written_configuration_hides_no_finding() {
    let config = property(30, 120);
    let stated = Cell::new(0);
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let result = runner.run(&layouts(), |files| {
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (&**path, &**text)).collect();
        let repository = folder("init-layouts", &files);
        let (before, status) = findings(&repository, &[]);
        let (text, said) = init(&repository);
        stated.set(stated.get() + u32::from(!active(&text).is_empty()));
        let (after, later) = findings(&repository, &[]);
        prop_assert!(before.is_subset(&after), "{before:#?}\n{after:#?}\n{text}");
        prop_assert!(status != Some(0) || later != Some(2), "{said}\n{text}");
        prop_assert!(text.lines().count() <= 30 && said.lines().count() <= 10, "{said}\n{text}");
        prop_assert!(
            active(&text).iter().all(|line| said.contains(line.trim_start_matches("files = "))
                || *line == "[[documents]]"),
            "{said}\n{text}"
        );
        let wanted = if after.is_empty() { "nothing to report" } else { "finding" };
        let is_empty = said.contains("makes a file an agent document");
        prop_assert!(is_empty || said.contains(wanted), "{said}");
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    assert!(stated.get() > 10, "{} layouts have a convention", stated.get());
}

/// Linux has a file to which nothing can be written, but a configuration is never a device. A limit of the size of files stands
/// for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_configuration_that_cannot_be_written_leaves_nothing() {
    let folder = folder("init/full", &[("en.json", UPDATE)]);
    let program = env!("CARGO_BIN_EXE_voxlint");
    let limited = format!("trap '' XFSZ; ulimit -f 0; exec '{program}' init");
    let output = std::process::Command::new("sh")
        .args(["-c", &limited])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let names = fs::read_dir(&folder).unwrap();
    let mut names: Vec<_> = names.map(|it| it.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["en.json"]);
}
