//! Fixes of syntax errors: what they write, and that they keep what was read.

use voxlint_syntax::edit::{TextEdit, apply};
use voxlint_syntax::{
    Format, Kind, MAX_ERRORS, Node, Parsed, SyntaxError, SyntaxErrorKind as Fault, SyntaxFix, Tree,
    parse, syntax_fixes,
};

use voxlint_testing::texts::assert_blocks;

use crate::common::yaml::written;

fn fixed(text: &str, fix: &SyntaxFix) -> String {
    String::from_utf8(apply(text, &fix.edits).unwrap()).unwrap()
}

#[test]
fn every_mistake_with_one_reading_has_its_fix() {
    for format in [Format::Json, Format::Jsonc, Format::Toml, Format::Yaml] {
        assert_blocks(&format!("crates/syntax/tests/fixes/{format}.txt"), |block| {
            let text = &*block.text;
            let fixes = syntax_fixes(text, format);
            assert_eq!(fixes.len(), 1, "{text:?}: {:?}", parse(text, format).errors);
            let after = fixed(text, &fixes[0]);
            let shown = |line: &str| if line.is_empty() { "|".into() } else { format!("| {line}") };
            let lines: Vec<String> = after.split('\n').map(shown).collect();
            format!("{}\n{}", fixes[0].title(text), lines.join("\n"))
        });
    }
}

/// What only the author knows: where a bracket or a quote belongs, and whether a word is text.
#[test]
fn a_mistake_with_several_readings_has_no_fix() {
    let texts: &[(Format, &[&str])] = &[
        (
            Format::Json,
            &[
                "{\"a\": 1",
                "{\"a\": [1, 2}",
                "{\"a\": 1}]",
                "\"a\": 1",
                "{\"a\": \"x,\n\"b\": 1}",
                "[yes]",
                "[undefined]",
                "[010]",
                "[+14155550100]",
                "{\"a\": 1,500}",
                r#"["5\*3"]"#,
                "{\"a\": \"x. \"b\":\"y\"}",
                "[\"x\"y\",\"z\"]",
                "{\"a\":\"x\"\"b\":\"y\"}",
                "{\"a\": \"x\" \"b\"}",
                "{\"a\": \"x\" \"b\", \"c\": 1}",
                r#"{"a":"Ask: "name": and "phone": please","b":"x"}"#,
                r#"{"a":"Nora"Smith","b":1}"#,
                r#"{"a":"a 5" x 7" card","b":1}"#,
                r#"{"a":"say "" now","b":1}"#,
                // `It's` in YAML and SQL, two texts in a row elsewhere.
                "['It''s here']",
                // A comment may say why.
                "[1] # one",
            ],
        ),
        (Format::Toml, &["a: 1\n", "a 1\n", "a = off\n", "[a\nb = 1\n", "a = [1\nb = 2\n"]),
        (Format::Toml, &["a = 2026-03-02\n", "a = [\"x\"y\",\"z\"]\n", "a = ['x'y','z']\n"]),
        (
            Format::Yaml,
            &["a: Hi: you\nb: 1\n", "a: \"x\" y\nb: 1\n", "a: \"x\nb: 2\n", "a: 1\nb:2\n"],
        ),
        (Format::Yaml, &["a: [x] hello\nb: 1\n", "a: \"Nora\"Smith\"\nb: 1\n", "a: [1]]\n"]),
    ];
    for (format, texts) in texts {
        for text in *texts {
            assert_eq!(syntax_fixes(*text, *format), [], "{text}");
        }
    }
}

/// Whether every name and value of one tree is that of another. A value that could not be read may be any in the other.
fn is_read_as(before: Node<'_>, after: Node<'_>) -> bool {
    let text =
        |node: Node<'_>| node.as_str().map(|text| text.replace("\r\n", "\n").replace('\r', "\n"));
    match before.kind() {
        Kind::Invalid => !matches!(after.kind(), Kind::Object | Kind::Array),
        // YAML reads the braces of a template as mappings.
        Kind::Object if before.source().starts_with("{{") && after.kind() == Kind::String => true,
        Kind::Object => {
            after.kind() == Kind::Object
                && before.members().count() == after.members().count()
                && before.members().zip(after.members()).all(|(before, after)| {
                    before.name() == after.name() && is_read_as(before.value, after.value)
                })
        }
        Kind::Array => {
            after.kind() == Kind::Array
                && before.elements().count() == after.elements().count()
                && before.elements().zip(after.elements()).all(|(b, a)| is_read_as(b, a))
        }
        kind => {
            kind == after.kind()
                && text(before) == text(after)
                && before.as_bool() == after.as_bool()
                && before.decimal() == after.decimal()
        }
    }
}

fn are_read_as(before: &Parsed, after: &Parsed) -> bool {
    let roots = |parsed: &Parsed| parsed.documents.iter().map(Tree::root).count();
    roots(before) == roots(after)
        && before.documents.iter().zip(&after.documents).all(|(before, after)| {
            match (before.root(), after.root()) {
                (Some(before), Some(after)) => is_read_as(before, after),
                (before, after) => before.is_none() && after.is_none(),
            }
        })
}

/// Checks every fix of a text on its own.
fn check_fixes(text: &str, format: Format) {
    let before = parse(text, format);
    let count = |parsed: &Parsed| parsed.errors.iter().map(|error| error.more + 1).sum::<u32>();
    for fix in syntax_fixes(text, format) {
        let now = fixed(text, &fix);
        let after = parse(&*now, format);
        let what = || format!("{text:?} became {now:?} by {}", fix.title(text));
        assert!(before.errors.contains(&fix.error), "{}", what());
        assert!(count(&after) + fix.error.more < count(&before), "{}: {:?}", what(), after.errors);
        for error in &after.errors {
            let is_known = before.errors.iter().any(|known| known.kind == error.kind);
            assert!(is_known, "{}: {error:?} is new", what());
        }
        assert!(are_read_as(&before, &after), "{}", what());
        for edit in &fix.edits {
            assert_ne!(edit.span.slice(text), edit.text, "{}", what());
        }
        for (edit, next) in fix.edits.iter().zip(fix.edits.iter().skip(1)) {
            assert!(edit.span.end < next.span.start, "{}", what());
        }
    }
}

/// Applies fixes, one after another, until none is left.
fn all_fixed(text: &str, format: Format) -> String {
    let mut text = text.to_owned();
    for _ in 0..200 {
        let fixes = syntax_fixes(&*text, format);
        let Some(fix) = fixes.first() else { return text };
        text = fixed(&text, fix);
    }
    panic!("there is no end to the fixes of {text:?}")
}

/// What a slip makes of a part of a text: the part, and what is typed in its place.
const SLIPS: &[(&str, &str)] = &[
    (",", ""),
    (",", ",,"),
    (",", ";"),
    (",", ", ,"),
    (",\"", ""),
    (", \"", ""),
    ("\", \"", "\""),
    (":", ""),
    (":", " ="),
    (": ", ":"),
    ("=", ":"),
    ("= ", ""),
    ("=", "=="),
    ("\"", ""),
    ("\"", "“"),
    ("\"", "'"),
    ("\"", "\"\"\""),
    ("'", ""),
    ("'", "’"),
    ("{", ""),
    ("}", ""),
    ("[", ""),
    ("]", ""),
    ("}", "}}"),
    ("]", "]]"),
    ("]", "}"),
    ("}", ",}"),
    ("]", ",]"),
    ("true", "True"),
    ("false", "FALSE"),
    ("null", "None"),
    ("true", "yes"),
    ("1", "01"),
    ("0.", "."),
    (" 3", " +3"),
    (".", ","),
    ("\\n", "\n"),
    ("\\n", "\r\n"),
    ("\\\"", "\""),
    ("\\", ""),
    ("a", "\\d"),
    ("e", "\\'"),
    (" ", "\t"),
    ("  ", "\t"),
    ("    ", "\t\t"),
    (" ", "\u{a0}"),
    (" ", "  "),
    ("\n", ","),
    ("\n", ",\n"),
    ("\n", ";\n"),
    ("\n", " // note\n"),
    ("\n", " /* note */\n"),
    ("\n", "\n# note\n"),
    ("\n", "\n/* a\n note */\n"),
    ("\n", "\n\n"),
    ("\n", "\r"),
    ("\n", ""),
    ("\n", "\u{1}\n"),
    ("- ", "-"),
    ("- ", "-\t"),
    ("{{", "{{{"),
    ("o", "o\u{feff}"),
];

/// A number below a limit.
fn below(state: &mut u64, limit: usize) -> usize {
    (voxlint_testing::split_mix(state) % limit.max(1) as u64) as usize
}

/// One slip at a random place.
fn slip(text: &str, state: &mut u64) -> String {
    match below(state, 12) {
        0 => format!("\u{feff}{text}"),
        1 => format!("```json\n{text}\n```\n"),
        2 | 3 => with_other_quotes(text, state),
        4 => {
            let places: Vec<_> = text.char_indices().collect();
            let (at, lost) = places[below(state, places.len())];
            format!("{}{}", &text[..at], &text[at + lost.len_utf8()..])
        }
        5 => text.replace("\n  ", "\n\t"),
        _ => {
            let present: Vec<_> = SLIPS.iter().filter(|(part, _)| text.contains(part)).collect();
            let Some((part, typed)) = present.get(below(state, present.len())) else {
                return text.to_owned();
            };
            let places: Vec<_> = text.match_indices(part).collect();
            let (at, _) = places[below(state, places.len())];
            format!("{}{typed}{}", &text[..at], &text[at + part.len()..])
        }
    }
}

/// A text or key with other quotes, or with none.
fn with_other_quotes(text: &str, state: &mut u64) -> String {
    const QUOTES: &[(&str, &str)] =
        &[("“", "”"), ("'", "'"), ("\"", ""), ("", "\""), ("”", "”"), ("\"", "”")];
    let parsed = parse(text, Format::Jsonc);
    let quoted = |node: &Node<'_>| {
        node.source().len() > 2 && node.source().starts_with('"') && node.source().ends_with('"')
    };
    let texts: Vec<_> =
        parsed.documents.iter().flat_map(Tree::nodes).filter(quoted).map(Node::span).collect();
    let Some(span) = texts.get(below(state, texts.len())) else { return text.to_owned() };
    let (open, close) = QUOTES[below(state, QUOTES.len())];
    let (start, end) = (span.start as usize, span.end as usize);
    format!("{}{open}{}{close}{}", &text[..start], &text[start + 1..end - 1], &text[end..])
}

/// Documents without errors, and their formats.
fn documents() -> Vec<(String, Format)> {
    let formats = [
        ("json", Format::Json),
        ("jsonc", Format::Jsonc),
        ("toml", Format::Toml),
        ("yaml", Format::Yaml),
    ];
    let mut documents = Vec::new();
    for folder in ["fixtures/agents", "fixtures/rules"] {
        for (extension, format) in formats {
            for path in voxlint_testing::files_below(folder, extension) {
                let Ok(text) = std::fs::read_to_string(path) else { continue };
                if text.len() < 4000 && parse(&*text, format).errors.is_empty() {
                    if text.len() % 5 == 0 {
                        documents.push((text.replace('\n', "\r\n"), format));
                    }
                    documents.push((text, format));
                }
            }
        }
    }
    documents
}

/// So many items with a mistake each, with these before and after them.
fn many(count: usize, (before, item, after): (&str, &str, &str)) -> String {
    [before, &item.repeat(count), after].concat()
}

#[test]
fn the_first_of_many_errors_are_fixed() {
    let texts: &[(Format, (&str, &str, &str))] = &[
        (Format::Json, ("[0\n", "1,\n2\n", "]\n")),
        (Format::Json, ("[\n", "{\"a\": 1,},\n", "0]\n")),
        (
            Format::Json,
            ("[\n", "{\"field_name\": \"one\", \"field_type\": \"STRING\",},\n", "0]\n"),
        ),
        (Format::Json, ("[\n", "“x”,\n", "0]\n")),
        (Format::Jsonc, ("[\n", "True, // note\n", "0]\n")),
        (Format::Toml, ("", "[[a]]\nb = True\n", "")),
        (Format::Toml, ("", "[[a]]\nb = 'x',\n", "")),
    ];
    for (format, parts) in texts {
        for count in [99, 101, 250] {
            let mut text = many(count, *parts);
            let mut rounds = 0;
            while !parse(text.as_str(), *format).errors.is_empty() {
                let fixes = syntax_fixes(text.as_str(), *format);
                assert!(!fixes.is_empty(), "{format}, {count} times {parts:?}, round {rounds}");
                assert!(fixes.len() <= MAX_ERRORS);
                let edits: Vec<TextEdit> = fixes.into_iter().flat_map(|fix| fix.edits).collect();
                let edited = apply(&text, &edits).expect("edits that do not overlap");
                text = String::from_utf8(edited).unwrap();
                rounds += 1;
            }
            assert!(rounds <= 3, "{format}, {count} times {parts:?}");
        }
        // Of more errors, nothing is certain.
        assert!(syntax_fixes(many(1_100, *parts), *format).is_empty());
    }
}

#[test]
fn fixes_keep_what_was_read() {
    let documents = documents();
    let mut by_format = Vec::new();
    for (_, format) in &documents {
        if !by_format.contains(format) {
            by_format.push(*format);
        }
    }
    assert_eq!(by_format.len(), 4);
    let mut state = 5;
    let mut corrected = 0;
    for case in 0..voxlint_testing::cases(4000, 100_000) {
        // Every format as often as the others.
        let format = by_format[case as usize % by_format.len()];
        let of_format: Vec<_> = documents.iter().filter(|(_, of)| *of == format).collect();
        let (document, _) = of_format[below(&mut state, of_format.len())];
        let mut text = document.clone();
        for _ in 0..=[0, 0, 0, 1, 2, 4][below(&mut state, 6)] {
            text = slip(&text, &mut state);
        }
        check_fixes(&text, format);
        let all = all_fixed(&text, format);
        assert!(are_read_as(&parse(&*text, format), &parse(&*all, format)), "{text:?} {all:?}");
        corrected += u32::from(all != text && parse(&*all, format).errors.is_empty());
    }
    assert!(corrected > 500, "{corrected}");
}

/// A slip that has a safe fix is undone by it: where a text could be read in another way, no fix is safe.
#[test]
fn safe_fixes_undo_slips() {
    let documents = documents();
    let mut state = 5;
    let mut undone = 0;
    let is_in_text = |error: &SyntaxError| {
        // The slip has changed what is in a text or a number, and that can be kept only.
        matches!(
            error.kind,
            Fault::ControlCharacter
                | Fault::InvalidEscape
                | Fault::InvalidNumber
                | Fault::Toml11
                | Fault::TomlEscape
                | Fault::TomlValue
                | Fault::UnknownEscape
        )
    };
    for _ in 0..voxlint_testing::cases(8000, 200_000) {
        let (document, format) = &documents[below(&mut state, documents.len())];
        let text = slip(document, &mut state);
        let errors = parse(&*text, *format).errors;
        let all = all_fixed(&text, *format);
        let now = parse(&*all, *format);
        // In YAML, a byte order mark is an error outside quotes only, so a lost quote makes it the first error.
        let is_mark =
            |error: &SyntaxError| text[error.span.start as usize..].starts_with('\u{feff}');
        let is_other = |error: &SyntaxError| is_in_text(error) || is_mark(error);
        if errors.is_empty() || errors.iter().any(is_other) || !now.errors.is_empty() {
            continue;
        }
        // White space before a lost quote is not part of the text, and neither is a comma that was lost with the quote.
        let bare = |text: &str| text.replace([' ', '\t'], "").replace(",\"", "\"");
        let written = |parsed: &Parsed| {
            let roots = parsed.documents.iter().filter_map(Tree::root);
            bare(&roots.map(written).collect::<Vec<_>>().join("\n"))
        };
        let before = parse(&**document, *format);
        assert_eq!(written(&before), written(&now), "{text:?} became {all:?}");
        undone += 1;
    }
    assert!(undone > 2500, "{undone}");
}
