//! What records say about readings: values that they allow, kept with the line that rules out each of the others.

use std::collections::{BTreeMap, BTreeSet};

use voxlint_model::RuleRef;
use voxlint_model::readings::Assumption;
use voxlint_schema::readings;

/// The number of different conclusions about several readings that are kept. There are few in practice.
const MAX_CLAUSES: usize = 4_096;

/// The number of parts into which one rejection with several possible causes is divided.
const MAX_PARTS: usize = 16;

/// One reason for which the service may have rejected an update.
#[derive(Debug)]
pub(super) struct Alternative {
    /// The rule that would report it; `None` for what a record leaves out.
    pub(super) rule: Option<RuleRef>,
    pub(super) statuses: Vec<u16>,
    /// The settings that it is about.
    pub(super) settings: BTreeSet<&'static str>,
    pub(super) cause: Cause,
}

/// What an alternative depends on.
#[derive(Debug)]
pub(super) enum Cause {
    /// On nothing: the service rejects it.
    Certain,
    /// The service rejects it, unless something unknown and the opposite of these assumptions hold.
    Unless(Vec<Assumption>),
    /// On these assumptions, all of which are needed.
    Under(Vec<Assumption>),
    /// On something that the record does not say.
    Unknown,
}

/// One bit for each value of a reading.
pub(super) type Values = u8;

/// One of these holds: a reading, by its index, has one of these values.
type Clause = Vec<(usize, Values)>;

/// What all records together say.
#[derive(Debug, Default)]
pub(super) struct Evidence {
    /// Each clause with the first line that it follows from.
    clauses: BTreeMap<Clause, usize>,
}

/// What is known about one reading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Domain {
    pub(super) values: Values,
    /// The line that rules out each value.
    pub(super) ruled_out: [Option<usize>; 8],
    /// Two lines that no value explains.
    pub(super) contradiction: Option<[usize; 2]>,
}

fn all_values(reading: usize) -> Values {
    let count = readings::ALL.get(reading).map_or(0, |it| it.values.len());
    u8::MAX.checked_shr(8 - count as u32).unwrap_or_default()
}

/// The index of the reading, and the values under which the service rejects something.
fn literal(assumption: &Assumption) -> Option<(usize, Values)> {
    let index = readings::ALL.iter().position(|it| it.name == assumption.reading.name)?;
    let rejects = (0..assumption.reading.values.len()).filter(|at| assumption.rejects(*at));
    Some((index, rejects.fold(0, |bits, at| bits | 1 << at)))
}

impl Evidence {
    /// The service does not reject something that it would reject if all of these held.
    pub(super) fn accepted(&mut self, line: usize, assumptions: &[Assumption]) {
        let opposite =
            |(reading, values): (usize, Values)| (reading, all_values(reading) & !values);
        self.add(line, assumptions.iter().filter_map(literal).map(opposite).collect());
    }

    /// The service rejects something for one of these reasons, each of which needs all of its assumptions.
    pub(super) fn rejected(&mut self, line: usize, causes: &[&[Assumption]]) {
        let mut parts: Vec<Clause> = vec![Vec::new()];
        for cause in causes {
            let literals: Vec<_> = cause.iter().filter_map(literal).collect();
            // Fewer parts say less, and nothing wrong.
            let chosen = if parts.len() * literals.len() > MAX_PARTS { 1 } else { literals.len() };
            let extended = |part: &Clause| {
                let part = part.clone();
                let with = move |it: &(usize, Values)| part.iter().copied().chain([*it]).collect();
                literals.iter().take(chosen).map(with).collect::<Vec<Clause>>()
            };
            parts = parts.iter().flat_map(extended).collect();
        }
        for part in parts {
            self.add(line, part);
        }
    }

    fn add(&mut self, line: usize, mut clause: Clause) {
        clause.sort_unstable();
        // Of one reading in two parts, either values are possible.
        clause.dedup_by(|later, first| {
            let is_same = later.0 == first.0;
            first.1 |= if is_same { later.1 } else { 0 };
            is_same
        });
        let says_nothing = clause.iter().any(|(reading, values)| *values == all_values(*reading));
        if clause.is_empty() || says_nothing {
            return;
        }
        let is_full = self.clauses.len() >= MAX_CLAUSES;
        if !is_full || clause.len() == 1 {
            self.clauses.entry(clause).or_insert(line);
        }
    }

    /// What follows for each reading, in the order of [`readings::ALL`]. Readings that records contradict are open again, and
    /// nothing is concluded from them.
    pub(super) fn conclude(&self) -> Vec<Domain> {
        let mut contradicted: BTreeMap<usize, [usize; 2]> = BTreeMap::new();
        loop {
            let clauses: Vec<(&Clause, usize)> = self
                .clauses
                .iter()
                .filter(|(clause, _)| clause.iter().all(|it| !contradicted.contains_key(&it.0)))
                .map(|(clause, line)| (clause, *line))
                .collect();
            let mut domains: Vec<Domain> = (0..readings::ALL.len())
                .map(|reading| Domain {
                    values: all_values(reading),
                    ruled_out: [None; 8],
                    contradiction: contradicted.get(&reading).copied(),
                })
                .collect();
            match imply(&mut domains, &clauses) {
                Ok(()) => return domains,
                Err((reading, lines)) => contradicted.insert(reading, lines),
            };
        }
    }
}

/// Rules out what the clauses rule out, also in combination. The error is a reading that is left without a value, and two lines that
/// do not agree about it.
fn imply(domains: &mut [Domain], clauses: &[(&Clause, usize)]) -> Result<(), (usize, [usize; 2])> {
    propagate(domains, clauses)?;
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for reading in 0..domains.len() {
            for value in 0..8 {
                let bit: Values = 1 << value;
                let is_open = domains
                    .get(reading)
                    .is_some_and(|it| it.values & bit != 0 && it.values.count_ones() > 1);
                if !is_open
                    || !clauses
                        .iter()
                        .any(|(it, _)| it.len() > 1 && it.iter().any(|it| it.0 == reading))
                {
                    continue;
                }
                let mut assumed = domains.to_vec();
                if let Some(domain) = assumed.get_mut(reading) {
                    domain.values = bit;
                }
                if let Err((_, [_, line])) = propagate(&mut assumed, clauses)
                    && let Some(domain) = domains.get_mut(reading)
                {
                    domain.values &= !bit;
                    if let Some(ruled_out) = domain.ruled_out.get_mut(value) {
                        *ruled_out = Some(line);
                    }
                    is_changed = true;
                }
            }
        }
        propagate(domains, clauses)?;
    }
    Ok(())
}

fn propagate(
    domains: &mut [Domain],
    clauses: &[(&Clause, usize)],
) -> Result<(), (usize, [usize; 2])> {
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for (clause, line) in clauses {
            let values = |reading: usize| domains.get(reading).map_or(0, |it| it.values);
            let mut possible =
                clause.iter().filter(|(reading, allowed)| values(*reading) & allowed != 0);
            let (only, more) = (possible.next(), possible.next());
            let (reading, allowed) = match (only, more) {
                (_, Some(_)) => continue,
                (Some(only), None) => *only,
                // Any of its readings could be the wrong one: the first is shown.
                (None, None) => (clause.first().map_or(0, |it| it.0), 0),
            };
            let Some(domain) = domains.get_mut(reading) else { continue };
            let before = domain.values;
            let Some((_, wanted)) = clause.iter().find(|it| it.0 == reading) else { continue };
            if before & !allowed == 0 && allowed != 0 {
                continue;
            }
            if before & allowed == 0 {
                let other = (0..8).find(|at| wanted >> at & 1 == 1);
                let other = other.and_then(|at| domain.ruled_out.get(at).copied().flatten());
                let other = other.unwrap_or(*line);
                return Err((reading, [other.min(*line), other.max(*line)]));
            }
            domain.values = before & allowed;
            for (at, ruled_out) in domain.ruled_out.iter_mut().enumerate() {
                if before & !allowed & (1 << at) != 0 {
                    *ruled_out = Some(*line);
                }
            }
            is_changed = true;
        }
    }
    Ok(())
}
