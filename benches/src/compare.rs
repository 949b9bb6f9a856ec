//! Compares the library with other libraries that do a part of its work, and prints the ratios as a table.
//!
//! Each side is a program of its own, and they take turns: one round here, one round there. A ratio is the median of the
//! ratios of all rounds, so whatever else the machine does changes both sides alike.

use std::ffi::OsStr;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::{env, fs};

use voxlint_benches::{Result, Row, build, conditions, median, repository, table, update_page};

const HELP: &str = "\
Compares the library with other libraries, in turn, and prints a table.

compare [--rounds NUMBER] [--update]

  --rounds NUMBER   rounds for each row (default: 15)
  --update          write the table to docs/performance.md
";

/// What a row compares.
struct Comparison {
    number: &'static str,
    what: &'static str,
    /// The work of the package `subject`.
    subject: &'static str,
    yardstick: Yardstick,
    aim: Option<f64>,
    stretch: Option<f64>,
    /// How many things one round works on.
    items: (f64, &'static str),
}

enum Yardstick {
    /// A package, what it measures, and whether it needs the schema.
    Package(&'static str, &'static str),
    /// Other work of voxlint.
    Subject(&'static str, &'static str),
    /// A part of the work of voxlint that is measured. The table also has the share of the rest.
    Part(&'static str, &'static str),
}

use Yardstick::{Package, Part, Subject};

const SERDE: Yardstick = Package("yardstick-serde-json", "`Value` of serde_json");
const SCHEMA: Yardstick = Package("yardstick-json-schema", "jsonschema: parse and list the errors");
const YAML: Yardstick = Package("yardstick-yaml-events", "events of saphyr-parser");
const TOML: Yardstick = Package("yardstick-toml-table", "`DeTable` of toml");
const HANDLEBARS: Yardstick = Package("yardstick-handlebars", "compile of handlebars");
const FINDINGS: Yardstick = Subject("findings", "the check that found them");

const CORRECTNESS: Yardstick = Part("json-lint-correctness", "the rules of correctness alone");

const DOCUMENTS: (f64, &str) = (400.0, "document");
const PROMPTS: (f64, &str) = (50.0, "template");
const WRITTEN: (f64, &str) = (100.0, "document with 100 findings");

const fn row(
    number: &'static str,
    what: &'static str,
    subject: &'static str,
    yardstick: Yardstick,
    limits: Option<(f64, f64)>,
    items: (f64, &'static str),
) -> Comparison {
    let (aim, stretch) = match limits {
        Some((aim, stretch)) => (Some(aim), Some(stretch)),
        None => (None, None),
    };
    Comparison { number, what, subject, yardstick, aim, stretch, items }
}

const ROWS: [Comparison; 13] = [
    row("1", "JSON to a tree with positions", "json-tree", SERDE, Some((0.25, 0.20)), DOCUMENTS),
    row("2", "JSON, full check", "json-lint", SERDE, Some((0.5, 0.4)), DOCUMENTS),
    row("2, clean", "the same without mistakes", "json-lint-clean", SERDE, None, DOCUMENTS),
    row(
        "2, groups",
        "the same, all groups of rules",
        "json-lint-clean",
        CORRECTNESS,
        Some((1.33, 1.25)),
        DOCUMENTS,
    ),
    row("3", "JSON, full check", "json-lint", SCHEMA, Some((0.35, 0.28)), DOCUMENTS),
    row("10", "YAML, full check", "yaml-lint", YAML, Some((1.25, 0.5)), DOCUMENTS),
    row("10, tree", "YAML to a tree with positions", "yaml-tree", YAML, None, DOCUMENTS),
    row("11", "TOML, full check", "toml-lint", TOML, Some((1.25, 1.15)), DOCUMENTS),
    row("11, tree", "TOML to a tree with positions", "toml-tree", TOML, None, DOCUMENTS),
    row("12", "a template of 8 KB", "template", HANDLEBARS, Some((0.02, 0.005)), PROMPTS),
    row("13, json", "findings written as JSON", "write-json", FINDINGS, Some((1.0, 0.5)), WRITTEN),
    row(
        "13, concise",
        "findings in one line each",
        "write-concise",
        FINDINGS,
        Some((1.0, 0.5)),
        WRITTEN,
    ),
    row(
        "13, sarif",
        "findings written as SARIF",
        "write-sarif",
        FINDINGS,
        Some((2.0, 1.0)),
        WRITTEN,
    ),
];

fn main() -> Result<()> {
    let (mut rounds, mut updates) = (15, false);
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--rounds" => rounds = arguments.next().ok_or(HELP)?.parse()?,
            "--update" => updates = true,
            _ => return Err(HELP.into()),
        }
    }
    let conditions = conditions();
    let programs = build("subject", "dist")?;
    let schema = env::temp_dir().join(format!("voxlint-schema-{}.json", std::process::id()));
    fs::write(&schema, Command::new(programs.join("subject")).arg("schema").output()?.stdout)?;
    let mut rows = Vec::new();
    for comparison in ROWS {
        rows.push(measure(comparison, &programs, &schema, rounds)?);
        eprint!(".");
    }
    fs::remove_file(schema)?;
    eprintln!();
    let text = format!("{conditions}\n{}", table(&rows));
    print!("{text}\nYardsticks: {}.\n", versions()?);
    if updates {
        update_page("library", &format!("{text}\nYardsticks: {}.\n", versions()?))?;
    }
    Ok(())
}

fn measure(row: Comparison, programs: &Path, schema: &Path, rounds: usize) -> Result<Row> {
    let count = row.items.0.to_string();
    let start = |program: &str, first: &OsStr| {
        Player::start(Command::new(programs.join(program)).arg(first).arg(&count))
    };
    let (package, work, name) = match row.yardstick {
        Package(package, name) => {
            build(package, "dist")?;
            (package, schema.as_os_str(), name)
        }
        Subject(work, name) | Part(work, name) => ("subject", work.as_ref(), name),
    };
    let (mut own, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..rounds.div_ceil(ROUNDS_OF_A_START) {
        let mut subject = start("subject", row.subject.as_ref())?;
        let mut other = start(package, work)?;
        for _ in 0..ROUNDS_OF_A_START {
            let (a, b) = (subject.round()?, other.round()?);
            own.push(a);
            theirs.push(b);
            ratios.push(a / b);
        }
    }
    let (count, item) = row.items;
    let each = |rounds| median(rounds) / count / 1_000.0;
    let ratio = median(ratios);
    let mut measured = format!("{:.2} and {:.2} µs a {item}", each(own), each(theirs));
    if matches!(row.yardstick, Part(..)) {
        measured += &format!("; the rest is {:.0} %", (1.0 - 1.0 / ratio) * 100.0);
    }
    Ok(Row {
        number: row.number,
        what: row.what,
        yardstick: name.to_owned(),
        aim: row.aim,
        stretch: row.stretch,
        ratio,
        measured,
        at_least: false,
    })
}

/// The least milliseconds of a round. Shorter ones would measure how a processor wakes up, and fetches what the other program has
/// pushed out of its caches.
const ROUND: u32 = 50;

/// After so many rounds, both programs start again. Where the system puts their memory changes what they take.
const ROUNDS_OF_A_START: usize = 3;

/// A program that works when it is told to.
struct Player {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Player {
    fn start(command: &mut Command) -> Result<Self> {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().ok_or("a pipe")?;
        let output = BufReader::new(child.stdout.take().ok_or("a pipe")?);
        let mut player = Self { child, input, output };
        player.line()?;
        Ok(player)
    }

    /// The nanoseconds of the work, on average over a round.
    fn round(&mut self) -> Result<f64> {
        writeln!(self.input, "{ROUND}")?;
        Ok(self.line()?.trim().parse()?)
    }

    fn line(&mut self) -> Result<String> {
        let mut line = String::new();
        if self.output.read_line(&mut line)? == 0 {
            return Err("the program has ended".into());
        }
        Ok(line)
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        // It ends by itself with its input, but may be in the middle of a round.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The versions of the yardsticks.
fn versions() -> Result<String> {
    let lock = fs::read_to_string(repository().join("benches/Cargo.lock"))?;
    let version = |name: &str| {
        let package = lock
            .split("[[package]]")
            .find(|package| package.contains(&format!("name = \"{name}\"\n")));
        let version =
            package.and_then(|package| package.split("version = \"").nth(1)?.split('"').next());
        format!("{name} {}", version.unwrap_or("?"))
    };
    let names = ["serde_json", "jsonschema", "saphyr-parser", "toml", "handlebars"];
    Ok(names.map(version).join(", "))
}
