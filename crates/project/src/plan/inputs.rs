//! The inputs of a plan, with their hashes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};
use voxlint::DocumentKind;

use super::base::{BaseIdentity, Bases};
use super::neighbors::NeighborFiles;
use crate::Failure;
use crate::file_set::{FileSet, related_paths};
use crate::file_status::FileRole;
use crate::file_system::describe_io_error;
use crate::input::InputFile;
use crate::lint_files::{LinesKind, kind_of_other_lines};
use crate::linter::{Keep, Linter, guarded};
use crate::parallel;
use crate::paths::{absolute, absolute_path, relative_or_absolute};
use crate::session::Session;

/// What an input of a plan is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum InputRole {
    /// A file with updates.
    Document,
    /// The text of a field.
    Text,
    /// The stored configuration of a document.
    Stored,
    /// Workspace facts.
    Facts,
    /// A configuration, or a file that it extends.
    Configuration,
    /// A stored configuration that the repository last knew.
    Base,
}

impl InputRole {
    /// Every role.
    pub const ALL: [Self; 6] =
        [Self::Document, Self::Text, Self::Stored, Self::Facts, Self::Configuration, Self::Base];

    /// The name in a saved plan.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Text => "text",
            Self::Stored => "stored",
            Self::Facts => "facts",
            Self::Configuration => "configuration",
            Self::Base => "base",
        }
    }
}

/// A file that a plan was made from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct PlanInput {
    /// The path from the root of the repository, or the absolute path of a file that is not in it. A base in a commit has the
    /// id of the commit and the path in it: `9fceb02…:stored/en.json`.
    pub path: String,
    /// What it is.
    pub role: InputRole,
    /// The SHA-256 of its bytes, in hexadecimal digits.
    pub sha256: String,
}

impl Session {
    /// The inputs of the updates in some files and of their neighbors, and what could not be read.
    pub(super) fn record_inputs(
        &self,
        files: &FileSet,
        neighbors: &NeighborFiles,
        bases: &Bases,
        root: &str,
    ) -> (Vec<PlanInput>, Vec<Failure>) {
        let linter = self.linter(files, &Keep);
        let found = files.inputs.iter().chain(&neighbors.documents);
        let found: Vec<&InputFile> = found.filter(|input| input.path.is_some()).collect();
        let has_update = parallel::map(&found, |(): &mut (), input| has_update(&linter, input));
        let without_document = neighbors.stored.iter().filter_map(|input| input.path.as_deref());
        let mut paths: BTreeMap<PathBuf, InputRole> =
            without_document.map(|path| (absolute_path(path), InputRole::Stored)).collect();
        let mut inputs = Vec::new();
        let mut failures = Vec::new();
        for (input, has_update) in found.into_iter().zip(has_update) {
            match has_update {
                Ok(true) => {}
                Ok(false) => continue,
                Err(failure) => {
                    failures.push(failure);
                    continue;
                }
            }
            for (path, role) in self.inputs_of(input) {
                if self.file_system().exists(&path) != Ok(false) {
                    paths.entry(path).or_insert(role);
                }
            }
            match self.base_of(input, bases) {
                Ok(Some((BaseIdentity::File(path), _))) => {
                    paths.entry(path).or_insert(InputRole::Base);
                }
                Ok(Some((BaseIdentity::Committed(path), sha256))) => {
                    inputs.push(PlanInput { path, role: InputRole::Base, sha256 });
                }
                Ok(None) => {}
                Err(failure) => failures.push(failure),
            }
        }
        for (path, role) in paths {
            let shown = self.configurations().shown(&absolute(&path));
            if path.to_str().is_none() {
                failures.push(Failure::new(
                    shown,
                    "the path is not UTF-8, so a saved plan cannot name it: rename it",
                ));
                continue;
            }
            match hash_of(&path) {
                Ok(sha256) => {
                    let path = relative_or_absolute(root, &absolute(&path));
                    inputs.push(PlanInput { path, role, sha256 });
                }
                Err(error) => failures.push(Failure::new(shown, describe_io_error(&error))),
            }
        }
        inputs.sort_by(|a, b| (&a.path, a.role).cmp(&(&b.path, b.role)));
        inputs.dedup();
        (inputs, failures)
    }

    /// The files that the plan of a document depends on. They need not exist.
    fn inputs_of(&self, input: &InputFile) -> Vec<(PathBuf, InputRole)> {
        let (options, configurations) = (self.options(), self.configurations());
        let mut paths: Vec<(PathBuf, InputRole)> = Vec::new();
        paths.extend(input.path.iter().map(|path| (absolute_path(path), InputRole::Document)));
        let explicit = &options.related;
        let is_file = |path: &&PathBuf| path.as_os_str() != "-";
        let named = |path: &Option<PathBuf>, role| {
            path.iter().filter(is_file).map(|path| (absolute_path(path), role)).collect::<Vec<_>>()
        };
        paths.extend(named(&explicit.stored, InputRole::Stored));
        paths.extend(named(&explicit.facts, InputRole::Facts));
        for (path, role) in related_paths(input, options, configurations) {
            match role {
                FileRole::Text => paths.push((path, InputRole::Text)),
                FileRole::Stored if explicit.stored.is_none() => {
                    paths.push((path, InputRole::Stored));
                }
                FileRole::Facts if explicit.facts.is_none() => paths.push((path, InputRole::Facts)),
                _ => {}
            }
        }
        let deciding = configurations.deciding_files(&input.absolute);
        paths.extend(deciding.map(|path| (PathBuf::from(path), InputRole::Configuration)));
        paths
    }

    /// The base of a document, with its hash.
    fn base_of(
        &self,
        input: &InputFile,
        bases: &Bases,
    ) -> Result<Option<(BaseIdentity, String)>, Failure> {
        let configurations = self.configurations();
        let index = configurations.index_for(&input.absolute).unwrap_or(0);
        let settings = configurations.settings_for(&input.absolute);
        let configured = || Some(PathBuf::from(settings?.stored()?.value));
        let explicit = self.options().related.stored.clone();
        let Some(stored) = explicit.or_else(configured) else { return Ok(None) };
        let file = bases.file(index, &absolute_path(&stored), configurations)?;
        Ok(file.map(|file| (file.identity, hex(&Sha256::digest(&file.bytes)))))
    }
}

/// Whether a file contains an update.
fn has_update(linter: &Linter<'_, Keep>, input: &InputFile) -> Result<bool, Failure> {
    let Some(file) = linter.context(input) else { return Ok(false) };
    if input.has_document_per_line() {
        return Ok(matches!(kind_of_other_lines(linter, &file)?, LinesKind::Checked { .. }));
    }
    let bytes = input.read(linter.file_system())?;
    guarded(input, || {
        let kinds = linter.kinds(&file, &input.documents(bytes)).unwrap_or_default();
        kinds.contains(&Some(DocumentKind::Update))
    })
}

/// The SHA-256 of a file, in hexadecimal digits.
pub(super) fn hash_of(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 16];
    loop {
        let count = file.read(&mut buffer)?;
        if count == 0 {
            return Ok(hex(&hash.finalize()));
        }
        hash.update(buffer.get(..count).unwrap_or_default());
    }
}

/// Bytes in hexadecimal digits.
pub(super) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut text = String::with_capacity(2 * bytes.len());
    for byte in bytes {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}
