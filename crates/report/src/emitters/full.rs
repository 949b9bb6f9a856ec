//! The default format for people.

use std::collections::{BTreeMap, HashSet};
use std::io::{self, Write as _};

use voxlint::{Origin, RuleRef, Severity, counted};

use crate::emitter::{Emitter, Output};
use crate::escape::escape_terminal;
use crate::located::{LocatedDocument, LocatedFinding};
use crate::notes::{self, Notes};
use crate::options::{RenderOptions, severity_color};
use crate::run::RunInfo;
use crate::snippet::{MAX_RELATED, Snippet};
use crate::source_map::input_name;

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
        let LocatedFinding { rule, severity, message, help, related, .. } = finding;
        let options = &document.options;
        headline(out, options, rule, *severity, message);
        out.push_str(&snippet.text);

        let mut notes = Notes { out, indent: snippet.indent, width: options.width };
        let is_document = |origin: Origin| origin == Origin::Document;
        if !is_document(finding.origin) && !related.iter().any(|it| is_document(it.origin)) {
            notes.add("file", &escape_terminal(&document.path));
        }
        if let Some(help) = help {
            notes.add("help", help);
        }
        if let Some(note) = self.note(finding) {
            notes.add("note", note);
        }
        if let Some(input) = input_name(finding.origin).filter(|_| finding.span.from.is_none()) {
            notes.add("note", &format!("this is about {} of {input}", pointer(&finding.field)));
        }
        for related in related.iter().filter(|related| related.span.from.is_none()) {
            if let Some(input) = input_name(related.origin) {
                let field = pointer(&related.field);
                notes.add("note", &format!("{} ({field} of {input})", related.message));
            }
        }
        let here = related.iter().filter(|related| related.origin == finding.origin).count();
        let more = here.saturating_sub(MAX_RELATED);
        if more > 0 {
            notes.add("note", &counted(more as u64, "more related place"));
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

fn pointer(field: &str) -> &str {
    if field.is_empty() { "the whole" } else { field }
}
