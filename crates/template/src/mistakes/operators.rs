//! Operators, filters and other syntax of expressions that Handlebars does not have.

use super::{
    context::Context,
    description::Draft,
    error::{TemplateError, TemplateErrorKind as Kind},
    error_site::ErrorSite,
    tag_text::{COMPUTE_CONDITION, COMPUTE_VALUE, SET_DEFAULT, excerpt, is_path, use_unless},
};
use crate::parse::{
    parser::Expected,
    span::TemplateSpan,
    token::{Token, TokenKind},
};

/// `|` between values, or `||`.
pub(super) fn bar(context: &Context<'_>, expected: Expected) -> TemplateError {
    let span = context.token.span();
    if context.bytes.at(span.end as usize) == b'|' {
        context.error(Kind::Operator, TemplateSpan { end: span.end + 1, ..span })
    } else if expected == Expected::TagEnd
        || context.opener.kind == TokenKind::OpenBlock
        || context.is_first()
    {
        context.error(Kind::UnexpectedCharacter, span)
    } else {
        context.error(Kind::Filter, span)
    }
}

/// `==`, `===` or `=>`. The first `=` may be that of a hash argument, as in `a = = b`.
pub(super) fn equals(context: &Context<'_>, expected: Expected) -> Option<TemplateError> {
    let first = if expected == Expected::Value { context.previous } else { context.token };
    let start = first.span().start;
    let mut end = context.token.span().end;
    while context.bytes.at(end as usize) == b'=' && end - start < 3 {
        end += 1;
    }
    if end - start == 1 && context.bytes.at(end as usize) == b'>' {
        end += 1;
    }
    (end - start > 1).then(|| context.error(Kind::Operator, TemplateSpan { start, end }))
}

/// A slash with white space around it, as in `{{price / 2}}`.
pub(super) fn division(context: &Context<'_>, slash: Token) -> Option<TemplateError> {
    let TemplateSpan { start, end } = slash.span();
    let has_space = context.bytes.space(end as usize) > 0
        || context.bytes.at(start.saturating_sub(1) as usize) == b' ';
    (has_space && context.bytes.at(start as usize) == b'/')
        .then(|| context.error(Kind::Operator, slash.span()))
}

/// The operator at `at`, such as `<=` or `&&`.
pub(super) fn operator(context: &Context<'_>, at: usize) -> TemplateError {
    let mut end = at + 1;
    while end < at + 3 && matches!(context.bytes.at(end), b'=' | b'&' | b'>' | b'<') {
        end += 1;
    }
    context.error(Kind::Operator, TemplateSpan::new(at, end))
}

pub(super) fn describe(site: &ErrorSite<'_>) -> Option<Draft> {
    let wrong = excerpt(site.wrong);
    Some(match site.error.kind {
        Kind::Filter => Draft::new(filter(site.tag), "not supported", SET_DEFAULT),
        Kind::Operator => Draft::new(
            format!("the operator {wrong} is not supported in Handlebars"),
            "not supported",
            without_operator(site.wrong, site.tag),
        ),
        _ => return None,
    })
}

/// What a filter is, and of which language: Liquid writes `| date: "%B"`, and Jinja `| default("you")`.
fn filter(tag: &str) -> String {
    let after = tag.split_once('|').map_or("", |(_, after)| after.trim_start());
    let end = after.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(after.len());
    let (name, rest) = after.split_at_checked(end).unwrap_or_default();
    let language = match rest.trim_start().chars().next() {
        Some(':') => "Liquid",
        Some('(') => "Jinja",
        _ => "Jinja and Liquid",
    };
    let shown = excerpt(format!("| {name}").trim_end());
    format!("{shown} is a filter of {language}, and Handlebars has no filters")
}

fn without_operator(operator: &str, tag: &str) -> String {
    let name = tag.split_once('!').map(|(_, rest)| rest.trim_end_matches(['}', '~']).trim());
    match name.filter(|name| operator == "!" && is_path(name)) {
        Some(name) => use_unless(name),
        None if operator.starts_with('&') && tag.contains('#') => {
            "to test two conditions, put one `{{#if}}` inside another".to_owned()
        }
        None if tag.contains("if") || tag.contains("unless") => COMPUTE_CONDITION.to_owned(),
        None if operator == "||" => SET_DEFAULT.to_owned(),
        None => COMPUTE_VALUE.to_owned(),
    }
}
