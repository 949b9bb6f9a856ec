//! A session that lints again after its files have changed.

use std::fs;
use std::path::{Path, PathBuf};

use voxlint_project::{
    FileRole, FileStatus, LintOptions, LintedDocument, LintedPath, Renderer, Session,
};

/// A folder with files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        write(folder.path(), name, text);
    }
    folder
}

fn write(folder: &Path, name: &str, text: &str) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// The ids of the findings.
fn ids(linted: &LintedPath) -> Vec<String> {
    let found = linted.documents.iter().flat_map(|document| &document.report.diagnostics);
    found.map(|found| found.rule.id.to_string()).collect()
}

fn session() -> Session {
    Session::new(LintOptions::default())
}

const TOO_MANY: &str = r#"{ "version_number": 3, "kb_max_chunks": 12 }"#;
const FINE: &str = r#"{ "version_number": 3, "kb_max_chunks": 8 }"#;

#[test]
fn unsaved_text_replaces_its_file() {
    let folder = folder(&[("en.json", TOO_MANY)]);
    let path = folder.path().join("en.json");
    let mut session = session();
    assert_eq!(ids(&session.lint_path(&path).unwrap()), ["out-of-range"]);
    assert!(ids(&session.lint_text(&path, FINE).unwrap()).is_empty());
    assert_eq!(ids(&session.lint_path(&path).unwrap()), ["out-of-range"]);

    session.file_system().set_overlay(&path, FINE);
    assert_eq!(ids(&session.lint_text(&path, TOO_MANY).unwrap()), ["out-of-range"]);
    assert!(ids(&session.lint_path(&path).unwrap()).is_empty());
    session.file_system().remove_overlay(&path);
    assert_eq!(ids(&session.lint_path(&path).unwrap()), ["out-of-range"]);
}

#[test]
fn a_new_a_changed_and_a_deleted_configuration_apply_to_the_next_run() {
    let folder = folder(&[("agents/en.json", TOO_MANY)]);
    let path = folder.path().join("agents/en.json");
    let mut session = session();
    assert_eq!(ids(&session.lint_path(&path).unwrap()), ["out-of-range"]);
    write(folder.path(), "base.toml", "[rules]\nout-of-range = 'off'\n");
    write(folder.path(), "voxlint.toml", "extends = 'base.toml'\n");
    assert!(ids(&session.lint_path(&path).unwrap()).is_empty());
    // A file that the configuration extends counts as well.
    write(folder.path(), "base.toml", "[rules]\nout-of-range = 'warning'\n");
    assert_eq!(ids(&session.lint_path(&path).unwrap()), ["out-of-range"]);
    session
        .file_system()
        .set_overlay(&folder.path().join("voxlint.toml"), "[rules]\nout-of-range = 'off'\n");
    assert!(ids(&session.lint_path(&path).unwrap()).is_empty());
    session.file_system().remove_overlay(&folder.path().join("voxlint.toml"));
    fs::remove_file(folder.path().join("voxlint.toml")).unwrap();
    assert_eq!(ids(&session.lint_path(&path).unwrap()), ["out-of-range"]);
}

#[test]
fn a_faulty_configuration_is_a_failure_with_its_faults() {
    let folder =
        folder(&[("en.json", FINE), ("voxlint.toml", "[rules]\nunknown-fields = 'off'\n")]);
    let mut session = session();
    let linted = session.lint_path(&folder.path().join("en.json")).unwrap();
    assert!(linted.documents.is_empty());
    assert_eq!(linted.result.statuses.files[0].status, FileStatus::Unconfigured);
    let [failure] = &*linted.result.failures else { panic!("{:?}", linted.result.failures) };
    let faults = failure.faults.as_ref().unwrap();
    assert_eq!(faults.report.diagnostics[0].message, "there is no rule `unknown-fields`");
    assert!(failure.to_string().contains("cannot be used as a configuration: 2:1: "), "{failure}");

    write(folder.path(), "voxlint.toml", "");
    assert!(session.lint_path(&folder.path().join("en.json")).unwrap().result.failures.is_empty());
}

#[test]
fn related_files_are_read_again_when_they_change() {
    let configuration = "
        facts = 'facts.json'
        [[documents]]
        files = 'en.json'
        stored = 'stored/{stem}.json'
        text_files = { prompt_text = '{stem}.hbs' }
    ";
    let folder = folder(&[
        ("en.json", r#"{ "version_number": 3, "webhooks": ["wh_crm"] }"#),
        ("stored/en.json", r#"{ "version_number": 3 }"#),
        ("facts.json", r#"{ "webhooks": ["wh_crm"] }"#),
        ("en.hbs", "Greet {{name}}.\n"),
        ("voxlint.toml", configuration),
    ]);
    let path = folder.path().join("en.json");
    let mut session = session();
    let linted = session.lint_path(&path).unwrap();
    assert!(linted.result.failures.is_empty(), "{:?}", linted.result.failures);
    let before = ids(&linted);
    let roles: Vec<_> = linted.result.statuses.files.iter().map(|file| &file.status).collect();
    assert!(roles.contains(&&FileStatus::Used(FileRole::Text)), "{roles:?}");
    assert_eq!(linted.documents[0].related.len(), 3);

    // Text that was never saved counts in a related file as well.
    session.file_system().set_overlay(&folder.path().join("en.hbs"), "Greet {{name}.\n");
    let faulty = ids(&session.lint_path(&path).unwrap());
    assert!(faulty.len() > before.len(), "{faulty:?}");
    session.file_system().remove_overlay(&folder.path().join("en.hbs"));
    assert_eq!(ids(&session.lint_path(&path).unwrap()), before);

    // A stored configuration that cannot be used is a failure as long as it is there.
    write(folder.path(), "stored/en.json", "{ \"message\": \"no such agent\" }");
    let linted = session.lint_path(&path).unwrap();
    assert_eq!(linted.result.failures.len(), 1, "{:?}", linted.result.failures);
    fs::remove_file(folder.path().join("stored/en.json")).unwrap();
    let linted = session.lint_path(&path).unwrap();
    assert!(linted.result.failures.is_empty());
    assert_eq!(linted.documents[0].related.len(), 2);
}

#[test]
fn a_change_of_the_same_length_is_noticed() {
    let folder = folder(&[
        ("en.json", r#"{ "version_number": 3, "webhooks": ["wh_crm"] }"#),
        ("facts.json", r#"{ "webhooks": ["wh_crm"] }"#),
        ("voxlint.toml", "facts = 'facts.json'\n[rules]\nout-of-range = 'error'\n"),
    ]);
    let path = folder.path().join("en.json");
    let mut session = session();
    let facts = |session: &mut Session| {
        let linted = session.lint_path(&path).unwrap();
        linted.documents[0].related[0].1.document.text().to_owned()
    };
    assert!(facts(&mut session).contains("wh_crm"));
    write(folder.path(), "facts.json", r#"{ "webhooks": ["wh_new"] }"#);
    assert!(facts(&mut session).contains("wh_new"));
    write(folder.path(), "voxlint.toml", "facts = 'facts.jsom'\n[rules]\nout-of-range = 'error'\n");
    assert_eq!(session.lint_path(&path).unwrap().result.failures.len(), 1);
}

#[test]
fn a_document_is_loaded_with_its_related_files() {
    let folder = folder(&[
        ("en.json", r#"{ "version_number": 3, "title": "Front desk" }"#),
        ("stored.json", r#"{ "version_number": 3, "title": "Desk" }"#),
        ("voxlint.toml", "[[documents]]\nfiles = '*.json'\nstored = 'stored.json'\n"),
    ]);
    let path = folder.path().join("en.json");
    let loaded = session().load_document(&path).unwrap();
    assert!(loaded.related.stored().is_some());
    assert!(voxlint::predict(&loaded.inputs()).is_some());

    write(folder.path(), "stored.json", "{");
    let failures = session().load_document(&path).unwrap_err();
    assert_eq!(failures.len(), 1);
    assert!(failures[0].faults.is_some());
}

/// Renders a document as its path and its number in the file.
struct Paths;
impl Renderer for Paths {
    type Output = (PathBuf, u64);
    fn render(&self, document: LintedDocument) -> Self::Output {
        (PathBuf::from(&*document.path), document.position.map_or(0, |position| position.index))
    }
}

/// Stands for a bug that only one document causes.
struct Panics;

impl Renderer for Panics {
    type Output = PathBuf;
    fn render(&self, document: LintedDocument) -> Self::Output {
        let text = document.document.text();
        assert!(!text.contains("\"kb_max_chunks\": 12"), "a bug");
        PathBuf::from(&*document.path)
    }
}

#[test]
fn a_bug_fails_one_document_only() {
    let lines = format!("{FINE}\n{TOO_MANY}\n{FINE}\n");
    let folder = folder(&[
        ("a.json", FINE),
        ("b.json", TOO_MANY),
        ("c.json", FINE),
        ("d.ndjson", &lines),
        ("e.json", FINE),
    ]);
    let mut session = session();
    let mut files = session.find_files(&[folder.path().to_path_buf()]).unwrap();
    let mut checked = Vec::new();
    let result = session.lint_files(&mut files, &Panics, &mut |path, _| {
        checked.push(path.file_name().unwrap().to_string_lossy().into_owned());
    });
    assert_eq!(checked, ["a.json", "c.json", "d.ndjson", "d.ndjson", "e.json"]);
    let failures: Vec<String> = result.failures.iter().map(ToString::to_string).collect();
    assert_eq!(failures.len(), 2, "{failures:?}");
    for (failure, name) in failures.iter().zip(["b.json", "d.ndjson"]) {
        assert!(failure.contains(name) && failure.contains("bug in voxlint"), "{failure}");
    }
}

#[test]
fn results_are_collected_in_the_order_of_the_files() {
    let lines = "{ \"version_number\": 3 }\n".repeat(500);
    let mut files: Vec<(String, &str)> =
        (0..40).map(|number| (format!("agents/{number:02}.json"), FINE)).collect();
    files.push(("agents/10b.ndjson".to_owned(), &lines));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, *text)).collect();
    let folder = folder(&files);

    let mut session = session();
    let mut files = session.find_files(&[folder.path().join("agents")]).unwrap();
    let mut all = Vec::new();
    let result = session.lint_files(&mut files, &Paths, &mut |rendered, is_first| {
        assert_eq!(is_first, rendered.1 == 0);
        all.push(rendered);
    });
    assert_eq!(all.len(), 540);
    assert!(all.is_sorted());
    assert_eq!(result.files.len(), 41);
}
