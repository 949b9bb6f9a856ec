//! The progress of a long run: a line on standard error that is removed before other output.

use std::env;
use std::io::{self, IsTerminal as _, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// A run that is over sooner needs no word.
const DELAY: Duration = Duration::from_millis(500);

/// How many lines go by before the line of progress is looked at again.
const LINES: u64 = 256;

/// The progress of a run; `None` where nobody is watching.
pub(crate) struct Progress(Option<Watched>);

struct Watched {
    bar: ProgressBar,
    started: Instant,
    /// The first draw, which has to wait until the run is a long one.
    shown: Once,
    lines: AtomicU64,
}

impl Progress {
    /// Counts `files` files. Nothing is shown but on a terminal that can take a word back, and to nobody who wants quiet.
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

    /// A file is done.
    pub(crate) fn file(&self) {
        if let Some(watched) = &self.0 {
            watched.bar.inc(1);
            watched.show();
        }
    }

    /// A line of a file of lines is done.
    pub(crate) fn line(&self) {
        let Some(watched) = &self.0 else { return };
        let lines = watched.lines.fetch_add(1, Ordering::Relaxed) + 1;
        if lines.is_multiple_of(LINES) {
            watched.bar.set_message(format!("{} lines", indicatif::HumanCount(lines)));
            watched.show();
        }
    }

    /// Takes the line of progress away for good.
    pub(crate) fn clear(&self) {
        if let Some(watched) = &self.0 {
            watched.shown.call_once(|| {});
            watched.bar.finish_and_clear();
        }
    }

    /// A writer to standard output that takes the line of progress away before it writes to the same terminal.
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
    /// What is to be taken away still.
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
