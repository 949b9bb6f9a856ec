//! Fingerprints, which identify a finding from one run to the next.

use std::collections::HashMap;
use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

/// Gives every finding of a run a unique fingerprint.
#[derive(Debug, Default)]
pub(crate) struct Fingerprints {
    /// How many findings have had these parts, by the fingerprint of the first one.
    seen: HashMap<String, u32>,
}

impl Fingerprints {
    /// The fingerprint of the next finding with these parts, as 64 digits: the SHA-256 of the rule, the file, the JSON Pointer, and
    /// a number for findings that share these. It does not depend on line numbers, nor on values, which may be secrets.
    pub(crate) fn next(&mut self, rule: &str, path: &str, field: &str) -> String {
        let mut hash = Sha256::new();
        for part in [rule, path, field] {
            // The length keeps the parts apart.
            hash.update((part.len() as u64).to_le_bytes());
            hash.update(part);
        }
        let numbered = |number: u32| digits(hash.clone().chain_update(number.to_le_bytes()));
        let first = numbered(0);
        let count = self.seen.entry(first.clone()).or_insert(0);
        let number = *count;
        *count += 1;
        if number == 0 { first } else { numbered(number) }
    }
}

fn digits(hash: Sha256) -> String {
    let mut digits = String::new();
    for byte in hash.finalize() {
        // Writing to a string cannot fail.
        let _ = write!(digits, "{byte:02x}");
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_the_same_in_every_version() {
        let mut fingerprints = Fingerprints::default();
        let mut next = || fingerprints.next("unknown-field", "agents/a.json", "/x");
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
        let of = |rule, path| Fingerprints::default().next(rule, path, "");
        assert_ne!(of("a", "bc"), of("ab", "c"));
    }
}
