//! Members that a fix renames: what is wrong with their values was wrong before.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};

use voxlint_model::equality::{fields, is_same};
use voxlint_model::pointer::unescape_token;
use voxlint_model::{Diagnostic, Fix, Inputs, Report, Severity};
use voxlint_syntax::{Kind, Node, NodeId};

/// Leaves out the fixes that rename different members to one name: no one knows which of them is meant.
pub(super) fn drop_ambiguous(inputs: &Inputs, report: &mut Report) {
    let mut values = Values::of(inputs.document.tree().root());
    let mut new_name = |fix: &Fix| match fix.changes.as_slice() {
        [old, new] if values.at(old).is_some() && values.at(new).is_none() => Some(new.clone()),
        _ => None,
    };
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for name in report.diagnostics.iter().flat_map(|it| &it.fixes).filter_map(&mut new_name) {
        *counts.entry(name).or_default() += 1;
    }
    if counts.values().all(|count| *count < 2) {
        return;
    }
    let mut is_ambiguous = |fix: &Fix| {
        new_name(fix).is_some_and(|name| counts.get(&name).is_some_and(|count| *count > 1))
    };
    for finding in &mut report.diagnostics {
        finding.fixes.retain(|fix| !is_ambiguous(fix));
    }
}

/// The members that some fixes rename, and whose values stay the same: the rule whose finding the new name solves, and the
/// pointers to the member after and before, by the other one.
#[derive(Default)]
pub(super) struct Renames<'f> {
    by_old: BTreeMap<&'f str, (&'f str, &'f str)>,
    /// The new pointers, and whether the old name was an error.
    new: BTreeMap<&'f str, bool>,
}

impl<'f> Renames<'f> {
    /// Those among the fixes, given the values before and after.
    pub(super) fn of(
        fixes: &[(&'f Diagnostic, &'f Fix)],
        before: Option<Node<'_>>,
        after: Option<Node<'_>>,
    ) -> Self {
        let (mut before, mut after) = (Values::of(before), Values::of(after));
        let mut renames = Self::default();
        for (finding, fix) in fixes {
            let [old, new] = fix.changes.as_slice() else { continue };
            let Some((value, moved)) = before.at(old).zip(after.at(new)) else { continue };
            let is_moved = before.at(new).is_none() && after.at(old).is_none();
            if is_moved && !value.is_faulty() && is_same(value, moved) {
                renames.by_old.insert(old, (&finding.rule.id, new));
                renames.new.insert(new, finding.severity == Severity::Error);
            }
        }
        renames
    }

    /// The pointer of a finding, as it is after the renaming. That of the finding about the name is the same: it must not come
    /// back under the new name.
    pub(super) fn pointer_after<'p>(&self, finding: &'p Diagnostic) -> Cow<'p, str> {
        let pointer = &finding.field;
        let renamed = around(pointer).find_map(|(member, inside)| {
            let (rule, new) = self.by_old.get(member)?;
            let is_name = inside.is_empty() && finding.rule.id == *rule;
            (!is_name).then(|| format!("{new}{inside}"))
        });
        renamed.map_or(Cow::Borrowed(pointer), Cow::Owned)
    }

    /// Whether the new name may bring a finding to light: below it, and not an error. The document had the same value before.
    /// But that two fields have one name is new. That two values do not fit is an error that two renames together may reveal.
    pub(super) fn may_reveal(&self, finding: &Diagnostic) -> bool {
        let is_about_several = || {
            let was_error = |name: &str| self.new.get(&*format!("/{name}")) == Some(&true);
            finding.rule.reads.iter().filter(|row| was_error(row.name)).nth(1).is_some()
        };
        finding.rule.id != "duplicate-key"
            && around(&finding.field).any(|(member, _)| self.new.contains_key(member))
            && (finding.severity < Severity::Error || is_about_several())
    }
}

/// A pointer and those to the values around it, each with the rest.
fn around(pointer: &str) -> impl Iterator<Item = (&str, &str)> {
    let ends = pointer.match_indices('/').map(|(at, _)| at).chain([pointer.len()]);
    ends.filter_map(|end| pointer.split_at_checked(end))
}

/// The values of a document by JSON Pointers. What is in a container is read once.
struct Values<'t> {
    root: Option<Node<'t>>,
    members: HashMap<NodeId, BTreeMap<Cow<'t, str>, Node<'t>>>,
    items: HashMap<NodeId, Vec<Node<'t>>>,
}

impl<'t> Values<'t> {
    fn of(root: Option<Node<'t>>) -> Self {
        Self { root, members: HashMap::new(), items: HashMap::new() }
    }

    fn at(&mut self, pointer: &str) -> Option<Node<'t>> {
        pointer.split('/').skip(1).try_fold(self.root?, |node, step| match node.kind() {
            Kind::Object => {
                let members = self.members.entry(node.id()).or_insert_with(|| fields(node));
                members.get(&*unescape_token(step)).copied()
            }
            Kind::Array => {
                let items = self.items.entry(node.id());
                let items = items.or_insert_with(|| node.elements().collect());
                items.get(step.parse::<usize>().ok()?).copied()
            }
            _ => None,
        })
    }
}
