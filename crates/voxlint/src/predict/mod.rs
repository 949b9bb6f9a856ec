//! What the service will answer to an update, as far as documents tell.

mod agent;

use std::collections::{BTreeMap, BTreeSet};

use voxlint_schema::DocumentKind;
use voxlint_schema::error::{self, reason_phrase};

use crate::engine::{Scope, run};
use crate::json::Json;
use crate::{Diagnostic, Family, Inputs, Report, Rule, Undecided, VerdictKind};

/// The status of an update that is accepted.
const OK: u16 = 200;

/// The answers that the service may give to an update. 401, 429 and 500 hang on nothing that a document says and are never
/// among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// What voxlint has to say of the update. The reasons of the answers point into it.
    pub report: Report,
    /// The answers that are possible, ascending by status. There is at least one.
    pub answers: Vec<Answer>,
}

/// One answer that the service may give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// Whether this is what the service answers unless another answer comes first: 200 where nothing is surely refused,
    /// and otherwise every status of what surely is.
    pub is_expected: bool,
    /// What the answer hangs on: sure refusals first, then possible ones, then what is undecided. 200 hangs on all the
    /// others.
    pub reasons: Vec<AnswerReason>,
    /// What the service sends with the status.
    pub body: Body,
}

/// Why the service may refuse an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AnswerReason {
    /// A finding, by its place in [`Report::diagnostics`].
    Diagnostic(usize),
    /// A rule that could not be decided, by its place in [`Report::undecided`].
    Undecided(usize),
}

/// The body of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// JSON, on as many lines as it takes, every secret covered. With 200 it is the agent (2.1); with any other status it is
    /// the error body (7), and its messages are voxlint's words, not the service's.
    Json(String),
    /// It cannot be told, for this reason.
    Unknown(&'static str),
}

impl Body {
    /// The JSON, where it is known.
    pub fn json(&self) -> Option<&str> {
        match self {
            Self::Json(json) => Some(json),
            Self::Unknown(_) => None,
        }
    }
}

impl Answer {
    /// The reason phrase of the status.
    pub fn phrase(&self) -> &'static str {
        if self.status == OK { "OK" } else { reason_phrase(self.status).unwrap_or_default() }
    }
}

impl Prediction {
    /// Whether the update is accepted, whatever is not known here.
    pub fn is_surely_accepted(&self) -> bool {
        matches!(self.answers.as_slice(), [only] if only.status == OK)
    }

    /// Whether there is one answer, and nothing that is undecided could make it another: neither a value that is not known
    /// nor a reading of the description.
    pub fn is_certain(&self) -> bool {
        self.answers.len() == 1 && self.other_rejections().is_empty() && !self.may_be_accepted()
    }

    /// Whether a refusal that is surely found depends on something that is not known after all, so that the update may be
    /// accepted: on the stored frequency of reminders, or on the version of YAML that the file is read as.
    pub fn may_be_accepted(&self) -> bool {
        let is_text = |entry: &Undecided| entry.rule.family() == Family::Document;
        let is_read = !is_unreadable(&self.report);
        is_read && self.report.undecided.iter().any(|entry| entry.may_be_accepted || is_text(entry))
    }

    /// The statuses that a refusal could have instead, ascending, by what is undecided: the description does not say what
    /// is looked at first. Empty where nothing is surely refused: then those are among the answers.
    pub fn other_rejections(&self) -> Vec<u16> {
        let answers = || self.answers.iter();
        if answers().any(|answer| answer.status == OK) {
            return Vec::new();
        }
        let is_unreadable = is_unreadable(&self.report);
        let undecided = self.report.undecided.iter();
        let undecided = undecided.filter(|entry| !is_unreadable || needs_no_body(&entry.rule));
        let statuses = undecided.flat_map(|entry| statuses(&entry.rule));
        let others = statuses.filter(|status| answers().all(|answer| answer.status != *status));
        others.collect::<BTreeSet<u16>>().into_iter().collect()
    }

    /// The finding behind a reason.
    pub fn diagnostic(&self, reason: AnswerReason) -> Option<&Diagnostic> {
        match reason {
            AnswerReason::Diagnostic(index) => self.report.diagnostics.get(index),
            AnswerReason::Undecided(_) => None,
        }
    }

    /// The undecided rule behind a reason.
    pub fn undecided(&self, reason: AnswerReason) -> Option<&Undecided> {
        match reason {
            AnswerReason::Diagnostic(_) => None,
            AnswerReason::Undecided(index) => self.report.undecided.get(index),
        }
    }
}

/// Predicts what the service will answer to an update; `None` for a document of another kind, which nobody sends.
///
/// ```
/// use voxlint::{Document, Inputs, Stored, predict};
///
/// let update = Inputs::new(Document::parse(r#"{ "version_number": 3, "title": "Front desk" }"#));
/// let stored = Document::parse(
///     r#"{ "agent": { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent",
///                     "versions": [{ "version_number": 3, "is_published": false, "title": "Desk" }] },
///          "version": { "version_number": 3, "is_published": false }, "complete": true }"#,
/// );
///
/// let prediction = predict(&update.clone().stored(Stored::new(stored))).expect("an update");
/// assert!(prediction.is_surely_accepted());
/// let agent = prediction.answers[0].body.json().expect("the agent is stored");
/// assert!(agent.contains(r#""title": "Front desk""#));
///
/// // Without the stored agent, nobody knows whether it has such a version, and whether that is a draft.
/// let prediction = predict(&update).expect("an update");
/// let statuses: Vec<u16> = prediction.answers.iter().map(|answer| answer.status).collect();
/// assert_eq!(statuses, [200, 400, 404]);
/// ```
pub fn predict(inputs: &Inputs) -> Option<Prediction> {
    if inputs.checked_as() != DocumentKind::Update {
        return None;
    }
    let inputs = inputs.clone().kind(DocumentKind::Update);
    let report = run(&inputs, Scope::All);
    let answers = reasons(&report)
        .into_iter()
        .map(|(status, reasons)| answer(status, reasons, &report, &inputs))
        .collect();
    Some(Prediction { report, answers })
}

/// The statuses that are possible, each with its reasons in the order of their weight.
fn reasons(report: &Report) -> BTreeMap<u16, Vec<AnswerReason>> {
    let is_refused = report.diagnostics.iter().any(is_rejection);
    let is_unreadable = is_unreadable(report);
    let found = |verdict: VerdictKind| {
        let found = report.diagnostics.iter().enumerate();
        found.filter(move |(_, found)| {
            let counts = is_rejected_text(found) || needs_no_body(&found.rule);
            found.verdict == verdict && (!is_unreadable || counts)
        })
    };

    let mut reasons: BTreeMap<u16, Vec<AnswerReason>> = BTreeMap::new();
    if !is_refused {
        reasons.insert(OK, Vec::new());
    }
    let refusals = found(VerdictKind::Reject).chain(found(VerdictKind::Possible));
    for (index, found) in refusals {
        for status in found.status.into_iter().chain(found.other_status) {
            reasons.entry(status).or_default().push(AnswerReason::Diagnostic(index));
        }
    }
    // Where something is surely refused, only that is told of what is undecided: see `other_rejections`.
    for (index, entry) in report.undecided.iter().enumerate().filter(|_| !is_refused) {
        for status in statuses(&entry.rule) {
            reasons.entry(status).or_default().push(AnswerReason::Undecided(index));
        }
    }
    reasons
}

fn is_rejection(found: &Diagnostic) -> bool {
    found.verdict == VerdictKind::Reject && found.status.is_some()
}

/// Whether a finding is a sure refusal of the text, whatever it says.
fn is_rejected_text(found: &Diagnostic) -> bool {
    is_rejection(found) && found.rule.family() == Family::Document
}

/// Whether a rule may refuse a request whatever its body says: the agent of the address need not exist. What is looked at
/// first is not described.
fn needs_no_body(rule: &Rule) -> bool {
    rule.family() == Family::Config && rule.reads.is_empty() && rule.status.is_some()
}

/// Whether the service cannot read the update at all. Then it looks into nothing else that the body says.
fn is_unreadable(report: &Report) -> bool {
    report.diagnostics.iter().any(is_rejected_text)
}

/// The statuses that a refusal by a rule may have.
fn statuses(rule: &Rule) -> impl Iterator<Item = u16> + use<> {
    rule.status.into_iter().chain(rule.other_status)
}

fn answer(status: u16, reasons: Vec<AnswerReason>, report: &Report, inputs: &Inputs) -> Answer {
    let messages = |verdict: VerdictKind| -> Vec<Json<'_>> {
        let found = reasons.iter().filter_map(|reason| match reason {
            AnswerReason::Diagnostic(index) => report.diagnostics.get(*index),
            AnswerReason::Undecided(_) => None,
        });
        found
            .filter(|found| found.verdict == verdict)
            .map(|found| Json::Text(found.message.as_str().into()))
            .collect()
    };
    let (sure, possible) = (messages(VerdictKind::Reject), messages(VerdictKind::Possible));
    let is_expected = status == OK || !sure.is_empty();
    let body = match (status, sure.is_empty(), possible.is_empty()) {
        (OK, ..) => agent::after(inputs),
        (_, false, _) => Body::Json(refusal(status, sure)),
        (_, _, false) => Body::Json(refusal(status, possible)),
        _ => Body::Unknown("what the service would complain of is not decided"),
    };
    Answer { status, is_expected, reasons, body }
}

/// The body of a refusal (7).
fn refusal(status: u16, messages: Vec<Json<'_>>) -> String {
    let phrase = reason_phrase(status).unwrap_or_default();
    Json::Object(vec![
        (error::statusCode.row.name.into(), Json::Whole(status.into())),
        (error::message.row.name.into(), Json::List(messages)),
        (error::error.row.name.into(), Json::Text(phrase.into())),
    ])
    .pretty()
}
