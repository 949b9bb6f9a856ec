//! `voxlint adopt`: what was changed in the service comes home.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;

use serde_json::{Value, json};

use crate::process::{folder, run, status, stdout, voxlint};

const CONFIGURATION: &str = "root = true\nbase = 'base'\n[[documents]]\nfiles = 'agents/'\nstored = '../stored/{stem}.json'\n\
                             text_files = { prompt_text = '{stem}.prompt.md', system_prompt_text = 'shared.md' }\n";

fn stored(agent: &str, settings: &Value) -> String {
    let mut version = settings.clone();
    version["version_number"] = json!(3);
    let agent = json!({ "id": format!("ag_{agent}"), "agent_type": "Single_Prompt_Agent" });
    json!({ "agent": agent, "version": version, "complete": true }).to_string()
}

/// A repository with a document, what it last knew, and what the service says now.
fn repository(name: &str, agents: &[(&str, &str, Value, Value)]) -> PathBuf {
    let root = folder(&format!("adopt/{name}"), &[("voxlint.toml", CONFIGURATION)]);
    for (file, text, base, now) in agents {
        let (stem, _) = file.split_once('.').unwrap();
        write(&root, &format!("agents/{file}"), text);
        write(&root, &format!("base/stored/{stem}.json"), &stored(stem, base));
        write(&root, &format!("stored/{stem}.json"), &stored(stem, now));
    }
    root
}

fn write(root: &Path, path: &str, text: &str) {
    let path = root.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn read(root: &Path, path: &str) -> String {
    fs::read_to_string(root.join(path)).unwrap()
}

#[test]
fn the_json_has_every_change_and_follows_its_schema() {
    let (base, now) = (
        json!({ "prompt_text": "Be kind.\n" }),
        json!({ "prompt_text": "Be calm.\n", "title": "Desk" }),
    );
    let root = repository("json", &[("a.yaml", "version_number: 3\ntitle: Night\n", base, now)]);
    write(&root, "agents/a.prompt.md", "Be kind.\n");
    let output = run(&root, &["adopt", "--check", "--format", "json"]);
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    let changes = &report["documents"][0]["changes"];
    let kinds: Vec<&str> =
        changes.as_array().unwrap().iter().filter_map(|it| it["kind"].as_str()).collect();
    assert_eq!(kinds, ["conflict", "adopted"]);
    assert_eq!(changes[1]["text_file"], "agents/a.prompt.md");
    let schema: Value = serde_json::from_str(stdout(&run(&root, &["schema", "adopt"]))).unwrap();
    assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&report), "{report:#}");
}

/// Killed while it writes: each file is either the old one or the new one, and a later run completes the work.
#[test]
fn an_adoption_that_is_killed_leaves_whole_files() {
    const FILES: usize = 24;
    let text = |at: usize, title: &str| {
        format!("version_number: 3\ntitle: {title}\n# {}\n", "x".repeat(at * 2000))
    };
    let (base, now) = (json!({ "title": "Desk" }), json!({ "title": "Night desk" }));
    let names: Vec<String> = (0..FILES).map(|at| format!("a{at:02}.yaml")).collect();
    let olds: Vec<String> = (0..FILES).map(|at| text(at, "Desk")).collect();
    let agents: Vec<_> = names
        .iter()
        .zip(&olds)
        .map(|(name, text)| (&**name, &**text, base.clone(), now.clone()))
        .collect();
    let mut root = repository("killed", &agents);
    let rounds = voxlint_testing::cases(4, 12) as usize;
    for round in 0..rounds {
        if round > 0 {
            root = repository("killed", &agents);
        }
        let mut child = voxlint(&root, &["adopt", "-q"])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let enough = round * FILES / rounds;
        let is_new =
            |at: &usize| read(&root, &format!("agents/{}", names[*at])) == text(*at, "Night desk");
        while (0..FILES).filter(is_new).count() < enough && child.try_wait().unwrap().is_none() {
            thread::yield_now();
        }
        let _ = child.kill();
        child.wait().unwrap();
        for (at, name) in names.iter().enumerate() {
            let is = read(&root, &format!("agents/{name}"));
            assert!(is == olds[at] || is == text(at, "Night desk"), "{name}");
        }
        assert_eq!(status(&root, &["adopt", "-q"]), 0);
        assert!((0..FILES).all(|at| is_new(&at)));
    }
}
