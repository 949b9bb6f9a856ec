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

#[cfg(feature = "yaml")]
mod builder;
mod decimal;
mod encoding;
mod error;
mod excerpt;
mod json;
mod lines;
mod message;
mod span;
mod text;
mod tree;
#[cfg(feature = "yaml")]
mod yaml;

pub use decimal::Decimal;
pub use encoding::{Decoded, decode};
pub use error::{SyntaxError, SyntaxErrorKind};
pub use excerpt::excerpt;
pub use json::{MAX_DEPTH, MAX_ERRORS};
pub use lines::{LineIndex, Position};
pub use span::Span;
pub use text::Text;
pub use tree::{Elements, Kind, Member, Members, Node, NodeId, Paths, Tree};

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// JSON, to the letter of RFC 8259.
    Json,
    /// YAML 1.2 by its core schema (chapter 10.3 of its specification), with `<<` for merging as most teams know it, and with what JSON can say of it.
    #[cfg(feature = "yaml")]
    Yaml,
}

/// What a text holds, and what is wrong with it.
#[derive(Debug)]
pub struct Parsed<'t> {
    /// The documents, in the order of the text. A JSON text is always one document, be it empty. A YAML text has at least
    /// one, and an empty document between others is one without a root.
    pub documents: Vec<Tree<'t>>,
    /// The faults, in the order of the text. None means that the text is exactly what its format allows.
    pub errors: Vec<SyntaxError>,
}

/// Reads a text.
///
/// A text takes time and memory in proportion to its length, whatever it holds; nothing in it can make the reader recurse
/// or panic. What the aliases of a YAML text stand for is bounded by a hundred thousand nodes, or twenty times the text.
pub fn parse(text: &str, format: Format) -> Parsed<'_> {
    match format {
        Format::Json => {
            let (tree, errors) = json::read(text);
            Parsed { documents: vec![tree], errors }
        }
        #[cfg(feature = "yaml")]
        Format::Yaml => yaml::read(text),
    }
}
