//! Suppressing a finding here, and adding a variable to the configuration.

use voxlint::syntax::edit::apply;
use voxlint::syntax::{Format, parse};
use voxlint::{Diagnostic, Document, Inputs, Origin, Trace, check};
use voxlint_config::{CheckSettings, Configuration, Date, DocumentScope, check_document};
use voxlint_ide::{File, add_known_variable, suppress};
use voxlint_testing::generated_inputs::Random;

use crate::common::{fixtures, origins};

/// What a finding says, without its place.
fn key(found: &Diagnostic) -> (Origin, String, String, String) {
    (found.origin, found.rule.id.to_string(), found.field.clone(), found.message.clone())
}

/// The findings that a run shows, and those that are suppressed.
fn findings(inputs: &Inputs) -> (Vec<Diagnostic>, Vec<Diagnostic>) {
    let configuration = Configuration::built_in();
    let today = Date::new(2027, 1, 1).expect("a date");
    let settings = CheckSettings::new(configuration.for_file("document"), today);
    let report =
        check_document(inputs.clone(), &settings, DocumentScope::default(), &mut Trace::off())
            .report;
    let suppressed = report.suppressed.into_iter().map(|it| it.diagnostic).collect();
    (report.diagnostics, suppressed)
}

fn keys(found: &[Diagnostic]) -> Vec<(Origin, String, String, String)> {
    let mut keys: Vec<_> = found.iter().map(key).collect();
    keys.sort();
    keys
}

#[test]
fn a_comment_suppresses_this_finding_and_changes_nothing_else() {
    let (mut suppressed, mut together, mut refused) = (0, 0, 0);
    for (name, inputs) in fixtures() {
        let inputs = inputs.without_fixes();
        let format = inputs.document().format();
        let mut variants = vec![inputs.clone()];
        if format == Format::Json {
            // JSON is YAML, and JSON with comments.
            for format in [Format::Jsonc, Format::Yaml] {
                let document = Document::parse_as(inputs.document().text(), format);
                variants.push(inputs.clone().with_document(document));
            }
        }
        for inputs in variants {
            let (before, hidden_before) = findings(&inputs);
            for origin in origins(&inputs) {
                let file = File { inputs: &inputs, origin };
                for found in before.iter().filter(|it| it.origin == origin).take(12) {
                    let edits = suppress(file, found, "agreed with the team");
                    let Some((edits, count)) = edits else {
                        refused += 1;
                        continue;
                    };
                    assert_ne!(file.document().format(), Format::Json);
                    let edited = inputs.with_edits(origin, &edits).expect("edits that fit");
                    let (after, hidden) = findings(&edited);
                    // Which findings are hidden, without those that were before.
                    let mut added = keys(&hidden);
                    for old in keys(&hidden_before) {
                        let at = added.iter().position(|it| *it == old).expect("a hidden finding");
                        added.remove(at);
                    }
                    assert_eq!(added.len(), count, "{name}: {}", edited.document().text());
                    assert!(added.contains(&key(found)), "{name}");
                    assert!(added.iter().all(|it| it.1 == *found.rule.id), "{name}");
                    let mut all = keys(&after);
                    all.extend(added);
                    all.sort();
                    assert_eq!(all, keys(&before), "{name}: {}", edited.document().text());
                    together += usize::from(count > 1);
                    suppressed += 1;
                }
            }
        }
    }
    let shown =
        format!("{suppressed} suppressed, {together} of them with others, {refused} refused");
    assert!(suppressed > 1_000 && together > 100, "{shown}");
}

#[test]
fn comments_are_where_a_person_would_write_them() {
    let suppressed = |text: &str, format, rule: &str| {
        let inputs =
            Inputs::new(Document::parse_as(text, format)).kind(voxlint::DocumentKind::Update);
        let found = check(&inputs)
            .diagnostics
            .into_iter()
            .find(|it| it.rule.id == rule)
            .expect("a finding");
        let alone = suppress(File::new(&inputs), &found, " a  reason\n")?;
        let edited =
            |(edits, _): (Vec<_>, usize)| String::from_utf8(apply(text, &edits).unwrap()).unwrap();
        Some(alone).filter(|(_, count)| *count == 1).map(edited)
    };
    let range = "out-of-range";
    assert_eq!(
        suppressed("\u{feff}kb_max_chunks: 12\r\nversion_number: 3\r\n", Format::Yaml, range)
            .as_deref(),
        Some(
            "\u{feff}# voxlint-ignore out-of-range: a reason\r\nkb_max_chunks: 12\r\nversion_number: 3\r\n"
        )
    );
    assert_eq!(
        suppressed("{\n  \"version_number\": 3,\n  \"kb_max_chunks\": 12\n}", Format::Jsonc, range)
            .as_deref(),
        Some(
            "{\n  \"version_number\": 3,\n  // voxlint-ignore out-of-range: a reason\n  \"kb_max_chunks\": 12\n}"
        )
    );
    assert_eq!(
        suppressed("version_number = 3\nkb_max_chunks = 12", Format::Toml, range).as_deref(),
        Some("version_number = 3\n# voxlint-ignore out-of-range: a reason\nkb_max_chunks = 12")
    );
    // A line inside of a text is part of it.
    let prompt = "version_number: 3\nprompt_text: |\n  Hi.\n  Say ${name}.\n";
    assert_eq!(
        suppressed(prompt, Format::Yaml, "foreign-template-markup").as_deref(),
        Some(
            "version_number: 3\n# voxlint-ignore foreign-template-markup: a reason\nprompt_text: |\n  Hi.\n  Say ${name}.\n"
        )
    );
    // Two findings of one rule on one line cannot be told apart.
    let two = "{ \"version_number\": 3, \"kb_max_chunks\": 12, \"background_sound_volume\": 9 }";
    assert_eq!(suppressed(two, Format::Jsonc, range), None);
    assert_eq!(
        suppressed("{ \"version_number\": 3, \"kb_max_chunks\": 12 }", Format::Json, range),
        None
    );
}

#[test]
fn a_variable_is_added_to_the_list_of_the_configuration() {
    for (text, expected) in [
        ("", "variables = [\"x\"]\n"),
        ("root = true\n", "root = true\nvariables = [\"x\"]\n"),
        ("[rules]\n", "variables = [\"x\"]\n[rules]\n"),
        ("variables = []\n", "variables = [\"x\"]\n"),
        ("variables = ['a', 'b'] # c\n", "variables = ['a', 'b', 'x'] # c\n"),
        ("variables = [\n  \"a\", # c\n]\n", "variables = [\n  \"a\", # c\n  \"x\",\n]\n"),
        (
            "root = true\r\n\r\n[rules]\r\na = 'off'\r\n",
            "root = true\r\nvariables = [\"x\"]\r\n\r\n[rules]\r\na = 'off'\r\n",
        ),
    ] {
        let edits = add_known_variable(text, "x").unwrap_or_else(|| panic!("an edit of {text:?}"));
        let edited = String::from_utf8(apply(text, &edits).unwrap()).unwrap();
        assert_eq!(edited, expected, "{text:?}");
        assert_eq!(add_known_variable(&edited, "x"), None, "{edited:?}");
    }
    for text in
        ["variables = [", "variables = 'x'\n", "variables = [1]\n", "variables = ['*']\n", "a = \n"]
    {
        assert_eq!(add_known_variable(text, "x"), None, "{text:?}");
    }
    assert_eq!(add_known_variable("", "x*"), None);
    assert_eq!(add_known_variable("", ""), None);
}

#[test]
fn a_variable_with_any_name_is_added_to_any_configuration() {
    let mut random = Random::new(3);
    let files = voxlint_testing::files_below("fixtures", "toml");
    let texts: Vec<String> = files
        .iter()
        .filter_map(|file| std::fs::read_to_string(file).ok())
        .filter(|text| parse(text.as_str(), Format::Toml).errors.is_empty())
        .collect();
    let mut added = 0;
    for text in &texts {
        let name = random.pick(&["x", "first name", "größe", "a\"b", "a'b", "a\\b", "a\nb", "😀"]);
        let Some(edits) = add_known_variable(text, name) else { continue };
        let edited = String::from_utf8(apply(text, &edits).unwrap()).unwrap();
        let parsed = parse(edited, Format::Toml);
        assert!(parsed.errors.is_empty(), "{text:?} {name:?}");
        let list =
            parsed.documents[0].root().and_then(|root| root.get("variables")).expect("a list");
        assert_eq!(
            list.elements().last().and_then(voxlint::syntax::Node::as_str).as_deref(),
            Some(name)
        );
        added += 1;
    }
    assert!(added > 20, "{added}");
}
