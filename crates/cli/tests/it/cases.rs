//! The cases of `fixtures/cases/`: folders with input files, the lines of `command`, and `expected`, which is what they give.
//!
//! `UPDATE_PAGES=1` writes `expected`, and `CASE=plan/` runs only the cases whose names begin with it. A line of `command` is one of
//!
//! ```text
//! # a comment
//! files plan/fleet            begins with the files of another folder, and what its `start` or `command` does to them without runs
//! repository                  makes the folder a repository of its own, as far as voxlint looks
//! write agents/en.json        the lines after it that begin with `|` are the text
//! append agents/en.json       the same for what is added at its end
//! replace en.json 'from' 'to'
//! rm PATH · cp FROM TO · mv FROM TO · mkdir PATH · show PATH · link TARGET PATH · hard FROM TO
//! bytes PATH ff fe            their hexadecimal numbers
//! git ARGUMENTS               and `commit`, which begins a repository or adds a commit with everything
//! [in FOLDER] [NAME=VALUE] voxlint ARGUMENTS [| pick ROWS FIELDS]
//! way WORDS                   begins again with the folder as it was above the first way
//! finally                     the lines after it end each way
//! for NAME in WORDS           the lines up to `end`, with each word for `$NAME`; several names take several words
//! ```
//!
//! Lines with `|` after a command are its standard input. Of a run, `expected` has what it writes, its exit code unless that is 0, and the
//! files that it changed. `pick agents.* name outcome` shows these fields of each agent of a report in JSON, a line each, and the names in
//! [`PICKED`] what is mostly asked. `grep WORDS` shows the lines with these words, `head 2` the first lines, and `same` what differs from the run
//! before.
//! `[VERSION]` is the version of voxlint, and `[FOLDER]` the folder.

use std::collections::{BTreeMap, VecDeque};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::SystemTime;

use serde_json::Value;
use voxlint_testing::{changed_lines, repository, skip, without_undecided};

use crate::process::{commit, copy, folder, git, has_git, link, run_command, voxlint};

/// Fields that many cases pick: of the files of a check, of a prediction, of the agents of a plan, and of what differs from a saved plan.
const PICKED: [(&str, &str); 4] = [
    ("answers", "pick answers.* status phrase expected reasons.*.rule reasons.*.message"),
    (
        "files",
        "pick files.* path kind diagnostics.*.rule | pick skipped.* path why | pick failures.* path message",
    ),
    (
        "agents",
        "pick agents.* name outcome findings.*.rule findings.*.severity findings.*.others.* undecided.*.rule drift.*.field",
    ),
    ("differences", "pick changes.* change path | pick entries.* entry"),
];

/// The longest new file that is shown, in lines.
const SHOWN: usize = 30;

/// The texts of all files below a folder and when they were written, by their paths from there.
type Files = BTreeMap<String, (String, SystemTime)>;

/// The files below a folder, in which `/` separates names on every system. Bytes that are not text are escaped.
fn files_below(folder: &Path) -> Files {
    // What git stores is of no interest here.
    let is_seen = |entry: &walkdir::DirEntry| entry.file_name() != "objects";
    let entries = walkdir::WalkDir::new(folder).into_iter().filter_entry(is_seen);
    let entries = entries.map(|entry| entry.unwrap());
    let files = entries.filter(|entry| entry.file_type().is_file());
    let read = |entry: walkdir::DirEntry| {
        let path = entry.path().strip_prefix(folder).unwrap().to_str().unwrap().replace('\\', "/");
        let text = String::from_utf8(fs::read(entry.path()).unwrap());
        let text = text.unwrap_or_else(|error| error.as_bytes().escape_ascii().to_string());
        (path, (text, entry.metadata().unwrap().modified().unwrap()))
    };
    files.map(read).collect()
}

/// The words of a line, as a shell separates them.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut rest = line.chars();
    while let Some(next) = rest.next() {
        match (quote, next) {
            (None, ' ') => words.extend(word.take()),
            (None, '\'' | '"') => {
                quote = Some(next);
                word.get_or_insert_default();
            }
            (Some(open), _) if open == next => quote = None,
            (Some('"') | None, '\\') => word.get_or_insert_default().push(match rest.next() {
                Some('n') => '\n',
                Some('r') => '\r',
                Some('u') => {
                    let number: String = rest.by_ref().take_while(|next| *next != '}').collect();
                    let number = u32::from_str_radix(number.trim_start_matches('{'), 16).unwrap();
                    char::from_u32(number).unwrap()
                }
                Some('t') => '\t',
                other => other.expect("a character after a backslash"),
            }),
            _ => word.get_or_insert_default().push(next),
        }
    }
    assert!(quote.is_none(), "a quote does not end: {line}");
    words.extend(word);
    words
}

/// A command with the text below it.
struct Step {
    line: String,
    text: String,
}

/// The lines of a command with loops written out, up to the end of the loop that they are in.
fn written_out(lines: &mut VecDeque<&str>) -> Vec<String> {
    let mut all = Vec::new();
    while let Some(line) = lines.pop_front().filter(|line| *line != "end") {
        let Some((names, values)) =
            line.strip_prefix("for ").and_then(|line| line.split_once(" in "))
        else {
            all.push(line.to_owned());
            continue;
        };
        let names: Vec<String> = names.split(' ').map(|name| format!("${name}")).collect();
        let body = written_out(lines);
        for values in words(values).chunks(names.len()) {
            let of_values = |line: &String| {
                let pairs = names.iter().zip(values);
                pairs.fold(line.clone(), |line, (name, value)| line.replace(name, value))
            };
            all.extend(body.iter().map(of_values));
        }
    }
    all
}

fn steps(command: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut lines = command.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    for line in written_out(&mut lines.by_ref().collect()) {
        if let Some(text) = line.strip_prefix('|') {
            let step = steps.last_mut().expect("a command above its text");
            step.text += text.strip_prefix(' ').unwrap_or(text);
            step.text.push('\n');
        } else {
            steps.push(Step { line, text: String::new() });
        }
    }
    steps
}

/// Where the cases are, the folder in which one runs, what is said so far, and what the last run said.
struct Run<'r> {
    cases: &'r Path,
    folder: PathBuf,
    said: String,
    last: String,
}

impl Run<'_> {
    fn write(&self, path: &str, text: &str) {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Makes the files of a case, or of a folder that is none.
    fn begin(&mut self, name: &str, runs: bool) {
        let own = self.cases.join(name);
        assert!(own.is_dir(), "there is no folder {name}");
        let mut files = files_below(&own);
        let command = files.remove("command").or(files.remove("start"));
        let command = command.map(|(text, _)| text).unwrap_or_default();
        files.remove("expected");
        let command = command.replace("[VERSION]", env!("CARGO_PKG_VERSION"));
        let command = command.replace("[FOLDER]", self.folder.to_str().unwrap());
        let steps = steps(&command);
        let (first, rest) = steps.split_at(usize::from(
            steps.first().is_some_and(|step| step.line.starts_with("files ")),
        ));
        for step in first {
            self.begin(step.line.split_at("files ".len()).1, false);
        }
        for (path, (text, _)) in files {
            self.write(&path, &text);
        }
        let at = |line: &str, steps: &[Step]| {
            steps.iter().position(|step| step.line.starts_with(line)).unwrap_or(steps.len())
        };
        let (start, ways) = rest.split_at(at("way ", rest));
        for step in start.iter().filter(|it| runs || !words(&it.line).contains(&"voxlint".into())) {
            self.step(step);
        }
        if ways.is_empty() || !runs {
            return;
        }
        let (ways, last) = ways.split_at(at("finally", ways));
        let start = folder(&format!("starts/{name}"), &[] as &[(&str, &str)]);
        copy(&self.folder, &start);
        let is_first = |step: &Step| step.line.starts_with("way ");
        for way in ways.chunk_by(|_, next| !is_first(next)) {
            fs::remove_dir_all(&self.folder).unwrap();
            copy(&start, &self.folder);
            let name = self.shown(&way[0].line.as_bytes()["way ".len()..]);
            let _ = writeln!(self.said, "== {name}");
            way.iter()
                .chain(last)
                .filter(|it| !is_first(it) && it.line != "finally")
                .for_each(|it| self.step(it));
        }
    }

    fn step(&mut self, step: &Step) {
        let words = words(&step.line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let at = |path: &str| self.folder.join(path);
        match *words {
            ["repository"] => self.write(".git/HEAD", "ref: refs/heads/main\n"),
            ["write", path] => self.write(path, &step.text),
            ["append", path] => {
                let text = fs::read_to_string(at(path)).unwrap_or_default();
                self.write(path, &(text + &step.text));
            }
            ["link", target, path] => {
                fs::create_dir_all(at(path).parent().unwrap()).unwrap();
                link(target, &at(path));
            }
            ["bytes", path, ref bytes @ ..] => {
                let bytes = bytes.iter().map(|byte| u8::from_str_radix(byte, 16).unwrap());
                fs::write(at(path), bytes.collect::<Vec<_>>()).unwrap();
            }
            ["hard", from, to] => fs::hard_link(at(from), at(to)).unwrap(),
            ["commit"] => drop(commit(&self.folder)),
            ["git", ref arguments @ ..] => drop(git(&self.folder, arguments)),
            ["replace", path, from, to] => {
                let text = fs::read_to_string(at(path)).unwrap();
                assert!(text.contains(from), "{path} does not contain {from}");
                self.write(path, &text.replace(from, to));
            }
            ["rm", path] if at(path).is_dir() => fs::remove_dir_all(at(path)).unwrap(),
            ["rm", path] => fs::remove_file(at(path)).unwrap(),
            ["cp", from, to] => self.write(to, &fs::read_to_string(at(from)).unwrap()),
            ["mv", from, to] => fs::rename(at(from), at(to)).unwrap(),
            ["mkdir", path] => fs::create_dir_all(at(path)).unwrap(),
            ["show", path] => {
                let text = fs::read_to_string(at(path)).unwrap();
                let _ = writeln!(self.said, "$ {}\n{}", step.line, seen(&text));
            }
            _ => self.run(step, words.into()),
        }
    }

    fn run(&mut self, step: &Step, mut words: VecDeque<&str>) {
        let mut from = self.folder.clone();
        if words.front() == Some(&"in") {
            from.push(words[1]);
            words.drain(..2);
        }
        let mut environment = Vec::new();
        while let Some(variable) = words.front().and_then(|word| word.split_once('=')) {
            environment.push(variable);
            words.pop_front();
        }
        assert_eq!(words.pop_front(), Some("voxlint"), "not a command: {}", step.line);
        let arguments: Vec<&str> = words.iter().take_while(|word| **word != "|").copied().collect();
        let picked = step.line.split_once(" | ").map(|(_, picked)| picked);
        let before = files_below(&self.folder);
        let mut command = voxlint(&from, &arguments);
        let output = run_command(command.envs(environment), &step.text);
        let (stdout, stderr) = (self.shown(&output.stdout), self.shown(&output.stderr));
        let line = self.shown(step.line.as_bytes());
        let all = format!("{stdout}\n{stderr}\n{:?}\n", output.status.code());
        let former = std::mem::replace(&mut self.last, all);
        let said = &mut self.said;
        let _ = writeln!(said, "$ {line}");
        let mut stderr: Vec<&str> = stderr.lines().collect();
        match picked {
            None => said.push_str(&stdout),
            Some("same") => {
                stderr.clear();
                said.push_str(&changed_lines(&former, &self.last));
            }
            Some(picked) if picked.starts_with("grep ") => {
                let words = picked.split_at("grep ".len()).1;
                stderr.retain(|line| line.contains(words));
                let lines = stdout.lines().filter(|line| line.contains(words));
                lines.for_each(|line| said.extend([line, "\n"]));
            }
            Some(picked) if picked.starts_with("head ") => {
                let count = picked.split_at("head ".len()).1.parse().unwrap();
                stderr.truncate(count);
                stdout.lines().take(count).for_each(|line| said.extend([line, "\n"]));
            }
            Some(picked) => {
                let picked =
                    PICKED.iter().find(|(name, _)| *name == picked).map_or(picked, |it| it.1);
                picked.split(" | ").for_each(|fields| pick(said, &stdout, fields));
            }
        }
        for line in stderr {
            let _ = writeln!(said, "! {}", without_undecided(line));
        }
        match output.status.code() {
            Some(0) => {}
            Some(code) => drop(writeln!(said, "exit code {code}")),
            None => panic!("{}: {}", step.line, output.status),
        }
        let after = files_below(&self.folder);
        for path in before.keys().filter(|path| !after.contains_key(*path)) {
            let _ = writeln!(said, "deleted {path}");
        }
        let is_kept = |path: &str, now| before.get(path).is_some_and(|former| former == now);
        for (path, (text, _)) in after.iter().filter(|(path, now)| !is_kept(path, *now)) {
            let text = self.shown(text.as_bytes());
            let former = before.get(path).map(|(text, _)| self.shown(text.as_bytes()));
            let _ = match former {
                None if text.lines().count() > SHOWN => {
                    writeln!(self.said, "new {path}, {} lines", text.lines().count())
                }
                None => writeln!(self.said, "new {path}\n{}", seen(&text)),
                Some(former) if former != text => {
                    let lines = changed_lines(&former, &text);
                    writeln!(self.said, "changed {path}\n{}", lines.trim_end())
                }
                Some(_) => writeln!(self.said, "written as it was {path}"),
            };
        }
        self.said.push('\n');
    }

    /// What is written, without what depends on the machine and the version.
    fn shown(&self, bytes: &[u8]) -> String {
        let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
        let folder = self.folder.to_str().unwrap();
        let text = text.replace(folder, "[FOLDER]").replace(env!("CARGO_PKG_VERSION"), "[VERSION]");
        text.chars().map(voxlint_testing::visible_in_lines).collect()
    }
}

/// A text of a file, whose end of line shows whether it has one.
fn seen(text: &str) -> String {
    let lines = text.lines().map(|line| format!("| {line}")).collect::<Vec<_>>().join("\n");
    if text.ends_with('\n') || text.is_empty() { lines } else { lines + " (no end of line)" }
}

/// Shows fields of the rows of a report in JSON.
fn pick(said: &mut String, report: &str, picked: &str) {
    let mut words = picked.split(' ');
    assert_eq!(words.next(), Some("pick"), "not a filter: {picked}");
    let rows = words.next().unwrap();
    // A run that failed may have none.
    if report.is_empty() {
        return;
    }
    let report: Value =
        serde_json::from_str(report).unwrap_or_else(|error| panic!("{error}: {report}"));
    for row in at(&report, rows) {
        let fields: Vec<&Value> = words.clone().flat_map(|field| at(row, field)).collect();
        let fields = if words.clone().next().is_none() { vec![row] } else { fields };
        let shown = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let fields: Vec<String> = fields.into_iter().map(shown).collect();
        let _ = writeln!(said, "{}", fields.join(" · "));
    }
}

/// The values at a path, in which `*` is every item.
fn at<'v>(value: &'v Value, path: &str) -> Vec<&'v Value> {
    path.split('.').filter(|name| !name.is_empty()).fold(vec![value], |values, name| {
        let below = |value: &'v Value| -> Vec<&'v Value> {
            match (name, value) {
                ("*", Value::Array(items)) => items.iter().collect(),
                ("*", Value::Object(members)) => members.values().collect(),
                _ => vec![name.parse().map_or(&value[name], |index: usize| &value[index])],
            }
        };
        values.into_iter().flat_map(below).collect()
    })
}

/// What a case says now.
fn said(cases: &Path, name: &str) -> String {
    let folder = folder(&format!("cases/{name}"), &[] as &[(&str, &str)]);
    let mut run = Run { cases, folder, said: String::new(), last: String::new() };
    run.begin(name, true);
    run.said.trim_end().to_owned() + "\n"
}

/// What this machine lacks for a case, if anything.
fn missing(cases: &Path, name: &str) -> Option<&'static str> {
    let read = |file| fs::read_to_string(cases.join(name).join(file));
    let command = read("command").or(read("start")).unwrap_or_default();
    let has = |word: &str| command.lines().any(|line| line.split(' ').next() == Some(word));
    let start = command.strip_prefix("files ").and_then(|rest| rest.lines().next());
    let of_start = start.and_then(|start| missing(cases, start));
    let no_links = (has("link") && !cfg!(unix)).then_some("there are no links");
    let no_git = || ((has("git") || has("commit")) && !has_git()).then_some("git is not installed");
    of_start.or(no_links).or_else(no_git)
}

/// What is wrong with a case, if anything.
fn wrong(cases: &Path, name: &str, updates: bool) -> Option<String> {
    let expected = cases.join(name).join("expected");
    if let Some(missing) = missing(cases, name) {
        skip(&format!("{name}: {missing}"));
        return None;
    }
    let said = thread::scope(|scope| {
        let named = thread::Builder::new().name(name.to_owned());
        named.spawn_scoped(scope, || said(cases, name)).unwrap().join()
    });
    let Ok(said) = said else { return Some(format!("{name} cannot be run: see above\n")) };
    if updates {
        fs::write(&expected, said).unwrap();
        return None;
    }
    let expected = fs::read_to_string(expected).unwrap_or_default();
    (said != expected).then(|| format!("{name}:\n{}", changed_lines(&expected, &said)))
}

#[test]
fn every_case_gives_what_it_expects() {
    let cases = repository().join("fixtures/cases");
    let files = files_below(&cases);
    let names = files.keys().filter_map(|path| path.strip_suffix("/command"));
    let asked = env::var("CASE").unwrap_or_default();
    let names: VecDeque<&str> = names.filter(|name| name.starts_with(&asked)).collect();
    assert!(!names.is_empty(), "no case begins with {asked}");
    let updates = env::var_os("UPDATE_PAGES").is_some();
    let left = Mutex::new(names);
    let wrongs = Mutex::new(Vec::new());
    let next = || left.lock().unwrap().pop_front();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(name) = next() {
                    let found = wrong(&cases, name, updates);
                    wrongs.lock().unwrap().extend(found);
                }
            });
        }
    });
    let wrongs = wrongs.into_inner().unwrap();
    let how = "UPDATE_PAGES=1 writes what they give now; read `git diff` afterwards";
    assert!(wrongs.is_empty(), "{} cases differ ({how}):\n\n{}", wrongs.len(), wrongs.join("\n"));
}

#[test]
fn a_case_with_another_output_file_or_exit_code_fails() {
    let document = "{ \"version_number\": 3, \"titel\": \"Desk\" }\n";
    let commands = "# Fixes a name.\nvoxlint check en.json --fix --unsafe-fixes -q\n\nvoxlint check -q --strict\n| unread\n\n\
                    replace en.json 3 x\nvoxlint check --format json | pick files.* path diagnostics.*.rule\n";
    let right = "$ voxlint check en.json --fix --unsafe-fixes -q\nchanged en.json\n\
                 - { \"version_number\": 3, \"titel\": \"Desk\" }\n+ { \"version_number\": 3, \"title\": \"Desk\" }\n\n\
                 $ voxlint check -q --strict\n\n\
                 $ voxlint check --format json | pick files.* path diagnostics.*.rule\nen.json · syntax-error\n! 1 error in 1 document\nexit code 1\n";
    let differs = |command: &str, expected: &str| {
        let files =
            [("one/en.json", document), ("one/command", command), ("one/expected", expected)];
        wrong(&folder("cases-of-a-test", &files), "one", false)
    };
    assert_eq!(differs(commands, right), None);
    for (from, to) in [
        ("title", "titel"),
        ("changed", "new"),
        ("exit code 1\n", ""),
        ("syntax-error", "out-of-range"),
        ("! 1 error", "! 2 errors"),
        (right, ""),
    ] {
        let told = differs(commands, &right.replacen(from, to, 1));
        assert!(told.is_some_and(|it| it.starts_with("one:\n")), "{from}");
    }
    for command in [
        "voxlnt check",
        "replace en.json 4 5",
        "write",
        "files two",
        "| text",
        "rm no.json",
        "voxlint 'a",
    ] {
        let told = differs(command, "");
        assert!(told.is_some_and(|it| it.contains("cannot be run")), "{command}");
    }
}
