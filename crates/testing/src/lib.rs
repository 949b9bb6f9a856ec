//! What the tests of voxlint's crates share: the repository's fixtures, snapshots, and generated documents.

#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says so when it is skipped"
)]

pub mod triples;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;
use voxlint::syntax::Format;
use voxlint::{Diagnostic, Document, Facts, Inputs, Report, Rule, Source, Stored, Wildcard, check};

/// The root of the repository.
pub fn repository() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        own.ancestors().nth(2).unwrap_or(own).to_path_buf()
    });
    &ROOT
}

/// One document under `fixtures/rules/`.
pub struct Case {
    /// The rule that the case is about.
    pub rule: String,
    /// The name of its file, without the extension.
    pub name: String,
    /// Where the file is.
    pub path: PathBuf,
}

/// Every case of every rule, in the order of their names.
pub fn case_files() -> Vec<Case> {
    let mut cases: Vec<Case> = walkdir::WalkDir::new(repository().join("fixtures/rules"))
        .min_depth(2)
        .into_iter()
        .map(|entry| entry.expect("an entry").into_path())
        .filter(|path| path.is_file())
        .filter(|path| {
            let path = path.to_string_lossy();
            ![".stored.json", ".facts.json", ".variables.json", ".hbs"]
                .iter()
                .any(|partner| path.ends_with(partner))
        })
        .map(|path| Case {
            rule: path
                .parent()
                .and_then(Path::file_name)
                .expect("a folder")
                .to_string_lossy()
                .into_owned(),
            name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
            path,
        })
        .collect();
    cases.sort_by(|a, b| a.path.cmp(&b.path));
    cases
}

/// The cases of the rules about what a team has told voxlint, with their rules: folders that are checked as a whole.
pub fn suppression_cases() -> Vec<(String, String)> {
    let folders = walkdir::WalkDir::new(repository().join("fixtures/suppression"))
        .min_depth(2)
        .max_depth(2)
        .sort_by_file_name();
    let name = |path: Option<&Path>| {
        path.and_then(Path::file_name).expect("a name").to_string_lossy().into_owned()
    };
    let folders = folders.into_iter().map(|entry| entry.expect("an entry").into_path());
    folders.map(|folder| (name(folder.parent()), name(Some(&folder)))).collect()
}

/// The format of a case, by the name of its file.
pub fn format_of(path: &Path) -> Format {
    match path.extension().and_then(std::ffi::OsStr::to_str) {
        Some("yaml") => Format::Yaml,
        Some("toml") => Format::Toml,
        Some("jsonc") => Format::Jsonc,
        Some("hbs") => Format::Text,
        _ => Format::Json,
    }
}

/// Every file below a folder of the repository, sorted.
pub fn files_below(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = walkdir::WalkDir::new(repository().join(folder))
        .into_iter()
        .map(|entry| entry.expect("an entry").into_path())
        .filter(|path| path.extension().is_some_and(|it| it == extension))
        .collect();
    files.sort();
    files
}

/// What the check has to say of the bytes of a file, with nothing else known.
pub fn judge(bytes: &[u8]) -> Report {
    let source = Source::from_bytes(bytes);
    let document = Document::parse(&source);
    check(&Inputs::new(&document))
}

/// What the check has to say of a text over what is stored and known; an empty text is not given.
pub fn judge_text(text: &str, stored: &str, facts: &str) -> Report {
    judge_with_variables(text, stored, facts, None)
}

/// The same with a list of the template variables that calls bring along.
pub fn judge_with_variables(
    text: &str,
    stored: &str,
    facts: &str,
    variables: Option<&[Wildcard]>,
) -> Report {
    let sources = [text, stored, facts].map(Source::from);
    let [document, held, known] = sources.each_ref().map(Document::parse);
    let mut inputs = Inputs::new(&document);
    inputs.stored = (!stored.is_empty()).then(|| Stored::new(&held));
    inputs.facts = (!facts.is_empty()).then(|| Facts::new(&known));
    inputs.variables = variables;
    check(&inputs)
}

/// A list of template variables, as JSON.
pub fn variables(json: &str) -> Vec<Wildcard> {
    let names: Vec<String> = serde_json::from_str(json).expect("an array of strings");
    names.into_iter().map(Wildcard::new).collect()
}

/// The examples of a page with the verdicts that they are tagged with.
pub fn examples(page: &str) -> Vec<(&str, &str)> {
    page.split("```json,")
        .skip(1)
        .map(|rest| {
            let (verdict, rest) = rest.split_once('\n').expect("an example has lines");
            let (example, _) = rest.split_once("```").expect("an example ends");
            (verdict, example)
        })
        .collect()
}

/// What keeps a stored state and facts from being used.
pub fn faults_of(stored: &str, facts: &str) -> Vec<Diagnostic> {
    let sources = [stored, facts].map(Source::from);
    let [held, known] = sources.each_ref().map(Document::parse);
    let of_stored = (!stored.is_empty()).then(|| Stored::new(&held).faults().diagnostics);
    let of_facts = (!facts.is_empty()).then(|| Facts::new(&known).faults().diagnostics);
    [of_stored, of_facts].into_iter().flatten().flatten().collect()
}

/// Compares a text with the snapshot of that name in a folder below `snapshots/`.
pub fn assert_snapshot(folder: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(repository().join("snapshots").join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The seed of generated cases: the one that the environment names, or a fixed one. The gate does not depend on luck.
pub fn seed() -> RngSeed {
    match ProptestConfig::default().rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        fixed @ RngSeed::Fixed(_) => fixed,
    }
}

/// A report without what other rules have to say.
pub fn without_other_rules(mut report: Report, rule: &Rule) -> Report {
    report.diagnostics.retain(|found| found.rule.id == rule.id);
    report.undecided.retain(|entry| entry.rule.id == rule.id);
    report
}

/// A file of the material that lies beside the repository, where it is at hand.
pub fn shared(path: &str) -> Option<String> {
    let file = repository().join("../shared").join(path);
    let text = fs::read_to_string(&file).ok();
    if text.is_none() {
        println!("skipped: no {}", file.display());
    }
    text
}
