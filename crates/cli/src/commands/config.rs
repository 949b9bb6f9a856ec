use std::io::{self, Write as _};

use serde_json::Value;
use voxlint_config::{show_json, show_text};
use voxlint_report::{escape_json, escape_terminal_lines};

use super::after_writing;
use crate::Outcome;
use crate::args::{ConfigAction, ConfigCommand, ShowOptions, TextOrJson};
use crate::paths::{absolute, folder, here};
use crate::project::Project;
use crate::terminal::complain;

/// The settings that are paths.
const PATHS: [&str; 4] = ["stored", "facts", "baseline", "text_files."];

pub(crate) fn run(command: &ConfigCommand) -> Outcome {
    let ConfigAction::Show(options) = &command.action;
    show(options).unwrap_or_else(|complaint| {
        complain(&complaint);
        Outcome::Failed
    })
}

/// Prints what holds for a file, or for all of the project that the file does not differ in.
fn show(options: &ShowOptions) -> Result<Outcome, String> {
    let mut project = Project::new(&options.configuration, options.color.when);
    let (file, folder) = match &options.file {
        Some(path) if path.is_dir() => (None, absolute(path)),
        Some(path) => {
            let file = absolute(path);
            let folder = folder(&file).to_owned();
            (Some(file), folder)
        }
        None => (None, here()),
    };
    project.look_up(&folder);
    for failure in &project.failures {
        complain(&format!("{}: {}", failure.path, failure.message));
    }
    project.choose(&options.rules)?;
    let Some(configuration) = project.configuration(&folder) else { return Ok(Outcome::Failed) };
    let mut list = match &file {
        Some(file) => configuration.for_file(file).show(),
        None => configuration.show(),
    };
    let shown = |path: &str| project.shown(path);
    // Paths are shown as everybody else shows them, and the same wherever a clone lies.
    for entry in &mut list {
        if let Some(Value::String(path)) = &mut entry.value
            && path.starts_with('/')
            && PATHS.iter().any(|key| entry.key.starts_with(key))
        {
            *path = shown(path);
        }
    }
    let text = match options.output.format {
        TextOrJson::Full => {
            let source = match configuration.path() {
                Some(path) => format!("# {}\n", shown(path)),
                None => "# there is no voxlint.toml here or above\n".to_owned(),
            };
            escape_terminal_lines(&(source + &show_text(&list, &shown)))
        }
        TextOrJson::Json => escape_json(&format!("{:#}\n", show_json(&list, &shown))),
    };
    Ok(after_writing(io::stdout().lock().write_all(text.as_bytes()), Outcome::Clean))
}
