//! Rendered templates: as text for people, as JSON for other tools.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io;

use serde::Serialize;
use voxlint::{Origin, RenderedTag, RenderedTemplates, RenderedText};

use crate::document::CheckedDocument;
use crate::escape::escape_terminal;
use crate::escaping_writer::EscapingWriter;
use crate::located::{
    LocatedFinding, LocatedSpan, ReportSections, locate, located_span, origin_name,
};
use crate::options::RenderOptions;
use crate::source_map::SourceMap;
use crate::tool::{SCHEMA_VERSION, TOOL, Tool};

/// The width of rendered text, without its indentation.
const WIDTH: usize = 96;

#[derive(Serialize)]
struct RenderingOutput<'a> {
    schema: u32,
    tool: Tool,
    path: &'a str,
    kind: &'static str,
    templates: Vec<TemplateEntry<'a>>,
    diagnostics: Vec<LocatedFinding>,
}

#[derive(Serialize)]
struct TemplateEntry<'a> {
    field: String,
    outcome: &'static str,
    /// The text of the reference implementation; null if there is none.
    text: Option<&'a str>,
    /// The variables that have no value, or null.
    missing: Vec<TagEntry<'a>>,
    /// The tags whose text HTML escaping changes.
    escaped: Vec<TagEntry<'a>>,
}

#[derive(Serialize)]
struct TagEntry<'a> {
    name: &'a str,
    #[serde(rename = "in", serialize_with = "origin_name")]
    origin: Origin,
    path: Option<&'a str>,
    span: LocatedSpan,
}

/// Shows rendered templates: each field's text under its name, with variables without a value as `⟨name⟩`.
pub fn show_templates(rendered: &RenderedTemplates) -> String {
    let mut shown = String::new();
    let mut counts: HashMap<&str, usize> = HashMap::new();
    let mut names = Vec::new();
    let mut escaped: Vec<&str> = Vec::new();
    for template in &rendered.templates {
        if !shown.is_empty() {
            shown.push('\n');
        }
        let state = match &template.outcome {
            RenderedText::Rendered { marked, missing, escaped: changed, .. } => {
                if marked.is_empty() {
                    let _ = writeln!(shown, "{}: (empty)", template.field);
                } else {
                    let _ = writeln!(shown, "{}:", template.field);
                    show_text(&mut shown, marked);
                }
                for tag in missing {
                    let count = counts.entry(&tag.name).or_default();
                    if *count == 0 {
                        names.push(tag.name.as_str());
                    }
                    *count += 1;
                }
                for tag in changed {
                    if !escaped.contains(&tag.name.as_str()) {
                        escaped.push(&tag.name);
                    }
                }
                continue;
            }
            RenderedText::Failed => "cannot be rendered",
            RenderedText::Unset => "not set",
            RenderedText::Unknown => {
                "unknown: neither the document nor a stored configuration has it"
            }
            other => other.name(),
        };
        let _ = writeln!(shown, "{}: ({state})", template.field);
    }
    if !names.is_empty() {
        let names: Vec<String> =
            names.into_iter().map(|name| format!("⟨{}⟩", escape_terminal(name))).collect();
        let _ = write!(shown, "\nwithout a value: {}\n", names.join(", "));
    }
    let mut names: Vec<String> =
        escaped.iter().map(|name| format!("`{}`", escape_terminal(name))).collect();
    if let Some(last) = names.pop() {
        let (others, contain) = match names.len() {
            0 => (String::new(), "contains"),
            _ => (format!("{} and ", names.join(", ")), "contain"),
        };
        let _ = write!(
            shown,
            "\n{others}{last} {contain} characters that Handlebars escapes for HTML, such as `&amp;` for `&`\n"
        );
    }
    shown
}

/// Writes text indented, with long lines broken at spaces.
fn show_text(to: &mut String, text: &str) {
    for line in text.lines() {
        let line = escape_terminal(line);
        let mut width = 0;
        let mut is_first = true;
        for word in line.split(' ') {
            let length = word.chars().count();
            if !is_first && width > 0 && width + 1 + length > WIDTH {
                to.push('\n');
                width = 0;
                is_first = true;
            }
            to.push_str(if is_first { "  " } else { " " });
            width += length + usize::from(!is_first);
            is_first = false;
            to.push_str(word);
        }
        while to.ends_with(' ') {
            to.pop();
        }
        to.push('\n');
    }
}

/// Writes rendered templates as one JSON document. `checked` is the document with the report of the rendering.
///
/// # Errors
///
/// Any error of `out`.
pub fn write_templates_json(
    out: &mut dyn io::Write,
    checked: &CheckedDocument<'_>,
    rendered: &RenderedTemplates,
) -> io::Result<()> {
    let file = locate(checked, &RenderOptions::default(), ReportSections::JSON);
    let sources = SourceMap::of_all(checked);
    let entry = |tag| tag_entry(&sources, tag);
    let templates = rendered.templates.iter().map(|template| {
        let (text, missing, escaped) = match &template.outcome {
            RenderedText::Rendered { text, missing, escaped, .. } => {
                (Some(text.as_str()), &**missing, &**escaped)
            }
            _ => (None, [].as_slice(), [].as_slice()),
        };
        TemplateEntry {
            field: format!("/{}", template.field),
            outcome: template.outcome.name(),
            text,
            missing: missing.iter().map(entry).collect(),
            escaped: escaped.iter().map(entry).collect(),
        }
    });
    let output = RenderingOutput {
        schema: SCHEMA_VERSION,
        tool: TOOL,
        path: checked.path,
        kind: file.kind,
        templates: templates.collect(),
        diagnostics: file.diagnostics,
    };
    serde_json::to_writer_pretty(EscapingWriter::json(out), &output)?;
    out.write_all(b"\n")
}

fn tag_entry<'a>(sources: &SourceMap<'a>, tag: &'a RenderedTag) -> TagEntry<'a> {
    TagEntry {
        name: &tag.name,
        origin: tag.origin,
        path: sources.get(tag.origin).map(|file| file.path),
        span: located_span(sources, tag.origin, tag.span),
    }
}
