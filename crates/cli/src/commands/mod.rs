//! The commands, one module each.

pub(crate) mod adopt;
pub(crate) mod baseline;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod facts;
pub(crate) mod init;
pub(crate) mod learn;
pub(crate) mod man;
pub(crate) mod mcp;
pub(crate) mod merge;
pub(crate) mod plan;
pub(crate) mod predict;
pub(crate) mod readings;
pub(crate) mod render;
pub(crate) mod rules;
pub(crate) mod schema;
pub(crate) mod server;
pub(crate) mod vars;
pub(crate) mod why;

use std::io;
use std::path::Path;
use std::sync::Arc;

use voxlint::RuleRef;
use voxlint::readings::SetReading;
use voxlint_config::{Configuration, RuleSelection};
use voxlint_project::paths::working_directory;
use voxlint_project::{Configurations, Failure, LintOptions, LoadedDocument, Session};

use crate::args::{ColorArgument, ConfigurationOptions, OneDocumentOptions};
use crate::exit::Exit;
use crate::options::{UNNAMED_STDIN, configuration_source, related_options};
use crate::terminal::{print_error, print_failures, print_faults};

/// The exit code after a write to standard output. A closed pipe is not a failure.
fn after_writing(written: io::Result<()>, exit: Exit) -> Exit {
    match written {
        Ok(()) => exit,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit,
        Err(error) => {
            print_error(&format!("standard output: {error}"));
            Exit::Failed
        }
    }
}

/// The exit code of a command that cannot go on, after its failures are printed.
fn failed(failures: &[Failure], color: ColorArgument) -> Exit {
    print_faults(failures, color);
    print_failures(failures);
    Exit::Failed
}

/// Reads one document with everything that it is checked with.
fn load(path: &Path, options: &OneDocumentOptions) -> Result<LoadedDocument, Vec<Failure>> {
    let read = options.stdin.read_options(&options.syntax);
    if path.is_dir() {
        let message = "is a folder: name one document";
        return Err(vec![Failure::new(path.to_string_lossy(), message)]);
    }
    let input = read.input(path);
    if input.location().is_none() && !options.texts.text_files.is_empty() {
        return Err(vec![input.failure(UNNAMED_STDIN)]);
    }
    let lint = LintOptions {
        read,
        configuration: configuration_source(&options.configuration),
        related: related_options(&options.context),
        conventions: options.texts.text_files.clone(),
        ..LintOptions::default()
    };
    Session::once(lint).load_document(path)
}

/// All rules for files in the working directory, including house rules.
fn rules_here(options: &ConfigurationOptions) -> Result<Vec<RuleRef>, Exit> {
    Ok(configurations_here(options)?.rules())
}

/// What the configuration of the working directory says about readings of the description.
fn readings_of(configurations: &Configurations) -> Vec<SetReading> {
    let configuration = configurations.for_folder(&working_directory());
    let readings = configuration.map(Configuration::readings).unwrap_or_default();
    readings.into_iter().map(|set| set.value.clone()).collect()
}

/// The configuration of the working directory.
fn configurations_here(options: &ConfigurationOptions) -> Result<Configurations, Exit> {
    let source = configuration_source(options);
    let mut configurations = Configurations::new(Arc::default(), source, RuleSelection::default());
    configurations.look_up(&working_directory());
    let failures = configurations.take_failures();
    if failures.is_empty() {
        return Ok(configurations);
    }
    Err(failed(&failures, ColorArgument::Auto))
}
