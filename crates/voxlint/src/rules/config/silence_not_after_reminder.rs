use std::cmp::Ordering;

use voxlint_schema::settings::{
    end_call_on_silence_sec, reminder_message_frequency, reminder_message_interval,
};
use voxlint_syntax::Decimal;

use super::{MARGIN, bounds, in_range};
use crate::effective::Effective;
use crate::quote::excerpt;
use crate::rule::rule;
use crate::value::Value;
use crate::verdict::{Finding, Hinge, Verdict, Verdicts};

rule! {
    /// The call would end before a silent caller could answer the reminder.
    ///
    /// When reminders are configured, `end_call_on_silence_sec` must be more than 5 seconds over
    /// `reminder_message_interval`: exactly 5 is refused. The numbers are compared as they are written, so that
    /// 20.1 - 15.1 is 5 and not a little more. An interval above 0 configures reminders, unless the frequency is 0.
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
        (Value::Absent(_), _) | (_, Value::Absent(_)) => return Verdict::Holds.into(),
        _ => return Verdict::Undecided.into(),
    };
    if *every <= 0 || seconds.cmp_sum(*every, MARGIN) == Ordering::Greater {
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
    let message = format!(
        "the silence timeout ({} s) must be more than {MARGIN} s longer than the reminder interval ({} s)",
        excerpt(seconds.literal()),
        excerpt(every.literal())
    );
    let finding = Finding::new(at.clone(), message)
        .about(&end_call_on_silence_sec)
        .also(beside.clone(), beside_is)
        .help(way_out(*every));
    match config.get(&reminder_message_frequency) {
        Value::Known(frequency, _) if frequency <= 0 => finding
            .possible(Hinge::reading("a frequency of 0 may mean that no reminder is configured")),
        _ => finding.refused(),
    }
    .into()
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
