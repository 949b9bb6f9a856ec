//! Plans what would happen if all documents were sent now.

use std::collections::BTreeMap;
use std::sync::Arc;

use voxlint::{DocumentKind, Inputs, PlanInputs, plan_agent};
use voxlint_config::filter_plan;
use voxlint_project::{Failure, PlanRun};
use voxlint_report::{
    PlanFormat, PlanReport, PlannedDocument, RenderOptions, plan_summary, write_plan,
};

use crate::context::base;
use crate::error::guarded;
use crate::run::{plan_report, related_file, written};
use crate::texts::{Texts, Unit};
use crate::{Context, DocumentOptions, Error};

/// A document to plan.
#[derive(Clone, Debug)]
pub struct PlanEntry<'a> {
    /// Its text.
    pub bytes: &'a [u8],
    /// How it is read. Its path is the name of its plan.
    pub options: DocumentOptions,
    /// The context to check it with. Its stored configuration is the one in the service now.
    pub context: Context,
    /// The stored configuration that the repository last knew, in JSON. With it, changes made in the service are found.
    pub base: Option<&'a [u8]>,
}

/// What would happen to each document.
#[derive(Debug)]
pub struct Plan {
    json: String,
    summary: String,
    bodies: Vec<(Arc<str>, String)>,
    texts: Texts,
}

/// Plans documents, in any order.
///
/// # Errors
///
/// If two documents have the same name, or a document is not exactly one update.
pub fn plan(entries: &[PlanEntry<'_>]) -> Result<Plan, Error> {
    guarded(|| {
        let mut agents = Vec::new();
        let mut all: BTreeMap<Arc<str>, (&PlanEntry<'_>, Inputs)> = BTreeMap::new();
        for entry in entries {
            let name = Arc::clone(&entry.options.path);
            let fail = |message: String| Error::from(Failure::new(&*name, message));
            let document = entry.options.document(entry.bytes)?;
            let settings = entry.context.configuration().for_file(&name);
            let inputs = entry.context.inputs(document, &settings);
            if inputs.checked_as() != DocumentKind::Update {
                let what = inputs.checked_as().noun_phrase();
                let wanted = DocumentKind::Update.noun_phrase();
                return Err(fail(format!("looks like {what}, but `plan` needs {wanted}")));
            }
            let known = entry.base.map(base).transpose()?;
            let planned = PlanInputs::new(Arc::clone(&name), inputs.clone()).base(known);
            agents.push(plan_agent(&planned));
            if all.insert(Arc::clone(&name), (entry, inputs)).is_some() {
                return Err(fail("two documents have this name".to_owned()));
            }
        }
        let mut plan = voxlint::plan(agents);
        for agent in
            plan.agents.iter_mut().filter(|it| !it.findings.is_empty() || !it.undecided.is_empty())
        {
            if let Some((entry, inputs)) = all.get(&agent.name) {
                let settings = entry.context.check_settings(&entry.options);
                agent.undecided.retain(|undecided| !settings.is_off(&undecided.rule));
                filter_plan(agent, inputs, &settings, false);
            }
        }
        let origins: Vec<_> = all.values().map(|(entry, _)| entry.context.origins()).collect();
        let related: Vec<Vec<_>> =
            origins.iter().map(|them| them.iter().map(related_file).collect()).collect();
        let documents = all.iter().zip(&related);
        let documents: Vec<PlannedDocument<'_>> = documents
            .map(|((name, (_, inputs)), related_files)| PlannedDocument {
                name,
                path: name,
                text: inputs.document().text(),
                position: None,
                related_files,
            })
            .collect();
        let mut report = PlanReport::new(&plan);
        report.documents = &documents;
        let mut texts = Texts::default();
        for (name, (_, inputs)) in &all {
            texts.add(Arc::clone(name), inputs.document().tree().shared_text());
        }
        Ok(Plan::of(&report, texts))
    })?
}

impl Plan {
    /// The plan of the files of a project.
    pub(crate) fn of_run(run: &PlanRun) -> Self {
        let mut texts = Texts::default();
        for document in run.documents.values() {
            texts.add(Arc::clone(&document.path), document.document.tree().shared_text());
        }
        plan_report(run, |report| Self::of(&report, texts))
    }

    fn of(report: &PlanReport<'_>, texts: Texts) -> Self {
        let agents = report.plan.agents.iter();
        let bodies =
            agents.filter_map(|agent| Some((Arc::clone(&agent.name), agent.body.clone()?)));
        let style = RenderOptions::default();
        Self {
            json: written(|out| write_plan(out, PlanFormat::Json, report, &style)),
            summary: plan_summary(report.plan),
            bodies: bodies.collect(),
            texts,
        }
    }

    /// The document that `voxlint plan --format json` writes.
    pub fn to_json(&self) -> &str {
        &self.json
    }

    /// The plan in one line.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// The bodies to send, by the names of their documents. Numbers keep all their digits, and secrets are not masked.
    pub fn bodies(&self) -> &[(Arc<str>, String)] {
        &self.bodies
    }

    /// The texts that spans point into.
    pub const fn texts(&self) -> &Texts {
        &self.texts
    }

    /// Offsets in bytes of the file at a path as offsets in another unit; see [`Texts::offsets`].
    pub fn offsets(&self, path: &str, bytes: &[u64], unit: Unit) -> Option<Vec<u64>> {
        self.texts.offsets(path, bytes, unit)
    }
}
