//! Internal to voxlint: error-tolerant parsers for JSON, YAML and TOML: every key and value of a document with its position.
//!
//! Parsing never fails. The result has a tree of everything that could be parsed, and the errors, so that one mistake does not
//! hide the rest of a document.
//!
//! ```
//! use voxlint_syntax::{Format, parse};
//!
//! let parsed = parse("{ \"title\": \"caf\\u00e9\", }", Format::Json);
//! assert_eq!(parsed.errors.len(), 1, "the comma before the brace");
//!
//! let root = parsed.documents[0].root().expect("a value");
//! let title = root.get("title").expect("a member");
//! assert_eq!(title.as_str().as_deref(), Some("café"));
//! // The last character of the decoded text is the escape in the file.
//! let text = title.text().expect("a string");
//! assert_eq!(text.to_source(3..5), voxlint_syntax::Span::new(15, 21));
//! ```
//!
//! The crate knows nothing about agents or rules, and reads no files.

#![forbid(unsafe_code)]

mod builder;
mod conflict;
mod decimal;
pub mod edit;
mod encoding;
mod error;
mod excerpt;
pub mod file_path;
mod fix;
mod invisible;
mod json;
mod lines;
mod message;
mod shared_text;
mod span;
mod text;
#[cfg(feature = "toml")]
mod toml;
mod tree;
mod unread;
#[cfg(feature = "yaml")]
mod yaml;

use std::fmt;
use std::str::FromStr;

pub use conflict::marker as conflict_marker;
pub use decimal::Decimal;
pub use edit::TextEdit;
pub use encoding::{Decoded, decode};
pub use error::{SyntaxError, SyntaxErrorKind};
pub use excerpt::excerpt;
pub use fix::{SyntaxFix, syntax_fixes, syntax_fixes_with_names};
pub use invisible::Invisible;
pub use json::{MAX_DEPTH, MAX_ERRORS};
pub use lines::{LineIndex, Position, PositionEncoding};
pub use shared_text::SharedText;
pub use span::Span;
pub use text::DecodedText;
pub use tree::{
    Elements, Kind, Leaves, Member, Members, Node, NodeId, Pointers, RepeatedMerge, Tree,
};
pub use unread::{Unread, UnreadReason};

/// The maximum nesting depth of brackets in TOML. Deeper brackets are skipped. Tables by headers and dotted keys may be nested
/// up to [`MAX_DEPTH`]. TOML itself sets no limit; common parsers stop at 80.
pub const MAX_BRACKETS: usize = 128;
/// The maximum length in bytes of a line in a file with one document per line. A longer line is an error and is not parsed, so
/// that a file of any size needs little memory.
pub const MAX_LINE: usize = 16 << 20;

/// The format of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Strict JSON (RFC 8259).
    Json,
    /// Plain text: the whole file is one string.
    Text,
    /// TOML 1.0 and 1.1. A table is an object. Dates, `inf` and `nan` are errors, because JSON does not have them.
    #[cfg(feature = "toml")]
    Toml,
    /// JSON with comments (`//` and `/* */`) and trailing commas.
    Jsonc,
    /// YAML 1.2 with its core schema (specification, chapter 10.3) and merge keys (`<<`), as far as JSON can represent it.
    #[cfg(feature = "yaml")]
    Yaml,
}

impl Format {
    /// Whether the format is YAML. Never true without the feature `yaml`.
    pub fn is_yaml(self) -> bool {
        self.name() == "yaml"
    }

    /// Whether the format is TOML. Never true without the feature `toml`.
    pub fn is_toml(self) -> bool {
        self.name() == "toml"
    }

    /// Every format that the enabled features can read.
    pub const ALL: &[Self] = &[
        Self::Json,
        Self::Text,
        #[cfg(feature = "toml")]
        Self::Toml,
        Self::Jsonc,
        #[cfg(feature = "yaml")]
        Self::Yaml,
    ];

    /// The name of the format, in lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "text",
            #[cfg(feature = "toml")]
            Self::Toml => "toml",
            Self::Jsonc => "jsonc",
            #[cfg(feature = "yaml")]
            Self::Yaml => "yaml",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let format = Self::ALL.iter().copied().find(|format| format.name() == name);
        format.ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// A text that is not the name of a [`Format`], or one of a format whose feature is not enabled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat(String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
        write!(
            formatter,
            "`{}` is not a format of documents; allowed: {}",
            self.0,
            names.join(", ")
        )
    }
}

impl std::error::Error for UnknownFormat {}

/// The documents and the errors of a text.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Parsed {
    /// The documents, in the order of the text. Only a YAML text may have several; it has at least one, and an empty document
    /// between others is one without a root. Any other text is one document, even if it is empty.
    pub documents: Vec<Tree>,
    /// The errors, in the order of the text.
    pub errors: Vec<SyntaxError>,
    /// The parts of the text that were not parsed, in the order of the text: one for each document and reason.
    pub unread: Vec<Unread>,
}

/// Parses a text.
///
/// Time and memory are proportional to the length of the text. No text makes the parser recurse or panic. YAML aliases expand
/// to at most a hundred thousand nodes, or twenty times the text.
///
/// The trees share the text. A `&str` is copied once, and a `String` or a [`SharedText`] never.
pub fn parse(text: impl Into<SharedText>, format: Format) -> Parsed {
    parse_up_to(&text.into(), format, MAX_ERRORS)
}

/// As [`parse`], with another limit of listed errors. Time is proportional to it. YAML does not know this limit.
fn parse_up_to(text: &SharedText, format: Format, max_errors: usize) -> Parsed {
    let mut parsed = read(text, format, max_errors);
    error::fold_curly_quotes(text, &mut parsed.errors);
    parsed
}

/// As [`parse_up_to`], with one error for each curly quote.
fn read(text: &SharedText, format: Format, max_errors: usize) -> Parsed {
    match format {
        Format::Json | Format::Jsonc => {
            let (tree, errors, unread) = json::read(text, format, max_errors);
            Parsed { documents: vec![tree], errors, unread }
        }
        Format::Text => {
            let mut builder = builder::Builder::new(text);
            builder.scalar(tree::Tag::String, Span::of(0, text.len()), None, tree::BARE);
            Parsed { documents: vec![builder.finish()], errors: Vec::new(), unread: Vec::new() }
        }
        #[cfg(feature = "toml")]
        Format::Toml => {
            let (tree, errors, unread) = toml::read(text, max_errors);
            Parsed { documents: vec![tree], errors, unread }
        }
        #[cfg(feature = "yaml")]
        Format::Yaml => yaml::read(text),
    }
}
