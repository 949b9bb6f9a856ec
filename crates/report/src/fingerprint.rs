//! Fingerprints, which identify a finding from one run to the next.

use std::collections::HashMap;
use std::io;

use serde::Serialize;
use sha2::{Digest as _, Sha256};

use crate::emitter::Output;
use crate::json_text::write_compact;

/// What a fingerprint is made of, without the number that distinguishes findings with the same parts.
#[derive(Clone)]
pub(crate) struct FingerprintParts(Sha256);

impl FingerprintParts {
    /// The SHA-256 of the rule, the file, the JSON Pointer, and a number for findings that share these. It does not depend on
    /// line numbers, nor on values, which may be secrets.
    pub(crate) fn new(rule: &str, path: &str, field: &str) -> Self {
        let mut hash = Sha256::new();
        for part in [rule, path, field] {
            // The length keeps the parts apart.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        Self(hash)
    }

    fn numbered(&self, number: u32) -> [u8; 32] {
        self.0.clone().chain_update(number.to_le_bytes()).finalize().into()
    }
}

/// Gives every finding of a run a unique fingerprint.
#[derive(Debug, Default)]
pub(crate) struct Fingerprints {
    /// How many findings have had these parts, by the fingerprint of the first one.
    seen: HashMap<[u8; 32], u32>,
}

impl Fingerprints {
    /// The fingerprint of the next finding with these parts, as 64 digits. `first` is that of the first one.
    fn next(&mut self, parts: &FingerprintParts, first: [u8; 32]) -> [u8; 64] {
        let count = self.seen.entry(first).or_insert(0);
        let number = *count;
        *count += 1;
        digits(if number == 0 { first } else { parts.numbered(number) })
    }
}

fn digits(hash: [u8; 32]) -> [u8; 64] {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut digits = [0; 64];
    for (pair, byte) in digits.chunks_exact_mut(2).zip(hash) {
        for (digit, value) in pair.iter_mut().zip([byte >> 4, byte & 0xf]) {
            *digit = DIGITS.get(usize::from(value)).copied().unwrap_or_default();
        }
    }
    digits
}

/// The entries of one document in a report with fingerprints, each in JSON on one line. Everything but the number in the
/// fingerprint is known before the documents are joined.
#[derive(Default)]
pub(crate) struct FingerprintedEntries {
    text: Vec<u8>,
    entries: Vec<FingerprintedEntry>,
}

struct FingerprintedEntry {
    parts: FingerprintParts,
    first: [u8; 32],
    /// Where the fingerprint belongs.
    at: usize,
    end: usize,
}

impl FingerprintedEntries {
    /// Adds an entry: an object with the members of `head`, then the fingerprint between `open` and `close`, then the members
    /// of `tail`, of which there is at least one.
    pub(crate) fn add(
        &mut self,
        parts: FingerprintParts,
        head: &impl Serialize,
        (open, close): (&str, &str),
        tail: &impl Serialize,
    ) {
        let text = &mut self.text;
        write_compact(text, head);
        // The object goes on.
        text.pop();
        text.extend_from_slice(open.as_bytes());
        let at = text.len();
        text.extend_from_slice(close.as_bytes());
        let tail_start = text.len();
        write_compact(text, tail);
        if let Some(brace) = text.get_mut(tail_start) {
            *brace = b',';
        }
        let first = parts.numbered(0);
        self.entries.push(FingerprintedEntry { parts, first, at, end: text.len() });
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Writes the entries. `separator` is what comes before an entry, and before the first of the report.
    pub(crate) fn write(
        &self,
        out: &mut Output<'_>,
        fingerprints: &mut Fingerprints,
        is_begun: &mut bool,
        separator: (&[u8], &[u8]),
    ) -> io::Result<()> {
        let mut start = 0;
        for entry in &self.entries {
            let piece = |from: usize, to: usize| self.text.get(from..to).unwrap_or_default();
            let is_first = !std::mem::replace(is_begun, true);
            out.write_escaped(if is_first { separator.1 } else { separator.0 })?;
            out.write_escaped(piece(start, entry.at))?;
            out.write_escaped(&fingerprints.next(&entry.parts, entry.first))?;
            out.write_escaped(piece(entry.at, entry.end))?;
            start = entry.end;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(fingerprints: &mut Fingerprints, rule: &str, path: &str, field: &str) -> String {
        let parts = FingerprintParts::new(rule, path, field);
        let first = parts.numbered(0);
        String::from_utf8(fingerprints.next(&parts, first).to_vec()).unwrap()
    }

    #[test]
    fn fingerprints_are_the_same_in_every_version() {
        let mut fingerprints = Fingerprints::default();
        let mut next = || next(&mut fingerprints, "unknown-field", "agents/a.json", "/x");
        assert_eq!(
            [next(), next()],
            [
                "0d7bce880026c99960ff846a85549fa925f6375c9338f1479b6fe2791d420d85",
                "009c3e7dd14a394f9ac55dd3f87c599ba7a88a90bc7ae9b05828b3970919afe8",
            ]
        );
    }

    #[test]
    fn parts_are_kept_apart() {
        let of = |rule, path| next(&mut Fingerprints::default(), rule, path, "");
        assert_ne!(of("a", "bc"), of("ab", "c"));
    }
}
