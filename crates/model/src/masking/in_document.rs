//! The secrets in a document and their places.

use std::borrow::Cow;
use std::ops::Range;

use voxlint_schema::DocumentKind;
use voxlint_schema::settings::node_positions;
use voxlint_syntax::{Format, Kind, Node, Span, Tree};

use super::look::{Look, is_field, may_be_named_like_a_secret};
use super::mask::Mask;
use crate::Document;
use crate::fields::GetField as _;
use crate::marks::{Mark, Marks};
use crate::secret::bytes::word;
use crate::secret::field_names::{
    holds_ids, is_description, is_id, is_page_token, is_secret_name, is_secret_of_a_key,
};
use crate::secret::numbers::{self, PersonalNumber};
use crate::secret::patterns::{self, Spelling};
use crate::secret::{Evidence, Secret, randomness};

/// The number of digits from which a number inside an object or list of secrets is masked.
const LONG_NUMBER: u32 = 6;

/// The secrets of a document, found once for the excerpts that show its text and for the messages about it.
pub struct DocumentSecrets<'t> {
    tree: &'t Tree,
    /// The field names and values that contain secrets, with their ranges in the decoded text.
    in_nodes: Vec<(Node<'t>, Vec<Secret>)>,
    /// Comments, and what could not be read.
    in_source: Vec<Span>,
}

impl<'t> DocumentSecrets<'t> {
    /// Finds the secrets of a document.
    pub fn of(document: &'t Document, kind: DocumentKind) -> Self {
        let tree = document.tree();
        let mut found = Self::in_nodes(tree, document.marks(), kind);
        // There is nothing but names and values in valid JSON.
        if document.format() != Format::Json || !document.errors().is_empty() {
            found.in_source = spans_in_source(tree, document.extent());
        }
        found
    }

    /// Finds the secrets in the field names and values.
    fn in_nodes(tree: &'t Tree, marks: &Marks, kind: DocumentKind) -> Self {
        let mut in_nodes = Vec::new();
        each(tree, marks, kind, |node, secrets| in_nodes.push((node, secrets)));
        each_number(tree, marks, |node, numbers| in_nodes.push((node, numbers)));
        // Facts consist of ids.
        if kind != DocumentKind::Facts {
            each_random_run(tree, |node, runs| in_nodes.push((node, runs)));
        }
        Self { tree, in_nodes, in_source: Vec::new() }
    }

    /// The bytes that spell secrets, in the order of the text.
    pub(crate) fn spans(&self) -> Vec<Span> {
        let mut spans = self.in_source.clone();
        self.in_nodes.iter().for_each(|(node, secrets)| add_spans(*node, secrets, &mut spans));
        spans.sort_unstable();
        spans.dedup();
        spans
    }

    /// Adds the decoded secrets, so that they can be kept out of messages.
    pub fn collect(&self, into: &mut Mask) {
        for (node, secrets) in &self.in_nodes {
            let Some(text) = node.as_str() else {
                into.add(node.source());
                continue;
            };
            for secret in secrets {
                into.add(text.get(secret.range.clone()).unwrap_or_default());
            }
        }
        for span in &self.in_source {
            let (plain, _) = without_escapes(span.slice(self.tree.text()));
            into.add(&plain);
        }
    }
}

/// The bytes that spell secrets in the field names and values of valid JSON.
pub fn spans_of_values(tree: &Tree, kind: DocumentKind) -> Vec<Span> {
    DocumentSecrets::in_nodes(tree, &Marks::of(tree, all_of(tree.text()), false), kind).spans()
}

/// Visits every field name and value that contains long random runs, except for ids.
fn each_random_run<'t>(tree: &'t Tree, mut visit: impl FnMut(Node<'t>, Vec<Secret>)) {
    let mut ids_until = 0;
    for node in tree.nodes() {
        let holds_ids = |name: Node<'_>| name.as_str().is_some_and(|name| holds_ids(&name));
        if node.name().is_some_and(holds_ids) {
            ids_until = ids_until.max(node.after().index());
        }
        let is_text = match node.kind() {
            Kind::Key => !is_field(node),
            kind => kind == Kind::String,
        };
        if is_text && node.id().index() >= ids_until {
            let text = node.as_str().unwrap_or_default();
            let runs = patterns::random_runs(&text, Spelling::Decoded);
            if !runs.is_empty() {
                visit(node, runs);
            }
        }
    }
}

/// Adds the bytes that spell secrets in one node.
fn add_spans(node: Node<'_>, secrets: &[Secret], spans: &mut Vec<Span>) {
    match node.text() {
        Some(text) => {
            spans.extend(secrets.iter().map(|secret| text.to_source(secret.range.clone())));
        }
        None => spans.push(node.span()),
    }
}

/// The bytes of a document that spell secrets, with or without escapes, in its names and values or outside of them.
fn spans_in_source(tree: &Tree, extent: Span) -> Vec<Span> {
    let (plain, escapes) = without_escapes(extent.slice(tree.text()));
    let mut found = patterns::find(&plain, Spelling::Source);
    let numbers = numbers::convincing(&plain, || plain.to_string());
    found.extend(numbers.into_iter().map(Secret::from));
    let texts = texts_of(tree);
    let spans = found.into_iter().map(|it| escapes.to_span(it.range, extent.start));
    let runs = patterns::random_runs(&plain, Spelling::Source).into_iter();
    let runs = runs.map(|it| escapes.to_span(it.range, extent.start));
    spans.chain(runs.filter(|run| is_outside(&texts, run.start))).collect()
}

/// The names and values of a document, in the order of the text. An alias of YAML stands for text that comes earlier.
fn texts_of(tree: &Tree) -> Vec<Span> {
    let is_text = |node: &Node<'_>| matches!(node.kind(), Kind::String | Kind::Key);
    let mut texts: Vec<Span> = tree.nodes().filter(is_text).map(Node::span).collect();
    texts.sort_unstable();
    texts
}

/// Whether an offset is in none of these texts.
fn is_outside(texts: &[Span], at: u32) -> bool {
    let before = texts.partition_point(|text| text.start <= at);
    before.checked_sub(1).and_then(|before| texts.get(before)).is_none_or(|it| it.end <= at)
}

/// The secrets outside the names and values of a document: in comments, and in what could not be read.
pub fn outside_values(document: &Document) -> Vec<(Span, Evidence)> {
    if document.format() == Format::Text
        || (document.format() == Format::Json && document.errors().is_empty())
    {
        return Vec::new();
    }
    let (tree, extent) = (document.tree(), document.extent());
    let texts = texts_of(tree);
    let is_outside = |at| is_outside(&texts, at);
    let (plain, escapes) = without_escapes(extent.slice(tree.text()));
    let found = patterns::find(&plain, Spelling::Source).into_iter();
    let found = found.map(|it| (escapes.to_span(it.range, extent.start), it.evidence));
    found.filter(|(span, _)| is_outside(span.start)).collect()
}

/// The escapes that were replaced by printable ASCII characters: the new offset of each character, and how many bytes shorter
/// the text is up to and including it.
struct Escapes(Vec<(usize, usize)>);

impl Escapes {
    /// The offset in the file of a character.
    fn to_source(&self, plain: usize) -> usize {
        let before = self.0.partition_point(|(at, _)| *at < plain);
        plain + before.checked_sub(1).and_then(|at| self.0.get(at)).map_or(0, |(_, less)| *less)
    }

    /// The bytes that spell a range, in a file whose part with these escapes begins at an offset.
    fn to_span(&self, plain: Range<usize>, start: u32) -> Span {
        let at = |plain| start + self.to_source(plain) as u32;
        Span::new(at(plain.start), at(plain.end))
    }
}

/// The extent of the file with the escapes that stand for printable ASCII characters undone, whatever the format: what could
/// not be read, and comments, may hold them.
fn without_escapes(source: &str) -> (Cow<'_, str>, Escapes) {
    let mut escapes = Vec::new();
    let (mut plain, mut from, mut less) = (String::new(), 0, 0);
    let mut until = 0;
    for at in memchr::memchr_iter(b'\\', source.as_bytes()) {
        if at < until {
            continue;
        }
        // An escaped backslash does not begin another escape.
        until = at + 2;
        let (character, length) = match ascii_escape(source, at) {
            Some((character, length)) => (Some(character).filter(|it| *it != '\\'), length),
            None => (None, line_continuation(source, at)),
        };
        if length == 0 || (character.is_none() && at == 0) {
            continue;
        }
        until = at + length;
        plain.push_str(source.get(from..at).unwrap_or_default());
        less += length - usize::from(character.is_some());
        // A removed line continuation shifts the characters from here on, an escape those after it.
        escapes.push((plain.len() - usize::from(character.is_none()), less));
        plain.extend(character);
        from = at + length;
    }
    if escapes.is_empty() {
        return (Cow::Borrowed(source), Escapes(escapes));
    }
    plain.push_str(source.get(from..).unwrap_or_default());
    (Cow::Owned(plain), Escapes(escapes))
}

/// The length of a line continuation: a backslash at the end of a line and the white space at the start of the next one.
fn line_continuation(source: &str, at: usize) -> usize {
    let rest = source.get(at + 1..).unwrap_or_default();
    let line = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix('\n'));
    line.map_or(0, |line| 1 + rest.len() - line.trim_start().len())
}

/// The character of an escape, and the number of bytes that spell it.
fn ascii_escape(source: &str, at: usize) -> Option<(char, usize)> {
    let digits = match source.as_bytes().get(at + 1)? {
        b'/' => return Some(('/', 2)),
        b'x' => 2,
        b'u' => 4,
        b'U' => 8,
        _ => return None,
    };
    let code = source.get(at + 2..at + 2 + digits)?;
    let code = u32::from_str_radix(code, 16).ok()?;
    let character = char::from_u32(code)
        .filter(|c| c.is_ascii_graphic() || matches!(c, ' ' | '\n' | '\r' | '\t'))?;
    Some((character, 2 + digits))
}

/// Visits every field name and value that contains secrets, with their ranges in the decoded text.
pub fn each<'t>(
    tree: &'t Tree,
    marks: &Marks,
    kind: DocumentKind,
    visit: impl FnMut(Node<'t>, Vec<Secret>),
) {
    let positions = tree.root().and_then(|root| root.field_or_named(node_positions.row));
    each_of(tree, marks, kind, positions, visit);
}

/// Visits every value that contains numbers of cards or people, with their ranges in the decoded text.
fn each_number<'t>(tree: &'t Tree, marks: &Marks, mut visit: impl FnMut(Node<'t>, Vec<Secret>)) {
    each_personal_number(tree, marks, |node, found| {
        visit(node, found.into_iter().map(Secret::from).collect());
    });
}

/// As [`each`], with the string that is known to contain JSON.
fn each_of<'t>(
    tree: &'t Tree,
    marks: &Marks,
    kind: DocumentKind,
    json: Option<Node<'t>>,
    mut visit: impl FnMut(Node<'t>, Vec<Secret>),
) {
    let look = Look::new(tree, marks);
    let mut visit_one = |node: Node<'t>, context: Context| {
        let is_json = Some(node) == json;
        let mut secrets = match (node.kind(), context) {
            (Kind::String | Kind::Key, Context::Plain) => {
                patterns::find(&node.as_str().unwrap_or_default(), Spelling::Decoded)
            }
            (_, Context::Plain) => Vec::new(),
            _ => in_context(node, context, kind),
        };
        if is_json {
            secrets.extend(inside(node, kind));
            patterns::merge(&mut secrets);
        }
        if !secrets.is_empty() {
            visit(node, secrets);
        }
    };
    if json.is_none()
        && kind != DocumentKind::ApiKeys
        && let Some(seen) = look.plain_nodes(tree)
    {
        for node in seen {
            visit_one(node, Context::Plain);
        }
        return;
    }
    walk(tree, kind, |node, context| {
        if context != Context::Plain || Some(node) == json || look.sees_secret(node) {
            visit_one(node, context);
        }
    });
}

/// The secrets in a value whose place says something about it.
fn in_context(node: Node<'_>, context: Context, kind: DocumentKind) -> Vec<Secret> {
    let is_list = kind == DocumentKind::ApiKeys;
    let whole = |length: usize, evidence| vec![Secret { range: 0..length, evidence }];
    match (node.kind(), context) {
        (Kind::Number, Context::Secret { is_itself, .. })
            if is_itself || is_list || node.span().len() >= LONG_NUMBER =>
        {
            whole(node.source().len(), Evidence::Weak)
        }
        (Kind::Invalid, Context::Secret { .. } | Context::KeyId) => {
            whole(node.source().len(), Evidence::Weak)
        }
        (Kind::String | Kind::Key, _) => {
            let mut secrets = in_text(node);
            let text = || node.as_str().unwrap_or_default();
            match context {
                Context::Secret { .. } if is_list => {
                    secrets.push(Secret { range: 0..text().len(), evidence: Evidence::Weak });
                }
                Context::Secret { .. } => secrets.extend(patterns::of_value(&text())),
                Context::KeyId => {
                    let range = text().find(':').map(|at| at + 1..text().len());
                    secrets.extend(range.map(|range| Secret { range, evidence: Evidence::Weak }));
                }
                Context::Plain => {}
            }
            patterns::merge(&mut secrets);
            secrets
        }
        _ => Vec::new(),
    }
}

/// The secrets in a string or a name by their form, whatever its place.
fn in_text(node: Node<'_>) -> Vec<Secret> {
    patterns::find(&node.as_str().unwrap_or_default(), Spelling::Decoded)
}

/// The secrets in a string that contains JSON.
fn inside(node: Node<'_>, kind: DocumentKind) -> Vec<Secret> {
    let Some(text) = node.as_str().filter(|text| text.contains(':')) else { return Vec::new() };
    let mut secrets = Vec::new();
    for tree in voxlint_syntax::parse(text, Format::Json).documents {
        let marks = Marks::of(&tree, all_of(tree.text()), false);
        let mut add = |inner: Node<'_>, found: Vec<Secret>| {
            let spelled = inner.text();
            secrets.extend(found.into_iter().map(|Secret { range, evidence }| {
                let span = spelled.as_ref().map_or(inner.span(), |text| text.to_source(range));
                Secret { range: span.start as usize..span.end as usize, evidence }
            }));
        };
        each_of(&tree, &marks, kind, None, &mut add);
        each_random_run(&tree, &mut add);
    }
    secrets
}

/// Everything in a broken list of API keys that could be a secret. Its fields cannot be told apart, so every word that mixes
/// letters and digits is masked.
pub(crate) fn spans_of_broken_list(text: &str) -> Vec<Span> {
    let source = text.as_bytes();
    let mut spans = Vec::new();
    let mut at = 0;
    while at < source.len() {
        let end = at + word(source, at);
        let word = source.get(at..end).unwrap_or_default();
        let is_date = word.first().is_some_and(u8::is_ascii_digit) && word.get(4) == Some(&b'-');
        if word.len() >= 8 && randomness::mixes(word) && !is_date {
            spans.push(Span::new(at as u32, end as u32));
        }
        at = end.max(at + 1);
    }
    spans
}

/// The whole of a text, as the extent of a document.
pub fn all_of(text: &str) -> Span {
    Span::new(0, text.len() as u32)
}

/// A secret in a place where the service never shows one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeakedSecret {
    /// The whole text.
    Whole,
    /// The part after the colon of a key, in bytes of the decoded text.
    AfterColon(Range<usize>),
}

/// The secrets in a list of API keys, in the order of the text. An object or list of secrets is reported once.
pub fn leaked_secrets(tree: &Tree) -> Vec<(Node<'_>, LeakedSecret)> {
    let mut leaks = Vec::new();
    let mut reported = 0;
    walk(tree, DocumentKind::ApiKeys, |node, context| {
        let text = match node.kind() {
            Kind::String => node.as_str().unwrap_or_default(),
            Kind::Number => Cow::Borrowed(node.source()),
            _ => return,
        };
        let name = node.name().and_then(Node::as_str).unwrap_or_default();
        if is_id(&name) {
            if let Some(colon) = text.find(':') {
                leaks.push((node, LeakedSecret::AfterColon(colon + 1..text.len())));
            } else if patterns::find(&text, Spelling::Decoded).iter().any(Secret::is_likely) {
                leaks.push((node, LeakedSecret::Whole));
            }
        } else if is_page_token(&name) {
            // Masked like every token, but not the secret of a key.
        } else if let Context::Secret { until, .. } = context
            && node.id().index() >= reported
            // A masked secret consists of asterisks.
            && text.contains(char::is_alphanumeric)
        {
            leaks.push((node, LeakedSecret::Whole));
            reported = until;
        } else if context == Context::Plain && !patterns::find(&text, Spelling::Decoded).is_empty()
        {
            leaks.push((node, LeakedSecret::Whole));
        }
    });
    leaks
}

/// What the place of a value says about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Context {
    Plain,
    /// The value of a field with the name of a secret, or a part of such a value.
    Secret {
        /// The index after the last node of the secret value.
        until: usize,
        /// Whether this is the value of the field itself or an item of it.
        is_itself: bool,
    },
    /// The id of an API key, which ends before the colon.
    KeyId,
}

/// Visits every field name and value of the document.
fn walk<'t>(tree: &'t Tree, kind: DocumentKind, mut visit: impl FnMut(Node<'t>, Context)) {
    let is_key_list = kind == DocumentKind::ApiKeys;
    let mut key: Option<Node<'t>> = None;
    let mut until = 0;
    for node in tree.nodes() {
        let key = match node.kind() {
            Kind::Key => {
                // No field of the tables is a secret, but in a list of keys any of them may have one.
                let is_field = is_field(node) && !is_key_list;
                // What the name says matters for a secret and inside one.
                let says_something =
                    is_key_list || node.id().index() < until || may_be_named_like_a_secret(node);
                key = says_something.then_some(node);
                if !is_field {
                    visit(node, Context::Plain);
                }
                continue;
            }
            // These cannot hold a secret.
            Kind::Bool | Kind::Null => {
                key = None;
                visit(node, Context::Plain);
                continue;
            }
            _ if key.is_none() && node.id().index() >= until => {
                visit(node, Context::Plain);
                continue;
            }
            _ => key.take(),
        };
        let is_named =
            |test: fn(&str) -> bool| key.and_then(Node::as_str).is_some_and(|name| test(&name));
        let is_itself = is_named(is_secret_name) || (is_key_list && is_named(is_secret_of_a_key));
        if is_itself {
            until = until.max(node.after().index());
        }
        let is_inside = node.id().index() < until;
        let context = if is_itself || (is_inside && (is_key_list || !is_named(is_description))) {
            Context::Secret { until, is_itself: is_itself || key.is_none() }
        } else if is_key_list && is_named(is_id) {
            Context::KeyId
        } else {
            Context::Plain
        };
        visit(node, context);
    }
}

/// Visits every value that contains such numbers, with their ranges in the decoded text.
pub fn each_personal_number<'t>(
    tree: &'t Tree,
    marks: &Marks,
    mut visit: impl FnMut(Node<'t>, Vec<PersonalNumber>),
) {
    for node in tree.nodes() {
        if node.kind() == Kind::Number
            || (node.kind() == Kind::String && marks.may_be_in(Mark::Digits, node))
        {
            numbers_in(node, &mut visit);
        }
    }
}

/// Visits a value if it contains such numbers.
fn numbers_in<'t>(node: Node<'t>, visit: &mut impl FnMut(Node<'t>, Vec<PersonalNumber>)) {
    let length = node.span().len() as usize;
    let name = || node.name().and_then(Node::as_str).unwrap_or_default();
    let found = match node.kind() {
        Kind::String if length >= numbers::SHORTEST => {
            let text = node.as_str().unwrap_or_default();
            numbers::convincing(&text, || format!("{} {text}", name()))
        }
        // Without a name, a number is an id or a time as well.
        Kind::Number if length >= numbers::LEAST_DIGITS => {
            let mut found = numbers::convincing(node.source(), || name().into_owned());
            found.retain(|number| number.kind.is_mentioned(&name().to_lowercase()));
            found
        }
        _ => Vec::new(),
    };
    if !found.is_empty() {
        visit(node, found);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn an_escape_hides_no_secret() {
        use voxlint_schema::DocumentKind;

        use crate::Document;

        for (text, secret) in [
            (r"\\eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZ2Vu", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZ2Vu"),
            (r"Send this:\nBearer Zk3vT9qLr2Xw8YbN5mHd7PcS", "Zk3vT9qLr2Xw8YbN5mHd7PcS"),
            (r"Use this:\nauth=Zk3vT9qLr2Xw8YbN5mHd7PcS", "Zk3vT9qLr2Xw8YbN5mHd7PcS"),
            (r"\ud83d\ude00Bearer Zk3vT9qLr2Xw8YbN5mHd7PcS", "Zk3vT9qLr2Xw8YbN5mHd7PcS"),
        ] {
            let document = Document::parse(format!(r#"{{ "prompt_text": "{text}" }}"#));
            let tree = document.tree();
            let spans = super::spans_of_values(tree, DocumentKind::Update);
            let found: Vec<_> = spans.iter().map(|span| span.slice(tree.text())).collect();
            assert_eq!(found, [secret], "{text}");
        }
    }
}
