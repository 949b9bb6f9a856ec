use std::cmp::Ordering;

use voxlint_schema::settings::{
    end_call_on_silence_sec, reminder_message_frequency, reminder_message_interval,
};
use voxlint_syntax::Decimal;

use super::{MARGIN, bounds, in_range};
use crate::effective::Effective;
use crate::place::Place;
use crate::quote::excerpt;
use crate::rule::rule;
use crate::value::Value;
use crate::verdict::{Condition, Finding, Verdict, Verdicts};

rule! {
    /// The call would end before a silent caller could answer the reminder.
    ///
    /// When reminders are configured, `end_call_on_silence_sec` must exceed `reminder_message_interval` by more than 5
    /// seconds: exactly 5 is rejected. The numbers are compared as written, so 20.1 - 15.1 is 5. In binary floating point
    /// it is a little more than 5, so a service that uses it may accept what voxlint rejects, or the other way round.
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
        section: "4.1 rule 6",
        status: 400,
        reads: [reminder_message_interval, reminder_message_frequency, end_call_on_silence_sec],
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let silence = config.get(&end_call_on_silence_sec);
    let interval = config.get(&reminder_message_interval);

    let ((seconds, silence_place), (every, interval_place)) = match (&silence, &interval) {
        (Value::Known(seconds, at), Value::Known(every, beside)) => {
            ((seconds, at), (every, beside))
        }
        (_, Value::Known(every, _)) if *every <= 0 => return Verdict::Holds.into(),
        (_, Value::Absent(_)) => return Verdict::Holds.into(),
        (Value::Absent(_), Value::Known(every, beside)) => {
            return by_default(config, *every, beside).into();
        }
        _ => return Verdict::Undecided.into(),
    };
    if *every <= 0 {
        return Verdict::Holds.into();
    }
    let is_late = seconds.cmp_sum(*every, MARGIN) != Ordering::Greater;
    let is_rounded = in_doubles(*seconds, *every).into_iter().any(|rounded| rounded != is_late);
    if !is_late && !is_rounded {
        return Verdict::Holds.into();
    }
    if !in_range(*seconds, &end_call_on_silence_sec) {
        // The range is the root of it, and `out-of-range` has said so.
        return Verdict::Holds.into();
    }

    let (at, beside, beside_is) =
        if silence_place.is_in_document() || !interval_place.is_in_document() {
            (silence_place, interval_place, "the reminder")
        } else {
            (interval_place, silence_place, "the end of the call")
        };
    let rounded = if is_late { "" } else { ", also in binary floating point" };
    let message = format!(
        "the silence timeout ({} s) must be more than {MARGIN} s longer than the reminder interval ({} s){rounded}",
        excerpt(seconds.literal()),
        excerpt(every.literal())
    );
    let finding = Finding::new(at.clone(), message)
        .about(&end_call_on_silence_sec)
        .also(beside.clone(), beside_is)
        .help(way_out(*every));
    let frequency = config.get(&reminder_message_frequency);
    let doubt = match &frequency {
        Value::Known(frequency, _) if *frequency <= 0 => {
            "a frequency of 0 may mean that no reminder is configured"
        }
        _ if is_rounded => {
            "in binary floating point the difference is on the other side of the limit"
        }
        _ => {
            let mut verdicts = Verdicts::from(finding.reject());
            if let Value::Unknown(_) = frequency {
                verdicts.add(Verdict::MayBeAccepted(
                    "with a stored `reminder_message_frequency` of 0 no reminder may be configured"
                        .into(),
                ));
            }
            return verdicts;
        }
    };
    if silence_place.is_in_document() || interval_place.is_in_document() {
        finding.possible(Condition::reading(doubt)).into()
    } else {
        Verdict::Undecidable(doubt.into()).into()
    }
}

/// The verdict where nothing sets the end of the call: a default of its own, somewhere in its range, ends it.
fn by_default(config: &Effective<'_>, every: Decimal<'_>, at: &Place) -> Verdict {
    let (Some(earliest), Some(latest)) = bounds(&end_call_on_silence_sec) else {
        return Verdict::Holds;
    };
    let frequency = config.get(&reminder_message_frequency);
    let reminders_off = frequency.known().is_some_and(|(frequency, _)| *frequency <= 0);
    if every < earliest - MARGIN {
        return Verdict::Holds;
    }
    if every >= latest - MARGIN && at.is_in_document() && !reminders_off {
        // `reminder-interval-too-long` says more.
        return Verdict::Holds;
    }
    Verdict::Undecidable(
        "nothing sets `end_call_on_silence_sec`, and its default is not described".into(),
    )
}

/// Whether the call ends too early for a service that calculates in binary floating point, in either way to write the rule.
fn in_doubles(seconds: Decimal<'_>, every: Decimal<'_>) -> [bool; 2] {
    const FIVE: f64 = 5.0;
    const { assert!(MARGIN == 5) };
    let (seconds, every) = (seconds.to_f64(), every.to_f64());
    [seconds - every <= FIVE, seconds <= every + FIVE]
}

/// What to write instead, in numbers where the interval is a small whole number.
fn way_out(every: Decimal<'_>) -> String {
    let field = end_call_on_silence_sec.row.name;
    let Ok(seconds) = every.literal().parse::<i64>() else {
        return format!("raise `{field}`, or shorten the interval");
    };
    match bounds(&end_call_on_silence_sec) {
        (_, Some(max)) if seconds.saturating_add(MARGIN) >= max => {
            format!("shorten the interval: `{field}` can be at most {max}")
        }
        (_, Some(max)) => format!(
            "set `{field}` to more than {} and at most {max}, or shorten the interval",
            seconds + MARGIN
        ),
        (_, None) => format!("set `{field}` to more than {}", seconds.saturating_add(MARGIN)),
    }
}
