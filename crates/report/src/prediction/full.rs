//! The form for people: a verdict, what it hangs on, and the body.

use std::collections::HashSet;
use std::fmt::Write as _;

use voxlint::{Answer, AnswerReason, Body, Origin, Prediction, Undecided, VerdictKind};

use super::WORDS;
use crate::escape::{escape_json, escape_terminal};
use crate::full::{elsewhere, painted};
use crate::remark::rows;
use crate::{CheckedDocument, RenderOptions};

/// How many reasons of one answer are shown. Nobody reads more; the JSON form has them all.
const MOST_REASONS: usize = 20;

/// DisputedRange than this, a sentence is not worth breaking up.
const NARROWEST: usize = 40;

/// Says what the service will answer to a document. `checked` is the document with the report of the prediction.
///
/// What would steer a terminal is never passed on; in a body it is escaped as JSON does.
pub fn render_prediction(
    style: &RenderOptions,
    checked: &CheckedDocument<'_>,
    prediction: &Prediction,
) -> String {
    let mut page = Page { out: String::new(), style, prediction };
    page.verdict(checked.path);
    page.reasons();
    page.remarks();
    page.bodies();
    page.out
}

struct Page<'a> {
    out: String,
    style: &'a RenderOptions,
    prediction: &'a Prediction,
}

impl<'a> Page<'a> {
    fn expected(&self) -> impl Iterator<Item = &'a Answer> + use<'a> {
        self.prediction.answers.iter().filter(|answer| answer.is_expected)
    }

    fn is_refused(&self) -> bool {
        self.expected().all(|answer| answer.status != 200)
    }

    fn verdict(&mut self, path: &str) {
        let expected: Vec<String> = self.expected().map(|answer| self.named(answer)).collect();
        let unless = match (self.prediction.answers.len() > expected.len(), self.is_refused()) {
            (false, _) => "",
            (true, false) => ", unless one of these comes first",
            (true, true) => ", unless another refusal comes first",
        };
        let expected = expected.join(" or ");
        self.line(&format!(
            "{}: the service would answer {expected}{unless}",
            escape_terminal(path)
        ));
    }

    /// The status with its reason phrase, in its colour.
    fn named(&self, answer: &Answer) -> String {
        let tint = match (answer.is_expected, answer.status) {
            (true, 200) if self.prediction.is_surely_accepted() => "1;32",
            (false, _) | (true, 200) => "1;33",
            (true, _) => "1;31",
        };
        painted(self.style, tint, &name(answer)).into_owned()
    }

    /// What each answer hangs on: the expected ones first.
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
        let mut told = HashSet::new();
        for answer in answers {
            let mut label = self.named(answer);
            label.extend(std::iter::repeat_n(' ', room - name(answer).len()));
            let (untouched, own): (Vec<AnswerReason>, Vec<AnswerReason>) =
                answer.reasons.iter().partition(|reason| self.is_untouched(**reason));
            let mut texts: Vec<String> =
                own.into_iter().filter_map(|reason| self.reason(reason, &mut told)).collect();
            texts.dedup();
            let more = texts.len().saturating_sub(MOST_REASONS);
            texts.truncate(MOST_REASONS);
            if more > 0 {
                texts.push(format!("and {more} more reasons"));
            }
            texts.extend(of_what_is_left_alone(untouched.len()));
            for text in texts {
                self.item(&label, room, &text);
                label = " ".repeat(room);
            }
        }
    }

    /// Whether a reason hangs on nothing that the update says.
    fn is_untouched(&self, reason: AnswerReason) -> bool {
        self.prediction.undecided(reason).is_some_and(|entry| !entry.is_touched)
    }

    /// `because …`, `perhaps, because …` or `if …`, and the rule. What another status has told already is not repeated.
    fn reason(&self, reason: AnswerReason, told: &mut HashSet<AnswerReason>) -> Option<String> {
        if !told.insert(reason) {
            let rule = self.prediction.diagnostic(reason).map(|found| &found.rule);
            let rule = rule.or_else(|| self.prediction.undecided(reason).map(|entry| &entry.rule));
            return Some(format!("or this, for the same reason  [{}]", rule?.id));
        }
        if let Some(found) = self.prediction.diagnostic(reason) {
            let lead = match found.verdict {
                VerdictKind::Reject => "because",
                _ => "perhaps, because",
            };
            let depends_on = match &found.depends_on {
                Some(words) => format!(": {words}"),
                None => String::new(),
            };
            let place = match elsewhere(found.origin) {
                Some(input) if found.origin == Origin::Stored => format!(" (in {input})"),
                _ => String::new(),
            };
            return Some(format!(
                "{lead} {}{place}{depends_on}  [{}]",
                found.message, found.rule.id
            ));
        }
        let undecided = self.prediction.undecided(reason)?;
        let Undecided { rule, why, .. } = undecided;
        Some(format!("if {}: {why}  [{}]", undecided.condition(), rule.id))
    }

    /// One reason beside its status, in as many lines as it takes.
    fn item(&mut self, label: &str, room: usize, text: &str) {
        let margin = room + 5;
        let width = self.style.width.saturating_sub(margin).max(NARROWEST);
        for (index, row) in rows(&escape_terminal(text), width).into_iter().enumerate() {
            if index == 0 {
                self.line(&format!("  {label}   {}", row.trim_end()));
            } else {
                self.line(&format!("{:margin$}{}", "", row.trim_end()));
            }
        }
    }

    fn remarks(&mut self) {
        let mut remarks = Vec::new();
        if self.is_refused() && self.prediction.answers.len() > 1 {
            remarks.push("which of them comes first, the description does not say".to_owned());
        }
        remarks.extend(self.in_the_open());
        remarks.extend(self.accepted_after_all());
        remarks.extend(self.settled_by());
        let has_places = self.prediction.answers.iter().any(|answer| {
            answer.reasons.iter().any(|reason| self.prediction.diagnostic(*reason).is_some())
        });
        if has_places {
            remarks.push("`voxlint check` with the same arguments shows the places".to_owned());
        }
        if !remarks.is_empty() {
            self.line("");
        }
        for remark in remarks {
            for (index, row) in
                rows(&remark, self.style.width.max(NARROWEST)).into_iter().enumerate()
            {
                let indent = if index == 0 { 2 } else { 4 };
                self.line(&format!("{:indent$}{}", "", row.trim_end()));
            }
        }
    }

    /// Undecided rules could change the status of a refusal, though not that there is one.
    fn in_the_open(&self) -> Option<String> {
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

    /// Why a refusal that was found may not be one.
    fn accepted_after_all(&self) -> Option<String> {
        let is_refused = self.is_refused() && self.prediction.may_be_accepted();
        let undecided = self.prediction.report.undecided.iter();
        let mut doubts = undecided.filter(|entry| {
            entry.may_be_accepted || entry.rule.family() == voxlint::Family::Document
        });
        let why = doubts.next().filter(|_| is_refused).map(|entry| &entry.why);
        why.map(|why| format!("not certain, and the update may be accepted after all: {why}"))
    }

    /// What would decide the undecided reasons.
    fn settled_by(&self) -> Option<String> {
        let mut missing: Vec<&str> = Vec::new();
        // What the update leaves alone has too many names to be listed.
        let mut is_whole = false;
        for answer in &self.prediction.answers {
            for reason in &answer.reasons {
                let undecided = self.prediction.undecided(*reason);
                is_whole |= self.is_untouched(*reason);
                let undecided = undecided.filter(|entry| entry.is_touched);
                for pointer in undecided.into_iter().flat_map(|entry| &entry.missing) {
                    if !missing.contains(&pointer.as_str()) {
                        missing.push(pointer);
                    }
                }
            }
        }
        let names = |prefix: &str| -> Vec<String> {
            let names = missing.iter().filter_map(|pointer| pointer.strip_prefix(prefix));
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
                (Body::Unknown(why), 200) => {
                    self.line(&format!("the body would be the agent with the update in it; {why}"));
                }
                (Body::Unknown(why), _) => self.line(&format!("the body is not known: {why}")),
                (Body::Json(json), status) => {
                    let what = if status == 200 {
                        "the stored agent with the update in it".to_owned()
                    } else {
                        format!("in {WORDS}'s words")
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

/// What the service may object to in what the update leaves alone. Nobody reads it rule by rule; the JSON form has them.
fn of_what_is_left_alone(checks: usize) -> Option<String> {
    let checks = match checks {
        0 => return None,
        1 => "1 check".to_owned(),
        more => format!("{more} checks"),
    };
    Some(format!(
        "if a stored value that the update leaves unchanged is invalid: {checks} undecided"
    ))
}

/// The status with its reason phrase.
fn name(answer: &Answer) -> String {
    format!("{} {}", answer.status, answer.phrase())
}
