//! Many texts on several threads.

use std::iter;
use std::num::NonZeroUsize;

use voxlint_bindings::{Batch, Context, DocumentOptions};

fn text(number: usize) -> Vec<u8> {
    // Long and short texts, so that threads overtake each other.
    let filler = "x".repeat(number * 7919 % 3000);
    format!("{{ \"version_number\": 3, \"title\": \"{filler}\", \"kb_max_chunks\": {number} }}")
        .into()
}

fn batch(threads: usize) -> Batch {
    let threads = NonZeroUsize::new(threads).unwrap();
    Batch::new(&Context::default(), &DocumentOptions::default(), threads)
}

#[test]
fn results_come_in_order_whatever_the_number_of_threads() {
    let alone: Vec<String> = (0..300)
        .map(|number| Context::default().check(text(number), &DocumentOptions::default()).to_json())
        .collect();
    for threads in [1, 2, 7] {
        let mut batch = batch(threads);
        (0..300).for_each(|number| batch.add(text(number)));
        let reports = iter::from_fn(|| batch.next_report());
        let all: Vec<String> = reports.map(|report| report.to_json()).collect();
        assert!(all == alone, "{threads} threads");
    }
}

#[test]
fn a_caller_that_asks_for_room_keeps_few_texts() {
    for threads in [1, 3] {
        let mut batch = batch(threads);
        assert!(!batch.is_ready() && batch.next_report().is_none());
        for round in 0..20 {
            let mut added = 0;
            while batch.has_room() {
                batch.add(text(round));
                added += 1;
            }
            assert!((1..=100).contains(&added) || round > 0, "{added}");
            assert!(batch.next_report().is_some());
        }
    }
    // A single text may be larger than the limit for all texts.
    let mut batch = batch(2);
    batch.add(vec![b' '; 70 << 20]);
    assert!(!batch.has_room());
    assert_eq!(batch.next_report().map(|report| report.summary().errors), Some(1));
    assert!(batch.has_room());
}

#[test]
fn threads_stay_busy_while_results_are_taken() {
    for (threads, most) in [(1, 1), (2, 64), (4, 128)] {
        let mut batch = batch(threads);
        let mut added = 0;
        for taken in 0..500 {
            while batch.wants_more() {
                batch.add(text(added));
                added += 1;
                assert!(added - taken <= most, "{added} texts for {taken} results");
            }
            assert!(batch.next_report().is_some());
            // A text is requested after each result, whether the next result is ready or not.
            assert!(batch.wants_more(), "{taken}");
        }
    }
}
