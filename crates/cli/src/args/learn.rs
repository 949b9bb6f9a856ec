//! `voxlint learn`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

use super::shared::{ColorOptions, ConfigurationOptions, FormatOptions};
use super::values::path;

const NOTES: &str = "\
A record is one line of JSON, as a publish job can write it:

  {\"body\": {\"version_number\": 3, \"responsiveness\": 3}, \"status\": 200}

`body` is the update that was sent and `status` the status of the answer.
Optional: `answer` (its body), `stored` (the stored configuration before),
`facts`, `agent_id`, `time`, and `left_out`: the names of settings whose
values the record leaves out. `voxlint schema record` describes it.

Examples:
  # what records say about the readings of the description
  voxlint learn records.ndjson
  # the same, and write it into voxlint.toml
  voxlint learn records.ndjson --write
  # how often the predictions of voxlint are right
  voxlint learn records.ndjson --verify

Exit codes:
  0  done
  1  records contradict each other, `voxlint.toml` or the description; with
     --verify: an answer was not predicted
  2  the run failed: unreadable file, no record that can be used";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(crate) struct LearnOptions {
    /// NDJSON files, one record per line, or `-` for standard input
    #[arg(value_name = "RECORDS", required = true, value_hint = ValueHint::FilePath, value_parser = path())]
    pub(crate) records: Vec<PathBuf>,

    /// Write what the records settle into `voxlint.toml`, with the evidence
    #[arg(long, conflicts_with_all = ["verify", "isolated"])]
    pub(crate) write: bool,

    /// Compare the predictions of voxlint with the answers
    #[arg(long)]
    pub(crate) verify: bool,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    #[command(flatten)]
    pub(crate) output: FormatOptions,

    #[command(flatten)]
    pub(crate) color: ColorOptions,
}
