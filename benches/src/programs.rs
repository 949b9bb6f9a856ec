//! Compares whole runs of the program with other programs, and prints the ratios as a table.
//!
//! The two programs of a row run in turn, and a ratio is the median of the ratios of all pairs. Files are in the page cache.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;
use std::{env, fs};

use voxlint_benches::{
    Result, Row, build, conditions, first_line, median, repository, table, update_page,
};
use voxlint_corpus::{Corpus, Format};
use wait4::Wait4 as _;

const HELP: &str = "\
Compares whole runs with other programs, in turn, and prints a table.

programs [--voxlint PATH] [--pairs NUMBER] [--corpora FOLDER] [--only ROW] [--update]

  --voxlint PATH     the program to measure (default: builds the packaged one, with scripts/build-program.sh)
  --pairs NUMBER     pairs of runs for each row (default: 15; ten times as many for short runs)
  --corpora FOLDER   where documents are generated (default: voxlint-corpora in the
                     temporary folder; not in a repository, so that nothing reads `.gitignore`)
  --only ROW         one row, such as 4
  --update           write the table to docs/performance.md
";

const MEBIBYTE: f64 = 1024.0 * 1024.0;

struct Options {
    voxlint: PathBuf,
    pairs: usize,
    corpora: PathBuf,
    only: Option<String>,
    updates: bool,
}

fn main() -> Result<()> {
    let options = options()?;
    let conditions = conditions();
    let mut bench = Bench::new(&options)?;
    bench.files()?;
    bench.one_file()?;
    bench.lines()?;
    bench.huge()?;
    bench.plan()?;
    let versions = ["rg", "jsonschema-cli", "wc"].map(|name| first_line(name, &["--version"]));
    let versions: Vec<String> = versions.into_iter().flatten().collect();
    let mut text =
        format!("{conditions}\n{}\nYardsticks: {}.\n", table(&bench.rows), versions.join(", "));
    for missing in &bench.missing {
        text.push_str(&format!("\nNot measured: {missing}.\n"));
    }
    print!("{text}");
    if options.updates {
        update_page("programs", &text)?;
    }
    Ok(())
}

fn options() -> Result<Options> {
    let (mut voxlint, mut only, mut updates, mut pairs) = (None, None, false, 15);
    let mut corpora = env::temp_dir().join("voxlint-corpora");
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(HELP);
        match argument.as_str() {
            "--voxlint" => voxlint = Some(PathBuf::from(value()?)),
            "--pairs" => pairs = value()?.parse()?,
            "--corpora" => corpora = value()?.into(),
            "--only" => only = Some(value()?),
            "--update" => updates = true,
            _ => return Err(HELP.into()),
        }
    }
    let voxlint = match voxlint {
        Some(path) => path.canonicalize()?,
        None => {
            let script = repository().join("scripts/build-program.sh");
            let mut command = Command::new(&script);
            let output = command.env("VOXLINT_PGO", "yes").stderr(Stdio::inherit()).output()?;
            if !output.status.success() {
                return Err(format!("{}: {}", script.display(), output.status).into());
            }
            let printed = String::from_utf8(output.stdout)?;
            printed.lines().next_back().ok_or("a path")?.into()
        }
    };
    Ok(Options { voxlint, pairs, corpora, only, updates })
}

/// A command that can be run again and again.
#[derive(Clone)]
struct Program {
    path: PathBuf,
    arguments: Vec<OsString>,
    threads: usize,
}

impl Program {
    fn new(path: impl Into<PathBuf>, arguments: &[&dyn AsRef<std::ffi::OsStr>]) -> Self {
        let arguments = arguments.iter().map(|argument| argument.as_ref().to_owned()).collect();
        Self { path: path.into(), arguments, threads: 2 }
    }

    fn threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }
}

/// What one run took.
#[derive(Clone, Copy)]
struct Usage {
    wall: f64,
    cpu: f64,
    /// In bytes.
    memory: f64,
}

fn measure(program: &Program) -> Result<Usage> {
    let mut command = Command::new(&program.path);
    command.args(&program.arguments).env("RAYON_NUM_THREADS", program.threads.to_string());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let child = command.spawn().map_err(|error| format!("{}: {error}", program.path.display()))?;
    let used = child.wait4()?;
    let wall = start.elapsed().as_secs_f64();
    // Linters exit with 1 when they have findings.
    if !matches!(used.status.code(), Some(0 | 1)) {
        return Err(format!("{}: {}", program.path.display(), used.status).into());
    }
    let cpu = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    Ok(Usage { wall, cpu, memory: used.rusage.maxrss as f64 })
}

/// The medians of two programs that ran in turn.
struct Pair {
    own: Usage,
    other: Usage,
    wall: f64,
    cpu: f64,
}

impl Pair {
    fn measure(own: &Program, other: &Program, pairs: usize) -> Result<Self> {
        // Once for the page cache.
        measure(own)?;
        measure(other)?;
        let mut runs = Vec::new();
        for _ in 0..pairs {
            runs.push((measure(own)?, measure(other)?));
        }
        let middle = |value: fn(&(Usage, Usage)) -> f64| median(runs.iter().map(value).collect());
        Ok(Self {
            own: Usage {
                wall: middle(|(own, _)| own.wall),
                cpu: middle(|(own, _)| own.cpu),
                memory: middle(|(own, _)| own.memory),
            },
            other: Usage {
                wall: middle(|(_, other)| other.wall),
                cpu: middle(|(_, other)| other.cpu),
                memory: middle(|(_, other)| other.memory),
            },
            wall: middle(|(own, other)| own.wall / other.wall),
            cpu: middle(|(own, other)| own.cpu / other.cpu.max(1e-6)),
        })
    }

    fn measured(&self) -> String {
        format!("{} and {}; CPU ratio {:.2}", self.own, self.other, self.cpu)
    }
}

impl std::fmt::Display for Usage {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { wall, cpu, memory } = self;
        write!(
            formatter,
            "{:.1} ms ({:.1} CPU, {:.1} MiB)",
            wall * 1e3,
            cpu * 1e3,
            memory / MEBIBYTE
        )
    }
}

/// Copies a program, as an installation does. The file that a linker has written is slower to map into memory.
fn installed(program: &Path, corpora: &Path) -> Result<PathBuf> {
    let folder = corpora.join("installed");
    let copy = folder.join(program.file_name().ok_or("a program")?);
    fs::create_dir_all(&folder)?;
    // A copy of an earlier run may be another program.
    if copy.exists() {
        fs::remove_file(&copy)?;
    }
    fs::copy(program, &copy)?;
    Ok(copy)
}

struct Bench<'o> {
    options: &'o Options,
    /// The program to measure.
    voxlint: PathBuf,
    /// The programs of this package.
    own: PathBuf,
    rows: Vec<Row>,
    missing: Vec<String>,
}

impl<'o> Bench<'o> {
    fn new(options: &'o Options) -> Result<Self> {
        Ok(Self {
            options,
            voxlint: installed(&options.voxlint, &options.corpora)?,
            own: build("baselines", "dist")?,
            rows: Vec::new(),
            missing: Vec::new(),
        })
    }

    /// Whether a row is wanted, and the program that it needs is installed.
    fn wants(&mut self, row: &str, peer: &str, install: &str) -> bool {
        if self.options.only.as_ref().is_some_and(|only| only != row) {
            return false;
        }
        let exists = first_line(peer, &["--version"]).is_some();
        if !exists {
            self.missing.push(format!("row {row}, because `{peer}` is not installed ({install})"));
        }
        exists
    }

    fn push(
        &mut self,
        number: &'static str,
        what: &'static str,
        yardstick: &str,
        limits: (f64, f64),
        ratio: f64,
        measured: String,
    ) {
        let (aim, stretch) = (Some(limits.0), Some(limits.1));
        let yardstick = yardstick.to_owned();
        let at_least = limits.0 < limits.1;
        eprintln!("row {number}: {ratio:.3} ({measured})");
        self.rows.push(Row { number, what, yardstick, aim, stretch, ratio, measured, at_least });
    }

    fn voxlint(&self, document: &Path) -> Program {
        Program::new(&self.voxlint, &[&"check", &document])
    }

    /// A file or folder of the corpora, which is generated when it is missing.
    fn corpus(&self, name: &str, generate: &dyn Fn(&Path) -> Result<()>) -> Result<PathBuf> {
        let path = self.options.corpora.join(name);
        if !path.exists() {
            eprintln!("generating {}", path.display());
            let unfinished = self.options.corpora.join("unfinished");
            fs::create_dir_all(&self.options.corpora)?;
            generate(&unfinished)?;
            fs::rename(unfinished, &path)?;
        }
        Ok(path)
    }

    fn files(&mut self) -> Result<()> {
        let folder = self.corpus("files", &|folder| {
            let corpus = Corpus::new(1);
            for number in 0..10_000 {
                let file = folder.join(corpus.path(number, Format::Json));
                fs::create_dir_all(file.parent().ok_or("a folder")?)?;
                fs::write(file, corpus.text(number, Format::Json))?;
            }
            Ok(())
        })?;
        let pairs = self.options.pairs;
        let own = self.voxlint(&folder);
        if self.wants("4", "rg", "cargo install ripgrep") {
            let peer = Program::new("rg", &[&"-c", &"--no-ignore", &"-j2", &r"\{\{", &folder]);
            let pair = Pair::measure(&own, &peer, pairs)?;
            self.push(
                "4",
                "10,000 files of 13 KB",
                r"`rg -c --no-ignore '\{\{'`",
                (1.0, 0.85),
                pair.wall,
                pair.measured(),
            );
        }
        if self.options.only.as_ref().is_none_or(|only| only == "5") {
            let peer = Program::new(self.own.join("read-loop"), &[&folder]);
            let pair = Pair::measure(&own, &peer, pairs)?;
            self.push(
                "5",
                "the same",
                "a loop that only reads the files",
                (2.5, 2.0),
                pair.wall,
                pair.measured(),
            );
        }
        Ok(())
    }

    fn one_file(&mut self) -> Result<()> {
        if self.options.only.as_ref().is_some_and(|only| only != "6") {
            return Ok(());
        }
        let file = self.corpus("agent.json", &|file| {
            Ok(fs::write(file, Corpus::clean(1).text(0, Format::Json))?)
        })?;
        let hello = installed(&self.own.join("hello"), &self.options.corpora)?;
        let hello = Program::new(hello, &[]);
        let pair = Pair::measure(&self.voxlint(&file), &hello, self.options.pairs * 20)?;
        self.push("6", "one file", "hello world in Rust", (1.3, 1.15), pair.wall, pair.measured());
        Ok(())
    }

    fn lines(&mut self) -> Result<()> {
        if self.options.only.as_ref().is_some_and(|only| only != "7" && only != "8") {
            return Ok(());
        }
        let file = self.corpus("export.ndjson", &|file| {
            let mut out = std::io::BufWriter::new(fs::File::create(file)?);
            for number in 0..100_000 {
                std::io::Write::write_all(
                    &mut out,
                    Corpus::new(2).text(number, Format::Line).as_bytes(),
                )?;
            }
            Ok(std::io::Write::flush(&mut out)?)
        })?;
        let pairs = self.options.pairs.div_ceil(3);
        let own = self.voxlint(&file);
        if self.wants("7", "wc", "it belongs to every Unix") {
            let pair = Pair::measure(&own, &Program::new("wc", &[&"-l", &file]), pairs)?;
            self.push(
                "7",
                "1.1 GB with 100,000 documents",
                "`wc -l`",
                (4.5, 3.5),
                pair.wall,
                pair.measured(),
            );
        }
        let pair = Pair::measure(&own.clone().threads(1), &own, pairs)?;
        self.push(
            "8",
            "the same, one thread",
            "two threads",
            (1.85, 1.95),
            pair.wall,
            pair.measured(),
        );
        let memory = pair.other.memory / MEBIBYTE;
        self.push(
            "8, memory",
            "MiB with two threads",
            "",
            (16.0, 8.0),
            memory,
            format!("{memory:.1} MiB"),
        );
        Ok(())
    }

    /// Documents that change the title of their stored configuration.
    fn plan(&mut self) -> Result<()> {
        if self.options.only.as_ref().is_some_and(|only| only != "14") {
            return Ok(());
        }
        let folder = self.corpus("fleet", &|folder| {
            let corpus = Corpus::clean(4);
            let settings =
                "root = true\n[[documents]]\nfiles = '*.json'\nstored = 'stored/{stem}.json'\n";
            fs::create_dir_all(folder)?;
            fs::write(folder.join("voxlint.toml"), settings)?;
            for number in 0..10_000 {
                let file = folder.join(corpus.path(number, Format::Json));
                let text = corpus.text(number, Format::Json);
                let name = file.file_name().ok_or("a name")?;
                let stored = file.parent().ok_or("a folder")?.join("stored");
                fs::create_dir_all(&stored)?;
                fs::write(stored.join(name), stored_configuration(number, &text)?)?;
                fs::write(&file, text)?;
            }
            Ok(())
        })?;
        let own = Program::new(&self.voxlint, &[&"plan", &folder]);
        let pair = Pair::measure(&own, &self.voxlint(&folder), self.options.pairs.div_ceil(2))?;
        self.push(
            "14",
            "a plan of 10,000 documents with stored configurations",
            "the check of the same",
            (4.0, 2.5),
            pair.wall,
            pair.measured(),
        );
        Ok(())
    }

    fn huge(&mut self) -> Result<()> {
        if !self.wants("9", "jsonschema-cli", "cargo install jsonschema-cli") {
            return Ok(());
        }
        let file = self.corpus("huge.json", &|file| {
            Ok(fs::write(file, Corpus::clean(3).huge(50_000_000, Format::Json))?)
        })?;
        let schema = self.options.corpora.join("update.schema.json");
        fs::write(
            &schema,
            Command::new(&self.voxlint).args(["schema", "update"]).output()?.stdout,
        )?;
        let peer =
            Program::new("jsonschema-cli", &[&"validate", &schema, &"--errors-only", &"-i", &file]);
        let pair = Pair::measure(&self.voxlint(&file), &peer, self.options.pairs.div_ceil(2))?;
        let ratio = pair.own.memory / fs::metadata(&file)?.len() as f64;
        self.push(
            "9",
            "one document of 50 MB",
            "jsonschema-cli with our schema",
            (0.3, 0.2),
            pair.wall,
            pair.measured(),
        );
        self.push(
            "9, memory",
            "its peak memory",
            "the file",
            (2.0, 1.6),
            ratio,
            format!("{:.0} MiB", pair.own.memory / MEBIBYTE),
        );
        Ok(())
    }
}

/// The state of a draft before an update: everything that the update says, with another title.
fn stored_configuration(number: usize, update: &str) -> Result<String> {
    let version = update.split_once("\"version_number\": ").ok_or("a version")?.1;
    let version = version.split(|char: char| !char.is_ascii_digit()).next().unwrap_or_default();
    let settings = update.replacen("\"title\": \"", "\"title\": \"Former ", 1);
    let settings = settings.replace("\"is_published\": true", "\"is_published\": false");
    Ok(format!(
        r#"{{
  "agent": {{ "id": "ag_{number}", "agent_type": "Single_Prompt_Agent", "versions": [{{ "version_number": {version}, "is_published": false }}] }},
  "version": {settings},
  "complete": true
}}"#
    ))
}
