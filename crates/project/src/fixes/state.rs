//! The texts of a group of files while they are fixed.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use voxlint::Document;
use voxlint::fixes::Composition;
use voxlint::syntax::edit::{TextEdit, apply};
use voxlint::syntax::{Format, Span};

use super::key::Key;
use crate::related_document::RelatedDocument;

/// The text of a file while its group is fixed.
#[derive(Clone)]
pub(super) struct FileText {
    pub(super) shown: Arc<str>,
    pub(super) before: Arc<[u8]>,
    pub(super) now: Vec<u8>,
    /// Which bytes of `now` are those of `before`.
    composition: Composition,
}

/// The files of a group that have been read, and a trial: changes that are not decided yet.
#[derive(Default)]
pub(super) struct FileState {
    files: BTreeMap<Key, FileText>,
    trial: BTreeMap<Key, Vec<u8>>,
}

/// Which of the texts of a file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Version {
    /// The text before all fixes.
    First,
    /// The text with the fixes that were accepted.
    Present,
    /// The same with those of the trial.
    Trial,
}

impl FileState {
    /// The bytes of a file. It is read once.
    pub(super) fn read(
        &mut self,
        key: &Key,
        version: Version,
        shown: &Arc<str>,
        read: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<Vec<u8>> {
        if !self.files.contains_key(key) {
            let file = FileText::new(shown, read()?);
            self.files.insert(key.clone(), file);
        }
        let file = self.files.get(key)?;
        let tried = self.trial.get(key).filter(|_| version == Version::Trial);
        Some(match version {
            Version::First => file.before.to_vec(),
            _ => tried.unwrap_or(&file.now).clone(),
        })
    }

    /// Puts the text of a file into a text that was read from it. Returns the key of the file.
    pub(super) fn replace_text(
        &mut self,
        text: &mut RelatedDocument,
        version: Version,
    ) -> Option<Key> {
        let location: &Path = text.location.as_deref()?;
        let key = Some(location.canonicalize().unwrap_or_else(|_| location.to_owned()));
        let as_read = || Some(text.document.text().as_bytes().to_vec());
        let bytes = self.read(&key, version, &text.path, as_read)?;
        if bytes != text.document.text().as_bytes() {
            text.document = Document::parse_as(String::from_utf8(bytes).ok()?, Format::Text);
        }
        Some(key)
    }

    /// Applies edits to a file.
    pub(super) fn edit(&mut self, key: &Key, edits: &[TextEdit]) -> Option<()> {
        let file = self.files.get_mut(key)?;
        file.now = apply(&file.now, edits)?;
        file.composition.add(edits);
        Some(())
    }

    /// Tries texts of files that differ from the present ones. Returns the files.
    pub(super) fn try_texts<'t>(
        &mut self,
        texts: impl Iterator<Item = (&'t Key, &'t str)>,
    ) -> Vec<Key> {
        for (key, text) in texts {
            if self.files.get(key).is_some_and(|file| file.now != text.as_bytes()) {
                self.trial.entry(key.clone()).or_insert_with(|| text.as_bytes().to_vec());
            }
        }
        self.trial.keys().cloned().collect()
    }

    /// Forgets the trial.
    pub(super) fn end_trial(&mut self) {
        self.trial.clear();
    }

    /// The files that have changed, in the order of their keys.
    pub(super) fn changed(&self) -> Vec<(Key, FileText)> {
        let changed = self.files.iter().filter(|(_, file)| file.now != *file.before);
        changed.map(|(key, file)| (key.clone(), file.clone())).collect()
    }

    /// Takes back the fixes of a file that could not be written.
    pub(super) fn take_back(&mut self, key: &Key) {
        if let Some(file) = self.files.get_mut(key) {
            *file = FileText::new(&file.shown, file.before.to_vec());
        }
    }

    /// Where a place in the present text of a file was before the fixes.
    pub(super) fn origin(&self, key: &Key, span: Span) -> Span {
        self.files.get(key).map_or(span, |file| file.composition.origin(span))
    }
}

impl FileText {
    fn new(shown: &Arc<str>, bytes: Vec<u8>) -> Self {
        Self {
            shown: Arc::clone(shown),
            before: bytes.as_slice().into(),
            composition: Composition::of(bytes.len()),
            now: bytes,
        }
    }
}
