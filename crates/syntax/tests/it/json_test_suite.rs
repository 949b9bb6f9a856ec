//! The public conformance suite for JSON readers, where it is at hand.

use std::fs;
use std::path::PathBuf;

use voxlint_syntax::{Format, decode, parse};
use voxlint_testing::shared_folder;

/// The cases of the suite in `../shared`, if present.
fn suite() -> Option<Vec<(String, Vec<u8>)>> {
    let folder = shared_folder("suites/json/test_parsing")?;
    let mut files: Vec<PathBuf> = fs::read_dir(folder)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let read = |path: &PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, fs::read(path).expect("a file"))
    };
    Some(files.iter().map(read).collect())
}

fn accepts(bytes: &[u8]) -> bool {
    let decoded = decode(bytes);
    decoded.errors.is_empty() && parse(&*decoded.text, Format::Json).errors.is_empty()
}

#[test]
fn every_valid_text_is_accepted_and_every_invalid_one_rejected() {
    let Some(suite) = suite() else { return };
    let (mut valid, mut invalid) = (0, 0);
    let mut wrong = Vec::new();
    for (name, bytes) in suite {
        let accepted = accepts(&bytes);
        match name.get(..2) {
            Some("y_") => {
                valid += 1;
                if !accepted {
                    wrong.push(name);
                }
            }
            Some("n_") => {
                invalid += 1;
                if accepted {
                    wrong.push(name);
                }
            }
            _ => {}
        }
    }
    println!("{valid} valid and {invalid} invalid texts");
    assert!(wrong.is_empty(), "wrong verdicts: {wrong:#?}");
    assert!(valid >= 95 && invalid >= 188, "the suite is smaller than it was");
}

#[test]
fn every_prefix_is_read_with_spans_inside_the_text() {
    let Some(suite) = suite() else { return };
    for (name, bytes) in suite {
        // Of the two files of 100,000 brackets a few prefixes do.
        let step = (bytes.len() / 400).max(1);
        for end in (0..=bytes.len()).step_by(step) {
            let decoded = decode(&bytes[..end]);
            let parsed = parse(&*decoded.text, Format::Json);
            let tree = &parsed.documents[0];
            for node in tree.nodes() {
                let span = node.span();
                assert!(
                    decoded.text.get(span.start as usize..span.end as usize).is_some(),
                    "{name}[..{end}] {node:?}"
                );
            }
            for error in &parsed.errors {
                let span = error.span;
                assert!(
                    decoded.text.get(span.start as usize..span.end as usize).is_some(),
                    "{name}[..{end}] {error:?}"
                );
                assert!(!error.message(&decoded.text).is_empty());
            }
        }
    }
}
