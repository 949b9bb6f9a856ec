//! Whether a template says the same without its invisible spaces.

use voxlint_template::{NodeKind, ParsedTemplate, TemplateNode, parse};

/// Characters without width that mean nothing to those who listen.
pub const fn is_blank(character: char) -> bool {
    matches!(character, '\u{200b}' | '\u{feff}')
}

/// Whether two spellings of a template are read alike: they have the same tags, names and arguments, and the same text between
/// them but for zero-width spaces and byte order marks. White space inside of tags does not count.
///
/// In doubt they are not. A character without width may keep braces apart, be escaped by a backslash, or keep white space from
/// being removed around a tag.
pub fn is_read_alike(one: &str, other: &str) -> bool {
    let (first, second) = (parse(one), parse(other));
    if first.error.is_some() != second.error.is_some() {
        return false;
    }
    (one.contains(is_blank) == other.contains(is_blank)
        || !(may_keep_white_space(one, &first) || may_keep_white_space(other, &second)))
        && unread(one, &first) == unread(other, &second)
        && Parts::of(one, &first).eq(Parts::of(other, &second))
}

/// The text after the tree, from the first error on.
fn unread<'t>(text: &'t str, parsed: &ParsedTemplate) -> Option<&'t str> {
    parsed.error.as_ref()?;
    let read = parsed.tree.statements().last().map_or(0, |last| last.span().end as usize);
    text.get(read..)
}

/// Whether a character without width is where white space may be removed: around a tag that asks for it, or in the line of a tag
/// that is alone in it.
fn may_keep_white_space(text: &str, parsed: &ParsedTemplate) -> bool {
    if text.contains("{{~") || text.contains("~}}") {
        return true;
    }
    let renders_only =
        |node: TemplateNode<'_>| matches!(node.kind(), NodeKind::Text | NodeKind::Mustache);
    if parsed.error.is_none() && parsed.tree.statements().all(renders_only) {
        return false;
    }
    text.lines().filter(|line| line.contains(is_blank)).any(|line| {
        let line = line.trim_matches(|c: char| c.is_whitespace() || is_blank(c));
        line.starts_with("{{") || line.ends_with("}}")
    })
}

/// What a template consists of: its nodes, with their names and values, and the text that is spoken between them.
struct Parts;

impl Parts {
    fn of<'t>(text: &'t str, parsed: &'t ParsedTemplate) -> impl Iterator<Item = SpokenPart> + 't {
        let mut nodes = parsed.tree.nodes().peekable();
        std::iter::from_fn(move || {
            let mut spoken = String::new();
            while let Some(node) = nodes.next_if(|node| node.kind() == NodeKind::Text) {
                spoken.extend(node.value(text).chars().filter(|c| !is_blank(*c)));
            }
            if !spoken.is_empty() {
                return Some(SpokenPart {
                    kind: NodeKind::Text,
                    inside: 0,
                    braces: String::new(),
                    value: spoken,
                });
            }
            nodes.next().map(|node| part(text, node))
        })
    }
}

#[derive(PartialEq, Eq)]
struct SpokenPart {
    kind: NodeKind,
    /// The number of its parts. That of a body does not count, because a text without width may be one.
    inside: usize,
    /// What its tag begins and ends with.
    braces: String,
    value: String,
}

fn part(text: &str, node: TemplateNode<'_>) -> SpokenPart {
    let source = node.span().of(text);
    let is_tag = matches!(
        node.kind(),
        NodeKind::Mustache
            | NodeKind::Decorator
            | NodeKind::Partial
            | NodeKind::Opening
            | NodeKind::Else
            | NodeKind::Closing
            | NodeKind::Comment
    );
    let is_sign = |c: &char| "{~&#^>*/!}".contains(*c);
    let braces = if is_tag {
        let signs = source.chars().take_while(|c| is_sign(c) || c.is_whitespace());
        signs.chain(source.chars().rev().take_while(is_sign)).filter(is_sign).collect()
    } else {
        String::new()
    };
    let is_leaf = node.children().next().is_none();
    let value = match node.kind() {
        NodeKind::Body | NodeKind::Comment => String::new(),
        NodeKind::Path => if node.is_data() { "@" } else { "" }.to_owned(),
        _ if is_tag || !is_leaf => String::new(),
        _ => node.value(text).into_owned(),
    };
    let inside = if node.kind() == NodeKind::Body { 0 } else { node.children().count() };
    SpokenPart { kind: node.kind(), inside, braces, value }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(text: &str) -> String {
        text.chars().filter(|c| !is_blank(*c)).collect()
    }

    #[test]
    fn text_without_width_is_not_heard() {
        for text in [
            "Hi\u{200b} {{name}}\u{feff}.",
            "\u{200b}{{name}}\u{200b}{{other}}",
            "So {{#if a}}Hi\u{200b}{{/if}}\u{200b} you",
            "\\{{x}}\u{200b} there",
            "Say \u{feff}hello to {{name}",
            "no tags {\u{200b} here",
        ] {
            assert!(is_read_alike(text, &without(text)), "{text:?}");
        }
        assert!(is_read_alike("Hi {{ name }} and {{f  x}}.", "Hi {{name}} and {{f x}}."));
    }

    #[test]
    fn what_keeps_braces_apart_is_not_spelling() {
        for text in [
            "Type \\\u{200b}{{name}} here",
            "Type {\u{200b}{name}} here",
            "Type {{name}\u{200b}} here",
            "Type {\u{200b}{{name}} here",
            "Type {{\u{200b}name}} here",
            "Type {{f \"a\u{200b}b\"}} here",
            "Hi {{name} and {\u{200b}{other}}",
            "\u{200b}{{#if a}}\nHi\n{{/if}}",
            "Hi\n {{!-- a note --}}\u{200b}\nyou",
            "Hi \u{200b}{{~name}}",
        ] {
            assert!(!is_read_alike(text, &without(text)), "{text:?}");
        }
    }

    #[test]
    fn other_tags_are_other_templates() {
        for (one, other) in [
            ("Hi {{name}}", "Hi {{{name}}}"),
            ("Hi {{name}}", "Hi {{&name}}"),
            ("Hi {{a.b}}", "Hi {{a b}}"),
            ("Hi {{index}}", "Hi {{@index}}"),
            ("{{f (a b) c}}", "{{f (a b c)}}"),
            ("{{#if a}}x{{/if}}y", "{{#if a}}xy{{/if}}"),
            ("{{#if a}}x{{/if}}", "{{^if a}}x{{/if}}"),
            ("Hi", "Hi "),
        ] {
            assert!(!is_read_alike(one, other), "{one} and {other}");
        }
    }
}
