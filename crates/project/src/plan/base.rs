//! The base of a plan: the stored configurations that the repository last knew, in a folder or in a commit.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use voxlint::Stored;

use crate::Failure;
use crate::changed::RepositoryPaths;
use crate::configurations::Configurations;
use crate::contents::describe_io_error;
use crate::file_set::FileSet;
use crate::file_status::FileRole;
use crate::file_system::FileSystem;
use crate::git::{CommittedFile, Contents, Git, GitError};
use crate::input::{InputFile, ReadOptions};
use crate::options::LintOptions;
use crate::paths::{absolute, absolute_path, is_within, join, relative_or_absolute};
use crate::reference::Reference;
use crate::related::parse;
use crate::related_document::RelatedDocument;
use crate::session::Session;
use crate::size_limit::SizeLimit;

/// Where the stored configurations that the repository last knew come from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BaseSource {
    /// What each configuration names, if it does.
    #[default]
    Configured,
    /// A folder, if there is one with this name, or else a commit.
    Named(String),
    /// There is none, so changes made in the service are not found.
    None,
}

/// The bases of a run, opened.
pub(crate) struct Bases {
    /// The base of each configuration, by its index.
    by_configuration: Vec<Option<Arc<Base>>>,
    /// The commit of the working tree, if there is one and a stored configuration.
    head: Option<Reference>,
}

enum Base {
    Folder {
        folder: String,
        /// The folder that it mirrors.
        mirrored: String,
        /// Whether the command line names it, and not a configuration.
        is_explicit: bool,
    },
    Commit(Box<CommitBase>),
}

/// The stored configurations of a commit.
struct CommitBase {
    name: String,
    /// The paths of stored configurations, as git writes them.
    names: BTreeMap<PathBuf, Vec<u8>>,
    files: BTreeMap<Vec<u8>, CommittedFile>,
    contents: Contents,
    /// Whether it is the commit of the working tree.
    is_head: bool,
}

/// The bytes of a base, and where they are from.
pub(crate) struct BaseFile {
    /// The path of the file, or the name of the commit and the path in it.
    pub(crate) shown: String,
    pub(crate) bytes: Vec<u8>,
}

impl Bases {
    /// Opens the bases that the documents of a run have.
    pub(crate) fn open(
        source: &BaseSource,
        files: &FileSet,
        session: &Session,
    ) -> Result<Self, GitError> {
        let (configurations, root) = (session.configurations(), session.repository_root());
        let mut opener = Opener {
            files: configurations.file_system(),
            stored: stored_paths(files, session.options(), configurations),
            root,
            is_explicit: matches!(source, BaseSource::Named(_)),
            skips_commits: session.file_system().is_confined(),
            git: None,
            commit_bases: BTreeMap::new(),
        };
        let mut by_configuration = Vec::new();
        for (_, configuration) in configurations.iter() {
            let base = match source {
                BaseSource::None => None,
                BaseSource::Named(name) => {
                    let folder = absolute(Path::new(&name));
                    opener.open(name, folder, root)?
                }
                BaseSource::Configured => match configuration.base() {
                    Some(base) => {
                        let home = base.value.folder.as_str();
                        opener.open(&base.value.name, join(home, &base.value.name), home)?
                    }
                    None => None,
                },
            };
            by_configuration.push(base);
        }
        let has_stored = || opener.stored.iter().any(|path| path.is_file());
        let head = (!opener.skips_commits && has_stored())
            .then(|| Reference::open("HEAD^{commit}", Path::new(root)).ok());
        Ok(Self { by_configuration, head: head.flatten() })
    }

    /// The folder that is the base of the documents of a configuration.
    pub(crate) fn folder(&self, configuration: usize) -> Option<&str> {
        match self.by_configuration.get(configuration)?.as_deref()? {
            Base::Folder { folder, .. } => Some(folder),
            Base::Commit(_) => None,
        }
    }

    /// Why a stored configuration may not be that of the service, as the rest of a sentence about it, and whether commits have changed it.
    pub(crate) fn uncertainty(
        &self,
        configuration: usize,
        stored: &Path,
    ) -> Option<(String, bool)> {
        let head = self.head.as_ref()?;
        let base = match self.by_configuration.get(configuration)?.as_deref() {
            Some(Base::Commit(base)) => Some(base),
            _ => None,
        };
        if head.differs(stored) {
            // Compared with the last commit, the plan itself says what is different.
            let is_compared =
                base.is_some_and(|it| it.is_head && matches!(it.file(stored), Ok(Some(_))));
            let why = "differs from the last commit, and counts as just fetched from the service";
            return (!is_compared).then(|| (why.to_owned(), false));
        }
        let base = base.filter(|base| !base.is_head)?;
        let before = base.file(stored).ok()?.map(|file| file.bytes);
        let (name, is_changed) = (&base.name, before != fs::read(stored).ok());
        let why = format!(
            "was changed by commits since {name}, so it does not say what the service has stored"
        );
        is_changed.then_some((why, true))
    }

    /// The base file of a stored configuration; `None` if there is none.
    pub(crate) fn file(
        &self,
        configuration: usize,
        stored: &Path,
        configurations: &Configurations,
    ) -> Result<Option<BaseFile>, Failure> {
        match self.by_configuration.get(configuration).and_then(Option::as_deref) {
            None => Ok(None),
            Some(Base::Folder { folder, mirrored, is_explicit }) => {
                let stored = absolute(stored);
                let below = relative_or_absolute(mirrored, &stored);
                if below == stored || below.starts_with("..") {
                    return Ok(None);
                }
                let path = PathBuf::from(join(folder, &below));
                let shown = configurations.shown(&absolute(&path));
                let files = configurations.file_system();
                let file = if *is_explicit {
                    configurations.base_file(&path, Path::new(folder))
                } else {
                    configurations.named_file(&path)
                };
                let Some(file) = file.map_err(|why| Failure::new(&*shown, why))? else {
                    return Ok(None);
                };
                let bytes = files.read_limited(&file.source, &SizeLimit::related());
                let bytes =
                    bytes.map_err(|error| Failure::new(&*shown, describe_io_error(&error)))?;
                Ok(Some(BaseFile { shown, bytes }))
            }
            Some(Base::Commit(base)) => base.file(stored),
        }
    }

    /// The base of a document with this stored configuration; `None` if there is none, or if it is of another agent.
    pub(crate) fn stored(
        &self,
        configuration: usize,
        stored: &RelatedDocument,
        configurations: &Configurations,
    ) -> Result<Option<Stored>, Failure> {
        let Some(location) = &stored.location else { return Ok(None) };
        let Some(file) = self.file(configuration, location, configurations)? else {
            return Ok(None);
        };
        let mut input: InputFile = ReadOptions::default().input(location);
        input.shown = file.shown.into();
        let base = parse(&input, FileRole::Stored, &file.bytes)
            .map_err(|failure| failure.named_at(Some("it is the base; --no-base plans without")))?
            .as_stored();
        let (now, then) = (stored.as_stored(), &base);
        let is_other = now.agent_id().zip(then.agent_id()).is_some_and(|(now, then)| now != then);
        Ok((!is_other).then_some(base))
    }
}

impl CommitBase {
    fn file(&self, stored: &Path) -> Result<Option<BaseFile>, Failure> {
        let Some((name, file)) =
            self.names.get(stored).and_then(|name| Some((name, self.files.get(name)?)))
        else {
            return Ok(None);
        };
        let path = String::from_utf8_lossy(name);
        let shown = format!("{}:{path}", self.name);
        if file.is_link {
            return Err(Failure::new(shown, "is a symbolic link, and a base must be a file"));
        }
        let bytes = self.contents.read(file, &path, Some(&SizeLimit::related()));
        let bytes = bytes.map_err(|error| Failure::new(&*shown, error.to_string()))?;
        Ok(Some(BaseFile { shown, bytes }))
    }
}

/// The folders that are bases. A copy of the repository contains documents of its own, which are not to be planned.
pub(crate) fn base_folders(
    source: &BaseSource,
    configurations: &Configurations,
    root: &str,
) -> Vec<String> {
    let configured = configurations.iter().filter_map(|(_, it)| it.base());
    let configured = configured.map(|base| join(&base.value.folder, &base.value.name));
    let folders: Vec<String> = match source {
        BaseSource::Named(name) => vec![absolute(Path::new(&name))],
        BaseSource::Configured => configured.collect(),
        BaseSource::None => Vec::new(),
    };
    let is_below = |folder: &String| folder != root && is_within(root, folder);
    let files = configurations.file_system();
    let is_dir = |folder: &String| files.is_dir(Path::new(folder));
    folders.into_iter().filter(|folder| is_below(folder) && is_dir(folder)).collect()
}

/// Opens bases, each commit once.
struct Opener<'a> {
    files: &'a FileSystem,
    stored: BTreeSet<PathBuf>,
    root: &'a str,
    /// Whether the command line names the base.
    is_explicit: bool,
    skips_commits: bool,
    git: Option<Git>,
    commit_bases: BTreeMap<String, Arc<Base>>,
}

impl Opener<'_> {
    /// The folder `folder`, if there is one, or else the commit `name`.
    fn open(
        &mut self,
        name: &str,
        folder: String,
        mirrored: &str,
    ) -> Result<Option<Arc<Base>>, GitError> {
        if self.files.is_dir(Path::new(&folder)) {
            let (mirrored, is_explicit) = (mirrored.to_owned(), self.is_explicit);
            return Ok(Some(Arc::new(Base::Folder { folder, mirrored, is_explicit })));
        }
        if self.skips_commits {
            return Ok(None);
        }
        if let Some(base) = self.commit_bases.get(name) {
            return Ok(Some(Arc::clone(base)));
        }
        let git = match &self.git {
            Some(git) => git,
            None => self.git.insert(Git::of_folder(Path::new(self.root))?),
        };
        let commit = git.commit(name)?;
        let mut paths = RepositoryPaths::of(git);
        let names: BTreeMap<PathBuf, Vec<u8>> =
            self.stored.iter().filter_map(|path| Some((path.clone(), paths.name(path)?))).collect();
        let files = git.files(&commit, &names.values().cloned().collect())?;
        let contents = git.contents()?;
        let is_head = git.commit("HEAD").is_ok_and(|head| head == commit);
        let base = CommitBase { name: name.to_owned(), names, files, contents, is_head };
        let base = Arc::new(Base::Commit(Box::new(base)));
        self.commit_bases.insert(name.to_owned(), Arc::clone(&base));
        Ok(Some(base))
    }
}

/// The stored configurations that the documents of a run may have.
fn stored_paths(
    files: &FileSet,
    options: &LintOptions,
    configurations: &Configurations,
) -> BTreeSet<PathBuf> {
    let explicit = options.related.stored.iter().map(|path| absolute_path(path));
    let configured = files.inputs.iter().chain(&files.left_out).filter_map(|input| {
        let stored = configurations.settings_for(&input.absolute)?.stored()?;
        Some(absolute_path(Path::new(&stored.value)))
    });
    explicit.chain(configured).collect()
}
