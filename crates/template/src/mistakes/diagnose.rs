//! Finds the mistake behind the token at which parsing stopped.
//!
//! The reference only reports that a token is not allowed. The characters around it tell which of several mistakes the
//! author made. Detection reads a bounded window, or the rest of the text once.

use super::{
    arguments, blocks, braces,
    context::Context,
    error::{TemplateError, TemplateErrorKind as Kind},
    operators, paths, prose, quotes,
};
use crate::parse::{
    parser::{Cause, Expected, ParseFailure, Parser},
    span::TemplateSpan,
    token::TokenKind,
    tree::NodeKind,
};

/// The error of a template for which the parser has failed.
pub(crate) fn diagnose(parser: &Parser<'_>, failure: ParseFailure) -> TemplateError {
    let context = &Context::new(parser, failure);
    let span = failure.token.span();
    match failure.cause {
        Cause::Expected(expected) => unexpected_token(context, expected),
        Cause::Mismatch => blocks::mismatch(context),
        Cause::DecoratorElse => blocks::decorator_else(context),
        Cause::BracketedBlockParams => context.error(Kind::UnexpectedCharacter, span),
        Cause::InvalidPath(path) => {
            context.error(Kind::UnexpectedCharacter, span).related(path, "in this path")
        }
    }
}

fn unexpected_token(context: &Context<'_>, expected: Expected) -> TemplateError {
    let (kind, span) = context.token.parts();
    if expected != Expected::Statement && !kind.is_lexical() {
        let error = braces::doubled_json(context)
            .or_else(|| paths::braces_in_prose(context))
            .or_else(|| prose::amount(context));
        if let Some(error) = error {
            return error;
        }
    }
    let specific = match kind {
        TokenKind::LexicalNul => {
            let nul = TemplateSpan { start: span.end - 1, ..span };
            Some(context.error(Kind::UnexpectedCharacter, nul).in_tag(span))
        }
        TokenKind::LexicalComment => Some(braces::unclosed_comment(context, span.start)),
        TokenKind::LexicalRaw => Some(unclosed_block(context)),
        TokenKind::End if expected == Expected::Statement => Some(unclosed_block(context)),
        TokenKind::End => Some(cut_short(context)),
        kind if kind.opens() => Some(opener(context, expected)),
        TokenKind::Close | TokenKind::CloseUnescaped | TokenKind::CloseRaw => {
            closer(context, expected)
        }
        TokenKind::Invalid => Some(invalid_character(context, expected)),
        TokenKind::Pipe if expected != Expected::BlockParam => {
            Some(operators::bar(context, expected))
        }
        TokenKind::Equals => {
            operators::equals(context, expected).or_else(|| arguments::equals(context, expected))
        }
        TokenKind::Separator => leading_separator(context, expected),
        _ => None,
    };
    specific.unwrap_or_else(|| misplaced_token(context, expected))
}

/// A token that is valid in a tag, but not in its place.
fn misplaced_token(context: &Context<'_>, expected: Expected) -> TemplateError {
    let Context { token, previous, .. } = *context;
    let (kind, span) = match expected {
        Expected::Segment | Expected::DataName if token.kind.is_literal() => {
            let is_division = expected == Expected::Segment && token.kind == TokenKind::Number;
            if is_division && let Some(error) = operators::division(context, previous) {
                return error;
            }
            (Kind::LiteralSegment, token)
        }
        Expected::Segment | Expected::DataName => (Kind::MissingName, previous),
        Expected::Value | Expected::Equals => (Kind::NamedArgument, previous),
        Expected::HashArgument => (Kind::NamedArgument, token),
        _ => (Kind::UnexpectedCharacter, token),
    };
    context.error(kind, span.span())
}

fn unclosed_block(context: &Context<'_>) -> TemplateError {
    let raw = context.block().filter(|block| block.kind == NodeKind::RawBlock);
    raw.and_then(|block| braces::raw_variable(context, block.tag))
        .unwrap_or_else(|| blocks::unclosed(context))
}

/// A tag that is cut short by the end of the text.
fn cut_short(context: &Context<'_>) -> TemplateError {
    let end = context.previous.span().end;
    let last = TemplateSpan { start: end.saturating_sub(1), end };
    quotes::swallowed(context, last).unwrap_or_else(|| braces::unclosed(context))
}

/// A token that opens a tag.
fn opener(context: &Context<'_>, expected: Expected) -> TemplateError {
    let (kind, span) = context.token.parts();
    if expected != Expected::Statement {
        return quotes::swallowed(context, span)
            .unwrap_or_else(|| braces::opener_inside_tag(context));
    }
    // A comment of another language.
    if kind == TokenKind::OpenClose && matches!(context.bytes.at(span.end as usize), b'/' | b'*') {
        context.error(
            Kind::UnexpectedCharacter,
            TemplateSpan::new(span.end as usize - 1, span.end as usize),
        )
    } else if kind == TokenKind::OpenClose {
        blocks::stray_close(context)
    } else {
        blocks::misplaced_else(context)
    }
}

/// Closing braces where they are not allowed, or of the wrong number.
fn closer(context: &Context<'_>, expected: Expected) -> Option<TemplateError> {
    let is_argument = matches!(expected, Expected::Argument | Expected::HashArgument);
    match (context.paren, expected) {
        (Some(paren), _) if is_argument || expected == Expected::Head => {
            Some(context.error(Kind::Unclosed, paren))
        }
        (Some(_), _) => None,
        (None, Expected::Head) => Some(braces::empty(context)),
        (None, Expected::TagEnd) => Some(braces::wrong_count(context)),
        (None, _) => is_argument.then(|| braces::wrong_count(context)),
    }
}

/// `.` or `/` without a name before it.
fn leading_separator(context: &Context<'_>, expected: Expected) -> Option<TemplateError> {
    if !matches!(expected, Expected::Head | Expected::Argument | Expected::Value) {
        return None;
    }
    let span = context.token.span();
    let has_space =
        context.opener.kind == TokenKind::Open && context.opener.span().end < span.start;
    // A comment of another language.
    let is_foreign = matches!(context.bytes.at(span.end as usize), b'/' | b'*');
    let error = if context.bytes.at(span.start as usize) == b'.' {
        context.error(Kind::LeadingDot, span)
    } else if context.is_first() && has_space && !is_foreign {
        braces::space_before(context)
    } else {
        context.error(Kind::UnexpectedCharacter, span)
    };
    Some(error)
}

/// A character that no token starts with. It may directly follow a name.
fn invalid_character(context: &Context<'_>, expected: Expected) -> TemplateError {
    let Context { bytes, token, .. } = *context;
    let has_name = bytes.is_name(token.span().start as usize);
    let start = if has_name { token.span().end } else { token.span().start };
    let at = start as usize;
    let one = TemplateSpan { start, end: start + 1 };
    if at >= bytes.len() {
        return cut_short(context);
    }
    if let Some(error) = quotes::swallowed(context, one) {
        return error;
    }
    let character = bytes.at(at);
    // Punctuation of a sentence after a name, and the tag is not closed.
    if !context.is_closed && has_name && matches!(character, b',' | b';' | b'!' | b'\'') {
        return braces::unclosed(context).related(one, "the name ends here");
    }
    let specific = match character {
        b'}' => Some(context.error(Kind::OneBrace, one)),
        b'{' => Some(context.error(Kind::BraceInside, one)),
        b'[' if has_name => Some(context.error(Kind::Index, one)),
        b'[' => Some(context.error(Kind::Unclosed, one)),
        b'(' => Some(
            arguments::method_call(context, at)
                .unwrap_or_else(|| context.error(Kind::CallSyntax, one)),
        ),
        b'"' | b'\'' if !has_name => {
            Some(quotes::curly(context).unwrap_or_else(|| quotes::unclosed(context, one)))
        }
        b'\'' => {
            let is_sentence = prose::sentence(context, at).is_some();
            (!is_sentence).then(|| context.error(Kind::Apostrophe, one))
        }
        b'\\' => backslash(context, at, has_name),
        _ => leading_sign(context, at).filter(|_| expected == Expected::Head && !has_name),
    };
    specific
        .or_else(|| foreign_operator(context, at, expected, has_name))
        .unwrap_or_else(|| other_character(context, at))
}

/// A sign directly after the opening braces, or after a space.
fn leading_sign(context: &Context<'_>, at: usize) -> Option<TemplateError> {
    let open = context.opener.span();
    let is_adjacent = open.end as usize == at;
    match (context.opener.kind, context.bytes.at(at)) {
        (TokenKind::Open, sign) if context.is_first() => match sign {
            b'!' if is_adjacent => Some(braces::unclosed_comment(context, open.start)),
            b'!' | b'#' | b'^' | b'>' | b'&' | b'*' if !is_adjacent => {
                Some(braces::space_before(context))
            }
            _ => None,
        },
        _ => None,
    }
}

/// A backslash before a quote, or inside a name.
fn backslash(context: &Context<'_>, at: usize, has_name: bool) -> Option<TemplateError> {
    let next = context.bytes.at(at + 1);
    let continues = context.bytes.is_name(at + 1) || matches!(next, b'.' | b'[');
    if matches!(next, b'"' | b'\'') {
        Some(context.error(Kind::Backslash, TemplateSpan::new(at, at + 2)))
    } else {
        (has_name && continues)
            .then(|| context.error(Kind::Backslash, TemplateSpan::new(at, at + 1)))
    }
}

/// A placeholder or an operator.
fn foreign_operator(
    context: &Context<'_>,
    at: usize,
    expected: Expected,
    has_name: bool,
) -> Option<TemplateError> {
    let bytes = context.bytes;
    let is_head = expected == Expected::Head;
    let character = bytes.at(at);
    if character == b'<'
        && let Some(error) = prose::placeholder(context, at)
    {
        return Some(error);
    }
    let is_operator = match character {
        b'!' => bytes.at(at + 1) == b'=' || (!has_name && !is_head),
        b'<' | b'>' | b'&' | b'+' | b'*' | b'%' => !is_head || has_name,
        _ => false,
    };
    is_operator.then(|| operators::operator(context, at))
}

fn other_character(context: &Context<'_>, at: usize) -> TemplateError {
    if let Some(error) = quotes::curly(context) {
        return error;
    }
    let one = TemplateSpan::new(at, at + 1);
    let character = context.bytes.at(at);
    if matches!(character, b',' | b';' | b'!' | b'\'')
        && let Some(error) = prose::sentence(context, at)
    {
        error
    } else if character == b',' {
        context.error(Kind::Comma, one)
    } else {
        unexpected_character(context, at)
    }
}

fn unexpected_character(context: &Context<'_>, at: usize) -> TemplateError {
    context.error(Kind::UnexpectedCharacter, TemplateSpan::new(at, at + 1))
}
