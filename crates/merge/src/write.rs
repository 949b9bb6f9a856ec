//! Writes changes of settings into a document or its text files.

use voxlint::wording::item_name;
use voxlint_model::{Inputs, Origin};
use voxlint_syntax::edit::{Editor, NewValue, TextEdit};
use voxlint_syntax::{Kind, Node};

use crate::text::parts;
use crate::values::{Action, Change, Step};

/// Writes changes, one after the other, with the smallest edits. `None` if one of them cannot be written. Nothing tells that
/// the document then says what it should, nor that nothing else has changed, to which an alias of YAML refers: the caller compares that.
pub fn write(inputs: &Inputs, changes: &[Change<'_>]) -> Option<Inputs> {
    changes.iter().try_fold(inputs.clone(), |inputs, change| write_one(&inputs, change))
}

fn write_one(inputs: &Inputs, change: &Change<'_>) -> Option<Inputs> {
    let text = match &change.action {
        Action::Text(text) => Some(text.clone()),
        Action::Set(value) if value.kind() == Kind::String => Some(value.as_str()?.into_owned()),
        _ => None,
    };
    if let Some(text) = text
        && let Some((origin, node)) = find_text(inputs, &change.path)
        && node.kind() == Kind::String
    {
        return write_text(inputs, &change.path, &text).or_else(|| {
            edited(inputs, origin, |editor| editor.replace(node, NewValue::Text(&text)))
        });
    }
    let (origin, node) = find(inputs, &change.path)?;
    edited(inputs, origin, |editor| match &change.action {
        Action::Text(_) => None,
        Action::Set(value) => editor.overwrite(written(node), *value),
        Action::Remove => editor.remove(&[node]),
        Action::Order(order) => editor.reorder(node, order),
        Action::Insert(at, name, value) => NewValue::with(*value, |value| match name {
            Some(name) => editor
                .insert_at(node, *at, name, value)
                .or_else(|| editor.insert(node, name, value)),
            None => editor.insert_item(node, *at, value),
        }),
    })
}

/// Writes the parts of a text that differ, the last one first; `None` if that does not make the new text.
fn write_text(inputs: &Inputs, path: &[Step], text: &str) -> Option<Inputs> {
    let (_, node) = find_text(inputs, path)?;
    let old = node.as_str()?.into_owned();
    // Of a block without text, its lines would stay.
    if text.trim().is_empty() || old.trim().is_empty() {
        return None;
    }
    let mut now = inputs.clone();
    for (range, part) in parts(&old, text).into_iter().rev() {
        let next = {
            let (origin, node) = find_text(&now, path)?;
            edited(&now, origin, |editor| editor.replace_part(node, range, part))?
        };
        now = next;
    }
    let is_it = find(&now, path).is_some_and(|(_, node)| node.as_str().as_deref() == Some(text));
    is_it.then_some(now)
}

fn edited<'i>(
    inputs: &'i Inputs,
    origin: Origin,
    edit: impl FnOnce(&Editor<'i>) -> Option<Vec<TextEdit>>,
) -> Option<Inputs> {
    let document = inputs.document_of(origin)?;
    let edits = edit(&Editor::new(document.tree(), document.format()).sharing())?;
    inputs.with_edits(origin, &edits)
}

/// The value at the end of some steps, and the document or text file that has it.
pub(crate) fn find<'i>(inputs: &'i Inputs, path: &[Step]) -> Option<(Origin, Node<'i>)> {
    let root = inputs.document.tree().root()?;
    let step = |node: Node<'i>, step: &Step| match step {
        Step::Field(name) => node.get(name),
        Step::Item(at) => node.elements().nth(*at),
    };
    if let Some(node) = path.iter().try_fold(root, step) {
        return Some((Origin::Document, node));
    }
    let [Step::Field(name)] = path else { return None };
    let (text, index) =
        inputs.text_files().iter().zip(0..).find(|(text, _)| text.field().name == *name)?;
    Some((Origin::Text(index), text.document().tree().root()?))
}

/// The names of the fields and items on a way.
pub(crate) fn names_of(inputs: &Inputs, path: &[Step]) -> String {
    let names = path.iter().enumerate().map(|(at, step)| match step {
        Step::Field(name) => name.clone(),
        Step::Item(number) => {
            let item = find(inputs, path.get(..=at).unwrap_or_default());
            let name = item.and_then(|(_, item)| item_name(item));
            name.map_or_else(|| number.to_string(), std::borrow::Cow::into_owned)
        }
    });
    names.collect::<Vec<_>>().join("/")
}

fn find_text<'i>(inputs: &'i Inputs, path: &[Step]) -> Option<(Origin, Node<'i>)> {
    find(inputs, path).map(|(origin, node)| (origin, written(node)))
}

/// The value to which an alias of YAML refers, where it is written.
fn written(node: Node<'_>) -> Node<'_> {
    let is_it = |other: &Node<'_>| other.span() == node.span() && other.kind() == node.kind();
    node.tree().nodes().find(is_it).unwrap_or(node)
}
