//! Cost of parsing a template.

use std::{hint::black_box, time::Duration};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use voxlint_template::parse;

/// A prompt as people write them: 8 KB of prose with 18 mustaches.
fn prompt() -> String {
    let opening = "You are {{agent_name}}, a voice assistant of {{company.name}}. You are calling {{customer.first_name}} \
                   about {{topic}}. {{#if vip}}Be especially courteous.{{else}}Be polite.{{/if}}\n\n\
                   {{#each appointments as |appointment|}}\n- {{appointment.day}} at {{appointment.time}}\n{{/each}}\n\
                   {{#unless verified}}Ask for the date of birth first.{{/unless}}\n\
                   {{!-- opening hours --}}The office is open {{hours}}. Call back on {{callback_number}}.\n\
                   {{formatDate due style=\"long\"}} {{{notes}}}\n\n";
    let rule = "- Keep each answer to two sentences, and ask one question at a time. If the caller interrupts, stop and \
                listen; never talk over them.\n";
    let mut prompt = opening.to_owned();
    while prompt.len() < 8_192 {
        prompt.push_str(rule);
    }
    prompt.truncate(8_192);
    prompt
}

fn dense() -> String {
    "{{name}} {{customer.first_name}}, {{#if vip}}x{{else}}y{{/if}} {{formatDate due style=\"long\"}} ".repeat(100)
}

fn template(criterion: &mut Criterion) {
    let (prompt, dense) = (prompt(), dense());
    let prose = "a prompt without a single variable, ".repeat(228);
    for (name, text) in
        [("prompt of 8 KB", prompt.as_str()), ("dense", &dense), ("no mustache", &prose)]
    {
        assert!(parse(text).error.is_none());
        let mut group = criterion.benchmark_group(name);
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
        group.bench_function("voxlint", |bencher| bencher.iter(|| parse(black_box(text))));
        group.finish();
    }
    let faulty = format!("{}{{{{name, x}}}}", &prompt);
    criterion.bench_function("prompt of 8 KB with an error at its end, described", |bencher| {
        bencher.iter(|| parse(black_box(&faulty)).error.map(|error| error.describe(&faulty)));
    });
}

criterion_group!(benches, template);
criterion_main!(benches);
