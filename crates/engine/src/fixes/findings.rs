//! The findings of a check, for the comparison with those of another one.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use voxlint_model::{Diagnostic, Origin, Report, Severity, VerdictKind};
use voxlint_rules::ids::TEMPLATE_SYNTAX_ERROR;

/// The findings of a report by their places.
pub(super) struct Findings<'r> {
    /// The message of each finding, and how many it stands for, by rule, pointer, input and first byte.
    places: BTreeMap<FindingKey<'r>, Vec<(&'r str, u32)>>,
    /// The number of findings of each rule in each input.
    totals: BTreeMap<(&'r str, Origin), u32>,
    /// The errors and possible rejections.
    pub(super) serious: Vec<&'r Diagnostic>,
    /// How many parts of the inputs were not read.
    pub(super) unread: usize,
}

type FindingKey<'r> = (&'r str, &'r str, Origin, u32);

impl<'r> Findings<'r> {
    pub(super) fn of(report: &'r Report) -> Self {
        let mut places: BTreeMap<FindingKey<'_>, Vec<(&str, u32)>> = BTreeMap::new();
        let mut totals = BTreeMap::new();
        for finding in &report.diagnostics {
            let here = places.entry(place(finding, finding.span.start)).or_default();
            here.push((&finding.message, finding.count));
            *totals.entry((&*finding.rule.id, finding.origin)).or_default() += finding.count;
        }
        let is_serious = |finding: &&Diagnostic| {
            finding.verdict != VerdictKind::Advice || finding.severity == Severity::Error
        };
        // Of the errors of a template, a check reports the first.
        let mut templates = BTreeSet::new();
        let mut is_reported = |finding: &'r Diagnostic| {
            !is_in_template(finding) || templates.insert((finding.origin, &finding.field))
        };
        let serious = report.diagnostics.iter().filter(is_serious);
        let serious = serious.filter(|finding| is_reported(finding)).collect();
        Self { places, totals, serious, unread: report.unread.len() }
    }

    /// The number of findings of a rule in an input.
    pub(super) fn total(&self, rule: &str, origin: Origin) -> u32 {
        self.totals.get(&(rule, origin)).copied().unwrap_or(0)
    }

    /// The number of findings like this one, with this message if any, whose first bytes are in a range.
    pub(super) fn count(
        &self,
        like: &Diagnostic,
        range: RangeInclusive<u32>,
        message: Option<&str>,
    ) -> u32 {
        let has_message = |other: &str| message.is_none_or(|message| message == other);
        let here = self.places.range(place(like, *range.start())..=place(like, *range.end()));
        let here = here.flat_map(|(_, found)| found).filter(|(found, _)| has_message(found));
        here.map(|(_, count)| count).sum()
    }
}

/// Whether a finding is an error of a template, which may only show when those before it are corrected.
pub(super) fn is_in_template(finding: &Diagnostic) -> bool {
    finding.rule.id == TEMPLATE_SYNTAX_ERROR
}

fn place(finding: &Diagnostic, start: u32) -> FindingKey<'_> {
    (&finding.rule.id, &finding.field, finding.origin, start)
}
