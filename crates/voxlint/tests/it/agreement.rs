//! Every document says in every format what it says in JSON: the same rules, at the same pointers, with the same verdicts,
//! over the same characters.

use std::fmt::Write as _;
use std::fs;

use crate::support::format_of;
use voxlint::syntax::{Format, Kind, Member, Node, parse};
use voxlint::{Diagnostic, Document, Facts, Inputs, Stored, check};
use voxlint_testing::generated_inputs::{GeneratedInputs, Random};
use voxlint_testing::{case_files, cases};

/// How a document is written down.
pub(crate) type Writer = fn(Node<'_>) -> Option<String>;

pub(crate) const WRITERS: [(&str, Format, Writer); 7] = [
    ("TOML", Format::Toml, toml_inline),
    ("TOML with tables", Format::Toml, toml_tables),
    ("JSONC", Format::Jsonc, jsonc),
    ("YAML in flow style", Format::Yaml, |root| Some(root.source().to_owned())),
    ("YAML in double quotes", Format::Yaml, |root| yaml(root, Style::DoubleQuoted)),
    ("YAML in single quotes", Format::Yaml, |root| yaml(root, Style::SingleQuoted)),
    ("YAML in blocks", Format::Yaml, |root| yaml(root, Style::Block)),
];

/// The findings with their underlined text, in an order that does not depend on the format.
fn findings(texts: [&str; 3], formats: [Format; 3]) -> Vec<(String, String)> {
    let document = |at: usize| Document::parse_as(texts[at], formats[at]);
    let stored = (!texts[1].is_empty()).then(|| Stored::new(document(1)));
    let facts = (!texts[2].is_empty()).then(|| Facts::new(document(2)));
    let report = check(&Inputs::new(document(0)).stored(stored).facts(facts));
    let mut found: Vec<_> = report
        .diagnostics
        .iter()
        // Below a TOML header, the rule reports more names.
        .filter(|found| found.rule.id != "setting-in-variables")
        .map(|found| {
            let text = texts[match found.origin {
                voxlint::Origin::Stored => 1,
                voxlint::Origin::Facts => 2,
                _ => 0,
            }];
            let span = found.span.start as usize..found.span.end as usize;
            // In JSON, the message is about a JSON object.
            let message = if found.rule.id == "not-an-object" { "" } else { &found.message };
            let Diagnostic { rule, verdict, field, .. } = found;
            let said = format!("{} {verdict:?} {field} {message}", rule.id);
            (said, plain(&text[span]))
        })
        .collect();
    found.extend(
        report.undecided.iter().map(|it| (format!("{} {}", it.rule.id, it.why()), String::new())),
    );
    found.sort();
    found
}

/// The underlined text without quotes. A finding about a missing value underlines a bracket, a name or nothing, depending on
/// the format.
fn plain(characters: &str) -> String {
    let inner = characters.trim_matches(['"', '\'']);
    if ["{", "["].contains(&inner) {
        return String::new();
    }
    // A block scalar has a header before its lines, which are indented, and line breaks where JSON has escapes.
    let inner = inner.strip_prefix("|-\n").unwrap_or(inner);
    let decoded = serde_json::from_str(&format!("\"{}\"", inner.replace('\n', "\\n")));
    let inner: String = decoded.unwrap_or_else(|_| inner.to_owned());
    inner.lines().map(str::trim_start).collect::<Vec<_>>().join("\n")
}

fn same(json: [&str; 3], name: &str, (format, writer): (Format, Writer), case: &str) -> bool {
    let written: Option<Vec<String>> = json
        .iter()
        .map(|text| {
            if text.is_empty() {
                return Some(String::new());
            }
            let parsed = parse(*text, Format::Json);
            parsed.documents[0].root().and_then(writer)
        })
        .collect();
    let Some(written) = written else { return false };
    let here = findings(json, [Format::Json; 3]);
    let there = findings([&written[0], &written[1], &written[2]], [format; 3]);
    assert_eq!(here.len(), there.len(), "{case} as {name}:\n{}\n{here:#?}\n{there:#?}", written[0]);
    for (here, there) in here.iter().zip(&there) {
        assert_eq!(here.0, there.0, "{case} as {name}:\n{}", written[0]);
        assert!(
            here.1.is_empty() || here.1 == there.1,
            "{case} as {name}: {} is under {:?}, and in JSON under {:?}\n{}",
            here.0,
            there.1,
            here.1,
            written[0]
        );
    }
    true
}

#[test]
fn every_case_has_the_same_findings_in_every_format() {
    for (name, format, writer) in WRITERS {
        let mut compared = 0;
        for case in case_files() {
            let Ok(text) = fs::read_to_string(&case.path) else { continue };
            // Readers set limits of their own, of which one rule speaks.
            if format_of(&case.path) != Format::Json || case.rule == "nested-too-deep" {
                continue;
            }
            // What JSON alone can get wrong, no other format says.
            let parsed = parse(&*text, Format::Json);
            if !parsed.errors.is_empty() || has_repeated_names(parsed.documents[0].root()) {
                continue;
            }
            let read =
                |it: &str| fs::read_to_string(case.path.with_extension(it)).unwrap_or_default();
            let (stored, facts) = (read("stored.json"), read("facts.json"));
            let label = case.path.display().to_string();
            compared += u32::from(same([&text, &stored, &facts], name, (format, writer), &label));
        }
        assert!(compared > 10, "{name}: {compared}");
    }
}

#[test]
fn generated_documents_have_the_same_findings_in_every_format() {
    for (name, format, writer) in WRITERS {
        let mut compared = 0;
        for seed in 0..cases(100, 2_000) {
            let [document, stored, facts] = GeneratedInputs::any(&mut Random::new(seed)).texts();
            compared +=
                u32::from(same([&document, &stored, &facts], name, (format, writer), "generated"));
        }
        assert!(compared > 10, "{name}: {compared}");
    }
}

fn has_repeated_names(root: Option<Node<'_>>) -> bool {
    let mut open: Vec<Node<'_>> = root.into_iter().collect();
    while let Some(node) = open.pop() {
        let mut names: Vec<_> = node.members().map(Member::name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        if names.len() < count {
            return true;
        }
        open.extend(node.elements().chain(node.members().map(|member| member.value)));
    }
    false
}

/// The same with a comment on each line and a comma too many: JSON where neither matters.
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

/// Objects as tables under headers, and lists of objects as arrays of tables.
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
        // TOML has no null, no surrogates, and a fraction or an exponent wants a digit on both sides, as in JSON.
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

/// How strings are written in YAML, where they can be.
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

/// A value after its name or its dash, to the end of its last line.
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

/// A literal block, for a text without characters that need escapes.
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
