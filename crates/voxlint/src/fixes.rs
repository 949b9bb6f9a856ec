//! Fixes of findings, applied in rounds until nothing is left to fix.

pub use voxlint_engine::fixes::{
    AppliedFix, Composition, Fixed, MAX_ROUNDS, NotApplied, fix, solved,
};
#[doc(hidden)]
pub use voxlint_engine::fixes::{Promise, fix_if, prove};
pub use voxlint_model::diagnostic::MAX_FIXES;
