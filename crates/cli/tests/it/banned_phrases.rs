//! The repository speaks plain English: phrases that readers stumble over appear nowhere in it.

use std::fs;
use std::path::PathBuf;

use voxlint_testing::repository;

/// Phrases to avoid, and what to write instead. `~` matches any ending of a word.
const PHRASES: &[(&str, &str)] = &[
    ("--stored held", "--stored stored.json"),
    ("a document a line", "one document per line"),
    ("all the same", "still"),
    ("are no", "are not"),
    ("at the least", "at least"),
    ("at the most", "at most"),
    ("be it", "whether …, even"),
    ("blanks", "spaces"),
    ("bring~ along", "provide"),
    ("brought along", "provided"),
    ("desired state", "desired settings"),
    ("exit status~", "exit code"),
    ("facts of the workspace", "workspace facts"),
    ("goes without saying", "is obvious"),
    ("half character~", "unpaired surrogate"),
    ("hang~ on", "depend on"),
    ("hardly meant", "probably a mistake"),
    ("heed~", "respect"),
    ("held json", "stored.json"),
    ("is at fault", "is invalid"),
    ("is no", "is not"),
    ("judged", "checked"),
    ("judges", "checks"),
    ("left in peace", "not reported"),
    ("lies beside", "is next to"),
    ("live~ with", "accept, suppress"),
    ("loudly", "severity, level"),
    ("mark~ of comment", "comment marker"),
    ("mend~", "fix"),
    ("misspelt", "misspelled"),
    ("nobody", "no one, not"),
    ("partner~", "related file"),
    ("pass~ over", "skip"),
    ("possibly rejected", "may be rejected"),
    ("refusal~", "rejection"),
    ("refuse~", "reject"),
    ("say~ nothing of", "does not mention"),
    ("spelt", "spelled"),
    ("stands", "is"),
    ("stored agent~", "the stored configuration, its agent"),
    ("stored draft~", "the stored configuration"),
    ("stored file~", "the stored configuration"),
    ("stored state~", "the stored configuration"),
    ("take~ for", "treat as"),
    ("what is stored", "the stored value, the stored configuration"),
    ("what is wanted", "the desired configuration"),
    ("whoever", "the caller, users"),
    ("without a word", "silently"),
];

/// Longer phrases that are fine.
const FINE: &[&str] = &[
    "is no longer",
    "are no longer",
    "there is no",
    "there are no",
    "is there no",
    "are there no",
    "stands for",
    // A rule and an outcome of a plan.
    "contradictory stored state",
    "no stored state",
    // An outcome of a plan. Prose says "rejected".
    "refused",
];

/// A word of a file: in lower case, with the number of its line. A phrase ends before a word that `begins` one.
struct Word {
    text: String,
    line: usize,
    begins: bool,
}

/// The words of a text and of the identifiers in it. White space and comment markers between them are left out.
fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut begins = true;
    for (line, content) in (1..).zip(text.lines()) {
        let is_part = |c: char| c.is_alphanumeric() || matches!(c, '-' | '\'');
        let mut rest = content.trim_start_matches(|c: char| !is_part(c) && !"\"`([{".contains(c));
        while !rest.is_empty() {
            let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
            let (word, after) = rest.split_at(end);
            if !word.is_empty() {
                words.push(Word { text: word.to_lowercase(), line, begins });
            }
            rest = after.trim_start_matches(' ');
            begins = false;
            if let Some(c) = rest.chars().next().filter(|c| !is_part(*c)) {
                let after = rest.strip_prefix(c).unwrap_or_default();
                // The extension belongs to the name of its file.
                let is_inside = c == '_' || (c == '.' && after.starts_with("json"));
                rest = after.trim_start_matches(' ');
                begins = !is_inside;
            }
        }
    }
    words
}

/// Whether a phrase begins at a word.
fn matches(words: &[Word], at: usize, phrase: &[&str]) -> bool {
    phrase.iter().zip(at..).all(|(pattern, index)| {
        words.get(index).is_some_and(|word| {
            let is_word = match pattern.strip_suffix('~') {
                Some(stem) => word.text.starts_with(stem),
                None => word.text == *pattern,
            };
            is_word && (index == at || !word.begins)
        })
    })
}

/// The files that people read, apart from what is generated from them.
fn files() -> Vec<PathBuf> {
    // Most of these are written by others or by programs.
    let skipped = [
        ".git",
        "LICENSE-APACHE",
        "banned_phrases.rs",
        "dist",
        "fixtures",
        "node_modules",
        "out",
        "target",
    ];
    let walk = walkdir::WalkDir::new(repository()).sort_by_file_name().into_iter();
    let is_skipped = |entry: &walkdir::DirEntry| {
        let written = ["fuzz/artifacts", "fuzz/corpus"];
        skipped.iter().any(|name| entry.file_name() == *name)
            || written.iter().any(|folder| entry.path().ends_with(folder))
    };
    walk.filter_entry(|entry| !is_skipped(entry))
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            path.is_file() && !name.ends_with(".lock") && !name.ends_with(".ndjson")
        })
        .collect()
}

#[test]
fn no_phrase_to_avoid_appears_in_the_repository() {
    let split = |phrase: &'static str| phrase.split(' ').collect::<Vec<_>>();
    let phrases: Vec<_> =
        PHRASES.iter().map(|(phrase, instead)| (split(phrase), instead)).collect();
    let fine: Vec<_> = FINE.iter().map(|phrase| split(phrase)).collect();
    let is_fine = |words: &[Word], at: usize| {
        let from = at.saturating_sub(1);
        fine.iter().any(|fine| (from..=at).any(|from| matches(words, from, fine)))
    };
    let mut found = Vec::new();
    for path in files() {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let words = words(&text);
        for (at, word) in words.iter().enumerate() {
            let first = word.text.as_bytes().first();
            let phrase = phrases
                .iter()
                .filter(|(phrase, _)| {
                    phrase.first().is_some_and(|word| word.as_bytes().first() == first)
                })
                .find(|(phrase, _)| matches(&words, at, phrase));
            if let Some((phrase, instead)) = phrase.filter(|_| !is_fine(&words, at)) {
                let (path, line) = (path.strip_prefix(repository()).unwrap().display(), word.line);
                let shown = text.lines().nth(line - 1).unwrap_or_default().trim();
                let phrase = phrase.join(" ");
                found.push(format!("{path}:{line}: `{phrase}` (write: {instead}): {shown}"));
            }
        }
    }
    assert!(found.is_empty(), "{} phrases to avoid:\n{}", found.len(), found.join("\n"));
}

#[test]
fn phrases_are_found_across_lines_and_not_across_sentences() {
    let find = |text: &str, phrase: &str| {
        let words = words(text);
        let phrase: Vec<&str> = phrase.split(' ').collect();
        (0..words.len()).any(|at| matches(&words, at, &phrase))
    };
    assert!(find("/// It hangs\n    /// on the stored value.", "hang~ on"));
    assert!(find("Whatever is at fault", "is at fault"));
    assert!(!find("a list that can be. It is", "be it"));
    assert!(!find("amended", "mend~"));
    assert!(find("fn a_file_hangs_on_another()", "hang~ on"));
    assert!(find("--stored, \"held.json\"", "held json"));
}
