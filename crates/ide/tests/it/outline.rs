//! Symbols.

use std::fmt::Write as _;

use voxlint::Document;
use voxlint::syntax::Format;
use voxlint_ide::{Symbol, symbols};

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

/// Each document of a file has the whole text, but symbols only of its own part. If each read the whole text, the test
/// would take hours.
#[test]
fn many_documents_in_a_file_are_outlined_in_linear_time() {
    const MANY: usize = 20_000;
    let text = "---\n# The front desk.\n# Reviewed in May.\nversion_number: 3\ntags:\n  - a\n"
        .repeat(MANY);
    let documents = Document::parse_all(text.as_str(), Format::Yaml);
    assert_eq!(documents.len(), MANY);
    let mut end = 0;
    for document in &documents {
        let symbols = symbols(document);
        assert_eq!(symbols.len(), 2);
        assert!(end <= symbols[0].span.start, "in the order of the text");
        end = symbols[1].span.end;
    }
}
