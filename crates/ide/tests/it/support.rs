//! Marked texts, and the inputs that the tests share.

use std::path::Path;

use voxlint::syntax::Format;
use voxlint::{Document, Facts, Inputs, Stored};
use voxlint_testing::texts::lines;

/// Marks the place of the cursor.
pub(crate) const MARK: char = '‸';

/// A text without its mark, and the offset of the mark.
pub(crate) fn unmarked(marked: &str) -> (String, u32) {
    let (before, after) = marked.split_once(MARK).expect("a mark");
    (format!("{before}{after}"), before.len() as u32)
}

/// The marked texts of a file, each with its format.
pub(crate) fn places(file: &'static str) -> Vec<(Format, String)> {
    let place = |line: &str| {
        let (format, marked) = line.split_once(' ').expect("a text after its format");
        (format.parse().expect("a format"), marked.replace('⏎', "\n"))
    };
    lines(file).into_iter().map(place).collect()
}

/// An update in a format, with a stored configuration and facts.
pub(crate) fn inputs(text: &str, format: Format) -> Inputs {
    let stored = r#"{ "version_number": 7, "title": "Front desk", "kb_max_chunks": 5, "llm_id": "llm_large",
        "welcome_message": "Hello {{customer_name}}.",
        "prompt_text": "You answer for a clinic. {{clinic_name}} is open from nine to five. Greet {{customer_name}} politely.",
        "default_dynamic_variables": { "clinic_name": "Northside", "agent_transfer_destinations": "+12025550100" } }"#;
    let facts = r#"{ "llms": ["llm_large", "llm_small"], "knowledge_bases": ["kb_hours", "kb_prices"],
        "voices": { "vo_aria": { "provider": "sonora", "models": ["vm_fast", "vm_rich"] } },
        "transcribers": { "tr_nova": { "provider": "clarion" } }, "fallback_transcribers": ["tr_nova"] }"#;
    Inputs::new(Document::parse_as(text, format))
        .kind(voxlint::DocumentKind::Update)
        .stored(Stored::new(Document::parse(stored)))
        .facts(Facts::new(Document::parse(facts)))
}

/// The format of a file.
pub(crate) fn format_of(path: &Path) -> Option<Format> {
    Some(match path.extension()?.to_str()? {
        "json" => Format::Json,
        "jsonc" => Format::Jsonc,
        "yaml" | "yml" => Format::Yaml,
        "toml" => Format::Toml,
        "hbs" => Format::Text,
        _ => return None,
    })
}

/// The texts of all fixtures, with their names and formats.
pub(crate) fn fixtures() -> Vec<(String, Format, String)> {
    let mut texts = Vec::new();
    for extension in ["json", "jsonc", "yaml", "toml", "hbs"] {
        for path in voxlint_testing::files_below("fixtures", extension) {
            let format = format_of(&path).expect("a format");
            let bytes = std::fs::read(&path).expect("a file");
            let text = String::from_utf8_lossy(&bytes).into_owned();
            texts.push((path.display().to_string(), format, text));
        }
    }
    texts
}
