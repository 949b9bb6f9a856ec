//! Random documents, stored configurations and facts of one world. The stored configuration does not contradict itself.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Numbers from a seed, the same on every machine.
pub struct Random(u64);

impl Random {
    /// Starts from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 16
    }

    /// A number below a bound.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True this many times out of a hundred.
    pub fn percent(&mut self, chance: usize) -> bool {
        self.below(100) < chance
    }

    /// One of several.
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// Fields by name, each value as JSON.
pub type Members = BTreeMap<&'static str, String>;

/// The fields of an update: valid values first, then invalid ones.
const DOCUMENT: &[(&str, &[&str], &[&str])] = &[
    ("is_published", &["true", "true", "false"], &["\"true\""]),
    ("update_deployment", &["true", "false"], &["1"]),
    ("title", &["\"Front desk\""], &["7"]),
    ("fallback_stt_enabled", &["true", "true", "false"], &["1", "null"]),
    ("transcriber_id", &["\"tr_a\"", "\"tr_b\"", "null", "\"\""], &["7"]),
    ("stt_fallback_transcriber_id", &["\"tr_a\"", "\"tr_b\"", "\"tr_c\"", "null", "\"\""], &["7"]),
    ("voice_id", &["\"vo_a\"", "\"vo_b\"", "\"vo_gone\""], &["null"]),
    ("voice_model_id", &["\"mo_a\"", "\"mo_b\"", "\"mo_gone\""], &["7"]),
    ("end_call_on_silence_sec", &["15", "20", "20.1", "30"], &["14", "\"20\""]),
    (
        "reminder_message_interval",
        &["10", "15", "15.1", "24.9", "25", "0", "-1"],
        &["null", "true"],
    ),
    ("reminder_message_frequency", &["0", "2", "-1"], &["\"2\""]),
    ("max_call_duration_sec", &["60", "3600", "3601", "5400"], &["59", "5401", "\"60\""]),
    ("pipeline_type", &["\"Cascaded\"", "\"Speech_To_Speech\""], &["\"cascaded\"", "null"]),
    ("prompt_caching_enabled", &["true", "false"], &["null"]),
    ("agent_identity", &["\"You are the front desk.\"", "\"\""], &["null"]),
    ("agent_background", &["\"Forty rooms.\"", "\"\""], &["7"]),
    ("inbound_phone_number_id", &["\"pn_a\"", "\"pn_gone\"", "\"\""], &["null"]),
    ("outbound_phone_number_id", &["\"pn_a\"", "\"pn_b\"", "\"\""], &["7"]),
    ("llm_id", &["\"llm_a\"", "\"llm_gone\""], &["7"]),
    ("knowledge_base_ids", &["[]", "[\"kb_a\"]", "[\"kb_a\", \"kb_gone\"]"], &["\"kb_a\""]),
    ("prompt_text", &["\"Hi {{name}}\"", "\"Hi\""], &["\"{{#if a}}\""]),
    (
        "default_dynamic_variables",
        &["{}", "{\"name\": \"Ann\"}", "{\"agent_transfer_destinations\": \"+14155552671\"}"],
        &["{\"agent_transfer_destinations\": \"+441\"}"],
    ),
    ("boosted_keywords", &["\"alpha, beta\"", "\"\""], &["\"co-op\"", "[]"]),
];

/// More values that the service may have stored for a version. Some of them would be rejected today.
const STORED: &[(&str, &[&str])] = &[
    ("end_call_on_silence_sec", &["10", "20", "30"]),
    ("max_call_duration_sec", &["60", "4000", "5500"]),
    ("prompt_text", &["\"Hi {{name}}\"", "\"{{#if a}}\""]),
    ("boosted_keywords", &["\"alpha\"", "\"co-op\""]),
    ("default_dynamic_variables", &["{\"agent_transfer_destinations\": \"+441\"}", "{}"]),
];

/// The settings that are also in the summary of a version.
const SUMMARY: [&str; 5] =
    ["voice_id", "llm_id", "transcriber_id", "fallback_stt_enabled", "stt_fallback_transcriber_id"];

const FACTS: &[(&str, &[&str])] = &[
    ("agents", &["[\"ag_a\"]", "[\"ag_b\"]"]),
    (
        "voices",
        &[
            "{\"vo_a\": {\"provider\": \"p\", \"models\": [\"mo_a\"]}, \"vo_b\": {\"provider\": \"q\", \"models\": [\"mo_b\"]}}",
            "{\"vo_a\": {\"provider\": \"p\"}, \"vo_b\": {\"models\": [\"mo_b\", \"mo_a\"]}}",
            "{}",
        ],
    ),
    ("transcribers", &["{\"tr_a\": {\"provider\": \"p\"}}", "{}"]),
    ("fallback_transcribers", &["[\"tr_b\"]", "[\"tr_a\", \"tr_b\"]", "[]"]),
    ("llms", &["[\"llm_a\"]"]),
    ("knowledge_bases", &["[\"kb_a\"]"]),
    ("phone_numbers", &["[\"pn_a\"]", "[\"pn_a\", \"pn_b\"]"]),
    ("features", &["{\"prompt_caching\": true}", "{\"prompt_caching\": false}", "{}"]),
    (
        "campaigns",
        &[
            "[{\"id\": \"c\", \"agent_id\": \"ag_a\", \"state\": \"running\"}]",
            "[{\"id\": \"c\", \"agent_id\": \"ag_b\", \"state\": \"draft\"}]",
            "[{\"id\": \"c\", \"state\": \"waiting\"}]",
            "[{\"id\": \"c\", \"agent_id\": \"ag_a\", \"state\": \"completed\"}]",
            "[]",
        ],
    ),
    (
        "workflows",
        &[
            "[{\"id\": \"w\", \"state\": \"active\", \"outbound_phone_number_ids\": [\"pn_a\"]}]",
            "[{\"id\": \"w\", \"state\": \"paused\", \"outbound_phone_number_ids\": [\"pn_a\"]}]",
            "[{\"id\": \"w\", \"outbound_phone_number_ids\": [\"pn_a\", \"pn_b\"]}]",
            "[]",
        ],
    ),
];

/// A document with its stored configuration and facts.
#[derive(Clone, Debug)]
pub struct GeneratedInputs {
    /// The document under check.
    pub document: Members,
    /// The given settings of version 3; `None` if there are none.
    pub version: Option<Members>,
    complete: bool,
    /// The given fields of the agent.
    agent: Option<Members>,
    /// The given summaries of the versions of the agent.
    versions: Option<Vec<Members>>,
    facts: Option<Members>,
    /// Reverses the order of all fields.
    reversed: bool,
    /// Gives an agent or settings alone without the envelope around them.
    bare: bool,
}

impl GeneratedInputs {
    /// Random inputs.
    pub fn any(random: &mut Random) -> Self {
        let mut document = Members::from([("version_number", number(random))]);
        let how_many = random.below(7);
        for _ in 0..how_many {
            let (name, good, bad) = DOCUMENT[random.below(DOCUMENT.len())];
            let values = if random.percent(8) { bad } else { good };
            document.insert(name, random.pick(values).to_owned());
        }

        // The full stored configuration of version 3. Later, a part of it is given to voxlint.
        let mut truth = Members::new();
        for (name, good, _) in DOCUMENT {
            if random.percent(45) && !["update_deployment", "is_published"].contains(name) {
                truth.insert(name, random.pick(good).to_owned());
            }
        }
        for (name, values) in STORED {
            if random.percent(15) {
                truth.insert(name, random.pick(values).to_owned());
            }
        }
        let published = random.pick(&["true", "false", "false", "false"]);
        let mut version = truth.clone();
        version.insert("version_number", "3".to_owned());
        version.insert("is_published", published.to_owned());
        let mut summary = Members::from([
            ("agent_id", "\"ag_a\"".to_owned()),
            ("version_number", "3".to_owned()),
            ("is_published", published.to_owned()),
        ]);
        for name in SUMMARY {
            let value = truth.get(name).cloned();
            summary.insert(name, value.unwrap_or_else(|| "null".to_owned()));
        }
        let other = Members::from([
            ("version_number", "2".to_owned()),
            ("is_published", random.pick(&["true", "false"]).to_owned()),
        ]);
        let mut agent = Members::from([
            ("id", "\"ag_a\"".to_owned()),
            (
                "agent_type",
                random
                    .pick(&["\"Single_Prompt_Agent\"", "\"Conversational_Flow_Agent\""])
                    .to_owned(),
            ),
        ]);
        let pipeline = truth.get("pipeline_type").cloned();
        agent.insert("pipeline_type", pipeline.unwrap_or_else(|| "null".to_owned()));

        let mut facts = Members::new();
        for (name, values) in FACTS {
            if random.percent(60) {
                facts.insert(name, random.pick(values).to_owned());
            }
        }
        let all = Self {
            document,
            version: Some(version),
            complete: true,
            agent: Some(agent),
            versions: Some(vec![other, summary]),
            facts: Some(facts),
            reversed: false,
            bare: random.percent(50),
        };
        if random.percent(50) { all.with_less(random) } else { all }
    }

    /// The same with fewer stored values and facts.
    pub fn with_less(&self, random: &mut Random) -> Self {
        let mut less = self.clone();
        if random.percent(40) {
            less.complete = false;
            let kept = random.below(101);
            if let Some(version) = &mut less.version {
                version.retain(|name, _| *name == "version_number" || random.percent(kept));
            }
        }
        if random.percent(20) {
            less.version = None;
        }
        if random.percent(20) {
            less.agent = None;
        }
        if random.percent(20) {
            less.versions = None;
        }
        if random.percent(30) {
            for summary in less.versions.iter_mut().flatten() {
                summary.retain(|name, _| *name == "version_number" || random.percent(50));
            }
        }
        if random.percent(50) {
            let kept = random.below(101);
            if let Some(facts) = &mut less.facts {
                facts.retain(|_, _| random.percent(kept));
            }
        }
        if random.percent(20) {
            less.facts = None;
        }
        less
    }

    /// The same, with the fields of every object in reverse order.
    pub fn reversed(&self) -> Self {
        Self { reversed: true, ..self.clone() }
    }

    /// Whether the facts do not list the agent.
    pub fn contradicts_itself(&self) -> bool {
        let agents = self.facts.as_ref().and_then(|facts| facts.get("agents"));
        self.agent.is_some() && agents.is_some_and(|agents| !agents.contains("ag_a"))
    }

    /// The document, the stored configuration and the facts as texts; an omitted one is empty.
    pub fn texts(&self) -> [String; 3] {
        let object = |members: &Members| self.object(members);
        let stored = (self.version.is_some() || self.agent.is_some()).then(|| {
            if self.bare && !self.complete {
                match (&self.version, &self.agent) {
                    (Some(version), None) => return object(version),
                    (None, Some(_)) => return object(&self.whole_agent()),
                    _ => {}
                }
            }
            let mut stored = Members::from([("complete", self.complete.to_string())]);
            if let Some(version) = &self.version {
                stored.insert("version", object(version));
            }
            if self.agent.is_some() {
                stored.insert("agent", object(&self.whole_agent()));
            }
            object(&stored)
        });
        let facts = self.facts.as_ref().map(object);
        [object(&self.document), stored.unwrap_or_default(), facts.unwrap_or_default()]
    }

    /// The agent with the summaries of its versions.
    fn whole_agent(&self) -> Members {
        let mut agent = self.agent.clone().unwrap_or_default();
        if let Some(versions) = &self.versions {
            let versions: Vec<String> = versions.iter().map(|it| self.object(it)).collect();
            agent.insert("versions", format!("[{}]", versions.join(", ")));
        }
        agent
    }

    fn object(&self, members: &Members) -> String {
        let mut text = String::from("{");
        let mut write = |(name, value): (&&str, &String)| {
            let comma = if text.len() > 1 { ", " } else { "" };
            let _ = write!(text, "{comma}\"{name}\": {value}");
        };
        if self.reversed {
            members.iter().rev().for_each(&mut write);
        } else {
            members.iter().for_each(&mut write);
        }
        text + "}"
    }
}

fn number(random: &mut Random) -> String {
    random.pick(&["3", "3", "3", "3.0", "2", "9"]).to_owned()
}
