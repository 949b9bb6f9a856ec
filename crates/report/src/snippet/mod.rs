//! The lines of a finding with carets and labels below the characters that it is about.
//!
//! A document may be a single line of megabytes, and may contain secrets and escape sequences: only a part of each line is
//! drawn, and only with characters that a terminal may show.

mod fix;
mod layout;
mod shown;
mod window;

use voxlint::{Diagnostic, Severity};

use crate::document::CheckedDocument;
use crate::escape::{escape_terminal, mask};
use crate::options::RenderOptions;
use crate::source_map::SourceMap;

pub(crate) use fix::FixPreview;
use layout::{Block, Label, blocks, visible_range};
use shown::{ShownFile, char_width, without_tabs};
pub(crate) use window::MaskedRanges;

/// Longer lists of findings of one rule in one document are cut.
pub(crate) const MAX_SNIPPETS_PER_RULE: usize = 50;

/// The number of related places that a snippet shows in each file.
pub(crate) const MAX_RELATED: usize = 8;

/// The minimum and maximum width of a line. Narrower lines show too little, and wider ones are hard to read.
const LINE_WIDTH: std::ops::RangeInclusive<usize> = 24..=400;

/// The drawn lines of a finding.
#[derive(Debug)]
pub(crate) struct Snippet {
    pub(crate) text: String,
    /// The columns left of the notes below it.
    pub(crate) indent: usize,
    /// The fix that would be applied first.
    pub(crate) fix: Option<FixPreview>,
}

/// Draws the snippets of one document.
pub(crate) struct SnippetRenderer<'a> {
    files: Vec<ShownFile<'a>>,
    options: &'a RenderOptions,
}

impl<'a> SnippetRenderer<'a> {
    pub(crate) fn new(
        sources: &'a SourceMap<'a>,
        checked: &CheckedDocument<'_>,
        options: &'a RenderOptions,
    ) -> Self {
        let files = sources.files().map(|source| {
            let text = &source.text;
            let margin = digits(text.file_line(text.line_count())) + 3;
            let width = options.width.saturating_sub(margin);
            ShownFile {
                source,
                path: escape_terminal(source.path),
                secrets: MaskedRanges::new(text, checked.secrets(source.origin)),
                width: width.clamp(*LINE_WIDTH.start(), *LINE_WIDTH.end()),
            }
        });
        Self { files: files.collect(), options }
    }

    /// Draws a finding: the file that it is about first, then the files that it refers to.
    pub(crate) fn render(&self, diagnostic: &Diagnostic) -> Snippet {
        let (own, others): (Vec<_>, Vec<_>) =
            self.files.iter().partition(|file| file.source.origin == diagnostic.origin);
        let mut drawn = Vec::new();
        for file in own.into_iter().chain(others) {
            let (origin, text) = (file.source.origin, &file.source.text);
            let primary = (diagnostic.origin == origin)
                .then(|| Label::new(text, diagnostic.span, diagnostic.label.as_deref(), true));
            let related = diagnostic.related.iter().filter(|related| related.origin == origin);
            let related = related
                .take(MAX_RELATED)
                .map(|related| Label::new(text, related.span, Some(&related.message), false));
            let labels = primary.into_iter().chain(related).collect();
            let blocks = blocks(text, labels, file.width);
            drawn.extend(blocks.into_iter().map(|block| (file, block)));
        }
        let last_line = |(file, block): &(&ShownFile<'_>, Block)| {
            file.source.text.file_line(block.lines(&file.source.text, file.width).1)
        };
        let number_width = drawn.iter().map(last_line).max().map_or(1, digits);
        let mut canvas = Canvas {
            out: String::new(),
            number_width,
            options: self.options,
            severity: diagnostic.severity,
        };
        for (index, (file, block)) in drawn.iter().enumerate() {
            canvas.block(file, block, if index == 0 { "╭─" } else { "├─" });
        }
        let fix = fix::preview(&self.files, self.options, diagnostic, number_width);
        Snippet { text: canvas.out, indent: number_width + 4, fix }
    }
}

fn digits(line: u64) -> usize {
    line.to_string().len()
}

/// The text of a snippet while it is drawn.
struct Canvas<'a> {
    out: String,
    /// The columns of the line numbers.
    number_width: usize,
    options: &'a RenderOptions,
    severity: Severity,
}

impl Canvas<'_> {
    fn block(&mut self, file: &ShownFile<'_>, block: &Block, border: &str) {
        let text = &file.source.text;
        let heading = block.0.iter().find(|label| label.is_primary).or(block.0.first());
        let position = text.position(heading.map_or(0, |label| label.start));
        let number = " ".repeat(self.number_width);
        self.row(
            &number,
            border,
            &format!("[{}:{}:{}]", file.path, position.line, position.column),
        );
        let (first, last) = block.lines(text, file.width);
        for line in first..=last {
            let labels: Vec<&Label> = block.0.iter().filter(|label| label.line == line).collect();
            self.line(file, line, &labels);
        }
    }

    /// Draws a line of the file, its carets and its labels.
    fn line(&mut self, file: &ShownFile<'_>, line: u32, labels: &[&Label]) {
        let text = &file.source.text;
        let range = visible_range(text, line, labels, file.width);
        let piece = text.text.get(range.bytes.clone()).unwrap_or_default();
        let masked = mask(piece, |offset| file.secrets.contains(range.bytes.start + offset));
        let shown = format!("{}{masked}{}", range.before, range.after);
        let number = format!("{:>1$}", text.file_line(line), self.number_width);
        self.row(&number, "│", &format!(" {}", without_tabs(&shown)));

        // Masked text has as many bytes as the original.
        let column = |offset: usize| {
            let offset = offset.clamp(range.bytes.start, range.bytes.end) - range.bytes.start;
            width(shown.get(..range.before.len() + offset).unwrap_or_default())
        };
        let Some(last) = labels.len().checked_sub(1) else { return };
        let mut carets = String::from(" ");
        let mut hanging: Vec<(usize, &str, &str)> = Vec::new();
        let mut end = 0;
        for (index, label) in labels.iter().enumerate() {
            let start = column(label.range.start).max(end);
            carets.extend(std::iter::repeat_n(' ', start - end));
            end = column(label.range.end).max(start + 1);
            let middle = usize::midpoint(start, end);
            let color = self.color(label);
            // A text that several labels share is shown at the last of them.
            let mut later = labels.iter().skip(index + 1);
            let text = label.text.as_deref().filter(|_| later.all(|it| it.text != label.text));
            // The last label is drawn beside its carets if it fits there.
            let is_beside = |text: &&str| index == last && end + 1 + width(text) <= file.width;
            let (beside, below) = (text.filter(is_beside), text.filter(|text| !is_beside(text)));
            let caret = |column| match column == middle {
                true if label.range.is_empty() => '▲',
                true if below.is_some() => '┬',
                _ => '─',
            };
            let mut drawn: String = (start..end).map(caret).collect();
            drawn.extend(beside.into_iter().flat_map(|text| [" ", text]));
            carets.push_str(&self.options.paint(color, &drawn));
            hanging.extend(below.map(|text| (middle, color, text)));
        }
        let number = " ".repeat(self.number_width);
        self.row(&number, "·", &carets);
        while let Some((column, color, text)) = hanging.pop() {
            let mut row = String::from(" ");
            let mut end = 0;
            for (column, color, _) in &hanging {
                row.extend(std::iter::repeat_n(' ', column - end));
                row.push_str(&self.options.paint(color, "│"));
                end = column + 1;
            }
            row.extend(std::iter::repeat_n(' ', column - end));
            row.push_str(&self.options.paint(color, &format!("╰── {text}")));
            self.row(&number, "·", &row);
        }
    }

    fn row(&mut self, number: &str, border: &str, text: &str) {
        self.out.push_str(&self.options.paint("2", &format!("{number} {border}")));
        self.out.push_str(text.trim_end());
        self.out.push('\n');
    }

    const fn color(&self, label: &Label) -> &'static str {
        match (self.severity, label.is_primary) {
            (Severity::Error, true) => "31",
            (Severity::Warning, true) => "33",
            (Severity::Info, false) => "1;35",
            _ => "36",
        }
    }
}

/// The columns of a text on a terminal.
fn width(text: &str) -> usize {
    text.chars().fold(0, |column, c| column + char_width(c, column))
}
