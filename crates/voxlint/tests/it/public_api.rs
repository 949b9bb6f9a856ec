//! The public items of the library crates, as lists that are reviewed when they change, and what all of their types promise.

mod items;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use voxlint_testing::{assert_snapshot, repository};

use items::{PRIVATE_FIELDS, is_type, listing};

/// The crates with public items for others, by their folders.
const CRATES: [&str; 12] = [
    "bindings", "config", "ide", "mcp", "project", "report", "schema", "server", "syntax",
    "template", "text", "voxlint",
];

/// One line of a list for each public item, field, variant, method and trait.
#[test]
fn public_items_are_listed() {
    for krate in CRATES {
        let mut text = String::new();
        for (item, lines) in listing(krate) {
            text.extend([&item[..], "\n"]);
            text.extend(lines.iter().map(|line| format!("    {line}\n")));
        }
        assert_snapshot("public-api", krate, &text);
    }
}

const CALLERS_BUILD_IT: &str = "callers build it";
const ROWS: &str = "every rule, page and schema must handle each property of a field";
const PROTOCOL: &str = "the language server must translate each kind to its protocol";

/// The types that cannot grow: callers match every variant, or write every field. All others are `#[non_exhaustive]`. A change of
/// one of these is a change that breaks callers.
const CLOSED: [(&str, &[&str], &str); 23] = [
    (
        "bindings",
        &["ContextOptions", "DocumentOptions", "PlanEntry", "ProjectOptions"],
        CALLERS_BUILD_IT,
    ),
    ("config", &["VisitedPaths"], CALLERS_BUILD_IT),
    ("config", &["CommentState"], "a gate must say of each state whether it is allowed"),
    ("ide", &["CompletionOptions", "File", "NewSuppression"], CALLERS_BUILD_IT),
    ("ide", &["CompletionKind", "SymbolKind", "TokenKind"], PROTOCOL),
    (
        "project",
        &["ExplicitPathPolicy", "FixOptions", "ReadOptions", "RelatedOptions", "SavedBody"],
        CALLERS_BUILD_IT,
    ),
    ("project", &["RelatedPart"], "`voxlint init` must write a line for each part"),
    (
        "report",
        &[
            "CheckedDocument",
            "FailedFile",
            "Masked",
            "PatchInput",
            "PlanReport",
            "PlannedDocument",
            "RelatedFile",
            "RenderOptions",
            "Repository",
            "RunInfo",
            "RunOutcome",
            "RunSummary",
            "SavedBody",
            "SavedPlan",
            "SkippedFile",
            "UnappliedFixes",
        ],
        CALLERS_BUILD_IT,
    ),
    ("schema", &["Flag", "List", "Map", "Number", "Text"], "it has no values"),
    (
        "schema",
        &[
            "Fractions",
            "Items",
            "Null",
            "Presence",
            "Role",
            "Shape",
            "TermLimits",
            "TextFormat",
            "UnknownFields",
        ],
        ROWS,
    ),
    ("server", &["Ended"], "the protocol has two exit codes"),
    ("syntax", &["Kind"], "JSON has these kinds of nodes"),
    ("syntax", &["Member", "Position", "Span", "TextEdit"], "a pair of values"),
    ("template", &["SegmentKind"], "Handlebars has these segments"),
    ("template", &["TemplateSpan"], "a pair of values"),
    ("template", &["Value"], "JavaScript has these values"),
    ("text", &["Invisible"], "everything that shows text must decide what to do with each kind"),
    ("voxlint", &["AnswerBody", "Recognition", "Setting"], "it is known or it is not"),
    ("voxlint", &["DocumentPosition"], CALLERS_BUILD_IT),
    ("voxlint", &["FindingIdentity"], "a baseline must record all of it"),
    (
        "voxlint",
        &["Origin", "SuppressedBy"],
        "a report that does not know one would name the wrong file or reason",
    ),
    ("voxlint", &["Safety"], "a fix needs a review or it does not"),
    ("voxlint", &["Severity", "VerdictKind"], "exit codes and every format depend on each"),
];

/// Whether callers can match all variants of a type, or write all of its fields.
fn is_closed(lines: &BTreeSet<String>) -> bool {
    let Some(declaration) = lines.iter().find(|line| is_type(line)) else { return false };
    let has_fields = lines.iter().any(|line| {
        line.strip_prefix("pub ").and_then(|line| line.split_once(": ")).is_some_and(|(name, _)| {
            name.chars().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_')
        })
    });
    let can_be_closed =
        declaration.starts_with("pub enum ") || (has_fields && !lines.contains(PRIVATE_FIELDS));
    can_be_closed && !declaration.contains("non_exhaustive")
}

#[test]
fn types_can_grow_unless_there_is_a_reason() {
    let mut stated = BTreeSet::new();
    for (krate, names, reason) in CLOSED {
        assert!(!reason.is_empty());
        for name in names {
            assert!(stated.insert(format!("{krate}: {name}")), "{krate}: {name} is listed twice");
        }
    }
    let mut closed = BTreeSet::new();
    for krate in CRATES {
        let types = listing(krate).into_iter().filter(|(_, lines)| is_closed(lines));
        closed.extend(types.map(|(path, _)| format!("{krate}: {}", last(&path))));
    }
    let missing: Vec<_> = closed.difference(&stated).collect();
    assert!(missing.is_empty(), "make these `#[non_exhaustive]`, or give a reason: {missing:?}");
    let extra: Vec<_> = stated.difference(&closed).collect();
    assert!(extra.is_empty(), "these are not closed, or do not exist: {extra:?}");
}

/// The types that cannot be shared between threads, each with the reason.
const NOT_SHARED: [(&str, &str, &str); 7] = [
    ("report", "FindingsWriter", "it borrows the output, which need not be shared"),
    ("report", "RenderedDocument", "it is sent to the thread that writes"),
    ("syntax", "Editor", "it counts its work"),
    ("syntax", "Pointers", "it remembers the last place that it has found"),
    ("template", "Object", "clones of values are cheap in one thread"),
    ("template", "Value", "clones of values are cheap in one thread"),
    ("voxlint", "HouseCheck", "a rule in code sees it only while it runs"),
];

/// `threads.rs` among the tests of a crate has the assertions, which the compiler checks.
#[test]
fn types_can_be_shared_between_threads() {
    // Crate voxlint exports the types of crate voxlint-schema.
    let asserted_in: BTreeMap<&str, &str> = CRATES
        .into_iter()
        .filter(|krate| !["mcp", "server", "text"].contains(krate))
        .map(|krate| (krate, if krate == "schema" { "voxlint" } else { krate }))
        .collect();
    for (krate, tests) in asserted_in {
        let file = repository().join(format!("crates/{tests}/tests/it/threads.rs"));
        let text = fs::read_to_string(file).unwrap();
        let asserted: BTreeSet<&str> = text
            .lines()
            .filter_map(|line| line.trim().strip_prefix("is_shared::<")?.split(['<', '>']).next())
            .map(last)
            .collect();
        let types = listing(krate);
        let types = types.iter().filter(|(_, lines)| lines.iter().any(|line| is_type(line)));
        for (path, _) in types {
            let name = last(path);
            let is_exempt = NOT_SHARED.iter().any(|(of, it, _)| (*of, *it) == (krate, name));
            assert!(asserted.contains(name) != is_exempt, "{path} in {tests}/tests/it/threads.rs");
        }
    }
}

/// The last name of a path.
fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap()
}
