//! The configuration of a run: which file speaks of which document, and where the repository is.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;

use voxlint::rules;
use voxlint::{DocumentKind, HouseRule, RuleRef};
use voxlint_config::{
    BASELINE_NAME, Baseline, BaselineEntry, Configuration, FileSettings, LoadError, RuleSelection,
    SYNTAX_ERROR, SettingSource,
};
use voxlint_report::{CheckedDocument, FailedFile, Repository};

use crate::Outcome;
use crate::args::{BaselineOptions, ColorArgument, ConfigurationOptions, RuleOptions};
use crate::partners::refuse;
use crate::paths::{
    above, absolute, describe, folder, here, is_there, join, read_if_there, relative,
};
use crate::terminal::complain;

/// The name of a configuration file.
pub(crate) const CONFIGURATION_NAME: &str = "voxlint.toml";

/// What stands for all the names in a folder.
const ANY_NAME: &str = "\u{1}";

/// The configurations of a run.
pub(crate) struct Project {
    /// The folder that voxlint was started in.
    here: String,
    color: ColorArgument,
    /// The settings of those without a file first.
    configurations: Vec<Arc<Configuration>>,
    /// The configuration for everything, where somebody has named one.
    only: Option<Found>,
    /// The configuration of each folder that was asked for.
    folders: BTreeMap<String, Found>,
    /// The first folder that was asked for and is not the one that voxlint was started in.
    elsewhere: Option<String>,
    /// The files that something is wrong with.
    faulty: BTreeSet<String>,
    pub(crate) failures: Vec<FailedFile>,
}

/// Which configuration there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Found {
    One(usize),
    /// There is one, and it cannot be used.
    Faulty,
}

impl Project {
    /// The project of the folder that voxlint was started in. Configuration files are read when somebody asks for them.
    pub(crate) fn new(options: &ConfigurationOptions, color: ColorArgument) -> Self {
        let mut project = Self {
            here: here(),
            color,
            configurations: vec![Arc::new(Configuration::built_in())],
            only: options.isolated.then_some(Found::One(0)),
            folders: BTreeMap::new(),
            elsewhere: None,
            faulty: BTreeSet::new(),
            failures: Vec::new(),
        };
        if let Some(file) = &options.config {
            project.only = Some(project.load(&absolute(file)));
        }
        project
    }

    /// Lets a configuration count in its folder and below, as if its file lay there already.
    pub(crate) fn suppose(&mut self, configuration: Configuration) {
        let folder = configuration.folder().to_owned();
        self.configurations.push(Arc::new(configuration));
        self.folders.insert(folder, Found::One(self.configurations.len() - 1));
    }

    /// A path as it is shown: from the folder that voxlint was started in.
    pub(crate) fn shown(&self, absolute: &str) -> String {
        relative(&self.here, absolute)
    }

    /// Where a configuration names a file of facts, as it is shown.
    pub(crate) fn names_facts(&self, path: &str) -> Option<String> {
        let place = self.configurations.iter().find_map(|it| it.facts_setting(path))?;
        Some(self.shown_place(place))
    }

    /// Where a setting was made, as it is shown.
    pub(crate) fn shown_place(&self, place: &SettingSource) -> String {
        match place {
            SettingSource::File { path, line } => format!("{}:{line}", self.shown(path)),
            place @ SettingSource::Argument(_) => place.to_string(),
        }
    }

    /// Looks for the configuration of a folder, here and in those above, and reads it.
    pub(crate) fn look_up(&mut self, folder: &str) {
        if folder != self.here {
            self.elsewhere.get_or_insert_with(|| folder.to_owned());
        }
        self.find(folder);
    }

    /// The same, as far as that takes no file that has not been read; says whether it does not.
    pub(crate) fn look_up_known(&mut self, folder: &str) -> bool {
        let mut next = Some(folder).filter(|_| self.only.is_none());
        while let Some(folder) = next.filter(|folder| !self.folders.contains_key(*folder)) {
            if is_there(Path::new(&join(folder, CONFIGURATION_NAME))) != Ok(false) {
                return false;
            }
            next = above(folder);
        }
        self.look_up(folder);
        true
    }

    /// Whether each file has the configuration that is nearest above it.
    pub(crate) fn looks_above(&self) -> bool {
        self.only.is_none()
    }

    /// The folders that hold every file which the configurations that were found speak of.
    pub(crate) fn grounds(&self) -> Vec<String> {
        if self.only.is_some() {
            return vec![self.here.clone()];
        }
        let configurations = self.configurations.iter().filter(|it| it.path().is_some());
        configurations.map(|it| it.folder().to_owned()).collect()
    }

    fn find(&mut self, folder: &str) -> Found {
        if let Some(only) = self.only {
            return only;
        }
        if let Some(known) = self.folders.get(folder) {
            return *known;
        }
        let file = join(folder, CONFIGURATION_NAME);
        let found = match is_there(Path::new(&file)) {
            Ok(true) => self.load(&file),
            Ok(false) => above(folder).map_or(Found::One(0), |above| self.find(above)),
            Err(message) => {
                self.failures.push(FailedFile { path: self.shown(&file), message });
                Found::Faulty
            }
        };
        self.folders.insert(folder.to_owned(), found);
        found
    }

    fn load(&mut self, file: &str) -> Found {
        // The file itself has been named or found already.
        let mut read = |path: &str| if path == file { read_any(path) } else { read(path) };
        match Configuration::load(file, &mut read) {
            Ok(configuration) => {
                self.configurations.push(Arc::new(configuration));
                Found::One(self.configurations.len() - 1)
            }
            Err(LoadError::Faults(files)) => {
                for faults in files {
                    // A file that others extend need not be told of again.
                    if self.faulty.insert(faults.path.to_string()) {
                        let path = self.shown(&faults.path);
                        let checked = CheckedDocument::new(&path, &faults.text, &faults.report);
                        let failure = refuse(&checked, "a configuration", self.color);
                        self.failures.push(failure);
                    }
                }
                Found::Faulty
            }
            Err(error) => {
                let (path, message) = match error {
                    LoadError::Unreadable { path, message } => (path, message),
                    error => (file.to_owned(), error.to_string()),
                };
                self.failures.push(FailedFile { path: self.shown(&path), message });
                Found::Faulty
            }
        }
    }

    fn of_folder(&self, folder: &str) -> Found {
        self.only.or_else(|| self.folders.get(folder).copied()).unwrap_or(Found::One(0))
    }

    /// The number of the configuration of a file whose folder has been looked up; `None` where it cannot be used.
    pub(crate) fn number(&self, file: &str) -> Option<usize> {
        match self.of_folder(folder(file)) {
            Found::One(number) => Some(number),
            Found::Faulty => None,
        }
    }

    /// What holds for a file whose folder has been looked up; `None` where its configuration cannot be used.
    pub(crate) fn settings(&self, file: &str) -> Option<FileSettings<'_>> {
        Some(self.configurations.get(self.number(file)?)?.for_file(file))
    }

    /// Whether the configuration of a file says that it is a template, whatever it is called. Configurations without such a
    /// statement cost nothing, and `voxlint.toml` itself is never one.
    pub(crate) fn makes_template(&mut self, file: &Path) -> bool {
        let absolute = absolute(file);
        let is_one = DocumentKind::Template;
        self.look_up(folder(&absolute));
        self.configuration(folder(&absolute)).is_some_and(|it| {
            it.sets_kind(is_one)
                && !absolute.ends_with(CONFIGURATION_NAME)
                && it.for_file(&absolute).kind().is_some_and(|stated| stated.value == is_one)
        })
    }

    /// The configuration of a folder that has been looked up; `None` where it cannot be used.
    pub(crate) fn configuration(&self, folder: &str) -> Option<&Configuration> {
        match self.of_folder(folder) {
            Found::One(number) => self.configurations.get(number).map(|it| &**it),
            Found::Faulty => None,
        }
    }

    /// Whether everything in a folder is left alone, for a walk from another folder.
    pub(crate) fn leaves_out(&self, start: &str) -> impl Fn(&str) -> bool + Send + Sync + 'static {
        let configuration = match self.of_folder(start) {
            Found::One(number) => self.configurations.get(number).cloned(),
            Found::Faulty => None,
        };
        move |folder| {
            configuration
                .as_ref()
                .is_some_and(|it| it.for_file(&join(folder, ANY_NAME)).is_excluded())
        }
    }

    /// The pattern that excludes everything in a folder.
    pub(crate) fn excludes_all_in(&self, folder: &str) -> Option<String> {
        let settings = self.configuration(folder)?.for_file(&join(folder, ANY_NAME));
        Some(settings.excluded_by()?.text.clone())
    }

    /// The configurations that were found, each with its number.
    pub(crate) fn configurations(&self) -> impl Iterator<Item = (usize, &Configuration)> {
        self.configurations.iter().map(|it| &**it).enumerate()
    }

    /// Every file that configurations were read from, and those that cannot be used.
    pub(crate) fn files(&self) -> impl Iterator<Item = String> {
        let read = self.configurations.iter().flat_map(|it| it.files());
        read.map(|(path, _)| path.to_owned()).chain(self.faulty.iter().cloned())
    }

    /// Takes in what the command line says of rules, once everything has been looked up.
    pub(crate) fn choose(&mut self, options: &RuleOptions) -> Result<(), String> {
        let choices = options.choices();
        let names = || {
            let levels = choices.levels.iter().map(|(name, _)| name);
            choices.select.iter().chain(&choices.ignore).chain(levels)
        };
        // A house rule may be known to one configuration only, and is nothing to the others.
        for name in names() {
            if !self.configurations.iter().any(|it| knows(it, name)) {
                let [first, ..] = &*self.configurations else { return Ok(()) };
                let last = self.configurations.last().unwrap_or(first);
                let built_in = if last.path().is_some() { last } else { first };
                return Err(complaint(built_in, &choices, name));
            }
        }
        for configuration in &mut self.configurations {
            let known = |names: &[String]| -> Vec<String> {
                names.iter().filter(|name| knows(configuration, name)).cloned().collect()
            };
            let levels = choices.levels.iter().filter(|(name, _)| knows(configuration, name));
            let mut own = RuleSelection {
                select: known(&choices.select),
                ignore: known(&choices.ignore),
                levels: levels.cloned().collect(),
            };
            if own.select.is_empty() && !choices.select.is_empty() {
                // Nothing that was selected is known here, so nothing is left.
                own.select.push(SYNTAX_ERROR.to_owned());
            }
            if let Some(configuration) = Arc::get_mut(configuration) {
                configuration.set_rule_selection(own)?;
            }
        }
        Ok(())
    }

    /// Every rule that may find something, those of the team included.
    pub(crate) fn rules(&self) -> Vec<RuleRef> {
        let mut known = BTreeSet::new();
        let house = self.configurations.iter().flat_map(|it| it.house_rules());
        let house = house.filter(|rule| known.insert(rule.id())).map(HouseRule::rule);
        rules::all().map(RuleRef::from).chain(house).collect()
    }

    /// Every rule that may find something in the folder that voxlint was started in.
    pub(crate) fn rules_here(
        options: &ConfigurationOptions,
        color: ColorArgument,
    ) -> Result<Vec<RuleRef>, Outcome> {
        let mut project = Self::new(options, color);
        project.look_up(&here());
        if project.failures.is_empty() {
            return Ok(project.rules());
        }
        for failure in &project.failures {
            complain(&format!("{}: {}", failure.path, failure.message));
        }
        Err(Outcome::Failed)
    }

    /// The repository that voxlint was started in: it begins where its history is kept, or where a configuration says so, or
    /// else where the configuration is. Where voxlint was started in none, it is that of the first folder that was asked for.
    pub(crate) fn repository(&mut self) -> Repository {
        let here = self.here.clone();
        let elsewhere = self.elsewhere.clone();
        let root = self.root_above(&here).or_else(|| self.configured_above(&here));
        let root = root.or_else(|| self.root_above(&elsewhere?)).unwrap_or_else(|| here.clone());
        let repository = Repository { root, prefix: String::new() };
        let prefix = repository.relative(&here);
        Repository { prefix, ..repository }
    }

    /// Where the repository of a folder begins, as its history or a configuration says.
    fn root_above(&self, folder: &str) -> Option<String> {
        let mut next = Some(folder);
        while let Some(folder) = next {
            if self.says_that_it_is_the_root(folder) || Path::new(&join(folder, ".git")).exists() {
                return Some(folder.to_owned());
            }
            next = above(folder);
        }
        None
    }

    /// Where the configuration of a folder is, if it lies here or above.
    fn configured_above(&mut self, folder: &str) -> Option<String> {
        self.look_up(folder);
        let configuration = self.configuration(folder).filter(|it| it.path().is_some())?;
        let home = configuration.folder();
        is_in(home, folder).then(|| home.to_owned())
    }

    /// Whether the configuration in a folder says that the project begins there. One that no file here follows may be at
    /// fault, and is nobody's business then.
    fn says_that_it_is_the_root(&self, folder: &str) -> bool {
        let says_so = |it: &Configuration| it.root().is_some_and(|root| root.value);
        let file = join(folder, CONFIGURATION_NAME);
        if self.only.is_some() || is_there(Path::new(&file)) != Ok(true) {
            return false;
        }
        if self.folders.contains_key(folder) {
            return self.configuration(folder).is_some_and(says_so);
        }
        Configuration::load(&file, &mut read).is_ok_and(|it| says_so(&it))
    }

    /// The baseline of each configuration, by its number.
    pub(crate) fn baselines(
        &mut self,
        options: &BaselineOptions,
        repository: &Repository,
    ) -> Vec<BaselineFile> {
        (0..self.configurations.len())
            .map(|number| self.baseline(number, options, repository))
            .collect()
    }

    fn baseline(
        &mut self,
        number: usize,
        options: &BaselineOptions,
        repository: &Repository,
    ) -> BaselineFile {
        let configuration = self.configurations.get(number);
        let stated = configuration.and_then(|it| it.baseline()).map(|stated| stated.value.clone());
        let named = options.file.baseline.as_deref().map(absolute).or(stated);
        let folder_of = configuration.filter(|it| it.path().is_some()).map(|it| it.folder());
        let beside = || join(folder_of.unwrap_or(&repository.root), BASELINE_NAME);
        let file = BaselineFile { path: named.unwrap_or_else(beside), baseline: None };
        if options.no_baseline {
            return file;
        }
        match file.read() {
            Ok(read) => return read,
            Err(message) => {
                let path = self.shown(&file.path);
                if self.faulty.insert(file.path.clone()) {
                    self.failures.push(FailedFile { path, message });
                }
            }
        }
        file
    }
}

/// A baseline, and where it is kept.
#[derive(Clone, Debug)]
pub(crate) struct BaselineFile {
    pub(crate) path: String,
    /// `None` where there is no such file, or nobody wants to use it.
    pub(crate) baseline: Option<Baseline>,
}

impl BaselineFile {
    /// Reads the file. Without one nothing is hidden.
    fn read(&self) -> Result<Self, String> {
        let text = read_if_there(Path::new(&self.path))?;
        let baseline = text.map(|text| Baseline::parse(&text)).transpose();
        let baseline = baseline.map_err(|error| error.to_string())?;
        Ok(Self { path: self.path.clone(), baseline })
    }

    /// The file of the document that an entry is about.
    pub(crate) fn document(&self, entry: &BaselineEntry) -> String {
        join(folder(&self.path), &entry.path)
    }

    /// A document's file as the baseline names it.
    pub(crate) fn name_of(&self, file: &str) -> String {
        relative(folder(&self.path), file)
    }
}

/// Whether an absolute path is a folder or lies in it.
pub(crate) fn is_in(folder: &str, path: &str) -> bool {
    folder == "/"
        || path.strip_prefix(folder).is_some_and(|it| it.is_empty() || it.starts_with('/'))
}

/// The text of a configuration that somebody has named, be it a pipe.
fn read_any(path: &str) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| describe(&error))
}

/// The text of a configuration that another one extends.
fn read(path: &str) -> Result<String, String> {
    read_if_there(Path::new(path))?.ok_or_else(|| "no such file or directory".to_owned())
}

fn knows(configuration: &Configuration, name: &str) -> bool {
    rules::find(name).is_some()
        || rules::GROUPS.contains(&name)
        || configuration.house_rules().iter().any(|rule| rule.id() == name)
}

/// What is to be said of a name that nobody knows.
fn complaint(configuration: &Configuration, choices: &RuleSelection, name: &str) -> String {
    let is_it = |other: &String| other == name;
    let only = RuleSelection {
        select: choices.select.iter().filter(|it| is_it(it)).cloned().collect(),
        ignore: choices.ignore.iter().filter(|it| is_it(it)).cloned().collect(),
        levels: choices.levels.iter().filter(|(it, _)| is_it(it)).cloned().collect(),
    };
    configuration.check_rule_selection(&only).err().unwrap_or_default()
}
