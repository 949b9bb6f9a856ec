//! `voxlint vars` as its users meet it.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::process::{folder, run, stderr, stdout};
use voxlint_testing::assert_snapshot;

const PROMPT: &str = "Greet {{customer_name}}.\n{{#if vip}}Thank {{ customer_name }} for {{years}} years.{{/if}}\n\
{{#each orders}}{{id}} of {{../customer_name}} {{@root.customer_name}}{{/each}}\n";

const UPDATE: &str = r#"{
  "version_number": 3,
  "welcome_message": "Hello {{customer_name}}, this is {{agent_name}} about {{crm_case}}.",
  "default_dynamic_variables": { "customer_name": "there", "orders": [], "old_offer": "none" }
}
"#;

const STORED: &str = r#"{
  "version_number": 3,
  "voicemail_message": "Goodbye, {{custmer_name}} of {{city}}.",
  "default_dynamic_variables": { "city": "Lyon" }
}
"#;

const CONFIGURATION: &str = "variables = ['crm_*']\n[[documents]]\nfiles = 'agents/*.json'\n\
text_files = { prompt_text = '{stem}.prompt.hbs' }\n";

const FILES: [(&str, &str); 4] = [
    ("voxlint.toml", CONFIGURATION),
    ("agents/en.json", UPDATE),
    ("agents/en.prompt.hbs", PROMPT),
    ("stored.json", STORED),
];

fn json(output: &[u8]) -> Value {
    serde_json::from_slice(output).unwrap()
}

#[test]
fn the_json_form_says_the_same() {
    let folder = folder("vars-json", &FILES);
    let arguments = ["vars", "agents/en.json", "--stored", "stored.json", "--format", "json"];
    let output = run(&folder, &arguments);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    let text = stdout(&output);
    let version = concat!("\"version\": \"", env!("CARGO_PKG_VERSION"), "\"");
    assert_snapshot("vars", "table.json", &text.replace(version, "\"version\": \"…\""));
    let report = json(&output.stdout);
    let variables = report["files"][0]["variables"].as_array().unwrap();
    let names: Vec<_> = variables.iter().map(|it| it["name"].as_str().unwrap()).collect();
    let table = run(&folder, &["vars", "agents/en.json", "--stored", "stored.json"]);
    let rows: Vec<_> = stdout(&table).lines().skip(2).map(str::to_owned).collect();
    let rows: Vec<_> = rows.iter().map(|row| row.split_whitespace().next().unwrap()).collect();
    assert_eq!(names, rows);
    for used in variables.iter().flat_map(|it| it["uses"].as_array().unwrap()) {
        let (path, span) = (used["path"].as_str().unwrap(), &used["span"]);
        let text = FILES.iter().find(|(name, _)| *name == path).unwrap().1;
        let at = |end: &str| usize::try_from(span[end].as_u64().unwrap()).unwrap();
        let name = &text[at("start")..at("end")];
        assert!(names.contains(&name), "{path}: {name}");
    }
}

/// What a JSON report says about each variable, without places.
fn facts(report: &Value) -> BTreeSet<String> {
    let files = report["files"].as_array().unwrap();
    let variables = files.iter().flat_map(|file| file["variables"].as_array().unwrap());
    let facts = variables.map(|variable| {
        let uses = variable["uses"].as_array().unwrap().iter();
        let uses: Vec<_> =
            uses.map(|it| format!("{} {} {}", it["field"], it["role"], it["guarded"])).collect();
        format!("{} {} {uses:?}", variable["name"], variable["defined"])
    });
    facts.collect()
}

#[test]
fn all_formats_of_a_document_have_the_same_variables() {
    let yaml = "version_number: 3\nwelcome_message: Hello {{name}}, {{#if vip}}dear {{vip}}{{/if}}\n\
default_dynamic_variables:\n  name: there\n";
    let toml = "version_number = 3\nwelcome_message = 'Hello {{name}}, {{#if vip}}dear {{vip}}{{/if}}'\n\
[default_dynamic_variables]\nname = 'there'\n";
    let text = "{ \"version_number\": 3, \"welcome_message\": \"Hello {{n\\u0061me}}, {{#if vip}}dear {{vip}}{{/if}}\",\
 \"default_dynamic_variables\": { \"name\": \"there\" } }";
    let files = [("a.yaml", yaml), ("a.toml", toml), ("a.json", text)];
    let folder = folder("vars-formats", &files);
    let reports = files.map(|(name, _)| {
        let output = run(&folder, &["vars", name, "--format", "json"]);
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
        facts(&json(&output.stdout))
    });
    assert_eq!(reports[0].len(), 2);
    assert!(reports.iter().all(|it| *it == reports[0]), "{reports:?}");
}
