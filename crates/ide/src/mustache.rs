//! The mustache around a place of a template that may not be written to its end.

use voxlint::syntax::Span;

/// A mustache around a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Mustache {
    /// The sign behind the braces: `#`, `/`, `^`, `>`, `&` or `!`.
    pub(crate) sign: Option<char>,
    /// From behind the braces to the closing ones.
    pub(crate) content: Span,
    /// The word at the place.
    pub(crate) word: Span,
    /// Whether the word is the first one.
    pub(crate) is_head: bool,
    /// The first word.
    pub(crate) head: String,
    /// The braces that are missing after it.
    pub(crate) missing: &'static str,
    /// The blocks that are open before it, the outermost first.
    pub(crate) open: Vec<String>,
}

/// Finds the mustache around an offset of a template, which is `inner` in the text.
pub(crate) fn mustache_at(text: &str, inner: Span, offset: u32) -> Option<Mustache> {
    let template = inner.slice(text);
    let target = offset.checked_sub(inner.start)? as usize;
    let mut open: Vec<String> = Vec::new();
    let mut at = 0;
    while let Some(found) = template.get(at..).and_then(|rest| rest.find("{{")) {
        let braces = at + found;
        let is_triple = template.get(braces + 2..).is_some_and(|rest| rest.starts_with('{'));
        let start = braces + if is_triple { 3 } else { 2 };
        if start > target {
            return None;
        }
        let rest = template.get(start..).unwrap_or_default();
        let is_comment = rest.trim_start_matches('~').starts_with("!--");
        let close = if is_comment { "--}}" } else { "}}" };
        // Another mustache begins only after this one has ended.
        let next = rest.find("{{").filter(|_| !is_comment);
        let scope = rest.get(..next.unwrap_or(rest.len())).unwrap_or_default();
        let end = scope.find(close);
        let line = scope.find('\n').filter(|_| !is_comment);
        let length = end.or(line).unwrap_or(scope.len());
        let is_closed = end.is_some();
        let content = rest.get(..length).unwrap_or_default();
        if target <= start + length {
            let missing = match (is_closed, is_triple) {
                (true, _) => "",
                (false, true) => "}}}",
                (false, false) => "}}",
            };
            let span = Span::new(inner.start + start as u32, inner.start + (start + length) as u32);
            return inside(text, span, offset, missing, open);
        }
        let content = content.trim_matches(['~', ' ']);
        let mut words = content.get(1..).unwrap_or_default().split_whitespace();
        match content.bytes().next() {
            Some(b'#') => open
                .push(words.next().unwrap_or_default().trim_start_matches(['>', '*']).to_owned()),
            Some(b'/') => {
                open.pop();
            }
            _ => {}
        }
        at = start + length;
    }
    None
}

fn inside(
    text: &str,
    content: Span,
    offset: u32,
    missing: &'static str,
    open: Vec<String>,
) -> Option<Mustache> {
    let source = content.slice(text);
    let trimmed = source.trim_start_matches(['~', ' ']);
    let sign =
        trimmed.chars().next().filter(|sign| matches!(sign, '#' | '/' | '^' | '>' | '&' | '!'));
    let before = content.end - trimmed.len() as u32 + sign.map_or(0, |sign| sign.len_utf8() as u32);
    let behind = Span::new(before, content.end).slice(text);
    let head_start = content.end - behind.trim_start().len() as u32;
    let is_name = |byte: u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'-' | b'.' | b'@' | b'/')
            || byte >= 0x80
    };
    // There is nothing to write before a sign.
    let first = if sign.is_some() { before } else { content.start };
    if offset < first || content.end < offset {
        return None;
    }
    let left = Span::new(first, offset).slice(text);
    let start = offset - left.bytes().rev().take_while(|byte| is_name(*byte)).count() as u32;
    let right = Span::new(offset, content.end).slice(text);
    let end = offset + right.bytes().take_while(|byte| is_name(*byte)).count() as u32;
    let head = behind.split_whitespace().next().unwrap_or_default();
    Some(Mustache {
        sign,
        content,
        word: Span::new(start, end),
        is_head: start <= head_start,
        head: head.trim_end_matches('~').to_owned(),
        missing,
        open,
    })
}
