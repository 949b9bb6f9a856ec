//! Adds a template variable to those that `voxlint.toml` lists.

use voxlint::schema::configuration;
use voxlint::syntax::edit::{Editor, NewValue, apply};
use voxlint::syntax::{Format, Kind, Node, Span, Tree, parse};
use voxlint::{TextEdit, Wildcard};

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
    let parsed = parse(text, Format::Toml);
    let [tree] = parsed.documents.as_slice() else { return None };
    let is_blank = text.trim_start_matches('\u{feff}').trim().is_empty();
    let is_read = is_blank || (parsed.errors.is_empty() && parsed.unread.is_empty());
    if !is_read {
        return None;
    }
    let old = names(tree)?;
    if old.iter().any(|known| Wildcard::new(known.as_str()).matches(name)) {
        return None;
    }
    let editor = Editor::new(tree, Format::Toml);
    let list = tree.root().and_then(|root| root.get(key));
    let edits = match (tree.root(), list) {
        (_, Some(list)) => editor.append(list, NewValue::Text(name))?,
        (Some(root), None) => {
            bracketed(text, key, editor.insert(root, key, NewValue::Text(name))?)?
        }
        (None, None) => return None,
    };
    let edited = parse(String::from_utf8(apply(text, &edits)?).ok()?, Format::Toml);
    let [new] = edited.documents.as_slice() else { return None };
    let mut expected = old;
    expected.push(name.to_owned());
    let is_added = edited.errors.is_empty() && names(new)? == expected;
    (is_added && is_same_but(tree, new, key)).then_some(edits)
}

/// The variables that a configuration lists; `None` if they are not a list of texts.
fn names(tree: &Tree) -> Option<Vec<String>> {
    let Some(list) = tree.root().and_then(|root| root.get(configuration::variables.row.name))
    else {
        return Some(Vec::new());
    };
    let text = |item: Node<'_>| {
        let text = item.as_str().filter(|_| item.kind() == Kind::String);
        text.map(std::borrow::Cow::into_owned)
    };
    list.elements().map(text).collect::<Option<Vec<_>>>().filter(|_| list.kind() == Kind::Array)
}

/// The edits that insert a key with a text, with brackets around the text.
fn bracketed(text: &str, key: &str, mut edits: Vec<TextEdit>) -> Option<Vec<TextEdit>> {
    let edited = parse(String::from_utf8(apply(text, &edits)?).ok()?, Format::Toml);
    let Span { start, end } = edited.documents.first()?.root()?.get(key)?.span();
    let [edit] = edits.as_mut_slice() else { return None };
    if text.trim_start_matches('\u{feff}').is_empty() {
        edit.text.push('\n');
    }
    let (start, end) = (start.checked_sub(edit.span.start)?, end.checked_sub(edit.span.start)?);
    edit.text.get(start as usize..end as usize)?;
    edit.text.insert(end as usize, ']');
    edit.text.insert(start as usize, '[');
    Some(edits)
}

/// Whether two configurations say the same but for one key.
pub(crate) fn is_same_but(old: &Tree, new: &Tree, key: &str) -> bool {
    let fields = |tree: &Tree| -> Vec<String> {
        let members = tree.root().into_iter().flat_map(Node::members);
        let others = members.filter(|member| !member.is_named(key));
        others.map(|member| format!("{} {}", member.name(), outline(member.value))).collect()
    };
    fields(old) == fields(new)
}

/// The values inside of a value, whatever their spelling.
pub(crate) fn outline(value: Node<'_>) -> String {
    let parts = [value].into_iter().chain(value.inside());
    let shown = |node: Node<'_>| {
        let text = node.as_str().map_or_else(
            || match node.kind() {
                Kind::Object | Kind::Array => node.inside().count().to_string(),
                _ => node.source().to_owned(),
            },
            std::borrow::Cow::into_owned,
        );
        format!("{:?}:{text:?}", node.kind())
    };
    parts.map(shown).collect::<Vec<_>>().join(",")
}
