//! Recognition of documents: random files of other tools and services are skipped, and random documents of every kind are
//! recognised, even in unusual forms.
//!
//! `VOXLINT_CASES` sets how many of each are tried.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;
use voxlint::schema::{Items, Row, Shape, Table, agent, settings};
use voxlint::syntax::Format;
use voxlint::{Document, DocumentKind, Recognition, Source};
use voxlint_testing::generated_inputs::Random;
use voxlint_testing::texts::lines;

/// How many documents and how many other files are tried.
fn cases() -> u64 {
    voxlint_testing::cases(200, 4_000)
}

/// Members in the order in which they are written, each value as JSON.
type Members = Vec<(String, String)>;

/// A document as bytes.
struct Text {
    bytes: Vec<u8>,
    format: Format,
    is_line: bool,
}

impl Text {
    fn recognition(&self) -> Recognition {
        let source =
            if self.is_line { Source::line(&self.bytes) } else { Source::from_bytes(&self.bytes) };
        Document::parse_as(source, self.format).recognition()
    }
}

impl std::fmt::Display for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}\n{}", self.format, String::from_utf8_lossy(&self.bytes))
    }
}

#[test]
fn random_files_of_other_tools_are_skipped() {
    let mut shapes = others();
    let (anywhere, voice_agent) = (shapes.pop().unwrap().maybe, shapes.pop().unwrap().maybe);
    for shape in &mut shapes {
        if shape.maybe == [("a", "voice agent")] {
            shape.maybe.clone_from(&voice_agent);
        }
    }
    let mut left_alone: BTreeMap<&str, u32> = BTreeMap::new();
    let mut resembling = 0;
    for seed in 0..cases() {
        let mut random = Random::new(seed);
        let shape = &shapes[random.below(shapes.len())];
        let members = of_others(&mut random, shape, &anywhere);
        let text = written(&mut random, &members);
        match text.recognition() {
            Recognition::Document(kind) => {
                panic!(
                    "seed {seed}: {} is recognised as {}: {text}",
                    shape.name,
                    kind.noun_phrase()
                )
            }
            Recognition::Unrecognised(why) => {
                resembling += u32::from(why.resembles().is_some());
                assert!(!why.to_string().is_empty());
            }
        }
        *left_alone.entry(shape.name).or_default() += 1;
    }
    println!("{left_alone:?}; {resembling} resemble a document");
    // Files that do not even look like a document would test little.
    assert!(left_alone.len() == shapes.len() && resembling > cases() as u32 / 10);
}

#[test]
fn random_documents_are_recognised() {
    let mut recognised: BTreeMap<&str, u32> = BTreeMap::new();
    for seed in 0..cases() {
        let mut random = Random::new(seed);
        let dress = &DRESSES[random.below(DRESSES.len())];
        let (kind, text) = (dress.make)(&mut random);
        match text.recognition() {
            Recognition::Document(found) if found == kind => {}
            other => panic!("seed {seed}: {} is {other:?}: {text}", dress.name),
        }
        *recognised.entry(dress.name).or_default() += 1;
    }
    println!("{recognised:?}");
    assert_eq!(recognised.len(), DRESSES.len());
}

/// A field with its value in JSON.
type Field = (&'static str, &'static str);

/// A file of another tool, with required and optional fields.
#[derive(Default)]
struct OtherFile {
    name: &'static str,
    always: Vec<Field>,
    maybe: Vec<Field>,
    /// How many of the others it has at least.
    least: usize,
}

/// The other files, and last those whose fields some of them have, and all of them.
fn others() -> Vec<OtherFile> {
    let mut others: Vec<OtherFile> = Vec::new();
    for line in lines(include_str!("../words/others.txt")) {
        let (Some(field), Some(other)) = (line.strip_prefix("  "), others.last_mut()) else {
            let (name, least) = line.split_once(" with at least ").unwrap_or((line, "0"));
            let least = least.parse().unwrap();
            others.push(OtherFile { name, least, ..OtherFile::default() });
            continue;
        };
        match field.strip_prefix("? ") {
            Some(field) => other.maybe.push(field.split_once(' ').unwrap()),
            None => other.always.push(field.split_once(' ').unwrap()),
        }
    }
    others
}

fn of_others(random: &mut Random, shape: &OtherFile, anywhere: &[Field]) -> Members {
    let mut members: Members = Vec::new();
    let mut add = |name: &str, value: &str, place: usize| {
        if members.iter().all(|(known, _)| known != name) {
            let at = place % (members.len() + 1);
            members.insert(at, (name.to_owned(), value.to_owned()));
        }
    };
    for (name, value) in &shape.always {
        add(name, value, random.below(20));
    }
    let chance = random.below(100);
    let mut least = shape.least;
    for (index, (name, value)) in shape.maybe.iter().enumerate() {
        let is_needed = shape.maybe.len() - index <= least;
        if is_needed || random.percent(chance) {
            least = least.saturating_sub(1);
            add(name, value, random.below(20));
        }
    }
    if random.percent(50) {
        for _ in 0..random.below(4) {
            let (name, value) = anywhere[random.below(anywhere.len())];
            add(name, value, random.below(20));
        }
    }
    members
}

/// Documents of the service in one form.
struct Dress {
    name: &'static str,
    make: fn(&mut Random) -> (DocumentKind, Text),
}

const DRESSES: [Dress; 20] = [
    Dress { name: "one telling field", make: one_telling_field },
    Dress { name: "a misspelled field", make: a_misspelled_field },
    Dress { name: "many fields", make: many_fields },
    Dress { name: "unknown fields beside", make: unknown_fields_beside },
    Dress { name: "a crowd of unknown fields", make: a_crowd_of_unknown_fields },
    Dress { name: "damaged everywhere", make: damaged_everywhere },
    Dress { name: "read back", make: read_back },
    Dress { name: "in a wrapper", make: in_a_wrapper },
    Dress { name: "in several wrappers", make: in_several_wrappers },
    Dress { name: "with a mark", make: with_a_mark },
    Dress { name: "in UTF-16", make: in_utf16 },
    Dress { name: "given twice", make: given_twice },
    Dress { name: "cut short", make: cut_short },
    Dress { name: "with comments", make: with_comments },
    Dress { name: "deep", make: deep },
    Dress { name: "in an array", make: in_an_array },
    Dress { name: "an agent", make: an_agent },
    Dress { name: "a version summary", make: a_version_summary },
    Dress { name: "a list of keys", make: a_list_of_keys },
    Dress { name: "an error body", make: an_error_body },
];

/// The fields of 2.3 that identify a document only together with others.
const COMMON: [&str; 3] = ["title", "description", "timezone"];

/// The fields that agents of other services have as well, and those that all sorts of records have.
const SHARED: [&str; 23] = [
    "version_title",
    "voice_id",
    "voice_model_id",
    "llm_id",
    "llm_temperature",
    "transcriber_id",
    "knowledge_base_ids",
    "welcome_message",
    "voicemail_message",
    "pipeline_type",
    "structured_output",
    "allow_interruptions",
    "responsiveness",
    "interruption_sensitivity",
    "backchannel_frequency",
    "boosted_keywords",
    "denoising_mode",
    "background_sound",
    "ambient_noise",
    "is_published",
    "folder_id",
    "webhook_id",
    "language_id",
];

fn telling(random: &mut Random) -> &'static Row {
    loop {
        let row = settings::TABLE.rows[random.below(settings::TABLE.rows.len())];
        if !COMMON.contains(&row.name) {
            return row;
        }
    }
}

fn characteristic(random: &mut Random) -> &'static Row {
    loop {
        let row = telling(random);
        if !SHARED.contains(&row.name) {
            return row;
        }
    }
}

/// A value of a row: often a good one, sometimes null or one of another type.
fn value(random: &mut Random, row: &Row) -> String {
    if random.percent(10) {
        let any = ["null", "1", "\"3\"", "true", "[]", "{}", "\"{{\"", "-1.5e3", "\"\""];
        return random.pick(&any).to_owned();
    }
    good(random, row)
}

/// A value of the type of a row.
fn good(random: &mut Random, row: &Row) -> String {
    match row.shape {
        Shape::Text(text) if !text.choices.is_empty() => {
            format!("\"{}\"", random.pick(text.choices))
        }
        Shape::Text(_) | Shape::TextOrTexts => {
            random.pick(&["\"Hi {{name}}\"", "\"x_1\"", "\"{{\"", "\"caf\\u00e9\""]).to_owned()
        }
        Shape::Number(_) => random.pick(&["3", "0.5", "20", "5400"]).to_owned(),
        Shape::Flag => random.pick(&["true", "false"]).to_owned(),
        Shape::Map(_) | Shape::Entries(_) | Shape::EntriesOrFirst(_) => "{\"a\": \"b\"}".to_owned(),
        Shape::List(Items::Texts(_)) => "[\"kb_1\"]".to_owned(),
        Shape::List(_) => "[]".to_owned(),
    }
}

fn add_rows(random: &mut Random, members: &mut Members, table: &Table, chance: usize) {
    for row in table.rows {
        if random.percent(chance) && members.iter().all(|(name, _)| name != row.name) {
            let value = value(random, row);
            let at = random.below(members.len() + 1);
            members.insert(at, (row.name.to_owned(), value));
        }
    }
}

fn member(random: &mut Random, row: &Row) -> (String, String) {
    (row.name.to_owned(), value(random, row))
}

fn add_common(random: &mut Random, members: &mut Members) {
    for name in COMMON {
        if random.percent(30) {
            members.push((name.to_owned(), "\"Front desk\"".to_owned()));
        }
    }
}

fn one_telling_field(random: &mut Random) -> (DocumentKind, Text) {
    let row = telling(random);
    let mut members = vec![member(random, row)];
    add_common(random, &mut members);
    (DocumentKind::Update, written(random, &members))
}

/// One slip: a letter left out, doubled, changed or swapped with the next, or another style of writing.
fn misspelled(random: &mut Random, name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    let at = 1 + random.below(letters.len() - 2);
    let mut other = letters.clone();
    match random.below(6) {
        0 => drop(other.remove(at)),
        1 => other.insert(at, letters[at]),
        2 => other[at] = 'x',
        3 => other.swap(at, at + 1),
        4 => {
            let words = name.split('_').enumerate();
            let words = words.map(|(index, word)| match index {
                0 => word.to_owned(),
                _ => format!("{}{}", word[..1].to_uppercase(), &word[1..]),
            });
            return words.collect();
        }
        _ => return name.replace('_', "-"),
    }
    other.into_iter().collect()
}

fn a_misspelled_field(random: &mut Random) -> (DocumentKind, Text) {
    let row = telling(random);
    let (name, value) = member(random, row);
    let mut members = vec![(misspelled(random, &name), value)];
    add_common(random, &mut members);
    (DocumentKind::Update, written(random, &members))
}

fn update(random: &mut Random) -> Members {
    let row = characteristic(random);
    let mut members = vec![member(random, row)];
    let chance = random.below(60);
    add_rows(random, &mut members, &settings::TABLE, chance);
    members
}

fn many_fields(random: &mut Random) -> (DocumentKind, Text) {
    let members = update(random);
    (DocumentKind::Update, written(random, &members))
}

const UNKNOWN: [&str; 8] =
    ["note", "owner", "voice", "greeting", "prompt", "x-id", "enabled", "name"];

fn add_unknown(random: &mut Random, members: &mut Members, most: usize) {
    for _ in 0..random.below(most + 1) {
        let name = random.pick(&UNKNOWN);
        if members.iter().all(|(known, _)| known != name) {
            let at = random.below(members.len() + 1);
            members.insert(at, (name.to_owned(), "\"x\"".to_owned()));
        }
    }
}

fn unknown_fields_beside(random: &mut Random) -> (DocumentKind, Text) {
    let mut members = update(random);
    add_unknown(random, &mut members, 5);
    if random.percent(50) {
        members = vec![("version".to_owned(), "3".to_owned())];
        let row = characteristic(random);
        members.push(member(random, row));
        add_unknown(random, &mut members, 4);
    }
    (DocumentKind::Update, written(random, &members))
}

/// The number of a version, a telling field, and any number of unknown ones.
fn crowded(random: &mut Random, value: &str) -> Members {
    let row = loop {
        let row = characteristic(random);
        if row.name != "version_number" {
            break row;
        }
    };
    let mut members = vec![("version_number".to_owned(), "3".to_owned()), member(random, row)];
    for index in 0..random.below(300) {
        let at = random.below(members.len() + 1);
        members.insert(at, (format!("x{index}"), value.to_owned()));
    }
    members
}

fn a_crowd_of_unknown_fields(random: &mut Random) -> (DocumentKind, Text) {
    let members = crowded(random, "1");
    (DocumentKind::Update, written(random, &members))
}

/// Values that are not JSON.
fn damaged_everywhere(random: &mut Random) -> (DocumentKind, Text) {
    let members = crowded(random, "@x");
    let text = json(&members, random.percent(50)).into_bytes();
    (DocumentKind::Update, Text { bytes: text, format: Format::Json, is_line: false })
}

fn in_several_wrappers(random: &mut Random) -> (DocumentKind, Text) {
    let row = characteristic(random);
    let mut members = vec![(row.name.to_owned(), good(random, row))];
    for _ in 0..=random.below(3) {
        let name = random.pick(&["update", "body", "data", "payload", "agent", "request"]);
        let mut outer = vec![(name.to_owned(), json(&members, false))];
        if random.percent(30) {
            outer.push(("note".to_owned(), "\"x\"".to_owned()));
        }
        members = outer;
    }
    (DocumentKind::Update, written(random, &members))
}

/// An update that sends back what the service answers.
fn read_back(random: &mut Random) -> (DocumentKind, Text) {
    let mut members = vec![("version_number".to_owned(), "3".to_owned())];
    let row = settings::prompt_text.row;
    members.push(member(random, row));
    for name in ["id", "agent_id", "agent_type", "created_at", "updated_at", "versions"] {
        if random.percent(50) {
            members.push((name.to_owned(), "\"x\"".to_owned()));
        }
    }
    (DocumentKind::Update, written(random, &members))
}

fn in_a_wrapper(random: &mut Random) -> (DocumentKind, Text) {
    let mut inner = update(random);
    // Schemas and forms have the same names with values of another type.
    let row = characteristic(random);
    inner.retain(|(name, _)| name != row.name);
    inner.push((row.name.to_owned(), good(random, row)));
    let mut value = json(&inner, false);
    if random.percent(20) {
        value = format!("[{value}, {value}]");
    }
    let name = random.pick(&["update", "body", "prompts", "payload", "front_desk", "settings"]);
    let mut members = vec![(name.to_owned(), value)];
    if random.percent(30) {
        members.push(("note".to_owned(), "\"x\"".to_owned()));
        members.push(("agent_id".to_owned(), "\"x\"".to_owned()));
    }
    (DocumentKind::Update, written(random, &members))
}

fn with_a_mark(random: &mut Random) -> (DocumentKind, Text) {
    let (kind, mut text) = many_fields(random);
    text.bytes.splice(0..0, *b"\xef\xbb\xbf");
    (kind, text)
}

/// The words that UTF-16 text is recognised by have an underscore.
fn in_utf16(random: &mut Random) -> (DocumentKind, Text) {
    let row = loop {
        let row = characteristic(random);
        if row.name.contains('_') && !matches!(row.shape, Shape::Map(_)) {
            break row;
        }
    };
    let members = vec![member(random, row)];
    let mut text = written(random, &members);
    text.is_line = false;
    let is_little = random.percent(50);
    let units = String::from_utf8(text.bytes).unwrap();
    let units = std::iter::once(0xfeff).chain(units.encode_utf16());
    text.bytes = units
        .flat_map(|unit: u16| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() })
        .collect();
    (DocumentKind::Update, text)
}

fn given_twice(random: &mut Random) -> (DocumentKind, Text) {
    let mut members = update(random);
    let again = members[random.below(members.len())].clone();
    members.push(again);
    let mut text = json(&members, random.percent(50)).into_bytes();
    if random.percent(20) {
        text.push(b'\n');
    }
    (DocumentKind::Update, Text { bytes: text, format: Format::Json, is_line: false })
}

/// A truncated update, or one with another syntax error.
fn cut_short(random: &mut Random) -> (DocumentKind, Text) {
    let row = characteristic(random);
    let first = member(random, row);
    let mut members = update(random);
    members.retain(|(name, _)| *name != first.0);
    members.insert(0, first);
    let mut text = json(&members, random.percent(50));
    let kept = text.find(':').unwrap() + 2;
    match random.below(4) {
        0 => text.truncate(kept + random.below(text.len() - kept)),
        1 => drop(text.pop()),
        2 => text.push('}'),
        _ => text.insert_str(text.len() - 1, ",,"),
    }
    let text = Text { bytes: text.into_bytes(), format: Format::Json, is_line: false };
    (DocumentKind::Update, text)
}

fn with_comments(random: &mut Random) -> (DocumentKind, Text) {
    let members = update(random);
    let text = format!("// The front desk.\n{}/* end */\n", json(&members, true));
    let format = [Format::Json, Format::Jsonc][random.below(2)];
    (DocumentKind::Update, Text { bytes: text.into_bytes(), format, is_line: false })
}

fn deep(random: &mut Random) -> (DocumentKind, Text) {
    let mut members = update(random);
    members.retain(|(name, _)| name != "json_output_instructions");
    let depth = 1 + random.below(600);
    let value = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    let at = random.below(members.len() + 1);
    members.insert(at, ("json_output_instructions".to_owned(), value));
    let text = json(&members, false).into_bytes();
    (DocumentKind::Update, Text { bytes: text, format: Format::Json, is_line: false })
}

fn in_an_array(random: &mut Random) -> (DocumentKind, Text) {
    let documents: Vec<String> =
        (0..=random.below(4)).map(|_| json(&update(random), false)).collect();
    let text = format!("[{}]", documents.join(", "));
    let format = [Format::Json, Format::Yaml][random.below(2)];
    (DocumentKind::Update, Text { bytes: text.into_bytes(), format, is_line: false })
}

fn an_agent(random: &mut Random) -> (DocumentKind, Text) {
    let kind = random.pick(&agent::AGENT_TYPES);
    let mut members = vec![
        ("id".to_owned(), "\"ag_1\"".to_owned()),
        ("agent_type".to_owned(), format!("\"{kind}\"")),
    ];
    let chance = random.below(100);
    add_rows(random, &mut members, &agent::TABLE, chance);
    add_unknown(random, &mut members, 3);
    (DocumentKind::Agent, written(random, &members))
}

fn a_version_summary(random: &mut Random) -> (DocumentKind, Text) {
    let mut members = vec![
        ("agent_id".to_owned(), "\"ag_1\"".to_owned()),
        ("version_number".to_owned(), "3".to_owned()),
    ];
    let chance = random.below(100);
    add_rows(random, &mut members, &agent::version_summary::TABLE, chance);
    (DocumentKind::Version, written(random, &members))
}

fn a_list_of_keys(random: &mut Random) -> (DocumentKind, Text) {
    let extra = random.pick(&["", ", \"is_expired\": true", ", \"created_at\": \"x\""]);
    let data = format!("[{{\"id\": \"k_1\", \"name\": \"CI\"{extra}}}]");
    let members = vec![
        ("data".to_owned(), data),
        ("meta".to_owned(), "{\"page\": 1, \"limit\": 20, \"total\": 1}".to_owned()),
    ];
    (DocumentKind::ApiKeys, written(random, &members))
}

fn an_error_body(random: &mut Random) -> (DocumentKind, Text) {
    let status = random.pick(&["400", "401", "403", "404", "409", "429", "500", "\"400\"", "4e2"]);
    let message = random.pick(&["\"no\"", "[\"a\", \"b\"]"]);
    let members = vec![
        ("statusCode".to_owned(), status.to_owned()),
        ("message".to_owned(), message.to_owned()),
        ("error".to_owned(), "\"Bad Request\"".to_owned()),
    ];
    (DocumentKind::Error, written(random, &members))
}

/// Members in one of the formats.
fn written(random: &mut Random, members: &Members) -> Text {
    let (text, format, is_line) = match random.below(6) {
        0 => (json(members, true), Format::Json, false),
        1 => (json(members, false), Format::Json, true),
        2 => (json(members, true), Format::Jsonc, false),
        3 => (yaml(members), Format::Yaml, false),
        4 => (toml(members), Format::Toml, false),
        _ => (json(members, false), Format::Json, false),
    };
    Text { bytes: text.into_bytes(), format, is_line }
}

fn json(members: &Members, is_wide: bool) -> String {
    let (before, between, after) = if is_wide { ("\n  ", ",", "\n") } else { ("", ", ", "") };
    let mut text = String::from("{");
    for (index, (name, value)) in members.iter().enumerate() {
        let between = if index == 0 { "" } else { between };
        let _ = write!(text, "{between}{before}{name:?}: {value}");
    }
    text + after + "}"
}

fn yaml(members: &Members) -> String {
    let mut text = String::new();
    for (name, value) in members {
        let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && name != "on"
            && name != "no"
            && name != "yes";
        let name = if is_plain { name.clone() } else { format!("{name:?}") };
        let _ = writeln!(text, "{name}: {value}");
    }
    text
}

/// TOML has no null, so members without a value are left out, unless nothing would be left.
fn toml(members: &Members) -> String {
    let mut text = String::new();
    let mut tables = String::new();
    for (name, value) in members {
        let value: Value = serde_json::from_str(value).unwrap();
        let name = format!("{name:?}");
        match &value {
            Value::Null => {
                let _ = writeln!(text, "{name} = \"\"");
            }
            Value::Object(inner) if !inner.is_empty() => {
                let _ = writeln!(tables, "\n[{name}]");
                for (name, value) in inner {
                    let _ = writeln!(tables, "{name:?} = {}", in_toml(value));
                }
            }
            _ => {
                let _ = writeln!(text, "{name} = {}", in_toml(&value));
            }
        }
    }
    text + &tables
}

fn in_toml(value: &Value) -> String {
    match value {
        Value::Null => "\"\"".to_owned(),
        Value::Array(items) => {
            format!("[{}]", items.iter().map(in_toml).collect::<Vec<_>>().join(", "))
        }
        Value::Object(members) => {
            let members =
                members.iter().map(|(name, value)| format!("{name:?} = {}", in_toml(value)));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

#[test]
fn prompts_with_tags_of_their_own_are_not_pages() {
    let told = |text: &str| Document::parse_as(text, Format::Text).recognition().kind();
    for text in [
        "<role>You answer the phone.</role>\n<style>Be short.</style>\n",
        "<section name=\"greeting\">Say hello.</section>",
        "Say that a < b and c > d = e.",
        "1 <2 class=3",
        "<instructions>\n- Never say <b>maybe</b>.\n</instructions>",
        "The class = \"gold\" of the caller: {{class}}",
    ] {
        let is_prompt = !text.starts_with("<section");
        assert_eq!(told(text).is_some(), is_prompt, "{text}");
    }
    for text in [
        "{{#if a}}<a href=\"{{url}}\">x</a>{{/if}}",
        "{{yield}}\n</div>",
        "<svg viewBox=\"0 0 1 1\"/>",
        "<Button class={{this.kind}} />",
        "<!DOCTYPE html>",
        "<img\n  src='x'>",
    ] {
        assert_eq!(told(text), None, "{text}");
    }
}
