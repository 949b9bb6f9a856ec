//! Predicts the service's answer to an update.

mod updated_agent;

pub use self::updated_agent::AnswerBody;

use std::collections::{BTreeMap, BTreeSet};

use voxlint_model::json::Json;
use voxlint_model::rule::Property;
use voxlint_model::{Diagnostic, Family, Group, Inputs, Report, Rule, Undecided, VerdictKind};
use voxlint_schema::DocumentKind;
use voxlint_schema::error::{self, reason_phrase};

use voxlint_engine::UndecidedScope;
use voxlint_rules::ids::PUBLISHED_VERSION_EDITED;

/// The status of an update that is accepted.
pub(crate) const OK: u16 = 200;

/// The answers that the service may give to an update. 401, 429 and 500 do not depend on documents and are never predicted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prediction {
    /// The result of checking the update. The reasons of the answers refer to it.
    pub report: Report,
    /// The possible answers, ascending by status. There is at least one, unless the document cannot be sent.
    pub answers: Vec<Answer>,
}

/// A possible answer of the service.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// Whether this answer is expected: 200 if nothing is certainly rejected, otherwise each status of a certain rejection.
    pub is_expected: bool,
    /// What the answer depends on: sure rejections first, then possible ones, then undecided rules. 200 depends on all the
    /// others.
    pub reasons: Vec<AnswerReason>,
    /// The body of the answer.
    pub body: AnswerBody,
}

/// Why the service may reject an update.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum AnswerReason {
    /// A finding, by its index in [`Report::diagnostics`].
    Diagnostic(usize),
    /// An undecided rule, by its index in [`Report::undecided`].
    Undecided(usize),
}

impl Answer {
    /// The reason phrase of the status.
    pub fn phrase(&self) -> &'static str {
        phrase(self.status)
    }
}

/// The reason phrase of a status.
pub(crate) fn phrase(status: u16) -> &'static str {
    if status == OK { "OK" } else { reason_phrase(status).unwrap_or_default() }
}

impl Prediction {
    /// Whether the document cannot be sent, so that there is no answer: the service receives JSON, and its YAML or TOML cannot
    /// be read.
    ///
    /// ```
    /// use voxlint::syntax::Format;
    /// use voxlint::{Document, Inputs, predict};
    ///
    /// let document = Document::parse_as("version_number = 3\ntitle = Front desk\n", Format::Toml);
    /// let prediction = predict(&Inputs::new(document)).expect("an update");
    /// assert!(prediction.is_unsendable() && prediction.answers.is_empty());
    /// ```
    pub fn is_unsendable(&self) -> bool {
        unsendable_because(&self.report).is_some()
    }

    /// The findings because of which some programs could not read the document, and so not send it.
    pub fn unreadable_for_some(&self) -> impl Iterator<Item = &Diagnostic> {
        let found = self.report.diagnostics.iter();
        found.filter(|it| it.verdict == VerdictKind::Possible && is_about_unseen_text(it))
    }

    /// Whether the update is accepted whatever the unknown values are.
    pub fn is_certainly_accepted(&self) -> bool {
        matches!(self.answers.as_slice(), [only] if only.status == OK)
            && self.unreadable_for_some().next().is_none()
    }

    /// Whether there is only one answer, and no unknown value and no reading of the description could change it.
    pub fn is_certain(&self) -> bool {
        self.answers.len() == 1
            && self.other_rejections().is_empty()
            && !self.may_be_accepted()
            && self.unreadable_for_some().next().is_none()
            && !self.is_state_contradictory()
    }

    /// Whether it is not known if the version is published, because the stored configuration contradicts itself.
    fn is_state_contradictory(&self) -> bool {
        let mut undecided = self.report.undecided.iter();
        undecided.any(|it| it.rule.id == PUBLISHED_VERSION_EDITED && it.missing().is_empty())
    }

    /// Whether a rejection depends on something unknown, so that the update may be accepted: on the stored frequency of
    /// reminders, or on the version of YAML that the file is read as.
    pub fn may_be_accepted(&self) -> bool {
        let is_text = |entry: &Undecided| entry.rule.family() == Family::Document;
        let is_read = !is_unreadable(&self.report);
        is_read && self.report.undecided.iter().any(|entry| entry.may_be_accepted || is_text(entry))
    }

    /// The other statuses that a rejection could have because of undecided rules, ascending. The description does not say what
    /// the service checks first. Empty if nothing is certainly rejected, because then these statuses are among the answers.
    pub fn other_rejections(&self) -> Vec<u16> {
        let answers = || self.answers.iter();
        if self.is_unsendable() || answers().any(|answer| answer.status == OK) {
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

/// Predicts the service's answer to an update; `None` for a document of another kind, which is not sent.
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
/// assert!(prediction.is_certainly_accepted());
/// let agent = prediction.answers[0].body.json().expect("the agent is stored");
/// assert!(agent.contains(r#""title": "Front desk""#));
///
/// // Without the stored configuration, it is unknown whether the version exists and is a draft.
/// let prediction = predict(&update).expect("an update");
/// let statuses: Vec<u16> = prediction.answers.iter().map(|answer| answer.status).collect();
/// assert_eq!(statuses, [200, 400, 404]);
/// ```
pub fn predict(inputs: &Inputs) -> Option<Prediction> {
    if inputs.checked_as() != DocumentKind::Update {
        return None;
    }
    let inputs = inputs.clone().kind(DocumentKind::Update);
    let Outlook { report, statuses } = Outlook::of(&inputs);
    let answer = |(status, is_expected, reasons): (u16, bool, Vec<AnswerReason>)| {
        let body = body(status, &reasons, &report, &inputs);
        Answer { status, is_expected, reasons, body }
    };
    let answers = statuses.into_iter().map(answer).collect();
    Some(Prediction { report, answers })
}

/// The possible statuses of the answer to an update, without the bodies of the answers.
pub(crate) struct Outlook {
    pub(crate) report: Report,
    /// Ascending by status, each with whether it is expected and its reasons.
    pub(crate) statuses: Vec<(u16, bool, Vec<AnswerReason>)>,
}

/// Predicts the statuses only, and offers no fixes: what a plan needs, at the cost of a check.
pub(crate) fn outlook(inputs: &Inputs) -> Outlook {
    // The other groups give advice. What a team has switched off does not change what the service answers.
    let groups = [Group::Correctness, Group::Ineffective];
    let mut inputs = inputs.clone().kind(DocumentKind::Update).groups(&groups);
    inputs.offers_fixes = false;
    Outlook::of(&inputs)
}

impl Outlook {
    fn of(inputs: &Inputs) -> Self {
        let mut report = voxlint_engine::run(inputs, UndecidedScope::All);
        voxlint_engine::finish(inputs, &mut report);
        let statuses = reasons(&report).into_iter().map(|(status, reasons)| {
            let is_sure = |reason: &AnswerReason| match reason {
                AnswerReason::Diagnostic(index) => {
                    report.diagnostics.get(*index).is_some_and(is_rejection)
                }
                AnswerReason::Undecided(_) => false,
            };
            (status, status == OK || reasons.iter().any(is_sure), reasons)
        });
        Self { statuses: statuses.collect(), report }
    }
}

/// The possible statuses, each with its reasons in the order of their weight.
fn reasons(report: &Report) -> BTreeMap<u16, Vec<AnswerReason>> {
    let is_rejected = report.diagnostics.iter().any(is_rejection);
    let is_unreadable = is_unreadable(report);
    let found = |verdict: VerdictKind| {
        let found = report.diagnostics.iter().enumerate();
        found.filter(move |(_, finding)| {
            let counts = is_rejected_text(finding) || needs_no_body(&finding.rule);
            finding.verdict == verdict && (!is_unreadable || counts)
        })
    };

    let mut reasons: BTreeMap<u16, Vec<AnswerReason>> = BTreeMap::new();
    if unsendable_because(report).is_some() {
        return reasons;
    }
    if !is_rejected {
        reasons.insert(OK, Vec::new());
    }
    let rejections = found(VerdictKind::Reject).chain(found(VerdictKind::Possible));
    for (index, finding) in rejections {
        for status in finding.status.into_iter().chain(finding.other_status) {
            reasons.entry(status).or_default().push(AnswerReason::Diagnostic(index));
        }
    }
    // If something is certainly rejected, undecided rules only lead to `other_rejections`.
    for (index, entry) in report.undecided.iter().enumerate().filter(|_| !is_rejected) {
        for status in statuses(&entry.rule) {
            reasons.entry(status).or_default().push(AnswerReason::Undecided(index));
        }
    }
    reasons
}

fn is_rejection(finding: &Diagnostic) -> bool {
    finding.verdict == VerdictKind::Reject && finding.status.is_some()
}

/// Whether a finding is about how the text is written, of which the service sees nothing.
fn is_about_unseen_text(finding: &Diagnostic) -> bool {
    finding.status.is_none() && finding.rule.has(Property::Writing)
}

/// The first finding because of which no JSON can be made from the document.
pub(crate) fn unsendable_because(report: &Report) -> Option<&Diagnostic> {
    let mut found = report.diagnostics.iter();
    found.find(|it| it.verdict == VerdictKind::Reject && is_about_unseen_text(it))
}

/// Whether a finding certainly rejects the text itself.
fn is_rejected_text(finding: &Diagnostic) -> bool {
    is_rejection(finding) && finding.rule.family() == Family::Document
}

/// Whether a rule may reject a request whatever its body is, because the agent in the URL may not exist. The description does
/// not say what the service checks first.
fn needs_no_body(rule: &Rule) -> bool {
    rule.family() == Family::Config && rule.reads.is_empty() && rule.status.is_some()
}

/// Whether the service cannot read the update at all. Then it checks nothing else in the body.
fn is_unreadable(report: &Report) -> bool {
    unsendable_because(report).is_some() || report.diagnostics.iter().any(is_rejected_text)
}

/// The statuses that a rejection by a rule may have.
pub(crate) fn statuses(rule: &Rule) -> impl Iterator<Item = u16> + use<> {
    rule.status.into_iter().chain(rule.other_status)
}

fn body(status: u16, reasons: &[AnswerReason], report: &Report, inputs: &Inputs) -> AnswerBody {
    let messages = |verdict: VerdictKind| -> Vec<Json<'_>> {
        let found = reasons.iter().filter_map(|reason| match reason {
            AnswerReason::Diagnostic(index) => report.diagnostics.get(*index),
            AnswerReason::Undecided(_) => None,
        });
        found
            .filter(|finding| finding.verdict == verdict)
            .map(|finding| Json::Text(finding.message.as_str().into()))
            .collect()
    };
    let (sure, possible) = (messages(VerdictKind::Reject), messages(VerdictKind::Possible));
    match (status, sure.is_empty(), possible.is_empty()) {
        (OK, ..) => updated_agent::after(inputs),
        (_, false, _) => AnswerBody::Json(error_body(status, sure)),
        (_, _, false) => AnswerBody::Json(error_body(status, possible)),
        _ => AnswerBody::Unknown("the reason for the rejection is undecided"),
    }
}

/// The body of an error response (7).
fn error_body(status: u16, messages: Vec<Json<'_>>) -> String {
    let phrase = reason_phrase(status).unwrap_or_default();
    Json::Object(vec![
        (error::statusCode.row.name.into(), Json::Whole(status.into())),
        (error::message.row.name.into(), Json::List(messages)),
        (error::error.row.name.into(), Json::Text(phrase.into())),
    ])
    .pretty()
}
