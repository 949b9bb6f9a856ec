//! Counts the instructions of a few fixed runs with callgrind, and compares them with those in `instructions.tsv`.
//!
//! Times depend on the machine and on what else it does. Counts of instructions hardly do, so they can guard against
//! changes that make the program slower.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::{env, fs};

use voxlint_benches::{Result, build, first_line, repository, run};
use voxlint_corpus::{Corpus, Format};

const HELP: &str = "\
Counts the instructions of a few fixed runs, and fails if one needs more than benches/instructions.tsv allows.
Needs valgrind (apt-get install valgrind).

instructions [--update]

  --update   write the counts of this program to benches/instructions.tsv
";

const COMMAND: &str =
    "cargo run --release --manifest-path benches/Cargo.toml --bin instructions -- --update";

/// How many percent more a run may need. Other compilers and processors differ by less.
const TOLERANCE: f64 = 5.0;

/// The same for whole programs: the loader and the C library belong to them.
const PROGRAM_TOLERANCE: f64 = 10.0;

/// The full check of documents without mistakes, and the rules of group correctness alone on the same documents.
const ALL_RULES: &str = "json-lint-clean";
const CORRECTNESS: &str = "json-lint-correctness";

/// The work of the package `subject` that is counted, and its documents.
const WORK: [(&str, usize); 10] = [
    ("json-tree", 40),
    (ALL_RULES, 40),
    (CORRECTNESS, 40),
    ("json-lint", 40),
    ("line-lint", 40),
    ("yaml-lint", 10),
    ("toml-lint", 10),
    ("template", 20),
    ("findings", 4),
    ("write-json", 4),
];

fn main() -> Result<ExitCode> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let updates = arguments == ["--update"];
    if !updates && !arguments.is_empty() {
        print!("{HELP}");
        return Ok(ExitCode::from(2));
    }
    if first_line("valgrind", &["--version"]).is_none() {
        println!("skipped: valgrind is not installed");
        return Ok(ExitCode::SUCCESS);
    }
    let counts = counts()?;
    let path = repository().join("benches/instructions.tsv");
    if updates {
        let lines = counts.iter().map(|count| format!("{}\t{}\n", count.name, count.instructions));
        fs::write(path, lines.collect::<String>())?;
        return Ok(ExitCode::SUCCESS);
    }
    let allowed = fs::read_to_string(&path)?;
    let mut is_slower = false;
    for count in &counts {
        let before =
            allowed.lines().find_map(|line| line.strip_prefix(&count.name)?.strip_prefix('\t'));
        let before: f64 =
            before.ok_or(format!("no count for {}: {COMMAND}", count.name))?.parse()?;
        let percent = (count.instructions as f64 / before - 1.0) * 100.0;
        let remark = match percent {
            _ if percent > count.tolerance => {
                is_slower = true;
                "TOO MANY"
            }
            _ if percent < -count.tolerance => "fewer: keep this with --update",
            _ => "",
        };
        println!("{:<22} {:>12} {percent:>+7.1} %  {remark}", count.name, count.instructions);
    }
    let of = |name| counts.iter().find(|count| count.name == name).map(|count| count.instructions);
    if let (Some(all), Some(correctness)) = (of(ALL_RULES), of(CORRECTNESS)) {
        let share = (1.0 - correctness as f64 / all as f64) * 100.0;
        println!("The rules beyond correctness need {share:.0} % of a check.");
    }
    if is_slower {
        println!(
            "\nThe change makes voxlint slower. docs/performance.md says how to find out where. If the work is \
             worth its cost, allow it:\n\n  {COMMAND}"
        );
        return Ok(ExitCode::FAILURE);
    }
    Ok(ExitCode::SUCCESS)
}

/// The instructions of one run.
struct Count {
    name: String,
    instructions: u64,
    /// In percent.
    tolerance: f64,
}

fn counts() -> Result<Vec<Count>> {
    let subject = build("subject", "release")?.join("subject");
    let mut counts = Vec::new();
    for (work, documents) in WORK {
        let mut command = valgrind();
        command.args(["--collect-atstart=no", "--toggle-collect=*measured_round*"]);
        command.arg(&subject).args([work, &documents.to_string()]);
        let instructions = count(&mut command)?;
        counts.push(Count { name: work.to_owned(), instructions, tolerance: TOLERANCE });
    }
    let folder = env::temp_dir().join(format!("voxlint-instructions-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let program = program()?;
    for (name, text) in [
        ("one-file.json", Corpus::clean(1).text(0, Format::Json)),
        ("lines.ndjson", Corpus::new(1).texts(40, Format::Line).concat()),
    ] {
        let file = folder.join(name);
        fs::write(&file, text)?;
        let mut command = valgrind();
        command.arg(&program).arg("check").arg(&file).env("RAYON_NUM_THREADS", "1");
        let instructions = count(&mut command)?;
        counts.push(Count { name: name.to_owned(), instructions, tolerance: PROGRAM_TOLERANCE });
    }
    fs::remove_dir_all(folder)?;
    Ok(counts)
}

/// The program as `cargo build --release` makes it.
fn program() -> Result<PathBuf> {
    let root = repository();
    run(Command::new("cargo")
        .args(["build", "--release", "--locked", "--quiet"])
        .current_dir(&root))?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
    let program = target.join("release/voxlint");
    if program.exists() {
        Ok(program)
    } else {
        Err(format!("{} is missing", program.display()).into())
    }
}

fn valgrind() -> Command {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command
}

/// The instructions that callgrind has collected. The program gets one line, which asks for one round.
fn count(command: &mut Command) -> Result<u64> {
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    child.stdin.take().ok_or("a pipe")?.write_all(b"round\n").or_else(ignore_closed)?;
    let output = child.wait_with_output()?;
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let collected =
        told.lines().find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
    collected
        .filter(|count| *count > 0)
        .ok_or_else(|| format!("{command:?} counted nothing:\n{told}").into())
}

/// A program that reads no input may have closed it.
fn ignore_closed(error: std::io::Error) -> std::io::Result<()> {
    if error.kind() == std::io::ErrorKind::BrokenPipe { Ok(()) } else { Err(error) }
}
