//! Helpers for the tests of configurations.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use voxlint::syntax::Format;
use voxlint::{Document, Inputs, Report, Trace};
use voxlint_config::{
    CheckSettings, Configuration, Date, DocumentScope, FileReport, LoadError, ReadError,
    SuppressionUsage,
};
use voxlint_report::{
    CheckedDocument, OutputFormat, RenderOptions, RunInfo, RunOutcome, render, write_findings,
};
use voxlint_testing::repository;

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
    let mut read =
        |path: &str| fs::read_to_string(folder.join(path)).map_err(|_| ReadError::NotFound);
    Configuration::load("voxlint.toml", &mut read)
}

/// Loads the first of some files, which may extend the others.
pub(crate) fn load(files: &[(&str, &str)]) -> Result<Configuration, LoadError> {
    let texts: BTreeMap<&str, &str> = files.iter().copied().collect();
    let mut read =
        |path: &str| texts.get(path).map(|text| (*text).to_owned()).ok_or(ReadError::NotFound);
    Configuration::load(files[0].0, &mut read)
}

/// A configuration of one file.
pub(crate) fn sound(text: &str) -> Configuration {
    load(&[("voxlint.toml", text)]).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub(crate) fn day(text: &str) -> Date {
    text.parse().expect("a day")
}

/// The day on which suppressions are checked.
pub(crate) const TODAY: &str = "2027-01-15";

/// Checks a document and applies the configuration.
pub(crate) fn check_document(
    configuration: &Configuration,
    path: &str,
    text: &str,
) -> (Report, SuppressionUsage) {
    let settings = configuration.for_file(path);
    let format = match path.rsplit_once('.') {
        Some((_, "yaml")) => Format::Yaml,
        Some((_, "jsonc")) => Format::Jsonc,
        _ => Format::Json,
    };
    let settings = CheckSettings::new(settings, day(TODAY));
    let inputs = Inputs::new(Document::parse_as(text, format));
    let checked = voxlint_config::check_document(
        inputs,
        &settings,
        DocumentScope::default(),
        &mut Trace::off(),
    );
    (checked.report, checked.usage)
}

/// The reports in the format `full`.
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
