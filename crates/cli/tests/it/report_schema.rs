//! The schema of the JSON that the commands write: it is what they write, and all of it.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::plan_forms::{assert_valid, forbid_others};
use crate::process::{folder, run, run_with_input, stderr, stdout};
use serde_json::{Value, json};
use voxlint_testing::{files_below, repository};

fn schema() -> Value {
    let output = run(repository(), &["schema", "report"]);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    serde_json::from_str(stdout(&output)).unwrap()
}

/// The schema of one output. Every field that it does not describe is forbidden, although later versions may add some.
fn strict(definition: &str) -> Value {
    let mut schema = schema();
    schema.as_object_mut().unwrap().remove("anyOf");
    schema["$ref"] = json!(format!("#/$defs/{definition}"));
    forbid_others(&mut schema);
    schema
}

/// Checks the output of a command. Returns it.
fn assert_follows(definition: &str, directory: &Path, arguments: &[&str]) -> Value {
    let output = run(directory, arguments);
    let written = serde_json::from_str(stdout(&output))
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", stderr(&output)));
    assert_valid(&strict(definition), &written, &format!("{arguments:?}"));
    assert_valid(&schema(), &written, &format!("{arguments:?}, as any output"));
    written
}

fn assert_lines_follow(text: &str) {
    let validator = jsonschema::draft202012::new(&strict("ndjson-line")).unwrap();
    for line in text.lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let faults: Vec<String> =
            validator.iter_errors(&value).map(|fault| fault.to_string()).collect();
        assert!(faults.is_empty(), "{line}: {faults:#?}");
    }
}

#[test]
fn the_schema_is_a_schema_and_describes_everything() {
    let schema = schema();
    assert!(jsonschema::draft202012::meta::validate(&schema).is_ok());
    assert_eq!(schema["$id"], "urn:voxlint:schema:report");
    let definitions = schema["$defs"].as_object().unwrap();
    for (name, definition) in definitions {
        assert!(definition["description"].is_string(), "{name}");
        let fields = definition["properties"].as_object().into_iter().flatten();
        for (field, described) in fields {
            let is_described =
                described["description"].is_string() || described["const"].is_string();
            assert!(is_described, "{name}: {field}");
        }
    }
    // Each definition is used.
    let text = schema.to_string();
    for name in definitions.keys() {
        assert!(text.contains(&format!("\"#/$defs/{name}\"")), "{name}");
    }
}

#[test]
fn the_kinds_and_names_are_those_of_the_program() {
    let definitions = &schema()["$defs"];
    let kinds: Vec<&str> =
        voxlint::DocumentKind::ALL.into_iter().map(voxlint::DocumentKind::name).collect();
    assert_eq!(definitions["kind"]["enum"], json!(kinds));
    // The description of a list of names says what each means.
    let lists = [("change", "kind"), ("fix", "not_applied")];
    for described in lists.map(|(name, field)| &definitions[name]["properties"][field]) {
        let meaning = described["description"].as_str().unwrap();
        for name in described["enum"].as_array().unwrap() {
            assert!(meaning.contains(&format!("`{}`: ", name.as_str().unwrap())), "{name}");
        }
    }
}

/// `docs/json-fields.md` has every field of the schemas. `UPDATE_PAGES=1` writes it.
#[test]
fn the_page_of_json_fields_is_current() {
    let mut page = String::from(
        "<!-- Made from the schemas by `UPDATE_PAGES=1 cargo test -p voxlint-cli --test it json_fields`. Do not edit. -->\n\n\
         # JSON fields\n\nThe fields of the [JSON formats](json.md), as the JSON Schemas describe them.\n",
    );
    for kind in ["report", "plan", "adopt"] {
        let output = run(repository(), &["schema", kind]);
        let schema: Value = serde_json::from_str(stdout(&output)).unwrap();
        let prefix = if kind == "report" { "" } else { kind };
        if !prefix.is_empty() {
            describe(&mut page, prefix, prefix, &schema);
        }
        // The outputs, then their parts.
        let outputs = schema["anyOf"].as_array().into_iter().flatten();
        let outputs: Vec<&str> = outputs.map(|it| definition_of(it).unwrap()).collect();
        let parts = schema["$defs"].as_object().into_iter().flat_map(|it| it.keys());
        let parts = parts.map(String::as_str).filter(|it| !outputs.contains(it));
        for name in outputs.iter().copied().chain(parts) {
            describe(&mut page, prefix, &heading(prefix, name), &schema["$defs"][name]);
        }
    }
    let path = repository().join("docs/json-fields.md");
    if std::env::var_os("UPDATE_PAGES").is_some() {
        fs::write(path, page).unwrap();
    } else {
        assert!(fs::read_to_string(path).unwrap() == page, "stale: UPDATE_PAGES=1 updates it");
    }
}

fn heading(prefix: &str, name: &str) -> String {
    format!("{prefix} {name}").trim_start().to_owned()
}

/// The name of the definition that a schema refers to.
fn definition_of(schema: &Value) -> Option<&str> {
    schema["$ref"].as_str().map(|it| it.strip_prefix("#/$defs/").unwrap())
}

/// Adds a section about a definition of a schema.
fn describe(page: &mut String, prefix: &str, heading: &str, schema: &Value) {
    let _ = write!(page, "\n## {heading}\n\n{}\n", schema["description"].as_str().unwrap());
    let rows = rows(prefix, "", schema);
    if rows.is_empty() {
        let _ = writeln!(page, "\nIt is {}.", type_of(prefix, schema));
    } else {
        page.push_str("\n| field | type | meaning |\n|---|---|---|\n");
        page.push_str(&rows);
    }
}

/// A row of the table for each field of an object, and of the objects in it.
fn rows(prefix: &str, parent: &str, schema: &Value) -> String {
    let mut rows = String::new();
    // The required fields in the order in which they are written, then the optional ones.
    let fields = schema["properties"].as_object().into_iter().flatten();
    let required = schema["required"].as_array().into_iter().flatten();
    let required: Vec<&str> = required.map(|it| it.as_str().unwrap()).collect();
    let optional = fields.map(|(name, _)| name.as_str()).filter(|it| !required.contains(it));
    for name in required.iter().copied().chain(optional) {
        let field = &schema["properties"][name];
        let optional = if required.contains(&name) { "" } else { ", optional" };
        let name = format!("{parent}{name}");
        let meaning = field["description"].as_str().unwrap_or_default();
        let kind = type_of(prefix, field);
        let _ = writeln!(rows, "| `{name}` | {kind}{optional} | {} |", meaning.replace('|', "\\|"));
        for inner in field["oneOf"].as_array().into_iter().flatten().chain([field]) {
            rows.push_str(&self::rows(prefix, &format!("{name}."), inner));
        }
        rows.push_str(&self::rows(prefix, &format!("{name}[]."), &field["items"]));
    }
    rows
}

/// The type of a value in words, with links to definitions.
fn type_of(prefix: &str, schema: &Value) -> String {
    if let Some(name) = definition_of(schema) {
        let heading = heading(prefix, name);
        return format!("[{heading}](#{})", heading.replace(' ', "-"));
    }
    let or =
        |all: &[Value]| all.iter().map(|it| type_of(prefix, it)).collect::<Vec<_>>().join(" or ");
    if let Some(choices) = ["oneOf", "anyOf"].iter().find_map(|it| schema[*it].as_array()) {
        return or(choices);
    }
    if let Some(values) = schema["enum"].as_array() {
        return values
            .iter()
            .map(|it| format!("`{it}`"))
            .collect::<Vec<_>>()
            .join(", ")
            .replace('"', "");
    }
    match &schema["type"] {
        _ if !schema["const"].is_null() => format!("`{}`", schema["const"]).replace('"', ""),
        Value::Array(types) => {
            types.iter().map(|it| it.as_str().unwrap()).collect::<Vec<_>>().join(" or ")
        }
        Value::String(name) if name == "array" => {
            format!("list of {}", type_of(prefix, &schema["items"]))
        }
        Value::String(name) => name.clone(),
        _ => "any value".to_owned(),
    }
}

/// All cases of all rules, in every format of documents.
#[test]
fn reports_of_all_cases_follow_the_schema() {
    let cases = ["check", "fixtures/rules", "--format", "json", "--level", "style=info"];
    let report = assert_follows("check", repository(), &cases);
    assert!(report["files"].as_array().unwrap().len() > 500);
    let lines = ["check", "fixtures/rules", "--format", "ndjson", "--level", "style=info"];
    assert_lines_follow(stdout(&run(repository(), &lines)));
}

#[test]
fn reports_of_unusual_runs_follow_the_schema() {
    let faulty = r#"{ "version_number": 3, "promt_text": "Hi", "kb_max_chunks": 12 }"#;
    let many = "{ \"kb_max_chunks\": 12 }\n{ \"version_number\": 3 }\n".repeat(3);
    let folder = folder(
        "report-schema",
        &[
            ("a.json", faulty),
            ("many.ndjson", &format!("{many}{}\n", r#"{ "agent_id": "a", "versions": [] }"#)),
            ("many.yaml", "version_number: 3\n---\nversion_number: no\n"),
            ("b.txt", "no document"),
            ("stored.json", r#"{ "version": { "kb_max_chunks": 99 } }"#),
        ],
    );
    let check = |more: &[&str]| {
        let arguments = [&["check", "--format", "json"], more].concat();
        assert_follows("check", &folder, &arguments);
        let lines = [&["check", "--format", "ndjson"], more].concat();
        assert_lines_follow(stdout(&run(&folder, &lines)));
    };
    check(&["missing.json", "a.json", "b.txt", "many.ndjson", "many.yaml"]);
    check(&["a.json", "--stored", "stored.json"]);
    check(&["b.txt", "--only-documents"]);
    let answers = ["check", "--stdin-format", "ndjson", "--format", "ndjson"];
    let answered = run_with_input(&answers, many);
    assert_eq!(stdout(&answered).matches(r#""type":"document""#).count(), 6);
    assert_lines_follow(stdout(&answered));
    let fixed = ["check", "a.json", "--fix", "--format", "json"];
    let fixed = assert_follows("check", &folder, &fixed);
    assert!(fixed.to_string().contains("not_applied"), "{fixed}");
}

#[test]
fn the_json_of_the_other_commands_follows_the_schema() {
    let update = r#"{ "version_number": 3, "title": "Desk", "prompt_text": "Hi {{name}} {{#if a}}{{b}}{{/if}} {{{c}}}{{#each this}}{{/each}}" }"#;
    let stored = r#"{ "version": { "title": "Bar", "webhook_url": "https://a.example/x", "temperature": 1 } }"#;
    let folder = folder(
        "report-schema-others",
        &[
            ("a.json", update),
            ("new.json", r#"{ "version_number": 3, "title": "Desk", "prompt_text": "Hi" }"#),
            ("stored.json", stored),
            ("hot.json", r#"{ "version_number": 3, "kb_max_chunks": 12 }"#),
            (
                "paths.json",
                r#"{ "version_number": 3, "welcome_message": "Hi{{#if name}} {{name}}{{/if}}, {{day}}", "voicemail_message": "こんにちは{{name}}" }"#,
            ),
            ("lines.ndjson", &format!("{update}\n{update}\n")),
        ],
    );
    for file in ["a.json", "hot.json"] {
        assert_follows("prediction", &folder, &["predict", file, "--format", "json"]);
        let stored = ["predict", file, "--stored", "stored.json", "--format", "json"];
        assert_follows("prediction", &folder, &stored);
    }
    assert_follows("rendering", &folder, &["render", "a.json", "--format", "json"]);
    let paths = ["render", "paths.json", "--paths", "--format", "json"];
    let paths = assert_follows("rendering", &folder, &paths);
    assert_eq!(paths["templates"][1]["paths"].as_array().unwrap().len(), 2);
    let variables = ["vars", "a.json", "lines.ndjson", "b.json", "--format", "json"];
    assert_follows("variables", &folder, &variables);
    let why = ["why", "out-of-range", "hot.json", "lines.ndjson", "gone.json", "--format", "json"];
    assert_follows("why", &folder, &why);
    let difference = ["diff", "stored.json", "new.json", "--format", "json"];
    assert_follows("difference", &folder, &difference);
    assert_follows("rules", &folder, &["rules", "--format", "json"]);
}

#[test]
fn the_verification_of_a_plan_follows_the_schema() {
    let stored =
        r#"{ "agent": { "id": "a-1" }, "version": { "version_number": 3, "title": "Bar" } }"#;
    let toml = "[[documents]]\nfiles = \"agents/*.json\"\nstored = \"../stored.json\"\n";
    let folder = folder(
        "report-schema-plan",
        &[
            ("voxlint.toml", toml),
            ("agents/a.json", r#"{ "version_number": 3, "title": "Desk" }"#),
            ("stored.json", stored),
        ],
    );
    let saved = run(&folder, &["plan", "--out", "saved", "-q"]);
    assert_ne!(saved.status.code(), Some(2), "{}", stderr(&saved));
    let verify = ["plan", "verify", "saved", "--format", "json"];
    assert_eq!(assert_follows("plan-verification", &folder, &verify)["valid"], true);
    let plan = fs::read_to_string(folder.join("saved/plan.json")).unwrap();
    let saved = serde_json::from_str(&plan).unwrap();
    assert_valid(&strict("saved-plan"), &saved, "a saved plan");
    assert_valid(&schema(), &saved, "a saved plan, as any output");
    fs::write(folder.join("saved/plan.json"), plan.replace("Desk", "Disk")).unwrap();
    assert_follows("plan-verification", &folder, &verify);
    fs::write(folder.join("saved/001-a.json"), "{}").unwrap();
    let changed = assert_follows("plan-verification", &folder, &verify);
    assert_eq!(changed["changes"][0]["role"], "body");
}

/// The snapshots, pages and cases that show JSON of this program.
#[test]
fn the_json_of_snapshots_and_pages_follows_the_schema() {
    let any = schema();
    let plan: Value = {
        let output = run(repository(), &["schema", "plan"]);
        serde_json::from_str(stdout(&output)).unwrap()
    };
    let (any, plan) = (jsonschema::draft202012::new(&any), jsonschema::draft202012::new(&plan));
    let (any, plan) = (any.unwrap(), plan.unwrap());
    let mut count = 0;
    let cases = walkdir::WalkDir::new(repository().join("fixtures/cases")).into_iter();
    let cases = cases.map(|entry| entry.unwrap().into_path()).filter(|it| it.ends_with("expected"));
    let snapshots = files_below("snapshots", "snap").into_iter();
    for path in snapshots.chain(files_below("docs", "md")).chain(cases) {
        let text = fs::read_to_string(&path).unwrap();
        let mut rest = text.as_str();
        while let Some((_, json)) = rest.split_once("\n{\n  \"schema\": 1,") {
            let json = format!("{{ \"schema\": 1,{json}");
            let mut values = serde_json::Deserializer::from_str(&json).into_iter::<Value>();
            let value = values.next().unwrap().unwrap_or_else(|error| {
                panic!("{}: {error}", path.display());
            });
            rest = &rest[rest.len() - json.len() + 4..];
            // What `config show` says of settings is in no schema.
            if value["settings"].is_array() {
                continue;
            }
            let validator = if value["order"].is_array() { &plan } else { &any };
            let faults: Vec<String> =
                validator.iter_errors(&value).map(|fault| fault.to_string()).collect();
            assert!(faults.is_empty(), "{}: {faults:#?}", path.display());
            count += 1;
        }
    }
    assert!(count >= 20, "{count}");
}

/// A schema that allows anything would be of no use.
#[test]
fn the_schema_rejects_other_json() {
    let schema = jsonschema::draft202012::new(&schema()).unwrap();
    assert!(!schema.is_valid(&json!({})));
    assert!(!schema.is_valid(&json!([])));
    let report = run(repository(), &["check", "fixtures/rules/out-of-range", "--format", "json"]);
    let report: Value = serde_json::from_str(stdout(&report)).unwrap();
    assert!(schema.is_valid(&report));
    for (pointer, value) in [
        ("/schema", json!(2)),
        ("/summary/files", json!("1")),
        ("/files/0/kind", json!("letter")),
        ("/failures", Value::Null),
    ] {
        let mut broken = report.clone();
        *broken.pointer_mut(pointer).unwrap() = value;
        assert!(!schema.is_valid(&broken), "{pointer}");
    }
}
