//! Quotes and brackets around strings and names.

use super::{
    context::Context,
    description::Draft,
    error::{TemplateError, TemplateErrorKind as Kind},
    error_site::ErrorSite,
    tag_text::excerpt,
};
use crate::parse::span::TemplateSpan;

/// A string or bracketed name that contains the end of its tag, because its closing character is missing. `stop` is the
/// place up to which the reference reads it.
pub(super) fn swallowed(context: &Context<'_>, stop: TemplateSpan) -> Option<TemplateError> {
    context.quoted().find_map(|quoted| {
        let source = quoted.of(context.text);
        let length = source.find("}}")?;
        let is_last = quoted.end == context.previous.span().end;
        // `"}}"` and `"{{x}}"` are complete.
        if !is_last && (source.len() == length + 3 || source.get(..length)?.contains("{{")) {
            return None;
        }
        let end = quoted.start + length as u32;
        let tag = TemplateSpan { start: context.tag.start, end: end + 2 };
        let error = context.error(Kind::Unclosed, TemplateSpan { end, ..quoted });
        Some(error.in_tag(tag).related(stop, "it extends to about here"))
    })
}

/// The first curly quote of the tag.
pub(super) fn curly(context: &Context<'_>) -> Option<TemplateError> {
    let start = context.opener.span().end as usize;
    let (offset, quote) = context
        .content_from(start)
        .char_indices()
        .find(|(_, character)| matches!(character, '“' | '”' | '„' | '‘'))?;
    let start = start + offset;
    let span = TemplateSpan::new(start, start + quote.len_utf8());
    Some(context.error(Kind::SmartQuotes, span))
}

/// A quote without its closing quote, with the rest of the tag.
pub(super) fn unclosed(context: &Context<'_>, quote: TemplateSpan) -> TemplateError {
    let rest = context.content_from(quote.start as usize).trim_end();
    let end = quote.start + (rest.len() as u32).max(1);
    context.error(Kind::Unclosed, TemplateSpan { end, ..quote })
}

pub(super) fn describe(site: &ErrorSite<'_>) -> Option<Draft> {
    Some(match site.error.kind {
        Kind::Apostrophe => Draft::new(
            "a name cannot contain an apostrophe",
            "ends the name",
            "move it after the braces",
        )
        .fix(site.correct(|it| {
            let suffix = it.after.trim_end_matches('}');
            let is_short = matches!(suffix.len(), 1 | 2) && !suffix.contains(char::is_whitespace);
            is_short.then(|| format!("{}{}'{suffix}", it.before, it.closing_braces()))
        })),
        Kind::SmartQuotes => Draft::new(
            "curly quotes do not enclose a string: they are read as part of a name",
            "use straight quotes",
            "replace curly quotes with straight quotes, \" or '",
        )
        .fix(
            site.correct(|it| Some(it.tag.replace(['“', '”', '„'], "\"").replace(['‘', '’'], "'"))),
        ),
        Kind::Unclosed => Draft::new(
            format!("{} is never closed", excerpt(site.wrong)),
            "opened here",
            match site.wrong.chars().next() {
                Some('[') => "close it with `]` inside its mustache",
                Some('(') => "close it with `)`",
                _ => "close the string with the same quote inside its mustache",
            },
        ),
        _ => return None,
    })
}
