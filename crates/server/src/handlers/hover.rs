//! What is shown beside a place.

use lsp_types::{Hover, HoverParams};
use voxlint_ide as ide;

use crate::routes::Context;
use crate::to_protocol;

pub(crate) fn hover(context: &Context<'_>, parameters: &HoverParams) -> Option<Hover> {
    let position = parameters.text_document_position_params.position;
    let client = &context.shared.client;
    if let Some((place, offset)) = context.configuration(position) {
        let found = ide::hover_configuration(place.text.text(), offset);
        return found.map(|found| to_protocol::hover(found, &place, client));
    }
    let (target, offset) = context.target(position)?;
    let found = ide::hover(target.file(), offset);
    found.map(|found| to_protocol::hover(found, &target.place, client))
}
