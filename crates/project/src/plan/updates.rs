//! The updates of a run, each with its base.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use voxlint::{DocumentKind, Origin, Stored};

use super::base::{BaseSource, Bases, base_folders};
use super::reload::Each;
use crate::Failure;
use crate::file_set::FileSet;
use crate::file_status::FileRole;
use crate::git::GitError;
use crate::lint_files::RunResult;
use crate::linted::LintedDocument;
use crate::notice::Notice;
use crate::paths::absolute;
use crate::session::Session;

/// An update that was read, and what the repository last knew of its stored configuration.
pub(super) struct Update {
    pub(super) document: LintedDocument,
    /// Its absolute path.
    pub(super) path: String,
    pub(super) base: Option<Stored>,
}

/// What was made of the updates of a run.
pub(super) struct UpdatesRun<T> {
    pub(super) found: Vec<T>,
    /// How many updates there are.
    pub(super) updates: u64,
    /// How many documents are of another kind.
    pub(super) others: u64,
    pub(super) result: RunResult,
}

/// A run with its bases.
pub(super) struct OpenRun<'a> {
    pub(super) session: &'a Session,
    bases: &'a Bases,
    /// The absolute paths of related files.
    related: BTreeSet<String>,
}

/// What is made of an update.
pub(super) type Work<'w, T> = &'w (dyn Fn(&OpenRun<'_>, Update) -> Result<T, Failure> + Sync);

/// The folder in which the base of a document was searched, and whether it was there.
type Searched<'a> = Option<(&'a str, bool)>;

enum Worked<'a, T> {
    Done(T, Searched<'a>),
    /// An update whose stored configuration or base cannot be used. `None` if that is a failure of the run already.
    Failed(Option<Failure>),
    /// A document of another kind.
    Other,
    /// A document that is only read for others.
    Related,
}

impl Session {
    /// Does something with each update of some files. `file_done` is called after each file.
    pub(super) fn each_update<T: Send>(
        &mut self,
        files: &mut FileSet,
        base: &BaseSource,
        file_done: &(dyn Fn() + Sync),
        work: Work<'_, T>,
    ) -> Result<UpdatesRun<T>, GitError> {
        // The documents in bases are not those of the run.
        for folder in base_folders(base, self.configurations(), self.repository_root()) {
            files.take_folder(&folder, FileRole::Base);
        }
        let bases = Bases::open(base, self)?;
        let session = &*self;
        // Stored configurations and others that no document uses are not sent.
        let related = files.related.iter().map(|(input, _)| absolute(Path::new(&*input.shown)));
        let run = OpenRun { session, bases: &bases, related: related.collect() };
        let (mut found, mut failures) = (Vec::new(), Vec::new());
        let (mut updates, mut others) = (0, 0);
        // Whether something was found in each folder that is a base.
        let mut searched: BTreeMap<&str, bool> = BTreeMap::new();
        // It works in the threads that check the documents.
        let work = |document: LintedDocument| {
            let path = absolute(Path::new(&*document.path));
            match run.base_of(&document, &path) {
                Ok((base, searched)) => match work(&run, Update { document, path, base }) {
                    Ok(done) => Worked::Done(done, searched),
                    Err(failure) => Worked::Failed(Some(failure)),
                },
                Err(other) => other,
            }
        };
        let each = Each { work, checks: true, file_done };
        let mut result = session.lint_files(files, &each, &mut |worked, _| match worked {
            Worked::Done(done, base) => {
                updates += 1;
                if let Some((folder, is_found)) = base {
                    *searched.entry(folder).or_default() |= is_found;
                }
                found.push(done);
            }
            Worked::Failed(failure) => {
                updates += 1;
                failures.extend(failure.filter(|it| !failures.contains(it)));
            }
            Worked::Other => others += 1,
            Worked::Related => {}
        });
        // Without this, a folder of another layout would look like a service in which nothing was changed.
        let empty = searched.into_iter().filter(|(_, is_found)| !is_found);
        let empty = empty.map(|(folder, _)| session.configurations().shown(folder));
        result.notices.extend(empty.map(Notice::EmptyBase));
        result.failures.extend(failures);
        Ok(UpdatesRun { found, updates, others, result })
    }
}

impl<'a> OpenRun<'a> {
    /// The base of an update; what becomes of any other document.
    fn base_of<T>(
        &self,
        document: &LintedDocument,
        path: &str,
    ) -> Result<(Option<Stored>, Searched<'a>), Worked<'a, T>> {
        if self.related.contains(path) {
            return Err(Worked::Related);
        }
        if document.kind != DocumentKind::Update {
            return Err(Worked::Other);
        }
        let stored = document.related.iter().find(|(origin, _)| *origin == Origin::Stored);
        let Some((_, stored)) = stored else {
            let is_unusable = self.has_unusable_stored(document, path);
            return if is_unusable { Err(Worked::Failed(None)) } else { Ok((None, None)) };
        };
        let configurations = self.session.configurations();
        let index = configurations.index_for(path).unwrap_or(0);
        let base = self.bases.stored(index, stored, configurations);
        let base = base.map_err(|failure| Worked::Failed(Some(failure)))?;
        let searched = self.bases.folder(index).map(|folder| (folder, base.is_some()));
        Ok((base, searched))
    }

    /// What is said about a stored configuration that the branch has changed, and whether it counts although commits have changed it.
    /// Those of the service come from the service.
    pub(super) fn uncertainty(&self, document: &str) -> Option<(String, bool)> {
        let configurations = self.session.configurations();
        if self.session.options().related.paths().next().is_some() {
            return None;
        }
        let stored = configurations.settings_for(document)?.stored()?.value;
        let shown = configurations.shown(&stored);
        let path = Path::new(&stored);
        if let Some(reference) = self.session.stored_from() {
            let name = reference.name();
            let note = || format!("`{shown}` differs from that of {name}, which counts");
            return reference.differs(path).then(|| (note(), false));
        }
        let (why, is_of_branch) =
            self.bases.uncertainty(configurations.index_for(document)?, path)?;
        Some((format!("`{shown}` {why}"), is_of_branch))
    }

    /// Whether a document has no stored configuration only because it cannot be used.
    fn has_unusable_stored(&self, document: &LintedDocument, path: &str) -> bool {
        let session = self.session;
        if session.options().related.stored.is_some() {
            return true;
        }
        let settings = session.configurations().settings_for(path);
        let stored = settings.and_then(|settings| settings.stored());
        document.position.is_none()
            && stored.is_some_and(|stored| {
                let files = session.configurations().files_of_the_service();
                files.exists(Path::new(&stored.value)) != Ok(false)
            })
    }
}

/// What reports call a document: the path of its file, with the line or the number of the document in a file with several.
pub(super) fn name(document: &LintedDocument) -> Arc<str> {
    let path = &document.path;
    match document.position {
        None => Arc::clone(path),
        // Only a file that is read as a whole has its lines.
        Some(position) if document.lines.is_some() => {
            format!("{path}#{}", position.index + 1).into()
        }
        Some(position) => format!("{path}:{}", position.line).into(),
    }
}
