//! Compares the values of a document before and after some fixes.

use std::collections::{BTreeSet, HashMap};

use voxlint_model::equality::{digest, fields, is_same};
use voxlint_model::pointer::escape_token;
use voxlint_model::{Diagnostic, Document, Fix, Safety};
use voxlint_syntax::{Format, Kind, Member, Node};

use super::lossless::{Spelling, is_lossless};
use super::selection::corrects_syntax;
use voxlint_schema::DocumentKind;

/// The values that some fixes change.
pub(super) struct Changes<'a> {
    kind: DocumentKind,
    pointers: Vec<&'a str>,
    /// The pointers to the lists of which an item is stated.
    lists: BTreeSet<&'a str>,
    /// Those of `pointers` that a fix states which needs a review.
    reviewed: BTreeSet<&'a str>,
    /// Whether one of the fixes corrects a syntax error.
    corrects_syntax: bool,
}

impl<'a> Changes<'a> {
    pub(super) fn of(kind: DocumentKind, fixes: &[(&'a Diagnostic, &'a Fix)]) -> Self {
        let mut pointers: Vec<&str> =
            fixes.iter().flat_map(|(_, fix)| &fix.changes).map(String::as_str).collect();
        pointers.sort_unstable();
        pointers.dedup();
        let reviewed = fixes.iter().filter(|(_, fix)| fix.safety == Safety::Unsafe);
        let reviewed = reviewed.flat_map(|(_, fix)| &fix.changes).map(String::as_str).collect();
        let corrects_syntax = fixes.iter().any(|(finding, fix)| corrects_syntax(finding, fix));
        Self { kind, lists: lists(&pointers), pointers, reviewed, corrects_syntax }
    }

    /// Whether only safe fixes state the value at a pointer.
    fn is_safe(&self, pointer: &str) -> bool {
        !self.reviewed.contains(pointer)
    }

    fn has(&self, pointer: &str) -> bool {
        self.pointers.binary_search(&pointer).is_ok()
    }

    /// Whether a value inside of the one at a pointer is stated.
    fn has_inside(&self, pointer: &str) -> bool {
        let rest = |other: &'a str| other.strip_prefix(pointer);
        let first = self
            .pointers
            .partition_point(|other| rest(other).map_or(*other < pointer, |rest| rest < "/"));
        let next = self.pointers.get(first).and_then(|other| rest(other));
        next.is_some_and(|rest| rest.starts_with('/'))
    }

    /// A pointer with `*` in place of each index in a list of which an item is stated: the items after a removed one move up.
    pub(super) fn without_indices(&self, pointer: &str) -> String {
        let is_index = |step: &str| step.bytes().all(|byte| byte.is_ascii_digit());
        let mut general = String::with_capacity(pointer.len());
        let mut end = 0_usize;
        for step in pointer.split('/') {
            let list = pointer.get(..end.saturating_sub(1)).unwrap_or_default();
            if end > 0 {
                general.push('/');
            }
            end += step.len() + 1;
            let is_stated = !step.is_empty() && is_index(step) && self.lists.contains(list);
            general.push_str(if is_stated { "*" } else { step });
        }
        general
    }
}

/// The pointers to the lists of these items.
fn lists<'a>(pointers: &[&'a str]) -> BTreeSet<&'a str> {
    let items = pointers.iter().filter_map(|pointer| pointer.rsplit_once('/'));
    let items = items.filter(|(_, item)| item.bytes().all(|byte| byte.is_ascii_digit()));
    items.map(|(list, _)| list).collect()
}

/// A comparison of the values before and after.
pub(super) struct Comparison<'a> {
    changes: &'a Changes<'a>,
    pointer: String,
    is_same: bool,
    /// Whether the same text is always the same value, unlike in YAML, where a name may stand for another value.
    is_literal: bool,
}

impl<'a> Comparison<'a> {
    pub(super) fn new(changes: &'a Changes<'a>, before: &Document, after: &Document) -> Self {
        let is_literal = |document: &Document| {
            matches!(document.format(), Format::Json | Format::Jsonc) && !document.has_errors()
        };
        let is_literal = is_literal(before) && is_literal(after);
        Self { changes, pointer: String::new(), is_same: true, is_literal }
    }

    /// Whether no value has differed, with what was compared so far.
    pub(super) const fn is_same(&self) -> bool {
        self.is_same
    }

    /// Whether the values at a pointer differ only as the fixes state.
    pub(super) fn holds_at(
        &mut self,
        pointer: String,
        before: Option<Node<'_>>,
        after: Option<Node<'_>>,
    ) -> bool {
        self.pointer = pointer;
        self.holds(before, after)
    }

    fn holds(&mut self, before: Option<Node<'_>>, after: Option<Node<'_>>) -> bool {
        if self.changes.has(&self.pointer) {
            return self.holds_at_change(before, after);
        }
        match (before, after) {
            (None, None) => true,
            (Some(before), Some(after)) => self.holds_inside(before, after),
            _ => false,
        }
    }

    /// A value that the fixes are to change.
    fn holds_at_change(&mut self, before: Option<Node<'_>>, after: Option<Node<'_>>) -> bool {
        self.is_same = false;
        if !self.changes.is_safe(&self.pointer) {
            return true;
        }
        let spelling = Spelling::of(self.changes.kind, &self.pointer);
        match (before, after) {
            (Some(before), Some(after)) => is_lossless(spelling, before, after),
            _ => false,
        }
    }

    fn holds_inside(&mut self, before: Node<'_>, after: Node<'_>) -> bool {
        if self.is_literal
            && before.source() == after.source()
            && !self.changes.has_inside(&self.pointer)
        {
            return true;
        }
        match (before.kind(), after.kind()) {
            (Kind::Object, Kind::Object) if has_same_names(before, after) => {
                let mut members = before.members().zip(after.members());
                members.all(|(old, new)| {
                    self.inside(&escape_token(&old.name()), Some(old.value), Some(new.value))
                })
            }
            (Kind::Object, Kind::Object) => {
                let (old, new) = (fields(before), fields(after));
                let added = new.keys().filter(|name| !old.contains_key(*name));
                let names: Vec<_> = old.keys().chain(added).collect();
                names.into_iter().all(|name| {
                    self.inside(&escape_token(name), old.get(name).copied(), new.get(name).copied())
                })
            }
            (Kind::Array, Kind::Array) => self.holds_in_list(before, after),
            (Kind::Invalid, Kind::Invalid) if before.source() == after.source() => true,
            _ if self.changes.corrects_syntax && is_read_now(before, after) => true,
            _ => is_same(before, after),
        }
    }

    /// Some items may be missing, if they are stated, and for safe fixes if others are equal to them.
    fn holds_in_list(&mut self, before: Node<'_>, after: Node<'_>) -> bool {
        let (old, new): (Vec<_>, Vec<_>) =
            (before.elements().collect(), after.elements().collect());
        let Some(missing) = old.len().checked_sub(new.len()) else { return false };
        let is_stated = |at: &usize| self.changes.has(&format!("{}/{at}", self.pointer));
        let removed: Vec<usize> =
            if missing == 0 { Vec::new() } else { (0..old.len()).filter(is_stated).collect() };
        if removed.len() != missing {
            return false;
        }
        let is_kept = |at: &usize| removed.binary_search(at).is_err();
        let kept: Vec<usize> = (0..old.len()).filter(is_kept).collect();
        if missing > 0 {
            self.is_same = false;
        }
        // The kept items by their values, read once for all that are removed.
        let mut by_value: HashMap<u64, Vec<Node<'_>>> = HashMap::new();
        if missing > 0 {
            for item in kept.iter().filter_map(|at| old.get(*at)) {
                let alike = by_value.entry(digest(*item)).or_default();
                if !alike.iter().any(|it| is_same(*it, *item)) {
                    alike.push(*item);
                }
            }
        }
        let has_equal_or_review = |at: &usize| {
            let is_equal = |item: &Node<'_>| {
                let alike = by_value.get(&digest(*item));
                alike.is_some_and(|alike| alike.iter().any(|it| is_same(*it, *item)))
            };
            !self.changes.is_safe(&format!("{}/{at}", self.pointer))
                || old.get(*at).is_some_and(is_equal)
        };
        if !removed.iter().all(has_equal_or_review) {
            return false;
        }
        kept.iter()
            .zip(new)
            .all(|(at, new)| self.inside(&at.to_string(), old.get(*at).copied(), Some(new)))
    }

    fn inside(&mut self, step: &str, before: Option<Node<'_>>, after: Option<Node<'_>>) -> bool {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(step);
        let holds = self.holds(before, after);
        self.pointer.truncate(length);
        holds
    }
}

/// Whether the correction of a syntax error has made a value readable that was not. These are the only values that differ
/// although no fix states them:
///
/// - one that the parser could not read is what the correction says;
/// - the braces of a template, which YAML reads as objects, are a text in quotes;
/// - a text with a faulty part stays the same but for how its lines end.
fn is_read_now(before: Node<'_>, after: Node<'_>) -> bool {
    match (before.kind(), after.kind()) {
        (Kind::Invalid, _) => true,
        (Kind::Object, Kind::String) => before.source().starts_with("{{"),
        (Kind::String, Kind::String) if before.is_faulty() => {
            let text = |node: Node<'_>| node.as_str().unwrap_or_default().replace("\r\n", "\n");
            text(before) == text(after)
        }
        _ => false,
    }
}

/// Whether two objects have the same names in the same order, so that their members can be compared one by one.
fn has_same_names(before: Node<'_>, after: Node<'_>) -> bool {
    before.members().map(Member::name).eq(after.members().map(Member::name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_after_a_removed_one_keep_their_findings() {
        let changes = Changes {
            kind: DocumentKind::Update,
            pointers: vec!["/list/1"],
            lists: lists(&["/list/1"]),
            reviewed: BTreeSet::new(),
            corrects_syntax: false,
        };
        assert_eq!(changes.without_indices("/list/2/name"), "/list/*/name");
        assert_eq!(changes.without_indices("/list"), "/list");
        assert_eq!(changes.without_indices("/lists/2"), "/lists/2");
    }

    #[test]
    fn stated_values_are_found_inside_of_others() {
        let mut pointers = vec!["/a!/b", "/a/b/c", "/a0", "/list/1"];
        pointers.sort_unstable();
        let (kind, lists, reviewed) = (DocumentKind::Update, BTreeSet::new(), BTreeSet::new());
        let changes = Changes { kind, pointers, lists, reviewed, corrects_syntax: false };
        let has_inside = |pointer: &str| changes.has_inside(pointer);
        assert!(["", "/a", "/a/b", "/a!", "/list"].into_iter().all(has_inside));
        assert!(!["/a/b/c", "/a0", "/b", "/lis", "/list/1", "/z"].into_iter().any(has_inside));
    }
}
