use std::borrow::Cow;

use voxlint::schema::Row;
use voxlint::{DocumentKind, HouseRule, Rule, Wildcard};

use crate::config_file::{DocumentsEntry, HouseRuleEntry, OverrideEntry, SuppressionEntry};
use crate::path::{folder, join, stem};
use crate::pattern::{Matches, Pattern};
use crate::reader::STEM;
use crate::{Configuration, Level, Sourced, normalize_path};

/// What holds for one file, with where it was said.
///
/// ```
/// use voxlint_config::Configuration;
///
/// let text = "[[documents]]\nfiles = 'agents/*.json'\nstored = 'stored/{stem}.json'\n";
/// let configuration = Configuration::load("voxlint.toml", &mut |_| Ok(text.to_owned()))?;
/// let stored = configuration.for_file("agents/en.json").stored().expect("a path");
/// assert_eq!(stored.value, "agents/stored/en.json");
/// assert_eq!(stored.source.to_string(), "voxlint.toml:3");
/// assert!(configuration.for_file("agents/en.yaml").stored().is_none());
/// # Ok::<(), voxlint_config::LoadError>(())
/// ```
#[derive(Debug)]
pub struct FileSettings<'c> {
    pub(crate) configuration: &'c Configuration,
    /// The file, normalised.
    path: String,
    matches: Matches,
    documents: Vec<&'c DocumentsEntry>,
    pub(crate) overrides: Vec<&'c OverrideEntry>,
    house: Cow<'c, [HouseRule]>,
}

impl<'c> FileSettings<'c> {
    pub(crate) fn new(configuration: &'c Configuration, path: &str) -> Self {
        let path = normalize_path(path);
        let matches = configuration.patterns.matches(&path);
        let documents =
            configuration.documents().filter(|entry| matches.any_of(&entry.files)).collect();
        let overrides: Vec<&OverrideEntry> =
            configuration.overrides().filter(|entry| matches.any_of(&entry.files)).collect();
        let mut settings = Self {
            configuration,
            path,
            matches,
            documents,
            overrides,
            house: Cow::Borrowed(&configuration.house),
        };
        settings.house = settings.own_house_rules();
        settings
    }

    /// The house rules for this file that are not switched off.
    fn own_house_rules(&self) -> Cow<'c, [HouseRule]> {
        let is_for_it = |house: &HouseRuleEntry, rule: &Rule| {
            let is_meant = house.files.as_ref().is_none_or(|files| self.matches.any_of(files));
            is_meant && !self.is_off(rule)
        };
        let entries = self.configuration.house_entries();
        let own = entries.filter(|(house, rule)| is_for_it(house, rule));
        let own: Vec<&HouseRule> = own.map(|(house, _)| &house.rule).collect();
        if own.len() == self.configuration.house.len() {
            Cow::Borrowed(&self.configuration.house)
        } else {
            own.into_iter().cloned().collect()
        }
    }

    /// The file's path.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The pattern that has the file left alone.
    pub fn excluded_by(&self) -> Option<&'c Pattern> {
        let mut lists = self.configuration.files.iter().rev().map(|file| file.exclude.as_slice());
        let id = lists.find_map(|ids| self.matches.last_of(ids))?;
        self.configuration.patterns.get(id)
    }

    /// The pattern that has the file looked at in folders.
    pub fn included_by(&self) -> Option<&'c Pattern> {
        let id = self.matches.last_of(self.configuration.include_ids()?)?;
        self.configuration.patterns.get(id)
    }

    /// Whether the file is left alone.
    pub fn is_excluded(&self) -> bool {
        self.excluded_by().is_some()
    }

    /// Whether `include` has the file looked at in folders; `None` where nobody has said what is included.
    pub fn is_included(&self) -> Option<bool> {
        self.configuration.include_ids().map(|ids| self.matches.any_of(ids))
    }

    /// The kind of the documents in the file.
    pub fn kind(&self) -> Option<&'c Sourced<DocumentKind>> {
        self.last(|entry| entry.kind.as_ref())
    }

    /// The type of the agents that the documents are for.
    pub fn agent_type(&self) -> Option<&'c Sourced<String>> {
        self.last(|entry| entry.agent_type.as_ref())
    }

    /// The agent that the documents are for.
    pub fn agent_id(&self) -> Option<&'c Sourced<String>> {
        self.last(|entry| entry.agent_id.as_ref())
    }

    /// The file with what the service holds for the document, if there is such a file.
    pub fn stored(&self) -> Option<Sourced<String>> {
        let stored = self.last(|entry| entry.stored.as_ref())?;
        Some(stored.clone().map(|pattern| self.beside(&pattern)))
    }

    /// The file with facts of the workspace.
    pub fn facts(&self) -> Option<&'c Sourced<String>> {
        self.last(|entry| entry.facts.as_ref()).or_else(|| self.configuration.facts())
    }

    /// The files that texts of the document are kept in, if there are such files, in the order of the fields.
    pub fn text_files(&self) -> Vec<Sourced<(&'static Row, String)>> {
        let mut files: Vec<&Sourced<(&'static Row, String)>> = Vec::new();
        for file in self.documents.iter().rev().flat_map(|entry| &entry.text_files) {
            if files.iter().all(|known| known.value.0.name != file.value.0.name) {
                files.push(file);
            }
        }
        files.sort_by_key(|file| file.value.0.index);
        let resolved = |file: &Sourced<(&'static Row, String)>| {
            file.clone().map(|(row, pattern)| (row, self.beside(&pattern)))
        };
        files.into_iter().map(resolved).collect()
    }

    /// The template variables that calls bring along, with `*` for any characters; `None` where nobody has listed any.
    pub fn variables(&self) -> Option<Vec<&'c Sourced<Wildcard>>> {
        self.configuration.variables_with(&self.documents)
    }

    /// The level of a rule; `None` leaves the rule to itself.
    pub fn level(&self, rule: &Rule) -> Option<Sourced<Level>> {
        self.configuration.level_with(rule, &self.overrides)
    }

    /// Whether a rule is switched off.
    pub fn is_off(&self, rule: &Rule) -> bool {
        self.level(rule).is_some_and(|level| level.value == Level::Off)
    }

    /// The names that `unknown-field` leaves alone.
    pub fn allowed_fields(&self) -> Option<&'c Sourced<Vec<Wildcard>>> {
        self.configuration.allowed_with(&self.overrides)
    }

    /// The house rules for the file, without those that are off.
    pub fn house_rules(&self) -> &[HouseRule] {
        &self.house
    }

    /// The entries of `suppressions` for the file, with the numbers of their file and of themselves in it.
    pub(crate) fn suppressions(&self) -> impl Iterator<Item = ((u32, u32), &'c SuppressionEntry)> {
        self.configuration.suppressions().filter(|(_, entry)| self.matches.any_of(&entry.files))
    }

    fn last<T>(&self, get: impl Fn(&'c DocumentsEntry) -> Option<T>) -> Option<T> {
        self.documents.iter().rev().find_map(|entry| get(entry))
    }

    /// A path from the folder of the document, with the name of the document's file put in.
    fn beside(&self, pattern: &str) -> String {
        join(folder(&self.path), &pattern.replace(STEM, stem(&self.path)))
    }
}
