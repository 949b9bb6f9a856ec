//! Complete documents in nine languages whose texts, functions, numbers and languages agree.

use std::collections::BTreeSet;
use std::fs;

use voxlint::syntax::Format;
use voxlint::{Document, Group, Inputs, check};
use voxlint_testing::files_below;

#[test]
fn nothing_that_callers_hear_is_reported_in_fifty_clean_documents_of_eight_languages() {
    let of_format = |(ending, format)| {
        let files = ["fixtures/heard-clean", "fixtures/realistic/clean"];
        let files = files.into_iter().flat_map(move |below| files_below(below, ending));
        files.map(move |file| (file, format))
    };
    let formats = [("json", Format::Json), ("yaml", Format::Yaml), ("toml", Format::Toml)];
    let (mut count, mut languages) = (0, BTreeSet::new());
    for (path, format) in formats.into_iter().flat_map(of_format) {
        if path.to_string_lossy().contains(".stored.") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let language = text.split_once("\"language_id\": \"").map(|(_, it)| it.chars().take(2));
        languages.extend(language.map(String::from_iter));
        let report = check(&Inputs::new(Document::parse_as(&*text, format)));
        let heard = report.diagnostics.iter().filter(|it| it.rule.group == Group::Heard);
        let found: Vec<_> = heard.map(|it| (it.rule.id.to_string(), &it.message)).collect();
        assert!(found.is_empty(), "{}: {found:?}", path.display());
        count += 1;
    }
    assert!(count >= 50, "{count} documents");
    for language in ["de", "en", "es", "fr", "hi", "it", "pt", "tr"] {
        assert!(languages.contains(language), "{languages:?}");
    }
}
