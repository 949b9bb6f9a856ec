//! Errors, differences and plans.

use voxlint_bindings::{
    Context, ContextOptions, DocumentOptions, PlanEntry, Project, ProjectOptions, Safety, explain,
    plan,
};

const STORED: &str = r#"{ "agent": { "id": "ag_desk", "agent_type": "Single_Prompt_Agent",
    "versions": [{ "version_number": 3, "is_published": false }] },
  "version": { "version_number": 3, "title": "Desk", "is_published": false }, "complete": true }"#;

fn with_stored(stored: &str) -> Result<Context, String> {
    let options = ContextOptions { stored: Some(stored.as_bytes()), ..ContextOptions::default() };
    Context::new(&options).map_err(|error| error.to_string())
}

fn options(path: &str) -> DocumentOptions {
    DocumentOptions::parse(None, None, Some(path)).unwrap()
}

#[test]
fn inputs_that_cannot_be_used_are_errors_with_a_place() {
    let stored = |text: &str| with_stored(text).unwrap_err();
    assert!(stored("{").starts_with("<stored>: cannot be used as the stored configuration: 1:1: "));
    assert!(stored("{}").contains("neither an agent nor the settings"));
    let facts = ContextOptions { facts: Some(b"{ \"voice\": [] }"), ..ContextOptions::default() };
    assert!(
        Context::new(&facts)
            .unwrap_err()
            .to_string()
            .starts_with("<facts>: cannot be used as workspace facts: 1:3: ")
    );
    let config = |text: &str| {
        let options = ContextOptions { config: Some(text), ..ContextOptions::default() };
        Context::new(&options).unwrap_err().to_string()
    };
    assert!(
        config("[rules]\nno-such-rule = 'error'")
            .starts_with("voxlint.toml: cannot be used as a configuration: 2:1: ")
    );
    assert!(config("extends = 'base.toml'").contains("use a project"));
    let other = ContextOptions {
        stored: Some(STORED.as_bytes()),
        agent_id: Some("ag_bar"),
        ..ContextOptions::default()
    };
    assert!(Context::new(&other).unwrap_err().to_string().contains("not `ag_bar`"));
    for (format, kind) in
        [(Some("jsn"), None), (None, Some("updat")), (None, Some("configuration"))]
    {
        assert!(DocumentOptions::parse(format, kind, None).is_err());
    }
    assert!(Project::open("no/such/folder".as_ref(), ProjectOptions::default()).is_err());
    assert!(explain("no-such-rule", &Context::default()).is_err());
}

#[test]
fn a_value_is_json_whatever_its_path() {
    let value = br#"{ "version_number": 3, "kb_max_chunks": 12 }"#;
    for path in ["a.hbs", "a.toml", "a.yaml", "a.jsonl", "a.json", "a"] {
        let options = DocumentOptions::of_value(None, None, Some(path)).unwrap();
        let report = Context::default().check(&value[..], &options);
        assert_eq!(report.summary().errors, 1, "{path}");
        assert!(report.to_json().contains(&format!("\"path\": \"{path}\"")), "{path}");
    }
    let of_value = |format, kind| DocumentOptions::of_value(format, kind, None);
    assert!(of_value(Some("json"), Some("update")).is_ok());
    for format in ["jsonc", "yaml", "toml", "ndjson"] {
        let error = of_value(Some(format), None).unwrap_err().to_string();
        assert!(error.contains(&format!("not as `{format}`")), "{error}");
    }
    for (format, kind) in [(Some("hbs"), None), (None, Some("template"))] {
        let error = of_value(format, kind).unwrap_err().to_string();
        assert!(error.starts_with("a template is a text"), "{error}");
    }
}

#[test]
fn a_difference_has_the_exact_body() {
    let context = with_stored(STORED).unwrap();
    let new = br#"{ "version_number": 3, "title": "Front desk", "is_published": false }"#;
    let difference = context.diff(new, &options("en.json"), false).unwrap();
    assert_eq!(
        difference.update(),
        Some("{\n  \"version_number\": 3,\n  \"title\": \"Front desk\"\n}")
    );
    assert!(difference.to_json().contains("\"kind\": \"changed\"") && !difference.is_rejected());
    let error = Context::default().diff(new, &options("en.json"), false).unwrap_err().to_string();
    assert!(error.contains("`stored`"), "{error}");
    let error = context.diff(b"{", &options("en.json"), true).unwrap_err().to_string();
    assert!(error.starts_with("en.json: cannot be used as the desired settings"), "{error}");
}

#[test]
fn documents_without_files_are_planned() {
    let context = with_stored(STORED).unwrap();
    let entry = |name: &str, bytes: &'static [u8]| PlanEntry {
        bytes,
        options: options(name),
        context: context.clone(),
        base: None,
    };
    let entries = [
        entry("b.json", br#"{ "version_number": 3, "title": "Front desk" }"#),
        entry("a.json", br#"{ "version_number": 3, "title": "Bar" }"#),
    ];
    let planned = plan(&entries).unwrap();
    assert!(
        planned.to_json().contains("\"rule\": \"version-planned-twice\""),
        "{}",
        planned.to_json()
    );
    let names: Vec<&str> = planned.bodies().iter().map(|(name, _)| &**name).collect();
    assert_eq!(names, ["a.json", "b.json"]);
    let reversed = [entries[1].clone(), entries[0].clone()];
    assert_eq!(plan(&reversed).unwrap().to_json(), planned.to_json());
    let twice = [entries[0].clone(), entries[0].clone()];
    assert_eq!(plan(&twice).unwrap_err().to_string(), "b.json: two documents have this name");
    let prompt = [entry("a.hbs", b"Hello")];
    assert!(plan(&prompt).unwrap_err().to_string().contains("`plan` needs an update"));
}

#[test]
fn secrets_are_masked() {
    let secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKL";
    let text = format!(
        "{{ \"version_number\": 3, \"prompt_text\": \"Use {secret}\", \"titel{secret}\": 1 }}"
    );
    let context = with_stored(STORED).unwrap();
    let report = context.check(text.as_bytes(), &DocumentOptions::default());
    assert!(report.summary().errors + report.summary().warnings > 0);
    assert!(!report.to_json().contains(secret));
    let prediction = context.predict(text.as_bytes(), &DocumentOptions::default()).unwrap();
    assert!(!prediction.to_json().contains(secret));
}

#[test]
fn a_named_text_is_read_as_the_text_of_its_document_and_never_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let prompt = "# Rules\n\n- Greet {{name}.\n";
    write(
        "voxlint.toml",
        "[[documents]]\nfiles = '*.json'\ntext_files = { prompt_text = '{stem}.md' }\n",
    );
    write("front.json", r#"{ "version_number": 3 }"#);
    write("front.md", prompt);
    write("notes.md", prompt);
    let project = Project::open(folder.path(), ProjectOptions::default()).unwrap();
    for report in [
        project.check(&["front.md".into()]).unwrap(),
        project.check_text("front.md".as_ref(), prompt).unwrap(),
    ] {
        assert_eq!(report.summary().errors, 1, "{}", report.to_json());
        assert!(report.to_json().contains("\"rule\": \"template-syntax-error\""));
    }
    // No document names this one.
    let report = project.check(&["notes.md".into()]).unwrap();
    assert_eq!((report.summary().errors, report.failures().len()), (0, 1), "{}", report.to_json());
    assert!(report.failures()[0].message.contains("no document names this text"));
}

#[test]
fn an_unsaved_text_need_not_be_utf_8() {
    let folder = tempfile::tempdir().unwrap();
    let project = Project::open(folder.path(), ProjectOptions::default()).unwrap();
    let check = |text: &[u8]| project.check_text("en.json".as_ref(), text).unwrap();
    assert!(check(b"{ \"version_number\": 3, \"title\": \"caf\xc3\xa9\" }").is_clean());
    let report = check(b"{ \"version_number\": 3, \"title\": \"caf\xe9\" }");
    assert!(report.to_json().contains("\"rule\": \"syntax-error\""), "{}", report.to_json());
}

#[test]
fn fixes_are_applied_together() {
    let fixed = |text: &str, path, safety| {
        let context = Context::default();
        let fixed = context.fix(text.as_bytes(), &options(path), safety).unwrap();
        String::from_utf8(fixed).unwrap()
    };
    let two = "{ \"kb_max_chunks\": \"5\", \"version_number\": 3, \"titel\": \"Desk\" }";
    let safe = two.replace("\"5\"", "5");
    assert_eq!(fixed(two, "en.json", Safety::Safe), safe);
    assert_eq!(fixed(two, "en.json", Safety::Unsafe), safe.replace("titel", "title"));
    assert_eq!(fixed(&safe, "en.json", Safety::Safe), safe);
    let (lines, fixed_lines) = (format!("{two}\n\n{two}\r\n"), format!("{safe}\n\n{safe}\r\n"));
    assert_eq!(fixed(&lines, "en.jsonl", Safety::Safe), fixed_lines);
    let yaml =
        "version_number: 3\nkb_max_chunks: '5'\n---\nversion_number: 4\nkb_max_chunks: '6'\n";
    let expected = yaml.replace("'5'", "5").replace("'6'", "6");
    assert_eq!(fixed(yaml, "en.yaml", Safety::Safe), expected);
    // Without the rule there is nothing to fix.
    let config = ContextOptions {
        config: Some("[rules]\nwrong-type = 'off'\n"),
        ..ContextOptions::default()
    };
    let off = Context::new(&config).unwrap();
    let bytes = off.fix(two.as_bytes(), &options("en.json"), Safety::Safe).unwrap();
    assert_eq!(bytes, two.as_bytes());
}

#[test]
fn a_pointer_of_git_lfs_is_not_a_text_that_was_checked() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n";
    let context = Context::new(&ContextOptions::default()).unwrap();
    for path in ["a.json", "a.yaml", "a.hbs", "a.ndjson"] {
        let report = context.check(pointer.as_bytes(), &options(path)).to_json();
        assert!(report.contains("run `git lfs pull`"), "{path}: {report}");
    }
}
