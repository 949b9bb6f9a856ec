//! Text to positioned trees: every key and value of a configuration file with the bytes that spell it.
//!
//! Reading never fails. What is wrong with the text comes beside the tree, and the tree holds everything that could be
//! read, so that one slip does not hide the rest of a document.
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
//! The crate knows text, and nothing of agents or of rules. It reads no files.

mod builder;
mod conflict;
mod decimal;
mod encoding;
mod error;
mod excerpt;
pub mod file_path;
mod invisible;
mod json;
mod lines;
mod message;
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
use std::sync::Arc;

pub use decimal::Decimal;
pub use encoding::{Decoded, decode};
pub use error::{SyntaxError, SyntaxErrorKind};
pub use excerpt::excerpt;
pub use json::{MAX_DEPTH, MAX_ERRORS};
pub use lines::{LineIndex, Position, PositionEncoding};
pub use span::Span;
pub use text::Text;
pub use tree::{Elements, Kind, Member, Members, Node, NodeId, Paths, Tree};
pub use unread::{Unread, UnreadReason};

/// How deep the brackets of a TOML text may be nested before the reader passes over what is inside. Tables by headers and
/// dotted names go on to [`MAX_DEPTH`]. TOML itself sets no limit; its common readers stop at 80.
pub const MAX_BRACKETS: usize = 128;
/// The most bytes that one line may have in a file of a document a line: what is longer is a fault and is not read, so
/// that a file of any size can be read in little memory.
pub const MAX_LINE: usize = 16 << 20;

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// JSON, to the letter of RFC 8259.
    Json,
    /// A text that is one string as it stands, from the first byte to the last.
    Text,
    /// TOML 1.0, and what TOML 1.1 adds to it. A table is an object; dates, `inf` and `nan` are faults, as JSON has none.
    #[cfg(feature = "toml")]
    Toml,
    /// JSON with comments (`//` and `/* */`) and commas before closing brackets, and as strict in all else.
    Jsonc,
    /// YAML 1.2 by its core schema (chapter 10.3 of its specification), with `<<` for merging as most teams know it, and with what JSON can say of it.
    #[cfg(feature = "yaml")]
    Yaml,
}

impl Format {
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

/// The documents of a text, and its faults.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The documents, in the order of the text. Only a YAML text may have several; it has at least one, and an empty document
    /// between others is one without a root. Any other text is always one document, be it empty.
    pub documents: Vec<Tree>,
    /// The faults, in the order of the text. None means that the text is exactly what its format allows.
    pub errors: Vec<SyntaxError>,
    /// The parts of the text that were not read, in the order of the text: of each document one place for each reason.
    /// None means that every byte was read.
    pub unread: Vec<Unread>,
}

/// Reads a text.
///
/// A text takes time and memory in proportion to its length, whatever it holds; nothing in it can make the reader recurse
/// or panic. What the aliases of a YAML text stand for is bounded by a hundred thousand nodes, or twenty times the text.
///
/// The trees share the text. It is copied once, unless it is an [`Arc<str>`] already.
pub fn parse(text: impl Into<Arc<str>>, format: Format) -> Parsed {
    let text = text.into();
    let mut parsed = read(&text, format);
    error::fold_curly_quotes(&text, &mut parsed.errors);
    parsed
}

fn read(text: &Arc<str>, format: Format) -> Parsed {
    match format {
        Format::Json | Format::Jsonc => {
            let (tree, errors, unread) = json::read(text, format);
            Parsed { documents: vec![tree], errors, unread }
        }
        Format::Text => {
            let mut builder = builder::Builder::new(text);
            builder.scalar(tree::Tag::String, Span::of(0, text.len()), None, tree::BARE);
            Parsed { documents: vec![builder.finish()], errors: Vec::new(), unread: Vec::new() }
        }
        #[cfg(feature = "toml")]
        Format::Toml => {
            let (tree, errors, unread) = toml::read(text);
            Parsed { documents: vec![tree], errors, unread }
        }
        #[cfg(feature = "yaml")]
        Format::Yaml => yaml::read(text),
    }
}
