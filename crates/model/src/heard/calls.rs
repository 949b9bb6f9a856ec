//! Where a prompt tells the language model to call a function.
//!
//! A name counts as that of a function only where the words around it say so: `book_slot()`, "call endCall", "the `send_link`
//! tool", a list below the heading "Tools". Names of variables, fields and states look the same, and stand elsewhere.
//!
//! Few words of a prompt look like a name, so the words around are read only where one does that is not known.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use wide::u8x16;

use super::actions::{ACTIONS, is_called, is_thing};
use super::words::is_in_word;
use super::{Words, is_negated, line_at, lines, sentence_at, words};
use crate::blocks::{CHUNK, Chunk, is};
use crate::quote::quote;

/// What a word beside a name says about it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// A verb that says of nearly every name behind it that it is a function.
    Call,
    /// A verb that also has other objects.
    Use,
    /// A noun for functions.
    Noun,
    /// It may stand between a verb and the name.
    Filler,
    /// It joins names.
    Link,
}

/// The words with a role, in English, German, Spanish, French, Portuguese, Italian and Hindi, as far as prompts have them.
static ROLES: Words = words![
    "call|calling|trigger|triggering|invoke|invoking|execute|run|rufe|führe|starte|aufrufen|llama|ejecuta|invoca|llamar|\
     ejecutar|appelle|appelez|appeler|déclenche|exécute|chame|chama|chamar|acione|chiama|esegui|richiama",
    "use|using|nutze|verwende|nutzen|verwenden|benutze|usa|usar|utiliza|utilise|utilisez|utiliser|utilize|usando|utilizza|\
     kullan",
    "tool|tools|function|functions|werkzeug|werkzeuge|funktion|funktionen|función|funciones|herramienta|herramientas|\
     fonction|fonctions|outil|outils|função|funções|ferramenta|ferramentas|funzione|strumento|टूल|फ़ंक्शन|aracını|\
     fonksiyonunu",
    "a|an|the|your|our|then|immediately|silently|always|also|directly|again|first|either|both|available|provided|api|die|das|\
     den|der|dein|deine|immer|sofort|dann|la|el|las|los|le|l|les|o|os|karo|karein",
    "and|or|und|oder|y|et|ou|e",
    "with|mit|con|avec",
];

/// What a word says about a name beside it.
fn role_of(word: &str) -> Option<Role> {
    const GROUPS: [Role; 6] =
        [Role::Call, Role::Use, Role::Noun, Role::Filler, Role::Link, Role::Use];
    GROUPS.get(ROLES.group_of(word)?).copied()
}

/// What is written between parentheses behind the name of a field.
static REMARKS: Words = words![
    "array|bool|boolean|date|default|e.g|enum|float|if|int|integer|list|number|object|optional|required|str|string|text|time",
];

/// Those of the `names` that a prompt calls, in the order of the text. A name may be there more than once. The words around those
/// that are known are not read.
pub fn called_names(
    text: &str,
    names: &[Range<usize>],
    is_known: impl Fn(&str) -> bool,
) -> Vec<Range<usize>> {
    let names = names.iter().filter(|name| {
        !is_variable(text, name) && text.get((*name).clone()).is_some_and(|name| !is_known(name))
    });
    let names: Vec<Range<usize>> = names.cloned().collect();
    let mut found = Calls { text, known: &[] }.of(&names);
    found.retain(|name| !is_unavailable(text, name));
    found
}

/// The search for calls in a text.
#[derive(Clone, Copy)]
struct Calls<'t> {
    text: &'t str,
    /// The names of functions, in the order of the text, if they are known. How such a name is written says nothing, only where it
    /// is, and a text that forbids a call has the name, too.
    known: &'t [Range<usize>],
}

impl Calls<'_> {
    fn of(self, names: &[Range<usize>]) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        self.add_call_forms(names, &mut found);
        for name in names {
            self.add_told(name, &mut found);
            found.extend(is_called(self.text, name).then(|| name.clone()));
        }
        let mut lines = names.iter().map(|name| line_at(self.text, name.start));
        if lines.any(|line| self.listed_name(&line).is_some()) {
            self.add_lists(&mut found);
        }
        found.sort_by_key(|range| range.start);
        found.dedup();
        found
    }

    /// The known name that begins at a byte.
    fn known_at(self, start: usize) -> Option<Range<usize>> {
        let at = self.known.binary_search_by_key(&start, |name| name.start).ok()?;
        self.known.get(at).cloned()
    }

    /// The known name that ends at a byte.
    fn known_before(self, end: usize) -> Option<Range<usize>> {
        let at = self.known.binary_search_by_key(&end, |name| name.end).ok()?;
        self.known.get(at).cloned()
    }

    /// Whether names that a text says not to call are left out.
    fn leaves_out(self, at: usize) -> bool {
        self.known.is_empty() && is_negated(self.text, at)
    }

    /// Adds what the words beside a name say: "call `a` or `b`", "the `book` tool", "tool: `book_slot`".
    fn add_told(self, name: &Range<usize>, found: &mut Vec<Range<usize>>) {
        /// The number of words that are between a verb and a name at most.
        const BETWEEN: usize = 8;
        let text = self.text;
        let line = line_at(text, name.start);
        let after = text.get(name.end..line.end).unwrap_or_default();
        let noun = after.trim_start_matches([' ', '`', '*', '"', '\'', '”', '’', '-', ')', '(']);
        if noun.len() < after.len()
            && let Some(noun) = word_at(text, line.end - noun.len())
            && text.get(noun.clone()).and_then(role_of) == Some(Role::Noun)
        {
            self.add_beside_noun(&noun, found);
        }
        let mut end = name.start;
        for distance in 0..BETWEEN {
            let before = text.get(line.start..end).unwrap_or_default();
            let before = before.trim_end_matches(|c: char| c != ')' && !is_in_word(c));
            // `a(…) and b`
            let before = match before.strip_suffix(')').and_then(|it| it.rsplit_once('(')) {
                Some((before, _)) => before,
                None => before,
            };
            let length: usize =
                before.chars().rev().take_while(|c| is_in_word(*c)).map(char::len_utf8).sum();
            let word_end = line.start + before.len();
            let word = word_end - length..word_end;
            let written = text.get(word.clone()).unwrap_or_default();
            match role_of(written) {
                Some(role @ (Role::Call | Role::Use)) => {
                    return self.add_objects(&word, role == Role::Call, found);
                }
                Some(Role::Noun) if distance == 0 => self.add_beside_noun(&word, found),
                None if matches!(Shape::of(written), Shape::Word | Shape::Other) => return,
                _ => {}
            }
            end = word.start;
        }
    }

    /// `name(…)`, and headings such as "## Order status (`check_status`)".
    fn add_call_forms(self, names: &[Range<usize>], found: &mut Vec<Range<usize>>) {
        let text = self.text;
        // A word that does not look like a name is one only before `()`.
        let opened = memchr::memchr_iter(b'(', text.as_bytes());
        let opened = opened.filter(|at| text.as_bytes().get(at + 1) == Some(&b')'));
        let words = opened.filter_map(|open| name_before(text, open));
        for name in names.iter().cloned().chain(words) {
            let before = text.get(..name.start).unwrap_or_default();
            if before.ends_with("(`") && is_name_of_heading(text, &name) {
                found.push(name);
                continue;
            }
            let open = name.end;
            if !text.get(open..).is_some_and(|it| it.starts_with('('))
                || before.ends_with(|c: char| {
                    matches!(c, '.' | '{' | '$' | '/' | '\\' | '#' | '@' | '-')
                        || c.is_alphanumeric()
                })
            {
                continue;
            }
            let Some(word) = text.get(name.clone()) else { continue };
            let inner = text.get(open + 1..line_at(text, open).end).unwrap_or_default();
            let inner = inner.split(')').next().unwrap_or_default();
            let first: &str =
                inner.split(|c: char| !c.is_alphanumeric() && c != '.').next().unwrap_or_default();
            let is_remark = REMARKS.contains(first);
            let is_known = self.known_at(name.start).is_some_and(|known| known == name);
            let is_call = match Shape::of(word) {
                // `transfer(s)`
                Shape::Word if is_known => !is_remark && !inner.contains(' ') && inner != "s",
                _ if is_known => !is_remark,
                Shape::Snake | Shape::Camel => {
                    !is_remark
                        && (inner.is_empty()
                            || begins_with_action(word)
                            || !inner.contains(' ')
                            || inner.contains(['=', ',', ':', '"']))
                }
                Shape::Pascal { .. } => !is_remark && !inner.contains(' ') || inner.is_empty(),
                Shape::Word => {
                    inner.is_empty()
                        && word.len() > 3
                        && word.starts_with(|c: char| c.is_ascii_lowercase())
                }
                Shape::Other => false,
            };
            if is_call {
                found.push(name);
            }
        }
    }

    /// The names that a verb has as objects: "call `a` or `b`".
    fn add_objects(self, verb: &Range<usize>, is_strong: bool, found: &mut Vec<Range<usize>>) {
        // "the call transfer"
        let before = self.text.get(..verb.start).unwrap_or_default();
        if !self.known.is_empty() && is_thing(before) {
            return;
        }
        let count = found.len();
        self.add_named(verb.end, is_strong, found);
        if found.len() > count && self.leaves_out(verb.start) {
            found.truncate(count);
        }
    }

    /// The names behind a verb that ends at a byte.
    fn add_named(self, verb: usize, is_strong: bool, found: &mut Vec<Range<usize>>) {
        let text = self.text;
        let mut at = verb;
        let mut says_tool = false;
        for _ in 0..6 {
            let Some(token) = token_after(text, at) else { return };
            let Some(word) = text.get(token.clone()) else { return };
            let role = role_of(word);
            if matches!(role, Some(Role::Filler | Role::Noun)) {
                says_tool |= role == Some(Role::Noun);
                at = token.end;
                continue;
            }
            let is_marked = is_in_marks(text, &token);
            let known = self.known_at(token.start);
            let token = known.clone().unwrap_or(token);
            let is_name = match Shape::of(word) {
                // Of "follow-up", the first word is not a name.
                Shape::Word if known.is_some() => {
                    !text.get(token.end..).is_some_and(|it| it.starts_with('-'))
                }
                _ if known.is_some() => true,
                Shape::Snake | Shape::Camel => is_strong || says_tool || begins_with_action(word),
                Shape::Pascal { humps } => is_marked || says_tool || is_strong && humps > 2,
                Shape::Word | Shape::Other => false,
            };
            if !is_name || is_other_thing(text, &token) {
                return;
            }
            found.push(token.clone());
            // Another one may follow: "call a, b or c".
            let rest = text.get(token.end..line_at(text, token.end).end).unwrap_or_default();
            let rest = rest.trim_start_matches(['`', '*', '"', '\'', '”', '’']);
            let rest = match rest.strip_prefix('(').and_then(|it| it.split_once(')')) {
                Some((_, after)) => after.trim_start_matches(['`', '*', '"', '\'', '”', '’']),
                None => rest,
            };
            let separators = [
                ", ", " and ", " or ", " und ", " oder ", " y ", " o ", " et ", " ou ", " e ", "/",
                " then ", " → ", " + ",
            ];
            let Some(next) = separators.iter().find_map(|it| rest.strip_prefix(it)) else { return };
            at = line_at(text, token.end).end - next.len();
        }
    }

    /// The names beside a noun: "the `book` tool", "tool: `book_slot`".
    fn add_beside_noun(self, noun: &Range<usize>, found: &mut Vec<Range<usize>>) {
        let text = self.text;
        let line = line_at(text, noun.start);
        let count = found.len();
        // "the `book_slot` tool"
        let before = text.get(line.start..noun.start).unwrap_or_default();
        let trimmed = before.trim_end_matches([' ', '`', '*', '"', '\'', '”', '’', '-', ')', '(']);
        let end = line.start + trimmed.len();
        let like_name = || {
            let name = name_before(text, end)?;
            let word = text.get(name.clone())?;
            let shape = Shape::of(word);
            let is_name = matches!(shape, Shape::Snake | Shape::Camel | Shape::Pascal { .. });
            (is_name && !is_brand(word)).then_some(name)
        };
        if before.len() > trimmed.len() {
            found.extend(self.known_before(end).or_else(like_name));
        }
        // "the tool `book_slot`"
        if let Some(token) = token_after(text, noun.end)
            && let Some(word) = text.get(token.clone())
            && let known = self.known_at(token.start)
            && match Shape::of(word) {
                Shape::Snake | Shape::Camel => true,
                Shape::Pascal { .. } => known.is_some() || is_in_marks(text, &token),
                Shape::Word | Shape::Other => known.is_some() && is_in_marks(text, &token),
            }
            && token.start - noun.end <= 5
            && let token = known.unwrap_or(token)
            && !is_other_thing(text, &token)
        {
            found.push(token);
        }
        if found.len() > count && self.leaves_out(noun.start) {
            found.truncate(count);
        }
    }

    /// The names in lists below headings such as "Available tools".
    fn add_lists(self, found: &mut Vec<Range<usize>>) {
        let text = self.text;
        for heading in lines(text).filter(|line| is_heading(text, line)) {
            let title = text.get(heading.clone()).unwrap_or_default();
            let mut words = title.split(|c: char| !is_in_word(c));
            let is_about_functions = words.any(|word| role_of(word) == Some(Role::Noun))
                && !self.leaves_out(heading.end);
            if is_about_functions {
                self.add_listed(heading, found);
            }
        }
    }

    /// The names of the items of a list below a heading.
    fn add_listed(self, heading: Range<usize>, found: &mut Vec<Range<usize>>) {
        const MAX_LINES: usize = 80;
        let text = self.text;
        let level = level_of(text, &heading);
        let rest = text.get(heading.end..).unwrap_or_default();
        for line in lines(rest).skip(1).take(MAX_LINES) {
            let line = heading.end + line.start..heading.end + line.end;
            let content = text.get(line.clone()).unwrap_or_default();
            let plain = content.trim_start();
            let own_level = level_of(text, &line);
            let is_item = without_marks(plain).len() < plain.len();
            if own_level > 0 && own_level <= level.max(1) || plain.ends_with(':') && !is_item {
                return;
            }
            found.extend(self.listed_name(&line));
        }
    }

    /// The name of the function that an item of a list is about.
    fn listed_name(self, line: &Range<usize>) -> Option<Range<usize>> {
        let text = self.text;
        let content = text.get(line.clone())?;
        let plain = content.trim_start();
        let item = without_marks(plain);
        // Parameters are listed below their functions.
        if item.len() == plain.len() || content.len() - plain.len() > 3 {
            return None;
        }
        let start = line.end - item.len();
        let known = self.known_at(start);
        let is_known = known.is_some();
        let name = known.or_else(|| name_at(text, start))?;
        let after = text.get(name.end..line.end)?;
        let after = after.trim_start_matches(['`', '*', '"']).trim_start();
        let ends = after.is_empty() || after.starts_with([':', '(', '-', '–', '—', '→']);
        let word = text.get(name.clone())?;
        let is_name = match Shape::of(word) {
            _ if is_known => true,
            Shape::Snake | Shape::Camel => begins_with_action(word),
            Shape::Pascal { humps } => humps > 2,
            Shape::Word | Shape::Other => false,
        };
        (ends && is_name && !is_other_thing(text, &name)).then_some(name)
    }
}

/// A place where a text has the name of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mention {
    /// The name.
    pub range: Range<usize>,
    /// Whether it is the function: in code marks, or where a prompt calls it. Otherwise it may be a plain word.
    pub is_certain: bool,
}

/// Where a text has one of the names of functions as a word, from left to right. Tags of templates are not searched.
pub fn mentions<'n>(text: &str, functions: impl IntoIterator<Item = &'n str>) -> Vec<Mention> {
    let is_other = |c: char| !(c.is_alphanumeric() || c == '_');
    let mut by_word: HashMap<&str, Vec<&str>> = HashMap::new();
    for name in functions {
        by_word.entry(name.split(is_other).next().unwrap_or_default()).or_default().push(name);
    }
    by_word.remove("");
    let mut names: Vec<Range<usize>> = Vec::new();
    let mut start = 0;
    for part in text.split_inclusive(is_other) {
        let rest = text.get(start..).unwrap_or_default();
        let is_here = |name: &&&str| {
            rest.strip_prefix(**name).is_some_and(|it| it.is_empty() || it.starts_with(is_other))
        };
        let found = by_word.get(part.trim_end_matches(is_other)).into_iter().flatten();
        // Of a name and a longer one that begins with it, the longer one is meant.
        if let Some(name) = found.filter(is_here).max_by_key(|name| name.len())
            && names.last().is_none_or(|last| last.end <= start)
        {
            names.push(start..start + name.len());
        }
        start += part.len();
    }
    let mut tag = 0..0;
    names.retain(|name| {
        while tag.end <= name.start {
            let behind = |from: usize, braces| Some(from + text.get(from..)?.find(braces)?);
            tag.start = behind(tag.end, "{{").unwrap_or(text.len());
            tag.end = behind(tag.start, "}}").unwrap_or(text.len()).max(tag.start + 1);
        }
        name.start < tag.start
    });
    let called: HashSet<_> = Calls { text, known: &names }.of(&names).into_iter().collect();
    let mention = |range: Range<usize>| Mention {
        is_certain: called.contains(&range) && !is_variable(text, &range) || is_code(text, &range),
        range,
    };
    names.into_iter().map(mention).collect()
}

/// Whether a name is behind a brace.
fn is_variable(text: &str, name: &Range<usize>) -> bool {
    text.get(..name.start).is_some_and(|it| it.trim_end().ends_with('{'))
}

/// Whether a name is in code marks, alone or with its arguments.
fn is_code(text: &str, name: &Range<usize>) -> bool {
    text.get(..name.start).is_some_and(|it| it.ends_with('`'))
        && text.get(name.end..).is_some_and(|it| it.starts_with(['`', '(']))
        && !is_other_thing(text, name)
}

/// Whether the name of a function is to be expected behind a text: in code marks, or behind a verb and a space.
pub fn is_function_expected(before: &str) -> bool {
    // Also a line end that is escaped.
    let line = before.rsplit('\n').next().unwrap_or_default().rsplit("\\n").next();
    let line = line.unwrap_or_default();
    if line.matches('`').count() % 2 == 1 {
        return line.ends_with('`');
    }
    let words = line.strip_suffix(' ').unwrap_or_default();
    let verb = words.rsplit(|c| !is_in_word(c)).next().unwrap_or_default();
    ROLES.group_of(verb).is_some_and(|group| group < 2)
}

/// Whether a word that is being typed is like the name of a function, and unlike other words: `book_`, `bookS`.
pub fn is_like_function(typed: &str) -> bool {
    matches!(Shape::of(&format!("{typed}xx")), Shape::Snake | Shape::Camel) && typed.len() > 2
}

/// The parts of a text that look like a name: with a `_`, or with a capital behind a small letter.
pub(super) struct Names<'t> {
    text: &'t str,
    found: Vec<Range<usize>>,
    /// Whether the last letter of the chunk before is a small one.
    is_small: bool,
}

impl<'t> Names<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        Self { text, found: Vec::with_capacity(32), is_small: false }
    }

    /// Adds those of the next chunk, whose letters are known.
    #[inline]
    pub(super) fn add(&mut self, start: usize, chunk: Chunk<'_>, letters: u64) {
        let small = letters & chunk.bits(|block| is(block & u8x16::splat(0x20), 0x20));
        let after_small = small << 1 | u64::from(self.is_small);
        self.is_small = small >> (CHUNK - 1) != 0;
        let mut inside = chunk.bits(|block| is(block, b'_')) | letters & !small & after_small;
        while inside != 0 {
            self.add_one(start + inside.trailing_zeros() as usize);
            inside &= inside - 1;
        }
    }

    fn add_one(&mut self, at: usize) {
        let end = self.found.last().map_or(0, |last| last.end);
        if at >= end {
            let before = self.text.as_bytes().get(end..at).unwrap_or_default().iter().rev();
            let start = at - before.take_while(|byte| is_name_byte(**byte)).count();
            self.found.push(name_at(self.text, start).unwrap_or(at..at + 1));
        }
    }

    pub(super) fn found(self) -> Vec<Range<usize>> {
        self.found
    }
}

/// The name of a function for a message. A word of letters is not a secret, however rare they are.
pub fn shown_name(name: &str) -> String {
    const LONG: usize = 40;
    let is_plain =
        name.len() <= LONG && name.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'_');
    if is_plain { format!("`{name}`") } else { quote(name) }
}

/// The number of characters of a function's name that interfaces of language models accept.
pub const MAX_NAME: usize = 64;

/// Whether interfaces of language models accept a character in the name of a function.
pub const fn is_in_accepted_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

/// Whether a name in code marks is between parentheses in a heading.
fn is_name_of_heading(text: &str, name: &Range<usize>) -> bool {
    let word = text.get(name.clone()).unwrap_or_default();
    text.get(name.end..).is_some_and(|it| it.starts_with("`)"))
        && matches!(Shape::of(word), Shape::Snake | Shape::Camel)
        && begins_with_action(word)
        && level_of(text, &line_at(text, name.start)) > 0
}

/// An item of a list without the marks before it.
fn without_marks(item: &str) -> &str {
    item.trim_start_matches(|c: char| c.is_ascii_digit() || "-*•.)# `\"".contains(c))
}

/// The number of `#` before a heading.
fn level_of(text: &str, line: &Range<usize>) -> usize {
    text.get(line.clone())
        .unwrap_or_default()
        .trim_start()
        .bytes()
        .take_while(|byte| *byte == b'#')
        .count()
}

/// Whether a line is a heading: it begins with `#`, is short and ends with a colon, or has no small letters.
fn is_heading(text: &str, line: &Range<usize>) -> bool {
    const SHORT: usize = 60;
    let line = text.get(line.clone()).unwrap_or_default().trim();
    line.starts_with('#')
        || line.len() < SHORT
            && (line.ends_with(':')
                || line.ends_with(":**")
                || line.starts_with("**") && line.ends_with("**")
                || !line.chars().any(char::is_lowercase))
}

/// Whether the words behind a name say that there is no such function any more.
fn is_unavailable(text: &str, name: &Range<usize>) -> bool {
    const WORDS: [&str; 6] =
        ["no longer", "not available", "unavailable", "does not exist", "nicht mehr", "ya no"];
    let rest = text.get(name.end..sentence_at(text, name.start).end).unwrap_or_default();
    WORDS.iter().any(|words| memchr::memmem::find(rest.as_bytes(), words.as_bytes()).is_some())
}

/// Whether the words behind a name say that it is something else.
fn is_other_thing(text: &str, name: &Range<usize>) -> bool {
    static OTHERS: Words = words![
        "variable|variables|field|fields|parameter|parameters|argument|arguments|value|values|status|flag|flags|property|key|\
         keys|column|columns|feld|variablen",
    ];
    let after = text.get(name.end..).unwrap_or_default();
    let after = after.trim_start_matches(['`', '*', '"', '\'']);
    let word = after.trim_start().split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    after.starts_with(['=', '}', '@', '.'])
        && !after.starts_with(". ")
        && !after.starts_with(".\n")
        && after != "."
        || OTHERS.contains(word)
}

/// How a name is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shape {
    /// `end_call`
    Snake,
    /// `endCall`
    Camel,
    /// `EndCall`, and the number of its capitals.
    Pascal {
        humps: usize,
    },
    /// `end`
    Word,
    Other,
}

impl Shape {
    fn of(name: &str) -> Self {
        let has_small = name.bytes().any(|byte| byte.is_ascii_lowercase());
        let first = name.bytes().next().unwrap_or_default();
        if !has_small
            || !first.is_ascii_alphabetic()
            || name.len() < 4
            || name.bytes().any(|byte| !byte.is_ascii_alphanumeric() && byte != b'_')
        {
            return Self::Other;
        }
        let trimmed = name.trim_end_matches('_');
        if trimmed.contains('_') {
            return Self::Snake;
        }
        let humps = name
            .bytes()
            .zip(name.bytes().skip(1))
            .filter(|(one, next)| one.is_ascii_lowercase() && next.is_ascii_uppercase())
            .count();
        match (humps, first.is_ascii_uppercase()) {
            (0, _) => Self::Word,
            (_, true) => Self::Pascal { humps: humps + 1 },
            // `iPhone`, `eBay`
            (1, false) if name.as_bytes().get(1).is_some_and(u8::is_ascii_uppercase) => Self::Other,
            (_, false) => Self::Camel,
        }
    }
}

/// Whether the first word of a name is an action, or its last one says that it is a tool.
fn begins_with_action(name: &str) -> bool {
    let end = name
        .bytes()
        .position(|byte| byte == b'_' || byte.is_ascii_uppercase())
        .unwrap_or(name.len());
    let first = name.get(..end).unwrap_or_default();
    ACTIONS.contains(first)
        || name.ends_with("_tool")
        || name.ends_with("Tool")
        || name.ends_with("_function")
}

/// Names of products that are written like identifiers.
fn is_brand(name: &str) -> bool {
    static BRANDS: Words = words![
        "hubspot|whatsapp|elevenlabs|openai|gohighlevel|youtube|linkedin|paypal|chatgpt|javascript",
    ];
    BRANDS.contains(name)
}

/// The name that ends at a byte.
fn name_before(text: &str, end: usize) -> Option<Range<usize>> {
    let before = text.get(..end)?;
    let start = before.len() - before.bytes().rev().take_while(|byte| is_name_byte(*byte)).count();
    (start < end).then_some(start..end)
}

/// The name that begins at a byte.
fn name_at(text: &str, start: usize) -> Option<Range<usize>> {
    let length = text.get(start..)?.bytes().take_while(|byte| is_name_byte(*byte)).count();
    (length > 0).then_some(start..start + length)
}

const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The next word of the line, behind spaces, marks and a colon.
fn token_after(text: &str, at: usize) -> Option<Range<usize>> {
    let rest = text.get(at..)?;
    let content = rest.trim_start_matches([' ', '`', '*', '"', '\'', '“', '‘', '«', ':', '(', '[']);
    word_at(text, text.len() - content.len())
}

/// The word that begins at a byte.
fn word_at(text: &str, start: usize) -> Option<Range<usize>> {
    let rest = text.get(start..)?;
    let length = rest.find(|c: char| !is_in_word(c)).unwrap_or(rest.len());
    (length > 0).then_some(start..start + length)
}

/// Whether a name is in code marks, bold or quotes.
fn is_in_marks(text: &str, name: &Range<usize>) -> bool {
    text.get(..name.start).is_some_and(|before| before.ends_with(['`', '*', '"', '\'', '“', '‘']))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&str> {
        let names = super::super::prompt_clues::find(text).names;
        let found = called_names(text, &names, |_| false);
        let mut found: Vec<_> = found.into_iter().filter_map(|range| text.get(range)).collect();
        found.dedup();
        found
    }

    #[test]
    fn calls_are_found_by_the_words_around_them() {
        for (text, expected) in [
            ("Then silently call endCall.", &["endCall"][..]),
            (
                "Use the `book_slot` tool, or call `a_one` and b_two.",
                &["book_slot", "a_one", "b_two"],
            ),
            ("Run check_stock(item, size) first.", &["check_stock"]),
            ("using the hang_up tool to end the call", &["hang_up"]),
            (
                "Rufe die Funktion termin_buchen auf. Nutze `get_slots`.",
                &["termin_buchen", "get_slots"],
            ),
            (
                "## Available tools\n\n- get_slots: free slots\n- **send_link** – a link\n\n## Style\n- be_short: yes",
                &["get_slots", "send_link"],
            ),
            ("Use TransferToSales when asked. Trigger `TransferToSales`.", &["TransferToSales"]),
        ] {
            assert_eq!(names(text), expected, "{text}");
        }
    }

    #[test]
    fn mentions_are_certain_in_code_marks_and_calls_and_possible_as_plain_words() {
        let functions = ["transfer", "book_slot", "book_slot_late", "Check slots"];
        let text = "Offer to transfer them, then `transfer`. Call book_slot, not xbook_slot or book_slot_later.\n\
            The `book_slot` parameter; {{book_slot}} {{! `transfer` }} book_slot_late(1) `Check slots` é`transfer(x)` {{transfer";
        let found = mentions(text, functions);
        let found: Vec<_> = found
            .iter()
            .filter_map(|it| Some((text.get(it.range.clone())?, it.is_certain)))
            .collect();
        let expected = [
            ("transfer", false),
            ("transfer", true),
            ("book_slot", true),
            ("book_slot", false),
            ("book_slot_late", true),
            ("Check slots", true),
            ("transfer", true),
        ];
        assert_eq!(found, expected);
        assert_eq!(
            mentions("a b", ["", "-", "a b", "a"]),
            [Mention { range: 0..3, is_certain: false }]
        );
    }

    #[test]
    fn where_a_known_name_is_says_that_it_is_a_function_however_it_is_written() {
        for name in ["book_slot", "slot_v2", "slotV2", "TakeSlot", "take-slot", "SLOT", "done"] {
            for text in [
                "Use NAME.",
                "Then call NAME, NAME or other_thing.",
                "# Tools\n- NAME: books\n2. **NAME** – books",
                "The NAME tool, or NAME(1).",
                "Do not call NAME twice. Never use NAME first.",
                "Avoid the NAME function. The tool `NAME` is no longer available.",
            ] {
                let text = text.replace("NAME", name);
                let found = mentions(&text, [name]);
                assert_eq!(found.len(), text.matches(name).count(), "{text}");
                assert!(found.iter().all(|it| it.is_certain), "{text}: {found:?}");
            }
        }
    }

    #[test]
    fn plain_words_that_a_function_is_called_like_are_not_certain() {
        for text in [
            "Offer to transfer them.",
            "Explain the call transfer first.",
            "Use transfer-free rates.",
            "List the transfer(s), and transfer(when asked).",
            "Your tools transfer them.",
            "# Style\n- transfer: brief",
        ] {
            let found = mentions(text, ["transfer"]);
            assert!(!found.is_empty() && found.iter().all(|it| !it.is_certain), "{text}");
        }
    }

    #[test]
    fn other_names_are_not_calls() {
        for text in [
            "Use first_name in the greeting, and never call customer_name.",
            "call the customer (if_known), use customer_name",
            "caller_name(optional), zip_code(string)",
            "Pay via PayPal or iPhone with GoHighLevel; use WhatsApp.",
            "Do not use the book_slot tool.",
            "if call_type = inbound, set the lead_status field",
            "appointment(s), he(she), date.today()",
        ] {
            assert_eq!(names(text), [""; 0], "{text}");
        }
    }
}
