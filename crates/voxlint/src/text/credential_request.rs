//! Instructions to ask callers for a password, a PIN or the like.
//!
//! Prompts mention credentials most often to forbid such questions, so a sentence counts only if it plainly requests one, and
//! neither it nor the heading above it forbids anything.

use std::ops::Range;

/// Verbs of an instruction to the agent, before the credential.
const ASK: [&str; 17] = [
    "ask",
    "request",
    "collect",
    "obtain",
    "gather",
    "capture",
    "frag",
    "frage",
    "fragen",
    "erfrage",
    "erfragen",
    "fordere",
    "fordern",
    "verlange",
    "verlangen",
    "bitte",
    "bitten",
];

/// Verbs of an instruction to identify the caller, before one of [`WITH`] and the credential.
const VERIFY: [&str; 7] = [
    "verify",
    "authenticate",
    "identify",
    "validate",
    "verifiziere",
    "identifiziere",
    "authentifiziere",
];

const WITH: [&str; 8] = ["with", "by", "using", "via", "through", "mit", "per", "anhand"];

/// Verbs before `dir` or `sich`, the credential, and one of [`NAME`].
const LET: [&str; 3] = ["lass", "lasse", "lassen"];

const NAME: [&str; 6] = ["nennen", "geben", "sagen", "mitteilen", "durchgeben", "buchstabieren"];

/// Verbs of a request to the caller, before `your` and the credential.
const TELL: [&str; 13] = [
    "tell", "share", "provide", "say", "give", "enter", "read", "type", "speak", "confirm",
    "nennen", "geben", "teilen",
];

/// Verbs after the credential, in Hindi.
const TELL_AFTER: [&str; 25] = [
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
    "बताइये",
    "बताएँ",
    "puchhein",
];

/// The same as infinitives, which only ask for something before `ko` or `ke liye`.
const TO_TELL_AFTER: [&str; 3] = ["बताने", "batane", "bataane"];

/// Words at the start of a sentence about what callers may do, in Hindi, until `to`.
const IF_AT_START: [&str; 6] = ["agar", "yadi", "jab", "अगर", "यदि", "जब"];

const YOUR: [&str; 8] = ["your", "ihre", "ihren", "ihr", "deine", "dein", "aapka", "apna"];

/// Words that forbid, in sentences and in headings.
const NEGATIONS: [&str; 55] = [
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
    "keinen",
    "keinem",
    "keinesfalls",
    "keiner",
    "rok",
    "roko",
    "rokein",
    "rokiye",
    "रोक",
    "रोकें",
    "रोकिए",
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

/// Words between the verb and the credential that make the sentence a question about the credential, or a request to do
/// something else with it.
const ABOUT_IT: [&str; 37] = [
    "if",
    "whether",
    "that",
    "when",
    "why",
    "how",
    "set",
    "reset",
    "change",
    "create",
    "choose",
    "update",
    "renew",
    "keep",
    "protect",
    "guard",
    "hide",
    "memorize",
    "forget",
    "forgot",
    "forgotten",
    "lost",
    "receive",
    "received",
    "got",
    "ob",
    "dass",
    "wann",
    "warum",
    "wie",
    "kya",
    "क्या",
    "vergessen",
    "ändern",
    "verloren",
    "setzen",
    "zurücksetzen",
];

/// Words of a place outside of the conversation where callers enter a credential.
const ELSEWHERE: [&str; 34] = [
    "keypad",
    "keypads",
    "dialpad",
    "dtmf",
    "ivr",
    "link",
    "links",
    "app",
    "apps",
    "website",
    "websites",
    "webpage",
    "portal",
    "browser",
    "terminal",
    "automat",
    "automaten",
    "geldautomat",
    "geldautomaten",
    "kartenlesegerät",
    "kartenterminal",
    "tastatur",
    "telefontastatur",
    "tasten",
    "tastenfeld",
    "ziffernblock",
    "webseite",
    "internetseite",
    "कीपैड",
    "ऐप",
    "एप",
    "लिंक",
    "वेबसाइट",
    "पोर्टल",
];

/// Words after a credential that make it another thing.
const NOT_ITSELF: [&str; 16] = [
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
    "letter",
    "protected",
    "link",
    "format",
    "length",
    "कोड",
];

/// Verbs shortly after a credential that do something else with it.
const CHANGED: [&str; 13] = [
    "reset",
    "change",
    "set",
    "zurücksetzen",
    "zurückzusetzen",
    "ändern",
    "vergessen",
    "festzulegen",
    "festlegen",
    "badalne",
    "badlein",
    "बदलने",
    "रीसेट",
];

/// Words before a credential that make it public, or that of a thing and not of a person.
const OF_THINGS: [&str; 56] = [
    "wifi",
    "wi-fi",
    "wlan",
    "network",
    "guest",
    "postal",
    "area",
    "zip",
    "delivery",
    "gate",
    "door",
    "booking",
    "reservation",
    "parking",
    "locker",
    "confirmation",
    "building",
    "apartment",
    "alarm",
    "entrance",
    "entry",
    "elevator",
    "garage",
    "barrier",
    "key-box",
    "lockbox",
    "room",
    "parcel",
    "package",
    "pickup",
    "pick-up",
    "order",
    "ticket",
    "tour",
    "voucher",
    "meeting",
    "conference",
    "event",
    "zoom",
    "tür",
    "tor",
    "buchung",
    "buchungs",
    "parkhaus",
    "schranke",
    "schließfach",
    "abhol",
    "paket",
    "packstation",
    "konferenz",
    "gäste",
    "gast",
    "इलाके",
    "क्षेत्र",
    "एरिया",
    "डाक",
];

/// Words between a credential and what it is for.
const OF: [&str; 10] = ["of", "for", "from", "to", "on", "at", "der", "des", "vom", "zum"];

/// Words of a message with a code that was just sent.
const SENT: [&str; 15] = [
    "sms",
    "text",
    "texted",
    "sent",
    "message",
    "phone",
    "mobile",
    "whatsapp",
    "received",
    "registered",
    "one-time",
    "bank",
    "card",
    "handy",
    "bheja",
];

/// Names of credentials in lower case.
const NAMES: [&str; 6] =
    ["password", "passcode", "passwort", "kennwort", "geheimzahl", "sicherheitscode"];

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
    /// What is between it and the word before.
    gap: &'a str,
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
        Some(Word { text, lower, range, gap, begins_clause: std::mem::take(&mut begins_clause) })
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
    for index in 0..words.len() {
        let Some(credential) = Credential::at(words, index) else { continue };
        let from = credential.first.saturating_sub(REACH);
        let before = words.get(from..credential.first).unwrap_or_default();
        let after = words.get(index + 1..).unwrap_or_default();
        let is_yours = before.iter().rev().take(3).any(|it| is_one_of(&it.lower, &YOUR));
        let is_told = before.iter().enumerate().any(|(offset, verb)| {
            let previous = (from + offset).checked_sub(1).and_then(|at| words.get(at));
            let is_instruction =
                verb.begins_clause || previous.is_none_or(|it| is_one_of(&it.lower, &BEFORE_VERB));
            let between = before.get(offset + 1..).unwrap_or_default();
            let asks = is_instruction && !is_about_callers && is_ask(verb, between, after);
            let tells = is_yours && is_one_of(&verb.lower, &TELL);
            (asks || tells) && !between.iter().any(|it| is_one_of(&it.lower, &ABOUT_IT))
        });
        let is_request = is_told || is_told_after(words, index);
        if is_request && !is_entered_elsewhere(words, credential.first) {
            return Some(credential.range);
        }
    }
    None
}

/// Whether a verb asks for what follows it.
fn is_ask(verb: &Word<'_>, between: &[Word<'_>], after: &[Word<'_>]) -> bool {
    let has = |words: &[Word<'_>], count: usize, list: &[&str]| {
        words.iter().take(count).any(|it| is_one_of(&it.lower, list))
    };
    is_one_of(&verb.lower, &ASK)
        || is_one_of(&verb.lower, &VERIFY) && has(between, REACH, &WITH)
        || is_one_of(&verb.lower, &LET) && has(between, 2, &["dir", "sich"]) && has(after, 4, &NAME)
}

/// Whether a verb after the credential asks for it, as in Hindi.
fn is_told_after(words: &[Word<'_>], index: usize) -> bool {
    let word = |at: usize| words.get(at).map_or("", |it| it.lower.as_str());
    let verb = (index + 1..index + 5).find(|at| {
        let is_to_tell = is_one_of(word(*at), &TO_TELL_AFTER)
            && (is_one_of(word(at + 1), &["ko", "को"])
                || is_one_of(word(at + 1), &["ke", "के"])
                    && is_one_of(word(at + 2), &["liye", "लिए"]));
        is_to_tell || is_one_of(word(*at), &TELL_AFTER)
    });
    // What callers may do by themselves: `agar customer OTP bataye`.
    let is_condition = |verb: usize| {
        is_one_of(word(0), &IF_AT_START)
            && !words
                .iter()
                .take(verb)
                .skip(1)
                .any(|it| it.begins_clause || is_one_of(&it.lower, &["to", "toh", "तो"]))
    };
    verb.is_some_and(|verb| !is_condition(verb))
}

/// Whether the sentence says that callers enter the credential in another place. `app password` says what it is for.
fn is_entered_elsewhere(words: &[Word<'_>], first: usize) -> bool {
    words.iter().enumerate().any(|(at, word)| {
        let is_at = |back: usize| {
            at.checked_sub(back).and_then(|at| words.get(at)).is_some_and(|it| it.lower == "at")
        };
        let is_atm = word.lower == "atm" && (is_at(1) || is_at(2));
        (is_atm || is_one_of(&word.lower, &ELSEWHERE)) && at + 1 != first
    })
}

/// Something that only its owner may know.
struct Credential {
    range: Range<usize>,
    /// The index of its first word.
    first: usize,
}

impl Credential {
    /// The credential that ends with a word.
    fn at(words: &[Word<'_>], index: usize) -> Option<Self> {
        let word = words.get(index)?;
        // `SMS-TAN`
        let (prefix, name) = word.text.rsplit_once('-').unwrap_or(("", word.text));
        let previous = index.checked_sub(1).and_then(|at| words.get(at));
        let first = if is_name(name, prefix, word.gap) {
            index
        } else if previous.is_some_and(|it| is_code(it, word, words)) {
            index - 1
        } else {
            return None;
        };
        let start = words.get(first)?.range.start;
        let is_plain = !is_of_thing(words, first, prefix) && !is_followed(words, index);
        is_plain.then_some(Self { range: start..word.range.end, first })
    }
}

/// Whether a word is the name of a credential. `Mentions` searches for a part of each.
fn is_name(name: &str, prefix: &str, gap: &str) -> bool {
    match name {
        "OTP"
        | "otp"
        | "OTPs"
        | "CVV"
        | "CVV2"
        | "PIN"
        | "MPIN"
        | "mTAN"
        | "ओटीपी"
        | "पिन"
        | "पासवर्ड" => true,
        "TAN" => !prefix.is_empty() || gap.ends_with(' '),
        _ => {
            let mut rest = name.chars();
            rest.next();
            let rest = rest.as_str();
            let is_usual = !rest.contains(char::is_uppercase) || !rest.contains(char::is_lowercase);
            is_usual && is_one_of(&name.to_lowercase(), &NAMES)
        }
    }
}

/// Whether two words are the name of a code that was sent to its owner, or is printed on a card.
fn is_code(kind: &Word<'_>, code: &Word<'_>, words: &[Word<'_>]) -> bool {
    let is_code = match kind.text {
        "security" | "verification" | "authentication" => code.text == "code",
        "Security" | "Verification" | "Authentication" => {
            matches!(code.text, "code" | "Code")
        }
        "SECURITY" | "VERIFICATION" | "AUTHENTICATION" => code.text == "CODE",
        _ => false,
    };
    let was_sent = || words.iter().any(|it| is_one_of(&it.lower, &SENT));
    is_code && code.gap == " " && (kind.lower == "security" || was_sent())
}

/// Whether a credential is that of a thing, or public: `gate PIN`, `PIN of the parking garage`.
fn is_of_thing(words: &[Word<'_>], first: usize, prefix: &str) -> bool {
    let is_thing = |word: &Word<'_>| is_one_of(&word.lower, &OF_THINGS);
    let back = |by: usize| first.checked_sub(by).and_then(|at| words.get(at));
    let is_before = !words.get(first).is_none_or(|word| word.begins_clause)
        && back(1).is_some_and(|word| {
            // `area ka PIN`
            let is_linked = matches!(word.lower.as_str(), "ka" | "ki" | "का" | "की");
            is_thing(word) || is_linked && back(2).is_some_and(is_thing)
        });
    let after = words.get(first + 1..).unwrap_or_default();
    // The second word of a code is not what the code is of.
    let after = after.iter().skip_while(|word| word.lower == "code").take_while(|word| {
        !word.begins_clause && !is_one_of(&word.lower, &["and", "or", "und", "oder", "then"])
    });
    let mut after = after.take(8);
    let is_after =
        after.next().is_some_and(|word| is_one_of(&word.lower, &OF)) && after.any(is_thing);
    is_one_of(&prefix.to_lowercase(), &OF_THINGS) || is_before || is_after
}

/// Whether the words after a credential make it another thing, or say that it is changed.
fn is_followed(words: &[Word<'_>], index: usize) -> bool {
    let after = words.get(index + 1..).unwrap_or_default();
    let mut after = after.iter().take_while(|word| !word.begins_clause).take(3);
    let mut is_first = true;
    after.any(|word| {
        let is_other = std::mem::take(&mut is_first) && is_one_of(&word.lower, &NOT_ITSELF);
        is_other || is_one_of(&word.lower, &CHANGED)
    })
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
            ("Ask for the security code.", "security code"),
            ("Ask for the Security Code on the back of the card.", "Security Code"),
            ("Ask for the one-time passcode.", "passcode"),
            ("Verify identity with their 4-digit PIN.", "PIN"),
            ("Ask for the verification code sent by SMS.", "verification code"),
            ("Request the PIN of their debit card and the booking number.", "PIN"),
            ("Ask for the app password.", "password"),
            ("ग्राहक से ओटीपी पूछें।", "ओटीपी"),
            ("पिन बताने को कहें।", "पिन"),
            ("Customer ko OTP batane ke liye kahein.", "OTP"),
            ("Agar customer ready hai, to OTP poochiye.", "OTP"),
            ("Bitten Sie den Anrufer um sein Passwort.", "Passwort"),
            ("Lass dir das Kennwort nennen.", "Kennwort"),
            ("Erfrage die Geheimzahl.", "Geheimzahl"),
            ("Frage nach der TAN.", "TAN"),
            ("Frage nach der SMS-TAN, die er erhalten hat.", "SMS-TAN"),
            ("Frage nach dem Sicherheitscode.", "Sicherheitscode"),
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
            "Ask the customer to enter the OTP on the keypad.",
            "Request the CVV only through the secure link.",
            "Bitte den Kunden, die PIN nur am Automaten einzugeben.",
            "Ask the caller if they received the OTP.",
            "Ask how they lost the PIN.",
            "If they cannot log in, ask them to reset their password on the website.",
            "Ask the caller to set a new PIN.",
            "Ask them to have their PIN changed at the ATM.",
            "Bitte ihn, sein Passwort zu ändern.",
            "Lass ihn das Passwort selbst ändern.",
            "Frage, ob er das Kennwort vergessen hat.",
            "Agar customer OTP batane lage, to use rok dein.",
            "Agar customer OTP bataye, to pehle chetavni dein.",
            "Ask for the PIN of the parking garage barrier.",
            "Ask for the gate PIN, the booking PIN or the confirmation PIN from the tour email.",
            "Frage nach der WLAN-PIN und dem Tor-PIN.",
            "Ask for the building security code.",
            "Ask for the verification code on the parcel.",
            "इलाके का पिन पूछें।",
            "Ask for the IMPORTANT DISTANCE and the STANDARD.",
        ] {
            assert!(found(text).is_empty(), "{text}: {:?}", found(text));
        }
    }
}
