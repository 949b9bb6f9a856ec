//! The number of findings of each rule, the most frequent rule first.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use voxlint::{Safety, Severity};

use crate::emitter::{Emitter, Output};
use crate::escape::escape_terminal;
use crate::located::LocatedDocument;
use crate::run::RunOutcome;

#[derive(Default)]
pub(crate) struct StatisticsEmitter {
    counts: BTreeMap<(String, Severity), RuleCounts>,
}

#[derive(Default)]
struct RuleCounts {
    findings: u64,
    /// Documents with at least one of them.
    documents: u64,
    /// Findings with a safe fix.
    fixable: u64,
}

impl Emitter for StatisticsEmitter {
    fn add(&mut self, _: &mut Output<'_>, document: LocatedDocument, _: bool) -> io::Result<()> {
        let mut seen = BTreeSet::new();
        for finding in document.diagnostics {
            let key = (finding.rule.id.to_string(), finding.severity);
            let is_first = seen.insert(key.clone());
            let counts = self.counts.entry(key).or_default();
            counts.findings += u64::from(finding.count);
            counts.documents += u64::from(is_first);
            counts.fixable += u64::from(finding.fixable == Some(Safety::Safe));
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Output<'_>, _: &RunOutcome<'_>) -> io::Result<()> {
        let mut rows: Vec<_> = self.counts.iter().collect();
        if rows.is_empty() {
            return Ok(());
        }
        rows.sort_by(|(a, one), (b, other)| other.findings.cmp(&one.findings).then(a.cmp(b)));
        writeln!(out, "findings  documents  fixable  severity  rule")?;
        for ((rule, severity), RuleCounts { findings, documents, fixable }) in rows {
            let (severity, rule) = (severity.name(), escape_terminal(rule));
            writeln!(out, "{findings:>8}  {documents:>9}  {fixable:>7}  {severity:<8}  {rule}")?;
        }
        Ok(())
    }
}
