//! What a handler of a request knows.

use std::sync::Arc;

use lsp_types::Position;
use voxlint::Origin;
use voxlint_project::paths::{absolute, is_within, relative_or_absolute};

use crate::analysis::{Analysis, Target, TextPlace, identity, key_of};
use crate::from_protocol;
use crate::shared::Shared;
use crate::sync::{OpenText, OpenTexts};

/// What a handler knows.
pub(crate) struct Context<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) open: Option<Arc<OpenText>>,
    pub(crate) texts: OpenTexts,
    pub(crate) analysis: Option<Arc<Analysis>>,
}

impl Context<'_> {
    /// The document at a position of the open text, and the offset there.
    pub(crate) fn target(&self, position: Position) -> Option<(Target<'_>, u32)> {
        let (open, analysis) = (self.open.as_deref()?, self.analysis.as_deref()?);
        let offset = from_protocol::offset(&TextPlace::of_open(open), position);
        let target = analysis.target(open, &self.texts, offset)?;
        let offset = from_protocol::offset(&target.place, position);
        Some((target, offset))
    }

    /// A path as the user of the editor sees it: from the innermost workspace folder that it is in.
    pub(crate) fn shown_path(&self, path: &str) -> String {
        let key = key_of(path);
        let folders = self.shared.folders();
        let folders = folders.iter().map(|folder| absolute(folder));
        let folder = folders.filter(|folder| is_within(folder, &key)).max_by_key(String::len);
        folder.map_or_else(|| path.to_owned(), |folder| relative_or_absolute(&folder, &key))
    }

    /// The other documents that use the text from which a document is seen.
    pub(crate) fn other_users(&self, target: &Target<'_>) -> Vec<Target<'_>> {
        let (Some(open), Some(analysis)) = (self.open.as_deref(), self.analysis.as_deref()) else {
            return Vec::new();
        };
        if target.origin == Origin::Document {
            return Vec::new();
        }
        let own = identity(target.linted);
        analysis.users(open, &self.texts).filter(|it| identity(it.linted) != own).collect()
    }

    /// Every document of the open text.
    pub(crate) fn targets(&self) -> Vec<Target<'_>> {
        let (Some(open), Some(analysis)) = (self.open.as_deref(), self.analysis.as_deref()) else {
            return Vec::new();
        };
        analysis.targets(open, &self.texts)
    }

    /// The open text, if it is a configuration, and the offset of a position.
    pub(crate) fn configuration(&self, position: Position) -> Option<(TextPlace, u32)> {
        let open = self.open.as_deref().filter(|open| open.is_configuration())?;
        let place = TextPlace::of_open(open);
        let offset = from_protocol::offset(&place, position);
        Some((place, offset))
    }
}
