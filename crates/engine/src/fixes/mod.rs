//! Proves fixes and applies them.
//!
//! Every fix of a report is proven: the document with its edits has been checked again (`proof.rs`). Its values are compared with
//! those before (`changes.rs`, `lossless.rs`, `guarded.rs`), and so are its findings (`findings.rs`), wherever they have moved (`shifts.rs`,
//! `renames.rs`). [`fix`] applies fixes in
//! rounds, each to the document that the last one has left (`rounds.rs`), each time a set that is proven as a whole
//! (`selection.rs`), and gives the edits of all rounds as edits of the
//! first text (`composition.rs`). A report keeps the fixes that these rounds apply (`reconcile.rs`). [`solved`] counts what they have solved.

mod changes;
mod composition;
mod findings;
mod fix;
pub(crate) mod guarded;
mod keep;
mod lossless;
mod not_applied;
mod proof;
mod reconcile;
mod renames;
mod rounds;
mod search;
mod selection;
mod shifts;
mod solved;

pub(crate) use self::keep::keep_proven;
pub(crate) use self::reconcile::keep_applied;

pub use self::composition::Composition;
pub use self::fix::{Fixed, fix};
pub use self::not_applied::NotApplied;
pub use self::rounds::{AppliedFix, MAX_ROUNDS};
pub use self::solved::solved;
