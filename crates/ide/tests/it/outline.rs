//! Symbols, folding ranges and selection ranges.

use std::fmt::Write as _;

use voxlint::syntax::Format;
use voxlint::{Document, DocumentKind, Inputs};
use voxlint_ide::{File, Symbol, folding_ranges, selection_ranges, symbols};

const YAML: &str = "\
# The front desk.
# Reviewed in May.
version_number: 3
prompt_text: |
  # Role

  {{#if vip}}
  Welcome {{name}}.
  {{else}}
  {{#each orders as |order|}}
  {{order}}
  {{/each}}
  {{/if}}
  ## Limits
default_dynamic_variables:
  name: you
knowledge_base_ids: [kb_a, kb_b]
agent_functions:
  - displayName: book_room
    type: custom
    config:
      headers: { Authorization: Bearer 8f3a9c2b1d4e5f60a7b8c9d0 }
  - description: none
";

const TOML: &str = "\
version_number = 3
prompt_text = '''
Hello
{{name}}'''

[default_dynamic_variables]
name = \"you\"

[[agent_functions]]
displayName = \"a\"

[agent_functions.config]
url = \"https://example.com\"

[[agent_functions]]
displayName = \"b\"
";

const JSON: &str = "{\n  \"version_number\": 3,\n  \"boosted_keywords\": \"\",\n  \"tags\": [[1], {\"x\": null}, \"y\", true]\n";

fn written(outline: &[Symbol], depth: usize, text: &str, into: &mut String) {
    for symbol in outline {
        let detail = symbol.detail.as_ref().map_or(String::new(), |detail| format!(" — {detail}"));
        let selection = symbol.selection.slice(text).lines().next().unwrap_or_default();
        let lines = symbol.span.slice(text).lines().count();
        let _ = writeln!(
            into,
            "{:indent$}{}{detail}  [{:?}, {lines} lines, selects {selection}]",
            "",
            symbol.name,
            symbol.kind,
            indent = depth * 2,
        );
        written(&symbol.children, depth + 1, text, into);
    }
}

#[test]
fn outlines_are_what_a_person_looks_for() {
    let mut shown = String::new();
    for (text, format) in [(YAML, Format::Yaml), (TOML, Format::Toml), (JSON, Format::Json)] {
        let _ = writeln!(shown, "== {format}");
        written(&symbols(&Document::parse_as(text, format)), 0, text, &mut shown);
    }
    let prompt = "# A\n{{#if b}}\nc\n{{/if}}\n";
    shown.push_str("== text\n");
    written(&symbols(&Document::parse_as(prompt, Format::Text)), 0, prompt, &mut shown);
    voxlint_testing::assert_snapshot("ide", "outline", &shown);
}

#[test]
fn outlines_show_no_secrets() {
    for (text, format) in [(YAML, Format::Yaml), (TOML, Format::Toml)] {
        let shown = format!("{:?}", symbols(&Document::parse_as(text, format)));
        assert!(!shown.contains("8f3a9c2b1d4e5f60"), "{shown}");
    }
    let json = r#"{ "version_number": 3, "agent_functions": [{ "config": { "password": "hunter\u0032\u0032" } }] }"#;
    let shown = format!("{:?}", symbols(&Document::parse(json)));
    assert!(shown.contains("********") && !shown.contains("hunter"), "{shown}");
}

#[test]
fn folds_end_before_the_line_that_closes_them() {
    let mut shown = String::new();
    let jsonc = "// one\n// two\n{ /* a\n b */\n  \"x\": [\n    1,\n    2\n  ], // end\n  /*\n   * long\n   */\n  \"y\": {\n  }\n}\n";
    for (text, format) in
        [(YAML, Format::Yaml), (TOML, Format::Toml), (JSON, Format::Json), (jsonc, Format::Jsonc)]
    {
        let _ = writeln!(shown, "== {format}");
        for fold in folding_ranges(&Document::parse_as(text, format)) {
            let source = fold.span.slice(text);
            let first = source.lines().next().unwrap_or_default();
            let last = source.lines().last().unwrap_or_default().trim();
            let line = text[..fold.span.start as usize].lines().count().max(1);
            let _ = writeln!(shown, "{line}: {:?} {first} … {last}", fold.kind);
        }
    }
    voxlint_testing::assert_snapshot("ide", "folds", &shown);
}

#[test]
fn selections_grow_from_the_word_to_the_document() {
    let mut shown = String::new();
    let escaped = r#"{ "prompt_text": "Hi\nBob {{#if vip}}{{customer.name}}{{/if}}" }"#;
    for (text, format, word) in [
        (YAML, Format::Yaml, "order}}"),
        (YAML, Format::Yaml, "book_room"),
        (TOML, Format::Toml, "name}}"),
        (TOML, Format::Toml, "https"),
        (escaped, Format::Json, "name}}"),
        (escaped, Format::Json, "Bob"),
    ] {
        let inputs = Inputs::new(Document::parse_as(text, format)).kind(DocumentKind::Update);
        let at = text.find(word).unwrap() as u32 + 1;
        let _ = writeln!(shown, "== {format} {word}");
        for range in selection_ranges(File::new(&inputs), at) {
            let _ = writeln!(shown, "{:?}", range.slice(text));
        }
    }
    voxlint_testing::assert_snapshot("ide", "selections", &shown);
}

/// Each document of a file has the whole text, but folds only its own part. If each read the whole text, the test
/// would take hours.
#[test]
fn many_documents_in_a_file_are_folded_in_linear_time() {
    const MANY: usize = 20_000;
    let text = "---\n# The front desk.\n# Reviewed in May.\nversion_number: 3\ntags:\n  - a\n"
        .repeat(MANY);
    let documents = Document::parse_all(text.as_str(), Format::Yaml);
    assert_eq!(documents.len(), MANY);
    let mut end = 0;
    for document in &documents {
        let ranges: Vec<_> = folding_ranges(document).iter().map(|range| range.span).collect();
        let folded: Vec<_> = ranges.iter().map(|span| span.slice(&text)).collect();
        assert_eq!(folded, ["# The front desk.\n# Reviewed in May.", "tags:\n  - a"]);
        assert!(end <= ranges[0].start, "in the order of the text");
        end = ranges[1].end;
        assert_eq!(symbols(document).len(), 2);
    }
}
