//! The larger changes to a tag. Each may fail, and its caller checks what comes out.

use crate::{
    correct::{Edit, is_path, open_braces},
    help::tag_name,
};

/// `{{name` with its end, where no more than the end is missing.
pub(crate) fn closed_mustache(edit: &Edit<'_>) -> Option<String> {
    let name = edit.tag.trim_start_matches(['{', '~', ' ', '/']);
    // `{{first name and` may go on with a second word of a name, or with the text.
    let mut rest = edit.rest.chars();
    let goes_on = match rest.next() {
        None | Some('\n' | '\r' | ',' | ';' | '!' | '{') => false,
        Some('.' | ' ') => !matches!(rest.next(), None | Some(' ' | '\n')),
        Some(_) => true,
    };
    let is_variable = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (is_variable && !goes_on).then(|| edit.ended(edit.tag))
}

/// `{{// note}}` and `{{/* note */}}` as a comment, where nothing but a comment can be meant.
pub(crate) fn comment(edit: &Edit<'_>) -> Option<String> {
    let content = edit.after.trim_end_matches('}').trim_end();
    let note = match edit.it {
        "/*" => content.strip_suffix("*/")?,
        _ => content.strip_prefix(' ')?,
    };
    let note = note.trim();
    (!note.is_empty() && !note.contains("*/")).then(|| format!("{{{{! {note} }}}}"))
}

/// `{{a ~ b}}` as `{{a}}{{b}}`.
pub(crate) fn one_after_the_other(tag: &str) -> Option<String> {
    let content = tag.strip_prefix("{{")?.strip_suffix("}}")?;
    let names: Vec<_> = content.split('~').map(str::trim).collect();
    let are_paths = names.iter().all(|name| is_path(name));
    are_paths.then(|| format!("{{{{{}}}}}", names.join("}}{{")))
}

/// `{{#output#}}` as `{{output}}`.
pub(crate) fn without_hash_marks(tag: &str) -> Option<String> {
    let name = tag.strip_prefix("{{#")?.strip_suffix("#}}")?.trim();
    is_path(name).then(|| format!("{{{{{name}}}}}"))
}

/// `{{first\_name}}` as `{{first_name}}`.
pub(crate) fn without_backslashes(tag: &str) -> Option<String> {
    let is_plain = !tag.contains(['"', '\'', '[']);
    is_plain.then(|| tag.replace('\\', ""))
}

/// `{{/#if}}` and `{{\if}}` as a closing tag.
pub(crate) fn closing_tag(edit: &Edit<'_>) -> Option<String> {
    let content = edit.after.trim_end_matches('}');
    match (edit.before, edit.it) {
        ("{{/", "#") | ("{{", "\\") => Some(format!("{{{{/{}}}}}", content.trim())),
        _ => None,
    }
}

/// `{{name}}}` without the third brace, or with a space before it if it belongs to the text.
pub(crate) fn fewer_closing_braces(edit: &Edit<'_>) -> Option<String> {
    let surplus = edit.it.len() + edit.after.len();
    match open_braces(edit.context) {
        0 => Some(edit.before.to_owned()),
        open if surplus <= open => Some(format!("{} {}{}", edit.before, edit.it, edit.after)),
        _ => None,
    }
}

/// `{{a//b}}` and `{{a/}}` without the separator that no name follows.
pub(crate) fn without_separator(edit: &Edit<'_>) -> Option<String> {
    let is_last = edit.after.trim_start().starts_with(['}', '~']);
    let is_double = edit.after.starts_with(edit.it);
    let follows_name = edit.before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
    (matches!(edit.it, "/" | ".") && follows_name && (is_last || is_double))
        .then(|| format!("{}{}", edit.before, edit.after))
}

/// `{{{{name}}}}` as a variable.
pub(crate) fn fewer_braces(edit: &Edit<'_>) -> Option<String> {
    let name = edit.tag.trim_matches(['{', '}']).trim();
    if edit.rest.contains(&format!("{{{{/{name}")) || edit.rest.contains("{{{{/") {
        return None;
    }
    is_path(name).then(|| format!("{{{{{name}}}}}"))
}

/// `{{#if {{vip}} }}` without the inner braces.
pub(crate) fn without_inner_mustache(edit: &Edit<'_>) -> Option<String> {
    let inner = edit.it.trim_matches(['{', '}', '~', ' ']);
    let is_whole = matches!(edit.after.trim_start_matches(' '), "}}" | "~}}");
    (is_whole && is_path(inner)).then(|| edit.ended(&format!("{}{inner}", edit.before)))
}

/// `{{ {name} }}` without the single braces.
pub(crate) fn without_inner_braces(edit: &Edit<'_>) -> Option<String> {
    let inner = edit.after.trim_end_matches(['}', ' ', '~']);
    let braces = edit.after.matches('}').count();
    let lead = edit.before.trim_matches(['{', '~', ' ']);
    let is_whole = lead.is_empty() || (lead.starts_with('#') && !lead.contains(' '));
    (is_whole && braces == 3 && is_path(inner.trim())).then(|| {
        let before = if lead.is_empty() { edit.before.trim_end() } else { edit.before };
        format!("{before}{}{}", inner.trim(), edit.closing())
    })
}

/// `{{#else}}` and `{{#elseif x}}` as `else` tags.
pub(crate) fn plain_else(tag: &str) -> Option<String> {
    let content =
        tag.strip_prefix("{{")?.strip_suffix("}}")?.trim_matches('~').strip_prefix('#')?.trim();
    let rest = content.strip_prefix("else")?;
    let (word, rest) =
        if rest.starts_with("if") { (" if", rest.strip_prefix("if")?) } else { ("", rest) };
    Some(format!("{{{{else{word}{rest}}}}}"))
}

/// A closing tag with the name of the open block, or `{{/else}}` as an `else` tag.
pub(crate) fn matching_close(edit: &Edit<'_>) -> Option<String> {
    let (open, close) = (tag_name(edit.related), tag_name(edit.tag));
    let is_block = edit.related.starts_with("{{#")
        || edit.related.starts_with("{{~#")
        || edit.related.starts_with("{{^");
    let content = edit.tag.trim_end_matches('}');
    if !is_block || open.is_empty() || close.is_empty() || edit.tag.starts_with("{{{") {
        return None;
    }
    let start = if edit.tag.starts_with("{{~") { "{{~" } else { "{{" };
    let end = if content.ends_with('~') { "~}}" } else { "}}" };
    Some(if close == "else" { format!("{start}else{end}") } else { format!("{start}/{open}{end}") })
}

/// The tag with its `~` at the braces.
pub(crate) fn outer_tildes(tag: &str) -> Option<String> {
    let braces = tag.len() - tag.trim_start_matches('{').len();
    let content = tag.trim_start_matches('{').trim_end_matches('}');
    if tag.len() - content.len() != 2 * braces || braces > 3 {
        return None;
    }
    let content = content.trim();
    let left = if content.starts_with('~') { "~" } else { "" };
    let right = if content.ends_with('~') { "~" } else { "" };
    let name = content.trim_matches(['~', ' ']);
    let (open, close) = if braces == 3 { ("{", "}") } else { ("", "") };
    (!name.is_empty() && !name.contains(['~', '{', '}']))
        .then(|| format!("{{{{{left}{open}{name}{close}{right}}}}}"))
}

/// `a[0]["b"]` as `a.[0].[b]`; brackets with anything but digits or one string are not plainly an index.
pub(crate) fn dotted_indexes(tag: &str) -> Option<String> {
    let mut dotted = String::with_capacity(tag.len() + 8);
    let mut rest = tag;
    while let Some(character) = rest.chars().next() {
        let last = dotted.chars().next_back().unwrap_or(' ');
        let close = match character {
            '[' => rest.find(']')? + 1,
            '"' | '\'' => rest.get(1..)?.find(character)? + 2,
            _ => character.len_utf8(),
        };
        let (part, after) = rest.split_at_checked(close)?;
        if character == '[' && (last.is_alphanumeric() || "_$-]".contains(last)) {
            let index = part.get(1..part.len() - 1)?;
            let name = ['"', '\'']
                .iter()
                .find_map(|&quote| index.strip_prefix(quote)?.strip_suffix(quote))
                .filter(|name| !name.contains(['"', '\'', '[', '\\']));
            let is_number = !index.is_empty() && index.bytes().all(|byte| byte.is_ascii_digit());
            let name =
                name.or_else(|| is_number.then_some(index)).filter(|name| !name.is_empty())?;
            dotted.push_str(".[");
            dotted.push_str(name);
            dotted.push(']');
        } else {
            dotted.push_str(part);
        }
        rest = after;
    }
    Some(dotted)
}

/// `f(a, b)` as `f a b`, or as `(f a b)` within another tag's arguments.
pub(crate) fn spaced_call(edit: &Edit<'_>) -> Option<String> {
    let close = edit.after.rfind(')')?;
    let arguments = edit.after.get(..close)?;
    let rest = edit.after.get(close + 1..)?;
    let is_last = rest.starts_with(['}', '~', ')']) || rest.starts_with(char::is_whitespace);
    if !is_last || arguments.contains(['(', ')', '"', '\'']) || edit.before.contains('(') {
        return None;
    }
    let arguments: Vec<_> =
        arguments.split(',').map(str::trim).filter(|argument| !argument.is_empty()).collect();
    let arguments = arguments.join(" ");
    let name_start = edit
        .before
        .rfind(|character: char| character.is_whitespace() || "{~#&^".contains(character))?;
    let (lead, name) = edit.before.split_at_checked(name_start + 1)?;
    // The value of `a.b()` is not that of `a.b`.
    if name.contains(['.', '/']) {
        return None;
    }
    let is_head = lead.trim_matches(['{', '~', '#', '&', '^']).trim().is_empty();
    let space = if arguments.is_empty() { "" } else { " " };
    Some(if is_head {
        format!("{lead}{name}{space}{arguments}{rest}")
    } else if arguments.is_empty() {
        format!("{lead}{name}{rest}")
    } else {
        format!("{lead}({name} {arguments}){rest}")
    })
}

/// The tag with its missing closing parentheses at the end.
pub(crate) fn closed_parentheses(tag: &str) -> Option<String> {
    let content = tag.trim_end_matches('}').trim_end_matches('~');
    let braces = tag.get(content.len()..)?;
    let missing = content.matches('(').count().checked_sub(content.matches(')').count())?;
    Some(format!("{}{}{braces}", content.trim_end(), ")".repeat(missing)))
}

/// The positional argument moved to just behind the head.
pub(crate) fn positional_first(edit: &Edit<'_>) -> Option<String> {
    if edit.tag.contains(['(', '"', '\'', '[']) {
        return None;
    }
    let end = edit
        .after
        .find(|character: char| character.is_whitespace() || matches!(character, '}' | '~'))?;
    let (more, after) = edit.after.split_at_checked(end)?;
    let head = edit.before.find(char::is_whitespace)?;
    let (head, named) = edit.before.split_at_checked(head)?;
    Some(format!("{head} {}{more}{}{}", edit.it, named.trim_end(), after))
}

/// Punctuation at the end of a name moved behind the braces, or commas between the arguments of a helper left out.
pub(crate) fn punctuation(edit: &Edit<'_>) -> Option<String> {
    let content = edit.after.trim_end_matches(['}', '~']);
    if content.trim().is_empty() && matches!(edit.it, "," | ";" | "!") {
        return Some(format!("{}{}{}", edit.before.trim_end(), edit.after.trim_start(), edit.it));
    }
    if edit.it == "=" {
        return Some(format!("{}{}", edit.before, edit.after));
    }
    let is_call = edit.before.contains(['(', '"', '\'', '#']) || content.contains(['"', '\'']);
    if edit.it != "," || !is_call {
        return None;
    }
    let mut quote = None;
    let kept = |character: &char| {
        match (*character, quote) {
            ('"' | '\'', None) => quote = Some(*character),
            (character, Some(open)) if character == open => quote = None,
            _ => {}
        }
        *character != ',' || quote.is_some()
    };
    let rest: String = edit.after.chars().filter(kept).collect();
    let space = if rest.starts_with(' ') { "" } else { " " };
    Some(format!("{}{space}{rest}", edit.before))
}

/// `as |a, b` as `as |a b|`.
pub(crate) fn plain_block_params(edit: &Edit<'_>) -> Option<String> {
    let (head, names) = edit.tag.split_once('|')?;
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
