//! Signs next to the braces: `#`, `/`, `~`, `%`.

use super::{
    context::Context,
    description::Draft,
    error::{TemplateError, TemplateErrorKind as Kind},
    error_site::{ErrorSite, TagParts},
    tag_text::{excerpt, is_path, mustache},
};
use crate::parse::span::TemplateSpan;

/// The white space between the opening braces and a sign.
pub(super) fn space_before(context: &Context<'_>) -> TemplateError {
    let sign = context.token.span();
    let space = TemplateSpan { start: context.opener.span().end, end: sign.start };
    context.error(Kind::SpaceBeforeSign, space).related(sign, "must follow the braces")
}

pub(super) fn describe(site: &ErrorSite<'_>) -> Option<Draft> {
    Some(match site.error.kind {
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
        Kind::HashMarks => Draft::new(
            "a name cannot end with `#`",
            "unexpected `#`",
            "remove both `#` and use a plain name, as in `{{output}}`",
        )
        .fix_as("remove both `#`", site.correct(|it| without_signs(it, "#"))),
        Kind::PercentSigns => Draft::new(
            "percent signs are not allowed inside a mustache",
            "unexpected percent sign",
            "write a variable as `{{name}}`, and a tag such as `{% if vip %}` as `{{#if vip}}`",
        )
        .fix_as("remove the percent signs", site.correct(|it| without_signs(it, "%"))),
        _ => return None,
    })
}

/// `{{ /if }}` as `{{/if}}`.
fn without_space(parts: &TagParts<'_>) -> Option<String> {
    let content = parts.after.trim_end_matches('}');
    let braces = parts.after.get(content.len()..)?;
    Some(format!("{}{}{braces}", parts.before, content.trim_end()))
}

/// `{{%name%}}` as `{{name}}`.
fn without_signs(parts: &TagParts<'_>, sign: &str) -> Option<String> {
    let content = parts.tag.strip_prefix("{{")?.strip_suffix("}}")?;
    let name = content.strip_prefix(sign)?.strip_suffix(sign)?.trim();
    is_path(name).then(|| mustache(name))
}
