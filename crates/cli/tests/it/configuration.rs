//! The effects of `voxlint.toml` on a run.

use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{folder, found, places, run, run_with_input, status, stderr, stdout};
use serde_json::Value;

/// One error and one warning.
const FAULTY: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 12, \"x_owner\": \"ada\" }\n";

const ERROR: &str = "1:41: error[out-of-range]";
const WARNING: &str = "1:45: warning[unknown-field]";

/// A project with these files.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let head = [(".git/HEAD", "ref: refs/heads/main\n")];
    folder(&format!("configuration/{name}"), &[&head, files].concat())
}

/// The lines of `places` for files: each with its path and what is found there.
fn at(found: &[(&str, &str)]) -> Vec<String> {
    found.iter().map(|(path, place)| format!("{path}:{place}")).collect()
}

#[test]
fn the_nearest_configuration_above_each_file_counts_as_a_whole() {
    let folder = project(
        "nearest",
        &[
            ("voxlint.toml", "[rules]\nunknown-field = \"off\"\n"),
            ("en.json", FAULTY),
            ("deep/er/en.json", FAULTY),
            ("team/voxlint.toml", "[rules]\nout-of-range = \"info\"\n"),
            ("team/en.json", FAULTY),
            ("team/deep/en.json", FAULTY),
        ],
    );
    let inside = ["1:41: info[out-of-range]", WARNING];
    let expected = at(&[
        ("deep/er/en.json", ERROR),
        ("en.json", ERROR),
        ("team/deep/en.json", inside[0]),
        ("team/deep/en.json", inside[1]),
        ("team/en.json", inside[0]),
        ("team/en.json", inside[1]),
    ]);
    assert_eq!(places(&folder, &[]), expected);
    assert_eq!(places(&folder, &["team/en.json"]), expected[4..]);
    assert_eq!(
        places(&folder.join("team/deep"), &[]),
        at(&[("en.json", inside[0]), ("en.json", inside[1])])
    );
    let from_inside = places(&folder.join("team"), &["../en.json"]);
    assert_eq!(from_inside, at(&[("../en.json", ERROR)]));
    let piped = ["check", "-", "--stdin-filename", "team/en.json", "--format", "concise"];
    let input = crate::process::voxlint(&folder, &piped)
        .stdin(fs::File::open(folder.join("en.json")).unwrap())
        .output()
        .unwrap();
    assert!(stdout(&input).starts_with("team/en.json:1:41: info["), "{}", stdout(&input));
}

#[test]
fn one_configuration_can_be_used_for_everything_or_none() {
    let folder = project(
        "one-or-none",
        &[
            ("voxlint.toml", "[rules]\nunknown-field = \"off\"\n"),
            ("en.json", FAULTY),
            ("team/voxlint.toml", "nonsense\n"),
            ("team/en.json", FAULTY),
            ("ci/strict.toml", "[rules]\nunknown-field = \"error\"\n"),
        ],
    );
    let loud = "1:45: error[unknown-field]";
    assert_eq!(
        places(&folder, &["--config", "ci/strict.toml"]),
        at(&[
            ("en.json", ERROR),
            ("en.json", loud),
            ("team/en.json", ERROR),
            ("team/en.json", loud)
        ])
    );
    let isolated = places(&folder, &["--isolated"]);
    assert_eq!(isolated.len(), 4);
    assert_eq!(isolated[1], format!("en.json:{WARNING}"));
    assert_eq!(status(&folder, &["check", "--isolated", "--config", "voxlint.toml"]), 2);
    let missing = run(&folder, &["check", "--config", "nope.toml"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(stderr(&missing).contains("nope.toml: no such file or directory"));
}

#[test]
fn files_that_extend_each_other_in_a_circle_are_shown() {
    let folder = project(
        "circle",
        &[
            ("voxlint.toml", "extends = \"base.toml\"\n"),
            ("base.toml", "extends = [\"more/base.toml\"]\n"),
            ("more/base.toml", "extends = \"../voxlint.toml\"\n"),
            ("en.json", FAULTY),
        ],
    );
    for command in [&["check"][..], &["config", "show"], &["rules"], &["predict", "en.json"]] {
        let output = run(&folder, command);
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        let told = stderr(&output);
        assert!(told.contains("extend each other in a circle"), "{told}");
        assert!(told.contains("─[more/base.toml:1:11]"), "{told}");
        assert!(told.contains("1 │ extends = \"../voxlint.toml\""), "{told}");
        assert_eq!(told.matches("error[configuration]").count(), 1, "{told}");
        assert_eq!(stdout(&output), "", "{command:?}");
    }
}

#[test]
fn a_file_overrides_the_configuration_that_it_extends() {
    let folder = project(
        "extends",
        &[
            ("base.toml", "[rules]\nunknown-field = \"off\"\nout-of-range = \"warning\"\n"),
            ("team/voxlint.toml", "extends = \"../base.toml\"\n[rules]\nout-of-range = \"info\"\n"),
            ("team/en.json", FAULTY),
        ],
    );
    assert_eq!(places(&folder, &[]), at(&[("team/en.json", "1:41: info[out-of-range]")]));
    fs::remove_file(folder.join("base.toml")).unwrap();
    let output = run(&folder, &["check"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot read `../base.toml`: no such file or directory"));
    assert!(stderr(&output).contains("─[team/voxlint.toml:1:11]"));
}

#[test]
fn reports_name_files_from_the_root_of_the_project() {
    let uri = |folder: &PathBuf| {
        let sarif = run(folder, &["check", "--format", "sarif"]);
        let sarif: Value = serde_json::from_slice(&sarif.stdout).unwrap();
        let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        place["artifactLocation"]["uri"].as_str().unwrap().to_owned()
    };
    let files = [("voxlint.toml", ""), ("bots/voxlint.toml", "root = true\n")];
    let folder = project("root", &[&files[..], &[("bots/team/en.json", FAULTY)]].concat());
    assert_eq!(uri(&folder.join("bots/team")), "team/en.json");
    assert_eq!(uri(&folder), "bots/team/en.json");
    fs::write(folder.join("bots/voxlint.toml"), "root = false\n").unwrap();
    assert_eq!(uri(&folder.join("bots/team")), "bots/team/en.json");
}

/// The working folder is in a repository without any of the checked files.
#[test]
fn from_outside_of_a_repository_files_are_named_from_the_root_of_the_one_that_is_checked() {
    let root = Path::new("/");
    if cfg!(windows) || root.join(".git").exists() || root.join("voxlint.toml").exists() {
        voxlint_testing::skip("the root of the file system cannot be used");
        return;
    }
    let folder = project("from-outside", &[("agents/team/en.json", FAULTY)]);
    let agents = folder.join("agents");
    for path in [agents.strip_prefix(root).unwrap(), &agents] {
        let path = path.to_str().unwrap();
        let sarif = run(root, &["check", path, "--format", "sarif"]);
        let sarif: Value = serde_json::from_slice(&sarif.stdout).unwrap();
        let run = &sarif["runs"][0];
        let place = &run["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "agents/team/en.json");
        assert_eq!(run["automationDetails"]["id"], "voxlint/");
    }
}

/// A configuration that no document uses is not read.
#[test]
fn a_broken_configuration_above_the_nearest_one_does_not_matter() {
    let files = [("voxlint.toml", "nonsense = = 1\n"), ("team/voxlint.toml", "")];
    let folder = folder(
        "configuration/broken-above",
        &[&files[..], &[("team/en.json", FAULTY), ("en.json", FAULTY)]].concat(),
    );
    assert_eq!(places(&folder.join("team"), &[]).len(), 2);
    assert_eq!(status(&folder, &["check"]), 2);
}

#[test]
fn a_mistake_is_shown_where_it_is_with_the_way_out() {
    for (text, place, message, help) in [
        ("exclud = []\n", "1:1", "`exclud` is not a field", "did you mean `exclude`?"),
        ("[rules]\nout-of-rang = \"off\"\n", "2:1", "no rule `out-of-rang`", "`out-of-range`?"),
        ("[rules]\nunknown-field = \"loud\"\n", "2:17", "loud", "warning"),
        ("exclude = [\"!a\"]\n", "1:13", "negated patterns", "list the files to match"),
        ("[[documents]]\nfiles = \"*\"\nkind = \"updat\"\n", "3:8", "updat", "update"),
        (
            "[[suppressions]]\nfiles = \"*\"\nrules = \"unknown-field\"\n",
            "2:1",
            "`reason` is missing",
            "reason",
        ),
        (
            "[[suppressions]]\nfiles = \"*\"\nrules = \"unknown-field\"\nreason = \" \"\n",
            "4:10",
            "the reason is empty",
            "write why",
        ),
    ] {
        let folder = project("mistakes", &[("voxlint.toml", text), ("en.json", FAULTY)]);
        let output = run(&folder, &["check"]);
        let told = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(told.contains(&format!("─[voxlint.toml:{place}]")), "{told}");
        assert!(told.contains(message) && told.contains(help), "{told}");
        assert!(
            told.contains("voxlint: voxlint.toml: cannot be used as a configuration"),
            "{told}"
        );
        assert_eq!(stdout(&output), "", "{text}");
    }
}

#[test]
fn files_under_a_broken_configuration_are_not_checked_and_the_others_are() {
    let folder = project(
        "broken-nested",
        &[
            ("en.json", FAULTY),
            ("team/voxlint.toml", "exclud = []\n"),
            ("team/en.json", FAULTY),
            ("team/lines.ndjson", FAULTY),
            ("other/voxlint.toml", ""),
            ("other/en.json", FAULTY),
        ],
    );
    let output = run(&folder, &["check", "--format", "json"]);
    assert_eq!(output.status.code(), Some(2));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let paths = |of: &str| -> Vec<String> {
        let files = report[of].as_array().unwrap().iter();
        files.map(|file| file["path"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(paths("files"), ["en.json", "other/en.json"]);
    assert_eq!(paths("skipped"), ["team/en.json", "team/lines.ndjson"]);
    assert_eq!(paths("failures"), ["team/voxlint.toml"]);
    assert_eq!(report["skipped"][0]["why"], "its configuration cannot be used");
    assert_eq!(status(&folder, &["check", "team/en.json"]), 2);
    assert_eq!(status(&folder, &["check", "other", "-q"]), 1);
}

#[test]
fn an_excluded_file_is_checked_when_it_is_named() {
    let folder = project(
        "exclude",
        &[
            ("voxlint.toml", "exclude = [\"drafts/\", \"gen/*\", \"*.old.json\"]\n"),
            ("en.json", FAULTY),
            ("en.old.json", FAULTY),
            ("drafts/deep/a.json", FAULTY),
            ("gen/b.json", FAULTY),
        ],
    );
    let paths = |arguments: &[&str]| -> Vec<String> {
        let mut paths = places(&folder, &[arguments, &["--select", "out-of-range"]].concat());
        for line in &mut paths {
            line.truncate(line.find(':').unwrap());
        }
        paths
    };
    assert_eq!(paths(&[]), ["en.json"]);
    assert_eq!(paths(&["drafts"]), ["drafts/deep/a.json"]);
    assert_eq!(paths(&["drafts/deep"]), ["drafts/deep/a.json"]);
    assert_eq!(paths(&["."]), ["en.json"]);
    assert_eq!(paths(&["gen", "en.old.json"]), ["en.old.json", "gen/b.json"]);
    assert_eq!(paths(&["gen", "en.old.json", "en.json", "--force-exclude"]), ["en.json"]);
    let hook = run(&folder, &["check", "en.old.json", "drafts/deep/a.json", "--force-exclude"]);
    // Nothing was checked, which only a hook accepts.
    assert_eq!(hook.status.code(), Some(2));
    assert!(stderr(&hook).contains("2 files skipped"), "{}", stderr(&hook));
    let form =
        ["check", "en.old.json", "drafts/deep/a.json", "--force-exclude", "--only-documents"];
    assert_eq!(status(&folder, &form), 0);
    let json = run(&folder, &["check", "en.old.json", "--force-exclude", "--format", "json"]);
    assert!(stdout(&json).contains("excluded by `*.old.json`"));
}

#[test]
fn in_folders_only_what_is_included_is_looked_at() {
    let folder = project(
        "include",
        &[
            (
                "voxlint.toml",
                "include = [\"agents/\", \"*.agent.json\"]\nexclude = [\"agents/old/\"]\n",
            ),
            ("agents/en.json", FAULTY),
            ("agents/old/en.json", FAULTY),
            ("front.agent.json", FAULTY),
            ("other.json", FAULTY),
        ],
    );
    let only = ["--select", "out-of-range"];
    assert_eq!(
        places(&folder, &only),
        at(&[("agents/en.json", ERROR), ("front.agent.json", ERROR)])
    );
    let named = places(&folder, &["other.json", only[0], only[1]]);
    assert_eq!(named, at(&[("other.json", ERROR)]));
}

const WORLD: [(&str, &str); 6] = [
    (
        "voxlint.toml",
        "facts = \"facts.json\"\n\
         variables = [\"customer\"]\n\
         [[documents]]\n\
         files = \"agents/*\"\n\
         kind = \"update\"\n\
         agent_id = \"ag_front\"\n\
         stored = \"stored/{stem}.json\"\n\
         text_files = { prompt_text = \"{stem}.prompt.hbs\" }\n",
    ),
    ("facts.json", "{ \"voices\": { \"vo_a\": { \"provider\": \"p\" } } }"),
    ("agents/en.json", "{ \"version_number\": 3, \"voice_id\": \"vo_gone\" }"),
    ("agents/de.json", "{ \"version_number\": 3, \"voice_id\": \"vo_a\" }"),
    ("agents/stored/en.json", "{ \"version_number\": 3, \"is_published\": true }"),
    ("agents/en.prompt.hbs", "Hi {{custmer}}\n"),
];

#[test]
fn documents_are_checked_against_what_the_configuration_names() {
    let folder = project("world", &WORLD);
    let rules = |arguments: &[&str]| -> Vec<String> {
        let lines = found(&folder, arguments).into_iter();
        let rule = |line: String| line.split(['[', ']']).nth(1).unwrap().to_owned();
        lines.map(rule).collect()
    };
    let all = ["published-version-edited", "unknown-id", "unknown-template-variable"];
    assert_eq!(rules(&[]), all);
    assert_eq!(rules(&["agents/en.json"]), all);
    assert_eq!(rules(&["agents/de.json"]), [""; 0]);
    assert_eq!(rules(&["--isolated", "agents/en.json"]), [""; 0]);
    // Related files are not documents, unless they are named.
    let report = run(&folder, &["check", "--format", "json", "-q"]);
    let report: Value = serde_json::from_slice(&report.stdout).unwrap();
    assert_eq!(report["summary"]["documents"], 2);

    let predicted = |arguments: &[&str]| {
        let all = [&["predict", "agents/en.json", "--format", "json"][..], arguments].concat();
        stdout(&run(&folder, &all)).to_owned()
    };
    for reason in ["version 3 is published", "is not among the workspace's voices"] {
        assert!(predicted(&[]).contains(reason), "{reason}");
        assert!(!predicted(&["--isolated"]).contains(reason), "{reason}");
    }
    fs::write(folder.join("agents/en.prompt.hbs"), "Hi {{custmer\n").unwrap();
    assert!(predicted(&[]).contains("template-syntax-error"));
    let diff = run(&folder, &["diff", "agents/stored/en.json", "agents/en.json"]);
    assert!(stderr(&diff).contains("unknown-id"), "{}", stderr(&diff));
}

#[test]
fn the_command_line_counts_before_the_configuration() {
    let folder = project("command-line", &WORLD);
    fs::write(folder.join("draft.json"), "{ \"version_number\": 3, \"is_published\": false }")
        .unwrap();
    fs::write(folder.join("more.json"), "{ \"voices\": { \"vo_gone\": { \"provider\": \"p\" } } }")
        .unwrap();
    fs::write(folder.join("agents/en.txt"), "Hello {{#if}}\n").unwrap();
    let has = |arguments: &[&str], rule: &str| {
        let all = [&["agents/en.json"][..], arguments].concat();
        found(&folder, &all).iter().any(|line| line.contains(&format!("[{rule}]")))
    };
    assert!(has(&[], "published-version-edited"));
    assert!(!has(&["--stored", "draft.json"], "published-version-edited"));
    assert!(!has(&["--facts", "more.json"], "unknown-id"));
    let texts = ["--text-files", "prompt_text={stem}.txt"];
    assert!(has(&texts, "template-syntax-error"));
    assert!(!has(&texts, "unknown-template-variable"));
    assert!(has(&["--kind", "agent"], "missing-field"));
}

#[test]
fn the_entry_of_documents_sets_their_kind_and_agent_type() {
    let flow = "[[documents]]\nfiles = \"flows/\"\nagent_type = \"Conversational_Flow_Agent\"\n";
    let update = "{ \"version_number\": 3, \"node_positions\": \"{}\", \"pipeline_type\": \"Cascaded\",\
                  \"agent_identity\": \"You are the desk.\", \"agent_background\": \"Forty rooms.\" }";
    let folder = project(
        "entries",
        &[
            (
                "voxlint.toml",
                &format!("{flow}[[documents]]\nfiles = \"keys/*\"\nkind = \"api-keys\"\n"),
            ),
            ("flows/en.json", update),
            ("other/en.json", update),
            ("keys/x.json", "{ \"whatever\": 1 }"),
        ],
    );
    let lines = found(&folder, &[]);
    let has =
        |path: &str, rule: &str| lines.iter().any(|it| it.starts_with(path) && it.contains(rule));
    assert!(has("flows/en.json", "[pipeline-without-effect]"), "{lines:?}");
    assert!(!has("other/en.json", "[pipeline-without-effect]"), "{lines:?}");
    assert!(has("keys/x.json", "error["), "a file that has a kind is a document: {lines:?}");
}

#[test]
fn an_unusable_related_file_fails_the_run_and_documents_are_reported() {
    for (file, text, message) in [
        (
            "facts.json",
            Some("{ \"voices\": ["),
            "facts.json: cannot be used as workspace facts: 1:13",
        ),
        ("facts.json", None, "facts.json: no such file or directory"),
        (
            "agents/stored/en.json",
            Some("{ \"a\": "),
            "stored/en.json: cannot be used as the stored configuration",
        ),
        (
            "agents/stored/en.json",
            Some("{ \"phone_numbers\": [] }"),
            "it contains neither an agent nor",
        ),
    ] {
        let folder = project("unusable", &WORLD);
        fs::write(folder.join("agents/en.json"), FAULTY).unwrap();
        match text {
            Some(text) => fs::write(folder.join(file), text).unwrap(),
            None => fs::remove_file(folder.join(file)).unwrap(),
        }
        let output = run(&folder, &["check", "--format", "concise"]);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
        assert!(stdout(&output).contains(&format!("agents/en.json:{ERROR}")), "{message}");
        let predict = run(&folder, &["predict", "agents/en.json"]);
        assert_eq!(predict.status.code(), Some(2), "{message}");
        assert!(stderr(&predict).contains(message), "{}", stderr(&predict));
    }
}

#[test]
fn an_error_names_the_line_with_unusable_facts() {
    let named_by_entry = "[[documents]]\nfiles = \"*.json\"\nfacts = \"nope.yaml\"\n";
    for (text, line) in [("root = true\nfacts = \"nope.yaml\"\n", 2), (named_by_entry, 3)] {
        let folder = project("who-names", &[("voxlint.toml", text), ("en.json", "{}")]);
        let expected =
            format!("voxlint: nope.yaml: no such file or directory (voxlint.toml:{line} names it)");
        let said = |arguments: &[&str]| {
            let output = run(&folder, arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            stderr(&output).to_owned()
        };
        for command in [&["check"][..], &["predict", "en.json"], &["baseline", "write"]] {
            assert!(said(command).contains(&expected), "{}", said(command));
        }
        fs::write(folder.join("nope.yaml"), "voices: 3\n").unwrap();
        let faulty = said(&["check"]);
        assert!(faulty.contains(&format!("(voxlint.toml:{line} names it)")), "{faulty}");
        // No line names the facts of the command line.
        assert!(!said(&["check", "--facts", "nope.yaml"]).contains("names it"));
    }
}

#[test]
fn a_shared_related_file_is_reported_once() {
    let folder = project(
        "shared-partner",
        &[
            ("voxlint.toml", "[[documents]]\nfiles = \"*.json\"\nstored = \"stored.json\"\n"),
            ("stored.json", "{"),
            ("de.json", FAULTY),
            ("en.json", FAULTY),
        ],
    );
    let output = run(&folder, &["check", "-q"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output).matches("stored.json").count(), 1, "{}", stderr(&output));
}

#[test]
fn the_last_matching_override_sets_the_level_of_a_rule() {
    let folder = project(
        "levels",
        &[
            (
                "voxlint.toml",
                "[rules]\ncorrectness = \"info\"\nout-of-range = \"warning\"\n\
                 [[overrides]]\nfiles = \"live/\"\nrules = { out-of-range = \"error\" }\n\
                 [[overrides]]\nfiles = \"live/beta/\"\nrules = { correctness = \"off\" }\n",
            ),
            ("en.json", FAULTY),
            ("live/en.json", FAULTY),
            ("live/beta/en.json", FAULTY),
        ],
    );
    let expected = at(&[
        ("en.json", "1:41: warning[out-of-range]"),
        ("en.json", "1:45: info[unknown-field]"),
        ("live/en.json", ERROR),
        ("live/en.json", "1:45: info[unknown-field]"),
    ]);
    assert_eq!(places(&folder, &[]), expected);
    assert_eq!(status(&folder, &["check", "en.json"]), 0);
    assert_eq!(status(&folder, &["check", "en.json", "--strict"]), 1);
    let loud = places(&folder, &["en.json", "--level", "correctness=error,unknown-field=warning"]);
    assert_eq!(loud, at(&[("en.json", ERROR), ("en.json", WARNING)]));
    let selected = places(&folder, &["--select", "unknown-field", "live/beta/en.json"]);
    assert_eq!(selected, at(&[("live/beta/en.json", WARNING)]));
    assert_eq!(places(&folder, &["--ignore", "correctness"]), [""; 0]);
    assert_eq!(places(&folder, &["--ignore", "out-of-range,unknown-field"]), [""; 0]);
}

#[test]
fn rules_that_are_off_by_default_can_be_turned_on() {
    let text = r#"{ "version_number": 3, "agent_functions":
        [{ "displayName": "a", "type": "custom", "description": "Look it up.", "config": {} }] }"#;
    let folder = project("off-by-default", &[("en.json", text)]);
    let found = at(&[("en.json", "1:24: info[no-end-call-function]")]);
    assert_eq!(places(&folder, &["--select", "recommended"]), [""; 0]);
    assert_eq!(places(&folder, &[]), [""; 0]);
    for options in [
        &["--select", "recommended,no-end-call-function"][..],
        &["--select", "suspicious"],
        &["--level", "no-end-call-function=info"],
    ] {
        assert_eq!(places(&folder, options), found, "{options:?}");
    }
}

const HOUSE: &str = "\
[[house_rules]]
id = \"title-names-team\"
field = \"/title\"
must_match = \"^[A-Z]+: \"
message = \"the title must begin with its team\"
help = \"write it as in `OPS: Front desk`\"
level = \"error\"

[[house_rules]]
id = \"has-owner\"
field = \"/x_owner\"
required = true
";

#[test]
fn house_rules_are_rules_like_any_other() {
    let folder = project(
        "house",
        &[("voxlint.toml", HOUSE), ("en.json", "{ \"version_number\": 3, \"title\": \"Desk\" }")],
    );
    let title = "1:33: error[title-names-team]";
    let lines = places(&folder, &[]);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines.contains(&format!("en.json:{title}")), "{lines:?}");
    assert_eq!(places(&folder, &["--select", "title-names-team"]), at(&[("en.json", title)]));
    assert_eq!(places(&folder, &["--ignore", "house"]), [""; 0]);
    assert_eq!(
        places(&folder, &["--level", "house=info", "--ignore", "has-owner"]),
        at(&[("en.json", "1:33: info[title-names-team]")])
    );
    assert!(stdout(&run(&folder, &["rules"])).contains("title-names-team"));
    let explained = run(&folder, &["explain", "title-names-team"]);
    assert_eq!(explained.status.code(), Some(0));
    assert!(stdout(&explained).contains("the title must begin with its team"));
    let json: Value =
        serde_json::from_slice(&run(&folder, &["rules", "--format", "json"]).stdout).unwrap();
    let ids: Vec<_> = json["rules"].as_array().unwrap().iter().map(|rule| &rule["id"]).collect();
    assert!(ids.contains(&&Value::from("has-owner")));
    let sarif = run(&folder, &["check", "--format", "sarif"]);
    let sarif: Value = serde_json::from_slice(&sarif.stdout).unwrap();
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    for result in sarif["runs"][0]["results"].as_array().unwrap() {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    // Without the configuration, the rule is unknown.
    assert_eq!(status(&folder, &["explain", "has-owner", "--isolated"]), 2);
}

#[test]
fn no_text_of_a_house_rule_steers_the_terminal() {
    let rule = "[[house_rules]]\nid = \"of-ours\"\nfield = \"/title\"\nmax_length = 3\n\
        message = \"red \\u001B[31m and \\u202E back\"\nhelp = \"clear \\u001B[2J it\"\n";
    let folder = project("steering", &[("voxlint.toml", rule)]);
    for arguments in [&["explain", "of-ours"][..], &["rules"], &["config", "show"]] {
        let output = run(&folder, arguments);
        let shown = stdout(&output);
        assert!(shown.contains("u{1b}[31m") || shown.contains("u001b[31m"), "{shown}");
        assert!(!shown.contains(['\u{1b}', '\u{202e}']), "{arguments:?}: {shown:?}");
    }
}

#[test]
fn a_misspelled_rule_on_the_command_line_is_reported() {
    let folder = project("typos", &[("voxlint.toml", HOUSE), ("en.json", FAULTY)]);
    for (arguments, message) in [
        (
            &["--select", "out-of-rang"][..],
            "--select: there is no rule `out-of-rang`: did you mean `out-of-range`?",
        ),
        (
            &["--ignore", "has-ower"],
            "--ignore: there is no rule `has-ower`: did you mean `has-owner`?",
        ),
        (
            &["--level", "corectness=off"],
            "--level: there is no rule `corectness`: did you mean `correctness`?",
        ),
        (
            &["--ignore", "zzzzzz"],
            "--ignore: there is no rule `zzzzzz`: `voxlint rules` lists all rules",
        ),
        (
            &["--level", "out-of-range=loud"],
            "`loud` is not a valid level: use off, info, warning or error",
        ),
        (&["--level", "out-of-range=warn"], "`warn` is not a valid level: did you mean `warning`?"),
        (&["--level", "out-of-range"], "write RULE=LEVEL"),
    ] {
        for command in [&["check"][..], &["baseline", "write"], &["config", "show"]] {
            let output = run(&folder, &[command, arguments].concat());
            assert_eq!(output.status.code(), Some(2), "{arguments:?}");
            assert!(stderr(&output).contains(message), "{}", stderr(&output));
            assert_eq!(stdout(&output), "", "{arguments:?}");
        }
    }
    assert!(!folder.join("voxlint-baseline.json").exists());
}

/// A house rule applies only to the files of its own configuration.
#[test]
fn a_house_rule_may_be_selected_where_some_of_the_files_do_not_know_it() {
    let folder = project(
        "some-know",
        &[
            ("a/voxlint.toml", HOUSE),
            ("a/en.json", "{ \"version_number\": 3, \"title\": \"Desk\" }"),
            ("b/en.json", FAULTY),
        ],
    );
    let only = at(&[("a/en.json", "1:33: error[title-names-team]")]);
    assert_eq!(places(&folder, &["--select", "title-names-team"]), only);
    assert_eq!(places(&folder, &["--ignore", "house", "b"]).len(), 2);
    assert_eq!(status(&folder, &["check", "b", "--select", "title-names-team"]), 2);
}

#[test]
fn members_of_the_teams_own_are_allowed_by_name() {
    let text = "[rules]\nunknown-field = { allow = [\"x_*\"] }\n";
    let folder = project("allow", &[("voxlint.toml", text), ("en.json", FAULTY)]);
    assert_eq!(places(&folder, &[]), at(&[("en.json", ERROR)]));
    assert_eq!(places(&folder, &["--isolated"]), at(&[("en.json", ERROR), ("en.json", WARNING)]));
}

#[test]
fn an_unlisted_template_variable_is_found() {
    let text = "variables = [\"customer\", \"crm_*\"]\n";
    let update =
        "{ \"version_number\": 3, \"welcome_message\": \"Hi {{customer}} {{crm_id}} {{nmae}}\" }";
    let folder = project("variables", &[("voxlint.toml", text), ("en.json", update)]);
    let lines = found(&folder, &[]);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("nmae"), "{lines:?}");
    assert_eq!(found(&folder, &["--isolated"]), [""; 0]);
}

#[test]
fn every_setting_is_shown_with_where_it_was_made() {
    let folder = project("show", &WORLD);
    let shown = |from: &str, arguments: &[&str]| {
        let output = run(&folder.join(from), &[&["config", "show"], arguments].concat());
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output).to_owned()
    };
    let all = shown("", &[]);
    assert!(all.contains("# voxlint.toml:1"), "{all}");
    let of_file = shown("", &["agents/en.json"]);
    for (setting, line) in [
        ("agent_id = \"ag_front\"", 6),
        ("kind = \"update\"", 5),
        ("agents/stored/en.json\"", 7),
        ("agents/en.prompt.hbs\"", 8),
    ] {
        let place = format!("# voxlint.toml:{line}");
        let is_it = |it: &str| it.contains(setting) && it.ends_with(&place);
        assert!(of_file.lines().any(is_it), "{setting}: {of_file}");
    }
    assert!(shown("agents", &["en.json"]).contains("# ../voxlint.toml:6"));
    assert!(shown("agents", &[]).starts_with("# ../voxlint.toml\n"));
    assert!(shown("", &["--isolated"]).starts_with("# no voxlint.toml applies here"));
    let level = shown("", &["--level", "unknown-field=error"]);
    assert!(
        level.lines().any(|it| it.contains("unknown-field") && it.ends_with("# --level")),
        "{level}"
    );
    let json: Value =
        serde_json::from_str(&shown("", &["agents/en.json", "--format", "json"])).unwrap();
    let settings = json["settings"].as_array().unwrap();
    let kind = settings.iter().find(|it| it["key"] == "kind").unwrap();
    assert_eq!(
        (&kind["value"], &kind["file"], &kind["line"]),
        (&"update".into(), &"voxlint.toml".into(), &5.into())
    );
}

#[test]
fn a_folder_uses_its_own_configuration() {
    let folder = project(
        "show-folder",
        &[("voxlint.toml", ""), ("team/voxlint.toml", "[rules]\nunknown-field = \"off\"\n")],
    );
    for path in ["team", "team/", "team/en.json"] {
        let output = run(&folder, &["config", "show", path]);
        assert!(stdout(&output).starts_with("# team/voxlint.toml\n"), "{path}");
    }
}

#[test]
fn standard_input_is_checked_like_the_named_file() {
    let output = run_with_input(&["check", "-", "--format", "concise", "--isolated"], FAULTY);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).starts_with(&format!("<stdin>:{ERROR}")));
}
