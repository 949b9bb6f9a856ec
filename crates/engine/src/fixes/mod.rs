//! Proves edits and applies fixes.
//!
//! All edits are proven in one way: [`prove`] compares the inputs before and after them with what was promised. Values may differ
//! only where that is stated (`changes.rs`, `lossless.rs`, `guarded.rs`), and findings are the same, or those of fixes are gone
//! and none is new (`findings.rs`), wherever they have moved (`shifts.rs`, `renames.rs`).
//!
//! A report offers the fixes that are proven (`keep.rs`) and applied (`keep_applied.rs`). [`fix`] applies fixes in rounds (`rounds.rs`), each to the document that the last one
//! has left, each time a set that is proven as a whole (`batch.rs`), and gives the edits of all rounds as edits of the first text
//! (`composition.rs`). [`solved`] counts what they have solved.

mod batch;
mod changes;
mod composition;
mod findings;
mod fix;
pub(crate) mod guarded;
mod keep;
mod keep_applied;
mod lossless;
mod not_applied;
mod prove;
mod renames;
mod rounds;
mod shifts;
mod solved;

pub(crate) use self::keep::keep_proven;
pub(crate) use self::keep_applied::keep_applied;

pub use self::composition::Composition;
pub use self::fix::{Fixed, fix, fix_if};
pub use self::not_applied::NotApplied;
pub use self::prove::{Promise, prove};
pub use self::rounds::{AppliedFix, MAX_ROUNDS};
pub use self::solved::solved;
