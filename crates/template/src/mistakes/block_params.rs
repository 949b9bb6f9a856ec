//! Block parameters: `as |item index|`.

use super::{
    context::Context,
    description::Draft,
    error::{TemplateError, TemplateErrorKind as Kind},
    error_site::{ErrorSite, TagParts},
    tag_text::excerpt,
};
use crate::parse::{span::TemplateSpan, token::TokenKind};

/// `as|x|` without a space, or `|x|` without `as`.
pub(super) fn incomplete_as(context: &Context<'_>) -> Option<TemplateError> {
    let bar = context.token.span();
    let is_double = context.bytes.at(bar.end as usize) == b'|';
    let previous = context.previous.span();
    if previous.of(context.text) == "as" && previous.end == bar.start {
        let end = bar.end + u32::from(is_double);
        return Some(context.error(Kind::AsWithoutSpace, TemplateSpan { end, ..previous }));
    }
    let is_list =
        context.opener.kind == TokenKind::OpenBlock && !is_double && has_two_bars(context);
    is_list.then(|| context.error(Kind::AsWithoutSpace, bar))
}

/// Whether the rest of the tag is a list of names with a bar at its end.
fn has_two_bars(context: &Context<'_>) -> bool {
    let names = TemplateSpan { start: context.token.span().end, end: context.tag.end };
    let names = names.of(context.text).trim_end_matches(['}', '~', ' ']);
    let names = names.strip_suffix('|').unwrap_or_default();
    !names.trim().is_empty() && names.chars().all(|it| it.is_alphanumeric() || "_, ".contains(it))
}

/// A list of names without its second bar.
pub(super) fn unclosed(context: &Context<'_>) -> TemplateError {
    let end = context.token.span().start;
    let names = context.bytes.0.get(..end as usize).unwrap_or_default();
    let bar = memchr::memrchr(b'|', names).map_or(end, |bar| bar as u32);
    context.error(Kind::BlockParamNames, TemplateSpan { start: bar, end })
}

pub(super) fn describe(site: &ErrorSite<'_>) -> Option<Draft> {
    let wrong = excerpt(site.wrong);
    Some(match site.error.kind {
        Kind::AsWithoutSpace if site.wrong == "|" => Draft::new(
            "block parameters need `as` before the bars",
            "missing `as`",
            "add `as` before the bars",
        )
        .fix(site.correct(|it| {
            let names = it.after.replace(", ", " ").replace(',', " ");
            Some(format!("{} as |{names}", it.before.trim_end()))
        })),
        Kind::AsWithoutSpace => {
            Draft::new("`as` needs a space before `|`", "missing space", "add a space after `as`")
                .fix(site.correct(|it| {
                    let bar = it.wrong.trim_start_matches("as|");
                    Some(format!("{}as |{bar}{}", it.before, it.after))
                }))
        }
        Kind::MisplacedBlockParams => Draft::new(
            "`as |…|` is only allowed in the opening tag of a block",
            "not allowed here",
            "use a block, as in `{{#each items as |item|}}`",
        ),
        Kind::BlockParamNames => Draft::new(
            "`as |…|` must contain plain names separated by spaces",
            "only names and spaces are allowed",
            "write the names as in `as |item index|`",
        )
        .fix_as(
            "separate the names with spaces and end them with a bar",
            site.correct(plain_names),
        ),
        Kind::BracketedBlockParam => Draft::new(
            format!("{wrong} is not a valid block parameter: brackets are not supported here"),
            "brackets are not supported here",
            "use a plain name, such as `first_name`",
        ),
        Kind::BlockParamsNotLast => Draft::new(
            format!("{wrong} comes after `as |…|`, which must be last"),
            "after the block parameters",
            "move it before `as`",
        ),
        _ => return None,
    })
}

/// `as |a, b` as `as |a b|`.
fn plain_names(parts: &TagParts<'_>) -> Option<String> {
    let (head, names) = parts.tag.split_once('|')?;
    let content = names.trim_end_matches('}').trim_end_matches('~');
    let braces = names.get(content.len()..)?;
    let names: Vec<_> = content
        .trim_end()
        .trim_end_matches('|')
        .split([',', ' '])
        .filter(|name| !name.is_empty())
        .collect();
    (!names.is_empty()).then(|| format!("{head}|{}|{braces}", names.join(" ")))
}
