//! Prose, placeholders and punctuation inside a mustache.

use super::{
    context::Context,
    description::Draft,
    error::{TemplateError, TemplateErrorKind as Kind},
    error_site::{ErrorSite, TagParts},
    tag_text::{excerpt, tag_name},
};
use crate::parse::{span::TemplateSpan, token::TokenKind};

/// `{{$5.00}}`, `{{1.5.2}}`, `{{100%}}`: a number instead of a name.
pub(super) fn amount(context: &Context<'_>) -> Option<TemplateError> {
    let start = context.content_start();
    let amount = context.text.get(start..context.content_end())?.trim_end();
    let is_variable = matches!(context.opener.kind, TokenKind::Open | TokenKind::OpenUnescaped);
    let number = amount.trim_start_matches(['$', '€', '£', '₹', '-', '+']);
    let is_number = number.starts_with(|character: char| character.is_ascii_digit())
        && number.chars().all(|character| character.is_ascii_digit() || ".,%/".contains(character));
    (is_variable && context.is_closed && is_number && amount.len() <= 40)
        .then(|| context.error(Kind::Prose, TemplateSpan::new(start, start + amount.len())))
}

/// A sentence with punctuation at `at`: several words without quotes, which cannot be a helper's arguments.
pub(super) fn sentence(context: &Context<'_>, at: usize) -> Option<TemplateError> {
    if context.opener.kind != TokenKind::Open || context.paren.is_some() {
        return None;
    }
    let before = context.text.get(context.opener.span().end as usize..at).unwrap_or_default();
    let after = context.content_from(at + 1);
    let words = |part: &str| {
        part.split_whitespace().filter(|word| word.chars().any(char::is_alphabetic)).count()
    };
    let is_plain =
        !before.contains(['"', '\'', '=', '(']) && !after.contains(['"', '\'', '=', '(']);
    // `{{customer's name}}` is not a sentence.
    let is_possessive = context.bytes.at(at) == b'\'' && words(before) < 2;
    if !is_plain || is_possessive || words(before) + words(after) <= 2 {
        return None;
    }
    let start = context.content_start();
    let end = context.content_end().max(at + 1);
    let prose = context.text.get(start..end).unwrap_or_default().trim_end();
    Some(context.error(Kind::Prose, TemplateSpan::new(start, start + prose.len())))
}

/// `<…>` inside the tag, if it looks like a placeholder or HTML and not like a comparison.
pub(super) fn placeholder(context: &Context<'_>, at: usize) -> Option<TemplateError> {
    let rest = context.text.get(at + 1..context.content_end())?;
    let name = rest.get(..rest.find('>')?)?;
    if name.is_empty() || name.starts_with([' ', '=']) || name.ends_with(' ') {
        return None;
    }
    Some(context.error(Kind::Placeholder, TemplateSpan::new(at, at + name.len() + 2)))
}

pub(super) fn describe(site: &ErrorSite<'_>) -> Option<Draft> {
    let wrong = excerpt(site.wrong);
    Some(match site.error.kind {
        Kind::Prose if !site.wrong.contains(char::is_alphabetic) => Draft::new(
            format!("{wrong} is a number, not a variable's name"),
            NOT_A_NAME,
            "write it without the braces",
        ),
        Kind::Prose => {
            Draft::new(format!("{wrong} is prose, not a variable's name"), NOT_A_NAME, ONE_NAME)
        }
        Kind::Comma => {
            let help = if tag_name(site.tag) == "each" {
                "name the item and its index, as in `{{#each items as |item index|}}`"
            } else {
                "put only one variable in the braces; separate a helper's arguments with spaces"
            };
            Draft::new("commas are not allowed inside a mustache", "unexpected comma", help)
                .fix_as(AFTER_BRACES, site.correct(punctuation))
        }
        Kind::Placeholder => Draft::new(
            format!("{wrong} is not part of a name"),
            "not part of a name",
            "replace a placeholder with the actual name, and move HTML outside the braces",
        ),
        Kind::UnexpectedCharacter => {
            let help = match site.wrong {
                "\0" => "remove the character",
                "~" => {
                    "write `{{~name~}}`, or remove the `~`, which strips white space around the tag"
                }
                "'" => "put double quotes around the string",
                "\"" => "put single quotes around the string",
                "%" => "remove the `%`",
                "/" | "*" => "start a comment with `!`, as in `{{! note }}`",
                _ if site.tag.contains('|') => {
                    "write the names as in `{{#each items as |item index|}}`"
                }
                tag if tag.starts_with("{{") => "remove it, or use `{{#if}}` for the block",
                _ => "put only one name in the tag; write `\\{{` for literal braces",
            };
            Draft::new(format!("{wrong} is not allowed here"), "unexpected", help)
                .fix_as(AFTER_BRACES, site.correct(punctuation))
        }
        _ => return None,
    })
}

pub(super) const NOT_A_NAME: &str = "not a name";
pub(super) const ONE_NAME: &str =
    "put one variable between the braces, as in `{{customer_name}}`, and the rest outside";
const AFTER_BRACES: &str = "move the punctuation after the braces";

/// Punctuation at the end of a name moved after the braces.
fn punctuation(parts: &TagParts<'_>) -> Option<String> {
    let TagParts { before, wrong, after, .. } = *parts;
    let is_last = after.trim_end_matches(['}', '~']).trim().is_empty();
    (is_last && matches!(wrong, "," | ";" | "!"))
        .then(|| format!("{}{}{wrong}", before.trim_end(), after.trim_start()))
}
