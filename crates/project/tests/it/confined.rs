//! A confined session reads nothing outside of its folders, and every read of the crate asks which those are.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use voxlint::{Safety, Severity};
use voxlint_project::{BaseSource, Confinement, FixOptions, LintOptions, Session, SessionError};

/// What every file outside contains. No result may show it.
const MARK: &str = "seen-outside";

const OUTSIDE: &str = "outside of the folders that may be read";

/// A folder `inside`, which may be read, beside a folder `outside`, which may not.
struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    fn new(files: &[(&str, &str)]) -> Self {
        let project = Self { folder: tempfile::tempdir().unwrap() };
        project.write(&[("inside/voxlint.toml", "root = true\n")]);
        project.write(files);
        project
    }

    fn write(&self, files: &[(&str, &str)]) {
        for (name, text) in files {
            let path = self.folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn session(&self, options: LintOptions) -> Session {
        let folders = Confinement::new(&[self.path("inside")]).unwrap();
        Session::confined(options, Arc::new(folders))
    }

    /// Everything that a check of a path says.
    fn checked(&self, name: &str) -> String {
        let mut session = self.session(LintOptions::default());
        let linted = session.lint_path(&self.path(name)).unwrap();
        format!("{:?} {:?}", linted.documents, linted.result)
    }

    /// Everything that reading one document says.
    fn loaded(&self, name: &str) -> String {
        format!("{:?}", self.session(LintOptions::default()).load_document(&self.path(name)))
    }

    /// Asserts that both ways to read a document reject a file outside, and show nothing of it.
    fn assert_refused(&self, name: &str) {
        for said in [self.checked(name), self.loaded(name)] {
            assert!(said.contains(OUTSIDE), "{name}: {said}");
            assert!(!said.contains(MARK), "{name}: {said}");
        }
    }
}

const DOCUMENT: &str = r#"{ "version_number": 3, "title": "Front desk" }"#;
const STORED: &str = r#"{ "version": { "version_number": 3, "title": "seen-outside" } }"#;

#[test]
fn documents_outside_are_refused_in_the_same_words_whether_they_exist_or_not() {
    let text = format!(r#"{{ "version_number": 3, "title": "{MARK}" }}"#);
    let project = Project::new(&[("outside/a.json", &text)]);
    project.assert_refused("inside/../outside/a.json");
    project.assert_refused("outside/a.json");
    let words = |name: &str| project.loaded(name).replace(name, "NAME");
    assert_eq!(words("outside/a.json"), words("outside/b.json"));
    assert!(!project.checked("outside").contains(MARK));
}

#[test]
fn configurations_cannot_lead_out() {
    let documents = "[[documents]]\nfiles = '*.json'\n";
    for (key, file, text) in [
        ("stored = '../outside/{stem}.json'", "outside/en.json", STORED),
        (
            "facts = '../outside/facts.json'",
            "outside/facts.json",
            r#"{ "voices": { "seen-outside": {} } }"#,
        ),
        ("text_files = { prompt_text = '../outside/p.hbs' }", "outside/p.hbs", MARK),
    ] {
        let settings = format!("root = true\n{documents}{key}\n");
        let project = Project::new(&[
            ("inside/voxlint.toml", &settings),
            ("inside/en.json", DOCUMENT),
            (file, text),
        ]);
        project.assert_refused("inside/en.json");
        // Nothing says whether the file exists.
        fs::remove_file(project.path(file)).unwrap();
        project.assert_refused("inside/en.json");
    }
    for (settings, file, text) in [
        ("extends = '../outside/base.toml'\n", "outside/base.toml", "seen-outside = 1\n"),
        ("root = true\nbaseline = '../outside/baseline.json'\n", "outside/baseline.json", MARK),
    ] {
        let project = Project::new(&[
            ("inside/voxlint.toml", settings),
            ("inside/en.json", DOCUMENT),
            (file, text),
        ]);
        let said = project.checked("inside/en.json");
        assert!(said.contains(OUTSIDE) && !said.contains(MARK), "{said}");
    }
}

#[test]
fn configurations_cannot_name_what_git_keeps() {
    let documents = "root = true\n[[documents]]\nfiles = '*.json'\n";
    for settings in [
        format!("{documents}stored = '.git/config'\n"),
        format!("{documents}facts = '.git/config'\n"),
        format!("{documents}text_files = {{ prompt_text = '.git/config' }}\n"),
        "extends = '.git/config'\n".to_owned(),
        "root = true\nbaseline = '.git/config'\n".to_owned(),
    ] {
        let project = Project::new(&[
            ("inside/voxlint.toml", &settings),
            ("inside/en.json", DOCUMENT),
            ("inside/.git/config", MARK),
        ]);
        let said = project.checked("inside/en.json");
        assert!(
            said.contains("in a folder of git such as `.git`, which may contain credentials"),
            "{settings}{said}"
        );
        assert!(!said.contains(MARK), "{settings}{said}");
    }
}

#[test]
fn a_gitignore_that_is_too_large_is_not_silently_left_out() {
    let project = Project::new(&[
        ("inside/en.json", DOCUMENT),
        ("inside/agents/en.json", DOCUMENT),
        ("inside/.git/HEAD", "ref: refs/heads/main\n"),
        ("inside/.gitignore", &"#".repeat((1 << 20) + 1)),
    ]);
    for name in ["inside", "inside/agents"] {
        let said = project.checked(name);
        assert!(said.contains("a `.gitignore` may have at most 1 MiB"), "{name} {said}");
    }
}

#[test]
fn a_configuration_above_the_folders_is_not_looked_for() {
    let project = Project::new(&[
        ("voxlint.toml", "seen-outside = 1\n"),
        ("inside/en.json", r#"{ "version_number": 3, "kb_max_chunks": 12 }"#),
    ]);
    fs::remove_file(project.path("inside/voxlint.toml")).unwrap();
    let said = project.checked("inside/en.json");
    assert!(said.contains("out-of-range") && !said.contains(MARK), "{said}");
    assert!(!said.contains(OUTSIDE), "{said}");
}

#[test]
fn a_configuration_above_the_repository_is_not_looked_for() {
    let project = Project::new(&[
        ("inside/voxlint.toml", "seen-outside = 1\n"),
        ("inside/repository/.git/HEAD", "ref: refs/heads/main\n"),
        ("inside/repository/agents/en.json", r#"{ "version_number": 3, "kb_max_chunks": 12 }"#),
    ]);
    let name = "inside/repository/agents/en.json";
    let mut session = Session::new(LintOptions::default());
    let linted = session.lint_path(&project.path(name)).unwrap();
    for said in [project.checked(name), format!("{:?} {:?}", linted.documents, linted.result)] {
        assert!(said.contains("out-of-range") && !said.contains(MARK), "{said}");
    }
}

#[cfg(unix)]
#[test]
fn links_cannot_lead_out() {
    use std::os::unix::fs::symlink;
    let text = format!(r#"{{ "version_number": 3, "title": "{MARK}" }}"#);
    let settings = "root = true\n[[documents]]\nfiles = 'en.json'\nstored = 'stored/{stem}.json'\n";
    let project = Project::new(&[
        ("inside/voxlint.toml", settings),
        ("inside/agents/own.json", DOCUMENT),
        ("inside/en.json", DOCUMENT),
        ("outside/a.json", &text),
        ("outside/en.json", STORED),
        ("outside/voxlint.toml", "seen-outside = 1\n"),
    ]);
    let link =
        |target: &str, name: &str| symlink(project.path(target), project.path(name)).unwrap();
    link("outside/a.json", "inside/agents/link.json");
    link("outside/none.json", "inside/agents/none.json");
    link("outside", "inside/stored");
    project.write(&[("inside/.git/config", MARK), ("inside/linked/en.json", DOCUMENT)]);
    link("inside/.git/config", "inside/linked/voxlint.toml");
    let said = project.checked("inside/linked/en.json");
    assert!(
        said.contains("a symbolic link that leads into a folder of git") && !said.contains(MARK),
        "{said}"
    );
    link("outside", "inside/agents/folder");
    project.assert_refused("inside/agents/link.json");
    project.assert_refused("inside/agents/none.json");
    project.assert_refused("inside/agents/folder/a.json");
    project.assert_refused("inside/en.json");
    // A walk names the links to files, and does not say whether something is there.
    let said = project.checked("inside/agents");
    assert!(said.contains("own.json") && !said.contains(MARK), "{said}");
    assert_eq!(said.matches(OUTSIDE).count() % 2, 0, "{said}");
    // The configuration is a link.
    fs::remove_file(project.path("inside/voxlint.toml")).unwrap();
    link("outside/voxlint.toml", "inside/voxlint.toml");
    project.assert_refused("inside/en.json");
}

#[test]
fn a_confined_session_writes_nothing_and_runs_no_git() {
    let document = r#"{ "version_number": 3, "promt_text": "Be kind." }"#;
    let settings =
        "root = true\nbase = 'HEAD'\n[[documents]]\nfiles = 'en.json'\nstored = 's.json'\n";
    let project = Project::new(&[
        ("inside/voxlint.toml", settings),
        ("inside/en.json", document),
        ("inside/s.json", r#"{ "version": { "version_number": 3 } }"#),
    ]);
    let mut session = project.session(LintOptions::default());
    let files = session.find_files(&[project.path("inside")]).unwrap();
    let (safety, min_severity) = (Safety::Unsafe, Severity::Info);
    let options = FixOptions { safety, write: true, min_severity };
    session.fix_files(&files, options, &|_| (), &mut |()| {});
    assert_eq!(fs::read_to_string(project.path("inside/en.json")).unwrap(), document);

    let changed_since = Some("HEAD".to_owned());
    let options = LintOptions { changed_since, ..LintOptions::default() };
    let mut session = project.session(options);
    let found = session.find_files(&[project.path("inside")]);
    assert_eq!(found.err(), Some(SessionError::Confined));

    // There is no repository, so a base in a commit would fail.
    let mut session = project.session(LintOptions::default());
    let mut files = session.find_files(&[project.path("inside")]).unwrap();
    let options = BaseSource::Named("HEAD".to_owned());
    let run = session.plan_files(&mut files, &options, &|| ()).unwrap();
    assert_eq!(run.updates, 1);
}

#[test]
fn unsaved_text_is_checked_with_what_is_in_the_folders() {
    let settings = "root = true\n[[documents]]\nfiles = '*.json'\nstored = 'stored/{stem}.json'\n";
    let project =
        Project::new(&[("inside/voxlint.toml", settings), ("inside/stored/en.json", STORED)]);
    let path = project.path("inside/en.json");
    let mut session = project.session(LintOptions::default());
    session.file_system().set_overlay(&path, DOCUMENT);
    let loaded = session.load_document(&path).unwrap();
    assert!(loaded.related.stored().is_some());
}

/// Only these files read without asking [`voxlint_project::FileSystem`], and a confined session uses none of them.
const EXCEPTIONS: [(&str, &str); 13] = [
    ("file_system.rs", "it is the one place"),
    ("confinement.rs", "it decides what may be read"),
    ("atomic_file.rs", "writes files"),
    ("fixes", "writes files"),
    ("plan/adopt.rs", "writes files"),
    ("plan/folder.rs", "writes a saved plan"),
    ("plan/base.rs", "compares a stored configuration with a commit"),
    ("reference.rs", "compares files with a commit or folder that the command line names"),
    ("loosened.rs", "compares files with a commit or folder that the command line names"),
    ("changed.rs", "compares files with a commit"),
    ("git.rs", "runs git"),
    ("buffer.rs", "reads a file that is open"),
    ("merge.rs", "reads the versions that git names, without a session"),
];

#[test]
fn every_read_asks_which_folders_may_be_read() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![source.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&source).unwrap().to_string_lossy().replace('\\', "/");
            if EXCEPTIONS.iter().any(|(exception, _)| name.starts_with(exception)) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                let reads = [
                    "fs::read",
                    "fs::metadata",
                    "fs::symlink",
                    "fs::canonicalize",
                    "File::open",
                    ".is_dir()",
                    ".is_file()",
                    ".exists()",
                    ".canonicalize()",
                    ".read_link()",
                ];
                // Questions about what was read already.
                let is_known = ["kind.is_", "file_type()", "files.metadata("];
                let is_known = is_known.iter().any(|known| line.contains(known));
                if !is_known && reads.iter().any(|read| line.contains(read)) {
                    found.push(format!("{name}: {}", line.trim()));
                }
            }
        }
    }
    found.sort();
    // These are the ways of a session that is not confined.
    assert_eq!(
        found,
        [
            "session.rs: let is_searched = |path: &&PathBuf| !self.files.is_confined() && path.is_dir();",
        ]
    );
}
