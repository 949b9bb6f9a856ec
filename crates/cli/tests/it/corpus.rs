//! Generated documents with planted faults: clean ones have no findings, and every fault is found where it was planted.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};

use crate::process::scratch;
use voxlint::{Diagnostic, Document, DocumentKind, Inputs, Source, VerdictKind, check};
use voxlint_testing::{repository, shared};

/// A fault that a document alone shows: its name, the rule that finds it, and where. A pointer that ends in `/` is the
/// beginning of the place.
const FAULTS: [(&str, &str, &str); 44] = [
    ("destinations_too_many", "too-many-transfer-destinations", DESTINATIONS),
    ("destinations_format", "transfer-destination-malformed", DESTINATIONS),
    ("keywords_charset", "boosted-keyword-character", "/boosted_keywords"),
    ("keywords_term_length", "boosted-keyword-too-long", "/boosted_keywords"),
    ("keywords_count", "too-many-boosted-keywords", "/boosted_keywords"),
    ("version_number_missing", "missing-field", "/version_number"),
    ("version_number_type", "wrong-type", "/version_number"),
    ("title_too_long", "text-too-long", "/title"),
    ("version_title_too_long", "text-too-long", "/version_title"),
    ("pipeline_enum", "unknown-value", "/pipeline_type"),
    ("start_type_enum", "unknown-value", "/conversation_start_type"),
    ("transcription_enum", "unknown-value", "/transcription_mode"),
    ("denoise_enum", "unknown-value", "/denoising_mode"),
    ("kb_chunks_range", "out-of-range", "/kb_max_chunks"),
    ("kb_score_range", "out-of-range", "/kb_min_score"),
    ("volume_range", "out-of-range", "/background_sound_volume"),
    ("responsiveness_range", "out-of-range", "/responsiveness"),
    ("sensitivity_range", "out-of-range", "/interruption_sensitivity"),
    ("silence_range", "out-of-range", "/end_call_on_silence_sec"),
    ("silence_vs_reminder", "silence-not-after-reminder", "/end_call_on_silence_sec"),
    ("duration_range", "out-of-range", "/max_call_duration_sec"),
    ("duration_s2s", "duration-over-pipeline-cap", "/max_call_duration_sec"),
    ("bool_as_string", "wrong-type", "/allow_interruptions"),
    ("number_as_string", "wrong-type", "/llm_temperature"),
    ("wait_negative", "out-of-range", "/stt_fallback_wait_ms"),
    ("fallback_stt_missing", "fallback-transcriber-missing", "/stt_fallback_transcriber_id"),
    ("fallback_stt_same", "fallback-transcriber-same", "/stt_fallback_transcriber_id"),
    ("template_unclosed_block", "template-syntax-error", "/prompt_text"),
    ("template_unclosed_tag", "template-syntax-error", "/welcome_message"),
    ("template_stray_close", "template-syntax-error", "/prompt_text"),
    ("template_in_system_prompt", "variable-in-system-prompt", "/system_prompt_text"),
    ("unknown_key", "unknown-field", "/promt_text"),
    ("unknown_key_case", "unknown-field", "/voiceId"),
    ("both_analysis_names", "analysis-given-twice", "/postcall_analysis"),
    ("analysis_type_enum", "unknown-value", "/post_call_analysis/0/field_type"),
    ("analysis_missing_name", "missing-field", "/post_call_analysis/"),
    ("function_type_enum", "unknown-value", "/agent_functions/0/type"),
    ("function_missing_config", "missing-field", "/agent_functions/"),
    ("functions_not_array", "wrong-type", "/agent_functions"),
    ("null_not_allowed", "null-not-allowed", "/prompt_caching_enabled"),
    ("published_with_edits", "phone-number-without-publish", "/inbound_phone_number_id"),
    ("syntax_trailing_comma", "syntax-error", ""),
    ("syntax_truncated", "syntax-error", ""),
    ("duplicate_key", "duplicate-key", "/title"),
];

/// Faults whose rules are still to come: variables that nothing sets. (`published_with_edits` leaves the state of the version
/// open, and is found by the number that no publishing goes with.)
const TO_COME: [&str; 1] = ["template_unknown_variable"];

const DESTINATIONS: &str = "/default_dynamic_variables/agent_transfer_destinations";

/// Faults that change the same value: where a document has two of them, only one can be seen, and a block that is never closed
/// is none where a stray close follows it.
const SAME_VALUE: [&[&str]; 9] = [
    &["destinations_too_many", "destinations_format"],
    &["keywords_charset", "keywords_term_length", "keywords_count"],
    &["version_number_missing", "version_number_type"],
    &["title_too_long", "duplicate_key"],
    &["silence_range", "silence_vs_reminder"],
    &["duration_range", "duration_s2s", "pipeline_enum"],
    &["fallback_stt_missing", "fallback_stt_same"],
    &["template_unclosed_block", "template_stray_close", "unknown_key"],
    &["function_type_enum", "function_missing_config", "functions_not_array"],
];

#[test]
fn every_planted_fault_is_found_where_it_was_planted() {
    let generator = repository().join("../shared/tools/corpus/gen.py");
    let has_python = Command::new("python3")
        .arg("--version")
        .stdout(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    let Some(source) = shared("tools/corpus/gen.py") else { return };
    if !has_python {
        voxlint_testing::skip("no python3");
        return;
    }
    assert_every_fault_is_known(&source);

    let documents = std::env::var("VOXLINT_DOCUMENTS")
        .unwrap_or_else(|_| voxlint_testing::cases(150, 400).to_string());
    let mut tally = Tally::default();
    for seed in ["1", "2"] {
        let folder = scratch().join(format!("corpus-{seed}"));
        let _ = fs::remove_dir_all(&folder);
        let status = Command::new("python3")
            .arg(&generator)
            .args(["--count", &documents, "--seed", seed, "--out-dir"])
            .arg(&folder)
            .arg("--truth")
            .arg(folder.with_extension("tsv"))
            .stderr(Stdio::null())
            .status()
            .unwrap();
        assert!(status.success());
        let truth = fs::read_to_string(folder.with_extension("tsv")).unwrap();
        for line in truth.lines() {
            let (path, planted) = line.split_once('\t').unwrap();
            let planted: Vec<&str> = planted.split(',').filter(|fault| *fault != "-").collect();
            tally.check(
                &format!("{seed}: {path}"),
                &fs::read(folder.join(path)).unwrap(),
                &planted,
            );
        }
        fs::remove_dir_all(&folder).unwrap();
    }
    println!("{tally:#?}");
    assert!(tally.wrong.is_empty(), "{:#?}", tally.wrong);
}

/// What became of the documents and of the faults in them.
#[derive(Debug, Default)]
struct Tally {
    clean: usize,
    found: BTreeMap<String, usize>,
    hidden: BTreeMap<String, usize>,
    to_come: BTreeMap<String, usize>,
    wrong: Vec<String>,
}

impl Tally {
    fn check(&mut self, path: &str, bytes: &[u8], planted: &[&str]) {
        let document = Document::parse(Source::from_bytes(bytes));
        if document.recognise() != Some(DocumentKind::Update) {
            self.wrong.push(format!("{path}: not recognised"));
        }
        let report = check(&Inputs::new(document));
        if planted.is_empty() {
            self.clean += 1;
            let loud = report.diagnostics.iter().filter(|found| is_loud(found));
            self.wrong.extend(
                loud.map(|found| {
                    format!("{path}: clean, and {} at {}", found.rule.id, found.field)
                }),
            );
            return;
        }
        for fault in planted {
            let Some((_, rule, place)) = FAULTS.iter().find(|(name, ..)| name == fault) else {
                *self.to_come.entry((*fault).to_owned()).or_default() += 1;
                continue;
            };
            let is_there =
                |found: &Diagnostic| found.rule.id == *rule && is_at(&found.field, place);
            let count = if report.diagnostics.iter().any(is_there) {
                &mut self.found
            } else if is_hidden(fault, planted) {
                &mut self.hidden
            } else {
                self.wrong.push(format!("{path}: {fault} of {planted:?} is not found"));
                continue;
            };
            *count.entry((*fault).to_owned()).or_default() += 1;
        }
    }
}

fn is_loud(found: &Diagnostic) -> bool {
    found.verdict != VerdictKind::Advice
}

fn is_at(field: &str, place: &str) -> bool {
    field == place || (place.ends_with('/') && field.starts_with(place))
}

/// Whether another fault of the document takes away what this one changed, or cuts it off.
fn is_hidden(fault: &str, planted: &[&str]) -> bool {
    planted.contains(&"syntax_truncated")
        || SAME_VALUE.iter().any(|faults| {
            faults.contains(&fault)
                && planted.iter().any(|other| *other != fault && faults.contains(other))
        })
}

fn assert_every_fault_is_known(generator: &str) {
    let table = generator.split("\nFAULTS = {").nth(1).unwrap().split("\n}").next().unwrap();
    let mut names: Vec<&str> = table
        .lines()
        .filter_map(|line| line.strip_prefix("    \"")?.split_once("\": "))
        .map(|(name, _)| name)
        .chain(["syntax_trailing_comma", "syntax_truncated", "duplicate_key"])
        .collect();
    let mut known: Vec<&str> = FAULTS.iter().map(|(name, ..)| *name).chain(TO_COME).collect();
    names.sort_unstable();
    known.sort_unstable();
    assert_eq!(known, names);
}
