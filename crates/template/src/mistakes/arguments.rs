//! Arguments of helpers and partials, and subexpressions.

use super::{
    context::Context,
    description::Draft,
    error::{Stage, TemplateError, TemplateErrorKind as Kind},
    error_site::{ErrorSite, TagParts},
    tag_text::{COMPUTE_VALUE, excerpt, is_path, use_unless},
};
use crate::parse::{parser::Expected, scan::step, span::TemplateSpan};

/// The second positional argument of a partial.
pub(crate) fn second_partial_argument(argument: TemplateSpan, tag: TemplateSpan) -> TemplateError {
    TemplateError::new(Kind::PartialArguments, argument, tag, Stage::Precompile)
}

/// `(` or `)` in a place where it is not allowed.
pub(super) fn parenthesis(context: &Context<'_>, expected: Expected) -> Option<TemplateError> {
    let span = context.token.span();
    let is_open = context.bytes.at(span.start as usize) == b'(';
    match (is_open, expected) {
        (true, Expected::Head) => Some(context.error(Kind::ParenthesisFirst, span)),
        (false, _) if context.paren.is_none() => Some(context.error(Kind::StrayParenthesis, span)),
        (false, Expected::Head) => {
            let start = context.previous.span().start;
            Some(context.error(Kind::EmptyParentheses, TemplateSpan { start, ..span }))
        }
        _ => None,
    }
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
            Some(context.error(Kind::KeyName, key(context)))
        }
        Expected::Argument => Some(context.error(Kind::NamedFirst, span)),
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
        step(1);
        start -= 1;
    }
    let is_boundary = context.text.is_char_boundary(start as usize);
    if is_boundary { TemplateSpan { start, ..previous } } else { previous }
}

pub(super) fn describe(site: &ErrorSite<'_>) -> Option<Draft> {
    let wrong = excerpt(site.wrong);
    Some(match site.error.kind {
        Kind::CallSyntax => call(site),
        Kind::MethodCall => Draft::new(
            format!("{wrong} is a method call, which Handlebars does not support"),
            "method call",
            COMPUTE_VALUE,
        ),
        Kind::ParenthesisFirst => Draft::new(
            "an expression cannot start with a parenthesis",
            "unexpected parenthesis",
            "start with the helper's name, without parentheses around it",
        )
        .fix(site.correct(|it| {
            let close = it.after.rfind(')')?;
            Some(format!("{}{}{}", it.before, it.after.get(..close)?, it.after.get(close + 1..)?))
        })),
        Kind::UnclosedParenthesis => {
            Draft::new("the parenthesis is never closed", "opened here", "close it with `)`")
                .fix(site.correct(|it| closed_parentheses(it.tag)))
        }
        Kind::StrayParenthesis => {
            Draft::new("`)` has no matching `(`", "never opened", "remove it, or open it with `(`")
                .fix_as("remove it", site.correct(|it| Some(it.without_error())))
        }
        Kind::EmptyParentheses => Draft::new(
            "the parentheses are empty",
            "empty",
            "put a helper between them, or remove them",
        )
        .fix_as(
            "remove them",
            site.correct(|it| Some(format!("{}{}", it.before.trim_end(), it.after))),
        ),
        Kind::NamedFirst => Draft::new(
            "a template cannot assign a value, and a named argument needs a helper before it",
            "no helper before it",
            "for the value of a variable, write only its name",
        ),
        Kind::PositionalAfterNamed => Draft::new(
            format!("the positional argument {wrong} comes after a named argument"),
            "must come before named arguments",
            "move it before the first named argument",
        )
        .fix(site.correct(positional_first)),
        Kind::MissingValue => Draft::new(
            "the named argument has no value",
            "value missing",
            "add a value, as in `name=value` or `name=\"text\"`",
        ),
        Kind::KeyName => Draft::new(
            format!("{wrong} is not a valid argument name"),
            "not a plain name",
            "use a single name without quotes or dots before `=`",
        )
        .fix(site.correct(|it| {
            let name = it.wrong.trim_matches(['"', '\'']);
            Some(format!("{}{name}{}", it.before, it.after))
        })),
        Kind::PartialArguments => Draft::new(
            format!("a partial takes at most one positional argument; {wrong} is the second"),
            "second positional argument",
            "pass more values as named arguments, as in `name=value`",
        ),
        _ => return None,
    })
}

fn call(site: &ErrorSite<'_>) -> Draft {
    const SPACES: &str = "put arguments after the helper, separated by spaces";
    const ALONE: &str = "write the name without parentheses";
    let fix = site.correct(spaced_call);
    let advice = match &fix {
        Some(fix) if fix.text.contains(' ') => SPACES,
        _ => ALONE,
    };
    let help = match negated_condition(site.tag) {
        _ if site.tag.contains("()") => ALONE.to_owned(),
        Some(name) => use_unless(name),
        None => format!("{SPACES}, as in `{{{{helper argument}}}}`"),
    };
    Draft::new("helpers are not called with parentheses", "unexpected parenthesis", help)
        .fix_as(advice, fix)
}

/// The variable of `{{#if not(vip)}}`.
fn negated_condition(tag: &str) -> Option<&str> {
    let name = tag.strip_prefix("{{#if not(")?.split_once(')')?.0.trim();
    is_path(name).then_some(name)
}

/// `f(a, b)` as `f a b`, or as `(f a b)` among the arguments of another helper.
fn spaced_call(parts: &TagParts<'_>) -> Option<String> {
    let close = parts.after.rfind(')')?;
    let arguments = parts.after.get(..close)?;
    let rest = parts.after.get(close + 1..)?;
    let is_last = rest.starts_with(['}', '~', ')']) || rest.starts_with(char::is_whitespace);
    if !is_last || arguments.contains(['(', ')', '"', '\'']) || parts.before.contains('(') {
        return None;
    }
    let arguments: Vec<_> =
        arguments.split(',').map(str::trim).filter(|argument| !argument.is_empty()).collect();
    let arguments = arguments.join(" ");
    let name_start = parts
        .before
        .rfind(|character: char| character.is_whitespace() || "{~#&^".contains(character))?;
    let (lead, name) = parts.before.split_at_checked(name_start + 1)?;
    // `a.b()` and `a.b` do not have the same value.
    if name.contains(['.', '/']) {
        return None;
    }
    let is_head = lead.trim_matches(['{', '~', '#', '&', '^']).trim().is_empty();
    Some(if arguments.is_empty() {
        format!("{lead}{name}{rest}")
    } else if is_head {
        format!("{lead}{name} {arguments}{rest}")
    } else {
        format!("{lead}({name} {arguments}){rest}")
    })
}

/// The tag with its missing closing parentheses at the end.
fn closed_parentheses(tag: &str) -> Option<String> {
    let content = tag.trim_end_matches('}').trim_end_matches('~');
    let braces = tag.get(content.len()..)?;
    let missing = content.matches('(').count().checked_sub(content.matches(')').count())?;
    Some(format!("{}{}{braces}", content.trim_end(), ")".repeat(missing)))
}

/// The positional argument directly after the head.
fn positional_first(parts: &TagParts<'_>) -> Option<String> {
    if parts.tag.contains(['(', '"', '\'', '[']) {
        return None;
    }
    let is_end = |character: char| character.is_whitespace() || matches!(character, '}' | '~');
    let (more, after) = parts.after.split_at_checked(parts.after.find(is_end)?)?;
    let (head, named) = parts.before.split_at_checked(parts.before.find(char::is_whitespace)?)?;
    Some(format!("{head} {}{more}{}{after}", parts.wrong, named.trim_end()))
}
