use std::ops::Range;

use voxlint_syntax::conflict_marker::{OURS, SEPARATOR, THEIRS};

use super::shared::joined;
use crate::prelude::*;

rule! {
    /// A text contains an unresolved merge conflict.
    ///
    /// Version control marks a conflict with a line that begins with `<<<<<<<`, a line `=======` between both sides and a line
    /// that begins with `>>>>>>>`. In a text, callers may hear these lines and both sides, or the language model reads
    /// them. The rule reports a conflict only if all three lines are present in this order. Underlined headings and quoted
    /// mails are not reported. Markers outside of texts are syntax errors.
    ///
    /// ```json,advice
    /// {
    ///   "version_number": 3,
    ///   "welcome_message": "<<<<<<< HEAD\nHello!\n=======\nGood day!\n>>>>>>> tone"
    /// }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "welcome_message": "Hello!\n=======\nHow can I help?" }
    /// ```
    "merge-conflict-marker": Text {
        group: Suspicious,
        basis: Inferred("The service treats the markers of version control as text."),
        section: "2.3",
        needs: [Opener],
    }
}

fn check(text: &TextValue<'_>) -> Verdicts {
    let marks = conflicts(text.text).into_iter().map(|Conflict { ours, separator, theirs }| {
        let finding = Finding::new(text.place(ours), "this text contains merge conflict markers")
            .about_value(text.value.place())
            .label("an unresolved merge conflict")
            .also(text.place(separator), "the other side begins here")
            .also(text.place(theirs), "ends here")
            .help("resolve the conflict, and remove the marker lines");
        (String::new(), finding)
    });
    let message = |count| format!("this text contains {count} merge conflicts");
    joined(marks.collect(), message, "").map(Finding::advice).into_iter().collect()
}

/// The marker lines of a conflict.
#[derive(Debug, PartialEq, Eq)]
struct Conflict {
    ours: Range<usize>,
    separator: Range<usize>,
    theirs: Range<usize>,
}

/// The conflicts in a text.
fn conflicts(text: &str) -> Vec<Conflict> {
    let mut found = Vec::new();
    // Few texts have the first character of a marker, and to look for it is cheaper.
    let first = memchr::memchr(b'<', text.as_bytes()).unwrap_or(text.len());
    if !text.get(first..).is_some_and(|rest| rest.contains(OURS)) {
        return found;
    }
    let mut ours = None;
    let mut separator = None;
    let mut at = 0;
    let is_marker = |line: &str, marker: &str| {
        line.strip_prefix(marker).is_some_and(|rest| rest.starts_with(' '))
    };
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let line = line.trim_end_matches(['\n', '\r']);
        let range = start..start + line.len();
        if is_marker(line, OURS) {
            (ours, separator) = (Some(range), None);
        } else if line == SEPARATOR && ours.is_some() && separator.is_none() {
            separator = Some(range);
        } else if is_marker(line, THEIRS)
            && let (Some(ours), Some(separator)) = (ours.take(), separator.take())
        {
            found.push(Conflict { ours, separator, theirs: range });
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let conflicts = conflicts(text);
        conflicts.into_iter().map(|it| text.get(it.ours).unwrap_or_default()).collect()
    }

    #[test]
    fn a_conflict_has_three_markers_in_order() {
        assert_eq!(found("<<<<<<< HEAD\r\na\r\n=======\r\nb\r\n>>>>>>> x\r\n"), ["<<<<<<< HEAD"]);
        let two = "<<<<<<< a\n||||||| base\n=======\n>>>>>>> b\n<<<<<<< c\n=======\n>>>>>>> d";
        assert_eq!(found(two), ["<<<<<<< a", "<<<<<<< c"]);
        assert_eq!(found("<<<<<<< a\n<<<<<<< b\n=======\n>>>>>>> c"), ["<<<<<<< b"]);
    }

    #[test]
    fn prose_and_headings_are_not_conflicts() {
        for text in [
            "Title\n=======\nText",
            "<<<<<<< HEAD\nText",
            "<<<<<<< HEAD\n>>>>>>> x",
            ">>>>>>> quoted\n=======\n<<<<<<< HEAD",
            "a <<<<<<< HEAD\n=======\n>>>>>>> x",
            "<<<<<<< HEAD\n========\n>>>>>>> x",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
