//! `voxlint rules`: lists the rules.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use serde_json::json;
use voxlint::docs::levels;
use voxlint::{Basis, RuleRef, Severity};
use voxlint_report::{escape_json, escape_terminal};

use super::{after_writing, rules_here};
use crate::args::{RulesOptions, TextOrJson};
use crate::exit::Exit;

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
            notes(rule),
        );
    }
    text
}

/// What else to know about a rule, in parentheses.
fn notes(rule: &RuleRef) -> String {
    let default = (!rule.is_recommended).then(|| "off by default".to_owned());
    let fix = rule.fix.map(|fix| {
        let safety: Vec<&str> = fix.safety.iter().map(|safety| safety.name()).collect();
        format!("{} fix", safety.join(" or "))
    });
    let notes: Vec<String> = [default, fix].into_iter().flatten().collect();
    if notes.is_empty() { String::new() } else { format!(" ({})", notes.join("; ")) }
}

/// `{"schema": 1, "rules": [{"id", "family", "group", "recommended", "levels", "basis", "section", "status", "fixes",
/// "reads", "readings", "summary"}]}`
fn for_tools(rules: &[RuleRef]) -> String {
    let rules: Vec<_> = rules
        .iter()
        .map(|rule| {
            json!({
                "id": rule.id,
                "family": rule.family().name(),
                "group": rule.group.name(),
                "recommended": rule.is_recommended,
                "levels": levels(rule).into_iter().map(Severity::name).collect::<Vec<_>>(),
                "basis": rule.basis.map(Basis::name),
                "section": rule.section,
                "status": rule.status,
                "fixes": rule.fix.map_or(&[][..], |fix| fix.safety).iter().map(|it| it.name()).collect::<Vec<_>>(),
                "reads": rule.reads.iter().map(|row| format!("/{}", row.name)).collect::<Vec<_>>(),
                "readings": rule.readings.iter().map(|it| it.name).collect::<Vec<_>>(),
                "summary": rule.summary(),
            })
        })
        .collect();
    escape_json(&format!("{:#}\n", json!({ "schema": 1, "rules": rules })))
}
