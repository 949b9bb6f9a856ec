use std::io::{self, Write as _};

use voxlint::{pages, rules};

use super::after_writing;
use crate::Outcome;
use crate::args::ExplainOptions;
use crate::terminal::complain;

pub(crate) fn run(options: &ExplainOptions) -> Outcome {
    let Some(rule) = rules::find(&options.rule) else {
        let meant = match rules::nearest(&options.rule) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`voxlint rules` lists them all".to_owned(),
        };
        complain(&format!("there is no rule `{}`: {meant}", options.rule));
        return Outcome::Failed;
    };
    after_writing(io::stdout().lock().write_all(pages::rule(rule).as_bytes()), Outcome::Clean)
}
