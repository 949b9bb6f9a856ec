//! What the working tree loosens, compared with the settings of a commit or of another checkout.

use std::collections::BTreeSet;
use std::path::Path;

use voxlint::syntax::LineIndex;
use voxlint::{DocumentKind, Origin};
use voxlint_config::{Baseline, CommentState, Configuration, SettingSource, compare_comments};

use crate::configurations::Configurations;
use crate::file_set::FileSet;
use crate::file_status::{FileRole, FileStatus, SkipReason};
use crate::input::{ReadOptions, has_document_extension};
use crate::lint_files::RunResult;
use crate::linted::LintedDocument;
use crate::names::CONFIGURATION_NAME;
use crate::paths::{absolute, folder_of, is_within};
use crate::reference::Reference;
use crate::related::related_paths;
use crate::session::Session;
use crate::walk::is_hidden_name;

/// What the working tree loosens, compared with the reference. Each is a sentence.
pub fn loosened(
    (judge, found_files, result): (&Session, &FileSet, &RunResult),
    (own, own_files): (&Session, &FileSet),
) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let Some(reference) = judge.reference() else { return found };
    let (before, now) = (judge.configurations(), own.configurations());
    let name = reference.name();
    let rules = before.rules();
    let kept: BTreeSet<&str> = own_files.inputs.iter().map(|it| &*it.absolute).collect();
    for input in &found_files.inputs {
        let file = &*input.shown;
        let settings = now.settings_for(&input.absolute);
        let Some((settings, judging)) = settings.zip(before.settings_for(&input.absolute)) else {
            continue;
        };
        let looser = settings.looser_than(&judging, (file, name), &rules);
        if looser.iter().all(|it| !it.message.ends_with("checks"))
            && !kept.contains(&*input.absolute)
        {
            found.insert(format!("{file}, which {name} checks, is not checked"));
        }
        for looser in looser {
            let by_setting = match &looser.source {
                Some(SettingSource::File { path, .. }) => Some(&**path),
                _ => now.for_folder(folder_of(&input.absolute)).and_then(Configuration::path),
            };
            let by = by_setting.map_or(CONFIGURATION_NAME.to_owned(), |path| now.shown(path));
            found.insert(format!("{by} {}", looser.message));
        }
        for (path, role) in related_paths(input, judge.options(), before) {
            if matches!(role, FileRole::Stored | FileRole::Facts) && reference.differs(&path) {
                let shown = now.shown(&absolute(&path));
                found.insert(format!("{shown} differs from {name}, which has its own"));
            }
        }
    }
    let is_known: BTreeSet<_> = found_files
        .baselines
        .iter()
        .flat_map(|it| it.baseline.iter().flat_map(Baseline::entries))
        .collect();
    for file in &own_files.baselines {
        let entries = file.baseline.iter().flat_map(Baseline::entries);
        if entries.filter(|it| !is_known.contains(it)).count() > 0 {
            found.insert(format!("{} lists findings that {name} does not", now.shown(&file.path)));
        }
    }
    let statuses = result.statuses.by_path();
    let is_checked = |path: &str| match statuses.get(path) {
        Some(FileStatus::Checked(counts)) => counts.checked.total() > 0,
        Some(FileStatus::Used(_) | FileStatus::Skipped(SkipReason::Unchanged(_))) => true,
        Some(FileStatus::Skipped(_)) | None => false,
        Some(_) => true,
    };
    for path in reference.documents(found_files, before) {
        if !is_checked(&path) {
            let end = if Path::new(&path).exists() { "not checked" } else { "deleted" };
            found.insert(format!("{}, which {name} checks, is {end}", now.shown(&path)));
        }
    }
    found
}

impl Reference {
    /// The suppression comments of a checked document that the reference does not have. Each is a sentence.
    pub fn new_comments(&self, linted: &LintedDocument) -> Vec<String> {
        let related = linted.related.iter().filter(|(origin, _)| matches!(origin, Origin::Text(_)));
        let texts = related.map(|(_, it)| (&it.path, &it.document));
        let mut found = Vec::new();
        for (path, document) in [(&linted.path, &linted.document)].into_iter().chain(texts) {
            if !document.text().contains("voxlint") {
                continue;
            }
            for (comment, state) in compare_comments(document, &self.text(Path::new(&**path))) {
                let names: Vec<String> =
                    comment.rules.iter().map(|(name, _)| format!("`{name}`")).collect();
                let names = names.join(" and ");
                let what = match state {
                    CommentState::Former => continue,
                    CommentState::NewWithReason => {
                        format!("suppresses {names}: {}", comment.reason)
                    }
                    CommentState::NewAndVague => {
                        "is not followed: it must name one rule and give a reason".to_owned()
                    }
                };
                let text = document.text();
                let line = LineIndex::new(text).position(text, comment.span.start).line;
                found.push(format!("{path}:{line}: a new comment {what}"));
            }
        }
        found
    }

    /// The documents that a run with these settings would check in the folders of a run, by their absolute paths in the working tree.
    fn documents(&self, run: &FileSet, settings: &Configurations) -> Vec<String> {
        let searched: Vec<String> = run.paths.iter().map(|path| absolute(path)).collect();
        let [root, _] = &self.roots;
        let mut stored = BTreeSet::new();
        let mut found = Vec::new();
        for name in self.names() {
            let path = absolute(&root.join(&name));
            if !has_document_extension(&name)
                || name.iter().any(is_hidden_name)
                || !searched.iter().any(|folder| is_within(folder, &path))
            {
                continue;
            }
            let Some(settings) = settings.nearest_settings_for(&path) else { continue };
            stored.extend(settings.stored().map(|it| it.value));
            if !settings.is_excluded() && settings.is_included() != Some(false) {
                found.push(path);
            }
        }
        found.retain(|path| !stored.contains(path) && self.has_document(Path::new(path)));
        found
    }

    /// Whether a file has a document of an agent.
    fn has_document(&self, path: &Path) -> bool {
        let Some(Ok(Some(bytes))) = self.read(path) else { return false };
        let documents = ReadOptions::default().input(path).documents(&*bytes);
        documents.iter().filter_map(|it| it.recognition().kind()).any(|kind| {
            !matches!(kind, DocumentKind::Stored | DocumentKind::Facts | DocumentKind::ApiKeys)
        })
    }
}
