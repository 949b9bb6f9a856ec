//! The pages of the documentation, made from the rules and the tables.

use std::fmt::Write as _;

use voxlint_schema::{
    DocumentKind, Fractions, Items, Null, Presence, Role, Row, Shape, Table, TextFormat,
    configuration, settings,
};

use crate::{Basis, Family, Rule, quote, rules};

/// The first line of a generated file, which says where it comes from.
pub const GENERATED: &str =
    "<!-- Made from the source by `UPDATE_PAGES=1 cargo test --test pages`. Do not edit. -->\n\n";

/// The page of a rule, in Markdown.
///
/// ```
/// let rule = voxlint::rules::find("duplicate-key").expect("a rule");
/// assert!(voxlint::docs::pages::rule(rule).starts_with("# duplicate-key\n"));
/// ```
pub fn rule(rule: &Rule) -> String {
    let mut page = format!("# {}\n\n", rule.id);
    // Whether inputs are given for the next example, and for an earlier one.
    let (mut knows, mut has_known) = (false, false);
    for line in rule.page().lines() {
        let example = line.strip_prefix("```").and_then(|info| info.split_once(','));
        if let Some((language, verdict)) = example {
            if ["stored", "facts", "variables"].contains(&verdict) {
                (knows, has_known) = (true, true);
            } else if !std::mem::take(&mut knows) && has_known {
                page.push_str("Without stored configuration and workspace facts:\n\n");
            }
            let _ = write!(page, "{}\n\n```{language}\n", introduction(verdict));
        } else {
            page.push_str(line);
            page.push('\n');
        }
    }
    page.push('\n');
    let _ = write!(page, "Group: `{}`", rule.group);
    page.push_str(if rule.is_recommended { ".\n" } else { ", off by default.\n" });
    let section = rule.section;
    let _ = match rule.basis {
        None => return page,
        Some(Basis::Stated) => {
            write!(page, "\nStated in section {section} of the service's description.")
        }
        Some(Basis::Read(open)) => {
            write!(page, "\nRead from section {section} of the service's description. {open}")
        }
        Some(Basis::Inferred(why)) => {
            write!(
                page,
                "\nInferred, not stated in the service's description (see section {section}). {why}"
            )
        }
    };
    if let Some(status) = rule.status {
        let _ = write!(page, " A rejected update is answered with status {status}.");
    }
    page.push('\n');
    if !rule.reads.is_empty() {
        let names = quote::list(rule.reads.iter().map(|row| row.name));
        let _ = write!(
            page,
            "\nThe rule reads {names}. Fields that an update omits keep their stored values.\n"
        );
    }
    page
}

/// The line above an example.
fn introduction(verdict: &str) -> &'static str {
    match verdict {
        "reject" => "Rejected:",
        "possible" => "Possibly rejected:",
        "advice" => "Accepted, with a warning:",
        "undecided" => "Undecided:",
        "stored" => "With this stored configuration:",
        "facts" => "With these facts of the workspace:",
        "document" => "For this document, `agents/en.json`:",
        "reported" => "Reported:",
        "variables" => "With these variables listed:",
        _ => "Fine:",
    }
}

/// A rule's page as a file of the documentation.
pub fn rule_file(of: &Rule) -> String {
    format!("{GENERATED}{}", rule(of))
}

/// The list of all rules, as a file of the documentation.
pub fn rules_file() -> String {
    let mut page = format!(
        "{GENERATED}# Rules\n\n`voxlint explain RULE` prints the same pages. \
         [Severity levels](configuration.md#severity-levels) explains the groups. The basis says where a rule comes from: \
         *stated* in the service's description, *read* from a section that leaves something open, or *inferred*.\n"
    );
    for family in [
        Family::Document,
        Family::Object,
        Family::Value,
        Family::Text,
        Family::Template,
        Family::Config,
        Family::Suppression,
    ] {
        let about = match family {
            Family::Document => "The text",
            Family::Object => "Fields",
            Family::Value => "Values",
            Family::Text => "Texts",
            Family::Template => "Templates",
            Family::Config => "Combinations of fields",
            Family::House => "House rules",
            Family::Suppression => "Suppressions",
        };
        let _ = write!(
            page,
            "\n## {about}\n\n| rule | what it finds | group | basis |\n|---|---|---|---|\n"
        );
        for rule in rules::all().filter(|rule| rule.family() == family) {
            let _ = writeln!(
                page,
                "| [{0}](rules/{0}.md) | {1} | {2}{3} | {4} |",
                rule.id,
                rule.summary(),
                rule.group,
                if rule.is_recommended { "" } else { ", off" },
                basis(rule)
            );
        }
    }
    page
}

/// Where a rule comes from, in a cell of a table: `stated in 2.3`.
fn basis(rule: &Rule) -> String {
    match rule.basis {
        Some(Basis::Stated) => format!("stated in {}", rule.section),
        Some(Basis::Read(_)) => format!("read from {}", rule.section),
        Some(Basis::Inferred(_)) => "inferred".to_owned(),
        None => String::new(),
    }
}

/// The fields of every kind of document, as a file of the documentation.
pub fn fields_file() -> String {
    let mut page = format!(
        "{GENERATED}# Fields\n\nThe fields of every kind of document, in the service's order.\n"
    );
    for kind in DocumentKind::ALL {
        if kind != DocumentKind::Settings {
            table(&mut page, &format!("`{}`: {}", kind.name(), kind.noun_phrase()), kind.table());
        }
    }
    for (heading, of) in [
        ("Fields of `default_dynamic_variables`", &settings::default_dynamic_variables::TABLE),
        (
            "Items of `post_call_analysis` and `postcall_analysis`",
            &settings::post_call_analysis_item::TABLE,
        ),
        ("Items of `agent_functions`", &settings::agent_function::TABLE),
        ("Items of `data`", &voxlint_schema::api_keys::entry::TABLE),
        ("Fields of `meta`", &voxlint_schema::api_keys::meta::TABLE),
        ("Entries of `voices`", &voxlint_schema::facts::voice::TABLE),
        ("Entries of `transcribers`", &voxlint_schema::facts::transcriber::TABLE),
        ("Fields of `features`", &voxlint_schema::facts::features::TABLE),
        ("Items of `campaigns`", &voxlint_schema::facts::campaign::TABLE),
        ("Items of `workflows`", &voxlint_schema::facts::workflow::TABLE),
        ("Entries of `rules`", &configuration::rule::TABLE),
        ("Items of `documents`", &configuration::documents::TABLE),
        ("Items of `overrides`", &configuration::overrides::TABLE),
        ("Items of `suppressions`", &configuration::suppression::TABLE),
        ("Items of `house_rules`", &configuration::house_rule::TABLE),
    ] {
        table(&mut page, heading, of);
    }
    page
}

fn table(page: &mut String, heading: &str, of: &Table) {
    let _ = write!(
        page,
        "\n## {heading}\n\n| field | type | limits | meaning | section |\n|---|---|---|---|---|\n"
    );
    for row in of.rows {
        let _ = writeln!(
            page,
            "| `{}` | {} | {} | {} | {} |",
            row.name,
            row.type_name(),
            limits(row).join("; "),
            row.description().replace('|', "\\|"),
            row.section,
        );
    }
}

/// The limits of a row in words, one item for each.
///
/// ```
/// use voxlint::{docs::pages, schema::settings};
///
/// assert_eq!(pages::limits(settings::kb_min_score.row), ["0 to 1"]);
/// ```
pub fn limits(row: &Row) -> Vec<String> {
    let mut limits = Vec::new();
    match row.presence {
        Presence::Required => limits.push("required".to_owned()),
        Presence::Expected => limits.push("listed, but not called required".to_owned()),
        Presence::Optional => {}
    }
    if row.null == Null::Unspecified {
        limits.push("null is not described".to_owned());
    }
    match row.shape {
        Shape::Text(text) | Shape::List(Items::Texts(text)) => {
            if !text.choices.is_empty() {
                limits.push(quote::list(text.choices.iter().copied()));
            }
            if let Some(limit) = text.max_characters {
                limits.push(format!("at most {limit} characters"));
            }
            if let Some(terms) = text.terms {
                limits.push(format!(
                    "letters, digits and spaces; at most {} terms of {} characters, {} in total",
                    terms.most, terms.max_characters, terms.max_total
                ));
            }
            match text.format {
                TextFormat::TimeZone => limits.push("the name of an IANA time zone".to_owned()),
                TextFormat::DateTime => limits.push("a date and time of RFC 3339".to_owned()),
                TextFormat::Json => limits.push("JSON".to_owned()),
                TextFormat::Destinations { most } => limits.push(format!("at most {most} numbers")),
                TextFormat::Any => {}
            }
            match text.role {
                Role::Id(catalogue) => limits.push(format!("an id from the {}", catalogue.name())),
                Role::Prompt | Role::Speech => limits.push("a Handlebars template".to_owned()),
                Role::Instruction | Role::Label | Role::Keywords | Role::Free => {}
            }
        }
        Shape::Number(number) => {
            let unit = number.unit.map(|unit| format!(" {unit}")).unwrap_or_default();
            match (number.min, number.max) {
                (Some(min), Some(max)) => limits.push(format!("{min} to {max}{unit}")),
                (Some(min), None) => limits.push(format!("{min}{unit} or more")),
                (None, Some(max)) => limits.push(format!("{max}{unit} or less")),
                (None, None) => limits.extend(number.unit.map(str::to_owned)),
            }
            if let Some(narrower) = number.disputed {
                limits.push(format!("disputed: {}", narrower.why));
            }
            if number.fractions == Fractions::Unspecified {
                limits.push("a count: fractions are not described".to_owned());
            }
        }
        Shape::Flag
        | Shape::Map(_)
        | Shape::Entries(_)
        | Shape::EntriesOrFirst(_)
        | Shape::List(Items::Maps(_))
        | Shape::TextOrTexts => {}
    }
    limits
}
