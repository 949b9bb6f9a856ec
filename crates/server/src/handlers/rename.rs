//! Renames a template variable or a function over all texts of a document.

use std::collections::BTreeSet;
use std::path::Path;

use lsp_types::{PrepareRenameResponse, RenameParams, TextDocumentPositionParams, WorkspaceEdit};
use voxlint::{Origin, TextEdit};
use voxlint_ide as ide;
use voxlint_project::LintedDocument;

use crate::analysis::{Places, TextPlace, identity, origin_in};
use crate::context::Context;
use crate::error::Error;
use crate::project::Project;
use crate::to_protocol;

pub(crate) fn prepare(
    context: &Context<'_>,
    parameters: &TextDocumentPositionParams,
) -> Option<PrepareRenameResponse> {
    let (target, offset) = context.target(parameters.position)?;
    let found = ide::name_at(target.file(), offset);
    found.map(|(name, span)| PrepareRenameResponse::RangeWithPlaceholder {
        range: to_protocol::range(&target.place, span),
        placeholder: name.as_str().to_owned(),
    })
}

pub(crate) fn rename(
    context: &Context<'_>,
    project: &mut Project,
    parameters: &RenameParams,
) -> Result<Option<WorkspaceEdit>, Error> {
    let position = parameters.text_document_position.position;
    let Some((target, offset)) = context.target(position) else { return Ok(None) };
    let Some((name, _)) = ide::name_at(target.file(), offset) else {
        return Err(Error::failed("there is no template variable and no function here"));
    };
    let (texts, client) = (&context.texts, &context.shared.client);
    let mut places = Places::new(texts, client.encoding);
    let mut edits: Vec<(TextPlace, Vec<TextEdit>)> = Vec::new();
    let own = identity(target.linted);
    let mut known = BTreeSet::from([own.clone()]);
    let mut shared = BTreeSet::new();
    let mut documents = vec![target.linted.clone()];
    // Other documents may use the same text, and give a default for it.
    while let Some(document) = documents.pop() {
        let found = match ide::rename(&document.inputs, &name, &parameters.new_name) {
            // Another document that uses the text need not have the function.
            Err(error) if error.is_unknown && identity(&document) != own => continue,
            found => found,
        };
        let found = found.map_err(|error| refused(context, &mut places, &document, &error))?;
        for (origin, edit) in found {
            let Some(place) = places.place_of(&document, origin) else { continue };
            if matches!(origin, Origin::Text(_)) && shared.insert(place.key.clone()) {
                let others = project.documents_with(Path::new(&place.key));
                // Other documents of the same file need not use it.
                let has_text = |it: &LintedDocument| {
                    matches!(origin_in(it, &place.key), Some(Origin::Text(_)))
                };
                let users = others.into_iter().filter(has_text);
                documents.extend(users.filter(|it| known.insert(identity(it))));
            }
            edits.push((place, vec![edit]));
        }
    }
    Ok(Some(to_protocol::workspace_edit(edits, client)))
}

/// Why a name cannot be changed, and the place that keeps it from being renamed.
fn refused(
    context: &Context<'_>,
    places: &mut Places<'_>,
    document: &LintedDocument,
    error: &ide::RenameError,
) -> Error {
    let place = error.place.and_then(|(origin, span)| {
        let place = places.place_of(document, origin)?;
        let path = context.shown_path(&place.key);
        Some(match span.map(|span| place.ends(span)) {
            Some(((line, character), _)) => {
                format!("{path}:{}:{}: {error}", line + 1, character + 1)
            }
            None => format!("{path}: {error}"),
        })
    });
    Error::failed(place.unwrap_or_else(|| error.to_string()))
}
