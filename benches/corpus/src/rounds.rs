//! How programs that are measured in turn talk to each other: the comparing program writes a line for each round, with the
//! milliseconds that it lasts at least. The measured one repeats its work for so long, and answers with the nanoseconds of CPU time
//! that it took once. All of them use one thread.

use std::env;
use std::io::{self, BufRead as _, Write as _};
use std::time::Duration;

use cpu_time::ProcessTime;

/// The documents of a round, if the command line does not say.
pub const DOCUMENTS: usize = 400;

/// The length of the template.
pub const PROMPT_BYTES: usize = 8_192;

/// The findings of each document that has very many.
pub const FINDINGS: usize = 100;

/// Runs the work for each line of standard input, once unless the line is a number, and writes how long it took. A first line
/// says that everything is prepared.
pub fn serve(mut work: impl FnMut()) -> io::Result<()> {
    // Caches and the allocator are warm before the first round counts.
    work();
    let mut out = io::stdout().lock();
    writeln!(out, "ready")?;
    out.flush()?;
    for line in io::stdin().lock().lines() {
        let least = Duration::from_millis(line?.trim().parse().unwrap_or_default());
        let start = ProcessTime::now();
        let mut times = 0;
        let spent = loop {
            measured_round(&mut work);
            times += 1;
            let spent = start.elapsed();
            if spent >= least {
                break spent;
            }
        };
        writeln!(out, "{}", spent.as_nanos() / times)?;
        out.flush()?;
    }
    Ok(())
}

/// The work of a round, once. Callgrind finds it by this name, and counts nothing else.
#[inline(never)]
fn measured_round(work: &mut dyn FnMut()) {
    work();
}

/// The number of documents that the command line asks for after the first argument.
pub fn documents() -> usize {
    env::args().nth(2).and_then(|number| number.parse().ok()).unwrap_or(DOCUMENTS)
}
