//! Reports as JSON, under the names of the JSON report: fields may be added, never renamed.
//!
//! The report of the command line adds lines and columns, which need the text.

use serde::{Serialize, Serializer};

use crate::readings::ReadingEntry;
use crate::{
    Diagnostic, Family, Fix, Origin, Related, Report, RuleRef, Safety, Severity, Suppressed,
    SuppressedBy, Undecided, UnreadPart, VerdictKind,
};

/// Serializes types by their names.
#[macro_export]
macro_rules! serialize_names {
    ($($type:ty),+) => {
        $(impl ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        })+
    };
}

serialize_names!(Family, Origin, Safety, Severity, VerdictKind);

/// The id of the rule.
impl Serialize for RuleRef {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.id)
    }
}

/// Serializes a type by the listed fields; one with a condition only if that is met.
#[macro_export]
macro_rules! serialize_fields {
    ($type:ident as $value:ident { $($field:literal $(if $is_shown:expr)? => $get:expr),+ $(,)? }) => {
        impl ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use ::serde::ser::SerializeStruct as _;

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
    "readings" if !undecided.assumes.is_empty() => undecided.readings(),
});

serialize_fields!(ReadingEntry as entry {
    "name" => entry.name,
    "set_to" => entry.set_to,
    "set_in" => entry.set_in.as_deref(),
    "rejects" => entry.rejects,
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
    "readings" if !found.assumes.is_empty() => found.readings(),
    "span" => found.span,
    "related" => found.related,
    "fixes" => found.fixes,
    "count" if found.count != 1 => found.count,
});
