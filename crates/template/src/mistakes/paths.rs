//! Names and paths.

use super::{
    context::Context,
    description::Draft,
    error::{TemplateError, TemplateErrorKind as Kind},
    error_site::{ErrorSite, TagParts},
    tag_text::excerpt,
};
use crate::parse::token::TokenKind;

/// Opening braces in a sentence about braces: `Never say "{{".`
pub(super) fn braces_in_prose(context: &Context<'_>) -> Option<TemplateError> {
    let open = context.opener.span();
    if !matches!(context.opener.kind, TokenKind::Open | TokenKind::OpenUnescaped)
        || !open.of(context.text).ends_with('{')
    {
        return None;
    }
    let rest = context.text.get(open.end as usize..).unwrap_or_default();
    let before = context.text.get(..open.start as usize).unwrap_or_default().chars().next_back();
    let is_in_prose = match rest.chars().next() {
        None | Some(',' | ';' | ')' | '`') => true,
        Some(quote @ ('"' | '\'')) => before == Some(quote),
        Some('”' | '“' | '’' | '‘') => matches!(before, Some('“' | '„' | '”' | '‘' | '‚')),
        Some(_) => context.content_start() == context.bytes.len(),
    };
    is_in_prose.then(|| context.error(Kind::MissingName, open).in_tag(open))
}

pub(super) fn describe(site: &ErrorSite<'_>) -> Option<Draft> {
    let wrong = excerpt(site.wrong);
    Some(match site.error.kind {
        Kind::Index => {
            let help = if is_variable_index(site) {
                "to use a variable as the index, call `lookup`, as in `{{lookup items i}}`"
            } else {
                BRACKETS
            };
            Draft::new("an index in brackets needs a dot before it", "missing dot", help)
                .fix_as("put a dot before the brackets", site.correct(|it| dotted(it.tag)))
        }
        Kind::LiteralSegment => Draft::new(
            format!("{wrong} needs brackets at the end of a path"),
            "missing brackets",
            BRACKETS,
        )
        .fix_as(
            "put brackets around it",
            site.correct(|it| {
                let name = it.wrong.trim_matches(['"', '\'']);
                (!name.contains(['"', '\'', '.', '[', ']', '-', '\\']))
                    .then(|| format!("{}[{name}]{}", it.before, it.after))
            }),
        ),
        Kind::LeadingDot => {
            Draft::new("a name cannot start with a dot", "unexpected dot", "remove the dot")
                .fix(site.correct(|it| Some(it.without_error())))
        }
        Kind::MissingName => Draft::new(
            format!("no name follows {wrong}"),
            "name missing",
            if site.wrong.starts_with('{') {
                "write `\\{{` for literal braces"
            } else {
                "add a name after it, or remove it"
            },
        ),
        Kind::Backslash => Draft::new(
            "a backslash is not allowed outside a string",
            "unexpected backslash",
            "remove the backslash",
        )
        .fix(site.correct(|it| match it.wrong {
            "\\" if it.tag.contains(['"', '\'', '[']) => None,
            "\\" => Some(it.tag.replace('\\', "")),
            _ => Some(it.tag.replace("\\\"", "\"").replace("\\'", "'")),
        })),
        _ => return None,
    })
}

/// A sign in the name of a variable with the time in a time zone, as in `{{current_time_Etc/GMT+5}}`.
pub(super) fn describe_time_variable(site: &ErrorSite<'_>) -> Option<Draft> {
    let is_sign = matches!(
        site.error.kind,
        Kind::Operator | Kind::CallSyntax | Kind::UnexpectedCharacter | Kind::Comma
    );
    let correction = site.correct(bracketed).filter(|_| is_sign)?;
    let help = format!("put the name in brackets: `{}`", correction.text);
    let message =
        format!("a name without brackets cannot contain {}", excerpt(site.wrong.get(..1)?));
    Some(Draft::new(message, "needs brackets", help.clone()).fix_with(Some(correction), |_| help))
}

/// The tag with brackets around the word at the error, if that begins like `current_time_UTC`.
fn bracketed(parts: &TagParts<'_>) -> Option<String> {
    let is_end = |c: char| c.is_whitespace() || "{}~#&".contains(c);
    let start = parts.before.rfind(is_end).map_or(0, |at| at + 1);
    let end = parts.wrong.len() + parts.after.find(is_end)?;
    let (lead, first) = parts.before.split_at_checked(start)?;
    let (rest, close) = parts.tag.get(parts.before.len()..)?.split_at_checked(end)?;
    let name = format!("{first}{rest}");
    let (_, zone) = name.strip_prefix("current_")?.split_once('_')?;
    let is_name = zone.starts_with(|c: char| c.is_ascii_uppercase() || "+(".contains(c))
        && !name.contains(['[', ']', '"', '\'', '<']);
    is_name.then(|| format!("{lead}[{name}]{close}"))
}

const BRACKETS: &str = "put the index in brackets after a dot, as in `items.[0]`";

/// Whether the index is the name of a variable, without quotes.
fn is_variable_index(site: &ErrorSite<'_>) -> bool {
    let end = site.extent().end.saturating_sub(site.error.span.end);
    let index = site.after_error().get(..end as usize).unwrap_or_default();
    let index = index.split(']').next().unwrap_or_default();
    index.starts_with(|first: char| first.is_alphabetic() || first == '_' || first == '@')
        && index.chars().all(|character| character.is_alphanumeric() || "_@".contains(character))
}

/// `items[0]` as `items.[0]`, if all brackets contain only digits.
fn dotted(tag: &str) -> Option<String> {
    let mut parts = tag.split('[');
    let mut dotted = parts.next()?.to_owned();
    for part in parts {
        let (index, _) = part.split_once(']')?;
        let is_index = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
        let is_behind_name =
            dotted.ends_with(|last: char| last.is_alphanumeric() || "_]".contains(last));
        dotted.push_str(if is_index && is_behind_name { ".[" } else { return None });
        dotted.push_str(part);
    }
    Some(dotted)
}
