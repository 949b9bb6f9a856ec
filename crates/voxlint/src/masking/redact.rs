//! Keeps secrets out of messages about a document.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::ops::Range;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use memchr::memmem;
use voxlint_schema::settings;
use voxlint_syntax::{Kind, Node, Span};

use crate::secret::field_names::is_secret_name;
use crate::secret::harmless::{LONG, is_word, mask_doubts};
use crate::secret::randomness::is_random;
use crate::secret::{ShownIds, masked_names};
use crate::{Diagnostic, Document, Fix};

/// Marks a masked value that differs from the masked value before it.
pub(crate) const SECRET_CHANGED: &str = "(masked part changed)";

/// The length of a piece of a secret. Fewer characters in a row may be shown.
const WINDOW: usize = 6;

/// The maximum number of bytes of a secret that are remembered. Messages show only the beginning of a longer one.
const MAX_REMEMBERED: usize = 8 * 1024;

/// The length of the longest secrets that are searched for all at once.
const MAX_SEARCHED: usize = 1024;

/// The number of longer secrets that are searched for, each on its own.
const MAX_LONG: usize = 16;

/// The secrets in the inputs of a check, in pieces, because messages show parts of values.
#[derive(Debug, Default)]
pub(crate) struct Redactor {
    /// Pieces that look random are masked wherever they are.
    anywhere: BTreeSet<[u8; WINDOW]>,
    /// Other pieces may be words of the message itself. They are masked only in quoted text.
    quoted: BTreeSet<[u8; WINDOW]>,
    /// Secrets shorter than a piece.
    short: BTreeSet<String>,
    /// Pieces of words that may be secrets, in quoted text.
    doubtful: BTreeSet<[u8; WINDOW]>,
    /// Pieces of such words that are words or numbers by themselves, next to others of them.
    plain: BTreeSet<[u8; WINDOW]>,
    /// Pieces with a backquote in them, of secrets and of such words. They are not split where messages quote values.
    ticked: BTreeSet<[u8; WINDOW]>,
    /// Ids that are shown.
    known: ShownIds,
    /// Whole secrets that differ from ordinary words, so that they are masked wherever else they are in the inputs.
    whole: BTreeSet<String>,
}

impl Redactor {
    /// Without secrets so far. The known ids are shown.
    pub(crate) fn new(known: ShownIds) -> Self {
        Self { known, ..Self::default() }
    }

    /// Adds a part of a word that may be a secret.
    pub(crate) fn add_doubtful(&mut self, part: &str) {
        self.doubtful.extend(pieces(part));
    }

    /// Adds what is around the unusual signs in such a word: they seldom occur in a message.
    pub(crate) fn add_signs(&mut self, word: &str) {
        if self.add_ticked(word) {
            // A message may quote any part of it.
            self.doubtful.extend(pieces(word));
        }
        let has_sign = |piece: &[u8; WINDOW]| {
            piece.iter().any(|byte| byte.is_ascii_punctuation() && !b"-_.:/,'\"".contains(byte))
        };
        self.doubtful.extend(pieces(word).filter(has_sign));
    }

    /// Adds what is around the backquotes in a secret. Returns whether it has one.
    fn add_ticked(&mut self, secret: &str) -> bool {
        let is_ticked = secret.contains('`');
        if is_ticked {
            self.ticked.extend(pieces(secret).filter(|piece| piece.contains(&b'`')));
        }
        is_ticked
    }

    /// Adds a part of such a word that is a word or a number by itself.
    pub(crate) fn add_plain(&mut self, part: &str) {
        self.plain.extend(pieces(part));
    }

    /// Adds a secret, decoded.
    pub(crate) fn add(&mut self, secret: &str) {
        let bytes = secret.as_bytes();
        if bytes.len() < WINDOW {
            self.short.insert(secret.to_owned());
            return;
        }
        self.add_ticked(secret);
        if is_telling(secret) {
            self.whole.insert(secret.to_owned());
        }
        let is_random = is_random(bytes) && !bytes.contains(&b' ');
        if is_random { &mut self.anywhere } else { &mut self.quoted }.extend(pieces(secret));
    }

    /// The bytes of a document that spell one of the secrets, wherever it is: a prompt may repeat what a header has.
    pub(crate) fn repeated_in(&self, document: &Document) -> Vec<Span> {
        if self.whole.is_empty() {
            return Vec::new();
        }
        let is_short = |secret: &&String| secret.len() <= MAX_SEARCHED;
        let mut search = AhoCorasick::builder();
        // The time to build an automaton of another kind is not linear.
        search.match_kind(MatchKind::LeftmostLongest).kind(Some(AhoCorasickKind::NoncontiguousNFA));
        // It is only limited to more secrets than fit in memory.
        let Ok(search) = search.build(self.whole.iter().filter(is_short)) else {
            return Vec::new();
        };
        let extent = document.extent();
        let source = extent.slice(document.text());
        let long = self.whole.iter().filter(|secret| !is_short(secret)).take(MAX_LONG);
        let long = long.flat_map(|secret| {
            memmem::find_iter(source.as_bytes(), secret).map(|at| at..at + secret.len())
        });
        let short = search.find_iter(source).map(|found| found.range());
        let in_source = short.chain(long).map(|Range { start, end }| {
            Span::new(extent.start + start as u32, extent.start + end as u32)
        });
        let mut spans: Vec<Span> = in_source.collect();
        // Escapes and line breaks may be inside a secret.
        let texts = document.tree().nodes().filter(|node| {
            matches!(node.kind(), Kind::String | Kind::Key)
                && (!node.is_as_written() || node.source().contains('\\'))
        });
        for text in texts.filter_map(Node::text) {
            let found = search.find_iter(text.as_str()).map(|found| found.range());
            spans.extend(found.map(|range| text.to_source(range)));
        }
        spans
    }

    /// Removes the fixes of a finding that show a secret.
    pub(crate) fn drop_fixes(&self, finding: &mut Diagnostic) {
        finding.fixes.retain(|fix| !shows(fix, &|text| self.masked_secrets(text).is_some()));
    }

    /// Masks secrets in all texts of a finding, and marks the fixes that show a word that may be one.
    pub(crate) fn redact_finding(&self, finding: &mut Diagnostic) {
        self.redact(&mut finding.message);
        let texts =
            [&mut finding.label, &mut finding.help, &mut finding.depends_on, &mut finding.note];
        texts.into_iter().flatten().for_each(|text| self.redact(text));
        self.redact_pointer(&mut finding.field);
        for related in &mut finding.related {
            self.redact(&mut related.message);
            self.redact_pointer(&mut related.field);
        }
        for fix in &mut finding.fixes {
            fix.is_masked = shows(fix, &|text| self.masked(text, true).is_some());
            if let Some(masked) = self.masked_in_fix(&fix.title) {
                fix.title = masked;
            }
        }
    }

    /// Masks secrets in a sentence that quotes values between backquotes.
    pub(crate) fn redact(&self, text: &mut String) {
        // Masked first, because the backquotes of a value split it like those around it.
        let has_ticked = !self.ticked.is_empty()
            && mask_pieces(text, |piece| self.ticked.contains(piece)).is_some();
        if has_ticked {
            let all = [&self.ticked, &self.doubtful, &self.anywhere, &self.quoted];
            if let Some(masked) = mask_pieces(text, |piece| all.iter().any(|it| it.contains(piece)))
            {
                *text = masked;
            }
        }
        // With a backquote inside a value, quoted text cannot be told from the rest.
        let is_odd = has_ticked
            || text.bytes().filter(|byte| *byte == b'`').count() % 2 == 1
            || text.split('`').skip(1).step_by(2).any(str::is_empty);
        let mut shown: Option<String> = None;
        let (mut at, mut until) = (0, 0);
        for (index, part) in text.split('`').enumerate() {
            if let Some(masked) = self.masked(part, is_odd || index % 2 == 1) {
                let shown = shown.get_or_insert_with(|| String::with_capacity(text.len()));
                shown.push_str(text.get(until..at).unwrap_or_default());
                shown.push_str(&masked);
                until = at + part.len();
            }
            at += part.len() + 1;
        }
        if let Some(mut shown) = shown {
            shown.push_str(text.get(until..).unwrap_or_default());
            *text = shown;
        }
    }

    /// Masks secrets in a value that is shown by itself. It may look like the name of a secret, such as `my-secret-token`.
    pub(crate) fn redact_value(&self, text: &mut String) {
        if let Some(masked) = self.masked_part(text, true) {
            *text = masked;
        }
    }

    /// Masks a name that may be a secret, or a part of a word that may be one. That it is also inside a secret does not matter.
    pub(crate) fn redact_doubts(&self, text: &mut String) {
        if let Some(masked) = self.masked_doubts(text, true)
            && !self.known.contains(text)
        {
            *text = masked;
        }
    }

    /// Masks secrets in the name of a field that is shown by itself.
    pub(crate) fn redact_name(&self, text: &mut String) {
        if let Some(masked) = self.masked(text, true) {
            *text = masked;
        }
    }

    /// Masks secrets in a value before and after a change. Two secrets of one length look alike then, so each line of the new
    /// value that only differs in a secret says so. Returns whether one does.
    pub(crate) fn redact_pair(&self, old: &mut String, new: &mut String) -> bool {
        let before = std::mem::take(old);
        let after = std::mem::take(new);
        *old = self.masked_part(&before, true).unwrap_or_else(|| before.clone());
        let Some(masked) = self.masked_part(&after, true) else {
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

    fn redact_pointer(&self, pointer: &mut String) {
        if let Some(masked) = masked_names(pointer, |name| self.masked(name, true)) {
            *pointer = masked;
        }
    }

    /// A pointer with every name masked that may be a secret, as [`Self::redact_doubts`] does.
    pub(crate) fn mask_doubts_in_pointer(&self, pointer: String) -> String {
        masked_names(&pointer, |name| {
            Some(name)
                .filter(|name| !self.known.contains(name))
                .and_then(|name| self.masked_doubts(name, true))
        })
        .unwrap_or(pointer)
    }

    /// The text with secrets masked; `None` if it shows none.
    fn masked(&self, text: &str, is_quoted: bool) -> Option<String> {
        self.masked_part(text, is_quoted).filter(|_| !is_name(text))
    }

    /// The text with certain secrets masked, and not words that may be secrets; `None` if it shows none.
    fn masked_secrets(&self, text: &str) -> Option<String> {
        self.masked_pieces(text, true).filter(|_| !is_name(text))
    }

    /// As [`Self::masked`], whether or not the text is a name.
    fn masked_part(&self, text: &str, is_quoted: bool) -> Option<String> {
        let masked = self.masked_pieces(text, is_quoted);
        if (is_quoted && self.is_short(text)) || self.known.contains(text) {
            return masked;
        }
        let shown = masked.as_deref().unwrap_or(text);
        self.masked_doubts(shown, is_quoted).or(masked)
    }

    /// The text with words masked that may be secrets. In quoted text, parts of such words are masked as well. In other text, short
    /// words are those of the message, such as `U+E006F`.
    fn masked_doubts(&self, text: &str, is_quoted: bool) -> Option<String> {
        let masked = match mask_doubts(text, &self.known, if is_quoted { 0 } else { LONG }) {
            Cow::Owned(masked) => Some(masked),
            Cow::Borrowed(_) => None,
        };
        if !is_quoted || self.doubtful.is_empty() {
            return masked;
        }
        let shown = masked.as_deref().unwrap_or(text);
        mask_pieces(shown, |piece| self.doubtful.contains(piece)).or(masked)
    }

    /// The text of a fix with secrets masked; `None` if it shows none. A correction of keywords may consist of the parts of one
    /// word.
    fn masked_in_fix(&self, text: &str) -> Option<String> {
        let masked = self.masked(text, true)?;
        Some(mask_pieces(&masked, |piece| self.plain.contains(piece)).unwrap_or(masked))
    }

    /// Whether the text is a secret that is shorter than a piece.
    fn is_short(&self, text: &str) -> bool {
        text.len() < WINDOW && self.short.contains(text)
    }

    /// The text with pieces of certain secrets masked.
    fn masked_pieces(&self, text: &str, is_quoted: bool) -> Option<String> {
        if is_quoted && self.is_short(text) {
            return Some("*".repeat(text.chars().count()));
        }
        // Most documents have no secrets.
        if self.anywhere.is_empty() && (!is_quoted || self.quoted.is_empty()) {
            return None;
        }
        let masked = mask_pieces(text, |piece| {
            self.anywhere.contains(piece) || (is_quoted && self.quoted.contains(piece))
        })?;
        Some(if is_quoted { masked } else { with_words(text, &masked) })
    }
}

/// Whether a test finds something in the texts of a fix.
fn shows(fix: &Fix, in_text: &dyn Fn(&str) -> bool) -> bool {
    fix.edits.iter().any(|edit| in_text(&edit.text)) || in_text(&fix.title)
}

/// Whether a text is the name of a field. It is never secret, even if it is used as a password.
fn is_name(text: &str) -> bool {
    settings::TABLE.row(text).is_some() || is_name_of_a_secret(text)
}

/// The pieces of the beginning of a secret.
fn pieces(secret: &str) -> impl Iterator<Item = [u8; WINDOW]> {
    let bytes = secret.as_bytes();
    let bytes = bytes.get(..MAX_REMEMBERED).unwrap_or(bytes);
    bytes.windows(WINDOW).filter_map(|piece| piece.try_into().ok())
}

/// A text with these pieces masked, and the rest of their words: pieces may be known of a part only. `None` if it has none of them.
fn mask_pieces(text: &str, is_secret: impl Fn(&[u8; WINDOW]) -> bool) -> Option<String> {
    let is_secret = |piece: &[u8]| <&[u8; WINDOW]>::try_from(piece).is_ok_and(&is_secret);
    let mut until = 0;
    let mut masked: Option<String> = None;
    let mut starts = text.as_bytes().windows(WINDOW).map(is_secret);
    for (at, character) in text.char_indices() {
        for byte in at..at + character.len_utf8() {
            if starts.next() == Some(true) {
                until = byte + WINDOW;
            }
        }
        if at == until && masked.is_some() && character.is_ascii_alphanumeric() {
            until = at + 1;
        }
        if at < until && masked.is_none() {
            masked = Some(text.get(..at).unwrap_or_default().to_owned());
        }
        if let Some(masked) = &mut masked {
            masked.push(if at < until { '*' } else { character });
        }
    }
    masked
}

/// A masked sentence with its own words. A secret may contain one by chance, which the word alone does not tell.
fn with_words(text: &str, masked: &str) -> String {
    let is_of_word = |character: char| character.is_alphanumeric() || character == '_';
    let pairs: Vec<(char, char)> = text.chars().zip(masked.chars()).collect();
    let is_shown =
        |pair: Option<&(char, char)>| pair.is_none_or(|(written, shown)| written == shown);
    let mut shown = String::with_capacity(text.len());
    let mut before = None;
    let mut at = 0;
    for run in pairs.chunk_by(|one, next| is_of_word(one.0) == is_of_word(next.0)) {
        at += run.len();
        let word: String = run.iter().map(|(written, _)| written).collect();
        let is_own = word.bytes().all(|byte| byte.is_ascii_lowercase())
            && is_word(word.as_bytes())
            && is_shown(before)
            && is_shown(pairs.get(at));
        shown.extend(run.iter().map(|(written, masked)| if is_own { written } else { masked }));
        before = run.last();
    }
    shown
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
    use super::Redactor;

    #[test]
    fn words_of_a_message_are_kept_although_a_secret_contains_them() {
        let mut redactor = Redactor::default();
        redactor.add("Qx7-secret-vT9qLr2Xw8YbN5");
        for (text, expected) in [
            ("this looks like a secret", "this looks like a secret"),
            ("Qx7-secret-vT9qLr2Xw8YbN5 is shown", "************************* is shown"),
            ("see the secretvT9qLr of it", "see the ************ of it"),
            ("`` `Qx7-secret-vT9q` `` is shown", "`` `***************` `` is shown"),
            ("`` `EXAVITQu4vr4xnSDxMaL` `` is shown", "`` `EX****************aL` `` is shown"),
            ("`a` EXAVITQu4vr4xnSDxMaL `b` is shown", "`a` EX****************aL `b` is shown"),
        ] {
            let mut message = text.to_owned();
            redactor.redact(&mut message);
            assert_eq!(message, expected);
        }
    }
}
