//! Laws of plans, for generated fleets. A small model of the service's rules applies the bodies: omitted fields keep their values,
//! lists and objects are replaced as a whole, null clears, an empty number detaches, a published version cannot be edited, and a
//! number is claimed only by the update that publishes, and taken from the agent that had it.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use voxlint::{
    AgentPlan, Document, DocumentKind, DriftKind, Facts, Inputs, Neighbor, Outcome, Plan,
    PlanInputs, Stored, plan, plan_agent, plan_among,
};
use voxlint_testing::property;

use crate::diff_properties::plain;

const NUMBERS: [&str; 2] = ["inbound_phone_number_id", "outbound_phone_number_id"];
const FACTS: &str = r#"{ "agents": ["ag_0", "ag_1", "ag_2", "ag_3", "ag_4"], "campaigns": [], "workflows": [],
    "phone_numbers": ["pn_0", "pn_1", "pn_2", "pn_3", "pn_4"] }"#;

/// The values of each setting, as JSON; the last ones unset it.
const VALUES: [(&str, &[&str]); 9] = [
    ("title", &["\"Desk\"", "\"D\\u0065sk\"", "\"Night desk\""]),
    ("description", &["\"a\"", "\"b\""]),
    ("llm_temperature", &["0.1", "0.10", "0.5"]),
    ("knowledge_base_ids", &["[\"kb_a\"]", "[\"kb_a\", \"kb_b\"]", "[]"]),
    (
        "agent_functions",
        &[
            r#"[{"displayName": "end", "type": "end_call", "description": "x", "config": {}}]"#,
            r#"[{"displayName": "to", "type": "custom", "description": "x", "config": {"n": 1}}]"#,
            "[]",
        ],
    ),
    ("default_dynamic_variables", &[r#"{"name": "Ann"}"#, r#"{"city": "Bonn"}"#, "{}"]),
    ("post_call_analysis_llm_id", &["\"llm_a\"", "\"llm_b\"", "null"]),
    ("transcriber_id", &["\"tr_a\"", "\"tr_b\"", "null"]),
    ("backchanneling", &["true", "false"]),
];

/// The numbers that a request may send; the last one detaches.
const SENT: [&str; 4] = ["pn_0", "pn_1", "pn_2", ""];

#[derive(Clone, Debug, Default, PartialEq)]
struct Version {
    settings: BTreeMap<String, Value>,
    is_published: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Agent {
    versions: BTreeMap<u32, Version>,
    /// The numbers that are connected.
    live: [Option<String>; 2],
}

/// The workspace.
#[derive(Clone, Debug, Default, PartialEq)]
struct World(BTreeMap<String, Agent>);

/// A number that one agent took from another one.
#[derive(Clone, Debug, PartialEq)]
struct Taken {
    from: String,
    number: String,
}

/// A document of the repository.
#[derive(Clone, Debug)]
struct Sent {
    name: String,
    agent: String,
    version: u32,
    body: Map<String, Value>,
}

/// A workspace and the documents for it.
#[derive(Clone, Debug)]
struct Fleet {
    world: World,
    documents: Vec<Sent>,
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        _ => false,
    }
}

impl World {
    /// Applies one request. `Err` if the service rejects it; otherwise the numbers that it took from other agents.
    fn apply(&mut self, id: &str, body: &Map<String, Value>) -> Result<Vec<Taken>, &'static str> {
        let number = body["version_number"].as_u64().and_then(|number| u32::try_from(number).ok());
        let agent = self.0.get_mut(id).ok_or("no agent")?;
        let version = number.and_then(|number| agent.versions.get_mut(&number));
        let version = version.ok_or("no such version")?;
        if version.is_published {
            return Err("a published version cannot be edited");
        }
        for (name, value) in body {
            match name.as_str() {
                "version_number" | "is_published" | "update_deployment" => {}
                name if is_nothing(value) => {
                    version.settings.remove(name);
                }
                name => {
                    version.settings.insert(name.to_owned(), plain(value));
                }
            }
        }
        if body.get("is_published") != Some(&Value::Bool(true)) {
            return Ok(Vec::new());
        }
        version.is_published = true;
        let mut taken = Vec::new();
        for (used, name) in NUMBERS.into_iter().enumerate() {
            let Some(sent) = body.get(name).and_then(Value::as_str) else { continue };
            let wanted = (!sent.is_empty()).then(|| sent.to_owned());
            for (from, other) in self.0.iter_mut().filter(|(other, _)| *other != id) {
                // Several agents may call from one number.
                if used == 0 && wanted.is_some() && other.live[used] == wanted {
                    other.live[used] = None;
                    taken.push(Taken { from: from.clone(), number: sent.to_owned() });
                }
            }
            self.0.get_mut(id).unwrap().live[used] = wanted;
        }
        Ok(taken)
    }

    /// What is known of a version: all of it, or without the other versions.
    fn stored(&self, id: &str, number: u32) -> Value {
        let agent = &self.0[id];
        let versions: Vec<Value> = agent
            .versions
            .iter()
            .map(|(number, version)| json!({ "version_number": number, "is_published": version.is_published }))
            .collect();
        let version = &agent.versions[&number];
        let mut settings: Map<String, Value> =
            version.settings.iter().map(|(name, value)| (name.clone(), value.clone())).collect();
        settings.insert("version_number".to_owned(), json!(number));
        settings.insert("is_published".to_owned(), json!(version.is_published));
        json!({
            "agent": { "id": id, "agent_type": "Single_Prompt_Agent", "versions": versions },
            "version": settings,
            "complete": true,
        })
    }
}

impl Fleet {
    fn inputs(document: &Sent, world: &World) -> PlanInputs {
        let stored = world.stored(&document.agent, document.version).to_string();
        let text = Value::Object(document.body.clone()).to_string();
        let inputs = Inputs::new(Document::parse(text)).kind(DocumentKind::Update);
        let inputs = inputs.stored(Stored::new(Document::parse(stored)));
        let inputs = inputs.facts(Facts::new(Document::parse(FACTS)));
        PlanInputs::new(&*document.name, inputs)
    }

    fn plan(&self, world: &World) -> Plan {
        plan(self.documents.iter().map(|it| plan_agent(&Self::inputs(it, world))).collect())
    }

    /// The plan of all documents, beside the stored configurations of the published versions.
    fn plan_beside_published(&self) -> Plan {
        let agents = self.documents.iter().map(|it| plan_agent(&Self::inputs(it, &self.world)));
        let published = self.world.0.iter().filter(|(_, agent)| agent.versions.contains_key(&1));
        let neighbors = published.map(|(id, _)| {
            let stored = self.world.stored(id, 1).to_string();
            Neighbor::stored(format!("stored/{id}.json"), Stored::new(Document::parse(stored)))
        });
        plan_among(agents.collect(), neighbors.collect())
    }

    fn document(&self, name: &str) -> &Sent {
        self.documents.iter().find(|document| document.name == name).unwrap()
    }
}

fn settings() -> impl Strategy<Value = BTreeMap<String, Value>> {
    proptest::collection::vec((0..VALUES.len(), any::<prop::sample::Index>()), 0..6).prop_map(
        |chosen| {
            let values = chosen.into_iter().map(|(at, value)| {
                let (name, values) = VALUES[at];
                (name.to_owned(), serde_json::from_str(values[value.index(values.len())]).unwrap())
            });
            values.collect()
        },
    )
}

/// A version that is stored, and what its document says: settings, the two numbers, and whether it is published.
type Drawn = (BTreeMap<String, Value>, BTreeMap<String, Value>, [Option<usize>; 2], bool, bool);

fn versions() -> impl Strategy<Value = Vec<Drawn>> {
    let numbers = [prop::option::of(0..SENT.len()), prop::option::weighted(0.3, 0..SENT.len())];
    let one = (settings(), settings(), numbers, any::<bool>(), prop::bool::weighted(0.8));
    proptest::collection::vec(one, 1..3)
}

/// Agents with a published version and drafts. A number is connected to one agent, and its drafts repeat it.
fn fleets() -> impl Strategy<Value = Fleet> {
    let agent = (versions(), any::<bool>(), [0_usize..5, 0..5], any::<u8>());
    proptest::collection::vec(agent, 1..5).prop_map(|drawn| {
        let mut fleet = Fleet { world: World::default(), documents: Vec::new() };
        let mut connected = BTreeSet::new();
        for (at, (versions, is_live, live, order)) in drawn.into_iter().enumerate() {
            let id = format!("ag_{at}");
            let mut agent = Agent::default();
            if is_live {
                let mut settings = BTreeMap::new();
                for (used, number) in live.into_iter().enumerate() {
                    let number = SENT[..3].get(number);
                    let Some(number) = number.filter(|it| used == 1 || connected.insert(**it))
                    else {
                        continue;
                    };
                    agent.live[used] = Some((*number).to_owned());
                    settings.insert(NUMBERS[used].to_owned(), json!(number));
                }
                agent.versions.insert(1, Version { settings, is_published: true });
            }
            for (count, (stored, written, numbers, publishes, has_document)) in
                versions.into_iter().enumerate()
            {
                let number = u32::try_from(count).unwrap() + 2;
                let mut settings: BTreeMap<String, Value> = stored
                    .into_iter()
                    .filter(|(_, value)| !is_nothing(value))
                    .map(|(name, value)| (name, plain(&value)))
                    .collect();
                for (used, live) in agent.live.iter().enumerate() {
                    if let Some(live) = live {
                        settings.insert(NUMBERS[used].to_owned(), json!(live));
                    }
                }
                agent.versions.insert(number, Version { settings, is_published: false });
                let mut body: Map<String, Value> = written.into_iter().collect();
                body.insert("version_number".to_owned(), json!(number));
                for (used, sent) in numbers.into_iter().enumerate() {
                    if let Some(sent) = sent.filter(|_| publishes) {
                        body.insert(NUMBERS[used].to_owned(), json!(SENT[sent]));
                    }
                }
                if publishes {
                    body.insert("is_published".to_owned(), json!(true));
                }
                // Names in another order than that of the agents.
                let name = |part: &str| {
                    format!("{:03}-{part}-{id}-{number}.json", order.wrapping_mul(number as u8))
                };
                let sent = |name: String, body: Map<String, Value>| Sent {
                    name,
                    agent: id.clone(),
                    version: number,
                    body,
                };
                if has_document && publishes && order % 2 == 1 {
                    // One document edits the version, and another one publishes it.
                    let of_publishing = |name: &String| {
                        ["version_number", "is_published"].contains(&name.as_str())
                            || NUMBERS.contains(&name.as_str())
                    };
                    let (mut edits, mut publishing) = (body.clone(), body);
                    edits.retain(|name, _| name == "version_number" || !of_publishing(name));
                    publishing.retain(|name, _| of_publishing(name));
                    fleet.documents.push(sent(name("z-edits"), edits));
                    fleet.documents.push(sent(name("a-publishes"), publishing));
                } else if has_document {
                    if publishes && order % 4 == 2 {
                        // Another document publishes the version as well: with one more setting, or with the same ones.
                        let mut again = body.clone();
                        if order % 8 == 2 {
                            again.insert("description".to_owned(), json!("published again"));
                        }
                        fleet.documents.push(sent(name("b-again"), again));
                    }
                    fleet.documents.push(sent(name("all"), body));
                }
            }
            fleet.world.0.insert(id, agent);
        }
        fleet
    })
}

/// Whether a rule about numbers says something about a document, or is undecided.
fn is_warned(agent: &AgentPlan) -> bool {
    let is_it = |id: &str| id.starts_with("phone-number-");
    agent.findings.iter().any(|finding| is_it(&finding.diagnostic.rule.id))
        || agent.undecided.iter().any(|entry| is_it(&entry.rule.id))
}

/// Whether another document with an earlier name publishes the same version.
fn is_published_before(fleet: &Fleet, document: &Sent) -> bool {
    let publishes = |it: &Sent| it.body.contains_key("is_published");
    publishes(document)
        && fleet.documents.iter().any(|it| {
            publishes(it)
                && it.name < document.name
                && (&it.agent, it.version) == (&document.agent, document.version)
        })
}

/// Whether a document says what the other document that publishes its version does not.
fn says_more(document: &Sent) -> bool {
    document.body.get("description") == Some(&json!("published again"))
}

/// Sends the bodies of a plan in its order.
fn carried_out(fleet: &Fleet, plan: &Plan) -> Result<(World, Vec<(String, Taken)>), String> {
    let mut world = fleet.world.clone();
    let mut taken = Vec::new();
    for at in &plan.order {
        let agent = &plan.agents[*at];
        let id = agent.agent_id.as_deref().unwrap();
        let body: Map<String, Value> = serde_json::from_str(agent.body.as_ref().unwrap()).unwrap();
        match world.apply(id, &body) {
            Ok(more) => taken.extend(more.into_iter().map(|taken| (agent.name.to_string(), taken))),
            Err(why) => return Err(format!("{}: {why}: {body:?}", agent.name)),
        }
    }
    Ok((world, taken))
}

/// Agents in a row or a ring: each gives its number up for that of the next one.
fn moves(names: &[&str], is_ring: bool) -> Fleet {
    let mut fleet = Fleet { world: World::default(), documents: Vec::new() };
    for (at, name) in names.iter().enumerate() {
        let id = format!("ag_{at}");
        let settings = BTreeMap::from([(NUMBERS[0].to_owned(), json!(format!("pn_{at}")))]);
        let draft = Version { settings: settings.clone(), is_published: false };
        let live = Version { settings, is_published: true };
        let agent = Agent {
            versions: BTreeMap::from([(1, live), (2, draft)]),
            live: [Some(format!("pn_{at}")), None],
        };
        fleet.world.0.insert(id.clone(), agent);
        let next = if is_ring { (at + 1) % names.len() } else { at + 1 };
        let body =
            json!({ "version_number": 2, "is_published": true, NUMBERS[0]: format!("pn_{next}") });
        let body = body.as_object().cloned().unwrap();
        fleet.documents.push(Sent { name: (*name).to_owned(), agent: id, version: 2, body });
    }
    fleet
}

#[test]
fn numbers_that_move_along_a_row_have_an_order_and_no_finding() {
    for names in [["a", "b", "c", "d"], ["d", "c", "b", "a"], ["b", "d", "a", "c"]] {
        let fleet = moves(&names, false);
        let plan = fleet.plan(&fleet.world);
        assert!(plan.agents.iter().all(|agent| agent.findings.is_empty()), "{plan:#?}");
        let (_, taken) = carried_out(&fleet, &plan).unwrap();
        assert_eq!(taken, [], "{names:?}");
        let order: Vec<&str> = plan.order.iter().map(|at| &*plan.agents[*at].name).collect();
        assert_eq!(order, names.iter().rev().copied().collect::<Vec<_>>());
    }
}

#[test]
fn numbers_that_move_in_a_ring_have_no_order_and_one_finding() {
    let fleet = moves(&["b", "c", "a"], true);
    let plan = fleet.plan(&fleet.world);
    let findings: Vec<_> = plan.agents.iter().flat_map(|agent| &agent.findings).collect();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    let others: Vec<&str> = findings[0].others.iter().map(AsRef::as_ref).collect();
    assert_eq!(others, ["b", "c"]);
    let (_, taken) = carried_out(&fleet, &plan).unwrap();
    assert_eq!(taken.len(), 1, "the others move along the rest of the ring: {taken:?}");
}

proptest! {
    // The cases are the same in every run. PROPTEST_RNG_SEED chooses others.
    #![proptest_config(property(150, 2_000))]

    #[test]
    fn a_plan_that_is_carried_out_gives_what_the_documents_say(fleet in fleets()) {
        let plan = fleet.plan(&fleet.world);
        let (world, taken) = carried_out(&fleet, &plan).map_err(TestCaseError::fail)?;
        for agent in &plan.agents {
            let document = fleet.document(&agent.name);
            let is_again = is_published_before(&fleet, document);
            prop_assert_eq!(
                agent.outcome == Outcome::Refused, is_again && says_more(document),
                "{} is {}: {:?}", agent.name, agent.outcome, agent.statuses
            );
            prop_assert!(agent.outcome != Outcome::NoStoredState);
            if is_again {
                let number = document.version;
                let body = document.body.clone();
                let rejected = says_more(document) && world.clone().apply(&document.agent, &body).is_err();
                prop_assert_eq!(rejected, agent.outcome == Outcome::Refused, "version {}", number);
                continue;
            }
            let before = &fleet.world.0[&document.agent].versions[&document.version];
            let after = &world.0[&document.agent].versions[&document.version];
            for name in VALUES.iter().map(|(name, _)| *name).chain(NUMBERS) {
                let mut of_version = fleet.documents.iter().filter(|it| {
                    (&it.agent, it.version) == (&document.agent, document.version)
                        && !is_published_before(&fleet, it)
                });
                let expected = match of_version.find_map(|it| it.body.get(name)) {
                    Some(value) => Some(plain(value)).filter(|value| !is_nothing(value)),
                    None => before.settings.get(name).cloned(),
                };
                prop_assert_eq!(after.settings.get(name), expected.as_ref(), "{} of {}", name, agent.name);
            }
            let publishes = fleet.documents.iter().any(|it| {
                (&it.agent, it.version) == (&document.agent, document.version)
                    && it.body.contains_key("is_published")
            });
            prop_assert_eq!(after.is_published, publishes, "{}", agent.name);
        }

        // No agent loses a number, unless a rule has said so. Of an agent without documents nothing is known.
        let is_known = |taken: &Taken| fleet.documents.iter().any(|it| it.agent == taken.from);
        for (name, taken) in taken.into_iter().filter(|(_, taken)| is_known(taken)) {
            let is_about = |agent: &AgentPlan| {
                let mut findings = agent.findings.iter();
                (*agent.name == *name && is_warned(agent))
                    || findings.any(|it| it.others.iter().any(|other| **other == *name))
            };
            prop_assert!(plan.agents.iter().any(is_about), "{name} takes {taken:?}\n{plan:#?}");
        }
    }

    #[test]
    fn a_number_is_never_taken_from_a_published_agent_without_a_danger(fleet in fleets()) {
        let plan = fleet.plan_beside_published();
        let (_, taken) = carried_out(&fleet, &plan).map_err(TestCaseError::fail)?;
        let marked = |name: &str| {
            let agent = plan.agents.iter().find(|agent| *agent.name == *name);
            let mut changes = agent.into_iter().flat_map(|agent| &agent.changes);
            changes.any(|change| !change.takes_from.is_empty() && change.is_dangerous())
        };
        for (name, taken) in taken {
            let had_it = fleet.world.0[&taken.from].live[0].as_ref() == Some(&taken.number);
            // A number that the plan itself has connected to the other agent is claimed twice, which is a finding.
            let claims = |document: &Sent| {
                document.agent == taken.from && document.body.get(NUMBERS[0]) == Some(&json!(taken.number))
            };
            if had_it && !fleet.documents.iter().any(claims) {
                prop_assert!(marked(&name), "{name} takes {taken:?}\n{plan:#?}");
            }
        }
        for change in plan.agents.iter().flat_map(|agent| &agent.changes) {
            for from in &change.takes_from {
                prop_assert!(from.starts_with("stored/"), "{from}");
                let id = from.trim_start_matches("stored/").trim_end_matches(".json");
                prop_assert!(fleet.world.0[id].live[0].is_some(), "{from}");
            }
        }
        prop_assert_eq!(&plan, &fleet.plan_beside_published());
    }

    #[test]
    fn a_plan_of_one_document_has_the_findings_of_the_whole_plan(fleet in fleets()) {
        let whole = fleet.plan(&fleet.world);
        let inputs = |it: &Sent| Fleet::inputs(it, &fleet.world);
        for agent in &whole.agents {
            let (own, others): (Vec<&Sent>, Vec<&Sent>) =
                fleet.documents.iter().partition(|it| *it.name == *agent.name);
            let neighbors = others.into_iter().map(|it| Neighbor::document(&inputs(it))).collect();
            let alone = plan_agent(&inputs(own[0]));
            let part = plan_among(vec![alone.clone()], neighbors);
            prop_assert_eq!(part.agents.len(), 1);
            prop_assert_eq!(&part.agents[0].body, &alone.body, "what is sent depends on the document alone");
            for finding in &agent.findings {
                // A document that another one keeps from publishing claims nothing in the whole plan.
                let rule = &finding.diagnostic.rule.id;
                // Nothing of a neighbor is sent, so whether its number is connected may remain open.
                let is_open = part.agents[0].undecided.iter().any(|it| {
                    it.rule.id == *rule && **rule == *"phone-number-held-by-another-agent"
                });
                let is_found = is_open || part.agents[0].findings.iter().any(|it| {
                    let has = |name: &_| it.others.contains(name);
                    it.diagnostic.rule.id == *rule
                        && (!["version-planned-twice", "phone-number-claimed-twice"].contains(&&**rule)
                            || finding.others.iter().all(has))
                });
                prop_assert!(is_found, "{}: {rule}\n{part:#?}", agent.name);
            }
        }
    }

    #[test]
    fn each_claimed_number_is_connected_unless_a_rule_says_otherwise(fleet in fleets()) {
        let plan = fleet.plan(&fleet.world);
        let (world, _) = carried_out(&fleet, &plan).map_err(TestCaseError::fail)?;
        let mut documents_of: BTreeMap<&str, usize> = BTreeMap::new();
        for document in fleet.documents.iter().filter(|it| it.body.contains_key("is_published")) {
            *documents_of.entry(&document.agent).or_default() += 1;
        }
        let warned: Vec<&AgentPlan> = plan.agents.iter().filter(|agent| is_warned(agent)).collect();
        for document in fleet.documents.iter().filter(|it| it.body.contains_key("is_published")) {
            // Of two versions that an agent publishes, the later one counts.
            if documents_of[&*document.agent] > 1 {
                continue;
            }
            for (used, name) in NUMBERS.into_iter().enumerate() {
                let Some(sent) = document.body.get(name).and_then(Value::as_str) else { continue };
                let is_disputed = warned.iter().any(|agent| {
                    fleet.document(&agent.name).body.get(name).and_then(Value::as_str) == Some(sent)
                });
                let expected = (!sent.is_empty()).then(|| sent.to_owned());
                if !is_disputed {
                    let live = &world.0[&document.agent].live[used];
                    prop_assert_eq!(live, &expected, "{} of {}", name, document.name);
                }
            }
        }
    }

    #[test]
    fn a_plan_of_what_was_just_carried_out_is_empty(fleet in fleets()) {
        let plan = fleet.plan(&fleet.world);
        let (world, _) = carried_out(&fleet, &plan).map_err(TestCaseError::fail)?;
        let again = fleet.plan(&world);
        let mut rejected = 0;
        for agent in &again.agents {
            let document = fleet.document(&agent.name);
            let is_rejected = is_published_before(&fleet, document) && says_more(document);
            let expected = if is_rejected { Outcome::Refused } else { Outcome::NoChange };
            prop_assert_eq!(agent.outcome, expected, "{}: {:?}", agent.name, agent.changes);
            rejected += usize::from(is_rejected);
        }
        prop_assert!(again.order.is_empty());
        prop_assert_eq!(again.counts.no_change + rejected, fleet.documents.len());
    }

    #[test]
    fn a_plan_does_not_depend_on_the_order_of_its_documents(fleet in fleets(), turn in 0_usize..8) {
        let mut turned = fleet.clone();
        let count = turned.documents.len().max(1);
        turned.documents.rotate_left(turn % count);
        let there = fleet.plan(&fleet.world);
        prop_assert_eq!(&there, &turned.plan(&fleet.world));
        turned.documents.reverse();
        prop_assert_eq!(&there, &turned.plan(&fleet.world));
        // Joining it again changes nothing.
        prop_assert_eq!(&there, &plan(there.agents.clone()));
    }

    #[test]
    fn drift_is_what_the_service_changed(old in settings(), now in settings(), written in settings()) {
        let state = |settings: &BTreeMap<String, Value>| -> BTreeMap<String, Value> {
            let set = settings.iter().filter(|(_, value)| !is_nothing(value));
            set.map(|(name, value)| (name.clone(), plain(value))).collect()
        };
        let world = |settings: &BTreeMap<String, Value>| {
            let version = Version { settings: state(settings), is_published: false };
            let agent = Agent { versions: BTreeMap::from([(2, version)]), live: [None, None] };
            World(BTreeMap::from([("ag_0".to_owned(), agent)]))
        };
        let mut body: Map<String, Value> = written.clone().into_iter().collect();
        body.insert("version_number".to_owned(), json!(2));
        let document = Sent { name: "a".to_owned(), agent: "ag_0".to_owned(), version: 2, body };
        let base = Stored::new(Document::parse(world(&old).stored("ag_0", 2).to_string()));
        let plan = plan_agent(&Fleet::inputs(&document, &world(&now)).base(base));

        let (before, after) = (state(&old), state(&now));
        for (name, _) in VALUES {
            let (was, is) = (before.get(name), after.get(name));
            let wanted = written.get(name).map(|value| Some(plain(value)).filter(|value| !is_nothing(value)));
            let found = plan.drift.iter().find(|drift| drift.field == format!("/{name}"));
            let change = plan.changes.iter().find(|change| change.field == format!("/{name}"));
            if was == is {
                prop_assert!(found.is_none(), "{name}: {found:?}");
                prop_assert!(change.is_none_or(|change| !change.overwrites));
                continue;
            }
            let found = found.ok_or_else(|| TestCaseError::fail(format!("{name} has no drift")))?;
            let expected = match &wanted {
                None => (DriftKind::Service, false),
                Some(wanted) if wanted.as_ref() == is => (DriftKind::Same, false),
                Some(wanted) if wanted.as_ref() == was => (DriftKind::Service, true),
                Some(_) => (DriftKind::Conflict, true),
            };
            prop_assert_eq!((found.kind, found.is_overwritten), expected, "{}", name);
            prop_assert_eq!(change.is_some_and(|change| change.overwrites), expected.1, "{}", name);
        }
        prop_assert_eq!(plan.has_drift(), plan.drift.iter().any(|drift| drift.is_overwritten));
    }

    #[test]
    fn more_knowledge_never_reverses_an_outcome(
        fleet in fleets(),
        is_published in any::<bool>(),
        max in prop::option::of(prop::sample::select(&["5", "11", "2.5"][..])),
        facts in any::<[bool; 2]>(),
    ) {
        for document in &fleet.documents {
            let mut document = document.clone();
            if let Some(max) = max {
                document.body.insert("kb_max_chunks".to_owned(), serde_json::from_str(max).unwrap());
            }
            let mut world = fleet.world.clone();
            let agent = world.0.get_mut(&document.agent).unwrap();
            agent.versions.get_mut(&document.version).unwrap().is_published = is_published;
            let all = Fleet::inputs(&document, &world);
            let campaign = json!([{ "id": "ca", "agent_id": document.agent, "state": "running" }]);
            let campaigns = if facts[0] { campaign } else { json!([]) };
            let told = json!({ "agents": [document.agent], "campaigns": campaigns, "phone_numbers": ["pn_0", "pn_1"], "workflows": [] });
            let told = Facts::new(Document::parse(told.to_string()));
            let strong = plan_agent(&PlanInputs::new("a", all.inputs.clone().facts(told)));

            let stored = world.stored(&document.agent, document.version);
            let mut without_agent = stored.clone();
            without_agent.as_object_mut().unwrap().remove("agent");
            let mut few = stored;
            few.as_object_mut().unwrap().remove("complete");
            few["version"].as_object_mut().unwrap().retain(|name, _| {
                name == "version_number" || name == "is_published" || document.body.contains_key(name)
            });
            let weaker = [Some(without_agent), Some(few), None].map(|stored| {
                let stored = stored.map(|it| Stored::new(Document::parse(it.to_string())));
                all.inputs.clone().stored(stored).facts(None)
            });
            let no_facts = all.inputs.clone().facts(None);
            for (count, inputs) in weaker.into_iter().chain([no_facts]).enumerate() {
                let weak = plan_agent(&PlanInputs::new("a", inputs));
                let is_accepted = |plan: &AgentPlan| [Outcome::Update, Outcome::Publish].contains(&plan.outcome);
                let is_rejected = |plan: &AgentPlan| plan.outcome == Outcome::Refused;
                let is_reversed = (is_rejected(&weak) && is_accepted(&strong))
                    || (is_accepted(&weak) && is_rejected(&strong))
                    || (weak.outcome == Outcome::NoChange && strong.outcome != Outcome::NoChange)
                    || (weak.outcome == Outcome::Update && strong.outcome == Outcome::Publish)
                    || (weak.outcome == Outcome::Publish && strong.outcome == Outcome::Update);
                prop_assert!(!is_reversed, "{count}: {weak:#?}\n{strong:#?}");
                let statuses = |plan: &AgentPlan| -> BTreeSet<u16> { plan.statuses.iter().map(|it| it.status).collect() };
                if is_accepted(&weak) && is_accepted(&strong) {
                    prop_assert!(statuses(&strong).is_subset(&statuses(&weak)));
                }
            }
        }
    }

    #[test]
    fn more_knowledge_never_reverses_a_rule_across_documents(fleet in fleets(), hidden in any::<[bool; 10]>()) {
        let strong = fleet.plan(&fleet.world);
        let agents = fleet.documents.iter().zip(hidden.iter().cycle()).map(|(document, is_hidden)| {
            let inputs = Fleet::inputs(document, &fleet.world);
            if !is_hidden {
                return plan_agent(&inputs);
            }
            // Without the id of the agent and its other versions.
            let mut stored = fleet.world.stored(&document.agent, document.version);
            stored.as_object_mut().unwrap().remove("agent");
            let stored = Stored::new(Document::parse(stored.to_string()));
            plan_agent(&PlanInputs::new(&*document.name, inputs.inputs.stored(stored)))
        });
        let all = plan(agents.collect());
        for (weak, strong) in all.agents.iter().zip(&strong.agents) {
            for finding in &weak.findings {
                let id = &finding.diagnostic.rule.id;
                let is_still = strong.findings.iter().any(|it| it.diagnostic.rule.id == *id);
                prop_assert!(is_still, "{}: {id} {:?}", weak.name, finding.diagnostic.message);
            }
            for finding in &strong.findings {
                let id = &finding.diagnostic.rule.id;
                let is_found = weak.findings.iter().any(|it| it.diagnostic.rule.id == *id);
                // Which document has the finding, or is undecided, depends on whose agents are known.
                let is_open = all.agents.iter().any(|agent| {
                    (agent.name == strong.name || finding.others.contains(&agent.name))
                        && agent.undecided.iter().any(|entry| entry.rule.id == *id)
                });
                prop_assert!(is_found || is_open, "{}: {id}", strong.name);
            }
        }
    }
}
