//! `voxlint readings`.

use clap::Args;

use super::shared::{ConfigurationOptions, FormatOptions};
use super::values::reading_names;

const NOTES: &str = "\
Examples:
  # every reading with the value that is set, and where
  voxlint readings
  # what the values of a reading mean, and which rules depend on it
  voxlint readings unknown-fields
  # the list as JSON
  voxlint readings --format json

Exit codes:
  0  done
  2  there is no such reading, or the configuration cannot be used";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(crate) struct ReadingsOptions {
    /// Readings to explain [default: a list of all]
    #[arg(value_name = "NAME", value_parser = reading_names(), hide_possible_values = true)]
    pub(crate) names: Vec<String>,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    #[command(flatten)]
    pub(crate) output: FormatOptions,
}
