//! Arguments of helpers and partials, and subexpressions.

use super::{
    context::Context,
    description::Draft,
    error::{Stage, TemplateError, TemplateErrorKind as Kind},
    error_site::ErrorSite,
    tag_text::{COMPUTE_VALUE, excerpt},
};
use crate::parse::{parser::Expected, span::TemplateSpan};

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

/// `=` where no name of an argument is before it.
pub(super) fn equals(context: &Context<'_>, expected: Expected) -> Option<TemplateError> {
    let is_argument = expected == Expected::Argument;
    is_argument.then(|| context.error(Kind::NamedArgument, context.token.span()))
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
        Kind::NamedArgument => Draft::new(
            "a template cannot assign a value, and named arguments come last, as in `name=value`",
            "not allowed here",
            "for the value of a variable, write only its name",
        ),
        _ => return None,
    })
}
