//! `voxlint explain` and `voxlint rules`.

use clap::Args;

use super::shared::{ConfigurationOptions, FormatOptions};
use super::values::rule_ids;

const EXPLAIN: &str = "\
Examples:
  # what `error[unknown-field]` in a report means
  voxlint explain unknown-field

Exit codes:
  0  done
  2  there is no such rule";

#[derive(Args, Debug)]
#[command(after_long_help = EXPLAIN)]
pub(crate) struct ExplainOptions {
    /// Id of the rule, as shown in the brackets of a finding
    #[arg(value_name = "RULE", value_parser = rule_ids(), hide_possible_values = true)]
    pub(crate) rule: String,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,
}

const RULES: &str = "\
Examples:
  # the template rules
  voxlint rules | grep template
  # the list as JSON: families, sections, statuses, fields
  voxlint rules --format json

Exit codes:
  0  done
  2  the list could not be written";

#[derive(Args, Debug)]
#[command(after_long_help = RULES)]
pub(crate) struct RulesOptions {
    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    #[command(flatten)]
    pub(crate) output: FormatOptions,
}
