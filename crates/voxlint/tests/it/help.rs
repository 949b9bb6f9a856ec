//! The laws of help: who follows it gets a document without the finding, and without a new one.

use std::collections::BTreeSet;

use voxlint::fixes::fix;
use voxlint::schema::{Row, Shape, Table, settings};
use voxlint::syntax::{Decimal, Format};
use voxlint::{
    Diagnostic, Document, DocumentKind, Inputs, Origin, Report, Safety, Severity, Stored,
    VerdictKind, check,
};
use voxlint_testing::texts::lines;

use crate::fixes::{fixtures, general, serious};
use crate::support::check_text;

/// The text between the first two backquotes after some words.
fn quoted_after<'t>(text: &'t str, words: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(words)?;
    rest.strip_prefix('`')?.split_once('`').map(|(quoted, _)| quoted)
}

/// What the characters of a finding become when its help is followed word for word; empty if a person has to decide something.
fn followed(found: &Diagnostic, source: &str) -> Vec<String> {
    let Some(help) = found.help.as_deref() else { return Vec::new() };
    if let Some((before, rest)) = help.split_once("number from ") {
        let is_about_it = Decimal::parse(source.trim_matches(['"', '\''])).is_some();
        // Another field is to be changed.
        let named = before.rsplit('`').nth(1);
        let is_alone = named.is_none_or(|name| found.field.ends_with(name));
        let numbers = rest.split(|c: char| c != '.' && !c.is_ascii_digit());
        let numbers = numbers.filter(|number| Decimal::parse(number).is_some()).take(2);
        return if is_about_it && is_alone && !help.contains(", then ") {
            numbers.map(str::to_owned).collect()
        } else {
            Vec::new()
        };
    }
    if let Some(text) = quoted_after(help, "put it in quotes: ") {
        return vec![text.to_owned()];
    }
    if let Some(text) = quoted_after(help, "write it without quotes: ") {
        return vec![text.to_owned()];
    }
    // It may be used in other places, too.
    let is_single = found.related.is_empty();
    if let Some(text) = quoted_after(help, "did you mean ").filter(|_| is_single) {
        // A name may be shown in the braces around it.
        let bare = |text: &str| text.trim_matches(['{', '}']).to_owned();
        let wrong = quoted_after(&found.message, "").map(bare).or_else(|| {
            let (_, rest) = found.message.split_once('`')?;
            rest.split_once('`').map(|(wrong, _)| bare(wrong))
        });
        let wrong = wrong.filter(|wrong| source.contains(wrong.as_str()));
        return wrong.map(|wrong| source.replacen(&wrong, &bare(text), 1)).into_iter().collect();
    }
    Vec::new()
}

/// The errors and possible rejections that one report has and another one does not.
fn new_ones<'r>(before: &Report, after: &'r Report) -> Vec<&'r Diagnostic> {
    let key = |found: &Diagnostic| (found.rule.id.to_string(), general(&found.field));
    let known: BTreeSet<_> = serious(before).map(key).collect();
    serious(after).filter(|found| !known.contains(&key(found))).collect()
}

fn edited(inputs: &Inputs, found: &Diagnostic, new: &str) -> Inputs {
    let document = inputs.document();
    let (start, end) = (found.span.start as usize, found.span.end as usize);
    let text = document.text();
    let text = format!("{}{new}{}", &text[..start], &text[end..]);
    let edited = Document::parse_as(text, document.format());
    inputs.clone().with_document(edited).kind(inputs.checked_as())
}

#[test]
fn a_help_that_is_followed_word_for_word_leads_to_a_document_without_the_finding_and_without_a_new_one()
 {
    let mut followed_rules = BTreeSet::new();
    for (path, inputs) in fixtures() {
        let report = check(&inputs);
        for found in report.diagnostics.iter().filter(|it| it.origin == Origin::Document) {
            let source = found.span.slice(inputs.document().text());
            for new in followed(found, source) {
                let after = edited(&inputs, found, &new);
                let now = check(&after);
                let label = format!("{path}: {:?}\n{}", found.help, after.document().text());
                let stays = now.diagnostics.iter().any(|it| {
                    it.rule.id == found.rule.id
                        && it.field == found.field
                        && it.message == found.message
                });
                assert!(!stays, "{label}");
                // Below a misspelled name, a value was not checked.
                let is_name = found.rule.id == "unknown-field" || found.rule.id == "missing-field";
                let new = new_ones(&report, &now);
                assert!(is_name || new.is_empty(), "{label}\n{new:#?}");
                followed_rules.insert(found.rule.id.to_string());
            }
        }
    }
    for rule in ["unknown-value", "out-of-range", "wrong-type", "unknown-field"] {
        assert!(followed_rules.contains(rule), "{followed_rules:?}");
    }
}

#[test]
fn help_that_cannot_be_followed_word_for_word_leaves_something_to_decide() {
    let listed = lines(include_str!("../words/decisions.txt"));
    let mut others = BTreeSet::new();
    for (_, inputs) in fixtures() {
        let report = check(&inputs);
        for found in report.diagnostics.iter().filter(|it| it.help.is_some() && it.fixes.is_empty())
        {
            let is_document = found.origin == Origin::Document;
            let source = if is_document { found.span.slice(inputs.document().text()) } else { "" };
            let is_setting = found.rule.id.ends_with("-without-effect");
            if followed(found, source).is_empty()
                && !is_setting
                && !listed.contains(&&*found.rule.id)
            {
                others.insert(format!(
                    "{}: {}",
                    found.rule.id,
                    found.help.clone().unwrap_or_default()
                ));
            }
        }
    }
    assert!(others.is_empty(), "{others:#?}");
}

/// Every row of a text, with the objects around it.
fn texts(
    table: &'static Table,
    wrap: &dyn Fn(String) -> String,
    all: &mut Vec<(&'static str, String)>,
) {
    for row in table.rows.iter().copied() {
        let name = row.name;
        let here = |value: String| wrap(format!("\"{name}\": {value}"));
        match row.shape {
            Shape::Text(_) => all.push((name, here("@".to_owned()))),
            Shape::List(voxlint::schema::Items::Texts(_)) => {
                all.push((name, here("[@]".to_owned())));
            }
            Shape::List(voxlint::schema::Items::Maps(inner)) => {
                texts(inner, &|value| here(format!("[{{{value}}}]")), all);
            }
            Shape::Map(Some(inner)) => texts(inner, &|value| here(format!("{{{value}}}")), all),
            _ => {}
        }
    }
}

#[test]
fn no_help_puts_a_value_in_quotes_that_is_rejected_next() {
    let mut all = Vec::new();
    texts(&settings::TABLE, &|value| format!("{{\"version_number\": 3, {value}}}"), &mut all);
    assert!(all.len() > 30, "{all:?}");
    let mut quoted = 0;
    for (name, template) in &all {
        for value in ["false", "true", "0", "5", "1.5", "-1", "14155552671", "20260101"] {
            for format in [Format::Json, Format::Yaml] {
                let of = |value: &str| {
                    let text = template.replace('@', value);
                    check(&Inputs::new(Document::parse_as(text, format)).kind(DocumentKind::Update))
                };
                let report = of(value);
                let Some(found) = report.diagnostics.iter().find(|it| it.rule.id == "wrong-type")
                else {
                    continue;
                };
                let help = found.help.as_deref().unwrap_or_default();
                let Some(text) = quoted_after(help, "put it in quotes: ") else { continue };
                quoted += 1;
                let new = of(text);
                let new = new_ones(&report, &new);
                assert!(new.is_empty(), "{name}: {help}: {new:#?}");
            }
        }
    }
    assert!(quoted > 20, "{quoted}");
    for (text, help) in [
        (
            r#"{"version_number": 3, "denoising_mode": false}"#,
            "use one of `remove_noise`, `remove_noise_and_speech`, or null for none",
        ),
        (
            r#"{"version_number": 3, "transcription_mode": true}"#,
            "use one of `optimize_for_speed`, `optimize_for_accuracy`",
        ),
    ] {
        let report = check_text(text, "", "");
        assert_eq!(report.diagnostics[0].help.as_deref(), Some(help));
    }
}

/// Without quotes, YAML 1.1 reads some words as flags. Quotes do not make them values of a field.
#[test]
fn no_help_in_yaml_puts_a_word_in_quotes_that_is_rejected_next() {
    for value in ["no", "off", "yes", "on", "n", "y"] {
        let text = format!("version_number: 3\ndenoising_mode: {value}\n");
        let document = Document::parse_as(text, Format::Yaml);
        let report = check(&Inputs::new(document).optional_rules(true));
        let [found] = report.diagnostics.as_slice() else { panic!("{report:#?}") };
        assert_eq!(found.rule.id, "unknown-value");
    }
}

#[test]
fn a_number_that_a_help_suggests_passes_every_rule() {
    let mut suggested = 0;
    for silence in ["", "5", "10", "14.5", "15", "20", "29", "30", "31", "90", "\"20\"", "\"9\""] {
        for interval in ["", "-4", "0", "4", "9.5", "11", "15", "18", "24", "25", "60", "\"30\""] {
            for frequency in ["", "0", "2"] {
                let field = |name: &str, value: &str| match value {
                    "" => String::new(),
                    value => format!(", \"{name}\": {value}"),
                };
                let text = format!(
                    "{{\"version_number\": 3{}{}{}}}",
                    field("end_call_on_silence_sec", silence),
                    field("reminder_message_interval", interval),
                    field("reminder_message_frequency", frequency)
                );
                suggested += numbers_pass(&text);
            }
        }
    }
    for duration in ["30", "59.5", "60", "3600", "3601", "5400", "5401", "90000", "\"4000\""] {
        for pipeline in ["", "\"Cascaded\"", "\"Speech_To_Speech\""] {
            let pipeline = match pipeline {
                "" => String::new(),
                name => format!(", \"pipeline_type\": {name}"),
            };
            let text = format!(
                "{{\"version_number\": 3, \"max_call_duration_sec\": {duration}{pipeline}}}"
            );
            suggested += numbers_pass(&text);
        }
    }
    for (name, value) in [("kb_max_chunks", "2.5"), ("kb_max_chunks", "0"), ("responsiveness", "9")]
    {
        suggested += numbers_pass(&format!("{{\"version_number\": 3, \"{name}\": {value}}}"));
    }
    assert!(suggested > 100, "{suggested}");
}

/// Writes each number that a help suggests, and counts them.
fn numbers_pass(text: &str) -> u32 {
    let inputs = Inputs::new(Document::parse(text));
    let report = check(&inputs);
    let mut suggested = 0;
    for found in &report.diagnostics {
        let source = found.span.slice(text);
        for number in followed(found, source) {
            let after = edited(&inputs, found, &number);
            let now = check(&after);
            let others: Vec<_> =
                report.diagnostics.iter().filter(|it| it.field != found.field).collect();
            let left: Vec<_> = now
                .diagnostics
                .iter()
                .filter(|it| !others.iter().any(|other| other.rule.id == it.rule.id))
                .collect();
            assert!(left.is_empty(), "{text}: {:?}: {number}: {left:#?}", found.help);
            suggested += 1;
        }
    }
    suggested
}

#[test]
fn the_help_about_a_timeout_and_an_interval_names_both_limits() {
    let help = |text: &str| {
        let report = check_text(text, "", "");
        let [found] = report.diagnostics.as_slice() else { panic!("{report:#?}") };
        found.help.clone().unwrap_or_default()
    };
    let of = |silence: &str, interval: &str| {
        help(&format!(
            "{{\"version_number\": 3, \"reminder_message_frequency\": 2, \"end_call_on_silence_sec\": {silence}, \"reminder_message_interval\": {interval}}}"
        ))
    };
    assert_eq!(of("10", "11"), "use a number from 17 to 30 seconds");
    assert_eq!(
        of("10", "40"),
        "shorten `reminder_message_interval` (40 s) to at most 24, then use a number that is more than 5 s longer, from 15 to 30"
    );
    assert_eq!(
        of("25000", "15000"),
        "write `reminder_message_interval` in seconds, `15`, then use a number that is more than 5 s longer, from 15 to 30"
    );
    let without = |silence: &str, interval: &str| {
        let text = format!(
            "{{\"version_number\": 3, \"reminder_message_frequency\": 0, \"end_call_on_silence_sec\": {silence}, \"reminder_message_interval\": {interval}}}"
        );
        let report = check_text(&text, "", "");
        report.diagnostics[0].help.clone().unwrap_or_default()
    };
    assert_eq!(without("20", "18"), "set `reminder_message_interval` to 0");
    assert_eq!(
        without("10", "40"),
        "set `reminder_message_interval` to 0, then use a number from 15 to 30 seconds"
    );
    assert_eq!(of("\"20\"", "18"), "use a number from 24 to 30 seconds, without quotes");
    assert_eq!(
        of("20", "18"),
        "set `end_call_on_silence_sec` to a number from 24 to 30, or shorten `reminder_message_interval` to a number from 1 to 14"
    );
}

/// Neither a published version nor one that the agent does not have is what a help leads to.
#[test]
fn the_help_about_a_version_never_leads_to_another_version_that_cannot_be_edited() {
    let stored = |versions: &str| {
        format!(
            "{{\"agent\": {{\"id\": \"ag_1\", \"agent_type\": \"Single_Prompt_Agent\", \"versions\": [{versions}]}}}}"
        )
    };
    let published = r#"{"version_number": 11, "is_published": true}"#;
    let draft = r#"{"version_number": 12, "is_published": false}"#;
    for number in [11, 99] {
        let text = format!("{{\"version_number\": {number}, \"title\": \"Front desk\"}}");
        let help = |versions: &str| {
            let report = check_text(&text, &stored(versions), "");
            let [found] = report.diagnostics.as_slice() else { panic!("{report:#?}") };
            found.help.clone().unwrap_or_default()
        };
        assert!(help(published).starts_with("create a draft in the service, fetch"));
        let versions = format!("{published}, {draft}");
        assert_eq!(help(&versions), "use the number of the draft, 12");
        let followed = text.replace(&number.to_string(), "12");
        assert!(check_text(&followed, &stored(&versions), "").diagnostics.is_empty());
    }
}

#[test]
fn a_rule_that_compares_fields_says_nothing_about_a_value_that_is_rejected() {
    let mut rejected = 0;
    for (path, inputs) in fixtures() {
        let report = check(&inputs);
        let of_value = |found: &&Diagnostic| {
            let family = found.rule.family();
            let is_of_value = ["Value", "Text", "Template"].contains(&&*format!("{family:?}"));
            found.verdict == VerdictKind::Reject
                && is_of_value
                && found.field.matches('/').count() == 1
        };
        for cause in report.diagnostics.iter().filter(of_value) {
            rejected += 1;
            for follower in &report.diagnostics {
                let is_config = format!("{:?}", follower.rule.family()) == "Config";
                let reads = || {
                    let name = cause.field.trim_start_matches('/');
                    follower.field == cause.field
                        || follower.related.iter().any(|it| it.field == format!("/{name}"))
                };
                let is_written_twice = follower.rule.id == "text-given-twice";
                assert!(
                    !is_config || is_written_twice || !reads(),
                    "{path}: {cause:#?} {follower:#?}"
                );
            }
        }
    }
    assert!(rejected > 100, "{rejected}");
    for (text, rules) in [
        (
            r#"{"version_number": 3, "default_dynamic_variables": {"agent_transfer_destinations": "+14155552671"},
                "agent_functions": [{"displayName": "to_desk", "type": "transfer_call", "description": "Transfers to the desk.", "config": {}}]}"#,
            &["unknown-value"][..],
        ),
        (
            r#"{"version_number": 3, "prompt_text": "Hang up when done.",
                "agent_functions": [{"displayName": "bye", "type": "hangup", "description": "Ends the call at the end.", "config": {}}]}"#,
            &["unknown-value"],
        ),
        (
            r#"{"version_number": 3, "end_call_on_silence_sec": 12, "reminder_message_interval": 10, "reminder_message_frequency": 1}"#,
            &["out-of-range"],
        ),
        (
            r#"{"version_number": 3, "pipeline_type": "Speech_To_Speech", "max_call_duration_sec": 9000}"#,
            &["out-of-range"],
        ),
    ] {
        let report = check_text(text, "", "");
        let found: Vec<&str> = report.diagnostics.iter().map(|it| &*it.rule.id).collect();
        assert_eq!(found, rules, "{text}");
    }
}

#[test]
fn several_marks_of_one_mistake_in_a_text_are_one_finding() {
    for (text, rule, marks) in [
        (
            r#"{"version_number": 3, "boosted_keywords": "Harbor View:10, aspirin:5, plan:3"}"#,
            "boosted-keyword-character",
            3,
        ),
        (
            r#"{"version_number": 3, "boosted_keywords": "café, Zoë, plan"}"#,
            "boosted-keyword-character",
            2,
        ),
        (
            r#"{"version_number": 3, "boosted_keywords": "plan, KYC, plan, KYC, plan"}"#,
            "boosted-keyword-listed-twice",
            3,
        ),
        (
            r#"{"version_number": 3, "default_dynamic_variables": {"agent_transfer_destinations": "+14155552671 | +14155552672 | +919845011210"}}"#,
            "transfer-destination-malformed",
            3,
        ),
        (
            r#"{"version_number": 3, "default_dynamic_variables": {"agent_transfer_destinations": "+1-415-555-2671|+1-415-555-2672"}}"#,
            "transfer-destination-malformed",
            2,
        ),
    ] {
        let report = check_text(text, "", "");
        let found: Vec<_> = report.diagnostics.iter().filter(|it| it.rule.id == rule).collect();
        let [found] = found.as_slice() else { panic!("{text}: {report:#?}") };
        assert!(found.related.len() + 1 >= marks, "{found:#?}");
    }
    // Also if only some of them have a fix, or a safe one.
    let text =
        r#"{"version_number": 3, "boosted_keywords": "C++, e-mandate, \u200bplan, aspirin:5"}"#;
    let report = check_text(text, "", "");
    let [found] = report.diagnostics.as_slice() else { panic!("{report:#?}") };
    assert_eq!(found.related.len(), 3);
    let fixed = fix(&Inputs::new(Document::parse(text)), Safety::Unsafe, &mut |report, _| report);
    assert!(fixed.inputs.document().text().contains("\"C++, e mandate, plan, aspirin\""));
    // Different mistakes stay apart.
    let text = r#"{"version_number": 3, "boosted_keywords": "café, a&b"}"#;
    assert_eq!(check_text(text, "", "").diagnostics.len(), 2);
}

#[test]
fn an_anchor_that_is_merged_twice_is_to_be_merged_once() {
    let text = "names: &d {desk: North}\nversion_number: 3\ndefault_dynamic_variables:\n  <<: *d\n  <<: *d\n";
    let report = check(&Inputs::new(Document::parse_as(text, Format::Yaml)));
    let mut found = report.diagnostics.iter().filter(|it| it.rule.id == "duplicate-key");
    let help = found.next().and_then(|it| it.help.as_deref());
    assert_eq!(help, Some("remove one of them"), "{report:#?}");
}

#[test]
fn a_misspelled_field_among_many_unknown_ones_is_named_by_one_finding() {
    let text =
        r#"{"version_number": 3, "voiceId": "v_1", "firstMessage": "Hi", "tempo": 1, "mood": 2}"#;
    let report = check_text(text, "", "");
    let named = |name: &str| {
        let names = |it: &&Diagnostic| {
            it.message.contains(name) || it.help.as_ref().is_some_and(|help| help.contains(name))
        };
        report.diagnostics.iter().filter(names).count()
    };
    assert_eq!((named("`voiceId`"), named("`firstMessage`")), (1, 1), "{report:#?}");
}

/// The fix of a keyword, if there is one.
fn keyword_fix(keyword: &str) -> Option<(String, String)> {
    let text = format!("{{\"version_number\": 3, \"boosted_keywords\": \"{keyword}, plan\"}}");
    let report = check_text(&text, "", "");
    let [found] = report.diagnostics.as_slice() else { panic!("{keyword}: {report:#?}") };
    let fix = found.fixes.first()?;
    assert_eq!(fix.safety, Safety::Unsafe, "{keyword}");
    let fixed = voxlint::syntax::edit::apply(&text, &fix.edits)?;
    let fixed = String::from_utf8(fixed).ok()?;
    let value = fixed.split('"').nth(5)?.strip_suffix(", plan")?.to_owned();
    Some((fix.title.clone(), value))
}

#[test]
fn the_fix_of_a_keyword_never_makes_a_recogniser_hear_something_else() {
    for (keyword, fixed) in [
        ("e-mandate", "e mandate"),
        ("snake_case", "snake case"),
        ("and/or", "and or"),
        ("Yahoo!", "Yahoo"),
        ("(plan B)", "plan B"),
        ("St. Mary", "St Mary"),
    ] {
        assert_eq!(keyword_fix(keyword).map(|(_, fixed)| fixed).as_deref(), Some(fixed));
    }
    // A zero-width space may stand for the space between two words.
    assert_eq!(
        keyword_fix("e\u{200b}mandate").map(|(_, fixed)| fixed).as_deref(),
        Some("emandate")
    );
    for keyword in [
        "1.5 percent",
        "example.com",
        "O-",
        "-5 degrees",
        "1/2",
        "McDonald's",
        "10:30",
        "plan (old)",
        "C++",
        "aspirin;5",
        "aspirin|5",
        "~5",
        ".5",
    ] {
        assert_eq!(keyword_fix(keyword), None, "{keyword}");
    }
    let (title, fixed) = keyword_fix("aspirin:5").expect("a fix");
    assert_eq!((&*title, &*fixed), ("write `aspirin` without its weight `:5`", "aspirin"));
    let (title, fixed) = keyword_fix("Harbor View^2.5").expect("a fix");
    assert_eq!(
        (&*title, &*fixed),
        ("write `Harbor View` without its weight `^2.5`", "Harbor View")
    );
}

#[test]
fn a_number_that_is_corrected_is_not_a_test_number() {
    for number in ["12125550187", "+1-212-555-0187", "001 212 555 0187", "+1２125550187"] {
        let text = format!(
            r#"{{"version_number": 3, "default_dynamic_variables": {{"agent_transfer_destinations": "{number}"}}}}"#
        );
        let report = check_text(&text, "", "");
        let [found] = report.diagnostics.as_slice() else { panic!("{report:#?}") };
        assert!(found.fixes.is_empty(), "{found:#?}");
        let help = found.help.as_deref().unwrap_or_default();
        assert!(help.ends_with("`+12125550187` is reserved for fiction"), "{help}");
    }
}

#[test]
fn two_misspelled_names_are_renamed_although_their_values_do_not_fit() {
    let text =
        r#"{"version_number": 3, "end_call_on_silence_secs": 16, "reminder_mesage_interval": 12}"#;
    let report = check_text(text, "", "");
    let renamed = report.diagnostics.iter().filter(|it| it.fix(Safety::Unsafe).is_some());
    assert_eq!(renamed.count(), 2, "{report:#?}");
    let fixed = fix(&Inputs::new(Document::parse(text)), Safety::Unsafe, &mut |report, _| report);
    assert_eq!(fixed.applied.len(), 2, "{fixed:#?}");
}

#[test]
fn a_switch_in_quotes_is_fixed_although_the_workspace_may_not_have_its_feature() {
    let text = r#"{"version_number": 3, "prompt_caching_enabled": "true"}"#;
    let report = check_text(text, "", "");
    let [found] = report.diagnostics.as_slice() else { panic!("{report:#?}") };
    assert!(found.fix(Safety::Safe).is_some(), "{found:#?}");
    // Where it certainly does not have it, the fix would only make another error.
    let facts = r#"{"features": {"prompt_caching": false}}"#;
    let report = check_text(text, "", facts);
    assert!(report.diagnostics.iter().all(|it| it.fixes.is_empty()), "{report:#?}");
}

#[test]
fn numbers_in_a_variable_named_almost_like_the_transfer_destinations_are_reported() {
    let check = |name: &str, value: &str| {
        let text = format!(
            r#"{{"version_number": 3, "default_dynamic_variables": {{"{name}": {value}}}}}"#
        );
        check_text(&text, "", "").diagnostics
    };
    for name in
        ["agent_transfer_destination", "agentTransferDestinations", "agent_transfer_destinatons"]
    {
        for value in [r#""+14155552671""#, r#"["+14155552671"]"#] {
            let found = check(name, value);
            let [found] = found.as_slice() else { panic!("{name}: {found:#?}") };
            let help = found.help.as_deref();
            assert_eq!(help, Some("did you mean `agent_transfer_destinations`?"));
        }
    }
    for (name, value) in [
        ("agent_transfer_destination", r#""the front desk""#),
        ("transfer_number", r#""+14155552671""#),
        ("agent_transfer_destinations", r#""+14155552671""#),
    ] {
        assert!(check(name, value).is_empty(), "{name}");
    }
}

#[test]
fn a_key_with_a_known_prefix_is_an_error_wherever_it_is() {
    let keys = [
        "sk-live-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c",
        "ghp_wNs4Kc8GjTb2VhYx6RfLzQm9Wp3Dk7",
        "hf_wNs4Kc8GjTb2VhYx6RfLzQm9",
        "xai-wNs4Kc8GjTb2VhYx6RfLzQm9Wp3Dk7",
    ];
    let places = [
        "@",
        "Use @ to log in.",
        "Bearer @",
        "bearer  @",
        "Basic @",
        "Authorization: Bearer @",
        "Authorization: Basic @",
        "token @",
        "https://api.example.com/v1?key=@",
        "https://api.example.com/v1?a=1&token=@&b=2",
        "https://desk:@@api.example.com/v1",
        "https://@@api.example.com/v1",
        "postgres://desk:@@db.example.com/calls",
        "Server=db.example.com;User=desk;Password=@;",
        "api_key=@",
        "X-Api-Key: @",
        "desk:@",
        "front-desk:@",
        "key_ci:@",
        "{\\\"Authorization\\\": \\\"Bearer @\\\"}",
    ];
    for key in keys {
        for place in places {
            let text =
                place.replacen("@@", "@\u{0}", 1).replacen('@', key, 1).replace('\u{0}', "@");
            for field in [
                format!("\"prompt_text\": \"{text}\""),
                format!("\"json_output_instructions\": {{\"Authorization\": \"{text}\"}}"),
                format!("\"json_output_instructions\": {{\"api_key\": \"{text}\"}}"),
            ] {
                let document = format!("{{\"version_number\": 3, {field}}}");
                let report = check_text(&document, "", "");
                let is_error = |it: &Diagnostic| {
                    it.rule.id == "secret-in-document" && it.severity == Severity::Error
                };
                assert!(report.diagnostics.iter().any(is_error), "{document}: {report:#?}");
            }
        }
    }
}

/// The values of fields that decide whom callers reach, as JSON.
fn guarded(document: &Document) -> Vec<Option<String>> {
    let root = document.tree().root();
    let rows: [&Row; 6] = [
        settings::is_published.row,
        settings::update_deployment.row,
        settings::inbound_phone_number_id.row,
        settings::outbound_phone_number_id.row,
        settings::default_dynamic_variables.row,
        settings::agent_functions.row,
    ];
    rows.iter()
        .map(|row| {
            let value = root?.get(row.name)?;
            let mut all = Vec::new();
            let nodes = std::iter::once(value).chain(value.inside());
            all.extend(nodes.map(|node| {
                let text = node.as_str().map_or_else(|| node.source().to_owned(), Into::into);
                let is_container =
                    matches!(format!("{:?}", node.kind()).as_str(), "Object" | "Array");
                let text = if is_container { String::new() } else { text };
                format!("{:?} {text}", node.kind())
            }));
            Some(all.join("\n"))
        })
        .collect()
}

#[test]
fn no_safe_fix_publishes_or_moves_a_number_or_changes_a_function() {
    let broken = [
        (r#"{"version_number": 3, "title": "x", "is_published": "true"}"#, Format::Json),
        (r#"{"version_number": 3, "title": "x", "is_published": True}"#, Format::Json),
        (r#"{"version_number": 3, "title": "x, "is_published": true}"#, Format::Json),
        (r#"{"version_number": 3, "title": x", "is_published": true}"#, Format::Json),
        (r#"{"version_number": 3, "update_deployment": "true"}"#, Format::Json),
        (r#"{"version_number": 3, "is_published": tru}"#, Format::Json),
        (r#"{"version_number": 3, "inbound_phone_number_id": pn_1}"#, Format::Json),
        (r#"{"version_number": 3, "is_published": "false"}"#, Format::Json),
        ("version_number = 3\nis_published = True\n", Format::Toml),
        ("version_number: 3\nis_published: \"true\"\n", Format::Yaml),
        ("version_number: 3\nis_published: yes\n", Format::Yaml),
    ];
    let broken = broken.into_iter().map(|(text, format)| {
        let inputs = Inputs::new(Document::parse_as(text.to_owned(), format));
        (text.to_owned(), inputs.kind(DocumentKind::Update))
    });
    for (label, inputs) in fixtures().into_iter().chain(broken) {
        let fixed = fix(&inputs, Safety::Safe, &mut |report, _| report);
        let (before, after) = (guarded(inputs.document()), guarded(fixed.inputs.document()));
        assert_eq!(before, after, "{label}: {:#?}", fixed.applied);
        for found in check(&inputs).diagnostics {
            let is_safe = |name: &str| {
                found.field == name && found.fixes.iter().any(|fix| fix.safety == Safety::Safe)
            };
            assert!(!is_safe("/is_published"), "{label}: {found:#?}");
        }
    }
    // What only spells a readable document differently stays safe.
    let text = "{'version_number': 3, 'agent_functions': [], 'is_published': true,}";
    let inputs = Inputs::new(Document::parse(text)).kind(DocumentKind::Update);
    assert!(!fix(&inputs, Safety::Safe, &mut |report, _| report).applied.is_empty());
}

/// Each of the two fixes is right alone. Together they would make an error.
#[test]
fn a_fix_that_is_not_applied_is_not_counted_as_fixable() {
    let text = r#"{"version_number": 3, "kb_max_chunks": "5",
        "reminder_message_intervl": 18, "end_call_on_silence_sec": "20"}"#;
    let inputs = Inputs::new(Document::parse(text));
    for safety in [Safety::Safe, Safety::Unsafe] {
        let report = check(&inputs);
        let counted = report.diagnostics.iter().filter(|it| it.fix(safety).is_some()).count();
        let fixed = fix(&inputs, safety, &mut |report, _| report);
        assert_eq!(fixed.solved as usize, counted, "{report:#?}");
        let left = fixed.report.diagnostics.iter().filter(|it| it.fix(safety).is_some()).count();
        assert_eq!(left, 0);
    }
}

/// What may be rejected stays as it is if its fix would make it a certain rejection.
#[test]
fn no_fix_turns_a_warning_into_an_error_at_the_same_place() {
    for (path, inputs) in fixtures() {
        let before = check(&inputs);
        let errors = |report: &Report| -> Vec<(String, String)> {
            let errors = report.diagnostics.iter().filter(|it| it.severity == Severity::Error);
            errors.map(|it| (it.rule.id.to_string(), general(&it.field))).collect()
        };
        if inputs.document().has_errors() {
            continue;
        }
        let fixed = fix(&inputs, Safety::Unsafe, &mut |report, _| report);
        let known = errors(&before);
        for error in errors(&fixed.report) {
            let was_renamed = fixed.applied.iter().any(|it| it.title.starts_with("rename"));
            assert!(known.contains(&error) || was_renamed, "{path}: {error:?}");
        }
    }
    let stored = r#"{"version": {"version_number": 3}, "complete": true}"#;
    let inputs = Inputs::new(Document::parse(
        r#"{"version_number": 3, "boosted_keywords": "caf\u00e9 - one"}"#,
    ))
    .stored(Stored::new(Document::parse(stored)));
    let fixed = fix(&inputs, Safety::Unsafe, &mut |report, _| report);
    assert!(fixed.report.diagnostics.iter().all(|it| it.severity < Severity::Error));
}

#[test]
fn an_undecided_rule_never_names_an_input_that_is_known() {
    let mut named = 0;
    for (path, inputs) in fixtures() {
        let root = |origin| inputs.document_of(origin).and_then(|it| it.tree().root());
        for undecided in &check(&inputs).undecided {
            // Of these, the facts are given without what decides.
            let are_details = undecided.why().contains("details that are not given");
            for missing in undecided.missing().iter() {
                named += 1;
                let (of, name) = missing.split_once('/').expect("a pointer");
                let row = || settings::TABLE.row(name).expect("a setting");
                let is_known = match of {
                    "" => inputs.effective_value(row()).is_some(),
                    "stored:" => inputs.stored_value(row()).is_some(),
                    "agent:" => root(Origin::Stored).is_some_and(|stored| {
                        let agent = stored.get("agent").unwrap_or(stored);
                        agent.get(name).is_some_and(|it| it.elements().next().is_some())
                    }),
                    _ => root(Origin::Facts).is_some_and(|it| it.get(name).is_some()),
                };
                let is_named = is_known && !(are_details && of == "facts:");
                assert!(!is_named, "{path}: {}: {missing}: {}", undecided.rule.id, undecided.why());
            }
        }
    }
    assert!(named > 100, "{named}");
}

#[test]
fn no_rule_draws_conclusions_from_a_list_with_a_rejected_value_in_it() {
    let function = |name: &str, kind: &str| {
        format!(
            "{{\"displayName\": \"{name}\", \"type\": \"{kind}\", \"description\": \"Use it at the end.\", \"config\": {{}}}}"
        )
    };
    let destinations = |text: &str| {
        format!("\"default_dynamic_variables\": {{\"agent_transfer_destinations\": \"{text}\"}}")
    };
    for fields in [
        format!(
            "\"agent_functions\": [{}], {}",
            function("bye", "handover"),
            destinations("+14155552671")
        ),
        format!("\"agent_functions\": [{}], {}", function("bye", "end_call"), destinations("12")),
        format!(
            "\"prompt_text\": \"Hang up when done.\", \"agent_functions\": [{}, {}]",
            function("desk", "handover"),
            function("desk", "handover")
        ),
    ] {
        let text = format!("{{\"version_number\": 3, {fields}}}");
        let inputs = Inputs::new(Document::parse(text.as_str())).optional_rules(true);
        let report = check(&inputs);
        let is_config = |it: &&Diagnostic| format!("{:?}", it.rule.family()) == "Config";
        let followers: Vec<_> = report.diagnostics.iter().filter(is_config).collect();
        assert!(serious(&report).next().is_some(), "{text}");
        let is_about_names = |it: &&Diagnostic| it.rule.id == "function-listed-twice";
        assert!(followers.iter().all(is_about_names), "{text}: {followers:#?}");
    }
}

/// The documents in which a person has set or removed the fields that a help names.
fn followed_elsewhere(found: &Diagnostic, inputs: &Inputs) -> Vec<String> {
    let document = inputs.document();
    let (Some(help), Some(root)) = (found.help.as_deref(), document.tree().root()) else {
        return Vec::new();
    };
    if document.format() != Format::Json || document.has_errors() || help.contains(", then ") {
        return Vec::new();
    }
    let text = document.text();
    let mut documents = Vec::new();
    for clause in help.split(" or ").map(|clause| clause.trim_end_matches([',', ' '])) {
        let clause = clause.split(" to keep").next().unwrap_or_default();
        if let Some(name) = quoted_after(clause, "remove ").filter(|_| clause.ends_with('`')) {
            let Some(value) = root.get(name) else { continue };
            let start = value.name().expect("a key").span().start as usize;
            let (before, after) = (&text[..start], &text[value.span().end as usize..]);
            documents.push(match after.trim_start().strip_prefix(',') {
                Some(after) => format!("{before}{after}"),
                None => format!("{}{after}", before.trim_end().trim_end_matches(',')),
            });
        }
        let Some((verb, words)) = clause.split_once("` to ") else { continue };
        let named = verb.strip_prefix("set `").or_else(|| verb.strip_prefix("shorten `"));
        let Some(name) = named else { continue };
        let literal = match words.strip_prefix('`').and_then(|it| it.strip_suffix('`')) {
            Some(text) => vec![format!("\"{text}\"")],
            None if ["true", "false"].contains(&words) => vec![words.to_owned()],
            None => {
                let numbers = words.split(' ').filter(|it| Decimal::parse(it).is_some());
                numbers.map(str::to_owned).collect()
            }
        };
        for literal in literal {
            documents.push(match root.get(name) {
                Some(value) => {
                    let (start, end) = (value.span().start as usize, value.span().end as usize);
                    format!("{}{literal}{}", &text[..start], &text[end..])
                }
                None => text.replacen('{', &format!("{{\"{name}\": {literal}, "), 1),
            });
        }
    }
    documents
}

#[test]
fn a_help_that_sets_or_removes_another_field_leads_to_a_document_without_the_finding_and_without_a_new_one()
 {
    let mut followed_rules = BTreeSet::new();
    let mut failed = Vec::new();
    for (path, inputs) in fixtures() {
        let report = check(&inputs);
        for found in &report.diagnostics {
            for text in followed_elsewhere(found, &inputs) {
                let document = Document::parse_as(text, inputs.document().format());
                let after = inputs.clone().with_document(document).kind(inputs.checked_as());
                let now = check(&after);
                let stays = now.diagnostics.iter().any(|it| {
                    (&it.rule.id, &it.field, &it.message)
                        == (&found.rule.id, &found.field, &found.message)
                });
                let new: Vec<_> = new_ones(&report, &now).iter().map(|it| &it.message).collect();
                if stays || !new.is_empty() {
                    let text = after.document().text();
                    failed.push(format!("{path}: {:?}: {stays} {new:?}\n{text}", found.help));
                }
                followed_rules.insert(found.rule.id.to_string());
            }
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
    for rule in ["silence-not-after-reminder", "null-not-allowed", "duration-over-pipeline-cap"] {
        assert!(followed_rules.contains(rule), "{followed_rules:?}");
    }
}

#[test]
fn an_interval_in_milliseconds_is_suggested_in_seconds_within_all_limits() {
    let help = |fields: &str| {
        let report = check_text(&format!("{{\"version_number\": 3, {fields}}}"), "", "");
        let [found] = report.diagnostics.as_slice() else { panic!("{report:#?}") };
        found.help.clone().unwrap_or_default()
    };
    let interval = |value: &str| help(&format!("\"reminder_message_interval\": {value}"));
    assert!(interval("20000").starts_with("did you mean `20`? use a number from 0 to 24 seconds"));
    assert!(interval("30000").starts_with("use a number from 0 to 24 seconds"));
    assert_eq!(
        help("\"reminder_message_interval\": 8000, \"end_call_on_silence_sec\": 20"),
        "write `reminder_message_interval` in seconds: `8`"
    );
    let duration = |value: &str| help(&format!("\"max_call_duration_sec\": {value}"));
    assert!(duration("600000").starts_with("did you mean `600`? use a number from 60 to 3600"));
    assert_eq!(duration("\"1,200\""), "write `1200`, in seconds");
    assert!(duration("\"1:30\"").starts_with("did you mean `90`? "));
    assert_eq!(help("\"end_call_on_silence_sec\": \"30,000\""), "write `30`, in seconds");
}

#[test]
fn no_help_puts_a_bare_word_in_quotes_that_is_rejected_next() {
    for (name, value, help) in [
        (
            "denoising_mode",
            "loud",
            "use one of `remove_noise`, `remove_noise_and_speech`, in double quotes",
        ),
        ("denoising_mode", "remove_noise", "put the text in double quotes"),
        ("pipeline_type", "yes", "use one of `Cascaded`, `Speech_To_Speech`, in double quotes"),
        ("end_call_on_silence_sec", "twenty", "use a number from 15 to 30 seconds"),
        ("end_call_on_silence_sec", "yes", "use a number from 15 to 30 seconds"),
        ("is_published", "live", "use true or false"),
        ("title", "desk", "put the text in double quotes"),
    ] {
        for (text, format) in [
            (format!("version_number = 3\n{name} = {value}\n"), Format::Toml),
            (format!("{{\"version_number\": 3, \"{name}\": {value}}}"), Format::Json),
        ] {
            let document = Document::parse_as(text, format);
            let report = check(&Inputs::new(document).kind(DocumentKind::Update));
            let found = &report.diagnostics[0];
            assert_eq!(found.help.as_deref(), Some(help), "{format}: {name} {value}: {report:#?}");
        }
    }
}
