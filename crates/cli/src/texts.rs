//! Texts that are kept beside their documents, in files of their own.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use voxlint::schema::{Row, Shape, settings};
use voxlint::syntax::Format;
use voxlint::{Document, Origin, Source, TextFile};
use voxlint_report::{FailedFile, RelatedFile};

use voxlint_config::FileSettings;

use crate::files::Input;
use crate::paths::{is_there, lexical};
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
        let stem = document.file_stem().unwrap_or_default();
        let mut name = OsString::new();
        for (index, part) in self.pattern.split(STEM).enumerate() {
            if index > 0 {
                name.push(stem);
            }
            name.push(part);
        }
        lexical(&document.with_file_name(name))
    }
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.field.name, self.pattern)
    }
}

/// Why no text can be found beside standard input, which has no name to look for; `None` where it can.
pub(crate) fn have_no_place(input: &Input, conventions: &[Convention]) -> Option<String> {
    (input.location.is_none() && !conventions.is_empty()).then(|| {
        "--text-files: standard input needs --stdin-filename, which says beside which file to look"
            .to_owned()
    })
}

/// The files that would hold texts of a document, by their fields: those that the command line names, and those that the
/// configuration does. They are no documents of their own.
pub(crate) fn beside(
    input: &Input,
    conventions: &[Convention],
    settings: Option<&FileSettings<'_>>,
) -> Vec<(&'static Row, PathBuf)> {
    if input.is_text() {
        return Vec::new();
    }
    // Standard input without a name has no folder, but the configuration may name a text without its help.
    let location = input.location.as_deref();
    let conventions = location.into_iter().flat_map(|document| {
        conventions.iter().map(|convention| (convention.field, convention.path(document)))
    });
    let mut files: Vec<(&'static Row, PathBuf)> = conventions.collect();
    for stated in settings.map(FileSettings::text_files).unwrap_or_default() {
        let (row, path) = stated.value;
        if files.iter().all(|(known, _)| known.name != row.name) {
            files.push((row, PathBuf::from(path)));
        }
    }
    files
}

/// The texts of one document, read.
pub(crate) struct Texts(Vec<Text>);

struct Text {
    field: &'static Row,
    path: PathBuf,
    shown: String,
    bytes: Vec<u8>,
}

impl Texts {
    /// Reads the files that are there.
    pub(crate) fn read(
        files: &[(&'static Row, PathBuf)],
        project: &Project,
    ) -> Result<Self, FailedFile> {
        let mut texts = Vec::new();
        for (field, path) in files {
            let Some(file) = find(path, project)? else { continue };
            let bytes = file.read()?;
            if std::str::from_utf8(&bytes).is_err() {
                return Err(file.failure("is not UTF-8".to_owned()));
            }
            texts.push(Text { field, path: path.clone(), shown: file.shown, bytes });
        }
        Ok(Self(texts))
    }

    /// The files whose texts are checked as a part of a document: not those whose fields it gives itself.
    pub(crate) fn taken_by<'t>(
        &'t self,
        document: &Document,
    ) -> impl Iterator<Item = PathBuf> + use<'t> {
        let given: Vec<&str> = document.tree().root().map_or_else(Vec::new, |root| {
            let fields = self.0.iter().map(|text| text.field.name);
            fields.filter(|name| root.get(name).is_some()).collect()
        });
        let taken = self.0.iter().filter(move |text| !given.contains(&text.field.name));
        taken.map(|text| lexical(&text.path))
    }

    /// The texts as they were read.
    pub(crate) fn sources(&self) -> Vec<(&'static Row, &str, Source)> {
        let texts = self.0.iter();
        texts.map(|text| (text.field, &*text.shown, Source::from_bytes(&text.bytes))).collect()
    }
}

/// The file of a text, as far as it is there.
pub(crate) fn find(path: &Path, project: &Project) -> Result<Option<Input>, FailedFile> {
    let file = Input::text(path, project);
    match is_there(path) {
        Ok(true) => Ok(Some(file)),
        Ok(false) => Ok(None),
        Err(message) => Err(file.failure(message)),
    }
}

/// The texts as inputs of a check.
pub(crate) fn inputs(sources: &[(&'static Row, &str, Source)]) -> Vec<TextFile> {
    let text = |source: &Source| Document::parse_as(source.clone(), Format::Text);
    sources.iter().map(|(row, _, source)| TextFile::new(row, text(source))).collect()
}

/// The files of the texts, for reports.
pub(crate) fn partners<'a>(
    sources: &'a [(&'static Row, &str, Source)],
) -> impl Iterator<Item = (Origin, RelatedFile<'a>)> {
    let texts = sources.iter().zip(0..);
    texts.map(|((_, path, source), at)| {
        (Origin::Text(at), RelatedFile { path, text: source.text() })
    })
}
