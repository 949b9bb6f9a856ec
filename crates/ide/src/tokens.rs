//! Semantic tokens: the parts of the mustaches in templates.
//!
//! A token is the bytes of the file that spell a part, so in a string of JSON the quotes of `{{lookup a \"b\"}}` are coloured with their
//! backslashes. A part that goes over several lines is one token for each line, without the indentation of a block scalar.

mod lexical;

pub use self::lexical::TokenKind;

use voxlint::syntax::{Node, Span};

use crate::File;
use crate::templates::template_nodes;

/// A part of a mustache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Where it is, on one line.
    pub span: Span,
    /// What it is.
    pub kind: TokenKind,
}

/// The parts of all mustaches in the templates of a text, in its order and without overlaps.
///
/// ```
/// use voxlint::{Document, Inputs};
/// use voxlint_ide::{File, TokenKind, tokens};
///
/// let text = r#"{ "welcome_message": "Hello {{name}}" }"#;
/// let inputs = Inputs::new(Document::parse(text));
/// let tokens: Vec<_> =
///     tokens(File::new(&inputs)).iter().map(|token| (token.span.slice(text), token.kind)).collect();
/// assert_eq!(
///     tokens,
///     [("{{", TokenKind::Delimiter), ("name", TokenKind::Variable), ("}}", TokenKind::Delimiter)]
/// );
/// ```
pub fn tokens(file: File<'_>) -> Vec<Token> {
    let text = file.text();
    let mut tokens: Vec<Token> = Vec::new();
    for template in template_nodes(file.document()).into_iter().filter_map(Node::text) {
        for (range, kind) in lexical::parts(template.as_str()) {
            for span in template.to_source_parts(range) {
                push_lines(&mut tokens, text, span, kind);
            }
        }
    }
    tokens
}

/// Adds a token for each line of a span.
fn push_lines(tokens: &mut Vec<Token>, text: &str, span: Span, kind: TokenKind) {
    let end_before = tokens.last().map_or(0, |last| last.span.end);
    let mut start = span.start.max(end_before);
    for line in Span::new(start, span.end).slice(text).split(['\n', '\r']) {
        let end = start + line.len() as u32;
        if !line.trim().is_empty() {
            tokens.push(Token { span: Span::new(start, end), kind });
        }
        start = end + 1;
    }
}
