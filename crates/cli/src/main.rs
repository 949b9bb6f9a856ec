//! The `voxlint` command.

#![forbid(unsafe_code)]

mod args;
mod commands;
mod exit;
mod find;
mod findings;
mod fixes;
mod judge;
mod options;
mod outputs;
mod progress;
mod terminal;

use std::env;
use std::panic;
use std::process::ExitCode;

use crate::args::Command;
use crate::exit::Exit;

fn main() -> ExitCode {
    terminal::report_panics();
    let command = args::parse().command;
    let failed = if matches!(command, Command::Merge(_)) { Exit::NotMerged } else { Exit::Failed };
    if let Err(error) = env::current_dir() {
        // No relative path can be resolved.
        terminal::print_error(&format!("the working directory cannot be used: {error}"));
        return failed.into();
    }
    let run = || match command {
        Command::Check(options) => commands::check::run(&options),
        Command::Baseline(command) => commands::baseline::run(&command),
        Command::Config(command) => commands::config::run(&command),
        Command::Predict(options) => commands::predict::run(&options),
        Command::Plan(command) => commands::plan::run(&command),
        Command::Adopt(options) => commands::adopt::run(&options),
        Command::Learn(options) => commands::learn::run(&options),
        Command::Merge(options) => commands::merge::run(&options),
        Command::Vars(options) => commands::vars::run(&options),
        Command::Render(options) => commands::render::run(&options),
        Command::Diff(options) => commands::diff::run(&options),
        Command::Init(options) => commands::init::run(&options),
        Command::Mcp(options) => commands::mcp::run(&options),
        Command::Explain(options) => commands::explain::run(&options),
        Command::Why(options) => commands::why::run(*options),
        Command::Rules(options) => commands::rules::run(&options),
        Command::Readings(options) => commands::readings::run(&options),
        Command::Schema(options) => commands::schema::run(&options),
        Command::Facts(options) => commands::facts::run(&options),
        Command::Server(options) => commands::server::run(&options),
        Command::Man(options) => commands::man::run(&options),
        Command::Completions(options) => commands::completions::run(&options),
    };
    // A bug is a failure as well.
    panic::catch_unwind(run).unwrap_or(failed).into()
}
