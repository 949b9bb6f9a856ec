//! Known kinds of secrets are found in every text, and harmless values are not.

use voxlint::syntax::Format;
use voxlint::{
    Document, DocumentKind, Facts, Inputs, Severity, Stored, TextFile, check, schema::settings,
    secrets,
};

use crate::secrets::{ALNUM, BASE64_URL, Dice, HEX};

/// Secrets of known kinds: what may be shown before them, the secret, and what may be shown after them, between bars. In braces is the
/// alphabet and the length of random characters.
pub(crate) const CERTAIN: [&str; 70] = [
    "|sk-proj-{a48}|",
    "|sk-ant-api03-{b93}AA|",
    "|sk_live_{a24}|",
    "|rk_live_{a24}|",
    "|whsec_{a32}|",
    "|ghp_{a36}|",
    "|gho_{a36}|",
    "|github_pat_{a22}_{a59}|",
    "|glpat-{b20}|",
    "|gldt-{b20}|",
    "|xoxb-{d12}-{d12}-{a24}|",
    "|xoxp-{d12}-{d12}-{d12}-{h32}|",
    "|xapp-1-A{u10}-{d13}-{h64}|",
    "https://hooks.slack.com/services/|T{u8}/B{u10}/{a24}|",
    "https://discord.com/api/webhooks/|{d18}/{b68}|",
    "https://front.webhook.office.com/webhookb2/|{i}@{i}/IncomingWebhook/{h32}/{i}|",
    "|M{a25}.{b6}.{b38}|",
    "{d10}:|AA{b33}|",
    "|AKIA{u16}|",
    "|AIza{b35}|",
    "|ya29.{b100}|",
    "|GOCSPX-{b28}|",
    "|1//0g{b60}|",
    "|dapi{h32}|",
    "|hvs.{a90}|",
    "|hf_{a34}|",
    "|gsk_{a52}|",
    "|xai-{a80}|",
    "|r8_{a37}|",
    "|pplx-{a48}|",
    "|npm_{a36}|",
    "|pypi-AgEI{b80}|",
    "|rubygems_{h48}|",
    "|dckr_pat_{b27}|",
    "|shpat_{h32}|",
    "|sq0atp-{b22}|",
    "|rzp_live_{a14}|",
    "|dop_v1_{h64}|",
    "|HRKU-{i}|",
    "|nfp_{a36}|",
    "|SG.{b22}.{b43}|",
    "|key-{h32}|",
    "|xkeysib-{h64}-{a16}|",
    "|re_{a8}_{a24}|",
    "|SK{h32}|",
    "|KEY0{h31}_{a22}|",
    "|lin_api_{a40}|",
    "|ntn_{d11}{a35}|",
    "|sbp_{h40}|",
    "|pscale_tkn_{a43}|",
    "|ATATT3xFf{b180}|",
    "|pat{a14}.{h64}|",
    "|figd_{b40}|",
    "|PMAK-{h24}-{h34}|",
    "|dp.pt.{a43}|",
    "|pat-na1-{i}|",
    "|EAA{a150}|",
    "|NRAK-{u27}|",
    "|glsa_{a32}_{h8}|",
    "|sntrys_{a80}_{a43}|",
    "|tskey-auth-{a16}-{a32}|",
    "|{h32}-us12|",
    "|{a14}.atlasv1.{b67}|",
    "|{a3}8Q~{b34}|",
    "|{a3}8Q~{b9}~{b23}|.",
    "|{a76}+ASt{a6}==|",
    "|/{a30}/{a44}ACDb{a6}==|",
    "|eyJ{b30}.eyJ{b40}.{b43}|",
    "-----BEGIN PRIVATE KEY-----\n|{a64}\n{a64}|\n-----END PRIVATE KEY-----",
    "-----BEGIN PGP PRIVATE KEY BLOCK-----\n|{a64}\n{a64}|\n-----END PGP PRIVATE KEY BLOCK-----",
];

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
