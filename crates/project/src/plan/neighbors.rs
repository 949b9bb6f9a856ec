//! What a plan compares its documents with, without planning it: the other documents of the project, and stored configurations that
//! belong to no document.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use voxlint::{Document, DocumentKind, Inputs, Neighbor, PlanInputs, Stored};
use voxlint_config::STEM;

use super::reload::{Each, documents};
use super::updates::name;
use crate::file_set::FileSet;
use crate::file_status::FileRole;
use crate::file_system::FileSystem;
use crate::find::Finder;
use crate::input::{InputFile, ReadOptions};
use crate::linted::LintedDocument;
use crate::linter::{Linter, guarded};
use crate::loose_templates::LooseTemplates;
use crate::options::{LintOptions, RelatedOptions};
use crate::parallel;
use crate::paths::{absolute, absolute_path, folder_of, is_within, join};
use crate::related::related_paths;
use crate::related::{RelatedFiles, RelatedReader, parse};
use crate::session::Session;

/// The files of neighbors.
#[derive(Debug, Default)]
pub(super) struct NeighborFiles {
    /// The files of the project that the run does not plan, most of them with a document.
    pub(super) documents: Vec<InputFile>,
    /// Files that are named as the stored configurations of documents that do not exist.
    pub(super) stored: Vec<InputFile>,
}

impl Session {
    /// Finds the neighbors of a run: everything below the folders of its configurations that would be planned with it, and
    /// the files that match the name of a stored configuration. Nothing is read but configurations and folders.
    pub(super) fn find_neighbors(&mut self, files: &FileSet) -> NeighborFiles {
        let known = files.inputs.iter().chain(&files.left_out);
        let known = known.chain(files.related.iter().map(|(input, _)| input));
        let mut known: HashSet<Arc<str>> = known.map(|input| Arc::clone(&input.absolute)).collect();
        let mut documents = files.left_out.clone();
        let mut folders = self.configurations().covered_folders();
        folders.retain(|folder| !files.folders.iter().any(|searched| is_within(searched, folder)));
        if !folders.is_empty() {
            let options = self.options().clone();
            let finder = Finder { read: &options.read, policy: options.explicit_paths, kind: None };
            let configurations = self.configurations_mut();
            let found = finder.find_below(&folders, configurations, true);
            // Documents without a usable configuration are known too little, which is said where it matters.
            configurations.take_failures();
            for mut input in found {
                let is_taken = files.taken.iter().any(|folder| is_within(folder, &input.absolute));
                if !is_taken && !input.is_text() && known.insert(Arc::clone(&input.absolute)) {
                    input.shown = configurations.shown(&input.absolute).into();
                    documents.push(input);
                }
            }
        }
        let related = self.related_of(files.inputs.iter().chain(&documents));
        documents.retain(|input| !related.contains(&PathBuf::from(&*input.absolute)));
        let stored = self.find_stored(files, &documents, &related);
        NeighborFiles { documents, stored }
    }

    fn related_of<'i>(&self, inputs: impl Iterator<Item = &'i InputFile>) -> BTreeSet<PathBuf> {
        let configurations = self.configurations();
        let related = inputs.flat_map(|input| related_paths(input, self.options(), configurations));
        related.map(|(path, _)| path).collect()
    }

    /// The files that match the name of a stored configuration and belong to no document.
    fn find_stored(
        &self,
        files: &FileSet,
        documents: &[InputFile],
        related: &BTreeSet<PathBuf>,
    ) -> Vec<InputFile> {
        let configurations = self.configurations();
        let all = || files.inputs.iter().chain(documents);
        let pattern = |input: &InputFile| {
            let settings = configurations.settings_for(&input.absolute)?;
            settings.stored_pattern()
        };
        let patterns: BTreeSet<String> = all().filter_map(pattern).collect();
        let paths: BTreeSet<String> =
            patterns.iter().flat_map(|it| matching(it, self.file_system())).collect();
        let is_free = |path: &String| {
            !related.contains(&PathBuf::from(path))
                && !files.taken.iter().any(|folder| is_within(folder, path))
        };
        let input = |path: String| {
            let mut input = ReadOptions::default().input(Path::new(&path));
            input.shown = configurations.shown(&path).into();
            input
        };
        paths.into_iter().filter(is_free).map(input).collect()
    }

    /// Reads neighbors. One that cannot be read or used counts as a document of which nothing is known.
    pub(super) fn read_neighbors(&self, found: &NeighborFiles) -> Vec<Neighbor> {
        let mut options: LintOptions = self.options().clone();
        // These are for the documents of the run.
        (options.kind, options.related) = (None, RelatedOptions::default());
        let related = RelatedFiles::default();
        let reader = RelatedReader { configurations: self.configurations(), cache: self.cache() };
        let linter = Linter {
            options: &options,
            reader,
            related: &related,
            baselines: &[],
            shared_texts: &BTreeSet::new(),
            loose_templates: LooseTemplates::new(self.repository_root()),
            today: self.today(),
            reference: None,
            renderer: &Each::read(neighbor),
        };
        let documents = parallel::map(&found.documents, |(): &mut (), input| {
            let read = documents(&linter, input, &|_| true);
            read.unwrap_or_else(|| vec![Some(unknown(&input.shown))])
        });
        let stored = parallel::map(&found.stored, |(): &mut (), input| {
            guarded(input, || stored_in(self, input))
                .unwrap_or_else(|_| Some(unknown(&input.shown)))
        });
        documents.into_iter().flatten().chain(stored).flatten().collect()
    }
}

/// A document of which nothing is known.
fn unknown(name: &Arc<str>) -> Neighbor {
    let inputs = Inputs::new(Document::parse("{}"));
    Neighbor::document(&PlanInputs::new(Arc::clone(name), inputs))
}

/// An update; `None` for a document of another kind.
fn neighbor(document: LintedDocument) -> Option<Neighbor> {
    let name = name(&document);
    (document.kind == DocumentKind::Update)
        .then(|| Neighbor::document(&PlanInputs::new(name, document.inputs)))
}

/// A stored configuration; `None` if the file contains something else.
fn stored_in(session: &Session, input: &InputFile) -> Option<Neighbor> {
    let Ok(bytes) = input.read(session.file_system()) else { return Some(unknown(&input.shown)) };
    let Ok(related) = parse(input, FileRole::Stored, &bytes) else {
        let Ok(document) = input.document(&bytes) else { return Some(unknown(&input.shown)) };
        let kind = document.recognition().kind();
        // One that is cut off may be of an agent that holds a number.
        let is_one = document.has_errors()
            || matches!(kind, Some(DocumentKind::Stored | DocumentKind::Agent))
            || Stored::new(document).agent_id().is_some();
        return is_one.then(|| unknown(&input.shown));
    };
    // The settings of a version alone do not tell whose they are.
    let stored = related.as_stored();
    stored.agent_id()?;
    Some(Neighbor::stored(Arc::clone(&input.shown), stored))
}

/// The files that match a path with `{stem}` in it. Hidden ones do not count.
fn matching(pattern: &str, files: &FileSystem) -> Vec<String> {
    let Some(at) = pattern.find(STEM) else { return Vec::new() };
    let folder = folder_of(pattern.get(..at).unwrap_or_default());
    let rest = pattern.get(folder.len()..).unwrap_or_default().trim_start_matches('/');
    let (part, below) = rest.split_once('/').unwrap_or((rest, ""));
    let searched = Path::new(if folder.is_empty() { "/" } else { folder });
    let Ok(entries) = files.read_dir(searched) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let path = |name: String| {
        let stem = stem_in(part, &name)?.to_owned();
        let path = join(folder, &name);
        let path = if below.is_empty() { path } else { join(&path, &below.replace(STEM, &stem)) };
        let is_file = files.metadata(Path::new(&path)).is_ok_and(|it| it.is_file());
        is_file.then(|| absolute(&absolute_path(Path::new(&path))))
    };
    names.filter(|name| !name.starts_with('.')).filter_map(path).collect()
}

/// The text in the place of `{stem}`; `None` if a name does not match.
fn stem_in<'n>(pattern: &str, name: &'n str) -> Option<&'n str> {
    let (before, _) = pattern.split_once(STEM)?;
    let times = pattern.matches(STEM).count();
    let fixed = pattern.len() - times * STEM.len();
    let length = name.len().checked_sub(fixed)?.checked_div(times)?;
    let stem = name.get(before.len()..before.len() + length)?;
    (!stem.is_empty() && pattern.replace(STEM, stem) == name).then_some(stem)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_matches_its_pattern_only() {
        for (pattern, name, stem) in [
            ("{stem}.json", "en.json", Some("en")),
            ("{stem}.stored.json", "front.desk.stored.json", Some("front.desk")),
            ("{stem}.stored.json", "en.json", None),
            ("{stem}.json", ".json", None),
            ("{stem}-{stem}.json", "en-en.json", Some("en")),
            ("{stem}-{stem}.json", "en-de.json", None),
            ("a-{stem}", "a-é", Some("é")),
            ("é{stem}", "x", None),
            ("stored.json", "stored.json", None),
        ] {
            assert_eq!(stem_in(pattern, name), stem, "{pattern} {name}");
        }
    }
}
