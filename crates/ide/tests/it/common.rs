//! Fixtures and generated documents.

use std::fs;
use std::path::Path;

use voxlint::schema::{Row, settings};
use voxlint::syntax::Format;
use voxlint::{Document, DocumentKind, Facts, Inputs, Origin, Source, Stored, TextFile};
use voxlint_testing::{case_files, files_below, repository};

/// The settings that are templates.
const TEMPLATES: [&Row; 3] =
    [settings::prompt_text.row, settings::welcome_message.row, settings::voicemail_message.row];

/// The format of a file, by its name.
pub(crate) fn format_of(path: &Path) -> Format {
    match path.extension().and_then(std::ffi::OsStr::to_str) {
        Some("yaml") => Format::Yaml,
        Some("toml") => Format::Toml,
        Some("jsonc") => Format::Jsonc,
        Some("hbs") => Format::Text,
        _ => Format::Json,
    }
}

/// Every fixture with its related files, and every text file by itself.
pub(crate) fn fixtures() -> Vec<(String, Inputs)> {
    let mut paths: Vec<_> = case_files().into_iter().map(|case| case.path).collect();
    for folder in ["fixtures/agents", "fixtures/realistic", "fixtures/team", "fixtures/suppression"]
    {
        for extension in ["json", "yaml", "toml", "jsonc"] {
            paths.extend(files_below(folder, extension));
        }
    }
    paths.extend(files_below("fixtures", "hbs"));
    let read = |path: &Path| fs::read(path).ok().map(Source::from_bytes);
    let related =
        |path: &Path, extension: &str| read(&path.with_extension(extension)).map(Document::parse);
    let fixture = |path: std::path::PathBuf| {
        let format = format_of(&path);
        let inputs = Inputs::new(Document::parse_as(read(&path).expect("a fixture"), format))
            .stored(related(&path, "stored.json").map(Stored::new))
            .facts(related(&path, "facts.json").map(Facts::new))
            .optional_rules(true);
        let texts = TEMPLATES.into_iter().filter_map(|row| {
            let file = path.with_extension(format!("{}.hbs", row.name));
            Some(TextFile::new(row, Document::parse_as(read(&file)?, Format::Text)))
        });
        let inputs = inputs.texts(texts.collect::<Vec<_>>());
        let is_text = format == Format::Text;
        let inputs = if is_text { inputs.kind(DocumentKind::Template) } else { inputs };
        let name = path.strip_prefix(repository()).unwrap_or(&path);
        (name.display().to_string(), inputs)
    };
    paths.into_iter().map(fixture).collect()
}

/// The texts of some inputs that can be open in an editor.
pub(crate) fn origins(inputs: &Inputs) -> Vec<Origin> {
    let texts = (0..inputs.text_files().len()).map(|at| Origin::Text(at as u16));
    let all = [Origin::Document, Origin::Stored, Origin::Facts].into_iter().chain(texts);
    all.filter(|origin| inputs.document_of(*origin).is_some()).collect()
}
