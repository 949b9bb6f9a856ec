//! Text files: files beside a document that contain the text of one of its fields.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use voxlint::schema::{Row, settings};
use voxlint_config::{FileSettings, STEM};

use crate::Failure;
use crate::configurations::Configurations;
use crate::input::InputFile;
use crate::paths::absolute_path;

/// A convention for the file that contains the text of a field.
///
/// ```
/// use voxlint_project::TextFileConvention;
///
/// let convention: TextFileConvention = "prompt_text={stem}.prompt.hbs".parse()?;
/// assert_eq!(convention.to_string(), "prompt_text={stem}.prompt.hbs");
/// assert!("version_number={stem}.txt".parse::<TextFileConvention>().is_err());
/// # Ok::<(), voxlint_project::TextFileConventionError>(())
/// ```
#[derive(Clone, Debug)]
pub struct TextFileConvention {
    field: &'static Row,
    /// The path of the file from the document's folder.
    pattern: String,
}

/// The reason why a text is not a convention.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextFileConventionError(String);

impl fmt::Display for TextFileConventionError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl std::error::Error for TextFileConventionError {}

impl FromStr for TextFileConvention {
    type Err = TextFileConventionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let error = |message: String| TextFileConventionError(message);
        let (name, pattern) = text
            .split_once('=')
            .filter(|(name, pattern)| !name.is_empty() && !pattern.is_empty())
            .ok_or_else(|| {
                error(format!("write FIELD=PATTERN, such as prompt_text={STEM}.prompt.hbs"))
            })?;
        if pattern.replace(STEM, "").contains(['{', '}']) {
            return Err(error(format!("only `{STEM}` is allowed in braces")));
        }
        let field = settings::TABLE.row(name).filter(|row| row.is_free_text());
        let field = field.ok_or_else(|| error(format!("`{name}` is not a text field")))?;
        Ok(Self { field, pattern: pattern.to_owned() })
    }
}

impl TextFileConvention {
    /// The text file of a document.
    fn path(&self, document: &Path) -> PathBuf {
        let stem = document.file_stem().unwrap_or_default();
        let mut name = OsString::new();
        for (index, part) in self.pattern.split(STEM).enumerate() {
            if index > 0 {
                name.push(stem);
            }
            name.push(part);
        }
        absolute_path(&document.with_file_name(name))
    }
}

impl fmt::Display for TextFileConvention {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}={}", self.field.name, self.pattern)
    }
}

/// Where the text of a field is.
pub(crate) struct TextFilePath {
    pub(crate) field: &'static Row,
    pub(crate) path: PathBuf,
    /// Whether the pattern contains `{stem}`, so that documents with other names have other files.
    pub(crate) has_stem: bool,
}

/// The paths of the text files of a document by field: those of the conventions, then those of the configuration. The files
/// need not exist.
pub(crate) fn text_file_paths(
    input: &InputFile,
    conventions: &[TextFileConvention],
    settings: Option<&FileSettings<'_>>,
) -> Vec<TextFilePath> {
    if input.is_text() {
        return Vec::new();
    }
    // Standard input without a name has no folder, but the configuration may name a text file without `{stem}`.
    let location = input.location();
    let conventions = location.into_iter().flat_map(|document| {
        conventions.iter().map(|convention| TextFilePath {
            field: convention.field,
            path: convention.path(document),
            has_stem: convention.pattern.contains(STEM),
        })
    });
    let mut files: Vec<TextFilePath> = conventions.collect();
    let Some(settings) = settings else { return files };
    for stated in settings.text_files() {
        let (field, path) = stated.value;
        if files.iter().all(|known| known.field.name != field.name) {
            let has_stem = settings.has_own_text_file(field);
            files.push(TextFilePath { field, path: PathBuf::from(path), has_stem });
        }
    }
    files
}

/// A text file, if it exists.
pub(crate) fn find_text_file(
    path: &Path,
    configurations: &Configurations,
) -> Result<Option<InputFile>, Failure> {
    let mut file = InputFile::text(path, configurations);
    match configurations.named_text(path) {
        Ok(Some(named)) => {
            file.set_source(named.source);
            Ok(Some(file))
        }
        Ok(None) => Ok(None),
        Err(message) => Err(file.failure(message)),
    }
}
