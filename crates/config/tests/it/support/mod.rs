//! What the tests of configurations share.

#![allow(dead_code, reason = "each test takes what it needs")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use voxlint_config::{Configuration, Date, FileReport, LoadError};
use voxlint_report::{
    CheckedDocument, OutputFormat, RenderOptions, RunInfo, RunOutcome, render, write_findings,
};

/// The root of the repository.
pub(crate) fn repository() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The folders in a folder of fixtures, with their names.
pub(crate) fn folders(of: &str) -> Vec<(String, PathBuf)> {
    let folder = repository().join("fixtures").join(of);
    let entries =
        fs::read_dir(&folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let mut folders: Vec<(String, PathBuf)> = entries
        .filter(|path| path.is_dir())
        .map(|path| (path.file_name().expect("a name").to_string_lossy().into_owned(), path))
        .collect();
    folders.sort();
    folders
}

/// Loads `voxlint.toml` of a folder, as if the folder were the current one.
pub(crate) fn load_folder(folder: &Path) -> Result<Configuration, LoadError> {
    let mut read = |path: &str| {
        fs::read_to_string(folder.join(path)).map_err(|_| "no such file or directory".to_owned())
    };
    Configuration::load("voxlint.toml", &mut read)
}

/// Loads the first of some files, which may extend the others.
pub(crate) fn load(files: &[(&str, &str)]) -> Result<Configuration, LoadError> {
    let texts: BTreeMap<&str, &str> = files.iter().copied().collect();
    let mut read = |path: &str| {
        texts.get(path).map(|text| (*text).to_owned()).ok_or_else(|| "no such file".to_owned())
    };
    Configuration::load(files[0].0, &mut read)
}

/// A configuration of one file.
pub(crate) fn sound(text: &str) -> Configuration {
    load(&[("voxlint.toml", text)]).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub(crate) fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

/// The reports as people see them.
pub(crate) fn frames(files: &[FileReport]) -> String {
    let rendered = files.iter().map(|file| {
        let checked = CheckedDocument::new(&file.path, &file.text, &file.report);
        render(OutputFormat::Full, &RenderOptions::default(), &checked)
    });
    let mut out = Vec::new();
    let (run, outcome) = (RunInfo::default(), RunOutcome::default());
    write_findings(&mut out, OutputFormat::Full, &run, rendered, &outcome).unwrap();
    String::from_utf8(out).expect("UTF-8")
}

/// Compares a text with the snapshot of that name in a folder below `snapshots/`.
pub(crate) fn assert_snapshot(folder: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(repository().join("snapshots").join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}
