//! The order of levels, comments, suppressions and the baseline.

use voxlint::syntax::Format;
use voxlint::{Document, Inputs, SuppressedBy, Trace};
use voxlint_config::{
    Baseline, CheckSettings, Checked, DocumentScope, FileBaseline, SuppressionMode,
    SuppressionUsage, check_document,
};
use voxlint_testing::{files_below, repository};

use crate::support::{TODAY, day, sound};

const TEXT: &str = "version_number: 3\nkb_max_chunks: 12\n";
const COMMENTED: &str =
    "version_number: 3\nkb_max_chunks: 12 # voxlint-ignore out-of-range: by comment\n";
const SUPPRESSED: &str =
    "[[suppressions]]\nfiles = '**'\nrules = 'out-of-range'\nreason = 'by entry'\n";

/// Checks a YAML document with a baseline.
fn filter(
    configuration: &str,
    text: &str,
    mode: SuppressionMode,
    baseline: &mut FileBaseline<'_>,
) -> Checked {
    let configuration = sound(configuration);
    let settings = configuration.for_file("en.yaml");
    let settings = CheckSettings::new(settings, day(TODAY)).suppressions(mode);
    let inputs = Inputs::new(Document::parse_as(text, Format::Yaml));
    let scope = DocumentScope { baseline: Some(baseline), ..DocumentScope::default() };
    check_document(inputs, &settings, scope, &mut Trace::off())
}

/// A baseline with all findings in the document.
fn baseline() -> Baseline {
    let empty = Baseline::default();
    let mut file = empty.for_file("en.yaml");
    filter("", TEXT, SuppressionMode::Apply, &mut file);
    file.into_entries().into_iter().collect()
}

#[test]
fn each_step_sees_only_what_the_steps_before_it_have_left() {
    let baseline = baseline();
    assert_eq!(baseline.len(), 1);
    let off = format!("rules.out-of-range = 'off'\n{SUPPRESSED}");
    for (configuration, text, hidden_by, in_baseline) in [
        (&*off, COMMENTED, None, 0),
        (SUPPRESSED, COMMENTED, Some(SuppressedBy::Comment("by comment".to_owned())), 0),
        (SUPPRESSED, TEXT, Some(SuppressedBy::Configuration("by entry".to_owned())), 0),
        ("", TEXT, Some(SuppressedBy::Baseline), 1),
    ] {
        let mut file = baseline.for_file("en.yaml");
        let report = filter(configuration, text, SuppressionMode::Apply, &mut file).report;
        let suppressed: Vec<_> = report.suppressed.into_iter().map(|it| it.by).collect();
        assert_eq!(suppressed, Vec::from_iter(hidden_by), "{configuration} {text}");
        assert_eq!(file.into_entries().len(), in_baseline, "{configuration} {text}");
        let found = report.diagnostics.iter().map(|found| &*found.rule.id).collect::<Vec<_>>();
        assert_eq!(found, [""; 0], "{configuration} {text}");
    }
}

#[test]
fn without_suppressions_only_levels_apply() {
    let baseline = baseline();
    let mut file = baseline.for_file("en.yaml");
    let configuration = format!("rules.out-of-range = 'info'\n{SUPPRESSED}");
    let checked = filter(&configuration, COMMENTED, SuppressionMode::Ignore, &mut file);
    let report = checked.report;
    assert!(report.suppressed.is_empty());
    assert_eq!(report.diagnostics.len(), 1);
    assert_eq!(report.diagnostics[0].severity, voxlint::Severity::Info);
    assert_eq!(checked.usage, SuppressionUsage::default());
    assert!(file.into_entries().is_empty());
}

#[test]
fn comments_in_shared_text_files_are_not_reported_as_unused() {
    let configuration = sound("");
    let settings = CheckSettings::new(configuration.for_file("en.json"), day(TODAY));
    let text = Document::parse_as("{{! voxlint-ignore-file unknown-helper: x }}Hi\n", Format::Text);
    let row = voxlint::schema::settings::TABLE.row("prompt_text").unwrap();
    let inputs = Inputs::new(Document::parse(r#"{ "version_number": 3 }"#))
        .texts([voxlint::TextFile::new(row, text)]);
    for (shared_texts, count) in [(vec![], 1), (vec![0], 0)] {
        let scope = DocumentScope { shared_texts, ..DocumentScope::default() };
        let report = check_document(inputs.clone(), &settings, scope, &mut Trace::off()).report;
        let unused = report.diagnostics.iter().filter(|it| it.rule.id == "unused-suppression");
        assert_eq!(unused.count(), count);
    }
}

#[test]
fn no_level_suppression_or_baseline_hides_a_syntax_error() {
    let text = "version_number: [3\n";
    let suppression = "[[suppressions]]\nfiles = '*'\nrules = 'recommended'\nreason = 'decided'\n";
    let found = |settings: &str, baseline: &Baseline| {
        let mut known = baseline.for_file("en.yaml");
        let report = filter(settings, text, SuppressionMode::Apply, &mut known).report;
        let errors = report.diagnostics.iter().filter(|it| it.rule.id == "syntax-error");
        assert!(errors.clone().all(|it| it.severity == voxlint::Severity::Error), "{settings}");
        (errors.count(), known.into_entries())
    };
    let (count, entries) = found("", &Baseline::default());
    assert!(count > 0 && entries.iter().all(|it| it.rule != "syntax-error"), "{entries:?}");
    for settings in ["rules.recommended = 'off'", "rules.correctness = 'info'", suppression] {
        assert_eq!(found(settings, &Baseline::default()).0, count, "{settings}");
    }
}

/// The compiler keeps levels, comments, suppressions and the baseline from all other crates. The rules alone are public, for callers
/// without a configuration.
#[test]
fn program_server_bindings_and_assistants_run_the_rules_through_check_document_only() {
    // An edit must add no fault, not even one that is hidden.
    const PROOFS: [&str; 2] = ["crates/ide/src/suppress.rs", "crates/project/src/fixes/whole.rs"];
    let mut callers = Vec::new();
    for name in ["bindings", "cli", "ide", "mcp", "project", "report", "server"] {
        for path in files_below(&format!("crates/{name}/src"), "rs") {
            let text = std::fs::read_to_string(&path).expect("a source");
            let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            let code: String = code.collect::<Vec<_>>().join(" ");
            let imports = code.split("use voxlint::{").skip(1);
            let imports = imports.filter_map(|rest| rest.split_once("};").map(|(list, _)| list));
            let mut names = imports.flat_map(|list| list.split([',', ' ']));
            if code.contains("voxlint::check(") || names.any(|name| name.trim() == "check") {
                callers.push(path.strip_prefix(repository()).expect("inside").to_owned());
            }
        }
    }
    assert_eq!(callers, PROOFS.map(std::path::PathBuf::from));
}
