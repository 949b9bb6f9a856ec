//! The larger changes to a tag. Each may fail, and its caller checks what comes out.

use crate::{correct::Edit, help::tag_name};

/// `{{{{name}}}}` as a variable.
pub(crate) fn fewer_braces(edit: &Edit<'_>) -> Option<String> {
    let name = edit.tag.trim_matches(['{', '}', '~']).trim();
    if edit.rest.contains(&format!("{{{{{{{{/{name}")) {
        return None;
    }
    let is_one_word = !name.is_empty() && !name.contains(char::is_whitespace);
    is_one_word.then(|| format!("{{{{{name}}}}}"))
}

/// `{{ {name} }}` without the single braces.
pub(crate) fn without_inner_braces(edit: &Edit<'_>) -> Option<String> {
    let inner = edit.after.trim_end_matches(['}', ' ']);
    let is_name = !inner.contains(['{', '}', ':']);
    is_name.then(|| format!("{}{}{}", edit.before.trim_end(), inner.trim(), edit.closing()))
}

/// `{{"key":"value"}}` with single braces, if those within are balanced.
pub(crate) fn single_json(tag: &str) -> Option<String> {
    let inner = tag.strip_prefix("{{")?.strip_suffix("}}")?;
    let mut open = 0_u32;
    for byte in inner.bytes() {
        match byte {
            b'{' => open += 1,
            b'}' => open = open.checked_sub(1)?,
            _ => {}
        }
    }
    (open == 0).then(|| format!("{{{inner}}}"))
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

/// A closing tag with the name of the open block, where its own is plainly meant for that block.
pub(crate) fn matching_close(edit: &Edit<'_>) -> Option<String> {
    let (open, close) = (tag_name(edit.related), tag_name(edit.tag));
    let is_argument =
        edit.related.split([' ', '}', '~', '(', ')']).skip(1).any(|word| word == close);
    let is_spelling =
        open.eq_ignore_ascii_case(&close) || open.starts_with(&close) || close.starts_with(&open);
    let is_foreign =
        matches!(close.as_str(), "endif" | "end" | "endfor" | "fi" | "endeach" | "endunless");
    let is_meant =
        !open.is_empty() && !close.is_empty() && (is_argument || is_spelling || is_foreign);
    (is_meant && !edit.related.starts_with("{{{{")).then(|| format!("{{{{/{open}}}}}"))
}

/// The tag with its `~` at the braces.
pub(crate) fn outer_tildes(tag: &str) -> Option<String> {
    let is_triple = tag.starts_with("{{{") && tag.ends_with("}}}");
    let content = tag.trim_matches(['{', '}']).trim();
    let name = content.trim_matches(['~', '{', '}']).trim();
    let left = if content.starts_with('~') { "~" } else { "" };
    let right = if content.ends_with('~') { "~" } else { "" };
    if name.contains('~') || name.is_empty() {
        return None;
    }
    Some(if is_triple {
        format!("{{{{{left}{{{name}}}{right}}}}}")
    } else {
        format!("{{{{{left}{name}{right}}}}}")
    })
}

/// `a[0]["b"]` as `a.[0].[b]`.
pub(crate) fn dotted_indexes(tag: &str) -> String {
    let mut dotted = String::with_capacity(tag.len() + 8);
    let mut is_index = false;
    let mut last = ' ';
    for character in tag.chars() {
        match character {
            '[' if last.is_alphanumeric() || matches!(last, '_' | '$' | '-' | ']') => {
                dotted.push_str(".[");
                is_index = true;
            }
            '"' | '\'' if is_index => {}
            _ => {
                is_index &= character != ']';
                dotted.push(character);
            }
        }
        last = character;
    }
    dotted
}

/// `f(a, b)` as `f a b`, or as `(f a b)` within another tag's arguments.
pub(crate) fn spaced_call(edit: &Edit<'_>) -> Option<String> {
    let close = edit.after.rfind(')')?;
    let arguments = edit.after.get(..close)?;
    let rest = edit.after.get(close + 1..)?;
    if arguments.contains(['(', ')']) || edit.before.contains('(') {
        return None;
    }
    let arguments: Vec<_> =
        arguments.split(',').map(str::trim).filter(|argument| !argument.is_empty()).collect();
    let arguments = arguments.join(" ");
    let name_start = edit
        .before
        .rfind(|character: char| character.is_whitespace() || "{~#&^".contains(character))?;
    let (lead, name) = edit.before.split_at_checked(name_start + 1)?;
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
