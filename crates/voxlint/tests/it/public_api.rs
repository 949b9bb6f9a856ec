//! The public items of the library, as a list that is reviewed when it changes, and what all of its types promise.

mod items;

use std::collections::BTreeSet;
use std::fs;

use voxlint_testing::{assert_snapshot, repository};

use items::{PRIVATE_FIELDS, is_type, listing};

/// One line of a list for each public item, field, variant, method and trait.
#[test]
fn public_items_are_listed() {
    let mut text = String::new();
    for (item, lines) in listing("voxlint") {
        text.extend([&item[..], "\n"]);
        text.extend(lines.iter().map(|line| format!("    {line}\n")));
    }
    assert_snapshot("public-api", "voxlint", &text);
}

/// The other crates are parts of the program, whose items may change in any version.
#[test]
fn other_crates_say_that_they_are_internal() {
    for folder in fs::read_dir(repository().join("crates")).unwrap() {
        let folder = folder.unwrap().path();
        let file = folder.join("src/lib.rs");
        if folder.ends_with("voxlint") || !file.exists() {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        assert!(text.starts_with("//! Internal to voxlint: "), "{}", file.display());
    }
}

const CALLERS_BUILD_IT: &str = "callers build it";

/// The types that cannot grow: callers match every variant, or write every field. All others are `#[non_exhaustive]`. A change of
/// one of these breaks callers.
const CLOSED: [(&[&str], &str); 6] = [
    (&["AnswerBody", "Recognition", "Setting"], "it is known or it is not"),
    (&["DocumentPosition"], CALLERS_BUILD_IT),
    (&["FindingIdentity"], "a baseline must record all of it"),
    (
        &["Origin", "SuppressedBy"],
        "a report that does not know one would name the wrong file or reason",
    ),
    (&["Safety"], "a fix needs a review or it does not"),
    (&["Severity", "VerdictKind"], "exit codes and every format depend on each"),
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
    let stated: BTreeSet<&str> = CLOSED.iter().flat_map(|(names, _)| *names).copied().collect();
    let types = listing("voxlint").into_iter().filter(|(_, lines)| is_closed(lines));
    let paths: Vec<String> = types.map(|(path, _)| path).collect();
    let closed: BTreeSet<&str> = paths.iter().map(|path| last(path)).collect();
    let missing: Vec<_> = closed.difference(&stated).collect();
    assert!(missing.is_empty(), "make these `#[non_exhaustive]`, or give a reason: {missing:?}");
    let extra: Vec<_> = stated.difference(&closed).collect();
    assert!(extra.is_empty(), "these are not closed, or do not exist: {extra:?}");
}

/// The types that cannot be shared between threads, each with the reason.
const NOT_SHARED: [(&str, &str); 1] = [("HouseCheck", "a rule in code sees it only while it runs")];

/// `threads.rs` has the assertions, which the compiler checks.
#[test]
fn types_can_be_shared_between_threads() {
    let text = include_str!("threads.rs");
    let asserted: BTreeSet<&str> = text
        .lines()
        .filter_map(|line| line.trim().strip_prefix("is_shared::<")?.split(['<', '>']).next())
        .map(last)
        .collect();
    for (path, lines) in listing("voxlint") {
        let name = last(&path);
        if lines.iter().any(|line| is_type(line)) {
            let is_exempt = NOT_SHARED.iter().any(|(it, _)| *it == name);
            assert!(asserted.contains(name) != is_exempt, "{path} in threads.rs");
        }
    }
}

/// The last name of a path.
fn last(path: &str) -> &str {
    path.rsplit("::").next().unwrap()
}
