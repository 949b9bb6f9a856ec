//! `voxlint check`.

use clap::{Args, ValueHint};
use voxlint::Safety;
use voxlint_report::OutputFormat;

use super::heading;
use super::shared::{
    BaselineFileOptions, ChangedOptions, ColorOptions, ConfigurationOptions, GateOptions,
    InputOptions, QuietOptions, RuleOptions,
};
use super::values::{FailOn, OutputFile, SeverityArgument, formats};

const NOTES: &str = "\
Examples:
  # every agent document in the working directory
  voxlint check
  # one folder, failing on warnings
  voxlint check agents/ --strict
  # check a change against the stored configuration and workspace facts
  voxlint check agents/en.json --stored stored.json --facts workspace.json
  # only what differs from the main branch, as for a pull request
  voxlint check agents/ --changed-since origin/main
  # a pull request, checked with the settings of the main branch
  voxlint check agents/ --settings-from origin/main
  # apply safe fixes, and report what is left
  voxlint check agents/ --fix
  # print what would be fixed
  voxlint check agents/ --diff
  # standard input, with the name of its file
  voxlint check - --stdin-filename agents/en.yaml < agents/en.yaml
  # one JSON document per line, each answered as soon as it comes
  export-agents | voxlint check --stdin-format ndjson --format ndjson

Exit codes:
  0  no errors (with --fix: none left; with --diff: nothing to fix)
  1  errors (--strict: or warnings; --require-decided: or undecided rules)
     with --diff: something would be fixed
  2  the run failed: unreadable file, nothing checked, unwritable report,
     wrong usage

Environment:
  NO_COLOR           any value disables colors
  FORCE_COLOR        any value but 0 enables colors in redirected output
  CLICOLOR_FORCE     any value but 0 enables colors in redirected output
  TERM               `dumb` disables colors and the progress bar
  CI                 any value disables the progress bar
  GITHUB_ACTIONS     `true` adds annotations, unless output goes to a file
  RAYON_NUM_THREADS  number of threads (default: one per core)
  VOXLINT_DOCS       base URL of the documentation, for links to rules";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(crate) struct CheckOptions {
    #[command(flatten)]
    pub(crate) input: InputOptions,

    #[command(flatten)]
    pub(crate) gate: GateOptions,

    #[command(flatten)]
    pub(crate) changed: ChangedOptions,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    /// Judge with the settings of a commit or of another checkout, as for a pull request
    ///
    /// Each `voxlint.toml`, the baselines, stored configurations and facts of REF judge the same paths of the working tree. What they
    /// report is reported, and what the settings of the working tree report besides. A folder of this name, with a checkout, comes
    /// before a branch, tag or commit.
    #[arg(long, value_name = "REF|DIR", value_hint = ValueHint::AnyPath, help_heading = heading::CONFIGURATION, conflicts_with_all = ["config", "isolated", "fix", "fix_only", "diff"])]
    pub(crate) settings_from: Option<String>,

    #[command(flatten)]
    pub(crate) rules: RuleOptions,

    #[command(flatten)]
    pub(crate) baseline: BaselineOptions,

    #[command(flatten)]
    pub(crate) fixes: FixOptions,

    #[command(flatten)]
    pub(crate) output: OutputOptions,

    #[command(flatten)]
    pub(crate) quiet: QuietOptions,

    #[command(flatten)]
    pub(crate) color: ColorOptions,

    #[command(flatten)]
    pub(crate) exit: ExitOptions,
}

/// Which findings are suppressed.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = heading::CONFIGURATION)]
pub(crate) struct BaselineOptions {
    #[command(flatten)]
    pub(crate) file: BaselineFileOptions,

    /// Ignore the baseline
    #[arg(long, conflicts_with = "baseline")]
    pub(crate) no_baseline: bool,

    /// Ignore the baseline and all suppressions, in `voxlint.toml` and in comments
    #[arg(long)]
    pub(crate) no_suppressions: bool,
}

/// What is fixed.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = heading::FIXES)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct FixOptions {
    /// Apply safe fixes, and report what is left
    ///
    /// Standard input is written to standard output with its fixes, and the findings to standard error.
    #[arg(long)]
    pub(crate) fix: bool,

    /// With `--fix`, `--fix-only` or `--diff`: also apply fixes that may change the meaning of a document
    #[arg(long)]
    pub(crate) unsafe_fixes: bool,

    /// Apply fixes without reporting what is left; exit with 0 unless the run fails
    ///
    /// `--format json` and `--format ndjson` write what is left and what was fixed as with `--fix`.
    #[arg(long)]
    pub(crate) fix_only: bool,

    /// Print what `--fix` would change instead of changing it; exit with 1 if anything would change
    #[arg(long, conflicts_with_all = ["format", "files"])]
    pub(crate) diff: bool,
}

impl FixOptions {
    /// Whether fixes are applied or shown.
    pub(crate) const fn is_on(self) -> bool {
        self.fix || self.fix_only || self.diff
    }

    /// Whether files are changed.
    pub(crate) const fn writes(self) -> bool {
        self.is_on() && !self.diff
    }

    /// Whether the findings that are left are reported.
    pub(crate) const fn reports_the_rest(self) -> bool {
        !self.fix_only && !self.diff
    }

    /// The most that is allowed.
    pub(crate) const fn safety(self) -> Safety {
        if self.unsafe_fixes { Safety::Unsafe } else { Safety::Safe }
    }
}

/// What is printed, and where.
#[derive(Args, Debug)]
#[command(next_help_heading = heading::OUTPUT)]
pub(crate) struct OutputOptions {
    /// Format of the findings on standard output
    #[arg(long, value_parser = formats(), value_name = "FORMAT", default_value = "full")]
    pub(crate) format: OutputFormat,

    /// Also write the findings to a file; can be repeated
    #[arg(long = "output", value_name = "FORMAT=FILE", value_hint = ValueHint::Other, value_parser = OutputFile::parse)]
    pub(crate) files: Vec<OutputFile>,

    /// Hide findings below this severity, and do not fix them; the summary still counts them
    #[arg(long, value_enum, value_name = "SEVERITY", default_value = "info")]
    pub(crate) min_severity: SeverityArgument,

    /// List and count undecided rules, with the values that would decide them
    #[arg(long)]
    pub(crate) show_undecided: bool,

    /// List every file, checked or skipped, with the reason, on standard error
    #[arg(long)]
    pub(crate) show_files: bool,

    /// Include suppressed and baselined findings in SARIF reports, marked as suppressed
    #[arg(long)]
    pub(crate) show_suppressed: bool,
}

/// What makes the run fail.
#[derive(Args, Debug)]
#[command(next_help_heading = heading::EXIT_CODE)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct ExitOptions {
    /// Lowest severity that fails the run; `loosened` also fails on settings that check less than those of `--settings-from`
    #[arg(
        long,
        value_enum,
        value_name = "SEVERITY",
        value_delimiter = ',',
        default_value = "error"
    )]
    pub(crate) fail_on: Vec<FailOn>,

    /// Fail on warnings (same as `--fail-on warning`)
    #[arg(long, conflicts_with = "fail_on")]
    pub(crate) strict: bool,

    /// Fail on undecided rules
    #[arg(long)]
    pub(crate) require_decided: bool,

    /// Do not fail if nothing was checked
    #[arg(long)]
    pub(crate) allow_empty: bool,

    /// Fail unless this many documents are checked, or one that this pattern matches; can be repeated
    #[arg(long, value_name = "NUMBER|PATTERN", value_hint = ValueHint::Other)]
    pub(crate) expect: Vec<String>,

    /// Exit with 0 even if there are errors (a failed run still exits with 2)
    #[arg(long)]
    pub(crate) exit_zero: bool,
}
