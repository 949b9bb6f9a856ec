//! What becomes of a document whose version another document of the plan publishes before it.

use std::collections::{BTreeMap, HashMap};

use voxlint_schema::settings;

use super::agent_plan::{AgentPlan, MAX_NAME, Outcome, PlannedStatus};
use crate::ChangeKind;
use crate::predict::{OK, phrase};
use voxlint_rules::ids::PUBLISHED_VERSION_EDITED;

/// The status of an update of a published version.
const BAD_REQUEST: u16 = 400;

/// What a version has of a setting, compared with the stored value: its digest, or `None` for a value that is not known.
type Left = BTreeMap<usize, Option<u64>>;

/// The documents of one version: those that only edit it, in the order of sending, and the first one that publishes it.
#[derive(Default)]
struct OneVersion {
    edits: Vec<usize>,
    first: Option<usize>,
    later: Vec<usize>,
}

/// Plans each document that publishes a version after another one for the version as that one leaves it: published, with
/// its settings. The documents are sorted by name, and the first one is sent first. Whether that one is accepted may depend on
/// something unknown, but if it is rejected, nothing is sent after it.
pub(super) fn plan_later(agents: &mut [AgentPlan]) {
    for one in versions(agents).into_values() {
        let Some(first) = one.first.and_then(|at| agents.get(at)) else { continue };
        let mut left = Left::new();
        for edit in one.edits.iter().filter_map(|at| agents.get(*at)).chain([first]) {
            left.extend(given(edit).map(|at| (at, value_of(edit, at))));
        }
        let name = format!("`{}`", voxlint_syntax::excerpt(&first.name, MAX_NAME));
        for at in one.later {
            let Some(agent) = agents.get_mut(at) else { continue };
            let repeats = repeats(agent, &left);
            let number = agent.version_number.clone().unwrap_or_default();
            agent.keep_alone();
            if repeats {
                agent.outcome = Outcome::NoChange;
                (agent.body, agent.statuses) = (None, Vec::new());
                agent.notes.push(format!("{name} publishes version {number} with these settings"));
                continue;
            }
            let rule = PUBLISHED_VERSION_EDITED;
            let reason = format!(
                "{name} publishes version {number} before, and a published version cannot be edited [{rule}]"
            );
            // The description does not say what the flag permits.
            reject(agent, reason, !agent.claims.may_edit_published);
        }
    }
}

/// The documents that are sent, by the agent and the version.
fn versions(agents: &[AgentPlan]) -> HashMap<(String, String), OneVersion> {
    let mut versions: HashMap<(String, String), OneVersion> = HashMap::new();
    for (at, agent) in agents.iter().enumerate().filter(|(_, agent)| agent.is_sent()) {
        let claims = &agent.claims;
        let (Some(id), Some(number)) = (claims.agent.as_deref(), claims.version.as_deref()) else {
            continue;
        };
        let one = versions.entry((id.to_owned(), number.to_owned())).or_default();
        if !claims.publishes {
            one.edits.push(at);
        } else if one.first.is_none() {
            one.first = Some(at);
        } else {
            one.later.push(at);
        }
    }
    versions.retain(|_, one| !one.later.is_empty());
    versions
}

/// The settings to which an update gives other values, by the index of their row.
fn given(agent: &AgentPlan) -> impl Iterator<Item = usize> {
    let changes = agent.changes.iter();
    let changes = changes
        .filter(|change| ![ChangeKind::Publishing, ChangeKind::Repeated].contains(&change.kind));
    let rows = changes.filter_map(|change| settings::TABLE.row(change.field.strip_prefix('/')?));
    rows.map(|row| row.index)
}

fn value_of(agent: &AgentPlan, index: usize) -> Option<u64> {
    let written = agent.claims.written.iter();
    written.rev().find(|(of, _)| *of == index).map(|(_, digest)| *digest)
}

/// Whether a document says what the version has already, once the earlier documents have been sent.
fn repeats(agent: &AgentPlan, left: &Left) -> bool {
    let is_left =
        |at: usize| value_of(agent, at).is_some() && left.get(&at) == Some(&value_of(agent, at));
    let mut written = agent.claims.written.iter().map(|(at, _)| *at);
    given(agent).all(is_left) && written.all(|at| !left.contains_key(&at) || is_left(at))
}

/// Adds the rejection, which is certain or depends on something unknown.
fn reject(agent: &mut AgentPlan, reason: String, is_certain: bool) {
    if is_certain {
        agent.outcome = Outcome::Refused;
        agent.body = None;
        agent.statuses.retain(|it| it.status != OK);
    } else {
        agent.outcome = Outcome::Depends;
    }
    match agent.statuses.iter_mut().find(|it| it.status == BAD_REQUEST) {
        Some(status) => {
            status.is_expected |= is_certain;
            status.reasons.insert(status.reasons.len().saturating_sub(status.not_listed), reason);
        }
        None => agent.statuses.push(PlannedStatus {
            status: BAD_REQUEST,
            phrase: phrase(BAD_REQUEST),
            is_expected: is_certain,
            reasons: vec![reason],
            not_listed: 0,
        }),
    }
    agent.statuses.sort_by_key(|it| it.status);
}
