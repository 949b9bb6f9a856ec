//! A stable identity of a finding, so that a baseline recognises it after edits elsewhere.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::Mutex;

use voxlint_model::masking::{DocumentSecrets, Mask};
use voxlint_model::pointer::unescape_token;
use voxlint_model::secret::mask_text;
use voxlint_model::value::MAX_EXACT_FLOAT;
use voxlint_model::{Diagnostic, Document, Inputs, Origin, Related};
use voxlint_syntax::{Kind, Node, NodeId, Pointers, Span};

use crate::DocumentKind;

/// The fields that identify the items of an array, the best first.
const NAMES: [&str; 6] = ["id", "name", "field_name", "displayName", "version_number", "title"];

/// What every masked name contains.
const MASK: &str = "**";

/// The maximum length of an item name, in bytes.
const MAX_NAME: usize = 200;

/// A stable identity of a finding, independent of edits elsewhere: the pointer and the contents of its value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FindingIdentity {
    /// The pointer to the value. Items of arrays are identified by their names, if they have one, and not by their indexes.
    /// For one of several documents in a file, the name of the document comes first. Secrets in names are masked.
    pub pointer: String,
    /// The value in a canonical form, independent of the format, white space and the order of its fields. For a finding about
    /// a part of a text, that part. Empty if the value is missing. Other values that the finding compares it with follow,
    /// each after a line break. It may contain secrets, so it must not be shown.
    pub value: String,
}

/// The identities of the findings of one check.
///
/// ```
/// use voxlint::{Document, FindingIdentities, Inputs, check};
///
/// let identity = |text: &str| {
///     let document = Document::parse(text);
///     let inputs = Inputs::new(document);
///     FindingIdentities::new(&inputs).of(&check(&inputs).diagnostics[0])
/// };
/// let before = identity(r#"{ "version_number": 3, "kb_max_chunks": 12 }"#);
/// assert_eq!(before.pointer, "/kb_max_chunks");
/// assert_eq!(before, identity("{\n\n\"kb_max_chunks\": 12.0, \"version_number\": 4 }"));
/// assert_ne!(before, identity(r#"{ "version_number": 3, "kb_max_chunks": 13 }"#));
/// ```
#[derive(Debug)]
pub struct FindingIdentities<'a> {
    inputs: &'a Inputs,
    /// The beginning of every pointer.
    prefix: String,
    /// The secrets of a list of API keys, whose items are identified by their ids.
    mask: Mask,
    indexes: Vec<(Origin, Index<'a>)>,
    /// The pointers of the document. The lock makes them `Sync`, and is never waited for.
    pointers: Option<Mutex<Pointers>>,
    /// The items of the arrays that findings lie in, with their names.
    items: HashMap<NodeId, Vec<(Node<'a>, Option<String>)>>,
    /// The fields of the objects that findings lie in.
    fields: HashMap<NodeId, HashMap<Cow<'a, str>, Node<'a>>>,
}

impl<'a> FindingIdentities<'a> {
    /// The identities for the findings of a check with these inputs.
    pub fn new(inputs: &'a Inputs) -> Self {
        let mut mask = Mask::default();
        if inputs.checked_as() == DocumentKind::ApiKeys {
            let secrets = DocumentSecrets::of(inputs.document(), DocumentKind::ApiKeys);
            secrets.collect(&mut mask);
        }
        Self {
            inputs,
            prefix: String::new(),
            mask,
            indexes: Vec::new(),
            pointers: None,
            items: HashMap::new(),
            fields: HashMap::new(),
        }
    }

    /// The document is one of several in its file and is identified by its name, if it has one.
    pub fn of_several(self) -> Self {
        let root = self.inputs.document.tree().root();
        let name = root.filter(|root| root.kind() == Kind::Object).and_then(name_of);
        let prefix = name.map(|name| format!("[{}]", mask_text(&name))).unwrap_or_default();
        let mut prefix = prefix;
        prefix = self.mask.value(&prefix);
        Self { prefix, ..self }
    }

    /// The identity of one of the findings.
    pub fn of(&mut self, finding: &Diagnostic) -> FindingIdentity {
        let (pointer, item_names) = self.stable(&finding.field);
        let Some(document) = self.inputs.document_of(finding.origin) else {
            return FindingIdentity { pointer, value: String::new() };
        };
        let index = self.index(finding.origin, document);
        let mut value = index.map_or_else(String::new, |index| index.value(finding.span, document));
        if finding.count != 1 {
            // It stands for findings that are not listed, and must not hide one more of them.
            value = finding.count.to_string();
        }
        for place in &finding.related {
            // Two findings are the same only if all values that led to them are.
            if let Some(compared) = self.compared(place) {
                value.push('\n');
                value.push_str(&compared);
            }
        }
        if pointer.contains(MASK) {
            // Two names may look alike when they are masked. The value is hashed wherever it is kept.
            value.push('\n');
            value.push_str(&item_names);
            if finding.origin == Origin::Document {
                value.push_str(&self.names_at(finding.span));
            }
        }
        FindingIdentity { pointer, value }
    }

    /// The names on the way to a place of the document, without the numbers of items.
    fn names_at(&mut self, span: Span) -> String {
        let tree = self.inputs.document.tree();
        let pointers = self.pointers.get_or_insert_with(|| Mutex::new(tree.pointers()));
        let (Some(node), Ok(pointers)) = (tree.leaf_at(span.start), pointers.get_mut()) else {
            return String::new();
        };
        let pointer = pointers.pointer(tree, node.id());
        let is_name = |token: &&str| !token.bytes().all(|byte| byte.is_ascii_digit());
        pointer.split('/').filter(is_name).collect::<Vec<_>>().join("/")
    }

    /// The value at a related place, if it is a scalar and not a bracket or a name.
    fn compared(&mut self, place: &Related) -> Option<String> {
        let document = self.inputs.document_of(place.origin)?;
        self.index(place.origin, document)?.compared(place.span)
    }

    fn index(&mut self, origin: Origin, document: &'a Document) -> Option<&Index<'a>> {
        if self.indexes.iter().all(|(of, _)| *of != origin) {
            self.indexes.push((origin, Index::of(document)));
        }
        self.indexes.iter().find(|(of, _)| *of == origin).map(|(_, index)| index)
    }

    /// The pointer with the names of items instead of their numbers and secrets masked, and the names of the items as they are.
    fn stable(&mut self, pointer: &str) -> (String, String) {
        let mut item_names = String::new();
        let mut node = self.inputs.document.tree().root();
        let mut out = self.prefix.clone();
        for token in pointer.split('/').skip(1) {
            let (next, name) = match node {
                Some(array) if array.kind() == Kind::Array => {
                    let items = self.items.entry(array.id()).or_insert_with(|| {
                        array.elements().map(|item| (item, name_of(item))).collect()
                    });
                    let item = token.parse::<usize>().ok().and_then(|index| items.get(index));
                    (item.map(|(item, _)| *item), item.and_then(|(_, name)| name.as_deref()))
                }
                Some(object) => {
                    // Of equal names the last one counts.
                    let fields = self.fields.entry(object.id()).or_insert_with(|| {
                        object.members().map(|member| (member.name(), member.value)).collect()
                    });
                    (fields.get(&*unescape_token(token)).copied(), None)
                }
                None => (None, None),
            };
            // Writing to a string cannot fail.
            if let Some(name) = name {
                item_names.push_str(name);
                item_names.push('/');
            }
            let _ = match (name, node.map(Node::kind)) {
                (Some(name), _) => write!(out, "/[{}]", mask_text(name)),
                // Items without a name are identified by their contents.
                (None, Some(Kind::Array)) => write!(out, "/[]"),
                (None, _) => write!(out, "/{}", mask_text(token)),
            };
            node = next;
        }
        out = self.mask.value(&out);
        (out, item_names)
    }
}

/// The name of an item: a field that tells it from the other items.
fn name_of(item: Node<'_>) -> Option<String> {
    NAMES.iter().find_map(|key| {
        let value = item.get(key)?;
        let is_name = matches!(value.kind(), Kind::String | Kind::Number)
            && value.span().len() as usize <= MAX_NAME;
        is_name.then(|| format!("{key}={}", scalar(value)))
    })
}

/// The values of a document by the characters that spell them.
#[derive(Debug)]
struct Index<'a> {
    /// The values by their characters, with the quotes of a string and without.
    values: HashMap<Span, Node<'a>>,
    /// The opening brackets, at which missing fields are reported.
    openings: HashSet<Span>,
    /// The strings, in the order of the text.
    strings: Vec<Span>,
}

impl<'a> Index<'a> {
    fn of(document: &'a Document) -> Self {
        let mut index =
            Self { values: HashMap::new(), openings: HashSet::new(), strings: Vec::new() };
        for node in document.tree().nodes().filter(|node| node.kind() != Kind::Key) {
            index.values.entry(node.span()).or_insert(node);
            match node.kind() {
                Kind::Object | Kind::Array => {
                    index.openings.insert(node.opening());
                }
                Kind::String => {
                    index.strings.push(node.span());
                    if let Some(text) = node.text() {
                        let inner = text.to_source(0..text.as_str().len());
                        index.values.entry(inner).or_insert(node);
                    }
                }
                _ => {}
            }
        }
        index.strings.sort_unstable();
        index
    }

    /// The scalar that the characters spell.
    fn compared(&self, span: Span) -> Option<String> {
        let node = *self.values.get(&span)?;
        (!matches!(node.kind(), Kind::Object | Kind::Array)).then(|| canonical(node))
    }

    /// The contents of the characters.
    fn value(&self, span: Span, document: &Document) -> String {
        if let Some(node) = self.values.get(&span) {
            return canonical(*node);
        }
        // A missing field is reported at the bracket of its object. The contents of the object do not matter.
        if self.openings.contains(&span) {
            return String::new();
        }
        let before = self.strings.partition_point(|string| string.start <= span.start);
        let string = before.checked_sub(1).and_then(|at| self.strings.get(at));
        let string = string.filter(|string| span.end <= string.end);
        let text = document.tree().text();
        let span = string.map_or(span, |string| words_around(*string, span, text));
        let words: Vec<&str> = span.slice(text).split_whitespace().collect();
        words.join(" ")
    }
}

/// The maximum length that a part of a string is extended by on either side, in bytes.
const MAX_WORD: usize = 1000;

/// A part of a string, extended to whole words. A brace alone would identify little.
fn words_around(string: Span, part: Span, text: &str) -> Span {
    let before = Span::new(string.start, part.start).slice(text);
    let behind = Span::new(part.end, string.end).slice(text);
    // In a text without white space, all findings would have the whole of it.
    let near = before.len().saturating_sub(MAX_WORD);
    let before = (near..).find_map(|at| before.get(at..)).unwrap_or_default();
    let near = behind.len().min(MAX_WORD);
    let behind = (0..=near).rev().find_map(|at| behind.get(..at)).unwrap_or_default();
    let start = before.split(char::is_whitespace).next_back().map_or(0, str::len);
    let end = behind.find(char::is_whitespace).unwrap_or(behind.len());
    Span::new(part.start - start as u32, part.end + end as u32)
}

/// The value in a form like JSON without white space, the fields of objects sorted by name.
fn canonical(node: Node<'_>) -> String {
    let mut out = String::new();
    write_canonical(node, &mut out);
    out
}

fn write_canonical(node: Node<'_>, out: &mut String) {
    // The readers limit the depth of trees, so this recursion is bounded.
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
        Kind::String => write_text(&scalar(node), out),
        _ => out.push_str(&scalar(node)),
    }
}

/// The value of a scalar, independent of its spelling.
fn scalar(node: Node<'_>) -> Cow<'_, str> {
    if node.kind() == Kind::Null {
        return "null".into();
    }
    if let Some(flag) = node.as_bool() {
        return flag.to_string().into();
    }
    if let Some(number) = node.decimal() {
        let value = number.to_f64();
        // Larger ones, which a float may not represent exactly, stay as written.
        return if value.abs() < MAX_EXACT_FLOAT {
            value.to_string()
        } else {
            number.literal().to_owned()
        }
        .into();
    }
    node.as_str().unwrap_or_else(|| node.source().into())
}

/// A text after its length, so that no text looks like another one followed by something else.
fn write_text(text: &str, out: &mut String) {
    let _ = write!(out, "{}:{text}", text.len());
}

#[cfg(test)]
mod tests {
    use voxlint_engine::check;
    use voxlint_syntax::Format;

    use super::*;

    #[test]
    fn names_that_look_alike_when_they_are_masked_have_different_identities() {
        let functions = |name: &str| {
            let text = format!(
                r#"{{ "version_number": 3, "agent_functions": [{{ "displayName": "{name}", "type": 7 }}] }}"#
            );
            identities(&text, Format::Json)
        };
        let fields = |name: &str| {
            identities(&format!(r#"{{ "version_number": 3, "{name}": 5 }}"#), Format::Json)
        };
        for (one, other) in [
            (
                functions("ghp_Q8f3K2xZ7mB4nV6cR9tY1wE5sD3aG8hJ2kL0"),
                functions("ghp_P9g4L2xZ8nC5mW7dS0uX2vF6tE4bH9iK3lM1"),
            ),
            (
                fields("ghp_Q8f3K2xZ7mB4nV6cR9tY1wE5sD3aG8hJ2kL0"),
                fields("ghp_P9g4L2xZ8nC5mW7dS0uX2vF6tE4bH9iK3lM1"),
            ),
        ] {
            let pointers = |all: &[FindingIdentity]| -> Vec<String> {
                all.iter().map(|it| it.pointer.clone()).collect()
            };
            assert!(!one.is_empty() && pointers(&one) == pointers(&other), "{one:#?}{other:#?}");
            assert!(one != other, "{one:#?}");
        }
    }

    fn identities(text: &str, format: Format) -> Vec<FindingIdentity> {
        let document = Document::parse_as(text, format);
        let inputs = Inputs::new(document);
        let mut identities = FindingIdentities::new(&inputs);
        check(&inputs).diagnostics.iter().map(|finding| identities.of(finding)).collect()
    }

    #[test]
    fn neighbours_do_not_matter() {
        let before =
            r#"{ "version_number": 3, "agent_functions": [{ "name": "book", "type": 7 }] }"#;
        let after = r#"{ "agent_functions": [{ "name": "cancel" }, { "type": 7, "name": "book" }], "title": "New", "version_number": 4 }"#;
        let kept =
            |identity: &FindingIdentity| identity.pointer == "/agent_functions/[name=book]/type";
        let find = |text| identities(text, Format::Json).into_iter().find(kept);
        assert!(find(before).is_some());
        assert_eq!(find(before), find(after));
    }

    #[test]
    #[allow(clippy::format_collect, reason = "the texts of a test are small")]
    fn a_thousand_findings_are_identified_as_fast_as_one() {
        // Quadratic work would take minutes here.
        let count = 20_000;
        let members = |separator: &str| -> String {
            (0..count).map(|number| format!("\"key_{number}\": 1{separator}")).collect()
        };
        let items = "{ \"type\": 7, \"name\": \"book\" },".repeat(count);
        for text in [
            format!("{{ {} \"version_number\": 3 }}", members(",")),
            format!("{{ \"agent_functions\": [{items} {{}}], \"version_number\": 3 }}"),
            format!(
                "{{ \"agent_functions\": [{{ {} \"type\": 7 }}], \"version_number\": 3 }}",
                members(",")
            ),
        ] {
            let document = Document::parse(text);
            let fields: Vec<String> = {
                let pointers = document.tree().pointers();
                document
                    .tree()
                    .nodes()
                    .map(|node| pointers.pointer(document.tree(), node.id()))
                    .collect()
            };
            let inputs = Inputs::new(document);
            let mut identities = FindingIdentities::new(&inputs);
            assert!(fields.iter().map(|field| identities.stable(field)).all(|it| it.0.len() < 200));
        }
    }

    #[test]
    fn the_format_does_not_matter() {
        let json = identities(r#"{ "version_number": 3, "kb_max_chunks": 12 }"#, Format::Json);
        assert_eq!(json, identities("kb_max_chunks: 12\nversion_number: 3\n", Format::Yaml));
        assert_eq!(json, identities("version_number = 3\nkb_max_chunks = 12\n", Format::Toml));
    }

    #[test]
    fn all_values_that_are_compared_matter() {
        let find = |interval: &str, title: &str| {
            let text = format!(
                r#"{{ "version_number": 3, "title": "{title}", "reminder_message_interval": {interval}, "end_call_on_silence_sec": 20 }}"#
            );
            identities(&text, Format::Json)
        };
        assert_eq!(find("16", "A"), find("16.0", "B"));
        assert_ne!(find("16", "A"), find("19", "A"));
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
    fn a_missing_field_is_independent_of_its_siblings() {
        let find = |text| identities(text, Format::Json);
        let missing = find(r#"{ "title": "Front desk", "voice_id": "v" }"#);
        assert_eq!(missing[0].pointer, "/version_number");
        assert_eq!(missing[0], find(r#"{ "title": "Night desk", "voice_id": "w" }"#)[0]);
    }
}
