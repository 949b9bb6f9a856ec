//! `voxlint render`: what callers would hear.

use serde_json::{Value, json};
use voxlint_testing::assert_snapshot;

use crate::process::{folder, run, run_with_input, status, stderr, stdout};

const UPDATE: &str = r#"{
  "version_number": 3,
  "welcome_message": "Hello {{name}}, this is {{shop}}. You ordered {{#each items}}{{this}}{{#unless @last}} and {{/unless}}{{/each}}.",
  "default_dynamic_variables": { "name": "there", "items": ["tea", "Fish & Chips"] }
}"#;
const STORED: &str = r#"{
  "version_number": 3,
  "prompt_text": "You sell tea in {{city}}. {{#if vip}}Be quick.{{else}}Take your time.{{/if}}",
  "default_dynamic_variables": { "city": "Leeds", "name": "dear" }
}"#;

#[test]
fn templates_are_filled_in_with_the_variables_of_a_call() {
    let files =
        [("a.json", UPDATE), ("stored.json", STORED), ("call.yaml", "name: Ada\nvip: true\n")];
    let directory = folder("render", &files);
    let alone = run(&directory, &["render", "a.json"]);
    assert_eq!((alone.status.code(), stderr(&alone)), (Some(0), ""));
    assert_snapshot("render", "alone", stdout(&alone));
    let all = ["render", "a.json", "--stored", "stored.json", "--variables", "call.yaml"];
    let output = run(&directory, &all);
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), ""));
    assert_snapshot("render", "all", stdout(&output));
    let json = run(&directory, &[&all[..], &["--format", "json"]].concat());
    let version = concat!("\"version\": \"", env!("CARGO_PKG_VERSION"), "\"");
    assert_snapshot("render", "all.json", &stdout(&json).replace(version, "\"version\": \"…\""));
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    let greeting = "Hello Ada, this is . You ordered tea and Fish &amp; Chips.";
    assert_eq!(json["templates"][1]["text"], greeting);
    let span = &json["templates"][1]["missing"][0]["span"];
    let [start, end] = ["start", "end"].map(|at| span[at].as_u64().unwrap() as usize);
    assert_eq!(&UPDATE[start..end], "shop");
    let field = run(&directory, &["render", "a.json", "--field", "voicemail_message"]);
    assert_eq!(
        stdout(&field),
        "voicemail_message: (unknown: neither the document nor a stored configuration has it)\n"
    );
}

#[test]
fn every_gap_is_marked_and_named() {
    let text = r#"{
        "version_number": 3,
        "prompt_text": "Call {{nick}} about {{lookup orders 0}} and {{{note}}}.",
        "welcome_message": "This is {{shop}} & {{shop}}.",
        "voicemail_message": "",
        "default_dynamic_variables": { "nick": null, "orders": [], "note": null, "shop": "Tea & Co" }
    }"#;
    let directory = folder("render-gaps", &[("a.json", text)]);
    let output = run(&directory, &["render", "a.json"]);
    assert_eq!(
        (output.status.code(), stdout(&output)),
        (
            Some(0),
            "prompt_text:\n  Call ⟨nick⟩ about ⟨lookup orders 0⟩ and ⟨note⟩.\n\n\
             welcome_message:\n  This is Tea &amp; Co & Tea &amp; Co.\n\n\
             voicemail_message: (empty)\n\n\
             without a value: ⟨nick⟩, ⟨lookup orders 0⟩, ⟨note⟩\n\n\
             `shop` contains characters that Handlebars escapes for HTML, such as `&amp;` for `&`\n"
        )
    );
}

const BRANCHES: &str = r#"{
  "version_number": 3,
  "prompt_text": "Help callers of {{shop}}.\n\n{{#if vip}}\nBe quick.\n{{else}}\nTake your time.\n{{/if}}\n\nSay goodbye.",
  "welcome_message": "Hello{{#if name}} {{name}}{{/if}}, {{#unless vip}}this is {{shop}}. {{/unless}}It is {{day}}.",
  "voicemail_message": "{{#if vip}}{{#each orders}}{{this}} is ready. {{/each}}{{/if}}Please call {{shop}}.",
  "default_dynamic_variables": { "shop": "Tea & Co", "orders": ["Your tea", "Your milk"] }
}"#;

#[test]
fn each_text_that_a_template_can_become_is_shown() {
    let files = [("a.json", BRANCHES), ("call.yaml", "vip: true\nday: Monday\n")];
    let directory = folder("render-paths", &files);
    let all = run(&directory, &["render", "a.json", "--paths"]);
    assert_eq!((all.status.code(), stderr(&all)), (Some(0), ""));
    assert_snapshot("render", "paths", stdout(&all));
    let known = ["render", "a.json", "--paths", "--variables", "call.yaml"];
    let known = [&known[..], &["--words-per-minute", "120", "--field", "welcome_message"]].concat();
    assert_eq!(
        stdout(&run(&directory, &known)),
        "welcome_message: 2 texts\n\n\
         \x20 with `name` (5 words, 2.5 s):\n    Hello ⟨name⟩, It is Monday.\n\n\
         \x20 without `name` (4 words, 2 s):\n    Hello, It is Monday.\n\n\
         seconds at 120 words per minute\n"
    );
    let json = run(&directory, &[&known[..], &["--format", "json"]].concat());
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    let [with, without] = [0, 1].map(|at| &json["templates"][0]["paths"][at]);
    assert_eq!(with["conditions"], json!([[{ "variable": "name", "state": "set" }]]));
    assert_eq!((&with["seconds"], &without["words"]), (&json!(2.5), &json!(4)));
    assert_eq!(json["templates"][0]["left_out"], 0);
    assert_eq!(status(&directory, &["render", "a.json", "--words-per-minute", "120"]), 2);
    assert_eq!(status(&directory, &["render", "a.json", "--paths", "--words-per-minute", "0"]), 2);
}

#[test]
fn the_first_gap_is_marked_where_it_is_heard() {
    let text = json!({
        "version_number": 3,
        "welcome_message": "We are {{shop}} & {{shop}}, it is {{day}}.",
        "voicemail_message": "こんにちは{{name}}さん",
    });
    let directory = folder("render-gap", &[("a.json", text.to_string())]);
    let arguments = ["render", "a.json", "--paths", "--field", "welcome_message"];
    let output = run(&directory, &[&arguments[..], &["--field", "voicemail_message"]].concat());
    assert_eq!(
        stdout(&output),
        "welcome_message (4 words, 1.6 s, ▸ at 0.8 s):\n  We are ▸⟨shop⟩ & ⟨shop⟩, it is ⟨day⟩.\n\n\
         voicemail_message:\n  こんにちは▸⟨name⟩さん\n\n\
         ▸ callers hear nothing here, unless the call gives a value: ⟨shop⟩, ⟨day⟩, ⟨name⟩\n\n\
         seconds at 150 words per minute\n"
    );
}

#[test]
fn texts_beyond_the_limit_are_counted() {
    let blocks = |count| (0..count).map(|at| format!("{{{{#if v{at}}}}}{at} {{{{/if}}}}"));
    for (count, expected) in [(7, "64 texts of 128\n"), (40, "64 texts and more\n")] {
        let greeting: String = blocks(count).collect();
        let text = json!({ "version_number": 3, "welcome_message": greeting });
        let directory = folder("render-many-paths", &[("a.json", text.to_string())]);
        let output =
            run(&directory, &["render", "a.json", "--paths", "--field", "welcome_message"]);
        assert!(stdout(&output).starts_with(&format!("welcome_message: {expected}")), "{count}");
    }
}

#[test]
fn the_first_texts_of_very_many_conditions_are_shown() {
    let shown = |count: usize| {
        let blocks = (0..count).map(|at| format!("{{{{#if v{at}}}}}x{at} {{{{/if}}}}"));
        let text = json!({ "version_number": 3, "welcome_message": blocks.collect::<String>() });
        let directory = folder("render-very-many-paths", &[("a.json", text.to_string())]);
        let arguments = ["render", "a.json", "--paths", "--field", "welcome_message"];
        stdout(&run(&directory, &arguments)).to_owned()
    };
    for count in [200, 300, 600] {
        let output = shown(count);
        let texts = output.split("texts and more").next().unwrap().split(' ').nth(1).unwrap();
        assert!(texts.parse::<usize>().is_ok_and(|texts| texts > 10), "{count}: {texts}");
        assert!(output.lines().any(|line| line == "    (empty)"), "{count}: nothing is set");
    }
    assert!(shown(2_500).starts_with("welcome_message: (too many conditions to follow)\n"));
}

#[test]
fn variables_that_every_call_gives_are_not_gaps() {
    let text = json!({
        "version_number": 3,
        "welcome_message": "Hi {{caller_name}}, {{#if agent_name}}I am {{agent_name}}{{else}}bye{{/if}} of {{shop}}.",
        "voicemail_message": "{{#if caller_name}}Hi {{caller_name}}{{else}}Bye{{/if}}.",
    });
    let config = "variables = [\"caller_name\"]\n";
    let files = [("a.json", text.to_string()), ("voxlint.toml", config.to_owned())];
    let directory = folder("render-given", &files);
    let fields = ["--field", "welcome_message", "--field", "voicemail_message"];
    let output = run(&directory, &[&["render", "a.json", "--paths"], &fields[..]].concat());
    assert_eq!(
        stdout(&output),
        "welcome_message (6 words, 2.4 s, ▸ at 2.4 s):\n\
         \x20 Hi ⟨caller_name⟩, I am ⟨agent_name⟩ of ▸⟨shop⟩.\n\n\
         voicemail_message: 2 texts\n\n\
         \x20 with `caller_name` (2 words, 0.8 s):\n    Hi ⟨caller_name⟩.\n\n\
         \x20 without `caller_name` (1 word, 0.4 s):\n    Bye.\n\n\
         ▸ callers hear nothing here, unless the call gives a value: ⟨shop⟩\n\n\
         seconds at 150 words per minute\n"
    );
}

#[test]
fn a_condition_on_a_looked_up_field_names_it_as_the_template_means_it() {
    let greeting =
        "{{#if (lookup prices item)}}It is {{lookup prices item}}.{{else}}Ask us.{{/if}}";
    let text = json!({ "version_number": 3, "welcome_message": greeting });
    let directory = folder("render-lookup", &[("a.json", text.to_string())]);
    let output = run(&directory, &["render", "a.json", "--paths", "--field", "welcome_message"]);
    let shown = stdout(&output);
    assert!(shown.contains("with `item` and `prices[item]`"), "{shown}");
    assert!(!shown.contains("undefined"), "{shown}");
}

#[test]
fn a_template_with_an_error_is_shown_with_its_place() {
    let text = r#"{ "version_number": 3, "prompt_text": "Hi {{first name}}", "welcome_message": "Hi {{name}" }"#;
    let directory = folder("render-errors", &[("a.json", text)]);
    let output = run(&directory, &["render", "a.json", "--color", "never"]);
    assert_eq!(output.status.code(), Some(1));
    assert_snapshot("render", "errors", &format!("{}---\n{}", stdout(&output), stderr(&output)));
    let paths = run(&directory, &["render", "a.json", "--paths", "--color", "never"]);
    assert_eq!((stdout(&paths), stderr(&paths)), (stdout(&output), stderr(&output)));
    let json = run(&directory, &["render", "a.json", "--format", "json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    let rules = json["diagnostics"].as_array().unwrap().iter().map(|found| &found["rule"]);
    assert_eq!(rules.collect::<Vec<_>>(), ["unknown-helper", "template-syntax-error"]);
    assert!(
        json["diagnostics"].as_array().unwrap().iter().all(|found| found["severity"] == "error")
    );
    assert_eq!(json["templates"][0]["text"], Value::Null);
    assert_eq!(status(&directory, &["render", "a.json", "--field", "voicemail_message"]), 0);
}

#[test]
fn what_has_no_templates_is_not_rendered() {
    let files = [
        ("facts.json", r#"{ "agents": ["ag_1"] }"#),
        ("other.json", r#"{ "a": 1 }"#),
        ("a.json", UPDATE),
        ("list.json", "[1]"),
        ("broken.json", "{"),
    ];
    let directory = folder("render-failures", &files);
    for arguments in [
        &["render", "absent.json"][..],
        &["render", "other.json"],
        &["render", "."],
        &["render", "a.json", "--variables", "list.json"],
        &["render", "a.json", "--variables", "broken.json"],
        &["render", "a.json", "--variables", "absent.json"],
        &["render", "-", "--variables", "-"],
        &["render", "a.json", "--field", "title"],
    ] {
        let output = run(&directory, arguments);
        assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""), "{arguments:?}");
        assert!(!stderr(&output).is_empty(), "{arguments:?}");
    }
    let output = run_with_input(&["render", "-", "--field", "welcome_message"], UPDATE);
    assert!(stdout(&output).contains("You ordered tea and Fish &amp; Chips."));
}

#[test]
fn no_secret_is_rendered_and_nothing_steers_the_terminal() {
    let secret = "Zk3vT9qLr2Xw8YbN5mHd7PcS";
    let text = json!({
        "version_number": 3,
        "prompt_text": "Use {{key}} and {{api_key}} or {{other}}. \u{1b}[31m{{first name}}",
        "welcome_message": "{{api_key}}{{token}} \u{1b}[31m\u{202e}",
        "default_dynamic_variables": { "key": format!("sk_live_{secret}"), "api_key": secret },
    });
    let call = json!({ "token": secret.to_lowercase(), "other": format!("Bearer {secret}") });
    let files = [("a.json", text.to_string()), ("call.json", call.to_string())];
    let directory = folder("render-secrets", &files);
    for (format, paths) in
        [("full", None), ("json", None), ("full", Some("--paths")), ("json", Some("--paths"))]
    {
        let arguments = ["render", "a.json", "--variables", "call.json", "--format", format];
        let arguments: Vec<_> = arguments.into_iter().chain(paths).collect();
        let output = run(&directory, &arguments);
        let all = format!("{}{}", stdout(&output), stderr(&output));
        for hidden in [secret, &secret.to_lowercase(), "\u{1b}", "\u{202e}"] {
            assert!(!all.contains(hidden), "{format}: {hidden:?} in {all}");
        }
    }
}
