//! Options that several commands take.

use std::path::{Path, PathBuf};

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueHint};
use voxlint::DocumentKind;
use voxlint_config::{Level, RuleSelection};
use voxlint_project::{ReadOptions, RelatedOptions, StdinFormat, TextFileConvention};

use super::heading;
use super::values::{
    ColorArgument, TextOrJson, document_kinds, path, rule_level, rule_names, stdin_formats,
};

/// The files to check.
#[derive(Args, Debug)]
pub(crate) struct InputOptions {
    /// Files, folders, or `-` for standard input [default: the working directory]
    #[arg(value_name = "PATH", value_hint = ValueHint::AnyPath, value_parser = path())]
    paths: Vec<PathBuf>,

    /// Treat every file as this kind of document instead of detecting the kind
    #[arg(long, value_parser = document_kinds(), value_name = "KIND")]
    pub(crate) kind: Option<DocumentKind>,

    #[command(flatten)]
    pub(crate) texts: TextFileOptions,

    #[command(flatten)]
    pub(crate) syntax: SyntaxOptions,

    #[command(flatten)]
    pub(crate) stdin: StdinOptions,

    /// Skip files that the configuration excludes, even if they are named (for hooks)
    #[arg(long)]
    pub(crate) force_exclude: bool,

    /// Skip files that are not agent documents, even if they are named (for hooks)
    ///
    /// A named related file, such as a template or a stored configuration, selects the documents it belongs to.
    #[arg(long)]
    pub(crate) only_documents: bool,

    #[command(flatten)]
    pub(crate) context: ContextOptions,
}

impl InputOptions {
    /// A folder, with every option at its default.
    pub(crate) fn of_directory(directory: &Path) -> Self {
        Self {
            paths: vec![directory.to_owned()],
            kind: None,
            texts: TextFileOptions { text_files: Vec::new() },
            syntax: SyntaxOptions { jsonc: false },
            stdin: StdinOptions { stdin_filename: None, stdin_format: None },
            force_exclude: false,
            only_documents: false,
            context: ContextOptions::default(),
        }
    }

    /// The paths that were named.
    pub(crate) fn paths_mut(&mut self) -> &mut [PathBuf] {
        &mut self.paths
    }

    /// The named paths. Without any: standard input if it has a name or a format, or the working directory.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        if self.paths.is_empty() {
            let path = if self.stdin.is_given() { "-" } else { "." };
            return vec![PathBuf::from(path)];
        }
        self.paths.clone()
    }
}

/// Which documents are checked.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = heading::CONTEXT)]
pub(crate) struct ChangedOptions {
    /// Only documents that differ from a git commit: a branch, a tag or an id
    ///
    /// A document is left out if its file, text files, stored configuration, facts, baseline and `voxlint.toml` (with the files that it
    /// extends) are as they are in REF. What is on the disk is compared with REF itself, because a document that REF has and
    /// this branch lacks is different as well. For the changes of this branch alone, name the commit that `git merge-base REF
    /// HEAD` prints. New files count, whether they are added to git or not. A stored configuration or facts that git ignores
    /// never count as changed.
    #[arg(long, value_name = "REF", value_hint = ValueHint::Other)]
    pub(crate) changed_since: Option<String>,
}

/// Texts in files beside their document.
#[derive(Args, Debug)]
pub(crate) struct TextFileOptions {
    /// Read the text of FIELD from a file beside the document
    ///
    /// `{stem}` in PATTERN is the document's file name without its extension, as in
    /// `prompt_text={stem}.prompt.hbs`. Can be repeated.
    #[arg(long, value_name = "FIELD=PATTERN", value_hint = ValueHint::Other, value_parser = str::parse::<TextFileConvention>)]
    pub(crate) text_files: Vec<TextFileConvention>,
}

/// How documents are parsed.
#[derive(Args, Debug)]
pub(crate) struct SyntaxOptions {
    /// Allow comments and trailing commas in `.json` files and on standard input
    #[arg(long)]
    pub(crate) jsonc: bool,
}

/// How standard input is read.
#[derive(Args, Debug)]
pub(crate) struct StdinOptions {
    /// File name of standard input, for reports, the configuration and the format
    #[arg(long, value_name = "PATH", value_hint = ValueHint::FilePath, value_parser = path())]
    pub(crate) stdin_filename: Option<PathBuf>,

    /// Format of standard input, such as `ndjson` for one JSON document per line [default: by its file name, or JSON]
    #[arg(long, value_name = "FORMAT", value_parser = stdin_formats())]
    pub(crate) stdin_format: Option<StdinFormat>,
}

impl StdinOptions {
    /// Whether one of them is given, so that standard input is meant.
    pub(crate) const fn is_given(&self) -> bool {
        self.stdin_filename.is_some() || self.stdin_format.is_some()
    }

    /// The options for reading a file or standard input.
    pub(crate) fn read_options(&self, syntax: &SyntaxOptions) -> ReadOptions {
        let Self { stdin_filename, stdin_format } = self;
        ReadOptions {
            stdin_filename: stdin_filename.clone(),
            stdin_format: *stdin_format,
            jsonc: syntax.jsonc,
        }
    }
}

/// What is known beside the document.
#[derive(Args, Debug, Default)]
#[command(next_help_heading = heading::CONTEXT)]
pub(crate) struct ContextOptions {
    /// Stored configuration: the agent or version as the service returns it
    ///
    /// The file contains an agent, the settings of a version, or both:
    /// `{"agent": …, "version": …, "complete": true}`.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = path())]
    pub(crate) stored: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) workspace: WorkspaceOptions,
}

impl ContextOptions {
    /// The named files.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.stored.iter().chain(&self.workspace.facts)
    }
}

/// Whether the state of the workspace counts: a commit is checked by its contents alone.
#[derive(Args, Clone, Copy, Debug, Default)]
#[command(next_help_heading = heading::CONTEXT)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct GateOptions {
    /// Leave out the stored configurations that `voxlint.toml` names (for hooks)
    #[arg(long, overrides_with = "with_stored")]
    without_stored: bool,

    /// Use them despite an earlier `--without-stored`
    #[arg(long, overrides_with = "without_stored")]
    with_stored: bool,

    /// Leave out the workspace facts that `voxlint.toml` names (for hooks)
    #[arg(long, overrides_with = "with_facts")]
    without_facts: bool,

    /// Use them despite an earlier `--without-facts`
    #[arg(long, overrides_with = "without_facts")]
    with_facts: bool,
}

impl GateOptions {
    /// Leaves the files out. Those that the command line names still count.
    pub(crate) const fn apply(self, related: &mut RelatedOptions) {
        related.without_stored = self.without_stored && !self.with_stored;
        related.without_facts = self.without_facts && !self.with_facts;
    }
}

/// The workspace and the agent.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = heading::CONTEXT)]
pub(crate) struct WorkspaceOptions {
    /// Workspace facts: voices, phone numbers and so on (see `voxlint facts`)
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = path())]
    pub(crate) facts: Option<PathBuf>,

    /// Id of the agent that the document updates [default: that of the stored configuration]
    #[arg(long, value_name = "ID", value_hint = ValueHint::Other, value_parser = NonEmptyStringValueParser::new())]
    pub(crate) agent_id: Option<String>,
}

/// Which configuration applies.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = heading::CONFIGURATION)]
pub(crate) struct ConfigurationOptions {
    /// Use this configuration for every file instead of the nearest `voxlint.toml`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) config: Option<PathBuf>,

    /// Ignore every `voxlint.toml`
    #[arg(long, conflicts_with = "config")]
    pub(crate) isolated: bool,
}

/// Which rules run, and their severities.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = heading::CONFIGURATION)]
pub(crate) struct RuleOptions {
    /// Run only these rules or groups, comma-separated (`syntax-error` always runs)
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_names(), hide_possible_values = true)]
    pub(crate) select: Vec<String>,

    /// Skip these rules or groups, comma-separated
    #[arg(long, value_name = "RULE", value_delimiter = ',', value_parser = rule_names(), hide_possible_values = true)]
    pub(crate) ignore: Vec<String>,

    /// Set the severity of a rule or group: `off`, `info`, `warning` or `error`
    #[arg(long, value_name = "RULE=LEVEL", value_delimiter = ',', value_hint = ValueHint::Other, value_parser = rule_level)]
    pub(crate) level: Vec<(String, Level)>,
}

impl RuleOptions {
    /// The rule selection for the configurations.
    pub(crate) fn selection(&self) -> RuleSelection {
        let Self { select, ignore, level } = self;
        RuleSelection::default()
            .select(select)
            .ignore(ignore)
            .levels(level.iter().cloned())
            .arguments("--select", "--ignore", "--level")
    }
}

/// The file of the baseline.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = heading::CONFIGURATION)]
pub(crate) struct BaselineFileOptions {
    /// Baseline file [default: `voxlint-baseline.json` beside the configuration]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) baseline: Option<PathBuf>,
}

/// What is printed beside the result.
#[derive(Args, Debug)]
#[command(next_help_heading = heading::OUTPUT)]
pub(crate) struct QuietOptions {
    /// Print no summary, notices or progress
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

/// The format of commands that write for people or for programs.
#[derive(Args, Debug)]
#[command(next_help_heading = heading::OUTPUT)]
pub(crate) struct FormatOptions {
    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "full")]
    pub(crate) format: TextOrJson,
}

/// Colors.
#[derive(Args, Debug)]
#[command(next_help_heading = heading::OUTPUT)]
pub(crate) struct ColorOptions {
    /// When to use colors
    #[arg(long = "color", value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) when: ColorArgument,
}

/// How one document is read, and what it is checked with.
#[derive(Args, Debug)]
pub(crate) struct OneDocumentOptions {
    #[command(flatten)]
    pub(crate) texts: TextFileOptions,

    #[command(flatten)]
    pub(crate) syntax: SyntaxOptions,

    #[command(flatten)]
    pub(crate) stdin: StdinOptions,

    #[command(flatten)]
    pub(crate) context: ContextOptions,

    #[command(flatten)]
    pub(crate) configuration: ConfigurationOptions,
}
