use std::borrow::Cow;

use voxlint_schema::{Field, Row};

use crate::place::Place;
use crate::value::UnknownReason;
use crate::{Safety, Severity, VerdictKind};

/// What a rule says.
#[derive(Debug)]
pub(crate) enum Verdict {
    /// Nothing is wrong.
    Holds,
    /// There is nothing to go on. The engine works out which of the rule's inputs are missing.
    Undecided,
    /// Nothing is missing, or not only that, and the answer is open all the same: it depends on how the service reads its
    /// own description, or the stored state contradicts itself. The words stand alone.
    Undecidable(Cow<'static, str>),
    /// The refusal that the rule finds depends on something that is not known. The words stand alone.
    MayBeAccepted(Cow<'static, str>),
    /// The service refuses this under some reading, or depending on something unknown.
    Possible(Finding, Condition),
    /// The service refuses this.
    Reject(Finding),
    /// The service accepts this, and it is probably not what the author meant.
    Advice(Finding),
}

impl Verdict {
    /// The finding, where there is one.
    pub(crate) fn finding_mut(&mut self) -> Option<&mut Finding> {
        match self {
            Self::Holds | Self::Undecided | Self::Undecidable(_) | Self::MayBeAccepted(_) => None,
            Self::Possible(finding, _) | Self::Reject(finding) | Self::Advice(finding) => {
                Some(finding)
            }
        }
    }
}

/// What a possible refusal hangs on.
#[derive(Debug)]
pub(crate) enum Condition {
    /// How the service reads its own description, in words that stand alone after a colon.
    Reading(Cow<'static, str>),
    /// The stored value of a field.
    Stored(&'static Row),
    /// A field whose value in the document is invalid.
    Faulty(&'static Row),
    /// A field that the stored state gives more than once, with different values.
    Contradictory(&'static Row),
}

impl Condition {
    pub(crate) fn reading(words: &'static str) -> Self {
        Self::Reading(Cow::Borrowed(words))
    }

    /// What the refusal depends on, in words that stand alone.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Reading(words) => words.clone().into_owned(),
            Self::Stored(row) => format!("depends on the stored `{}`", row.name),
            Self::Contradictory(row) => contradictory(&[row.name]),
            Self::Faulty(row) => {
                format!("depends on `{}`, whose value here is invalid", row.name)
            }
        }
    }

    /// A field that is not known, for this reason.
    pub(crate) fn unknown<T>(field: &Field<T>, missing: UnknownReason) -> Self {
        match missing {
            UnknownReason::NotGiven => Self::Stored(field.row),
            UnknownReason::Contradictory => Self::Contradictory(field.row),
            UnknownReason::Faulty | UnknownReason::Lost => Self::Faulty(field.row),
        }
    }
}

/// Says that the stored state contradicts itself about these fields.
pub(crate) fn contradictory(names: &[&str]) -> String {
    let names = crate::quote::list(names.iter().copied());
    format!("the stored state gives different values for {names}")
}

/// Everything that one rule says of one thing. Holding costs no allocation.
#[derive(Debug, Default)]
pub(crate) struct Verdicts(Vec<Verdict>);

impl Verdicts {
    #[inline]
    pub(crate) fn none() -> Self {
        Self(Vec::new())
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(crate) fn extend(&mut self, verdicts: impl Iterator<Item = Verdict>) {
        verdicts.for_each(|verdict| self.add(verdict));
    }

    #[inline]
    pub(crate) fn add(&mut self, verdict: Verdict) {
        if !matches!(verdict, Verdict::Holds) {
            self.0.push(verdict);
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

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// One thing that is wrong, before its places have become bytes.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) at: Place,
    pub(crate) field: Subject,
    pub(crate) message: String,
    pub(crate) label: Option<Cow<'static, str>>,
    pub(crate) help: Option<String>,
    pub(crate) related: Vec<(Place, Cow<'static, str>)>,
    pub(crate) fix: Option<ProposedFix>,
    pub(crate) section: Option<&'static str>,
    /// A status that the description allows as well as that of the rule, where only this finding has one.
    pub(crate) other_status: Option<u16>,
    /// The default severity, where it is not that of the verdict.
    pub(crate) severity: Option<Severity>,
    /// What the finding is about, where it may be found in several places of a document and is one mistake all the same:
    /// findings of one rule about the same thing become one, at the first place.
    pub(crate) thing: Option<String>,
}

/// Which value of the effective document a finding is about.
#[derive(Debug)]
pub(crate) enum Subject {
    /// The one at its place.
    Here,
    /// The one at another place, of which the caret underlines a part.
    Value(Place),
    /// A member that the object at its place should have.
    MissingMember(Cow<'static, str>),
    /// A member that this object should have, wherever the caret stands.
    MissingFrom(Place, &'static str),
    /// A field of 2.3, wherever the caret stands.
    Setting(&'static Row),
    /// The document as a whole.
    Root,
}

/// A change that settles a finding, before it has become bytes.
#[derive(Debug)]
pub(crate) struct ProposedFix {
    pub(crate) title: String,
    pub(crate) safety: Safety,
    pub(crate) at: Place,
    pub(crate) replacement: Replacement,
}

/// What stands at the place of a change afterwards; the syntax of the file decides how it is spelled.
#[derive(Debug)]
pub(crate) enum Replacement {
    /// Text inside a string that goes on around it.
    Part(String),
    Text(String),
    Literal(String),
}

impl Finding {
    pub(crate) fn new(at: Place, message: impl Into<String>) -> Self {
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
            thing: None,
        }
    }

    /// The finding is about this field of 2.3, wherever the caret stands.
    pub(crate) fn about<T>(self, field: &Field<T>) -> Self {
        Self { field: Subject::Setting(field.row), ..self }
    }

    /// The finding is about this value, of which the caret underlines a part.
    pub(crate) fn about_value(self, value: Place) -> Self {
        Self { field: Subject::Value(value), ..self }
    }

    pub(crate) fn missing(self, name: impl Into<Cow<'static, str>>) -> Self {
        Self { field: Subject::MissingMember(name.into()), ..self }
    }

    /// The finding is about a member that this object should have, wherever the caret stands.
    pub(crate) fn missing_from(self, object: Place, name: &'static str) -> Self {
        Self { field: Subject::MissingFrom(object, name), ..self }
    }

    pub(crate) fn of_root(self) -> Self {
        Self { field: Subject::Root, ..self }
    }

    pub(crate) fn label(self, words: impl Into<Cow<'static, str>>) -> Self {
        Self { label: Some(words.into()), ..self }
    }

    pub(crate) fn help(self, instruction: impl Into<String>) -> Self {
        Self { help: Some(instruction.into()), ..self }
    }

    pub(crate) fn also(mut self, place: Place, words: impl Into<Cow<'static, str>>) -> Self {
        self.related.push((place, words.into()));
        self
    }

    /// The finding is one of possibly many about this thing, which are one mistake.
    pub(crate) fn once_for(self, thing: impl Into<String>) -> Self {
        Self { thing: Some(thing.into()), ..self }
    }

    pub(crate) fn fix(self, change: ProposedFix) -> Self {
        Self { fix: Some(change), ..self }
    }

    pub(crate) fn section(self, section: &'static str) -> Self {
        Self { section: Some(section), ..self }
    }

    /// The description allows this status as well as that of the rule.
    pub(crate) fn or_status(self, status: u16) -> Self {
        Self { other_status: Some(status), ..self }
    }

    /// The finding is an error unless the configuration says otherwise, whatever its verdict.
    pub(crate) fn an_error(self) -> Self {
        Self { severity: Some(Severity::Error), ..self }
    }

    pub(crate) fn reject(self) -> Verdict {
        Verdict::Reject(self)
    }

    pub(crate) fn possible(self, condition: Condition) -> Verdict {
        Verdict::Possible(self, condition)
    }

    pub(crate) fn advice(self) -> Verdict {
        Verdict::Advice(self)
    }
}

/// A value that can be read in more than one way: the least and the most that a plausible reading makes of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Readings<T> {
    pub(crate) least: T,
    pub(crate) most: T,
}

impl<T: PartialOrd + Copy> Readings<T> {
    /// What an upper limit makes of the value: beyond it in every reading, in some, or in none.
    pub(crate) fn over(self, limit: T) -> Option<VerdictKind> {
        if self.least > limit {
            Some(VerdictKind::Reject)
        } else if self.most > limit {
            Some(VerdictKind::Possible)
        } else {
            None
        }
    }
}
