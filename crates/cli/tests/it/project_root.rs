//! Which files a configuration can make a run read, and which links it follows.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Command, Output};

use crate::process::commit;
use crate::process::{folder, run, stderr, stdout, voxlint};

const DOCUMENT: &str = r#"{ "version_number": 3, "title": "Front desk" }"#;

/// A repository, beside files that do not belong to it.
fn repository(name: &str, settings: &str) -> PathBuf {
    let folder = folder(
        name,
        &[
            ("project/agents/en.json", DOCUMENT),
            ("project/voxlint.toml", settings),
            ("outside/private", "hunter2 {{ is = not: valid"),
            ("outside/faulty.json", r#"{ "version_number": 3, "kb_max_chunks": 12 }"#),
        ],
    );
    fs::create_dir(folder.join("project/.git")).unwrap();
    symlink("../outside/private", folder.join("project/link")).unwrap();
    folder
}

/// All that a run says.
fn all_said(output: &Output) -> String {
    [stdout(output), stderr(output)].concat()
}

/// The settings that name a file, by its path from the folder of the configuration.
fn settings(path: &str) -> [String; 5] {
    let documents = "[[documents]]\nfiles = 'agents/'\n";
    [
        format!("facts = '{path}'\n"),
        format!("{documents}stored = '../{path}'\n"),
        format!("{documents}text_files = {{ prompt_text = '../{path}' }}\n"),
        format!("extends = '{path}'\n"),
        format!("baseline = '{path}'\n"),
    ]
}

#[test]
fn a_configuration_makes_no_run_read_what_is_outside_of_the_project() {
    for path in ["../outside/private", "../outside/nothing", "link", "above-deep"] {
        for settings in settings(path) {
            let folder = repository("outside-of-the-project", &settings);
            fs::create_dir(folder.join("outside/deep")).unwrap();
            symlink("../outside/deep", folder.join("project/deep")).unwrap();
            symlink("deep/../private", folder.join("project/above-deep")).unwrap();
            let output = run(&folder.join("project"), &["check"]);
            let said = all_said(&output);
            assert_eq!(output.status.code(), Some(2), "{settings}{said}");
            assert!(said.contains("outside of the project, so"), "{settings}{said}");
            assert!(!said.contains("hunter2"), "{settings}{said}");
            // The folder that voxlint runs in is the choice of the one who runs it.
            if path == "../outside/private" {
                let output = run(&folder, &["check", "project"]);
                let said = all_said(&output);
                assert!(!said.contains("outside of the project"), "{settings}{said}");
                assert_ne!(output.status.code(), Some(0), "{settings}{said}");
            }
        }
    }
}

#[test]
fn a_configuration_makes_no_run_read_what_git_keeps() {
    for path in
        [".git/private", ".git/nothing", ".GIT/nothing", ".git./x", "git~1/x", "into/private"]
    {
        for settings in settings(path) {
            let folder = repository("in-git", &settings);
            let project = folder.join("project");
            fs::write(project.join(".git/private"), "hunter2 {{ is = not: valid").unwrap();
            symlink(".git", project.join("into")).unwrap();
            let output = run(&project, &["check"]);
            let said = all_said(&output);
            assert_eq!(output.status.code(), Some(2), "{settings}{said}");
            assert!(
                said.contains("in a folder of git such as `.git`, which may contain credentials"),
                "{settings}{said}"
            );
            assert!(!said.contains("hunter2"), "{settings}{said}");
        }
    }
}

#[test]
fn a_folder_of_git_is_recognized_by_its_contents() {
    for (git, path) in [(".bare", ".bare/private"), (".jj", ".jj/private"), ("team.git", "into")] {
        for settings in settings(path) {
            let folder = repository("named-git", &settings);
            let project = folder.join("project");
            for name in ["objects", "refs"] {
                fs::create_dir_all(project.join(git).join(name)).unwrap();
            }
            fs::write(project.join(git).join("HEAD"), "ref: refs/heads/main\n").unwrap();
            fs::remove_dir(project.join(".git")).unwrap();
            fs::write(project.join(".git"), format!("gitdir: ./{git}\n")).unwrap();
            fs::write(project.join(git).join("private"), "hunter2 {{ is = not: valid").unwrap();
            symlink(format!("{git}/private"), project.join("into")).unwrap();
            let output = run(&project, &["check"]);
            let said = all_said(&output);
            assert_eq!(output.status.code(), Some(2), "{settings}{said}");
            assert!(said.contains("in a folder of git such as"), "{settings}{said}");
            assert!(!said.contains("hunter2"), "{settings}{said}");
            let new = format!("json={git}/new");
            fs::write(project.join("voxlint.toml"), "").unwrap();
            let output = run(&project, &["check", "--output", &new]);
            assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
            assert!(!project.join(git).join("new").exists());
        }
    }
}

#[test]
fn a_folder_that_was_replaced_by_a_link_does_not_belong_to_the_project() {
    for (target, words) in
        [("../.git", "in a folder of git"), ("../../outside", "outside of the project")]
    {
        let texts = "[[documents]]\nfiles = 'agents/'\ntext_files = { prompt_text = '../agents/prompts/private' }\n";
        let folder = repository("replaced-folder", texts);
        let project = folder.join("project");
        fs::write(project.join(".git/private"), "hunter2 {{ is = not: valid").unwrap();
        symlink(target, project.join("agents/prompts")).unwrap();
        for (directory, paths) in [
            (&project, ["agents", "agents/prompts"]),
            (&folder, ["project/agents", "project/agents/prompts"]),
        ] {
            let output = run(directory, &[&["check"][..], &paths].concat());
            let said = all_said(&output);
            if target == "../../outside" && directory == &folder {
                // The working directory contains both.
                continue;
            }
            assert_eq!(output.status.code(), Some(2), "{paths:?} {said}");
            assert!(said.contains(words), "{paths:?} {said}");
            assert!(!said.contains("hunter2"), "{paths:?} {said}");
        }
        // From elsewhere, the repository is the limit.
        let agents = project.join("agents");
        let prompts = agents.join("prompts");
        let paths = [agents.to_str().unwrap(), prompts.to_str().unwrap()];
        let elsewhere = folder.join("elsewhere");
        fs::create_dir(&elsewhere).unwrap();
        let output = run(&elsewhere, &[&["check"][..], &paths].concat());
        let said = all_said(&output);
        assert!(said.contains(words) && !said.contains("hunter2"), "{said}");
        fs::write(project.join("voxlint.toml"), "").unwrap();
        let new = ["check", "agents", "agents/prompts", "--output", "json=agents/prompts/new"];
        let output = run(&project, &new);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(!agents.join("prompts/new").exists());
    }
}

#[test]
fn another_name_of_the_checkout_leads_to_the_same_files() {
    let folder = repository("other-name", "");
    let project = folder.join("project");
    fs::write(project.join("agents/en.json"), r#"{ "version_number": 3, "x": 1 }"#).unwrap();
    fs::write(project.join("team.toml"), "facts = 'facts.yaml'\n[rules]\nunknown-field = 'off'\n")
        .unwrap();
    fs::write(project.join("facts.yaml"), "{}").unwrap();
    let alias = folder.join("alias");
    symlink("project", &alias).unwrap();
    fs::remove_file(project.join("voxlint.toml")).unwrap();
    symlink(alias.join("team.toml"), project.join("voxlint.toml")).unwrap();
    for directory in [&project, &alias, &folder] {
        for path in [&project, &alias] {
            let output = run(directory, &["check", "--strict", path.to_str().unwrap()]);
            let said = all_said(&output);
            assert_eq!(output.status.code(), Some(0), "{directory:?} {path:?} {said}");
        }
    }
    // A link of the project that leads out of it is one under the other name as well.
    symlink("../outside/new", project.join("out")).unwrap();
    let out = format!("json={}", alias.join("out").display());
    let output = run(&project, &["check", "--output", &out]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(!folder.join("outside/new").exists());
}

#[test]
fn a_working_tree_in_a_git_folder_is_a_project() {
    let folder = repository("tree-in-git", "facts = 'facts.yaml'\n");
    let tree = folder.join("bare/.git/trees/one");
    fs::create_dir_all(tree.parent().unwrap()).unwrap();
    fs::rename(folder.join("project"), &tree).unwrap();
    fs::write(tree.join("facts.yaml"), "{}").unwrap();
    let output = run(&tree, &["check"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn the_base_of_a_plan_is_read_in_the_project_only() {
    const STORED: &str = r#"{ "version": { "version_number": 3, "title": "Desk" } }"#;
    let documents = "[[documents]]\nfiles = 'agents/'\nstored = '../stored/{stem}.json'\n";
    // A folder that the user names is read, but links in it are not followed.
    for (base, link, is_read_if_named) in [
        ("../outside", None, true),
        ("was", Some(("../outside", "was")), true),
        ("was", Some(("../../../outside/private", "was/stored/en.json")), false),
        (".git", None, false),
    ] {
        for is_named in [false, true] {
            let settings = if is_named { String::new() } else { format!("base = '{base}'\n") };
            let folder = repository("base-outside", &format!("{settings}{documents}"));
            let project = folder.join("project");
            for name in ["project/stored", "project/.git/stored", "outside/stored"] {
                fs::create_dir(folder.join(name)).unwrap();
            }
            fs::write(project.join("stored/en.json"), STORED).unwrap();
            for name in ["project/.git/stored/en.json", "outside/stored/en.json"] {
                fs::copy(folder.join("outside/private"), folder.join(name)).unwrap();
            }
            if let Some((target, link)) = link {
                fs::create_dir_all(project.join(link).parent().unwrap()).unwrap();
                symlink(target, project.join(link)).unwrap();
            }
            let named = ["plan", "--base", base];
            let output = run(&project, if is_named { &named } else { &named[..1] });
            let said = all_said(&output);
            assert_eq!(output.status.code(), Some(2), "{base} {said}");
            let is_read = is_named && is_read_if_named;
            assert_eq!(said.contains("hunter2"), is_read, "{base} {is_named} {said}");
            if is_named && !is_read_if_named {
                let way_out = if link.is_some() {
                    "or plan without it with `--no-base`"
                } else {
                    "name another folder with `--base`"
                };
                assert!(said.contains(way_out), "{base} {said}");
            }
            let is_refused = ["outside of the project", "out of the project", "folder of git"];
            let is_refused = is_refused.iter().any(|words| said.contains(words));
            assert_eq!(is_refused, !is_read, "{base} {is_named} {said}");
        }
    }
}

/// The commands that look for a configuration.
const COMMANDS: [&[&str]; 9] = [
    &["check", "agents/en.json"],
    &["plan", "agents"],
    &["predict", "agents/en.json"],
    &["vars", "agents"],
    &["why", "out-of-range", "agents"],
    &["rules"],
    &["explain", "out-of-range"],
    &["config", "show", "agents/en.json"],
    &["diff", "agents/en.json", "agents/en.json"],
];

#[test]
fn a_configuration_that_is_a_link_out_of_the_project_is_not_read() {
    for (target, leads) in [
        ("../outside/private", "out of the project"),
        ("../outside/nothing", "out of the project"),
        ("/proc/self/environ", "out of the project"),
        ("link", "out of the project"),
        (".git/private", "into a folder of git"),
        // `..` leads to the folder above the target of a link.
        ("deep/../private", "out of the project"),
        ("deep/../nothing", "out of the project"),
        ("self/../version", "out of the project"),
        ("hooks/../private", "into a folder of git"),
    ] {
        let folder = repository("linked-configuration", "");
        let project = folder.join("project");
        fs::create_dir(folder.join("outside/deep")).unwrap();
        fs::create_dir(project.join(".git/hooks")).unwrap();
        for (target, name) in
            [("../outside/deep", "deep"), ("/proc/self", "self"), (".git/hooks", "hooks")]
        {
            symlink(target, project.join(name)).unwrap();
        }
        fs::write(project.join(".git/private"), "hunter2 {{ is = not: valid").unwrap();
        fs::remove_file(project.join("voxlint.toml")).unwrap();
        symlink(target, project.join("voxlint.toml")).unwrap();
        for arguments in COMMANDS {
            let output = run(&project, arguments);
            let said = all_said(&output);
            assert_eq!(output.status.code(), Some(2), "{arguments:?} {target} {said}");
            let message = format!("voxlint.toml: a symbolic link that leads {leads}");
            assert!(said.contains(&message), "{arguments:?} {target} {said}");
            assert!(
                !["hunter2", "PATH", "Linux"].iter().any(|it| said.contains(it)),
                "{arguments:?} {said}"
            );
        }
    }
}

#[test]
fn a_linked_configuration_in_a_folder_of_documents_is_not_read() {
    let folder = repository("linked-below", "");
    let project = folder.join("project");
    symlink("../../outside/private", project.join("agents/voxlint.toml")).unwrap();
    let output = run(&project, &["check"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    let message = "agents/voxlint.toml: a symbolic link that leads out of the project";
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
    assert!(stderr(&output).contains("name this link with `--config agents/voxlint.toml`"));
    // A file that the user names is read, and its paths are those of its name.
    let settings = "[[overrides]]\nfiles = '/en.json'\nrules = { unknown-field = 'off' }\n";
    fs::write(folder.join("outside/private"), settings).unwrap();
    fs::write(project.join("agents/en.json"), r#"{ "version_number": 3, "x": 1 }"#).unwrap();
    let named = run(&project, &["check", "--strict", "--config", "../outside/private"]);
    assert_eq!(named.status.code(), Some(2), "{}", stderr(&named));
    let named = run(&project, &["check", "--strict", "--config", "agents/voxlint.toml"]);
    assert_eq!(named.status.code(), Some(0), "{}", stderr(&named));
    let named = run(&project, &["check", "--config", "agents/voxlint.toml"]);
    assert_eq!(named.status.code(), Some(0), "{}", stderr(&named));
}

#[test]
fn links_to_files_of_the_project_are_read() {
    let folder = repository("linked-inside", "");
    let project = folder.join("project");
    fs::write(project.join("agents/en.json"), r#"{ "version_number": 3, "x": 1 }"#).unwrap();
    fs::write(project.join("team.toml"), "[rules]\nunknown-field = 'off'\n").unwrap();
    symlink("../team.toml", project.join("agents/voxlint.toml")).unwrap();
    let output = run(&project, &["check", "--strict"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));

    fs::remove_file(project.join("agents/voxlint.toml")).unwrap();
    assert_eq!(run(&project, &["baseline", "write"]).status.code(), Some(0));
    fs::rename(project.join("voxlint-baseline.json"), project.join("known.json")).unwrap();
    assert_eq!(run(&project, &["check", "--strict"]).status.code(), Some(1));
    symlink("known.json", project.join("voxlint-baseline.json")).unwrap();
    let output = run(&project, &["check", "--strict"]);
    assert_eq!(output.status.code(), Some(0), "{}{}", stdout(&output), stderr(&output));
}

#[test]
fn a_baseline_that_is_a_link_out_of_the_project_is_neither_read_nor_written() {
    for has_configuration in [true, false] {
        let folder = repository("linked-baseline", "");
        let project = folder.join("project");
        if !has_configuration {
            fs::remove_file(project.join("voxlint.toml")).unwrap();
        }
        let outside = folder.join("outside/private");
        let before = fs::read(&outside).unwrap();
        symlink("../outside/private", project.join("voxlint-baseline.json")).unwrap();
        for arguments in [&["check"][..], &["baseline", "write"], &["baseline", "prune"]] {
            for directory in [project.clone(), project.join("agents")] {
                let output = run(&directory, arguments);
                let said = all_said(&output);
                assert_eq!(output.status.code(), Some(2), "{arguments:?} {said}");
                let message =
                    "voxlint-baseline.json: a symbolic link that leads out of the project";
                assert!(said.contains(message), "{arguments:?} {said}");
                let link = if directory == project { "" } else { "../" };
                let way_out =
                    format!("name this link with `--baseline {link}voxlint-baseline.json`");
                assert!(said.contains(&way_out), "{said}");
                assert!(!said.contains("hunter2"), "{arguments:?} {said}");
            }
        }
        assert_eq!(fs::read(&outside).unwrap(), before);
    }
}

#[test]
fn a_configuration_above_the_repository_does_not_apply() {
    let off = "[rules]\nout-of-range = 'off'\n";
    let folder = repository("above", "");
    let project = folder.join("project");
    fs::remove_file(project.join("voxlint.toml")).unwrap();
    fs::copy(folder.join("outside/faulty.json"), project.join("agents/en.json")).unwrap();
    fs::write(folder.join("voxlint.toml"), off).unwrap();
    let check = |directory: &str, path: &str| run(&folder.join(directory), &["check", path]);
    for (directory, path) in [("project", "."), ("project/agents", "en.json")] {
        let output = check(directory, path);
        assert_eq!(output.status.code(), Some(1), "{directory} {path} {}", stderr(&output));
    }
    // Who runs voxlint chooses the working directory.
    for path in ["project", "project/agents"] {
        assert_eq!(check(".", path).status.code(), Some(0), "{path}");
    }
    let show = run(&project, &["config", "show", "agents/en.json"]);
    assert!(stdout(&show).starts_with("# no voxlint.toml applies here"));
    // Faults in it do not matter, either.
    fs::write(folder.join("voxlint.toml"), "nonsense = = 1").unwrap();
    assert_eq!(check("project", ".").status.code(), Some(1));
    // In a submodule, `.git` is a file.
    fs::write(folder.join("voxlint.toml"), off).unwrap();
    let extends = || {
        let proposal = run(&project, &["init", "--print"]);
        stdout(&proposal).lines().any(|line| line == "extends = \"../voxlint.toml\"")
    };
    assert!(!extends());
    fs::remove_dir(project.join(".git")).unwrap();
    fs::write(project.join(".git"), "gitdir: ../modules/project\n").unwrap();
    assert_eq!(check("project", ".").status.code(), Some(1));
    // Outside of a repository, the search goes on.
    fs::remove_file(project.join(".git")).unwrap();
    assert!(extends());
    for (directory, path) in [("project", "."), (".", "project")] {
        assert_eq!(check(directory, path).status.code(), Some(0), "{directory}");
    }
    // The root of the repository is searched itself.
    fs::create_dir(folder.join(".git")).unwrap();
    assert_eq!(check("project", ".").status.code(), Some(0));
}

#[test]
fn a_configuration_of_the_repository_around_a_submodule_applies() {
    let folder = repository("submodule", "[rules]\nout-of-range = 'off'\n");
    let project = folder.join("project");
    let inner = project.join("third/inner");
    fs::create_dir_all(project.join(".git/modules/third/modules/inner")).unwrap();
    fs::create_dir_all(project.join(".git/worktrees/inner")).unwrap();
    fs::create_dir_all(&inner).unwrap();
    fs::copy(folder.join("outside/faulty.json"), inner.join("en.json")).unwrap();
    fs::write(project.join("third/.git"), "gitdir: ../.git/modules/third\n").unwrap();
    for (git, code) in [
        ("../../.git/modules/third/modules/inner", 0),
        ("../../.git/modules/nothing", 1),
        // A further working tree of the outer repository has all its files itself.
        ("../../.git/worktrees/inner", 1),
    ] {
        fs::write(inner.join(".git"), format!("gitdir: {git}\n")).unwrap();
        let output = run(&inner, &["check"]);
        assert_eq!(output.status.code(), Some(code), "{git} {}", stderr(&output));
        let output = run(&project, &["check", "third"]);
        assert_eq!(output.status.code(), Some(0), "{git} {}", stderr(&output));
    }
}

#[test]
fn a_baseline_above_the_repository_does_not_apply() {
    let folder = repository("baseline-above", "");
    let project = folder.join("project");
    fs::remove_file(project.join("voxlint.toml")).unwrap();
    fs::copy(folder.join("outside/faulty.json"), project.join("agents/en.json")).unwrap();
    let written = run(&project, &["baseline", "write", "--baseline", "../voxlint-baseline.json"]);
    assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
    for directory in [&project, &project.join("agents")] {
        assert_eq!(run(directory, &["check"]).status.code(), Some(1));
        let named = folder.join("voxlint-baseline.json");
        let named = run(directory, &["check", "--baseline", named.to_str().unwrap()]);
        assert_eq!(named.status.code(), Some(0), "{}", stderr(&named));
    }
}

#[test]
fn files_that_documents_are_checked_with_have_a_largest_size() {
    const MEBIBYTE: usize = 1 << 20;
    let configuration = "and a configuration with all files that it extends may have at most 1 MiB";
    let related = "and a file that a document is checked with may have at most 64 MiB";
    let baseline = "and a baseline may have at most 64 MiB";
    let stored = "[[documents]]\nfiles = 'agents/'\nstored = '../large'\n";
    let text = "[[documents]]\nfiles = 'agents/'\ntext_files = { prompt_text = '../large' }\n";
    for (settings, name, size, message) in [
        ("", "voxlint.toml", MEBIBYTE, configuration),
        ("extends = 'large'\n", "large", MEBIBYTE, configuration),
        ("facts = 'large'\n", "large", 64 * MEBIBYTE, related),
        (stored, "large", 64 * MEBIBYTE, related),
        (text, "large", 64 * MEBIBYTE, related),
        ("baseline = 'large'\n", "large", 64 * MEBIBYTE, baseline),
        ("", "voxlint-baseline.json", 64 * MEBIBYTE, baseline),
    ] {
        let folder = repository("sizes", settings);
        let project = folder.join("project");
        // Without blocks on the disk. It is not read.
        let file = fs::OpenOptions::new().append(true).create(true).open(project.join(name));
        file.unwrap().set_len(size as u64 + 1).unwrap();
        let output = run(&project, &["check"]);
        let said = all_said(&output);
        assert_eq!(output.status.code(), Some(2), "{settings}{said}");
        let expected = format!("the file has {} bytes, {message}", size + 1);
        assert!(said.contains(&expected), "{name} {settings}{said}");
    }
}

#[test]
fn the_base_in_a_commit_has_a_largest_size() {
    const STORED: &str = r#"{ "version": { "version_number": 3, "title": "Desk" } }"#;
    let settings =
        "base = 'HEAD'\n[[documents]]\nfiles = 'agents/'\nstored = '../stored/{stem}.json'\n";
    let folder = repository("base-size", settings);
    let project = folder.join("project");
    fs::write(project.join("agents/fr.json"), DOCUMENT).unwrap();
    fs::create_dir(project.join("stored")).unwrap();
    fs::write(project.join("stored/en.json"), vec![b' '; (64 << 20) + 1]).unwrap();
    fs::write(project.join("stored/fr.json"), STORED).unwrap();
    if !commit(&project) {
        return;
    }
    fs::write(project.join("stored/en.json"), STORED).unwrap();
    let output = run(&project, &["plan"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let message = "HEAD:stored/en.json: the file has 67108865 bytes, and a file that a document is checked with may have at most 64 MiB";
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
    // The answer to the next question is found.
    assert!(!stderr(&output).contains("fr.json:"), "{}", stderr(&output));
    assert!(stdout(&output).contains("agents/fr.json"), "{}", stdout(&output));
}

#[test]
fn the_largest_configuration_is_read() {
    let folder = repository("largest", "");
    let project = folder.join("project");
    let comment = format!("#{}\n", "x".repeat(1022)).repeat(512);
    fs::write(project.join("base.toml"), &comment).unwrap();
    let rest = comment.replacen('#', "extends = 'base.toml' #", 1);
    fs::write(project.join("voxlint.toml"), &rest[..comment.len()]).unwrap();
    let output = run(&project, &["check"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    // Both are counted together.
    fs::write(project.join("voxlint.toml"), &rest).unwrap();
    let output = run(&project, &["check"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    let said = all_said(&output);
    assert!(said.contains("cannot read `base.toml`: the file has"), "{said}");
}

#[test]
fn a_gitignore_that_is_a_link_out_of_the_project_is_not_read() {
    for name in [".gitignore", "agents/.gitignore"] {
        for target in ["/dev/zero", "/etc/passwd", "/etc/no-such-file", ".git/config"] {
            let folder = repository("linked-ignore", "");
            let project = folder.join("project");
            fs::write(project.join(".git/config"), "").unwrap();
            let target = project.join(target);
            symlink(target, project.join(name)).unwrap();
            for arguments in [&["check", "--show-files"][..], &["check", "agents"]] {
                let output = run(&project, arguments);
                assert_eq!(output.status.code(), Some(2), "{name} {}", stderr(&output));
                let expected = format!(
                    "voxlint: {name}: a symbolic link that leads to no file of the repository, so it is not followed: replace it with a file\n"
                );
                assert!(stderr(&output).contains(&expected), "{}", stderr(&output));
            }
        }
    }
    let folder = repository("linked-ignore-inside", "");
    let project = folder.join("project");
    fs::write(project.join("patterns"), "en.json\n").unwrap();
    fs::write(project.join("agents/other.json"), DOCUMENT).unwrap();
    symlink("../patterns", project.join("agents/.gitignore")).unwrap();
    let output = run(&project, &["check", "--show-files"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(stderr(&output).contains("skipped agents/en.json"), "{}", stderr(&output));
    // Above the repository, nothing is read.
    symlink("/dev/zero", folder.join(".gitignore")).unwrap();
    let output = run(&project, &["check"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    fs::write(project.join("patterns"), vec![b'#'; (1 << 20) + 1]).unwrap();
    let output = run(&project, &["check"]);
    assert!(stderr(&output).contains("a `.gitignore` may have at most 1 MiB"));
    fs::remove_file(project.join("agents/.gitignore")).unwrap();
    let made = Command::new("mkfifo").arg(project.join("agents/.gitignore")).status().unwrap();
    assert!(made.success());
    let output = run(&project, &["check"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("agents/.gitignore: not a regular file"));
}

#[test]
fn no_baseline_is_written_outside_of_the_project() {
    let folder = repository("baseline-outside", "baseline = '../outside/new.json'\n");
    let output = run(&folder.join("project"), &["baseline", "write"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(stderr(&output).contains("outside of the project"), "{}", stderr(&output));
    assert!(!folder.join("outside/new.json").exists());
}

#[test]
fn no_baseline_gets_a_name_that_means_something_else() {
    let folder = repository("baseline-name", "");
    let project = folder.join("project");
    for (name, problem) in [
        ("agents/.gitignore", "would say which files git ignores, and voxlint skips"),
        ("agents/voxlint.toml", "would be read as a configuration"),
    ] {
        for settings in [String::new(), format!("baseline = '{name}'\n")] {
            fs::write(project.join("voxlint.toml"), &settings).unwrap();
            let all = ["baseline", "write", "--baseline", name];
            let output = run(&project, if settings.is_empty() { &all } else { &all[..2] });
            assert_eq!(output.status.code(), Some(2), "{name} {}", stderr(&output));
            let message = format!("voxlint: {name} {problem}: name another file");
            assert!(stderr(&output).contains(&message), "{}", stderr(&output));
            assert!(!project.join(name).exists());
        }
    }
}

#[test]
fn a_file_that_the_shell_has_opened_is_written_wherever_it_is() {
    let folder = repository("opened-by-shell", "");
    let project = folder.join("project");
    let log = fs::File::create(project.join(".git/log")).unwrap();
    let arguments = ["check", "--quiet", "--output", "json=/dev/stderr"];
    let output = voxlint(&project, &arguments).stderr(log).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(fs::read_to_string(project.join(".git/log")).unwrap().starts_with('{'));
}

/// The command lines that write a file or a folder with this name.
fn writes(name: &str) -> Vec<Vec<String>> {
    let output = format!("json={name}");
    let all: [&[&str]; 4] = [
        &["check", "--output", &output],
        &["plan", "--allow-empty", "--output", &output],
        &["plan", "--allow-empty", "--out", name],
        &["baseline", "write", "--baseline", name],
    ];
    all.iter().map(|line| line.iter().map(|word| (*word).to_owned()).collect()).collect()
}

#[test]
fn nothing_is_written_through_a_link_out_of_the_project() {
    for (target, link, name) in [
        ("../outside/new", "out", "out"),
        ("../outside", "out", "out/new"),
        ("../../outside/new", "agents/out", "agents/out"),
        ("../outside", "out", "out/../outside/new"),
    ] {
        // The path of a baseline is simplified, so this one is in the project.
        let is_usual = |line: &&Vec<String>| line[0] != "baseline" || !name.contains("..");
        for line in writes(name).iter().filter(is_usual) {
            for has_configuration in [true, false] {
                let folder = repository("written-outside", "");
                let project = folder.join("project");
                if !has_configuration {
                    fs::remove_file(project.join("voxlint.toml")).unwrap();
                }
                symlink(target, project.join(link)).unwrap();
                let before = fs::read_dir(folder.join("outside")).unwrap().count();
                let line: Vec<&str> = line.iter().map(String::as_str).collect();
                let output = run(&project, &line);
                let said = stderr(&output);
                assert_eq!(
                    (output.status.code(), stdout(&output)),
                    (Some(2), ""),
                    "{line:?} {said}"
                );
                let message = "leads out of the project by a symbolic link, which is not followed";
                assert!(said.contains(message), "{line:?} {said}");
                let after = fs::read_dir(folder.join("outside")).unwrap().count();
                assert_eq!(before, after, "{line:?}");
            }
        }
    }
}

#[test]
fn a_link_of_the_repository_above_the_working_directory_is_not_written_through() {
    let folder = repository("written-above", "");
    let project = folder.join("project");
    fs::remove_file(project.join("voxlint.toml")).unwrap();
    symlink("../outside/new", project.join("out")).unwrap();
    let output = run(&project.join("agents"), &["check", "--output", "json=../out"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(!folder.join("outside/new").exists());
}

#[test]
fn files_elsewhere_and_links_in_the_project_are_written() {
    let folder = repository("written-elsewhere", "");
    let project = folder.join("project");
    fs::create_dir(project.join("reports")).unwrap();
    symlink("reports", project.join("linked")).unwrap();
    symlink("reports/by-link", project.join("link-to-new")).unwrap();
    symlink("private", folder.join("outside/chosen")).unwrap();
    for name in ["../outside/new", "linked/a", "link-to-new", "../outside/chosen", "/dev/null"] {
        let output = run(&project, &["check", "--output", &format!("json={name}")]);
        assert_eq!(output.status.code(), Some(0), "{name} {}", stderr(&output));
    }
    for name in ["outside/new", "project/reports/a", "project/reports/by-link", "outside/private"] {
        assert!(fs::read_to_string(folder.join(name)).unwrap().starts_with('{'), "{name}");
    }
}

#[test]
fn no_configuration_is_written_through_a_link_out_of_the_project() {
    let folder = repository("init-outside", "");
    let project = folder.join("project");
    fs::remove_file(project.join("voxlint.toml")).unwrap();
    let before = fs::read(folder.join("outside/private")).unwrap();
    symlink("../outside/private", project.join("voxlint.toml")).unwrap();
    let output = run(&project, &["init", "--force"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    assert!(
        stderr(&output).contains("voxlint.toml: a symbolic link leads out of the project, so nothing is written there: remove the link"),
        "{}",
        stderr(&output)
    );
    assert_eq!(fs::read(folder.join("outside/private")).unwrap(), before);
}

#[test]
fn no_baseline_is_pruned_through_a_link_out_of_the_project() {
    let folder = repository("prune-outside", "");
    let project = folder.join("project");
    fs::copy(folder.join("outside/faulty.json"), project.join("agents/en.json")).unwrap();
    let written = run(&project, &["baseline", "write", "--baseline", "../outside/known.json"]);
    assert_eq!(written.status.code(), Some(0), "{}", stderr(&written));
    // Paths in a baseline are relative to the name that it is read by.
    let known = fs::read_to_string(folder.join("outside/known.json")).unwrap();
    let known = known.replace("../project/agents", "agents");
    fs::write(folder.join("outside/known.json"), &known).unwrap();
    fs::write(project.join("agents/en.json"), DOCUMENT).unwrap();
    symlink("../outside/known.json", project.join("known.json")).unwrap();
    let check = run(&project, &["baseline", "check", "--baseline", "known.json"]);
    assert_eq!(check.status.code(), Some(1), "{}{}", stdout(&check), stderr(&check));
    let prune = run(&project, &["baseline", "prune", "--baseline", "known.json"]);
    assert_eq!(prune.status.code(), Some(2), "{}", stderr(&prune));
    assert!(stderr(&prune).contains("known.json leads out of the project"), "{}", stderr(&prune));
    assert_eq!(fs::read_to_string(folder.join("outside/known.json")).unwrap(), known);
}

#[test]
fn nothing_is_written_in_git() {
    let folder = repository("written-in-git", "");
    let project = folder.join("project");
    symlink(".git", project.join("into")).unwrap();
    symlink(".git/new", project.join("new")).unwrap();
    for name in [".git/new", "agents/../.git/new", "into/new", "new", ".git/hooks/new"] {
        for line in &writes(name) {
            let line: Vec<&str> = line.iter().map(String::as_str).collect();
            let output = run(&project, &line);
            assert_eq!((output.status.code(), stdout(&output)), (Some(2), ""), "{line:?}");
            assert!(
                stderr(&output).contains("is in a folder of git such as `.git`, where"),
                "{}",
                stderr(&output)
            );
            assert_eq!(fs::read_dir(project.join(".git")).unwrap().count(), 0, "{line:?}");
        }
    }
    let fixable = r#"{ "version_number": 3, "promt_text": "Be kind." }"#;
    fs::write(project.join(".git/a.json"), fixable).unwrap();
    symlink("../.git/a.json", project.join("agents/a.json")).unwrap();
    let output = run(&project, &["check", "--fix", "--unsafe-fixes", "agents/a.json"]);
    let message =
        "/.git/a.json, into a folder of git such as `.git`: to fix that file, name it by this path";
    assert!(stderr(&output).contains(message), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(project.join(".git/a.json")).unwrap(), fixable);
}

#[test]
fn the_command_line_names_any_file() {
    let folder = repository("named-outside", "");
    fs::write(folder.join("outside/facts.json"), "{}").unwrap();
    let arguments =
        ["check", "--facts", "../outside/facts.json", "agents", "../outside/faulty.json"];
    let output = run(&folder.join("project"), &arguments);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stdout(&output).contains("out-of-range"), "{}", stdout(&output));
}

#[test]
fn a_link_out_of_the_project_is_followed_only_if_it_is_named() {
    let folder = repository("link-outside", "");
    let project = folder.join("project");
    symlink("../../outside/faulty.json", project.join("agents/link.json")).unwrap();
    symlink("en.json", project.join("agents/near.json")).unwrap();
    fs::copy(folder.join("outside/faulty.json"), project.join(".git/faulty.json")).unwrap();
    symlink("../.git/faulty.json", project.join("agents/of-git.json")).unwrap();
    fs::create_dir(folder.join("outside/deep")).unwrap();
    symlink("../outside/deep", project.join("deep")).unwrap();
    symlink("../deep/../faulty.json", project.join("agents/above-link.json")).unwrap();
    let output = run(&project, &["check", "--show-files"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let said = all_said(&output);
    assert_eq!(
        said.matches("a link out of the project, which is not followed").count(),
        3,
        "{said}"
    );
    assert!(said.contains("2 documents"), "{said}");
    let named = run(&project, &["check", "agents/link.json"]);
    assert_eq!(named.status.code(), Some(1), "{}", stdout(&named));
}
