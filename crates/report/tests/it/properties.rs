//! Properties of the output for every text and every span, even invalid ones.

use crate::support::{at, changed, labelled, report, seed, steers, with_related, written};
use proptest::collection::vec;
use proptest::prelude::*;
use voxlint::{Diagnostic, Severity};
use voxlint_report::{OutputFormat, RenderOptions};

/// Texts of line breaks, control characters, bidirectional controls, joiners, combining marks, wide characters and plain words.
fn text() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        4 => "[ -~]{0,12}",
        2 => Just("\n".to_owned()),
        1 => Just("\r\n".to_owned()),
        2 => any::<char>().prop_map(String::from),
        1 => proptest::char::range('\0', '\u{a0}').prop_map(String::from),
        1 => proptest::char::range('\u{2000}', '\u{2070}').prop_map(String::from),
        1 => proptest::sample::select(vec![
            "\t", "नमस्ते", "👩‍🚀", "✔\u{fe0f}", "日本語", "e\u{301}", "\u{e0041}", "\u{61c}", "\u{ad}",
        ]).prop_map(str::to_owned),
        1 => (0..400usize).prop_map(|n| "long ".repeat(n)),
    ];
    vec(pieces, 0..40).prop_map(|pieces| pieces.concat())
}

fn findings(text: &str) -> impl Strategy<Value = Vec<Diagnostic>> + use<> {
    let offset = 0..text.len() + 3;
    let place = (offset.clone(), offset, 0..3usize).prop_map(|(a, b, shape)| match shape {
        0 => at(a, a),
        1 => at(a.min(b), a.max(b)),
        // Invalid spans.
        _ => at(a, b),
    });
    let finding = (place.clone(), vec(place, 0..4), "\\PC{0,8}\\u{1b}?[\\u{200b}-\\u{2070}]?")
        .prop_map(|(place, related, words)| {
            let finding = labelled(&words, place, &words);
            let finding = changed(finding, |it| {
                it.severity = Severity::Warning;
                it.help = Some(format!("{words}\n{words}"));
            });
            related.into_iter().fold(finding, |finding, place| with_related(finding, &words, place))
        });
    vec(finding, 1..4)
}

fn case() -> impl Strategy<Value = (String, Vec<Diagnostic>, usize)> {
    (text(), 0..160usize).prop_flat_map(|(text, width)| {
        let findings = findings(&text);
        (Just(text), findings, Just(width))
    })
}

/// The output without colors.
fn without_colors(output: &str) -> String {
    let mut plain = String::new();
    let mut pieces = output.split("\u{1b}[");
    plain.extend(pieces.next());
    for piece in pieces {
        let rest = piece.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        plain.push_str(rest.strip_prefix('m').unwrap_or(piece));
    }
    plain
}

proptest! {
    // The same cases every time; PROPTEST_RNG_SEED tries others.
    #![proptest_config(ProptestConfig { cases: 1_000, failure_persistence: None, rng_seed: seed(), ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_steers_a_terminal_reaches_it((text, findings, width) in case()) {
        let report = report(findings);
        for color in [false, true] {
            let style = RenderOptions { color, width, undecided: true, ..RenderOptions::default() };
            for format in [OutputFormat::Full, OutputFormat::Concise, OutputFormat::Grouped, OutputFormat::Statistics, OutputFormat::Markdown] {
                let output = written(format, &style, &text, &report);
                let plain = if color { without_colors(&output) } else { output };
                let raw = plain.chars().find(|c| *c != '\n' && steers(*c));
                prop_assert!(raw.is_none(), "{raw:?} in {plain}");
                prop_assert!(!plain.contains("Failed to read"), "{plain}");
            }
        }
    }

    #[test]
    fn json_is_json((text, findings, _) in case()) {
        let output = written(OutputFormat::Json, &RenderOptions::default(), &text, &report(findings));
        prop_assert!(serde_json::from_str::<serde_json::Value>(&output).is_ok());
    }

    #[test]
    fn the_header_is_where_the_span_begins((text, findings, width) in case()) {
        let style = RenderOptions { color: false, width, undecided: true, ..RenderOptions::default() };
        for finding in findings {
            let start = finding.span.start as usize;
            let before: String = text.char_indices().take_while(|(at, c)| at + c.len_utf8() <= start).map(|(_, c)| c).collect();
            // A line ends at a line feed, or at a carriage return without one.
            let is_end = |at: usize| match text.as_bytes()[at] {
                b'\n' => true,
                byte => byte == b'\r' && text.as_bytes().get(at + 1) != Some(&b'\n'),
            };
            let line = (0..before.len()).filter(|at| is_end(*at)).count() + 1;
            // A byte order mark takes no column.
            let seen = match (0..before.len()).rev().find(|at| is_end(*at)) {
                Some(end) => before.split_at(end + 1).1,
                None => before.strip_prefix('\u{feff}').unwrap_or(&before),
            };
            let column = seen.chars().count() + 1;
            let output = written(OutputFormat::Full, &style, &text, &report(vec![finding]));
            let place = format!("en.json:{line}:{column}]");
            let header = output.lines().nth(1).unwrap_or_default();
            prop_assert!(header.ends_with(&place), "{place} {output}");
        }
    }

    #[test]
    fn secrets_are_never_shown(
        before in "[a-z\n\"]{0,300}", secret in "[A-Z]{4,40}", after in "[a-z\n\"]{0,300}",
        at_caret in 0..640usize, width in 0..120usize,
    ) {
        let text = format!("{before}{secret}{after}");
        let span = at(at_caret.min(text.len()), text.len());
        let mut report = report(vec![labelled("look", span, "here")]);
        report.secrets = vec![at(before.len(), before.len() + secret.len())];
        let output = written(OutputFormat::Full, &RenderOptions { color: false, width, undecided: true, ..RenderOptions::default() }, &text, &report);
        prop_assert!(!output.contains(|c: char| c.is_ascii_uppercase()), "{output}");
    }
}
