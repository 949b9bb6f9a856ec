//! Facts about the workspace.

use voxlint_schema::Row;

use crate::Document;
use crate::fields::GetField as _;

/// Facts about the workspace: an object whose fields are all optional. Omitted fields are unknown; a given list
/// must be complete. [`voxlint_schema::facts`] has the fields.
#[derive(Clone, Debug)]
pub struct Facts {
    document: Document,
}

impl Facts {
    /// The facts in a document.
    pub const fn new(document: Document) -> Self {
        Self { document }
    }

    /// The document with the facts.
    pub const fn document(&self) -> &Document {
        &self.document
    }

    /// Whether the facts have this field, a row of [`voxlint_schema::facts::TABLE`].
    ///
    /// ```
    /// use voxlint::schema::facts;
    /// use voxlint::{Document, Facts};
    ///
    /// let known = Facts::new(Document::parse(r#"{ "webhooks": [] }"#));
    /// assert!(known.contains(facts::webhooks.row) && !known.contains(facts::voices.row));
    /// ```
    pub fn contains(&self, row: &Row) -> bool {
        self.document.tree().root().is_some_and(|facts| facts.field(row).is_some())
    }

    /// Whether the file contains only comments, like an example file before it is filled in. An empty file is different: a
    /// failed download may leave one behind.
    #[doc(hidden)]
    pub fn are_only_comments(&self) -> bool {
        self.document.is_empty() && !self.document.text().trim().is_empty()
    }
}
