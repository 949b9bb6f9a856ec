//! `voxlint plan`.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum, ValueHint};
use voxlint_report::PlanFormat;

use super::heading;
use super::shared::{
    ChangedOptions, ColorOptions, ConfigurationOptions, FormatOptions, InputOptions, QuietOptions,
    RuleOptions,
};
use super::values::{PlanOutputFile, plan_formats};

const NOTES: &str = "\
Examples:
  # what would change if every document were sent now
  voxlint plan
  # a pull request: the changed documents, as a comment
  voxlint plan --changed-since origin/main --format markdown
  # changes made in the service since the main branch fail the run
  voxlint plan --base origin/main --fail-on drift
  # save the bodies to send, with what would happen to each
  voxlint plan --out plan/

With PATH or --changed-since, the rules across documents still compare the
documents of the run with all others of the project, and with stored
configurations that belong to no document.

Exit codes:
  0  the service would reject nothing
  1  it would reject an update, or there is an error
     with --require-decided: or whether it would is not known
     with --fail-on: or there are dangerous changes, or drift
  2  the run itself failed; nothing was saved

Environment:
  NO_COLOR           any value disables colors
  FORCE_COLOR        any value but 0 enables colors in redirected output
  CLICOLOR_FORCE     any value but 0 enables colors in redirected output
  RAYON_NUM_THREADS  number of threads (default: one per core)
  VOXLINT_DOCS       base URL of the documentation, for links to rules";

const VERIFY_NOTES: &str = "\
Examples:
  # before the bodies of a reviewed plan are sent
  voxlint plan verify plan/plan.json
  # with the options that the plan was made with
  voxlint plan verify plan/plan.json agents/ --base origin/main

Exit codes:
  0  planning gives what the plan says and the bodies contain
  1  it gives something else
  2  the run itself failed, or the saved plan cannot be read";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES, args_conflicts_with_subcommands = true)]
pub(crate) struct PlanCommand {
    #[command(subcommand)]
    pub(crate) action: Option<PlanAction>,

    #[command(flatten)]
    pub(crate) options: PlanOptions,
}

#[derive(Debug, Subcommand)]
pub(crate) enum PlanAction {
    /// Check that planning still gives a saved plan
    ///
    /// Plans again with the options of this command, and compares each agent of `plan.json` and each body with the result. Nothing
    /// that the saved plan names is opened, and the arguments that it records are only shown: give the same paths and options as
    /// when the plan was made.
    Verify(VerifyOptions),
}

#[derive(Args, Debug)]
pub(crate) struct PlanOptions {
    #[command(flatten)]
    pub(crate) inputs: PlanInputOptions,

    #[command(flatten)]
    pub(crate) output: PlanOutputOptions,

    #[command(flatten)]
    pub(crate) quiet: QuietOptions,

    #[command(flatten)]
    pub(crate) color: ColorOptions,

    #[command(flatten)]
    pub(crate) exit: PlanExitOptions,
}

/// What decides the result of a plan.
#[derive(Args, Debug)]
pub(crate) struct PlanInputOptions {
    #[command(flatten)]
    pub(crate) states: StateOptions,

    #[command(flatten)]
    pub(crate) rules: RuleOptions,

    /// Plan what brings the service back to what the documents said at a commit, or say in another checkout
    ///
    /// The documents and their text files are those of the commit, also those that were deleted since; documents that it does not have
    /// are left out. Stored configurations, facts and voxlint.toml are those of now. What an update cannot bring back is said: a
    /// published version is not edited, and a number may belong to another agent by now.
    #[arg(long, value_name = "REF|DIR", value_hint = ValueHint::AnyPath, help_heading = heading::CONTEXT, conflicts_with = "changed_since")]
    pub(crate) to: Option<String>,
}

/// The documents, and the states of the service that they are compared with.
#[derive(Args, Debug)]
pub(crate) struct StateOptions {
    #[command(flatten)]
    pub(crate) input: InputOptions,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    #[command(flatten)]
    pub(crate) changed: ChangedOptions,

    /// Compare stored configurations with those that the repository last knew
    ///
    /// A folder, if there is one with this name, or else a git branch, tag or commit. A folder mirrors the root of the repository: the
    /// base of `stored/en.json` is `DIR/stored/en.json`. What differs from the base was changed in the service, and an update
    /// that would overwrite it is dangerous. A document whose stored configuration is not in the base has none.
    /// [default: the key `base` of voxlint.toml]
    #[arg(long, value_name = "REF|DIR", value_hint = ValueHint::AnyPath, help_heading = heading::CONTEXT)]
    pub(crate) base: Option<String>,

    /// Read the stored configurations of a commit or of another checkout
    ///
    /// A branch that changes `stored/` could hide what its update would overwrite. Each agent whose stored configuration differs says
    /// so. A folder of this name, with a checkout, comes before a branch, tag or commit.
    #[arg(long, value_name = "REF|DIR", value_hint = ValueHint::AnyPath, help_heading = heading::CONTEXT, conflicts_with = "stored")]
    pub(crate) stored_from: Option<String>,

    /// Plan without a base, even if voxlint.toml names one
    #[arg(long, conflicts_with = "base", help_heading = heading::CONTEXT)]
    pub(crate) no_base: bool,
}

/// What is printed, and where.
#[derive(Args, Debug)]
#[command(next_help_heading = heading::OUTPUT)]
pub(crate) struct PlanOutputOptions {
    /// Format of the plan on standard output
    #[arg(long, value_parser = plan_formats(), value_name = "FORMAT", default_value = "full")]
    pub(crate) format: PlanFormat,

    /// Also write the plan to a file; can be repeated
    #[arg(long = "output", value_name = "FORMAT=FILE", value_hint = ValueHint::Other, value_parser = PlanOutputFile::parse)]
    pub(crate) files: Vec<PlanOutputFile>,

    /// Save the plan in a folder: one body for each update, and `plan.json` with what would happen
    ///
    /// The bodies are numbered in the order to send, and contain what the documents contain, secrets included. So a new
    /// folder gets a `.gitignore`. The folder must be new, empty or contain an earlier plan, which is replaced.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) out: Option<PathBuf>,
}

/// What makes the run fail.
#[derive(Args, Debug)]
#[command(next_help_heading = heading::EXIT_CODE)]
pub(crate) struct PlanExitOptions {
    /// Also fail on dangerous changes, or on changes made in the service that disagree with the documents
    #[arg(long, value_enum, value_name = "WHAT", value_delimiter = ',')]
    pub(crate) fail_on: Vec<PlanFailure>,

    /// Also fail if it is not known whether an update would be accepted
    #[arg(long)]
    pub(crate) require_decided: bool,

    /// Do not fail if nothing was planned
    #[arg(long)]
    pub(crate) allow_empty: bool,
}

/// What fails a plan beside rejected updates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PlanFailure {
    /// A dangerous change
    Danger,
    /// A change made in the service that the documents contradict
    Drift,
}

#[derive(Args, Debug)]
#[command(after_long_help = VERIFY_NOTES)]
pub(crate) struct VerifyOptions {
    /// The `plan.json` of a saved plan
    #[arg(value_name = "PLAN", value_hint = ValueHint::FilePath)]
    pub(crate) plan: PathBuf,

    #[command(flatten)]
    pub(crate) inputs: PlanInputOptions,

    #[command(flatten)]
    pub(crate) output: FormatOptions,
}
