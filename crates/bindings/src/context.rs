//! The stored configuration, facts and configuration that documents are checked with, parsed once.

use std::sync::Arc;

use voxlint::{Document, Facts, Inputs, Origin, Stored};
use voxlint_config::{Configuration, FileReport, FileSettings, LoadError, ReadError};
use voxlint_project::{CONFIGURATION_NAME, Failure, RelatedDocument};

use crate::Error;
use crate::error::guarded;

/// The name of the stored configuration in reports.
const STORED: &str = "<stored>";

/// The name of the workspace facts in reports.
const FACTS: &str = "<facts>";

/// The texts of a [`Context`].
#[derive(Clone, Copy, Debug, Default)]
pub struct ContextOptions<'a> {
    /// The stored configuration of the agent, in JSON.
    pub stored: Option<&'a [u8]>,
    /// Facts about the workspace, in JSON.
    pub facts: Option<&'a [u8]>,
    /// A `voxlint.toml`. What it says about rules and texts applies, but no file that it names is read: a [`Project`](crate::Project)
    /// does that.
    pub config: Option<&'a str>,
    /// The id of the agent that documents are for.
    pub agent_id: Option<&'a str>,
}

/// The inputs that documents are checked with. Clones share them, and any number of threads may use them at once.
#[derive(Clone, Debug)]
pub struct Context(Arc<Contents>);

#[derive(Clone, Debug)]
struct Contents {
    stored: Option<RelatedDocument>,
    facts: Option<RelatedDocument>,
    configuration: Arc<Configuration>,
    agent_id: Option<Arc<str>>,
}

impl Default for Context {
    fn default() -> Self {
        let configuration = Arc::new(Configuration::built_in());
        Self(Arc::new(Contents { stored: None, facts: None, configuration, agent_id: None }))
    }
}

impl Context {
    /// Parses the texts.
    ///
    /// # Errors
    ///
    /// If one of them cannot be used, because a check without it would give another result.
    pub fn new(options: &ContextOptions<'_>) -> Result<Self, Error> {
        guarded(|| {
            let configuration = match options.config {
                Some(text) => load(text)?,
                None => Configuration::built_in(),
            };
            let facts =
                options.facts.map(|facts| RelatedDocument::facts(FACTS, facts)).transpose()?;
            let contents = Contents {
                stored: None,
                facts,
                configuration: Arc::new(configuration),
                agent_id: options.agent_id.map(Arc::from),
            };
            Self(Arc::new(contents)).with_stored(options.stored)
        })?
    }

    /// The same with another stored configuration, or without one. Everything else is shared.
    ///
    /// # Errors
    ///
    /// If it cannot be used.
    pub fn with_stored(&self, stored: Option<&[u8]>) -> Result<Self, Error> {
        let id = self.0.agent_id.as_deref();
        let read = |stored| guarded(|| RelatedDocument::stored(STORED, stored, id));
        let stored = stored.map(read).transpose()?.transpose()?;
        Ok(Self(Arc::new(Contents { stored, ..Contents::clone(&self.0) })))
    }

    /// The configuration.
    pub(crate) fn configuration(&self) -> &Configuration {
        &self.0.configuration
    }

    /// The stored configuration.
    pub(crate) fn stored(&self) -> Option<&RelatedDocument> {
        self.0.stored.as_ref()
    }

    /// The workspace facts.
    pub(crate) fn facts(&self) -> Option<Facts> {
        self.0.facts.as_ref().map(RelatedDocument::as_facts)
    }

    /// The id of the agent that a document is for.
    pub(crate) fn agent_id(&self, settings: &FileSettings<'_>) -> Option<Arc<str>> {
        let configured = || settings.agent_id().map(|stated| Arc::from(&*stated.value));
        self.0.agent_id.clone().or_else(configured)
    }

    /// The inputs of a prediction or a plan: those of a check, without house rules.
    pub(crate) fn inputs(&self, document: Document, settings: &FileSettings<'_>) -> Inputs {
        let inputs = Inputs::new(document)
            .stored(self.stored().map(RelatedDocument::as_stored))
            .facts(self.facts())
            .readings(settings.known_readings());
        let inputs = match self.agent_id(settings) {
            Some(id) => inputs.agent_id(id),
            None => inputs,
        };
        let inputs = match settings.kind() {
            Some(stated) => inputs.kind(stated.value),
            None => inputs,
        };
        match settings.agent_type() {
            Some(stated) => inputs.agent_type(&*stated.value),
            None => inputs,
        }
    }

    /// The other inputs, by the origin of findings in them.
    pub(crate) fn origins(&self) -> Vec<(Origin, RelatedDocument)> {
        let Contents { stored, facts, .. } = &*self.0;
        let stored = stored.iter().map(|it| (Origin::Stored, it.clone()));
        stored.chain(facts.iter().map(|it| (Origin::Facts, it.clone()))).collect()
    }
}

/// The stored configuration that the repository last knew, in JSON.
pub(crate) fn base(bytes: &[u8]) -> Result<Stored, Error> {
    Ok(RelatedDocument::stored("<base>", bytes, None)?.as_stored())
}

/// Reads a configuration that is not in a file.
fn load(text: &str) -> Result<Configuration, Error> {
    let loaded = Configuration::load(CONFIGURATION_NAME, &mut |path| match path {
        CONFIGURATION_NAME => Ok(text.to_owned()),
        _ => Err(ReadError::Other(
            "no file is read for a configuration that is given as a text: use a project".to_owned(),
        )),
    });
    loaded.map_err(|error| match error {
        LoadError::Faults(files) => {
            let failure =
                |file: FileReport| Failure::unusable_configuration(file.path.to_string(), file);
            Error::of(&files.into_iter().map(failure).collect::<Vec<_>>())
        }
        error @ LoadError::Unreadable { .. } => Error::new(error),
    })
}
