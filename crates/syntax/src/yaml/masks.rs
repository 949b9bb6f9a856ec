//! What is passed over: blanks in its place, and marks on what it touches.

use crate::Span;
use crate::tree::{FAULTY, INCOMPLETE, Tag, Tree};

/// Whether a character may stand nowhere in a YAML text.
pub(super) const fn is_forbidden(character: char) -> bool {
    matches!(
        character,
        '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}'
            | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
    )
}

/// Puts blanks in place of everything in the spans but line breaks.
pub(super) fn fill_with_spaces(text: &mut String, spans: &[Span]) {
    let fits = |span: &&Span| {
        text.is_char_boundary(span.start as usize) && text.is_char_boundary(span.end as usize)
    };
    let spans: Vec<Span> = spans.iter().filter(fits).copied().collect();
    let mut bytes = std::mem::take(text).into_bytes();
    for span in spans {
        let bytes = bytes.get_mut(span.start as usize..span.end as usize).unwrap_or_default();
        for byte in bytes.iter_mut().filter(|byte| !matches!(byte, b'\n' | b'\r')) {
            *byte = b' ';
        }
    }
    // Whole characters were replaced, so it is still UTF-8.
    *text = String::from_utf8(bytes).unwrap_or_default();
}

/// Whether something was passed over in a span.
pub(super) fn is_masked(span: Span, masks: &[Span]) -> bool {
    let first = masks.partition_point(|mask| mask.end <= span.start);
    masks.get(first).is_some_and(|mask| mask.start < span.end)
}

/// What was passed over right after an offset.
pub(super) fn mask_at(text: &str, from: u32, masks: &[Span]) -> Option<Span> {
    let first = masks.partition_point(|mask| mask.start < from);
    let mask = masks.get(first)?;
    let between = Span::new(from, mask.start).slice(text);
    between.trim().is_empty().then_some(*mask)
}

/// Marks the scalars in which something was passed over, and the containers out of which it may have been:
/// those that hold its neighbours.
pub(super) fn mark_touched(tree: &mut Tree, masks: &[Span]) {
    if masks.is_empty() || tree.nodes.is_empty() {
        return;
    }
    let mut parents = vec![u32::MAX; tree.nodes.len()];
    let mut open: Vec<(u32, u32)> = Vec::new();
    for (id, node) in (0u32..).zip(&tree.nodes) {
        while open.last().is_some_and(|(_, next)| *next <= id) {
            open.pop();
        }
        if let (Some(slot), Some((parent, _))) = (parents.get_mut(id as usize), open.last()) {
            *slot = *parent;
        }
        open.push((id, node.next));
    }
    let mut is_done = vec![false; tree.nodes.len()];
    let begins_line = |mask: &Span| {
        let before = tree.text.get(..mask.start as usize).unwrap_or_default();
        before.trim_end_matches([' ', '\t']).ends_with(['\n', '\r'])
    };
    for mask in masks {
        let after = tree.nodes.partition_point(|node| node.start < mask.end);
        // Nodes that begin before the end of the mask and have it inside, or part of it.
        let mut is_inside_scalar = false;
        for node in tree.nodes.iter_mut().take(after).rev() {
            let is_scalar = !matches!(node.tag, Tag::Object | Tag::Array);
            if is_scalar && node.end > mask.start {
                node.flags |= FAULTY;
                // A whole line was perhaps none of the scalar's.
                let is_inside = node.start <= mask.start && mask.end <= node.end;
                is_inside_scalar |= is_inside && (node.tag == Tag::Invalid || !begins_line(mask));
            } else if is_scalar {
                break;
            }
        }
        if is_inside_scalar {
            continue;
        }
        for neighbour in [after.checked_sub(1), Some(after)].into_iter().flatten() {
            let mut at = neighbour;
            while let Some(done) = is_done.get_mut(at).filter(|done| !**done) {
                *done = true;
                if let Some(node) = tree.nodes.get_mut(at)
                    && matches!(node.tag, Tag::Object | Tag::Array)
                {
                    node.flags |= INCOMPLETE;
                }
                at = parents.get(at).map_or(usize::MAX, |parent| *parent as usize);
            }
        }
    }
}
