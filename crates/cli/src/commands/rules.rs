//! `voxlint rules`: lists the rules.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use serde_json::json;
use voxlint::{Basis, RuleRef};
use voxlint_report::{escape_json, escape_terminal};

use super::{after_writing, rules_here};
use crate::Exit;
use crate::args::{RulesOptions, TextOrJson};

pub(crate) fn run(options: &RulesOptions) -> Exit {
    let rules = match rules_here(&options.configuration) {
        Ok(rules) => rules,
        Err(exit) => return exit,
    };
    let text = match options.output.format {
        TextOrJson::Full => for_people(&rules),
        TextOrJson::Json => for_tools(&rules),
    };
    after_writing(io::stdout().lock().write_all(text.as_bytes()), Exit::Clean)
}

fn for_people(rules: &[RuleRef]) -> String {
    let widest = rules.iter().map(|rule| rule.id.len()).max().unwrap_or(0);
    let widest_group = rules.iter().map(|rule| rule.group.name().len()).max().unwrap_or(0);
    let mut text = String::new();
    for rule in rules {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:widest$}  {:widest_group$}  {}{}",
            rule.id,
            rule.group,
            escape_terminal(rule.summary()),
            if rule.is_recommended { "" } else { " (off by default)" },
        );
    }
    text
}

/// `{"schema": 1, "rules": [{"id", "family", "group", "recommended", "basis", "section", "status", "reads", "summary"}]}`
fn for_tools(rules: &[RuleRef]) -> String {
    let rules: Vec<_> = rules
        .iter()
        .map(|rule| {
            json!({
                "id": rule.id,
                "family": rule.family().name(),
                "group": rule.group.name(),
                "recommended": rule.is_recommended,
                "basis": rule.basis.map(Basis::name),
                "section": rule.section,
                "status": rule.status,
                "reads": rule.reads.iter().map(|row| format!("/{}", row.name)).collect::<Vec<_>>(),
                "summary": rule.summary(),
            })
        })
        .collect();
    escape_json(&format!("{:#}\n", json!({ "schema": 1, "rules": rules })))
}
