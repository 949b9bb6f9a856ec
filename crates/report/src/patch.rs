//! Changes of files as unified diffs.
//!
//! They are for people and for logs: secrets are masked, and nothing steers the terminal. A diff in which something is masked
//! says so, because it cannot be applied.

use std::collections::HashMap;

use similar::udiff::UnifiedHunkHeader;
use similar::{Algorithm, ChangeTag, DiffOp, capture_diff_slices, group_diff_ops};
use voxlint_syntax::{Invisible, Span};

use crate::escape::{by_code, escape_terminal, is_line_command, is_visible, terminal_chars};
use crate::options::RenderOptions;
use crate::snippet::MaskedRanges;
use crate::source_map::SourceText;

/// The unchanged lines before and after a change.
const CONTEXT: usize = 3;

/// With more differences times lines than this, everything between the first and the last difference is shown as changed:
/// to find the least difference takes time that grows with their product.
const MAX_COST: usize = 20_000_000;

/// A changed text: a whole file or one of its lines.
#[derive(Clone, Copy, Debug)]
pub struct PatchInput<'a> {
    /// The path of the file, with forward slashes.
    pub path: &'a str,
    /// How many lines of the file come before the text.
    pub lines_before: u64,
    /// Whether the text is a line with its line break, if it has one, which is shown without the lines around it.
    pub is_line: bool,
    /// The text before the change.
    pub before: &'a str,
    /// The text after the change.
    pub after: &'a str,
    /// The places of secrets before the change.
    pub secrets_before: &'a [Span],
    /// The places of secrets after the change.
    pub secrets_after: &'a [Span],
}

/// A change as a unified diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Patch {
    /// The two lines that name the file.
    pub header: String,
    /// The changed lines, with lines around them.
    pub hunks: String,
    /// What was replaced. If there is anything, the diff cannot be applied.
    pub masked: Masked,
}

/// What a diff does not show as it is in the file.
///
/// ```
/// use voxlint_report::Masked;
///
/// let masked = Masked { secrets: true, ..Masked::default() };
/// assert_eq!(masked.notice().as_deref(), Some("the diff masks secrets"));
/// assert_eq!(Masked::default().notice(), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Masked {
    /// Secrets, which are asterisks.
    pub secrets: bool,
    /// Invisible characters and control characters, which have placeholders.
    pub characters: bool,
    /// What a build server would run as a command, such as `##[…]`, with a placeholder in it.
    pub commands: bool,
}

impl Masked {
    /// Adds what another part of the diff has.
    pub const fn add(&mut self, other: Self) {
        self.secrets |= other.secrets;
        self.characters |= other.characters;
        self.commands |= other.commands;
    }

    /// What the diff masks, as the beginning of a sentence; `None` if it masks nothing.
    pub fn notice(self) -> Option<String> {
        let parts = [
            (self.secrets, "secrets"),
            (self.characters, "invisible and control characters"),
            (self.commands, "commands to build servers"),
        ];
        let mut parts: Vec<&str> =
            parts.into_iter().filter_map(|(is_there, what)| is_there.then_some(what)).collect();
        let last = parts.pop()?;
        let masked = if parts.is_empty() {
            last.to_owned()
        } else {
            format!("{} and {last}", parts.join(", "))
        };
        Some(format!("the diff masks {masked}"))
    }
}

/// Shows a change as a unified diff.
///
/// ```
/// use voxlint_report::{PatchInput, RenderOptions, render_patch};
///
/// let input = PatchInput {
///     path: "agents/en.yaml",
///     lines_before: 0,
///     is_line: false,
///     before: "version_number: 3\nlangauge: en-US\n",
///     after: "version_number: 3\nlanguage: en-US\n",
///     secrets_before: &[],
///     secrets_after: &[],
/// };
/// let patch = render_patch(&input, &RenderOptions::default());
/// assert_eq!(patch.header, "--- a/agents/en.yaml\n+++ b/agents/en.yaml\n");
/// assert_eq!(
///     patch.hunks,
///     "@@ -1,2 +1,2 @@\n version_number: 3\n-langauge: en-US\n+language: en-US\n",
/// );
/// ```
pub fn render_patch(input: &PatchInput<'_>, options: &RenderOptions) -> Patch {
    let old = Side::new(input.before, input.secrets_before);
    let new = Side::new(input.after, input.secrets_after);
    let mut patch = Patch {
        header: header(input.path, options),
        hunks: String::new(),
        masked: Masked::default(),
    };
    if input.is_line {
        let at = input.lines_before + 1;
        let hunk = format!("@@ -{at} +{at} @@");
        patch.row(options, "36", &hunk);
        for (side, sign, color) in [(&old, '-', "31"), (&new, '+', "32")] {
            for index in 0..side.lines.len() {
                patch.line(options, side, index, sign, Some(color));
            }
        }
        return patch;
    }
    for hunk in group_diff_ops(difference(&old.lines, &new.lines), CONTEXT) {
        patch.row(options, "36", &UnifiedHunkHeader::new(&hunk).to_string());
        let changes = hunk.iter().flat_map(|op| op.iter_changes(&old.lines, &new.lines));
        for change in changes {
            match (change.tag(), change.old_index(), change.new_index()) {
                (ChangeTag::Delete, Some(index), _) => {
                    patch.line(options, &old, index, '-', Some("31"));
                }
                (ChangeTag::Insert, _, Some(index)) => {
                    patch.line(options, &new, index, '+', Some("32"));
                }
                (_, Some(index), _) => patch.line(options, &old, index, ' ', None),
                _ => {}
            }
        }
    }
    patch
}

fn header(path: &str, options: &RenderOptions) -> String {
    let path = escape_terminal(path);
    // A path that leads elsewhere is not one in a repository.
    let (old, new) = if path.starts_with('/') { ("", "") } else { ("a/", "b/") };
    let lines = [format!("--- {old}{path}"), format!("+++ {new}{path}")];
    lines.iter().fold(String::new(), |header, line| header + &options.paint("1", line) + "\n")
}

/// The difference of two texts.
pub(crate) fn difference(old: &[&str], new: &[&str]) -> Vec<DiffOp> {
    let mut counts: HashMap<&str, i64> = HashMap::new();
    for line in old {
        *counts.entry(line).or_default() += 1;
    }
    for line in new {
        *counts.entry(line).or_default() -= 1;
    }
    let differences: u64 = counts.values().map(|count| count.unsigned_abs()).sum();
    let cost = usize::try_from(differences).map(|it| it.saturating_mul(old.len() + new.len()));
    if cost.is_ok_and(|cost| cost <= MAX_COST) {
        return capture_diff_slices(Algorithm::Myers, old, new);
    }
    let start = old.iter().zip(new).take_while(|(old, new)| old == new).count();
    let (old_rest, new_rest) = (old.iter().skip(start).rev(), new.iter().skip(start).rev());
    let end = old_rest.zip(new_rest).take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (old.len() - end, new.len() - end);
    vec![
        DiffOp::Equal { old_index: 0, new_index: 0, len: start },
        DiffOp::Replace {
            old_index: start,
            old_len: old_end - start,
            new_index: start,
            new_len: new_end - start,
        },
        DiffOp::Equal { old_index: old_end, new_index: new_end, len: end },
    ]
}

/// A text before or after a change.
struct Side<'a> {
    lines: Vec<&'a str>,
    /// The offset of each line.
    offsets: Vec<usize>,
    secrets: MaskedRanges,
}

impl<'a> Side<'a> {
    fn new(text: &'a str, secrets: &[Span]) -> Self {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let offset = |at: &mut usize, line: &&str| {
            let start = *at;
            *at += line.len();
            Some(start)
        };
        let offsets = lines.iter().scan(0, offset).collect();
        let secrets = MaskedRanges::new(&SourceText::new(text, None), secrets);
        Self { lines, offsets, secrets }
    }
}

impl Patch {
    fn line(
        &mut self,
        options: &RenderOptions,
        side: &Side<'_>,
        index: usize,
        sign: char,
        color: Option<&str>,
    ) {
        let line = side.lines.get(index).copied().unwrap_or_default();
        let start = side.offsets.get(index).copied().unwrap_or_default();
        let whole = line.strip_suffix('\n').unwrap_or(line);
        // A carriage return at the end of a line is a part of its line break.
        let (text, end) = whole.strip_suffix('\r').map_or((whole, ""), |text| (text, "\r"));
        let is_secret = |offset: &usize| side.secrets.contains(start + offset);
        let indent = text.len() - text.trim_start().len();
        let mut shown = String::with_capacity(text.len());
        for (offset, character, is_hidden) in terminal_chars(text) {
            // A changed line that begins with a no-break space looks like the line without it.
            let is_space = color.is_some()
                && offset < indent
                && Invisible::of(character) == Some(Invisible::Space);
            if is_secret(&offset) {
                shown.extend(std::iter::repeat_n('*', character.len_utf8()));
                self.masked.secrets = true;
            } else if character == '\t' || !(is_hidden || is_space) {
                shown.push(character);
            } else if is_visible(character) && !is_space {
                shown.push('?');
                self.masked.commands = true;
            } else {
                shown.push_str(&by_code(character));
                self.masked.characters = true;
            }
        }
        if is_line_command(&shown) {
            shown = shown.replacen(':', "?", 1);
            self.masked.commands = true;
        }
        let row = format!("{sign}{shown}");
        let row = color.map_or_else(|| row.as_str().into(), |color| options.paint(color, &row));
        self.hunks.push_str(&row);
        self.hunks.push_str(end);
        self.hunks.push('\n');
        if whole.len() == line.len() {
            self.hunks.push_str("\\ No newline at end of file\n");
        }
    }

    fn row(&mut self, options: &RenderOptions, color: &str, text: &str) {
        self.hunks.push_str(&options.paint(color, text));
        self.hunks.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn input<'a>(before: &'a str, after: &'a str) -> PatchInput<'a> {
        PatchInput {
            path: "a.yaml",
            lines_before: 0,
            is_line: false,
            before,
            after,
            secrets_before: &[],
            secrets_after: &[],
        }
    }

    fn patch(before: &str, after: &str) -> Patch {
        render_patch(&input(before, after), &RenderOptions::default())
    }

    #[test]
    fn a_missing_last_line_break_is_marked() {
        let hunks = patch("a\nb", "a\nc\n").hunks;
        assert_eq!(hunks, "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n");
    }

    #[test]
    fn secrets_are_masked_before_and_after_a_change_and_it_says_so() {
        let input = PatchInput {
            secrets_before: &[Span::new(3, 9)],
            secrets_after: &[Span::new(5, 11)],
            ..input("k: S3CRET\nx: 1\n", "key: S3CRET\nx: 1\n")
        };
        let patch = render_patch(&input, &RenderOptions::default());
        assert_eq!(patch.hunks, "@@ -1,2 +1,2 @@\n-k: ******\n+key: ******\n x: 1\n");
        assert_eq!(patch.masked, Masked { secrets: true, ..Masked::default() });
    }

    #[test]
    fn a_notice_names_what_is_masked() {
        let notice = |before: &str| patch(before, "after\n").masked.notice();
        let of = |what: &str| Some(format!("the diff masks {what}"));
        assert_eq!(notice("a\u{200b}b\n"), of("invisible and control characters"));
        assert_eq!(notice("\u{feff}a\n"), of("invisible and control characters"));
        assert_eq!(notice("a\u{1b}[2Jb\n"), of("invisible and control characters"));
        assert_eq!(notice("##[x]\n"), of("commands to build servers"));
        assert_eq!(notice("\tplain ü\r\n"), None);
        let all = Masked { secrets: true, characters: true, commands: true };
        let list = "secrets, invisible and control characters and commands to build servers";
        assert_eq!(all.notice(), of(list));
    }

    #[test]
    fn a_character_that_cannot_be_seen_is_named_where_it_changes() {
        let shown = patch("a\u{200b}b\n\u{a0}c: d\u{a0}e\n", "ab\nc: d\u{a0}e\n");
        assert_eq!(
            shown.hunks,
            "@@ -1,2 +1,2 @@\n-a<U+200B>b\n-<U+00A0>c: d\u{a0}e\n+ab\n+c: d\u{a0}e\n"
        );
        assert!(shown.masked.characters);
    }

    #[test]
    fn no_line_is_a_command_to_a_build_server() {
        let shown = patch("::error::x\na\n##vso[x]\n", "::error::x\nb\n##vso[x]\n");
        assert_eq!(shown.hunks, "@@ -1,3 +1,3 @@\n ?:error::x\n-a\n+b\n #?vso[x]\n");
        assert_eq!(shown.masked, Masked { commands: true, ..Masked::default() });
        assert_eq!(patch("a\r\n", "b\r\n").masked, Masked::default());
    }

    #[test]
    fn a_large_difference_is_shown_without_looking_for_the_least_one() {
        let before: Vec<String> = (0..5000).map(|line| format!("{line}\r\n")).collect();
        let before = before.concat();
        let text = format!("first\n{before}last\n");
        let shown = patch(&text, &text.replace('\r', ""));
        assert!(shown.hunks.starts_with("@@ -1,5002 +1,5002 @@\n first\n-0\r\n-1\r\n"));
        assert!(shown.hunks.ends_with("+4999\n last\n"));
    }

    #[test]
    fn a_line_of_a_file_has_its_number() {
        let input = PatchInput {
            path: "/tmp/a.ndjson",
            lines_before: 6,
            is_line: true,
            ..input("{}\r\n", "[]")
        };
        let patch =
            render_patch(&input, &RenderOptions { color: true, ..RenderOptions::default() });
        assert_eq!(
            patch.header,
            "\u{1b}[1m--- /tmp/a.ndjson\u{1b}[0m\n\u{1b}[1m+++ /tmp/a.ndjson\u{1b}[0m\n"
        );
        assert_eq!(
            patch.hunks,
            "\u{1b}[36m@@ -7 +7 @@\u{1b}[0m\n\u{1b}[31m-{}\u{1b}[0m\r\n\u{1b}[32m+[]\u{1b}[0m\n\\ No newline at end of file\n"
        );
    }
}
