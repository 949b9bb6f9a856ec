//! Predictions, differences and plans as JSON, under the names of the JSON report: fields may be added, never renamed.

use std::borrow::Cow;

use serde::ser::{Error as _, SerializeStruct as _};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;
use voxlint_model::{RuleRef, serialize_fields, serialize_names};

use crate::{
    Answer, AnswerBody, AnswerReason, CannotUnset, ChangeKind, ChangedTexts, Difference, Drift,
    DriftKind, FieldChange, HeardChange, HeardPath, PathCondition, PlanCounts, PlannedChange,
    PlannedStatus, Prediction, VariableState,
};

serialize_names!(ChangeKind, DriftKind, VariableState);

serialize_fields!(HeardChange as change {
    "field" => change.field,
    "paths" => change.paths,
    "left_out" => change.left_out,
});

serialize_fields!(HeardPath as path {
    "conditions" => path.conditions,
    "old" => path.texts.old,
    "new" => path.texts.new,
});

serialize_fields!(PathCondition as condition {
    "variable" => condition.variable,
    "state" => condition.state,
});

serialize_fields!(FieldChange as change {
    "field" => change.field,
    "kind" => change.kind,
    "dangerous" => change.kind.is_dangerous(),
    "old" => change.old,
    "new" => change.new,
    "message" => change.sentence,
});

serialize_fields!(CannotUnset as setting {
    "field" => setting.field,
    "value" => setting.value,
    "message" => setting.sentence,
});

serialize_fields!(PlannedStatus as answer {
    "status" => answer.status,
    "phrase" => answer.phrase,
    "expected" => answer.is_expected,
    "reasons" => answer.reasons,
});

serialize_fields!(PlannedChange as change {
    "field" => change.field,
    "kind" => change.kind,
    "danger" => change.is_dangerous(),
    "old" => change.old,
    "new" => change.new,
    "message" => change.sentence,
    "overwrites" => change.overwrites,
    "live" => change.is_live,
    "takes_from" if !change.takes_from.is_empty() => {
        change.takes_from.iter().map(|name| &**name).collect::<Vec<&str>>()
    },
    "texts" if change.texts.is_some() => change.texts,
});

serialize_fields!(ChangedTexts as texts {
    "old" => texts.old,
    "new" => texts.new,
});

serialize_fields!(Drift as drift {
    "field" => drift.field,
    "kind" => drift.kind,
    "base" => drift.base,
    "stored" => drift.stored,
    "desired" => drift.desired,
    "message" => drift.sentence,
    "overwritten" => drift.is_overwritten,
    "published" => drift.is_published,
});

serialize_fields!(PlanCounts as counts {
    "no_change" => counts.no_change,
    "update" => counts.update,
    "publish" => counts.publish,
    "refused" => counts.refused,
    "depends" => counts.depends,
    "no_stored_state" => counts.no_stored_state,
    "dangers" => counts.dangers,
    "drifted" => counts.drifted,
    "conflicts" => counts.conflicts,
});

/// One reason of an answer.
#[derive(Serialize)]
struct ReasonView<'a> {
    rule: &'a RuleRef,
    verdict: &'static str,
    field: Option<&'a str>,
    message: Cow<'a, str>,
    depends_on: Option<Cow<'a, str>>,
    missing: Cow<'a, [String]>,
}

impl Prediction {
    /// The reasons of an answer, to be written as in the JSON report: each with its rule, verdict and message.
    pub fn serialized_reasons<'a>(&'a self, answer: &'a Answer) -> impl Serialize + use<'a> {
        let reason = |reason: &AnswerReason| {
            if let Some(finding) = self.diagnostic(*reason) {
                return Some(ReasonView {
                    rule: &finding.rule,
                    verdict: finding.verdict.name(),
                    field: Some(&finding.field),
                    message: Cow::Borrowed(&finding.message),
                    depends_on: finding.depends_on.as_deref().map(Cow::Borrowed),
                    missing: Cow::Borrowed(&[]),
                });
            }
            let undecided = self.undecided(*reason)?;
            Some(ReasonView {
                rule: &undecided.rule,
                verdict: "undecided",
                field: None,
                message: undecided.condition().into(),
                depends_on: Some(undecided.why()),
                missing: undecided.missing(),
            })
        };
        answer.reasons.iter().filter_map(reason).collect::<Vec<_>>()
    }
}

/// An answer of a prediction.
struct AnswerView<'a>(&'a Answer, &'a Prediction);

impl Serialize for AnswerView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(answer, prediction) = self;
        let (body, no_body) = match &answer.body {
            AnswerBody::Json(json) => (Some(raw::<S>(json)?), None),
            AnswerBody::Unknown(why) => (None, Some(*why)),
        };
        let count = 5 + usize::from(no_body.is_some());
        let mut fields = serializer.serialize_struct("Answer", count)?;
        fields.serialize_field("status", &answer.status)?;
        fields.serialize_field("phrase", answer.phrase())?;
        fields.serialize_field("expected", &answer.is_expected)?;
        fields.serialize_field("reasons", &prediction.serialized_reasons(answer))?;
        fields.serialize_field("body", &body)?;
        match no_body {
            Some(why) => fields.serialize_field("no_body", why)?,
            None => fields.skip_field("no_body")?,
        }
        fields.end()
    }
}

/// JSON that keeps every digit as written.
fn raw<S: Serializer>(json: &str) -> Result<&RawValue, S::Error> {
    serde_json::from_str(json).map_err(S::Error::custom)
}

serialize_fields!(Prediction as prediction {
    "kind" => prediction.report.kind.name(),
    "statuses" => prediction.answers.iter().map(|it| it.status).collect::<Vec<_>>(),
    "certain" => prediction.is_certain(),
    "other_rejections" => prediction.other_rejections(),
    "may_be_accepted" => prediction.may_be_accepted(),
    "answers" => {
        prediction.answers.iter().map(|it| AnswerView(it, prediction)).collect::<Vec<_>>()
    },
    "diagnostics" => prediction.report.diagnostics,
    "undecided" => prediction.report.undecided,
});

serialize_fields!(Difference as difference {
    "update" => difference.update.as_deref().map(raw::<S>).transpose()?,
    "rejected" => difference.is_rejected(),
    "changes" => difference.changes,
    "cannot_unset" => difference.cannot_unset,
    "notes" => difference.notes,
    "diagnostics" => difference.report.as_ref().map_or(&[][..], |it| &it.diagnostics),
    "undecided" => difference.report.as_ref().map_or(&[][..], |it| &it.undecided),
});
