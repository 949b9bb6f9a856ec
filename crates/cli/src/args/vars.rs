//! `voxlint vars`.

use clap::Args;

use super::shared::{ColorOptions, ConfigurationOptions, FormatOptions, InputOptions};

const NOTES: &str = "\
Examples:
  # the variables of every agent document in the working directory
  voxlint vars
  # those of one document, with the stored configuration
  voxlint vars agents/en.json --stored stored.json
  # the same for programs, with byte offsets
  voxlint vars agents/en.json --format json

Exit codes:
  0  the variables were listed
  2  the run failed: unreadable file, no documents, wrong usage";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(crate) struct VarsOptions {
    #[command(flatten)]
    pub(crate) input: InputOptions,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    #[command(flatten)]
    pub(crate) output: FormatOptions,

    #[command(flatten)]
    pub(crate) color: ColorOptions,
}
