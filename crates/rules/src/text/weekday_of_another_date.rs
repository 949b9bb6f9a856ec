use std::ops::Range;

use jiff::civil::{Date, Weekday};
use voxlint_model::heard::calendar::{
    WEEKDAYS, Written, date_after, full_dates, weekday, weekday_of_group,
};
use voxlint_model::heard::line_at;

use crate::prelude::*;

rule! {
    /// A date is written with the name of another weekday, or does not exist.
    ///
    /// "Monday, 4 March 2025" does not exist: that day is a Tuesday. An agent that reads it books one of two days, and an example
    /// teaches the model to say wrong weekdays. The rule computes the weekday of each date that is written beside one, in English,
    /// German, Spanish, French, Portuguese, Italian, Turkish and Hindi. A date without a year is compared only if the same text has the
    /// same day of the same month with a year, and only one such year. `03/04/2025` is reported if neither of the two days that it may be fits.
    ///
    /// A date of a month that has fewer days is reported, too: "31 April 2025".
    ///
    /// ```json,advice
    /// { "version_number": 3, "prompt_text": "The sale ends on Monday, 4 March 2025." }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "The sale ends on Tuesday, 4 March 2025. Call back on Monday, 4 May." }
    /// ```
    "weekday-of-another-date": Text {
        group: Heard,
        basis: Inferred("The calendar decides which day a date is."),
        section: "2.3",
        needs: [Year],
    }
}

fn check(text: &TextValue<'_>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    if !matches!(text.shape.role, Role::Prompt | Role::Speech | Role::Instruction) {
        return verdicts;
    }
    let shown = text.without_comments();
    let dates = full_dates(shown);
    if dates.is_empty() {
        return verdicts;
    }
    for (date, days) in dates.iter().filter_map(|date| Some((date, days_of_shorter_month(date)?))) {
        let range = date.range.clone();
        let message =
            format!("{} does not exist: the month has {days} days", text.quote(range.clone()));
        let finding = Finding::new(text.place(range), message.clone())
            .about_value(text.value.place())
            .label("no such day")
            .help("correct the date");
        verdicts.add(finding.once_for(message).advice());
    }
    for (name, group) in WEEKDAYS.find(shown) {
        let Some(day) = weekday_of_group(group) else { continue };
        let Some(found) = date_of(shown, &name, &dates) else { continue };
        if found.days.contains(&day) {
            continue;
        }
        let range = name.start.min(found.at.start)..name.end.max(found.at.end);
        let (Some(is), Some(year)) = (found.days.first(), found.year) else { continue };
        let (is, not) = (name_of(*is), name_of(day));
        let message = match found.source {
            // The other date has the month.
            Some(ref source) if found.is_day => {
                format!("{} is a {is}, not a {not}", text.quote(source.clone()))
            }
            _ => format!("{} is a {is} in {year}, not a {not}", text.quote(found.at)),
        };
        let once = message.clone();
        let mut finding = Finding::new(text.place(range), message)
            .about_value(text.value.place())
            .label("another weekday")
            .help("write the weekday of the date, or correct the date");
        finding = finding.also(found.source.map(|it| text.place(it)), "the date");
        verdicts.add(finding.once_for(once).advice());
    }
    verdicts
}

/// The number of days of the month of a date, if it has fewer than the date needs.
fn days_of_shorter_month(date: &Written) -> Option<i8> {
    let days = Date::new(date.year?, date.month?, 1).ok()?.days_in_month();
    (date.day > days).then_some(days)
}

/// The date beside a weekday.
struct Dated {
    at: Range<usize>,
    /// The weekdays that it may be.
    days: Vec<Weekday>,
    year: Option<i16>,
    /// Where the year is, if it is elsewhere.
    source: Option<Range<usize>>,
    /// Whether only the day is written.
    is_day: bool,
}

fn date_of(text: &str, name: &Range<usize>, dates: &[Written]) -> Option<Dated> {
    if let Some(written) = date_after(text, name.end) {
        if written.date().is_some() {
            return of_date(&written, None);
        }
        let line = line_at(text, name.start);
        let is_same = |other: &&Written| {
            other.day == written.day
                && match written.month {
                    Some(month) => other.month == Some(month) && !other.is_ambiguous,
                    None => line.contains(&other.range.start),
                }
        };
        let mut same = dates.iter().filter(is_same);
        let first = same.next()?;
        let is_sure = same.all(|other| other.date() == first.date());
        let mut found = of_date(first, Some(first.range.clone())).filter(|_| is_sure)?;
        found.is_day = written.month.is_none();
        found.at = written.range;
        return Some(found);
    }
    // `2025-03-03 (Monday)`
    let before = dates.iter().rfind(|date| date.range.end <= name.start)?;
    let between = text.get(before.range.end..name.start)?;
    // `until 3 March 2025, Monday to Friday` is about other days.
    let after = text.get(name.end..).unwrap_or_default();
    let ends = after.is_empty() || after.starts_with(['.', ')', '"', '”', ';', '\n', '\r']);
    let is_beside = match between {
        " (" | "(" | "–" | " – " | " = " => true,
        " " | ", " => ends || between == " " && after.starts_with(" günü"),
        _ => false,
    };
    // The weekday may belong to the next date of a list.
    let is_named = text.get(..before.range.start).is_some_and(|before| {
        let word = before.trim_end_matches([' ', ',', '(']).rsplit([' ', '\n', '(', '"']).next();
        word.and_then(weekday).is_some()
    });
    (is_beside && !is_named).then(|| of_date(before, None)).flatten()
}

fn of_date(written: &Written, source: Option<Range<usize>>) -> Option<Dated> {
    let date = written.date();
    let swapped = written.month.filter(|_| written.is_ambiguous);
    let swapped = swapped.and_then(|month| Date::new(written.year?, written.day, month).ok());
    let days: Vec<Weekday> = date.into_iter().chain(swapped).map(Date::weekday).collect();
    let at = written.range.clone();
    (!days.is_empty()).then_some(Dated { at, days, year: written.year, source, is_day: false })
}

const fn name_of(day: Weekday) -> &'static str {
    match day {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}
