//! What the tests share: the reference's verdicts, a generator of templates, and templates written by hand.
#![allow(dead_code, unreachable_pub, reason = "each test takes what it needs")]

pub mod generator;
pub mod hard;

use serde_json::Value;
use voxlint_template::{Fault, Refusal, parse};

/// A verdict of the reference, as the oracle prints it.
pub struct Verdict {
    pub template: String,
    /// `None` where `parse` and `precompile` both accept.
    pub refusal: Option<Refusal>,
    /// The offset of the offending token in UTF-16 units.
    pub offset: Option<u64>,
}

impl Verdict {
    pub fn from_oracle(line: &str) -> Self {
        let record: Value = serde_json::from_str(line).expect("the oracle prints JSON");
        let refusal = match record["kind"].as_str() {
            None => None,
            Some("grammar") => Some(Refusal::Grammar),
            Some("lexical") => Some(Refusal::Lexical),
            Some("mismatch") => Some(Refusal::Name),
            Some("path") => Some(Refusal::Path),
            Some("decorator") => Some(Refusal::Decorator),
            Some("other") if record["pre_ok"] == Value::Bool(false) => Some(Refusal::Precompile),
            // The reference falls over `as |[a]|` with a TypeError of its own.
            Some("other") if record["message"] == "token.substring is not a function" => {
                Some(Refusal::BlockParams)
            }
            Some(other) => panic!("the oracle answered {other:?}: {line}"),
        };
        let template =
            record["template"].as_str().expect("the oracle repeats the template").to_owned();
        Self { template, refusal, offset: record["offset"].as_u64() }
    }

    /// What differs between this verdict and ours, if anything does.
    pub fn disagreement(&self) -> Option<String> {
        let text = &self.template;
        let fault = parse(text).fault;
        if !text.contains("{{") {
            // The service does not take such a text for a template, whatever the reference says of U+0000.
            return fault
                .map(|fault| format!("{text:?} has no braces, but we say {:?}", fault.kind));
        }
        let ours = fault.as_ref().map(|fault| fault.refusal);
        if ours != self.refusal {
            return Some(format!(
                "{text:?}: the reference says {:?}, we say {ours:?}",
                self.refusal
            ));
        }
        let our_offset = fault
            .as_ref()
            .and_then(Fault::reference_offset)
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

/// The short form in which verdicts.ndjson stores verdicts.
pub fn refusal_letter(refusal: Option<Refusal>) -> &'static str {
    match refusal {
        None => "ok",
        Some(Refusal::Lexical) => "l",
        Some(Refusal::Grammar) => "g",
        Some(Refusal::Name) => "n",
        Some(Refusal::Path) => "p",
        Some(Refusal::Decorator) => "d",
        Some(Refusal::BlockParams) => "b",
        Some(Refusal::Precompile) => "c",
    }
}

/// The stored verdicts: the reference's, on templates of our own.
pub fn stored() -> Vec<Verdict> {
    let line_to_verdict = |line: &str| {
        let (template, letter, offset): (String, String, Option<u64>) =
            serde_json::from_str(line).expect("verdicts.ndjson holds triples");
        let refusal = match letter.as_str() {
            "ok" => None,
            "l" => Some(Refusal::Lexical),
            "g" => Some(Refusal::Grammar),
            "n" => Some(Refusal::Name),
            "p" => Some(Refusal::Path),
            "d" => Some(Refusal::Decorator),
            "b" => Some(Refusal::BlockParams),
            _ => Some(Refusal::Precompile),
        };
        Verdict { template, refusal, offset }
    };
    include_str!("../../verdicts.ndjson").lines().map(line_to_verdict).collect()
}
