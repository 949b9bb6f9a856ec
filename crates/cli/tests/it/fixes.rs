//! `--fix`, `--unsafe-fixes`, `--fix-only` and `--diff`.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::SystemTime;

use crate::process::{folder, run, run_with_input, stderr, stdout, voxlint};
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

/// Documents of every format with an unseen character, and with much else that a fix must keep.
fn documents() -> Vec<(&'static str, String)> {
    let texts = [
        (
            "crlf.json",
            "{\r\n\t\"version_number\" : 3,\r\n\t\"prompt_text\":\"Be\u{200b} \\u00e9 kind.\"\r\n}\r\n",
        ),
        ("no-end.json", "{ \"version_number\": 3,   \"prompt_text\": \"Be\u{200b} kind.\" }"),
        (
            "comments.jsonc",
            "// a\n{ /* b */ \"version_number\": 3, \"prompt_text\": \"Be\u{200b} kind.\", // c\n}\n",
        ),
        ("bom.yaml", "\u{feff}# a\nversion_number: 3\nprompt_text: 'Be\u{200b} kind.'   # b\n"),
        (
            "block.yaml",
            "version_number: 3\r\nprompt_text: |\r\n  Be\u{200b} kind.\r\n\r\n  Always.\r\n",
        ),
        (
            "several.yaml",
            "---\nversion_number: 3\nprompt_text: \"Be\u{200b} kind.\"\n---\n# b\nversion_number: 4\nprompt_text: Be\u{200b} brief.\n...\n",
        ),
        ("basic.toml", "version_number = 3 # a\nprompt_text = \"Be\u{200b} kind.\"\n"),
        ("literal.toml", "version_number=3\nprompt_text = '''\nBe\u{200b} kind.\n'''\n"),
        ("prompts/greeting.hbs", "Be\u{200b} kind, {{ name }}.\r\n"),
        (
            "lines.ndjson",
            "{\"version_number\":3}\n\n{ \"version_number\":3,\"prompt_text\":\"Be\u{200b} kind.\"}\r\n{\"version_number\":4}",
        ),
    ];
    texts.map(|(name, text)| (name, text.to_owned())).to_vec()
}

#[test]
fn a_fix_changes_nothing_but_its_bytes_in_every_format() {
    let documents = documents();
    let files: Vec<(&str, &String)> = documents.iter().map(|(name, text)| (*name, text)).collect();
    let folder = folder("fixes/formats", &files);
    let output = fix(&folder, &[]);
    let said = "fixed 11 findings in 10 files; nothing left to report in 13 documents\n";
    assert_eq!((stdout(&output), stderr(&output)), ("", said));
    assert_eq!(output.status.code(), Some(0));
    for (name, before) in &documents {
        assert_eq!(text(&folder, name), before.replace(UNSEEN, ""), "{name}");
    }
    assert_eq!(names(&folder).len(), documents.len());
}

#[test]
fn a_second_run_writes_nothing() {
    let documents = documents();
    let files: Vec<(&str, &String)> = documents.iter().map(|(name, text)| (*name, text)).collect();
    let folder = folder("fixes/twice", &files);
    fix(&folder, &[]);
    let before = contents(&folder);
    let output = fix(&folder, &[]);
    assert_eq!(stderr(&output), "13 documents, nothing to report\n");
    assert_eq!(contents(&folder), before);
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

/// Why the fixes of a file were not applied, as a JSON report says.
fn not_applied(report: &serde_json::Value, path: &str) -> Vec<String> {
    let files = report["files"].as_array().unwrap().iter().filter(|file| file["path"] == path);
    let found = files.flat_map(|file| file["diagnostics"].as_array().unwrap());
    let offered = found.flat_map(|found| found["fixes"].as_array().unwrap());
    let reason = |fix: &serde_json::Value| fix["not_applied"].as_str().unwrap_or("null").to_owned();
    offered.map(reason).collect()
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

/// Half of the documents want another name in the text, each its own, and the others know the name that is there. Only so many of
/// the wishes are tried, and what belongs to one document is fixed.
#[test]
fn many_documents_that_disagree_about_a_text_are_fixed_themselves() {
    let documents: Vec<(String, String)> = ('a'..='z')
        .flat_map(|letter| {
            [("a", format!("customer_name{letter}")), ("b", "customer_name".into())]
                .map(|it| (letter, it))
        })
        .map(|(letter, (half, variable))| {
            let title = format!("3,\"title\":\"Front{UNSEEN} desk\",");
            let document = document_with(&[&variable]).replace("3,", &title);
            (format!("{half}-{letter}.json"), document)
        })
        .collect();
    let prompt = "Hi {{customer_name}}\n";
    let files = documents.iter().map(|(name, text)| (&**name, &**text));
    let files: Vec<(&str, &str)> =
        files.chain([("shared.hbs", prompt), ("voxlint.toml", SHARED)]).collect();
    let folder = folder("fixes/many", &files);
    let output = run(&folder, &["check", "--fix", "--unsafe-fixes"]);
    assert_eq!(text(&folder, "shared.hbs"), prompt);
    assert!(stderr(&output).starts_with("fixed 52 findings in 52 files"), "{}", stderr(&output));
    for (name, before) in &documents {
        assert_eq!(text(&folder, name), before.replace(UNSEEN, ""));
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

/// A program that reads the report cannot read an empty text.
#[test]
fn only_fixing_writes_the_report_in_json() {
    let faulty =
        "{ \"version_number\": 3, \"kb_max_chunks\": 12, \"prompt_text\": \"Be\u{200b} kind.\" }\n";
    let files = [("a.json", faulty)];
    for format in ["json", "ndjson"] {
        let only = run(&folder("fixes/only", &files), &["check", "--fix-only", "--format", format]);
        let report = run(&folder("fixes/only", &files), &["check", "--fix", "--format", format]);
        assert!(stdout(&only).contains("\"fixed\":1") || stdout(&only).contains("\"fixed\": 1"));
        assert!(stdout(&only).contains("out-of-range"), "{}", stdout(&only));
        assert_eq!(stdout(&only), stdout(&report));
        assert_eq!([only.status.code(), report.status.code()], [Some(0), Some(1)]);
    }
    // Standard output is that of the document.
    let options = ["check", "-", "--fix-only", "-q", "--format", "json"];
    let output = run_with_input(&options, faulty);
    assert_eq!(stdout(&output), faulty.replace(UNSEEN, ""));
    assert!(stderr(&output).starts_with('{'), "{}", stderr(&output));
    // Other formats report nothing.
    for format in ["concise", "sarif"] {
        let folder = folder("fixes/only", &files);
        let output = run(&folder, &["check", "--fix-only", "--format", format]);
        assert_eq!(stdout(&output), "", "{format}");
    }
}

#[test]
fn standard_input_is_written_to_standard_output() {
    let faulty =
        "{ \"version_number\": 3, \"kb_max_chunks\": 12, \"prompt_text\": \"Be\u{200b} kind.\" }";
    let output = run_with_input(&["check", "-", "--fix", "--format", "concise"], faulty);
    assert_eq!(stdout(&output), faulty.replace(UNSEEN, ""));
    assert!(
        stderr(&output).starts_with("<stdin>:1:41: error[out-of-range]"),
        "{}",
        stderr(&output)
    );
    assert!(stderr(&output).contains("fixed 1 finding in 1 file; 1 error left"));
    assert_eq!(output.status.code(), Some(1));

    let output = run_with_input(&["check", "-", "--fix-only", "-q"], faulty);
    assert_eq!((stdout(&output), stderr(&output)), (&*faulty.replace(UNSEEN, ""), ""));
    assert_eq!(output.status.code(), Some(0));

    let output = run_with_input(&["check", "-", "--diff", "-q"], faulty);
    assert!(stdout(&output).starts_with("--- a/<stdin>\n+++ b/<stdin>\n"), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(1));

    // What has nothing to fix is passed on, whatever it is.
    for text in ["{ \"version_number\": 3 }\r\n", "", "{ \"version_number\": ", "name: \u{200b}x\n"]
    {
        assert_eq!(stdout(&run_with_input(&["check", "-", "--fix"], text)), text, "{text:?}");
    }
    let lines = format!("{}\n\n{faulty}\r\n{faulty}", "{\"version_number\":3}");
    let named = ["check", "--stdin-filename", "a.ndjson", "--fix-only"];
    let output = run_with_input(&named, &lines);
    assert_eq!(stdout(&output), lines.replace(UNSEEN, ""));
    let yaml = "version_number: 3 # a\nprompt_text: Be\u{200b} kind.\n";
    let named = ["check", "--stdin-filename", "a.yaml", "--fix-only"];
    assert_eq!(stdout(&run_with_input(&named, yaml)), yaml.replace(UNSEEN, ""));
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

#[test]
fn a_prompt_in_its_own_file_is_fixed_there() {
    let document = "{ \"version_number\": 3 }\n";
    let prompt = "Be\u{200b} kind.\r\n";
    let folder = folder(
        "fixes/prompt",
        &[
            (".git/HEAD", ""),
            ("a.json", document),
            ("a.prompt.hbs", prompt),
            (
                "voxlint.toml",
                "[[documents]]\nfiles = '*.json'\ntext_files = { prompt_text = '{stem}.prompt.hbs' }\n",
            ),
        ],
    );
    let json = run(&folder, &["check", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let fix_of = &json["files"][0]["diagnostics"][0]["fixes"][0];
    assert_eq!((&fix_of["in"], &fix_of["path"]), (&"text".into(), &"a.prompt.hbs".into()));
    assert_eq!((&json["summary"]["fixable"], &json["summary"]["fixed"]), (&1.into(), &0.into()));
    let sarif = run(&folder, &["check", "--format", "sarif"]);
    let sarif: serde_json::Value = serde_json::from_slice(&sarif.stdout).unwrap();
    let change = &sarif["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0];
    assert_eq!(change["artifactLocation"]["uri"], "a.prompt.hbs");
    let rdjson = run(&folder, &["check", "--format", "rdjsonl"]);
    let rdjson: serde_json::Value = serde_json::from_slice(&rdjson.stdout).unwrap();
    assert_eq!(rdjson["location"]["path"], "a.prompt.hbs");
    assert_eq!(rdjson["suggestions"][0]["text"], "");

    let output = fix(&folder, &["--format", "json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["summary"]["fixable"], &json["summary"]["fixed"]), (&0.into(), &1.into()));
    assert_eq!(text(&folder, "a.json"), document);
    assert_eq!(text(&folder, "a.prompt.hbs"), prompt.replace(UNSEEN, ""));
}

const SHARED: &str =
    "[[documents]]\nfiles = '*.json'\ntext_files = { prompt_text = 'shared.hbs' }\n";

fn document_with(variables: &[&str]) -> String {
    let variables: Vec<String> = variables.iter().map(|name| format!("\"{name}\":\"x\"")).collect();
    format!("{{\"version_number\":3,\"default_dynamic_variables\":{{{}}}}}\n", variables.join(","))
}

#[test]
fn no_output_of_a_fix_shows_a_secret() {
    let secret = "sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c";
    let document = format!(
        "version_number: 3\nprompt_text: Be\u{200b} kind.\nwebhooks_secret: {secret}\ntitle: \"{secret} Front\u{200b} desk\"\n"
    );
    let folder = folder("fixes/secrets", &[("a.yaml", &document)]);
    for arguments in [
        &["check"][..],
        &["check", "--diff"],
        &["check", "--diff", "--unsafe-fixes", "--color", "always"],
        &["check", "--format", "json"],
        &["check", "--format", "sarif"],
        &["check", "--format", "rdjson"],
        &["check", "--format", "concise"],
        &["check", "--fix", "--unsafe-fixes"],
    ] {
        let output = run(&folder, arguments);
        for stream in [stdout(&output), stderr(&output)] {
            assert!(!stream.contains("4f9a8b7c6d5e"), "{arguments:?}: {stream}");
        }
        if arguments == ["check", "--diff"] {
            assert!(stdout(&output).contains(" webhooks_secret: ******"), "{}", stdout(&output));
            assert!(stderr(&output).contains("the diff masks secrets"), "{}", stderr(&output));
        }
    }
    assert!(text(&folder, "a.yaml").contains(secret));
}

#[cfg(unix)]
mod unix {
    use std::env;
    use std::fs::{File, Permissions};
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    use std::process::Command;
    use std::thread;

    use super::*;

    const FAULTY: &str = "version_number: 3\nprompt_text: Be\u{200b} kind.\n";

    #[test]
    fn a_file_with_several_paths_is_counted_once() {
        let folder = folder("fixes/paths", &[(".git/HEAD", ""), ("a.yaml", FAULTY)]);
        symlink("a.yaml", folder.join("link.yaml")).unwrap();
        let output = fix(&folder, &["a.yaml", "link.yaml", "./a.yaml"]);
        assert!(stderr(&output).starts_with("fixed 1 finding in 1 file"), "{}", stderr(&output));
        assert_eq!(text(&folder, "a.yaml"), fixed());
    }

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
    fn links_are_followed_only_inside_the_tree() {
        let outside = folder(
            "fixes/outside",
            &[
                ("a.yaml", FAULTY),
                ("lines.ndjson", "{\"version_number\":3,\"prompt_text\":\"a\u{200b}\"}\n"),
            ],
        );
        let folder = folder(
            "fixes/links",
            &[(".git/HEAD", ""), ("real/a.yaml", FAULTY), ("agents/b.yaml", "version_number: 3\n")],
        );
        symlink("../real/a.yaml", folder.join("agents/a.yaml")).unwrap();
        symlink(outside.join("a.yaml"), folder.join("agents/c.yaml")).unwrap();
        symlink(outside.join("lines.ndjson"), folder.join("agents/d.ndjson")).unwrap();
        let before = contents(&outside);
        // A link out of the project is skipped unless it is named.
        let output = fix(&folder, &["agents", "agents/c.yaml", "agents/d.ndjson"]);
        assert_eq!(text(&folder, "real/a.yaml"), fixed());
        assert!(fs::symlink_metadata(folder.join("agents/a.yaml")).unwrap().is_symlink());
        assert!(fs::symlink_metadata(folder.join("agents/c.yaml")).unwrap().is_symlink());
        assert_eq!(contents(&outside), before);
        for file in ["agents/c.yaml", "agents/d.ndjson"] {
            let said = format!("voxlint: {file}: not changed: the link leads to ");
            assert!(stderr(&output).contains(&said), "{}", stderr(&output));
        }
        assert!(
            stderr(&output).starts_with("fixed 1 finding in 1 file; 2 warnings left"),
            "{}",
            stderr(&output)
        );
        // The name of a folder does not stand for another folder that a link puts in its place.
        symlink(&outside, folder.join("linked")).unwrap();
        for named in ["linked", "linked/", "linked/a.yaml", "./linked/a.yaml"] {
            let output = fix(&folder, &[named]);
            assert_eq!(contents(&outside), before, "{named}");
            let said = "a.yaml: not changed: the link leads to ";
            assert!(stderr(&output).contains(said), "{named} {}", stderr(&output));
        }
        // Elsewhere, a link leads to files beside it, and no further.
        let unpacked = env::temp_dir().join(format!("voxlint-unpacked-{}", std::process::id()));
        fs::create_dir(&unpacked).unwrap();
        fs::write(unpacked.join("real.yaml"), FAULTY).unwrap();
        symlink("real.yaml", unpacked.join("beside.yaml")).unwrap();
        symlink(outside.join("a.yaml"), unpacked.join("away.yaml")).unwrap();
        let output = fix(&folder, &[unpacked.join("away.yaml").to_str().unwrap()]);
        assert_eq!(contents(&outside), before, "{}", stderr(&output));
        assert!(stderr(&output).contains("out of the project: to fix"), "{}", stderr(&output));
        symlink(&outside, unpacked.join("linked")).unwrap();
        for named in ["linked/a.yaml", "linked/../outside/a.yaml"] {
            let output = fix(&folder, &[unpacked.join(named).to_str().unwrap()]);
            assert_eq!(contents(&outside), before, "{named} {}", stderr(&output));
            assert!(stderr(&output).contains("out of the project: to fix"), "{}", stderr(&output));
        }
        fix(&folder, &[unpacked.join("beside.yaml").to_str().unwrap()]);
        assert_eq!(text(&unpacked, "real.yaml"), fixed());
        fs::remove_dir_all(&unpacked).unwrap();
        // By its own path, or in a folder that is named by its own path, the file outside is fixed.
        fix(&folder, &[outside.join("a.yaml").to_str().unwrap()]);
        assert_eq!(text(&outside, "a.yaml"), fixed());
        fs::write(outside.join("a.yaml"), FAULTY).unwrap();
        fix(&folder, &[outside.to_str().unwrap()]);
        assert_eq!(text(&outside, "a.yaml"), fixed());
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

    #[test]
    fn a_run_that_kept_a_file_does_not_say_that_it_can_be_fixed() {
        let outside = folder("fixes/kept-outside", &[("a.yaml", FAULTY)]);
        let folder = folder("fixes/kept", &[(".git/HEAD", "")]);
        symlink(outside.join("a.yaml"), folder.join("a.yaml")).unwrap();
        let output = fix(&folder, &["a.yaml"]);
        let said = "· 1 fix not applied: a link leads out of the project or into a folder of git";
        assert!(stderr(&output).contains(said), "{}", stderr(&output));
        // A long line is wrapped.
        let full = stdout(&output).split_whitespace().collect::<Vec<_>>().join(" ");
        let said = "(not applied: a link leads out of the project or into a folder of git)";
        assert!(full.contains(said), "{full}");
        assert!(!stdout(&fix(&folder, &["a.yaml", "--format", "concise"])).contains("(fixable)"));
        assert_eq!(not_applied(&json(&folder, &["a.yaml", "--fix"]), "a.yaml"), ["link-outside"]);
        // Without `--fix`, nothing is said about it.
        assert_eq!(not_applied(&json(&folder, &["a.yaml"]), "a.yaml"), ["null"]);
        let output = fix(&folder, &["a.yaml", "--fix-only"]);
        assert!(
            stderr(&output).starts_with("fixed nothing; 1 file could not be changed\n"),
            "{}",
            stderr(&output)
        );
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

    #[test]
    fn a_file_with_several_names_is_fixed_once() {
        let folder = folder("fixes/names", &[("a.yaml", FAULTY)]);
        symlink("a.yaml", folder.join("b.yaml")).unwrap();
        let output = fix(&folder, &[]);
        assert!(
            stderr(&output)
                .starts_with("fixed 1 finding in 1 file; nothing left to report in 1 document"),
            "{}",
            stderr(&output)
        );
        assert_eq!(text(&folder, "a.yaml"), fixed());
        assert_eq!(names(&folder), ["a.yaml", "b.yaml"]);
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
