//! Values of options, and how they are parsed.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{
    PathBufValueParser, PossibleValue, PossibleValuesParser, StringValueParser, TypedValueParser,
};
use clap::{Arg, Command, Error, ValueEnum};
use voxlint::{DocumentKind, Severity, readings, rules};
use voxlint_config::Level;
use voxlint_project::StdinFormat;
use voxlint_report::{OutputFormat, PlanFormat};

/// The formats of commands that write for people or for programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum TextOrJson {
    /// Text
    Full,
    /// JSON
    Json,
}

/// When to use colors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ColorArgument {
    /// On a terminal, unless `NO_COLOR` is set or `TERM` is `dumb`
    Auto,
    /// In all output
    Always,
    /// Never
    Never,
}

/// How severe a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SeverityArgument {
    /// Infos, warnings and errors
    Info,
    /// Warnings and errors
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

/// What fails a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    /// Infos, warnings and errors
    Info,
    /// Warnings and errors
    Warning,
    /// Errors only
    Error,
    /// Errors, and settings that check less than those of `--settings-from`
    Loosened,
}

impl From<FailOn> for Severity {
    fn from(argument: FailOn) -> Self {
        match argument {
            FailOn::Info => Self::Info,
            FailOn::Warning => Self::Warning,
            FailOn::Error | FailOn::Loosened => Self::Error,
        }
    }
}

/// A report that is written to a file: `sarif=voxlint.sarif`.
#[derive(Clone, Debug)]
pub(crate) struct OutputFile {
    pub(crate) format: OutputFormat,
    pub(crate) path: PathBuf,
}

impl OutputFile {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let example = "sarif=voxlint.sarif";
        let (format, path) = parse_output(text, example, OutputFormat::ALL, OutputFormat::name)?;
        Ok(Self { format, path })
    }
}

/// A plan that is written to a file: `markdown=plan.md`.
#[derive(Clone, Debug)]
pub(crate) struct PlanOutputFile {
    pub(crate) format: PlanFormat,
    pub(crate) path: PathBuf,
}

impl PlanOutputFile {
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let (format, path) =
            parse_output(text, "markdown=plan.md", PlanFormat::ALL, PlanFormat::name)?;
        Ok(Self { format, path })
    }
}

/// Parses `FORMAT=FILE`.
fn parse_output<T: Copy, const N: usize>(
    text: &str,
    example: &str,
    formats: [T; N],
    name_of: fn(T) -> &'static str,
) -> Result<(T, PathBuf), String> {
    let (name, path) = text
        .split_once('=')
        .filter(|(name, path)| !name.is_empty() && !path.is_empty())
        .ok_or_else(|| format!("write FORMAT=FILE, such as {example}"))?;
    let format = formats.into_iter().find(|format| name_of(*format) == name).ok_or_else(|| {
        let names: Vec<&str> = formats.into_iter().map(name_of).collect();
        format!("`{name}` is not a format; allowed: {}", names.join(", "))
    })?;
    if path == "-" {
        return Err("--format writes to standard output: name a file".to_owned());
    }
    Ok((format, PathBuf::from(path)))
}

/// A path, relative to the working directory if it is below: reports then name files in the same way, however voxlint is
/// called.
pub(super) fn path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().map(|path| {
        let below = env::current_dir().ok().filter(|_| path.is_absolute());
        match below.and_then(|directory| path.strip_prefix(directory).ok().map(Path::to_owned)) {
            Some(below) if below.as_os_str().is_empty() => PathBuf::from("."),
            // `-` is standard input, and a name after it could be an option in a message.
            Some(below) if below.as_os_str() == "-" => Path::new(".").join(below),
            Some(below) => below,
            None => path,
        }
    })
}

/// Parses `unknown-field=warning`.
pub(super) fn rule_level(text: &str) -> Result<(String, Level), String> {
    let (rule, level) =
        text.split_once('=').ok_or("write RULE=LEVEL, such as unknown-field=error")?;
    let level = level.parse::<Level>().map_err(|error| error.to_string())?;
    Ok((rule.to_owned(), level))
}

/// The kinds of documents that can be checked. A configuration is checked whenever it is read.
pub(super) fn document_kinds() -> impl TypedValueParser<Value = DocumentKind> {
    let names = DocumentKind::ALL.into_iter().filter(|kind| *kind != DocumentKind::Configuration);
    PossibleValuesParser::new(names.map(DocumentKind::name))
        .try_map(|name| name.parse::<DocumentKind>())
}

/// What has a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SchemaKind {
    /// A kind of document.
    Document(DocumentKind),
    /// What was adopted, in JSON.
    Adopt,
    /// A plan in JSON.
    Plan,
    /// A record for `learn`.
    Record,
    /// The JSON of the other commands.
    Report,
}

/// The kinds with a schema. Templates are accepted but not listed: the command then explains that they have none.
pub(super) fn schema_kinds() -> impl TypedValueParser<Value = SchemaKind> {
    let value =
        |kind: DocumentKind| PossibleValue::new(kind.name()).hide(kind == DocumentKind::Template);
    let documents = DocumentKind::ALL.map(value);
    let outputs = ["adopt", "plan", "record", "report"].map(PossibleValue::new);
    PossibleValuesParser::new(documents.into_iter().chain(outputs)).try_map(|name| {
        match name.as_str() {
            "adopt" => Ok(SchemaKind::Adopt),
            "plan" => Ok(SchemaKind::Plan),
            "record" => Ok(SchemaKind::Record),
            "report" => Ok(SchemaKind::Report),
            name => name.parse::<DocumentKind>().map(SchemaKind::Document),
        }
    })
}

/// The formats of standard input.
pub(super) fn stdin_formats() -> impl TypedValueParser<Value = StdinFormat> {
    PossibleValuesParser::new(StdinFormat::all().map(StdinFormat::name))
        .try_map(|name| StdinFormat::of_name(&name).ok_or("not a format"))
}

/// The formats of findings.
pub(super) fn formats() -> impl TypedValueParser<Value = OutputFormat> {
    PossibleValuesParser::new(OutputFormat::ALL.map(OutputFormat::name))
        .try_map(|name| name.parse::<OutputFormat>())
}

/// The formats of plans.
pub(super) fn plan_formats() -> impl TypedValueParser<Value = PlanFormat> {
    PossibleValuesParser::new(PlanFormat::ALL.map(PlanFormat::name))
        .try_map(|name| name.parse::<PlanFormat>())
}

/// Accepts any text, so that a misspelled rule gets a suggestion later, and offers the rules to shell completions.
pub(super) const fn rule_ids() -> OfferedNames {
    OfferedNames(|| rules::all().map(|it| named(&it.id, it.summary())).collect())
}

/// The same, and groups of rules.
pub(super) const fn rule_names() -> OfferedNames {
    OfferedNames(|| {
        let ids = rules::all().map(|it| named(&it.id, it.summary()));
        ids.chain(rules::group_names().map(PossibleValue::new)).collect()
    })
}

/// The same for readings.
pub(super) const fn reading_names() -> OfferedNames {
    OfferedNames(|| readings::ALL.iter().map(|it| named(it.name, it.question)).collect())
}

fn named(name: &str, about: &str) -> PossibleValue {
    PossibleValue::new(name.to_owned()).help(about.to_owned())
}

/// See [`rule_ids`].
#[derive(Clone, Copy, Debug)]
pub(super) struct OfferedNames(fn() -> Vec<PossibleValue>);

impl TypedValueParser for OfferedNames {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        Some(Box::new(self.0().into_iter()))
    }
}
