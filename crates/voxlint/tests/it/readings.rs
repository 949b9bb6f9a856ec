//! Checks lists inside strings against a second, independent implementation. It builds each list from pieces whose verdicts are
//! written by hand.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use voxlint::{Diagnostic, Document, Inputs, VerdictKind, check};
use voxlint_testing::property;

/// The worst verdict on a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Worst {
    Fine,
    Possible,
    Reject,
}

fn over(least: usize, most: usize, limit: usize) -> Worst {
    if least > limit {
        Worst::Reject
    } else if most > limit {
        Worst::Possible
    } else {
        Worst::Fine
    }
}

/// A JSON string with some unnecessary escapes.
fn spelled(text: &str, escape: bool) -> String {
    let plain = serde_json::to_string(text).unwrap();
    if escape { plain.replace('a', "\\u0061").replace('+', "\\u002b") } else { plain }
}

/// The findings about one field, each inside its string.
fn findings(document: &str, field: &str, string: &str) -> Vec<Diagnostic> {
    let parsed = Document::parse(document);
    let found = check(&Inputs::new(parsed)).diagnostics;
    let start = document.find(string).unwrap();
    let inner = start + 1..start + string.len() - 1;
    for finding in &found {
        assert_eq!(finding.field, field, "{document}");
        let span = finding.span.start as usize..finding.span.end as usize;
        assert!(inner.start <= span.start && span.end <= inner.end, "{finding:?} in {document}");
        assert!(document.is_char_boundary(span.start) && document.is_char_boundary(span.end));
    }
    found
}

fn worst(found: &[Diagnostic]) -> Worst {
    let kinds = found.iter().map(|finding| match finding.verdict {
        VerdictKind::Reject => Worst::Reject,
        VerdictKind::Possible => Worst::Possible,
        VerdictKind::Advice => Worst::Fine,
    });
    kinds.max().unwrap_or(Worst::Fine)
}

/// A piece of a destination as written, and with ASCII digits.
const DIGITS: [(&str, &str); 6] =
    [("1", "1"), ("4", "4"), ("90", "90"), ("९", "9"), ("４", "4"), ("٣", "3")];

fn destination() -> impl Strategy<Value = (String, String)> {
    let prefix = prop_oneof![
        8 => Just("+1"), 8 => Just("+91"), 1 => Just("+44"), 1 => Just("1"), 1 => Just("001"),
        1 => Just("+"), 1 => Just(""), 1 => Just("+1 "), 1 => Just("tel:+1")
    ];
    let ascii = prop::collection::vec(0..3_usize, 0..12);
    let exact = "[0-9]{10}".prop_map(|digits| (digits.clone(), digits));
    let mixed = prop::collection::vec(0..DIGITS.len(), 0..12).prop_map(|it| spell_digits(&it));
    let few = (0..3_usize).prop_map(|last| {
        // There are so few different numbers that some are repeated.
        let digits = format!("555123456{last}");
        (digits.clone(), digits)
    });
    let digits =
        prop_oneof![3 => exact, 1 => ascii.prop_map(|it| spell_digits(&it)), 2 => mixed, 6 => few];
    let tail = prop_oneof![20 => Just(""), 1 => Just("-"), 1 => Just(")"), 1 => Just("x")];
    (prefix, digits, tail).prop_map(|(prefix, (written, plain), tail)| {
        (format!("{prefix}{written}{tail}"), format!("{prefix}{plain}{tail}"))
    })
}

fn spell_digits(choice: &[usize]) -> (String, String) {
    let pieces = || choice.iter().map(|at| DIGITS[*at]);
    (pieces().map(|(written, _)| written).collect(), pieces().map(|(_, plain)| plain).collect())
}

/// The text between two bars: white space, the destination as written and with ASCII digits, white space.
type Segment = (&'static str, (String, String), &'static str);

fn segment() -> impl Strategy<Value = Segment> {
    let edge = || prop_oneof![12 => Just(""), 1 => Just(" "), 1 => Just("\t\u{a0}")];
    let number = prop_oneof![12 => destination(), 1 => Just((String::new(), String::new()))];
    (edge(), number, edge())
}

/// The verdict on one destination.
fn expected_verdict((before, (written, plain), after): &Segment) -> Worst {
    if written.trim().is_empty() {
        return Worst::Possible;
    }
    let right = ["+1", "+91"].iter().any(|code| {
        plain.starts_with(code)
            && plain.len() == code.len() + 10
            && plain[code.len()..].chars().all(|digit| "0123456789".contains(digit))
    });
    match (right, written == plain && before.is_empty() && after.is_empty()) {
        (false, _) => Worst::Reject,
        (true, false) => Worst::Possible,
        (true, true) => Worst::Fine,
    }
}

/// A piece of a keyword: its text, its verdict, its length in graphemes and in UTF-16 units, and its text without case and
/// composition. Every piece begins with a base character, so that pieces do not merge.
const PIECES: [(&str, Worst, usize, usize, &str); 16] = [
    ("a", Worst::Fine, 1, 1, "a"),
    ("A", Worst::Fine, 1, 1, "a"),
    ("b7", Worst::Fine, 2, 2, "b7"),
    ("wwwwwwwwwwwwwwww", Worst::Fine, 16, 16, "wwwwwwwwwwwwwwww"),
    (" ", Worst::Fine, 1, 1, " "),
    ("\t", Worst::Possible, 1, 1, " "),
    ("\u{a0}", Worst::Possible, 1, 1, " "),
    ("é", Worst::Possible, 1, 1, "é"),
    ("e\u{301}", Worst::Possible, 1, 2, "é"),
    ("É", Worst::Possible, 1, 1, "é"),
    ("नि", Worst::Possible, 1, 2, "नि"),
    ("a\u{200c}a", Worst::Possible, 2, 3, "a\u{200c}a"),
    ("7\u{200d}7", Worst::Reject, 2, 3, "7\u{200d}7"),
    ("-", Worst::Reject, 1, 1, "-"),
    (";", Worst::Reject, 1, 1, ";"),
    ("😀", Worst::Reject, 1, 2, "😀"),
];

const PLAIN: usize = 5;
const UNDISPUTED: usize = 12;

fn term() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![
        3 => prop::collection::vec(0..PLAIN, 0..4),
        3 => prop::collection::vec(0..PLAIN, 0..12),
        2 => prop::collection::vec(0..UNDISPUTED, 0..8),
        1 => prop::collection::vec(0..PIECES.len(), 0..6),
    ]
}

/// Short lists of all pieces, and lists of plain terms that are long enough to reach the limits.
fn terms() -> impl Strategy<Value = Vec<Vec<usize>>> {
    let plain =
        |pieces, number| prop::collection::vec(prop::collection::vec(0..PLAIN, pieces), number);
    prop_oneof![
        4 => prop::collection::vec(term(), 0..6),
        1 => plain(0..6, 95..130),
        2 => plain(6..12, 30..80),
        // Long terms, some of them repeated.
        2 => (38..50_usize, 1..60_usize).prop_map(|(number, different)| {
            (0..number).map(|at| vec![3, 3, [0, 2][at % different % 2], 4, at % different % 5, 0]).collect()
        }),
    ]
}

fn is_white(piece: usize) -> bool {
    (4..=6).contains(&piece)
}

/// The term without the white space around it.
fn trimmed(term: &[usize]) -> &[usize] {
    let start = term.iter().position(|piece| !is_white(*piece)).unwrap_or(term.len());
    let end = term.iter().rposition(|piece| !is_white(*piece)).map_or(start, |last| last + 1);
    &term[start..end]
}

/// The term without repeated white space, case and composition, and the length of that.
fn normalized(term: &[usize]) -> (String, usize) {
    let mut text = String::new();
    let mut length = 0;
    for (at, piece) in term.iter().enumerate() {
        if is_white(*piece) && at > 0 && is_white(term[at - 1]) {
            continue;
        }
        text.push_str(PIECES[*piece].4);
        length += PIECES[*piece].2;
    }
    (text, length)
}

fn keywords_worst(terms: &[Vec<usize>]) -> Worst {
    let mut worst = Worst::Fine;
    let mut distinct = BTreeMap::new();
    let mut joined = 0;
    for (at, term) in terms.iter().enumerate() {
        let characters = term.iter().map(|piece| PIECES[*piece].1).max().unwrap_or(Worst::Fine);
        let term = trimmed(term);
        let (text, least) = normalized(term);
        let most: usize = term.iter().map(|piece| PIECES[*piece].3).sum();
        worst = worst.max(characters).max(over(least, most, 50));
        if !text.is_empty() {
            distinct.insert(text, least);
        }
        joined += most + if at > 0 { 2 } else { 0 };
    }
    let total: usize = distinct.values().sum();
    worst.max(over(distinct.len(), terms.len(), 100)).max(over(total, joined, 2000))
}

proptest! {
    // The cases are the same in every run. PROPTEST_RNG_SEED chooses others.
    #![proptest_config(property(300, 3_000))]

    #[test]
    fn destinations_agree_with_the_simple_implementation(
        segments in prop::collection::vec(segment(), 1..12), escape in any::<bool>()
    ) {
        let text: Vec<String> = segments.iter().map(|(before, (number, _), after)| format!("{before}{number}{after}")).collect();
        let string = spelled(&text.join("|"), escape);
        let document = format!(
            "{{\"version_number\": 3, \"default_dynamic_variables\": {{\"agent_transfer_destinations\": {string}}}}}"
        );
        let found = findings(&document, "/default_dynamic_variables/agent_transfer_destinations", &string);

        let numbers: Vec<&String> = segments.iter().map(|(_, (_, plain), _)| plain).collect();
        let distinct: BTreeSet<&&String> = numbers.iter().filter(|plain| !plain.trim().is_empty()).collect();
        let each: Vec<Worst> = segments.iter().map(expected_verdict).collect();
        let expected = over(distinct.len(), numbers.len(), 7).max(*each.iter().max().unwrap());
        prop_assert_eq!(worst(&found), expected, "{}", &document);

        let bad = |wanted: Worst| {
            segments.iter().zip(&each).filter(|((_, (number, _), _), it)| !number.trim().is_empty() && **it == wanted).count()
        };
        for (verdict, wanted) in [(VerdictKind::Reject, Worst::Reject), (VerdictKind::Possible, Worst::Possible)] {
            let said = found.iter().filter(|it| it.rule.id == "transfer-destination-malformed" && it.verdict == verdict);
            // Numbers with the same mistake are one finding.
            prop_assert!(said.clone().count() <= bad(wanted), "{}", &document);
            prop_assert_eq!(said.count() > 0, bad(wanted) > 0, "{}", &document);
        }
    }

    #[test]
    fn keywords_agree_with_the_simple_implementation(terms in terms(), escape in any::<bool>()) {
        let text: Vec<String> = terms.iter().map(|term| term.iter().map(|piece| PIECES[*piece].0).collect()).collect();
        let string = spelled(&text.join(","), escape);
        let document = format!("{{\"version_number\": 3, \"boosted_keywords\": {string}}}");
        let found = findings(&document, "/boosted_keywords", &string);
        // A list without terms is one empty term.
        let expected = keywords_worst(&terms);
        prop_assert_eq!(worst(&found), expected, "{}", &document);

        let bad = terms.iter().filter(|term| term.iter().any(|piece| PIECES[*piece].1 != Worst::Fine)).count();
        let said = found.iter().filter(|it| it.rule.id == "boosted-keyword-character");
        // A finding marks all keywords with its mistake.
        let marked: usize = said.map(|it| 1 + it.related.len()).sum();
        prop_assert_eq!(marked, bad, "{}", &document);
    }
}
