//! The `full` format. The snapshot of a test is `snapshots/report/<name>.snap`.

use crate::support::{
    at, changed, finding, labelled, last_place, place, report, with_related, written,
};
use voxlint::{Diagnostic, Fix, Origin, Related, Safety, Severity, TextEdit, VerdictKind};
use voxlint_report::{
    CheckedDocument, FindingsWriter, OutputFormat, RenderOptions, RunInfo, RunOutcome, render,
};
use voxlint_syntax::Span;

const WIDE: RenderOptions = RenderOptions {
    color: false,
    width: 100,
    undecided: false,
    suppressed: false,
    document_lines: false,
    wrap_headlines: false,
    words_per_minute: 150,
    links: None,
};

/// Compares the output with the snapshot of that name.
fn check(name: &str, output: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../../../../snapshots/report");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, output));
}

fn full(text: &str, diagnostics: Vec<Diagnostic>) -> String {
    written(OutputFormat::Full, &WIDE, text, &report(diagnostics))
}

/// A document of 20 kB on one line.
fn one_line() -> String {
    let prompt = "Talk to {{name}} kindly and help. ".repeat(600);
    format!("{{\"language\": \"hi\", \"prompt_text\": \"{prompt}Bye, {{{{nmae}}}}!\"}}")
}

fn example() -> (String, Diagnostic) {
    let mut text =
        (2..13).fold("{\n".to_owned(), |text, n| text + &format!("  \"boost_{n}\": [],\n"));
    text += "  \"transcriber_id\": \"tr_nova\",\n";
    text += "  \"stt_fallback_transcriber_id\": \"tr_nova\",\n  \"language\": \"en\"\n}\n";
    let first = place(&text, "\"tr_nova\"");
    let finding = labelled(
        "the fallback transcriber is the transcriber itself",
        last_place(&text, "\"tr_nova\""),
        "the same id",
    );
    let finding = changed(finding, |it| {
        it.help = Some("use an id from the fallback-transcribers list".to_owned());
        it.note =
            Some("the service would answer 400 Bad Request (update agent, rule 6)".to_owned());
    });
    (text, with_related(finding, "the transcriber in effect", first))
}

fn with_fix(finding: Diagnostic, title: &str, edits: Vec<TextEdit>) -> Diagnostic {
    changed(finding, |it| it.fixes = vec![Fix::new(title, Safety::Safe, Origin::Document, edits)])
}

/// The lines below the snippet of a finding.
fn shown_fix(shown: &str) -> &str {
    shown.split_once("╰─ ").unwrap().1
}

#[test]
fn a_fix_shows_the_lines_before_and_after_it() {
    let text = "a: 1\nb: 2\nc: 3\n";
    let edits =
        vec![TextEdit::new(place(text, "b: 2\n"), ""), TextEdit::new(last_place(text, "3"), "4")];
    let found = with_fix(finding("b", place(text, "b")), "delete it", edits);
    let shown = full(text, vec![changed(found, |it| it.help = Some("delete it".to_owned()))]);
    assert_eq!(shown_fix(&shown), "fix: delete it\n2 - b: 2\n3 - c: 3\n2 + c: 4\n");
}

#[test]
fn a_fix_of_a_long_line_shows_a_part_of_it() {
    let text = one_line();
    let edits = vec![TextEdit::new(place(&text, "nmae"), "name")];
    let shown = full(&text, vec![with_fix(finding("x", place(&text, "nmae")), "rename", edits)]);
    let fix = shown_fix(&shown);
    assert!(fix.lines().all(|line| line.chars().count() <= 104), "{fix}");
    assert!(fix.contains("Bye, {{nmae}}!") && fix.contains("Bye, {{name}}!"), "{fix}");
}

#[test]
fn both_lines_of_a_fix_begin_with_the_same_column() {
    let text = one_line();
    let long = "x".repeat(90);
    for new in ["", "n", &long] {
        let edits = vec![TextEdit::new(place(&text, "nmae"), new)];
        let found = with_fix(finding("x", place(&text, "nmae")), "rename", edits);
        let shown = full(&text, vec![found]);
        let lines: Vec<&str> = shown_fix(&shown).lines().skip(1).collect();
        let [old, after] = lines.as_slice() else { panic!("{shown}") };
        let (old, after) = (old.split_once("- ").unwrap().1, after.split_once("+ ").unwrap().1);
        let before = old.split_once("nmae").unwrap().0;
        assert!(after.starts_with(&format!("{before}{}", &new[..new.len().min(5)])), "{shown}");
        assert!(before.len() > 10 && after.chars().count() <= 102, "{shown}");
    }
}

#[test]
fn a_fix_of_many_lines_is_cut() {
    let lines: Vec<String> = (0..9).map(|line| format!("{line}\t\n")).collect();
    let text = lines.concat();
    let spans = (0..9).map(|line| at(line * 3 + 1, line * 3 + 2));
    let edits = spans.map(|span| TextEdit::new(span, " ")).collect();
    let shown = full(&text, vec![with_fix(finding("tab", at(1, 2)), "use spaces", edits)]);
    assert_eq!(shown_fix(&shown).lines().count(), 10, "{shown}");
    assert!(shown.ends_with("  … 10 more lines\n"), "{shown}");
}

#[test]
fn a_fix_masks_secrets_and_steers_no_terminal() {
    let text = "token: S3CRET-VALUE \u{1b}[31m\n";
    let edits = vec![TextEdit::new(place(text, "token"), "\u{1b}]0;key\u{202e}##[x]")];
    let found = with_fix(finding("x", place(text, "token")), "rename\u{1b}", edits);
    let mut report = report(vec![found]);
    report.secrets = vec![place(text, "S3CRET-VALUE")];
    let shown = written(OutputFormat::Full, &WIDE, text, &report);
    assert!(!shown.contains("S3CRET"), "{shown}");
    assert!(shown.chars().all(|c| c == '\n' || !crate::support::steers(c)), "{shown}");
    assert!(!shown.contains("##["), "{shown}");
    assert!(shown.ends_with("+ <U+001B>]0;key<U+202E>#?[x]: ************ ?[31m\n"), "{shown}");
}

#[test]
fn a_fix_that_only_changes_white_space_shows_what_it_changes() {
    for (text, span, new, shown) in [
        ("a:\n\tb: 1\n", at(3, 4), "  ", "2 - →b: 1\n2 + ··b: 1\n"),
        ("a: 1 \t\n", at(4, 6), "", "1 - a: 1·→\n1 + a: 1\n"),
        ("a:\u{a0}1\n", at(2, 4), " ", "1 - a:<U+00A0>1\n1 + a:·1\n"),
        ("a: b c\n", at(4, 5), "", "1 - a: b·c\n1 + a: bc\n"),
        ("a:  1\n", at(3, 5), "2", "1 - a:  1\n1 + a: 2\n"),
    ] {
        let edits = vec![TextEdit::new(span, new)];
        let output = full(text, vec![with_fix(finding("x", at(0, 1)), "write it", edits)]);
        assert_eq!(shown_fix(&output), format!("fix: write it\n{shown}"), "{text:?}");
    }
}

#[test]
fn labels_with_the_same_text_show_it_once() {
    let text = "\"a b c d\"\n";
    let found = labelled("spaces", at(2, 3), "not allowed");
    let found = with_related(found, "not allowed", at(4, 5));
    let output = full(text, vec![with_related(found, "not allowed", at(6, 7))]);
    assert!(output.contains("  ·   ─ ─ ─ not allowed\n"), "{output}");
    assert_eq!(output.matches("not allowed").count(), 1, "{output}");
}

#[test]
fn example_of_the_design() {
    let (text, finding) = example();
    check("example-of-the-design", &full(&text, vec![finding]));
}

#[test]
fn colors() {
    let (text, finding) = example();
    let warning =
        changed(labelled("a short language", place(&text, "\"en\""), "no region"), |it| {
            it.severity = Severity::Warning;
            it.verdict = VerdictKind::Advice;
        });
    let style = RenderOptions { color: true, ..WIDE };
    let output = written(OutputFormat::Full, &style, &text, &report(vec![finding, warning]));
    check("colors", &output.replace('\u{1b}', "ESC"));
}

#[test]
fn line_of_20_kilobytes() {
    let text = one_line();
    let findings = vec![
        labelled("unknown variable `nmae`", place(&text, "{{nmae}}"), "did you mean `name`?"),
        labelled("the language is not in the list", place(&text, "\"hi\""), "this one"),
        with_related(
            finding("unknown variable `nmae`", place(&text, "{{nmae}}")),
            "the prompt begins here",
            place(&text, "\"prompt_text\""),
        ),
        labelled("the prompt is too long", at(34, text.len() - 2), "20,413 characters"),
    ];
    check("line-of-20-kilobytes", &full(&text, findings));
}

#[test]
fn labels_far_apart() {
    let text = (1..=400).fold(String::new(), |text, n| text + &format!("field_{n}: {n}\n"));
    let finding = labelled("the id is used twice", place(&text, "field_300"), "again");
    let finding = with_related(finding, "first here", place(&text, "field_7:"));
    let finding = with_related(finding, "and near it", place(&text, "field_302"));
    check("labels-far-apart", &full(&text, vec![finding]));
}

#[test]
fn labels_that_overlap() {
    let text = "{\n  \"a\": {\"b\": 1, \"b\": 2}\n}\n";
    let finding = labelled("the member is there twice", last_place(text, "\"b\""), "again");
    let finding = with_related(finding, "first", place(text, "\"b\""));
    let finding = with_related(finding, "in this object", place(text, "{\"b\": 1, \"b\": 2}"));
    check("labels-that-overlap", &full(text, vec![finding]));
}

#[test]
fn carriage_returns() {
    let text = "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n";
    let findings = vec![
        labelled("b is too large", place(text, "2"), "at most 1"),
        labelled("a comma is missing", at(22, 22), "here"),
        finding("the document ends", at(text.len(), text.len())),
    ];
    check("carriage-returns", &full(text, findings));
}

#[test]
fn tabs() {
    let text = "{\n\t\"a\": {\n\t\t\"b\":\t2\n\t}\n}\n";
    check("tabs", &full(text, vec![labelled("b is too large", place(text, "2"), "at most 1")]));
}

#[test]
fn hindi_and_emoji() {
    let text = "{\n  \"title\": \"नमस्ते 👋 {{nmae}}\",\n  \"prompt\": \"日本語 {{naem}}\"\n}\n";
    let findings = vec![
        labelled("unknown variable `nmae`", place(text, "{{nmae}}"), "did you mean `name`?"),
        labelled("unknown variable `naem`", place(text, "{{naem}}"), "did you mean `name`?"),
        finding("a greeting", place(text, "नमस्ते 👋")),
    ];
    check("hindi-and-emoji", &full(text, findings));
}

#[test]
fn control_and_bidi_characters() {
    let text =
        "{\n  \"prompt\": \"\u{1b}[2J\u{202e}drow\u{2066}\u{200b}\u{9b}1m\u{ad}\", \"x\": 1\n}\n";
    let finding = labelled("no \u{202e}such\u{7} member", place(text, "\"x\""), "\u{1b}[31mhere");
    let finding = changed(finding, |it| {
        it.help = Some("call it\u{2067}\nsomething\u{0}".to_owned());
    });
    check("control-and-bidi-characters", &full(text, vec![finding]));
}

#[test]
fn missing_comma() {
    let text = "{\n  \"a\": 1\n  \"b\": 2\n}\n";
    let place = text.find('1').unwrap() + 1;
    let finding = labelled("a comma is missing between two members", at(place, place), "here");
    check("missing-comma", &full(text, vec![finding]));
}

#[test]
fn end_of_the_text() {
    let text = "{\n  \"a\": 1";
    let whole = at(text.len(), text.len());
    let findings =
        vec![labelled("the object is not closed", whole, "`}` is missing"), finding("more", whole)];
    let mut output = full(text, findings);
    output += &full("", vec![labelled("the document is empty", at(0, 0), "nothing here")]);
    output += &full("{\n", vec![labelled("the object is not closed", at(2, 2), "`}` is missing")]);
    check("end-of-the-text", &output);
}

#[test]
fn span_over_several_lines() {
    let text = "{\n  \"prompt\": {\n    \"a\": 1,\n    \"b\": 2\n  },\n  \"x\": 1\n}\n";
    let object = place(text, "{\n    \"a\": 1,\n    \"b\": 2\n  }");
    let findings = vec![
        labelled("the prompt is an object", object, "a text is wanted"),
        finding("the prompt is an object", object),
        finding("a whole line", place(text, "  \"x\": 1\n")),
        finding("from the end of a line", place(text, "\n    \"b\"")),
    ];
    check("span-over-several-lines", &full(text, findings));
}

#[test]
fn secret() {
    let text = "{\n  \"api_key\": \"sk-live-1234\",\n  \"title\": \"x\"\n}\n";
    let secret = place(text, "sk-live-1234");
    let mut report = report(vec![
        labelled("a secret in the document", secret, "an API key"),
        labelled("a short title", place(text, "\"x\""), "one character"),
    ]);
    report.secrets = vec![secret];
    let output = written(OutputFormat::Full, &WIDE, text, &report);
    assert!(!output.contains("sk-live"));
    check("secret", &output);
}

#[test]
fn width_60() {
    let mut text = example().0;
    text.insert_str(2, &format!("{}\n", one_line()));
    let findings = vec![
        labelled("unknown variable `nmae`", place(&text, "{{nmae}}"), "did you mean `name`?"),
        changed(labelled("the same id", place(&text, "\"tr_nova\""), "here"), |it| {
            let words =
                "depends on the stored `fallback_stt_enabled`, because the update does not set it";
            (it.depends_on, it.note) = (Some(words.to_owned()), Some(words.to_owned()));
        }),
    ];
    let style = RenderOptions { width: 60, ..WIDE };
    let output = written(OutputFormat::Full, &style, &text, &report(findings));
    check("width-60", &output);
}

#[test]
fn places_in_other_inputs() {
    let (text, mut finding) = example();
    let span = Span { start: 1_000_000, end: 1_000_005 };
    let words = "the transcriber in effect";
    finding.related.push(Related::new(Origin::Stored, "/transcriber_id", span, words));
    let stored = changed(
        crate::support::finding("the version is published already", Span { start: 5, end: 9 }),
        |it| {
            it.origin = Origin::Stored;
            it.severity = Severity::Info;
            it.note = None;
            it.field = "/version_state".to_owned();
        },
    );
    check("places-in-other-inputs", &full(&text, vec![finding, stored]));
}

#[test]
fn many_related_places() {
    let text = (1..=40).fold(String::new(), |text, n| text + &format!("- word_{n}\n"));
    let mut finding = labelled("the word is there often", place(&text, "word_1"), "first");
    for n in 1..12 {
        finding = with_related(finding, "again", place(&text, &format!("word_{}", n * 3 + 1)));
    }
    check("many-related-places", &full(&text, vec![finding]));
}

#[test]
fn a_reading_is_explained_once_in_a_run() {
    const TEXT: &str = "{ \"title\": \"a\", \"description\": \"b\" }";
    let doubtful = |value: &str, words: &str| {
        changed(finding("it may be too long", place(TEXT, value)), |it| {
            it.verdict = VerdictKind::Possible;
            it.severity = Severity::Warning;
            it.depends_on = Some(words.to_owned());
            it.is_reading = true;
            it.note = Some(format!(
                "the service may answer 400 Bad Request (limits, section 8): {words}"
            ));
        })
    };
    let first = "the description does not say what a character is";
    let report = report(vec![doubtful("\"a\"", first), doubtful("\"b\"", first)]);
    let other = crate::support::report(vec![
        doubtful("\"a\"", first),
        doubtful("\"b\"", "the description does not say where the limit is"),
    ]);
    let mut out = Vec::new();
    let mut writer = FindingsWriter::new(&mut out, OutputFormat::Full, RunInfo::default());
    // The second document is rendered first, but written second.
    let second = render(OutputFormat::Full, &WIDE, &CheckedDocument::new("b.json", TEXT, &other));
    writer
        .add(render(OutputFormat::Full, &WIDE, &CheckedDocument::new("a.json", TEXT, &report)))
        .unwrap();
    writer.add(second).unwrap();
    writer.finish(&RunOutcome::default()).unwrap();
    let out = String::from_utf8(out).unwrap();
    assert_eq!(out.matches("what a character is").count(), 1, "{out}");
    assert_eq!(out.matches("where the limit is").count(), 1, "{out}");
    assert_eq!(out.matches("] 400?: ").count(), 4, "{out}");
    check("explained-once", &out);
}
