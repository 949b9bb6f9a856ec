//! The public types as JSON, under the names of the JSON report: fields may be added, never renamed.
//!
//! The report of the command line adds lines and columns, which need the text.

use std::borrow::Cow;

use serde::ser::{Error as _, SerializeStruct as _};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::{
    Answer, AnswerBody, AnswerReason, CannotUnset, ChangeKind, ChangedTexts, Diagnostic,
    Difference, Drift, DriftKind, Family, FieldChange, Fix, Origin, PlanCounts, PlannedChange,
    PlannedStatus, Prediction, Related, Report, RuleRef, Safety, Severity, Suppressed,
    SuppressedBy, Undecided, UnreadPart, VerdictKind,
};

macro_rules! serialize_names {
    ($($type:ty),+) => {
        $(impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        })+
    };
}

serialize_names!(ChangeKind, DriftKind, Family, Origin, Safety, Severity, VerdictKind);

/// The id of the rule.
impl Serialize for RuleRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.id)
    }
}

/// Serializes a type by the listed fields; one with a condition only if that is met.
macro_rules! serialize_fields {
    ($type:ident as $value:ident { $($field:literal $(if $is_shown:expr)? => $get:expr),+ $(,)? }) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $value = self;
                let count = 0 $(+ usize::from(true $(&& $is_shown)?))+;
                let mut fields = serializer.serialize_struct(stringify!($type), count)?;
                $(if true $(&& $is_shown)? {
                    fields.serialize_field($field, &$get)?;
                } else {
                    fields.skip_field($field)?;
                })+
                fields.end()
            }
        }
    };
}

serialize_fields!(Report as report {
    "kind" => report.kind.name(),
    "diagnostics" => report.diagnostics,
    "undecided" => report.undecided,
    "suppressed" => report.suppressed,
    "unread" => report.unread,
});

serialize_fields!(Undecided as undecided {
    "rule" => undecided.rule,
    "missing" => undecided.missing(),
    "why" => undecided.why(),
});

serialize_fields!(UnreadPart as unread {
    "in" => unread.origin,
    "span" => unread.span,
    "message" => unread.message,
});

serialize_fields!(Related as related {
    "in" => related.origin,
    "field" => related.field,
    "message" => related.message,
    "span" => related.span,
});

serialize_fields!(Fix as fix {
    "title" => fix.title,
    "safety" => fix.safety,
    "in" => fix.origin,
    "edits" => fix.edits,
});

serialize_fields!(Suppressed as suppressed {
    "diagnostic" => suppressed.diagnostic,
    "by" => match suppressed.by {
        SuppressedBy::Configuration(_) => "configuration",
        SuppressedBy::Comment(_) => "comment",
        SuppressedBy::Baseline => "baseline",
    },
    "reason" => match &suppressed.by {
        SuppressedBy::Configuration(reason) | SuppressedBy::Comment(reason) => Some(reason),
        SuppressedBy::Baseline => None,
    },
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

serialize_fields!(Diagnostic as found {
    "rule" => found.rule,
    "verdict" => found.verdict,
    "severity" => found.severity,
    "status" => found.status,
    "other_status" if found.other_status.is_some() => found.other_status,
    "field" => found.field,
    "in" => found.origin,
    "message" => found.message,
    "help" => found.help,
    "note" => found.note,
    "span" => found.span,
    "related" => found.related,
    "fixes" => found.fixes,
    "count" if found.count != 1 => found.count,
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
