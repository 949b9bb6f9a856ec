//! Proves fixes: the document with the edits is checked again.

use std::collections::BTreeMap;

use voxlint_model::masking::Masking;
use voxlint_model::{Diagnostic, Family, Fix, Inputs, Origin, Report, Severity};
use voxlint_syntax::{Kind, Node, Span};

use super::changes::{Changes, Comparison};
use super::findings::Findings;
use super::renames::Renames;
use super::selection::Risk;
use super::shifts::Shifts;
use crate::{UndecidedScope, run};
use voxlint_schema::DocumentKind;
use voxlint_syntax::TextEdit;

/// A document and its findings before a fix.
pub(super) struct Before<'a> {
    inputs: &'a Inputs,
    kind: DocumentKind,
    findings: Findings<'a>,
    /// Whether secrets are masked in the findings, so that they are compared with masked ones.
    is_masked: bool,
}

impl<'a> Before<'a> {
    /// The findings as they are, before [`finish`](crate::finish).
    pub(super) fn new(inputs: &'a Inputs, report: &'a Report) -> Self {
        Self { inputs, kind: report.kind, findings: Findings::of(report), is_masked: false }
    }

    /// The findings as they are shown.
    pub(super) fn masked(inputs: &'a Inputs, report: &'a Report) -> Self {
        Self { is_masked: true, ..Self::new(inputs, report) }
    }

    /// Whether these fixes, made together, keep what they promise:
    ///
    /// - the findings are gone;
    /// - no error and no possible rejection is new, by rule and pointer, but a possible rejection may take the place of an error. After the correction of a syntax error whose document
    ///   says the same as before, findings that the error had hidden may be. Findings below a member that is renamed stay, and
    ///   its new name may reveal others there, but no error unless it is about two of them;
    /// - the values of the document differ only at the pointers that the fixes state, and where a safe fix states them only in
    ///   their spelling. The correction of a syntax error states no values: one that was not readable may differ then
    ///   ([`Changes`]), and any if all fixes are corrections that need a review ([`Risk::Reading`]);
    /// - the document is still of the same kind, no less of it is read, and it is not empty.
    pub(super) fn holds(&self, fixes: &[(&Diagnostic, &Fix)]) -> bool {
        self.proof(fixes).is_some()
    }

    fn proof(&self, fixes: &[(&Diagnostic, &Fix)]) -> Option<()> {
        let mut shifts: BTreeMap<Origin, Shifts> = BTreeMap::new();
        for (origin, edits) in edits_by_origin(fixes) {
            shifts.insert(origin, Shifts::new(edits)?);
        }
        if shifts.is_empty() {
            return None;
        }
        let mut after = self.inputs.clone();
        for (origin, shifts) in &shifts {
            after = after.edited(*origin, shifts.edits(), false)?;
        }
        if after.checked_as() != self.kind {
            return None;
        }
        let changes = Changes::of(self.kind, fixes);
        let is_same = self.is_changed_as_stated(&after, &changes, fixes)?;
        let renames =
            Renames::of(fixes, self.inputs.document.tree().root(), after.document.tree().root());
        let mut report = run(&after, UndecidedScope::Touched);
        if self.is_masked
            && let Some(masking) = Masking::of(&after, &report)
        {
            masking.apply(&mut report);
        }
        let now = Findings::of(&report);
        let reveals = is_same && self.inputs.document.has_errors();
        let holds = now.unread <= self.findings.unread
            && self.are_gone(fixes, &shifts, &now)
            && !self.has_new(&now, fixes, &changes, &renames, reveals);
        holds.then_some(())
    }

    /// Whether the findings of the fixes are gone.
    fn are_gone(
        &self,
        fixes: &[(&Diagnostic, &Fix)],
        shifts: &BTreeMap<Origin, Shifts>,
        now: &Findings<'_>,
    ) -> bool {
        let unmoved = Shifts::default();
        let mut removals: BTreeMap<(&str, Origin), u32> = BTreeMap::new();
        let are_gone = fixes.iter().all(|(finding, fix)| {
            if removes(fix, finding) {
                *removals.entry((&finding.rule.id, finding.origin)).or_default() += 1;
                return true;
            }
            self.is_gone(finding, shifts.get(&finding.origin).unwrap_or(&unmoved), now)
        });
        // What is removed is gone with its findings. The next item may take its place and have one of its own.
        are_gone
            && removals.iter().all(|((rule, origin), removed)| {
                now.total(rule, *origin) + removed <= self.findings.total(rule, *origin)
            })
    }

    /// Whether a finding is gone: fewer of the rule's findings about the value are where it was, and fewer with its message are
    /// in the characters that an edit around it has replaced. A rule may report only one of several mistakes in a text, so
    /// another message there is another finding.
    fn is_gone(&self, finding: &Diagnostic, shifts: &Shifts, now: &Findings<'_>) -> bool {
        let start = finding.span.start;
        let here = shifts.moved(start, false)..=shifts.moved(start, true);
        if now.count(finding, here, None) >= self.findings.count(finding, start..=start, None) {
            return false;
        }
        shifts.around(start).is_none_or(|edit| {
            let (Span { start, end }, length) = (edit.span, edit.text.len() as u32);
            let first = shifts.moved(start, false);
            let message = Some(finding.message.as_str());
            now.count(finding, first..=first + length, message)
                < self.findings.count(finding, start..=end, message)
        })
    }

    /// Whether there are more errors, or more errors and possible rejections, of a rule at a pointer. `reveals`: those that a syntax error had
    /// hidden do not count.
    fn has_new(
        &self,
        now: &Findings<'_>,
        fixes: &[(&Diagnostic, &Fix)],
        changes: &Changes<'_>,
        renames: &Renames<'_>,
        reveals: bool,
    ) -> bool {
        // How many there were of a rule at a pointer: errors, and all.
        let mut known: BTreeMap<(&str, String), (u32, u32)> = BTreeMap::new();
        for finding in &self.findings.serious {
            let pointer = changes.without_indices(&renames.pointer_after(finding));
            let (errors, all) = known.entry((&finding.rule.id, pointer)).or_default();
            *all += finding.count;
            *errors += if is_error(finding) { finding.count } else { 0 };
        }
        let errors = now.serious.iter().filter(|it| is_error(it));
        let others = now.serious.iter().filter(|it| !is_error(it));
        errors.chain(others).any(|finding| {
            let left = known.get_mut(&(&*finding.rule.id, changes.without_indices(&finding.field)));
            match left {
                Some((errors, all))
                    if *all >= finding.count
                        && (!is_error(finding) || *errors >= finding.count) =>
                {
                    *all -= finding.count;
                    *errors -= if is_error(finding) { finding.count } else { 0 };
                    false
                }
                _ if renames.may_reveal(finding) => false,
                // What depends on a value that was certainly rejected.
                _ if !is_error(finding)
                    && fixes.iter().any(|(it, _)| is_error(it) && it.field == finding.field) =>
                {
                    false
                }
                _ => !reveals || finding.rule.family() == Family::Document,
            }
        })
    }

    /// `Some` if the values differ only where the fixes say, with whether none differs.
    fn is_changed_as_stated(
        &self,
        after: &Inputs,
        changes: &Changes<'_>,
        fixes: &[(&Diagnostic, &Fix)],
    ) -> Option<bool> {
        let mut comparison = Comparison::new(changes, &self.inputs.document, &after.document);
        let (old, new) = (self.inputs.document.tree().root(), after.document.tree().root());
        // An empty update is not what its author wants to send.
        if new.is_some_and(is_empty) && !old.is_some_and(is_empty) {
            return None;
        }
        if !comparison.holds_at(String::new(), old, new) {
            return fixes.iter().all(|fix| Risk::of(fix) == Risk::Reading).then_some(false);
        }
        for (old, new) in self.inputs.texts.iter().zip(&*after.texts) {
            let pointer = format!("/{}", old.field.name);
            if !comparison.holds_at(pointer, old.document.tree().root(), new.document.tree().root())
            {
                return None;
            }
        }
        Some(comparison.is_same())
    }
}

const fn is_error(finding: &Diagnostic) -> bool {
    matches!(finding.severity, Severity::Error)
}

/// Whether a document is an object without members.
fn is_empty(root: Node<'_>) -> bool {
    root.kind() == Kind::Object && root.members().next().is_none()
}

/// Whether a fix removes the characters that the finding is about.
fn removes(fix: &Fix, finding: &Diagnostic) -> bool {
    let is_around = |edit: &TextEdit| edit.text.is_empty() && edit.span.contains(finding.span);
    fix.origin == finding.origin
        && finding.span.start < finding.span.end
        && fix.edits.iter().any(is_around)
}

/// The edits of some fixes in each input, sorted.
pub(super) fn edits_by_origin(fixes: &[(&Diagnostic, &Fix)]) -> BTreeMap<Origin, Vec<TextEdit>> {
    let mut by_origin: BTreeMap<Origin, Vec<TextEdit>> = BTreeMap::new();
    for (_, fix) in fixes {
        by_origin.entry(fix.origin).or_default().extend(fix.edits.iter().cloned());
    }
    for edits in by_origin.values_mut() {
        edits.sort_by_key(|edit| edit.span);
    }
    by_origin
}
