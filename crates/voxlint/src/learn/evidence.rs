//! What records say about readings: values that they allow, kept with the line that rules out each of the others.

use std::collections::{BTreeMap, BTreeSet};

use voxlint_model::RuleRef;
use voxlint_model::readings::{Assumption, Readings, SetReading};
use voxlint_schema::readings::{self, Reading};

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
    pub(super) settings: BTreeSet<String>,
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
    /// How many conclusions were not kept, because there were too many.
    pub(super) dropped: usize,
}

/// What a conclusion follows from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    /// A line.
    Record(usize),
    /// What the team has set for a reading, by its index.
    Set(usize),
}

/// What is known about one reading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Domain {
    pub(super) values: Values,
    /// What together rules out each value.
    pub(super) ruled_out: [Sources; 8],
    /// What no values explain together.
    pub(super) contradiction: Sources,
}

/// What conclusions follow from.
pub(super) type Sources = BTreeSet<Source>;

fn all_values(reading: usize) -> Values {
    let count = readings::ALL.get(reading).map_or(0, |it| it.values.len());
    u8::MAX.checked_shr(8 - count as u32).unwrap_or_default()
}

/// The index of a reading in [`readings::ALL`].
fn index_of(reading: &Reading) -> Option<usize> {
    readings::ALL.iter().position(|it| it.name == reading.name)
}

/// What a team has set, as a clause.
fn as_clause(set: &SetReading) -> Option<(Clause, Source)> {
    let index = index_of(set.reading)?;
    let values = set.values.iter().filter_map(|value| set.reading.index_of(value));
    Some((vec![(index, values.fold(0, |bits, at| bits | 1 << at))], Source::Set(index)))
}

/// The index of the reading, and the values under which the service rejects something.
fn literal(assumption: &Assumption) -> Option<(usize, Values)> {
    let index = index_of(assumption.reading)?;
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
        if !is_full || clause.len() == 1 || self.clauses.contains_key(&clause) {
            self.clauses.entry(clause).or_insert(line);
        } else {
            self.dropped += 1;
        }
    }

    /// What follows for each reading, in the order of [`readings::ALL`], from the records and what the team has set. All readings
    /// of what contradicts itself are open again, and nothing is concluded from them.
    pub(super) fn conclude(&self, team: &Readings) -> Vec<Domain> {
        let set: Vec<(Clause, Source)> = team.iter().filter_map(as_clause).collect();
        let mut contradicted: BTreeMap<usize, Sources> = BTreeMap::new();
        loop {
            let recorded =
                self.clauses.iter().map(|(clause, line)| (clause, Source::Record(*line)));
            let clauses: Vec<(&Clause, Source)> = set
                .iter()
                .map(|(clause, source)| (clause, *source))
                .chain(recorded)
                .filter(|(clause, _)| clause.iter().all(|it| !contradicted.contains_key(&it.0)))
                .collect();
            let domain = |reading: usize| Domain {
                values: all_values(reading),
                contradiction: contradicted.get(&reading).cloned().unwrap_or_default(),
                ..Domain::default()
            };
            let mut domains: Vec<Domain> = (0..readings::ALL.len()).map(domain).collect();
            match imply(&mut domains, &clauses) {
                Ok(()) => return domains,
                Err((clause, sources)) => {
                    // What is said of one reading alone does not contradict what is said of others.
                    let several =
                        clauses.iter().filter(|it| sources.contains(&it.1) && it.0.len() > 1);
                    let readings = several.flat_map(|(clause, _)| *clause).chain(&clause);
                    for (reading, _) in readings {
                        contradicted.entry(*reading).or_default().extend(&sources);
                    }
                }
            }
        }
    }
}

/// A clause that cannot hold, and what together says so.
type Contradiction = (Clause, Sources);

/// Rules out what the clauses rule out, also in combination.
fn imply(domains: &mut [Domain], clauses: &[(&Clause, Source)]) -> Result<(), Contradiction> {
    propagate(domains, clauses)?;
    let in_several: BTreeSet<usize> = clauses
        .iter()
        .filter(|(clause, _)| clause.len() > 1)
        .flat_map(|(clause, _)| clause.iter().map(|it| it.0))
        .collect();
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for &reading in &in_several {
            for value in 0..8 {
                let bit: Values = 1 << value;
                let values = domains.get(reading).map_or(0, |it| it.values);
                if values & bit == 0 || values.count_ones() < 2 {
                    continue;
                }
                let mut assumed = domains.to_vec();
                if let Some(domain) = assumed.get_mut(reading) {
                    domain.values = bit;
                }
                if let (Err((_, sources)), Some(domain)) =
                    (propagate(&mut assumed, clauses), domains.get_mut(reading))
                {
                    domain.values &= !bit;
                    domain
                        .ruled_out
                        .iter_mut()
                        .skip(value)
                        .take(1)
                        .for_each(|it| it.extend(&sources));
                    is_changed = true;
                }
            }
        }
        propagate(domains, clauses)?;
    }
    Ok(())
}

fn propagate(domains: &mut [Domain], clauses: &[(&Clause, Source)]) -> Result<(), Contradiction> {
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for (clause, source) in clauses {
            let values = |reading: usize| domains.get(reading).map_or(0, |it| it.values);
            let mut possible =
                clause.iter().filter(|(reading, allowed)| values(*reading) & allowed != 0);
            let (only, more) = (possible.next(), possible.next());
            if more.is_some() {
                continue;
            }
            // Why all other parts of the clause are ruled out.
            let others = clause.iter().filter(|it| Some(*it) != only);
            let mut sources = Sources::from([*source]);
            for (reading, allowed) in others {
                let ruled_out =
                    domains.get(*reading).into_iter().flat_map(|it| it.ruled_out.iter());
                let ruled_out = ruled_out.enumerate().filter(|(at, _)| allowed >> at & 1 == 1);
                sources.extend(ruled_out.flat_map(|(_, sources)| sources));
            }
            let Some(&(reading, allowed)) = only else {
                return Err(((*clause).clone(), sources));
            };
            let Some(domain) = domains.get_mut(reading) else { continue };
            let new = domain.values & !allowed;
            domain.values &= allowed;
            for (at, ruled_out) in domain.ruled_out.iter_mut().enumerate() {
                if new >> at & 1 == 1 {
                    ruled_out.extend(&sources);
                }
            }
            is_changed |= new != 0;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conclusions_that_are_not_kept_are_counted() {
        let mut evidence = Evidence::default();
        let pairs = (0..readings::ALL.len()).flat_map(|a| (0..a).map(move |b| (a, b)));
        let triples = pairs.flat_map(|(a, b)| (0..b).map(move |c| vec![(a, 1), (b, 1), (c, 1)]));
        let triples: Vec<Clause> = triples.collect();
        for clause in &triples {
            evidence.add(1, clause.clone());
        }
        // What is known already is not lost.
        evidence.add(2, triples[0].clone());
        evidence.add(3, vec![(0, 2)]);
        assert_eq!(evidence.dropped, triples.len() - MAX_CLAUSES);
        assert_eq!(evidence.conclude(&Readings::default())[0].values, 2);
    }
}
