//! The machine-readable form. As with findings, members may be added to it, never renamed.

use std::io;

use serde::Serialize;
use serde_json::value::RawValue;
use voxlint::{Answer, AnswerReason, Body, Prediction};

use super::WORDS;
use crate::guard::Guard;
use crate::json::{SCHEMA, TOOL, Tool};
use crate::located::{self, Finding, Open};
use crate::{CheckedDocument, RenderOptions};

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    tool: Tool,
    path: String,
    kind: &'static str,
    /// The statuses of all answers, ascending.
    statuses: Vec<u16>,
    /// Whether there is one answer, and nothing that is undecided could make it another.
    certain: bool,
    /// The statuses that a refusal could have instead, by what is undecided.
    other_refusals: Vec<u16>,
    /// Whether a refusal among the answers depends on something that is not known, so that the update may be accepted.
    may_be_accepted: bool,
    answers: Vec<AnswerEntry<'a>>,
    diagnostics: Vec<Finding>,
    undecided: Vec<Open>,
}

#[derive(Serialize)]
struct AnswerEntry<'a> {
    status: u16,
    phrase: &'static str,
    /// Whether the service answers this unless another answer comes first.
    expected: bool,
    reasons: Vec<ReasonEntry<'a>>,
    body: Option<Box<RawValue>>,
    /// Whose words the messages of the body are, where it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<&'static str>,
    /// Why there is no body.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_body: Option<&'static str>,
}

#[derive(Serialize)]
struct ReasonEntry<'a> {
    rule: &'a str,
    /// The verdict of a finding, or `undecided`.
    verdict: &'static str,
    /// Null where the rule is undecided.
    field: Option<&'a str>,
    /// What is wrong; where the rule is undecided, what would be.
    message: String,
    /// Null where the service surely refuses it.
    hangs_on: Option<&'a str>,
    /// What would decide it.
    missing: &'a [String],
}

/// Writes what the service will answer to a document as one JSON document. `checked` is the document with the report of the
/// prediction.
///
/// # Errors
///
/// Whatever `out` answers.
pub fn write_prediction_json(
    out: &mut dyn io::Write,
    checked: &CheckedDocument<'_>,
    prediction: &Prediction,
) -> io::Result<()> {
    let file = located::document(&RenderOptions::default(), checked);
    let answers: Result<Vec<_>, _> =
        prediction.answers.iter().map(|answer| answer_entry(answer, prediction)).collect();
    let document = Document {
        schema: SCHEMA,
        tool: TOOL,
        path: file.path,
        kind: file.kind,
        statuses: prediction.answers.iter().map(|answer| answer.status).collect(),
        certain: prediction.is_certain(),
        other_refusals: prediction.other_rejections(),
        may_be_accepted: prediction.may_be_accepted(),
        answers: answers?,
        diagnostics: file.diagnostics,
        undecided: file.undecided,
    };
    serde_json::to_writer_pretty(Guard::json(out), &document)?;
    out.write_all(b"\n")
}

fn answer_entry<'a>(
    answer: &'a Answer,
    prediction: &'a Prediction,
) -> serde_json::Result<AnswerEntry<'a>> {
    let (body, no_body) = match &answer.body {
        // Every line break of the body stands between values, so it may be indented as the rest is.
        Body::Json(json) => (Some(RawValue::from_string(json.replace('\n', "\n      "))?), None),
        Body::Unknown(why) => (None, Some(*why)),
    };
    Ok(AnswerEntry {
        status: answer.status,
        phrase: answer.phrase(),
        expected: answer.is_expected,
        reasons: answer
            .reasons
            .iter()
            .filter_map(|reason| reason_entry(*reason, prediction))
            .collect(),
        words: (answer.status != 200 && body.is_some()).then_some(WORDS),
        body,
        no_body,
    })
}

fn reason_entry(reason: AnswerReason, prediction: &Prediction) -> Option<ReasonEntry<'_>> {
    if let Some(found) = prediction.diagnostic(reason) {
        return Some(ReasonEntry {
            rule: &found.rule.id,
            verdict: found.verdict.name(),
            field: Some(&found.field),
            message: found.message.clone(),
            hangs_on: found.depends_on.as_deref(),
            missing: &[],
        });
    }
    let undecided = prediction.undecided(reason)?;
    Some(ReasonEntry {
        rule: &undecided.rule.id,
        verdict: "undecided",
        field: None,
        message: undecided.condition(),
        hangs_on: Some(&undecided.why),
        missing: &undecided.missing,
    })
}
