//! The work that is measured, stage by stage, as the command line does it.

use std::hint::black_box;

use allocation_counter::AllocationInfo;
use cpu_time::ThreadTime;
use voxlint::fixes::fix;
use voxlint::syntax::Format;
use voxlint::{
    DiffInputs, Document, Inputs, PlanInputs, Report, Safety, Source, Stored, Trace, diff, plan,
    plan_agent, predict,
};
use voxlint_config::{
    Baseline, CheckSettings, Configuration, DocumentScope, LoadError, check_document,
};
use voxlint_ide::{self as ide, CompletionOptions, File, suppress};
use voxlint_report::{
    CheckedDocument, FindingsWriter, OutputFormat, PlanFormat, PlanReport, RenderOptions, RunInfo,
    RunOutcome, render, write_plan,
};

/// What is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    Document(Format),
    /// A document whose mistakes are fixed.
    Fixed(Format),
    /// One update per line, all of them for one agent.
    Lines,
    /// One update per line, each for another agent.
    Agents,
    /// A `voxlint.toml`.
    Configuration,
    /// A `voxlint.toml` with which a document is checked that grows with it.
    ConfigurationAndDocument,
}

/// What one stage cost.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub stage: &'static str,
    pub nanoseconds: f64,
    /// Allocated in all.
    pub bytes: f64,
    /// Allocated at the same time.
    pub peak_bytes: f64,
}

/// Costs in the order of the stages.
struct Stages<'w> {
    costs: Vec<Cost>,
    without: &'w [String],
}

impl Stages<'_> {
    /// Something that later stages do not need.
    fn last<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) {
        if !self.without.iter().any(|without| without == stage) {
            self.run(stage, work);
        }
    }

    fn run<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        let (mut result, mut nanoseconds) = (None, 0.0);
        let AllocationInfo { bytes_total, bytes_max, .. } = allocation_counter::measure(|| {
            let start = ThreadTime::now();
            result = Some(black_box(work()));
            nanoseconds = start.elapsed().as_nanos() as f64;
        });
        self.costs.push(Cost {
            stage,
            nanoseconds,
            bytes: bytes_total as f64,
            peak_bytes: bytes_max as f64,
        });
        result.expect("the work has run")
    }
}

/// Reads a text as this input, and does with it everything that voxlint can do.
pub fn costs(input: Input, text: &str, without: &[String]) -> Vec<Cost> {
    let mut stages = Stages { costs: Vec::new(), without };
    match input {
        Input::Document(format) => document(&mut stages, format, text),
        Input::Fixed(format) => {
            let inputs =
                Inputs::new(Document::parse_as(Source::from_bytes(text.as_bytes()), format));
            stages.run("fix", || fix(&inputs, Safety::Unsafe, &mut |report, _| report));
        }
        Input::Lines => planned(&mut stages, text.lines().map(Document::parse), false),
        Input::Agents => planned(&mut stages, text.lines().map(Document::parse), true),
        Input::Configuration => configuration(&mut stages, text, FAULTY),
        Input::ConfigurationAndDocument => {
            configuration(&mut stages, text, &with_everything(text.len() / BYTES_OF_AN_ITEM));
        }
    }
    stages.costs
}

fn document(stages: &mut Stages<'_>, format: Format, text: &str) {
    let document =
        stages.run("read", || Document::parse_as(Source::from_bytes(text.as_bytes()), format));
    stages.last("recognise", || document.recognition());
    let inputs = Inputs::new(document.clone());
    let configuration = Configuration::built_in();
    let settings = check_settings(&configuration, "agent.json");
    let report = stages.run("check", || {
        check_document(inputs.clone(), &settings, DocumentScope::default(), &mut Trace::off())
            .report
    });
    stages.last("baseline", || {
        let baseline = Baseline::default();
        let mut baseline = baseline.for_file("agent.json");
        let scope = DocumentScope { baseline: Some(&mut baseline), ..DocumentScope::default() };
        check_document(inputs.clone(), &settings, scope, &mut Trace::off());
        baseline.into_entries().len()
    });
    let formats = [
        ("full", OutputFormat::Full),
        ("concise", OutputFormat::Concise),
        ("json", OutputFormat::Json),
        ("sarif", OutputFormat::Sarif),
    ];
    for (name, format) in formats {
        stages.last(name, || rendered(format, document.text(), &report));
    }
    stages.last("predict", || predict(&inputs));
    let stored = Stored::new(Document::parse("{\"version\": {\"version_number\": 1}}"));
    stages.last("diff", || diff(&DiffInputs::new(stored, document.clone())).is_ok());
    stages.last("editor", || in_editor(&inputs));
    stages.last("code actions", || suppressed(&inputs, &report));
    planned(stages, [document].into_iter(), false);
}

/// What an editor asks about a whole document.
fn in_editor(inputs: &Inputs) -> usize {
    let (file, end) = (File::new(inputs), inputs.document().text().len() as u32);
    // Some of these places are inside of a unit, wherever the middle of the text is.
    for at in (end / 2..end).step_by(3).take(4) {
        black_box((ide::hover(file, at), ide::complete(file, at, CompletionOptions::default())));
    }
    ide::tokens(file).len() + ide::symbols(inputs.document()).len()
}

/// Suppresses the first findings and the last one.
fn suppressed(inputs: &Inputs, report: &Report) -> usize {
    let all = &report.diagnostics;
    let some = all.iter().take(2).chain(all.last());
    some.filter_map(|found| suppress(File::new(inputs), found, "ours")).count()
}

/// Plans updates with stored configurations, of one agent or of as many as updates, and writes the plan.
fn planned(stages: &mut Stages<'_>, documents: impl Iterator<Item = Document>, has_many: bool) {
    let stored = Stored::new(Document::parse(STORED));
    let agents = (0..).zip(documents).map(|(at, document)| {
        let stored = if has_many {
            Stored::new(Document::parse(STORED.replace("ag_1", &format!("ag_{at}"))))
        } else {
            stored.clone()
        };
        let inputs = Inputs::new(document).stored(stored);
        plan_agent(&PlanInputs::new(format!("agent.ndjson:{at}"), inputs))
    });
    let plan = stages.run("plan", || plan(agents.collect()));
    for (name, format) in [
        ("plan full", PlanFormat::Full),
        ("plan json", PlanFormat::Json),
        ("plan markdown", PlanFormat::Markdown),
    ] {
        stages.last(name, || {
            let mut out = Vec::new();
            write_plan(&mut out, format, &PlanReport::new(&plan), &RenderOptions::default())
                .expect("memory");
            out.len()
        });
    }
}

/// What the planned updates change.
const STORED: &str = "{\"agent\": {\"id\": \"ag_1\", \"agent_type\": \"Single_Prompt_Agent\"}, \"version\": {\"version_number\": 3, \"title\": \"T\"}, \"complete\": true}";

fn check_settings<'c>(configuration: &'c Configuration, path: &str) -> CheckSettings<'c> {
    CheckSettings::new(configuration.for_file(path), "2027-01-31".parse().expect("a date"))
}

fn rendered(format: OutputFormat, text: &str, report: &Report) -> usize {
    let mut out = Vec::new();
    let checked = CheckedDocument::new("agent.json", text, report);
    let mut writer = FindingsWriter::new(&mut out, format, RunInfo::default());
    writer.add(render(format, &RenderOptions::default(), &checked)).expect("memory");
    writer.finish(&RunOutcome::default()).expect("memory");
    out.len()
}

/// An update with a few mistakes.
const FAULTY: &str = "{\"version_number\": 0, \"tittle\": \"x\", \"prompt_text\": \"{{name}} {{plan}}\", \"kb_max_chunks\": 12}";

/// About the length of an item in the lists of a configuration.
const BYTES_OF_AN_ITEM: usize = 16;

/// An update with this many of everything that a configuration has lists about: unknown fields, values, variables and mistakes.
fn with_everything(count: usize) -> String {
    let mut text = "{\"version_number\": 3".to_owned();
    let mut list = |before: &str, item: &str, after: &str| {
        let items: Vec<_> = (0..count).map(|at| item.replace('§', &at.to_string())).collect();
        text.push_str(before);
        text.push_str(&items.join(","));
        text.push_str(after);
    };
    list(", ", "\"own_§\": 1", "");
    list(", \"default_dynamic_variables\": {", "\"default_§\": \"value §\"", "}");
    list(", \"agent_functions\": [", "{\"name\": \"call_§\"}", "]");
    list(", \"prompt_text\": \"", "{{crm_§}}", "\"}");
    text
}

fn configuration(stages: &mut Stages<'_>, text: &str, update: &str) {
    let mut read = |path: &str| match path {
        "voxlint.toml" => Ok(text.to_owned()),
        _ => Ok("root = true\n".to_owned()),
    };
    match stages.run("load", || Configuration::load("voxlint.toml", &mut read)) {
        Ok(configuration) => with_configuration(stages, &configuration, update),
        Err(LoadError::Faults(files)) => {
            for file in files.iter().take(1) {
                stages.run("full", || rendered(OutputFormat::Full, &file.text, &file.report));
            }
        }
        Err(_) => {}
    }
}

/// What a document costs with the configuration.
fn with_configuration(stages: &mut Stages<'_>, configuration: &Configuration, update: &str) {
    let path = "teams/front-desk/agents/en/agent-1.json";
    let settings = stages.run("settings", || check_settings(configuration, path));
    // The proofs of its fixes are bounded work, which does not depend on the configuration.
    let inputs = Inputs::new(Document::parse(update)).without_fixes();
    stages.last("check", || {
        check_document(inputs, &settings, DocumentScope::default(), &mut Trace::off())
    });
}
