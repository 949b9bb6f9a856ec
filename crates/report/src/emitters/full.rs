//! The default format for people.

use std::collections::{BTreeMap, HashSet};
use std::io;

use voxlint::fixes::NotApplied;

use crate::emitter::{Emitter, Output};
use crate::escape::escape_terminal;
use crate::located::{LocatedDocument, LocatedFinding};
use crate::notes::{CORNER, Notes, finding_notes, headline};
use crate::snippet::Snippet;

use super::concise::write_undecided;

#[derive(Default)]
pub(crate) struct FullEmitter {
    is_begun: bool,
    /// The readings of the description that have been explained, each with the rule whose findings depend on it.
    explained: HashSet<(String, String)>,
}

impl Emitter for FullEmitter {
    fn add(&mut self, out: &mut Output<'_>, document: LocatedDocument, _: bool) -> io::Result<()> {
        let mut page = String::new();
        let mut more: BTreeMap<&str, (u32, &LocatedFinding)> = BTreeMap::new();
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
            headline(&mut page, "", finding, &message, &document.options);
        }
        if !page.is_empty() && !document.undecided.is_empty() {
            page.push('\n');
        }
        write_undecided(&mut page, &document);
        if page.is_empty() {
            return Ok(());
        }
        if self.is_begun {
            out.write("\n")?;
        }
        self.is_begun = true;
        out.write(&page)
    }
}

impl FullEmitter {
    fn finding(
        &mut self,
        out: &mut String,
        document: &LocatedDocument,
        finding: &LocatedFinding,
        snippet: &Snippet,
    ) {
        let options = &document.options;
        headline(out, "", finding, &finding.message, options);
        out.push_str(&snippet.text);

        let corner = if snippet.text.is_empty() { "".into() } else { options.paint("2", CORNER) };
        let mut notes = Notes { out, indent: snippet.indent, corner, width: options.width };
        let note = self.note(finding);
        for (word, text) in finding_notes(document, finding, note) {
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
    fn note<'f>(&mut self, finding: &'f LocatedFinding) -> Option<&'f str> {
        let note = finding.short_note.as_deref()?;
        let is_new = !finding.is_reading
            || self.explained.insert((finding.rule.id.to_string(), note.to_owned()));
        is_new.then_some(note)
    }
}
