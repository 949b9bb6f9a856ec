//! The command line: reads files, hands them to the library, and writes what comes back.

mod accounting;
mod args;
mod baselines;
mod commands;
mod files;
mod ground;
mod judge;
mod lines;
mod neighbours;
mod outputs;
mod partners;
mod paths;
mod progress;
mod project;
mod prompts;
mod replace;
mod stdin;
mod survey;
mod terminal;
mod texts;

use std::env;
use std::panic;
use std::process::ExitCode;

use crate::args::Command;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// Nothing that fails a run was found.
    Clean,
    /// Something was.
    Findings,
    /// A part of the run itself failed.
    Failed,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        Self::from(match outcome {
            Outcome::Clean => 0,
            Outcome::Findings => 1,
            Outcome::Failed => 2,
        })
    }
}

fn main() -> ExitCode {
    terminal::report_panics();
    let command = args::parse().command;
    if let Err(error) = env::current_dir() {
        // Nobody could tell which files are meant, and a folder that is gone holds none.
        terminal::complain(&format!("the working directory cannot be used: {error}"));
        return Outcome::Failed.into();
    }
    let run = || match command {
        Command::Check(options) => commands::check::run(&options),
        Command::Baseline(command) => commands::baseline::run(&command),
        Command::Config(command) => commands::config::run(&command),
        Command::Predict(options) => commands::predict::run(&options),
        Command::Diff(options) => commands::diff::run(&options),
        Command::Init(options) => commands::init::run(&options),
        Command::Explain(options) => commands::explain::run(&options),
        Command::Rules(options) => commands::rules::run(&options),
        Command::Schema(options) => commands::schema::run(&options),
        Command::Facts(options) => commands::facts::run(&options),
        Command::Man(options) => commands::man::run(&options),
        Command::Completions(options) => commands::completions::run(&options),
    };
    // Whatever happens, a run that failed exits with 2.
    panic::catch_unwind(run).unwrap_or(Outcome::Failed).into()
}
