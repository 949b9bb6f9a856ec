//! Checking a text with thousands of mistakes takes linear time.

use std::time::{Duration, Instant};

use voxlint::{Document, Inputs, check};

/// The time to check a prompt with this text: the shortest of three runs, because other programs are running.
fn time(prompt: &str) -> Duration {
    let text = format!("{{\"version_number\": 3, \"prompt_text\": \"{prompt}\"}}");
    let document = Document::parse(text.as_str());
    let times = (0..3).map(|_| {
        let start = Instant::now();
        assert!(!check(&Inputs::new(document.clone())).diagnostics.is_empty(), "{prompt}");
        start.elapsed()
    });
    times.min().unwrap()
}

#[test]
fn checking_templates_takes_linear_time() {
    const UNITS: [&str; 8] = [
        "{{customer zip}} ",
        "{{customer zip}} {{customer_zi}} ",
        "{{customer zip#}} {{name#}} ",
        "{{zi#p}} {{a b#}} ",
        " {name} ",
        "{name#} ",
        "{% if x %} ",
        "{{> card#}} ",
    ];
    for unit in UNITS {
        let repeated = |times: u32| {
            (0..times).map(|index| unit.replace('#', &format!("{index:04}"))).collect::<String>()
        };
        let is_linear =
            || time(&repeated(4_000)) < time(&repeated(1_000)).max(Duration::from_millis(1)) * 8;
        assert!((0..3).any(|_| is_linear()), "{unit}");
    }
}
