//! How large files may be that a run reads, and what it reads and writes that is not one.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::process::commit;
use crate::process::{folder, run, stderr, stdout, voxlint};

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

/// All that a run says.
fn all_said(output: &Output) -> String {
    [stdout(output), stderr(output)].concat()
}

#[test]
fn files_that_documents_are_checked_with_have_a_largest_size() {
    const MEBIBYTE: usize = 1 << 20;
    let configuration = "and a configuration with all files that it extends may have at most 1 MiB";
    let related = "and a file that a document is checked with may have at most 64 MiB";
    let baseline = "and a baseline may have at most 64 MiB";
    let stored = "[[documents]]\nfiles = 'agents/'\nstored = '../large'\n";
    let text = "[[documents]]\nfiles = 'agents/'\ntext_files = { prompt_text = '../large' }\n";
    for (settings, name, size, message) in [
        ("", "voxlint.toml", MEBIBYTE, configuration),
        ("extends = 'large'\n", "large", MEBIBYTE, configuration),
        ("facts = 'large'\n", "large", 64 * MEBIBYTE, related),
        (stored, "large", 64 * MEBIBYTE, related),
        (text, "large", 64 * MEBIBYTE, related),
        ("baseline = 'large'\n", "large", 64 * MEBIBYTE, baseline),
        ("", "voxlint-baseline.json", 64 * MEBIBYTE, baseline),
    ] {
        let folder = repository("sizes", settings);
        let project = folder.join("project");
        // Without blocks on the disk. It is not read.
        let file = fs::OpenOptions::new().append(true).create(true).open(project.join(name));
        file.unwrap().set_len(size as u64 + 1).unwrap();
        let output = run(&project, &["check"]);
        let said = all_said(&output);
        assert_eq!(output.status.code(), Some(2), "{settings}{said}");
        let expected = format!("the file has {} bytes, {message}", size + 1);
        assert!(said.contains(&expected), "{name} {settings}{said}");
    }
}

#[test]
fn the_base_in_a_commit_has_a_largest_size() {
    const STORED: &str = r#"{ "version": { "version_number": 3, "title": "Desk" } }"#;
    let settings =
        "base = 'HEAD'\n[[documents]]\nfiles = 'agents/'\nstored = '../stored/{stem}.json'\n";
    let folder = repository("base-size", settings);
    let project = folder.join("project");
    fs::write(project.join("agents/fr.json"), DOCUMENT).unwrap();
    fs::create_dir(project.join("stored")).unwrap();
    fs::write(project.join("stored/en.json"), vec![b' '; (64 << 20) + 1]).unwrap();
    fs::write(project.join("stored/fr.json"), STORED).unwrap();
    if !commit(&project) {
        return;
    }
    fs::write(project.join("stored/en.json"), STORED).unwrap();
    let output = run(&project, &["plan"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let message = "HEAD:stored/en.json: the file has 67108865 bytes, and a file that a document is checked with may have at most 64 MiB";
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
    // The answer to the next question is found.
    assert!(!stderr(&output).contains("fr.json:"), "{}", stderr(&output));
    assert!(stdout(&output).contains("agents/fr.json"), "{}", stdout(&output));
}

#[test]
fn the_largest_configuration_is_read() {
    let folder = repository("largest", "");
    let project = folder.join("project");
    let comment = format!("#{}\n", "x".repeat(1022)).repeat(512);
    fs::write(project.join("base.toml"), &comment).unwrap();
    let rest = comment.replacen('#', "extends = 'base.toml' #", 1);
    fs::write(project.join("voxlint.toml"), &rest[..comment.len()]).unwrap();
    let output = run(&project, &["check"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // Both are counted together.
    fs::write(project.join("voxlint.toml"), &rest).unwrap();
    let output = run(&project, &["check"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let said = all_said(&output);
    assert!(said.contains("cannot read `base.toml`: the file has"), "{said}");
}

#[test]
fn a_gitignore_is_a_file_of_at_most_a_mebibyte() {
    let folder = repository("linked-ignore-inside", "");
    let project = folder.join("project");
    symlink("../patterns", project.join("agents/.gitignore")).unwrap();
    fs::write(project.join("patterns"), vec![b'#'; (1 << 20) + 1]).unwrap();
    let output = run(&project, &["check"]);
    assert!(stderr(&output).contains("a `.gitignore` may have at most 1 MiB"));
    fs::remove_file(project.join("agents/.gitignore")).unwrap();
    let made = Command::new("mkfifo").arg(project.join("agents/.gitignore")).status().unwrap();
    assert!(made.success());
    let output = run(&project, &["check"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("agents/.gitignore: not a regular file"));
}

#[test]
fn a_file_that_the_shell_has_opened_is_written_wherever_it_is() {
    let folder = repository("opened-by-shell", "");
    let project = folder.join("project");
    let log = fs::File::create(project.join(".git/log")).unwrap();
    let arguments = ["check", "--quiet", "--output", "json=/dev/stderr"];
    let output = voxlint(&project, &arguments).stderr(log).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(fs::read_to_string(project.join(".git/log")).unwrap().starts_with('{'));
}
