//! `voxlint merge`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::values::path;

const NOTES: &str = "\
Examples:
  # as git runs it, with three temporary files
  voxlint merge .merge_a .merge_b .merge_c --path agents/en.yaml --marker-size 7

In .gitattributes:
  agents/** merge=voxlint

Once on each machine:
  git config merge.voxlint.name 'settings of voice agents'
  git config merge.voxlint.driver \\
    'voxlint merge %O %A %B --path %P --marker-size %L'

Exit codes:
  0    merged
  1    conflicts are left, with markers around them
  129  the run itself failed, so git stops";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(crate) struct MergeOptions {
    /// Version of the common ancestor
    #[arg(value_name = "BASE", value_hint = ValueHint::FilePath, value_parser = path())]
    pub(crate) base: PathBuf,

    /// Our version, which is replaced by the result
    #[arg(value_name = "OURS", value_hint = ValueHint::FilePath, value_parser = path())]
    pub(crate) ours: PathBuf,

    /// Their version
    #[arg(value_name = "THEIRS", value_hint = ValueHint::FilePath, value_parser = path())]
    pub(crate) theirs: PathBuf,

    /// Path of the file in the repository, whose extension tells its format
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, value_parser = path())]
    pub(crate) path: PathBuf,

    /// Length of conflict markers
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) marker_size: u8,
}
