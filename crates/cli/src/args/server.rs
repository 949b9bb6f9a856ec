//! `voxlint server`.

use clap::Args;

use super::shared::ConfigurationOptions;

const NOTES: &str = "\
Examples:
  # what an editor runs
  voxlint server
  # with one configuration for every file
  voxlint server --config ci/voxlint.toml

Settings of the editor, in initializationOptions or didChangeConfiguration:
  configuration         path of a voxlint.toml for every file
  undecided             true shows undecided checks as hints
  workspaceDiagnostics  true offers findings of all files, for editors that ask

Commands for executeCommand, each with the URI of a document:
  voxlint.predict       what the service would answer to it
  voxlint.diff          the smallest update against the stored configuration
  voxlint.explain       the page of a rule, which \"rule\" names

Exit codes:
  0  the editor has ended the server
  1  the editor has gone without ending it
  2  standard output could not be written";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(crate) struct ServerOptions {
    /// Use standard input and output, as the server always does: some editors pass the flag
    #[arg(long)]
    pub(crate) stdio: bool,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,
}
