//! Baselines on the disk, and their entries whose finding is gone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use voxlint::RuleRef;
use voxlint_config::{
    BASELINE_NAME, Baseline, BaselineEntry, Configuration, Level, SettingSource, VisitedPaths,
};

use crate::Failure;
use crate::configurations::Configurations;
use crate::paths::{absolute, folder_of, is_within, join, relative_or_absolute};
use crate::size_limit::{MAX_BASELINE, SizeLimit};

/// Where the baseline comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum BaselineSource {
    /// The file that the configuration names, or else `voxlint-baseline.json` beside the configuration.
    #[default]
    Configured,
    /// This file.
    File(PathBuf),
    /// No baseline is used.
    None,
}

/// A baseline and its file.
#[derive(Clone, Debug)]
pub struct BaselineFile {
    /// The absolute path.
    pub path: String,
    /// The baseline; `None` if there is no such file, or if it is not used.
    pub baseline: Option<Baseline>,
}

impl BaselineFile {
    /// The largest size of the file, in bytes.
    pub const MAX_SIZE: u64 = MAX_BASELINE;

    /// The absolute path of the document that an entry is about.
    pub fn document(&self, entry: &BaselineEntry) -> String {
        join(folder_of(&self.path), &entry.path)
    }

    /// The path of a document as the baseline spells it.
    pub(crate) fn name_of(&self, file: &str) -> String {
        relative_or_absolute(folder_of(&self.path), file)
    }
}

/// The baseline of each configuration, by its index. Adds those that cannot be used to the failures.
pub(crate) fn read_baselines(
    source: &BaselineSource,
    configurations: &Configurations,
    repository_root: &str,
    failures: &mut Vec<Failure>,
) -> Vec<BaselineFile> {
    let mut faulty = BTreeSet::new();
    let files = configurations.settings_files();
    let mut read = |configuration: &Configuration| {
        let stated = || configuration.baseline().map(|stated| stated.value.clone());
        let beside = || {
            let folder = configuration.path().map(|_| configuration.folder());
            join(folder.unwrap_or(repository_root), BASELINE_NAME)
        };
        let path = match source {
            BaselineSource::File(file) => absolute(file),
            BaselineSource::Configured | BaselineSource::None => stated().unwrap_or_else(beside),
        };
        // Only where it is looked for, not where a configuration says it is.
        let is_unreachable = || stated().is_none() && files.is_outside(Path::new(&path));
        if *source == BaselineSource::None || is_unreachable() {
            return BaselineFile { path, baseline: None };
        }
        let text = match source {
            BaselineSource::Configured if stated().is_some() => {
                configurations.named_file(Path::new(&path)).and_then(|file| {
                    file.map(|file| files.read_text(&file.source, &SizeLimit::baseline()))
                        .transpose()
                })
            }
            BaselineSource::Configured => {
                configurations.found_file(&path, "--baseline").and_then(|source| {
                    source.map(|it| files.read_text(&it, &SizeLimit::baseline())).transpose()
                })
            }
            _ => files.read_text_if_exists(Path::new(&path), &SizeLimit::baseline()),
        };
        let baseline = text.and_then(|text| {
            let baseline = text.map(|text| Baseline::parse(&text)).transpose();
            baseline.map_err(|error| error.to_string())
        });
        let baseline = baseline.unwrap_or_else(|message| {
            if faulty.insert(path.clone()) {
                failures.push(Failure::new(configurations.shown(&path), message));
            }
            None
        });
        BaselineFile { path, baseline }
    };
    configurations.iter().map(|(_, configuration)| read(configuration)).collect()
}

/// Everything that a run found, whether a baseline lists it or not.
#[derive(Clone, Debug, Default)]
pub struct RecordedFindings {
    /// The findings as a baseline lists them, each with the index of its configuration.
    pub entries: Vec<(usize, BaselineEntry)>,
    /// The ids of undecided rules by file: they might find something.
    pub(crate) undecided: BTreeMap<String, BTreeSet<String>>,
}

/// The entries of baselines whose finding is gone, as far as a run can tell: the file was visited, the rule was decided, and
/// it was not switched off for this run.
pub(crate) fn stale_entries<'b>(
    baselines: &'b [BaselineFile],
    configurations: &Configurations,
    found: &RecordedFindings,
    visited: &VisitedPaths,
) -> Vec<(&'b BaselineFile, &'b BaselineEntry)> {
    if baselines.iter().all(|file| file.baseline.is_none()) {
        return Vec::new();
    }
    let present: BTreeSet<(&str, &BaselineEntry)> = found
        .entries
        .iter()
        .filter_map(|(index, entry)| Some((&*baselines.get(*index)?.path, entry)))
        .collect();
    let rules = configurations.rules();
    let rules: BTreeMap<&str, &RuleRef> = rules.iter().map(|rule| (&*rule.id, rule)).collect();
    let files = configurations.file_system();
    let mut known = BTreeSet::new();
    let mut stale = Vec::new();
    for file in baselines {
        // Several configurations may share a baseline.
        if !known.insert(&file.path) {
            continue;
        }
        for entry in file.baseline.iter().flat_map(Baseline::entries) {
            let path = file.document(entry);
            // A file in a visited folder may be skipped there, and checked where it is named.
            let is_deleted = || {
                visited.folders.iter().any(|folder| is_within(folder, &path))
                    && files.exists(Path::new(&path)) == Ok(false)
            };
            let was_visited = visited.files.contains(&path) || is_deleted();
            let is_undecided =
                || found.undecided.get(&path).is_some_and(|rules| rules.contains(&entry.rule));
            let is_deselected = || {
                let rule = rules.get(&*entry.rule);
                rule.is_some_and(|rule| is_deselected(rule, file, baselines, configurations))
            };
            if was_visited
                && !present.contains(&(&*file.path, entry))
                && !is_undecided()
                && !is_deselected()
            {
                stale.push((file, entry));
            }
        }
    }
    stale
}

/// Whether the rule selection of this run switches a rule off for the documents of a baseline.
fn is_deselected(
    rule: &RuleRef,
    file: &BaselineFile,
    baselines: &[BaselineFile],
    configurations: &Configurations,
) -> bool {
    let mut own = configurations
        .iter()
        .filter(|(index, _)| baselines.get(*index).is_some_and(|other| other.path == file.path));
    own.any(|(_, configuration)| {
        configuration.level(rule).is_some_and(|level| {
            level.value == Level::Off && matches!(level.source, SettingSource::Argument(_))
        })
    })
}
