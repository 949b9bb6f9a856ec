//! Complete documents in eight languages whose texts, functions, numbers and languages agree.

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

#[test]
fn three_of_four_functions_that_are_taken_from_clean_documents_are_missed_in_the_prompt() {
    let (mut taken, mut missed) = (0, 0);
    for path in files_below("fixtures/heard-clean", "json") {
        let text = fs::read_to_string(&path).unwrap();
        let document: serde_json::Value = serde_json::from_str(&text).unwrap();
        let prompt = document["prompt_text"].as_str().unwrap_or_default();
        let functions = document["agent_functions"].as_array().cloned().unwrap_or_default();
        for (at, function) in functions.iter().enumerate() {
            let name = function["displayName"].as_str().unwrap();
            if !name.contains('_') || !prompt.contains(name) {
                continue;
            }
            let mut rest = document.clone();
            rest["agent_functions"].as_array_mut().unwrap().remove(at);
            let report = check(&Inputs::new(Document::parse_as(rest.to_string(), Format::Json)));
            let mut found = report.diagnostics.iter().filter(|it| it.rule.id == "unknown-function");
            taken += 1;
            missed += usize::from(found.any(|it| it.message.contains(name)));
        }
    }
    assert!(taken > 80 && 4 * missed >= 3 * taken, "{missed} of {taken}");
}
