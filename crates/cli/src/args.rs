//! What may be written on the command line. No logic lives here.

mod shell;

use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use voxlint::DocumentKind;
use voxlint_report::Format;

pub(crate) use self::shell::{CompletionsOptions, parse, program};
use crate::texts::Convention;

/// Tells what a voice-agent service will answer to an agent configuration before it is published.
#[derive(Debug, Parser)]
#[command(name = "voxlint", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  voxlint check                         check every agent document below the current directory
  voxlint check agents/ --strict        fail on warnings, too
  voxlint check agents/en.json --stored held.json --facts workspace.json
                                        judge it with what the service holds, as the service does
  voxlint check - --stdin-filename agents/en.json < agents/en.json
  voxlint predict agents/en.json --stored held.json --facts workspace.json
                                        the status and the body that the service would answer
  voxlint diff held.json agents/en.json the update that brings the service up to date
  voxlint explain unknown-field         what a rule looks for, with examples

Exit status: 0 nothing to fail for; 1 at least one error; 2 the run itself failed.";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check agent documents
    Check(CheckOptions),
    /// Predict what the service will answer to an update
    Predict(PredictOptions),
    /// Print the update that turns what is stored into what is wanted
    Diff(DiffOptions),
    /// Print the page of a rule
    Explain(ExplainOptions),
    /// List all rules
    Rules(RulesOptions),
    /// Print a script that completes voxlint's command lines in a shell
    Completions(CompletionsOptions),
}

#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct CheckOptions {
    /// Files, directories, or - for standard input
    #[arg(value_name = "PATH", default_value = ".", value_hint = ValueHint::AnyPath)]
    pub(crate) paths: Vec<PathBuf>,

    /// Take every file for a document of this kind instead of recognising it
    #[arg(long, value_parser = kinds(), value_name = "KIND")]
    pub(crate) kind: Option<DocumentKind>,

    /// The text of FIELD is kept in a file of its own beside each document: `{stem}` is the name of the document's
    /// file, as in `prompt_text={stem}.prompt.hbs`
    #[arg(long, value_name = "FIELD=PATTERN", value_hint = ValueHint::Other, value_parser = Convention::parse)]
    pub(crate) text_files: Vec<Convention>,

    #[command(flatten)]
    pub(crate) partners: PartnerOptions,

    #[command(flatten)]
    pub(crate) reading: ReadingOptions,

    /// How findings are written
    #[arg(long, value_parser = formats(), value_name = "FORMAT", default_value = "full")]
    pub(crate) format: Format,

    /// Let warnings fail the run, too
    #[arg(long)]
    pub(crate) strict: bool,

    /// Let rules that could not be decided fail the run, too
    #[arg(long)]
    pub(crate) require_decided: bool,

    /// List what could not be decided, and what would decide it
    #[arg(long)]
    pub(crate) show_undecided: bool,

    /// Exit with 0 whatever was found (a failed run still exits with 2)
    #[arg(long)]
    pub(crate) exit_zero: bool,

    /// Print no summary line
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// The name that standard input goes by: in what is reported, and by its extension in how it is read
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub(crate) stdin_filename: Option<PathBuf>,

    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArgument,
}

/// How files are read.
#[derive(Args, Debug)]
pub(crate) struct ReadingOptions {
    /// Let .json files and standard input have comments and trailing commas, as .jsonc files may
    #[arg(long)]
    pub(crate) jsonc: bool,
}

/// What is known beside a document.
#[derive(Args, Debug)]
pub(crate) struct PartnerOptions {
    /// What the service holds now: an agent, the settings of a version, or {"agent": …, "version": …, "complete": true}
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) stored: Option<PathBuf>,

    /// What is known of the workspace: its voices, phone numbers, campaigns and so on
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) facts: Option<PathBuf>,

    /// The agent that the document is for; without it, the stored agent
    #[arg(long, value_name = "ID", value_hint = ValueHint::Other, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) agent_id: Option<String>,
}

const ANSWERS: &str = "\
What is not known leaves more than one answer possible; each says what it hangs on. 401, 429 and 500
hang on nothing that a document says, and are never predicted.

Exit status: 0 the service would surely answer 200; 1 it would, or might, refuse; 2 no prediction
could be made.";

#[derive(Args, Debug)]
#[command(after_help = ANSWERS)]
pub(crate) struct PredictOptions {
    /// The file with the update, or - for standard input
    #[arg(value_name = "UPDATE", value_hint = ValueHint::FilePath)]
    pub(crate) update: PathBuf,

    /// The text of FIELD is kept in a file of its own beside the update: `{stem}` is the name of the update's file, as
    /// in `prompt_text={stem}.prompt.hbs`
    #[arg(long, value_name = "FIELD=PATTERN", value_hint = ValueHint::Other, value_parser = Convention::parse)]
    pub(crate) text_files: Vec<Convention>,

    #[command(flatten)]
    pub(crate) partners: PartnerOptions,

    #[command(flatten)]
    pub(crate) reading: ReadingOptions,

    /// How the prediction is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "full")]
    pub(crate) format: FullOrJson,

    /// The name that standard input goes by: in what is reported, and by its extension in how it is read
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub(crate) stdin_filename: Option<PathBuf>,

    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArgument,
}

#[derive(Args, Debug)]
#[command(after_help = DIFF_STATUS)]
pub(crate) struct DiffOptions {
    /// What the service holds: settings, an agent, or {"agent": …, "version": …, "complete": true}; - is standard input
    #[arg(value_name = "OLD", value_hint = ValueHint::FilePath)]
    pub(crate) old: PathBuf,

    /// The settings that are wanted; - is standard input
    #[arg(value_name = "NEW", value_hint = ValueHint::FilePath)]
    pub(crate) new: PathBuf,

    /// Let what NEW omits stay as it is, instead of unsetting it
    #[arg(long)]
    pub(crate) partial: bool,

    /// Say what the update changes, one line a change, instead of printing the update
    #[arg(long)]
    pub(crate) explain: bool,

    /// What is known of the workspace: its voices, phone numbers, campaigns and so on
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) facts: Option<PathBuf>,

    /// The agent that the update is for; without it, the stored agent
    #[arg(long, value_name = "ID", value_hint = ValueHint::Other, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) agent_id: Option<String>,

    #[command(flatten)]
    pub(crate) reading: ReadingOptions,

    /// How the difference is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "full")]
    pub(crate) format: FullOrJson,

    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArgument,
}

const DIFF_STATUS: &str = "\
The update is checked before it is printed, and not printed where the service would refuse it.

Exit status: 0 done; 1 the service would refuse the update, or something cannot be unset; 2 the run itself failed.";

impl PartnerOptions {
    /// The files that are named.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.stored.iter().chain(&self.facts)
    }
}

#[derive(Args, Debug)]
pub(crate) struct ExplainOptions {
    /// The rule's id, as it stands in brackets in a finding
    #[arg(value_name = "RULE", value_parser = shell::rule_ids(), hide_possible_values = true)]
    pub(crate) rule: String,
}

#[derive(Args, Debug)]
pub(crate) struct RulesOptions {
    /// How the list is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "full")]
    pub(crate) format: FullOrJson,
}

/// The forms of what is written for people or for one other tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FullOrJson {
    Full,
    Json,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorArgument {
    Auto,
    Always,
    Never,
}

/// The kinds by the names that the library gives them.
fn kinds() -> impl TypedValueParser<Value = DocumentKind> {
    PossibleValuesParser::new(DocumentKind::ALL.map(DocumentKind::name))
        .try_map(|name| DocumentKind::from_name(&name).ok_or("unknown kind"))
}

/// The formats by the names that the library gives them.
fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .try_map(|name| Format::from_name(&name).ok_or("unknown format"))
}
