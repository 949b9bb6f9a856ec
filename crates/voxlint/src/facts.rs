//! Facts about the workspace.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use voxlint_schema::Row;
use voxlint_syntax::Node;

use crate::Document;
use crate::fields::GetField as _;
use crate::secret::ShownIds;

/// Facts about the workspace: an object whose fields are all optional. Omitted fields are unknown; a given list
/// must be complete. [`voxlint_schema::facts`] has the fields.
#[derive(Clone, Debug)]
pub struct Facts {
    document: Document,
    ids: Arc<OnceLock<Arc<HashSet<Box<str>>>>>,
}

impl Facts {
    /// The facts in a document.
    pub fn new(document: Document) -> Self {
        Self { document, ids: Arc::default() }
    }

    /// The ids that the facts list: all their names and texts. They are collected once for all documents.
    pub(crate) fn ids(&self) -> ShownIds {
        let texts = || {
            let nodes = self.document.tree().nodes();
            nodes.filter_map(Node::as_str).map(Box::from).collect::<HashSet<Box<str>>>().into()
        };
        ShownIds(Some(Arc::clone(self.ids.get_or_init(texts))))
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
    pub(crate) fn are_only_comments(&self) -> bool {
        self.document.is_empty() && !self.document.text().trim().is_empty()
    }
}
