//! Example values for rows where a numbered name would make no sense.

use voxlint_schema::Row;
use voxlint_schema::configuration::{
    baseline, documents, exclude, extends, facts, house_rule, include, overrides, rule, rules,
    suppression, variables,
};

/// Values as TOML spells them. Each is valid, which the test `examples_are_sound` checks.
pub(super) const EXAMPLES: [(&Row, &str); 30] = [
    (extends.row, r#""../voxlint.toml""#),
    (include.row, r#"["agents/", "*.hbs"]"#),
    (exclude.row, r#"["legacy/", "**/*.generated.json"]"#),
    (baseline.row, r#""voxlint-baseline.json""#),
    (facts.row, r#""workspace.yaml""#),
    (variables.row, r#"["caller_name", "crm_*"]"#),
    (rule::level.row, r#""warning""#),
    (rule::allow.row, r#"["x_*"]"#),
    (documents::files.row, r#""agents/*.json""#),
    (documents::agent_id.row, r#""ag_front_desk""#),
    (documents::stored.row, r#""../stored/{stem}.json""#),
    (documents::facts.row, r#""workspace.yaml""#),
    (documents::text_files.row, r#"{ prompt_text = "{stem}.prompt.hbs" }"#),
    (documents::variables.row, r#"["order_id"]"#),
    (overrides::files.row, r#""drafts/""#),
    (suppression::files.row, r#"["agents/en.json", "agents/de.json"]"#),
    (suppression::pointer.row, r#""/custom_functions/*/url""#),
    (suppression::rules.row, r#"["unknown-field"]"#),
    (suppression::reason.row, r#""the service will accept it from May""#),
    (suppression::expires.row, r#""2030-01-31""#),
    (house_rule::id.row, r#""title-without-team""#),
    (house_rule::field.row, r#""/title""#),
    (house_rule::files.row, r#""agents/""#),
    (house_rule::message.row, r#""a title begins with the name of a team""#),
    (house_rule::help.row, r#""write the team first, as in `Sales: front desk`""#),
    (house_rule::level.row, r#""warning""#),
    (house_rule::must_match.row, r"'^(Sales|Support): '"),
    (house_rule::must_not_match.row, r"'(?i)\btest\b'"),
    (house_rule::one_of.row, r#"["Sales: front desk", "Support: night"]"#),
    (house_rule::max_length.row, "60"),
];

/// The names of entries, with an entry in its short form.
pub(super) const ENTRIES: [(&Row, &str, &str); 2] = [
    (rules.row, "unknown-field", "unknown-template-variable = \"error\""),
    (overrides::rules.row, "unknown-field", "unknown-template-variable = \"info\""),
];
