//! The time of the same checks in Rust, for `compare.mjs`.
//!
//! Reads one command per line, `check COUNT FILE` or `report COUNT FILE`, and answers with the microseconds of one check: `report` also writes
//! the report as JSON.

use std::hint::black_box;
use std::io::{self, BufRead as _, Write as _};
use std::time::Instant;
use std::{error::Error, fs};

use voxlint_bindings::{Context, DocumentOptions};

fn main() -> Result<(), Box<dyn Error>> {
    let (context, options) = (Context::default(), DocumentOptions::default());
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.splitn(3, ' ');
        let what = words.next().unwrap_or_default();
        let count: u32 = words.next().unwrap_or_default().parse()?;
        let text = fs::read(words.next().unwrap_or_default())?;
        let start = Instant::now();
        for _ in 0..count {
            let report = context.check(text.clone(), &options);
            if what == "report" {
                black_box(report.to_json());
            } else {
                black_box(report);
            }
        }
        writeln!(out, "{}", start.elapsed().as_secs_f64() * 1e6 / f64::from(count))?;
        out.flush()?;
    }
    Ok(())
}
