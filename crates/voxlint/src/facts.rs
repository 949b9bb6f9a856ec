//! Facts about the workspace.

use voxlint_schema::{DocumentKind, Row};

use crate::engine::usability::faults_of_voxlint_format;
use crate::fields::GetField as _;
use crate::{Document, Report};

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

    /// Faults that make the facts unusable: syntax errors, misspelled fields, values of the wrong type. A fact that
    /// cannot be read would silently disable a check.
    ///
    /// ```
    /// use voxlint::{Document, Facts};
    ///
    /// let facts = Facts::new(Document::parse(r#"{ "phone_number": ["pn_front_desk"] }"#));
    /// let faults = facts.faults();
    /// assert_eq!(faults.diagnostics[0].help.as_deref(), Some("did you mean `phone_numbers`?"));
    /// ```
    pub fn faults(&self) -> Report {
        let mut report = faults_of_voxlint_format(&self.document, DocumentKind::Facts);
        if self.are_only_comments() {
            report.diagnostics.clear();
        }
        report
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
    fn are_only_comments(&self) -> bool {
        self.document.is_empty() && !self.document.text().trim().is_empty()
    }
}
