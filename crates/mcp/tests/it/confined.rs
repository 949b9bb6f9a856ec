//! No call reads outside of the folders, and no answer tells whether something is there.

use std::fs;

use serde_json::{Value, json};

use crate::client::{Folder, call, text};

const DOCUMENT: &str = r#"{ "version_number": 3, "title": "Front desk" }"#;
const MARK: &str = "seen-outside";

/// The parts of a project that the server may read.
fn call_inside(project: &Folder, tool: &str, arguments: Value) -> Value {
    call(&[project.root().join("inside")], tool, arguments)
}

fn project() -> Folder {
    let outside = format!(r#"{{ "version_number": 3, "title": "{MARK}" }}"#);
    Folder::new(&[
        ("inside/voxlint.toml", "root = true\n"),
        ("inside/en.json", DOCUMENT),
        ("outside/a.json", &outside),
    ])
}

#[test]
fn paths_outside_are_refused_in_every_argument() {
    let project = project();
    let inside = project.path("inside/en.json");
    let outside = |name: &str| {
        [
            ("check", json!({ "path": name })),
            ("check", json!({ "text": DOCUMENT, "path": name })),
            ("check", json!({ "path": inside, "stored_path": name })),
            ("check", json!({ "path": inside, "facts_path": name })),
            ("predict", json!({ "path": name })),
            ("diff", json!({ "path": inside, "stored_path": name })),
            ("plan", json!({ "paths": [name] })),
            ("plan", json!({ "paths": [inside], "facts_path": name })),
        ]
    };
    for (there, gone) in [
        (project.path("outside/a.json"), project.path("outside/b.json")),
        (project.path("inside/../outside/a.json"), project.path("inside/../outside/b.json")),
        (project.path("outside"), project.path("nowhere")),
        ("/etc/passwd".to_owned(), "/etc/no-such-file".to_owned()),
    ] {
        for ((tool, there_arguments), (_, gone_arguments)) in
            outside(&there).into_iter().zip(outside(&gone))
        {
            let answer = call_inside(&project, tool, there_arguments.clone());
            assert_eq!(answer["isError"], true, "{tool} {there_arguments}: {answer:#}");
            let said = text(&answer);
            assert!(said.contains("outside of the folders that may be read"), "{said}");
            assert!(said.contains(&project.path("inside")), "the folders are named: {said}");
            // The same words, whether something is there or not.
            let other = call_inside(&project, tool, gone_arguments);
            assert_eq!(said.replace(&there, "PATH"), text(&other).replace(&gone, "PATH"));
        }
    }
}

#[test]
fn standard_input_is_never_a_document() {
    let folder = Folder::new(&[]);
    for arguments in [json!({ "path": "-" }), json!({ "text": DOCUMENT, "stored_path": "-" })] {
        // The working directory of this test is outside.
        let said = folder.wrong_use("check", arguments);
        assert!(said.contains("outside of the folders"), "{said}");
    }
}

#[test]
fn configurations_cannot_lead_out() {
    let project = project();
    let settings = "root = true\n[[documents]]\nfiles = '*.json'\nstored = '../outside/a.json'\n";
    project.write("inside/voxlint.toml", settings);
    for (tool, arguments) in [
        ("check", json!({ "path": project.path("inside/en.json") })),
        ("check", json!({ "text": DOCUMENT, "path": project.path("inside/new.json") })),
        ("predict", json!({ "path": project.path("inside/en.json") })),
        ("diff", json!({ "path": project.path("inside/en.json") })),
        ("plan", json!({ "paths": [project.path("inside")] })),
    ] {
        let answer = call_inside(&project, tool, arguments);
        let all = answer.to_string();
        assert!(all.contains("outside of the folders that may be read"), "{tool}: {all}");
        assert!(!all.contains(MARK), "{tool}: {all}");
    }
}

#[cfg(unix)]
#[test]
fn links_cannot_lead_out() {
    let project = project();
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(project.root().join(target), project.root().join(name)).unwrap();
    };
    link("outside/a.json", "inside/link.json");
    link("outside/none.json", "inside/none.json");
    link("outside", "inside/folder");
    for name in ["inside/link.json", "inside/none.json", "inside/folder/a.json", "inside/folder"] {
        let answer = call_inside(&project, "check", json!({ "path": project.path(name) }));
        assert_eq!(answer["isError"], true);
        assert!(text(&answer).contains("outside of the folders that may be read"), "{answer:#}");
    }
    for tool in ["check", "plan"] {
        let arguments = match tool {
            "check" => json!({ "path": project.path("inside") }),
            _ => json!({ "paths": [project.path("inside")] }),
        };
        let all = call_inside(&project, tool, arguments).to_string();
        assert!(all.contains("en.json") && !all.contains(MARK), "{all}");
    }
}

#[test]
fn no_call_writes() {
    let settings = "root = true\n[[documents]]\nfiles = '*.json'\nstored = 'stored/{stem}.json'\n";
    let folder = Folder::new(&[
        ("voxlint.toml", settings),
        ("en.json", r#"{ "version_number": 3, "promt_text": "Be kind." }"#),
        ("stored/en.json", r#"{ "version": { "version_number": 3 } }"#),
    ]);
    let state = || {
        let mut state: Vec<(String, Vec<u8>)> = Vec::new();
        for name in ["", "stored"] {
            for entry in fs::read_dir(folder.root().join(name)).unwrap() {
                let path = entry.unwrap().path();
                let bytes = if path.is_file() { fs::read(&path).unwrap() } else { Vec::new() };
                state.push((path.display().to_string(), bytes));
            }
        }
        state.sort();
        state
    };
    let before = state();
    let path = folder.path("en.json");
    for (tool, arguments) in [
        ("check", json!({ "path": path })),
        ("check", json!({ "path": path, "text": DOCUMENT })),
        ("check", json!({ "path": folder.path("") })),
        ("predict", json!({ "path": path })),
        ("diff", json!({ "path": path })),
        ("plan", json!({})),
        ("explain", json!({ "rule": "unknown-field" })),
        ("describe_field", json!({ "field": "*" })),
    ] {
        folder.call(tool, arguments);
    }
    assert_eq!(state(), before);
}
