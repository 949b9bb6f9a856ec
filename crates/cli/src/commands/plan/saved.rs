//! Saves a plan, and reads a saved one.

use std::env;
use std::fmt;

use serde::de::{Error as _, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use voxlint_project::{PlanFolder, PlanRun};
use voxlint_report::{PlanFormat, PlanReport, RenderOptions, SavedBody, SavedPlan, write_plan};

use super::compare::{EntryChange, differences};

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
pub(super) fn save(folder: PlanFolder, run: &PlanRun) -> Result<(), String> {
    let arguments = env::args_os().skip(1).map(|argument| argument.to_string_lossy().into_owned());
    let arguments: Vec<String> = arguments.collect();
    let (bodies, description) = (PlanFolder::bodies(&run.plan), describe(run, &arguments)?);
    folder.save(&run.plan, &bodies, &description).map_err(|error| format!("--out {error}"))
}

/// The bytes of `plan.json`.
fn describe(run: &PlanRun, arguments: &[String]) -> Result<Vec<u8>, String> {
    let bodies = PlanFolder::bodies(&run.plan);
    let bodies = bodies.iter().map(|body| SavedBody {
        name: &body.name,
        file: &body.file,
        sha256: &body.sha256,
    });
    let bodies: Vec<SavedBody<'_>> = bodies.collect();
    let mut report = PlanReport::new(&run.plan);
    report.saved = Some(SavedPlan { arguments, bodies: &bodies });
    let mut description = Vec::new();
    write_plan(&mut description, PlanFormat::Json, &report, &RenderOptions::default())
        .map_err(|error| format!("the plan: {error}"))?;
    Ok(description)
}

/// What `plan.json` says. All of it is data: no file that it names is opened.
pub(super) struct SavedPlanFile {
    /// Everything.
    plan: Value,
    /// The arguments of the command that made it.
    pub(super) arguments: Vec<String>,
    agents: Vec<SavedAgent>,
}

/// What is read of it.
#[derive(Deserialize)]
struct Written {
    arguments: Vec<String>,
    agents: Vec<SavedAgent>,
}

#[derive(Deserialize)]
struct SavedAgent {
    body: Option<Body>,
}

#[derive(Deserialize)]
struct Body {
    file: String,
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
        for name in ["arguments", "agents"] {
            if plan.get(name).is_none() {
                return Err(format!(
                    "`{name}` is missing: it is a plan, but not one that --out has saved"
                ));
            }
        }
        let Written { arguments, agents } =
            Written::deserialize(&plan).map_err(|_| NOT_AS_SAVED.to_owned())?;
        Ok(Self { plan, arguments, agents })
    }

    /// The names of the files with bodies.
    pub(super) fn body_files(self) -> Vec<String> {
        self.agents.into_iter().filter_map(|agent| Some(agent.body?.file)).collect()
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

    /// The entries that are not what planning gives now.
    ///
    /// # Errors
    ///
    /// If that plan cannot be described.
    pub(super) fn differences(&self, run: &PlanRun) -> Result<Vec<EntryChange>, String> {
        let planned = serde_json::from_slice(&describe(run, &[])?);
        let planned: Value = planned.map_err(|error| error.to_string())?;
        Ok(differences(&self.plan, &planned))
    }
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
