//! The differences between two lists or objects, by the names of their entries.

use std::collections::BTreeMap;

use voxlint_model::equality::{fields, is_same};
use voxlint_model::quote;
use voxlint_schema::settings::{agent_function, post_call_analysis_item};
use voxlint_syntax::{Kind, Node};

/// How many names a sentence lists.
const MAX_SHOWN: usize = 5;

/// The changes of the items of a list or the fields of an object.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    /// The number of entries in the stored value.
    pub(super) before: usize,
    pub(crate) removed: Vec<String>,
    pub(super) added: Vec<String>,
    pub(super) changed: Vec<String>,
}

impl Entries {
    /// Compares two arrays or two objects; `None` for other values.
    pub(crate) fn between(old: Node<'_>, new: Node<'_>) -> Option<Self> {
        match (old.kind(), new.kind()) {
            (Kind::Array, Kind::Array) => Some(Self::matched(listed(old), &listed(new))),
            (Kind::Object, Kind::Object) => Some(Self::matched(keyed(old), &keyed(new))),
            _ => None,
        }
    }

    fn matched(old: Vec<(String, Node<'_>)>, new: &[(String, Node<'_>)]) -> Self {
        let mut entries = Self { before: old.len(), ..Self::default() };
        // Entries with the same name are matched in their order.
        let mut waiting: BTreeMap<&str, Vec<Node<'_>>> = BTreeMap::new();
        for (name, node) in new.iter().rev() {
            waiting.entry(name).or_default().push(*node);
        }
        for (name, node) in old {
            match waiting.get_mut(name.as_str()).and_then(Vec::pop) {
                None => entries.removed.push(name),
                Some(other) if !is_same(node, other) => entries.changed.push(name),
                Some(_) => {}
            }
        }
        for (name, _) in new {
            if waiting.get_mut(name.as_str()).and_then(Vec::pop).is_some() {
                entries.added.push(name.clone());
            }
        }
        entries
    }

    /// The changes of all entries but one.
    pub(super) fn without(mut self, name: &str) -> Self {
        for names in [&mut self.removed, &mut self.added, &mut self.changed] {
            names.retain(|known| known != name);
        }
        self
    }

    /// Whether nothing is removed, added or changed.
    pub(super) fn is_empty(&self) -> bool {
        [&self.removed, &self.added, &self.changed].iter().all(|names| names.is_empty())
    }

    /// The changes as text: `removes 1 of 3: a; adds b; changes c`, or that only the order differs.
    pub(super) fn summary(&self) -> String {
        let mut parts = Vec::new();
        if !self.removed.is_empty() {
            let count = self.removed.len();
            parts.push(format!("removes {count} of {}: {}", self.before, named(&self.removed)));
        }
        parts.extend(self.additions_and_changes());
        if parts.is_empty() { "another order".to_owned() } else { parts.join("; ") }
    }

    /// The additions and changes as text: `adds b; changes c`.
    pub(super) fn additions_and_changes(&self) -> Option<String> {
        let parts: Vec<String> = [("adds", &self.added), ("changes", &self.changed)]
            .into_iter()
            .filter(|(_, names)| !names.is_empty())
            .map(|(does, names)| format!("{does} {}", named(names)))
            .collect();
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

/// The names of the items of an array or the fields of an object, for a sentence.
pub(super) fn names(node: Node<'_>) -> String {
    let entries = if node.kind() == Kind::Array { listed(node) } else { keyed(node) };
    named(&entries.into_iter().map(|(name, _)| name).collect::<Vec<_>>())
}

/// The number of items or fields of a node. Repeated names of an object count once.
pub(super) fn count(node: Node<'_>) -> usize {
    if node.kind() == Kind::Array { node.elements().count() } else { fields(node).len() }
}

/// Names between backquotes, shortened and safe for terminals, up to a limit.
pub(super) fn named(names: &[impl AsRef<str>]) -> String {
    named_up_to(MAX_SHOWN, names)
}

/// Names between backquotes, shortened and safe for terminals, at most `most` of them.
pub(super) fn named_up_to(most: usize, names: &[impl AsRef<str>]) -> String {
    let shown: Vec<String> =
        names.iter().take(most).map(|name| quote::quote(name.as_ref())).collect();
    let more = match names.len().saturating_sub(most) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("{}{more}", shown.join(", "))
}

pub(crate) fn keyed(object: Node<'_>) -> Vec<(String, Node<'_>)> {
    fields(object).into_iter().map(|(name, node)| (name.into_owned(), node)).collect()
}

pub(crate) fn listed(array: Node<'_>) -> Vec<(String, Node<'_>)> {
    array.elements().map(|element| (name_of(element), element)).collect()
}

/// The name of an entry, or its type, or the entry itself.
pub(crate) fn name_of(entry: Node<'_>) -> String {
    let names = [&agent_function::displayName, &post_call_analysis_item::field_name];
    let text = |name: &str| entry.get(name).and_then(Node::as_str).filter(|text| !text.is_empty());
    let name = names.into_iter().find_map(|field| text(field.row.name));
    let kind = || text(agent_function::function_type.row.name);
    match name.or_else(kind).or_else(|| entry.as_str()) {
        Some(name) => name.into_owned(),
        None => "without a name".to_owned(),
    }
}
