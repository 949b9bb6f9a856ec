//! What a run stands on before the first document is read: its files, their configurations, and what lies beside them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use voxlint_config::{Date, FileSettings};
use voxlint_report::{FailedFile, Repository};

use crate::accounting::{Accounting, Outcome, Reason, Relation};
use crate::args::{
    BaselineOptions, ColorArgument, ConfigurationOptions, InputOptions, RuleOptions,
};
use crate::files::{self, Found, Input, LeftOut, Naming, Reading};
use crate::partners::PartnerFiles;
use crate::paths::{absolute, here, join, lexical};
use crate::project::{BaselineFile, CONFIGURATION_NAME, Project};
use crate::texts;

/// What was asked for, as far as it decides what is read.
#[derive(Clone, Copy)]
pub(crate) struct Request<'o> {
    pub(crate) subject: &'o InputOptions,
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
    pub(crate) failures: Vec<FailedFile>,
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
        if files::name_stdin_twice(subject.context.paths().chain(&subject.paths())) {
            return Err(files::ONE_STDIN.to_owned());
        }
        let reading = Reading {
            stdin_filename: subject.stdin.stdin_filename.as_deref(),
            jsonc: subject.syntax.jsonc,
        };
        let naming = Naming {
            force_exclude: subject.force_exclude,
            only_documents: subject.only_documents,
            kind: subject.kind,
        };
        project.look_up(&here());
        let mut accounting = Accounting::default();
        let Found { mut inputs, left_out, folders, failures } =
            reading.find(&subject.paths(), &mut project, naming, &mut accounting);
        if let Some(complaint) =
            inputs.iter().find_map(|input| texts::have_no_place(input, &subject.texts.text_files))
        {
            return Err(complaint);
        }
        let repository = project.repository();
        project.choose(rules)?;
        let baselines = project.baselines(baseline, &repository);
        let mut failures: Vec<FailedFile> =
            std::mem::take(&mut project.failures).into_iter().chain(failures).collect();

        // What is nearer to a document comes last and counts.
        let mut related: Relations = subject.context.relations().collect();
        let of_baseline =
            |file: &BaselineFile| (lexical(Path::new(&file.path)), Relation::Baseline);
        related.extend(baselines.iter().map(of_baseline));
        if subject.only_documents {
            let listed = left_out.iter().filter(|file| file.is_listed).map(|file| &file.input);
            let listed: Vec<&Input> = inputs.iter().chain(listed).collect();
            let further = documents_of(&listed, &mut related, subject, reading, &mut project);
            for document in &further {
                accounting.expect(document);
            }
            inputs.extend(further);
            inputs.sort_by(|a, b| (&a.shown, &a.path).cmp(&(&b.shown, &b.path)));
        }
        for input in &inputs {
            related.extend(related_files(input, subject, &project));
        }
        let facts = |input: &Input| Some(project.settings(&input.absolute)?.facts()?.value.clone());
        let all_facts = inputs.iter().filter_map(facts).collect();
        let mut apart = Apart {
            relations: &related,
            project: &project,
            accounting: &mut accounting,
            failures: &mut failures,
            related: Vec::new(),
            found: BTreeSet::new(),
        };
        apart.take_inputs(&mut inputs);
        apart.take_left_out(left_out);
        apart.take_texts();
        let related = apart.related;

        let shared_texts = shared_texts(&inputs, subject, &project);
        let partners =
            PartnerFiles::read(&subject.context, reading, all_facts, &project, &mut failures);
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
    pub(crate) fn unvisited(&mut self, subject: &InputOptions) -> Vec<(String, Reason)> {
        let folders: Vec<PathBuf> =
            subject.paths().into_iter().filter(|path| path.is_dir()).collect();
        folders.iter().flat_map(|folder| files::unvisited(folder, &mut self.project)).collect()
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
    subject: &InputOptions,
    project: &Project,
) -> Vec<(PathBuf, Relation)> {
    let settings = project.settings(&input.absolute);
    let of_path = |path: &str, relation| (lexical(Path::new(path)), relation);
    let facts = settings.as_ref().and_then(FileSettings::facts);
    let facts = facts.map(|facts| of_path(&facts.value, Relation::Facts));
    let stored = settings.as_ref().and_then(FileSettings::stored);
    let stored = stored.map(|stored| of_path(&stored.value, Relation::Stored));
    let texts = texts::beside(input, &subject.texts.text_files, settings.as_ref());
    let texts = texts.into_iter().map(|(_, path)| (lexical(&path), Relation::Text));
    facts.into_iter().chain(stored).chain(texts).collect()
}

/// The files that belong to documents, as they are told from the documents.
struct Apart<'a> {
    relations: &'a Relations,
    project: &'a Project,
    accounting: &'a mut Accounting,
    failures: &'a mut Vec<FailedFile>,
    related: Vec<(Input, Relation)>,
    /// Those that the command line stands for.
    found: BTreeSet<PathBuf>,
}

impl Apart<'_> {
    /// What a file is to documents. It has been found then.
    fn relation_of(&mut self, input: &Input) -> Option<Relation> {
        let path = input.path.as_deref().map(lexical)?;
        let relation = self.relations.get(&path).copied()?;
        self.found.insert(path);
        Some(relation)
    }

    /// Takes the files that belong to documents out of the inputs, unless somebody has named them.
    fn take_inputs(&mut self, inputs: &mut Vec<Input>) {
        for input in std::mem::take(inputs) {
            match self.relation_of(&input).filter(|_| !input.is_named) {
                None => inputs.push(input),
                Some(Relation::Text) => {
                    let text = input.path.as_deref().map(|path| Input::text(path, self.project));
                    let shown = input.shown.clone();
                    self.related.extend(text.map(|mut text| {
                        text.shown = shown;
                        (text, Relation::Text)
                    }));
                }
                Some(relation) => self.related.push((input, relation)),
            }
        }
    }

    /// Settles what is left out, but for the texts of documents: these are checked whatever they are called, and whether or
    /// not they are excluded as documents.
    fn take_left_out(&mut self, left_out: Vec<LeftOut>) {
        for LeftOut { input, reason, .. } in left_out {
            match (self.relation_of(&input), input.path.as_deref()) {
                (Some(Relation::Text), Some(path)) => {
                    if !self.take_text(path, Some(&input.shown)) {
                        self.accounting.settle(&input, Outcome::Skipped(reason));
                    }
                }
                (relation, _) => {
                    self.accounting.settle(&input, Outcome::Skipped(reason));
                    self.related.extend(relation.map(|relation| (input, relation)));
                }
            }
        }
    }

    /// Adds the texts that a run over the folder would not find.
    fn take_texts(&mut self) {
        for (path, relation) in self.relations {
            if *relation == Relation::Text && !self.found.contains(path) {
                self.take_text(path, None);
            }
        }
    }

    /// Adds a text, as far as it is there.
    fn take_text(&mut self, path: &Path, shown: Option<&str>) -> bool {
        let found = texts::find(path, self.project);
        let mut text = Input::text(path, self.project);
        if let Some(shown) = shown {
            shown.clone_into(&mut text.shown);
        }
        match found {
            Ok(Some(_)) => {
                self.accounting.expect(&text);
                self.related.push((text, Relation::Text));
            }
            Ok(None) => return false,
            Err(failure) => {
                self.accounting.expect(&text);
                // Where it was found in a folder, it has failed already.
                if !self.accounting.is_settled(&text) {
                    self.accounting.settle(&text, Outcome::Failed(failure.message.clone()));
                }
                if !self.failures.contains(&failure) {
                    self.failures.push(failure);
                }
            }
        }
        true
    }
}

/// The text files that belong to several documents, or may: those that do not have the name of their document.
fn shared_texts(inputs: &[Input], subject: &InputOptions, project: &Project) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut shared = BTreeSet::new();
    for input in inputs {
        let stem = Path::new(&input.absolute).file_stem().unwrap_or_default().to_string_lossy();
        let settings = project.settings(&input.absolute);
        for (_, path) in texts::beside(input, &subject.texts.text_files, settings.as_ref()) {
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
    listed: &[&Input],
    related: &mut Relations,
    subject: &InputOptions,
    reading: Reading<'_>,
    project: &mut Project,
) -> Vec<Input> {
    let mut folders = project.grounds();
    if !subject.texts.text_files.is_empty() {
        folders.push(here());
    }
    let listed_paths: BTreeSet<PathBuf> =
        listed.iter().filter_map(|input| input.path.as_deref()).map(lexical).collect();
    let listed: BTreeSet<&str> = listed.iter().map(|input| &*input.absolute).collect();
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
