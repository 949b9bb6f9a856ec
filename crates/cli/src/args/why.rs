//! `voxlint why`.

use clap::Args;

use super::check::BaselineOptions;
use super::heading;
use super::shared::{
    ChangedOptions, ColorOptions, ConfigurationOptions, FormatOptions, GateOptions, InputOptions,
    RuleOptions,
};
use super::values::{SeverityArgument, rule_ids};

const NOTES: &str = "\
Examples:
  # why there is no finding about an unknown field in a document
  voxlint why unknown-field agents/en.json
  # what happened to a rule on line 12
  voxlint why out-of-range agents/en.json:12
  # the same for programs
  voxlint why out-of-range agents/en.json --format json

Exit codes:
  0  the rule was explained
  2  there is no such rule, or a file cannot be read or used";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(crate) struct WhyOptions {
    /// Id of the rule
    #[arg(value_name = "RULE", value_parser = rule_ids(), hide_possible_values = true)]
    pub(crate) rule: String,

    #[command(flatten)]
    pub(crate) input: InputOptions,

    #[command(flatten)]
    pub(crate) gate: GateOptions,

    #[command(flatten)]
    pub(crate) changed: ChangedOptions,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    #[command(flatten)]
    pub(crate) rules: RuleOptions,

    #[command(flatten)]
    pub(crate) baseline: BaselineOptions,

    #[command(flatten)]
    pub(crate) output: FormatOptions,

    /// Say which findings this option of `check` hides
    #[arg(long, value_enum, value_name = "SEVERITY", default_value = "info", help_heading = heading::OUTPUT)]
    pub(crate) min_severity: SeverityArgument,

    #[command(flatten)]
    pub(crate) color: ColorOptions,
}
