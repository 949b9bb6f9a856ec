//! `voxlint diff`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::heading;
use super::shared::{
    ColorOptions, ConfigurationOptions, FormatOptions, SyntaxOptions, TextFileOptions,
    WorkspaceOptions,
};
use super::values::path;

const NOTES: &str = "\
Examples:
  # the smallest update that brings the service up to date
  voxlint diff stored.json agents/en.json > update.json
  # what it would change, one line per change
  voxlint diff stored.json agents/en.json --explain
  # back to an earlier, complete configuration: unset what it omits
  voxlint diff stored.json backup.json --complete

Exit codes:
  0  the update was printed, or there is nothing to change
  1  the service would reject the update, or a field cannot be unset
  2  the run itself failed";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(crate) struct DiffOptions {
    /// Stored configuration, or `-` for standard input
    ///
    /// The file contains settings, an agent, or both: `{"agent": …, "version": …, "complete": true}`.
    #[arg(value_name = "OLD", value_hint = ValueHint::FilePath, value_parser = path())]
    pub(crate) old: PathBuf,

    /// Desired settings, or `-` for standard input
    #[arg(value_name = "NEW", value_hint = ValueHint::FilePath, value_parser = path())]
    pub(crate) new: PathBuf,

    /// Unset fields that NEW omits instead of keeping them
    ///
    /// Without it, NEW is read as an update, as in all other commands. A file whose `kind` in voxlint.toml is `settings` is
    /// always complete.
    #[arg(long)]
    pub(crate) complete: bool,

    #[command(flatten)]
    pub(crate) texts: TextFileOptions,

    #[command(flatten)]
    pub(crate) syntax: SyntaxOptions,

    #[command(flatten)]
    pub(crate) workspace: WorkspaceOptions,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    /// Print what the update changes, in words, instead of the update
    #[arg(long, help_heading = heading::OUTPUT)]
    pub(crate) explain: bool,

    #[command(flatten)]
    pub(crate) output: FormatOptions,

    #[command(flatten)]
    pub(crate) color: ColorOptions,
}
