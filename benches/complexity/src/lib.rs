//! Inputs whose cost grows faster than their size: four times the text may cost at most eight times as much.
//!
//! Each family of inputs is a prefix, a unit that is repeated, and a suffix. The cost is the CPU time and the allocated
//! bytes of each stage. A suspect is measured again, more often and at more sizes, before it is reported, so a busy
//! machine does not cause false reports.

#![forbid(unsafe_code)]

mod family;
mod work;

pub use family::{Family, known};
pub use work::{Cost, Input};

use work::costs;

/// Cost may grow by this factor when the text grows by four.
pub const LIMIT: f64 = 8.0;
const SMALL: usize = 16 * 1024;

/// Smaller times and allocations vary too much to show growth.
const LEAST_NANOSECONDS: f64 = 1.5e6;
const LEAST_BYTES: f64 = 2e6;

/// More peak memory than this, for each byte of the text, is reported.
const LEAST_PEAK: f64 = 1_500.0;

/// Descriptions of the stages whose cost grows too fast.
pub fn grown(family: &Family, without: &[String]) -> Vec<String> {
    let costs = |input, text: &str| costs(input, text, without);
    let repetitions = family.repetitions(SMALL);
    let small = family.text(repetitions);
    let first = costs(family.input, &small);
    // If a stage is already this slow, a smaller text is tried instead of a larger one.
    if first.iter().any(|cost| cost.nanoseconds > 3e8) {
        let smaller = family.text(repetitions / 4);
        return compare(&costs(family.input, &smaller), &first, small.len());
    }
    let large = family.text(repetitions * 4);
    let mut found = compare(&first, &costs(family.input, &large), large.len());
    // Measure again, to rule out noise.
    for repeats in [3, 6] {
        if found.is_empty() {
            break;
        }
        found = {
            let least = |text| least(repeats, || costs(family.input, text));
            compare(&least(&small), &least(&large), large.len())
        };
    }
    // Bounded work that only the large text causes is a step, not growth. An even larger text shows the difference.
    if !found.is_empty() {
        let larger = family.text(repetitions * 16);
        let least = |text| least(3, || costs(family.input, text));
        if compare(&least(&large), &least(&larger), larger.len()).is_empty() {
            found.clear();
        }
    }
    found
}

/// The cost of each stage, with its shortest time in several runs.
fn least(repeats: usize, costs: impl Fn() -> Vec<Cost>) -> Vec<Cost> {
    let mut least = costs();
    for _ in 1..repeats {
        for (least, cost) in least.iter_mut().zip(costs()) {
            least.nanoseconds = least.nanoseconds.min(cost.nanoseconds);
        }
    }
    least
}

/// Descriptions of the stages whose cost grows too fast. The larger text has this length.
fn compare(small: &[Cost], large: &[Cost], length: usize) -> Vec<String> {
    let mut found = Vec::new();
    for (small, large) in
        small.iter().zip(large).filter(|(small, large)| small.stage == large.stage)
    {
        let stage = large.stage;
        let time = large.nanoseconds / small.nanoseconds.max(1.0);
        if time > LIMIT && large.nanoseconds > LEAST_NANOSECONDS {
            let milliseconds = large.nanoseconds / 1e6;
            found.push(format!("{stage}: {time:.1} x the time, {milliseconds:.1} ms"));
        }
        let bytes = large.bytes / small.bytes.max(1.0);
        if bytes > LIMIT && large.bytes > LEAST_BYTES {
            let megabytes = large.bytes / 1e6;
            found.push(format!("{stage}: {bytes:.1} x the allocations, {megabytes:.1} MB"));
        }
        let peak = large.peak_bytes / length as f64;
        if peak > LEAST_PEAK {
            found.push(format!("{stage}: {peak:.0} bytes of memory for each byte of the text"));
        }
    }
    found
}
