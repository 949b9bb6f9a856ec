//! The record of what happened to one rule.

use voxlint::syntax::Format;
use voxlint::{Document, Gate, Inputs, Severity, Trace, check, check_traced, rules};
use voxlint_testing::case_files;

#[test]
fn a_record_changes_no_report_and_has_a_step_for_each_finding_of_its_rule() {
    let mut count = 0;
    for case in
        case_files().iter().filter(|case| case.path.extension().is_some_and(|it| it == "json"))
    {
        let Ok(text) = std::fs::read_to_string(&case.path) else { continue };
        let inputs = Inputs::new(Document::parse_as(text, Format::Json)).optional_rules(true);
        let usual = check(&inputs);
        for rule in [rules::find(&case.rule).unwrap(), rules::find("out-of-range").unwrap()] {
            let mut trace = Trace::of(rule.into());
            assert_eq!(check_traced(&inputs, &mut trace), usual, "{}", case.name);
            trace.finish(&usual, Severity::Info);
            let reported = trace.steps().iter().filter(|step| step.gate == Gate::Reported);
            let found = usual.diagnostics.iter().filter(|found| *found.rule == *rule);
            assert_eq!(reported.count(), found.count(), "{}", case.name);
            assert!(!trace.steps().is_empty(), "{}", case.name);
            count += 1;
        }
    }
    assert!(count > 1000, "{count}");
}

#[test]
fn a_rule_that_is_off_by_default_is_said_to_be_off_without_a_configuration() {
    let inputs = Inputs::new(Document::parse(r#"{ "version_number": 3 }"#));
    let rule = rules::find(rules::ids::MUSTACHE_SPACING).unwrap();
    let mut trace = Trace::of(rule.into());
    let report = check_traced(&inputs, &mut trace);
    trace.finish(&report, Severity::Info);
    assert_eq!(trace.steps()[0].gate, Gate::OffByDefault);
}
