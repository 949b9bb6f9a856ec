//! Masks: skipped parts of the text, which are replaced by spaces and marked in the tree.

use crate::Span;
use crate::tree::{FAULTY, INCOMPLETE, Tag, Tree};

/// Whether a character is forbidden everywhere in YAML.
pub(super) const fn is_forbidden(character: char) -> bool {
    matches!(
        character,
        '\0'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{84}' | '\u{86}'..='\u{9f}'
            | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
    )
}

/// Replaces everything in the spans by spaces, except line breaks.
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

/// Whether a span overlaps a mask.
pub(super) fn is_masked(span: Span, masks: &[Span]) -> bool {
    let first = masks.partition_point(|mask| mask.end <= span.start);
    masks.get(first).is_some_and(|mask| mask.start < span.end)
}

/// The mask right after an offset.
pub(super) fn mask_at(text: &str, from: u32, masks: &[Span]) -> Option<Span> {
    let first = masks.partition_point(|mask| mask.start < from);
    let mask = masks.get(first)?;
    let between = Span::new(from, mask.start).slice(text);
    between.trim().is_empty().then_some(*mask)
}

/// Marks scalars with masked text as faulty, and the containers around masked text as incomplete.
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
        // Nodes that overlap the mask.
        let mut is_inside_scalar = false;
        for node in tree.nodes.iter_mut().take(after).rev() {
            let is_scalar = !matches!(node.tag, Tag::Object | Tag::Array);
            if is_scalar && node.end > mask.start {
                node.flags |= FAULTY;
                // A whole line may not be part of the scalar.
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
