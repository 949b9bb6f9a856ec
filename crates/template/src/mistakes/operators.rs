//! Operators, filters and other syntax of expressions that Handlebars does not have.

use super::{
    context::Context,
    description::Draft,
    error::{TemplateError, TemplateErrorKind as Kind},
    error_site::{ErrorSite, TagParts},
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
    let has_names = context.content_from(span.end as usize).trim_end().ends_with('|');
    if context.opener.kind == TokenKind::OpenBlock && has_names {
        context.error(Kind::BlockParams, span)
    } else if context.bytes.at(span.end as usize) == b'|' {
        context.error(Kind::Operator, TemplateSpan { end: span.end + 1, ..span })
    } else if expected == Expected::TagEnd || context.is_first() {
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

/// The `!` of `{{ !name }}`.
pub(super) fn negation(context: &Context<'_>, at: usize) -> Option<TemplateError> {
    let name = context.content_from(at + 1).trim_end();
    (context.is_closed && is_path(name))
        .then(|| context.error(Kind::Operator, TemplateSpan::new(at, at + 1)))
}

/// A `~` between two values.
pub(super) fn concatenation(context: &Context<'_>, at: usize) -> Option<TemplateError> {
    let after = context.content_from(at + 1).trim_start();
    let before = at.saturating_sub(1);
    let follows_value =
        context.bytes.at(before).is_ascii_whitespace() || context.bytes.is_name(before);
    let is_value =
        after.starts_with(|first: char| first.is_alphanumeric() || "_\"'(".contains(first));
    let is_mustache = matches!(context.opener.kind, TokenKind::Open | TokenKind::OpenUnescaped);
    (is_mustache && follows_value && is_value)
        .then(|| context.error(Kind::Operator, TemplateSpan::new(at, at + 1)))
}

pub(super) fn describe(site: &ErrorSite<'_>) -> Option<Draft> {
    let wrong = excerpt(site.wrong);
    Some(match site.error.kind {
        Kind::Filter => Draft::new(filter(site.tag), "not supported", SET_DEFAULT)
            .fix_with(site.correct(first_value), set_default)
            .only_shown(),
        Kind::Operator => Draft::new(
            format!("the operator {wrong} is not supported in Handlebars"),
            "not supported",
            without_operator(site.wrong, site.tag),
        )
        .fix_with(site.correct(default_value), set_default)
        .only_shown(),
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

fn set_default(correction: &str) -> String {
    format!("write `{correction}` and set a default in `default_dynamic_variables`")
}

fn without_operator(operator: &str, tag: &str) -> String {
    if operator == "~" {
        return "write the values one after the other, as in `{{first_name}}{{last_name}}`"
            .to_owned();
    }
    let is_negation = operator.starts_with('!') && !operator.starts_with("!=");
    let is_condition = tag.contains("if");
    let negated = tag.split_once('!').map(|(_, rest)| rest.trim_end_matches(['}', '~']).trim());
    match negated {
        Some(name)
            if is_negation
                && (is_condition || is_path(name))
                && !name.contains(char::is_whitespace) =>
        {
            use_unless(name)
        }
        _ if operator.starts_with('&') && tag.contains('#') => {
            "to test two conditions, put one `{{#if}}` inside another".to_owned()
        }
        _ if is_condition || tag.contains("unless") => COMPUTE_CONDITION.to_owned(),
        _ => COMPUTE_VALUE.to_owned(),
    }
}

/// `{{x || "y"}}` as `{{x}}`: the other value is a default.
fn default_value(parts: &TagParts<'_>) -> Option<String> {
    let other = parts.after.trim_end_matches(['}', '~', ' ']).trim_start();
    let is_default = other.starts_with(['"', '\'']) || other.parse::<f64>().is_ok();
    if parts.wrong == "||" && is_default { first_value(parts) } else { None }
}

/// The tag with only its first value, if that is a variable.
fn first_value(parts: &TagParts<'_>) -> Option<String> {
    let name = parts.before.trim_start_matches(['{', '~']).trim();
    is_path(name).then(|| parts.closed(parts.before))
}
