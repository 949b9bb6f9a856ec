//! The `handlebars` crate compiles a prompt.

use std::hint::black_box;

use handlebars::Template;
use voxlint_corpus::{Corpus, rounds};

fn main() -> std::io::Result<()> {
    let prompt = Corpus::new(1).prompt(rounds::PROMPT_BYTES);
    rounds::serve(|| {
        for _ in 0..rounds::documents() {
            black_box(Template::compile(black_box(&prompt)).expect("a valid template"));
        }
    })
}
