//! Secrets in texts, and how they are masked.
//!
//! `patterns.rs` finds secrets by their form, `field_names.rs` by the name of their field, and `numbers.rs` finds numbers of
//! cards and people, which are masked like secrets. All see decoded text. Nothing else
//! is masked.

pub(crate) mod bytes;
pub(crate) mod field_names;
pub mod kinds;
pub mod numbers;
pub(crate) mod patterns;
pub(crate) mod randomness;

use std::borrow::Cow;

use voxlint_schema::names;
use voxlint_syntax::Span;

use self::numbers::PersonalNumber;
use self::patterns::Spelling;
use crate::pointer::unescape_token;

pub use patterns::Evidence;
pub(crate) use patterns::{MIN_LENGTH, Secret, has_private_key, is_run_of_secret, run_around};

/// A number is masked like a secret. The rule about such numbers decides which ones deserve a finding.
impl From<PersonalNumber> for Secret {
    fn from(number: PersonalNumber) -> Self {
        Self { range: number.range, evidence: Evidence::Weak }
    }
}

/// A pointer whose names are masked in some way, except for those of fields; `None` if that changes nothing.
pub(crate) fn masked_names(pointer: &str, mask: impl Fn(&str) -> Option<String>) -> Option<String> {
    let masked = |name: &str| {
        let is_field = names::is_field(names::id(name));
        if is_field { None } else { mask(&unescape_token(name)) }
    };
    let first = pointer.split('/').position(|name| masked(name).is_some())?;
    let names = pointer.split('/').enumerate().map(|(at, name)| {
        let masked = if at < first { None } else { masked(name) };
        masked.map_or_else(|| name.to_owned(), |name| name.replace('~', "~0").replace('/', "~1"))
    });
    Some(names.collect::<Vec<_>>().join("/"))
}

/// A text with everything that has the form of a secret replaced by asterisks. The name of its field is not known here.
///
/// ```
/// use voxlint::secrets::mask_text;
///
/// let text = "Log in with 8f3a9c2b1d4e5f60:Zk3vT9qLr2Xw8YbN5mHd7PcS";
/// assert_eq!(mask_text(text), "Log in with 8f3a9c2b1d4e5f60:************************");
/// assert_eq!(mask_text("the voice EXAVITQu4vr4xnSDxMaL"), "the voice EXAVITQu4vr4xnSDxMaL");
/// ```
pub fn mask_text(text: &str) -> Cow<'_, str> {
    let mut found = patterns::find(text, Spelling::Decoded);
    let numbers = numbers::convincing(text, || text.to_owned());
    found.extend(numbers.into_iter().map(Secret::from));
    found.extend(patterns::random_runs(text, Spelling::Decoded));
    let spans = found.into_iter().map(|it| Span::new(it.range.start as u32, it.range.end as u32));
    mask_spans(text, &spans.collect::<Vec<_>>())
}

/// The text with asterisks in place of these spans. Offsets are unchanged.
pub fn mask_spans<'t>(text: &'t str, spans: &[Span]) -> Cow<'t, str> {
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

#[cfg(test)]
mod tests {
    use std::ops::Range;

    use super::patterns::{Evidence, Spelling, find, random_runs};

    /// The secrets in a text, and how certain they are.
    fn in_text(text: &str) -> Vec<(&str, Evidence)> {
        let secrets = find(text, Spelling::Decoded);
        secrets.into_iter().map(|it| (text.get(it.range).unwrap(), it.evidence)).collect()
    }

    #[test]
    fn keys_are_found_anywhere() {
        use Evidence::{Certain, Likely, Weak};
        for before in ["", "x ", "Log in with ", "\n", "(", "a-rather-long-word-before-it "] {
            for (text, secret, evidence) in [
                ("8f3a9c2b1d4e5f60:Zk3vT9qLr2Xw8YbN5mHd7PcS", "Zk3vT9qLr2Xw8YbN5mHd7PcS", Likely),
                ("8f3a9c2b1d4e5f60:Zk3v+9qL/2Xw8YbN5mHd7Q==", "Zk3v+9qL/2Xw8YbN5mHd7Q==", Likely),
                ("ci:Zk3v+9qL/2Xw8YbN5mHd7Q==", "Zk3v+9qL/2Xw8YbN5mHd7Q==", Likely),
                ("k2f:73vm2/1Kjj+lMG7xMc++VqtIre+", "73vm2/1Kjj+lMG7xMc++VqtIre+", Likely),
                ("kfed://M/WRdjL5z8JVSSjylQlAqA70=", "//M/WRdjL5z8JVSSjylQlAqA70=", Likely),
                ("ci:Vqtire/Lmgxmc/Kjjvm/Front2==", "Vqtire/Lmgxmc/Kjjvm/Front2==", Likely),
                ("key_ci:qwertzuiopasdfghjklyx", "qwertzuiopasdfghjklyx", Likely),
                ("sk-live-0123456789", "sk-live-0123456789", Certain),
                (
                    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                    "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                    Certain,
                ),
                (
                    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZ2VudCJ9.Zk3vT9qLr2Xw8YbN5mHd7PcS",
                    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZ2VudCJ9.Zk3vT9qLr2Xw8YbN5mHd7PcS",
                    Certain,
                ),
                ("bearer Zk3vT9qLr2Xw8YbN5mHd7PcS", "Zk3vT9qLr2Xw8YbN5mHd7PcS", Likely),
                ("Bearer abcdefghij.klmnop", "abcdefghij.klmnop", Weak),
                ("api_key=Zk3vT9qLr2Xw8YbN", "Zk3vT9qLr2Xw8YbN", Likely),
                ("{{#if api_key=\"Zk3vT9qLr2Xw8YbN\"}}", "Zk3vT9qLr2Xw8YbN", Likely),
                ("password: hunter22", "hunter22", Weak),
                ("Passwort: Sommer2024!", "Sommer2024", Weak),
                ("https://ann:hunter22@example.com/", "hunter22", Likely),
            ] {
                let text = format!("{before}{text} and so on");
                assert_eq!(in_text(&text), [(secret, evidence)], "{text}");
            }
        }
    }

    #[test]
    fn a_random_run_is_found_whatever_is_before_it() {
        for before in
            ["", "token_", "key_", "KEY-", "live-", "550e8400-e29b-41d4-a716-446655440000-"]
        {
            let text = format!("Use {before}Zk3vT9qLr2Xw8YbN5mHd7PcS now");
            let found = random_runs(&text, Spelling::Decoded);
            let ends = |range: Range<usize>| text.get(range).is_some_and(|it| it.ends_with("7PcS"));
            assert!(found.into_iter().any(|it| ends(it.range)), "{text}");
        }
    }

    #[test]
    fn other_texts_are_not_secrets() {
        for text in [
            "https://api.example.com:8443/v2/orders/0123456789abcdef0123",
            "between 10:30:00 and 18:00:00, every day",
            "at:2026-11-22T10:30:00.000+05:30",
            "Donaudampfschifffahrtsgesellschaft: closed",
            "note:see-the-handbook-for-more",
            "sk-short",
            "sk-learn-preprocessing-2024",
            "sk-your-api-key-goes-here",
            "api_key=YOUR_API_KEY_HERE",
            "api_key=<your key>",
            "api_key={{api_key}}",
            "{{#if api_key}}{{api_key}}{{/if}}",
            "password: must be reset",
            "token: xxxxxxxxxxxxxxxxxxxxxxxx",
            "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "note:Terms2024/Section+Appendix/Front",
            "search:Front/Desk/Orders/Open/State=Open2",
            "org.example:artifact-with-a-long-name:1.2.3",
            "voice:EXAVnQu4vr4xnSDxMaLb7",
            "request_id:550e8400-e29b-41d4-a716-446655440000",
            "model:gpt-4o-mini-2024-07-18",
            "Bearer {{access_token_of_the_caller}}",
            "bearer certificate-management",
            "user:internationalization",
        ] {
            assert!(in_text(text).is_empty(), "{text}: {:?}", in_text(text));
        }
    }
}
