//! Families of inputs: a prefix, a unit that is repeated until the text is as long as wanted, and a suffix.

use voxlint::syntax::Format;
use voxlint_corpus::random::Random;

use crate::work::Input;

/// Stands for the number of the repetition.
const COUNTER: char = '§';

/// Inputs that differ only in their length.
#[derive(Clone, Debug)]
pub struct Family {
    pub input: Input,
    pub prefix: String,
    pub unit: String,
    pub suffix: String,
}

impl Family {
    /// How often the unit is repeated in a text of about this length. The number is a multiple of 12, so that texts of
    /// four times the length end alike: otherwise half of them would leave a quote open.
    pub fn repetitions(&self, bytes: usize) -> usize {
        (bytes / self.unit.len().max(1)).next_multiple_of(12)
    }

    /// The member of the family with this number of repetitions.
    pub fn text(&self, repetitions: usize) -> String {
        let mut text = self.prefix.clone();
        for number in 0..repetitions {
            text.push_str(&self.unit.replace(COUNTER, &number.to_string()));
        }
        text.push_str(&self.suffix);
        text
    }

    /// A random family of inputs of this kind.
    pub fn random(random: &mut Random, input: Input) -> Self {
        let (frames, raw, name) = match input {
            Input::Document(Format::Yaml) | Input::Fixed(Format::Yaml) => {
                (YAML, YAML_TOKENS, quoted as fn(&str) -> String)
            }
            Input::Document(Format::Toml) | Input::Fixed(Format::Toml) => {
                (TOML, TOML_TOKENS, quoted as _)
            }
            Input::Document(Format::Text) | Input::Fixed(Format::Text) => {
                (TEXT, TEXT_PARTS, str::to_owned as _)
            }
            Input::Document(_) | Input::Fixed(_) => (JSON, JSON_TOKENS, quoted as _),
            Input::Configuration
            | Input::ConfigurationAndDocument
            | Input::Lines
            | Input::Agents => (CONFIGURATION, TOML_TOKENS, quoted as _),
        };
        let (prefix, hole, suffix) = random.pick(frames);
        let mut unit = String::new();
        for _ in 0..1 + random.below(3) {
            unit.push_str(&part(random, input, hole, raw, name));
        }
        let (mut prefix, mut suffix) = (prefix.to_owned(), suffix.to_owned());
        // Something in the way before or after the repetitions, or an end that is missing.
        match random.below(6) {
            0 => prefix.push_str(&part(random, input, hole, raw, name)),
            1 => suffix.insert_str(0, &part(random, input, hole, raw, name)),
            2 => suffix.clear(),
            _ => {}
        }
        Self { input, prefix, unit, suffix }
    }
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

/// What can stand at the place of the repetitions.
#[derive(Clone, Copy, Debug)]
enum Hole {
    /// Fields of an object or a table.
    Fields,
    /// Items of a list.
    Items,
    /// Characters of a text.
    Text,
    /// Whole lines or tables.
    Lines,
}

type Frame = (&'static str, Hole, &'static str);

fn part(
    random: &mut Random,
    input: Input,
    hole: Hole,
    raw: &[&str],
    name: fn(&str) -> String,
) -> String {
    if random.percent(15) {
        return random.pick(raw).to_owned();
    }
    match hole {
        Hole::Text => random.pick(TEXT_PARTS).to_owned(),
        Hole::Items => format!("{},", value(random, name)),
        Hole::Lines => random.pick(raw).to_owned(),
        Hole::Fields => {
            let key = if random.percent(70) { random.pick(NAMES) } else { random.pick(ODD_NAMES) };
            let value = value(random, name);
            match input {
                Input::Document(Format::Yaml) | Input::Fixed(Format::Yaml) => {
                    format!("{key}: {value}\n")
                }
                Input::Document(Format::Toml)
                | Input::Fixed(Format::Toml)
                | Input::Configuration
                | Input::ConfigurationAndDocument
                | Input::Lines
                | Input::Agents => {
                    format!("{key} = {value}\n")
                }
                _ => format!("\"{key}\":{value},"),
            }
        }
    }
}

fn value(random: &mut Random, name: fn(&str) -> String) -> String {
    match random.below(10) {
        0..=3 => random.pick(SCALARS).to_owned(),
        4 => format!("[{}]", random.pick(SCALARS)),
        5 => format!("[{},{}]", random.pick(SCALARS), name(random.pick(ODD_NAMES))),
        6 => name(random.pick(ODD_NAMES)),
        _ => {
            let texts = random.pick(TEXT_PARTS).repeat(1 + random.below(3));
            name(&texts.replace('\n', "\\n").replace('"', "\\\""))
        }
    }
}

const NAMES: &[&str] = &[
    "version_number",
    "title",
    "prompt_text",
    "system_prompt_text",
    "welcome_message",
    "default_dynamic_variables",
    "agent_transfer_destinations",
    "boosted_keywords",
    "knowledge_base_ids",
    "post_call_analysis",
    "postcall_analysis",
    "agent_functions",
    "field_name",
    "field_type",
    "config",
    "type",
    "displayName",
    "node_positions",
    "kb_max_chunks",
    "end_call_on_silence_sec",
    "timezone",
    "backchannel_keywords",
];

const ODD_NAMES: &[&str] = &[
    "a§",
    "promt_text",
    "prompt_text§",
    "prompt_text_for_the_front_desk_§",
    "voiceId",
    "x",
    "",
    "a.b",
    "a/b~c",
    "§",
    "api_key§",
    "Title",
    "ünïcode§",
    "kb_max_chunk",
    "a b",
    "post_call_analysi§",
    "very_long_name_that_no_person_would_write_by_hand_§",
];

const SCALARS: &[&str] = &[
    "0",
    "1",
    "-1",
    "12",
    "0.5",
    "1e5",
    "1e400",
    "-0",
    "00",
    "1.",
    "123456789012345678901234567890",
    "true",
    "false",
    "null",
    "\"\"",
    "\"x\"",
    "§",
    "{}",
    "[]",
    "[[]]",
    "{\"a\":1}",
    "\"\\u00e9\"",
    "\"a§\"",
    "-",
    "nul",
    "tru",
    "'x'",
    "x",
    "1-1",
    "-0-0",
];

/// Characters of texts: templates, secrets, numbers, keywords, escapes, and characters that are not visible.
const TEXT_PARTS: &[&str] = &[
    "a",
    " ",
    "word ",
    "{{",
    "}}",
    "{{a}}",
    "{{a§}}",
    "{{#if a}}",
    "{{/if}}",
    "{{else}}",
    "{{#each a as |b|}}",
    "{{/each}}",
    "{{{",
    "}}}",
    "{{!--",
    "--}}",
    "{{! voxlint-ignore out-of-range: x }}",
    "{{> p}}",
    "{{~a~}}",
    "(",
    ")",
    "{{a (b ",
    "a=b ",
    "{{a b=\"c\"}}",
    "|",
    "{",
    "}",
    "{%",
    "%}",
    "${a}",
    "[a]",
    "<a>",
    "[",
    "]",
    "\\",
    "\\n",
    "\\u00e9",
    "\\ud800",
    "\\u007b\\u007b",
    "\n",
    "\"",
    "'",
    "+1 ",
    "+12025550123|",
    "+91",
    "|",
    ",",
    "keyword§,",
    "key-word,",
    "é",
    "\u{200b}",
    "\u{202e}",
    "\u{feff}",
    "🧑‍🤝‍🧑",
    "ﷺ",
    "e\u{301}",
    "sk-live-abcdefghijklmnop12345678",
    "sk-",
    "eyJhbGciOi",
    "Bearer ",
    "api_key=",
    "password: ",
    "AKIA",
    "-----BEGIN ",
    "=",
    "a.",
    "../",
    "@",
    "./",
    "https://a:b@c.d/",
    "<<<<<<< HEAD\n",
    "=======\n",
    ">>>>>>> x\n",
    "TODO ",
    "use a_b ",
    "get_a(",
    "call get_§. ",
    "the tool ",
    "always be brief. ",
    "silence of 5 seconds ",
    "use the knowledge base ",
    "AGENT NAME ",
    "____ ",
    "&amp; ",
    "<!--",
    "...",
    "0",
    "-0",
    "1-1",
    "{{a.b.c}}",
    "{{../a}}",
    "{{a.[b]}}",
    "{{#a}}",
    "{{^}}",
    "{{/a}}",
    "{{&a}}",
    "{{#*inline \"x\"}}",
];

const JSON: &[Frame] = &[
    ("{\"version_number\":3,", Hole::Fields, "\"title\":\"x\"}"),
    ("{\"version_number\":3,\"default_dynamic_variables\":{", Hole::Fields, "\"a\":\"b\"}}"),
    ("{\"version_number\":3,\"json_output_instructions\":{", Hole::Fields, "\"a\":\"b\"}}"),
    ("{\"version_number\":3,\"agent_functions\":[{", Hole::Fields, "\"type\":\"custom\"}]}"),
    (
        "{\"version_number\":3,\"agent_functions\":[{\"type\":\"custom\",\"config\":{",
        Hole::Fields,
        "\"a\":1}}]}",
    ),
    ("{\"version_number\":3,\"agent_functions\":[", Hole::Items, "{}]}"),
    ("{\"version_number\":3,\"post_call_analysis\":[", Hole::Items, "{}]}"),
    ("{\"version_number\":3,\"knowledge_base_ids\":[", Hole::Items, "\"x\"]}"),
    ("{\"version_number\":3,\"kb_max_chunks\":[", Hole::Items, "1]}"),
    ("{\"agent_type\":\"Single_Prompt_Agent\",\"versions\":[", Hole::Items, "{}]}"),
    ("{\"voices\":{", Hole::Fields, "\"x\":{}},\"llms\":[]}"),
    ("{\"version_number\":3,\"prompt_text\":\"", Hole::Text, "\"}"),
    (
        "{\"version_number\":3,\"prompt_text\":\"{{a}}\",\"default_dynamic_variables\":{\"a\":\"",
        Hole::Text,
        "\"}}",
    ),
    ("{\"version_number\":3,\"system_prompt_text\":\"", Hole::Text, "\"}"),
    ("{\"version_number\":3,\"boosted_keywords\":\"", Hole::Text, "\"}"),
    ("{\"version_number\":3,\"backchannel_keywords\":\"", Hole::Text, "\"}"),
    ("{\"version_number\":3,\"title\":\"", Hole::Text, "\"}"),
    ("{\"version_number\":3,\"timezone\":\"", Hole::Text, "\"}"),
    ("{\"version_number\":3,\"pipeline_type\":\"", Hole::Text, "\"}"),
    ("{\"version_number\":3,\"node_positions\":\"", Hole::Text, "\"}"),
    (
        "{\"version_number\":3,\"default_dynamic_variables\":{\"agent_transfer_destinations\":\"",
        Hole::Text,
        "\"}}",
    ),
    ("{\"version_number\":3,\"", Hole::Text, "\":1}"),
    ("{\"version_number\":3,\"kb_max_chunks\":", Hole::Lines, "}"),
    ("{\"version_number\":", Hole::Text, "}"),
    ("[", Hole::Items, "{\"version_number\":3}]"),
    ("[{\"version_number\":3,\"title\":\"x\"},", Hole::Items, "1]"),
    ("", Hole::Lines, ""),
    ("{\"version_number\":3,", Hole::Lines, "}"),
];

const JSON_TOKENS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "\\\"",
    "\n",
    "\r\n",
    " ",
    "\t",
    "1",
    "-",
    "-0",
    "-0-0",
    "1-1",
    "0.",
    "1e",
    "+",
    ".",
    "null",
    "nul",
    "true",
    "'a'",
    "'",
    "//",
    "/*",
    "*/",
    "#",
    "a",
    "\"a\":",
    "\"a§\":",
    "{\"a\":",
    "[[",
    "]]",
    "{}",
    "{},",
    "\"\",",
    "\"prompt_text\":",
    "\u{feff}",
    "\u{0}",
    "é",
    "// voxlint-ignore out-of-range: x\n",
    "/* voxlint-ignore-file unknown-field: y */",
];

const YAML: &[Frame] = &[
    ("version_number: 3\n", Hole::Fields, ""),
    ("version_number: 3\n", Hole::Lines, ""),
    ("", Hole::Lines, ""),
    ("version_number: 3\nprompt_text: \"", Hole::Text, "\"\n"),
    ("version_number: 3\nprompt_text: '", Hole::Text, "'\n"),
    ("version_number: 3\nprompt_text: ", Hole::Text, "\n"),
    ("version_number: 3\nprompt_text: |\n  ", Hole::Text, "\n"),
    ("version_number: 3\nprompt_text: >\n  ", Hole::Text, "\n"),
    ("version_number: 3\nknowledge_base_ids: [", Hole::Items, "x]\n"),
    ("version_number: 3\nconfig: {", Hole::Lines, "}\n"),
    ("version_number: 3\ntitle: &a xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\nx:\n", Hole::Lines, ""),
    ("version_number: 3\ndefault_dynamic_variables:\n", Hole::Lines, ""),
];

const YAML_TOKENS: &[&str] = &[
    "a: 1\n",
    "a§: 1\n",
    "  a§: 1\n",
    "- a\n",
    "  - a\n",
    "- - ",
    "- ",
    "? ",
    ": ",
    "? a\n",
    "&a ",
    "&a§ x\n",
    "*a\n",
    "- *a\n",
    "  - *a\n",
    "<<: *a\n",
    "a§: &b§ [*a]\n",
    "a§: *a\n",
    "{",
    "}",
    "[",
    "]",
    ",",
    "\"",
    "'",
    "|\n",
    ">\n",
    "# x\n",
    "# voxlint-ignore out-of-range: x\n",
    "kb_max_chunks: 12 # voxlint-ignore out-of-range: x\n",
    "kb_max_chunks: 12\n",
    "---\n",
    "...\n",
    "%TAG ! x\n",
    "!x ",
    "!!str ",
    "\t",
    " ",
    "\n",
    "\n\n",
    "  ",
    "x",
    "x\n",
    "prompt_text: x\n",
    "~\n",
    "- {a: 1}\n",
    "{a: ",
    "[a, ",
    "\\",
    "é",
    "0x1\n",
    "1_000\n",
    "2020-01-01\n",
];

const TOML: &[Frame] = &[
    ("version_number = 3\n", Hole::Fields, ""),
    ("version_number = 3\n", Hole::Lines, ""),
    ("", Hole::Lines, ""),
    ("version_number = 3\nprompt_text = \"", Hole::Text, "\"\n"),
    ("version_number = 3\nprompt_text = '''", Hole::Text, "'''\n"),
    ("version_number = 3\nprompt_text = \"\"\"", Hole::Text, "\"\"\"\n"),
    ("version_number = 3\nknowledge_base_ids = [", Hole::Items, "]\n"),
    ("version_number = 3\nx = {", Hole::Lines, "}\n"),
    ("version_number = 3\n[default_dynamic_variables]\n", Hole::Fields, ""),
    ("version_number = 3\n", Hole::Lines, "= 1\n"),
    ("version_number = 3\n[", Hole::Text, "]\n"),
];

const TOML_TOKENS: &[&str] = &[
    "a = 1\n",
    "a§ = 1\n",
    "a.b§ = 1\n",
    "a.b.c§ = 1\n",
    "a§.b.c = 1\n",
    "[a]\n",
    "[a§]\n",
    "[a.b§]\n",
    "[[a]]\n",
    "[[a.b]]\n",
    "[[a.b.c]]\n",
    "[a.b.c]\n",
    "[[a§]]\n",
    "[x§.y.z]\n",
    "b = 1\n",
    "a.",
    "\"a\".",
    "[",
    "]",
    "[[",
    "]]",
    "{",
    "}",
    "= ",
    ",",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "# x\n",
    "# voxlint-ignore out-of-range: x\n",
    "kb_max_chunks = 12\n",
    "kb_max_chunks = 12 # voxlint-ignore out-of-range: x\n",
    "a = [",
    "a = {b = ",
    "1_0",
    "2020-01-01",
    "inf",
    "\n",
    " ",
    "\\",
    "\\\n",
    "é",
    "x",
    "a§ = [1,2]\n",
    "[[agent_functions]]\n",
    "[agent_functions.config]\n",
    "[[agent_functions.config.x]]\n",
];

const TEXT: &[Frame] = &[
    ("", Hole::Text, ""),
    ("{{", Hole::Text, "}}"),
    ("{{#if a}}", Hole::Text, "{{/if}}"),
    ("{{a ", Hole::Text, "}}"),
    ("{{a b=(c ", Hole::Text, ")}}"),
    ("{{#each a as |", Hole::Text, "|}}{{/each}}"),
    ("{{{", Hole::Text, "}}}"),
    ("{{!--", Hole::Text, "--}}"),
    ("{{a.", Hole::Text, "}}"),
    ("{{", Hole::Text, ""),
];

const CONFIGURATION: &[Frame] = &[
    ("", Hole::Lines, ""),
    ("", Hole::Fields, ""),
    ("[rules]\n", Hole::Fields, ""),
    ("include = [\"", Hole::Text, "\"]\n"),
    ("exclude = [\"", Hole::Text, "\"]\n"),
    ("include = [", Hole::Items, "\"x\"]\n"),
    ("exclude = [", Hole::Items, "\"x\"]\n"),
    ("variables = [", Hole::Items, "\"x\"]\n"),
    ("variables = [\"", Hole::Text, "\"]\n"),
    ("[rules.unknown-field]\nallow = [", Hole::Items, "\"x\"]\n"),
    ("[rules.unknown-field]\nallow = [\"", Hole::Text, "\"]\n"),
    ("[[documents]]\nfiles = [", Hole::Items, "\"x\"]\n"),
    ("[[documents]]\nfiles = \"", Hole::Text, "\"\n"),
    ("[[documents]]\nfiles = \"x\"\nstored = \"", Hole::Text, "\"\n"),
    ("[[overrides]]\nfiles = [", Hole::Items, "\"x\"]\nrules = {}\n"),
    ("[[suppressions]]\nfiles = \"x\"\nrules = [", Hole::Items, "\"x\"]\nreason = \"x\"\n"),
    (
        "[[suppressions]]\nfiles = \"x\"\nrules = \"out-of-range\"\nreason = \"x\"\npointer = \"",
        Hole::Text,
        "\"\n",
    ),
    ("[[house_rules]]\nid = \"x\"\nfield = \"/title\"\nmust_match = '", Hole::Text, "'\n"),
    ("[[house_rules]]\nid = \"x\"\nfield = \"/title\"\none_of = [", Hole::Items, "\"x\"]\n"),
    ("[[house_rules]]\nid = \"x\"\nfield = \"", Hole::Text, "\"\nrequired = true\n"),
    (
        "",
        Hole::Lines,
        "[[suppressions]]\nfiles = \"x§\"\nrules = \"out-of-range\"\nreason = \"x\"\n",
    ),
    ("extends = [", Hole::Items, "\"x\"]\n"),
];

/// Families that were slow once, and must not become so again.
pub fn known() -> Vec<Family> {
    let json = Input::Document(Format::Json);
    let family = |input, prefix: &str, unit: &str, suffix: &str| Family {
        input,
        prefix: prefix.to_owned(),
        unit: unit.to_owned(),
        suffix: suffix.to_owned(),
    };
    vec![
        family(json, "{\"version_number\":3,\"pipeline_type\":\"", "AKIA", "\"}"),
        family(json, "{\"version_number\":3,\"knowledge_base_ids\":[", "\"x\",", "\"x\"]}"),
        family(
            Input::Document(Format::Toml),
            "version_number = 3\nknowledge_base_ids = [",
            "'x',",
            "]\n",
        ),
        family(json, "{\"version_number\":3,\"boosted_keywords\":\"", "\\", "\"}"),
        family(json, "{\"version_number\":3,\"prompt_text\":\"", "{{", "\"}"),
        family(json, "{\"version_number\":3,\"prompt_text\":\"", "\\u0041", "\"}"),
        family(json, "{\"version_number\":3,\"prompt_text\":\"", "9e3779b1", "\"}"),
        family(json, "{\"version_number\":3,\"boosted_keywords\":[", "\"word§\",", "\"x\"]}"),
        family(
            json,
            "{\"version_number\":3,\"default_dynamic_variables\":{\"agent_transfer_destinations\":\"",
            "n§:+14155550100|",
            "\"}}",
        ),
        family(
            Input::Fixed(Format::Json),
            "{\"version_number\":3,\"knowledge_base_ids\":[",
            "\"kb_§\",\"kb_§\",",
            "\"x\"]}",
        ),
        family(
            Input::Fixed(Format::Json),
            "{\"version_number\":3,\"agent_functions\":[",
            "{\"displayName\":\"f§\",\"type\":\"end_call\"},{\"displayName\":\"f§\",\"type\":\"end_call\"},",
            "{}]}",
        ),
        family(
            Input::Fixed(Format::Yaml),
            "version_number: 3\nknowledge_base_ids: [",
            "kb_§, kb_§, ",
            "x]\n",
        ),
        family(
            Input::Fixed(Format::Yaml),
            "version_number: 3\nagent_functions:\n",
            "  - {displayName: f§, type: end_call}\n  - {displayName: f§, type: end_call}\n",
            "",
        ),
        family(
            Input::Fixed(Format::Toml),
            "version_number = 3\n",
            "[[post_call_analysis]]\nfield_name = 'a§'\nfield_typ = 'string'\n",
            "",
        ),
        family(
            Input::Fixed(Format::Json),
            "{\"version_number\":3,\"prompt_text\":\"",
            "Hi {{name} there. ",
            "\"}",
        ),
        family(
            Input::Fixed(Format::Yaml),
            "version_number: 3\nprompt_text: |\n",
            "  Hi {{name} there.\n",
            "",
        ),
        family(
            Input::Fixed(Format::Toml),
            "version_number = 3\nprompt_text = '''\n",
            "Hi {{name} there.\n",
            "'''\n",
        ),
        family(Input::Lines, "", "{\"version_number\":3,\"kb_max_chunks\":50}\n", ""),
        family(
            Input::Agents,
            "",
            "{\"version_number\":3,\"is_published\":true,\"inbound_phone_number_id\":\"pn_main\"}\n",
            "",
        ),
        family(
            Input::Document(Format::Jsonc),
            "{\"version_number\":3,\n",
            "\"prompt_text§\":1,\n",
            "\"title\":\"x\"}",
        ),
        family(json, "{\"version_number\":3,\"prompt_text\":\"", "-- ", "\"}"),
        family(Input::Configuration, "exclude = [\"", "a/", "\"]\n"),
        family(Input::Configuration, "exclude = [\"", "a*/", "\"]\n"),
        family(
            Input::Configuration,
            "",
            "[[suppressions]]\nfiles = \"x§\"\nrules = \"out-of-range\"\nreason = \"x\"\n",
            "",
        ),
        family(
            Input::ConfigurationAndDocument,
            "",
            "[[suppressions]]\nfiles = \"**\"\nrules = \"missing-field\"\nreason = \"x\"\npointer = \"/agent_functions/§\"\n",
            "",
        ),
        family(Input::ConfigurationAndDocument, "variables = [", "\"crm_§x*\",", "]\n"),
        family(
            Input::ConfigurationAndDocument,
            "[rules]\nunknown-field = { level = \"error\", allow = [",
            "\"own_§x\",",
            "] }\n",
        ),
        family(
            Input::ConfigurationAndDocument,
            "[[house_rules]]\nid = \"ours\"\nfield = \"/default_dynamic_variables/*\"\none_of = [",
            "\"value §x\",",
            "]\n",
        ),
        family(
            Input::Configuration,
            "",
            "[[overrides]]\nfiles = \"x§\"\nrules = { out-of-range = \"info\" }\n",
            "",
        ),
        family(Input::Configuration, "", "[[documents]]\nfiles = \"x§\"\nkind = \"update\"\n", ""),
        family(
            Input::Configuration,
            "",
            "[[house_rules]]\nid = \"x-§\"\nfield = \"/title\"\nrequired = true\n",
            "",
        ),
        family(
            Input::Document(Format::Yaml),
            "version_number: 3\ntitle: &a 'x'\ny:\n",
            "- *a\n",
            "",
        ),
        family(
            Input::Document(Format::Yaml),
            "version_number: 3\n",
            "kb_max_chunks: 12 # voxlint-ignore out-of-range: x\n",
            "",
        ),
        family(
            Input::Document(Format::Yaml),
            "version_number: 3\n",
            "# voxlint-ignore out-of-range: x\n",
            "kb_max_chunks: 12\n",
        ),
        family(Input::Document(Format::Yaml), "version_number: 3\nprompt_text: \"", "x\n", ""),
        family(json, "{\"version_number\":3,\"kb_max_chunks\":[", "-0", "]}"),
        family(json, "{\"version_number\":3,\"kb_max_chunks\":[", "1-", "1]}"),
        family(
            json,
            "{\"version_number\":3,\"default_dynamic_variables\":{",
            "\"agent_transfer_destinations\":\"x\",",
            "\"a\":\"b\"}}",
        ),
        family(
            json,
            "{\"version_number\":3,\"default_dynamic_variables\":{\"agent_transfer_destinations\":\"",
            "+12025550123|",
            "\"}}",
        ),
        family(json, "{\"version_number\":3,\"", "prompt_text", "\":1}"),
        family(json, "{\"version_number\":3,", "\"prompt_text§\":1,", "\"title\":\"x\"}"),
        family(json, "{\"version_number\":3,\"post_call_analysis\":[", "{},", "{}]}"),
        family(json, "[", "{},", "{\"version_number\":3}]"),
        family(json, "{\"version_number\":3,\"x\":[", "00,", "1]}"),
        family(json, "{\"version_number\":3,\"kb_max_chunks\":", "1", "}"),
        family(json, "{\"version_number\":3,\"prompt_text\":\"", "{{a§}}", "\"}"),
        family(
            json,
            "{\"version_number\":3,\"default_dynamic_variables\":{",
            "\"a§\":\"\",",
            "\"b\":\"\"}}",
        ),
        family(Input::Document(Format::Toml), "version_number = 3\n", "[[a.b.c]]\n", ""),
        family(Input::Document(Format::Toml), "version_number = 3\n", "[[a]]\n[[a.b]]\n", ""),
        family(Input::Document(Format::Toml), "version_number = 3\n", "a.", "a = 1\n"),
        family(Input::Document(Format::Toml), "version_number = 3\n", "a.b§.c = 1\n", ""),
        family(Input::Document(Format::Text), "", "{{#if a}}", ""),
        family(Input::Document(Format::Text), "{{", "(", ""),
    ]
}
