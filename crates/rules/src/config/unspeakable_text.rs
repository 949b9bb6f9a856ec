use std::ops::Range;

use voxlint_model::Severity;
use voxlint_model::heard::{Prose, Words, line_at, words};

use crate::prelude::*;

rule! {
    /// A greeting or voicemail contains what a voice reads out wrong.
    ///
    /// Callers hear `welcome_message` and `voicemail_message` word for word. These are reported:
    ///
    /// - Markdown: `**bold**`, headings, lists, links and code
    /// - emoji
    /// - HTML, and labels of speakers, such as `[AG]` or `Agent:` at the start
    ///
    /// Many voices or the service rewrite the following before they speak, so they are information, and not reported where
    /// `speech_normalization` is on:
    ///
    /// - web and e-mail addresses
    /// - seven or more digits without a space, which may be read as one number
    /// - ranges of digits, such as `9-17`, and hours without "am" and "pm", such as `8 to 6`
    ///
    /// SSML tags, such as `<break time="1s"/>`, are information as well: only some voices understand them. Stage directions in
    /// brackets, such as `[laughs]`, and template tags are not reported. Neither are SSML and labels in brackets that the prompt also
    /// uses, because they are probably intended. Each kind is reported once per message.
    ///
    /// ```json,advice
    /// { "version_number": 3, "welcome_message": "Welcome to **Harbor Dental**!" }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "voicemail_message": "Call us back between 9-17 on weekdays." }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "welcome_message": "[cheerful] Welcome to Harbor Dental! We are open from nine to five. Press 1 for English."
    /// }
    /// ```
    "unspeakable-text": Config {
        group: Heard,
        basis: Inferred("The messages are spoken as they are written, and the description does not say how they are read out."),
        section: "2.3",
        reads: [prompt_text, welcome_message, voicemail_message, speech_normalization],
    }
}

/// The names of tags that voices with SSML understand.
const SSML: [&str; 14] = [
    "audio", "break", "emotion", "emphasis", "lang", "mark", "phoneme", "prosody", "say-as",
    "speak", "speed", "sub", "voice", "volume",
];

/// The names of HTML tags in texts.
const HTML: [&str; 16] = [
    "a", "b", "br", "code", "div", "em", "h1", "h2", "hr", "i", "li", "p", "span", "strong", "u",
    "ul",
];

/// What a label before a text calls its speaker.
static SPEAKERS: [&str; 5] = ["agent:", "assistant:", "bot:", "ai:", "[agent]"];

/// Words of sentences about opening hours.
static HOURS: Words = words![
    "open|hours|monday|tuesday|wednesday|thursday|friday|fridays|saturday|saturdays|sunday|sundays|weekdays|\
     weekends|between|call",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Markdown,
    Emoji,
    Html,
    Label,
    Ssml,
    Address,
    Digits,
    Range,
    Hours,
}

impl Kind {
    /// Whether many voices read it well, or the service rewrites it.
    const fn may_be_normalized(self) -> bool {
        matches!(self, Self::Address | Self::Digits | Self::Range | Self::Hours)
    }

    const fn is_certain(self) -> bool {
        matches!(self, Self::Markdown | Self::Emoji | Self::Html | Self::Label)
    }

    /// What is wrong with it, and what to do.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Markdown => {
                ("is Markdown, and a voice may read its marks aloud", "write plain sentences")
            }
            Self::Emoji => ("is an emoji, and a voice may say its name", "remove it"),
            Self::Html => ("is HTML, and a voice may read the tag aloud", "remove the tag"),
            Self::Label => {
                ("labels the speaker, and a voice may read it aloud", "remove the label")
            }
            Self::Ssml => (
                "is SSML, and a voice without SSML reads it aloud",
                "remove the tag, unless the voice supports SSML",
            ),
            Self::Address => (
                "is an address, and a voice may spell out its signs",
                "write it as people say it: `example dot com`",
            ),
            Self::Digits => (
                "has no spaces, and a voice may read it as one number",
                "write the digits in groups, as people say them",
            ),
            Self::Range => (
                "is a range, and a voice may read only its numbers",
                "write it in words, as in `9 am to 5 pm`",
            ),
            Self::Hours => (
                "does not say am or pm, and callers may not know which is meant",
                "add `am` and `pm`",
            ),
        }
    }
}

fn check(config: &Effective<'_>) -> Verdicts {
    let is_normalized = matches!(config.get(&speech_normalization), Value::Known(true, _));
    // The first mark of a kind decides for all.
    let is_agreed = |kind: Kind, marks: &[(Kind, Range<usize>)], prose: &Prose<'_>| {
        let mark = marks.iter().find(|it| it.0 == kind)?;
        let mark = prose.text.get(mark.1.clone())?.split(' ').next()?;
        let prompt = config.prose_of(&prompt_text).filter(|_| mark.starts_with(['[', '<']))?;
        memchr::memmem::find(prompt.text.as_bytes(), mark.as_bytes())
    };
    let spoken = config.spoken().filter(|it| it.at.is_in_document());
    let found = spoken.flat_map(|prose| {
        let mut marks = marks(&prose.text);
        marks.retain(|(kind, _)| !(is_normalized && kind.may_be_normalized()));
        for kind in [Kind::Ssml, Kind::Label] {
            if is_agreed(kind, &marks, prose).is_some() {
                marks.retain(|it| it.0 != kind);
            }
        }
        verdicts(prose, &marks)
    });
    found.collect()
}

/// One finding for each kind.
fn verdicts(prose: &Prose<'_>, marks: &[(Kind, Range<usize>)]) -> Vec<Verdict> {
    /// The number of further places that are shown.
    const MAX_SHOWN: usize = 3;
    let (mut verdicts, mut told) = (Vec::new(), Vec::new());
    for (at, (kind, range)) in marks.iter().enumerate() {
        let is_same = |it: &&(Kind, Range<usize>)| it.0 == *kind;
        if told.contains(kind) {
            continue;
        }
        told.push(*kind);
        let (wrong, help) = kind.words();
        let message = format!("{} {wrong}", prose.quote(range.clone()));
        let mut finding = Finding::new(prose.place(range.clone()), message)
            .about_value(prose.at.clone())
            .help(help);
        for (_, other) in marks.iter().skip(at + 1).filter(is_same).take(MAX_SHOWN) {
            finding = finding.also(prose.place(other.clone()), "another one");
        }
        let severity = if kind.is_certain() { Severity::Warning } else { Severity::Info };
        verdicts.push(finding.with_severity(severity).advice());
    }
    verdicts
}

/// What a voice reads out wrong, in the order of the text.
fn marks(text: &str) -> Vec<(Kind, Range<usize>)> {
    let mut found = Vec::new();
    let start = text.len() - text.trim_start().len();
    let begins = |label: &&&str| {
        let head = text.get(start..start + label.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(label))
    };
    if let Some(label) = SPEAKERS.iter().find(begins) {
        found.push((Kind::Label, start..start + label.len()));
    }
    let has_address = text.contains('@') || text.contains("://") || text.contains("www.");
    let may_begin_mark = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' => has_address,
        b'#' | b'-' | b'*' | b'`' | b'[' | b'<' | b'0'..=b'9' => true,
        // `•` and emoji.
        _ => byte >= 0xE2,
    };
    let mut next = 0;
    for (at, _) in text.bytes().enumerate().filter(|(_, byte)| may_begin_mark(*byte)) {
        if at < next {
            continue;
        }
        let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else { continue };
        if let Some((kind, length)) = mark(text, at, c) {
            found.push((kind, at..at + length));
            next = at + length;
        }
    }
    found
}

/// What begins with a character, and its length.
fn mark(text: &str, at: usize, c: char) -> Option<(Kind, usize)> {
    let before = text.get(..at)?;
    let is_line_start = before.is_empty() || before.ends_with('\n');
    // Most characters begin nothing.
    let line = || text.get(at..line_at(text, at).end);
    let in_word = before.ends_with(char::is_alphanumeric);
    match c {
        '#' if is_line_start && line()?.trim_start_matches('#').starts_with(' ') => {
            Some((Kind::Markdown, line()?.len()))
        }
        '-' | '*' | '•' if is_line_start && line()?.chars().nth(1) == Some(' ') => {
            Some((Kind::Markdown, line()?.len()))
        }
        '*' | '`' => {
            let line = line()?;
            let signs = line.len() - line.trim_start_matches(c).len();
            let inner = line.get(signs..)?;
            let length = inner.find(c).filter(|length| *length > 0)?;
            let is_text = !inner.starts_with(' ') && !in_word;
            is_text.then_some((Kind::Markdown, (signs + length + signs).min(line.len())))
        }
        '[' => {
            let line = line()?;
            let end = line.find(']')?;
            let inner = line.get(1..end)?;
            let after = line.get(end + 1..)?;
            if after.starts_with('(') {
                let close = after.find(')')?;
                return Some((Kind::Markdown, end + 1 + close + 1));
            }
            // Longer words in capitals may be placeholders.
            let is_label = matches!(inner.len(), 1..=3)
                && inner.bytes().all(|byte| byte.is_ascii_uppercase())
                || after.starts_with(':') && inner.starts_with(char::is_alphabetic);
            is_label.then_some((Kind::Label, end + 1))
        }
        '<' => tag(line()?),
        '0'..='9' if !in_word => number(text, at, line()?),
        'a'..='z' | 'A'..='Z' if !in_word => {
            let line = line()?;
            let length = address_length(line);
            let word = line.get(..length)?;
            if ["http://", "https://", "www."].iter().any(|it| word.starts_with(it)) {
                return Some((Kind::Address, length));
            }
            let (user, host) = word.split_once('@')?;
            let is_email = !user.is_empty()
                && host
                    .split_once('.')
                    .is_some_and(|(one, two)| !one.is_empty() && !two.is_empty());
            is_email.then_some((Kind::Address, length))
        }
        _ => is_emoji(c).then_some((Kind::Emoji, c.len_utf8())),
    }
}

/// The length of a word, without the punctuation after it.
fn address_length(line: &str) -> usize {
    let word = line.split(char::is_whitespace).next().unwrap_or_default();
    word.trim_end_matches(['.', ',', '!', '?', ')', ';', ':', '"']).len()
}

/// A tag of SSML or HTML.
fn tag(line: &str) -> Option<(Kind, usize)> {
    let end = line.find('>')?;
    let inner = line.get(1..end)?;
    let inner = inner.strip_prefix('/').unwrap_or(inner);
    let name = inner.split([' ', '/']).next()?;
    if SSML.contains(&name) {
        Some((Kind::Ssml, end + 1))
    } else {
        HTML.contains(&name).then_some((Kind::Html, end + 1))
    }
}

/// Many digits, a range, or hours.
fn number(text: &str, at: usize, line: &str) -> Option<(Kind, usize)> {
    /// The number of digits from which a number is not an amount.
    const MANY: usize = 7;
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let first = digits(line);
    if first >= MANY {
        return Some((Kind::Digits, first));
    }
    let before = text.get(..at)?;
    let (clock, rest) = line.split_at_checked(time_length(line))?;
    if before.trim_end().ends_with(|c: char| c.is_ascii_digit())
        || before.ends_with(['-', '–', '/', '.', ',', ':', '+', '('])
        || first > 2
    {
        return None;
    }
    let range = rest.trim_start().strip_prefix(['-', '–', '—']);
    if let Some(after) = range {
        let second = after.trim_start();
        let length = time_length(second);
        let end = second.get(length..)?;
        let is_range = matches!(digits(second), 1..=2)
            && !end.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '-' | '–' | '/'));
        return is_range.then(|| (Kind::Range, line.len() - end.len()));
    }
    let second = rest.strip_prefix(" to ")?;
    let end = second.get(time_length(second)..)?;
    let hour = |text: &str| text.split(':').next()?.parse::<u8>().ok();
    let (from, to) = (hour(clock)?, hour(second.get(..second.len() - end.len())?)?);
    let half_day = ["am", "pm", "a.m", "p.m", "o'clock"];
    let is_said = half_day.iter().any(|it| end.trim_start().to_ascii_lowercase().starts_with(it));
    // Hours that do not grow pass noon or midnight.
    let is_hours = (1..=12).contains(&from) && (1..=12).contains(&to) && to <= from && !is_said;
    let sentence = text.get(line_at(text, at))?;
    let is_about_hours = || HOURS.find(sentence).next().is_some();
    (is_hours && is_about_hours()).then(|| (Kind::Hours, line.len() - end.len()))
}

/// The length of a number or a time, such as `9` and `9:30`.
fn time_length(text: &str) -> usize {
    let is_part = |c: char| c.is_ascii_digit();
    let first = text.len() - text.trim_start_matches(is_part).len();
    let minutes = text.get(first..).and_then(|rest| rest.strip_prefix(':')).unwrap_or_default();
    let length = minutes.len() - minutes.trim_start_matches(is_part).len();
    if length == 2 { first + 1 + length } else { first }
}

const fn is_emoji(c: char) -> bool {
    matches!(
        c,
        '\u{1f300}'..='\u{1faff}' | '\u{2600}'..='\u{27bf}' | '\u{1f1e6}'..='\u{1f1ff}' | '\u{2b50}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(Kind, &str)> {
        marks(text)
            .into_iter()
            .map(|(kind, range)| (kind, text.get(range).unwrap_or_default()))
            .collect()
    }

    #[test]
    fn what_a_voice_reads_wrong_is_found() {
        use Kind::{Address, Digits, Emoji, Hours, Html, Label, Markdown, Range, Ssml};
        for (text, kind, expected) in [
            ("Welcome to **Harbor**!", Markdown, "**Harbor**"),
            ("*smiles* Hello", Markdown, "*smiles*"),
            ("Say `yes` now", Markdown, "`yes`"),
            ("# Welcome", Markdown, "# Welcome"),
            ("Choose:\n- sales", Markdown, "- sales"),
            ("Choose:\n• sales", Markdown, "• sales"),
            ("See [our page](https://example.com).", Markdown, "[our page](https://example.com)"),
            ("Hello 😀", Emoji, "😀"),
            ("Wait <break time='1s'/> please", Ssml, "<break time='1s'/>"),
            ("Hello<br>there", Html, "<br>"),
            ("[AG] Hello", Label, "[AG]"),
            ("[Ann]: Hello", Label, "[Ann]"),
            ("Agent: Hello", Label, "Agent:"),
            ("See https://example.com/a.", Address, "https://example.com/a"),
            ("Write to help@example.com, please", Address, "help@example.com"),
            ("Call +18005550123.", Digits, "18005550123"),
            ("Open 9-17 on weekdays", Range, "9-17"),
            ("Open 9:30 – 17:00.", Range, "9:30 – 17:00"),
            ("We are open 8 to 6 on Fridays.", Hours, "8 to 6"),
        ] {
            assert_eq!(found(text), [(kind, expected)], "{text}");
        }
    }

    #[test]
    fn what_a_voice_reads_well_is_not_found() {
        for text in [
            "[laughs] Hello [pause] there [CITY]",
            "Press 1 for sales, 24/7. It takes 5 to 10 minutes.",
            "We are open 8 am to 6 pm, 8 to 6 pm, or 9 to 17.",
            "Call 0711 12 34-56, 555-0123 or +1 (800) 555-0123, ext. 12-3-4.",
            "Born 2001-02-03? 5 * 3 < 7 and 9 > 2, 3 * 4",
            "Well-known - and good. Rs. 1,50,000",
            "{{#if vip}}Hello{{/if}} {{customer_name}}",
            "Guten Tag, Praxis Müller & Söhne – wie kann ich helfen?",
            "<name> and <Company Name>",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }
}
