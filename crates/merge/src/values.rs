//! Merges of values: what two sides have made of a base.

use std::borrow::Cow;
use std::collections::BTreeSet;

use voxlint::wording::item_name;
use voxlint_model::equality::{Side, are_same, is_same};
use voxlint_model::json::Json;
use voxlint_syntax::{Kind, Node};

use crate::text::merge_paragraphs;

/// One step on the way from the settings to a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The field with this name.
    Field(String),
    /// The item with this number.
    Item(usize),
}

/// What is done to a value.
#[derive(Clone, Debug)]
pub enum Action<'a> {
    /// Another value takes its place.
    Set(Node<'a>),
    /// A text becomes another one.
    Text(String),
    /// A field, or without a name an item, is added to it behind a number of others.
    Insert(usize, Option<String>, Node<'a>),
    /// It is removed.
    Remove,
    /// The items of a list get another order: their numbers.
    Order(Vec<usize>),
}

/// A change of our side. The steps are those when the changes before it have been made.
#[derive(Clone, Debug)]
pub struct Change<'a> {
    /// The steps to the value.
    pub path: Vec<Step>,
    /// What is done there.
    pub action: Action<'a>,
}

/// A value that both sides have changed, differently.
#[derive(Clone, Debug)]
pub struct Conflict<'a> {
    /// The names of the value: of fields, and of the items of a list.
    pub names: Vec<String>,
    /// The base, our side and theirs.
    pub sides: [Side<'a>; 3],
}

/// The side that decides a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefer {
    /// Our side.
    Ours,
    /// Their side.
    Theirs,
}

/// How values are merged.
#[derive(Clone, Copy, Debug, Default)]
pub struct MergeOptions {
    /// What decides conflicts.
    pub prefer: Option<Prefer>,
    /// Whether settings, functions and analysis items are removed that their side has removed.
    pub removes: bool,
}

/// The result of a merge.
#[derive(Clone, Debug, Default)]
pub struct Merge<'a> {
    /// The merged value. Where there is a conflict it is ours.
    pub value: Option<Json<'a>>,
    /// What makes our side the merged value, in the order in which it is to be done.
    pub changes: Vec<Change<'a>>,
    /// The values that both sides have changed.
    pub conflicts: Vec<Conflict<'a>>,
    /// The names and our values of what their side has removed, and that is not.
    pub kept: Vec<(Vec<String>, Node<'a>)>,
}

/// Merges what our side and their side have made of a setting with this name.
///
/// ```
/// use voxlint::Document;
/// use voxlint_merge::{MergeOptions, merge};
///
/// let [base, ours, theirs] = [r#"{ "a": 1, "b": 2 }"#, r#"{ "a": 1, "b": 3 }"#, r#"{ "a": 4, "b": 2 }"#].map(Document::parse);
/// let sides = [&base, &ours, &theirs].map(|side| side.tree().root());
/// let merged = merge("json_output_instructions", sides, MergeOptions::default());
/// assert_eq!(merged.value.map(|value| value.pretty()).as_deref(), Some("{\n  \"a\": 4,\n  \"b\": 3\n}"));
/// assert_eq!((merged.changes.len(), merged.conflicts.len()), (1, 0));
/// ```
pub fn merge<'a>(name: &str, sides: [Side<'a>; 3], options: MergeOptions) -> Merge<'a> {
    Merger::new(options).inside(Step::Field(name.to_owned()), name, |merger| merger.done(sides))
}

/// Merges what our side and their side have made of all settings of a document.
pub(crate) fn merge_settings(sides: [Side<'_>; 3], options: MergeOptions) -> Merge<'_> {
    Merger::new(options).done(sides)
}

struct Merger<'a> {
    options: MergeOptions,
    path: Vec<Step>,
    names: Vec<String>,
    merge: Merge<'a>,
}

impl<'a> Merger<'a> {
    fn new(options: MergeOptions) -> Self {
        Self { options, path: Vec::new(), names: Vec::new(), merge: Merge::default() }
    }

    fn done(&mut self, sides: [Side<'a>; 3]) -> Merge<'a> {
        let value = self.merge(sides);
        Merge { value, ..std::mem::take(&mut self.merge) }
    }

    fn merge(&mut self, [base, ours, theirs]: [Side<'a>; 3]) -> Option<Json<'a>> {
        if are_same(ours, theirs) || are_same(base, theirs) {
            return ours.map(Json::Node);
        }
        if let (Some(ours), Some(theirs)) = (ours, theirs)
            && let Some(value) = self.merge_inside(base, ours, theirs)
        {
            return Some(value);
        }
        if !are_same(base, ours) && !self.takes_theirs([base, ours, theirs]) {
            return ours.map(Json::Node);
        }
        let Some(theirs) = theirs else {
            let ours = ours?;
            if self.keeps(self.path.len() == 1, ours) {
                return Some(Json::Node(ours));
            }
            self.change(Action::Remove);
            return None;
        };
        self.change(Action::Set(theirs));
        Some(Json::Node(theirs))
    }

    /// Merges two objects, two lists or two texts; `None` if they are not merged by their parts.
    fn merge_inside(
        &mut self,
        base: Side<'a>,
        ours: Node<'a>,
        theirs: Node<'a>,
    ) -> Option<Json<'a>> {
        let base = base.filter(|base| base.kind() == ours.kind());
        match (ours.kind(), theirs.kind()) {
            (Kind::Object, Kind::Object) => Some(self.objects(base, ours, theirs)),
            (Kind::Array, Kind::Array) => self.lists(base, ours, theirs),
            (Kind::String, Kind::String) => {
                let base = base.filter(|base| !is_same(*base, ours))?;
                let sides = [Some(base), Some(ours), Some(theirs)];
                let [base, ours, theirs] = [base.as_str()?, ours.as_str()?, theirs.as_str()?];
                let prefers_theirs = self.options.prefer == Some(Prefer::Theirs);
                let (text, is_disputed) = merge_paragraphs([&base, &ours, &theirs], prefers_theirs);
                if is_disputed {
                    self.takes_theirs(sides);
                }
                if text != ours {
                    self.change(Action::Text(text.clone()));
                }
                Some(Json::Text(text.into()))
            }
            _ => None,
        }
    }

    /// Whether their side decides a conflict, which is noted if nothing does.
    fn takes_theirs(&mut self, sides: [Side<'a>; 3]) -> bool {
        if self.options.prefer.is_none() {
            self.merge.conflicts.push(Conflict { names: self.names.clone(), sides });
        }
        self.options.prefer == Some(Prefer::Theirs)
    }

    /// Whether a value stays that their side has removed, which is noted.
    fn keeps(&mut self, is_named: bool, ours: Node<'a>) -> bool {
        let stays = is_named && !self.options.removes;
        if stays {
            self.merge.kept.push((self.names.clone(), ours));
        }
        stays
    }

    fn change(&mut self, action: Action<'a>) {
        self.merge.changes.push(Change { path: self.path.clone(), action });
    }

    /// Does something inside of the value.
    fn inside<T>(&mut self, step: Step, name: &str, work: impl FnOnce(&mut Self) -> T) -> T {
        self.path.push(step);
        self.names.push(name.to_owned());
        let done = work(self);
        self.path.pop();
        self.names.pop();
        done
    }

    fn objects(&mut self, base: Side<'a>, ours: Node<'a>, theirs: Node<'a>) -> Json<'a> {
        let entries = |object: Node<'a>| -> Vec<Entry<'a>> {
            let members = object.members().map(|it| (it.name(), it.value));
            members
                .map(|(name, node)| Entry { key: name.into_owned(), node, is_named: false })
                .collect()
        };
        let base = base.map(entries).unwrap_or_default();
        let merged = self.entries(&base, &entries(ours), &entries(theirs), false);
        let members = merged.into_iter().map(|(key, value)| (Cow::Owned(key), value));
        Json::Object(members.collect())
    }

    /// Merges lists whose items have names, or are different texts.
    fn lists(&mut self, base: Side<'a>, ours: Node<'a>, theirs: Node<'a>) -> Option<Json<'a>> {
        let base = base.map_or_else(|| Some(Vec::new()), items)?;
        let (mut ours, mut theirs) = (items(ours)?, items(theirs)?);
        let is_named = |items: &[Entry<'_>]| items.first().map(|item| item.is_named);
        let kinds: BTreeSet<bool> =
            [&*base, &ours, &theirs].into_iter().filter_map(is_named).collect();
        if kinds.len() > 1 {
            return None;
        }
        rename(&base, &mut ours);
        rename(&base, &mut theirs);
        let merged = self.entries(&base, &ours, &theirs, true);
        Some(Json::List(merged.into_iter().map(|(_, value)| value).collect()))
    }

    /// Merges the entries of objects or lists, by their keys.
    fn entries(
        &mut self,
        base: &[Entry<'a>],
        ours: &[Entry<'a>],
        theirs: &[Entry<'a>],
        is_list: bool,
    ) -> Vec<(String, Json<'a>)> {
        let step =
            |key: &str, at| if is_list { Step::Item(at) } else { Step::Field(key.to_owned()) };
        let find = |entries: &[Entry<'a>], key: &str| {
            entries.iter().rfind(|entry| entry.key == key).map(|entry| entry.node)
        };
        let mut merged: Vec<(String, Json<'a>)> = Vec::new();
        let mut removed = Vec::new();
        for (at, Entry { key, node, is_named }) in ours.iter().enumerate() {
            let (was, is) = (find(base, key), find(theirs, key));
            let value = self.inside(step(key, at), key, |this| {
                if is.is_some() {
                    return this.merge([was, Some(*node), is]);
                }
                let goes = was.is_some_and(|was| {
                    is_same(was, *node) || this.takes_theirs([Some(was), Some(*node), None])
                });
                (!goes || this.keeps(*is_named, *node)).then_some(Json::Node(*node))
            });
            match value {
                Some(value) => merged.push((key.clone(), value)),
                None => removed.push(step(key, at)),
            }
        }
        for step in removed.into_iter().rev() {
            self.path.push(step);
            self.change(Action::Remove);
            self.path.pop();
        }
        for (at, Entry { key, node, .. }) in theirs.iter().enumerate() {
            if find(ours, key).is_some() {
                continue;
            }
            let was = find(base, key);
            let is_taken = self.inside(step(key, at), key, |this| {
                was.is_none_or(|was| {
                    !is_same(was, *node) && this.takes_theirs([Some(was), None, Some(*node)])
                })
            });
            if !is_taken {
                continue;
            }
            let before = theirs.get(..at).unwrap_or_default().iter().rev();
            let mut places =
                before.filter_map(|it| merged.iter().position(|(known, _)| *known == it.key));
            let place = places.next().map_or(0, |at| at + 1);
            let name = (!is_list).then(|| key.clone());
            self.change(Action::Insert(place, name.clone(), *node));
            merged.insert(place, (key.clone(), Json::Node(*node)));
        }
        if is_list { self.in_their_order(base, ours, theirs, merged) } else { merged }
    }

    /// Puts items in the order of their side, if our side has not changed it.
    fn in_their_order(
        &mut self,
        base: &[Entry<'a>],
        ours: &[Entry<'a>],
        theirs: &[Entry<'a>],
        merged: Vec<(String, Json<'a>)>,
    ) -> Vec<(String, Json<'a>)> {
        let has = |entries: &[Entry<'_>], key: &str| entries.iter().any(|entry| entry.key == key);
        let common = |of: &[Entry<'a>], other: &[Entry<'a>]| -> Vec<String> {
            of.iter()
                .map(|it| it.key.clone())
                .filter(|key| has(base, key) && has(other, key))
                .collect()
        };
        let is_ours = common(base, ours) != common(ours, base);
        let is_theirs = common(base, theirs) != common(theirs, base);
        if !is_theirs || is_ours && self.options.prefer != Some(Prefer::Theirs) {
            return merged;
        }
        let mut wanted =
            theirs.iter().filter_map(|it| merged.iter().position(|(key, _)| *key == it.key));
        let order: Vec<usize> = merged
            .iter()
            .enumerate()
            .map(|(at, (key, _))| if has(theirs, key) { wanted.next().unwrap_or(at) } else { at })
            .collect();
        if order.is_sorted() {
            return merged;
        }
        let sorted = order.iter().filter_map(|at| merged.get(*at).cloned()).collect();
        self.change(Action::Order(order));
        sorted
    }
}

/// A field of an object, or an item of a list.
struct Entry<'a> {
    key: String,
    node: Node<'a>,
    /// Whether it is an item with a name.
    is_named: bool,
}

/// The items of a list by their names or texts; `None` if two are alike or one has none.
fn items(list: Node<'_>) -> Option<Vec<Entry<'_>>> {
    let mut seen = BTreeSet::new();
    let item = |node: Node<'_>| -> Option<(String, bool)> {
        match node.kind() {
            Kind::Object => Some((item_name(node)?.into_owned(), true)),
            Kind::String => Some((node.as_str()?.into_owned(), false)),
            _ => None,
        }
    };
    let entry = |node| {
        let (key, is_named) = item(node)?;
        seen.insert((key.clone(), is_named)).then_some(Entry { key, node, is_named })
    };
    let items: Vec<Entry<'_>> = list.elements().map(entry).collect::<Option<_>>()?;
    items.windows(2).all(|pair| matches!(pair, [a, b] if a.is_named == b.is_named)).then_some(items)
}

/// Gives items that a side has renamed, and not changed otherwise, their old names.
fn rename(base: &[Entry<'_>], side: &mut [Entry<'_>]) {
    let known: BTreeSet<String> = side.iter().map(|entry| entry.key.clone()).collect();
    for (old, new) in base.iter().zip(side.iter_mut()) {
        let is_new = !base.iter().any(|entry| entry.key == new.key);
        let rest = |node: Node<'_>| {
            let name = item_name(node);
            let others = node.members().filter(|it| it.value.as_str() != name);
            Json::Object(others.map(|it| (it.name(), Json::Node(it.value))).collect()).pretty()
        };
        if new.is_named && is_new && !known.contains(&old.key) && rest(old.node) == rest(new.node) {
            new.key.clone_from(&old.key);
        }
    }
}
