//! A related file: a stored configuration, workspace facts or a text file.

use std::path::Path;
use std::sync::Arc;

use voxlint::Document;

/// A related file, read and parsed.
#[derive(Clone, Debug)]
pub struct RelatedDocument {
    /// The file's path as users see it.
    pub path: Arc<str>,
    /// The absolute path, byte for byte; `None` for standard input.
    pub(crate) location: Option<Arc<Path>>,
    /// The parsed text.
    pub document: Document,
}
