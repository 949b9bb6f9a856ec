use std::ops::Range;

use voxlint_model::heard::calendar::is_name;
use voxlint_model::heard::{Words, words};

use crate::prelude::*;

rule! {
    /// A text says what the current date is.
    ///
    /// A date in a text is right for one day: later, the agent books appointments in the past. The rule reports a date or a
    /// year after words such as `today is`, `the current year is`, `heute ist`, `hoy es` and `aaj ki date`, in English, German, Spanish,
    /// French, Portuguese, Italian, Turkish and Hindi.
    /// Other dates are not reported: they may be deadlines and holidays. The description does not mention this: the service accepts such a text.
    ///
    /// ```json,advice
    /// { "version_number": 3, "prompt_text": "Today is Monday, 3 March 2025. Offer appointments from tomorrow on." }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "Today is {{current_date}}. The sale ends on 3 March 2025." }
    /// ```
    "hard-coded-date": Text {
        group: Suspicious,
        basis: Inferred("The service cannot know that a date was the current one."),
        section: "2.3",
        advice: Info,
        needs: [Year],
    }
}

/// The words before the current date.
static BEFORE: Words = words![
    "it is currently",
    "today is",
    "today's date",
    "today’s date",
    "current date",
    "current year",
    "heute ist",
    "heute haben wir",
    "wir haben heute",
    "aktuelle datum",
    "aktuelles datum",
    "heutige datum",
    "heutiges datum",
    "aktuelle jahr",
    "aktuelles jahr",
    "hoy es",
    "fecha actual",
    "fecha de hoy",
    "año actual",
    "nous sommes le",
    "date du jour",
    "date actuelle",
    "hoje é",
    "data de hoje",
    "data atual",
    "oggi è",
    "data di oggi",
    "data odierna",
    "bugün",
    "bugünün tarihi",
    "aaj ki date",
    "aaj ki taareekh",
    "aaj ki tareekh",
    "aaj ki tarikh",
    "आज की तारीख",
    "आज की तारीख़",
];

/// What may be between these words and the date.
const LINKS: [&str; 15] =
    ["is", "ist", "es", "est", "é", "è", "hai", "है", "the", "der", "den", "le", "el", "il", "on"];

/// The words of a date, beside the names of months and days.
const WORDS: [&str; 18] = [
    "the", "of", "on", "year", "der", "den", "des", "jahr", "jahres", "de", "del", "du", "do",
    "le", "el", "il", "dia", "feira",
];

fn check(text: &TextValue<'_>) -> Verdict {
    if !matches!(text.shape.role, Role::Prompt | Role::Speech | Role::Instruction) {
        return Verdict::Holds;
    }
    let Some(range) = current_date(text.without_comments()) else { return Verdict::Holds };
    let shown = text.quote(range.clone());
    let until = wrong_from(text.text.get(range.clone()).unwrap_or_default());
    let message = format!("{shown} is fixed in the text, and will be wrong {until}");
    let finding = Finding::new(text.place(range), message)
        .about_value(text.value.place())
        .label("never changes")
        .help("use a variable that each call sets to the current date");
    finding.advice()
}

/// When a date or a year is no longer the current one.
fn wrong_from(date: &str) -> &'static str {
    let is_number = |byte: u8| byte.is_ascii_digit();
    match date.bytes().filter(|byte| is_number(*byte)).count() {
        // Four digits are the year.
        4 if date.bytes().all(is_number) => "next year",
        4 => "next month",
        _ => "tomorrow",
    }
}

/// The first date that is said to be the current one.
fn current_date(text: &str) -> Option<Range<usize>> {
    let dates = BEFORE.find(text).filter_map(|(words, _)| {
        let mut start = words.end;
        loop {
            let rest = text.get(start..)?;
            let skipped = rest.len() - rest.trim_start_matches([' ', ':', '*', '=', '(']).len();
            let word = rest.get(skipped..)?.split([' ', ':', '*']).next()?;
            let is_link = LINKS.iter().any(|link| link.eq_ignore_ascii_case(word));
            start += skipped;
            if !is_link || skipped == 0 {
                break;
            }
            start += word.len();
        }
        let range = start..start + date(text.get(start..)?)?;
        // Much else is currently a number.
        let is_currently = text.get(words)?.ends_with("currently");
        let is_date = text.get(start..)?.starts_with(|c: char| c.is_ascii_alphabetic());
        (is_date || !is_currently).then_some(range)
    });
    dates.min_by_key(|range| range.start)
}

/// The length of the date at the start of a text: up to the end of its year, in the same sentence.
fn date(text: &str) -> Option<usize> {
    const MAX_LENGTH: usize = 40;
    let end = text.find(['{', '<', '[', '\n', '"']).unwrap_or(text.len());
    let line = text.get(..end)?;
    let year = line.find("202").filter(|year| *year < MAX_LENGTH)?;
    let rest = line.get(year..)?;
    // Between the words and the year there is nothing but the date: "today is a good day, and in 2025 …" is not one.
    if !line.get(..year)?.split(is_between_words).all(is_word_of_date) {
        return None;
    }
    let is_year = rest.bytes().take_while(u8::is_ascii_digit).count() == 4;
    let length = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'-').count();
    is_year.then_some(year + length)
}

const fn is_between_words(c: char) -> bool {
    matches!(c, ' ' | ',' | '.' | '/' | '-' | '–' | '(' | ')' | '\t')
}

/// Whether a word may be a part of a date.
fn is_word_of_date(word: &str) -> bool {
    let suffix = word.trim_start_matches(|c: char| c.is_ascii_digit());
    let is_number = matches!(suffix, "" | "st" | "nd" | "rd" | "th" | "ten" | "te" | "º" | "er");
    is_number || WORDS.iter().any(|it| it.eq_ignore_ascii_case(word)) || is_name(word)
}

#[cfg(test)]
mod tests {
    use super::{current_date, wrong_from};

    #[test]
    fn a_date_is_wrong_when_the_next_one_begins() {
        for (date, expected) in [
            ("2024", "next year"),
            ("June 2024", "next month"),
            ("Monday, 3 March 2025", "tomorrow"),
            ("2025-03-03", "tomorrow"),
        ] {
            assert_eq!(wrong_from(date), expected, "{date}");
        }
    }

    #[test]
    fn only_the_current_date_is_found() {
        for (text, date) in [
            ("Today is Monday, 3 March 2025. Go on.", "Monday, 3 March 2025"),
            ("Note: today's date is 2025-03-03!", "2025-03-03"),
            ("The current year is 2024, so", "2024"),
            ("Current date: 03/04/2025", "03/04/2025"),
            ("Heute ist der 3. März 2025.", "3. März 2025"),
            ("Heute ist Dienstag, der 4. März 2025.", "Dienstag, der 4. März 2025"),
            ("Das aktuelle Datum ist der 4. März 2025.", "4. März 2025"),
            ("Wir haben heute den 4.3.2025.", "4.3.2025"),
            ("Heutiges Datum: Mittwoch, 05.03.2025", "Mittwoch, 05.03.2025"),
            ("Das aktuelle Jahr ist 2025.", "2025"),
            ("Aaj ki date 4 March 2025 hai.", "4 March 2025"),
            ("आज की तारीख 4 मार्च 2025 है।", "4 मार्च 2025"),
            ("Today is the 4th of March, 2025.", "4th of March, 2025"),
            ("HOY es 2026-05-03 (domingo).", "2026-05-03"),
            ("TODAY is November 24, 2025", "November 24, 2025"),
            ("Hoy es domingo, 3 de mayo de 2026.", "domingo, 3 de mayo de 2026"),
            ("Nous sommes le 3 mai 2026.", "3 mai 2026"),
            ("Hoje é segunda-feira, 4 de maio de 2026.", "segunda-feira, 4 de maio de 2026"),
            ("Oggi è il 4 maggio 2026.", "4 maggio 2026"),
            ("Bugün 4 Mayıs 2026 Pazartesi.", "4 Mayıs 2026"),
            ("**Today's date:** 2026-05-03", "2026-05-03"),
            ("It is currently June 2024, and demand is high.", "June 2024"),
        ] {
            assert_eq!(current_date(text).and_then(|it| text.get(it)), Some(date), "{text}");
        }
        for text in [
            "Today is {{current_date}}. It was founded in 2020.",
            "Today is a holiday.\nCall us in 2025.",
            "Today is your lucky day, and we have 24 offers.",
            "The current date is given in {{date}} as 2025-01-31.",
            "The current year is <YEAR>, for example 2025.",
            "Heute ist {{datum}}. Gegründet 2020.",
            "Heute ist unser Jubiläum, denn 2025 gibt es uns lange.",
            "Today is a good day, and 2025 will be a good year.",
            "Wir haben heute bis 2029 Garantie gegeben.",
            "The offer ends on 3 March 2025.",
            "The rent is 900, and it is currently 2000 in the city.",
        ] {
            assert_eq!(current_date(text), None, "{text}");
        }
    }
}
