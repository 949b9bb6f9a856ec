//! Members that a fix renames: what is wrong with their values was wrong before.

use std::borrow::Cow;
use std::collections::BTreeMap;

use voxlint_syntax::{Kind, Node};

use crate::equality::is_same;
use crate::pointer::unescape_token;
use crate::{Diagnostic, Fix, Inputs, Report, Severity};

/// Leaves out the fixes that rename different members to one name: no one knows which of them is meant.
pub(super) fn drop_ambiguous(inputs: &Inputs, report: &mut Report) {
    let root = inputs.document.tree().root();
    let new_name = |fix: &Fix| match fix.changes.as_slice() {
        [old, new] if value(root, old).is_some() && value(root, new).is_none() => Some(new.clone()),
        _ => None,
    };
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for name in report.diagnostics.iter().flat_map(|it| &it.fixes).filter_map(new_name) {
        *counts.entry(name).or_default() += 1;
    }
    if counts.values().all(|count| *count < 2) {
        return;
    }
    let is_ambiguous = |fix: &Fix| {
        new_name(fix).is_some_and(|name| counts.get(&name).is_some_and(|count| *count > 1))
    };
    for finding in &mut report.diagnostics {
        finding.fixes.retain(|fix| !is_ambiguous(fix));
    }
}

/// The members that some fixes rename, and whose values stay the same.
pub(super) struct Renames<'f>(Vec<Rename<'f>>);

struct Rename<'f> {
    /// The rule whose finding the new name solves.
    rule: &'f str,
    /// The pointers to the member before and after.
    old: &'f str,
    new: &'f str,
}

impl<'f> Renames<'f> {
    /// Those among the fixes, given the values before and after.
    pub(super) fn of(
        fixes: &[(&'f Diagnostic, &'f Fix)],
        before: Option<Node<'_>>,
        after: Option<Node<'_>>,
    ) -> Self {
        let rename = |(finding, fix): &(&'f Diagnostic, &'f Fix)| {
            let [old, new] = fix.changes.as_slice() else { return None };
            let (values, others) = ((value(before, old)?, value(after, new)?), (before, after));
            let is_moved = value(others.0, new).is_none() && value(others.1, old).is_none();
            let is_rename = is_moved && !values.0.is_faulty() && is_same(values.0, values.1);
            is_rename.then_some(Rename { rule: &finding.rule.id, old, new })
        };
        Self(fixes.iter().filter_map(rename).collect())
    }

    /// The pointer of a finding, as it is after the renaming. That of the finding about the name is the same: it must not come
    /// back under the new name.
    pub(super) fn pointer_after<'p>(&self, finding: &'p Diagnostic) -> Cow<'p, str> {
        let pointer = &finding.field;
        let renamed = self.0.iter().find_map(|rename| {
            let inside = inside(pointer, rename.old)?;
            let is_name = inside.is_empty() && finding.rule.id == rename.rule;
            (!is_name).then(|| format!("{}{inside}", rename.new))
        });
        renamed.map_or(Cow::Borrowed(pointer), Cow::Owned)
    }

    /// Whether the new name may bring a finding to light: below it, and not an error. The document had the same value before.
    /// But that two fields have one name is new.
    pub(super) fn may_reveal(&self, finding: &Diagnostic) -> bool {
        finding.severity < Severity::Error
            && finding.rule.id != "duplicate-key"
            && self.0.iter().any(|rename| inside(&finding.field, rename.new).is_some())
    }
}

/// The rest of a pointer to a value or to what is inside of it.
fn inside<'p>(pointer: &'p str, value: &str) -> Option<&'p str> {
    pointer.strip_prefix(value).filter(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The value at a JSON Pointer.
fn value<'t>(root: Option<Node<'t>>, pointer: &str) -> Option<Node<'t>> {
    pointer.split('/').skip(1).try_fold(root?, |node, step| match node.kind() {
        Kind::Object => node.get(&unescape_token(step)),
        Kind::Array => node.elements().nth(step.parse().ok()?),
        _ => None,
    })
}
