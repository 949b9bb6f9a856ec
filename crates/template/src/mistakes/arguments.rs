//! Arguments of helpers and partials, and subexpressions.

use super::{
    context::Context,
    description::Draft,
    error::{Stage, TemplateError, TemplateErrorKind as Kind},
    error_site::ErrorSite,
    tag_text::{COMPUTE_VALUE, excerpt},
};
use crate::parse::{parser::Expected, span::TemplateSpan, token::TokenKind};

/// The second positional argument of a partial.
pub(crate) fn second_partial_argument(argument: TemplateSpan, tag: TemplateSpan) -> TemplateError {
    TemplateError::new(Kind::UnexpectedCharacter, argument, tag, Stage::Precompile)
}

/// `upper()` in `{{name.upper()}}`: a name between a dot and a parenthesis.
pub(super) fn method_call(context: &Context<'_>, at: usize) -> Option<TemplateError> {
    let start = context.token.span().start as usize;
    let is_method = start < at && context.bytes.at(start.checked_sub(1)?) == b'.';
    let arguments = context.text.get(at..context.content_end())?;
    let end = arguments.find(')').map_or(at + 1, |close| at + close + 1);
    is_method.then(|| context.error(Kind::MethodCall, TemplateSpan::new(start, end)))
}

/// `=` after a literal, a path or a name without a helper.
pub(super) fn equals(context: &Context<'_>, expected: Expected) -> Option<TemplateError> {
    let span = context.token.span();
    match expected {
        Expected::Argument if context.previous.kind.is_literal() || follows_path(context) => {
            Some(context.error(Kind::NamedArgument, key(context)))
        }
        Expected::Argument => Some(context.error(Kind::NamedArgument, span)),
        Expected::Head => Some(context.error(Kind::UnexpectedCharacter, span)),
        _ => None,
    }
}

/// Whether the previous name is the last of several segments.
fn follows_path(context: &Context<'_>) -> bool {
    let start = context.previous.span().start as usize;
    start > 0 && matches!(context.bytes.at(start - 1), b'.' | b'/' | b'@')
}

/// The path or literal before `=`, as far as it contains no white space.
fn key(context: &Context<'_>) -> TemplateSpan {
    let previous = context.previous.span();
    let mut start = previous.start;
    while start > context.opener.span().end {
        let at = start as usize - 1;
        if !context.bytes.is_name(at) && !matches!(context.bytes.at(at), b'.' | b'/' | b'@') {
            break;
        }
        start -= 1;
    }
    let is_boundary = context.text.is_char_boundary(start as usize);
    if is_boundary { TemplateSpan { start, ..previous } } else { previous }
}

/// `as|x|` without a space, or `|x|` without `as`.
pub(super) fn incomplete_as(context: &Context<'_>) -> Option<TemplateError> {
    let bar = context.token.span();
    let previous = context.previous.span();
    if previous.of(context.text) == "as" && previous.end == bar.start {
        let is_double = context.bytes.at(bar.end as usize) == b'|';
        let end = bar.end + u32::from(is_double);
        return Some(context.error(Kind::BlockParams, TemplateSpan { end, ..previous }));
    }
    let names = context.content_from(bar.end as usize).trim_end().strip_suffix('|')?;
    let is_list = context.opener.kind == TokenKind::OpenBlock
        && !names.trim().is_empty()
        && names.chars().all(|it| it.is_alphanumeric() || "_, ".contains(it));
    is_list.then(|| context.error(Kind::BlockParams, bar))
}

/// A list of names without its second bar.
pub(super) fn unclosed_names(context: &Context<'_>) -> TemplateError {
    let end = context.token.span().start;
    let names = context.bytes.0.get(..end as usize).unwrap_or_default();
    let bar = memchr::memrchr(b'|', names).map_or(end, |bar| bar as u32);
    context.error(Kind::BlockParams, TemplateSpan { start: bar, end })
}

pub(super) fn describe(site: &ErrorSite<'_>) -> Option<Draft> {
    Some(match site.error.kind {
        Kind::CallSyntax => Draft::new(
            "helpers are not called with parentheses",
            "unexpected parenthesis",
            if site.tag.contains("()") {
                "write the name without parentheses"
            } else {
                "put arguments after the helper, separated by spaces, as in `{{helper argument}}`"
            },
        ),
        Kind::MethodCall => Draft::new(
            format!("{} is a method call, which Handlebars does not support", excerpt(site.wrong)),
            "method call",
            COMPUTE_VALUE,
        ),
        Kind::UnclosedParenthesis => {
            Draft::new("the parenthesis is never closed", "opened here", "close it with `)`")
        }
        Kind::NamedArgument => Draft::new(
            "a template cannot assign a value, and named arguments come last, as in `name=value`",
            "not allowed here",
            "for the value of a variable, write only its name",
        ),
        Kind::BlockParams => Draft::new(
            "`as |…|` must end the opening tag of a block and contain names separated by spaces",
            "not allowed here",
            "write the names as in `{{#each items as |item index|}}`",
        ),
        _ => return None,
    })
}
