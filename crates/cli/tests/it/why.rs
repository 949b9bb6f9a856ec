//! `voxlint why` as its users meet it.

use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::process::{folder, run, stderr, stdout};

const CONFIGURATION: &str = "\
exclude = ['agents/old/']
variables = ['guest']
rules.negative-time = 'off'
rules.style = 'off'
rules.heard = 'off'
rules.unknown-field = { level = 'warning', allow = ['x_*'] }

[[documents]]
files = 'agents/shared-*.json'
text_files = { prompt_text = 'shared.txt' }

[[suppressions]]
files = 'agents/hidden.yaml'
rules = 'out-of-range'
reason = 'the limit will be raised'

[[house_rules]]
id = 'title-has-team'
files = 'agents/team-*'
field = '/title'
must_match = '^Sales '
message = 'a title begins with the team'
";

/// Findings that are reported, suppressed and counted.
const FAULTY: &str = "\
version_number: 3
kb_max_chunks: 12
is_published: yes # voxlint-ignore wrong-type: as we were told
kb_min_score: []
end_call_on_silence_sec: 20
x_team: sales
prompt_text: 'Ask {{name}} and {{name}}.'
";

const PLAIN: &str = "{ \"version_number\": 3, \"title\": \"Desk\", \"kb_max_chunks\": 4 }\n";

const STORED: &str = "{ \"agent\": { \"versions\": [{ \"version_number\": 3, \"is_published\": true }] }, \
\"version\": { \"version_number\": 3, \"title\": \"Desk\", \"kb_max_chunks\": 4, \"is_published\": true, \
\"boosted_keywords\": \"clinic,clinic\", \"transcriber_id\": \"tr\" } }\n";

const BASELINE_OF: &str = "version_number: 3\nkb_max_chunks: 13\n";

fn project(name: &str) -> std::path::PathBuf {
    let folder = folder(
        name,
        &[
            ("voxlint.toml", CONFIGURATION),
            ("agents/plain.json", PLAIN),
            ("agents/faulty.yaml", FAULTY),
            ("agents/hidden.yaml", "version_number: 3\nkb_max_chunks: 12\n"),
            ("agents/known.yaml", BASELINE_OF),
            ("agents/.draft.json", PLAIN),
            ("agents/built.json", PLAIN),
            ("agents/notes.txt", "A note.\n"),
            ("agents/package.json", "{ \"name\": \"site\" }\n"),
            ("agents/old/en.json", PLAIN),
            ("agents/list.json", "{ \"agent_id\": \"ag_1\", \"versions\": [] }\n"),
            (
                "agents/functions.json",
                "{ \"version_number\": 3, \"agent_functions\": [\
                { \"displayName\": \"End\", \"type\": \"custom\", \"description\": \"Ends.\", \"config\": 5 }] }\n",
            ),
            (
                "agents/wrong.json",
                "{ \"fallback_stt_enabled\": true, \"transcriber_id\": 5, \
                \"stt_fallback_transcriber_id\": \"tr\" }\n",
            ),
            (
                "agents/fallback.json",
                "{ \"fallback_stt_enabled\": true, \
                \"stt_fallback_transcriber_id\": \"tr\" }\n",
            ),
            ("agents/shared-a.json", PLAIN),
            ("agents/shared-b.json", PLAIN),
            ("agents/shared.txt", "{{! voxlint-ignore-file unknown-helper: told }}Hi\n"),
            (
                "agents/two.yaml",
                "version_number: 3\nkb_max_chunks: 4\n---\nversion_number: 3\nkb_max_chunks: 12\n",
            ),
            (
                "agents/lines.ndjson",
                "{\"version_number\":3}\n{\"version_number\":3,\"kb_max_chunks\":12}\n",
            ),
            ("agents/faulty.toml", "version_number = 3\nkb_max_chunks = 12\n"),
            ("stored.json", STORED),
            (".gitignore", "built.json\n"),
        ],
    );
    let write = run(&folder, &["baseline", "write", "agents/known.yaml"]);
    assert_eq!(write.status.code(), Some(0), "{}", stderr(&write));
    folder
}

fn git(folder: &Path, arguments: &[&str]) -> bool {
    let name = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
    let git = Command::new("git").args(name).args(arguments).current_dir(folder).output();
    git.is_ok_and(|output| output.status.success())
}

/// What is printed about a document, without its path.
fn why(folder: &Path, arguments: &[&str]) -> String {
    let output = run(folder, &[&["why"], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
    let lines = stdout(&output).lines().filter_map(|line| line.strip_prefix("  "));
    lines.collect::<Vec<_>>().join("\n")
}

const HOLDS: &str = "holds: the document has nothing that the rule objects to";

/// What can keep a finding from being reported, the rule and the document, and what is said.
const GATES: &[(&str, &[&str], &str)] = &[
    ("hidden", &["out-of-range", "agents/.draft.json"], "skipped unless it is named: hidden"),
    (
        "ignored",
        &["out-of-range", "agents/built.json"],
        "skipped unless it is named: listed in .gitignore",
    ),
    ("extension", &["out-of-range", "agents/notes.txt"], "skipped: unknown extension"),
    (
        "exclude",
        &["out-of-range", "agents/old/en.json"],
        "skipped unless it is named: excluded by `agents/old/`",
    ),
    (
        "recognition",
        &["out-of-range", "agents/package.json"],
        "skipped unless it is named: no field of an agent document at the top level",
    ),
    (
        "changed since",
        &["out-of-range", "agents/plain.json", "--changed-since", "HEAD"],
        "skipped: unchanged since `HEAD`",
    ),
    (
        "kind",
        &["fallback-transcriber-same", "agents/list.json", "--kind", "agent"],
        "the rule does not apply to an agent",
    ),
    ("group off", &["greeting-with-gap", "agents/plain.json"], "the rule is off: voxlint.toml:5"),
    (
        "optional rule",
        &["mustache-spacing", "agents/plain.json", "--isolated"],
        "the rule is off by default: set its level to turn it on",
    ),
    ("needs of texts", &["template-syntax-error", "agents/plain.json"], HOLDS),
    ("words that a document mentions", &["hard-coded-date", "agents/plain.json"], HOLDS),
    ("places that deserve a look", &["secret-in-document", "agents/plain.json"], HOLDS),
    ("plainly allowed", &["out-of-range", "agents/plain.json"], HOLDS),
    (
        "first finding of a value",
        &["out-of-range", "agents/faulty.yaml:4"],
        "4:15: not checked: `wrong-type` was reported for the value first",
    ),
    (
        "concerns",
        &["fallback-transcriber-same", "agents/plain.json"],
        "not concerned: the document sets none of `transcriber_id`, `fallback_stt_enabled`, `stt_fallback_transcriber_id`",
    ),
    (
        "the rule",
        &["reminder-interval-too-long", "agents/plain.json", "--stored", "stored.json"],
        HOLDS,
    ),
    (
        "undecided",
        &["fallback-transcriber-same", "agents/fallback.json"],
        "undecided, listed with `--show-undecided`: depends on the stored `transcriber_id`",
    ),
    (
        "undecided and not touched",
        &["voice-model-of-another-provider", "agents/plain.json", "--stored", "stored.json"],
        "undecided, but no field of the document raises the question: depends on the stored `voice_model_id`",
    ),
    (
        "undecided because of a fault",
        &["fallback-transcriber-same", "agents/wrong.json"],
        "not decided: a value that the rule reads is reported already",
    ),
    (
        "about a rejected value",
        &["no-end-call-function", "agents/functions.json", "--level", "no-end-call-function=info"],
        "not reported: it follows from a value that the service rejects",
    ),
    (
        "revalidation",
        &["boosted-keyword-listed-twice", "agents/plain.json", "--stored", "stored.json"],
        "stored.json:1:190: not reported: the stored value stays, and the service would not reject it",
    ),
    (
        "nothing is sent",
        &["published-version-edited", "agents/plain.json", "--stored", "stored.json"],
        "1:21: not reported: all settings equal the stored ones, so nothing is sent",
    ),
    (
        "merge",
        &["unknown-template-variable", "agents/faulty.yaml"],
        "7:21: reported as warning: `name` is not a known template variable\n7:34: not reported again: listed at the first place",
    ),
    (
        "weaker",
        &["yaml-ambiguous-value", "agents/faulty.yaml"],
        "3:15: not reported: `wrong-type` is reported for the same characters",
    ),
    ("level", &["negative-time", "agents/faulty.yaml"], "the rule is off: voxlint.toml:3"),
    (
        "argument",
        &["out-of-range", "agents/faulty.yaml", "--ignore", "out-of-range"],
        "the rule is off: --ignore",
    ),
    (
        "allowed field",
        &["unknown-field", "agents/faulty.yaml"],
        "6:1: not reported: the field is allowed by voxlint.toml:6",
    ),
    ("other files", &["title-has-team", "agents/plain.json"], "the house rule is for other files"),
    (
        "other documents",
        &["phone-number-claimed-twice", "agents/plain.json"],
        "the rule compares documents: only `voxlint plan` runs it",
    ),
    (
        "comment",
        &["wrong-type", "agents/faulty.yaml:3"],
        "3:15: reported, then suppressed by a comment: as we were told",
    ),
    (
        "shared text",
        &["unused-suppression", "agents/shared-a.json"],
        "agents/shared.txt:1:25: not reported: several documents share the text",
    ),
    (
        "suppression",
        &["out-of-range", "agents/hidden.yaml"],
        "2:16: reported, then suppressed by voxlint.toml:14",
    ),
    (
        "baseline",
        &["out-of-range", "agents/known.yaml"],
        "2:16: reported, then suppressed by the baseline",
    ),
    (
        "minimum severity",
        &[
            "out-of-range",
            "agents/faulty.yaml",
            "--level",
            "out-of-range=info",
            "--min-severity",
            "warning",
        ],
        "2:16: reported as info, which `--min-severity` hides",
    ),
    (
        "nothing",
        &["out-of-range", "agents/faulty.yaml:2"],
        "2:16: reported as error: `kb_max_chunks` is 12, over the maximum of 10",
    ),
];

#[test]
fn each_gate_between_a_rule_and_its_report_is_said_in_a_sentence() {
    let folder = project("why-gates");
    assert!(git(&folder, &["init", "-q"]) && git(&folder, &["add", "."]));
    assert!(git(&folder, &["commit", "-qm", "All"]));
    let mut wrong = Vec::new();
    for (gate, arguments, expected) in GATES {
        let said = why(&folder, arguments);
        if !said.contains(expected) {
            wrong.push(format!("{gate}: {expected}\n    {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn findings_that_are_counted_and_not_listed_are_counted_here_too() {
    let numbers = vec!["1"; 10_001].join(", ");
    let text = format!("version_number: 3\nknowledge_base_ids: [{numbers}]\n");
    let folder = folder("why-many", &[("many.yaml", &text)]);
    let said = why(&folder, &["wrong-type", "many.yaml"]);
    assert!(said.contains("counted, but not listed: 1 of the findings"), "{said}");
}

#[test]
fn a_file_is_found_however_its_path_is_written() {
    let folder = project("why-paths");
    let absolute = folder.join("agents");
    let absolute = absolute.to_str().unwrap();
    let mut said = Vec::new();
    for path in ["agents", "./agents", "agents/../agents", absolute] {
        let hidden = run(&folder, &["why", "out-of-range", &format!("{path}/.draft.json:1")]);
        let over = run(&folder, &["why", "out-of-range", &format!("{path}/faulty.toml:2")]);
        assert_eq!(stdout(&hidden).lines().count(), 3, "{path}: {}", stdout(&hidden));
        said.push(stdout(&over).lines().last().unwrap().to_owned());
    }
    said.dedup();
    assert_eq!(said, ["  2:17: reported as error: `kb_max_chunks` is 12, over the maximum of 10"]);
}

#[test]
fn the_json_form_says_the_same_as_the_text() {
    let folder = project("why-json");
    let arguments =
        ["why", "out-of-range", "agents/faulty.yaml", "agents/old/en.json", "agents/notes.txt"];
    let text = run(&folder, &arguments);
    let json = run(&folder, &[&arguments[..], &["--format", "json"]].concat());
    assert_eq!((text.status.code(), json.status.code()), (Some(0), Some(0)));
    let written: Value = serde_json::from_slice(&json.stdout).unwrap();
    assert_eq!(written["rule"], "out-of-range");
    let all = |list: &str, field: &str| -> Vec<String> {
        let items = written[list].as_array().unwrap().iter();
        items.map(|item| item[field].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(all("files", "path"), ["agents/faulty.yaml", "agents/old/en.json"]);
    assert_eq!(all("skipped", "path"), ["agents/notes.txt", "agents/old/en.json"]);
    let steps: Vec<&Value> = written["files"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|file| file["steps"].as_array().unwrap())
        .collect();
    assert!(steps.len() > 3);
    for step in steps {
        assert!(stdout(&text).contains(step["sentence"].as_str().unwrap()), "{step}");
    }
}
