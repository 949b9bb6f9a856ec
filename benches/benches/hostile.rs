//! Cost of reading adversarial texts: the time for one length, for ten times that, and the ratio.

#![allow(missing_docs, clippy::print_stdout)]

#[path = "../../crates/syntax/tests/it/common/hostile.rs"]
mod hostile;

use std::hint::black_box;
use std::time::{Duration, Instant};

use voxlint_syntax::{Format, decode, parse};

/// The shorter of the two lengths, in bytes.
const LENGTH: usize = 1_000_000;

fn main() {
    for (what, text) in hostile::texts() {
        let (short, long) = (time(&text(LENGTH)), time(&text(LENGTH * 10)));
        let ratio = long.as_secs_f64() / short.as_secs_f64().max(1e-9);
        println!("{short:>12.2?} {long:>12.2?} {ratio:>6.1}  {what}");
    }
}

/// The minimum of three runs.
fn time(text: &str) -> Duration {
    let once = || {
        let start = Instant::now();
        let decoded = decode(text.as_bytes());
        black_box(parse(&*decoded.text, Format::Json));
        start.elapsed()
    };
    (0..3).map(|_| once()).min().unwrap_or_default()
}
