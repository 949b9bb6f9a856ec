//! Shared by the tests: verdicts of the reference, a generator of templates, and hand-written templates.
#![allow(dead_code, unreachable_pub, reason = "not every test uses everything")]

pub mod contexts;
pub mod generator;
pub mod hard;

use serde_json::Value;
use voxlint_template::{Stage, TemplateError, parse};

/// A verdict of the reference.
pub struct Verdict {
    pub template: String,
    /// The stage that rejects the template, or `None` if `parse` and `precompile` both accept it.
    pub stage: Option<Stage>,
    /// The offset of the rejected token in UTF-16 code units.
    pub offset: Option<u64>,
}

impl Verdict {
    pub fn from_oracle(line: &str) -> Self {
        let record: Value = serde_json::from_str(line).expect("the oracle prints JSON");
        let stage = match record["kind"].as_str() {
            None => None,
            Some("grammar") => Some(Stage::Grammar),
            Some("lexical") => Some(Stage::Lexer),
            Some("mismatch") => Some(Stage::BlockName),
            Some("path") => Some(Stage::Path),
            Some("decorator") => Some(Stage::Decorator),
            Some("other") if record["pre_ok"] == Value::Bool(false) => Some(Stage::Precompile),
            // `as |[a]|` makes the reference throw a TypeError.
            Some("other") if record["message"] == "token.substring is not a function" => {
                Some(Stage::BlockParams)
            }
            Some(other) => panic!("the oracle answered {other:?}: {line}"),
        };
        let template =
            record["template"].as_str().expect("the oracle repeats the template").to_owned();
        Self { template, stage, offset: record["offset"].as_u64() }
    }

    /// The difference between this verdict and ours.
    pub fn disagreement(&self) -> Option<String> {
        let text = &self.template;
        let error = parse(text).error;
        if !text.contains("{{") {
            // The service does not treat this text as a template, although the reference would reject U+0000 in it.
            return error
                .map(|error| format!("{text:?} has no braces, but we reject it: {error:?}"));
        }
        let ours = error.as_ref().map(|error| error.stage);
        if ours != self.stage {
            return Some(format!("{text:?}: the reference says {:?}, we say {ours:?}", self.stage));
        }
        let our_offset = error
            .as_ref()
            .and_then(TemplateError::reference_offset)
            .map(|offset| utf16_offset(text, offset));
        if our_offset != self.offset {
            return Some(format!(
                "{text:?}: the reference stops at {:?}, we at {our_offset:?}",
                self.offset
            ));
        }
        None
    }
}

fn utf16_offset(text: &str, offset: u32) -> u64 {
    text[..offset as usize].encode_utf16().count() as u64
}

/// The form of a stage in verdicts.ndjson.
pub fn stage_letter(stage: Option<Stage>) -> &'static str {
    match stage {
        None => "ok",
        Some(Stage::Lexer) => "l",
        Some(Stage::Grammar) => "g",
        Some(Stage::BlockName) => "n",
        Some(Stage::Path) => "p",
        Some(Stage::Decorator) => "d",
        Some(Stage::BlockParams) => "b",
        Some(Stage::Precompile) => "c",
    }
}

/// The stored verdicts of the reference.
pub fn stored() -> Vec<Verdict> {
    let line_to_verdict = |line: &str| {
        let (template, letter, offset): (String, String, Option<u64>) =
            serde_json::from_str(line).expect("verdicts.ndjson contains triples");
        let stage = match letter.as_str() {
            "ok" => None,
            "l" => Some(Stage::Lexer),
            "g" => Some(Stage::Grammar),
            "n" => Some(Stage::BlockName),
            "p" => Some(Stage::Path),
            "d" => Some(Stage::Decorator),
            "b" => Some(Stage::BlockParams),
            _ => Some(Stage::Precompile),
        };
        Verdict { template, stage, offset }
    };
    include_str!("../../verdicts.ndjson").lines().map(line_to_verdict).collect()
}
