//! The same document in every format.

use voxlint::syntax::{Format, parse};
use voxlint::{Document, Inputs, check};
use voxlint_testing::trees::same_values;
use voxlint_testing::writers::WRITERS;

use crate::texts::Choices;

/// Names of fields, names that need quotes in some formats, and names that are not fields.
const NAMES: [&str; 24] = [
    "version_number",
    "title",
    "prompt_text",
    "welcome_message",
    "kb_max_chunks",
    "responsiveness",
    "agent_functions",
    "type",
    "config",
    "post_call_analysis",
    "field_name",
    "default_dynamic_variables",
    "boosted_keywords",
    "knowledge_base_ids",
    "a",
    "a b",
    "a.b",
    "true",
    "1",
    "-",
    "<",
    "é",
    "#",
    "",
];

/// Texts that are special in some formats.
const TEXTS: [&str; 32] = [
    "",
    "x",
    "true",
    "no",
    "~",
    "1",
    "1e5",
    "0x1F",
    "2020-01-01",
    "- a",
    "a: b",
    "a #b",
    "#",
    "&a",
    "*a",
    "!a",
    "{{name}}",
    "{{#if a}}b{{/if}}",
    "[a]",
    "'",
    "it's",
    "|",
    ">",
    "%",
    "@",
    "a\nb",
    "a\n\nb\n",
    "a\tb",
    " a ",
    "\"\\",
    "😀é",
    "\u{feff}a\u{2028}",
];

const NUMBERS: [&str; 10] =
    ["0", "1", "-1", "3", "0.5", "1e2", "-0.0", "12345678901234567890", "1.50", "20"];

/// Holds if a document has the same values and findings in every format. Each byte of the input is a choice.
pub fn formats(bytes: &[u8]) {
    let mut choices = Choices(bytes);
    let mut json = String::new();
    object(&mut choices, &mut json, 0);
    let parsed = parse(&*json, Format::Json);
    assert!(parsed.errors.is_empty(), "{:?} in {json}", parsed.errors);
    let root = parsed.documents[0].root().expect("an object");
    for (name, format, write) in WRITERS {
        let Some(text) = write(root) else { continue };
        let other = parse(&*text, format);
        assert!(other.errors.is_empty(), "{name}: {:?} in\n{text}", other.errors);
        let other = other.documents[0].root().expect("an object");
        match same_values(root, other) {
            // Tables come after other fields, so the order differs.
            Err(why) if name != "TOML with tables" => panic!("{name}: {why} in\n{text}"),
            _ => {}
        }
        assert_eq!(rules(&json, Format::Json), rules(&text, format), "{name}:\n{json}\n{text}");
    }
}

/// The rules that report something, with the verdicts and fields.
fn rules(text: &str, format: Format) -> Vec<String> {
    let report = check(&Inputs::new(Document::parse_as(text, format)).optional_rules(true));
    let found = report.diagnostics.iter().filter(|found| {
        // Below a TOML header, the rule reports more names.
        found.rule.id != "setting-in-variables"
    });
    let mut found: Vec<_> =
        found.map(|it| format!("{} {:?} {}", it.rule.id, it.verdict, it.field)).collect();
    found.sort();
    found
}

fn object(choices: &mut Choices<'_>, out: &mut String, depth: usize) {
    out.push('{');
    let mut used = Vec::new();
    for _ in 0..choices.below(6) {
        let name = choices.pick(&NAMES);
        if used.contains(&name) {
            continue;
        }
        if !used.is_empty() {
            out.push_str(", ");
        }
        used.push(name);
        out.push_str(&serde_json::to_string(name).expect("a JSON string"));
        out.push_str(": ");
        value(choices, out, depth + 1);
    }
    out.push('}');
}

fn value(choices: &mut Choices<'_>, out: &mut String, depth: usize) {
    let kinds = if depth > 6 || choices.is_empty() { 5 } else { 8 };
    match choices.below(kinds) {
        0 => out.push_str(choices.pick(&["true", "false"])),
        1 => out.push_str(choices.pick(&NUMBERS)),
        2 | 3 => {
            let text = choices.pick(&TEXTS);
            out.push_str(&serde_json::to_string(text).expect("a JSON string"));
        }
        4 => out.push_str("null"),
        5 | 6 => object(choices, out, depth),
        _ => {
            out.push('[');
            for at in 0..choices.below(4) {
                if at > 0 {
                    out.push_str(", ");
                }
                value(choices, out, depth + 1);
            }
            out.push(']');
        }
    }
}
