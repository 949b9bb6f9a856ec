//! Weighs the names of a document's fields.

use std::borrow::Cow;

use voxlint_schema::{DocumentKind, agent, settings};
use voxlint_syntax::{Kind, Member, Node};

use super::field_names::{
    CHARACTERISTIC, COMMON_NAMES, FOREIGN, OWN, SHARED, UNKNOWN, WEAK, common, foreign,
    is_agent_type, is_response_field, misspelled_setting, weight,
};
use super::outcome::Unrecognised;
use crate::fields::{GetField as _, RowOf as _, bit, has_type_of};
use crate::quote::list;
use crate::suggest;

/// Why a document without any field was not recognised.
pub(super) const EMPTY: &str = "no fields";

/// The least weight of an object that counts as a wrapped update.
const WRAPPED: u32 = CHARACTERISTIC;

/// The greatest number of wrappers around an update.
pub(super) const WRAPPERS: usize = 3;

/// The greatest number of fields of a wrapper inside another. An object with more of them is a record.
pub(super) const WRAPPER_MEMBERS: usize = 4;

/// The field of a request to speak a text that has the text.
const SPOKEN: &str = "text";

/// How many unknown names of one object are checked for typos. A document with more of them is not misspelled.
const MAX_TYPO_LOOKUPS: usize = 256;

pub(super) fn recognise_update(root: Node<'_>) -> Result<DocumentKind, Unrecognised> {
    let score = Score::of_update(root);
    if score.for_it > 0 {
        return score.verdict(DocumentKind::Update);
    }
    let names =
        COMMON_NAMES.into_iter().zip(score.common).filter_map(|(name, has)| has.then_some(name));
    let names = list(names);
    Err(Unrecognised::nothing(if !names.is_empty() {
        format!("only generic fields: {names}").into()
    } else if score.members == 0 {
        Cow::Borrowed(EMPTY)
    } else {
        Cow::Borrowed("no field of an agent document at the top level")
    }))
}

/// The weight of the names that count for a document and against it.
#[derive(Debug, Default)]
pub(super) struct Score {
    for_it: u32,
    /// The part of `for_it` that does not count beside names of other services.
    shared: u32,
    against: u32,
    /// Which of the [`COMMON_NAMES`] fields the document has.
    common: [bool; COMMON_NAMES.len()],
    /// The first name of another service.
    foreign: Option<&'static str>,
    /// Whether the version number is that of a package.
    is_release: bool,
    /// Whether the document has a version number.
    has_number: bool,
    /// Whether the document has another field that is at least characteristic.
    has_telling: bool,
    /// The part of `against` from names that are only unknown.
    unknown_weight: u32,
    unknown: usize,
    members: usize,
}

impl Score {
    /// An update, by itself or in a wrapper.
    pub(super) fn of_update(root: Node<'_>) -> Self {
        let mut score = Self::default();
        let wrapped = score.fields_of_update(root, true);
        // In documents of other tools, such an object is an example, a schema or an environment.
        if score.foreign.is_none() {
            score.for_it += wrapped;
        }
        score
    }

    /// The object inside a wrapper.
    fn of_wrapped(inner: Node<'_>) -> Self {
        let mut score = Self::default();
        score.fields_of_update(inner, false);
        score
    }

    /// Weighs the names of an object. Returns the weight of updates that its fields wrap. Inside a wrapper only values of
    /// the right type count, because schemas and forms have the same names there.
    fn fields_of_update(&mut self, root: Node<'_>, may_wrap: bool) -> u32 {
        // One bit for each row: a field that is given twice counts once.
        let mut seen = 0_u128;
        let mut wrapped = 0;
        let mut unknown: Vec<Member<'_>> = Vec::new();
        for member in root.members() {
            self.members += 1;
            let row = settings::TABLE.row_of(member).or_else(|| {
                let may_be_looked_up = unknown.len() < MAX_TYPO_LOOKUPS;
                may_be_looked_up.then(|| misspelled_setting(&member.name())).flatten()
            });
            let Some(row) = row else {
                unknown.push(member);
                continue;
            };
            if seen & bit(row) != 0 {
                continue;
            }
            seen |= bit(row);
            let is_number = std::ptr::eq(row, settings::version_number.row);
            if let Some(at) = common(row) {
                if let Some(has) = self.common.get_mut(at) {
                    *has = true;
                }
            } else if is_number && is_release(member.value) {
                self.is_release = true;
                self.against += FOREIGN;
            } else if may_wrap
                || has_type_of(&row.shape, member.value)
                || member.value.kind() == Kind::Null
            {
                let weight = weight(row);
                self.for_it += weight;
                if is_number {
                    self.has_number = true;
                } else if weight >= CHARACTERISTIC {
                    self.has_telling = true;
                }
                self.shared += if weight <= SHARED { weight } else { 0 };
            }
        }
        for member in &unknown {
            if member.key.is_faulty() || is_response_field(*member) {
                continue;
            }
            if settings::default_dynamic_variables::TABLE.row_of(*member).is_some() {
                // A field that is one level too high.
                self.for_it += OWN;
                continue;
            }
            if may_wrap && let Some(inner) = wrapped_weight(member.value, WRAPPERS) {
                wrapped = inner.max(wrapped);
                continue;
            }
            self.unknown += 1;
            let name = member.name();
            if let Some(foreign) = foreign(&name) {
                self.foreign.get_or_insert(foreign);
                self.against += FOREIGN;
            } else {
                self.against += UNKNOWN;
                self.unknown_weight += UNKNOWN;
            }
        }
        if self.is_request_for_speech(root) {
            self.foreign.get_or_insert(SPOKEN);
            self.against += FOREIGN;
        }
        let wrapped_here = if self.foreign.is_none() { wrapped } else { 0 };
        let is_characteristic = self.for_it - self.shared + wrapped_here > 0;
        if is_characteristic && self.weight_for() + wrapped_here <= self.weight_against() {
            self.excuse_typos(&unknown);
        }
        wrapped
    }

    /// Removes the weight of unknown names that are near a field.
    fn excuse_typos(&mut self, unknown: &[Member<'_>]) {
        for member in unknown.iter().take(MAX_TYPO_LOOKUPS) {
            let name = member.name();
            let is_counted =
                !member.key.is_faulty() && !is_response_field(*member) && foreign(&name).is_none();
            if is_counted
                && suggest::nearest(&name, settings::TABLE.rows.iter().map(|row| row.name))
                    .is_some()
            {
                self.against = self.against.saturating_sub(UNKNOWN);
                self.unknown_weight = self.unknown_weight.saturating_sub(UNKNOWN);
                self.unknown = self.unknown.saturating_sub(1);
            }
        }
    }

    /// An agent, as the service answers it.
    pub(super) fn of_agent(root: Node<'_>) -> Self {
        let mut score = Self::default();
        for member in root.members() {
            score.members += 1;
            if let Some(row) = agent::TABLE.row_of(member) {
                score.for_it += match row.name {
                    "agent_type" if is_agent_type(member.value) => CHARACTERISTIC,
                    "current_version_number" => CHARACTERISTIC,
                    "current_version" | "versions" | "pipeline_type" => SHARED,
                    "id" | "folder_id" | "webhook_id" => WEAK,
                    _ => 0,
                };
                continue;
            }
            score.unknown += 1;
            let name = member.name();
            if let Some(foreign) = foreign(&name) {
                score.foreign.get_or_insert(foreign);
                score.against += FOREIGN;
            } else {
                score.against += UNKNOWN;
            }
        }
        score
    }

    fn weight_for(&self) -> u32 {
        self.for_it - if self.foreign.is_some() { self.shared } else { 0 }
    }

    /// The weight against the document. Beside a version number and another characteristic field, unknown names do not
    /// count.
    fn weight_against(&self) -> u32 {
        let is_ours = self.has_number && self.has_telling && self.foreign.is_none();
        self.against.saturating_sub(if is_ours { self.unknown_weight } else { 0 })
    }

    /// Whether this is a request to speak a text, without a field that only updates have.
    fn is_request_for_speech(&self, root: Node<'_>) -> bool {
        self.for_it == self.shared
            && root.field(settings::voice_id.row).is_some()
            && root.get(SPOKEN).is_some()
    }

    pub(super) fn verdict(&self, kind: DocumentKind) -> Result<DocumentKind, Unrecognised> {
        if self.weight_for() > self.weight_against() {
            return Ok(kind);
        }
        let why = if let Some(foreign) = self.foreign {
            Cow::Owned(format!("`{foreign}` belongs to another service"))
        } else if self.is_release {
            Cow::Borrowed("`version_number` is the version of a package")
        } else {
            let verb = if self.unknown == 1 { "is" } else { "are" };
            Cow::Owned(format!("{} of {} fields {verb} unknown", self.unknown, self.members))
        };
        Err(Unrecognised::resembling(kind, why))
    }
}

/// The weight of the update in a wrapper; `None` if the value does not wrap one.
pub(super) fn wrapped_weight(value: Node<'_>, wrappers: usize) -> Option<u32> {
    match value.kind() {
        Kind::Object => {
            let score = Score::of_wrapped(value);
            let net = score.weight_for().saturating_sub(score.weight_against());
            if net >= WRAPPED {
                return Some(net);
            }
            if wrappers <= 1 || score.foreign.is_some() || score.members > WRAPPER_MEMBERS {
                return None;
            }
            let inner = value.members().map(|member| member.value);
            inner.filter_map(|inner| wrapped_weight(inner, wrappers - 1)).max()
        }
        Kind::Array => {
            let mut least: Option<u32> = None;
            for element in value.elements() {
                if element.kind() != Kind::Object {
                    return None;
                }
                let net = wrapped_weight(element, wrappers)?;
                least = Some(least.map_or(net, |least| least.min(net)));
            }
            least
        }
        _ => None,
    }
}

/// The numbers of a document in which most fields are unknown.
#[derive(Clone, Copy, Debug)]
pub struct MostlyUnknown {
    /// How many names no table has.
    pub unknown: usize,
    /// How many names there are.
    pub fields: usize,
}

/// Detects a document in which most fields are unknown and that may belong to another service. Fields that the configuration
/// allows are not unknown.
pub fn mostly_unknown(root: Node<'_>, is_allowed: impl Fn(&str) -> bool) -> Option<MostlyUnknown> {
    const MIN_UNKNOWN: usize = 3;
    let mut mostly_unknown = MostlyUnknown { unknown: 0, fields: 0 };
    let mut allowed = 0;
    for member in root.members() {
        mostly_unknown.fields += 1;
        if settings::TABLE.row_of(member).is_some() {
            continue;
        }
        if is_allowed(&member.name()) {
            allowed += UNKNOWN;
        } else {
            mostly_unknown.unknown += 1;
        }
    }
    if mostly_unknown.unknown < MIN_UNKNOWN || mostly_unknown.unknown * 2 <= mostly_unknown.fields {
        return None;
    }
    let score = Score::of_update(root);
    (score.weight_for() + allowed <= score.against).then_some(mostly_unknown)
}

/// Whether a version number is that of a package: `1.2.0`.
fn is_release(number: Node<'_>) -> bool {
    number.as_str().is_some_and(|text| text.matches('.').count() > 1)
}
