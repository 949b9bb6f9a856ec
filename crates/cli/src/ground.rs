//! What a run stands on before the first document is read: its files, their configurations, and what lies beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use voxlint_config::{Date, FileSettings};
use voxlint_report::{Failure, Repository};

use crate::accounting::{Accounting, Outcome, Reason, Relation};
use crate::args::{
    BaselineOptions, ColorArgument, ConfigurationOptions, RuleOptions, SubjectOptions,
};
use crate::files::{self, Found, Input, Naming, Reading};
use crate::partners::PartnerFiles;
use crate::paths::{absolute, here, join, lexical};
use crate::project::{BaselineFile, CONFIGURATION_NAME, Project};
use crate::texts;

/// What was asked for, as far as it decides what is read.
#[derive(Clone, Copy)]
pub(crate) struct Request<'o> {
    pub(crate) subject: &'o SubjectOptions,
    pub(crate) configuration: &'o ConfigurationOptions,
    pub(crate) rules: &'o RuleOptions,
    pub(crate) baseline: &'o BaselineOptions,
    pub(crate) color: ColorArgument,
}

/// See the module.
pub(crate) struct Ground {
    pub(crate) project: Project,
    pub(crate) repository: Repository,
    pub(crate) baselines: Vec<BaselineFile>,
    /// The files to check, in the order in which they are reported.
    pub(crate) inputs: Vec<Input>,
    /// Files that belong to documents, each with what it is to them. Those that no document is checked with are checked by
    /// themselves.
    pub(crate) related: Vec<(Input, Relation)>,
    pub(crate) accounting: Accounting,
    /// The text files that belong to several documents.
    pub(crate) shared_texts: BTreeSet<String>,
    /// The folders in which everything is checked.
    pub(crate) folders: Vec<String>,
    pub(crate) partners: PartnerFiles,
    pub(crate) failures: Vec<Failure>,
    pub(crate) today: Date,
}

impl Ground {
    /// Looks for everything.
    ///
    /// # Errors
    ///
    /// What is wrong with what was asked for: then nothing is read at all.
    pub(crate) fn prepare(request: Request<'_>) -> Result<Self, String> {
        Self::prepare_in(Project::new(request.configuration, request.color), request)
    }

    /// Looks for everything but the project.
    ///
    /// # Errors
    ///
    /// As [`Self::prepare`].
    pub(crate) fn prepare_in(mut project: Project, request: Request<'_>) -> Result<Self, String> {
        let Request { subject, rules, baseline, .. } = request;
        if files::name_stdin_twice(subject.partners.paths().chain(&subject.paths())) {
            return Err(files::ONE_STDIN.to_owned());
        }
        let reading = Reading {
            stdin_filename: subject.stdin_filename.as_deref(),
            jsonc: subject.reading.jsonc,
        };
        let naming = Naming {
            force_exclude: subject.force_exclude,
            only_documents: subject.only_documents,
            kind: subject.kind,
        };
        project.look_up(&here());
        let mut accounting = Accounting::default();
        let Found { mut inputs, folders, failures } =
            reading.find(&subject.paths(), &mut project, naming, &mut accounting);
        if let Some(complaint) =
            inputs.iter().find_map(|input| texts::have_no_place(input, &subject.text_files))
        {
            return Err(complaint);
        }
        let repository = project.repository();
        project.choose(rules)?;
        let baselines = project.baselines(baseline, &repository);
        let mut failures: Vec<Failure> =
            std::mem::take(&mut project.failures).into_iter().chain(failures).collect();

        // What is nearer to a document comes last and counts.
        let mut related: Relations = subject.partners.relations().collect();
        let of_baseline =
            |file: &BaselineFile| (lexical(Path::new(&file.path)), Relation::Baseline);
        related.extend(baselines.iter().map(of_baseline));
        if subject.only_documents {
            let further = documents_of(&inputs, &mut related, subject, reading, &mut project);
            for document in &further {
                accounting.expect(document, false);
            }
            inputs.extend(further);
            inputs.sort_by(|a, b| (&a.shown, &a.path).cmp(&(&b.shown, &b.path)));
        }
        for input in &inputs {
            related.extend(related_files(input, subject, &project));
        }
        let facts = |input: &Input| Some(project.settings(&input.absolute)?.facts()?.value.clone());
        let all_facts = inputs.iter().filter_map(facts).collect();
        let related = set_apart(&mut inputs, &related, &project, &mut accounting, &mut failures);

        let shared_texts = shared_texts(&inputs, subject, &project);
        let partners =
            PartnerFiles::read(&subject.partners, reading, all_facts, &project, &mut failures);
        Ok(Self {
            project,
            repository,
            baselines,
            inputs,
            related,
            accounting,
            shared_texts,
            folders,
            partners,
            failures,
            today: today(),
        })
    }

    /// What the folders hold that somebody has named and the run has not even looked at, with the reasons.
    pub(crate) fn unvisited(&mut self, subject: &SubjectOptions) -> Vec<(String, Reason)> {
        let reading = Reading { stdin_filename: None, jsonc: subject.reading.jsonc };
        let folders: Vec<PathBuf> =
            subject.paths().into_iter().filter(|path| path.is_dir()).collect();
        folders.iter().flat_map(|folder| reading.unvisited(folder, &mut self.project)).collect()
    }

    /// The baseline for the folder that voxlint was started in.
    pub(crate) fn baseline_here(&self) -> Option<&BaselineFile> {
        // The name does not matter.
        let number = self.project.number(&join(&here(), CONFIGURATION_NAME))?;
        self.baselines.get(number)
    }
}

/// Files by what they are to documents.
type Relations = BTreeMap<PathBuf, Relation>;

/// The files that a document is checked against, by the configuration and the command line.
pub(crate) fn related_files(
    input: &Input,
    subject: &SubjectOptions,
    project: &Project,
) -> Vec<(PathBuf, Relation)> {
    let settings = project.settings(&input.absolute);
    let of_path = |path: &str, relation| (lexical(Path::new(path)), relation);
    let facts = settings.as_ref().and_then(FileSettings::facts);
    let facts = facts.map(|facts| of_path(&facts.value, Relation::Facts));
    let stored = settings.as_ref().and_then(FileSettings::stored);
    let stored = stored.map(|stored| of_path(&stored.value, Relation::Stored));
    let texts = texts::beside(input, &subject.text_files, settings.as_ref());
    let texts = texts.into_iter().map(|(_, path)| (lexical(&path), Relation::Text));
    facts.into_iter().chain(stored).chain(texts).collect()
}

/// Takes the files that belong to documents out of the inputs, unless somebody has named them, and adds texts that a run over
/// the folder would not find.
fn set_apart(
    inputs: &mut Vec<Input>,
    relations: &Relations,
    project: &Project,
    accounting: &mut Accounting,
    failures: &mut Vec<Failure>,
) -> Vec<(Input, Relation)> {
    let path_of = |input: &Input| input.path.as_deref().map(lexical);
    let relation_of = |input: &Input| relations.get(&path_of(input)?).copied();
    let mut related = Vec::new();
    let mut found = BTreeSet::new();
    for input in std::mem::take(inputs) {
        let relation = relation_of(&input);
        if relation.is_some() {
            found.extend(path_of(&input));
        }
        match relation.filter(|_| !input.is_named) {
            None => inputs.push(input),
            Some(Relation::Text) => {
                let text = input.path.as_deref().map(|path| Input::text(path, project));
                let shown = input.shown.clone();
                related.extend(text.map(|mut text| {
                    text.shown = shown;
                    (text, Relation::Text)
                }));
            }
            Some(relation) => related.push((input, relation)),
        }
    }
    let texts = relations.iter().filter(|(_, relation)| **relation == Relation::Text);
    for (path, _) in texts.filter(|(path, _)| !found.contains(*path)) {
        match texts::find(path, project) {
            Ok(Some(text)) => {
                accounting.expect(&text, false);
                related.push((text, Relation::Text));
            }
            Ok(None) => {}
            Err(failure) => {
                let text = Input::text(path, project);
                accounting.expect(&text, false);
                // Where it was found in a folder, it has failed already.
                if !accounting.is_settled(&text) {
                    accounting.settle(&text, Outcome::Failed(failure.message.clone()));
                }
                if !failures.contains(&failure) {
                    failures.push(failure);
                }
            }
        }
    }
    related
}

/// The text files that belong to several documents, or may: those that do not have the name of their document.
fn shared_texts(inputs: &[Input], subject: &SubjectOptions, project: &Project) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut shared = BTreeSet::new();
    for input in inputs {
        let stem = Path::new(&input.absolute).file_stem().unwrap_or_default().to_string_lossy();
        let settings = project.settings(&input.absolute);
        for (_, path) in texts::beside(input, &subject.text_files, settings.as_ref()) {
            let text = absolute(&path);
            let has_its_name = text.rsplit('/').next().is_some_and(|name| name.contains(&*stem));
            if !has_its_name || !all.insert(text.clone()) {
                shared.insert(text);
            }
        }
    }
    shared
}

/// The documents that are checked against one of some files, and are not among these: whoever names every file that has
/// changed wants to hear what the change does to them. What all documents around are checked against is noted.
fn documents_of(
    inputs: &[Input],
    related: &mut Relations,
    subject: &SubjectOptions,
    reading: Reading<'_>,
    project: &mut Project,
) -> Vec<Input> {
    let mut folders = project.grounds();
    if !subject.text_files.is_empty() {
        folders.push(here());
    }
    let listed: BTreeSet<&str> = inputs.iter().map(|input| &*input.absolute).collect();
    let listed_paths: BTreeSet<PathBuf> =
        inputs.iter().filter_map(|input| input.path.as_deref()).map(lexical).collect();
    // Folders may lie in each other.
    let mut seen = BTreeSet::new();
    let mut documents = reading.around(&folders, project);
    documents.retain_mut(|document| {
        document.shown = project.shown(&document.absolute);
        let beside = related_files(document, subject, project);
        let mut listed_beside = beside.into_iter().filter(|(path, _)| listed_paths.contains(path));
        let first = listed_beside.next();
        let is_meant = first.is_some();
        related.extend(first.into_iter().chain(listed_beside));
        is_meant && !listed.contains(&*document.absolute) && seen.insert(document.absolute.clone())
    });
    documents
}

/// The day, wherever on earth it is that day first counted from: suppressions expire on the same day everywhere.
pub(crate) fn today() -> Date {
    const SECONDS: u64 = 24 * 60 * 60;
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Date::from_days(since.as_secs() / SECONDS)
}
