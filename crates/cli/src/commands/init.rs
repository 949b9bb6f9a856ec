mod proposal;
mod words;

use std::collections::BTreeSet;
use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::Path;

use voxlint::Severity;
use voxlint_config::Configuration;
use voxlint_report::{FailedFile, escape_terminal};

use self::proposal::Proposal;
use self::words::{found, next};
use super::after_writing;
use crate::Outcome;
use crate::args::{
    BaselineOptions, ColorArgument, ConfigurationOptions, InitOptions, InputOptions, RuleOptions,
};
use crate::ground::{Ground, Request};
use crate::judge::Hides;
use crate::outputs::would_overwrite;
use crate::paths::{absolute, describe, join, slashes, tidy};
use crate::progress::Progress;
use crate::project::{CONFIGURATION_NAME, Project};
use crate::replace;
use crate::survey::{Manner, Survey, survey};
use crate::terminal::complain;

/// When what is wrong with a partner is coloured.
const COLOR: ColorArgument = ColorArgument::Auto;

pub(crate) fn run(options: &InitOptions) -> Outcome {
    match init(options) {
        Ok(outcome) => outcome,
        Err(complaint) => {
            complain(&complaint);
            Outcome::Failed
        }
    }
}

fn init(options: &InitOptions) -> Result<Outcome, String> {
    let directory = tidy(&options.directory);
    let file = directory.join(CONFIGURATION_NAME);
    let shown = slashes(&tidy(&file));
    let metadata = fs::metadata(&directory);
    let metadata = metadata.map_err(|it| format!("{}: {}", slashes(&directory), describe(&it)))?;
    if !metadata.is_dir() {
        return Err(format!("{}: not a directory", slashes(&directory)));
    }
    let is_there = fs::symlink_metadata(&file).is_ok();
    if is_there && !options.force && !options.print {
        return Err(format!(
            "{shown}: already exists; use --force to replace it or --print for a preview"
        ));
    }

    let isolated = ConfigurationOptions { isolated: true, config: None };
    let look = Look { directory: &options.directory };
    let (ground, first) = look.at(Project::new(&isolated, COLOR), &isolated, Hides::Nothing)?;
    let overwritten = || would_overwrite(&absolute(&file), &look.subject(), &ground);
    if let Some(complaint) = (is_there && !options.print).then(overwritten).flatten() {
        return Err(complaint);
    }
    let top = absolute(&directory);
    let mut proposal = Proposal::of(&top, &ground, &first);
    let mut text = proposal.text(&top, &first);
    let mut after = look.supposing(&top, &text);
    let known: BTreeSet<&str> = first.failures.iter().map(|it| &*it.path).collect();
    let objection = match &after {
        Ok(after) => after
            .failures
            .iter()
            .find(|failure| !known.contains(&*failure.path))
            .map(|failure| format!("{}: {}", failure.path, failure.message)),
        Err(complaint) => Some(complaint.clone()),
    };
    if let Some(objection) = objection.filter(|_| proposal.states_something()) {
        proposal.withdraw(&format!("the run would fail ({objection})"));
        text = proposal.text(&top, &first);
        after = look.supposing(&top, &text);
    }
    let after = after?;

    let outcome = if options.print {
        after_writing(io::stdout().lock().write_all(text.as_bytes()), Outcome::Clean)
    } else {
        write(&file, &text, options.force)
            .map_err(|error| format!("{shown}: {}", describe(&error)))?;
        Outcome::Clean
    };
    for FailedFile { path, message } in &after.failures {
        complain(&format!("{path}: {message}"));
    }
    let done = if options.print { "found".to_owned() } else { format!("wrote {shown}:") };
    let mut said = format!("{done} {}\n", found(&first));
    said += &proposal.summary();
    said += &next(&after.summary, &directory);
    for line in said.lines() {
        // There is nobody to tell if that fails.
        let _ = writeln!(io::stderr(), "{}", escape_terminal(line));
    }
    Ok(outcome)
}

/// Writes the file: never over one that has come about in the meantime, unless somebody wants that.
fn write(file: &Path, text: &str, force: bool) -> io::Result<()> {
    if force {
        return replace::write(file, text.as_bytes());
    }
    OpenOptions::new().write(true).create_new(true).open(file)?.write_all(text.as_bytes())
}

/// A check of everything in a directory that nobody is told of.
#[derive(Clone, Copy)]
struct Look<'o> {
    directory: &'o Path,
}

impl Look<'_> {
    fn subject(self) -> InputOptions {
        InputOptions::of_directory(self.directory)
    }

    fn at(
        self,
        project: Project,
        configuration: &ConfigurationOptions,
        hides: Hides,
    ) -> Result<(Ground, Survey), String> {
        let subject = self.subject();
        let request = Request {
            subject: &subject,
            configuration,
            rules: &RuleOptions::default(),
            baseline: &BaselineOptions { no_baseline: true, ..BaselineOptions::default() },
            color: COLOR,
        };
        let mut ground = Ground::prepare_in(project, request)?;
        let progress = Progress::of(ground.inputs.len(), false);
        let manner =
            Manner { hides, least: Severity::Info, allows_empty: true, progress: &progress };
        let survey = survey(&mut ground, request, manner, &mut []);
        Ok((ground, survey))
    }

    /// What a check will say with the configuration, which need not be written for that.
    fn supposing(self, top: &str, text: &str) -> Result<Survey, String> {
        let path = join(top, CONFIGURATION_NAME);
        let mut read = |asked: &str| {
            if asked == path { Ok(text.to_owned()) } else { read(asked) }
        };
        let configuration =
            Configuration::load(&path, &mut read).map_err(|error| error.to_string())?;
        let discovered = ConfigurationOptions::default();
        let mut project = Project::new(&discovered, COLOR);
        project.suppose(configuration);
        self.at(project, &discovered, Hides::Known).map(|(_, survey)| survey)
    }
}

fn read(path: &str) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| describe(&error))
}
