//! Levels of rules.

use voxlint::{Group, Severity, rules};
use voxlint_config::{Configuration, Level, RuleSelection};

use crate::support::{check_document, load, sound};

#[test]
fn house_rules_have_levels_and_suppressions_like_other_rules() {
    let text = "
        [[house_rules]]
        id = 'title-without-team'
        field = '/title'
        must_match = '^(Sales|Support): '
        level = 'error'

        [[overrides]]
        files = 'drafts/'
        rules = { title-without-team = 'info' }

        [[overrides]]
        files = 'old/'
        rules.house = 'off'

        [[suppressions]]
        files = 'kept.json'
        rules = 'title-without-team'
        reason = 'the first document'
    ";
    let configuration = sound(text);
    let severity = |path: &str| {
        let (report, _) = check_document(
            &configuration,
            path,
            r#"{ "version_number": 3, "title": "Front desk" }"#,
        );
        report
            .diagnostics
            .iter()
            .find(|it| it.rule.id == "title-without-team")
            .map(|it| it.severity)
    };
    assert_eq!(severity("en.json"), Some(Severity::Error));
    assert_eq!(severity("drafts/en.json"), Some(Severity::Info));
    assert_eq!(severity("old/en.json"), None);
    assert_eq!(severity("kept.json"), None);
    assert!(configuration.for_file("old/en.json").house_rules().is_empty());
}

#[test]
fn allowed_fields_are_not_reported() {
    let text = "
        rules.unknown-field.allow = ['x_*']
        [[overrides]]
        files = 'strict/'
        rules.unknown-field = { allow = ['a/b'], level = 'error' }
    ";
    let configuration = sound(text);
    let fields = |path: &str| {
        let document = r#"{ "version_number": 3, "title": "x", "x_team": 1, "a/b": 2, "y": 3 }"#;
        let (report, _) = check_document(&configuration, path, document);
        assert!(report.suppressed.is_empty());
        let found = report.diagnostics.into_iter().filter(|it| it.rule.id == "unknown-field");
        found.map(|it| it.field).collect::<Vec<_>>()
    };
    assert_eq!(fields("en.json"), ["/a~1b", "/y"]);
    assert_eq!(fields("strict/en.json"), ["/x_team", "/y"]);
}

#[test]
fn levels_have_one_order_of_precedence() {
    let base = "
        rules.correctness = 'info'
        rules.unknown-field = 'error'
        rules.text-given-twice = 'off'
        [[overrides]]
        files = 'drafts/'
        rules.out-of-range = 'warning'
    ";
    let main = "
        extends = 'base.toml'
        rules.unknown-field = 'warning'
        [[overrides]]
        files = 'drafts/'
        rules.correctness = 'off'
        [[overrides]]
        files = 'drafts/en.json'
        rules = { out-of-range = 'error', unknown-field = { level = 'info' } }
    ";
    let load = || load(&[("voxlint.toml", main), ("base.toml", base)]).unwrap();
    let level = |configuration: &Configuration, path: &str, rule: &str| {
        let rule = rules::find(rule).unwrap();
        configuration.for_file(path).level(rule).map(|level| level.value.as_str())
    };
    let plain = load();
    for (path, rule, expected) in [
        // A rule overrides its group.
        ("en.json", "text-given-twice", Some("off")),
        ("en.json", "missing-field", Some("info")),
        // A file overrides the files that it extends.
        ("en.json", "unknown-field", Some("warning")),
        // A group in an override overrides a rule outside it.
        ("drafts/de.json", "out-of-range", Some("off")),
        ("drafts/de.json", "unknown-field", Some("off")),
        ("drafts/en.json", "out-of-range", Some("error")),
        ("drafts/en.json", "unknown-field", Some("info")),
        ("drafts/en.json", "missing-field", Some("off")),
    ] {
        assert_eq!(level(&plain, path, rule), expected, "{path} {rule}");
    }
    let selection = RuleSelection::default()
        .select(["out-of-range", "text-given-twice", "unknown-field"])
        .ignore(["unknown-field"])
        .levels([("missing-field", Level::Info)]);
    let selected = load().with_rule_selection(&selection).unwrap();
    for (path, rule, expected) in [
        ("en.json", "out-of-range", Some("info")),
        // A selected rule is enabled even if the configuration turns it off.
        ("en.json", "text-given-twice", None),
        ("en.json", "unknown-field", Some("off")),
        ("en.json", "missing-field", Some("info")),
        ("en.json", "wrong-type", Some("off")),
    ] {
        assert_eq!(level(&selected, path, rule), expected, "{path} {rule}");
    }
    // A level for a group does not enable rules.
    let selection = RuleSelection::default()
        .select(["out-of-range", "unknown-field"])
        .ignore(["unknown-field"])
        .levels([("correctness", Level::Error)]);
    let selected = load().with_rule_selection(&selection).unwrap();
    for (rule, expected) in
        [("out-of-range", "error"), ("unknown-field", "off"), ("missing-field", "off")]
    {
        assert_eq!(level(&selected, "en.json", rule), Some(expected), "{rule}");
    }
}

#[test]
fn a_rule_that_is_off_by_default_needs_a_level() {
    let optional = rules::find("no-end-call-function").unwrap();
    assert!(!optional.is_recommended);
    let text = r#"{ "version_number": 3, "agent_functions":
        [{ "displayName": "a", "type": "custom", "description": "Look it up.", "config": {} }] }"#;
    let none = RuleSelection::default();
    for (selection, rules, expected) in [
        (none.clone(), "", None),
        (none.clone(), "no-end-call-function = 'warning'", Some(Severity::Warning)),
        (none.clone(), "suspicious = 'error'", Some(Severity::Error)),
        (none.clone(), "recommended = 'error'", None),
        (none.clone(), "suspicious = 'error'\nno-end-call-function = 'off'", None),
        (none.clone().select(["suspicious"]), "", Some(Severity::Info)),
        (none.clone().select(["recommended"]), "", None),
        (none.clone().select(["recommended", "no-end-call-function"]), "", Some(Severity::Info)),
        (none.clone().select(["suspicious"]), "no-end-call-function = 'off'", Some(Severity::Info)),
        (none.clone().select(["suspicious"]), "suspicious = 'error'", Some(Severity::Error)),
        (none.clone().levels([("suspicious", Level::Info)]), "", Some(Severity::Info)),
        (none.ignore(["suspicious"]), "suspicious = 'error'", None),
    ] {
        let configuration = sound(&format!("[rules]\n{rules}\n"));
        let configuration = configuration.with_rule_selection(&selection).unwrap();
        let settings = configuration.for_file("en.json");
        assert!(settings.has_optional_rules() || expected.is_none(), "{selection:?} {rules}");
        assert!(settings.groups().contains(&optional.group) || expected.is_none());
        let (report, _) = check_document(&configuration, "en.json", text);
        let found = report.diagnostics.iter().find(|found| found.rule.id == optional.id);
        assert_eq!(found.map(|found| found.severity), expected, "{selection:?} {rules}");
    }
}

#[test]
fn groups_whose_rules_are_all_off_do_not_run() {
    let groups = |selection: RuleSelection, rules: &str| {
        let configuration = sound(&format!("[rules]\n{rules}\n"));
        configuration.with_rule_selection(&selection).unwrap().for_file("en.json").groups()
    };
    let none = RuleSelection::default();
    assert!(!groups(none.clone(), "").contains(&Group::Style));
    assert!(groups(none.clone(), "mustache-spacing = 'info'").contains(&Group::Style));
    assert_eq!(groups(none.clone().select(["correctness"]), ""), [Group::Correctness]);
    let security = [Group::Correctness, Group::Security];
    assert_eq!(groups(none.clone().select(["private-url"]), ""), security);
    assert!(!groups(none.clone(), "security = 'off'").contains(&Group::Security));
    // What cannot be read is always an error.
    assert!(groups(none.ignore(["correctness"]), "").contains(&Group::Correctness));
}

#[test]
fn recommended_is_every_rule_that_is_on_by_default() {
    let selection = RuleSelection::default().select(["recommended"]);
    let configuration = Configuration::built_in().with_rule_selection(&selection).unwrap();
    let settings = configuration.for_file("en.json");
    for rule in rules::all() {
        assert_eq!(settings.is_off(rule), !rule.is_recommended, "{}", rule.id);
    }
}

#[test]
fn a_house_rule_needs_to_be_known_to_one_configuration() {
    let known = sound("[[house_rules]]\nid = 'short'\nfield = '/title'\nmax_length = 20\n");
    let selection = RuleSelection::default().select(["short"]);
    assert!(Configuration::built_in().with_rule_selection(&selection).is_err());
    selection.check([&Configuration::built_in(), &known]).unwrap();
    let level = |configuration: Configuration| {
        let configuration = configuration.with_known_rules(&selection);
        let rule = rules::find("wrong-type").unwrap();
        configuration.level(rule).map(|level| (level.value, level.source.to_string()))
    };
    let off = Some((Level::Off, "select".to_owned()));
    assert_eq!(level(Configuration::built_in()), off);
    let selection = RuleSelection::default().ignore(["shart"]).arguments("-s", "-i", "-l");
    let error = selection.check([&Configuration::built_in(), &known]).unwrap_err();
    assert_eq!(error.to_string(), "-i: there is no rule `shart`: did you mean `short`?");
}
