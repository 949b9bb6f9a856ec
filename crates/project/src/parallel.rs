//! Work in several threads, with the results in the order of the work.
//!
//! The calling thread does a part of the work. Where a thread cannot be started, fewer do all of it.

use std::env;
use std::num::NonZero;
use std::panic;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender, TryRecvError};
use std::sync::{Mutex, PoisonError};
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
        let others = start(scope, threads - 1, || &run_elsewhere);
        let mut done = run();
        done.extend(join(others).flatten());
        done
    });
    done.sort_unstable_by_key(|(number, _)| *number);
    done.into_iter().flat_map(|(_, results)| results).collect()
}

/// Starts threads, fewer where the system has no more.
fn start<'scope, T: Send + 'scope, F: FnOnce() -> T + Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    count: usize,
    run: impl Fn() -> F,
) -> Vec<ScopedJoinHandle<'scope, T>> {
    (0..count).map_while(|_| thread::Builder::new().spawn_scoped(scope, run()).ok()).collect()
}

/// Waits for the threads. A panic goes on in this one.
fn join<T>(others: Vec<ScopedJoinHandle<'_, T>>) -> impl Iterator<Item = T> {
    others.into_iter().map(|it| it.join().unwrap_or_else(|cause| panic::resume_unwind(cause)))
}

/// Works on the parts of a stream. `next` fetches the parts one after the other, `work` runs in all threads, and `collect` takes
/// the results in order, in the calling thread. It takes `None` whenever every result so far has been collected and the next one
/// is not there yet: the sender of a stream may wait for the results. Only a few parts at a time are in work or wait to be
/// collected.
pub(crate) fn stream<P: Send, T: Send>(
    mut next: impl FnMut() -> Option<P> + Send,
    work: impl Fn(P) -> T + Sync,
    mut collect: impl FnMut(Option<T>),
) {
    // A stream of one part needs no other thread.
    collect(None);
    let Some(first) = next() else { return };
    collect(Some(work(first)));
    let threads = threads();
    let (source, cancellation) = (Mutex::new(next), Cancellation::current());
    let run = |order: &SyncSender<Receiver<T>>| {
        while let Some((part, done)) = fetch(&source, order) {
            // Nothing waits for the result if another thread has panicked.
            drop(done.send(work(part)));
        }
    };
    thread::scope(|scope| {
        // The results of the parts, in the order of the parts, each before it is there.
        let (order, mut results) = mpsc::sync_channel(2 * threads);
        let others = start(scope, if threads > 1 { threads } else { 0 }, || {
            let (order, run, cancellation) = (order.clone(), &run, cancellation.clone());
            move || Cancellation::within(cancellation, || run(&order))
        });
        if others.is_empty() {
            loop {
                collect(None);
                let Some((part, _)) = fetch(&source, &order) else { return };
                drop(results.try_recv());
                collect(Some(work(part)));
            }
        }
        drop(order);
        while let Some(mut result) = receive(&mut results, || collect(None))
            && let Some(result) = receive(&mut result, || collect(None))
        {
            collect(Some(result));
        }
        // After a panic, the others wait for room.
        drop(results);
        join(others).for_each(drop);
    });
}

/// Fetches the next part, as soon as there is room for its result, with where to send it.
fn fetch<P, T>(
    source: &Mutex<impl FnMut() -> Option<P>>,
    order: &SyncSender<Receiver<T>>,
) -> Option<(P, Sender<T>)> {
    let mut next = source.lock().unwrap_or_else(PoisonError::into_inner);
    let part = next()?;
    let (done, result) = mpsc::channel();
    order.send(result).ok()?;
    Some((part, done))
}

/// The next value of a channel. `pause` is called before waiting for it.
fn receive<T>(channel: &mut Receiver<T>, pause: impl FnOnce()) -> Option<T> {
    match channel.try_recv() {
        Err(TryRecvError::Empty) => {
            pause();
            channel.recv().ok()
        }
        received => received.ok(),
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
            let next = || {
                fetched += 1;
                (fetched <= count).then_some(fetched - 1)
            };
            let work = |part: u64| {
                // Some parts take longer than the next ones.
                if part.is_multiple_of(7) {
                    thread::yield_now();
                }
                part
            };
            let mut collected = Vec::new();
            stream(next, work, |part| collected.extend(part));
            assert!(collected.into_iter().eq(0..count), "{count}");
        }
    }

    #[test]
    fn results_are_collected_while_the_sender_waits_for_them() {
        for (count, at_once) in [(1, 1), (50, 1), (300, 7), (300, 300)] {
            let (sender, received) = mpsc::channel();
            let (mut sent, mut collected) = (0, Vec::new());
            let mut sender = Some(sender);
            let mut feed = |collected: u64| {
                if collected == count {
                    sender = None;
                } else if collected == sent {
                    for part in sent..count.min(sent + at_once) {
                        sender.as_ref().unwrap().send(part).unwrap();
                    }
                    sent = count.min(sent + at_once);
                }
            };
            feed(0);
            stream(
                move || received.recv().ok(),
                |part: u64| part,
                |result| match result {
                    Some(part) => collected.push(part),
                    None => feed(collected.len() as u64),
                },
            );
            assert!(collected.into_iter().eq(0..count), "{count}");
        }
    }

    #[test]
    fn a_panic_ends_a_stream() {
        for bad in [0, 1, 2, 50] {
            let mut fetched = 0;
            let next = || {
                fetched += 1;
                (fetched <= 1000).then_some(fetched - 1)
            };
            let run = || {
                stream(next, |part: u64| assert_ne!(part, bad), |_| {});
            };
            assert!(panic::catch_unwind(panic::AssertUnwindSafe(run)).is_err(), "{bad}");
        }
    }
}
