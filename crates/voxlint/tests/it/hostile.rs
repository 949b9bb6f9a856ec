//! Checking a text with thousands of mistakes takes linear time.

use voxlint::{Document, Inputs, check};
use voxlint_testing::cases;

/// If the work for one mistake grew with the number of mistakes, this would take minutes.
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
        let prompt: String = (0..cases(6_000, 20_000))
            .map(|index| unit.replace('#', &format!("{index:05}")))
            .collect();
        let text = format!("{{\"version_number\": 3, \"prompt_text\": \"{prompt}\"}}");
        let report = check(&Inputs::new(Document::parse(text.as_str())));
        assert!(!report.diagnostics.is_empty(), "{unit}");
    }
}
