//! Secrets that are recognised by their form, wherever they are.

use std::cell::LazyCell;
use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem;

use super::bytes::{is_secret_byte, is_token_byte, is_word_byte, word};
use super::field_names::{holds_ids, is_secret_name};
use super::kinds::{Form, is_random_key, is_telegram, kind_of, without_prefix};
use super::randomness::{
    MIN_RUN, has_long_letters, has_long_number, is_padded, is_placeholder, is_random,
    is_random_run, is_uuid, mixes, mixes_all, parts,
};

/// The minimum length of a key or token. Shorter ones are ports, times and ratios.
pub(crate) const MIN_LENGTH: usize = 16;

/// The minimum length of a secret after the name of one, as in `api_key=…`.
const MIN_NAMED: usize = 6;

/// The maximum number of characters that are examined to decide whether a text is a key.
const MAX_EXAMINED: usize = 128;

/// The text before the colon of a digest.
const DIGESTS: [&str; 16] = [
    "sha", "sha1", "sha224", "sha256", "sha384", "sha512", "sha-1", "sha-256", "sha-512", "md5",
    "blake2b", "blake3", "digest", "checksum", "etag", "commit",
];

/// The text before the colon of an id or an address, which are not secret.
const LABELS: [&str; 40] = [
    "id", "ids", "uuid", "guid", "ref", "number", "version", "voice", "agent", "model", "order",
    "ticket", "session", "trace", "call", "file", "image", "asset", "campaign", "template",
    "workflow", "node", "region", "zone", "arn", "urn", "tel", "sip", "sips", "mailto", "data",
    "blob", "tag", "build", "release", "branch", "hash", "path", "http", "https",
];

/// How certain it is that a text is a secret.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Evidence {
    /// Enough to mask it, and not enough for a finding.
    Weak,
    /// Enough for a finding.
    Likely,
    /// Nothing else has this form.
    Certain,
}

/// A secret in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secret {
    /// The bytes of the text.
    pub range: Range<usize>,
    pub evidence: Evidence,
}

impl Secret {
    fn certain(range: Range<usize>) -> Self {
        Self { range, evidence: Evidence::Certain }
    }

    /// Whether it deserves a finding.
    pub fn is_likely(&self) -> bool {
        self.evidence > Evidence::Weak
    }
}

/// How a text is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spelling {
    /// Without escapes.
    Decoded,
    /// As in a file: a backslash may begin an escape.
    Source,
}

/// The secrets in a text, in the order of the text. None overlaps another.
pub(crate) fn find(text: &str, spelling: Spelling) -> Vec<Secret> {
    let mut found = Vec::new();
    tokens(text, spelling, &mut found);
    assignments(text, &mut found);
    private_keys(text, &mut found);
    merge(&mut found);
    found
}

/// Puts secrets in the order of the text, and joins those that overlap.
pub(crate) fn merge(found: &mut Vec<Secret>) {
    if found.len() < 2 {
        return;
    }
    found.sort_by_key(|secret| secret.range.start);
    found.dedup_by(|next, kept| {
        let overlaps = next.range.start < kept.range.end;
        if overlaps {
            kept.range.end = kept.range.end.max(next.range.end);
            kept.evidence = kept.evidence.max(next.evidence);
        }
        overlaps
    });
}

/// Finds keys and tokens: runs of at least [`MIN_LENGTH`] token bytes.
fn tokens(text: &str, spelling: Spelling, found: &mut Vec<Secret>) {
    for run in long_runs(text.as_bytes(), spelling) {
        in_long_run(text, run, spelling, found);
    }
}

/// The runs of at least [`MIN_LENGTH`] token bytes.
///
/// Such a run contains a whole block of half its length, and few blocks of prose have neither a space nor punctuation. So most
/// blocks need one comparison.
fn long_runs(source: &[u8], spelling: Spelling) -> impl Iterator<Item = Range<usize>> {
    let (blocks, _) = source.as_chunks::<BLOCK>();
    let mut until = 0;
    blocks.iter().enumerate().filter_map(move |(index, block)| {
        let at = index * BLOCK;
        if at < until || !is_dense(*block) {
            return None;
        }
        let run = run_around(source, at);
        until = run.end;
        // Blocks of backslashes are dense, and their runs are empty: none of them may look at all that comes before it.
        if run.len() < MIN_LENGTH {
            return None;
        }
        let start = run.start + escape_before(source, &run, spelling);
        (start + MIN_LENGTH <= run.end).then_some(start..run.end)
    })
}

/// The long random runs in a text, which are masked and deserve no finding. One after the name of an id or a digest is none, as in
/// `sha256:…` and `commit 8f3a…`.
pub(crate) fn random_runs(text: &str, spelling: Spelling) -> Vec<Secret> {
    let source = text.as_bytes();
    let is_random = |range: &Range<usize>| {
        source.get(range.clone()).is_some_and(is_random_run)
            && !text.get(range.clone()).is_some_and(is_placeholder)
    };
    let mut found = Vec::new();
    for run in long_runs(source, spelling).filter(|run| run.len() >= MIN_RUN) {
        let bytes = source.get(run.clone()).unwrap_or_default();
        // The path of an address has ids. Its query is another run.
        if address_in(bytes).is_some() {
            continue;
        }
        let mut name = label_before(text, run.start);
        for part in ranges(bytes, run.start, |byte| !matches!(byte, b':' | b'=')) {
            let value = text.get(part.clone()).unwrap_or_default();
            let before = std::mem::replace(&mut name, value);
            if DIGESTS.contains(&before) || holds_ids(before) {
                continue;
            }
            // One kind of base64 has slashes as well, and neither dots nor hyphens.
            let is_path = value.contains('/') && value.contains(['.', '-', '_']);
            let parts = ranges(value.as_bytes(), part.start, |byte| !(is_path && byte == b'/'));
            let random = parts.filter(|part| {
                let has_random = || {
                    let bytes = source.get(part.clone()).unwrap_or_default();
                    ranges(bytes, part.start, is_word_byte).any(|word| is_random(&word))
                };
                is_random(part) || has_random()
            });
            found.extend(
                random
                    .map(|part| Secret { range: trimmed(source, part), evidence: Evidence::Weak }),
            );
        }
    }
    found
}

/// The word before a text, with spaces and quotes between them: `commit 8f3a…`, `"calendar_id": "…"`.
fn label_before(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or_default();
    let before = before.trim_end_matches([' ', ':', '=', '"', '\'', '`', '*', '\\']);
    let is_word = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | '-');
    let length = before.chars().rev().take(MAX_NAME).take_while(|it| is_word(*it)).count();
    before.get(before.len() - length..).unwrap_or_default()
}

/// The ranges of a text, which begins at an offset, of which all bytes pass a test.
fn ranges(
    text: &[u8],
    offset: usize,
    is_inside: impl Fn(u8) -> bool,
) -> impl Iterator<Item = Range<usize>> {
    let mut at = offset;
    text.split(move |byte| !is_inside(*byte)).filter_map(move |part| {
        let start = at;
        at += part.len() + 1;
        (!part.is_empty()).then_some(start..start + part.len())
    })
}

fn in_long_run(text: &str, run: Range<usize>, spelling: Spelling, found: &mut Vec<Secret>) {
    let source = text.as_bytes();
    let scheme = scheme_before(source.get(..run.start).unwrap_or_default(), spelling);
    let token = trimmed(source, run.clone());
    if let Some(evidence) = scheme.and_then(|scheme| evidence_after(scheme, text, &token)) {
        found.push(Secret { range: token, evidence });
    }
    // The form of the token may say more than the word before it. The two are merged.
    in_run(text, run, found);
}

/// The token bytes around an offset.
pub(crate) fn run_around(source: &[u8], at: usize) -> Range<usize> {
    let (before, after) = source.split_at_checked(at).unwrap_or_default();
    let start = at - before.iter().rev().take_while(|byte| is_token_byte(**byte)).count();
    let end = at + after.iter().take_while(|byte| is_token_byte(**byte)).count();
    start..end
}

/// The length of a block: half of [`MIN_LENGTH`].
const BLOCK: usize = 8;

/// Whether all bytes of a block are between `+`, the first of the token bytes, and the last character of ASCII.
fn is_dense(block: [u8; BLOCK]) -> bool {
    /// The same byte eight times.
    const fn all(byte: u8) -> u64 {
        u64::from_le_bytes([byte; BLOCK])
    }
    let block = u64::from_le_bytes(block);
    // The sum has the high bit of each byte from `+` on. If a byte is not ASCII, its carry changes the next one, but then the
    // block is not dense anyway.
    block.wrapping_add(all(0x80 - b'+')) & !block & all(0x80) == all(0x80)
}

/// The number of bytes at the start of a run that belong to an escape.
pub(crate) fn escape_before(source: &[u8], run: &Range<usize>, spelling: Spelling) -> usize {
    if spelling == Spelling::Decoded {
        return 0;
    }
    let before = source.get(..run.start).unwrap_or_default();
    // An escaped backslash does not begin another escape.
    if before.iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 0 {
        return 0;
    }
    match source.get(run.start) {
        Some(b'u') => 5,
        Some(b'x') => 3,
        Some(b'U') => 9,
        Some(b'b' | b'f' | b'n' | b'r' | b't' | b'e' | b'a' | b'v' | b'0') => 1,
        _ => 0,
    }
}

/// An authentication scheme before a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scheme {
    Bearer,
    Basic,
}

/// The scheme before a token, if there is white space between them.
fn scheme_before(before: &[u8], spelling: Spelling) -> Option<Scheme> {
    let rest = before_space(before, spelling)?;
    let ends = |word: &[u8]| {
        let start = rest.len().checked_sub(word.len())?;
        let is_it = rest.get(start..)?.eq_ignore_ascii_case(word);
        let before = start.checked_sub(1).and_then(|at| rest.get(at));
        (is_it && !before.is_some_and(u8::is_ascii_alphanumeric)).then_some(())
    };
    ends(BEARER).map(|()| Scheme::Bearer).or_else(|| ends(BASIC).map(|()| Scheme::Basic))
}

/// Whether a text that is written as in a file may end with a scheme and white space. An escape may look like the letter before the
/// scheme.
pub(crate) fn may_end_with_scheme(before: &[u8]) -> bool {
    before_space(before, Spelling::Source).is_some_and(|rest| {
        [BEARER, BASIC].iter().any(|word| {
            let start = rest.len().saturating_sub(word.len());
            rest.get(start..).is_some_and(|end| end.eq_ignore_ascii_case(word))
        })
    })
}

const BEARER: &[u8] = b"bearer";
const BASIC: &[u8] = b"basic";

/// What is before the white space at the end of a text, and before a sign there; `None` if there is no white space.
fn before_space(text: &[u8], spelling: Spelling) -> Option<&[u8]> {
    let mut rest = text;
    loop {
        if let [head @ .., b' ' | b'\t' | b'\n' | b'\r'] = rest {
            rest = head;
        } else if let ([head @ .., b'\\', b'n' | b't' | b'r'], Spelling::Source) = (rest, spelling)
        {
            rest = head;
        } else {
            break;
        }
    }
    if rest.len() == text.len() {
        return None;
    }
    match rest {
        [head @ .., b':' | b'='] => Some(head),
        _ => Some(rest),
    }
}

fn evidence_after(scheme: Scheme, text: &str, token: &Range<usize>) -> Option<Evidence> {
    let shown = text.get(token.clone())?;
    let token = shown.as_bytes();
    if token.len() < MIN_LENGTH || is_placeholder(shown) {
        return None;
    }
    let is_likely = is_random(token) || (scheme == Scheme::Bearer && mixes(token));
    if is_likely {
        return Some(Evidence::Likely);
    }
    let is_prose = token.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'-');
    let is_weak = scheme == Scheme::Bearer && (!is_prose || has_long_letters(token));
    is_weak.then_some(Evidence::Weak)
}

/// The secrets in a run of bytes without a space.
fn in_run(text: &str, run: Range<usize>, found: &mut Vec<Secret>) {
    let source = text.as_bytes();
    let address = || source.get(run.clone()).and_then(address_in).map(|at| run.start + at);
    let address = LazyCell::new(address);
    let mut at = run.start;
    while at < run.end {
        let end = at + word(source, at);
        if end == at {
            at += 1;
            continue;
        }
        let name = source.get(at..end).unwrap_or_default();
        let token = || web_token(source, at, end).or_else(|| prefixed(text, at, end));
        let other = || without_prefix(source, at).map(Secret::certain);
        if let Some(secret) = token().or_else(other) {
            at = secret.range.end.max(end);
            found.push(secret);
            continue;
        }
        if source.get(end) == Some(&b':') && !address.is_some_and(|address| at >= address) {
            let rest = source.get(end + 1..).unwrap_or_default();
            let length = rest.iter().take_while(|byte| is_secret_byte(**byte)).count();
            let secret = trimmed(source, end + 1..end + 1 + length);
            // A known form after the colon says more than the place.
            let second = end + 1 + word(source, end + 1);
            if let Some(known) =
                web_token(source, end + 1, second).or_else(|| prefixed(text, end + 1, second))
            {
                at = known.range.end.max(second);
                found.push(known);
                continue;
            }
            if is_telegram(name, source.get(secret.clone()).unwrap_or_default()) {
                at = secret.end;
                found.push(Secret::certain(secret));
                continue;
            }
            if let Some(evidence) = text.get(secret.clone()).and_then(|it| of_a_key(name, it)) {
                at = secret.end;
                found.push(Secret { range: secret, evidence });
                continue;
            }
        }
        at = end + 1;
    }
}

/// Where a web address begins in a run.
fn address_in(run: &[u8]) -> Option<usize> {
    let at = memmem::find(run, b"://")?;
    let before = run.get(..at).unwrap_or_default();
    let letters = before.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    // A scheme with a digit, such as `s3`, is too short for the id of a key.
    let scheme = if before.ends_with(b"s3") { 2 } else { letters };
    let host = run.get(at + 3..).unwrap_or_default();
    let host = host.split(|byte| matches!(byte, b'/' | b':')).next().unwrap_or_default();
    let is_host = host.contains(&b'.') && !host.iter().any(u8::is_ascii_uppercase);
    // A base64 secret may begin with two slashes, and its padding occurs only in a query.
    let is_padded = run.ends_with(b"=") && !run.contains(&b'?');
    (scheme > 0 && (is_host || (!is_padded && !is_random(host)))).then_some(at - scheme)
}

/// A signed token of three parts, of which the first two are JSON.
fn web_token(source: &[u8], start: usize, first: usize) -> Option<Secret> {
    let begins = |at: usize| source.get(at..).is_some_and(|rest| rest.starts_with(b"eyJ"));
    if !begins(start) || first - start < 10 || source.get(first) != Some(&b'.') {
        return None;
    }
    let second = first + 1 + word(source, first + 1);
    if second - first < 8 {
        return None;
    }
    let end = match source.get(second) {
        Some(b'.') => second + 1 + word(source, second + 1),
        _ => second,
    };
    let evidence = if begins(first + 1) { Evidence::Certain } else { Evidence::Likely };
    Some(Secret { range: start..end, evidence })
}

/// A key that begins as those of a well-known service do.
fn prefixed(text: &str, start: usize, end: usize) -> Option<Secret> {
    let source = text.as_bytes();
    let (prefix, form) = kind_of(source.get(start..)?)?;
    let after = start + prefix.len();
    let rest = source.get(end.max(after)..).unwrap_or_default();
    // Only the beginning decides, so that long texts are not examined again and again.
    let more = rest.iter().take(MAX_EXAMINED).take_while(|byte| is_secret_byte(**byte)).count();
    let whole = text.get(trimmed(source, start..end.max(after) + more))?;
    let body = whole.get(prefix.len()..)?;
    let is_key = match form {
        Form::Exact(is_it) => is_it(body.as_bytes()),
        Form::Path => body.len() >= MIN_LENGTH && mixes(body.as_bytes()),
        Form::Random | Form::Public => {
            is_random_key(body.as_bytes())
                || has_long_letters(body.as_bytes())
                || has_long_number(body.as_bytes())
        }
    };
    // By chance, the parts of a key may look like short words.
    let may_be_key = is_key
        || (matches!(form, Form::Random | Form::Public)
            && mixes(body.as_bytes())
            && mixes_case(body.as_bytes()));
    if whole.len() < MIN_LENGTH || !may_be_key || is_placeholder(body) || is_placeholder(whole) {
        return None;
    }
    let is_path = matches!(form, Form::Path);
    let is_part = |byte: &&u8| is_secret_byte(**byte) || (is_path && **byte == b'@');
    let more = rest.iter().take_while(is_part).count();
    let start = if is_path { after } else { start };
    let range = trimmed(source, start..end.max(after) + more);
    let evidence = match form {
        _ if !is_key => Evidence::Weak,
        // These keys are not strictly secret.
        Form::Public => Evidence::Likely,
        _ => Evidence::Certain,
    };
    Some(Secret { range, evidence })
}

/// Whether `<id>:<secret>` is a key (authentication, rule 2).
fn of_a_key(id: &[u8], shown: &str) -> Option<Evidence> {
    let secret = shown.as_bytes();
    if secret.len() < MIN_LENGTH || is_placeholder(shown) {
        return None;
    }
    let is_key = is_key_id(id);
    let digits = secret.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_base64 = secret.iter().any(|byte| matches!(byte, b'+' | b'='));
    let may_be_port = !is_key && !is_base64 && (2..=5).contains(&digits);
    let is_port = may_be_port && secret.get(digits) == Some(&b'/');
    if is_port && !secret.iter().any(u8::is_ascii_uppercase) {
        return None;
    }
    let last = id.rsplit(|byte| matches!(byte, b'_' | b'-')).next().unwrap_or(id);
    let is = |words: &[&str], name: &[u8]| {
        words.iter().any(|word| word.as_bytes().eq_ignore_ascii_case(name))
    };
    // The first part of a version, as in `1:2.39.5-0+deb12u2`, or an hour.
    let is_short_number = id.len() <= 4 && id.iter().all(u8::is_ascii_digit);
    if is(&DIGESTS, id) || is_short_number || (!is_key && (is(&LABELS, last) || is_uuid(secret))) {
        return None;
    }
    if !is_random(secret) && !is_padded(secret) {
        let is_long = secret.len() >= MIN_LENGTH && parts(secret).count() == 1;
        // A name that begins with `key_` has a name of words as well.
        let is_name = !is_random(id) && !mixes_all(secret) && parts(secret).count() > 2;
        return if is_key && (mixes(secret) || is_long) {
            Some(if is_name { Evidence::Weak } else { Evidence::Likely })
        } else if has_long_letters(secret) && parts(secret).any(|part| part.len() > 24) {
            Some(Evidence::Weak)
        } else {
            None
        };
    }
    let is_mixed = parts(secret).any(|part| part.len() >= 8 && mixes_all(part));
    let is_likely = is_key || is_base64 || (is_mixed && !is_port);
    Some(if is_likely { Evidence::Likely } else { Evidence::Weak })
}

/// Whether this looks like the id of a key, and not like a word.
fn is_key_id(id: &[u8]) -> bool {
    let begins =
        |word: &[u8]| id.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word));
    (id.len() >= 6 && mixes(id) && is_random(id))
        || (id.len() >= 12 && mixes(id) && id.iter().all(u8::is_ascii_hexdigit))
        || begins(b"key_")
        || begins(b"key-")
        || id.eq_ignore_ascii_case(b"key")
}

/// Finds secrets after the name of one, as in `api_key=…` and `"password": "…"`, and passwords in web addresses.
fn assignments(text: &str, found: &mut Vec<Secret>) {
    let source = text.as_bytes();
    let mut until = 0;
    for at in memchr::memchr2_iter(b'=', b':', source) {
        if at < until {
            continue;
        }
        if source.get(at..at + 3) == Some(b"://") {
            found.extend(password(text, at + 3));
            continue;
        }
        let Some(name) = name_before(source, at, MAX_NAME) else { continue };
        let before = source.get(..name.start).unwrap_or_default();
        let is_in_list = matches!(before, [.., b'?' | b'&' | b';'] | [.., b';', b' ']);
        if !text.get(name).is_some_and(is_secret_name) {
            continue;
        }
        let is_equals = source.get(at) == Some(&b'=');
        if let Some(list) = list_after(source, at + 1) {
            until = list.end;
            found.extend(secrets_in_list(text, list, is_equals));
            continue;
        }
        if let Some(range) = groups_after(source, at + 1, before) {
            until = range.end;
            found.push(Secret { range, evidence: Evidence::Likely });
            continue;
        }
        let value = value_after(text, at + 1, is_equals);
        // A value without quotes has the same end for every name in it.
        until = value.until;
        found.extend(value.secret.map(|secret| match text.get(secret.range.clone()) {
            // In a web address or a connection string, even a short code after such a name is used to log in.
            Some(code) if is_in_list && is_equals && mixes(code.as_bytes()) => {
                Secret { evidence: secret.evidence.max(Evidence::Likely), ..secret }
            }
            _ => secret,
        }));
    }
}

/// The maximum length of a name before a sign.
pub(crate) const MAX_NAME: usize = 64;

/// The name before a `=` or a `:`, of at most so many bytes.
pub(crate) fn name_before(source: &[u8], at: usize, max_length: usize) -> Option<Range<usize>> {
    let byte = |at: usize| at.checked_sub(1).and_then(|before| source.get(before));
    let mut end = at;
    while end > at.saturating_sub(3) && byte(end) == Some(&b' ') {
        end -= 1;
    }
    if matches!(byte(end), Some(b'"' | b'\'' | b'`' | b']')) {
        end -= 1;
        while matches!(byte(end), Some(b'"' | b'\'' | b'\\')) {
            end -= 1;
        }
    }
    let mut start = end;
    while end - start <= max_length && byte(start).is_some_and(|byte| is_word_byte(*byte)) {
        start -= 1;
    }
    (3..=max_length).contains(&(end - start)).then_some(start..end)
}

/// The value after a name.
struct AssignedValue {
    secret: Option<Secret>,
    /// The offset up to which the text has been searched.
    until: usize,
}

fn value_after(text: &str, at: usize, is_equals: bool) -> AssignedValue {
    let source = text.as_bytes();
    let gap = source.get(at..).unwrap_or_default().iter();
    let gap = gap.take_while(|byte| matches!(byte, b' ' | b'\t' | b'=' | b'>' | b':')).count();
    let start = at + gap;
    let is_attached = is_equals && gap == 0;
    let escaped = source.get(start) == Some(&b'\\');
    let open = start + usize::from(escaped);
    let quote = source.get(open).copied().filter(|byte| matches!(byte, b'"' | b'\'' | b'`'));
    let (range, until) = match quote {
        Some(quote) => (quoted(source, open + 1, quote, escaped), at),
        None if escaped => return AssignedValue { secret: None, until: at },
        None => {
            let range = unquoted(source, start);
            (range.clone(), range.end)
        }
    };
    let evidence = text
        .get(range.clone())
        .and_then(|value| of_named(value, is_equals, is_attached || quote.is_some()));
    AssignedValue { secret: evidence.map(|evidence| Secret { range, evidence }), until }
}

/// A password for one app after a name, as services generate it: four groups of four small letters. Words of a sentence have vowels.
fn groups_after(source: &[u8], at: usize, before: &[u8]) -> Option<Range<usize>> {
    const LENGTH: usize = 4 * 4 + 3;
    let rest = source.get(at..)?;
    let gap = rest.iter().take(3).take_while(|byte| matches!(byte, b' ' | b'"' | b'\'')).count();
    let start = at + gap;
    let password = source.get(start..start + LENGTH)?;
    let mut groups = password.split(|byte| matches!(byte, b' ' | b'-'));
    let are_groups =
        groups.clone().all(|group| group.len() == 4 && group.iter().all(u8::is_ascii_lowercase));
    let is_whole = !source.get(start + LENGTH).is_some_and(|byte| is_word_byte(*byte));
    let is_of_app = matches!(before, [.., b'a' | b'A', b'p' | b'P', b'p' | b'P', b' ' | b'-']);
    let is_it = are_groups
        && is_whole
        && (is_of_app || groups.any(|group| !group.iter().any(|byte| b"aeiouy".contains(byte))));
    is_it.then_some(start..start + LENGTH)
}

/// The list after a name, on the same line or the next one: `["…", "…"]`. A long one is not read to its end.
fn list_after(source: &[u8], at: usize) -> Option<Range<usize>> {
    const MAX_LIST: usize = 4 * 1024;
    let rest = source.get(at..)?;
    let gap = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).take(64).count();
    let items = rest.get(gap..)?.strip_prefix(b"[")?;
    let items = items.get(..MAX_LIST).unwrap_or(items);
    let start = at + gap + 1;
    Some(start..start + memchr::memchr(b']', items).unwrap_or(items.len()))
}

/// The secrets between quotes in a list after the name of a secret.
fn secrets_in_list(text: &str, list: Range<usize>, is_equals: bool) -> Vec<Secret> {
    let source = text.as_bytes();
    let mut found = Vec::new();
    let mut at = list.start;
    while let Some(rest) = source.get(at..list.end) {
        let Some(open) = memchr::memchr3(b'"', b'\'', b'`', rest).map(|open| at + open) else {
            break;
        };
        let quote = source.get(open).copied().unwrap_or_default();
        let range = quoted(source, open + 1, quote, false);
        at = range.end + 1;
        let evidence = text.get(range.clone()).and_then(|value| of_named(value, is_equals, true));
        found.extend(evidence.map(|evidence| Secret { range, evidence }));
    }
    found
}

/// The characters up to the closing quote, or to the end of the line.
fn quoted(source: &[u8], from: usize, quote: u8, escaped: bool) -> Range<usize> {
    let rest = source.get(from..).unwrap_or_default();
    let length = memchr::memchr2(quote, b'\n', rest).unwrap_or(rest.len());
    let ends_escaped = escaped && length > 0 && rest.get(length - 1) == Some(&b'\\');
    from..from + length - usize::from(ends_escaped)
}

/// The characters up to the next space or bracket, without an authentication scheme before them.
fn unquoted(source: &[u8], from: usize) -> Range<usize> {
    const SCHEMES: [&[u8]; 5] = [b"bearer", b"basic", b"token", b"digest", b"apikey"];
    let count = |from: usize, is_one: fn(u8) -> bool| {
        let rest = source.get(from..).unwrap_or_default();
        rest.iter().take_while(|byte| is_one(**byte)).count()
    };
    let mut start = from;
    let mut end = start + count(start, is_value_byte);
    let word = source.get(start..end).unwrap_or_default();
    if SCHEMES.iter().any(|scheme| scheme.eq_ignore_ascii_case(word)) {
        start = end + count(end, |byte| byte == b' ');
        end = start + count(start, is_value_byte);
    }
    while end > start && matches!(source.get(end - 1), Some(b'.' | b':' | b'!' | b'?')) {
        end -= 1;
    }
    start..end
}

/// Whether a value after the name of a secret is one.
fn of_named(shown: &str, is_equals: bool, is_tied: bool) -> Option<Evidence> {
    let value = shown.as_bytes();
    if value.len() < MIN_NAMED || is_placeholder(shown) || shown.contains("{{") {
        return None;
    }
    if value.contains(&b' ') {
        // A phrase is a secret only between quotes, which tell where it ends.
        return (is_equals && value.len() >= MIN_LENGTH).then_some(Evidence::Weak);
    }
    if value.len() >= MIN_LENGTH && is_random(value) {
        return Some(Evidence::Likely);
    }
    let is_code = mixes(value) || mixes_case(value) || value.iter().any(|byte| is_symbol(*byte));
    let is_weak = (is_code && value.len() >= MIN_NAMED + 2)
        || has_long_letters(value)
        || (is_tied && (is_code || value.len() >= 2 * MIN_NAMED));
    is_weak.then_some(Evidence::Weak)
}

fn mixes_case(value: &[u8]) -> bool {
    let rest = value.get(1..).unwrap_or_default();
    rest.iter().any(u8::is_ascii_uppercase) && value.iter().any(u8::is_ascii_lowercase)
}

/// The password in a web address, `https://name:password@host`, after its slashes.
fn password(text: &str, from: usize) -> Option<Secret> {
    const MAX_ADDRESS: usize = 512;
    let rest = text.as_bytes().get(from..)?;
    let authority = authority(rest.get(..MAX_ADDRESS).unwrap_or(rest));
    let sign = memchr::memrchr(b'@', authority)?;
    let colon = memchr::memchr(b':', authority).filter(|colon| *colon < sign)?;
    let range = from + colon + 1..from + sign;
    let password = text.get(range.clone())?;
    let is_word = ["password", "passwd", "pass", "pw", "secret", "pwd", "token", "port"]
        .iter()
        .any(|word| word.eq_ignore_ascii_case(password));
    if password.len() < 3 || is_word || is_placeholder(password) || password.contains("{{") {
        return None;
    }
    Some(Secret { range, evidence: Evidence::Likely })
}

/// The name, password and host of a web address, after its slashes.
pub(crate) fn authority(address: &[u8]) -> &[u8] {
    let ends = |byte: &u8| {
        byte.is_ascii_whitespace()
            || matches!(byte, b'/' | b'?' | b'#' | b'"' | b'\'' | b'<' | b'>' | b'`')
    };
    let length = address.iter().position(ends).unwrap_or(address.len());
    address.get(..length).unwrap_or_default()
}

/// How the line before a private key begins.
const KEY_BEGIN: &[u8] = b"-----BEGIN";
/// How the line before a private key ends, apart from dashes and `BLOCK`.
const KEY_MARK: &[u8] = b"PRIVATE KEY";
/// Finds [`KEY_MARK`].
static KEY_FINDER: LazyLock<memmem::Finder<'static>> =
    LazyLock::new(|| memmem::Finder::new(KEY_MARK));

/// Whether a text is long enough for a private key and has the end of its marker.
pub(crate) fn has_private_key(source: &[u8]) -> bool {
    source.len() >= KEY_BEGIN.len() + KEY_MARK.len() + MIN_LENGTH
        && KEY_FINDER.find(source).is_some()
}

/// Finds private keys between their markers.
fn private_keys(text: &str, found: &mut Vec<Secret>) {
    const MAX_BODY: usize = 16 * 1024;
    let source = text.as_bytes();
    if !has_private_key(source) {
        return;
    }
    let mut until = 0;
    for at in KEY_FINDER.find_iter(source) {
        if at < until {
            continue;
        }
        let line = source.get(at.saturating_sub(24)..at).unwrap_or_default();
        if memmem::find(line, KEY_BEGIN).is_none() {
            continue;
        }
        let end = source.get(at + KEY_MARK.len()..).unwrap_or_default();
        let dashes = if end.starts_with(b" BLOCK-----") { 11 } else { 5 };
        if !end.get(..dashes).is_some_and(|end| end.ends_with(b"-----")) {
            continue;
        }
        let from = at + KEY_MARK.len() + dashes;
        let rest = source.get(from..).unwrap_or_default();
        let rest = rest.get(..MAX_BODY).unwrap_or(rest);
        let length = memmem::find(rest, b"-----END").unwrap_or(rest.len());
        let body = rest.get(..length).unwrap_or_default();
        if body.iter().filter(|byte| byte.is_ascii_alphanumeric()).count() >= MIN_LENGTH {
            let mut end = from + length;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            until = end;
            found.push(Secret { range: from..end, evidence: Evidence::Certain });
        }
    }
}

/// The range without the end of a sentence.
fn trimmed(source: &[u8], range: Range<usize>) -> Range<usize> {
    let mut end = range.end;
    while end > range.start && matches!(source.get(end - 1), Some(b'.' | b':')) {
        end -= 1;
    }
    range.start..end
}

/// Bytes of a value without quotes.
const fn is_value_byte(byte: u8) -> bool {
    byte.is_ascii_graphic()
        && !matches!(
            byte,
            b',' | b';'
                | b'&'
                | b'"'
                | b'\''
                | b'`'
                | b'<'
                | b'>'
                | b'{'
                | b'}'
                | b'('
                | b')'
                | b'['
                | b']'
                | b'|'
                | b'\\'
        )
}

const fn is_symbol(byte: u8) -> bool {
    matches!(byte, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'*' | b'+' | b'=')
}

/// The secret in the value of a field with the name of one.
pub(crate) fn of_value(text: &str) -> Option<Secret> {
    let start = text.len() - without_scheme(text).len();
    let value = text.get(start..)?;
    if value.trim().is_empty() || is_placeholder(value) {
        return None;
    }
    let bytes = value.as_bytes();
    let is_likely = bytes.len() >= MIN_LENGTH && !bytes.contains(&b' ') && is_random(bytes);
    let evidence = if is_likely { Evidence::Likely } else { Evidence::Weak };
    Some(Secret { range: start..text.len(), evidence })
}

/// The value without an authentication scheme.
fn without_scheme(text: &str) -> &str {
    const SCHEMES: [&str; 3] = ["bearer", "basic", "token"];
    match text.split_once(' ') {
        Some((scheme, rest)) if SCHEMES.iter().any(|it| it.eq_ignore_ascii_case(scheme)) => rest,
        _ => text,
    }
}

/// Whether a run of token bytes may be a key or a token. Most are words in small letters, such as `customer_name`, or one word
/// that does not begin as a key does, such as an id.
pub(crate) fn is_run_of_secret(source: &[u8], run: &Range<usize>) -> bool {
    if run.len() < MIN_LENGTH {
        return false;
    }
    let start = run.start + escape_before(source, run, Spelling::Source);
    let begins = |start: usize| {
        source.get(start..).and_then(kind_of).is_some() || without_prefix(source, start).is_some()
    };
    let words = source.get(run.clone()).unwrap_or_default();
    let is_harmless = is_of_small_words(words)
        || (words.iter().all(|byte| is_word_byte(*byte)) && !begins(start) && !begins(run.start));
    let before = source.get(..start).unwrap_or_default();
    !is_harmless || may_end_with_scheme(before)
}

/// Whether a run consists of short words in small letters.
fn is_of_small_words(words: &[u8]) -> bool {
    let is_plain =
        |byte: &u8| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-' | b'.' | b'/');
    words.iter().all(is_plain) && !has_long_letters(words)
}
