//! Where a document holds secrets, so that no report shows them.

use std::borrow::Cow;

use voxlint_syntax::{Kind, Node, Span, Tree};

/// The shortest secret part of a key: shorter ones are ports, times and ratios.
const SHORTEST: usize = 16;

/// The bytes of the document that hold secrets, in the order of the text.
pub(crate) fn spans(tree: &Tree<'_>) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut name_is_secret = false;
    for node in tree.nodes() {
        match node.kind() {
            Kind::Key => name_is_secret = node.as_str().is_some_and(|name| is_secret_name(&name)),
            Kind::String | Kind::Invalid if name_is_secret => {
                spans.push(inner(node));
                name_is_secret = false;
            }
            Kind::String | Kind::Invalid => keys_in(node.source(), node.span().start, &mut spans),
            _ => name_is_secret = false,
        }
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

/// Whether a member of this name holds a secret, if it holds a text.
fn is_secret_name(name: &str) -> bool {
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

/// The secret parts of texts of the form `<KEY_ID>:<SECRET>` (section 5, rule 2), and whatever follows `Bearer `.
fn keys_in(text: &str, start: u32, spans: &mut Vec<Span>) {
    let source = text.as_bytes();
    let mut push = |from: usize, to: usize| {
        spans.push(Span::new(start + from as u32, start + to as u32));
    };
    let run = |from: usize| source.iter().skip(from).take_while(|byte| is_key_byte(**byte)).count();
    for (at, byte) in source.iter().enumerate() {
        if *byte == b':' {
            let before =
                source.iter().take(at).rev().take_while(|byte| is_key_byte(**byte)).count();
            let after = run(at + 1);
            let secret = source.get(at + 1..at + 1 + after).unwrap_or_default();
            if before >= 6 && after >= SHORTEST && mixes_letters_and_digits(secret) {
                push(at + 1, at + 1 + after);
            }
        } else if *byte == b'B' && source.get(at..at + 7).is_some_and(|word| word == b"Bearer ") {
            let after = source
                .iter()
                .skip(at + 7)
                .take_while(|byte| {
                    is_key_byte(**byte) || matches!(byte, b':' | b'.' | b'+' | b'/' | b'=')
                })
                .count();
            if after >= SHORTEST {
                push(at + 7, at + 7 + after);
            }
        }
    }
}

const fn is_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')
}

fn mixes_letters_and_digits(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_digit) && text.iter().any(u8::is_ascii_alphabetic)
}
