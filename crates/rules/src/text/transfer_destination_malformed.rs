use std::collections::BTreeMap;
use std::ops::Range;

use voxlint_model::text::destinations::{
    DIGITS, Destination, country_code, destinations, digit, is_number, with_ascii_digits,
};
use voxlint_model::text::phone_number::PhoneNumber;
use voxlint_model::text::placeholders::in_setting;

use super::shared::joined;
use super::test_phone_number::reason;
use crate::prelude::*;

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
    /// ```json,reject
    /// { "version_number": 3, "default_dynamic_variables": { "agent_transfer_destinations": "+1 (415) 555-2671" } }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "default_dynamic_variables": { "agent_transfer_destinations": "+91९८७६५४३२१०" } }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "default_dynamic_variables": { "agent_transfer_destinations": "+14155552671|+919845011210" } }
    /// ```
    "transfer-destination-malformed": Text {
        group: Correctness,
        basis: Stated,
        section: "2.3",
        status: 400,
        fix: Unsafe("Writes `+1` or `+91` and the ten digits, if all of them are there: spaces, hyphens and brackets go, a missing `+` \
                     is added, and `|` is put between two numbers. Digits and countries are never guessed."),
        readings: [DESTINATION_SPACES, DESTINATION_DIGITS, DEFAULT_VARIABLES],
        needs: [Destinations],
    }
}

/// The number of places beside the first that a finding about separators shows.
const MAX_SHOWN: usize = 7;

fn check(text: &TextValue<'_>) -> Verdicts {
    if !matches!(text.shape.format, TextFormat::Destinations { .. }) {
        return Verdict::Holds.into();
    }
    let mut verdicts = Verdicts::none();
    // Numbers with the same mistake are one finding.
    let mut alike: BTreeMap<String, Vec<(String, Finding)>> = BTreeMap::new();
    for destination in destinations(text.text) {
        let mut verdict = check_destination(text, &destination);
        let key = verdict.finding_mut().and_then(|finding| finding.merge_key.take());
        match (key, verdict) {
            (Some(key), Verdict::Possible(finding, _) | Verdict::Reject(finding)) => {
                alike.entry(key).or_default().push((quote(destination.text), finding));
            }
            (_, verdict) => verdicts.add(verdict),
        }
    }
    for (mistake, marks) in alike {
        let message = |count| format!("{count} transfer destinations {mistake}");
        let Some(finding) = joined(marks, message, "write `+1` or `+91` and ten digits for each")
        else {
            continue;
        };
        verdicts.add(match &*mistake {
            SPACED => finding.possible(Condition::first(&readings::DESTINATION_SPACES)),
            FOREIGN => finding.possible(Condition::first(&readings::DESTINATION_DIGITS)),
            _ => finding.reject(),
        });
    }
    verdicts
}

/// Mistakes that the numbers of one text may share.
const SPACED: &str = "have white space around them";
const FOREIGN: &str = "contain digits other than 0 to 9";

fn check_destination(text: &TextValue<'_>, destination: &Destination<'_>) -> Verdict {
    if destination.text.is_empty() {
        // `transfer-destination-empty` reports it.
        return Verdict::Holds;
    }
    if is_number(destination.text) {
        return surrounding_space(text, destination);
    }
    let with_ascii_digits = with_ascii_digits(destination.text);
    if is_number(&with_ascii_digits) {
        digits_of_another_script(text, destination, &with_ascii_digits)
    } else {
        not_separated(text, destination)
            .unwrap_or_else(|| Malformed::new(text, destination).finding())
            .section(text.value.section())
            .reject()
    }
}

/// A valid number, perhaps with white space around it.
fn surrounding_space(text: &TextValue<'_>, destination: &Destination<'_>) -> Verdict {
    let (segment, range) = (&destination.segment, destination.range());
    let (before, after) = (segment.start..range.start, range.end..segment.end);
    let (at, side) = match (before.is_empty(), after.is_empty()) {
        (true, true) => return Verdict::Holds,
        (false, true) => (before, "before"),
        (true, false) => (after.clone(), "after"),
        (false, false) => (before, "around"),
    };
    let number = quote(destination.text);
    let finding = Finding::new(
        text.place(at),
        format!("white space {side} the transfer destination {number}"),
    )
    .label("not part of the number")
    .help("remove the white space")
    .fix(write(text, destination, destination.text.to_owned()))
    .section(text.value.section());
    let other = (side == "around").then(|| text.place(after));
    finding.also(other, "not part of the number").once_for(SPACED).reject()
}

/// A valid number with other digits than those of ASCII.
fn digits_of_another_script(
    text: &TextValue<'_>,
    destination: &Destination<'_>,
    number: &str,
) -> Verdict {
    let is_foreign = |c: char| !c.is_ascii();
    let start = destination.text.find(is_foreign).unwrap_or_default();
    let rest = destination.text.get(start..).unwrap_or_default();
    let end = start + rest.find(|c| !is_foreign(c)).unwrap_or(rest.len());
    let finding = Finding::new(
        text.place(destination.start + start..destination.start + end),
        format!(
            "the transfer destination {} contains digits other than 0 to 9",
            quote(destination.text)
        ),
    )
    .label("digits of another script")
    .section(text.value.section())
    .once_for(FOREIGN);
    corrected(finding, text, destination, number.to_owned()).reject()
}

/// Several numbers that are not separated by bars.
fn not_separated(text: &TextValue<'_>, destination: &Destination<'_>) -> Option<Finding> {
    // Numbers may themselves contain spaces and slashes. Then only list separators tell them apart.
    let is_list_separator = |c: char| matches!(c, ',' | ';' | '，' | '、' | '\n');
    let is_any_separator =
        |c: char| is_list_separator(c) || matches!(c, '/' | '\\') || c.is_whitespace();
    let separators: [&dyn Fn(char) -> bool; 2] = [&is_any_separator, &is_list_separator];
    let (numbers, is_separator) = separators.into_iter().find_map(|is_separator| {
        let numbers = destination.text.split(is_separator).map(str::trim);
        let numbers: Vec<&str> = numbers.filter(|number| !number.is_empty()).collect();
        let has_digits = |number: &&str| number.chars().filter_map(digit).count() >= DIGITS;
        (numbers.len() > 1 && numbers.iter().all(has_digits)).then_some((numbers, is_separator))
    })?;
    let start = destination.text.find(is_separator)?;
    let rest = destination.text.get(start..)?;
    let end = start + rest.find(|c: char| !is_separator(c) && !c.is_whitespace())?;
    let at = text.place(destination.start + start..destination.start + end);

    let all_valid = numbers.iter().all(|number| is_number(number));
    let message = format!("the {} transfer destinations are not separated by `|`", numbers.len());
    let message = if all_valid {
        message
    } else {
        format!("{message}, and not all of them are `+1` or `+91` and ten digits")
    };
    let finding = Finding::new(at, message).label("`|` belongs here");
    let normalized: Option<Vec<String>> = numbers
        .iter()
        .map(|number| {
            let number = PhoneNumber::read(number, 0);
            let is_readable = number.unexpected.is_none() && number.prefix.is_some();
            number.normalized().filter(|_| is_readable)
        })
        .collect();
    Some(match normalized.map(|numbers| numbers.join("|")) {
        Some(numbers) => {
            let finding = corrected(finding, text, destination, numbers);
            if all_valid && finding.fix.is_some() {
                finding.help("separate the numbers with `|`")
            } else {
                finding
            }
        }
        None => finding
            .help("separate the numbers with `|`, and write `+1` or `+91` and ten digits for each"),
    })
}

/// A destination that is not a valid number.
struct Malformed<'a> {
    text: &'a TextValue<'a>,
    destination: &'a Destination<'a>,
    number: PhoneNumber,
}

impl<'a> Malformed<'a> {
    fn new(text: &'a TextValue<'a>, destination: &'a Destination<'a>) -> Self {
        let number = PhoneNumber::read(destination.text, destination.start);
        Self { text, destination, number }
    }

    /// The finding about the most important mistake in the number.
    fn finding(&self) -> Finding {
        if let Some(at) = &self.number.unexpected {
            return self.unexpected_characters(at);
        }
        if self.number.digits.is_empty() {
            return self
                .mistake(self.destination.range(), "has no digits")
                .label("not a number")
                .help("write `+1` or `+91` and ten digits");
        }
        let Some((prefix, at)) = &self.number.prefix else { return self.without_prefix() };
        match (self.number.country(), self.number.normalized()) {
            (None, _) => self.other_country(at.start),
            (Some((code, count)), None) => self.wrong_length(code, count),
            (_, Some(number)) if *prefix == "+" => self.separators(number),
            (_, Some(number)) => {
                let mistake = format!("begins with `{prefix}` instead of `+`");
                let finding = self.mistake(at.clone(), &mistake).label("`+` belongs here");
                corrected(finding, self.text, self.destination, number)
            }
        }
    }

    fn mistake(&self, at: Range<usize>, mistake: &str) -> Finding {
        let shown = quote(self.destination.text);
        Finding::new(self.text.place(at), format!("the transfer destination {shown} {mistake}"))
    }

    fn unexpected_characters(&self, at: &Range<usize>) -> Finding {
        if in_setting(self.destination.text).is_some() {
            return self
                .mistake(self.destination.range(), "is a placeholder that was never filled in")
                .label("a placeholder")
                .help("write `+1` or `+91` and ten digits");
        }
        let is_all = *at == self.destination.range();
        let characters = self.text.text.get(at.clone()).unwrap_or_default();
        let mistake = match characters.chars().count() {
            _ if is_all => "is not a phone number".to_owned(),
            1 => format!("contains {}, which is not a digit", self.text.quote(at.clone())),
            _ => format!("contains {}, but only digits are allowed", self.text.quote(at.clone())),
        };
        self.mistake(at.clone(), &mistake)
            .label("not part of a number")
            .help("write `+1` or `+91` and ten digits, and nothing else")
    }

    fn without_prefix(&self) -> Finding {
        let whole = self.destination.range();
        if let Some(number) = self.number.normalized() {
            let finding = self
                .mistake(whole, "has no `+`")
                .once_for("have no `+`")
                .label("a `+` belongs before it");
            return corrected(finding, self.text, self.destination, number);
        }
        let digits = &self.number.digits;
        let national = digits.strip_prefix('0').unwrap_or(digits);
        let finding = self.mistake(whole, "has no country code, `+1` or `+91`");
        if national.len() == DIGITS {
            finding
                .label("`+1` or `+91` belongs before it")
                .help(format!("write `+1{national}` or `+91{national}`"))
        } else {
            finding
                .label(format!("no `+`, and {}", count_of_digits(digits.len())))
                .help("write `+1` or `+91` and ten digits")
        }
    }

    fn other_country(&self, start: usize) -> Finding {
        let length = country_code(&self.number.digits);
        let end = self.number.place_of(0..length).map_or(start, |code| code.end);
        let code = self.number.digits.get(..length).unwrap_or_default();
        self.mistake(start..end, &format!("has the country code `+{code}`, not `+1` or `+91`"))
            .label("another country")
            .help("use a number of the United States (`+1`) or India (`+91`)")
    }

    fn wrong_length(&self, code: &str, count: usize) -> Finding {
        let end = self.number.digits.len();
        let (digits, label) = if count > DIGITS {
            (code.len() + DIGITS..end, format!("{} too many", count - DIGITS))
        } else {
            (code.len()..end, format!("{} missing", DIGITS - count))
        };
        let at = self.number.place_of(digits).unwrap_or(self.destination.range());
        let digits = count_of_digits(count);
        self.mistake(at, &format!("has {digits} after `+{code}`, not {DIGITS}"))
            .label(label)
            .help(format!("write exactly {DIGITS} digits after `+{code}`"))
    }

    fn separators(&self, number: String) -> Finding {
        let mut places = self.number.separator_places();
        let first = places.next().unwrap_or(self.destination.range());
        let finding = self
            .mistake(first, &format!("contains {}", self.number.separator_names()))
            .once_for(format!("contain {}", self.number.separator_names()))
            .label("not part of the number");
        let finding = places.take(MAX_SHOWN).fold(finding, |finding, at| {
            finding.also(self.text.place(at), "not part of the number")
        });
        corrected(finding, self.text, self.destination, number)
    }
}

fn count_of_digits(count: usize) -> String {
    if count == 1 { "1 digit".to_owned() } else { format!("{count} digits") }
}

/// Proposes to write a number, or several with bars between them. One that `test-phone-number` would report next is not proposed.
fn corrected(
    finding: Finding,
    text: &TextValue<'_>,
    destination: &Destination<'_>,
    number: String,
) -> Finding {
    match number.split('|').find_map(|number| Some((number, reason(number)?))) {
        Some((fictional, why)) => finding
            .help(format!("write the number that calls are transferred to: `{fictional}` {why}")),
        None => finding.help(format!("write `{number}`")).fix(write(text, destination, number)),
    }
}

/// Replaces a destination and the white space around it.
fn write(text: &TextValue<'_>, destination: &Destination<'_>, number: String) -> ProposedFix {
    ProposedFix::replace(
        format!("write `{number}`"),
        Safety::Unsafe,
        text.place(destination.segment.clone()),
        Replacement::Part(number),
    )
}
