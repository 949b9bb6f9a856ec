//! What is known of the workspace.

use voxlint_schema::{DocumentKind, Row};

use crate::engine::usability::faults_of_voxlint_format;
use crate::{Document, Report};

/// What is known of the workspace: an object whose members are each optional. A list that is given is the whole list; one
/// that is not is unknown. [`voxlint_schema::facts`] has the members.
#[derive(Clone, Debug)]
pub struct Facts {
    document: Document,
}

impl Facts {
    /// Facts as a document states them.
    pub const fn new(document: Document) -> Self {
        Self { document }
    }

    /// The document with the facts.
    pub const fn document(&self) -> &Document {
        &self.document
    }

    /// What keeps the facts from being used: faults of the text, misspelt members, values of the wrong type. A fact that
    /// cannot be read would switch a check off without a word.
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
        self.document.tree().root().is_some_and(|facts| facts.get(row.name).is_some())
    }

    /// Whether the file states nothing and says why: a skeleton that nobody has filled in yet. An empty file is something
    /// else, that a failed download leaves behind.
    fn are_only_comments(&self) -> bool {
        self.document.is_empty() && !self.document.text().trim().is_empty()
    }
}
