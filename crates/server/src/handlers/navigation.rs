//! Where a template variable is defined and used, where an id is listed in the facts, and the files that belong to a document.

use std::collections::BTreeSet;

use lsp_types::{
    GotoDefinitionParams, GotoDefinitionResponse, Location, Position, Range, ReferenceParams,
};
use voxlint::Origin;
use voxlint::syntax::Span;
use voxlint_ide as ide;

use crate::analysis::place_of;
use crate::handlers::links::related_at;
use crate::routes::Context;
use crate::to_protocol;

pub(crate) fn definition(
    context: &Context<'_>,
    parameters: &GotoDefinitionParams,
) -> Option<GotoDefinitionResponse> {
    let position = parameters.text_document_position_params.position;
    let defined = variable(context, position, |role| role == ide::PlaceRole::Definition);
    if !defined.is_empty() {
        return Some(defined.into());
    }
    let (target, offset) = context.target(position)?;
    if let Some(span) = ide::id_in_facts(target.file(), offset) {
        let (texts, encoding) = (&context.texts, context.shared.client.encoding);
        let place = place_of(target.linted, Origin::Facts, texts, encoding)?;
        return Some(vec![to_protocol::location(&place, span)].into());
    }
    let files = related_at(context, &target, offset);
    let files = files.iter().map(|(_, place)| to_protocol::location(place, Span::at(0)));
    let files: Vec<Location> = files.collect();
    (!files.is_empty()).then(|| files.into())
}

pub(crate) fn references(
    context: &Context<'_>,
    parameters: &ReferenceParams,
) -> Option<Vec<Location>> {
    let declarations = parameters.context.include_declaration;
    let position = parameters.text_document_position.position;
    let used =
        variable(context, position, |role| declarations || role != ide::PlaceRole::Definition);
    Some(used)
}

/// The places of the variable at a position, each once.
fn variable(
    context: &Context<'_>,
    position: Position,
    is_wanted: impl Fn(ide::PlaceRole) -> bool,
) -> Vec<Location> {
    let Some((target, offset)) = context.target(position) else { return Vec::new() };
    let Some((name, _)) = ide::variable_at(target.file(), offset) else { return Vec::new() };
    let mut all: Vec<Location> = Vec::new();
    let mut known = BTreeSet::new();
    for found in ide::occurrences(&target.inputs, &name) {
        let place = if found.origin == target.origin {
            Some(target.place.clone())
        } else {
            place_of(target.linted, found.origin, &context.texts, context.shared.client.encoding)
        };
        let Some(location) = place.map(|place| to_protocol::location(&place, found.span)) else {
            continue;
        };
        let Location { uri, range: Range { start, end } } = &location;
        let place = (uri.as_str().to_owned(), start.line, start.character, end.line, end.character);
        if is_wanted(found.role) && known.insert(place) {
            all.push(location);
        }
    }
    all
}
