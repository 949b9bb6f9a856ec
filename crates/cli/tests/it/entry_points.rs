//! Random trees of documents, streams, text files, stored configurations and ignore files: everything in them is accounted for, and
//! every entry point (walk, named files, hook in one or several runs, standard input, library) has the same findings.
//!
//! `VOXLINT_CASES` sets how many documents are tried.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;

use crate::process::{folder, run, stderr, stdout, voxlint};
use serde_json::Value;
use voxlint::schema::settings;
use voxlint::syntax::Format;
use voxlint::{Document, DocumentKind, Inputs, Report, Source, Stored, TextFile, check};
use voxlint_testing::generated_inputs::Random;

/// Endings of the names of text files. Only the first one is the ending of a document.
const TEXT_ENDS: [&str; 3] = [".prompt.hbs", ".md", ".txt"];

/// Agent documents and other documents, valid and broken.
const DOCUMENTS: [&str; 14] = [
    r#"{ "version_number": 3, "kb_max_chunks": 3 }"#,
    r#"{ "version_number": 3, "title": "Front desk" }"#,
    r#"{ "version_number": 3, "kb_max_chunks": 12 }"#,
    r#"{ "version_number": 3, "titel": "Front desk" }"#,
    r#"{ "version_number": 3, "welcome_message": "Hi {{x" }"#,
    r#"{ "version_number": 3, "kb_max_chunks": 12,, }"#,
    r#"{ "version_number": 3, "kb_max_chunks": 12, "titel": "cut"#,
    r#"{ "kb_max_chunks": 12, "end_call_on_silence_sec": "x" }"#,
    r#"{ "statusCode": 400, "error": "Bad Request", "message": "no" }"#,
    r#"{ "id": "ag_1", "agent_type": "Single_Prompt_Agent", "current_version_number": "x", "versions": [] }"#,
    r#"{ "name": "shop", "scripts": {} }"#,
    r#"{ "level": "info" }"#,
    "7",
    "[1, 2]",
];

const TOML: [&str; 4] = [
    "version_number = 3\nkb_max_chunks = 12\n",
    "version_number = 3\nprompt_text = \"Hi {{x\"\nkb_max_chunks = 3\n",
    "version_number = = 3\nkb_max_chunks = 3\n",
    "[package]\nname = \"shop\"\n",
];

const TEXTS: [&str; 4] = ["Hello {{name}}\n", "Hello {{name\n", "{{#if a}}\n", "plain\n"];

const STORED: &str = r#"{ "version_number": 3, "is_published": false, "kb_max_chunks": 3 }"#;

const FOLDERS: [&str; 4] = ["", "agents/", "agents/deep/", "other agents/"];

/// A link to the folder of agents.
const LINK: &str = "linked";

/// A tree of files, and which of them a run over it sees.
struct Tree {
    /// The ending of the names of its text files, and whether they are excluded.
    text_end: &'static str,
    excludes_texts: bool,
    files: BTreeMap<String, String>,
    ignored: BTreeSet<String>,
    excluded: BTreeSet<String>,
}

impl Tree {
    fn any(random: &mut Random) -> Self {
        let mut tree = Self {
            text_end: TEXT_ENDS[random.below(TEXT_ENDS.len())],
            excludes_texts: random.percent(30),
            files: BTreeMap::new(),
            ignored: BTreeSet::new(),
            excluded: BTreeSet::new(),
        };
        let text_end = tree.text_end;
        for number in 0..10 + random.below(20) {
            let stem = format!("{}d{number}", random.pick(&FOLDERS));
            let (stem, name, text) = match random.below(12) {
                0 => (stem.clone(), format!("{stem}.toml"), random.pick(&TOML).to_owned()),
                1 | 2 => {
                    let count = random.below(6);
                    let lines = some(random, count, "\n");
                    (stem.clone(), format!("{stem}.ndjson"), lines)
                }
                3 | 4 => {
                    let count = 1 + random.below(4);
                    let stream = some(random, count, "\n---\n");
                    (stem.clone(), format!("{stem}.yaml"), stream)
                }
                5 => (stem.clone(), format!("{stem}{text_end}"), random.pick(&TEXTS).to_owned()),
                6 => {
                    let stem = format!("{stem}.draft");
                    tree.excluded.insert(format!("{stem}.json"));
                    (stem.clone(), format!("{stem}.json"), some(random, 1, ""))
                }
                7 => {
                    let stem = format!("{stem}.local");
                    tree.ignored.insert(format!("{stem}.json"));
                    (stem.clone(), format!("{stem}.json"), some(random, 1, ""))
                }
                _ => (stem.clone(), format!("{stem}.json"), some(random, 1, "")),
            };
            tree.files.insert(name, text);
            if random.percent(40) {
                let text = random.pick(&TEXTS).to_owned();
                tree.files.entry(format!("{stem}{text_end}")).or_insert(text);
            }
            if random.percent(25) {
                tree.files.insert(format!("{stem}.stored.json"), STORED.to_owned());
            }
        }
        tree
    }

    fn configuration(&self) -> String {
        let Self { text_end, excludes_texts, .. } = self;
        let texts = if *excludes_texts { format!(", \"*{text_end}\"") } else { String::new() };
        format!(
            "exclude = [\"*.draft.json\"{texts}]\n[[documents]]\nfiles = \"**\"\n\
             stored = \"{{stem}}.stored.json\"\ntext_files = {{ prompt_text = \"{{stem}}{text_end}\" }}\n"
        )
    }

    /// Whether its text files have the names of templates, and would be found without a document.
    fn names_templates(&self) -> bool {
        self.text_end == TEXT_ENDS[0]
    }

    fn is_text(&self, name: &str) -> bool {
        name.ends_with(self.text_end)
    }

    /// Whether there is a document in the tree that would be checked with a file.
    fn has_owner(&self, name: &str) -> bool {
        let stem = name.trim_end_matches(self.text_end).trim_end_matches(".stored.json");
        let others = ["json", "yaml", "toml", "ndjson"].map(|it| format!("{stem}.{it}"));
        others.iter().any(|it| {
            let is_left_out = self.ignored.contains(it) || self.excluded.contains(it);
            self.files.contains_key(it) && !is_left_out
        })
    }

    /// Whether a file is checked as a document.
    fn is_document(&self, name: &str) -> bool {
        let takes_texts = !self.excludes_texts && self.names_templates();
        !self.excluded.contains(name) && (takes_texts || !self.is_text(name))
    }

    /// Whether a run over the folder accounts for a file.
    fn is_listed(&self, name: &str) -> bool {
        self.names_templates() || !self.is_text(name) || self.has_owner(name)
    }

    /// The files that are there for a run, excluded or not.
    fn seen(&self) -> impl Iterator<Item = &str> {
        self.files.keys().filter(|name| !self.ignored.contains(*name)).map(|name| &**name)
    }

    /// The findings of the library in all documents, and the number of the documents.
    fn expected(&self) -> (Vec<Finding>, usize) {
        let mut expected = Expected::default();
        let mut used = BTreeSet::new();
        let is_related = |name: &str| self.is_text(name) || name.ends_with(".stored.json");
        let belongs = |name: &str| is_related(name) && self.has_owner(name);
        for name in self.seen().filter(|name| self.is_document(name) && !belongs(name)) {
            self.expect(name, &mut expected, &mut used);
        }
        // The texts of documents are checked whatever they are called.
        let is_checked = |name: &str| self.is_text(name) || self.is_document(name);
        for name in self.seen().filter(|name| belongs(name) && is_checked(name)) {
            if !used.contains(name) {
                self.expect(name, &mut expected, &mut used);
            }
        }
        expected.findings.sort();
        (expected.findings, expected.documents)
    }

    fn expect(&self, name: &str, expected: &mut Expected, used: &mut BTreeSet<String>) {
        let text = self.files[name].as_bytes();
        let (stem, extension) = name.rsplit_once('.').unwrap();
        let format = match extension {
            "yaml" => Format::Yaml,
            "toml" => Format::Toml,
            "hbs" | "md" | "txt" => Format::Text,
            _ => Format::Json,
        };
        let sources: Vec<Source> = match extension {
            "ndjson" => text
                .split(|byte| *byte == b'\n')
                .filter(|line| !line.trim_ascii().is_empty())
                .map(Source::line)
                .collect(),
            _ => vec![Source::from_bytes(text)],
        };
        let documents: Vec<Document> =
            sources.into_iter().flat_map(|source| Document::parse_all(source, format)).collect();
        let kinds: Vec<_> = documents.iter().map(Document::recognise).collect();
        let is_update = kinds.iter().flatten().any(|kind| kind.has_settings());
        let others = is_update.then_some(DocumentKind::Update);
        let is_one = extension != "ndjson" && documents.len() == 1;
        for (index, (document, kind)) in documents.iter().zip(kinds).enumerate() {
            let Some(kind) = kind.or(others) else { continue };
            let inputs = Inputs::new(document.clone()).kind(kind);
            let related = |name: String| {
                let text = self.files.get(&name).filter(|_| is_one && format != Format::Text)?;
                Some((name, Source::from(&**text)))
            };
            let held = related(format!("{stem}.stored.json"));
            let stored = held.as_ref().map(|(_, text)| Stored::new(Document::parse(text.clone())));
            let prompt = related(format!("{stem}{}", self.text_end));
            let row = settings::prompt_text.row;
            let text = |it: &Source| Document::parse_as(it.clone(), Format::Text);
            let texts: Vec<_> = prompt.iter().map(|(_, it)| TextFile::new(row, text(it))).collect();
            let inputs = inputs.texts(texts).stored(stored);
            if kind.has_settings() {
                used.extend(held.iter().map(|(name, _)| name.clone()));
                let gives_it = document.tree().root().is_some_and(|it| it.get(row.name).is_some());
                let taken = prompt.iter().filter(|_| !gives_it);
                used.extend(taken.map(|(name, _)| name.clone()));
            }
            expected.add(name, (!is_one).then_some(index as u64), &check(&inputs));
        }
    }
}

/// Some documents, with blank lines between them now and then.
fn some(random: &mut Random, count: usize, between: &str) -> String {
    let mut text = String::new();
    for index in 0..count {
        if index > 0 {
            text.push_str(between);
        }
        text.push_str(random.pick(&DOCUMENTS));
        if between == "\n" && random.percent(10) {
            text.push('\n');
        }
    }
    if random.percent(90) { text + "\n" } else { text }
}

/// A finding: its document, the record, the rule and the field.
type Finding = (String, Option<u64>, String, String);

#[derive(Default)]
struct Expected {
    findings: Vec<Finding>,
    documents: usize,
}

impl Expected {
    fn add(&mut self, name: &str, record: Option<u64>, report: &Report) {
        self.documents += 1;
        let of =
            |rule: &str, field: &str| (name.to_owned(), record, rule.to_owned(), field.to_owned());
        self.findings.extend(report.diagnostics.iter().map(|it| of(&it.rule.id, &it.field)));
    }
}

/// The findings of a run, and its report.
fn findings(folder: &Path, arguments: &[&str], input: Option<&str>) -> (Vec<Finding>, Value) {
    let fixed = ["check", "--format", "json", "--allow-empty"];
    let mut command = voxlint(folder, &[&fixed[..], arguments].concat());
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.unwrap_or_default().as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_ne!(output.status.code(), Some(2), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut found = Vec::new();
    for file in report["files"].as_array().unwrap() {
        for it in file["diagnostics"].as_array().unwrap() {
            let record = it["record"].as_u64();
            found.push((text(&file["path"]), record, text(&it["rule"]), text(&it["field"])));
        }
    }
    found.sort();
    (found, report)
}

fn paths(report: &Value, of: &str) -> BTreeSet<String> {
    let entries = report[of].as_array().unwrap().iter();
    entries.map(|entry| entry["path"].as_str().unwrap().to_owned()).collect()
}

/// Links to the folder of agents, if there is one. Returns whether it could.
fn link(repository: &Path) -> bool {
    #[cfg(unix)]
    if repository.join("agents").is_dir() {
        return std::os::unix::fs::symlink("agents", repository.join(LINK)).is_ok();
    }
    let _ = repository;
    false
}

/// Tries one tree and returns the number of its documents.
fn holds(random: &mut Random) -> usize {
    let tree = Tree::any(random);
    let mut files: Vec<(String, String)> = vec![
        // Above the root of the repository.
        (".gitignore".to_owned(), "*\n".to_owned()),
        ("repo/.git/HEAD".to_owned(), "ref: refs/heads/main\n".to_owned()),
        ("repo/.gitignore".to_owned(), "*.local.json\n".to_owned()),
        ("repo/voxlint.toml".to_owned(), tree.configuration()),
    ];
    let own = tree.files.iter().map(|(name, text)| (format!("repo/{name}"), text.clone()));
    files.extend(own);
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let repository = folder("every-way-in", &files).join("repo");
    let is_linked = link(&repository);

    let (expected, documents) = tree.expected();
    let (walked, report) = findings(&repository, &[], None);
    assert_eq!(walked, expected, "the library and a walk");
    assert_eq!(report["summary"]["documents"], documents);

    // Every file is listed once.
    let listing = run(&repository, &["check", "-q", "--show-files", "--allow-empty"]);
    let listed: Vec<&str> = stderr(&listing)
        .lines()
        // What is never visited is listed, but it is not in the account.
        .filter(|line| {
            let reasons = [": listed in .gitignore", ": unknown extension", ": hidden"];
            !reasons.iter().any(|reason| line.ends_with(reason))
        })
        .map(|line| line["checked ".len()..].split_once(": ").unwrap().0)
        .collect();
    let is_above = |it: &&str| !it.contains('/');
    let seen: Vec<&str> = tree.seen().collect();
    let mut expected_list: Vec<&str> =
        seen.iter().copied().filter(|name| tree.is_listed(name)).collect();
    expected_list.extend(is_linked.then_some(LINK));
    expected_list.sort_unstable();
    let mut sorted = listed.clone();
    sorted.sort_unstable();
    assert_eq!(
        sorted,
        expected_list,
        "{} at the top",
        listed.iter().copied().filter(is_above).count()
    );

    // Named, without what only a name makes a document, and what only a document makes a text.
    let checked = paths(&report, "files");
    let skipped = paths(&report, "skipped");
    let is_whole =
        |path: &String| !skipped.contains(path) && (tree.names_templates() || !tree.is_text(path));
    let whole: Vec<&str> =
        checked.iter().filter(|path| is_whole(path)).map(|path| &**path).collect();
    if !whole.is_empty() {
        let of_whole: Vec<Finding> =
            expected.iter().filter(|found| whole.contains(&&*found.0)).cloned().collect();
        let (mut named, _) = findings(&repository, &whole, None);
        named.retain(|found| whole.contains(&&*found.0));
        assert_eq!(named, of_whole, "a walk and named files");
        let one = whole[random.below(whole.len())];
        let of_one: Vec<Finding> =
            expected.iter().filter(|found| found.0 == one).cloned().collect();
        let (named, _) = findings(&repository, &[one], None);
        let of_it: Vec<Finding> = named.iter().filter(|found| found.0 == one).cloned().collect();
        assert_eq!(of_it, of_one, "a walk and a named file");
        let stdin = ["--stdin-filename", one];
        let (read, _) = findings(&repository, &stdin, Some(&tree.files[one]));
        assert_eq!(read, named, "a named file and standard input");
        if let Some(inner) = one.strip_prefix("agents/").filter(|_| is_linked) {
            let (mut behind, _) = findings(&repository, &[&format!("{LINK}/{inner}")], None);
            for found in &mut behind {
                found.0 = found.0.replacen(LINK, "agents", 1);
            }
            assert_eq!(behind, named, "a named file and the same behind a link");
        }
    }

    // The hook, in one run and in two.
    let hook = ["--force-exclude", "--only-documents"];
    let (found, _) = findings(&repository, &[&hook[..], &seen].concat(), None);
    assert_eq!(found, expected, "a walk and the hook");
    let (left, right): (Vec<&str>, Vec<&str>) = seen.iter().partition(|_| random.percent(50));
    let mut split: Vec<Finding> = [left, right]
        .iter()
        .filter(|part| !part.is_empty())
        .flat_map(|part| findings(&repository, &[&hook[..], part].concat(), None).0)
        .collect();
    split.sort();
    // Rule and field alone do not identify a finding that two runs have.
    split.dedup();
    let mut once = expected;
    once.dedup();
    assert_eq!(split, once, "a walk and two runs of the hook");
    documents
}

#[test]
fn every_entry_point_has_a_result_for_every_file() {
    let cases = voxlint_testing::cases(40, 600) as usize;
    let mut documents = 0;
    let mut seed = 0;
    while documents < cases {
        seed += 1;
        let mut random = Random::new(seed);
        let tried = std::panic::catch_unwind(move || holds(&mut random));
        match tried {
            Ok(tried) => documents += tried,
            Err(panic) => {
                println!("tree {seed}, which is still at target/tmp/every-way-in");
                std::panic::resume_unwind(panic);
            }
        }
    }
    println!("{documents} documents in {seed} trees");
}

#[test]
fn absolute_paths_below_the_working_directory_are_shown_as_relative_ones() {
    let faulty = r#"{ "version_number": 3, "kb_max_chunks": 12 }"#;
    let held = r#"{ "version_number": 3, "kb_max_chunks": 99, "promt": 1 }"#;
    let folder = folder(
        "absolute-paths",
        &[
            ("agents/a.json", faulty),
            ("agents/-", faulty),
            ("other/b.json", faulty),
            ("stored.json", held),
        ],
    );
    let path = |path: &str| folder.join(path).to_str().unwrap().to_owned();
    let of =
        |place: &str, arguments: &[&str]| stdout(&run(&folder.join(place), arguments)).to_owned();
    for (absolute, relative) in
        [(path("agents/a.json"), "agents/a.json"), (path("agents"), "agents"), (path(""), ".")]
    {
        for format in voxlint_report::OutputFormat::ALL {
            let check = |path: &str| {
                of("", &["check", path, "--format", format.name(), "--show-undecided"])
            };
            let report = check(&absolute);
            assert_eq!(report, check(relative), "{absolute} {format}");
        }
    }
    let concise = ["check", "--format", "concise", "-q"];
    let with = |place: &str, more: &[&str]| of(place, &[&concise[..], more].concat());
    assert!(with("agents", &[&path("agents/a.json")]).starts_with("a.json:1:41: "));
    // A name that is a dash is not standard input.
    assert!(with("agents", &[&path("agents/-")]).starts_with("-:1:41: "));
    // Elsewhere, the path is the only one that is right from here.
    let outside = path("other/b.json");
    assert!(with("agents", &[&outside]).starts_with(&format!("{outside}:1:41: ")));
    // Where related files and standard input are concerned, too.
    let stored = with("", &[&path("agents/a.json"), "--stored", &path("stored.json")]);
    assert_eq!(stored, with("", &["agents/a.json", "--stored", "stored.json"]));
    let name = path("agents/new.json");
    let piped =
        run_with(&folder, &["check", "-", "--stdin-filename", &name, "--format", "concise"]);
    assert!(piped.starts_with("agents/new.json:"), "{piped}");
    let predicted = of("", &["predict", &path("agents/a.json")]);
    assert!(predicted.starts_with("agents/a.json: "), "{predicted}");
}

/// What a command says of a faulty document on its standard input.
fn run_with(folder: &Path, arguments: &[&str]) -> String {
    use std::io::Write as _;
    use std::process::Stdio;

    let mut child =
        voxlint(folder, arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"{ \"kb_max_chunks\": 12 }").unwrap();
    stdout(&child.wait_with_output().unwrap()).to_owned()
}
