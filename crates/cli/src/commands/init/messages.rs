//! The messages of `voxlint init` on standard error.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use voxlint::DocumentKind;
use voxlint_project::RunResult;
use voxlint_project::paths::{folder_of, forward_slashes};
use voxlint_report::RunSummary;

/// The documents that were found, in one line.
pub(super) fn found(result: &RunResult) -> String {
    let mut kinds: BTreeMap<DocumentKind, u32> = BTreeMap::new();
    for (kind, count) in result.files.iter().flat_map(|file| file.kinds.iter()) {
        *kinds.entry(kind).or_default() += count;
    }
    let folders: BTreeSet<&str> = result.files.iter().map(|it| folder_of(&it.absolute)).collect();
    match result.statuses.documents() {
        0 => "no agent documents found".to_owned(),
        count => format!(
            "{} ({}) in {}",
            counted(count as usize, "document"),
            listed(&kinds),
            counted(folders.len(), "folder")
        ),
    }
}

pub(super) fn listed(kinds: &BTreeMap<DocumentKind, u32>) -> String {
    let list: Vec<String> =
        kinds.iter().map(|(kind, count)| counted(*count as usize, kind.noun())).collect();
    list.join(", ")
}

pub(super) fn counted(count: usize, what: &str) -> String {
    match what.strip_suffix('y') {
        _ if count == 1 => format!("1 {what}"),
        Some(beginning) => format!("{count} {beginning}ies"),
        None => format!("{count} {what}s"),
    }
}

/// The next step for the user.
pub(super) fn next(summary: &RunSummary, directory: &Path) -> String {
    let place = forward_slashes(directory);
    let is_plain = |it: char| it.is_alphanumeric() || "._/-".contains(it);
    let place = match place.as_str() {
        "." => String::new(),
        place if place.chars().all(is_plain) => format!(" {place}"),
        place => format!(" '{}'", place.replace('\'', r"'\''")),
    };
    let findings = summary.errors + summary.warnings + summary.infos;
    match (summary.documents, findings) {
        (0, _) => "One typical field at the top level, such as `prompt_text`, makes a file an agent document. Use \
            `kind` in [[documents]] to declare others.\n"
            .to_owned(),
        (_, 0) => format!("nothing to report: run `voxlint check{place}` in CI\n"),
        (_, count) => {
            let them = if count == 1 { "it" } else { "them" };
            format!(
                "{}: `voxlint baseline write{place}` records {them}, so that only new ones fail the gate\n",
                counted(count as usize, "finding")
            )
        }
    }
}
