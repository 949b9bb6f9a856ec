//! The templates of a document, and the map between their trees and the file.

use voxlint::Document;
use voxlint::schema::{Row, settings};
use voxlint::syntax::{DecodedText, Kind, Node};
use voxlint_template::{ParsedTemplate, parse};

/// The settings that are templates.
pub(crate) const TEMPLATES: [&Row; 3] =
    [settings::prompt_text.row, settings::welcome_message.row, settings::voicemail_message.row];

/// A template in a document, parsed.
pub(crate) struct Template<'a> {
    pub(crate) text: DecodedText<'a>,
    pub(crate) parsed: ParsedTemplate,
}

impl<'a> Template<'a> {
    pub(crate) fn of(node: Node<'a>) -> Option<Self> {
        let text = node.text()?;
        let parsed = parse(text.as_str());
        Some(Self { text, parsed })
    }
}

/// The texts of a document that are templates, in the order of the text: the values of the settings that are templates, or the
/// whole file. A text that several names refer to, as with an alias of YAML, is one template.
pub(crate) fn template_nodes(document: &Document) -> Vec<Node<'_>> {
    let tree = document.tree();
    let is_template_name = |key: Node<'_>| {
        let name = key.as_str().unwrap_or_default();
        TEMPLATES.iter().any(|row| name == row.name)
    };
    let mut nodes: Vec<Node<'_>> =
        tree.root().into_iter().filter(|root| root.kind() == Kind::String).collect();
    for node in tree.nodes().filter(|node| node.kind() == Kind::String) {
        if node.name().is_some_and(is_template_name) {
            nodes.push(node);
        }
    }
    nodes.sort_by_key(|node| node.span());
    let mut end = 0;
    nodes.retain(|node| {
        let is_behind = node.span().start >= end;
        end = end.max(node.span().end);
        is_behind
    });
    nodes
}

/// The templates with a mustache, parsed, in the order of the text.
pub(crate) fn templates(document: &Document) -> impl Iterator<Item = Template<'_>> {
    let nodes = template_nodes(document).into_iter();
    nodes.filter_map(Template::of).filter(|template| template.text.as_str().contains("{{"))
}
