//! `voxlint render`: what callers would hear.

use serde_json::json;

use crate::process::{folder, run, stdout};

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
    for count in [200, 600] {
        let output = shown(count);
        let texts = output.split("texts and more").next().unwrap().split(' ').nth(1).unwrap();
        assert!(texts.parse::<usize>().is_ok_and(|texts| texts > 10), "{count}: {texts}");
        assert!(output.lines().any(|line| line == "    (empty)"), "{count}: nothing is set");
    }
    assert!(shown(2_500).starts_with("welcome_message: (too many conditions to follow)\n"));
}
