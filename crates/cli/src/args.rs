//! What may be written on the command line. No logic lives here.

mod init;
mod notes;
mod shell;

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use voxlint::{DocumentKind, Severity};
use voxlint_config::{Level, RuleSelection};
use voxlint_report::OutputFormat;

pub(crate) use self::init::InitOptions;
pub(crate) use self::notes::notes;
pub(crate) use self::shell::{
    CompletionsOptions, FactsOptions, ManOptions, SkeletonFormat, parse, program,
};
use crate::accounting::Relation;
use crate::paths::lexical;
use crate::texts::Convention;

/// Predicts how a voice-agent service answers an agent configuration before you publish it.
///
/// voxlint reads the documents that are sent to the service: agent settings in JSON, YAML or TOML, and the Handlebars
/// templates of their prompts. It reports what the service would reject, and accepted values that callers would suffer
/// from. It works offline: nothing is sent anywhere, and no document is changed.
#[derive(Debug, Parser)]
#[command(name = "voxlint", version, subcommand_value_name = "COMMAND", after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXAMPLES: &str = "\
Examples:
  # check every agent document below the current directory
  voxlint check
  # check a change against the stored draft and workspace facts
  voxlint check agents/en.json --stored held.json --facts workspace.json
  # the status and body of the answer
  voxlint predict agents/en.json --stored held.json --facts workspace.json
  # the smallest update that brings the service up to date
  voxlint diff held.json agents/en.json > update.json
  # what a rule looks for, with examples
  voxlint explain unknown-field

Exit codes:
  0  no errors
  1  errors were found in a document
  2  the run itself failed";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check agent documents
    ///
    /// A named file is always checked, unless `--only-documents` or `--force-exclude` skips it. In a directory, voxlint checks
    /// the agent documents among the files with a known extension (.json, .jsonc, .ndjson, .jsonl, .yaml, .yml, .toml, .hbs,
    /// .handlebars). It skips hidden files, other files and, in a git repository, files that its .gitignore files list.
    /// `--show-files` lists what was checked and what was skipped. A run in which nothing was checked fails, unless
    /// `--allow-empty` or `--only-documents` is given.
    ///
    /// A rule that depends on an unknown value is undecided. It is counted in the summary, and nothing is guessed.
    /// `--stored` and `--facts` provide the missing values.
    Check(CheckOptions),
    /// Record existing findings, so that only new ones are reported
    Baseline(BaselineCommand),
    /// Show the resolved configuration
    Config(ConfigCommand),
    /// Predict how the service answers an update
    ///
    /// With unknown values, several answers are possible. Each one says what it depends on. 401, 429 and 500 do not depend on
    /// the document and are never predicted.
    Predict(PredictOptions),
    /// Print the update that turns the stored configuration into the desired one
    ///
    /// The update is checked first. One that the service would reject is not printed.
    Diff(DiffOptions),
    /// Write a voxlint.toml that fits the repository
    ///
    /// voxlint reads the documents as `voxlint check` does, and looks for their related files: facts, stored states and text
    /// files. Settings that follow from the file names are active and hide no finding. Likely settings are commented out
    /// with the reason, and every other setting has a commented example.
    Init(InitOptions),
    /// Print the page of a rule
    Explain(ExplainOptions),
    /// List all rules
    Rules(RulesOptions),
    /// Print the JSON Schema of a kind of document, for editors
    Schema(SchemaOptions),
    /// Check a file of workspace facts, or print a skeleton of one
    ///
    /// Facts describe your workspace: its voices, transcribers, phone numbers, campaigns and so on. With `--facts FILE` the
    /// other commands can check whether an id exists and whether a number is in use.
    Facts(FactsOptions),
    /// Print a shell completion script
    Completions(CompletionsOptions),
    /// Print the manual page
    Man(ManOptions),
}

const CHECK: &str = "\
Examples:
  # every agent document below the current directory
  voxlint check
  # one folder, failing on warnings
  voxlint check agents/ --strict
  # check a change against the stored draft and workspace facts
  voxlint check agents/en.json --stored held.json --facts workspace.json
  # standard input, with the name of its file
  voxlint check - --stdin-filename agents/en.yaml < agents/en.yaml

Exit codes:
  0  no errors
  1  errors; with --strict warnings, with --require-decided undecided rules
  2  the run failed: an unreadable file, nothing checked, a failed report,
     a wrong argument

Environment:
  NO_COLOR           any value disables colours
  CLICOLOR_FORCE     any value but 0 enables colours in redirected output
  TERM               `dumb` disables colours and the progress bar
  CI                 any value disables the progress bar
  GITHUB_ACTIONS     `true` adds annotations, unless output is redirected
  RAYON_NUM_THREADS  number of threads (default: one per core)
  VOXLINT_DOCS       address of the documentation that rule names link to";

#[derive(Args, Debug)]
#[command(after_long_help = CHECK)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct CheckOptions {
    #[command(flatten)]
    pub(crate) subject: SubjectOptions,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    #[command(flatten)]
    pub(crate) rules: RuleOptions,

    #[command(flatten)]
    pub(crate) baseline: BaselineOptions,

    /// Ignore suppressions in voxlint.toml and comments, and the baseline
    #[arg(long)]
    pub(crate) no_suppressions: bool,

    /// Format of the findings on standard output
    #[arg(long, value_parser = formats(), value_name = "FORMAT", default_value = "full")]
    pub(crate) format: OutputFormat,

    /// Also write the findings to a file, in its own format; can be repeated
    #[arg(long, value_name = "FORMAT=FILE", value_hint = ValueHint::Other, value_parser = OutputFile::parse)]
    pub(crate) output: Vec<OutputFile>,

    /// Hide less severe findings; the summary still counts them
    #[arg(long, value_enum, value_name = "SEVERITY", default_value = "info")]
    pub(crate) min_severity: SeverityArgument,

    /// Lowest severity that fails the run
    #[arg(long, value_enum, value_name = "SEVERITY", default_value = "error")]
    pub(crate) fail_on: SeverityArgument,

    /// Fail on warnings: the same as --fail-on warning
    #[arg(long, conflicts_with = "fail_on")]
    pub(crate) strict: bool,

    /// Fail on undecided rules
    #[arg(long)]
    pub(crate) require_decided: bool,

    /// List undecided rules and the values that would decide them
    #[arg(long)]
    pub(crate) show_undecided: bool,

    /// List the files that were checked, skipped or could not be checked, with the reasons, on standard error
    #[arg(long)]
    pub(crate) show_files: bool,

    /// Accept a run in which nothing was checked, which otherwise fails
    #[arg(long)]
    pub(crate) allow_empty: bool,

    /// Include suppressed and baselined findings in SARIF reports, marked as suppressed
    #[arg(long)]
    pub(crate) show_suppressed: bool,

    /// Exit with 0 even if errors are found (a failed run still exits with 2)
    #[arg(long)]
    pub(crate) exit_zero: bool,

    /// Print no summary line, no notices and no progress bar
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArgument,
}

/// What is checked.
#[derive(Args, Debug)]
pub(crate) struct SubjectOptions {
    /// Files, directories, or - for standard input; without any, the working directory, or standard input if
    /// --stdin-filename is given
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,

    /// Treat every file as a document of this kind instead of detecting it
    #[arg(long, value_parser = document_kinds(), value_name = "KIND")]
    pub(crate) kind: Option<DocumentKind>,

    /// Read the text of FIELD from a file beside each document; `{stem}` is the document's file name without its
    /// extension, as in `prompt_text={stem}.prompt.hbs`
    #[arg(long, value_name = "FIELD=PATTERN", value_hint = ValueHint::Other, value_parser = Convention::parse)]
    pub(crate) text_files: Vec<Convention>,

    #[command(flatten)]
    pub(crate) partners: PartnerOptions,

    #[command(flatten)]
    pub(crate) reading: ReadingOptions,

    /// File name of standard input: used in reports, and its extension selects the format
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub(crate) stdin_filename: Option<PathBuf>,

    /// Skip files that the configuration excludes, even when named (for hooks, which name every changed file)
    #[arg(long)]
    pub(crate) force_exclude: bool,

    /// Skip files that are not agent documents, even when named (for hooks, which name every changed file); a named related
    /// file selects its documents
    #[arg(long)]
    pub(crate) only_documents: bool,
}

impl SubjectOptions {
    /// Everything in a directory, with nothing else said.
    pub(crate) fn of_directory(directory: &Path) -> Self {
        Self {
            paths: vec![directory.to_owned()],
            kind: None,
            text_files: Vec::new(),
            partners: PartnerOptions { stored: None, facts: None, agent_id: None },
            reading: ReadingOptions { jsonc: false },
            stdin_filename: None,
            force_exclude: false,
            only_documents: false,
        }
    }

    /// What to check: what is named, or else standard input where it has a name, or else the working directory.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        if self.paths.is_empty() {
            let path = if self.stdin_filename.is_some() { "-" } else { "." };
            return vec![PathBuf::from(path)];
        }
        self.paths.clone()
    }
}

/// Which configuration counts.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct ConfigurationOptions {
    /// Use this configuration for every file instead of the nearest voxlint.toml
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,

    /// Ignore every voxlint.toml
    #[arg(long, conflicts_with = "config")]
    pub(crate) isolated: bool,
}

/// Which rules run, and their severities.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct RuleOptions {
    /// Run only these rules or groups (comma-separated), and always `syntax-error`
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = shell::rule_ids(), hide_possible_values = true)]
    pub(crate) select: Vec<String>,

    /// Skip these rules or groups (comma-separated)
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = shell::rule_ids(), hide_possible_values = true)]
    pub(crate) ignore: Vec<String>,

    /// Set the severity of a rule or group: off, info, warning or error
    #[arg(long, value_name = "RULE=LEVEL", value_delimiter = ',', value_hint = ValueHint::Other, value_parser = rule_level)]
    pub(crate) level: Vec<(String, Level)>,
}

impl RuleOptions {
    /// The same for configurations.
    pub(crate) fn choices(&self) -> RuleSelection {
        let Self { select, ignore, level } = self;
        RuleSelection { select: select.clone(), ignore: ignore.clone(), levels: level.clone() }
    }
}

/// Which findings the baseline suppresses.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct BaselineOptions {
    /// Baseline file (default: voxlint-baseline.json beside the configuration)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) baseline: Option<PathBuf>,

    /// Ignore the baseline
    #[arg(long, conflicts_with = "baseline")]
    pub(crate) no_baseline: bool,
}

const BASELINE: &str = "\
Examples:
  # record the existing findings
  voxlint baseline write
  # list entries whose finding is gone
  voxlint baseline check
  # remove those entries
  voxlint baseline prune

Exit codes:
  0  done
  1  `check` found entries whose finding is gone
  2  the run itself failed, and the baseline is unchanged";

#[derive(Args, Debug)]
#[command(after_long_help = BASELINE)]
pub(crate) struct BaselineCommand {
    #[command(subcommand)]
    pub(crate) action: BaselineAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BaselineAction {
    /// Write the existing findings to the baseline
    ///
    /// Entries for files that are not checked are kept.
    Write(ListingOptions),
    /// List the entries whose finding is gone
    Check(ListingOptions),
    /// Remove the entries whose finding is gone; no entry is added
    Prune(ListingOptions),
}

/// What the commands about baselines take.
#[derive(Args, Debug)]
pub(crate) struct ListingOptions {
    #[command(flatten)]
    pub(crate) subject: SubjectOptions,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    #[command(flatten)]
    pub(crate) rules: RuleOptions,

    /// Baseline file (default: voxlint-baseline.json beside the configuration)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) baseline: Option<PathBuf>,

    /// Do not print what was done
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArgument,
}

const CONFIG: &str = "\
Examples:
  # every setting and where it comes from
  voxlint config show
  # the settings for one file
  voxlint config show agents/en.json

Exit codes:
  0  done
  2  the configuration cannot be used";

#[derive(Args, Debug)]
#[command(after_long_help = CONFIG)]
pub(crate) struct ConfigCommand {
    #[command(subcommand)]
    pub(crate) action: ConfigAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ConfigAction {
    /// Print each setting with the file and line it comes from
    Show(ShowOptions),
}

#[derive(Args, Debug)]
pub(crate) struct ShowOptions {
    /// File or folder that the settings apply to (default: the working directory)
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    #[command(flatten)]
    pub(crate) rules: RuleOptions,

    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "full")]
    pub(crate) format: FullOrJson,

    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArgument,
}

/// A file to write findings to.
#[derive(Clone, Debug)]
pub(crate) struct OutputFile {
    pub(crate) format: OutputFormat,
    pub(crate) path: PathBuf,
}

impl OutputFile {
    /// Reads `sarif=voxlint.sarif`.
    fn parse(text: &str) -> Result<Self, String> {
        let (name, path) = text
            .split_once('=')
            .filter(|(name, path)| !name.is_empty() && !path.is_empty())
            .ok_or("write FORMAT=FILE, such as sarif=voxlint.sarif")?;
        let format = OutputFormat::from_name(name).ok_or_else(|| {
            let names: Vec<&str> = OutputFormat::ALL.iter().map(|format| format.name()).collect();
            format!("`{name}` is not a format; allowed: {}", names.join(", "))
        })?;
        if path == "-" {
            return Err("standard output is the target of --format: name a file".to_owned());
        }
        Ok(Self { format, path: PathBuf::from(path) })
    }
}

/// Reads `unknown-field=warning`.
fn rule_level(text: &str) -> Result<(String, Level), String> {
    let (rule, level) =
        text.split_once('=').ok_or("write RULE=LEVEL, such as unknown-field=error")?;
    Ok((rule.to_owned(), level.parse()?))
}

/// How severe a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeverityArgument {
    /// Infos and above
    Info,
    /// Warnings and above
    Warning,
    /// Errors only
    Error,
}

impl From<SeverityArgument> for Severity {
    fn from(argument: SeverityArgument) -> Self {
        match argument {
            SeverityArgument::Info => Self::Info,
            SeverityArgument::Warning => Self::Warning,
            SeverityArgument::Error => Self::Error,
        }
    }
}

/// How files are read.
#[derive(Args, Debug)]
pub(crate) struct ReadingOptions {
    /// Allow comments and trailing commas in .json files and standard input
    #[arg(long)]
    pub(crate) jsonc: bool,
}

/// What is known beside a document.
#[derive(Args, Debug)]
pub(crate) struct PartnerOptions {
    /// The stored configuration: an agent, the settings of a version, or {"agent": …, "version": …, "complete": true}
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) stored: Option<PathBuf>,

    /// Workspace facts: voices, phone numbers and so on; `voxlint facts --template` prints a skeleton
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) facts: Option<PathBuf>,

    /// Id of the agent that the document is for (default: the stored agent)
    #[arg(long, value_name = "ID", value_hint = ValueHint::Other, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) agent_id: Option<String>,
}

const PREDICT: &str = "\
Examples:
  # the possible answers, from the document alone
  voxlint predict agents/en.json
  # the answer, with the stored draft and workspace facts
  voxlint predict agents/en.json --stored held.json --facts workspace.json

Exit codes:
  0  the service would certainly answer 200
  1  it would reject the update, or might
  2  no prediction was possible";

#[derive(Args, Debug)]
#[command(after_long_help = PREDICT)]
pub(crate) struct PredictOptions {
    /// The file with the update, or - for standard input
    #[arg(value_name = "UPDATE", value_hint = ValueHint::FilePath)]
    pub(crate) update: PathBuf,

    /// Read the text of FIELD from a file beside the update; `{stem}` is the update's file name without its extension, as
    /// in `prompt_text={stem}.prompt.hbs`
    #[arg(long, value_name = "FIELD=PATTERN", value_hint = ValueHint::Other, value_parser = Convention::parse)]
    pub(crate) text_files: Vec<Convention>,

    #[command(flatten)]
    pub(crate) partners: PartnerOptions,

    #[command(flatten)]
    pub(crate) reading: ReadingOptions,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "full")]
    pub(crate) format: FullOrJson,

    /// File name of standard input: used in reports, and its extension selects the format
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub(crate) stdin_filename: Option<PathBuf>,

    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArgument,
}

const DIFF: &str = "\
Examples:
  # the smallest update that brings the service up to date
  voxlint diff held.json agents/en.json > update.json
  # what it would change, one line per change
  voxlint diff held.json agents/en.json --explain

Exit codes:
  0  done
  1  the service would reject the update, or a field cannot be unset
  2  the run itself failed";

#[derive(Args, Debug)]
#[command(after_long_help = DIFF)]
pub(crate) struct DiffOptions {
    /// The stored configuration: settings, an agent, or {"agent": …, "version": …, "complete": true}; - is standard input
    #[arg(value_name = "OLD", value_hint = ValueHint::FilePath)]
    pub(crate) old: PathBuf,

    /// The desired settings; - is standard input
    #[arg(value_name = "NEW", value_hint = ValueHint::FilePath)]
    pub(crate) new: PathBuf,

    /// Read the text of FIELD from a file beside NEW; `{stem}` is NEW's file name without its extension, as in
    /// `prompt_text={stem}.prompt.hbs`
    #[arg(long, value_name = "FIELD=PATTERN", value_hint = ValueHint::Other, value_parser = Convention::parse)]
    pub(crate) text_files: Vec<Convention>,

    /// Keep fields that NEW omits instead of unsetting them
    #[arg(long)]
    pub(crate) partial: bool,

    /// Print what the update changes, one line per change, instead of the update
    #[arg(long)]
    pub(crate) explain: bool,

    /// Workspace facts: voices, phone numbers and so on; `voxlint facts --template` prints a skeleton
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) facts: Option<PathBuf>,

    /// Id of the agent that the update is for (default: the stored agent)
    #[arg(long, value_name = "ID", value_hint = ValueHint::Other, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) agent_id: Option<String>,

    #[command(flatten)]
    pub(crate) reading: ReadingOptions,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "full")]
    pub(crate) format: FullOrJson,

    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArgument,
}

impl PartnerOptions {
    /// The files that are named, with what they are to documents.
    pub(crate) fn relations(&self) -> impl Iterator<Item = (PathBuf, Relation)> {
        let stored = self.stored.iter().map(|path| (lexical(path), Relation::Stored));
        stored.chain(self.facts.iter().map(|path| (lexical(path), Relation::Facts)))
    }

    /// The files that are named.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.stored.iter().chain(&self.facts)
    }
}

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
    /// The rule's id, as shown in brackets in a finding
    #[arg(value_name = "RULE", value_parser = shell::rule_ids(), hide_possible_values = true)]
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
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "full")]
    pub(crate) format: FullOrJson,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,
}

#[derive(Args, Debug)]
#[command(after_long_help = EDITORS)]
pub(crate) struct SchemaOptions {
    /// The kind of document
    #[arg(value_name = "KIND", value_parser = kinds(), default_value = "update")]
    pub(crate) kind: DocumentKind,
}

const EDITORS: &str = "\
With a schema an editor completes names and values, shows what they mean, and
marks what the service rejects or may reject. `voxlint check` finds more: a
schema cannot check templates or stored values. To set up an editor:

  VS Code, .vscode/settings.json (YAML needs the YAML extension):
    \"json.schemas\": [{ \"fileMatch\": [\"/agents/*.json\"],
                        \"url\": \"./schemas/update.json\" }],
    \"yaml.schemas\": { \"./schemas/update.json\": \"agents/*.yaml\" }

  Taplo, for TOML, .taplo.toml:
    [[rule]]
    include = [\"agents/*.toml\"]
    schema = { path = \"schemas/update.json\" }

Do not add `$schema` to a document: the service would receive it.

Examples:
  # the schema of an update
  voxlint schema > schemas/update.json
  # the schema of a workspace facts file
  voxlint schema facts > schemas/facts.json
  # the schema of voxlint.toml
  voxlint schema configuration > schemas/voxlint.json

Exit codes:
  0  done
  2  there is no schema of that kind";

/// The forms of what is written for people or for one other tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FullOrJson {
    /// Text for people
    Full,
    /// JSON for other programs
    Json,
}

/// When to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorArgument {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is dumb
    Auto,
    /// Wherever the output goes
    Always,
    /// Nowhere
    Never,
}

/// The kinds of documents to check.
fn document_kinds() -> impl TypedValueParser<Value = DocumentKind> {
    // A configuration is read as one, with everything that it leads to.
    let names = DocumentKind::ALL.into_iter().filter(|kind| *kind != DocumentKind::Configuration);
    PossibleValuesParser::new(names.map(DocumentKind::name))
        .try_map(|name| DocumentKind::from_name(&name).ok_or("unknown kind"))
}

/// The kinds by the names that the library gives them. One that no schema can describe is not offered, but who asks for it
/// hears why there is none.
fn kinds() -> impl TypedValueParser<Value = DocumentKind> {
    let value =
        |kind: DocumentKind| PossibleValue::new(kind.name()).hide(kind == DocumentKind::Template);
    PossibleValuesParser::new(DocumentKind::ALL.map(value))
        .try_map(|name| DocumentKind::from_name(&name).ok_or("unknown kind"))
}

/// The formats by the names that the library gives them.
fn formats() -> impl TypedValueParser<Value = OutputFormat> {
    PossibleValuesParser::new(OutputFormat::ALL.map(OutputFormat::name))
        .try_map(|name| OutputFormat::from_name(&name).ok_or("unknown format"))
}
