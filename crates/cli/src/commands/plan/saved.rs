//! What `plan.json` of a saved plan says, and how it differs from what planning gives now: the verdict on each document, and the
//! file with the body to send. What leads to them is not saved, so what changes neither is not a difference.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::env;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use voxlint::Document;
use voxlint::syntax::Node;
use voxlint_project::{PlanFolder, PlanRun};
use voxlint_report::{PlanFormat, PlanReport, RenderOptions, write_plan};

/// Why a plan cannot be read. The values of the file are not shown, because it may be any file.
const NOT_AS_SAVED: &str =
    "a field is missing, or has a value that `plan --out` does not write: plan again";

/// The version of the format of `plan.json`.
pub(super) const SCHEMA_VERSION: u32 = 1;

/// What is saved of each document, beside the name of the file with its body.
const OF_AGENTS: [&str; 5] = ["name", "agent_id", "version_number", "outcome", "danger"];

/// What is saved of the items of its lists. Messages are saved because they are what somebody has read, and texts because a message
/// does not show the whole text that is lost.
const OF_ITEMS: [(&str, &[&str]); 5] = [
    ("statuses", &["status", "expected", "reasons"]),
    ("changes", &["field", "kind", "danger", "message", "texts"]),
    ("drift", &["field", "kind", "message"]),
    ("findings", &["rule", "severity", "field", "message", "others"]),
    ("undecided", &["rule", "why"]),
];

/// What `plan.json` says. All of it is data: no file that it names is opened.
pub(super) struct SavedPlan {
    plan: Value,
    /// The arguments of the command that made it, to be shown.
    pub(super) arguments: Vec<String>,
    /// The names of the files with bodies.
    pub(super) bodies: Vec<String>,
}

/// What is read of a plan.
#[derive(Deserialize)]
struct Written {
    arguments: Vec<String>,
    agents: Vec<Agent>,
}

#[derive(Deserialize)]
struct Agent {
    body: Option<Body>,
}

#[derive(Deserialize)]
struct Body {
    file: String,
}

impl SavedPlan {
    /// The value of `plan.json` for a plan.
    ///
    /// # Errors
    ///
    /// If the plan cannot be described.
    pub(super) fn of(run: &PlanRun) -> Result<Value, String> {
        let (mut json, report) = (Vec::new(), PlanReport::new(&run.plan));
        write_plan(&mut json, PlanFormat::Json, &report, &RenderOptions::default())
            .map_err(|error| error.to_string())?;
        let plan: Value = serde_json::from_slice(&json).map_err(|error| error.to_string())?;
        let bodies = PlanFolder::bodies(&run.plan);
        let bodies: BTreeMap<&str, &str> =
            bodies.iter().map(|body| (&*body.name, &*body.file)).collect();
        let agent = |agent: &Value| {
            let mut saved = part(agent, &OF_AGENTS);
            for (list, names) in OF_ITEMS {
                let items = agent.get(list).and_then(Value::as_array).into_iter().flatten();
                saved.insert(list.to_owned(), items.map(|item| part(item, names)).collect());
            }
            let name = agent.get("name").and_then(Value::as_str).unwrap_or_default();
            let body = bodies.get(name).map(|file| json!({ "file": file }));
            saved.insert("body".to_owned(), body.into());
            Value::from(saved)
        };
        let agents = plan.get("agents").and_then(Value::as_array).into_iter().flatten();
        let mut saved = part(&plan, &["schema", "tool", "order"]);
        saved.insert("agents".to_owned(), agents.map(agent).collect());
        let arguments = env::args_os().skip(1).map(|it| Value::from(it.to_string_lossy()));
        saved.insert("arguments".to_owned(), arguments.collect());
        Ok(saved.into())
    }

    /// Reads a `plan.json` of any version.
    ///
    /// # Errors
    ///
    /// If it is something else.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let plan: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        if plan.pointer("/tool/name").and_then(Value::as_str) != Some("voxlint") {
            return Err("it was not written by voxlint".to_owned());
        }
        for name in ["arguments", "agents"] {
            if plan.get(name).is_none() {
                return Err(format!(
                    "`{name}` is missing: it is a plan, but not one that --out has saved"
                ));
            }
        }
        // Readers disagree about which one counts.
        if Document::parse(&*String::from_utf8_lossy(bytes))
            .tree()
            .root()
            .is_some_and(has_name_twice)
        {
            return Err("an object has a name twice".to_owned());
        }
        let Written { arguments, agents } =
            Written::deserialize(&plan).map_err(|_| NOT_AS_SAVED.to_owned())?;
        let bodies = agents.into_iter().filter_map(|agent| Some(agent.body?.file)).collect();
        Ok(Self { plan, arguments, bodies })
    }

    /// Makes sure that this version plans as the one that has saved the plan.
    ///
    /// # Errors
    ///
    /// If another version has saved it, or if its schema is another one.
    pub(super) fn check_version(&self) -> Result<(), String> {
        let now = env!("CARGO_PKG_VERSION");
        let saved = self.plan.pointer("/tool/version").and_then(Value::as_str).unwrap_or_default();
        if saved == now && self.plan.get("schema").is_some_and(|it| *it == SCHEMA_VERSION) {
            return Ok(());
        }
        // It may be anything.
        let is_number = |it: char| it.is_ascii_digit() || it == '.';
        let is_version = (1..12).contains(&saved.len()) && saved.chars().all(is_number);
        let saved = Some(format!("voxlint {saved}")).filter(|_| is_version && saved != now);
        let saved = saved.unwrap_or_else(|| "another version of voxlint".to_owned());
        Err(format!("planned with {saved}; plan again with this version, {now}"))
    }

    /// Each entry of this plan that is another one in a plan that was made now, or that only one of them has.
    pub(super) fn differences(&self, now: &Value) -> Vec<Change> {
        let mut found = Vec::new();
        let mut add = |entry: String, agent: Option<&str>, sides: Sides<'_>| {
            if sides[0] != sides[1] {
                let [recorded, planned] = sides.map(Option::<&Value>::cloned);
                found.push(Change { entry, agent: agent.map(str::to_owned), recorded, planned });
            }
        };
        for (entry, sides) in pairs("", [Some(&self.plan), Some(now)]) {
            let mut named = sides.into_iter().flatten().filter(|_| entry.starts_with("/agents"));
            let agent = named.find_map(|side| side.get("name")?.as_str());
            match sides {
                // Others may lead to the same plan.
                _ if entry.starts_with("/arguments") => {}
                [Some(Value::Object(_)), Some(Value::Object(_))] if agent.is_some() => {
                    for (entry, sides) in pairs(&entry, sides) {
                        add(entry, agent, sides);
                    }
                }
                // The whole of an agent would be too long to read.
                _ => {
                    let outcome = |side: &'_ Value| side.get("outcome").unwrap_or(side).clone();
                    let [recorded, planned] = sides.map(|side| side.map(outcome));
                    add(entry, agent, [recorded.as_ref(), planned.as_ref()]);
                }
            }
        }
        found
    }
}

/// Some members of an object.
fn part(object: &Value, names: &[&str]) -> Map<String, Value> {
    let member = |name: &&str| Some(((*name).to_owned(), object.get(name)?.clone()));
    names.iter().filter_map(member).collect()
}

fn has_name_twice(node: Node<'_>) -> bool {
    let mut names = BTreeSet::new();
    node.members().any(|it| !names.insert(it.name()) || has_name_twice(it.value))
        || node.elements().any(has_name_twice)
}

/// The same entry of the plan that is recorded and of the one that was made now.
type Sides<'v> = [Option<&'v Value>; 2];

/// The members of two objects side by side, each with its pointer, and the items of their lists. Items belong together if they are
/// about the same, so that one that was removed is not a change of all that follow it.
fn pairs<'v>(at: &str, sides: Sides<'v>) -> Vec<(String, Sides<'v>)> {
    let objects = sides.into_iter().flatten().filter_map(Value::as_object);
    let mut pairs = Vec::new();
    for name in objects.flat_map(Map::keys).collect::<BTreeSet<_>>() {
        let entry = format!("{at}/{}", name.replace('~', "~0").replace('/', "~1"));
        let sides = sides.map(|side| side?.get(name));
        let [Some(Value::Array(recorded)), Some(Value::Array(planned))] = sides else {
            pairs.push((entry, sides));
            continue;
        };
        let mut left: BTreeMap<String, VecDeque<&Value>> = BTreeMap::new();
        for item in planned {
            left.entry(subject(item)).or_default().push_back(item);
        }
        for (at, item) in recorded.iter().enumerate() {
            let other = left.get_mut(&subject(item)).and_then(VecDeque::pop_front);
            pairs.push((format!("{entry}/{at}"), [Some(item), other]));
        }
        let left = left.into_values().flatten();
        pairs.extend(left.map(|item| (entry.clone(), [None, Some(item)])));
    }
    pairs
}

/// What an item of a list is about.
fn subject(item: &Value) -> String {
    let names = ["name", "rule", "field", "status"].into_iter();
    names.filter_map(|name| item.get(name)).map(Value::to_string).collect()
}

/// What an entry of `plan.json` says, in words as far as it has some.
fn says(entry: &Value) -> String {
    match entry {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(says).collect::<Vec<_>>().join("; "),
        _ => {
            let mut said = ["message", "why", "file", "reasons"].into_iter();
            let said = said.find_map(|name| entry.get(name));
            said.map_or_else(|| entry.to_string(), says)
        }
    }
}

/// An entry of `plan.json` that is not what planning gives now.
#[derive(Debug, Serialize)]
pub(super) struct Change {
    /// A JSON Pointer (RFC 6901) into `plan.json`.
    entry: String,
    /// The name of the agent that it is about; `None` for what is about all.
    pub(super) agent: Option<String>,
    /// What `plan.json` says; `None` if it has no such entry.
    recorded: Option<Value>,
    /// What planning gives now, likewise.
    planned: Option<Value>,
}

impl Change {
    /// What the plan says and what planning says now, each in a line.
    pub(super) fn lines(&self) -> Vec<String> {
        let Self { entry, agent, recorded, planned } = self;
        let part = entry.split('/').nth(if agent.is_some() { 3 } else { 1 });
        let text = |item: &Value, name: &str| Some(item.get(name)?.as_str()?.to_owned());
        let about = |item: &Value| {
            let field = text(item, "field").map(|it| format!("`{}`", it.trim_start_matches('/')));
            let status = || item.get("status").map(|status| format!("status {status}"));
            let part = || part.unwrap_or("the agent").replace('_', " ");
            text(item, "rule").or(field).or_else(status).unwrap_or_else(part)
        };
        let line = |sign: &str, item: &Value| format!("  {sign} {}: {}", about(item), says(item));
        match (recorded, planned) {
            // What differs is beside the words, such as the text that is replaced.
            (Some(recorded), Some(planned)) if says(recorded) == says(planned) => {
                let names = recorded.as_object().into_iter().flat_map(Map::keys);
                let names = names.filter(|it| recorded.get(it) != planned.get(it));
                let names = names.map(String::as_str).collect::<Vec<_>>().join(", ");
                vec![format!("{} (now with other `{names}`)", line("-", recorded))]
            }
            _ => {
                let sides = [("-", recorded), ("+", planned)].into_iter();
                sides.filter_map(|(sign, item)| Some(line(sign, item.as_ref()?))).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use voxlint_project::{BaseSource, LintOptions, Session};

    use super::*;

    /// The plan of a document whose update is refused, of one with drift, and of one with a finding.
    fn plan() -> Value {
        let fleet = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/fleet");
        let names = ["agents/front-desk.yaml", "agents/gift-shop.json", "agents/valet-next.yaml"];
        let mut session = Session::new(LintOptions::default());
        let mut files = session.find_files(&names.map(|name| fleet.join(name))).unwrap();
        let run = session.plan_files(&mut files, &BaseSource::Configured, &|| ()).unwrap();
        let plan = SavedPlan::of(&run).unwrap();
        for list in ["changes", "drift", "findings", "statuses"] {
            let agents = plan["agents"].as_array().unwrap();
            assert!(agents.iter().any(|agent| agent[list] != json!([])), "{list}");
        }
        plan
    }

    /// The pointers to everything in a value, the value itself left out.
    fn pointers(value: &Value, at: &str, found: &mut Vec<String>) {
        let below: Vec<(String, &Value)> = match value {
            Value::Array(items) => {
                items.iter().enumerate().map(|(at, item)| (at.to_string(), item)).collect()
            }
            Value::Object(members) => {
                members.iter().map(|(name, it)| (name.replace('/', "~1"), it)).collect()
            }
            _ => Vec::new(),
        };
        for (name, it) in below {
            let at = format!("{at}/{name}");
            pointers(it, &at, found);
            found.push(at);
        }
    }

    /// The edits of one value: it is changed a little, replaced and removed.
    fn edits_of(plan: &Value, at: &str) -> Vec<Value> {
        let value = plan.pointer(at).unwrap();
        let others = match value {
            Value::Null => vec!["x".into()],
            Value::Bool(is) => vec![(!is).into()],
            Value::Number(number) => vec![(number.as_u64().unwrap() + 1).into()],
            Value::String(text) => vec![format!("{text}x").into(), Value::Null],
            Value::Array(items) => {
                let mut longer = items.clone();
                longer.push(items.first().cloned().unwrap_or_default());
                vec![longer.into(), Value::Null]
            }
            Value::Object(members) => {
                let mut longer = members.clone();
                longer.insert("x".to_owned(), Value::Null);
                vec![longer.into(), Value::Null]
            }
        };
        let replaced = others.into_iter().map(|other| {
            let mut edited = plan.clone();
            *edited.pointer_mut(at).unwrap() = other;
            edited
        });
        let (parent, name) = at.rsplit_once('/').unwrap();
        let mut without = plan.clone();
        match without.pointer_mut(parent).unwrap() {
            Value::Array(items) => drop(items.remove(name.parse().unwrap())),
            other => drop(other.as_object_mut().unwrap().remove(&name.replace("~1", "/")).unwrap()),
        }
        replaced.chain([without]).collect()
    }

    #[test]
    fn no_value_of_a_saved_plan_can_be_edited() {
        let plan = plan();
        let is_verified = |edited: &Value| {
            let saved = SavedPlan::parse(edited.to_string().as_bytes())?;
            saved.check_version()?;
            Ok::<bool, String>(saved.differences(&plan).is_empty())
        };
        assert_eq!(is_verified(&plan), Ok(true));
        let mut all = Vec::new();
        pointers(&plan, "", &mut all);
        let mut edits = 0;
        // Arguments are only shown.
        for at in all.iter().filter(|at| !at.starts_with("/arguments")) {
            for edited in edits_of(&plan, at) {
                assert_ne!(is_verified(&edited), Ok(true), "{at} -> {:?}", edited.pointer(at));
                edits += 1;
            }
        }
        assert!(edits > 300, "{edits}");
    }
}
