//! Expands aliases and merge keys.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use crate::error::report;
use crate::tree::{DECODED, FAULTY, INCOMPLETE, Node, RawNode, RepeatedMerge, Tag, Tree};
use crate::{
    DecodedText, Kind, MAX_DEPTH, Span, SyntaxError, SyntaxErrorKind as ErrorKind, Unread,
    UnreadReason, unread,
};

/// The size of all expanded aliases that is always allowed, in bytes: sixteen per node, and its text.
const MIN_EXPANSION_BYTES: usize = 100_000 * size_of::<RawNode>();

/// The maximum size of all expanded aliases as a multiple of the length of the text.
const MAX_EXPANSION_FACTOR: usize = 20;

/// The size of everything that the aliases of a text may expand to.
fn limit(text: &str) -> usize {
    MIN_EXPANSION_BYTES.max(text.len().saturating_mul(MAX_EXPANSION_FACTOR))
}

/// The aliases and merge keys of a document.
#[derive(Debug, Default)]
pub(super) struct References {
    /// The node of each alias, in order, and the closed node that it refers to.
    pub(super) aliases: Vec<(u32, u32)>,
    /// The objects with a key `<<`, and the node of that key.
    pub(super) merges: Vec<(u32, u32)>,
    /// The size of what is copied before the expansion: aliases as keys, and keys as values.
    copied: usize,
}

/// The document with its aliases and `<<` expanded.
pub(super) fn expand(
    tree: Tree,
    references: &References,
    errors: &mut Vec<SyntaxError>,
    unread: &mut Vec<Unread>,
) -> Tree {
    if references.aliases.is_empty() && references.merges.is_empty() {
        return tree;
    }
    let limit = limit(&tree.text);
    let mut merge_keys = MergeKeys {
        tree: &tree,
        references,
        members: BTreeMap::new(),
        incomplete: BTreeSet::new(),
        repeated: Vec::new(),
    };
    let cost = merge_keys.run(limit, errors);
    let is_limit_reached = cost > limit;
    if is_limit_reached {
        let place = tree.root().map_or_else(Span::default, Node::opening);
        unread::note(unread, UnreadReason::Aliases, place);
    }
    let MergeKeys { members, incomplete, mut repeated, .. } = merge_keys;
    repeated.sort_unstable_by_key(|merge| merge.again);
    let mut out = Tree::of(tree.text.clone());
    out.repeated_merges = repeated;
    let expansion = Expansion {
        tree: &tree,
        references,
        members,
        incomplete,
        out,
        open: Vec::new(),
        tasks: vec![Task::Nodes { at: 0, end: tree.nodes.len() as u32 }],
        alias: None,
        cost,
        limit,
        is_limit_reached,
        errors,
        unread,
    };
    expansion.run()
}

/// The expanded document under construction.
struct Expansion<'a> {
    tree: &'a Tree,
    references: &'a References,
    /// The members of each object with a merge key.
    members: BTreeMap<u32, ObjectMembers>,
    /// The objects that are incomplete because a merged object is.
    incomplete: BTreeSet<u32>,
    out: Tree,
    /// The open containers of `out`.
    open: Vec<u32>,
    /// What is still to be written, in reverse order.
    tasks: Vec<Task>,
    /// The last expanded alias.
    alias: Option<RawNode>,
    /// The size of everything written so far.
    cost: usize,
    limit: usize,
    /// Whether an error has been reported. It is reported once.
    is_limit_reached: bool,
    errors: &'a mut Vec<SyntaxError>,
    unread: &'a mut Vec<Unread>,
}

/// What is still to be written.
#[derive(Clone, Copy)]
enum Task {
    /// Close the innermost container.
    Close,
    /// Copy the sibling nodes of a range.
    Nodes { at: u32, end: u32 },
    /// Copy the keys and values of an object with a merge key, starting at an index.
    Members { object: u32, at: usize },
}

impl Expansion<'_> {
    fn run(mut self) -> Tree {
        while let Some(task) = self.tasks.pop() {
            if let Some(id) = self.next_node(task) {
                self.write(id);
            }
        }
        self.out
    }

    /// The next node of a task, which is continued after it.
    fn next_node(&mut self, task: Task) -> Option<u32> {
        match task {
            Task::Close => {
                let next = self.out.nodes.len() as u32;
                let id = self.open.pop()?;
                self.out.nodes.get_mut(id as usize)?.next = next;
                None
            }
            Task::Nodes { at, end } => {
                let raw = self.tree.nodes.get(at as usize).filter(|_| at < end)?;
                self.tasks.push(Task::Nodes { at: raw.next, end });
                Some(at)
            }
            Task::Members { object, at } => {
                let members = self.members.get(&object)?;
                let (name, value) = *members.pairs.get(at / 2)?;
                let is_name = at.is_multiple_of(2);
                // A merged member is a copy, like the value of an alias.
                if is_name && at / 2 >= members.own && self.cost > self.limit {
                    self.end_members(object);
                    return None;
                }
                self.tasks.push(Task::Members { object, at: at + 1 });
                Some(if is_name { name } else { value })
            }
        }
    }

    /// Leaves out the other members of an object, because the limit is reached.
    fn end_members(&mut self, object: u32) {
        if let Some(node) = self.open.last().and_then(|id| self.out.nodes.get_mut(*id as usize)) {
            node.flags |= INCOMPLETE;
        }
        let place = self.tree.at(object).map_or_else(Span::default, Node::opening);
        self.stop(ErrorKind::TooManyNodes, UnreadReason::Aliases, place);
    }

    fn stop(&mut self, kind: ErrorKind, why: UnreadReason, place: Span) {
        unread::note(self.unread, why, place);
        if !std::mem::replace(&mut self.is_limit_reached, true) {
            report(self.errors, SyntaxError::new(kind, place));
        }
    }

    /// Writes a node, or what it is an alias of. The contents of a container become the next tasks.
    fn write(&mut self, id: u32) {
        let target = self.references.target(id);
        let Some(mut raw) = self.tree.nodes.get(target as usize).copied() else { return };
        if target != id {
            self.alias = self.tree.nodes.get(id as usize).copied();
        }
        let decoded = if raw.flags & DECODED == 0 { None } else { self.tree.decoded(target) };
        let is_container = matches!(raw.tag, Tag::Object | Tag::Array);
        // A text counts again for every alias that refers to it.
        let text =
            decoded.map_or(raw.end.saturating_sub(raw.start) as usize, |text| text.as_str().len());
        self.cost += size_of::<RawNode>() + if is_container { 0 } else { text };
        let stopped = if is_container && self.open.len() >= MAX_DEPTH {
            Some((ErrorKind::TooDeep, UnreadReason::Depth))
        } else if target != id && self.cost > self.limit {
            Some((ErrorKind::TooManyNodes, UnreadReason::Aliases))
        } else {
            None
        };
        if let Some((kind, why)) = stopped {
            let place = self.alias.unwrap_or(raw);
            self.stop(kind, why, Span::new(place.start, place.end));
            let place = if target == id { raw } else { place };
            push(&mut self.out, RawNode { tag: Tag::Invalid, flags: FAULTY, ..place }, None);
            return;
        }
        if self.incomplete.contains(&target) {
            raw.flags |= INCOMPLETE;
        }
        push(&mut self.out, raw, decoded);
        if is_container {
            self.open.push(self.out.nodes.len() as u32 - 1);
            self.tasks.push(Task::Close);
            self.tasks.push(if self.members.contains_key(&target) {
                Task::Members { object: target, at: 0 }
            } else {
                Task::Nodes { at: target + 1, end: raw.next }
            });
        }
    }
}

fn push(out: &mut Tree, raw: RawNode, decoded: Option<&DecodedText<'static>>) {
    let id = out.nodes.len() as u32;
    let flags = if decoded.is_some() { raw.flags } else { raw.flags & !DECODED };
    out.nodes.push(RawNode { next: id + 1, flags, ..raw });
    out.decoded.extend(decoded.map(|text| (id, text.clone())));
}

impl References {
    /// Counts a copy of a text. Returns whether it is within the limit of the document's text.
    pub(super) fn may_copy(&mut self, copy: &str, text: &str) -> bool {
        self.copied += size_of::<RawNode>() + copy.len();
        self.copied <= limit(text)
    }

    /// The node that an alias refers to, or the node itself.
    fn target(&self, id: u32) -> u32 {
        let found = self.aliases.binary_search_by_key(&id, |(alias, _)| *alias);
        found.ok().and_then(|at| self.aliases.get(at)).map_or(id, |(_, target)| *target)
    }
}

/// Members: the nodes of key and value.
type Pairs = Vec<(u32, u32)>;

/// The members of an object with a merge key.
struct ObjectMembers {
    pairs: Pairs,
    /// The number of members that are its own. The merged ones follow them.
    own: usize,
}

struct MergeKeys<'a> {
    tree: &'a Tree,
    references: &'a References,
    /// The members of each object with a merge key.
    members: BTreeMap<u32, ObjectMembers>,
    /// The objects that are incomplete because a merged object is.
    incomplete: BTreeSet<u32>,
    repeated: Vec<RepeatedMerge>,
}

impl MergeKeys<'_> {
    /// Finds the members of each object with a `<<`. Returns their size.
    fn run(&mut self, limit: usize, errors: &mut Vec<SyntaxError>) -> usize {
        let mut cost = self.references.copied;
        let mut names: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (object, name) in &self.references.merges {
            names.entry(*object).or_default().push(*name);
        }
        // Objects are processed after the objects that are merged into them.
        let mut objects: Vec<u32> = names.keys().copied().collect();
        let tree = self.tree;
        let name = |id: u32| tree.at(id).and_then(Node::as_str).unwrap_or_default();
        let next = |id: u32| self.tree.nodes.get(id as usize).map_or(0, |node| node.next);
        objects.sort_by_key(|id| (next(*id), std::cmp::Reverse(*id)));
        for object in objects {
            let merged = names.remove(&object).unwrap_or_default();
            let (mut own, mut others): (Pairs, Pairs) = (Vec::new(), Vec::new());
            let mut first = None;
            for (name, value) in self.pairs(object) {
                if merged.binary_search(&name).is_ok() {
                    let span = |id: u32| tree.at(id).map_or_else(Span::default, Node::span);
                    let (key, source) = (span(name), span(value));
                    let (first, first_source) = *first.get_or_insert((key, source));
                    if first != key {
                        let again = RepeatedMerge { first, first_source, again: key, source };
                        self.repeated.push(again);
                    }
                    others.extend(self.sources(object, value, errors).iter().map(|id| (*id, 0)));
                } else {
                    own.push((name, value));
                }
            }
            let own_count = own.len();
            let mut taken: BTreeSet<Cow<'_, str>> = own.iter().map(|(id, _)| name(*id)).collect();
            let mut is_too_large = false;
            for (source, _) in others {
                let mut found = self.members_of(source);
                // The names are compared, so they count.
                let sizes = found.iter().map(|(id, _)| 2 * size_of::<RawNode>() + name(*id).len());
                cost += sizes.sum::<usize>();
                is_too_large = cost > limit;
                if is_too_large {
                    break;
                }
                // If the source repeats a key, the last value counts.
                found.reverse();
                found.retain(|(id, _)| taken.insert(name(*id)));
                found.reverse();
                own.extend(found);
            }
            if is_too_large {
                self.incomplete.insert(object);
                let span = self.tree.at(object).map_or_else(Default::default, Node::opening);
                report(errors, SyntaxError::new(ErrorKind::TooManyNodes, span));
            }
            self.members.insert(object, ObjectMembers { pairs: own, own: own_count });
            if is_too_large {
                break;
            }
        }
        cost
    }

    /// The members as they are written.
    fn pairs(&self, object: u32) -> Pairs {
        let members = self.tree.at(object).into_iter().flat_map(Node::members);
        let number = |node: Node<'_>| node.id().index() as u32;
        members.map(|member| (number(member.key), number(member.value))).collect()
    }

    fn members_of(&self, object: u32) -> Pairs {
        let known = self.members.get(&object).map(|members| members.pairs.clone());
        known.unwrap_or_else(|| self.pairs(object))
    }

    /// The objects of a `<<`. Earlier ones take precedence.
    fn sources(&mut self, object: u32, value: u32, errors: &mut Vec<SyntaxError>) -> Vec<u32> {
        let list = self.references.target(value);
        let Some(node) = self.tree.at(list) else { return Vec::new() };
        let sources: Vec<u32> = if node.kind() == Kind::Array {
            node.elements().map(|one| self.references.target(one.id().index() as u32)).collect()
        } else {
            vec![list]
        };
        let is_object = |id: &u32| self.tree.at(*id).is_some_and(|one| one.kind() == Kind::Object);
        let is_known = |id: &u32| self.tree.at(*id).is_some_and(|one| !one.is_faulty());
        if let Some(wrong) = sources.iter().find(|id| !is_object(id) && is_known(id)) {
            // The error marks the alias, if there is one.
            let place = if *wrong == list { value } else { *wrong };
            let span = self.tree.at(place).map_or_else(Default::default, Node::span);
            report(errors, SyntaxError::new(ErrorKind::MergeNotObject, span));
        }
        let lacks = |id: &u32| {
            !is_object(id)
                || self.incomplete.contains(id)
                || self.tree.at(*id).is_some_and(Node::is_incomplete)
        };
        let is_incomplete = sources.iter().any(lacks);
        let objects = sources.iter().filter(|id| is_object(id)).copied().collect();
        if is_incomplete {
            self.incomplete.insert(object);
        }
        objects
    }
}
