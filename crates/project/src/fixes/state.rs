//! The texts of a group of files while they are fixed.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
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
    /// What documents have replaced in their text: the bytes before and after, and the files of the documents.
    replaced: BTreeMap<Replaced, BTreeSet<Key>>,
}

/// Bytes before and after a replacement.
type Replaced = (Vec<u8>, Vec<u8>);

/// The files of a group that have been read, and a trial: changes that are not decided yet. A trial holds only the files that
/// it changes, so that it costs nothing for the others.
#[derive(Default)]
pub(super) struct FileState {
    files: BTreeMap<Key, FileText>,
    trial: BTreeMap<Key, FileText>,
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
        let tried = self.trial.get(key).filter(|_| version == Version::Trial);
        let file = tried.or_else(|| self.files.get(key))?;
        Some(if version == Version::First { file.before.to_vec() } else { file.now.clone() })
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

    /// Applies edits to a file in the trial.
    pub(super) fn edit(&mut self, key: &Key, edits: &[TextEdit]) -> Option<()> {
        let file = self.tried(key)?;
        file.now = apply(&file.now, edits)?;
        file.composition.add(edits);
        Some(())
    }

    /// Applies the edits of a document to its text in the trial. `None` also if that would undo what another document has
    /// replaced.
    pub(super) fn edit_text(
        &mut self,
        key: &Key,
        document: &Key,
        edits: &[TextEdit],
    ) -> Option<()> {
        self.tried(key)?.note(document, edits)?;
        self.edit(key, edits)
    }

    fn tried(&mut self, key: &Key) -> Option<&mut FileText> {
        if !self.trial.contains_key(key) {
            self.trial.insert(key.clone(), self.files.get(key)?.clone());
        }
        self.trial.get_mut(key)
    }

    /// The files that the trial changes.
    pub(super) fn tried_changes(&self) -> Vec<Key> {
        let is_changed =
            |key: &Key, tried: &FileText| self.files.get(key).is_none_or(|it| it.now != tried.now);
        let changed = self.trial.iter().filter(|(key, tried)| is_changed(key, tried));
        changed.map(|(key, _)| key.clone()).collect()
    }

    /// Accepts the changes of the trial.
    pub(super) fn accept(&mut self) {
        self.files.append(&mut self.trial);
    }

    /// Forgets the trial.
    pub(super) fn reject(&mut self) {
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
            replaced: BTreeMap::new(),
        }
    }

    /// Keeps what a document replaces. `None` if that would undo what another document has replaced.
    fn note(&mut self, document: &Key, edits: &[TextEdit]) -> Option<()> {
        for edit in edits {
            let range = edit.span.start as usize..edit.span.end as usize;
            let old = word_around(&self.now, range.clone(), None)?;
            let new = word_around(&self.now, range, Some(edit.text.as_bytes()))?;
            let (undone, replaced) = ((new.clone(), old.clone()), (old, new));
            let by = self.replaced.get(&undone);
            if by.is_some_and(|by| by.iter().any(|other| other != document)) {
                return None;
            }
            self.replaced.entry(replaced).or_default().insert(document.clone());
        }
        Some(())
    }
}

/// Part of a text with the words that it begins and ends in, with a replacement of the part.
fn word_around(text: &[u8], range: Range<usize>, replacement: Option<&[u8]>) -> Option<Vec<u8>> {
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let (before, after) = (text.get(..range.start)?, text.get(range.end..)?);
    let start = range.start - before.iter().rev().take_while(is_word).count();
    let end = range.end + after.iter().take_while(is_word).count();
    let part = replacement.or_else(|| text.get(range.clone()))?;
    Some([text.get(start..range.start)?, part, text.get(range.end..end)?].concat())
}
