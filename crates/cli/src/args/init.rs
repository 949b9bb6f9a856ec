//! The command line of `voxlint init`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

const INIT: &str = "\
Examples:
  # a configuration for this repository
  voxlint init
  # preview it
  voxlint init --print
  # replace the one in a folder
  voxlint init agents/ --force

Exit codes:
  0  the configuration was written, even if there are findings
  2  a configuration exists already, or it could not be written";

#[derive(Args, Debug)]
#[command(after_long_help = INIT)]
pub(crate) struct InitOptions {
    /// Directory to read and to write voxlint.toml to
    #[arg(value_name = "DIRECTORY", default_value = ".", value_hint = ValueHint::DirPath)]
    pub(crate) directory: PathBuf,

    /// Replace an existing voxlint.toml
    #[arg(long)]
    pub(crate) force: bool,

    /// Print the configuration instead of writing it
    #[arg(long, conflicts_with = "force")]
    pub(crate) print: bool,
}
