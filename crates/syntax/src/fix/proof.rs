//! Compares what is read before and after a fix.

use std::borrow::Cow;

use crate::edit::TextEdit;
use crate::{Kind, Node, Parsed, Span, SyntaxError, SyntaxErrorKind, Tree, Unread};

/// What the parser has read.
pub(super) struct Reading<'p> {
    documents: &'p [Tree],
    errors: &'p [SyntaxError],
    unread: &'p [Unread],
}

impl<'p> Reading<'p> {
    pub(super) fn of(parsed: &'p Parsed) -> Self {
        let Parsed { documents, errors, unread } = parsed;
        Self { documents, errors, unread }
    }

    pub(super) const fn errors(&self) -> &'p [SyntaxError] {
        self.errors
    }

    /// Whether `after` has fewer errors by those that were corrected, and no others.
    pub(super) fn allows(&self, after: &Self, corrected: &[&SyntaxError]) -> bool {
        let is_left = |error: &SyntaxError| {
            let kind = error.kind;
            count(after.errors, kind) + count(corrected.iter().copied(), kind)
                <= count(self.errors, kind)
        };
        let mut errors = after.errors.iter().chain(corrected.iter().copied());
        errors.all(is_left) && after.unread.len() <= self.unread.len()
    }

    /// Whether `after` has the same names and values in the same order. A value that could not be read may have become one that
    /// can, if an edit has touched it.
    pub(super) fn is_kept_by(&self, after: &Self, edits: &[TextEdit]) -> bool {
        let mut pairs = self.documents.iter().zip(after.documents);
        self.documents.len() == after.documents.len()
            && pairs.all(|(before, after)| is_same_tree(before, after, edits))
    }
}

fn is_same_tree(before: &Tree, after: &Tree, edits: &[TextEdit]) -> bool {
    let (mut befores, mut afters) = (before.nodes(), after.nodes());
    // The numbers after the last nodes of the open containers, in both trees.
    let mut open: Vec<(usize, usize)> = Vec::new();
    loop {
        let (node, now) = match (befores.next(), afters.next()) {
            (None, None) => return true,
            (Some(node), Some(now)) => (node, now),
            _ => return false,
        };
        let at = (node.id().index(), now.id().index());
        while open.last().is_some_and(|ends| ends.0 <= at.0 || ends.1 <= at.1) {
            if open.pop().is_some_and(|ends| ends.0 > at.0 || ends.1 > at.1) {
                return false;
            }
        }
        if is_template(node, now, edits) {
            let skipped = node.after().index() - at.0 - 1;
            befores.by_ref().take(skipped).for_each(drop);
        } else if !is_same(node, now, edits) {
            return false;
        }
        open.push((node.after().index(), now.after().index()));
    }
}

/// Whether the braces of a template, which YAML reads as mappings, have become text.
fn is_template(before: Node<'_>, after: Node<'_>, edits: &[TextEdit]) -> bool {
    before.kind() == Kind::Object
        && before.source().starts_with("{{")
        && after.kind() == Kind::String
        && is_edited(before.span(), edits)
}

fn count<'e>(errors: impl IntoIterator<Item = &'e SyntaxError>, kind: SyntaxErrorKind) -> u64 {
    let of_kind = errors.into_iter().filter(|error| error.kind == kind);
    of_kind.map(|error| u64::from(error.more) + 1).sum()
}

fn is_same(before: Node<'_>, after: Node<'_>, edits: &[TextEdit]) -> bool {
    match (before.kind(), after.kind()) {
        (Kind::Invalid, Kind::String | Kind::Number | Kind::Bool | Kind::Null) => {
            is_edited(before.span(), edits)
        }
        (Kind::String, Kind::String) => {
            is_same_text(before, after, is_edited(before.span(), edits))
        }
        (Kind::Key, Kind::Key) => is_same_text(before, after, false),
        (Kind::Number, Kind::Number) => before.decimal() == after.decimal(),
        (Kind::Bool, Kind::Bool) => before.as_bool() == after.as_bool(),
        (before, after) => before == after,
    }
}

/// Whether two texts are the same. In a text that was edited, an unescaped line break is one line break, however the file ends
/// its lines.
fn is_same_text(before: Node<'_>, after: Node<'_>, is_edited: bool) -> bool {
    let (before, after) = (before.as_str().unwrap_or_default(), after.as_str().unwrap_or_default());
    before == after || (is_edited && with_line_feeds(&before) == with_line_feeds(&after))
}

fn with_line_feeds(text: &str) -> Cow<'_, str> {
    if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    }
}

fn is_edited(span: Span, edits: &[TextEdit]) -> bool {
    edits.iter().any(|edit| edit.span.start <= span.end && span.start <= edit.span.end)
}
