//! What aliases and merging stand for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::error::report;
use crate::tree::{DECODED, FAULTY, INCOMPLETE, Node, RawNode, Tag, Tree};
use crate::{
    Kind, MAX_DEPTH, Span, SyntaxError, SyntaxErrorKind as ErrorKind, Text, Unread, UnreadReason,
    unread,
};

/// What aliases may stand for in all, counted in bytes: a node takes sixteen, and what it holds comes on top.
const LEAST: usize = 100_000 * size_of::<RawNode>();

/// Or that many times the text, if that is more.
const TIMES: usize = 20;

/// Where a document references itself.
#[derive(Debug, Default)]
pub(super) struct References {
    /// Of each alias the number of its node, in order, and that of the node which it stands for. That one is closed.
    pub(super) aliases: Vec<(u32, u32)>,
    /// The objects with a name `<<`, and the number of that name.
    pub(super) merges: Vec<(u32, u32)>,
}

/// The document without aliases and `<<`.
pub(super) fn expand(
    tree: Tree,
    references: &References,
    errors: &mut Vec<SyntaxError>,
    unread: &mut Vec<Unread>,
) -> Tree {
    if references.aliases.is_empty() && references.merges.is_empty() {
        return tree;
    }
    let limit = LEAST.max(tree.text.len().saturating_mul(TIMES));
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
    let mut is_refused = cost > limit;
    // The alias that was followed last.
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
        // Whoever reads the document reads a text again wherever an alias references it.
        let text =
            decoded.map_or(raw.end.saturating_sub(raw.start) as usize, |text| text.as_str().len());
        cost += size_of::<RawNode>() + if is_container { 0 } else { text };
        let refusal = if is_container && open.len() >= MAX_DEPTH {
            Some(ErrorKind::TooDeep)
        } else if target != id && cost > limit {
            Some(ErrorKind::TooManyNodes)
        } else {
            None
        };
        if let Some(kind) = refusal {
            let place = alias.unwrap_or(raw);
            let why = match kind {
                ErrorKind::TooDeep => UnreadReason::Depth,
                _ => UnreadReason::Aliases,
            };
            unread::note(unread, why, Span::new(place.start, place.end));
            if !is_refused {
                let span = Span::new(place.start, place.end);
                report(errors, SyntaxError::new(kind, span));
            }
            // Once is enough: the rest is of the same make.
            is_refused = true;
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

/// What is still to be written, the last first.
enum Task {
    /// The container that was opened last is complete.
    Close,
    /// The nodes side by side from one number to before another.
    Nodes { at: u32, end: u32 },
    /// Those of an object that something was merged into, from the name or value of that count on.
    Members { object: u32, at: usize },
}

fn push(out: &mut Tree, raw: RawNode, decoded: Option<&Text<'static>>) {
    let id = out.nodes.len() as u32;
    let flags = if decoded.is_some() { raw.flags } else { raw.flags & !DECODED };
    out.nodes.push(RawNode { next: id + 1, flags, ..raw });
    out.decoded.extend(decoded.map(|text| (id, text.clone())));
}

impl References {
    /// The node that a node stands for: mostly itself.
    fn target(&self, id: u32) -> u32 {
        let found = self.aliases.binary_search_by_key(&id, |(alias, _)| *alias);
        found.ok().and_then(|at| self.aliases.get(at)).map_or(id, |(_, target)| *target)
    }
}

/// The members of an object: the numbers of name and value.
type Pairs = Vec<(u32, u32)>;

struct MergeKeys<'a> {
    tree: &'a Tree,
    references: &'a References,
    /// Those of the objects that something is merged into.
    members: BTreeMap<u32, Pairs>,
    /// The objects that lack something because what should be merged into them does.
    incomplete: BTreeSet<u32>,
}

impl MergeKeys<'_> {
    /// Finds the members of each object with a `<<`; says what they count for.
    fn run(&mut self, limit: usize, errors: &mut Vec<SyntaxError>) -> usize {
        let mut cost = 0;
        let mut names: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (object, name) in &self.references.merges {
            names.entry(*object).or_default().push(*name);
        }
        // Whatever is merged into an object is complete before the object is.
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
                // Of a name that the source references, the last value counts.
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

    /// The objects that `<<` names, the first of which counts most.
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
            // The place is that of the alias, where there is one.
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
