//! Which files a configuration can make a run read, and which links it follows.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;

use crate::process::{folder, run, stderr, stdout};

const DOCUMENT: &str = r#"{ "version_number": 3, "title": "Front desk" }"#;

/// A repository, beside files that do not belong to it.
fn repository(name: &str, settings: &str) -> PathBuf {
    let folder = folder(
        name,
        &[
            ("project/agents/en.json", DOCUMENT),
            ("project/voxlint.toml", settings),
            ("outside/private", "hunter2 {{ is = not: valid"),
            ("outside/faulty.json", r#"{ "version_number": 3, "kb_max_chunks": 12 }"#),
        ],
    );
    fs::create_dir(folder.join("project/.git")).unwrap();
    symlink("../outside/private", folder.join("project/link")).unwrap();
    folder
}

/// The settings that name a file, by its path from the folder of the configuration.
fn settings(path: &str) -> [String; 5] {
    let documents = "[[documents]]\nfiles = 'agents/'\n";
    [
        format!("facts = '{path}'\n"),
        format!("{documents}stored = '../{path}'\n"),
        format!("{documents}text_files = {{ prompt_text = '../{path}' }}\n"),
        format!("extends = '{path}'\n"),
        format!("baseline = '{path}'\n"),
    ]
}

#[test]
fn a_configuration_makes_no_run_read_what_is_outside_of_the_project() {
    for path in ["../outside/private", "../outside/nothing", "link"] {
        for settings in settings(path) {
            let folder = repository("outside-of-the-project", &settings);
            let output = run(&folder.join("project"), &["check"]);
            let said = [stdout(&output), stderr(&output)].concat();
            assert_eq!(output.status.code(), Some(2), "{settings}{said}");
            assert!(said.contains("outside of the project, so"), "{settings}{said}");
            assert!(!said.contains("hunter2"), "{settings}{said}");
            // The folder that voxlint runs in is the choice of the one who runs it.
            if path == "../outside/private" {
                let output = run(&folder, &["check", "project"]);
                let said = [stdout(&output), stderr(&output)].concat();
                assert!(!said.contains("outside of the project"), "{settings}{said}");
                assert_ne!(output.status.code(), Some(0), "{settings}{said}");
            }
        }
    }
}

#[test]
fn no_baseline_is_written_outside_of_the_project() {
    let folder = repository("baseline-outside", "baseline = '../outside/new.json'\n");
    let output = run(&folder.join("project"), &["baseline", "write"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("outside of the project"), "{}", stderr(&output));
    assert!(!folder.join("outside/new.json").exists());
}

#[test]
fn the_command_line_names_any_file() {
    let folder = repository("named-outside", "");
    fs::write(folder.join("outside/facts.json"), "{}").unwrap();
    let arguments =
        ["check", "--facts", "../outside/facts.json", "agents", "../outside/faulty.json"];
    let output = run(&folder.join("project"), &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("out-of-range"), "{}", stdout(&output));
}

#[test]
fn a_link_out_of_the_project_is_followed_only_if_it_is_named() {
    let folder = repository("link-outside", "");
    let project = folder.join("project");
    symlink("../../outside/faulty.json", project.join("agents/link.json")).unwrap();
    symlink("en.json", project.join("agents/near.json")).unwrap();
    let output = run(&project, &["check", "--show-files"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let said = [stdout(&output), stderr(&output)].concat();
    assert!(said.contains("a link out of the project, which is not followed"), "{said}");
    assert!(said.contains("2 documents"), "{said}");
    let named = run(&project, &["check", "agents/link.json"]);
    assert_eq!(named.status.code(), Some(1), "{}", stdout(&named));
}
