//! No output of the program shows a secret of the fixtures, in any format and however it is encoded.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::iter;
use std::path::{Path, PathBuf};

use crate::process::{folder, run, stderr, stdout};
use voxlint_testing::{case_files, contains, files_below, repository};

/// The rules whose cases contain secrets.
const RULES: [&str; 3] = ["secret-in-document", "leaked-secret", "card-or-id-number"];

/// The formats of findings.
const FORMATS: [&str; 16] = [
    "full",
    "concise",
    "grouped",
    "statistics",
    "markdown",
    "json",
    "ndjson",
    "sarif",
    "github",
    "gitlab",
    "junit",
    "checkstyle",
    "azure",
    "rdjson",
    "rdjsonl",
    "html",
];

/// The number of characters of a secret of which fewer may be shown side by side.
const WINDOW: usize = 6;

/// A case with the secrets in it, decoded.
struct Case {
    path: PathBuf,
    secrets: Vec<String>,
}

/// The cases of these rules, with the secrets that `fixtures/secrets.tsv` lists for them.
fn secret_cases() -> Vec<Case> {
    let table = fs::read_to_string(repository().join("fixtures/secrets.tsv")).unwrap();
    let mut listed: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let (case, secret) = line.split_once('\t').unwrap();
        listed.entry(case).or_default().push(secret.replace("\\n", "\n"));
    }
    let cases = case_files()
        .into_iter()
        .filter(|case| RULES.contains(&&*case.rule) && case.name.starts_with("bad-"));
    let cases: Vec<Case> = cases
        .map(|case| {
            let name = format!("{}/{}", case.rule, case.path.file_name().unwrap().display());
            let secrets =
                listed.remove(&*name).unwrap_or_else(|| panic!("{name} has no secret in the list"));
            Case { path: case.path, secrets }
        })
        .collect();
    assert!(listed.is_empty(), "no cases: {:?}", listed.keys());
    cases
}

/// The ways in which a secret may be written, each at least as long as what may be shown.
fn encodings(secret: &str) -> Vec<String> {
    let each = |spell: &dyn Fn(char) -> String| secret.chars().map(spell).collect::<String>();
    let code = |c: char| u32::from(c);
    let mut all = vec![
        secret.to_owned(),
        serde_json::to_string(secret).unwrap().trim_matches('"').to_owned(),
        each(&|c| format!("\\u{:04x}", code(c))),
        each(&|c| format!("\\u{:04X}", code(c))),
        each(&|c| format!("\\x{:02x}", code(c))),
        each(&|c| format!("\\u{{{:x}}}", code(c))),
        each(&|c| format!("%{:02X}", code(c))),
        each(&|c| format!("%{:02x}", code(c))),
        each(&|c| {
            if c.is_ascii_alphanumeric() { c.to_string() } else { format!("%{:02X}", code(c)) }
        }),
        each(&|c| {
            if c.is_ascii_alphanumeric() { c.to_string() } else { format!("&#{};", code(c)) }
        }),
        each(&|c| format!("&#{};", code(c))),
        each(&|c| format!("&#x{:x};", code(c))),
        each(&|c| format!("&#x{:X};", code(c))),
        each(&|c| format!("{:02x}", code(c))),
        secret
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('"', "&quot;")
            .replace('\'', "&#39;"),
        secret.chars().rev().collect(),
    ];
    // A secret inside a longer text begins at one of three positions of base64.
    for before in ["", "x", "xx"] {
        let encoded = base64(format!("{before}{secret}").as_bytes());
        all.push(encoded.get(4..encoded.len() - 4).unwrap_or_default().to_owned());
    }
    all.retain(|encoded| encoded.len() >= WINDOW);
    all
}

fn base64(bytes: &[u8]) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for chunk in bytes.chunks(3) {
        let bits =
            (0..3).fold(0, |bits, at| bits << 8 | u32::from(chunk.get(at).copied().unwrap_or(0)));
        for at in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * at)) as usize & 63];
            encoded.push(if at <= chunk.len() { char::from(letter) } else { '=' });
        }
    }
    encoded
}

/// What an output shows of a secret, in plain text or encoded.
fn shown(output: &str, secret: &str, encoded: &[String]) -> Option<String> {
    // Reports wrap long lines, and join them with spaces.
    let unwrapped: String = output.split(['\n', '\r', '│', '·']).map(str::trim).collect();
    let whole = encoded.iter().find(|it| contains(output, it) || contains(&unwrapped, it));
    // The ids of rules have the word `secret`, as some secrets of the fixtures do.
    let is_telling = |part: &&str| !RULES.iter().any(|rule| rule.contains(part));
    let starts: Vec<usize> = secret.char_indices().map(|(at, _)| at).collect();
    let mut parts =
        starts.windows(WINDOW).filter_map(|window| secret.get(window[0]..=window[WINDOW - 1]));
    whole.cloned().or_else(|| {
        parts
            .find(|part| is_telling(part) && (contains(output, part) || contains(&unwrapped, part)))
            .map(str::to_owned)
    })
}

/// The document with mistakes before and after everything else, so that frames show the lines around them.
fn with_neighbors(path: &Path, text: &str) -> Option<String> {
    let mistake = |number: &str| match path.extension().and_then(|it| it.to_str()) {
        Some("json") => format!("\"{number}\": 99"),
        Some("yaml") => format!("{number}: 99\n"),
        _ => format!("{number} = 99\n"),
    };
    let (first, last) = (mistake("kb_max_chunks"), mistake("kb_min_score"));
    if path.extension().is_some_and(|it| it == "json") {
        let inner = text.trim().strip_prefix('{')?.strip_suffix('}')?;
        return Some(format!("{{ {first},{inner},{last} }}"));
    }
    Some(first + text + if path.extension()? == "yaml" { &last } else { "" })
}

/// The numbers of the other commands than `check`.
type Commands<'c> = &'c dyn Fn(usize) -> bool;

/// What the program writes about one case in a folder of its own: the findings in every format, and what some of the other commands
/// write.
fn outputs(
    path: &Path,
    text: &str,
    configuration: &str,
    says: Commands<'_>,
) -> Vec<(String, String)> {
    let file = format!("agents/a.{}", path.extension().unwrap().display());
    let folder = folder("secrets-in-output", &[(&*file, text), ("voxlint.toml", configuration)]);
    fs::create_dir_all(folder.join("out")).unwrap();
    let text_files = copy_text_files(path, &folder);
    let text_files: Vec<&str> = text_files.iter().map(String::as_str).collect();
    let files: Vec<String> =
        FORMATS.iter().map(|format| format!("{format}=out/{format}")).collect();
    let mut check = vec!["check", &*file, "--show-undecided", "--show-files", "--show-suppressed"];
    for file in &files {
        check.extend(["--output", file]);
    }
    check.extend(&text_files);
    let others: [(&str, Vec<&str>); 13] = [
        ("predict", [&["predict", &*file], &*text_files].concat()),
        ("predict json", [&["predict", &*file, "--format", "json"], &*text_files].concat()),
        ("diff", vec!["diff", &*file, &*file, "--explain"]),
        ("as stored", vec!["check", &*file, "--stored", &*file]),
        ("as facts", vec!["check", &*file, "--facts", &*file]),
        ("facts", vec!["facts", &*file]),
        ("as configuration", vec!["check", &*file, "--config", &*file]),
        ("vars", vec!["vars", &*file]),
        ("vars json", vec!["vars", &*file, "--format", "json"]),
        ("why", vec!["why", "secret-in-document", &*file]),
        ("why json", vec!["why", "unknown-field", &*file, "--format", "json"]),
        ("baseline", vec!["baseline", "write", &*file]),
        ("configuration", vec!["config", "show", &*file]),
    ];
    let others = others.iter().enumerate().filter(|(number, _)| says(*number)).map(|(_, it)| it);
    let mut written = Vec::new();
    for (name, arguments) in iter::once(&("check", check)).chain(others) {
        let output = run(&folder, arguments);
        // A check that cannot run shows nothing.
        assert!(*name != "check" || output.status.code() != Some(2), "{}", stderr(&output));
        // The update of `diff` is what the user asked for.
        if *name != "diff" {
            written.push((format!("{name}: output"), stdout(&output).to_owned()));
        }
        written.push((format!("{name}: errors"), stderr(&output).to_owned()));
    }
    for entry in fs::read_dir(folder.join("out")).unwrap().chain(fs::read_dir(&folder).unwrap()) {
        let entry = entry.unwrap().path();
        if entry.is_file() && !entry.ends_with("voxlint.toml") {
            written.push((entry.display().to_string(), fs::read_to_string(&entry).unwrap()));
        }
    }
    written
}

/// Copies the text files of a case, which have the names of their fields, and returns the arguments that select them.
fn copy_text_files(path: &Path, folder: &Path) -> Vec<String> {
    let stem = path.file_stem().unwrap().to_str().unwrap();
    let of_rule = path.parent().unwrap().strip_prefix(repository()).unwrap();
    let mut arguments = Vec::new();
    for text_file in files_below(of_rule.to_str().unwrap(), "hbs") {
        let name = text_file.file_name().unwrap().to_str().unwrap();
        let field = name.strip_prefix(stem).and_then(|it| it.strip_prefix('.'));
        if let Some(field) = field.and_then(|it| it.strip_suffix(".hbs")) {
            fs::copy(&text_file, folder.join(format!("agents/a.{field}.hbs"))).unwrap();
            arguments.push("--text-files".to_owned());
            arguments.push(format!("{field}={{stem}}.{field}.hbs"));
        }
    }
    arguments
}

#[test]
fn no_format_shows_a_secret_of_the_fixtures() {
    let mut wrong = String::new();
    let off: Vec<String> = RULES.iter().map(|rule| format!("{rule} = \"off\"\n")).collect();
    let off = format!("[rules]\n{}", off.concat());
    let suppressed: Vec<String> = RULES
        .iter()
        .map(|rule| {
            format!(
                "[[suppressions]]\nfiles = \"**\"\nrules = [\"{rule}\"]\nreason = \"for a test\"\n"
            )
        })
        .collect();
    let suppressed = suppressed.concat();
    for (number, case) in secret_cases().into_iter().enumerate() {
        let text = fs::read_to_string(&case.path).unwrap();
        let beside = with_neighbors(&case.path, &text).unwrap();
        let is_json = case.path.extension().is_some_and(|it| it == "json");
        let one_line = if is_json { beside.replace('\n', " ") } else { text.clone() };
        // Each case is tried beside mistakes, and in one of the other ways. The commands take turns, unless all cases are asked for.
        let turns = voxlint_testing::cases(3, 13) as usize;
        let says = |command: usize| (command + number) % 13 < turns;
        let others = [
            ("as it is", &text, ""),
            ("with the rules off", &beside, &*off),
            ("suppressed", &beside, &*suppressed),
            ("on one line", &one_line, ""),
        ];
        let variants = [
            (("beside mistakes", &beside, ""), &says as Commands),
            (others[number % 4], &|_| false),
        ];
        let secrets: Vec<_> = case.secrets.iter().map(|it| (it, encodings(it))).collect();
        for ((variant, text, configuration), says) in variants {
            for (output, written) in outputs(&case.path, text, configuration, says) {
                for (secret, encoded) in &secrets {
                    if let Some(part) = shown(&written, secret, encoded) {
                        let case = case.path.display();
                        let _ =
                            writeln!(wrong, "{case} {variant}: `{part}` in {output}\n{written}");
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn the_search_finds_every_encoding() {
    let secret = "Zk3vT9qLr2Xw8YbN5mHd7PcS";
    let all = encodings(secret);
    let shows = |output: &str| shown(output, secret, &all).is_some();
    for encoded in &all {
        assert!(shows(&format!("a {encoded} b")), "{encoded}");
        let (one, other) = encoded.split_at(encoded.len() / 2);
        assert!(shows(&format!("a {one}\n  │ {other} b")), "{encoded}");
    }
    assert!(!shows("a Zk3vT b"));
    assert!(shows("a qLr2Xw b"));
    assert!(shows(&format!("a {} b", base64(b"key: Zk3vT9qLr2Xw8YbN5mHd7PcS"))));
}
