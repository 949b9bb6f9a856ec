//! The progress bar: a line on standard error that is cleared before anything else is printed.

use std::env;
use std::io::{self, IsTerminal as _, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Shorter runs show no progress.
const DELAY: Duration = Duration::from_millis(500);

/// The bar is updated after this many lines of a file.
const LINES: u64 = 256;

/// The progress of a run; `None` without a terminal.
pub(crate) struct Progress(Option<Watched>);

struct Watched {
    bar: ProgressBar,
    started: Instant,
    /// The first draw, after the delay.
    shown: Once,
    lines: AtomicU64,
}

impl Progress {
    /// The progress over `files` files. It is shown on a terminal that can clear a line, unless `quiet`.
    pub(crate) fn of(files: usize, quiet: bool) -> Self {
        let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
        let is_dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        if quiet || is_dumb || is_set("CI") || !io::stderr().is_terminal() {
            return Self(None);
        }
        let bar = ProgressBar::with_draw_target(Some(files as u64), ProgressDrawTarget::hidden());
        let template =
            if files == 1 { "{msg}" } else { "{bar:24} {human_pos} of {human_len} files  {msg}" };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        let (started, shown, lines) = (Instant::now(), Once::new(), AtomicU64::new(0));
        Self(Some(Watched { bar, started, shown, lines }))
    }

    /// Counts a file.
    pub(crate) fn file(&self) {
        if let Some(watched) = &self.0 {
            watched.bar.inc(1);
            watched.show();
        }
    }

    /// Counts a line of a file with one document per line.
    pub(crate) fn line(&self) {
        let Some(watched) = &self.0 else { return };
        let lines = watched.lines.fetch_add(1, Ordering::Relaxed) + 1;
        if lines.is_multiple_of(LINES) {
            watched.bar.set_message(format!("{} lines", indicatif::HumanCount(lines)));
            watched.show();
        }
    }

    /// Removes the progress bar.
    pub(crate) fn clear(&self) {
        if let Some(watched) = &self.0 {
            watched.shown.call_once(|| {});
            watched.bar.finish_and_clear();
        }
    }

    /// A writer to standard output that removes the progress bar before it writes to the same terminal.
    pub(crate) fn before<W: Write>(&self, out: W) -> impl Write {
        Clearing { progress: io::stdout().is_terminal().then_some(self), out }
    }
}

impl Watched {
    fn show(&self) {
        if !self.shown.is_completed() && self.started.elapsed() >= DELAY {
            self.shown.call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

struct Clearing<'p, W> {
    /// The progress bar to remove before the first write.
    progress: Option<&'p Progress>,
    out: W,
}

impl<W: Write> Write for Clearing<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(progress) = self.progress.take() {
            progress.clear();
        }
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
