use crate::Span;

/// One replacement of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct TextEdit {
    /// The characters to replace, as bytes of the file on disk. Empty to insert only.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub span: Span,
    /// The new text.
    pub text: String,
}

impl TextEdit {
    /// Replaces the bytes of a span with a text.
    pub fn new(span: Span, text: impl Into<String>) -> Self {
        Self { span, text: text.into() }
    }
}

/// Applies edits to the bytes of a file. Every byte outside the edits is kept.
///
/// The edits must be sorted by span, must not overlap, and must be inside the file; if not, the result is `None`.
///
/// ```
/// use voxlint_syntax::Span;
/// use voxlint_syntax::edit::{TextEdit, apply};
///
/// let edits = [TextEdit::new(Span::new(1, 3), "b"), TextEdit::new(Span::at(4), "!")];
/// assert_eq!(apply(b"[12]", &edits).as_deref(), Some(&b"[b]!"[..]));
/// assert_eq!(apply(b"[]", &edits), None);
/// ```
pub fn apply(text: impl AsRef<[u8]>, edits: &[TextEdit]) -> Option<Vec<u8>> {
    let text = text.as_ref();
    let added: usize = edits.iter().map(|edit| edit.text.len()).sum();
    let mut edited = Vec::with_capacity(text.len() + added);
    let mut from = 0;
    for edit in edits {
        let (start, end) = (edit.span.start as usize, edit.span.end as usize);
        if end < start {
            return None;
        }
        edited.extend_from_slice(text.get(from..start)?);
        edited.extend_from_slice(edit.text.as_bytes());
        from = end;
    }
    edited.extend_from_slice(text.get(from..)?);
    Some(edited)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_that_overlap_or_are_outside_are_rejected() {
        let overlapping = [TextEdit::new(Span::new(0, 2), ""), TextEdit::new(Span::new(1, 3), "")];
        assert_eq!(apply("abc", &overlapping), None);
        let backwards = [TextEdit::new(Span::new(2, 1), "")];
        assert_eq!(apply("abc", &backwards), None);
        let outside = [TextEdit::new(Span::new(2, 4), "")];
        assert_eq!(apply("abc", &outside), None);
    }

    #[test]
    fn edits_may_touch() {
        let edits = [TextEdit::new(Span::new(0, 1), "x"), TextEdit::new(Span::new(1, 2), "y")];
        assert_eq!(apply("abc", &edits).as_deref(), Some(&b"xyc"[..]));
    }
}
