//! voxlint does the work that its argument names, once for each round.

use std::hint::black_box;
use std::{env, io};

use voxlint::syntax::{self, Format, SharedText};
use voxlint::{Document, DocumentKind, Group, Inputs, Report, Source, check};
use voxlint_corpus::{Corpus, Format as Layout, rounds};
use voxlint_report::{
    CheckedDocument, FindingsWriter, OutputFormat, RenderOptions, RunInfo, RunOutcome, render,
};

const CORPUS: u64 = 1;

fn main() -> io::Result<()> {
    let work = env::args().nth(1).unwrap_or_default();
    match work.as_str() {
        "json-tree" => tree(Layout::Json, Format::Json),
        "yaml-tree" => tree(Layout::Yaml, Format::Yaml),
        "toml-tree" => tree(Layout::Toml, Format::Toml),
        "json-lint" => lint(&Corpus::new(CORPUS), Layout::Json, Format::Json),
        "json-lint-clean" => lint(&Corpus::clean(CORPUS), Layout::Json, Format::Json),
        "json-lint-correctness" => correctness(),
        "line-lint" => lint(&Corpus::new(CORPUS), Layout::Line, Format::Json),
        "yaml-lint" => lint(&Corpus::new(CORPUS), Layout::Yaml, Format::Yaml),
        "toml-lint" => lint(&Corpus::new(CORPUS), Layout::Toml, Format::Toml),
        "template" => template(),
        "findings" => findings(),
        "write-json" => write(OutputFormat::Json),
        "write-concise" => write(OutputFormat::Concise),
        "write-sarif" => write(OutputFormat::Sarif),
        "schema" => {
            println!("{}", voxlint::docs::json_schema(DocumentKind::Update).expect("a schema"));
            Ok(())
        }
        _ => Err(io::Error::other(format!("unknown work `{work}`"))),
    }
}

/// As in a run over files, the tree shares its text with the caller instead of copying it.
fn tree(layout: Layout, format: Format) -> io::Result<()> {
    let documents = Corpus::new(CORPUS).valid_texts(rounds::documents(), layout);
    let documents: Vec<SharedText> = documents.into_iter().map(SharedText::from).collect();
    rounds::serve(|| {
        for document in &documents {
            black_box(syntax::parse(black_box(document).clone(), format));
        }
    })
}

/// From bytes to findings: the encoding is checked too.
fn lint(corpus: &Corpus, layout: Layout, format: Format) -> io::Result<()> {
    let documents = corpus.valid_texts(rounds::documents(), layout);
    rounds::serve(|| {
        for document in &documents {
            black_box(checked(black_box(document), format));
        }
    })
}

/// Runs the rules of group correctness only, on the documents of `json-lint-clean`.
fn correctness() -> io::Result<()> {
    let documents = Corpus::clean(CORPUS).valid_texts(rounds::documents(), Layout::Json);
    rounds::serve(|| {
        for document in &documents {
            let source = Source::from_bytes(black_box(document.as_bytes()));
            let inputs = Inputs::new(Document::parse_as(source, Format::Json));
            black_box(check(&inputs.groups(&[Group::Correctness])));
        }
    })
}

fn checked(text: &str, format: Format) -> Report {
    let source = Source::from_bytes(text.as_bytes());
    check(&Inputs::new(Document::parse_as(source, format)))
}

fn template() -> io::Result<()> {
    let prompt = Corpus::new(CORPUS).prompt(rounds::PROMPT_BYTES);
    rounds::serve(|| {
        for _ in 0..rounds::documents() {
            black_box(voxlint_template::parse(black_box(&prompt)));
        }
    })
}

fn faulty() -> Vec<String> {
    let text = |number| Corpus::new(CORPUS).faulty_text(number, rounds::FINDINGS, Layout::Json);
    (0..rounds::documents()).map(text).collect()
}

/// Finds what [`write`] writes.
fn findings() -> io::Result<()> {
    let documents = faulty();
    rounds::serve(|| {
        for document in &documents {
            black_box(checked(black_box(document), Format::Json));
        }
    })
}

fn write(format: OutputFormat) -> io::Result<()> {
    let documents: Vec<(String, Report)> = faulty()
        .into_iter()
        .map(|text| {
            let report = checked(&text, Format::Json);
            assert_eq!(report.diagnostics.len(), rounds::FINDINGS, "{:?}", report.diagnostics);
            (text, report)
        })
        .collect();
    let options = RenderOptions::default();
    rounds::serve(|| {
        let mut out = Vec::new();
        let mut writer = FindingsWriter::new(&mut out, format, RunInfo::default());
        for (text, report) in &documents {
            let checked = CheckedDocument::new("agents/front-desk/en.json", text, report);
            writer.add(render(format, &options, &checked)).expect("memory");
        }
        writer.finish(&RunOutcome::default()).expect("memory");
        black_box(out);
    })
}
