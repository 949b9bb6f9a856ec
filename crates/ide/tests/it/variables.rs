//! Definitions, references and new names of template variables.

use std::collections::BTreeMap;

use voxlint::schema::settings;
use voxlint::syntax::edit::json_text;
use voxlint::syntax::{Format, Span};
use voxlint::{
    Document, DocumentKind, Inputs, NameScope, Origin, Stored, TextEdit, TextFile, VariableSource,
    Wildcard, template_variables, variable_names,
};
use voxlint_ide::{File, Name, NamePlace, PlaceRole, RenameError, name_at};
use voxlint_testing::cases;
use voxlint_testing::generated_inputs::Random;

use crate::common::fixtures;

fn update(text: &str, format: Format) -> Inputs {
    Inputs::new(Document::parse_as(text, format)).kind(DocumentKind::Update)
}

fn rename(inputs: &Inputs, name: &str, to: &str) -> Result<Vec<(Origin, TextEdit)>, RenameError> {
    voxlint_ide::rename(inputs, &Name::Variable(name.to_owned()), to)
}

fn occurrences(inputs: &Inputs, name: &str) -> Vec<NamePlace> {
    voxlint_ide::occurrences(inputs, &Name::Variable(name.to_owned()))
}

pub(crate) fn edited(inputs: &Inputs, edits: &[(Origin, TextEdit)]) -> Inputs {
    let mut by_origin: BTreeMap<Origin, Vec<TextEdit>> = BTreeMap::new();
    for (origin, edit) in edits {
        by_origin.entry(*origin).or_default().push(edit.clone());
    }
    let edit = |inputs: Inputs, (origin, edits): (Origin, Vec<TextEdit>)| {
        inputs.with_edits(origin, &edits).expect("edits that fit")
    };
    by_origin.into_iter().fold(inputs.clone(), edit)
}

pub(crate) fn texts(inputs: &Inputs) -> Vec<String> {
    let files = inputs.text_files().iter().map(|file| file.document().text().to_owned());
    [inputs.document().text().to_owned()].into_iter().chain(files).collect()
}

/// A use: its input, its template, and everything else that the table says about it but its place in the file.
type Use = (Origin, String, String, bool, bool);

/// A variable without its places in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Row {
    source: Option<VariableSource>,
    default: Option<(Origin, String)>,
    uses: Vec<Use>,
    mentions: Vec<String>,
}

fn table(inputs: &Inputs) -> BTreeMap<String, Row> {
    let table = template_variables(inputs).expect("a table");
    assert!(table.variables.is_sorted_by_key(|it| &it.name));
    let rows = table.variables.into_iter().map(|variable| {
        let uses = variable.uses.into_iter().map(|it| {
            let role = it.role.name().to_owned();
            (it.place.origin, it.place.field, role, it.is_guarded, it.is_certain)
        });
        let row = Row {
            source: variable.source,
            default: variable.default.map(|place| (place.origin, place.field)),
            uses: uses.collect(),
            mentions: variable.mentions,
        };
        (variable.name, row)
    });
    rows.collect()
}

/// Renames, and asserts the laws if that is possible: the table of variables is the one before with the new name, everything else
/// is the same, and renaming back restores the bytes.
fn assert_laws(what: &str, inputs: &Inputs, name: &str, to: &str) -> Result<(), RenameError> {
    let edits = rename(inputs, name, to)?;
    if name == to {
        assert_eq!(edits, [], "{what}");
        return Ok(());
    }
    let renamed = edited(inputs, &edits);
    for (origin, edit) in &edits {
        assert!(matches!(origin, Origin::Document | Origin::Text(_)), "{what}");
        assert_eq!(edit.text, to, "{what}");
    }
    let (mut expected, found) = (table(inputs), table(&renamed));
    let Some(old) = expected.remove(name) else {
        // The table does not have the names of a text file that is not sent, and masks secrets.
        assert!(what.contains("text-given-twice") || what.contains("secret"), "{what}: {name}");
        return Ok(());
    };
    // Names inside values are not the variable.
    let (certain, inner): (Vec<Use>, Vec<Use>) = old.uses.into_iter().partition(|used| used.4);
    let mut uses = certain;
    uses.extend(expected.remove(to).into_iter().flat_map(|row| row.uses));
    let new_row = found.get(to).unwrap_or_else(|| panic!("{what}: no `{to}` in {found:?}"));
    let sorted = |mut uses: Vec<Use>| {
        uses.sort();
        uses
    };
    assert_eq!(sorted(new_row.uses.clone()), sorted(uses), "{what}: {name} → {to}");
    assert_eq!(new_row.mentions, old.mentions, "{what}: {name} → {to}");
    let default = old.default.map(|(origin, field)| {
        let object = field.rsplit_once('/').expect("a pointer").0;
        (origin, format!("{object}/{to}"))
    });
    assert_eq!(new_row.default, default, "{what}: {name} → {to}");
    assert_eq!(new_row.source, old.source, "{what}: {name} → {to}");
    let mut others = found.clone();
    others.remove(to);
    if let Some(row) = others.remove(name) {
        // What is left is that of values, and a stored default.
        assert_eq!(row.uses, inner, "{what}: {name} → {to}");
        assert!(row.default.is_none_or(|(origin, _)| origin == Origin::Stored), "{what}");
    } else {
        assert!(inner.is_empty(), "{what}: {name} → {to}");
    }
    assert_eq!(others, expected, "{what}: {name} → {to}");
    let places = occurrences(inputs, name);
    let is_editable = |origin: Origin| matches!(origin, Origin::Document | Origin::Text(_));
    let editable: Vec<Span> =
        places.iter().filter(|it| is_editable(it.origin)).map(|it| it.span).collect();
    let spans: Vec<Span> = edits.iter().map(|(_, edit)| edit.span).collect();
    assert!(editable.iter().all(|span| spans.contains(span)), "{what}: {editable:?} {spans:?}");
    match rename(&renamed, to, name) {
        Ok(back) => {
            assert_eq!(texts(&edited(&renamed, &back)), texts(inputs), "{what}: {name} → {to}");
        }
        // A name that could not be chosen today.
        Err(error) => {
            let is_word = ["no", "yes", "on", "off", "y", "n"].contains(&name);
            let error = error.to_string();
            let is_expected = error.contains("cannot be the name of this variable")
                || (is_word && error.contains("one place spells the name"));
            assert!(is_expected, "{what}: {name} → {to}, and back: {error}");
        }
    }
    Ok(())
}

#[test]
fn variables_of_fixtures_are_renamed_by_the_laws() {
    let (mut renamed, mut refused) = (0, BTreeMap::<String, usize>::new());
    for (what, inputs) in fixtures() {
        let mut names: Vec<String> =
            variable_names(&inputs).names.into_iter().map(|it| it.name).collect();
        names.sort_unstable();
        names.dedup();
        for name in names {
            match assert_laws(&what, &inputs, &name, "renamed_variable") {
                Ok(()) => renamed += 1,
                Err(error) => *refused.entry(error.to_string()).or_default() += 1,
            }
        }
    }
    assert!(renamed > 150, "{renamed} renamed; refused: {refused:?}");
}

const PARTS: &[&str] = &[
    "Hi {{a}}, ",
    "{{~ b ~}} ",
    "{{#if a}}{{b}}{{else if c}}{{c.name}}{{else}}{{a}}{{/if}}",
    "{{#each items}}{{a}}{{../b}}{{@root.a}}{{/each}}",
    "{{#each items as |b|}}{{b}}{{../a}}{{/each}}",
    "{{#if c as |a|}}{{a}}{{b}}{{/if}}",
    "{{#with c}}{{a}}{{#if b}}{{../b}}{{/if}}{{/with}}",
    "{{#a}}x{{/a}}",
    "{{^b}}y{{else}}{{b}}{{/b}}",
    "{{[a]}} {{this.b}} {{./c}}",
    "{{lookup c \"k\"}}",
    "{{! a b c }}",
    "{{\"b\"}}{{'a'}}",
    "\\{{a}} {{{c}}}{{&a}}",
    "é “b” a\n",
    "{{#if\n  a}}z{{/if}}\n",
    "{{#b.x}}y{{/b.x}}",
    "{{#b}}{{a}}{{/b}}",
    "{{[first name]}}",
];

/// A template in a format, written in one of its ways.
fn document(random: &mut Random, format: Format) -> String {
    let count = 1 + random.below(6);
    let template: String = (0..count).map(|_| random.pick(PARTS)).collect();
    let line_break = random.pick(&["\n", "\n", "\r\n"]);
    let escaped = |text: &str| -> String {
        let escaped = json_text(text);
        escaped.replace('é', random_escape(text))
    };
    let indented = |text: &str| text.trim_end().replace('\n', "\n  ");
    let keys = ["a", "b", "c", "items", "first name"];
    let keys: Vec<&str> = keys.into_iter().filter(|_| random.percent(60)).collect();
    let text = match format {
        Format::Json => {
            let defaults: Vec<String> =
                keys.iter().map(|key| format!("\"{key}\": \"{key}\"")).collect();
            format!(
                "{{\n  \"version_number\": 3,\n  \"prompt_text\": \"{}\",\n  \"default_dynamic_variables\": {{ {} }}\n}}\n",
                escaped(&template),
                defaults.join(", ")
            )
        }
        Format::Toml => {
            let quoted = match random.below(3) {
                0 => format!("\"{}\"", escaped(&template)),
                1 => format!("'''\n{template}'''"),
                _ => format!("\"\"\"\n{}\"\"\"", template.replace('\\', "\\\\")),
            };
            let table = random.percent(50);
            let is_bare = |key: &str| !key.contains(' ');
            let name = |key: &str| if is_bare(key) { key.to_owned() } else { format!("'{key}'") };
            let prefix = if table { "" } else { "default_dynamic_variables." };
            let lines: Vec<String> =
                keys.iter().map(|key| format!("{prefix}{} = \"{key}\"\n", name(key))).collect();
            let lines = lines.concat();
            let header = if table { "[default_dynamic_variables]\n" } else { "" };
            format!("version_number = 3\nprompt_text = {quoted}\n{header}{lines}")
        }
        _ => {
            let scalar = match random.below(5) {
                0 => format!("|\n  {}", indented(&template)),
                1 => format!(">-\n  {}", indented(&template)),
                2 => format!("\"{}\"", escaped(&template)),
                3 => format!("'{}'", indented(&template).replace('\'', "''")),
                _ => format!("&p |\n  {}\nwelcome_message: *p", indented(&template)),
            };
            let lines: Vec<String> = keys.iter().map(|key| format!("  {key}: {key}\n")).collect();
            let lines = lines.concat();
            let lines = if lines.is_empty() { "  {}\n".to_owned() } else { lines };
            format!("version_number: 3\nprompt_text: {scalar}\ndefault_dynamic_variables:\n{lines}")
        }
    };
    // JSON and TOML do not allow a byte order mark.
    let mark = if random.percent(20) && format.is_yaml() { "\u{feff}" } else { "" };
    format!("{mark}{}", text.replace('\n', line_break))
}

fn random_escape(text: &str) -> &'static str {
    if text.len().is_multiple_of(2) { "\\u00e9" } else { "é" }
}

#[test]
fn variables_of_generated_documents_are_renamed_by_the_laws() {
    let mut random = Random::new(7);
    for format in [Format::Json, Format::Yaml, Format::Toml] {
        let (mut renamed, mut refused) = (0, BTreeMap::<String, usize>::new());
        for _ in 0..cases(300, 2_000) {
            let text = document(&mut random, format);
            let mut inputs = update(&text, format);
            assert!(!inputs.document().has_errors(), "{text:?}");
            if random.percent(30) {
                let file = Document::parse_as(random.pick(PARTS), Format::Text);
                inputs = inputs.texts([TextFile::new(settings::voicemail_message.row, file)]);
            }
            let name = random.pick(&["a", "b", "c", "items", "first name"]);
            let to =
                random.pick(&["z", "a", "b", "größe", "some_longer-name", "z z", "if", "agent_id"]);
            let what = format!("{text:?} {name} {to}");
            match assert_laws(&what, &inputs, name, to) {
                Ok(()) => renamed += usize::from(name != to),
                Err(error) => *refused.entry(error.to_string()).or_default() += 1,
            }
        }
        assert!(renamed > 20, "{format}: {renamed} renamed; refused: {refused:?}");
    }
}

#[test]
fn places_of_a_variable_are_found_over_all_texts() {
    let text = "welcome_message: Hi {{name}}, {{#each a as |name|}}{{name}}{{../name}}{{/each}}\n\
                default_dynamic_variables:\n  name: you\n";
    let prompt = "{{#name}}{{! name }}{{/name}}{{#with b}}{{name}}{{/with}}";
    let stored =
        r#"{ "default_dynamic_variables": { "name": "them" }, "voicemail_message": "{{name}}" }"#;
    let inputs = update(text, Format::Yaml)
        .texts([TextFile::new(settings::prompt_text.row, Document::parse_as(prompt, Format::Text))])
        .stored(Stored::new(Document::parse(stored)));
    let shown: Vec<_> = occurrences(&inputs, "name")
        .into_iter()
        .map(|place| {
            let text = File { inputs: &inputs, origin: place.origin }.text();
            assert_eq!(place.span.slice(text), "name");
            let line = text[..place.span.start as usize].lines().count();
            let role = if place.role == PlaceRole::Definition { "default" } else { "use" };
            format!("{} {line} {role}", place.origin.name())
        })
        .collect();
    assert_eq!(
        shown,
        [
            "document 1 use",
            "document 1 use",
            "document 3 default",
            "stored 1 default",
            "stored 1 use",
            "text 1 use",
        ]
    );
    let at = |origin, text: &str, word: &str, behind: usize| {
        let offset = text.find(word).unwrap() + behind;
        name_at(File { inputs: &inputs, origin }, offset as u32)
            .map(|(name, _)| name.as_str().to_owned())
    };
    let document = |word, behind| at(Origin::Document, text, word, behind);
    assert_eq!(document("name}},", 0).as_deref(), Some("name"));
    assert_eq!(document("name}},", 4).as_deref(), Some("name"));
    assert_eq!(document("name}},", 5), None);
    assert_eq!(document("|name|", 2), None);
    assert_eq!(document("name}}{{..", 1), None, "a block parameter");
    assert_eq!(document("name: you", 1).as_deref(), Some("name"));
    assert_eq!(document("each", 1), None, "a helper");
    let prompt_at = |word, behind| at(Origin::Text(0), prompt, word, behind);
    assert_eq!(prompt_at("{{/name", 4).as_deref(), Some("name"));
    assert_eq!(prompt_at("! name", 3), None, "a comment");
    assert_eq!(prompt_at("name}}{{/with", 1), None, "a name of `b`");
}

#[test]
fn a_rename_changes_names_wherever_they_are_and_nothing_else() {
    let text = "welcome_message: Hi {{name}}, {{#each a}}{{name}}{{../name}}{{/each}}\n\
                title: name\ndefault_dynamic_variables: { name: you }\n";
    let prompt = "{{#if [name]}}{{name.first}}{{/if}}{{! name }}";
    let inputs = update(text, Format::Yaml).texts([TextFile::new(
        settings::prompt_text.row,
        Document::parse_as(prompt, Format::Text),
    )]);
    let edits = rename(&inputs, "name", "caller").expect("a rename");
    assert_eq!(
        texts(&edited(&inputs, &edits)),
        [
            "welcome_message: Hi {{caller}}, {{#each a}}{{name}}{{../caller}}{{/each}}\n\
             title: name\ndefault_dynamic_variables: { caller: you }\n",
            "{{#if [caller]}}{{caller.first}}{{/if}}{{! name }}",
        ]
    );
}

#[test]
fn a_rename_is_refused_with_a_reason() {
    let json = |prompt: &str, rest: &str| {
        let text = format!(r#"{{ "version_number": 3, "prompt_text": "{prompt}"{rest} }}"#);
        update(&text, Format::Json)
    };
    let refused = |inputs: &Inputs, name: &str, to: &str| {
        rename(inputs, name, to).expect_err("a reason").to_string()
    };
    let plain = json("{{name}} {{b}} {{fmt b}}", "");
    let taken = "already used with another meaning";
    let not_a_name = "cannot be the name of this variable";
    for (inputs, name, to, expected) in [
        (&plain, "name", "", not_a_name),
        (&plain, "name", "two words", not_a_name),
        (&plain, "name", "a.b", not_a_name),
        (&plain, "name", "if", not_a_name),
        (&plain, "name", "else", not_a_name),
        (&plain, "name", "na\u{200b}me", not_a_name),
        (&plain, "name", "}}{{x", not_a_name),
        (&plain, "name", "b", taken),
        (&plain, "name", "caller_number", "the service provides `caller_number`"),
        (&plain, "name", "agent_transfer_destinations", "is a setting of the service"),
        (&plain, "nme", "x", "there is no template variable `nme`"),
        (&json("{{agent_id}}", ""), "agent_id", "x", "the service provides `agent_id`"),
        (&json("{{name}} {{oops", ""), "name", "x", "a template has a syntax error"),
        (&json("{{name}}", ","), "name", "x", "the document has a syntax error"),
        (&json("{{name}} {{#each this}}{{@key}}{{/each}}", ""), "name", "x", "reads all variables"),
        (&json("{{#b}}{{name}}{{/b}}", ""), "name", "x", "inside a section"),
        (&json("{{n\\u0061me}}", ""), "name", "x", "spells the name in a way"),
        (&json("{{#if b as |x|}}{{name}}{{/if}}", ""), "name", "x", "another meaning"),
        (
            &json("{{name}}", r#", "call_end_text": "{{name}}""#),
            "name",
            "x",
            "`call_end_text` also mentions",
        ),
        (
            &json(
                "Hi",
                r#", "default_dynamic_variables": {"name": ""}, "agent_functions": [{"displayName": "name"}]"#,
            ),
            "name",
            "x",
            "`agent_functions` also mentions",
        ),
        (
            &json("{{name}}", "").stored(Stored::new(Document::parse(
                r#"{"default_dynamic_variables": {"name": "x"}}"#,
            ))),
            "name",
            "x",
            "the stored configuration also has",
        ),
        (
            &json("{{name}}", "")
                .stored(Stored::new(Document::parse(r#"{"welcome_message": "{{name}}"}"#))),
            "name",
            "x",
            "the stored configuration also has",
        ),
        (
            &json("{{name}}", "").variables([Wildcard::new("name")]),
            "name",
            "x",
            "add `x` to its `variables`",
        ),
        (
            &json("{{name}}", "").stored(Stored::new(Document::parse(
                r#"{"default_dynamic_variables": {"x": "x"}}"#,
            ))),
            "name",
            "x",
            taken,
        ),
    ] {
        let error = refused(inputs, name, to);
        assert!(error.contains(expected), "{name} → {to}: {error}");
    }
    let listed = json("{{name}}", "").variables([Wildcard::new("name"), Wildcard::new("x")]);
    assert!(rename(&listed, "name", "x").is_ok());
    let both = json("{{name}}", r#", "default_dynamic_variables": {"name": "you"}"#);
    let stored = Document::parse(r#"{"default_dynamic_variables": {"name": "x"}}"#);
    assert!(rename(&both.stored(Stored::new(stored)), "name", "x").is_ok());
    assert_eq!(rename(&plain, "name", "name"), Ok(Vec::new()));
    let scopes: Vec<_> = variable_names(&plain).names.iter().map(|it| it.scope).collect();
    assert!(scopes.iter().all(|scope| *scope == Some(NameScope::Call)));
}
