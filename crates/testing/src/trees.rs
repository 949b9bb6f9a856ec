//! Checks of syntax trees and their spans, and comparisons with `serde_json`. They hold for any text.

use std::borrow::Cow;

use serde_json::Value;
use voxlint_syntax::{
    Format, Kind, Member, Node, Parsed, Span, SyntaxError, SyntaxErrorKind, Tree, decode, parse,
};

/// Whether voxlint and `serde_json` accept a text as JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Both accept it.
    Accepted,
    /// Both reject it.
    Rejected,
    /// The text exceeds a limit of `serde_json` that voxlint does not have.
    LeftOut,
}

/// Reads a text with voxlint and with `serde_json`, and compares the results.
///
/// # Errors
///
/// If only one of the two accepts the text, if they read different values, or if the tree is not [sound].
pub fn compare_with_serde_json(bytes: &[u8]) -> Result<Verdict, String> {
    let decoded = decode(bytes);
    if decoded.text.len() != bytes.len() && !decoded.text.is_empty() {
        return Err("decoding changes offsets".to_owned());
    }
    let parsed = parse(&*decoded.text, Format::Json);
    errors_are_sound(&decoded.text, &decoded.errors)?;
    sound(&decoded.text, &parsed, Format::Json)?;
    let tree = &parsed.documents[0];
    let accepts = decoded.errors.is_empty() && parsed.errors.is_empty();
    if accepts {
        same_with_recovery(&decoded.text, tree)?;
    }
    match serde_json::from_slice::<Value>(bytes) {
        Ok(value) if accepts => {
            let root = tree.root().ok_or("no root")?;
            same_value(root, &value)?;
            Ok(Verdict::Accepted)
        }
        Ok(_) => Err(format!("serde_json accepts it, but voxlint finds {:?}", parsed.errors)),
        Err(error) => {
            let error = error.to_string();
            // voxlint allows deeper nesting and numbers of any size.
            if error.starts_with("recursion limit") || error.starts_with("number out of range") {
                return Ok(Verdict::LeftOut);
            }
            if accepts {
                Err(format!("serde_json rejects it: {error}"))
            } else {
                Ok(Verdict::Rejected)
            }
        }
    }
}

/// Whether the documents and errors of a text are consistent: every node is inside its text (in JSON, also inside its parent), every error has a
/// span in the text and a message, and no node of a text without errors is faulty.
///
/// # Errors
///
/// If they are not.
pub fn sound(text: &str, parsed: &Parsed, format: Format) -> Result<(), String> {
    errors_are_sound(text, &parsed.errors)?;
    let listed = parsed.errors.iter().filter(|e| e.kind != SyntaxErrorKind::TooManyErrors);
    if !listed.map(|error| error.span).is_sorted() {
        return Err(format!("the errors are not in order: {:?}", parsed.errors));
    }
    for tree in &parsed.documents {
        sound_tree(tree, matches!(format, Format::Json | Format::Jsonc))?;
        let is_wrong = |node: Node<'_>| {
            node.is_faulty() || node.is_incomplete() || node.kind() == Kind::Invalid
        };
        if parsed.errors.is_empty() && tree.nodes().any(is_wrong) {
            return Err("a node is faulty, but there is no error".to_owned());
        }
    }
    Ok(())
}

fn errors_are_sound(text: &str, errors: &[SyntaxError]) -> Result<(), String> {
    for error in errors {
        for span in [Some(error.span), error.related].into_iter().flatten() {
            in_text(span, text, "an error")?;
        }
        let words = [
            Some(error.message(text)),
            Some(error.label().to_owned()),
            error.help(text),
            error.related_label().map(str::to_owned),
        ];
        if words.iter().flatten().any(|words| words.is_empty() || words.contains('\n')) {
            return Err(format!(
                "{error:?} has an empty text or a line break in a text: {words:?}"
            ));
        }
    }
    Ok(())
}

/// Valid texts have their own parser. A byte order mark makes a text invalid, so that the error-recovering parser reads it. That
/// parser must not find any other error, and must build the same tree.
fn same_with_recovery(text: &str, tree: &Tree) -> Result<(), String> {
    let mark = "\u{feff}";
    let parsed = parse(format!("{mark}{text}"), Format::Json);
    if parsed.errors.iter().any(|error| error.kind != SyntaxErrorKind::ByteOrderMark) {
        return Err(format!("the error-recovering parser finds {:?}", parsed.errors));
    }
    let nodes = |tree: &Tree, offset: usize| -> Vec<_> {
        let place = |node: Node<'_>| {
            let span = node.span();
            (span.start as usize - offset, span.end as usize - offset, node.after().index())
        };
        let value =
            |node: Node<'_>| node.as_str().map_or(node.source().to_owned(), Cow::into_owned);
        tree.nodes().map(|node| (node.kind(), place(node), node.is_plain(), value(node))).collect()
    };
    let (ours, others) = (nodes(tree, 0), nodes(&parsed.documents[0], mark.len()));
    if ours == others {
        Ok(())
    } else {
        Err(format!("the parsers build different trees:\n{ours:?}\n{others:?}"))
    }
}

fn in_text(span: Span, text: &str, what: &str) -> Result<(), String> {
    match text.get(span.start as usize..span.end as usize) {
        Some(_) => Ok(()),
        None => Err(format!("{what} at {span:?} is not in the text")),
    }
}

/// Every node is reachable from the root, and a walk meets the nodes in the order of their indexes. In JSON, a node is inside its
/// parent and after its earlier siblings. In YAML, the value of an alias is elsewhere, and in TOML, a table may have parts in
/// several places.
fn sound_tree(tree: &Tree, is_exact: bool) -> Result<(), String> {
    let mut pending: Vec<(Node<'_>, Span)> = Vec::new();
    pending.extend(tree.root().map(|root| (root, Span::new(0, tree.text().len() as u32))));
    let mut next = 0;
    while let Some((node, bounds)) = pending.pop() {
        if node.id().index() != next {
            return Err(format!("{node:?} has index {}, expected {next}", node.id().index()));
        }
        next += 1;
        in_text(node.span(), tree.text(), "a node")?;
        if node.span().start > node.span().end || is_exact && !bounds.contains(node.span()) {
            return Err(format!("{node:?} extends beyond {bounds:?}"));
        }
        let mut children = Vec::new();
        for member in node.members() {
            if member.key.kind() != Kind::Key || member.value.kind() == Kind::Key {
                return Err(format!("{member:?} is not a member"));
            }
            children.extend([member.key, member.value]);
        }
        children.extend(node.elements());
        if node.kind() == Kind::Array && children.iter().any(|child| child.kind() == Kind::Key) {
            return Err(format!("a key in the array {node:?}"));
        }
        let spans = || children.iter().map(|child| child.span());
        if is_exact
            && spans().zip(spans().skip(1)).any(|(elder, younger)| elder.end > younger.start)
        {
            return Err(format!("the children of {node:?} overlap: {children:?}"));
        }
        pending.extend(children.iter().rev().map(|child| (*child, node.span())));
        sound_text(node, is_exact)?;
    }
    if next == tree.len() { Ok(()) } else { Err("some nodes have no parent".to_owned()) }
}

/// Each character has its own span in the source, after the span of the character before it. In YAML, several characters may share
/// a span, such as that of a folded line break, and the last line break of a block scalar is after the node.
fn sound_text(node: Node<'_>, is_exact: bool) -> Result<(), String> {
    if node.kind() == Kind::Number && node.decimal().is_none() {
        return Err(format!("{node:?} has no value"));
    }
    let Some(text) = node.text() else {
        return match node.kind() {
            Kind::Key | Kind::String => Err(format!("{node:?} has no text")),
            _ => Ok(()),
        };
    };
    if node.as_str().as_deref() != Some(text.as_str()) {
        return Err(format!("{node:?} decodes to two different texts"));
    }
    let mut from = node.span().start;
    for (at, character) in text.as_str().char_indices() {
        let span = text.to_source(at..at + character.len_utf8());
        let is_sound = if is_exact {
            span.start >= from && !span.is_empty() && node.span().contains(span)
        } else {
            span.start >= from && in_text(span, node.tree().text(), "a character").is_ok()
        };
        if !is_sound {
            return Err(format!("{character:?} at {at} of {node:?} comes from {span:?}"));
        }
        from = if is_exact { span.end } else { span.start };
    }
    Ok(())
}

fn same_value(node: Node<'_>, value: &Value) -> Result<(), String> {
    let same = match value {
        Value::Null => node.kind() == Kind::Null,
        Value::Bool(value) => node.as_bool() == Some(*value),
        Value::String(value) => {
            node.kind() == Kind::String && node.as_str().as_deref() == Some(value.as_str())
        }
        Value::Number(value) => same_number(node, value),
        Value::Array(values) => {
            for (node, value) in node.elements().zip(values) {
                same_value(node, value)?;
            }
            node.kind() == Kind::Array && node.elements().count() == values.len()
        }
        Value::Object(values) => {
            for (name, value) in values {
                let node = node.get(name).ok_or_else(|| format!("no {name:?} in {node:?}"))?;
                same_value(node, value)?;
            }
            node.kind() == Kind::Object
                && node.members().all(|member| values.contains_key(&*member.name()))
        }
    };
    if same { Ok(()) } else { Err(format!("serde_json reads {node:?} as {value}")) }
}

fn same_number(node: Node<'_>, value: &serde_json::Number) -> bool {
    let Some(decimal) = node.decimal() else { return false };
    if let Some(integer) = value.as_i64() {
        return decimal == integer && decimal.is_whole();
    }
    if let Some(integer) = value.as_u64() {
        return decimal.literal().parse() == Ok(integer) && decimal.is_whole();
    }
    // Without its feature `float_roundtrip`, serde_json may return a slightly different number.
    let (ours, theirs) = (decimal.to_f64(), value.as_f64().unwrap());
    (ours - theirs).abs() <= ours.abs() * 1e-15 + f64::MIN_POSITIVE
}

/// Whether two documents have the same values, whatever their formats.
///
/// # Errors
///
/// If a value differs.
pub fn same_values(one: Node<'_>, other: Node<'_>) -> Result<(), String> {
    let mut pairs = vec![(one, other)];
    while let Some((one, other)) = pairs.pop() {
        let same = one.kind() == other.kind()
            && one.as_bool() == other.as_bool()
            && one.decimal() == other.decimal()
            && one.elements().count() == other.elements().count()
            && (one.kind() != Kind::String || one.as_str() == other.as_str())
            && one.members().map(Member::name).eq(other.members().map(Member::name));
        if !same {
            return Err(format!("{one:?} and {other:?} differ"));
        }
        pairs.extend(one.elements().zip(other.elements()));
        pairs.extend(
            one.members().zip(other.members()).map(|(one, other)| (one.value, other.value)),
        );
    }
    Ok(())
}
