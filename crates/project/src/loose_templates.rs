//! Decides which loose templates are prompts.
//!
//! Most `.hbs` files are pages of web sites. A template that is not the text file of a document is therefore checked only if
//! something marks it as a prompt: it was named, a configuration states its kind or includes it, its path from the root of
//! the repository contains `prompt`, its name is that of a field, or documents or a `voxlint.toml` are in its folder or in
//! one above.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use voxlint::schema::{Shape, settings};
use voxlint::{Document, Recognition, Source, Unrecognised};
use voxlint_config::FileSettings;

use crate::configurations::Configurations;
use crate::file_system::FileSystem;
use crate::input::{InputFile, ReadOptions};
use crate::names::CONFIGURATION_NAME;
use crate::paths::{folder_of, is_within, join, parent_of};

/// Marks the path of a prompt.
const PROMPT: &str = "prompt";

/// The largest file, in bytes, that is read only to find out whether it is a document.
const MAX_BYTES: u64 = 4 << 20;

/// Tells prompts from other loose templates.
#[derive(Debug)]
pub(crate) struct LooseTemplates {
    repository_root: String,
    /// Whether a folder contains documents or a configuration, for each folder that was read.
    folders: Mutex<BTreeMap<String, bool>>,
}

impl LooseTemplates {
    /// No folder has been read.
    pub(crate) fn new(repository_root: &str) -> Self {
        Self { repository_root: repository_root.to_owned(), folders: Mutex::default() }
    }

    /// The recognised kind of a document. It takes the path of a template into account.
    pub(crate) fn recognition(
        &self,
        input: &InputFile,
        document: &Document,
        configurations: &Configurations,
    ) -> Recognition {
        let recognition = document.recognition();
        if !input.is_text() || recognition.kind().is_none() || self.is_prompt(input, configurations)
        {
            return recognition;
        }
        Recognition::Unrecognised(Unrecognised::loose_template())
    }

    fn is_prompt(&self, input: &InputFile, configurations: &Configurations) -> bool {
        let is_configured = |settings: FileSettings<'_>| {
            settings.kind().is_some() || settings.included_by().is_some()
        };
        input.is_explicit
            || self.has_path_of_prompt(&input.absolute)
            || configurations.settings_for(&input.absolute).is_some_and(is_configured)
            || self.is_near_documents(folder_of(&input.absolute), configurations.file_system())
    }

    fn has_path_of_prompt(&self, file: &str) -> bool {
        let root = &*self.repository_root;
        let path =
            if is_within(root, file) { file.get(root.len()..).unwrap_or(file) } else { file };
        let path = path.to_lowercase();
        let name = path.rsplit('/').next().unwrap_or(&path).replace(['-', '.'], "_");
        let mut templates = settings::TABLE
            .rows
            .iter()
            .filter(|row| matches!(row.shape, Shape::Text(text) if text.role.is_template()));
        path.contains(PROMPT) || templates.any(|row| name.contains(row.name))
    }

    /// Whether a folder, or one above it in the repository, contains documents or a configuration.
    fn is_near_documents(&self, start: &str, files: &FileSystem) -> bool {
        let mut next = Some(start);
        while let Some(folder) = next {
            let known = self.read_folders().get(folder).copied();
            let has_some = known.unwrap_or_else(|| {
                let has_some = has_documents(folder, files);
                self.read_folders().insert(folder.to_owned(), has_some);
                has_some
            });
            if has_some {
                return true;
            }
            let is_top =
                folder == self.repository_root || !is_within(&self.repository_root, folder);
            next = parent_of(folder).filter(|_| !is_top);
        }
        false
    }

    fn read_folders(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, bool>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a folder itself contains a document or a configuration. Files that cannot be read do not count.
fn has_documents(folder: &str, files: &FileSystem) -> bool {
    let configuration = join(folder, CONFIGURATION_NAME);
    if files.metadata(Path::new(&configuration)).is_ok_and(|it| it.is_file()) {
        return true;
    }
    let Ok(entries) = files.read_dir(Path::new(folder)) else { return false };
    entries.flatten().any(|entry| is_document(&entry.path(), files))
}

fn is_document(path: &Path, files: &FileSystem) -> bool {
    let input = ReadOptions::default().input(path);
    let is_small =
        || files.metadata(path).is_ok_and(|file| file.is_file() && file.len() <= MAX_BYTES);
    if input.is_text() || !input.has_document_extension() || !is_small() {
        return false;
    }
    let Ok(bytes) = input.read(files) else { return false };
    if input.has_document_per_line() {
        let lines = bytes.split(|byte| *byte == b'\n');
        return lines
            .filter(|line| !line.trim_ascii().is_empty())
            .any(|line| Document::parse(Source::line(line)).recognise().is_some());
    }
    input.documents(bytes).iter().any(|document| document.recognise().is_some())
}
