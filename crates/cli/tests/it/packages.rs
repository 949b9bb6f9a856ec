//! What the packages say of the program that they bring.

use std::fs;

use crate::process::{folder, run, stderr};
use serde_json::Value;
use voxlint_testing::repository;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn read(path: &str) -> String {
    fs::read_to_string(repository().join(path)).unwrap()
}

fn npm() -> Value {
    serde_json::from_str(&read("packaging/npm/voxlint/package.json")).unwrap()
}

#[test]
fn every_package_has_the_version_of_the_program() {
    let main = npm();
    assert_eq!(main["version"], VERSION);
    let platforms = main["optionalDependencies"].as_object().unwrap();
    assert!(platforms.len() > 1);
    for (name, version) in platforms {
        assert_eq!(version, VERSION, "{name}");
    }
    // The wheel takes it from the package of its module.
    assert!(read("pyproject.toml").contains("dynamic = [\"version\", \"description\"]"));
    assert!(read("bindings/Cargo.toml").contains(&format!("\nversion = \"{VERSION}\"\n")));
    let description = format!("\ndescription = \"{}\"\n", env!("CARGO_PKG_DESCRIPTION"));
    assert!(read("bindings/python/Cargo.toml").contains(&description));
    assert_eq!(main["description"], env!("CARGO_PKG_DESCRIPTION"));
    for file in ["package.json", "package-lock.json"] {
        let extension: Value =
            serde_json::from_str(&read(&format!("editors/vscode/{file}"))).unwrap();
        assert_eq!(extension["version"], VERSION, "{file} of the extension for VS Code");
    }
}

#[test]
fn nothing_is_run_when_the_npm_package_is_installed() {
    assert_eq!(npm().get("scripts"), None);
    let assemble = read("packaging/npm/assemble.mjs");
    assert!(!assemble.contains("scripts"), "the packages of platforms are made there");
}

#[test]
fn every_hook_is_a_command_line_that_voxlint_takes() {
    let hooks = read(".pre-commit-hooks.yaml");
    let entries: Vec<&str> =
        hooks.lines().filter_map(|line| line.trim().strip_prefix("entry: voxlint ")).collect();
    assert_eq!(entries.len(), hooks.matches("- id: ").count());
    let document = "{ \"version_number\": 3, \"title\": \"Front desk\" }";
    let folder = folder("packages/hooks", &[("package.json", "{}"), ("en.json", document)]);
    for entry in &entries {
        let arguments: Vec<&str> = entry.split(' ').chain(["package.json"]).collect();
        let arguments = if entry.contains("--only") { &arguments[..] } else { &arguments[..3] };
        let output = run(&folder, arguments);
        assert_eq!(output.status.code(), Some(0), "{entry}: {}", stderr(&output));
    }
    assert!(entries.iter().any(|entry| entry.contains("--force-exclude")));
}

/// The names in a list of `action.yml`, such as `inputs`.
fn names_of_action<'a>(action: &'a str, list: &str) -> Vec<&'a str> {
    let lines = action.lines().skip_while(|line| *line != format!("{list}:")).skip(1);
    let names = lines.take_while(|line| line.is_empty() || line.starts_with("  "));
    names
        .filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':'))
        .filter(|it| !it.starts_with(' '))
        .collect()
}

#[test]
fn every_input_and_output_of_the_action_is_described_and_used() {
    let (action, page) = (read("action.yml"), read("docs/ci.md"));
    let (inputs, outputs) =
        (names_of_action(&action, "inputs"), names_of_action(&action, "outputs"));
    assert_eq!((inputs.len(), outputs.len()), (7, 4), "{inputs:?} {outputs:?}");
    let check = read("packaging/action/check.sh");
    for name in inputs {
        assert!(action.contains(&format!("${{{{ inputs.{name} }}}}")), "{name} is not used");
        assert!(page.contains(&format!("\n| `{name}` | ")), "{name} is not described");
    }
    for name in outputs {
        assert!(action.contains(&format!("steps.check.outputs.{name} }}}}")), "{name} is not set");
        assert!(check.contains(&format!("{name}=")), "{name} is not written");
        assert!(page.contains(&format!("`{name}`")), "{name} is not described");
    }
}
