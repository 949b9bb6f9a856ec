//! Open brackets and quotes, found in the text alone.

use super::lines::line_at;

/// The brackets and quotes that are open at an offset. They are found in the text, because the library looks ahead and
/// may have stopped before it reported them.
#[derive(Debug, Default)]
pub(super) struct OpenDelimiters {
    /// The outermost open bracket.
    pub(super) bracket: Option<usize>,
    /// The last opening quote, and its closing quote.
    pub(super) quote: Option<(usize, Option<usize>)>,
}

impl OpenDelimiters {
    /// Finds what is open at the offset `to`, starting at `from`. `bracket` is open at `from`.
    pub(super) fn find(text: &str, from: usize, to: usize, bracket: Option<usize>) -> Self {
        let bytes = text.as_bytes();
        let mut opened = Self { bracket, quote: None };
        let mut depth = usize::from(bracket.is_some());
        // Quotes and brackets only count at the beginning of a value.
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
                // Skip anchors and tags.
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

    /// Whether a quote is open at an offset.
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
