use std::io::{self, Write as _};

use voxlint::pages;
use voxlint::suggest::nearest;

use super::after_writing;
use crate::Outcome;
use crate::args::{ColorArgument, ExplainOptions};
use crate::project::Project;
use crate::terminal::complain;

pub(crate) fn run(options: &ExplainOptions) -> Outcome {
    let rules = match Project::rules_here(&options.configuration, ColorArgument::Auto) {
        Ok(rules) => rules,
        Err(outcome) => return outcome,
    };
    let Some(rule) = rules.iter().find(|rule| rule.id == options.rule) else {
        let meant = match nearest(&options.rule, rules.iter().map(|rule| &*rule.id)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`voxlint rules` lists them all".to_owned(),
        };
        complain(&format!("there is no rule `{}`: {meant}", options.rule));
        return Outcome::Failed;
    };
    after_writing(io::stdout().lock().write_all(pages::rule(rule).as_bytes()), Outcome::Clean)
}
