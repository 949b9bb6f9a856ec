//! What a run stands on before the first document is read: its files, their configurations, and what lies beside them.

use std::collections::BTreeSet;
use std::time::SystemTime;

use voxlint_config::Date;
use voxlint_report::{Failure, Repository, Skipped};

use crate::args::{
    BaselineOptions, ColorArgument, ConfigurationOptions, RuleOptions, SubjectOptions,
};
use crate::files::{self, Found, Input, Reading};
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
        project.look_up(&here());
        let Found { mut inputs, left_out, mut passed_over, folders, failures } =
            reading.find(&subject.paths, &mut project, subject.force_exclude);
        let repository = project.repository();
        project.choose(rules)?;
        let baselines = project.baselines(baseline, &repository);
        let mut failures: Vec<Failure> =
            std::mem::take(&mut project.failures).into_iter().chain(failures).collect();

        let mut beside: BTreeSet<String> =
            subject.partners.paths().map(|path| absolute(path)).collect();
        let mut all_facts = BTreeSet::new();
        let mut all_texts = BTreeSet::new();
        let mut shared_texts = BTreeSet::new();
        for input in &inputs {
            let settings = project.settings(&input.absolute);
            let texts = texts::beside(input, &subject.text_files, settings.as_ref());
            for text in texts.iter().map(|(_, path)| absolute(path)) {
                if !all_texts.insert(text.clone()) {
                    shared_texts.insert(text.clone());
                }
                beside.insert(text);
            }
            let Some(settings) = settings else { continue };
            beside.extend(settings.stored().map(|stored| stored.value));
            all_facts.extend(settings.facts().map(|facts| facts.value.clone()));
        }
        beside.extend(all_facts.iter().cloned());
        beside.extend(baselines.iter().map(|file| file.path.clone()));
        // What documents are checked against lies beside them often, and is no document of its own then.
        inputs.retain(|input| {
            let is_kept = input.is_named || !beside.contains(&input.absolute);
            if !is_kept {
                passed_over.push(input.absolute.clone());
            }
            is_kept
        });

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

/// The day, wherever on earth it is that day first counted from: suppressions expire on the same day everywhere.
pub(crate) fn today() -> Date {
    const SECONDS: u64 = 24 * 60 * 60;
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    Date::from_days(since.as_secs() / SECONDS)
}
