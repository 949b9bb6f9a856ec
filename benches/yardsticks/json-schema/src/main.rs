//! The `jsonschema` crate reads each document and lists what the schema of updates rejects. The schema is a file.

use std::hint::black_box;
use std::{env, fs};

use serde_json::Value;
use voxlint_corpus::{Corpus, Format, rounds};

fn main() -> std::io::Result<()> {
    let schema = fs::read_to_string(env::args().nth(1).expect("the path of the schema"))?;
    let schema: Value = serde_json::from_str(&schema)?;
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let documents = Corpus::new(1).valid_texts(rounds::documents(), Format::Json);
    rounds::serve(|| {
        for document in &documents {
            let value: Value = serde_json::from_str(black_box(document)).expect("valid JSON");
            black_box(validator.iter_errors(&value).count());
        }
    })
}
