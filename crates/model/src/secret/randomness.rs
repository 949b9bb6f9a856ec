//! Whether a text looks random, or is a placeholder for a secret.

use super::field_names::is_secret_name;

/// The minimum number of characters that have to look random.
const MIN_CHARACTERS: usize = 8;

/// The length of the longest word of one case. Longer ones are rarer than random letters.
const MAX_WORD: usize = 20;

/// Whether the text looks random: enough of the parts between its separators are neither words nor numbers.
///
/// `artifact-1.2.3`, `customer_name2` and `gpt-4o-mini` do not, `Zk3vT9qLr2Xw8YbN` does.
pub(crate) fn is_random(text: &[u8]) -> bool {
    let (mut random, mut all) = (0, 0);
    for part in parts(text) {
        all += part.len();
        if !is_ordinary(part) {
            random += part.len();
        }
    }
    random >= MIN_CHARACTERS || (all >= MIN_CHARACTERS && 2 * random >= all)
}

/// The parts between separators.
pub(crate) fn parts(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !byte.is_ascii_alphanumeric()).filter(|part| !part.is_empty())
}

/// Whether this is a word, a number, or a short word with a short number.
fn is_ordinary(part: &[u8]) -> bool {
    let letters = part.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (word, rest) = part.split_at_checked(letters).unwrap_or((part, &[]));
    if rest.is_empty() {
        return is_word(word);
    }
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let after = rest.get(digits..).unwrap_or_default();
    if word.is_empty() {
        // `2024`, `10ms`, `4o`
        return after.is_empty() || (digits <= 4 && after.len() <= 3 && is_word(after));
    }
    // `v2`, `secret1`, `order2024`, `OAuth2Client`
    let is_last =
        after.is_empty() || (digits == 1 && word.len() > 3 && after.len() > 3 && is_word(after));
    is_last && digits <= 4 && is_word(word)
}

/// Whether these are letters only, written as a word: `word`, `Word`, `WORD`, `camelCase`, `OAuthClient`, `userID`.
fn is_word(letters: &[u8]) -> bool {
    if !letters.iter().all(u8::is_ascii_alphabetic) {
        return false;
    }
    if is_uniform_case(letters) { letters.len() <= MAX_WORD } else { splits_into_words(letters) }
}

/// Whether letters are small or large throughout, the first one aside.
fn is_uniform_case(letters: &[u8]) -> bool {
    let rest = letters.get(1..).unwrap_or_default();
    rest.iter().all(u8::is_ascii_lowercase) || letters.iter().all(u8::is_ascii_uppercase)
}

/// Whether letters in both cases are words that begin with a capital one.
fn splits_into_words(letters: &[u8]) -> bool {
    /// The length of the longest abbreviation in front of another word.
    const MAX_ABBREVIATION: usize = 4;
    // Each word has at least three letters, with an abbreviation in front of it or at the end.
    let mut rest = letters;
    while !rest.is_empty() {
        let capitals = rest.iter().take_while(|letter| letter.is_ascii_uppercase()).count();
        let after = rest.get(capitals..).unwrap_or_default();
        let small = after.iter().take_while(|letter| letter.is_ascii_lowercase()).count();
        let word = small + capitals.min(1);
        let is_it = if small == 0 {
            (2..=MAX_ABBREVIATION).contains(&capitals)
        } else {
            word >= 3 && capitals <= MAX_ABBREVIATION + 1
        };
        if !is_it {
            return false;
        }
        rest = after.get(small..).unwrap_or_default();
    }
    letters.len() <= 2 * MAX_WORD
}

/// The minimum length of a run that is a secret by its entropy alone. Ids of voices have 20 letters and digits.
pub(crate) const MIN_RUN: usize = 24;

/// The minimum number of hexadecimal digits of such a run. Ids of databases have 24.
const MIN_HEX: usize = 32;

/// Whether a text without spaces is a long random run: nothing that people write has so many letters and digits without words in
/// them. A UUID is an id, and so is one random part after a short word, as in `call_8b9LdYwkN98pt2E1qbrgn1Du`.
pub(crate) fn is_random_run(text: &[u8]) -> bool {
    /// The minimum number of characters in parts that are neither words nor numbers.
    const MIN_RANDOM: usize = 20;
    const UUID: usize = 36;
    if text.len() < MIN_RUN || is_typed_id(text) {
        return false;
    }
    if let Some(at) = text.windows(UUID).position(is_uuid) {
        let rest = |from: usize| text.get(from..).unwrap_or_default();
        return is_random_run(text.get(..at).unwrap_or_default()) || is_random_run(rest(at + UUID));
    }
    let is_hex = |part: &[u8]| part.iter().all(u8::is_ascii_hexdigit);
    let is_uniform = |part: &[u8]| part.iter().all(u8::is_ascii_digit) || is_uniform_case(part);
    let random = |part: &&[u8]| {
        !is_ordinary(part)
            && !is_uniform(part)
            && !is_of_capitalized_words(part)
            && (part.len() >= MIN_HEX || !is_hex(part))
    };
    // Letters in both cases may be words of a name.
    parts(text).filter(random).any(mixes)
        && parts(text).filter(random).map(<[u8]>::len).sum::<usize>() >= MIN_RANDOM
        && bits_per_byte(text) >= if parts(text).all(is_hex) { 3.0 } else { 3.5 }
}

/// Whether nearly all letters are those of words that can be spoken, as in `bookTableForGuestV2`. Of a thousand random texts of
/// 24 letters and digits, less than one is like this.
fn is_of_capitalized_words(part: &[u8]) -> bool {
    const MIN_WORD: usize = 4;
    let is_vowel = |letter: &u8| b"aeiou".contains(&letter.to_ascii_lowercase());
    let words = part.chunk_by(|_, next| next.is_ascii_lowercase()).map(|word| {
        let first = word.iter().take_while(|byte| !byte.is_ascii_alphabetic()).count();
        word.get(first..).unwrap_or_default()
    });
    let words = words.filter(|word| word.len() >= MIN_WORD && word.iter().any(is_vowel));
    let letters = part.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    part.iter().any(u8::is_ascii_uppercase)
        && 4 * words.map(<[u8]>::len).sum::<usize>() >= 3 * letters
}

/// Whether this is an id after what it is the id of, which is not a secret.
fn is_typed_id(text: &[u8]) -> bool {
    const MAX_TYPE: usize = 12;
    /// The types of keys and passwords whose names are too short to tell in a field.
    const SECRETS: [&str; 7] = ["key", "pat", "pass", "pw", "sk", "live", "test"];
    if let [b'A'..=b'Z', b'A'..=b'Z', id @ ..] = text
        && id.len() == MIN_HEX
    {
        return id.iter().all(u8::is_ascii_hexdigit);
    }
    let Some(at) = text.iter().position(|byte| !byte.is_ascii_alphabetic()) else { return false };
    let Some((kind, [sign, id @ ..])) = text.split_at_checked(at) else { return false };
    let shortest = match sign {
        b'_' => 1,
        b'-' => 3,
        _ => return false,
    };
    let name = str::from_utf8(kind).unwrap_or_default().to_ascii_lowercase();
    (shortest..=MAX_TYPE).contains(&kind.len())
        && (kind.iter().all(u8::is_ascii_lowercase) || kind.iter().all(u8::is_ascii_uppercase))
        && id.iter().all(u8::is_ascii_alphanumeric)
        && !is_secret_name(&name)
        && !SECRETS.contains(&name.as_str())
}

/// The entropy of the bytes of a text, after Shannon.
fn bits_per_byte(text: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for byte in text {
        if let Some(count) = counts.get_mut(usize::from(*byte)) {
            *count += 1;
        }
    }
    let length: f64 = counts.iter().copied().map(f64::from).sum();
    let shares = counts.iter().filter(|count| **count > 0).map(|count| f64::from(*count) / length);
    -shares.map(|share| share * share.log2()).sum::<f64>()
}

/// Whether the text has letters and digits.
pub(crate) fn mixes(text: &[u8]) -> bool {
    text.iter().any(u8::is_ascii_digit) && text.iter().any(u8::is_ascii_alphabetic)
}

/// Whether the text has small and capital letters and digits.
pub(crate) fn mixes_all(text: &[u8]) -> bool {
    mixes(text)
        && text.iter().any(u8::is_ascii_lowercase)
        && text.iter().any(u8::is_ascii_uppercase)
}

/// Whether the text ends with the padding of base64, and what comes before it has letters in both cases and digits.
pub(crate) fn is_padded(text: &[u8]) -> bool {
    let padding = text.iter().rev().take_while(|byte| **byte == b'=').count();
    let body = text.get(..text.len() - padding).unwrap_or_default();
    (1..=2).contains(&padding) && !body.contains(&b'=') && mixes_all(body)
}

/// Whether the text has a part of letters only that is too long for a short word.
pub(crate) fn has_long_letters(text: &[u8]) -> bool {
    parts(text).any(|part| part.len() >= 16 && part.iter().all(u8::is_ascii_alphabetic))
}

/// Whether the text has a long number.
pub(crate) fn has_long_number(text: &[u8]) -> bool {
    parts(text).any(|part| part.len() >= 8 && part.iter().all(u8::is_ascii_digit))
}

/// Whether this is a UUID.
pub(crate) fn is_uuid(text: &[u8]) -> bool {
    let mut lengths = text.split(|byte| *byte == b'-').map(<[u8]>::len);
    [8, 4, 4, 4, 12].into_iter().all(|length| lengths.next() == Some(length))
        && lengths.next().is_none()
        && text.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-')
}

/// Whether the text is a placeholder for a secret: `YOUR_API_KEY`, `xxxxxxxx`, `<token>`, `{{token}}`, `${TOKEN}`.
pub(crate) fn is_placeholder(text: &str) -> bool {
    const WORDS: [&str; 16] = [
        "example",
        "EXAMPLE",
        "Example",
        "placeholder",
        "PLACEHOLDER",
        "changeme",
        "CHANGEME",
        "change_me",
        "change-me",
        "CHANGE_ME",
        "xxxxx",
        "XXXXX",
        "redacted",
        "REDACTED",
        "0000000000",
        "1234567890abcdef",
    ];
    let text = text.trim();
    let begins = |words: &[&str]| {
        words.iter().any(|word| {
            text.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word))
        })
    };
    let is_variable = |open: &str, close: &str| {
        text.strip_prefix(open)
            .is_some_and(|rest| rest.trim_end_matches(['"', ')']).ends_with(close))
    };
    begins(&["your_", "your-", "your ", "<", "...", "process.env", "os.environ", "env."])
        || ["_your_", "-your-", "_YOUR_", "-YOUR-"].iter().any(|word| text.contains(word))
        || WORDS.iter().any(|word| text.contains(word))
        || is_variable("{{", "}}")
        || is_variable("${", "}")
        || is_variable("%", "%")
        || (text.starts_with('$')
            && text.bytes().skip(1).all(|b| b.is_ascii_uppercase() || b == b'_'))
        || is_monotonous(text)
}

/// Whether all letters and digits are the same, as in `xxxx-xxxx` and `****`.
fn is_monotonous(text: &str) -> bool {
    let mut letters = text.bytes().filter(u8::is_ascii_alphanumeric);
    let first = letters.next();
    text.is_ascii() && text.len() >= 3 && letters.all(|letter| Some(letter) == first)
}
