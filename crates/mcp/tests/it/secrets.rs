//! No answer shows a secret.

use std::fs;

use serde_json::json;
use voxlint_testing::repository;

use crate::client::{Folder, text};

/// The number of characters of a secret that may be shown side by side.
const SHOWN: usize = 6;

/// What an answer shows of a secret.
fn shown<'s>(answer: &str, secret: &'s str) -> Option<&'s str> {
    // Parts that consist of small letters are words.
    let is_telling =
        |part: &&str| part.chars().any(|c| c.is_ascii_digit() || c.is_ascii_uppercase());
    let starts: Vec<usize> = secret.char_indices().map(|(at, _)| at).collect();
    let windows = starts.windows(SHOWN + 2).filter_map(|it| secret.get(it[0]..it[SHOWN + 1]));
    windows.filter(is_telling).find(|part| answer.contains(part))
}

#[test]
fn no_answer_shows_a_secret_of_the_fixtures() {
    let table = fs::read_to_string(repository().join("fixtures/secrets.tsv")).unwrap();
    let folder = Folder::new(&[]);
    let (mut called, mut masked_bodies) = (0, 0);
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let (case, secret) = line.split_once('\t').unwrap();
        let path = repository().join("fixtures/rules").join(case);
        let format = path.extension().unwrap().to_str().unwrap();
        let document = fs::read_to_string(&path).unwrap();
        let stored = json!({ "version": { "version_number": 3 } }).to_string();
        let calls = [
            ("check", json!({ "text": document, "format": format })),
            ("predict", json!({ "text": document, "format": format, "stored_text": stored })),
            ("diff", json!({ "text": document, "format": format, "stored_text": stored })),
            ("diff", json!({ "text": r#"{ "version_number": 3 }"#, "stored_text": document })),
            // Wrong use that repeats a value.
            (
                "check",
                json!({ "text": "{}", "path": folder.path(&secret.replace(['/', '\n'], "_")) }),
            ),
            ("explain", json!({ "rule": secret.chars().take(4000).collect::<String>() })),
        ];
        for (tool, arguments) in calls {
            // The assistant wrote this itself, and not as a part of a document. Made of words, it looks like a name.
            let is_own = arguments.get("path").is_some() || arguments.get("rule").is_some();
            let answer = folder.call(tool, arguments);
            let all = format!("{} {}", text(&answer), answer["structuredContent"]);
            if !is_own && let Some(part) = shown(&all, secret) {
                panic!("{tool} of {case} shows `{part}`: {all}");
            }
            called += 1;
            let update = answer["structuredContent"]["update"].to_string();
            masked_bodies += u32::from(tool == "diff" && update.contains("***"));
        }
    }
    assert!(called > 100, "{called}");
    assert!(masked_bodies > 10, "{masked_bodies}");
}

#[test]
fn a_plan_shows_no_secret() {
    let secret = "Zk3vT9qLr2Xw8YbN5mHd7PcS";
    let document = json!({ "version_number": 3, "title": "Desk", "prompt_text": format!("Use the key sk-live-{secret} for it.") });
    let stored = json!({ "agent": { "id": "ag_a" }, "version": { "version_number": 3 } });
    let settings = "root = true\n[[documents]]\nfiles = 'en.json'\nstored = 'stored/{stem}.json'\n";
    let folder = Folder::new(&[
        ("voxlint.toml", settings),
        ("en.json", &document.to_string()),
        ("stored/en.json", &stored.to_string()),
    ]);
    let answer = folder.call("plan", json!({ "paths": [folder.path("")] }));
    assert_eq!(answer["isError"], false, "{answer:#}");
    let all = format!("{} {}", text(&answer), answer["structuredContent"]);
    assert!(all.contains("***"), "{all}");
    assert_eq!(shown(&all, secret), None);
}

#[test]
fn no_answer_shows_a_secret_in_a_path() {
    let secret = "ghp_Zk3vT9qLr2Xw8YbN5mHd7PcSVb6kRw2Nq9Xt";
    let document = r#"{ "version_number": 3, "kb_max_chunks": 12 }"#;
    let name = format!("{secret}.json");
    let folder = Folder::new(&[(&name, document), ("en.json", document)]);
    let (path, missing) = (folder.path(&name), folder.path(&format!("none/{name}")));
    let calls = [
        ("check", json!({ "path": path })),
        ("check", json!({ "path": path, "text": document })),
        ("check", json!({ "path": missing })),
        ("check", json!({ "text": document, "stored_path": missing })),
        ("check", json!({ "text": document, "facts_path": path })),
        ("predict", json!({ "path": missing })),
        ("diff", json!({ "path": path, "stored_path": path })),
        ("plan", json!({ "paths": [path] })),
        ("plan", json!({ "paths": [missing] })),
    ];
    for (tool, arguments) in calls {
        let answer = folder.call(tool, arguments.clone());
        let all = format!("{} {}", text(&answer), answer["structuredContent"]);
        assert_eq!(shown(&all, secret), None, "{tool} {arguments}: {all}");
    }
    let answer = folder.call("check", json!({ "path": path }));
    assert!(text(&answer).contains("/***"), "{answer:#}");
}

#[test]
fn a_name_that_does_not_exist_is_masked_where_it_is_repeated() {
    const SECRET: &str = "Kp93xQw82LmVt7RzB4nYc8HdJ2s";
    let folder = Folder::new(&[]);
    let mut named = json!({ "text": "{}" });
    named[SECRET] = json!(1);
    for (tool, arguments) in [
        ("check", named),
        ("explain", json!({ "rule": SECRET })),
        ("describe_field", json!({ "field": SECRET })),
        ("describe_field", json!({ "field": format!("/{SECRET}") })),
        ("check", json!({ "text": "{}", "select": [SECRET] })),
    ] {
        let answer = folder.call(tool, arguments).to_string();
        assert_eq!(shown(&answer, SECRET), None, "{tool}: {answer}");
    }
}
