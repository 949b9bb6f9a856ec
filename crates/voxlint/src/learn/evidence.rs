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
}

/// What is known about one reading.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Domain {
    pub(super) values: Values,
    /// The lines that together rule out each value.
    pub(super) ruled_out: [Lines; 8],
    /// Lines that no values explain together.
    pub(super) contradiction: Lines,
}

/// Lines of records.
pub(super) type Lines = BTreeSet<usize>;

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

    /// What follows for each reading, in the order of [`readings::ALL`]. All readings of records that contradict each other are
    /// open again, and nothing is concluded from them.
    pub(super) fn conclude(&self) -> Vec<Domain> {
        let mut contradicted: BTreeMap<usize, Lines> = BTreeMap::new();
        loop {
            let clauses: Vec<(&Clause, usize)> = self
                .clauses
                .iter()
                .filter(|(clause, _)| clause.iter().all(|it| !contradicted.contains_key(&it.0)))
                .map(|(clause, line)| (clause, *line))
                .collect();
            let domain = |reading: usize| Domain {
                values: all_values(reading),
                contradiction: contradicted.get(&reading).cloned().unwrap_or_default(),
                ..Domain::default()
            };
            let mut domains: Vec<Domain> = (0..readings::ALL.len()).map(domain).collect();
            match imply(&mut domains, &clauses) {
                Ok(()) => return domains,
                Err((clause, lines)) => {
                    // What the records say of one reading alone does not contradict what they say of others.
                    let several =
                        clauses.iter().filter(|it| lines.contains(&it.1) && it.0.len() > 1);
                    let readings = several.flat_map(|(clause, _)| *clause).chain(&clause);
                    for (reading, _) in readings {
                        contradicted.entry(*reading).or_default().extend(&lines);
                    }
                }
            }
        }
    }
}

/// A clause that cannot hold, and the lines that together say so.
type Contradiction = (Clause, Lines);

/// Rules out what the clauses rule out, also in combination.
fn imply(domains: &mut [Domain], clauses: &[(&Clause, usize)]) -> Result<(), Contradiction> {
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
                if let (Err((_, lines)), Some(domain)) =
                    (propagate(&mut assumed, clauses), domains.get_mut(reading))
                {
                    domain.values &= !bit;
                    domain
                        .ruled_out
                        .iter_mut()
                        .skip(value)
                        .take(1)
                        .for_each(|it| it.extend(&lines));
                    is_changed = true;
                }
            }
        }
        propagate(domains, clauses)?;
    }
    Ok(())
}

fn propagate(domains: &mut [Domain], clauses: &[(&Clause, usize)]) -> Result<(), Contradiction> {
    let mut is_changed = true;
    while is_changed {
        is_changed = false;
        for (clause, line) in clauses {
            let values = |reading: usize| domains.get(reading).map_or(0, |it| it.values);
            let mut possible =
                clause.iter().filter(|(reading, allowed)| values(*reading) & allowed != 0);
            let (only, more) = (possible.next(), possible.next());
            if more.is_some() {
                continue;
            }
            // Why all other parts of the clause are ruled out.
            let others = clause.iter().filter(|it| Some(*it) != only);
            let mut lines = Lines::from([*line]);
            for (reading, allowed) in others {
                let ruled_out =
                    domains.get(*reading).into_iter().flat_map(|it| it.ruled_out.iter());
                let ruled_out = ruled_out.enumerate().filter(|(at, _)| allowed >> at & 1 == 1);
                lines.extend(ruled_out.flat_map(|(_, lines)| lines));
            }
            let Some(&(reading, allowed)) = only else {
                return Err(((*clause).clone(), lines));
            };
            let Some(domain) = domains.get_mut(reading) else { continue };
            let new = domain.values & !allowed;
            domain.values &= allowed;
            for (at, ruled_out) in domain.ruled_out.iter_mut().enumerate() {
                if new >> at & 1 == 1 {
                    ruled_out.extend(&lines);
                }
            }
            is_changed |= new != 0;
        }
    }
    Ok(())
}
