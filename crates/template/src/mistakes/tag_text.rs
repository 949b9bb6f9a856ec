//! Helpers for the text of tags and for quoting it in messages.

use voxlint_syntax::Invisible;

/// The maximum number of characters of a template that a message quotes in one place.
const EXCERPT: usize = 40;

/// The built-in block helpers.
pub(crate) const BLOCK_HELPERS: [&str; 4] = ["if", "unless", "each", "with"];

/// The built-in helpers of Handlebars, which every template can use.
pub const BUILT_IN_HELPERS: [&str; 8] =
    ["if", "unless", "each", "with", "lookup", "log", "helperMissing", "blockHelperMissing"];

/// Advice for operators, filters and calls that Handlebars does not have.
pub(super) const COMPUTE_VALUE: &str =
    "compute the result before the phone call and use one variable for it";
pub(crate) const COMPUTE_CONDITION: &str =
    "compute the result before the phone call and use one variable, as in `{{#if is_vip}}`";
pub(super) const SET_DEFAULT: &str =
    "write only the name and set a default in `default_dynamic_variables`";

/// At most 40 characters of the text in backquotes, with invisible characters escaped.
pub(crate) fn excerpt(text: &str) -> String {
    if text == "`" {
        return "a backtick".to_owned();
    }
    let mut shown = String::from("`");
    for (count, character) in text.chars().enumerate() {
        if count == EXCERPT {
            shown.push('…');
            break;
        }
        match character {
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            _ if is_invisible(character) => shown.extend(character.escape_unicode()),
            _ => shown.push(character),
        }
    }
    shown.push('`');
    shown
}

/// Whether a character is a control character, is hidden, or is a space other than U+0020.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(Invisible::of(character), Some(Invisible::Space | Invisible::Hidden))
}

/// The first word of a tag, at most 40 characters.
pub(super) fn tag_name(tag: &str) -> String {
    let content = tag.trim_start_matches(['{', '~', '#', '^', '/', '>', '*', '&']).trim_start();
    let quote = content.chars().next().filter(|character| matches!(character, '"' | '\'' | '['));
    let end = match quote {
        Some('[') => content.find(']').map(|end| end + 1),
        Some(quote) => content.get(1..).and_then(|rest| rest.find(quote)).map(|end| end + 2),
        None => content.find(|character: char| {
            character.is_whitespace() || matches!(character, '}' | '~' | ')')
        }),
    };
    content.get(..end.unwrap_or(content.len())).unwrap_or_default().chars().take(40).collect()
}

/// The text of a closing tag, for an opening tag or its name.
pub(super) fn closing_tag(opening: &str) -> String {
    let name = tag_name(opening);
    if opening.starts_with("{{{{") {
        format!("{{{{{{{{/{name}}}}}}}}}")
    } else {
        format!("{{{{/{name}}}}}")
    }
}

/// A mustache with this content.
pub(crate) fn mustache(content: &str) -> String {
    format!("{{{{{content}}}}}")
}

/// Whether the text is the name of a variable or a path to one.
pub(crate) fn is_path(name: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || "_$@-./".contains(character);
    name.starts_with(|first: char| first.is_alphabetic() || "_$@.".contains(first))
        && name.chars().all(is_part)
        && name != "else"
}

/// The help for a negated condition.
pub(crate) fn use_unless(name: &str) -> String {
    let opener = excerpt(&mustache(&format!("#unless {name}")));
    format!("write {opener} and close it with `{{{{/unless}}}}`")
}

/// The number of single braces that are open at the end of the text, as in JSON around a mustache.
pub(super) fn open_braces(text: &str) -> usize {
    let mut open = 0_usize;
    let mut closed = 0_usize;
    for byte in text.bytes().rev().take(2_000) {
        match byte {
            b'}' => closed += 1,
            b'{' if closed > 0 => closed -= 1,
            b'{' => open += 1,
            _ => {}
        }
    }
    open
}
