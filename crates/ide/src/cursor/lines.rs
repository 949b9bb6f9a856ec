//! The lines of a text.

#[cfg(test)]
thread_local! {
    /// The number of bytes that have been looked at on this thread.
    pub(super) static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts bytes that are looked at, for the test that reading takes linear time.
#[cfg(test)]
pub(super) fn count(bytes: usize) {
    STEPS.with(|steps| steps.set(steps.get() + bytes));
}

/// Outside of tests, nothing is counted.
#[cfg(not(test))]
pub(super) const fn count(_: usize) {}

/// Where the line of an offset ends, without its line break.
pub(super) fn line_end(text: &str, offset: usize) -> usize {
    let rest = text.as_bytes().get(offset..).unwrap_or_default();
    let length = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    count(length);
    let end = offset + length;
    let is_return = length > 0 && text.as_bytes().get(end - 1) == Some(&b'\r');
    if is_return && end < text.len() { end - 1 } else { end }
}

/// Where the next line begins; the end of the text after the last one.
pub(super) fn next_line(text: &str, offset: usize) -> usize {
    let rest = text.as_bytes().get(offset..).unwrap_or_default();
    let length = rest.iter().position(|byte| *byte == b'\n').map_or(rest.len(), |at| at + 1);
    count(length);
    offset + length
}

/// Where the line of an offset begins.
pub(super) fn line_start(text: &str, offset: usize) -> usize {
    let before = text.as_bytes().get(..offset).unwrap_or_default();
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    count(before.len() - start);
    start
}

/// The first byte from an offset on that is not a space or a tab.
pub(super) fn skip_spaces(text: &str, offset: usize) -> usize {
    let rest = text.as_bytes().get(offset..).unwrap_or_default();
    let length = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    count(length);
    offset + length
}

/// The byte at an offset.
pub(super) fn byte(text: &str, offset: usize) -> Option<u8> {
    count(1);
    text.as_bytes().get(offset).copied()
}
