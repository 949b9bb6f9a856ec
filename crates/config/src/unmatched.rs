//! Patterns that match nothing, usually because a name is misspelled or files have moved.

use std::collections::BTreeSet;

use voxlint::syntax::file_path::{is_within, normalize};

use crate::config_file::ConfigFile;
use crate::pattern::{Matches, PatternId};
use crate::{Configuration, FileSettings, SettingSource, Sourced};

/// A pattern that matches nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnmatchedPattern {
    /// Where the pattern is set.
    pub source: SettingSource,
    /// The setting, such as `documents.files` or `text_files.prompt_text`.
    pub setting: String,
    /// The pattern as written.
    pub pattern: String,
}

/// A pattern for related files: `stored` or one of the `text_files`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RelatedPattern {
    source: SettingSource,
    setting: String,
}

const STORED: &str = "documents.stored";

fn text_file(field: &str) -> String {
    format!("documents.text_files.{field}")
}

impl FileSettings<'_> {
    /// The related files of the document, each with its pattern.
    ///
    /// ```
    /// use voxlint_config::Configuration;
    ///
    /// let text = "[[documents]]\nfiles = '*.json'\nstored = 'stored/{stem}.json'\n";
    /// let configuration = Configuration::load("voxlint.toml", &mut |_| Ok(text.to_owned()))?;
    /// let (path, _) = configuration.for_file("en.json").related_files().remove(0);
    /// assert_eq!(path, "stored/en.json");
    /// # Ok::<(), voxlint_config::LoadError>(())
    /// ```
    pub fn related_files(&self) -> Vec<(String, RelatedPattern)> {
        let stored = self.stored().map(|stored| {
            let pattern = RelatedPattern { source: stored.source, setting: STORED.to_owned() };
            (stored.value, pattern)
        });
        let texts = self.text_files().into_iter().map(|text| {
            let (row, path) = text.value;
            (path, RelatedPattern { source: text.source, setting: text_file(row.name) })
        });
        stored.into_iter().chain(texts).collect()
    }
}

impl Configuration {
    /// The rules of earlier versions that the configuration names. They mean nothing now.
    pub fn removed_rules(&self) -> impl Iterator<Item = &Sourced<String>> {
        self.files.iter().flat_map(|file| &file.removed)
    }

    /// The patterns of the configuration file itself that match nothing, in the order of the file.
    ///
    /// `files` are all files that the configuration applies to, and `related` the patterns of related files that exist.
    /// Patterns for files outside `folders` are not reported, because not all files there are known. Patterns in extended
    /// files are not reported, because they may be for other projects.
    ///
    /// ```
    /// use voxlint_config::Configuration;
    ///
    /// let text = "[[documents]]\nfiles = 'agnts/*.json'\nkind = 'update'\n";
    /// let configuration = Configuration::load("voxlint.toml", &mut |_| Ok(text.to_owned()))?;
    /// let unmatched = configuration.unmatched(["agents/en.json"], &Default::default(), &[String::new()]);
    /// assert_eq!(unmatched[0].pattern, "agnts/*.json");
    /// assert!(configuration.unmatched([], &Default::default(), &[]).is_empty());
    /// # Ok::<(), voxlint_config::LoadError>(())
    /// ```
    pub fn unmatched<'f>(
        &self,
        files: impl IntoIterator<Item = &'f str>,
        related: &BTreeSet<RelatedPattern>,
        folders: &[String],
    ) -> Vec<UnmatchedPattern> {
        let Some(own) = self.files.last() else { return Vec::new() };
        let files = files.into_iter().map(|path| self.patterns.matches(&normalize(path)));
        let matches = Matches::of_any(files);
        let mut unmatched = Vec::new();
        for (setting, id) in patterns(own) {
            let Some(pattern) = self.patterns.get(id) else { continue };
            let is_visited = folders.iter().any(|folder| is_within(folder, pattern.root()));
            if is_visited && !matches.contain(id) {
                let (source, pattern) = (pattern.source.clone(), pattern.text.clone());
                unmatched.push(UnmatchedPattern { source, setting: setting.to_owned(), pattern });
            }
        }
        if folders.iter().any(|folder| is_within(folder, self.folder())) {
            for entry in &own.documents {
                let stored = entry
                    .stored
                    .iter()
                    .map(|stored| (STORED.to_owned(), stored.source.clone(), stored.value.clone()));
                let texts = entry.text_files.iter().map(|text| {
                    let (row, pattern) = &text.value;
                    (text_file(row.name), text.source.clone(), pattern.clone())
                });
                for (setting, source, pattern) in stored.chain(texts) {
                    let key = RelatedPattern { source, setting };
                    if !related.contains(&key) {
                        let RelatedPattern { source, setting } = key;
                        unmatched.push(UnmatchedPattern { source, setting, pattern });
                    }
                }
            }
        }
        unmatched.sort();
        unmatched
    }
}

/// The patterns that must match a file. Patterns of `exclude` may be for files that a checkout does not have, and unused
/// suppressions are reported by a rule.
fn patterns(file: &ConfigFile) -> impl Iterator<Item = (&'static str, PatternId)> {
    let include = file.include.iter().flatten().map(|id| ("include", *id));
    let documents = file.documents.iter().flat_map(|entry| &entry.files);
    let overrides = file.overrides.iter().flat_map(|entry| &entry.files);
    let house = file.house_rules.iter().filter_map(|house| house.files.as_ref()).flatten();
    include
        .chain(documents.map(|id| ("documents.files", *id)))
        .chain(overrides.map(|id| ("overrides.files", *id)))
        .chain(house.map(|id| ("house_rules.files", *id)))
}
