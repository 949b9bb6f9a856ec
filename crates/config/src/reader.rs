//! The values of a configuration file with their places, and what is wrong with them.

use std::sync::Arc;

use serde_json::Value;
use voxlint::schema::{Shape, Table};
use voxlint::syntax::{Kind, LineIndex, Node, Paths, Span};
use voxlint::{Diagnostic, Document, Wildcard};

use crate::config_file::{LocatedName, Location, RawValues};
use crate::diagnostic::ConfigDiagnostic;
use crate::path::{folder, is_absolute};
use crate::pattern::{PatternId, PatternSet};
use crate::{SettingSource, Sourced};

/// A file that is being read.
pub(crate) struct ConfigReader<'d> {
    path: Arc<str>,
    folder: Arc<str>,
    document: &'d Document,
    lines: LineIndex,
    paths: Option<Paths>,
    patterns: &'d mut PatternSet,
    /// What the table of the keys has found.
    found: Vec<Diagnostic>,
    /// What is wrong beyond that.
    pub(crate) mistakes: Vec<Diagnostic>,
}

impl<'d> ConfigReader<'d> {
    pub(crate) fn new(
        path: &Arc<str>,
        document: &'d Document,
        found: Vec<Diagnostic>,
        patterns: &'d mut PatternSet,
    ) -> Self {
        Self {
            path: Arc::clone(path),
            folder: folder(path).into(),
            document,
            lines: LineIndex::new(document.text()),
            paths: None,
            patterns,
            found,
            mistakes: Vec::new(),
        }
    }

    /// Everything that is wrong with the file, in the order of the text.
    pub(crate) fn finish(self) -> Vec<Diagnostic> {
        let Self { mut found, mistakes, .. } = self;
        // What the table objects to is not also looked at for what it means.
        let echoes = |mistake: &Diagnostic| found.iter().any(|it| overlap(it.span, mistake.span));
        let mistakes: Vec<Diagnostic> =
            mistakes.into_iter().filter(|mistake| !echoes(mistake)).collect();
        found.extend(mistakes);
        found.sort_by(|a, b| (a.span, &a.rule.id).cmp(&(b.span, &b.rule.id)));
        found
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

    pub(crate) fn stated<T>(&self, node: Node<'_>, value: T) -> Sourced<T> {
        Sourced { value, source: self.source(node) }
    }

    /// What an entry says, key by key. One text that stands for a list of one is shown as that list.
    pub(crate) fn written(&self, entry: Node<'_>, table: &Table) -> RawValues {
        let rows = table.rows.iter();
        let written = rows.filter_map(|row| {
            let node = entry.get(row.name)?;
            let value = match value(node) {
                one @ Value::String(_) if matches!(row.shape, Shape::TextOrTexts) => {
                    Value::Array(vec![one])
                }
                value => value,
            };
            Some((row.name, self.stated(node, value)))
        });
        written.collect()
    }

    pub(crate) fn pointer(&mut self, node: Node<'_>) -> String {
        let tree = self.document.tree();
        self.paths.get_or_insert_with(|| tree.paths()).pointer(tree, node.id())
    }

    pub(crate) fn location(&mut self, node: Node<'_>) -> Location {
        Location { span: node.span(), field: self.pointer(node) }
    }

    pub(crate) fn mistake(&mut self, node: Node<'_>, mistake: ConfigDiagnostic) {
        let field = self.pointer(node);
        let told = mistake.told_of(field, node.span());
        self.mistakes.push(told);
    }

    /// Whether the table has found a fault within these characters.
    pub(crate) fn has_fault_in(&self, span: Span) -> bool {
        self.found.iter().any(|found| span.contains(found.span))
    }

    /// Takes back what has been said of a value.
    pub(crate) fn forgive(&mut self, node: Node<'_>) {
        let span = node.span();
        self.found.retain(|found| found.span != span);
    }

    /// The text of a string that can be trusted.
    pub(crate) fn text(&self, node: Node<'_>) -> Option<Sourced<String>> {
        let text = node.as_str().filter(|_| node.kind() == Kind::String && !node.is_faulty())?;
        Some(self.stated(node, text.into_owned()))
    }

    /// The texts of a list, or the one that stands for a list of one.
    pub(crate) fn texts(&self, node: Node<'d>) -> Vec<(Node<'d>, String)> {
        let one = (node.kind() == Kind::String).then_some(node);
        let all = one.into_iter().chain(node.elements());
        all.filter_map(|node| Some((node, self.text(node)?.value))).collect()
    }

    /// The texts of a list that has to say something.
    pub(crate) fn some_texts(
        &mut self,
        node: Node<'d>,
        nothing: &'static str,
        help: &'static str,
    ) -> Vec<(Node<'d>, String)> {
        if node.kind() == Kind::Array && node.elements().next().is_none() && !node.is_faulty() {
            self.mistake(node, ConfigDiagnostic::new(nothing).label("empty").help(help));
        }
        self.texts(node)
    }

    /// Patterns of files.
    pub(crate) fn patterns(&mut self, node: Node<'d>) -> Vec<PatternId> {
        let help = "write a pattern between the brackets, such as \"agents/*.json\"";
        let nothing = "the list of patterns is empty, and no file is meant";
        let texts = self.some_texts(node, nothing, help);
        self.each_pattern(texts)
    }

    /// Patterns of files, or none.
    pub(crate) fn patterns_or_none(&mut self, node: Node<'d>) -> Vec<PatternId> {
        let texts = self.texts(node);
        self.each_pattern(texts)
    }

    fn each_pattern(&mut self, texts: Vec<(Node<'d>, String)>) -> Vec<PatternId> {
        let mut ids = Vec::new();
        for (node, text) in texts {
            match self.patterns.add(&text, &self.folder, self.source(node)) {
                Ok(id) => ids.push(id),
                Err(error) => {
                    let mut mistake = ConfigDiagnostic::new(error.message).help(error.help);
                    if let Some(text) = node.text()
                        && let Some(range) = error.at
                    {
                        mistake = mistake.at(text.to_source(range));
                    }
                    self.mistake(node, mistake);
                }
            }
        }
        ids
    }

    /// The names of rules and groups.
    pub(crate) fn names(&mut self, node: Node<'d>) -> Vec<LocatedName> {
        let help = "name a rule between the brackets, such as \"out-of-range\"";
        let texts = self.some_texts(node, "the list of rules is empty", help);
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
                self.mistake(node, ConfigDiagnostic::new("the name is empty").help("remove it"));
            } else {
                wildcards.push(self.stated(node, Wildcard::new(text)));
            }
        }
        wildcards
    }

    /// A path of a file that lies where the configuration or the document does.
    pub(crate) fn path(&mut self, node: Node<'d>) -> Option<Sourced<String>> {
        let text = self.text(node)?;
        let part = |at: usize, length: usize| {
            node.text().map_or(node.span(), |text| text.to_source(at..at + length))
        };
        let path = text.value.as_str();
        let mistake = if path.is_empty() {
            ConfigDiagnostic::new("the path is empty").help("name a file, or remove the key")
        } else if let Some(at) = path.find('\\') {
            let message = "folders are separated by `/`, on every system";
            ConfigDiagnostic::new(message)
                .at(part(at, 1))
                .help("write `/` instead of the backslash")
        } else if is_absolute(path) {
            ConfigDiagnostic::new("an absolute path leads elsewhere on every machine")
                .help("write the path as it is from this folder")
        } else if path.ends_with('/') || matches!(path.rsplit('/').next(), Some("." | "..")) {
            ConfigDiagnostic::new("this is the path of a folder").help("name a file")
        } else {
            return Some(text);
        };
        self.mistake(node, mistake);
        None
    }

    /// A path from the folder of a document, in which `{stem}` stands for the name of the document's file.
    pub(crate) fn path_beside(&mut self, node: Node<'d>) -> Option<Sourced<String>> {
        let path = self.path(node)?;
        // What stands for the name is as long as what it takes the source of, so that offsets stay true.
        let rest = path.value.replace(STEM, "______");
        let Some(at) = rest.find(['{', '}']) else { return Some(path) };
        let length = rest.get(at..).and_then(|rest| rest.find('}')).map_or(1, |end| end + 1);
        let span = node.text().map_or(node.span(), |text| text.to_source(at..at + length));
        let mistake = ConfigDiagnostic::new("only `{stem}` is allowed in braces").at(span);
        let meant = rest.get(at..at + length).unwrap_or_default();
        let name = meant.trim_matches(['{', '}']);
        let is_near = ["name", "file", "basename"].contains(&name)
            || voxlint::suggest::nearest(name, ["stem"]).is_some();
        let help = if is_near {
            "did you mean `{stem}`?"
        } else {
            "`{stem}` is the name of the document's file, without its extension"
        };
        self.mistake(node, mistake.help(help));
        None
    }
}

/// What stands for the name of a document's file, without its extension.
pub(crate) const STEM: &str = "{stem}";

/// A value as JSON has it. What JSON has no form for, such as a date, is the text that was written.
fn value(node: Node<'_>) -> Value {
    match node.kind() {
        Kind::String => node.as_str().map_or(Value::Null, |text| Value::from(text.into_owned())),
        Kind::Array => node.elements().map(value).collect(),
        Kind::Bool => node.as_bool().into(),
        _ => {
            let written = node.source();
            let number = written.replace('_', "").parse::<u64>();
            number.map_or_else(|_| Value::from(written), Value::from)
        }
    }
}

fn overlap(one: Span, other: Span) -> bool {
    one == other || (one.start < other.end && other.start < one.end)
}
