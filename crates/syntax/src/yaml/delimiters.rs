//! Brackets and quotes, as far as the text tells by itself.

use super::lines::line_at;
use crate::Span;

/// What is open at a place, as far as the text tells by itself: the library looks ahead, so that it may know of brackets
/// and quotes that it has not told of yet.
#[derive(Debug, Default)]
pub(super) struct OpenDelimiters {
    /// The outermost bracket that is open.
    pub(super) bracket: Option<usize>,
    /// The last quote: where it stands, and where it is closed.
    pub(super) quote: Option<(usize, Option<usize>)>,
}

impl OpenDelimiters {
    /// What is open at the offset `to`, of what begins at `from` or after it. `bracket` is one that is open before.
    pub(super) fn find(text: &str, from: usize, to: usize, bracket: Option<usize>) -> Self {
        let bytes = text.as_bytes();
        let mut opened = Self { bracket, quote: None };
        let mut depth = usize::from(bracket.is_some());
        // A quote or a bracket is one at the beginning of a value, and text inside of one.
        let mut is_start = true;
        let mut at = from;
        while at < to {
            let Some(byte) = bytes.get(at) else { break };
            match byte {
                b'#' if is_start => {
                    at = line_at(text, at).end;
                    continue;
                }
                b'"' | b'\'' if is_start => {
                    let close = closing_quote(bytes, at, *byte);
                    opened.quote = Some((at, close));
                    match close {
                        Some(close) if close < to => at = close + 1,
                        _ => return opened,
                    }
                    continue;
                }
                b'[' | b'{' if is_start || depth > 0 => {
                    if depth == 0 {
                        opened.bracket = Some(at);
                    }
                    depth += 1;
                    is_start = true;
                }
                b']' | b'}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        opened.bracket = None;
                    }
                    is_start = true;
                }
                b'\n' | b'\r' | b',' => is_start = true,
                b':' | b'-' | b'?' => {
                    let next = bytes.get(at + 1);
                    is_start |= matches!(next, None | Some(b' ' | b'\t' | b'\n' | b'\r'));
                    is_start |= depth > 0 && matches!(next, Some(b'"' | b'\''));
                }
                // Anchors and tags are before text.
                b'&' | b'!' if is_start => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    at += rest.iter().position(u8::is_ascii_whitespace).unwrap_or(rest.len());
                    continue;
                }
                b' ' | b'\t' => {}
                _ => is_start = false,
            }
            at += 1;
        }
        opened
    }

    /// Whether a quote is open there.
    pub(super) fn has_open_quote(&self, at: usize) -> bool {
        self.quote.is_some_and(|(_, close)| close.is_none_or(|close| close >= at))
    }
}

pub(super) fn closing_quote(bytes: &[u8], open: usize, quote: u8) -> Option<usize> {
    let mut at = open + 1;
    loop {
        at += memchr::memchr2(quote, b'\\', bytes.get(at..)?)?;
        let byte = *bytes.get(at)?;
        let next = bytes.get(at + 1).copied();
        if byte == b'\\' && quote == b'"' || byte == quote && quote == b'\'' && next == Some(quote)
        {
            at += 2;
        } else if byte == quote {
            return Some(at);
        } else {
            at += 1;
        }
    }
}

/// The first bracket after an opening one that closes one of the other kind.
pub(super) fn wrong_bracket(text: &str, open: usize) -> Option<Span> {
    let bytes = text.as_bytes();
    let mut stack = Vec::new();
    let mut at = open;
    loop {
        match bytes.get(at)? {
            open @ (b'[' | b'{') => stack.push(*open),
            close @ (b']' | b'}') => {
                let expected = if stack.pop()? == b'[' { b']' } else { b'}' };
                if *close != expected {
                    return Some(Span::of(at, at + 1));
                }
            }
            quote @ (b'"' | b'\'') => at = closing_quote(bytes, at, *quote)?,
            _ => {}
        }
        at += 1;
    }
}
