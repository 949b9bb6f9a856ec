//! The descriptions and corrections of errors: a snapshot for each kind in snapshots/template.

use std::{collections::BTreeMap, fmt::Write as _, sync::LazyLock};

use crate::common::{
    generator::{Random, template},
    stored,
};
use voxlint_template::{
    Correction, Description, TemplateError, TemplateErrorKind, TemplateSpan, UnintendedCall,
    further_errors, parse,
};
use voxlint_testing::texts::lines;

static EXAMPLES: LazyLock<Vec<&str>> = LazyLock::new(|| lines(include_str!("../faulty.txt")));

/// Templates, some of which have one correction.
static CORRECTED: LazyLock<Vec<&str>> = LazyLock::new(|| lines(include_str!("../corrected.txt")));

/// The first error of a faulty template, described.
fn error(text: &str) -> (TemplateError, Description) {
    let error = parse(text).error.unwrap_or_else(|| panic!("{text:?} is valid"));
    let description = error.describe(text);
    (error, description)
}

fn corrected(text: &str, correction: &Correction) -> String {
    let mut corrected = text.to_owned();
    corrected.replace_range(correction.span.range(), &correction.text);
    corrected
}

#[test]
fn a_sign_in_the_name_of_a_time_variable_asks_for_brackets() {
    for (tag, corrected) in [
        ("{{current_time_Etc/GMT+5}}", "{{[current_time_Etc/GMT+5]}}"),
        ("{{ current_date_UTC+5:30 }}", "{{ [current_date_UTC+5:30] }}"),
        ("{{{current_time_+05:30}}}", "{{{[current_time_+05:30]}}}"),
        ("{{~current_weekday_GMT@home~}}", "{{~[current_weekday_GMT@home]~}}"),
        ("{{current_time_(UTC)}}", "{{[current_time_(UTC)]}}"),
        ("{{#if current_time_Etc/GMT+5}}x{{/if}}", "{{#if [current_time_Etc/GMT+5]}}"),
    ] {
        let description = parse(tag).error.expect(tag).describe(tag);
        assert_eq!(description.help, format!("put the name in brackets: `{corrected}`"));
        assert_eq!(description.correction.map(|it| it.text).as_deref(), Some(corrected), "{tag}");
    }
    // Sums are still sums.
    for tag in ["{{current_time_left+5}}", "{{current_balance+Fee}}", "{{price+5}}"] {
        let description = parse(tag).error.expect(tag).describe(tag);
        assert!(description.message.starts_with("the operator"), "{tag}");
    }
}

#[test]
fn each_kind_has_its_description() {
    let mut by_kind: BTreeMap<TemplateErrorKind, String> = BTreeMap::new();
    for text in EXAMPLES.iter() {
        let (error, description) = error(text);
        let shown = by_kind.entry(error.kind).or_default();
        writeln!(shown, "{}", frame(text, &error, &description)).expect("strings grow");
    }
    for (kind, shown) in by_kind {
        let name = format!("{kind:?}");
        let upper = |(at, letter): (usize, char)| (at > 0 && letter.is_uppercase()).then_some('-');
        let name: String = name
            .char_indices()
            .flat_map(|at| upper(at).into_iter().chain(at.1.to_lowercase()))
            .collect();
        voxlint_testing::assert_snapshot("template", &name, shown.trim_end());
    }
}

/// Carets under a span, and a label.
fn underline(text: &str, span: TemplateSpan, sign: &str, label: &str) -> String {
    let lead = text[..span.start as usize].chars().count();
    let width = span.of(text).chars().count().max(1);
    format!("{}{} {label}", " ".repeat(lead), sign.repeat(width))
}

/// The text with carets under the error, and the description below it.
fn frame(text: &str, error: &TemplateError, description: &Description) -> String {
    let mut frame = text.replace('\0', "␀").replace('\n', "␊");
    write!(frame, "\n{}", underline(text, error.span, "^", description.label))
        .expect("strings grow");
    if let Some((span, label)) = error.related {
        write!(frame, "\n{}", underline(text, span, "-", label)).expect("strings grow");
    }
    write!(frame, "\n  {}\n  help: {}\n", description.message, description.help)
        .expect("strings grow");
    frame
}

#[test]
fn a_corrected_template_has_no_error_at_that_place() {
    let mut random = Random::new(7);
    let cases = voxlint_testing::cases(3_000, 20_000);
    let generated: Vec<_> = (0..cases).map(|_| template(&mut random)).collect();
    let mut corrected_count = 0;
    for text in EXAMPLES.iter().copied().chain(generated.iter().map(String::as_str)) {
        let Some(error) = parse(text).error else { continue };
        let Some(correction) = error.describe(text).correction else { continue };
        corrected_count += 1;
        let corrected = corrected(text, &correction);
        let corrected_end = correction.span.start + correction.text.len() as u32;
        if let Some(next) = parse(&corrected).error {
            let is_elsewhere =
                next.span.start > corrected_end || next.span.end <= correction.span.start;
            assert!(is_elsewhere, "{text:?} became {corrected:?}: {next:?}");
        }
    }
    assert!(corrected_count > 200, "only {corrected_count} corrections");
}

#[test]
fn a_correction_has_the_intended_meaning() {
    let mut shown = String::new();
    for text in CORRECTED.iter() {
        let (_, description) = error(text);
        let correction = description.correction.map(|correction| corrected(text, &correction));
        let correction = correction.as_deref().unwrap_or("no correction");
        writeln!(shown, "{}\n  {correction}\n", text.replace('\n', "␊")).expect("strings grow");
    }
    voxlint_testing::assert_snapshot("template", "corrections", shown.trim_end());
}

/// The count of each character of a text that is neither punctuation nor white space.
fn content(text: &str) -> BTreeMap<char, usize> {
    let mut counts = BTreeMap::new();
    let is_mark = |it: &char| {
        (it.is_ascii_punctuation() && *it != '_')
            || it.is_whitespace()
            || "“”„‘’\u{feff}".contains(*it)
    };
    for character in text.chars().filter(|it| !is_mark(it)) {
        *counts.entry(character).or_default() += 1;
    }
    counts
}

#[test]
fn a_correction_keeps_all_content() {
    let mut random = Random::new(11);
    let generated: Vec<_> =
        (0..voxlint_testing::cases(4_500, 100_000)).map(|_| template(&mut random)).collect();
    let stored = stored();
    let stored = stored.iter().map(|verdict| verdict.template.as_str());
    let mut corrected_count = 0;
    let examples = EXAMPLES.iter().chain(CORRECTED.iter()).copied();
    for text in examples.chain(generated.iter().map(String::as_str)).chain(stored) {
        let Some(error) = parse(text).error else { continue };
        let Some(correction) = error.describe(text).correction else { continue };
        corrected_count += 1;
        let corrected = corrected(text, &correction);
        let Correction { span, text: new, .. } = correction;
        let (before, after) = (content(span.of(text)), content(&new));
        // The name in a closing tag only repeats that of its block.
        let is_closing = span.of(text).trim_start_matches(['{', '~']).starts_with('/');
        for (character, count) in before.iter().filter(|_| !is_closing) {
            let kept = after.get(character).copied().unwrap_or_default();
            assert!(kept >= *count, "{text:?} became {corrected:?} without {character:?}");
        }
        // Comments stay comments. Nothing else becomes one.
        match error.kind {
            TemplateErrorKind::UnclosedComment => {
                let end = span.start as usize + new.len() - 2;
                let comment = &corrected[error.span.start as usize..end];
                assert!(!comment.contains("}}"), "{text:?} is partly silent: {corrected:?}");
            }
            _ => assert!(!new.contains("{{!"), "{text:?} became the comment {corrected:?}"),
        }
    }
    assert!(corrected_count > 200, "only {corrected_count} corrections");
}

#[test]
fn descriptions_are_well_formed() {
    for verdict in stored() {
        let text = verdict.template.as_str();
        let Some(error) = parse(text).error else { continue };
        let Description { message, label, help, correction, .. } = error.describe(text);
        for line in [&*message, label, &*help] {
            assert!(!line.is_empty() && !line.ends_with('.'), "{text:?}: {line}");
            let is_upper = line.starts_with(char::is_uppercase);
            assert!(!is_upper || line.starts_with("JSON") || line == "U+0000", "{line}");
            assert!(!line.contains(char::is_control), "{text:?}: {line:?}");
            assert!(line.chars().count() <= 200, "{text:?}: {line}");
        }
        assert!(!error.span.is_empty() || text.is_empty(), "{text:?}: {error:?} covers nothing");
        let related = error.related.map(|(span, _)| span);
        for span in [error.span, error.tag].into_iter().chain(related) {
            assert!(text.get(span.range()).is_some(), "{text:?}: {error:?}");
        }
        if let Some(correction) = correction {
            assert_ne!(correction.span.of(text), correction.text);
        }
    }
}

#[test]
fn excerpts_are_short_and_visible() {
    let text = format!("{{{{#if {}}}}}", "\u{7}long ".repeat(1_000));
    let (_, Description { message, .. }) = error(&text);
    assert!(message.chars().count() < 120, "{message}");
    assert!(message.contains("\\u{7}"), "{message}");
}

#[test]
fn unintended_calls_are_described() {
    let mut shown = String::new();
    for text in lines(include_str!("../unintended.txt")) {
        let parsed = parse(text);
        assert!(parsed.error.is_none(), "{text:?} is valid");
        let call = parsed.tree.nodes().find_map(|node| UnintendedCall::detect(node, text));
        let call = call.unwrap_or_else(|| panic!("{text:?} is an unintended call"));
        writeln!(shown, "{text}\n{}", underline(text, call.span, "^", call.label))
            .expect("strings grow");
        if let Some(message) = &call.message {
            writeln!(shown, "  {message}").expect("strings grow");
        }
        writeln!(shown, "  help: {}\n", call.help).expect("strings grow");
    }
    voxlint_testing::assert_snapshot("template", "unintended-call", shown.trim_end());
}

#[test]
fn intended_calls_are_not_reported() {
    for text in [
        "{{lookup names 0}}",
        "{{#if vip}}x{{else if regular}}y{{/if}}",
        "{{formatDate date style=\"short\"}}",
        "{{customer.first_name}}",
        "{{[first name]}}",
        "{{upper (join first last)}}",
        "{{upper name}}",
    ] {
        let parsed = parse(text);
        let call = parsed.tree.nodes().find_map(|node| UnintendedCall::detect(node, text));
        assert_eq!(call, None, "{text}");
    }
}

/// The errors of a template after the first one, each as it is found when the text is corrected and parsed anew.
fn errors_in_turn(text: &str) -> Vec<(TemplateSpan, Description)> {
    let mut corrected = text.to_owned();
    let mut errors = Vec::new();
    while let Some(error) = parse(&corrected).error {
        let description = error.describe(&corrected);
        let Some(Correction { span, text, .. }) = description.correction.clone() else { break };
        errors.push((error.span, description));
        corrected.replace_range(span.range(), &text);
        assert!(errors.len() < 1_000, "{corrected:?}");
    }
    errors.split_off(errors.len().min(1))
}

#[test]
fn further_errors_are_those_of_the_corrected_text() {
    let mut random = Random::new(3);
    let mut count = 0;
    for _ in 0..voxlint_testing::cases(4_500, 100_000) {
        let pieces = 1 + random.below(6);
        let pieces = (0..pieces).map(|_| match random.below(3) {
            0 => (*random.pick(&EXAMPLES)).to_owned(),
            1 => format!("{{{{#if a}}}} {} {{{{/if}}}}", random.pick(&EXAMPLES)),
            _ => template(&mut random),
        });
        let text = pieces.collect::<Vec<_>>().join(" ");
        // A bracket or quote that a correction adds may close one before it that ends with an escaped one.
        if ["\\]", "\\\"", "\\'"].iter().any(|escaped| text.contains(escaped)) {
            continue;
        }
        let in_turn = errors_in_turn(&text);
        let further = further_errors(&text);
        let mut added = 0;
        if let Some(first) = parse(&text).error {
            let correction = first.describe(&text).correction;
            added = correction
                .map_or(0, |it| i64::from(it.text.len() as u32) - i64::from(it.span.len()));
        }
        assert!(further.len() <= in_turn.len(), "{text:?}");
        for (found, (span, description)) in further.iter().zip(&in_turn) {
            let moved = |at: u32| i64::from(at) + added;
            let now = (moved(found.span.start), moved(found.span.end));
            assert_eq!(now, (i64::from(span.start), i64::from(span.end)), "{text:?}");
            assert_eq!(found.description.message, description.message, "{text:?}");
            assert_eq!(found.description.help, description.help, "{text:?}");
            let [one, other] = [&found.description, description].map(|it| it.correction.as_ref());
            let (one, other) = (one.unwrap(), other.unwrap());
            assert_eq!(one.text, other.text, "{text:?}");
            assert_eq!(moved(one.span.start), i64::from(other.span.start), "{text:?}");
            added += i64::from(one.text.len() as u32) - i64::from(one.span.len());
            count += 1;
        }
    }
    assert!(count > 80, "{count}");
}

/// Also in a block: its closing tag is correct.
#[test]
fn all_of_many_errors_are_found() {
    let tags = "Hi {{name}, it is {{time}.\n".repeat(5_000);
    for text in [tags.clone(), format!("{{{{#if a}}}}\n{tags}{{{{else}}}}{tags}{{{{/if}}}}")] {
        let further = further_errors(&text);
        assert_eq!(further.len(), text.matches("{name}").count() * 2 - 1);
    }
}

/// What ends far away is not an error, after one that is.
#[test]
fn an_error_does_not_hide_what_ends_far_after_it() {
    let long = "It is long. ".repeat(5_000);
    for far in [
        format!("{{{{!-- {long} --}}}}"),
        format!("{{{{{{{{raw}}}}}}}}{long}{{{{{{{{/raw}}}}}}}}"),
        format!("{{{{#if a}}}}{long}{{{{/if}}}}"),
        format!("{{{{a \"{long}\"}}}}"),
        format!("{{{{[{long}]}}}}"),
    ] {
        let further = further_errors(&format!("{{{{name}} {far} {{{{name}} {{{{time}} {far}"));
        let found =
            further.iter().map(|it| it.description.correction.as_ref().unwrap().text.as_str());
        assert_eq!(found.collect::<Vec<_>>(), ["{{name}}", "{{time}}"], "{}", &far[..10]);
    }
}
