//! Plans the documents of a run: what would happen if they were sent now.

mod adopt;
mod base;
mod folder;
mod neighbors;
mod reload;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use voxlint::schema::settings;
use voxlint::{
    AgentPlan, Document, DocumentKind, DocumentPosition, Origin, Outcome, Plan, PlanInputs, Source,
    Stored, plan_agent, plan_among,
};
use voxlint::{Drift, DriftKind};
use voxlint_config::{CheckSettings, filter_plan};
use voxlint_merge::is_adopted;

pub use self::adopt::{AdoptRun, AdoptedDocument};
pub use self::base::BaseSource;
pub use self::folder::{BodyChange, BodyChangeKind, PlanFolder, SavedBody};

use self::base::{Bases, base_folders};
use self::reload::{DocumentPlace, reload};
use crate::Failure;
use crate::file_set::FileSet;
use crate::file_status::FileRole;
use crate::git::GitError;
use crate::lint_files::RunResult;
use crate::linted::LintedDocument;
use crate::linter::Renderer;
use crate::notice::Notice;
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
        self.take_bases(files, base);
        let bases = Bases::open(base, files, self)?;
        let neighbors = self.find_neighbors(files);
        let session = &*self;
        // Stored configurations and others that no document uses are not sent.
        let related = files.related.iter().map(|(input, _)| absolute(Path::new(&*input.shown)));
        let related: BTreeSet<String> = related.collect();
        let planner = Planner { session, bases: &bases, related: &related, file_done };
        let mut agents = Vec::new();
        let mut places = BTreeMap::new();
        let mut base_failures = Vec::new();
        let (mut updates, mut others) = (0, 0);
        // Whether something was found in each folder that is a base.
        let mut searched: BTreeMap<&str, bool> = BTreeMap::new();
        let result = session.lint_files(files, &planner, &mut |planned, _| match planned {
            Planned::Agent(agent, place, base) => {
                updates += 1;
                if let Some((folder, is_found)) = base {
                    *searched.entry(folder).or_default() |= is_found;
                }
                places.insert(Arc::clone(&agent.name), place);
                agents.push(*agent);
            }
            Planned::Failed(failure) => {
                updates += 1;
                base_failures.extend(failure.filter(|it| !base_failures.contains(it)));
            }
            Planned::Other => others += 1,
            Planned::Related => {}
        });
        // Without this, a folder of another layout would look like a service in which nothing was changed.
        let empty = searched.into_iter().filter(|(_, is_found)| !is_found);
        let empty = empty.map(|(folder, _)| session.configurations().shown(folder));
        let empty: Vec<Notice> = empty.map(Notice::EmptyBase).collect();
        // A run that plans nothing has nothing to compare.
        let neighbors =
            if agents.is_empty() { Vec::new() } else { session.read_neighbors(&neighbors) };
        let mut run = PlanRun {
            plan: plan_among(agents, neighbors),
            documents: BTreeMap::new(),
            others,
            updates,
            result,
        };
        run.result.failures.extend(base_failures);
        run.result.notices.extend(empty);
        session.filter_findings(files, &mut run, &places);
        Ok(run)
    }

    /// Takes the documents in bases out of the files to plan.
    fn take_bases(&self, files: &mut FileSet, base: &BaseSource) {
        for folder in base_folders(base, self.configurations(), self.repository_root()) {
            files.take_folder(&folder, FileRole::Base);
        }
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

/// Plans documents in the threads that check them.
struct Planner<'a> {
    session: &'a Session,
    bases: &'a Bases,
    /// The absolute paths of related files.
    related: &'a BTreeSet<String>,
    file_done: &'a (dyn Fn() + Sync),
}

enum Planned<'a> {
    /// With the folder in which its base was searched, and whether it was there.
    Agent(Box<AgentPlan>, DocumentPlace, Option<(&'a str, bool)>),
    /// An update whose stored configuration or base cannot be used. `None` if that is a failure of the run already.
    Failed(Option<Failure>),
    /// A document of another kind.
    Other,
    /// A document that is only read for others.
    Related,
}

impl<'a> Renderer for Planner<'a> {
    type Output = Planned<'a>;

    fn render(&self, document: LintedDocument) -> Planned<'a> {
        let path = absolute(Path::new(&*document.path));
        let (base, searched) = match self.base_of(&document, &path) {
            Ok(found) => found,
            Err(planned) => return planned,
        };
        let place = DocumentPlace::of(&document);
        let now = self.session.documents_from().map(|_| now(&document, &path));
        let mut inputs = PlanInputs::new(name(&document), document.inputs).base(base);
        if let Some(now) = now {
            inputs = inputs.former(now.as_ref());
        }
        let mut agent = plan_agent(&inputs);
        if agent.drift.iter().any(is_adoptable) {
            let shown = &document.path;
            let note = format!(
                "`voxlint adopt {shown}` writes what only the service has changed into the document"
            );
            agent.notes.push(note);
        }
        if let Some((note, is_of_branch)) = self.uncertainty(&path) {
            agent.notes.push(note);
            if agent.outcome == Outcome::NoChange && is_of_branch {
                agent.outcome = Outcome::NoStoredState;
            }
        }
        Planned::Agent(Box::new(agent), place, searched)
    }

    fn wants_fixes(&self) -> bool {
        false
    }

    fn file_done(&self) {
        (self.file_done)();
    }
}

/// The base of a document, and the folder in which it was searched with whether it was there.
type FoundBase<'a> = (Option<Stored>, Option<(&'a str, bool)>);

impl<'a> Planner<'a> {
    /// The base of an update; what becomes of any other document.
    fn base_of(&self, document: &LintedDocument, path: &str) -> Result<FoundBase<'a>, Planned<'a>> {
        if self.related.contains(path) {
            return Err(Planned::Related);
        }
        if document.kind != DocumentKind::Update {
            return Err(Planned::Other);
        }
        let stored = document.related.iter().find(|(origin, _)| *origin == Origin::Stored);
        let configurations = self.session.configurations();
        let mut folder = None;
        let base = match stored {
            None if self.has_unusable_stored(document, path) => return Err(Planned::Failed(None)),
            None => Ok(None),
            Some((_, stored)) => {
                let index = configurations.index_for(path).unwrap_or(0);
                folder = self.bases.folder(index);
                self.bases.stored(index, stored, configurations)
            }
        };
        let base = base.map_err(|failure| Planned::Failed(Some(failure)))?;
        let searched = folder.map(|folder| (folder, base.is_some()));
        Ok((base, searched))
    }

    /// What is said about a stored configuration that the branch has changed, and whether it counts although commits have changed it.
    /// Those of the service come from the service.
    fn uncertainty(&self, document: &str) -> Option<(String, bool)> {
        let configurations = self.session.configurations();
        if self.session.options().related.paths().next().is_some() {
            return None;
        }
        let stored = configurations.settings_for(document)?.stored()?.value;
        let shown = configurations.shown(&stored);
        let path = Path::new(&stored);
        if let Some(reference) = self.session.stored_from() {
            let name = reference.name();
            let note = || format!("`{shown}` differs from that of {name}, which counts");
            return reference.differs(path).then(|| (note(), false));
        }
        let (why, is_of_branch) =
            self.bases.uncertainty(configurations.index_for(document)?, path)?;
        Some((format!("`{shown}` {why}"), is_of_branch))
    }

    /// Whether a document has no stored configuration only because it cannot be used.
    fn has_unusable_stored(&self, document: &LintedDocument, path: &str) -> bool {
        let session = self.session;
        if session.options().related.stored.is_some() {
            return true;
        }
        let settings = session.configurations().settings_for(path);
        let stored = settings.and_then(|settings| settings.stored());
        document.position.is_none()
            && stored.is_some_and(|stored| {
                let files = session.configurations().files_of_the_service();
                files.exists(Path::new(&stored.value)) != Ok(false)
            })
    }
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

/// What reports call a document: the path of its file, with the line or the number of the document in a file with several.
fn name(document: &LintedDocument) -> Arc<str> {
    // Only a file that is read as a whole has its lines.
    name_of(&document.path, document.position, document.lines.is_some())
}

/// As [`name`], from the path of the file and the position in it. `is_whole`: the file is read as a whole.
fn name_of(path: &Arc<str>, position: Option<DocumentPosition>, is_whole: bool) -> Arc<str> {
    match position {
        None => Arc::clone(path),
        Some(position) if is_whole => format!("{path}#{}", position.index + 1).into(),
        Some(position) => format!("{path}:{}", position.line).into(),
    }
}
