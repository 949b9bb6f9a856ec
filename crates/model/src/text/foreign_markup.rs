//! Finds the variable markup of template languages other than Handlebars.

use std::ops::Range;

use super::comments::comment_end;
use crate::heard::{Words, words};

/// The markup of a template language other than Handlebars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Style {
    /// `{name}`
    Braces,
    /// `${name}`
    Dollar,
    /// `{ {name}}`
    SplitBraces,
    /// `<<name>>`
    Angles,
    /// `[[name]]`
    DoubleBrackets,
    /// `[name]`
    Brackets,
    /// `%name%`
    Percent,
    /// `{% if x %}`, `{# note #}`, `<%= name %>`
    Tag,
    /// `{date.today()}`, `${name ?? "there"}`: code, not only a name
    Code,
}

/// Markup in a text.
#[derive(Debug)]
pub struct Markup<'t> {
    /// The language that has it.
    pub style: Style,
    /// Where it is in the text.
    pub range: Range<usize>,
    /// The name of the variable, or the text of the tag.
    pub name: &'t str,
    /// Whether it is between backquotes.
    pub is_code: bool,
}

impl Markup<'_> {
    /// Whether its name has spaces or hyphens, as in `{First Name}`.
    pub fn is_spaced(&self) -> bool {
        !matches!(self.style, Style::Tag | Style::Code) && self.name.contains([' ', '-'])
    }

    /// Whether it looks like an environment variable: `${HOME}`.
    pub fn is_environment_variable(&self) -> bool {
        self.style == Style::Dollar && !self.name.contains(char::is_lowercase)
    }
}

/// The maximum length of a variable name, in characters.
const MAX_NAME: usize = 60;

/// The maximum length of a tag, in characters.
const MAX_TAG: usize = 200;

/// The tags of Jinja and Liquid.
static TAGS: Words = words![
    "assign|block|break|call|capture|case|comment|continue|cycle|decrement|do|elif|else|elsif|endblock|endcapture|endcase|\
     endcomment|endfor|endif|endmacro|endraw|endset|endunless|endwith|extends|filter|for|from|if|import|include|increment|macro|\
     raw|render|set|tablerow|unless|when|with",
];

/// The markup outside of mustaches, in the order of the text.
pub fn foreign_markup(text: &str) -> Vec<Markup<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    let mut backquotes = Backquotes::default();
    let opener = |from: usize| {
        let rest = text.as_bytes().get(from..)?;
        memchr::memchr3(b'{', b'[', b'<', rest).map(|offset| from + offset)
    };
    while let Some(start) = opener(at) {
        let rest = text.get(start..).unwrap_or_default();
        if let Some(end) = comment_end(text, start) {
            at = end;
            continue;
        }
        if rest.starts_with("{{") {
            let Some(end) = closing_braces(rest) else { break };
            let braces = rest.get(end..).unwrap_or_default();
            at = start + end + braces.bytes().take_while(|byte| *byte == b'}').count();
            continue;
        }
        let found_here = tag(text, start).or_else(|| variable(text, start));
        at = match found_here.or_else(|| code(text, start)) {
            Some(markup) => {
                let end = markup.range.end;
                let is_code = backquotes.are_open(text, start);
                found.push(Markup { is_code, ..markup });
                end
            }
            None => start + 1,
        };
    }
    found
}

/// The variables between percent signs, in the order of the text: `%name%`.
pub fn percent_markup(text: &str) -> impl Iterator<Item = Markup<'_>> {
    let is_in_name = |it: char| it.is_alphanumeric() || it == '_';
    memchr::memchr_iter(b'%', text.as_bytes()).filter_map(move |start| {
        // An amount, as in `10%`, or the tag of a template.
        let is_free =
            text.get(..start)?.chars().next_back().is_none_or(|it| !is_in_name(it) && it != '{');
        let inner = prefix(text.get(start + 1..)?, MAX_NAME);
        let name = inner.get(..inner.find('%')?)?;
        let range = start..start + name.len() + 2;
        let ends_there = !text.get(range.end..)?.starts_with(is_in_name);
        let markup = Markup { style: Style::Percent, range, name, is_code: false };
        (is_free && ends_there && is_path(name)).then_some(markup)
    })
}

/// Where the first `}}` of a text begins.
fn closing_braces(text: &str) -> Option<usize> {
    let text = text.as_bytes();
    memchr::memchr_iter(b'}', text).find(|at| text.get(at + 1) == Some(&b'}'))
}

/// Whether a backquote is open. The text is read once, from its beginning.
#[derive(Debug, Default)]
struct Backquotes {
    at: usize,
    is_block: bool,
    is_inline: bool,
}

impl Backquotes {
    /// Whether a backquote is open at `to`, which must not be before the last place asked for.
    fn are_open(&mut self, text: &str, to: usize) -> bool {
        while let Some(offset) = text.get(self.at..to).and_then(|rest| rest.find(['`', '\n'])) {
            self.at += offset;
            let rest = text.get(self.at..).unwrap_or_default();
            if rest.starts_with('\n') {
                self.is_inline = false;
                self.at += 1;
            } else if rest.starts_with("```") {
                self.is_block = !self.is_block;
                self.at += 3;
            } else {
                self.is_inline = !self.is_inline;
                self.at += 1;
            }
        }
        self.at = self.at.max(to);
        self.is_block || self.is_inline
    }
}

/// The tag that begins at `start`: `{% if x %}`.
fn tag(text: &str, start: usize) -> Option<Markup<'_>> {
    let rest = text.get(start..)?;
    if let Some(comment) = rest.strip_prefix("{#") {
        let line = prefix(comment, MAX_TAG).split('\n').next()?;
        let range = start..start + line.find("#}")? + 4;
        return Some(Markup { style: Style::Tag, range, name: "comment", is_code: false });
    }
    if let Some(output) = rest.strip_prefix("<%=").or_else(|| rest.strip_prefix("<%-")) {
        let line = prefix(output, MAX_TAG).split('\n').next()?;
        let range = start..start + line.find("%>")? + 5;
        return Some(Markup { style: Style::Tag, range, name: "output", is_code: false });
    }
    let tag = rest.strip_prefix("{%")?;
    let line = prefix(tag, MAX_TAG).split('\n').next()?;
    let end = line.find("%}")?;
    let name = line.get(..end)?.trim_matches(['-', '+', ' ']);
    let is_tag = name.split_whitespace().next().is_some_and(|word| TAGS.contains(word));
    let range = start..start + end + 4;
    is_tag.then_some(Markup { style: Style::Tag, range, name, is_code: false })
}

/// The code of a program whose brace begins at `start`: `{date.today()}`, `${name ?? "there"}`, `{price:.2f}`.
fn code(text: &str, start: usize) -> Option<Markup<'_>> {
    /// Operators of JavaScript between two values.
    const OPERATORS: [&str; 5] = [" ? ", " || ", " ?? ", " && ", " + "];
    let inner = text.get(start..)?.strip_prefix('{')?;
    let line = prefix(inner, MAX_NAME).split('\n').next()?;
    let is_dollar = text.get(..start)?.ends_with('$');
    let end = line.find('}')?;
    let name = line.get(..end)?.trim();
    let is_in_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.');
    let path = name.strip_prefix("new ").filter(|_| is_dollar).unwrap_or(name);
    let length = path.find(|c| !is_in_path(c)).unwrap_or(path.len());
    let (path, rest) = path.split_at_checked(length)?;
    let is_call = rest.starts_with('(') && rest.trim_end_matches("!r").ends_with(')');
    let is_item =
        ["[\"", "['", "[0]"].iter().any(|open| rest.starts_with(open)) && rest.ends_with(']');
    let format = rest.strip_prefix(':').unwrap_or_default();
    let is_format = format.len() > 1
        && format.ends_with(['f', 'd', '%'])
        && format
            .trim_end_matches(['f', 'd', '%'])
            .bytes()
            .all(|it| matches!(it, b'0'..=b'9' | b'.' | b','));
    let is_code = is_call || is_item || is_format || rest == "!r" || rest == "!s";
    let is_code = is_code || is_dollar && OPERATORS.iter().any(|sign| rest.starts_with(sign));
    let start = if is_dollar { start - 1 } else { start };
    let range = start..start + usize::from(is_dollar) + end + 2;
    (is_code && is_path(path)).then_some(Markup { style: Style::Code, range, name, is_code: false })
}

/// The variable whose bracket begins at `start`.
fn variable(text: &str, start: usize) -> Option<Markup<'_>> {
    let rest = text.get(start..)?;
    let before = text.get(..start)?.chars().next_back();
    let (inner, close, style) = [
        ("{ {", "}}", Style::SplitBraces),
        ("{", "}", Style::Braces),
        ("<<", ">>", Style::Angles),
        ("[[", "]]", Style::DoubleBrackets),
        ("[", "]", Style::Brackets),
    ]
    .into_iter()
    .find_map(|(open, close, style)| Some((rest.strip_prefix(open)?, close, style)))?;
    let end = prefix(inner, MAX_NAME).find(close)?;
    let name = inner.get(..end)?.trim_matches(' ');
    let after = inner.get(end + close.len()..)?;
    let is_bracket = matches!(style, Style::Brackets | Style::DoubleBrackets);
    if !is_path(name) && (is_bracket || !is_spaced_name(name)) {
        return None;
    }
    let is_after_value =
        before.is_some_and(|it| it.is_alphanumeric() || matches!(it, '_' | ']' | ')' | '!'));
    let is_index_or_link = is_after_value || after.starts_with(['(', '[', ':']);
    if is_bracket && is_index_or_link {
        return None;
    }
    let end = start + rest.len() - after.len();
    let (style, start) = match style {
        Style::Braces if before == Some('$') => (Style::Dollar, start - 1),
        style => (style, start),
    };
    Some(Markup { style, range: start..end, name, is_code: false })
}

/// The first characters of a text.
fn prefix(text: &str, count: usize) -> &str {
    match text.get(..count) {
        Some(head) if head.is_ascii() => head,
        _ => text.char_indices().nth(count).and_then(|(end, _)| text.get(..end)).unwrap_or(text),
    }
}

/// Whether a text consists of a few words, with one space or hyphen between them.
fn is_spaced_name(name: &str) -> bool {
    const MAX_WORDS: usize = 4;
    let is_word = |word: &str| !word.is_empty() && word.chars().all(char::is_alphanumeric);
    name.split([' ', '-'])
        .take(MAX_WORDS + 1)
        .zip(0..)
        .all(|(word, at)| at < MAX_WORDS && is_word(word))
}

/// Whether a text is a name, or names separated by points.
fn is_path(name: &str) -> bool {
    name.starts_with(|first: char| first.is_alphabetic() || first == '_')
        && name.chars().all(|it| it.is_alphanumeric() || matches!(it, '_' | '.'))
        && !name.ends_with('.')
}
