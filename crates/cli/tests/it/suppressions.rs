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
fn an_entry_hides_the_findings_of_its_rules_at_its_values_in_its_files() {
    let agents =
        "{ \"version_number\": 3, \"agent_functions\": [{ \"name\": \"a\", \"type\": 7 }] }";
    for (lines, left) in [
        ("files = \"*\"\nrules = \"out-of-range\"", &["a/en.json:1:45"][..]),
        ("files = \"a/en.json\"\nrules = \"correctness\"", &[]),
        ("files = \"a/\"\nrules = [\"out-of-range\", \"unknown-field\"]", &[]),
        (
            "files = \"*.json\"\npointer = \"/kb_max_chunks\"\nrules = \"correctness\"",
            &["a/en.json:1:45"],
        ),
        ("files = \"*.json\"\npointer = \"/*\"\nrules = \"correctness\"", &[]),
        ("files = \"*.json\"\npointer = \"/kb_*\"\nrules = \"correctness\"", &["a/en.json:1:45"]),
        ("files = \"*.json\"\npointer = \"/**\"\nrules = \"unknown-field\"", &["a/en.json:1:41"]),
    ] {
        let folder = project("entries", &[("voxlint.toml", &entry(lines)), ("a/en.json", FAULTY)]);
        let found: Vec<String> = places(&folder, &[]);
        let found: Vec<&str> = found.iter().map(|line| line.rsplit_once(": ").unwrap().0).collect();
        assert_eq!(found, left, "{lines}");
    }
    let deep = "files = \"*\"\nrules = \"wrong-type\"\npointer = \"/agent_functions/*/type\"";
    let folder = project("deep", &[("voxlint.toml", &entry(deep)), ("en.json", agents)]);
    assert!(places(&folder, &[]).iter().all(|line| !line.contains("[wrong-type]")));
}

#[test]
fn an_entry_holds_until_the_end_of_its_last_day() {
    let lines = "files = \"*\"\nrules = \"correctness\"\nexpires = ";
    for day in ["\"2999-12-31\"", "2999-12-31"] {
        let text = entry(&format!("{lines}{day}"));
        let folder = project("future", &[("voxlint.toml", &text), ("en.json", FAULTY)]);
        assert_eq!(places(&folder, &[]), [""; 0], "{day}");
    }
    let text = entry(&format!("{lines}\"2020-01-31\""));
    let folder = project("past", &[("voxlint.toml", &text), ("en.json", FAULTY)]);
    let expired = "voxlint.toml:4:11: warning[expired-suppression]";
    let all = [format!("en.json:{ERROR}"), format!("en.json:{WARNING}"), expired.to_owned()];
    assert_eq!(places(&folder, &[]), all);
    assert_eq!(places(&folder, &["en.json"]), all);
    assert_eq!(places(&folder, &["--ignore", "expired-suppression"]), all[..2]);
    for day in ["\"2027-02-29\"", "\"soon\"", "\"31.01.2027\"", "7"] {
        let text = entry(&format!("{lines}{day}"));
        let folder = project("no-day", &[("voxlint.toml", &text), ("en.json", FAULTY)]);
        assert_eq!(run(&folder, &["check"]).status.code(), Some(2), "{day}");
    }
}

#[test]
fn an_entry_is_called_unused_only_by_those_who_have_seen_everything() {
    let unused = "voxlint.toml:3:9: warning[unused-suppression]".to_owned();
    let clean = "{ \"version_number\": 3 }";
    let by_folder = entry("files = \"a/*.json\"\nrules = \"out-of-range\"");
    let files = [("a/de.json", clean), ("a/en.json", clean), ("b/en.json", clean)];
    let folder = project("seen", &[&[("voxlint.toml", &*by_folder)][..], &files].concat());
    for all in [&[][..], &["."], &["a"]] {
        assert_eq!(places(&folder, all), [&*unused], "{all:?}");
    }
    assert_eq!(places(&folder.join("a"), &[]), ["../".to_owned() + &unused]);
    // As a hook does that is started for some of the changed files.
    for some in
        [&["a/de.json"][..], &["a/en.json", "b/en.json"], &["a/de.json", "a/en.json"], &["b"]]
    {
        assert_eq!(places(&folder, some), [""; 0], "{some:?}");
    }
    // What is not looked for cannot be found.
    for some in [["--select", "unknown-field"], ["--ignore", "out-of-range"]] {
        assert_eq!(places(&folder, &some), [""; 0], "{some:?}");
    }
    // With an unreadable configuration, not all files are checked.
    fs::write(folder.join("a/voxlint.toml"), "nonsense\n").unwrap();
    let output = run(&folder, &["check", "--format", "concise"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""));
    fs::remove_file(folder.join("a/voxlint.toml")).unwrap();

    let one = entry("files = \"a/en.json\"\nrules = \"out-of-range\"");
    fs::write(folder.join("voxlint.toml"), one).unwrap();
    assert_eq!(places(&folder, &["a/en.json"]), [unused]);
    assert_eq!(places(&folder, &["a/de.json"]), [""; 0]);
}

#[test]
fn an_entry_may_be_for_what_could_not_be_decided() {
    let text = entry("files = \"*\"\nrules = \"unknown-id\"");
    let folder = project(
        "undecided",
        &[
            ("voxlint.toml", &text),
            ("en.json", "{ \"version_number\": 3, \"voice_id\": \"vo_gone\" }"),
            ("facts/all.yaml", "voices: {}\n"),
        ],
    );
    assert_eq!(places(&folder, &[]), [""; 0]);
    assert_eq!(places(&folder, &["--facts", "facts/all.yaml"]), [""; 0]);
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

#[test]
fn of_two_entries_for_one_finding_both_are_of_use() {
    let text = entry("files = \"*\"\nrules = \"out-of-range\"").repeat(2);
    let folder = project("twice", &[("voxlint.toml", &text), ("en.json", FAULTY)]);
    assert_eq!(places(&folder, &[]), [format!("en.json:{WARNING}")]);
    let also = format!(
        "{text}{}",
        entry("files = \"*.json\"\npointer = \"/kb_*\"\nrules = \"correctness\"")
    );
    fs::write(folder.join("voxlint.toml"), also).unwrap();
    assert_eq!(places(&folder, &[]), [format!("en.json:{WARNING}")]);
}

#[test]
fn a_configuration_suppresses_nothing_in_files_of_a_nearer_one() {
    let folder = project(
        "shadowed",
        &[
            ("voxlint.toml", &entry("files = \"team/en.json\"\nrules = \"correctness\"")),
            ("team/voxlint.toml", ""),
            ("team/en.json", FAULTY),
        ],
    );
    assert_eq!(
        places(&folder.join("team"), &[]),
        [format!("en.json:{ERROR}"), format!("en.json:{WARNING}")]
    );
    let all = places(&folder, &[]);
    assert_eq!(all.len(), 3, "{all:?}");
    assert!(all[2].contains("voxlint.toml:3:9: warning[unused-suppression]"), "{all:?}");
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
fn a_comment_that_cannot_be_followed_hides_nothing_and_is_pointed_out() {
    for (comment, rule) in [
        ("out-of-rage: decided", "malformed-suppression"),
        ("out-of-range", "malformed-suppression"),
        ("out-of-range:", "malformed-suppression"),
        (": decided", "malformed-suppression"),
        ("out-of-range until soon: decided", "malformed-suppression"),
        ("out-of-range until 2020-01-01: decided", "expired-suppression"),
        ("unknown-field: decided", "unused-suppression"),
    ] {
        let expected = ["error[out-of-range]".to_owned(), format!("warning[{rule}]")];
        for (file, text) in [
            (
                "x.yaml",
                format!("version_number: 3\nkb_max_chunks: 12 # voxlint-ignore {comment}\n"),
            ),
            (
                "x.toml",
                format!("version_number = 3\nkb_max_chunks = 12 # voxlint-ignore {comment}\n"),
            ),
            (
                "x.jsonc",
                format!(
                    "{{ \"version_number\": 3,\n\"kb_max_chunks\": 12 }} // voxlint-ignore {comment}\n"
                ),
            ),
        ] {
            assert_eq!(left("malformed", file, &text), expected, "{file} {comment}");
        }
    }
}

#[test]
fn text_that_resembles_a_comment_hides_nothing() {
    for (file, text) in [
        (
            "x.yaml",
            "version_number: 3\nkb_max_chunks: 12\ntitle: '# voxlint-ignore-file out-of-range: x'\n",
        ),
        (
            "x.toml",
            "version_number = 3\nkb_max_chunks = 12\ntitle = '# voxlint-ignore-file out-of-range: x'\n",
        ),
        (
            "x.jsonc",
            "{ \"version_number\": 3, \"kb_max_chunks\": 12, \"title\": \"// voxlint-ignore-file out-of-range: x\" }",
        ),
        (
            "x.json",
            "{ \"version_number\": 3, \"kb_max_chunks\": 12, \"title\": \"// voxlint-ignore-file out-of-range: x\" }",
        ),
    ] {
        assert_eq!(left("look-alike", file, text), ["error[out-of-range]"], "{file}");
    }
}

#[test]
fn a_comment_in_a_text_beside_a_document_is_about_that_text() {
    let toml = "[[documents]]\nfiles = \"*.yaml\"\ntext_files = { prompt_text = \"{stem}.hbs\" }\n";
    let check = |document: &str, text: &str| {
        let files = [("voxlint.toml", toml), ("en.yaml", document), ("en.hbs", text)];
        places(&project("beside", &files), &[])
    };
    let document = "version_number: 3\nkb_max_chunks: 12\n";
    let comment = "{{! voxlint-ignore template-syntax-error: decided }}";
    let in_text = "en.hbs:2:7: error[template-syntax-error]";
    let in_document = "en.yaml:2:16: error[out-of-range]";
    assert_eq!(check(document, "Hi\n{{name}\n"), [in_document, in_text]);
    assert_eq!(check(document, &format!("Hi\n{comment}\n{{{{name}}\n")), [in_document]);
    let unused = check(document, &format!("Hi\n{comment}\n"));
    assert_eq!(unused, [in_document, "en.hbs:2:20: warning[unused-suppression]"]);
    // The document says nothing about the text, and the text nothing about the document.
    let of_document = format!("# voxlint-ignore-file out-of-range: decided\n{document}");
    assert_eq!(check(&of_document, "Hi\n{{name}\n"), [in_text]);
    let of_text = "{{! voxlint-ignore-file out-of-range: decided }}\nHi\n";
    assert!(check(document, of_text).contains(&in_document.to_owned()));
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

#[test]
fn a_base_that_several_extend_is_used_where_one_of_them_uses_it() {
    let base = entry("files = \"a/*.json\"\nrules = \"out-of-range\"");
    let document = "{ \"version_number\": 3, \"kb_max_chunks\": 12 }";
    let extends = "extends = \"../base.toml\"\n";
    let folder = project(
        "shared-base",
        &[
            ("base.toml", &base),
            ("a/voxlint.toml", extends),
            ("b/voxlint.toml", extends),
            ("a/en.json", document),
            ("b/en.json", document),
        ],
    );
    assert_eq!(places(&folder, &[]), ["b/en.json:1:41: error[out-of-range]"]);
}

#[test]
fn a_comment_in_a_text_that_several_share_may_be_for_one_of_them() {
    let configuration = "variables = []\n[[documents]]\nfiles = \"*.json\"\n\
                         text_files = { prompt_text = \"shared.hbs\" }\n";
    let folder = project(
        "shared-text",
        &[
            ("voxlint.toml", configuration),
            (
                "a.json",
                "{ \"version_number\": 3, \"default_dynamic_variables\": { \"name\": \"x\" } }",
            ),
            ("b.json", "{ \"version_number\": 3, \"title\": \"x\" }"),
            (
                "shared.hbs",
                "{{! voxlint-ignore unknown-template-variable: b has it }}\nHi {{name}}\n",
            ),
        ],
    );
    assert_eq!(places(&folder, &[]), [""; 0]);
}

#[test]
fn a_configuration_can_hide_what_is_said_of_comments() {
    let yaml = "version_number: 3\nkb_max_chunks: 5 # voxlint-ignore out-of-range: kept\n";
    let quiet = entry("files = \"*.yaml\"\nrules = \"unused-suppression\"");
    let folder = project("of-comments", &[("en.yaml", yaml), ("voxlint.toml", &quiet)]);
    assert_eq!(places(&folder, &[]), [""; 0]);
}

#[test]
fn comments_are_read_where_prompts_live() {
    let yaml = |comment: &str| {
        format!("version_number: 3\nprompt_text: | # {comment}\n  Hi {{{{name}}\n  there\n")
    };
    for (comment, found) in [
        ("voxlint-ignore template-syntax-error: kept", &[][..]),
        (
            "voxlint-ignore nope: kept",
            &["2:33: warning[malformed-suppression]", "3:12: error[template-syntax-error]"],
        ),
        (
            "voxlint-ignore template-syntax-error until: kept",
            &["2:18: warning[malformed-suppression]", "3:12: error[template-syntax-error]"],
        ),
        (
            "voxlint-ignored template-syntax-error: kept",
            &["2:18: warning[malformed-suppression]", "3:12: error[template-syntax-error]"],
        ),
    ] {
        let folder = project("header", &[("en.yaml", &yaml(comment))]);
        let expected: Vec<String> = found.iter().map(|it| format!("en.yaml:{it}")).collect();
        assert_eq!(places(&folder, &[]), expected, "{comment}");
    }
}
