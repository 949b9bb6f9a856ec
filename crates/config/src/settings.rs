use std::borrow::Cow;
use std::cell::LazyCell;

use voxlint::pointer::unescape_token;
use voxlint::readings::{Readings, SetReading};
use voxlint::schema::Row;
use voxlint::syntax::file_path::{folder_of, join, normalize, stem};
use voxlint::{
    Diagnostic, DocumentKind, Family, Group, HouseRule, Report, Rule, Wildcard, WildcardSet, rules,
};

use crate::config_file::{DocumentsEntry, HouseRuleEntry, OverrideEntry, SuppressionEntry};
use crate::pattern::{Matches, Pattern};
use crate::value_reader::STEM;
use crate::{Configuration, Level, Sourced};

/// The settings for one file, and where each comes from.
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
    /// The file's normalized path.
    path: String,
    matches: Matches,
    documents: Vec<&'c DocumentsEntry>,
    pub(crate) overrides: Vec<&'c OverrideEntry>,
    house: Cow<'c, [HouseRule]>,
}

impl<'c> FileSettings<'c> {
    pub(crate) fn new(configuration: &'c Configuration, path: &str) -> Self {
        let path = normalize(path);
        let matches = configuration.patterns.matches(&path);
        let documents = configuration.matching_documents(&matches);
        let overrides = configuration.matching_overrides(&matches);
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

    /// The house rules for this file that are enabled.
    fn own_house_rules(&self) -> Cow<'c, [HouseRule]> {
        let is_for_it = |house: &HouseRuleEntry, rule: &Rule| {
            let matches = house.files.as_ref().is_none_or(|files| self.matches.any_of(files));
            matches && !self.is_off(rule)
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

    /// The pattern that excludes the file.
    pub fn excluded_by(&self) -> Option<&'c Pattern> {
        let mut lists = self.configuration.files.iter().rev().map(|file| file.exclude.as_slice());
        let id = lists.find_map(|ids| self.matches.last_of(ids))?;
        self.configuration.patterns.get(id)
    }

    /// The pattern that includes the file.
    pub fn included_by(&self) -> Option<&'c Pattern> {
        let id = self.matches.last_of(self.configuration.include_ids()?)?;
        self.configuration.patterns.get(id)
    }

    /// Whether the file is skipped.
    pub fn is_excluded(&self) -> bool {
        self.excluded_by().is_some()
    }

    /// Whether `include` matches the file; `None` if `include` is not set.
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

    /// The file with the stored configuration of the document. It may not exist.
    pub fn stored(&self) -> Option<Sourced<String>> {
        let stored = self.last(|entry| entry.stored.as_ref())?;
        Some(stored.clone().map(|pattern| self.beside(&pattern)))
    }

    /// The path of [`Self::stored`] with `{stem}` in the place of the document's name, so that it is the same for many
    /// documents.
    ///
    /// ```
    /// use voxlint_config::Configuration;
    ///
    /// let text = "[[documents]]\nfiles = 'agents/*.json'\nstored = '../stored/{stem}.json'\n";
    /// let configuration = Configuration::load("voxlint.toml", &mut |_| Ok(text.to_owned()))?;
    /// let settings = configuration.for_file("agents/en.json");
    /// assert_eq!(settings.stored_pattern().as_deref(), Some("stored/{stem}.json"));
    /// # Ok::<(), voxlint_config::LoadError>(())
    /// ```
    pub fn stored_pattern(&self) -> Option<String> {
        let stored = self.last(|entry| entry.stored.as_ref())?;
        Some(join(folder_of(&self.path), &stored.value))
    }

    /// The file with facts about the workspace.
    pub fn facts(&self) -> Option<&'c Sourced<String>> {
        self.last(|entry| entry.facts.as_ref()).or_else(|| self.configuration.facts())
    }

    /// The text files of the document, in the order of their fields. They may not exist.
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

    /// Whether the path of a field's text file contains the name of the document, so that documents with other names have other
    /// files.
    pub fn has_own_text_file(&self, field: &Row) -> bool {
        let files = self.documents.iter().rev().flat_map(|entry| &entry.text_files);
        let mut files = files.map(|file| &file.value).filter(|(row, _)| row.name == field.name);
        files.next().is_some_and(|(_, pattern)| pattern.contains(STEM))
    }

    /// What the team knows about open passages of the description.
    pub fn readings(&self) -> Vec<&'c Sourced<SetReading>> {
        self.configuration.readings()
    }

    /// The same, as the inputs of a check have it.
    pub fn known_readings(&self) -> Readings {
        self.readings().into_iter().map(|set| set.value.clone()).collect()
    }

    /// The template variables that calls provide, with `*` for any characters; `None` if no list is set.
    pub fn variables(&self) -> Option<Vec<&'c Sourced<Wildcard>>> {
        self.configuration.variables_with(&self.documents)
    }

    /// The level of a rule; `None` for the default: its own severity, or off.
    pub fn level(&self, rule: &Rule) -> Option<Sourced<Level>> {
        self.configuration.level_with(rule, &self.overrides)
    }

    /// Whether a rule is off.
    pub fn is_off(&self, rule: &Rule) -> bool {
        is_off(rule, self.level(rule).as_ref())
    }

    /// Whether a rule that is off by default is on. Only then do those rules have to run.
    pub fn has_optional_rules(&self) -> bool {
        rules::all().any(|rule| !rule.is_recommended && !self.is_off(rule))
    }

    /// The groups of which a rule is on. Only their rules have to run. Those of correctness always do, because what cannot be
    /// read is an error at every level.
    pub fn groups(&self) -> Vec<Group> {
        let is_on = |group: Group| {
            group == Group::Correctness
                || rules::all().any(|rule| rule.group == group && !self.is_off(rule))
        };
        Group::ALL.into_iter().filter(|group| is_on(*group)).collect()
    }

    /// The names that `unknown-field` allows.
    pub fn allowed_fields(&self) -> Option<&'c Sourced<Vec<Wildcard>>> {
        self.configuration.allowed_with(&self.overrides)
    }

    /// The house rules for the file, without those that are off.
    pub fn house_rules(&self) -> &[HouseRule] {
        &self.house
    }

    /// The entries of `suppressions` for the file, each with its index among all entries.
    pub(crate) fn suppressions(&self) -> impl Iterator<Item = (usize, &'c SuppressionEntry)> {
        self.configuration.matching_suppressions(&self.matches)
    }

    /// Removes the findings of rules that are off and of allowed fields, and sets the severity of the others.
    pub fn apply_levels(&self, report: &mut Report) {
        let allowed = self.allowed_fields();
        let allowed = LazyCell::new(|| {
            let names = allowed.into_iter().flat_map(|allowed| &allowed.value);
            names.cloned().collect::<WildcardSet>()
        });
        report.diagnostics.retain_mut(|found| {
            match self.level(&found.rule) {
                Some(level) => match level.value.severity() {
                    Some(severity) => found.severity = severity,
                    None => return false,
                },
                None if !found.rule.is_recommended => return false,
                None => {}
            }
            !(found.rule.reports_unknown_fields() && allowed.matches(&unknown_name(found)))
        });
        report.undecided.retain(|entry| !self.is_off(&entry.rule));
    }

    fn last<T>(&self, get: impl Fn(&'c DocumentsEntry) -> Option<T>) -> Option<T> {
        self.documents.iter().rev().find_map(|entry| get(entry))
    }

    /// A path relative to the folder of the document, with `{stem}` replaced.
    fn beside(&self, pattern: &str) -> String {
        join(folder_of(&self.path), &pattern.replace(STEM, stem(&self.path)))
    }
}

/// Whether a rule with this level is off. Without a level, the default counts.
pub(crate) fn is_off(rule: &Rule, level: Option<&Sourced<Level>>) -> bool {
    level.map_or(!rule.is_recommended, |level| level.value == Level::Off)
}

/// Whether a rule compares the documents of a plan, so that a check has no findings of it.
pub(crate) fn is_for_plans(rule: &Rule) -> bool {
    rule.family() == Family::Fleet
}

/// The name of the field that a finding about an unknown field is about.
fn unknown_name(found: &Diagnostic) -> Cow<'_, str> {
    unescape_token(found.field.rsplit('/').next().unwrap_or_default())
}

impl Configuration {
    /// The settings for a file. The path must be relative to the same folder as the path of the configuration.
    pub fn for_file(&self, path: &str) -> FileSettings<'_> {
        FileSettings::new(self, path)
    }
}
