//! Writes a JSON document in every other format, in common styles.

use std::fmt::Write as _;

use voxlint_syntax::{Format, Kind, Node};

/// Writes a document. `None` if the format cannot express it.
pub type Writer = fn(Node<'_>) -> Option<String>;

/// The styles, each with its name and format.
pub const WRITERS: [(&str, Format, Writer); 7] = [
    ("TOML", Format::Toml, toml_inline),
    ("TOML with tables", Format::Toml, toml_tables),
    ("JSONC", Format::Jsonc, jsonc),
    ("YAML in flow style", Format::Yaml, |root| Some(root.source().to_owned())),
    ("YAML in double quotes", Format::Yaml, |root| yaml(root, Style::DoubleQuoted)),
    ("YAML in single quotes", Format::Yaml, |root| yaml(root, Style::SingleQuoted)),
    ("YAML in blocks", Format::Yaml, |root| yaml(root, Style::Block)),
];

/// The same text with comments and a trailing comma.
fn jsonc(root: Node<'_>) -> Option<String> {
    if root.kind() != Kind::Object {
        return None;
    }
    let source = root.source();
    let end = source.rfind('}')?;
    let comma = if root.members().next().is_some() { "," } else { "" };
    Some(format!("// before\n{}{comma} /* the end */ }}\n", source[..end].trim_end()))
}

/// A table with all its values inline.
fn toml_inline(root: Node<'_>) -> Option<String> {
    if root.kind() != Kind::Object {
        return None;
    }
    let mut out = String::new();
    for member in root.members() {
        let _ = writeln!(out, "{} = {}", toml_key(member.key), toml_value(member.value)?);
    }
    Some(out)
}

/// The objects of the root as tables with headers, after its other fields.
fn toml_tables(root: Node<'_>) -> Option<String> {
    if root.kind() != Kind::Object {
        return None;
    }
    let is_object = |node: Node<'_>| node.kind() == Kind::Object && node.members().next().is_some();
    let mut out = String::new();
    for member in root.members().filter(|member| !is_object(member.value)) {
        let _ =
            writeln!(out, "{} = {} # a comment", toml_key(member.key), toml_value(member.value)?);
    }
    for member in root.members().filter(|member| is_object(member.value)) {
        let _ = writeln!(out, "\n[{}]\n{}", toml_key(member.key), toml_inline(member.value)?);
    }
    Some(out)
}

fn toml_key(key: Node<'_>) -> String {
    let name = key.as_str().unwrap_or_default();
    let is_bare = !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    if is_bare { name.into_owned() } else { key.source().replace("\\/", "/") }
}

fn toml_value(node: Node<'_>) -> Option<String> {
    Some(match node.kind() {
        // TOML has no null, no escapes for surrogates, and no escape `\/`. Its numbers include those of JSON.
        Kind::Null | Kind::Invalid | Kind::Key => return None,
        Kind::String if node.source().contains("\\u") || node.source().contains("\\/") => {
            return None;
        }
        Kind::String | Kind::Number | Kind::Bool => node.source().to_owned(),
        Kind::Array => {
            let items: Option<Vec<_>> = node.elements().map(toml_value).collect();
            format!("[{}]", items?.join(", "))
        }
        Kind::Object => {
            let members = node.members();
            let members: Option<Vec<_>> = members
                .map(|it| Some(format!("{} = {}", toml_key(it.key), toml_value(it.value)?)))
                .collect();
            format!("{{ {} }}", members?.join(", "))
        }
    })
}

/// How strings are written in YAML, where the style allows it.
#[derive(Clone, Copy, PartialEq)]
enum Style {
    DoubleQuoted,
    SingleQuoted,
    Block,
}

fn yaml(root: Node<'_>, style: Style) -> Option<String> {
    if root.kind() != Kind::Object || root.members().next().is_none() {
        return None;
    }
    let mut out = String::new();
    yaml_members(&mut out, root, 0, style)?;
    Some(out)
}

fn yaml_members(out: &mut String, object: Node<'_>, depth: usize, style: Style) -> Option<()> {
    for member in object.members() {
        let _ = write!(out, "{:1$}", "", depth * 2);
        let _ = write!(out, "{}:", yaml_string(member.key, style)?);
        yaml_value(out, member.value, depth + 1, style)?;
    }
    Some(())
}

/// Writes a value after its key or its dash, up to the end of its last line.
fn yaml_value(out: &mut String, node: Node<'_>, depth: usize, style: Style) -> Option<()> {
    match node.kind() {
        Kind::Object if node.members().next().is_some() => {
            out.push('\n');
            yaml_members(out, node, depth, style)?;
        }
        Kind::Array if node.elements().next().is_some() => {
            out.push('\n');
            for element in node.elements() {
                let _ = write!(out, "{:1$}-", "", depth * 2);
                yaml_value(out, element, depth + 1, style)?;
            }
        }
        Kind::String => match block(node, depth).filter(|_| style == Style::Block) {
            Some(block) => {
                let _ = writeln!(out, " {block}");
            }
            None => {
                let _ = writeln!(out, " {}", yaml_string(node, style)?);
            }
        },
        _ => {
            let _ = writeln!(out, " {}", node.source());
        }
    }
    Some(())
}

fn yaml_string(node: Node<'_>, style: Style) -> Option<String> {
    let text = node.as_str()?;
    let is_printable = text.chars().all(|c| !c.is_control() && c != '\u{feff}');
    if style == Style::SingleQuoted && is_printable && !text.contains('\'') {
        return Some(format!("'{text}'"));
    }
    // YAML has no escape for an unpaired surrogate.
    (!node.source().contains("\\u")).then(|| node.source().to_owned())
}

/// A literal block, if the text needs no escapes.
fn block(node: Node<'_>, depth: usize) -> Option<String> {
    let text = node.as_str()?;
    let is_plain =
        |line: &str| !line.starts_with([' ', '\t']) && !line.chars().any(char::is_control);
    if text.trim().is_empty() || text.ends_with('\n') || !text.split('\n').all(is_plain) {
        return None;
    }
    let indent = " ".repeat(depth * 2);
    let lines: Vec<String> = text
        .split('\n')
        .map(|line| if line.is_empty() { String::new() } else { format!("{indent}{line}") })
        .collect();
    Some(format!("|-\n{}", lines.join("\n")))
}
