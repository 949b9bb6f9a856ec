//! How one document is read.

use std::path::Path;
use std::sync::Arc;

use voxlint::schema::named;
use voxlint::syntax::Format;
use voxlint::{Document, DocumentKind, DocumentPosition, Source};
use voxlint_project::{ReadOptions, split_lines};

use crate::Error;
use crate::error::guarded;

/// The format of a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum DocumentFormat {
    /// JSON.
    #[default]
    Json,
    /// JSON with comments and trailing commas.
    Jsonc,
    /// YAML, with one document or several.
    Yaml,
    /// TOML.
    Toml,
    /// One JSON document per line.
    Ndjson,
    /// A Handlebars template alone.
    Hbs,
}

named! {
    DocumentFormat, "a format":
    Json = "json",
    Jsonc = "jsonc",
    Yaml = "yaml",
    Toml = "toml",
    Ndjson = "ndjson",
    Hbs = "hbs",
}

impl DocumentFormat {
    /// The format of a file, by its extension. A file with another extension is JSON.
    pub fn of_path(path: &str) -> Self {
        let file = ReadOptions::default().input(Path::new(path));
        let is_it = |format: &Self| format.syntax() == file.format();
        let whole = || Self::ALL.into_iter().find(is_it).unwrap_or_default();
        if file.has_document_per_line() { Self::Ndjson } else { whole() }
    }

    const fn syntax(self) -> Format {
        match self {
            Self::Json | Self::Ndjson => Format::Json,
            Self::Jsonc => Format::Jsonc,
            Self::Yaml => Format::Yaml,
            Self::Toml => Format::Toml,
            Self::Hbs => Format::Text,
        }
    }
}

/// How one document is read, and its path in reports.
#[derive(Clone, Debug)]
pub struct DocumentOptions {
    /// The format of its text.
    pub format: DocumentFormat,
    /// Its kind; `None` detects it.
    pub kind: Option<DocumentKind>,
    /// The path that reports show, and that patterns in a configuration match. No file is read.
    pub path: Arc<str>,
}

/// The name of a text without a path in reports.
const UNNAMED: &str = "<text>";

impl Default for DocumentOptions {
    fn default() -> Self {
        Self { format: DocumentFormat::default(), kind: None, path: UNNAMED.into() }
    }
}

impl DocumentOptions {
    /// Parses options from names. Without a format, the extension of the path decides. Without both, the format is JSON.
    ///
    /// ```
    /// use voxlint_bindings::{DocumentFormat, DocumentOptions};
    ///
    /// let options = DocumentOptions::parse(None, Some("update"), Some("agents/en.yaml"))?;
    /// assert_eq!(options.format, DocumentFormat::Yaml);
    /// let error = DocumentOptions::parse(Some("xml"), None, None).expect_err("no such format");
    /// assert!(error.to_string().starts_with("`xml` is not a format; allowed: json,"));
    /// # Ok::<(), voxlint_bindings::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the format or the kind does not exist.
    pub fn parse(
        format: Option<&str>,
        kind: Option<&str>,
        path: Option<&str>,
    ) -> Result<Self, Error> {
        let format = match (format, path) {
            (Some(name), _) => name.parse().map_err(Error::new)?,
            (None, Some(path)) => guarded(|| DocumentFormat::of_path(path))?,
            (None, None) => DocumentFormat::default(),
        };
        let kind: Option<DocumentKind> = kind.map(str::parse).transpose().map_err(Error::new)?;
        // The configuration of voxlint is checked where it is used.
        if kind == Some(DocumentKind::Configuration) {
            return Err(Error::new("a configuration is not a document: give it as `config`"));
        }
        Ok(Self { format, kind, path: path.unwrap_or(UNNAMED).into() })
    }

    /// Options for a value of the caller's language, which was written as JSON. The path only names it, whatever its extension.
    ///
    /// ```
    /// use voxlint_bindings::{DocumentFormat, DocumentOptions};
    ///
    /// let options = DocumentOptions::of_value(None, None, Some("agents/en.toml"))?;
    /// assert_eq!(options.format, DocumentFormat::Json);
    /// assert!(DocumentOptions::of_value(Some("toml"), None, None).is_err());
    /// # Ok::<(), voxlint_bindings::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Self::parse`]; also if another format is stated, or a kind that only texts have.
    pub fn of_value(
        format: Option<&str>,
        kind: Option<&str>,
        path: Option<&str>,
    ) -> Result<Self, Error> {
        let json = DocumentFormat::Json;
        let options = Self::parse(format.or(Some(json.name())), kind, path)?;
        match options.read_as() {
            DocumentFormat::Json => Ok(options),
            DocumentFormat::Hbs => {
                Err(Error::new("a template is a text, not a value: give its text"))
            }
            other => Err(Error::new(format_args!(
                "a value is read as JSON, not as `{}`: give the text, or leave `format` out",
                other.name()
            ))),
        }
    }

    /// The format that the text is read in. A template is plain text, whatever the format.
    pub(crate) fn read_as(&self) -> DocumentFormat {
        if self.kind == Some(DocumentKind::Template) { DocumentFormat::Hbs } else { self.format }
    }

    /// The documents of a text.
    pub(crate) fn documents(&self, source: Source) -> Vec<Document> {
        Document::parse_all(source, self.read_as().syntax())
    }

    /// The only document of a text.
    ///
    /// # Errors
    ///
    /// If there are several.
    pub(crate) fn document(&self, bytes: &[u8]) -> Result<Document, Error> {
        let mut documents = self.documents(Source::from_bytes(bytes));
        let count = match self.read_as() {
            DocumentFormat::Ndjson => split_lines(bytes).len(),
            _ => documents.len(),
        };
        match documents.pop() {
            Some(document) if count <= 1 => Ok(document),
            _ => {
                let why = format!("contains {count} documents, but only one is allowed");
                Err(Error::new(format_args!("{}: {why}", self.path)))
            }
        }
    }

    /// The documents of a text with one document per line.
    pub(crate) fn lines(bytes: &[u8]) -> Vec<(DocumentPosition, Document)> {
        let lines = split_lines(bytes).into_iter();
        lines.map(|(position, line)| (position, Document::parse(line))).collect()
    }
}
