//! What a command line that runs no command is answered with: one that is written wrong, or that asks for help.

use std::borrow::Cow;
use std::ffi::OsString;
use std::path::Path;
use std::{env, io, process};

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{ArgMatches, Command, Error};
use voxlint_report::{escape_terminal, escape_terminal_lines};

use crate::exit::Exit;
use crate::terminal::print_error;

/// Parses the words of a command line. A message never has control characters of a word, which may be a hostile file name that
/// a shell or a hook filled in.
pub(super) fn parse(program: &mut Command, words: &[OsString]) -> Result<ArgMatches, Error> {
    program.try_get_matches_from_mut(words).map_err(|error| {
        let visible: Vec<_> = words.iter().map(|word| word.to_string_lossy()).collect();
        let visible: Vec<_> = visible.iter().map(|word| escape_terminal(word)).collect();
        if visible.iter().all(|word| matches!(word, Cow::Borrowed(_))) {
            return with_tip(error);
        }
        let again = program.try_get_matches_from_mut(visible.iter().map(Cow::as_ref)).err();
        let escaped = || Error::raw(error.kind(), escape_terminal_lines(&error.to_string()));
        again.map_or_else(escaped, with_tip)
    })
}

/// Prints help or an error, and ends the program.
pub(super) fn exit(error: &Error) -> ! {
    match error.print() {
        Err(failure) if !error.use_stderr() && failure.kind() != io::ErrorKind::BrokenPipe => {
            print_error(&format!("standard output: {failure}"));
            process::exit(2)
        }
        // git must not take it for a merge with conflicts.
        _ if error.use_stderr() && env::args_os().nth(1).is_some_and(|name| name == "merge") => {
            process::exit(Exit::NotMerged.code().into())
        }
        _ => process::exit(error.exit_code()),
    }
}

/// What other programs call the commands.
const OTHER_NAMES: [(&str, &[&str]); 8] = [
    (
        "check",
        &["lint", "validate", "verify", "test", "analyze", "analyse", "scan", "audit", "run"],
    ),
    ("check --fix", &["fix", "fmt", "format", "autofix", "repair"]),
    ("predict", &["simulate", "dry-run", "try", "send"]),
    ("plan", &["preview", "status", "deploy", "publish", "apply"]),
    ("diff", &["compare", "update", "patch"]),
    ("explain", &["rule", "doc", "docs", "describe"]),
    ("init", &["new", "create", "setup"]),
    ("server", &["lsp", "language-server", "serve"]),
];

/// Options that are gone, and what to do instead.
const GONE: [(&str, &str); 1] = [(
    "--partial",
    "remove `--partial`: fields that NEW omits are kept unless you write `--complete`",
)];

/// The error with what a user means who writes a file, a folder, what other programs call a command, or an option that is gone.
fn with_tip(mut error: Error) -> Error {
    if let Some(ContextValue::String(option)) = error.get(ContextKind::InvalidArg)
        && let Some((_, tip)) = GONE.iter().find(|(gone, _)| gone == option)
    {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![(*tip).into()]));
    }
    if error.kind() == ErrorKind::InvalidSubcommand
        && let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand)
    {
        let name = word.to_ascii_lowercase();
        let is_path = Path::new(word).exists();
        if let Some((meant, _)) = OTHER_NAMES.iter().find(|(_, names)| names.contains(&&*name)) {
            let meant = ContextValue::Strings(vec![(*meant).to_owned()]);
            error.insert(ContextKind::SuggestedSubcommand, meant);
        }
        if is_path {
            let tip = "to check a file or a folder, write `voxlint check PATH`".into();
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip]));
        }
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(words: &[&str]) -> String {
        let words: Vec<_> = words.iter().map(OsString::from).collect();
        // Without colors, every escape sequence would be one of a word.
        let mut program = super::super::program().styles(clap::builder::Styles::plain());
        let error = parse(&mut program, &words).unwrap_err();
        assert_eq!(error.exit_code(), 2, "{words:?}");
        error.render().ansi().to_string()
    }

    #[test]
    fn a_message_has_no_control_characters_of_a_word() {
        let name = "--\u{1b}[2J\u{1b}]0;title\u{7}\u{202e}.json";
        for words in [
            &["voxlint", name][..],
            &["voxlint", "check", name],
            &["voxlint", "check", "--format", name],
            &["voxlint", "check", "--level", name],
            &["voxlint", "check", "--threads", name],
            &["voxlint", "rules", name],
            &["voxlint", "help", name],
        ] {
            let message = message(words);
            let spelled = message.contains("\\u{1b}[2J\\u{1b}]0;title\\u{7}\\u{202e}.json");
            assert!(spelled || !message.contains("title"), "{message:?}");
            assert_eq!(escape_terminal_lines(&message), message);
        }
    }

    #[test]
    fn what_other_programs_call_a_command_leads_to_it() {
        for (meant, names) in OTHER_NAMES {
            for name in names {
                let said = message(&["voxlint", name]);
                assert!(said.contains(&format!("exists: '{meant}'")), "{name}: {said}");
                assert!(!said.contains("'init'") || meant == "init", "{name}: {said}");
            }
        }
        assert!(message(&["voxlint", "Lint"]).contains("exists: 'check'"));
    }

    #[test]
    fn an_option_that_is_gone_says_what_to_do_instead() {
        for (gone, tip) in GONE {
            let said = message(&["voxlint", "diff", "a.json", "b.json", gone]);
            assert!(said.contains(tip) && !said.contains("as a value"), "{said}");
        }
    }

    #[test]
    fn a_path_in_the_place_of_a_command_is_recognized() {
        let folder = message(&["voxlint", env!("CARGO_MANIFEST_DIR")]);
        assert!(folder.contains("voxlint check PATH"), "{folder:?}");
        assert!(!message(&["voxlint", "no-such-file.json"]).contains("check PATH"));
        assert!(message(&["voxlint", "chek"]).contains("check"));
    }
}
