//! Generates templates from a seed: random tokens, combinations of hand-written templates, and small changes to them.

use std::fmt::Write as _;
use std::sync::LazyLock;

use voxlint_testing::texts::lines;

use super::hard::HARD;

/// A small generator of random numbers (xorshift64*), so that a seed gives the same templates everywhere.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0xD1B5_4A32_D192_ED03)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let high = self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33;
        high as usize % limit.max(1)
    }

    pub fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub fn pick<'a, T: ?Sized>(&mut self, choices: &[&'a T]) -> &'a T {
        choices[self.below(choices.len())]
    }
}

static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| lines(include_str!("../../words/names.txt")));
static LITERALS: LazyLock<Vec<&str>> =
    LazyLock::new(|| lines(include_str!("../../words/literals.txt")));
const SPACES: &[&str] = &[
    "", " ", "  ", "\n", "\r\n", "\t", "\u{b}", "\u{c}", "\u{a0}", "\u{1680}", "\u{2000}",
    "\u{200a}", "\u{2028}", "\u{2029}", "\u{202f}", "\u{205f}", "\u{3000}", "\u{feff}",
];
const TEXTS: &[&str] = &[
    "t", "", "", " ", "\\", "\\\\", "\\\\\\", "{", "}", "}}", "{ {", "\n", "é", "\u{0}", "\"", "'",
    "]", "\\\"", "--}}", "~", "\u{feff}",
];
const OPENERS: &[&str] = &[
    "{{", "{{", "{{", "{{{", "{{&", "{{*", "{{#", "{{^", "{{#*", "{{>", "{{#>", "{{else ", "{{/",
    "{{{{",
];
static SCRAPS: LazyLock<Vec<&str>> =
    LazyLock::new(|| lines(include_str!("../../words/scraps.txt")));

/// A random template. About half of them are valid.
pub fn template(random: &mut Random) -> String {
    match random.below(10) {
        0..=3 => many(random, 1, 3, |random, text| statement(random, 3, text)),
        4 | 5 => {
            let mut text = many(random, 1, 3, |random, text| statement(random, 2, text));
            for _ in 0..=random.below(2) {
                change(random, &mut text);
            }
            text
        }
        6 | 7 => {
            let mut text = random.pick(&HARD).to_owned();
            for _ in 0..=random.below(3) {
                change(random, &mut text);
            }
            text
        }
        8 => {
            let (head, tail) = (random.pick(&HARD), random.pick(&HARD));
            let (cut, resume) = (place(random, head), place(random, tail));
            format!("{}{}", &head[..cut], &tail[resume..])
        }
        _ => many(random, 1, 8, |random, text| text.push_str(random.pick(&SCRAPS))),
    }
}

fn many(
    random: &mut Random,
    least: usize,
    most: usize,
    add: impl Fn(&mut Random, &mut String),
) -> String {
    let mut text = String::new();
    for _ in 0..least + random.below(most - least + 1) {
        add(random, &mut text);
    }
    text
}

fn statement(random: &mut Random, depth: usize, text: &mut String) {
    match random.below(12) {
        0..=2 => text.push_str(random.pick(TEXTS)),
        3..=6 => {
            let opener = random.pick(&["{{", "{{", "{{{", "{{&", "{{*", "{{>", "{{~", "{{~{"]);
            let closer = match opener {
                "{{{" | "{{~{" => random.pick(&["}}}", "}}}", "}~}}"]),
                _ => random.pick(&["}}", "}}", "~}}"]),
            };
            let head = head(random);
            tag(random, opener, &head, 2, closer, text);
        }
        7..=9 if depth > 0 => block(random, depth, text),
        10 => text.push_str(random.pick(&[
            "{{!c}}",
            "{{!--c--}}",
            "{{~!--}}",
            "{{!}}",
            "{{! -- }}",
            "{{!--a}}b--~}}",
            "{{!---}}",
        ])),
        _ => text.push_str(random.pick(&[
            "\\{{x",
            "\\\\{{x}}",
            "\\\\\\{{x}}",
            "\\{{{{x}}",
            "\\{{a\\{{b\\\\{{c}}",
            "\\{{\u{0}",
        ])),
    }
}

fn block(random: &mut Random, depth: usize, text: &mut String) {
    let head = if random.one_in(8) { format!("(f{}x)", space(random)) } else { head(random) };
    let opener = random.pick(&["{{#", "{{#", "{{#", "{{^", "{{#*", "{{#>", "{{{{"]);
    if opener == "{{{{" {
        tag(random, opener, &head, 1, "}}}}", text);
        text.push_str(random.pick(&[
            "",
            "t",
            "{{x}}",
            "{{{{y}}}}{{{{/y}}}}",
            "{{{{/y }}}}{{{{/",
            "\u{0}",
            "{{{{/",
            "{{{{{",
        ]));
        write!(text, "{{{{{{{{/{}}}}}}}}}", close_name(random, &head)).expect("strings grow");
        return;
    }
    tag(random, opener, &head, 1, "}}", text);
    if random.one_in(4) {
        let bars = format!(
            "{}as{}|{} {}|",
            space(random),
            space(random),
            random.pick(&NAMES),
            random.pick(&NAMES)
        );
        text.insert_str(text.len() - 2, &bars);
    }
    let mut inner = String::new();
    statement(random, depth - 1, &mut inner);
    while random.one_in(4) {
        inner.push_str(random.pick(&[
            "{{else}}",
            "{{^}}",
            "{{else if x}}",
            "{{ else n as |a|}}",
            "{{~else~}}",
            "{{else(f)}}",
            "{{else-if}}",
            "{{elsewhere}}",
            "{{^~}}",
        ]));
        statement(random, depth - 1, &mut inner);
    }
    text.push_str(&inner);
    let name = close_name(random, &head);
    write!(text, "{{{{/{}{name}{}}}}}", space(random), space(random)).expect("strings grow");
}

/// The name of a closing tag: usually that of the block, or a variant of it.
fn close_name(random: &mut Random, head: &str) -> String {
    match random.below(12) {
        0 => head.replace('/', "."),
        1 => format!("[{head}]"),
        2 => format!("\"{head}\""),
        3 => head.trim_matches(['"', '\'', '[', ']']).to_owned(),
        4 => random
            .pick(&["undefined", "null", "1", "1.0", "-0", "0", "true", "this", "n"])
            .to_owned(),
        5 => head.to_uppercase(),
        _ => head.to_owned(),
    }
}

fn head(random: &mut Random) -> String {
    if random.one_in(6) { random.pick(&LITERALS).to_owned() } else { path(random) }
}

fn path(random: &mut Random) -> String {
    let mut path = random
        .pick(&["", "", "", "", "", "@", "../", "./", "this.", "this/", "@../", ".././"])
        .to_owned();
    path.push_str(random.pick(&NAMES));
    while random.one_in(4) {
        let space = if random.one_in(6) { space(random) } else { "" };
        path.push_str(space);
        path.push_str(random.pick(&[".", "/"]));
        path.push_str(random.pick(&NAMES));
    }
    path
}

fn tag(
    random: &mut Random,
    opener: &str,
    head: &str,
    depth: usize,
    closer: &str,
    text: &mut String,
) {
    text.push_str(opener);
    text.push_str(space(random));
    text.push_str(head);
    arguments(random, depth, text);
    text.push_str(space(random));
    text.push_str(closer);
}

fn arguments(random: &mut Random, depth: usize, text: &mut String) {
    while random.one_in(3) {
        text.push_str(random.pick(&[" ", " ", " ", "", "\u{a0}", "\n"]));
        argument(random, depth, text);
    }
    while random.one_in(5) {
        text.push(' ');
        text.push_str(random.pick(&NAMES));
        text.push_str(random.pick(&["=", "=", "=", " = ", "= ", " =", "=="]));
        argument(random, depth, text);
    }
}

fn argument(random: &mut Random, depth: usize, text: &mut String) {
    match random.below(10) {
        0..=4 => text.push_str(&path(random)),
        5 | 6 if depth > 0 => {
            text.push('(');
            text.push_str(space(random));
            text.push_str(&head(random));
            arguments(random, depth - 1, text);
            text.push_str(space(random));
            text.push(')');
        }
        _ => text.push_str(random.pick(&LITERALS)),
    }
}

fn space(random: &mut Random) -> &'static str {
    if random.one_in(3) { random.pick(SPACES) } else { random.pick(&["", " "]) }
}

fn place(random: &mut Random, text: &str) -> usize {
    let mut place = random.below(text.len() + 1);
    while !text.is_char_boundary(place) {
        place -= 1;
    }
    place
}

fn change(random: &mut Random, text: &mut String) {
    let from = place(random, text);
    match random.below(6) {
        0 => text.insert_str(from, random.pick(&SCRAPS)),
        1 => text.insert_str(from, random.pick(SPACES)),
        2 => text.insert_str(from, random.pick(&NAMES)),
        3 => {
            let to = place(random, text).min(from + 3);
            if from < to && text.is_char_boundary(to) {
                text.replace_range(from..to, "");
            }
        }
        4 if random.one_in(3) => text.truncate(from),
        4 => text.insert_str(from, &opener(random)),
        _ => {
            if let Some(character) = text[from..].chars().next() {
                text.replace_range(from..from + character.len_utf8(), random.pick(&SCRAPS));
            }
        }
    }
}

fn opener(random: &mut Random) -> String {
    format!("{}{}", random.pick(OPENERS), random.pick(&NAMES))
}
