//! What a run stands on before the first document is read: its files, their configurations, and what lies beside them.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::SystemTime;

use voxlint_config::{Date, FileSettings};
use voxlint_report::{Failure, Repository, Skipped};

use crate::args::{
    BaselineOptions, ColorArgument, ConfigurationOptions, RuleOptions, SubjectOptions,
};
use crate::files::{self, Found, Input, Naming, Reading};
use crate::partners::PartnerFiles;
use crate::paths::{absolute, here, join};
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
    pub(crate) left_out: Vec<Skipped>,
    /// Files that are there and are not checked.
    pub(crate) passed_over: Vec<String>,
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
        if files::name_stdin_twice(subject.partners.paths().chain(&subject.paths)) {
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
        let Found { mut inputs, mut left_out, mut passed_over, folders, failures } =
            reading.find(&subject.paths, &mut project, naming);
        let repository = project.repository();
        project.choose(rules)?;
        let baselines = project.baselines(baseline, &repository);
        let mut failures: Vec<Failure> =
            std::mem::take(&mut project.failures).into_iter().chain(failures).collect();

        let mut beside: BTreeSet<String> =
            subject.partners.paths().map(|path| absolute(path)).collect();
        for input in &inputs {
            beside.extend(beside_document(input, subject, &project));
        }
        beside.extend(baselines.iter().map(|file| file.path.clone()));
        if subject.only_documents {
            let further = documents_of(&inputs, &mut beside, subject, reading, &mut project);
            let passed_over =
                inputs.iter().filter(|it| !it.is_named && beside.contains(&it.absolute));
            left_out.extend(passed_over.map(|input| Skipped {
                path: input.shown.clone(),
                why: "documents are checked against it".to_owned(),
            }));
            left_out.sort_by(|a, b| a.path.cmp(&b.path));
            inputs.extend(further);
            inputs.sort_by(|a, b| (&a.shown, &a.path).cmp(&(&b.shown, &b.path)));
        }
        let facts = |input: &Input| Some(project.settings(&input.absolute)?.facts()?.value.clone());
        let all_facts = inputs.iter().filter_map(facts).collect();
        // What documents are checked against lies beside them often, and is no document of its own then.
        inputs.retain(|input| {
            let is_kept = input.is_named || !beside.contains(&input.absolute);
            if !is_kept {
                passed_over.push(input.absolute.clone());
            }
            is_kept
        });

        let shared_texts = shared_texts(&inputs, subject, &project);
        let partners =
            PartnerFiles::read(&subject.partners, reading, all_facts, &project, &mut failures);
        Ok(Self {
            project,
            repository,
            baselines,
            inputs,
            left_out,
            passed_over,
            shared_texts,
            folders,
            partners,
            failures,
            today: today(),
        })
    }

    /// The baseline for the folder that voxlint was started in.
    pub(crate) fn baseline_here(&self) -> Option<&BaselineFile> {
        // The name does not matter.
        let number = self.project.number(&join(&here(), CONFIGURATION_NAME))?;
        self.baselines.get(number)
    }
}

/// The files that a document is checked against, by the configuration and the command line.
fn beside_document(input: &Input, subject: &SubjectOptions, project: &Project) -> Vec<String> {
    let settings = project.settings(&input.absolute);
    let texts = texts::beside(input, &subject.text_files, settings.as_ref());
    let texts = texts.iter().map(|(_, path)| absolute(path));
    let stored = settings.as_ref().and_then(FileSettings::stored).map(|stored| stored.value);
    let facts = settings.as_ref().and_then(FileSettings::facts).map(|facts| facts.value.clone());
    texts.chain(stored).chain(facts).collect()
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
    beside: &mut BTreeSet<String>,
    subject: &SubjectOptions,
    reading: Reading<'_>,
    project: &mut Project,
) -> Vec<Input> {
    let mut folders = project.grounds();
    if !subject.text_files.is_empty() {
        folders.push(here());
    }
    let listed: BTreeSet<&str> = inputs.iter().map(|input| &*input.absolute).collect();
    // Folders may lie in each other.
    let mut seen = BTreeSet::new();
    let mut documents = reading.around(&folders, project);
    documents.retain_mut(|document| {
        document.shown = project.shown(&document.absolute);
        let partners = beside_document(document, subject, project);
        let is_meant = partners.iter().any(|partner| listed.contains(&**partner));
        beside.extend(partners);
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
