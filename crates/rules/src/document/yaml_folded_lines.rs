use voxlint_model::place::Part;

use super::yaml_comment_cuts_text::is_free_text;
use crate::prelude::*;

rule! {
    /// YAML joins the headings or list items of a text into one line.
    ///
    /// In a text after `>`, in quotes, or without quotes, YAML replaces a single line break by a space. Sentences may be wrapped
    /// that way. Headings, list items and table rows lose their lines: `# Rules` and the two items below it become
    /// `# Rules - Be kind. - Be brief.` A text after `|` keeps its lines.
    ///
    /// voxlint warns about a heading or a code fence that is joined with another line, and about two or more list items, table
    /// rows or quoted lines. Lines that are indented further keep their line breaks after `>`.
    ///
    /// ```yaml,advice
    /// version_number: 3
    /// prompt_text: >
    ///   # Rules
    ///   - Ask one question at a time.
    ///   - Confirm the date.
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "# Rules\n- Ask one question at a time.\n- Confirm the date." }
    /// ```
    "yaml-folded-lines": Document {
        group: Suspicious,
        basis: Inferred("The service never sees YAML, only the text after line breaks are replaced."),
        section: "1",
        fix: Unsafe("Writes `|` in place of `>`, so that the text keeps its lines."),
    }
}

fn check(document: &Document, kind: DocumentKind) -> Verdicts {
    if !document.format().is_yaml() || !kind.is_sent() {
        return Verdicts::none();
    }
    let texts = document.tree().nodes().filter(|node| {
        node.kind() == Kind::String && !node.is_faulty() && !node.source().starts_with('|')
    });
    texts.filter_map(check_text).collect()
}

fn check_text(node: Node<'_>) -> Option<Verdict> {
    let source = node.source();
    if !source.contains('\n') || !is_free_text(node) {
        return None;
    }
    let is_block = source.starts_with('>');
    let joined = joined_line(source, is_block)?;
    let start = node.span().start;
    let sign = Part::Bytes(Span::new(start, start + 1));
    let at = Place { part: sign, ..Place::of(Origin::Document, node) };
    let line = Span::new(start + joined.start as u32, start + joined.end as u32);
    let (what, help) = if is_block {
        ("after `>`, YAML", "write `|`, which keeps the line breaks")
    } else {
        ("YAML", "write the text after `|`, which keeps the line breaks")
    };
    let mut finding =
        Finding::new(at.clone(), format!("{what} joins the lines of this text into one"))
            .about_value(Place::of(Origin::Document, node))
            .label("replaces single line breaks by spaces")
            .also(Place::bytes(line), "joined with the line before it")
            .help(help);
    if is_block {
        let replacement = Replacement::Literal("|".to_owned());
        finding = finding.fix(ProposedFix::replace("write `|`", Safety::Unsafe, at, replacement));
    }
    Some(finding.advice())
}

/// What a line is by itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Line {
    /// A heading or a code fence: one that is joined with another line is no longer one.
    OwnPlan,
    /// A list item, a table row or a quoted line. One may be a dash in a sentence.
    Item,
    Prose,
}

impl Line {
    fn of(line: &str) -> Self {
        let after_digits = line.trim_start_matches(|it: char| it.is_ascii_digit());
        let is_numbered = after_digits.len() < line.len()
            && line.len() - after_digits.len() <= 2
            && (after_digits.starts_with(". ") || after_digits.starts_with(") "));
        let after_hashes = line.trim_start_matches('#');
        let is_heading =
            (1..=6).contains(&(line.len() - after_hashes.len())) && after_hashes.starts_with(' ');
        if is_heading || line.starts_with("```") {
            Self::OwnPlan
        } else if is_numbered
            || ["- ", "* ", "+ ", "• ", "– ", "| ", "> "].iter().any(|it| line.starts_with(it))
        {
            Self::Item
        } else {
            Self::Prose
        }
    }
}

/// The first line that loses its structure because YAML joins it with the one before it, if enough lines do.
fn joined_line(source: &str, is_block: bool) -> Option<std::ops::Range<usize>> {
    let mut at = 0;
    let lines = source.split_inclusive('\n').map(|line| {
        let start = at;
        at += line.len();
        let text = line.trim_end();
        (start, text, text.trim_start())
    });
    let lines: Vec<(usize, &str, &str)> = lines.skip(usize::from(is_block)).collect();
    let indent = |line: &(usize, &str, &str)| line.1.len() - line.2.len();
    let filled = || lines.iter().filter(|line| !line.2.is_empty());
    let base = filled().map(indent).min().unwrap_or_default();
    let mut first = None;
    let mut items = 0;
    for pair in lines.windows(2) {
        let [before, line] = pair else { continue };
        let is_kept = |line: &(usize, &str, &str)| {
            line.2.is_empty() || (is_block && indent(line) > base) || line.2.ends_with('\\')
        };
        if is_kept(before) || is_kept(line) {
            continue;
        }
        let kind = match (Line::of(before.2), Line::of(line.2)) {
            (Line::OwnPlan, _) | (_, Line::OwnPlan) => Line::OwnPlan,
            (_, kind) => kind,
        };
        if kind == Line::Prose {
            continue;
        }
        let start = line.0 + indent(line);
        let range = *first.get_or_insert((start, start + line.2.len()));
        items += 1;
        if kind == Line::OwnPlan || items > 1 {
            return Some(range.0..range.1);
        }
    }
    None
}
