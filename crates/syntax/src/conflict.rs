//! Merge conflict markers.

use std::borrow::Cow;
use std::collections::BTreeSet;

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

/// A text with white space in place of conflict markers and of all sides of a conflict but the first. The rest can be
/// parsed, and offsets do not change.
#[derive(Debug)]
pub(crate) struct Resolved<'t> {
    pub(crate) text: Cow<'t, str>,
    /// The replaced lines, in the order of the text.
    pub(crate) replaced: Vec<Span>,
    /// One error for each conflict.
    pub(crate) errors: Vec<SyntaxError>,
}

/// Finds the conflicts of a text. `is_text` returns whether the marker at an offset is part of a string, and `blank` is what a format
/// does not read: in a text of YAML, spaces would be indented more than its lines.
pub(crate) fn resolve(text: &str, blank: u8, is_text: impl Fn(u32) -> bool) -> Resolved<'_> {
    let mut resolved =
        Resolved { text: Cow::Borrowed(text), replaced: Vec::new(), errors: Vec::new() };
    let bytes = text.as_bytes();
    let has = |marker: &str| memchr::memmem::find(bytes, marker.as_bytes()).is_some();
    if !has(OURS) && !has(THEIRS) {
        return resolved;
    }
    // git makes longer markers if its attributes say so.
    let closing: BTreeSet<usize> = text.lines().filter_map(|line| size_of(line, THEIRS)).collect();
    let is_closed = |size: &usize| *size == OURS.len() || closing.contains(size);
    // How long the markers of the current conflict are, and whether its side is dropped; `None` outside conflicts.
    let mut current: Option<(usize, bool)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let body = line.trim_end_matches(['\n', '\r']);
        let size = |marker: &str| size_of(body, marker);
        let span = Span::of(start, start + body.len());
        let is_current = |size: usize| current.is_some_and(|(current, _)| current == size);
        let begins = size(OURS).filter(|size| current.is_none() && is_closed(size));
        let ends = size(THEIRS)
            .is_some_and(|size| is_current(size) || current.is_none() && size == THEIRS.len());
        let separates = size(BASE).is_some_and(is_current)
            || size(SEPARATOR).is_some_and(|size| is_current(size) && size == body.len());
        if (begins.is_some() || ends) && is_text(span.start) {
            continue;
        }
        if begins.is_some() || (ends && current.is_none()) {
            resolved.errors.push(SyntaxError::new(SyntaxErrorKind::ConflictMarker, span));
        }
        let is_dropped = matches!(current, Some((_, true)));
        if begins.is_some() || ends || separates || is_dropped {
            resolved.replaced.push(span);
        }
        current = match current {
            _ if ends => None,
            None => begins.map(|size| (size, false)),
            Some((size, is_dropped)) => Some((size, is_dropped || separates)),
        };
    }
    if !resolved.replaced.is_empty() {
        let mut masked = text.to_owned().into_bytes();
        for span in &resolved.replaced {
            let range = span.start as usize..span.end as usize;
            masked.get_mut(range).unwrap_or_default().fill(blank);
        }
        // Whole lines were replaced, so it is still UTF-8.
        resolved.text = Cow::Owned(String::from_utf8(masked).unwrap_or_default());
    }
    resolved
}

/// How long a line of a marker is.
fn size_of(line: &str, marker: &str) -> Option<usize> {
    let line = line.trim_end_matches('\r');
    let rest = line.strip_prefix(marker)?;
    let rest = rest.trim_start_matches(|sign| marker.starts_with(sign));
    let end = rest.find(' ').unwrap_or(rest.len());
    (end == 0).then(|| line.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_side_of_each_conflict_is_kept() {
        let text = "a\n<<<<<<< ours\nb\n||||||| base\nc\n=======\nd\n>>>>>>> theirs\ne\n=======\n<<<<<<<< no\n";
        let resolved = resolve(text, b' ', |_| false);
        let left: Vec<&str> = resolved.text.split_whitespace().collect();
        assert_eq!(left, ["a", "b", "e", "=======", "<<<<<<<<", "no"]);
        assert_eq!(resolved.text.len(), text.len());
        let places: Vec<&str> =
            resolved.errors.iter().map(|error| error.span.slice(text)).collect();
        assert_eq!(places, ["<<<<<<< ours"]);
    }

    #[test]
    fn longer_markers_end_with_markers_that_are_as_long() {
        let text = "a\n<<<<<<<<< ours\nb\n=======\n=========\nc\n>>>>>>> no\n>>>>>>>>> theirs\nd\n";
        let resolved = resolve(text, b' ', |_| false);
        let left: Vec<&str> = resolved.text.split_whitespace().collect();
        assert_eq!(left, ["a", "b", "=======", "d"]);
        assert_eq!(resolved.errors.len(), 1);
    }

    #[test]
    fn a_marker_that_is_left_over_is_a_conflict() {
        let resolved = resolve("a\n>>>>>>> theirs\nb\n", b' ', |_| false);
        assert_eq!(resolved.errors.len(), 1);
        assert!(matches!(resolve("a << b\n", b' ', |_| false).text, Cow::Borrowed(_)));
        // A marker in a string is text.
        assert!(resolve("a\n>>>>>>> theirs\nb\n", b' ', |_| true).errors.is_empty());
    }
}
