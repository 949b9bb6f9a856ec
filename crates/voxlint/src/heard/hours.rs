//! Opening hours, as sentences and lists say them: "We are open Monday to Friday 9 am to 5 pm."

use std::ops::Range;

use super::{PromptClue, Words, line_at, words};

/// What a text says about some days of the week.
#[derive(Debug)]
pub(crate) struct Hours {
    /// A bit for each day, from Monday on.
    pub(crate) days: u8,
    /// When it opens and closes, in minutes. Mornings and evenings are the same: "9 to 5" is "09:00 to 17:00".
    pub(crate) times: (u16, u16),
    /// Where the times are.
    pub(crate) range: Range<usize>,
}

/// A statement about opening hours.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) hours: Vec<Hours>,
    /// What is open, and in which time zone, if it says so.
    pub(crate) thing: Option<String>,
    pub(crate) zone: Option<String>,
    /// Whether it is a sentence about "us", not a label such as "Hours:".
    pub(crate) is_sentence: bool,
    pub(crate) start: usize,
}

/// The days, from Monday on, then days in a row.
static DAYS: Words = words![
    "monday|mondays|mon|montag|montags|mo|lunes|lun|lundi|segunda|seg",
    "tuesday|tuesdays|tue|tues|dienstag|dienstags|di|martes|mar|mardi|terça|ter",
    "wednesday|wednesdays|wed|mittwoch|mittwochs|mi|miércoles|mié|mercredi|mer|quarta|qua",
    "thursday|thursdays|thu|thur|thurs|donnerstag|donnerstags|do|jueves|jue|jeudi|jeu|quinta|qui",
    "friday|fridays|fri|freitag|freitags|fr|viernes|vie|vendredi|ven|sexta|sex",
    "saturday|saturdays|sat|samstag|samstags|sa|sábado|sábados|sáb|samedi|sam",
    "sunday|sundays|sun|sonntag|sonntags|so|domingo|domingos|dom|dimanche|dim",
    "weekdays|werktags",
    "daily|täglich|diariamente",
];

/// The days of the groups of [`DAYS`].
const BITS: [u8; 9] = [1, 2, 4, 8, 16, 32, 64, 0b001_1111, 0b111_1111];

/// Words between two days or times.
static LINKS: Words =
    words!["to|through|thru|until|till|bis|al|a|à|até|às|as|au|hasta|h|y", "and|und|et|e",];

/// Other words of statements: those that say nothing more, those that speak of "us", those of things, of time zones, and closed days.
static OTHERS: Words = words![
    "hours|open|opening|business|operating|working|regular|normal|standard|available|are|is|from|on|between|the|every|öffnungszeiten|Öffnungszeiten|\
     sprechzeiten|geöffnet|von|sind|ist|horario|horarios|abierto|abiertos|abierta|atención|de|del|las|los|el|es|horaires|ouvert|\
     ouverts|ouverture|du|le|les|horário|horários|aberto|abertos|aberta|atendimento|das|o|answer|respuesta|réponse|resposta|antwort",
    "we|we're|we’re|our|wir|unsere|haben|estamos|abrimos|nuestro|nous|sommes|nos|nosso|nossos",
    "office|clinic|store|shop|restaurant|salon|practice|showroom|praxis|laden|geschäft|tienda|clínica|oficina|restaurante|cabinet|\
     magasin|boutique|loja|consultório",
    "et|est|edt|ct|cst|cdt|mt|mst|pt|pst|pdt|gmt|bst|utc|cet|eastern|central|pacific|mountain|america|europe|time",
    "closed|geschlossen|cerrado|cerramos|fermé|fechado",
];

/// Words after which the hours are those of other days, seasons or things.
static EXCEPTIONS: Words = words![
    "except|holiday|holidays|summer|winter|season|lunch|break|unless|if|during|until|außer|feiertag|feiertagen|sommer|mittagspause|\
     salvo|excepto|festivos|verano|invierno|sauf|été|hiver|fériés|exceto|feriados|verão|inverno",
];

/// The statements of a text, from top to bottom, one for each line.
pub(crate) fn statements(text: &str, clues: &[(Range<usize>, PromptClue)]) -> Vec<Statement> {
    let mut end = 0;
    let clues = clues.iter().filter(|(_, what)| *what == PromptClue::Hours);
    let all = clues.filter_map(|(clue, _)| {
        if clue.start < end {
            return None;
        }
        let line = line_at(text, clue.start);
        let rest = text.get(clue.end..line.end)?;
        let found =
            rest.contains(|c: char| c.is_ascii_digit()).then(|| statement(text, clue, &line));
        let found = found.flatten()?;
        end = line.end;
        Some(found)
    });
    all.collect()
}

#[derive(Debug)]
enum Item {
    Days(u8),
    Times((u16, u16), Range<usize>),
}

fn statement(text: &str, clue: &Range<usize>, line: &Range<usize>) -> Option<Statement> {
    let mut found = Statement {
        hours: Vec::new(),
        thing: None,
        zone: None,
        is_sentence: false,
        start: clue.start,
    };
    found.read_lead(text.get(line.start..clue.start)?)?;
    let items = found.read_items(text, clue.end..line.end)?;
    let is_time = |item: Option<&Item>| matches!(item, Some(Item::Times(..)));
    let days_first = !is_time(items.first());
    for (at, item) in items.iter().enumerate() {
        let Item::Days(days) = item else { continue };
        let (before, after) = (at.checked_sub(1).and_then(|it| items.get(it)), items.get(at + 1));
        let (own, next) = if days_first {
            (after, items.get(at + 2))
        } else {
            (before, at.checked_sub(2).and_then(|it| items.get(it)))
        };
        // Days with two times have a break.
        if let Some(Item::Times(times, range)) = own
            && !is_time(next)
        {
            found.hours.push(Hours { days: *days, times: *times, range: range.clone() });
        }
    }
    (!found.hours.is_empty()).then_some(found)
}

impl Statement {
    /// Reads the words before "hours" or "open", from the right. All must be known: "Delivery hours" are others.
    fn read_lead(&mut self, before: &str) -> Option<()> {
        let mut before = before;
        loop {
            before = before.trim_end_matches([' ', '*', '_', '#', ':', '-', '•', '>']);
            if before.is_empty() || before.ends_with(['"', '“', '„', '«', '.', '!', '?', '(', ')'])
            {
                return Some(());
            }
            let start = before.rfind(|c: char| !is_letter(c)).map_or(0, |at| at + 1);
            let word = before.get(start..)?;
            before = before.get(..start)?;
            // "A:" begins an answer.
            if !self.is_known(word)? && !word.eq_ignore_ascii_case("a") {
                return None;
            }
        }
    }

    /// Whether a word is known, and what it says. A closed day ends the statement.
    fn is_known(&mut self, word: &str) -> Option<bool> {
        match OTHERS.group_of(word) {
            None => return Some(false),
            Some(0) => {}
            Some(1) => self.is_sentence = true,
            Some(2) => self.thing = Some(word.to_lowercase()),
            Some(3) => self.zone = self.zone.take().or_else(|| Some(word.to_lowercase())),
            Some(_) => return None,
        }
        Some(true)
    }

    /// Reads days and times up to the end of the sentence.
    fn read_items(&mut self, text: &str, range: Range<usize>) -> Option<Vec<Item>> {
        let mut items: Vec<Item> = Vec::new();
        let mut at = range.start;
        let mut is_range = false;
        loop {
            let rest = text.get(at..range.end)?;
            let skipped = rest.len()
                - rest
                    .trim_start_matches([
                        ' ', ',', ':', '*', '_', '-', '–', '—', '&', '/', '|', '\'',
                    ])
                    .len();
            is_range |= rest.get(..skipped)?.contains(['-', '–', '—']);
            at += skipped;
            let rest = text.get(at..range.end)?;
            if rest.starts_with(|c: char| c.is_ascii_digit()) {
                let (times, length) = times(rest)?;
                items.push(Item::Times(times, at..at + length));
                (at, is_range) = (at + length, false);
                continue;
            }
            let length = rest.find(|c: char| !is_letter(c)).unwrap_or(rest.len());
            let word = rest.get(..length)?;
            if let Some(days) = DAYS.group_of(word).and_then(|it| BITS.get(it)) {
                match items.last_mut() {
                    Some(Item::Days(known)) if is_range => *known = up_to(*known, *days),
                    Some(Item::Days(known)) => *known |= days,
                    _ => items.push(Item::Days(*days)),
                }
                is_range = false;
                at += length;
                let rest = text.get(at..)?;
                at = text.len() - rest.strip_prefix("-feira").unwrap_or(rest).len();
                continue;
            }
            match (LINKS.group_of(word), self.is_known(word)) {
                (_, Some(true)) | (Some(1), _) => {}
                (Some(_), _) => is_range = true,
                (None, known) => {
                    let rest = rest.split(['.', '!', '?', '"', '”', '\n']).next()?;
                    let is_other = |word: &str| {
                        EXCEPTIONS.contains(word) || word.starts_with(|c: char| c.is_ascii_digit())
                    };
                    let is_end = length == 0 || known.is_none() || text.get(..at)?.ends_with(", ");
                    let mut words = rest.split(|c: char| !c.is_alphanumeric());
                    return (is_end && !words.any(is_other)).then_some(items);
                }
            }
            at += length;
        }
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '\'' | '’')
}

/// The days from one to another: from Friday to Sunday, or to Monday.
fn up_to(from: u8, to: u8) -> u8 {
    let mut days = from;
    let mut last = 0x80 >> from.leading_zeros();
    while last != 0 && last & to == 0 {
        last = if last == 64 { 1 } else { last << 1 };
        days |= last;
    }
    days
}

/// The times of "9 am to 5:30 pm", and the number of bytes.
fn times(text: &str) -> Option<((u16, u16), usize)> {
    let (open, length) = time(text)?;
    let rest = text.get(length..)?;
    let link = rest.trim_start_matches([' ', '-', '–', '—']);
    let mut is_linked = rest.get(..rest.len() - link.len())?.contains(['-', '–', '—']);
    let mut rest = link;
    for _ in 0..2 {
        let word = rest.split(' ').next().unwrap_or_default();
        if LINKS.contains(word) || is_linked && matches!(word, "las" | "le") {
            is_linked = true;
            rest = rest.get(word.len()..)?.trim_start();
        }
    }
    let (close, end) = time(rest).filter(|_| is_linked)?;
    Some(((open, close), text.len() - rest.len() + end))
}

/// The minutes of "9", "9:30", "9h30", "9.30 Uhr" or "9 pm" since the last noon or midnight, and the number of bytes.
fn time(text: &str) -> Option<(u16, usize)> {
    const UNITS: [&str; 8] = ["a.m.", "p.m.", "am", "pm", "uhr", "horas", "heures", "h"];
    let number = |text: &str| {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let value: u16 = text.get(..digits).filter(|_| digits <= 2)?.parse().ok()?;
        Some((value, digits))
    };
    let (hour, mut end) = number(text)?;
    let mut minute = 0;
    if let Some(rest) = text.get(end..)?.strip_prefix([':', '.', 'h'])
        && let Some((value, 2)) = number(rest)
    {
        (minute, end) = (value, end + 3);
    }
    let rest = text.get(end..)?.trim_start();
    let unit = UNITS.iter().find(|unit| {
        rest.get(..unit.len()).is_some_and(|it| it.eq_ignore_ascii_case(unit))
            && !rest.get(unit.len()..).is_some_and(|it| it.starts_with(char::is_alphabetic))
    });
    if let Some(unit) = unit {
        end = text.len() - rest.len() + unit.len();
    }
    (hour <= 24 && minute < 60).then_some((hour % 12 * 60 + minute, end))
}

#[cfg(test)]
mod tests {
    use super::super::prompt_clues::find;
    use super::*;

    #[test]
    fn opening_hours_are_read_in_five_languages() {
        const WEEK: u8 = 0b001_1111;
        for (text, expected) in [
            ("We are open Monday to Friday 9 am to 5 pm.", &[(WEEK, 540, 300)][..]),
            (
                "- **Business hours**: 8am-6pm Mon-Fri, 9:30am – 4 pm Saturday & Sunday",
                &[(WEEK, 480, 360), (96, 570, 240)],
            ),
            (
                "Unsere Öffnungszeiten: Mo–Fr von 8.30 bis 18 Uhr, samstags 9 bis 14 Uhr.",
                &[(WEEK, 510, 360), (32, 540, 120)],
            ),
            ("Horario: de lunes a viernes de 9:00 a 18:00. Domingo cerrado.", &[(WEEK, 540, 360)]),
            ("Nos horaires : du lundi au vendredi de 8h30 à 18h", &[(WEEK, 510, 360)]),
            (
                "Horário de atendimento: de segunda a sexta-feira, das 9h às 18h.",
                &[(WEEK, 540, 360)],
            ),
            ("Say: \"Our office hours are daily 9 to 5, closed on holidays.\"", &[]),
            ("Open Monday 9–12 and 14–18, Tuesday 9–18", &[(2, 540, 360)]),
            ("Delivery hours: Monday to Friday 9 am to 5 pm", &[]),
            ("Summer: we are open Monday to Friday 9 am to 5 pm", &[]),
            ("We are open Monday to Friday 9 am to 5 pm in winter", &[]),
            ("We are open Monday to Friday, except 12 to 1", &[]),
            ("Keep the line open for 9 to 12 seconds on Monday", &[]),
        ] {
            let found = statements(text, &find(text).clues).into_iter().flat_map(|it| it.hours);
            let found: Vec<_> = found.map(|it| (it.days, it.times.0, it.times.1)).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
