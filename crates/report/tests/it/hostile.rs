//! Hostile texts and paths. An independent reader of each format reads the findings back unchanged, except for characters
//! that the format cannot represent and that are documented to be spelled out.

use crate::readers::{ReadFinding, formats_with_positions, html_findings, page, read};
use crate::support::{at, changed, finding, report, seed, steers, undecided, with_related};
use proptest::collection::vec;
use proptest::prelude::*;
use voxlint::{Diagnostic, Severity, Suppressed, SuppressedBy};
use voxlint_report::{
    CheckedDocument, FailedFile, OutputFormat, RenderOptions, RunInfo, RunOutcome, RunSummary,
    escape_terminal, render, write_findings,
};
use voxlint_testing::texts::lines;

fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        3 => "[ -~]{0,10}",
        6 => proptest::sample::select(lines(include_str!("../words/trouble.txt"))).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    vec(piece, 1..12).prop_map(|pieces| pieces.concat())
}

/// A valid path: names contain anything but slashes and zero bytes.
fn path() -> impl Strategy<Value = String> {
    let folder = proptest::sample::select(vec!["agents/", ""]);
    (folder, hostile())
        .prop_map(|(folder, name)| format!("{folder}{}.json", name.replace(['/', '\0'], "")))
}

#[derive(Clone, Debug)]
struct Case {
    path: String,
    text: String,
    findings: Vec<Diagnostic>,
}

fn case() -> impl Strategy<Value = Case> {
    let severity =
        proptest::sample::select(vec![Severity::Error, Severity::Warning, Severity::Info]);
    // A message is never empty.
    let message = hostile().prop_map(|text| if text.is_empty() { "x".to_owned() } else { text });
    let found = (0..100_u32, 0..40_usize, severity, message, proptest::option::of(hostile()));
    (path(), hostile(), vec(found, 1..6)).prop_map(|(path, text, found)| {
        let boundaries: Vec<usize> =
            (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        let findings = found.into_iter().map(|(start, length, severity, message, help)| {
            let start = start as usize % boundaries.len();
            let end = (start + length).min(boundaries.len() - 1);
            let span = at(boundaries[start], boundaries[end]);
            let field = format!("/{message}");
            changed(finding(&message, span), |it| {
                it.severity = severity;
                it.help = help;
                it.field = field;
            })
        });
        Case { findings: findings.collect(), path, text }
    })
}

fn output(format: OutputFormat, case: &Case) -> String {
    let mut report = report(case.findings.clone());
    // The other parts of a report do not disturb the findings.
    let words = &case.findings[0].message;
    for finding in &mut report.diagnostics {
        *finding = with_related(finding.clone(), words, at(0, case.text.len()));
    }
    let reasons = [SuppressedBy::Comment(words.clone()), SuppressedBy::Baseline];
    report.suppressed = reasons.map(|by| Suppressed::new(case.findings[0].clone(), by)).to_vec();
    report.undecided = vec![undecided(&[words], words)];
    let failures = [FailedFile { path: case.path.clone(), message: words.clone() }];
    let rendered = render(
        format,
        &RenderOptions::default(),
        &CheckedDocument::new(&case.path, &case.text, &report),
    );
    let mut summary = RunSummary { files: 1, ..RunSummary::default() };
    summary.add(&report);
    let mut out = Vec::new();
    let outcome = RunOutcome { skipped: &[], failed: &failures, summary, loosened: None };
    write_findings(&mut out, format, &RunInfo::default(), [rendered], &outcome).unwrap();
    String::from_utf8(out).unwrap()
}

/// The line of an offset, its column in code points, and its column in bytes.
fn position(text: &str, offset: usize) -> (u64, u64, u64) {
    // A line ends at a line feed, or at a carriage return without one.
    let ends = |at: &usize| match text.as_bytes()[*at] {
        b'\n' => true,
        byte => byte == b'\r' && text.as_bytes().get(*at + 1) != Some(&b'\n'),
    };
    let line = (0..offset).filter(ends).count() as u64 + 1;
    let on_line = &text[(0..offset).rev().find(ends).map_or(0, |at| at + 1)..offset];
    let mark = u64::from(line == 1 && on_line.starts_with('\u{feff}'));
    (line, on_line.chars().count() as u64 + 1 - mark, on_line.len() as u64 + 1)
}

fn without_forbidden(text: &str) -> String {
    let forbidden = |c: char| (c < ' ' && !"\t\n\r".contains(c)) || "\u{fffe}\u{ffff}".contains(c);
    let spelled =
        |c: char| if forbidden(c) { format!("\\u{{{:x}}}", u32::from(c)) } else { c.to_string() };
    text.chars().map(spelled).collect()
}

/// A path in a command to a build server, which has its own escapes for line breaks and the colons of commands.
fn in_property(text: &str) -> String {
    let signs = ['\n', '\r', ':'];
    let pieces = text.split_inclusive(signs).map(|piece| {
        let name = piece.trim_end_matches(signs);
        format!("{}{}", escape_terminal(name), &piece[name.len()..])
    });
    pieces.collect()
}

fn escape_lines(text: &str) -> String {
    text.split('\n').map(|line| escape_terminal(line).into_owned()).collect::<Vec<_>>().join("\n")
}

/// The finding that a tool should read.
fn expected(format: OutputFormat, case: &Case, finding: &Diagnostic) -> ReadFinding {
    let (line, column, byte_column) = position(&case.text, finding.span.start as usize);
    let end_line = position(&case.text, finding.span.end as usize).0;
    let Diagnostic { rule, severity, message, help, .. } = finding;
    let word = severity.name();
    let advice = match help {
        Some(help) => format!("{message}\nhelp: {help}"),
        None => message.clone(),
    };
    let log_line = format!(
        "{}:{line}:{column}: {word}[{}] {}",
        escape_terminal(&case.path),
        rule.id,
        escape_terminal(message)
    );
    let log_help =
        help.as_ref().map_or_else(String::new, |help| format!("\nhelp: {}", escape_lines(help)));
    ReadFinding {
        path: match format {
            OutputFormat::Junit | OutputFormat::Checkstyle => without_forbidden(&case.path),
            OutputFormat::Github | OutputFormat::Azure => in_property(&case.path),
            _ => case.path.clone(),
        },
        line,
        column: match format {
            OutputFormat::Github => Some(column).filter(|_| line == end_line),
            OutputFormat::Rdjson | OutputFormat::Rdjsonl => Some(byte_column),
            _ => Some(column),
        },
        severity: match format {
            OutputFormat::Azure if *severity == Severity::Info => "warning",
            _ => word,
        }
        .to_owned(),
        rule: rule.id.to_string(),
        message: match format {
            // A space keeps text from being a link.
            OutputFormat::Sarif => advice.replace("](", "] ("),
            OutputFormat::Rdjson | OutputFormat::Rdjsonl => advice,
            OutputFormat::Junit => without_forbidden(&advice),
            OutputFormat::Checkstyle => without_forbidden(message),
            OutputFormat::Gitlab => format!("{}: {message}", rule.id),
            OutputFormat::Github => log_line + &log_help,
            OutputFormat::Azure => log_line,
            _ => message.clone(),
        },
    }
}

/// The number of cases.
fn cases() -> u32 {
    voxlint_testing::cases(60, 600) as u32
}

fn check(case: &Case) {
    for format in formats_with_positions() {
        let output = output(format, case);
        let expected: Vec<ReadFinding> =
            case.findings.iter().map(|finding| expected(format, case, finding)).collect();
        assert_eq!(read(format, &output), expected, "{format:?}: {output}");
    }
}

proptest! {
    // The same cases every time; PROPTEST_RNG_SEED tries others, and VOXLINT_CASES more.
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, rng_seed: seed(), ..ProptestConfig::default() })]

    #[test]
    fn every_reader_reads_the_findings_back(case in case()) {
        check(&case);
    }

    #[test]
    fn the_job_summary_shows_text_without_its_markup(case in case()) {
        let output = output(OutputFormat::Markdown, &case);
        let page = page(&output);
        prop_assert!(page.links.is_empty());
        prop_assert_eq!(page.rows.len(), case.findings.len());
        for (row, finding) in page.rows.iter().zip(&case.findings) {
            let (line, column, _) = position(&case.text, finding.span.start as usize);
            let place = format!("{}:{line}:{column}", cut(&case.path));
            prop_assert_eq!(&row[..3], [trim(&place), finding.severity.name().to_owned(), finding.rule.id.to_string()]);
            prop_assert_eq!(trim(&row[3]), trim(&without_pairs(&cut(&finding.message))));
        }
    }

    #[test]
    fn the_page_shows_text_without_its_markup(case in case()) {
        let output = output(OutputFormat::Html, &case);
        let shown: Vec<String> = html_findings(&output).into_iter().map(|it| it.text).collect();
        let expected: Vec<String> = case.findings.iter().map(|finding| {
            format!("{} 400 {}", finding.severity.name(), without_pairs(&escape_lines(&finding.message)))
        }).collect();
        prop_assert_eq!(shown, expected);
    }

    #[test]
    fn no_format_steers_the_terminal_that_shows_it(case in case()) {
        for format in OutputFormat::ALL {
            let output = output(format, &case);
            let found = output.chars().find(|c| !matches!(c, '\n' | '\t') && steers(*c));
            prop_assert!(found.is_none(), "{format:?}: {found:?} in {output}");
        }
    }

    #[test]
    fn no_text_in_a_command_to_a_build_server_is_another_command(case in case()) {
        for format in [OutputFormat::Github, OutputFormat::Azure] {
            for line in output(format, &case).split(['\n', '\r']) {
                let own = line.strip_prefix("##vso[").unwrap_or(line);
                prop_assert!(!own.contains("##[") && !own.contains("##vso["), "{line}");
            }
        }
    }

    #[test]
    fn no_line_of_another_format_is_a_command_to_a_build_server(case in case()) {
        for format in OutputFormat::ALL.into_iter().filter(|it| !matches!(it, OutputFormat::Github | OutputFormat::Azure)) {
            let output = output(format, &case);
            for line in output.split(['\n', '\r']) {
                prop_assert!(!line.trim_start().starts_with("::"), "{line}");
                prop_assert!(!line.contains("##[") && !line.contains("##vso["), "{line}");
            }
        }
    }
}

/// Truncates a text to the length of a cell.
fn cut(text: &str) -> String {
    let end = text.char_indices().nth(300).map(|(at, _)| at);
    escape_terminal(&end.map_or_else(|| text.to_owned(), |end| format!("{}…", &text[..end])))
        .into_owned()
}

/// Removes the spaces at both ends of a cell.
fn trim(cell: &str) -> String {
    cell.trim_matches([' ', '\t']).to_owned()
}

/// Removes the backticks around code. A single backtick stays.
fn without_pairs(text: &str) -> String {
    let count = text.matches('`').count();
    text.replacen('`', "", count - count % 2)
}

#[test]
fn machine_formats_write_references_that_mean_the_same() {
    let name = "a\u{1b}[31m\u{7}\u{7f}\u{9b}\u{202e}\u{2028}\u{e0041}é👩‍🚀.json";
    let case = Case {
        path: name.to_owned(),
        text: "{}".to_owned(),
        findings: vec![finding(name, at(0, 1))],
    };
    check(&case);
    for (format, written) in [
        (OutputFormat::Json, r"a\u001b[31m\u0007\u007f\u009b\u202e\u2028\udb40\udc41é👩‍🚀.json"),
        (OutputFormat::Sarif, r"a\u001b[31m\u0007\u007f\u009b\u202e\u2028\udb40\udc41é👩‍🚀.json"),
        (OutputFormat::Junit, r"a\u{1b}[31m\u{7}&#127;&#155;&#8238;&#8232;&#917569;é👩‍🚀.json"),
        (OutputFormat::Checkstyle, r"a\u{1b}[31m\u{7}&#127;&#155;&#8238;&#8232;&#917569;é👩‍🚀.json"),
        (
            OutputFormat::Github,
            r"file=a\u{1b}[31m\u{7}\u{7f}\u{9b}\u{202e}\u{2028}\u{e0041}é👩‍🚀.json,line",
        ),
        (
            OutputFormat::Azure,
            r"sourcepath=a\u{1b}[31m\u{7}\u{7f}\u{9b}\u{202e}\u{2028}\u{e0041}é👩‍🚀.json;line",
        ),
    ] {
        let output = output(format, &case);
        assert!(output.contains(written), "{format:?}: {output}");
    }
}

#[test]
fn every_format_handles_a_megabyte() {
    let long = "{\"a\": \"नमस्ते ]]> :: %0A & <b>\"}\n".repeat(25_000);
    assert!(long.len() > 1_000_000);
    let findings = vec![finding(&long, at(30, 40)), finding("short", at(long.len(), long.len()))];
    let case = Case { path: "agents/a.json".to_owned(), text: long, findings };
    check(&case);
    assert!(output(OutputFormat::Markdown, &case).len() < 5_000);
}
