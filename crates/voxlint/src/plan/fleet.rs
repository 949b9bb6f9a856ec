//! All documents of a plan, as the rules across documents see them.

use std::collections::{BTreeMap, HashMap};

use super::agent_plan::{AgentPlan, MAX_NAME, Outcome};
use super::claims::{ClaimPlace, NumberUse, StoredNumber, Unplanned};
use super::order::Order;
use voxlint_model::Severity;

/// The number of other documents that a finding lists, and is compared with, so that the time stays proportional to the number
/// of documents even if all are about one version.
pub(crate) const MAX_OTHERS: usize = 32;

/// The number of documents that a message names.
const MAX_NAMED: usize = 3;

/// How many documents are kept where any of them is as good, except for the one that asks.
const MOST_NAMED: usize = 3;

/// The documents of a plan in the order of their names, and then its neighbors, with what the rules look up.
#[derive(Debug)]
pub(crate) struct Fleet<'a> {
    pub(crate) agents: &'a [AgentPlan],
    /// How many of them are planned. The others are neighbors.
    planned: usize,
    pub(crate) order: &'a Order,
    /// When each document is sent.
    positions: HashMap<usize, usize>,
    /// The documents of each agent.
    by_agent: HashMap<&'a str, Vec<usize>>,
    /// The documents whose request connects a number.
    claimers: BTreeMap<(usize, &'a str), Vec<usize>>,
    /// The documents whose stored configuration has a number.
    holders: BTreeMap<(usize, &'a str), Vec<usize>>,
    /// Documents that are not known to be sent, or for which agent, and that replace or detach a number: a few with
    /// different numbers.
    possible_releasers: [Vec<usize>; 2],
    /// The documents of whose agents the connected number is not known: a few with different agents.
    unknown_holders: [Vec<usize>; 2],
}

/// What a rule across documents is given, and what it gives.
pub(crate) type Check = fn(&Fleet<'_>) -> Vec<FleetVerdict>;

/// What a rule says about a document, by its index.
#[derive(Debug)]
pub(crate) enum FleetVerdict {
    Finding(usize, Box<FoundAcross>),
    /// Something unknown decides: a complete clause, and whether the stored configuration of another document would help.
    Undecided(usize, String, bool),
}

/// A mistake that several documents make together.
#[derive(Debug)]
pub(crate) struct FoundAcross {
    pub(crate) at: ClaimPlace,
    pub(crate) message: String,
    pub(crate) help: String,
    pub(crate) severity: Option<Severity>,
    /// The other documents.
    pub(crate) others: Vec<usize>,
}

impl<'a> Fleet<'a> {
    pub(crate) fn new(agents: &'a [AgentPlan], planned: usize, order: &'a Order) -> Self {
        let positions = order.sent.iter().enumerate().map(|(position, at)| (*at, position));
        let mut fleet = Self {
            agents,
            planned,
            order,
            positions: positions.collect(),
            by_agent: HashMap::new(),
            claimers: BTreeMap::new(),
            holders: BTreeMap::new(),
            possible_releasers: [Vec::new(), Vec::new()],
            unknown_holders: [Vec::new(), Vec::new()],
        };
        for (at, agent) in fleet.all() {
            if let Some(id) = agent.claims.agent.as_deref() {
                fleet.by_agent.entry(id).or_default().push(at);
            }
            for (used, number) in agent.claims.numbers.iter().enumerate() {
                fleet.add_number(at, agent, used, number);
            }
        }
        fleet
    }

    fn add_number(&mut self, at: usize, agent: &'a AgentPlan, used: usize, number: &'a NumberUse) {
        if let Some((sent, _)) = &number.sent {
            if !sent.raw.is_empty() {
                self.claimers.entry((used, &sent.raw)).or_default().push(at);
            }
            if agent.claims.agent.is_none() && is_possible(agent) {
                let is_new = |it: &usize| self.sends_another(*it, used, &sent.raw);
                let all = self.possible_releasers.get(used);
                if all.is_some_and(|all| all.len() < MOST_NAMED && all.iter().all(is_new))
                    && let Some(all) = self.possible_releasers.get_mut(used)
                {
                    all.push(at);
                }
            }
        }
        match &number.held {
            StoredNumber::Yes(held)
            | StoredNumber::Published(held)
            | StoredNumber::Stored(held) => {
                self.holders.entry((used, &held.raw)).or_default().push(at);
            }
            StoredNumber::Unknown => {
                let is_new = |it: &usize| self.is_same_agent(*it, at) != Some(true);
                let all = self.unknown_holders.get(used);
                if all.is_some_and(|all| all.len() < MOST_NAMED && all.iter().all(is_new))
                    && let Some(all) = self.unknown_holders.get_mut(used)
                {
                    all.push(at);
                }
            }
            StoredNumber::No => {}
        }
    }

    pub(crate) fn agent(&self, at: usize) -> Option<&'a AgentPlan> {
        self.agents.get(at)
    }

    /// Everything, each with its index. The neighbors come first: what a rule says about two documents is about the later one,
    /// and nothing is said about neighbors.
    pub(crate) fn all(&self) -> impl Iterator<Item = (usize, &'a AgentPlan)> + use<'a> {
        let all = self.agents.iter().enumerate();
        all.clone().skip(self.planned).chain(all.take(self.planned))
    }

    /// What something is that is not planned; `None` for a planned document.
    pub(crate) fn beside(&self, at: usize) -> Option<Unplanned> {
        self.agent(at)?.claims.beside
    }

    /// A document that would give a number of this holder up, but is not planned.
    pub(crate) fn would_release(&self, holder: usize, used: usize, number: &str) -> Option<usize> {
        self.releases(holder, used, number, |at, _| self.beside(at).is_some())
    }

    /// The first document of a holder's agent that fulfils a condition and gives a number up.
    fn releases(
        &self,
        holder: usize,
        used: usize,
        number: &str,
        is_it: impl Fn(usize, &AgentPlan) -> bool,
    ) -> Option<usize> {
        let own = self.agent(holder).map(|agent| (holder, agent));
        let mut all = own.into_iter().chain(self.of_same_agent(holder));
        all.find(|(at, agent)| is_it(*at, agent) && self.sends_another(*at, used, number))
            .map(|(at, _)| at)
    }

    /// The other documents of the same agent.
    pub(crate) fn of_same_agent(&self, at: usize) -> impl Iterator<Item = (usize, &'a AgentPlan)> {
        let id = self.agent(at).and_then(|agent| agent.claims.agent.as_deref());
        let same = id.and_then(|id| self.by_agent.get(id)).into_iter().flatten();
        same.filter(move |other| **other != at).filter_map(|it| Some((*it, self.agent(*it)?)))
    }

    /// The id of a document's agent, if it is known.
    pub(crate) fn agent_id(&self, at: usize) -> Option<&'a str> {
        self.agent(at)?.claims.agent.as_deref()
    }

    /// Whether two documents are of one agent, as far as that is known.
    pub(crate) fn is_same_agent(&self, one: usize, other: usize) -> Option<bool> {
        Some(self.agent_id(one)? == self.agent_id(other)?)
    }

    /// The documents whose requests connect a number, by the index of its setting, with those of one number together.
    pub(crate) fn claims(&self) -> impl Iterator<Item = (usize, &'a str, &[usize])> {
        self.claimers.iter().map(|((used, number), claimers)| (*used, *number, &claimers[..]))
    }

    /// The documents whose stored configuration has a number.
    pub(crate) fn holders(&self, used: usize, number: &'a str) -> &[usize] {
        self.holders.get(&(used, number)).map_or(&[], Vec::as_slice)
    }

    /// A document of another agent whose connected number is not known.
    pub(crate) fn unknown_holder(&self, used: usize, than: usize) -> Option<usize> {
        let all = self.unknown_holders.get(used)?;
        all.iter().copied().find(|at| *at != than && self.is_same_agent(*at, than) != Some(true))
    }

    /// The document of an agent whose update gives a number up.
    pub(crate) fn released_by(&self, holder: usize, used: usize, number: &str) -> Option<usize> {
        self.releases(holder, used, number, |_, agent| agent.is_sent())
    }

    /// A document that may turn out to give a number of this holder up: its agent is not known, or its stored configuration.
    pub(crate) fn may_release(&self, holder: usize, used: usize, number: &str) -> Option<usize> {
        let mut all = self.possible_releasers.get(used)?.iter().copied();
        let gives_up = |at: usize| self.sends_another(at, used, number);
        all.find(|at| gives_up(*at) && self.is_same_agent(*at, holder) != Some(false)).or_else(
            || {
                let mut same = self.of_same_agent(holder);
                same.find(|(at, other)| !other.is_sent() && is_possible(other) && gives_up(*at))
                    .map(|(at, _)| at)
            },
        )
    }

    fn sends_another(&self, at: usize, used: usize, number: &str) -> bool {
        let sent = |agent: &'a AgentPlan| agent.claims.numbers.get(used)?.sent.as_ref();
        self.agent(at).and_then(sent).is_some_and(|(sent, _)| *sent.raw != *number)
    }

    /// Whether one document is sent before another one.
    pub(crate) fn is_before(&self, one: usize, other: usize) -> bool {
        match (self.positions.get(&one), self.positions.get(&other)) {
            (Some(one), Some(other)) => one < other,
            _ => false,
        }
    }

    /// The name of a document between backquotes.
    pub(crate) fn name(&self, at: usize) -> String {
        let name = self.agent(at).map_or("", |agent| &agent.name);
        format!("`{}`", voxlint_syntax::excerpt(name, MAX_NAME))
    }

    /// The agent of a document, as a part of a sentence after `the`.
    pub(crate) fn agent_of(&self, at: usize) -> String {
        let id = self.agent(at).and_then(|agent| agent.agent_id.as_deref());
        id.map_or_else(|| "agent".to_owned(), |id| format!("agent `{id}`"))
    }

    /// The names of some documents, as a part of a sentence: the first ones of `count`.
    pub(crate) fn names(&self, first: &[usize], count: usize) -> String {
        let first = first.iter().take(MAX_NAMED);
        let mut names: Vec<String> = first.map(|at| self.name(*at)).collect();
        match count.saturating_sub(MAX_NAMED) {
            0 => {}
            more => names.push(format!("{more} more")),
        }
        match names.pop() {
            Some(last) if names.is_empty() => last,
            Some(last) => format!("{} and {last}", names.join(", ")),
            None => String::new(),
        }
    }
}

/// Whether a document may turn out to be sent.
fn is_possible(agent: &AgentPlan) -> bool {
    agent.is_sent() || agent.outcome == Outcome::NoStoredState
}
