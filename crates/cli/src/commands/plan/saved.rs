//! Saves a plan, reads a saved one, and compares it with a plan of the same inputs.

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use voxlint_project::paths::{absolute, is_within, relative_or_absolute, working_directory};
use voxlint_project::{InputRole, PlanFolder, PlanInput, PlanRun, SavedBody, Session};
use voxlint_report::{PlanFormat, PlanReport, RenderOptions, SavedInput, SavedPlan, write_plan};

use super::arguments;
use super::compare::{EntryChange, differences};
use crate::args::{PlanOptions, RecordedOptions};

/// Why a plan cannot be read. The values of the file are not shown, because it may be any file.
const NOT_AS_SAVED: &str =
    "a field is missing, or has a value that `plan --out` does not write: plan again";

/// The version of the format of `plan.json`.
const SCHEMA_VERSION: u32 = 1;

/// Writes the bodies and `plan.json`.
///
/// # Errors
///
/// If something cannot be written.
pub(super) fn save(
    folder: PlanFolder,
    run: &PlanRun,
    session: &Session,
    options: &PlanOptions,
) -> Result<(), String> {
    let Some(path) = &options.output.out else { return Ok(()) };
    let changed_since = options.changed.changed_since.as_deref();
    let id_of = |name: &str| run.commits.iter().find(|(known, _)| known == name);
    let commit = changed_since.and_then(id_of).map(|(_, id)| &**id);
    let arguments = arguments::record(&options.inputs, &options.rules, commit)?;
    let root = session.repository_root();
    let (root_from, from) = (root_from(path, root), relative_or_dot(root, &working_directory()));
    let bodies = PlanFolder::bodies(&run.plan);
    let places = (&*root_from, &*from);
    let description = describe(run, &bodies, places, &arguments, &run.commits)?;
    folder.save(&run.plan, &bodies, &description).map_err(|error| format!("--out {error}"))
}

/// The bytes of `plan.json`.
fn describe(
    run: &PlanRun,
    bodies: &[SavedBody],
    (root, from): (&str, &str),
    arguments: &[String],
    commits: &[(String, String)],
) -> Result<Vec<u8>, String> {
    let inputs: Vec<SavedInput<'_>> = run
        .inputs
        .iter()
        .map(|it| SavedInput { path: &it.path, role: it.role.name(), sha256: &it.sha256 })
        .collect();
    let listed = bodies.iter().map(|body| voxlint_report::SavedBody {
        name: &body.name,
        file: &body.file,
        sha256: &body.sha256,
    });
    let listed: Vec<voxlint_report::SavedBody<'_>> = listed.collect();
    let mut report = PlanReport::new(&run.plan);
    report.saved =
        Some(SavedPlan { root, from, arguments, commits, inputs: &inputs, bodies: &listed });
    let mut description = Vec::new();
    write_plan(&mut description, PlanFormat::Json, &report, &RenderOptions::default())
        .map_err(|error| format!("the plan: {error}"))?;
    Ok(description)
}

/// The path of the root from the folder of a plan: `..` for a folder in the root. Elsewhere it is absolute.
fn root_from(folder: &Path, root: &str) -> String {
    let folder = absolute(folder);
    if !is_within(root, &folder) {
        return root.to_owned();
    }
    let below = relative_or_dot(root, &folder);
    let up: Vec<&str> = below.split('/').filter(|part| *part != ".").map(|_| "..").collect();
    if up.is_empty() { ".".to_owned() } else { up.join("/") }
}

fn relative_or_dot(folder: &str, path: &str) -> String {
    if folder == path { ".".to_owned() } else { relative_or_absolute(folder, path) }
}

/// What `plan.json` says.
pub(super) struct SavedPlanFile {
    /// Everything.
    plan: Value,
    pub(super) root: String,
    /// The working directory of the run, from the root.
    pub(super) from: String,
    pub(super) arguments: Vec<String>,
    /// The names of commits, each with its id.
    pub(super) commits: Vec<(String, String)>,
    pub(super) inputs: Vec<PlanInput>,
    pub(super) bodies: Vec<SavedBody>,
}

/// What is read of it.
#[derive(Deserialize)]
struct Written {
    root: String,
    from: String,
    arguments: Vec<String>,
    commits: Vec<Commit>,
    inputs: Vec<Input>,
    agents: Vec<SavedAgent>,
}

#[derive(Deserialize)]
struct Commit {
    #[serde(rename = "ref")]
    name: String,
    id: String,
}

#[derive(Deserialize)]
struct Input {
    path: String,
    role: String,
    sha256: String,
}

#[derive(Deserialize)]
struct SavedAgent {
    name: String,
    body: Option<Body>,
}

#[derive(Deserialize)]
struct Body {
    file: String,
    sha256: String,
}

impl SavedPlanFile {
    /// Reads `plan.json`.
    ///
    /// # Errors
    ///
    /// If it is something else.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let Unambiguous(plan) = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let by_us = plan.pointer("/tool/name").and_then(Value::as_str) == Some("voxlint");
        if !by_us {
            return Err("it was not written by voxlint".to_owned());
        }
        for name in ["arguments", "inputs", "agents"] {
            if plan.get(name).is_none() {
                return Err(format!(
                    "`{name}` is missing: it is a plan, but not one that --out has saved"
                ));
            }
        }
        let Written { root, from, arguments, commits, inputs, agents } =
            Written::deserialize(&plan).map_err(|_| NOT_AS_SAVED.to_owned())?;
        let input = |Input { path, role, sha256 }| {
            let known = InputRole::ALL.into_iter().find(|known| known.name() == role);
            let role = known.ok_or_else(|| NOT_AS_SAVED.to_owned())?;
            Ok(PlanInput { path, role, sha256 })
        };
        let inputs = inputs.into_iter().map(input).collect::<Result<_, String>>()?;
        let body = |agent: SavedAgent| {
            let Body { file, sha256 } = agent.body?;
            Some(SavedBody { name: agent.name.into(), file, sha256 })
        };
        let bodies = agents.into_iter().filter_map(body).collect();
        let commits = commits.into_iter().map(|Commit { name, id }| (name, id)).collect();
        Ok(Self { plan, root, from, arguments, commits, inputs, bodies })
    }

    /// Makes sure that this version plans as the one that has saved the plan.
    ///
    /// # Errors
    ///
    /// If another version has saved it, or if its schema is another one.
    pub(super) fn check_version(&self) -> Result<(), String> {
        let now = env!("CARGO_PKG_VERSION");
        match self.plan.pointer("/tool/version") {
            Some(Value::String(saved)) if saved == now => {}
            Some(Value::String(saved)) => {
                // It may be anything.
                let is_number = |it: char| it.is_ascii_digit() || it == '.';
                let is_version = (1..12).contains(&saved.len()) && saved.chars().all(is_number);
                let saved = if is_version {
                    format!("voxlint {saved}")
                } else {
                    "another version of voxlint".to_owned()
                };
                return Err(format!("planned with {saved}; plan again with this version, {now}"));
            }
            _ => return Err(format!("`tool.version` is missing; plan again with voxlint {now}")),
        }
        match self.plan.get("schema") {
            Some(schema) if *schema == SCHEMA_VERSION => Ok(()),
            schema => {
                let schema = match schema.map(Value::as_u64) {
                    Some(Some(schema)) => schema.to_string(),
                    Some(None) => "not a whole number".to_owned(),
                    None => "missing".to_owned(),
                };
                Err(format!(
                    "its `schema` is {schema}, and this version reads {SCHEMA_VERSION}; plan again with voxlint {now}"
                ))
            }
        }
    }

    /// The entries that differ from a plan of the same inputs. `root` is the folder that they are in, and `folder` the one of
    /// the plan.
    ///
    /// # Errors
    ///
    /// If that plan cannot be described.
    pub(super) fn differences(
        &self,
        again: &Again<'_>,
        (root, folder): (&str, &Path),
    ) -> Result<Vec<EntryChange>, String> {
        let RecordedOptions { inputs, changed, rules } = again.options;
        let changed_since = changed.changed_since.as_deref();
        let arguments = arguments::record(inputs, rules, changed_since)?;
        // A root that was given is another one on purpose. An absolute one stays so if the plan is moved into it.
        let is_absolute = Path::new(&self.root).is_absolute();
        let root_from = match (again.is_other_root, is_absolute) {
            (true, _) => self.root.clone(),
            (false, true) => root.to_owned(),
            (false, false) => root_from(folder, root),
        };
        let from = relative_or_dot(root, &absolute(&Path::new(root).join(&self.from)));
        let bodies = PlanFolder::bodies(&again.run.plan);
        let commits = self.commits_of(again.run, changed_since);
        let places = (&*root_from, &*from);
        let planned = describe(again.run, &bodies, places, &arguments, &commits)?;
        let planned: Value = serde_json::from_slice(&planned).map_err(|error| error.to_string())?;
        Ok(differences(&self.plan, planned, again.has_base))
    }

    /// The commits of a run. `--changed-since` is recorded with an id, so the name that it had is only in the plan.
    fn commits_of(&self, run: &PlanRun, changed_since: Option<&str>) -> Vec<(String, String)> {
        let (mut commits, changed): (BTreeMap<_, _>, BTreeMap<_, _>) =
            run.commits.iter().cloned().partition(|(name, _)| Some(&**name) != changed_since);
        for (name, id) in changed {
            let mut recorded = self.commits.iter().filter(|(_, known)| *known == id);
            let of_its_own = recorded.clone().find(|(name, _)| !commits.contains_key(name));
            let recorded = of_its_own.or_else(|| recorded.next());
            commits.insert(recorded.map_or(name, |(name, _)| name.clone()), id);
        }
        commits.into_iter().collect()
    }
}

/// A plan of the inputs of a saved one.
pub(super) struct Again<'a> {
    pub(super) run: &'a PlanRun,
    pub(super) options: &'a RecordedOptions,
    /// Whether the base is there.
    pub(super) has_base: bool,
    /// Whether the inputs are in another folder than the plan says.
    pub(super) is_other_root: bool,
}

/// A JSON value in which no object has a name twice: readers disagree about which one counts.
struct Unambiguous(Value);

impl<'de> Deserialize<'de> for Unambiguous {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(UnambiguousVisitor).map(Self)
    }
}

struct UnambiguousVisitor;

impl<'de> Visitor<'de> for UnambiguousVisitor {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Unambiguous(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(list.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut object = Map::new();
        while let Some((name, Unambiguous(value))) = members.next_entry::<String, _>()? {
            if object.contains_key(&name) {
                return Err(A::Error::custom("an object has a name twice"));
            }
            object.insert(name, value);
        }
        Ok(object.into())
    }
}
