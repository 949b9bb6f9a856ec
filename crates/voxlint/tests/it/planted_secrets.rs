//! No output shows a planted secret: random ones of many kinds in many places, in every format. Nothing else is masked.

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::sync::LazyLock;

use voxlint::secrets::{mask_text, masked_json};
use voxlint::syntax::Format;
use voxlint::{
    Document, DocumentKind, Facts, Inputs, PlanInputs, Stored, TextFile, Trace, Wildcard, check,
    plan, plan_agent, schema::settings, template_variables,
};
use voxlint_config::{
    CheckSettings, Configuration, Date, DocumentScope, LoadError, check_document, show_json,
    show_text,
};
use voxlint_report::{
    CheckedDocument, LocatedVariables, OutputFormat as Output, PlanFormat, PlanReport,
    RenderOptions, RunInfo, RunOutcome, RunSummary, render, render_variables, show_templates,
    write_findings, write_plan, write_templates_json, write_variables_json,
};
use voxlint_testing::texts::lines;
use voxlint_testing::{case_files, cases, contains, places};

use crate::known_secrets;
use crate::secrets::{
    ALNUM, BASE64, BASE64_URL, Case, Dice, HEX, LETTERS, LOWER, Planted, WINDOW, document, json,
    json_inside, outputs, toml, yaml,
};

const UPPER_DIGITS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const DIGITS: &str = "0123456789";

/// The kinds of secrets.
static KINDS: LazyLock<Vec<&str>> = LazyLock::new(|| lines(include_str!("../words/kinds.txt")));

/// All kinds, with those that are known by their form.
fn kinds() -> Vec<&'static str> {
    [&KINDS[..], &*known_secrets::CERTAIN, &known_secrets::LIKELY].concat()
}

/// Kinds that only their entropy tells. They are shown where ids are: in fields of ids and in the paths of addresses.
const RANDOM_KINDS: [&str; 8] = [
    "secret access key",
    "base64",
    "hex of 32",
    "hex of 40",
    "hex of 64",
    "session cookie",
    "three dotted parts",
    "age secret key",
];

/// The places where a secret has other text around it, or is in text that could not be read.
const PARTS: [&str; 12] = [
    "inside a prompt",
    "template comment",
    "template comparison",
    "template parameter",
    "template name",
    "broken template",
    "function address",
    "function body",
    "node_positions",
    "comment",
    "reason of a suppression",
    "unclosed text",
];

/// A random secret of a kind. What comes before and after it is the same for all secrets of the kind.
fn secret(dice: &mut Dice, kind: &'static str) -> Planted {
    if kind.contains('|') {
        let [before, secret, after] = known_secrets::draw(dice, kind);
        return Planted { kind, before, secret, after, is_promised: false };
    }
    let padded = |dice: &mut Dice, length: usize| {
        dice.draw(BASE64, length, length) + ["", "=", "=="][(3 - length % 3) % 3]
    };
    let (before, secret, after) = match kind {
        "id and secret" => (dice.draw(HEX, 15, 15) + "a:", dice.draw(ALNUM, 24, 40), ""),
        "id and base64" => (dice.draw(HEX, 15, 15) + "a:", padded(dice, 32), ""),
        "Bearer" => ("Bearer ".to_owned(), dice.draw(BASE64_URL, 24, 40), ""),
        "bearer" => ("bearer ".to_owned(), dice.draw(ALNUM, 24, 40), ""),
        "whsec_" => ("whsec_".to_owned(), padded(dice, 32), ""),
        "web token" => {
            let part = |dice: &mut Dice| dice.draw(BASE64_URL, 20, 40);
            let secret = format!("{}.eyJ{}.{}", part(dice), part(dice), part(dice));
            ("eyJ".to_owned(), secret, "")
        }
        "AIza" => ("AIza".to_owned(), dice.draw(BASE64_URL, 35, 35), ""),
        "AKIA" => ("AKIA".to_owned(), dice.draw(UPPER_DIGITS, 16, 16), ""),
        "secret access key" => (String::new(), dice.draw(BASE64, 40, 40), ""),
        "sk-" => ("sk-".to_owned(), dice.draw(ALNUM, 32, 48), ""),
        "sk_live_" => ("sk_live_".to_owned(), dice.draw(ALNUM, 24, 24), ""),
        "rk_live_" => ("rk_live_".to_owned(), dice.draw(ALNUM, 24, 24), ""),
        "ghp_" => ("ghp_".to_owned(), dice.draw(ALNUM, 36, 36), ""),
        "github_pat_" => {
            let secret = dice.draw(ALNUM, 22, 22) + "_" + &dice.draw(ALNUM, 59, 59);
            ("github_pat_".to_owned(), secret, "")
        }
        "glpat-" => ("glpat-".to_owned(), dice.draw(BASE64_URL, 20, 20), ""),
        "xoxb-" => {
            let before = format!("xoxb-{}-", dice.draw(DIGITS, 12, 12));
            (before, dice.draw(ALNUM, 24, 24), "")
        }
        "hex of 32" => (String::new(), dice.draw(HEX, 32, 32), ""),
        "hex of 40" => (String::new(), dice.draw(HEX, 40, 40), ""),
        "hex of 64" => (String::new(), dice.draw(HEX, 64, 64), ""),
        "private key" => {
            let lines: Vec<String> = (0..4).map(|_| dice.draw(BASE64, 64, 64)).collect();
            (
                "-----BEGIN PRIVATE KEY-----\n".to_owned(),
                lines.join("\n"),
                "\n-----END PRIVATE KEY-----",
            )
        }
        "password of an address" => {
            ("https://agent:".to_owned(), dice.draw(ALNUM, 12, 24), "@example.com/")
        }
        "token in a query" => {
            ("https://example.com/a?token=".to_owned(), dice.draw(ALNUM, 20, 40), "&b=1")
        }
        "api_key in a query" => {
            ("https://example.com/a?b=1&api_key=".to_owned(), dice.draw(ALNUM, 20, 40), "")
        }
        "connection string" => (
            "postgres://agent:".to_owned(),
            dice.draw(ALNUM, 12, 24),
            "@db.example.com:5432/agents",
        ),
        "api_key=" => ("api_key=".to_owned(), dice.draw(ALNUM, 20, 40), ""),
        "Basic" => ("Basic ".to_owned(), padded(dice, 32), ""),
        "session cookie" => ("session=".to_owned(), dice.draw(ALNUM, 24, 40), "; Path=/"),
        "AccountKey" => (
            "DefaultEndpointsProtocol=https;AccountName=desk;AccountKey=".to_owned(),
            padded(dice, 86),
            ";EndpointSuffix=core.example.com",
        ),
        "SG." => {
            let secret = dice.draw(BASE64_URL, 22, 22) + "." + &dice.draw(BASE64_URL, 43, 43);
            ("SG.".to_owned(), secret, "")
        }
        "SK" => ("SK".to_owned(), dice.draw(HEX, 32, 32), ""),
        "npm_" => ("npm_".to_owned(), dice.draw(ALNUM, 36, 36), ""),
        "pypi-" => ("pypi-".to_owned(), dice.draw(BASE64_URL, 60, 90), ""),
        "hf_" => ("hf_".to_owned(), dice.draw(LETTERS, 34, 34), ""),
        "bot token" => (dice.draw(DIGITS, 9, 9) + ":", dice.draw(BASE64_URL, 35, 35), ""),
        "key-" => ("key-".to_owned(), dice.draw(HEX, 32, 32), ""),
        "three dotted parts" => {
            let secret = format!(
                "{}.{}.{}",
                dice.draw(BASE64_URL, 24, 24),
                dice.draw(BASE64_URL, 6, 6),
                dice.draw(BASE64_URL, 27, 38)
            );
            (String::new(), secret, "")
        }
        "age secret key" => ("AGE-SECRET-KEY-1".to_owned(), dice.draw(UPPER_DIGITS, 58, 58), ""),
        _ => (String::new(), padded(dice, 44), ""),
    };
    Planted { kind, before, secret, after: after.to_owned(), is_promised: false }
}

/// A phrase, which only the name of its field tells to be a secret.
fn passphrase(dice: &mut Dice) -> Planted {
    let mut words: Vec<String> = (0..4).map(|_| dice.draw(LOWER, 6, 9)).collect();
    words.push(dice.draw(DIGITS, 4, 6));
    Planted {
        kind: "passphrase",
        before: String::new(),
        secret: words.join(" "),
        after: String::new(),
        is_promised: false,
    }
}

/// The names of fields with secrets.
const SECRET_NAMES: [&str; 12] = [
    "webhook_signing_key",
    "signing_key",
    "hmac_key",
    "encryption_key",
    "pwd",
    "passphrase",
    "cookie",
    "auth",
    "x-auth",
    "jwt",
    "token_value",
    "connection_string",
];

/// The fields of an update whose value is a text.
const TEXT_FIELDS: [&str; 18] = [
    "title",
    "version_title",
    "description",
    "folder_id",
    "timezone",
    "pipeline_type",
    "webhook_id",
    "language_id",
    "agent_identity",
    "agent_background",
    "prompt_text",
    "system_prompt_text",
    "welcome_message",
    "voicemail_message",
    "llm_id",
    "voice_id",
    "boosted_keywords",
    "background_sound",
];

/// The other places. Those where it has other text around it are in [`PARTS`].
const OTHER_PLACES: [&str; 14] = [
    "function name",
    "function description",
    "header value",
    "header name",
    "deep value",
    "deep name",
    "variable",
    "variable name",
    "unknown field",
    "unknown name",
    "list of the wrong type",
    "field given twice",
    "field of an analysis",
    "stored value",
];

const PLACES: usize = TEXT_FIELDS.len() + SECRET_NAMES.len() + OTHER_PLACES.len() + PARTS.len();

fn place_name(place: usize) -> &'static str {
    let all = TEXT_FIELDS.iter().chain(&SECRET_NAMES).chain(&OTHER_PLACES).chain(&PARTS);
    all.copied().nth(place).expect("a place")
}

/// A stored configuration without secrets.
const STORED: &str = r#"{
    "agent": { "id": "ag_desk", "versions": [{ "version_number": 3, "is_published": false }] },
    "version": { "version_number": 3, "title": "Front desk", "prompt_text": "Be brief." },
    "complete": true
}"#;

/// A document with a secret of a kind in a place.
#[expect(clippy::too_many_lines, reason = "a list of places, one after the other")]
fn case(dice: &mut Dice, kind: &'static str, place: &'static str, is_counterpart: bool) -> Case {
    let is_named = SECRET_NAMES.contains(&place);
    let planted = match dice.below(4) {
        0 if is_named => passphrase(dice),
        _ => secret(dice, kind),
    };
    let planted = if is_counterpart { planted.with_other_secret() } else { planted };
    let format = match place {
        "comment" | "reason of a suppression" => {
            [Format::Jsonc, Format::Yaml, Format::Toml][dice.below(3)]
        }
        _ => [Format::Json, Format::Jsonc, Format::Yaml, Format::Toml][dice.below(4)],
    };
    let mut case = Case {
        kind: planted.kind,
        place,
        secret: planted.secret.clone(),
        format: Some(format),
        ..Case::default()
    };
    let (before, after) = match place {
        "inside a prompt" => (
            dice.pick(&["Log in with ", "Greet {{name}} (", "Use ", "{{#if vip}}", "Wait\nthen "]),
            dice.pick(&["", " and go on", " {{name", ") {{/if}}", " {{ !vip }}\nGo", ", please"]),
        ),
        "template comment" => ("Hello {{! for ", " }}and {{/if}}"),
        "template comparison" => ("Hello {{#if api_key=\"", "\"}}x{{/if}} {{name"),
        "template parameter" => ("Hello {{greet \"", "\" name}} {{#each}}"),
        "template name" => ("Hello {{", "}} {{/if}}"),
        "broken template" => ("Hello {{#if ", "}}x"),
        "function body" => ("{ \"key\": \"", "\" }"),
        "function address" if planted.before.is_empty() => {
            ("https://api.example.com/v2/", "/rooms")
        }
        _ => ("", ""),
    };
    let mut spell = |format: Format, is_flow: bool| {
        let spelled = match format {
            Format::Yaml => yaml(dice, before, &planted, after, is_flow),
            Format::Toml => toml(dice, before, &planted, after, is_flow),
            _ => json(dice, before, &planted, after),
        };
        spelled.raw().clone_into(&mut case.raw);
        spelled
    };
    let config = |name: &str, value: &str| match format {
        Format::Toml => {
            format!("[{{ displayName = \"A\", kind = 1, config = {{ {name} = {value} }} }}]")
        }
        _ => format!(
            "[{{ \"displayName\": \"A\", \"kind\": 1, \"config\": {{ {name}: {value} }} }}]"
        ),
    };
    let object = |name: &str, value: &str| match format {
        Format::Toml => format!("{{ {name} = {value}, other = [1] }}"),
        _ => format!("{{ {name}: {value}, \"other\": [1] }}"),
    };
    // Names are written on one line.
    let name_format = if format == Format::Yaml { Format::Json } else { format };
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut comment = String::new();
    let mut field = |name: &str, value: String| fields.push((name.to_owned(), value));
    match place {
        "inside a prompt"
        | "template comment"
        | "template comparison"
        | "template parameter"
        | "template name"
        | "broken template" => field("prompt_text", spell(format, false).text),
        "function name" => {
            let value = spell(format, true).text;
            let sign = if format == Format::Toml { " =" } else { ":" };
            field(
                "agent_functions",
                format!("[{{ \"displayName\"{sign} {value}, \"type\"{sign} 1 }}]"),
            );
        }
        "function description" => {
            let value = spell(format, true).text;
            let sign = if format == Format::Toml { " =" } else { ":" };
            field(
                "agent_functions",
                format!("[{{ \"description\"{sign} {value}, \"type\"{sign} 1 }}]"),
            );
        }
        "header value" => {
            field("agent_functions", config("\"x-trace\"", &spell(format, true).text));
        }
        "header name" => field("agent_functions", config(&spell(name_format, true).text, "1")),
        "function address" => {
            field("agent_functions", config("\"url\"", &spell(format, true).text));
        }
        "function body" => field("agent_functions", config("\"body\"", &spell(format, true).text)),
        "deep value" => {
            let inner = object("\"inner\"", &spell(format, true).text);
            field("agent_functions", config("\"a\"", &object("\"b\"", &inner)));
        }
        "deep name" => {
            let inner = object(&spell(name_format, true).text, "[1]");
            field("agent_functions", config("\"a\"", &object("\"b\"", &inner)));
        }
        "variable" => {
            field("default_dynamic_variables", object("\"user\"", &spell(format, true).text));
        }
        "variable name" => {
            field("default_dynamic_variables", object(&spell(name_format, true).text, "[1]"));
        }
        "unknown field" => field("promt_txt", spell(format, false).text),
        "unknown name" => {
            let name = spell(name_format, true).text;
            field(&format!("={name}"), "1".to_owned());
        }
        "node_positions" => {
            let inner = spell(Format::Json, true);
            let broken = dice.pick(&["", " 1", ","]);
            let value = json_inside(dice, format, "label", &inner, broken);
            value.raw().clone_into(&mut case.raw);
            field("node_positions", value.text);
        }
        "list of the wrong type" => field("timezone", format!("[{}]", spell(format, true).text)),
        "field given twice" => {
            let value = spell(format, false).text;
            field("title", value.clone());
            field("title", value);
        }
        "field of an analysis" => {
            let value = spell(format, true).text;
            let sign = if format == Format::Toml { " =" } else { ":" };
            field(
                "post_call_analysis",
                format!("[{{ \"field_name\"{sign} {value}, \"field_type\"{sign} {value} }}]"),
            );
        }
        "comment" | "reason of a suppression" => {
            case.raw.clone_from(&planted.secret);
            comment = format!("{}{}{}", planted.before, planted.secret, planted.after);
            if place != "comment" {
                comment = format!("voxlint-ignore-file out-of-range: see {comment}");
            }
        }
        "unclosed text" => {
            let value = spell(Format::Json, true).text;
            field("title", value.trim_end_matches('"').to_owned());
        }
        "stored value" => {
            let text = spell(Format::Json, true).text;
            case.stored = format!(
                "{{ \"agent\": {{ \"id\": \"ag_desk\", \"versions\": [{{ \"version_number\": 3, \"is_published\": false }}] }}, \
                   \"version\": {{ \"version_number\": 3, \"title\": {text}, \"prompt_text\": {text}, \"llm_id\": {text}, \"agent_functions\": [{{ \"displayName\": \"A\", \"config\": {{ \"note\": {text} }} }}] }}, \"complete\": true }}"
            );
            field("title", "\"Front desk\"".to_owned());
            field("prompt_text", "\"Be brief.\"".to_owned());
        }
        name if is_named => {
            let value = spell(format, false).text;
            let name = format!("=\"{name}\"");
            if dice.one_in(2) || value.contains('\n') {
                field(&name, value);
            } else {
                field("agent_functions", config(&name[1..], &value));
            }
        }
        name => field(name, spell(format, false).text),
    }
    if case.stored.is_empty() && dice.one_in(4) {
        STORED.clone_into(&mut case.stored);
    }
    if matches!(place, "prompt_text" | "template comment") && dice.one_in(2) {
        // The same in a file of its own, which has no escapes.
        case.text =
            format!("{before}{}{}{}{after}\n", planted.before, planted.secret, planted.after);
        fields.clear();
    }
    case.update = document(dice, format, &fields, &comment);
    case
}

/// What an output function writes.
fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> String {
    let mut out = Vec::new();
    write(&mut out).expect("written to memory");
    String::from_utf8(out).expect("UTF-8")
}

/// A report in a format.
fn page(format: Output, checked: &CheckedDocument<'_>) -> String {
    let options = RenderOptions { suppressed: true, undecided: true, ..RenderOptions::default() };
    let run = RunInfo::default();
    let rendered = render(format, &options, checked);
    let mut summary = RunSummary { files: 1, ..RunSummary::default() };
    summary.add(checked.report);
    let outcome = RunOutcome { summary, ..RunOutcome::default() };
    written(|out| write_findings(out, format, &run, [rendered], &outcome))
}

/// What `vars`, `render` and `plan` write about a case, and a check with a configuration that suppresses findings.
fn other_outputs(case: &Case) -> Vec<(String, String)> {
    const CONFIGURATION: &str =
        "[[suppressions]]\nfiles = '**'\nrules = ['unknown-field']\nreason = 'known'\n";
    let update = Document::parse_as(case.update.as_str(), case.format.expect("a format"));
    let mut inputs =
        Inputs::new(update).kind(DocumentKind::Update).variables([Wildcard::new("name")]);
    if !case.text.is_empty() {
        let text = Document::parse_as(case.text.as_str(), Format::Text);
        inputs = inputs.texts([TextFile::new(settings::prompt_text.row, text)]);
    }
    if !case.stored.is_empty() {
        inputs = inputs.stored(Stored::new(Document::parse(case.stored.as_str())));
    }
    let options = RenderOptions::default();
    let mut all: Vec<(String, String)> = Vec::new();
    let configuration = load(CONFIGURATION).expect("a sound configuration");
    let rules = CheckSettings::new(configuration.for_file("a.json"), Date::from_days(0));
    let report =
        check_document(inputs.clone(), &rules, DocumentScope::default(), &mut Trace::off()).report;
    let checked = CheckedDocument::new("a.json", &case.update, &report);
    if !report.suppressed.is_empty() {
        for format in [Output::Sarif, Output::Junit, Output::Json, Output::Full] {
            all.push((format!("suppressed {}", format.name()), page(format, &checked)));
        }
    }
    if let Some(table) = template_variables(&inputs) {
        let located = LocatedVariables::new(&checked, &table);
        all.push(("vars".to_owned(), render_variables(&options, &located)));
        let json = written(|out| write_variables_json(out, &[located], &[], &[]));
        all.push(("vars json".to_owned(), json));
    }
    if let Some(rendered) = voxlint::render(&inputs, None) {
        all.push(("render".to_owned(), show_templates(&rendered, &RenderOptions::default())));
        let json = written(|out| {
            write_templates_json(out, &checked, &rendered, &RenderOptions::default())
        });
        all.push(("render json".to_owned(), json));
    }
    let planned = plan(vec![plan_agent(&PlanInputs::new("agents/en.json", inputs.clone()))]);
    for format in PlanFormat::ALL {
        let shown = written(|out| write_plan(out, format, &PlanReport::new(&planned), &options));
        all.push((format!("plan {}", format.name()), shown));
    }
    all.push(("masked json".to_owned(), masked_json(&inputs)));
    all
}

fn load(text: &str) -> Result<Configuration, LoadError> {
    Configuration::load("voxlint.toml", &mut |_: &str| Ok(text.to_owned()))
}

/// The parts of a secret that an output shows, with [`WINDOW`] characters each.
fn shown(output: &str, secret: &str) -> impl Iterator<Item = String> {
    let characters: Vec<char> = secret.chars().collect();
    let pieces: Vec<String> = characters.windows(WINDOW).map(|it| it.iter().collect()).collect();
    pieces.into_iter().filter(|piece| !piece.contains('\n') && is_shown(output, piece))
}

/// Whether a piece of a secret is in an output, and not by chance in a fingerprint, which is a long hexadecimal number.
fn is_shown(output: &str, piece: &str) -> bool {
    const FINGERPRINT: usize = 16;
    let is_hex = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let may_be_chance = piece.as_bytes().iter().all(|byte| is_hex(&byte));
    places(output, piece).any(|at| {
        let (before, after) = output.as_bytes().split_at(at);
        let before = before.iter().rev().take_while(is_hex).count();
        let length = before + after.iter().take_while(is_hex).count();
        !may_be_chance || length < FINGERPRINT
    })
}

/// The parts of a secret that an output shows as they are written in the file, with [`WINDOW`] characters each and an escape.
fn shown_as_written(output: &str, raw: &str) -> Vec<String> {
    // What is written, and whether it stands for a character.
    let mut units: Vec<(&str, bool)> = Vec::new();
    let mut rest = raw;
    while let Some(first) = rest.chars().next() {
        let length = match rest.as_bytes() {
            [b'\\', b'u', ..] => 6,
            [b'\\', b'U', ..] => 10,
            [b'\\', b'x', ..] => 4,
            [b'\\', _, ..] => 2,
            _ => first.len_utf8(),
        };
        let (unit, after) = rest.split_at(length.min(rest.len()));
        units.push((unit, !unit.ends_with(char::is_whitespace)));
        rest = after;
    }
    // Escaped escapes are long, and the text before the secret may have the same ones.
    let length = if raw.contains("\\\\") { 4 * WINDOW } else { WINDOW };
    let mut found = Vec::new();
    for start in (0..units.len()).filter(|start| units[*start].1) {
        let mut count = 0;
        let piece = units[start..].iter().take_while(|(_, counts)| {
            count += usize::from(*counts);
            count <= length
        });
        let piece: Vec<&str> = piece.map(|(unit, _)| *unit).collect();
        let is_whole = count >= length && piece.iter().any(|unit| unit.len() > 2);
        found.extend(
            is_whole.then(|| piece.concat()).filter(|piece| contains(output, piece.trim_end())),
        );
    }
    found
}

/// The pieces of a secret that outputs show, with their first outputs.
fn leaks(case: &Case, all: &[(String, String)]) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    for (index, (_, output)) in all.iter().enumerate() {
        let pieces = shown(output, &case.secret).chain(shown_as_written(output, &case.raw));
        found.extend(pieces.map(|piece| (piece, index)));
        if let [_, ..] = found.as_slice() {
            break;
        }
    }
    found
}

/// Cases in which a part of the secret was shown once: the seed, the kind and the place.
const FOUND_ONCE: [(u64, &str, &str); 6] = [
    (6920, "secret access key", "boosted_keywords"),
    (14215, "AKIA", "header name"),
    (34711, "AKIA", "timezone"),
    (37399, "AKIA", "timezone"),
    (52460, "three dotted parts", "boosted_keywords"),
    (62120, "secret access key", "template name"),
];

/// A new case: its kind and its place. The numbers are coprime to the other count, so that every kind comes to every place.
fn numbered(number: u64) -> (u64, &'static str, &'static str) {
    let count = number as usize;
    let kinds = kinds();
    let kind = kinds[count % kinds.len()];
    let mut place = place_name((count / kinds.len() * 31 + count) % PLACES);
    let holds_ids = place.ends_with("_id") || place == "function address";
    if RANDOM_KINDS.contains(&kind) && holds_ids {
        place = "prompt_text";
    }
    (number, kind, place)
}

#[test]
fn no_six_characters_of_a_planted_secret_are_shown() {
    let number = cases((kinds().len() * 3) as u64, 6_000);
    let first = std::env::var("VOXLINT_FIRST").map_or(0, |at| at.parse().expect("a number"));
    let mut wrong = Vec::new();
    let mut seen = BTreeSet::new();
    for (number, kind, place) in FOUND_ONCE.into_iter().chain((first..first + number).map(numbered))
    {
        let tried = |is_counterpart| {
            let mut dice = Dice(number);
            let case = case(&mut dice, kind, place, is_counterpart);
            let (_, mut all) = outputs(&case, &mut dice);
            all.extend(other_outputs(&case));
            (case, all)
        };
        let (case, all) = tried(false);
        seen.insert((case.kind, case.place));
        let leaked = leaks(&case, &all);
        if leaked.is_empty() {
            continue;
        }
        // Random letters may be part of a word that reports use. What is also shown with another secret does not come from it.
        let (_, others) = tried(true);
        let is_of_secret = |piece: &str| !others.iter().any(|(_, said)| said.contains(piece));
        if let Some((piece, at)) = leaked.iter().find(|(piece, _)| is_of_secret(piece)) {
            let (name, output) = &all[*at];
            let what =
                format!("case {number}: `{piece}` of {}, {}, in {name}", case.kind, case.place);
            wrong.push((what, format!("{case:#?}\n{output}")));
        }
    }
    let all: Vec<&str> = wrong.iter().map(|(what, _)| what.as_str()).take(100).collect();
    let some: Vec<&str> = wrong.iter().map(|(_, more)| more.as_str()).take(4).collect();
    assert!(
        wrong.is_empty(),
        "{} of {number}:\n{}\n{}",
        wrong.len(),
        all.join("\n"),
        some.join("\n")
    );
    assert!(seen.len() > 450.min(number as usize * 9 / 10), "{}", seen.len());
}

/// A configuration with a secret in a value of a kind, and what the program says about it: its faults, or its settings.
fn of_configuration(value: &str, pointer: &str) -> Vec<(String, String)> {
    const DOCUMENT: &str =
        "{ \"version_number\": 3, \"title\": \"Front desk\", \"kb_max_chunks\": 99 }";
    let rule = |rest: &str| format!("[[house_rules]]\nid = 'no-such-word'\n{rest}\n");
    let texts = [
        format!("unknown = {value}\n[rules]\nout-of-range = 7\n"),
        format!("{value} = 1\n"),
        format!("[rules]\nout-of-range = {value}\n"),
        format!("[rules]\n{value} = 'error'\n"),
        format!("[[documents]]\nfiles = {value}\nkind = {value}\nstored = {value}\n"),
        format!("[[suppressions]]\nfiles = '**'\nrules = ['out-of-range']\nreason = {value}\n"),
        format!("[[suppressions]]\nfiles = '**'\nrules = [{value}]\nreason = {value}\nuntil = 7\n"),
        format!("variables = [{value}]\n"),
        rule(&format!("field = {value}\nmessage = {value}\nmust_match = {value}")),
        rule(&format!("field = '/title'\nmessage = {value}\nmust_match = '['")),
        rule(&format!("field = '/title'\nmessage = {value}\nhelp = {value}\nmax_length = 1")),
        rule(&format!("field = '/title'\none_of = [{value}]")),
        rule(&format!("field = {pointer}\npresent = true")),
        rule(&format!("field = {pointer}\nmust_match = 'x'\nfiles = [{value}]\nmessage = 'no'")),
        format!("# {value}\n[rules\n"),
    ];
    let mut all = Vec::new();
    for text in texts {
        match load(&text) {
            Ok(configuration) => {
                let list = configuration.show();
                all.push((text.clone(), show_text(&list, &|path| path.to_owned())));
                all.push((text.clone(), show_json(&list, &|path| path.to_owned()).to_string()));
                for house in configuration.for_file("a.json").house_rules() {
                    // What `rules`, `explain` and the rules of SARIF show.
                    let rule = house.rule();
                    all.push((text.clone(), rule.summary().to_owned()));
                    all.push((text.clone(), voxlint::docs::pages::rule(&rule)));
                }
                let settings = configuration.for_file("a.json");
                let settings = CheckSettings::new(settings, Date::from_days(0));
                let inputs = Inputs::new(Document::parse(DOCUMENT));
                let report =
                    check_document(inputs, &settings, DocumentScope::default(), &mut Trace::off())
                        .report;
                let checked = CheckedDocument::new("a.json", DOCUMENT, &report);
                all.extend(Output::ALL.map(|format| (text.clone(), page(format, &checked))));
            }
            Err(LoadError::Faults(files)) => {
                for file in &files {
                    let checked = CheckedDocument::new(&file.path, &file.text, &file.report);
                    all.extend(Output::ALL.map(|format| (text.clone(), page(format, &checked))));
                }
            }
            Err(error) => panic!("{error}"),
        }
    }
    all
}

#[test]
fn no_six_characters_of_a_secret_in_a_configuration_are_shown() {
    let mut wrong = Vec::new();
    for number in 0..cases(kinds().len() as u64, 2_000) {
        let kind = kinds()[number as usize % kinds().len()];
        let tried = |is_counterpart| {
            let mut dice = Dice(number);
            let planted = secret(&mut dice, kind);
            let planted = if is_counterpart { planted.with_other_secret() } else { planted };
            let value = toml(&mut dice, "", &planted, "", true);
            let pointer = toml(&mut dice, "/", &planted, "", true);
            (planted, of_configuration(&value.text, &pointer.text))
        };
        let (planted, all) = tried(false);
        let others = LazyCell::new(|| tried(true).1);
        for (text, output) in &all {
            let is_of_secret =
                |piece: &String| !others.iter().any(|(_, said)| said.contains(piece));
            if let Some(piece) = shown(output, &planted.secret).find(is_of_secret) {
                wrong.push(format!("case {number}: `{piece}` of {planted:?} in\n{text}\n{output}"));
                break;
            }
        }
    }
    let some: Vec<&str> = wrong.iter().take(4).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), some.join("\n"));
}

/// The words of the fixtures outside of the cases about secrets.
fn words_of_fixtures() -> BTreeSet<String> {
    const ABOUT_SECRETS: [&str; 3] = ["secret-in-document", "leaked-secret", "card-or-id-number"];
    let mut words = BTreeSet::new();
    for case in case_files().into_iter().filter(|it| !ABOUT_SECRETS.contains(&&*it.rule)) {
        let Ok(text) = std::fs::read_to_string(&case.path) else { continue };
        let document = Document::parse(text);
        for text in document.tree().nodes().filter_map(voxlint::syntax::Node::as_str) {
            words.extend(text.split_whitespace().map(str::to_owned));
        }
    }
    words
}

#[test]
fn nothing_is_masked_but_secrets() {
    let values = include_str!("harmless_values.txt").lines().map(str::to_owned);
    let words = words_of_fixtures();
    assert!(words.len() > 1_500, "{}", words.len());
    let mut masked = Vec::new();
    // A digest without a name may be a key.
    let is_digest = |it: &String| it.len() == 40 && it.bytes().all(|it| it.is_ascii_hexdigit());
    for value in values.chain(words).filter(|it| !is_digest(it)) {
        let quoted = serde_json::to_string(&value).unwrap();
        let inner = &quoted[1..quoted.len() - 1];
        let text = format!(
            r#"{{ "version_number": 3, "title": {quoted}, "voice_id": {quoted}, "prompt_text": "See {inner}!",
               "agent_functions": [{{ "config": {{ "x-trace": {quoted} }} }}] }}"#
        );
        let is_masked = masked_json(&Inputs::new(Document::parse(text.as_str()))) != text
            || mask_text(&value) != value;
        masked.extend(is_masked.then_some(value));
    }
    assert!(masked.is_empty(), "{masked:#?}");
}

#[test]
fn the_reason_behind_the_name_of_a_rule_is_shown() {
    for rule in voxlint::rules::all() {
        let comment = format!("voxlint-ignore {}: JIRA-1234-abc", rule.id);
        assert_eq!(mask_text(&comment), comment);
    }
}

#[test]
fn ids_are_shown_however_random_they_are() {
    let mut dice = Dice(1);
    for alphabet in [ALNUM, HEX, LOWER, UPPER_DIGITS, BASE64_URL] {
        for _ in 0..cases(20, 2_000) {
            let id = dice.draw(alphabet, 20, 48);
            let text = format!(
                r#"{{ "version_number": 3, "voice_id": "{id}", "knowledge_base_ids": ["{id}"], "kb_max_chunks": 99,
                   "default_dynamic_variables": {{ "crm_account_id": "{id}", "bookingIds": ["{id}"] }} }}"#
            );
            let facts = Facts::new(Document::parse(format!(r#"{{ "voices": ["{id}x"] }}"#)));
            let inputs = Inputs::new(Document::parse(text.as_str()));
            assert_eq!(masked_json(&inputs), text);
            let report = check(&inputs.facts(facts));
            let shown = page(Output::Full, &CheckedDocument::new("a.json", &text, &report));
            assert!(shown.contains(&id[..20]), "{shown}");
        }
    }
}
