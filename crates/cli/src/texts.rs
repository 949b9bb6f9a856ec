//! Texts that are kept beside their documents, in files of their own.

use std::path::{Path, PathBuf};

use voxlint::schema::{Row, Shape, settings};
use voxlint::syntax::Format;
use voxlint::{Document, Origin, Source, TextFile};
use voxlint_report::{Failure, Partner};

use voxlint_config::FileSettings;

use crate::files::{Input, Reading};
use crate::paths::absolute;
use crate::project::Project;

/// What stands for the name of the document's file, without its extension.
const STEM: &str = "{stem}";

/// Where the text of a field is kept beside a document.
#[derive(Clone, Debug)]
pub(crate) struct Convention {
    field: &'static Row,
    /// The path of the file, from the document's folder.
    pattern: String,
}

impl Convention {
    /// Reads `prompt_text={stem}.prompt.hbs`.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        let (name, pattern) = text
            .split_once('=')
            .filter(|(name, pattern)| !name.is_empty() && !pattern.is_empty())
            .ok_or_else(|| format!("write FIELD=PATTERN, such as prompt_text={STEM}.prompt.hbs"))?;
        if pattern.replace(STEM, "").contains(['{', '}']) {
            return Err(format!("only `{STEM}` is allowed in braces"));
        }
        let is_text =
            |row: &&Row| matches!(row.shape, Shape::Text(text) if text.choices.is_empty());
        let field = settings::TABLE.row(name).filter(is_text);
        let field = field.ok_or_else(|| format!("`{name}` is not a text field"))?;
        Ok(Self { field, pattern: pattern.to_owned() })
    }

    /// The file that would hold the text of a document.
    fn path(&self, document: &Path) -> PathBuf {
        let stem = document.file_stem().unwrap_or_default().to_string_lossy();
        document.with_file_name(self.pattern.replace(STEM, &stem))
    }
}

/// The files that would hold texts of a document, by their fields: those that the command line names, and those that the
/// configuration does. They are no documents of their own.
pub(crate) fn beside(
    input: &Input,
    conventions: &[Convention],
    settings: Option<&FileSettings<'_>>,
) -> Vec<(&'static Row, PathBuf)> {
    let Some(path) = input.path.as_deref().filter(|_| !input.is_text()) else {
        return Vec::new();
    };
    let mut files: Vec<(&'static Row, PathBuf)> =
        conventions.iter().map(|convention| (convention.field, convention.path(path))).collect();
    for stated in settings.map(FileSettings::text_files).unwrap_or_default() {
        let (row, path) = stated.value;
        if files.iter().all(|(known, _)| known.name != row.name) {
            files.push((row, PathBuf::from(path)));
        }
    }
    files
}

/// The texts of one document, read.
pub(crate) struct Texts(Vec<(&'static Row, String, Vec<u8>)>);

impl Texts {
    /// Reads the files that are there.
    pub(crate) fn read(
        files: &[(&'static Row, PathBuf)],
        project: &Project,
    ) -> Result<Self, Failure> {
        let reading = Reading { stdin_filename: None, jsonc: false };
        let mut texts = Vec::new();
        for (field, path) in files {
            if path.exists() {
                let mut file = reading.named(path);
                file.shown = project.shown(&absolute(path));
                let bytes = file.read()?;
                if std::str::from_utf8(&bytes).is_err() {
                    return Err(file.failure("is not UTF-8".to_owned()));
                }
                texts.push((*field, file.shown, bytes));
            }
        }
        Ok(Self(texts))
    }

    /// The texts as they were read.
    pub(crate) fn sources(&self) -> Vec<(&'static Row, &str, Source<'_>)> {
        let sources = self.0.iter();
        sources.map(|(row, path, bytes)| (*row, &**path, Source::from_bytes(bytes))).collect()
    }
}

/// The texts as documents.
pub(crate) fn documents<'a>(
    sources: &'a [(&'static Row, &str, Source<'_>)],
) -> Vec<(&'static Row, Document<'a>)> {
    let documents = sources.iter();
    documents.map(|(row, _, source)| (*row, Document::parse_as(source, Format::Text))).collect()
}

/// The texts as inputs of a check.
pub(crate) fn inputs<'a>(documents: &'a [(&'static Row, Document<'a>)]) -> Vec<TextFile<'a>> {
    documents.iter().map(|(row, document)| TextFile::new(row, document)).collect()
}

/// The files of the texts, for reports.
pub(crate) fn partners<'a>(
    sources: &'a [(&'static Row, &str, Source<'_>)],
) -> impl Iterator<Item = (Origin, Partner<'a>)> {
    let texts = sources.iter().zip(0..);
    texts.map(|((_, path, source), at)| (Origin::Text(at), Partner { path, text: source.text() }))
}
