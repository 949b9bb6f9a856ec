//! Lines, sentences and words of prompts, as ranges of bytes.

use std::ops::Range;

use super::{Words, words};

/// The lines of a text, without their line ends.
pub fn lines(text: &str) -> impl Iterator<Item = Range<usize>> {
    let last = (!text.is_empty() && !text.ends_with('\n')).then_some(text.len());
    let mut start = 0;
    memchr::memchr_iter(b'\n', text.as_bytes()).chain(last).map(move |end| {
        let is_crlf = text.get(start..end).is_some_and(|line| line.ends_with('\r'));
        let range = start..end - usize::from(is_crlf);
        start = end + 1;
        range
    })
}

/// The number of bytes before and after a place that are looked at. Sentences are shorter, and a text without line ends
/// that has a clue in each word must not be read once for each of them.
const REACH: usize = 512;

/// The line that contains a byte, as far as it is near.
pub fn line_at(text: &str, at: usize) -> Range<usize> {
    let is_boundary = |byte: &usize| text.is_char_boundary(*byte);
    let first = (at.saturating_sub(REACH)..=at).find(is_boundary).unwrap_or(at);
    let last = (at..=text.len().min(at + REACH)).rev().find(is_boundary).unwrap_or(at);
    let before = text.get(first..at).unwrap_or_default();
    let start = before.rfind('\n').map_or(first, |end| first + end + 1);
    let rest = text.get(start..last).unwrap_or_default();
    let line = rest.split('\n').next().unwrap_or_default().trim_end_matches('\r');
    start..start + line.len()
}

/// The sentence that contains a byte. A line end ends one, because most lines of prompts are items of lists; so do `.`, `!`, `?`,
/// `;` and `।` before white space, unless the full stop belongs to a short form or an ordinal number.
pub fn sentence_at(text: &str, at: usize) -> Range<usize> {
    let line = line_at(text, at);
    sentences_of_line(text, line.clone()).find(|sentence| sentence.end > at).unwrap_or(line)
}

fn sentences_of_line(text: &str, line: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut start = line.start;
    std::iter::from_fn(move || {
        let rest = text.get(start..line.end)?;
        let blank = rest.len() - rest.trim_start().len();
        let (first, rest) = (start + blank, rest.trim_start());
        if rest.is_empty() {
            return None;
        }
        let ends = rest.char_indices().filter(|(_, c)| matches!(c, '.' | '!' | '?' | ';' | '।'));
        let mut ends = ends.map(|(at, c)| (at, at + c.len_utf8()));
        let end = ends.find(|(at, after)| {
            let next = rest.get(*after..).unwrap_or_default();
            let before = rest.get(..*at).unwrap_or_default();
            let word = before.rsplit(char::is_whitespace).next().unwrap_or_default();
            let is_short = rest.get(*at..).is_some_and(|it| it.starts_with('.'))
                && (word.chars().count() <= 1
                    || word.contains('.')
                    || word.bytes().all(|byte| byte.is_ascii_digit())
                    || SHORT_FORMS.iter().any(|it| it.eq_ignore_ascii_case(word)));
            !is_short
                && next.starts_with(|c: char| c.is_whitespace() || matches!(c, '"' | '”' | ')'))
        });
        start = first + end.map_or(rest.len(), |(_, after)| after);
        Some(first..start)
    })
}

/// Words that a full stop shortens.
const SHORT_FORMS: [&str; 16] = [
    "approx", "bzw", "ca", "dr", "etc", "evtl", "inkl", "jr", "mr", "mrs", "ms", "no", "nr", "sr",
    "str", "vs",
];

/// Whether the words before say not to do it.
pub fn is_negated(text: &str, at: usize) -> bool {
    static NEGATIONS: Words = words![
        "not|never|don't|don’t|no|cannot|without|avoid|avoids|nicht|nie|niemals|kein|keine|keinen|vermeide|statt|nunca|evita|\
        evite|sin|jamais|ne|n'utilise|n'utilisez|n’utilise|n’utilisez|sans|não|nao|sem|non|mai|senza|मत|mat",
    ];
    let sentence = sentence_at(text, at);
    let before = text.get(sentence.start..at).unwrap_or_default();
    let before = before.rsplit([',', ':', '–', '—', '→']).next().unwrap_or_default();
    let mut words = before
        .rsplit(|c: char| c.is_whitespace() || c == '"')
        .filter(|word| !word.is_empty())
        .take(5);
    words.any(|word| NEGATIONS.contains(word)) || before.to_lowercase().contains("instead of ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_with_lines_and_full_stops() {
        let text =
            "Hi, Dr. Wu. Ask e.g. for 3.5 kg! Then stop\n- one; two\n\n  Am 3. Mai? \"Ja.\" Gut";
        let found: Vec<&str> = lines(text)
            .flat_map(|line| sentences_of_line(text, line))
            .filter_map(|it| text.get(it))
            .collect();
        assert_eq!(
            found,
            [
                "Hi, Dr. Wu.",
                "Ask e.g. for 3.5 kg!",
                "Then stop",
                "- one;",
                "two",
                "Am 3. Mai?",
                "\"Ja.",
                "\" Gut"
            ]
        );
        assert_eq!(text.get(sentence_at(text, 14)), Some("Ask e.g. for 3.5 kg!"));
        assert_eq!(text.get(line_at(text, 45)), Some("- one; two"));
    }
}
