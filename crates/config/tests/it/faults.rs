//! Faults in configurations are reported with a location and help.

use crate::support::{folders, frames, load, load_folder};
use voxlint_config::{Configuration, FileReport, LoadError, ReadError, show_text};
use voxlint_testing::assert_snapshot;

fn faults_of(error: LoadError) -> Vec<FileReport> {
    match error {
        LoadError::Faults(files) => files,
        other @ LoadError::Unreadable { .. } => panic!("{other}"),
    }
}

#[test]
fn every_fault_has_a_location() {
    for (name, folder) in folders("config/faults") {
        let error = load_folder(&folder).err().unwrap_or_else(|| panic!("{name} is faulty"));
        let files = faults_of(error);
        for found in files.iter().flat_map(|file| &file.report.diagnostics) {
            let said =
                format!("{} {:?} {:?} {:?}", found.message, found.help, found.note, found.label);
            assert!(!said.contains("service would"), "{name}: {said}");
            assert_eq!(found.severity, voxlint::Severity::Error, "{name}: {said}");
        }
        assert_snapshot("config/faults", &name, &frames(&files));
    }
}

#[test]
fn one_fault_has_one_diagnostic() {
    for (name, folder) in folders("config/faults") {
        for file in faults_of(load_folder(&folder).unwrap_err()) {
            let mut spans: Vec<_> = file.report.diagnostics.iter().map(|it| it.span).collect();
            assert!(spans.is_sorted(), "{name}: out of order");
            spans.dedup();
            assert_eq!(spans.len(), file.report.diagnostics.len(), "{name}: {}", frames(&[file]));
        }
    }
}

#[test]
fn settings_are_shown_with_their_sources() {
    for (name, folder) in folders("config/sound") {
        let configuration = load_folder(&folder).unwrap_or_else(|error| panic!("{name}: {error}"));
        let shown = |list: &[_]| show_text(list, &|path| path.to_owned());
        let mut text = shown(&configuration.show());
        for file in ["agents/en.json", "drafts/de.json", "legacy/old.json"] {
            let settings = shown(&configuration.for_file(file).show());
            text = format!("{text}\n== {file}\n{settings}");
        }
        assert_snapshot("config/sound", &name, &text);
    }
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    let error = load(&[("voxlint.toml", "")]).map(|_| ()).err();
    assert!(error.is_none());
    let error = Configuration::load("./a/../voxlint.toml", &mut |path| {
        Err(ReadError::Other(format!("no {path} here")))
    });
    assert_eq!(error.unwrap_err().to_string(), "voxlint.toml: no voxlint.toml here");
}

#[test]
fn endless_chains_of_extended_files_are_rejected() {
    let mut count = 0;
    let error = Configuration::load("0.toml", &mut |_| {
        count += 1;
        Ok(format!("extends = '{count}.toml'\n"))
    });
    let files = faults_of(error.unwrap_err());
    let fault = &files[0].report.diagnostics[0];
    assert_eq!(fault.message, "more than 32 files extend each other in a row");
}

#[test]
fn a_file_that_is_extended_twice_is_read_once() {
    let mut read = Vec::new();
    let texts = [
        ("voxlint.toml", "extends = ['a.toml', 'b.toml', 'missing.toml', 'missing.toml']"),
        ("a.toml", "extends = 'base.toml'"),
        ("b.toml", "extends = 'base.toml'"),
        ("base.toml", "exclude = ['x/']"),
    ];
    let error = Configuration::load("voxlint.toml", &mut |path| {
        read.push(path.to_owned());
        let text = texts.iter().find(|(name, _)| *name == path);
        text.map(|(_, text)| (*text).to_owned()).ok_or(ReadError::NotFound)
    });
    assert_eq!(faults_of(error.unwrap_err())[0].report.diagnostics.len(), 1);
    assert_eq!(read, ["voxlint.toml", "a.toml", "base.toml", "b.toml", "missing.toml"]);
}
