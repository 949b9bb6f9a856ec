//! The invariants of ARCHITECTURE.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;

use crate::support::{check_bytes, format_of};
use voxlint::schema::agent::version_summary;
use voxlint::schema::api_keys::{entry, meta};
use voxlint::schema::{
    Fractions, Items, Null, Presence, Row, Shape, Table, TextFormat, agent, api_keys, error,
    settings,
};
use voxlint::syntax::Format;
use voxlint::{Document, DocumentKind, Family, Inputs, Source, check, rules};
use voxlint_testing::texts::assert_blocks;
use voxlint_testing::{
    assert_snapshot, case_files, files_below, fleet_cases, repository, shared, suppression_cases,
};

fn stems(folder: &str, extension: &str) -> BTreeSet<String> {
    files_below(folder, extension)
        .iter()
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect()
}

#[test]
fn one_name() {
    let ids: BTreeSet<String> = rules::all().map(|rule| rule.id.to_string()).collect();
    assert_eq!(ids.len(), rules::all().count(), "two rules have one id");

    let mut files: BTreeSet<String> = BTreeSet::new();
    for rule in rules::all() {
        let krate = if rule.family() == Family::Fleet { "voxlint" } else { "rules" };
        let (family, name) = (rule.family().name(), rule.id.replace('-', "_"));
        let file = format!("crates/{krate}/src/{family}/{name}.rs");
        assert!(repository().join(&file).is_file(), "{} is not defined in {file}", rule.id);
        files.insert(name);
    }
    let others =
        ["mod", "lib", "check", "declare", "prelude", "shared", "limits", "without_effect"];
    files.extend(others.map(str::to_owned));
    let mut found = stems("crates/rules/src", "rs");
    found.extend(stems("crates/voxlint/src/fleet", "rs"));
    assert_eq!(found, files, "a file that does not define a rule");

    // Rules about suppressions and rules across documents check more than one document, so their cases are folders.
    let of_family = |family: Family| -> BTreeSet<String> {
        let rules = rules::all().filter(|rule| rule.family() == family);
        rules.map(|rule| rule.id.to_string()).collect()
    };
    let (upkeep, across) = (of_family(Family::Suppression), of_family(Family::Fleet));
    let others: BTreeSet<String> =
        ids.iter().filter(|id| !upkeep.contains(*id) && !across.contains(*id)).cloned().collect();
    let fixtures: BTreeSet<String> = case_files().into_iter().map(|case| case.rule).collect();
    assert_eq!(fixtures, others, "fixtures/rules/");
    let fixtures: BTreeSet<String> =
        suppression_cases().into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(fixtures, upkeep, "fixtures/suppression/");
    let fixtures: BTreeSet<String> = fleet_cases().into_iter().map(|(rule, _)| rule).collect();
    assert_eq!(fixtures, across, "fixtures/across/");
    assert_eq!(stems("docs/rules", "md"), ids, "docs/rules/");
}

#[test]
fn every_rule_shows_all_its_verdicts() {
    let mut shown: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    let cases = case_files().into_iter().map(|case| (case.rule, case.name));
    for (rule, name) in cases.chain(suppression_cases()).chain(fleet_cases()) {
        let prefix = name.split('-').next().unwrap().to_owned();
        shown.entry(rule).or_default().insert(prefix);
    }
    for rule in rules::all() {
        let shown = &shown[&*rule.id];
        assert!(shown.contains("bad") && shown.contains("ok"), "{}: {shown:?}", rule.id);
        // A rule that compares fields may be undecided. Then its page shows it.
        let may_be_undecided = rule.page().contains("```json,undecided");
        assert!(!may_be_undecided || !rule.reads.is_empty(), "{} compares nothing", rule.id);
        // Rules about single values are undecided only about stored values, which other pages explain.
        let is_explained = may_be_undecided || rule.family() != Family::Config;
        let is_shown = shown.contains("unknown");
        assert!(is_shown >= may_be_undecided && is_shown <= is_explained, "{}: {shown:?}", rule.id);
    }
}

#[test]
fn rule_ids_are_api() {
    let mut list = String::new();
    for rule in rules::all() {
        let status = rule.status.map_or_else(|| "-".to_owned(), |status| status.to_string());
        let _ = writeln!(
            list,
            "{} {} {status} advice={}",
            rule.family().name(),
            rule.id,
            rule.advice.name()
        );
    }
    assert_snapshot("", "rule-ids", &list);
}

#[test]
fn pure_means_pure() {
    // Modules that the library crates must not use.
    const IMPURE: [&str; 8] = [
        "std::fs",
        "std::env",
        "std::net",
        "std::process",
        "std::time::Instant",
        "SystemTime",
        "std::thread",
        "std::io",
    ];
    for krate in
        ["syntax", "schema", "template", "model", "rules", "engine", "voxlint", "config", "ide"]
    {
        let files = files_below(&format!("crates/{krate}/src"), "rs");
        // A module `tests` is only compiled for tests, also if it has a file of its own.
        for file in files.into_iter().filter(|file| !file.ends_with("tests.rs")) {
            let text = fs::read_to_string(&file).unwrap();
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
            let is_comment = |line: &&str| line.trim_start().starts_with("//");
            let code: Vec<&str> = code.lines().filter(|line| !is_comment(line)).collect();
            let code = code.join("\n");
            assert!(
                !code.contains("use std::{"),
                "{}: import the modules of std one by one",
                file.display()
            );
            for word in IMPURE {
                assert!(!code.contains(word), "{} uses {word}", file.display());
            }
        }
    }
    for file in files_below("crates", "rs") {
        let text = fs::read_to_string(&file).unwrap();
        // The other one proves that the program opens no socket.
        let may_name_it = file.ends_with("invariants.rs") || file.ends_with("tests/it/network.rs");
        assert!(may_name_it || !text.contains("std::net"), "{} opens the network", file.display());
    }
}

#[test]
fn the_project_layer_never_prints() {
    for file in files_below("crates/project/src", "rs") {
        let text = fs::read_to_string(&file).unwrap();
        for word in ["io::stdout", "io::stderr", "voxlint_report", "clap"] {
            assert!(!text.contains(word), "{} uses {word}", file.display());
        }
    }
}

#[test]
fn arrows_point_one_way() {
    // The dependencies of each crate within the workspace.
    let allowed = [
        ("syntax", vec![]),
        ("schema", vec![]),
        ("template", vec!["voxlint-syntax"]),
        ("model", vec!["voxlint-schema", "voxlint-syntax", "voxlint-template"]),
        ("rules", vec!["voxlint-model", "voxlint-schema", "voxlint-syntax", "voxlint-template"]),
        ("engine", vec!["voxlint-model", "voxlint-rules", "voxlint-schema", "voxlint-syntax"]),
        (
            "voxlint",
            vec![
                "voxlint-engine",
                "voxlint-model",
                "voxlint-rules",
                "voxlint-schema",
                "voxlint-syntax",
                "voxlint-template",
            ],
        ),
        ("config", vec!["voxlint", "voxlint-engine"]),
        ("report", vec!["voxlint", "voxlint-syntax"]),
        (
            "merge",
            vec!["voxlint", "voxlint-engine", "voxlint-model", "voxlint-schema", "voxlint-syntax"],
        ),
        ("project", vec!["voxlint", "voxlint-config", "voxlint-merge"]),
        ("bindings", vec!["voxlint", "voxlint-config", "voxlint-project", "voxlint-report"]),
        ("mcp", vec!["voxlint", "voxlint-bindings", "voxlint-project", "voxlint-report"]),
        ("ide", vec!["voxlint", "voxlint-engine", "voxlint-model", "voxlint-template"]),
    ];
    for (krate, knows) in allowed {
        let manifest =
            fs::read_to_string(repository().join("crates").join(krate).join("Cargo.toml")).unwrap();
        let dependencies =
            manifest.split("[dependencies]").nth(1).unwrap().split("\n[").next().unwrap();
        let mut known: Vec<&str> = dependencies
            .lines()
            .filter_map(|line| line.split(['.', ' ', '=']).next())
            .filter(|name| name.starts_with("voxlint"))
            .collect();
        known.sort_unstable();
        assert_eq!(known, knows, "crates/{krate}");
    }
}

#[test]
fn no_input_panics() {
    let cases = case_files().into_iter().map(|case| case.path);
    for path in cases.chain(files_below("fixtures/agents", "json")) {
        let bytes = fs::read(&path).unwrap();
        let format = format_of(&path);
        let step = (bytes.len() / voxlint_testing::cases(25, 300) as usize).max(1);
        for end in (0..bytes.len()).step_by(step) {
            let source = Source::from_bytes(&bytes[..end]);
            let document = Document::parse_as(source.clone(), format);
            document.recognise();
            let report = check(&Inputs::new(document));
            for found in &report.diagnostics {
                let span = found.span.start as usize..found.span.end as usize;
                assert!(
                    source.text().get(span).is_some(),
                    "{}[..{end}]: {found:?}",
                    path.display()
                );
            }
        }
    }
}

#[test]
fn one_mistake_one_diagnostic() {
    for path in files_below("fixtures", "json") {
        let bytes = fs::read(&path).unwrap();
        let report = check_bytes(&bytes);
        let order: Vec<_> = report
            .diagnostics
            .iter()
            .map(|found| (found.origin, found.span, found.rule.id.clone()))
            .collect();
        assert!(order.is_sorted(), "{}: out of order", path.display());

        let mut said = BTreeSet::new();
        for found in &report.diagnostics {
            if !found.field.is_empty() {
                assert!(
                    said.insert((&found.field, found.span)),
                    "{}: {} twice",
                    path.display(),
                    found.field
                );
            }
        }
    }
}

#[test]
fn a_name_without_its_closing_quote_is_the_name() {
    let text = "{\n  \"version_number: 3,\n  \"title\": \"Front desk\"\n}";
    let report = check_bytes(text.as_bytes());
    let rules: Vec<&str> = report.diagnostics.iter().map(|it| &*it.rule.id).collect();
    assert_eq!(rules, ["syntax-error"]);
}

#[test]
fn no_field_is_missing_from_an_incomplete_object() {
    for path in files_below("fixtures/agents", "json") {
        let bytes = fs::read(&path).unwrap();
        let whole = missing_fields(&bytes);
        for end in (1..bytes.len() - 2).step_by(41) {
            let cut = missing_fields(&bytes[..end]);
            let more: Vec<_> = cut.difference(&whole).collect();
            assert!(more.is_empty(), "{}[..{end}]: {more:?}", path.display());
        }
    }
}

fn missing_fields(bytes: &[u8]) -> BTreeSet<String> {
    let report = check_bytes(bytes);
    let missing = report.diagnostics.into_iter().filter(|found| found.rule.id == "missing-field");
    missing.map(|found| found.field).collect()
}

/// One line per row: name, type, and the constraints that the description states.
fn table_as_facts() -> String {
    let mut facts = String::new();
    let mut write = |prefix: &str, rows: &[&Row]| {
        for row in rows {
            let _ =
                writeln!(facts, "{prefix}{}\t{}\t{}", row.name, plain_type(row), constraints(row));
        }
    };
    write("", settings::TABLE.rows);
    write("default_dynamic_variables.", settings::default_dynamic_variables::TABLE.rows);
    write("post_call_analysis[].", settings::post_call_analysis_item::TABLE.rows);
    write("agent_functions[].", settings::agent_function::TABLE.rows);
    facts
}

/// The type as the description names it.
fn plain_type(row: &Row) -> String {
    let name = match row.shape {
        Shape::Number(_) => "number",
        Shape::List(Items::Texts(_)) => "array of string",
        shape => shape.name(),
    };
    format!("{name}{}", if row.null == Null::Clears { " or null" } else { "" })
}

fn constraints(row: &Row) -> String {
    let mut parts = Vec::new();
    match row.presence {
        Presence::Required => parts.push("required".to_owned()),
        Presence::Expected => parts.push("has".to_owned()),
        Presence::Optional => {}
    }
    match row.shape {
        Shape::Number(number) => {
            if let Some(min) = number.min {
                parts.push(format!("min {min}"));
            }
            if let Some(max) = number.max {
                parts.push(format!("max {max}"));
            }
            if let Some(narrower) = number.disputed {
                parts.push(format!("or {:?} to {:?}", narrower.min, narrower.max));
            }
        }
        Shape::Text(text) => {
            if let Some(limit) = text.max_characters {
                parts.push(format!("max {limit} characters"));
            }
            if let Some(terms) = text.terms {
                parts.push(format!("max {} terms", terms.most));
                parts.push(format!("max {} characters per term", terms.max_characters));
                parts.push(format!("max {} characters in total", terms.max_total));
            }
            if let TextFormat::Destinations { most } = text.format {
                parts.push(format!("max {most} numbers"));
            }
            if !text.choices.is_empty() {
                parts.push(text.choices.join(" "));
            }
            if text.role.is_template() {
                parts.push("template".to_owned());
            }
        }
        _ => {}
    }
    parts.join(", ")
}

#[test]
fn the_table_is_the_services_table() {
    // This file was written from the description, independently of the table.
    let facts = fs::read_to_string(repository().join("fixtures/service/fields.tsv")).unwrap();
    assert_eq!(table_as_facts(), facts);

    let facts = fs::read_to_string(repository().join("fixtures/service/answers.tsv")).unwrap();
    assert_eq!(answers_as_facts(), facts);

    let Some(description) = shared("spec/service.md") else { return };
    for (section, table) in ANSWERS {
        assert_answer_is_described(&description, section, table);
    }
    let statuses: Vec<(u16, &str)> = rows_of_section(&description, "## 7. ")
        .iter()
        .filter_map(|(name, ..)| name.parse().ok())
        .filter(|status| *status >= 400)
        .map(|status| (status, error::reason_phrase(status).unwrap()))
        .collect();
    assert_eq!(statuses, error::STATUSES, "statuses of 7");

    let stated = rows_of_section(&description, "### 2.3 ");
    let names: Vec<&str> = stated.iter().map(|(name, ..)| name.as_str()).collect();
    let rows: Vec<&str> = settings::TABLE.rows.iter().map(|row| row.name).collect();
    assert_eq!(rows, names, "names and order of 2.3");
    for ((name, kind, constraint), row) in stated.iter().zip(settings::TABLE.rows) {
        assert_eq!(*kind, plain_type(row), "{name}");
        assert_eq!(constraint.contains("Required. "), row.presence == Presence::Required, "{name}");
        assert_eq!(constraint.contains("ust be valid"), is_template(row), "{name}");
        for number in numbers_of(row) {
            assert!(
                constraint.contains(&number),
                "{name}: {number} is not in the description: {constraint}"
            );
        }
        if let Shape::Text(text) = row.shape {
            let listed: Vec<&str> = constraint.split('`').skip(1).step_by(2).collect();
            for choice in text.choices {
                assert!(listed.contains(choice), "{name}: {choice} is not in the description");
            }
        }
    }
}

/// The tables of answers of the service, with the headings of the description.
const ANSWERS: [(&str, &Table); 5] = [
    ("### 2.1 ", &agent::TABLE),
    ("### 2.2 ", &version_summary::TABLE),
    ("### 2.4 ", &entry::TABLE),
    ("### 2.5 ", &meta::TABLE),
    ("## 7. ", &error::TABLE),
];

/// One line per row: section, name, type, constraints.
fn answers_as_facts() -> String {
    let mut facts = String::new();
    for table in ANSWERS.iter().map(|(_, table)| *table).chain([&api_keys::TABLE]) {
        for row in table.rows {
            let form = match row.shape {
                Shape::Text(text) if text.format == TextFormat::DateTime => "date-time",
                Shape::Text(text) if text.format == TextFormat::TimeZone => "time zone",
                _ => "",
            };
            let doubt = if row.null == Null::Unspecified { "null?" } else { "" };
            let limits = constraints(row);
            let parts: Vec<&str> = [limits.as_str(), form, doubt]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect();
            let _ = writeln!(
                facts,
                "{}\t{}\t{}\t{}",
                row.section,
                row.name,
                answer_type(row),
                parts.join(", ")
            );
        }
    }
    for (status, phrase) in error::STATUSES {
        let _ = writeln!(facts, "7\t{status}\t{phrase}\t");
    }
    facts
}

/// The type as the description names it for answers.
fn answer_type(row: &Row) -> String {
    let name = match row.shape {
        Shape::Number(number) if number.fractions == Fractions::Rejected => "integer",
        Shape::List(_) => "array",
        shape => shape.name(),
    };
    format!("{name}{}", if row.null == Null::Clears { " or null" } else { "" })
}

fn assert_answer_is_described(description: &str, section: &str, table: &Table) {
    let stated: Vec<_> = rows_of_section(description, section)
        .into_iter()
        .filter(|(name, ..)| name.parse::<u16>().is_err())
        .collect();
    let names: Vec<&str> = stated.iter().map(|(name, ..)| name.as_str()).collect();
    let rows: Vec<&str> = table.rows.iter().map(|row| row.name).collect();
    assert_eq!(rows, names, "names and order of {section}");
    for ((name, kind, notes), row) in stated.iter().zip(table.rows) {
        assert_eq!(*kind, answer_type(row), "{section}{name}");
        assert_eq!(
            notes.starts_with("Required."),
            row.presence == Presence::Required,
            "{section}{name}"
        );
        if let Shape::Text(text) = row.shape {
            let is_dated = notes.contains("date-time") || notes.contains("timestamp");
            assert_eq!(is_dated, text.format == TextFormat::DateTime, "{section}{name}");
            let is_zone = notes.contains("IANA");
            assert_eq!(is_zone, text.format == TextFormat::TimeZone, "{section}{name}");
            let listed: Vec<&str> = notes.split('`').skip(1).step_by(2).collect();
            assert!(
                text.choices.iter().all(|choice| listed.contains(choice)),
                "{section}{name}: {listed:?}"
            );
        }
    }
}

fn is_template(row: &Row) -> bool {
    matches!(row.shape, Shape::Text(text) if text.role.is_template())
}

fn numbers_of(row: &Row) -> Vec<String> {
    match row.shape {
        Shape::Number(number) => {
            [number.min, number.max].into_iter().flatten().map(|it| it.to_string()).collect()
        }
        Shape::Text(text) => {
            let terms = text.terms.map(|it| [it.most, it.max_characters, it.max_total]);
            let limits = text.max_characters.into_iter().chain(terms.into_iter().flatten());
            limits.map(|it| it.to_string()).collect()
        }
        _ => Vec::new(),
    }
}

/// The rows of the tables under a heading: name, type, constraints.
fn rows_of_section(description: &str, heading: &str) -> Vec<(String, String, String)> {
    let section = description.split(&format!("\n{heading}")).nth(1).unwrap();
    let section = section.split("\n### ").next().unwrap().split("\n## ").next().unwrap();
    section
        .lines()
        .filter(|line| {
            line.starts_with("| ") && !line.starts_with("| Field") && !line.starts_with("| Status")
        })
        .map(|line| {
            let mut cells = line
                .trim_matches('|')
                .splitn(3, " | ")
                .map(|cell| cell.trim().trim_end_matches(" |").to_owned());
            let mut cell = || cells.next().unwrap_or_default();
            (cell(), cell(), cell())
        })
        .collect()
}

#[test]
fn foreign_files_are_not_recognised() {
    let files = ["json", "yaml", "toml", "hbs"].map(|it| files_below("fixtures/foreign", it));
    for path in files.into_iter().flatten() {
        let bytes = fs::read(&path).unwrap();
        let source = Source::from_bytes(&bytes);
        let document = Document::parse_as(source, format_of(&path));
        assert_eq!(document.recognise(), None, "{}", path.display());
    }
}

#[test]
fn documents_of_every_kind_are_recognised() {
    assert_blocks("crates/voxlint/tests/recognized.txt", |block| {
        let recognition = Document::parse(Source::from(&*block.text)).recognition();
        match recognition.kind() {
            Some(kind) => kind.name().to_owned(),
            None => format!("skipped: {}", recognition.into_unrecognised().unwrap()),
        }
    });
    let in_other_formats = [
        ("title: Front desk\nprompt_text: Hi\n", Format::Yaml),
        ("title = \"Front desk\"\nprompt_text = \"Hi\"\n", Format::Toml),
        ("[update]\nversion_number = 3\n", Format::Toml),
    ];
    for (text, format) in in_other_formats {
        let source = Source::from(text);
        let found = Document::parse_as(source, format).recognise();
        assert_eq!(found, Some(DocumentKind::Update), "{text}");
    }
}

#[test]
fn a_web_page_is_not_a_template() {
    let page = Source::from("<div class=\"x\">{{name}}</div>");
    let page = Document::parse_as(page, Format::Text).recognition();
    assert_eq!(page.likely_kind(), Some(DocumentKind::Template));
    assert_eq!(page.into_unrecognised().unwrap().to_string(), "a web page template");
}

#[test]
fn every_invariant_has_its_test() {
    let architecture = fs::read_to_string(repository().join("ARCHITECTURE.md")).unwrap();
    let invariants = architecture.split("## Invariants").nth(1).unwrap();
    let tests: String =
        files_below("crates", "rs").iter().map(|file| fs::read_to_string(file).unwrap()).collect();
    // Paths are scripts and programs.
    let named = invariants.split('`').skip(1).step_by(2).filter(|name| !name.contains('/'));
    for name in named {
        assert!(tests.contains(&format!("fn {name}(")), "no test is called {name}");
    }
    assert_eq!(invariants.lines().filter(|line| line.contains(". **")).count(), 10);
}

/// Each is read in one sitting.
#[test]
fn the_pages_for_developers_are_short() {
    for (page, most) in [("ARCHITECTURE.md", 1_500), ("CONTRIBUTING.md", 1_200)] {
        let text = fs::read_to_string(repository().join(page)).unwrap();
        let words = text.split_whitespace().count();
        assert!(words <= most, "{page}: {words} words, at most {most}");
    }
}

/// What people have written for the book is read in a day. Generated pages and tables are looked up.
#[test]
fn the_book_is_short() {
    let mut words = 0;
    for page in files_below("docs", "md") {
        let text = fs::read_to_string(&page).unwrap();
        if text.starts_with("<!-- Made from") || page.ends_with("SUMMARY.md") {
            continue;
        }
        // A generated table is between `<!-- name -->` and `<!-- end of name -->`.
        let parts = text.split("<!-- end of ").map(|part| match part.rsplit_once("\n<!-- ") {
            Some((before, _)) if text.contains("<!-- end of ") => before,
            _ => part,
        });
        let written: String = parts.collect();
        // Borders of tables and of excerpts are not words.
        let is_word = |word: &&str| word.contains(char::is_alphanumeric);
        words += written.split_whitespace().filter(is_word).count();
    }
    assert!((10_000..=20_000).contains(&words), "the pages in docs have {words} words");
}

/// A stranger must find everything that the table of the architecture and the steps of contributing name.
#[test]
fn every_path_in_the_pages_for_developers_exists() {
    let folders = ["crates/", "docs/", "fixtures/", "scripts/", "packaging/", "benches/"];
    for page in ["ARCHITECTURE.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(repository().join(page)).unwrap();
        let paths = text.split('`').filter(|code| {
            folders.iter().any(|folder| code.starts_with(folder)) && !code.contains(['<', ' ', '…'])
        });
        let missing: Vec<&str> = paths.filter(|path| !repository().join(path).exists()).collect();
        assert!(missing.is_empty(), "{page} names files that do not exist: {missing:?}");
    }
}
