//! Contexts, and the functions for one text.

use std::panic;
use std::sync::{Arc, LazyLock};

use napi::bindgen_prelude::{AsyncTask, ClassInstance};
use napi_derive::napi;
use voxlint_bindings::{
    Context as Core, ContextOptions, DocumentOptions, Error, PlanEntry, explain as page, plan,
};

use crate::input::{Reading, Text, bytes, options, thrown};
use crate::outcome::{self, Answer};
use crate::task::{Work, start};

/// What a panic for the tests says.
const PANIC: &str = "a panic for the tests";

/// A context that is parsed when it is first used, by the thread that uses it. So no text is parsed on the thread of the event loop,
/// unless the caller waits for the result there.
type Parsed = Arc<LazyLock<Result<Core, Error>, Box<dyn FnOnce() -> Result<Core, Error> + Send>>>;

fn later(parse: impl FnOnce() -> Result<Core, Error> + Send + 'static) -> Parsed {
    Arc::new(LazyLock::new(Box::new(parse)))
}

/// Waits until a context is parsed.
fn core(parsed: &Parsed) -> Result<Core, Error> {
    LazyLock::force(parsed).clone()
}

/// Everything that documents are checked with, parsed once.
#[napi]
pub struct Context(Parsed);

impl Context {
    pub(crate) fn core(&self) -> Result<Core, Error> {
        core(&self.0)
    }
}

#[napi]
impl Context {
    /// Keeps the texts, which are parsed when they are first used.
    #[napi(constructor, catch_unwind)]
    pub fn new(
        stored: Option<Text>,
        facts: Option<Text>,
        config: Option<String>,
        agent_id: Option<String>,
    ) -> Self {
        let (stored, facts) = (stored.map(bytes), facts.map(bytes));
        Self(later(move || {
            Core::new(&ContextOptions {
                stored: stored.as_deref(),
                facts: facts.as_deref(),
                config: config.as_deref(),
                agent_id: agent_id.as_deref(),
            })
        }))
    }

    /// The same with another stored configuration, or without one, which is parsed when it is first used.
    #[napi(catch_unwind)]
    pub fn with_stored(&self, stored: Option<Text>) -> Self {
        let (parent, stored) = (Arc::clone(&self.0), stored.map(bytes));
        Self(later(move || core(&parent)?.with_stored(stored.as_deref())))
    }

    /// Parses the texts, unless they are.
    #[napi(catch_unwind)]
    pub fn parse(&self) -> napi::Result<()> {
        self.core().map(drop).map_err(thrown)
    }

    /// Parses the texts on another thread.
    #[napi(catch_unwind)]
    pub fn parse_async(&self) -> AsyncTask<Work<()>> {
        let parsed = Arc::clone(&self.0);
        start(move || core(&parsed).map(drop))
    }

    /// Checks a text.
    #[napi(catch_unwind)]
    pub fn check(&self, text: Text, reading: Option<Reading>) -> napi::Result<Answer> {
        let options = options(reading).map_err(thrown)?;
        Ok(check(&self.core().map_err(thrown)?, bytes(text), &options))
    }

    /// Checks a text on another thread.
    #[napi(catch_unwind)]
    pub fn check_async(
        &self,
        text: Text,
        reading: Option<Reading>,
    ) -> napi::Result<AsyncTask<Work<Answer>>> {
        let (parsed, text) = (Arc::clone(&self.0), bytes(text));
        let options = options(reading).map_err(thrown)?;
        Ok(start(move || Ok(check(&core(&parsed)?, text, &options))))
    }

    /// Checks texts on one other thread, and returns their reports in the same order.
    #[napi(catch_unwind)]
    pub fn check_all_async(
        &self,
        texts: Vec<Text>,
        reading: Option<Reading>,
    ) -> napi::Result<AsyncTask<Work<Vec<Answer>>>> {
        let parsed = Arc::clone(&self.0);
        let texts: Vec<Vec<u8>> = texts.into_iter().map(bytes).collect();
        let options = options(reading).map_err(thrown)?;
        Ok(start(move || {
            let core = core(&parsed)?;
            Ok(texts.into_iter().map(|text| check(&core, text, &options)).collect::<Vec<_>>())
        }))
    }

    /// Predicts the answers to an update.
    #[napi(catch_unwind)]
    pub fn predict(&self, text: Text, reading: Option<Reading>) -> napi::Result<Answer> {
        let options = options(reading).map_err(thrown)?;
        predict(&self.core().map_err(thrown)?, &bytes(text), &options).map_err(thrown)
    }

    /// Predicts the answers to an update on another thread.
    #[napi(catch_unwind)]
    pub fn predict_async(
        &self,
        text: Text,
        reading: Option<Reading>,
    ) -> napi::Result<AsyncTask<Work<Answer>>> {
        let (parsed, text) = (Arc::clone(&self.0), bytes(text));
        let options = options(reading).map_err(thrown)?;
        Ok(start(move || predict(&core(&parsed)?, &text, &options)))
    }

    /// Compares the stored configuration with the desired settings.
    #[napi(catch_unwind)]
    pub fn diff(
        &self,
        text: Text,
        reading: Option<Reading>,
        complete: bool,
    ) -> napi::Result<Answer> {
        let options = options(reading).map_err(thrown)?;
        diff(&self.core().map_err(thrown)?, &bytes(text), &options, complete).map_err(thrown)
    }

    /// Compares the stored configuration with the desired settings on another thread.
    #[napi(catch_unwind)]
    pub fn diff_async(
        &self,
        text: Text,
        reading: Option<Reading>,
        complete: bool,
    ) -> napi::Result<AsyncTask<Work<Answer>>> {
        let (parsed, text) = (Arc::clone(&self.0), bytes(text));
        let options = options(reading).map_err(thrown)?;
        Ok(start(move || diff(&core(&parsed)?, &text, &options, complete)))
    }

    /// The page of a rule.
    #[napi(catch_unwind)]
    pub fn explain(&self, rule: String) -> napi::Result<String> {
        page(&rule, &self.core().map_err(thrown)?).map_err(thrown)
    }

    /// The page of a rule, from another thread.
    #[napi(catch_unwind)]
    pub fn explain_async(&self, rule: String) -> AsyncTask<Work<String>> {
        let parsed = Arc::clone(&self.0);
        start(move || page(&rule, &core(&parsed)?))
    }

    /// Checks how documents are to be read, before any is.
    #[napi(catch_unwind)]
    pub fn check_reading(reading: Option<Reading>) -> napi::Result<()> {
        options(reading).map(drop).map_err(thrown)
    }

    /// Panics, for the tests of what happens then. Nothing in `lib` calls it.
    #[napi(catch_unwind)]
    pub fn panic_for_tests() {
        panic::resume_unwind(Box::new(PANIC));
    }

    /// Panics on another thread, for the tests of what happens then. Nothing in `lib` calls it.
    #[napi(catch_unwind)]
    pub fn panic_for_tests_async() -> AsyncTask<Work<()>> {
        start(|| panic::resume_unwind(Box::new(PANIC)))
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
    complete: bool,
) -> Result<Answer, Error> {
    core.diff(text, options, complete).map(|it| outcome::difference(&it))
}

/// The documents of a plan, each with its context.
#[napi]
#[derive(Default)]
pub struct PlanEntries(Vec<Entry>);

struct Entry {
    text: Vec<u8>,
    options: DocumentOptions,
    context: Parsed,
    base: Option<Vec<u8>>,
}

#[napi]
impl PlanEntries {
    /// A plan without documents.
    #[napi(constructor, catch_unwind)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a document.
    #[napi(catch_unwind)]
    pub fn add(
        &mut self,
        text: Text,
        reading: Option<Reading>,
        context: ClassInstance<'_, Context>,
        base: Option<Text>,
    ) -> napi::Result<()> {
        let options = options(reading).map_err(thrown)?;
        let (text, base) = (bytes(text), base.map(bytes));
        self.0.push(Entry { text, options, context: Arc::clone(&context.0), base });
        Ok(())
    }

    /// Plans the documents.
    #[napi(catch_unwind)]
    pub fn plan(&mut self) -> napi::Result<Answer> {
        plan_all(&std::mem::take(&mut self.0)).map_err(thrown)
    }

    /// Plans the documents on another thread.
    #[napi(catch_unwind)]
    pub fn plan_async(&mut self) -> AsyncTask<Work<Answer>> {
        let entries = std::mem::take(&mut self.0);
        start(move || plan_all(&entries))
    }
}

fn plan_all(entries: &[Entry]) -> Result<Answer, Error> {
    let entries: Vec<PlanEntry<'_>> = entries.iter().map(parsed).collect::<Result<_, _>>()?;
    plan(&entries).map(|it| outcome::plan(&it))
}

fn parsed(entry: &Entry) -> Result<PlanEntry<'_>, Error> {
    let Entry { text, options, context, base } = entry;
    let (options, context) = (options.clone(), core(context)?);
    Ok(PlanEntry { bytes: text, options, context, base: base.as_deref() })
}
