//! The engine: it runs the rules on a document and the other inputs, and turns their verdicts into a report.

mod check_once;
mod checker;
mod dedup;
mod finish;
mod found;
mod note;
pub(crate) mod resolve;
mod revalidation;
mod run;
pub(crate) mod usability;

pub(crate) use check_once::{check_once, check_once_traced};
pub(crate) use checker::UndecidedScope;
pub(crate) use finish::finish;
pub(crate) use run::run;
pub use usability::Faults;
