//! The names of months and weekdays, and dates as people write them.

use std::ops::Range;

use jiff::civil::{Date, Weekday};

use super::{Words, words};

/// The names of the months, each in lower case, with the languages side by side.
static MONTHS: Words = words![
    "january|jan|januar|jänner|enero|janvier|janeiro|gennaio|ocak|जनवरी",
    "february|feb|februar|febrero|février|fevereiro|febbraio|şubat|फरवरी|फ़रवरी",
    "march|mar|märz|marzo|mars|março|mart|मार्च",
    "april|apr|abril|avril|aprile|nisan|अप्रैल",
    "may|mai|mayo|maio|maggio|mayıs|मई",
    "june|jun|juni|junio|juin|junho|giugno|haziran|जून",
    "july|jul|juli|julio|juillet|julho|luglio|temmuz|जुलाई",
    "august|aug|agosto|août|ağustos|अगस्त",
    "september|sep|sept|septiembre|septembre|setembro|settembre|eylül|सितंबर|सितम्बर",
    "october|oct|oktober|octubre|octobre|outubro|ottobre|ekim|अक्टूबर|अक्तूबर",
    "november|nov|noviembre|novembre|novembro|kasım|नवंबर|नवम्बर",
    "december|dec|dezember|diciembre|décembre|dezembro|dicembre|aralık|दिसंबर|दिसम्बर",
];

/// The names of the days from Monday on, each in lower case, with the languages side by side.
pub static WEEKDAYS: Words = words![
    "monday|montag|lunes|lundi|segunda-feira|lunedì|pazartesi|somvar|somwar|सोमवार",
    "tuesday|dienstag|martes|mardi|terça-feira|martedì|salı|mangalvar|mangalwar|मंगलवार",
    "wednesday|mittwoch|miércoles|mercredi|quarta-feira|mercoledì|çarşamba|budhvar|budhwar|बुधवार",
    "thursday|donnerstag|jueves|jeudi|quinta-feira|giovedì|perşembe|guruvar|guruwar|गुरुवार",
    "friday|freitag|viernes|vendredi|sexta-feira|venerdì|cuma|shukravar|shukrawar|शुक्रवार",
    "saturday|samstag|sonnabend|sábado|samedi|sabato|cumartesi|shanivar|shaniwar|शनिवार",
    "sunday|sonntag|domingo|dimanche|domenica|pazar|ravivar|raviwar|रविवार",
];

/// English weekdays as they are shortened. In other languages, `mar` is also a day.
const SHORT_DAYS: [&str; 11] =
    ["mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun", "sab"];

/// The number of a month.
pub(crate) fn month(word: &str) -> Option<i8> {
    i8::try_from(MONTHS.group_of(&word.to_lowercase())? + 1).ok()
}

/// The day of the week that a word is the whole name of.
pub fn weekday(word: &str) -> Option<Weekday> {
    weekday_of_group(WEEKDAYS.group_of(&word.to_lowercase())?)
}

/// The day that a group of [`WEEKDAYS`] names.
pub fn weekday_of_group(group: usize) -> Option<Weekday> {
    Weekday::from_monday_zero_offset(i8::try_from(group).ok()?).ok()
}

/// Whether a word is the name of a month or a day, perhaps a short one: `segunda` is `segunda-feira`.
pub fn is_name(word: &str) -> bool {
    let lower = word.to_lowercase();
    month(word).is_some()
        || weekday(word).is_some()
        || SHORT_DAYS.contains(&lower.as_str())
        || weekday(&format!("{lower}-feira")).is_some()
}

/// A date as far as it is written out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Where it is in the text.
    pub range: Range<usize>,
    /// The day of the month.
    pub day: i8,
    /// The month, if it is written.
    pub month: Option<i8>,
    /// The year, if it is written.
    pub year: Option<i16>,
    /// Whether day and month may change places, as in `3/4/2025`.
    pub is_ambiguous: bool,
}

impl Written {
    /// The date, if all of it is written out.
    pub fn date(&self) -> Option<Date> {
        Date::new(self.year?, self.month?, self.day).ok()
    }
}

/// Reads parts of a date one after the other.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Skips up to `most` of these characters, and says how many there were.
    fn skip(&mut self, most: usize, is_one: impl Fn(char) -> bool) -> usize {
        let rest = self.rest();
        let skipped = rest.chars().take(most).take_while(|c| is_one(*c)).map(char::len_utf8).sum();
        self.at += skipped;
        skipped
    }

    /// A number of at most `most` digits, which no other digit follows.
    fn number(&mut self, most: usize) -> Option<i16> {
        let rest = self.rest();
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        let number = rest.get(..length)?.parse().ok().filter(|_| length <= most)?;
        self.at += length;
        Some(number)
    }

    fn word(&mut self) -> &'t str {
        let rest = self.rest();
        // The vowel signs of Devanagari are not letters.
        let is_part =
            |c: char| c.is_alphabetic() || ('\u{900}'..='\u{97f}').contains(&c) && c != '।';
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        self.at += end;
        rest.get(..end).unwrap_or_default()
    }

    /// Skips these words, with the spaces after them.
    fn skip_words(&mut self, words: &[&str]) {
        loop {
            let start = self.at;
            let word = self.word();
            if word.is_empty() || !words.contains(&word.to_lowercase().as_str()) {
                self.at = start;
                return;
            }
            self.skip(1, |c| c == ' ' || c == '\'' || c == '’');
        }
    }

    fn month(&mut self) -> Option<i8> {
        month(self.word())
    }

    /// The year of four digits, if it is next.
    fn year(&mut self) -> Option<i16> {
        let start = self.at;
        self.skip(2, |c| matches!(c, ',' | '.' | ' '));
        self.skip_words(&["de", "del", "of"]);
        let digits = self.at;
        let year = self.number(4).filter(|_| self.at - digits == 4);
        if year.is_none_or(|year| !(1900..2100).contains(&year)) {
            self.at = start;
            return None;
        }
        year
    }

    /// The ending of an ordinal number.
    fn ordinal(&mut self) -> bool {
        let start = self.at;
        let ending = self.word();
        let is_ordinal = matches!(ending, "st" | "nd" | "rd" | "th" | "er" | "º" | "ª");
        if !is_ordinal {
            self.at = start;
        }
        is_ordinal || self.skip(1, |c| c == '.') > 0
    }
}

/// Words between a weekday and its date, and between a day and its month.
const ARTICLES: [&str; 12] =
    ["the", "der", "den", "dem", "le", "el", "il", "día", "dia", "of", "de", "di"];

/// The date that begins at `start`: `2025-03-03`, `3.3.2025`, `3 March 2025`, `March 3rd, 2025`, or a part of it.
pub(crate) fn date_at(text: &str, start: usize) -> Option<Written> {
    let mut reader = Reader { text, at: start };
    let read = reader.rest().starts_with(|c: char| c.is_ascii_digit());
    let (day, month, year, is_ambiguous) =
        if read { by_number(&mut reader) } else { by_name(&mut reader) }?;
    let is_possible =
        (1..=31).contains(&day) && month.is_none_or(|month| (1..=12).contains(&month));
    is_possible.then_some(Written { range: start..reader.at, day, month, year, is_ambiguous })
}

type Parts = (i8, Option<i8>, Option<i16>, bool);

/// A date that begins with the name of its month.
fn by_name(reader: &mut Reader<'_>) -> Option<Parts> {
    let month = reader.month()?;
    reader.skip(2, |c| matches!(c, ' ' | '.'));
    let day = i8::try_from(reader.number(2)?).ok()?;
    // `March 3:30`
    if reader.rest().starts_with(':') {
        return None;
    }
    reader.ordinal();
    let year = reader.year();
    Some((day, Some(month), year, false))
}

/// A date that begins with a number.
fn by_number(reader: &mut Reader<'_>) -> Option<Parts> {
    let start = reader.at;
    let first = reader.number(4)?;
    if reader.at - start == 4 {
        let separator = reader.rest().chars().next().filter(|c| matches!(c, '-' | '/'))?;
        reader.at += 1;
        let month = i8::try_from(reader.number(2)?).ok()?;
        (reader.skip(1, |c| c == separator) > 0).then_some(())?;
        let day = i8::try_from(reader.number(2)?).ok()?;
        return Some((day, Some(month), Some(first), false));
    }
    let day = i8::try_from(first).ok()?;
    let after_day = reader.at;
    if let Some(separator) = reader.rest().chars().next().filter(|c| matches!(c, '.' | '/' | '-')) {
        reader.at += 1;
        if let Some(month) = reader.number(2)
            && reader.skip(1, |c| c == separator) > 0
        {
            let year_at = reader.at;
            let year = reader.number(4).filter(|_| reader.at - year_at == 4)?;
            let month = i8::try_from(month).ok()?;
            return if month > 12 {
                Some((month, Some(day), Some(year), false))
            } else {
                Some((day, Some(month), Some(year), separator != '.'))
            };
        }
        reader.at = after_day;
    }
    let is_ordinal = reader.ordinal();
    let after_day = reader.at;
    reader.skip(2, |c| c == ' ');
    reader.skip_words(&ARTICLES);
    if let Some(month) = reader.month() {
        let year = reader.year();
        return Some((day, Some(month), year, false));
    }
    reader.at = after_day;
    // A number alone may be an hour.
    is_ordinal.then_some((day, None, None, false))
}

/// The dates with a year of this decade, from left to right.
pub fn full_dates(text: &str) -> Vec<Written> {
    const REACH: usize = 32;
    let mut found: Vec<Written> = Vec::new();
    for year in memchr::memmem::find_iter(text.as_bytes(), "202") {
        let from = found.last().map_or(0, |last| last.range.end).max(year.saturating_sub(REACH));
        let is_start = |at: &usize| {
            let starts = |c: char| c.is_alphanumeric();
            text.get(*at..).is_some_and(|rest| rest.starts_with(starts))
                && !text.get(..*at).is_some_and(|before| before.ends_with(starts))
        };
        let dates = (from..=year).filter(is_start).filter_map(|at| date_at(text, at));
        let mut dates = dates.filter(|it| it.year.is_some() && it.range.end > year);
        found.extend(dates.next());
    }
    found
}

/// The date after a weekday that ends at `end`: `Monday, the 3rd of March`.
pub fn date_after(text: &str, end: usize) -> Option<Written> {
    let mut reader = Reader { text, at: end };
    reader.skip(3, |c| matches!(c, ',' | '.' | ' ' | '(' | '–' | '-'));
    reader.skip_words(&ARTICLES);
    date_at(text, reader.at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(i8, Option<i8>, Option<i16>)> {
        date_after(text, 0).map(|it| (it.day, it.month, it.year))
    }

    #[test]
    fn dates_are_read_as_people_write_them() {
        for text in [
            "3 March 2025",
            "March 3rd, 2025",
            ", the 3rd of March 2025",
            ", den 3. März 2025",
            ", 3.3.2025",
            ", 03.03.2025",
            " 3 de marzo de 2025",
            " 3 mars 2025",
            ", 3 de março de 2025",
            " 3 marzo 2025",
            ", 3 मार्च 2025",
            " (2025-03-03)",
        ] {
            assert_eq!(read(text), Some((3, Some(3), Some(2025))), "{text}");
        }
        assert_eq!(read(", 3 March at 2 pm"), Some((3, Some(3), None)));
        assert_eq!(read(" the 15th at 6"), Some((15, None, None)));
        assert_eq!(read(" 1/13/2025"), Some((13, Some(1), Some(2025))));
        for text in [" 8 to 6", " 9-17", " at 3 March", " May be", " March 3:30", " 40.1.2025"] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn dates_with_a_year_are_found() {
        let text = "On 3 March 2025, then on April 4, 2025 (or 2025-05-05T10:00), in 2025.";
        let found = full_dates(text).into_iter().filter_map(|it| text.get(it.range));
        let found: Vec<_> = found.collect();
        assert_eq!(found, ["3 March 2025", "April 4, 2025", "2025-05-05"]);
    }
}
