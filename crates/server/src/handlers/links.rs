//! Links from a document to the files that belong to it: its stored configuration, facts and texts.

use lsp_types::{DocumentLink, DocumentLinkParams};
use voxlint::syntax::{Node, Span};
use voxlint::{Document, Origin};

use crate::analysis::{Places, Target, TextPlace, place_of};
use crate::context::Context;
use crate::to_protocol;

/// The fields that say which agent and which version a document is about.
const IDENTITY: [&str; 3] = ["version_number", "agent_id", "id"];

/// How deep these fields may be: in wrappers such as `{"update": {…}}`.
const MAX_DEPTH: usize = 2;

pub(crate) fn links(context: &Context<'_>, _: &DocumentLinkParams) -> Option<Vec<DocumentLink>> {
    let encoding = context.shared.client.encoding;
    let shows_tooltips = context.shared.client.shows_tooltips;
    let tooltip = shows_tooltips.then_some("open the stored configuration");
    let mut places = Places::new(&context.texts, encoding);
    let mut all = Vec::new();
    for target in context.targets().iter().filter(|it| it.origin == Origin::Document) {
        let document = target.file().document();
        let span = identity(document);
        let stored = places.place_of(target.linted, Origin::Stored);
        let text = places.place_of(target.linted, Origin::Text(0));
        let (span, name) = (span.map(Node::span), span.and_then(name_before));
        if let Some((span, stored)) = span.zip(stored) {
            all.push(DocumentLink {
                range: to_protocol::range(&target.place, span),
                target: Some(stored.uri),
                tooltip: tooltip.map(str::to_owned),
                data: None,
            });
        }
        // The value leads to the stored configuration, and the name before it to the text file.
        if let Some((span, text)) = name.zip(text) {
            all.push(DocumentLink {
                range: to_protocol::range(&target.place, span),
                target: Some(text.uri),
                tooltip: shows_tooltips.then(|| "open the text file".to_owned()),
                data: None,
            });
        }
    }
    Some(all)
}

/// The files that belong to a document, if an offset is in the field that says which one it is: the stored configuration, then
/// the texts, then the facts.
pub(crate) fn related_at(
    context: &Context<'_>,
    target: &Target<'_>,
    offset: u32,
) -> Vec<(Origin, TextPlace)> {
    let is_there = |span: Span| span.start <= offset && offset <= span.end;
    if target.origin != Origin::Document
        || !identity(target.file().document()).map(Node::span).is_some_and(is_there)
    {
        return Vec::new();
    }
    let encoding = context.shared.client.encoding;
    let related = target.linted.related.iter().map(|(origin, _)| *origin);
    let mut origins: Vec<Origin> = related.collect();
    origins.sort_by_key(|origin| matches!(origin, Origin::Facts));
    let place = |origin| Some((origin, place_of(target.linted, origin, &context.texts, encoding)?));
    origins.into_iter().filter_map(place).collect()
}

/// The value that says which version or agent a document is about.
fn identity(document: &Document) -> Option<Node<'_>> {
    let root = document.tree().root()?;
    IDENTITY.iter().find_map(|name| find(root, name, MAX_DEPTH))
}

/// The name of a field.
fn name_before(value: Node<'_>) -> Option<Span> {
    value.name().map(Node::span)
}

fn find<'a>(node: Node<'a>, name: &str, depth: usize) -> Option<Node<'a>> {
    if let Some(value) = node.get(name) {
        return Some(value);
    }
    let deeper = depth.checked_sub(1)?;
    node.members().find_map(|member| find(member.value, name, deeper))
}
