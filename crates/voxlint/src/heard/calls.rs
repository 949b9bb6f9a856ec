//! Where a prompt tells the language model to call a function.
//!
//! A name counts as that of a function only where the words around it say so: `book_slot()`, "call endCall", "the `send_link`
//! tool", a list below the heading "Tools". Names of variables, fields and states look the same, and stand elsewhere.

use std::ops::Range;

use super::{PromptClue, line_at, lines, sentence_at};
use crate::quote::quote;

/// Words between a verb and the name.
const FILLERS: &str = "a an the your our then immediately silently always also directly again first either both available provided \
    tool tools function functions api die das den der dein deine immer sofort dann funktion la el las los función herramienta le l les \
    fonction o os função ferramenta";

/// Those of them that say what the name is.
const NOUNS: &str =
    "tool tools function functions funktion función herramienta fonction função ferramenta";

/// What many names of functions begin with.
pub(super) const ACTIONS: &str = "add answer ask book buscar calculate cancel cancelar change check collect compare confirm consultar create crea \
    crear criar delete end enviar escalate evaluate fetch find finish forward generate get give guardar hand handoff hang hangup \
    identify list load log look lookup mark modify mover notify obter order park place query read record register remove request \
    reschedule reservar resolve retrieve route save schedule search select send set start store submit switch tag transfer update \
    validate verify write";

/// What is written between parentheses behind the name of a field.
const REMARKS: &str = "array bool boolean date default e.g enum float if int integer list number object optional required str string text time";

/// Whether a list contains a word, in any case.
pub(super) fn has_word(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|it| it.eq_ignore_ascii_case(word))
}

/// The names that a prompt calls, in the order of the text. A name may be there more than once.
pub(crate) fn called_names(text: &str, clues: &[(Range<usize>, PromptClue)]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    add_call_forms(text, &mut found);
    for (clue, what) in clues {
        match what {
            PromptClue::Call | PromptClue::Use => {
                add_objects(text, clue, *what == PromptClue::Call, &mut found);
            }
            PromptClue::Function => add_beside_noun(text, clue, &mut found),
            _ => {}
        }
    }
    found.sort_by_key(|range| range.start);
    found.dedup();
    found
}

/// The name of a function for a message. A word of letters is not a secret, however rare they are.
pub(crate) fn shown_name(name: &str) -> String {
    const LONG: usize = 40;
    let is_plain =
        name.len() <= LONG && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    if is_plain { format!("`{name}`") } else { quote(name) }
}

/// `name(…)`.
fn add_call_forms(text: &str, found: &mut Vec<Range<usize>>) {
    for open in memchr::memchr_iter(b'(', text.as_bytes()) {
        if let Some(name) = name_in_heading(text, open) {
            found.push(name);
            continue;
        }
        let Some(name) = name_before(text, open) else { continue };
        let before = text.get(..name.start).and_then(|it| it.chars().next_back());
        if before.is_some_and(|c| {
            matches!(c, '.' | '{' | '$' | '/' | '\\' | '#' | '@' | '-') || c.is_alphanumeric()
        }) {
            continue;
        }
        let Some(word) = text.get(name.clone()) else { continue };
        let inner = text.get(open + 1..line_at(text, open).end).unwrap_or_default();
        let inner = inner.split(')').next().unwrap_or_default();
        let first: &str =
            inner.split(|c: char| !c.is_alphanumeric() && c != '.').next().unwrap_or_default();
        let is_remark = has_word(REMARKS, first);
        let is_call = match Shape::of(word) {
            Shape::Snake | Shape::Camel => {
                !is_remark
                    && (inner.is_empty()
                        || begins_with_action(word)
                        || !inner.contains(' ')
                        || inner.contains(['=', ',', ':', '"']))
            }
            Shape::Pascal { .. } => !is_remark && !inner.contains(' ') || inner.is_empty(),
            Shape::Word => {
                inner.is_empty()
                    && word.len() > 3
                    && word.starts_with(|c: char| c.is_ascii_lowercase())
            }
            Shape::Other => false,
        };
        if is_call {
            found.push(name);
        }
    }
}

/// The name in a heading such as "## Order status (`check_status`)", from its opening parenthesis on.
fn name_in_heading(text: &str, open: usize) -> Option<Range<usize>> {
    if !text.get(open..)?.starts_with("(`") || level_of(text, &line_at(text, open)) == 0 {
        return None;
    }
    let name = name_at(text, open + 2)?;
    let word = text.get(name.clone())?;
    let is_name =
        matches!(Shape::of(word), Shape::Snake | Shape::Camel) && begins_with_action(word);
    (is_name && text.get(name.end..)?.starts_with("`)")).then_some(name)
}

/// The names that a verb has as objects: "call `a` or `b`".
fn add_objects(text: &str, verb: &Range<usize>, is_strong: bool, found: &mut Vec<Range<usize>>) {
    if !may_have_name(text, verb.end) || is_negated(text, verb.start) {
        return;
    }
    let mut at = verb.end;
    let mut says_tool = false;
    for _ in 0..6 {
        let Some(token) = token_after(text, at) else { return };
        let Some(word) = text.get(token.clone()) else { return };
        if has_word(FILLERS, word) {
            says_tool |= has_word(NOUNS, word);
            at = token.end;
            continue;
        }
        let is_marked = is_in_marks(text, &token);
        let is_name = match Shape::of(word) {
            Shape::Snake | Shape::Camel => is_strong || says_tool || begins_with_action(word),
            Shape::Pascal { humps } => is_marked || says_tool || is_strong && humps > 2,
            Shape::Word | Shape::Other => false,
        };
        if !is_name || is_other_thing(text, &token) {
            return;
        }
        found.push(token.clone());
        // Another one may follow: "call a, b or c".
        let rest = text.get(token.end..line_at(text, token.end).end).unwrap_or_default();
        let rest = rest.trim_start_matches(['`', '*', '"', '\'', '”', '’']);
        let rest = match rest.strip_prefix('(').and_then(|it| it.split_once(')')) {
            Some((_, after)) => after.trim_start_matches(['`', '*', '"', '\'', '”', '’']),
            None => rest,
        };
        let separators = [
            ", ", " and ", " or ", " und ", " oder ", " y ", " o ", " et ", " ou ", " e ", "/",
            " then ", " → ", " + ",
        ];
        let Some(next) = separators.iter().find_map(|it| rest.strip_prefix(it)) else { return };
        at = line_at(text, token.end).end - next.len();
    }
}

/// The names beside a noun: "the `book` tool", "tool: `book_slot`", and the list below a heading such as "Available tools".
fn add_beside_noun(text: &str, noun: &Range<usize>, found: &mut Vec<Range<usize>>) {
    let line = line_at(text, noun.start);
    let is_heading = is_heading(text, &line);
    let is_likely =
        may_have_name(text, noun.start.saturating_sub(REACH)) || may_have_name(text, noun.end);
    if !is_likely && !is_heading || is_negated(text, noun.start) {
        return;
    }
    // "the `book_slot` tool"
    let before = text.get(line.start..noun.start).unwrap_or_default();
    let trimmed = before.trim_end_matches([' ', '`', '*', '"', '\'', '”', '’', '-', ')', '(']);
    if before.len() > trimmed.len()
        && let Some(name) = name_before(text, line.start + trimmed.len())
        && let Some(word) = text.get(name.clone())
        && matches!(Shape::of(word), Shape::Snake | Shape::Camel | Shape::Pascal { .. })
        && !has_word(FILLERS, word)
        && !is_brand(word)
    {
        found.push(name);
    }
    // "the tool `book_slot`"
    if let Some(token) = token_after(text, noun.end)
        && let Some(word) = text.get(token.clone())
        && (Shape::of(word) == Shape::Snake
            || Shape::of(word) == Shape::Camel
            || matches!(Shape::of(word), Shape::Pascal { .. }) && is_in_marks(text, &token))
        && token.start - noun.end <= 5
        && !is_other_thing(text, &token)
    {
        found.push(token);
    }
    if is_heading {
        add_listed(text, line, found);
    }
}

/// The names of the items of a list below a heading.
fn add_listed(text: &str, heading: Range<usize>, found: &mut Vec<Range<usize>>) {
    const MAX_LINES: usize = 80;
    let level = level_of(text, &heading);
    let rest = text.get(heading.end..).unwrap_or_default();
    for line in lines(rest).skip(1).take(MAX_LINES) {
        let line = heading.end + line.start..heading.end + line.end;
        let content = text.get(line.clone()).unwrap_or_default();
        let plain = content.trim_start();
        let own_level = level_of(text, &line);
        let item =
            plain.trim_start_matches(|c: char| c.is_ascii_digit() || "-*•.)# `\"".contains(c));
        let is_item = item.len() < plain.len();
        if own_level > 0 && own_level <= level.max(1) || plain.ends_with(':') && !is_item {
            return;
        }
        // Parameters are listed below their functions.
        let indent = content.len() - plain.len();
        if !is_item || indent > 3 {
            continue;
        }
        let Some(name) = name_at(text, line.end - item.len()) else { continue };
        let after = text.get(name.end..line.end).unwrap_or_default();
        let after = after.trim_start_matches(['`', '*', '"']).trim_start();
        let ends = after.is_empty() || after.starts_with([':', '(', '-', '–', '—', '→']);
        let word = text.get(name.clone()).unwrap_or_default();
        let is_name = match Shape::of(word) {
            Shape::Snake | Shape::Camel => begins_with_action(word),
            Shape::Pascal { humps } => humps > 2,
            Shape::Word | Shape::Other => false,
        };
        if ends && is_name && !is_other_thing(text, &name) {
            found.push(name);
        }
    }
}

/// The number of `#` before a heading.
fn level_of(text: &str, line: &Range<usize>) -> usize {
    text.get(line.clone())
        .unwrap_or_default()
        .trim_start()
        .bytes()
        .take_while(|byte| *byte == b'#')
        .count()
}

/// Whether a line is a heading: it begins with `#`, is short and ends with a colon, or has no small letters.
fn is_heading(text: &str, line: &Range<usize>) -> bool {
    const SHORT: usize = 60;
    let line = text.get(line.clone()).unwrap_or_default().trim();
    line.starts_with('#')
        || line.len() < SHORT
            && (line.ends_with(':')
                || line.ends_with(":**")
                || line.starts_with("**") && line.ends_with("**")
                || !line.chars().any(char::is_lowercase))
}

/// The number of bytes beside a clue in which a name is looked for first.
const REACH: usize = 64;

/// Whether a few words behind a byte look like a name: with a `_`, or with a capital behind a small letter.
fn may_have_name(text: &str, start: usize) -> bool {
    let mut before = 0_u8;
    text.as_bytes().iter().skip(start).take(REACH).any(|byte| {
        let is_inside = before.is_ascii_lowercase() && byte.is_ascii_uppercase();
        before = *byte;
        *byte == b'_' || is_inside
    })
}

/// Whether the words before say not to do it.
pub(super) fn is_negated(text: &str, at: usize) -> bool {
    const NEGATIONS: [&str; 12] = [
        "not", "never", "don't", "don’t", "no", "nicht", "nie", "kein", "keine", "nunca", "jamais",
        "without",
    ];
    let sentence = sentence_at(text, at);
    let before = text.get(sentence.start..at).unwrap_or_default();
    let before = before.rsplit([',', ':', '–', '—', '→']).next().unwrap_or_default();
    let mut words = before
        .rsplit(|c: char| c.is_whitespace() || c == '"')
        .filter(|word| !word.is_empty())
        .take(5);
    words.any(|word| NEGATIONS.iter().any(|it| it.eq_ignore_ascii_case(word)))
}

/// Whether the words behind a name say that it is something else.
fn is_other_thing(text: &str, name: &Range<usize>) -> bool {
    const OTHERS: [&str; 12] = [
        "variable",
        "field",
        "parameter",
        "argument",
        "value",
        "status",
        "flag",
        "property",
        "key",
        "column",
        "feld",
        "variablen",
    ];
    let after = text.get(name.end..).unwrap_or_default();
    let after = after.trim_start_matches(['`', '*', '"', '\'']);
    let word = after.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    after.starts_with(['=', '}', '@', '.'])
        && !after.starts_with(". ")
        && !after.starts_with(".\n")
        && after != "."
        || OTHERS.iter().any(|it| {
            word.eq_ignore_ascii_case(it) || word.to_lowercase().strip_suffix('s') == Some(it)
        })
}

/// How a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// `end_call`
    Snake,
    /// `endCall`
    Camel,
    /// `EndCall`, and the number of its capitals.
    Pascal {
        humps: usize,
    },
    /// `end`
    Word,
    Other,
}

impl Shape {
    fn of(name: &str) -> Self {
        let has_small = name.bytes().any(|byte| byte.is_ascii_lowercase());
        let first = name.bytes().next().unwrap_or_default();
        if !has_small
            || !first.is_ascii_alphabetic()
            || name.len() < 4
            || name.bytes().any(|byte| !byte.is_ascii_alphanumeric() && byte != b'_')
        {
            return Self::Other;
        }
        let trimmed = name.trim_end_matches('_');
        if trimmed.contains('_') {
            return Self::Snake;
        }
        let humps = name
            .bytes()
            .zip(name.bytes().skip(1))
            .filter(|(one, next)| one.is_ascii_lowercase() && next.is_ascii_uppercase())
            .count();
        match (humps, first.is_ascii_uppercase()) {
            (0, _) => Self::Word,
            (_, true) => Self::Pascal { humps: humps + 1 },
            // `iPhone`, `eBay`
            (1, false) if name.as_bytes().get(1).is_some_and(u8::is_ascii_uppercase) => Self::Other,
            (_, false) => Self::Camel,
        }
    }
}

/// Whether the first word of a name is an action, or its last one says that it is a tool.
fn begins_with_action(name: &str) -> bool {
    let end = name
        .bytes()
        .position(|byte| byte == b'_' || byte.is_ascii_uppercase())
        .unwrap_or(name.len());
    let first = name.get(..end).unwrap_or_default();
    has_word(ACTIONS, first)
        || name.ends_with("_tool")
        || name.ends_with("Tool")
        || name.ends_with("_function")
}

/// Names of products that are written like identifiers.
fn is_brand(name: &str) -> bool {
    const BRANDS: [&str; 10] = [
        "HubSpot",
        "WhatsApp",
        "ElevenLabs",
        "OpenAI",
        "GoHighLevel",
        "YouTube",
        "LinkedIn",
        "PayPal",
        "ChatGPT",
        "JavaScript",
    ];
    BRANDS.contains(&name)
}

/// The name that ends at a byte.
pub(super) fn name_before(text: &str, end: usize) -> Option<Range<usize>> {
    let before = text.get(..end)?;
    let start = before.len() - before.bytes().rev().take_while(|byte| is_name_byte(*byte)).count();
    (start < end).then_some(start..end)
}

/// The name that begins at a byte.
pub(super) fn name_at(text: &str, start: usize) -> Option<Range<usize>> {
    let length = text.get(start..)?.bytes().take_while(|byte| is_name_byte(*byte)).count();
    (length > 0).then_some(start..start + length)
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The next word of the line, behind spaces, marks and a colon.
fn token_after(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let content = rest.trim_start_matches([' ', '`', '*', '"', '\'', '“', '‘', '«', ':', '(', '[']);
    let start = text.len() - content.len();
    let length =
        content.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(content.len());
    (length > 0).then_some(start..start + length)
}

/// Whether a name is in code marks, bold or quotes.
fn is_in_marks(text: &str, name: &Range<usize>) -> bool {
    text.get(..name.start).is_some_and(|before| before.ends_with(['`', '*', '"', '\'', '“', '‘']))
}

#[cfg(test)]
mod tests {
    use super::super::prompt_clues;
    use super::*;

    fn names(text: &str) -> Vec<&str> {
        let mut found: Vec<_> = called_names(text, &prompt_clues::find(text))
            .into_iter()
            .filter_map(|range| text.get(range))
            .collect();
        found.dedup();
        found
    }

    #[test]
    fn calls_are_found_by_the_words_around_them() {
        for (text, expected) in [
            ("Then silently call endCall.", &["endCall"][..]),
            (
                "Use the `book_slot` tool, or call `a_one` and b_two.",
                &["book_slot", "a_one", "b_two"],
            ),
            ("Run check_stock(item, size) first.", &["check_stock"]),
            ("using the hang_up tool to end the call", &["hang_up"]),
            (
                "Rufe die Funktion termin_buchen auf. Nutze `get_slots`.",
                &["termin_buchen", "get_slots"],
            ),
            (
                "## Available tools\n\n- get_slots: free slots\n- **send_link** – a link\n\n## Style\n- be_short: yes",
                &["get_slots", "send_link"],
            ),
            ("Use TransferToSales when asked. Trigger `TransferToSales`.", &["TransferToSales"]),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn other_names_are_not_calls() {
        for text in [
            "Use first_name in the greeting, and never call customer_name.",
            "call the customer (if_known), use customer_name",
            "caller_name(optional), zip_code(string)",
            "Pay via PayPal or iPhone with GoHighLevel; use WhatsApp.",
            "Do not use the book_slot tool.",
            "if call_type = inbound, set the lead_status field",
            "appointment(s), he(she), date.today()",
        ] {
            assert_eq!(names(text), [""; 0], "{text}");
        }
    }
}
