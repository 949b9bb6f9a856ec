//! Checks of many texts on several threads.

use std::num::NonZeroUsize;

use napi::bindgen_prelude::ClassInstance;
use napi_derive::napi;
use voxlint_bindings::Batch as Core;

use crate::context::Context;
use crate::input::{Reading, Text, bytes, options, thrown};
use crate::outcome::{self, Answer};

/// Texts that are checked on several threads, with results in order.
#[napi]
pub struct Batch(Core);

#[napi]
impl Batch {
    /// A batch without texts.
    #[napi(constructor, catch_unwind)]
    pub fn new(
        context: ClassInstance<'_, Context>,
        reading: Option<Reading>,
        threads: u32,
    ) -> napi::Result<Self> {
        let options = options(reading).map_err(thrown)?;
        let threads = NonZeroUsize::new(threads as usize).unwrap_or(NonZeroUsize::MIN);
        Ok(Self(Core::new(&context.core().map_err(thrown)?, &options, threads)))
    }

    /// Whether another text should be added before results are taken.
    #[napi(getter, catch_unwind)]
    pub fn has_room(&self) -> bool {
        self.0.has_room()
    }

    /// Adds a text.
    #[napi(catch_unwind)]
    pub fn add(&mut self, text: Text) {
        self.0.add(bytes(text));
    }

    /// Whether the next report can be taken without waiting.
    #[napi(getter, catch_unwind)]
    pub fn is_ready(&mut self) -> bool {
        self.0.is_ready()
    }

    /// The next report; null if every report has been taken.
    #[napi(catch_unwind)]
    pub fn next(&mut self) -> Option<Answer> {
        self.0.next_report().as_ref().map(outcome::report)
    }
}
