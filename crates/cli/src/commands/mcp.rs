//! `voxlint mcp`: answers an assistant on standard input and output.

use std::env;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use voxlint_mcp::Server;
use voxlint_project::paths::absolute;

use super::after_writing;
use crate::args::McpOptions;
use crate::exit::Exit;
use crate::terminal::{print_error, print_failures};

pub(crate) fn run(options: &McpOptions) -> Exit {
    // Relative to the working directory of the caller, which is left below.
    let mut folders: Vec<PathBuf> =
        options.folders.iter().map(|folder| PathBuf::from(absolute(folder))).collect();
    if folders.is_empty() {
        folders.push(PathBuf::from(absolute(".".as_ref())));
    }
    let server = match Server::new(&folders) {
        Ok(server) => server,
        Err(failure) => {
            print_failures([&failure]);
            return Exit::Failed;
        }
    };
    // So paths in questions and answers begin in the first folder, wherever the assistant starts its servers.
    if let Some(first) = folders.first()
        && let Err(error) = env::set_current_dir(first)
    {
        print_error(&format!("{}: {error}", first.display()));
        return Exit::Failed;
    }
    if io::stdin().is_terminal() {
        print_error("an assistant starts this command and writes messages to it; Ctrl+D ends it");
    }
    after_writing(server.serve(io::stdin(), io::stdout().lock()), Exit::Clean)
}
