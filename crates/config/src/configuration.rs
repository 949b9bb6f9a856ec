use voxlint::{DocumentKind, HouseRule, Rule, RuleRef, Wildcard};

use crate::config_file::{
    ConfigFile, DocumentsEntry, HouseRuleEntry, OverrideEntry, RuleConfigs, is_meant,
};
use crate::load::load;
use crate::path::folder;
use crate::pattern::{Pattern, PatternId, PatternSet};
use crate::read::UNKNOWN_FIELD;
use crate::rule_selection::AppliedSelection;
use crate::{FileSettings, Level, LoadError, SettingSource, Sourced};

/// A configuration, checked: what a `voxlint.toml` says, with all that it extends.
///
/// What a file says counts before what it extends says, value by value, and of several extended files the last one. Lists
/// of entries add up, what is extended first; `include`, `baseline` and `facts` are replaced. `root` counts only where
/// the file is not extended. A file that is reached in several ways counts once, where it is reached first.
///
/// ```
/// use voxlint_config::{Configuration, Level};
///
/// let mut read = |path: &str| match path {
///     "voxlint.toml" => Ok("extends = 'base.toml'\n[rules]\nunknown-field = 'error'\n".to_owned()),
///     "base.toml" => Ok("[rules]\nunknown-field = 'off'\ntext-given-twice = 'info'\n".to_owned()),
///     _ => Err("no such file".to_owned()),
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
    /// What is extended stands before what extends it; none for the built-in settings.
    pub(crate) files: Vec<ConfigFile>,
    pub(crate) patterns: PatternSet,
    pub(crate) command_line: AppliedSelection,
    /// The house rules of all files, in the order of the files.
    pub(crate) house: Vec<HouseRule>,
    /// The same, as findings name them.
    pub(crate) house_refs: Vec<RuleRef>,
}

impl Configuration {
    /// Loads a configuration file. `read` is asked for the text of a file, first of this one, then of each that is extended,
    /// by its path: `path` decides where the paths begin. Only with an absolute path, a file can extend one in a folder
    /// above and say something of the files here, because nobody tells the name of this folder.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or something is wrong with it or with what it extends.
    pub fn load(
        path: &str,
        read: &mut dyn FnMut(&str) -> Result<String, String>,
    ) -> Result<Self, LoadError> {
        load(path, read)
    }

    /// The settings of a project without a configuration.
    pub fn built_in() -> Self {
        Self::of(Vec::new(), PatternSet::default())
    }

    pub(crate) fn of(files: Vec<ConfigFile>, patterns: PatternSet) -> Self {
        let house = files.iter().flat_map(|file| &file.house_rules);
        let house: Vec<HouseRule> = house.map(|house| house.rule.clone()).collect();
        let house_refs = house.iter().map(HouseRule::rule).collect();
        Self { files, patterns, command_line: AppliedSelection::default(), house, house_refs }
    }

    /// The file that was loaded; `None` for the built-in settings.
    pub fn path(&self) -> Option<&str> {
        self.files.last().map(|file| &*file.path)
    }

    /// The folder of the file that was loaded; empty where paths begin.
    pub fn folder(&self) -> &str {
        self.path().map_or("", folder)
    }

    /// The files that the configuration was read from, each behind those that it extends.
    pub fn files(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files.iter().map(|file| (&*file.path, &*file.text))
    }

    /// Whether the folder is the root of the project, as far as somebody has said so.
    pub fn root(&self) -> Option<&Sourced<bool>> {
        self.files.last()?.root.as_ref()
    }

    /// The file that lists the findings to live with, where one is named.
    pub fn baseline(&self) -> Option<&Sourced<String>> {
        self.last(|file| file.baseline.as_ref())
    }

    /// The file with the facts for all documents.
    pub fn facts(&self) -> Option<&Sourced<String>> {
        self.last(|file| file.facts.as_ref())
    }

    /// Where a file of facts is named, by its path as [`facts`](FileSettings::facts) answers it; the first source of several.
    pub fn facts_setting(&self, path: &str) -> Option<&SettingSource> {
        let everywhere = self.facts().into_iter();
        let all = everywhere.chain(self.documents().filter_map(|entry| entry.facts.as_ref()));
        all.filter(|stated| stated.value == path).map(|stated| &stated.source).next()
    }

    /// The patterns of the files that are looked at in folders; `None` where nobody has said so.
    pub fn include(&self) -> Option<Vec<&Pattern>> {
        Some(self.patterns(self.include_ids()?))
    }

    /// The patterns of the files that are left alone.
    pub fn exclude(&self) -> Vec<&Pattern> {
        self.files.iter().flat_map(|file| self.patterns(&file.exclude)).collect()
    }

    /// The house rules of all files.
    pub fn house_rules(&self) -> &[HouseRule] {
        &self.house
    }

    /// What holds for a file. The path begins where that of the configuration does.
    pub fn for_file(&self, path: &str) -> FileSettings<'_> {
        FileSettings::new(self, path)
    }

    /// The level of a rule in files that no override speaks of; `None` leaves the rule to itself.
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

    /// Whether some entry of `documents` states this kind.
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

    /// What is told to rules where these overrides hold, the last word first, without the command line.
    fn layers<'c, 'o>(
        &'c self,
        overrides: &'o [&'c OverrideEntry],
    ) -> impl Iterator<Item = &'c RuleConfigs> + use<'c, 'o> {
        let special = overrides.iter().rev().map(|it| &it.rules);
        special.chain(self.files.iter().rev().map(|file| &file.rules))
    }

    /// The level of a rule where these overrides hold.
    pub(crate) fn level_with(
        &self,
        rule: &Rule,
        overrides: &[&OverrideEntry],
    ) -> Option<Sourced<Level>> {
        let stated = self.layers(overrides).find_map(|told| {
            let of = |name: &str| told.get(name)?.level.as_ref();
            of(&rule.id).or_else(|| of(rule.group()))
        });
        self.command_line.level(rule, stated)
    }

    /// The names that `unknown-field` leaves alone where these overrides hold.
    pub(crate) fn allowed_with<'c>(
        &'c self,
        overrides: &[&'c OverrideEntry],
    ) -> Option<&'c Sourced<Vec<Wildcard>>> {
        self.layers(overrides).find_map(|told| told.get(UNKNOWN_FIELD)?.allow.as_ref())
    }

    /// The template variables that are listed for everything and in these entries; `None` where nobody has listed any.
    pub(crate) fn variables_with<'c>(
        &'c self,
        documents: &[&'c DocumentsEntry],
    ) -> Option<Vec<&'c Sourced<Wildcard>>> {
        let everywhere = self.files.iter().filter_map(|file| file.variables.as_ref());
        let here = documents.iter().filter_map(|entry| entry.variables.as_ref());
        let lists: Vec<_> = everywhere.chain(here).collect();
        (!lists.is_empty()).then(|| lists.into_iter().flatten().collect())
    }

    /// The house rules, each with what its file says of it and with itself as findings name it.
    pub(crate) fn house_entries(&self) -> impl Iterator<Item = (&HouseRuleEntry, &RuleRef)> {
        self.files.iter().flat_map(|file| &file.house_rules).zip(&self.house_refs)
    }

    /// The rules, voxlint's and the team's.
    pub(crate) fn rules(&self) -> impl Iterator<Item = RuleRef> {
        let ours = voxlint::rules::all().map(RuleRef::from);
        ours.chain(self.house_refs.iter().cloned())
    }

    /// The rules of a name.
    pub(crate) fn rules_called(&self, name: &str) -> impl Iterator<Item = RuleRef> {
        self.rules().filter(move |rule| is_meant(name, rule))
    }
}
