//! Keeps the secrets of the inputs of a check out of all texts about them.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::{Bound, Range};
use std::sync::OnceLock;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use memchr::memmem;
use voxlint_schema::names;
use voxlint_syntax::{Kind, Node, Span, Tree, excerpt};

use crate::secret::field_names::is_secret_name;
use crate::secret::randomness::{is_random, mixes};
use crate::secret::{mask_spans, masked_names};
use crate::{Diagnostic, Fix};

/// Marks a masked value that differs from the masked value before it.
pub const SECRET_CHANGED: &str = "(masked part changed)";

/// The length of the shortest part of a secret that is masked. A shorter secret is masked only where it is quoted by itself.
const MIN_PART: usize = 6;

/// The length of the longest secrets that are searched for all at once.
const MAX_SEARCHED: usize = 1024;

/// The number of longer secrets that are searched for, each on its own.
const MAX_LONG: usize = 16;

/// The number of bytes at each end of a quoted text that may be the part of a secret: messages cut what they quote.
const MAX_CUT: usize = 1024;

/// Masks the secrets of the inputs of a check in texts about them: messages, the hints of an editor, values of a plan.
///
/// A text quotes its inputs between backquotes, and may quote a part of a secret.
///
/// ```
/// use voxlint::secrets::Mask;
/// use voxlint::{Document, Inputs};
///
/// let text = r#"{ "default_dynamic_variables": { "password": "hunter22" } }"#;
/// let mask = Mask::of(&Inputs::new(Document::parse(text)));
/// assert_eq!(mask.sentence("now `hunter22`"), "now `********`");
/// assert!(mask.hides("hunter22") && !mask.hides("password"));
/// ```
#[derive(Debug, Default)]
pub struct Mask {
    /// The secrets, and how messages escape them.
    secrets: BTreeSet<String>,
    /// The same, each from its end to its start.
    reversed: BTreeSet<String>,
    /// Made for the first text.
    search: OnceLock<Search>,
}

/// The search for whole secrets.
#[derive(Debug)]
struct Search {
    /// The secrets of at most [`MAX_SEARCHED`] bytes.
    short: Option<AhoCorasick>,
    /// Whether each of them is telling.
    is_telling: Vec<bool>,
    /// Some longer ones.
    long: Vec<String>,
    /// All of them, one after the other, to search for what is inside one.
    joined: String,
}

impl Search {
    fn new(secrets: &BTreeSet<String>) -> Self {
        let (short, long): (Vec<&String>, Vec<&String>) = secrets
            .iter()
            .filter(|secret| secret.len() >= MIN_PART)
            .partition(|secret| secret.len() <= MAX_SEARCHED);
        let mut search = AhoCorasick::builder();
        // The time to build an automaton of another kind is not linear.
        search.match_kind(MatchKind::LeftmostLongest).kind(Some(AhoCorasickKind::NoncontiguousNFA));
        Self {
            // It is only limited to more secrets than fit in memory.
            short: search.build(&short).ok(),
            is_telling: short.iter().map(|secret| is_telling(secret)).collect(),
            long: long.into_iter().take(MAX_LONG).cloned().collect(),
            joined: secrets.iter().map(String::as_str).collect::<Vec<_>>().join("\0"),
        }
    }

    /// The whole secrets in a text: only telling ones, or all of them.
    fn find<'s>(
        &'s self,
        text: &'s str,
        is_quoted: bool,
    ) -> impl Iterator<Item = Range<usize>> + 's {
        let short = self.short.iter().flat_map(move |search| search.find_iter(text));
        let short = short.filter(move |found| {
            is_quoted || self.is_telling.get(found.pattern().as_usize()) == Some(&true)
        });
        let long = self.long.iter().flat_map(move |secret| {
            let found = memmem::find_iter(text.as_bytes(), secret);
            found.map(|at| at..at + secret.len())
        });
        short.map(|found| found.range()).chain(long)
    }
}

impl Mask {
    /// A sentence that quotes values between backquotes, with secrets masked.
    #[must_use]
    pub fn sentence(&self, text: &str) -> String {
        if self.secrets.is_empty() {
            return text.to_owned();
        }
        // With a backquote inside a value, quoted text cannot be told from the rest.
        let is_odd = text.matches('`').count() % 2 == 1
            || text.split('`').skip(1).step_by(2).any(str::is_empty)
            || memchr::memchr(b'`', self.search().joined.as_bytes()).is_some();
        let masked = text.split('`').enumerate().map(|(index, part)| {
            let is_quoted = is_odd || index % 2 == 1;
            if is_quoted { self.masked_quote(part) } else { self.masked(part, false) }
                .map_or(Cow::Borrowed(part), Cow::Owned)
        });
        let masked = masked.collect::<Vec<_>>().join("`");
        // A secret with a backquote is whole only here.
        self.masked(&masked, false).unwrap_or(masked)
    }

    /// A value that is shown by itself, with secrets masked. It may look like the name of a secret, such as `my-secret-token`.
    #[must_use]
    pub fn value(&self, text: &str) -> String {
        self.masked(text, true).unwrap_or_else(|| text.to_owned())
    }

    /// The name of a field that is shown by itself, with secrets masked.
    #[doc(hidden)]
    pub fn name(&self, text: &str) -> String {
        self.masked_quote(text).unwrap_or_else(|| text.to_owned())
    }

    /// A pointer with the secrets in its names masked.
    #[doc(hidden)]
    pub fn pointer(&self, pointer: &str) -> String {
        let masked = masked_names(pointer, |name| self.masked_quote(name));
        masked.unwrap_or_else(|| pointer.to_owned())
    }

    /// Whether a value contains a secret.
    pub fn hides(&self, text: &str) -> bool {
        self.masked(text, true).is_some()
    }

    /// Masks secrets in all texts of a finding, and removes the fixes that show one.
    pub fn finding(&self, finding: &mut Diagnostic) {
        self.drop_fixes(finding);
        finding.message = self.sentence(&finding.message);
        let texts =
            [&mut finding.label, &mut finding.help, &mut finding.depends_on, &mut finding.note];
        texts.into_iter().flatten().for_each(|text| *text = self.sentence(text));
        finding.field = self.pointer(&finding.field);
        for related in &mut finding.related {
            related.message = self.sentence(&related.message);
            related.field = self.pointer(&related.field);
        }
        for changed in finding.fixes.iter_mut().flat_map(|fix| &mut fix.changes) {
            *changed = self.pointer(changed);
        }
    }

    /// Adds a secret, decoded.
    pub(crate) fn add(&mut self, secret: &str) {
        if secret.is_empty() {
            return;
        }
        // A message may correct what is between the parts.
        let words = secret.split(|it: char| !(it.is_ascii_alphanumeric() || "-_".contains(it)));
        let parts = words.chain(secret.split(|it: char| !it.is_ascii_alphanumeric()));
        let parts = parts.filter(|part| part.len() >= MIN_PART && mixes(part.as_bytes()));
        for secret in
            parts.map(str::to_owned).chain([secret.to_owned(), excerpt(secret, usize::MAX)])
        {
            self.reversed.insert(secret.chars().rev().collect());
            self.secrets.insert(secret);
        }
    }

    /// Removes the fixes of a finding that show a secret.
    pub(crate) fn drop_fixes(&self, finding: &mut Diagnostic) {
        let shows = |text: &String| self.masked_quote(text).is_some();
        let is_shown = |fix: &Fix| shows(&fix.title) || fix.edits.iter().any(|it| shows(&it.text));
        finding.fixes.retain(|fix| !is_shown(fix));
    }

    /// Masks secrets in a value before and after a change. Two secrets of one length look alike then, so each line of the new
    /// value that only differs in a secret says so. Returns whether one does.
    #[doc(hidden)]
    pub fn pair(&self, old: &mut String, new: &mut String) -> bool {
        let before = std::mem::take(old);
        let after = std::mem::take(new);
        *old = self.value(&before);
        let Some(masked) = self.masked(&after, true) else {
            *new = after;
            return false;
        };
        let pairs = || old.split('\n').zip(before.split('\n'));
        let mut spelled: HashMap<&str, HashSet<&str>> = HashMap::new();
        for (masked, line) in pairs() {
            spelled.entry(masked).or_default().insert(line);
        }
        let mut has_changed = false;
        let mut lines = Vec::new();
        for (masked, line) in masked.split('\n').zip(after.split('\n')) {
            let known = spelled.get(masked).filter(|_| masked != line);
            if known.is_some_and(|known| !known.contains(line)) {
                has_changed = true;
                lines.push(format!("{masked} {SECRET_CHANGED}"));
            } else {
                lines.push(masked.to_owned());
            }
        }
        *new = lines.join("\n");
        has_changed
    }

    /// The bytes of this part of a text that spell one of the secrets, wherever it is: a prompt may repeat what a header has.
    #[doc(hidden)]
    pub fn repeated_in(&self, tree: &Tree, extent: Span) -> Vec<Span> {
        if self.secrets.is_empty() {
            return Vec::new();
        }
        let in_source = self.search().find(extent.slice(tree.text()), false);
        let mut spans: Vec<Span> = in_source
            .map(|Range { start, end }| {
                Span::new(extent.start + start as u32, extent.start + end as u32)
            })
            .collect();
        // Escapes and line breaks may be inside a secret.
        let texts = tree.nodes().filter(|node| {
            matches!(node.kind(), Kind::String | Kind::Key)
                && (!node.is_as_written() || node.source().contains('\\'))
        });
        for text in texts.filter_map(Node::text) {
            let found = self.search().find(text.as_str(), false);
            spans.extend(found.map(|range| text.to_source(range)));
        }
        spans
    }

    fn search(&self) -> &Search {
        self.search.get_or_init(|| Search::new(&self.secrets))
    }

    /// A quoted text with secrets masked; `None` if it shows none. The name of a field is never secret, even if it is used as a
    /// password.
    fn masked_quote(&self, text: &str) -> Option<String> {
        if self.secrets.is_empty() || names::is_field(names::id(text)) {
            return None;
        }
        self.masked(text, true).filter(|_| !is_name_of_a_secret(text))
    }

    /// A text with secrets masked; `None` if it shows none. A quoted text may be a part of one, or have a part of one at its start
    /// or its end.
    fn masked(&self, text: &str, is_quoted: bool) -> Option<String> {
        if self.secrets.is_empty() {
            return None;
        }
        let span = |Range { start, end }| Span::new(start as u32, end as u32);
        let mut spans: Vec<Span> = self.search().find(text, is_quoted).map(span).collect();
        if is_quoted {
            let quoted = text.strip_suffix('…').unwrap_or(text);
            let is_part = quoted.len() >= MIN_PART
                && quoted.len() <= MAX_CUT
                && memmem::find(self.search().joined.as_bytes(), quoted.as_bytes()).is_some();
            if is_part || self.secrets.contains(quoted) {
                return Some("*".repeat(quoted.chars().count()) + text.get(quoted.len()..)?);
            }
            let end = cut(quoted, &self.secrets);
            spans.extend((end > 0).then(|| span(quoted.len() - end..quoted.len())));
            let reversed: String = quoted.chars().rev().collect();
            let start = cut(&reversed, &self.reversed);
            spans.extend((start > 0).then(|| span(0..start)));
        }
        (!spans.is_empty()).then(|| mask_spans(text, &spans).into_owned())
    }
}

/// The length of the longest end of a text that is the start of one of these secrets; 0 if it is too short to be masked.
fn cut(text: &str, secrets: &BTreeSet<String>) -> usize {
    let begins_one = |end: &str| {
        let from = (Bound::Included(end), Bound::Unbounded);
        let next = secrets.range::<str, _>(from).next();
        next.is_some_and(|secret| secret.starts_with(end))
    };
    let lengths = text.char_indices().map(|(at, _)| text.len() - at);
    let mut lengths = lengths.filter(|length| (MIN_PART..=MAX_CUT).contains(length));
    lengths.find(|length| text.get(text.len() - length..).is_some_and(begins_one)).unwrap_or(0)
}

/// Whether a secret differs from ordinary words, so that the same characters elsewhere are the same secret.
fn is_telling(secret: &str) -> bool {
    !secret.contains(char::is_whitespace)
        && secret.contains(|it: char| !it.is_lowercase())
        && !is_name_of_a_secret(secret)
}

/// Whether a text is the name of a field such as `api_key` and not a usable secret, such as `Bearer my-secret-2`.
fn is_name_of_a_secret(text: &str) -> bool {
    const MAX_NAME: usize = 32;
    let is_of_name = |it: char| !it.is_whitespace() && !it.is_ascii_digit();
    text.len() <= MAX_NAME
        && text.chars().all(is_of_name)
        && is_secret_name(text)
        && !is_random(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::Mask;

    #[test]
    fn words_of_a_message_are_kept_although_a_secret_contains_them() {
        let mut mask = Mask::default();
        mask.add("Qx7-secret-vT9qLr2Xw8YbN5");
        for (text, expected) in [
            ("this looks like a secret", "this looks like a secret"),
            ("Qx7-secret-vT9qLr2Xw8YbN5 is shown", "************************* is shown"),
            ("now `x Qx7-secret-v…`", "now `x ************…`"),
            ("now `vT9qLr2Xw8YbN5, it`", "now `**************, it`"),
            ("now `secret-vT9q`", "now `***********`"),
            ("`` `Qx7-secret-vT9q` `` is shown", "`` `***************` `` is shown"),
            ("`a` EXAVITQu4vr4xnSDxMaL `b` is shown", "`a` EXAVITQu4vr4xnSDxMaL `b` is shown"),
        ] {
            assert_eq!(mask.sentence(text), expected);
        }
    }
}
