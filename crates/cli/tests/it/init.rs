//! `voxlint init` in repositories of all sorts: what it writes can be used, says what is there, and hides nothing.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::process::{folder, run, stderr, stdout};
use proptest::prelude::*;
use serde_json::Value;
use voxlint_config::{Configuration, ReadError};
use voxlint_testing::property;

const UPDATE: &str = r#"{ "version_number": 3, "title": "Front desk" }"#;
const FAULTY: &str = r#"{ "version_number": 3, "kb_max_chunks": 12 }"#;
const AGENT: &str =
    r#"{ "id": "ag_en", "agent_type": "Single_Prompt_Agent", "current_version_number": 3 }"#;
const FACTS: &str = r#"{ "voices": {}, "phone_numbers": [] }"#;

/// The configuration of a folder, which has to be sound.
fn load(folder: &Path) -> Configuration {
    let mut read =
        |path: &str| fs::read_to_string(path).map_err(|error| ReadError::Other(error.to_string()));
    let path = folder.join("voxlint.toml");
    Configuration::load(path.to_str().unwrap(), &mut read).unwrap_or_else(|error| panic!("{error}"))
}

/// What is written for a repository, and what is said of it.
fn init(folder: &Path) -> (String, String) {
    let output = run(folder, &["init"]);
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), ""), "{}", stderr(&output));
    load(folder);
    (fs::read_to_string(folder.join("voxlint.toml")).unwrap(), stderr(&output).to_owned())
}

/// The file that is detected as the stored configuration of a document.
fn stored(repository: &Path, document: &str) -> Option<String> {
    let configuration = load(repository);
    let settings = configuration.for_file(repository.join(document).to_str().unwrap());
    let stored = settings.stored()?.value;
    Some(stored.strip_prefix(repository.to_str().unwrap())?.trim_start_matches('/').to_owned())
}

/// The lines that hold.
fn active(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// What a check finds, by file, rule and place, and its exit code.
fn findings(repository: &Path, arguments: &[&str]) -> (BTreeSet<String>, Option<i32>) {
    let output = run(repository, &[&["check", "--format", "json"], arguments].concat());
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    let mut found = BTreeSet::new();
    for file in report["files"].as_array().unwrap() {
        for finding in file["diagnostics"].as_array().unwrap() {
            let place = &finding["span"]["start"];
            found.insert(format!("{} {} {place}", finding["path"], finding["rule"]));
        }
    }
    (found, output.status.code())
}

#[test]
fn files_next_to_documents_are_configured() {
    let folder = folder(
        "init-beside",
        &[
            ("agents/en.json", FAULTY),
            ("agents/de.json", UPDATE),
            ("agents/en.prompt.hbs", "Greet {{name}}."),
            ("agents/fr.json", UPDATE),
            ("stored/en.json", AGENT),
            ("stored/de.json", AGENT),
            ("workspace.json", FACTS),
            ("package.json", r#"{ "name": "desk" }"#),
        ],
    );
    let (before, _) = findings(&folder, &[]);
    let (text, said) = init(&folder);
    assert_eq!(
        active(&text),
        [
            "facts = \"workspace.json\"",
            "[[documents]]",
            "files = \"agents/*.json\"",
            "stored = \"../stored/{stem}.json\"",
            "text_files.prompt_text = \"{stem}.prompt.hbs\"",
        ]
    );
    assert_eq!(
        said,
        "wrote voxlint.toml: 7 documents (3 updates, 2 agents, 1 facts file, 1 template) in *.json, \
         agents/*.hbs, agents/*.json, stored/*.json\n\
         active: facts = \"workspace.json\"\n\
         active: stored = \"../stored/{stem}.json\" for \"agents/*.json\"\n\
         active: text_files.prompt_text = \"{stem}.prompt.hbs\" for \"agents/*.json\"\n\
         1 finding: `voxlint baseline write` records it, so that only new ones fail the gate\n"
    );
    let (after, status) = findings(&folder, &[]);
    assert_eq!((after, status), (before, Some(1)));
}

#[test]
fn a_clean_repository_has_its_gate_at_once() {
    let folder = folder("init-clean", &[("agents/en.json", UPDATE), ("agents/de.json", UPDATE)]);
    let (text, said) = init(&folder);
    assert!(active(&text).is_empty(), "{text}");
    assert_eq!(
        said,
        "wrote voxlint.toml: 2 documents (2 updates) in agents/*.json\n\
         nothing to report: run `voxlint check` in CI\n"
    );
    assert_eq!(run(&folder, &["check"]).status.code(), Some(0));
}

#[test]
fn five_hundred_faulty_documents_are_counted() {
    let names: Vec<String> = (0..500).map(|n| format!("agents/{}/{n}.json", n % 3)).collect();
    let files: Vec<(&str, &str)> = names.iter().map(|name| (name.as_str(), FAULTY)).collect();
    let (text, said) = init(&folder("init-faulty", &files));
    assert!(active(&text).is_empty(), "{text}");
    assert_eq!(
        said,
        "wrote voxlint.toml: 500 documents (500 updates) in agents/0/*.json, agents/1/*.json, agents/2/*.json\n\
         500 findings: `voxlint baseline write` records them, so that only new ones fail the gate\n"
    );
}

#[test]
fn an_empty_repository_gets_an_explanation_of_documents() {
    for (name, files) in [
        ("init-empty", &[][..]),
        ("init-package", &[("package.json", r#"{ "name": "desk", "version": "1.0.0" }"#)]),
    ] {
        let (text, said) = init(&folder(name, files));
        assert!(active(&text).is_empty());
        assert!(said.starts_with("wrote voxlint.toml: no agent documents found\n"), "{said}");
        assert!(said.contains("makes a file an agent document"), "{said}");
    }
}

#[test]
fn files_of_lines_are_documents_without_neighbours() {
    let lines = format!("{UPDATE}\n{FAULTY}\n");
    let folder = folder(
        "init-lines",
        &[("logs/en.ndjson", lines.as_str()), ("logs/en.hbs", "Hi."), ("stored/en.json", AGENT)],
    );
    let (before, _) = findings(&folder, &[]);
    let (text, said) = init(&folder);
    assert!(active(&text).is_empty(), "{text}");
    assert!(
        said.starts_with(
            "wrote voxlint.toml: 4 documents (2 updates, 1 agent, 1 template) in logs/*.hbs, \
             logs/*.ndjson, stored/*.json\n"
        ),
        "{said}"
    );
    assert_eq!(findings(&folder, &[]).0, before);
}

#[test]
fn odd_names_are_named_as_they_are() {
    for (index, name) in [
        "a b",
        "städte 日本",
        "[x]{y}",
        "*",
        "!a",
        "#a",
        "a\"b'c",
        "-",
        "a\u{202e}b",
        "line\nbreak",
    ]
    .into_iter()
    .enumerate()
    {
        let document = format!("{name}/en.json");
        let held = format!("{name}/stored/en.json");
        let folder = folder(&format!("init-odd-{index}"), &[(&document, FAULTY), (&held, AGENT)]);
        let (text, said) = init(&folder);
        assert_eq!(stored(&folder, &document).as_ref(), Some(&held), "{text}");
        assert!(said.contains("\nactive: stored = "), "{said}");
        assert!(!text.contains(['\u{202e}', '\r']), "{text}");
        assert_eq!(findings(&folder, &[]).1, Some(1));
    }
}

#[test]
fn paths_that_no_pattern_can_express_are_left_out() {
    let folder = folder("init-braces", &[("a/en.json", FAULTY), ("{b}/en.json", AGENT)]);
    let (text, _) = init(&folder);
    assert!(active(&text).is_empty(), "{text}");
}

#[test]
fn the_same_convention_is_stated_once() {
    let folder = folder(
        "init-merged",
        &[
            ("de/desk.json", UPDATE),
            ("de/desk.prompt.hbs", "Hallo."),
            ("en/desk.json", UPDATE),
            ("en/desk.prompt.hbs", "Hello."),
            ("front.json", UPDATE),
            ("front.prompt.hbs", "Hello."),
        ],
    );
    let (text, _) = init(&folder);
    assert_eq!(
        active(&text),
        [
            "[[documents]]",
            "files = [\"/*.json\", \"de/*.json\", \"en/*.json\"]",
            "text_files.prompt_text = \"{stem}.prompt.hbs\"",
        ]
    );
}

#[test]
fn a_file_beside_its_document_belongs_to_no_other() {
    let folder = folder(
        "init-languages",
        &[
            ("de/desk.json", UPDATE),
            ("de/desk.stored.json", AGENT),
            ("en/desk.json", UPDATE),
            ("en/desk.stored.json", AGENT),
            ("fr/desk.json", UPDATE),
        ],
    );
    let (text, _) = init(&folder);
    assert_eq!(
        active(&text)[1..],
        ["files = [\"de/*.json\", \"en/*.json\"]", "stored = \"{stem}.stored.json\""]
    );
    assert_eq!(stored(&folder, "fr/desk.json"), None);
}

#[test]
fn stored_configurations_are_known_by_many_names() {
    for (document, held) in [
        ("agents/en.json", "agents/en.stored.json"),
        ("agents/en.yaml", "agents/en-stored.json"),
        ("agents/en.json", "agents/stored/en.json"),
        ("agents/updates/en.json", "agents/en.json"),
        ("agents/en.json", "stored/en_stored.yaml"),
    ] {
        let update = if document.ends_with("json") {
            UPDATE
        } else {
            "version_number: 3\ntitle: Front desk\n"
        };
        let folder = folder("init-names", &[(document, update), (held, AGENT)]);
        let (text, _) = init(&folder);
        assert_eq!(stored(&folder, document).as_deref(), Some(held), "{text}");
    }
}

#[test]
fn settings_that_could_hide_a_finding_are_left_out() {
    let update = ("agents/en.json", FAULTY);
    let strange = r#"{ "id": "ag_en", "agent_type": "Robot", "versions": [] }"#;
    let broken = r#"{ "id": "ag_en", "agent_type": "Single_Prompt_Agent", "versions": [ }"#;
    let with_prompt = r#"{ "version_number": 3, "prompt_text": "Greet." }"#;
    for (files, reason) in [
        (
            &[update, ("stored/en.json", strange)][..],
            "has findings, which would no longer be shown",
        ),
        (&[update, ("stored/en.json", broken)], "has findings, which would no longer be shown"),
        (
            &[update, ("stored/en.json", AGENT), ("old/en.json", AGENT)],
            "other files could be meant as well",
        ),
        (
            &[
                update,
                ("stored/en.json", AGENT),
                ("agents/de.json", UPDATE),
                ("stored/de.json", UPDATE),
            ],
            "stored/de.json may be something else",
        ),
        (
            &[("agents/en.json", with_prompt), ("agents/en.prompt.hbs", "Hi {{#if")],
            "agents/en.json has a `prompt_text` of its own",
        ),
        (&[("a.json", FACTS), ("b.json", FACTS), update], "there are several files of facts"),
        (
            &[("a.json", r#"{ "transcribers": [], "phone_numbers": [] }"#), update],
            "`voxlint facts a.json` says what is wrong with it",
        ),
    ] {
        let folder = folder("init-doubt", files);
        let (before, _) = findings(&folder, &[]);
        let (text, said) = init(&folder);
        assert!(said.contains("\nleft out: ") && said.contains(reason), "{reason}: {said}");
        assert!(active(&text).is_empty(), "{text}");
        assert_eq!(findings(&folder, &[]).0, before, "{reason}");
    }
}

#[test]
fn texts_of_a_file_of_several_documents_are_left_to_themselves() {
    let several = "version_number: 3\ntitle: One\n---\nversion_number: 4\ntitle: Two\n";
    let folder = folder(
        "init-several",
        &[
            ("en.yaml", several),
            ("en.prompt.hbs", "Hi {{#if"),
            ("de.yaml", "version_number: 3\ntitle: One\n"),
            ("de.prompt.hbs", "Hi."),
        ],
    );
    let (before, _) = findings(&folder, &[]);
    assert_eq!(before.len(), 1);
    init(&folder);
    assert_eq!(findings(&folder, &[]).0, before);
}

#[test]
fn a_configuration_above_goes_on_to_hold() {
    let folder = folder(
        "init-above",
        &[
            ("voxlint.toml", "root = true\nfacts = 'w.json'\n[rules]\nout-of-range = 'info'\n"),
            ("w.json", FACTS),
            ("team/agents/en.json", FAULTY),
            ("team/stored/en.json", AGENT),
            ("team/facts.json", FACTS),
        ],
    );
    let (before, _) = findings(&folder, &["team/agents"]);
    let (text, said) = init(&folder.join("team"));
    assert_eq!(active(&text), ["extends = \"../voxlint.toml\""]);
    assert!(said.contains("\nactive: extends = \"../voxlint.toml\"\n"), "{said}");
    let (after, status) = findings(&folder, &["team/agents"]);
    assert_eq!((after, status), (before, Some(0)));

    fs::write(folder.join("voxlint.toml"), "rots = true\n").unwrap();
    fs::remove_file(folder.join("team/voxlint.toml")).unwrap();
    let (text, said) = init(&folder.join("team"));
    assert!(said.contains("\nleft out: extends = \"../voxlint.toml\" ("), "{said}");
    assert!(active(&text).is_empty(), "{text}");
}

#[test]
fn folders_with_a_configuration_of_their_own_are_theirs() {
    let folder = folder(
        "init-nested",
        &[
            ("sub/voxlint.toml", "[rules]\nout-of-range = 'off'\n"),
            ("sub/agents/en.json", FAULTY),
            ("sub/stored/en.json", AGENT),
            ("sub/facts.json", FACTS),
        ],
    );
    let (text, said) = init(&folder);
    assert!(active(&text).is_empty(), "{text}");
    assert!(said.ends_with("nothing to report: run `voxlint check` in CI\n"), "{said}");
}

#[test]
fn an_existing_file_is_replaced_only_on_request() {
    let folder = folder("init-again", &[("voxlint.toml", "root = true\n"), ("en.json", UPDATE)]);
    let again = run(&folder, &["init"]);
    assert_eq!((again.status.code(), stdout(&again)), (Some(2), ""));
    assert_eq!(
        stderr(&again),
        "voxlint: voxlint.toml: already exists, so there is nothing to do: change it by hand, or see what would be proposed with --print and replace it with --force\n"
    );
    let text = || fs::read_to_string(folder.join("voxlint.toml")).unwrap();
    assert_eq!(text(), "root = true\n");

    let printed = run(&folder, &["init", "--print"]);
    assert_eq!(printed.status.code(), Some(0));
    assert!(stderr(&printed).starts_with("found 1 document (1 update) in *.json\n"));
    assert_eq!(text(), "root = true\n");

    assert_eq!(run(&folder, &["init", "--force"]).status.code(), Some(0));
    assert_eq!(text(), stdout(&printed));
    assert_eq!(run(&folder, &["init", "--force", "--print"]).status.code(), Some(2));
}

#[test]
fn another_directory_is_looked_at_from_here() {
    let folder = folder("init-elsewhere", &[("a b/agents/en.json", FAULTY)]);
    let output = run(&folder, &["init", "a b"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        stderr(&output),
        "wrote a b/voxlint.toml: 1 document (1 update) in agents/*.json\n\
         1 finding: `voxlint baseline write 'a b'` records it, so that only new ones fail the gate\n"
    );
    load(&folder.join("a b"));
}

#[test]
fn an_unwritable_file_exits_with_2() {
    let folder = folder("init-unwritable", &[("file", ""), ("taken/voxlint.toml/x", "")]);
    for (directory, message) in [
        ("gone", "voxlint: gone: no such file or directory\n"),
        ("file", "voxlint: file: not a directory\n"),
    ] {
        let output = run(&folder, &["init", directory]);
        assert_eq!((output.status.code(), stderr(&output)), (Some(2), message));
    }
    let output = run(&folder, &["init", "taken", "--force"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(stderr(&output), "voxlint: taken/voxlint.toml: this is a directory\n");
}

#[cfg(unix)]
#[test]
fn a_read_only_directory_says_so() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = folder("init-read-only", &[("sealed/en.json", UPDATE)]);
    let sealed = folder.join("sealed");
    fs::set_permissions(&sealed, fs::Permissions::from_mode(0o555)).unwrap();
    if fs::write(sealed.join("try"), "").is_ok() {
        voxlint_testing::skip("this user may write everywhere");
    } else {
        let output = run(&sealed, &["init"]);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(stderr(&output), "voxlint: voxlint.toml: permission denied\n");
        assert_eq!(run(&sealed, &["init", "--print"]).status.code(), Some(0));
    }
    fs::set_permissions(&sealed, fs::Permissions::from_mode(0o755)).unwrap();

    // Nothing is written through a link that leads nowhere.
    symlink("elsewhere.toml", folder.join("voxlint.toml")).unwrap();
    assert_eq!(run(&folder, &["init"]).status.code(), Some(2));
    assert!(!folder.join("elsewhere.toml").exists());
}

#[test]
fn a_short_file_names_what_is_next_to_the_documents() {
    let texts = "{ \"version_number\": 3 }";
    for (document, text, pattern) in [
        ("agents/front.json", "agents/front.prompt.md", "{stem}.prompt.md"),
        ("agents/front.yaml", "prompts/front.txt", "../prompts/{stem}.txt"),
        ("front.json", "prompts/front.prompt.hbs", "prompts/{stem}.prompt.hbs"),
        ("agents/front.toml", "agents/welcome/front.md", "welcome/{stem}.md"),
    ] {
        let written = match document.rsplit_once('.').unwrap().1 {
            "yaml" => "version_number: 3\n",
            "toml" => "version_number = 3\n",
            _ => texts,
        };
        let folder = folder("init-texts", &[(document, written), (text, "Hello {{name}.")]);
        let (written, said) = init(&folder);
        let field = if text.contains("welcome") { "welcome_message" } else { "prompt_text" };
        let line = format!("text_files.{field} = \"{pattern}\"");
        assert!(active(&written).contains(&&*line), "{line}: {written}");
        assert!(said.contains(&format!("\nactive: {line} for ")), "{said}");
        // The text is checked with its document from now on.
        let (found, _) = findings(&folder, &[]);
        assert!(found.iter().any(|it| it.contains("template-syntax-error")), "{found:?}");
    }
    // A document about an agent is not one of its texts.
    let folder = folder("init-no-texts", &[("front.json", UPDATE), ("front.md", "# Front desk")]);
    assert!(active(&init(&folder).0).is_empty());
}

#[test]
fn many_folders_are_one_pattern() {
    let mut files = Vec::new();
    for customer in 0..20 {
        files.push((format!("{customer}/agent.json"), UPDATE));
        files.push((format!("{customer}/agent.prompt.md"), "Hello."));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, *text)).collect();
    let (text, said) = init(&folder("init-many", &files));
    let lines =
        ["[[documents]]", "files = \"*.json\"", "text_files.prompt_text = \"{stem}.prompt.md\""];
    assert_eq!(active(&text), lines);
    assert!(said.contains("in 0/*.json, 1/*.json, 10/*.json, 11/*.json, 16 more\n"), "{said}");
}

#[test]
fn the_proposal_is_short_in_every_repository() {
    let mut files = vec![("workspace.json".to_owned(), FACTS)];
    for (team, end) in
        ["stored", "live", "now", "remote", "is", "was", "base", "old", "kept", "known"]
            .into_iter()
            .enumerate()
    {
        files.push((format!("t/{team}/en.json"), FAULTY));
        files.push((format!("t/{team}/en.{end}.json"), AGENT));
        files.push((format!("t/{team}/en.{end}-prompt.hbs"), "Hello."));
        files.push((format!("t/{team}/en.prompt.md"), "Hello."));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, *text)).collect();
    let folder = folder("init-short", &files);
    let (text, said) = init(&folder);
    assert!(text.lines().count() <= 30, "{text}");
    assert!(said.lines().count() <= 10, "{said}");
    assert!(said.contains("\nleft out: ") && said.contains(" other settings\n"), "{said}");
    assert_eq!(run(&folder, &["init", "--force", "--print"]).status.code(), Some(2));
    assert_eq!(stdout(&run(&folder, &["init", "--print"])), text);
}

/// A repository with files by the names that the command looks for, and what may be in them.
fn layouts() -> impl Strategy<Value = Vec<(String, String)>> {
    let place = prop::sample::select(vec![
        "",
        "agents/",
        "agents/prod/",
        "stored/",
        "stored/prod/",
        "agents/stored/",
        "prompts/",
        "ä b/",
    ]);
    let stem = prop::sample::select(vec!["en", "de", "front-en", "en.v2"]);
    let tail = prop::sample::select(vec![
        ".json",
        ".json",
        ".json",
        ".stored.json",
        ".yaml",
        ".ndjson",
        ".hbs",
        ".prompt.hbs",
        "-welcome.hbs",
        ".facts.json",
    ]);
    let text = prop::sample::select(vec![
        UPDATE,
        FAULTY,
        AGENT,
        AGENT,
        FACTS,
        r#"{ "version_number": 3, "prompt_text": "Greet {{#if" }"#,
        r#"{ "version_number": 3, "title": "#,
        r#"{ "agent": { "id": "ag_en", "agent_type": "Single_Prompt_Agent", "versions": 3 } }"#,
        r#"{ "name": "desk" }"#,
        "Hi {{#if",
        "",
    ]);
    let file = (place, stem, tail, text)
        .prop_map(|(place, stem, tail, text)| (format!("{place}{stem}{tail}"), text.to_owned()));
    prop::collection::vec(file, 0..12)
}

/// For every mix of files, no finding is lost and nothing fails.
#[test]
fn the_written_configuration_hides_no_finding() {
    let config = property(30, 120);
    let stated = Cell::new(0);
    let mut runner = proptest::test_runner::TestRunner::new(config);
    let result = runner.run(&layouts(), |files| {
        let files: Vec<(&str, &str)> =
            files.iter().map(|(path, text)| (&**path, &**text)).collect();
        let repository = folder("init-layouts", &files);
        let (before, status) = findings(&repository, &[]);
        let (text, said) = init(&repository);
        stated.set(stated.get() + u32::from(!active(&text).is_empty()));
        let (after, later) = findings(&repository, &[]);
        prop_assert!(before.is_subset(&after), "{before:#?}\n{after:#?}\n{text}");
        prop_assert!(status != Some(0) || later != Some(2), "{said}\n{text}");
        prop_assert!(text.lines().count() <= 30 && said.lines().count() <= 10, "{said}\n{text}");
        prop_assert!(
            active(&text).iter().all(|line| said.contains(line.trim_start_matches("files = "))
                || *line == "[[documents]]"),
            "{said}\n{text}"
        );
        let wanted = if after.is_empty() { "nothing to report" } else { "finding" };
        let is_empty = said.contains("makes a file an agent document");
        prop_assert!(is_empty || said.contains(wanted), "{said}");
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
    assert!(stated.get() > 10, "{} layouts have a convention", stated.get());
}

/// Linux has a file to which nothing can be written, but a configuration is never a device. A limit of the size of files stands
/// for a full disk.
#[cfg(target_os = "linux")]
#[test]
fn a_configuration_that_cannot_be_written_leaves_nothing() {
    let folder = folder("init/full", &[("en.json", UPDATE)]);
    let program = env!("CARGO_BIN_EXE_voxlint");
    let limited = format!("trap '' XFSZ; ulimit -f 0; exec '{program}' init");
    let output = std::process::Command::new("sh")
        .args(["-c", &limited])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let names = fs::read_dir(&folder).unwrap();
    let mut names: Vec<_> = names.map(|it| it.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["en.json"]);
}
