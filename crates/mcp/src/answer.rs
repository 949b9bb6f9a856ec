//! What a tool answers: a text for the assistant, and the same as JSON for programs.

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;
use voxlint::secrets::mask_text;
use voxlint_report::escape_terminal_lines;

use crate::protocol::{Era, result_meta, result_type};

/// The longest text, in bytes. An assistant reads all of it, and everything is in the JSON.
const MAX_TEXT: usize = 24_000;

/// The longest JSON, in bytes. More than this, no assistant can use.
const MAX_JSON: usize = 2 << 20;

/// The shortest part of a path that is masked, in bytes.
const MIN_SECRET: usize = 4;

/// The answer of a tool.
#[derive(Debug)]
pub(crate) struct Answer {
    text: String,
    json: Option<Box<RawValue>>,
    is_error: bool,
}

/// A mistake of the assistant, or a file that cannot be used: what is wrong, and what to do.
pub(crate) type WrongUse = String;

#[derive(Serialize)]
struct CallResult<'a> {
    content: [TextContent<'a>; 1],
    #[serde(rename = "structuredContent", skip_serializing_if = "Option::is_none")]
    structured_content: Option<&'a RawValue>,
    #[serde(rename = "isError")]
    is_error: bool,
    #[serde(rename = "resultType", skip_serializing_if = "Option::is_none")]
    result_type: Option<&'static str>,
    #[serde(rename = "_meta", skip_serializing_if = "Option::is_none")]
    meta: Option<Value>,
}

#[derive(Serialize)]
struct TextContent<'a> {
    r#type: &'static str,
    text: &'a str,
}

impl Answer {
    /// A text alone.
    pub(crate) fn text(text: String) -> Self {
        Self { text, json: None, is_error: false }
    }

    /// A text, and the same as JSON. Of a long text, the beginning is shown.
    pub(crate) fn with_json(text: &str, json: &[u8]) -> Self {
        let text = shortened(text, "the rest is in `structuredContent`");
        let json = compact(json);
        if json.len() > MAX_JSON {
            let size = json.len() >> 20;
            let text = format!(
                "the answer has {size} MiB, more than the limit of {} MiB: name one file, or fix what is listed here and ask again\n\n{text}",
                MAX_JSON >> 20,
            );
            return Self { text, json: None, is_error: true };
        }
        match RawValue::from_string(json) {
            Ok(json) => Self { text, json: Some(json), is_error: false },
            Err(error) => Self::wrong_use(&format!("this is a bug in voxlint: {error}")),
        }
    }

    /// The same answer about something that could not be done.
    pub(crate) fn failed(self) -> Self {
        Self { is_error: true, ..self }
    }

    /// The same answer with asterisks in place of some secrets. They are as long as what they replace.
    pub(crate) fn without(mut self, secrets: &[&str]) -> Self {
        for secret in secrets {
            let asterisks = "*".repeat(secret.len());
            self.text = self.text.replace(secret, &asterisks);
            let json = self.json.take();
            self.json = json.and_then(|json| {
                let masked = json.get().replace(secret, &asterisks);
                RawValue::from_string(masked).ok()
            });
        }
        self
    }

    /// What is wrong, and what to do. A value of the assistant in it may be a secret.
    pub(crate) fn wrong_use(message: &str) -> Self {
        let text = escape_terminal_lines(&mask_text(message));
        let text = shortened(&text, "the rest is left out");
        Self { text, json: None, is_error: true }
    }

    /// The result of `tools/call`, as JSON on one line.
    pub(crate) fn to_result(&self, era: Era) -> Result<Box<RawValue>, serde_json::Error> {
        serde_json::value::to_raw_value(&CallResult {
            content: [TextContent { r#type: "text", text: &self.text }],
            structured_content: self.json.as_deref(),
            is_error: self.is_error,
            result_type: result_type(era),
            meta: result_meta(era),
        })
    }
}

/// The parts of a path that look like secrets, as far as their letters are those of JSON.
pub(crate) fn secrets_of_path(path: &str) -> Vec<&str> {
    let masked = mask_text(path);
    let is_hidden = |at: usize| path.as_bytes().get(at) != masked.as_bytes().get(at);
    let is_plain = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\' | b'/');
    let mut secrets = Vec::new();
    let mut start = 0;
    for (at, byte) in path.bytes().chain([b'/']).enumerate() {
        if !(is_plain(byte) && is_hidden(at)) {
            // A shorter part tells nothing, and may be a part of other words.
            secrets.extend(path.get(start..at).filter(|part| part.len() >= MIN_SECRET));
            start = at + 1;
        }
    }
    secrets
}

/// The first lines of a long text, with a last line about the others.
fn shortened(text: &str, rest: &str) -> String {
    let text = text.trim_end();
    if text.len() <= MAX_TEXT {
        return text.to_owned();
    }
    let mut end = MAX_TEXT;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let start = text.get(..end).unwrap_or_default();
    let kept = start.rsplit_once('\n').map_or(start, |(kept, _)| kept);
    let left = text.get(kept.len()..).unwrap_or_default().trim_start().lines().count();
    format!("{kept}\n… {} more: {rest}", voxlint::counted(left as u64, "line"))
}

/// JSON without white space between its values, and so without line breaks: these end a message.
fn compact(json: &[u8]) -> String {
    let mut out = Vec::with_capacity(json.len());
    let (mut is_text, mut is_escaped) = (false, false);
    for byte in json.iter().copied() {
        if is_text {
            is_text = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
        } else if byte.is_ascii_whitespace() {
            continue;
        } else {
            is_text = byte == b'"';
        }
        out.push(byte);
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_of_a_path_are_masked_everywhere() {
        let path = "agents/ghp_Zk3vT9qLr2Xw8YbN5mHd7PcSVb6kRw2Nq9Xt.json";
        let secrets = secrets_of_path(path);
        assert_eq!(secrets.len(), 1);
        let json = format!("{{\"path\":\"{path}\"}}");
        let answer = Answer::with_json(path, json.as_bytes()).without(&secrets);
        assert!(!answer.text.contains(secrets[0]) && answer.text.starts_with("agents/***"));
        let json = answer.json.map(|json| json.get().to_owned()).unwrap_or_default();
        assert!(!json.contains(secrets[0]) && json.contains("agents/***"));
        assert!(secrets_of_path("agents/front-desk.json").is_empty());
    }

    #[test]
    fn json_on_one_line_says_the_same() {
        let json = "{\n  \"a \\\" b\": [ 1.50, \" \\\\\" ],\n  \"c\": { }\n}\n";
        assert_eq!(compact(json.as_bytes()), "{\"a \\\" b\":[1.50,\" \\\\\"],\"c\":{}}");
    }

    #[test]
    fn a_long_text_ends_with_a_whole_line() {
        let line = "é".repeat(99) + "\n";
        let text = line.repeat(200);
        let short = shortened(&text, "see the JSON");
        assert!(short.len() <= MAX_TEXT + 60, "{}", short.len());
        let shown = short.lines().count() - 1;
        let expected = format!("\n… {} lines more: see the JSON", 200 - shown);
        assert!(short.ends_with(&expected), "{short}");
        assert_eq!(shortened("short\n", ""), "short");
        // A text without line breaks is cut between characters.
        assert!(shortened(&"é".repeat(MAX_TEXT), "x").contains("… 1 line more"));
    }

    #[test]
    fn an_answer_that_is_too_long_says_so() {
        let json = format!("[\"{}\"]", "x".repeat(MAX_JSON));
        let answer = Answer::with_json("the first finding", json.as_bytes());
        assert!(answer.is_error && answer.json.is_none());
        assert!(answer.text.contains("2 MiB") && answer.text.contains("the first finding"));
    }
}
