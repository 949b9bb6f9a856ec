//! `voxlint completions` and `voxlint man`.

use clap::Args;
use clap_complete::Shell;

const COMPLETIONS: &str = "\
Add the line for your shell to its startup file:
  bash        ~/.bashrc    source <(voxlint completions bash)
  zsh         ~/.zshrc     source <(voxlint completions zsh)   # after compinit
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
#[command(after_long_help = COMPLETIONS)]
pub(crate) struct CompletionsOptions {
    /// Shell to generate the script for
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
    /// Command to document [default: all commands]
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Option<String>,
}
