//! Laws of differences, over generated pairs: the update turns what is stored into what is wanted, and nothing in it is idle.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stdout,
    clippy::string_slice,
    clippy::unwrap_used,
    reason = "a test fails by panicking, and says so when it is skipped"
)]

mod support;

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::Value;
use support::seed;
use voxlint::schema::{Items, Null, Row, Shape, settings};
use voxlint::{
    ChangeKind, DiffInputs, Difference, Document, DocumentKind, Inputs, Report, Source, Stored,
    VerdictKind, check, diff,
};

const ITEM: &str = r#"{"field_name": "NAME", "field_type": "STRING", "field_description": "x"}"#;
const FUNCTION: &str =
    r#"{"displayName": "NAME", "type": "end_call", "description": "x", "config": {"n": 1.0}}"#;

/// The same value in two spellings, another one, and the ways to say that there is none.
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
        Shape::Map(_) | Shape::Entries(_) => {
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

/// Rows that hang together, so that generated pairs have them together more often.
const KNOTS: [&[&str]; 4] = [
    &["voice_id", "voice_model_id"],
    &["is_published", "inbound_phone_number_id", "outbound_phone_number_id"],
    &["post_call_analysis", "postcall_analysis"],
    &["fallback_stt_enabled", "transcriber_id", "stt_fallback_transcriber_id"],
];

/// The members of two documents, spelled out.
#[derive(Clone, Debug)]
struct Pair {
    old: String,
    new: String,
    /// Whether what the stored settings omit is unset, not unknown.
    complete: bool,
    partial: bool,
}

fn pairs() -> impl Strategy<Value = Pair> {
    let one = (any::<prop::sample::Index>(), any::<[u8; 2]>());
    let some = proptest::collection::vec(one, 0..8);
    let knot = (prop::option::of(0..KNOTS.len()), any::<[[u8; 2]; 3]>());
    (some, knot, any::<bool>(), any::<bool>()).prop_map(
        |(some, (knot, spelled), complete, partial)| {
            let rows = rows();
            let mut chosen: BTreeMap<usize, [u8; 2]> = BTreeMap::new();
            for (at, spelled) in some {
                chosen.insert(at.index(rows.len()), spelled);
            }
            for (name, spelled) in knot.into_iter().flat_map(|knot| KNOTS[knot]).zip(spelled) {
                chosen.insert(rows.iter().position(|row| row.name == *name).unwrap(), spelled);
            }
            let [old, new] = [0, 1].map(|side| {
                let mut members = vec!["\"version_number\": 3".to_owned()];
                for (at, spelled) in &chosen {
                    let values = spellings(rows[*at]);
                    // One of the choices is to leave the member out.
                    if let Some(value) = values.get(spelled[side] as usize % (values.len() + 1)) {
                        members.push(format!("\"{}\": {value}", rows[*at].name));
                    }
                }
                // The order of members means nothing.
                members.reverse();
                format!("{{{}}}", members.join(", "))
            });
            Pair { old, new, complete, partial }
        },
    )
}

impl Pair {
    fn difference(&self) -> Difference {
        let held = if self.complete {
            format!("{{\"version\": {}, \"complete\": true}}", self.old)
        } else {
            self.old.clone()
        };
        let sources = [held.as_str(), self.new.as_str()].map(Source::from);
        let [old, new] = sources.each_ref().map(Document::parse);
        let inputs = DiffInputs::new(Stored::new(&old), &new);
        diff(&if self.partial { inputs.partial() } else { inputs }).expect("a difference")
    }
}

/// What a version is like: what is set, and which numbers have been claimed for live calls.
#[derive(Clone, Debug, Default, PartialEq)]
struct State {
    set: BTreeMap<String, Value>,
    live: BTreeMap<String, Value>,
}

/// The value as the service understands it: numbers by value.
fn plain(value: &Value) -> Value {
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

/// The members of a document; the analysis, which has two names, goes by the first that holds something.
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
    /// The rules of an update: what is omitted stays, null clears, lists and objects are replaced whole.
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

fn judge(text: &str, kind: DocumentKind) -> Report {
    let source = Source::from(text);
    let document = Document::parse(&source);
    check(&Inputs::new(&document).kind(kind))
}

fn is_refused(text: &str) -> bool {
    let report = judge(text, DocumentKind::Settings);
    report.diagnostics.iter().any(|found| found.verdict == VerdictKind::Reject)
}

proptest! {
    // The same cases every time; PROPTEST_RNG_SEED tries others.
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, rng_seed: seed(), ..ProptestConfig::default() })]

    #[test]
    fn the_update_turns_the_old_state_into_the_new_one(pair in pairs()) {
        let difference = pair.difference();
        let update = sent(&difference);
        let (old, wanted) = (state(&pair.old), members(&pair.new));
        let after = old.after(&update);

        let names: Vec<&str> = rows().iter().map(|row| row.name).collect();
        for name in names.into_iter().filter(|name| !["update_deployment", "postcall_analysis"].contains(name)) {
            let is_wanted = wanted.get(name).is_some_and(|value| !is_nothing(name, value));
            let is_kept = difference.stays.iter().any(|stay| stay.field == format!("/{name}"))
                || (!wanted.contains_key(name) && (pair.partial || name == "is_published"))
                || (name == "is_published" && wanted.get(name) == Some(&Value::Null));
            if name == "voice_model_id" && !is_wanted && update.contains_key("voice_id") {
                // Whoever names a voice and no model gets the recommended one.
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
        for stay in &difference.stays {
            let row = settings::TABLE.row(&stay.field[1..]).unwrap();
            let can_be_unset = row.null == Null::Clears
                || matches!(row.shape, Shape::List(_) | Shape::Map(_))
                || is_phone(row.name);
            prop_assert!(!can_be_unset && old.set.contains_key(row.name), "{} of {:?}", row.name, &pair);
            prop_assert!(!pair.partial || wanted.contains_key(row.name));
        }
    }

    #[test]
    fn nothing_in_the_update_is_idle(pair in pairs()) {
        let pair = Pair { complete: true, ..pair };
        let difference = pair.difference();
        let update = sent(&difference);
        let old = state(&pair.old);
        let after = old.after(&update);
        prop_assert_eq!(update.len(), difference.changes.len());
        for (name, value) in &update {
            let mut without = update.clone();
            without.remove(name);
            prop_assert_ne!(old.after(&without), after.clone(), "{} is idle: {:?}", name, &pair);

            let is_named = |field: &str| field[1..].replace("postcall", "post_call") == *name;
            let change = difference.changes.iter().find(|change| is_named(&change.field)).unwrap();
            let is_held = old.set.get(name) == Some(value);
            prop_assert_eq!(is_held, change.kind == ChangeKind::Repeated, "{} of {:?}", name, &pair);
        }
        prop_assert!(difference.changes.is_sorted_by_key(|change| change.kind));
    }

    #[test]
    fn equal_states_have_no_difference(pair in pairs()) {
        let same = Pair { new: pair.old.clone(), ..pair };
        let difference = same.difference();
        prop_assert_eq!(difference.update, None, "{:?}", &same);
        prop_assert!(difference.changes.is_empty() && difference.stays.is_empty());
    }

    #[test]
    fn the_update_from_one_clean_draft_to_another_is_accepted(pair in pairs()) {
        let pair = Pair { old: Pair::unpublished(&pair.old), partial: false, ..pair };
        // About every fourth pair is clean.
        let is_clean = !is_refused(&pair.old) && !is_refused(&pair.new);
        let difference = pair.difference();
        // What stays mixes two states, and the mixture need not be clean.
        if is_clean && difference.stays.is_empty() {
            prop_assert!(!difference.is_refused(), "{:?}: {:?}", &pair, &difference);
        }
    }
}

impl Pair {
    /// The document of a draft.
    fn unpublished(text: &str) -> String {
        text.replace("\"is_published\": true", "\"is_published\": false")
    }
}
