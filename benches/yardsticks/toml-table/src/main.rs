//! The `toml` crate builds a table with positions of each document.

use std::hint::black_box;

use toml::de::DeTable;
use voxlint_corpus::{Corpus, Format, rounds};

fn main() -> std::io::Result<()> {
    let documents = Corpus::new(1).valid_texts(rounds::documents(), Format::Toml);
    rounds::serve(|| {
        for document in &documents {
            black_box(DeTable::parse(black_box(document)).expect("valid TOML"));
        }
    })
}
