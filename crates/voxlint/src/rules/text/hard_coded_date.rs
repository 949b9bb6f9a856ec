use std::ops::Range;

use voxlint_schema::Role;

use crate::rule::rule;
use crate::value::TextValue;
use crate::verdict::{Finding, Verdicts};

rule! {
    /// A text says what the current date is.
    ///
    /// A date in a text is right for one day: later, the agent books appointments in the past. The rule reports a date or a
    /// year after words such as `today is` and `the current year is`. Other dates are not reported: they may be deadlines
    /// and holidays. The description does not mention this: the service accepts such a text.
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
const BEFORE: [&str; 13] = [
    "it is currently ",
    "today is ",
    "today's date is ",
    "today’s date is ",
    "today's date: ",
    "today’s date: ",
    "current date is ",
    "current date: ",
    "current year is ",
    "current year: ",
    "heute ist der ",
    "heute ist montag, ",
    "heutiges datum: ",
];

fn check(text: &TextValue<'_>) -> Verdicts {
    if !matches!(text.shape.role, Role::Prompt | Role::Speech | Role::Instruction) {
        return Verdicts::none();
    }
    let Some(range) = current_date(text.text) else { return Verdicts::none() };
    let shown = text.quote(range.clone());
    let finding = Finding::new(text.place(range), format!("{shown} is the current date only once"))
        .about_value(text.value.place())
        .label("stays the same")
        .help("use a variable that each call sets to the current date");
    finding.advice().into()
}

/// The first date that is said to be the current one.
fn current_date(text: &str) -> Option<Range<usize>> {
    // Letters that are longer in lower case would move the offsets.
    let lower = text.to_ascii_lowercase();
    let starts = BEFORE.iter().flat_map(|words| {
        memchr::memmem::find_iter(lower.as_bytes(), words.as_bytes()).map(|at| at + words.len())
    });
    let dates = starts.filter_map(|start| Some(start..start + date(lower.get(start..)?)?));
    // Much else is currently a number.
    let is_date = |range: &Range<usize>| {
        let date = lower.get(range.clone()).unwrap_or_default();
        date.starts_with(|c: char| c.is_ascii_alphabetic())
            || !lower.get(..range.start).is_some_and(|before| before.ends_with("currently "))
    };
    dates.filter(is_date).min_by_key(|range| range.start)
}

/// The length of the date at the start of a text: up to the end of its year, in the same sentence.
fn date(text: &str) -> Option<usize> {
    const MAX_LENGTH: usize = 40;
    let end = text.find(['{', '<', '[', '\n', '"']).unwrap_or(text.len());
    let line = text.get(..end)?;
    let year = line.find("202").filter(|year| *year < MAX_LENGTH)?;
    let rest = line.get(year..)?;
    let is_year = rest.bytes().take_while(u8::is_ascii_digit).count() == 4;
    let length = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'-').count();
    is_year.then_some(year + length)
}

#[cfg(test)]
mod tests {
    use super::current_date;

    #[test]
    fn only_the_current_date_is_found() {
        for (text, date) in [
            ("Today is Monday, 3 March 2025. Go on.", "Monday, 3 March 2025"),
            ("Note: today's date is 2025-03-03!", "2025-03-03"),
            ("The current year is 2024, so", "2024"),
            ("Current date: 03/04/2025", "03/04/2025"),
            ("Heute ist der 3. März 2025.", "3. März 2025"),
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
            "The offer ends on 3 March 2025.",
            "The rent is 900, and it is currently 2000 in the city.",
        ] {
            assert_eq!(current_date(text), None, "{text}");
        }
    }
}
