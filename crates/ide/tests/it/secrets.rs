use voxlint::syntax::Format;
use voxlint::{Document, Facts, Inputs, Stored};
use voxlint_ide::{CompletionOptions, File, complete, hover};
use voxlint_testing::repository;

use crate::support::format_of;

/// Everything that an editor is told about every place of a document.
fn everything(inputs: &Inputs) -> Vec<String> {
    let file = File::new(inputs);
    let mut all = Vec::new();
    for offset in 0..=file.text().len() as u32 {
        all.extend(hover(file, offset).map(|hover| hover.markdown));
        for snippets in [false, true] {
            for it in complete(file, offset, CompletionOptions { snippets }) {
                // The word that is being replaced is the author's own.
                all.extend([it.label, it.edit.text]);
                all.extend([it.detail, it.documentation, it.filter].into_iter().flatten());
            }
        }
    }
    all.sort();
    all.dedup();
    all
}

#[test]
fn no_hover_and_no_completion_shows_a_secret() {
    const SECRET: &str = "Zk3vT9qLr2Xw8YbN5mHd7PcS";
    let texts = [
        (
            Format::Json,
            format!(
                "{{ \"version_number\": 3, \"description\": \"token {SECRET}\", \"default_dynamic_variables\": {{ \"api_key\": \"{SECRET}\" }}, \"prompt_text\": \"{{{{api_key}}}} {{{{x}}}}\" }}"
            ),
        ),
        (
            Format::Yaml,
            format!(
                "version_number: 3\ndefault_dynamic_variables:\n  password: {SECRET}\nprompt_text: |\n  {{{{password}}}} {{{{{SECRET}}}}} {{{{\n"
            ),
        ),
        (
            Format::Toml,
            format!(
                "version_number = 3\nllm_id = \"{SECRET}\"\n\n[default_dynamic_variables]\nsecret = \"{SECRET}\"\n"
            ),
        ),
    ];
    for (format, text) in texts {
        let stored = format!(
            "{{ \"version_number\": 3, \"llm_id\": \"sk_live_{SECRET}\", \"description\": \"Bearer {SECRET}\", \
               \"default_dynamic_variables\": {{ \"password\": \"{SECRET}\", \"api_key\": \"{SECRET}\" }} }}"
        );
        let inputs = Inputs::new(Document::parse_as(text.as_str(), format))
            .stored(Stored::new(Document::parse(stored)))
            .facts(Facts::new(Document::parse(format!(
                "{{ \"llms\": [\"sk_live_{SECRET}\"], \"webhooks\": [\"wh_crm\"] }}"
            ))));
        let all = everything(&inputs);
        assert!(all.len() > 50, "{}", all.len());
        for shown in all {
            for piece in SECRET.as_bytes().windows(8) {
                let piece = std::str::from_utf8(piece).expect("ASCII");
                assert!(!shown.contains(piece), "{format}: {shown}");
            }
        }
    }
}

/// The secrets of the fixtures, which are written in many ways.
#[test]
fn no_secret_of_the_fixtures_is_shown() {
    let table = std::fs::read_to_string(repository().join("fixtures/secrets.tsv")).unwrap();
    let lines = table.lines().filter(|line| !line.starts_with('#'));
    for (case, secret) in lines.filter_map(|line| line.split_once('\t')) {
        let path = repository().join("fixtures/rules").join(case);
        let format = format_of(&path).expect("a format");
        let bytes = std::fs::read(&path).unwrap();
        let document = Document::parse_as(voxlint::Source::from_bytes(bytes), format);
        let stored = Stored::new(document.clone());
        let inputs = Inputs::new(document).stored(stored);
        let file = File::new(&inputs);
        let step = (file.text().len() / 60).max(1);
        for offset in (0..=file.text().len() as u32).step_by(step) {
            let shown = hover(file, offset).map(|hover| hover.markdown);
            assert!(!shown.as_ref().is_some_and(|it| it.contains(secret)), "{case}: {shown:?}");
            for it in complete(file, offset, CompletionOptions::default()) {
                assert!(!format!("{it:?}").contains(secret), "{case}: {it:?}");
            }
        }
    }
}
