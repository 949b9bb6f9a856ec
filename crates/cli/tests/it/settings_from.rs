//! `voxlint check --settings-from`: the settings of the main branch judge a branch that anybody may have written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::Value;

use crate::plan::{commit, git, stored, write};
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
    assert!(WAYS.len() >= 30);
    let Some(main) = project("main") else { return };
    for (name, way) in WAYS {
        let Some(folder) = project("hostile") else { return };
        assert_eq!(status(&run(&folder, &GATE)), 0, "{name}");
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
        if !name.starts_with("a comment") && *name != "a folder looks like a repository" {
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
    let line = "voxlint: loosened: agents/fr.yaml:3: the comment about `out-of-range` suppresses it: raised for us";
    assert!(stderr(&output).contains(line), "{}", stderr(&output));
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
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
        ("agents/fr.yaml", "--expect agents/fr.yaml matches no document that was checked"),
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
    // A hook names some of the files.
    assert_eq!(status(&run(&folder, &["check", "agents/de.yaml"])), 0);
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

#[test]
fn a_configuration_whose_patterns_are_about_another_folder_fails() {
    let other = [("main/voxlint.toml", "exclude = [\"agents/\"]\n"), ("pr/agents/en.yaml", CLEAN)];
    let folder = folder("settings-from/elsewhere", &other);
    let output = run(&folder.join("pr"), &["check", "agents", "--config", "../main/voxlint.toml"]);
    assert_eq!(status(&output), 2);
    assert!(
        stderr(&output).contains("its patterns are relative to its folder"),
        "{}",
        stderr(&output)
    );
}
