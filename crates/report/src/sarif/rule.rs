//! What a log tells of the rules.

use serde::Serialize;
use voxlint::{Family, RuleRef, Severity, pages};

use super::level;
use super::model::Text;
use crate::RunInfo;
use crate::json::TOOL;
use crate::run::page_of;

/// `toolComponent` (3.19).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Driver<'a> {
    name: &'static str,
    version: &'static str,
    semantic_version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    information_uri: Option<&'a str>,
    rules: Vec<Descriptor<'a>>,
}

/// `reportingDescriptor` (3.49).
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor<'a> {
    id: &'a str,
    name: String,
    short_description: Text,
    full_description: Text,
    help: Help,
    #[serde(skip_serializing_if = "Option::is_none")]
    help_uri: Option<String>,
    default_configuration: Configuration,
    properties: Properties,
}

#[derive(Serialize)]
struct Help {
    text: String,
    markdown: String,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

/// What GitHub reads of a rule.
#[derive(Serialize)]
struct Properties {
    tags: [&'static str; 1],
    precision: &'static str,
    #[serde(rename = "problem.severity")]
    severity: &'static str,
}

pub(super) fn driver<'a>(run: &RunInfo<'a>) -> Driver<'a> {
    Driver {
        name: TOOL.name,
        version: TOOL.version,
        semantic_version: TOOL.version,
        information_uri: run.documentation,
        rules: run.rules.iter().map(|rule| descriptor(run, rule)).collect(),
    }
}

/// The place of a rule in the driver's list.
pub(super) fn index(run: &RunInfo<'_>, rule: &RuleRef) -> Option<usize> {
    run.rules.iter().position(|known| known.id == rule.id)
}

fn descriptor<'a>(run: &RunInfo<'_>, rule: &'a RuleRef) -> Descriptor<'a> {
    let page = rule.page();
    let words = page.split("```").next().unwrap_or_default().trim();
    let severity = if rule.status.is_some() { Severity::Error } else { rule.advice };
    Descriptor {
        id: &rule.id,
        name: rule.id.split(['-', '_', '/']).map(capitalised).collect(),
        short_description: Text { text: rule.summary().to_owned() },
        full_description: Text {
            text: if words.is_empty() { rule.summary() } else { words }.to_owned(),
        },
        help: Help {
            markdown: match rule.family() {
                Family::House => page.clone(),
                _ => pages::rule(rule),
            },
            text: page,
        },
        help_uri: page_of(run.documentation, rule),
        default_configuration: Configuration { level: level(severity) },
        properties: Properties {
            tags: [rule.family().name()],
            precision: "high",
            severity: match severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "recommendation",
            },
        },
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}
