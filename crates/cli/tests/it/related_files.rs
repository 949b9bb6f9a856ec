//! Mistakes in related files.

use crate::process::{folder, run, stderr};

const UPDATE: (&str, &str) = ("update.json", r#"{ "version_number": 3, "title": "Front desk" }"#);
const CHECK: [&str; 4] = ["check", "update.json", "--stored", "stored.json"];

#[test]
fn a_complaint_neither_steers_the_terminal_nor_shows_a_secret() {
    let secret = "0123456789abcdefABCDEF0123456789";
    let held = format!(
        r#"{{ "id": "ag_one\u001b[31m\u202e:{secret}", "agent_type": "Single_Prompt_Agent" }}"#
    );
    let folder = folder("complaint", &[UPDATE, ("stored.json", &held)]);
    let output = run(&folder, &[&CHECK[..], &["--agent-id", "x"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(!stderr(&output).contains(['\u{1b}', '\u{202e}']), "{}", stderr(&output));
    let hidden = "x\u{1b}]0;title\u{7}.json";
    let output = run(&folder, &["check", hidden]);
    assert!(!stderr(&output).contains(['\u{1b}', '\u{7}']), "{}", stderr(&output));

    let held = format!(r#"{{ "id": "keyid01:{secret}", "agent_type": "Single_Prompt_Agent" }}"#);
    let folder = crate::process::folder("complaint-secret", &[UPDATE, ("stored.json", &held)]);
    let output = run(&folder, &[&CHECK[..], &["--agent-id", "x"]].concat());
    assert!(!stderr(&output).contains(secret), "{}", stderr(&output));
}
