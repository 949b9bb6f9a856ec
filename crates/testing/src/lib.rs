//! Internal to voxlint: what the tests of voxlint's crates share: the repository's fixtures, snapshots, and generated documents.

#![forbid(unsafe_code)]
#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::panic,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says so when it is skipped"
)]

pub mod generated_inputs;
pub mod texts;
pub mod trees;
pub mod writers;

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::{env, fs, thread};

use proptest::prelude::ProptestConfig;
use proptest::test_runner::RngSeed;

/// Where a text contains a part of a secret. The library's search takes a tenth of the time of the standard library's, which tests compile
/// without optimization, and tests search megabytes.
pub fn places<'a>(text: &'a str, part: &'a str) -> impl Iterator<Item = usize> {
    memchr::memmem::find_iter(text.as_bytes(), part)
}

/// Whether a text contains a part of a secret, as in [`places`].
pub fn contains(text: &str, part: &str) -> bool {
    places(text, part).next().is_some()
}

/// The root of the repository.
pub fn repository() -> &'static Path {
    static ROOT: LazyLock<PathBuf> = LazyLock::new(|| {
        let own = Path::new(env!("CARGO_MANIFEST_DIR"));
        own.ancestors().nth(2).unwrap_or(own).to_path_buf()
    });
    &ROOT
}

/// One document under `fixtures/rules/`.
pub struct Case {
    /// The rule that the case is about.
    pub rule: String,
    /// The name of its file, without the extension.
    pub name: String,
    /// Where the file is.
    pub path: PathBuf,
}

/// Every case of every rule, in the order of their names.
pub fn case_files() -> Vec<Case> {
    let mut cases: Vec<Case> = walkdir::WalkDir::new(repository().join("fixtures/rules"))
        .min_depth(2)
        .into_iter()
        .map(|entry| entry.expect("an entry").into_path())
        .filter(|path| path.is_file())
        .filter(|path| {
            let path = path.to_string_lossy();
            ![".stored.json", ".facts.json", ".variables.json", ".hbs"]
                .iter()
                .any(|suffix| path.ends_with(suffix))
        })
        .map(|path| Case {
            rule: path
                .parent()
                .and_then(Path::file_name)
                .expect("a folder")
                .to_string_lossy()
                .into_owned(),
            name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
            path,
        })
        .collect();
    cases.sort_by(|a, b| a.path.cmp(&b.path));
    cases
}

/// The cases of the rules about suppressions, with their rules. Each case is a folder that is checked as a whole.
pub fn suppression_cases() -> Vec<(String, String)> {
    folder_cases("fixtures/suppression")
}

/// The cases of the rules across documents, with their rules. Each case is a folder with the documents of a plan.
pub fn fleet_cases() -> Vec<(String, String)> {
    folder_cases("fixtures/across")
}

fn folder_cases(folder: &str) -> Vec<(String, String)> {
    let folders = walkdir::WalkDir::new(repository().join(folder))
        .min_depth(2)
        .max_depth(2)
        .sort_by_file_name();
    let name = |path: Option<&Path>| {
        path.and_then(Path::file_name).expect("a name").to_string_lossy().into_owned()
    };
    let folders = folders.into_iter().map(|entry| entry.expect("an entry").into_path());
    folders.map(|folder| (name(folder.parent()), name(Some(&folder)))).collect()
}

/// Every file below a folder of the repository, sorted.
pub fn files_below(folder: &str, extension: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = walkdir::WalkDir::new(repository().join(folder))
        .into_iter()
        .map(|entry| entry.expect("an entry").into_path())
        .filter(|path| path.extension().is_some_and(|it| it == extension) && path.is_file())
        .collect();
    files.sort();
    files
}

/// The examples of a page with the verdicts that they are tagged with.
pub fn examples(page: &str) -> Vec<(&str, &str)> {
    examples_in(page, "json")
}

/// The same for the examples in another format.
pub fn examples_in<'p>(page: &'p str, format: &str) -> Vec<(&'p str, &'p str)> {
    page.split(&format!("```{format},"))
        .skip(1)
        .map(|rest| {
            let (verdict, rest) = rest.split_once('\n').expect("an example has lines");
            let (example, _) = rest.split_once("```").expect("an example ends");
            (verdict, example)
        })
        .collect()
}

/// Compares a text with the snapshot of that name in a folder below `snapshots/`.
pub fn assert_snapshot(folder: &str, name: &str, text: &str) {
    let mut settings = insta::Settings::new();
    settings.set_snapshot_path(repository().join("snapshots").join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// The lines that differ between two texts, those of the old one with `-` and those of the new one with `+`. Of long lines only
/// the part that differs is shown, and characters that cannot be seen are escaped.
pub fn changed_lines(old: &str, new: &str) -> String {
    let diff = similar::TextDiff::from_lines(old, new);
    let mut shown = String::new();
    for operation in diff.ops() {
        if operation.tag() == similar::DiffTag::Equal {
            continue;
        }
        let lines = |lines: &[&str], range: std::ops::Range<usize>| -> Vec<String> {
            lines[range].iter().map(|line| line.trim_end_matches('\n').to_owned()).collect()
        };
        let mut removed = lines(diff.old_slices(), operation.old_range());
        let mut added = lines(diff.new_slices(), operation.new_range());
        for (old, new) in removed.iter_mut().zip(&mut added) {
            shorten(old, new);
        }
        for (sign, lines) in [('-', removed), ('+', added)] {
            for line in lines {
                shown.push(sign);
                shown.push(' ');
                shown.extend(line.chars().map(visible));
                shown.push('\n');
            }
        }
    }
    shown
}

/// Replaces what two long lines have in common, except for a few characters around the difference.
fn shorten(old: &mut String, new: &mut String) {
    const LONG: usize = 120;
    const KEPT: usize = 24;
    let (olds, news): (Vec<char>, Vec<char>) = (old.chars().collect(), new.chars().collect());
    if olds.len().max(news.len()) <= LONG {
        return;
    }
    let same =
        |pairs: &mut dyn Iterator<Item = (&char, &char)>| pairs.take_while(|(a, b)| a == b).count();
    let before = same(&mut olds.iter().zip(&news));
    let after = same(&mut olds[before..].iter().rev().zip(news[before..].iter().rev()));
    let cut = |line: &[char]| {
        let (start, end) =
            (before.saturating_sub(KEPT), (line.len() - after + KEPT).min(line.len()));
        let lead = if start > 0 { "…" } else { "" };
        let trail = if end < line.len() { "…" } else { "" };
        format!("{lead}{}{trail}", line[start..end].iter().collect::<String>())
    };
    (*old, *new) = (cut(&olds), cut(&news));
}

/// A character, or its number if it cannot be seen.
fn visible(character: char) -> String {
    let is_visible = character == ' ' || !(character.is_control() || character.is_whitespace());
    let is_hidden = matches!(
        character,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}'
    );
    if is_visible && !is_hidden {
        character.to_string()
    } else {
        format!("\\u{{{:x}}}", u32::from(character))
    }
}

/// The same, except for line breaks.
pub fn visible_in_lines(character: char) -> String {
    if character == '\n' { character.to_string() } else { visible(character) }
}

/// A summary without its part about undecided checks, whose number changes with every new rule.
pub fn without_undecided(summary: &str) -> String {
    const HINT: &str = " (see --show-undecided)";
    let mut parts = summary.split(" · ");
    let mut kept = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(HINT) {
            Some((_, rest)) => kept.push_str(rest),
            None => kept.extend([" · ", part]),
        }
    }
    kept
}

/// How many generated cases a test tries: `few`, or as many as the environment asks for.
///
/// `VOXLINT_CASES=100000` asks for `full` cases of each test, and other numbers for proportionally more or fewer, but never for
/// fewer than `few`.
pub fn cases(few: u64, full: u64) -> u64 {
    const FULL: u64 = 100_000;
    let Ok(asked) = env::var("VOXLINT_CASES") else { return few };
    let asked: u64 = asked.parse().expect("VOXLINT_CASES is a whole number");
    (full.saturating_mul(asked) / FULL).max(few)
}

/// A configuration of proptest with that many cases, the same ones in every run: see [`cases`] and [`seed`].
pub fn property(few: u32, full: u32) -> ProptestConfig {
    let cases = cases(few.into(), full.into()).try_into().unwrap_or(u32::MAX);
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: seed(),
        ..ProptestConfig::default()
    }
}

/// The seed of generated cases: the one that the environment names, or a fixed one. The gate does not depend on luck.
pub fn seed() -> RngSeed {
    match ProptestConfig::default().rng_seed {
        RngSeed::Random => RngSeed::Fixed(1),
        fixed @ RngSeed::Fixed(_) => fixed,
    }
}

/// A file of `../shared`, next to the repository, if present.
pub fn shared(path: &str) -> Option<String> {
    let file = shared_folder(path)?;
    match fs::read_to_string(&file) {
        Ok(text) => Some(text),
        Err(error) => panic!("{}: {error}", file.display()),
    }
}

/// A file or folder of `../shared`, next to the repository, if present.
pub fn shared_folder(path: &str) -> Option<PathBuf> {
    let file = repository().join("../shared").join(path);
    if file.exists() {
        return Some(file);
    }
    skip(&format!("there is no ../shared/{path}"));
    None
}

/// Says that a test, or a part of it, is skipped, and why. The test runner swallows the output of tests that pass, so this
/// writes past it. The gate collects the lines in the file that `VOXLINT_SKIPPED` names, for its closing summary.
pub fn skip(reason: &str) {
    let test = thread::current().name().unwrap_or("a test").to_owned();
    let line = format!("skipped {test}: {reason}\n");
    // There is no other place to report a failure.
    let _ = io::stderr().write_all(line.as_bytes());
    if let Some(list) = env::var_os("VOXLINT_SKIPPED") {
        let mut list = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(list)
            .expect("a list of skipped tests");
        list.write_all(line.as_bytes()).expect("a line in the list of skipped tests");
    }
}

/// The next number of the generator `SplitMix64`, the same on every machine.
pub fn split_mix(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}
