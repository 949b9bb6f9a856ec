//! Blocks: opening, closing and `else` tags that do not match.

use super::{
    braces::raw_to_variable,
    context::{Context, probable_end},
    description::Draft,
    error::{TemplateError, TemplateErrorKind as Kind},
    error_site::{ErrorSite, TagParts},
    tag_text::{BLOCK_HELPERS, closing_tag, excerpt, mustache, tag_name},
};
use crate::parse::{scan::Bytes, span::TemplateSpan, token::TokenKind, tree::NodeKind};

const MISSING_HASH: &str = "missing `#`";

/// A block without its closing tag.
pub(super) fn unclosed(context: &Context<'_>) -> TemplateError {
    let Some(block) = context.block() else {
        return context.error(Kind::UnexpectedCharacter, context.token.span());
    };
    context.error(Kind::UnclosedBlock, block.tag).in_tag(block.tag)
}

/// A closing tag without an open block.
pub(super) fn stray_close(context: &Context<'_>) -> TemplateError {
    let name = tag_name(context.tag.of(context.text));
    unopened(context, Kind::StrayClose, context.tag, &[&name])
}

/// An `else` tag that is not allowed in its place.
pub(super) fn misplaced_else(context: &Context<'_>) -> TemplateError {
    let is_whole = context.token.kind == TokenKind::Inverse;
    let tag = if is_whole { context.token.span() } else { context.tag };
    let Some(block) = context.block() else {
        return unopened(context, Kind::StrayElse, tag, &BLOCK_HELPERS);
    };
    let error = match block.last_else {
        Some(first) => context.error(Kind::SecondElse, tag).related(first, "`else` of this block"),
        None => context.error(Kind::UnexpectedCharacter, tag).related(block.tag, "in this block"),
    };
    error.in_tag(tag)
}

/// `{{else}}` in a decorator block.
pub(super) fn decorator_else(context: &Context<'_>) -> TemplateError {
    let block = context.block();
    let span = block.and_then(|block| block.first_else).unwrap_or(context.token.span());
    let error = context.error(Kind::UnexpectedCharacter, span).in_tag(span);
    error.related(block.map_or(span, |block| block.tag), "in this block")
}

/// A closing tag with the name of another block.
pub(super) fn mismatch(context: &Context<'_>) -> TemplateError {
    let open = context.opener.span();
    let end = probable_end(context.bytes, open.end as usize).map_or(open.end, |end| end as u32);
    let tag = TemplateSpan { start: open.start, end };
    let error = context.error(Kind::CloseMismatch, tag);
    let Some(block) = context.block() else { return error };
    let opener = block.tag.of(context.text);
    let name = opener.trim_start_matches(['{', '~', '#']).trim_start();
    if opener.contains('#') && name.starts_with("else") {
        return context
            .error(Kind::HashElse, block.tag)
            .in_tag(block.tag)
            .related(tag, "closed by this tag");
    }
    if let Some(dot) = leading_dot(context) {
        return context.error(Kind::LeadingDot, dot).in_tag(block.tag);
    }
    let error = error.in_tag(tag);
    let name = tag_name(tag.of(context.text));
    let inside = TemplateSpan { start: block.tag.end, end: tag.start };
    if block.kind != NodeKind::RawBlock
        && let Some(opener) = opener_without_hash(context.text, inside, &[&name])
    {
        return error.related(opener, MISSING_HASH);
    }
    let error = error.related(block.tag, "open block");
    let mut blocks = context.blocks.iter().rev().map(|block| tag_name(block.tag.of(context.text)));
    let is_own = blocks.next().is_some_and(|own| own.eq_ignore_ascii_case(&name));
    let closes_outer_block =
        blocks.any(|outer| outer == name || (!is_own && outer.eq_ignore_ascii_case(&name)));
    TemplateError { closes_outer_block, ..error }
}

/// The dot of `{{#if .x}}`, which the reference reads as the path `if.x`.
fn leading_dot(context: &Context<'_>) -> Option<TemplateSpan> {
    let head = context.block_head;
    let (first, rest) = head.of(context.text).split_once(char::is_whitespace)?;
    let path = rest.trim_start();
    let dot = context.bytes.skip_space(head.start as usize + first.len());
    (path.starts_with('.') && dot + path.len() == head.end as usize)
        .then(|| TemplateSpan::new(dot, dot + 1))
}

/// A tag that belongs to a block that is not open. Perhaps its opening tag lacks the `#`.
fn unopened(context: &Context<'_>, kind: Kind, tag: TemplateSpan, names: &[&str]) -> TemplateError {
    let error = context.error(kind, tag).in_tag(tag);
    let before = TemplateSpan { start: 0, end: tag.start };
    match opener_without_hash(context.text, before, names) {
        Some(opener) => error.related(opener, MISSING_HASH),
        None => error,
    }
}

/// The last mustache of the range that looks like an opening tag without its `#`: `{{if vip}}`.
fn opener_without_hash(text: &str, range: TemplateSpan, names: &[&str]) -> Option<TemplateSpan> {
    let before = range.of(text);
    before.rmatch_indices("{{").find_map(|(at, _)| {
        let content = before.get(at + 2..)?;
        let content = content.strip_prefix('~').unwrap_or(content);
        let lead = content.len() - content.trim_start_matches(' ').len();
        if lead > 3 {
            return None;
        }
        let content = content.get(lead..)?;
        let arguments =
            names.iter().filter(|name| BLOCK_HELPERS.contains(name)).find_map(|name| {
                content.strip_prefix(name).filter(|rest| rest.starts_with([' ', '\n', '\t']))
            })?;
        let start = range.start as usize + at;
        let end = probable_end(Bytes(text.as_bytes()), start + 2)?;
        (end <= range.end as usize && !arguments.trim_start().starts_with('}'))
            .then(|| TemplateSpan::new(start, end))
    })
}

pub(super) fn describe(site: &ErrorSite<'_>) -> Option<Draft> {
    let error = site.error;
    let (wrong, related) = (excerpt(site.wrong), excerpt(site.related));
    Some(match error.kind {
        Kind::UnclosedBlock => Draft::new(
            format!("the block {wrong} is never closed"),
            "never closed",
            format!("put {} at the end of the block", excerpt(&closing_tag(site.wrong))),
        )
        .fix_as("for a variable, use two braces", site.correct(raw_to_variable)),
        Kind::StrayClose | Kind::CloseMismatch | Kind::StrayElse => unmatched(site),
        Kind::SecondElse => Draft::new(
            format!("{wrong} comes after the {related} of the same block"),
            "`else` must come last",
            "use `{{else}}` once, at the end; test more conditions before it with `{{else if x}}`",
        ),
        Kind::HashElse => Draft::new(
            format!("{wrong} opens a block named `else`"),
            "`else` has no `#`",
            "remove the `#`",
        )
        .fix(site.correct(|it| plain_else(it.tag))),
        _ => return None,
    })
}

/// A closing or `else` tag without a matching opening tag.
fn unmatched(site: &ErrorSite<'_>) -> Draft {
    let ErrorSite { error, tag, .. } = *site;
    let (wrong, related) = (excerpt(site.wrong), excerpt(site.related));
    let hash = lacks_hash(site).then(|| add_hash(site));
    let or = |help: &str| hash.clone().unwrap_or_else(|| help.to_owned());
    if error.kind == Kind::StrayElse {
        let help = or("put it between an opening tag such as `{{#if x}}` and its `{{/if}}`");
        return Draft::new(format!("{wrong} is outside any block"), "not in a block", help);
    }
    if error.kind == Kind::StrayClose {
        let help = or("remove it, or add its opening tag before it");
        let message = format!("{wrong} closes a block, but none is open");
        return Draft::new(message, "no open block to close", help);
    }
    let label = "closes another block";
    if let Some(help) = hash {
        let message = format!("{wrong} closes a block that was never opened");
        return Draft::new(message, label, help);
    }
    let close = excerpt(&closing_tag(site.related));
    let message = format!("{wrong} does not match the open block {related}");
    if error.closes_outer_block {
        return Draft::new(message, label, format!("close {related} first, with {close}"));
    }
    let help = format!("write {close} instead of {wrong}");
    let fix = site.correct(|it| matching_close(it, site.related));
    let draft = Draft::new(message, label, help.clone());
    if tag_name(tag) == "else" {
        draft.fix_as("write `else` without a slash", fix)
    } else {
        draft.fix_with(fix, |_| help)
    }
}

/// Whether the related place is an opening tag without its `#`.
fn lacks_hash(site: &ErrorSite<'_>) -> bool {
    site.related
        .strip_prefix("{{")
        .is_some_and(|rest| rest.trim_start_matches(['~', ' ']).starts_with(char::is_alphabetic))
}

/// The help for an opening tag without its `#`.
fn add_hash(site: &ErrorSite<'_>) -> String {
    let opener = site.related.trim_start_matches(['{', '~', ' ']);
    let opener = excerpt(&mustache(&format!("#{}", opener.trim_end_matches(['}', '~', ' ']))));
    format!("add `#` to the opening tag: {opener}")
}

/// `{{#else}}` and `{{#elseif x}}` as `else` tags.
fn plain_else(tag: &str) -> Option<String> {
    let content =
        tag.strip_prefix("{{")?.strip_suffix("}}")?.trim_matches('~').strip_prefix('#')?.trim();
    let rest = content.strip_prefix("else")?;
    let space = if rest.starts_with("if") { " " } else { "" };
    Some(mustache(&format!("else{space}{rest}")))
}

/// A closing tag with the name of the open block, or `{{/else}}` as an `else` tag.
fn matching_close(parts: &TagParts<'_>, opener: &str) -> Option<String> {
    let (open, close) = (tag_name(opener), tag_name(parts.tag));
    let is_block = ["{{#", "{{~#", "{{^"].iter().any(|start| opener.starts_with(start));
    if !is_block || open.is_empty() || close.is_empty() || parts.tag.starts_with("{{{") {
        return None;
    }
    let start = if parts.tag.starts_with("{{~") { "{{~" } else { "{{" };
    let end = if parts.tag.trim_end_matches('}').ends_with('~') { "~}}" } else { "}}" };
    Some(if close == "else" { format!("{start}else{end}") } else { format!("{start}/{open}{end}") })
}
