//! The members and items of blocks.

use std::ops::Range;

use crate::Node;
use crate::edit::lines;

/// A member or an item of a block.
#[derive(Debug)]
pub(in crate::edit) struct Entry<'a> {
    /// From its key or dash to the end of its value.
    pub(super) extent: Range<usize>,
    pub(super) value: Node<'a>,
}

impl Entry<'_> {
    pub(super) fn is_first_on_line(&self, text: &str) -> bool {
        lines::indentation(text, self.extent.start).is_some()
    }
}

/// The entries of a container; `None` if one of them has anything unexpected, such as an anchor or an alias.
pub(super) fn entries<'a>(container: Node<'a>) -> Option<Vec<Entry<'a>>> {
    let text = container.tree().text();
    let mut entries: Vec<Entry<'a>> = Vec::new();
    for value in container.values() {
        let span = value.span();
        let (start, end) = (span.start as usize, span.end as usize);
        let from = if let Some(key) = value.name() {
            let between = text.get(key.span().end as usize..start)?;
            let words = without_comments(between);
            if words.trim() != ":" || key.source().starts_with('*') {
                return None;
            }
            key.span().start as usize
        } else {
            let floor = entries.last().map_or(0, |last| last.extent.end);
            let before = text.get(floor..start)?;
            let dash = floor + without_comments(before).rfind('-')?;
            let between = without_comments(text.get(dash + 1..start)?);
            if !between.trim().is_empty() {
                return None;
            }
            dash
        };
        if entries.last().is_some_and(|last| last.extent.end > from) {
            return None;
        }
        entries.push(Entry { extent: from..end, value });
    }
    Some(entries)
}

/// A text with spaces in place of its comments, outside of scalars.
fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive(['\n', '\r']) {
        let comment = if line.starts_with('#') { Some(0) } else { line.find(" #") };
        let at = comment.unwrap_or(line.len());
        for (offset, character) in line.char_indices() {
            if offset < at || matches!(character, '\n' | '\r') {
                out.push(character);
            } else {
                out.extend(std::iter::repeat_n(' ', character.len_utf8()));
            }
        }
    }
    out
}
