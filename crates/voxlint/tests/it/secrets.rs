//! No output shows a secret, whatever its kind and place, and however its characters are written in the format.

use std::cell::LazyCell;
use std::fmt::Write as _;

use voxlint::syntax::Format;
use voxlint::{
    DiffInputs, Document, Facts, Faults as _, FindingIdentities, Inputs, Origin, Report, Stored,
    TextFile, Trace, Wildcard, check, diff, predict, schema::settings,
};
use voxlint_config::{CheckSettings, Configuration, Date, DocumentScope, check_document};
use voxlint_report::{
    CheckedDocument, OutputFormat as Output, RelatedFile, RenderOptions, RunInfo, RunOutcome,
    RunSummary, difference_notes, render, render_prediction, write_changes, write_difference_json,
    write_findings, write_prediction_json,
};
use voxlint_testing::{cases, contains};

/// The number of adjacent characters of a secret that must not be shown.
pub(crate) const WINDOW: usize = 6;

/// Pseudorandom numbers, the same on every machine (`SplitMix64`).
pub(crate) struct Dice(pub(crate) u64);

impl Dice {
    pub(crate) fn next(&mut self) -> u64 {
        voxlint_testing::split_mix(&mut self.0)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    pub(crate) fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most - least + 1)
    }

    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(crate) fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    pub(crate) fn draw(&mut self, alphabet: &str, least: usize, most: usize) -> String {
        let letters = alphabet.as_bytes();
        let length = self.between(least, most);
        (0..length).map(|_| char::from(letters[self.below(letters.len())])).collect()
    }
}

pub(crate) const HEX: &str = "0123456789abcdef";
pub(crate) const LOWER: &str = "abcdefghijklmnopqrstuvwxyz";
pub(crate) const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
pub(crate) const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
pub(crate) const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
pub(crate) const BASE64_URL: &str =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const DOTTED: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/.=";

/// A secret and the text around it.
#[derive(Debug)]
pub(crate) struct Planted {
    pub(crate) kind: &'static str,
    pub(crate) before: String,
    pub(crate) secret: String,
    pub(crate) after: String,
    /// Whether `secret-in-document` promises to find it.
    pub(crate) is_promised: bool,
}

pub(crate) const NAMES: [&str; 26] = [
    "webhook_signing_key",
    "webhookSigningKey",
    "signing-key",
    "HMAC_KEY",
    "encryption_key",
    "passphrase",
    "pwd",
    "cookie",
    "Set-Cookie",
    "auth",
    "x-auth",
    "X-Auth-Token",
    "jwt",
    "token_value",
    "connection_string",
    "connectionString",
    "api_key",
    "apiKey",
    "APIKEY",
    "x-api-key",
    "client_secret",
    "Authorization",
    "password",
    "refresh_token",
    "access-key",
    "bearer",
];

impl Planted {
    /// The same with another secret of the same shape. Every letter and digit is different.
    pub(crate) fn with_other_secret(mut self) -> Self {
        const CYCLES: [&str; 5] =
            ["abcdef", "ghijklmnopqrstuvwxyz", "ABCDEF", "GHIJKLMNOPQRSTUVWXYZ", "0123456789"];
        let next = |c: char| {
            let cycle = CYCLES.iter().find(|cycle| cycle.contains(c))?;
            cycle.chars().cycle().skip_while(|it| *it != c).nth(1)
        };
        self.secret = self.secret.chars().map(|c| next(c).unwrap_or(c)).collect();
        self
    }
}

/// A secret that is recognised by its shape.
fn secret(dice: &mut Dice) -> Planted {
    let base64 = |dice: &mut Dice, least, most| {
        let mut text = dice.draw(BASE64, least, most);
        text.push_str(["", "=", "=="][dice.below(3)]);
        text
    };
    let (kind, before, secret, after) = match dice.below(15) {
        0 => ("hex id", dice.draw(HEX, 16, 24) + "7a:", dice.draw(ALNUM, 20, 40), String::new()),
        1 => ("base64", dice.draw(HEX, 16, 24) + "7a:", base64(dice, 22, 44), String::new()),
        2 => {
            let secret = dice.draw(DOTTED, 22, 44) + &dice.draw(ALNUM, 2, 2);
            ("dotted", dice.draw(HEX, 16, 24) + "7a:", secret, String::new())
        }
        3 => {
            let id = format!("key_{}:", dice.draw(LOWER, 1, 8));
            ("letters", id, dice.draw(LETTERS, 20, 40), String::new())
        }
        4 => {
            let id = format!("k{}:", dice.draw(HEX, 0, 3));
            ("short id", id, base64(dice, 24, 44), String::new())
        }
        5 => {
            let prefix =
                dice.pick(&["sk-", "sk_live_", "sk-proj-", "ghp_", "glpat-", "xoxb-", "rk_"]);
            ("prefix", String::new(), prefix.to_owned() + &dice.draw(ALNUM, 20, 40), String::new())
        }
        6 => ("webhook", String::new(), "whsec_".to_owned() + &base64(dice, 24, 40), String::new()),
        7 => (
            "prefix",
            String::new(),
            "AIza".to_owned() + &dice.draw(BASE64_URL, 35, 35),
            String::new(),
        ),
        8 => {
            let part = |dice: &mut Dice| format!("eyJ{}", dice.draw(BASE64_URL, 12, 40));
            let secret = format!("{}.{}.{}", part(dice), part(dice), dice.draw(BASE64_URL, 20, 43));
            ("jwt", String::new(), secret, String::new())
        }
        9 | 10 => {
            let word: String = "bearer "
                .chars()
                .map(|c| if dice.one_in(2) { c.to_ascii_uppercase() } else { c })
                .collect();
            ("bearer", word, base64(dice, 24, 40), String::new())
        }
        11 => {
            let name = dice.pick(&NAMES);
            (("assigned"), format!("{name}="), dice.draw(ALNUM, 20, 40), String::new())
        }
        12 => {
            let name = dice.pick(&NAMES).replace('-', "_");
            let before = format!("{{{{#if {name}=\"");
            ("template", before, dice.draw(ALNUM, 20, 40), "\"}}x{{/if}}".to_owned())
        }
        13 => {
            let after = "@db.example.com/agents".to_owned();
            (
                "address",
                "postgres://agent:".to_owned(),
                "q7".to_owned() + &dice.draw(ALNUM, 10, 30),
                after,
            )
        }
        _ => {
            let lines: Vec<String> = (0..4).map(|_| dice.draw(BASE64, 40, 60)).collect();
            let before = "-----BEGIN PRIVATE KEY-----\n".to_owned();
            ("private key", before, lines.join("\n"), "\n-----END PRIVATE KEY-----".to_owned())
        }
    };
    // After a short id, letters and digits alone may be an id as well: they are masked, and no finding is promised.
    let is_promised = kind != "short id" || secret.contains(['+', '=']);
    Planted { kind, before, secret, after, is_promised }
}

/// A secret that is recognised by the name of its field only.
fn named(dice: &mut Dice) -> Planted {
    let (secret, is_promised) = match dice.below(4) {
        0 => (dice.draw(ALNUM, 20, 40), true),
        1 => (dice.draw(LOWER, 12, 40), false),
        2 => (dice.draw(HEX, 32, 64) + "7a", true),
        _ => {
            let words: Vec<String> = (0..3).map(|_| dice.draw(LOWER, 6, 9)).collect();
            (words.join(" "), false)
        }
    };
    Planted { kind: "named", before: String::new(), secret, after: String::new(), is_promised }
}

/// A scalar as written in a file, and the place of the secret in it.
pub(crate) struct Spelled {
    pub(crate) text: String,
    pub(crate) secret: std::ops::Range<usize>,
}

impl Spelled {
    fn of(
        before: &str,
        planted: &Planted,
        after: &str,
        mut spell: impl FnMut(char, &mut String),
    ) -> Self {
        let mut text = String::new();
        let mut all = |part: &str, text: &mut String| {
            for character in part.chars() {
                spell(character, text);
            }
        };
        all(before, &mut text);
        all(&planted.before, &mut text);
        let start = text.len();
        all(&planted.secret, &mut text);
        let end = text.len();
        all(&planted.after, &mut text);
        all(after, &mut text);
        Self { text, secret: start..end }
    }

    pub(crate) fn quoted(mut self, quotes: &str) -> Self {
        self.secret = self.secret.start + quotes.len()..self.secret.end + quotes.len();
        self.text = format!("{quotes}{}{quotes}", self.text);
        self
    }

    pub(crate) fn raw(&self) -> &str {
        &self.text[self.secret.clone()]
    }
}

/// How often characters are escaped: never, sometimes or always.
fn rate(dice: &mut Dice) -> usize {
    [0, 20, 4, 1][dice.below(4)]
}

pub(crate) fn json(dice: &mut Dice, before: &str, planted: &Planted, after: &str) -> Spelled {
    let rate = rate(dice);
    let spelled = Spelled::of(before, planted, after, |c, out| match c {
        '\n' => out.push_str("\\n"),
        '"' | '\\' => {
            out.push('\\');
            out.push(c);
        }
        '/' if rate > 0 && dice.one_in(2) => out.push_str("\\/"),
        c if rate > 0 && c.is_ascii() && dice.one_in(rate) => {
            write!(out, "\\u{:04x}", c as u32).unwrap();
        }
        c => out.push(c),
    });
    spelled.quoted("\"")
}

pub(crate) fn yaml(
    dice: &mut Dice,
    before: &str,
    planted: &Planted,
    after: &str,
    is_flow: bool,
) -> Spelled {
    let whole = format!("{before}{}{}{}{after}", planted.before, planted.secret, planted.after);
    let is_plain = whole.starts_with(|c: char| c.is_ascii_alphabetic())
        && !whole.contains(|c: char| "\n\"'{}[],#`".contains(c))
        && !whole.contains(": ")
        && !whole.ends_with(':');
    match dice.below(5) {
        0 if is_plain => Spelled::of(before, planted, after, |c, out| out.push(c)),
        1 if !whole.contains('\n') => {
            let spelled = Spelled::of(before, planted, after, |c, out| match c {
                '\'' => out.push_str("''"),
                c => out.push(c),
            });
            spelled.quoted("'")
        }
        2 if !is_flow && !whole.starts_with(' ') => {
            let mut spelled = Spelled::of(before, planted, after, |c, out| match c {
                '\n' => out.push_str("\n    "),
                c => out.push(c),
            });
            let head = if dice.one_in(2) { "|\n    " } else { "|-\n    " };
            spelled.secret = spelled.secret.start + head.len()..spelled.secret.end + head.len();
            spelled.text.insert_str(0, head);
            spelled
        }
        _ => {
            let rate = rate(dice);
            let may_break = !is_flow && dice.one_in(3);
            let spelled = Spelled::of(before, planted, after, |c, out| {
                if may_break && !c.is_whitespace() && dice.one_in(12) {
                    out.push_str("\\\n    ");
                }
                match c {
                    '\n' => out.push_str("\\n"),
                    '"' | '\\' => {
                        out.push('\\');
                        out.push(c);
                    }
                    c if rate > 0 && c.is_ascii() && dice.one_in(rate) => match dice.below(3) {
                        0 => write!(out, "\\x{:02x}", c as u32).unwrap(),
                        1 => write!(out, "\\u{:04X}", c as u32).unwrap(),
                        _ => write!(out, "\\U{:08x}", c as u32).unwrap(),
                    },
                    c => out.push(c),
                }
            });
            spelled.quoted("\"")
        }
    }
}

pub(crate) fn toml(
    dice: &mut Dice,
    before: &str,
    planted: &Planted,
    after: &str,
    is_flow: bool,
) -> Spelled {
    let whole = format!("{before}{}{}{}{after}", planted.before, planted.secret, planted.after);
    let is_literal = !whole.contains('\'');
    match dice.below(4) {
        0 if is_literal && !whole.contains('\n') => {
            Spelled::of(before, planted, after, |c, out| out.push(c)).quoted("'")
        }
        1 if is_literal && !is_flow => {
            Spelled::of(before, planted, after, |c, out| out.push(c)).quoted("'''")
        }
        style => {
            let is_long = style == 2 && !is_flow;
            let rate = rate(dice);
            let may_break = is_long && dice.one_in(2);
            let spelled = Spelled::of(before, planted, after, |c, out| {
                if may_break && !c.is_whitespace() && dice.one_in(12) {
                    out.push_str("\\\n    ");
                }
                match c {
                    '\n' => out.push_str("\\n"),
                    '"' | '\\' => {
                        out.push('\\');
                        out.push(c);
                    }
                    c if rate > 0 && c.is_ascii() && dice.one_in(rate) => match dice.below(2) {
                        0 => write!(out, "\\u{:04X}", c as u32).unwrap(),
                        _ => write!(out, "\\U{:08x}", c as u32).unwrap(),
                    },
                    c => out.push(c),
                }
            });
            spelled.quoted(if is_long { "\"\"\"" } else { "\"" })
        }
    }
}

/// A document with a secret, and the text that must not be shown.
#[derive(Debug, Default)]
#[allow(dead_code, reason = "shown when the test fails")]
pub(crate) struct Case {
    pub(crate) kind: &'static str,
    pub(crate) place: &'static str,
    pub(crate) format: Option<Format>,
    pub(crate) update: String,
    pub(crate) text: String,
    pub(crate) stored: String,
    pub(crate) facts: String,
    pub(crate) secret: String,
    pub(crate) raw: String,
    pub(crate) is_promised: bool,
}

const PLACES: [&str; 21] = [
    "prompt",
    "welcome",
    "stranger",
    "name",
    "variable",
    "value",
    "header",
    "config",
    "named",
    "named in config",
    "node_positions",
    "named in node_positions",
    "comment",
    "given twice",
    "wrong type",
    "text file",
    "stored",
    "stored and named",
    "facts",
    "keyword",
    "unclosed",
];

/// A text of a format with JSON inside it, in which a secret is the value of a name. What follows it breaks the JSON.
pub(crate) fn json_inside(
    dice: &mut Dice,
    format: Format,
    name: &str,
    inner: &Spelled,
    broken: &str,
) -> Spelled {
    let outer = Planted {
        kind: "",
        before: format!("{{\"{name}\": {}", &inner.text[..inner.secret.start]),
        secret: inner.raw().to_owned(),
        after: format!("{}{broken}}}", &inner.text[inner.secret.end..]),
        is_promised: true,
    };
    match format {
        Format::Yaml => yaml(dice, "", &outer, "", false),
        Format::Toml => toml(dice, "", &outer, "", false),
        _ => json(dice, "", &outer, ""),
    }
}

/// A case, or its counterpart: the same document with another secret.
#[expect(clippy::too_many_lines, reason = "a list of places, one after the other")]
fn case(dice: &mut Dice, is_counterpart: bool) -> Case {
    let place = PLACES[dice.below(PLACES.len())];
    let planted = if place.contains("named") { named(dice) } else { secret(dice) };
    let planted = if is_counterpart { planted.with_other_secret() } else { planted };
    let (before, after) = match place {
        "prompt" | "welcome" | "text file" => (
            dice.pick(&["Log in with ", "Greet {{name}} (", "Use ", "{{#if vip}}", "Wait\nthen "]),
            dice.pick(&["", " and go on", " {{name", ") {{/if}}", " {{ !vip }}\nGo", ", please"]),
        ),
        _ if planted.before.is_empty() && planted.kind != "named" => {
            (dice.pick(&["", "", "x ", "see ("]), dice.pick(&["", " x"]))
        }
        _ => ("", ""),
    };
    // Text that a template or a name cannot hold is of another kind.
    let format = match dice.below(4) {
        0 => Format::Yaml,
        1 => Format::Toml,
        2 => Format::Jsonc,
        _ => Format::Json,
    };
    let mut case = Case {
        kind: planted.kind,
        place,
        secret: planted.secret.clone(),
        is_promised: planted.is_promised,
        ..Case::default()
    };
    let nested = |format: Format, name: &str, value: &str| match format {
        Format::Toml => format!("[{{ displayName = \"A\", config = {{ \"{name}\" = {value} }} }}]"),
        _ => format!("[{{ \"displayName\": \"A\", \"config\": {{ \"{name}\": {value} }} }}]"),
    };
    let mut spell = |format: Format, is_flow: bool| match format {
        Format::Yaml => yaml(dice, before, &planted, after, is_flow),
        Format::Toml => toml(dice, before, &planted, after, is_flow),
        _ => json(dice, before, &planted, after),
    };
    // The fields of the update, as they are written.
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut comment = String::new();
    let mut field = |name: &str, value: &str| fields.push((name.to_owned(), value.to_owned()));
    match place {
        "text file" => {
            case.text =
                format!("{before}{}{}{}{after}\n", planted.before, planted.secret, planted.after);
            case.raw.clone_from(&planted.secret);
        }
        "prompt" | "welcome" | "stranger" | "value" | "given twice" | "wrong type" | "keyword" => {
            let is_list = matches!(place, "wrong type" | "keyword");
            let value = spell(format, is_list);
            value.raw().clone_into(&mut case.raw);
            let name = match place {
                "prompt" => "prompt_text",
                "welcome" => "welcome_message",
                "stranger" => "promt_txt",
                "value" => "pipeline_type",
                "given twice" => "title",
                "keyword" => "boosted_keywords",
                _ => "timezone",
            };
            let text = if is_list { format!("[{}]", value.text) } else { value.text };
            field(name, &text);
            if place == "given twice" {
                field(name, &text);
            }
        }
        "name" => {
            // Names are written on one line.
            let value = spell(if format == Format::Yaml { Format::Json } else { format }, true);
            value.raw().clone_into(&mut case.raw);
            fields.push((format!("={}", value.text), "1".to_owned()));
        }
        "variable" => {
            let value = spell(format, true);
            value.raw().clone_into(&mut case.raw);
            let text = match format {
                Format::Toml => format!("{{ user = {}, other = [1] }}", value.text),
                _ => format!("{{ \"user\": {}, \"other\": [1] }}", value.text),
            };
            field("default_dynamic_variables", &text);
        }
        "header" | "config" => {
            let value = spell(format, true);
            value.raw().clone_into(&mut case.raw);
            let name = if place == "header" { "x-trace" } else { "note" };
            field("agent_functions", &nested(format, name, &value.text));
        }
        "named" | "named in config" => {
            let value = spell(format, true);
            value.raw().clone_into(&mut case.raw);
            let name = NAMES[value.text.len() % NAMES.len()];
            if place == "named" {
                fields.push((format!("=\"{name}\""), value.text));
            } else {
                field("agent_functions", &nested(format, name, &value.text));
            }
        }
        "node_positions" | "named in node_positions" => {
            let inner = spell(Format::Json, true);
            let name = if place == "node_positions" {
                "label"
            } else {
                NAMES[inner.text.len() % NAMES.len()]
            };
            let broken = ["", " 1", ","][inner.text.len() % 3];
            let value = json_inside(dice, format, name, &inner, broken);
            value.raw().clone_into(&mut case.raw);
            field("node_positions", &value.text);
            // Broken text inside a string is not promised to be read.
            case.is_promised &= broken.is_empty();
        }
        "comment" => {
            let line =
                format!("{before}{}{}{}{after}", planted.before, planted.secret, planted.after);
            case.raw.clone_from(&planted.secret);
            comment = line;
            case.is_promised = false;
        }
        "stored" | "stored and named" => {
            let value = spell(Format::Json, true);
            value.raw().clone_into(&mut case.raw);
            let name =
                if place == "stored" { "note" } else { NAMES[value.text.len() % NAMES.len()] };
            let text = &value.text;
            case.stored = format!(
                "{{ \"version\": {{ \"version_number\": 3, \"title\": {text}, \"prompt_text\": {text}, \"stt_fallback_transcriber_id\": {text}, \"fallback_stt_enabled\": true, \"webhook_id\": {text}, \"agent_functions\": [{{ \"displayName\": \"A\", \"config\": {{ \"{name}\": {text} }} }}] }} }}"
            );
            if place == "stored" {
                // A secret that is recognised by its field name is not repeated elsewhere.
                field("transcriber_id", text);
            } else {
                case.stored = format!(
                    "{{ \"version\": {{ \"version_number\": 3, \"title\": 1, \"agent_functions\": [{{ \"displayName\": \"A\", \"config\": {{ \"{name}\": {text} }} }}] }} }}"
                );
            }
            case.is_promised = false;
        }
        "facts" => {
            let value = spell(Format::Json, true);
            value.raw().clone_into(&mut case.raw);
            let text = &value.text;
            case.facts = format!(
                "{{ \"voices\": {{ {text}: {{ \"models\": [{text}] }} }}, \"webhooks\": [{text}], \"folders\": [1] }}"
            );
            field("voice_id", "\"voice\"");
            field("webhook_id", "\"hook\"");
            case.is_promised = false;
        }
        _ => {
            // A string without its closing quote, or a value without quotes.
            let value = spell(Format::Json, true);
            value.raw().clone_into(&mut case.raw);
            let text = value.text.trim_matches('"').to_owned();
            let open = if dice.one_in(2) { "\"" } else { "" };
            field("title", &format!("{open}{text}"));
            case.is_promised = false;
        }
    }
    case.format = Some(format);
    case.update = document(dice, format, &fields, &comment);
    case
}

/// An update with these fields and with mistakes next to them, so that snippets show them.
pub(crate) fn document(
    dice: &mut Dice,
    format: Format,
    fields: &[(String, String)],
    comment: &str,
) -> String {
    let mut lines = vec![
        ("version_number".to_owned(), "3".to_owned()),
        ("kb_max_chunks".to_owned(), "99".to_owned()),
    ];
    lines.extend(fields.iter().cloned());
    lines.push(("max_call_duration_sec".to_owned(), "-5".to_owned()));
    let mut out = String::new();
    let mark = match format {
        Format::Jsonc => "//",
        _ => "#",
    };
    let is_json = matches!(format, Format::Json | Format::Jsonc);
    let has_comment = !comment.is_empty() && format != Format::Json;
    // On one line, every snippet contains all fields.
    let one_line = is_json && !has_comment && dice.one_in(2);
    let gap = if one_line { " " } else { "\n" };
    if is_json {
        out.push('{');
        out.push_str(gap);
    }
    for (index, (name, value)) in lines.iter().enumerate() {
        let name = match (name.strip_prefix('='), format) {
            (Some(spelled), _) => spelled.to_owned(),
            (None, Format::Yaml | Format::Toml) => name.clone(),
            (None, _) => format!("\"{name}\""),
        };
        let sign = if format == Format::Toml { " = " } else { ": " };
        let end = if is_json && index + 1 < lines.len() { "," } else { "" };
        out.push_str(&name);
        out.push_str(sign);
        out.push_str(value);
        out.push_str(end);
        if has_comment && index == 1 {
            for line in comment.lines() {
                writeln!(out, " {mark} {line}").unwrap();
            }
        }
        out.push_str(gap);
    }
    if is_json {
        out.push('}');
    }
    out
}

/// All outputs about a case, by name.
pub(crate) fn outputs(case: &Case, dice: &mut Dice) -> (Report, Vec<(String, String)>) {
    let update = Document::parse_as(case.update.as_str(), case.format.unwrap());
    let text = Document::parse_as(case.text.as_str(), Format::Text);
    let texts = [TextFile::new(settings::prompt_text.row, text)];
    let variables = [Wildcard::new("name")];
    let mut inputs =
        Inputs::new(update.clone()).kind(voxlint::DocumentKind::Update).variables(variables);
    if !case.text.is_empty() {
        inputs = inputs.texts(texts);
    }
    let mut related = vec![(Origin::Text(0), RelatedFile { path: "a.hbs", text: &case.text })];
    let mut written = Vec::new();
    let mut faults = Vec::new();
    if !case.stored.is_empty() {
        related.push((Origin::Stored, RelatedFile { path: "stored.json", text: &case.stored }));
        let stored = Stored::new(Document::parse(case.stored.as_str()));
        faults.push((stored.faults(), "stored.json", &case.stored));
        inputs = inputs.stored(stored);
    }
    if !case.facts.is_empty() {
        related.push((Origin::Facts, RelatedFile { path: "facts.json", text: &case.facts }));
        let facts = Facts::new(Document::parse(case.facts.as_str()));
        faults.push((facts.faults(), "facts.json", &case.facts));
        inputs = inputs.facts(facts);
    }
    let report = check(&inputs);
    let style =
        RenderOptions { width: dice.between(20, 160), undecided: true, ..RenderOptions::default() };
    let checked = CheckedDocument::new("a.json", &case.update, &report).related_files(&related);
    let mut all = |name: &str, checked: &CheckedDocument<'_>| {
        for format in Output::ALL {
            let mut out = Vec::new();
            let mut summary = RunSummary { files: 1, ..RunSummary::default() };
            summary.add(checked.report);
            let rendered = render(format, &style, checked);
            write_findings(
                &mut out,
                format,
                &RunInfo::default(),
                [rendered],
                &RunOutcome { summary, ..RunOutcome::default() },
            )
            .unwrap();
            written.push((format!("{name} {}", format.name()), String::from_utf8(out).unwrap()));
        }
    };
    all("check", &checked);
    for (report, path, text) in &faults {
        all(path, &CheckedDocument::new(path, text, report));
    }
    let mut identities = FindingIdentities::new(&inputs).of_several();
    for found in &report.diagnostics {
        written.push(("identity".to_owned(), identities.of(found).pointer));
    }
    if let Some(prediction) = predict(&inputs) {
        let checked = CheckedDocument::new("a.json", &case.update, &prediction.report)
            .related_files(&related);
        written.push(("predict".to_owned(), render_prediction(&style, &checked, &prediction)));
        let mut out = Vec::new();
        write_prediction_json(&mut out, &checked, &prediction).unwrap();
        written.push(("predict json".to_owned(), String::from_utf8(out).unwrap()));
    }
    if !case.stored.is_empty() {
        let inputs = DiffInputs::new(Stored::new(Document::parse(case.stored.as_str())), update);
        match diff(&inputs) {
            Ok(mut difference) => {
                // The update itself has to be sent as it is.
                let sent = difference.update.replace("{}".to_owned()).unwrap_or_default();
                let mut out = Vec::new();
                write_changes(&mut out, &difference, &style).unwrap();
                let checked = difference
                    .report
                    .as_ref()
                    .map(|report| CheckedDocument::new("update", &sent, report));
                write_difference_json(&mut out, &difference, checked.as_ref()).unwrap();
                written.push(("diff".to_owned(), String::from_utf8(out).unwrap()));
                written.push(("notes".to_owned(), difference_notes(&difference).collect()));
                if let Some(checked) = checked {
                    let full = render(Output::Full, &style, &checked);
                    let mut out = Vec::new();
                    write_findings(
                        &mut out,
                        Output::Full,
                        &RunInfo::default(),
                        [full],
                        &RunOutcome::default(),
                    )
                    .unwrap();
                    written.push(("diff full".to_owned(), String::from_utf8(out).unwrap()));
                }
            }
            Err(error) => written.push(("diff error".to_owned(), error.to_string())),
        }
    }
    (report, written)
}

/// The parts of the secret that are shown, one for each place in the secret.
pub(crate) fn shown(output: &str, secret: &str) -> impl Iterator<Item = String> {
    // Reports contain hexadecimal fingerprints, which may equal a part of the secret by chance.
    let is_hex = secret.bytes().all(|byte| byte.is_ascii_hexdigit());
    let window = if is_hex { 2 * WINDOW } else { WINDOW };
    let starts = secret.char_indices().map(|(at, _)| at);
    starts
        .filter_map(move |at| secret.get(at..at + window))
        .filter(|part| !part.contains(['\n', ' ', '\\']) && part.chars().any(char::is_alphanumeric))
        .filter(|part| contains(output, part))
        .map(str::to_owned)
}

/// The parts of the secret that are shown in their written form, with escapes.
fn spelled_out(output: &str, raw: &str) -> impl Iterator<Item = String> {
    let mut units: Vec<String> = Vec::new();
    let mut rest = raw;
    while let Some(first) = rest.chars().next() {
        let length = match rest.as_bytes() {
            [b'\\', b'u', ..] => 6,
            [b'\\', b'U', ..] => 10,
            [b'\\', b'x', ..] => 4,
            [b'\\', _, ..] => 2,
            _ => first.len_utf8(),
        };
        let (unit, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        units.push(unit.to_owned());
        rest = after;
    }
    // Escaped escapes are long, and the text before the secret may contain the same ones.
    let window = if raw.contains("\\\\") { 4 * WINDOW } else { WINDOW };
    let windows = units.windows(window).filter(|window| window.iter().any(|unit| unit.len() > 2));
    let shown = windows.map(<[String]>::concat).filter(|part| contains(output, part));
    shown.collect::<Vec<_>>().into_iter()
}

#[test]
fn no_secret_is_shown_however_it_is_spelled() {
    let cases = cases(80, 1_500);
    let first: u64 =
        std::env::var("VOXLINT_FIRST").ok().map_or(0, |at| at.parse().expect("a number"));
    let mut wrong = Vec::new();
    for number in first..first + cases {
        let tried = |is_counterpart| {
            let mut dice = Dice(number);
            let case = case(&mut dice, is_counterpart);
            let (report, outputs) = outputs(&case, &mut dice);
            (case, report, outputs)
        };
        let (case, report, outputs) = tried(false);
        // Random letters may be part of a word that reports use. Text that is also shown with another secret does not come
        // from the secret.
        let counterpart = LazyCell::new(|| tried(true).2);
        let is_of_secret = |part: &String| !counterpart.iter().any(|(_, said)| said.contains(part));
        for (name, output) in &outputs {
            let mut parts = shown(output, &case.secret).chain(spelled_out(output, &case.raw));
            if let Some(part) = parts.find(is_of_secret) {
                wrong.push(format!("case {number}: `{part}` in {name} of {case:#?}\n{output}"));
                break;
            }
        }
        let finds = |rule: &str| report.diagnostics.iter().any(|found| found.rule.id == rule);
        if case.is_promised && !finds("secret-in-document") && !finds("syntax-error") {
            wrong.push(format!("case {number}: not found in {case:#?}"));
        }
    }
    let some: Vec<&String> = wrong.iter().take(6).collect();
    assert!(
        wrong.is_empty(),
        "{} of {cases}: {}",
        wrong.len(),
        some.iter().fold(String::new(), |all, one| all + "\n" + one)
    );
}

#[test]
fn a_suppression_comment_shows_no_secret_however_it_is_read() {
    let secret = "Zk3vT9qLr2Xw8YbN5mHd7PcS";
    for comment in [
        format!("voxlint-ignore {secret}: known"),
        format!("voxlint-ignore {}: known", secret.replace('T', "\\u0054").replace('X', "\\x58")),
        format!("voxlint-ignore token_{secret}: known"),
        format!("voxlint-ignore 550e8400-e29b-41d4-a716-446655440000-{secret}: known"),
        format!("voxlint-ignore unknown-field password: {secret}"),
        format!("voxlint-ignore unknown-field until {secret}: known"),
        "voxlint-ignore password: Zk3vT9qL!".to_owned(),
        "voxlint-ignore unknown-field postgres://ann:Zk3vT9qL@db.example.com/x".to_owned(),
        "voxlint-ignore unknown-field: as with Sommer-2024x".to_owned(),
    ] {
        let text = format!("version_number: 3\npassword: Sommer-2024x\ntitel: 1 # {comment}\n");
        let configuration = Configuration::built_in();
        let settings = CheckSettings::new(configuration.for_file("a.yaml"), Date::from_days(0));
        let inputs = Inputs::new(Document::parse_as(text.as_str(), Format::Yaml));
        let report =
            check_document(inputs, &settings, DocumentScope::default(), &mut Trace::off()).report;
        let messages = report.diagnostics.iter().map(|found| format!("{found:?}"));
        let reasons = report.suppressed.iter().map(|it| format!("{:?}", it.by));
        let shown = messages.chain(reasons).collect::<String>();
        for part in ["Zk3vT9", "vT9qLr", "8YbN5m", "Sommer-2"] {
            assert!(!shown.contains(part), "{comment}: {shown}");
        }
    }
}

/// The severities of the findings of a rule, under a configuration.
fn severities(text: &str, rule: &str, configuration: &str) -> Vec<&'static str> {
    let load = |_: &str| Ok(configuration.to_owned());
    let configuration = Configuration::load("voxlint.toml", &mut { load }).unwrap();
    let inputs = Inputs::new(Document::parse(text));
    let settings = CheckSettings::new(configuration.for_file("a.json"), Date::from_days(0));
    let report =
        check_document(inputs, &settings, DocumentScope::default(), &mut Trace::off()).report;
    let found = report.diagnostics.iter().filter(|found| found.rule.id == rule);
    found.map(|found| found.severity.name()).collect()
}

#[test]
fn certain_secrets_and_slips_are_errors_unless_the_configuration_says_otherwise() {
    let text =
        |field: &str, value: &str| format!("{{ \"version_number\": 3, \"{field}\": \"{value}\" }}");
    let certain = text("prompt_text", "Log in with sk-test-Zk3vT9qLr2Xw8YbN5mHd7PcS");
    let likely = text("prompt_text", "Log in with 8f3a9c2b1d4e5f60:Zk3vT9qLr2Xw8YbN5mHd7PcS");
    let slip = text("titel", "Front desk");
    let strange = text("colour", "blue");
    for (text, rule, severity) in [
        (&certain, "secret-in-document", "error"),
        (&likely, "secret-in-document", "warning"),
        (&slip, "unknown-field", "error"),
        (&strange, "unknown-field", "warning"),
    ] {
        assert_eq!(severities(text, rule, ""), [severity], "{text}");
        for level in ["info", "warning", "error"] {
            let configuration = format!("[rules]\n{rule} = '{level}'\n");
            assert_eq!(severities(text, rule, &configuration), [level], "{text}");
        }
    }
}
