//! The forms of `voxlint plan`, over the fleet of `fixtures/fleet`, and the schema of its JSON.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use voxlint::{ChangeKind, DriftKind, Family, Outcome, rules};
use voxlint_report::PlanFormat;
use voxlint_testing::{assert_snapshot, repository};

use crate::process::{folder, run, stderr, stdout, voxlint};

fn fleet() -> PathBuf {
    repository().join("fixtures/fleet")
}

/// A plan of the fleet in a form.
fn planned(format: PlanFormat, arguments: &[&str]) -> String {
    let fixed = ["plan", "--format", format.name()];
    let output = run(&fleet(), &[&fixed[..], arguments].concat());
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    stdout(&output).to_owned()
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The values of a field in all objects of a list of each agent.
fn values<'v>(plan: &'v Value, list: &str, field: &str) -> BTreeSet<&'v str> {
    let agents = plan["agents"].as_array().unwrap().iter();
    let entries = agents.flat_map(|agent| agent[list].as_array().unwrap());
    entries.map(|entry| entry[field].as_str().unwrap()).collect()
}

#[test]
fn the_fleet_is_shown_in_every_form() {
    for format in PlanFormat::ALL {
        let version = |quote: &str| format!("{quote}{}{quote}", env!("CARGO_PKG_VERSION"));
        let output = planned(format, &[]);
        let output = output.replace(&version("\""), "\"…\"");
        let output = output.replace(&format!("voxlint {}.", version("")), "voxlint ….");
        assert_snapshot("plan", &format!("fleet-{format}"), &output);
    }
}

/// Without colors the text says the same, because every mark is a character.
#[test]
fn colors_add_nothing_to_the_text() {
    let colored = planned(PlanFormat::Full, &["--color", "always"]);
    let mut pieces = colored.split("\u{1b}[");
    let mut plain = pieces.next().unwrap().to_owned();
    for piece in pieces {
        plain.push_str(piece.split_once('m').unwrap().1);
    }
    assert!(colored.len() > plain.len());
    assert_eq!(plain, planned(PlanFormat::Full, &[]));
}

/// The fleet is only worth its snapshots if it has everything that a plan can say.
#[test]
fn the_fleet_has_every_outcome_danger_drift_and_rule() {
    let plan = json(&planned(PlanFormat::Json, &[]));
    let agents = plan["agents"].as_array().unwrap();
    let outcomes: BTreeSet<&str> =
        agents.iter().map(|agent| agent["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, Outcome::ALL.map(Outcome::name).into());
    let kinds = values(&plan, "changes", "kind");
    for kind in ChangeKind::ALL.into_iter().filter(|kind| kind.is_dangerous()) {
        assert!(kinds.contains(kind.name()), "no change is {}", kind.name());
    }
    assert_eq!(values(&plan, "drift", "kind"), DriftKind::ALL.map(DriftKind::name).into());
    let found = values(&plan, "findings", "rule");
    for rule in rules::all().filter(|rule| rule.family() == Family::Fleet) {
        assert!(found.contains(&*rule.id), "no finding of {}", rule.id);
    }
    let overwrites = |agent: &Value| {
        agent["changes"].as_array().unwrap().iter().any(|change| change["overwrites"] == true)
    };
    assert!(agents.iter().any(overwrites));
    assert!(agents.iter().any(|agent| agent["heard"].is_array()));
    // One of them takes the number of an agent that has no document.
    let takes = |agent: &Value| {
        let mut changes = agent["changes"].as_array().unwrap().iter();
        changes.any(|change| change["takes_from"] == serde_json::json!(["stored/breakfast.json"]))
    };
    assert!(agents.iter().any(takes));
}

#[test]
fn the_forms_do_not_depend_on_threads_or_on_the_order_of_paths() {
    for format in PlanFormat::ALL {
        let with = |threads: &str, paths: &[&str]| {
            let arguments = [&["plan", "--format", format.name()], paths].concat();
            let mut command = voxlint(&fleet(), &arguments);
            stdout(&command.env("RAYON_NUM_THREADS", threads).output().unwrap()).to_owned()
        };
        let one = with("1", &["agents/events.json", "agents/valet.yaml", "agents/spa.toml"]);
        assert_eq!(one, with("4", &["agents/spa.toml", "agents/valet.yaml", "agents/events.json"]));
        assert!(one.contains("valet.yaml"), "{format}");
    }
}

fn schema() -> Value {
    let output = run(repository(), &["schema", "plan"]);
    assert_eq!(stderr(&output), "");
    json(stdout(&output))
}

/// Forbids every field that the schema does not describe.
pub(crate) fn forbid_others(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members.contains_key("properties") {
                members.insert("additionalProperties".to_owned(), Value::Bool(false));
            }
            members.values_mut().for_each(forbid_others);
        }
        Value::Array(items) => items.iter_mut().for_each(forbid_others),
        _ => {}
    }
}

/// Checks JSON against a schema.
pub(crate) fn assert_valid(schema: &Value, instance: &Value, what: &str) {
    let validator = jsonschema::draft202012::new(schema).unwrap();
    let faults: Vec<String> = validator
        .iter_errors(instance)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{what}: {faults:#?}");
}

#[test]
fn the_json_of_a_plan_follows_its_schema() {
    let mut schema = schema();
    assert!(jsonschema::draft202012::meta::validate(&schema).is_ok());
    let plan = json(&planned(PlanFormat::Json, &[]));
    assert_valid(&schema, &plan, "the fleet");
    // The schema describes every field. Others may be added in later versions, so the published one allows them.
    forbid_others(&mut schema);
    assert_valid(&schema, &plan, "the fleet, strictly");

    let copy = copy_of_the_fleet("plan-forms/saved");
    run(
        &copy,
        &["plan", "--out", "saved", "-q", "agents/reservations.json", "agents/night-desk.json"],
    );
    let saved = json(&fs::read_to_string(copy.join("saved/plan.json")).unwrap());
    let bodies: Vec<&Value> =
        saved["agents"].as_array().unwrap().iter().map(|agent| &agent["body"]["file"]).collect();
    assert_eq!(bodies, ["001-night-desk.json", "002-reservations.json"]);

    // A schema that allows anything would be of no use.
    let mut broken = plan;
    broken["agents"][0]["outcome"] = "perhaps".into();
    assert!(!jsonschema::draft202012::is_valid(&self::schema(), &broken));
}

fn copy_of_the_fleet(name: &str) -> PathBuf {
    let root = fleet();
    let files: Vec<(String, Vec<u8>)> = walkdir::WalkDir::new(&root)
        .into_iter()
        .map(|entry| entry.unwrap().into_path())
        .filter(|path| path.is_file())
        .map(|path| (shown(&root, &path), fs::read(&path).unwrap()))
        .collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(way, bytes)| (&**way, &**bytes)).collect();
    folder(name, &files)
}

fn shown(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap().to_string_lossy().replace('\\', "/")
}

/// The bodies of a plan are what the documents say, but no form shows a secret of them.
#[test]
fn no_form_shows_a_secret() {
    let stored = r#"{ "agent": { "id": "ag_a", "agent_type": "Single_Prompt_Agent", "versions": [{ "version_number": 3, "is_published": false }] },
        "version": { "version_number": 3, "is_published": false, "prompt_text": "The key is sk-test-Zk3vT9qLr2Xw8YbN5mHd7PcS, keep it. It is only for the booking system of the hotel." }, "complete": true }"#;
    let document = r#"{ "version_number": 3, "prompt_text": "The key is sk-test-Qm7uT2qLr9Xw4YbN1mHd5PcW, keep it. It is only for the booking system of the hotel." }"#;
    let settings = "[[documents]]\nfiles = \"*.json\"\nstored = \"stored/{stem}.json\"\n";
    let files = [("voxlint.toml", settings), ("a.json", document), ("stored/a.json", stored)];
    let folder = folder("plan-forms/secret", &files);
    for format in PlanFormat::ALL {
        let output = run(&folder, &["plan", "a.json", "--format", format.name()]);
        let text = stdout(&output);
        assert!(
            text.contains("prompt_text") || text.contains("prompt&#95;text"),
            "{format}: {text}"
        );
        assert!(!text.contains("Zk3v") && !text.contains("Qm7u"), "{format}: {text}");
    }
}

/// A file that teams copy.
fn example(name: &str) -> String {
    fs::read_to_string(repository().join("examples/publish").join(name)).unwrap()
}

/// The script of the examples, with programs in place of voxlint, jq and curl: `jq` prints a list, and `curl` notes what it sends.
#[cfg(unix)]
fn sent(name: &str, jq: &str, bodies: &[&str]) -> (Option<i32>, String) {
    use std::os::unix::fs::PermissionsExt as _;

    let programs = [
        ("programs/voxlint", "#!/bin/sh\n".to_owned()),
        ("programs/jq", format!("#!/bin/sh\n{jq}\n")),
        ("programs/curl", "#!/bin/sh\nfor last; do :; done\necho \"$last\" >> sent\n".to_owned()),
        ("send.sh", example("send.sh")),
        ("plan/plan.json", "{}".to_owned()),
    ];
    let bodies = bodies.iter().map(|body| (format!("plan/{body}"), "{}".to_owned()));
    let files: Vec<(String, String)> =
        programs.into_iter().map(|(path, text)| (path.to_owned(), text)).chain(bodies).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
    let folder = folder(name, &files);
    for program in ["voxlint", "jq", "curl"] {
        let path = folder.join("programs").join(program);
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let path = format!("{}:/usr/bin:/bin", folder.join("programs").display());
    let mut command = std::process::Command::new("sh");
    command.arg("send.sh").current_dir(&folder).env("PATH", path);
    let output = command.env("API_KEY", "k").env("BASE_URL", "b").output().unwrap();
    let sent = fs::read_to_string(folder.join("sent")).unwrap_or_default();
    (output.status.code(), sent)
}

#[cfg(unix)]
#[test]
fn the_script_of_the_examples_sends_every_body_or_nothing() {
    let bodies = ["001-a.json", "002-b.json"];
    let list = |rows: &str| format!("printf '{rows}'");
    let both = list("002-b.json\\tag_b\\n001-a.json\\tag_a\\n");
    let (status, order) = sent("plan-forms/send", &both, &bodies);
    assert_eq!((status, &*order), (Some(0), "@plan/001-a.json\n@plan/002-b.json\n"));
    for (name, jq) in [
        ("jq-fails", "exit 127".to_owned()),
        ("jq-prints-nothing", "exit 0".to_owned()),
        ("a-body-is-left-out", list("001-a.json\\tag_a\\n")),
        ("an-agent-is-unknown", list("001-a.json\\tag_a\\n002-b.json\\t\\n")),
    ] {
        let (status, sent) = sent(&format!("plan-forms/send-{name}"), &jq, &bodies);
        assert!(status != Some(0) && sent.is_empty(), "{name}: {status:?} {sent}");
    }
    assert_eq!(sent("plan-forms/send-nothing", "exit 0", &[]), (Some(0), String::new()));
}

/// Only stored configurations that were fetched anew can differ from those that are committed.
#[test]
fn the_workflows_fetch_before_they_plan_and_before_they_send() {
    for workflow in ["github.yml", "gitlab-ci.yml"].map(example) {
        let (before, after) = workflow.split_once("voxlint plan --base HEAD --out plan").unwrap();
        assert!(before.contains("fetch-agents stored/"), "{workflow}");
        let (before, _) = after.split_once("sh send.sh").unwrap();
        assert!(before.contains("fetch-agents stored/"), "{workflow}");
    }
}

/// What fails a run, and what a plan of some documents is compared with.
#[test]
fn the_help_tells_what_fails_and_what_is_compared() {
    let output = run(repository(), &["plan", "--help"]);
    let help = stdout(&output).split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["or there is an error", "with stored configurations that belong to no document"] {
        assert!(help.contains(words), "{help}");
    }
    // The rules of the example exist.
    let guide = fs::read_to_string(repository().join("docs/plan.md")).unwrap();
    for id in ["draft-edited-while-another-is-published", "phone-number-held-by-another-agent"] {
        assert!(guide.contains(&format!("\n{id} = ")), "{id}");
        assert!(rules::all().any(|rule| &*rule.id == id), "{id}");
    }
}
