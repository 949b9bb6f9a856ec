//! Which loose templates are prompts.
//!
//! Most `.hbs` files are pages of web sites, so one that no document takes is checked only where something says that it is a
//! prompt: somebody has named it, a configuration states its kind or includes it, the path from the root of the repository
//! has `prompt` in it, its name is that of a field, or documents or a `voxlint.toml` lie in its folder or in one above it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use voxlint::schema::{Shape, settings};
use voxlint::{Document, Recognition, Source, Unrecognised};
use voxlint_config::FileSettings;
use voxlint_report::Repository;

use crate::files::{Input, Reading};
use crate::paths::{above, folder, join};
use crate::project::{CONFIGURATION_NAME, Project, is_in};

/// What a path says when it is that of a prompt.
const PROMPT: &str = "prompt";

/// How large a file may be that is read only to see whether it is a document.
const LARGEST: u64 = 4 << 20;

/// What is known of the folders of templates.
pub(crate) struct Prompts<'a> {
    repository: &'a Repository,
    /// Whether each folder that was asked for has documents or a configuration.
    folders: Mutex<BTreeMap<String, bool>>,
}

impl<'a> Prompts<'a> {
    pub(crate) fn of(repository: &'a Repository) -> Self {
        Self { repository, folders: Mutex::default() }
    }

    /// What a document is recognised as, its path considered.
    pub(crate) fn recognition(
        &self,
        input: &Input,
        document: &Document,
        project: &Project,
    ) -> Recognition {
        let recognition = document.recognition();
        if !input.is_text() || recognition.kind().is_none() || self.is_prompt(input, project) {
            return recognition;
        }
        Recognition::Unrecognised(Unrecognised::loose_template())
    }

    fn is_prompt(&self, input: &Input, project: &Project) -> bool {
        let is_configured = |settings: FileSettings<'_>| {
            settings.kind().is_some() || settings.included_by().is_some()
        };
        input.is_named
            || self.is_called_like_one(&input.absolute)
            || project.settings(&input.absolute).is_some_and(is_configured)
            || self.is_among_documents(folder(&input.absolute))
    }

    fn is_called_like_one(&self, file: &str) -> bool {
        let root = &self.repository.root;
        let way = if is_in(root, file) { file.get(root.len()..).unwrap_or(file) } else { file };
        let way = way.to_lowercase();
        let name = way.rsplit('/').next().unwrap_or(&way).replace(['-', '.'], "_");
        let mut templates = settings::TABLE
            .rows
            .iter()
            .filter(|row| matches!(row.shape, Shape::Text(text) if text.role.is_template()));
        way.contains(PROMPT) || templates.any(|row| name.contains(row.name))
    }

    /// Whether documents or a configuration lie in a folder, or in one above it as far as the repository goes.
    fn is_among_documents(&self, start: &str) -> bool {
        let mut next = Some(start);
        while let Some(folder) = next {
            let known = self.known().get(folder).copied();
            let has_some = known.unwrap_or_else(|| {
                let has_some = has_documents(folder);
                self.known().insert(folder.to_owned(), has_some);
                has_some
            });
            if has_some {
                return true;
            }
            let is_top = folder == self.repository.root || !is_in(&self.repository.root, folder);
            next = above(folder).filter(|_| !is_top);
        }
        false
    }

    fn known(&self) -> std::sync::MutexGuard<'_, BTreeMap<String, bool>> {
        self.folders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a folder itself has a document or a configuration. What cannot be read tells nothing.
fn has_documents(folder: &str) -> bool {
    if Path::new(&join(folder, CONFIGURATION_NAME)).is_file() {
        return true;
    }
    let Ok(entries) = fs::read_dir(folder) else { return false };
    entries.flatten().any(|entry| is_document(&entry.path()))
}

fn is_document(path: &Path) -> bool {
    let input = Reading { stdin_filename: None, jsonc: false }.named(path);
    let is_small = || fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() <= LARGEST);
    if input.is_text() || !input.is_called_as_documents_are() || !is_small() {
        return false;
    }
    let Ok(bytes) = input.read() else { return false };
    if input.is_lines() {
        let lines = bytes.split(|byte| *byte == b'\n');
        return lines
            .filter(|line| !line.trim_ascii().is_empty())
            .any(|line| Document::parse(Source::line(line)).recognise().is_some());
    }
    let source = Source::from_bytes(&bytes);
    input.documents(&source).iter().any(|document| document.recognise().is_some())
}
