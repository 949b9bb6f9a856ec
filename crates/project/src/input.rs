//! One file to read: its paths, its format, and its documents.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use voxlint::syntax::Format;
use voxlint::{Document, DocumentKind, Source};

use crate::Failure;
use crate::configurations::{CONFIGURATION_NAME, Configurations};
use crate::file_system::{FileSystem, describe_io_error};
use crate::paths::{absolute, forward_slashes, simplified};

/// How the documents of a file are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Layout {
    /// The whole file is one text, with one document or more.
    Whole(Format),
    /// One JSON document per line.
    Lines,
}

/// The layouts by file name extension. A named file with another extension is JSON.
const LAYOUTS: [(&str, Layout); 9] = [
    ("json", Layout::Whole(Format::Json)),
    ("jsonc", Layout::Whole(Format::Jsonc)),
    ("ndjson", Layout::Lines),
    ("jsonl", Layout::Lines),
    ("yaml", Layout::Whole(Format::Yaml)),
    ("yml", Layout::Whole(Format::Yaml)),
    ("toml", Layout::Whole(Format::Toml)),
    ("hbs", Layout::Whole(Format::Text)),
    ("handlebars", Layout::Whole(Format::Text)),
];

/// The name of standard input without a file name.
const STDIN: &str = "<stdin>";

/// How files are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The file name of standard input.
    pub stdin_filename: Option<PathBuf>,
    /// Whether JSON may have comments and trailing commas.
    pub jsonc: bool,
}

/// A file to read, or standard input.
#[derive(Clone, Debug)]
pub struct InputFile {
    /// The path to read; `None` for standard input.
    pub path: Option<PathBuf>,
    /// The path as users see it.
    pub shown: String,
    /// The absolute path as text, which configurations match. For standard input it is that of its file name.
    pub absolute: String,
    /// The path that related files are found from. For standard input it is its file name, if it has one.
    pub location: Option<PathBuf>,
    /// Whether the file was named, so that it is never skipped.
    pub is_explicit: bool,
    /// The kind of its documents, if its role for another document determines it.
    pub(crate) kind: Option<DocumentKind>,
    layout: Layout,
}

impl InputFile {
    /// A file with the text of a field, whatever its extension.
    pub(crate) fn text(path: &Path, configurations: &Configurations) -> Self {
        let absolute = absolute(path);
        let shown = match path.to_str() {
            Some(_) => configurations.shown(&absolute),
            None => forward_slashes(path),
        };
        Self {
            shown,
            absolute,
            path: Some(path.to_owned()),
            location: Some(path.to_owned()),
            is_explicit: false,
            kind: Some(DocumentKind::Template),
            layout: Layout::Whole(Format::Text),
        }
    }

    /// Whether the file has one document per line. It may be larger than the memory.
    pub fn has_document_per_line(&self) -> bool {
        self.layout == Layout::Lines
    }

    /// Whether this is standard input without a file name.
    pub fn is_unnamed_stdin(&self) -> bool {
        self.path.is_none() && self.shown == STDIN
    }

    /// Whether the file is plain text, such as a template.
    pub(crate) fn is_text(&self) -> bool {
        self.layout == Layout::Whole(Format::Text)
    }

    /// The bytes of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn read(&self, files: &FileSystem) -> Result<Vec<u8>, Failure> {
        let read = if let Some(path) = &self.path {
            files.read(path)
        } else {
            let mut bytes = Vec::new();
            io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
        };
        read.map_err(|error| self.io_failure(&error))
    }

    /// A reader of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened.
    pub(crate) fn open(&self, files: &FileSystem) -> Result<Box<dyn Read>, Failure> {
        match &self.path {
            Some(path) => files.open(path).map_err(|error| self.io_failure(&error)),
            None => Ok(Box::new(io::stdin().lock())),
        }
    }

    /// The documents in the bytes of the file. Those of a `Vec` are not copied.
    pub fn documents<'a>(&self, bytes: impl Into<Cow<'a, [u8]>>) -> Vec<Document> {
        Document::parse_all(Source::from_bytes(bytes), self.format())
    }

    /// The only document in the bytes of the file. Those of a `Vec` are not copied.
    ///
    /// # Errors
    ///
    /// If there are several documents or none.
    pub fn document<'a>(&self, bytes: impl Into<Cow<'a, [u8]>>) -> Result<Document, Failure> {
        let mut documents = self.documents(bytes);
        let count = match documents.first() {
            Some(document) if self.has_document_per_line() => {
                document.text().lines().filter(|line| !line.trim_ascii().is_empty()).count()
            }
            _ => documents.len(),
        };
        match documents.pop() {
            Some(document) if count <= 1 => Ok(document),
            _ => Err(self.failure(format!("contains {count} documents, but only one is allowed"))),
        }
    }

    /// Whether the file has an extension of documents and is not a configuration.
    pub(crate) fn has_document_extension(&self) -> bool {
        self.path.as_deref().is_some_and(has_document_extension)
    }

    /// Reads templates as text, whatever their extension.
    pub(crate) fn set_kind(&mut self, kind: Option<DocumentKind>) {
        if kind == Some(DocumentKind::Template) {
            self.layout = Layout::Whole(Format::Text);
        }
    }

    /// The format of the text, or of each line.
    fn format(&self) -> Format {
        match self.layout {
            Layout::Whole(format) => format,
            Layout::Lines => Format::Json,
        }
    }

    /// A failure of this file.
    pub fn failure(&self, message: impl Into<String>) -> Failure {
        Failure::new(&*self.shown, message)
    }

    /// Why related files cannot be found: configurations match paths as text. `by_name`: some of them are found by the name
    /// of the file, and not only by its folder.
    pub(crate) fn non_utf8_path_failure(&self, by_name: bool) -> Option<Failure> {
        let path = self.location.as_deref()?;
        let needed = if by_name { Some(path) } else { path.parent() };
        needed.filter(|path| path.to_str().is_none()).map(|_| {
            self.failure(
                "the path is not UTF-8, so the configuration and related files cannot be found: \
                 rename it",
            )
        })
    }

    /// A failure to read the file.
    pub(crate) fn io_failure(&self, error: &io::Error) -> Failure {
        self.failure(describe_io_error(error))
    }
}

impl ReadOptions {
    /// A named file, or standard input for `-`. Whether the file exists is found out when it is read.
    pub fn input(&self, path: &Path) -> InputFile {
        if path.as_os_str() != "-" {
            return self.file(path, true);
        }
        let name = self.stdin_filename.as_deref();
        InputFile {
            path: None,
            shown: name.map_or_else(|| STDIN.to_owned(), forward_slashes),
            absolute: absolute(name.unwrap_or(Path::new(STDIN))),
            location: name.map(simplified),
            is_explicit: true,
            kind: None,
            layout: self.layout(name.unwrap_or(path)),
        }
    }

    pub(crate) fn file(&self, path: &Path, is_explicit: bool) -> InputFile {
        let path = simplified(path);
        InputFile {
            shown: forward_slashes(&path),
            absolute: absolute(&path),
            location: Some(path.clone()),
            is_explicit,
            kind: None,
            layout: self.layout(&path),
            path: Some(path),
        }
    }

    fn layout(&self, name: &Path) -> Layout {
        match layout_by_extension(name).unwrap_or(Layout::Whole(Format::Json)) {
            Layout::Whole(Format::Json) if self.jsonc => Layout::Whole(Format::Jsonc),
            layout => layout,
        }
    }
}

fn layout_by_extension(path: &Path) -> Option<Layout> {
    let extension = path.extension()?;
    let (_, layout) = LAYOUTS.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known))?;
    Some(*layout)
}

/// Whether a file has an extension of documents and is not a configuration.
pub(crate) fn has_document_extension(path: &Path) -> bool {
    let is_configuration = path.file_name().is_some_and(|name| name == CONFIGURATION_NAME);
    !is_configuration && layout_by_extension(path).is_some()
}
