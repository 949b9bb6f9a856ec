//! Work on the threads of Node.js.

use std::panic;

use napi::bindgen_prelude::{AsyncTask, ToNapiValue, TypeName, panic_to_error};
use napi::{Env, Task};
use voxlint_bindings::Error;

use crate::input::thrown;

type Run<T> = Box<dyn FnOnce() -> Result<T, Error> + Send>;

/// Work that resolves a promise with its result.
pub struct Work<T>(Option<Run<T>>);

impl<T: Send + ToNapiValue + TypeName + 'static> Task for Work<T> {
    type Output = T;
    type JsValue = T;

    // Node.js calls this from C, through which a panic must not unwind: it would end the process.
    fn compute(&mut self) -> napi::Result<T> {
        let run =
            self.0.take().ok_or_else(|| napi::Error::from_reason("the work was done before"))?;
        match panic::catch_unwind(panic::AssertUnwindSafe(run)) {
            Ok(result) => result.map_err(thrown),
            Err(panic) => Err(panic_to_error(panic)),
        }
    }

    fn resolve(&mut self, _: Env, result: T) -> napi::Result<T> {
        Ok(result)
    }
}

/// Starts work on another thread.
pub(crate) fn start<T: Send + ToNapiValue + TypeName + 'static>(
    run: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> AsyncTask<Work<T>> {
    AsyncTask::new(Work(Some(Box::new(run))))
}
