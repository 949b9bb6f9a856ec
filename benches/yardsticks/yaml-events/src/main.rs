//! saphyr-parser gives the events of each document, with their positions.

use std::hint::black_box;

use saphyr_parser::Parser;
use voxlint_corpus::{Corpus, Format, rounds};

fn main() -> std::io::Result<()> {
    let documents = Corpus::new(1).valid_texts(rounds::documents(), Format::Yaml);
    rounds::serve(|| {
        for document in &documents {
            for event in Parser::new_from_str(black_box(document)) {
                black_box(event.expect("valid YAML"));
            }
        }
    })
}
