//! Plans the files of a run.

use std::sync::Arc;

use voxlint::DocumentKind;
use voxlint_config::RuleSelection;
use voxlint_project::{BaseSource, FileSet, PlanRun, Reference, Session};

use crate::args::{PlanInputOptions, StateOptions};
use crate::findings::stored_conflict;
use crate::options::lint_options;

/// The session of a plan.
///
/// # Errors
///
/// If the documents or the stored configurations come from a commit that cannot be read.
pub(super) fn plan_session(
    inputs: &PlanInputOptions,
    may_be_empty: bool,
) -> Result<Session, String> {
    let mut session = session(&inputs.states, inputs.rules.selection(), may_be_empty)?;
    if let Some(name) = &inputs.to {
        session.take_documents_from(open(name, &inputs.states)?);
    }
    Ok(session)
}

/// A session for documents and the states of the service.
///
/// # Errors
///
/// If the stored configurations come from a commit that cannot be read.
pub(in crate::commands) fn session(
    states: &StateOptions,
    selection: RuleSelection,
    may_be_empty: bool,
) -> Result<Session, String> {
    let mut lint = lint_options(&states.input, &states.configuration);
    lint.selection = selection;
    lint.changed_since.clone_from(&states.changed.changed_since);
    lint.allow_empty = may_be_empty;
    let mut session = Session::once(lint);
    if let Some(name) = &states.stored_from {
        session.take_stored_from(open(name, states)?);
    }
    Ok(session)
}

fn open(name: &str, states: &StateOptions) -> Result<Arc<Reference>, String> {
    let first = states.input.paths().first().cloned().unwrap_or_default();
    Reference::open(name, &first).map(Arc::new).map_err(|error| error.to_string())
}

/// The base that the options name.
pub(in crate::commands) fn base(states: &StateOptions) -> BaseSource {
    match &states.base {
        Some(name) => BaseSource::Named(name.clone()),
        None if states.no_base => BaseSource::None,
        None => BaseSource::Configured,
    }
}

/// Plans files. `file_done` is called after each.
pub(super) fn plan_files(
    session: &mut Session,
    files: &mut FileSet,
    inputs: &PlanInputOptions,
    file_done: &(dyn Fn() + Sync),
) -> Result<PlanRun, String> {
    let run = session
        .plan_files(files, &base(&inputs.states), file_done)
        .map_err(|error| error.to_string())?;
    if inputs.states.input.context.stored.is_some() {
        let with_update = run
            .result
            .files
            .iter()
            .filter(|file| file.kinds.iter().any(|(kind, _)| kind == DocumentKind::Update));
        if let Some(conflict) = stored_conflict(run.updates, with_update.count() as u64) {
            return Err(conflict);
        }
    }
    Ok(run)
}
