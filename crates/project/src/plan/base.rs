//! The base of a plan: the stored configurations that the repository last knew, in a folder or in a commit.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use voxlint::Stored;
use voxlint_config::Configuration;

use crate::Failure;
use crate::configurations::Configurations;
use crate::contents::describe_io_error;
use crate::file_status::FileRole;
use crate::file_system::FileSystem;
use crate::git::GitError;
use crate::input::{InputFile, ReadOptions};
use crate::paths::{absolute, is_within, join, relative_or_absolute};
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

/// A base as it is named.
struct NamedBase<'n> {
    name: &'n str,
    /// The folder that it is, if there is one.
    folder: String,
    /// The folder that this one mirrors.
    mirrored: &'n str,
}

impl BaseSource {
    /// The base of the documents of a configuration.
    fn of<'n>(&'n self, configuration: &'n Configuration, root: &'n str) -> Option<NamedBase<'n>> {
        match self {
            Self::None => None,
            Self::Named(name) => {
                Some(NamedBase { name, folder: absolute(Path::new(name)), mirrored: root })
            }
            Self::Configured => {
                let base = &configuration.base()?.value;
                let folder = join(&base.folder, &base.name);
                Some(NamedBase { name: &base.name, folder, mirrored: &base.folder })
            }
        }
    }
}

/// The bases of a run, opened.
pub(crate) struct Bases {
    /// The base of each configuration, by its index.
    by_configuration: Vec<Option<Arc<Base>>>,
    /// The root of the repository, if commits are read.
    root: Option<PathBuf>,
    /// The commit of the working tree, if there is one.
    head: OnceLock<Option<Reference>>,
}

enum Base {
    Folder {
        folder: String,
        /// The folder that it mirrors.
        mirrored: String,
        /// Whether the command line names it, and not a configuration.
        is_explicit: bool,
    },
    Commit(Box<Reference>),
}

impl Bases {
    /// Opens the bases that the documents of a run have.
    pub(crate) fn open(source: &BaseSource, session: &Session) -> Result<Self, GitError> {
        let (configurations, root) = (session.configurations(), session.repository_root());
        let mut opener = Opener {
            files: configurations.file_system(),
            root,
            is_explicit: matches!(source, BaseSource::Named(_)),
            skips_commits: session.file_system().is_confined(),
            commits: BTreeMap::new(),
        };
        let mut by_configuration = Vec::new();
        for (_, configuration) in configurations.iter() {
            let named = source.of(configuration, root);
            let base = named.map(|named| opener.open(named)).transpose()?;
            by_configuration.push(base.flatten());
        }
        let root = (!opener.skips_commits).then(|| root.into());
        Ok(Self { by_configuration, root, head: OnceLock::new() })
    }

    fn head(&self) -> Option<&Reference> {
        let root = self.root.as_deref()?;
        self.head.get_or_init(|| Reference::of_commit("HEAD", root).ok()).as_ref()
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
        let head = self.head().filter(|_| stored.is_file())?;
        let base = match self.by_configuration.get(configuration)?.as_deref() {
            Some(Base::Commit(base)) => Some(base),
            _ => None,
        };
        let is_head = base.is_some_and(|base| base.is_same_commit(head));
        if head.differs(stored) {
            // Compared with the last commit, the plan itself says what is different.
            let is_compared = is_head && !head.lacks(stored);
            let why = "differs from the last commit, and counts as just fetched from the service";
            return (!is_compared).then(|| (why.to_owned(), false));
        }
        let name = base.filter(|base| !is_head && base.differs(stored))?.name();
        let why = format!(
            "was changed by commits since {name}, so it does not say what the service has stored"
        );
        Some((why, true))
    }

    /// The path and the bytes of the base of a stored configuration; `None` if there is none.
    fn file(
        &self,
        configuration: usize,
        stored: &Path,
        configurations: &Configurations,
    ) -> Result<Option<(String, Vec<u8>)>, Failure> {
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
                Ok(Some((shown, bytes)))
            }
            Some(Base::Commit(base)) => {
                let path = base.path_in(stored).unwrap_or_default();
                let shown = format!("{}:{path}", base.name());
                let bytes = base.read(stored).transpose();
                let bytes = bytes.map_err(|why| Failure::new(&*shown, why))?.flatten();
                Ok(bytes.map(|bytes| (shown, bytes.to_vec())))
            }
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
        let file = self.file(configuration, location, configurations)?;
        let Some((shown, bytes)) = file else { return Ok(None) };
        let mut input: InputFile = ReadOptions::default().input(location);
        input.shown = shown.into();
        let base = parse(&input, FileRole::Stored, &bytes)
            .map_err(|failure| failure.named_at(Some("it is the base; --no-base plans without")))?
            .as_stored();
        let (now, then) = (stored.as_stored(), &base);
        let is_other = now.agent_id().zip(then.agent_id()).is_some_and(|(now, then)| now != then);
        Ok((!is_other).then_some(base))
    }
}

/// The folders that are bases. A copy of the repository contains documents of its own, which are not to be planned.
pub(crate) fn base_folders(
    source: &BaseSource,
    configurations: &Configurations,
    root: &str,
) -> Vec<String> {
    let named = configurations.iter().filter_map(|(_, it)| Some(source.of(it, root)?.folder));
    let is_below = |folder: &String| folder != root && is_within(root, folder);
    let files = configurations.file_system();
    let is_dir = |folder: &String| files.is_dir(Path::new(folder));
    named.filter(|folder| is_below(folder) && is_dir(folder)).collect()
}

/// Opens bases, each commit once.
struct Opener<'a> {
    files: &'a FileSystem,
    root: &'a str,
    /// Whether the command line names the base.
    is_explicit: bool,
    skips_commits: bool,
    commits: BTreeMap<String, Arc<Base>>,
}

impl Opener<'_> {
    /// The folder, if there is one, or else the commit.
    fn open(
        &mut self,
        NamedBase { name, folder, mirrored }: NamedBase<'_>,
    ) -> Result<Option<Arc<Base>>, GitError> {
        if self.files.is_dir(Path::new(&folder)) {
            let (mirrored, is_explicit) = (mirrored.to_owned(), self.is_explicit);
            return Ok(Some(Arc::new(Base::Folder { folder, mirrored, is_explicit })));
        }
        if self.skips_commits {
            return Ok(None);
        }
        if let Some(base) = self.commits.get(name) {
            return Ok(Some(Arc::clone(base)));
        }
        let base = Reference::of_commit(name, Path::new(self.root))?;
        let base = Arc::new(Base::Commit(Box::new(base)));
        self.commits.insert(name.to_owned(), Arc::clone(&base));
        Ok(Some(base))
    }
}
