//! A parsed template: its syntax tree and its first error.

use crate::{
    mistakes::{arguments, diagnose::diagnose, error::TemplateError},
    parse::{
        parser::{Checkpoint, Parser},
        token::TokenKind,
        tree::TemplateTree,
    },
};

/// A parsed template.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ParsedTemplate {
    /// The syntax tree. If there is an error, it contains the statements before the error.
    pub tree: TemplateTree,
    /// The first error, or `None` if the reference accepts the template.
    pub error: Option<TemplateError>,
    /// How deeply the reference recurses into the template: one level for each block and each subexpression, and one for
    /// each `{{else if …}}` of a block, because the reference nests the rest of the chain in it.
    ///
    /// See [`NESTING_LIMIT`](crate::NESTING_LIMIT).
    pub depth: u32,
}

/// Parses a template, in linear time.
///
/// The verdict is that of the reference, npm handlebars 4.7: `parse`, then `precompile`. Text without `{{` is always
/// valid, because the service does not treat it as a template. (The reference would reject U+0000 in it.)
///
/// A text of 4 GiB or more is not parsed, because its offsets do not fit. It has an empty tree and no error.
///
/// ```
/// use voxlint_template::{TemplateErrorKind, parse};
///
/// assert!(parse("Hi {{name}}, this is {{agent_name}}").error.is_none());
///
/// let text = "Hi {{name}, this is {{agent_name}}";
/// let error = parse(text).error.unwrap();
/// assert_eq!(error.kind, TemplateErrorKind::OneBrace);
/// assert_eq!(error.describe(text).help, "close it with two braces: `{{name}}`");
/// ```
pub fn parse(text: &str) -> ParsedTemplate {
    if u32::try_from(text.len()).is_err() {
        return ParsedTemplate::default();
    }
    parse_rest(Parser::new(text)).0
}

/// Parses with a parser that has just been made. Also returns the state before the tag with the error.
pub(crate) fn parse_rest(mut parser: Parser<'_>) -> (ParsedTemplate, Option<Checkpoint>) {
    let mut checkpoint = None;
    let error = match parser.run() {
        Ok(()) => parser
            .second_partial_argument
            .map(|(argument, tag)| arguments::second_partial_argument(argument, tag)),
        Err(failure)
            if failure.token.kind == TokenKind::LexicalNul && !parser.text.contains("{{") =>
        {
            parser.read_as_text();
            None
        }
        Err(failure) => {
            let error = diagnose(&parser, failure);
            checkpoint = parser.checkpoint();
            parser.end_tree();
            Some(error)
        }
    };
    (ParsedTemplate { tree: parser.tree, error, depth: parser.depth }, checkpoint)
}
