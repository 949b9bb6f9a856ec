//! The default format for people.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write as _};

use voxlint::fixes::NotApplied;
use voxlint::{RuleRef, Severity};

use crate::emitter::{Emitter, Output};
use crate::escape::escape_terminal;
use crate::located::{LocatedDocument, LocatedFinding};
use crate::notes::{self, Notes};
use crate::options::{RenderOptions, severity_color};
use crate::run::RunInfo;
use crate::snippet::Snippet;

use super::concise::write_undecided;

#[derive(Default)]
pub(crate) struct FullEmitter {
    is_begun: bool,
    /// The readings of the description that have been explained, each with the rule whose findings depend on it.
    explained: HashSet<(String, String)>,
}

impl Emitter for FullEmitter {
    type Page = LocatedDocument<'static>;

    fn page(_: &RunInfo<'_>, document: LocatedDocument<'_>) -> Self::Page {
        document.into_owned()
    }

    fn add(&mut self, out: &mut Output<'_>, document: Self::Page, _: bool) -> io::Result<()> {
        let mut page = String::new();
        let mut more: BTreeMap<&str, (u32, &LocatedFinding<'_>)> = BTreeMap::new();
        for finding in &document.diagnostics {
            let Some(snippet) = &finding.snippet else {
                more.entry(&finding.rule.id).or_insert((0, finding)).0 += finding.count;
                continue;
            };
            if !page.is_empty() {
                page.push('\n');
            }
            self.finding(&mut page, &document, finding, snippet);
        }
        for (count, finding) in more.into_values() {
            let message = format!("{count} more like these in {}", escape_terminal(&document.path));
            page.push('\n');
            headline(&mut page, &document.options, &finding.rule, finding.severity, &message);
        }
        if !page.is_empty() && !document.undecided.is_empty() {
            page.push('\n');
        }
        write_undecided(&mut page, &document);
        if page.is_empty() {
            return Ok(());
        }
        if self.is_begun {
            out.write_all(b"\n")?;
        }
        self.is_begun = true;
        out.write_all(page.as_bytes())
    }
}

impl FullEmitter {
    fn finding(
        &mut self,
        out: &mut String,
        document: &LocatedDocument<'_>,
        finding: &LocatedFinding<'_>,
        snippet: &Snippet,
    ) {
        let LocatedFinding { rule, severity, message, .. } = finding;
        let options = &document.options;
        headline(out, options, rule, *severity, message);
        out.push_str(&snippet.text);

        let mut notes = Notes { out, indent: snippet.indent, width: options.width };
        let note = self.note(finding);
        for (word, text) in notes::finding_notes(document, finding, note) {
            notes.add(word, &text);
        }
        if let Some(fix) = &snippet.fix {
            match finding.not_applied {
                Some(why) if why != NotApplied::NeedsReview => {
                    notes.add(fix.word(), &format!("{} (not applied: {})", fix.title, why.why()));
                }
                _ => notes.add(fix.word(), &fix.title),
            }
            out.push_str(&fix.lines);
        }
    }

    /// The note of a finding. A reading of the description is explained at the first finding that depends on it.
    fn note<'f>(&mut self, finding: &'f LocatedFinding<'_>) -> Option<&'f str> {
        match &finding.reading {
            Some((reading, short_note))
                if !self.explained.insert((finding.rule.id.to_string(), reading.to_string())) =>
            {
                short_note.as_deref()
            }
            _ => finding.note.as_deref(),
        }
    }
}

/// Writes `severity[rule]: message`, with the rule in color and linked to its page.
fn headline(
    out: &mut String,
    options: &RenderOptions,
    rule: &RuleRef,
    severity: Severity,
    message: &str,
) {
    let word = severity.name();
    let lead = format!("{word}[{}]", escape_terminal(&rule.id));
    let linked = format!("{word}[{}]", options.rule_link(rule));
    let painted = options.paint(severity_color(severity), &linked);
    notes::headline(out, &lead, &painted, message, options);
}
