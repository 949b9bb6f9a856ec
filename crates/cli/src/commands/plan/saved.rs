//! Saves a plan, reads a saved one, and compares two.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde::Deserialize;
use serde_json::Value;
use voxlint_project::paths::{absolute, is_within, relative_or_absolute, working_directory};
use voxlint_project::{InputRole, PlanFolder, PlanInput, PlanRun, SavedBody, Session};
use voxlint_report::{PlanFormat, PlanReport, RenderOptions, SavedInput, SavedPlan, write_plan};

use super::arguments;
use crate::args::PlanOptions;

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
    let arguments = arguments::record(&options.inputs, commit)?;
    let root = session.repository_root();
    let (root_from, from) = (root_from(path, root), relative_or_dot(root, &working_directory()));
    let bodies = PlanFolder::bodies(&run.plan);
    let description = describe(run, &bodies, (&root_from, &from), &arguments)?;
    folder.save(&run.plan, &bodies, &description).map_err(|error| format!("--out {error}"))
}

/// The bytes of `plan.json`.
fn describe(
    run: &PlanRun,
    bodies: &[SavedBody],
    (root, from): (&str, &str),
    arguments: &[String],
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
    let commits = &run.commits;
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

/// What `plan.json` says about the inputs and bodies of a saved plan.
pub(super) struct SavedPlanFile {
    /// The version of voxlint that saved it.
    pub(super) version: String,
    pub(super) root: String,
    /// The working directory of the run, from the root.
    pub(super) from: String,
    pub(super) arguments: Vec<String>,
    pub(super) inputs: Vec<PlanInput>,
    pub(super) bodies: Vec<SavedBody>,
    /// The names of the agents to send, in order.
    order: Vec<String>,
    agents: Vec<SavedAgent>,
}

/// The same as it is written. A field that is written twice is an error: readers disagree about which one counts.
#[derive(Deserialize)]
struct Written {
    tool: Tool,
    root: String,
    from: String,
    arguments: Vec<String>,
    inputs: Vec<Input>,
    order: Vec<String>,
    agents: Vec<SavedAgent>,
}

#[derive(Deserialize)]
struct Tool {
    version: String,
}

#[derive(Deserialize)]
struct Input {
    path: String,
    role: String,
    sha256: String,
}

/// What decides what is sent to an agent.
#[derive(Deserialize)]
struct SavedAgent {
    name: String,
    agent_id: Option<String>,
    version_number: Option<String>,
    outcome: String,
    body: Option<Body>,
}

#[derive(Deserialize)]
struct Body {
    file: String,
    sha256: String,
}

/// An entry of `plan.json` that is not what planning again gives.
pub(super) struct EntryChange {
    /// A JSON Pointer (RFC 6901) into `plan.json`.
    pub(super) entry: String,
    /// The name of the agent that it is about; `None` for the order of all.
    pub(super) agent: Option<String>,
    /// What `plan.json` says; `None` if it has no such entry.
    pub(super) recorded: Option<String>,
    /// What planning again gives, likewise.
    pub(super) planned: Option<String>,
}

impl SavedPlanFile {
    /// Reads `plan.json`.
    ///
    /// # Errors
    ///
    /// If it is something else.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, String> {
        let plan: Value = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
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
        let written: Written = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let Written { tool, root, from, arguments, inputs, order, agents } = written;
        let input = |Input { path, role, sha256 }| {
            let known = InputRole::ALL.into_iter().find(|known| known.name() == role);
            let role = known.ok_or_else(|| format!("`{role}` is not a role of an input"))?;
            Ok(PlanInput { path, role, sha256 })
        };
        let inputs = inputs.into_iter().map(input).collect::<Result<_, String>>()?;
        let body = |agent: &SavedAgent| {
            let Body { file, sha256 } = agent.body.as_ref()?;
            let name = agent.name.as_str().into();
            Some(SavedBody { name, file: file.clone(), sha256: sha256.clone() })
        };
        let bodies = agents.iter().filter_map(body).collect();
        Ok(Self { version: tool.version, root, from, arguments, inputs, bodies, order, agents })
    }

    /// The entries that decide what is sent, and that differ from a plan of the same inputs.
    ///
    /// # Errors
    ///
    /// If that plan cannot be described.
    pub(super) fn differences(&self, again: &PlanRun) -> Result<Vec<EntryChange>, String> {
        let again = Self::of(again)?;
        let mut changes = Vec::new();
        let mut planned: BTreeMap<&str, &SavedAgent> =
            again.agents.iter().map(|agent| (&*agent.name, agent)).collect();
        let known: BTreeSet<&str> = planned.keys().copied().collect();
        for (at, agent) in self.agents.iter().enumerate() {
            let entry = format!("/agents/{at}");
            if let Some(other) = planned.remove(&*agent.name) {
                agent.compare(other, &entry, &mut changes);
                continue;
            }
            let twice = if known.contains(&*agent.name) { " (again)" } else { "" };
            changes.push(EntryChange {
                entry,
                agent: Some(agent.name.clone()),
                recorded: Some(format!("{}{twice}", agent.outcome)),
                planned: None,
            });
        }
        for agent in planned.into_values() {
            changes.push(EntryChange {
                entry: "/agents".to_owned(),
                agent: Some(agent.name.clone()),
                recorded: None,
                planned: Some(agent.outcome.clone()),
            });
        }
        for at in 0..self.order.len().max(again.order.len()) {
            let (recorded, planned) = (self.order.get(at), again.order.get(at));
            if recorded != planned {
                changes.push(EntryChange {
                    entry: format!("/order/{at}"),
                    agent: None,
                    recorded: recorded.cloned(),
                    planned: planned.cloned(),
                });
            }
        }
        Ok(changes)
    }

    /// What a run would save.
    fn of(run: &PlanRun) -> Result<Self, String> {
        Self::parse(&describe(run, &PlanFolder::bodies(&run.plan), (".", "."), &[])?)
    }
}

impl SavedAgent {
    fn compare(&self, planned: &Self, entry: &str, changes: &mut Vec<EntryChange>) {
        let file = |agent: &Self| agent.body.as_ref().map(|body| body.file.clone());
        let sha256 = |agent: &Self| agent.body.as_ref().map(|body| body.sha256.clone());
        for (name, recorded, planned) in [
            ("agent_id", self.agent_id.clone(), planned.agent_id.clone()),
            ("version_number", self.version_number.clone(), planned.version_number.clone()),
            ("outcome", Some(self.outcome.clone()), Some(planned.outcome.clone())),
            ("body/file", file(self), file(planned)),
            ("body/sha256", sha256(self), sha256(planned)),
        ] {
            if recorded != planned {
                changes.push(EntryChange {
                    entry: format!("{entry}/{name}"),
                    agent: Some(self.name.clone()),
                    recorded,
                    planned,
                });
            }
        }
    }
}
