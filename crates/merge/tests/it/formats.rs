//! What is special about how formats share and arrange values.

use voxlint::syntax::Format;
use voxlint::{Document, Inputs, Stored};
use voxlint_merge::{AdoptInputs, AdoptOptions, EntryKind, adopt};

fn stored(settings: &str) -> Stored {
    let version = format!("{{ \"version_number\": 3, {settings} }}");
    let text =
        format!(r#"{{ "agent": {{ "id": "ag_a" }}, "version": {version}, "complete": true }}"#);
    Stored::new(Document::parse(text))
}

/// A document after adopting a change from one set of settings to another, and what was said.
fn adopted(
    text: &str,
    format: Format,
    base: &str,
    now: &str,
) -> (String, Vec<(EntryKind, String)>) {
    let inputs = Inputs::new(Document::parse_as(text, format)).stored(stored(now));
    let options = AdoptOptions { removes: true, ..AdoptOptions::default() };
    let done = adopt(&AdoptInputs { inputs, base: Some(stored(base)) }, &options).unwrap();
    let said = done.entries.into_iter().map(|entry| (entry.kind, entry.sentence));
    (done.inputs.document().text().to_owned(), said.collect())
}

#[test]
fn a_value_with_an_anchor_changes_with_all_that_share_it_or_not_at_all() {
    let functions = |first: &str, second: &str| {
        let function = |name: &str, url: &str| {
            format!(
                r#"{{ "displayName": "{name}", "type": "custom", "description": "x", "config": {{ "url": "{url}" }} }}"#
            )
        };
        format!(r#""agent_functions": [{}, {}]"#, function("a", first), function("b", second))
    };
    let messages = |one: &str, other: &str| {
        format!(r#""welcome_message": "{one}", "voicemail_message": "{other}""#)
    };
    let scalar = "version_number: 3\nwelcome_message: &w Hello. # said\nvoicemail_message: *w\n";
    let block =
        "version_number: 3\nvoicemail_message: &w |-\n  Hello.\n# next\nwelcome_message: *w\n";
    let config = "version_number: 3\nagent_functions:\n- displayName: a\n  type: custom\n  description: x\n  config: &c\n    url: old # here\n- displayName: b\n  type: custom\n  description: x\n  config: *c\n";
    for (text, old, new, base, both, one, other) in [
        (
            scalar,
            "Hello.",
            "Hi.",
            messages("Hello.", "Hello."),
            messages("Hi.", "Hi."),
            messages("Hi.", "Hello."),
            "`voicemail_message`",
        ),
        (
            block,
            "Hello.",
            "Hi.",
            messages("Hello.", "Hello."),
            messages("Hi.", "Hi."),
            messages("Hello.", "Hi."),
            "`welcome_message`",
        ),
        (
            config,
            "old",
            "new",
            functions("old", "old"),
            functions("new", "new"),
            functions("old", "new"),
            "`agent_functions/a/config/url`",
        ),
    ] {
        let (after, said) = adopted(text, Format::Yaml, &base, &both);
        assert_eq!(after, text.replace(old, new), "{said:#?}");
        assert!(said.iter().all(|it| it.0 == EntryKind::Adopted), "{said:#?}");
        let (after, said) = adopted(text, Format::Yaml, &base, &one);
        assert_eq!((&*after, said.len(), said[0].0), (text, 1, EntryKind::Shared), "{said:#?}");
        assert!(
            said[0].1.ends_with(&format!(
                "because it shares a YAML anchor with {other}, which would not get this change"
            )),
            "{said:#?}"
        );
    }
}

#[test]
fn a_value_with_an_anchor_that_nothing_else_uses_is_an_ordinary_one() {
    for text in [
        "welcome_message: &w Hello.\nversion_number: 3\n",
        "welcome_message: &w |-\n  Hello.\nversion_number: 3\n",
        "welcome_message: &w\n  'Hello.'\nversion_number: 3\n",
    ] {
        let (after, said) = adopted(
            text,
            Format::Yaml,
            r#""welcome_message": "Hello.""#,
            r#""welcome_message": "Hi.""#,
        );
        assert_eq!(after, text.replace("Hello.", "Hi."), "{said:#?}");
    }
}

#[test]
fn functions_that_were_put_in_another_order_take_their_comments_along() {
    let function = |name: &str| {
        format!(r#"{{ "displayName": "{name}", "type": "end_call", "config": {{}} }}"#)
    };
    let [base, now] = [["a", "b", "c"], ["c", "a", "b"]]
        .map(|names| format!(r#""agent_functions": [{}]"#, names.map(function).join(", ")));
    for (format, head, [a, b, c], tail) in [
        (
            Format::Yaml,
            "version_number: 3\nagent_functions:\n",
            [
                "  # one\n  - displayName: a\n    type: end_call\n    config: {} # a\n",
                "  - { displayName: b, type: end_call, config: {} }\n",
                "  - config: {}\n    type: end_call\n    displayName: c\n",
            ],
            "# end\n",
        ),
        (
            Format::Toml,
            "version_number = 3\n",
            [
                "\n# one\n# more\n[[agent_functions]]\ndisplayName = 'a' # a\ntype = 'end_call'\nconfig = {}\n",
                "\n[[agent_functions]]\ntype = 'end_call'\nconfig = {}\ndisplayName = 'b'\n",
                "\n# three\n[[agent_functions]]\ndisplayName = 'c'\ntype = 'end_call'\nconfig = {}\n",
            ],
            "\n[default_dynamic_variables]\nx = 'y'\n",
        ),
        (
            Format::Jsonc,
            "{\r\n  \"version_number\": 3,\r\n  \"agent_functions\": [\r\n",
            [
                "    // one\r\n    { \"displayName\": \"a\", \"config\": {}, \"type\": \"end_call\" },\r\n",
                "    { \"displayName\": \"b\",\r\n      \"config\": {}, \"type\": \"end_call\" },\r\n",
                "    { \"config\": {}, \"type\": \"end_call\", \"displayName\": \"c\" },\r\n",
            ],
            "  ]\r\n}",
        ),
    ] {
        let (after, said) = adopted(&[head, a, b, c, tail].concat(), format, &base, &now);
        assert_eq!(after, [head, c, a, b, tail].concat(), "{said:#?}");
    }
}

#[test]
fn a_block_of_text_in_yaml_becomes_a_list_or_an_object() {
    let settings = |extra: &str| {
        format!(
            r#""title": "Desk", "agent_functions": [{{ "displayName": "a", "config": {{ "extra": {extra} }} }}]"#
        )
    };
    let document = |extra: &str| {
        format!(
            "version_number: 3\nagent_functions:\n- displayName: a\n  config:\n    extra:{extra}\n\n# shown\ntitle: Desk\n"
        )
    };
    for (header, text) in
        [("|-", "One."), ("|", "One.\\n"), (">-", "One."), ("|+", "One.\\n\\n"), ("|2", "One.\\n")]
    {
        for (new, written) in [
            (r#"["a", "b"]"#, "\n    - a\n    - b"),
            (r#"{ "k": "x" }"#, "\n      k: x"),
            ("[]", " []"),
            (r#"["One.\nTwo.\n"]"#, "\n    - |\n      One.\n      Two."),
        ] {
            let before = document(&format!(" {header}\n      One."));
            let old = settings(&format!("\"{text}\""));
            let (after, said) = adopted(&before, Format::Yaml, &old, &settings(new));
            assert_eq!(after, document(written), "{header} {new} {said:#?}");
        }
    }
    let before = document(" | # said\n      One.");
    let (after, said) =
        adopted(&before, Format::Yaml, &settings(r#""One.\n""#), &settings(r#"["a"]"#));
    assert_eq!((after, said[0].0), (before, EntryKind::NotWritten));
}
