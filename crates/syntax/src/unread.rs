use crate::Span;

/// The maximum nesting depth of containers. Deeper containers are skipped. JSON itself sets no limit.
pub const MAX_DEPTH: usize = 512;

/// The maximum nesting depth of brackets in TOML. Deeper brackets are skipped. Tables by headers and dotted keys may be nested
/// up to [`MAX_DEPTH`]. TOML itself sets no limit; common parsers stop at 80.
pub const MAX_BRACKETS: usize = 128;
/// A part of a text that was not parsed, so nothing in it was checked.
///
/// ```
/// use voxlint_syntax::{Format, parse};
///
/// let text = "[".repeat(600) + &"]".repeat(600);
/// let unread = &parse(text, Format::Json).unread[0];
/// assert_eq!(unread.span.start, 512);
/// assert_eq!(unread.why.to_string(), "nested deeper than 512 levels, so what is inside was not checked");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unread {
    /// The character that opens the part.
    pub span: Span,
    /// Why it was not parsed.
    pub why: UnreadReason,
}

/// Why a part of a text was not parsed. Displayed as part of a sentence, in lower case and without a full stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum UnreadReason {
    /// Containers are nested deeper than [`MAX_DEPTH`].
    Depth,
    /// TOML brackets are nested deeper than [`MAX_BRACKETS`].
    Brackets,
    /// The aliases of a YAML document expand to too many values.
    Aliases,
    /// The parser of YAML or TOML could not continue after a syntax error, or there were too many of them.
    Errors,
}

impl std::fmt::Display for UnreadReason {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Depth => write!(
                formatter,
                "nested deeper than {MAX_DEPTH} levels, so what is inside was not checked"
            ),
            Self::Brackets => write!(
                formatter,
                "brackets are nested deeper than {MAX_BRACKETS} levels, so what is inside was not checked"
            ),
            Self::Aliases => formatter
                .write_str("YAML aliases expand to too many values, so not all of them were checked"),
            Self::Errors => formatter.write_str(
                "a syntax error hides the rest of the file, so it was not checked: fix it and run voxlint again",
            ),
        }
    }
}

/// Adds an unread part, unless the document already has one with the same reason.
pub(crate) fn note(unread: &mut Vec<Unread>, why: UnreadReason, span: Span) {
    if unread.iter().all(|known| known.why != why) {
        unread.push(Unread { span, why });
    }
}
