//! `voxlint facts`.

use std::path::PathBuf;

use clap::{ArgGroup, Args, ValueHint};

use super::shared::{ColorOptions, SyntaxOptions};
use super::values::path;

const NOTES: &str = "\
Examples:
  # start a facts file: every field, explained and commented out
  voxlint facts --template > workspace.yaml
  # check a facts file, and list what it leaves unknown
  voxlint facts workspace.yaml

Exit codes:
  0  the facts are valid, or the example file was printed
  1  the facts are invalid: the findings are on standard output
  2  the run itself failed: unreadable file or wrong usage";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
#[command(group(ArgGroup::new("task").required(true).args(["file", "template"])))]
pub(crate) struct FactsOptions {
    /// Facts file to check, or `-` for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = path())]
    pub(crate) file: Option<PathBuf>,

    /// Print an example facts file in YAML: every field with its meaning and an example, commented out
    #[arg(long)]
    pub(crate) template: bool,

    #[command(flatten)]
    pub(crate) syntax: SyntaxOptions,

    #[command(flatten)]
    pub(crate) color: ColorOptions,
}
