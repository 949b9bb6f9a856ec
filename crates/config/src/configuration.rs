use std::collections::BTreeMap;
use voxlint::readings::SetReading;
use voxlint::syntax::file_path::{folder_of, is_within};
use voxlint::{DocumentKind, HouseRule, Rule, RuleRef, Wildcard, counted};

use crate::config_file::{
    BaseSetting, ConfigFile, DocumentsEntry, Expected, HouseRuleEntry, OverrideEntry, RuleConfigs,
    SuppressionEntry, names_rule,
};
use crate::pattern::{Matches, Pattern, PatternId, PatternSet};
use crate::rule_names::RuleNames;
use crate::rule_selection::{RuleSelection, UnknownRule};
use crate::{Level, SettingSource, Sourced};
use voxlint::rules::ids::UNKNOWN_FIELD;

/// A checked configuration: a `voxlint.toml` and the files that it extends.
///
/// A value in a file overrides the same value in the files that it extends; of several extended files, the last one counts.
/// Lists of entries are concatenated, extended files first. `include`, `expect`, `baseline`, `base` and `facts` are replaced as a whole. `root`
/// of an extended file is ignored. A file that is extended more than once counts once, where it is extended first.
///
/// ```
/// use voxlint_config::{Configuration, Level, ReadError};
///
/// let mut read = |path: &str| match path {
///     "voxlint.toml" => Ok("extends = 'base.toml'\n[rules]\nunknown-field = 'error'\n".to_owned()),
///     "base.toml" => Ok("[rules]\nunknown-field = 'off'\ntext-given-twice = 'info'\n".to_owned()),
///     _ => Err(ReadError::NotFound),
/// };
/// let configuration = Configuration::load("voxlint.toml", &mut read)?;
/// let settings = configuration.for_file("agents/en.json");
///
/// let level = settings.level(voxlint::rules::find("unknown-field").expect("a rule")).expect("a level");
/// assert_eq!((level.value, level.source.to_string().as_str()), (Level::Error, "voxlint.toml:3"));
/// # Ok::<(), voxlint_config::LoadError>(())
/// ```
#[derive(Debug)]
pub struct Configuration {
    /// Extended files come before the files that extend them. Empty for the built-in settings.
    pub(crate) files: Vec<ConfigFile>,
    pub(crate) patterns: PatternSet,
    pub(crate) selection: RuleSelection,
    /// The house rules of all files, in the order of the files.
    pub(crate) house: Vec<HouseRule>,
    /// The same, for findings.
    pub(crate) house_refs: Vec<RuleRef>,
}

impl Configuration {
    /// The settings of a project without a configuration.
    pub fn built_in() -> Self {
        Self::of(Vec::new(), PatternSet::default())
    }

    pub(crate) fn of(files: Vec<ConfigFile>, patterns: PatternSet) -> Self {
        let house = files.iter().flat_map(|file| &file.house_rules);
        let house: Vec<HouseRule> = house.map(|house| house.rule.clone()).collect();
        let house_refs = house.iter().map(HouseRule::rule).collect();
        Self { files, patterns, selection: RuleSelection::default(), house, house_refs }
    }

    /// The file that was loaded; `None` for the built-in settings.
    pub fn path(&self) -> Option<&str> {
        self.files.last().map(|file| &*file.path)
    }

    /// The folder of the file that was loaded. It is empty if the path of the file has no folder.
    pub fn folder(&self) -> &str {
        self.path().map_or("", folder_of)
    }

    /// The paths and texts of all files of the configuration. Extended files come before the files that extend them.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|file| (&*file.path, &*file.text))
    }

    /// Whether the folder is the root of the project; `None` if the file does not say.
    pub fn root(&self) -> Option<&Sourced<bool>> {
        self.files.last()?.root.as_ref()
    }

    /// What a run must check at least, if it is set.
    pub(crate) fn expect(&self) -> Option<&Sourced<Vec<Expected>>> {
        self.last(|file| file.expect.as_ref())
    }

    /// What a run should have checked and has not, by the files that it has checked, each with the number of its documents. Each is the
    /// rest of a sentence that begins with the place of the setting.
    ///
    /// ```
    /// use voxlint_config::Configuration;
    ///
    /// let text = "expect = ['2', 'en.*', 'fr.*']";
    /// let configuration = Configuration::load("/voxlint.toml", &mut |_| Ok(text.to_owned()))?;
    /// let missing = configuration.missing(&[("/en.json", 1)]);
    /// assert_eq!(missing[0], "expects at least 2 documents, but 1 was checked");
    /// assert_eq!(missing[1], "expects a document that matches `fr.*`, but none was checked");
    /// # Ok::<(), voxlint_config::LoadError>(())
    /// ```
    pub fn missing(&self, checked: &[(&str, u64)]) -> Vec<String> {
        let below = checked.iter().filter(|(path, _)| is_within(self.folder(), path));
        let found: u64 = below.map(|(_, count)| count).sum();
        let is_missing = |expected: &Expected| match expected {
            Expected::Documents(count) if found < *count => {
                let (count, was) =
                    (counted(*count, "document"), if found == 1 { "was" } else { "were" });
                Some(format!("expects at least {count}, but {found} {was} checked"))
            }
            Expected::Files(id) => {
                let matches = |path: &str| self.patterns.matches(path).contain(*id);
                let is_there = checked.iter().any(|(path, count)| *count > 0 && matches(path));
                let text = &self.patterns.get(*id).filter(|_| !is_there)?.text;
                Some(format!("expects a document that matches `{text}`, but none was checked"))
            }
            Expected::Documents(_) => None,
        };
        let all = self.expect().into_iter().flat_map(|expected| &expected.value);
        all.filter_map(is_missing).collect()
    }

    /// Whether suppression comments may name groups of rules, if it is set.
    pub(crate) fn group_comments(&self) -> Option<&Sourced<bool>> {
        self.last(|file| file.group_comments.as_ref())
    }

    /// The baseline file, if it is set.
    pub fn baseline(&self) -> Option<&Sourced<String>> {
        self.last(|file| file.baseline.as_ref())
    }

    /// Where the stored configurations that the repository last knew come from, if it is set.
    ///
    /// ```
    /// use voxlint_config::Configuration;
    ///
    /// let configuration = Configuration::load("a/voxlint.toml", &mut |_| Ok("base = 'origin/main'".to_owned()))?;
    /// let base = configuration.base().expect("a base");
    /// assert_eq!((&*base.value.name, &*base.value.folder), ("origin/main", "a"));
    /// # Ok::<(), voxlint_config::LoadError>(())
    /// ```
    pub fn base(&self) -> Option<&Sourced<BaseSetting>> {
        self.last(|file| file.base.as_ref())
    }

    /// The facts file for all documents.
    pub fn facts(&self) -> Option<&Sourced<String>> {
        self.last(|file| file.facts.as_ref())
    }

    /// What the team knows about open passages of the description. Of several settings of one, the last one counts.
    pub fn readings(&self) -> Vec<&Sourced<SetReading>> {
        let all = self.files.iter().flat_map(|file| &file.readings);
        let named = all.map(|set| (set.value.reading.name, set));
        named.collect::<BTreeMap<_, _>>().into_values().collect()
    }

    /// The same configuration, with the places of readings as users see the paths.
    #[must_use]
    pub fn with_shown_readings(mut self, shown: impl Fn(&SettingSource) -> String) -> Self {
        for set in self.files.iter_mut().flat_map(|file| &mut file.readings) {
            set.value.place = shown(&set.source).into();
        }
        self
    }

    /// Whether something is set for some of the files, by a pattern.
    pub fn has_patterns(&self) -> bool {
        !self.patterns.is_empty()
    }

    /// Whether files may have related files: facts, stored configurations or text files.
    pub fn names_related_files(&self) -> bool {
        let names_some = |entry: &DocumentsEntry| {
            entry.stored.is_some() || entry.facts.is_some() || !entry.text_files.is_empty()
        };
        self.facts().is_some() || self.documents().any(names_some)
    }

    /// The first setting that names a facts file, by its path as in [`FileSettings::facts`](crate::FileSettings::facts).
    pub fn facts_setting(&self, path: &str) -> Option<&SettingSource> {
        let entries = self.documents().filter_map(|entry| entry.facts.as_ref());
        let mut all = self.facts().into_iter().chain(entries);
        all.find(|facts| facts.value == path).map(|facts| &facts.source)
    }

    /// The patterns of the files to check in folders; `None` if `include` is not set.
    pub fn include(&self) -> Option<Vec<&Pattern>> {
        Some(self.patterns(self.include_ids()?))
    }

    /// The patterns of the files to skip.
    pub fn exclude(&self) -> Vec<&Pattern> {
        self.files.iter().flat_map(|file| self.patterns(&file.exclude)).collect()
    }

    /// The house rules of all files.
    pub fn house_rules(&self) -> &[HouseRule] {
        &self.house
    }

    /// The level of a rule in files without overrides; `None` for the default severity of the rule.
    pub fn level(&self, rule: &Rule) -> Option<Sourced<Level>> {
        self.level_with(rule, &[])
    }

    pub(crate) fn last<'c, T>(&'c self, get: impl Fn(&'c ConfigFile) -> Option<T>) -> Option<T> {
        self.files.iter().rev().find_map(get)
    }

    pub(crate) fn include_ids(&self) -> Option<&[PatternId]> {
        self.last(|file| file.include.as_deref())
    }

    pub(crate) fn patterns(&self, ids: &[PatternId]) -> Vec<&Pattern> {
        ids.iter().filter_map(|id| self.patterns.get(*id)).collect()
    }

    /// Whether an entry of `documents` sets this kind.
    pub fn sets_kind(&self, kind: DocumentKind) -> bool {
        self.documents().any(|entry| entry.kind.as_ref().is_some_and(|it| it.value == kind))
    }

    /// The entries of `documents`, in order.
    pub(crate) fn documents(&self) -> impl Iterator<Item = &DocumentsEntry> {
        self.files.iter().flat_map(|file| &file.documents)
    }

    /// The entries of `overrides`, in order.
    pub(crate) fn overrides(&self) -> impl Iterator<Item = &OverrideEntry> {
        self.files.iter().flat_map(|file| &file.overrides)
    }

    /// The entries of `documents` for a file, in order.
    pub(crate) fn matching_documents(&self, matches: &Matches) -> Vec<&DocumentsEntry> {
        self.documents().filter(|entry| matches.any_of(&entry.files)).collect()
    }

    /// The entries of `overrides` for a file, in order.
    pub(crate) fn matching_overrides(&self, matches: &Matches) -> Vec<&OverrideEntry> {
        self.overrides().filter(|entry| matches.any_of(&entry.files)).collect()
    }

    /// The entries of `suppressions` for a file, in order, each with its index among all entries.
    pub(crate) fn matching_suppressions(
        &self,
        matches: &Matches,
    ) -> impl Iterator<Item = (usize, &SuppressionEntry)> {
        self.suppressions().enumerate().filter(|(_, entry)| matches.any_of(&entry.files))
    }

    /// The settings of rules under these overrides, from the highest precedence to the lowest.
    fn layers<'c, 'o>(
        &'c self,
        overrides: &'o [&'c OverrideEntry],
    ) -> impl Iterator<Item = &'c RuleConfigs> + use<'c, 'o> {
        let overrides = overrides.iter().rev().map(|it| &it.rules);
        overrides.chain(self.files.iter().rev().map(|file| &file.rules))
    }

    /// The level of a rule under these overrides.
    pub(crate) fn level_with(
        &self,
        rule: &Rule,
        overrides: &[&OverrideEntry],
    ) -> Option<Sourced<Level>> {
        // No rule can check what cannot be read, so it must fail the run.
        if rule.is_syntax() {
            return None;
        }
        let configured = self.layers(overrides).find_map(|rules| {
            let of = |name: &str| rules.get(name)?.level.as_ref();
            rule.names().find_map(of)
        });
        self.selection.level(rule, configured)
    }

    /// The names that `unknown-field` allows under these overrides.
    pub(crate) fn allowed_with<'c>(
        &'c self,
        overrides: &[&'c OverrideEntry],
    ) -> Option<&'c Sourced<Vec<Wildcard>>> {
        self.layers(overrides).find_map(|rules| rules.get(UNKNOWN_FIELD)?.allow.as_ref())
    }

    /// The template variables that are listed for all files and in these entries; `None` if no list is set.
    pub(crate) fn variables_with<'c>(
        &'c self,
        documents: &[&'c DocumentsEntry],
    ) -> Option<Vec<&'c Sourced<Wildcard>>> {
        let everywhere = self.files.iter().filter_map(|file| file.variables.as_ref());
        let here = documents.iter().filter_map(|entry| entry.variables.as_ref());
        let lists: Vec<_> = everywhere.chain(here).collect();
        (!lists.is_empty()).then(|| lists.into_iter().flatten().collect())
    }

    /// The entries of `house_rules`, each with its rule for findings.
    pub(crate) fn house_entries(&self) -> impl Iterator<Item = (&HouseRuleEntry, &RuleRef)> {
        self.files.iter().flat_map(|file| &file.house_rules).zip(&self.house_refs)
    }

    /// All rules, built-in rules first.
    pub(crate) fn rules(&self) -> impl Iterator<Item = RuleRef> {
        let ours = voxlint::rules::all().map(RuleRef::from);
        ours.chain(self.house_refs.iter().cloned())
    }

    /// The rules that a name selects: its id, the name of a group, or `recommended`.
    pub(crate) fn rules_named(&self, name: &str) -> impl Iterator<Item = RuleRef> {
        self.rules().filter(move |rule| names_rule(name, rule))
    }
}

impl Configuration {
    /// The configuration with a selection of rules.
    ///
    /// # Errors
    ///
    /// If there is no rule and no group of a name.
    pub fn with_rule_selection(self, selection: &RuleSelection) -> Result<Self, UnknownRule> {
        selection.check([&self])?;
        Ok(self.with_known_rules(selection))
    }

    /// The configuration with the part of a selection that it knows: a house rule may belong to another configuration. See
    /// [`RuleSelection::check`].
    #[must_use]
    pub fn with_known_rules(self, selection: &RuleSelection) -> Self {
        Self { selection: selection.known_to(&self.rule_names()), ..self }
    }

    fn rule_names(&self) -> RuleNames {
        RuleNames { house: self.house.iter().map(|rule| rule.id().to_owned()).collect() }
    }
}

impl RuleSelection {
    /// Checks that at least one of the configurations knows each rule or group.
    ///
    /// # Errors
    ///
    /// If no configuration knows a name. The suggestion is from the last configuration.
    pub fn check<'c>(
        &self,
        configurations: impl IntoIterator<Item = &'c Configuration>,
    ) -> Result<(), UnknownRule> {
        let known: Vec<RuleNames> =
            configurations.into_iter().map(Configuration::rule_names).collect();
        for (argument, name) in self.names() {
            let results = known.iter().map(|names| names.check(name));
            if let Some(Err(suggestion)) = results.reduce(Result::or) {
                return Err(UnknownRule { argument, name: name.to_owned(), suggestion });
            }
        }
        Ok(())
    }
}
