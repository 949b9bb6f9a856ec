//! How often each rule has found something, the most frequent first.

use std::collections::{BTreeMap, BTreeSet};
use std::io;

use voxlint::{Safety, Severity};

use crate::RunInfo;
use crate::escape::escape_terminal;
use crate::located::Document;
use crate::run::Ending;
use crate::writer::Sink;

#[derive(Default)]
pub(crate) struct Statistics {
    counts: BTreeMap<(String, Severity), Counts>,
}

#[derive(Default)]
struct Counts {
    findings: u64,
    /// Documents with one of them or more.
    documents: u64,
    /// Those with a fix that may be made unseen.
    fixable: u64,
}

impl Sink for Statistics {
    fn take(
        &mut self,
        _: &mut dyn io::Write,
        _: &RunInfo<'_>,
        document: Document,
        _: bool,
    ) -> io::Result<()> {
        let mut seen = BTreeSet::new();
        for finding in document.diagnostics {
            let key = (finding.rule.id.clone().into_owned(), finding.severity);
            let is_first = seen.insert(key.clone());
            let counts = self.counts.entry(key).or_default();
            counts.findings += 1;
            counts.documents += u64::from(is_first);
            counts.fixable += u64::from(finding.fixes.iter().any(|fix| fix.safety == Safety::Safe));
        }
        Ok(())
    }

    fn finish(
        &mut self,
        out: &mut dyn io::Write,
        _: &RunInfo<'_>,
        _: &Ending<'_>,
    ) -> io::Result<()> {
        let mut rows: Vec<_> = self.counts.iter().collect();
        if rows.is_empty() {
            return Ok(());
        }
        rows.sort_by(|(a, one), (b, other)| other.findings.cmp(&one.findings).then(a.cmp(b)));
        writeln!(out, "findings  documents  fixable  severity  rule")?;
        for ((rule, severity), Counts { findings, documents, fixable }) in rows {
            let (severity, rule) = (severity.name(), escape_terminal(rule));
            writeln!(out, "{findings:>8}  {documents:>9}  {fixable:>7}  {severity:<8}  {rule}")?;
        }
        Ok(())
    }
}
