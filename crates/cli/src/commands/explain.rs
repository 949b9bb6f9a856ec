//! `voxlint explain`: prints the page of a rule.

use std::io::{self, Write as _};

use voxlint::docs::pages;
use voxlint::suggest::nearest;
use voxlint_report::escape_terminal_lines;

use super::{after_writing, rules_here};
use crate::Exit;
use crate::args::ExplainOptions;
use crate::terminal::print_error;

pub(crate) fn run(options: &ExplainOptions) -> Exit {
    let rules = match rules_here(&options.configuration) {
        Ok(rules) => rules,
        Err(exit) => return exit,
    };
    let Some(rule) = rules.iter().find(|rule| rule.id == options.rule) else {
        let meant = match nearest(&options.rule, rules.iter().map(|rule| &*rule.id)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`voxlint rules` lists them all".to_owned(),
        };
        print_error(&format!("there is no rule `{}`: {meant}", options.rule));
        return Exit::Failed;
    };
    // The texts of a house rule are those of a configuration.
    let page = escape_terminal_lines(&pages::rule(rule));
    after_writing(io::stdout().lock().write_all(page.as_bytes()), Exit::Clean)
}
