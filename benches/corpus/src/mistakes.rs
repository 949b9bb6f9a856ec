//! Mistakes that people make, planted in documents.

use crate::random::Random;
use crate::value::{Object, Value, field};

/// Plants one mistake in the values of a document.
pub fn plant(random: &mut Random, document: &mut Object) {
    match random.below(20) {
        0 => set(document, "kb_max_chunks", 12),
        1 => set(document, "kb_min_score", 3),
        2 => set(document, "title", "A title that goes on and on ".repeat(4)),
        3 => set(document, "allow_interruptions", "true"),
        4 => set(document, "llm_temperature", "0.5"),
        5 => set(document, "pipeline_type", "cascaded"),
        6 => set(document, "conversation_start_type", "agent"),
        7 => set(document, "end_call_on_silence_sec", 4),
        8 => set(document, "prompt_caching_enabled", Value::Null),
        9 => rename(document, "prompt_text", "promt_text"),
        10 => rename(document, "voice_id", "voiceId"),
        11 => append(document, "prompt_text", "\n{{#if is_member}}Say thank you."),
        12 => append(document, "prompt_text", "\nAsk for {{caller_name} again."),
        13 => append(document, "welcome_message", " {{/if}}"),
        14 => append(document, "system_prompt_text", " The caller is {{caller_name}}."),
        15 => append(document, "boosted_keywords", ", e-mail, 24/7"),
        16 => document.retain(|(name, _)| name != "version_number"),
        17 => document.push(field("postcall_analysis", Vec::<Value>::new())),
        18 => {
            if let Some(Value::Object(analysis)) = first(document, "post_call_analysis") {
                set(analysis, "field_type", "TEXT");
            }
        }
        _ => {
            if let Some(Value::Object(function)) = first(document, "agent_functions") {
                function.retain(|(name, _)| name != "config");
            }
        }
    }
}

/// Plants this many mistakes, each in an analysis of its own.
pub fn plant_many(document: &mut Object, mistakes: usize) {
    let analysis = |number| {
        Value::from(vec![
            field("field_name", format!("result_{number}")),
            field("field_type", if number % 2 == 0 { "TEXT" } else { "Number" }),
            field("field_description", "What the caller has agreed to."),
        ])
    };
    set(document, "post_call_analysis", (0..mistakes).map(analysis).collect::<Vec<_>>());
}

/// Breaks the syntax of a JSON text: a comma after the last field, or no end.
pub fn break_syntax(random: &mut Random, text: &mut String) {
    if random.percent(50) {
        let end = text.trim_end().len() - 1;
        text.truncate(text[..end].trim_end().len());
        text.push_str(",\n}\n");
    } else {
        let mut end = text.len() * 3 / 4;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
}

fn value<'a>(document: &'a mut Object, name: &str) -> Option<&'a mut Value> {
    document.iter_mut().find(|(other, _)| other == name).map(|(_, value)| value)
}

fn first<'a>(document: &'a mut Object, name: &str) -> Option<&'a mut Value> {
    match value(document, name) {
        Some(Value::List(items)) => items.first_mut(),
        _ => None,
    }
}

fn set(document: &mut Object, name: &str, new: impl Into<Value>) {
    if let Some(value) = value(document, name) {
        *value = new.into();
    }
}

fn rename(document: &mut Object, name: &str, new: &str) {
    for (other, _) in document {
        if other == name {
            new.clone_into(other);
        }
    }
}

fn append(document: &mut Object, name: &str, more: &str) {
    if let Some(Value::Text(text)) = value(document, name) {
        text.push_str(more);
    }
}
