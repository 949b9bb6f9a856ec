//! `voxlint explain`: prints the page of a rule.

use std::io::{self, Write as _};

use voxlint::docs::pages;
use voxlint::{RuleRef, rules};
use voxlint_report::escape_terminal_lines;

use super::{after_writing, rules_here};
use crate::args::{ConfigurationOptions, ExplainOptions};
use crate::exit::Exit;
use crate::terminal::print_error;

pub(crate) fn run(options: &ExplainOptions) -> Exit {
    match rule_here(&options.rule, &options.configuration) {
        Ok(rule) => {
            // The texts of a house rule are those of a configuration.
            let page = escape_terminal_lines(&pages::rule(&rule));
            after_writing(io::stdout().lock().write_all(page.as_bytes()), Exit::Clean)
        }
        Err(exit) => exit,
    }
}

/// The rule with an id, for files in the working directory.
pub(super) fn rule_here(id: &str, options: &ConfigurationOptions) -> Result<RuleRef, Exit> {
    let rules = rules_here(options)?;
    let found = rules::find_among(id, &rules, "`voxlint rules` lists them all").cloned();
    found.map_err(|message| {
        print_error(&message);
        Exit::Failed
    })
}
