//! `voxlint completions`: prints a shell completion script.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use clap_complete::Shell;

use super::after_writing;
use crate::args::{CompletionsOptions, program};
use crate::exit::Exit;

pub(crate) fn run(options: &CompletionsOptions) -> Exit {
    after_writing(io::stdout().lock().write_all(script(options.shell).as_bytes()), Exit::Clean)
}

/// The completion script of a shell.
fn script(shell: Shell) -> String {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut program(), "voxlint", &mut bytes);
    let mut script = String::from_utf8_lossy(&bytes).into_owned();
    if shell == Shell::Fish {
        script.push_str(&operands_in_fish());
    }
    script
}

/// The values of positional arguments, such as rule ids: the generated script for fish completes only those of options.
fn operands_in_fish() -> String {
    let quote = |text: &str| format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
    let mut program = program();
    program.build();
    let mut lines = String::new();
    for command in program.get_subcommands() {
        let name = command.get_name();
        for value in command.get_positionals().flat_map(clap::Arg::get_possible_values) {
            let about = value.get_help().map(ToString::to_string).unwrap_or_default();
            let _ = writeln!(
                lines,
                "complete -c voxlint -n \"__fish_voxlint_using_subcommand {name}\" -f -a {} -d {}",
                quote(value.get_name()),
                quote(&about),
            );
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum as _;

    use super::*;

    /// The part of a script about one command, or about voxlint itself.
    fn part(shell: Shell, script: &str, command: &str) -> String {
        let from = |head: &str, end: &str| {
            // Subcommands of other commands may have the same name.
            let parts: Vec<&str> = script.split(head).skip(1).collect();
            assert!(!parts.is_empty(), "{head}");
            parts.iter().map(|rest| rest.split(end).next().unwrap()).collect::<String>()
        };
        match shell {
            Shell::Bash if command.is_empty() => from("        voxlint)\n", "\n            ;;"),
            Shell::Bash => from(
                &format!("        voxlint__subcmd__{})\n", command.replace('-', "__")),
                "\n            ;;",
            ),
            Shell::Zsh if command.is_empty() => from("_arguments \"", "&& ret=0"),
            Shell::Zsh => from(&format!("({command})\n"), "&& ret=0"),
            Shell::Fish => {
                // The part ends where the subcommands of the command begin.
                let conditions = if command.is_empty() {
                    ["__fish_voxlint_needs_command"; 2].map(str::to_owned)
                } else {
                    ["\"", "; and not "].map(|end| format!("using_subcommand {command}{end}"))
                };
                let is_meant = |line: &&str| conditions.iter().any(|it| line.contains(it));
                script.lines().filter(is_meant).collect()
            }
            Shell::PowerShell if command.is_empty() => from("'voxlint' {", "break"),
            Shell::PowerShell => from(&format!("'voxlint;{command}' {{"), "break"),
            _ if command.is_empty() => from("&'voxlint'= {", "\n        }"),
            _ => from(&format!("&'voxlint;{command}'= {{"), "\n        }"),
        }
    }

    #[test]
    fn every_shell_completes_every_flag_of_every_command() {
        let mut program = program();
        program.build();
        for shell in Shell::value_variants() {
            let script = script(*shell);
            let subcommands = program.get_subcommands().filter(|it| it.get_name() != "help");
            for command in std::iter::once(&program).chain(subcommands) {
                let is_root = command.get_name() == "voxlint";
                let name = if is_root { "" } else { command.get_name() };
                let part = part(*shell, &script, name);
                for argument in command.get_arguments().filter(|it| !it.is_hide_set()) {
                    let long = argument.get_long().map(|long| match shell {
                        Shell::Fish => format!("-l {long}"),
                        _ => format!("--{long}"),
                    });
                    let short = argument.get_short().map(|short| match shell {
                        Shell::Fish => format!("-s {short}"),
                        _ => format!("-{short}"),
                    });
                    for flag in long.into_iter().chain(short) {
                        assert!(part.contains(&flag), "{shell}: {name} {flag}\n{part}");
                    }
                }
            }
        }
    }

    #[test]
    fn rules_are_completed_where_a_rule_is_wanted() {
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let script = script(shell);
            let part = part(shell, &script, "explain");
            for rule in voxlint::rules::all() {
                assert!(part.contains(&*rule.id), "{shell}: {}", rule.id);
            }
        }
    }
}
