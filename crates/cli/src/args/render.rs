//! `voxlint render`.

use std::path::PathBuf;

use clap::{Args, ValueHint, value_parser};

use super::heading;
use super::shared::{ColorOptions, FormatOptions, OneDocumentOptions};
use super::values::path;

const NOTES: &str = "\
Examples:
  # what callers hear, with the default variables
  voxlint render agents/en.json
  # with the variables of a call
  voxlint render agents/en.json --variables call.json
  # only the greeting, from an update over the stored configuration
  voxlint render agents/en.json --stored stored.json --field welcome_message
  # each text that the greeting can become
  voxlint render agents/en.json --paths --field welcome_message

Exit codes:
  0  every template was rendered
  1  a template has an error
  2  the run failed: unreadable file, not an agent document, wrong usage";

#[derive(Args, Debug)]
#[command(after_long_help = NOTES)]
pub(crate) struct RenderOptions {
    /// File with the update or settings, or `-` for standard input
    #[arg(value_name = "DOCUMENT", value_hint = ValueHint::FilePath, value_parser = path())]
    pub(crate) document: PathBuf,

    /// File with an object of variables, in JSON, YAML or TOML
    ///
    /// They take precedence over the default variables of the document and of the stored configuration.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = heading::CONTEXT)]
    pub(crate) variables: Option<PathBuf>,

    /// Show each text that a template can become, and when
    ///
    /// A call may give each variable a value or none, so both branches of `{{#if name}}` are followed, with the default of the
    /// variable as its value or `⟨name⟩`. 0, false and an empty text count as none. Variables of `--variables` are certain, and
    /// those of the service always have a value. Values are text, objects where their fields are read, and lists with one item
    /// where `{{#each}}` reads them. Later texts of a prompt are shown as differences from the first.
    #[arg(long, help_heading = heading::OUTPUT)]
    pub(crate) paths: bool,

    /// Speaking rate for the seconds of `--paths`
    #[arg(long, value_name = "NUMBER", default_value_t = 150, requires = "paths", value_parser = value_parser!(u16).range(1..), help_heading = heading::OUTPUT)]
    pub(crate) words_per_minute: u16,

    /// Render only this field
    ///
    /// Can be given several times.
    #[arg(long = "field", value_name = "FIELD", value_parser = FIELDS, help_heading = heading::OUTPUT)]
    pub(crate) fields: Vec<String>,

    #[command(flatten)]
    pub(crate) reading: OneDocumentOptions,

    #[command(flatten)]
    pub(crate) output: FormatOptions,

    #[command(flatten)]
    pub(crate) color: ColorOptions,
}

const FIELDS: [&str; 3] = ["prompt_text", "welcome_message", "voicemail_message"];
