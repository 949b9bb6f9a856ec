//! The effects of `voxlint.toml` on a run.

use std::path::{Path, PathBuf};

use crate::process::{folder, run};
use serde_json::Value;

/// One error and one warning.
const FAULTY: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 12, \"x_owner\": \"ada\" }\n";

/// A project with these files.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let head = [(".git/HEAD", "ref: refs/heads/main\n")];
    folder(&format!("configuration/{name}"), &[&head, files].concat())
}

/// The working folder is in a repository without any of the checked files.
#[test]
fn from_outside_of_a_repository_files_are_named_from_the_root_of_the_one_that_is_checked() {
    let root = Path::new("/");
    if cfg!(windows) || root.join(".git").exists() || root.join("voxlint.toml").exists() {
        voxlint_testing::skip("the root of the file system cannot be used");
        return;
    }
    let folder = project("from-outside", &[("agents/team/en.json", FAULTY)]);
    let agents = folder.join("agents");
    for path in [agents.strip_prefix(root).unwrap(), &agents] {
        let path = path.to_str().unwrap();
        let sarif = run(root, &["check", path, "--format", "sarif"]);
        let sarif: Value = serde_json::from_slice(&sarif.stdout).unwrap();
        let run = &sarif["runs"][0];
        let place = &run["results"][0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "agents/team/en.json");
        assert_eq!(run["automationDetails"]["id"], "voxlint/");
    }
}
