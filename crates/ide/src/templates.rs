//! The templates of a document.

use voxlint::Document;
use voxlint::schema::{Row, settings};
use voxlint::syntax::{Kind, Node};

/// The settings that are templates.
pub(crate) const TEMPLATES: [&Row; 3] =
    [settings::prompt_text.row, settings::welcome_message.row, settings::voicemail_message.row];

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
