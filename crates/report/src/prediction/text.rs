//! Predictions for people: the answer, the reasons for it, and the body.

use std::collections::HashSet;
use std::fmt::Write as _;

use voxlint::{
    Answer, AnswerBody, AnswerReason, Origin, Prediction, Undecided, VerdictKind, counted,
};

use super::MESSAGE_AUTHOR;
use crate::document::CheckedDocument;
use crate::escape::{escape_json, escape_terminal};
use crate::notes::wrap;
use crate::options::RenderOptions;
use crate::source_map::input_name;

/// The number of reasons of one answer that are shown. The JSON format lists all of them.
const MAX_REASONS: usize = 20;

/// Renders the service's predicted answer to a document. `checked` is the document with the report of the prediction.
///
/// Characters that steer a terminal are escaped, in a body with JSON escapes.
pub fn render_prediction(
    options: &RenderOptions,
    checked: &CheckedDocument<'_>,
    prediction: &Prediction,
) -> String {
    let mut page = PredictionPage { out: String::new(), options, prediction };
    page.verdict(checked.path);
    page.reasons();
    page.notes();
    page.bodies();
    page.out
}

struct PredictionPage<'a> {
    out: String,
    options: &'a RenderOptions,
    prediction: &'a Prediction,
}

impl<'a> PredictionPage<'a> {
    fn expected(&self) -> impl Iterator<Item = &'a Answer> + use<'a> {
        self.prediction.answers.iter().filter(|answer| answer.is_expected)
    }

    fn is_rejected(&self) -> bool {
        self.expected().all(|answer| answer.status != 200)
    }

    fn verdict(&mut self, path: &str) {
        if self.prediction.is_unsendable() {
            self.unsendable(path);
            return;
        }
        let expected: Vec<String> = self.expected().map(|answer| self.named(answer)).collect();
        let is_open = self.prediction.answers.len() > expected.len();
        let (verdict, unless) = match (self.is_rejected(), is_open) {
            (false, false) => ("accepted with", ""),
            (false, true) => ("may be rejected, otherwise accepted with", ""),
            (true, _) if self.prediction.may_be_accepted() => ("may be rejected with", ""),
            (true, false) => ("rejected with", ""),
            (true, true) => ("rejected with", ", unless another answer comes first"),
        };
        let expected = expected.join(" or ");
        self.line(&format!("{}: {verdict} {expected}{unless}", escape_terminal(path)));
    }

    /// A document from which no JSON can be made.
    fn unsendable(&mut self, path: &str) {
        let verdict = self.options.paint("1;31", "the document cannot be sent");
        self.line(&format!("{}: {verdict}", escape_terminal(path)));
        self.line("");
        let found = self.prediction.report.diagnostics.iter().filter(|it| it.rule.is_syntax());
        let more = found.clone().count().saturating_sub(MAX_REASONS);
        for finding in found.take(MAX_REASONS) {
            let text = format!("because {}  [{}]", finding.message, finding.rule.id);
            self.item("", 0, &text);
        }
        if more > 0 {
            self.item("", 0, &format!("and {}", counted(more as u64, "more reason")));
        }
    }

    /// The status with its reason phrase, in its color.
    fn named(&self, answer: &Answer) -> String {
        let color = match (answer.is_expected, answer.status) {
            (true, 200) if self.prediction.is_certainly_accepted() => "1;32",
            (false, _) | (true, 200) => "1;33",
            (true, _) => "1;31",
        };
        self.options.paint(color, &name(answer)).into_owned()
    }

    /// The reasons of each answer, the expected answers first.
    fn reasons(&mut self) {
        let (first, then): (Vec<_>, Vec<_>) = self
            .prediction
            .answers
            .iter()
            .filter(|answer| !answer.reasons.is_empty())
            .partition(|answer| answer.is_expected);
        let answers: Vec<&Answer> = first.into_iter().chain(then).collect();
        let room = answers.iter().map(|answer| name(answer).len()).max().unwrap_or(0);
        if !answers.is_empty() {
            self.line("");
        }
        let mut shown = HashSet::new();
        for answer in answers {
            let mut label = self.named(answer);
            label.extend(std::iter::repeat_n(' ', room - name(answer).len()));
            let (untouched, own): (Vec<AnswerReason>, Vec<AnswerReason>) =
                answer.reasons.iter().partition(|reason| self.is_untouched(**reason));
            let mut texts: Vec<String> =
                own.into_iter().filter_map(|reason| self.reason(reason, &mut shown)).collect();
            texts.dedup();
            let more = texts.len().saturating_sub(MAX_REASONS);
            texts.truncate(MAX_REASONS);
            if more > 0 {
                texts.push(format!("and {}", counted(more as u64, "more reason")));
            }
            texts.extend(unchanged_values(untouched.len()));
            for text in texts {
                self.item(&label, room, &text);
                label = " ".repeat(room);
            }
        }
    }

    /// Whether a reason depends only on values that the update leaves unchanged.
    fn is_untouched(&self, reason: AnswerReason) -> bool {
        self.prediction.undecided(reason).is_some_and(|entry| !entry.is_touched)
    }

    /// `because …`, `perhaps, because …` or `if …`, and the rule. A reason of an earlier status is not repeated.
    fn reason(&self, reason: AnswerReason, shown: &mut HashSet<AnswerReason>) -> Option<String> {
        if !shown.insert(reason) {
            let rule = self.prediction.diagnostic(reason).map(|finding| &finding.rule);
            let rule = rule.or_else(|| self.prediction.undecided(reason).map(|entry| &entry.rule));
            return Some(format!("for the same reason as above  [{}]", rule?.id));
        }
        if let Some(finding) = self.prediction.diagnostic(reason) {
            let lead = match finding.verdict {
                VerdictKind::Reject => "because",
                _ => "perhaps, because",
            };
            let condition = match finding.condition() {
                Some(words) if finding.depends_on.is_none() => format!(", {words}"),
                Some(words) => format!(": {words}"),
                None => String::new(),
            };
            let place = match input_name(finding.origin) {
                Some(input) if finding.origin == Origin::Stored => format!(" (in {input})"),
                _ => String::new(),
            };
            return Some(format!(
                "{lead} {}{place}{condition}  [{}]",
                finding.message, finding.rule.id
            ));
        }
        let undecided = self.prediction.undecided(reason)?;
        let (condition, why) = (undecided.condition(), undecided.why());
        Some(format!("if {condition}: {why}  [{}]", undecided.rule.id))
    }

    /// One reason beside its status, wrapped.
    fn item(&mut self, label: &str, room: usize, text: &str) {
        let margin = room + 5;
        let width = self.options.width.saturating_sub(margin);
        for (index, row) in wrap(&escape_terminal(text), width).into_iter().enumerate() {
            if index == 0 {
                self.line(&format!("  {label}   {row}"));
            } else {
                self.line(&format!("{:margin$}{}", "", row));
            }
        }
    }

    fn notes(&mut self) {
        let mut notes = Vec::new();
        if self.is_rejected() && self.prediction.answers.len() > 1 {
            notes.push("the description does not say which of these comes first".to_owned());
        }
        for finding in self.prediction.unreadable_for_some() {
            let condition = finding.depends_on.iter().map(|words| format!(": {words}"));
            let condition: String = condition.collect();
            let (message, id) = (&finding.message, &finding.rule.id);
            notes
                .push(format!("perhaps the document cannot be sent: {message}{condition}  [{id}]"));
        }
        notes.extend(self.other_rejections());
        notes.extend(self.possible_acceptance());
        notes.extend(self.missing_inputs());
        let has_places = self.prediction.answers.iter().any(|answer| {
            answer.reasons.iter().any(|reason| self.prediction.diagnostic(*reason).is_some())
        });
        if has_places || self.prediction.is_unsendable() {
            notes.push("`voxlint check` with the same arguments shows the lines".to_owned());
        }
        if !notes.is_empty() {
            self.line("");
        }
        for note in notes {
            for (index, row) in wrap(&note, self.options.width).into_iter().enumerate() {
                let indent = if index == 0 { 2 } else { 4 };
                self.line(&format!("{:indent$}{}", "", row));
            }
        }
    }

    /// Undecided rules could change the status of a rejection, but not turn it into a success.
    fn other_rejections(&self) -> Option<String> {
        let others = self.prediction.other_rejections().into_iter().map(|status| {
            let phrase = voxlint::schema::error::reason_phrase(status).unwrap_or_default();
            format!("{status} {phrase}")
        });
        let others: Vec<String> = others.collect();
        (!others.is_empty()).then(|| {
            format!(
                "undecided rules could make it {}, but not a success: `voxlint check --show-undecided` lists them",
                others.join(" or ")
            )
        })
    }

    /// The reason why a rejected update may be accepted.
    fn possible_acceptance(&self) -> Option<String> {
        let is_rejected = self.is_rejected() && self.prediction.may_be_accepted();
        let undecided = self.prediction.report.undecided.iter();
        let mut doubts = undecided.filter(|entry| {
            entry.may_be_accepted || entry.rule.family() == voxlint::Family::Document
        });
        let why = doubts.next().filter(|_| is_rejected).map(Undecided::why);
        why.map(|why| format!("the update may be accepted: {why}"))
    }

    /// The inputs that would decide the undecided reasons.
    fn missing_inputs(&self) -> Option<String> {
        let mut missing: Vec<String> = Vec::new();
        // The unchanged values are too many to be listed.
        let mut is_whole = false;
        for answer in &self.prediction.answers {
            for reason in &answer.reasons {
                let undecided = self.prediction.undecided(*reason);
                is_whole |= self.is_untouched(*reason);
                let undecided = undecided.filter(|entry| entry.is_touched);
                for pointer in undecided.into_iter().flat_map(|entry| entry.missing().into_owned())
                {
                    if !missing.contains(&pointer) {
                        missing.push(pointer);
                    }
                }
            }
        }
        let names = |prefix: &str| -> Vec<String> {
            let names = missing
                .iter()
                .filter_map(|pointer| pointer.trim_start_matches("stored:").strip_prefix(prefix));
            names.map(|name| format!("`{name}`")).collect()
        };
        let (of_version, of_agent, of_facts) = (names("/"), names("agent:/"), names("facts:/"));
        let mut stored = Vec::new();
        if is_whole {
            stored.push("the complete agent and version (`\"complete\": true`)".to_owned());
        } else {
            if !of_agent.is_empty() {
                stored.push(format!("the agent's {}", of_agent.join(", ")));
            }
            if !of_version.is_empty() {
                stored.push(format!("the version's {}", of_version.join(", ")));
            }
        }
        let mut given = Vec::new();
        if !stored.is_empty() {
            given.push(format!("--stored with {}", stored.join(" and ")));
        }
        if !of_facts.is_empty() {
            given.push(format!("--facts with {}", of_facts.join(", ")));
        }
        (!given.is_empty()).then(|| format!("for a certain answer, add {}", given.join(" and ")))
    }

    fn bodies(&mut self) {
        for answer in self.expected() {
            self.line("");
            match (&answer.body, answer.status) {
                (AnswerBody::Unknown(why), 200) => {
                    self.line(&format!(
                        "the body would be the agent with the update applied; {why}"
                    ));
                }
                (AnswerBody::Unknown(why), _) => {
                    self.line(&format!("the body is not known: {why}"));
                }
                (AnswerBody::Json(json), status) => {
                    let what = if status == 200 {
                        "the agent with the update applied".to_owned()
                    } else {
                        format!("with {MESSAGE_AUTHOR}'s messages")
                    };
                    self.line(&format!("the body of {}, {what}:", name(answer)));
                    self.line(&escape_json(json));
                }
            }
        }
    }

    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.out, "{line}");
    }
}

/// The undecided checks of values that the update leaves unchanged. The JSON format lists them rule by rule.
fn unchanged_values(checks: usize) -> Option<String> {
    let counted = counted(checks as u64, "check");
    (checks > 0).then(|| {
        format!(
            "if a stored value that the update leaves unchanged is invalid: {counted} undecided"
        )
    })
}

/// The status with its reason phrase.
fn name(answer: &Answer) -> String {
    format!("{} {}", answer.status, answer.phrase())
}
