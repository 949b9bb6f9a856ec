//! Reads values of a configuration file, with their locations and faults.

use std::sync::Arc;

use serde_json::Value;
use voxlint::schema::{Shape, Table};
use voxlint::syntax::file_path::{folder_of, is_absolute};
use voxlint::syntax::{Kind, LineIndex, Node, Pointers, Span};
use voxlint::{Diagnostic, Document, Wildcard};

use crate::config_file::{Expected, LocatedName, Location, RawValues};
use crate::diagnostic::ConfigDiagnostic;
use crate::limited::Limited;
use crate::pattern::{PatternId, PatternSet};
use crate::{SettingSource, Sourced};

/// A file that is being read.
pub(crate) struct ConfigReader<'d> {
    path: Arc<str>,
    folder: Arc<str>,
    document: &'d Document,
    lines: LineIndex,
    pointers: Option<Pointers>,
    patterns: &'d mut PatternSet,
    /// The faults that the table of keys has found.
    table_faults: Vec<Diagnostic>,
    /// All other faults.
    faults: Vec<Diagnostic>,
    limited: Vec<(Limited, Location)>,
}

impl<'d> ConfigReader<'d> {
    pub(crate) fn new(
        path: &Arc<str>,
        document: &'d Document,
        table_faults: Vec<Diagnostic>,
        patterns: &'d mut PatternSet,
    ) -> Self {
        Self {
            path: Arc::clone(path),
            folder: folder_of(path).into(),
            document,
            lines: LineIndex::new(document.text()),
            pointers: None,
            patterns,
            table_faults,
            faults: Vec::new(),
            limited: Vec::new(),
        }
    }

    /// All faults in the file, in the order of the text. A fault from the table hides the other faults of the same value.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        let Self { table_faults, mut faults, .. } = self;
        faults.retain(|fault| !table_faults.iter().any(|it| overlap(it.span, fault.span)));
        faults.extend(table_faults);
        faults.sort_by(|a, b| (a.span, &a.rule.id).cmp(&(b.span, &b.rule.id)));
        faults
    }

    pub(crate) fn root(&self) -> Option<Node<'d>> {
        self.document.tree().root().filter(|root| root.kind() == Kind::Object)
    }

    /// The folder of the file.
    pub(crate) fn folder(&self) -> &str {
        &self.folder
    }

    pub(crate) fn source(&self, node: Node<'_>) -> SettingSource {
        SettingSource::File {
            path: Arc::clone(&self.path),
            line: self.lines.line_of(node.span().start),
        }
    }

    pub(crate) fn sourced<T>(&self, node: Node<'_>, value: T) -> Sourced<T> {
        Sourced { value, source: self.source(node) }
    }

    /// The values of an entry as written. A text in place of a list is shown as a list.
    pub(crate) fn raw_values(&self, entry: Node<'_>, table: &Table) -> RawValues {
        let rows = table.rows.iter();
        let values = rows.filter_map(|row| {
            let node = entry.get(row.name)?;
            let value = match value(node) {
                one @ Value::String(_) if matches!(row.shape, Shape::TextOrTexts) => {
                    Value::Array(vec![one])
                }
                value => value,
            };
            Some((row.name, self.sourced(node, value)))
        });
        values.collect()
    }

    pub(crate) fn pointer(&mut self, node: Node<'_>) -> String {
        let tree = self.document.tree();
        self.pointers.get_or_insert_with(|| tree.pointers()).pointer(tree, node.id())
    }

    pub(crate) fn location(&mut self, node: Node<'_>) -> Location {
        Location { span: node.span(), field: self.pointer(node) }
    }

    /// Adds a fault of a value.
    pub(crate) fn report(&mut self, node: Node<'_>, fault: ConfigDiagnostic) {
        let field = self.pointer(node);
        self.faults.push(fault.into_diagnostic(field, node.span()));
    }

    /// Counts a value of which there can be only so many.
    pub(crate) fn limit(&mut self, limited: Limited, node: Node<'_>) {
        let location = self.location(node);
        self.limited.push((limited, location));
    }

    /// What [`Self::limit`] has counted.
    pub(crate) fn take_limited(&mut self) -> Vec<(Limited, Location)> {
        std::mem::take(&mut self.limited)
    }

    /// Whether the table of keys has found a fault in a span.
    pub(crate) fn has_fault_in(&self, span: Span) -> bool {
        self.table_faults.iter().any(|found| span.contains(found.span))
    }

    /// Removes the faults that the table of keys has found in a value.
    pub(crate) fn remove_fault(&mut self, node: Node<'_>) {
        let span = node.span();
        self.table_faults.retain(|found| found.span != span);
    }

    /// The text of a string without faults.
    pub(crate) fn text(&self, node: Node<'_>) -> Option<Sourced<String>> {
        let text = node.as_str().filter(|_| node.kind() == Kind::String && !node.is_faulty())?;
        Some(self.sourced(node, text.into_owned()))
    }

    /// The texts of a list, or a single text.
    pub(crate) fn texts(&self, node: Node<'d>) -> Vec<(Node<'d>, String)> {
        let one = (node.kind() == Kind::String).then_some(node);
        let all = one.into_iter().chain(node.elements());
        all.filter_map(|node| Some((node, self.text(node)?.value))).collect()
    }

    /// The texts of a list that must not be empty, or a single text.
    pub(crate) fn nonempty_texts(
        &mut self,
        node: Node<'d>,
        message: &'static str,
        help: &'static str,
    ) -> Vec<(Node<'d>, String)> {
        if node.kind() == Kind::Array && node.elements().next().is_none() && !node.is_faulty() {
            self.report(node, ConfigDiagnostic::new(message).label("empty").help(help));
        }
        self.texts(node)
    }

    /// File patterns, at least one.
    pub(crate) fn nonempty_patterns(&mut self, node: Node<'d>) -> Vec<PatternId> {
        let help = "write a pattern between the brackets, such as \"agents/*.json\"";
        let message = "the list of patterns is empty, so it matches no file";
        let texts = self.nonempty_texts(node, message, help);
        self.add_patterns(texts)
    }

    /// Numbers of documents, and file patterns.
    pub(crate) fn expected(&mut self, node: Node<'d>) -> Vec<Expected> {
        let count = |text: &str| text.replace('_', "").parse().ok().map(Expected::Documents);
        if node.kind() == Kind::Number {
            return count(node.source()).into_iter().collect();
        }
        let help = "write a number, or a pattern such as \"agents/*.json\"";
        let texts = self.nonempty_texts(node, "the list is empty, so nothing is expected", help);
        let mut expected = Vec::new();
        for (node, text) in texts {
            let files = |reader: &mut Self| reader.add_patterns(vec![(node, text.clone())]);
            match count(&text) {
                Some(count) => expected.push(count),
                None => expected.extend(files(self).into_iter().map(Expected::Files)),
            }
        }
        expected
    }

    /// File patterns.
    pub(crate) fn patterns(&mut self, node: Node<'d>) -> Vec<PatternId> {
        let texts = self.texts(node);
        self.add_patterns(texts)
    }

    fn add_patterns(&mut self, texts: Vec<(Node<'d>, String)>) -> Vec<PatternId> {
        let mut ids = Vec::new();
        for (node, text) in texts {
            match self.patterns.add(&text, &self.folder, self.source(node)) {
                Ok(id) => {
                    if self.patterns.get(id).is_some_and(|pattern| !pattern.is_literal()) {
                        self.limit(Limited::Patterns, node);
                    }
                    ids.push(id);
                }
                Err(error) => {
                    let mut fault = ConfigDiagnostic::new(error.message).help(error.help);
                    if let Some(text) = node.text()
                        && let Some(range) = error.at
                    {
                        fault = fault.at(text.to_source(range));
                    }
                    self.report(node, fault);
                }
            }
        }
        ids
    }

    /// The names of rules and groups.
    pub(crate) fn names(&mut self, node: Node<'d>) -> Vec<LocatedName> {
        let help = "write the name of a rule between the brackets, such as \"out-of-range\"";
        let texts = self.nonempty_texts(node, "the list of rules is empty", help);
        texts
            .into_iter()
            .map(|(node, name)| LocatedName { name, location: self.location(node) })
            .collect()
    }

    /// Names in which `*` stands for any characters.
    pub(crate) fn wildcards(&mut self, node: Node<'d>) -> Vec<Sourced<Wildcard>> {
        let mut wildcards = Vec::new();
        for (node, text) in self.texts(node) {
            if text.is_empty() {
                self.report(node, ConfigDiagnostic::new("the name is empty").help("remove it"));
            } else {
                if text.matches('*').count() > 1 {
                    self.limit(Limited::Names, node);
                }
                wildcards.push(self.sourced(node, Wildcard::new(text)));
            }
        }
        wildcards
    }

    /// The path of a file, relative to the folder of the configuration or of a document.
    pub(crate) fn path(&mut self, node: Node<'d>) -> Option<Sourced<String>> {
        let text = self.text(node)?;
        let part = |at: usize, length: usize| {
            node.text().map_or(node.span(), |text| text.to_source(at..at + length))
        };
        let path = text.value.as_str();
        let fault = if path.is_empty() {
            ConfigDiagnostic::new("the path is empty").help("name a file, or remove the key")
        } else if let Some(at) = path.find('\\') {
            let message = "paths use `/` between folders on every system";
            ConfigDiagnostic::new(message)
                .at(part(at, 1))
                .help("write `/` instead of the backslash")
        } else if is_absolute(path) {
            ConfigDiagnostic::new(
                "absolute paths are not supported, because they differ between machines",
            )
            .help("write a path relative to this folder")
        } else if path.ends_with('/') || matches!(path.rsplit('/').next(), Some("." | "..")) {
            ConfigDiagnostic::new("this path is a folder").help("name a file")
        } else {
            return Some(text);
        };
        self.report(node, fault);
        None
    }

    /// A path relative to the folder of a document. `{stem}` in it is the name of the document's file.
    pub(crate) fn path_beside(&mut self, node: Node<'d>) -> Option<Sourced<String>> {
        let path = self.path(node)?;
        // The replacement has the length of `{stem}`, so offsets stay valid.
        let rest = path.value.replace(STEM, "______");
        let Some(at) = rest.find(['{', '}']) else { return Some(path) };
        let length = rest.get(at..).and_then(|rest| rest.find('}')).map_or(1, |end| end + 1);
        let span = node.text().map_or(node.span(), |text| text.to_source(at..at + length));
        let fault = ConfigDiagnostic::new("only `{stem}` is allowed in braces").at(span);
        let braced = rest.get(at..at + length).unwrap_or_default();
        let name = braced.trim_matches(['{', '}']);
        let is_near = ["name", "file", "basename"].contains(&name)
            || voxlint::suggest::nearest(name, ["stem"]).is_some();
        let help = if is_near {
            "did you mean `{stem}`?"
        } else {
            "`{stem}` is the name of the document's file, without its extension"
        };
        self.report(node, fault.help(help));
        None
    }
}

/// The placeholder for the name of a document's file without its extension.
pub const STEM: &str = "{stem}";

/// A value as JSON. A value that JSON does not have, such as a date, becomes its source text.
fn value(node: Node<'_>) -> Value {
    match node.kind() {
        Kind::String => node.as_str().map_or(Value::Null, |text| Value::from(text.into_owned())),
        Kind::Array => node.elements().map(value).collect(),
        Kind::Bool => node.as_bool().into(),
        _ => {
            let source = node.source();
            let number = source.replace('_', "").parse::<u64>();
            number.map_or_else(|_| Value::from(source), Value::from)
        }
    }
}

fn overlap(one: Span, other: Span) -> bool {
    one == other || (one.start < other.end && other.start < one.end)
}
