//! The template variables of documents: as a table for people, as JSON for other tools.

use std::fmt::Write as _;
use std::io;

use serde::{Serialize, Serializer};
use voxlint::{
    GapCause, Origin, TemplateVariable, VariableGap, VariablePlace, VariableReference,
    VariableSource, VariableTable,
};

use crate::document::CheckedDocument;
use crate::escape::escape_terminal;
use crate::json_text::write_document;
use crate::located::{LocatedSpan, located_span, origin_name};
use crate::options::RenderOptions;
use crate::run::{FailedFile, SkippedFile};
use crate::source_map::SourceMap;
use crate::tool::{SCHEMA_VERSION, TOOL, Tool};

/// The template variables of one document, with lines and columns. It does not need the document's text.
#[derive(Debug, Serialize)]
pub struct LocatedVariables {
    path: String,
    kind: &'static str,
    /// The number of the document in its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    record: Option<u64>,
    /// Whether all uses are known.
    complete: bool,
    /// Where there may be more uses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    gaps: Vec<GapEntry>,
    variables: Vec<VariableEntry>,
    /// The line on which the document begins, if its file has several.
    #[serde(skip)]
    line: Option<u64>,
}

#[derive(Debug, Serialize)]
struct VariableEntry {
    name: String,
    /// What provides it; null if that is not known.
    defined: Option<&'static str>,
    default: Option<PlaceEntry>,
    /// Whether it is only rendered if it has a value; null if it is not used.
    guarded: Option<bool>,
    uses: Vec<UseEntry>,
    /// The other settings that mention a default that no template uses.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    mentions: Vec<String>,
}

#[derive(Debug, Serialize)]
struct GapEntry {
    #[serde(flatten)]
    place: PlaceEntry,
    #[serde(serialize_with = "gap_cause")]
    cause: GapCause,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn gap_cause<S: Serializer>(cause: &GapCause, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(cause.name())
}

#[derive(Debug, Serialize)]
struct PlaceEntry {
    #[serde(rename = "in", serialize_with = "origin_name")]
    origin: Origin,
    /// The file of the span; null if it is not known.
    path: Option<String>,
    field: String,
    span: LocatedSpan,
}

#[derive(Debug, Serialize)]
struct UseEntry {
    #[serde(flatten)]
    place: PlaceEntry,
    role: &'static str,
    guarded: bool,
    /// Whether the name is certainly read from the variables of the call.
    certain: bool,
}

impl LocatedVariables {
    /// Finds the lines and columns of the variables of a document.
    pub fn new(checked: &CheckedDocument<'_>, table: &VariableTable) -> Self {
        let sources = SourceMap::of_all(checked);
        let variables = table.variables.iter();
        Self {
            path: checked.path.to_owned(),
            kind: table.kind.name(),
            record: checked.position.map(|position| position.index),
            complete: table.gaps.is_empty(),
            gaps: table.gaps.iter().map(|gap| gap_entry(&sources, gap)).collect(),
            variables: variables.map(|variable| entry(&sources, variable)).collect(),
            line: checked.position.map(|position| position.line),
        }
    }
}

fn entry(sources: &SourceMap<'_>, variable: &TemplateVariable) -> VariableEntry {
    VariableEntry {
        name: variable.name.clone(),
        defined: variable.source.map(VariableSource::name),
        default: variable.default.as_ref().map(|default| place_entry(sources, default)),
        guarded: variable.is_guarded(),
        uses: variable.uses.iter().map(|used| use_entry(sources, used)).collect(),
        mentions: variable.mentions.clone(),
    }
}

fn gap_entry(sources: &SourceMap<'_>, gap: &VariableGap) -> GapEntry {
    GapEntry { place: place_entry(sources, &gap.place), cause: gap.cause }
}

fn place_entry(sources: &SourceMap<'_>, place: &VariablePlace) -> PlaceEntry {
    PlaceEntry {
        origin: place.origin,
        path: sources.get(place.origin).map(|file| file.path.to_owned()),
        field: place.field.clone(),
        span: located_span(sources, place.origin, place.span),
    }
}

fn use_entry(sources: &SourceMap<'_>, used: &VariableReference) -> UseEntry {
    UseEntry {
        place: place_entry(sources, &used.place),
        role: used.role.name(),
        guarded: used.is_guarded,
        certain: used.is_certain,
    }
}

#[derive(Serialize)]
struct VariablesOutput<'a> {
    schema: u32,
    tool: Tool,
    files: &'a [LocatedVariables],
    skipped: &'a [SkippedFile],
    failures: &'a [FailedFile],
}

/// Writes the variables of documents as one JSON document.
///
/// # Errors
///
/// Any error of `out`.
pub fn write_variables_json(
    out: &mut dyn io::Write,
    files: &[LocatedVariables],
    skipped: &[SkippedFile],
    failures: &[FailedFile],
) -> io::Result<()> {
    let output = VariablesOutput { schema: SCHEMA_VERSION, tool: TOOL, files, skipped, failures };
    write_document(out, &output)
}

/// The maximum number of places of one field that a row lists.
const MAX_PLACES: usize = 3;

/// The headings of the table.
const HEADINGS: [&str; 4] = ["variable", "defined", "guarded", "used"];

/// The variables of a document as a table. The places are lines and columns of the document, or of the file that is named.
pub fn render_variables(options: &RenderOptions, located: &LocatedVariables) -> String {
    let mut path = escape_terminal(&located.path).into_owned();
    if let Some(line) = located.line {
        let _ = write!(path, ":{line}");
    }
    let mut out = format!("{}\n", options.paint("1", &path));
    if located.variables.is_empty() {
        out.push_str("  no template variables\n");
    } else {
        let rows: Vec<[String; 4]> = located.variables.iter().map(|it| row(located, it)).collect();
        let width = |column: usize| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            let cells = cells.map(String::as_str).chain(HEADINGS.get(column).copied());
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths = [width(0), width(1), width(2)];
        out.push_str(&options.paint("2", &line(HEADINGS, widths)));
        out.push('\n');
        for row in &rows {
            out.push_str(&line(row.each_ref().map(String::as_str), widths));
            out.push('\n');
        }
    }
    for gap in &located.gaps {
        let cause = gap.cause.description();
        let place = place(located, &gap.place.field, [&gap.place]);
        let _ = writeln!(out, "  there may be more uses: {cause} ({place})");
    }
    out
}

fn line([name, defined, guarded, used]: [&str; 4], [first, second, third]: [usize; 3]) -> String {
    format!("  {name:first$}  {defined:second$}  {guarded:third$}  {used}").trim_end().to_owned()
}

fn row(located: &LocatedVariables, variable: &VariableEntry) -> [String; 4] {
    let is_of_block = || variable.uses.iter().all(|used| !used.certain);
    let defined = match (&variable.default, variable.defined) {
        (Some(default), _) => format!("default {}", positions(located, [default])),
        (None, Some(source)) => source.to_owned(),
        (None, None) if is_of_block() => "by a block".to_owned(),
        (None, None) => "unknown".to_owned(),
    };
    let guarded = match variable.guarded {
        Some(true) => "yes",
        Some(false) => "no",
        None => "-",
    };
    let name = escape_terminal(&variable.name).into_owned();
    let used = if variable.mentions.is_empty() {
        uses(located, &variable.uses)
    } else {
        let mentions: Vec<_> = variable.mentions.iter().map(|it| escape_terminal(it)).collect();
        format!("no template ({})", mentions.join(", "))
    };
    [name, defined, guarded.to_owned(), used]
}

/// The places of the uses, by their fields: `prompt_text 4:12, 9:3, welcome_message 3:30`.
fn uses(located: &LocatedVariables, uses: &[UseEntry]) -> String {
    if uses.is_empty() {
        return "never".to_owned();
    }
    let by_field = |a: &UseEntry, b: &UseEntry| a.place.field == b.place.field;
    let fields = uses.chunk_by(by_field).map(|of_field| {
        let field = of_field.first().map_or("", |first| &first.place.field);
        let listed = of_field.iter().take(MAX_PLACES).map(|used| &used.place);
        let more = match of_field.len().saturating_sub(MAX_PLACES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        place(located, field, listed) + &more
    });
    fields.collect::<Vec<_>>().join(", ")
}

/// Places in one field: `prompt_text 4:12, 9:3`. A file that is a template has no field.
fn place<'a>(
    located: &LocatedVariables,
    field: &str,
    places: impl IntoIterator<Item = &'a PlaceEntry>,
) -> String {
    let field = escape_terminal(field.trim_start_matches('/'));
    format!("{field} {}", positions(located, places)).trim_start().to_owned()
}

/// The lines and columns of places in one file, after its name if it is not that of the document.
fn positions<'a>(
    located: &LocatedVariables,
    places: impl IntoIterator<Item = &'a PlaceEntry>,
) -> String {
    let mut places = places.into_iter().peekable();
    let path = places.peek().and_then(|first| first.path.as_deref());
    let mut shown = match path.filter(|path| *path != located.path) {
        Some(path) => format!("{}:", escape_terminal(path)),
        None => String::new(),
    };
    let positions = places.filter_map(|place| place.span.from);
    let positions: Vec<_> = positions.map(|at| format!("{}:{}", at.line, at.column)).collect();
    shown.push_str(&positions.join(", "));
    shown
}
