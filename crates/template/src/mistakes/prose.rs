//! Prose, numbers, placeholders and punctuation inside a mustache.

use super::{
    context::Context,
    description::Draft,
    error::{TemplateError, TemplateErrorKind as Kind},
    error_site::{ErrorSite, TagParts},
    tag_text::{excerpt, tag_name},
};
use crate::parse::{
    scan::step,
    span::TemplateSpan,
    token::{Token, TokenKind},
};

/// The HTML tags that are common in prompts.
const HTML: [&str; 26] = [
    "a", "b", "br", "code", "div", "em", "h1", "h2", "h3", "h4", "hr", "i", "img", "li", "ol", "p",
    "pre", "small", "span", "strong", "sub", "sup", "table", "td", "tr", "ul",
];

/// `{{$5.00}}`, `{{1.5.2}}`, `{{100%}}`: a number instead of a name.
pub(super) fn amount(context: &Context<'_>) -> Option<TemplateError> {
    let start = context.content_start();
    let amount = context.text.get(start..context.content_end())?.trim_end();
    let is_variable = matches!(context.opener.kind, TokenKind::Open | TokenKind::OpenUnescaped);
    if !is_variable || !context.is_closed || amount.len() > 40 {
        return None;
    }
    let number = amount.trim_start_matches(['$', '€', '£', '₹', '-', '+']);
    let is_number = number.starts_with(|character: char| character.is_ascii_digit())
        && number.chars().all(|character| character.is_ascii_digit() || ".,%/".contains(character));
    is_number.then(|| context.error(Kind::Prose, TemplateSpan::new(start, start + amount.len())))
}

/// `...`, of which `token` is the first two dots.
pub(super) fn dots(context: &Context<'_>, token: Token) -> Option<TemplateError> {
    let start = token.span().start as usize;
    let dots = context.bytes.from(start).iter().take_while(|&&byte| byte == b'.').count();
    step(dots);
    (dots > 2).then(|| context.error(Kind::Prose, TemplateSpan::new(start, start + dots)))
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
    let kind = if is_html(name) { Kind::HtmlTag } else { Kind::Placeholder };
    Some(context.error(kind, TemplateSpan::new(at, at + name.len() + 2)))
}

/// Whether the text between `<` and `>` is an HTML tag.
fn is_html(tag: &str) -> bool {
    let inner = tag.trim_matches('<').trim_matches('/').trim();
    let name = inner.split_whitespace().next().unwrap_or_default();
    HTML.iter().any(|tag| tag.eq_ignore_ascii_case(name))
        && (name.len() == inner.len() || inner.contains('='))
}

pub(super) fn describe(site: &ErrorSite<'_>) -> Option<Draft> {
    let wrong = excerpt(site.wrong);
    Some(match site.error.kind {
        Kind::Prose if is_dots(site.wrong) => {
            Draft::new(format!("{wrong} is prose, not a variable's name"), NOT_A_NAME, DOTS)
        }
        Kind::Prose if !site.wrong.contains(char::is_alphabetic) => Draft::new(
            format!("{wrong} is a number, not a variable's name"),
            NOT_A_NAME,
            "write it without the braces",
        ),
        Kind::Prose => {
            Draft::new(format!("{wrong} is prose, not a variable's name"), NOT_A_NAME, ONE_NAME)
        }
        Kind::Comma => {
            let fix = site.correct(punctuation);
            let advice = match &fix {
                Some(fix) if fix.text.ends_with('}') => "separate arguments with spaces",
                _ => AFTER_BRACES,
            };
            let help = if tag_name(site.tag) == "each" {
                "name the item and its index, as in `{{#each items as |item index|}}`"
            } else {
                "put only one variable in the braces; separate a helper's arguments with spaces"
            };
            Draft::new("commas are not allowed inside a mustache", "unexpected comma", help)
                .fix_as(advice, fix)
        }
        Kind::Placeholder => Draft::new(
            format!("the placeholder {wrong} was never filled in"),
            "fill this in",
            "replace it with the actual name",
        ),
        Kind::HtmlTag => Draft::new(
            format!("{wrong} is HTML, not part of a name"),
            "not part of a name",
            "move the HTML outside the braces and leave one name between them",
        ),
        Kind::NulCharacter => Draft::new(
            "a template cannot contain the character U+0000",
            "U+0000",
            "remove the character",
        ),
        Kind::UnexpectedCharacter => {
            let fix = site.correct(|it| {
                if matches!(it.before, "{{" | "{{/") && it.wrong != "=" {
                    as_closing_tag(it)
                } else {
                    punctuation(it)
                }
            });
            let advice = match &fix {
                Some(fix) if fix.text.starts_with("{{/") => {
                    "write a closing tag as a slash and the block's name"
                }
                Some(fix) if fix.text.ends_with('}') => "remove it",
                _ => AFTER_BRACES,
            };
            let help = "put only one name in the tag; write `\\{{` for literal braces";
            Draft::new(format!("{wrong} is not allowed here"), "unexpected", help)
                .fix_as(advice, fix)
        }
        _ => return None,
    })
}

pub(super) const NOT_A_NAME: &str = "not a name";
pub(super) const DOTS: &str =
    "replace the dots with the words they stand for, or move the sentence outside the braces";
pub(super) const ONE_NAME: &str =
    "put one variable between the braces, as in `{{customer_name}}`, and the rest outside";
const AFTER_BRACES: &str = "move the punctuation after the braces";

/// Three or more dots, which stand for missing words.
fn is_dots(text: &str) -> bool {
    text.len() > 2 && text.bytes().all(|byte| byte == b'.')
}

/// `{{/#if}}` and `{{\if}}` as a closing tag.
fn as_closing_tag(parts: &TagParts<'_>) -> Option<String> {
    let content = parts.after.trim_end_matches('}');
    match (parts.before, parts.wrong) {
        ("{{/", "#") | ("{{", "\\") => Some(format!("{{{{/{}}}}}", content.trim())),
        _ => None,
    }
}

/// Punctuation at the end of a name moved after the braces, or commas between a helper's arguments removed.
fn punctuation(parts: &TagParts<'_>) -> Option<String> {
    let TagParts { before, wrong, after, .. } = *parts;
    let content = after.trim_end_matches(['}', '~']);
    if content.trim().is_empty() && matches!(wrong, "," | ";" | "!") {
        return Some(format!("{}{}{wrong}", before.trim_end(), after.trim_start()));
    }
    if wrong == "=" {
        return Some(parts.without_error());
    }
    let is_call = before.contains(['(', '"', '\'', '#']) || content.contains(['"', '\'']);
    if wrong != "," || !is_call {
        return None;
    }
    let mut quote = None;
    let is_kept = |character: &char| {
        match (*character, quote) {
            ('"' | '\'', None) => quote = Some(*character),
            (character, Some(open)) if character == open => quote = None,
            _ => {}
        }
        *character != ',' || quote.is_some()
    };
    let rest: String = after.chars().filter(is_kept).collect();
    let space = if rest.starts_with(' ') { "" } else { " " };
    Some(format!("{before}{space}{rest}"))
}
