//! Adds a suppression to those of `voxlint.toml`.

use std::fmt::Write as _;

use voxlint::TextEdit;
use voxlint::schema::configuration::{self, suppression};
use voxlint::syntax::edit::{apply, json_text};
use voxlint::syntax::{Format, Kind, Node, Span, parse};

use crate::add_variable::{is_same_but, outline};
use crate::suppress::line_break;

/// An entry of `[[suppressions]]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewSuppression<'a> {
    /// The path of the document from the folder of the `voxlint.toml`, with forward slashes.
    pub file: &'a str,
    /// The JSON Pointer of the field.
    pub pointer: &'a str,
    /// The rule.
    pub rule: &'a str,
    /// Why the finding is accepted.
    pub reason: &'a str,
}

/// The edits of a `voxlint.toml` that add an entry at its end to `[[suppressions]]`, for formats without comments. `None` if the file
/// has a syntax error, if its suppressions are written in another way, or if no pattern can stand for the file or the field alone.
///
/// ```
/// use voxlint::syntax::edit::apply;
/// use voxlint_ide::{NewSuppression, add_suppression};
///
/// let new = NewSuppression { file: "en.json", pointer: "/title", rule: "out-of-range", reason: "as agreed" };
/// let edits = add_suppression("root = true\n", new).expect("an edit");
/// let edited = String::from_utf8(apply("root = true\n", &edits).unwrap()).unwrap();
/// assert_eq!(edited, "root = true
///
/// [[suppressions]]
/// files = \"/en.json\"
/// pointer = \"/title\"
/// rules = \"out-of-range\"
/// reason = \"as agreed\"
/// ");
/// ```
pub fn add_suppression(text: &str, new: NewSuppression<'_>) -> Option<Vec<TextEdit>> {
    let is_whole = |part: &str| part.contains('*');
    if new.reason.trim().is_empty() || new.pointer.split('/').any(is_whole) {
        return None;
    }
    // A pattern without a slash would match the name in every folder.
    let start = if new.file.contains('/') { "" } else { "/" };
    let pattern = format!("{start}{}", escaped(new.file));
    let parsed = parse(text, Format::Toml);
    let [tree] = parsed.documents.as_slice() else { return None };
    let body = text.trim_start_matches('\u{feff}');
    let is_blank = body.trim().is_empty();
    let is_read = is_blank || (parsed.errors.is_empty() && parsed.unread.is_empty());
    if !is_read {
        return None;
    }
    let end = line_break(text);
    let mut entry = String::new();
    if !body.is_empty() {
        entry.push_str(if body.ends_with(['\n', '\r']) { end } else { "" });
        if !body.ends_with(['\n', '\r']) {
            entry.push_str(end);
            entry.push_str(end);
        }
    }
    let key = configuration::suppressions.row.name;
    // Writing to a string cannot fail.
    let _ = write!(entry, "[[{key}]]{end}");
    let values = [
        (suppression::files.row.name, &*pattern),
        (suppression::pointer.row.name, new.pointer),
        (suppression::rules.row.name, new.rule),
        (suppression::reason.row.name, new.reason),
    ];
    for (name, value) in values {
        let _ = write!(entry, "{name} = \"{}\"{end}", json_text(value));
    }
    let edits = vec![TextEdit::new(Span::at(u32::try_from(text.len()).ok()?), entry)];
    // The proof: the entry is the last one, and nothing else has changed.
    let edited = parse(String::from_utf8(apply(text, &edits)?).ok()?, Format::Toml);
    let [changed] = edited.documents.as_slice() else { return None };
    let entries = |root: Option<Node<'_>>| -> Vec<String> {
        let list = root.and_then(|root| root.get(key));
        list.into_iter().flat_map(Node::elements).map(outline).collect()
    };
    let (old, all) = (entries(tree.root()), entries(changed.root()));
    let last = changed.root()?.get(key)?.elements().last()?;
    let is_it = |(name, value): (&str, &str)| {
        let written = last.get(name).filter(|node| node.kind() == Kind::String);
        written.and_then(Node::as_str).is_some_and(|written| written == value)
    };
    let is_added = edited.errors.is_empty()
        && edited.unread.is_empty()
        && all.len() == old.len() + 1
        && all.starts_with(&old)
        && last.members().count() == values.len()
        && values.into_iter().all(is_it);
    (is_added && is_same_but(tree, changed, key)).then_some(edits)
}

/// A path as a pattern that matches nothing else.
fn escaped(path: &str) -> String {
    let mut pattern = String::with_capacity(path.len());
    for character in path.chars() {
        if matches!(character, '*' | '?' | '[' | ']' | '{' | '}' | '!' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern
}
