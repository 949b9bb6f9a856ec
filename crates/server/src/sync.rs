//! The texts that are open in the client.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lsp_types::{
    DidChangeTextDocumentParams, DidOpenTextDocumentParams, TextDocumentContentChangeEvent, Uri,
};
use voxlint::syntax::PositionEncoding;
use voxlint_project::CONFIGURATION_NAME;
use voxlint_project::paths::absolute;

use crate::open_text::{Change, LinedText};
use crate::uri;

/// The open texts by the absolute paths of their files.
pub(crate) type OpenTexts = Arc<BTreeMap<String, Arc<OpenText>>>;

/// A text that is open in the client.
#[derive(Clone, Debug)]
pub(crate) struct OpenText {
    pub(crate) uri: Uri,
    pub(crate) version: i32,
    /// The file, or where a text without a file would be saved.
    pub(crate) path: PathBuf,
    /// The absolute path as text.
    pub(crate) key: String,
    pub(crate) text: LinedText,
    /// The text that it was opened with.
    pub(crate) opened: Arc<str>,
}

impl OpenText {
    /// Whether this is a configuration.
    pub(crate) fn is_configuration(&self) -> bool {
        self.path.file_name().is_some_and(|name| name == CONFIGURATION_NAME)
    }
}

/// Follows the texts of the client.
#[derive(Debug, Default)]
pub(crate) struct Sync {
    texts: OpenTexts,
    /// The keys of the texts by their addresses. Texts that belong to no file are not followed.
    keys: BTreeMap<String, String>,
}

impl Sync {
    /// All texts as they are now.
    pub(crate) fn texts(&self) -> OpenTexts {
        Arc::clone(&self.texts)
    }

    /// An open text by its address.
    pub(crate) fn get(&self, uri: &str) -> Option<&Arc<OpenText>> {
        self.texts.get(self.keys.get(uri)?)
    }

    /// Opens a text; `None` if it belongs to no file. A text without a file counts as one in `folder`.
    pub(crate) fn open(
        &mut self,
        opened: DidOpenTextDocumentParams,
        folder: &Path,
        encoding: PositionEncoding,
    ) -> Option<Arc<OpenText>> {
        let document = opened.text_document;
        let untitled =
            || Some(folder.join(uri::untitled_name(&document.uri, &document.language_id)?));
        let path = uri::to_path(&document.uri).or_else(untitled)?;
        let key = absolute(&path);
        let text = LinedText::sent(document.text, encoding);
        self.keys.insert(document.uri.as_str().to_owned(), key.clone());
        let (uri, version) = (document.uri, document.version);
        let opened = text.shared();
        Some(self.insert(OpenText { uri, version, path, key, text, opened }))
    }

    fn insert(&mut self, text: OpenText) -> Arc<OpenText> {
        let text = Arc::new(text);
        Arc::make_mut(&mut self.texts).insert(text.key.clone(), Arc::clone(&text));
        text
    }

    /// Applies the changes of a text; `None` if it is not open.
    pub(crate) fn change(
        &mut self,
        changed: &DidChangeTextDocumentParams,
    ) -> Option<Arc<OpenText>> {
        let open = Arc::clone(self.get(changed.text_document.uri.as_str())?);
        let text = open.text.edited(changed.content_changes.iter().map(change));
        let version = changed.text_document.version;
        Some(self.insert(OpenText { version, text, ..OpenText::clone(&open) }))
    }

    /// Closes a text; `None` if it was not open.
    pub(crate) fn close(&mut self, uri: &Uri) -> Option<Arc<OpenText>> {
        let key = self.keys.remove(uri.as_str())?;
        // Another address may lead to the same file.
        if self.keys.values().any(|other| *other == key) {
            return None;
        }
        Arc::make_mut(&mut self.texts).remove(&key)
    }
}

fn change(change: &TextDocumentContentChangeEvent) -> Change<'_> {
    let range = change.range.map(|range| {
        let (from, to) = (range.start, range.end);
        ((from.line, from.character), (to.line, to.character))
    });
    (range, &change.text)
}
