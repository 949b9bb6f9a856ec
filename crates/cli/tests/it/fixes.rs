//! `--fix`, `--unsafe-fixes`, `--fix-only` and `--diff`.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::SystemTime;

use crate::process::{folder, run, stderr, stdout, voxlint};
use voxlint_testing::repository;

/// A zero-width space, which a safe fix removes.
const UNSEEN: &str = "\u{200b}";

/// Only the rule whose fix most tests are about.
const ONE_RULE: [&str; 2] = ["--select", "invisible-character"];

/// Every file below a folder with its bytes and the time of its last change.
fn contents(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
    let files = walkdir::WalkDir::new(folder).into_iter().map(|entry| entry.unwrap().into_path());
    let files = files.filter(|path| path.is_file());
    files
        .map(|path| {
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            (path.clone(), (fs::read(&path).unwrap(), modified))
        })
        .collect()
}

fn text(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Fixes the one rule, with further arguments.
fn fix(folder: &Path, arguments: &[&str]) -> Output {
    run(folder, &[&["check", "--fix"], &ONE_RULE[..], arguments].concat())
}

/// Over everything that the repository has: what one run leaves, another one does not change.
#[test]
fn a_second_run_over_the_fixtures_writes_nothing() {
    for part in ["agents", "rules"] {
        let copy = folder(&format!("fixes/copy-{part}"), &[] as &[(&str, &str)]);
        let from = repository().join("fixtures").join(part);
        for entry in walkdir::WalkDir::new(&from) {
            let path = entry.unwrap().into_path();
            let to = copy.join(path.strip_prefix(&from).unwrap());
            if path.is_dir() {
                fs::create_dir_all(to).unwrap();
            } else {
                fs::copy(&path, to).unwrap();
            }
        }
        let arguments = ["check", "--isolated", "--fix", "--unsafe-fixes", "--exit-zero"];
        let first = run(&copy, &arguments);
        let fixed = contents(&copy);
        let second = run(&copy, &arguments);
        assert!(!stderr(&second).contains("fixed "), "{part}: {}", stderr(&second));
        for (path, (bytes, modified)) in contents(&copy) {
            let (before, modified_before) = &fixed[&path];
            let text = String::from_utf8_lossy(&bytes).into_owned();
            assert_eq!(text, String::from_utf8_lossy(before), "{}", path.display());
            assert_eq!(modified, *modified_before, "{}", path.display());
        }
        assert_eq!(first.status.code(), second.status.code(), "{part}");
    }
}

fn json(folder: &Path, arguments: &[&str]) -> serde_json::Value {
    let arguments =
        [&["check", "--format", "json", "--exit-zero", "--isolated"], arguments].concat();
    serde_json::from_slice(&run(folder, &arguments).stdout).unwrap()
}

/// What a check counts as fixable, a run with `--fix` counts as fixed. A finding without a fix may be gone with another one of
/// its document.
#[test]
fn what_is_counted_as_fixable_is_fixed() {
    let files = voxlint_testing::case_files().into_iter().map(|case| case.path);
    let agents = ["json", "yaml", "toml"].iter();
    let agents = agents.flat_map(|it| voxlint_testing::files_below("fixtures/agents", it));
    let files: Vec<PathBuf> = files.chain(agents).collect();
    for (name, arguments) in [("count-safe", &[][..]), ("count-unsafe", &["--unsafe-fixes"])] {
        let folder = folder(&format!("fixes/{name}"), &[] as &[(&str, &str)]);
        for (number, path) in files.iter().enumerate() {
            let file = path.file_name().unwrap().to_str().unwrap();
            fs::copy(path, folder.join(format!("{number}-{file}"))).unwrap();
        }
        let before = json(&folder, &[]);
        let (mut fixable, mut others) = (0, 0);
        for file in before["files"].as_array().unwrap() {
            let is_fixable = |found: &&serde_json::Value| {
                let mut offered = found["fixes"].as_array().into_iter().flatten();
                offered.any(|fix| fix["safety"] == "safe" || !arguments.is_empty())
            };
            let found = file["diagnostics"].as_array().unwrap().iter();
            let (fixed, left): (Vec<_>, Vec<_>) = found.partition(is_fixable);
            fixable += fixed.len() as u64;
            others += if fixed.is_empty() { 0 } else { left.len() as u64 };
        }
        let number = |name: &str| before["summary"][name].as_u64().unwrap();
        let counted = if arguments.is_empty() { 0 } else { number("unsafe_fixable") };
        assert_eq!(number("fixable") + counted, fixable, "{name}");
        let after = json(&folder, &[&["--fix"], arguments].concat());
        let fixed = after["summary"]["fixed"].as_u64().unwrap();
        let expected = fixable..=fixable + others;
        assert!(fixable > 50 && expected.contains(&fixed), "{name}: {fixed} of {expected:?}");
    }
}

/// With every line break, and without one at the end.
#[test]
fn the_diff_of_lines_can_be_applied() {
    let line = "{\"version_number\":3,\"promt_text\":\"Be kind.\"}";
    for (before, case) in [
        (format!("{line}\n{{\"version_number\":3}}\n{line}"), "no-end"),
        (format!("{line}\r\n{{\"version_number\":3}}\r\n{line}\r\n"), "crlf"),
        (format!("{line}\r\n{line}\n{line}"), "mixed"),
    ] {
        let folder = folder(&format!("fixes/apply-{case}"), &[("a.ndjson", &before)]);
        let diff = run(&folder, &["check", "--diff", "--unsafe-fixes", "-q"]);
        let applied = std::process::Command::new("git")
            .args(["apply", "--unidiff-zero", "-"])
            .current_dir(&folder)
            .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap())
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let Ok(mut git) = applied else {
            return voxlint_testing::skip("git is not installed");
        };
        git.stdin.take().unwrap().write_all(&diff.stdout).unwrap();
        let applied = git.wait_with_output().unwrap();
        assert!(applied.status.success(), "{case}: {}{}", stdout(&diff), stderr(&applied));
        assert_eq!(text(&folder, "a.ndjson"), before.replace("promt", "prompt"), "{case}");
    }
}

#[test]
fn thousands_of_mistakes_in_one_text_are_fixed_by_one_run() {
    let prompt = "Hi {{customer_name}.\n".repeat(2_500);
    let document = serde_json::json!({ "version_number": 3, "prompt_text": prompt });
    let folder = folder("fixes/thousands", &[("a.json", document.to_string())]);
    let output = run(&folder, &["check", "--fix", "--unsafe-fixes"]);
    let said = "fixed 1 finding in 1 file; ";
    assert!(stderr(&output).starts_with(said), "{}", stderr(&output));
    assert!(!text(&folder, "a.json").contains("name}."));
    assert!(!stderr(&output).contains("run voxlint again"), "{}", stderr(&output));
}

/// Lines that do not change are copied byte for byte, also those that are not read as documents.
#[test]
fn the_other_lines_of_a_large_file_are_copied() {
    let mut lines = Vec::new();
    for number in 0..6000 {
        let unseen = if number % 7 == 3 { UNSEEN } else { "" };
        let end = if number % 3 == 0 { "\r\n" } else { "\n" };
        write!(
            lines,
            "{{ \"version_number\":{number}, \"prompt_text\":\"{unseen}{}\" }}{end}",
            "x".repeat(number % 900)
        )
        .unwrap();
        if number % 50 == 0 {
            lines.extend(b"  \n\xff\xfe not a document\n");
        }
    }
    // Longer than any line that is read.
    lines.extend(vec![b'x'; (16 << 20) + 7]);
    lines.extend("\n{\"version_number\":3,\"prompt_text\":\"a\u{200b}\"}".bytes());
    let folder = folder("fixes/large", &[("a.ndjson", &lines)]);
    let output = fix(&folder, &["-q", "--format", "statistics"]);
    let fixed = fs::read(folder.join("a.ndjson")).unwrap();
    assert_eq!(lines.len() - fixed.len(), UNSEEN.len() * 858, "{}", stderr(&output));
    let unseen = UNSEEN.as_bytes();
    let mut rest = lines.as_slice();
    let mut expected = Vec::with_capacity(lines.len());
    while let Some((first, tail)) = rest.split_first() {
        if rest.starts_with(unseen) {
            rest = &rest[unseen.len()..];
        } else {
            expected.push(*first);
            rest = tail;
        }
    }
    assert!(fixed == expected);
}

#[cfg(unix)]
mod unix {
    use std::env;
    use std::fs::{File, Permissions};
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::process::Command;
    use std::thread;

    use super::*;

    const FAULTY: &str = "version_number: 3\nprompt_text: Be\u{200b} kind.\n";

    fn fixed() -> String {
        FAULTY.replace(UNSEEN, "")
    }

    #[test]
    fn permissions_and_owner_are_kept() {
        let folder = folder("fixes/permissions", &[("a.yaml", FAULTY)]);
        let path = folder.join("a.yaml");
        for mode in [0o600, 0o640, 0o755] {
            fs::write(&path, FAULTY).unwrap();
            fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
            let before = fs::metadata(&path).unwrap();
            fix(&folder, &[]);
            let after = fs::metadata(&path).unwrap();
            assert_eq!(text(&folder, "a.yaml"), fixed());
            assert_eq!(after.permissions().mode() & 0o7777, mode);
            assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()));
        }
    }

    #[test]
    fn a_file_that_cannot_be_written_fails_the_run_and_the_others_are_fixed() {
        let folder = folder(
            "fixes/read-only",
            &[("a.yaml", FAULTY), ("b.yaml", FAULTY), ("closed/c.yaml", FAULTY)],
        );
        let (a, closed) = (folder.join("a.yaml"), folder.join("closed"));
        fs::set_permissions(&a, Permissions::from_mode(0o444)).unwrap();
        if File::options().write(true).open(&a).is_ok() {
            return voxlint_testing::skip("this user may write read-only files");
        }
        fs::set_permissions(&closed, Permissions::from_mode(0o555)).unwrap();
        let output = fix(&folder, &[]);
        fs::set_permissions(&closed, Permissions::from_mode(0o755)).unwrap();
        assert_eq!(output.status.code(), Some(2));
        for file in ["a.yaml", "closed/c.yaml"] {
            assert_eq!(text(&folder, file), FAULTY);
            let said = format!(
                "voxlint: {file}: cannot be written, so it is unchanged: permission denied\n"
            );
            assert!(stderr(&output).contains(&said), "{}", stderr(&output));
        }
        assert_eq!(text(&folder, "b.yaml"), fixed());
    }

    #[test]
    fn a_file_behind_a_descriptor_is_not_written() {
        let faulty =
            format!("{{ \"version_number\": 3, \"prompt_text\": \"Be{UNSEEN} kind.\" }}\n");
        let folder = folder("fixes/descriptor", &[("a.json", &faulty)]);
        let output = Command::new(env!("CARGO_BIN_EXE_voxlint"))
            .args(["check", "--fix-only", "/dev/stdin"])
            .current_dir(&folder)
            .stdin(File::open(folder.join("a.json")).unwrap())
            .output()
            .unwrap();
        assert_eq!(text(&folder, "a.json"), faulty);
        assert!(
            stderr(&output).starts_with("fixed nothing; 1 file could not be changed\n"),
            "{}",
            stderr(&output)
        );
        assert!(stderr(&output).contains("or use `-` for standard input"), "{}", stderr(&output));
    }

    /// Files in memory are files.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_in_shared_memory_is_fixed() {
        let memory = PathBuf::from(format!("/dev/shm/voxlint-{}", std::process::id()));
        if fs::create_dir(&memory).is_err() {
            return;
        }
        let path = memory.join("a.yaml");
        fs::write(&path, FAULTY).unwrap();
        let folder = folder("fixes/shared-memory", &[("voxlint.toml", "")]);
        fix(&folder, &[path.to_str().unwrap()]);
        let after = fs::read_to_string(&path).unwrap();
        fs::remove_dir_all(&memory).unwrap();
        assert_eq!(after, fixed());
    }

    /// A pipe can be read once, and cannot be fixed.
    #[test]
    fn a_pipe_is_only_checked() {
        let output = Command::new("sh")
            .args(["-c", "cat | \"$0\" check --fix --format concise /dev/stdin"])
            .arg(env!("CARGO_BIN_EXE_voxlint"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .and_then(|mut child| {
                let faulty = b"{ \"version_number\": 3, \"kb_max_chunks\": \"9\" }";
                child.stdin.take().unwrap().write_all(faulty)?;
                child.wait_with_output()
            });
        let output = output.unwrap();
        assert!(
            stdout(&output).starts_with("/dev/stdin:1:41: error[wrong-type]"),
            "{}",
            stdout(&output)
        );
        assert!(!stdout(&output).contains("(fixable)"), "{}", stdout(&output));
        let said = "1 fix not applied: an open file is not changed";
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
    }

    /// Killed while it writes: each file is either the old one or the new one, and a later run completes the work.
    #[test]
    fn a_run_that_is_killed_leaves_whole_files() {
        const FILES: usize = 24;
        let old = |number: usize| {
            format!(
                "version_number: {number}\nprompt_text: Be\u{200b} kind.\n# {}\n",
                "x".repeat(number * 2000)
            )
        };
        let line = |number: usize| {
            format!("{{\"version_number\":{number},\"prompt_text\":\"Be\u{200b} kind.\"}}\n")
        };
        let lines: String = (0..3000).map(line).collect();
        let names_of = |number: usize| {
            if number == 0 { "lines.ndjson".to_owned() } else { format!("{number:02}.yaml") }
        };
        let text_of = |number: usize| if number == 0 { lines.clone() } else { old(number) };
        let folder = folder("fixes/killed", &[] as &[(&str, &str)]);
        // Rounds in which the run was killed after it had replaced a file, and before it had replaced all of them.
        let wanted = voxlint_testing::cases(8, 50) as usize;
        let (mut rounds, mut interrupted) = (0, 0);
        while interrupted < wanted {
            let round = rounds;
            rounds += 1;
            assert!(
                rounds <= 20 * wanted,
                "{interrupted} of {round} kills came while files were written"
            );
            for entry in names(&folder) {
                fs::remove_file(folder.join(entry)).unwrap();
            }
            for number in 0..FILES {
                fs::write(folder.join(names_of(number)), text_of(number)).unwrap();
            }
            let arguments = [&["check", "--fix", "-q"], &ONE_RULE[..]].concat();
            let mut child = voxlint(&folder, &arguments)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            // The moment depends on how far the run is and on how the threads are scheduled. The file with one document per line
            // comes last and takes the longest, so that a run which has replaced most others is still busy.
            let enough = round % (FILES - 1);
            let done = || {
                let is_new = |number: &usize| {
                    fs::metadata(folder.join(names_of(*number)))
                        .is_ok_and(|it| it.len() < text_of(*number).len() as u64)
                };
                (1..FILES).filter(is_new).count()
            };
            while done() < enough && child.try_wait().unwrap().is_none() {
                thread::yield_now();
            }
            for _ in 0..(round * 37) % 500 {
                thread::yield_now();
            }
            child.kill().unwrap();
            let was_killed = !child.wait().unwrap().success();
            let left = names(&folder);
            let is_new = |number: &usize| text(&folder, &names_of(*number)) != text_of(*number);
            let replaced = (0..FILES).filter(is_new).count();
            interrupted += usize::from(was_killed && (1..FILES).contains(&replaced));
            for number in 0..FILES {
                let (now, old) = (text(&folder, &names_of(number)), text_of(number));
                assert!(
                    now == old || now == old.replace(UNSEEN, ""),
                    "round {round}: {} is torn",
                    names_of(number)
                );
            }
            for other in
                left.iter().filter(|name| (0..FILES).all(|number| **name != names_of(number)))
            {
                // The moment between two calls of the system: a complete file that no run reads.
                assert!(other.starts_with(".voxlint-"), "round {round}: {other}");
                let now = text(&folder, other);
                assert!(
                    (0..FILES).any(|number| now == text_of(number).replace(UNSEEN, "")),
                    "round {round}: {other}"
                );
            }
            if round % 10 == 0 {
                let output = run(&folder, &arguments);
                assert_eq!(output.status.code(), Some(0), "round {round}: {}", stderr(&output));
                for number in 0..FILES {
                    assert_eq!(
                        text(&folder, &names_of(number)),
                        text_of(number).replace(UNSEEN, "")
                    );
                }
            }
        }
    }
}
