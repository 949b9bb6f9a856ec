//! What a finding is about, in a way that outlives edits elsewhere.

use std::fmt::Write as _;

use voxlint_syntax::{Kind, Node, Span};

use crate::secrets::covered_text;
use crate::{Diagnostic, Document, Inputs, Origin};

/// The members by which people tell the items of an array apart, the best first.
const NAMES: [&str; 6] = ["id", "name", "field_name", "displayName", "version_number", "title"];

/// How many bytes of a key's value name an item: more is no name.
const LONGEST_NAME: usize = 200;

/// What a finding is about, whatever moves around it: where its value stands, and what the value says.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Identity {
    /// The pointer to the value, in which items of arrays go by their name, where they have one, and not by their number.
    /// Secrets in names are covered.
    pub pointer: String,
    /// The value, written the same way whatever the format, the white space and the order of its members: of a finding
    /// about a part of a text, that part. Empty where the value is missing. It may hold secrets: never show it.
    pub value: String,
}

impl Identity {
    /// The identity of a finding of a check.
    ///
    /// ```
    /// use voxlint::{Document, Identity, Inputs, Source, check};
    ///
    /// let identity = |text: &str| {
    ///     let source = Source::from(text);
    ///     let document = Document::parse(&source);
    ///     let inputs = Inputs::new(&document);
    ///     Identity::of(&check(&inputs).diagnostics[0], &inputs)
    /// };
    /// let before = identity(r#"{ "version_number": 3, "kb_max_chunks": 12 }"#);
    /// assert_eq!(before.pointer, "/kb_max_chunks");
    /// assert_eq!(before, identity("{\n\n\"kb_max_chunks\": 12, \"version_number\": 4 }"));
    /// assert_ne!(before, identity(r#"{ "version_number": 3, "kb_max_chunks": 13 }"#));
    /// ```
    pub fn of(found: &Diagnostic, inputs: &Inputs<'_>) -> Self {
        let root = inputs.document.tree.root();
        let pointer = stable(&found.field, root);
        let document = match found.origin {
            Origin::Document => Some(inputs.document),
            Origin::Stored => inputs.stored.map(|stored| stored.document),
            Origin::Facts => inputs.facts.map(|facts| facts.document),
            Origin::Text(at) => inputs.texts.get(usize::from(at)).map(|text| text.document),
        };
        let value = document.map_or_else(String::new, |document| value(found, document));
        Self { pointer, value }
    }
}

/// The pointer with the names of items instead of their numbers.
fn stable(pointer: &str, root: Option<Node<'_>>) -> String {
    let mut node = root;
    let mut out = String::with_capacity(pointer.len());
    for token in pointer.split('/').skip(1) {
        let (next, name) = match node {
            Some(array) if array.kind() == Kind::Array => {
                let item = token.parse().ok().and_then(|index: usize| array.elements().nth(index));
                (item, item.and_then(name_of))
            }
            Some(object) => {
                let name = token.replace("~1", "/").replace("~0", "~");
                (object.get(&name), None)
            }
            None => (None, None),
        };
        // Writing to a string cannot fail.
        let _ = match (name, node.map(Node::kind)) {
            (Some(name), _) => write!(out, "/[{}]", covered_text(&name)),
            // Items without a name are told apart by what they say.
            (None, Some(Kind::Array)) => write!(out, "/[]"),
            (None, _) => write!(out, "/{}", covered_text(token)),
        };
        node = next;
    }
    out
}

/// The name of an item: a member that tells it apart from its neighbours.
fn name_of(item: Node<'_>) -> Option<String> {
    NAMES.iter().find_map(|key| {
        let value = item.get(key)?;
        let is_name = matches!(value.kind(), Kind::String | Kind::Number)
            && value.span().len() as usize <= LONGEST_NAME;
        let text = value.as_str().unwrap_or_else(|| value.source().into());
        is_name.then(|| format!("{key}={text}"))
    })
}

/// What the characters at fault say.
fn value(found: &Diagnostic, document: &Document<'_>) -> String {
    let span = found.span;
    let whole = document.tree.nodes().find(|node| {
        let around = node.span();
        let is_around = around.start <= span.start && span.end <= around.end;
        node.kind() != Kind::Key && is_around && (around == span || inner(*node) == Some(span))
    });
    if let Some(node) = whole {
        return canonical(node);
    }
    // A missing member stands at the bracket of its object: what else is in there has nothing to do with it.
    let is_opening = document
        .tree
        .nodes()
        .any(|node| matches!(node.kind(), Kind::Object | Kind::Array) && node.opening() == span);
    if is_opening {
        return String::new();
    }
    let leaf = document.tree.nodes().find(|node| {
        let around = node.span();
        node.kind() == Kind::String && around.start <= span.start && span.end <= around.end
    });
    let span = leaf.map_or(span, |leaf| words_around(leaf.span(), span, document.tree.text()));
    let words: Vec<&str> = span.slice(document.tree.text()).split_whitespace().collect();
    words.join(" ")
}

/// A part of a string with the rest of the words that it begins and ends in: a brace alone says little.
fn words_around(string: Span, part: Span, text: &str) -> Span {
    let before = Span::new(string.start, part.start).slice(text);
    let behind = Span::new(part.end, string.end).slice(text);
    let start = before.split(char::is_whitespace).next_back().map_or(0, str::len);
    let end = behind.find(char::is_whitespace).unwrap_or(behind.len());
    Span::new(part.start - start as u32, part.end + end as u32)
}

/// The characters between the quotes of a string.
fn inner(node: Node<'_>) -> Option<Span> {
    let text = node.text()?;
    Some(text.to_source(0..text.as_str().len()))
}

/// The value as JSON without white space, the members of objects in the order of their names.
fn canonical(node: Node<'_>) -> String {
    let mut out = String::new();
    write_canonical(node, &mut out);
    out
}

fn write_canonical(node: Node<'_>, out: &mut String) {
    // Trees are not nested deeper than their readers go, and so is this.
    match node.kind() {
        Kind::Object => {
            let mut members: Vec<_> =
                node.members().map(|member| (member.name(), member.value)).collect();
            members.sort_by(|a, b| a.0.cmp(&b.0));
            out.push('{');
            for (name, value) in members {
                write_text(&name, out);
                write_canonical(value, out);
                out.push(',');
            }
            out.push('}');
        }
        Kind::Array => {
            out.push('[');
            for element in node.elements() {
                write_canonical(element, out);
                out.push(',');
            }
            out.push(']');
        }
        _ => match node.as_str() {
            Some(text) => write_text(&text, out),
            None => out.push_str(node.source()),
        },
    }
}

/// A text behind its length, so that no text can pass for another one with something behind it.
fn write_text(text: &str, out: &mut String) {
    let _ = write!(out, "{}:{text}", text.len());
}

#[cfg(test)]
mod tests {
    use voxlint_syntax::Format;

    use super::*;
    use crate::{Source, check};

    fn identities(text: &str, format: Format) -> Vec<Identity> {
        let source = Source::from(text);
        let document = Document::parse_as(&source, format);
        let inputs = Inputs::new(&document);
        check(&inputs).diagnostics.iter().map(|found| Identity::of(found, &inputs)).collect()
    }

    #[test]
    fn neighbours_do_not_matter() {
        let before =
            r#"{ "version_number": 3, "agent_functions": [{ "name": "book", "type": 7 }] }"#;
        let after = r#"{ "agent_functions": [
            { "name": "cancel" },
            { "type": 7, "name": "book" }
        ], "title": "New", "version_number": 4 }"#;
        let kept = |identity: &Identity| identity.pointer == "/agent_functions/[name=book]/type";
        let find = |text| identities(text, Format::Json).into_iter().find(kept);
        assert!(find(before).is_some());
        assert_eq!(find(before), find(after));
    }

    #[test]
    fn the_format_does_not_matter() {
        let json = identities(r#"{ "version_number": 3, "kb_max_chunks": 12 }"#, Format::Json);
        assert_eq!(json, identities("kb_max_chunks: 12\nversion_number: 3\n", Format::Yaml));
        assert_eq!(json, identities("version_number = 3\nkb_max_chunks = 12\n", Format::Toml));
    }

    #[test]
    fn of_a_text_the_part_at_fault_counts() {
        let find = |prompt: &str| {
            let text = format!("{{ \"version_number\": 3, \"prompt_text\": \"{prompt}\" }}");
            identities(&text, Format::Json)
        };
        assert_eq!(find("Hello {{name}"), find("Good morning,\\nhello {{name}"));
        assert_ne!(find("Hello {{name}"), find("Hello {{nome}"));
    }

    #[test]
    fn a_secret_in_a_name_is_covered() {
        let secret = "key_ci_1:Zk3vT9qLr2Xw8YbN5mHd7PcS";
        let text = format!(
            r#"{{ "version_number": 3, "{secret}": 1, "agent_functions": [{{ "name": "{secret}" }}] }}"#
        );
        let found = identities(&text, Format::Json);
        assert!(
            found.iter().any(|it| it.pointer.starts_with("/agent_functions/[name=key_ci_1:***"))
        );
        assert!(found.iter().all(|it| !it.pointer.contains("Zk3vT9qLr2Xw8YbN5mHd7PcS")));
    }

    #[test]
    fn what_else_an_object_holds_is_not_what_it_lacks() {
        let find = |text| identities(text, Format::Json);
        let missing = find(r#"{ "title": "Front desk", "voice_id": "v" }"#);
        assert_eq!(missing[0].pointer, "/version_number");
        assert_eq!(missing[0], find(r#"{ "title": "Night desk", "voice_id": "w" }"#)[0]);
    }
}
