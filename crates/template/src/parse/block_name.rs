//! Compares the name of a closing tag with that of its block.

use std::borrow::Cow;

use super::{
    node::TemplateNode,
    scan::Bytes,
    tree::{NodeKind, TemplateTree, flag},
};

/// Compares the heads of an opening and a closing tag as the reference does: by type and value. A path equals a string
/// of its segments and separators.
///
/// `close` can also be the closing tag of a raw block, whose name is always a string.
pub(super) fn same_name(tree: &TemplateTree, text: &str, open: u32, close: u32) -> bool {
    let (Some(open), Some(close)) = (tree.node(open), tree.node(close)) else { return false };
    value(open, text) == value(close, text)
}

#[derive(PartialEq)]
enum HeadValue<'t> {
    /// A subexpression has no name and counts as `undefined`.
    Undefined,
    Null,
    Boolean(bool),
    Number(f64),
    String(Cow<'t, str>),
}

fn value<'t>(head: TemplateNode<'_>, text: &'t str) -> HeadValue<'t> {
    let source = head.span().of(text);
    match head.kind() {
        NodeKind::Path => HeadValue::String(original(head, text)),
        NodeKind::String => HeadValue::String(head.value(text)),
        NodeKind::Closing => {
            let name = source.strip_prefix("{{{{/").and_then(|rest| rest.strip_suffix("}}}}"));
            HeadValue::String(Cow::Borrowed(name.unwrap_or_default()))
        }
        NodeKind::Number => HeadValue::Number(source.parse().unwrap_or(f64::NAN)),
        NodeKind::Boolean => HeadValue::Boolean(source == "true"),
        NodeKind::Null => HeadValue::Null,
        _ => HeadValue::Undefined,
    }
}

/// A path without white space and brackets, the reference's `path.original`.
pub(crate) fn original<'t>(path: TemplateNode<'_>, text: &'t str) -> Cow<'t, str> {
    let source = path.span().of(text);
    let mut segments = path.children();
    let is_plain =
        |segment: TemplateNode<'_>| segment.span() == path.span() && !segment.has(flag::BRACKETED);
    if segments.next().is_some_and(is_plain) {
        return Cow::Borrowed(source);
    }
    let bytes = Bytes(text.as_bytes());
    let mut name = String::with_capacity(source.len());
    if path.is_data() {
        name.push('@');
    }
    let mut before = None;
    for segment in path.children() {
        if let Some(end) = before {
            name.push(char::from(bytes.at(bytes.skip_space(end as usize))));
        }
        name.push_str(&segment.value(text));
        before = Some(segment.span().end);
    }
    Cow::Owned(name)
}
