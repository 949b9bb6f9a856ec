//! When suppressions expire, and which of them count as used.

#![allow(clippy::format_collect, reason = "the texts of a test are small")]

use crate::support::{TODAY, check_document, day, load, sound};
use voxlint::Report;
use voxlint_config::{Configuration, LoadError, RuleSelection, SuppressionUsage, VisitedPaths};

fn ids(report: &Report) -> Vec<String> {
    report.diagnostics.iter().map(|found| found.rule.id.to_string()).collect()
}

/// The findings about the configuration after a run over all files.
fn check_suppressions(
    configuration: &Configuration,
    used: &SuppressionUsage,
) -> Vec<voxlint::Diagnostic> {
    let all = VisitedPaths { folders: vec![String::new()], ..VisitedPaths::default() };
    let files = configuration.check_suppressions(used, &all, day(TODAY));
    files.into_iter().flat_map(|file| file.report.diagnostics).collect()
}

#[test]
fn a_comment_expires_after_its_last_day() {
    for (until, left) in [
        ("2027-01-14", &["out-of-range", "expired-suppression"][..]),
        ("2027-01-15", &[]),
        ("2027-01-16", &[]),
    ] {
        let text = format!(
            "version_number: 3\nkb_max_chunks: 12 # voxlint-ignore out-of-range until {until}: x\n"
        );
        let (report, _) = check_document(&Configuration::built_in(), "en.yaml", &text);
        assert_eq!(ids(&report), left, "{until}");
    }
}

#[test]
fn two_comments_for_one_finding_are_both_used() {
    let text = "# voxlint-ignore-file out-of-range: all of it\nversion_number: 3\n\
                kb_max_chunks: 12 # voxlint-ignore out-of-range: this one\n";
    let (report, _) = check_document(&Configuration::built_in(), "en.yaml", text);
    assert_eq!(ids(&report), [""; 0]);
    assert_eq!(report.suppressed.len(), 1);
}

#[test]
fn an_entry_for_a_finding_that_a_comment_hides_is_used() {
    let entry = "[[suppressions]]\nfiles = '**'\nrules = 'out-of-range'\nreason = 'x'\n";
    let configuration = sound(entry);
    let of_comment = "kb_max_chunks: 12 # voxlint-ignore out-of-range: y\nversion_number: 3\n";
    let (report, used) = check_document(&configuration, "en.yaml", of_comment);
    assert_eq!(report.suppressed.len(), 1);
    assert!(check_suppressions(&configuration, &used).is_empty());
    let (_, used) = check_document(&configuration, "en.yaml", "version_number: 3\n");
    assert_eq!(check_suppressions(&configuration, &used).len(), 1);
}

#[test]
fn a_group_is_not_reported_as_unused_if_rules_are_selected() {
    let text = "
        [[house_rules]]
        id = 'short-title'
        field = '/title'
        max_length = 20
        [[house_rules]]
        id = 'short-greeting'
        field = '/welcome_message'
        max_length = 20
        [[suppressions]]
        files = '**'
        rules = 'house'
        reason = 'x'
    ";
    let messages = |selection: RuleSelection| {
        let configuration = sound(text).with_rule_selection(&selection).unwrap();
        let (_, used) =
            check_document(&configuration, "en.yaml", "version_number: 3\ntitle: Desk\n");
        // The result is the same without a document.
        let count = check_suppressions(&configuration, &used).len();
        assert_eq!(check_suppressions(&configuration, &SuppressionUsage::default()).len(), count);
        count
    };
    assert_eq!(messages(RuleSelection::default()), 1);
    let selection = RuleSelection::default().select(["short-title", "unused-suppression"]);
    assert_eq!(messages(selection), 0);
}

#[test]
fn the_note_names_the_first_finding_elsewhere_in_any_order_of_documents() {
    let text = "[[suppressions]]\nfiles = '**'\nrules = 'out-of-range'\npointer = '/title'\nreason = 'x'\n";
    let configuration = sound(text);
    let paths = ["b.yaml", "a.yaml", "c.yaml"];
    for turn in 0..paths.len() {
        let mut used = SuppressionUsage::default();
        for path in paths.iter().cycle().skip(turn).take(paths.len()) {
            let (_, one) =
                check_document(&configuration, path, "version_number: 3\nkb_max_chunks: 12\n");
            used.add(one);
        }
        let found = check_suppressions(&configuration, &used);
        let note = found[0].note.as_deref();
        assert_eq!(
            note,
            Some("a finding of this rule is at `/kb_max_chunks` in `a.yaml`"),
            "{turn}"
        );
    }
}

#[test]
fn unreadable_files_may_allow_fields() {
    let house = "[[house_rules]]\nid = 'a'\nfield = '/titel'\nrequired = true\n";
    let unreadable = format!("extends = 'nope.toml'\n{house}");
    let found = faults(&[("voxlint.toml", &unreadable)]);
    assert_eq!(found, ["cannot read `nope.toml`: no such file or directory"]);
    let readable = format!("extends = 'base.toml'\n{house}");
    let found = faults(&[("voxlint.toml", &readable), ("base.toml", "")]);
    assert_eq!(found, ["`titel` is not a field of an update"]);
    let allow = "[[overrides]]\nfiles = 'a/'\nrules.unknown-field.allow = ['titel']\n";
    assert!(load(&[("voxlint.toml", &readable), ("base.toml", allow)]).is_ok());
}

fn faults(files: &[(&str, &str)]) -> Vec<String> {
    match load(files) {
        Err(LoadError::Faults(files)) => {
            let found = files.into_iter().flat_map(|file| file.report.diagnostics);
            found.map(|found| found.message).collect()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn unreadable_files_may_have_rules() {
    let rules = "[rules]\nmade-up-altogether = 'off'\n";
    let no_rule = "there is no rule `made-up-altogether`";
    let unreadable = format!("extends = 'nope.toml'\n{rules}");
    assert_eq!(
        faults(&[("voxlint.toml", &unreadable)]),
        ["cannot read `nope.toml`: no such file or directory"]
    );
    let mixed = format!("extends = ['nope.toml', 'base.toml']\n{rules}");
    let found = faults(&[("voxlint.toml", &mixed), ("base.toml", "")]);
    assert_eq!(found, ["cannot read `nope.toml`: no such file or directory"]);
    let faulty = format!("extends = 'base.toml'\nexclude = [\n{rules}");
    let found = faults(&[("voxlint.toml", &faulty), ("base.toml", "")]);
    assert!(!found.is_empty() && !found.iter().any(|it| it == no_rule), "{found:?}");
    let readable = format!("extends = 'base.toml'\n{rules}");
    assert_eq!(faults(&[("voxlint.toml", &readable), ("base.toml", "")]), [no_rule]);
}

#[test]
fn a_thousand_comments_are_read_as_fast_as_one() {
    // Quadratic work would take minutes here.
    let count = voxlint_testing::cases(5_000, 50_000) as usize;
    let fields = |comment: &str| -> String {
        (0..count)
            .map(|at| format!("k{at}: 1 # voxlint-ignore{comment} unknown-field: x\n"))
            .collect()
    };
    let members = |at| format!("\"k{at}\": 1 /* voxlint-ignore unknown-field: x */,");
    let members: String = (0..count).map(members).collect();
    let version = "\"version_number\": 3";
    let lines = "/* voxlint-ignore out-of-range: x\n".repeat(count);
    let in_line = |marker: &str| format!("{marker} voxlint-ignore out-of-range: x ").repeat(count);
    let spaces = " ".repeat(count);
    let mut found = Vec::new();
    for (path, text, findings) in [
        ("en.yaml", "# voxlint-ignore out-of-range: x\n".repeat(count), count + 1),
        ("en.yaml", fields(""), count + 1),
        ("en.yaml", fields("-file"), count + 1),
        ("en.jsonc", format!("{{{members}{version}}}"), 0),
        ("en.jsonc", format!("{{{version}}}{lines}"), count + 1),
        ("en.jsonc", format!("{{{version}}}{lines}*/"), count),
        (
            "en.jsonc",
            format!("{{{spaces}{}{version}}}", "/* voxlint-ignore x: y */".repeat(count)),
            count,
        ),
        // Of the comments inside the line of another, only the first ones are read.
        ("en.jsonc", format!("{{{version}}} {}", in_line("//")), 101),
        ("en.jsonc", format!("{{{version}}} {}", in_line("/*")), 102),
        ("en.jsonc", format!("{{{version}}} {}*/", in_line("/*")), 101),
        ("en.yaml", format!("version_number: 3 {}", in_line("#")), 101),
    ] {
        let (report, _) = check_document(&Configuration::built_in(), path, &text);
        found.push((report.diagnostics.len(), findings));
    }
    assert!(found.iter().all(|(found, expected)| found == expected), "{found:?}");
}

#[test]
fn a_thousand_suppressions_are_applied_as_fast_as_one() {
    // Quadratic work would take minutes here.
    let count = voxlint_testing::cases(1_000, 3_000) as usize;
    let entry = |at| {
        format!(
            "[[suppressions]]\nfiles = '**'\npointer = '/k{at}'\nrules = ['out-of-range', 'unknown-field']\n\
             reason = '{at}'\n"
        )
    };
    let configuration = sound(&(0..count).map(entry).collect::<String>());
    let mut all = SuppressionUsage::default();
    for document in 0..count {
        let (report, used) =
            check_document(&configuration, "en.yaml", "version_number: 3\nkb_max_chunks: 12\n");
        assert_eq!(report.diagnostics.len(), 1, "{document}");
        all.add(used);
    }
    let unused = check_suppressions(&configuration, &all);
    assert_eq!(unused.len(), 2 * count);
    let note = "a finding of this rule is at `/kb_max_chunks` in `en.yaml`";
    assert_eq!(unused[0].note.as_deref(), Some(note));
}

#[test]
fn comments_for_the_same_findings_are_all_used() {
    let text = "version_number: 3\n# voxlint-ignore out-of-range: one\n# voxlint-ignore out-of-range: two\n\
                kb_max_chunks: 12 # voxlint-ignore out-of-range, unknown-field: three\n";
    let (report, _) = check_document(&Configuration::built_in(), "en.yaml", text);
    assert_eq!(ids(&report), ["unused-suppression"]);
    assert_eq!(report.suppressed.len(), 1);
}
