//! What is shown beside a place.

use lsp_types::{Hover, HoverParams};
use voxlint::counted;
use voxlint_ide as ide;

use crate::analysis::Target;
use crate::context::Context;
use crate::handlers::navigation::places;
use crate::to_protocol;

pub(crate) fn hover(context: &Context<'_>, parameters: &HoverParams) -> Option<Hover> {
    let position = parameters.text_document_position_params.position;
    let client = &context.shared.client;
    if let Some((place, offset)) = context.configuration(position) {
        let found = ide::hover_configuration(place.text.text(), offset);
        return found.map(|found| to_protocol::hover(found, &place, client));
    }
    let (target, offset) = context.target(position)?;
    let mut found = ide::hover(target.file(), offset);
    if let Some(found) = &mut found {
        found.markdown.push_str(&all_uses(context, &target, offset).unwrap_or_default());
    }
    found.map(|found| to_protocol::hover(found, &target.place, client))
}

/// How often a name of a text that several documents share is used in all of them: what is said about it is about one.
fn all_uses(context: &Context<'_>, target: &Target<'_>, offset: u32) -> Option<String> {
    let (name, _) = ide::name_at(target.file(), offset)?;
    let others = context.other_users(target);
    let documents = (!others.is_empty()).then(|| others.len() as u64 + 1)?;
    let all = [target].into_iter().chain(&others);
    let uses = places(context, all, &name, |role| role == ide::PlaceRole::Use).len();
    let uses = counted(uses as u64, "use");
    Some(format!("- {uses} in the {documents} documents that use this text\n"))
}
