//! Stops work whose result is no longer wanted.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the result of some work is still wanted. All clones share the answer.
///
/// ```
/// use voxlint::{Cancellation, check_text};
///
/// let cancellation = Cancellation::default();
/// let work = || check_text("{ \"version_number\": 3 }").diagnostics.len();
/// assert_eq!(cancellation.run(work), Some(0));
/// cancellation.cancel();
/// assert_eq!(cancellation.run(work), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<AtomicBool>);

thread_local! {
    /// The cancellation of the work that this thread does.
    static CURRENT: RefCell<Option<Cancellation>> = const { RefCell::new(None) };
}

/// What unwinds from work that was cancelled. It is not a panic, so nothing is printed.
struct Cancelled;

/// Puts the former cancellation back, also when the work unwinds.
struct Restore(Option<Cancellation>);

impl Drop for Restore {
    fn drop(&mut self) {
        let former = self.0.take();
        CURRENT.with(|current| *current.borrow_mut() = former);
    }
}

impl Cancellation {
    /// Stops the work soon: every check, and so every prediction, plan and proof of a fix, looks whether it was cancelled.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether the work was cancelled.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The cancellation of the work that this thread does.
    pub fn current() -> Option<Self> {
        CURRENT.with(|current| current.borrow().clone())
    }

    /// Does work; `None` if it was cancelled before its end.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Option<T> {
        let result = catch_unwind(AssertUnwindSafe(|| Self::within(Some(self.clone()), work)));
        match result {
            Ok(result) => Some(result),
            Err(cause) if cause.is::<Cancelled>() => None,
            Err(cause) => resume_unwind(cause),
        }
    }

    /// Does a part of work in another thread than the one that [`Self::run`] was called in. It unwinds when it is cancelled.
    pub fn within<T>(current: Option<Self>, work: impl FnOnce() -> T) -> T {
        let former = CURRENT.with(|own| own.replace(current));
        let _restore = Restore(former);
        work()
    }

    /// Whether work has unwound because it was cancelled.
    pub fn is_cause(cause: &(dyn std::any::Any + Send)) -> bool {
        cause.is::<Cancelled>()
    }
}

/// Unwinds if the work of this thread was cancelled.
pub fn checkpoint() {
    let is_cancelled =
        CURRENT.with(|current| current.borrow().as_ref().is_some_and(Cancellation::is_cancelled));
    if is_cancelled {
        resume_unwind(Box::new(Cancelled));
    }
}
