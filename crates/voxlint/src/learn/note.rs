//! What there is to say about single records.

use std::fmt;

use voxlint_model::quote;

/// A record, and something to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordNote {
    /// The line, from 1.
    pub line: usize,
    /// What there is to say.
    pub note: Note,
}

/// What there is to say about a record; as text, it follows the place of the record and a colon.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Note {
    /// It is not a JSON object.
    NotAnObject,
    /// It has no such member.
    Missing(&'static str),
    /// A member is not what it should be.
    Wrong(&'static str),
    /// The document was not an update of an agent.
    OtherBody,
    /// The status is about the request, and not about the document.
    OtherStatus(u16),
    /// The update was accepted, although the description rejects it.
    Accepted,
    /// Nothing in the description explains this status.
    Unexplained(u16),
    /// It was rejected as predicted, but its answer names these settings.
    OtherSettings(Vec<String>),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotAnObject => f.write_str("skipped: it is not a JSON object"),
            Self::Missing(name) => write!(f, "skipped: it has no `{name}`"),
            Self::Wrong(name) => {
                write!(f, "skipped: its `{name}` does not match `voxlint schema record`")
            }
            Self::OtherBody => f.write_str("skipped: its `body` is not an update of an agent"),
            Self::OtherStatus(status) => {
                write!(f, "skipped: status {status} says nothing about the document")
            }
            Self::Accepted => f.write_str("accepted, although the description rejects it"),
            Self::Unexplained(status) => {
                write!(f, "answered with {status}, which nothing in the description explains")
            }
            Self::OtherSettings(names) => {
                let names = quote::list(names.iter().map(String::as_str));
                write!(
                    f,
                    "rejected as predicted, but the answer names {names}, where voxlint finds nothing"
                )
            }
        }
    }
}
