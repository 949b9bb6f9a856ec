//! Which files a run may change: those that it was asked to, and texts of other documents only as far as that is safe.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use voxlint::{Fix, Origin, Safety};

use super::key::Key;
use crate::file_set::FileSet;
use crate::linter::{Linter, Renderer};
use crate::paths::absolute_path;

/// Which files of a run may be changed.
pub(super) struct Scope {
    /// With `--only-documents`, or where documents are checked because of their texts, the files and folders that were named.
    named: Option<Vec<PathBuf>>,
    /// The texts that may belong to documents outside of the run.
    open_texts: BTreeSet<PathBuf>,
    /// The texts that may belong to several documents.
    shared_texts: BTreeSet<PathBuf>,
}

/// What the fixes of a document must leave alone.
#[derive(Default)]
pub(super) struct Blocked {
    pub(super) document: bool,
    /// The texts by their indexes, with the safety from which on their fixes are blocked.
    pub(super) texts: BTreeMap<u16, Safety>,
}

impl Scope {
    pub(super) fn new<R: Renderer>(linter: &Linter<'_, R>, files: &FileSet) -> Self {
        let only_documents = linter.options.explicit_paths.only_documents || files.has_users;
        let named = only_documents.then(|| files.paths.iter().map(|path| real(path)).collect());
        let covered = linter.configurations().covered_folders();
        let is_searched = |text: &str| {
            files.folders.iter().any(|folder| {
                let folder = Path::new(folder);
                Path::new(text).starts_with(folder)
                    && covered.iter().all(|covered| Path::new(covered).starts_with(folder))
            })
        };
        let open_texts = files.shared_texts.iter().filter(|text| !is_searched(text));
        let open_texts = open_texts.map(|text| real(Path::new(text))).collect();
        let shared_texts = files.shared_texts.iter().map(|text| real(Path::new(text))).collect();
        Self { named, open_texts, shared_texts }
    }

    /// Whether the run was asked to change a file.
    pub(super) fn contains(&self, key: &Key) -> bool {
        match (&self.named, key) {
            (Some(named), Some(path)) => named.iter().any(|named| path.starts_with(named)),
            _ => true,
        }
    }

    /// What is blocked of a document and its texts.
    pub(super) fn blocked(&self, document: &Key, texts: &[Key]) -> Blocked {
        let is_own = self.contains(document);
        let mut blocked = Blocked { document: !is_own, texts: BTreeMap::new() };
        for (key, index) in texts.iter().zip(0..) {
            let Some(path) = key else { continue };
            let is_named = self.contains(key);
            let is_safety = if self.named.is_some() {
                // Every document of a named text takes part in such a run.
                let is_free = is_named || (is_own && !self.shared_texts.contains(path));
                (!is_free).then_some(Safety::Safe)
            } else {
                self.open_texts.contains(path).then_some(Safety::Unsafe)
            };
            if let Some(safety) = is_safety {
                blocked.texts.insert(index, safety);
            }
        }
        blocked
    }
}

impl Blocked {
    /// Whether a fix must not be applied.
    pub(super) fn has(&self, fix: &Fix) -> bool {
        match fix.origin {
            Origin::Document => self.document,
            Origin::Text(index) => match self.texts.get(&index) {
                Some(Safety::Safe) => true,
                Some(Safety::Unsafe) => fix.safety == Safety::Unsafe,
                _ => false,
            },
            _ => false,
        }
    }
}

fn real(path: &Path) -> PathBuf {
    let path = absolute_path(path);
    path.canonicalize().unwrap_or(path)
}
