//! The configurations of a project: discovery of the nearest `voxlint.toml` of each file, with caching.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use voxlint::rules;
use voxlint::{DocumentKind, HouseRule, RuleRef};
use voxlint_config::{
    Configuration, FileSettings, LoadError, ReadError, RuleSelection, SettingSource, UnknownRule,
};

use crate::Failure;
use crate::atomic_file::{is_descriptor, written_path};
use crate::confinement::{Confinement, Followed, PathReach, is_in_git, link_objection};
use crate::contents::describe_io_error;
use crate::file_system::{FileSystem, Stamp};
use crate::names::{CONFIGURATION_NAME, GIT, JJ};
use crate::paths::{
    absolute, absolute_path, folder_of, forward_slashes, is_within, join, parent_of,
    relative_or_absolute, upward, working_directory,
};
use crate::reference::Reference;
use crate::size_limit::SizeLimit;

/// Why a file is not used that a configuration names.
const OUTSIDE: &str = "outside of the project, so `voxlint.toml` cannot name it: move it there, or run voxlint in a folder that contains both";

/// Why a file in a folder of git is not used that a configuration names.
const IN_GIT: &str = "in a folder of git such as `.git`, which may contain credentials, so `voxlint.toml` cannot name it: move it to another folder of the project";

/// Why a base in a folder of git is not used.
const BASE_IN_GIT: &str = "in a folder of git such as `.git`, which may contain credentials: name another folder with `--base`";

/// Stands for any file name in a folder.
const ANY_NAME: &str = "\u{1}";

/// Where the configuration of a file comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ConfigurationSource {
    /// The nearest `voxlint.toml`, from the folder of the file up to the root of its git repository. Outside of a repository, the
    /// search goes on to the root of the file system.
    #[default]
    Nearest,
    /// This file, for every file.
    File(PathBuf),
    /// The built-in settings, for every file.
    BuiltIn,
}

/// Why nothing may be written to a path. Shown as the rest of a sentence about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteObjection {
    /// It is in a folder that git keeps its own files in.
    InGit,
    /// A link of the project leads out of it.
    LeadsOut,
}

impl fmt::Display for WriteObjection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::InGit => {
                "is in a folder of git such as `.git`, where voxlint writes nothing: name another file"
            }
            Self::LeadsOut => {
                "leads out of the project by a symbolic link, which is not followed: name the file behind it, or remove the link"
            }
        })
    }
}

/// A file of the project that somebody names.
#[derive(Debug)]
pub(crate) struct NamedFile {
    pub(crate) stamp: Stamp,
    /// The path to read: without the links that were checked.
    pub(crate) source: PathBuf,
}

/// The configurations that were found for the files of a run.
#[derive(Debug)]
pub struct Configurations {
    files: Arc<FileSystem>,
    /// The files that settings are read from: those of a reference, or the same.
    settings: Arc<FileSystem>,
    /// The files that stored configurations are read from, if they are others.
    stored: Option<Arc<FileSystem>>,
    working_directory: String,
    source: ConfigurationSource,
    selection: RuleSelection,
    /// The configurations of this run. The first one is that of files without a configuration file.
    all: Vec<Arc<Configuration>>,
    /// The configuration for everything, unless it is the nearest one.
    only: Option<Lookup>,
    /// The configuration of each folder that was looked up.
    folders: BTreeMap<String, Lookup>,
    /// Whether folders are roots of repositories, for those that this run has asked about. Several searches go up from the same ones.
    repositories: Mutex<BTreeMap<String, bool>>,
    /// The first folder that was looked up and is not the working directory.
    elsewhere: Option<String>,
    /// The paths of faulty files.
    faulty: BTreeSet<String>,
    failures: Vec<Failure>,
    /// Configurations without a file, for this run and later ones.
    inserted: Vec<Arc<Configuration>>,
    /// Configurations of this run and of earlier ones.
    loaded: BTreeMap<String, Loaded>,
    /// The folders of configurations, and those that the command line names: the project is around them.
    project_folders: BTreeSet<String>,
    /// The folders in which configurations may name files, and links lead to documents. Most runs need not know them.
    project: OnceLock<Confinement>,
    /// The last configuration of each file that could be used, if a faulty file counts as that one.
    usable: Option<BTreeMap<String, Arc<Configuration>>>,
}

/// The configuration of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Lookup {
    Index(usize),
    /// There is one, and it cannot be used.
    Faulty,
}

/// A configuration with the states of all files that it was read from.
#[derive(Debug)]
struct Loaded {
    configuration: Arc<Configuration>,
    stamps: Vec<(String, Stamp)>,
}

impl Configurations {
    /// No configuration is looked up yet. `selection` is applied to each.
    pub fn new(
        files: Arc<FileSystem>,
        source: ConfigurationSource,
        selection: RuleSelection,
    ) -> Self {
        let mut configurations = Self {
            settings: Arc::clone(&files),
            stored: None,
            files,
            working_directory: working_directory(),
            source,
            selection,
            all: Vec::new(),
            only: None,
            folders: BTreeMap::new(),
            repositories: Mutex::default(),
            elsewhere: None,
            faulty: BTreeSet::new(),
            failures: Vec::new(),
            inserted: Vec::new(),
            loaded: BTreeMap::new(),
            project_folders: BTreeSet::new(),
            project: OnceLock::new(),
            usable: None,
        };
        configurations.restart();
        configurations
    }

    /// From now on, a file with faults counts as it was before them, in this run and in later ones. Its faults are still
    /// failures.
    pub(crate) fn keep_usable(&mut self) {
        self.usable = Some(BTreeMap::new());
        self.loaded.clear();
        self.restart();
    }

    /// Whether the configuration file of an absolute path has faults that keep it from being used as it is.
    pub fn is_faulty(&self, path: &str) -> bool {
        self.faulty.contains(path)
    }

    /// From now on, settings are those of a reference.
    pub(crate) fn refer_to(&mut self, reference: Arc<Reference>) {
        self.settings = Arc::new(FileSystem::of_reference(reference));
        self.restart();
    }

    /// From now on, stored configurations are those of a reference.
    pub(crate) fn take_stored_from(&mut self, reference: Arc<Reference>) {
        self.stored = Some(Arc::new(FileSystem::of_reference(reference)));
    }

    /// From now on, documents and text files are read from these files, and settings are not.
    pub(crate) fn take_documents_from(&mut self, files: Arc<FileSystem>) {
        self.files = files;
        self.restart();
    }

    /// The files that stored configurations are read from.
    pub(crate) fn files_of_the_service(&self) -> &FileSystem {
        self.stored.as_ref().unwrap_or(&self.settings)
    }

    /// The files that settings are read from, and what belongs to them: baselines, facts and stored configurations.
    pub(crate) fn settings_files(&self) -> &FileSystem {
        &self.settings
    }

    /// Forgets the results of earlier lookups. Configurations whose files have not changed are not read again.
    pub(crate) fn restart(&mut self) {
        self.all.clear();
        self.folders.clear();
        self.repositories = Mutex::default();
        self.faulty.clear();
        self.failures.clear();
        self.elsewhere = None;
        self.project_folders.clear();
        self.project = OnceLock::new();
        let built_in = Configuration::built_in().with_known_rules(&self.selection);
        self.all.push(Arc::new(built_in));
        self.only = match self.source.clone() {
            ConfigurationSource::Nearest => None,
            ConfigurationSource::BuiltIn => Some(Lookup::Index(0)),
            ConfigurationSource::File(file) => {
                let file = absolute(&file);
                Some(self.load(&file, Path::new(&file)))
            }
        };
        for configuration in self.inserted.clone() {
            self.add_virtual(configuration);
        }
    }

    /// Uses a configuration in its folder and below as if its file existed, in this run and in later ones.
    pub fn insert_virtual(&mut self, configuration: Configuration) {
        let configuration = Arc::new(configuration.with_known_rules(&self.selection));
        self.inserted.push(Arc::clone(&configuration));
        self.add_virtual(configuration);
    }

    fn add_virtual(&mut self, configuration: Arc<Configuration>) {
        let folder = configuration.folder().to_owned();
        self.add_project(&folder);
        self.all.push(configuration);
        self.folders.insert(folder, Lookup::Index(self.all.len() - 1));
    }

    /// Adds the folder of a configuration, or one that the command line names, with the project around it.
    pub(crate) fn add_project(&mut self, folder: &str) {
        if !self.files.is_confined()
            && self.project_folders.insert(folder.to_owned())
            && let Some(mut project) = self.project.take()
        {
            self.extend(&mut project, folder);
            self.project = OnceLock::from(project);
        }
    }

    /// The project: the working directory, because who runs voxlint chooses it, and the folders with the projects around them.
    fn project(&self) -> &Confinement {
        self.project.get_or_init(|| {
            let mut project = Confinement::empty_project();
            // The whole file system would be too much.
            if parent_of(&self.working_directory).is_some() {
                project.add(Path::new(&self.working_directory));
            }
            for folder in &self.project_folders {
                self.extend(&mut project, folder);
            }
            project
        })
    }

    /// Adds a folder with the project around it.
    fn extend(&self, project: &mut Confinement, folder: &str) {
        for folder in [folder, self.project_around(folder)] {
            if !self.leads_out(folder) {
                project.add(Path::new(folder));
            }
        }
    }

    /// Whether a link in the working directory or in a repository leads from there to a folder elsewhere. Anybody who can propose a
    /// change to a repository can replace a folder by a link, so that its name on the command line means another one.
    fn leads_out(&self, folder: &str) -> bool {
        let Ok(real) = self.files.real(Path::new(folder)) else { return true };
        let contains = |above: &str| {
            let above = self.files.real(Path::new(above));
            above.is_ok_and(|above| real.starts_with(above))
        };
        let mut above = upward(folder);
        above.any(|above| {
            let is_limit = above == self.working_directory || self.is_repository(above);
            is_limit && !contains(above)
        })
    }

    /// The repository of a folder, or else the folder of the outermost configuration above it.
    fn project_around<'f>(&self, folder: &'f str) -> &'f str {
        let mut project = folder;
        for folder in upward(folder) {
            if self.is_repository(folder) {
                return folder;
            }
            if self.settings.is_there(Path::new(&join(folder, CONFIGURATION_NAME))) {
                project = folder;
            }
        }
        project
    }

    /// Follows a path. In a confined session, the project is the folders that may be read.
    fn follow(&self, path: &Path) -> Followed {
        self.files.confinement().unwrap_or_else(|| self.project()).follow(path)
    }

    /// The path to read for a link that leads to something in the project; `None` if it leads elsewhere. In a confined session, files
    /// outside fail where they are read.
    pub(crate) fn source_of_link(&self, path: &Path) -> Option<PathBuf> {
        let followed = self.follow(path);
        match followed.place {
            _ if self.files.has_overlay(path) => Some(path.to_owned()),
            PathReach::Inside if !self.files.is_confined() => Some(followed.real),
            PathReach::Outside if !self.files.is_confined() => None,
            PathReach::Inside | PathReach::Outside => Some(path.to_owned()),
            PathReach::Git => None,
        }
    }

    /// Checks a file that voxlint finds by its name, without anybody asking for it. `option` names such a file on the command line.
    ///
    /// # Errors
    ///
    /// If it is a link that leads out of the project. Anybody who can propose a change to a repository can add such a link, and
    /// messages would show what it leads to. Whether something is there, the message does not say.
    pub(crate) fn check_found(&self, path: &str, option: &str) -> Result<PathBuf, String> {
        let parent = folder_of(path);
        let (path, folder) = (Path::new(path), Path::new(parent));
        let (followed, way_out) = if let Some(folders) = self.files.confinement() {
            // Who asks for something in a folder of git asks for the files beside it.
            let is_asked_for = folders.follow(folder).place == PathReach::Git;
            let followed = folders.follow(path);
            // In a confined session, the file system says what may be read.
            if is_asked_for || followed.place != PathReach::Git {
                return Ok(path.to_owned());
            }
            (followed, String::new())
        } else if self.settings.is_link(path) {
            let mut project = self.project().clone();
            self.extend(&mut project, parent);
            let shown = self.shown(&forward_slashes(path));
            (project.follow(path), format!(", or name this link with `{option} {shown}`"))
        } else {
            return Ok(path.to_owned());
        };
        match followed.place {
            // The state of the link itself says why it cannot be followed.
            PathReach::Inside if followed.ended.is_err() => Ok(path.to_owned()),
            PathReach::Inside => Ok(followed.real),
            place => Err(link_objection(place, &way_out)),
        }
    }

    /// The path to read for a file that voxlint finds by its name; `None` if there is none.
    ///
    /// # Errors
    ///
    /// As [`Self::check_found`] and [`FileSystem::exists`].
    pub(crate) fn found_file(&self, path: &str, option: &str) -> Result<Option<PathBuf>, String> {
        let exists = self.settings.exists(Path::new(path));
        // Nothing is there in most folders. A link is never nothing, even if it leads nowhere.
        if exists == Ok(false) {
            return Ok(None);
        }
        let source = self.check_found(path, option)?;
        Ok(exists?.then_some(source))
    }

    /// A file that a configuration names; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the path does not lead to a regular file in the project. A change of a configuration may come from anybody, and must not
    /// show other files of the machine. Whether there is such a file, the message does not say.
    pub(crate) fn named_file(&self, path: &Path) -> Result<Option<NamedFile>, String> {
        self.named_in(&self.settings, path)
    }

    /// As [`Self::named_file`], for a stored configuration.
    pub(crate) fn named_stored(&self, path: &Path) -> Result<Option<NamedFile>, String> {
        self.named_in(self.files_of_the_service(), path)
    }

    /// As [`Self::named_file`], for a text, which is never that of a reference.
    pub(crate) fn named_text(&self, path: &Path) -> Result<Option<NamedFile>, String> {
        self.named_in(&self.files, path)
    }

    fn named_in(&self, files: &FileSystem, path: &Path) -> Result<Option<NamedFile>, String> {
        let followed = self.follow(path);
        match followed.place {
            PathReach::Git => Err(IN_GIT.to_owned()),
            PathReach::Outside if !self.files.is_confined() => Err(OUTSIDE.to_owned()),
            PathReach::Outside | PathReach::Inside => followed_file(files, path, followed),
        }
    }

    /// A file in a folder that the command line names; `None` if there is none.
    ///
    /// # Errors
    ///
    /// If the path does not lead to a regular file. Who names a folder of the project does not ask for links in it that lead out
    /// of both; a folder elsewhere is the choice of the one who names it.
    pub(crate) fn base_file(
        &self,
        path: &Path,
        folder: &Path,
    ) -> Result<Option<NamedFile>, String> {
        let mut project = self.project().clone();
        let way = project.follow(folder);
        if self.files.is_confined() || (way.place == PathReach::Outside && !way.by_link) {
            let stamp = self.settings.stamp(path)?;
            return Ok(stamp.map(|stamp| NamedFile { stamp, source: path.to_owned() }));
        }
        project.add(folder);
        let followed = project.follow(path);
        match followed.place {
            PathReach::Inside => followed_file(&self.settings, path, followed),
            PathReach::Git if !followed.by_link => Err(BASE_IN_GIT.to_owned()),
            place => Err(link_objection(place, ", or plan without it with `--no-base`")),
        }
    }

    /// Why nothing may be written to a path, as the rest of a sentence about it; `None` if something may be.
    ///
    /// A path outside of the project may be any. In the project, it must not lead out of it by a link: anybody who can propose a
    /// change to a repository can add a link where a report is usually written.
    ///
    /// ```
    /// use std::path::Path;
    /// use voxlint_project::{LintOptions, Session};
    ///
    /// let session = Session::new(LintOptions::default());
    /// let objection = |path: &str| session.configurations().objection_to_writing(Path::new(path));
    /// assert!(objection("report.json").is_none());
    /// assert!(objection(".git/report.json").is_some());
    /// ```
    pub fn objection_to_writing(&self, path: &Path) -> Option<WriteObjection> {
        let project = self.project_of_output(path);
        // The shell has opened it.
        if is_descriptor(&absolute_path(path)) {
            return None;
        }
        let real = written_path(path);
        if is_in_git(&real) {
            Some(WriteObjection::InGit)
        } else if project.follow(path).by_link && !project.has_real(&real) {
            Some(WriteObjection::LeadsOut)
        } else {
            None
        }
    }

    /// Why a file may not be fixed that a link leads to; `None` if it may be.
    ///
    /// It may be in the project. Elsewhere, it must be in the folder that the path names, or below: who names a file has not seen where
    /// others let it lead. Only the first folder of the path may be a link, as `/tmp` is on some systems.
    pub(crate) fn objection_to_fixing(&self, path: &Path, target: &Path) -> Option<WriteObjection> {
        let project = self.project_of_output(path);
        let is_beside = || {
            let absolute = absolute_path(path);
            let mut folders: Vec<&Path> = absolute.ancestors().skip(1).collect();
            folders.pop();
            let (Some(folder), Some(first)) = (folders.first(), folders.last()) else {
                return false;
            };
            let real = self.files.real(first).ok().zip(folder.strip_prefix(first).ok());
            real.is_some_and(|(first, below)| target.starts_with(first.join(below)))
        };
        if is_in_git(target) {
            Some(WriteObjection::InGit)
        } else if project.has_real(target) || (!project.follow(path).by_link && is_beside()) {
            None
        } else {
            Some(WriteObjection::LeadsOut)
        }
    }

    /// The project with the repositories of the working directory and of a file.
    fn project_of_output(&self, path: &Path) -> Confinement {
        let mut project = self.project().clone();
        for start in [&*self.working_directory, folder_of(&absolute(path))] {
            if let Some(root) = self.repository_of(start).filter(|root| !self.leads_out(root)) {
                project.add(Path::new(root));
            }
        }
        project
    }

    /// Whether a folder is the root of a repository. In a submodule or a further working tree, `.git` is a file.
    fn is_repository(&self, folder: &str) -> bool {
        let known = || self.repositories.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(is_repository) = known().get(folder) {
            return *is_repository;
        }
        // Other threads do not wait while a slow file system answers.
        let has = |folder: &str, name| self.files.is_there(Path::new(&join(folder, name)));
        // A commit can contain a folder `.jj`, but never `.git`.
        let is_of_the_checkout = Arc::ptr_eq(&self.settings, &self.files);
        let is_repository = has(folder, GIT)
            || (is_of_the_checkout
                && has(folder, JJ)
                && !upward(folder).skip(1).any(|above| has(above, GIT) || has(above, JJ)));
        known().insert(folder.to_owned(), is_repository);
        is_repository
    }

    /// The folder in which a configuration is looked for after this one. Those above a repository belong to somebody else: they would
    /// change its result on one machine only. But who runs voxlint chooses the working directory, and a repository knows its
    /// submodules.
    fn folder_above<'f>(&self, folder: &'f str) -> Option<&'f str> {
        let above = parent_of(folder)?;
        let goes_on = !self.is_repository(folder)
            || is_within(&self.working_directory, above)
            || self.is_submodule(folder);
        goes_on.then_some(above)
    }

    /// The folders in which a configuration is looked for, from this one upward.
    fn searched<'f>(&self, folder: &'f str) -> impl Iterator<Item = &'f str> {
        iter::successors(Some(folder), |folder| self.folder_above(folder))
    }

    /// The absolute path of the configuration that would apply in a folder if there were none in it.
    pub fn configuration_above(&self, folder: &str) -> Option<String> {
        let mut above = self.searched(folder).skip(1).map(|it| join(it, CONFIGURATION_NAME));
        above.find(|file| self.settings.exists(Path::new(file)) == Ok(true))
    }

    /// Whether git keeps what belongs to a repository in the folder of the repository around it.
    fn is_submodule(&self, root: &str) -> bool {
        let outer = || self.git_folder(self.repository_of(parent_of(root)?)?);
        let inner = self.git_folder(root);
        inner.is_some_and(|inner| outer().is_some_and(|it| inner.starts_with(it.join("modules"))))
    }

    /// The folder in which git keeps what belongs to a repository, without links. A file `.git` names it.
    fn git_folder(&self, root: &str) -> Option<PathBuf> {
        let git = join(root, ".git");
        let path = Path::new(&git);
        if self.files.is_dir(path) {
            return self.files.real(path).ok();
        }
        let text = self.files.read_text_if_exists(path, &SizeLimit::ignore_file()).ok()??;
        let named = text.strip_prefix("gitdir:")?.trim();
        self.files.real(&Path::new(root).join(named)).ok()
    }

    /// The root of the repository that a folder is in.
    fn repository_of<'f>(&self, folder: &'f str) -> Option<&'f str> {
        upward(folder).find(|folder| self.is_repository(folder))
    }

    /// The files that configurations are read from.
    pub(crate) fn file_system(&self) -> &FileSystem {
        &self.files
    }

    /// As [`Self::file_system`], for a walk that looks configurations up.
    pub(crate) fn shared_file_system(&self) -> Arc<FileSystem> {
        Arc::clone(&self.files)
    }

    /// Removes and returns the failures so far.
    pub fn take_failures(&mut self) -> Vec<Failure> {
        std::mem::take(&mut self.failures)
    }

    /// A path as users see it: from the working directory.
    pub fn shown(&self, absolute: &str) -> String {
        relative_or_absolute(&self.working_directory, absolute)
    }

    /// The place of a setting as users see it.
    pub(crate) fn shown_place(&self, place: &SettingSource) -> String {
        match place {
            SettingSource::File { path, line } => format!("{}:{line}", self.shown(path)),
            SettingSource::Argument(_) => place.to_string(),
        }
    }

    /// The place where a configuration names a facts file, as users see it.
    pub(crate) fn place_of_facts(&self, path: &str) -> Option<String> {
        let place = self.all.iter().find_map(|it| it.facts_setting(path))?;
        Some(self.shown_place(place))
    }

    /// Finds and reads the configuration of a folder: the nearest one, from the folder up to the root of its repository.
    pub fn look_up(&mut self, folder: &str) {
        if folder != self.working_directory {
            self.elsewhere.get_or_insert_with(|| folder.to_owned());
        }
        self.find(folder);
    }

    /// Looks up a folder if that reads no further file. Returns whether it did.
    pub(crate) fn look_up_known(&mut self, folder: &str) -> bool {
        let mut next = Some(folder).filter(|_| self.only.is_none());
        while let Some(folder) = next.filter(|folder| !self.folders.contains_key(*folder)) {
            if self.settings.exists(Path::new(&join(folder, CONFIGURATION_NAME))) != Ok(false) {
                return false;
            }
            next = self.folder_above(folder);
        }
        self.look_up(folder);
        true
    }

    /// Whether each file has the nearest configuration.
    pub(crate) fn uses_nearest(&self) -> bool {
        self.only.is_none()
    }

    /// The folders whose files the configurations apply to.
    pub(crate) fn covered_folders(&self) -> Vec<String> {
        if self.only.is_some() {
            return vec![self.working_directory.clone()];
        }
        let configurations = self.all.iter().filter(|it| it.path().is_some());
        configurations.map(|it| it.folder().to_owned()).collect()
    }

    fn find(&mut self, folder: &str) -> Lookup {
        if let Some(only) = self.only {
            return only;
        }
        if let Some(known) = self.folders.get(folder) {
            return *known;
        }
        if self.files.is_outside(Path::new(folder)) {
            return Lookup::Index(0);
        }
        let file = join(folder, CONFIGURATION_NAME);
        let found = match self.found_file(&file, "--config") {
            Ok(Some(source)) => self.load(&file, &source),
            Ok(None) => {
                self.folder_above(folder).map_or(Lookup::Index(0), |parent| self.find(parent))
            }
            Err(message) => {
                self.failures.push(Failure::new(self.shown(&file), message));
                Lookup::Faulty
            }
        };
        self.folders.insert(folder.to_owned(), found);
        found
    }

    /// Loads a configuration. `source` is the path to read: without the links that were checked.
    fn load(&mut self, file: &str, source: &Path) -> Lookup {
        if let Some(loaded) = self.loaded.get(file).filter(|it| it.is_current(&self.settings)) {
            let configuration = Arc::clone(&loaded.configuration);
            self.add_project(folder_of(file));
            self.all.push(configuration);
            return Lookup::Index(self.all.len() - 1);
        }
        self.loaded.remove(file);
        self.add_project(folder_of(file));
        let mut stamps = Some(Vec::new());
        let this = &*self;
        let limit = SizeLimit::configuration();
        let mut read = |path: &str| {
            let files = &this.settings;
            match (files.stamp(Path::new(path)), &mut stamps) {
                (Ok(Some(stamp)), Some(stamps)) if stamp.is_reliable() => {
                    stamps.push((path.to_owned(), stamp));
                }
                _ => stamps = None,
            }
            // Only the file itself may be a pipe: it is there already.
            if path == file {
                files.read_text(source, &limit).map_err(ReadError::Other)
            } else {
                this.read_extended(path, &limit)
            }
        };
        let loaded = Configuration::load(file, &mut read);
        match loaded {
            Ok(configuration) => {
                let configuration = configuration
                    .with_known_rules(&self.selection)
                    .with_shown_readings(|place| self.shown_place(place));
                let configuration = Arc::new(configuration);
                if let Some(stamps) = stamps {
                    let configuration = Arc::clone(&configuration);
                    self.loaded.insert(file.to_owned(), Loaded { configuration, stamps });
                }
                if let Some(usable) = &mut self.usable {
                    usable.insert(file.to_owned(), Arc::clone(&configuration));
                }
                self.all.push(configuration);
                return Lookup::Index(self.all.len() - 1);
            }
            Err(LoadError::Faults(files)) => {
                for faults in files {
                    // A file that others extend is reported once.
                    if self.faulty.insert(faults.path.to_string()) {
                        let path = self.shown(&faults.path);
                        self.failures.push(Failure::unusable_configuration(path, faults));
                    }
                }
                if let Some(former) = self.usable.as_ref().and_then(|usable| usable.get(file)) {
                    self.all.push(Arc::clone(former));
                    return Lookup::Index(self.all.len() - 1);
                }
            }
            Err(LoadError::Unreadable { path, error }) => {
                self.failures.push(Failure::new(self.shown(&path), error.to_string()));
            }
        }
        Lookup::Faulty
    }

    /// Checks that every selected rule exists in one of the configurations that were found.
    ///
    /// # Errors
    ///
    /// If a name belongs to no rule and no group.
    pub fn check_selection(&self) -> Result<(), UnknownRule> {
        self.selection.check(self.all.iter().map(|it| &**it))
    }

    fn of_folder(&self, folder: &str) -> Lookup {
        self.only.or_else(|| self.folders.get(folder).copied()).unwrap_or(Lookup::Index(0))
    }

    /// The index of the configuration of a file whose folder was looked up; `None` if it cannot be used.
    pub(crate) fn index_for(&self, file: &str) -> Option<usize> {
        match self.of_folder(folder_of(file)) {
            Lookup::Index(index) => Some(index),
            Lookup::Faulty => None,
        }
    }

    /// The settings of a file whose folder was looked up; `None` if its configuration cannot be used.
    pub fn settings_for(&self, file: &str) -> Option<FileSettings<'_>> {
        Some(self.all.get(self.index_for(file)?)?.for_file(file))
    }

    /// The settings of a file that was not visited: those of the nearest folder that was looked up.
    pub(crate) fn nearest_settings_for(&self, file: &str) -> Option<FileSettings<'_>> {
        let known = || upward(folder_of(file)).find_map(|folder| self.folders.get(folder).copied());
        match self.only.or_else(known)? {
            Lookup::Index(index) => Some(self.all.get(index)?.for_file(file)),
            Lookup::Faulty => None,
        }
    }

    /// The settings of a file whose folder was looked up, as [`Self::settings_for`]; `None` also without a configuration file.
    pub(crate) fn stated_settings_for(&self, file: &str) -> Option<FileSettings<'_>> {
        let configuration = self.all.get(self.index_for(file)?)?;
        configuration.path().is_some().then(|| configuration.for_file(file))
    }

    /// Looks up the folder of a file, and returns whether the configuration makes the file a template, whatever its name.
    /// `voxlint.toml` itself is never a template.
    pub(crate) fn makes_template(&mut self, file: &str) -> bool {
        let template = DocumentKind::Template;
        self.look_up(folder_of(file));
        // A configuration without such a statement costs nothing.
        self.for_folder(folder_of(file)).is_some_and(|it| {
            it.sets_kind(template)
                && !file.ends_with(CONFIGURATION_NAME)
                && it.for_file(file).kind().is_some_and(|stated| stated.value == template)
        })
    }

    /// The configuration of a folder that was looked up; `None` if it cannot be used.
    pub fn for_folder(&self, folder: &str) -> Option<&Configuration> {
        match self.of_folder(folder) {
            Lookup::Index(index) => self.all.get(index).map(|it| &**it),
            Lookup::Faulty => None,
        }
    }

    /// Whether the configuration of the folder `start` excludes everything in another folder.
    pub(crate) fn folder_filter(&self, start: &str) -> impl Fn(&str) -> bool + 'static {
        let configuration = match self.of_folder(start) {
            Lookup::Index(index) => self.all.get(index).cloned(),
            Lookup::Faulty => None,
        };
        move |folder| {
            configuration
                .as_ref()
                .is_some_and(|it| it.for_file(&join(folder, ANY_NAME)).is_excluded())
        }
    }

    /// The pattern that excludes everything in a folder.
    pub(crate) fn excluding_pattern(&self, folder: &str) -> Option<String> {
        let settings = self.for_folder(folder)?.for_file(&join(folder, ANY_NAME));
        Some(settings.excluded_by()?.text.clone())
    }

    /// The configurations that were found, each with its index.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &Configuration)> {
        self.all.iter().map(|it| &**it).enumerate()
    }

    /// The paths of all configuration files that were read, including faulty ones.
    pub fn paths(&self) -> impl Iterator<Item = String> {
        let read = self.all.iter().flat_map(|it| it.files());
        read.map(|(path, _)| path.to_owned()).chain(self.faulty.iter().cloned())
    }

    /// The absolute paths of the files that decide the settings of a file: those of its configuration, and those of nearer
    /// ones, which need not exist.
    pub(crate) fn deciding_files(&self, file: &str) -> impl Iterator<Item = String> {
        let configuration = self.for_folder(folder_of(file));
        let read = configuration.into_iter().flat_map(Configuration::files);
        let mut all: Vec<String> = read.map(|(path, _)| path.to_owned()).collect();
        let nearest = configuration.and_then(Configuration::path).map(folder_of);
        let searched = self.searched(folder_of(file)).take_while(|it| Some(*it) != nearest);
        let searched = searched.filter(|_| self.uses_nearest());
        all.extend(searched.map(|folder| join(folder, CONFIGURATION_NAME)));
        all.into_iter()
    }

    /// All rules, including the house rules of every configuration.
    pub fn rules(&self) -> Vec<RuleRef> {
        let mut known = BTreeSet::new();
        let house = self.all.iter().flat_map(|it| it.house_rules());
        let house = house.filter(|rule| known.insert(rule.id())).map(HouseRule::rule);
        rules::all().map(RuleRef::from).chain(house).collect()
    }

    /// The root of the repository: the nearest folder with `.git` or with a configuration that says `root`, or else the
    /// folder of the configuration. If the working directory has neither, the repository of the first folder that was
    /// looked up counts.
    pub fn repository_root(&mut self) -> String {
        let here = self.working_directory.clone();
        let elsewhere = self.elsewhere.clone();
        let root = self.root_above(&here).or_else(|| self.configured_above(&here));
        root.or_else(|| self.root_above(&elsewhere?)).unwrap_or(here)
    }

    /// The nearest folder that is the root of a repository, from a folder upward.
    fn root_above(&self, folder: &str) -> Option<String> {
        let is_root = |it: &&str| self.is_declared_root(it) || self.is_repository(it);
        upward(folder).find(is_root).map(str::to_owned)
    }

    /// The folder of the configuration of a folder, if it is this one or one above.
    fn configured_above(&mut self, folder: &str) -> Option<String> {
        self.look_up(folder);
        let configuration = self.for_folder(folder).filter(|it| it.path().is_some())?;
        let home = configuration.folder();
        is_within(home, folder).then(|| home.to_owned())
    }

    /// Whether the configuration in a folder declares it to be the root. Faults in a configuration that applies to no file
    /// of the run are ignored.
    fn is_declared_root(&self, folder: &str) -> bool {
        let declares = |it: &Configuration| it.root().is_some_and(|root| root.value);
        let is_looked_up = self.folders.contains_key(folder);
        // Most folders are looked up already, and none above declares anything.
        if self.only.is_some() || (is_looked_up && !self.for_folder(folder).is_some_and(declares)) {
            return false;
        }
        let file = join(folder, CONFIGURATION_NAME);
        let exists = self.settings.exists(Path::new(&file)) == Ok(true);
        if !exists || is_looked_up {
            return exists;
        }
        let limit = SizeLimit::configuration();
        Configuration::load(&file, &mut |path| self.read_extended(path, &limit))
            .is_ok_and(|it| declares(&it))
    }

    /// The text of a configuration that another one extends.
    fn read_extended(&self, path: &str, limit: &SizeLimit) -> Result<String, ReadError> {
        let path = Path::new(path);
        match self.named_file(path) {
            Ok(Some(file)) => {
                self.settings.read_text(&file.source, limit).map_err(ReadError::Other)
            }
            Ok(None) => Err(ReadError::NotFound),
            Err(message) => Err(ReadError::Other(message)),
        }
    }
}

/// A file by its path, and where that leads. In a confined session, the file system says what may be read.
fn followed_file(
    files: &FileSystem,
    path: &Path,
    followed: Followed,
) -> Result<Option<NamedFile>, String> {
    let Some(stamp) = files.stamp(path)? else { return Ok(None) };
    let source = if files.is_confined() || matches!(stamp, Stamp::Unsaved(_)) {
        path.to_owned()
    } else {
        followed.ended.map_err(|error| describe_io_error(&error))?;
        followed.real
    };
    Ok(Some(NamedFile { stamp, source }))
}

/// The text of a configuration file, for [`Configuration::load`] where no session reads it.
///
/// # Errors
///
/// If the file cannot be read, or is larger than a configuration may be.
pub fn read_configuration(path: &str) -> Result<String, ReadError> {
    let files = FileSystem::default();
    let text = files.read_text_if_exists(Path::new(path), &SizeLimit::configuration());
    text.map_err(ReadError::Other)?.ok_or(ReadError::NotFound)
}

impl Loaded {
    /// Whether all files are as they were when they were read.
    fn is_current(&self, files: &FileSystem) -> bool {
        self.stamps.iter().all(|(path, stamp)| files.stamp(Path::new(path)) == Ok(Some(*stamp)))
    }
}
