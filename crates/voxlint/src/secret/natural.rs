//! Whether a word that is a whole value reads like language: a word, or a name made of words and short numbers.
//!
//! Each group of three letters has a score: how much more likely it is in a word than among random letters. A word is natural if
//! its letters score more than its capitals, digits and signs cost.

use std::sync::LazyLock;

/// The scores of the letters of a word in whole bits, from -6 (`0`) to 3 (`9`): a line for each pair of letters, a column for the
/// letter behind it. The first line is `a` at the beginning of a word, and the first column is the end of a word.
/// `scripts/letters.py` counts them in the 40,000 most frequent words of each of eleven languages with Latin letters, and in the words of
/// this repository.
const SCORES: &[u8] = include_bytes!("letters.txt");

/// The bytes of a line of [`SCORES`].
const LINE: usize = 28;

const _: () = assert!(SCORES.len() == 27 * 26 * LINE, "a line for each pair of letters");

/// Parts of names and words with unusual letters that are not random. Each of them scores [`KNOWN`].
const KNOWN_WORDS: &str = "\
    achha addr ag ai algorithm api app asr av avg bg bhejne bhejo bot cb cfg cmd cn conv cpu crm css csv \
    ctrl ctx cust cv db de dev dhanyavaad dhanyavad dnd doc dtmf en env es eu ext faq fn fr gb gpt gpu hbs \
    hi hls hm hmac hmm html http https id ids if img in io ip iso it ivr jpg js json jsonc jsonl kb kijiye kitna kpi \
    kripya kv kyc lang latn lib llm lsp max mcp md mhm min mjs ml mm mp ms msg mujhe ndjson nlp nr num oauth ok pdf \
    pm pn png pt ptp qa rc ref rs rtp samajh sdk sdp sec sha shukriya sip sms sql src srv ssml std str stt tel \
    theek tls tmp tms toml tr ts tsv tts txt tz uh ui url usr utc utf uuid wf wh ws yaml yml";

/// The score of a known abbreviation.
const KNOWN: i32 = 4;

/// What a separator of names or the capital letter of another word costs.
const JOINT: i32 = 1;

/// What any other sign costs.
const SIGN: i32 = 4;

/// What a digit next to a letter costs.
const MIX: i32 = 3;

/// Whether a word reads like language.
pub(crate) fn is_natural(word: &[u8]) -> bool {
    is_number(word)
        || is_list(word)
        || (!is_like_a_code(word) && (score(word) >= least(word) || is_name(word)))
}

/// Whether no part of a word that is written next to others mixes letters and digits without reading like language. Parts of letters
/// only are not checked.
pub(crate) fn is_natural_in_prose(word: &[u8]) -> bool {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    word.split(|byte| !is_of_name(byte)).all(|part| {
        let has = |test: fn(&u8) -> bool| part.iter().any(test);
        let mixes = has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
        !mixes || part.len() < MIN_MIXED || is_natural(part)
    })
}

/// Whether signs, with a few letters and digits between them, are those of a text and not of a password.
pub(crate) fn are_natural_signs(word: &[u8]) -> bool {
    /// What a word between brackets or quotes costs at most.
    const LEAST: i32 = -4;
    let signs = word.iter().filter(|byte| byte.is_ascii_punctuation());
    let kinds = signs.fold(0_u128, |kinds, sign| kinds | 1 << sign).count_ones();
    let is_bracketed = matches!(
        (word.first(), word.iter().rfind(|byte| !b",.;:!?".contains(byte))),
        (Some(b'<'), Some(b'>'))
            | (Some(b'{'), Some(b'}'))
            | (Some(b'['), Some(b']'))
            | (Some(b'('), Some(b')'))
    );
    let is_list_of_numbers = || {
        let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
        2 * digits >= word.len() && !word.iter().any(u8::is_ascii_alphabetic)
    };
    let least = if kinds > 3 { 0 } else { LEAST };
    kinds <= 2 || is_bracketed || is_list_of_numbers() || score(word) > least
}

/// The length from which a word with letters and digits is checked between other words.
const MIN_MIXED: usize = 8;

/// The least score of a natural word. Long words are closer to the average, and digits may be anything.
///
/// The scores of words without digits and signs are a compromise, which `scripts/letters.py` measures: at most 6 % of the words that it
/// has not counted are masked, of English ones about 1 %; of random letters 5 % of six, 1.3 % of eight and 0.1 % of twelve are shown.
/// Digits and capitals cost so much that passwords with the usual capital, digit and word are masked.
fn least(word: &[u8]) -> i32 {
    let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./\\:'+".contains(byte);
    let by_length = match letters {
        ..=6 if !word.iter().all(is_of_name) => 1,
        ..=6 => -2,
        7 => -1,
        8 => 0,
        9..=10 => 1,
        11..=12 => 2,
        _ => 3,
    };
    let has = |test: fn(&u8) -> bool| word.iter().any(test);
    let has_capital = word.iter().skip(1).any(u8::is_ascii_uppercase)
        || word.len() >= MIN_MIXED && has(u8::is_ascii_uppercase);
    // Not `v2` and `4o`.
    let is_mixed = |of_three: &[u8]| {
        let is_alone = !of_three.iter().all(u8::is_ascii_alphanumeric);
        !is_alone
            && of_three.iter().any(u8::is_ascii_digit)
            && of_three.iter().any(u8::is_ascii_alphabetic)
    };
    let is_camel = |pair: &[u8]| match pair {
        [one, next] => one.is_ascii_lowercase() && next.is_ascii_uppercase(),
        _ => false,
    };
    let of_digits = if !has(u8::is_ascii_digit) || word.len() < MIN_MIXED {
        0
    } else if !word.windows(3).any(is_mixed) {
        3
    } else if has_capital {
        10
    } else {
        7
    };
    let is_of_capitals = !has(u8::is_ascii_lowercase);
    let of_case = if is_of_capitals && letters > 7 {
        4
    } else if is_of_capitals || word.windows(2).any(is_camel) {
        2
    } else {
        0
    };
    by_length + of_digits + of_case
}

/// The score of a word: that of its letters without the cost of all else.
fn score(word: &[u8]) -> i32 {
    let mut total = 0;
    let mut at = 0;
    while let Some(&first) = word.get(at) {
        let rest = word.get(at..).unwrap_or_default();
        let length = if let Some(date) = date(rest) {
            date
        } else if first.is_ascii_alphabetic() {
            let length = word_of_letters(rest);
            total += score_of_letters(rest.get(..length).unwrap_or_default());
            let before = at.checked_sub(1).and_then(|before| word.get(before));
            let is_between = |it: Option<&u8>| it.is_some_and(u8::is_ascii_alphabetic);
            if length == 1 && (is_between(before) || is_between(rest.get(1))) {
                total -= MIX;
            }
            total -= match before {
                Some(before) if before.is_ascii_alphabetic() => JOINT,
                // `4o`, `10s`
                Some(before) if before.is_ascii_digit() && is_unit(word, at, length) => JOINT,
                Some(before) if before.is_ascii_digit() => MIX,
                _ => 0,
            };
            length
        } else if first.is_ascii_digit() {
            let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let before = word.get(..at).unwrap_or_default();
            total -= cost_of_number(before, length);
            length
        } else {
            let length = rest.iter().take_while(|byte| !byte.is_ascii_alphanumeric()).count();
            let is_digit = |it: Option<&u8>| it.is_some_and(u8::is_ascii_digit);
            let before = at.checked_sub(1).and_then(|before| word.get(before));
            let is_of_version = length == 1 && is_digit(before) && is_digit(rest.get(1));
            if !is_of_version {
                total -= cost_of_signs(rest.get(..length).unwrap_or_default());
            }
            length
        };
        at += length.max(1);
    }
    total
}

/// Whether a letter is the unit of the short number before it.
fn is_unit(word: &[u8], at: usize, length: usize) -> bool {
    let digits = word.iter().take(at).rev().take_while(|byte| byte.is_ascii_digit()).count();
    let is_after_letter =
        at > digits && word.get(at - digits - 1).is_some_and(u8::is_ascii_alphabetic);
    let is_last = !word.get(at + length).is_some_and(u8::is_ascii_alphanumeric);
    length == 1 && digits <= 2 && is_last && !is_after_letter
}

/// The length of the first word of letters: `word`, `Word`, `WORD`.
fn word_of_letters(rest: &[u8]) -> usize {
    if rest.starts_with(b"OAuth") {
        return 5;
    }
    let capitals = rest.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let after = rest.get(capitals..).unwrap_or_default();
    let small = after.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    // The last one of several capitals begins the next word: `HTTPServer`.
    if capitals > 1 && small > 0 { capitals - 1 } else { capitals + small }
}

/// Whether these letters are one of [`KNOWN_WORDS`], in any case.
fn is_known_word(letters: &[u8]) -> bool {
    /// The words as numbers, in ascending order.
    static KNOWN: LazyLock<Vec<u64>> = LazyLock::new(|| {
        let words = KNOWN_WORDS.split_ascii_whitespace();
        let mut known: Vec<u64> = words.filter_map(|word| number(word.as_bytes())).collect();
        known.sort_unstable();
        known
    });
    number(letters).is_some_and(|number| KNOWN.binary_search(&number).is_ok())
}

/// Letters as a number with a digit for each, whatever their case; `None` if they are too many.
fn number(letters: &[u8]) -> Option<u64> {
    const MOST: usize = 12;
    let digit = |letter: &u8| u64::from(letter & 0x1f);
    let is_short = letters.len() <= MOST;
    is_short.then(|| letters.iter().fold(0, |number, letter| number << 5 | digit(letter)))
}

/// How much more likely these letters are in a word than among random letters, in bits.
fn score_of_letters(letters: &[u8]) -> i32 {
    if is_known_word(letters) {
        return KNOWN;
    }
    let middle = letters.get(letters.len() / 2);
    let repeated = letters.iter().filter(|letter| Some(*letter) == middle).count();
    if repeated > 1 && 4 * repeated >= 3 * letters.len() {
        // `HH:MM`, `YYYY-MM-DD`, `xxxxxxxx`
        return match letters.len() {
            ..=2 => 1,
            3..=5 => KNOWN,
            _ => 3 * KNOWN,
        };
    }
    if let [letter] = letters {
        // `v2`, `n1`, `x`
        return if letter.is_ascii_lowercase() { 0 } else { -1 };
    }
    let index = |letter: Option<&u8>| {
        letter.map_or(0, |letter| usize::from(letter.to_ascii_lowercase().wrapping_sub(b'a')) + 1)
    };
    let mut total = 0;
    for (at, letter) in letters.iter().enumerate() {
        let before = index(at.checked_sub(1).and_then(|before| letters.get(before)));
        let line = before * 26 + index(Some(letter)) - 1;
        let score = SCORES.get(line * LINE + index(letters.get(at + 1)));
        total += score.map_or(0, |score| i32::from(*score) - i32::from(b'6'));
    }
    total
}

/// The cost of a number behind other parts of a name.
fn cost_of_number(before: &[u8], length: usize) -> i32 {
    let is_behind_letter = before.last().is_some_and(u8::is_ascii_alphabetic);
    let letters = before.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let is_version = letters == 1 && length <= 2;
    let mix = i32::from(is_behind_letter && !is_version);
    match length {
        ..=2 => mix,
        3..=4 => 1 + mix,
        _ => 3 + mix,
    }
}

/// The cost of adjacent signs.
fn cost_of_signs(signs: &[u8]) -> i32 {
    let is_usual = |byte: &u8| b"-_./\\:,'\"{}[]#@*+=| ".contains(byte);
    let odd = signs.iter().filter(|byte| !is_usual(byte)).count();
    JOINT + SIGN * i32::try_from(odd).unwrap_or(i32::MAX / SIGN - 1)
}

/// The length of the date at the beginning: `2024-07-18`.
fn date(rest: &[u8]) -> Option<usize> {
    const LENGTH: usize = 10;
    let date = rest.get(..LENGTH)?;
    let is_date = date.iter().enumerate().all(|(at, byte)| match at {
        4 | 7 => *byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    is_date.then_some(LENGTH)
}

/// Whether this is a number, a date or a time, or a telephone number with an extension.
fn is_number(word: &[u8]) -> bool {
    let is_letter = |byte: &&u8| byte.is_ascii_alphabetic();
    let letters = word.iter().filter(is_letter).count();
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    // Most words.
    if digits == 0 && letters > 1 {
        return false;
    }
    let is_time = || {
        let is_clock = word.contains(&b':');
        word.iter().filter(is_letter).all(|byte| match byte.to_ascii_uppercase() {
            b'T' | b'Z' => is_clock || letters == 1,
            b'A' | b'P' | b'M' => is_clock,
            _ => false,
        })
    };
    // `1.5e-9`
    let is_decimal = || {
        word.contains(&b'.') && std::str::from_utf8(word).is_ok_and(|it| it.parse::<f64>().is_ok())
    };
    let is_size = || {
        let mut sides = word.split(|byte| *byte == b'x');
        sides.clone().count() == 2 && sides.all(|side| !side.is_empty() && side.len() <= 4)
    };
    // `+1415555CALL`, `+14155552671x5`
    let is_telephone = || {
        let last = word.iter().rev().take_while(|byte| byte.is_ascii_uppercase()).count();
        digits > 6 && ((letters == 4 && last == 4) || (letters == 1 && word.contains(&b'x')))
    };
    let has_one = || is_size() || is_decimal();
    letters == 0
        || (letters == 1 && has_one())
        || is_telephone()
        || (digits >= 2 * letters && is_time())
}

/// Whether this is a list of natural words and names: `k81,k82,k83`.
fn is_list(word: &[u8]) -> bool {
    const LEAST: usize = 3;
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let items = || word.split(|byte| *byte == b',');
    items().count() >= LEAST
        && items().all(|item| !item.is_empty() && item.iter().all(is_of_name) && is_natural(item))
}

/// Whether this has the form of a name that people give to models, functions, variables and orders: `llama3-8b-8192`, `acct_nbr`,
/// `transferToL2`, `ORD-12345`. Each part is a word, an abbreviation, a short number, or one of these with a short number.
fn is_name(word: &[u8]) -> bool {
    /// More parts with letters and digits are those of a code.
    const MOST_MIXED: usize = 2;
    const LONGEST_NUMBER: usize = 6;
    /// With more characters in abbreviations, the name could be anything.
    const MOST_ABBREVIATED: usize = 8;
    let is_separator = |byte: &u8| b"-_./:+".contains(byte);
    let parts = || word.split(is_separator);
    let has_separator = word.iter().any(is_separator);
    let are_short_words = word.contains(&b'_') && !word.contains(&b'-');
    let (mut mixed, mut letters, mut abbreviated) = (0, 0, 0);
    for part in parts() {
        if !part.iter().all(u8::is_ascii_alphanumeric) {
            return false;
        }
        let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
        if digits == part.len() {
            if digits > LONGEST_NUMBER {
                return false;
            }
            continue;
        }
        letters += part.len() - digits;
        mixed += usize::from(digits > 0);
        if are_humps(part, has_separator) {
            continue;
        }
        abbreviated += part.len();
        let is_part = if digits == 0 {
            is_abbreviation(part, are_short_words)
        } else {
            has_separator && is_abbreviation_with_number(part)
        };
        if !is_part {
            return false;
        }
    }
    mixed <= MOST_MIXED && letters > 1 && abbreviated <= MOST_ABBREVIATED
}

/// Whether this is an abbreviation of one case, or a short word between underscores.
fn is_abbreviation(part: &[u8], are_short_words: bool) -> bool {
    const ABBREVIATED: usize = 3;
    const SHORT_WORD: usize = 4;
    let is_small = part.iter().all(u8::is_ascii_lowercase);
    let is_of_capitals = part.iter().all(u8::is_ascii_uppercase);
    (is_small || is_of_capitals)
        && part.len() <= if are_short_words { SHORT_WORD } else { ABBREVIATED }
}

/// Whether this is an abbreviation with a short number: `v2`, `mp3`, `72b`, `4o`.
fn is_abbreviation_with_number(part: &[u8]) -> bool {
    const LONGEST: usize = 3;
    let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
    let is_apart = part.windows(2).filter(|pair| is_change(pair)).count() == 1;
    is_apart && digits <= LONGEST && part.len() - digits <= LONGEST && part.len() <= LONGEST + 1
}

/// Whether letters and digits meet between two bytes.
fn is_change(pair: &[u8]) -> bool {
    matches!(pair, [one, next] if one.is_ascii_digit() != next.is_ascii_digit())
}

/// Whether this consists of words that begin with capitals, possibly with a short number at the end, and reads like language as a
/// whole: `bookAppointment`, `checkPNR`, `transferToL2`.
fn are_humps(part: &[u8], has_separator: bool) -> bool {
    const LONGEST_NUMBER: usize = 2;
    /// Shorter ones that stand alone are often passwords with a capital and a digit.
    const LEAST_LENGTH: usize = 10;
    /// The least score of a word, and of a name of several.
    const LEAST_OF_WORD: i32 = 1;
    const LEAST_OF_NAME: i32 = 4;
    let digits = part.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let letters = part.get(..part.len() - digits).unwrap_or_default();
    if digits > LONGEST_NUMBER
        || !letters.iter().all(u8::is_ascii_alphabetic)
        || (digits > 0 && !has_separator && part.len() < LEAST_LENGTH)
    {
        return false;
    }
    let (mut at, mut total) = (0, 0);
    while at < letters.len() {
        let rest = letters.get(at..).unwrap_or_default();
        let length = word_of_letters(rest).max(1);
        let hump = rest.get(..length).unwrap_or_default();
        let is_last = at + length == letters.len();
        let is_of_capitals = hump.iter().all(u8::is_ascii_uppercase);
        // `V2`, `L2`, `PNR`
        let is_short = is_last && is_of_capitals && length <= 4 && (length > 1 || digits > 0);
        if !is_short {
            let score = score_of_letters(hump);
            if length < 2 || score < 0 {
                return false;
            }
            total += score;
        }
        at += length;
    }
    let is_one_word = letters.iter().skip(1).all(u8::is_ascii_lowercase);
    total >= if is_one_word { LEAST_OF_WORD } else { LEAST_OF_NAME }
}

/// Whether this has the form of a code that programs make up: the passwords that Apple's keychain suggests (three groups of six),
/// and codes in groups of one length that mix letters and digits, as those to recover an account do.
fn is_like_a_code(word: &[u8]) -> bool {
    let groups = || word.split(|byte| *byte == b'-');
    let length = groups().next().map_or(0, <[u8]>::len);
    let is_even = groups().count() > 1
        && length >= 4
        && groups()
            .all(|group| group.len() == length && group.iter().all(u8::is_ascii_alphanumeric));
    if !is_even {
        return false;
    }
    let has = |test: fn(&u8) -> bool| word.iter().any(test);
    let is_mixed = |group: &[u8]| {
        group.iter().any(u8::is_ascii_digit) && group.iter().any(u8::is_ascii_alphabetic)
    };
    let mixed = groups().filter(|group| is_mixed(group)).count();
    let is_suggested = length == 6 && has(u8::is_ascii_uppercase) && has(u8::is_ascii_digit);
    is_suggested || mixed > 0
}

#[cfg(test)]
mod tests {
    use super::{is_natural, is_natural_in_prose, score};

    #[test]
    fn words_names_and_numbers_are_natural() {
        for word in [
            "algorithm",
            "Krankenversicherungskarte",
            "Donaudampfschifffahrtsgesellschaft",
            "responsabilidades",
            "wszystkich",
            "dhanyavaad",
            "rueckruf",
            "userId",
            "termin_buchung",
            "customer_name2",
            "eleven_turbo_v2_5",
            "gpt-4o-mini-2024-07-18",
            "text-embedding-3-small",
            "hi-IN-SwaraNeural",
            "us-east-1",
            "agents/front-desk.en.json",
            "front-desk@example.com",
            "order2024",
            "item[0].name",
            "YYYY-MM-DD",
            "1920x1080",
            "1.5e-9",
            "+14155552671x5",
            "2025-01-31T09:30:00.00049Z",
            "gpt-3.5-turbo-0125",
            "llama3-8b-8192",
            "en-US-Neural2-F",
            "pcm_16000",
            "mp3_44100_128",
            "GMT+5:30",
            "bookAppointmentV2",
            "checkPNR",
            "transferToL2",
            "acct_nbr",
            "due_dt",
            "pnr_status",
            "ORD-12345",
        ] {
            assert!(is_natural(word.as_bytes()), "{word}: {}", score(word.as_bytes()));
        }
    }

    #[test]
    fn passwords_are_not_natural() {
        for word in [
            "peRca9-fizcuj-cassak",
            "Perca9-fizcuj-cassak",
            "YSFMIYIE0352",
            "Podo3apa",
            "vak1Chan",
            "loophoO7",
            "plhemoqjle",
            "3321-d812-68d8-bea3",
            "045a-6980-2128-6430",
            "0851c-rypke",
            "6&WSC%qwwILE",
            "_uvj([o~nt&a",
            "ab12-cd34-ef56-ab78",
            "xkqzvbnt_wrtp",
            "qzxv-wkjp-hgtr",
            "Xq7-Lp9-Zt4",
        ] {
            assert!(!is_natural(word.as_bytes()), "{word}: {}", score(word.as_bytes()));
        }
        assert!(is_natural_in_prose(b"plhemoqjle") && !is_natural_in_prose(b"Podo3apa"));
    }
}
