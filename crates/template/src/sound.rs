//! Whether a correction may be offered.

use crate::{
    correct::{Correction, is_in_json},
    fault::FaultKind,
    node::Node,
    parser::parse,
    span::Span,
    tree::NodeKind,
};

/// Whether the whole text, corrected, has no fault at or right behind that place, no stray brace there, and nothing
/// there that only fails later, when it is rendered.
pub(crate) fn is_sound(correction: &Correction, text: &str) -> bool {
    let Span { start, end } = correction.span;
    let (Some(before), Some(after)) = (text.get(..start as usize), text.get(end as usize..)) else {
        return false;
    };
    let leaves_brace = after.trim_start_matches(' ').starts_with('}') && !is_in_json(before);
    if leaves_brace || (before.ends_with('{') && correction.text.starts_with('{')) {
        return false;
    }
    let corrected = [before, correction.text.as_str(), after].concat();
    let place = Span { start, end: start + correction.text.len() as u32 };
    let parsed = parse(&corrected);
    let is_valid = parsed.fault.is_none_or(|next| {
        let is_block = matches!(next.kind, FaultKind::UnclosedBlock | FaultKind::UnclosedRawBlock);
        next.span.start > place.end || (is_block && next.span.end <= start)
    });
    let mut nodes = parsed.tree.nodes().filter(|node| place.contains(node.span()));
    is_valid && nodes.all(|node| is_rendered(node, &corrected))
}

/// Whether a tag or expression is rendered without helpers, partials and decorators of one's own.
fn is_rendered(node: Node<'_>, text: &str) -> bool {
    match node.kind() {
        NodeKind::Decorator | NodeKind::Partial => false,
        NodeKind::Mustache => is_name(node, text) || is_call(node, text, &["lookup"], 2),
        NodeKind::SubExpression => is_call(node, text, &["lookup"], 2),
        NodeKind::Opening | NodeKind::Else => {
            let tag = node.span().of(text).trim_start_matches(['{', '~']);
            let is_own = tag.starts_with("#>")
                || tag.starts_with("#*")
                || node.span().of(text).starts_with("{{{{");
            node.head().is_none()
                || (!is_own
                    && (is_name(node, text)
                        || is_call(node, text, &["if", "unless", "each", "with"], 1)))
        }
        _ => true,
    }
}

/// Whether a tag holds a name and nothing else, and not that of a helper which needs arguments.
fn is_name(tag: Node<'_>, text: &str) -> bool {
    let is_alone = tag.params().next().is_none() && tag.pairs().next().is_none();
    let is_path = |head: Node<'_>| {
        head.kind() == NodeKind::Path
            && !["if", "unless", "each", "with", "lookup"].contains(&head.span().of(text))
    };
    is_alone && tag.head().is_some_and(is_path)
}

/// Whether a tag calls one of these helpers with so many arguments.
fn is_call(tag: Node<'_>, text: &str, helpers: &[&str], arguments: usize) -> bool {
    let head = tag.head().map(|head| head.span().of(text)).unwrap_or_default();
    helpers.contains(&head) && tag.params().count() == arguments
}
