//! The numbers that a setting may have: the limits of its field, joined with those that depend on other settings.
//!
//! A help names the limits from here, so that a number within them passes every rule.

use voxlint_model::meant_number::{MeantNumber, meant_number};
use voxlint_schema::Number;
use voxlint_schema::settings::{
    end_call_on_silence_sec, max_call_duration_sec, pipeline_type, reminder_message_frequency,
    reminder_message_interval,
};

use crate::prelude::*;

/// The pipeline with the lower limit on the duration of calls.
pub const CAPPED_PIPELINE: &str = "Speech_To_Speech";

/// That limit, in seconds.
pub const DURATION_CAP: i64 = 3600;

/// The silence timeout has to exceed the reminder interval by more than this many seconds.
pub(crate) const MARGIN: i64 = 5;

/// The limits of a number, from the table of fields.
pub(crate) fn bounds(field: &Field<Number>) -> (Option<i64>, Option<i64>) {
    match field.row.shape {
        Shape::Number(shape) => (shape.min, shape.max),
        _ => (None, None),
    }
}

/// The whole numbers from `min` to `max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Limits {
    min: i64,
    max: i64,
}

impl Limits {
    /// `a number from 17 to 30`, or the only one.
    fn to_words(self) -> String {
        let Self { min, max } = self;
        if min == max { min.to_string() } else { format!("a number from {min} to {max}") }
    }
}

/// Names the joined limits in the help of a finding about a number that is outside of them, even if it is in quotes.
pub fn join_limits(config: &Effective<'_>, finding: &mut Finding) {
    let is_about = |row: &Row| {
        let node = config.written_member(row)?;
        (finding.at.is_in_document() && Some(node.id()) == finding.at.node).then_some(node)
    };
    let rows =
        [end_call_on_silence_sec.row, reminder_message_interval.row, max_call_duration_sec.row];
    let Some((row, node)) = rows.into_iter().find_map(|row| Some((row, is_about(row)?))) else {
        return;
    };
    let text = node.as_str();
    let number = match &text {
        Some(text) => Decimal::parse(text.trim()),
        None => node.decimal(),
    };
    let Some(number) = number else { return };
    let (limits, help) = if std::ptr::eq(row, end_call_on_silence_sec.row) {
        match silence(config) {
            None => return,
            Some(Ok(limits)) => (limits, format!("use {} seconds", limits.to_words())),
            Some(Err(interval)) => {
                let Limits { min, max } = timeouts();
                let help = if are_reminders_off(config) {
                    format!("{NO_INTERVAL}, then use a number from {min} to {max} seconds")
                } else {
                    let interval = match meant_interval(config) {
                        Some(meant) => {
                            format!(
                                "write `reminder_message_interval` in seconds, `{}`",
                                meant.literal
                            )
                        }
                        None => format!(
                            "shorten `reminder_message_interval` ({} s) to at most {}",
                            excerpt(interval),
                            max - MARGIN - 1
                        ),
                    };
                    format!(
                        "{interval}, then use a number that is more than {MARGIN} s longer, from {min} to {max}"
                    )
                };
                (Limits { min: max, max: min }, help)
            }
        }
    } else if std::ptr::eq(row, reminder_message_interval.row) {
        let limits = intervals(config);
        (limits, format!("use {} seconds", limits.to_words()))
    } else {
        let (limits, words) = durations(config);
        (limits, format!("use {words}"))
    };
    if number < limits.min || number > limits.max {
        let quotes = if text.is_some() { ", without quotes" } else { "" };
        let literal = text.as_deref().map_or_else(|| node.source(), str::trim);
        let meant = meant(row, literal, limits);
        let question = meant.as_ref().map(|it| format!("did you mean `{}`? ", it.literal));
        finding.help = Some(format!("{}{help}{quotes}", question.unwrap_or_default()));
        // The number itself is the next mistake.
        finding.fix = meant.filter(|it| it.is_certain).map(|it| {
            ProposedFix::replace(
                format!("write {}", it.literal),
                Safety::Unsafe,
                finding.at.clone(),
                Replacement::Literal(it.literal),
            )
        });
    }
}

/// The number within the limits that a number in another unit means.
fn meant(row: &Row, literal: &str, limits: Limits) -> Option<MeantNumber> {
    let Shape::Number(mut shape) = row.shape else { return None };
    (shape.min, shape.max) = (Some(limits.min), Some(limits.max));
    meant_number(literal, &shape).filter(|meant| meant.is_allowed)
}

/// The reminder interval in seconds that an interval in another unit means.
fn meant_interval(config: &Effective<'_>) -> Option<MeantNumber> {
    let interval = config.get(&reminder_message_interval);
    let (interval, _) = interval.known()?;
    meant(reminder_message_interval.row, interval.literal(), intervals(config))
}

/// The help of a finding about a silence timeout that is too close to the reminder interval.
pub(crate) fn silence_help(config: &Effective<'_>) -> String {
    if are_reminders_off(config) {
        return NO_INTERVAL.to_owned();
    }
    if let Some(meant) = meant_interval(config) {
        return format!("write `reminder_message_interval` in seconds: `{}`", meant.literal);
    }
    let shorten =
        format!("shorten `reminder_message_interval` to {}", intervals(config).to_words());
    match silence(config) {
        Some(Ok(limits)) => {
            format!("set `end_call_on_silence_sec` to {}, or {shorten}", limits.to_words())
        }
        _ => shorten,
    }
}

/// The help of a finding about a reminder interval that no timeout fits.
pub(crate) fn interval_help(config: &Effective<'_>) -> String {
    let meant = meant_interval(config).map(|it| format!("did you mean `{}`? ", it.literal));
    format!(
        "{}use {} seconds: the silence timeout must be more than {MARGIN} s longer than the interval",
        meant.unwrap_or_default(),
        intervals(config).to_words()
    )
}

/// The timeouts that the field allows.
fn timeouts() -> Limits {
    let (min, max) = bounds(&end_call_on_silence_sec);
    Limits { min: min.unwrap_or(0), max: max.unwrap_or(i64::MAX) }
}

/// The timeouts that are long enough after the reminder; the interval if there are none, and `None` if no reminder limits them.
fn silence<'a>(config: &Effective<'a>) -> Option<Result<Limits, &'a str>> {
    let Value::Known(interval, _) = config.get(&reminder_message_interval) else { return None };
    // A frequency of 0 may not count.
    if interval <= 0 {
        return None;
    }
    let Limits { min, max } = timeouts();
    let least = min.max(floor(interval).saturating_add(MARGIN + 1));
    Some(if least <= max { Ok(Limits { min: least, max }) } else { Err(interval.literal()) })
}

/// What to do about an interval if there are no reminders.
const NO_INTERVAL: &str = "set `reminder_message_interval` to 0";

/// Whether the frequency is known to be 0.
fn are_reminders_off(config: &Effective<'_>) -> bool {
    config.get(&reminder_message_frequency).known().is_some_and(|(frequency, _)| *frequency <= 0)
}

/// The reminder intervals that the timeout leaves time for: that of the configuration, or the longest one that is allowed. With a
/// frequency of 0 there are no reminders, and so no interval.
fn intervals(config: &Effective<'_>) -> Limits {
    let Limits { min, max } = timeouts();
    let least = match config.get(&reminder_message_frequency) {
        Value::Known(frequency, _) if frequency <= 0 => return Limits { min: 0, max: 0 },
        Value::Known(..) => 1,
        _ => 0,
    };
    let timeout = match config.get(&end_call_on_silence_sec) {
        Value::Known(timeout, _) if timeout >= min && timeout <= max => ceiling(timeout),
        _ => max,
    };
    Limits { min: least, max: timeout - MARGIN - 1 }
}

/// The durations of calls that the pipeline allows.
fn durations(config: &Effective<'_>) -> (Limits, String) {
    let (min, max) = bounds(&max_call_duration_sec);
    let (min, max) = (min.unwrap_or(0), max.unwrap_or(i64::MAX));
    let up_to = |max| {
        let limits = Limits { min, max };
        (limits, format!("{} seconds", limits.to_words()))
    };
    let pipeline = config.get(&pipeline_type);
    match pipeline.known() {
        _ if config.is_flow_agent() == Some(true) => up_to(max),
        Some((name, _)) if name != CAPPED_PIPELINE => up_to(max),
        Some(_) => up_to(DURATION_CAP),
        None => {
            let (limits, words) = up_to(DURATION_CAP);
            (limits, format!("{words}, or up to {max} with the pipeline `Cascaded`"))
        }
    }
}

/// The help of a finding about calls that are too long for their pipeline.
pub(crate) fn duration_help(config: &Effective<'_>) -> String {
    format!("set `max_call_duration_sec` to {}", durations(config).1)
}

/// The greatest whole number that is not greater. Intervals are short, so that no digit is lost.
fn floor(number: Decimal<'_>) -> i64 {
    number.to_f64().floor() as i64
}

fn ceiling(number: Decimal<'_>) -> i64 {
    number.to_f64().ceil() as i64
}
