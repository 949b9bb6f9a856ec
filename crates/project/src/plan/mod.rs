//! Plans the documents of a run: what would happen if they were sent now.

mod adopt;
mod base;
mod folder;
mod neighbors;
mod reload;
mod updates;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use voxlint::schema::settings;
use voxlint::{
    AgentPlan, Document, Drift, DriftKind, Outcome, Plan, PlanInputs, Source, plan_agent,
    plan_among,
};
use voxlint_config::{CheckSettings, filter_plan};
use voxlint_merge::is_adopted;

pub use self::adopt::{AdoptRun, AdoptedDocument};
pub use self::base::BaseSource;
pub use self::folder::{BodyChange, BodyChangeKind, PlanFolder, SavedBody};

use self::reload::{DocumentPlace, reload};
use self::updates::{OpenRun, Update, UpdatesRun, name};
use crate::Failure;
use crate::file_set::FileSet;
use crate::git::GitError;
use crate::lint_files::RunResult;
use crate::linted::LintedDocument;
use crate::paths::absolute;
use crate::reference::Reference;
use crate::session::Session;

/// The plan of a run.
#[derive(Debug)]
pub struct PlanRun {
    /// The plan.
    pub plan: Plan,
    /// The documents with findings of the rules across documents, by the names of their plans.
    pub documents: BTreeMap<Arc<str>, LintedDocument>,
    /// How many documents are of another kind, and were not planned.
    pub others: u64,
    /// How many updates were found, planned or not.
    pub updates: u64,
    /// The status of every file, and failures.
    pub result: RunResult,
}

impl Session {
    /// Plans the documents of some files. `file_done` is called after each file, in the threads that plan.
    ///
    /// The rules across documents compare them with all documents of the project, planned or not, and with stored
    /// configurations that belong to no document.
    ///
    /// ```
    /// use voxlint::Outcome;
    /// use voxlint_project::{BaseSource, LintOptions, Session};
    ///
    /// let folder = tempfile::tempdir()?;
    /// let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text);
    /// write("voxlint.toml", "root = true\n[[documents]]\nfiles = 'en.json'\nstored = '{stem}.stored.json'\n")?;
    /// write("en.json", r#"{ "version_number": 3, "title": "Front desk" }"#)?;
    /// write("en.stored.json", r#"{ "version": { "version_number": 3, "title": "Desk" }, "complete": true }"#)?;
    ///
    /// let mut session = Session::new(LintOptions::default());
    /// let mut files = session.find_files(&[folder.path().to_owned()])?;
    /// let run = session.plan_files(&mut files, &BaseSource::Configured, &|| ())?;
    /// assert_eq!(run.plan.agents.len(), 1);
    /// assert_eq!(run.plan.agents[0].changes[0].sentence, "changes `title` from `Desk` to `Front desk`");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the base is a commit that cannot be read.
    pub fn plan_files(
        &mut self,
        files: &mut FileSet,
        base: &BaseSource,
        file_done: &(dyn Fn() + Sync),
    ) -> Result<PlanRun, GitError> {
        let UpdatesRun { found, updates, others, result } =
            self.each_update(files, base, file_done, &|run, update| Ok(planned(run, update)))?;
        let (mut agents, mut places) = (Vec::new(), BTreeMap::new());
        for (agent, place) in found {
            places.insert(Arc::clone(&agent.name), place);
            agents.push(agent);
        }
        // A run that plans nothing has nothing to compare.
        let mut neighbors = Vec::new();
        if !agents.is_empty() {
            let files = self.find_neighbors(files);
            neighbors = self.read_neighbors(&files);
        }
        let mut run = PlanRun {
            plan: plan_among(agents, neighbors),
            documents: BTreeMap::new(),
            others,
            updates,
            result,
        };
        self.filter_findings(files, &mut run, &places);
        Ok(run)
    }

    /// Applies levels and suppressions to the findings of the rules across documents, and keeps the documents that have some.
    fn filter_findings(
        &self,
        files: &FileSet,
        run: &mut PlanRun,
        places: &BTreeMap<Arc<str>, DocumentPlace>,
    ) {
        let settings_of = |place: &DocumentPlace| {
            self.configurations().settings_for(&absolute(Path::new(&*place.path)))
        };
        // What is undecided is at no place, so that levels alone apply to it.
        let is_undecided = |agent: &&mut AgentPlan| !agent.undecided.is_empty();
        for agent in run.plan.agents.iter_mut().filter(is_undecided) {
            if let Some(settings) = places.get(&agent.name).and_then(settings_of) {
                agent.undecided.retain(|entry| !settings.is_off(&entry.rule));
            }
        }
        let has_some = |agent: &&mut AgentPlan| !agent.findings.is_empty();
        let agents: Vec<&mut AgentPlan> = run.plan.agents.iter_mut().filter(has_some).collect();
        if agents.is_empty() {
            return;
        }
        let wanted = agents.iter().filter_map(|agent| places.get(&agent.name)).cloned().collect();
        let mut documents = reload(self, files, &wanted);
        for agent in agents {
            let Some(place) = places.get(&agent.name) else { continue };
            let Some(document) = documents.remove(place) else {
                let why = "cannot be read again for the findings across documents";
                run.result.failures.push(Failure::new(&*place.path, why));
                continue;
            };
            let Some(settings) = settings_of(place) else { continue };
            let settings = CheckSettings::new(settings, self.today())
                .suppressions(self.options().suppressions);
            filter_plan(agent, &document.inputs, &settings, document.position.is_some());
            if !agent.findings.is_empty() {
                run.documents.insert(Arc::clone(&agent.name), document);
            }
        }
    }
}

/// The plan of an update, and its place.
fn planned(
    run: &OpenRun<'_>,
    Update { document, path, base }: Update,
) -> (AgentPlan, DocumentPlace) {
    let place = DocumentPlace::of(&document);
    let shown = Arc::clone(&document.path);
    let now = run.session.documents_from().map(|_| now(&document, &path));
    let mut inputs = PlanInputs::new(name(&document), document.inputs).base(base);
    if let Some(now) = now {
        inputs = inputs.former(now.as_ref());
    }
    let mut agent = plan_agent(&inputs);
    if agent.drift.iter().any(is_adoptable) {
        agent.notes.push(format!(
            "`voxlint adopt {shown}` writes what only the service has changed into the document"
        ));
    }
    if let Some((note, is_of_branch)) = run.uncertainty(&path) {
        agent.notes.push(note);
        if agent.outcome == Outcome::NoChange && is_of_branch {
            agent.outcome = Outcome::NoStoredState;
        }
    }
    (agent, place)
}

/// The document of the working tree in the place of one of a commit, where each is alone in its file.
fn now(former: &LintedDocument, path: &str) -> Option<Document> {
    let text = Reference::text_now(Path::new(path)).filter(|_| former.position.is_none())?;
    Some(Document::parse_as(Source::from(text).without_fixes(), former.inputs.document().format()))
}

/// Whether `voxlint adopt` writes a change that was made in the service.
fn is_adoptable(drift: &Drift) -> bool {
    let row = drift.field.strip_prefix('/').and_then(|name| settings::TABLE.row(name));
    drift.kind == DriftKind::Service && drift.stored.is_some() && row.is_some_and(is_adopted)
}
