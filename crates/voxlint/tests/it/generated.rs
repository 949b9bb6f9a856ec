//! The generated files of the documentation: the lists of rules, readings and fields, and the pages of the rules.

use std::fmt::Write as _;

use voxlint::docs::{levels, pages};
use voxlint::schema::{self, Table, configuration, readings, settings};
use voxlint::{Basis, DocumentKind, Family, Rule, Severity, rules};

/// The first line of a generated file, which says where it comes from.
pub(crate) const GENERATED: &str = "<!-- Made from the source by `UPDATE_PAGES=1 cargo test -p voxlint --test it pages`. Do not edit. -->\n\n";

/// A rule's page as a file of the documentation.
pub(crate) fn rule_file(of: &Rule) -> String {
    format!("{GENERATED}{}", pages::rule(of))
}

/// The list of all rules, as a file of the documentation.
pub(crate) fn rules_file() -> String {
    let mut page = format!(
        "{GENERATED}# Rules\n\n`voxlint explain RULE` prints the same pages. \
         [Severity levels](configuration.md#severity-levels) explains the groups. The basis says where a rule comes from: \
         *stated* in the service's description, *read* from a section that leaves something open, or *inferred*. \
         The level is the severity of the rule's findings by default. \
         The last column says which rules offer fixes, and whether they are safe.\n"
    );
    for (family, about) in [
        (Family::Document, "The text"),
        (Family::Object, "Fields"),
        (Family::Value, "Values"),
        (Family::Text, "Texts"),
        (Family::Template, "Templates"),
        (Family::Config, "Combinations of fields"),
        (Family::Fleet, "Several documents"),
        (Family::Suppression, "Suppressions"),
    ] {
        let _ = write!(
            page,
            "\n## {about}\n\n| rule | what it finds | group | level | basis | fix |\n|---|---|---|---|---|---|\n"
        );
        for rule in rules::all().filter(|rule| rule.family() == family) {
            let levels: Vec<&str> = levels(rule).into_iter().map(Severity::name).collect();
            let levels = levels.join(" or ");
            let _ = writeln!(
                page,
                "| [{0}](rules/{0}.md) | {1} | {2}{3} | {4} | {5} | {6} |",
                rule.id,
                rule.summary(),
                rule.group,
                if rule.is_recommended { "" } else { ", off" },
                levels,
                basis(rule),
                fix_cell(rule)
            );
        }
    }
    page
}

/// The readings of the description, as a file of the documentation.
pub(crate) fn readings_file() -> String {
    let mut page = format!(
        "{GENERATED}# Readings\n\nThe service's description can be read in several ways in these places. As long as a reading is open, \
         each of its values is possible: a finding that depends on it says that the service *may* reject the document. If you know how \
         your service answers, set the reading [in `voxlint.toml`](configuration.md#readings), and the finding is certain or gone. \
         `voxlint readings` prints the same list with the values that are set.\n\n```toml\n[readings]\n\
         unknown-fields = \"rejected\"\n\
         responsiveness-maximum = {{ value = \"5\", evidence = \"an update with 3 was accepted\", since = \"2026-11-03\" }}\n```\n"
    );
    for it in readings::ALL {
        let about = pages::reading(it);
        let (about, rules) = about.rsplit_once("Rules: ").unwrap_or((&about, ""));
        let rules: Vec<String> =
            rules.trim_end().split(", ").map(|id| format!("[{id}](rules/{id}.md)")).collect();
        let _ = write!(page, "\n## {}\n\n{about}Rules: {}\n", it.name, rules.join(", "));
    }
    page
}

/// Where a rule comes from, in a cell of a table: `stated in 2.3`.
fn basis(rule: &Rule) -> String {
    match rule.basis {
        Some(Basis::Stated) => format!("stated in {}", rule.section),
        Some(Basis::Read(_)) => format!("read from {}", rule.section),
        Some(Basis::Inferred(_)) => "inferred".to_owned(),
        _ => String::new(),
    }
}

/// The safety of a rule's fixes, in a cell of a table.
fn fix_cell(rule: &Rule) -> String {
    let safety = rule.fix.map_or(&[][..], |fix| fix.safety);
    safety.iter().map(|safety| safety.name()).collect::<Vec<_>>().join(" or ")
}

/// The fields of every kind of document, as a file of the documentation.
pub(crate) fn fields_file() -> String {
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
        ("Items of `data`", &schema::api_keys::entry::TABLE),
        ("Fields of `meta`", &schema::api_keys::meta::TABLE),
        ("Entries of `voices`", &schema::facts::voice::TABLE),
        ("Entries of `transcribers`", &schema::facts::transcriber::TABLE),
        ("Fields of `features`", &schema::facts::features::TABLE),
        ("Items of `campaigns`", &schema::facts::campaign::TABLE),
        ("Items of `workflows`", &schema::facts::workflow::TABLE),
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
            pages::limits(row).join("; "),
            row.description().replace('|', "\\|"),
            row.section,
        );
    }
}
