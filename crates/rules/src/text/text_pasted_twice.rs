use std::collections::HashMap;
use std::ops::Range;

use voxlint_model::blocks::{CHUNK, fold_chunks, is};
use voxlint_model::heard::lines;

use crate::prelude::*;

rule! {
    /// A prompt contains the same text twice.
    ///
    /// A block that was pasted twice costs tokens in each call, and when somebody changes one of the two, the agent has two instructions
    /// that differ. The rule reports blocks of lines with at least 200 characters that are in one text twice, and headings that
    /// occur twice with the same text of at least 100 characters below. White space around lines and empty lines do not count.
    /// Examples of dialogue, tables, code and lines between quotation marks repeat themselves for good reason, so a block that consists of such lines is not reported.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "# Rules\nAsk for the name of the caller before you ask for anything else, and spell it.\nRepeat the telephone number digit by digit, and wait until the caller has said yes.\n# Opening hours\nWe are open from Monday to Friday.\n# Rules\nAsk for the name of the caller before you ask for anything else, and spell it.\nRepeat the telephone number digit by digit, and wait until the caller has said yes."
    /// }
    /// ```
    ///
    /// ```json,holds
    /// {
    ///   "version_number": 3,
    ///   "prompt_text": "# New callers\nAsk for the name of the caller before you ask for anything else, and spell it.\nThen ask for the telephone number.\n# Known callers\nAsk for the name of the caller before you ask for anything else, and spell it.\nThen ask what they need."
    /// }
    /// ```
    "text-pasted-twice": Text {
        group: Heard,
        basis: Inferred("Prompts are sent to the model as they are."),
        section: "2.3",
        advice: Info,
        needs: [Template],
    }
}

/// The minimum length of a line that a search begins with.
const LINE: usize = 40;

/// The minimum length of a block, without white space at the ends of its lines.
const BLOCK: usize = 200;

/// The minimum length of a block that begins with a heading.
const SECTION: usize = 100;

fn check(text: &TextValue<'_>) -> Verdicts {
    let mut verdicts = Verdicts::none();
    if text.shape.role != Role::Prompt || text.text.len() < 2 * SECTION || !may_repeat(text.text) {
        return verdicts;
    }
    for (first, second) in repeated(text.text) {
        let count = text.text.get(second.clone()).unwrap_or_default().chars().count();
        let line = |range: &Range<usize>| {
            let block = text.text.get(range.clone()).unwrap_or_default();
            range.start..range.start + block.find('\n').unwrap_or(block.len())
        };
        let finding = Finding::new(
            text.place(line(&second)),
            format!(
                "{count} characters are in this text twice, from {} on",
                text.quote(line(&second))
            ),
        )
        .about_value(text.value.place())
        .label("again")
        .also(text.place(line(&first)), "the same")
        .help("remove one of the two");
        verdicts.add(finding.advice());
    }
    verdicts
}

/// Whether lines that follow each other, one of them a long one, may be the same as earlier ones. Nothing is stored but a bit for
/// each long line and each heading, so this may say so of lines that only begin and end alike.
fn may_repeat(text: &str) -> bool {
    const BITS: usize = 1 << 12;
    let mut seen = [0_u64; BITS / 64];
    // The characters of the last lines that may be the same as earlier ones, and whether there is a long line or a heading among them.
    let (mut run, mut has_long, mut has_heading) = (0, false, false);
    let mut is_repeated = |line: &[u8]| {
        let is_heading = line.starts_with(b"#");
        if line.len() < LINE && !is_heading {
            // Short lines are not compared here. They count below a heading, where a shorter block is reported.
            run += if has_heading { line.len() } else { 0 };
            return has_long && has_heading && run >= SECTION;
        }
        let line = line.trim_ascii();
        let part = |bytes: Option<&[u8; 8]>| bytes.map_or(0, |it| u64::from_le_bytes(*it));
        let middle = line.get(line.len() / 2..).unwrap_or_default();
        let key = part(line.first_chunk())
            ^ part(line.last_chunk()).rotate_left(21)
            ^ part(middle.first_chunk()).rotate_left(42);
        let hash = key.wrapping_add(line.len() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            >> (64 - BITS.ilog2());
        let bit = 1 << (hash % 64);
        let Some(word) = usize::try_from(hash / 64).ok().and_then(|at| seen.get_mut(at)) else {
            return true;
        };
        if *word & bit == 0 {
            *word |= bit;
            (run, has_long, has_heading) = (0, false, false);
            return false;
        }
        // Of other blocks, a quarter may be short lines.
        let least = match run {
            0 => 2 * BLOCK,
            _ if has_heading => SECTION,
            _ => BLOCK * 3 / 4,
        };
        run += line.iter().filter(|byte| !matches!(byte, 0x80..0xC0)).count();
        (has_long, has_heading) = (has_long | (line.len() >= LINE), has_heading | is_heading);
        has_long && run >= least
    };
    let bytes = text.as_bytes();
    let (found, _, last) =
        fold_chunks(bytes, (false, 0, 0), |(mut found, at, mut start), chunk| {
            let mut ends = if found { 0 } else { chunk.bits(|block| is(block, b'\n')) };
            while ends != 0 {
                let end = at + ends.trailing_zeros() as usize;
                ends &= ends - 1;
                found |= is_repeated(bytes.get(start..end).unwrap_or_default());
                start = end + 1;
            }
            (found, at + CHUNK, start)
        });
    found || is_repeated(bytes.get(last..).unwrap_or_default())
}

/// The blocks that are in a text twice, each with the place of the first one.
fn repeated(text: &str) -> Vec<(Range<usize>, Range<usize>)> {
    let trimmed = |line: Range<usize>| {
        let whole = text.get(line.clone()).unwrap_or_default();
        let start = line.start + whole.len() - whole.trim_start().len();
        start..start + whole.trim().len()
    };
    let lines: Vec<Range<usize>> =
        lines(text).map(trimmed).filter(|line| !line.is_empty()).collect();
    let content = |at: usize| lines.get(at).and_then(|line| text.get(line.clone()));
    let mut first_of: HashMap<&str, usize> = HashMap::new();
    let mut found = Vec::new();
    // The block that was looked at last: no later one begins inside it.
    let mut end = 0;
    for at in 0..lines.len() {
        let Some(line) = content(at).filter(|line| line.len() >= LINE) else { continue };
        let first = *first_of.entry(line).or_insert(at);
        if first == at || at < end {
            continue;
        }
        let mut before = 0;
        while at - before > end.max(first + 1)
            && first > before
            && content(first - before - 1) == content(at - before - 1)
        {
            before += 1;
        }
        let (from, start) = (first - before, at - before);
        let length = (0..lines.len() - at + before)
            .take_while(|more| {
                from + more < start
                    && content(start + more).is_some()
                    && content(from + more) == content(start + more)
            })
            .count();
        end = start + length;
        let block = || (start..end).filter_map(content);
        let characters: usize = block().map(|line| line.chars().count()).sum();
        let of_prose: usize =
            block().filter(|line| !is_example(line)).map(|line| line.chars().count()).sum();
        let is_section = content(start).is_some_and(|line| line.starts_with('#')) && length > 1;
        let least = if is_section { SECTION } else { BLOCK };
        // A single line may be the one rule that both parts have.
        let is_block = length > 1 || characters >= 2 * BLOCK;
        if is_block && characters >= least && 2 * of_prose > characters {
            let span = |start: usize| {
                let end_of_block = lines.get(start + length - 1).map_or(0, |line| line.end);
                lines.get(start).map_or(0, |line| line.start)..end_of_block
            };
            found.push((span(from), span(start)));
        }
    }
    found
}

/// Whether a line is a part of a dialogue, a table or code, which repeat themselves.
fn is_example(line: &str) -> bool {
    let line = line.trim_start_matches(['-', '*', '>', '→', ' ', '~', '(']);
    let said = line.split(['"', '“']).nth(1).map_or(0, str::len);
    let speaker = line.split(':').next().filter(|it| it.len() < line.len() && it.len() <= 24);
    let is_spoken = speaker.is_some_and(|it| {
        it.split(' ').count() <= 3
            && line.get(it.len()..).is_some_and(|rest| rest.contains(['"', '“']))
    });
    line.starts_with(['|', '{', '}', '"', '“', '„', '`', '[', '<'])
        || is_spoken
        || 2 * said > line.len()
}

#[cfg(test)]
mod tests {
    use super::{may_repeat, repeated};

    const RULE: &str =
        "Ask for the name of the caller before you ask for anything else, and have it spelled.";
    const OTHER: &str =
        "Repeat the telephone number digit by digit, and wait until the caller has said yes to it.";
    const THIRD: &str =
        "Never promise a time of arrival that the calendar has not confirmed before.";

    #[test]
    fn a_block_that_is_in_a_text_twice_is_found_with_both_places() {
        let text = format!("{RULE}\n{OTHER}\n\n{THIRD}\nBetween.\n{RULE}\n  {OTHER}  \n{THIRD}\n");
        assert!(may_repeat(&text));
        let found = repeated(&text);
        let [(first, second)] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(first.start, 0);
        let second = text.get(second.clone()).unwrap_or_default();
        assert!(second.starts_with(RULE) && second.ends_with(THIRD));
    }

    #[test]
    fn lines_that_repeat_themselves_for_good_reason_are_not_found() {
        let said = format!("Agent: \"{RULE}\"\nCaller: \"{OTHER}\"\nAgent: \"{THIRD}\"\n");
        for text in [
            format!("{RULE}\n{OTHER}\nBetween.\n{RULE}\n{THIRD}\n"),
            format!("{said}# Other\n{said}"),
            format!("{RULE}\n{OTHER}\n{THIRD}\n"),
        ] {
            assert_eq!(repeated(&text), [], "{text}");
        }
    }

    #[test]
    fn a_text_that_is_one_line_many_times_is_read_once() {
        let text = format!("{RULE}\n").repeat(20_000);
        assert!(repeated(&text).len() < 20_000);
    }
}
