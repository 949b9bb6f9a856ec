//! A random edit in the service comes home, and changes nothing else.

use std::collections::BTreeSet;

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use voxlint::schema::{Row, Shape, settings};
use voxlint::syntax::{Format, Node, SyntaxErrorKind};
use voxlint::{Document, Inputs, Stored, TextFile};
use voxlint_merge::{
    AdoptInputs, AdoptOptions, Adoption, EntryKind, FileLayout, Prefer, adopt, merge_files,
};
use voxlint_model::json::Json;
use voxlint_testing::property;
use voxlint_testing::writers::WRITERS;

const NEVER: [&str; 3] = ["is_published", "inbound_phone_number_id", "outbound_phone_number_id"];

/// Texts that are hard to write in one of the formats.
const TEXTS: [&str; 16] = [
    "Front desk",
    "a: b",
    "# not a comment",
    "it's \"quoted\" \\ here",
    "true",
    "007",
    "",
    " spaces ",
    "One.\nTwo.\nThree.",
    "One.\nTwo.\nThree.\n",
    "You are kind.\n\nAsk for a name.\n\nSay {{name}}.\n",
    "You are kind.\n\nAsk for a first name.\n  - indented\n\nSay {{name}}.\n\n\n",
    "\n leading",
    "tab\there",
    "é 😀 \u{2028} ü",
    "'''\n\"\"\"\n",
];

fn text() -> impl Strategy<Value = Value> {
    prop_oneof![
        proptest::sample::select(TEXTS.to_vec()).prop_map(Value::from),
        proptest::collection::vec(
            proptest::sample::select(vec!["Be kind.", "Ask: why?", "", "- x", "  y"]),
            0..6
        )
        .prop_map(|lines| Value::from(lines.join("\n"))),
    ]
}

fn object() -> impl Strategy<Value = Value> {
    let value = prop_oneof![
        text(),
        Just(json!(3)),
        Just(json!(true)),
        Just(json!(["a", "b"])),
        Just(json!({"k": "v"}))
    ];
    proptest::collection::btree_map("[a-c]|a b|x[.]y", value, 0..4)
        .prop_map(|members| json!(members))
}

fn items(
    name: &'static str,
    others: fn(String, Value, Value) -> Value,
) -> impl Strategy<Value = Value> {
    let item = (proptest::sample::select(vec!["end", "book", "to desk", "x: y"]), text(), object());
    proptest::collection::vec(item, 0..4).prop_map(move |items| {
        let mut seen = BTreeSet::new();
        let items = items.into_iter().filter(|(name, ..)| seen.insert(*name));
        let items = items.map(|(key, text, object)| {
            let mut item = others(key.to_owned(), text, object);
            item[name] = Value::from(key);
            item
        });
        Value::Array(items.collect())
    })
}

fn value(row: &'static Row) -> BoxedStrategy<Value> {
    match row.name {
        "agent_functions" => items("displayName", |_, text, config| {
            json!({ "displayName": "", "type": "custom", "description": text, "config": config })
        })
        .boxed(),
        "post_call_analysis" => items("field_name", |_, text, _| {
            json!({ "field_name": "", "field_type": "STRING", "field_description": text })
        })
        .boxed(),
        _ => match row.shape {
            Shape::Number(_) => proptest::sample::select(vec![json!(1), json!(20), json!(0.5), json!(1000)]).boxed(),
            Shape::Flag => any::<bool>().prop_map(Value::from).boxed(),
            Shape::List(_) => proptest::collection::btree_set("kb_[a-d]", 0..4)
                .prop_map(|ids| json!(ids))
                .prop_shuffle_list()
                .boxed(),
            Shape::Map(_) => object().boxed(),
            _ => text().boxed(),
        },
    }
}

trait ShuffleList: Strategy<Value = Value> + Sized {
    fn prop_shuffle_list(self) -> impl Strategy<Value = Value> {
        self.prop_perturb(|value, mut random| {
            let Value::Array(mut items) = value else { return value };
            if !items.is_empty() && random.random_bool(0.5) {
                let at = items.len() - 1;
                items.swap(0, at);
            }
            Value::Array(items)
        })
    }
}

impl<T: Strategy<Value = Value>> ShuffleList for T {}

fn rows() -> Vec<&'static Row> {
    let skipped = ["version_number", "update_deployment", "postcall_analysis"];
    settings::TABLE
        .rows
        .iter()
        .copied()
        .filter(|row| !skipped.contains(&row.name) && !NEVER.contains(&row.name))
        .collect()
}

/// Values of some settings.
fn some(most: usize) -> impl Strategy<Value = Map<String, Value>> {
    let rows = proptest::sample::subsequence(rows(), 0..=most);
    rows.prop_flat_map(|rows| {
        rows.into_iter().map(|row| (Just(row.name.to_owned()), value(row))).collect::<Vec<_>>()
    })
    .prop_map(|members| members.into_iter().collect())
}

#[derive(Clone, Debug)]
struct Edit {
    base: Map<String, Value>,
    /// What the document does not say of the base.
    omitted: BTreeSet<usize>,
    changed: Map<String, Value>,
    removed: BTreeSet<usize>,
    style: usize,
}

/// A base, and an edit of it in the service: some settings have other values, and a few are unset.
fn edits() -> impl Strategy<Value = Edit> {
    (some(7), some(2)).prop_flat_map(|(base, more)| {
        let known: Vec<&'static Row> =
            rows().into_iter().filter(|row| base.contains_key(row.name)).collect();
        let most = known.len().min(3);
        let changed = proptest::sample::subsequence(known, 0..=most).prop_flat_map(|rows| {
            rows.into_iter().map(|row| (Just(row.name.to_owned()), value(row))).collect::<Vec<_>>()
        });
        let omitted = proptest::collection::btree_set(0_usize..12, 0..2);
        let removed = proptest::collection::btree_set(0_usize..20, 0..2);
        (Just((base, more)), changed, omitted, removed, 0..WRITERS.len() + 5).prop_map(
            move |((base, mut more), changed, omitted, removed, style)| {
                more.retain(|name, _| !base.contains_key(name));
                let mut all = more;
                all.extend(changed);
                Edit { base, omitted, changed: all, removed, style }
            },
        )
    })
}

impl Edit {
    fn document(&self) -> Option<(String, Format)> {
        let mut body = Map::new();
        body.insert("version_number".into(), json!(3));
        let kept = self.base.iter().enumerate().filter(|(at, _)| !self.omitted.contains(at));
        body.extend(kept.map(|(_, (name, value))| (name.clone(), value.clone())));
        let compact = serde_json::to_string(&body).unwrap();
        let pretty = serde_json::to_string_pretty(&body).unwrap();
        let written = |at: usize| {
            let (_, format, write) = WRITERS[at];
            let document = Document::parse(pretty.as_str());
            Some((write(document.tree().root()?)?, format))
        };
        Some(match self.style.checked_sub(WRITERS.len()) {
            None => written(self.style)?,
            Some(0) => (compact, Format::Json),
            Some(1) => (pretty, Format::Json),
            Some(2) => (pretty.replace('\n', "\r\n"), Format::Json),
            // Comments above each field, and beside its last one.
            Some(3) => {
                let (text, format) = written(6)?;
                let lines = text.lines().map(|line| {
                    if line.starts_with(|c: char| c.is_alphanumeric() || c == '"') {
                        format!("# on {}\n{line}\n", &line[..1])
                    } else {
                        format!("{line}\n")
                    }
                });
                (lines.collect(), format)
            }
            Some(_) => {
                let (text, format) = written(1)?;
                (text.replace('\n', "\r\n"), format)
            }
        })
    }

    fn theirs(&self) -> Map<String, Value> {
        let mut theirs = self.base.clone();
        theirs.extend(self.changed.clone());
        let names: Vec<String> = theirs.keys().cloned().collect();
        for at in &self.removed {
            names.get(*at).and_then(|name| theirs.remove(name));
        }
        theirs
    }

    /// The document, whose prompts may be in files beside it, one of them with the line breaks of Windows.
    fn inputs(&self) -> Option<AdoptInputs> {
        let (mut own, mut texts) = (self.clone(), Vec::new());
        let theirs = self.theirs();
        for (row, line_break) in
            [(settings::prompt_text.row, "\n"), (settings::system_prompt_text.row, "\r\n")]
        {
            let has_file = self.style.is_multiple_of(2) && theirs.contains_key(row.name);
            let Some(Value::String(text)) = own.base.get(row.name).filter(|_| has_file) else {
                continue;
            };
            let text = text.replace('\n', line_break);
            texts.push(TextFile::new(row, Document::parse_as(text, Format::Text)));
            own.base.remove(row.name);
        }
        let (text, format) = own.document()?;
        let document = Document::parse_as(text, format);
        assert!(!document.has_errors(), "{}", document.text());
        let inputs = Inputs::new(document).stored(stored(&theirs)).texts(texts);
        Some(AdoptInputs { inputs, base: Some(stored(&self.base)) })
    }
}

fn options() -> AdoptOptions {
    AdoptOptions { removes: true, with_secrets: true, ..AdoptOptions::default() }
}

fn adopted(inputs: &AdoptInputs) -> Adoption {
    adopt(inputs, &options()).unwrap()
}

/// The stored configuration of an agent with these settings.
fn stored(settings: &Map<String, Value>) -> Stored {
    let mut version = settings.clone();
    version.insert("version_number".into(), json!(3));
    let agent = json!({ "id": "ag_a", "agent_type": "Single_Prompt_Agent" });
    let text = json!({ "agent": agent, "version": version, "complete": true }).to_string();
    Stored::new(Document::parse(text))
}

/// A document without the values of some fields.
fn without(document: &Document, names: &BTreeSet<&str>) -> String {
    let text = document.text();
    let mut spans: Vec<_> = document
        .tree()
        .root()
        .into_iter()
        .flat_map(Node::members)
        .filter(|it| names.contains(&*it.name()))
        .map(|it| (it.key.span().end as usize, it.value.span().end as usize))
        .collect();
    spans.sort_unstable();
    let (mut rest, mut from) = (String::new(), 0);
    for (start, end) in spans {
        rest.push_str(&text[from..start]);
        rest.push('…');
        from = end;
    }
    rest + &text[from..]
}

/// A base, and what two branches have made of it: each has changed, added and removed settings.
fn branches() -> impl Strategy<Value = ([Edit; 3], usize)> {
    (edits(), edits(), 0..3_usize).prop_map(|(edit, other, shared)| {
        let known = |all: &Map<String, Value>| -> Map<String, Value> {
            let is_known = |name: &str| edit.base.contains_key(name) || other.base.len() % 2 == 0;
            all.iter()
                .filter(|(name, _)| is_known(name))
                .map(|(name, value)| (name.clone(), value.clone()))
                .collect()
        };
        let base = Edit {
            omitted: BTreeSet::new(),
            changed: Map::new(),
            removed: BTreeSet::new(),
            ..edit.clone()
        };
        let ours = Edit { base: edit.theirs(), ..base.clone() };
        let theirs = Edit {
            changed: known(&other.changed),
            removed: other.removed.iter().copied().take(shared).collect(),
            ..base.clone()
        };
        let theirs = Edit { base: theirs.theirs(), ..base.clone() };
        ([base, ours, theirs], edit.style)
    })
}

/// What one side is, where both versions are between markers.
fn resolved(merged: &str, is_theirs: bool) -> String {
    let mut side = None;
    let mut text = String::new();
    for line in merged.split_inclusive('\n') {
        match line.trim_end() {
            "<<<<<<< ours" => side = Some(false),
            "=======" if side.is_some() => side = Some(true),
            ">>>>>>> theirs" => side = None,
            _ if side.is_none_or(|it| it == is_theirs) => text.push_str(line),
            _ => {}
        }
    }
    text
}

proptest! {
    #![proptest_config(property(400, 10_000))]

    #[test]
    fn an_edit_in_the_service_comes_home_and_changes_nothing_else(edit in edits()) {
        let Some(inputs) = edit.inputs() else { return Ok(()) };
        let before = inputs.inputs.document();
        let done = adopted(&inputs);
        let after = done.inputs.document();
        let left: Vec<_> = done.entries.iter().filter(|it| it.kind != EntryKind::Adopted).collect();
        prop_assert!(left.is_empty(), "{left:#?}\n{}\n{}", before.text(), stored(&edit.theirs()).document().text());
        let texts = [&inputs.inputs, &done.inputs].map(|it| it.text_files().iter().map(|it| it.document().text()).collect::<Vec<_>>());
        prop_assert_eq!(done.entries.is_empty(), before.text() == after.text() && texts[0] == texts[1]);
        // Adopting twice is adopting once.
        let again = AdoptInputs { inputs: done.inputs.clone(), base: inputs.base.clone() };
        let twice = adopted(&again);
        prop_assert!(twice.entries.is_empty(), "{:#?}\n{}", twice.entries, after.text());
        prop_assert_eq!(twice.inputs.document().text(), after.text());
        // What the service says now is what the document says, so nothing would be sent.
        let unix = |it: &TextFile| {
            let text = it.document().text().replace("\r\n", "\n");
            TextFile::new(it.field(), Document::parse_as(text, Format::Text))
        };
        let texts: Vec<TextFile> = done.inputs.text_files().iter().map(unix).collect();
        let now = done.inputs.clone().texts(texts);
        let now = voxlint::plan_agent(&voxlint::PlanInputs::new("a", now));
        let sent: Vec<_> = now.changes.iter().map(|it| it.sentence.as_str()).collect();
        prop_assert!(sent.is_empty(), "{sent:#?}\n{}", after.text());
        // With the same fields, the rest of the text is the same.
        let names = |document: &Document| -> Vec<String> {
            document.tree().root().unwrap().members().map(|it| it.name().into_owned()).collect()
        };
        let changed: BTreeSet<&str> = done.entries.iter().map(|it| &it.field[1..]).collect();
        if names(before) == names(after) && !before.text().contains("\n[") {
            prop_assert_eq!(without(before, &changed), without(after, &changed));
        }
        for comment in before.text().lines().filter(|line| line.starts_with("# ")) {
            prop_assert!(after.text().contains(comment), "{comment}\n{}", after.text());
        }
    }

    #[test]
    fn what_both_have_changed_is_decided_by_the_preferred_side(edit in edits(), other in edits()) {
        // The document is that of another edit of the same base.
        let mut ours = Edit { base: edit.base.clone(), ..other.clone() };
        ours.base.extend(other.changed.iter().filter(|(name, _)| edit.base.contains_key(*name)).map(|(name, value)| (name.clone(), value.clone())));
        let Some((text, format)) = ours.document() else { return Ok(()) };
        let document = Document::parse_as(text, format);
        let inputs = Inputs::new(document).stored(stored(&edit.theirs()));
        let inputs = AdoptInputs { inputs, base: Some(stored(&edit.base)) };
        let with = |prefer| adopt(&inputs, &AdoptOptions { prefer, ..options() }).unwrap();
        let is_conflict = |done: &Adoption| done.entries.iter().any(|it| it.kind == EntryKind::Conflict);
        prop_assert!(!is_conflict(&with(Some(Prefer::Ours))) && !is_conflict(&with(Some(Prefer::Theirs))));
        let left = with(None);
        let decided = with(Some(Prefer::Ours));
        prop_assert_eq!(left.inputs.document().text(), decided.inputs.document().text());
    }

    #[test]
    fn a_merge_of_documents_is_the_merge_of_their_values_and_loses_no_side((sides, _) in branches()) {
        let texts: Vec<String> = sides.iter().filter_map(|side| Some(side.document()?.0)).collect();
        let [base, ours, theirs] = &texts[..] else { return Ok(()) };
        let format = sides[0].document().unwrap().1;
        let merged = merge_files([base, ours, theirs], FileLayout::Whole(format), 7);
        let value = |text: &str| {
            let document = Document::parse_as(text, format);
            let is_read = document.errors().iter().all(|it| it.kind == SyntaxErrorKind::ConflictMarker);
            let value = document.tree().root().map(|root| Json::Node(root).pretty());
            let value = serde_json::from_str::<Value>(&value.unwrap_or_default()).unwrap();
            (is_read, document.errors().len(), value)
        };
        let [if_ours, if_theirs] = [false, true].map(|side| value(&resolved(&merged.text, side)));
        prop_assert!(if_ours.1 + if_theirs.1 == 0, "{}", merged.text);
        let [if_ours, if_theirs] = [if_ours.2, if_theirs.2];
        // A check reads our settings of what is left.
        let (is_read, _, left) = value(&merged.text);
        let names = |value: &Value| -> Vec<String> { value.as_object().into_iter().flat_map(Map::keys).cloned().collect() };
        prop_assert!(is_read && names(&left) == names(&if_ours), "{}", merged.text);
        prop_assert_eq!(merged.conflicts == 0, if_ours == if_theirs);
        let [base, ours, theirs] = sides.map(|side| side.base);
        let names: BTreeSet<&String> = base.keys().chain(ours.keys()).chain(theirs.keys()).collect();
        for name in names {
            let [was, ours, theirs] = [&base, &ours, &theirs].map(|side| side.get(name));
            let is = [if_ours.get(name), if_theirs.get(name)];
            if ours == theirs || was == theirs {
                prop_assert_eq!(is, [ours, ours], "{}\n{}", name, merged.text);
            } else if was == ours {
                prop_assert_eq!(is, [theirs, theirs], "{}\n{}", name, merged.text);
            } else if !ours.or(theirs).is_some_and(|it| it.is_array() || it.is_object() || it.is_string()) {
                prop_assert_eq!(is, [ours, theirs], "{}\n{}", name, merged.text);
                let is_named = merged.names.contains(name);
                prop_assert!(is_named, "{name} is not one of {:?}", merged.names);
            }
        }
    }
}
