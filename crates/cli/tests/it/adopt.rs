//! `voxlint adopt`: what was changed in the service comes home.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;

use serde_json::{Value, json};

use crate::process::{folder, run, status, stderr, stdout, voxlint};

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
fn a_change_made_in_the_service_is_written_into_each_format_and_nothing_else_changes() {
    let (base, now) = (json!({ "title": "Desk" }), json!({ "title": "Front desk" }));
    let texts = [
        ("a.json", "{\n\t\"version_number\" : 3,\n\t\"title\" : \"Desk\"\n}"),
        ("b.jsonc", "{ \"version_number\": 3, /* shown */ \"title\": \"Desk\", }\r\n"),
        ("c.yaml", "# the desk\nversion_number: 3\ntitle:   'Desk' # shown\n"),
        ("d.toml", "title = 'Desk' # shown\nversion_number = 3\n"),
        ("e.yml", "\u{feff}version_number: 3\ntitle: >-\n  Desk\n\n# end\n"),
    ];
    let agents = texts.map(|(file, text)| (file, text, base.clone(), now.clone()));
    let root = repository("formats", &agents);
    assert_eq!(status(&root, &["adopt", "--check"]), 1);
    assert_eq!(status(&root, &["adopt", "--diff"]), 1);
    let output = run(&root, &["adopt"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
    assert!(stderr(&output).ends_with("adopted 5 settings in 5 files\n"), "{}", stderr(&output));
    for (file, text) in texts {
        assert_eq!(read(&root, &format!("agents/{file}")), text.replace("Desk", "Front desk"));
    }
    let output = run(&root, &["adopt", "--check"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).ends_with("nothing to adopt in 5 documents\n"), "{}", stderr(&output));
}

#[test]
fn of_several_documents_in_a_file_only_those_with_a_change_are_written() {
    let (base, now) = (json!({ "title": "Desk" }), json!({ "title": "Front desk" }));
    let lines = "{\"version_number\": 3, \"title\": \"Night\" }\r\n\n  { \"title\" :\"Desk\",\"version_number\":3} \r\n\
                 { \"version_number\":3.0,  \"title\": \"Day\\u0020\" }\n{\"version_number\":3,\"title\":\"D\\u0065sk\"}";
    let stream = "version_number: 3\ntitle: Desk # one\n---\n# two\nversion_number: 3\ntitle: Night\n---\n{version_number: 3, title: 'Desk'}\n";
    for (file, text, count) in
        [("a.ndjson", lines, 2), ("a.jsonl", lines, 2), ("a.yaml", stream, 2)]
    {
        let root = repository("several", &[(file, text, base.clone(), now.clone())]);
        let adopt = ["adopt", "--stored", "stored/a.json", "--setting", "title"];
        let diff = run(&root, &[&adopt[..], &["--diff"]].concat());
        let added =
            stdout(&diff).lines().filter(|line| line.starts_with('+') && !line.starts_with("+++"));
        assert_eq!((diff.status.code(), added.count()), (Some(1), count), "{}", stdout(&diff));
        assert_eq!(read(&root, &format!("agents/{file}")), text);
        let output = run(&root, &adopt);
        let after = text.replace("Desk", "Front desk").replace("D\\u0065sk", "Front d\\u0065sk");
        assert_eq!(
            read(&root, &format!("agents/{file}")),
            after,
            "{}{}",
            stdout(&output),
            stderr(&output)
        );
        let told = format!("adopted {count} settings in 1 file");
        assert!(stderr(&output).contains(&told), "{}", stderr(&output));
    }
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
