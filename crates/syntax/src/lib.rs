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
mod description;
pub mod edit;
mod encoding;
mod error;
mod excerpt;
pub mod file_path;
mod fix;
mod format;
mod invisible;
mod json;
mod lines;
mod message;
mod parsed;
mod shared_text;
mod span;
mod text;
#[cfg(feature = "toml")]
mod toml;
mod tree;
mod trivia;
mod unread;
#[cfg(feature = "yaml")]
mod yaml;

pub use conflict::marker as conflict_marker;
pub use decimal::Decimal;
pub use edit::TextEdit;
pub use encoding::{Decoded, decode};
pub use error::{MAX_ERRORS, MAX_LINE, SyntaxError, SyntaxErrorKind};
pub use excerpt::excerpt;
pub use fix::{SyntaxFix, syntax_fixes};
pub use format::{Format, UnknownFormat};
pub use invisible::Invisible;
pub use lines::{LineIndex, Position, PositionEncoding};
pub use parsed::Parsed;
pub use shared_text::SharedText;
pub use span::Span;
pub use text::DecodedText;
pub use tree::{Kind, Member, Node, NodeId, Pointers, RepeatedMerge, Tree};
pub use trivia::Trivia;
pub use unread::{MAX_BRACKETS, MAX_DEPTH, Unread, UnreadReason};

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
    if u32::try_from(text.len()).is_err() {
        let errors = vec![SyntaxError::new(SyntaxErrorKind::TooLarge, Span::at(0))];
        return Parsed { documents: vec![Tree::default()], errors, unread: Vec::new() };
    }
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
