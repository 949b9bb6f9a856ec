//! The same text has the same findings as in `voxlint check`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use voxlint::{Diagnostic, Origin};
use voxlint_project::paths::absolute;
use voxlint_project::{ExplicitPathPolicy, LintOptions, LintedDocument, Session};
use voxlint_testing::repository;
use walkdir::WalkDir;

use crate::client::{Client, uri_of};
use crate::positions::offset;

/// A finding as both sides say it: rule, characters, severity and message.
pub(crate) type Found = (String, usize, usize, u64, String);

/// What a check finds, by file.
fn checked(documents: &[LintedDocument]) -> BTreeMap<String, Vec<Found>> {
    let mut all: BTreeMap<String, Vec<Found>> = BTreeMap::new();
    for document in documents {
        for found in &document.report.diagnostics {
            let related = document.related.iter().find(|(origin, _)| *origin == found.origin);
            let file = match found.origin {
                Origin::Document => &document.path,
                _ => &related.unwrap().1.path,
            };
            let before = match (found.origin, document.position) {
                (Origin::Document, Some(position)) => {
                    usize::try_from(position.bytes_before).unwrap()
                }
                _ => 0,
            };
            let own = all.entry(absolute(Path::new(&**file))).or_default();
            let found = of_check(found, before);
            if !own.contains(&found) {
                own.push(found);
            }
        }
    }
    for found in all.values_mut() {
        found.sort();
    }
    all
}

fn of_check(found: &Diagnostic, before: usize) -> Found {
    let severity = match found.severity {
        voxlint::Severity::Error => 1,
        voxlint::Severity::Warning => 2,
        voxlint::Severity::Info => 3,
    };
    let [start, end] = [found.span.start, found.span.end].map(|at| before + at as usize);
    let answer = found.answer().map(|answer| format!("{answer}: ")).unwrap_or_default();
    (found.rule.id.to_string(), start, end, severity, format!("{answer}{}", found.message))
}

/// What the server shows in a text.
pub(crate) fn shown(text: &str, found: &[Value]) -> Vec<Found> {
    let mut all: Vec<Found> = found
        .iter()
        .map(|it| {
            let at =
                |end: &str| offset(text, &it["range"][end]).unwrap_or_else(|| panic!("{it:#}"));
            let message = it["message"].as_str().unwrap();
            let message = message.split("\nhelp: ").next().unwrap();
            let message = message.split("\nnote: ").next().unwrap().to_owned();
            let rule = it["code"].as_str().unwrap_or_default().to_owned();
            (rule, at("start"), at("end"), it["severity"].as_u64().unwrap(), message)
        })
        .collect();
    all.sort();
    all
}

/// A session that checks files as they are found in folders.
pub(crate) fn session() -> Session {
    let mut options = LintOptions::default();
    let policy = ExplicitPathPolicy::default();
    options.explicit_paths =
        ExplicitPathPolicy { force_exclude: true, only_documents: true, ..policy };
    Session::new(options)
}

/// What a check of a text finds in it.
pub(crate) fn check_text(session: &mut Session, path: &Path, text: &str) -> Vec<Found> {
    let linted = session.lint_text(path, text).unwrap();
    checked(&linted.documents).remove(&absolute(path)).unwrap_or_default()
}

/// The places of the characters that LSP cannot express: those inside a character or a line break.
pub(crate) fn rounded(text: &str, found: Vec<Found>) -> Vec<Found> {
    let is_in_line_break =
        |at: usize| text.as_bytes().get(at) == Some(&b'\n') && text[..at].ends_with('\r');
    let floor = |at: usize| {
        let mut at = at.min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        offset(text, &crate::positions::position(text, at)).unwrap()
    };
    let mut all: Vec<Found> = found
        .into_iter()
        .map(|(rule, start, end, severity, message)| {
            (rule, floor(start), floor(end + usize::from(is_in_line_break(end))), severity, message)
        })
        .collect();
    all.sort();
    all
}

#[test]
fn every_fixture_has_the_same_findings_as_in_a_check() {
    let fixtures = repository().join("fixtures");
    let folders = fs::read_dir(&fixtures).unwrap().map(|entry| entry.unwrap().path());
    // Cases are projects, some of which have related files that cannot be used.
    let is_one = |path: &PathBuf| path.is_dir() && !path.ends_with("cases");
    let mut folders: Vec<PathBuf> = folders.filter(is_one).collect();
    folders.sort();
    let (mut files, mut findings) = (0, 0);
    for folder in folders {
        let linted = session().lint_path(&folder).unwrap();
        let expected = checked(&linted.documents);
        let mut client = Client::start();
        let all = WalkDir::new(&folder).sort_by_file_name().into_iter();
        for entry in all.map(Result::unwrap).filter(|entry| entry.file_type().is_file()) {
            // Editors have only text.
            let Ok(text) = fs::read_to_string(entry.path()) else { continue };
            if text.starts_with('\u{feff}') {
                continue;
            }
            let path = entry.path();
            if path.file_name().is_some_and(|name| name == "voxlint.toml") {
                continue;
            }
            let uri = uri_of(path);
            client.open_at(&uri, "json", &text);
            let found = client.pull(&uri);
            assert_eq!(client.published.get(&uri).map(|(_, it)| it), Some(&found), "{uri}");
            // A configuration is not a document: a check reports its faults beside its findings.
            let is_finding = |it: &&Value| !it["code"].is_null() && it["code"] != "configuration";
            let own = found.iter().filter(is_finding).cloned();
            let own = shown(&text, &own.collect::<Vec<_>>());
            let wanted = expected.get(&absolute(path)).cloned().unwrap_or_default();
            assert_eq!(own, rounded(&text, wanted), "{}", path.display());
            findings += own.len();
            files += 1;
            client.close(&uri);
        }
    }
    assert!(files > 1_500 && findings > 900, "{files} files, {findings} findings");
}
