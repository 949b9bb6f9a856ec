//! Compares what a saved plan says with a plan of the same inputs, entry by entry.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

/// An entry of `plan.json` that is not what planning again gives.
pub(super) struct EntryChange {
    /// A JSON Pointer (RFC 6901) into `plan.json`.
    pub(super) entry: String,
    /// The name of the agent that it is about; `None` for what is about all.
    pub(super) agent: Option<String>,
    /// What `plan.json` says; `None` if it has no such entry.
    pub(super) recorded: Option<Value>,
    /// What planning again gives, likewise.
    pub(super) planned: Option<Value>,
}

/// What is not compared without the base, for people.
pub(super) const OF_THE_BASE: &str =
    "changes made in the service, and which dangers and counts they add";

/// The entries that differ. Without the base, what only it decides is not compared.
pub(super) fn differences(
    recorded: &Value,
    mut planned: Value,
    has_base: bool,
) -> Vec<EntryChange> {
    if !has_base {
        adopt_base(recorded, &mut planned);
    }
    let mut found = Differences::default();
    found.compare(Some(recorded), Some(&planned));
    found.entries
}

#[derive(Default)]
struct Differences {
    /// The pointer to the entry that is compared.
    entry: String,
    agent: Option<String>,
    entries: Vec<EntryChange>,
}

impl Differences {
    fn compare(&mut self, recorded: Option<&Value>, planned: Option<&Value>) {
        match (recorded, planned) {
            (Some(Value::Object(recorded)), Some(Value::Object(planned))) => {
                let mut names: Vec<&String> = recorded.keys().collect();
                names.extend(planned.keys().filter(|name| !recorded.contains_key(*name)));
                for name in names {
                    let (recorded, planned) = (recorded.get(name), planned.get(name));
                    self.below(name, |below| below.compare(recorded, planned));
                }
            }
            (Some(Value::Array(recorded)), Some(Value::Array(planned))) => {
                if self.entry == "/agents" {
                    self.agents(recorded, planned);
                    return;
                }
                for at in 0..recorded.len().max(planned.len()) {
                    let (recorded, planned) = (recorded.get(at), planned.get(at));
                    self.below(&at.to_string(), |below| below.compare(recorded, planned));
                }
            }
            (recorded, planned) if recorded == planned => {}
            (recorded, planned) => self.entries.push(EntryChange {
                entry: self.entry.clone(),
                agent: self.agent.clone(),
                recorded: recorded.cloned(),
                planned: planned.cloned(),
            }),
        }
    }

    /// Agents belong together if they have the same name, so that one that was removed is not a change of all that follow it.
    fn agents(&mut self, recorded: &[Value], planned: &[Value]) {
        let mut left: BTreeMap<&str, &Value> =
            planned.iter().filter_map(|agent| Some((name_of(agent)?, agent))).collect();
        let mut order = Vec::new();
        for (at, agent) in recorded.iter().enumerate() {
            let name = name_of(agent);
            let other = name.and_then(|name| left.remove(name));
            order.extend(other.and(name));
            self.agent = name.map(str::to_owned);
            self.below(&at.to_string(), |below| match other {
                Some(other) => below.compare(Some(agent), Some(other)),
                None => below.one_sided(Some(agent), None),
            });
        }
        for (name, agent) in &left {
            self.agent = Some((*name).to_owned());
            self.one_sided(None, Some(agent));
        }
        self.agent = None;
        let names = planned.iter().filter_map(name_of).filter(|name| !left.contains_key(name));
        let names: Vec<&str> = names.collect();
        if order != names {
            self.one_sided(Some(&order.into()), Some(&names.into()));
        }
    }

    /// Reports an entry. An agent is reported with its outcome: the whole of it would be too long to read.
    fn one_sided(&mut self, recorded: Option<&Value>, planned: Option<&Value>) {
        let short = |value: &Value| value.get("outcome").unwrap_or(value).clone();
        self.entries.push(EntryChange {
            entry: self.entry.clone(),
            agent: self.agent.clone(),
            recorded: recorded.map(short),
            planned: planned.map(short),
        });
    }

    fn below(&mut self, name: &str, compare: impl FnOnce(&mut Self)) {
        let length = self.entry.len();
        self.entry.push('/');
        self.entry.push_str(&name.replace('~', "~0").replace('/', "~1"));
        compare(self);
        self.entry.truncate(length);
    }
}

fn name_of(agent: &Value) -> Option<&str> {
    agent.get("name")?.as_str()
}

/// Takes over what only the base decides, as far as the rest allows it: a base adds changes that were made in the service, and
/// marks changes of the update that overwrite one.
fn adopt_base(recorded: &Value, planned: &mut Value) {
    let Some(planned) = planned.as_object_mut() else { return };
    adopt(recorded, planned, "commits", |_, _| true);
    let summary = planned.get_mut("summary").and_then(Value::as_object_mut);
    if let Some((recorded, planned)) = recorded.get("summary").zip(summary) {
        for name in ["dangers", "drifted", "conflicts"] {
            adopt(recorded, planned, name, |recorded, planned| {
                recorded.as_u64().is_some_and(|count| Some(count) >= planned.as_u64())
            });
        }
    }
    adopt_base_inputs(recorded, planned);
    let agents = planned.get_mut("agents").and_then(Value::as_array_mut);
    let known = recorded.get("agents").and_then(Value::as_array).into_iter().flatten();
    let known: BTreeMap<&str, &Value> =
        known.filter_map(|agent| Some((name_of(agent)?, agent))).collect();
    for agent in agents.into_iter().flatten() {
        let Some(recorded) = name_of(agent).and_then(|name| known.get(name)) else { continue };
        let Some(agent) = agent.as_object_mut() else { continue };
        adopt(recorded, agent, "drift", |recorded, _| recorded.is_array());
        adopt_changes(recorded, agent);
        // A dangerous change makes the agent dangerous.
        let changes = agent.get("changes").and_then(Value::as_array).into_iter().flatten();
        let danger = changes.into_iter().any(|change| change["danger"] == true);
        agent.insert("danger".to_owned(), danger.into());
    }
}

/// Takes over one member, if it is acceptable beside the planned one.
fn adopt(
    recorded: &Value,
    planned: &mut Map<String, Value>,
    name: &str,
    is_acceptable: impl FnOnce(&Value, &Value) -> bool,
) {
    if let (Some(recorded), Some(planned)) = (recorded.get(name), planned.get_mut(name))
        && is_acceptable(recorded, planned)
    {
        planned.clone_from(recorded);
    }
}

/// Takes over the files of the base, which are in a commit.
fn adopt_base_inputs(recorded: &Value, planned: &mut Map<String, Value>) {
    let Some(recorded) = recorded.get("inputs").and_then(Value::as_array) else { return };
    let Some(planned) = planned.get_mut("inputs").and_then(Value::as_array_mut) else { return };
    for (at, input) in recorded.iter().enumerate() {
        let is_missing = planned.get(at).is_none_or(|it| it["path"] != input["path"]);
        if input["role"] == "base" && is_missing && at <= planned.len() {
            planned.insert(at, input.clone());
        }
    }
}

/// Takes over which changes overwrite one made in the service, and their order: dangerous changes come first.
fn adopt_changes(recorded: &Value, planned: &mut Map<String, Value>) {
    let Some(recorded) = recorded.get("changes").and_then(Value::as_array) else { return };
    let Some(planned) = planned.get_mut("changes").and_then(Value::as_array_mut) else { return };
    let mut left: Vec<Value> = planned.clone();
    let mut adopted = Vec::new();
    for change in recorded {
        let Some(at) = left.iter().position(|other| is_same_change(change, other)) else { return };
        left.remove(at);
        adopted.push(change.clone());
    }
    if left.is_empty() {
        *planned = adopted;
    }
}

/// Whether the base can make one change of another.
fn is_same_change(recorded: &Value, planned: &Value) -> bool {
    if recorded == planned {
        return true;
    }
    let (Some(recorded), Some(planned)) = (recorded.as_object(), planned.as_object()) else {
        return false;
    };
    let is = |name: &str, value: Value| recorded.get(name) == Some(&value);
    // A message only gets longer.
    let message = |change: &Map<String, Value>| {
        change.get("message").and_then(Value::as_str).unwrap_or_default().to_owned()
    };
    let (long, short) = (message(recorded), message(planned));
    let start = short.split(", in a published version").next().unwrap_or_default();
    let can_have_more = is("kind", "publishing".into()) || is("overwrites", true.into());
    if !can_have_more || !is("danger", true.into()) || !long.starts_with(start) {
        return false;
    }
    recorded.len() == planned.len()
        && recorded.iter().all(|(name, value)| {
            matches!(&**name, "message" | "overwrites" | "danger")
                || planned.get(name) == Some(value)
        })
}
