//! Plans the files of a run.

use std::sync::Arc;

use voxlint::DocumentKind;
use voxlint_project::{BaseSource, FileSet, PlanRun, Reference, Session};

use crate::args::PlanInputOptions;
use crate::findings::stored_conflict;
use crate::options::lint_options;

/// The session of a plan.
///
/// # Errors
///
/// If the stored configurations come from a commit that cannot be read.
pub(in crate::commands) fn session(
    inputs: &PlanInputOptions,
    may_be_empty: bool,
) -> Result<Session, String> {
    let mut lint = lint_options(&inputs.input, &inputs.configuration);
    lint.selection = inputs.rules.selection();
    lint.changed_since.clone_from(&inputs.changed.changed_since);
    lint.allow_empty = may_be_empty;
    let mut session = Session::once(lint);
    let first = inputs.input.paths().first().cloned().unwrap_or_default();
    let open = |name: &String| {
        Reference::open(name, &first).map(Arc::new).map_err(|error| error.to_string())
    };
    if let Some(reference) = inputs.to.as_ref().map(open).transpose()? {
        session.take_documents_from(reference);
    }
    if let Some(reference) = inputs.stored_from.as_ref().map(open).transpose()? {
        session.take_stored_from(reference);
    }
    Ok(session)
}

/// The base that the options name.
pub(in crate::commands) fn base(inputs: &PlanInputOptions) -> BaseSource {
    match &inputs.base {
        Some(name) => BaseSource::Named(name.clone()),
        None if inputs.no_base => BaseSource::None,
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
    let run =
        session.plan_files(files, &base(inputs), file_done).map_err(|error| error.to_string())?;
    if inputs.input.context.stored.is_some() {
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
