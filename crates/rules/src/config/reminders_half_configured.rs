use std::cmp::Ordering;

use crate::limits::{MARGIN, bounds};
use crate::prelude::*;

rule! {
    /// One half of the reminders is set, and the other half is 0.
    ///
    /// Reminders need an interval (`reminder_message_interval`) and a frequency (`reminder_message_frequency`). If one of the two
    /// is 0, the agent never reminds a silent caller, and the other one has no effect. An interval that is too long for the
    /// silence timeout is left to `silence-not-after-reminder`.
    ///
    /// ```json,advice
    /// { "version_number": 3, "reminder_message_interval": 8, "reminder_message_frequency": 0 }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 3, "reminder_message_interval": 8 }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "reminder_message_interval": 8, "reminder_message_frequency": 2 }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "reminder_message_interval": 0, "reminder_message_frequency": 0 }
    /// ```
    "reminders-half-configured": Config {
        group: Ineffective,
        basis: Inferred("The description does not say when reminders are off."),
        section: "2.3",
        advice: Info,
        reads: [reminder_message_interval, reminder_message_frequency, end_call_on_silence_sec],
    }
}

pub(super) static IDLE_INTERVAL: WithoutEffect = WithoutEffect {
    when: When::Zero(&reminder_message_frequency),
    why: "with a frequency of 0 there are no reminders",
    help: "set `reminder_message_frequency` to 1 or more, or the interval to 0",
    removable: false,
    settings: &[reminder_message_interval.row],
};

pub(super) static IDLE_FREQUENCY: WithoutEffect = WithoutEffect {
    when: When::Zero(&reminder_message_interval),
    why: "with an interval of 0 there are no reminders",
    help: "set `reminder_message_interval`, or the frequency to 0",
    removable: false,
    settings: &[reminder_message_frequency.row],
};

fn check(config: &Effective<'_>) -> Verdicts {
    let frequency = config.get(&reminder_message_frequency);
    if frequency.known().is_some_and(|(frequency, _)| *frequency > 0) {
        return IDLE_FREQUENCY.check(config);
    }
    if is_late(config) {
        Verdicts::none()
    } else if fits_no_timeout(config) {
        let help = "set the interval to 0, or shorten it and set `reminder_message_frequency` to 1 or more";
        WithoutEffect { help, ..IDLE_INTERVAL }.check(config)
    } else {
        IDLE_INTERVAL.check(config)
    }
}

/// Whether the interval is too long for the silence timeout, which `silence-not-after-reminder` reports.
fn is_late(config: &Effective<'_>) -> bool {
    let Value::Known(interval, _) = config.get(&reminder_message_interval) else { return false };
    let timeout = config.get(&end_call_on_silence_sec);
    timeout
        .known()
        .is_some_and(|(timeout, _)| timeout.cmp_sum(interval, MARGIN) != Ordering::Greater)
}

/// Whether the interval is too long for every silence timeout.
fn fits_no_timeout(config: &Effective<'_>) -> bool {
    let interval = config.get(&reminder_message_interval);
    let (_, latest) = bounds(&end_call_on_silence_sec);
    interval.known().zip(latest).is_some_and(|((it, _), latest)| *it >= latest - MARGIN)
}
