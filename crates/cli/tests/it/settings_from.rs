//! `voxlint check --settings-from`: the settings of the main branch judge a branch that anybody may have written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use crate::plan::{commit, copy, git, stored, write};
use crate::process::{folder, run, stderr, stdout};

const SETTINGS: &str = "root = true
extends = \"shared/base.toml\"
facts = \"facts.json\"
variables = [\"clinic\"]
[[documents]]
files = \"agents/\"
stored = \"../stored/{stem}.json\"
text_files = { prompt_text = \"{stem}.prompt.md\" }
[[overrides]]
files = \"agents/\"
rules = { unknown-field = \"error\" }
[[house_rules]]
id = \"title-without-clinic\"
field = \"/title\"
must_match = \"clinic\"
level = \"error\"
";

const CLEAN: &str = "version_number: 3\ntitle: The clinic\n";
const GATE: [&str; 5] = ["check", "agents", "--settings-from", "main", "-q"];

/// A repository with agents that have no findings, and a branch beside `main`.
fn project(name: &str) -> Option<PathBuf> {
    let files = [
        ("voxlint.toml", SETTINGS),
        ("shared/base.toml", "[rules]\nunknown-template-variable = \"error\"\n"),
        ("facts.json", "{ \"phone_numbers\": [\"pn_day\"] }\n"),
        ("agents/en.yaml", CLEAN),
        ("agents/de.yaml", CLEAN),
        ("agents/en.prompt.md", "Be kind.\n"),
        ("stored/en.json", &stored("ag_en", "The clinic")),
    ];
    let folder = folder(&format!("settings-from/{name}"), &files);
    if !commit(&folder) {
        return None;
    }
    git(&folder, &["checkout", "-q", "-b", "branch"]);
    Some(folder)
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap()
}

fn edit(folder: &Path, path: &str, from: &str, to: &str) {
    let text = fs::read_to_string(folder.join(path)).unwrap();
    assert!(text.contains(from), "{path}: {from}");
    write(folder, path, &text.replace(from, to));
}

fn settings(folder: &Path, from: &str, to: &str) {
    edit(folder, "voxlint.toml", from, to);
}

fn add(folder: &Path, text: &str) {
    settings(folder, "root = true\n", &format!("root = true\n{text}\n"));
}

/// Adds a table at the end of the settings.
fn append(folder: &Path, text: &str) {
    settings(folder, "level = \"error\"\n", &format!("level = \"error\"\n{text}\n"));
}

fn agent(folder: &Path, more: &str) {
    write(folder, "agents/de.yaml", &format!("{CLEAN}{more}\n"));
}

/// A value that is out of range.
const LIMIT: &str = "kb_max_chunks: 99";
/// A field that is not known.
const FIELD: &str = "titel: x";

type Edit = (&'static str, fn(&Path));
type Way<'a> = &'a dyn Fn(&Path);

/// Ways to get a mistake past a gate, each with the mistake.
const WAYS: &[Edit] = &[
    ("a rule is off", |it| {
        add(it, "rules.out-of-range = \"off\"");
        agent(it, LIMIT);
    }),
    ("a rule is a warning", |it| {
        add(it, "rules.out-of-range = \"warning\"");
        agent(it, LIMIT);
    }),
    ("a group is off", |it| {
        add(it, "rules.correctness = \"off\"");
        agent(it, LIMIT);
    }),
    ("an override is lower", |it| {
        settings(it, "unknown-field = \"error\"", "unknown-field = \"info\"");
        agent(it, FIELD);
    }),
    ("an override is added", |it| {
        append(it, "[[overrides]]\nfiles = \"de.yaml\"\nrules = { correctness = \"off\" }");
        agent(it, LIMIT);
    }),
    ("an override covers less", |it| {
        settings(it, "[[overrides]]\nfiles = \"agents/\"", "[[overrides]]\nfiles = \"none/\"");
        agent(it, FIELD);
    }),
    ("a field is allowed", |it| {
        add(it, "rules.unknown-field = { level = \"error\", allow = [\"titel\"] }");
        agent(it, FIELD);
    }),
    ("a document is excluded", |it| {
        add(it, "exclude = [\"agents/de.yaml\"]");
        agent(it, LIMIT);
    }),
    ("a name is excluded", |it| {
        add(it, "exclude = [\"d*\"]");
        agent(it, LIMIT);
    }),
    ("others are included", |it| {
        add(it, "include = [\"agents/en.*\"]");
        agent(it, LIMIT);
    }),
    ("a finding is suppressed", |it| {
        append(
            it,
            "[[suppressions]]\nfiles = \"agents/\"\nrules = \"out-of-range\"\nreason = \"agreed\"",
        );
        agent(it, LIMIT);
    }),
    ("all findings are suppressed", |it| {
        append(it, "[[suppressions]]\nfiles = \"*\"\nrules = \"correctness\"\nreason = \"agreed\"");
        agent(it, LIMIT);
    }),
    ("a nearer configuration is a root", |it| {
        write(it, "agents/voxlint.toml", "root = true\n");
        agent(it, FIELD);
    }),
    ("a nearer configuration switches a rule off", |it| {
        write(it, "agents/voxlint.toml", "[rules]\nout-of-range = \"off\"\n");
        agent(it, LIMIT);
    }),
    ("a nearer configuration excludes", |it| {
        write(it, "agents/voxlint.toml", "exclude = [\"de.yaml\"]\n");
        agent(it, LIMIT);
    }),
    ("the configuration is deleted", |it| {
        fs::remove_file(it.join("voxlint.toml")).unwrap();
        agent(it, FIELD);
    }),
    ("an extended file switches a rule off", |it| {
        write(it, "shared/base.toml", "[rules]\nout-of-range = \"off\"\n");
        agent(it, LIMIT);
    }),
    ("an extended file is dropped", |it| {
        settings(it, "extends = \"shared/base.toml\"\n", "");
        settings(it, "variables = [\"clinic\"]\n", "");
        write(it, "agents/en.prompt.md", "Hello {{doctor}}\n");
    }),
    ("the finding is in the baseline", |it| {
        agent(it, LIMIT);
        assert_eq!(status(&run(it, &["baseline", "write"])), 0);
    }),
    ("the finding is in another baseline", |it| {
        agent(it, LIMIT);
        add(it, "baseline = \"known.json\"");
        assert_eq!(status(&run(it, &["baseline", "write"])), 0);
    }),
    ("a document is of another kind", |it| {
        settings(
            it,
            "files = \"agents/\"\nstored",
            "files = \"agents/\"\nkind = \"error\"\nstored",
        );
        agent(it, LIMIT);
    }),
    ("a document is a template", |it| {
        append(it, "[[documents]]\nfiles = \"de.yaml\"\nkind = \"template\"");
        agent(it, LIMIT);
    }),
    ("a text file is dropped", |it| {
        settings(it, "text_files = { prompt_text = \"{stem}.prompt.md\" }\n", "");
        write(it, "agents/en.prompt.md", "Hello {{doctor");
    }),
    ("a text file has another name", |it| {
        settings(it, "{stem}.prompt.md", "{stem}.txt");
        write(it, "agents/en.prompt.md", "Hello {{doctor");
    }),
    ("git ignores a document", |it| {
        write(it, ".gitignore", "agents/\n");
        agent(it, LIMIT);
    }),
    ("a folder looks like a repository", |it| {
        write(it, "agents/.jj/x", "");
        agent(it, FIELD);
    }),
    ("a house rule is dropped", |it| {
        settings(it, "must_match = \"clinic\"", "max_length = 99");
        write(it, "agents/de.yaml", "version_number: 3\ntitle: x\n");
    }),
    ("a house rule is info", |it| {
        settings(it, "level = \"error\"\n", "level = \"info\"\n");
        write(it, "agents/de.yaml", "version_number: 3\ntitle: x\n");
    }),
    ("a house rule covers less", |it| {
        settings(it, "must_match = ", "files = \"none/\"\nmust_match = ");
        write(it, "agents/de.yaml", "version_number: 3\ntitle: x\n");
    }),
    ("a variable is listed", |it| {
        settings(it, "[\"clinic\"]", "[\"clinic\", \"doc*\"]");
        write(it, "agents/en.prompt.md", "Hello {{doctor}}\n");
    }),
    ("no variables are listed", |it| {
        settings(it, "variables = [\"clinic\"]\n", "");
        write(it, "agents/en.prompt.md", "Hello {{doctor}}\n");
    }),
    ("facts are changed", |it| {
        write(it, "facts.json", "{ \"phone_numbers\": [\"pn_night\"] }\n");
        agent(it, "is_published: true\noutbound_phone_number_id: pn_night");
    }),
    ("facts are dropped", |it| {
        settings(it, "facts = \"facts.json\"\n", "");
        agent(it, "is_published: true\noutbound_phone_number_id: pn_night");
    }),
    ("the stored configuration is changed", |it| {
        write(it, "stored/en.json", &stored("ag_en", "The clinic").replace('3', "7"));
        write(it, "agents/en.yaml", &CLEAN.replace('3', "7"));
    }),
    ("the stored configuration is dropped", |it| {
        settings(it, "stored = \"../stored/{stem}.json\"\n", "");
        write(it, "agents/en.yaml", &CLEAN.replace('3', "7"));
    }),
    ("a comment covers a group", |it| {
        add(it, "group_comments = true");
        agent(it, &format!("{LIMIT} # voxlint-ignore correctness: agreed"));
    }),
    ("a comment covers several rules", |it| {
        agent(it, &format!("{LIMIT} # voxlint-ignore out-of-range unknown-field: agreed\n{FIELD}"));
    }),
    ("a comment covers a group in the file", |it| {
        add(it, "group_comments = true");
        agent(it, &format!("{LIMIT}\n# voxlint-ignore-file correctness: agreed"));
    }),
];

/// Ways that voxlint withstands without the settings of another commit, too.
const WITHSTOOD: [&str; 4] = [
    "git ignores a document",
    "a comment covers several rules",
    "a document is of another kind",
    "a folder looks like a repository",
];

#[test]
fn no_branch_loosens_the_settings_of_the_main_branch() {
    let Some(main) = project("main") else { return };
    assert_eq!(status(&run(&main, &GATE)), 0);
    for (name, way) in WAYS {
        let folder = folder("settings-from/hostile", &[] as &[(&str, &str)]);
        copy(&main, &folder);
        way(&folder);
        let own = run(&folder, &["check", "agents", "-q"]);
        assert!(status(&own) == 0 || WITHSTOOD.contains(name), "{name}: {}", stdout(&own));
        for is_committed in [false, true] {
            if is_committed {
                git(&folder, &["add", "-A", "-f"]);
                git(&folder, &["commit", "-q", "-m", "two"]);
            }
            let output = run(&folder, &GATE);
            assert_eq!(status(&output), 1, "{name}: {}{}", stdout(&output), stderr(&output));
        }
        // A checkout of the main branch in a folder has the result of the commit.
        let by_folder = ["check", "agents", "-q", "--settings-from", &main.to_string_lossy()];
        assert_eq!(status(&run(&folder, &by_folder)), 1, "{name}");
        // What is loosened is listed even if it hides nothing.
        write(&folder, "agents/de.yaml", CLEAN);
        write(&folder, "agents/en.prompt.md", "Be kind.\n");
        write(&folder, "agents/en.yaml", CLEAN);
        // What git tracks is checked, whatever an ignore file says.
        let loosens_nothing = ["a folder looks like a repository", "git ignores a document"];
        if !name.starts_with("a comment") && !loosens_nothing.contains(name) {
            let strict = run(&folder, &[&GATE[..], &["--fail-on", "loosened"]].concat());
            assert_eq!(status(&strict), 1, "{name}: {}", stderr(&strict));
            assert!(stderr(&strict).contains("voxlint: loosened: "), "{name}: {}", stderr(&strict));
        }
    }
}

#[test]
fn an_honest_branch_passes_the_settings_of_the_main_branch() {
    let Some(folder) = project("honest") else { return };
    write(
        &folder,
        "agents/fr.yaml",
        &format!("{CLEAN}{LIMIT} # voxlint-ignore out-of-range: raised for us\n"),
    );
    append(
        &folder,
        "[[house_rules]]\nid = \"chunks-given\"\nfield = \"/title\"\nmax_length = 20\nlevel = \"error\"",
    );
    let output = run(&folder, &GATE);
    assert_eq!(status(&output), 0, "{}{}", stdout(&output), stderr(&output));
    // The suppression is listed, and counted.
    let json = ["--format", "json", "--fail-on", "warning,loosened"];
    let output = run(&folder, &[&GATE[..], &json].concat());
    assert_eq!(status(&output), 1);
    let line = "agents/fr.yaml:3: a new comment suppresses `out-of-range`: raised for us";
    let printed = format!("voxlint: loosened: {line}\n");
    assert!(stderr(&output).contains(&printed), "{}", stderr(&output));
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(report["loosened"], serde_json::json!([line]));
    assert_eq!(
        (&report["summary"]["loosened"], &report["summary"]["documents"]),
        (&1.into(), &3.into())
    );
    // What the new rule finds is reported, once.
    write(
        &folder,
        "agents/de.yaml",
        "version_number: 3\ntitle: The clinic in the north of the town\nkb_max_chunks: 99\n",
    );
    let output = run(&folder, &[&GATE[..], &["--format", "concise"]].concat());
    assert_eq!(stdout(&output).matches("[chunks-given]").count(), 1, "{}", stdout(&output));
    assert_eq!(stdout(&output).matches("[out-of-range]").count(), 1, "{}", stdout(&output));
}

/// A mistake, and settings of the branch that do not report it.
fn loosen(folder: &Path) {
    add(folder, "rules.out-of-range = \"off\"");
    agent(folder, LIMIT);
}

#[test]
fn no_branch_chooses_the_settings_that_judge_it() {
    let mut ways: Vec<Edit> = vec![
        ("a folder is called like the commit", |it| {
            write(it, "main/voxlint.toml", "root = true\nrules.out-of-range = \"off\"\n");
        }),
        ("the settings are a folder", |it| {
            fs::remove_file(it.join("voxlint.toml")).unwrap();
            write(it, "voxlint.toml/x", "");
        }),
        ("the settings are in UTF-16", |it| {
            fs::write(it.join("voxlint.toml"), b"\xff\xfe#\0").unwrap();
        }),
        ("the settings are broken", |it| write(it, "voxlint.toml", "rules = [")),
        ("the settings are in Git LFS", |it| {
            let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n";
            write(it, "voxlint.toml", pointer);
        }),
        ("the settings are a text", |it| write(it, "VOXLINT.TOML", "root = true\n")),
        ("a repository is inside", |it| {
            write(it, "agents/sub/de.yaml", &format!("{CLEAN}{LIMIT}\n"));
            write(it, "agents/sub/voxlint.toml", "root = true\nrules.out-of-range = \"off\"\n");
        }),
        ("git replaces the commit", |it| {
            git(it, &["commit", "-q", "-a", "-m", "two"]);
            git(it, &["replace", "main", "HEAD"]);
        }),
    ];
    if cfg!(unix) {
        ways.extend([
            (
                "a link is called like the commit",
                (|it| {
                    write(it, "x/voxlint.toml", "root = true\nrules.out-of-range = \"off\"\n");
                    link("x", &it.join("main"));
                }) as fn(&Path),
            ),
            ("the settings are a link", |it| {
                fs::remove_file(it.join("voxlint.toml")).unwrap();
                write(it, "x.toml", "rules.out-of-range = \"off\"\n");
                link("x.toml", &it.join("voxlint.toml"));
            }),
        ]);
    }
    for (name, way) in ways {
        let Some(folder) = project("chosen") else { return };
        loosen(&folder);
        way(&folder);
        git(&folder, &["add", "-A", "-f"]);
        git(&folder, &["commit", "-q", "--allow-empty", "-m", "three"]);
        let output = run(&folder, &[&GATE[..], &["--format", "concise"]].concat());
        assert_ne!(status(&output), 0, "{name}: {}", stderr(&output));
        assert!(stdout(&output).contains("[out-of-range]"), "{name}: {}", stdout(&output));
    }
}

#[cfg(unix)]
fn link(target: &str, path: &Path) {
    std::os::unix::fs::symlink(target, path).unwrap();
}

#[cfg(not(unix))]
fn link(_: &str, _: &Path) {}

#[test]
fn a_document_of_the_main_branch_that_is_not_checked_is_listed() {
    let moved = |it: &Path, name: &str| {
        fs::rename(it.join("agents/de.yaml"), it.join(name)).unwrap();
    };
    let ways: [(&str, Way<'_>); 9] = [
        ("deleted", &|it| fs::remove_file(it.join("agents/de.yaml")).unwrap()),
        ("deleted", &|it| moved(it, "agents/fr.yaml")),
        ("deleted", &|it| moved(it, "agents/de.json5")),
        ("deleted", &|it| moved(it, "agents/.de.yaml")),
        ("deleted", &|it| moved(it, "de.yaml")),
        ("not checked", &|it| write(it, "agents/de.yaml", "")),
        ("not checked", &|it| write(it, "agents/de.yaml", "---\n---\n")),
        ("not checked", &|it| write(it, "agents/de.yaml", "- clinic\n")),
        ("not checked", &|it| {
            write(
                it,
                "agents/de.yaml",
                "statusCode: 400\nerror: Bad Request\nmessage: x\nversion_number: 3\n",
            );
        }),
    ];
    for (how, way) in ways {
        let Some(folder) = project("unchecked") else { return };
        way(&folder);
        // Deleting a document is not a mistake.
        assert_eq!(status(&run(&folder, &GATE)), 0, "{how}");
        let output = run(&folder, &[&GATE[..], &["--fail-on", "loosened"]].concat());
        let line = format!("voxlint: loosened: agents/de.yaml, which main checks, is {how}\n");
        assert_eq!((status(&output), stderr(&output)), (1, &*line));
    }
    // Others of the main branch are not documents, or are not checked.
    let Some(folder) = project("others") else { return };
    git(&folder, &["checkout", "-q", "main"]);
    add(&folder, "exclude = [\"attic/\", \"old.yaml\"]");
    write(&folder, "attic/one/en.yaml", CLEAN);
    write(&folder, "agents/old.yaml", CLEAN);
    write(&folder, "agents/other.yaml", "name: chart\n");
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-q", "-m", "two"]);
    git(&folder, &["checkout", "-q", "-B", "branch"]);
    for name in ["stored/en.json", "agents/old.yaml", "agents/other.yaml"] {
        fs::remove_file(folder.join(name)).unwrap();
    }
    write(&folder, "agents/fr.yaml", CLEAN);
    let strict = ["check", ".", "--settings-from", "main", "--fail-on", "loosened"];
    let output = run(&folder, &strict);
    assert_eq!(stderr(&output).matches("loosened: ").count(), 1, "{}", stderr(&output));
}

#[test]
fn no_branch_hides_secrets_in_a_stored_configuration() {
    let secret = format!("sk-proj-{}", "Zk3vT9qLr2Xw8YbN5mHd7PcS".repeat(2));
    let ways: [Edit; 5] = [
        ("the rule is off", |it| add(it, "rules.secret-in-document = \"off\"")),
        ("the rule is a suggestion", |it| add(it, "rules.secret-in-document = \"info\"")),
        ("the rule is on", |_| {}),
        ("the document is excluded", |it| add(it, "exclude = [\"agents/en.yaml\"]")),
        ("the finding is suppressed", |it| {
            append(
                it,
                "[[suppressions]]\nfiles = \"**\"\nrules = [\"secret-in-document\"]\nreason = \"old\"",
            );
        }),
    ];
    for (name, way) in ways {
        for paths in [&["agents"][..], &["."], &["agents", "--stored", "stored/en.json"]] {
            let Some(folder) = project("stored-secret") else { return };
            if paths.len() > 1 {
                fs::remove_file(folder.join("agents/de.yaml")).unwrap();
            }
            write(&folder, "stored/en.json", &stored("ag_en", &secret));
            way(&folder);
            let gate = ["check", "--settings-from", "main", "-q", "--format", "concise"];
            let output = run(&folder, &[&gate[..], paths].concat());
            assert_eq!(status(&output), 1, "{name} {paths:?}: {}", stderr(&output));
            let found = stdout(&output);
            let places = found.matches("error[secret-in-document]").count();
            assert_eq!(places, 1, "{name} {paths:?}: {found}");
            assert!(found.contains("stored/en.json:"), "{name} {paths:?}: {found}");
        }
    }
}

#[test]
fn no_branch_hides_secrets_in_its_settings() {
    let secret = format!("sk-proj-{}", "Zk3vT9qLr2Xw8YbN5mHd7PcS".repeat(2));
    let ways: [(&str, Way<'_>); 5] = [
        ("facts that it no longer names", &|it| {
            settings(it, "facts = \"facts.json\"\n", "");
            write(it, "facts.json", &format!("{{ \"phone_numbers\": [\"{secret}\"] }}\n"));
        }),
        ("settings", &|it| add(it, &format!("# {secret}"))),
        ("an extended file", &|it| write(it, "shared/base.toml", &format!("# {secret}\n"))),
        ("new settings", &|it| {
            let text = format!("rules.secret-in-document = \"off\" # {secret}\n");
            write(it, "agents/voxlint.toml", &text);
        }),
        ("facts", &|it| {
            write(
                it,
                "facts.json",
                &format!("{{ \"phone_numbers\": [\"pn_day\", \"{secret}\"] }}\n"),
            );
        }),
    ];
    for (name, way) in ways {
        for level in ["off", "info", "error"] {
            let Some(folder) = project("hidden") else { return };
            add(&folder, &format!("rules.secret-in-document = \"{level}\""));
            way(&folder);
            let output = run(&folder, &[&GATE[..], &["--format", "concise"]].concat());
            assert_eq!(status(&output), 1, "{name} {level}: {}", stderr(&output));
            let found = stdout(&output).matches("error[secret-in-document]").count();
            assert_eq!(found, 1, "{name} {level}: {}", stdout(&output));
        }
    }
}

#[test]
fn a_comment_of_the_main_branch_counts_for_its_own_field() {
    let Some(folder) = project("moved") else { return };
    let comment = "# voxlint-ignore out-of-range: agreed";
    git(&folder, &["checkout", "-q", "main"]);
    agent(&folder, &format!("{LIMIT} {comment}\ninterruption_sensitivity: 0.5"));
    git(&folder, &["commit", "-q", "-a", "-m", "two"]);
    git(&folder, &["checkout", "-q", "-B", "branch"]);
    let strict = [&GATE[..], &["--fail-on", "loosened"]].concat();
    agent(&folder, &format!("kb_max_chunks: 98 {comment}\ninterruption_sensitivity: 0.4"));
    let output = run(&folder, &strict);
    assert_eq!((status(&output), stderr(&output)), (0, ""));
    agent(&folder, &format!("kb_max_chunks: 9\ninterruption_sensitivity: 7 {comment}"));
    let output = run(&folder, &strict);
    let line = "agents/de.yaml:4: a new comment suppresses `out-of-range`: agreed";
    assert!(stderr(&output).contains(line), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn a_document_that_the_branch_leaves_out_is_named_with_the_file_that_leaves_it_out() {
    let Some(folder) = project("named") else { return };
    add(&folder, "exclude = [\"agents/de.yaml\"]");
    let output = run(&folder, &["check", "agents", "--settings-from", "main"]);
    assert_eq!(status(&output), 0);
    let line = "voxlint: loosened: voxlint.toml excludes agents/de.yaml, which main checks\n";
    assert!(stderr(&output).contains(line), "{}", stderr(&output));
    assert!(stderr(&output).contains("1 setting loosened"), "{}", stderr(&output));
    let nowhere = run(&folder, &["check", "agents", "--settings-from", "nowhere"]);
    assert_eq!(status(&nowhere), 2);
}

#[test]
fn a_run_that_checks_fewer_documents_than_expected_fails() {
    let Some(folder) = project("expected") else { return };
    let expected =
        |arguments: &[&str]| run(&folder, &[&["check", "agents"][..], arguments].concat());
    assert_eq!(status(&expected(&["--expect", "2", "--expect", "agents/*.yaml"])), 0);
    for (expect, message) in [
        ("3", "--expect expects at least 3 documents, but 2 were checked"),
        (
            "agents/fr.yaml",
            "--expect expects a document that matches `agents/fr.yaml`, but none was checked",
        ),
        ("agents/[", "--expect: a `[` in the pattern is not closed"),
    ] {
        let output = expected(&["--expect", expect]);
        assert_eq!(status(&output), 2, "{expect}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
    add(&folder, "expect = 3");
    let output = expected(&[]);
    assert_eq!(status(&output), 2);
    let message = "voxlint.toml expects at least 3 documents, but 2 were checked";
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
    for (expect, missing) in [
        ("2", 0),
        ("\"agents/de.yaml\"", 0),
        ("[\"2\", \"agents/en.*\"]", 0),
        ("[\"5\", \"agents/fr.*\", \"agents/de.*\"]", 2),
    ] {
        edit_expect(&folder, expect);
        let output = expected(&[]);
        let found = stderr(&output).matches("voxlint.toml expects").count();
        assert_eq!(
            (status(&output), found),
            (if missing > 0 { 2 } else { 0 }, missing),
            "{}",
            stderr(&output)
        );
    }
    for faulty in ["0", "[]", "[3]", "\"agents/[\"", "true"] {
        edit_expect(&folder, faulty);
        assert_eq!(status(&expected(&[])), 2, "{faulty}");
    }
    edit_expect(&folder, "3");
    // A hook names some of the files.
    assert_eq!(status(&run(&folder, &["check", "agents/de.yaml"])), 0);
}

fn edit_expect(folder: &Path, expect: &str) {
    let settings = SETTINGS.replace("root = true\n", &format!("root = true\nexpect = {expect}\n"));
    write(folder, "voxlint.toml", &settings);
}

#[test]
fn an_uncommitted_stored_configuration_is_named() {
    let Some(folder) = project("uncommitted") else { return };
    fs::remove_file(folder.join("agents/en.prompt.md")).unwrap();
    let notes = |arguments: &[&str]| {
        let plan = [&["plan", "agents/en.yaml", "--format", "json"][..], arguments].concat();
        let output = run(&folder, &plan);
        let plan: Value = serde_json::from_str(stdout(&output)).unwrap();
        assert_eq!(plan["agents"][0]["outcome"], "no-change");
        plan["agents"][0]["notes"].to_string()
    };
    let is_named = |notes: &str| {
        notes.contains("`stored/en.json` differs from the last commit, and counts as just fetched")
    };
    assert!(!is_named(&notes(&[])));
    write(&folder, "stored/en.json", &stored("ag_en", "The clinic").replace("ag_en\"", "ag_en\" "));
    for arguments in [&[][..], &["--base", "main~0"], &["--base", "stored"]] {
        // Compared with the last commit, the plan itself says what is different.
        let is_head = arguments.contains(&"main~0");
        assert_eq!(is_named(&notes(arguments)), !is_head, "{arguments:?}");
    }
    git(&folder, &["commit", "-q", "-a", "-m", "two"]);
    assert!(!is_named(&notes(&[])));
    // Who runs voxlint has fetched what git ignores.
    git(&folder, &["rm", "-q", "--cached", "stored/en.json"]);
    write(&folder, ".gitignore", "stored/\n");
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-q", "-m", "three"]);
    assert!(!is_named(&notes(&[])));
}

#[test]
fn a_plan_does_not_believe_a_stored_configuration_that_the_branch_has_changed() {
    let Some(folder) = project("planned") else { return };
    // The branch says that its title is stored already.
    write(&folder, "agents/en.yaml", &CLEAN.replace("The clinic", "Our clinic"));
    write(&folder, "stored/en.json", &stored("ag_en", "Our clinic"));
    fs::remove_file(folder.join("agents/en.prompt.md")).unwrap();
    git(&folder, &["commit", "-q", "-a", "-m", "two"]);
    let plan = |arguments: &[&str]| {
        let output =
            run(&folder, &[&["plan", "agents", "--format", "json"][..], arguments].concat());
        let plan: Value = serde_json::from_str(stdout(&output)).unwrap();
        let agents = plan["agents"].as_array().unwrap();
        let agent = agents.iter().find(|it| it["name"] == "agents/en.yaml").unwrap();
        (agent["outcome"].as_str().unwrap().to_owned(), agent["notes"].to_string())
    };
    let (outcome, notes) = plan(&["--stored-from", "main"]);
    assert_eq!(outcome, "update");
    assert!(notes.contains("`stored/en.json` differs from that of main, which counts"), "{notes}");
    let (outcome, notes) = plan(&["--base", "main"]);
    assert_eq!(outcome, "no-stored-state");
    assert!(notes.contains("`stored/en.json` was changed by commits since main"), "{notes}");
    // What was fetched just now is what the service has stored.
    write(&folder, "stored/en.json", &stored("ag_en", "Our clinic").replace("ag_en\"", "ag_en\" "));
    assert_eq!(plan(&["--base", "main"]).0, "no-change");
}
