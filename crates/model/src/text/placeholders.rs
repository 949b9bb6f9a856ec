//! Finds what a prompt template leaves to be filled in.

use std::ops::Range;

use crate::heard::{Words, line_at, words};
use memchr::memmem;

/// A placeholder in a text.
#[derive(Debug, PartialEq, Eq)]
pub struct Placeholder {
    /// Where it is in the text.
    pub range: Range<usize>,
    /// Whether it is one in any text. Otherwise it may be a heading or a stage direction.
    pub is_sure: bool,
}

/// The maximum length of the text in brackets, in bytes.
const MAX_LENGTH: usize = 50;

/// The maximum distance between a tag and the one that closes it, in bytes.
const MAX_TAG: usize = 4_000;

/// Words that name what only the owner of a prompt knows. German ones are as they begin longer words: `FIRMENNAME`.
static OWNERS: Words = words![
    "AGENT|ASSISTANT|BANK|BRAND|BUSINESS|CLINIC|COMPANY|DEALERSHIP|FIRM|HOSPITAL|HOTEL|LENDER|ORGANISATION|ORGANIZATION|\
     PHARMACY|PRACTICE|PRODUCT|RESTAURANT|SCHOOL|STORE|AGENTEN|ASSISTENTEN|FIRMA|FIRMEN|GESCHÄFTS|KANZLEI|KLINIK|MARKEN|PRAXIS|\
     PRODUKT|SALON|UNTERNEHMENS|ARTISAN|AZIENDA|CLÍNICA|EMPRESA|ENTREPRISE|FİRMA|HOST|LOJA|NEGOCIO|RESTAURANTE|SOCIÉTÉ|TIENDA|\
     ŞİRKET",
];

/// Words that follow the name of an owner in a placeholder.
const PROPERTIES: [&str; 14] = [
    "ADDRESS", "ADRESSE", "EMAIL", "HOURS", "ID", "LOCATION", "NAME", "NUMBER", "NUMMER", "PHONE",
    "TELEFON", "WEBSITE", "ADI", "NOME",
];

/// `NAME OF`, in the languages that put the owner last.
const NAMES: [&str; 4] = ["NAME", "NOM", "NOMBRE", "NOME"];

/// Small words between the name and its owner.
const OF: [&str; 12] =
    ["OF", "THE", "DER", "DES", "DE", "DEL", "LA", "L", "DA", "DO", "DELLA", "DELL"];

/// First words of a request to fill something in.
static FILL_IN: Words = words!["your|insert|insertar|inserte|inserir|inserire|insérer|inserer",];

/// Last words of a request to fill something in, in German.
static REQUESTS: Words = words!["einfügen|eintragen|einsetzen|ergänzen",];

/// Notes of a template that something is to be filled in, in capitals.
const TO_COMPLETE: [&str; 7] = [
    "A COMPLETER",
    "À COMPLÉTER",
    "À COMPLETER",
    "A REMPLIR",
    "À REMPLIR",
    "POR COMPLETAR",
    "DA COMPLETARE",
];

/// Words for what a call or its owner provides, without their ends in German. Brackets around them are a placeholder if callers hear
/// the text word for word.
static NOUNS: Words = words![
    "name|company|business|clinic|practice|restaurant|hotel|store|brand|organization|agent|assistant|city|number|phone|date|day|\
     time|address|email|website|product|service|hours|location|customer|amount|firma|firmenname|unternehmen|nummer|\
     telefonnummer|datum|tag|uhrzeit|stadt|adresse|praxis|vorname|nachname|nombre|empresa|negocio|número|fecha|hora|ciudad|nom|\
     entreprise|société|numéro|heure|ville|nome|azienda|numero|şirket|numara|नाम|कंपनी",
];

/// Words for the ways in which the owner can be reached.
static CONTACTS: Words = words![
    "number|phone|email|website|address|nummer|telefonnummer|adresse|número|teléfono|numéro|téléphone|telefone|numero",
];

/// How sentences begin that tell the agent who it is.
static IDENTITIES: Words = words![
    "you are|you're|your name is|you work|act as|du bist|sie sind|dein name ist|du arbeitest|eres|tu nombre es|trabajas|tu es|\
     vous êtes|você é|seu nome é|sei|aap|आप",
];

/// What is before the name of an agent or of its company.
static BEFORE_NAME: Words = words![
    "of|are|bist|eres|êtes|is|am|i'm|from|with|at|named|called|bei|von|vom|ist|heißt|de|para|es|pour|chez|per|di|calling|to|for|\
     bin|aap|आप",
];

/// What is said before the name of one's own company, or before one's own name, and what before its number or address.
static OWN: Words = words![
    "thank you for calling|thanks for calling|welcome to|on behalf of|you work for|my name is|this is|i'm|i am|you've reached|\
     anruf bei|willkommen bei|mein name ist|hier ist|gracias por llamar a|bienvenido a|bienvenidos a|mi nombre es|le habla|\
     bienvenue chez|je m'appelle|obrigado por ligar para|meu nome é|benvenuto in|mi chiamo",
    "call us at|call us on|reach us at|reach us on|contact us at|email us at|visit us at|us on|our number is|\
     our phone number is|our address is|our website is|our email is|uns unter|unsere nummer ist|unsere adresse ist|llámenos al|\
     llamarnos al|contáctenos al|nous joindre au|appelez-nous au|chiamaci al",
];

/// Words in capitals that are headings, stage directions or instructions.
static DIRECTIONS: Words = words![
    "BEEP|BREAK|CALL|CRITICAL|END|IF|IMPORTANT|INSTRUCTION|INSTRUCTIONS|LAUGH|MUST|NOTE|OPTIONAL|PAUSE|REQUIRED|RULE|RULES|\
     SILENCE|STEP|STOP|TRANSFER|WAIT|WARNING|YES",
];

/// Markers of work that is left, outside of brackets.
const MARKERS: [&str; 3] = ["TODO", "FIXME", "TBD"];

/// Dummy text, without its first letter, which may be a capital one.
const DUMMY_TEXT: [&str; 2] = ["orem ipsum", "OREM IPSUM"];

/// The placeholders of a text, in its order. `may_have_marker` is whether there may be words for some outside of brackets.
pub fn placeholders(text: &str, may_have_marker: bool) -> Vec<Placeholder> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) =
        text.as_bytes().get(at..).and_then(|rest| memchr::memchr2(b'[', b'<', rest))
    {
        let start = at + offset;
        at = start + 1;
        let Some(rest) = text.get(start..) else { break };
        let close = if rest.starts_with('[') { b']' } else { b'>' };
        let is_end = |byte: u8| byte == close || matches!(byte, b'\n' | b'[' | b'<');
        let end = rest.bytes().skip(1).take(MAX_LENGTH + 1).position(is_end);
        let Some(end) = end.filter(|end| rest.as_bytes().get(end + 1) == Some(&close)) else {
            continue;
        };
        let inner = rest.get(1..=end).unwrap_or_default();
        let before = text.get(..start).unwrap_or_default();
        let after = text.get(at + end + 1..).unwrap_or_default();
        let is_link = close == b']' && after.starts_with(['(', '[']);
        let is_quoted = before.ends_with(['"', '`', '“']);
        if is_marker(inner) && !is_link && !is_quoted {
            found.push(Placeholder { range: start..at + end + 1, is_sure: true });
            at += end + 1;
            continue;
        }
        let is_filled_in = || {
            if close == b']' {
                return !is_request(inner) && is_heading(before, after);
            }
            let near = after.as_bytes().get(..MAX_TAG).unwrap_or(after.as_bytes());
            memmem::find(near, format!("</{inner}>").as_bytes()).is_some()
        };
        let placeholder = is_placeholder(inner).or_else(|| is_named(inner).then_some(false));
        let placeholder = placeholder.filter(|_| !is_link && !is_filled_in());
        if let Some(is_sure) = placeholder {
            let is_sure = is_sure || !is_after_word(before) && is_for_owner(before, inner);
            found.push(Placeholder { range: start..at + end + 1, is_sure });
            at += end + 1;
        }
    }
    if may_have_marker {
        found.extend(markers(text));
        found.extend(bare_names(text));
        found.extend(masked_numbers(text));
    }
    found.extend(lines_to_fill_in(text));
    found.sort_by_key(|placeholder| placeholder.range.start);
    found
}

fn is_after_word(before: &str) -> bool {
    before.ends_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Whether the words in brackets name something of a call or of its owner: `[Company Name]`, `<phone number>`.
pub fn is_named(inner: &str) -> bool {
    const MAX_WORDS: usize = 5;
    let mut words = inner.split(BETWEEN_WORDS);
    words.clone().count() <= MAX_WORDS
        && words.clone().all(|word| !word.is_empty() && word.chars().all(char::is_alphabetic))
        && words.any(|word| NOUNS.contains(&word.to_lowercase()) || is_owner(word))
}

/// Whether a word names the owner of a prompt, perhaps with a property: `Clinic`, `companyName`.
pub fn is_owner(word: &str) -> bool {
    let upper = word.to_uppercase();
    OWNERS.contains(upper.strip_suffix("NAME").unwrap_or(&upper))
}

/// What is between the words of a name in brackets.
const BETWEEN_WORDS: [char; 5] = [' ', '_', '-', '\'', '’'];

/// The line up to `before`'s end, in lower case and without marks of lists and emphasis.
fn line_before(before: &str) -> String {
    let line = before.get(line_at(before, before.len())).unwrap_or_default();
    line.trim_end_matches([' ', '*', '"', '“', '„', '_', '[', '<']).to_lowercase().replace('’', "'")
}

/// Whether only the owner of the agent can know what belongs in the place of `inner`, as the words before it show.
fn is_for_owner(before: &str, inner: &str) -> bool {
    let line = line_before(before);
    let ends = [". ", "! ", "? "].iter().filter_map(|end| Some(line.rfind(end)? + end.len()));
    let sentence = line.get(ends.max().unwrap_or_default()..).unwrap_or_default();
    let sentence = sentence.trim_start_matches([' ', '-', '*', '#', '•', '\t']);
    let last = line.rsplit([' ', '"', '“', '(']).next().unwrap_or_default();
    let lower = inner.to_lowercase();
    let mut words = lower.split(BETWEEN_WORDS);
    let is_name = |word: &str| word.ends_with("name") || matches!(word, "nom" | "nombre" | "nome");
    let is_identity = IDENTITIES.find(sentence).next().is_some_and(|(words, _)| words.start == 0)
        && !sentence.contains(['"', '“', '„'])
        && (BEFORE_NAME.contains(last) || is_owner(last))
        && (inner.is_empty() || words.clone().any(|word| is_name(word) || is_owner(word)));
    let ends = |text: &str, wanted| {
        OWN.find(text)
            .next_back()
            .is_some_and(|(words, group)| group == wanted && words.end == text.len())
    };
    let is_own = || {
        ends(&line, 0)
            || matches!(last, "from" | "with" | "von" | "de" | "bei" | "at")
                && OWN.find(sentence).any(|(_, group)| group == 0)
    };
    let first = words.next().unwrap_or_default();
    let last_word = words.next_back().unwrap_or(first);
    let is_own_name = inner.starts_with(char::is_uppercase)
        && (is_owner(first) || is_name(first) && is_owner(last_word));
    let is_own_name = (inner.is_empty() || is_own_name) && is_own();
    let is_contact = inner.is_empty() || lower.split(' ').any(|word| CONTACTS.contains(word));
    is_identity
        || is_own_name
        || is_contact && {
            let line = ["the number", "der nummer", "der telefonnummer", "el número", "le numéro"]
                .iter()
                .find_map(|words| line.strip_suffix(words))
                .unwrap_or(&line);
            ends(line.trim_end(), 1)
        }
}

/// Names in capitals without brackets: `this is AGENT NAME with BUSINESS NAME`.
fn bare_names(text: &str) -> Vec<Placeholder> {
    let mut found = Vec::new();
    for at in memmem::find_iter(text.as_bytes(), " NAME") {
        let (before, after) =
            (text.get(..at).unwrap_or_default(), text.get(at + 5..).unwrap_or_default());
        let start = before.rfind(|c: char| !c.is_alphanumeric() && c != '_').map_or(0, |it| {
            it + before.get(it..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
        });
        let owner = before.get(start..).unwrap_or_default();
        let before = before.get(..start).unwrap_or_default();
        let is_free = !before.ends_with(['[', '<', '{', '`', '(', '/', '-', '\''])
            && !after.starts_with(|c: char| c.is_alphanumeric() || "_]>}`):/".contains(c));
        // In a sentence in capitals, all words are.
        let line = before.get(line_at(before, before.len())).unwrap_or_default();
        let line = line.trim_end_matches([' ', '*', '"', '_']);
        let last = line.rsplit([' ', '"', '“']).next().unwrap_or_default();
        let is_named = last.chars().all(|c| !c.is_uppercase() || c == 'I')
            && (BEFORE_NAME.contains(&last.to_lowercase())
                || line_before(before).ends_with("name:"));
        let is_owner = OWNERS.contains(owner) && !owner.contains(char::is_lowercase);
        if is_owner && is_free && is_named && !is_asked(&line.to_lowercase()) {
            found.push(Placeholder { range: start..at + 5, is_sure: true });
        }
    }
    found
}

/// What every telephone number has that was never filled in.
const MASK: &str = "XXXX";

/// Telephone numbers without their last digits: `+44 1632 XXXXXX`.
fn masked_numbers(text: &str) -> Vec<Placeholder> {
    /// The number of digits from which a telephone number is one.
    const LEAST: usize = 9;
    /// Words of lines that show how numbers are written.
    const EXAMPLES: [&str; 9] =
        ["format", "e.164", "e.g", "example", "such as", "z.b.", "beispiel", "ejemplo", "exemple"];
    let is_before = |c: char| c.is_ascii_digit() || " -.()+X".contains(c);
    let mut found: Vec<Placeholder> = Vec::new();
    for at in memmem::find_iter(text.as_bytes(), MASK) {
        let line = line_at(text, at);
        let before = text.get(line.start..at).unwrap_or_default();
        let start = at - (before.len() - before.trim_end_matches(is_before).len());
        let rest = text.get(start..line.end).unwrap_or_default();
        let start = line.end - rest.trim_start_matches([' ', '-', '.', ')']).len();
        let rest = text.get(at..line.end).unwrap_or_default();
        let is_inside = |c: char| c.is_ascii_digit() || " -X".contains(c);
        let rest = rest.split(|c| !is_inside(c)).next().unwrap_or_default();
        let end = at + rest.trim_end_matches([' ', '-']).len();
        let number = text.get(start..end).unwrap_or_default();
        let is_written =
            |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '`'));
        let count = number.chars().filter(char::is_ascii_alphanumeric).count();
        let is_number = count >= LEAST
            && number.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '('))
            && number.contains(|c: char| c.is_ascii_digit())
            // The last digits of a card are shown.
            && number.ends_with('X');
        let is_free = !is_written(text.get(..start).and_then(|it| it.chars().next_back()))
            && !is_written(text.get(end..).and_then(|it| it.chars().next()));
        let is_new = found.last().is_none_or(|last| start >= last.range.end);
        let is_example = || {
            let line = text.get(line.clone()).unwrap_or_default().to_lowercase();
            EXAMPLES.iter().any(|word| line.contains(word))
        };
        if is_number && is_free && is_new && !is_example() {
            found.push(Placeholder { range: start..end, is_sure: true });
        }
    }
    found
}

/// The placeholder in a setting: a telephone number with `X` in place of digits, or a word such as `REPLACE_ME`.
pub fn in_setting(text: &str) -> Option<Range<usize>> {
    /// A word is one of these, or begins with one and an underscore.
    const WORDS: [&str; 6] = ["REPLACE", "CHANGE_ME", "CHANGEME", "YOUR", "INSERT", "PLACEHOLDER"];
    /// Fewer characters may hide the digits of a number that is shown to people.
    const MASKED: usize = 5;
    let is_in_number = |byte: u8| {
        matches!(byte, b'X' | b'x' | b'0'..=b'9' | b'+' | b' ' | b'-' | b'(' | b')' | b'.')
    };
    let unknown = text.bytes().filter(|byte| matches!(byte, b'X' | b'x')).count();
    if unknown >= MASKED && text.bytes().all(is_in_number) {
        return Some(0..text.len());
    }
    let starts = memchr::memchr3_iter(b'R', b'C', b'Y', text.as_bytes())
        .chain(memchr::memchr2_iter(b'I', b'P', text.as_bytes()));
    starts
        .filter(|at| {
            !text
                .get(..*at)
                .is_some_and(|it| it.ends_with(|c: char| c.is_alphabetic() || c == '_' || c == '{'))
        })
        .find_map(|at| {
            let rest = text.get(at..)?;
            let is_in_word =
                |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
            let word = rest.get(..rest.bytes().take_while(|byte| is_in_word(byte)).count())?;
            let is_one = WORDS.iter().any(|start| {
                word.strip_prefix(start).is_some_and(|rest| {
                    rest.starts_with('_') || rest.is_empty() && start.starts_with("CHANGE")
                })
            });
            let ends =
                !rest.get(word.len()..)?.starts_with(|c: char| c.is_alphanumeric() || c == '}');
            (is_one && ends).then(|| at..at + word.len())
        })
}

/// Whether the words before a name ask the caller for it.
fn is_asked(line: &str) -> bool {
    let words = [
        "ask ", "collect", "confirm", "what is", "get ", "capture", "frage", "pregunta", "demande",
    ];
    words.iter().any(|word| line.contains(word))
}

/// Lines to fill in, `____`, and names in capitals between underscores, `__COMPANY_NAME__`.
fn lines_to_fill_in(text: &str) -> Vec<Placeholder> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(offset) = text.as_bytes().get(at..).and_then(|rest| memmem::find(rest, b"__")) {
        let start = at + offset;
        let rest = text.get(start..).unwrap_or_default();
        let length = rest.len() - rest.trim_start_matches('_').len();
        at = start + length;
        let before = text.get(..start).unwrap_or_default();
        if is_after_word(before) {
            continue;
        }
        let inner = rest.get(length..).unwrap_or_default();
        let name = inner
            .bytes()
            .take_while(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || *c == b'_')
            .count();
        let name = inner.get(..name).unwrap_or_default();
        if length == 2
            && name.len() > 5
            && name.ends_with("__")
            && name.trim_end_matches('_').contains('_')
        {
            at += name.len();
            found.push(Placeholder { range: start..at, is_sure: true });
        } else if length >= 3 && !inner.starts_with(char::is_alphanumeric) {
            // A line of underscores, or a form.
            let line = before.get(line_at(before, before.len())).unwrap_or_default().trim();
            let is_rule = line.is_empty() || line.ends_with(['|', '_']);
            if !is_rule {
                found.push(Placeholder { range: start..at, is_sure: is_for_owner(before, "") });
            }
        }
    }
    found
}

/// Whether the text in brackets begins with a marker of work that is left: `[TODO]`, `[TBD: hours]`.
fn is_marker(inner: &str) -> bool {
    let rest = MARKERS.iter().find_map(|word| inner.strip_prefix(word));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', '-', '–']))
}

/// Whether brackets are alone on their line, above a text that is not in brackets: `[OPENING HOURS]`.
fn is_heading(before: &str, after: &str) -> bool {
    let is_mark = |c: char| matches!(c, ' ' | '\t' | '#' | '*' | '_' | ':' | '\r');
    let line = before.trim_end_matches(is_mark);
    let below = after.trim_start_matches(is_mark);
    (line.is_empty() || line.ends_with('\n'))
        && below.starts_with('\n')
        && !matches!(
            below.trim_start_matches([' ', '\t', '\r', '\n', '*', '#']).bytes().next(),
            None | Some(b'[')
        )
}

/// Whether the text in brackets asks for something to be filled in: `[Insert hours]`, `[Your Company]`.
fn is_request(inner: &str) -> bool {
    let mut words = inner.split([' ', '_', '-']).filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    let last = words.next_back().unwrap_or_default().to_lowercase();
    FILL_IN.contains(&first.to_lowercase()) || REQUESTS.contains(&last)
}

/// Whether the text in brackets is a placeholder, and whether that is sure.
pub fn is_placeholder(inner: &str) -> Option<bool> {
    let is_to_complete = |note: &&str| {
        let rest = inner.strip_prefix(*note);
        rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
    };
    if TO_COMPLETE.iter().any(is_to_complete) {
        return Some(true);
    }
    let words: Vec<&str> =
        inner.split([' ', '_', '-', '’', '\'']).filter(|word| !word.is_empty()).collect();
    let first = *words.first()?;
    let last = *words.last()?;
    let is_word = |word: &&str| word.chars().all(char::is_alphanumeric);
    if !words.iter().all(is_word) {
        return None;
    }
    let is_short = words.len() <= 4;
    if words.len() > 1 && is_request(inner) && (first.starts_with(char::is_uppercase) || is_short) {
        return Some(true);
    }
    let is_in_capitals = inner.chars().all(|it| !it.is_lowercase()) && inner.len() > 3;
    if !is_in_capitals || words.iter().any(|word| DIRECTIONS.contains(word)) {
        return None;
    }
    // `FIRMENNAME`, `COMPANYNAME`
    let is_compound = |word: &str| {
        let properties = PROPERTIES.iter().filter_map(|property| word.strip_suffix(property));
        properties.into_iter().any(|owner| OWNERS.contains(owner))
    };
    let is_owner = match words.as_slice() {
        [word] => is_compound(word),
        [name, between @ .., owner] if NAMES.contains(name) && OWNERS.contains(owner) => {
            between.iter().all(|word| OF.contains(word))
        }
        _ => OWNERS.contains(first) && PROPERTIES.contains(&last),
    };
    Some(is_owner)
}

/// Markers of work that is left, and dummy text.
fn markers(text: &str) -> impl Iterator<Item = Placeholder> {
    let is_letter = |it: char| it.is_alphanumeric() || it == '_';
    let words = MARKERS.iter().flat_map(move |word| {
        text.match_indices(word).filter(move |(at, word)| {
            let before = text.get(..*at).and_then(|before| before.chars().next_back());
            let after = text.get(at + word.len()..).unwrap_or_default();
            // `a TODO list` is about something else.
            let is_marker =
                *word != "TODO" || after.trim_start().starts_with([':', ']', ')', '-', '–', '—']);
            is_marker
                && !before
                    .is_some_and(|it| is_letter(it) || matches!(it, '[' | '<' | '"' | '`' | '“'))
                && !after.starts_with(is_letter)
        })
    });
    let dummy = DUMMY_TEXT.iter().flat_map(|words| text.match_indices(words));
    let dummy = dummy.filter_map(|(at, words)| {
        let start = at
            .checked_sub(1)
            .filter(|start| text.get(*start..at).is_some_and(|l| l.eq_ignore_ascii_case("l")))?;
        Some((start, at + words.len()))
    });
    let words = words.map(|(at, word)| (at, at + word.len()));
    words.chain(dummy).map(|(start, end)| Placeholder { range: start..end, is_sure: true })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, bool)> {
        let all = placeholders(text, true).into_iter();
        all.map(|it| (text.get(it.range).unwrap_or_default(), it.is_sure)).collect()
    }

    #[test]
    fn placeholders_are_found() {
        for (text, expected) in [
            ("Call [COMPANY_NAME] or <CLINIC NAME>.", &["[COMPANY_NAME]", "<CLINIC NAME>"][..]),
            (
                "[Your Company], [insert opening hours], [YOUR_NAME]",
                &["[Your Company]", "[insert opening hours]", "[YOUR_NAME]"],
            ),
            ("[TODO] [TBD: hours] [FIXME]", &["[TODO]", "[TBD: hours]", "[FIXME]"]),
            (
                "[FIRMENNAME], [COMPANYNAME], [NAME DER FIRMA], [PRAXIS-NAME], [Datum einfügen]",
                &[
                    "[FIRMENNAME]",
                    "[COMPANYNAME]",
                    "[NAME DER FIRMA]",
                    "[PRAXIS-NAME]",
                    "[Datum einfügen]",
                ],
            ),
            ("[INSERT HOURS]\nMonday", &["[INSERT HOURS]"]),
            ("Call\n[COMPANY NAME]\n[CLINIC NAME]", &["[COMPANY NAME]", "[CLINIC NAME]"]),
            ("TODO: write this. FIXME TBD", &["TODO", "FIXME", "TBD"]),
            ("Lorem ipsum dolor, LOREM IPSUM", &["Lorem ipsum", "LOREM IPSUM"]),
        ] {
            let expected: Vec<_> = expected.iter().map(|it| (*it, true)).collect();
            assert_eq!(found(text), expected, "{text}");
        }
        assert_eq!(
            found("We are in [CITY], [DATE OF BIRTH]."),
            [("[CITY]", false), ("[DATE OF BIRTH]", false)]
        );
        assert_eq!(
            found("[VORNAME], [NAME DER MUTTER], [TODO LIST], \"[TODO]\""),
            [
                ("[VORNAME]", false),
                ("[NAME DER MUTTER]", false),
                ("[TODO LIST]", false),
                ("[TODO]", false)
            ]
        );
    }

    #[test]
    fn words_for_what_a_call_provides_are_placeholders_where_only_the_owner_knows_them() {
        for (text, expected) in [
            ("You work for [Company Name].", true),
            ("- You are Maya, the assistant of <clinic name>.", true),
            ("Du bist die Assistentin der Praxis [Name].", true),
            ("Eres la asistente de [Nombre de la empresa].", true),
            ("Vous êtes l'assistante de [Nom de l'entreprise].", true),
            ("You are [Name], a calm assistant.", true),
            ("Say: \"Thank you for calling [Business Name]!\"", true),
            ("\"Gracias por llamar a [Clínica].\"", true),
            ("\"Welcome to [CompanyName]!\"", true),
            ("\"Hi, this is Maya from **[Company Name]**.\"", true),
            ("\"Call us at [phone number].\"", true),
            ("Rufen Sie uns unter der Nummer [Nummer] an.", true),
            ("You work for ____.", true),
            ("You are given [Name] and [Phone].", false),
            ("\"Great, [Name], see you at [time].\"", false),
            ("\"[Company name], how can I help you?\"", false),
            ("They say \"I'm calling from [Insurance Company Name]\".", false),
            ("Confirm the booking ID ____ first.", false),
        ] {
            let found = placeholders(text, true);
            let sure: Vec<bool> = found.iter().map(|it| it.is_sure).collect();
            assert!(!sure.is_empty() && sure.iter().all(|it| *it == expected), "{text}: {sure:?}");
        }
    }

    #[test]
    fn names_in_capitals_are_placeholders_without_brackets_too() {
        let text = "This is AGENT NAME with **BUSINESS NAME**. Today is __TODAY_DATE__.";
        let expected = ["AGENT NAME", "BUSINESS NAME", "__TODAY_DATE__"];
        assert_eq!(found(text), expected.map(|it| (it, true)));
    }

    #[test]
    fn settings_that_were_never_filled_in_are_told_from_others() {
        for (text, expected) in [
            ("+1XXXXXXXXXX", Some("+1XXXXXXXXXX")),
            ("+1REPLACE_WITH_NUMBER", Some("REPLACE_WITH_NUMBER")),
            ("Bearer YOUR_API_KEY", Some("YOUR_API_KEY")),
            ("https://example.com/CHANGE_ME/x", Some("CHANGE_ME")),
            ("+14155552671", None),
            ("{{YOUR_NUMBER}}", None),
            ("REPLACE the filter", None),
            ("xxx", None),
        ] {
            assert_eq!(in_setting(text).and_then(|it| text.get(it)), expected, "{text}");
        }
    }

    #[test]
    fn telephone_numbers_without_their_last_digits_are_placeholders() {
        for (text, expected) in [
            (
                "Transfer to +44 1632 XXXXXX, backup (212) 555-XXXX.",
                &["+44 1632 XXXXXX", "(212) 555-XXXX"][..],
            ),
            ("Manager: 0800-XXXX-XXXX", &["0800-XXXX-XXXX"]),
            ("Write numbers in E.164 format: +1XXXXXXXXXX", &[]),
            ("`+1XXXXXXXXXX`, order KIT-XXXXXX, card 4111 XXXX XXXX 1234, in 20XX", &[]),
        ] {
            let expected: Vec<_> = expected.iter().map(|it| (*it, true)).collect();
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn other_brackets_are_not_placeholders() {
        for text in [
            "[IMPORTANT] [PAUSE] [END CALL] [STEP 1] [IF YES] [NOTE]",
            "[laughs] [short pause] <b>bold</b> <wait for user response> [1] [OK]",
            "[YOUR NAME](https://example.com) [COMPANY NAME][1] [name](https://example.com)",
            "__init__ __IMPORTANT__ file__NAME__x\n____\n| ____ | snake__case",
            "ASK FOR THE BUSINESS NAME. Ask for BUSINESS NAME. {{BUSINESS NAME}} # AGENT NAME: Maya",
            "BE AN AGENT NAME IT. See [YOUR_KEY](x)",
            "Ask about their TODO list. A to-do list, TODOs, \"TBD\" and MASTBD",
            "[your] a [] <>",
            "[BUSINESS HOURS]\nMonday to Friday\n\n**[CLINIC LOCATION]**\n\nMain Street",
            "<AGENT_NAME>Maya</AGENT_NAME>",
            "`[TBD]` and [TODO](https://example.com)",
            "if 3 < 4 and 5 > 2, then [",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }
}
