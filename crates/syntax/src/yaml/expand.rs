//! Expands aliases and merge keys.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::error::report;
use crate::tree::{DECODED, FAULTY, INCOMPLETE, Node, RawNode, Tag, Tree};
use crate::{
    DecodedText, Kind, MAX_DEPTH, Span, SyntaxError, SyntaxErrorKind as ErrorKind, Unread,
    UnreadReason, unread,
};

/// The size of all expanded aliases that is always allowed, in bytes: sixteen per node, and its text.
const MIN_EXPANSION_BYTES: usize = 100_000 * size_of::<RawNode>();

/// The maximum size of all expanded aliases as a multiple of the length of the text.
const MAX_EXPANSION_FACTOR: usize = 20;

/// The aliases and merge keys of a document.
#[derive(Debug, Default)]
pub(super) struct References {
    /// The node of each alias, in order, and the closed node that it refers to.
    pub(super) aliases: Vec<(u32, u32)>,
    /// The objects with a key `<<`, and the node of that key.
    pub(super) merges: Vec<(u32, u32)>,
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
    let limit = MIN_EXPANSION_BYTES.max(tree.text.len().saturating_mul(MAX_EXPANSION_FACTOR));
    let mut merge_keys = MergeKeys {
        tree: &tree,
        references,
        members: BTreeMap::new(),
        incomplete: BTreeSet::new(),
    };
    let mut cost = merge_keys.run(limit, errors);
    if cost > limit {
        let place = tree.root().map_or_else(Span::default, Node::opening);
        unread::note(unread, UnreadReason::Aliases, place);
    }
    let MergeKeys { members, incomplete, .. } = merge_keys;

    let mut out = Tree::of(Arc::clone(&tree.text));
    let mut open: Vec<u32> = Vec::new();
    let mut is_limit_reached = cost > limit;
    // The last expanded alias.
    let mut alias: Option<RawNode> = None;
    let mut tasks = vec![Task::Nodes { at: 0, end: tree.nodes.len() as u32 }];
    while let Some(task) = tasks.pop() {
        let id = match task {
            Task::Close => {
                let next = out.nodes.len() as u32;
                if let Some(node) = open.pop().and_then(|id| out.nodes.get_mut(id as usize)) {
                    node.next = next;
                }
                continue;
            }
            Task::Nodes { at, end } => {
                let Some(raw) = tree.nodes.get(at as usize).filter(|_| at < end) else { continue };
                tasks.push(Task::Nodes { at: raw.next, end });
                at
            }
            Task::Members { object, at } => {
                let member = members.get(&object).and_then(|members| members.get(at / 2));
                let Some((name, value)) = member else { continue };
                tasks.push(Task::Members { object, at: at + 1 });
                if at % 2 == 0 { *name } else { *value }
            }
        };
        let target = references.target(id);
        let Some(mut raw) = tree.nodes.get(target as usize).copied() else { continue };
        if target != id {
            alias = tree.nodes.get(id as usize).copied();
        }
        let decoded = if raw.flags & DECODED == 0 { None } else { tree.decoded(target) };
        let is_container = matches!(raw.tag, Tag::Object | Tag::Array);
        // A text counts again for every alias that refers to it.
        let text =
            decoded.map_or(raw.end.saturating_sub(raw.start) as usize, |text| text.as_str().len());
        cost += size_of::<RawNode>() + if is_container { 0 } else { text };
        let error_kind = if is_container && open.len() >= MAX_DEPTH {
            Some(ErrorKind::TooDeep)
        } else if target != id && cost > limit {
            Some(ErrorKind::TooManyNodes)
        } else {
            None
        };
        if let Some(kind) = error_kind {
            let place = alias.unwrap_or(raw);
            let why = match kind {
                ErrorKind::TooDeep => UnreadReason::Depth,
                _ => UnreadReason::Aliases,
            };
            unread::note(unread, why, Span::new(place.start, place.end));
            if !is_limit_reached {
                let span = Span::new(place.start, place.end);
                report(errors, SyntaxError::new(kind, span));
            }
            // It is reported once.
            is_limit_reached = true;
            let place = if target == id { raw } else { place };
            push(&mut out, RawNode { tag: Tag::Invalid, flags: FAULTY, ..place }, None);
            continue;
        }
        if incomplete.contains(&target) {
            raw.flags |= INCOMPLETE;
        }
        push(&mut out, raw, decoded);
        if is_container {
            open.push(out.nodes.len() as u32 - 1);
            tasks.push(Task::Close);
            tasks.push(if members.contains_key(&target) {
                Task::Members { object: target, at: 0 }
            } else {
                Task::Nodes { at: target + 1, end: raw.next }
            });
        }
    }
    out
}

/// What is still to be written, in reverse order.
enum Task {
    /// Close the innermost container.
    Close,
    /// Copy the sibling nodes of a range.
    Nodes { at: u32, end: u32 },
    /// Copy the keys and values of an object with a merge key, starting at an index.
    Members { object: u32, at: usize },
}

fn push(out: &mut Tree, raw: RawNode, decoded: Option<&DecodedText<'static>>) {
    let id = out.nodes.len() as u32;
    let flags = if decoded.is_some() { raw.flags } else { raw.flags & !DECODED };
    out.nodes.push(RawNode { next: id + 1, flags, ..raw });
    out.decoded.extend(decoded.map(|text| (id, text.clone())));
}

impl References {
    /// The node that an alias refers to, or the node itself.
    fn target(&self, id: u32) -> u32 {
        let found = self.aliases.binary_search_by_key(&id, |(alias, _)| *alias);
        found.ok().and_then(|at| self.aliases.get(at)).map_or(id, |(_, target)| *target)
    }
}

/// The members of an object: the nodes of key and value.
type Pairs = Vec<(u32, u32)>;

struct MergeKeys<'a> {
    tree: &'a Tree,
    references: &'a References,
    /// The members of each object with a merge key.
    members: BTreeMap<u32, Pairs>,
    /// The objects that are incomplete because a merged object is.
    incomplete: BTreeSet<u32>,
}

impl MergeKeys<'_> {
    /// Finds the members of each object with a `<<`. Returns their size.
    fn run(&mut self, limit: usize, errors: &mut Vec<SyntaxError>) -> usize {
        let mut cost = 0;
        let mut names: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (object, name) in &self.references.merges {
            names.entry(*object).or_default().push(*name);
        }
        // Objects are processed after the objects that are merged into them.
        let mut objects: Vec<u32> = names.keys().copied().collect();
        let next = |id: u32| self.tree.nodes.get(id as usize).map_or(0, |node| node.next);
        objects.sort_by_key(|id| (next(*id), std::cmp::Reverse(*id)));
        for object in objects {
            let merged = names.remove(&object).unwrap_or_default();
            let (mut own, mut others): (Pairs, Pairs) = (Vec::new(), Vec::new());
            for (name, value) in self.pairs(object) {
                if merged.contains(&name) {
                    others.extend(self.sources(object, value, errors).iter().map(|id| (*id, 0)));
                } else {
                    own.push((name, value));
                }
            }
            let mut taken: BTreeSet<String> = own.iter().map(|(id, _)| self.name(*id)).collect();
            for (source, _) in others {
                let mut found = self.members_of(source);
                cost += found.len() * 2 * size_of::<RawNode>();
                if cost > limit {
                    self.incomplete.insert(object);
                    let span = self.tree.at(object).map_or_else(Default::default, Node::opening);
                    report(errors, SyntaxError::new(ErrorKind::TooManyNodes, span));
                    self.members.insert(object, own);
                    return cost;
                }
                // If the source repeats a key, the last value counts.
                found.reverse();
                found.retain(|(name, _)| taken.insert(self.name(*name)));
                found.reverse();
                own.extend(found);
            }
            self.members.insert(object, own);
        }
        cost
    }

    fn name(&self, id: u32) -> String {
        self.tree.at(id).and_then(Node::as_str).unwrap_or_default().into_owned()
    }

    /// The members as they are written.
    fn pairs(&self, object: u32) -> Pairs {
        let members = self.tree.at(object).into_iter().flat_map(Node::members);
        let number = |node: Node<'_>| node.id().index() as u32;
        members.map(|member| (number(member.key), number(member.value))).collect()
    }

    fn members_of(&self, object: u32) -> Pairs {
        self.members.get(&object).cloned().unwrap_or_else(|| self.pairs(object))
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
