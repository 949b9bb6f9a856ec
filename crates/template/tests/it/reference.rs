//! Compares our verdict with that of the reference: npm handlebars, run in node by the oracle (judge.js and gen.js).
//!
//! `VOXLINT_HANDLEBARS_ORACLE` is the oracle's folder, with its packages installed. Without it, the test copies
//! `../shared/tools/handlebars-oracle`, if it exists, to a temporary folder and installs the packages. `VOXLINT_CASES`
//! is the number of templates per seed and generator, `VOXLINT_SEEDS` the seeds (`1,2,3`). `VOXLINT_BLESS=1` rewrites
//! verdicts.ndjson, and `VOXLINT_REQUIRE_REFERENCE` makes the test fail instead of being skipped.

use std::{
    env, fs,
    io::{BufRead as _, BufReader, BufWriter, Write as _},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
    thread,
};

use crate::common::{
    Verdict,
    generator::{Random, template},
    hard::HARD,
    stage_letter,
};

pub(crate) const MISSING: &str = "node or the oracle is missing (VOXLINT_HANDLEBARS_ORACLE)";

#[test]
fn our_verdict_is_that_of_the_reference() {
    let Some(oracle) = oracle() else {
        assert!(env::var_os("VOXLINT_REQUIRE_REFERENCE").is_none(), "{MISSING}");
        voxlint_testing::skip(MISSING);
        return;
    };
    let cases: usize =
        env::var("VOXLINT_CASES").ok().and_then(|count| count.parse().ok()).unwrap_or(2_000);
    let seeds = env::var("VOXLINT_SEEDS").unwrap_or_else(|_| "1".to_owned());
    let mut disagreements = Vec::new();
    let hard = HARD.iter().map(|&text| text.to_owned());
    report("by hand", verdicts(&oracle, hard), &mut disagreements);
    let prefixes =
        HARD.iter().flat_map(|text| text.char_indices().map(|(end, _)| text[..end].to_owned()));
    report("prefixes", verdicts(&oracle, prefixes), &mut disagreements);
    for seed in seeds.split(',').filter_map(|seed| seed.trim().parse::<u64>().ok()) {
        let mut random = Random::new(seed);
        let ours = (0..cases).map(move |_| template(&mut random));
        report(&format!("own generator, seed {seed}"), verdicts(&oracle, ours), &mut disagreements);
        let theirs = node(&oracle, "gen.js", &[seed.to_string(), cases.to_string()], None);
        report(&format!("gen.js, seed {seed}"), theirs, &mut disagreements);
    }
    assert!(
        disagreements.is_empty(),
        "{} disagreements:\n{}",
        disagreements.len(),
        disagreements.join("\n")
    );
}

#[test]
fn stored_verdicts_are_rewritten_on_request() {
    if env::var_os("VOXLINT_BLESS").is_none() {
        return;
    }
    let oracle = oracle().expect(MISSING);
    let mut random = Random::new(20_261_120);
    let mut templates: Vec<String> = HARD.iter().map(|&text| text.to_owned()).collect();
    templates.extend((0..6_000).map(|_| template(&mut random)).filter(|text| text.len() < 120));
    templates.sort_unstable();
    templates.dedup();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/verdicts.ndjson");
    let mut file = BufWriter::new(fs::File::create(path).expect("verdicts.ndjson can be written"));
    for verdict in verdicts(&oracle, templates.into_iter()) {
        let triple = (&verdict.template, stage_letter(verdict.stage), verdict.offset);
        writeln!(file, "{}", serde_json::to_string(&triple).expect("strings are JSON"))
            .expect("the disk has room");
    }
}

fn report(what: &str, verdicts: impl Iterator<Item = Verdict>, disagreements: &mut Vec<String>) {
    let (mut count, mut rejected, before) = (0, 0, disagreements.len());
    for verdict in verdicts {
        count += 1;
        rejected += usize::from(verdict.stage.is_some());
        if let Some(disagreement) = verdict.disagreement()
            && disagreements.len() < 200
        {
            disagreements.push(disagreement);
        }
    }
    let differ = disagreements.len() - before;
    println!(
        "{what}: {count} templates, {rejected} rejected by the reference, {differ} disagreements"
    );
}

type Templates = Box<dyn Iterator<Item = String> + Send>;

/// The reference's verdicts on these templates.
fn verdicts<T>(oracle: &Path, templates: T) -> impl Iterator<Item = Verdict> + use<T>
where
    T: Iterator<Item = String> + Send + 'static,
{
    node(oracle, "judge.js", &[], Some(Box::new(templates)))
}

/// Runs one of the oracle's scripts and reads its verdicts as they come.
fn node(
    oracle: &Path,
    script: &str,
    arguments: &[String],
    templates: Option<Templates>,
) -> impl Iterator<Item = Verdict> + use<> {
    let mut child = Command::new("node")
        .arg(oracle.join(script))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node has just answered");
    let mut input = BufWriter::new(child.stdin.take().expect("the input is a pipe"));
    if let Some(templates) = templates {
        thread::spawn(move || {
            for template in templates {
                let line = serde_json::to_string(&template).expect("strings are JSON");
                writeln!(input, "{line}").expect("node reads to the end");
            }
        });
    }
    let output = BufReader::new(child.stdout.take().expect("the output is a pipe"));
    output.lines().map(|line| Verdict::from_oracle(&line.expect("node writes UTF-8"))).chain(
        std::iter::from_fn(move || {
            assert!(child.wait().expect("node ends").success(), "the oracle failed");
            None
        }),
    )
}

/// The folder of the oracle, with its packages; `None` if it cannot be run. Tests run at the same time, so it is installed once for
/// all of them.
pub(crate) fn oracle() -> Option<PathBuf> {
    static ORACLE: OnceLock<Option<PathBuf>> = OnceLock::new();
    ORACLE.get_or_init(install_oracle).clone()
}

fn install_oracle() -> Option<PathBuf> {
    let runs = |command: &mut Command| {
        command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    };
    if !runs(Command::new("node").arg("--version")) {
        return None;
    }
    if let Some(folder) = env::var_os("VOXLINT_HANDLEBARS_ORACLE") {
        return Some(PathBuf::from(folder));
    }
    let source =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/tools/handlebars-oracle");
    let copy = env::temp_dir().join("voxlint-handlebars-oracle");
    fs::create_dir_all(&copy).ok()?;
    for file in fs::read_dir(source).ok()?.flatten().filter(|file| file.path().is_file()) {
        fs::copy(file.path(), copy.join(file.file_name())).ok()?;
    }
    let is_installed = copy.join("node_modules/handlebars").is_dir()
        || runs(
            Command::new("npm").args(["install", "--no-audit", "--no-fund"]).current_dir(&copy),
        );
    is_installed.then_some(copy)
}
