use std::borrow::Cow;
use std::fmt;

use voxlint_schema::DocumentKind;

const LOOSE_TEMPLATE: &str = "a template that nothing marks as a prompt";

/// What a document looks like.
///
/// ```
/// use voxlint::{Document, DocumentKind, Recognition};
///
/// let text = r#"{ "voice_id": "v_1", "response_engine": {}, "agent_name": "Desk" }"#;
/// let Recognition::Unrecognised(why) = Document::parse(text).recognition() else { panic!() };
/// assert_eq!(why.to_string(), "looks like an update, but `response_engine` belongs to another service");
/// assert_eq!(why.resembles(), Some(DocumentKind::Update));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Recognition {
    /// A document of this kind.
    Document(DocumentKind),
    /// Not a document that voxlint checks unless it is named.
    Unrecognised(Unrecognised),
}

impl Recognition {
    /// The kind of the document, if it was recognised.
    pub const fn kind(&self) -> Option<DocumentKind> {
        match self {
            Self::Document(kind) => Some(*kind),
            Self::Unrecognised(_) => None,
        }
    }

    /// Why the document was not recognised, if it was not.
    pub fn into_unrecognised(self) -> Option<Unrecognised> {
        match self {
            Self::Document(_) => None,
            Self::Unrecognised(why) => Some(why),
        }
    }

    /// The kind to check a named document as: the recognised one, or the one that it resembles most.
    pub const fn likely_kind(&self) -> Option<DocumentKind> {
        match self {
            Self::Document(kind) => Some(*kind),
            Self::Unrecognised(why) => why.resembles,
        }
    }
}

/// Why a document was not recognised. Its `Display` form is a short phrase for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unrecognised {
    resembles: Option<DocumentKind>,
    why: Cow<'static, str>,
}

impl Unrecognised {
    /// The kind of document that it resembles, although some names count against it.
    pub const fn resembles(&self) -> Option<DocumentKind> {
        self.resembles
    }

    /// A template in a file that nothing marks as a prompt. For callers that know the path of the file.
    pub const fn loose_template() -> Self {
        Self { resembles: Some(DocumentKind::Template), why: Cow::Borrowed(LOOSE_TEMPLATE) }
    }

    pub(super) fn nothing(why: impl Into<Cow<'static, str>>) -> Self {
        Self { resembles: None, why: why.into() }
    }

    pub(super) fn resembling(kind: DocumentKind, why: impl Into<Cow<'static, str>>) -> Self {
        Self { resembles: Some(kind), why: why.into() }
    }
}

impl fmt::Display for Unrecognised {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.resembles {
            Some(kind) if kind != DocumentKind::Template => {
                write!(f, "looks like {}, but {}", kind.noun_phrase(), self.why)
            }
            _ => f.write_str(&self.why),
        }
    }
}
