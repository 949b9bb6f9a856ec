//! Compares what a saved plan says with what planning gives now, entry by entry.

use std::collections::BTreeMap;

use serde_json::Value;

/// An entry of `plan.json` that is not what planning gives now.
pub(super) struct EntryChange {
    /// A JSON Pointer (RFC 6901) into `plan.json`.
    pub(super) entry: String,
    /// The name of the agent that it is about; `None` for what is about all.
    pub(super) agent: Option<String>,
    /// What `plan.json` says; `None` if it has no such entry.
    pub(super) recorded: Option<Value>,
    /// What planning gives now, likewise.
    pub(super) planned: Option<Value>,
}

/// The entries that differ, with agents matched by their names.
pub(super) fn differences(recorded: &Value, planned: &Value) -> Vec<EntryChange> {
    let mut found = Differences::default();
    found.compare(Some(recorded), Some(planned));
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
                // Arguments are not compared: others may lead to the same plan.
                let is_compared = |name: &&String| !(self.entry.is_empty() && *name == "arguments");
                let mut names: Vec<&String> = recorded.keys().collect();
                names.extend(planned.keys().filter(|name| !recorded.contains_key(*name)));
                names.retain(is_compared);
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
