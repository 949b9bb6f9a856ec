//! Checks of many texts on several threads, with results in order and in bounded memory.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::error::guarded;
use crate::{Context, DocumentOptions, Report};

/// How many texts may wait for each thread, so that no thread is idle while the caller reads more texts.
const TEXTS_PER_THREAD: usize = 32;

/// The largest number of threads. More would not be faster on any machine, and a system has a limit.
const MAX_THREADS: usize = 1024;

/// How many bytes may wait in total. A single text may be longer.
const MAX_BYTES: usize = 64 << 20;

/// Checks texts on several threads. The results come in the order of the texts. A caller adds texts while there is
/// [room](Self::has_room), and takes results when they are ready, so memory is bounded for any number of texts.
///
/// With one thread, texts are checked on the caller's thread.
///
/// ```
/// use std::num::NonZeroUsize;
/// use voxlint_bindings::{Batch, Context, DocumentOptions};
///
/// let threads = NonZeroUsize::new(2).expect("two");
/// let mut batch = Batch::new(&Context::default(), &DocumentOptions::default(), threads);
/// for chunks in [3, 12] {
///     batch.add(format!(r#"{{ "version_number": 3, "kb_max_chunks": {chunks} }}"#).into_bytes());
/// }
/// let errors: Vec<u32> = std::iter::from_fn(|| batch.next_report()).map(|it| it.summary().errors).collect();
/// assert_eq!(errors, [0, 1]);
/// ```
#[derive(Debug)]
pub struct Batch {
    context: Context,
    options: DocumentOptions,
    threads: NonZeroUsize,
    pool: Option<Pool>,
    /// Texts to check on the caller's thread.
    waiting: BTreeMap<u64, Vec<u8>>,
    /// Results that are ready before the result of an earlier text.
    ready: BTreeMap<u64, Report>,
    /// The sizes of the texts whose results have not been taken.
    sizes: BTreeMap<u64, usize>,
    bytes: usize,
    added: u64,
    taken: u64,
    /// Whether a result was taken after the last text was added.
    has_taken: bool,
}

impl Batch {
    /// A batch without texts. Its threads start as texts are added, one with each, and there are at most 1,024.
    pub fn new(context: &Context, options: &DocumentOptions, threads: NonZeroUsize) -> Self {
        let most = NonZeroUsize::new(MAX_THREADS).unwrap_or(NonZeroUsize::MIN);
        let threads = threads.min(most);
        Self {
            context: context.clone(),
            options: options.clone(),
            threads,
            pool: None,
            waiting: BTreeMap::new(),
            ready: BTreeMap::new(),
            sizes: BTreeMap::new(),
            bytes: 0,
            added: 0,
            taken: 0,
            has_taken: false,
        }
    }

    /// Whether another text should be added before a result is taken.
    pub fn has_room(&self) -> bool {
        let most = match self.threads.get() {
            1 => 1,
            threads => threads.saturating_mul(TEXTS_PER_THREAD),
        };
        self.sizes.len() < most && self.bytes < MAX_BYTES
    }

    /// Whether a caller that reads texts one by one should add another one before it takes a result. This is the case while it would
    /// have to wait for the result, and once after each result that it has taken, so that no thread runs out of texts.
    pub fn wants_more(&mut self) -> bool {
        self.has_room() && (self.has_taken || !self.is_ready())
    }

    /// Adds a text.
    pub fn add(&mut self, text: Vec<u8>) {
        let number = self.added;
        self.added += 1;
        self.has_taken = false;
        self.bytes += text.len();
        self.sizes.insert(number, text.len());
        if self.threads.get() == 1 {
            self.waiting.insert(number, text);
            return;
        }
        let pool = self.pool.get_or_insert_with(Pool::default);
        if pool.threads < self.threads.get() {
            pool.start_thread(&self.context, &self.options);
        }
        if let Err(text) = pool.add(number, text) {
            self.waiting.insert(number, text);
        }
    }

    /// Whether the next result can be taken without waiting.
    pub fn is_ready(&mut self) -> bool {
        if let Some(pool) = &self.pool {
            self.ready.extend(pool.results.try_iter());
        }
        self.ready.contains_key(&self.taken) || self.waiting.contains_key(&self.taken)
    }

    /// Waits for the next result, in the order of the texts. `None` if every result has been taken.
    ///
    /// A text whose check has ended without a result is a [failure](Report::failures).
    pub fn next_report(&mut self) -> Option<Report> {
        if self.taken == self.added {
            return None;
        }
        let report = loop {
            if let Some(report) = self.ready.remove(&self.taken) {
                break report;
            }
            if let Some(text) = self.waiting.remove(&self.taken) {
                break self.context.check(text, &self.options);
            }
            match self.pool.as_ref().and_then(|pool| pool.results.recv().ok()) {
                Some((number, report)) => self.ready.insert(number, report),
                None => break Report::of_internal_error(&self.options.path),
            };
        };
        self.bytes -= self.sizes.remove(&self.taken).unwrap_or_default();
        self.taken += 1;
        self.has_taken = true;
        Some(report)
    }
}

/// Threads that check texts. When the batch is dropped, each thread ends after its current text.
#[derive(Debug)]
struct Pool {
    texts: Sender<(u64, Vec<u8>)>,
    jobs: Receiver<(u64, Vec<u8>)>,
    done: Sender<(u64, Report)>,
    results: Receiver<(u64, Report)>,
    is_over: Arc<AtomicBool>,
    threads: usize,
}

impl Default for Pool {
    fn default() -> Self {
        let ((texts, jobs), (done, results)) = (unbounded(), unbounded());
        let is_over = Arc::new(AtomicBool::new(false));
        Self { texts, jobs, done, results, is_over, threads: 0 }
    }
}

impl Pool {
    /// Starts one more thread. A system that has no more of them still checks with fewer.
    fn start_thread(&mut self, context: &Context, options: &DocumentOptions) {
        let (jobs, done) = (self.jobs.clone(), self.done.clone());
        let (is_over, context, options) =
            (Arc::clone(&self.is_over), context.clone(), options.clone());
        let work = move || {
            for (number, text) in jobs {
                if is_over.load(Ordering::Relaxed) {
                    return;
                }
                // Each text has a result, whatever happens to it.
                let report = guarded(|| context.check(text, &options))
                    .unwrap_or_else(|_| Report::of_internal_error(&options.path));
                if done.send((number, report)).is_err() {
                    return;
                }
            }
        };
        let name = "voxlint".to_owned();
        self.threads += usize::from(thread::Builder::new().name(name).spawn(work).is_ok());
    }

    /// Passes a text to the threads, or returns it if no thread could be started.
    fn add(&self, number: u64, text: Vec<u8>) -> Result<(), Vec<u8>> {
        if self.threads == 0 {
            return Err(text);
        }
        self.texts.send((number, text)).map_err(|error| error.0.1)
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(threads: usize) -> Batch {
        let threads = NonZeroUsize::new(threads).unwrap_or(NonZeroUsize::MIN);
        Batch::new(&Context::default(), &DocumentOptions::default(), threads)
    }

    #[test]
    fn there_are_never_more_threads_than_texts() {
        let mut few = batch(20_000);
        assert_eq!(few.threads.get(), MAX_THREADS);
        for texts in 1..4 {
            few.add(b"{}".to_vec());
            assert_eq!(few.pool.as_ref().map(|pool| pool.threads), Some(texts));
        }
        let mut many = batch(2);
        for _ in 0..9 {
            many.add(b"{}".to_vec());
        }
        assert_eq!(many.pool.as_ref().map(|pool| pool.threads), Some(2));
        assert_eq!(std::iter::from_fn(|| many.next_report()).count(), 9);
    }

    #[test]
    fn a_text_without_a_result_is_a_failure() {
        let mut batch = batch(2);
        let results = unbounded().1;
        let mut pool = Pool::default();
        (pool.results, pool.threads) = (results, 2);
        batch.pool = Some(pool);
        batch.add(b"{}".to_vec());
        batch.add(b"{}".to_vec());
        for _ in 0..2 {
            let report = batch.next_report();
            assert!(report.is_some_and(|it| !it.is_ok() && it.failures().len() == 1));
        }
        assert!(batch.next_report().is_none());
    }
}
