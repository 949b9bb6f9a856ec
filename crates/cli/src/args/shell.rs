//! The command line as a whole, and the commands that serve it at home in a shell.

use std::ffi::OsStr;
use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser};
use clap::{
    Arg, ArgGroup, Args, Command, CommandFactory as _, Error, FromArgMatches as _, ValueEnum,
    ValueHint,
};
use clap_complete::Shell;
use voxlint::rules;

use super::{Arguments, ColorArgument, ReadingOptions};

/// What was asked for. Bad usage ends the program here, with 2.
pub(crate) fn parse() -> Arguments {
    Arguments::from_arg_matches(&program().get_matches()).unwrap_or_else(|error| error.exit())
}

/// The table of all commands and their arguments: what is parsed, and what help, completions and man pages are made of.
pub(crate) fn program() -> Command {
    let program = Arguments::command();
    let visible = program.get_subcommands().filter(|command| !command.is_hide_set());
    let names: Vec<String> = visible.map(|command| command.get_name().to_owned()).collect();
    program
        .mut_subcommand("man", |man| {
            man.mut_arg("command", |command| command.value_parser(PossibleValuesParser::new(names)))
        })
        .mut_subcommand("check", |check| check.mut_args(under_its_heading))
        .mut_subcommand("baseline", |baseline| {
            ["write", "check", "prune"].into_iter().fold(baseline, |baseline, action| {
                baseline.mut_subcommand(action, |action| action.mut_args(under_its_heading))
            })
        })
}

/// The options that the help of `check` and its kin lists apart from the others, which are about the documents.
const HEADINGS: [(&str, &[&str]); 4] = [
    ("Context", &["stored", "facts", "agent_id"]),
    (
        "Configuration",
        &[
            "config",
            "isolated",
            "select",
            "ignore",
            "level",
            "baseline",
            "no_baseline",
            "no_suppressions",
        ],
    ),
    ("Exit code", &["fail_on", "strict", "require_decided", "allow_empty", "exit_zero"]),
    (
        "Output",
        &[
            "format",
            "output",
            "min_severity",
            "show_undecided",
            "show_suppressed",
            "show_files",
            "quiet",
            "color",
        ],
    ),
];

fn under_its_heading(argument: Arg) -> Arg {
    let id = argument.get_id().as_str();
    match HEADINGS.iter().find(|(_, ids)| ids.contains(&id)) {
        Some((heading, _)) => argument.help_heading(*heading),
        None => argument,
    }
}

const WHERE_TO_PUT_IT: &str = "\
Add the line for your shell to its startup file:
  bash        ~/.bashrc    source <(voxlint completions bash)
  zsh         ~/.zshrc     source <(voxlint completions zsh)   # below compinit
  fish        config.fish  voxlint completions fish | source
  powershell  $PROFILE     voxlint completions powershell | Out-String | iex
  elvish      rc.elv       eval (voxlint completions elvish | slurp)

Examples:
  # only for this bash session
  source <(voxlint completions bash)

Exit codes:
  0  done
  2  unsupported shell, or the script could not be written";

#[derive(Args, Debug)]
#[command(after_long_help = WHERE_TO_PUT_IT)]
pub(crate) struct CompletionsOptions {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
}

const MAN: &str = "\
Examples:
  # read the manual of voxlint
  voxlint man | man -l -
  # install the page of a command for `man voxlint-check`
  voxlint man check > ~/.local/share/man/man1/voxlint-check.1

Exit codes:
  0  done
  2  unknown command, or the page could not be written";

#[derive(Args, Debug)]
#[command(after_long_help = MAN)]
pub(crate) struct ManOptions {
    /// Command to document (default: all commands)
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
}

const FACTS: &str = "\
Examples:
  # start a facts file: every field, explained and commented out
  voxlint facts --template > workspace.yaml
  # check a facts file, and list what it leaves unknown
  voxlint facts workspace.yaml

Exit codes:
  0  the facts are valid, or the skeleton was printed
  1  the facts are invalid: the findings are on standard output
  2  the run itself failed: an unreadable file or a wrong argument";

#[derive(Args, Debug)]
#[command(after_long_help = FACTS)]
#[command(group(ArgGroup::new("task").required(true).args(["file", "template"])))]
pub(crate) struct FactsOptions {
    /// Facts file to check, or - for standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,

    /// Print a skeleton: every field with its meaning and an example, commented out
    #[arg(long)]
    pub(crate) template: bool,

    /// Format of the skeleton
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        default_value = "yaml",
        conflicts_with = "file"
    )]
    pub(crate) format: SkeletonFormat,

    #[command(flatten)]
    pub(crate) reading: ReadingOptions,

    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArgument,
}

/// The formats that a skeleton can be written in: those that have comments for everybody who reads them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SkeletonFormat {
    Yaml,
    Toml,
}

/// Takes any text, so that who misspells a rule hears which one was meant, and offers the rules to shells.
pub(crate) fn rule_ids() -> RuleIds {
    RuleIds
}

/// See [`rule_ids`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct RuleIds;

impl TypedValueParser for RuleIds {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        Some(Box::new(
            rules::all().map(|rule| PossibleValue::new(rule.id.to_string()).help(rule.summary())),
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_heading_is_an_option() {
        let program = program();
        let check = program.find_subcommand("check").unwrap();
        for id in HEADINGS.iter().flat_map(|(_, ids)| *ids) {
            assert!(check.get_arguments().any(|it| it.get_id() == id), "{id}");
        }
    }
}
