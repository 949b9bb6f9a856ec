//! The order in which to send the bodies of a plan.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::agent_plan::AgentPlan;

/// The order, and where none works.
#[derive(Clone, Debug, Default)]
pub(crate) struct Order {
    /// Indexes of the documents that have a body.
    pub(crate) sent: Vec<usize>,
    /// Documents that each have to be sent before the next one, and the last one before the first.
    pub(crate) cycles: Vec<Vec<usize>>,
}

/// What has to be sent before what. The first nodes are the documents. The others stand for an event that some documents
/// bring about and others wait for, so that the number of edges stays small.
struct Graph {
    after: Vec<Vec<usize>>,
    before: Vec<Vec<usize>>,
    documents: usize,
}

impl Order {
    /// A number is given up before another agent claims it, and a version is edited before its agent publishes one. Everything
    /// else is sent by name.
    pub(crate) fn of(agents: &[AgentPlan]) -> Self {
        let mut graph = Graph::new(agents.len());
        graph.add_numbers(agents);
        graph.add_publishing(agents);
        graph.sorted(|at| agents.get(at).is_some_and(AgentPlan::is_sent))
    }
}

/// The numbers that are stored for each agent, by the index of their setting, whether they are connected or not.
fn stored_numbers(agents: &[AgentPlan]) -> HashMap<&str, BTreeSet<(usize, &str)>> {
    let mut stored: HashMap<&str, BTreeSet<(usize, &str)>> = HashMap::new();
    for agent in agents {
        let Some(id) = &agent.claims.agent else { continue };
        for (used, number) in agent.claims.numbers.iter().enumerate() {
            if let Some(held) = number.held.name() {
                stored.entry(id).or_default().insert((used, &held.raw));
            }
        }
    }
    stored
}

impl Graph {
    fn new(documents: usize) -> Self {
        let nodes = vec![Vec::new(); documents];
        Self { after: nodes.clone(), before: nodes, documents }
    }

    fn event(&mut self) -> usize {
        self.after.push(Vec::new());
        self.before.push(Vec::new());
        self.after.len() - 1
    }

    fn add(&mut self, first: usize, second: usize) {
        if let Some(after) = self.after.get_mut(first) {
            after.push(second);
        }
        if let Some(before) = self.before.get_mut(second) {
            before.push(first);
        }
    }

    /// Documents that give a number up come before those that claim it.
    fn add_numbers(&mut self, agents: &[AgentPlan]) {
        let stored = stored_numbers(agents);
        let mut released: BTreeMap<(usize, &str), usize> = BTreeMap::new();
        for (at, agent) in agents.iter().enumerate().filter(|(_, agent)| agent.is_sent()) {
            for (used, number) in agent.claims.numbers.iter().enumerate() {
                let Some((sent, _)) = &number.sent else { continue };
                let of_agent = agent.claims.agent.as_deref().and_then(|id| stored.get(id));
                let own = number.held.name().map(|held| (used, &*held.raw));
                let held = of_agent.into_iter().flatten().copied().chain(own);
                let given_up: BTreeSet<_> =
                    held.filter(|(of, held)| *of == used && **held != *sent.raw).collect();
                for number in given_up {
                    let event = *released.entry(number).or_insert_with(|| self.event());
                    self.add(at, event);
                }
            }
        }
        for (at, agent) in agents.iter().enumerate().filter(|(_, agent)| agent.is_sent()) {
            for (used, number) in agent.claims.numbers.iter().enumerate() {
                let Some((sent, _)) = &number.sent else { continue };
                if let Some(event) = released.get(&(used, &*sent.raw)) {
                    self.add(*event, at);
                }
            }
        }
    }

    /// Documents that edit an agent come before those that publish a version of it.
    ///
    /// Of several that publish the same version the first one by name comes first: the others are planned for what it leaves.
    fn add_publishing(&mut self, agents: &[AgentPlan]) {
        let mut published: HashMap<&str, usize> = HashMap::new();
        let mut firsts: HashMap<(&str, &str), usize> = HashMap::new();
        let sent = || agents.iter().enumerate().filter(|(_, agent)| agent.is_sent());
        for (at, agent) in sent().filter(|(_, agent)| agent.claims.publishes) {
            if let Some(id) = agent.claims.agent.as_deref() {
                let event = *published.entry(id).or_insert_with(|| self.event());
                self.add(event, at);
                if let Some(version) = agent.claims.version.as_deref() {
                    let first = *firsts.entry((id, version)).or_insert(at);
                    if first != at {
                        self.add(first, at);
                    }
                }
            }
        }
        for (at, agent) in sent().filter(|(_, agent)| !agent.claims.publishes) {
            let event = agent.claims.agent.as_deref().and_then(|id| published.get(id));
            if let Some(event) = event {
                self.add(at, *event);
            }
        }
    }

    /// The documents in an order that respects the graph where one exists, and otherwise the order of their names.
    fn sorted(&self, is_sent: impl Fn(usize) -> bool) -> Order {
        let mut order = Order::default();
        let mut waits: Vec<usize> = self.before.iter().map(Vec::len).collect();
        let mut is_done = vec![false; waits.len()];
        let mut rest: BTreeSet<usize> = (0..waits.len()).collect();
        let is_free = |(at, waits): (usize, &usize)| (*waits == 0).then_some(at);
        let mut free: BTreeSet<usize> = waits.iter().enumerate().filter_map(is_free).collect();
        loop {
            // An event takes no time: what it frees may have the first name of all.
            let events = free.range(self.documents..).next().copied();
            let next = events.or_else(|| free.first().copied()).or_else(|| {
                let cycle = self.cycle(*rest.first()?, &is_done);
                let documents: Vec<usize> =
                    cycle.into_iter().filter(|at| *at < self.documents).collect();
                let first = documents.iter().min().copied();
                order.cycles.push(documents);
                first
            });
            let Some(next) = next else { return order };
            free.remove(&next);
            rest.remove(&next);
            if let Some(is_done) = is_done.get_mut(next) {
                *is_done = true;
            }
            if next < self.documents && is_sent(next) {
                order.sent.push(next);
            }
            for after in self.after.get(next).into_iter().flatten() {
                let Some(waits) = waits.get_mut(*after) else { continue };
                *waits = waits.saturating_sub(1);
                if *waits == 0 && rest.contains(after) {
                    free.insert(*after);
                }
            }
        }
    }

    /// A cycle among what is not done, in the order of sending: found by going back from `start`, of which something is always
    /// left to wait for.
    fn cycle(&self, start: usize, is_done: &[bool]) -> Vec<usize> {
        let is_open = |at: &&usize| is_done.get(**at) == Some(&false);
        let mut path: Vec<usize> = Vec::new();
        let mut places: HashMap<usize, usize> = HashMap::new();
        let mut at = start;
        loop {
            if let Some(from) = places.get(&at) {
                let mut cycle = path.split_off(*from);
                cycle.reverse();
                return cycle;
            }
            places.insert(at, path.len());
            path.push(at);
            let Some(before) = self.before.get(at).and_then(|all| all.iter().find(is_open)) else {
                return vec![start];
            };
            at = *before;
        }
    }
}
