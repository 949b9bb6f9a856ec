//! `voxlint baseline`.

use clap::{Args, Subcommand};

use super::shared::{
    BaselineFileOptions, ColorOptions, ConfigurationOptions, GateOptions, InputOptions,
    QuietOptions, RuleOptions,
};

const NOTES: &str = "\
Examples:
  # record the existing findings
  voxlint baseline write
  # list entries whose finding is gone
  voxlint baseline check
  # remove those entries
  voxlint baseline prune

Exit codes:
  0  done
  1  `check` found entries whose finding is gone
  2  the run itself failed, and the baseline is unchanged";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(crate) struct BaselineCommand {
    #[command(subcommand)]
    pub(crate) action: BaselineAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BaselineAction {
    /// Record the existing findings in the baseline
    ///
    /// Entries for files that are not checked are kept.
    Write(BaselineActionOptions),
    /// List entries whose finding is gone
    Check(BaselineActionOptions),
    /// Remove entries whose finding is gone; adds no entry
    Prune(BaselineActionOptions),
}

#[derive(Args, Debug)]
pub(crate) struct BaselineActionOptions {
    #[command(flatten)]
    pub(crate) input: InputOptions,

    #[command(flatten)]
    pub(crate) gate: GateOptions,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    #[command(flatten)]
    pub(crate) rules: RuleOptions,

    #[command(flatten)]
    pub(crate) baseline: BaselineFileOptions,

    #[command(flatten)]
    pub(crate) quiet: QuietOptions,

    #[command(flatten)]
    pub(crate) color: ColorOptions,
}
