//! The effects of `voxlint.toml` on a run.

use std::fs;
use std::path::{Path, PathBuf};

use crate::process::{folder, places, run, status, stdout};
use serde_json::Value;

/// One error and one warning.
const FAULTY: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 12, \"x_owner\": \"ada\" }\n";

const ERROR: &str = "1:41: error[out-of-range]";
const WARNING: &str = "1:45: warning[unknown-field]";

/// A project with these files.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let head = [(".git/HEAD", "ref: refs/heads/main\n")];
    folder(&format!("configuration/{name}"), &[&head, files].concat())
}

/// The lines of `places` for files: each with its path and what is found there.
fn at(found: &[(&str, &str)]) -> Vec<String> {
    found.iter().map(|(path, place)| format!("{path}:{place}")).collect()
}

#[test]
fn the_nearest_configuration_above_each_file_counts_as_a_whole() {
    let folder = project(
        "nearest",
        &[
            ("voxlint.toml", "[rules]\nunknown-field = \"off\"\n"),
            ("en.json", FAULTY),
            ("deep/er/en.json", FAULTY),
            ("team/voxlint.toml", "[rules]\nout-of-range = \"info\"\n"),
            ("team/en.json", FAULTY),
            ("team/deep/en.json", FAULTY),
        ],
    );
    let inside = ["1:41: info[out-of-range]", WARNING];
    let expected = at(&[
        ("deep/er/en.json", ERROR),
        ("en.json", ERROR),
        ("team/deep/en.json", inside[0]),
        ("team/deep/en.json", inside[1]),
        ("team/en.json", inside[0]),
        ("team/en.json", inside[1]),
    ]);
    assert_eq!(places(&folder, &[]), expected);
    assert_eq!(places(&folder, &["team/en.json"]), expected[4..]);
    assert_eq!(
        places(&folder.join("team/deep"), &[]),
        at(&[("en.json", inside[0]), ("en.json", inside[1])])
    );
    let from_inside = places(&folder.join("team"), &["../en.json"]);
    assert_eq!(from_inside, at(&[("../en.json", ERROR)]));
    let piped = ["check", "-", "--stdin-filename", "team/en.json", "--format", "concise"];
    let input = crate::process::voxlint(&folder, &piped)
        .stdin(fs::File::open(folder.join("en.json")).unwrap())
        .output()
        .unwrap();
    assert!(stdout(&input).starts_with("team/en.json:1:41: info["), "{}", stdout(&input));
}

#[test]
fn reports_name_files_from_the_root_of_the_project() {
    let uri = |folder: &PathBuf| {
        let sarif = run(folder, &["check", "--format", "sarif"]);
        let sarif: Value = serde_json::from_slice(&sarif.stdout).unwrap();
        let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        place["artifactLocation"]["uri"].as_str().unwrap().to_owned()
    };
    let files = [("voxlint.toml", ""), ("bots/voxlint.toml", "root = true\n")];
    let folder = project("root", &[&files[..], &[("bots/team/en.json", FAULTY)]].concat());
    assert_eq!(uri(&folder.join("bots/team")), "team/en.json");
    assert_eq!(uri(&folder), "bots/team/en.json");
    fs::write(folder.join("bots/voxlint.toml"), "root = false\n").unwrap();
    assert_eq!(uri(&folder.join("bots/team")), "bots/team/en.json");
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

const HOUSE: &str = "\
[[house_rules]]
id = \"title-names-team\"
field = \"/title\"
must_match = \"^[A-Z]+: \"
message = \"the title must begin with its team\"
help = \"write it as in `OPS: Front desk`\"
level = \"error\"

[[house_rules]]
id = \"has-owner\"
field = \"/x_owner\"
required = true
";

#[test]
fn house_rules_are_rules_like_any_other() {
    let folder = project(
        "house",
        &[("voxlint.toml", HOUSE), ("en.json", "{ \"version_number\": 3, \"title\": \"Desk\" }")],
    );
    let title = "1:33: error[title-names-team]";
    let lines = places(&folder, &[]);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines.contains(&format!("en.json:{title}")), "{lines:?}");
    assert_eq!(places(&folder, &["--select", "title-names-team"]), at(&[("en.json", title)]));
    assert_eq!(places(&folder, &["--ignore", "house"]), [""; 0]);
    assert_eq!(
        places(&folder, &["--level", "house=info", "--ignore", "has-owner"]),
        at(&[("en.json", "1:33: info[title-names-team]")])
    );
    assert!(stdout(&run(&folder, &["rules"])).contains("title-names-team"));
    let explained = run(&folder, &["explain", "title-names-team"]);
    assert_eq!(explained.status.code(), Some(0));
    assert!(stdout(&explained).contains("the title must begin with its team"));
    let json: Value =
        serde_json::from_slice(&run(&folder, &["rules", "--format", "json"]).stdout).unwrap();
    let ids: Vec<_> = json["rules"].as_array().unwrap().iter().map(|rule| &rule["id"]).collect();
    assert!(ids.contains(&&Value::from("has-owner")));
    let sarif = run(&folder, &["check", "--format", "sarif"]);
    let sarif: Value = serde_json::from_slice(&sarif.stdout).unwrap();
    let rules = sarif["runs"][0]["tool"]["driver"]["rules"].as_array().unwrap();
    for result in sarif["runs"][0]["results"].as_array().unwrap() {
        let index = result["ruleIndex"].as_u64().unwrap() as usize;
        assert_eq!(rules[index]["id"], result["ruleId"]);
    }
    // Without the configuration, the rule is unknown.
    assert_eq!(status(&folder, &["explain", "has-owner", "--isolated"]), 2);
}
