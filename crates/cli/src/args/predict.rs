//! `voxlint predict`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::shared::{ColorOptions, FormatOptions, OneDocumentOptions};
use super::values::path;

const NOTES: &str = "\
Examples:
  # the possible answers, from the document alone
  voxlint predict agents/en.json
  # the answer, with the stored configuration and workspace facts
  voxlint predict agents/en.json --stored stored.json --facts workspace.json

Exit codes:
  0  accepted
  1  rejected, or may be rejected, or it cannot be sent
  2  no prediction was possible";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(crate) struct PredictOptions {
    /// File with the update, or `-` for standard input
    #[arg(value_name = "UPDATE", value_hint = ValueHint::FilePath, value_parser = path())]
    pub(crate) update: PathBuf,

    #[command(flatten)]
    pub(crate) reading: OneDocumentOptions,

    #[command(flatten)]
    pub(crate) output: FormatOptions,

    #[command(flatten)]
    pub(crate) color: ColorOptions,
}
