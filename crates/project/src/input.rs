//! One file to read: its paths, its format, and its documents.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use voxlint::syntax::Format;
use voxlint::{Document, DocumentKind, Source};
use voxlint_merge::FileLayout;

use crate::Failure;
use crate::buffer::Buffer;
use crate::configurations::Configurations;
use crate::contents::{check_contents, describe_io_error};
use crate::file_system::FileSystem;
use crate::names::CONFIGURATION_NAME;
use crate::paths::{absolute, forward_slashes, simplified, with_forward_slashes};
use crate::size_limit::SizeLimit;

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

/// Extensions of plain texts, which are not documents. Only a configuration or the user says whether one is a template.
const TEXTS: [&str; 4] = ["md", "markdown", "txt", "text"];

/// The formats of standard input that can be stated, by their names.
const STDIN_FORMATS: [(&str, Layout); 6] = [
    ("json", Layout::Whole(Format::Json)),
    ("jsonc", Layout::Whole(Format::Jsonc)),
    ("ndjson", Layout::Lines),
    ("yaml", Layout::Whole(Format::Yaml)),
    ("toml", Layout::Whole(Format::Toml)),
    ("handlebars", Layout::Whole(Format::Text)),
];

/// The name of standard input without a file name.
const STDIN: &str = "<stdin>";

/// How files are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// The file name of standard input.
    pub stdin_filename: Option<PathBuf>,
    /// The format of standard input, whatever its file name.
    pub stdin_format: Option<StdinFormat>,
    /// Whether JSON may have comments and trailing commas.
    pub jsonc: bool,
}

/// A format of standard input.
///
/// ```
/// use voxlint_project::StdinFormat;
///
/// assert_eq!(StdinFormat::of_name("ndjson").map(StdinFormat::name), Some("ndjson"));
/// assert_eq!(StdinFormat::of_name("ini"), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StdinFormat {
    name: &'static str,
    layout: Layout,
}

impl StdinFormat {
    /// Every format.
    pub fn all() -> impl Iterator<Item = Self> {
        STDIN_FORMATS.into_iter().map(|(name, layout)| Self { name, layout })
    }

    /// The format with this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::all().find(|format| format.name == name)
    }

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        self.name
    }
}

/// A file to read, or standard input.
#[derive(Clone, Debug)]
pub struct InputFile {
    /// The path of the file; `None` for standard input.
    pub path: Option<PathBuf>,
    /// The path to read if links in the path were checked: without them.
    source: Option<PathBuf>,
    /// The path as users see it.
    pub shown: Arc<str>,
    /// The absolute path as text, which configurations match. For standard input it is that of its file name.
    pub absolute: Arc<str>,
    /// The file name of standard input.
    stdin_filename: Option<PathBuf>,
    /// Whether the file was named, so that it is never skipped.
    pub is_explicit: bool,
    /// The kind of its documents, if its role for another document determines it.
    pub(crate) kind: Option<DocumentKind>,
    /// The number of the file among those of a run that need a status.
    pub(crate) number: Option<FileNumber>,
    layout: Layout,
    /// Whether it is a text by its extension, and nothing says that it is a template.
    pub(crate) is_plain_text: bool,
    /// Whether the layout was stated, and not taken from the file name.
    has_stated_format: bool,
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
            kind: Some(DocumentKind::Template),
            layout: Layout::Whole(Format::Text),
            ..Self::of_path(path.to_owned(), shown.into(), absolute.into())
        }
    }

    /// A file that was not named. Its documents are JSON.
    fn of_path(path: PathBuf, shown: Arc<str>, absolute: Arc<str>) -> Self {
        Self {
            path: Some(path),
            source: None,
            shown,
            absolute,
            stdin_filename: None,
            is_explicit: false,
            kind: None,
            number: None,
            layout: Layout::Whole(Format::Json),
            is_plain_text: false,
            has_stated_format: false,
        }
    }

    /// The path that related files are found from. For standard input it is its file name, if it has one.
    pub fn location(&self) -> Option<&Path> {
        self.path.as_deref().or(self.stdin_filename.as_deref())
    }

    /// Whether the file has one document per line. It may be larger than the memory.
    pub fn has_document_per_line(&self) -> bool {
        self.layout == Layout::Lines
    }

    /// Whether this is standard input without a file name or a stated format.
    pub fn is_unnamed_stdin(&self) -> bool {
        self.path.is_none() && &*self.shown == STDIN && !self.has_stated_format
    }

    /// Whether the file is plain text, such as a template.
    pub(crate) fn is_text(&self) -> bool {
        self.layout == Layout::Whole(Format::Text)
    }

    /// Reads the file under this path, where the links in its own path lead to.
    pub(crate) fn set_source(&mut self, source: PathBuf) {
        self.source = Some(source);
    }

    /// The path to read; `None` for standard input. Unsaved text is found by the path of the file.
    fn read_path(&self, files: &FileSystem) -> Option<&Path> {
        let path = self.path.as_deref()?;
        Some(self.source.as_deref().filter(|_| !files.has_overlay(path)).unwrap_or(path))
    }

    /// The bytes of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read.
    pub fn read(&self, files: &FileSystem) -> Result<Vec<u8>, Failure> {
        let read = if let Some(path) = self.read_path(files) {
            files.read(path)
        } else {
            let mut bytes = Vec::new();
            let read = files.stdin().read_to_end(&mut bytes);
            read.and_then(|_| check_contents(&bytes)).map(|()| bytes)
        };
        read.map_err(|error| self.io_failure(&error))
    }

    /// The bytes of a file of limited size.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or is too large.
    pub(crate) fn read_limited(
        &self,
        files: &FileSystem,
        limit: &SizeLimit,
    ) -> Result<Vec<u8>, Failure> {
        let read = match self.read_path(files) {
            Some(path) => files.read_limited(path, limit),
            None => limit.read(files.stdin()).and_then(|bytes| {
                check_contents(&bytes)?;
                Ok(bytes)
            }),
        };
        read.map_err(|error| self.io_failure(&error))
    }

    /// Reads the file into a buffer, in the place of what it contained.
    ///
    /// # Errors
    ///
    /// As [`Self::read`], and if a text that is too large for a document is checked on its own.
    pub(crate) fn read_into(&self, files: &FileSystem, buffer: &mut Buffer) -> Result<(), Failure> {
        if self.kind == Some(DocumentKind::Template) {
            let bytes = self.read_limited(files, &SizeLimit::related())?;
            *buffer = bytes.into();
            return Ok(());
        }
        let read = match self.read_path(files) {
            Some(path) => files.read_into(path, buffer),
            None => return self.read(files).map(|bytes| *buffer = bytes.into()),
        };
        read.map_err(|error| self.io_failure(&error))
    }

    /// A reader of the file.
    ///
    /// # Errors
    ///
    /// If the file cannot be opened.
    pub(crate) fn open(&self, files: &FileSystem) -> Result<Box<dyn Read + Send>, Failure> {
        match self.read_path(files) {
            Some(path) => files.open(path).map_err(|error| self.io_failure(&error)),
            None => Ok(files.stdin()),
        }
    }

    /// The documents in the bytes of the file. Those of a `Vec` are not copied.
    pub fn documents<'a>(&self, bytes: impl Into<Cow<'a, [u8]>>) -> Vec<Document> {
        self.documents_of(Source::from_bytes(bytes))
    }

    /// The documents in the text of the file.
    pub(crate) fn documents_of(&self, source: Source) -> Vec<Document> {
        Document::parse_all(source, self.format())
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

    /// Whether the file was named and may be the text of a document by its extension.
    pub(crate) fn may_be_text(&self) -> bool {
        let is_json = self.layout == Layout::Whole(Format::Json);
        let is_other = || self.location().is_some_and(|path| layout_by_extension(path).is_none());
        !self.has_stated_format && (self.is_text() || is_json && is_other())
    }

    /// Reads the file as the text of a field, whatever its extension.
    pub(crate) fn read_as_text(&mut self) {
        self.set_kind(Some(DocumentKind::Template));
    }

    /// Reads templates as text, whatever their extension.
    pub(crate) fn set_kind(&mut self, kind: Option<DocumentKind>) {
        self.is_plain_text &= kind.is_none();
        if kind == Some(DocumentKind::Template) {
            self.layout = Layout::Whole(Format::Text);
        }
    }

    /// The format of the text, or of each line.
    pub fn format(&self) -> Format {
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
        let path = self.location()?;
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
            return self.named_file(path);
        }
        let name = self.stdin_filename.as_deref();
        InputFile {
            path: None,
            source: None,
            shown: name.map_or_else(|| STDIN.to_owned(), forward_slashes).into(),
            absolute: absolute(name.unwrap_or(Path::new(STDIN))).into(),
            stdin_filename: name.map(simplified),
            is_explicit: true,
            kind: None,
            number: None,
            is_plain_text: self.stdin_format.is_none() && name.is_some_and(is_plain_text),
            layout: self.stdin_format.map_or_else(
                || self.layout(name.unwrap_or(path)),
                |format| self.lenient(format.layout),
            ),
            has_stated_format: self.stdin_format.is_some(),
        }
    }

    fn named_file(&self, path: &Path) -> InputFile {
        let path = simplified(path);
        let layout = self.layout(&path);
        let shown = forward_slashes(&path).into();
        let absolute = absolute(&path).into();
        InputFile {
            is_explicit: true,
            is_plain_text: is_plain_text(&path),
            layout,
            ..InputFile::of_path(path, shown, absolute)
        }
    }

    /// A file that was found in a folder, by its path from there.
    pub(crate) fn found_file(&self, folder: &SearchedFolder, path: &Path) -> InputFile {
        let layout = self.layout(path);
        let name = with_forward_slashes(path);
        let below = |folder: &str| [folder, &name].concat().into();
        let shown = below(&folder.shown);
        let absolute = below(&folder.absolute);
        InputFile { layout, ..InputFile::of_path(folder.prefix.join(path), shown, absolute) }
    }

    fn layout(&self, name: &Path) -> Layout {
        let other = if is_plain_text(name) { Format::Text } else { Format::Json };
        self.lenient(layout_by_extension(name).unwrap_or(Layout::Whole(other)))
    }

    /// The layout with comments in JSON, if they are allowed.
    fn lenient(&self, layout: Layout) -> Layout {
        match layout {
            Layout::Whole(Format::Json) if self.jsonc => Layout::Whole(Format::Jsonc),
            layout => layout,
        }
    }
}

/// A folder that is searched for files, as the beginning of their paths.
#[derive(Clone)]
pub(crate) struct SearchedFolder {
    /// The path as it was given.
    path: PathBuf,
    /// The beginning of the paths of its files; empty for `.`.
    prefix: PathBuf,
    /// The path as users see it, with a slash at the end.
    shown: String,
    /// The absolute path, with a slash at the end.
    absolute: String,
}

impl SearchedFolder {
    /// A folder with its absolute path.
    pub(crate) fn new(path: &Path, absolute: &str) -> Self {
        let prefix = simplified(path);
        let prefix = if prefix == Path::new(".") { PathBuf::new() } else { prefix };
        let with_slash = |folder: &str| {
            let slash = if folder.is_empty() || folder.ends_with('/') { "" } else { "/" };
            [folder, slash].concat()
        };
        Self {
            shown: with_slash(&with_forward_slashes(&prefix)),
            absolute: with_slash(absolute),
            path: path.to_owned(),
            prefix,
        }
    }

    /// A folder in this one.
    pub(crate) fn below(&self, name: &OsStr) -> Self {
        let path = Path::new(name);
        let shown = with_forward_slashes(path);
        Self {
            path: self.path.join(path),
            prefix: self.prefix.join(path),
            shown: [&*self.shown, &*shown, "/"].concat(),
            absolute: [&*self.absolute, &*shown, "/"].concat(),
        }
    }

    /// The path to read.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The absolute path of something in the folder.
    pub(crate) fn absolute_path_of(&self, path: &Path) -> String {
        [&*self.absolute, &*with_forward_slashes(path)].concat()
    }
}

fn layout_by_extension(path: &Path) -> Option<Layout> {
    let extension = path.extension()?;
    let (_, layout) = LAYOUTS.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known))?;
    Some(*layout)
}

/// How the versions of a file are merged.
pub(crate) fn layout_of_merge(path: &Path) -> FileLayout {
    match layout_by_extension(path) {
        Some(Layout::Whole(format)) => FileLayout::Whole(format),
        Some(Layout::Lines) => FileLayout::Records,
        None if is_plain_text(path) => FileLayout::Whole(Format::Text),
        None => FileLayout::Lines,
    }
}

/// Whether a file has an extension of plain texts.
fn is_plain_text(path: &Path) -> bool {
    let extension = path.extension();
    extension.is_some_and(|it| TEXTS.iter().any(|known| it.eq_ignore_ascii_case(known)))
}

/// Whether a file has an extension of documents and is not a configuration.
pub(crate) fn has_document_extension(path: &Path) -> bool {
    let is_configuration = path.file_name().is_some_and(|name| name == CONFIGURATION_NAME);
    !is_configuration && layout_by_extension(path).is_some()
}

/// The number of a file among those of a run that need a status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileNumber(pub(crate) usize);
