//! Braces: missing, extra, nested, and what is next to them: signs and comments.

use super::{
    context::{Context, probable_end},
    description::Draft,
    error::{TemplateError, TemplateErrorKind as Kind},
    error_site::{ErrorSite, TagParts},
    json,
    tag_text::{excerpt, is_path, mustache, open_braces},
};
use crate::parse::{span::TemplateSpan, token::TokenKind};

/// The opening braces of a mustache without an end, with the first word after them.
pub(super) fn unclosed(context: &Context<'_>) -> TemplateError {
    let open = context.opener.span();
    let word = context.content_start();
    let end = context.bytes.skip_name(word);
    let end = if end > word { end as u32 } else { open.end };
    let span = TemplateSpan { start: open.start, end };
    context.error(Kind::UnclosedMustache, span).in_tag(span)
}

/// A token that opens a tag inside another one.
pub(super) fn opener_inside_tag(context: &Context<'_>) -> TemplateError {
    let Context { bytes, token, opener, .. } = *context;
    // A nested mustache is closed, and so is the outer tag after it.
    let is_outer_closed = |end: usize| {
        bytes.starts(end, b"}}") || probable_end(bytes, end).is_some_and(|outer| outer - end < 60)
    };
    match probable_end(bytes, token.span().end as usize).filter(|&end| is_outer_closed(end)) {
        Some(end) => {
            let inner = TemplateSpan::new(token.span().start as usize, end);
            let outer = probable_end(bytes, end).unwrap_or(end) as u32;
            context
                .error(Kind::NestedMustache, inner)
                .in_tag(TemplateSpan { start: context.tag.start, end: outer })
                .related(opener.span(), "this mustache is still open")
        }
        None => unclosed(context).related(token.span(), "the next tag opens before it is closed"),
    }
}

/// `{{}}`.
pub(super) fn empty(context: &Context<'_>) -> TemplateError {
    let start = context.opener.span().start;
    context.error(Kind::Empty, TemplateSpan { start, end: context.token.span().end })
}

/// Closing braces that do not match the opening ones.
pub(super) fn wrong_count(context: &Context<'_>) -> TemplateError {
    let (kind, span) = context.token.parts();
    let last = |count| TemplateSpan { start: span.end - count, ..span };
    match (context.opener.kind, kind) {
        (TokenKind::OpenRaw, _) => context.error(Kind::FourBraces, context.opener.span()),
        (TokenKind::OpenUnescaped, TokenKind::Close) => context.error(Kind::TwoBraces, span),
        (TokenKind::OpenUnescaped, _) => context.error(Kind::ExtraBrace, last(1)),
        (_, TokenKind::CloseRaw) => context.error(Kind::ExtraBrace, last(2)),
        _ => context.error(Kind::ExtraBrace, last(1)),
    }
}

/// A raw block without an end that is probably a variable: there is no closing tag after it.
pub(super) fn raw_variable(context: &Context<'_>, tag: TemplateSpan) -> Option<TemplateError> {
    let rest = context.text.get(tag.end as usize..).unwrap_or_default();
    let words = tag.of(context.text).trim_matches(['{', '}']).trim();
    let is_words =
        !words.is_empty() && words.chars().all(|it| it.is_alphanumeric() || "_ .-".contains(it));
    let braces = TemplateSpan { end: tag.start + 4, ..tag };
    (is_words && !rest.contains("{{/")).then(|| context.error(Kind::FourBraces, braces).in_tag(tag))
}

/// `{{"key": …`: JSON whose braces were doubled for another template language.
pub(super) fn doubled_json(context: &Context<'_>) -> Option<TemplateError> {
    let open = context.opener.span();
    let is_json = context.opener.kind == TokenKind::Open
        && open.len() == 2
        && json::begins(context.bytes, open.end as usize);
    is_json.then(|| context.error(Kind::DoubledJson, open))
}

/// The start of a comment without an end: its braces, `!` and dashes.
pub(super) fn unclosed_comment(context: &Context<'_>, start: u32) -> TemplateError {
    let mut end = start + 2;
    while matches!(context.bytes.at(end as usize), b'~' | b'!' | b'-') && end < start + 6 {
        end += 1;
    }
    let span = TemplateSpan { start, end };
    context.error(Kind::UnclosedComment, span).in_tag(span)
}

/// The white space between the opening braces and a sign.
pub(super) fn space_before(context: &Context<'_>) -> TemplateError {
    let sign = context.token.span();
    let space = TemplateSpan { start: context.opener.span().end, end: sign.start };
    context.error(Kind::SpaceBeforeSign, space).related(sign, "must follow the braces")
}

pub(super) fn describe(site: &ErrorSite<'_>) -> Option<Draft> {
    let ErrorSite { error, wrong, tag, .. } = *site;
    let up_to_error = excerpt(site.tag_to_error());
    let extent = site.extent();
    Some(match error.kind {
        Kind::UnclosedMustache => {
            let braces = if wrong.starts_with("{{{") { "}}}" } else { "}}" };
            Draft::new(
                format!("{} has no closing `{braces}`", excerpt(wrong)),
                "never closed",
                format!("close it with `{braces}` before the text continues"),
            )
            .fix_as(close_with(tag), site.correct(closed))
        }
        Kind::OneBrace => Draft::new(
            format!("{up_to_error} is closed with one brace"),
            "only one brace",
            close_with(tag),
        )
        .fix(site.correct_in(one_brace_extent(site), |it| Some(it.closed(it.before)))),
        Kind::TwoBraces => {
            let extent = TemplateSpan { end: error.span.end, ..extent };
            Draft::new(
                format!("{up_to_error} opens with three braces and closes with two"),
                "only two braces",
                "close it with three braces",
            )
            .fix(site.correct_in(extent, |it| Some(format!("{}}}", it.tag))))
        }
        Kind::ExtraBrace => {
            let end = error.span.end + leading_braces(site.after_error());
            let fix = site.correct_in(TemplateSpan { end, ..extent }, fewer_closing_braces);
            let advice = if fix.as_ref().is_some_and(|fix| fix.text.contains("}} }")) {
                "put a space before braces that belong to the text"
            } else {
                "remove the extra braces"
            };
            Draft::new(
                format!("{up_to_error} closes with too many braces"),
                "read as part of the closing braces",
                "put a space between the mustache and braces that belong to the text",
            )
            .fix_as(advice, fix)
        }
        Kind::FourBraces => Draft::new(
            format!("{} opens with four braces, which start a raw block", excerpt(tag)),
            "four braces",
            "for a variable, use two braces",
        )
        .fix_as("for a variable, use two braces", site.correct(raw_to_variable)),
        Kind::NestedMustache => Draft::new(
            format!("{} is inside another mustache", excerpt(wrong)),
            "nested mustache",
            "write the name without braces of its own",
        )
        .fix(site.correct_in(with_braces(site), without_inner_mustache)),
        Kind::BraceInside => Draft::new(
            "single braces are not allowed inside a mustache",
            "single brace",
            JSON_OR_VARIABLE,
        ),
        Kind::DoubledJson => Draft::new(
            "JSON in double braces is read as a mustache",
            "read as the start of a mustache",
            JSON_OR_VARIABLE,
        ),
        Kind::Empty => Draft::new(
            format!("{} is empty", excerpt(wrong)),
            "name missing",
            "put a variable's name between the braces, or write `\\{{` for literal braces",
        ),
        Kind::UnclosedComment => {
            let end = if wrong.ends_with("--") { "--}}" } else { "}}" };
            Draft::new(
                format!("the comment {} is never closed", excerpt(wrong)),
                "never closed",
                format!("close the comment with `{end}`"),
            )
        }
        Kind::SpaceBeforeSign => {
            // A comment would hide its content.
            let is_comment = site.related == "!";
            let help = if is_comment {
                "for a comment, remove the space before `!`; to negate a condition, use `{{#unless name}}`"
            } else {
                "remove the space"
            };
            let (tag, sign) = (excerpt(site.tag), excerpt(site.related));
            Draft::new(
                format!("{tag} has a space between its braces and {sign}"),
                "unexpected space",
                help,
            )
            .fix(site.correct(without_space).filter(|_| !is_comment))
        }
        _ => return None,
    })
}

const JSON_OR_VARIABLE: &str =
    "for JSON, use single braces or put a space between them; for a variable, write only its name";

fn close_with(tag: &str) -> &'static str {
    let is_triple = tag.starts_with("{{{") || tag.starts_with("{{~{");
    if is_triple { "close it with three braces" } else { "close it with two braces" }
}

/// The number of closing braces at the start of the text.
fn leading_braces(text: &str) -> u32 {
    text.bytes().take(240).take_while(|&byte| byte == b'}').count() as u32
}

/// The tag with all braces after it.
pub(super) fn with_braces(site: &ErrorSite<'_>) -> TemplateSpan {
    let extent = site.extent();
    let after = site.text.get(extent.end as usize..).unwrap_or_default();
    TemplateSpan { end: extent.end + leading_braces(after), ..extent }
}

/// The tag to its brace. The second brace of `{{name} }` follows a space.
fn one_brace_extent(site: &ErrorSite<'_>) -> TemplateSpan {
    let TemplateError { span, .. } = *site.error;
    let extent = TemplateSpan { end: span.end, ..site.extent() };
    let rest = site.after_error();
    let after = rest.trim_start_matches(' ');
    let preceding = site.text.get(..extent.start as usize).unwrap_or_default();
    let has_second =
        after.starts_with('}') && !after.starts_with("}}") && open_braces(preceding) == 0;
    let more = if has_second { (rest.len() - after.len()) as u32 + 1 } else { 0 };
    TemplateSpan { end: extent.end + more, ..extent }
}

/// `{{name` with its closing braces, if nothing else is missing.
fn closed(parts: &TagParts<'_>) -> Option<String> {
    let name = parts.tag.trim_start_matches(['{', '~', ' ', '/']);
    // After `{{first name and`, a second word may be part of the name.
    let mut following = parts.following.chars();
    let may_continue = match following.next() {
        None | Some('\n' | '\r' | ',' | ';' | '!' | '{') => false,
        Some('.' | ' ') => !matches!(following.next(), None | Some(' ' | '\n')),
        Some(_) => true,
    };
    let is_variable = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (is_variable && !may_continue).then(|| parts.closed(parts.tag))
}

/// `{{name}}}` without the third brace, or with a space before it if it belongs to the text.
fn fewer_closing_braces(parts: &TagParts<'_>) -> Option<String> {
    let extra = parts.wrong.len() + parts.after.len();
    match open_braces(parts.preceding) {
        0 => Some(parts.before.to_owned()),
        open if extra <= open => Some(format!("{} {}{}", parts.before, parts.wrong, parts.after)),
        _ => None,
    }
}

/// `{{{{name}}}}` as a variable.
pub(super) fn raw_to_variable(parts: &TagParts<'_>) -> Option<String> {
    let name = parts.tag.trim_matches(['{', '}']).trim();
    (!parts.following.contains("{{{{/")
        && !parts.following.contains(&format!("{{{{/{name}"))
        && is_path(name))
    .then(|| mustache(name))
}

/// `{{#if {{vip}} }}` without the inner braces.
fn without_inner_mustache(parts: &TagParts<'_>) -> Option<String> {
    let inner = parts.wrong.trim_matches(['{', '}', '~', ' ']);
    let is_whole = matches!(parts.after.trim_start_matches(' '), "}}" | "~}}");
    (is_whole && is_path(inner)).then(|| parts.closed(&format!("{}{inner}", parts.before)))
}

/// `{{ /if }}` as `{{/if}}`.
fn without_space(parts: &TagParts<'_>) -> Option<String> {
    let content = parts.after.trim_end_matches('}');
    let braces = parts.after.get(content.len()..)?;
    Some(format!("{}{}{braces}", parts.before, content.trim_end()))
}
