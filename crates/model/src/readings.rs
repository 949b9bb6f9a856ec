//! What a verdict assumes about the description, and what a team knows about it.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Arc;

use voxlint_schema::readings::{Reading, ReadingValue};

use crate::quote;

/// The values of one reading under which the service rejects something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Assumption {
    /// The reading.
    pub reading: &'static Reading,
    /// One bit for each value of the reading.
    rejects: u8,
}

impl Assumption {
    /// The service rejects something under the first value of the reading, and under no other one.
    pub const fn first(reading: &'static Reading) -> Self {
        Self { reading, rejects: 1 }
    }

    /// The service rejects something under these values of the reading.
    pub fn of(reading: &'static Reading, rejects: impl Fn(&str) -> bool) -> Self {
        let bits = reading.values.iter().enumerate();
        let rejects = bits.fold(0, |bits, (index, value)| {
            bits | u8::from(rejects(value.name)).checked_shl(index as u32).unwrap_or_default()
        });
        Self { reading, rejects }
    }

    /// Whether the service rejects it under the value of this index.
    pub const fn rejects(&self, value: usize) -> bool {
        value < 8 && self.rejects >> value & 1 == 1
    }

    /// Whether the service rejects it, if the reading has one of these values; `None` if that depends on which one.
    fn holds_for(&self, values: &[&str]) -> Option<bool> {
        let mut all = values
            .iter()
            .map(|value| self.reading.index_of(value).is_some_and(|at| self.rejects(at)));
        let first = all.next()?;
        all.all(|other| other == first).then_some(first)
    }

    /// The values under which the service rejects it.
    pub fn rejecting(&self) -> impl Iterator<Item = &'static ReadingValue> + use<> {
        let this = *self;
        let values = this.reading.values.iter().enumerate();
        values.filter(move |(index, _)| this.rejects(*index)).map(|(_, value)| value)
    }
}

/// A reading of which a team knows the value, or some values that it does not have.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SetReading {
    /// The reading.
    pub reading: &'static Reading,
    /// The names of the values that it may have, in their order; there is at least one.
    pub values: Vec<&'static str>,
    /// Where it is set, such as `voxlint.toml:12`.
    pub place: Arc<str>,
    /// How the team knows it.
    pub evidence: Option<Arc<str>>,
    /// Since when the team knows it, in its own words: most often a day, such as `2026-11-21`.
    pub since: Option<Arc<str>>,
}

impl SetReading {
    /// A reading with the values that it may have.
    ///
    /// # Errors
    ///
    /// The first of them that is none of its values; an empty text if there is none at all.
    pub fn new<'a>(
        reading: &'static Reading,
        values: impl IntoIterator<Item = &'a str>,
        place: impl Into<Arc<str>>,
        evidence: Option<Arc<str>>,
        since: Option<Arc<str>>,
    ) -> Result<Self, &'a str> {
        let indices = values.into_iter().map(|value| reading.index_of(value).ok_or(value));
        let indices = indices.collect::<Result<BTreeSet<usize>, _>>()?;
        if indices.is_empty() {
            return Err("");
        }
        let names = indices.into_iter().filter_map(|at| reading.values.get(at));
        let values = names.map(|value| value.name).collect();
        Ok(Self { reading, values, place: place.into(), evidence, since })
    }

    /// The values that it may have, in words: `ignored or stored`.
    pub fn value_name(&self) -> String {
        self.values.join(" or ")
    }
}

/// As it is set, and where: `unknown-fields = rejected (voxlint.toml:12)`.
impl fmt::Display for SetReading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {} ({})", self.reading.name, self.value_name(), self.place)
    }
}

/// The team's readings that make a rejection certain, in words: `by your readings: voxlint.toml:12`. `None` without one.
pub fn by_readings(settled_by: &[SetReading]) -> Option<String> {
    let mut places: Vec<&str> = settled_by.iter().map(|set| &*set.place).collect();
    places.dedup();
    (!places.is_empty()).then(|| format!("by your readings: {}", places.join(", ")))
}

/// How to settle open readings, at the end of a sentence: ``; `empty-ids` in [readings] settles it``. Empty if there are none.
pub fn to_settle(assumes: &[Assumption]) -> String {
    if assumes.is_empty() {
        return String::new();
    }
    let names = quote::list(assumes.iter().map(|it| it.reading.name));
    let verb = if assumes.len() == 1 { "settles" } else { "settle" };
    format!("; {names} in [readings] {verb} it")
}

/// A reading on which a verdict depends, as the JSON formats show it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadingEntry {
    pub(crate) name: &'static str,
    pub(crate) set_to: Option<Vec<&'static str>>,
    pub(crate) set_in: Option<Arc<str>>,
    pub(crate) rejects: Vec<&'static str>,
}

/// The readings on which a verdict depends.
pub(crate) fn entries(assumes: &[Assumption], settled_by: &[SetReading]) -> Vec<ReadingEntry> {
    let entry = |it: &Assumption| {
        let set = settled_by.iter().find(|set| set.reading == it.reading);
        ReadingEntry {
            name: it.reading.name,
            set_to: set.map(|set| set.values.clone()),
            set_in: set.map(|set| Arc::clone(&set.place)),
            rejects: it.rejecting().map(|value| value.name).collect(),
        }
    };
    assumes.iter().map(entry).collect()
}

/// The readings that a team has set. A reading that is not set is open: each of its values is possible.
///
/// ```
/// use voxlint::readings::{Reading, Readings, SetReading};
/// use voxlint::{Document, Inputs, VerdictKind, check};
///
/// let inputs = Inputs::new(Document::parse(r#"{ "version_number": 3, "responsiveness": 3 }"#));
/// assert_eq!(check(&inputs).diagnostics[0].verdict, VerdictKind::Possible);
///
/// let reading = Reading::named("responsiveness-maximum").expect("a reading");
/// let set = |value| SetReading::new(reading, [value], "voxlint.toml:2", None, None).expect("a value");
/// let accepts: Readings = [set("5")].into_iter().collect();
/// assert!(check(&inputs.clone().readings(accepts)).diagnostics.is_empty());
/// let rejects: Readings = [set("1")].into_iter().collect();
/// assert_eq!(check(&inputs.readings(rejects)).diagnostics[0].verdict, VerdictKind::Reject);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Readings(BTreeMap<&'static str, SetReading>);

impl Readings {
    /// A reading, if it is set.
    pub fn get(&self, reading: &Reading) -> Option<&SetReading> {
        self.0.get(reading.name)
    }

    /// The readings that are set, by name.
    pub fn iter(&self) -> impl Iterator<Item = &SetReading> {
        self.0.values()
    }

    /// Whether the service rejects something under these assumptions, all of which are needed. If that is still open, only the
    /// open ones are left.
    pub fn settle(&self, assumptions: &mut Vec<Assumption>) -> Option<bool> {
        if self.0.is_empty() {
            return None;
        }
        let holds =
            |it: &Assumption| self.get(it.reading).and_then(|set| it.holds_for(&set.values));
        if assumptions.iter().any(|it| holds(it) == Some(false)) {
            return Some(false);
        }
        if assumptions.iter().all(|it| holds(it) == Some(true)) {
            return Some(true);
        }
        assumptions.retain(|it| holds(it).is_none());
        None
    }
}

impl FromIterator<SetReading> for Readings {
    fn from_iter<I: IntoIterator<Item = SetReading>>(readings: I) -> Self {
        Self(readings.into_iter().map(|set| (set.reading.name, set)).collect())
    }
}

/// What a possible rejection depends on in the description.
#[derive(Debug)]
pub struct UnderReadings {
    /// The assumptions under which the service rejects it. All of them are needed; there is at least one.
    pub(crate) all: Vec<Assumption>,
    /// The question in words that fit the case better than those of the reading.
    pub(crate) words: Option<Cow<'static, str>>,
    /// Whether something unknown must hold, too.
    pub(crate) needs_more: bool,
}

impl UnderReadings {
    /// The open question, as a complete clause.
    pub(crate) fn clause(&self) -> &str {
        let question = || self.all.first().map_or("", |it| it.reading.question);
        self.words.as_deref().unwrap_or_else(question)
    }
}
