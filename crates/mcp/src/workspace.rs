//! The folders that may be read, and the documents that arguments name in them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use voxlint_bindings::related_file;
use voxlint_project::paths::{absolute, forward_slashes, relative_or_absolute, working_directory};
use voxlint_project::{Configurations, Confinement, Failure, FileSystem, LintOptions, Session};
use voxlint_report::{
    CheckedDocument, OutputFormat, RenderOptions, RunInfo, RunOutcome, render, write_findings,
};

use crate::answer::WrongUse;
use crate::arguments::{Argument, ArgumentKind, Arguments};

pub(crate) static TEXT: Argument = Argument::optional(
    "text",
    ArgumentKind::Text,
    "The document itself, as the text of its file. Use it for what is not saved yet. With `path`, it is checked as if it were saved there.",
);

pub(crate) static FORMAT: Argument = Argument::optional(
    "format",
    ArgumentKind::Choice(&["json", "jsonc", "yaml", "toml", "ndjson", "hbs"]),
    "The format of `text`. Default: that of the extension of `path`, or else json. hbs is a Handlebars template alone; ndjson has one document per line.",
);

pub(crate) static PATH: Argument = Argument::optional(
    "path",
    ArgumentKind::Name,
    "The file of the document, absolute or relative to the first folder of the server. With `text`, the name that the document would have, so that its configuration, stored configuration and text files are found.",
);

pub(crate) static STORED_TEXT: Argument = Argument::optional(
    "stored_text",
    ArgumentKind::Text,
    "The stored configuration in JSON: the agent or the settings of its version as the service returns them, or both as {\"agent\": …, \"version\": …, \"complete\": true}. An update keeps the stored value of every field that it omits. Default: what voxlint.toml names.",
);

pub(crate) static STORED_PATH: Argument = Argument::optional(
    "stored_path",
    ArgumentKind::Name,
    "The file of the stored configuration, instead of `stored_text`.",
);

pub(crate) static FACTS_TEXT: Argument = Argument::optional(
    "facts_text",
    ArgumentKind::Text,
    "Facts about the workspace in JSON, such as its voices and phone numbers, so that ids can be looked up. `describe_field` with `kind` facts lists the fields. Default: what voxlint.toml names.",
);

pub(crate) static FACTS_PATH: Argument = Argument::optional(
    "facts_path",
    ArgumentKind::Name,
    "The file of the facts, instead of `facts_text`.",
);

pub(crate) static AGENT_ID: Argument = Argument::optional(
    "agent_id",
    ArgumentKind::Name,
    "The id of the agent that the document is for.",
);

/// The formats, each with the extension of its files and other extensions that mean the same.
const FORMATS: [(&str, &[&str]); 6] = [
    ("json", &["json"]),
    ("jsonc", &["jsonc"]),
    ("yaml", &["yaml", "yml"]),
    ("toml", &["toml"]),
    ("ndjson", &["ndjson", "jsonl"]),
    ("hbs", &["hbs", "handlebars"]),
];

/// The folders that may be read.
#[derive(Debug)]
pub(crate) struct Workspace {
    confinement: Arc<Confinement>,
    first: PathBuf,
}

/// A document that arguments name, and the session that reads it.
pub(crate) struct NamedDocument {
    pub(crate) session: Session,
    pub(crate) path: PathBuf,
}

impl Workspace {
    pub(crate) fn new(folders: &[PathBuf]) -> Result<Self, Failure> {
        let confinement = Arc::new(Confinement::new(folders)?);
        let first = confinement.folders().next().map(Path::to_owned);
        let first = first.ok_or_else(|| Failure::new("mcp", "no folder may be read"))?;
        Ok(Self { confinement, first })
    }

    /// The folders, as users see them.
    pub(crate) fn folders(&self) -> Vec<PathBuf> {
        self.confinement.folders().map(shown).collect()
    }

    /// What the server is for.
    pub(crate) fn instructions(&self) -> String {
        let mut text = String::from(
            "voxlint checks the configuration of voice agents: it predicts what the service rejects, and finds mistakes that callers would hear. Use `check` on every agent document that you write or change, before you show or save it, and repeat until it has no errors. `predict` says how the service would answer, `diff` and `plan` what an update would change, `explain` what a rule means, and `describe_field` which fields and values exist: never invent one. Nothing is written and nothing is sent. Files are read only below these folders (relative paths begin in the first):",
        );
        for folder in self.confinement.folders() {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n- {}", forward_slashes(folder));
        }
        text
    }

    /// A session for one call.
    pub(crate) fn session(&self, options: LintOptions) -> Session {
        Session::confined(options, Arc::clone(&self.confinement))
    }

    /// The configurations of the folders.
    pub(crate) fn configurations(&self) -> Configurations {
        let files = Arc::new(FileSystem::confined(Arc::clone(&self.confinement)));
        let options = LintOptions::default();
        let mut configurations =
            Configurations::new(files, options.configuration, options.selection);
        for folder in self.confinement.folders() {
            configurations.look_up(&absolute(folder));
        }
        configurations
    }

    /// A path in the folders.
    pub(crate) fn path(&self, argument: &str, text: &str) -> Result<PathBuf, WrongUse> {
        let path = Path::new(text);
        if self.confinement.contains(path) {
            // Without `..`, as it was looked at.
            return Ok(shown(path));
        }
        let folders: Vec<String> = self
            .confinement
            .folders()
            .map(|folder| format!("`{}`", forward_slashes(folder)))
            .collect();
        Err(format!(
            "`{argument}`: {text} is outside of the folders that may be read: {}",
            folders.join(", ")
        ))
    }

    /// Whether a path leads to a folder.
    pub(crate) fn is_folder(&self, path: &Path) -> bool {
        self.confinement.is_dir(path)
    }

    /// The document, stored configuration and facts that the arguments name.
    pub(crate) fn document(&self, arguments: &Arguments<'_>) -> Result<NamedDocument, WrongUse> {
        let mut options = LintOptions::default();
        let mut overlays: Vec<(PathBuf, &str)> = Vec::new();
        let text = arguments.text(TEXT.name);
        let path = arguments.text(PATH.name).map(|path| self.path(PATH.name, path)).transpose()?;
        let format = arguments.text(FORMAT.name);
        let path = match (text, path) {
            (None, None) => {
                return Err(
                    "give the document as `text`, or the file that it is in as `path`".to_owned()
                );
            }
            (None, Some(path)) => path,
            (Some(text), Some(path)) => {
                if self.is_folder(&path) {
                    return Err("`path` is a folder: with `text`, name the file that the document would be saved as".to_owned());
                }
                overlays.push((path.clone(), text));
                path
            }
            (Some(text), None) => {
                let path = self.unsaved("text", format.unwrap_or("json"));
                overlays.push((path.clone(), text));
                path
            }
        };
        if let Some(format) = format {
            options.read.jsonc = format == "jsonc";
            check_format(format, &path)?;
        }
        let mut related = |text: &Argument, path: &Argument, name: &str| {
            let file = match (arguments.text(text.name), arguments.text(path.name)) {
                (Some(_), Some(_)) => {
                    return Err(format!("give either `{}` or `{}`", text.name, path.name));
                }
                (Some(text), None) => {
                    let file = self.unsaved(name, "json");
                    overlays.push((file.clone(), text));
                    Some(file)
                }
                (None, Some(file)) => Some(self.path(path.name, file)?),
                (None, None) => None,
            };
            Ok(file)
        };
        options.related.stored = related(&STORED_TEXT, &STORED_PATH, "stored")?;
        options.related.facts = related(&FACTS_TEXT, &FACTS_PATH, "facts")?;
        options.related.agent_id = arguments.text(AGENT_ID.name).map(str::to_owned);
        let session = self.session(options);
        for (path, text) in overlays {
            session.file_system().set_overlay(&path, text);
        }
        Ok(NamedDocument { session, path })
    }

    /// The path of a text without a file: in the first folder, so that its configuration applies, under a name that no file has.
    fn unsaved(&self, name: &str, extension: &str) -> PathBuf {
        shown(&self.first.join(format!("<{name}>.{extension}")))
    }
}

/// A path from the working directory, if it is below.
fn shown(path: &Path) -> PathBuf {
    let absolute = absolute(path);
    let below = relative_or_absolute(&working_directory(), &absolute);
    if below.is_empty() || below == "." {
        PathBuf::from(".")
    } else if below.starts_with("..") || below == "-" {
        // A `-` alone is standard input elsewhere.
        PathBuf::from(absolute)
    } else {
        PathBuf::from(below)
    }
}

/// Checks that a format is that of the extension: the files of a project are read by their extensions.
fn check_format(format: &str, path: &Path) -> Result<(), WrongUse> {
    let extension =
        path.extension().map(|it| it.to_string_lossy().to_lowercase()).unwrap_or_default();
    let known = FORMATS.iter().find(|(_, extensions)| extensions.contains(&&*extension));
    // A file with another extension is JSON.
    let by_path = known.map_or("json", |(name, _)| name);
    let is_json = |name: &str| matches!(name, "json" | "jsonc");
    if by_path == format || (is_json(by_path) && is_json(format)) {
        return Ok(());
    }
    Err(format!(
        "`format` is {format}, but {} is read as {by_path}: leave `format` out, or change the extension",
        forward_slashes(path)
    ))
}

/// The style of texts for assistants.
pub(crate) fn style() -> RenderOptions {
    RenderOptions::default()
}

/// Failures as a text: the faults of files that cannot be used, then one line each.
pub(crate) fn failures_text(failures: &[Failure]) -> String {
    let mut text = String::new();
    for file in failures.iter().filter_map(|failure| failure.faults.as_ref()) {
        let related: Vec<_> = file.related.iter().map(related_file).collect();
        let checked = CheckedDocument::new(&file.path, &file.text, &file.report);
        let checked = checked.related_files(&related);
        text.push_str(&findings_text(&checked, OutputFormat::Full));
        text.push('\n');
    }
    for failure in failures {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{failure}");
    }
    text
}

/// The findings of one document as a text.
pub(crate) fn findings_text(checked: &CheckedDocument<'_>, format: OutputFormat) -> String {
    let info = RunInfo::default();
    let page = render(format, &style(), checked);
    written(|out| write_findings(out, format, &info, [page], &RunOutcome::default()))
}

/// What is written to memory, which takes everything.
pub(crate) fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    let _ = write(&mut out);
    String::from_utf8_lossy(&out).into_owned()
}
