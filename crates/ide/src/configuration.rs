//! Adds variables and suppressions to those of `voxlint.toml`.

use voxlint::schema::configuration::{self, suppression};
use voxlint::syntax::edit::{Editor, NewValue, json_text, line_break};
use voxlint::syntax::{Format, Kind, Node, Span};
use voxlint::{Document, DocumentKind, Inputs, Origin, TextEdit, Wildcard};
use voxlint_engine::fixes::{Promise, prove};
use voxlint_model::equality::is_same;

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
    let known = |inputs: &Inputs| {
        let mut names = items(inputs, key)?.into_iter();
        let name =
            |it: Node<'_>| Some(it.as_str().filter(|_| it.kind() == Kind::String)?.into_owned());
        names.try_fold(Vec::new(), |names, it| Some([names, vec![name(it)?]].concat()))
    };
    let names = known(&before)?;
    if names.iter().any(|known| Wildcard::new(known.as_str()).matches(name)) {
        return None;
    }
    let editor = Editor::new(before.document().tree(), Format::Toml);
    let list = Document::parse(format!("[\"{}\"]", json_text(name)));
    let mut edits = match root.get(key) {
        Some(list) => editor.append(list, NewValue::Text(name))?,
        None => editor.insert(root, key, NewValue::Value(list.tree().root()?))?,
    };
    if text.trim_start_matches('\u{feff}').is_empty() {
        edits.last_mut()?.text.push('\n');
    }
    let after = edited(&before, key, &edits)?;
    (known(&after)? == [names, vec![name.to_owned()]].concat()).then_some(edits)
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
    let after = edited(&before, key, &edits)?;
    let (old, all) = (items(&before, key)?, items(&after, key)?);
    let (last, others) = all.split_last()?;
    let is_it = |(name, value): (&str, &str)| {
        let written = last.get(name).filter(|node| node.kind() == Kind::String);
        written.and_then(Node::as_str).is_some_and(|written| written == value)
    };
    let is_added = others.len() == old.len()
        && others.iter().zip(old).all(|(new, old)| is_same(*new, old))
        && last.members().count() == values.len()
        && values.into_iter().all(is_it);
    is_added.then_some(edits)
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

/// The items of a list, which may not be there; `None` if it is something else.
fn items<'i>(inputs: &'i Inputs, key: &str) -> Option<Vec<Node<'i>>> {
    let list = inputs.document().tree().root()?.get(key);
    let is_list = list.is_none_or(|list| list.kind() == Kind::Array);
    is_list.then(|| list.into_iter().flat_map(Node::elements).collect())
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
