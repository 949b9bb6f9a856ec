//! The related files of one document.

use std::sync::Arc;

use voxlint::readings::Readings;
use voxlint::schema::{DocumentKind, Row};
use voxlint::{Document, Inputs, Origin, TextFile, Wildcard};
use voxlint_config::FileSettings;

use crate::Failure;
use crate::input::InputFile;
use crate::related::RelatedFiles;
use crate::related_document::RelatedDocument;

/// The related files of one document, and what the configuration says about its agent.
#[derive(Clone, Debug, Default)]
pub struct DocumentRelated {
    pub(crate) stored: Option<RelatedDocument>,
    pub(crate) facts: Option<RelatedDocument>,
    pub(crate) texts: Vec<(&'static Row, RelatedDocument)>,
    agent_id: Option<Arc<str>>,
    agent_type: Option<Arc<str>>,
}

impl DocumentRelated {
    /// The files that belong to all documents of a file.
    pub(crate) fn of_file(settings: &FileSettings<'_>, related: &RelatedFiles) -> Self {
        Self {
            stored: related.stored().cloned(),
            facts: related.facts(settings).cloned(),
            texts: Vec::new(),
            agent_id: related.agent_id(settings),
            agent_type: settings.agent_type().map(|stated| Arc::from(&*stated.value)),
        }
    }

    /// The inputs of a check or a prediction.
    pub fn inputs(&self, document: Document) -> Inputs {
        let mut inputs = Inputs::new(document)
            .stored(self.stored.as_ref().map(RelatedDocument::as_stored))
            .facts(self.facts.as_ref().map(RelatedDocument::as_facts));
        if !self.texts.is_empty() {
            inputs = inputs.texts(self.text_files());
        }
        if let Some(id) = &self.agent_id {
            inputs = inputs.agent_id(Arc::clone(id));
        }
        if let Some(name) = &self.agent_type {
            inputs = inputs.agent_type(Arc::clone(name));
        }
        inputs
    }

    /// The stored configuration.
    pub fn stored(&self) -> Option<&RelatedDocument> {
        self.stored.as_ref()
    }

    /// The workspace facts.
    pub fn facts(&self) -> Option<&RelatedDocument> {
        self.facts.as_ref()
    }

    /// The id of the agent that the document is for.
    pub fn agent_id(&self) -> Option<&str> {
        self.agent_id.as_deref()
    }

    /// The texts of fields that are kept in files of their own.
    pub fn text_files(&self) -> Vec<TextFile> {
        self.texts.iter().map(|(field, text)| text.text_file(field)).collect()
    }

    /// The related files by the origin that findings in them have.
    pub fn origins(&self) -> Vec<(Origin, RelatedDocument)> {
        let stored = self.stored.iter().map(|it| (Origin::Stored, it.clone()));
        let facts = self.facts.iter().map(|it| (Origin::Facts, it.clone()));
        let texts = self.texts.iter().zip(0..).map(|((_, it), at)| (Origin::Text(at), it.clone()));
        stored.chain(facts).chain(texts).collect()
    }
}

/// A document that was read on its own, with everything that it is checked with. See
/// [`Session::load_document`](crate::Session::load_document).
#[derive(Clone, Debug)]
pub struct LoadedDocument {
    /// Its file.
    pub input: InputFile,
    /// The parsed text.
    pub document: Document,
    /// The kind that the configuration names.
    pub kind: Option<DocumentKind>,
    /// The variables that the configuration lists.
    pub variables: Option<Arc<[Wildcard]>>,
    /// What the configuration says about open passages of the description.
    pub readings: Arc<Readings>,
    /// The related files.
    pub related: DocumentRelated,
}

impl LoadedDocument {
    /// The inputs of a check or a prediction.
    pub fn inputs(&self) -> Inputs {
        let inputs = self.related.inputs(self.document.clone());
        let mut inputs = inputs.readings(Arc::clone(&self.readings));
        if let Some(kind) = self.kind {
            inputs = inputs.kind(kind);
        }
        if let Some(variables) = &self.variables {
            inputs = inputs.variables(Arc::clone(variables));
        }
        inputs
    }

    /// A failure of the document's file.
    pub fn failure(&self, message: impl Into<String>) -> Failure {
        self.input.failure(message)
    }
}
