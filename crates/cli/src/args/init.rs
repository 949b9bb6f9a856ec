//! The command line of `voxlint init`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

const INIT: &str = "\
Examples:
  # a configuration for the repository that you are in
  voxlint init
  # see it first
  voxlint init --print
  # one for a folder, in place of the one that is there
  voxlint init agents/ --force

Exit status:
  0  the configuration was written, whatever there is to find in the documents
  2  it was not: there is one already, or it could not be written";

#[derive(Args, Debug)]
#[command(after_long_help = INIT)]
pub(crate) struct InitOptions {
    /// The directory to look at, and to write voxlint.toml to
    #[arg(value_name = "DIRECTORY", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(crate) directory: PathBuf,

    /// Replace a voxlint.toml that is there already
    #[arg(long)]
    pub(crate) force: bool,

    /// Write the configuration to standard output, and to no file
    #[arg(long, conflicts_with = "force")]
    pub(crate) print: bool,
}
