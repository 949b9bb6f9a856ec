//! `voxlint config`: prints the resolved configuration.

use std::io::{self, Write as _};
use std::sync::Arc;

use serde_json::Value;
use voxlint_config::{show_json, show_text};
use voxlint_project::Configurations;
use voxlint_project::paths::{absolute, folder_of, working_directory};
use voxlint_report::{escape_json, escape_terminal_lines};

use super::after_writing;
use crate::args::{ConfigAction, ConfigCommand, ShowOptions, TextOrJson};
use crate::exit::Exit;
use crate::options::configuration_source;
use crate::terminal::{print_error, print_failures, print_faults};

/// The settings that are paths.
const PATHS: [&str; 4] = ["stored", "facts", "baseline", "text_files."];

pub(crate) fn run(command: &ConfigCommand) -> Exit {
    let ConfigAction::Show(options) = &command.action;
    show(options).unwrap_or_else(|message| {
        print_error(&message);
        Exit::Failed
    })
}

/// Prints the settings of a file or folder.
fn show(options: &ShowOptions) -> Result<Exit, String> {
    let source = configuration_source(&options.configuration);
    let mut configurations = Configurations::new(Arc::default(), source, options.rules.selection());
    let (file, folder) = match &options.file {
        Some(path) if path.is_dir() => (None, absolute(path)),
        Some(path) => {
            let file = absolute(path);
            let folder = folder_of(&file).to_owned();
            (Some(file), folder)
        }
        None => (None, working_directory()),
    };
    configurations.look_up(&folder);
    let failures = configurations.take_failures();
    print_faults(&failures, options.color.when);
    print_failures(&failures);
    configurations.check_selection().map_err(|error| error.to_string())?;
    let Some(configuration) = configurations.for_folder(&folder) else { return Ok(Exit::Failed) };
    let mut list = match &file {
        Some(file) => configuration.for_file(file).show(),
        None => configuration.show(),
    };
    let shown = |path: &str| configurations.shown(path);
    // Relative paths are the same in every clone.
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
                None => "# no voxlint.toml applies here\n".to_owned(),
            };
            escape_terminal_lines(&(source + &show_text(&list, &shown)))
        }
        TextOrJson::Json => escape_json(&format!("{:#}\n", show_json(&list, &shown))),
    };
    Ok(after_writing(io::stdout().lock().write_all(text.as_bytes()), Exit::Clean))
}
