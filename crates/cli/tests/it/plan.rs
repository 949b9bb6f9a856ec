//! The command `voxlint plan`, saved plans, and runs over what has changed since a commit.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use voxlint_testing::repository;

use crate::process::{commit, copy, folder, git, run, status, stderr, stdout, voxlint};

/// Three agents with stored configurations, one of them with a text file.
fn fleet(name: &str) -> PathBuf {
    let folder = folder(&format!("plan/{name}"), &[(".gitignore", "/plan/\n")]);
    copy(&repository().join("fixtures/cases/plan/fleet"), &folder);
    folder
}

fn write(directory: &Path, path: &str, text: &str) {
    let path = directory.join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A repository may configure programs that git runs. None of these commands runs one.
#[cfg(unix)]
#[test]
fn nothing_of_the_repository_is_run() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = fleet("hostile");
    if !commit(&folder) {
        return;
    }
    let evil = folder.join("evil.sh");
    let trace = folder.join("trace");
    write(&folder, "evil.sh", &format!("#!/bin/sh\necho \"$@\" >> '{}'\ncat\n", trace.display()));
    fs::set_permissions(&evil, fs::Permissions::from_mode(0o755)).unwrap();
    // Git gives it to a shell.
    let evil = &format!("'{}'", evil.display());
    for key in [
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "core.sshCommand",
        "core.gitProxy",
        "core.askPass",
        "diff.external",
        "diff.evil.command",
        "diff.evil.textconv",
        "filter.evil.clean",
        "filter.evil.smudge",
        "filter.evil.process",
        "credential.helper",
        "gpg.program",
        "uploadpack.packObjectsHook",
        "alias.ls-tree",
        "pager.ls-tree",
        "pager.rev-parse",
        "pager.cat-file",
    ] {
        git(&folder, &["config", key, evil]);
    }
    git(&folder, &["config", "filter.evil.required", "true"]);
    // A partial clone asks its remote for what it lacks, and the remote may be a program.
    for (key, value) in [
        ("core.repositoryformatversion", "1"),
        ("extensions.partialClone", "evil"),
        ("remote.evil.promisor", "true"),
        ("remote.evil.url", &format!("ext::{evil}")),
        ("protocol.ext.allow", "always"),
    ] {
        git(&folder, &["config", key, value]);
    }
    git(&folder, &["config", "core.untrackedCache", "true"]);
    git(&folder, &["config", "core.hooksPath", folder.join("hooks").to_str().unwrap()]);
    for hook in [
        "post-index-change",
        "reference-transaction",
        "post-checkout",
        "pre-commit",
        "fsmonitor-watchman",
    ] {
        write(&folder, &format!("hooks/{hook}"), &format!("#!/bin/sh\n{evil} {hook}\n"));
        fs::set_permissions(folder.join("hooks").join(hook), fs::Permissions::from_mode(0o755))
            .unwrap();
    }
    write(&folder, ".gitattributes", "* filter=evil diff=evil text\n");
    fs::copy(folder.join("agents/fr.json"), folder.join("agents/new.json")).unwrap();
    write(&folder, "agents/en.json", "{ \"version_number\": 3, \"title\": \"Desk\" }\n");
    let index = fs::read(folder.join(".git/index")).unwrap();
    // That the trap works at all: git itself runs it.
    let mut trap = Command::new("git");
    trap.current_dir(&folder).args(["diff", "--ext-diff", "HEAD"]);
    let _ = trap.env("GIT_CONFIG_GLOBAL", "/dev/null").output().unwrap();
    assert!(trace.exists(), "the trap is not sprung by git itself");
    fs::remove_file(&trace).unwrap();
    fs::write(folder.join(".git/index"), &index).unwrap();
    for arguments in [
        &["check", "--changed-since", "main"][..],
        &["plan", "--changed-since", "main", "--base", "main"],
        &["plan", "--base", "main", "--out", "plan"],
        &["plan", "verify", "plan/plan.json", "--base", "main"],
    ] {
        let mut command = voxlint(&folder, arguments);
        command.env("GIT_PAGER", evil).env("GIT_EXTERNAL_DIFF", evil);
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", stderr(&output));
        assert!(!trace.exists(), "{arguments:?}: {}", fs::read_to_string(&trace).unwrap());
    }
    let changed = run(&folder, &["check", "--show-files", "--changed-since", "main"]);
    assert_eq!(stderr(&changed).matches("checked agents/").count(), 2, "{}", stderr(&changed));
    assert_eq!(fs::read(folder.join(".git/index")).unwrap(), index, "the index was written");
    let id = git(&folder, &["rev-parse", "HEAD:stored/en.json"]);
    let (first, rest) = id.split_at(2);
    fs::remove_file(folder.join(".git/objects").join(first).join(rest)).unwrap();
    for arguments in [["check", "--changed-since", "main"], ["plan", "--base", "main"]] {
        let output = run(&folder, &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains("voxlint fetches nothing"), "{}", stderr(&output));
        assert!(!trace.exists(), "{arguments:?}: {}", fs::read_to_string(&trace).unwrap());
    }
}

/// What `voxlint plan verify` says has changed: the bodies, and then the entries of `plan.json`.
fn verified(directory: &Path) -> Vec<String> {
    let output = run(directory, &["plan", "verify", "--format", "json", "plan/plan.json"]);
    let report: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", stderr(&output)));
    let list = |name: &str| report[name].as_array().unwrap();
    let (changes, entries) = (list("changes"), list("entries"));
    let is_valid = changes.is_empty() && entries.is_empty();
    assert_eq!(output.status.code(), Some(i32::from(!is_valid)));
    assert_eq!(report["valid"], is_valid);
    let text = |it: &Value, name: &str| it[name].as_str().unwrap().to_owned();
    let changes = changes.iter().map(|it| format!("{} {}", text(it, "change"), text(it, "path")));
    changes.chain(entries.iter().map(|it| text(it, "entry"))).collect()
}

/// Saved plans come from artifacts and branches.
#[cfg(unix)]
#[test]
fn verifying_a_plan_opens_no_file_that_the_plan_names() {
    let folder = fleet("names");
    let secret = "machine api.example.com password harbor-lantern-42";
    write(&folder, "../names-outside/netrc", secret);
    let pipe = folder.join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    assert_eq!(status(&folder, &["plan", "--out", "plan"]), 0);
    for target in ["../names-outside/netrc", "/proc/self/environ", "/dev/zero", "pipe", "agents"] {
        for option in
            ["--facts", "--config", "--stored", "--text-files=prompt_text", "--base", "--"]
        {
            let arguments = serde_json::json!(["plan", format!("{option}={target}"), target]);
            assert_eq!(tampered(&folder, &|plan| plan["arguments"] = arguments.clone()), [""; 0]);
        }
        let elsewhere = |plan: &mut Value| {
            plan["root"] = target.into();
            plan["inputs"] =
                serde_json::json!([{ "path": target, "role": "facts", "sha256": "0" }]);
            plan["agents"][0]["name"] = target.into();
            plan["agents"][1]["body"]["file"] = target.into();
            plan["arguments"] = serde_json::json!(["plan", "--facts", target]);
        };
        let path = folder.join("plan/plan.json");
        let former = fs::read(&path).unwrap();
        let mut plan: Value = serde_json::from_slice(&former).unwrap();
        elsewhere(&mut plan);
        fs::write(&path, plan.to_string()).unwrap();
        let mut command = voxlint(&folder, &["plan", "verify", "plan"]);
        let output = command.env("NAMES_MARK", "harbor-lantern-43").output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{target}");
        let shown = format!("{}{}", stdout(&output), stderr(&output));
        assert!(!shown.contains("harbor-lantern"), "{shown}");
        assert!(shown.contains(&format!("`voxlint plan --facts {target}`")), "{shown}");
        fs::write(&path, former).unwrap();
    }
    // The arguments are shown in one line, as a shell reads them.
    let arguments = serde_json::json!(["plan", "a b", "it's", "$(reboot)", "\u{1b}[2J\nx", ""]);
    let path = folder.join("plan/plan.json");
    let mut plan: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    (plan["arguments"], plan["order"]) = (arguments, Value::Null);
    fs::write(&path, plan.to_string()).unwrap();
    let output = run(&folder, &["plan", "verify", "plan"]);
    let last = stdout(&output).lines().last().unwrap();
    assert!(last.contains(r"`voxlint plan 'a b' 'it'\''s' '$(reboot)' '"), "{last}");
    assert!(last.ends_with("give the same paths and options"), "{last}");
    assert!(!last.contains('\u{1b}'), "{last}");
}

#[cfg(unix)]
#[test]
fn a_saved_plan_that_cannot_be_used_is_named_and_not_shown() {
    use std::os::unix::fs::symlink;
    let folder = fleet("unusable");
    let secret = "harbor-lantern-42";
    write(&folder, "secret.txt", secret);
    write(&folder, "secret.json", &format!("{{ \"tool\": {{ \"name\": \"{secret}\" }} }}"));
    assert_eq!(status(&folder, &["plan", "--out", "plan"]), 0);
    let plan = fs::read_to_string(folder.join("plan/plan.json")).unwrap();
    let text = |name: &str, text: &str| write(&folder, &format!("bad/{name}"), text);
    text("empty", "");
    text("broken", "{");
    text("foreign", "{}");
    text("list", "[]");
    text("deep", &"[".repeat(1 << 20));
    text("deep-objects", &"{\"a\":".repeat(1 << 18));
    text("bytes", "\u{0}\u{1}");
    for (name, value) in [("agents", "{}"), ("agents", "[1]"), ("arguments", "[1]")] {
        let mut edited: Value = serde_json::from_str(&plan).unwrap();
        edited[name] = serde_json::from_str(value).unwrap();
        edited["title"] = secret.into();
        text(&format!("{name}-{}", value.len()), &edited.to_string());
    }
    fs::File::create(folder.join("bad/huge")).unwrap().set_len(1 << 40).unwrap();
    assert!(Command::new("mkfifo").arg(folder.join("bad/pipe")).status().unwrap().success());
    for target in ["secret.txt", "secret.json", "plan/plan.json", "bad/pipe", "none"] {
        let name = target.replace('/', "-");
        symlink(folder.join(target), folder.join("bad").join(format!("link-{name}"))).unwrap();
    }
    symlink("/dev/zero", folder.join("bad/link-zero")).unwrap();
    let found = fs::read_dir(folder.join("bad")).unwrap();
    let names = found.map(|it| format!("bad/{}", it.unwrap().file_name().to_str().unwrap()));
    let names: Vec<String> = names.collect();
    assert_eq!(names.len(), 18);
    let others = ["bad", "none", "/dev/zero", "secret.txt", "secret.json"].map(str::to_owned);
    for name in names.into_iter().chain(others) {
        let output = run(&folder, &["plan", "verify", &name]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        let message = stderr(&output);
        assert!(message.starts_with(&format!("voxlint: {name}")), "{message}");
        assert!(!message.contains(secret), "{message}");
        assert!(message.len() < 300, "{message}");
        assert_eq!(stdout(&output), "");
    }
    // Nor is such a file read for the bodies of an earlier plan.
    for name in ["link-secret.json", "pipe", "huge"] {
        let _ = fs::remove_file(folder.join("plan/plan.json"));
        fs::rename(folder.join("bad").join(name), folder.join("plan/plan.json")).unwrap();
        assert_eq!(status(&folder, &["plan", "--out", "plan"]), 2, "{name}");
    }
}

/// Changes `plan.json`, and returns what `voxlint plan verify` says then. The former plan is put back.
fn tampered(folder: &Path, change: &dyn Fn(&mut Value)) -> Vec<String> {
    let path = folder.join("plan/plan.json");
    let former = fs::read(&path).unwrap();
    let mut plan: Value = serde_json::from_slice(&former).unwrap();
    change(&mut plan);
    fs::write(&path, plan.to_string()).unwrap();
    let found = verified(folder);
    fs::write(&path, former).unwrap();
    found
}

/// How a plan is edited, and what is found then.
type Edit = (fn(&mut Value), &'static [&'static str]);

#[test]
fn a_plan_that_was_edited_is_not_verified() {
    let folder = fleet("tampered");
    assert_eq!(status(&folder, &["plan", "--out", "plan"]), 0);
    let edits: [Edit; 17] = [
        (|_| (), &[]),
        (|plan| plan["agents"][0]["agent_id"] = "ag_en".into(), &["/agents/0/agent_id"]),
        (|plan| plan["agents"][0]["agent_id"] = Value::Null, &["/agents/0/agent_id"]),
        (|plan| plan["agents"][1]["version_number"] = "4".into(), &["/agents/1/version_number"]),
        (|plan| plan["agents"][1]["outcome"] = "no-change".into(), &["/agents/1/outcome"]),
        (|plan| plan["agents"][1]["name"] = "agents/it.json".into(), &["/agents/1", "/agents"]),
        // Bodies are sent in the order of `order`.
        (|plan| plan["agents"].as_array_mut().unwrap().reverse(), &[]),
        (|plan| plan["agents"][2]["danger"] = true.into(), &["/agents/2/danger"]),
        (
            |plan| plan["agents"][2]["changes"] = Value::Array(Vec::new()),
            &["/agents/2/changes", "/agents/2/changes"],
        ),
        (|plan| plan["order"].as_array_mut().unwrap().reverse(), &["/order/0", "/order/2"]),
        (
            |plan| {
                plan["order"].as_array_mut().unwrap().pop();
            },
            &["/order"],
        ),
        (
            |plan| {
                let first = plan["order"][0].clone();
                plan["order"].as_array_mut().unwrap().push(first);
            },
            &["/order/3"],
        ),
        (
            |plan| {
                let agent = plan["agents"][2].clone();
                plan["agents"].as_array_mut().unwrap().push(agent);
            },
            &["/agents/3"],
        ),
        (
            |plan| {
                plan["agents"].as_array_mut().unwrap().remove(0);
            },
            &["/agents"],
        ),
        (|plan| plan["agents"][0]["body"] = Value::Null, &["/agents/0/body"]),
        (|plan| plan["agents"][0]["body"]["file"] = "../001-de.json".into(), &["/agents/0/body"]),
        (
            |plan| {
                // Each of two agents gets the body of the other one, which have the same text here.
                let [one, other] = [0, 1].map(|at| plan["agents"][at]["body"].clone());
                (plan["agents"][0]["body"], plan["agents"][1]["body"]) = (other, one);
            },
            &["/agents/0/body", "/agents/1/body"],
        ),
    ];
    for (number, (edit, expected)) in edits.into_iter().enumerate() {
        assert_eq!(tampered(&folder, &edit), expected, "edit {number}");
    }
    for file in ["001-de.json", "002-en.json", "003-fr.json"] {
        let path = folder.join("plan").join(file);
        let former = fs::read_to_string(&path).unwrap();
        fs::write(&path, former.replace("Front desk", "Evil desk")).unwrap();
        assert_eq!(verified(&folder), [format!("changed {file}")]);
        fs::write(&path, former).unwrap();
    }
    let text = fs::read_to_string(folder.join("plan/plan.json")).unwrap();
    let twice = text.replacen("\"agent_id\"", "\"agent_id\": \"ag_evil\", \"agent_id\"", 1);
    write(&folder, "plan/plan.json", &twice);
    let output = run(&folder, &["plan", "verify", "plan"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("an object has a name twice"), "{}", stderr(&output));

    write(
        &folder,
        "plan/plan.json",
        &text.replace("\"agent_id\": \"ag_de\"", "\"agent_id\": \"ag_evil\""),
    );
    assert_eq!(
        stdout(&run(&folder, &["plan", "verify", "plan"])),
        "agents/de.json:\n  \
        - agent id: ag_evil\n  \
        + agent id: ag_de\n\
        the saved plan (-) is not what planning gives now (+): do not send it, and plan again\n\
        it was made with `voxlint plan --out plan`; to verify it, give the same paths and options\n"
    );
}
