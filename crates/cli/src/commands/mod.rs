//! The commands, one module each.

pub(crate) mod baseline;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod config;
pub(crate) mod diff;
pub(crate) mod explain;
pub(crate) mod facts;
pub(crate) mod init;
pub(crate) mod man;
pub(crate) mod mcp;
pub(crate) mod plan;
pub(crate) mod predict;
pub(crate) mod render;
pub(crate) mod rules;
pub(crate) mod schema;
pub(crate) mod server;
pub(crate) mod vars;
pub(crate) mod why;

use std::io;
use std::sync::Arc;

use voxlint::RuleRef;
use voxlint_config::RuleSelection;
use voxlint_project::Configurations;
use voxlint_project::paths::working_directory;

use crate::args::{ColorArgument, ConfigurationOptions};
use crate::exit::Exit;
use crate::options::configuration_source;
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

/// All rules for files in the working directory, including house rules.
fn rules_here(options: &ConfigurationOptions) -> Result<Vec<RuleRef>, Exit> {
    let source = configuration_source(options);
    let mut configurations = Configurations::new(Arc::default(), source, RuleSelection::default());
    configurations.look_up(&working_directory());
    let failures = configurations.take_failures();
    if failures.is_empty() {
        return Ok(configurations.rules());
    }
    print_faults(&failures, ColorArgument::Auto);
    print_failures(&failures);
    Err(Exit::Failed)
}
