//! Cost of rendering a thousand findings in a document of five megabytes.

#[path = "../../crates/report/tests/it/support/mod.rs"]
mod support;

use criterion::{Criterion, criterion_group, criterion_main};
use support::{at, finding, report, with_related};
use voxlint_report::{CheckedDocument, OutputFormat, RenderOptions, render};

const LINE: &str = "  \"prompt\": \"hello {{nmae}} and so on for a while, please be nice\",";

fn a_thousand_findings(criterion: &mut Criterion) {
    for (name, end_of_line) in [("lines", "\n"), ("one line", " ")] {
        let line = format!("{LINE}{end_of_line}");
        let text = line.repeat(5_000_000 / line.len());
        let place = |index: usize| {
            let start = index * 70 * line.len() + line.find("{{").unwrap_or(0);
            at(start, start + "{{nmae}}".len())
        };
        let diagnostics = (0..1_000).map(|index| {
            with_related(finding("unknown variable `nmae`", place(index)), "first here", place(3))
        });
        let report = report(diagnostics.collect());
        let checked = CheckedDocument::new("agents/support/en.json", &text, &report);
        for format in OutputFormat::ALL {
            criterion.bench_function(&format!("{} of {name}", format.name()), |bencher| {
                bencher.iter(|| render(format, &RenderOptions::default(), &checked));
            });
        }
    }
}

criterion_group!(benches, a_thousand_findings);
criterion_main!(benches);
