//! What may be written on the command line. No logic lives here.

mod init;
mod notes;
mod shell;

use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum, ValueHint};
use voxlint::{DocumentKind, Severity};
use voxlint_config::{Choices, Level};
use voxlint_report::Format;

pub(crate) use self::init::InitOptions;
pub(crate) use self::notes::notes;
pub(crate) use self::shell::{
    CompletionsOptions, FactsOptions, ManOptions, SkeletonFormat, parse, program,
};
use crate::accounting::Relation;
use crate::paths::lexical;
use crate::texts::Convention;

/// Tells what a voice-agent service will answer to an agent configuration before it is published.
///
/// voxlint reads what is sent to the service: the settings of an agent in JSON, YAML or TOML, and the Handlebars templates
/// of its prompts. It finds what the service would refuse, and what it would take and callers would suffer from. It works
/// on this machine alone: nothing is sent anywhere, and no document is changed.
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
  # judge a change with what the service holds and what the workspace has
  voxlint check agents/en.json --stored held.json --facts workspace.json
  # the status and the body that the service would answer
  voxlint predict agents/en.json --stored held.json --facts workspace.json
  # the least update that brings the service up to date
  voxlint diff held.json agents/en.json > update.json
  # what a rule looks for, with examples
  voxlint explain unknown-field

Exit status:
  0  nothing to fail for
  1  something to fail for, such as an error in a document
  2  the run itself failed";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Check agent documents
    ///
    /// A file that is named is always checked (unless `--only-documents` is given). In a directory, voxlint checks the files
    /// with the extension of a document (.json, .jsonc, .ndjson, .jsonl, .yaml, .yml, .toml, .hbs, .handlebars). It skips
    /// hidden files, other files, and in a git repository what its .gitignore files name, from the root of the repository on.
    /// `--show-files` lists what was checked and what was skipped. A run in which nothing was checked fails.
    ///
    /// A rule that depends on something that no file says is undecided: it is counted in the summary, and nothing is guessed.
    /// `--stored` and `--facts` provide what is not in the document.
    Check(CheckOptions),
    /// List the findings to live with for now, so that only new ones are reported
    Baseline(BaselineCommand),
    /// Show what voxlint.toml comes to
    Config(ConfigCommand),
    /// Predict what the service will answer to an update
    ///
    /// What is not known leaves more than one answer possible; each says what it hangs on. 401, 429 and 500 hang on nothing
    /// that a document says, and are never predicted.
    Predict(PredictOptions),
    /// Print the update that turns what is stored into what is wanted
    ///
    /// The update is checked before it is printed, and not printed where the service would refuse it.
    Diff(DiffOptions),
    /// Write a voxlint.toml for the repository, with what was found in it
    ///
    /// voxlint looks at the documents as `voxlint check` does, and at what lies beside them: facts, stored states, and texts
    /// that are kept apart. What their names tell for sure is stated in the file, and no finding is hidden by it. What could
    /// be meant is commented out there with the reason, and so is an example of everything else that can be said.
    Init(InitOptions),
    /// Print the page of a rule
    Explain(ExplainOptions),
    /// List all rules
    Rules(RulesOptions),
    /// Print the JSON Schema of a kind of document, for editors
    Schema(SchemaOptions),
    /// Check a file of workspace facts, or print a skeleton of one
    ///
    /// Facts are what you know of your workspace: its voices, transcribers, phone numbers, campaigns and so on. With them
    /// (`--facts FILE`) the other commands tell whether an id exists and whether a number is in use.
    Facts(FactsOptions),
    /// Print a script that completes voxlint's command lines in a shell
    Completions(CompletionsOptions),
    /// Print the manual page
    Man(ManOptions),
}

const CHECK: &str = "\
Examples:
  # every agent document below the current directory
  voxlint check
  # one folder, and warnings fail the run, too
  voxlint check agents/ --strict
  # judge a change with what the service holds and what the workspace has
  voxlint check agents/en.json --stored held.json --facts workspace.json
  # from standard input, under the name of its file
  voxlint check - --stdin-filename agents/en.yaml < agents/en.yaml

Exit status:
  0  nothing to fail for
  1  an error, or what --strict and --require-decided add to that
  2  the run itself failed: a file could not be read, nothing was checked, or
     an argument is wrong

Environment:
  NO_COLOR           set to anything, colours nothing
  CLICOLOR_FORCE     set to anything but 0, colours redirected output, too
  TERM               dumb means that there are neither colours nor progress
  CI                 set to anything, shows no progress
  GITHUB_ACTIONS     true adds annotations where output is not redirected
  RAYON_NUM_THREADS  how many threads check documents; without it, one a core
  VOXLINT_DOCS       an address: names of rules become links to the pages there";

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

    /// Hide nothing: not what voxlint.toml, comments or a baseline ask to leave alone
    #[arg(long)]
    pub(crate) no_suppressions: bool,

    /// How findings are written to standard output
    #[arg(long, value_parser = formats(), value_name = "FORMAT", default_value = "full")]
    pub(crate) format: Format,

    /// Write the findings to a file, too, in a format of its own; may be given several times
    #[arg(long, value_name = "FORMAT=FILE", value_hint = ValueHint::Other, value_parser = OutputFile::parse)]
    pub(crate) output: Vec<OutputFile>,

    /// Show no findings that are less severe; the summary counts them all
    #[arg(long, value_enum, value_name = "SEVERITY", default_value = "info")]
    pub(crate) min_severity: SeverityArgument,

    /// What fails the run: findings as severe as this
    #[arg(long, value_enum, value_name = "SEVERITY", default_value = "error")]
    pub(crate) fail_on: SeverityArgument,

    /// Let warnings fail the run, too: the same as --fail-on warning
    #[arg(long, conflicts_with = "fail_on")]
    pub(crate) strict: bool,

    /// Let rules that could not be decided fail the run, too
    #[arg(long)]
    pub(crate) require_decided: bool,

    /// List what could not be decided, and what would decide it
    #[arg(long)]
    pub(crate) show_undecided: bool,

    /// List the files that were checked, skipped or could not be checked, with the reasons, on standard error
    #[arg(long)]
    pub(crate) show_files: bool,

    /// Accept a run in which nothing was checked, which otherwise fails
    #[arg(long)]
    pub(crate) allow_empty: bool,

    /// Exit with 0 whatever was found (a failed run still exits with 2)
    #[arg(long)]
    pub(crate) exit_zero: bool,

    /// Print no summary line, no notices and no progress
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

    /// Take every file for a document of this kind instead of recognising it
    #[arg(long, value_parser = document_kinds(), value_name = "KIND")]
    pub(crate) kind: Option<DocumentKind>,

    /// The text of FIELD is kept in a file of its own beside each document: `{stem}` is the name of the document's
    /// file, as in `prompt_text={stem}.prompt.hbs`
    #[arg(long, value_name = "FIELD=PATTERN", value_hint = ValueHint::Other, value_parser = Convention::parse)]
    pub(crate) text_files: Vec<Convention>,

    #[command(flatten)]
    pub(crate) partners: PartnerOptions,

    #[command(flatten)]
    pub(crate) reading: ReadingOptions,

    /// The name that standard input goes by: in what is reported, and by its extension in how it is read
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub(crate) stdin_filename: Option<PathBuf>,

    /// Skip files that the configuration excludes, even when named, as hooks do that name every changed file
    #[arg(long)]
    pub(crate) force_exclude: bool,

    /// Skip files that are not agent documents, even when named, as hooks do that name every changed file; a file that
    /// documents are checked against stands for these documents
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
    /// Use this configuration for every file, instead of the nearest voxlint.toml above it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,

    /// Use no configuration
    #[arg(long, conflicts_with = "config")]
    pub(crate) isolated: bool,
}

/// Which rules speak, and how loudly.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct RuleOptions {
    /// Only these rules, or groups of rules, with commas between them, and `syntax-error`
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = shell::rule_ids(), hide_possible_values = true)]
    pub(crate) select: Vec<String>,

    /// Not these rules, or groups of rules, with commas between them
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = shell::rule_ids(), hide_possible_values = true)]
    pub(crate) ignore: Vec<String>,

    /// Say the findings of a rule, or of a group, this loudly: off, info, warning or error
    #[arg(long, value_name = "RULE=LEVEL", value_delimiter = ',', value_hint = ValueHint::Other, value_parser = rule_level)]
    pub(crate) level: Vec<(String, Level)>,
}

impl RuleOptions {
    /// The same for configurations.
    pub(crate) fn choices(&self) -> Choices {
        let Self { select, ignore, level } = self;
        Choices { select: select.clone(), ignore: ignore.clone(), levels: level.clone() }
    }
}

/// Which findings are known and lived with.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct BaselineOptions {
    /// The baseline: the file with the findings to live with, instead of voxlint-baseline.json beside the configuration
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) baseline: Option<PathBuf>,

    /// Use no baseline
    #[arg(long, conflicts_with = "baseline")]
    pub(crate) no_baseline: bool,
}

const BASELINE: &str = "\
Examples:
  # live with what is found today
  voxlint baseline write
  # are there entries whose finding is gone?
  voxlint baseline check
  # take those out; nothing is ever added
  voxlint baseline prune

Exit status:
  0  done
  1  `check` has found entries whose finding is gone
  2  the run itself failed, and the baseline is left as it is";

#[derive(Args, Debug)]
#[command(after_long_help = BASELINE)]
pub(crate) struct BaselineCommand {
    #[command(subcommand)]
    pub(crate) action: BaselineAction,
}

#[derive(Debug, Subcommand)]
pub(crate) enum BaselineAction {
    /// Write the findings of today into the baseline
    ///
    /// What the baseline says of files that are not looked at stays.
    Write(ListingOptions),
    /// Name the entries whose finding is gone
    Check(ListingOptions),
    /// Take out the entries whose finding is gone; nothing is ever added
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

    /// The baseline, instead of voxlint-baseline.json beside the configuration
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) baseline: Option<PathBuf>,

    /// Say nothing of what was done
    #[arg(long, short)]
    pub(crate) quiet: bool,

    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArgument,
}

const CONFIG: &str = "\
Examples:
  # every setting, and where it was made
  voxlint config show
  # what holds for one file
  voxlint config show agents/en.json

Exit status:
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
    /// Print each setting, and the file and line where it was made
    Show(ShowOptions),
}

#[derive(Args, Debug)]
pub(crate) struct ShowOptions {
    /// The file or folder that the settings are for; without it, this folder
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    #[command(flatten)]
    pub(crate) rules: RuleOptions,

    /// How the settings are written
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "full")]
    pub(crate) format: FullOrJson,

    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArgument,
}

/// A file to write findings to.
#[derive(Clone, Debug)]
pub(crate) struct OutputFile {
    pub(crate) format: Format,
    pub(crate) path: PathBuf,
}

impl OutputFile {
    /// Reads `sarif=voxlint.sarif`.
    fn parse(text: &str) -> Result<Self, String> {
        let (name, path) = text
            .split_once('=')
            .filter(|(name, path)| !name.is_empty() && !path.is_empty())
            .ok_or("write FORMAT=FILE, such as sarif=voxlint.sarif")?;
        let format = Format::from_name(name).ok_or_else(|| {
            let names: Vec<&str> = Format::ALL.iter().map(|format| format.name()).collect();
            format!("there is no format `{name}`: there are {}", names.join(", "))
        })?;
        if path == "-" {
            return Err("standard output is --format's, so name a file".to_owned());
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
    /// Worth knowing, and everything above
    Info,
    /// Worth a look, and everything above
    Warning,
    /// What the service refuses, as a rule
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
    /// Let .json files and standard input have comments and trailing commas, as .jsonc files may
    #[arg(long)]
    pub(crate) jsonc: bool,
}

/// What is known beside a document.
#[derive(Args, Debug)]
pub(crate) struct PartnerOptions {
    /// What the service holds now: an agent, the settings of a version, or {"agent": …, "version": …, "complete": true}
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) stored: Option<PathBuf>,

    /// What is known of the workspace: its voices, phone numbers and so on; `voxlint facts --template` begins one
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) facts: Option<PathBuf>,

    /// The agent that the document is for; without it, the stored agent
    #[arg(long, value_name = "ID", value_hint = ValueHint::Other, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) agent_id: Option<String>,
}

const PREDICT: &str = "\
Examples:
  # the answers that are possible, by what the document says alone
  voxlint predict agents/en.json
  # the answer, with what the service holds and what the workspace has
  voxlint predict agents/en.json --stored held.json --facts workspace.json

Exit status:
  0  the service would surely answer 200
  1  it would, or might, refuse
  2  no prediction could be made";

#[derive(Args, Debug)]
#[command(after_long_help = PREDICT)]
pub(crate) struct PredictOptions {
    /// The file with the update, or - for standard input
    #[arg(value_name = "UPDATE", value_hint = ValueHint::FilePath)]
    pub(crate) update: PathBuf,

    /// The text of FIELD is kept in a file of its own beside the update: `{stem}` is the name of the update's file, as
    /// in `prompt_text={stem}.prompt.hbs`
    #[arg(long, value_name = "FIELD=PATTERN", value_hint = ValueHint::Other, value_parser = Convention::parse)]
    pub(crate) text_files: Vec<Convention>,

    #[command(flatten)]
    pub(crate) partners: PartnerOptions,

    #[command(flatten)]
    pub(crate) reading: ReadingOptions,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    /// How the prediction is written
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "full")]
    pub(crate) format: FullOrJson,

    /// The name that standard input goes by: in what is reported, and by its extension in how it is read
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath)]
    pub(crate) stdin_filename: Option<PathBuf>,

    /// When to use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: ColorArgument,
}

const DIFF: &str = "\
Examples:
  # the least update that brings the service up to date
  voxlint diff held.json agents/en.json > update.json
  # what it would change, a line a change
  voxlint diff held.json agents/en.json --explain

Exit status:
  0  done
  1  the service would refuse the update, or something cannot be unset
  2  the run itself failed";

#[derive(Args, Debug)]
#[command(after_long_help = DIFF)]
pub(crate) struct DiffOptions {
    /// What the service holds: settings, an agent, or {"agent": …, "version": …, "complete": true}; - is standard input
    #[arg(value_name = "OLD", value_hint = ValueHint::FilePath)]
    pub(crate) old: PathBuf,

    /// The settings that are wanted; - is standard input
    #[arg(value_name = "NEW", value_hint = ValueHint::FilePath)]
    pub(crate) new: PathBuf,

    /// Let what NEW omits stay as it is, instead of unsetting it
    #[arg(long)]
    pub(crate) partial: bool,

    /// Say what the update changes, one line a change, instead of printing the update
    #[arg(long)]
    pub(crate) explain: bool,

    /// What is known of the workspace: its voices, phone numbers and so on; `voxlint facts --template` begins one
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) facts: Option<PathBuf>,

    /// The agent that the update is for; without it, the stored agent
    #[arg(long, value_name = "ID", value_hint = ValueHint::Other, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) agent_id: Option<String>,

    #[command(flatten)]
    pub(crate) reading: ReadingOptions,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,

    /// How the difference is written
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
  # what `error[unknown-field]` in a report is about
  voxlint explain unknown-field

Exit status:
  0  done
  2  there is no such rule";

#[derive(Args, Debug)]
#[command(after_long_help = EXPLAIN)]
pub(crate) struct ExplainOptions {
    /// The rule's id, as it stands in brackets in a finding
    #[arg(value_name = "RULE", value_parser = shell::rule_ids(), hide_possible_values = true)]
    pub(crate) rule: String,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,
}

const RULES: &str = "\
Examples:
  # the rules about templates
  voxlint rules | grep template
  # the same list for a program: families, sections, statuses, fields
  voxlint rules --format json

Exit status:
  0  done
  2  the list could not be written";

#[derive(Args, Debug)]
#[command(after_long_help = RULES)]
pub(crate) struct RulesOptions {
    /// How the list is written
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
marks what the service refuses or may refuse. `voxlint check` finds more: no
schema can read a template, or know what is stored. Tell the editor where it is:

  VS Code, .vscode/settings.json (YAML with the extension of Red Hat):
    \"json.schemas\": [{ \"fileMatch\": [\"/agents/*.json\"],
                        \"url\": \"./schemas/update.json\" }],
    \"yaml.schemas\": { \"./schemas/update.json\": \"agents/*.yaml\" }

  Taplo, for TOML, .taplo.toml:
    [[rule]]
    include = [\"agents/*.toml\"]
    schema = { path = \"schemas/update.json\" }

Put no `$schema` member into a document: the service would receive it.

Examples:
  # what an update may hold
  voxlint schema > schemas/update.json
  # what a file of workspace facts may hold
  voxlint schema facts > schemas/facts.json
  # what voxlint.toml may hold
  voxlint schema configuration > schemas/voxlint.json

Exit status:
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
fn formats() -> impl TypedValueParser<Value = Format> {
    PossibleValuesParser::new(Format::ALL.map(Format::name))
        .try_map(|name| Format::from_name(&name).ok_or("unknown format"))
}
