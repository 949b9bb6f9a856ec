//! Known kinds of secrets are found in every text, and harmless values are not.

use std::sync::LazyLock;

use voxlint::syntax::Format;
use voxlint::{
    Document, DocumentKind, Facts, Inputs, Severity, Stored, TextFile, check, schema::settings,
    secrets,
};
use voxlint_testing::texts::lines;

use crate::secrets::{ALNUM, BASE64_URL, Dice, HEX};

/// Secrets of known kinds: what may be shown before them, the secret, and what may be shown after them, between bars. In braces is the
/// alphabet and the length of random characters.
pub(crate) static CERTAIN: LazyLock<Vec<&str>> =
    LazyLock::new(|| lines(include_str!("../words/secrets.txt")));

/// The same for kinds that are found and that may be something else.
pub(crate) const LIKELY: [&str; 6] = [
    "Bearer |{a40}|",
    "postgres://agent:|{a16}|@db.example.com/agents",
    "mongodb+srv://agent:|{a16}|@cluster0.example.net/?retryWrites=true",
    "Server=db.example.com;Database=desk;Uid=agent;Pwd=|{a16}|;",
    "DefaultEndpointsProtocol=https;AccountName=desk;AccountKey=|{b86}==|;EndpointSuffix=example.net",
    "Endpoint=sb://desk.example.net/;SharedAccessKeyName=Send;SharedAccessKey=|{b43}=|",
];

/// A password for one app: four words, as a list of words may show them.
const OF_APP: &str = "the app password: |{l4} {l4} {l4} {l4}|";

/// Draws a secret of a kind: what is before it, the secret and what is after it.
pub(crate) fn draw(dice: &mut Dice, template: &str) -> [String; 3] {
    let mut text = String::new();
    for (index, part) in template.split(['{', '}']).enumerate() {
        let length = part.get(1..).and_then(|length| length.parse().ok()).unwrap_or_default();
        match (index % 2, part.as_bytes().first()) {
            (1, Some(b'i')) => {
                let groups = [8, 4, 4, 4, 12].map(|length| dice.draw(HEX, length, length));
                text += &groups.join("-");
            }
            (1, Some(alphabet)) => {
                let alphabet = match alphabet {
                    b'a' => ALNUM,
                    b'b' => BASE64_URL,
                    b'd' => "0123456789",
                    b'h' => HEX,
                    b'l' => "bcdfghjklmnpqrst",
                    _ => "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
                };
                text += &dice.draw(alphabet, length, length);
            }
            _ => text += part,
        }
    }
    let mut parts = text.split('|').map(str::to_owned);
    std::array::from_fn(|_| parts.next().unwrap_or_default())
}

/// The severities of the findings about secrets.
fn found(document: &str, format: Format, kind: DocumentKind) -> Vec<Severity> {
    let document = Document::parse_as(document, format);
    let report = check(&Inputs::new(document).kind(kind));
    assert!(report.diagnostics.iter().all(|it| it.rule.id != "syntax-error"), "{report:#?}");
    let about = ["secret-in-document", "leaked-secret"];
    let found = report.diagnostics.iter().filter(|found| about.contains(&&*found.rule.id));
    found.map(|found| found.severity).collect()
}

/// Documents of all kinds with a text that has no quotes.
fn documents(text: &str) -> Vec<(String, Format, DocumentKind)> {
    let quoted = text.replace('\n', "\\n");
    let escaped: Vec<String> = text.chars().map(|it| format!("\\u{:04x}", it as u32)).collect();
    let escaped = escaped.concat();
    let mut all = Vec::new();
    let mut add = |text: String, format, kind| all.push((text, format, kind));
    for text in [&quoted, &escaped] {
        let json = |before: &str, after: &str| format!("{before}\"see {text}\"{after}");
        let mut json =
            |before: &str, after: &str, kind| add(json(before, after), Format::Json, kind);
        json("{\"version_number\":3,\"prompt_text\":", "}", DocumentKind::Update);
        json(
            "{\"version_number\":3,\"functions\":[{\"name\":\"a\",\"headers\":{\"x\":",
            "}}]}",
            DocumentKind::Settings,
        );
        json("{\"version_number\":3,\"agent_id\":\"a\",\"title\":", "}", DocumentKind::Version);
        json("{\"agent_type\":\"Single_Prompt_Agent\",\"webhook_id\":", "}", DocumentKind::Agent);
        json("{\"version\":{\"version_number\":3,\"prompt_text\":", "}}", DocumentKind::Stored);
        json(
            "{\"statusCode\":400,\"error\":\"Bad Request\",\"message\":",
            "}",
            DocumentKind::Error,
        );
        json("{\"voices\":[", "]}", DocumentKind::Facts);
        json("{\"data\":[{\"id\":\"key_ci\",\"name\":", "}]}", DocumentKind::ApiKeys);
    }
    let line = text.replace('\n', " ");
    for kind in [DocumentKind::Update, DocumentKind::Agent, DocumentKind::Facts] {
        add(format!("version_number: 3 # see {line}\n"), Format::Yaml, kind);
        add(format!("version_number = 3\n# see {line}\n"), Format::Toml, kind);
        add(format!("{{ \"version_number\": 3 /* see {line} */ }}"), Format::Jsonc, kind);
        add(format!("{{ \"title\": \"Desk\" // see {line}\n }}"), Format::Jsonc, kind);
    }
    add(format!("Be kind. {{{{!-- see {text} --}}}}"), Format::Text, DocumentKind::Template);
    add(format!("see {text} in the evening"), Format::Text, DocumentKind::Template);
    add(format!("exclude = ['*.md'] # {line}\n"), Format::Toml, DocumentKind::Configuration);
    all
}

#[test]
fn secrets_of_known_kinds_are_errors_in_every_kind_of_document_and_in_comments() {
    let mut missed = Vec::new();
    for (number, template) in CERTAIN.iter().chain(&LIKELY).chain([&OF_APP]).enumerate() {
        let is_certain = CERTAIN.contains(template);
        for seed in 0..6 {
            let text = draw(&mut Dice(seed * 1000 + number as u64), template).concat();
            for (document, format, kind) in documents(&text) {
                let found = found(&document, format, kind);
                let is_right = match &*found {
                    [severity] => {
                        !is_certain || *severity == Severity::Error || kind == DocumentKind::ApiKeys
                    }
                    _ => false,
                };
                if !is_right {
                    missed.push(format!("{template} {kind}: {found:?} in {document}"));
                }
            }
        }
    }
    let some: Vec<&String> = missed.iter().take(40).collect();
    assert!(missed.is_empty(), "{}: {some:#?}", missed.len());
}

#[test]
fn secrets_are_found_in_stored_configurations_and_text_files_of_a_document() {
    let secret = draw(&mut Dice(7), "|ghp_{a36}|").concat();
    let inputs = Inputs::new(Document::parse("{ \"version_number\": 3 }"));
    let stored = format!("{{ \"version\": {{ \"version_number\": 3, \"title\": \"{secret}\" }} }}");
    let text = Document::parse_as(format!("See {secret}."), Format::Text);
    let with_stored = inputs.clone().stored(Stored::new(Document::parse(stored)));
    let with_text = inputs.texts([TextFile::new(settings::prompt_text.row, text)]);
    for inputs in [with_stored, with_text] {
        let report = check(&inputs);
        let about = report.diagnostics.iter().filter(|it| it.rule.id == "secret-in-document");
        assert_eq!(about.count(), 1, "{:#?}", report.diagnostics);
    }
}

#[test]
fn no_harmless_value_is_a_secret() {
    let values: Vec<&str> = include_str!("harmless_values.txt").lines().collect();
    assert!(values.len() >= 500, "{}", values.len());
    let mut wrong = Vec::new();
    for value in &values {
        let quoted = serde_json::to_string(value).unwrap();
        for text in [
            format!("{{ \"version_number\": 3, \"prompt_text\": {quoted} }}"),
            format!(
                "{{ \"version_number\": 3, \"prompt_text\": \"See {}!\" }}",
                &quoted[1..quoted.len() - 1]
            ),
            format!("{{ \"version_number\": 3, \"voice_id\": {quoted} }}"),
        ] {
            wrong.extend(
                (!found(&text, Format::Json, DocumentKind::Update).is_empty()).then_some(text),
            );
        }
        let comment = format!("version_number: 3\n# {value}\n");
        wrong.extend(
            (!found(&comment, Format::Yaml, DocumentKind::Update).is_empty()).then_some(comment),
        );
        let facts = Document::parse(format!("{{ \"voices\": [{quoted}] }}"));
        let is_found = !secrets::findings(Facts::new(facts).document(), DocumentKind::Facts)
            .diagnostics
            .is_empty();
        wrong.extend(is_found.then(|| (*value).to_owned()));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
