//! The table of requests, and how one is answered.
//!
//! A new request is one line in [`routes`] and a function in `handlers/`. The line says what the function needs: the last check
//! (`reading`), or the project after the check of the newest text (`checking`, or `working` if it may fail).

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use lsp_server::RequestId;
use lsp_types::request::{
    CodeActionRequest, CodeActionResolveRequest, Completion, DocumentDiagnosticRequest,
    DocumentLinkRequest, DocumentSymbolRequest, ExecuteCommand, GotoDefinition, HoverRequest,
    InlayHintRequest, PrepareRenameRequest, References, Rename, Request, SemanticTokensFullRequest,
    SemanticTokensRangeRequest, WorkspaceDiagnosticRequest,
};
use serde_json::Value;

use crate::context::Context;
use crate::error::Error;
use crate::handlers as to;
use crate::project::Project;
use crate::shared::Shared;
use crate::sync::{OpenText, OpenTexts};

/// All requests.
pub(crate) fn routes() -> Vec<Route> {
    vec![
        reading::<HoverRequest>(to::hover::hover),
        reading::<Completion>(to::completion::complete),
        reading::<DocumentSymbolRequest>(to::symbols::symbols),
        reading::<GotoDefinition>(to::navigation::definition),
        reading::<References>(to::navigation::references),
        reading::<DocumentLinkRequest>(to::links::links),
        reading::<PrepareRenameRequest>(to::rename::prepare),
        working::<Rename>(to::rename::rename),
        reading::<InlayHintRequest>(to::hints::hints),
        reading::<SemanticTokensFullRequest>(to::tokens::all),
        reading::<SemanticTokensRangeRequest>(to::tokens::in_range),
        checking::<CodeActionRequest>(to::actions::actions),
        working::<CodeActionResolveRequest>(to::actions::resolve),
        checking::<DocumentDiagnosticRequest>(to::diagnostics::of_document),
        checking::<WorkspaceDiagnosticRequest>(to::diagnostics::of_workspace),
        working::<ExecuteCommand>(to::commands::execute),
    ]
}

/// A request that the server knows.
pub(crate) struct Route {
    pub(crate) method: &'static str,
    run: Run,
}

type Answer = Result<Value, Error>;

/// Answers from an open text, and what was found in it.
type Read = dyn Fn(&Context<'_>, Value) -> Answer + Send + Sync;

/// Answers with the files of the project.
type Work = dyn Fn(&Context<'_>, &mut Project, Value) -> Answer + Send + Sync;

/// A handler that needs the project.
type Handler<P, T> = fn(&Context<'_>, &mut Project, &P) -> T;

enum Run {
    /// It needs an open text, and what was found in it.
    Reading(Box<Read>),
    /// It needs the files of the project.
    Working(Box<Work>),
}

/// A request that is answered from the last check, while the next one runs.
fn reading<R: Request + 'static>(handler: fn(&Context<'_>, &R::Params) -> R::Result) -> Route {
    let run = move |context: &Context<'_>, parameters| {
        to_value(handler(context, &parse::<R>(parameters)?))
    };
    Route { method: R::METHOD, run: Run::Reading(Box::new(run)) }
}

/// A request that waits for the check of its text, and may need the project.
fn checking<R: Request + 'static>(handler: Handler<R::Params, R::Result>) -> Route {
    let run = move |context: &Context<'_>, project: &mut Project, parameters| {
        to_value(handler(context, project, &parse::<R>(parameters)?))
    };
    Route { method: R::METHOD, run: Run::Working(Box::new(run)) }
}

/// The same for a request that may fail.
fn working<R: Request + 'static>(handler: Handler<R::Params, Result<R::Result, Error>>) -> Route {
    let run = move |context: &Context<'_>, project: &mut Project, parameters| {
        to_value(handler(context, project, &parse::<R>(parameters)?)?)
    };
    Route { method: R::METHOD, run: Run::Working(Box::new(run)) }
}

fn parse<R: Request>(parameters: Value) -> Result<R::Params, Error> {
    serde_json::from_value(parameters).map_err(|error| Error::Parameters(error.to_string()))
}

fn to_value(result: impl serde::Serialize) -> Answer {
    serde_json::to_value(result).map_err(|error| Error::Internal(error.to_string()))
}

impl Route {
    /// Whether only the worker can answer.
    pub(crate) fn needs_project(&self) -> bool {
        matches!(self.run, Run::Working(_))
    }
}

/// A request that waits for its answer.
pub(crate) struct Pending {
    pub(crate) id: RequestId,
    pub(crate) route: Arc<Route>,
    pub(crate) parameters: Value,
    /// The text that it is about, as it was when the request came.
    pub(crate) open: Option<Arc<OpenText>>,
    /// All open texts.
    pub(crate) texts: OpenTexts,
}

/// Answers a request. Returns it if only the worker can answer it.
pub(crate) fn answer(
    shared: &Shared,
    request: Pending,
    project: Option<&mut Project>,
) -> Option<Pending> {
    let cancellation = shared.wanted(&request.id)?;
    let analysis = request.open.as_ref().and_then(|open| shared.analysis(&open.key));
    if project.is_none()
        && let Some(open) = &request.open
        && !analysis.as_ref().is_some_and(|analysis| analysis.can_follow(open))
    {
        return Some(request);
    }
    let Pending { id, route, parameters, open, texts } = request;
    if let Some(open) = &open
        && !shared.is_newest(open)
    {
        shared.respond(&id, Err(Error::Modified));
        return None;
    }
    let context = Context { shared, open, texts, analysis };
    let run = || match (&route.run, project) {
        (Run::Reading(run), _) => run(&context, parameters),
        (Run::Working(run), Some(project)) => run(&context, project, parameters),
        (Run::Working(_), None) => Err(Error::Internal(route.method.to_owned())),
    };
    let run = AssertUnwindSafe(|| cancellation.run(run));
    let result = catch_unwind(run).unwrap_or_else(|_| {
        shared.report_bug(&format!("`{}`", route.method));
        Some(Err(Error::Internal(format!("`{}`", route.method))))
    });
    // A request that was cancelled is answered.
    if let Some(result) = result {
        shared.respond(&id, result);
    }
    None
}

#[cfg(test)]
mod tests {
    use lsp_server::Message;

    use super::*;
    use crate::Options;
    use crate::client::Client;

    #[test]
    fn a_request_that_is_cancelled_while_it_is_answered_stops_and_is_answered_once() {
        let (sender, sent) = crossbeam_channel::unbounded();
        let shared = Shared::new(sender, Client::default(), &Options::default());
        let id = RequestId::from(1);
        shared.take(&id);
        let run = |context: &Context<'_>, _| {
            context.shared.respond(&RequestId::from(1), Err(Error::Cancelled));
            loop {
                voxlint::check_text("{ \"version_number\": 3 }");
            }
        };
        let route = Arc::new(Route { method: "endless", run: Run::Reading(Box::new(run)) });
        let (parameters, texts) = (Value::Null, OpenTexts::default());
        answer(&shared, Pending { id, route, parameters, open: None, texts }, None);
        let answers: Vec<_> = sent.try_iter().collect();
        assert!(
            matches!(&answers[..], [Message::Response(one)] if one.response_result.is_err()),
            "{answers:?}"
        );
    }
}
