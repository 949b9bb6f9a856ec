//! Cost of reading and checking a document, in each format, with and without mistakes.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use voxlint::syntax::{Format, parse};
use voxlint::{Document, Inputs, Source, check};
use voxlint_corpus::{Corpus, Format as Layout};

const DOCUMENTS: usize = 100;

fn documents(criterion: &mut Criterion) {
    let formats =
        [(Layout::Json, Format::Json), (Layout::Yaml, Format::Yaml), (Layout::Toml, Format::Toml)];
    for (layout, format) in formats {
        let mut group = criterion.benchmark_group(layout.extension());
        for (name, corpus) in [("clean", Corpus::clean(1)), ("one in ten faulty", Corpus::new(1))] {
            let texts = corpus.valid_texts(DOCUMENTS, layout);
            let bytes: usize = texts.iter().map(String::len).sum();
            group.throughput(Throughput::Bytes(bytes as u64));
            group.bench_with_input(BenchmarkId::new("read", name), &texts, |bencher, texts| {
                bencher.iter(|| {
                    for text in texts {
                        black_box(parse(text.as_str(), format));
                    }
                });
            });
            group.bench_with_input(BenchmarkId::new("check", name), &texts, |bencher, texts| {
                bencher.iter(|| {
                    for text in texts {
                        let source = Source::from_bytes(text.as_bytes());
                        black_box(check(&Inputs::new(Document::parse_as(source, format))));
                    }
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, documents);
criterion_main!(benches);
