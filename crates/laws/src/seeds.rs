//! Seeds for fuzzing: inputs made from the fixtures of the repository.

use std::ffi::OsStr;
use std::fs;
use std::path::Path;

use voxlint::syntax::Format;
use voxlint_testing::{case_files, files_below};

use crate::SEPARATOR;

/// The size of the longest seed, in bytes. Fuzzing longer texts takes too much time.
const LONGEST: usize = 8 << 10;

/// The seeds of a law, each with a name.
pub fn seeds(law: &str) -> Vec<(String, Vec<u8>)> {
    let mut seeds = Vec::new();
    for path in fixtures() {
        let Some(format) = format_of(&path) else { continue };
        let read = |extension: &str| fs::read(path.with_extension(extension)).unwrap_or_default();
        let Ok(document) = fs::read(&path) else { continue };
        let seed = match law {
            "json" | "jsonc" | "yaml" | "toml" => (format.name() == law).then_some(document),
            "templates" => (format == Format::Text).then_some(document),
            "formats" => None,
            "configurations" => is_configuration(&path)
                .then(|| [b"\0", &document[..], b"", b"", b""].join(&SEPARATOR)),
            _ => {
                let at = Format::ALL.iter().position(|it| *it == format).unwrap_or_default();
                let first = [&[at as u8][..], &document].concat();
                Some([first, read("stored.json"), read("facts.json")].join(&SEPARATOR))
            }
        };
        if let Some(seed) = seed.filter(|seed| seed.len() <= LONGEST) {
            let name = path.strip_prefix(voxlint_testing::repository()).unwrap_or(&path);
            seeds.push((name.to_string_lossy().replace(['/', '\\'], "-"), seed));
        }
    }
    seeds
}

fn fixtures() -> Vec<std::path::PathBuf> {
    let mut paths: Vec<_> = case_files().into_iter().map(|case| case.path).collect();
    for folder in [
        "fixtures/agents",
        "fixtures/realistic",
        "fixtures/team",
        "fixtures/guide",
        "fixtures/service",
    ] {
        for extension in ["json", "yaml", "toml", "jsonc", "hbs"] {
            paths.extend(files_below(folder, extension));
        }
    }
    paths.extend(files_below("fixtures", "toml").into_iter().filter(|path| is_configuration(path)));
    paths.sort();
    paths.dedup();
    paths
}

fn is_configuration(path: &Path) -> bool {
    path.file_name().and_then(OsStr::to_str).is_some_and(|name| name.starts_with("voxlint"))
}

fn format_of(path: &Path) -> Option<Format> {
    match path.extension().and_then(OsStr::to_str)? {
        "json" => Some(Format::Json),
        "jsonc" => Some(Format::Jsonc),
        "yaml" | "yml" => Some(Format::Yaml),
        "toml" => Some(Format::Toml),
        "hbs" => Some(Format::Text),
        _ => None,
    }
}
