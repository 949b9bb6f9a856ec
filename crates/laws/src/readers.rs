//! The parsers of documents.

use voxlint::syntax::{Format, Kind, Node, decode, parse};
use voxlint_testing::trees::{Verdict, compare_with_serde_json, same_values, sound};

/// Holds if voxlint and `serde_json` read the text in the same way, and its tree is sound.
pub fn json(bytes: &[u8]) {
    if let Err(why) = compare_with_serde_json(bytes) {
        panic!("{why}");
    }
}

/// Holds if valid JSON has the same values in JSONC, and the tree of the text is sound.
pub fn jsonc(bytes: &[u8]) {
    sound_in(bytes, Format::Jsonc);
    if let Ok(Verdict::Accepted) = compare_with_serde_json(bytes) {
        let text = decode(bytes).text;
        let (strict, relaxed) = (parse(&*text, Format::Json), parse(&*text, Format::Jsonc));
        assert!(relaxed.errors.is_empty(), "{:?}", relaxed.errors);
        assert_same(strict.documents[0].root(), relaxed.documents[0].root(), &text);
    }
}

/// Holds if valid YAML has the same values when it is written as JSON, and the tree of the text is sound.
pub fn yaml(bytes: &[u8]) {
    sound_in(bytes, Format::Yaml);
    same_as_json(bytes, Format::Yaml);
}

/// Holds if valid TOML has the same values when it is written as JSON, and the tree of the text is sound.
pub fn toml(bytes: &[u8]) {
    sound_in(bytes, Format::Toml);
    same_as_json(bytes, Format::Toml);
}

fn sound_in(bytes: &[u8], format: Format) {
    let decoded = decode(bytes);
    let parsed = parse(&*decoded.text, format);
    if let Err(why) = sound(&decoded.text, &parsed, format) {
        panic!("{why}");
    }
}

fn same_as_json(bytes: &[u8], format: Format) {
    let decoded = decode(bytes);
    let parsed = parse(&*decoded.text, format);
    if !parsed.errors.is_empty() || !decoded.errors.is_empty() || !parsed.unread.is_empty() {
        return;
    }
    for tree in &parsed.documents {
        let Some(root) = tree.root() else { continue };
        let mut text = String::new();
        write_json(root, &mut text);
        let json = parse(&*text, Format::Json);
        assert!(json.errors.is_empty(), "{:?} in {text}", json.errors);
        assert_same(Some(root), json.documents[0].root(), &text);
    }
}

fn assert_same(one: Option<Node<'_>>, other: Option<Node<'_>>, text: &str) {
    match (one, other) {
        (Some(one), Some(other)) => {
            if let Err(why) = same_values(one, other) {
                panic!("{why} in {text}");
            }
        }
        (None, None) => {}
        _ => panic!("only one of the trees has a root: {text}"),
    }
}

/// Writes a value as JSON. Documents may be nested too deeply for recursion.
fn write_json(root: Node<'_>, out: &mut String) {
    enum Step<'a> {
        Value(Node<'a>),
        Text(&'static str),
        Name(Node<'a>),
    }
    let mut steps = vec![Step::Value(root)];
    while let Some(step) = steps.pop() {
        let node = match step {
            Step::Text(text) => {
                out.push_str(text);
                continue;
            }
            Step::Value(node) | Step::Name(node) => node,
        };
        match node.kind() {
            Kind::Object => {
                steps.push(Step::Text("}"));
                let members: Vec<_> = node.members().collect();
                for (at, member) in members.iter().enumerate().rev() {
                    steps.extend([
                        Step::Value(member.value),
                        Step::Text(":"),
                        Step::Name(member.key),
                        Step::Text(if at == 0 { "{" } else { "," }),
                    ]);
                }
                if members.is_empty() {
                    steps.push(Step::Text("{"));
                }
            }
            Kind::Array => {
                steps.push(Step::Text("]"));
                let elements: Vec<_> = node.elements().collect();
                for (at, element) in elements.iter().enumerate().rev() {
                    steps.extend([
                        Step::Value(*element),
                        Step::Text(if at == 0 { "[" } else { "," }),
                    ]);
                }
                if elements.is_empty() {
                    steps.push(Step::Text("["));
                }
            }
            Kind::String | Kind::Key => {
                let text = node.as_str().expect("a text");
                out.push_str(&serde_json::to_string(&*text).expect("a JSON string"));
            }
            Kind::Number => out.push_str(node.decimal().expect("a number").literal()),
            Kind::Bool => out.push_str(if node.as_bool() == Some(true) { "true" } else { "false" }),
            Kind::Null => out.push_str("null"),
            Kind::Invalid => panic!("{node:?} in a document without errors"),
        }
    }
}
