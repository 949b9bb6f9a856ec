//! What can be written at a place.

use lsp_types::{CompletionList, CompletionParams, CompletionResponse};
use voxlint_ide as ide;

use crate::context::Context;
use crate::to_protocol;

pub(crate) fn complete(
    context: &Context<'_>,
    parameters: &CompletionParams,
) -> Option<CompletionResponse> {
    let position = parameters.text_document_position.position;
    let client = &context.shared.client;
    let options = ide::CompletionOptions { snippets: client.takes_snippets };
    let (items, place) = if let Some((place, offset)) = context.configuration(position) {
        (ide::complete_configuration(place.text.text(), offset, options), place)
    } else if let Some((target, offset)) = context.target(position) {
        (ide::complete(target.file(), offset, options), target.place)
    } else {
        return None;
    };
    let items = items.into_iter().map(|item| to_protocol::completion(item, &place, client));
    // What fits depends on the document, and an editor can filter it while a word is written.
    let list = CompletionList { is_incomplete: false, items: items.collect() };
    Some(CompletionResponse::List(list))
}
