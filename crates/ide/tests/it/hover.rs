use voxlint::syntax::Format;
use voxlint::{Document, Inputs};
use voxlint_ide::{File, hover, hover_configuration};

use crate::support::{inputs, places, unmarked};

#[test]
fn hovers_say_what_is_there() {
    let mut shown = Vec::new();
    for (format, marked) in places(include_str!("../places/hover.txt")) {
        let (text, offset) = unmarked(&marked);
        let inputs = inputs(&text, format);
        let found = hover(File::new(&inputs), offset);
        let body = found.map_or_else(
            || "nothing".to_owned(),
            |found| format!("[{}]\n{}", found.span.slice(&text), found.markdown.trim_end()),
        );
        shown.push(format!("=== {}\n{body}\n\n", marked.replace('\n', "⏎")));
    }
    voxlint_testing::assert_snapshot("ide", "hovers", &shown.concat());
}

/// The texts of the other inputs have hovers of their own.
#[test]
fn hovers_of_related_files_say_what_is_there() {
    let (prompt, place) = unmarked("Hello {{clinic_‸name}}, {{#each");
    let text = voxlint::TextFile::new(
        voxlint::schema::settings::prompt_text.row,
        Document::parse_as(prompt.as_str(), Format::Text),
    );
    let inputs = inputs("{ \"version_number\": 7 }", Format::Json).texts([text]);
    let at = |origin, word: &str| {
        let file = File { inputs: &inputs, origin };
        let offset = file.text().find(word).expect("a word") as u32;
        hover(file, offset).map(|hover| hover.markdown).unwrap_or_default()
    };
    let stored = at(voxlint::Origin::Stored, "kb_max_chunks");
    assert!(stored.contains("1 to 10") && !stored.contains("stored:"), "{stored}");
    let facts = at(voxlint::Origin::Facts, "\"llms\"");
    assert!(facts.contains("The ids of the language models."), "{facts}");
    let variable = hover(File { inputs: &inputs, origin: voxlint::Origin::Text(0) }, place);
    let variable = variable.expect("a variable").markdown;
    assert!(variable.contains("default (stored): `Northside`"), "{variable}");
    let effective = at(voxlint::Origin::Document, "version_number");
    assert!(effective.contains("stored: `7`, as in this document"), "{effective}");
}

const CONFIGURATION: &[&str] = &[
    "vari‸ables = []\n",
    "[rul‸es]\n",
    "[rules]\nunknown-f‸ield = \"off\"\n",
    "[rules]\nsty‸le = \"info\"\n",
    "[readings]\nempty-‸ids = \"rejected\"\n",
    "[readings]\nempty-ids = \"rej‸ected\"\n",
    "[readings.emp‸ty-ids]\nvalue = \"rejected\"\n",
    "[[suppressions]]\nrules = [\"out-of-r‸ange\"]\n",
    "[[documents]]\nagent_ty‸pe = \"x\"\n",
    "[rules.unknown-fie‸ld]\nallow = []\n",
];

#[test]
fn hovers_of_the_configuration_say_what_is_there() {
    let mut shown = Vec::new();
    for marked in CONFIGURATION {
        let (text, offset) = unmarked(marked);
        let found = hover_configuration(&text, offset).expect(marked);
        let word = found.span.slice(&text);
        let body = found.markdown.trim_end();
        shown.push(format!("=== {}\n[{word}]\n{body}\n\n", marked.replace('\n', "⏎")));
    }
    voxlint_testing::assert_snapshot("ide", "hovers-configuration", &shown.concat());
}

#[test]
fn the_uses_of_a_variable_are_a_minimum_beside_a_text_that_cannot_be_read() {
    let about = |prompt: &str| {
        let text = format!(
            r#"{{ "version_number": 3, "welcome_message": "{{{{name}}}}", "prompt_text": "{prompt}" }}"#
        );
        let inputs = Inputs::new(Document::parse(text.as_str()));
        let at = text.find("name}}").unwrap() as u32 + 1;
        hover(File::new(&inputs), at).unwrap().markdown
    };
    assert!(about("{{name}").contains("- at least 0 other uses"), "{}", about("{{name}"));
    assert!(about("{{name}}").contains("- 1 other use\n"), "{}", about("{{name}}"));
}
