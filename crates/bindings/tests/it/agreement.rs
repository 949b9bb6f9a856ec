//! A text is checked like its file.

use std::fs;
use std::path::{Path, PathBuf};

use voxlint_bindings::{Context, ContextOptions, DocumentOptions, Project, ProjectOptions};
use voxlint_project::paths::{absolute, relative_or_absolute, working_directory};
use voxlint_testing::{case_files, files_below, repository};

/// The file next to a case with another extension, if it exists.
fn beside(path: &Path, ending: &str) -> Option<PathBuf> {
    let stem = path.file_stem()?.to_str()?;
    Some(path.with_file_name(format!("{stem}{ending}"))).filter(|path| path.is_file())
}

/// Asserts that a text is checked and predicted like the file that it is in.
fn assert_agreement(path: &Path) {
    let [stored, facts] = [".stored.json", ".facts.json"].map(|ending| beside(path, ending));
    // Only a project reads a prompt in its own file.
    if beside(path, ".prompt_text.hbs").is_some() {
        return;
    }
    let read = |path: &PathBuf| fs::read(path).unwrap();
    let (stored_text, facts_text) = (stored.as_ref().map(read), facts.as_ref().map(read));
    let options = ProjectOptions {
        stored: stored.clone(),
        facts: facts.clone(),
        ..ProjectOptions::default()
    };
    let project = Project::open(path, options).unwrap();
    // A file whose related files cannot be used fails in the same way.
    let context = Context::new(&ContextOptions {
        stored: stored_text.as_deref(),
        facts: facts_text.as_deref(),
        ..ContextOptions::default()
    });
    let by_file = project.check(&[]).unwrap();
    let Ok(context) = context else {
        assert!(!by_file.failures().is_empty(), "{}", path.display());
        return;
    };
    let options = DocumentOptions::parse(None, None, path.to_str()).unwrap();
    let bytes = fs::read(path).unwrap();
    let by_text = context.check(&bytes, &options);
    let named = |json: String| {
        let shown = |path: &Option<PathBuf>| path.as_ref().map(|it| it.display().to_string());
        let json = json.replace("<stored>", &shown(&stored).unwrap_or_default());
        json.replace("<facts>", &shown(&facts).unwrap_or_default())
    };
    assert_eq!(named(by_text.to_json()), by_file.to_json(), "{}", path.display());
    let lines = |it: Result<voxlint_bindings::Prediction, voxlint_bindings::Error>| {
        named(it.map_or_else(|error| error.to_string(), |it| it.to_json().to_owned()))
    };
    let by_text = lines(context.predict(&bytes, &options));
    assert_eq!(by_text, lines(project.predict(Path::new(""))), "{}", path.display());
}

#[test]
fn check_and_project_agree_on_every_fixture() {
    let cases: Vec<PathBuf> = case_files().into_iter().map(|case| case.path).collect();
    assert!(cases.len() > 1000);
    for path in &cases {
        assert_agreement(path);
    }
    for extension in ["json", "jsonc", "yaml", "toml", "ndjson", "hbs"] {
        for path in files_below("fixtures/agents", extension) {
            assert_agreement(&path);
        }
    }
}

#[test]
fn texts_in_every_form_are_checked_like_files() {
    let folder = tempfile::tempdir().unwrap();
    let bad = "{ \"version_number\": 3, \"kb_max_chunks\": 12 }";
    let utf16: Vec<u8> = bad.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let deep =
        format!("{{ \"version_number\": 3, \"title\": {}{} }}", "[".repeat(600), "]".repeat(600));
    let texts: [(&str, &[u8]); 16] = [
        ("a.json", bad.as_bytes()),
        ("b.ndjson", b"\n{ \"version_number\": 3, \"kb_max_chunks\": 12 }\r\n\n{ \"x\": 1 }\n{ \"version_number\": 3 }"),
        ("c.yaml", b"version_number: 3\n---\nversion_number: 3\nkb_max_chunks: 12\n"),
        ("d.toml", b"version_number = 3\nkb_max_chunks = 12\n"),
        ("e.hbs", "Hi 🎧 {{name}\n".as_bytes()),
        ("f.jsonc", b"{ /* now */ \"version_number\": [], }"),
        ("g.json", b"\xef\xbb\xbf{ \"version_number\": \xff\xfe3 }"),
        ("h.json", &utf16),
        ("i.json", b""),
        ("j.json", deep.as_bytes()),
        ("k.ndjson", b""),
        ("l.json", b"{ \"name\": \"web\", \"dependencies\": {} }"),
        ("m.ndjson", deep.as_bytes()),
        ("n.ndjson", &utf16),
        ("o.json", b"{ \"error\": { \"code\": 3 } }"),
        ("p.yaml", b""),
    ];
    for (name, bytes) in texts {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        assert_agreement(&path);
    }
}

#[test]
fn a_configuration_applies_to_a_text_as_to_its_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = "
        root = true
        [[documents]]
        files = 'a.json'
        kind = 'settings'
        agent_id = 'ag_desk'
        [rules]
        unknown-field = 'error'
        [[overrides]]
        files = 'b.json'
        rules = { out-of-range = 'info' }
        [[suppressions]]
        files = 'c.json'
        rules = 'out-of-range'
        reason = 'the limit will be raised'
    ";
    fs::write(folder.path().join("voxlint.toml"), text).unwrap();
    let context =
        Context::new(&ContextOptions { config: Some(text), ..ContextOptions::default() }).unwrap();
    for name in ["a.json", "b.json", "c.json", "d.json"] {
        for bytes in [
            "{ \"version_number\": 3, \"kb_max_chunks\": 12, \"titel\": 3 }",
            "{ \"version_number\": 3, ",
        ] {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            let project = Project::open(folder.path(), ProjectOptions::default()).unwrap();
            let by_file = project.check(&[name.into()]).unwrap().to_json();
            // Reports show paths from the working directory where that is shorter.
            let whole = absolute(folder.path());
            let relative = relative_or_absolute(&working_directory(), &whole);
            let by_file = [relative, whole]
                .iter()
                .fold(by_file, |text, folder| text.replace(&format!("{folder}/"), ""));
            let options = DocumentOptions::parse(None, None, Some(name)).unwrap();
            let by_text = context.check(bytes.as_bytes(), &options).to_json();
            assert_eq!(by_text, by_file, "{name}");
            fs::remove_file(path).unwrap();
        }
    }
}

#[test]
fn a_project_and_its_texts_have_the_findings_of_its_files() {
    let team = repository().join("fixtures/team");
    let project = Project::open(&team, ProjectOptions::default()).unwrap();
    let whole = project.check(&[]).unwrap();
    assert!(whole.summary().documents > 1);
    for path in files_below("fixtures/team/agents", "json") {
        let name = path.strip_prefix(&team).unwrap();
        let by_file = project.check(&[name.to_owned()]).unwrap();
        let by_text = project.check_text(name, fs::read(&path).unwrap()).unwrap();
        assert_eq!(by_file.to_json(), by_text.to_json(), "{}", path.display());
    }
    assert!(
        project
            .check_text("agents/new.json".as_ref(), "{ \"version_number\": [] }")
            .unwrap()
            .summary()
            .errors
            > 0
    );
    // The text is not kept.
    assert_eq!(project.check(&[]).unwrap().to_json(), whole.to_json());
    let plan = project.plan(&[], None).unwrap();
    assert!(plan.to_json().contains("\"agents\""));
}
