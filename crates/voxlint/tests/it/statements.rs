//! The statements of the service's description, the rules that check them, and the page that lists both.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use voxlint::docs::pages;
use voxlint::schema::settings::{
    agent_function, default_dynamic_variables, post_call_analysis_item,
};
use voxlint::schema::{
    Catalogue, Fractions, Items, Null, Presence, Role, Row, Shape, Table, TextFormat, agent,
    api_keys, error, settings,
};
use voxlint::{Basis, Rule, rules};

use voxlint_testing::{Case, case_files, repository};

/// A statement of the description.
pub(crate) struct Statement {
    /// The id of the statement. For a field: its section and its name.
    pub(crate) id: String,
    /// The section of the description.
    pub(crate) section: String,
    /// The statement in other words.
    pub(crate) words: String,
    /// How voxlint covers it.
    pub(crate) claim: Claim,
    /// The numbers of the statement in a list beside the repository.
    pub(crate) readings: Vec<String>,
}

/// How voxlint covers a statement.
pub(crate) enum Claim {
    /// These rules check it.
    Checked(Vec<String>),
    /// It permits something, so there is nothing to check. This case shows that it is accepted.
    Accepted(String),
    /// A rule is planned.
    Planned(String),
    /// It cannot be checked offline: the topic, and the reason.
    Offline(String, String),
}

impl Statement {
    pub(crate) fn rules(&self) -> &[String] {
        match &self.claim {
            Claim::Checked(rules) => rules,
            _ => &[],
        }
    }

    /// The number of the section alone, `4.1` of `4.1 rule 6`.
    fn heading(&self) -> &str {
        self.section.split(' ').next().unwrap_or_default()
    }
}

/// A table of fields: the number of its section, and the prefix of its names.
pub(crate) struct Fields {
    pub(crate) section: &'static str,
    pub(crate) prefix: &'static str,
    pub(crate) table: &'static Table,
}

const fn fields(section: &'static str, prefix: &'static str, table: &'static Table) -> Fields {
    Fields { section, prefix, table }
}

/// The tables of fields in the description.
pub(crate) static FIELDS: [Fields; 10] = [
    fields("2.1", "", &agent::TABLE),
    fields("2.2", "", &agent::version_summary::TABLE),
    fields("2.3", "", &settings::TABLE),
    fields("2.3", "default_dynamic_variables.", &default_dynamic_variables::TABLE),
    fields("2.3", "post_call_analysis[].", &post_call_analysis_item::TABLE),
    fields("2.3", "agent_functions[].", &agent_function::TABLE),
    fields("2.4", "", &api_keys::entry::TABLE),
    fields("2.5", "", &api_keys::meta::TABLE),
    fields("4.2", "", &api_keys::TABLE),
    fields("7", "", &error::TABLE),
];

/// The sections of the description, with other headings.
const HEADINGS: [(&str, &str); 16] = [
    ("1", "The service"),
    ("2.1", "An agent"),
    ("2.2", "The summary of a version"),
    ("2.3", "The settings of a version"),
    ("2.4", "An API key"),
    ("2.5", "The numbers of a list"),
    ("3", "Drafts and publishing"),
    ("4", "All operations"),
    ("4.1", "Updating an agent"),
    ("4.2", "Listing API keys"),
    ("4.3", "Other operations"),
    ("5", "Authentication and signatures"),
    ("6", "Events"),
    ("7", "Errors"),
    ("8", "Limits"),
    ("9", "Versions"),
];

/// What cannot be checked offline, by topic.
const TOPICS: [(&str, &str); 9] = [
    (
        "authentication",
        "whether a request has a key, whether the key is valid, and what it permits.",
    ),
    ("permissions", "what a key permits."),
    ("webhook signatures", "whether a delivery is signed, and whether its receiver checks that."),
    ("rate limits", "how many requests remain, and how long a client waits."),
    ("time-outs and retries", "what a client does without an answer."),
    ("requests", "paths, queries and headers: only bodies are documents."),
    ("events", "what the service delivers, and when."),
    ("inside the service", "what the service does internally, and when it fails."),
    ("not described", "what the description mentions without details."),
];

/// Every statement: those of `statements.tsv`, and one for each field.
pub(crate) fn statements() -> Vec<Statement> {
    let readings = lines_of("field-readings.tsv");
    let mut readings: BTreeMap<String, String> = readings
        .into_iter()
        .map(|line| {
            let [field, numbers] = columns(&line);
            (field, numbers)
        })
        .collect();
    let mut statements: Vec<Statement> =
        lines_of("statements.tsv").iter().skip(1).map(|line| written_down(line)).collect();
    for Fields { section, prefix, table } in &FIELDS {
        for row in table.rows {
            let id = format!("{section} {prefix}{}", row.name);
            let readings = readings.remove(&id).unwrap_or_default();
            statements.push(of_field(id, section, row, &readings));
        }
    }
    assert!(readings.is_empty(), "field-readings.tsv names no fields: {readings:?}");
    statements
}

/// The rules that go beyond the description, with the reason for each.
fn beyond() -> impl Iterator<Item = (&'static Rule, &'static str)> {
    rules::all().filter_map(|rule| match rule.basis {
        Some(Basis::Inferred(reason)) => Some((rule, reason)),
        _ => None,
    })
}

fn lines_of(file: &str) -> Vec<String> {
    let path = repository().join("fixtures/service").join(file);
    fs::read_to_string(path).unwrap().lines().map(str::to_owned).collect()
}

fn columns<const N: usize>(line: &str) -> [String; N] {
    let columns: Vec<String> = line.split('\t').map(str::to_owned).collect();
    columns.try_into().unwrap_or_else(|_| panic!("not {N} columns: {line}"))
}

fn written_down(line: &str) -> Statement {
    let [id, section, readings, claim, of, words] = columns(line);
    let claim = match claim.as_str() {
        "checked" => Claim::Checked(of.split(", ").map(str::to_owned).collect()),
        "accepted" => Claim::Accepted(of),
        "planned" => Claim::Planned(of),
        "offline" => {
            let (topic, reason) = of
                .split_once(": ")
                .unwrap_or_else(|| panic!("a topic and a reason are missing: {line}"));
            Claim::Offline(topic.to_owned(), reason.to_owned())
        }
        _ => panic!("unknown claim: {line}"),
    };
    Statement { id, section, words, claim, readings: numbers(&readings) }
}

fn numbers(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn of_field(id: String, section: &str, row: &'static Row, readings: &str) -> Statement {
    let name = id.split_once(' ').unwrap().1;
    let mut words = format!("`{name}`: {}", row.type_name());
    // A separate statement says that ids exist.
    for limit in pages::limits(row).iter().filter(|limit| !limit.starts_with("an id from")) {
        let _ = write!(words, "; {limit}");
    }
    let claim = Claim::Checked(rules_of(section, row).into_iter().map(str::to_owned).collect());
    Statement { words, section: section.to_owned(), claim, readings: numbers(readings), id }
}

/// The rules about single values that apply to a field.
fn rules_of(section: &str, row: &Row) -> Vec<&'static str> {
    let mut rules = vec!["wrong-type"];
    let mut when = |holds: bool, rule: &[&'static str]| {
        if holds {
            rules.extend(rule);
        }
    };
    when(row.null != Null::Clears, &["null-not-allowed"]);
    when(row.presence != Presence::Optional, &["missing-field"]);
    match row.shape {
        Shape::Number(number) => {
            let is_bounded = number.min.or(number.max).is_some() || number.disputed.is_some();
            when(is_bounded, &["out-of-range"]);
            when(number.fractions != Fractions::Allowed, &["fractional-number"]);
        }
        Shape::Text(text) | Shape::List(Items::Texts(text)) => {
            when(!text.choices.is_empty(), &["unknown-value"]);
            when(text.max_characters.is_some(), &["text-too-long"]);
            let of_terms = [
                "boosted-keyword-character",
                "boosted-keyword-too-long",
                "too-many-boosted-keywords",
                "boosted-keywords-too-long",
            ];
            when(text.terms.is_some(), &of_terms);
            when(text.role.is_template(), &["template-syntax-error"]);
            when(text.format == TextFormat::TimeZone, &["unknown-time-zone"]);
            when(text.format == TextFormat::DateTime, &["timestamp-malformed"]);
            when(text.format == TextFormat::Json, &["node-positions-not-json"]);
            let is_list = matches!(text.format, TextFormat::Destinations { .. });
            let of_destinations = [
                "transfer-destination-malformed",
                "transfer-destination-empty",
                "too-many-transfer-destinations",
            ];
            when(is_list, &of_destinations);
            // The empty string detaches a number.
            let is_id = matches!(text.role, Role::Id(of) if of != Catalogue::PhoneNumbers);
            when(is_id && section == "2.3", &["empty-id"]);
        }
        _ => {}
    }
    rules
}

/// The inputs that are needed besides the document.
#[derive(Default)]
struct Needs {
    stored: bool,
    facts: Vec<&'static str>,
}

/// The rules that need more than the document, according to their cases.
struct RelatedFiles {
    /// Rules with an undecided case.
    undecided: BTreeSet<String>,
    /// Rules with a bad case beside a stored configuration.
    stored: BTreeSet<String>,
}

impl RelatedFiles {
    fn of_cases() -> Self {
        let cases = case_files();
        let rules_of = |is_meant: &dyn Fn(&Case) -> bool| {
            cases.iter().filter(|case| is_meant(case)).map(|case| case.rule.clone()).collect()
        };
        let is_stored = |case: &Case| case.path.with_extension("stored.json").is_file();
        Self {
            undecided: rules_of(&|case| case.name.starts_with("unknown-")),
            stored: rules_of(&|case| case.name.starts_with("bad-") && is_stored(case)),
        }
    }

    fn needs(&self, statement: &Statement) -> Needs {
        // Rule 6 is about the effective draft, including stored values.
        let mut needs = Needs { stored: statement.section == "4.1 rule 6", ..Needs::default() };
        for rule in statement.rules().iter().filter_map(|id| rules::find(id)) {
            let doubtful = if rule.reads_facts.is_empty() { &self.undecided } else { &self.stored };
            needs.stored |= doubtful.contains(&*rule.id);
            for row in rule.reads_facts {
                if !needs.facts.contains(&row.name) {
                    needs.facts.push(row.name);
                }
            }
        }
        needs
    }
}

impl std::fmt::Display for Needs {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let stored = self.stored.then(|| "stored".to_owned());
        let facts = self.facts.iter().map(|name| format!("`{name}`"));
        formatter.write_str(&stored.into_iter().chain(facts).collect::<Vec<_>>().join(", "))
    }
}

/// The page on what is checked and what is not.
pub(crate) fn page() -> String {
    let related = RelatedFiles::of_cases();
    let statements = statements();
    let mut page = format!("{}# What is checked, and what is not\n\n", crate::generated::GENERATED);
    summary(&mut page, &statements, &related);
    for (number, heading) in HEADINGS {
        let _ = write!(
            page,
            "\n## {number} {heading}\n\n| statement | where | checked by, or why not | needs |\n|---|---|---|---|\n"
        );
        for statement in statements.iter().filter(|it| it.heading() == number) {
            line(&mut page, statement, &related);
        }
    }
    page.push_str(
        "\n## Beyond the description\n\nThese rules find mistakes that the description does not mention.\n\n",
    );
    page.push_str("| rule | why |\n|---|---|\n");
    for (rule, reason) in beyond() {
        let _ = writeln!(page, "| {} | {reason} |", link(&rule.id));
    }
    page
}

fn line(page: &mut String, statement: &Statement, related: &RelatedFiles) {
    let mut needs = String::new();
    let by = match &statement.claim {
        Claim::Checked(rules) => {
            needs = related.needs(statement).to_string();
            rules.iter().map(|rule| link(rule)).collect::<Vec<_>>().join(", ")
        }
        Claim::Accepted(case) => format!("accepted, as [this case](../{case}) shows"),
        Claim::Planned(what) => format!("**planned**: {what}"),
        Claim::Offline(topic, reason) => format!("**not offline** ({topic}): {reason}"),
    };
    let words = statement.words.replace('|', "\\|");
    let _ = writeln!(page, "| {words} | {} | {by} | {needs} |", statement.section);
}

fn link(rule: &str) -> String {
    format!("[{rule}](rules/{rule}.md)")
}

fn summary(page: &mut String, statements: &[Statement], related: &RelatedFiles) {
    let mut topics: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut alone, mut with_stored, mut with_facts, mut accepted) = (0, 0, 0, 0);
    let mut planned = Vec::new();
    for statement in statements {
        match &statement.claim {
            Claim::Checked(_) => match related.needs(statement) {
                Needs { facts, .. } if !facts.is_empty() => with_facts += 1,
                Needs { stored: true, .. } => with_stored += 1,
                Needs { .. } => alone += 1,
            },
            Claim::Accepted(_) => accepted += 1,
            Claim::Planned(what) => planned.push((statement, what)),
            Claim::Offline(topic, _) => *topics.entry(topic).or_default() += 1,
        }
    }
    let offline: usize = topics.values().sum();
    let _ = write!(
        page,
        "The description of the service makes {all} statements, counting the type and the limits of a field as one. \
         The list below rephrases them and names their sections.\n\n\
         | statements | |\n|---:|---|\n\
         | {alone} | are checked in the document alone |\n\
         | {with_stored} | are checked for certain only with the stored configuration (`--stored`) |\n\
         | {with_facts} | are checked for certain only with workspace facts (`--facts`) |\n\
         | {accepted} | permit something, so there is nothing to check: a case shows that it is accepted |\n\
         | {to_come} | are not reported yet: planned |\n\
         | {offline} | cannot be checked offline |\n\n\
         ## What a passing check does not prove\n\n\
         **Unknown values.** A rule without the inputs in the column *needs* is undecided, which is not a \
         finding: `--show-undecided` lists those rules, `--require-decided` fails on them, and \
         [Stored and facts](stored-and-facts.md) shows how to provide both.\n\n\
         **Not visible in a document**, in {offline} statements:\n\n",
        all = statements.len(),
        to_come = planned.len(),
    );
    for (topic, about) in TOPICS {
        let count = topics.remove(topic).unwrap_or_default();
        let _ = writeln!(page, "- {topic} ({count}): {about}");
    }
    assert!(topics.is_empty(), "topics without an explanation: {topics:?}");
    page.push_str("\n**What is planned**, and silently accepted today:\n\n");
    for (statement, what) in planned {
        let _ = writeln!(page, "- {what} ({}).", statement.section);
    }
    page.push_str(
        "\n**What the description leaves open.** Where the description is ambiguous, a finding is a warning: \
         the document *may be rejected*. It fails only with `--strict`. The page of each rule describes the readings.\n",
    );
}
