//! serde_json builds a `Value` of each document.

use std::hint::black_box;

use serde_json::Value;
use voxlint_corpus::{Corpus, Format, rounds};

fn main() -> std::io::Result<()> {
    let documents = Corpus::new(1).valid_texts(rounds::documents(), Format::Json);
    rounds::serve(|| {
        for document in &documents {
            black_box(serde_json::from_str::<Value>(black_box(document)).expect("valid JSON"));
        }
    })
}
