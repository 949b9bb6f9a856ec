//! Runs as pre-commit starts them: with all changed files, in any order and in several runs.

use std::path::{Path, PathBuf};

use crate::process::{folder, places, stderr, stdout};
use voxlint_testing::repository;

/// The arguments of every run of the hook.
const HOOK: [&str; 2] = ["--force-exclude", "--only-documents"];

const GOOD: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 3 }\n";
const FAULTY: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 12 }\n";

/// A project with these files, which begins where it is a folder of its own.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let head = [(".git/HEAD", "ref: refs/heads/main\n")];
    folder(&format!("hook/{name}"), &[&head, files].concat())
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
