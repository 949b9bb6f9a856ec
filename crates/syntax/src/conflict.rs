//! Merge conflict markers.

use std::borrow::Cow;

use crate::{Span, SyntaxError, SyntaxErrorKind};

use marker::{BASE, OURS, SEPARATOR, THEIRS};

/// The markers at the beginning of the lines of a merge conflict.
pub mod marker {
    /// Begins the first side.
    pub const OURS: &str = "<<<<<<<";
    /// Begins the common ancestor.
    pub const BASE: &str = "|||||||";
    /// Begins the second side.
    pub const SEPARATOR: &str = "=======";
    /// Ends the conflict.
    pub const THEIRS: &str = ">>>>>>>";
}

/// A text with spaces in place of conflict markers and of all sides of a conflict but the first. The rest can be
/// parsed, and offsets do not change.
#[derive(Debug)]
pub(crate) struct Resolved<'t> {
    pub(crate) text: Cow<'t, str>,
    /// The replaced lines, in the order of the text.
    pub(crate) replaced: Vec<Span>,
    /// One error for each conflict.
    pub(crate) errors: Vec<SyntaxError>,
}

/// Finds the conflicts of a text. `is_text` returns whether the marker at an offset is part of a string.
pub(crate) fn resolve(text: &str, is_text: impl Fn(u32) -> bool) -> Resolved<'_> {
    let mut resolved =
        Resolved { text: Cow::Borrowed(text), replaced: Vec::new(), errors: Vec::new() };
    let bytes = text.as_bytes();
    let has = |marker: &str| memchr::memmem::find(bytes, marker.as_bytes()).is_some();
    if !has(OURS) && !has(THEIRS) {
        return resolved;
    }
    // Whether the current side is dropped; `None` outside conflicts.
    let mut is_dropped: Option<bool> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let body = line.trim_end_matches(['\n', '\r']);
        let is = |marker: &str| {
            body.strip_prefix(marker).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let span = Span::of(start, start + body.len());
        let begins = is(OURS) && is_dropped.is_none();
        let ends = is(THEIRS);
        let separates = is_dropped.is_some() && (is(BASE) || body == SEPARATOR);
        if (begins || ends) && is_text(span.start) {
            continue;
        }
        if begins || (ends && is_dropped.is_none()) {
            resolved.errors.push(SyntaxError::new(SyntaxErrorKind::ConflictMarker, span));
        }
        if begins || ends || separates || is_dropped == Some(true) {
            resolved.replaced.push(span);
        }
        is_dropped = match is_dropped {
            _ if begins => Some(false),
            _ if ends => None,
            Some(_) if separates => Some(true),
            state => state,
        };
    }
    if !resolved.replaced.is_empty() {
        let mut masked = text.to_owned().into_bytes();
        for span in &resolved.replaced {
            let range = span.start as usize..span.end as usize;
            masked.get_mut(range).unwrap_or_default().fill(b' ');
        }
        // Whole lines were replaced, so it is still UTF-8.
        resolved.text = Cow::Owned(String::from_utf8(masked).unwrap_or_default());
    }
    resolved
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_side_of_each_conflict_is_kept() {
        let text = "a\n<<<<<<< ours\nb\n||||||| base\nc\n=======\nd\n>>>>>>> theirs\ne\n=======\n<<<<<<<< no\n";
        let resolved = resolve(text, |_| false);
        let left: Vec<&str> = resolved.text.split_whitespace().collect();
        assert_eq!(left, ["a", "b", "e", "=======", "<<<<<<<<", "no"]);
        assert_eq!(resolved.text.len(), text.len());
        let places: Vec<&str> =
            resolved.errors.iter().map(|error| error.span.slice(text)).collect();
        assert_eq!(places, ["<<<<<<< ours"]);
    }

    #[test]
    fn a_marker_that_is_left_over_is_a_conflict() {
        let resolved = resolve("a\n>>>>>>> theirs\nb\n", |_| false);
        assert_eq!(resolved.errors.len(), 1);
        assert!(matches!(resolve("a << b\n", |_| false).text, Cow::Borrowed(_)));
        // A marker in a string is text.
        assert!(resolve("a\n>>>>>>> theirs\nb\n", |_| true).errors.is_empty());
    }
}
