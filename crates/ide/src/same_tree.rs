//! Compares the values of a document before and after an edit.

use std::collections::HashMap;
use std::ops::Range;

use voxlint::Document;
use voxlint::syntax::{Node, NodeId};

/// Whether two documents have the same names and values, but for the texts that are expected to differ.
pub(crate) fn is_same_tree(
    old: &Document,
    new: &Document,
    expected: &HashMap<NodeId, String>,
) -> bool {
    old.tree().len() == new.tree().len()
        && old.tree().nodes().zip(new.tree().nodes()).all(|(old, new)| {
            old.kind() == new.kind()
                && old.after() == new.after()
                && match expected.get(&old.id()) {
                    Some(text) => new.as_str().as_deref() == Some(text),
                    None => is_same_scalar(old, new),
                }
        })
}

fn is_same_scalar(old: Node<'_>, new: Node<'_>) -> bool {
    match old.as_str() {
        Some(text) => new.as_str() == Some(text),
        None => old.as_bool() == new.as_bool() && old.decimal() == new.decimal(),
    }
}

/// A text with another name in these ranges, which may have the brackets or quotes of a template around the name.
pub(crate) fn spelled(text: &str, ranges: &[Range<usize>], name: &str, to: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    let mut from = 0;
    for range in ranges {
        let written = text.get(range.clone()).unwrap_or_default();
        spelled.push_str(text.get(from..range.start).unwrap_or_default());
        if written == name {
            spelled.push_str(to);
        } else {
            let inner = written.get(1..written.len().saturating_sub(1));
            let ends = written.get(..1).zip(written.get(written.len().saturating_sub(1)..));
            match (inner, ends) {
                (Some(inner), Some((open, close))) if inner == name => {
                    spelled.extend([open, to, close]);
                }
                _ => spelled.push_str(written),
            }
        }
        from = range.end;
    }
    spelled.push_str(text.get(from..).unwrap_or_default());
    spelled
}
