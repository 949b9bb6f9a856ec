//! Where a document holds secrets, so that no report shows them.

use std::borrow::Cow;
use std::ops::Range;

use voxlint_schema::DocumentKind;
use voxlint_schema::settings::node_positions;
use voxlint_syntax::{Kind, Node, Span, Tree};

/// The shortest secret part of a key: shorter ones are ports, times and ratios.
const SHORTEST: usize = 16;

/// The shortest id before the colon of a key: shorter ones are words of prose.
const SHORTEST_ID: usize = 6;

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

/// The bytes of a document that hold secrets, in the order of the text. `stretch` is the part of the text that is the
/// document's.
pub(crate) fn spans(tree: &Tree<'_>, stretch: Span, kind: DocumentKind) -> Vec<Span> {
    let mut spans = spans_in(tree, stretch, kind);
    if let Some(positions) = tree.root().and_then(|root| root.get(node_positions.row.name)) {
        inside(positions, kind, &mut spans);
    }
    spans.sort_unstable();
    spans
}

/// The secrets in the names and values of a tree, and in what stands between them, without JSON that is written as a string.
fn spans_in(tree: &Tree<'_>, stretch: Span, kind: DocumentKind) -> Vec<Span> {
    let mut spans = Vec::new();
    walk(tree, kind, |node, standing| match (node.kind(), standing) {
        (Kind::String | Kind::Number | Kind::Invalid, Standing::Secret { .. }) => {
            spans.push(inner(node));
        }
        (Kind::String | Kind::Invalid, Standing::KeyId) => {
            spans.extend(after_colon(node).map(|(_, span)| span));
        }
        _ => {}
    });
    // Those that are known by their looks may stand in a comment, too.
    keys_in(stretch.slice(tree.text()), stretch.start, &mut spans);
    spans
}

/// The secrets of JSON that is written as a string.
fn inside(node: Node<'_>, kind: DocumentKind, spans: &mut Vec<Span>) {
    let Some(text) = node.text().filter(|text| text.as_str().contains(':')) else { return };
    for tree in voxlint_syntax::parse(text.as_str(), voxlint_syntax::Format::Json).documents {
        let inner = spans_in(&tree, all_of(text.as_str()), kind);
        spans.extend(
            inner.into_iter().map(|span| text.to_source(span.start as usize..span.end as usize)),
        );
    }
}

/// Everything in a broken list of API keys that could be a secret: where its members cannot be told, nothing is shown that
/// mixes letters and digits.
pub(crate) fn spans_of_broken_list(text: &str) -> Vec<Span> {
    let source = text.as_bytes();
    let mut spans = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let end = at + run(source, at);
        let word = source.get(at..end).unwrap_or_default();
        let is_date = word.first().is_some_and(u8::is_ascii_digit) && word.get(4) == Some(&b'-');
        if word.len() >= 8 && mixes_letters_and_digits(word) && !is_date {
            spans.push(Span::new(at as u32, end as u32));
        }
        at = end.max(at + 1);
    }
    spans
}

/// The stretch of a text that is one document.
pub(crate) fn all_of(text: &str) -> Span {
    Span::new(0, text.len() as u32)
}

/// A secret where the service never shows one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Leak {
    /// The whole text.
    Whole,
    /// What follows the colon of a key: bytes of the decoded text.
    AfterColon(Range<usize>),
}

/// The secrets in a list of API keys, in the order of the text. A container of secrets is one leak.
pub(crate) fn leaks<'t>(tree: &'t Tree<'_>) -> Vec<(Node<'t>, Leak)> {
    let mut leaks = Vec::new();
    let mut reported = 0;
    walk(tree, DocumentKind::ApiKeys, |node, standing| {
        let text = match node.kind() {
            Kind::String => node.as_str().unwrap_or_default(),
            Kind::Number => Cow::Borrowed(node.source()),
            _ => return,
        };
        let name = node.name().and_then(Node::as_str).unwrap_or_default();
        if is_id(&name) {
            if let Some((part, _)) = after_colon(node) {
                leaks.push((node, Leak::AfterColon(part)));
            }
        } else if is_page_token(&name) {
            // Covered like every token, and no secret of a key.
        } else if let Standing::Secret { until } = standing
            && node.span().start >= reported
            // Asterisks are what remains of a secret that somebody has covered.
            && text.contains(char::is_alphanumeric)
        {
            leaks.push((node, Leak::Whole));
            reported = until;
        } else if standing == Standing::Plain && covered_text(&text) != text {
            leaks.push((node, Leak::Whole));
        }
    });
    leaks
}

/// What the place of a value says of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Plain,
    /// The value of a member whose name speaks of a secret, or inside such a value, which ends there.
    Secret {
        until: u32,
    },
    /// The id of an API key, which ends before the colon.
    KeyId,
}

/// Visits every value of the document.
fn walk<'t>(tree: &'t Tree<'_>, kind: DocumentKind, mut visit: impl FnMut(Node<'t>, Standing)) {
    let is_key_list = kind == DocumentKind::ApiKeys;
    let holds_secret =
        |name: &str| is_secret_name(name) || (is_key_list && is_secret_of_a_key(name));
    let mut name = None;
    let mut until = 0;
    for node in tree.nodes() {
        if node.kind() == Kind::Key {
            name = node.as_str();
            continue;
        }
        let name = name.take();
        let span = node.span();
        if name.as_deref().is_some_and(holds_secret) {
            until = until.max(span.end);
        }
        let standing = if span.start < until {
            Standing::Secret { until }
        } else if is_key_list && name.as_deref().is_some_and(is_id) {
            Standing::KeyId
        } else {
            Standing::Plain
        };
        visit(node, standing);
    }
}

/// What follows the first colon of a key: the bytes of the decoded text, and of the file.
fn after_colon(node: Node<'_>) -> Option<(Range<usize>, Span)> {
    let text = node.text()?;
    let part = text.as_str().find(':')? + 1..text.as_str().len();
    let span = text.to_source(part.clone());
    Some((part, span))
}

/// Whether a member of this name has the id of an API key, in a list of them.
fn is_id(name: &str) -> bool {
    ["id", "keyid", "apikeyid"].contains(&plain(name).as_str())
}

/// Whether a member of this name says where the next page of a list begins.
fn is_page_token(name: &str) -> bool {
    let name = plain(name);
    name.ends_with("pagetoken") || name.ends_with("nexttoken")
}

/// The text of the document with every secret covered, for messages that show parts of it. Offsets stay true.
pub(crate) fn covered<'t>(tree: &Tree<'t>, stretch: Span, kind: DocumentKind) -> Cow<'t, str> {
    let mut spans = spans(tree, stretch, kind);
    if kind == DocumentKind::ApiKeys {
        // It is only shown in parts that are at fault.
        spans.extend(spans_of_broken_list(tree.text()));
    }
    cover(tree.text(), &spans)
}

/// The secrets that a text holds by their looks, counted from its beginning.
pub(crate) fn in_text(text: &str) -> Vec<Span> {
    let mut spans = Vec::new();
    keys_in(text, 0, &mut spans);
    spans
}

/// A pointer with the secrets in its names covered.
pub(crate) fn covered_pointer(pointer: String) -> String {
    // No shorter name is a secret by its looks.
    const SHORT: usize = 12;
    if pointer.split('/').all(|name| name.len() < SHORT) {
        return pointer;
    }
    pointer.split('/').map(covered_text).collect::<Vec<_>>().join("/")
}

/// A text with the secrets in it covered, for messages.
pub(crate) fn covered_text(text: &str) -> Cow<'_, str> {
    cover(text, &in_text(text))
}

/// The text with asterisks for what lies in these spans. Offsets stay true.
pub(crate) fn cover<'t>(text: &'t str, spans: &[Span]) -> Cow<'t, str> {
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
    let quoted =
        node.kind() == Kind::String && node.source().starts_with(['"', '\'']) && span.len() >= 2;
    if quoted { Span::new(span.start + 1, span.end - 1) } else { span }
}

/// Whether a member of this name holds a secret.
pub(crate) fn is_secret_name(name: &str) -> bool {
    const WORDS: [&str; 8] = [
        "secret",
        "password",
        "passwd",
        "apikey",
        "accesskey",
        "privatekey",
        "authorization",
        "credential",
    ];
    let plain = plain(name);
    let speaks = WORDS.iter().any(|word| plain.contains(word))
        || plain.ends_with("token")
        || plain.ends_with("bearer");
    speaks && !is_about_a_secret(name)
}

/// Whether a member of this name holds a secret in an entry of a list of API keys, where nothing else is called a key.
pub(crate) fn is_secret_of_a_key(name: &str) -> bool {
    const WORDS: [&str; 8] =
        ["key", "token", "jwt", "hash", "hmac", "pwd", "plaintext", "signature"];
    let plain = plain(name);
    let speaks =
        WORDS.iter().any(|word| plain.contains(word)) || matches!(plain.as_str(), "sk" | "value");
    is_secret_name(name) || (speaks && !is_id(name) && !is_about_a_secret(name))
}

/// Whether a name is that of something about a secret: when it was made, what it is called, what kind it is.
fn is_about_a_secret(name: &str) -> bool {
    let last = name.rsplit(['_', '-', ' ']).next().unwrap_or(name).to_ascii_lowercase();
    let is_one_word = last.len() == name.len();
    !is_one_word
        && ["at", "id", "ids", "type", "name", "last4", "count", "expiry", "expires", "scope"]
            .contains(&last.as_str())
}

/// The letters and digits of a name, in lower case.
fn plain(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect()
}

/// The secret parts of texts of the form `<KEY_ID>:<SECRET>` (section 5, rule 2), what follows `Bearer `, and keys that begin
/// as those of well-known services do.
///
/// All of these are runs of at least [`SHORTEST`] bytes without a space. So a window of that length is searched from its
/// end: in ordinary prose the first space is near, and what lies before it need not be looked at.
fn keys_in(text: &str, start: u32, spans: &mut Vec<Span>) {
    let source = text.as_bytes();
    let mut at = 0;
    while let Some(window) = source.get(at..at + SHORTEST) {
        if let Some(gap) = window.iter().rposition(|byte| !is_token_byte(*byte)) {
            at += gap + 1;
            continue;
        }
        if let Some(before) = at.checked_sub(1)
            && source.get(before) == Some(&b'\\')
        {
            // The letter after a backslash belongs to an escape: the key begins behind it.
            at += if window.first() == Some(&b'u') { 5 } else { 1 };
            continue;
        }
        let rest = source.get(at..).unwrap_or_default();
        let end = at + rest.iter().position(|byte| !is_token_byte(*byte)).unwrap_or(rest.len());
        let is_bearer = source.get(..at).is_some_and(|before| before.ends_with(b"Bearer "));
        if is_bearer {
            spans.push(Span::new(start + at as u32, start + end as u32));
        } else {
            keys_in_run(source, at, end, start, spans);
        }
        at = end;
    }
}

/// The secrets in a run of bytes without a space.
fn keys_in_run(source: &[u8], from: usize, to: usize, start: u32, spans: &mut Vec<Span>) {
    let mut at = from;
    while at < to {
        let end = at + run(source, at);
        let word = source.get(at..end).unwrap_or_default();
        let is_known = PREFIXES.iter().any(|prefix| word.starts_with(prefix.as_bytes()));
        let after = end + 1 + run(source, end + 1);
        let secret = source.get(end + 1..after).unwrap_or_default();
        if is_known && word.len() >= SHORTEST {
            spans.push(Span::new(start + at as u32, start + end as u32));
        } else if source.get(end) == Some(&b':')
            && word.len() >= SHORTEST_ID
            && secret.len() >= SHORTEST
            && mixes_letters_and_digits(secret)
        {
            spans.push(Span::new(start + end as u32 + 1, start + after as u32));
            at = after;
            continue;
        }
        at = end + 1;
    }
}

/// Bytes of keys and of what joins their parts.
const fn is_token_byte(byte: u8) -> bool {
    is_key_byte(byte) || matches!(byte, b':' | b'.' | b'+' | b'/' | b'=')
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

#[cfg(test)]
mod tests {
    use super::{Span, in_text};

    #[test]
    fn a_key_is_known_by_its_looks_wherever_it_stands() {
        for before in ["", "x ", "Log in with ", "\\n", "(", "a-rather-long-word-before-it "] {
            for (text, secret) in [
                ("8f3a9c2b1d4e5f60:Zk3vT9qLr2Xw8YbN5mHd7PcS", "Zk3vT9qLr2Xw8YbN5mHd7PcS"),
                ("sk-live-0123456789", "sk-live-0123456789"),
                ("Bearer abcdefghij.klmnop", "abcdefghij.klmnop"),
            ] {
                let text = format!("{before}{text} and so on");
                let start = text.find(secret).unwrap() as u32;
                let span = Span::new(start, start + secret.len() as u32);
                assert_eq!(in_text(&text), [span], "{text}");
            }
        }
    }

    #[test]
    fn addresses_times_and_long_words_are_no_keys() {
        for text in [
            "https://api.example.com:8443/v2/orders/0123456789abcdef0123",
            "between 10:30:00 and 18:00:00, every day",
            "Donaudampfschifffahrtsgesellschaft: closed",
            "note:see-the-handbook-for-more",
            "sk-short",
        ] {
            assert!(in_text(text).is_empty(), "{text}");
        }
    }
}
