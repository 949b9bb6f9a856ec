//! Generates variables from a seed, and templates that use them in every way that changes what is rendered.

use serde_json::{Value, json};

use super::generator::Random;

/// Names of variables. No object has a `toString`: whether it is asked for depends on unrelated parts of the template.
const NAMES: &[&str] = &[
    "a",
    "b",
    "c",
    "xs",
    "ys",
    "o",
    "n",
    "t",
    "f",
    "e",
    "if",
    "this",
    "length",
    "name",
    "0",
    "1",
    "first",
    "mythis",
    "x y",
    "constructor",
    "root",
    "नाम",
];
const TEXTS: &[&str] =
    &["", "A", "1", "<b>&\"'`=", "two words", "é", "\n", " x ", "it's", "[object Object]"];

/// An object of variables.
pub fn context(random: &mut Random) -> Value {
    let mut fields = serde_json::Map::new();
    for _ in 0..random.below(14) {
        fields.insert(random.pick(NAMES).to_owned(), value(random, 3));
    }
    Value::Object(fields)
}

fn value(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 8 } else { 14 }) {
        0 => Value::Null,
        1 | 2 => json!(random.one_in(2)),
        3 => json!(0),
        4 => {
            let numbers = [1.0, -1.5, 2.0, 1e21, 1e-7, 0.1, 123_456_789.125, -0.0];
            json!(numbers[random.below(numbers.len())])
        }
        5 => json!(random.below(4)),
        6 | 7 => json!(random.pick(TEXTS)),
        8..=10 => (0..random.below(4)).map(|_| value(random, depth - 1)).collect(),
        _ => {
            let mut fields = serde_json::Map::new();
            for _ in 0..random.below(4) {
                fields.insert(random.pick(NAMES).to_owned(), value(random, depth - 1));
            }
            Value::Object(fields)
        }
    }
}

/// A valid template, most often.
pub fn rendered_template(random: &mut Random) -> String {
    let mut text = String::new();
    statements(random, 3, &mut text);
    text
}

fn statements(random: &mut Random, depth: usize, to: &mut String) {
    for _ in 0..=random.below(4) {
        statement(random, depth, to);
    }
}

fn statement(random: &mut Random, depth: usize, to: &mut String) {
    let texts = ["x", " ", "\n", "  \n", "\n  ", "\r\n", "\t", "y\n", "\\\\", "", "\n\n", "é "];
    match random.below(if depth == 0 { 8 } else { 20 }) {
        0..=2 => to.push_str(random.pick(&texts)),
        3 | 4 => tag("{{", &head(random), "}}", to, random),
        5 => tag("{{{", &head(random), "}}}", to, random),
        6 => match random.below(8) {
            0 => to.push_str("\\{{escaped}} "),
            1 => tag("{{!", " note ", "}}", to, random),
            2 => tag("{{!--", " }} ", "--}}", to, random),
            3 => to.push_str("{{{{a}}}} {{x}}\n {{{{b}}}}{{{{/b}}}} {{{{/a}}}}"),
            4 => tag("{{&", &head(random), "}}", to, random),
            5 => tag("{{>", partial_name(random), "}}", to, random),
            _ => to.push_str(random.pick(&texts)),
        },
        7 => {
            let call = call(random, 2);
            tag("{{", &call, "}}", to, random);
        }
        // Partials are not rendered.
        8 if random.one_in(10) => inline(random, to),
        9 if random.one_in(10) => {
            let name = partial_name(random);
            tag("{{#>", name, "}}", to, random);
            statements(random, depth - 1, to);
            tag("{{/", name.split(' ').next().unwrap(), "}}", to, random);
        }
        10..=12 => {
            let helper = random.pick(&["if", "unless", "if", "with"]);
            block(helper, &argument(random, 1), depth, to, random);
        }
        13..=15 => block("each", &argument(random, 1), depth, to, random),
        16 => {
            let head = path(random);
            tag("{{^", &head, "}}", to, random);
            statements(random, depth - 1, to);
            if random.one_in(3) {
                tag("{{", "else", "}}", to, random);
                statements(random, depth - 1, to);
            }
            tag("{{/", &head, "}}", to, random);
        }
        _ => {
            let head = path(random);
            block(&head, "", depth, to, random);
        }
    }
}

fn tag(open: &str, inner: &str, close: &str, to: &mut String, random: &mut Random) {
    // `~` is between the outer braces and the rest.
    let (outer, kind) = open.split_at(2);
    let (end, outer_end) = close.split_at(close.len() - 2);
    to.push_str(outer);
    to.push_str(if random.one_in(6) { "~" } else { "" });
    to.push_str(kind);
    to.push_str(inner);
    to.push_str(end);
    to.push_str(if random.one_in(6) { "~" } else { "" });
    to.push_str(outer_end);
}

fn block(head: &str, argument: &str, depth: usize, to: &mut String, random: &mut Random) {
    let mut open = head.to_owned();
    if !argument.is_empty() {
        open = format!("{open} {argument}");
    }
    if random.one_in(30) {
        open = format!("{open} {}", path(random));
    }
    if random.one_in(20) {
        open = format!("{open} includeZero={}", path(random));
    }
    if random.one_in(8) {
        open.push_str(random.pick(&[" as |a|", " as |a b|", " as |p|", " as |mythis|"]));
    }
    tag("{{#", &open, "}}", to, random);
    statements(random, depth - 1, to);
    while random.one_in(5) {
        let chain =
            format!("else {} {}", random.pick(&["if", "with", "each", "unless"]), path(random));
        tag("{{", &chain, "}}", to, random);
        statements(random, depth - 1, to);
    }
    if random.one_in(3) {
        tag("{{", random.pick(&["else", "^"]), "}}", to, random);
        statements(random, depth - 1, to);
    }
    tag("{{/", head, "}}", to, random);
}

fn inline(random: &mut Random, to: &mut String) {
    let name = random.pick(&["\"p\"", "\"q\"", "'p'", "a", ""]);
    tag("{{#*", &format!("inline {name}"), "}}", to, random);
    // Block parameters and partials within partials are left out: the reference's code depends on what else a program
    // uses, and partials that call themselves never end.
    for _ in 0..random.below(3) {
        statement(random, 0, to);
    }
    if random.one_in(3) {
        to.push_str(
            random.pick(&["{{> @partial-block}}", "{{#each xs}}{{@index}}{{this}}{{/each}}"]),
        );
    }
    tag("{{/", "inline", "}}", to, random);
}

fn partial_name(random: &mut Random) -> &'static str {
    const NAMES: &[&str] =
        &["p", "p", "q", "p a", "p o n=1", "p xs a=b b=2 a=3", "@partial-block", "t", "p n=1"];
    NAMES[random.below(NAMES.len())]
}

fn head(random: &mut Random) -> String {
    if random.one_in(10) { call(random, 1) } else { path(random) }
}

fn path(random: &mut Random) -> String {
    let names = [
        "a",
        "b",
        "c",
        "xs",
        "ys",
        "o",
        "n",
        "t",
        "f",
        "e",
        "p",
        "name",
        "mythis",
        "length",
        "[x y]",
        "[0]",
        "first",
        "नाम",
        "[if]",
        "constructor",
        "toString",
        "__proto__",
    ];
    let mut path = match random.below(14) {
        0 => return "this".to_owned(),
        1 => return ".".to_owned(),
        2 => "../".to_owned(),
        3 => "../../".to_owned(),
        4 => {
            let data = [
                "@index",
                "@key",
                "@first",
                "@last",
                "@root.a",
                "@root",
                "@../index",
                "@_parent.index",
                "@a",
                "@foo",
            ];
            return random.pick(&data).to_owned();
        }
        5 => "this.".to_owned(),
        6 => "./".to_owned(),
        7 => {
            let literals = ["\"a\"", "'x y'", "1", "true", "null", "undefined", "0", "1.0", "12"];
            return random.pick(&literals).to_owned();
        }
        8 => return "..".to_owned(),
        _ => String::new(),
    };
    path.push_str(random.pick(&names));
    while random.one_in(4) {
        path.push_str(random.pick(&[".", "/"]));
        path.push_str(random.pick(&names));
    }
    path
}

fn argument(random: &mut Random, depth: usize) -> String {
    match random.below(8) {
        0 if depth > 0 => format!("({})", call(random, depth - 1)),
        1 => random
            .pick(&["\"s\"", "0", "1", "true", "false", "null", "undefined", "''", "-0", "1.50"])
            .to_owned(),
        _ => path(random),
    }
}

/// A helper with its arguments, or what looks like one.
fn call(random: &mut Random, depth: usize) -> String {
    match random.below(12) {
        0..=5 => format!("lookup {} {}", argument(random, depth), argument(random, depth)),
        6 => format!("log {} level={}", argument(random, depth), argument(random, depth)),
        7 => format!("{} a={}", path(random), argument(random, depth)),
        8 => format!(
            "{} {}",
            random.pick(&["if", "each", "with", "unless"]),
            argument(random, depth)
        ),
        9 => format!("{} {}", path(random), argument(random, depth)),
        10 => random
            .pick(&[
                "if",
                "each",
                "lookup",
                "lookup a",
                "lookup xs 0 1",
                "helperMissing",
                "log",
                "@if",
            ])
            .to_owned(),
        _ => path(random),
    }
}
