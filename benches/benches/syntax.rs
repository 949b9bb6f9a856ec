//! Cost of parsing a document, and of positions in a long line.

#![allow(missing_docs)]

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use voxlint_syntax::{Format, LineIndex, parse};

/// An agent with a long prompt, printed over many lines or in one.
fn agent(pretty: bool) -> String {
    let mut prompt = String::new();
    let mut line = 0;
    while prompt.len() < 8000 {
        line += 1;
        let _ = write!(
            prompt,
            "{line}. When {{{{caller_name}}}} asks for an appointment, say which days are free – and be brief.\\n\
             Never promise a \\\"callback\\\" before it is entered.\\n\\n"
        );
    }
    let mut text =
        format!("{{\n  \"title\": \"Front desk\",\n  \"system_prompt\": \"{prompt}\",\n");
    text.push_str("  \"voice\": {\n    \"id\": \"v_12\",\n    \"speed\": 1.05,\n    \"pitch\": null\n  },\n  \"transfers\": [\n");
    for number in 0..24 {
        let comma = if number == 23 { "" } else { "," };
        let _ = writeln!(
            text,
            "    {{\n      \"name\": \"desk_{number}\",\n      \"to\": \"+49 30 {number:04}\",\n      \"enabled\": true,\n      \
             \"wait_seconds\": {number}\n    }}{comma}"
        );
    }
    text.push_str("  ],\n  \"keywords\": [\"Bäckerei\", \"Brötchen\", \"opening\"],\n  \"max_turns\": 40\n}\n");
    if pretty {
        return text;
    }
    text.lines().map(str::trim_start).collect::<String>().replace("\": ", "\":")
}

/// Hardly any text between the brackets, commas and colons.
fn dense() -> String {
    let row = |number: u32| {
        format!("{{\"a\":{number},\"b\":[1,-2.5,true,null,\"x\"],\"c\":{{\"d\":\"\",\"e\":{{}}}}}}")
    };
    let rows: Vec<_> = (0..250).map(row).collect();
    format!("[{}]", rows.join(","))
}

fn read(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("read");
    group.warm_up_time(Duration::from_secs(1)).measurement_time(Duration::from_secs(3));
    for (name, text) in [("pretty", agent(true)), ("compact", agent(false)), ("dense", dense())] {
        assert!(parse(text.as_str(), Format::Json).errors.is_empty());
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_with_input(BenchmarkId::new("voxlint", name), &text, |bencher, text| {
            bencher.iter(|| parse(black_box(text.as_str()), Format::Json));
        });
    }
    group.finish();
}

/// The worst case of a report for one file: its lines, and a position for each of many findings.
fn positions(criterion: &mut Criterion) {
    let text = format!("[\"{}\"]", "Grüße, ".repeat(20_000_000 / 9));
    let step = text.len() / 1000;
    let mut group = criterion.benchmark_group("positions");
    group.sample_size(10).throughput(Throughput::Bytes(text.len() as u64));
    group.bench_function("index and 1,000 positions of a line of 20 MB", |bencher| {
        bencher.iter(|| {
            let index = LineIndex::new(black_box(&text));
            (0..1000u32).map(|at| index.position(&text, at * step as u32).column).max()
        });
    });
    group.finish();
}

criterion_group!(benches, read, positions);
criterion_main!(benches);
