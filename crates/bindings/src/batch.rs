//! Checks of many texts on several threads, with results in order and in bounded memory.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crossbeam_channel::{Receiver, Sender, unbounded};

use crate::{Context, DocumentOptions, Report};

/// How many texts may wait for each thread, so that no thread is idle while the caller reads more texts.
const TEXTS_PER_THREAD: usize = 32;

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
    /// A batch without texts. Its threads start with the first one.
    pub fn new(context: &Context, options: &DocumentOptions, threads: NonZeroUsize) -> Self {
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
        let Self { context, options, threads, pool, .. } = self;
        let pool = pool.get_or_insert_with(|| Pool::start(context, options, *threads));
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
            let (number, report) = self.pool.as_ref()?.results.recv().ok()?;
            self.ready.insert(number, report);
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
    results: Receiver<(u64, Report)>,
    is_over: Arc<AtomicBool>,
    has_threads: bool,
}

impl Pool {
    fn start(context: &Context, options: &DocumentOptions, threads: NonZeroUsize) -> Self {
        let (texts, jobs) = unbounded::<(u64, Vec<u8>)>();
        let (done, results) = unbounded();
        let is_over = Arc::new(AtomicBool::new(false));
        let mut has_threads = false;
        for _ in 0..threads.get() {
            let (jobs, done, is_over) = (jobs.clone(), done.clone(), Arc::clone(&is_over));
            let (context, options) = (context.clone(), options.clone());
            let work = move || {
                for (number, text) in jobs {
                    let is_wanted = !is_over.load(Ordering::Relaxed);
                    if !is_wanted || done.send((number, context.check(text, &options))).is_err() {
                        return;
                    }
                }
            };
            // If the system cannot start more threads, the others check all texts.
            has_threads |= thread::Builder::new().name("voxlint".to_owned()).spawn(work).is_ok();
        }
        Self { texts, results, is_over, has_threads }
    }

    /// Passes a text to the threads, or returns it if no thread could be started.
    fn add(&self, number: u64, text: Vec<u8>) -> Result<(), Vec<u8>> {
        if !self.has_threads {
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
