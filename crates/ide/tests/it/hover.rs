use voxlint::syntax::Format;
use voxlint_ide::{File, hover, hover_configuration};

use crate::support::{inputs, unmarked};

const PLACES: &[(Format, &str)] = &[
    (Format::Json, "{ \"version_number\": 7, \"kb_max‸_chunks\": 8 }"),
    (
        Format::Json,
        "{ \"version_number\": 7, \"title\": \"Front desk\", \"prompt_t‸ext\": \"Be brief.\" }",
    ),
    (Format::Json, "{ \"version_number\": 7, \"ti‸tle\": \"Front desk\" }"),
    (Format::Json, "{ \"version_number\": 7, \"stt_fallback_wait‸_ms\": "),
    (Format::Yaml, "version_number: 7\nprompt_text: |\n  Ask {{customer_‸name}}.\n"),
    (Format::Yaml, "version_number: 7\nprompt_text: |\n  {{#i‸f vip}}a{{/if}}\n"),
    (Format::Yaml, "version_number: 7\nprompt_text: |\n  {{#if clinic_n‸ame}}a{{/if}}\n"),
    (Format::Yaml, "version_number: 7\nprompt_text: |\n  {{#if clinic_n‸ame\n"),
    (Format::Yaml, "version_number: 7\ndefault_dynamic_variables:\n  clinic_na‸me: South\n"),
    (Format::Yaml, "kb_max_chunks: 12 # voxlint-ignore out-of-‸range: raised for us\n"),
    (Format::Yaml, "version_number: 7\nllm_id: llm_sm‸all\n"),
    (Format::Yaml, "version_number: 7\nllm_id: llm_ot‸her\n"),
    (Format::Yaml, "version_number: 7\nvoice_id: vo_ar‸ia\n"),
    (Format::Yaml, "version_number: 7\nstt_fallback_transcriber_id: tr_no‸va\n"),
    (Format::Toml, "version_number = 7\ntimezone = \"Asia/Kol‸kata\"\n"),
    (Format::Toml, "version_number = 7\ntimezone = \"America/New_‸York\"\n"),
    (
        Format::Toml,
        "version_number = 7\n[default_dynamic_variables]\nagent_transfer_destinations = \"+12025550100|+9198765‸43210\"\n",
    ),
    (Format::Toml, "version_number = 7\n[[post_call‸_analysis]]\nfield_type = \"NUMBER\"\n"),
    (Format::Toml, "version_number = 7\n[[post_call_analysis]]\nfield_‸type = \"NUMBER\"\n"),
    (Format::Toml, "version_number = 7\nunheard‸_of = 1\n"),
    (Format::Jsonc, "{ // voxlint-ignore unknown-‸field: ours\n \"x\": 1 }"),
];

#[test]
fn hovers_say_what_is_there() {
    let mut shown = Vec::new();
    for (format, marked) in PLACES {
        let (text, offset) = unmarked(marked);
        let inputs = inputs(&text, *format);
        let found = hover(File::new(&inputs), offset);
        let body = found.map_or_else(
            || "nothing".to_owned(),
            |found| format!("[{}]\n{}", found.span.slice(&text), found.markdown.trim_end()),
        );
        shown.push(format!("=== {}\n{body}\n\n", marked.replace('\n', "⏎")));
    }
    voxlint_testing::assert_snapshot("ide", "hovers", &shown.concat());
}

const CONFIGURATION: &[&str] = &[
    "vari‸ables = []\n",
    "[rul‸es]\n",
    "[rules]\nunknown-f‸ield = \"off\"\n",
    "[rules]\nsty‸le = \"info\"\n",
    "[[suppressions]]\nrules = [\"out-of-r‸ange\"]\n",
    "[[documents]]\nagent_ty‸pe = \"x\"\n",
    "[rules.unknown-fie‸ld]\nallow = []\n",
];

#[test]
fn hovers_of_the_configuration_say_what_is_there() {
    let mut shown = Vec::new();
    for marked in CONFIGURATION {
        let (text, offset) = unmarked(marked);
        let found = hover_configuration(&text, offset).expect(marked);
        let word = found.span.slice(&text);
        let body = found.markdown.trim_end();
        shown.push(format!("=== {}\n[{word}]\n{body}\n\n", marked.replace('\n', "⏎")));
    }
    voxlint_testing::assert_snapshot("ide", "hovers-configuration", &shown.concat());
}
