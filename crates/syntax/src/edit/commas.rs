//! Members and items between brackets, with commas between them, as in JSON, in flow collections of YAML and in inline tables
//! and arrays of TOML.

use std::ops::Range;
use std::rc::Rc;

use super::{TextEdit, lines};
use crate::{Kind, Node, Span, Trivia};

/// The contents of a pair of brackets.
#[derive(Debug)]
pub(super) struct List<'a> {
    text: &'a str,
    /// After the opening bracket.
    open: usize,
    /// Before the closing bracket.
    close: usize,
    items: Vec<Range<usize>>,
    /// What is before each item, and after the last one.
    gaps: Vec<Gap>,
    trivia: Rc<Trivia>,
}

/// White space, comments and at most one comma.
#[derive(Clone, Copy, Debug)]
struct Gap {
    comma: Option<usize>,
    has_comment: bool,
}

impl<'a> List<'a> {
    /// The contents of a container with brackets; `None` if there is anything unexpected between them.
    pub(super) fn of(trivia: &Rc<Trivia>, container: Node<'a>) -> Option<Self> {
        let text = container.tree().text();
        let span = container.span();
        let (open, close) = (span.start as usize + 1, (span.end as usize).checked_sub(1)?);
        let brackets = if container.kind() == Kind::Object { ("{", "}") } else { ("[", "]") };
        let is_closed = open <= close
            && text.get(open - 1..open) == Some(brackets.0)
            && text.get(close..=close) == Some(brackets.1);
        if container.is_block() || !is_closed {
            return None;
        }
        let extent = |span: Span| span.start as usize..span.end as usize;
        let items: Vec<_> = match container.kind() {
            Kind::Object => container.members().map(|member| extent(member.span())).collect(),
            _ => container.elements().map(|item| extent(item.span())).collect(),
        };
        let trivia = Rc::clone(trivia);
        let mut list = Self { text, open, close, items, gaps: Vec::new(), trivia };
        list.gaps = (0..=list.items.len()).map(|at| list.gap(at)).collect::<Option<_>>()?;
        let is_between = |at: usize| at > 0 && at < list.items.len();
        let is_expected = |(at, gap): (usize, &Gap)| match gap.comma {
            Some(_) => at > 0,
            None => !is_between(at),
        };
        let is_regular = list.gaps.iter().enumerate().all(is_expected);
        is_regular.then_some(list)
    }

    fn gap(&self, at: usize) -> Option<Gap> {
        let from = at.checked_sub(1).map_or(Some(self.open), |at| Some(self.items.get(at)?.end))?;
        let to = self.items.get(at).map_or(self.close, |item| item.start);
        // What aliases stand for is elsewhere.
        let between = (from <= to).then(|| Span::of(from, to))?;
        let said = self.trivia.without_comments(self.text, between);
        let comma = match said.trim_matches([' ', '\t', '\n', '\r']) {
            "" => None,
            "," => said.find(',').map(|comma| from + comma),
            _ => return None,
        };
        Some(Gap { comma, has_comment: self.trivia.is_in(between) })
    }

    /// Removes the items with these numbers.
    pub(super) fn remove(&self, removed: &[usize]) -> Option<Vec<TextEdit>> {
        let count = self.items.len();
        let is_removed = |at: &usize| removed.binary_search(at).is_ok();
        let last_kept = (0..count).rev().find(|at| !is_removed(at));
        if last_kept.is_none() && self.gaps.iter().all(|gap| !gap.has_comment) {
            return Some(vec![lines::deletion(self.open..self.close)]);
        }
        let mut edits = Vec::new();
        for at in removed {
            edits.push(lines::deletion(self.extent(*at)?));
        }
        let has_trailing_comma = self.gaps.last().is_some_and(|gap| gap.comma.is_some());
        if let Some(next) = last_kept.map(|at| at + 1).filter(|next| *next < count)
            && !has_trailing_comma
        {
            let comma = self.gaps.get(next)?.comma?;
            let start = self.items.get(next)?.start;
            let is_adjacent = lines::is_blank(self.text, comma + 1..start);
            edits.push(lines::deletion(comma..if is_adjacent { start } else { comma + 1 }));
        }
        Some(edits)
    }

    /// The bytes to remove with an item.
    fn extent(&self, at: usize) -> Option<Range<usize>> {
        let item = self.items.get(at)?;
        let comma = self.gaps.get(at + 1)?.comma;
        let end = comma.map_or(item.end, |comma| comma + 1);
        if self.text.get(item.end..end)?.contains(['\n', '\r']) {
            return None;
        }
        let is_first = lines::indentation(self.text, item.start).is_some();
        let bound = self.items.get(at + 1).map_or(self.close, |next| next.start);
        let line_end = self.text.get(end..bound)?.find(['\n', '\r']);
        if is_first && line_end.is_some_and(|length| self.is_trailing(end, end + length)) {
            return Some(lines::whole(self.text, item.start, end));
        }
        let blank = |text: &str| text.len() - text.trim_start_matches([' ', '\t']).len();
        let after = end + blank(self.text.get(end..)?);
        let is_last_on_line = self.text.get(after..)?.starts_with(['\n', '\r']);
        if comma.is_some() && !is_last_on_line {
            // A comment of YAML needs the space before it.
            let is_comment = self.text.get(after..)?.starts_with('#');
            return Some(item.start..if is_comment { end } else { after });
        }
        let before = self.text.get(..item.start)?;
        let start = before.trim_end_matches([' ', '\t']).len();
        Some(start.max(self.open)..end)
    }

    /// Whether there is only white space in a range at the end of a line, besides comments that end on the line.
    fn is_trailing(&self, from: usize, to: usize) -> bool {
        let said = self.trivia.without_comments(self.text, Span::of(from, to));
        let goes_on = self.trivia.around(to as u32).is_some_and(|it| it.end as usize > to);
        !goes_on && said.trim_matches([' ', '\t']).is_empty()
    }

    /// Adds an item, as it is written, behind a number of items.
    pub(super) fn insert(&self, behind: usize, item: &str) -> Option<Vec<TextEdit>> {
        let Some(first) = self.items.first() else {
            return self.insert_first(item);
        };
        let Some(last) = behind.checked_sub(1).and_then(|at| self.items.get(at)) else {
            let between = match lines::indentation(self.text, first.start) {
                Some(indentation) => format!("{}{indentation}", lines::line_break(self.text)),
                None => self.separator()?,
            };
            return Some(vec![lines::insertion(first.start, format!("{item},{between}"))]);
        };
        let comma = self.gaps.get(behind)?.comma;
        let anchor = comma.map_or(last.end, |comma| comma + 1);
        let trailing = if comma.is_some() { "," } else { "" };
        let own_line = lines::indentation(self.text, last.start)
            .filter(|_| lines::start(self.text, last.start) > self.open);
        let mut edits = Vec::new();
        let (at, between) = if let Some(indentation) = own_line {
            let line_break = lines::line_break(self.text);
            let line_end = lines::end(self.text, anchor);
            let is_trailing = line_end < self.close && self.is_trailing(anchor, line_end);
            let at = if is_trailing { line_end } else { anchor };
            (at, format!("{line_break}{indentation}"))
        } else {
            (anchor, self.separator()?)
        };
        if comma.is_some() {
            edits.push(lines::insertion(at, format!("{between}{item}{trailing}")));
        } else if lines::is_blank(self.text, last.end..at) {
            edits.push(lines::insertion(last.end, format!(",{between}{item}")));
        } else {
            edits.push(lines::insertion(last.end, ","));
            edits.push(lines::insertion(at, format!("{between}{item}")));
        }
        Some(edits)
    }

    fn insert_first(&self, item: &str) -> Option<Vec<TextEdit>> {
        let inside = self.text.get(self.open..self.close)?;
        if !inside.contains(['\n', '\r']) {
            let at = if inside.trim().is_empty() { self.open } else { self.close };
            let space = if at == self.open && !inside.is_empty() { " " } else { "" };
            return Some(vec![lines::insertion(at, format!("{space}{item}"))]);
        }
        let indentation = lines::indentation(self.text, self.close)?;
        let unit = lines::unit(self.text);
        let line = format!("{indentation}{unit}{item}{}", lines::line_break(self.text));
        Some(vec![lines::insertion(lines::start(self.text, self.close), line)])
    }

    /// What follows the comma between two items on one line.
    pub(super) fn separator(&self) -> Option<String> {
        let Some(before) = self.items.len().checked_sub(2) else {
            let item = self.items.last().and_then(|item| self.text.get(item.clone()))?;
            let is_compact = item.contains("\":") && !item.contains("\": ");
            return Some(if is_compact { "" } else { " " }.to_owned());
        };
        let gap = self.gaps.get(before + 1)?;
        let between = self.text.get(gap.comma? + 1..self.items.last()?.start)?;
        let is_blank = between.bytes().all(|byte| matches!(byte, b' ' | b'\t'));
        Some(if is_blank { between } else { " " }.to_owned())
    }
}

/// What is between the key and the value of an object's last member, if that is only white space and a sign.
pub(super) fn sign<'a>(object: Node<'a>, sign: &str) -> Option<&'a str> {
    let last = object.members().last()?;
    let between =
        object.tree().text().get(last.key.span().end as usize..last.value.span().start as usize)?;
    let is_plain = between.trim_matches([' ', '\t']) == sign;
    is_plain.then_some(between)
}
