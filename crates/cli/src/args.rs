//! The command line: commands, options and their help. No logic lives here.

mod adopt;
mod baseline;
mod check;
mod config;
mod diff;
mod facts;
mod heading;
mod init;
mod learn;
mod mcp;
mod merge;
mod notes;
mod plan;
mod predict;
mod readings;
mod render;
mod rules;
mod schema;
mod server;
mod shared;
mod shell;
mod values;
mod vars;
mod why;
mod wrong_usage;

use std::env;
use std::ffi::OsString;
use std::mem;

use clap::builder::PossibleValuesParser;
use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

pub(crate) use self::adopt::{AdoptOptions, PreferredSide};
pub(crate) use self::baseline::{BaselineAction, BaselineCommand};
pub(crate) use self::check::{BaselineOptions, CheckOptions, FixOptions};
pub(crate) use self::config::{ConfigAction, ConfigCommand, ShowOptions};
pub(crate) use self::diff::DiffOptions;
pub(crate) use self::facts::FactsOptions;
pub(crate) use self::init::InitOptions;
pub(crate) use self::learn::LearnOptions;
pub(crate) use self::mcp::McpOptions;
pub(crate) use self::merge::MergeOptions;
pub(crate) use self::notes::notes;
pub(crate) use self::plan::{
    PlanAction, PlanCommand, PlanFailure, PlanInputOptions, PlanOptions, StateOptions,
    VerifyOptions,
};
pub(crate) use self::predict::PredictOptions;
pub(crate) use self::readings::ReadingsOptions;
pub(crate) use self::render::RenderOptions;
pub(crate) use self::rules::{ExplainOptions, RulesOptions};
pub(crate) use self::schema::SchemaOptions;
pub(crate) use self::server::ServerOptions;
pub(crate) use self::shared::{
    ConfigurationOptions, ContextOptions, InputOptions, OneDocumentOptions,
};
pub(crate) use self::shell::{CompletionsOptions, ManOptions};
pub(crate) use self::values::{ColorArgument, FailOn, SchemaKind, TextOrJson};
pub(crate) use self::vars::VarsOptions;
pub(crate) use self::why::WhyOptions;

/// Predicts how a voice-agent service answers an agent configuration before you publish it.
///
/// A document is the body of an update request (PATCH) in a file: JSON, YAML or TOML. voxlint reports what the service would reject,
/// and mistakes that it accepts and callers hear. It works offline, and changes documents only with `--fix`.
#[derive(Debug, Parser)]
#[command(name = "voxlint", version, subcommand_value_name = "COMMAND", after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  # check every agent document in the working directory
  voxlint check
  # check a change against the stored configuration and workspace facts
  voxlint check agents/en.json --stored stored.json --facts workspace.json
  # the status and body of the answer
  voxlint predict agents/en.json --stored stored.json --facts workspace.json
  # the smallest update that brings the service up to date
  voxlint diff stored.json agents/en.json > update.json
  # what would change if every document were sent now
  voxlint plan
  # changes made in the service since the last commit, as a diff
  voxlint adopt --base HEAD --diff
  # what a rule looks for, with examples
  voxlint explain unknown-field
  # why a rule reports nothing in a document
  voxlint why unknown-field agents/en.json

Exit codes:
  0  no errors
  1  errors were found in a document
  2  the run itself failed";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check agent documents
    ///
    /// Named files are always checked, unless `--only-documents` or `--force-exclude` skips them. In a folder, voxlint
    /// checks the agent documents among the files with a known extension (.json, .jsonc, .ndjson, .jsonl, .yaml, .yml, .toml,
    /// .hbs, .handlebars). It skips other files, hidden files and, in a git repository, files listed in .gitignore.
    /// `--show-files` lists every file. A run in which nothing was checked fails, unless `--allow-empty` or
    /// `--only-documents` is given.
    ///
    /// The headline of a finding has the status of the service's answer: `error[rule] 400` if the update is rejected, and `400?` if it
    /// may be.
    ///
    /// A rule that depends on an unknown value is undecided, and nothing is guessed: `--stored` and `--facts` provide the missing
    /// values, `--show-undecided` lists such rules. The summary counts them in runs with a stored configuration or facts.
    Check(CheckOptions),
    /// Record existing findings, so that only new ones are reported
    Baseline(BaselineCommand),
    /// Show the resolved configuration
    Config(ConfigCommand),
    /// Predict how the service answers an update
    ///
    /// If values are unknown, several answers are possible, each with what it depends on. 401, 429 and 500 do not depend on
    /// the document and are never predicted.
    Predict(PredictOptions),
    /// Print the update that turns the stored configuration into the desired one
    ///
    /// The update is checked first, and not printed if the service would reject it.
    Diff(DiffOptions),
    /// Show what would change if all documents were sent now
    ///
    /// Every update is compared with its stored configuration. For each: the smallest update to send and what it changes, or why
    /// the service would reject it, or what that depends on. Dangerous changes come first, such as publishing and moving phone
    /// numbers. Rules across documents find what no document shows alone, such as two documents for one phone number.
    ///
    /// Documents of other kinds are not planned. Nothing is sent: the bodies that `--out` saves are for a job of your own, which
    /// checks with `voxlint plan verify` that they are what was reviewed.
    Plan(Box<PlanCommand>),
    /// Write changes made in the service into the documents
    ///
    /// Three states of every setting are compared: the base (what the repository last knew), the document and the stored
    /// configuration. What only the service has changed is written into the document, or into the text file that has it, with the
    /// smallest edits: comments, order and quotes stay. Each setting that was written is read again and compared. What both have
    /// changed is a conflict, which is shown and left. Publishing, version numbers and phone numbers are never adopted.
    Adopt(Box<AdoptOptions>),
    /// Learn from recorded answers what the service's description leaves open
    ///
    /// The description can be read in several ways; `voxlint readings` lists them. Updates that were sent, and their answers, show
    /// which values of a reading are possible. `--write` adds that to `voxlint.toml`: what was possible is then certain, or no finding.
    /// `--verify` says how often voxlint was right, with the smallest part of each update about which it was wrong.
    Learn(Box<LearnOptions>),
    /// Merge the versions of a document on two branches, for git
    ///
    /// git calls it with the common ancestor, ours and theirs. Two changes of different settings, functions, analysis items or paragraphs
    /// merge, wherever their lines are. The merged document is read again and compared. Both versions of anything else are left
    /// between conflict markers. Files that are not agent documents are merged line by line.
    Merge(MergeOptions),
    /// List the template variables of documents
    ///
    /// For each variable: what defines it, where templates use it, and whether it is only rendered if it has a value. A stored
    /// configuration provides defaults and templates that an update leaves unchanged.
    Vars(VarsOptions),
    /// Show what callers would hear
    ///
    /// The templates of the document over the stored configuration are filled in as npm handlebars 4.7 does, with the default
    /// variables. A variable without a value is shown as `⟨name⟩`. With `--format json`, it leaves nothing in the text, as in a
    /// call, and is listed with its place. The service adds variables of its own, which only `--variables` can provide.
    Render(RenderOptions),
    /// Write a voxlint.toml that fits the repository
    ///
    /// voxlint reads the documents as `voxlint check` does, and looks for related files: facts, stored configurations and text files.
    /// Settings inferred from file names are active, unless they would hide a finding. Likely settings are commented out, with the
    /// reason. `voxlint schema configuration` describes all settings.
    Init(InitOptions),
    /// Answer an assistant's questions (Model Context Protocol)
    ///
    /// An assistant that writes agent documents starts this command and speaks the Model Context Protocol with it on standard input
    /// and output. It can check documents, saved or not, predict the service's answer, compare and plan changes, and look up rules
    /// and fields. Nothing is written or sent, secrets are masked, and no file outside of the folders is read, whatever paths, links
    /// and configurations say.
    Mcp(McpOptions),
    /// Print the page of a rule
    Explain(ExplainOptions),
    /// Say why a rule reports something in a document, or nothing
    ///
    /// From the selection of files to the baseline: whether the file is skipped, the rule is off, undecided or not concerned, and what
    /// became of each of its findings. Options mean the same as for `voxlint check`, and a file that is checked only because it is named
    /// is also listed as skipped.
    Why(Box<WhyOptions>),
    /// List all rules
    Rules(RulesOptions),
    /// List the passages of the service's description that can be read in several ways
    ///
    /// A finding that depends on an open reading says that the service may reject the document. If you know how your service
    /// answers, set the reading in `[readings]` of voxlint.toml: the finding is then certain, or gone, in every command.
    Readings(ReadingsOptions),
    /// Print the JSON Schema of a kind of document, for editors
    Schema(SchemaOptions),
    /// Check a file of workspace facts, or print an example file
    ///
    /// Facts describe a workspace: its voices, transcribers, phone numbers, campaigns and so on. With `--facts FILE`, other
    /// commands can check whether an id exists and whether a number is in use.
    Facts(FactsOptions),
    /// Serve an editor (Language Server Protocol)
    ///
    /// An editor starts it, and talks to it over standard input and output: findings while you write, fixes, hover, completion,
    /// and navigation. The findings are those of `voxlint check` for the text in the editor, saved or not, with the same
    /// configuration and related files. It never writes a file of yours, and uses no network.
    Server(ServerOptions),
    /// Print a shell completion script
    Completions(CompletionsOptions),
    /// Print the manual page
    Man(ManOptions),
}

/// Parses the command line. Wrong usage ends the program with exit code 2.
pub(crate) fn parse() -> Arguments {
    if let Some(command) = parse_alone(env::args_os().skip(1)) {
        return Arguments { command };
    }
    let words: Vec<OsString> = env::args_os().collect();
    let matches = wrong_usage::parse(&mut program(), &words);
    matches
        .and_then(|mut matches| Arguments::from_arg_matches_mut(&mut matches))
        .unwrap_or_else(|error| wrong_usage::exit(&error))
}

/// Parses the command line of a command that hooks and editors run often, without building the options of the others: that
/// takes longer than to check a document. Everything but a valid command line, such as help, is left to [`program`].
fn parse_alone(mut arguments: impl Iterator<Item = OsString>) -> Option<Command> {
    let name = arguments.next()?;
    match name.to_str()? {
        "check" => options_alone(arguments).map(Command::Check),
        "predict" => options_alone(arguments).map(Command::Predict),
        "diff" => options_alone(arguments).map(Command::Diff),
        _ => None,
    }
}

fn options_alone<T: Args>(arguments: impl Iterator<Item = OsString>) -> Option<T> {
    let mut command = T::augment_args(clap::Command::new("")).no_binary_name(true);
    let mut matches = command.try_get_matches_from_mut(arguments).ok()?;
    let options = T::from_arg_matches_mut(&mut matches).ok();
    // To free all that takes as long as a third of the parse, and the program soon ends.
    mem::forget((command, matches));
    options
}

/// The commands and their options, for parsing, help, completions and man pages.
pub(crate) fn program() -> clap::Command {
    let program = Arguments::command();
    let visible = program.get_subcommands().filter(|command| !command.is_hide_set());
    let names: Vec<String> = visible.map(|command| command.get_name().to_owned()).collect();
    program.mut_subcommand("man", |man| {
        man.mut_arg("command", |command| command.value_parser(PossibleValuesParser::new(names)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A command and the commands below it.
    fn with_subcommands(command: &clap::Command) -> Vec<&clap::Command> {
        let below = command.get_subcommands().flat_map(with_subcommands);
        std::iter::once(command).chain(below).collect()
    }

    #[test]
    fn a_command_that_is_parsed_alone_has_the_same_options() {
        let program = program();
        let examples = with_subcommands(&program).into_iter().flat_map(|it| notes(it).examples);
        let mut alone = 0;
        for example in examples {
            let line = example.lines().last().unwrap().split(['<', '>', '|']).next().unwrap();
            let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
            let words: Vec<OsString> = words.into_iter().skip_while(|it| it != "voxlint").collect();
            let Some(command) = parse_alone(words.iter().skip(1).cloned()) else { continue };
            let whole = Arguments::try_parse_from(&words).unwrap();
            assert_eq!(format!("{command:?}"), format!("{:?}", whole.command), "{line}");
            alone += 1;
        }
        assert!(alone > 5, "{alone}");
        for line in ["check --help", "check --nope", "check -V", "rules", "help check", ""] {
            let words = line.split_whitespace().map(OsString::from);
            assert!(parse_alone(words).is_none(), "{line}");
        }
    }

    #[test]
    fn every_heading_of_the_help_is_known() {
        let program = program();
        for command in with_subcommands(&program) {
            for argument in command.get_arguments() {
                let heading = argument.get_help_heading();
                let is_known = heading.is_none_or(|heading| heading::ALL.contains(&heading));
                assert!(is_known, "{} {}: {heading:?}", command.get_name(), argument.get_id());
            }
        }
    }

    #[test]
    fn every_option_has_the_same_heading_in_every_command() {
        let program = program();
        let mut headings = std::collections::BTreeMap::new();
        for command in with_subcommands(&program) {
            for option in command.get_arguments().filter(|argument| !argument.is_positional()) {
                let heading = option.get_help_heading();
                let known = headings.entry(option.get_id().clone()).or_insert(heading);
                assert_eq!(*known, heading, "{} {}", command.get_name(), option.get_id());
            }
        }
    }
}
