//! What goes where: reports in files beside standard output, exit codes, and annotations.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};

use crate::process::{folder, run, status, stderr, stdout, voxlint};
use serde_json::Value;
use voxlint_report::OutputFormat;

/// The names of all formats.
fn formats() -> Vec<&'static str> {
    OutputFormat::ALL.iter().map(|format| format.name()).collect()
}

/// The first formats; the gate, which asks for all cases, gets every one.
fn some_formats() -> Vec<&'static str> {
    formats().into_iter().take(voxlint_testing::cases(2, 1_000) as usize).collect()
}

/// One error and one warning.
const FAULTY: &str = "{ \"version_number\": 3, \"kb_max_chunks\": 12, \"extra\": \"x\" }";
const CLEAN: &str = "{ \"version_number\": 3 }";

/// A project with these files, which begins where it is a folder of its own.
fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let head = [(".git/HEAD", "ref: refs/heads/main\n")];
    folder(&format!("outputs/{name}"), &[&head, files].concat())
}

/// Clean, faulty, and with a file that is not there.
const RUNS: [(&[&str], i32); 3] =
    [(&["clean.json"], 0), (&["clean.json", "bad.json"], 1), (&["bad.json", "nope.json"], 2)];

fn some_files(name: &str) -> PathBuf {
    project(name, &[("clean.json", CLEAN), ("bad.json", FAULTY)])
}

#[test]
fn the_exit_code_is_the_same_in_every_format() {
    let folder = some_files("statuses");
    for (paths, expected) in RUNS {
        for format in formats() {
            let arguments = [&["check", "--format", format], paths].concat();
            assert_eq!(status(&folder, &arguments), expected, "{format} {paths:?}");
            let output = format!("{format}=report");
            let arguments = [&["check", "--output", &output], paths].concat();
            assert_eq!(status(&folder, &arguments), expected, "--output {format} {paths:?}");
        }
    }
}

#[test]
fn a_report_in_a_file_says_what_standard_output_would() {
    let folder = some_files("files");
    for (paths, _) in RUNS {
        let name = |format| format!("{format}=reports/{format}.out");
        let names: Vec<String> = formats().into_iter().map(name).collect();
        fs::create_dir_all(folder.join("reports")).unwrap();
        let mut arguments = [&["check", "--format", "concise"], paths].concat();
        for name in &names {
            arguments.extend(["--output", name]);
        }
        let all = run(&folder, &arguments);
        for format in formats() {
            let alone = run(&folder, &[&["check", "--format", format], paths].concat());
            let in_file = fs::read(folder.join(format!("reports/{format}.out"))).unwrap();
            assert_eq!(String::from_utf8(in_file).unwrap(), stdout(&alone), "{format} {paths:?}");
            if format == "concise" {
                assert_eq!(all.stdout, alone.stdout);
                assert_eq!(all.stderr, alone.stderr);
            }
        }
    }
}

/// The folder, checked with that many threads, in that locale, and with the paths in that order.
fn check_with(folder: &Path, threads: &str, locale: &str, format: &str, paths: &[&str]) -> Output {
    let arguments = [&["check", "--format", format, "--show-undecided"], paths].concat();
    let mut command = voxlint(folder, &arguments);
    command.env("LC_ALL", locale).env("TZ", if locale == "C" { "UTC" } else { "<+14>-14" });
    command.env("RAYON_NUM_THREADS", threads).output().unwrap()
}

#[test]
fn neither_threads_nor_locales_nor_the_order_of_the_paths_change_a_byte() {
    let lines = format!("{FAULTY}\n").repeat(300);
    let names: Vec<String> =
        (0..40).map(|number| format!("bots/{:02}.json", number * 7 % 40)).collect();
    let mut files = vec![
        (
            "voxlint.toml",
            "[[suppressions]]\nfiles = \"bots/1*\"\nrules = \"out-of-range\"\nreason = \"x\"\n\
                          [[suppressions]]\nfiles = \"gone/\"\nrules = \"out-of-range\"\nreason = \"x\"\n",
        ),
        ("lines/all.ndjson", &*lines),
        (
            "nested/voxlint.toml",
            "[[suppressions]]\nfiles = \"x\"\nrules = \"house\"\nreason = \"x\"\n",
        ),
        ("nested/en.json", FAULTY),
    ];
    files.extend(names.iter().map(|name| (&**name, FAULTY)));
    let folder = project("deterministic", &files);
    for format in some_formats() {
        let first = check_with(&folder, "1", "C", format, &["bots", "lines", "nested", "."]);
        assert_eq!(first.status.code(), Some(1));
        for (threads, paths) in
            [("7", ["bots", "lines", "nested", "."]), ("2", ["nested", ".", "lines", "./bots"])]
        {
            let again = check_with(&folder, threads, "tr_TR.UTF-8", format, &paths);
            assert_eq!(stdout(&again), stdout(&first), "{format}");
            assert_eq!(stderr(&again), stderr(&first), "{format}");
        }
    }
}

/// The same, as a runner of GitHub does it.
fn on_github(folder: &Path, arguments: &[&str], stdout: Stdio) -> Output {
    let mut command = voxlint(folder, arguments);
    command.env("GITHUB_ACTIONS", "true").env("CI", "true");
    command.stdout(stdout).stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap()
}

#[test]
fn under_github_actions_annotations_are_added_and_standard_output_stays() {
    let folder = some_files("annotations");
    for format in formats() {
        let arguments = ["check", "--format", format];
        let plain = run(&folder, &arguments);
        let piped = on_github(&folder, &arguments, Stdio::piped());
        assert_eq!(stdout(&piped), stdout(&plain), "{format}");
        let is_for_people = ["full", "concise", "grouped"].contains(&format);
        let has_annotations = stderr(&piped).contains("::error file=bad.json,line=1,");
        assert_eq!(has_annotations, is_for_people, "{format}: {}", stderr(&piped));
        assert!(stderr(&piped).ends_with(stderr(&plain)), "{format}");

        let file = folder.join("redirected");
        let redirected = on_github(&folder, &arguments, File::create(&file).unwrap().into());
        assert_eq!(fs::read(&file).unwrap(), plain.stdout, "{format}");
        assert!(!stderr(&redirected).contains("::error"), "{format}: {}", stderr(&redirected));
    }
    let also = ["check", "--output", "github=annotations"];
    assert!(!stderr(&on_github(&folder, &also, Stdio::piped())).contains("::error"));
}

/// As `voxlint check | head -1` does it.
#[test]
fn a_closed_reader_is_not_a_failure() {
    let files: Vec<String> = (0..300).map(|number| format!("{number}.json")).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|name| (&**name, FAULTY)).collect();
    let folder = project("head", &files);
    for format in formats() {
        let mut child = voxlint(&folder, &["check", "-q", "--format", format])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(!line.is_empty(), "{format}");
        let output = child.wait_with_output().unwrap();
        assert_eq!((output.status.code(), stderr(&output)), (Some(1), ""), "{format}");
    }
}

/// A reader that takes one line and leaves while documents are still to be checked.
fn leave_after_a_line(folder: &Path, arguments: &[&str]) -> Output {
    let mut child =
        voxlint(folder, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    assert!(!line.is_empty());
    child.wait_with_output().unwrap()
}

/// Many files with a warning, and one error in the last of them.
fn an_error_at_the_end(name: &str) -> PathBuf {
    let titel = "{ \"version_number\": 3, \"kb_max_chunks\": 2.5 }";
    let mut files: Vec<(String, &str)> =
        (0..1000).map(|number| (format!("{number:04}.json"), titel)).collect();
    files.push(("last.json".to_owned(), FAULTY));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, *text)).collect();
    project(name, &files)
}

#[test]
fn the_exit_code_includes_findings_after_the_reader_has_closed() {
    let folder = an_error_at_the_end("closed-pipe");
    for format in ["full", "concise", "grouped", "ndjson", "sarif", "github", "gitlab", "azure"] {
        let output = leave_after_a_line(&folder, &["check", "-q", "--format", format]);
        assert_eq!((output.status.code(), stderr(&output)), (Some(1), ""), "{format}");
    }
}

#[test]
fn a_closed_pipe_leaves_the_other_reports_complete() {
    let folder = an_error_at_the_end("closed-pipe-reports");
    let arguments = ["check", "-q", "--output", "json=all.out", "--output", "sarif=sarif.out"];
    let left = leave_after_a_line(&folder, &[&arguments[..], &["--format", "concise"]].concat());
    assert_eq!((left.status.code(), stderr(&left)), (Some(1), ""));
    for (format, file) in [("json", "all.out"), ("sarif", "sarif.out")] {
        let whole = run(&folder, &["check", "-q", "--format", format]);
        assert!(fs::read(folder.join(file)).unwrap() == whole.stdout, "{format}");
    }
}

/// `/dev/full` takes nothing, as a full disk does.
#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_written_is_named_and_the_others_are_complete() {
    let folder = an_error_at_the_end("full");
    let whole = run(&folder, &["check", "-q", "--format", "json"]);
    for format in some_formats() {
        let full = format!("{format}=/dev/full");
        let arguments = ["check", "-q", "--format", "json", "--output", "json=all.json"];
        let output = run(&folder, &[&arguments[..], &["--output", &full]].concat());
        assert_eq!(output.status.code(), Some(2), "{format}");
        let said = stderr(&output);
        assert!(said.starts_with("voxlint: /dev/full: ") && said.lines().count() == 1, "{said}");
        assert!(output.stdout == whole.stdout, "{format}");
        assert!(fs::read(folder.join("all.json")).unwrap() == whole.stdout, "{format}");
    }
    let mut command = voxlint(&folder, &["check", "-q", "--output", "json=all.json"]);
    fs::remove_file(folder.join("all.json")).unwrap();
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = command.stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let output = output.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("voxlint: standard output: "), "{}", stderr(&output));
    assert!(fs::read(folder.join("all.json")).unwrap() == whole.stdout);
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_fails() {
    for arguments in [&["--help"][..], &["check", "--help"], &["--version"], &["help", "plan"]] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = voxlint(Path::new("."), arguments);
        let output = command.stdout(full).stderr(Stdio::piped()).spawn().unwrap();
        let output = output.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).starts_with("voxlint: standard output: "), "{}", stderr(&output));
    }
}

#[cfg(unix)]
#[test]
fn no_report_goes_to_the_file_that_standard_output_goes_to() {
    let folder = some_files("one-file");
    for output in ["json=redirected", "json=/dev/stdout"] {
        let mut command = voxlint(&folder, &["check", "--output", output]);
        let file = File::create(folder.join("redirected")).unwrap();
        let run = command.stdout(file).stderr(Stdio::piped()).spawn().unwrap();
        let run = run.wait_with_output().unwrap();
        assert_eq!(run.status.code(), Some(2), "{output}");
        assert!(stderr(&run).contains("standard output and --output"), "{}", stderr(&run));
        assert_eq!(fs::read_to_string(folder.join("redirected")).unwrap(), "");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn pipes_and_devices_are_written_to_as_they_are() {
    let folder = some_files("devices");
    let json = run(&folder, &["check", "--format", "json"]);
    let stdout_too = run(&folder, &["check", "--format", "json", "--output", "json=/dev/stdout"]);
    assert_eq!(stdout_too.status.code(), Some(1), "{}", stderr(&stdout_too));
    assert_eq!(stdout_too.stdout, [&*json.stdout, &*json.stdout].concat());
    assert_eq!(status(&folder, &["check", "--output", "json=/dev/null"]), 1);
    assert!(Path::new("/dev/null").metadata().is_ok_and(|null| !null.is_file()));

    let fifo = folder.join("fifo");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    if !made.is_ok_and(|made| made.success()) {
        voxlint_testing::skip("there is no mkfifo");
        return;
    }
    let reader = std::thread::spawn({
        let fifo = fifo.clone();
        move || fs::read(fifo).unwrap()
    });
    assert_eq!(status(&folder, &["check", "--output", "json=fifo"]), 1);
    assert_eq!(reader.join().unwrap(), json.stdout);
    assert!(!fifo.metadata().unwrap().is_file());
}

#[cfg(unix)]
#[test]
fn an_earlier_report_is_replaced_as_a_whole() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
    let folder = some_files("replaced");
    let (file, link) = (folder.join("real.out"), folder.join("link.out"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("real.out", &link).unwrap();
    let mut old = File::open(&file).unwrap();
    let arguments = ["check", "--output", "json=link.out", "--output", "json=new.out"];
    assert_eq!(status(&folder, &arguments), 1);

    // A program that has the old report open reads it to its end.
    let mut text = String::new();
    std::io::Read::read_to_string(&mut old, &mut text).unwrap();
    assert_eq!(text, "old");
    let json = run(&folder, &["check", "--format", "json", "clean.json", "bad.json"]).stdout;
    assert_eq!(fs::read(&file).unwrap(), json);
    assert!(link.symlink_metadata().unwrap().is_symlink());
    assert_eq!(file.metadata().unwrap().mode() & 0o777, 0o640);
    // New files are what the umask makes of them, as those of other programs are.
    fs::write(folder.join("plain"), "").unwrap();
    let mode = |name: &str| folder.join(name).metadata().unwrap().mode();
    assert_eq!(mode("new.out"), mode("plain"));
    let names = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.filter(|name| name.to_string_lossy().contains("voxlint-")).count(), 0);
}

#[test]
fn runs_at_the_same_time_do_not_mix_their_reports() {
    let folder = an_error_at_the_end("same-time");
    let arguments = ["check", "-q", "--format", "statistics", "--output", "sarif=all.sarif"];
    for _ in 0..3 {
        let runs: Vec<_> = (0..2)
            .map(|_| voxlint(&folder, &arguments).stdout(Stdio::null()).spawn().unwrap())
            .collect();
        for mut run in runs {
            assert_eq!(run.wait().unwrap().code(), Some(1));
        }
        let report = fs::read(folder.join("all.sarif")).unwrap();
        let report: Value = serde_json::from_slice(&report).unwrap();
        assert!(report["runs"][0]["results"].as_array().unwrap().len() > 1000);
    }
}

#[test]
fn no_name_of_a_file_breaks_a_report() {
    let names = [
        "a b,c;d%#[x]{y}.json",
        "::error file=x::.json",
        "]]><x>&\"'.json",
        "new\nline\r\u{1b}[31m.json",
        "##vso[task].json",
        "-x.json",
        "\u{202e}nosj.json",
        "ünï\u{301}.json",
    ];
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, FAULTY)).collect();
    let folder = project("hostile", &files);
    for format in formats() {
        let output = run(&folder, &["check", "--format", format]);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{format}");
        match format {
            "json" | "sarif" | "gitlab" | "rdjson" => {
                serde_json::from_str::<Value>(text).unwrap();
            }
            "ndjson" | "rdjsonl" => {
                text.lines().for_each(|line| drop(serde_json::from_str::<Value>(line).unwrap()));
            }
            "junit" | "checkstyle" => assert!(!text.contains("]]><x>"), "{text}"),
            // The property of a command names the file as it is called, and nothing else.
            "github" => assert!(text.lines().all(|line| line.starts_with("::")), "{text}"),
            "azure" => {
                assert!(text.lines().all(|line| line.starts_with("##vso[task.")), "{text}");
                assert!(!text.contains("##vso[task]"), "{text}");
            }
            _ => {
                assert!(!text.contains(['\u{1b}', '\r', '\u{202e}']), "{format}: {text}");
                let is_command = |line: &str| line.starts_with("::") || line.contains("##vso");
                assert!(!text.lines().any(is_command), "{format}: {text}");
            }
        }
    }
    let json = run(&folder, &["check", "--format", "json"]);
    let json: Value = serde_json::from_slice(&json.stdout).unwrap();
    let mut paths: Vec<&str> = json["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    let mut expected = names;
    paths.sort_unstable();
    expected.sort_unstable();
    assert_eq!(paths, expected);
    // They can be listed, too.
    assert_eq!(status(&folder, &["baseline", "write"]), 0);
    assert_eq!(status(&folder, &["check", "--strict"]), 0);
    assert_eq!(status(&folder, &["baseline", "check"]), 0);
}
