//! Saves a plan, and reads a saved one.

use std::path::Path;

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
    let bodies = PlanFolder::bodies(&run.plan);
    let arguments = arguments::record(&options.inputs)?;
    let root = session.repository_root();
    let (root_from, from) = (root_from(path, root), relative_or_dot(root, &working_directory()));
    let inputs: Vec<SavedInput<'_>> = run
        .inputs
        .iter()
        .map(|it| SavedInput { path: &it.path, role: it.role.name(), sha256: &it.sha256 })
        .collect();
    let of_body =
        |body: &'_ SavedBody| (body.name.to_string(), body.file.clone(), body.sha256.clone());
    let owned: Vec<(String, String, String)> = bodies.iter().map(of_body).collect();
    let listed: Vec<voxlint_report::SavedBody<'_>> = owned
        .iter()
        .map(|(name, file, sha256)| voxlint_report::SavedBody { name, file, sha256 })
        .collect();
    let mut report = PlanReport::new(&run.plan);
    report.saved = Some(SavedPlan {
        root: &root_from,
        from: &from,
        arguments: &arguments,
        commits: &run.commits,
        inputs: &inputs,
        bodies: &listed,
    });
    let mut description = Vec::new();
    write_plan(&mut description, PlanFormat::Json, &report, &RenderOptions::default())
        .map_err(|error| format!("the plan: {error}"))?;
    folder.save(&run.plan, &bodies, &description).map_err(|error| format!("--out {error}"))
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
    pub(super) root: String,
    /// The working directory of the run, from the root.
    pub(super) from: String,
    pub(super) arguments: Vec<String>,
    pub(super) inputs: Vec<PlanInput>,
    pub(super) bodies: Vec<SavedBody>,
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
        let text = |value: &Value, name: &str| {
            let text = value.get(name).and_then(Value::as_str).map(str::to_owned);
            text.ok_or_else(|| format!("`{name}` is missing or not a text"))
        };
        let list = |name: &str| {
            let list = plan.get(name).and_then(Value::as_array);
            list.ok_or_else(|| {
                format!("`{name}` is missing: it is a plan, but not one that --out has saved")
            })
        };
        let input = |value: &Value| {
            let role = text(value, "role")?;
            let known = InputRole::ALL.into_iter().find(|known| known.name() == role);
            let role = known.ok_or_else(|| format!("`{role}` is not a role of an input"))?;
            Ok(PlanInput { path: text(value, "path")?, role, sha256: text(value, "sha256")? })
        };
        let arguments = list("arguments")?.iter();
        let arguments = arguments.map(|it| it.as_str().map(str::to_owned)).collect::<Option<_>>();
        let inputs = list("inputs")?.iter().map(input).collect::<Result<_, String>>()?;
        let mut bodies = Vec::new();
        for agent in list("agents")? {
            if let Some(body) = agent.get("body").filter(|body| !body.is_null()) {
                let name = text(agent, "name")?.into();
                let (file, sha256) = (text(body, "file")?, text(body, "sha256")?);
                bodies.push(SavedBody { name, file, sha256 });
            }
        }
        Ok(Self {
            root: text(&plan, "root")?,
            from: text(&plan, "from")?,
            arguments: arguments.ok_or("`arguments` are not texts")?,
            inputs,
            bodies,
        })
    }
}
