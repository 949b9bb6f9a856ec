use std::ops::Range;

use voxlint_schema::TextFormat;

use crate::Safety;
use crate::destinations::{
    DIGITS, Destination, Grouping, country_code, destinations, digit, is_number, with_ascii_digits,
};
use crate::quote::quote;
use crate::rule::rule;
use crate::value::TextValue;
use crate::verdict::{Condition, Finding, ProposedFix, Replacement, Verdict, Verdicts};

rule! {
    /// A transfer destination is not a phone number of the United States or India.
    ///
    /// Each number is `+1` or `+91` and exactly ten digits, without anything in between. The description does not say
    /// whether white space around a number is dropped, or whether digits other than ASCII digits count.
    ///
    /// ```json,reject
    /// { "version_number": 3, "default_dynamic_variables": { "agent_transfer_destinations": "+442071838750" } }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "default_dynamic_variables": { "agent_transfer_destinations": "+91९८७६५४३२१०" } }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "default_dynamic_variables": { "agent_transfer_destinations": "+14155552671|+919876543210" } }
    /// ```
    "transfer-destination-malformed": Text {
        section: "2.3",
        status: 400,
    }
}

/// How many of the characters that do not belong in a number are pointed at beside the first.
const SHOWN: usize = 7;

fn check(text: &TextValue<'_>) -> Verdicts {
    if !matches!(text.shape.format, TextFormat::Destinations { .. }) {
        return Verdict::Holds.into();
    }
    destinations(&text.text).map(|destination| judge(text, &destination)).collect()
}

fn judge(text: &TextValue<'_>, destination: &Destination<'_>) -> Verdict {
    let plain = with_ascii_digits(destination.text);
    if destination.text.is_empty() {
        Verdict::Holds
    } else if is_number(destination.text) {
        padded(text, destination)
    } else if is_number(&plain) {
        foreign_digits(text, destination, &plain)
    } else {
        Number::of(destination.text, destination.start).refused(text, destination)
    }
}

/// The number is right but for the white space around it.
fn padded(text: &TextValue<'_>, destination: &Destination<'_>) -> Verdict {
    let (segment, range) = (&destination.segment, destination.range());
    let (at, side) = match (segment.start < range.start, range.end < segment.end) {
        (false, false) => return Verdict::Holds,
        (true, false) => (segment.start..range.start, "before"),
        (false, true) => (range.end..segment.end, "after"),
        (true, true) => (segment.start..range.start, "around"),
    };
    let number = quote(destination.text);
    let mut finding = Finding::new(
        text.place(at),
        format!("white space {side} the transfer destination {number}"),
    )
    .label("not part of the number")
    .help(format!("write {number} alone"))
    .fix(write(text, segment.clone(), destination.text.to_owned()))
    .section(text.value.section());
    if side == "around" {
        finding = finding.also(text.place(range.end..segment.end), "and here");
    }
    finding.possible(Condition::reading(
        "the description does not say whether white space around a number is dropped",
    ))
}

/// The number is right but for digits that are not ASCII.
fn foreign_digits(text: &TextValue<'_>, destination: &Destination<'_>, plain: &str) -> Verdict {
    let is_foreign = |c: char| !c.is_ascii();
    let start = destination.text.find(is_foreign).unwrap_or_default();
    let rest = destination.text.get(start..).unwrap_or_default();
    let end = start + rest.find(|c| !is_foreign(c)).unwrap_or(rest.len());
    Finding::new(
        text.place(destination.start + start..destination.start + end),
        format!(
            "the transfer destination {} has digits other than 0 to 9",
            quote(destination.text)
        ),
    )
    .label("digits of another script")
    .help(format!("write `{plain}`"))
    .fix(write(text, destination.segment.clone(), plain.to_owned()))
    .section(text.value.section())
    .possible(Condition::reading("the description says digits, and not of which script"))
}

/// A number as somebody may have meant it.
struct Number {
    /// Whether a `+`, or `00` in its place, comes first.
    prefix: Option<(&'static str, Range<usize>)>,
    /// The digits that follow, and where each of them stands.
    digits: String,
    places: Vec<Range<usize>>,
    /// What is there to make the number readable.
    groupings: Vec<(Grouping, Range<usize>)>,
    /// The first of the characters that mean nothing in a number.
    stranger: Option<Range<usize>>,
}

impl Number {
    fn of(text: &str, start: usize) -> Self {
        let mut number = Self {
            prefix: None,
            digits: String::new(),
            places: Vec::new(),
            groupings: Vec::new(),
            stranger: None,
        };
        for (offset, character) in text.char_indices() {
            let at = start + offset..start + offset + character.len_utf8();
            if let Some(digit) = digit(character) {
                number.digits.push(digit);
                number.places.push(at);
            } else if character == '+' && number.prefix.is_none() && number.digits.is_empty() {
                number.prefix = Some(("+", at));
            } else if let Some(grouping) = Grouping::of(character) {
                match number.groupings.last_mut() {
                    Some((last, run)) if *last == grouping && run.end == at.start => {
                        run.end = at.end;
                    }
                    _ => number.groupings.push((grouping, at)),
                }
            } else {
                match &mut number.stranger {
                    None => number.stranger = Some(at),
                    Some(run) if run.end == at.start => run.end = at.end,
                    Some(_) => {}
                }
            }
        }
        if number.prefix.is_none()
            && let Some(digits) = number.digits.strip_prefix("00")
            && let [first, second, ..] = number.places.as_slice()
        {
            number.prefix = Some(("00", first.start..second.end));
            number.digits = digits.to_owned();
            number.places.drain(..2);
        }
        number
    }

    /// Which country code of the two the digits begin with, and how many digits follow it.
    fn country(&self) -> Option<(&'static str, usize)> {
        ["1", "91"]
            .into_iter()
            .find(|code| self.digits.starts_with(code))
            .map(|code| (code, self.digits.len() - code.len()))
    }

    fn has_right_digits(&self) -> bool {
        self.country().is_some_and(|(_, digits)| digits == DIGITS)
    }

    fn place_of(&self, digits: Range<usize>) -> Option<Range<usize>> {
        let places = self.places.get(digits)?;
        Some(places.first()?.start..places.last()?.end)
    }

    /// Says the one thing that is most in the way.
    fn refused(&self, text: &TextValue<'_>, destination: &Destination<'_>) -> Verdict {
        let whole = destination.range();
        let shown = quote(destination.text);
        let finding = if let Some(finding) = run_together(text, destination) {
            finding
        } else if let Some(at) = self.stranger.clone() {
            let message = if at == whole {
                format!("the transfer destination {shown} is not a phone number")
            } else {
                let what = text.text.get(at.clone()).unwrap_or_default();
                let which =
                    if what.chars().count() == 1 { "is not a digit" } else { "are not digits" };
                format!(
                    "the transfer destination {shown} contains {}, which {which}",
                    text.quote(at.clone())
                )
            };
            Finding::new(text.place(at), message)
                .label("not part of a number")
                .help("write `+1` or `+91` and ten digits, and nothing else")
        } else if self.digits.is_empty() {
            Finding::new(
                text.place(whole),
                format!("the transfer destination {shown} has no digits"),
            )
            .label("no number")
            .help("write `+1` or `+91` and ten digits")
        } else {
            match &self.prefix {
                None => self.without_prefix(text, destination),
                Some((prefix, at)) => self.with_prefix(text, destination, prefix, at),
            }
        };
        finding.section(text.value.section()).reject()
    }

    fn without_prefix(&self, text: &TextValue<'_>, destination: &Destination<'_>) -> Finding {
        let shown = quote(destination.text);
        let whole = destination.range();
        if self.has_right_digits() {
            let number = format!("+{}", self.digits);
            Finding::new(text.place(whole), format!("the transfer destination {shown} has no `+`"))
                .label("a `+` belongs before it")
                .help(format!("write `{number}`"))
                .fix(write(text, destination.segment.clone(), number))
        } else {
            let national = self.digits.strip_prefix('0').unwrap_or(&self.digits);
            let finding = Finding::new(
                text.place(whole),
                format!("the transfer destination {shown} has no country code, `+1` or `+91`"),
            );
            if national.len() == DIGITS {
                finding
                    .label("`+1` or `+91` belongs before it")
                    .help(format!("write `+1{national}` or `+91{national}`"))
            } else {
                finding
                    .label(format!("no `+`, and {}", digits(self.digits.len())))
                    .help("write `+1` or `+91` and ten digits")
            }
        }
    }

    fn with_prefix(
        &self,
        text: &TextValue<'_>,
        destination: &Destination<'_>,
        prefix: &str,
        at: &Range<usize>,
    ) -> Finding {
        let shown = quote(destination.text);
        let Some((code, count)) = self.country() else {
            let length = country_code(&self.digits);
            let end = self.place_of(0..length).map_or(at.end, |code| code.end);
            let code = self.digits.get(..length).unwrap_or_default();
            return Finding::new(
                text.place(at.start..end),
                format!(
                    "the transfer destination {shown} has the country code `+{code}`, not `+1` or `+91`"
                ),
            )
            .label("another country")
            .help("give a number of the United States or of India, `+1` or `+91` and ten digits");
        };
        if count != DIGITS {
            let surplus = code.len() + DIGITS..self.digits.len();
            let (at, label) = if count > DIGITS {
                (self.place_of(surplus), format!("{} too many", count - DIGITS))
            } else {
                (
                    self.place_of(code.len()..self.digits.len()),
                    format!("{} missing", DIGITS - count),
                )
            };
            return Finding::new(
                text.place(at.unwrap_or(destination.range())),
                format!(
                    "the transfer destination {shown} has {} after `+{code}`, and not {DIGITS}",
                    digits(count)
                ),
            )
            .label(label)
            .help(format!("write exactly {DIGITS} digits after `+{code}`"));
        }
        let number = format!("+{}", self.digits);
        let mut finding = if prefix == "+" {
            let mut runs = self
                .groupings
                .chunk_by(|(_, one), (_, other)| one.end == other.start)
                .filter_map(|run| Some(run.first()?.1.start..run.last()?.1.end))
                .map(|run| text.place(run));
            let first = runs.next().unwrap_or_else(|| text.place(destination.range()));
            let message = format!("the transfer destination {shown} contains {}", self.groupings());
            let finding = Finding::new(first, message).label("not part of the number");
            runs.take(SHOWN).fold(finding, |finding, run| finding.also(run, "nor this"))
        } else {
            Finding::new(
                text.place(at.clone()),
                format!("the transfer destination {shown} begins with `{prefix}` and not with `+`"),
            )
            .label("`+` belongs here")
        };
        finding = finding.help(format!("write `{number}`"));
        finding.fix(write(text, destination.segment.clone(), number))
    }

    /// `spaces and brackets`.
    fn groupings(&self) -> String {
        let mut kinds: Vec<Grouping> = self.groupings.iter().map(|(kind, _)| *kind).collect();
        kinds.sort_unstable();
        let words: Vec<&str> = kinds
            .chunk_by(|one, other| one == other)
            .filter_map(|run| Some(run.first()?.name(run.len())))
            .collect();
        match words.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} and {last}", others.join(", "))
            }
            _ => words.concat(),
        }
    }
}

/// Several numbers with something else than a bar between them.
fn run_together(text: &TextValue<'_>, destination: &Destination<'_>) -> Option<Finding> {
    // Numbers with spaces inside them are told apart by what cannot be inside a number.
    let is_list_mark = |c: char| matches!(c, ',' | ';' | '，' | '、' | '\n');
    let is_mark = |c: char| is_list_mark(c) || matches!(c, '/' | '\\') || c.is_whitespace();
    let marks: [&dyn Fn(char) -> bool; 2] = [&is_mark, &is_list_mark];
    let (pieces, is_separator) = marks.into_iter().find_map(|is_separator| {
        let pieces = destination.text.split(is_separator).map(str::trim);
        let pieces: Vec<&str> = pieces.filter(|piece| !piece.is_empty()).collect();
        let has_digits = |piece: &&str| piece.chars().filter_map(digit).count() >= DIGITS;
        (pieces.len() > 1 && pieces.iter().all(has_digits)).then_some((pieces, is_separator))
    })?;
    let start = destination.text.find(is_separator)?;
    let rest = destination.text.get(start..)?;
    let end = start + rest.find(|c: char| !is_separator(c) && !c.is_whitespace())?;
    let at = text.place(destination.start + start..destination.start + end);
    let count = pieces.len();
    if pieces.iter().all(|piece| is_number(piece)) {
        let message = format!("the {count} transfer destinations are not separated by `|`");
        return Some(
            Finding::new(at, message)
                .label("`|` belongs here")
                .help("separate the numbers with `|`")
                .fix(write(text, destination.segment.clone(), pieces.join("|"))),
        );
    }
    let message = format!(
        "the {count} transfer destinations are not separated by `|`, and not all of them are `+1` or `+91` and ten digits"
    );
    let finding = Finding::new(at, message).label("`|` belongs here");
    let numbers: Option<Vec<String>> = pieces
        .iter()
        .map(|piece| {
            let number = Number::of(piece, 0);
            let is_readable =
                number.stranger.is_none() && number.prefix.is_some() && number.has_right_digits();
            is_readable.then(|| format!("+{}", number.digits))
        })
        .collect();
    Some(match numbers.map(|numbers| numbers.join("|")) {
        Some(numbers) => finding.help(format!("write `{numbers}`")).fix(write(
            text,
            destination.segment.clone(),
            numbers,
        )),
        None => finding
            .help("separate the numbers with `|`, and write `+1` or `+91` and ten digits for each"),
    })
}

fn digits(count: usize) -> String {
    if count == 1 { "1 digit".to_owned() } else { format!("{count} digits") }
}

fn write(text: &TextValue<'_>, segment: Range<usize>, number: String) -> ProposedFix {
    ProposedFix {
        title: format!("write `{number}`"),
        safety: Safety::Unsafe,
        at: text.place(segment),
        replacement: Replacement::Part(number),
    }
}
