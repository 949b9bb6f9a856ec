//! Runs as pre-commit starts them: with all changed files, in any order and in several runs.

use std::path::{Path, PathBuf};

use crate::process::{folder, places, run, status, stderr, stdout};
use voxlint_testing::repository;

/// The arguments of every run of the hook.
const HOOK: [&str; 2] = ["--force-exclude", "--only-documents"];

const GOOD: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 3 }\n";
const FAULTY: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 12 }\n";
const ERROR: &str = "1:41: error[out-of-range]";

/// The stored configuration: an agent with its version, which has a prompt that an update may omit.
const HELD: &str = "{ \"version_number\": 3, \"agent_id\": \"7c1\", \"kb_max_chunks\": 3, \
                    \"transcriber_id\": \"a\", \"created_at\": \"2026-01-01T00:00:00Z\" }\n";

/// A project with these files, which begins where it is a folder of its own.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let head = [(".git/HEAD", "ref: refs/heads/main\n")];
    folder(&format!("hook/{name}"), &[&head, files].concat())
}

/// The findings of the hook, without the messages.
fn hook(folder: &Path, files: &[&str]) -> Vec<String> {
    places(folder, &[&HOOK, files].concat())
}

/// The files that the hook was given and has not checked, each with the reason.
fn skipped_files(folder: &Path, files: &[&str]) -> Vec<String> {
    let output = run(folder, &[&["check", "--format", "json"], &HOOK[..], files].concat());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let skipped = report["skipped"].as_array().unwrap().iter();
    let text = |value: &serde_json::Value| value.as_str().unwrap().to_owned();
    skipped.map(|it| format!("{}: {}", text(&it["path"]), text(&it["why"]))).collect()
}

/// Files of other tools, some of which resemble agent documents.
const FOREIGN: [(&str, &str); 9] = [
    (
        "package.json",
        "{ \"name\": \"shop\", \"version\": \"1.0.0\", \"description\": \"a shop\" }\n",
    ),
    ("tsconfig.json", "// for editors\n{ \"compilerOptions\": { \"strict\": true, }, }\n"),
    ("empty.json", ""),
    ("list.json", "[1, 2]\n"),
    (".github/workflows/ci.yml", "on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n"),
    ("Cargo.toml", "[package]\nname = \"shop\"\nversion = \"1.0.0\"\n"),
    ("poetry.lock", "[[package]]\nname = \"six\"\n"),
    ("events.ndjson", "{\"level\":\"info\"}\n"),
    ("views/page.hbs", "<html><body>{{> header}</body></html>\n"),
];

#[test]
fn files_of_other_tools_are_skipped_and_documents_are_checked() {
    let folder = project("foreign", &[&FOREIGN[..], &[("bad.json", FAULTY)]].concat());
    let names: Vec<&str> = FOREIGN.iter().map(|(name, _)| *name).collect();
    assert_eq!(hook(&folder, &names), [""; 0]);
    assert_eq!(skipped_files(&folder, &names).len(), names.len());
    let output = run(&folder, &[&["check"], &HOOK[..], &names].concat());
    let said = "no agent documents found · 9 files skipped\n";
    assert_eq!((stdout(&output), stderr(&output)), ("", said));
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(hook(&folder, &[&names[..], &["bad.json"]].concat()), [format!("bad.json:{ERROR}")]);
    // Without the flag, a named file is checked.
    assert_eq!(status(&folder, &["check", "package.json"]), 1);
}

#[test]
fn a_named_document_has_the_findings_of_a_run_over_everything() {
    let folder = project(
        "near-misses",
        &[
            ("misspelled.json", "{ \"promt_text\": \"hi\", \"welcom_message\": \"hi\" }\n"),
            ("broken.json", "{ \"version_number\": 3, \"kb_max_chunks\": \n"),
            ("deep/prompt.hbs", "Hello {{name}.\n"),
            ("deep/lines.ndjson", FAULTY),
            ("deep/en.yaml", "version_number: 3\nkb_max_chunks: 12\n"),
        ],
    );
    let names =
        ["misspelled.json", "broken.json", "deep/prompt.hbs", "deep/lines.ndjson", "deep/en.yaml"];
    let everything = places(&folder, &[]);
    assert!(names.iter().all(|name| everything.iter().any(|line| line.starts_with(name))));
    assert_eq!(hook(&folder, &names), everything);
}

#[test]
fn settings_of_a_folder_apply_to_named_files() {
    let folder = project(
        "included",
        &[
            (
                "voxlint.toml",
                "include = [\"agents/\"]\nexclude = [\"attic/\"]\n[[documents]]\nfiles = \"agents/odd.json\"\nkind = \"update\"\n",
            ),
            ("agents/en.json", FAULTY),
            ("agents/odd.json", "{ \"name\": \"x\" }\n"),
            ("agents/attic/en.json", FAULTY),
            ("other/en.json", FAULTY),
        ],
    );
    let names = [
        "voxlint.toml",
        "agents/en.json",
        "agents/odd.json",
        "agents/attic/en.json",
        "other/en.json",
    ];
    let found = hook(&folder, &names);
    assert_eq!(found, places(&folder, &[]));
    // A stated kind is not guessed.
    assert!(found.iter().any(|line| line.starts_with("agents/odd.json")), "{found:?}");
    assert_eq!(
        skipped_files(&folder, &names),
        [
            "agents/attic/en.json: excluded by `attic/`",
            "other/en.json: not included by the configuration",
            "voxlint.toml: unknown extension",
        ]
    );
    // Without `--force-exclude`, an excluded file is checked when it is named.
    assert_eq!(places(&folder, &["--only-documents", "agents/attic/en.json"]).len(), 1);
}

#[test]
fn a_faulty_configuration_fails_the_hook() {
    let folder = project("at-fault", &[("voxlint.toml", "exclud = []\n"), ("en.json", GOOD)]);
    assert_eq!(status(&folder, &["check", HOOK[0], HOOK[1], "voxlint.toml"]), 2);
    assert_eq!(status(&folder, &["check", HOOK[0], HOOK[1], "gone.lock"]), 2);
}

/// A project whose documents are checked with related files next to them.
fn team(name: &str) -> PathBuf {
    project(
        name,
        &[
            (
                "voxlint.toml",
                "facts = \"workspace.yaml\"\n[[documents]]\nfiles = \"agents/\"\n\
                 stored = \"../stored/{stem}.json\"\ntext_files = { prompt_text = \"{stem}.prompt.hbs\" }\n",
            ),
            ("workspace.yaml", "transcribers:\n  a: {}\n"),
            ("agents/de.json", FAULTY),
            ("agents/en.json", GOOD),
            ("agents/en.prompt.hbs", "Hello {{name}.\n"),
            ("stored/de.json", HELD),
            ("stored/en.json", HELD),
            ("package.json", FOREIGN[0].1),
        ],
    )
}

#[test]
fn the_hook_checks_the_documents_of_a_related_file() {
    let folder = team("team");
    let prompt = "agents/en.prompt.hbs:1:13: error[template-syntax-error]".to_owned();
    let both = [format!("agents/de.json:{ERROR}"), prompt.clone()];
    assert_eq!(places(&folder, &[]), both);
    // Alone, without the document.
    assert_eq!(hook(&folder, &["agents/en.prompt.hbs"]), [&*prompt]);
    assert_eq!(hook(&folder, &["stored/en.json"]), [&*prompt]);
    assert_eq!(hook(&folder, &["stored/de.json"]), both[..1]);
    assert_eq!(hook(&folder, &["workspace.yaml"]), both);
    // Beside it, and from another folder.
    assert_eq!(
        hook(&folder, &["stored/en.json", "agents/en.json", "agents/en.prompt.hbs"]),
        [prompt]
    );
    let from_inside = hook(&folder.join("agents"), &["../stored/de.json"]);
    assert_eq!(from_inside, [format!("de.json:{ERROR}")]);
    // Related files are not listed as skipped.
    let listed = ["stored/en.json", "agents/en.prompt.hbs", "agents/en.json"];
    assert_eq!(skipped_files(&folder, &listed), [""; 0]);
    let output = run(&folder, &[&["check", "--show-files"], &HOOK[..], &listed].concat());
    for used in ["stored/en.json: stored", "agents/en.prompt.hbs: text"] {
        assert!(stderr(&output).contains(&format!("used    {used}")), "{}", stderr(&output));
    }
    assert!(!stderr(&output).contains("skipped"), "{}", stderr(&output));
}

#[test]
fn text_files_of_the_command_line_are_not_documents() {
    let folder = project(
        "conventions",
        &[("agents/en.json", GOOD), ("agents/en.prompt.hbs", "Hello {{name}.\n")],
    );
    let convention = ["--text-files", "prompt_text={stem}.prompt.hbs"];
    let found = hook(&folder, &[&convention[..], &["agents/en.prompt.hbs"]].concat());
    assert_eq!(found, ["agents/en.prompt.hbs:1:13: error[template-syntax-error]"]);
}

/// A project whose texts have a name of their own, checked in every way: each one has to find the same.
fn texts_named(name: &str, toml: &str, document: (&str, &str), text: &str, options: &[&str]) {
    let broken = (text, "Hello {{name}.\n");
    let files = [("voxlint.toml", toml), document, broken];
    let folder = project(&format!("texts-{name}"), &files);
    let walked = places(&folder, options);
    let told = walked.iter().filter(|line| line.contains("template-syntax-error")).count();
    assert_eq!(told, 1, "{name}: {walked:?}");
    for listed in [&[text][..], &[document.0, text], &[text, document.0], &[document.0]] {
        for flags in [&HOOK[..], &["--only-documents"]] {
            let found = places(&folder, &[options, flags, listed].concat());
            assert_eq!(found, walked, "{name}: {flags:?} {listed:?}");
        }
    }
}

#[test]
fn texts_with_any_extension_stand_for_their_documents() {
    let lines = GOOD.repeat(2);
    let documents = [
        ("update", "a.json", GOOD),
        ("broken", "a.json", "{ \"version_number\": 3,, \"title\": \"Front desk\" }"),
        (
            "agent",
            "a.json",
            "{ \"id\": \"ag_1\", \"agent_type\": \"Single_Prompt_Agent\", \"versions\": [] }",
        ),
        ("foreign", "a.json", "{ \"foo\": 1 }"),
        ("lines", "a.ndjson", &*lines),
    ];
    for (kind, document, content) in documents {
        for extension in ["md", "hbs"].into_iter().take(voxlint_testing::cases(1, 2) as usize) {
            let (_, end) = document.split_once('.').unwrap();
            let text = format!("a.{extension}");
            let name = |case: &str| format!("{kind}-{extension}-{case}");
            let toml = format!(
                "[[documents]]\nfiles = [\"*.{end}\"]\ntext_files = {{ prompt_text = \"{{stem}}.{extension}\" }}\n"
            );
            texts_named(&name("stated"), &toml, (document, content), &text, &[]);
            // An excluded file is still checked as a text file.
            for (case, left_out) in [
                ("excluded", format!("exclude = [\"*.{extension}\"]\n{toml}")),
                ("not-included", format!("include = [\"*.{end}\"]\n{toml}")),
            ] {
                texts_named(&name(case), &left_out, (document, content), &text, &[]);
            }
            let convention = format!("prompt_text={{stem}}.{extension}");
            let convention = ["--text-files", &*convention];
            texts_named(&name("argued"), "", (document, content), &text, &convention);
        }
    }
}

#[test]
fn the_hook_checks_the_document_of_a_stored_configuration() {
    let toml = "exclude = [\"stored/\"]\n[[documents]]\nfiles = \"*.json\"\nstored = \"stored/{stem}.state\"\n";
    let files = [("voxlint.toml", toml), ("en.json", FAULTY), ("stored/en.state", HELD)];
    let folder = project("stored-named", &files);
    let walked = places(&folder, &[]);
    assert!(!walked.is_empty());
    assert_eq!(hook(&folder, &["stored/en.state"]), walked);
    // Files that belong to no document are skipped, whatever they contain.
    std::fs::write(folder.join("notes.md"), "Hello {{name\n").unwrap();
    assert_eq!(hook(&folder, &["notes.md"]), [""; 0]);
    assert_eq!(skipped_files(&folder, &["notes.md"]), ["notes.md: unknown extension"]);
}

#[test]
fn unrelated_configurations_are_not_read() {
    let folder = project(
        "nested",
        &[
            ("voxlint.toml", "facts = \"workspace.yaml\"\n"),
            ("workspace.yaml", "transcribers:\n  a: {}\n"),
            ("en.json", GOOD),
            ("fixtures/voxlint.toml", "nonsense\n"),
            ("fixtures/en.json", FAULTY),
        ],
    );
    assert_eq!(hook(&folder, &["en.json", "workspace.yaml"]), [""; 0]);
}

#[test]
fn every_split_of_the_files_finds_the_same() {
    let folder = team("split");
    let files = [
        "agents/de.json",
        "agents/en.json",
        "agents/en.prompt.hbs",
        "stored/de.json",
        "stored/en.json",
        "package.json",
        "voxlint.toml",
        "workspace.yaml",
    ];
    let whole = hook(&folder, &files);
    for at in 1..files.len() {
        let (left, right) = files.split_at(at);
        let mut parts = [hook(&folder, left), hook(&folder, right)].concat();
        parts.sort();
        parts.dedup();
        assert_eq!(parts, whole, "{at}");
    }
}

#[test]
fn a_part_of_the_files_calls_no_suppression_unused() {
    let folder = project(
        "suppressed",
        &[
            (
                "voxlint.toml",
                "[[suppressions]]\nfiles = \"agents/*.json\"\nrules = \"out-of-range\"\nreason = \"raised for us\"\n",
            ),
            ("agents/bad.json", FAULTY),
            ("agents/good.json", GOOD),
        ],
    );
    for files in
        [&["agents/good.json"][..], &["agents/bad.json"], &["agents/good.json", "agents/bad.json"]]
    {
        assert_eq!(hook(&folder, files), [""; 0], "{files:?}");
    }
    std::fs::write(folder.join("agents/bad.json"), GOOD).unwrap();
    assert_eq!(hook(&folder, &["agents/good.json", "agents/bad.json"]), [""; 0]);
    // The hook over everything sees that nothing needs it any more.
    assert_eq!(places(&folder, &[]), ["voxlint.toml:3:9: warning[unused-suppression]"]);
}

/// Every hook for the changed files that the package or a page shows: the arguments of `voxlint check`.
fn documented_hooks() -> Vec<Vec<String>> {
    let read = |path: &str| std::fs::read_to_string(repository().join(path)).unwrap();
    let (hooks, page) = (read(".pre-commit-hooks.yaml"), read("docs/ci.md"));
    // A pattern would hide text files, which can have any name.
    for text in [&hooks, &page] {
        let is_pattern = |line: &str| {
            ["files:", "glob:", "types:", "types_or:"].iter().any(|it| line.starts_with(it))
        };
        assert_eq!(text.lines().find(|line| is_pattern(line.trim())), None);
    }
    assert!(page.contains("\"*\": \"voxlint check "));
    let commands: Vec<Vec<String>> = hooks
        .lines()
        .chain(page.lines())
        .filter(|line| line.contains("voxlint check --") && line.contains(" --only-documents"))
        .filter_map(|line| line.split_once("voxlint check ").map(|(_, it)| it))
        .map(|it| it.split([' ', '"']).filter(|it| it.starts_with("--") && it.len() > 2))
        .map(|arguments| arguments.map(str::to_owned).collect())
        .collect();
    assert_eq!(commands.len(), 5);
    commands
}

/// Runs git in a folder; `None` if there is no git.
fn git(folder: &Path, arguments: &[&str]) -> Option<String> {
    let mut git = std::process::Command::new("git");
    git.args([
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.org",
        "-c",
        "core.hooksPath=/dev/null",
    ]);
    git.args(arguments).current_dir(folder).env_remove("GIT_DIR").env_remove("GIT_INDEX_FILE");
    git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    let output = git.output().ok()?;
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    Some(stdout(&output).to_owned())
}

#[test]
fn a_commit_that_breaks_a_file_of_any_name_is_stopped_by_every_documented_hook() {
    let documents = [
        ("a.json", FAULTY),
        ("b.JSON", FAULTY),
        ("c.jsonc", FAULTY),
        ("d.ndjson", FAULTY),
        ("e.jsonl", FAULTY),
        ("f.yaml", "version_number: 3\nkb_max_chunks: 12\n"),
        ("g.yml", "version_number: 3\nkb_max_chunks: 12\n"),
        ("h.toml", "version_number = 3\nkb_max_chunks = 12\n"),
        ("i.hbs", "Hello {{name}.\n"),
        ("j.handlebars", "Hello {{name}.\n"),
        ("k.j2", "Hello {{name}.\n"),
        ("template", "Hello {{name}.\n"),
    ];
    let texts = ["md", "txt", "hbs", "prompt", "html", "MD", "json5", "j2", ""];
    let mut toml =
        vec!["[[documents]]\nfiles = [\"*.j2\", \"template\"]\nkind = \"template\"\n".to_owned()];
    for (index, extension) in texts.into_iter().enumerate() {
        let dot = if extension.is_empty() { "" } else { "." };
        toml.push(format!(
            "[[documents]]\nfiles = \"agents/{index}.json\"\n\
             text_files = {{ prompt_text = \"../texts/{{stem}}-prompt{dot}{extension}\" }}\n"
        ));
    }
    let folder = folder("hook/any-name", &[("voxlint.toml", &*toml.concat())]);
    if git(&folder, &["init", "-q"]).is_none() {
        voxlint_testing::skip("there is no git");
        return;
    }
    std::fs::create_dir(folder.join("agents")).unwrap();
    std::fs::create_dir(folder.join("texts")).unwrap();
    let mut broken = Vec::new();
    for (index, extension) in texts.into_iter().enumerate() {
        let dot = if extension.is_empty() { "" } else { "." };
        std::fs::write(folder.join(format!("agents/{index}.json")), GOOD).unwrap();
        let text = format!("texts/{index}-prompt{dot}{extension}");
        std::fs::write(folder.join(&text), "Hello.\n").unwrap();
        let finding = format!("{text}:");
        broken.push((text, "Hello {{name}.\n", finding));
    }
    git(&folder, &["add", "."]);
    git(&folder, &["commit", "-qm", "first"]);
    broken.extend(documents.map(|(name, text)| (name.to_owned(), text, format!("{name}:"))));
    let hooks = documented_hooks();
    for (name, text, finding) in broken {
        std::fs::write(folder.join(&name), text).unwrap();
        git(&folder, &["add", "."]);
        let staged = git(&folder, &["diff", "--cached", "--name-only"]).unwrap();
        assert_eq!(staged.trim(), name);
        // The first hook of the package, and the one that fixes, which has other arguments.
        for hook in hooks.iter().filter(|hook| !hook.contains(&"--fix".to_owned())) {
            let arguments: Vec<&str> = hook.iter().map(String::as_str).chain([&*name]).collect();
            let found = places(&folder, &arguments);
            assert!(matches!(&found[..], [one] if one.starts_with(&finding)), "{name}: {found:?}");
        }
        git(&folder, &["reset", "-q", "--hard"]);
    }
}

#[test]
fn a_commit_is_not_refused_for_the_state_of_the_workspace() {
    let toml = "facts = \"workspace.json\"\n[[documents]]\nfiles = \"agents/\"\nstored = \"../held/{stem}.json\"\n";
    let held = "{ \"agent\": { \"id\": \"ag_1\", \"agent_type\": \"Single_Prompt_Agent\" }, \
                \"version\": { \"version_number\": 3, \"is_published\": true, \"title\": \"Desk\" } }";
    let files = [
        ("voxlint.toml", toml),
        ("workspace.json", "{ \"transcribers\": { \"b\": {} } }"),
        ("agents/en.json", "{ \"version_number\": 3, \"transcriber_id\": \"a\" }"),
        ("held/en.json", held),
    ];
    let folder = project("state", &files);
    let published = "agents/en.json:1:3: error[published-version-edited]";
    let all = places(&folder, &[]);
    assert_eq!(all.len(), 2, "{all:?}");
    let rules = |arguments: &[&str]| -> Vec<String> {
        let rule = |it: String| it.split(['[', ']']).nth(1).unwrap_or_default().to_owned();
        places(&folder, arguments).into_iter().map(rule).collect()
    };
    let (edited, unknown) = (&rules(&["--without-facts"]), &rules(&["--without-stored"]));
    assert_eq!(edited[..], ["published-version-edited"], "{published}");
    assert_eq!((unknown.len(), edited != unknown), (1, true));
    let mut hooks = documented_hooks();
    hooks.push(vec!["--without-stored".to_owned(), "--without-facts".to_owned()]);
    for hook in hooks {
        let hook: Vec<&str> = hook.iter().map(String::as_str).collect();
        let is_hook = hook.contains(&"--only-documents");
        let named = ["agents/en.json", ".", "held/en.json", "workspace.json"];
        for file in named.into_iter().take(if is_hook { 4 } else { 2 }) {
            assert_eq!(rules(&[&hook[..], &[file]].concat()), [""; 0], "{hook:?} {file}");
        }
        // A later option takes it back, and a named file is always used.
        let file = ["agents/en.json"];
        for (more, expected) in [
            (&["--with-stored", "--with-facts"][..], 2),
            (&["--with-stored"], 1),
            (&["--with-facts"], 1),
            (&["--stored", "held/en.json"], 1),
            (&["--facts", "workspace.json"], 1),
        ] {
            assert_eq!(rules(&[&hook[..], more, &file].concat()).len(), expected, "{more:?}");
        }
    }
    // What is left out is not read, and is not checked as a document.
    std::fs::write(folder.join("workspace.json"), "{").unwrap();
    std::fs::write(folder.join("held/en.json"), "{").unwrap();
    assert_eq!(status(&folder, &["check"]), 2);
    let output = run(&folder, &["check", "--without-stored", "--without-facts", "--show-files"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    for left_out in [
        "held/en.json: left out by `--without-stored`",
        "workspace.json: left out by `--without-facts`",
    ] {
        assert!(stderr(&output).contains(left_out), "{}", stderr(&output));
    }
}
