//! Adds variables and suppressions to those of `voxlint.toml`.

use std::borrow::Cow;

use voxlint::schema::configuration::{self, suppression};
use voxlint::syntax::edit::{Editor, NewValue, json_text, line_break};
use voxlint::syntax::{Format, Kind, Node, Span};
use voxlint::{Document, DocumentKind, Inputs, Origin, TextEdit, Wildcard};
use voxlint_engine::fixes::{Promise, prove};

/// The edits of a `voxlint.toml` that add a template variable to the top-level key `variables`, which is created if it is not there.
/// `None` if the file has a syntax error, if the key is not a list of texts, or if a name or pattern in it already covers the variable.
/// With the key, every template of the project that uses a variable without a default that is not listed gets a finding.
///
/// ```
/// use voxlint::syntax::edit::apply;
/// use voxlint_ide::add_known_variable;
///
/// let text = "variables = [\"crm_id\"]\n";
/// let edits = add_known_variable(text, "customer_name").expect("an edit");
/// assert_eq!(apply(text, &edits).as_deref(), Some(&b"variables = [\"crm_id\", \"customer_name\"]\n"[..]));
/// assert_eq!(add_known_variable(text, "crm_id"), None);
/// ```
pub fn add_known_variable(text: &str, name: &str) -> Option<Vec<TextEdit>> {
    // An asterisk would stand for any characters.
    if name.is_empty() || name.contains('*') {
        return None;
    }
    let key = configuration::variables.row.name;
    let before = read(text)?;
    let root = before.document().tree().root()?;
    let known = root.get(key);
    let is_list = known.is_none_or(|known| known.kind() == Kind::Array);
    let mut names = known.into_iter().flat_map(Node::elements);
    let is_free = |it: Node<'_>| {
        let is_it = |known: Cow<'_, str>| Wildcard::new(&*known).matches(name);
        it.kind() == Kind::String && !it.as_str().is_some_and(is_it)
    };
    if !is_list || !names.all(is_free) {
        return None;
    }
    let editor = Editor::new(before.document().tree(), Format::Toml);
    let list = Document::parse(format!("[\"{}\"]", json_text(name)));
    let mut edits = match known {
        Some(list) => editor.append(list, NewValue::Text(name))?,
        None => editor.insert(root, key, NewValue::Value(list.tree().root()?))?,
    };
    if text.trim_start_matches('\u{feff}').is_empty() {
        edits.last_mut()?.text.push('\n');
    }
    edited(&before, key, &edits)?;
    Some(edits)
}

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
    let before = read(text)?;
    let (key, end) = (configuration::suppressions.row.name, line_break(text));
    let gap = match text.trim_start_matches('\u{feff}') {
        "" => String::new(),
        body if body.ends_with(['\n', '\r']) => end.to_owned(),
        _ => end.repeat(2),
    };
    let values = [
        (suppression::files.row.name, &*pattern),
        (suppression::pointer.row.name, new.pointer),
        (suppression::rules.row.name, new.rule),
        (suppression::reason.row.name, new.reason),
    ];
    let lines = values.map(|(name, value)| format!("{name} = \"{}\"{end}", json_text(value)));
    let entry = format!("{gap}[[{key}]]{end}{}", lines.concat());
    let edits = vec![TextEdit::new(Span::at(u32::try_from(text.len()).ok()?), entry)];
    edited(&before, key, &edits)?;
    Some(edits)
}

/// A configuration; `None` if it has a syntax error.
fn read(text: &str) -> Option<Inputs> {
    let document = Document::parse_as(text, Format::Toml);
    let is_blank = text.trim_start_matches('\u{feff}').trim().is_empty();
    let is_read = is_blank || (!document.has_errors() && document.unread().is_empty());
    is_read.then(|| Inputs::new(document).kind(DocumentKind::Facts))
}

/// The configuration after edits that change one key.
fn edited(before: &Inputs, key: &str, edits: &[TextEdit]) -> Option<Inputs> {
    let after = before.with_edits(Origin::Document, edits)?;
    let pointer = format!("/{key}");
    prove(before, &after, &Promise::values(&[&pointer])).then_some(after)
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
