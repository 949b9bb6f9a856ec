use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use voxlint::Severity;
use voxlint_config::{Baseline, BaselineEntry};
use voxlint_report::{escape_json, escape_terminal};

use super::after_writing;
use crate::Outcome;
use crate::args::{BaselineAction, BaselineActionOptions, BaselineCommand, BaselineOptions};
use crate::baselines::{no_such_baseline, stale};
use crate::ground::{Ground, Request};
use crate::judge::Hides;
use crate::outputs::would_overwrite;
use crate::paths::{describe, folder};
use crate::progress::Progress;
use crate::project::BaselineFile;
use crate::replace;
use crate::survey::{Manner, Survey, survey};
use crate::terminal::complain;

pub(crate) fn run(command: &BaselineCommand) -> Outcome {
    let (BaselineAction::Write(options)
    | BaselineAction::Check(options)
    | BaselineAction::Prune(options)) = &command.action;
    listing(&command.action, options)
}

/// Finds everything, listed or not, and hands it on. What could not be read may have findings that nobody knows of, so
/// nothing is done then.
fn listing(action: &BaselineAction, options: &BaselineActionOptions) -> Outcome {
    let baseline = BaselineOptions { file: options.baseline.clone(), ..BaselineOptions::default() };
    let is_write = matches!(action, BaselineAction::Write(_));
    if let Some(file) =
        options.baseline.baseline.as_deref().filter(|file| !is_write && !file.exists())
    {
        complain(&no_such_baseline(file));
        return Outcome::Failed;
    }
    let request = Request {
        subject: &options.input,
        configuration: &options.configuration,
        rules: &options.rules,
        baseline: &baseline,
        color: options.color.when,
    };
    let mut ground = match Ground::prepare(request) {
        Ok(ground) => ground,
        Err(complaint) => {
            complain(&complaint);
            return Outcome::Failed;
        }
    };
    // To be listed, a finding wants a list to be held against, be it an empty one.
    for file in &mut ground.baselines {
        file.baseline.get_or_insert_default();
    }
    let progress = Progress::of(ground.inputs.len(), options.quiet.quiet);
    let manner = Manner {
        hides: Hides::Known,
        least: Severity::Info,
        allows_empty: true,
        progress: &progress,
    };
    let survey = survey(&mut ground, request, manner, &mut []);
    progress.clear();
    for failure in &survey.failures {
        complain(&format!("{}: {}", failure.path, failure.message));
    }
    if let Some(complaint) = &survey.complaint {
        complain(complaint);
    }
    if !survey.failures.is_empty() || survey.complaint.is_some() {
        complain("the baseline is unchanged");
        return Outcome::Failed;
    }
    match action {
        BaselineAction::Write(_) => write(options, &ground, &survey),
        BaselineAction::Check(_) => check(options, &ground, &survey),
        BaselineAction::Prune(_) => prune(options, &ground, &survey),
    }
}

/// Lists what was found. What the list says of files that were not looked at stays.
fn write(options: &BaselineActionOptions, ground: &Ground, survey: &Survey) -> Outcome {
    let mut lists: BTreeMap<&str, Vec<BaselineEntry>> = BTreeMap::new();
    for (number, entry) in &survey.found.entries {
        if let Some(file) = ground.baselines.get(*number) {
            lists.entry(&file.path).or_default().push(entry.clone());
        }
    }
    let gone: BTreeSet<(&str, &BaselineEntry)> = stale(ground, &survey.found, &survey.looked)
        .map(|(file, entry)| (&*file.path, entry))
        .collect();
    let is_there = |file: &&BaselineFile| {
        lists.contains_key(&*file.path) || fs::exists(&file.path).unwrap_or(true)
    };
    let mut files: BTreeMap<&str, &BaselineFile> =
        ground.baselines.iter().filter(is_there).map(|file| (&*file.path, file)).collect();
    if files.is_empty() {
        // Who asks for a baseline gets one, though there is nothing to list.
        files.extend(ground.baseline_here().map(|file| (&*file.path, file)));
    }
    let overwritten = files.keys().find_map(|path| would_overwrite(path, &options.input, ground));
    if let Some(complaint) = overwritten {
        complain(&complaint);
        return Outcome::Failed;
    }
    for file in files.into_values() {
        let kept = file.baseline.iter().flat_map(Baseline::entries);
        let kept = kept.filter(|entry| !gone.contains(&(&*file.path, *entry))).cloned();
        let baseline: Baseline =
            lists.remove(&*file.path).into_iter().flatten().chain(kept).collect();
        // The folder of a baseline that a configuration names may be as new as the baseline.
        let written = fs::create_dir_all(folder(&file.path)).and_then(|()| {
            replace::write(Path::new(&file.path), escape_json(&baseline.to_json()).as_bytes())
        });
        if let Err(error) = written {
            complain(&format!("{}: {}", ground.project.shown(&file.path), describe(&error)));
            return Outcome::Failed;
        }
        if !options.quiet.quiet {
            let path = ground.project.shown(&file.path);
            let findings = counted(baseline.len(), "finding", "findings");
            complain(&format!("recorded {findings} in {path}; only new ones are reported"));
        }
    }
    Outcome::Clean
}

/// Names the entries that match nothing any more.
fn check(options: &BaselineActionOptions, ground: &Ground, survey: &Survey) -> Outcome {
    let mut text = String::new();
    let mut count = 0;
    for (file, entry) in stale(ground, &survey.found, &survey.looked) {
        let path = ground.project.shown(&file.document(entry));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{}: {} at {}",
            escape_terminal(&path),
            entry.rule,
            escape_terminal(&entry.pointer)
        );
        count += 1;
    }
    if count == 0 {
        return Outcome::Clean;
    }
    if !options.quiet.quiet {
        let entries = counted(count, "entry matches", "entries match");
        complain(&format!("{entries} nothing: `voxlint baseline prune` removes them"));
    }
    after_writing(io::stdout().lock().write_all(text.as_bytes()), Outcome::Findings)
}

/// Takes out the entries that match nothing any more.
fn prune(options: &BaselineActionOptions, ground: &Ground, survey: &Survey) -> Outcome {
    let mut gone: BTreeMap<&str, BTreeSet<&BaselineEntry>> = BTreeMap::new();
    for (file, entry) in stale(ground, &survey.found, &survey.looked) {
        gone.entry(&file.path).or_default().insert(entry);
    }
    for file in &ground.baselines {
        let (Some(gone), Some(baseline)) = (gone.remove(&*file.path), &file.baseline) else {
            continue;
        };
        let mut left = baseline.clone();
        left.retain(|entry| !gone.contains(entry));
        if let Err(error) =
            replace::write(Path::new(&file.path), escape_json(&left.to_json()).as_bytes())
        {
            complain(&format!("{}: {}", ground.project.shown(&file.path), describe(&error)));
            return Outcome::Failed;
        }
        if !options.quiet.quiet {
            let path = ground.project.shown(&file.path);
            let entries = counted(gone.len(), "entry", "entries");
            complain(&format!("removed {entries} from {path}; {} left", left.len()));
        }
    }
    Outcome::Clean
}

fn counted(count: usize, one: &str, several: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { several })
}
