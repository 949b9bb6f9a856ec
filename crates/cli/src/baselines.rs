//! What of a baseline is still there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use voxlint::RuleRef;
use voxlint_config::{Baseline, BaselineEntry, Level, SettingSource, VisitedPaths};

use crate::ground::Ground;
use crate::paths::is_there;
use crate::project::{BaselineFile, is_in};
use crate::survey::Found;

/// The entries of the baselines that match nothing any more, as far as a run has looked: where the command line has switched
/// the rule off, or it could not be decided, nobody knows.
pub(crate) fn stale<'g>(
    ground: &'g Ground,
    found: &Found,
    looked: &VisitedPaths,
) -> impl Iterator<Item = (&'g BaselineFile, &'g BaselineEntry)> {
    let entries: BTreeSet<(&str, &BaselineEntry)> = found
        .entries
        .iter()
        .filter_map(|(number, entry)| Some((&*ground.baselines.get(*number)?.path, entry)))
        .collect();
    let rules = ground.project.rules();
    let rules: BTreeMap<&str, &RuleRef> = rules.iter().map(|rule| (&*rule.id, rule)).collect();
    let mut told = BTreeSet::new();
    let mut gone = Vec::new();
    for file in &ground.baselines {
        // Several configurations may share one.
        if !told.insert(&file.path) {
            continue;
        }
        for entry in file.baseline.iter().flat_map(Baseline::entries) {
            let path = file.document(entry);
            // What lies in a folder may be passed over there, and checked where it is named.
            let is_gone = || {
                looked.folders.iter().any(|folder| is_in(folder, &path))
                    && is_there(Path::new(&path)) == Ok(false)
            };
            let was_looked_at = looked.files.contains(&path) || is_gone();
            let is_undecided =
                || found.undecided.get(&path).is_some_and(|rules| rules.contains(&entry.rule));
            let is_left_out =
                || rules.get(&*entry.rule).is_some_and(|rule| is_left_out(ground, file, rule));
            if was_looked_at
                && !entries.contains(&(&*file.path, entry))
                && !is_undecided()
                && !is_left_out()
            {
                gone.push((file, entry));
            }
        }
    }
    gone.into_iter()
}

/// Whether the command line has switched a rule off for what a baseline is about.
fn is_left_out(ground: &Ground, file: &BaselineFile, rule: &RuleRef) -> bool {
    let configurations = ground.project.configurations();
    let mut own = configurations.filter(|(number, _)| {
        ground.baselines.get(*number).is_some_and(|other| other.path == file.path)
    });
    own.any(|(_, configuration)| {
        configuration.level(rule).is_some_and(|level| {
            level.value == Level::Off && matches!(level.source, SettingSource::Argument(_))
        })
    })
}

/// What to say of a baseline that somebody names and that is not there.
pub(crate) fn no_such_baseline(file: &Path) -> String {
    let file = file.display();
    format!("{file}: no such file: `voxlint baseline write --baseline {file}` creates it")
}
