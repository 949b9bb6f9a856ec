//! Words that cannot be secrets. All others are masked in the middle where they are shown.
//!
//! The list of harmless words is closed: words that read like language, numbers, names that consist of these, ids in the facts, and
//! what is at most a few typos away from a value or a field that the service knows or from the id of a rule.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use voxlint_schema::{DocumentKind, Items, Shape, Table, names};

use super::kinds::{Form, kind_of};
use super::natural::{are_natural_signs, is_natural, is_natural_in_prose};
use super::patterns::MIN_LENGTH;
use super::randomness::{is_uniform_case, splits_into_words};
use crate::blocks::{CHUNK, between, ends_of_rows, fold_chunks, is};
use crate::rule::group_names;
use crate::suggest::{Candidates, nearest};
use crate::text::time_zones::time_zones;

/// The length of the shortest word that is masked. Fewer characters of a secret may be shown side by side.
const SHORT: usize = 6;

/// The number of characters that stay at the beginning and at the end of a masked word.
const KEPT: usize = 2;

/// From this many signs on, the signs around a value are checked with it.
const MANY_SIGNS: usize = 3;

/// The length from which a value with many signs around it may be a secret.
const MIN_SIGNS: usize = 8;

/// The length from which the end of a masked word stays as well.
pub(crate) const LONG: usize = 12;

/// A word that may be a secret.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PossibleSecret {
    /// The word.
    pub(crate) word: Range<usize>,
    /// The bytes to mask: the middle of the word.
    pub(crate) masked: Range<usize>,
    /// The parts that are not just small letters or digits. A message may show a piece of one.
    pub(crate) odd: Vec<Range<usize>>,
    /// The other parts, which alone could be anything.
    pub(crate) plain: Vec<Range<usize>>,
}

/// The ids in the facts. They are shown, whatever they look like.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShownIds(pub(crate) Option<Arc<HashSet<Box<str>>>>);

impl ShownIds {
    /// Whether the facts list an id.
    pub(crate) fn contains(&self, word: &str) -> bool {
        self.0.as_ref().is_some_and(|ids| ids.contains(word))
    }

    /// Whether a word is at most a few typos away from an id in the facts. One of its ends must be right, so that few ids are
    /// compared.
    fn has_similar(&self, word: &str) -> bool {
        const END: usize = 3;
        /// With more ids, comparing them would take too long.
        const MAX_COMPARED: usize = 5_000;
        if self.0.as_ref().is_none_or(|ids| ids.len() > MAX_COMPARED) {
            return false;
        }
        let may_be = |id: &&str| {
            let first = || id.bytes().zip(word.bytes()).take(END);
            let last = || id.bytes().rev().zip(word.bytes().rev()).take(END);
            id.len().abs_diff(word.len()) <= END
                && (first().all(|(one, other)| one == other)
                    || last().all(|(one, other)| one == other))
        };
        let ids = self.0.iter().flat_map(|ids| ids.iter()).map(|id| &**id);
        nearest(word, ids.filter(may_be)).is_some()
    }
}

/// The words of a text that may be secrets, in its order.
pub(crate) fn doubts(text: &str, known: &ShownIds) -> Vec<PossibleSecret> {
    let mut found = Vec::new();
    if text.len() < SHORT || known.contains(text) {
        return found;
    }
    let is_alone = is_one_word(text);
    if is_alone {
        in_part(text, 0..text.len(), known, is_alone, &mut found);
    } else {
        for_each_odd_run(text.as_bytes(), |run| in_part(text, run, known, false, &mut found));
    }
    found
}

/// Adds the words in a part of a text that begins and ends between words.
fn in_part(
    text: &str,
    part: Range<usize>,
    known: &ShownIds,
    is_alone: bool,
    found: &mut Vec<PossibleSecret>,
) {
    let source = text.as_bytes();
    let has_tags = !is_alone || text.starts_with('<');
    let mut at = part.start;
    while at < part.end {
        let end = at + chunk(source, at, has_tags);
        if end > at {
            in_chunk(text, at..end, known, is_alone, found);
            at = end;
        } else {
            at += separator(source, at);
        }
    }
}

/// Visits the runs of visible ASCII characters that are not just a short word in small letters, with or without a capital at the
/// beginning, and punctuation around it. Next to other words, such a word is always harmless, and most runs of a text are one.
fn for_each_odd_run(text: &[u8], mut visit: impl FnMut(Range<usize>)) {
    /// The length from which a word has to be pronounceable.
    const LONG_WORD: u32 = LONGEST_PLAIN as u32 + 1;
    let is_visible = |block| between(block, b'!', b'~');
    let is_small = |block| between(block, b'a', b'z');
    let is_capital = |block| between(block, b'A', b'Z');
    // None of these separates the words of a run.
    let is_around = |block| {
        let is_early = between(block, b'!', b'/') & !is(block, b'*');
        is_early | is(block, b':') | is(block, b';') | is(block, b'?')
    };
    let (mut start, mut until) = (0, 0);
    fold_chunks(text, (0, 0), |(visible_before, letters_before), chunk| {
        let (visible, small) = (chunk.bits(is_visible), chunk.bits(is_small));
        let (capital, around) = (chunk.bits(is_capital), chunk.bits(is_around));
        let first = visible & !(visible << 1 | visible_before >> (u64::BITS - 1));
        // Nothing is known of the byte behind the chunk.
        let last = visible & !(visible >> 1 | 1 << (u64::BITS - 1));
        let opening = around & first;
        let capital = capital & (first | opening << 1);
        let closing = around & last;
        let closing = closing | (around & closing >> 1);
        let letters = small | capital;
        let odd = visible & !(letters | opening | closing);
        let mut places = odd | ends_of_rows(letters, LONG_WORD, letters_before);
        while places != 0 {
            let at = start + places.trailing_zeros() as usize;
            places &= places - 1;
            if at < until {
                continue;
            }
            let (before, rest) = text.split_at_checked(at).unwrap_or_default();
            let before = before.get(until..).unwrap_or_default();
            let before = before.iter().rev().take_while(|byte| byte.is_ascii_graphic()).count();
            until = at + rest.iter().take_while(|byte| byte.is_ascii_graphic()).count();
            visit(at - before..until);
        }
        start += CHUNK;
        (visible, letters)
    });
}

/// A text with the middle of such words masked, if they have at least so many bytes.
pub(crate) fn mask_doubts<'t>(text: &'t str, known: &ShownIds, least: usize) -> Cow<'t, str> {
    let mut found = doubts(text, known);
    found.retain(|it| it.word.len() >= least);
    if found.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut from = 0;
    for PossibleSecret { masked: Range { start, end }, .. } in found {
        masked.push_str(text.get(from..start).unwrap_or_default());
        masked.push_str(&"*".repeat(end - start));
        from = end;
    }
    masked.push_str(text.get(from..).unwrap_or_default());
    Cow::Owned(masked)
}

/// The length of the run of visible ASCII characters at an offset, up to an escape, what is masked, or a tag.
fn chunk(source: &[u8], from: usize, has_tags: bool) -> usize {
    let rest = source.get(from..).unwrap_or_default();
    let ends = |(length, byte): (usize, &u8)| {
        !byte.is_ascii_graphic()
            || ((matches!(byte, b'\\' | b'*') || (has_tags && matches!(byte, b'<' | b'{' | b'}')))
                && separator(source, from + length) > 1)
    };
    rest.iter().enumerate().position(ends).unwrap_or(rest.len())
}

/// The tags that texts to be spoken or shown have.
const TAGS: &str = "\
    a audio b blockquote body br break code div em emphasis h1 h2 h3 h4 h5 h6 head hr html i img lang li \
    mark ol p pre prosody s say small span speak strong sub sup table td tr ul voice";

/// The length of what separates words at an offset: a tag such as `</p>`, the braces of a mustache, an escape such as `\u{a}`, three
/// asterisks, or one byte.
fn separator(source: &[u8], at: usize) -> usize {
    const MAX_LENGTH: usize = 12;
    let rest = source.get(at..).unwrap_or_default();
    let rest = rest.get(..MAX_LENGTH).unwrap_or(rest);
    match rest {
        [b'<', inner @ ..] => {
            let close = memchr::memchr(b'>', inner).unwrap_or(0);
            let name = inner.get(..close).unwrap_or_default();
            let name = name.strip_prefix(b"/").unwrap_or(name);
            let name = name.strip_suffix(b"/").unwrap_or(name);
            let is_tag = || TAGS.split(' ').any(|tag| tag.as_bytes() == name);
            if is_tag() { close + 2 } else { 1 }
        }
        [b'\\', b'u', b'{', inner @ ..] => {
            let close = memchr::memchr(b'}', inner).unwrap_or(0);
            let is_escape = close > 0 && inner.iter().take(close).all(u8::is_ascii_hexdigit);
            if is_escape { close + 4 } else { 1 }
        }
        [b'*', b'*', b'*', ..] => 3,
        [b'{', b'{', ..] | [b'}', b'}', ..] => 2,
        _ => 1,
    }
}

/// What regular expressions consist of.
const PATTERN_SIGNS: &str = r"(? \b \d \p \s \w .* .+ ){ ]{ )+ )* ]+ ]* a-z A-Z 0-9";

/// Whether a text is one word, possibly cut short, and neither JSON, a template nor a regular expression.
fn is_one_word(text: &str) -> bool {
    let whole = text.trim_ascii();
    let whole = whole.strip_suffix('…').unwrap_or(whole);
    if !whole.bytes().all(|byte| byte.is_ascii_graphic()) {
        return false;
    }
    // Most words have no bracket.
    let has_brace = memchr::memchr(b'{', whole.as_bytes()).is_some();
    let is_json = (has_brace || whole.starts_with('['))
        && ["{\"", "[{", "[\""].iter().any(|open| whole.starts_with(open));
    let is_of_tag = |it: char| it.is_ascii_alphabetic() || matches!(it, '#' | '/');
    let is_closed = || whole.contains("}}") || text.ends_with('…');
    let has_tag =
        has_brace && is_closed() && whole.split("{{").skip(1).any(|tag| tag.starts_with(is_of_tag));
    // One of these may be chance, and any text can be between two anchors. Most words have no character of any of them.
    let has_sign = whole.bytes().any(|byte| br"\()]*+".contains(&byte));
    let signs = || PATTERN_SIGNS.split(' ').map(|it| whole.matches(it).count()).sum::<usize>();
    let signs = if has_sign { signs() } else { 0 };
    let anchors = usize::from(whole.starts_with('^')) + usize::from(whole.ends_with('$'));
    let is_pattern = signs > 0 && signs + anchors > 1;
    !is_json && !has_tag && !is_pattern
}

fn in_chunk(
    text: &str,
    chunk: Range<usize>,
    known: &ShownIds,
    is_alone: bool,
    found: &mut Vec<PossibleSecret>,
) {
    let Range { start, end } = trimmed(text.as_bytes(), chunk.clone());
    let signs = (chunk.end - chunk.start) - (end - start);
    if is_alone && signs >= MANY_SIGNS && !known.contains(text) {
        let spelled = text.get(chunk.clone()).unwrap_or_default();
        if spelled.len() >= MIN_SIGNS && !are_natural_signs(spelled.as_bytes()) {
            found.push(doubt(text, chunk, true));
            return;
        }
    }
    let Some(word) = text.get(start..end).filter(|word| word.len() >= SHORT) else { return };
    if memchr::memchr(b':', word.as_bytes()).is_some() && word.contains("://") {
        if !known.contains(word) {
            in_address(text, start..end, known, found);
        }
        return;
    }
    let name = name_length(word);
    // A name may also be the first half of a password.
    let is_name = name > 0
        && (!is_alone
            || (is_natural(word.get(..name).unwrap_or_default().as_bytes())
                && (word.len() - name >= SHORT || is_natural(word.as_bytes()))));
    let value = start + if is_name { name } else { 0 };
    if known.contains(word) || is_id_of_masked(text, chunk.end, word) {
        return;
    }
    let Some(word) = text.get(value..end).filter(|word| word.len() >= SHORT) else { return };
    let is_natural = if is_alone { is_natural } else { is_natural_in_prose };
    let is_shown =
        (has_harmless_form(word) && is_natural(word.as_bytes())) || is_known(word, known);
    if !is_shown {
        let is_hidden = is_alone && start > chunk.start && value - chunk.start >= SHORT;
        let value = if is_hidden { start } else { value };
        found.push(doubt(text, value..end, value == start));
    }
}

/// The number of signs around a word, up to the space or the end of the text, on one side of it.
fn signs<'b>(around: impl Iterator<Item = &'b u8>) -> usize {
    around.take(SHORT).take_while(|byte| byte.is_ascii_punctuation()).count()
}

fn may_be_shown(word: &str, known: &ShownIds) -> bool {
    (has_harmless_form(word) && is_natural_in_prose(word.as_bytes())) || is_known(word, known)
}

fn has_harmless_form(word: &str) -> bool {
    has_plain_words(word.as_bytes()) || (is_harmless(word.as_bytes()) && !begins_like_a_key(word))
}

/// Whether a word begins as keys of known services do, and may be one.
fn begins_like_a_key(word: &str) -> bool {
    word.len() >= MIN_LENGTH
        && word.bytes().any(|byte| byte.is_ascii_digit())
        && kind_of(word.as_bytes()).is_some_and(|kind| !matches!(kind.form, Form::Exact(_)))
}

/// The middle of a word, and its odd parts.
fn doubt(text: &str, word: Range<usize>, keeps_start: bool) -> PossibleSecret {
    let spelled = text.get(word.clone()).unwrap_or_default().as_bytes();
    let in_text = |part: Range<usize>| word.start + part.start..word.start + part.end;
    let (odd, plain): (Vec<_>, Vec<_>) =
        parts(spelled).filter(|part| part.len() >= SHORT).partition(|part| {
            let part = spelled.get(part.clone()).unwrap_or_default();
            let rest = part.get(1..).unwrap_or_default();
            !is_ordinary(part)
                || !(rest.iter().all(u8::is_ascii_lowercase) || part.iter().all(u8::is_ascii_digit))
        });
    let odd = odd.into_iter().map(in_text).collect();
    let plain = plain.into_iter().map(in_text).collect();
    // With many signs next to it, even two characters of the word are too many.
    let (before, behind) = (text.as_bytes().split_at_checked(word.start), text.as_bytes());
    let before = before.map_or(0, |(before, _)| signs(before.iter().rev()));
    let behind = signs(behind.get(word.end..).unwrap_or_default().iter());
    let kept = |is_kept, signs| if is_kept && signs + KEPT < SHORT { KEPT } else { 0 };
    let masked =
        word.start + kept(keeps_start, before)..word.end - kept(word.len() >= LONG, behind);
    PossibleSecret { word, masked, odd, plain }
}

/// A web address with a piece that may be a secret. If it is behind the host, all that follows the host is masked, because any sign
/// may be part of a secret.
fn in_address(text: &str, word: Range<usize>, known: &ShownIds, found: &mut Vec<PossibleSecret>) {
    let spelled = text.get(word.clone()).unwrap_or_default();
    let host = spelled.find("://").map_or(0, |at| at + 3);
    let path = spelled.get(host..).and_then(|rest| rest.find(['/', '?', '#']));
    let path = path.map_or(spelled.len(), |at| host + at);
    let may_be_secret = |part: &str, is_between: fn(&u8) -> bool| {
        let pieces = part.as_bytes().split(is_between);
        let pieces = pieces.filter_map(|piece| std::str::from_utf8(piece).ok());
        pieces.filter(|piece| piece.len() >= SHORT).any(|piece| !may_be_shown(piece, known))
    };
    let before = spelled.get(host..path).unwrap_or_default();
    let after = spelled.get(path..).unwrap_or_default();
    let is_sign = |byte: &u8| !(byte.is_ascii_alphanumeric() || b"-_.~+%".contains(byte));
    let is_limit = |byte: &u8| b"/?&=#".contains(byte);
    if may_be_secret(before, is_sign) {
        found.push(doubt(text, word.start + host..word.end, true));
    } else if may_be_secret(after, is_sign)
        || may_be_secret(after, is_limit)
        || after.split('/').any(has_odd_signs)
    {
        found.push(doubt(text, word.start + path + 1..word.end, true));
    }
}

/// Whether a segment of a path has several signs that addresses do not have, and letters and digits of all kinds between them.
fn has_odd_signs(segment: &str) -> bool {
    let has = |test: fn(&u8) -> bool| segment.as_bytes().iter().any(test);
    let is_odd = |byte: &u8| b"!$()*;<>[]^{|}`'\"".contains(byte);
    segment.bytes().filter(is_odd).count() > 1
        && !segment.contains("{{")
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
}

/// Without the punctuation around a word.
fn trimmed(source: &[u8], range: Range<usize>) -> Range<usize> {
    let word = source.get(range.clone()).unwrap_or_default();
    let Some(first) = word.iter().position(u8::is_ascii_alphanumeric) else {
        return range.start..range.start;
    };
    let last = word.iter().rposition(u8::is_ascii_alphanumeric).unwrap_or(first);
    range.start + first..range.start + last + 1
}

/// The length of the name before a value and of the signs between them: `session=`, `key":"`, `displayName=`.
fn name_length(word: &str) -> usize {
    const MIN_NAME: usize = 3;
    /// The same for a name with capital letters.
    const MIN_CAMEL: usize = 8;
    let source = word.as_bytes();
    let is_of_name = |byte: &&u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-');
    let name = source.iter().take_while(is_of_name).count();
    let (spelled, rest) = source.split_at_checked(name).unwrap_or_default();
    let quotes = rest.iter().take_while(|byte| matches!(byte, b'"' | b'\'')).count();
    if !matches!(rest.get(quotes), Some(b'=' | b':')) {
        return 0;
    }
    let has_capital = spelled.iter().any(u8::is_ascii_uppercase);
    let is_name = name >= (if has_capital { MIN_CAMEL } else { MIN_NAME })
        && spelled.first().is_some_and(u8::is_ascii_lowercase)
        && parts(spelled).all(|part| is_word(spelled.get(part).unwrap_or_default()));
    if !is_name {
        return 0;
    }
    let rest = rest.get(quotes + 1..).unwrap_or_default();
    let is_open = |byte: &&u8| matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b'[' | b'{' | b'(');
    name + quotes + 1 + rest.iter().take_while(is_open).count()
}

/// Whether this is the id of a key whose secret is masked already: `8f3a9c2b1d4e5f60:****************`.
fn is_id_of_masked(text: &str, end: usize, word: &str) -> bool {
    let is_of_id = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
    let (before, rest) = text.as_bytes().split_at_checked(end).unwrap_or_default();
    let secret = rest.get(..MIN_LENGTH);
    before.last() == Some(&b':')
        && word.bytes().all(is_of_id)
        && secret.is_some_and(|secret| secret.iter().all(|byte| *byte == b'*'))
}

/// Whether this consists of words in small letters with signs between them, as most names do. The first letter may be a capital.
fn has_plain_words(word: &[u8]) -> bool {
    let is_plain = |byte: &u8| !byte.is_ascii_uppercase() && !byte.is_ascii_digit();
    let is_word = |part: &[u8]| part.len() <= LONGEST_WORD && is_pronounceable(part);
    let is_one_word = || word.iter().all(u8::is_ascii_alphabetic);
    let Some((first, rest)) = word.split_first() else { return false };
    rest.iter().all(is_plain)
        && (is_plain(first) || is_one_word())
        && word.split(|byte| !byte.is_ascii_alphabetic()).all(is_word)
}

/// Whether the facts list a word, or it is a value or field of the service, possibly misspelled.
fn is_known(word: &str, known: &ShownIds) -> bool {
    /// No value or field of the service is longer.
    const MAX_WORD: usize = 48;
    static WORDS: LazyLock<Candidates> = LazyLock::new(|| Candidates::new(&known_words()));
    let is_of_name = |byte: u8| byte == b'+' || !is_unusual(byte);
    known.contains(word)
        || known.has_similar(word)
        || (word.len() <= MAX_WORD && word.bytes().all(is_of_name) && WORDS.has_near(word))
}

/// The fields of all tables, their allowed values, the time zones and the rules.
fn known_words() -> Vec<&'static str> {
    let mut words: Vec<&'static str> = names::all().chain(time_zones()).collect();
    words.extend(include_str!("rules.txt").lines().chain(group_names()));
    let mut tables: Vec<&'static Table> = DocumentKind::ALL.map(DocumentKind::table).to_vec();
    while let Some(table) = tables.pop() {
        for row in table.rows {
            match row.shape {
                Shape::Text(text) | Shape::List(Items::Texts(text)) => words.extend(text.choices),
                Shape::Map(Some(inner))
                | Shape::Entries(inner)
                | Shape::EntriesOrFirst(inner)
                | Shape::List(Items::Maps(inner)) => tables.push(inner),
                _ => {}
            }
        }
    }
    words.sort_unstable();
    words.dedup();
    words
}

/// The runs of letters and digits in a word.
fn parts(word: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = word.get(at..)?;
        let start = at + rest.iter().position(u8::is_ascii_alphanumeric)?;
        let rest = word.get(start..)?;
        let length = rest.iter().position(|byte| !byte.is_ascii_alphanumeric());
        at = start + length.unwrap_or(rest.len());
        Some(start..at)
    })
}

/// Whether the form of a word rules out that it is a secret.
fn is_harmless(word: &[u8]) -> bool {
    if is_like_a_number(word) || is_list_of_destinations(word) {
        return true;
    }
    let (mut all, mut odd, mut natural, mut count, mut mixed) = (0, 0, 0, 0, 0);
    for part in parts(word) {
        let part = word.get(part).unwrap_or_default();
        let is_ordinary = is_ordinary(part);
        let is_number = part.iter().all(u8::is_ascii_digit);
        let is_letters = part.iter().all(u8::is_ascii_alphabetic);
        all += part.len();
        count += 1;
        odd += if is_ordinary { 0 } else { part.len() };
        mixed += usize::from(!is_number && !is_letters && !is_numbered(part));
        // Two letters may be anything.
        let is_small = || part.iter().skip(1).all(u8::is_ascii_lowercase);
        let is_simple = || is_small() || part.iter().all(u8::is_ascii_uppercase);
        let is_natural = is_ordinary
            && (is_number || (is_letters && part.len() > 2 && is_simple()) || part.len() >= SHORT);
        natural += if is_natural { part.len() } else { 0 };
    }
    let is_of_group = |byte: &u8| matches!(byte, b'A'..=b'Z' | b'0'..=b'9' | b'-');
    if word.split(|byte| !is_of_group(byte)).any(are_groups_of_capitals) {
        return false;
    }
    if odd >= SHORT || (all >= SHORT && 2 * odd >= all) || (mixed >= 3 && 2 * mixed >= count) {
        return false;
    }
    if word.len() < SHORT + 2 {
        return true;
    }
    let has = |test: fn(&u8) -> bool| word.iter().any(test);
    let (has_digit, has_capital) = (has(u8::is_ascii_digit), has(u8::is_ascii_uppercase));
    let has_mustache = word.windows(2).any(|pair| matches!(pair, b"{{" | b"}}"));
    let is_suspicious = has_digit || (has_capital && !has_mustache);
    let unusual = word.iter().filter(|byte| is_unusual(**byte)).count();
    if is_suspicious && unusual > 0 && 4 * natural < 3 * all {
        return false;
    }
    let mixes_all = has_digit && has_capital && has(u8::is_ascii_lowercase);
    !(mixes_all && (2 * natural < all || (unusual > 2 && !has_mustache)))
}

/// Whether this consists of groups of one length, as serial numbers do: `V0VEO-FZZGE-QFICS`. The last one may be cut short.
fn are_groups_of_capitals(word: &[u8]) -> bool {
    const MIN_GROUP: usize = 4;
    let mut groups = word.split(|byte| *byte == b'-');
    let first = groups.next().unwrap_or_default().len();
    let count = 1 + groups.clone().count();
    let last = groups.next_back().unwrap_or_default().len();
    let is_of_one_length =
        first >= MIN_GROUP && last <= first && groups.all(|group| group.len() == first);
    let has_digit = word.iter().any(u8::is_ascii_digit);
    let has_capital = word.iter().any(u8::is_ascii_uppercase);
    is_of_one_length
        && (count > 3 || (count == 3 && has_digit))
        && has_capital
        && !word.iter().any(u8::is_ascii_lowercase)
}

/// Whether this is a time or a telephone number, possibly with a few letters.
fn is_like_a_number(word: &[u8]) -> bool {
    const MAX_LETTERS: usize = 4;
    let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let runs = word.chunk_by(|one, next| one.is_ascii_alphabetic() == next.is_ascii_alphabetic());
    let runs = runs.filter(|run| run.first().is_some_and(u8::is_ascii_alphabetic)).count();
    let is_time = letters <= 2 && digits > 2 * letters && word.contains(&b':');
    is_time || (runs <= 1 && letters <= MAX_LETTERS && digits >= SHORT && digits > letters)
}

/// Whether this is a list of transfer destinations: telephone numbers and the names of variables.
fn is_list_of_destinations(word: &[u8]) -> bool {
    let is_of_name = |byte: &u8| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'{' | b'}');
    let is_destination = |part: &[u8]| is_like_a_number(part) || part.iter().all(is_of_name);
    word.contains(&b'|') && word.split(|byte| *byte == b'|').all(is_destination)
}

/// Whether this is a small word or letter and its number, such as `item12` and `k81`.
fn is_numbered(part: &[u8]) -> bool {
    let letters = part.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    let number = part.get(letters..).unwrap_or_default();
    (letters == 1 || letters > 2) && number.len() <= 2 && number.iter().all(u8::is_ascii_digit)
}

/// Whether names, numbers and JSON do not have this sign.
const fn is_unusual(byte: u8) -> bool {
    let is_usual = matches!(
        byte,
        b'-' | b'_' | b'.' | b'/' | b':' | b',' | b'\'' | b'"' | b'{' | b'}' | b'[' | b']'
    );
    byte.is_ascii_punctuation() && !is_usual
}

/// Whether this is a number, a word, or words with short numbers.
fn is_ordinary(part: &[u8]) -> bool {
    /// The digits of a year.
    const MAX_NUMBER: usize = 4;
    /// The letters of a unit, such as `min`.
    const MAX_UNIT: usize = 3;
    let is_digit = |run: &[u8]| run.first().is_some_and(u8::is_ascii_digit);
    let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
    if digits == part.len() {
        return true;
    }
    if digits == 0 {
        return is_word(part);
    }
    if digits > 2 * MAX_NUMBER {
        return false;
    }
    let same = |one: &u8, next: &u8| one.is_ascii_digit() == next.is_ascii_digit();
    let runs: Vec<&[u8]> = part.chunk_by(same).take(MAX_NUMBER + 1).collect();
    match runs.as_slice() {
        // `10ms`, `4o`
        [number, unit] if is_digit(number) => {
            number.len() <= MAX_NUMBER && unit.len() <= MAX_UNIT && is_word(unit)
        }
        // `v2`, `secret1`, `order2024`
        [word, number] => number.len() <= MAX_NUMBER && is_word(word),
        // `31T10`, `1920x1080`
        [first, [_], last] if is_digit(first) => {
            first.len() <= MAX_NUMBER && last.len() <= MAX_NUMBER
        }
        // `addr1line2`, `isBase64Encoded`
        [first, ..] if !is_digit(first) => {
            let digits = runs.iter().filter(|run| is_digit(run)).map(|run| run.len()).max();
            let digits = digits.unwrap_or(0);
            // The more digits, the longer the words.
            let is_part = |run: &&[u8]| is_digit(run) || (run.len() > 1 + digits && is_word(run));
            let letters = || part.iter().copied().filter(u8::is_ascii_alphabetic);
            digits <= 2
                && runs.len() <= MAX_NUMBER
                && runs.iter().all(is_part)
                && is_pronounceable(&letters().collect::<Vec<_>>())
        }
        _ => false,
    }
}

/// Whether letters are written like a word and can be pronounced, or repeat one or two of them.
pub(crate) fn is_word(letters: &[u8]) -> bool {
    let other = letters.iter().find(|letter| Some(*letter) != letters.first());
    let is_one = |letter: &u8| Some(letter) == letters.first() || Some(letter) == other;
    let middle = letters.get(letters.len() / 2);
    let repeated = letters.iter().filter(|letter| Some(*letter) == middle).count();
    let is_monotonous = letters.iter().all(is_one) || 4 * repeated >= 3 * letters.len();
    let is_cased =
        || is_uniform_case(letters) || splits_into_words(letters) || is_camel_case(letters);
    is_monotonous || (letters.len() <= LONGEST_WORD && is_cased() && is_pronounceable(letters))
}

/// Whether capital letters only begin words, and words have four letters on average: `ifEquals`, `userId`.
fn is_camel_case(letters: &[u8]) -> bool {
    let capitals = letters.iter().filter(|letter| letter.is_ascii_uppercase()).count();
    let is_isolated = |pair: &[u8]| !pair.iter().all(u8::is_ascii_uppercase);
    letters.len() >= 4 * capitals && letters.windows(2).all(is_isolated)
}

/// The length of the longest word.
const LONGEST_WORD: usize = 40;

/// The length of the longest word that may be an abbreviation, whose letters can follow each other in any order.
const LONGEST_PLAIN: usize = 7;

/// How rare each pair of letters is in the words of eight languages with Latin letters: a row for each first letter.
const RARITY: [&[u8; 26]; 26] = [
    b"01004111011000412000001421", // a
    b"11440424144144144122244424", // b
    b"04040440021244044121144410", // c
    b"02420424042242044114122421", // d
    b"11100211001000102000111220", // e
    b"14421124144244144121244444", // f
    b"04420412144142044112144444", // g
    b"14440444144122144111242424", // h
    b"02010114201000021100112240", // i
    b"14221244242422244424244444", // j
    b"04440444022242044121142444", // k
    b"02210421042022124411124414", // l
    b"01420444044414014422144414", // m
    b"02000201021240022200222401", // n
    b"21110212121000012001020421", // o
    b"04441242144144014022244424", // p
    b"44444444444444444444144444", // q
    b"01110212041211024100122410", // r
    b"02020221020122112200122420", // s
    b"02240421012242044010122401", // t
    b"12121124112110224001222244", // u
    b"04440444144244144244424444", // v
    b"04241442044442144414244404", // w
    b"24444444244444444444444244", // x
    b"22022224211202424212441442", // y
    b"02220424142421124242142411", // z
];

/// Whether the pairs of letters of a word are common enough together. The longer a word, the closer it is to the average.
fn is_pronounceable(letters: &[u8]) -> bool {
    let most = match letters.len() {
        ..=LONGEST_PLAIN => return true,
        8..=9 => 230,
        10..=11 => 180,
        12..=15 => 130,
        16..=19 => 95,
        _ => 85,
    };
    let index = |letter: u8| usize::from(letter.to_ascii_lowercase().wrapping_sub(b'a'));
    let rarity = |(first, second): (&u8, &u8)| {
        let row = RARITY.get(index(*first))?;
        row.get(index(*second)).map(|digit| usize::from(digit - b'0'))
    };
    let sum: usize = letters.iter().zip(letters.iter().skip(1)).filter_map(rarity).sum();
    100 * sum <= most * (letters.len() - 1)
}

#[cfg(test)]
mod tests {
    use voxlint_testing::cases;
    use voxlint_testing::generated_inputs::Random;

    use super::{
        ShownIds, doubts, has_plain_words, in_part, is_harmless, is_one_word, known_words,
        mask_doubts,
    };

    fn shown(text: &str) -> String {
        mask_doubts(text, &ShownIds::default(), 0).into_owned()
    }

    #[test]
    fn words_numbers_and_names_are_shown() {
        for text in [
            "Greet the caller, {{first_name}}, and don't interrupt.",
            "responsibilities, internationalization and Donaudampfschifffahrtsgesellschaft",
            "Krankenversicherungskarte, wszystkich, namaskaar, responsabilidades",
            "https://api.example.com:8443/v2/orders?page=2&limit=50#top",
            "call +14155552671 between 10:30 and 18:00:00 on 2025-01-31T10:30:00.000+05:30",
            "gpt-4o-mini-2024-07-18, eleven_turbo_v2_5, nova-2-phonecall, en-US, hi-Latn",
            "{\"n1\":{\"x\":1,\"y\":-2.5},\"greeting\":{\"x\":100}}",
            "{{#if (eq plan \"gold\")}}VIP{{else}}regular{{/if}}",
            "<p>Hello</p><break time=\"1s\"/> and <b>goodbye</b>",
            "OAuth2, order2024, customer_name2, x-api-key, 1920x1080",
            "kb_pricing, wh_crm, ag_1, voice_9, front-desk@example.com",
            "/agent_functions/0/config/headers, agents/front-desk.en.json",
            "**important**, 50%/100%, $1,000.00, AT&T, C++, item[0].name, (s)he/they",
            "k81,k82,k83,k84, item1,item2,item3 and aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa38",
            "2025-01-31T09:30:00.00049Z, 2025-01-31T09:30:00+05:30, +1415555CALL, +14155552671x5",
            "{{#ifEquals kind \"vip\"}}Be quick.{{/ifEquals}} userId, C:\\lib\\{{#if a}}x{{/if}}",
        ] {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn what_the_service_knows_is_shown_even_if_it_is_misspelled() {
        for word in known_words() {
            assert_eq!(shown(word), word);
            for at in 0..word.len() {
                for typo in ["", "q", "7"] {
                    let mut text = word.to_owned();
                    text.replace_range(at..=at, typo);
                    assert!(word.len() < 8 || shown(&text) == text, "{text}");
                }
            }
        }
    }

    #[test]
    fn other_words_are_masked_in_the_middle() {
        for (text, masked) in [
            ("EXAVITQu4vr4xnSDxMaL", "EX****************aL"),
            ("f47ac10b-58cc-4372-a567-0e02b2c3d479.", "f4********************************79."),
            ("see kqjxvhwzpbmntrlsdfgcq!", "see kq*****************cq!"),
            ("session=8f3a9c2b1d4e5f60; Path=/", "session=**************60; Path=/"),
            (
                "https://example.com/v2/8f3a9c2b1d4e5f60/rooms",
                "https://example.com/v2*********************ms",
            ),
            ("a Tr0ub4dor&3#kP!x here", "a Tr************!x here"),
            ("{\"key\":\"Zk3vT9qLr2Xw8YbN\"}", "{\"key\":\"**************bN\"}"),
            ("Zk3vT9", "Zk****"),
            ("AKIANMTSYQU5DRTGIMRN", "AK****************RN"),
            ("kwgauiimidyem1ltojp3", "kw****************p3"),
            ("\"A3N4R-ETSGL-ENAWP-XBMUR-F…", "\"A3*********************-F…"),
        ] {
            assert_eq!(shown(text), masked);
        }
    }

    const PARTS: &str = "a as word Word WORD letters Letters kqjxvhwz Kqjxvhwz responsible qzxvwkjphgtr Zk3vT9 12 2024 . , : ; \
        ? ! \" ' ( ) - _ / = * *** <p> {{ \\ \\u{61} é";

    fn text(random: &mut Random, longest: usize, spaces: usize) -> String {
        let parts: Vec<&str> = PARTS.split_whitespace().collect();
        let count = random.below(longest);
        let part = |_| {
            if random.percent(spaces) {
                random.pick(&[" ", " ", "\n"])
            } else {
                random.pick(&parts)
            }
        };
        (0..count).map(part).collect()
    }

    #[test]
    fn no_doubt_is_in_the_runs_that_are_skipped() {
        let known = ShownIds::default();
        for seed in 0..cases(3_000, 100_000) {
            let text = text(&mut Random::new(seed), 60, 25);
            let mut all = Vec::new();
            in_part(&text, 0..text.len(), &known, is_one_word(&text), &mut all);
            assert_eq!(doubts(&text, &known), all, "{text}");
        }
    }

    #[test]
    fn plain_words_are_harmless() {
        for seed in 0..cases(10_000, 300_000) {
            let word = text(&mut Random::new(seed), 6, 0);
            assert!(!has_plain_words(word.as_bytes()) || is_harmless(word.as_bytes()), "{word}");
        }
    }
}
