//! The differences between two lists or objects, by the names of their entries.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

use voxlint_model::equality::{fields, is_same};
use voxlint_model::quote;
use voxlint_schema::settings::{agent_function, post_call_analysis_item};
use voxlint_syntax::{Kind, Node};

/// How many names a sentence lists.
const MAX_SHOWN: usize = 5;

/// The changes of the items of a list or the fields of an object.
#[derive(Debug, Default)]
pub(super) struct Entries {
    /// The number of entries in the stored value.
    pub(super) before: usize,
    pub(super) removed: Vec<String>,
    pub(super) added: Vec<String>,
    pub(super) changed: Vec<String>,
}

impl Entries {
    /// Compares two arrays or two objects; `None` for other values.
    pub(super) fn between(old: Node<'_>, new: Node<'_>) -> Option<Self> {
        let mut entries = Self::default();
        for entry in side_by_side(Some(old), Some(new))? {
            entries.before += usize::from(entry.old.is_some());
            match (entry.old, entry.new) {
                (Some(_), None) => entries.removed.push(entry.name),
                (None, _) => entries.added.push(entry.name),
                _ if entry.differs() => entries.changed.push(entry.name),
                _ => {}
            }
        }
        Some(entries)
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

/// An item of a list or a field of an object, on both sides.
pub(crate) struct Entry<'a> {
    pub(crate) name: String,
    pub(crate) old: Option<Node<'a>>,
    pub(crate) new: Option<Node<'a>>,
}

impl Entry<'_> {
    /// Whether it is added, removed or changed.
    pub(crate) fn differs(&self) -> bool {
        !matches!((self.old, self.new), (Some(old), Some(new)) if is_same(old, new))
    }
}

/// The entries of two lists or two objects by their names, those of the old one first; `None` for other values. Entries with the same
/// name are matched in their order.
pub(crate) fn side_by_side<'a>(
    old: Option<Node<'a>>,
    new: Option<Node<'a>>,
) -> Option<Vec<Entry<'a>>> {
    let kind = old.or(new)?.kind();
    let is_other = |node: Node<'_>| node.kind() != kind;
    if !matches!(kind, Kind::Array | Kind::Object) || new.is_some_and(is_other) {
        return None;
    }
    let [olds, news] = [old, new].map(|side| side.map(named_entries).unwrap_or_default());
    let mut waiting: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
    for (at, (name, _)) in news.iter().enumerate() {
        waiting.entry(name).or_default().push_back(at);
    }
    let mut taken = BTreeSet::new();
    let mut entries = Vec::new();
    for (name, node) in olds {
        let at = waiting.get_mut(name.as_str()).and_then(VecDeque::pop_front);
        taken.extend(at);
        let new = at.and_then(|at| news.get(at)).map(|(_, node)| *node);
        entries.push(Entry { name, old: Some(node), new });
    }
    let added = news.into_iter().enumerate().filter(|(at, _)| !taken.contains(at));
    let added = added.map(|(_, (name, node))| Entry { name, old: None, new: Some(node) });
    entries.extend(added);
    Some(entries)
}

/// The items of a list or the fields of an object, with their names.
fn named_entries(node: Node<'_>) -> Vec<(String, Node<'_>)> {
    if node.kind() == Kind::Array {
        return node.elements().map(|element| (name_of(element), element)).collect();
    }
    fields(node).into_iter().map(|(name, node)| (name.into_owned(), node)).collect()
}

/// The names of the items of an array or the fields of an object, for a sentence.
pub(super) fn names(node: Node<'_>) -> String {
    named(&named_entries(node).into_iter().map(|(name, _)| name).collect::<Vec<_>>())
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

/// The name of a function or an analysis item, if it has one.
pub fn item_name(item: Node<'_>) -> Option<Cow<'_, str>> {
    let names = [&agent_function::displayName, &post_call_analysis_item::field_name];
    let mut texts = names.into_iter().filter_map(|field| item.get(field.row.name)?.as_str());
    texts.find(|name| !name.is_empty())
}

/// The name of an entry, or its type, or the entry itself.
fn name_of(entry: Node<'_>) -> String {
    let kind = entry.get(agent_function::function_type.row.name).and_then(Node::as_str);
    let kind = || kind.filter(|kind| !kind.is_empty());
    match item_name(entry).or_else(kind).or_else(|| entry.as_str()) {
        Some(name) => name.into_owned(),
        None => "without a name".to_owned(),
    }
}
