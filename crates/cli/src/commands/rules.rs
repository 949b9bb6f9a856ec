use std::fmt::Write as _;
use std::io::{self, Write as _};

use serde_json::json;
use voxlint::rules;

use super::after_writing;
use crate::Outcome;
use crate::args::{FullOrJson, RulesOptions};

pub(crate) fn run(options: &RulesOptions) -> Outcome {
    let text = match options.format {
        FullOrJson::Full => for_people(),
        FullOrJson::Json => for_tools(),
    };
    after_writing(io::stdout().lock().write_all(text.as_bytes()), Outcome::Clean)
}

fn for_people() -> String {
    let widest = rules::all().map(|rule| rule.id.len()).max().unwrap_or(0);
    let mut text = String::new();
    for rule in rules::all() {
        let _ = writeln!(text, "{:widest$}  {}", rule.id, rule.summary());
    }
    text
}

/// `{"schema": 1, "rules": [{"id", "family", "section", "status", "reads", "summary"}]}`
fn for_tools() -> String {
    let rules: Vec<_> = rules::all()
        .map(|rule| {
            json!({
                "id": rule.id,
                "family": rule.family().name(),
                "section": rule.section,
                "status": rule.status,
                "reads": rule.reads.iter().map(|row| format!("/{}", row.name)).collect::<Vec<_>>(),
                "summary": rule.summary(),
            })
        })
        .collect();
    format!("{:#}\n", json!({ "schema": 1, "rules": rules }))
}
