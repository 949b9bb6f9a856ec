//! What the program is built from and depends on: dependencies, environment variables and unsafe code.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;

use voxlint::syntax::{Format, Node, Tree, parse};
use voxlint_testing::{files_below, repository};

fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap()
}

fn toml(text: &str) -> Tree {
    let mut parsed = parse(text, Format::Toml);
    assert!(parsed.errors.is_empty(), "{:?}", parsed.errors);
    parsed.documents.remove(0)
}

/// The manifests of the crates, without the benchmarks.
fn manifests() -> Vec<PathBuf> {
    let below = ["crates", "bindings"].into_iter().flat_map(|folder| {
        let folders = fs::read_dir(repository().join(folder)).unwrap();
        folders.map(|entry| entry.unwrap().path().join("Cargo.toml"))
    });
    let root = repository().join("Cargo.toml");
    let mut files: Vec<PathBuf> = below.filter(|file| file.is_file()).chain([root]).collect();
    files.sort();
    assert!(files.len() > 10, "{files:?}");
    files
}

/// The crates with the names of those that use them.
type Uses = BTreeMap<String, BTreeSet<String>>;

/// Calls a function with the name of each dependency in a manifest, and whether it is only for the tests of the package.
fn each_dependency(manifest: &Tree, call: &mut dyn FnMut(&str, bool)) {
    let root = manifest.root().unwrap();
    let targets = root.get("target").into_iter().flat_map(Node::members);
    for table in targets.map(|member| member.value).chain([root]) {
        for key in ["dependencies", "build-dependencies", "dev-dependencies"] {
            for dependency in table.get(key).into_iter().flat_map(Node::members) {
                call(&dependency.name(), key == "dev-dependencies");
            }
        }
    }
}

fn package(manifest: &Tree) -> String {
    let root = manifest.root().unwrap();
    root.get("package").unwrap().get("name").unwrap().as_str().unwrap().into_owned()
}

/// The direct dependencies: those of the product, and those of tests only.
fn dependencies() -> [Uses; 2] {
    let mut direct = [Uses::new(), Uses::new()];
    for file in manifests() {
        let manifest = toml(&fs::read_to_string(&file).unwrap());
        let package = package(&manifest);
        let is_for_tests = ["voxlint-laws", "voxlint-testing"].contains(&&*package);
        each_dependency(&manifest, &mut |name, is_dev| {
            if !name.starts_with("voxlint") {
                let user = package.strip_prefix("voxlint-").unwrap_or(&package).to_owned();
                let entry = direct[usize::from(is_for_tests || is_dev)].entry(name.into());
                entry.or_default().insert(user);
            }
        });
    }
    direct
}

#[test]
fn every_dependency_is_used() {
    let mut unused = Vec::new();
    for file in manifests() {
        let manifest = toml(&fs::read_to_string(&file).unwrap());
        let package = package(&manifest);
        let folder = file.parent().unwrap();
        let folder =
            if package == "voxlint-cli" { folder.join("crates/cli") } else { folder.to_owned() };
        let code_in = |names: &[&str]| {
            let folders = names.iter().map(|name| folder.join(name)).filter(|it| it.is_dir());
            let files = folders.flat_map(|folder| files_below(folder.to_str().unwrap(), "rs"));
            let build = [folder.join("build.rs")].into_iter().filter(|path| path.is_file());
            let files = files.chain(build);
            let code = files.map(|path| fs::read_to_string(path).unwrap()).collect::<String>();
            let is_code = |line: &&str| !line.trim_start().starts_with("//");
            code.lines().filter(is_code).collect::<Vec<_>>().join("\n")
        };
        let (product, all) = (code_in(&["src"]), code_in(&["src", "tests", "examples", "benches"]));
        each_dependency(&manifest, &mut |name, is_dev| {
            if !is_used(name, if is_dev { &all } else { &product }) {
                unused.push(format!("{package}: {name}"));
            }
        });
    }
    assert_eq!(unused, [""; 0]);
}

/// Whether code names a crate: `name::`, `name!` or `use name;`.
fn is_used(name: &str, code: &str) -> bool {
    let name = name.replace('-', "_");
    code.match_indices(&*name).any(|(at, _)| {
        let (before, after) = (&code[..at], &code[at + name.len()..]);
        let is_part = |it: char| it.is_alphanumeric() || it == '_' || it == ':';
        let is_path = after.starts_with("::") || after.starts_with("!(");
        !before.ends_with(is_part) && (is_path || before.ends_with("use "))
    })
}

#[test]
fn a_crate_is_used_by_its_path() {
    assert!(is_used("serde-json", "let value: serde_json::Value = todo();"));
    assert!(is_used("ignore", "use ignore;") && is_used("serde", "use serde::Serialize;"));
    for code in ["let ignore = 1;", "rules.ignore(ignore)", "crate::ignore::x()", "use_ignore::x"] {
        assert!(!is_used("ignore", code), "{code}");
    }
}

/// The crates in the table below a heading. Each row has three cells, and none of them is empty.
fn listed(page: &str, heading: &str) -> Uses {
    let section = page.split(&format!("\n## {heading}\n")).nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let mut listed = Uses::new();
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let row: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        assert!(row.len() == 3 && row.iter().all(|cell| !cell.is_empty()), "{line}");
        let users = row[1].split(", ").map(str::to_owned).collect();
        let name = row[0].trim_matches('`').to_owned();
        assert!(listed.insert(name, users).is_none(), "{line}: listed twice");
    }
    listed
}

#[test]
fn every_dependency_has_a_reason() {
    let page = read("docs/dependencies.md");
    let [product, tests] = dependencies();
    let heading = "In the program, the libraries and the bindings";
    assert_eq!(listed(&page, heading), product, "docs/dependencies.md: {heading}");
    assert_eq!(listed(&page, "Only in tests"), tests, "docs/dependencies.md: Only in tests");
}

#[test]
fn no_dependency_uses_the_network() {
    let deny = toml(&read("deny.toml"));
    let bans = deny.root().unwrap().get("bans").unwrap().get("deny").unwrap();
    let banned: BTreeSet<String> = bans
        .elements()
        .map(|entry| entry.get("crate").unwrap().as_str().unwrap().into_owned())
        .collect();
    for name in ["curl", "hyper", "mio", "openssl", "reqwest", "rustls", "socket2", "tokio"] {
        assert!(banned.contains(name), "deny.toml does not ban {name}");
    }
    // These are the crates for all platforms and features, in the program as well as in tests.
    for lock in ["Cargo.lock", "bindings/Cargo.lock", "benches/Cargo.lock", "fuzz/Cargo.lock"] {
        let lock_text = read(lock);
        let names: BTreeSet<String> = lock_text
            .lines()
            .filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'))
            .map(str::to_owned)
            .collect();
        assert!(names.contains("memchr"), "{lock}");
        let found: Vec<_> = names.intersection(&banned).collect();
        assert!(found.is_empty(), "{lock} contains {found:?}, which deny.toml bans");
    }
}

/// The variables that only the standard library and dependencies read.
const READ_BY_OTHERS: [(&str, &[&str]); 4] = [
    ("clap", &["CLICOLOR", "COLORTERM", "COLUMNS", "LINES"]),
    (
        "supports-hyperlinks",
        &[
            "DOMTERM",
            "FORCE_HYPERLINK",
            "KONSOLE_VERSION",
            "TERM_PROGRAM",
            "VTE_VERSION",
            "WT_SESSION",
        ],
    ),
    ("tempfile", &["TEMP", "TMP", "TMPDIR"]),
    ("std", &["RUST_BACKTRACE", "RUST_MIN_STACK"]),
];

/// Whether a text looks like the name of an environment variable.
fn is_variable(text: &str) -> bool {
    text.len() > 1
        && text.starts_with(|it: char| it.is_ascii_uppercase())
        && text.chars().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_')
}

/// The variables that a file reads. If the name is an argument of a function, these are all names in the file.
fn variables(code: &str) -> BTreeSet<&str> {
    let literals = || code.split('"').skip(1).step_by(2).filter(|text| is_variable(text));
    let mut found = BTreeSet::new();
    for call in ["env::var(", "env::var_os("] {
        for rest in code.split(call).skip(1) {
            let argument = rest.split(')').next().unwrap();
            let value = if argument.starts_with('"') {
                Some(argument)
            } else {
                let declaration = format!("const {argument}: &str = ");
                code.split(&declaration).nth(1).and_then(|rest| rest.split(';').next())
            };
            match value {
                Some(value) => drop(found.insert(value.trim_matches('"'))),
                None => found.extend(literals()),
            }
        }
    }
    found
}

#[test]
fn every_environment_variable_is_listed() {
    let page = read("SECURITY.md");
    let section = page.split("\n## Environment variables\n").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let listed: BTreeSet<&str> = section
        .lines()
        .filter(|line| line.starts_with('|'))
        .flat_map(|line| line.split('|').nth(1).unwrap().split('`').skip(1).step_by(2))
        .collect();

    let mut read = BTreeSet::new();
    let sources: Vec<String> = ["crates", "bindings"]
        .into_iter()
        .flat_map(|folder| files_below(folder, "rs"))
        .filter(|file| {
            let path = file.strip_prefix(repository()).unwrap().to_string_lossy().into_owned();
            path.split(['/', '\\']).nth(2) == Some("src")
                && !["laws", "testing"].iter().any(|name| path.contains(name))
        })
        .map(|file| fs::read_to_string(file).unwrap())
        .collect();
    for text in &sources {
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap();
        assert!(!code.contains("env::vars"), "a variable without a name cannot be listed");
        read.extend(variables(code));
    }
    assert!(read.contains("RAYON_NUM_THREADS") && read.contains("GITHUB_ACTIONS"), "{read:?}");
    read.extend(READ_BY_OTHERS.iter().flat_map(|(_, names)| *names));
    assert_eq!(listed, read, "SECURITY.md, Environment variables");
}

/// The attribute in each library and program, and the lint for its tests and examples.
#[test]
fn every_crate_forbids_unsafe_code() {
    let workspace = toml(&read("Cargo.toml"));
    let rust = workspace.root().unwrap().get("workspace").unwrap().get("lints").unwrap();
    let lint = rust.get("rust").unwrap().get("unsafe_code").unwrap();
    assert_eq!(lint.as_str().as_deref(), Some("forbid"));
    for file in manifests() {
        let manifest = toml(&fs::read_to_string(&file).unwrap());
        let lints = manifest.root().unwrap().get("lints").and_then(|it| it.get("workspace"));
        assert_eq!(lints.and_then(Node::as_bool), Some(true), "{}", file.display());
        let folder = file.parent().unwrap();
        let library = folder.join("src/lib.rs");
        let main = repository().join("crates/cli/src/main.rs");
        let text = fs::read_to_string(if library.is_file() { library } else { main }).unwrap();
        // The macros of napi generate unsafe code.
        let level = if folder.ends_with("bindings/node") { "deny" } else { "forbid" };
        assert!(text.contains(&format!("\n#![{level}(unsafe_code)]\n")), "{}", file.display());
    }
}
