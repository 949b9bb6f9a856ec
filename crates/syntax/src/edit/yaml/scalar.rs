//! Scalars, and what is around them.

use crate::edit::new_value::read_back;
use crate::edit::{Editor, NewValue, lines, spelling};
use crate::{Format, Kind, Node};

/// Where a scalar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ScalarPlace {
    /// The value of a document.
    Root,
    /// In brackets.
    Flow,
    /// The value of a member of a block, whose key begins in this column.
    Member(usize),
    /// An item of a block, whose dash is in this column.
    Item(usize),
}

impl ScalarPlace {
    /// The place of a value, if nothing but an anchor is before it, such as a tag.
    pub(super) fn of(editor: &Editor<'_>, node: Node<'_>) -> Option<Self> {
        let path = editor.path(node)?;
        let text = editor.tree.text();
        let start = node.span().start as usize;
        let Some((container, _)) = path.last() else {
            let before = text.get(..start)?;
            let is_start = |line: &str| line.trim().is_empty() || line.starts_with('#');
            let line = before.trim_end_matches([' ', '\t']);
            let begins = before.lines().all(is_start) || line.ends_with("---");
            return begins.then_some(Self::Root);
        };
        let is_flow = path.iter().any(|(container, _)| !container.is_block());
        if let Some(key) = node.name() {
            let between = without_anchor(text.get(key.span().end as usize..start)?);
            if between.trim() != ":" {
                return None;
            }
            return if is_flow { Some(Self::Flow) } else { Some(Self::Member(column(key)?)) };
        }
        let before = without_anchor(text.get(..start)?);
        let before = before.trim_end_matches([' ', '\t', '\n', '\r']);
        if !container.is_block() {
            return before.ends_with(['[', ',']).then_some(Self::Flow);
        }
        if is_flow {
            return None;
        }
        before.ends_with('-').then(|| Self::Item(lines_column(text, before.len() - 1)))
    }

    /// A document that has only a scalar, at the same place.
    pub(super) fn document(self, source: &str) -> String {
        match self {
            Self::Root => format!("{source}\n"),
            Self::Flow => format!("[{source}]\n"),
            Self::Member(column) => format!("{:column$}k: {source}\n", ""),
            Self::Item(column) => format!("{:column$}- {source}\n", ""),
        }
    }

    /// Whether a scalar at this place has a value.
    pub(super) fn reads(self, source: &str, value: NewValue<'_>) -> bool {
        let is_of = |root: Node<'_>| {
            let mut values = root.values();
            let node = if self == Self::Root { root } else { values.next()? };
            (value.is_of(node) && values.next().is_none()).then_some(())
        };
        read_back(self.document(source), Format::Yaml, is_of).is_some()
    }
}

/// A text without the anchor at its end.
fn without_anchor(text: &str) -> &str {
    let words = text.trim_end();
    let is_before = |c: char| c.is_whitespace() || matches!(c, '[' | '{' | ',');
    let start = words.rfind(is_before).map_or(0, |at| at + 1);
    match words.split_at_checked(start) {
        Some((before, anchor)) if anchor.starts_with('&') => before,
        _ => text,
    }
}

/// The column of a node, from 0, if only spaces and the dashes of sequences are before it.
pub(super) fn column(node: Node<'_>) -> Option<usize> {
    let (text, at) = (node.tree().text(), node.span().start as usize);
    let before = text.get(lines::start(text, at)..at)?;
    before.bytes().all(|byte| matches!(byte, b' ' | b'-')).then_some(before.len())
}

pub(super) fn lines_column(text: &str, at: usize) -> usize {
    at - lines::start(text, at)
}

/// A text in the quotes of another scalar: without quotes, in single quotes or in double quotes. `reads` tells whether a source
/// has the value.
pub(super) fn spelled(
    text: &str,
    quote: Option<char>,
    reads: impl Fn(&str) -> bool,
) -> Option<String> {
    let is_one_line = !text.chars().any(char::is_control);
    let mut choices = Vec::new();
    match quote {
        Some('\'') if is_one_line => choices.push(format!("'{}'", text.replace('\'', "''"))),
        None if is_unambiguous(text) => choices.push(text.to_owned()),
        _ => {}
    }
    choices.push(format!("\"{}\"", spelling::shared(text)));
    choices.into_iter().find(|source| reads(source))
}

/// Whether a text without quotes is a string to readers of all versions of YAML, as far as its first letter and words tell.
pub(super) fn is_unambiguous(text: &str) -> bool {
    let is_word = || text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    text.starts_with(char::is_alphabetic) && (!is_word() || spelling::is_name(text))
}

/// The quote of a scalar; `None` without quotes and for block scalars.
pub(super) fn quote_of(source: &str) -> Option<char> {
    source.chars().next().filter(|first| matches!(first, '"' | '\''))
}

pub(super) fn is_block_scalar(node: Node<'_>) -> bool {
    node.kind() == Kind::String && node.source().starts_with(['|', '>'])
}

/// `Some` unless blank lines after a block scalar are a part of it.
pub(super) fn keeps_no_blank_lines(node: Node<'_>) -> Option<()> {
    let header = node.source().lines().next()?;
    (!header.split('#').next()?.contains('+')).then_some(())
}

/// `Some` unless a value may have or contain an anchor that is used elsewhere.
pub(super) fn has_no_anchor(editor: &Editor<'_>, node: Node<'_>) -> Option<()> {
    let may_have_one = node.source().contains('&') || is_anchored(node);
    (!may_have_one || !uses_anchors(editor)).then_some(())
}

/// Whether an anchor may be used in a document, and that matters. `<<` may refer to an object of which every member is given again.
pub(super) fn uses_anchors(editor: &Editor<'_>) -> bool {
    !editor.is_sharing && (editor.has_references() || editor.tree.text().contains("<<"))
}

/// Whether an anchor is before a value.
pub(super) fn is_anchored(node: Node<'_>) -> bool {
    let before = node.tree().text().get(..node.span().start as usize).unwrap_or_default();
    let is_comment = |line: &str| line.trim_start().starts_with('#') || line.trim().is_empty();
    let line = before.lines().rev().find(|line| !is_comment(line)).unwrap_or_default();
    let line = line.split(" #").next().unwrap_or_default();
    let mut words = line.split_whitespace().rev().take_while(|word| word.starts_with(['&', '!']));
    words.any(|word| word.starts_with('&'))
}
