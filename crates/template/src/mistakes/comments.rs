//! Comments: unclosed, or written as in another language.

use super::{
    context::Context,
    description::{Correction, Draft},
    error::{TemplateError, TemplateErrorKind as Kind},
    error_site::ErrorSite,
    tag_text::excerpt,
};
use crate::parse::span::TemplateSpan;

/// The start of a comment without an end: its braces, `!` and dashes.
pub(super) fn unclosed(context: &Context<'_>, start: u32) -> TemplateError {
    let mut end = start + 2;
    while matches!(context.bytes.at(end as usize), b'~' | b'!' | b'-') && end < start + 6 {
        end += 1;
    }
    let span = TemplateSpan { start, end };
    context.error(Kind::UnclosedComment, span).in_tag(span)
}

/// `//` or `/*` at the start of a tag.
pub(super) fn foreign(context: &Context<'_>, slash: u32) -> Option<TemplateError> {
    let is_comment = context.bytes.at(slash as usize) == b'/'
        && matches!(context.bytes.at(slash as usize + 1), b'/' | b'*');
    let span = TemplateSpan { start: slash, end: slash + 2 };
    is_comment.then(|| context.error(Kind::ForeignComment, span))
}

pub(super) fn describe(site: &ErrorSite<'_>) -> Option<Draft> {
    let wrong = excerpt(site.wrong);
    Some(match site.error.kind {
        Kind::UnclosedComment => {
            let end = if site.wrong.ends_with("--") { "--}}" } else { "}}" };
            let written = probable_end(site);
            let fix = written.map(|span| Correction { span, text: end.to_owned() });
            Draft::new(
                format!("the comment {wrong} is never closed"),
                "never closed",
                format!("close the comment with `{end}`"),
            )
            .fix_with(fix, |end| {
                let written = written.unwrap_or_default().of(site.text);
                format!("write `{end}` instead of `{written}`")
            })
        }
        Kind::ForeignComment => Draft::new(
            format!("{wrong} does not start a comment in Handlebars"),
            "not a comment",
            "start a comment with `!`, as in `{{! note }}`",
        ),
        _ => return None,
    })
}

/// The probable end of a comment that starts with `{{!--`: `-->`, `-- }}`, `--}` or `}}`.
fn probable_end(site: &ErrorSite<'_>) -> Option<TemplateSpan> {
    let rest = site.after_error();
    if !site.wrong.ends_with("--") {
        return None;
    }
    let ends = ["-->", "-- }}", "--}"];
    let end = ends.iter().filter_map(|end| Some((rest.find(end)?, *end))).min();
    let note = rest.get(..end.map_or(rest.len(), |(at, _)| at))?;
    let offset = site.error.span.end as usize;
    if let Some(braces) = note.find("}}") {
        // The comment ends here, and callers hear the rest, unless the braces belong to a mustache in the comment.
        let start = offset + braces;
        let has_mustache = note.get(..braces)?.contains("{{");
        return (!has_mustache).then(|| TemplateSpan::new(start, start + 2));
    }
    let (at, end) = end?;
    let braces = rest.get(at + end.len()..)?.bytes().take(2).take_while(|&byte| byte == b'}');
    Some(TemplateSpan::new(offset + at, offset + at + end.len() + braces.count()))
}
