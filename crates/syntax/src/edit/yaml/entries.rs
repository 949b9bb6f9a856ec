//! The members and items of blocks.

use std::ops::Range;

use crate::edit::lines;
use crate::{Node, Span, Trivia};

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
pub(super) fn entries<'a>(trivia: &Trivia, container: Node<'a>) -> Option<Vec<Entry<'a>>> {
    let text = container.tree().text();
    let said = |from: usize, to: usize| {
        let between = (from <= to).then(|| Span::of(from, to))?;
        Some(trivia.without_comments(text, between))
    };
    let mut entries: Vec<Entry<'a>> = Vec::new();
    for value in container.values() {
        let span = value.span();
        let (start, end) = (span.start as usize, span.end as usize);
        let from = if let Some(key) = value.name() {
            if said(key.span().end as usize, start)?.trim() != ":" || key.source().starts_with('*')
            {
                return None;
            }
            key.span().start as usize
        } else {
            let floor = entries.last().map_or(0, |last| last.extent.end);
            let before = said(floor, start)?;
            let dash = before.trim_end().strip_suffix('-')?;
            floor + dash.len()
        };
        if entries.last().is_some_and(|last| last.extent.end > from) {
            return None;
        }
        entries.push(Entry { extent: from..end, value });
    }
    Some(entries)
}
