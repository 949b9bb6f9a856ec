//! `voxlint adopt`.

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};
use voxlint::schema::settings;

use super::heading;
use super::plan::StateOptions;
use super::shared::{ColorOptions, FormatOptions, QuietOptions};

const NOTES: &str = "\
Examples:
  # what an adoption would change, since the last commit
  voxlint adopt --base HEAD --diff
  # write it into the documents and their text files
  voxlint adopt --base HEAD
  # a scheduled job: is there something to adopt?
  voxlint adopt --base HEAD --check
  # the service decides the conflict about one setting
  voxlint adopt --base HEAD --setting llm_id --prefer service

Without a base, nothing tells who has changed a setting: each difference
between a document and its stored configuration is then a conflict. What the
document omits is left out, unless --setting names it.

Exit codes:
  0  everything was adopted, or there was nothing to adopt
  1  a conflict is left, or a setting that could not be written
     with --check or --diff: or there is something to adopt
  2  the run itself failed";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(crate) struct AdoptOptions {
    #[command(flatten)]
    pub(crate) states: StateOptions,

    #[command(flatten)]
    pub(crate) adopted: AdoptedOptions,

    #[command(flatten)]
    pub(crate) output: FormatOptions,

    #[command(flatten)]
    pub(crate) quiet: QuietOptions,

    #[command(flatten)]
    pub(crate) color: ColorOptions,
}

/// What is adopted, and whether it is written.
#[derive(Args, Debug)]
#[command(next_help_heading = heading::ADOPTION)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct AdoptedOptions {
    /// Print what would change as a unified diff, and write nothing
    #[arg(long = "diff", conflicts_with = "check")]
    pub(crate) shows_diff: bool,

    /// Write nothing, and exit with 1 if there is something to adopt
    #[arg(long)]
    pub(crate) check: bool,

    /// Decide conflicts: take the value of the service, or keep that of the document
    #[arg(long, value_enum, value_name = "SIDE")]
    pub(crate) prefer: Option<PreferredSide>,

    /// Adopt only this setting; can be repeated
    #[arg(long = "setting", value_name = "NAME", value_parser = settings_names(), hide_possible_values = true)]
    pub(crate) settings: Vec<String>,

    /// Also remove settings, functions and analysis items that were removed in the service
    #[arg(long)]
    pub(crate) remove: bool,

    /// Also write values that contain a secret
    #[arg(long)]
    pub(crate) with_secrets: bool,

    /// Do not fail if there was no update
    #[arg(long, help_heading = heading::EXIT_CODE)]
    pub(crate) allow_empty: bool,
}

/// The side that decides a conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PreferredSide {
    /// The stored configuration
    Service,
    /// The document
    Document,
}

fn settings_names() -> PossibleValuesParser {
    PossibleValuesParser::new(settings::TABLE.rows.iter().map(|row| row.name))
}
