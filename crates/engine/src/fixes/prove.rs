//! The proof of edits: what was promised of them holds in the inputs after them.

use std::collections::BTreeMap;

use voxlint_model::masking::Masking;
use voxlint_model::{Diagnostic, Family, Fix, Inputs, Origin, Report, Safety, Severity};
use voxlint_syntax::{Span, TextEdit};

use super::batch::Candidate;
use super::changes::Changes;
use super::findings::Findings;
use super::renames::Renames;
use super::shifts::Shifts;
use crate::{UndecidedScope, run};

/// What must hold after some edits: which values may differ, and which findings there are.
pub struct Promise<'p> {
    changes: Changes<'p>,
    findings: Expected<'p>,
}

enum Expected<'p> {
    /// No more syntax errors.
    Readable,
    /// The same before and after, in the same order.
    Same([&'p Report; 2]),
    /// Those of fixes are gone, and none is new.
    Solved(&'p Before<'p>, &'p [Candidate<'p>], BTreeMap<Origin, Shifts>),
}

impl<'p> Promise<'p> {
    /// Only the values at these JSON Pointers differ, and there are no more syntax errors.
    pub fn values(pointers: &[&'p str]) -> Self {
        let stated = pointers.iter().map(|pointer| (*pointer, Safety::Unsafe));
        Self { changes: Changes::new(stated), findings: Expected::Readable }
    }

    /// There are the same findings: those of the report before are those of the report after, wherever they are.
    #[must_use]
    pub fn same_findings(self, before: &'p Report, after: &'p Report) -> Self {
        Self { findings: Expected::Same([before, after]), ..self }
    }
}

/// Whether edits keep their promise, given the inputs before and after them. Whatever is promised, the document is still of the
/// same kind, and it is not empty.
pub fn prove(before: &Inputs, after: &Inputs, promise: &Promise<'_>) -> bool {
    if after.checked_as() != before.checked_as() {
        return false;
    }
    let Some(is_same) = promise.changes.hold(before, after) else { return false };
    match &promise.findings {
        Expected::Readable => after.document.errors().len() <= before.document.errors().len(),
        Expected::Same([before, after]) => {
            let key = |it: &Diagnostic| {
                (it.origin, it.rule.id.clone(), it.field.clone(), it.message.clone(), it.count)
            };
            before.diagnostics.iter().map(key).eq(after.diagnostics.iter().map(key))
        }
        Expected::Solved(known, fixes, shifts) => {
            known.are_solved(fixes, shifts, &promise.changes, after, is_same)
        }
    }
}

/// The inputs and their findings before fixes.
pub(super) struct Before<'a> {
    inputs: &'a Inputs,
    findings: Findings<'a>,
    /// Whether secrets are masked in the findings, so that they are compared with masked ones.
    is_masked: bool,
}

impl<'a> Before<'a> {
    /// The findings as they are, before [`finish`](crate::finish).
    pub(super) fn new(inputs: &'a Inputs, report: &'a Report) -> Self {
        Self { inputs, findings: Findings::of(report), is_masked: false }
    }

    /// The findings as they are shown.
    pub(super) fn masked(inputs: &'a Inputs, report: &'a Report) -> Self {
        Self { is_masked: true, ..Self::new(inputs, report) }
    }

    /// The inputs after these fixes, made together, if they keep what they promise:
    ///
    /// - the findings are gone;
    /// - no error and no possible rejection is new, by rule and pointer, but a possible rejection may take the place of an error. After the correction of a syntax error whose document
    ///   says the same as before, findings that the error had hidden may be. Findings below a member that is renamed stay, and
    ///   its new name may reveal others there, but no error unless it is about two of them;
    /// - the values of the document differ only at the pointers that the fixes state, and where a safe fix states them only in
    ///   their spelling. The correction of a syntax error states no values: one that was not readable may differ then
    ///   ([`Changes`]), and any if all fixes are corrections that need a review ([`Risk::Reading`](super::batch::Risk::Reading));
    /// - no less of the document is read.
    pub(super) fn after(&self, fixes: &[Candidate<'_>]) -> Option<Inputs> {
        let mut shifts: BTreeMap<Origin, Shifts> = BTreeMap::new();
        let mut after = self.inputs.clone();
        for (origin, edits) in edits_by_origin(fixes) {
            after = after.edited(origin, &edits, false)?;
            shifts.insert(origin, Shifts::new(edits)?);
        }
        let findings = Expected::Solved(self, fixes, shifts);
        let promise = Promise { changes: Changes::of(fixes), findings };
        prove(self.inputs, &after, &promise).then_some(after)
    }

    /// Whether these fixes, made together, keep what they promise.
    pub(super) fn holds(&self, fixes: &[Candidate<'_>]) -> bool {
        self.after(fixes).is_some()
    }

    fn are_solved(
        &self,
        fixes: &[Candidate<'_>],
        shifts: &BTreeMap<Origin, Shifts>,
        changes: &Changes<'_>,
        after: &Inputs,
        is_same: bool,
    ) -> bool {
        let roots = [self.inputs, after].map(|inputs| inputs.document.tree().root());
        let renames = Renames::of(fixes, roots[0], roots[1]);
        let mut report = run(after, UndecidedScope::Touched);
        if self.is_masked
            && let Some(masking) = Masking::of(after, &report)
        {
            masking.apply(&mut report);
        }
        let now = Findings::of(&report);
        let reveals = is_same && self.inputs.document.has_errors();
        now.unread <= self.findings.unread
            && self.are_gone(fixes, shifts, &now)
            && !self.has_new(&now, fixes, changes, &renames, reveals)
    }

    /// Whether the findings of the fixes are gone.
    fn are_gone(
        &self,
        fixes: &[Candidate<'_>],
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
        fixes: &[Candidate<'_>],
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
}

const fn is_error(finding: &Diagnostic) -> bool {
    matches!(finding.severity, Severity::Error)
}

/// Whether a fix removes the characters that the finding is about.
fn removes(fix: &Fix, finding: &Diagnostic) -> bool {
    let is_around = |edit: &TextEdit| edit.text.is_empty() && edit.span.contains(finding.span);
    fix.origin == finding.origin
        && finding.span.start < finding.span.end
        && fix.edits.iter().any(is_around)
}

/// The edits of some fixes in each input, sorted.
pub(super) fn edits_by_origin(fixes: &[Candidate<'_>]) -> BTreeMap<Origin, Vec<TextEdit>> {
    let mut by_origin: BTreeMap<Origin, Vec<TextEdit>> = BTreeMap::new();
    for (_, fix) in fixes {
        by_origin.entry(fix.origin).or_default().extend(fix.edits.iter().cloned());
    }
    for edits in by_origin.values_mut() {
        edits.sort_by_key(|edit| edit.span);
    }
    by_origin
}
