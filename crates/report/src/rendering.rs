//! Rendered templates: as text for people, as JSON for other tools.

use std::fmt::Write as _;
use std::io;

use serde::Serialize;
use voxlint::{
    ChangedTexts, Origin, PathCondition, RenderedPath, RenderedTag, RenderedTemplate,
    RenderedTemplates, RenderedText, Speech, SpokenGap, counted,
};

use crate::document::CheckedDocument;
use crate::escape::escape_terminal;
use crate::json_text::write_document;
use crate::located::{
    LocatedFinding, LocatedSpan, ReportSections, locate, located_span, origin_name,
};
use crate::options::RenderOptions;
use crate::plan::push_words;
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
    /// The rate of the seconds, if there are paths.
    #[serde(skip_serializing_if = "Option::is_none")]
    words_per_minute: Option<u16>,
    templates: Vec<TemplateEntry<'a>>,
    diagnostics: Vec<LocatedFinding>,
}

#[derive(Serialize)]
struct TemplateEntry<'a> {
    field: String,
    outcome: &'static str,
    #[serde(flatten)]
    text: TextEntry<'a>,
    #[serde(flatten)]
    paths: Option<PathsEntry<'a>>,
}

#[derive(Serialize)]
struct PathsEntry<'a> {
    paths: Vec<PathEntry<'a>>,
    /// The paths that are not listed; null if they cannot be counted.
    left_out: Option<usize>,
}

#[derive(Serialize)]
struct PathEntry<'a> {
    conditions: &'a [Vec<PathCondition>],
    #[serde(flatten)]
    text: TextEntry<'a>,
    #[serde(flatten)]
    speech: Option<SpeechEntry<'a>>,
}

#[derive(Serialize)]
struct SpeechEntry<'a> {
    words: Option<usize>,
    seconds: Option<f64>,
    gap: Option<GapEntry<'a>>,
}

#[derive(Serialize)]
struct GapEntry<'a> {
    name: &'a str,
    /// Its place in the text, in bytes.
    at: usize,
    seconds: Option<f64>,
}

#[derive(Serialize)]
struct TextEntry<'a> {
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

/// Shows rendered templates: each field's text under its name, with variables without a value as `⟨name⟩`, or each of the texts
/// that it can become.
pub fn show_templates(rendered: &RenderedTemplates, options: &RenderOptions) -> String {
    let mut shown = String::new();
    let mut tags = Tags::default();
    for template in &rendered.templates {
        if !shown.is_empty() {
            shown.push('\n');
        }
        let state = match &template.outcome {
            text @ RenderedText::Rendered { .. } => {
                tags.add(text, false);
                show_one(&mut shown, template.field, "", text);
                continue;
            }
            RenderedText::Paths { paths, left_out } => {
                for path in paths {
                    tags.add_path(path);
                }
                show_paths(&mut shown, template.field, paths, *left_out, options);
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
    tags.show(&mut shown, options);
    shown
}

/// What the texts have in common.
#[derive(Default)]
struct Tags<'a> {
    missing: Vec<&'a str>,
    escaped: Vec<&'a str>,
    /// The missing variables of texts that are spoken.
    gaps: Vec<&'a str>,
    is_timed: bool,
}

impl<'a> Tags<'a> {
    fn add(&mut self, text: &'a RenderedText, is_spoken: bool) {
        let RenderedText::Rendered { missing, escaped, .. } = text else { return };
        let missed = if is_spoken { &mut self.gaps } else { &mut self.missing };
        for (names, tags) in [(missed, missing), (&mut self.escaped, escaped)] {
            for tag in tags {
                if !names.contains(&tag.name.as_str()) {
                    names.push(&tag.name);
                }
            }
        }
    }

    fn add_path(&mut self, path: &'a RenderedPath) {
        self.add(&path.rendering, path.speech.is_some());
        self.is_timed |=
            path.speech.as_ref().is_some_and(|speech| speech.words.is_some_and(|words| words > 0));
    }

    fn show(&self, shown: &mut String, options: &RenderOptions) {
        let gap = format!("{GAP} callers hear nothing here, unless the call gives a value");
        for (about, names) in [("without a value", &self.missing), (&*gap, &self.gaps)] {
            if !names.is_empty() {
                let names = names.iter().map(|name| format!("⟨{}⟩", escape_terminal(name)));
                let names = names.collect::<Vec<_>>().join(", ");
                let _ = write!(shown, "\n{about}: {names}\n");
            }
        }
        if self.is_timed {
            let rate = counted(options.words_per_minute, "word");
            let _ = write!(shown, "\nseconds at {rate} per minute\n");
        }
        let names = self.escaped.iter().map(|name| format!("`{}`", escape_terminal(name)));
        let mut names: Vec<String> = names.collect();
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
    }
}

/// The mark before the first variable without a value in a text that is spoken.
const GAP: char = '▸';

/// Shows the only text of a template.
fn show_one(shown: &mut String, field: &str, about: &str, text: &RenderedText) {
    match text {
        RenderedText::Rendered { marked, .. } if marked.is_empty() => {
            let _ = writeln!(shown, "{field}: (empty)");
        }
        RenderedText::Rendered { marked, .. } => {
            let _ = writeln!(shown, "{field}{about}:");
            show_text(shown, marked, 2);
        }
        _ => {}
    }
}

fn show_paths(
    shown: &mut String,
    field: &str,
    paths: &[RenderedPath],
    left_out: Option<usize>,
    options: &RenderOptions,
) {
    if let ([path], Some(0)) = (paths, left_out) {
        return show_one(shown, field, &about(path, options), &with_gap(path));
    }
    if paths.is_empty() {
        let _ = writeln!(shown, "{field}: (too many conditions to follow)");
        return;
    }
    let more = match left_out {
        Some(0) => String::new(),
        Some(count) => format!(" of {}", paths.len() + count),
        None => " and more".to_owned(),
    };
    let _ = writeln!(shown, "{field}: {}{more}", counted(paths.len() as u64, "text"));
    for (at, path) in paths.iter().enumerate() {
        let (words, about) = (escape_terminal(&path.in_words()).into_owned(), about(path, options));
        let first = paths.first().filter(|_| path.speech.is_none() && at > 0);
        let difference = if first.is_some() { ", compared with the first text" } else { "" };
        shown.push('\n');
        show_text(shown, &format!("{words}{about}{difference}:"), 2);
        match (first, with_gap(path)) {
            (Some(first), _) => {
                let texts = ChangedTexts::new(first.marked().to_owned(), path.marked().to_owned());
                push_words(shown, &texts, options);
            }
            (None, RenderedText::Rendered { marked, .. }) if marked.is_empty() => {
                shown.push_str("    (empty)\n");
            }
            (None, RenderedText::Rendered { marked, .. }) => show_text(shown, &marked, 4),
            _ => {}
        }
    }
}

/// The text of a path with a mark at the first gap.
fn with_gap(path: &RenderedPath) -> RenderedText {
    let mut text = path.rendering.clone();
    let gap = path.speech.as_ref().and_then(|speech| speech.gap.as_ref());
    if let (RenderedText::Rendered { marked, .. }, Some(gap)) = (&mut text, gap)
        && marked.get(gap.at..).is_some_and(|rest| rest.starts_with('⟨'))
    {
        marked.insert(gap.at, GAP);
    }
    text
}

/// How long a text takes, and where its first gap is heard.
fn about(path: &RenderedPath, options: &RenderOptions) -> String {
    let Some(Speech { words: Some(words), gap, .. }) = &path.speech else { return String::new() };
    let gap = gap.as_ref().and_then(|gap| seconds(gap.words, options));
    let gap = gap.map(|seconds| format!(", {GAP} at {seconds} s")).unwrap_or_default();
    let seconds = seconds(Some(*words), options).unwrap_or_default();
    format!(" ({}, {seconds} s{gap})", counted(*words as u64, "word"))
}

/// The seconds that words take, in tenths.
fn seconds(words: Option<usize>, options: &RenderOptions) -> Option<f64> {
    let words = f64::from(u32::try_from(words?).ok()?);
    Some((words * 600.0 / f64::from(options.words_per_minute)).round() / 10.0)
}

/// Writes text indented, with long lines broken at spaces.
fn show_text(to: &mut String, text: &str, indent: usize) {
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
            let _ = write!(to, "{:1$}", "", if is_first { indent } else { 1 });
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
    options: &RenderOptions,
) -> io::Result<()> {
    let file = locate(checked, options, ReportSections::JSON);
    let sources = SourceMap::of_all(checked);
    let is_open = |it: &RenderedTemplate| matches!(it.outcome, RenderedText::Paths { .. });
    let templates = rendered.templates.iter().map(|template| TemplateEntry {
        field: format!("/{}", template.field),
        outcome: template.outcome.name(),
        text: text_entry(&sources, &template.outcome),
        paths: match &template.outcome {
            RenderedText::Paths { paths, left_out } => Some(PathsEntry {
                paths: paths.iter().map(|path| path_entry(&sources, path, options)).collect(),
                left_out: *left_out,
            }),
            _ => None,
        },
    });
    let output = RenderingOutput {
        schema: SCHEMA_VERSION,
        tool: TOOL,
        path: checked.path,
        kind: file.kind,
        words_per_minute: rendered
            .templates
            .iter()
            .any(is_open)
            .then_some(options.words_per_minute),
        templates: templates.collect(),
        diagnostics: file.diagnostics,
    };
    write_document(out, &output)
}

fn path_entry<'a>(
    sources: &SourceMap<'a>,
    path: &'a RenderedPath,
    options: &RenderOptions,
) -> PathEntry<'a> {
    let speech = |speech: &'a Speech| SpeechEntry {
        words: speech.words,
        seconds: seconds(speech.words, options),
        gap: speech.gap.as_ref().map(|SpokenGap { name, at, words, .. }| GapEntry {
            name,
            at: *at,
            seconds: seconds(*words, options),
        }),
    };
    PathEntry {
        conditions: &path.conditions,
        text: text_entry(sources, &path.rendering),
        speech: path.speech.as_ref().map(speech),
    }
}

fn text_entry<'a>(sources: &SourceMap<'a>, text: &'a RenderedText) -> TextEntry<'a> {
    let (text, missing, escaped) = match text {
        RenderedText::Rendered { text, missing, escaped, .. } => {
            (Some(text.as_str()), &**missing, &**escaped)
        }
        _ => (None, [].as_slice(), [].as_slice()),
    };
    let entries =
        |tags: &'a [RenderedTag]| tags.iter().map(|tag| tag_entry(sources, tag)).collect();
    TextEntry { text, missing: entries(missing), escaped: entries(escaped) }
}

fn tag_entry<'a>(sources: &SourceMap<'a>, tag: &'a RenderedTag) -> TagEntry<'a> {
    TagEntry {
        name: &tag.name,
        origin: tag.origin,
        path: sources.get(tag.origin).map(|file| file.path),
        span: located_span(sources, tag.origin, tag.span),
    }
}
