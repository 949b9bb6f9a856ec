//! Predictions as JSON. As with findings, fields may be added, never renamed.

use std::io;

use serde::Serialize;
use serde_json::value::RawValue;
use voxlint::{Answer, AnswerBody, Prediction};

use super::MESSAGE_AUTHOR;
use crate::document::CheckedDocument;
use crate::json_text::write_document;
use crate::located::{LocatedFinding, ReportSections, UndecidedRule, locate};
use crate::options::RenderOptions;
use crate::tool::{SCHEMA_VERSION, TOOL, Tool};

#[derive(Serialize)]
struct PredictionOutput<'a, A> {
    schema: u32,
    tool: Tool,
    path: &'a str,
    kind: &'static str,
    /// The statuses of all answers, ascending.
    statuses: Vec<u16>,
    /// Whether there is only one answer and no undecided rule could change it.
    certain: bool,
    /// The other statuses of a rejection that undecided rules could cause.
    other_rejections: Vec<u16>,
    /// Whether a rejection depends on something unknown, so that the update may be accepted.
    may_be_accepted: bool,
    /// Whether the document cannot be sent, so that there is no answer.
    unsendable: bool,
    answers: Vec<A>,
    diagnostics: Vec<LocatedFinding>,
    undecided: Vec<UndecidedRule>,
}

#[derive(Serialize)]
struct AnswerEntry<R> {
    status: u16,
    phrase: &'static str,
    /// Whether the service answers this unless another answer comes first.
    expected: bool,
    reasons: R,
    body: Option<Box<RawValue>>,
    /// The author of the messages in the body, if it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<&'static str>,
    /// The reason for a missing body.
    #[serde(skip_serializing_if = "Option::is_none")]
    no_body: Option<&'static str>,
}

/// Writes the service's predicted answer to a document as one JSON document. `checked` is the document with the report of the
/// prediction.
///
/// # Errors
///
/// Any error of `out`.
pub fn write_prediction_json(
    out: &mut dyn io::Write,
    checked: &CheckedDocument<'_>,
    prediction: &Prediction,
) -> io::Result<()> {
    let file = locate(checked, &RenderOptions::default(), ReportSections::JSON);
    let answers: Result<Vec<_>, _> =
        prediction.answers.iter().map(|answer| answer_entry(answer, prediction)).collect();
    let output = PredictionOutput {
        schema: SCHEMA_VERSION,
        tool: TOOL,
        path: checked.path,
        kind: file.kind,
        statuses: prediction.answers.iter().map(|answer| answer.status).collect(),
        certain: prediction.is_certain(),
        other_rejections: prediction.other_rejections(),
        may_be_accepted: prediction.may_be_accepted(),
        unsendable: prediction.is_unsendable(),
        answers: answers?,
        diagnostics: file.diagnostics,
        undecided: file.undecided,
    };
    write_document(out, &output)
}

fn answer_entry<'a>(
    answer: &'a Answer,
    prediction: &'a Prediction,
) -> serde_json::Result<AnswerEntry<impl Serialize + use<'a>>> {
    let (body, no_body) = match &answer.body {
        // The line breaks of the body are between values, so it can be indented like the rest.
        AnswerBody::Json(json) => {
            (Some(RawValue::from_string(json.replace('\n', "\n      "))?), None)
        }
        AnswerBody::Unknown(why) => (None, Some(*why)),
    };
    Ok(AnswerEntry {
        status: answer.status,
        phrase: answer.phrase(),
        expected: answer.is_expected,
        reasons: prediction.serialized_reasons(answer),
        words: (answer.status != 200 && body.is_some()).then_some(MESSAGE_AUTHOR),
        body,
        no_body,
    })
}
