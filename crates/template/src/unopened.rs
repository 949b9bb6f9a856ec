//! Closing tags and `else` tags that do not fit the open block, or no block at all.

use crate::{
    diagnose::{WINDOW, probable_end},
    help::tag_name,
    scan::{Bytes, step},
    span::Span,
};

pub(crate) const BLOCKS: [&str; 4] = ["if", "unless", "each", "with"];

/// The last mustache of the range that was to open a block: `{{if vip}}`, without its `#`.
pub(crate) fn without_hash(text: &str, range: Span, names: &[&str]) -> Option<Span> {
    let before = range.of(text);
    step(before.len());
    before.rmatch_indices("{{").find_map(|(at, _)| {
        let content = before.get(at + 2..)?;
        let content = content.strip_prefix('~').unwrap_or(content);
        let lead = content.len() - content.trim_start_matches(' ').len();
        if lead > 3 {
            return None;
        }
        let content = content.trim_start_matches(' ');
        let name = names.iter().filter(|name| BLOCKS.contains(name)).find(|name| {
            content.strip_prefix(**name).is_some_and(|rest| rest.starts_with([' ', '\n', '\t']))
        })?;
        let start = range.start as usize + at;
        let end = probable_end(Bytes(text.as_bytes()), start + 2)?;
        let argument = content.get(name.len()..)?.get(..end.checked_sub(start)?.min(WINDOW));
        let is_whole = end <= range.end as usize;
        (is_whole && argument.is_none_or(|argument| !argument.trim_start().starts_with('}')))
            .then(|| Span::new(start, end))
    })
}

/// The last opening tag of the range that a backslash turns into text: `\{{#if vip}}`.
pub(crate) fn escaped_opener(text: &str, range: Span, names: &[&str]) -> Option<Span> {
    let before = range.of(text);
    step(before.len());
    before.rmatch_indices("\\{{#").find_map(|(at, _)| {
        let tag = before.get(at + 1..)?;
        let is_escaped = !before.get(..at)?.ends_with('\\');
        let end = probable_end(Bytes(tag.as_bytes()), 2)?;
        let name = tag_name(tag.get(..end)?);
        let start = range.start as usize + at;
        (is_escaped && names.contains(&&*name)).then(|| Span::new(start, start + 1 + end))
    })
}

/// Whether a closing name is a way to write the name of a block: `endif`, `IF`, `iff`.
pub(crate) fn is_spelling(close: &str, open: &str) -> bool {
    let foreign = ["endif", "end", "endfor", "fi", "endeach", "endunless"];
    !open.is_empty()
        && !close.is_empty()
        && (close.eq_ignore_ascii_case(open)
            || close.strip_prefix("end") == Some(open)
            || (foreign.contains(&close) && BLOCKS.contains(&open))
            || (open.len() > 1 && close.starts_with(open))
            || (close.len() > 1 && open.starts_with(close)))
}

/// Whether one of the blocks around the open one has the name of the closing tag.
pub(crate) fn names_outer_block(
    text: &str,
    close: Span,
    blocks: impl DoubleEndedIterator<Item = Span>,
) -> bool {
    let close = tag_name(close.of(text));
    let mut blocks = blocks.rev().map(|tag| {
        step(8);
        tag_name(tag.of(text))
    });
    let Some(open) = blocks.next() else { return false };
    let is_own = is_spelling(&close, &open);
    blocks.any(|outer| outer == close || (!is_own && is_spelling(&close, &outer)))
}
