//! Where a template variable or a function is defined and used, where an id is listed in the facts, and the files that belong to a document.

use std::collections::{BTreeMap, BTreeSet};

use lsp_types::{
    GotoDefinitionParams, GotoDefinitionResponse, Location, Position, ReferenceParams,
};
use voxlint::Origin;
use voxlint::syntax::Span;
use voxlint_ide as ide;

use crate::analysis::{Target, TextPlace, place_of};
use crate::context::Context;
use crate::handlers::links::related_at;
use crate::to_protocol;

pub(crate) fn definition(
    context: &Context<'_>,
    parameters: &GotoDefinitionParams,
) -> Option<GotoDefinitionResponse> {
    let position = parameters.text_document_position_params.position;
    let defined = named(context, position, |role| role == ide::PlaceRole::Definition);
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
    let used = named(context, position, |role| declarations || role != ide::PlaceRole::Definition);
    Some(used)
}

/// The places of the variable or function at a position, each once. A text that documents share belongs to all of them.
fn named(
    context: &Context<'_>,
    position: Position,
    is_wanted: impl Fn(ide::PlaceRole) -> bool,
) -> Vec<Location> {
    let Some((target, offset)) = context.target(position) else { return Vec::new() };
    let Some((name, _)) = ide::name_at(target.file(), offset) else { return Vec::new() };
    let others = context.other_users(&target);
    places(context, [&target].into_iter().chain(&others), &name, is_wanted)
}

/// The places of a name in some documents, each once.
pub(crate) fn places<'t>(
    context: &Context<'_>,
    targets: impl IntoIterator<Item = &'t Target<'t>>,
    name: &ide::Name,
    is_wanted: impl Fn(ide::PlaceRole) -> bool,
) -> Vec<Location> {
    let mut all = Vec::new();
    let mut known = BTreeSet::new();
    for target in targets {
        let mut places: BTreeMap<Origin, Option<TextPlace>> = BTreeMap::new();
        places.insert(target.origin, Some(target.place.clone()));
        let place = |origin| {
            let encoding = context.shared.client.encoding;
            place_of(target.linted, origin, &context.texts, encoding)
        };
        for found in ide::occurrences(&target.inputs, name) {
            let at = places.entry(found.origin).or_insert_with(|| place(found.origin));
            let Some(at) = at.as_ref().filter(|_| is_wanted(found.role)) else { continue };
            if known.insert((at.key.clone(), at.ends(found.span))) {
                all.push(to_protocol::location(at, found.span));
            }
        }
    }
    all
}
