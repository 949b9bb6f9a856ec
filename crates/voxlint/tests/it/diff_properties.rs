//! Properties of differences, checked for generated pairs: the update turns the stored configuration into the desired one, and
//! contains no redundant field.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::Value;
use voxlint::schema::{Items, Null, Row, Shape, settings};
use voxlint::{
    ChangeKind, DiffInputs, Difference, Document, DocumentKind, Inputs, Report, Stored,
    VerdictKind, check, diff,
};
use voxlint_testing::property;

const ITEM: &str = r#"{"field_name": "NAME", "field_type": "STRING", "field_description": "x"}"#;
const FUNCTION: &str =
    r#"{"displayName": "NAME", "type": "end_call", "description": "x", "config": {"n": 1.0}}"#;

/// The same value in two forms, another value, and the forms of an absent value.
fn spellings(row: &Row) -> Vec<String> {
    let texts = |values: &[&str]| values.iter().map(|value| format!("\"{value}\"")).collect();
    let mut values: Vec<String> = match row.shape {
        Shape::Text(_) if is_phone(row.name) => texts(&["pn_a", "pn_\\u0061", "pn_b", ""]),
        Shape::Text(_) if row.name == "timezone" => texts(&["UTC", "Europe/Berlin"]),
        Shape::Text(_) if row.name == "node_positions" => texts(&["{}", "[]"]),
        Shape::Text(text) if !text.choices.is_empty() => texts(&text.choices[..2]),
        Shape::Text(_) => texts(&["a", "\\u0061", "b"]),
        Shape::Number(number) => {
            let (min, max) = (number.min.unwrap_or(1), number.max.unwrap_or(20));
            vec![format!("{min}"), format!("{min}.0"), format!("{max}")]
        }
        Shape::List(Items::Texts(_)) => {
            ["[]", "[\"a\"]", "[\"\\u0061\"]", "[\"a\", \"b\"]"].map(str::to_owned).into()
        }
        Shape::List(Items::Maps(_)) => {
            let item = if row.name == "agent_functions" { FUNCTION } else { ITEM };
            let [one, other] = ["a", "b"].map(|name| item.replace("NAME", name));
            let spaced = one.replace("1.0", "1").replace(": ", ":  ");
            vec![
                "[]".into(),
                format!("[{one}]"),
                format!("[{spaced}]"),
                format!("[{one}, {other}]"),
            ]
        }
        Shape::Map(_) | Shape::Entries(_) | Shape::EntriesOrFirst(_) => {
            let values = ["{}", r#"{"a": 1, "b": [2]}"#, r#"{"b": [2.0], "a": 1}"#, r#"{"a": 2}"#];
            values.map(str::to_owned).into()
        }
        _ => vec!["true".into(), "false".into()],
    };
    values.push("null".to_owned());
    values
}

fn is_phone(name: &str) -> bool {
    name.ends_with("_phone_number_id")
}

fn rows() -> Vec<&'static Row> {
    settings::TABLE.rows.iter().copied().filter(|row| row.name != "version_number").collect()
}

/// Rows that depend on each other. Generated pairs often contain them together.
const KNOTS: [&[&str]; 4] = [
    &["voice_id", "voice_model_id"],
    &["is_published", "inbound_phone_number_id", "outbound_phone_number_id"],
    &["post_call_analysis", "postcall_analysis"],
    &["fallback_stt_enabled", "transcriber_id", "stt_fallback_transcriber_id"],
];

/// The settings that the summary of a version also has, and those that the agent has.
const OF_SUMMARY: [&str; 9] = [
    "version_title",
    "title",
    "is_published",
    "language_id",
    "voice_id",
    "llm_id",
    "transcriber_id",
    "fallback_stt_enabled",
    "stt_fallback_transcriber_id",
];
const OF_AGENT: [&str; 4] = ["folder_id", "timezone", "pipeline_type", "webhook_id"];

/// The given part of the stored configuration.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Told {
    /// The settings alone.
    Settings,
    /// The settings in an object with the field `complete`.
    Version { complete: bool },
    /// An agent with a summary of the version.
    Agent,
    /// Both, with every other setting only.
    Both { odd: bool },
    /// Both, with complete settings.
    All,
}

const TOLD: [Told; 7] = [
    Told::Settings,
    Told::Version { complete: false },
    Told::Version { complete: true },
    Told::Agent,
    Told::Both { odd: false },
    Told::Both { odd: true },
    Told::All,
];

/// The fields of a document, as JSON.
type Members = BTreeMap<&'static str, String>;

/// The stored and the desired settings of version 3.
#[derive(Clone, Debug)]
struct Pair {
    old: Members,
    new: Members,
    told: Told,
    complete: bool,
}

fn pairs() -> impl Strategy<Value = Pair> {
    let one = (any::<prop::sample::Index>(), any::<[u8; 2]>());
    let some = proptest::collection::vec(one, 0..8);
    let knot = (prop::option::of(0..KNOTS.len()), any::<[[u8; 2]; 3]>());
    (some, knot, prop::sample::select(&TOLD), any::<bool>()).prop_map(
        |(some, (knot, spelled), told, complete)| {
            let rows = rows();
            let mut chosen: BTreeMap<usize, [u8; 2]> = BTreeMap::new();
            for (at, spelled) in some {
                chosen.insert(at.index(rows.len()), spelled);
            }
            for (name, spelled) in knot.into_iter().flat_map(|knot| KNOTS[knot]).zip(spelled) {
                chosen.insert(rows.iter().position(|row| row.name == *name).unwrap(), spelled);
            }
            let [old, new] = [0, 1].map(|side| {
                let spelled = chosen.iter().filter_map(|(at, spelled)| {
                    let values = spellings(rows[*at]);
                    // One of the choices is to omit the field.
                    let value = values.get(spelled[side] as usize % (values.len() + 1))?;
                    Some((rows[*at].name, value.clone()))
                });
                spelled.chain([("version_number", "3".to_owned())]).collect()
            });
            Pair { old, new, told, complete }
        },
    )
}

fn object(members: &Members) -> String {
    // The order of fields has no meaning.
    let members: Vec<String> =
        members.iter().rev().map(|(name, value)| format!("\"{name}\": {value}")).collect();
    format!("{{{}}}", members.join(", "))
}

/// The analysis has two names. The first one is used.
fn first_name(name: &str) -> &str {
    if name == "postcall_analysis" { "post_call_analysis" } else { name }
}

impl Pair {
    fn difference(&self) -> Difference {
        let (held, wanted) = (self.held(), object(&self.new));
        let [old, new] = [held.as_str(), &wanted].map(Document::parse);
        let inputs = DiffInputs::new(Stored::new(old), new);
        diff(&if self.complete { inputs.complete() } else { inputs }).expect("a difference")
    }

    /// The document with the stored configuration.
    fn held(&self) -> String {
        let version: Members = self
            .old
            .iter()
            .filter(|(name, _)| self.tells(name))
            .map(|(name, value)| (*name, value.clone()))
            .collect();
        let version = object(&version);
        match self.told {
            Told::Settings => version,
            Told::Version { complete } => {
                format!(r#"{{"version": {version}, "complete": {complete}}}"#)
            }
            Told::Agent => self.agent(),
            Told::Both { .. } => format!(r#"{{"agent": {}, "version": {version}}}"#, self.agent()),
            Told::All => {
                format!(r#"{{"complete": true, "agent": {}, "version": {version}}}"#, self.agent())
            }
        }
    }

    fn agent(&self) -> String {
        let told = |names: &[&'static str]| -> Members {
            let value = |name| self.old.get(name).cloned().unwrap_or_else(|| "null".to_owned());
            names.iter().map(|name| (*name, value(*name))).collect()
        };
        let mut summary = told(&OF_SUMMARY);
        summary.insert("version_number", "3.0".to_owned());
        let mut agent = told(&OF_AGENT);
        agent.insert("id", "\"ag_a\"".to_owned());
        agent.insert("agent_type", "\"Single_Prompt_Agent\"".to_owned());
        let other = r#"{"version_number": 2, "title": "other", "is_published": true}"#;
        agent.insert("versions", format!("[{other}, {}]", object(&summary)));
        object(&agent)
    }

    /// Whether the given settings contain a field that is stored.
    fn tells(&self, name: &str) -> bool {
        let place = rows().iter().position(|row| row.name == first_name(name));
        match (self.told, place) {
            (Told::Both { odd }, Some(place)) => (place % 2 == 1) == odd,
            (told, _) => told != Told::Agent,
        }
    }

    fn is_complete(&self) -> bool {
        matches!(self.told, Told::Version { complete: true } | Told::All)
    }

    fn has_agent(&self) -> bool {
        matches!(self.told, Told::Agent | Told::Both { .. } | Told::All)
    }

    /// Whether the stored value of a setting is given outside of the agent.
    fn is_version_known(&self, name: &str) -> bool {
        let is_there = self.old.keys().any(|held| first_name(held) == name && self.tells(held));
        is_there || self.is_complete() || (self.has_agent() && OF_SUMMARY.contains(&name))
    }

    /// Whether only the agent gives a setting.
    fn is_agents(&self, name: &str) -> bool {
        let is_there = self.old.contains_key(name) && self.tells(name);
        self.has_agent() && OF_AGENT.contains(&name) && !is_there
    }

    /// Whether the stored value of a setting is given.
    fn is_known(&self, name: &str) -> bool {
        self.is_version_known(name) || self.is_agents(name)
    }

    /// Whether a setting stays unchanged because it is not known whether it is set.
    fn is_left_alone(&self, name: &str) -> bool {
        let wanted = members(&object(&self.new));
        match wanted.get(name) {
            _ if self.is_known(name) || name == "is_published" => false,
            None => self.complete,
            Some(value) => is_nothing(name, value) && !can_be_unset(name),
        }
    }
}

fn can_be_unset(name: &str) -> bool {
    let row = settings::TABLE.row(name).unwrap();
    row.null == Null::Clears
        || matches!(row.shape, Shape::List(_) | Shape::Map(_))
        || is_phone(row.name)
}

/// The number of unchanged unknown settings in the note, and those that it names.
fn reported_as_unchanged(difference: &Difference) -> (usize, Vec<String>) {
    let mut notes = difference.notes.iter().filter(|it| it.starts_with("it is unknown whether"));
    let Some(note) = notes.next() else { return (0, Vec::new()) };
    assert_eq!(notes.next(), None, "one note");
    let names = note.split_once(": ").unwrap().1.split_once(". ").unwrap().0;
    let (names, more) = names.split_once(" and ").unwrap_or((names, "0 more"));
    let names: Vec<String> = names.split(", ").map(|name| name.replace('`', "")).collect();
    let more: usize = more.strip_suffix(" more").unwrap().parse().unwrap();
    (names.len() + more, names)
}

/// A version: its settings, and the phone numbers that are connected.
#[derive(Clone, Debug, Default, PartialEq)]
struct State {
    set: BTreeMap<String, Value>,
    live: BTreeMap<String, Value>,
}

/// A value in a comparable form: numbers by value.
pub(crate) fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => Value::from(number.as_f64().unwrap()),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(members) => {
            members.iter().map(|(name, value)| (name.clone(), plain(value))).collect()
        }
        other => other.clone(),
    }
}

fn is_nothing(name: &str, value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(items) => items.is_empty(),
        Value::Object(members) => members.is_empty(),
        Value::String(text) => text.is_empty() && is_phone(name),
        Value::Bool(flag) => name == "is_published" && !flag,
        Value::Number(_) => false,
    }
}

/// The fields of a document. The analysis has two names. The first one with a value is used.
fn members(text: &str) -> BTreeMap<String, Value> {
    let Value::Object(members) = serde_json::from_str(text).unwrap() else { panic!("{text}") };
    let mut members: BTreeMap<String, Value> =
        members.iter().map(|(name, value)| (name.clone(), plain(value))).collect();
    members.remove("version_number");
    members.remove("update_deployment");
    if let Some(second) = members.remove("postcall_analysis") {
        let first = members.entry("post_call_analysis".to_owned()).or_insert(Value::Null);
        if is_nothing("", first) {
            *first = second;
        }
    }
    members
}

fn state(text: &str) -> State {
    let mut set = members(text);
    set.retain(|name, value| !is_nothing(name, value));
    State { set, live: BTreeMap::new() }
}

impl State {
    /// Applies an update: omitted fields stay, null clears, lists and objects are replaced as a whole.
    fn after(&self, update: &BTreeMap<String, Value>) -> Self {
        let mut after = self.clone();
        for (name, value) in update {
            if is_nothing(name, value) {
                after.set.remove(name);
            } else {
                after.set.insert(name.clone(), value.clone());
            }
        }
        if update.contains_key("voice_id") && !update.contains_key("voice_model_id") {
            after.set.insert("voice_model_id".to_owned(), "recommended".into());
        }
        if update.get("is_published") == Some(&Value::Bool(true)) {
            let numbers = update.iter().filter(|(name, id)| is_phone(name) && *id != "");
            after.live.extend(numbers.map(|(name, id)| (name.clone(), id.clone())));
        }
        after
    }
}

fn sent(difference: &Difference) -> BTreeMap<String, Value> {
    difference.update.as_deref().map(members).unwrap_or_default()
}

fn check_as(text: &str, kind: DocumentKind) -> Report {
    let document = Document::parse(text);
    check(&Inputs::new(document).kind(kind))
}

fn is_rejected(text: &str) -> bool {
    let report = check_as(text, DocumentKind::Settings);
    report.diagnostics.iter().any(|found| found.verdict == VerdictKind::Reject)
}

/// The settings that are compared. The analysis has its first name.
fn names() -> impl Iterator<Item = &'static str> {
    let names = rows().into_iter().map(|row| row.name);
    names.filter(|name| !["update_deployment", "postcall_analysis"].contains(name))
}

proptest! {
    // The cases are the same in every run. PROPTEST_RNG_SEED chooses others.
    #![proptest_config(property(200, 2_000))]

    #[test]
    fn the_update_turns_the_old_state_into_the_new_one(pair in pairs()) {
        let difference = pair.difference();
        let update = sent(&difference);
        let (old, wanted) = (state(&object(&pair.old)), members(&object(&pair.new)));
        let after = old.after(&update);

        for name in names() {
            let is_wanted = wanted.get(name).is_some_and(|value| !is_nothing(name, value));
            let is_omitted = !wanted.contains_key(name);
            let is_kept = difference.cannot_unset.iter().any(|stay| stay.field == format!("/{name}"))
                || (is_omitted && (!pair.complete || name == "is_published" || pair.is_agents(name)))
                || (name == "is_published" && wanted.get(name) == Some(&Value::Null))
                || (name == "is_published" && !is_wanted && !pair.is_known(name))
                || pair.is_left_alone(name);
            if name == "voice_model_id" && !is_wanted && update.contains_key("voice_id") {
                // A voice without a model gets the recommended one.
                prop_assert_eq!(after.set.get(name), Some(&Value::from("recommended")));
            } else if is_kept {
                prop_assert_eq!(after.set.get(name), old.set.get(name), "{} of {:?}", name, &pair);
            } else {
                let wanted = wanted.get(name).filter(|_| is_wanted);
                prop_assert_eq!(after.set.get(name), wanted, "{} of {:?}", name, &pair);
            }
            if is_phone(name) && update.get("is_published") == Some(&Value::Bool(true)) {
                prop_assert_eq!(after.live.get(name), wanted.get(name).filter(|_| is_wanted));
            }
        }
        for stay in &difference.cannot_unset {
            let name = &stay.field[1..];
            prop_assert!(!can_be_unset(name) && old.set.contains_key(name), "{} of {:?}", name, &pair);
            let may_be_unset = pair.complete && !pair.is_agents(name);
            prop_assert!(may_be_unset || wanted.contains_key(name));
        }
    }

    #[test]
    fn unchanged_unknown_values_are_reported(pair in pairs()) {
        let difference = pair.difference();
        let takes_recommended = sent(&difference).contains_key("voice_id");
        let left: Vec<&str> = names()
            .filter(|name| pair.is_left_alone(name))
            .filter(|name| *name != "voice_model_id" || !takes_recommended)
            .collect();
        let (count, told) = reported_as_unchanged(&difference);
        prop_assert_eq!(count, left.len(), "{:?}: {:?}", &pair, &difference.notes);
        prop_assert!(told.iter().all(|name| left.contains(&first_name(name))), "{:?}", &told);
        prop_assert_eq!(told.len(), count.min(8));
    }

    #[test]
    fn no_field_of_the_update_is_redundant(pair in pairs()) {
        let difference = pair.difference();
        let update = sent(&difference);
        let old = state(&object(&pair.old));
        let after = old.after(&update);
        prop_assert_eq!(update.len(), difference.changes.len());
        for (name, value) in update.iter().filter(|(name, _)| pair.is_known(name)) {
            let mut without = update.clone();
            without.remove(name);
            prop_assert_ne!(old.after(&without), after.clone(), "{} is idle: {:?}", name, &pair);

            let is_named = |field: &str| first_name(&field[1..]) == name;
            let change = difference.changes.iter().find(|change| is_named(&change.field)).unwrap();
            let is_held = old.set.get(name) == Some(value);
            prop_assert_eq!(is_held, change.kind == ChangeKind::Repeated, "{} of {:?}", name, &pair);
        }
        let takes_back = update.get("is_published") == Some(&Value::Bool(false));
        prop_assert!(!takes_back || pair.is_known("is_published"), "{:?}", &pair);
        prop_assert!(difference.changes.is_sorted_by_key(|change| change.kind));
    }

    #[test]
    fn equal_states_have_no_difference(pair in pairs()) {
        let same = Pair { new: pair.old.clone(), ..pair };
        let difference = same.difference();
        for change in &difference.changes {
            let is_known = same.is_known(first_name(&change.field[1..]));
            prop_assert!(!is_known || change.kind == ChangeKind::Repeated, "{:?} of {:?}", change, &same);
        }
        prop_assert!(difference.cannot_unset.is_empty());
        let is_told = names().all(|name| same.is_known(name) || !same.old.keys().any(|held| first_name(held) == name));
        prop_assert!(!is_told || difference.update.is_none(), "{:?}", &same);
    }

    #[test]
    fn the_update_from_one_clean_draft_to_another_is_accepted(pair in pairs()) {
        let mut pair = Pair { complete: true, ..pair };
        pair.old.insert("is_published", "false".to_owned());
        // About every fourth pair is clean.
        let is_clean = [&pair.old, &pair.new].iter().all(|side| !is_rejected(&object(side)));
        let difference = pair.difference();
        // What stays mixes two states, and the mixture need not be clean.
        let is_mixed = !difference.cannot_unset.is_empty()
            || names().any(|name| pair.is_agents(name) && !pair.new.contains_key(name));
        if is_clean && !is_mixed {
            prop_assert!(!difference.is_rejected(), "{:?}: {:?}", &pair, &difference);
        }
    }
}
