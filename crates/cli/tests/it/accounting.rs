//! Every file, record and text that a run finds or receives is checked, skipped with a reason, or fails the run.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Output;

use crate::process::{folder, places, run, status, stderr, stdout, voxlint};
use voxlint_testing::without_undecided;

const GOOD: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 3 }\n";
const FAULTY: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 12 }\n";
const BROKEN_TEXT: &str = "Hello {{name\n";
const TEXTS: &str =
    "[[documents]]\nfiles = \"*\"\ntext_files = { prompt_text = \"{stem}.prompt.hbs\" }\n";

/// A repository of its own with these files.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let head = [(".git/HEAD", "ref: refs/heads/main\n")];
    folder(&format!("accounting/{name}"), &[&head, files].concat())
}

fn with_input(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut child = voxlint(folder, arguments)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // A program that does not read standard input closes the pipe.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

#[test]
fn a_text_that_no_document_takes_is_checked_by_itself() {
    let fault = ["a.prompt.hbs:1:7: error[template-syntax-error]"];
    let stream = format!("{GOOD}---\n{GOOD}");
    let lines = format!("{GOOD}{GOOD}");
    for (name, document, text) in [
        ("foreign", "a.json", "{ \"name\": \"shop\" }"),
        (
            "another-kind",
            "a.json",
            "{ \"statusCode\": 400, \"error\": \"Bad Request\", \"message\": \"no\" }",
        ),
        ("empty", "a.json", ""),
        ("scalar", "a.json", "3"),
        ("lines", "a.ndjson", &*lines),
        ("stream", "a.yaml", &*stream),
    ] {
        let text_file = ("a.prompt.hbs", BROKEN_TEXT);
        let configured = project(
            &format!("text-{name}"),
            &[("voxlint.toml", TEXTS), (document, text), text_file],
        );
        let argued = project(&format!("text-{name}-argued"), &[(document, text), text_file]);
        let convention = ["--text-files", "prompt_text={stem}.prompt.hbs"];
        assert_eq!(places(&configured, &[]), fault, "{name}");
        assert_eq!(places(&argued, &convention), fault, "{name}");
        // A named file that is not recognised is checked as an update, with its text file.
        for (folder, more) in [(&configured, &[][..]), (&argued, &convention)] {
            let found = places(folder, &[more, &[document]].concat());
            let told = found.iter().filter(|line| line.contains("template-syntax-error")).count();
            assert_eq!(told, 1, "{name}, named: {found:?}");
        }
        let hook = ["--only-documents", "--force-exclude"];
        for files in [&["a.prompt.hbs"][..], &[document, "a.prompt.hbs"], &[document]] {
            let found = places(&configured, &[&hook, files].concat());
            assert_eq!(found, fault, "{name}, hook {files:?}");
        }
    }
}

#[test]
fn a_text_beside_a_broken_document_is_checked() {
    let files = [
        ("voxlint.toml", TEXTS),
        ("a.json", "{ \"version_number\": 3,, "),
        ("a.prompt.hbs", BROKEN_TEXT),
    ];
    let folder = project("text-broken", &files);
    let found = places(&folder, &[]);
    assert!(found.iter().any(|line| line.contains("template-syntax-error")), "{found:?}");
    // A text that the document gives as well is not checked as a part of it.
    let twice = "{ \"version_number\": 3, \"prompt_text\": \"Hello\" }";
    let files = [("voxlint.toml", TEXTS), ("a.json", twice), ("a.prompt.hbs", BROKEN_TEXT)];
    let folder = project("text-twice", &files);
    let found = places(&folder, &["--ignore", "text-given-twice"]);
    assert_eq!(found, ["a.prompt.hbs:1:7: error[template-syntax-error]"]);
}

#[test]
fn an_excluded_document_does_not_hide_its_text() {
    let text = format!("exclude = [\"a.json\"]\n{TEXTS}");
    let files = [("voxlint.toml", &*text), ("a.json", GOOD), ("a.prompt.hbs", BROKEN_TEXT)];
    let folder = project("text-excluded", &files);
    let fault = ["a.prompt.hbs:1:7: error[template-syntax-error]"];
    assert_eq!(places(&folder, &[]), fault);
    assert_eq!(
        places(&folder, &["--only-documents", "--force-exclude", "a.json", "a.prompt.hbs"]),
        fault
    );
}

#[test]
fn a_text_with_the_name_of_another_kind_of_file_is_checked() {
    let text = "[[documents]]\nfiles = \"agents/\"\ntext_files = { prompt_text = \"../texts/{stem}.md\" }\n";
    let files = [("voxlint.toml", text), ("agents/a.json", "{}"), ("texts/a.md", BROKEN_TEXT)];
    let folder = project("text-elsewhere", &files);
    assert_eq!(places(&folder, &["agents"]), ["texts/a.md:1:7: error[template-syntax-error]"]);
}

#[test]
fn a_text_beside_several_documents_is_explained() {
    let stream = format!("{GOOD}---\n{GOOD}");
    let toml = "[[documents]]\nfiles = \"*.yaml\"\nstored = \"stored/{stem}.json\"\ntext_files = { prompt_text = \"{stem}.prompt.hbs\" }\n";
    let files = [
        ("voxlint.toml", toml),
        ("a.yaml", &*stream),
        ("a.prompt.hbs", "Hello {{name}}\n"),
        ("stored/a.json", "{ \"version_number\": 3, \"prompt_text\": \"Hi\" }"),
    ];
    let folder = project("several", &files);
    let output = run(&folder, &["check"]);
    let said = stderr(&output);
    for line in [
        "voxlint: a.yaml: contains several documents, so it cannot use text files: a.prompt.hbs is checked by itself\n",
        "voxlint: a.yaml: contains several documents, so it cannot use a stored configuration: stored/a.json is not used\n",
    ] {
        assert!(said.contains(line), "{said}");
    }
    assert!(said.contains("4 documents"), "{said}");
}

#[test]
fn the_notice_about_a_text_says_what_became_of_it() {
    let lines = GOOD.repeat(2);
    let notice = |folder: &Path, arguments: &[&str], became: &str| {
        let output = run(folder, &[&["check", "--show-files"], arguments].concat());
        let said = format!(
            "voxlint: a.ndjson: contains several documents, so it cannot use text files: {became}\n"
        );
        assert_eq!(
            stderr(&output).matches("so it cannot use text files").count(),
            1,
            "{}",
            stderr(&output)
        );
        assert!(stderr(&output).contains(&said), "{arguments:?}: {}", stderr(&output));
    };
    // It is checked even if `exclude` matches it.
    let toml = "exclude = [\"*.hbs\"]\n[[documents]]\nfiles = [\"*.ndjson\"]\ntext_files = { prompt_text = \"{stem}.hbs\" }\n";
    let files = [("voxlint.toml", toml), ("a.ndjson", &*lines), ("a.hbs", BROKEN_TEXT)];
    let folder = project("notice-excluded", &files);
    for arguments in [&[][..], &["a.ndjson"], &["--force-exclude", "a.ndjson", "a.hbs"]] {
        notice(&folder, arguments, "a.hbs is checked by itself");
        let fault = ["a.hbs:1:7: error[template-syntax-error]"];
        assert_eq!(places(&folder, arguments), fault, "{arguments:?}");
    }
    // A text that another document takes is a part of that one.
    let shared = "[[documents]]\nfiles = [\"*.ndjson\", \"*.json\"]\ntext_files = { prompt_text = \"prompt.hbs\" }\n";
    let files = [
        ("voxlint.toml", shared),
        ("a.ndjson", &*lines),
        ("b.json", GOOD),
        ("prompt.hbs", "Hello {{name}}\n"),
    ];
    let folder = project("notice-shared", &files);
    notice(&folder, &[], "prompt.hbs is checked with another document");
    notice(&folder, &["a.ndjson"], "prompt.hbs is checked by itself");
}

#[test]
fn standard_input_has_text_files() {
    let files = [("voxlint.toml", TEXTS), ("agents/a.prompt.hbs", BROKEN_TEXT)];
    let configured = project("stdin-configured", &files);
    let argued = project("stdin-argued", &files[1..]);
    let named = ["-", "--stdin-filename", "agents/a.json"];
    let convention = ["--text-files", "prompt_text={stem}.prompt.hbs"];
    for (folder, more) in [(&configured, &[][..]), (&argued, &convention)] {
        let check = with_input(folder, &[&["check"], &named[..], more].concat(), GOOD);
        assert!(stdout(&check).contains("template-syntax-error"), "{}", stdout(&check));
        let predict = with_input(folder, &[&["predict"], &named[..], more].concat(), GOOD);
        assert_eq!(predict.status.code(), Some(1), "{}", stdout(&predict));
        assert!(stdout(&predict).contains("template-syntax-error"), "{}", stdout(&predict));
    }
    // The configuration may name a text whatever the document is called.
    let toml = "[[documents]]\nfiles = \"**\"\ntext_files = { prompt_text = \"prompt.hbs\" }\n";
    let everywhere =
        project("stdin-everywhere", &[("voxlint.toml", toml), ("prompt.hbs", BROKEN_TEXT)]);
    for command in ["check", "predict"] {
        let output = with_input(&everywhere, &[command, "-"], GOOD);
        assert!(stdout(&output).contains("template-syntax-error"), "{}", stdout(&output));
    }
    for command in ["check", "predict"] {
        let output = with_input(&argued, &[&[command, "-"], &convention[..]].concat(), GOOD);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains("--stdin-filename"), "{}", stderr(&output));
    }
}

#[test]
fn a_name_for_standard_input_reads_it() {
    let folder = project("stdin-name", &[("en.json", GOOD)]);
    let output = with_input(
        &folder,
        &["check", "--stdin-filename", "x.json", "--format", "concise"],
        FAULTY,
    );
    assert!(stdout(&output).starts_with("x.json:1:41: error[out-of-range]"), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn documents_next_to_an_update_are_updates() {
    let strange = "{ \"kb_max_chunk\": \"many\" }";
    let lines = format!("{strange}\n{{\"a\": 1}}\n7\n{FAULTY}{{ \"promp\n");
    let stream = format!("{strange}\n---\n{{\"a\": 1}}\n---\n7\n---\n{FAULTY}");
    for (name, text, count) in [("a.ndjson", lines, 5), ("a.yaml", stream, 4)] {
        let folder = project(&format!("beside-{name}"), &[(name, &text)]);
        let json = |arguments: &[&str]| -> serde_json::Value {
            let output = run(&folder, &[&["check", "--format", "json"], arguments].concat());
            serde_json::from_slice(&output.stdout).unwrap()
        };
        let walked = json(&[]);
        assert_eq!(walked["summary"]["documents"], count, "{name}");
        assert_eq!(walked, json(&[name]), "{name}: named");
        assert_eq!(walked, json(&["--only-documents", name]), "{name}: hook");
    }
}

#[test]
fn records_of_others_are_counted() {
    // An answer of the service among other lines of a log makes no updates of them.
    let log = "{\"level\":\"info\"}\n{\"statusCode\":400,\"error\":\"Bad Request\",\"message\":\"no\"}\n{\"level\":\"info\"}\n";
    let folder = project("log", &[("log.ndjson", log), ("en.json", GOOD)]);
    let output = run(&folder, &["check", "--format", "json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["summary"]["documents"], 2);
    assert_eq!(
        report["skipped"][0]["why"],
        "2 documents in it are not agent documents (the first is document 1)"
    );
    assert!(stderr(&output).contains(" · 2 other documents skipped"), "{}", stderr(&output));
}

#[test]
fn the_list_of_files_names_a_record_that_is_not_ours() {
    let log = "{\"statusCode\":400,\"error\":\"Bad Request\",\"message\":\"no\"}\n{\"foo\":1}\n";
    let folder = project("answer-and-other", &[("log.ndjson", log)]);
    let output = run(&folder, &["check", "--show-files"]);
    let line = "checked log.ndjson: 1 document (error); document 2 in it is not an agent document";
    assert!(stderr(&output).lines().any(|it| it == line), "{}", stderr(&output));
    assert!(stderr(&output).contains(" · 1 other document skipped"), "{}", stderr(&output));
}

#[test]
fn a_run_that_checks_nothing_fails() {
    let empty = project("nothing", &[("package.json", "{ \"name\": \"shop\" }")]);
    for arguments in
        [&["check"][..], &["check", "--strict"], &["check", "--exit-zero"], &["check", "."]]
    {
        let output = run(&empty, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = stderr(&output);
        assert!(said.starts_with("no agent documents found · 1 file skipped\n"), "{said}");
        for hint in [
            "\"version_number\"",
            "voxlint check FILE",
            "voxlint init",
            "--allow-empty",
            "--show-files",
        ] {
            assert!(said.contains(hint), "{said}");
        }
    }
    let quiet = run(&empty, &["check", "-q"]);
    assert_eq!(quiet.status.code(), Some(2));
    assert_eq!(stderr(&quiet), "voxlint: no agent documents found, so nothing was checked\n");
    // Reports for build servers also fail.
    for (format, failure) in [
        ("json", "\"message\": \"no agent documents found, so nothing was checked\""),
        ("sarif", "\"executionSuccessful\":false"),
        ("junit", "errors=\"1\""),
    ] {
        let report = run(&empty, &["check", "--format", format]);
        assert!(stdout(&report).contains(failure), "{}", stdout(&report));
        let report = run(&empty, &["check", "--allow-empty", "--format", format]);
        assert!(!stdout(&report).contains(failure), "{}", stdout(&report));
    }
    for allowed in ["--allow-empty", "--only-documents"] {
        let output = run(&empty, &["check", allowed]);
        assert_eq!(output.status.code(), Some(0), "{allowed}");
        assert_eq!(stderr(&output), "no agent documents found · 1 file skipped\n");
    }
}

#[test]
fn a_named_folder_without_documents_is_reported() {
    let folder = project("one-of-two", &[("agents/a.json", GOOD), ("none/x.txt", "")]);
    let output = run(&folder, &["check", "agents", "none"]);
    assert!(stderr(&output).starts_with("voxlint: none: no agent documents found\n1 document, "));
    assert_eq!(output.status.code(), Some(0));
    let output = run(&folder, &["check", "agents"]);
    assert!(stderr(&output).starts_with("1 document, nothing to report"));
}

#[test]
fn the_summary_counts_what_failed() {
    let folder = project("one-missing", &[("a.json", GOOD)]);
    let output = run(&folder, &["check", "a.json", "nope.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("\n1 document checked · "), "{}", stderr(&output));
    assert!(stderr(&output).ends_with(" · 1 file failed\n"), "{}", stderr(&output));

    let folder = project("misconfigured", &[("a.json", GOOD), ("voxlint.toml", "x = 1\n")]);
    let output = run(&folder, &["check", "--show-files"]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains("failed  a.json: its configuration cannot be used\n"), "{said}");
    assert!(said.ends_with("nothing was checked · 2 files failed\n"), "{said}");
}

#[test]
fn a_named_file_without_documents_fails() {
    for name in ["a.ndjson", "a.jsonl", "a.json", "a.yaml", "a.toml"] {
        let folder = project(&format!("empty-{name}"), &[(name, "\n \n"), ("en.json", GOOD)]);
        assert_ne!(status(&folder, &["check", name]), 0, "{name}");
        assert_ne!(status(&folder, &["check", name, "en.json"]), 0, "{name}");
        assert_eq!(status(&folder, &["check", "--only-documents", name]), 0, "{name}");
        assert_eq!(status(&folder, &["check"]), 0, "{name}");
    }
    let folder = project("empty-lines", &[("a.ndjson", "")]);
    let output = run(&folder, &["check", "a.ndjson"]);
    assert!(stderr(&output).starts_with("voxlint: a.ndjson: the file contains no documents\n"));
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(status(&folder, &["check", "a.ndjson", "--allow-empty"]), 0);
}

#[test]
fn the_summary_is_always_printed() {
    let folder = project("summary", &[("en.json", GOOD)]);
    let output = run(&folder, &["check"]);
    let summary = "1 document, nothing to report\n";
    assert_eq!((stdout(&output), &*without_undecided(stderr(&output))), ("", summary));
    assert_eq!(stderr(&run(&folder, &["check", "-q"])), "");
}

#[test]
fn a_broken_document_is_never_green() {
    let broken = "{ \"version_number\": 3,, \"kb_max_chunks\": 3 }";
    let folder = project("broken", &[("en.json", broken)]);
    assert_eq!(
        places(&folder, &["--select", "unknown-field"]),
        ["en.json:1:23: error[syntax-error]"]
    );
    let found = ["en.json:1:23: error[syntax-error]"];
    for off in [
        &["--ignore", "syntax-error"][..],
        &["--ignore", "correctness"],
        &["--level", "syntax-error=off"],
        &["--level", "recommended=info"],
    ] {
        assert_eq!(places(&folder, off), found, "{off:?}");
    }
    run(&folder, &["baseline", "write"]);
    assert_eq!(status(&folder, &["check"]), 1);
    let all = "files = \"*\"\nreason = \"decided\"\n";
    for settings in [
        "[rules]\nrecommended = \"off\"\n".to_owned(),
        "[[overrides]]\nfiles = \"*\"\nrules = { correctness = \"info\" }\n".to_owned(),
        format!("[[suppressions]]\n{all}rules = \"recommended\"\n"),
        format!("[[suppressions]]\n{all}rules = \"correctness\"\npointer = \"/**\"\n"),
    ] {
        std::fs::write(folder.join("voxlint.toml"), settings).unwrap();
        assert_eq!(places(&folder, &[]), found);
    }
    // What names the rule has no effect, so it is a fault.
    for settings in [
        "[rules]\nsyntax-error = \"off\"\n".to_owned(),
        "[rules]\nsyntax-error = { level = \"warning\" }\n".to_owned(),
        format!("[[suppressions]]\n{all}rules = [\"out-of-range\", \"syntax-error\"]\n"),
    ] {
        std::fs::write(folder.join("voxlint.toml"), settings).unwrap();
        let output = run(&folder, &["check"]);
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.contains(": a document that cannot be read is not checked"), "{said}");
    }
    std::fs::write(folder.join("voxlint.toml"), "[rules]\nsyntax-error = \"error\"\n").unwrap();
    assert_eq!(places(&folder, &[]), found);
}

#[test]
fn no_comment_hides_a_syntax_error() {
    for (name, text) in [
        ("a.yaml", "# COMMENT\nversion_number: 3\nkb_max_chunks: [12\n"),
        ("a.jsonc", "// COMMENT\n{ \"version_number\": 3,, \"kb_max_chunks\": 12 }\n"),
        ("a.toml", "# COMMENT\nversion_number = 3\nkb_max_chunks = [12\n"),
    ] {
        let folder = project("syntax-comments", &[]);
        for rule in ["syntax-error", "recommended", "correctness"] {
            for settings in ["", "group_comments = true\n"] {
                std::fs::write(folder.join("voxlint.toml"), settings).unwrap();
                let comment = format!("voxlint-ignore-file {rule}: decided");
                std::fs::write(folder.join(name), text.replace("COMMENT", &comment)).unwrap();
                let found = places(&folder, &[]);
                let is_error = |place: &String| place.ends_with("error[syntax-error]");
                assert!(found.iter().any(is_error), "{name} {comment}: {found:?}");
            }
        }
    }
}

#[test]
fn a_comment_names_rules_and_not_groups() {
    let text = "# voxlint-ignore-file GROUP: decided\nversion_number: 3\nkb_max_chunks: 12\n";
    for group in ["recommended", "correctness"] {
        let folder = project("group", &[("a.yaml", &text.replace("GROUP", group))]);
        let output = run(&folder, &["check", "--format", "concise"]);
        let said = format!(
            "a.yaml:1:23: warning[malformed-suppression] `{group}` is a group, so the comment suppresses nothing\n"
        );
        assert!(stdout(&output).contains(&said), "{}", stdout(&output));
        assert!(stdout(&output).contains("a.yaml:3:16: error[out-of-range]"));
        std::fs::write(folder.join("voxlint.toml"), "group_comments = true\n").unwrap();
        assert_eq!(places(&folder, &[]), [""; 0]);
        // A nearer file decides.
        std::fs::write(folder.join("base.toml"), "group_comments = true\n").unwrap();
        let nearer = "extends = \"base.toml\"\ngroup_comments = false\n";
        std::fs::write(folder.join("voxlint.toml"), nearer).unwrap();
        assert_eq!(places(&folder, &["a.yaml"]).len(), 2);
    }
}

#[test]
fn a_document_that_is_skipped_by_its_name_is_counted() {
    let json5 = "{\n  // one\n  version_number: 3,\n  kb_max_chunks: 12,\n}\n";
    let trailing = "{ \"version_number\": 3, \"kb_max_chunks\": 12, }\n";
    let yaml = "version_number: 3\nkb_max_chunks: 12\n";
    let possible = [
        (".agents/x.json", FAULTY),
        (".agents/deep/y.yaml", yaml),
        ("agents/.a.json", FAULTY),
        ("agents/.all.ndjson", FAULTY),
        ("agents/a.json5", json5),
        ("agents/b.json.bak", trailing),
        ("agents/c.yaml~", yaml),
        ("agents/front-desk", FAULTY),
    ];
    // These are nothing that anybody would call a document.
    let others = [
        ("agents/en.json", GOOD),
        (".github/workflows/ci.yml", "name: checks\non: push\n"),
        (".settings.json", "{ \"editor\": 1 }\n"),
        ("LICENSE", "version_number and title are names.\n"),
        ("notes.md", "{ \"version_number\": 3 }\n"),
        (".gitignore", "local/\n.cache/\n"),
        ("local/a.json5", json5),
        (".cache/a.json", FAULTY),
        (".git/a.json", FAULTY),
    ];
    let folder = project("by-name", &[&possible[..], &others[..]].concat());
    let output = run(&folder, &["check"]);
    let summary =
        "1 document, nothing to report · 8 possible documents not checked (see --show-files)\n";
    assert_eq!(stderr(&output), summary);
    let listed = run(&folder, &["check", "--show-files", "-q"]);
    for (name, _) in possible {
        let hidden = name.contains("/.") || name.starts_with('.');
        let why = if hidden { "hidden" } else { "unknown extension" };
        let line = format!("skipped {name}: {why}, but it looks like an agent document\n");
        assert!(stderr(&listed).contains(&line), "{name}: {}", stderr(&listed));
    }
    // A hook may name such a file, and a configuration may use it.
    let output = run(&folder, &["check", "--only-documents", "agents/a.json5", "notes.md"]);
    assert!(stderr(&output).contains("1 possible document not checked"), "{}", stderr(&output));
    let toml = "[[documents]]\nfiles = \"agents/*.json\"\nstored = \"../.agents/x.json\"\n";
    std::fs::write(folder.join("voxlint.toml"), toml).unwrap();
    let listed = run(&folder, &["check", "--show-files", "-q"]);
    let line = "used    .agents/x.json: stored configuration of a document\n";
    assert!(stderr(&listed).contains(line), "{}", stderr(&listed));
}

#[cfg(unix)]
#[test]
fn a_hidden_folder_that_cannot_be_read_does_not_fail_the_run() {
    use std::os::unix::fs::PermissionsExt as _;
    let deep = format!(".cache/{}a.json", "d/".repeat(140));
    let folder = project("hidden-folders", &[("en.json", GOOD), (&deep, GOOD), (".x/a", "")]);
    let locked = folder.join(".x");
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o000)).unwrap();
    assert_eq!(status(&folder, &["check"]), 0);
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_pointer_of_git_lfs_fails_the_run_whatever_it_stands_for() {
    const POINTER: &str =
        "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n";
    let said = "a pointer of Git LFS and not the file itself: run `git lfs pull`";
    for name in ["p.json", "p.jsonc", "p.yaml", "p.toml", "p.ndjson", "p.hbs"] {
        let folder = project("pointers", &[("en.json", GOOD), (name, POINTER)]);
        for arguments in [&["check"][..], &["check", name], &["check", "--only-documents", name]] {
            let output = run(&folder, arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
            let said = format!("voxlint: {name}: {said}\n");
            assert!(stderr(&output).contains(&said), "{arguments:?}: {}", stderr(&output));
        }
    }
    let toml = "[[documents]]\nfiles = \"a.json\"\ntext_files = { prompt_text = \"p.md\" }\n\
                [[documents]]\nfiles = \"b.json\"\nstored = \"p.md\"\n\
                [[documents]]\nfiles = \"c.json\"\nfacts = \"p.md\"\n";
    let documents = ["a.json", "b.json", "c.json"];
    let files = documents.map(|name| (name, GOOD));
    let related = [("voxlint.toml", toml), ("p.md", POINTER)];
    let folder = project("pointers-beside", &[&files[..], &related[..]].concat());
    for name in documents {
        let output = run(&folder, &["check", name]);
        assert_eq!(output.status.code(), Some(2), "{name}: {}", stderr(&output));
        assert!(stderr(&output).contains(said), "{name}: {}", stderr(&output));
    }
    let output = with_input(&folder, &["check", "-"], POINTER);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains(said), "{}", stderr(&output));
    std::fs::write(folder.join("voxlint.toml"), POINTER).unwrap();
    assert_eq!(status(&folder, &["check"]), 2);
}

#[test]
fn a_committed_folder_jj_does_not_cut_the_settings_off() {
    let files = [
        ("voxlint.toml", "[rules]\nout-of-range = \"info\"\n"),
        (".gitignore", "local.json\n"),
        ("agents/.jj/repo", ""),
        ("agents/a.json", FAULTY),
        ("agents/local.json", FAULTY),
    ];
    let folder = project("cut-off", &files);
    let found = ["a.json:1:41: info[out-of-range]"];
    assert_eq!(places(&folder.join("agents"), &[]), found);
}

#[test]
fn every_file_is_listed_with_what_became_of_it() {
    let toml = format!("exclude = [\"*.draft.json\", \"old/\"]\nfacts = \"facts.yaml\"\n{TEXTS}");
    let files = [
        ("voxlint.toml", &*toml),
        ("en.json", GOOD),
        ("en.prompt.hbs", "Hello\n"),
        ("facts.yaml", "transcribers:\n  a: {}\n"),
        ("en.draft.json", GOOD),
        ("package.json", "{ \"name\": \"shop\" }"),
        ("two.ndjson", &*format!("{GOOD}{GOOD}")),
        ("void.json", ""),
        (".gitignore", "node_modules/\nlocal.json\n"),
        (".drafts/a.json", GOOD),
        ("local.json", GOOD),
        ("node_modules/a.json", GOOD),
        ("old/deep/a.json", GOOD),
    ];
    let folder = project("show-files", &files);
    let output = run(&folder, &["check", "--show-files", "-q"]);
    assert_eq!(
        stderr(&output),
        "skipped .drafts/: hidden\n\
         skipped .drafts/a.json: hidden, but it looks like an agent document\n\
         skipped .gitignore: hidden\n\
         skipped en.draft.json: excluded by `*.draft.json`\n\
         checked en.json: 1 document (update)\n\
         used    en.prompt.hbs: text of a document\n\
         used    facts.yaml: workspace facts\n\
         skipped local.json: listed in .gitignore\n\
         skipped node_modules/: listed in .gitignore\n\
         skipped old/: excluded by `old/`\n\
         skipped package.json: no field of an agent document at the top level\n\
         checked two.ndjson: 2 documents (update)\n\
         skipped void.json: the file is empty\n\
         skipped voxlint.toml: unknown extension\n"
    );
}

#[test]
fn ignore_files_count_from_the_root_of_the_repository() {
    let above = folder(
        "accounting/above",
        &[
            (".gitignore", "*.json\n"),
            ("repo/.git/HEAD", "ref: refs/heads/main\n"),
            ("repo/.ignore", "*.json\n"),
            ("repo/.gitignore", "build/\n"),
            ("repo/agents/a.json", FAULTY),
            ("repo/build/a.json", FAULTY),
            ("repo/agents/.gitignore", "b.json\n"),
            ("repo/agents/b.json", FAULTY),
        ],
    );
    let fault = ["agents/a.json:1:41: error[out-of-range]"];
    let repository = above.join("repo");
    assert_eq!(places(&repository, &[]), fault);
    assert_eq!(places(&repository, &["agents"]), fault);
    // From inside and from above it is the same.
    assert_eq!(places(&repository.join("agents"), &[]), ["a.json:1:41: error[out-of-range]"]);
    assert_eq!(places(&above, &["repo"]), ["repo/agents/a.json:1:41: error[out-of-range]"]);
}

#[test]
fn a_rule_that_was_removed_is_a_notice() {
    let toml = "[rules]\nasks-for-credential = \"error\"\n";
    let folder = project("removed", &[("voxlint.toml", toml), ("agents/en.json", GOOD)]);
    let output = run(&folder, &["check"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let told = "voxlint: voxlint.toml:2: the rule `asks-for-credential` was removed: delete its name here\n";
    assert!(stderr(&output).contains(told), "{}", stderr(&output));
}

#[test]
fn patterns_that_match_nothing_are_reported() {
    let toml = "include = [\"agents/\", \"agnts/\"]\n[[documents]]\nfiles = [\"agents/\", \"*.jso\"]\n\
                stored = \"stored/{stem}.json\"\ntext_files = { prompt_text = \"{stem}.hbs\" }\n\
                [[overrides]]\nfiles = \"drafts/\"\nrules = { correctness = \"info\" }\n";
    let folder = project("unmatched", &[("voxlint.toml", toml), ("agents/en.json", GOOD)]);
    let told = [
        "voxlint: voxlint.toml:1: `include` matches no file: `agnts/`",
        "voxlint: voxlint.toml:3: `documents.files` matches no file: `*.jso`",
        "voxlint: voxlint.toml:4: `documents.stored` matches no file: `stored/{stem}.json`, from the folder of each document",
        "voxlint: voxlint.toml:5: `documents.text_files.prompt_text` matches no file: `{stem}.hbs`, from the folder of each document",
        "voxlint: voxlint.toml:7: `overrides.files` matches no file: `drafts/`",
    ];
    let notices = |arguments: &[&str]| -> Vec<String> {
        let output = run(&folder, &[&["check"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        let lines = stderr(&output).lines().filter(|line| line.starts_with("voxlint: "));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(notices(&[]), told);
    // Unchecked files could match.
    assert_eq!(notices(&["agents"]), [""; 0]);
    assert_eq!(notices(&["agents/en.json"]), [""; 0]);
    assert_eq!(notices(&["--only-documents", "agents/en.json"]), [""; 0]);
    assert_eq!(notices(&["-q"]), [""; 0]);

    let convention = ["--isolated", "--text-files", "prompt_text={stem}.hbs"];
    let told = "voxlint: `--text-files prompt_text={stem}.hbs` matches no file";
    assert_eq!(notices(&convention), [told]);
    assert_eq!(notices(&[&convention[..], &["agents/en.json"]].concat()), [told]);
    assert_eq!(
        notices(&[&convention[..], &["--only-documents", "agents/en.json"]].concat()),
        [""; 0]
    );
    for (path, text) in [
        ("agnts/de.json", GOOD),
        ("agents/x.jso", GOOD),
        ("agents/stored/en.json", GOOD),
        ("agents/en.hbs", "Hello\n"),
        ("drafts/en.json", GOOD),
    ] {
        std::fs::create_dir_all(folder.join(path).parent().unwrap()).unwrap();
        std::fs::write(folder.join(path), text).unwrap();
    }
    // A file with another extension is not part of a run.
    assert_eq!(
        notices(&[]),
        ["voxlint: voxlint.toml:3: `documents.files` matches no file: `*.jso`"]
    );
}

#[cfg(unix)]
mod unix {
    use std::ffi::OsStr;
    use std::fs::{self, Permissions};
    use std::os::unix::ffi::OsStrExt as _;
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    use std::process::Command;

    use super::*;

    const RELATED: &str = "[[documents]]\nfiles = \"*.json\"\nstored = \"stored/{stem}.state\"\ntext_files = { prompt_text = \"texts/{stem}.hbs\" }\n";

    /// The expected failures of the run.
    fn failure(folder: &Path, arguments: &[&str]) -> String {
        let output = run(folder, &[&["check", "-q"], arguments].concat());
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        stderr(&output).to_owned()
    }

    fn pipe(path: &Path) {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    #[test]
    fn related_files_that_cannot_be_reached_fail_the_run() {
        for (part, name) in [("stored", "a.state"), ("texts", "a.hbs")] {
            let path = format!("{part}/{name}");
            let folder = |case: &str| {
                project(
                    &format!("reach-{part}-{case}"),
                    &[("voxlint.toml", RELATED), ("a.json", GOOD)],
                )
            };
            let absent = folder("absent");
            assert_eq!(status(&absent, &["check"]), 0);

            let dangling = folder("dangling");
            fs::create_dir(dangling.join(part)).unwrap();
            symlink("nowhere", dangling.join(&path)).unwrap();
            assert_eq!(failure(&dangling, &[]), format!("voxlint: {path}: broken symbolic link\n"));

            let above = folder("dangling-folder");
            symlink("nowhere", above.join(part)).unwrap();
            assert_eq!(
                failure(&above, &["a.json"]),
                format!("voxlint: {path}: broken symbolic link\n")
            );

            let looping = folder("looping");
            fs::create_dir(looping.join(part)).unwrap();
            symlink(name, looping.join(&path)).unwrap();
            assert!(failure(&looping, &["a.json"]).starts_with(&format!("voxlint: {path}: ")));

            let piped = folder("pipe");
            fs::create_dir(piped.join(part)).unwrap();
            pipe(&piped.join(&path));
            assert!(failure(&piped, &["a.json"]).contains("not a regular file"));

            let directory = folder("directory");
            fs::create_dir_all(directory.join(&path)).unwrap();
            assert_eq!(
                failure(&directory, &["a.json"]),
                format!("voxlint: {path}: this is a directory\n")
            );

            let closed = folder("closed");
            fs::create_dir(closed.join(part)).unwrap();
            fs::write(closed.join(&path), "{}").unwrap();
            fs::set_permissions(closed.join(part), Permissions::from_mode(0o0)).unwrap();
            // The superuser may enter everything.
            if fs::read_dir(closed.join(part)).is_err() {
                assert_eq!(
                    failure(&closed, &["a.json"]),
                    format!("voxlint: {path}: permission denied\n")
                );
            }
            fs::set_permissions(closed.join(part), Permissions::from_mode(0o755)).unwrap();
        }
    }

    #[test]
    fn names_that_are_not_utf8_are_not_lost() {
        let odd =
            |end: &str| PathBuf::from(OsStr::from_bytes(&[b"a\xff", end.as_bytes()].concat()));
        let folder = project("odd-names", &[("voxlint.toml", RELATED)]);
        fs::write(folder.join(odd(".json")), GOOD).unwrap();
        assert!(failure(&folder, &[]).contains("is not UTF-8"));
        let predict = Command::new(env!("CARGO_BIN_EXE_voxlint"))
            .current_dir(&folder)
            .arg("predict")
            .arg(odd(".json"))
            .output()
            .unwrap();
        assert_eq!(predict.status.code(), Some(2));
        // A configuration in such a folder would be missed.
        let folder = project("odd-folders", &[]);
        fs::create_dir(folder.join(odd(""))).unwrap();
        for name in ["en.json", "en.ndjson", "en.yaml", "en.prompt.hbs"] {
            let path = folder.join(odd("")).join(name);
            fs::write(&path, GOOD).unwrap();
            assert!(failure(&folder, &[]).contains("is not UTF-8"), "{name}");
            assert_eq!(status(&folder, &["check", "--isolated"]), 0, "{name}");
            fs::remove_file(path).unwrap();
        }
        // The same convention works on the command line.
        let folder = project("odd-names-argued", &[]);
        fs::write(folder.join(odd(".json")), GOOD).unwrap();
        fs::write(folder.join(odd(".prompt.hbs")), BROKEN_TEXT).unwrap();
        let found = places(&folder, &["--text-files", "prompt_text={stem}.prompt.hbs"]);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(".prompt.hbs:1:7: error[template-syntax-error]"), "{found:?}");
    }

    #[test]
    fn a_configuration_that_cannot_be_read_fails_the_run() {
        for case in ["dangling", "pipe", "directory"] {
            let folder = project(&format!("configuration-{case}"), &[("agents/a.json", GOOD)]);
            let file = folder.join("voxlint.toml");
            match case {
                "dangling" => symlink("nowhere.toml", &file).unwrap(),
                "pipe" => pipe(&file),
                _ => fs::create_dir(&file).unwrap(),
            }
            assert!(failure(&folder, &["agents"]).contains("voxlint.toml: "), "{case}");
        }
    }

    #[test]
    fn links_are_followed_listed_or_fail_the_run() {
        let folder = project("links", &[("agents/a.json", GOOD)]);
        symlink("agents", folder.join("linked")).unwrap();
        symlink("agents/a.json", folder.join("b.json")).unwrap();
        symlink("nowhere.md", folder.join("notes.md")).unwrap();
        let output = run(&folder, &["check", "-q", "--show-files"]);
        assert_eq!(
            stderr(&output),
            "checked agents/a.json: 1 document (update)\n\
             checked b.json: 1 document (update)\n\
             skipped linked: a link to a folder, which is not followed\n\
             skipped notes.md: unknown extension\n"
        );
        assert_eq!(output.status.code(), Some(0));
        symlink("nowhere.json", folder.join("c.json")).unwrap();
        assert_eq!(failure(&folder, &[]), "voxlint: c.json: broken symbolic link\n");
        fs::remove_file(folder.join("c.json")).unwrap();
        pipe(&folder.join("c.json"));
        assert_eq!(failure(&folder, &[]), "voxlint: c.json: not a regular file\n");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn lines_before_a_read_error_are_accounted_for() {
        use std::os::fd::OwnedFd;
        use std::os::unix::net::UnixStream;

        let folder = project("read-error", &[]);
        let (ours, theirs) = UnixStream::pair().unwrap();
        // Unread input at this end fails the other end after it has read everything.
        (&theirs).write_all(b"unread").unwrap();
        let child = voxlint(&folder, &["check", "--stdin-filename", "a.ndjson"])
            .stdin(OwnedFd::from(theirs))
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        let blank = "\n".repeat(1 << 20);
        (&ours).write_all(format!("{FAULTY}{{}}\n{blank}").as_bytes()).unwrap();
        drop(ours);
        let output = child.wait_with_output().unwrap();
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("a.ndjson: ") && said.contains("reset"), "{said}");
        assert!(!said.contains("internal error"), "{said}");
        assert!(said.contains("2 documents"), "{said}");
        assert!(stdout(&output).contains("out-of-range"), "{}", stdout(&output));
    }

    #[test]
    fn folders_behind_links_are_like_any_other() {
        let toml = "[[documents]]\nfiles = \"**\"\nstored = \"../linked/{stem}.state\"\n\
                    text_files = { prompt_text = \"../linked/texts/{stem}.hbs\" }\n";
        for (case, target) in [("relative", "real"), ("absolute", ""), ("nested", "link")] {
            let name = format!("link-{case}");
            let folder = project(&name, &[("real/a.json", GOOD), ("agents/a.json", GOOD)]);
            symlink("real", folder.join("link")).unwrap();
            let target = if target.is_empty() { folder.join("real") } else { target.into() };
            symlink(target, folder.join("linked")).unwrap();
            let passes = |arguments: &[&str]| {
                let output = run(&folder, arguments);
                assert_eq!(output.status.code(), Some(0), "{case} {arguments:?}: {output:?}");
            };
            passes(&["check", "linked/a.json"]);
            passes(&["check", "linked"]);
            // What the service answers depends on more than the document.
            assert_ne!(status(&folder, &["predict", "linked/a.json"]), 2, "{case}");
            let text = ["--text-files", "prompt_text=../linked/no.hbs"];
            passes(&[&["check", "agents/a.json"], &text[..]].concat());
            let named = ["check", "--stdin-filename", "linked/x.json"];
            assert_eq!(with_input(&folder, &named, GOOD).status.code(), Some(0), "{case}");
            fs::write(folder.join("voxlint.toml"), toml).unwrap();
            passes(&["check", "agents/a.json"]);
            // The target of the link is read.
            fs::create_dir(folder.join("real/texts")).unwrap();
            fs::write(folder.join("real/texts/a.hbs"), BROKEN_TEXT).unwrap();
            let fault = ["linked/texts/a.hbs:1:7: error[template-syntax-error]"];
            assert_eq!(places(&folder, &["agents/a.json"]), fault, "{case}");
            // A broken link is still a link.
            symlink("nowhere", folder.join("real/a.state")).unwrap();
            let said = "voxlint: linked/a.state: broken symbolic link\n";
            assert_eq!(failure(&folder, &["agents/a.json"]), said, "{case}");
        }
    }

    #[test]
    fn a_working_directory_that_is_gone_fails_the_run() {
        let folder = project("gone", &[("en.json", GOOD)]);
        let script = format!("cd {folder:?} && rm -r {folder:?} && exec \"$VOXLINT\" check");
        let output = Command::new("sh")
            .args(["-c", &script])
            .env("VOXLINT", env!("CARGO_BIN_EXE_voxlint"))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(stderr(&output).contains("the working directory cannot be used"));
    }
}

#[cfg(unix)]
#[test]
fn a_tracked_file_that_gitignore_lists_is_checked() {
    let git = |folder: &Path, arguments: &[&str]| {
        let mut git = std::process::Command::new("git");
        git.args(arguments).current_dir(folder).env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE");
        git.output().is_ok_and(|output| output.status.success())
    };
    let files = [
        ("agents/tracked.local.json", FAULTY),
        ("agents/other.local.json", FAULTY),
        ("build/deep/tracked.json", FAULTY),
        ("build/deep/other.json", FAULTY),
        ("build/other/other.json", FAULTY),
        ("agents/inner/tracked.local.json", FAULTY),
        ("agents/inner/other.local.json", FAULTY),
        ("agents/inner/.gitignore", "*.local.json\n"),
        ("agents/good.json", GOOD),
    ];
    let folder = folder("accounting/tracked", &files);
    let inner = folder.join("agents/inner");
    if !git(&folder, &["init", "-q"]) || !git(&inner, &["init", "-q"]) {
        voxlint_testing::skip("there is no git");
        return;
    }
    assert!(git(&inner, &["add", "-f", "tracked.local.json"]));
    assert!(git(&folder, &["add", "agents/tracked.local.json", "build/deep/tracked.json"]));
    std::fs::write(folder.join(".gitignore"), "*.local.json\nbuild/\n").unwrap();
    let error = |path: &str| format!("{path}:{}", "1:41: error[out-of-range]");
    let agents = ["inner/tracked.local.json", "tracked.local.json"];
    let whole: Vec<String> = agents.iter().map(|name| error(&format!("agents/{name}"))).collect();
    let whole = [whole, vec![error("build/deep/tracked.json")]].concat();
    assert_eq!(places(&folder, &[]), whole);
    assert_eq!(places(&folder, &["agents"]), whole[..2]);
    assert_eq!(places(&folder.join("agents"), &[]), agents.map(error));
    assert_eq!(places(&inner, &[]), [error("tracked.local.json")]);
    assert_eq!(places(&folder, &["agents", "--without-stored"]), whole[..2]);
    // Without the program `git`, tracked files are not known.
    let output = voxlint(&folder, &["check", "-q", "--format", "concise"]).env("PATH", "").output();
    assert_eq!(output.unwrap().status.code(), Some(0));
}

#[test]
fn every_file_is_listed_with_a_reason() {
    let names = [
        "a.json",
        "b.json",
        "README.md",
        "src/main.rs",
        "plain",
        "a.prompt.md",
        ".hidden.json",
        "src/.x",
    ];
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, GOOD)).collect();
    let toml = (
        "voxlint.toml",
        "exclude = [\"b.json\"]\n[[documents]]\nfiles = \"*.json\"\ntext_files = { prompt_text = \"{stem}.prompt.md\" }\n",
    );
    let folder = project("every-file", &[&files[..], &[toml]].concat());
    let output = run(&folder, &["check", "-q", "--show-files"]);
    let said = stderr(&output);
    for name in names.into_iter().chain(["voxlint.toml"]) {
        let lines = said.lines().filter(|line| line.contains(&format!(" {name}: ")));
        assert_eq!(lines.count(), 1, "{name}: {said}");
    }
}
