//! The public types as JSON, under the names of the JSON report: fields may be added, never renamed.
//!
//! The report of the command line adds lines and columns, which need the text.

use std::borrow::Cow;

use serde::ser::{Error as _, SerializeStruct as _};
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::{
    Answer, AnswerBody, AnswerReason, CannotUnset, ChangeKind, Diagnostic, Difference, Family,
    FieldChange, Fix, Origin, Prediction, Related, Report, RuleRef, Safety, Severity, Suppressed,
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

serialize_names!(ChangeKind, Family, Origin, Safety, Severity, VerdictKind);

/// The id of the rule.
impl Serialize for RuleRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.id)
    }
}

/// Serializes a type by the listed fields.
macro_rules! serialize_fields {
    ($type:ident as $value:ident { $($field:literal: $get:expr),+ $(,)? }) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let $value = self;
                let count = [$($field),+].len();
                let mut fields = serializer.serialize_struct(stringify!($type), count)?;
                $(fields.serialize_field($field, &$get)?;)+
                fields.end()
            }
        }
    };
}

serialize_fields!(Report as report {
    "kind": report.kind.name(),
    "diagnostics": report.diagnostics,
    "undecided": report.undecided,
    "suppressed": report.suppressed,
    "unread": report.unread,
});

serialize_fields!(Undecided as undecided {
    "rule": undecided.rule,
    "missing": undecided.missing(),
    "why": undecided.why(),
});

serialize_fields!(UnreadPart as unread {
    "in": unread.origin,
    "span": unread.span,
    "message": unread.message,
});

serialize_fields!(Related as related {
    "in": related.origin,
    "field": related.field,
    "message": related.message,
    "span": related.span,
});

serialize_fields!(Fix as fix {
    "title": fix.title,
    "safety": fix.safety,
    "in": fix.origin,
    "edits": fix.edits,
});

serialize_fields!(Suppressed as suppressed {
    "diagnostic": suppressed.diagnostic,
    "by": match suppressed.by {
        SuppressedBy::Configuration(_) => "configuration",
        SuppressedBy::Comment(_) => "comment",
        SuppressedBy::Baseline => "baseline",
    },
    "reason": match &suppressed.by {
        SuppressedBy::Configuration(reason) | SuppressedBy::Comment(reason) => Some(reason),
        SuppressedBy::Baseline => None,
    },
});

serialize_fields!(FieldChange as change {
    "field": change.field,
    "kind": change.kind,
    "dangerous": change.kind.is_dangerous(),
    "old": change.old,
    "new": change.new,
    "message": change.sentence,
});

serialize_fields!(CannotUnset as setting {
    "field": setting.field,
    "value": setting.value,
    "message": setting.sentence,
});

impl Serialize for Diagnostic {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (has_other, is_several) = (self.other_status.is_some(), self.count != 1);
        let length = 11 + usize::from(has_other) + usize::from(is_several);
        let mut fields = serializer.serialize_struct("Diagnostic", length)?;
        fields.serialize_field("rule", &self.rule)?;
        fields.serialize_field("verdict", &self.verdict)?;
        fields.serialize_field("severity", &self.severity)?;
        fields.serialize_field("status", &self.status)?;
        if has_other {
            fields.serialize_field("other_status", &self.other_status)?;
        } else {
            fields.skip_field("other_status")?;
        }
        fields.serialize_field("field", &self.field)?;
        fields.serialize_field("in", &self.origin)?;
        fields.serialize_field("message", &self.message)?;
        fields.serialize_field("help", &self.help)?;
        fields.serialize_field("note", &self.note)?;
        fields.serialize_field("span", &self.span)?;
        fields.serialize_field("related", &self.related)?;
        fields.serialize_field("fixes", &self.fixes)?;
        if is_several {
            fields.serialize_field("count", &self.count)?;
        } else {
            fields.skip_field("count")?;
        }
        fields.end()
    }
}

/// One answer of a prediction.
#[derive(Serialize)]
struct AnswerView<'a> {
    status: u16,
    phrase: &'static str,
    expected: bool,
    reasons: Vec<ReasonView<'a>>,
    body: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_body: Option<&'static str>,
}

/// One reason of an answer.
#[derive(Serialize)]
struct ReasonView<'a> {
    rule: &'a RuleRef,
    verdict: &'static str,
    field: Option<&'a str>,
    message: String,
    depends_on: Option<Cow<'a, str>>,
    missing: Cow<'a, [String]>,
}

impl<'a> AnswerView<'a> {
    fn new(answer: &'a Answer, prediction: &'a Prediction) -> serde_json::Result<Self> {
        let (body, no_body) = match &answer.body {
            AnswerBody::Json(json) => (Some(serde_json::from_str(json)?), None),
            AnswerBody::Unknown(why) => (None, Some(*why)),
        };
        let reasons = answer.reasons.iter();
        Ok(Self {
            status: answer.status,
            phrase: answer.phrase(),
            expected: answer.is_expected,
            reasons: reasons.filter_map(|it| ReasonView::new(*it, prediction)).collect(),
            body,
            no_body,
        })
    }
}

impl<'a> ReasonView<'a> {
    fn new(reason: AnswerReason, prediction: &'a Prediction) -> Option<Self> {
        if let Some(finding) = prediction.diagnostic(reason) {
            return Some(Self {
                rule: &finding.rule,
                verdict: finding.verdict.name(),
                field: Some(&finding.field),
                message: finding.message.clone(),
                depends_on: finding.depends_on.as_deref().map(Cow::Borrowed),
                missing: Cow::Borrowed(&[]),
            });
        }
        let undecided = prediction.undecided(reason)?;
        Some(Self {
            rule: &undecided.rule,
            verdict: "undecided",
            field: None,
            message: undecided.condition(),
            depends_on: Some(undecided.why()),
            missing: undecided.missing(),
        })
    }
}

impl Serialize for Prediction {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let answers: serde_json::Result<Vec<_>> =
            self.answers.iter().map(|answer| AnswerView::new(answer, self)).collect();
        let statuses: Vec<u16> = self.answers.iter().map(|answer| answer.status).collect();
        let mut fields = serializer.serialize_struct("Prediction", 8)?;
        fields.serialize_field("kind", self.report.kind.name())?;
        fields.serialize_field("statuses", &statuses)?;
        fields.serialize_field("certain", &self.is_certain())?;
        fields.serialize_field("other_rejections", &self.other_rejections())?;
        fields.serialize_field("may_be_accepted", &self.may_be_accepted())?;
        fields.serialize_field("answers", &answers.map_err(S::Error::custom)?)?;
        fields.serialize_field("diagnostics", &self.report.diagnostics)?;
        fields.serialize_field("undecided", &self.report.undecided)?;
        fields.end()
    }
}

/// The update keeps every digit as written.
impl Serialize for Difference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let update: Option<&RawValue> = self
            .update
            .as_deref()
            .map(serde_json::from_str)
            .transpose()
            .map_err(S::Error::custom)?;
        let report = self.report.as_ref();
        let diagnostics = report.map_or(&[][..], |report| &report.diagnostics);
        let undecided = report.map_or(&[][..], |report| &report.undecided);
        let mut fields = serializer.serialize_struct("Difference", 7)?;
        fields.serialize_field("update", &update)?;
        fields.serialize_field("rejected", &self.is_rejected())?;
        fields.serialize_field("changes", &self.changes)?;
        fields.serialize_field("cannot_unset", &self.cannot_unset)?;
        fields.serialize_field("notes", &self.notes)?;
        fields.serialize_field("diagnostics", diagnostics)?;
        fields.serialize_field("undecided", undecided)?;
        fields.end()
    }
}
