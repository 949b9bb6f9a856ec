//! Fixes of findings, applied in rounds until nothing is left to fix.

pub use voxlint_engine::fixes::{
    AppliedFix, Composition, Fixed, MAX_ROUNDS, NotApplied, fix, solved,
};
pub use voxlint_model::diagnostic::MAX_FIXES;
