use std::ops::Range;

use memchr::memmem;
use voxlint_model::heard::line_at;

use crate::prelude::*;

rule! {
    /// A prompt or message contains left-over code.
    ///
    /// Texts are copied from programs, web pages and exports, and what belongs to those stays behind: the model reads it, and callers
    /// may hear it. The rule reports
    ///
    /// - HTML entities: `&amp;`, `&nbsp;`, `&#39;`
    /// - HTML comments, `<!-- … -->`, except pairs such as `<!-- HOURS -->` and `<!-- /HOURS -->`, which a program fills in
    /// - `\n`, written as a backslash and a letter, at least three times
    /// - `\"`, a quotation mark with a backslash before it, at least twice
    /// - `"""` and `f"""` of Python around a text, or only before or after it
    /// - comments for programmers: lines that begin with `# WHY:`, `# HACK:` or `# XXX:`
    ///
    /// Code between backquotes, JSON, addresses and comments of templates are not reported. Each kind is reported once per text.
    ///
    /// ```json,advice
    /// { "version_number": 3, "welcome_message": "Welcome to Meyer &amp; Sons. How can I help?" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "prompt_text": "Never say \\n, and write `&amp;` for an ampersand. Return {\"text\": \"a\\nb\\nc\\nd\"}." }
    /// ```
    "code-in-text": Text {
        group: Heard,
        basis: Inferred("The description does not say that texts are decoded once more."),
        section: "2.3",
        advice: Info,
        needs: [Template],
    }
}

fn check(text: &TextValue<'_>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    let searches: [fn(&str) -> FoundCode; 5] = [entities, comments, string, quotes, notes];
    for search in searches {
        let Some((first, count, mistake, help)) = search(text.text) else { continue };
        let shown = text.without_comments();
        if shown.get(first.clone()) != text.text.get(first.clone()) {
            continue;
        }
        let message = match count {
            1 => format!("{} is {mistake}", text.quote(first.clone())),
            2 => format!("{} is {mistake}, and there is one more", text.quote(first.clone())),
            _ => format!(
                "{} is {mistake}, and there are {} more",
                text.quote(first.clone()),
                count - 1
            ),
        };
        let finding = Finding::new(text.place(first), message)
            .about_value(text.value.place())
            .label("left over from code")
            .help(help);
        verdicts.add(finding.advice());
    }
    verdicts
}

/// The first place, the number of places, what they are, and what to do.
type FoundCode = Option<(Range<usize>, usize, &'static str, &'static str)>;

fn first(
    all: impl Iterator<Item = Range<usize>>,
    mistake: &'static str,
    help: &'static str,
) -> FoundCode {
    let mut all = all;
    let first = all.next()?;
    Some((first, 1 + all.count(), mistake, help))
}

/// Tells of one place after the other whether it is in code between backquotes. The number of backquotes before it tells, because
/// each pair is closed.
fn in_code(text: &str) -> impl FnMut(usize) -> bool {
    let (mut counted, mut fences) = (0, 0);
    move |at| {
        let new = text.get(counted..at).unwrap_or_default();
        fences += memmem::find_iter(new.as_bytes(), "```").count();
        counted = at;
        let line = text.get(line_at(text, at).start..at).unwrap_or_default();
        fences % 2 == 1 || memchr::memchr_iter(b'`', line.as_bytes()).count() % 2 == 1
    }
}

fn entities(text: &str) -> FoundCode {
    const NAMES: [&str; 14] = [
        "amp", "nbsp", "lt", "gt", "quot", "apos", "rsquo", "lsquo", "rdquo", "ldquo", "ndash",
        "mdash", "hellip", "euro",
    ];
    let mut is_code = in_code(text);
    let all = memchr::memchr_iter(b'&', text.as_bytes()).filter_map(|at| {
        let rest = text.get(at + 1..)?;
        let end = rest.bytes().take(9).position(|byte| byte == b';')?;
        let name = rest.get(..end)?;
        let digits = name.strip_prefix('#').map(|it| it.trim_start_matches('x'));
        let is_number = digits
            .is_some_and(|it| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let is_entity = is_number || NAMES.contains(&name);
        (is_entity && !is_code(at)).then_some(at..at + end + 2)
    });
    first(all, "an HTML entity, which is not decoded", "write the character that it stands for")
}

fn comments(text: &str) -> FoundCode {
    let rest = |from: usize| text.as_bytes().get(from..).unwrap_or_default();
    let mut opened = memchr::memchr_iter(b'<', text.as_bytes());
    let mut end = 0;
    let all = std::iter::from_fn(|| {
        let start = opened.find(|at| *at >= end && rest(*at).starts_with(b"<!--"))?;
        end = start + memmem::find(rest(start), b"-->")? + 3;
        Some(start..end)
    });
    let mut is_code = in_code(text);
    // A program that writes the text between two comments needs both.
    let all: Vec<Range<usize>> = all.collect();
    let inner = |range: &Range<usize>| text.get(range.start + 4..range.end - 3).map(str::trim);
    let is_pair = |one: &Range<usize>, next: Option<&Range<usize>>| {
        next.and_then(inner)
            .and_then(|it| it.strip_prefix('/'))
            .is_some_and(|it| inner(one) == Some(it))
    };
    let mut is_closing = false;
    let nexts = all.iter().skip(1).map(Some).chain([None]);
    let all = all.iter().zip(nexts).filter(|(one, next)| {
        let is_opening = is_pair(one, *next);
        let is_anchor = is_opening || is_closing;
        is_closing = is_opening;
        !is_anchor
    });
    let all = all.map(|(one, _)| one.clone());
    let all = all.filter(|range| !is_code(range.start));
    first(all, "an HTML comment, which the model reads", "remove it, or write `{{!-- … --}}`")
}

/// A text that was copied as it is written in a string of a program.
fn string(text: &str) -> FoundCode {
    line_ends(text).or_else(|| escaped_quotes(text))
}

fn line_ends(text: &str) -> FoundCode {
    // `C:\calls\notes`
    let is_line_end = |after: &str| {
        after.strip_prefix('n').is_some_and(|it| !it.starts_with(|c: char| c.is_ascii_lowercase()))
    };
    let mistake = "a backslash and a letter, not a line break";
    let found = first(escapes(text, is_line_end), mistake, "write line breaks");
    found.filter(|(_, count, ..)| *count >= 3)
}

fn escaped_quotes(text: &str) -> FoundCode {
    let all = escapes(text, |after| after.starts_with('"')).map(|range| {
        let word = text.get(range.end..).unwrap_or_default();
        let length = word.find(|c: char| !c.is_alphanumeric()).unwrap_or(0);
        range.start..range.end + length
    });
    let found = first(all, "a quotation mark with a backslash", "remove the backslashes");
    found.filter(|(_, count, ..)| *count >= 2)
}

/// The escapes of strings, outside of code and JSON.
fn escapes<'t>(
    text: &'t str,
    is_one: impl Fn(&str) -> bool + 't,
) -> impl Iterator<Item = Range<usize>> + 't {
    let mut is_code = in_code(text);
    memchr::memchr_iter(b'\\', text.as_bytes()).filter_map(move |at| {
        if !is_one(text.get(at + 1..)?) {
            return None;
        }
        let line = text.get(line_at(text, at))?.trim_start();
        let is_json =
            line.starts_with(['{', '[', '"']) || line.contains("\":") || line.contains("\": ");
        (!is_json && !is_code(at)).then_some(at..at + 2)
    })
}

fn quotes(text: &str) -> FoundCode {
    const SIGN: &str = "\"\"\"";
    let start = text.len() - text.trim_start().len();
    let trimmed = text.trim();
    let opener = ["\"\"\"", "f\"\"\"", "r\"\"\"", "rf\"\"\"", "fr\"\"\""];
    let opener = opener.iter().find(|it| trimmed.starts_with(**it));
    let count = || memmem::find_iter(text.as_bytes(), SIGN).count();
    let range = match opener {
        Some(opener) => start..start + opener.len(),
        None if trimmed.ends_with(SIGN) => {
            start + trimmed.len() - SIGN.len()..start + trimmed.len()
        }
        None => return None,
    };
    // Three quotation marks also enclose what a prompt quotes.
    let is_prefixed = opener.is_some_and(|it| it.len() > SIGN.len());
    let is_left_over = is_prefixed
        || count() % 2 == 1
        || count() == 2 && trimmed.ends_with(SIGN) && opener.is_some();
    let help = "remove the Python quotation marks";
    is_left_over.then_some((range, 1, "a Python quotation mark", help))
}

fn notes(text: &str) -> FoundCode {
    const MARKS: [&str; 3] = ["WHY:", "HACK:", "XXX:"];
    let mut is_code = in_code(text);
    let all = memchr::memchr_iter(b'#', text.as_bytes()).filter_map(|at| {
        let note = text.get(at + 1..)?.trim_start_matches(' ');
        MARKS.iter().find(|mark| note.starts_with(**mark))?;
        let line = line_at(text, at);
        (text.get(line.start..at)?.trim().is_empty() && !is_code(at)).then_some(line)
    });
    first(
        all,
        "a comment for programmers, which the model reads",
        "remove it, or write `{{!-- … --}}`",
    )
}
