//! Names of functions in prompts: where they lead, and how they are renamed.

use std::collections::{BTreeMap, BTreeSet};

use voxlint::schema::settings;
use voxlint::syntax::Format;
use voxlint::{Document, DocumentKind, Inputs, Origin, Stored, TextEdit, TextFile};
use voxlint_ide::{
    CompletionOptions, File, Name, PlaceRole, RenameError, complete, hover, name_at, occurrences,
};

use crate::common::fixtures;
use crate::support::unmarked;
use crate::variables::{edited, texts};

fn update(text: &str, format: Format) -> Inputs {
    Inputs::new(Document::parse_as(text, format)).kind(DocumentKind::Update)
}

fn function(name: &str) -> Name {
    Name::Function(name.to_owned())
}

fn rename(inputs: &Inputs, name: &str, to: &str) -> Result<Vec<(Origin, TextEdit)>, RenameError> {
    voxlint_ide::rename(inputs, &function(name), to)
}

fn with_prompt(inputs: Inputs, prompt: &str) -> Inputs {
    let text = TextFile::new(settings::prompt_text.row, Document::parse_as(prompt, Format::Text));
    inputs.texts([text])
}

/// Each place as its input, what it is there, and its line.
fn shown(inputs: &Inputs, name: &str) -> Vec<String> {
    let line = |origin, at: u32| {
        let text = File { inputs, origin }.text();
        text[..at as usize].matches('\n').count() + 1
    };
    let all = occurrences(inputs, &function(name)).into_iter();
    all.map(|it| format!("{} {} {:?}", it.origin, line(it.origin, it.span.start), it.role))
        .collect()
}

const LIST: &str = "version_number: 3\nagent_functions:\n\
    - displayName: check_slots\n  description: Before `book_slot`.\n\
    - displayName: 'book_slot'\n  description: Book it.\n- displayName: transfer\n";

const PROMPT: &str = "Use `check_slots(day)` first, and call book_slot then.\n\
    Then check_slots again.\n{{#if book_slot}}Say that check_slots_now is a word.{{/if}}\n\
    Offer to transfer the caller with `transfer`.\n{{! `transfer` }}";

#[test]
fn a_name_in_a_prompt_leads_to_its_function_and_back_over_all_texts() {
    let inputs = with_prompt(update(LIST, Format::Yaml), PROMPT);
    assert_eq!(
        shown(&inputs, "check_slots"),
        ["document 3 Definition", "text 1 Use", "text 2 Use"]
    );
    assert_eq!(
        shown(&inputs, "book_slot"),
        ["document 4 Use", "document 5 Definition", "text 1 Use"]
    );
    // A plain word is shown, and may not be the function.
    assert_eq!(
        shown(&inputs, "transfer"),
        ["document 7 Definition", "text 4 Possible", "text 4 Use"]
    );
    let at = |origin, text: &str, word: &str| {
        let offset = text.find(word).unwrap() as u32 + 1;
        let found = name_at(File { inputs: &inputs, origin }, offset);
        found.map(|(name, span)| (name.as_str().to_owned(), span.slice(text).to_owned()))
    };
    let named = |name: &str| Some((name.to_owned(), name.to_owned()));
    assert_eq!(at(Origin::Text(0), PROMPT, "check_slots("), named("check_slots"));
    assert_eq!(at(Origin::Text(0), PROMPT, "transfer`."), named("transfer"));
    assert_eq!(at(Origin::Text(0), PROMPT, "transfer the"), None);
    assert_eq!(at(Origin::Text(0), PROMPT, "check_slots_now"), None);
    assert_eq!(at(Origin::Document, LIST, "book_slot'"), named("book_slot"));
    assert_eq!(at(Origin::Document, LIST, "book_slot`"), named("book_slot"));
}

#[test]
fn functions_that_are_not_known_give_no_answer_and_stored_ones_do() {
    let inputs = with_prompt(update("version_number: 3\n", Format::Yaml), "Call `book_slot`.");
    let at = |inputs: &Inputs| name_at(File { inputs, origin: Origin::Text(0) }, 7);
    assert_eq!(at(&inputs), None);
    assert!(occurrences(&inputs, &function("book_slot")).is_empty());
    let refused = rename(&inputs, "book_slot", "x").unwrap_err();
    assert!(refused.to_string().contains("it is not known which functions"), "{refused}");
    let stored = r#"{ "version_number": 3, "agent_functions": [{ "displayName": "book_slot" }] }"#;
    let inputs = inputs.stored(Stored::new(Document::parse(stored)));
    assert_eq!(at(&inputs).map(|(name, _)| name), Some(function("book_slot")));
    assert_eq!(shown(&inputs, "book_slot"), ["stored 1 Definition", "text 1 Use"]);
    let refused = rename(&inputs, "book_slot", "x").unwrap_err();
    assert!(refused.to_string().contains("the stored configuration"), "{refused}");
}

#[test]
fn a_rename_changes_the_function_with_its_mentions_and_no_plain_word() {
    let inputs = with_prompt(update(LIST, Format::Yaml), PROMPT);
    let edits = rename(&inputs, "transfer", "to_front-desk").unwrap();
    let changed = texts(&edited(&inputs, &edits));
    assert_eq!(changed[0], LIST.replace("transfer", "to_front-desk"));
    assert_eq!(changed[1], PROMPT.replace("`transfer`.", "`to_front-desk`."));
    let edits = rename(&inputs, "book_slot", "reserveSlot").unwrap();
    let changed = texts(&edited(&inputs, &edits));
    assert_eq!(changed[0], LIST.replace("book_slot", "reserveSlot"));
    assert_eq!(changed[1], PROMPT.replace("call book_slot", "call reserveSlot"));
}

#[test]
fn a_new_name_may_begin_with_any_word_wherever_a_text_mentions_the_function() {
    let list =
        "version_number: 3\nagent_functions:\n- displayName: book_slot\n- displayName: end_call\n";
    for prompt in [
        "Use book_slot.",
        "# Tools\n- book_slot: books\n- end_call",
        "Then call book_slot, end_call or `book_slot`.",
        "Do not call book_slot twice. Never use book_slot first.",
        "Avoid the book_slot tool. The book_slot function is no longer available.",
        "Use book_slot and slot once. book_slot(day)",
    ] {
        let inputs = with_prompt(update(list, Format::Yaml), prompt);
        for to in ["reserve_slot", "slot_v2", "bookSlot", "BookSlot", "take-slot", "done"] {
            let edits = rename(&inputs, "book_slot", to).unwrap_or_else(|it| panic!("{to}: {it}"));
            let expected = [list, prompt].map(|text| text.replace("book_slot", to));
            assert_eq!(texts(&edited(&inputs, &edits)), expected, "{to}");
            assert_laws(prompt, &inputs, "book_slot", to).unwrap();
        }
    }
    // Such a bare name is a function for the verb in it, and would be a plain word with another name.
    let inputs = with_prompt(update(list, Format::Yaml), "Thank them. Then end_call.");
    let refused = rename(&inputs, "end_call", "bye").unwrap_err();
    assert!(refused.to_string().contains("another meaning"), "{refused}");
}

#[test]
fn a_new_name_of_a_function_is_refused_with_a_reason() {
    let prompt = format!("{PROMPT} Or call book_late.");
    let inputs = with_prompt(update(LIST, Format::Yaml), &prompt);
    let long = "a".repeat(65);
    for (to, expected) in [
        ("", "interfaces of language models reject"),
        ("front desk", "interfaces of language models reject `front desk`"),
        ("größe", "interfaces of language models reject `größe`"),
        (&*long, "at most 64"),
        ("check_slots", "another function is called `check_slots`"),
        ("CheckSlots", "another function is called `CheckSlots`, perhaps in another spelling"),
        // A text calls it already.
        ("book_late", "would have another meaning"),
    ] {
        let error = rename(&inputs, "book_slot", to).expect_err(to).to_string();
        assert!(error.contains(expected), "{to}: {error}");
    }
    // In YAML, these are texts only in quotes.
    for to in ["true", "123", "no"] {
        assert!(rename(&inputs, "transfer", to).is_err(), "{to}");
    }
    assert!(rename(&inputs, "nothing", "x").is_err_and(|error| error.is_unknown));
    assert_eq!(rename(&inputs, "transfer", "transfer"), Ok(Vec::new()));
    let broken = update(&format!("{LIST}x: ["), Format::Yaml);
    let refused = rename(&broken, "transfer", "x").unwrap_err();
    assert!(refused.to_string().contains("syntax error"), "{refused}");
}

#[test]
fn a_name_in_a_prompt_shows_type_description_and_parameters() {
    let list = r#"{ "version_number": 3, "agent_functions": [{
        "displayName": "book_slot", "type": "custom", "description": "Books a free slot.", "config": { "parameters": {
            "type": "object", "required": ["day"],
            "properties": { "day": { "type": "string", "description": "YYYY-MM-DD" }, "nights": { "type": "integer" } } } } }] }"#;
    let prompt = "Call `book_slot` once. The book_slot is late.";
    let inputs = with_prompt(update(list, Format::Json), prompt);
    let at = |origin, at: usize| hover(File { inputs: &inputs, origin }, at as u32);
    let shown = at(Origin::Text(0), 8).expect("a hover");
    assert_eq!(shown.span.slice(prompt), "book_slot");
    assert_eq!(
        shown.markdown,
        "`book_slot`: a function of the agent\n\n- type: `custom`\n- description: `Books a free slot.`\n\
         - parameter `day`, required: `string`, `YYYY-MM-DD`\n- parameter `nights`: `integer`\n\
         - 1 mention\n- 1 other place with the same word, which a rename leaves\n"
    );
    let own = at(Origin::Document, list.find("book_slot").unwrap()).expect("a hover");
    assert_eq!(own.markdown, shown.markdown);
    assert_eq!(at(Origin::Text(0), prompt.len() - 12), None);
    // An update without functions, with those that are stored.
    let stored = Stored::new(Document::parse(list));
    let inputs = with_prompt(update("{ \"version_number\": 3 }", Format::Json), prompt);
    let shown = |inputs: &Inputs| hover(File { inputs, origin: Origin::Text(0) }, 8);
    assert_eq!(shown(&inputs), None);
    let shown = shown(&inputs.stored(stored)).expect("a hover").markdown;
    assert!(shown.starts_with("`book_slot`: a function of the agent (stored)"), "{shown}");
}

/// What is offered at the mark of a prompt.
fn offered(prompt: &str, format: Format) -> Vec<String> {
    let functions = r#"[{ "displayName": "check_slots" }, { "displayName": "checkOut" }, { "displayName": "transfer" }]"#;
    let (inputs, origin, at) = if format == Format::Text {
        let (prompt, at) = unmarked(prompt);
        let list = format!(r#"{{ "version_number": 3, "agent_functions": {functions} }}"#);
        (with_prompt(update(&list, Format::Json), &prompt), Origin::Text(0), at)
    } else {
        let text = match format {
            Format::Json => format!(
                "{{ \"version_number\": 3, \"prompt_text\": \"{prompt}\", \"agent_functions\": {functions} }}"
            ),
            Format::Toml => format!(
                "version_number = 3\nprompt_text = \"\"\"\n{prompt}\n\"\"\"\nagent_functions = {}\n",
                functions.replace(':', " =")
            ),
            _ => format!(
                "version_number: 3\nprompt_text: |\n  {prompt}\nagent_functions: {functions}\n"
            ),
        };
        let (text, at) = unmarked(&text);
        (update(&text, format), Origin::Document, at)
    };
    let file = File { inputs: &inputs, origin };
    let list = complete(file, at, CompletionOptions::default());
    for item in &list {
        let edit = &item.edit;
        let after =
            inputs.with_edits(origin, std::slice::from_ref(edit)).expect("an edit that fits");
        assert!(!after.document().has_errors(), "{prompt}: {item:?}");
        assert!(edit.span.start <= at && at <= edit.span.end, "{prompt}: {item:?}");
    }
    list.into_iter().map(|item| item.label).collect()
}

#[test]
fn names_of_functions_are_offered_where_one_is_typed() {
    for format in [Format::Text, Format::Json, Format::Yaml, Format::Toml] {
        for (prompt, expected) in [
            ("Then call ‸", &["check_slots", "checkOut", "transfer"][..]),
            ("Use ‸ now", &["check_slots", "checkOut", "transfer"]),
            ("Then `‸", &["check_slots", "checkOut", "transfer"]),
            ("Then `‸` for `x`", &["check_slots", "checkOut", "transfer"]),
            ("Then `x` and `tr‸`.", &["transfer"]),
            ("Rufe c‸", &["check_slots", "checkOut"]),
            ("Then check_‸", &["check_slots"]),
            ("Then checkO‸", &["checkOut"]),
            ("Then `check‸_slo`", &["check_slots", "checkOut"]),
        ] {
            assert_eq!(offered(prompt, format), expected, "{format}: {prompt}");
        }
    }
}

#[test]
fn nothing_is_offered_in_ordinary_prose() {
    for format in [Format::Text, Format::Json, Format::Yaml, Format::Toml] {
        for prompt in [
            "‸",
            "Please ‸",
            "Please check‸ the order",
            "Say `yes`‸",
            "Say `yes` ‸",
            "In `some code‸`",
            "Speak with ‸",
            "Recall‸",
            "Call-‸",
            "Then first_‸",
            "`check_slots(‸)`",
        ] {
            assert_eq!(offered(prompt, format), [""; 0], "{format}: {prompt}");
        }
    }
}

/// Renames, and asserts the laws if that is possible.
fn assert_laws(what: &str, inputs: &Inputs, name: &str, to: &str) -> Result<(), RenameError> {
    let edits = rename(inputs, name, to)?;
    let renamed = edited(inputs, &edits);
    let roles = |inputs: &Inputs, name: &str| {
        let places = occurrences(inputs, &function(name)).into_iter();
        let certain = places.filter(|place| place.role != PlaceRole::Possible);
        certain.map(|place| (place.origin, place.role)).collect::<Vec<_>>()
    };
    assert!(occurrences(&renamed, &function(name)).is_empty(), "{what}: {name} → {to}");
    assert_eq!(roles(&renamed, to), roles(inputs, name), "{what}: {name} → {to}");
    match rename(&renamed, to, name) {
        Ok(back) => assert_eq!(texts(&edited(&renamed, &back)), texts(inputs), "{what}: {name}"),
        // A name that could not be chosen today.
        Err(error) => {
            let error = error.to_string();
            let is_expected = error.contains("interfaces of language models reject")
                || error.contains("another function is called");
            assert!(is_expected, "{what}: {name} → {to}, and back: {error}");
        }
    }
    Ok(())
}

#[test]
fn functions_renamed_there_and_back_change_no_byte() {
    let (mut renamed, mut refused) = (0, BTreeMap::<String, usize>::new());
    for (what, inputs) in fixtures() {
        let list = inputs.effective_value(settings::agent_functions.row);
        let entries = list.into_iter().flat_map(|(list, _)| list.elements());
        let names = entries.filter_map(|it| Some(it.get("displayName")?.as_str()?.into_owned()));
        for name in names.collect::<BTreeSet<String>>() {
            for to in ["renamed_function", "renamedFunction", "renamed"] {
                match assert_laws(&what, &inputs, &name, to) {
                    Ok(()) => renamed += 1,
                    Err(error) => {
                        *refused.entry(error.to_string()).or_default() += 1;
                    }
                }
            }
        }
    }
    assert!(renamed > 500, "{renamed} renamed; refused: {refused:?}");
}
