//! House rules: the rules of a team.

use std::ops::Range;
use std::sync::Arc;

use voxlint::syntax::Format;
use voxlint::{
    Constraint, Document, DocumentKind, HouseRule, Inputs, Origin, PointerPattern, Report, Setting,
    Severity, Stored, TextFile, TextPattern, check, schema::settings,
};

/// A pattern that matches a fixed text.
#[derive(Debug)]
struct Word(&'static str);

impl TextPattern for Word {
    fn find(&self, text: &str) -> Option<Range<usize>> {
        text.find(self.0).map(|start| start..start + self.0.len())
    }

    fn as_str(&self) -> &str {
        self.0
    }
}

fn rule(field: &str) -> HouseRule {
    HouseRule::new("our-own", PointerPattern::parse(field).unwrap())
}

fn check_with(rule: &HouseRule, text: &str) -> Report {
    let document = Document::parse(text);
    let inputs = Inputs::new(document).kind(DocumentKind::Update).house([rule.clone()]);
    let mut report = check(&inputs);
    report.diagnostics.retain(|found| found.rule.id == "our-own");
    report.undecided.retain(|open| open.rule.id == "our-own");
    report
}

/// The pointer and the underlined text of each finding.
fn found(rule: &HouseRule, text: &str) -> Vec<(String, String)> {
    let found = check_with(rule, text).diagnostics;
    let under =
        |span: voxlint::syntax::Span| text[span.start as usize..span.end as usize].to_owned();
    found.into_iter().map(|it| (it.field, under(it.span))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(field, text)| ((*field).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn the_matching_text_is_underlined() {
    let no_todo = rule("/**").constraint(Constraint::NotMatching(Arc::new(Word("TODO"))));
    let text = r#"{ "title": "a \u0054ODO b", "prompt_text": "fine", "agent_functions": [{ "name": "TODO" }] }"#;
    assert_eq!(
        found(&no_todo, text),
        pairs(&[("/title", r"\u0054ODO"), ("/agent_functions/0/name", "TODO")])
    );
}

#[test]
fn the_surplus_of_a_long_text_is_underlined() {
    let short = rule("/title").constraint(Constraint::AtMost(3));
    assert_eq!(found(&short, r#"{ "title": "äöü" }"#), []);
    assert_eq!(found(&short, r#"{ "title": "äöüß!" }"#), pairs(&[("/title", "ß!")]));
}

#[test]
fn numbers_and_flags_are_compared_as_written() {
    let known = rule("/kb_max_chunks").constraint(Constraint::OneOf(vec!["3".into(), "5".into()]));
    assert_eq!(found(&known, r#"{ "kb_max_chunks": 5 }"#), []);
    assert_eq!(found(&known, r#"{ "kb_max_chunks": 4 }"#), pairs(&[("/kb_max_chunks", "4")]));
    assert_eq!(found(&known, r#"{ "kb_max_chunks": null }"#), [], "null is not a value");
}

#[test]
fn omitted_fields_are_undecided_until_they_are_known() {
    let wanted = rule("/title").constraint(Constraint::Present);
    let report = check_with(&wanted, r#"{ "version_number": 3 }"#);
    assert!(report.diagnostics.is_empty());
    assert_eq!(*report.undecided[0].missing(), ["/title"]);

    for (held, expected) in [(r#"{ "title": "Front desk" }"#, 0), (r#"{ "kb_max_chunks": 3 }"#, 1)]
    {
        let document = Document::parse(r#"{ "version_number": 3 }"#);
        let held = Stored::new(Document::parse(held)).complete();
        let inputs = Inputs::new(document).stored(held).house([wanted.clone()]);
        let found = check(&inputs).diagnostics;
        assert_eq!(found.iter().filter(|it| it.rule.id == "our-own").count(), expected);
    }
}

#[test]
fn missing_nested_fields_are_reported_at_their_object() {
    let described = rule("/agent_functions/*/description").constraint(Constraint::Present);
    let text = r#"{ "agent_functions": [{ "name": "a" }, { "name": "b", "description": null }] }"#;
    assert_eq!(
        found(&described, text),
        pairs(&[
            ("/agent_functions/0/description", "{"),
            ("/agent_functions/1/description", "null")
        ])
    );
    let clinic = rule("/default_dynamic_variables/clinic").constraint(Constraint::Present);
    let text = r#"{ "default_dynamic_variables": {} }"#;
    assert_eq!(found(&clinic, text), pairs(&[("/default_dynamic_variables/clinic", "{")]));
}

#[test]
fn text_files_are_checked() {
    let polite = rule("/prompt_text").constraint(Constraint::Matching(Arc::new(Word("please"))));
    let document = Document::parse(r#"{ "version_number": 3 }"#);
    let text = Document::parse_as("Hurry up.\n", Format::Text);
    let texts = [TextFile::new(settings::prompt_text.row, text)];
    let rules = [polite.message("a prompt asks kindly").level(Severity::Error)];
    let found = check(&Inputs::new(document).texts(texts).house(rules)).diagnostics;
    assert_eq!(found[0].origin, Origin::Text(0));
    assert_eq!(found[0].severity, Severity::Error);
    assert_eq!(found[0].message, "a prompt asks kindly");
}

#[test]
fn invalid_values_are_reported_by_their_own_rule_only() {
    let wanted = rule("/title").constraint(Constraint::Present).constraint(Constraint::AtMost(1));
    assert_eq!(found(&wanted, r#"{ "title": "a\q" }"#), []);
    assert_eq!(found(&wanted, "{ \"version_number\": 3, "), []);
    assert_eq!(found(&wanted, "[]"), []);
}

/// The welcome message must say the title.
fn says_title() -> HouseRule {
    HouseRule::in_code("our-own", "The welcome message says the title", |check| {
        let (Some(title), Some(welcome)) = (check.text("title"), check.text("welcome_message"))
        else {
            return;
        };
        if !welcome.contains(&*title) {
            check.report("welcome_message", "the welcome message does not say the title");
        }
    })
    .level(Severity::Error)
    .help("say the title")
}

#[test]
fn a_rule_in_code_sees_the_effective_configuration() {
    let wrong = r#"{ "version_number": 3, "title": "Desk", "welcome_message": "Hi" }"#;
    assert_eq!(found(&says_title(), wrong), pairs(&[("/welcome_message", "\"Hi\"")]));
    let reported = check_with(&says_title(), wrong).diagnostics;
    assert_eq!(reported[0].severity, Severity::Error);
    assert_eq!(reported[0].help.as_deref(), Some("say the title"));
    assert_eq!(reported[0].rule.summary(), "The welcome message says the title");
    let right = r#"{ "version_number": 3, "title": "Desk", "welcome_message": "Desk!" }"#;
    let right = check_with(&says_title(), right);
    assert!(right.diagnostics.is_empty() && right.undecided.is_empty());

    // The stored title counts, and so does a welcome message in a file of its own.
    let document = Document::parse(r#"{ "version_number": 3 }"#);
    let stored = r#"{ "version": { "version_number": 3, "title": "Desk" } }"#;
    let text = Document::parse_as("Hello", Format::Text);
    let inputs = Inputs::new(document)
        .stored(Some(Stored::new(Document::parse(stored))))
        .texts([TextFile::new(settings::welcome_message.row, text)])
        .house([says_title()]);
    let report = check(&inputs);
    let reported: Vec<_> =
        report.diagnostics.iter().filter(|found| found.rule.id == "our-own").collect();
    assert_eq!(reported.len(), 1);
    assert_eq!(reported[0].origin, Origin::Text(0));
}

#[test]
fn a_rule_in_code_is_undecided_without_a_value_it_reads() {
    let report = check_with(&says_title(), r#"{ "version_number": 3, "title": "Desk" }"#);
    assert!(report.diagnostics.is_empty());
    assert_eq!(report.undecided.len(), 1);
    assert_eq!(*report.undecided[0].missing(), ["/welcome_message"]);
    // An invalid value has been reported, and null clears a setting.
    for text in [
        r#"{ "version_number": 3, "title": 4, "welcome_message": "Hi" }"#,
        r#"{ "version_number": 3, "title": "Desk", "welcome_message": null }"#,
    ] {
        let report = check_with(&says_title(), text);
        assert!(report.diagnostics.is_empty() && report.undecided.is_empty(), "{text}");
    }
    // A finding that depends on nothing unknown is reported whatever else the rule has read.
    let titled = HouseRule::in_code("our-own", "An agent has a title", |check| {
        let _ = check.setting("welcome_message");
        if let Setting::Unset | Setting::Unknown = check.setting("title") {
            check.report("title", "there is no title");
        }
    });
    let text = r#"{ "version_number": 3 }"#;
    assert_eq!(found(&titled, text), pairs(&[("", "{")]));
    assert!(check_with(&titled, text).undecided.is_empty());
}

#[test]
fn a_rule_in_code_sees_the_document_and_reports_where_it_is() {
    let own = HouseRule::in_code("our-own", "No fields of ours", |check| {
        let Some(root) = check.document() else { return };
        if root.members().any(|member| member.name() == "ours") {
            check.report("ours", "this is ours");
        }
        assert!(matches!(check.setting("ours"), Setting::Unset));
    });
    assert_eq!(found(&own, r#"{ "version_number": 3, "ours": 1 }"#), pairs(&[("/ours", "{")]));
    assert_eq!(found(&own, ""), []);
    assert!(format!("{own:?}").contains("No fields of ours"));
}
