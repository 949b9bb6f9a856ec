//! Verifies corrections.

use super::{
    description::Correction,
    error::TemplateErrorKind as Kind,
    tag_text::{BLOCK_HELPERS, open_braces},
};
use crate::{
    parse::{node::TemplateNode, span::TemplateSpan, tree::NodeKind},
    parsed::ParsedTemplate,
};

/// Whether a correction leaves no extra brace.
pub(super) fn may_fix(correction: &Correction, text: &str) -> bool {
    let TemplateSpan { start, end } = correction.span;
    let (Some(before), Some(after)) = (text.get(..start as usize), text.get(end as usize..)) else {
        return false;
    };
    let leaves_brace = after.trim_start_matches(' ').starts_with('}') && open_braces(before) == 0;
    !(leaves_brace || before.ends_with('{') && correction.text.starts_with('{'))
}

/// Whether a corrected text has no error at or directly after the correction, and no tag there that fails when it is rendered.
pub(super) fn is_fixed(correction: &Correction, corrected: &str, parsed: &ParsedTemplate) -> bool {
    let start = correction.span.start;
    let place = TemplateSpan { start, end: start + correction.text.len() as u32 };
    let is_valid = parsed.error.as_ref().is_none_or(|next| {
        let is_block = next.kind == Kind::UnclosedBlock;
        next.span.start > place.end || (is_block && next.span.end <= start)
    });
    let mut nodes = parsed.tree.nodes().filter(|node| place.contains(node.span()));
    is_valid && nodes.all(|node| is_rendered(node, corrected))
}

/// Whether a tag or expression is rendered without custom helpers, partials and decorators.
fn is_rendered(node: TemplateNode<'_>, text: &str) -> bool {
    match node.kind() {
        NodeKind::Decorator | NodeKind::Partial => false,
        NodeKind::Mustache => is_name(node, text) || is_call(node, text, &["lookup"], 2),
        NodeKind::SubExpression => is_call(node, text, &["lookup"], 2),
        NodeKind::Opening | NodeKind::Else => {
            let tag = node.span().of(text);
            let sign = tag.trim_start_matches(['{', '~']);
            let is_custom =
                sign.starts_with("#>") || sign.starts_with("#*") || tag.starts_with("{{{{");
            let is_plain = is_name(node, text) || is_call(node, text, &BLOCK_HELPERS, 1);
            node.head().is_none() || (!is_custom && is_plain)
        }
        _ => true,
    }
}

/// Whether a tag contains only a name, and not that of a helper that needs arguments.
fn is_name(tag: TemplateNode<'_>, text: &str) -> bool {
    let is_alone = tag.params().next().is_none() && tag.hash_arguments().next().is_none();
    let is_variable = |head: TemplateNode<'_>| {
        let name = head.span().of(text);
        head.kind() == NodeKind::Path && name != "lookup" && !BLOCK_HELPERS.contains(&name)
    };
    is_alone && tag.head().is_some_and(is_variable)
}

/// Whether a tag calls one of these helpers with this number of positional arguments.
fn is_call(tag: TemplateNode<'_>, text: &str, helpers: &[&str], count: usize) -> bool {
    let head = tag.head().map(|head| head.span().of(text)).unwrap_or_default();
    helpers.contains(&head) && tag.params().count() == count
}
