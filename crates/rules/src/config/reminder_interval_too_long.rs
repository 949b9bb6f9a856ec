use crate::limits::{MARGIN, bounds, interval_help};
use crate::prelude::*;

rule! {
    /// The reminder comes too late for any allowed silence timeout.
    ///
    /// A call ends after at most 30 seconds of silence, and it must end more than 5 seconds after the reminder. So no
    /// silence timeout fits an interval of 25 seconds or more, whatever is stored. If the silence timeout is known,
    /// `silence-not-after-reminder` reports it instead.
    ///
    /// ```json,possible
    /// { "version_number": 3, "reminder_message_interval": 25 }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "reminder_message_interval": 24.9 }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "reminder_message_interval": 25, "reminder_message_frequency": 0 }
    /// ```
    "reminder-interval-too-long": Config {
        group: Correctness,
        basis: Read("The limit follows from two others: at most 30 seconds of silence, and more than 5 seconds after the reminder."),
        section: "4.1 rule 6",
        status: 400,
        reads: [reminder_message_interval, reminder_message_frequency, end_call_on_silence_sec],
        readings: [DEFAULT_SILENCE],
    }
}

fn check(config: &Effective<'_>) -> Verdict {
    let configured = config.get(&reminder_message_interval);
    let (Some((interval, at)), (_, Some(latest))) =
        (configured.known(), bounds(&end_call_on_silence_sec))
    else {
        return Verdict::Holds;
    };
    let limit = latest - MARGIN;
    let silence = config.get(&end_call_on_silence_sec);
    let frequency = config.get(&reminder_message_frequency);
    let reminders_off = frequency.known().is_some_and(|(frequency, _)| *frequency <= 0);
    if *interval < limit || !at.is_in_document() || silence.known().is_some() || reminders_off {
        return Verdict::Holds;
    }
    let finding = Finding::new(
        at.clone(),
        format!("the reminder interval ({} s) is too long for any allowed silence timeout (at most {latest} s)", excerpt(interval.literal())),
    )
    .help(interval_help(config));
    match silence {
        Value::Absent(_) => finding.possible(match frequency {
            // A stored frequency of 0 could also decide.
            Value::Unknown(_) => Condition::unknowable(readings::DEFAULT_SILENCE.question),
            _ => Condition::first(&readings::DEFAULT_SILENCE),
        }),
        Value::Unknown(UnknownReason::Lost) => Verdict::Undecided,
        // The finding about a faulty timeout gives the limits of both.
        Value::Known(..) | Value::Unknown(UnknownReason::Faulty) => Verdict::Holds,
        Value::Unknown(missing) => {
            finding.possible(Condition::unknown(&end_call_on_silence_sec, missing))
        }
    }
}
