//! Instructions to ask callers for a password, a PIN or the like.
//!
//! Prompts mention credentials most often to forbid such questions, so a sentence counts only if it plainly requests one, and
//! neither it nor the heading above it forbids anything.

use std::ops::Range;

/// Verbs of an instruction to the agent, before the credential.
const ASK: [&str; 12] = [
    "ask", "request", "collect", "obtain", "gather", "capture", "frage", "fragen", "erfrage",
    "erfragen", "fordere", "bitte",
];

/// Verbs of a request to the caller, before `your` and the credential.
const TELL: [&str; 13] = [
    "tell", "share", "provide", "say", "give", "enter", "read", "type", "speak", "confirm",
    "nennen", "geben", "teilen",
];

/// Verbs after the credential, in Hindi.
const TELL_AFTER: [&str; 27] = [
    "bataiye",
    "bataye",
    "batayein",
    "batayen",
    "batao",
    "bataen",
    "poochein",
    "poochiye",
    "puchein",
    "puchiye",
    "poocho",
    "pucho",
    "maangein",
    "maangiye",
    "maango",
    "dijiye",
    "बताइए",
    "बताएं",
    "पूछें",
    "पूछिए",
    "मांगें",
    "माँगें",
    "बताने",
    "बताइये",
    "बताएँ",
    "batane",
    "puchhein",
];

const YOUR: [&str; 8] = ["your", "ihre", "ihren", "ihr", "deine", "dein", "aapka", "apna"];

/// Words that forbid, in sentences and in headings.
const NEGATIONS: [&str; 44] = [
    "not",
    "never",
    "don't",
    "dont",
    "don'ts",
    "donts",
    "doesn't",
    "cannot",
    "can't",
    "won't",
    "shouldn't",
    "mustn't",
    "isn't",
    "aren't",
    "no",
    "nor",
    "neither",
    "none",
    "without",
    "avoid",
    "decline",
    "forbidden",
    "prohibited",
    "restrictions",
    "guardrails",
    "unless",
    "instead",
    "nahi",
    "nahin",
    "nahee",
    "mat",
    "na",
    "kabhi",
    "नहीं",
    "मत",
    "न",
    "कभी",
    "मना",
    "mana",
    "nicht",
    "nie",
    "niemals",
    "kein",
    "keine",
];

/// Words before a verb that leave it an instruction to the agent.
const BEFORE_VERB: [&str; 19] = [
    "then",
    "and",
    "to",
    "must",
    "should",
    "please",
    "always",
    "also",
    "or",
    "you",
    "now",
    "politely",
    "first",
    "next",
    "finally",
    "simply",
    "immediately",
    "dann",
    "zuerst",
];

/// Words at the start of a sentence whose verbs tell what callers do.
const ABOUT_CALLERS: [&str; 14] = [
    "callers",
    "customers",
    "users",
    "guests",
    "patients",
    "people",
    "many",
    "some",
    "they",
    "he",
    "she",
    "caller",
    "customer",
    "der",
];

/// Words after a credential that make it another thing.
const NOT_ITSELF: [&str; 15] = [
    "reset",
    "resets",
    "policy",
    "recovery",
    "change",
    "changes",
    "manager",
    "hint",
    "code",
    "codes",
    "protected",
    "link",
    "zurücksetzen",
    "vergessen",
    "कोड",
];

/// Words before a credential that make it public.
const PUBLIC: [&str; 9] =
    ["wifi", "wi-fi", "wlan", "network", "guest", "postal", "area", "zip", "delivery"];

/// The distance of the verb from the credential, in words.
const REACH: usize = 12;

/// The credentials that a text asks for.
pub(crate) fn requested(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut headings = Headings::default();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        headings.pass(line);
        if !headings.forbid() {
            sentences(line, start, &mut found);
        }
        start += line.len();
    }
    found
}

/// The heading of a section and the introduction of a list, as far as they forbid what follows.
#[derive(Default)]
struct Headings {
    section_forbids: bool,
    list_forbids: bool,
}

impl Headings {
    fn pass(&mut self, line: &str) {
        let line = line.trim();
        let is_item = line.starts_with(['-', '*', '•', '–']) && !line.starts_with("**")
            || line.starts_with(|c: char| c.is_ascii_digit());
        let forbids = || words(line).any(|word| is_one_of(&word.lower, &NEGATIONS));
        if line.starts_with('#') {
            (self.section_forbids, self.list_forbids) = (forbids(), false);
        } else if line.ends_with([':', '*']) {
            self.list_forbids = forbids();
        } else if !is_item && !line.is_empty() {
            self.list_forbids = false;
        }
    }

    const fn forbid(&self) -> bool {
        self.section_forbids || self.list_forbids
    }
}

/// Finds the requests in the sentences of a line.
fn sentences(line: &str, start: usize, found: &mut Vec<Range<usize>>) {
    let mut at = start;
    for sentence in line.split_inclusive(['.', '!', '?', '।', ';']) {
        let words: Vec<Word> = words(sentence).collect();
        let is_negated = || words.iter().any(|word| is_one_of(&word.lower, &NEGATIONS));
        if let Some(range) = request(&words)
            && !is_negated()
        {
            found.push(at + range.start..at + range.end);
        }
        at += sentence.len();
    }
}

/// A word of a sentence.
struct Word<'a> {
    text: &'a str,
    lower: String,
    range: Range<usize>,
    /// Whether a clause begins with it.
    begins_clause: bool,
}

fn words(sentence: &str) -> impl Iterator<Item = Word<'_>> {
    let mut begins_clause = true;
    let is_inside = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’' | '-') || is_sign(c);
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = sentence.get(at..)?;
        let skipped = rest.find(|c: char| c.is_alphanumeric() || is_sign(c))?;
        let gap = rest.get(..skipped)?;
        begins_clause |= gap.contains([',', ':', '"', '“', '(', '–', '—', '*', '-']);
        let rest = rest.get(skipped..)?;
        let length = rest.find(|c: char| !is_inside(c)).unwrap_or(rest.len());
        let text = rest.get(..length)?.trim_end_matches(['-', '\'', '’']);
        let range = at + skipped..at + skipped + text.len();
        at += skipped + length;
        let lower = text.to_lowercase().replace('’', "'");
        Some(Word { text, lower, range, begins_clause: std::mem::take(&mut begins_clause) })
    })
}

/// The vowel signs and other marks of Devanagari, which are not letters.
const fn is_sign(character: char) -> bool {
    matches!(character, '\u{900}'..='\u{903}' | '\u{93a}'..='\u{94f}' | '\u{200c}' | '\u{200d}')
}

fn is_one_of(word: &str, words: &[&str]) -> bool {
    words.contains(&word)
}

/// The credential that a sentence requests.
fn request(words: &[Word<'_>]) -> Option<Range<usize>> {
    let is_about_callers =
        words.first().is_some_and(|first| is_one_of(&first.lower, &ABOUT_CALLERS));
    for (index, word) in words.iter().enumerate() {
        if !is_credential(words, index) {
            continue;
        }
        let from = index.saturating_sub(REACH);
        let before = words.get(from..index).unwrap_or_default();
        let asks = before.iter().enumerate().any(|(offset, verb)| {
            let previous = (from + offset).checked_sub(1).and_then(|at| words.get(at));
            let is_told =
                verb.begins_clause || previous.is_none_or(|it| is_one_of(&it.lower, &BEFORE_VERB));
            is_told && !is_about_callers && is_one_of(&verb.lower, &ASK)
        });
        let is_yours = before.iter().rev().take(3).any(|it| is_one_of(&it.lower, &YOUR));
        let tells = is_yours && before.iter().any(|it| is_one_of(&it.lower, &TELL));
        let after = words.get(index + 1..).unwrap_or_default();
        let tells_after = after.iter().take(4).any(|it| is_one_of(&it.lower, &TELL_AFTER));
        if asks || tells || tells_after {
            return Some(word.range.clone());
        }
    }
    None
}

/// Whether a word is a credential that only its owner may know.
fn is_credential(words: &[Word<'_>], index: usize) -> bool {
    let Some(word) = words.get(index) else { return false };
    let next = words.get(index + 1).filter(|next| !next.begins_clause);
    let previous = index.checked_sub(1).and_then(|at| words.get(at));
    let is_named = match word.text {
        "OTP" | "otp" | "OTPs" | "CVV" | "CVV2" | "PIN" | "MPIN" => true,
        _ => matches!(word.lower.as_str(), "password" | "passwort"),
    };
    is_named
        && !next.is_some_and(|next| is_one_of(&next.lower, &NOT_ITSELF))
        && !previous.is_some_and(|previous| is_one_of(&previous.lower, &PUBLIC))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        requested(text).into_iter().map(|range| text.get(range).unwrap()).collect()
    }

    #[test]
    fn requests_are_found() {
        for (text, credential) in [
            ("Ask the caller for their OTP.", "OTP"),
            (
                "1. Greet them.\n2. Then ask for the card number, the expiry date and the CVV.",
                "CVV",
            ),
            ("If they want to pay now, ask for the CVV.", "CVV"),
            ("Your goal is to collect the account number and the ATM PIN.", "PIN"),
            ("Say: \"Please tell me your one-time password.\"", "password"),
            ("Kindly share your OTP to continue.", "OTP"),
            ("Customer se OTP poochiye aur verify kijiye.", "OTP"),
            ("ग्राहक से OTP पूछें।", "OTP"),
            ("एटीएम कार्ड का PIN बताने को कहें।", "PIN"),
            ("Frage den Anrufer nach seinem Passwort.", "Passwort"),
            ("# Steps\n- Collect the password.\n# Never\n- Ask for money.", "password"),
        ] {
            assert_eq!(found(text), [credential], "{text}");
        }
    }

    #[test]
    fn warnings_and_other_mentions_are_not_requests() {
        for text in [
            "Never ask for OTP, CVV, PIN or password.",
            "Do not ask the customer to share their OTP.",
            "We will never ask you for your PIN, and please don't share your OTP with anyone.",
            "NEVER do the following:\n- Ask for the OTP\n- Collect the CVV",
            "## Do not\n\n- Ask for passwords\n- Request the OTP",
            "**Restrictions**\n- Ask for the PIN",
            "If they ask for the Wi-Fi password, say it is on the card in the room.",
            "Callers who forgot their password are sent a link.",
            "Customers often ask for a new password.",
            "Ask whether they want a password reset.",
            "Ask for the PIN code of their area, then confirm the city.",
            "Ask for the pin number of the parcel locker on the map pin.",
            "Aap apna OTP kisi ko na batayein.",
            "OTP kabhi share mat kijiye, aur mat batao.",
            "अपना OTP किसी को न बताएं।",
            "ग्राहक को OTP बताने से मना करें।",
            "इलाके का पिन कोड पूछें।",
            "Frage niemals nach der PIN oder dem Passwort.",
            "The OTP is sent by the bank. Ask for the order number.",
            "Ask for the date and the time. The password is set online.",
        ] {
            assert!(found(text).is_empty(), "{text}: {:?}", found(text));
        }
    }
}
