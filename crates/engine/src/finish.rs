//! What a check does with what the rules have found.

use crate::fixes::keep_proven;
use voxlint_model::masking::Masking;

use voxlint_model::{Inputs, Report};

/// Keeps the fixes that are proven, and masks the secrets. Nothing of a report may be shown before.
pub fn finish(inputs: &Inputs, report: &mut Report) {
    if let Some(masking) = Masking::of(inputs, report) {
        masking.drop_fixes(report);
        keep_proven(inputs, report);
        masking.apply(report);
    }
}
