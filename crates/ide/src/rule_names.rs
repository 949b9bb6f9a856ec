//! The names of rules and groups, and where comments have them.

use voxlint::Group;
use voxlint::syntax::Span;

/// The word that begins a comment that suppresses findings.
pub(crate) const KEYWORD: &str = "voxlint-ignore";

/// The names of the groups, with what they contain.
pub(crate) fn groups() -> impl Iterator<Item = (&'static str, &'static str)> {
    let named = Group::ALL.into_iter().map(|of| (of.name(), of.description()));
    named.chain([("recommended", "all rules that are on by default")])
}

/// What a group contains; `None` if there is no such group.
pub(crate) fn group(name: &str) -> Option<&'static str> {
    groups().find(|(group, _)| *group == name).map(|(_, about)| about)
}

/// The word of a comment that suppresses findings where the name of a rule is or can be written.
pub(crate) fn word_at(text: &str, comment: Span, offset: u32) -> Option<Span> {
    let source = comment.slice(text);
    let keyword = source.find(KEYWORD)?;
    let after = source.get(keyword + KEYWORD.len()..)?;
    let suffix = after.bytes().take_while(|byte| is_name(*byte)).count();
    let names = keyword + KEYWORD.len() + suffix;
    let target = offset.checked_sub(comment.start)? as usize;
    let before = source.get(names..target)?;
    if !before.starts_with([' ', '\t']) || before.contains(':') || before.contains(" until ") {
        return None;
    }
    let left = before.bytes().rev().take_while(|byte| is_name(*byte)).count();
    let right = source.get(target..)?.bytes().take_while(|byte| is_name(*byte)).count();
    Some(Span::new(offset - left as u32, offset + right as u32))
}

const fn is_name(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}
