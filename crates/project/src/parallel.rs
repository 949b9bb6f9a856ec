//! Work in several threads, with the results in the order of the work.
//!
//! The calling thread does a part of the work. Where a thread cannot be started, fewer do all of it.

use std::collections::BTreeMap;
use std::env;
use std::num::NonZero;
use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, Scope, ScopedJoinHandle};

use voxlint::Cancellation;

/// The environment variable with the number of threads.
const THREADS: &str = "RAYON_NUM_THREADS";

/// More threads are never started, whatever the environment says.
const MAX_THREADS: usize = 256;

/// For less work than this, starting a second thread costs more than it saves.
const PARALLEL_FROM: usize = 4;

/// The number of threads to use: as stated, or one per core.
fn threads() -> usize {
    let stated = env::var(THREADS).ok().and_then(|text| text.parse().ok());
    let stated = stated.filter(|count: &usize| *count > 0);
    let per_core = || thread::available_parallelism().map_or(1, NonZero::get);
    stated.unwrap_or_else(per_core).min(MAX_THREADS)
}

/// Applies a function to each item. Each thread has a state of its own.
pub(crate) fn map<I: Sync, S: Default, T: Send>(
    items: &[I],
    work: impl Fn(&mut S, &I) -> T + Sync,
) -> Vec<T> {
    let threads = if items.len() < PARALLEL_FROM { 1 } else { threads().min(items.len()) };
    if threads == 1 {
        let mut state = S::default();
        return items.iter().map(|item| work(&mut state, item)).collect();
    }
    // Large enough that threads seldom meet, and small enough that they end at the same time.
    let size = (items.len() / (16 * threads)).clamp(1, 32);
    let next = AtomicUsize::new(0);
    let cancellation = Cancellation::current();
    let run = || {
        let mut state = S::default();
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(items) = items.chunks(size).nth(number) else { return done };
            let results: Vec<T> = items.iter().map(|item| work(&mut state, item)).collect();
            done.push((number, results));
        }
    };
    let run_elsewhere = || Cancellation::within(cancellation.clone(), run);
    let mut done = thread::scope(|scope| {
        let others = start(scope, threads - 1, &run_elsewhere);
        let mut done = run();
        for other in others {
            done.extend(other.join().unwrap_or_else(|cause| panic::resume_unwind(cause)));
        }
        done
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().flat_map(|(_, results)| results).collect()
}

/// Starts threads, fewer where the system has no more.
fn start<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    count: usize,
    run: &'scope (impl Fn() -> T + Sync),
) -> Vec<ScopedJoinHandle<'scope, T>> {
    let start = |_| thread::Builder::new().spawn_scoped(scope, run).ok();
    (0..count).map_while(start).collect()
}

/// Works on the parts of a stream. `next` fetches a part into the state of a thread, one after the other, and returns whether
/// there was one; `work` runs in all threads; `collect` takes the results in order, in the calling thread. Only a few parts at
/// a time are in work or wait to be collected.
pub(crate) fn stream<S: Default, T: Send>(
    next: impl FnMut(&mut S) -> bool + Send,
    work: impl Fn(&mut S) -> T + Sync,
    mut collect: impl FnMut(T),
) {
    let threads = threads();
    let stream = Stream::new(next, threads);
    let mut state = S::default();
    // A stream of one part needs no other thread.
    let Some(first) = stream.try_fetch(&mut state) else { return };
    stream.put(first, work(&mut state));
    while let Some(result) = stream.take() {
        collect(result);
    }
    let mut own = stream.try_fetch(&mut state);
    if own.is_none() {
        return;
    }
    let cancellation = Cancellation::current();
    let run = || Cancellation::within(cancellation.clone(), || stream.run(&work));
    thread::scope(|scope| {
        let _end = EndOnPanic(&stream);
        let others = start(scope, threads - 1, &run);
        loop {
            if let Some(number) = own {
                stream.put(number, work(&mut state));
            }
            while let Some(result) = stream.take() {
                collect(result);
            }
            own = stream.try_fetch(&mut state);
            if own.is_none() && !stream.wait_for_result() {
                break;
            }
        }
        for other in others {
            other.join().unwrap_or_else(|cause| panic::resume_unwind(cause));
        }
    });
}

/// What [`live_stream`] knows about a part beside its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Supply {
    /// Nothing has come after the part yet.
    Last,
    /// The beginning of the next part is there.
    More,
}

/// As [`stream`], for a stream whose sender may wait for the results of a part before it sends the next one. `collect` takes
/// `None` whenever every result so far has been collected and the next one is not there yet.
///
/// One thread fetches, works and collects in turn, for as long as a part is all that has come: the sender waits, and a second
/// thread would only cost it time. As soon as parts come faster than that, all threads work. The calling thread then only
/// collects, because a thread that waits for input cannot.
pub(crate) fn live_stream<S: Default, T: Send>(
    mut next: impl FnMut(&mut S) -> Option<Supply> + Send,
    work: impl Fn(&mut S) -> T + Sync,
    mut collect: impl FnMut(Option<T>),
) {
    let threads = threads();
    let mut state = S::default();
    loop {
        collect(None);
        let Some(supply) = next(&mut state) else { return };
        collect(Some(work(&mut state)));
        if supply == Supply::More && threads > 1 {
            break;
        }
    }
    let stream = Stream::new(|state: &mut S| next(state).is_some(), threads);
    let run = || stream.run(&work);
    thread::scope(|scope| {
        let _end = EndOnPanic(&stream);
        let has_others = !start(scope, threads, &run).is_empty();
        loop {
            while let Some(result) = stream.take() {
                collect(Some(result));
            }
            collect(None);
            if has_others {
                if !stream.wait_for_result() {
                    return;
                }
            } else {
                let Some(number) = stream.fetch(&mut state) else { return };
                stream.put(number, work(&mut state));
            }
        }
    });
}

/// What the threads of [`stream`] share.
struct Stream<N, T> {
    source: Mutex<Source<N>>,
    progress: Mutex<Progress<T>>,
    /// The next result may be there, or the stream may have ended.
    has_changed: Condvar,
    /// A result was collected, or the stream has ended.
    has_room: Condvar,
    /// How many parts may be in work or wait to be collected.
    limit: u64,
}

struct Source<N> {
    next: N,
    /// How many parts were fetched.
    fetched: u64,
}

struct Progress<T> {
    /// The results that were not collected, by the numbers of their parts.
    results: BTreeMap<u64, T>,
    /// How many parts were fetched or are about to be.
    reserved: u64,
    collected: u64,
    has_ended: bool,
    has_panicked: bool,
}

impl<T> Default for Progress<T> {
    fn default() -> Self {
        Self {
            results: BTreeMap::new(),
            reserved: 0,
            collected: 0,
            has_ended: false,
            has_panicked: false,
        }
    }
}

impl<N, T> Stream<N, T> {
    fn new(next: N, threads: usize) -> Self {
        Self {
            source: Mutex::new(Source { next, fetched: 0 }),
            progress: Mutex::new(Progress::default()),
            has_changed: Condvar::new(),
            has_room: Condvar::new(),
            limit: 2 * threads as u64,
        }
    }

    /// Fetches parts and works on them until the end of the stream.
    fn run<S: Default>(&self, work: impl Fn(&mut S) -> T)
    where
        N: FnMut(&mut S) -> bool,
    {
        let _end = EndOnPanic(self);
        let mut state = S::default();
        while let Some(number) = self.fetch(&mut state) {
            self.put(number, work(&mut state));
        }
    }

    fn progress(&self) -> MutexGuard<'_, Progress<T>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Fetches the next part as soon as there is room for it. Returns its number; `None` at the end.
    fn fetch<S>(&self, state: &mut S) -> Option<u64>
    where
        N: FnMut(&mut S) -> bool,
    {
        let is_full = |it: &mut Progress<T>| !it.has_ended && !it.has_room(self.limit);
        let waited = self.has_room.wait_while(self.progress(), is_full);
        let mut progress = waited.unwrap_or_else(PoisonError::into_inner);
        if progress.has_ended {
            return None;
        }
        progress.reserved += 1;
        drop(progress);
        self.fetch_reserved(state)
    }

    /// As [`Self::fetch`], but returns `None` also if there is no room.
    fn try_fetch<S>(&self, state: &mut S) -> Option<u64>
    where
        N: FnMut(&mut S) -> bool,
    {
        let mut progress = self.progress();
        if progress.has_ended || !progress.has_room(self.limit) {
            return None;
        }
        progress.reserved += 1;
        drop(progress);
        self.fetch_reserved(state)
    }

    fn fetch_reserved<S>(&self, state: &mut S) -> Option<u64>
    where
        N: FnMut(&mut S) -> bool,
    {
        let mut source = self.source.lock().unwrap_or_else(PoisonError::into_inner);
        if (source.next)(state) {
            source.fetched += 1;
            return Some(source.fetched - 1);
        }
        let mut progress = self.progress();
        progress.reserved -= 1;
        progress.has_ended = true;
        self.has_room.notify_all();
        self.has_changed.notify_all();
        None
    }

    /// Adds the result of a part.
    fn put(&self, number: u64, result: T) {
        let mut progress = self.progress();
        progress.results.insert(number, result);
        if number == progress.collected {
            self.has_changed.notify_all();
        }
    }

    /// The next result, if it is there.
    fn take(&self) -> Option<T> {
        let mut progress = self.progress();
        let next = progress.collected;
        let result = progress.results.remove(&next)?;
        progress.collected += 1;
        self.has_room.notify_one();
        Some(result)
    }

    /// Waits until the next result is there; `false` if no further one will come.
    fn wait_for_result(&self) -> bool {
        let is_open = |it: &mut Progress<T>| {
            let is_in_work = !it.has_ended || it.reserved > it.collected;
            !it.results.contains_key(&it.collected) && is_in_work && !it.has_panicked
        };
        let waited = self.has_changed.wait_while(self.progress(), is_open);
        let progress = waited.unwrap_or_else(PoisonError::into_inner);
        progress.results.contains_key(&progress.collected)
    }
}

impl<T> Progress<T> {
    fn has_room(&self, limit: u64) -> bool {
        self.reserved - self.collected < limit
    }
}

/// Ends a stream if a thread panics, so that no other thread waits for it.
struct EndOnPanic<'s, N, T>(&'s Stream<N, T>);

impl<N, T> Drop for EndOnPanic<'_, N, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            let mut progress = self.0.progress();
            progress.has_ended = true;
            progress.has_panicked = true;
            self.0.has_room.notify_all();
            self.0.has_changed.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        for count in [0, 1, 3, 4, 100, 10_001] {
            let items: Vec<usize> = (0..count).collect();
            let results = map(&items, |calls: &mut usize, item| {
                *calls += 1;
                (*item, *calls > 0)
            });
            assert!(results.into_iter().eq(items.into_iter().map(|item| (item, true))), "{count}");
        }
    }

    #[test]
    fn the_parts_of_a_stream_are_collected_in_order() {
        for count in [0, 1, 2, 3, 1000] {
            let mut fetched = 0;
            let next = |part: &mut u64| {
                *part = fetched;
                fetched += 1;
                *part < count
            };
            let work = |part: &mut u64| {
                // Some parts take longer than the next ones.
                if part.is_multiple_of(7) {
                    thread::yield_now();
                }
                *part
            };
            let mut collected = Vec::new();
            stream(next, work, |part| collected.push(part));
            assert!(collected.into_iter().eq(0..count), "{count}");
        }
    }

    #[test]
    fn the_results_of_a_live_stream_are_collected_before_the_next_part_comes() {
        // The first parts come one by one, the next ones at once, and the last ones one by one again.
        for (count, at_once) in [(0, 0..0), (1, 0..0), (1, 0..1), (50, 10..30), (300, 0..300)] {
            let (sender, receive) = std::sync::mpsc::channel();
            let next = move |part: &mut u64| {
                let (number, supply) = receive.recv().ok()?;
                *part = number;
                Some(supply)
            };
            let mut sender = Some(sender);
            let (mut sent, mut collected) = (0, Vec::new());
            live_stream(
                next,
                |part| *part,
                |result| {
                    let Some(part) = result else {
                        // The sender waits for everything before, unless it sends at once.
                        if collected.len() as u64 == sent {
                            loop {
                                if sent == count {
                                    sender = None;
                                    break;
                                }
                                let is_at_once = at_once.contains(&sent);
                                let supply = if is_at_once { Supply::More } else { Supply::Last };
                                sender.as_ref().unwrap().send((sent, supply)).unwrap();
                                sent += 1;
                                if !is_at_once {
                                    break;
                                }
                            }
                        }
                        return;
                    };
                    collected.push(part);
                },
            );
            assert!(collected.into_iter().eq(0..count), "{count}");
        }
    }

    #[test]
    fn a_panic_ends_a_stream() {
        for bad in [0, 1, 2, 50] {
            let mut fetched = 0;
            let next = |part: &mut u64| {
                *part = fetched;
                fetched += 1;
                *part < 1000
            };
            let run = || {
                stream(next, |part: &mut u64| assert_ne!(*part, bad), |()| {});
            };
            assert!(panic::catch_unwind(panic::AssertUnwindSafe(run)).is_err(), "{bad}");
        }
    }
}
