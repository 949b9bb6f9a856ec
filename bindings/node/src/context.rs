//! Contexts, and the functions for one text.

use napi::bindgen_prelude::{AsyncTask, ClassInstance};
use napi_derive::napi;
use voxlint_bindings::{
    Context as Core, ContextOptions, DocumentOptions, Error, PlanEntry, explain as page, plan,
};

use crate::input::{Reading, Text, bytes, options, thrown};
use crate::outcome::{self, Answer};
use crate::task::{Work, start};

/// The stored configuration, facts and configuration, parsed once.
#[napi]
pub struct Context(Core);

impl Context {
    pub(crate) const fn core(&self) -> &Core {
        &self.0
    }
}

#[napi]
impl Context {
    /// Parses the texts.
    #[napi(constructor)]
    pub fn new(
        stored: Option<Text>,
        facts: Option<Text>,
        config: Option<String>,
        agent_id: Option<String>,
    ) -> napi::Result<Self> {
        let (stored, facts) = (stored.map(bytes), facts.map(bytes));
        let options = ContextOptions {
            stored: stored.as_deref(),
            facts: facts.as_deref(),
            config: config.as_deref(),
            agent_id: agent_id.as_deref(),
        };
        Core::new(&options).map(Self).map_err(thrown)
    }

    /// The same context with another stored configuration, or without one.
    #[napi]
    pub fn with_stored(&self, stored: Option<Text>) -> napi::Result<Self> {
        self.0.with_stored(stored.map(bytes).as_deref()).map(Self).map_err(thrown)
    }

    /// Checks a text.
    #[napi]
    pub fn check(&self, text: Text, reading: Option<Reading>) -> napi::Result<Answer> {
        Ok(check(&self.0, bytes(text), &options(reading).map_err(thrown)?))
    }

    /// Checks a text on another thread.
    #[napi]
    pub fn check_async(
        &self,
        text: Text,
        reading: Option<Reading>,
    ) -> napi::Result<AsyncTask<Work<Answer>>> {
        let (core, text) = (self.0.clone(), bytes(text));
        let options = options(reading).map_err(thrown)?;
        Ok(start(move || Ok(check(&core, text, &options))))
    }

    /// Checks texts on one other thread, and returns their reports in the same order.
    #[napi]
    pub fn check_all_async(
        &self,
        texts: Vec<Text>,
        reading: Option<Reading>,
    ) -> napi::Result<AsyncTask<Work<Vec<Answer>>>> {
        let core = self.0.clone();
        let texts: Vec<Vec<u8>> = texts.into_iter().map(bytes).collect();
        let options = options(reading).map_err(thrown)?;
        Ok(start(move || {
            Ok(texts.into_iter().map(|text| check(&core, text, &options)).collect::<Vec<_>>())
        }))
    }

    /// Predicts the answers to an update.
    #[napi]
    pub fn predict(&self, text: Text, reading: Option<Reading>) -> napi::Result<Answer> {
        predict(&self.0, &bytes(text), &options(reading).map_err(thrown)?).map_err(thrown)
    }

    /// Predicts the answers to an update on another thread.
    #[napi]
    pub fn predict_async(
        &self,
        text: Text,
        reading: Option<Reading>,
    ) -> napi::Result<AsyncTask<Work<Answer>>> {
        let (core, text) = (self.0.clone(), bytes(text));
        let options = options(reading).map_err(thrown)?;
        Ok(start(move || predict(&core, &text, &options)))
    }

    /// Compares the stored configuration with the desired settings.
    #[napi]
    pub fn diff(
        &self,
        text: Text,
        reading: Option<Reading>,
        partial: bool,
    ) -> napi::Result<Answer> {
        let options = options(reading).map_err(thrown)?;
        diff(&self.0, &bytes(text), &options, partial).map_err(thrown)
    }

    /// Compares the stored configuration with the desired settings on another thread.
    #[napi]
    pub fn diff_async(
        &self,
        text: Text,
        reading: Option<Reading>,
        partial: bool,
    ) -> napi::Result<AsyncTask<Work<Answer>>> {
        let (core, text) = (self.0.clone(), bytes(text));
        let options = options(reading).map_err(thrown)?;
        Ok(start(move || diff(&core, &text, &options, partial)))
    }

    /// The page of a rule.
    #[napi]
    pub fn explain(&self, rule: String) -> napi::Result<String> {
        page(&rule, &self.0).map_err(thrown)
    }
}

fn check(core: &Core, text: Vec<u8>, options: &DocumentOptions) -> Answer {
    outcome::report(&core.check(text, options))
}

fn predict(core: &Core, text: &[u8], options: &DocumentOptions) -> Result<Answer, Error> {
    core.predict(text, options).map(|it| outcome::prediction(&it))
}

fn diff(
    core: &Core,
    text: &[u8],
    options: &DocumentOptions,
    partial: bool,
) -> Result<Answer, Error> {
    core.diff(text, options, partial).map(|it| outcome::difference(&it))
}

/// The documents of a plan, each with its context.
#[napi]
#[derive(Clone, Default)]
pub struct PlanEntries(Vec<Entry>);

#[derive(Clone)]
struct Entry {
    text: Vec<u8>,
    options: DocumentOptions,
    context: Core,
    base: Option<Vec<u8>>,
}

#[napi]
impl PlanEntries {
    /// A plan without documents.
    #[napi(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a document.
    #[napi]
    pub fn add(
        &mut self,
        text: Text,
        reading: Option<Reading>,
        context: ClassInstance<'_, Context>,
        base: Option<Text>,
    ) -> napi::Result<()> {
        let options = options(reading).map_err(thrown)?;
        let (text, base) = (bytes(text), base.map(bytes));
        self.0.push(Entry { text, options, context: context.0.clone(), base });
        Ok(())
    }

    /// Plans the documents.
    #[napi]
    pub fn plan(&mut self) -> napi::Result<Answer> {
        plan_all(&std::mem::take(&mut self.0)).map_err(thrown)
    }

    /// Plans the documents on another thread.
    #[napi]
    pub fn plan_async(&mut self) -> AsyncTask<Work<Answer>> {
        let entries = std::mem::take(&mut self.0);
        start(move || plan_all(&entries))
    }
}

fn plan_all(entries: &[Entry]) -> Result<Answer, Error> {
    let entries: Vec<PlanEntry<'_>> = entries
        .iter()
        .map(|entry| PlanEntry {
            bytes: &entry.text,
            options: entry.options.clone(),
            context: entry.context.clone(),
            base: entry.base.as_deref(),
        })
        .collect();
    plan(&entries).map(|it| outcome::plan(&it))
}
