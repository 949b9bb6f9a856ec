//! Learns from recorded exchanges with the service what its description leaves open, and says how right voxlint is about them.

mod evidence;
mod note;
mod record;
mod verify;

use std::collections::BTreeMap;

use voxlint_model::readings::{Readings, SetReading};
use voxlint_schema::readings::{self, Reading, ReadingValue};

use self::evidence::{Cause, Domain, Evidence, Source, Sources};
use self::record::Record;
use crate::predict::OK;

pub use self::note::{Note, RecordNote};
pub use self::verify::{Verification, WrongRecord, verify};

/// The statuses that say something about an update. Others are about the request: the key, its rate, a fault of the service.
const TELLING: [u16; 4] = [400, 403, 404, 409];

/// What records say about the readings of the description.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lessons {
    /// How many records there are.
    pub records: usize,
    /// What is known about each reading, in the order of [`crate::readings::ALL`].
    pub readings: Vec<Lesson>,
    /// The records that no reading explains: voxlint is wrong about them, or the service is not the one that is described.
    pub unexplained: Vec<RecordNote>,
    /// The records that cannot be used.
    pub unusable: Vec<RecordNote>,
    /// How many conclusions about several readings are left out, because there are too many. What is concluded is right, but more
    /// may follow from the records.
    pub dropped: usize,
}

/// What records say about one reading.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lesson {
    /// The reading.
    pub reading: &'static Reading,
    /// The values that all records allow.
    pub values: Vec<&'static ReadingValue>,
    /// The lines that rule out the other values, ascending.
    pub lines: Vec<usize>,
    /// The lines of records that no values explain together, ascending. Then all values are possible that the records allow
    /// without `with`.
    pub contradiction: Vec<usize>,
    /// The readings that the team has set and without which `values` or `contradiction` would not follow from the records.
    pub with: Vec<SetReading>,
    /// The day of the earliest of `lines`, if all of them say when they were recorded: `2026-11-21`.
    pub since: Option<String>,
}

impl Lesson {
    /// The only value that all records allow.
    pub fn settled(&self) -> Option<&'static ReadingValue> {
        match &*self.values {
            [only] => Some(only),
            _ => None,
        }
    }
}

/// Concludes what records say. Each line is one record in JSON: the update (`body`), the answer (`status` and `answer`), and, where
/// they are known, the configuration that was stored before (`stored`), the facts (`facts`), the id of the agent (`agent_id`), the
/// settings that the record leaves out (`left_out`) and the time (`time`). Empty lines are counted, and say nothing.
///
/// Readings are concluded only from records that nothing else explains. The readings that a team has set are used for what the records
/// alone leave open.
///
/// ```
/// let records = [
///     r#"{ "body": { "version_number": 3, "foo": 1 }, "status": 200 }"#,
///     r#"{ "body": { "version_number": 3, "responsiveness": 3 }, "status": 400, "answer": { "message": "responsiveness must not be greater than 1" } }"#,
/// ];
/// let lessons = voxlint::learn::learn(records, &Default::default());
/// let lesson = |name: &str| lessons.readings.iter().find(|it| it.reading.name == name);
/// let values = |name: &str| -> Vec<&str> { lesson(name).map(|it| it.values.iter().map(|it| it.name).collect()).unwrap_or_default() };
/// assert_eq!(values("unknown-fields"), ["ignored", "stored"]);
/// assert_eq!(values("responsiveness-maximum"), ["1"]);
/// ```
pub fn learn<'a>(lines: impl IntoIterator<Item = &'a str>, team: &Readings) -> Lessons {
    let mut lessons = Lessons::default();
    let mut evidence = Evidence::default();
    let mut days: BTreeMap<usize, String> = BTreeMap::new();
    for record in records(lines) {
        lessons.records += 1;
        let record = match record {
            Ok(record) => record,
            Err(note) => {
                lessons.unusable.push(note);
                continue;
            }
        };
        if let Some(note) = conclude(&record, &mut evidence) {
            lessons.unexplained.push(RecordNote { line: record.line, note });
        }
        days.extend(record.day.map(|day| (record.line, day)));
    }
    lessons.dropped = evidence.dropped;
    let alone = evidence.conclude(&Readings::default());
    let together = evidence.conclude(team).into_iter();
    let domains = readings::ALL.iter().copied().zip(alone.into_iter().zip(together));
    lessons.readings = domains
        .map(|(reading, (alone, together))| {
            let is_open = team.get(reading).is_none() && alone.contradiction.is_empty();
            let is_telling = is_open && together.values & alone.values != alone.values;
            let mut domain = if is_telling { together.clone() } else { alone };
            if domain.contradiction.is_empty() {
                domain.contradiction = together.contradiction;
            }
            lesson(reading, domain, team, &days)
        })
        .collect();
    lessons
}

/// What is known about a reading, and since which of the days of lines.
fn lesson(
    reading: &'static Reading,
    domain: Domain,
    team: &Readings,
    days: &BTreeMap<usize, String>,
) -> Lesson {
    let values = reading.values.iter().enumerate();
    let values = values.filter(|(at, _)| domain.values >> at & 1 == 1).map(|(_, value)| value);
    let ruled_out: Sources = domain.ruled_out.into_iter().flatten().collect();
    let recorded = |sources: &Sources| -> Vec<usize> {
        let lines = sources.iter().filter_map(|it| match it {
            Source::Record(line) => Some(*line),
            Source::Set(_) => None,
        });
        lines.collect()
    };
    let set = |source: &Source| match source {
        Source::Record(_) => None,
        Source::Set(at) => readings::ALL.get(*at).and_then(|it| team.get(it)).cloned(),
    };
    let (lines, contradiction) = (recorded(&ruled_out), recorded(&domain.contradiction));
    let all: Option<Vec<&String>> = lines.iter().map(|line| days.get(line)).collect();
    Lesson {
        reading,
        values: values.collect(),
        since: all.and_then(|days| days.into_iter().min().cloned()),
        lines,
        contradiction,
        with: ruled_out.union(&domain.contradiction).filter_map(set).collect(),
    }
}

/// The records, or why one cannot be used.
fn records<'a>(
    lines: impl IntoIterator<Item = &'a str>,
) -> impl Iterator<Item = Result<Record, RecordNote>> {
    let lines = lines.into_iter().zip(1..).filter(|(text, _)| !text.trim().is_empty());
    lines.map(|(text, line)| {
        let read = Record::read(line, text).and_then(|record| match record.status {
            status if is_accepted(status) || TELLING.contains(&status) => Ok(record),
            status => Err(Note::OtherStatus(status)),
        });
        read.map_err(|note| RecordNote { line, note })
    })
}

/// Adds what a record says; otherwise, why no reading explains it.
fn conclude(record: &Record, evidence: &mut Evidence) -> Option<Note> {
    let alternatives = record.alternatives();
    if is_accepted(record.status) {
        let certain = alternatives.iter().find(|it| matches!(it.cause, Cause::Certain));
        if certain.is_some() {
            return Some(Note::Accepted);
        }
        for alternative in &alternatives {
            if let Cause::Under(assumptions) | Cause::Unless(assumptions) = &alternative.cause {
                evidence.accepted(record.line, assumptions);
            }
        }
        return None;
    }
    let fits = |it: &&evidence::Alternative| it.statuses.contains(&record.status);
    let alternatives: Vec<_> = alternatives.iter().filter(fits).collect();
    if alternatives.is_empty() {
        return Some(Note::Unexplained(record.status));
    }
    // Without a message, anything may be the cause.
    if record.messages.is_empty() {
        rejected(record.line, &alternatives, evidence);
    }
    for words in &record.messages {
        let is_named = |it: &&&evidence::Alternative| !it.settings.is_disjoint(words);
        let named: Vec<_> = alternatives.iter().filter(is_named).copied().collect();
        // A message about something else says nothing about what voxlint sees.
        if !named.is_empty() {
            rejected(record.line, &named, evidence);
        }
    }
    None
}

fn rejected(line: usize, alternatives: &[&evidence::Alternative], evidence: &mut Evidence) {
    let causes: Option<Vec<&[_]>> = alternatives
        .iter()
        .map(|it| match &it.cause {
            Cause::Under(assumptions) => Some(assumptions.as_slice()),
            Cause::Certain | Cause::Unless(_) | Cause::Unknown => None,
        })
        .collect();
    if let Some(causes) = causes {
        evidence.rejected(line, &causes);
    }
}

/// Whether a status means that the update was accepted.
const fn is_accepted(status: u16) -> bool {
    status / 100 == OK / 100
}
