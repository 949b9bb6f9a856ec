//! `voxlint config`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueHint};

use super::shared::{ColorOptions, ConfigurationOptions, FormatOptions, RuleOptions};

const NOTES: &str = "\
Examples:
  # every setting and where it comes from
  voxlint config show
  # the settings for one file
  voxlint config show agents/en.json

Exit codes:
  0  done
  2  the configuration cannot be used";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(crate) struct ConfigCommand {
    #[command(subcommand)]
    pub(crate) action: ConfigAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigAction {
    /// Print every setting with the file and line it comes from
    Show(ShowOptions),
}

#[derive(Args, Debug)]
pub(crate) struct ShowOptions {
    /// File or folder whose settings to print [default: the working directory]
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    #[command(flatten)]
    pub(crate) rules: RuleOptions,

    #[command(flatten)]
    pub(crate) output: FormatOptions,

    #[command(flatten)]
    pub(crate) color: ColorOptions,
}
