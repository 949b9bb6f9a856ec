//! `voxlint mcp`.

use std::path::PathBuf;

use clap::{Args, ValueHint};

const NOTES: &str = "\
To register it with an assistant that takes a JSON configuration:
  { \"mcpServers\": { \"voxlint\": { \"command\": \"voxlint\", \"args\": [\"mcp\"] } } }

Add the folders of the documents to `args` if the assistant starts its servers
elsewhere. docs/assistants.md has more.

Examples:
  # the documents in the working directory
  voxlint mcp
  # only these folders
  voxlint mcp agents/ stored/

Exit codes:
  0  the input ended
  2  a folder cannot be used, or the output was closed";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(crate) struct McpOptions {
    /// Folders whose files may be read; relative paths begin in the first one [default: the working directory]
    #[arg(value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) folders: Vec<PathBuf>,
}
