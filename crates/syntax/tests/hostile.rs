//! Texts made to be slow to read: whatever a text holds, it is read, and what is told of it stays short. How long it takes
//! is shown by `cargo bench --bench hostile`.

#[path = "common/hostile.rs"]
mod hostile;

use hostile::texts;
use voxlint_syntax::{Format, LineIndex, MAX_ERRORS, decode, parse};

#[test]
fn every_hostile_text_is_read_and_told_in_few_words() {
    for (what, text) in texts() {
        let text = text(100_000);
        let decoded = decode(text.as_bytes());
        let parsed = parse(&decoded.text, Format::Json);
        let index = LineIndex::new(&decoded.text);
        for error in &parsed.errors {
            let help = error.help(&decoded.text).map_or(0, |help| help.len());
            assert!(error.message(&decoded.text).len() + help < 500, "{what}: {error:?}");
            let _ = index.position(&decoded.text, error.span.start);
        }
    }
}

#[test]
fn faults_are_listed_up_to_the_limit() {
    for (what, text) in texts() {
        let text = text(20_000);
        let parsed = parse(&text, Format::Json);
        assert!(!parsed.errors.is_empty(), "{what}");
        assert!(parsed.errors.len() <= MAX_ERRORS + 1, "{what}");
        // Memory, too, is in proportion: there are no more nodes than bytes and a few.
        assert!(parsed.documents[0].len() <= text.len() + 8, "{what}");
    }
}
