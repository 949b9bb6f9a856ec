//! Compares the values of the inputs before and after some edits.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use voxlint_model::equality::{digest, fields, is_same};
use voxlint_model::pointer::escape_token;
use voxlint_model::{Document, Inputs, Safety};
use voxlint_schema::DocumentKind;
use voxlint_syntax::{Format, Kind, Member, Node};

use super::batch::{Candidate, Risk, corrects_syntax};
use super::lossless::{Spelling, is_lossless};

/// The values that some edits change.
#[derive(Default)]
pub(super) struct Changes<'a> {
    /// JSON Pointers, each with how much may differ there: with [`Safety::Safe`] only the spelling.
    stated: BTreeMap<&'a str, Safety>,
    /// The pointers to the lists of which an item is stated.
    lists: BTreeSet<&'a str>,
    /// Whether a syntax error is corrected.
    corrects_syntax: bool,
    /// Whether the document may be read in another way.
    reads_anew: bool,
}

impl<'a> Changes<'a> {
    pub(super) fn new(stated: impl IntoIterator<Item = (&'a str, Safety)>) -> Self {
        let mut changes = Self::default();
        for (pointer, safety) in stated {
            if let Some((list, item)) = pointer.rsplit_once('/')
                && item.bytes().all(|byte| byte.is_ascii_digit())
            {
                changes.lists.insert(list);
            }
            let most = changes.stated.entry(pointer).or_insert(safety);
            if safety == Safety::Unsafe {
                *most = safety;
            }
        }
        changes
    }

    pub(super) fn of(fixes: &[Candidate<'a>]) -> Self {
        let stated =
            fixes.iter().flat_map(|(_, fix)| fix.changes.iter().map(|it| (&**it, fix.safety)));
        Self {
            corrects_syntax: fixes.iter().any(|(finding, fix)| corrects_syntax(finding, fix)),
            reads_anew: fixes.iter().all(|fix| Risk::of(fix) == Risk::Reading),
            ..Self::new(stated)
        }
    }

    /// `Some` if the values differ only where they are stated, with whether none differs.
    pub(super) fn hold(&self, before: &Inputs, after: &Inputs) -> Option<bool> {
        let mut comparison = Comparison::new(self, before, after);
        let (old, new) = (before.document.tree().root(), after.document.tree().root());
        // An empty update is not what its author wants to send.
        let is_empty = |root: Option<Node<'_>>| {
            root.is_some_and(|it| it.kind() == Kind::Object && it.members().next().is_none())
        };
        if is_empty(new) && !is_empty(old) {
            return None;
        }
        if !comparison.holds_at(String::new(), old, new) {
            return self.reads_anew.then_some(false);
        }
        let mut texts = before.texts.iter().zip(&*after.texts);
        let are_kept = texts.all(|(old, new)| {
            let roots = [old, new].map(|text| text.document.tree().root());
            comparison.holds_at(format!("/{}", old.field.name), roots[0], roots[1])
        });
        are_kept.then_some(comparison.is_same)
    }

    /// Whether a value inside of the one at a pointer is stated.
    fn has_inside(&self, pointer: &str) -> bool {
        let inside = format!("{pointer}/");
        self.stated.range(&*inside..).next().is_some_and(|(first, _)| first.starts_with(&inside))
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

/// A comparison of the values before and after.
struct Comparison<'a> {
    changes: &'a Changes<'a>,
    kind: DocumentKind,
    pointer: String,
    /// Whether no value has differed so far.
    is_same: bool,
    /// Whether the same text is always the same value, unlike in YAML, where a name may stand for another value.
    is_literal: bool,
}

impl<'a> Comparison<'a> {
    fn new(changes: &'a Changes<'a>, before: &Inputs, after: &Inputs) -> Self {
        let is_literal = [&before.document, &after.document].into_iter().all(|it: &Document| {
            matches!(it.format(), Format::Json | Format::Jsonc) && !it.has_errors()
        });
        let kind = before.checked_as();
        Self { changes, kind, pointer: String::new(), is_same: true, is_literal }
    }

    /// Whether the values at a pointer differ only as stated.
    fn holds_at(
        &mut self,
        pointer: String,
        before: Option<Node<'_>>,
        after: Option<Node<'_>>,
    ) -> bool {
        self.pointer = pointer;
        self.holds(before, after)
    }

    fn holds(&mut self, before: Option<Node<'_>>, after: Option<Node<'_>>) -> bool {
        if let Some(most) = self.changes.stated.get(&*self.pointer) {
            self.is_same = false;
            let spelling = Spelling::of(self.kind, &self.pointer);
            let are_alike = |(before, after)| is_lossless(spelling, before, after);
            return *most == Safety::Unsafe || before.zip(after).is_some_and(are_alike);
        }
        match (before, after) {
            (None, None) => true,
            (Some(before), Some(after)) => self.holds_inside(before, after),
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
        let is_shorter = new.len() < old.len();
        self.is_same &= !is_shorter;
        let (mut kept, mut removed) = (Vec::new(), Vec::new());
        for (at, item) in old.into_iter().enumerate() {
            let most = self.changes.stated.get(&*format!("{}/{at}", self.pointer));
            match most.filter(|_| is_shorter) {
                None => kept.push((at, item)),
                Some(Safety::Safe) => removed.push(item),
                Some(Safety::Unsafe) => {}
            }
        }
        if kept.len() != new.len() {
            return false;
        }
        if !removed.is_empty() {
            let mut alike: HashMap<u64, Vec<Node<'_>>> = HashMap::new();
            for (_, item) in &kept {
                alike.entry(digest(*item)).or_default().push(*item);
            }
            let is_left = |item: &Node<'_>| {
                let alike = alike.get(&digest(*item));
                alike.is_some_and(|alike| alike.iter().any(|it| is_same(*it, *item)))
            };
            if !removed.iter().all(is_left) {
                return false;
            }
        }
        let mut pairs = kept.into_iter().zip(new);
        pairs.all(|((at, old), new)| self.inside(&at.to_string(), Some(old), Some(new)))
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
        let changes = Changes::new([("/list/1", Safety::Safe)]);
        assert_eq!(changes.without_indices("/list/2/name"), "/list/*/name");
        assert_eq!(changes.without_indices("/list"), "/list");
        assert_eq!(changes.without_indices("/lists/2"), "/lists/2");
    }

    #[test]
    fn stated_values_are_found_inside_of_others() {
        let stated = ["/a!/b", "/a/b/c", "/a0", "/list/1"];
        let changes = Changes::new(stated.map(|pointer| (pointer, Safety::Safe)));
        let has_inside = |pointer: &str| changes.has_inside(pointer);
        assert!(["", "/a", "/a/b", "/a!", "/list"].into_iter().all(has_inside));
        assert!(!["/a/b/c", "/a0", "/b", "/lis", "/list/1", "/z"].into_iter().any(has_inside));
    }
}
