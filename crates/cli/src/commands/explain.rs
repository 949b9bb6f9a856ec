//! `voxlint explain`: prints the page of a rule.

use std::io::{self, Write as _};

use voxlint::docs::pages;
use voxlint::readings::{SetReading, by_readings};
use voxlint::{Rule, rules};
use voxlint_report::escape_terminal_lines;

use super::{after_writing, configurations_here, readings_of};
use crate::args::ExplainOptions;
use crate::exit::Exit;
use crate::terminal::print_error;

pub(crate) fn run(options: &ExplainOptions) -> Exit {
    let configurations = match configurations_here(&options.configuration) {
        Ok(configurations) => configurations,
        Err(exit) => return exit,
    };
    let known = configurations.rules();
    match rules::find_among(&options.rule, &known, "`voxlint rules` lists them all") {
        Ok(rule) => {
            let in_force = in_force(rule, &readings_of(&configurations));
            // The texts of a house rule are those of a configuration.
            let page = escape_terminal_lines(&format!("{}{in_force}", pages::rule(rule)));
            after_writing(io::stdout().lock().write_all(page.as_bytes()), Exit::Clean)
        }
        Err(message) => {
            print_error(&message);
            Exit::Failed
        }
    }
}

/// The readings that a rule depends on with the values in force, if the team has set any.
fn in_force(rule: &Rule, set: &[SetReading]) -> String {
    if set.is_empty() || rule.readings.is_empty() {
        return String::new();
    }
    let lines = rule.readings.iter().map(|reading| {
        let set = set.iter().find(|it| it.reading == *reading);
        let by = set.and_then(|set| by_readings(std::slice::from_ref(set)));
        let value = set.map_or_else(|| "open".to_owned(), SetReading::value_name);
        format!(
            "\n- `{}`: {}",
            reading.name,
            [value].into_iter().chain(by).collect::<Vec<_>>().join(", ")
        )
    });
    format!("\nIn this project:\n{}\n", lines.collect::<String>())
}
