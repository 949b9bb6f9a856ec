//! Where a document holds secrets, so that no report shows them.

use std::borrow::Cow;

use voxlint_syntax::{Kind, Node, Span, Tree};

/// The shortest secret part of a key: shorter ones are ports, times and ratios.
const SHORTEST: usize = 16;

/// How the keys and tokens of well-known services begin.
const PREFIXES: [&str; 12] = [
    "sk-",
    "sk_",
    "pk_",
    "rk_",
    "ghp_",
    "gho_",
    "ghs_",
    "github_pat_",
    "glpat-",
    "xoxb-",
    "xoxp-",
    "AKIA",
];

/// The bytes of the document that hold secrets, in the order of the text.
pub(crate) fn spans(tree: &Tree<'_>) -> Vec<Span> {
    let mut spans = Vec::new();
    // Everything that ends before this is inside the value of a member with a telling name.
    let mut secret_until = 0;
    let mut name_is_secret = false;
    for node in tree.nodes() {
        let span = node.span();
        let is_secret = name_is_secret || span.end <= secret_until;
        match node.kind() {
            Kind::Key => {
                name_is_secret = node.as_str().is_some_and(|name| is_secret_name(&name));
                keys_in(node.source(), span.start, &mut spans);
                continue;
            }
            Kind::Object | Kind::Array if is_secret => secret_until = secret_until.max(span.end),
            Kind::String | Kind::Number | Kind::Invalid if is_secret => spans.push(inner(node)),
            Kind::String | Kind::Invalid => keys_in(node.source(), span.start, &mut spans),
            _ => {}
        }
        name_is_secret = false;
    }
    spans
}

/// The text of the document with every secret covered, for messages that show parts of it. Offsets stay true.
pub(crate) fn covered<'t>(tree: &Tree<'t>) -> Cow<'t, str> {
    cover(tree.text(), &spans(tree))
}

/// A text with the secrets in it covered, for messages.
pub(crate) fn covered_text(text: &str) -> Cow<'_, str> {
    let mut spans = Vec::new();
    keys_in(text, 0, &mut spans);
    cover(text, &spans)
}

fn cover<'t>(text: &'t str, spans: &[Span]) -> Cow<'t, str> {
    if spans.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for span in spans {
        if let Some(secret) = bytes.get_mut(span.start as usize..span.end as usize) {
            secret.fill(b'*');
        }
    }
    Cow::Owned(String::from_utf8_lossy(&bytes).into_owned())
}

/// The characters between the quotes, if there are quotes.
fn inner(node: Node<'_>) -> Span {
    let span = node.span();
    let quoted = node.kind() == Kind::String && span.len() >= 2;
    if quoted { Span::new(span.start + 1, span.end - 1) } else { span }
}

/// Whether a member of this name holds a secret.
pub(crate) fn is_secret_name(name: &str) -> bool {
    let plain: String =
        name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    [
        "secret",
        "password",
        "passwd",
        "apikey",
        "accesskey",
        "privatekey",
        "authorization",
        "credential",
    ]
    .iter()
    .any(|word| plain.contains(word))
        || plain.ends_with("token")
        || plain.ends_with("bearer")
}

/// The secret parts of texts of the form `<KEY_ID>:<SECRET>` (section 5, rule 2), whatever follows `Bearer `, and keys
/// that begin as those of well-known services do.
fn keys_in(text: &str, start: u32, spans: &mut Vec<Span>) {
    let source = text.as_bytes();
    let mut push =
        |from: usize, to: usize| spans.push(Span::new(start + from as u32, start + to as u32));
    let mut at = 0;
    while let Some(byte) = source.get(at) {
        if !is_key_byte(*byte) {
            at += 1;
            continue;
        }
        let end = at + run(source, at);
        let word = source.get(at..end).unwrap_or_default();
        let known = PREFIXES.iter().any(|prefix| word.starts_with(prefix.as_bytes()));
        if known && word.len() >= SHORTEST {
            push(at, end);
        } else if word == b"Bearer" && source.get(end) == Some(&b' ') {
            let rest = source.get(end + 1..).unwrap_or_default();
            let after = rest
                .iter()
                .take_while(|byte| is_key_byte(**byte) || b":.+/=".contains(byte))
                .count();
            if after >= SHORTEST {
                push(end + 1, end + 1 + after);
                at = end + 1 + after;
                continue;
            }
        } else if source.get(end) == Some(&b':') && word.len() >= 6 {
            let after = run(source, end + 1);
            let secret = source.get(end + 1..end + 1 + after).unwrap_or_default();
            if after >= SHORTEST && mixes_letters_and_digits(secret) {
                push(end + 1, end + 1 + after);
                at = end + 1 + after;
                continue;
            }
        }
        at = end;
    }
}

/// How many bytes of a key stand here.
fn run(source: &[u8], from: usize) -> usize {
    source.iter().skip(from).take_while(|byte| is_key_byte(**byte)).count()
}

const fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn mixes_letters_and_digits(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_digit) && text.iter().any(u8::is_ascii_alphabetic)
}
