use std::cmp::Ordering;

use crate::limits::{MARGIN, bounds, silence_help};
use crate::prelude::*;

rule! {
    /// The call would end before a silent caller could answer the reminder.
    ///
    /// When reminders are configured, `end_call_on_silence_sec` must exceed `reminder_message_interval` by more than 5
    /// seconds: exactly 5 is rejected. The numbers are compared as written, so 20.1 - 15.1 is 5. In binary floating point
    /// it is a little more than 5, so a service that uses it may accept what voxlint rejects, or vice versa.
    /// Reminders are configured if the interval is above 0, unless the frequency is 0.
    ///
    /// ```json,reject
    /// { "version_number": 3, "end_call_on_silence_sec": 20, "reminder_message_interval": 15 }
    /// ```
    ///
    /// ```json,possible
    /// {
    ///   "version_number": 3,
    ///   "end_call_on_silence_sec": 20,
    ///   "reminder_message_interval": 15,
    ///   "reminder_message_frequency": 0
    /// }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "end_call_on_silence_sec": 20.1, "reminder_message_interval": 15.1 }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "end_call_on_silence_sec": 20 }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "end_call_on_silence_sec": 20.5, "reminder_message_interval": 15 }
    /// ```
    "silence-not-after-reminder": Config {
        group: Correctness,
        basis: Read("It does not say when reminders count as configured, nor how decimals are compared."),
        section: "4.1 rule 6",
        status: 400,
        reads: [reminder_message_interval, reminder_message_frequency, end_call_on_silence_sec],
        readings: [SILENCE_ARITHMETIC, REMINDER_FREQUENCY_ZERO],
    }
}

fn check(config: &Effective<'_>) -> Verdict {
    let silence = config.get(&end_call_on_silence_sec);
    let reminder = config.get(&reminder_message_interval);

    let ((timeout, silence_place), (interval, interval_place)) = match (&silence, &reminder) {
        (Value::Known(timeout, at), Value::Known(interval, beside)) => {
            ((timeout, at), (interval, beside))
        }
        (_, Value::Known(interval, _)) if *interval <= 0 => return Verdict::Holds,
        (_, Value::Absent(_)) => return Verdict::Holds,
        (Value::Absent(_), Value::Known(interval, beside)) => {
            return by_default(config, *interval, beside);
        }
        _ => return Verdict::Undecided,
    };
    if *interval <= 0 {
        return Verdict::Holds;
    }
    let is_late = timeout.cmp_sum(*interval, MARGIN) != Ordering::Greater;
    let [by_difference, by_sum] = in_doubles(*timeout, *interval);
    let is_rounded = by_difference != is_late || by_sum != is_late;
    if !is_late && !is_rounded {
        return Verdict::Holds;
    }

    let (at, beside, beside_is) =
        if silence_place.is_in_document() || !interval_place.is_in_document() {
            (silence_place, interval_place, "the reminder interval")
        } else {
            (interval_place, silence_place, "the silence timeout")
        };
    let rounded = if is_late { "" } else { ", and in binary floating point it is not" };
    let message = format!(
        "the silence timeout ({} s) must be more than {MARGIN} s longer than the reminder interval ({} s){rounded}",
        excerpt(timeout.literal()),
        excerpt(interval.literal())
    );
    let finding = Finding::new(at.clone(), message)
        .about(&end_call_on_silence_sec)
        .also(beside.clone(), beside_is)
        .help(silence_help(config));
    let frequency = config.get(&reminder_message_frequency);
    let is_off = frequency.known().is_some_and(|(frequency, _)| *frequency <= 0);
    let configured = Assumption::first(&readings::REMINDER_FREQUENCY_ZERO);
    let rounding = Assumption::of(&readings::SILENCE_ARITHMETIC, |value| match value {
        "difference" => by_difference,
        "sum" => by_sum,
        _ => is_late,
    });
    let condition = match (is_off, is_rounded) {
        (true, true) => Condition::under(configured).and(rounding),
        (true, false) => Condition::under(configured),
        (false, true) => Condition::under(rounding),
        (false, false) => {
            return match frequency {
                Value::Unknown(_) => finding.reject_unless(Condition::under(configured).worded(
                    "a stored `reminder_message_frequency` of 0 may mean that no reminder is configured",
                )),
                _ => finding.reject(),
            };
        }
    };
    let is_written = silence_place.is_in_document() || interval_place.is_in_document();
    // A stored frequency of 0 could also decide.
    let condition = match frequency {
        Value::Unknown(_) if is_rounded => Condition::unknowable(rounding.reading.question),
        _ => condition,
    };
    if is_written { finding.possible(condition) } else { finding.unreported(condition) }
}

/// The verdict if the silence timeout is not set. Its default, anywhere in its range, applies.
fn by_default(config: &Effective<'_>, interval: Decimal<'_>, at: &Place) -> Verdict {
    let (Some(earliest), Some(latest)) = bounds(&end_call_on_silence_sec) else {
        return Verdict::Holds;
    };
    let frequency = config.get(&reminder_message_frequency);
    let reminders_off = frequency.known().is_some_and(|(frequency, _)| *frequency <= 0);
    if interval < earliest - MARGIN {
        return Verdict::Holds;
    }
    if interval >= latest - MARGIN && at.is_in_document() && !reminders_off {
        // `reminder-interval-too-long` reports it.
        return Verdict::Holds;
    }
    Verdict::Undecidable(
        "`end_call_on_silence_sec` is not set, and the description does not give its default"
            .into(),
    )
}

/// Whether the call ends too early in binary floating point, for both ways to write the comparison.
fn in_doubles(timeout: Decimal<'_>, interval: Decimal<'_>) -> [bool; 2] {
    const FIVE: f64 = 5.0;
    const { assert!(MARGIN == 5) };
    let (timeout, interval) = (timeout.to_f64(), interval.to_f64());
    [timeout - interval <= FIVE, timeout <= interval + FIVE]
}
