//! Predictions against an independent model of the service.
//!
//! The model knows the complete stored configuration, the whole workspace and one reading of each ambiguous passage of the description,
//! and answers an update with one status. A prediction knows only a part of that. Whatever the rest is, its statuses must
//! include the one of the model.

#![allow(clippy::struct_excessive_bools, reason = "the texts of a test are small")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use voxlint::readings::{Reading, SetReading};
use voxlint::{Document, DocumentKind, Facts, Faults as _, Inputs, Prediction, Stored, predict};
use voxlint_testing::cases;
use voxlint_testing::generated_inputs::Random;

/// How often the unknown part of a case is completed, each time with other readings.
const COMPLETIONS: usize = 6;

/// Values in JSON by the names of their fields.
type Fields = BTreeMap<&'static str, String>;

/// The values that the service may have stored.
const STORED: &[(&str, &[&str])] = &[
    ("title", &["\"Desk\"", LONG_TITLE]),
    ("pipeline_type", &["\"Cascaded\"", "\"Cascaded\"", "\"Speech_To_Speech\""]),
    ("fallback_stt_enabled", &["true", "false"]),
    ("transcriber_id", &["\"tr_a\"", "\"tr_b\"", "\"tr_gone\""]),
    ("stt_fallback_transcriber_id", &["\"tr_a\"", "\"tr_b\"", "\"tr_c\"", "\"\""]),
    ("voice_id", &["\"vo_a\"", "\"vo_b\"", "\"vo_gone\""]),
    ("voice_model_id", &["\"mo_a\"", "\"mo_a2\"", "\"mo_b\"", "\"mo_gone\"", "\"\""]),
    ("end_call_on_silence_sec", &["15", "20", "20.1", "30", "14", "31"]),
    ("reminder_message_interval", &["9.9", "10", "15", "15.1", "24", "25", "0", "-1"]),
    ("reminder_message_frequency", &["0", "2"]),
    ("max_call_duration_sec", &["60", "3600", "4000", "5400", "59", "5401"]),
    ("agent_identity", &["\"You are the front desk.\"", "\"\""]),
    ("agent_background", &["\"Forty rooms.\""]),
    ("outbound_phone_number_id", &["\"pn_a\"", "\"pn_b\"", "\"\""]),
    ("llm_id", &["\"llm_a\"", "\"llm_gone\""]),
    ("prompt_text", &["\"Hi {{name}}\"", "\"Hi {{name}}\"", "\"{{#if a}}\""]),
    ("boosted_keywords", &["\"alpha, beta\"", "\"\"", "\"café\"", "\"a\\tb\"", "\"co-op\""]),
    (
        "default_dynamic_variables",
        &[
            "{}",
            "{\"agent_transfer_destinations\": \"+14155552671\"}",
            "{\"agent_transfer_destinations\": \"+14155552671|\"}",
            "{\"agent_transfer_destinations\": \"\"}",
            "{\"agent_transfer_destinations\": \"+441\"}",
            "{\"agent_transfer_destinations\": 7}",
        ],
    ),
    ("kb_max_chunks", &["1", "10", "11", "2.5"]),
    ("responsiveness", &["1", "3"]),
];

/// The values that an update may contain.
const WRITTEN: &[(&str, &[&str])] = &[
    ("title", &["\"Desk\"", LONG_TITLE, "null", "7"]),
    ("is_published", &["true", "true", "true", "false", "\"true\""]),
    ("update_deployment", &["true", "false"]),
    ("pipeline_type", &["\"Cascaded\"", "\"Speech_To_Speech\"", "\"cascaded\"", "null"]),
    ("fallback_stt_enabled", &["true", "false", "1"]),
    ("transcriber_id", &["\"tr_a\"", "\"tr_b\"", "\"tr_gone\"", "null", "\"\""]),
    ("stt_fallback_transcriber_id", &["\"tr_a\"", "\"tr_b\"", "\"tr_c\"", "\"\"", "null", "7"]),
    ("voice_id", &["\"vo_a\"", "\"vo_b\"", "\"vo_gone\"", "\"\"", "null"]),
    ("voice_model_id", &["\"mo_a\"", "\"mo_a2\"", "\"mo_b\"", "\"mo_gone\"", "\"\"", "7"]),
    (
        "end_call_on_silence_sec",
        &["15", "20", "20.1", "15.3", "30", "20.00000000000000000001", "14", "\"20\""],
    ),
    ("reminder_message_interval", &["10", "10.3", "15", "15.1", "24", "25", "0", "-1", "null"]),
    ("reminder_message_frequency", &["0", "2", "-1"]),
    ("max_call_duration_sec", &["60", "3600", "3601", "5400", "59", "5401", "\"60\""]),
    ("agent_identity", &["\"You are the front desk.\"", "\"\"", "null"]),
    ("agent_background", &["\"Forty rooms.\"", "\"\"", "7"]),
    ("inbound_phone_number_id", &["\"pn_a\"", "\"pn_gone\"", "\"\"", "null"]),
    ("outbound_phone_number_id", &["\"pn_a\"", "\"pn_b\"", "\"pn_gone\"", "\"\"", "7"]),
    ("llm_id", &["\"llm_a\"", "\"llm_gone\"", "\"\""]),
    ("knowledge_base_ids", &["[]", "[\"kb_a\"]", "[\"kb_a\", \"kb_gone\"]", "\"kb_a\""]),
    ("prompt_text", &["\"Hi {{name}}\"", "\"Hi\"", "\"{{#if a}}\""]),
    ("boosted_keywords", &["\"alpha, beta\"", "\"\"", "\"café\"", "\"a\\tb\"", "\"co-op\"", "[]"]),
    (
        "default_dynamic_variables",
        &[
            "{}",
            "{\"name\": \"Ann\"}",
            "{\"agent_transfer_destinations\": \"+14155552671\"}",
            "{\"agent_transfer_destinations\": \"+14155552671|\"}",
            "{\"agent_transfer_destinations\": null}",
            "{\"agent_transfer_destinations\": \"+441\"}",
            "{\"agent_transfer_destinations\": 7}",
        ],
    ),
    ("prompt_caching_enabled", &["true", "false", "null"]),
    ("kb_max_chunks", &["1", "10", "11", "0", "2.5"]),
    ("responsiveness", &["1", "3", "6"]),
    ("timezone", &["\"Europe/Berlin\"", "\"IST\""]),
    ("foo", &["1"]),
    ("agent_type", &["\"Conversational_Flow_Agent\""]),
    ("agent_functions", &["[]", "[{}]", "[7]"]),
];

/// 71 letters.
const LONG_TITLE: &str =
    "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"";

/// The settings that a summary also has, besides `is_published`.
const SUMMARY: [&str; 6] = [
    "title",
    "voice_id",
    "llm_id",
    "transcriber_id",
    "fallback_stt_enabled",
    "stt_fallback_transcriber_id",
];

const NULLABLE: [&str; 2] = ["transcriber_id", "stt_fallback_transcriber_id"];

/// The values of each fact, in JSON.
const FACTS: &[(&str, &[&str])] = &[
    ("agents", &["[\"ag_a\"]", "[\"ag_a\"]", "[\"ag_a\"]", "[\"ag_b\"]"]),
    (
        "voices",
        &[
            "{\"vo_a\": {\"provider\": \"p\", \"models\": [\"mo_a\"]}, \"vo_a2\": {\"provider\": \"p\", \"models\": [\"mo_a2\"]}, \"vo_b\": {\"provider\": \"q\", \"models\": [\"mo_b\"]}}",
        ],
    ),
    ("transcribers", &["{\"tr_a\": {\"provider\": \"p\"}, \"tr_b\": {\"provider\": \"q\"}}"]),
    ("boosted_keyword_providers", &["[\"p\"]"]),
    ("fallback_transcribers", &["[\"tr_b\"]", "[\"tr_a\", \"tr_b\"]"]),
    ("llms", &["[\"llm_a\"]"]),
    ("knowledge_bases", &["[\"kb_a\"]"]),
    ("phone_numbers", &["[\"pn_a\", \"pn_b\"]"]),
    ("features", &["{\"prompt_caching\": true}", "{\"prompt_caching\": false}"]),
    (
        "campaigns",
        &["", "running", "draft", "completed", "RUNNING", "Draft", "archived", "other", "unnamed"],
    ),
    ("workflows", &["", "active", "active", "Active", "paused", "stopped", "other"]),
];

/// The complete stored configuration and all facts.
#[derive(Clone, Debug)]
struct World {
    /// Whether the agent has the version that the update names.
    has_version: bool,
    is_published: bool,
    is_flow: bool,
    /// The settings of the version. Missing ones are not set.
    stored: Fields,
    facts: BTreeMap<&'static str, &'static str>,
}

impl World {
    fn any(random: &mut Random) -> Self {
        let mut stored = Fields::new();
        let density = random.pick(&[0, 10, 30, 50]);
        // Most worlds have few mistakes, because predictions about others are rarely certain.
        let soundness = random.pick(&[40, 80, 97]);
        for (name, values) in STORED {
            if random.percent(density) {
                // The first value is valid.
                let is_good = random.percent(soundness);
                let value = if is_good { values[0] } else { random.pick(values) };
                stored.insert(name, value.to_owned());
            }
        }
        Self {
            has_version: random.percent(92),
            is_published: random.percent(10),
            is_flow: random.percent(25),
            stored,
            facts: FACTS
                .iter()
                .map(|(name, values)| {
                    let is_good = random.percent(soundness);
                    (*name, if is_good { values[0] } else { random.pick(values) })
                })
                .collect(),
        }
    }

    /// This world where it is known, and another one for the rest.
    fn completed(&self, known: &Known, other: &Self) -> Self {
        let mut world = other.clone();
        if known.existence {
            world.has_version = self.has_version;
        }
        if known.is_published {
            world.is_published = self.is_published;
        }
        if known.agent_type {
            world.is_flow = self.is_flow;
        }
        for name in &known.rows {
            match self.stored.get(name) {
                Some(value) => world.stored.insert(name, value.clone()),
                None => world.stored.remove(name),
            };
        }
        for name in &known.facts {
            world.facts.insert(name, self.facts[name]);
        }
        world
    }
}

/// The certain part of the knowledge about a world.
#[derive(Debug, Default)]
struct Known {
    existence: bool,
    is_published: bool,
    agent_type: bool,
    rows: BTreeSet<&'static str>,
    facts: BTreeSet<&'static str>,
}

/// The stored configuration and facts that are given, and the knowledge that follows from them.
#[derive(Debug)]
struct Told {
    stored: String,
    facts: String,
    agent_id: bool,
    known: Known,
}

impl Told {
    #[allow(clippy::too_many_lines, reason = "one kind of knowledge after the other")]
    /// Gives a part of a world. A stale value that nothing contradicts becomes the true one.
    fn of(world: &mut World, number: &str, random: &mut Random) -> Self {
        let mut known = Known::default();
        let mut stored = Fields::new();
        let exists = world.facts["agents"].contains("ag_a");
        let much = random.pick(&[0, 50, 100, 100, 100]);
        let mut told =
            |chance: usize| random.percent(if much == 100 { 100 } else { chance * much / 50 });

        let tells_version = world.has_version && told(70);
        let is_complete = tells_version && told(50);
        let tells_agent = exists && told(70);
        if tells_agent {
            known.facts.insert("agents");
        }
        let mut version = Fields::new();
        let mut said: BTreeSet<&'static str> = BTreeSet::new();
        if tells_version {
            version.insert("version_number", number.to_owned());
            if told(80) {
                version.insert("is_published", world.is_published.to_string());
                said.insert("is_published");
            }
            for (name, _) in STORED {
                let value = world.stored.get(name);
                let says = match value {
                    Some(_) => is_complete || told(60),
                    None => !is_complete && told(30),
                };
                if says {
                    let value = value.cloned().unwrap_or_else(|| "null".to_owned());
                    version.insert(name, value);
                }
                if says || is_complete {
                    known.rows.insert(name);
                }
            }
        }
        let mut agent = Fields::new();
        let mut places: Vec<Fields> = Vec::new();
        if tells_agent {
            agent.insert("id", "\"ag_a\"".to_owned());
            if told(80) {
                let name =
                    if world.is_flow { "Conversational_Flow_Agent" } else { "Single_Prompt_Agent" };
                agent.insert("agent_type", format!("\"{name}\""));
                known.agent_type = true;
            }
            if told(40) {
                let pipeline = world.stored.get("pipeline_type").cloned();
                agent.insert("pipeline_type", pipeline.unwrap_or_else(|| "null".to_owned()));
                known.rows.insert("pipeline_type");
            }
            for _ in 0..2 {
                let mut summary = Fields::from([("version_number", number.to_owned())]);
                if told(60) {
                    summary.insert("is_published", world.is_published.to_string());
                }
                for name in SUMMARY {
                    if told(40) {
                        let value = world.stored.get(name).cloned();
                        summary.insert(name, value.unwrap_or_else(|| "null".to_owned()));
                    }
                }
                places.push(summary);
            }
        }
        let tells_list = tells_agent && told(70);
        let tells_current = tells_agent && world.has_version && told(30);
        // One of the values may be stale.
        let is_stale = random.percent(10);
        if is_stale
            && let Some(name) = places.first().and_then(|it| {
                let names: Vec<_> =
                    it.keys().copied().filter(|name| *name != "version_number").collect();
                (!names.is_empty()).then(|| random.pick(&names))
            })
        {
            let value = match name {
                "is_published" => (!world.is_published).to_string(),
                "fallback_stt_enabled" => random.pick(&["true", "false"]).to_owned(),
                name => {
                    let values = STORED.iter().find(|(row, _)| *row == name).unwrap().1;
                    random.pick(values).to_owned()
                }
            };
            places[0].insert(name, value);
        }
        let mut used: Vec<&Fields> = Vec::new();
        if tells_list && world.has_version {
            used.push(&places[0]);
        }
        if tells_current {
            used.push(&places[1]);
        }
        let mut existence = tells_version || tells_list || tells_current;
        if tells_list {
            let mut list = vec!["{\"version_number\": 2, \"is_published\": true}".to_owned()];
            // The list may be older than the rest.
            let lags = tells_version && random.percent(5);
            if world.has_version && !lags {
                list.push(object(&places[0]));
            }
            if lags {
                used.retain(|place| !std::ptr::eq(*place, &raw const places[0]));
                existence = false;
            }
            agent.insert("versions", format!("[{}]", list.join(", ")));
        }
        if tells_current {
            let mut current = places[1].clone();
            if random.percent(30) {
                agent.insert("current_version_number", current.remove("version_number").unwrap());
            }
            agent.insert("current_version", object(&current));
        }
        known.existence = existence;
        // A value is known if all places that give it agree.
        for name in SUMMARY.into_iter().chain(["is_published"]) {
            let of_version = tells_version.then(|| version.get(name)).flatten();
            let values: BTreeSet<&String> = of_version
                .into_iter()
                .chain(used.iter().filter_map(|place| place.get(name)))
                .collect();
            let is_known = values.len() == 1;
            if name == "is_published" {
                known.is_published = is_known;
                if let [value] = values.iter().collect::<Vec<_>>()[..] {
                    world.is_published = *value == "true";
                }
            } else if let [value] = values.iter().collect::<Vec<_>>()[..] {
                known.rows.insert(name);
                if *value == "null" {
                    world.stored.remove(name);
                } else {
                    world.stored.insert(name, (*value).clone());
                }
            } else if values.len() > 1 {
                known.rows.remove(name);
            }
        }
        if tells_version {
            stored.insert("version", object(&version));
            stored.insert("complete", is_complete.to_string());
        }
        if tells_agent {
            stored.insert("agent", object(&agent));
        }

        let mut facts = Fields::new();
        for (name, _) in FACTS {
            if random.percent(if much == 100 { 97 } else { 60 }) {
                facts.insert(name, fact(name, world.facts[name]));
                known.facts.insert(name);
            }
        }
        let text =
            |members: &Fields| if members.is_empty() { String::new() } else { object(members) };
        Self { stored: text(&stored), facts: text(&facts), agent_id: random.percent(50), known }
    }
}

/// A fact as JSON.
fn fact(name: &str, value: &str) -> String {
    match (name, value) {
        ("campaigns" | "workflows", "") => "[]".to_owned(),
        ("campaigns", "other") => {
            "[{\"id\": \"c\", \"agent_id\": \"ag_b\", \"state\": \"running\"}]".to_owned()
        }
        ("campaigns", "unnamed") => "[{\"id\": \"c\", \"state\": \"waiting\"}]".to_owned(),
        ("campaigns", state) => {
            format!("[{{\"id\": \"c\", \"agent_id\": \"ag_a\", \"state\": \"{state}\"}}]")
        }
        ("workflows", "other") => {
            "[{\"id\": \"w\", \"state\": \"active\", \"outbound_phone_number_ids\": [\"pn_z\"]}]"
                .to_owned()
        }
        ("workflows", state) => format!(
            "[{{\"id\": \"w\", \"state\": \"{state}\", \"outbound_phone_number_ids\": [\"pn_a\"]}}]"
        ),
        (_, value) => value.to_owned(),
    }
}

fn object(members: &Fields) -> String {
    let mut text = String::from("{");
    for (name, value) in members {
        let comma = if text.len() > 1 { ", " } else { "" };
        let _ = write!(text, "{comma}\"{name}\": {value}");
    }
    text + "}"
}

/// One reading of each ambiguous passage. The numbers are those of the audit of the description.
#[derive(Debug)]
pub(crate) struct Readings {
    /// A01: the narrower range of `responsiveness` counts.
    narrow_responsiveness: bool,
    /// A04: a flow agent's fields are required although they are stored.
    required_though_stored: bool,
    /// A04: a minimal publish is exempt.
    minimal_publish_is_exempt: bool,
    /// A04, A32: an empty identity counts as missing.
    empty_is_missing: bool,
    /// A05: a frequency of 0 or less means that no reminder is configured.
    frequency_counts: bool,
    /// A06: how the difference is calculated.
    arithmetic: Arithmetic,
    /// A08: only ASCII letters count.
    ascii_only: bool,
    /// A09: only U+0020 is a space.
    one_space_only: bool,
    /// A12: an empty destination is rejected.
    empty_destination_rejected: bool,
    /// A12: null destinations are rejected.
    null_destinations_rejected: bool,
    /// A13: the variables are merged with the stored ones.
    merges: bool,
    /// A18: a fraction of a count is rejected.
    whole_counts_only: bool,
    /// A38: an agent without `pipeline_type` has the lower limit and no keywords.
    default_is_speech_to_speech: bool,
    /// A19, N005: a flow agent's pipeline counts.
    flow_has_pipeline: bool,
    /// A21: equal ids are rejected although fallback is off.
    differ_always: bool,
    /// A24: the list counts although fallback is off.
    list_always: bool,
    /// A25: `update_deployment` permits edits of a published version.
    deployment_permits: bool,
    /// A26: publishing again is rejected.
    again_rejected: bool,
    /// A29, A30: members that the table does not have are rejected.
    extra_rejected: bool,
    /// A31: a function without its members is rejected.
    functions_need_members: bool,
    /// A32: empty ids are rejected.
    empty_id_rejected: bool,
    /// A33: the outbound rule holds without publishing.
    outbound_without_publishing: bool,
    /// A35: phone numbers are looked up without publishing.
    phones_without_publishing: bool,
    /// A35, A36: the status of an id that is not found.
    not_found: u16,
    /// A36: ids are looked up.
    looks_up: bool,
    /// A37: false counts as setting prompt caching.
    false_sets_caching: bool,
    /// A38: the default end of a call, if there is one.
    default_silence: Option<&'static str>,
    /// A38: the voice of an agent that sets none goes with any model.
    default_voice_fits: bool,
    /// A38: the transcriber of an agent that sets none supports keywords.
    default_transcriber_supports: bool,
    /// A39: limits outside 4.1 rule 6 are checked again.
    checks_all_limits: bool,
    /// A44: time zones are checked.
    checks_time_zones: bool,
    /// A54: keywords are rejected where nothing supports them.
    keywords_rejected: bool,
    /// T2: a model that no voice lists, or a voice that is not listed, is rejected.
    nowhere_rejected: bool,
    /// T8, T9: a state in another spelling is that state.
    any_spelling: bool,
    /// T8, T9: a state of another name counts.
    any_state: bool,
    /// T8: a campaign without an agent is of this one.
    campaign_is_ours: bool,
}

#[derive(Debug, Clone, Copy)]
enum Arithmetic {
    Decimal,
    Difference,
    Sum,
}

impl Readings {
    pub(crate) fn any(random: &mut Random) -> Self {
        let mut flag = || random.percent(50);
        Self {
            narrow_responsiveness: flag(),
            required_though_stored: flag(),
            minimal_publish_is_exempt: flag(),
            empty_is_missing: flag(),
            frequency_counts: flag(),
            ascii_only: flag(),
            one_space_only: flag(),
            empty_destination_rejected: flag(),
            null_destinations_rejected: flag(),
            merges: flag(),
            whole_counts_only: flag(),
            default_is_speech_to_speech: flag(),
            flow_has_pipeline: flag(),
            differ_always: flag(),
            list_always: flag(),
            deployment_permits: flag(),
            again_rejected: flag(),
            extra_rejected: flag(),
            functions_need_members: flag(),
            empty_id_rejected: flag(),
            outbound_without_publishing: flag(),
            phones_without_publishing: flag(),
            not_found: if flag() { 400 } else { 404 },
            looks_up: flag(),
            false_sets_caching: flag(),
            default_voice_fits: flag(),
            default_transcriber_supports: flag(),
            checks_all_limits: flag(),
            checks_time_zones: flag(),
            keywords_rejected: flag(),
            nowhere_rejected: flag(),
            any_spelling: flag(),
            any_state: flag(),
            campaign_is_ours: flag(),
            default_silence: random.pick(&[None, Some("15"), Some("20"), Some("30")]),
            arithmetic: random.pick(&[
                Arithmetic::Decimal,
                Arithmetic::Difference,
                Arithmetic::Sum,
            ]),
        }
    }
}

impl Readings {
    /// The named readings that say the same as these.
    pub(crate) fn named(&self) -> Vec<SetReading> {
        let either = |is_first: bool| usize::from(!is_first);
        let arithmetic = match self.arithmetic {
            Arithmetic::Decimal => 0,
            Arithmetic::Difference => 1,
            Arithmetic::Sum => 2,
        };
        let all: [(&str, usize); 28] = [
            ("responsiveness-maximum", either(self.narrow_responsiveness)),
            ("flow-agent-fields", either(self.required_though_stored)),
            ("minimal-publish", either(!self.minimal_publish_is_exempt)),
            ("empty-flow-agent-fields", either(self.empty_is_missing)),
            ("reminder-frequency-zero", either(!self.frequency_counts)),
            ("silence-arithmetic", arithmetic),
            ("keyword-letters", either(self.ascii_only)),
            ("keyword-spaces", either(self.one_space_only)),
            ("empty-destinations", either(self.empty_destination_rejected)),
            ("no-destinations", either(self.empty_destination_rejected)),
            ("null-destinations", either(self.null_destinations_rejected)),
            ("default-variables", either(self.merges)),
            ("count-fractions", either(self.whole_counts_only)),
            ("default-pipeline", either(self.default_is_speech_to_speech)),
            ("flow-agent-pipeline", either(self.flow_has_pipeline)),
            ("fallback-while-off", either(self.differ_always)),
            ("fallback-list-while-off", either(self.list_always)),
            ("update-deployment", either(!self.deployment_permits)),
            ("publishing-again", either(self.again_rejected)),
            ("unknown-fields", either(self.extra_rejected)),
            ("incomplete-items", either(self.functions_need_members)),
            ("empty-ids", either(self.empty_id_rejected)),
            ("calls-without-publishing", either(self.outbound_without_publishing)),
            ("numbers-without-publishing", either(self.phones_without_publishing)),
            ("unknown-ids", either(self.looks_up)),
            ("false-prompt-caching", either(self.false_sets_caching)),
            ("default-silence", either(self.default_silence.is_some())),
            ("stored-limits", either(self.checks_all_limits)),
        ];
        let more = [
            ("time-zone-names", either(self.checks_time_zones)),
            ("unsupported-keywords", either(self.keywords_rejected)),
            ("unlisted-models", either(self.nowhere_rejected)),
            ("state-spelling", either(self.any_spelling)),
        ];
        all.into_iter()
            .chain(more)
            .map(|(name, value)| {
                let reading = Reading::named(name).expect(name);
                SetReading::new(reading, [reading.values[value].name], "voxlint.toml:1", None, None)
                    .unwrap()
            })
            .collect()
    }
}

/// A number with 24 decimals.
fn decimal(text: &str) -> i128 {
    let (sign, text) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    sign * format!("{whole}{fraction:0<24}").parse::<i128>().unwrap()
}

const ONE: i128 = 1_000_000_000_000_000_000_000_000;

fn is_text(value: &str) -> bool {
    value.starts_with('"')
}

fn is_number(value: &str) -> bool {
    value.starts_with(|c: char| c.is_ascii_digit() || c == '-')
}

fn inner(value: &str) -> &str {
    value.trim_matches('"')
}

/// Whether a value has the type of its field and is one of the allowed values.
fn fits(name: &str, value: &str) -> bool {
    match name {
        "is_published"
        | "update_deployment"
        | "fallback_stt_enabled"
        | "prompt_caching_enabled" => value == "true" || value == "false",
        "end_call_on_silence_sec"
        | "reminder_message_interval"
        | "reminder_message_frequency"
        | "max_call_duration_sec"
        | "kb_max_chunks"
        | "responsiveness"
        | "version_number" => is_number(value),
        "pipeline_type" => value == "\"Cascaded\"" || value == "\"Speech_To_Speech\"",
        "knowledge_base_ids" => value.starts_with('['),
        "agent_functions" => value == "[]" || value == "[{}]",
        "default_dynamic_variables" => value.starts_with('{'),
        "foo" | "agent_type" => true,
        _ => is_text(value),
    }
}

/// The model: an update, the complete world, and one reading of the description.
struct Service<'a> {
    update: &'a Fields,
    world: &'a World,
    readings: &'a Readings,
    /// The statuses of all rejections that apply. The description does not say which comes first.
    rejections: BTreeSet<u16>,
}

impl<'a> Service<'a> {
    fn reject(&mut self, condition: bool, status: u16) {
        if condition {
            self.rejections.insert(status);
        }
    }

    /// The value in the update, if it has the right type.
    fn written(&self, name: &str) -> Option<&'a str> {
        self.update.get(name).map(String::as_str).filter(|value| fits(name, value))
    }

    fn effective(&self, name: &str) -> Option<&'a str> {
        match self.update.get(name) {
            Some(value) if value == "null" && NULLABLE.contains(&name) => None,
            Some(value) if fits(name, value) => Some(value),
            _ => self.world.stored.get(name).map(String::as_str),
        }
    }

    fn publishes(&self) -> bool {
        self.written("is_published") == Some("true")
    }

    fn statuses(update: &'a Fields, world: &'a World, readings: &'a Readings) -> BTreeSet<u16> {
        let mut service = Self { update, world, readings, rejections: BTreeSet::new() };
        service.reject(!world.facts["agents"].contains("ag_a"), 404);
        service.body();
        service.reject(!world.has_version, 404);
        if world.has_version {
            service.state();
            service.flow();
            service.fallback();
            service.voice();
            service.times();
            service.texts();
            service.limits();
        }
        service.workspace();
        service.rejections
    }

    /// Rejections that depend on the body only.
    fn body(&mut self) {
        for (name, value) in self.update {
            let is_cleared = value == "null" && NULLABLE.contains(name);
            self.reject(!is_cleared && !fits(name, value), 400);
        }
        let readings = self.readings;
        let is_extra = ["foo", "agent_type"].iter().any(|name| self.update.contains_key(name));
        self.reject(is_extra && readings.extra_rejected, 400);
        let is_lacking = self.written("agent_functions") == Some("[{}]");
        self.reject(is_lacking && readings.functions_need_members, 400);
        let is_unknown = self.written("timezone") == Some("\"IST\"");
        self.reject(is_unknown && readings.checks_time_zones, 400);
        let limits = ["title", "kb_max_chunks", "responsiveness"];
        for name in limits {
            let value = self.written(name);
            self.reject(value.is_some_and(|value| self.is_over(name, value)), 400);
        }
        for name in [
            "llm_id",
            "voice_id",
            "voice_model_id",
            "transcriber_id",
            "stt_fallback_transcriber_id",
        ] {
            let is_empty = self.written(name) == Some("\"\"");
            self.reject(is_empty && readings.empty_id_rejected, 400);
        }
    }

    fn is_over(&self, name: &str, value: &str) -> bool {
        let Readings { narrow_responsiveness, whole_counts_only, .. } = *self.readings;
        match name {
            "title" => inner(value).len() > 70,
            "kb_max_chunks" => {
                let number = decimal(value);
                !(ONE..=10 * ONE).contains(&number) || (number % ONE != 0 && whole_counts_only)
            }
            _ => {
                let number = decimal(value);
                number > 5 * ONE || (number > ONE && narrow_responsiveness)
            }
        }
    }

    /// Published versions cannot be edited.
    fn state(&mut self) {
        if !self.world.is_published {
            return;
        }
        let flags = ["version_number", "is_published", "update_deployment", "foo", "agent_type"];
        let edits = self.update.keys().any(|name| !flags.contains(name));
        if self.publishes() && !edits {
            self.reject(self.readings.again_rejected, 400);
        } else {
            let is_permitted = self.written("update_deployment") == Some("true")
                && self.readings.deployment_permits;
            self.reject(!is_permitted, 400);
        }
    }

    fn flow(&mut self) {
        if !self.world.is_flow {
            return;
        }
        let is_minimal = self.update.len() == 2 && self.publishes();
        let is_exempt = is_minimal && self.readings.minimal_publish_is_exempt;
        for name in ["agent_identity", "agent_background"] {
            let is_missing = match self.update.get(name) {
                Some(value) => value == "\"\"" && self.readings.empty_is_missing,
                None if is_exempt => false,
                None => {
                    !self.world.stored.contains_key(name) || self.readings.required_though_stored
                }
            };
            self.reject(is_missing, 400);
        }
    }

    fn fallback(&mut self) {
        let is_on = self.effective("fallback_stt_enabled") == Some("true");
        let fallback = self.effective("stt_fallback_transcriber_id").filter(|id| *id != "\"\"");
        let Some(fallback) = fallback else {
            self.reject(is_on, 400);
            return;
        };
        let is_same = self.effective("transcriber_id") == Some(fallback);
        self.reject(is_same && (is_on || self.readings.differ_always), 400);
        let is_listed = self.world.facts["fallback_transcribers"].contains(fallback);
        self.reject(!is_listed && (is_on || self.readings.list_always), 400);
    }

    fn voice(&mut self) {
        let readings = self.readings;
        let is_written = self.written("voice_model_id").is_some();
        if self.written("voice_id").is_some() && !is_written {
            // The recommended model is applied.
            return;
        }
        let Some(model) = self.effective("voice_model_id").map(inner) else { return };
        if model.is_empty() {
            self.reject(!is_written && readings.empty_id_rejected, 400);
            return;
        }
        let provider = match self.effective("voice_id").map(inner) {
            Some("vo_a" | "vo_a2") => Some("p"),
            Some("vo_b") => Some("q"),
            Some(_) => None,
            None => {
                self.reject(!readings.default_voice_fits, 400);
                return;
            }
        };
        let of_model = match model {
            "mo_a" | "mo_a2" => Some("p"),
            "mo_b" => Some("q"),
            _ => None,
        };
        let is_rejected = match (provider, of_model) {
            (Some(provider), Some(of_model)) => provider != of_model,
            _ => readings.nowhere_rejected,
        };
        self.reject(is_rejected, 400);
    }

    fn times(&mut self) {
        let readings = self.readings;
        let silence = self.effective("end_call_on_silence_sec");
        let is_out = |value: &str, low: i128, high: i128| {
            let number = decimal(value);
            number < low * ONE || number > high * ONE
        };
        self.reject(silence.is_some_and(|silence| is_out(silence, 15, 30)), 400);
        let interval = self.effective("reminder_message_interval").filter(|it| decimal(it) > 0);
        let frequency = self.effective("reminder_message_frequency");
        let is_off = readings.frequency_counts && frequency.is_some_and(|it| decimal(it) <= 0);
        if let (Some(silence), Some(interval)) = (silence.or(readings.default_silence), interval)
            && !is_off
        {
            let (s, i): (f64, f64) = (silence.parse().unwrap(), interval.parse().unwrap());
            let is_fine = match readings.arithmetic {
                Arithmetic::Decimal => decimal(silence) - decimal(interval) > 5 * ONE,
                Arithmetic::Difference => s - i > 5.0,
                Arithmetic::Sum => s > i + 5.0,
            };
            self.reject(!is_fine, 400);
        }
        if let Some(duration) = self.effective("max_call_duration_sec") {
            self.reject(is_out(duration, 60, 5400), 400);
            let is_capped = match self.effective("pipeline_type") {
                Some(pipeline) => {
                    pipeline.contains("Speech")
                        && (!self.world.is_flow || readings.flow_has_pipeline)
                }
                None => !self.world.is_flow && readings.default_is_speech_to_speech,
            };
            self.reject(is_capped && decimal(duration) > 3600 * ONE, 400);
        }
    }

    fn texts(&mut self) {
        let readings = self.readings;
        self.reject(self.effective("prompt_text") == Some("\"{{#if a}}\""), 400);
        if let Some(keywords) = self.effective("boosted_keywords").map(inner) {
            self.reject(keywords == "co-op", 400);
            self.reject(keywords == "café" && readings.ascii_only, 400);
            self.reject(keywords == "a\\tb" && readings.one_space_only, 400);
            let is_supported = match self.effective("transcriber_id").map(inner) {
                Some("tr_a") => true,
                Some("tr_b") => false,
                _ => readings.default_transcriber_supports,
            };
            let is_recognised = match self.effective("pipeline_type") {
                Some(pipeline) => pipeline.contains("Cascaded"),
                None => !readings.default_is_speech_to_speech,
            };
            let has_effect = keywords.is_empty() || (is_supported && is_recognised);
            self.reject(!has_effect && readings.keywords_rejected, 400);
        }
        let key = |object: &'a str| {
            let rest = object.split_once("\"agent_transfer_destinations\": ")?.1;
            rest.strip_suffix('}')
        };
        let stored = self.world.stored.get("default_dynamic_variables").and_then(|it| key(it));
        let destinations = match self.written("default_dynamic_variables") {
            Some(object) => key(object).or_else(|| stored.filter(|_| readings.merges)),
            None => stored,
        };
        let is_rejected = match destinations {
            Some("null") => readings.null_destinations_rejected,
            Some("\"+14155552671|\"" | "\"\"") => readings.empty_destination_rejected,
            Some(value) => value != "\"+14155552671\"",
            None => false,
        };
        self.reject(is_rejected, 400);
    }

    /// Limits of stored values that the update does not change.
    fn limits(&mut self) {
        for name in ["title", "kb_max_chunks", "responsiveness"] {
            let is_left_alone = !self.update.contains_key(name);
            let value = self.world.stored.get(name).filter(|_| is_left_alone);
            let is_over = value.is_some_and(|value| self.is_over(name, value));
            self.reject(is_over && self.readings.checks_all_limits, 400);
        }
    }

    /// Rejections that depend on the workspace.
    fn workspace(&mut self) {
        let readings = self.readings;
        let facts = &self.world.facts;
        let is_off = facts["features"].contains("false");
        match self.written("prompt_caching_enabled") {
            Some("true") => self.reject(is_off, 403),
            Some(_) => self.reject(is_off && readings.false_sets_caching, 403),
            None => {}
        }
        for (name, catalogue) in
            [("llm_id", "llms"), ("voice_id", "voices"), ("transcriber_id", "transcribers")]
        {
            let id = self.written(name).filter(|id| *id != "\"\"");
            let is_unknown = id.is_some_and(|id| !facts[catalogue].contains(id));
            self.reject(is_unknown && readings.looks_up, readings.not_found);
        }
        let has_unknown =
            self.written("knowledge_base_ids").is_some_and(|ids| ids.contains("gone"));
        self.reject(has_unknown && readings.looks_up, readings.not_found);
        for name in ["inbound_phone_number_id", "outbound_phone_number_id"] {
            let is_unknown = self.written(name) == Some("\"pn_gone\"");
            let is_looked_up = self.publishes() || readings.phones_without_publishing;
            self.reject(is_unknown && is_looked_up, readings.not_found);
        }
        let old = self.world.stored.get("outbound_phone_number_id");
        if let Some(new) = self.written("outbound_phone_number_id")
            && self.world.has_version
            && old.is_some_and(|old| old == "\"pn_a\"" && old != new)
        {
            let is_active = match facts["workflows"] {
                "active" => true,
                "Active" => readings.any_spelling,
                "stopped" => readings.any_state,
                _ => false,
            };
            let counts = self.publishes() || readings.outbound_without_publishing;
            self.reject(is_active && counts, 409);
        }
        let blocks = match facts["campaigns"] {
            "running" | "draft" => true,
            "RUNNING" | "Draft" => readings.any_spelling,
            "archived" => readings.any_state,
            "unnamed" => readings.campaign_is_ours,
            _ => false,
        };
        self.reject(self.publishes() && blocks, 409);
    }
}

fn update(random: &mut Random) -> Fields {
    let mut update = Fields::from([("version_number", random.pick(&["3", "3", "3.0"]).to_owned())]);
    let how_many = random.below(6);
    let soundness = random.pick(&[20, 60, 90]);
    for _ in 0..how_many {
        let (name, values) = random.pick(WRITTEN);
        let value = if random.percent(soundness) { values[0] } else { random.pick(values) };
        update.insert(name, value.to_owned());
    }
    update
}

fn predicted(
    update: &str,
    told: &Told,
    readings: Vec<SetReading>,
    answer: impl FnOnce(&Prediction),
) {
    let [document, held, known] = [update, &told.stored, &told.facts].map(Document::parse);
    let mut inputs = Inputs::new(document).kind(DocumentKind::Update);
    if !told.stored.is_empty() {
        let stored = Stored::new(held);
        assert!(stored.faults().diagnostics.is_empty(), "{}", told.stored);
        inputs = inputs.stored(stored);
    }
    if !told.facts.is_empty() {
        let facts = Facts::new(known);
        assert!(facts.faults().diagnostics.is_empty(), "{}", told.facts);
        inputs = inputs.facts(facts);
    }
    if told.agent_id {
        inputs = inputs.agent_id("ag_a");
    }
    let readings: voxlint::readings::Readings = readings.into_iter().collect();
    answer(&predict(&inputs.readings(readings)).expect("an update"));
}

/// What a publish job would have recorded of one update that a service with these readings has answered. What was known before is
/// true, and often a part only. `deviation` is a setting with a value that this service accepts, although it should not.
pub(crate) fn record(
    random: &mut Random,
    readings: &Readings,
    deviation: Option<(&'static str, &str)>,
) -> Exchange {
    let mut world = World::any(random);
    let mut update = update(random);
    let planted = deviation.filter(|_| random.percent(20));
    if let Some((name, value)) = planted {
        update.insert(name, value.to_owned());
    }
    let told = Told::of(&mut world, "3", random);
    let other = World::any(random);
    let whole = world.completed(&told.known, &other);
    let mut answered = update.clone();
    if let Some((name, _)) = planted {
        answered.remove(name);
    }
    let rejections: Vec<u16> = Service::statuses(&answered, &whole, readings).into_iter().collect();
    let status = if rejections.is_empty() { 200 } else { random.pick(&rejections) };
    let mut record = Fields::from([("body", object(&update)), ("status", status.to_string())]);
    let known = [("stored", told.stored), ("facts", told.facts)];
    record.extend(known.into_iter().filter(|(_, text)| !text.is_empty()));
    if told.agent_id {
        record.insert("agent_id", "\"ag_a\"".to_owned());
    }
    Exchange { record: object(&record), is_accepted: status == 200, is_planted: planted.is_some() }
}

/// An answered update.
pub(crate) struct Exchange {
    pub(crate) record: String,
    pub(crate) is_accepted: bool,
    /// Whether it has the value with which the service deviates.
    pub(crate) is_planted: bool,
}

/// Values that are rejected by themselves, whatever else is known.
pub(crate) const REJECTED: [(&str, &str); 30] = [
    ("title", LONG_TITLE),
    ("title", "null"),
    ("title", "7"),
    ("is_published", "\"true\""),
    ("pipeline_type", "\"cascaded\""),
    ("pipeline_type", "null"),
    ("fallback_stt_enabled", "1"),
    ("stt_fallback_transcriber_id", "7"),
    ("voice_id", "null"),
    ("voice_model_id", "7"),
    ("end_call_on_silence_sec", "14"),
    ("end_call_on_silence_sec", "\"20\""),
    ("max_call_duration_sec", "59"),
    ("max_call_duration_sec", "5401"),
    ("max_call_duration_sec", "\"60\""),
    ("agent_identity", "null"),
    ("agent_background", "7"),
    ("inbound_phone_number_id", "null"),
    ("outbound_phone_number_id", "7"),
    ("knowledge_base_ids", "\"kb_a\""),
    ("prompt_text", "\"{{#if a}}\""),
    ("boosted_keywords", "\"co-op\""),
    ("boosted_keywords", "[]"),
    ("default_dynamic_variables", "{\"agent_transfer_destinations\": \"+441\"}"),
    ("default_dynamic_variables", "{\"agent_transfer_destinations\": 7}"),
    ("prompt_caching_enabled", "null"),
    ("kb_max_chunks", "11"),
    ("kb_max_chunks", "0"),
    ("responsiveness", "6"),
    ("agent_functions", "[7]"),
];

/// The statuses that a prediction allows.
fn allowed(prediction: &Prediction) -> BTreeSet<u16> {
    let answers = prediction.answers.iter().map(|answer| answer.status);
    let mut allowed: BTreeSet<u16> = answers.chain(prediction.other_rejections()).collect();
    if prediction.may_be_accepted() {
        allowed.insert(200);
    }
    allowed
}

#[test]
fn predictions_under_readings_contain_every_answer_of_a_service_with_these_readings() {
    let mut settled = 0_u64;
    for case in 0..cases(500, 8_000) {
        let mut random = Random::new(case);
        let mut world = World::any(&mut random);
        let update = update(&mut random);
        let told = Told::of(&mut world, "3", &mut random);
        let readings = Readings::any(&mut random);
        let other = World::any(&mut random);
        let whole = world.completed(&told.known, &other);
        let rejections = Service::statuses(&update, &whole, &readings);
        let statuses = if rejections.is_empty() { BTreeSet::from([200]) } else { rejections };
        let text = object(&update);
        let mut named = readings.named();
        // A team knows some of them.
        if random.percent(50) {
            let known = random.pick(&[20, 50, 80]);
            named.retain(|_| random.percent(known));
        }
        let mut open = BTreeSet::new();
        predicted(&text, &told, Vec::new(), |prediction| open = allowed(prediction));
        predicted(&text, &told, named.clone(), |prediction| {
            let allowed = allowed(prediction);
            settled += u64::from(allowed.len() < open.len());
            assert!(allowed.is_subset(&open), "case {case}: {allowed:?} of {open:?}\n{text}");
            assert!(
                statuses.is_subset(&allowed),
                "case {case}: the service answers one of {statuses:?}, and {allowed:?} are predicted\n{text}\n{}\n{}\n{whole:#?}\n{:#?}\n{:#?}\n{:#?}",
                told.stored,
                told.facts,
                named.iter().map(|set| (set.reading.name, set.value_name())).collect::<Vec<_>>(),
                prediction
                    .report
                    .diagnostics
                    .iter()
                    .map(|it| (&it.rule.id, it.verdict, &it.message, &it.assumes))
                    .collect::<Vec<_>>(),
                prediction.report.undecided,
            );
        });
    }
    assert!(settled >= 20, "{settled}");
}

#[test]
fn predictions_contain_every_answer_of_the_model() {
    let (mut certain, mut tried, mut met) = (BTreeMap::new(), 0_u64, BTreeMap::new());
    for case in 0..cases(500, 8_000) {
        let mut random = Random::new(case);
        let mut world = World::any(&mut random);
        let update = update(&mut random);
        let told = Told::of(&mut world, "3", &mut random);
        let text = object(&update);
        predicted(&text, &told, Vec::new(), |prediction| {
            let allowed = allowed(prediction);
            if prediction.is_certain() {
                assert_eq!(allowed.len(), 1);
                *certain.entry(prediction.answers[0].status).or_insert(0_u64) += 1;
            }
            for _ in 0..COMPLETIONS {
                let other = World::any(&mut random);
                let whole = world.completed(&told.known, &other);
                let readings = Readings::any(&mut random);
                let rejections = Service::statuses(&update, &whole, &readings);
                let statuses =
                    if rejections.is_empty() { BTreeSet::from([200]) } else { rejections };
                tried += 1;
                for status in &statuses {
                    *met.entry(*status).or_insert(0_u64) += 1;
                }
                assert!(
                    statuses.is_subset(&allowed),
                    "case {case}: the service answers one of {statuses:?}, and {allowed:?} are predicted\n{text}\n{}\n{}\n{whole:#?}\n{readings:#?}\n{:#?}",
                    told.stored,
                    told.facts,
                    prediction.report.undecided,
                );
            }
        });
    }
    println!("{tried} answers, by status {met:?}; certain predictions by status {certain:?}");
    // Without certain predictions, this test would prove nothing.
    for status in [200, 400] {
        assert!(certain.get(&status).is_some_and(|count| *count >= 10), "{status}: {certain:?}");
    }
    for status in [200, 400, 403, 404, 409] {
        assert!(met.contains_key(&status), "{status}: {met:?}");
    }
}
