use std::collections::{HashMap, HashSet};
use voxlint_rules::rule;

use super::shared::{SHARED_OUTBOUND, unknown_agent};
use crate::plan::claims::{ClaimPlace, Name, StoredNumber, Unplanned};
use crate::plan::fleet::{Fleet, FleetVerdict, FoundAcross};

rule! {
    /// An update claims an inbound number that another agent has, and keeps.
    ///
    /// Calls to one number reach one agent, so the other agent loses the number, although nothing in its document says so.
    /// There is no finding if the plan of the other agent detaches or replaces the number: that update is sent first. If two
    /// agents exchange their numbers, no order works, and the finding says so. Whether the number of a draft is connected is
    /// not known, unless the agent has no published version.
    ///
    /// The other agent may be that of a document that is not planned, or of a stored configuration without a document.
    ///
    /// Only `voxlint plan` runs the rule, because it compares documents. In the examples, a document that is not the last one
    /// is called `a.json`, and the finding is in `b.json`.
    ///
    /// ```json,stored
    /// {
    ///   "agent": { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent", "versions": [{ "version_number": 3, "is_published": true }]},
    ///   "version": { "version_number": 3, "is_published": true, "inbound_phone_number_id": "pn_main" },
    ///   "complete": true
    /// }
    /// ```
    ///
    /// ```json,beside
    /// { "version_number": 3, "inbound_phone_number_id": "pn_main" }
    /// ```
    ///
    /// ```json,stored
    /// { "id": "ag_night_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 7, "is_published": true, "inbound_phone_number_id": "pn_main" }
    /// ```
    ///
    /// ```json,stored
    /// {
    ///   "agent": { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" },
    ///   "version": { "version_number": 4, "is_published": false, "inbound_phone_number_id": "pn_main" },
    ///   "complete": true
    /// }
    /// ```
    ///
    /// ```json,beside
    /// { "version_number": 4, "title": "Front desk" }
    /// ```
    ///
    /// ```json,stored
    /// { "id": "ag_night_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,undecided
    /// { "version_number": 7, "is_published": true, "inbound_phone_number_id": "pn_main" }
    /// ```
    ///
    /// ```json,stored
    /// {
    ///   "agent": { "id": "ag_front_desk", "agent_type": "Single_Prompt_Agent" },
    ///   "version": { "version_number": 4, "is_published": false, "inbound_phone_number_id": "pn_main" },
    ///   "complete": true
    /// }
    /// ```
    ///
    /// ```json,beside
    /// { "version_number": 4, "is_published": true, "inbound_phone_number_id": "" }
    /// ```
    ///
    /// ```json,stored
    /// { "id": "ag_night_desk", "agent_type": "Single_Prompt_Agent" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 7, "is_published": true, "inbound_phone_number_id": "pn_main" }
    /// ```
    "phone-number-held-by-another-agent": Fleet {
        group: Suspicious,
        basis: Inferred("The description says that a publishing update claims its numbers, but not what happens to the agent that had one."),
        section: "4.1 rule 5",
        reads: [is_published, inbound_phone_number_id, outbound_phone_number_id],
    }
}

fn check(fleet: &Fleet<'_>) -> Vec<FleetVerdict> {
    let mut said = Vec::new();
    for (used, number, claimers) in fleet.claims() {
        // What claims the number as well is another rule's finding.
        let agents: HashSet<&str> = claimers.iter().filter_map(|at| fleet.agent_id(*at)).collect();
        let claimers_of_one: HashSet<usize> = claimers.iter().copied().collect();
        let is_claimed_again = |holder: &usize| {
            claimers_of_one.contains(holder)
                || fleet.agent_id(*holder).is_some_and(|id| agents.contains(id))
        };
        let mut releasers = HashMap::new();
        let holders = fleet.holders(used, number).iter().copied();
        let holders: Vec<Holder> = holders
            .filter(|holder| !is_claimed_again(holder))
            .map(|at| {
                let releasing = || {
                    let released = fleet.released_by(at, used, number);
                    (released, fleet.may_release(at, used, number))
                };
                // The documents of one agent are searched once.
                let (released, may_release) = match fleet.agent_id(at) {
                    Some(id) => *releasers.entry(id).or_insert_with(releasing),
                    None => releasing(),
                };
                Holder { at, released, may_release }
            })
            .collect();
        for &at in claimers {
            said.extend(of_claim(fleet, used, &holders, at));
        }
    }
    said
}

/// A document whose stored configuration has a number, and which does not claim it again.
struct Holder {
    at: usize,
    /// The document that gives the number up, and one that may do so.
    released: Option<usize>,
    may_release: Option<usize>,
}

/// The verdict about one claim: a certain loss, or else the first thing that would decide.
fn of_claim(fleet: &Fleet<'_>, used: usize, holders: &[Holder], at: usize) -> Option<FleetVerdict> {
    let undecided =
        |why: String, needs_stored: bool| Some(FleetVerdict::Undecided(at, why, needs_stored));
    let agent = fleet.agent(at)?;
    let (shown, spot) = agent.claims.numbers.get(used)?.sent.as_ref()?;
    let is_own = |holder: usize| fleet.is_same_agent(holder, at) == Some(true) || holder == at;
    let mut reason = None;
    for &Holder { at: holder, released, may_release } in holders {
        if is_own(holder) {
            continue;
        }
        let other = fleet.agent(holder)?;
        match (&other.claims.numbers.get(used)?.held, released) {
            (_, Some(by)) if fleet.is_before(by, at) || !agent.is_sent() => {}
            _ if used != 0 => reason = reason.or(Some((SHARED_OUTBOUND.to_owned(), false))),
            (_, Some(by)) => return Some(exchange(fleet, at, by, (shown, spot))),
            _ if fleet.is_same_agent(holder, at).is_none() => {
                reason = reason.or_else(|| Some((unknown_agent(&fleet.name(holder)), true)));
            }
            (_, None) if may_release.is_some() => {
                let by = may_release.unwrap_or(holder);
                reason = reason.or_else(|| {
                    let why = format!(
                        "depends on whether {} gives up the number {}",
                        fleet.name(by),
                        shown.shown
                    );
                    Some((why, true))
                });
            }
            (StoredNumber::Yes(_), None) => {
                return Some(loss(fleet, at, (holder, used), (shown, spot)));
            }
            _ => {
                reason = reason.or_else(|| {
                    let name = fleet.name(holder);
                    let why = format!(
                        "depends on whether {} is connected to the agent of {name}, which has it in a version that is not known to be live",
                        shown.shown
                    );
                    Some((why, true))
                });
            }
        }
    }
    if let Some((why, needs_stored)) = reason {
        return undecided(why, needs_stored);
    }
    let holder = fleet.unknown_holder(used, at)?;
    let why =
        format!("depends on the number that is connected to the agent of {}", fleet.name(holder));
    undecided(why, true)
}

/// The other agent keeps the number in its document, and loses it.
fn loss(
    fleet: &Fleet<'_>,
    at: usize,
    (holder, used): (usize, usize),
    (shown, spot): (&Name, &ClaimPlace),
) -> FleetVerdict {
    let (agent, name) = (fleet.agent_of(holder), fleet.name(holder));
    let first = match (fleet.would_release(holder, used, &shown.raw), fleet.beside(holder)) {
        (Some(by), _) => {
            format!("plan {} as well, which gives the number up", fleet.name(by))
        }
        (None, Some(Unplanned::Stored)) => "detach the number from that agent first".to_owned(),
        (None, _) => format!("publish {name} with another number or an empty one"),
    };
    let found = FoundAcross {
        at: spot.clone(),
        message: format!("{} is connected to the {agent} of {name}, which loses it", shown.shown),
        help: format!("{first}, or claim another number here"),
        severity: None,
        others: vec![holder],
    };
    FleetVerdict::Finding(at, Box::new(found))
}

/// The other agent gives the number up, but has to be sent later for another reason.
fn exchange(
    fleet: &Fleet<'_>,
    at: usize,
    by: usize,
    (shown, spot): (&Name, &ClaimPlace),
) -> FleetVerdict {
    let cycles = fleet.order.cycles.iter();
    let mut around = cycles.filter(|cycle| cycle.contains(&at) && cycle.contains(&by));
    let mut others = around.next().map_or_else(|| vec![by], Clone::clone);
    others.retain(|other| *other != at);
    others.sort_unstable();
    let found = FoundAcross {
        at: spot.clone(),
        message: format!(
            "{} is claimed before {} gives it up: no order of sending works, because the documents wait for each other",
            shown.shown,
            fleet.name(by)
        ),
        help: "detach one of the numbers first, in an update of its own that publishes".to_owned(),
        severity: None,
        others,
    };
    FleetVerdict::Finding(at, Box::new(found))
}
