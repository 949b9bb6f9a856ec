//! Comments that suppress findings, in the formats that have comments.

use std::cell::OnceCell;
use std::collections::HashMap;

use voxlint_syntax::{Format, LineIndex, Span, Trivia};
use voxlint_template::{NodeKind, TemplateSpan};

use crate::Document;
use crate::secret::{mask_spans, mask_text};
use crate::suggest::nearest;

/// A word of a comment, with its place.
type Word = (String, Span);

/// The start of a suppression comment.
const KEYWORD: &str = "voxlint-ignore";

/// The spellings of the beginning of the keyword that are searched for. [`look_alike`] compares the rest.
const BEGINNINGS: [&str; 3] = ["vox", "Vox", "VOX"];

/// What people write in place of `ignore`.
const VERBS: [&str; 7] = ["ignore", "disable", "suppress", "skip", "allow", "off", "noqa"];

/// What other tools write before the name of a program.
const LEADS: [&str; 6] = ["@", "noqa", "nolint", "ignore:", "disable:", "suppress:"];

/// The start of comments that a template does not have: they are part of its text.
const NO_COMMENTS: [&str; 3] = ["<!--", "//", "#"];

/// The suffix for a comment that covers the whole file.
const WHOLE_FILE: &str = "-file";

/// The word before the last day of a suppression.
const UNTIL: &str = "until";

/// How many bytes of a comment are compared with other spellings of the keyword.
const MAX_KEYWORD: usize = 200;

/// How many comments can begin inside the line of another comment. All of them end where the line ends, so without a limit
/// they would be much longer together than the text.
const MAX_NESTED: u32 = 100;

/// A comment that suppresses findings: `voxlint-ignore out-of-range until 2027-01-31: raised for us`.
///
/// After a value it covers what begins on its line, and on a line of its own what begins on the next line, with the whole
/// value of a field or an item. `voxlint-ignore-file` covers the whole document.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SuppressionComment {
    /// The characters from the keyword to the end of the comment.
    pub span: Span,
    /// The rules as written, with their places.
    pub rules: Vec<(String, Span)>,
    /// The last day of the suppression as written, with its place.
    pub until: Option<(String, Span)>,
    /// Why the findings are suppressed, with secrets masked. Empty if the comment does not say.
    pub reason: String,
    /// Findings that begin here are suppressed.
    pub covers: Span,
    /// Whether it covers all findings for the document, also those in related files.
    pub is_of_file: bool,
    /// Whether it only resembles a suppression, as `voxlint-ignore-line` and `voxlint: disable` do.
    pub is_misspelled: bool,
}

impl SuppressionComment {
    /// The same comment of a text without the secrets at these places: its own words may not tell that they are secret.
    #[must_use]
    pub fn masked(mut self, text: &str, secrets: &[Span]) -> Self {
        let shown = |span: Span| {
            let inside = secrets.iter().filter(|it| it.start < span.end && it.end > span.start);
            let inside: Vec<Span> = inside
                .map(|it| {
                    let start = it.start.max(span.start) - span.start;
                    Span::new(start, it.end.min(span.end) - span.start)
                })
                .collect();
            (!inside.is_empty()).then(|| mask_spans(span.slice(text), &inside).into_owned())
        };
        for (name, span) in self.rules.iter_mut().chain(&mut self.until) {
            if let Some(shown) = shown(*span) {
                *name = shown;
            }
        }
        if !self.reason.is_empty()
            && let Some(colon) = self.span.slice(text).find(':')
            && let Some(shown) = shown(Span::new(self.span.start + colon as u32 + 1, self.span.end))
        {
            shown.trim().clone_into(&mut self.reason);
        }
        self
    }
}

impl Document {
    /// The comments of the document that suppress findings, in the order of the text. JSON has no comments. In a template only
    /// Handlebars comments count. After a syntax error in the template there are none.
    ///
    /// ```
    /// use voxlint::Document;
    /// use voxlint::syntax::Format;
    ///
    /// let text = "version_number: 3\nkb_max_chunks: 12 # voxlint-ignore out-of-range: raised for us\n";
    /// let document = Document::parse_as(text, Format::Yaml);
    /// let comments = document.suppression_comments();
    /// assert_eq!(comments[0].rules[0].0, "out-of-range");
    /// assert_eq!(comments[0].reason, "raised for us");
    /// ```
    pub fn suppression_comments(&self) -> Vec<SuppressionComment> {
        if self.format() == Format::Json {
            return Vec::new();
        }
        let extent = self.extent();
        let text = extent.slice(self.text());
        let places = BEGINNINGS.into_iter().flat_map(|beginning| text.match_indices(beginning));
        let mut starts: Vec<u32> = places
            .filter(|(at, _)| text.get(*at..).and_then(look_alike).is_some())
            .map(|(at, _)| extent.start + at as u32)
            .collect();
        starts.sort_unstable();
        if starts.is_empty() {
            return Vec::new();
        }
        let mut reader = Reader::of(self, text);
        starts.into_iter().filter_map(|at| reader.comment(at)).collect()
    }
}

/// A document, prepared for reading its comments.
struct Reader<'d> {
    text: &'d str,
    format: Format,
    extent: Span,
    lines: LineIndex,
    /// All comments of the text.
    trivia: Trivia,
    /// The fields and items, in the order of the text.
    entries: Vec<Span>,
    /// The end of the last line of a comment, and how many comments have begun inside that line since its beginning.
    last_line: (u32, u32),
    /// For each line, the next line with more than a comment, computed on first use.
    next_lines: OnceCell<Vec<u32>>,
    /// What begins on a line, by line, computed on first use.
    begun: HashMap<u32, Span>,
}

impl<'d> Reader<'d> {
    fn of(document: &'d Document, extent: &str) -> Self {
        let text = document.tree().text();
        let trivia = if document.format() == Format::Text {
            let parsed = voxlint_template::parse(extent);
            let nodes = parsed.tree.nodes().filter(|node| node.kind() == NodeKind::Comment);
            let start = document.extent().start;
            let place = |span: TemplateSpan| Span::new(start + span.start, start + span.end);
            Trivia::of_comments(nodes.map(|node| place(node.span())).collect())
        } else {
            Trivia::of(std::slice::from_ref(document.tree()), document.format())
        };
        let mut entries = Vec::new();
        for node in document.tree().nodes() {
            entries.extend(node.members().map(voxlint_syntax::Member::span));
            entries.extend(node.elements().map(voxlint_syntax::Node::span));
        }
        entries.sort_unstable();
        Self {
            text,
            format: document.format(),
            extent: document.extent(),
            lines: LineIndex::new(text),
            trivia,
            entries,
            last_line: (0, 0),
            next_lines: OnceCell::new(),
            begun: HashMap::new(),
        }
    }

    fn comment(&mut self, at: u32) -> Option<SuppressionComment> {
        let around = self.trivia.around(at);
        // In a template, anything else is text.
        let start = match around {
            Some(comment) => comment.start,
            None if self.format == Format::Text => self.extent.start,
            None => return None,
        };
        let before = Span::new(start, at).slice(self.text);
        let look_alike = look_alike(Span::new(at, self.extent.end).slice(self.text))?;
        let without_lead = LEADS.into_iter().find_map(|lead| strip_suffix(before, lead));
        let is_exact = look_alike.is_exact && without_lead.is_none();
        let before = without_lead.unwrap_or(before);
        if look_alike.needs_lead && without_lead.is_none() {
            return None;
        }
        if self.format == Format::Text
            && let Some(above) =
                NO_COMMENTS.iter().find_map(|it| before.trim_end().strip_suffix(it))
            && above.rsplit(['\n', '\r']).next().is_none_or(|before| before.trim().is_empty())
        {
            return Some(self.resembling(at, &look_alike));
        }
        let comment = around?;
        let before = before.trim_end();
        let marker = markers(self.format).iter().find(|marker| before.ends_with(**marker))?;
        // A comment of a template begins with its own sign, and in other formats a comment may begin inside one.
        let opening = start + (before.len() - marker.len()) as u32;
        if self.format == Format::Text && opening != start || !self.is_read(opening) {
            return None;
        }
        if !is_exact {
            return Some(self.resembling(at, &look_alike));
        }
        let inner = Span::new(at, comment.end).slice(self.text);
        let inner = match *marker {
            "//" | "#" => inner,
            "/*" => inner.strip_suffix("*/").unwrap_or(inner),
            _ => {
                let inner = inner.trim_end_matches(['}', '~']);
                inner.strip_suffix("--").unwrap_or(inner)
            }
        };
        let line = first_line(inner);
        self.last_line.0 = self.last_line.0.max(at + line.len() as u32);
        let written = line.trim_end();
        let rest = written.strip_prefix(KEYWORD)?;
        let is_of_file = rest.starts_with(WHOLE_FILE);
        let rest = rest.strip_prefix(WHOLE_FILE).unwrap_or(rest);
        let covers = if is_of_file {
            self.extent
        } else {
            let line = self.lines.line_of(opening);
            let after = Span::new(comment.end, self.extent.end).slice(self.text);
            if self.begins_line(opening) && first_line(after).trim().is_empty() {
                let next = self.next_line(self.lines.line_of(comment.end));
                self.beginning_on(next)
            } else {
                self.beginning_on(line)
            }
        };
        let (head, reason) = rest.split_once(':').unwrap_or((rest, ""));
        let head_at = at + (written.len() - rest.len()) as u32;
        let (rules, until) = named(head, head_at);
        Some(SuppressionComment {
            span: Span::new(at, at + written.len() as u32),
            rules,
            until,
            reason: mask_text(reason.trim()).into_owned(),
            covers,
            is_of_file,
            is_misspelled: rest.starts_with(|c: char| !c.is_whitespace() && c != ':'),
        })
    }

    /// A comment that suppresses nothing, although it was meant to.
    fn resembling(&mut self, at: u32, look_alike: &LookAlike<'_>) -> SuppressionComment {
        let behind = first_line(Span::new(at, self.extent.end).slice(self.text));
        self.last_line.0 = self.last_line.0.max(at + behind.len() as u32);
        let end = ["*/", "--", "}}"].iter().filter_map(|end| behind.find(end)).min();
        let comment = behind.get(..end.unwrap_or(behind.len())).unwrap_or(behind).trim_end();
        let head_at = at + look_alike.keyword.len() as u32;
        let head = comment.get(look_alike.keyword.len()..).unwrap_or_default();
        let names = head.trim_start_matches([':', ' ', '\t']).split(':').next().unwrap_or_default();
        let (mut rules, _) = named(names, head_at);
        for (name, _) in &mut rules {
            *name = name.trim_matches(|it: char| !it.is_ascii_alphanumeric()).to_ascii_lowercase();
        }
        rules.retain(|(name, _)| !name.is_empty());
        let span = Span::new(at, at + comment.len() as u32);
        SuppressionComment {
            span,
            rules,
            until: None,
            reason: String::new(),
            covers: span,
            is_of_file: look_alike.keyword.to_ascii_lowercase().ends_with(WHOLE_FILE),
            is_misspelled: true,
        }
    }

    /// Whether a comment is not beyond the limit of those that begin inside the line of another.
    fn is_read(&mut self, opening: u32) -> bool {
        let (end, nested) = &mut self.last_line;
        *nested = if opening < *end { *nested + 1 } else { 0 };
        *nested <= MAX_NESTED
    }

    /// Whether only white space is before an offset on its line.
    fn begins_line(&self, offset: u32) -> bool {
        let line = self.lines.line_span(self.text, self.lines.line_of(offset));
        line.is_some_and(|line| content_of(line, self.text).0 >= offset)
    }

    /// The next line with more than a comment.
    fn next_line(&self, line: u32) -> u32 {
        let next_lines = self.next_lines.get_or_init(|| {
            let mut next_lines = Vec::new();
            let mut next = None;
            // From the last line to the first.
            for line in (1..=self.lines.line_count()).rev() {
                next_lines.push(next.unwrap_or(line));
                if self.has_content(line) {
                    next = Some(line);
                }
            }
            next_lines
        });
        let from_the_end = self.lines.line_count().checked_sub(line);
        let next = from_the_end.and_then(|index| next_lines.get(index as usize));
        next.copied().unwrap_or(line)
    }

    /// Whether a line has more than a comment.
    fn has_content(&self, line: u32) -> bool {
        let line = self.lines.line_span(self.text, line).unwrap_or_default();
        let (start, content) = content_of(line, self.text);
        !content.is_empty() && self.trivia.around(start).is_none()
    }

    /// A line, and the values of the fields and items that begin on it.
    fn beginning_on(&mut self, line: u32) -> Span {
        if let Some(begun) = self.begun.get(&line) {
            return *begun;
        }
        let begun = self.begun_on(line);
        self.begun.insert(line, begun);
        begun
    }

    fn begun_on(&self, line: u32) -> Span {
        let line = self.lines.line_span(self.text, line).unwrap_or_default();
        let first = self.entries.partition_point(|entry| entry.start < line.start);
        let entries = self.entries.iter().skip(first);
        let begun = entries.take_while(|entry| entry.start < line.end);
        begun.fold(line, |covers, entry| covers.cover(*entry))
    }
}

/// The beginning of a suppression comment, or of what resembles one.
struct LookAlike<'t> {
    keyword: &'t str,
    is_exact: bool,
    /// Whether only a word before the name shows what is meant, as in `noqa: voxlint`.
    needs_lead: bool,
}

/// The beginning of a suppression comment at the beginning of a text, in any spelling.
fn look_alike(text: &str) -> Option<LookAlike<'_>> {
    // A line may contain the name many times, so only its beginning is compared.
    let length = text.len().min(MAX_KEYWORD);
    let text = (0..4).find_map(|less| text.get(..length.saturating_sub(less)))?;
    let line = first_line(text);
    if line.starts_with(KEYWORD) {
        return Some(LookAlike { keyword: KEYWORD, is_exact: true, needs_lead: false });
    }
    let rest = strip_prefix(line, "vox")?.trim_start_matches(['-', '_']);
    let rest = strip_prefix(rest, "lint")?;
    let verb = rest.trim_start_matches([' ', '\t', ':', '-', '_', '.', '=', '(']);
    let separator = rest.strip_suffix(verb).unwrap_or_default();
    let length = verb.find(|it: char| !it.is_ascii_alphabetic()).unwrap_or(verb.len());
    let (word, behind) = verb.split_at_checked(length)?;
    let word = word.to_ascii_lowercase();
    let suffix = behind.find(|it: char| !it.is_ascii_alphanumeric() && !"-_".contains(it));
    let behind = behind.get(suffix.unwrap_or(behind.len())..).unwrap_or_default();
    let is_verb = VERBS.contains(&&*word)
        || (matches!(separator, "-" | "_") && nearest(&word, ["ignore"]).is_some());
    // "voxlint ignore files with this name" is a sentence, and `voxlint ignore out-of-range` is not.
    let first = behind.trim_start().split([' ', '\t']).next().unwrap_or_default();
    let names_a_rule = first.is_empty() || first.contains(['-', ':', '[', '*']);
    let is_command = matches!(&*word, "ignore" | "disable" | "suppress") && names_a_rule;
    let is_sentence = separator.trim().is_empty() && !is_command;
    let needs_lead = !is_verb || is_sentence;
    let keyword = line.get(..line.len() - if needs_lead { rest.len() } else { behind.len() })?;
    Some(LookAlike { keyword, is_exact: false, needs_lead })
}

/// A text without a prefix in any case.
fn strip_prefix<'t>(text: &'t str, prefix: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(prefix.len())?;
    start.eq_ignore_ascii_case(prefix).then_some(rest)
}

/// A text without a suffix in any case, and without the colon and the spaces behind it.
fn strip_suffix<'t>(text: &'t str, suffix: &str) -> Option<&'t str> {
    let text = text.trim_end_matches([' ', '\t']);
    let text = if suffix.ends_with(':') { text } else { text.trim_end_matches(':') };
    let (rest, end) = text.split_at_checked(text.len().checked_sub(suffix.len())?)?;
    end.eq_ignore_ascii_case(suffix).then_some(rest)
}

/// What is written on a line, and where it begins. A byte order mark is not content.
fn content_of(line: Span, text: &str) -> (u32, &str) {
    let written = line.slice(text);
    let content = written.strip_prefix('\u{feff}').unwrap_or(written).trim_start();
    (line.end - content.len() as u32, content)
}

/// The text up to the first line break, which may be a carriage return alone.
fn first_line(text: &str) -> &str {
    text.split(['\n', '\r']).next().unwrap_or(text)
}

/// The signs that begin a format's comments.
fn markers(format: Format) -> &'static [&'static str] {
    match format {
        Format::Jsonc => &["//", "/*"],
        Format::Text => &["{{!--", "{{~!--", "{{!", "{{~!"],
        _ => &["#"],
    }
}

/// The names before the colon, and the day after `until`.
fn named(head: &str, at: u32) -> (Vec<Word>, Option<Word>) {
    let is_between = |c: char| c == ',' || c.is_whitespace();
    let mut rules = Vec::new();
    let mut until = None;
    let mut is_day = false;
    let mut offset = 0;
    for word in head.split(is_between) {
        let span = Span::new(at + offset as u32, at + (offset + word.len()) as u32);
        // Words are separated by one character.
        let behind = head.get(offset + word.len()..).and_then(|rest| rest.chars().next());
        offset += word.len() + behind.map_or(0, char::len_utf8);
        match word {
            "" => {}
            UNTIL => is_day = true,
            day if is_day => {
                until = Some((day.to_owned(), span));
                is_day = false;
            }
            rule => rules.push((rule.to_owned(), span)),
        }
    }
    if is_day {
        // The day is missing.
        until = Some((String::new(), Span::new(at, at + head.trim_end().len() as u32)));
    }
    (rules, until)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    /// What each comment covers.
    fn covered(text: &str, format: Format) -> Vec<String> {
        let document = Document::parse_as(text, format);
        let comments = document.suppression_comments();
        comments.iter().map(|it| it.covers.slice(text).to_owned()).collect()
    }

    #[test]
    fn a_comment_covers_what_begins_on_its_line_or_on_the_next() {
        let behind = "a: 1\nb: # voxlint-ignore x: y\n  c: 2\nd: 3\n";
        assert_eq!(covered(behind, Format::Yaml), ["b: # voxlint-ignore x: y\n  c: 2"]);
        let above = "a: 1\n\n# voxlint-ignore x: y\n# more\n\nb: |\n  one\n  two\nc: 3\n";
        assert_eq!(covered(above, Format::Yaml).len(), 1);
        assert!(covered(above, Format::Yaml)[0].starts_with("b: |\n  one\n  two"));
        assert_eq!(covered("# voxlint-ignore x: y\na = 1\nb = 2\n", Format::Toml), ["a = 1"]);
        let marked = "\u{feff}# voxlint-ignore x: y\na = 1\nb = 2\n";
        assert_eq!(covered(marked, Format::Toml), ["a = 1"]);
        let jsonc =
            "{ // voxlint-ignore x: y\n  /* voxlint-ignore x: y */ \"a\": [\n 1 ],\n \"b\": 2 }";
        assert_eq!(
            covered(jsonc, Format::Jsonc),
            ["{ // voxlint-ignore x: y", "  /* voxlint-ignore x: y */ \"a\": [\n 1 ]"]
        );
        let header = "a: | # voxlint-ignore x: y\n  text\nb: 1\n";
        assert_eq!(covered(header, Format::Yaml).len(), 1);
        assert!(covered(header, Format::Yaml)[0].ends_with("  text"));
        let lines = "{\n  /*\n   voxlint-ignore x: y\n  */\n  \"a\": 1,\n  \"b\": 2\n}";
        assert_eq!(covered(lines, Format::Jsonc), ["  \"a\": 1,"]);
        let file = "a: 1\n# voxlint-ignore-file x: y\n";
        assert_eq!(covered(file, Format::Yaml), [file]);
    }

    #[test]
    fn templates_have_comments_of_their_own() {
        let text =
            "{{!-- voxlint-ignore x: y --}}\nHello {{a}}\n{{b}} {{! voxlint-ignore x: y }}\n";
        assert_eq!(
            covered(text, Format::Text),
            ["Hello {{a}}", "{{b}} {{! voxlint-ignore x: y }}"]
        );
    }

    #[test]
    fn text_in_a_value_is_not_a_comment() {
        assert_eq!(covered("a: '# voxlint-ignore x: y'\n", Format::Yaml), [""; 0]);
        assert_eq!(covered("a: |\n  # voxlint-ignore x: y\n", Format::Yaml), [""; 0]);
        assert_eq!(covered("{ \"a\": \"// voxlint-ignore x: y\" }", Format::Jsonc), [""; 0]);
        assert_eq!(covered("see voxlint-ignore x: y", Format::Text), [""; 0]);
        assert_eq!(covered("{ // voxlint-ignore x: y\n}", Format::Json), [""; 0]);
    }

    #[test]
    fn prompt_text_is_not_a_comment() {
        for text in [
            // An escaped tag.
            "\\{{! voxlint-ignore-file x: y }} Hello",
            "\\{{!-- voxlint-ignore-file x: y --}} Hello",
            // A backslash escapes the first tag and lets the text go on.
            "\\{{a}}{{b}} \\{{! voxlint-ignore-file x: y }}",
            // A raw block.
            "{{{{raw}}}}{{! voxlint-ignore-file x: y }}{{{{/raw}}}}",
            "{{{{raw}}}}\n{{!-- voxlint-ignore-file x: y --}}\n{{{{/raw}}}}",
            // A string and a segment literal.
            "{{lookup a \"{{! voxlint-ignore-file x: y }}\"}}",
            "{{lookup a '{{!-- voxlint-ignore-file x: y --}}'}}",
            "{{[{{! voxlint-ignore-file x: y }}]}}",
            "{{#if [{{! voxlint-ignore x: y }}]}}Hello{{/if}}",
            "{{> card title=\"{{~! voxlint-ignore-file x: y }}\"}}",
            // A comment that only mentions such a comment.
            "{{!-- write {{! voxlint-ignore-file x: y }} here --}}",
            // After a syntax error nothing is known to be a comment.
            "{{name} {{! voxlint-ignore-file x: y }}",
        ] {
            assert_eq!(covered(text, Format::Text), [""; 0], "{text}");
        }
        for text in [
            "{{! voxlint-ignore-file x: y }} Hello",
            "{{~! voxlint-ignore-file x: y ~}} Hello",
            "\\\\{{! voxlint-ignore-file x: y }} Hello",
            "\\{{a}} {{! voxlint-ignore-file x: y }}",
            "{{#if a}}{{! voxlint-ignore-file x: y }}{{/if}}",
            "{{! voxlint-ignore-file x: y }} {{name}",
        ] {
            assert_eq!(covered(text, Format::Text), [text], "{text}");
        }
    }

    #[test]
    fn each_part_has_its_place() {
        let text = "a: 1 # voxlint-ignore one, two until 2027-01-31: because: of it \n";
        let source = Source::from(text);
        let [comment] = &Document::parse_as(source, Format::Yaml).suppression_comments()[..] else {
            panic!("one comment")
        };
        let shown = |(name, span): &(String, Span)| {
            assert_eq!(span.slice(text), name);
            name.clone()
        };
        assert_eq!(comment.rules.iter().map(shown).collect::<Vec<_>>(), ["one", "two"]);
        assert_eq!(comment.until.as_ref().map(shown).as_deref(), Some("2027-01-31"));
        assert_eq!(comment.reason, "because: of it");
        assert_eq!(
            comment.span.slice(text),
            "voxlint-ignore one, two until 2027-01-31: because: of it"
        );
    }

    #[test]
    fn comments_that_resemble_a_suppression_are_told_from_sentences() {
        let found = |comment: &str, format: Format| {
            let text = match format {
                Format::Jsonc => format!("{{ \"a\": 1 // {comment}\n}}"),
                Format::Text => format!("Hello {{{{! {comment} }}}}\n"),
                Format::Toml => format!("a = 1 # {comment}\n"),
                _ => format!("a: 1 # {comment}\n"),
            };
            Document::parse_as(&*text, format).suppression_comments()
        };
        for comment in [
            "voxlint: ignore out-of-range",
            "voxlint:ignore out-of-range: raised",
            "voxlint ignore out-of-range",
            "voxlint_ignore out-of-range: raised",
            "voxlint-disable out-of-range",
            "voxlint-disable-next-line out-of-range -- raised",
            "voxlint: disable=out-of-range",
            "voxlint-ingore out-of-range: raised",
            "VOXLINT-IGNORE out-of-range: raised",
            "VoxLint-Ignore out-of-range: raised",
            "vox-lint-ignore out-of-range: raised",
            "voxlint-ignore[out-of-range]: raised",
            "@voxlint-ignore out-of-range: raised",
            "noqa: voxlint",
            "noqa: voxlint(out-of-range)",
            "nolint:voxlint",
            "disable: voxlint out-of-range",
            "voxlint: off",
        ] {
            for format in [Format::Yaml, Format::Toml, Format::Jsonc, Format::Text] {
                let comments = found(comment, format);
                assert!(matches!(&comments[..], [it] if it.is_misspelled), "{comment} {format:?}");
                let names: Vec<&str> = comments[0].rules.iter().map(|(name, _)| &**name).collect();
                let has_rule = comment.contains("range");
                let names_rule = names.iter().any(|name| name.contains("out-of-range"));
                assert_eq!(names_rule, has_rule, "{comment}: {names:?}");
            }
        }
        for comment in [
            "see voxlint.toml",
            "voxlint ignores this file",
            "voxlint ignore files are not read",
            "voxlint: 60 is allowed",
            "voxlint skips it",
            "checked by voxlint-cli",
            "we disable voxlint for drafts",
        ] {
            for format in [Format::Yaml, Format::Toml, Format::Jsonc, Format::Text] {
                assert_eq!(found(comment, format), [], "{comment}");
            }
        }
        // A template has one syntax of comments. Others are part of the text.
        for text in ["<!-- voxlint-ignore x: y -->\n", "Hi\n# voxlint-ignore x: y\n"] {
            let comments = Document::parse_as(text, Format::Text).suppression_comments();
            assert!(matches!(&comments[..], [it] if it.is_misspelled), "{text}");
        }
    }
}
