//! Measures checks without a binding, for `bindings/python/benches/compare.py`. For each line on standard input, it checks every
//! document of a file, one per line, and prints the time per document in nanoseconds.
//!
//! ```sh
//! cargo run --release -p voxlint-bindings --example time -- documents.ndjson
//! ```

#![expect(clippy::print_stdout, reason = "a program")]

use std::error::Error;
use std::hint::black_box;
use std::io::{self, BufRead as _};
use std::time::Instant;
use std::{env, fs};

use voxlint::{Document, Inputs, Source, check};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("name a file with one document per line")?;
    let file = fs::read(path)?;
    let documents: Vec<&[u8]> =
        file.split(|byte| *byte == b'\n').filter(|it| !it.is_empty()).collect();
    for line in io::stdin().lock().lines() {
        line?;
        let started = Instant::now();
        for document in &documents {
            let document = Document::parse(Source::from_bytes(*document));
            black_box(check(&Inputs::new(document)));
        }
        println!("{}", started.elapsed().as_nanos() / documents.len().max(1) as u128);
    }
    Ok(())
}
