//! Checks a document, with the fixes that are proven alone.

use std::sync::Arc;

use voxlint_model::{Diagnostic, Inputs, Report};
use voxlint_rules::has_settings;
use voxlint_schema::{DocumentKind, settings};

use super::checker::UndecidedScope;
use super::finish::finish;
use super::run::{run, run_traced};
use super::usability::is_fault_of_desired;
use crate::Faults as _;
use crate::states::{Decision, States, is_compared, version_of};
use crate::{Gate, Trace};
use voxlint_rules::ids::PUBLISHED_VERSION_EDITED;

/// A check with fixes that may exclude each other.
pub(crate) fn check_once(inputs: &Inputs) -> Report {
    check_once_traced(inputs, &mut Trace::off())
}

pub(crate) fn check_once_traced(inputs: &Inputs, trace: &mut Trace) -> Report {
    let mut report = run_traced(inputs, UndecidedScope::Touched, trace);
    // Nothing of a document that repeats the stored configuration would be sent, so it edits nothing.
    let is_edit = |it: &Diagnostic| *it.rule.id == *PUBLISHED_VERSION_EDITED;
    if report.diagnostics.iter().any(is_edit) && repeats_stored(inputs) {
        let before = trace.places(&report.diagnostics);
        report.diagnostics.retain(|it| !is_edit(it));
        trace.dropped(before, &report.diagnostics, Gate::Unsent, |_| String::new());
    }
    finish(inputs, &mut report);
    report
}

/// Whether an update has settings, and all of them equal the stored ones, so that nothing of it would be sent.
fn repeats_stored(inputs: &Inputs) -> bool {
    let document = &inputs.document;
    let number =
        document.tree().root().and_then(|root| root.get(settings::version_number.row.name));
    let (Some(stored), Some(number)) = (&inputs.stored, number) else { return false };
    if !has_settings(&inputs.effective(DocumentKind::Update))
        || document.recognise().is_some_and(|kind| !kind.has_settings())
        || !stored.faults().diagnostics.is_empty()
        || !is_usable(inputs)
    {
        return false;
    }
    let named = version_of(stored, number);
    let states = States::new(stored, &named, document, &inputs.texts);
    let mut rows = settings::TABLE.rows.iter().copied().filter(|row| is_compared(row));
    !rows.any(|row| matches!(states.setting(row).decision(false), Decision::Send(_)))
}

/// Whether the settings of the document can be compared with the stored ones.
fn is_usable(inputs: &Inputs) -> bool {
    let desired = Inputs::new(inputs.document.clone()).kind(DocumentKind::Settings);
    let desired = desired.texts(Arc::clone(&inputs.texts));
    let mut report = run(&desired, UndecidedScope::Touched);
    finish(&desired, &mut report);
    !report.diagnostics.iter().any(is_fault_of_desired)
}
