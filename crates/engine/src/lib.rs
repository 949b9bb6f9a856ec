//! Internal to voxlint: it runs the rules on a document and the other inputs, turns their verdicts into a report, and proves what the
//! fixes of a report propose.
//!
//! It predicts no answer. What the service would do with a document is in `voxlint`.

#![forbid(unsafe_code)]

mod check;
mod check_once;
mod checker;
mod dedup;
mod finish;
pub mod fixes;
mod found;
mod note;
pub mod resolve;
mod revalidation;
mod run;
pub mod states;
pub mod trace;
pub mod usability;

pub use check::{check, check_text, check_traced, findings};
pub(crate) use check_once::{check_once, check_once_traced};
pub use checker::UndecidedScope;
pub use finish::finish;
pub use run::run;
pub use trace::{Gate, Step, Trace};
pub use usability::Faults;
