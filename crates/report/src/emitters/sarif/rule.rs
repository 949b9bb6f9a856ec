//! The rules of a log.

use serde::Serialize;
use voxlint::docs::pages;
use voxlint::{Family, RuleRef, Severity};

use super::model::SarifText;
use crate::documentation::page_url;
use crate::run::RunInfo;
use crate::tool::TOOL;

/// `toolComponent` (3.19).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ToolDriver<'a> {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    information_uri: Option<&'a str>,
    rules: Vec<RuleDescriptor<'a>>,
}

/// `reportingDescriptor` (3.49).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct RuleDescriptor<'a> {
    id: &'a str,
    name: String,
    short_description: SarifText<'a>,
    full_description: SarifText<'a>,
    help: RuleHelp,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<String>,
    default_configuration: DefaultConfiguration,
    properties: RuleProperties,
}

#[derive(Serialize)]
struct RuleHelp {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct DefaultConfiguration {
    level: &'static str,
}

/// The properties of a rule that GitHub reads.
#[derive(Serialize)]
struct RuleProperties {
    tags: [&'static str; 2],
    precision: &'static str,
    #[serde(rename = "problem.severity")]
    severity: &'static str,
}

pub(super) fn driver<'a>(run: &RunInfo<'a>) -> ToolDriver<'a> {
    ToolDriver {
        name: TOOL.name,
        version: TOOL.version,
        semantic_version: TOOL.version,
        information_uri: run.documentation,
        rules: run.rules.iter().map(|rule| descriptor(run, rule)).collect(),
    }
}

/// The index of a rule in the driver's list.
pub(super) fn index(run: &RunInfo<'_>, rule: &RuleRef) -> Option<usize> {
    run.rules.iter().position(|known| known.id == rule.id)
}

fn descriptor<'a>(run: &RunInfo<'_>, rule: &'a RuleRef) -> RuleDescriptor<'a> {
    let page = rule.page();
    let words = page.split("```").next().unwrap_or_default().trim();
    let severity = if rule.status.is_some() { Severity::Error } else { rule.advice };
    RuleDescriptor {
        id: &rule.id,
        name: rule.id.split(['-', '_', '/']).map(capitalized).collect(),
        short_description: SarifText { text: rule.summary().into() },
        full_description: SarifText {
            text: if words.is_empty() { rule.summary().into() } else { words.to_owned().into() },
        },
        help: RuleHelp {
            markdown: match rule.family() {
                Family::House => page.clone(),
                _ => pages::rule(rule),
            },
            text: page,
        },
        help_uri: page_url(run.documentation, rule),
        default_configuration: DefaultConfiguration { level: level(severity) },
        properties: RuleProperties {
            tags: [rule.family().name(), rule.group.name()],
            precision: "high",
            severity: match severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "recommendation",
            },
        },
    }
}

fn capitalized(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

pub(super) const fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "note",
    }
}
