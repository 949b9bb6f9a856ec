//! Plans for people: the riskiest agents first, each with its changes, and the counts at the end.

use std::fmt::Write as _;

use voxlint::{AgentPlan, ChangedTexts, Outcome, Severity, counted};

use crate::escape::{columns, escape_terminal, is_line_command};
use crate::notes::{Notes, headline, lead_line, wrap};
use crate::options::{RenderOptions, severity_color};

use super::agent::{
    Documents, about, heard, is_marked, is_quiet, outcome_word, ranked, reasons, status_name,
    statuses,
};
use super::planned::PlanReport;
use super::summary::plan_summary;
use super::words::{WordKind, WordLine, WordPiece, changed_words};

/// The columns before the changes of an agent.
const INDENT: usize = 4;

/// The columns before the words of a changed text.
const WORDS_INDENT: usize = 6;

/// The reasons of a status and the lines of a changed text that are shown. The JSON form lists all of them.
const MAX_REASONS: usize = 6;
const MAX_LINES: usize = 24;

/// Longer lists of agents without a stored configuration or in the order to send are cut.
const MAX_AGENTS: usize = 20;

pub(super) fn render(report: &PlanReport<'_>, options: &RenderOptions) -> String {
    let mut page = TextPage {
        out: String::new(),
        options: *options,
        documents: Documents::new(report),
        is_begun: false,
    };
    let agents = ranked(report);
    let mut not_stored = Vec::new();
    for agent in agents {
        match agent.outcome {
            _ if is_quiet(agent) => {}
            Outcome::NoStoredState if agent.findings.is_empty() && agent.undecided.is_empty() => {
                not_stored.push(agent);
            }
            _ => page.agent(agent),
        }
    }
    page.not_stored(&not_stored);
    page.order(report);
    page.gap();
    page.line(&options.paint("1", &plan_summary(report.plan)));
    page.out
}

struct TextPage<'a> {
    out: String,
    options: RenderOptions,
    documents: Documents<'a>,
    is_begun: bool,
}

impl TextPage<'_> {
    /// An empty line between two parts.
    fn gap(&mut self) {
        if self.is_begun {
            self.out.push('\n');
        }
        self.is_begun = true;
    }

    fn line(&mut self, line: &str) {
        push_line(&mut self.out, line);
    }

    fn agent(&mut self, agent: &AgentPlan) {
        self.gap();
        let word = outcome_word(agent.outcome);
        let color = match agent.outcome {
            Outcome::Refused => severity_color(Severity::Error),
            Outcome::Depends => severity_color(Severity::Warning),
            Outcome::Publish => "1;35",
            Outcome::Update => "1;32",
            _ => "1",
        };
        let name = escape_terminal(&agent.name);
        let about = about(agent).join(", ");
        let about =
            if about.is_empty() { about } else { format!(" ({})", escape_terminal(&about)) };
        let painted =
            format!("{}: {}", self.options.paint(color, word), self.options.paint("1", &name));
        let width = self.options.width.saturating_sub(2);
        let lead = format!("{word}: {name}");
        // A heading that does not fit has the rest on a line of its own.
        if lead.chars().map(columns).sum::<usize>() + about.chars().map(columns).sum::<usize>()
            > width
        {
            self.line(&painted);
            self.line(&format!("  {}", about.trim_start()));
        } else {
            self.line(&format!("{painted}{about}"));
        }
        self.statuses(agent);
        self.changes(agent);
        for drift in &agent.drift {
            self.item(is_marked(drift), &drift.sentence);
        }
        let width = self.options.width;
        let mut notes = Notes { out: &mut self.out, indent: INDENT, corner: "".into(), width };
        for note in &agent.notes {
            notes.add("note", note);
        }
        self.findings(agent);
    }

    /// Why an update is rejected, or what it depends on.
    fn statuses(&mut self, agent: &AgentPlan) {
        if matches!(agent.outcome, Outcome::NoChange | Outcome::NoStoredState) {
            return;
        }
        for status in statuses(agent) {
            let name = status_name(status);
            let reasons = reasons(status);
            let Some((first, others)) = reasons.split_first() else {
                if status.status != 200 {
                    self.item(status.is_expected, &name);
                }
                continue;
            };
            let is_bad = status.status != 200 && status.is_expected;
            if others.is_empty() {
                self.item(is_bad, &format!("{name}: {first}"));
                continue;
            }
            self.item(is_bad, &format!("{name}:"));
            let width = self.options.width.saturating_sub(WORDS_INDENT + 2);
            for reason in reasons.iter().take(MAX_REASONS) {
                for (index, row) in wrap(&escape_terminal(reason), width).into_iter().enumerate() {
                    let mark = if index == 0 { "- " } else { "  " };
                    self.line(&format!("{:WORDS_INDENT$}{mark}{row}", ""));
                }
            }
            if let Some(more @ 1..) = reasons.len().checked_sub(MAX_REASONS) {
                let more = counted(more as u64, "more reason");
                self.line(&format!("{:WORDS_INDENT$}- and {more}", ""));
            }
        }
    }

    fn changes(&mut self, agent: &AgentPlan) {
        for change in &agent.changes {
            self.item(change.is_dangerous(), &change.sentence);
            if let Some(texts) = &change.texts {
                push_words(&mut self.out, texts, &self.options);
            }
        }
        for (when, texts) in heard(agent) {
            self.item(false, &when);
            if let Some(texts) = texts {
                push_words(&mut self.out, texts, &self.options);
            }
        }
    }

    /// One line of an agent, with a mark if it is dangerous.
    fn item(&mut self, is_dangerous: bool, text: &str) {
        let width = self.options.width.saturating_sub(INDENT);
        let text = escape_terminal(text);
        for (index, row) in wrap(&text, width).into_iter().enumerate() {
            let mark = match (index, is_dangerous) {
                (0, true) => {
                    format!("  {} ", self.options.paint(severity_color(Severity::Error), "!"))
                }
                (0, false) => " ".repeat(INDENT),
                _ => " ".repeat(INDENT + 2),
            };
            self.line(&format!("{mark}{row}"));
        }
    }

    fn findings(&mut self, agent: &AgentPlan) {
        let located = self.documents.findings(agent, &self.options, false);
        for finding in &located.diagnostics {
            let options = RenderOptions { wrap_headlines: true, ..self.options };
            headline(&mut self.out, "  ", finding, &finding.message, &options);
            let width = self.options.width;
            let mut notes = Notes { out: &mut self.out, indent: INDENT, corner: "".into(), width };
            let texts = [("help", &finding.help), ("note", &finding.short_note)];
            for (word, text) in texts {
                if let Some(text) = text {
                    notes.add(word, text);
                }
            }
        }
        for entry in &located.undecided {
            let lead = format!("  undecided[{}]", self.options.rule_link(&entry.rule));
            let options = RenderOptions { wrap_headlines: true, ..self.options };
            lead_line(&mut self.out, &lead, &entry.why, &options);
        }
    }

    /// The documents without a stored configuration, of which nothing else is known.
    fn not_stored(&mut self, agents: &[&AgentPlan]) {
        if agents.is_empty() {
            return;
        }
        self.gap();
        self.line(
            "no stored configuration (`stored` in voxlint.toml, or --stored), so the changes are not known:",
        );
        for agent in agents.iter().take(MAX_AGENTS) {
            self.line(&format!("{:INDENT$}{}", "", escape_terminal(&agent.name)));
        }
        self.more(agents.len());
    }

    /// The order in which to send the bodies.
    fn order(&mut self, report: &PlanReport<'_>) {
        let agents = report.plan.order.iter().filter_map(|at| report.plan.agents.get(*at));
        let names: Vec<_> = agents.map(|agent| escape_terminal(&agent.name)).collect();
        if names.len() < 2 {
            return;
        }
        self.gap();
        self.line("to send, in this order:");
        for (number, name) in names.iter().enumerate().take(MAX_AGENTS) {
            self.line(&format!("{:>1$}. {name}", number + 1, INDENT));
        }
        self.more(names.len());
    }

    fn more(&mut self, count: usize) {
        if let Some(more @ 1..) = count.checked_sub(MAX_AGENTS) {
            self.line(&format!("{:INDENT$}and {more} more", ""));
        }
    }
}

/// Writes a line. A row of a wrapped text never begins like a command to a build server.
fn push_line(out: &mut String, line: &str) {
    if is_line_command(line) {
        out.push_str(line.replacen(':', "\\u{3a}", 1).trim_end());
    } else {
        out.push_str(line.trim_end());
    }
    out.push('\n');
}

/// The words of a text that change.
pub(crate) fn push_words(out: &mut String, texts: &ChangedTexts, options: &RenderOptions) {
    let parts = texts.parts().into_iter();
    let lines: Vec<_> = parts.flat_map(|(old, new)| changed_words(old, new)).collect();
    let left = lines.len().saturating_sub(MAX_LINES);
    for line in lines.into_iter().take(MAX_LINES) {
        match line {
            WordLine::Skipped(count) => {
                let text = format!("… {}", counted(count as u64, "unchanged line"));
                let text = options.paint("2", &text).into_owned();
                push_line(out, &format!("{:WORDS_INDENT$}{text}", ""));
            }
            WordLine::Shown(pieces) => {
                let line = MarkedLine::of(&pieces);
                let width = options.width.saturating_sub(WORDS_INDENT);
                let margin = match line.margin {
                    Some((mark, color)) => {
                        format!("{:1$}{2} ", "", WORDS_INDENT - 2, options.paint(color, mark))
                    }
                    None => " ".repeat(WORDS_INDENT),
                };
                for row in line.rows(width, options) {
                    push_line(out, &format!("{margin}{row}"));
                }
            }
        }
    }
    if left > 0 {
        let left = counted(left as u64, "more line");
        push_line(out, &format!("{:WORDS_INDENT$}… {left}", ""));
    }
}

/// A line with marks around what changed, which are readable without colors.
#[derive(Default)]
struct MarkedLine {
    text: String,
    /// The ends of the colored parts, with their colors.
    colors: Vec<(usize, &'static str)>,
    /// The mark in the margin of a line that was added or removed as a whole, with its color.
    margin: Option<(&'static str, &'static str)>,
}

impl MarkedLine {
    /// A line as it is shown. One that was added or removed as a whole needs no marks around its words.
    fn of(pieces: &[WordPiece]) -> Self {
        let mut line = Self::default();
        let margin = match pieces {
            [WordPiece { kind: WordKind::Removed, text }] => Some((text, ("-", "31"))),
            [WordPiece { kind: WordKind::Added, text }] => Some((text, ("+", "32"))),
            _ => None,
        };
        if let Some((text, (mark, color))) = margin {
            line.text.clone_from(text);
            line.colors.push((text.len(), color));
            line.margin = Some((mark, color));
        } else {
            for piece in pieces {
                line.add(piece.kind, &piece.text);
            }
        }
        line
    }

    fn add(&mut self, kind: WordKind, text: &str) {
        let (before, after, color) = match kind {
            WordKind::Same => ("", "", ""),
            WordKind::Gap => ("", "", "2"),
            WordKind::Removed => ("[-", "-]", "31"),
            WordKind::Added => ("{+", "+}", "32"),
        };
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{before}{text}{after}");
        self.colors.push((self.text.len(), color));
    }

    /// The line in rows of at most this width, colored.
    fn rows(&self, width: usize, options: &RenderOptions) -> Vec<String> {
        let mut rows = Vec::new();
        let mut start = 0;
        for end in breaks(&self.text, width) {
            let mut row = String::new();
            let mut from = start;
            for (to, color) in &self.colors {
                let to = (*to).min(end);
                if to > from {
                    let piece = self.text.get(from..to).unwrap_or_default();
                    let piece = if to == end { piece.trim_end() } else { piece };
                    row.push_str(&if color.is_empty() {
                        piece.into()
                    } else {
                        options.paint(color, piece)
                    });
                    from = to;
                }
            }
            rows.push(row);
            start = end;
        }
        rows
    }
}

/// The ends of rows: after the last space that fits, or within a word that does not fit.
fn breaks(text: &str, width: usize) -> Vec<usize> {
    let width = width.max(24);
    let (mut ends, mut taken) = (Vec::new(), 0);
    let mut space: Option<(usize, usize)> = None;
    for (offset, c) in text.char_indices() {
        taken += columns(c);
        if taken > width && c != ' ' {
            let (end, before) = space.take().unwrap_or((offset, taken - columns(c)));
            ends.push(end);
            taken -= before;
        }
        if c == ' ' {
            space = Some((offset + 1, taken));
        }
    }
    ends.push(text.len());
    ends
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str, width: usize) -> Vec<String> {
        let mut line = MarkedLine::default();
        line.add(WordKind::Same, text);
        line.rows(width, &RenderOptions::default())
    }

    #[test]
    fn long_lines_are_wrapped_at_spaces_or_within_long_words() {
        assert_eq!(
            rows("twelve signs and twelve more of them", 24),
            ["twelve signs and twelve", "more of them"]
        );
        assert_eq!(rows(&"x".repeat(50), 24), ["x".repeat(24), "x".repeat(24), "xx".to_owned()]);
        assert_eq!(rows(&format!("a {}", "x".repeat(30)), 24), ["a", &"x".repeat(24), "xxxxxx"]);
        assert_eq!(rows("", 24), [""]);
    }

    #[test]
    fn colors_go_on_in_the_next_row() {
        let mut line = MarkedLine::default();
        line.add(WordKind::Same, "the new text is ");
        line.add(WordKind::Added, "much longer than before");
        let options = RenderOptions { color: true, ..RenderOptions::default() };
        assert_eq!(
            line.rows(24, &options),
            [
                "the new text is \u{1b}[32m{+much\u{1b}[0m",
                "\u{1b}[32mlonger than before+}\u{1b}[0m"
            ]
        );
    }
}
