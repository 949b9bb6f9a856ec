//! The lines of a text.

/// Where the line of an offset ends, without its line break.
pub(super) fn line_end(text: &str, offset: usize) -> usize {
    let rest = text.as_bytes().get(offset..).unwrap_or_default();
    let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    let end = offset + length;
    let is_return = length > 0 && text.as_bytes().get(end - 1) == Some(&b'\r');
    if is_return && end < text.len() { end - 1 } else { end }
}

/// Where the next line begins; the end of the text after the last one.
pub(super) fn next_line(text: &str, offset: usize) -> usize {
    let rest = text.as_bytes().get(offset..).unwrap_or_default();
    offset + rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |at| at + 1)
}

/// Where the line of an offset begins.
pub(super) fn line_start(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().get(..offset).unwrap_or_default();
    before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1)
}

/// The first byte from an offset on that is not a space or a tab.
pub(super) fn skip_blanks(text: &str, offset: usize) -> usize {
    let rest = text.as_bytes().get(offset..).unwrap_or_default();
    offset + rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// The byte at an offset.
pub(super) fn byte(text: &str, offset: usize) -> Option<u8> {
    text.as_bytes().get(offset).copied()
}
