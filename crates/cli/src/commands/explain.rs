//! `voxlint explain`: prints the page of a rule.

use std::io::{self, Write as _};

use voxlint::docs::pages;
use voxlint::rules;
use voxlint_report::escape_terminal_lines;

use super::{after_writing, rules_here};
use crate::args::ExplainOptions;
use crate::exit::Exit;
use crate::terminal::print_error;

pub(crate) fn run(options: &ExplainOptions) -> Exit {
    let known = match rules_here(&options.configuration) {
        Ok(rules) => rules,
        Err(exit) => return exit,
    };
    match rules::find_among(&options.rule, &known, "`voxlint rules` lists them all") {
        Ok(rule) => {
            // The texts of a house rule are those of a configuration.
            let page = escape_terminal_lines(&pages::rule(rule));
            after_writing(io::stdout().lock().write_all(page.as_bytes()), Exit::Clean)
        }
        Err(message) => {
            print_error(&message);
            Exit::Failed
        }
    }
}
