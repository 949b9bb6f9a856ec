//! Pages show the real output of commands.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::process::{folder, stderr, stdout, voxlint};
use voxlint_testing::{files_below, repository, without_undecided};

/// Runs each command (`$ …`) in the ` ```console ` blocks of the README and the guides, and compares its output with the lines
/// below it. A block with a name, as in ` ```console clinic `, runs in a copy of that folder of `fixtures/guide` or `fixtures`,
/// which the blocks of a page share. Other blocks run in the repository. `UPDATE_PAGES=1` writes the output into the pages. The number of
/// undecided checks may be out of date, because it changes with every new rule.
#[test]
fn the_guides_show_real_output() {
    if cfg!(windows) {
        voxlint_testing::skip("the guides speak to a shell");
        return;
    }
    let readme = repository().join("README.md");
    for path in files_below("docs", "md").into_iter().chain([readme]) {
        let guide = fs::read_to_string(&path).unwrap();
        let is = with_output(&guide, &path);
        if std::env::var_os("UPDATE_PAGES").is_some() && is != guide {
            fs::write(&path, &is).unwrap();
        } else {
            let is_current = without_undecided(&is) == without_undecided(&guide);
            assert!(is_current, "{} is stale: UPDATE_PAGES=1 updates it", path.display());
        }
    }
}

/// A newcomer reads one page: what a document is and where it comes from, one finding, and a way in without Rust.
#[test]
fn the_readme_is_short_and_says_what_a_document_is_and_how_to_start_without_rust() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let words = readme.split_whitespace().count();
    assert!(words <= 700, "{words} words");
    assert_eq!(readme.matches("╭─[").count(), 1);
    for told in ["`PATCH /v1/agents/{id}`", "`GET` of the agent", "## Without Rust", "pip wheel"] {
        assert!(readme.contains(told), "{told}");
    }
}

/// The code on the page about lakes is in the programs that `scripts/try-lake.sh` runs.
#[test]
fn the_page_about_lakes_shows_code_of_its_programs() {
    let programs = files_below("examples/lake", "py");
    let programs: Vec<_> = programs.iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    let page = fs::read_to_string(repository().join("docs/lake.md")).unwrap();
    let blocks: Vec<_> =
        page.split("```python\n").skip(1).map(|part| part.split_once("```").unwrap().0).collect();
    assert!(blocks.len() > 2, "the page shows {} blocks of code", blocks.len());
    for block in blocks {
        let is_shown = programs.iter().any(|program| program.contains(block));
        assert!(is_shown, "no program has this code of docs/lake.md:\n{block}");
    }
}

/// The page with the output of its commands.
fn with_output(guide: &str, path: &Path) -> String {
    let mut copies: BTreeMap<String, PathBuf> = BTreeMap::new();
    let mut parts = guide.split("```console");
    let mut is = parts.next().unwrap().to_owned();
    for part in parts {
        let (name, part) = part.split_once('\n').unwrap();
        let (block, rest) = part.split_once("```").unwrap();
        let place = match name.trim() {
            "" => repository().to_owned(),
            name => copies.entry(name.to_owned()).or_insert_with(|| copy(name, path)).clone(),
        };
        is.push_str(&["```console", name, "\n"].concat());
        for line in block.lines().filter(|line| line.starts_with("$ ")) {
            let output = run_line(&place, line.strip_prefix("$ ").unwrap());
            is.push_str(&[line, "\n", stdout(&output)].concat());
            if !stdout(&output).is_empty() && !stderr(&output).is_empty() {
                is.push('\n');
            }
            is.push_str(stderr(&output));
        }
        is.push_str(&["```", rest].concat());
    }
    is
}

/// A copy of a folder of the fixtures that looks like a repository of its own.
fn copy(name: &str, page: &Path) -> PathBuf {
    let guide = repository().join("fixtures/guide").join(name);
    let from = if guide.exists() { guide } else { repository().join("fixtures").join(name) };
    let files: Vec<(String, Vec<u8>)> = walkdir::WalkDir::new(&from)
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.is_file())
        .map(|path| {
            let way = path.strip_prefix(&from).unwrap().to_string_lossy().into_owned();
            (way, fs::read(path).unwrap())
        })
        .collect();
    assert!(!files.is_empty(), "{} has no files", from.display());
    let files: Vec<(&str, &[u8])> = files.iter().map(|(way, bytes)| (&**way, &**bytes)).collect();
    let page = page.file_stem().unwrap().to_string_lossy();
    let copy = folder(&format!("guide-{page}-{name}"), &files);
    fs::create_dir(copy.join(".git")).unwrap();
    copy
}

/// Runs a command line in a shell.
fn run_line(place: &Path, line: &str) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_voxlint"));
    let mut shell = Command::new("sh");
    shell.current_dir(place).args(["-c", line]);
    // The program is on the path, and the environment of the test does not change its output.
    for (name, value) in voxlint(place, &[]).get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    let paths = std::env::var("PATH").unwrap_or_default();
    let folder = program.parent().unwrap().to_string_lossy();
    shell.env("PATH", format!("{folder}:{paths}"));
    shell.output().unwrap()
}
