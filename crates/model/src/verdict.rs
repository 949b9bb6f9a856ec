//! What rules say: findings and verdicts about them, before they have positions.

use std::borrow::Cow;

use voxlint_schema::readings::Reading;
use voxlint_schema::{Field, Row};
use voxlint_syntax::edit::NewValue;

use crate::place::Place;
use crate::readings::{Assumption, Readings, UnderReadings};
use crate::value::{UnknownReason, Value};
use crate::{Safety, Severity, VerdictKind};

/// The verdict of a rule.
#[derive(Debug)]
pub enum Verdict {
    /// Nothing is wrong.
    Holds,
    /// An input is missing. The engine works out which.
    Undecided,
    /// No input decides the rule: the answer depends on how the service reads its own description, or the stored configuration
    /// contradicts itself. The reason is a complete clause.
    Undecidable(Cow<'static, str>),
    /// The same about a finding for which the document gives no reason, such as a stored value that the service has accepted
    /// before: it is reported only if the team's readings reject it.
    Unreported(Finding, Condition),
    /// The service rejects this under some reading of its description, or depending on something unknown.
    Possible(Finding, Condition),
    /// The service rejects this.
    Reject(Finding),
    /// The service accepts this, and it is probably not what the author meant.
    Advice(Finding),
}

impl Verdict {
    /// The finding, if there is one.
    pub const fn finding(&self) -> Option<&Finding> {
        match self {
            Self::Holds | Self::Undecided | Self::Undecidable(_) | Self::Unreported(..) => None,
            Self::Possible(finding, _) | Self::Reject(finding) | Self::Advice(finding) => {
                Some(finding)
            }
        }
    }

    /// What the service would do, if there is a finding.
    pub const fn kind(&self) -> Option<VerdictKind> {
        match self {
            Self::Holds | Self::Undecided | Self::Undecidable(_) | Self::Unreported(..) => None,
            Self::Possible(..) => Some(VerdictKind::Possible),
            Self::Reject(_) => Some(VerdictKind::Reject),
            Self::Advice(_) => Some(VerdictKind::Advice),
        }
    }

    /// The same, to change it.
    pub fn finding_mut(&mut self) -> Option<&mut Finding> {
        match self {
            Self::Holds | Self::Undecided | Self::Undecidable(_) | Self::Unreported(..) => None,
            Self::Possible(finding, _) | Self::Reject(finding) | Self::Advice(finding) => {
                Some(finding)
            }
        }
    }
}

impl Verdict {
    /// The verdict under the readings that a team has set.
    #[must_use]
    pub fn settled(self, team: &Readings) -> Self {
        match self {
            Self::Possible(finding, condition) => match condition.settled(team) {
                Settled::Rejects(assumes) => Self::Reject(Finding { assumes, ..finding }),
                Settled::Accepts => Self::Holds,
                Settled::Open(condition) => Self::Possible(finding, condition),
            },
            Self::Unreported(finding, condition) => match condition.settled(team) {
                Settled::Rejects(assumes) => Self::Reject(Finding { assumes, ..finding }),
                Settled::Accepts => Self::Holds,
                Settled::Open(condition) => Self::Unreported(finding, condition),
            },
            Self::Reject(finding) => {
                let unless = finding.unless.and_then(|condition| match condition.settled(team) {
                    Settled::Rejects(_) => None,
                    // Something else decides, too.
                    Settled::Accepts => Some(Condition::unknowable(
                        "the stored configuration decides whether it is accepted",
                    )),
                    Settled::Open(condition) => Some(condition),
                });
                Self::Reject(Finding { unless, ..finding })
            }
            other => other,
        }
    }
}

/// What the readings of a team make of a condition.
enum Settled {
    Rejects(Vec<Assumption>),
    Accepts,
    Open(Condition),
}

impl Condition {
    fn settled(self, team: &Readings) -> Settled {
        let Self::Readings(mut under) = self else { return Settled::Open(self) };
        let before = under.all.clone();
        match team.settle(&mut under.all) {
            Some(false) => Settled::Accepts,
            Some(true) if under.needs_more => {
                Settled::Open(Self::Readings(UnderReadings { all: before, ..under }))
            }
            Some(true) => Settled::Rejects(before),
            None => Settled::Open(Self::Readings(under)),
        }
    }
}

/// What a possible rejection depends on.
#[derive(Debug)]
pub enum Condition {
    /// How the service reads its own description.
    Readings(UnderReadings),
    /// Something that no other input decides, as a complete clause.
    Unknowable(Cow<'static, str>),
    /// The stored value of a field.
    Stored(&'static Row),
    /// A field whose value in the document is invalid.
    Faulty(&'static Row),
    /// A field for which the stored configuration gives different values.
    Contradictory(&'static Row),
}

impl Condition {
    /// The service rejects it under the first value of a reading.
    pub fn first(reading: &'static Reading) -> Self {
        Self::under(Assumption::first(reading))
    }

    /// The service rejects it under this assumption.
    pub fn under(assumption: Assumption) -> Self {
        Self::Readings(UnderReadings { all: vec![assumption], words: None, needs_more: false })
    }

    /// It depends on something that no reading is about.
    pub const fn unknowable(words: &'static str) -> Self {
        Self::Unknowable(Cow::Borrowed(words))
    }

    /// The same condition, and the service rejects it only under this assumption, too.
    #[must_use]
    pub fn and(mut self, assumption: Assumption) -> Self {
        if let Self::Readings(UnderReadings { all, .. }) = &mut self {
            all.push(assumption);
        }
        self
    }

    /// The same condition in words that fit the case better than the question of its reading.
    #[must_use]
    pub fn worded(mut self, clause: impl Into<Cow<'static, str>>) -> Self {
        if let Self::Readings(UnderReadings { words, .. }) = &mut self {
            *words = Some(clause.into());
        }
        self
    }

    /// The same condition, and the service rejects it only if something unknown holds, too: the team's readings may tell that it
    /// accepts it, but not that it rejects it.
    #[must_use]
    pub fn and_more(mut self, clause: impl Into<Cow<'static, str>>) -> Self {
        if let Self::Readings(under) = &mut self {
            under.needs_more = true;
        }
        self.worded(clause)
    }

    /// The assumptions about the description under which the service rejects it, if nothing else decides that.
    pub fn assumptions(&self) -> &[Assumption] {
        match self {
            Self::Readings(under) if !under.needs_more => &under.all,
            _ => &[],
        }
    }

    /// What the rejection depends on, as a complete clause.
    pub fn to_clause(&self) -> String {
        match self {
            Self::Readings(under) => under.clause().to_owned(),
            Self::Unknowable(words) => words.clone().into_owned(),
            Self::Stored(row) => format!("depends on the stored `{}`", row.name),
            Self::Contradictory(row) => contradictory(&[row.name]),
            Self::Faulty(row) => {
                format!("depends on `{}`, whose value here is invalid", row.name)
            }
        }
    }

    /// A field that is unknown for this reason.
    pub fn unknown<T>(field: &Field<T>, missing: UnknownReason) -> Self {
        match missing {
            UnknownReason::NotGiven => Self::Stored(field.row),
            UnknownReason::Contradictory => Self::Contradictory(field.row),
            UnknownReason::Faulty | UnknownReason::Lost => Self::Faulty(field.row),
        }
    }
}

/// Why fields are unknown for which the stored configuration gives different values.
pub fn contradictory(names: &[&str]) -> String {
    let names = crate::quote::list(names.iter().copied());
    format!("the stored configuration gives different values for {names}")
}

/// The verdicts of one rule about one thing.
#[derive(Debug, Default)]
pub struct Verdicts {
    /// Those that say more than that a rule holds or is undecided.
    found: Vec<Verdict>,
    is_undecided: bool,
}

impl Verdicts {
    /// No verdict.
    #[inline]
    pub const fn none() -> Self {
        Self { found: Vec::new(), is_undecided: false }
    }

    /// Whether the rule holds.
    #[inline]
    pub const fn is_empty(&self) -> bool {
        self.found.is_empty() && !self.is_undecided
    }

    /// Whether an input of the rule is missing.
    pub const fn is_undecided(&self) -> bool {
        self.is_undecided
    }

    /// Adds verdicts.
    pub fn extend(&mut self, verdicts: impl Iterator<Item = Verdict>) {
        verdicts.for_each(|verdict| self.add(verdict));
    }

    /// Adds a verdict.
    #[inline]
    pub fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Holds => {}
            Verdict::Undecided => self.is_undecided = true,
            verdict => self.found.push(verdict),
        }
    }
}

impl From<Verdict> for Verdicts {
    // A verdict is large, and most rules hold: inlined, nothing is moved then.
    #[inline]
    fn from(verdict: Verdict) -> Self {
        let mut verdicts = Self::none();
        verdicts.add(verdict);
        verdicts
    }
}

/// What a rule says that finds nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoFinding {
    /// Nothing is wrong.
    Holds,
    /// An input is missing.
    Undecided,
}

impl<V: Into<Verdicts>> From<Result<V, NoFinding>> for Verdicts {
    #[inline]
    fn from(checked: Result<V, NoFinding>) -> Self {
        match checked {
            Ok(verdicts) => verdicts.into(),
            Err(NoFinding::Holds) => Self::none(),
            Err(NoFinding::Undecided) => Verdict::Undecided.into(),
        }
    }
}

impl<T> Value<T> {
    /// The value, or what a rule about it says without one: an absent value breaks no rule, and an unknown one leaves it undecided.
    ///
    /// # Errors
    ///
    /// If the value is not known.
    pub fn or_undecided(self) -> Result<(T, Place), NoFinding> {
        match self {
            Self::Known(value, place) => Ok((value, place)),
            Self::Absent(_) => Err(NoFinding::Holds),
            Self::Unknown(_) => Err(NoFinding::Undecided),
        }
    }

    /// The value, or what a rule says that is only about known ones.
    ///
    /// # Errors
    ///
    /// If the value is not known.
    pub fn or_holds(self) -> Result<(T, Place), NoFinding> {
        self.or_undecided().map_err(|_| NoFinding::Holds)
    }

    /// The value if it passes a test. One that does not counts as absent.
    #[must_use]
    pub fn filter(self, test: impl FnOnce(&T) -> bool) -> Self {
        match self {
            Self::Known(value, place) if !test(&value) => Self::Absent(Some(place)),
            value => value,
        }
    }
}

impl FromIterator<Verdict> for Verdicts {
    fn from_iter<I: IntoIterator<Item = Verdict>>(verdicts: I) -> Self {
        let mut all = Self::none();
        for verdict in verdicts {
            all.add(verdict);
        }
        all
    }
}

impl IntoIterator for Verdicts {
    type Item = Verdict;
    type IntoIter = std::vec::IntoIter<Verdict>;

    /// The verdicts that say more than that the rule holds or is undecided.
    fn into_iter(self) -> Self::IntoIter {
        self.found.into_iter()
    }
}

/// A mistake, before its places have become byte spans.
#[derive(Debug)]
pub struct Finding {
    /// Where the mistake is.
    pub at: Place,
    /// The value that it is about.
    pub field: Subject,
    /// The value, what is wrong with it, and the limit.
    pub message: String,
    /// A few words under the caret.
    pub label: Option<Cow<'static, str>>,
    /// How to fix it, as an instruction.
    pub help: Option<String>,
    /// Other places, each with a few words.
    pub related: Vec<(Place, Cow<'static, str>)>,
    /// What may be changed.
    pub fix: Option<ProposedFix>,
    /// The section of the description, if it is not the rule's.
    pub section: Option<&'static str>,
    /// A second possible status, if it differs from that of the rule.
    pub other_status: Option<u16>,
    /// The default severity, if it differs from that of the verdict.
    pub severity: Option<Severity>,
    /// A key for findings that are one mistake in several places. Findings of one rule with the same key are merged into the
    /// first one.
    pub merge_key: Option<String>,
    /// How many findings it stands for, if not for one.
    pub count: u32,
    /// The assumptions about the description because of which it is certain: the team has set their readings.
    pub assumes: Vec<Assumption>,
    /// What the rejection depends on besides something unknown. Only predictions ask for it: a check reports the rejection.
    pub unless: Option<Condition>,
}

/// The value of the effective configuration that a finding is about.
#[derive(Debug)]
pub enum Subject {
    /// The value at the finding's place.
    Here,
    /// The value at another place. The finding's place is a part of it.
    Value(Place),
    /// A field that is missing from the object at the finding's place.
    MissingMember(Cow<'static, str>),
    /// A field that is missing from another object.
    MissingFrom(Place, &'static str),
    /// A setting (2.3), independent of the finding's place.
    Setting(&'static Row),
    /// The document as a whole.
    Root,
}

/// A fix, before its places have become byte spans.
#[derive(Debug)]
pub struct ProposedFix {
    /// What the fix does, as an instruction.
    pub title: String,
    /// Whether it may be applied without review.
    pub safety: Safety,
    /// The changes, all in one input. They are made together or not at all.
    pub edits: Vec<ProposedEdit>,
}

/// One change of a fix. The format of the file decides how it is spelled, and whether it can be expressed there.
#[derive(Debug)]
pub enum ProposedEdit {
    /// Replaces a value, a part of a string, or, at a key or [`Part::Name`](crate::place::Part), the name of a member.
    Replace {
        /// What is replaced.
        at: Place,
        /// What is written instead.
        replacement: Replacement,
    },
    /// Removes a member of an object, at its key or its value, or an item of an array.
    Remove {
        /// What is removed.
        at: Place,
    },
    /// Adds a member at the end of an object.
    Insert {
        /// The object.
        object: Place,
        /// The name of the member.
        name: &'static str,
        /// Its value.
        value: Replacement,
    },
}

impl ProposedEdit {
    /// The place of the change.
    pub const fn place(&self) -> &Place {
        match self {
            Self::Replace { at, .. } | Self::Remove { at } | Self::Insert { object: at, .. } => at,
        }
    }
}

impl ProposedFix {
    /// A fix with these changes.
    pub fn new(title: impl Into<String>, safety: Safety, edits: Vec<ProposedEdit>) -> Self {
        Self { title: title.into(), safety, edits }
    }

    /// This fix and another one in the same input, as one.
    pub fn and(mut self, other: Self) -> Self {
        let verb = |title: &str| title.split(' ').next().unwrap_or_default().to_owned();
        let new = match other.title.split_once(' ') {
            Some((first, rest)) if first == verb(&self.title) => rest,
            _ => &other.title,
        };
        self.title = format!("{}, {new}", self.title);
        if other.safety == Safety::Unsafe {
            self.safety = Safety::Unsafe;
        }
        self.edits.extend(other.edits);
        self
    }

    /// A fix with one replacement.
    pub fn replace(
        title: impl Into<String>,
        safety: Safety,
        at: Place,
        replacement: Replacement,
    ) -> Self {
        Self::new(title, safety, vec![ProposedEdit::Replace { at, replacement }])
    }

    /// A fix that removes a member of an object or an item of an array.
    pub fn remove(title: impl Into<String>, safety: Safety, at: Place) -> Self {
        Self::new(title, safety, vec![ProposedEdit::Remove { at }])
    }

    /// A fix that adds a member at the end of an object.
    pub fn insert(
        title: impl Into<String>,
        safety: Safety,
        object: Place,
        name: &'static str,
        value: Replacement,
    ) -> Self {
        Self::new(title, safety, vec![ProposedEdit::Insert { object, name, value }])
    }
}

/// The replacement text of a fix. The format of the file decides how it is spelled.
#[derive(Debug)]
pub enum Replacement {
    /// A part of a string.
    Part(String),
    /// A string as a whole value, or a name.
    Text(String),
    /// A number, `true` or `false`, as every format writes it; or, at [`Part::Bytes`](crate::place::Part), exactly these
    /// characters.
    Literal(String),
}

impl Replacement {
    /// The value, unless it is a part of one.
    pub fn value(&self) -> Option<NewValue<'_>> {
        match self {
            Self::Part(_) => None,
            Self::Text(text) => Some(NewValue::Text(text)),
            Self::Literal(literal) => Some(NewValue::Literal(literal)),
        }
    }
}

impl Finding {
    /// A finding at a place.
    pub fn new(at: Place, message: impl Into<String>) -> Self {
        Self {
            at,
            field: Subject::Here,
            message: message.into(),
            label: None,
            help: None,
            related: Vec::new(),
            fix: None,
            section: None,
            other_status: None,
            severity: None,
            merge_key: None,
            count: 1,
            assumes: Vec::new(),
            unless: None,
        }
    }

    /// The finding is about this setting (2.3), independent of its place.
    pub fn about<T>(self, field: &Field<T>) -> Self {
        self.about_row(field.row)
    }

    /// The same for a row.
    pub fn about_row(self, row: &'static Row) -> Self {
        Self { field: Subject::Setting(row), ..self }
    }

    /// The finding is about this value, of which its place is a part.
    pub fn about_value(self, value: Place) -> Self {
        Self { field: Subject::Value(value), ..self }
    }

    pub(crate) fn missing(self, name: impl Into<Cow<'static, str>>) -> Self {
        Self { field: Subject::MissingMember(name.into()), ..self }
    }

    /// The finding is about a field that is missing from this object, independent of its place.
    pub fn missing_from(self, object: Place, name: &'static str) -> Self {
        Self { field: Subject::MissingFrom(object, name), ..self }
    }

    /// The finding is about the document as a whole.
    pub fn of_root(self) -> Self {
        Self { field: Subject::Root, ..self }
    }

    /// Says something under the caret.
    pub fn label(self, words: impl Into<Cow<'static, str>>) -> Self {
        Self { label: Some(words.into()), ..self }
    }

    /// Says how to fix it.
    pub fn help(self, instruction: impl Into<String>) -> Self {
        Self { help: Some(instruction.into()), ..self }
    }

    /// Names another place, unless it is the same one.
    pub fn also(
        mut self,
        place: impl Into<Option<Place>>,
        words: impl Into<Cow<'static, str>>,
    ) -> Self {
        self.related.extend(place.into().map(|place| (place, words.into())));
        self
    }

    /// The finding may occur in several places. Those with the same key are one mistake.
    pub fn once_for(self, key: impl Into<String>) -> Self {
        Self { merge_key: Some(key.into()), ..self }
    }

    /// Offers a fix.
    pub fn fix(self, change: impl Into<Option<ProposedFix>>) -> Self {
        Self { fix: change.into(), ..self }
    }

    /// Names another section than the rule's.
    pub fn section(self, section: &'static str) -> Self {
        Self { section: Some(section), ..self }
    }

    /// The description allows this status as well.
    pub fn or_status(self, status: u16) -> Self {
        Self { other_status: Some(status), ..self }
    }

    /// The default severity of the finding is error, whatever its verdict.
    pub fn an_error(self) -> Self {
        Self { severity: Some(Severity::Error), ..self }
    }

    /// The default severity of the finding, if it is not that of the rule.
    pub fn with_severity(self, severity: Severity) -> Self {
        Self { severity: Some(severity), ..self }
    }

    /// The service rejects it.
    pub fn reject(self) -> Verdict {
        Verdict::Reject(self)
    }

    /// The service rejects it, unless something unknown and the opposite of this condition hold.
    pub fn reject_unless(self, condition: Condition) -> Verdict {
        Verdict::Reject(Self { unless: Some(condition), ..self })
    }

    /// The service may reject it.
    pub fn possible(self, condition: Condition) -> Verdict {
        Verdict::Possible(self, condition)
    }

    /// The service may reject it, and the document gives no reason to report that.
    pub fn unreported(self, condition: Condition) -> Verdict {
        Verdict::Unreported(self, condition)
    }

    /// The service accepts it.
    pub fn advice(self) -> Verdict {
        Verdict::Advice(self)
    }
}

/// A measure that depends on the reading of the description: the least and the greatest plausible value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measure<T> {
    /// What is certain.
    pub least: T,
    /// What is possible.
    pub most: T,
}

impl<T: PartialOrd + Copy> Measure<T> {
    /// Compares the value with an upper limit: rejected if every reading exceeds it, may be rejected if some do.
    pub fn over(self, limit: T) -> Option<VerdictKind> {
        if self.least > limit {
            Some(VerdictKind::Reject)
        } else if self.most > limit {
            Some(VerdictKind::Possible)
        } else {
            None
        }
    }
}
