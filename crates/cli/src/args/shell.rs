//! The command line as a whole, and the commands that serve it at home in a shell.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Args, Command, CommandFactory as _, Error, FromArgMatches as _};
use clap_complete::Shell;
use voxlint::rules;

use super::Arguments;

/// What was asked for. Bad usage ends the program here, with 2.
pub(crate) fn parse() -> Arguments {
    Arguments::from_arg_matches(&program().get_matches()).unwrap_or_else(|error| error.exit())
}

/// The table of all commands and their arguments: what is parsed, and what help, completions and man pages are made of.
pub(crate) fn program() -> Command {
    Arguments::command()
}

const WHERE_TO_PUT_IT: &str = "\
Put it to use, with one line:
  bash        echo 'source <(voxlint completions bash)' >> ~/.bashrc
  zsh         echo 'source <(voxlint completions zsh)' >> ~/.zshrc
  fish        voxlint completions fish > ~/.config/fish/completions/voxlint.fish
  powershell  Add-Content $PROFILE 'voxlint completions powershell | Out-String | iex'
  elvish      echo 'eval (voxlint completions elvish | slurp)' >> ~/.config/elvish/rc.elv
In ~/.zshrc it has to stand below `compinit`.

Examples:
  # complete commands, options and rules in this bash only
  source <(voxlint completions bash)";

#[derive(Args, Debug)]
#[command(after_long_help = WHERE_TO_PUT_IT)]
pub(crate) struct CompletionsOptions {
    /// The shell that is to complete what you type
    #[arg(value_enum, value_name = "SHELL")]
    pub(crate) shell: Shell,
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
        Some(Box::new(rules::all().map(|rule| PossibleValue::new(rule.id).help(rule.summary()))))
    }
}
