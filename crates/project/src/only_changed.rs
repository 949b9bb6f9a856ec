//! Leaves out the documents of a run that have not changed since a commit.

use std::collections::BTreeSet;
use std::mem;
use std::path::{Path, PathBuf};

use crate::baselines::BaselineFile;
use crate::changed::{Compared, Comparison};
use crate::configurations::Configurations;
use crate::file_status::{FileRole, FileStatus, FileTracker, SkipReason};
use crate::git::{Git, GitError};
use crate::input::InputFile;
use crate::options::LintOptions;
use crate::paths::absolute_path;
use crate::related::related_paths;

/// The files that one document depends on.
struct Watched {
    document: Option<PathBuf>,
    /// Its text files: without a former version, they count as changed.
    texts: Vec<PathBuf>,
    /// What it is checked with. Git need not know these files.
    others: Vec<PathBuf>,
}

impl Watched {
    fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.document.iter().chain(&self.texts).chain(&self.others)
    }

    fn has_changed(&self, compared: &Compared) -> bool {
        use Comparison::{Changed, Unchanged, Unknown};
        let of = |path: &PathBuf| compared.of(path);
        // A named file that does not exist fails the run.
        self.document.as_ref().is_none_or(|document| of(document) != Unchanged)
            || self.texts.iter().any(|text| matches!(of(text), Changed | Unknown))
            || self.others.iter().any(|other| of(other) == Changed)
    }
}

/// The files of a run by what is done with them.
pub(crate) struct RunFiles {
    /// The files to check.
    pub(crate) inputs: Vec<InputFile>,
    /// The documents that are left out.
    pub(crate) left_out: Vec<InputFile>,
    pub(crate) related: Vec<(InputFile, FileRole)>,
}

/// Splits the files of a run: those to keep, and those to leave out because nothing that decides their result has changed since
/// the commit `name`.
pub(crate) struct OnlyChanged<'a> {
    pub(crate) name: &'a str,
    pub(crate) repository_root: &'a str,
    pub(crate) options: &'a LintOptions,
    pub(crate) configurations: &'a Configurations,
    pub(crate) baselines: &'a [BaselineFile],
}

impl OnlyChanged<'_> {
    /// Leaves out files, and sets their status.
    pub(crate) fn apply(
        &self,
        files: &mut RunFiles,
        tracker: &mut FileTracker,
    ) -> Result<(), GitError> {
        let git = Git::of_folder(Path::new(self.repository_root))?;
        let watched: Vec<Watched> = files.inputs.iter().map(|input| self.watched(input)).collect();
        let mut paths: BTreeSet<PathBuf> =
            watched.iter().flat_map(Watched::paths).cloned().collect();
        let own = |input: &InputFile| input.path.as_deref().map(absolute_path);
        paths.extend(files.related.iter().filter_map(|(input, _)| own(input)));
        let commit = git.commit(self.name)?;
        let compared = Compared::with(&git, &commit, &paths)?;

        let reason = SkipReason::Unchanged(self.name.into());
        let mut leave_out = |input: &InputFile| {
            if !tracker.has_status(input) {
                tracker.set_status(input, FileStatus::Skipped(reason.clone()));
            }
        };
        let mut needed: BTreeSet<PathBuf> = BTreeSet::new();
        for (input, watched) in mem::take(&mut files.inputs).into_iter().zip(watched) {
            if watched.has_changed(&compared) {
                needed.extend(watched.paths().cloned());
                files.inputs.push(input);
            } else {
                leave_out(&input);
                files.left_out.push(input);
            }
        }
        files.related.retain(|(input, role)| {
            let is_kept = own(input).is_none_or(|path| {
                needed.contains(&path) || compared.of(&path) == Comparison::Changed
            });
            // A baseline has its role whatever is checked.
            let is_kept = is_kept || *role == FileRole::Baseline;
            if !is_kept {
                leave_out(input);
            }
            is_kept
        });
        Ok(())
    }

    fn watched(&self, input: &InputFile) -> Watched {
        let Self { options, configurations, baselines, .. } = self;
        let document = input.path.as_deref().map(absolute_path);
        let mut texts = Vec::new();
        let mut others: Vec<PathBuf> =
            options.related.paths().map(|path| absolute_path(path)).collect();
        for (path, role) in related_paths(input, options, configurations) {
            if options.related.leaving_out(role).is_some() {
                continue;
            }
            if role == FileRole::Text { texts.push(path) } else { others.push(path) }
        }
        others.extend(configurations.deciding_files(&input.absolute).map(PathBuf::from));
        let index = configurations.index_for(&input.absolute);
        let baseline = index.and_then(|index| baselines.get(index));
        others.extend(baseline.map(|file| PathBuf::from(&file.path)));
        Watched { document, texts, others }
    }
}
