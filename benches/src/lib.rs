//! What the comparing programs share: a table of ratios, and the page that it is written to.

use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// What goes wrong is told to the person at the terminal.
pub type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// Builds a package of the folder `benches` with a profile. It is built by itself, so that no other package adds features to
/// its dependencies. Returns the folder of its programs.
pub fn build(package: &str, profile: &str) -> Result<PathBuf> {
    let manifest = repository().join("benches/Cargo.toml");
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["build", "--profile", profile, "--locked", "--quiet", "--package", package]);
    run(cargo.arg("--manifest-path").arg(&manifest))?;
    let target = env::var_os("CARGO_TARGET_DIR");
    let target = target.map_or_else(|| repository().join("benches/target"), PathBuf::from);
    Ok(target.join(profile))
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Result<()> {
    let status = command.status().map_err(|error| format!("{command:?}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{command:?}: {status}").into()) }
}

/// The first line that a command writes, or nothing if it cannot be run.
pub fn first_line(program: impl AsRef<Path>, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program.as_ref()).args(arguments).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().next().map(str::to_owned)
}

/// The middle of the values. Of an even number it is the upper one.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A comparison of two things.
pub struct Row {
    /// The number of the aim, with what distinguishes several measurements for it.
    pub number: &'static str,
    pub what: &'static str,
    pub yardstick: String,
    /// The largest ratio that the project wants to reach, or nothing where the row only informs.
    pub aim: Option<f64>,
    pub stretch: Option<f64>,
    /// The median of the ratios of all rounds.
    pub ratio: f64,
    /// What was measured in absolute terms.
    pub measured: String,
    /// Larger is better.
    pub at_least: bool,
}

impl Row {
    fn verdict(&self) -> &'static str {
        let reaches =
            |limit: Option<f64>| {
                limit.is_some_and(|limit| {
                    if self.at_least { self.ratio >= limit } else { self.ratio <= limit }
                })
            };
        match () {
            () if self.aim.is_none() => "",
            () if reaches(self.stretch) => "stretch",
            () if reaches(self.aim) => "yes",
            () => "no",
        }
    }
}

/// The rows as a Markdown table.
pub fn table(rows: &[Row]) -> String {
    let mut table = "| # | what | yardstick | ratio | aim | stretch | reached | measured |\n\
                     |---|---|---|---|---|---|---|---|\n"
        .to_owned();
    let limit = |limit: Option<f64>| limit.map_or(String::new(), |limit| limit.to_string());
    for row in rows {
        let ratio =
            if row.ratio < 0.1 { format!("{:.4}", row.ratio) } else { format!("{:.2}", row.ratio) };
        let _ = writeln!(
            table,
            "| {} | {} | {} | **{ratio}** | {} | {} | {} | {} |",
            row.number,
            row.what,
            row.yardstick,
            limit(row.aim),
            limit(row.stretch),
            row.verdict(),
            row.measured,
        );
    }
    table
}

/// Where and when something was measured.
pub fn conditions() -> String {
    let read = |path| fs::read_to_string(path).unwrap_or_default();
    let processors = read("/proc/cpuinfo");
    let model =
        processors.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    let cores = std::thread::available_parallelism().map_or(0, usize::from);
    let date = first_line("date", &["-u", "+%F"]).unwrap_or_default();
    let kernel = first_line("uname", &["-sr"]).unwrap_or_default();
    let compiler = first_line("rustc", &["--version"]).unwrap_or_default();
    let commit = first_line("git", &["rev-parse", "--short", "HEAD"]).unwrap_or_default();
    let load = read("/proc/loadavg").split(' ').next().unwrap_or_default().to_owned();
    format!(
        "Measured on {date} at commit {commit}: {}, {cores} cores, {kernel}, {compiler}. Load average before: {load}.\n",
        model.unwrap_or("unknown processor")
    )
}

/// Replaces the part of `docs/performance.md` between two comments that name the section.
pub fn update_page(section: &str, text: &str) -> Result<()> {
    let path = repository().join("docs/performance.md");
    let page = fs::read_to_string(&path)?;
    let (start, end) = (format!("<!-- {section} -->\n"), format!("<!-- end of {section} -->"));
    let from = page.find(&start).ok_or(format!("no {start} in the page"))? + start.len();
    let to = page[from..].find(&end).ok_or(format!("no {end} in the page"))? + from;
    Ok(fs::write(path, format!("{}\n{text}\n{}", &page[..from], &page[to..]))?)
}
