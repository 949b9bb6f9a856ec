//! The notes below the options in `--help`, parsed for manual pages.

use clap::Command;

/// The paragraphs below the options, by kind.
#[derive(Debug, Default)]
pub(crate) struct HelpNotes {
    /// Other paragraphs.
    pub(crate) paragraphs: Vec<String>,
    /// `Examples:`: each a comment and a command line, indented.
    pub(crate) examples: Vec<String>,
    /// `Exit codes:`: each a number and its meaning.
    pub(crate) exit_codes: Vec<(String, String)>,
    /// `Environment:`: each a variable and its effect.
    pub(crate) environment: Vec<(String, String)>,
}

/// Parses the notes of a command.
pub(crate) fn notes(command: &Command) -> HelpNotes {
    let text = command.get_after_long_help().or_else(|| command.get_after_help());
    let text = text.map(ToString::to_string).unwrap_or_default();
    let mut notes = HelpNotes::default();
    for paragraph in text.split("\n\n") {
        if let Some(lines) = paragraph.strip_prefix("Examples:\n") {
            notes.examples = examples(lines);
        } else if let Some(lines) = paragraph.strip_prefix("Exit codes:\n") {
            notes.exit_codes = terms(lines);
        } else if let Some(lines) = paragraph.strip_prefix("Environment:\n") {
            notes.environment = terms(lines);
        } else if !paragraph.is_empty() {
            notes.paragraphs.push(paragraph.to_owned());
        }
    }
    notes
}

/// One term per line, followed by its description.
fn terms(lines: &str) -> Vec<(String, String)> {
    let term = |line: &str| {
        let (term, about) = line.trim().split_once("  ")?;
        Some((term.to_owned(), about.trim_start().to_owned()))
    };
    lines.lines().filter_map(term).collect()
}

/// Each example with the comment above it.
fn examples(lines: &str) -> Vec<String> {
    let mut examples: Vec<String> = Vec::new();
    for line in lines.lines() {
        match examples.last_mut() {
            Some(example) if !line.trim().starts_with('#') => {
                example.push('\n');
                example.push_str(line);
            }
            _ => examples.push(line.to_owned()),
        }
    }
    examples
}

#[cfg(test)]
mod tests {
    use super::super::program;
    use super::*;

    /// The commands that users see, by name.
    fn commands() -> Vec<Command> {
        let program = program();
        let below: Vec<Command> = program.get_subcommands().cloned().collect();
        [vec![program], below].concat()
    }

    #[test]
    fn the_help_of_every_command_has_examples_and_exit_codes() {
        for command in commands() {
            let notes = notes(&command);
            let name = command.get_name();
            assert!(!notes.examples.is_empty(), "{name}: no examples");
            // Git takes up to 128 of its drivers for a merge with conflicts.
            let failed = if name == "merge" { "129" } else { "2" };
            let mut exit_codes = notes.exit_codes.iter();
            assert!(exit_codes.any(|(code, _)| code == failed), "{name}: no exit codes");
        }
    }

    #[test]
    fn every_example_is_a_valid_command_line() {
        for example in commands().iter().flat_map(|command| notes(command).examples) {
            let [comment, line] = example.lines().map(str::trim).collect::<Vec<_>>()[..] else {
                panic!("a comment and a command line: {example}");
            };
            assert!(comment.starts_with("# "), "{example}");
            let (_, arguments) = line.split_once("voxlint ").unwrap_or_default();
            let line = format!("voxlint {arguments}");
            let line = line.split(['<', '>', '|', ')']).next().unwrap();
            let parsed = program().try_get_matches_from(line.split_whitespace());
            assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
        }
    }

    #[test]
    fn preformatted_help_fits_a_terminal() {
        for command in commands() {
            let text = command.get_after_long_help().or_else(|| command.get_after_help());
            for line in text.map(ToString::to_string).unwrap_or_default().lines() {
                assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
            }
        }
    }
}
