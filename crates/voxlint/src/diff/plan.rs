//! What is sent, setting by setting.

use voxlint_schema::settings::{
    inbound_phone_number_id, is_published, outbound_phone_number_id, post_call_analysis,
    postcall_analysis, update_deployment, version_number, voice_id, voice_model_id,
};
use voxlint_schema::{DocumentKind, Null, Row, Shape, settings};
use voxlint_syntax::{Kind, Node};

use super::same::{is_same, members};
use super::{ChangeKind, Difference, FieldChange, Stay, items, words};
use crate::effective::{Effective, Held, Settings};
use crate::json::Json;
use crate::{Document, Inputs, Origin, Source, Stored};

/// What is wanted of a setting.
#[derive(Clone, Copy, Debug)]
pub(super) enum Wanted<'a> {
    Value(Node<'a>),
    /// It is there to say that nothing is set.
    Empty,
    Omitted,
}

/// One setting on both sides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting<'a> {
    pub(super) row: &'static Row,
    pub(super) old: Held<'a>,
    pub(super) new: Wanted<'a>,
}

/// What becomes of a setting.
enum Decision<'a> {
    Keep,
    Send(Json<'a>),
    /// It cannot be unset.
    Stay(Node<'a>),
}

struct Plan<'a> {
    partial: bool,
    number: Node<'a>,
    members: Vec<(&'static Row, Json<'a>)>,
    difference: Difference,
}

/// The difference without its check.
pub(super) fn plan(
    old: Stored<'_>,
    new: &Document<'_>,
    partial: bool,
    number: Node<'_>,
) -> Difference {
    // What is stored for a version is what an update that names it and nothing else leaves alone.
    let name = version_number.row.name;
    let named =
        format!("{{\"{name}\": {}}}", number.decimal().map_or("null", |number| number.literal()));
    let named = Source::from(named.as_str());
    let named = Document::parse(&named);
    let held = Effective::new(DocumentKind::Update, &Inputs::new(&named).stored(old));
    let wanted = Settings::of(new.tree.root(), Origin::Document);

    let difference = Difference {
        update: None,
        changes: Vec::new(),
        stays: Vec::new(),
        remarks: Vec::new(),
        report: None,
    };
    let mut plan = Plan { partial, number, members: Vec::new(), difference };
    for row in settings::TABLE.rows.iter().copied().filter(|row| is_compared(row)) {
        let setting = if is(row, post_call_analysis.row) {
            analysis(&held, &wanted)
        } else {
            let new = wanted_in(&wanted, row);
            let known = held_in(&held, row);
            // What only the agent says is not the version's to unset.
            let of_agent = old.parts().agent.and_then(|agent| agent.get(row.name));
            let is_agents = matches!(known, Held::Value(node) if Some(node) == of_agent);
            let is_wanted = matches!(new, Wanted::Value(_));
            Setting { row, old: if is_agents && !is_wanted { Held::Unknown } else { known }, new }
        };
        plan.add(setting);
    }
    plan.remark_on_strangers(new);
    plan.finish()
}

impl<'a> Plan<'a> {
    fn add(&mut self, setting: Setting<'a>) {
        let Setting { row, old, new } = setting;
        match self.decide(setting) {
            Decision::Keep => self.keep(setting),
            Decision::Send(json) => {
                let kind = kind(setting);
                self.send(setting, kind, json);
                self.remark_on_dropped(row, old, new);
            }
            Decision::Stay(node) if is(row, voice_model_id.row) && self.sends(voice_id.row) => {
                self.difference.remarks.push(words::new_model(node));
            }
            Decision::Stay(node) => self.difference.stays.push(Stay {
                field: format!("/{}", row.name),
                value: words::excerpt(node),
                sentence: words::stays(row, node),
            }),
        }
    }

    fn decide(&self, setting: Setting<'a>) -> Decision<'a> {
        let Setting { row, old, new } = setting;
        match (old, new) {
            // Whether a version is published is its state, and nothing to be unset.
            (_, Wanted::Omitted) if self.partial || is(row, is_published.row) => Decision::Keep,
            (Held::Unknown, Wanted::Omitted) | (Held::Unset, Wanted::Omitted | Wanted::Empty) => {
                Decision::Keep
            }
            (Held::Value(old), Wanted::Value(new)) if is_same(old, new) => Decision::Keep,
            (_, Wanted::Value(new)) => Decision::Send(Json::Node(new)),
            (old, Wanted::Omitted | Wanted::Empty) => match (cleared(row), old) {
                (Some(json), _) => Decision::Send(json),
                (None, Held::Value(node)) => Decision::Stay(node),
                (None, Held::Unset | Held::Unknown) => Decision::Keep,
            },
        }
    }

    /// A setting that nothing is to happen to may have to be said again, or may be hit by what happens to another.
    fn keep(&mut self, setting: Setting<'a>) {
        let Setting { row, old: Held::Value(old), new } = setting else { return };
        let is_at_stake = if is(row, voice_model_id.row) {
            self.sends(voice_id.row)
        } else {
            is_phone_number(row) && self.publishes()
        };
        match new {
            Wanted::Value(new) if is_at_stake => {
                self.send(setting, ChangeKind::Repeated, Json::Node(new));
            }
            Wanted::Omitted if is_at_stake && is_phone_number(row) => {
                self.difference.remarks.push(words::not_claimed(row, old));
            }
            Wanted::Omitted if is_at_stake => {
                self.difference.remarks.push(words::new_model(old));
            }
            _ => {}
        }
    }

    fn send(&mut self, setting: Setting<'a>, kind: ChangeKind, json: Json<'a>) {
        let Setting { row, old, new } = setting;
        self.members.push((row, json));
        self.difference.changes.push(FieldChange {
            field: format!("/{}", row.name),
            kind,
            old: if let Held::Value(node) = old { Some(words::excerpt(node)) } else { None },
            new: if let Wanted::Value(node) = new { Some(words::excerpt(node)) } else { None },
            sentence: words::sentence(setting, kind, self.number),
        });
    }

    fn sends(&self, row: &Row) -> bool {
        self.members.iter().any(|(sent, _)| is(sent, row))
    }

    fn publishes(&self) -> bool {
        self.difference.changes.iter().any(|change| change.kind == ChangeKind::Publishing)
    }

    /// Whether the service replaces an object or merges it with the stored one is not described.
    fn remark_on_dropped(&mut self, row: &'static Row, old: Held<'a>, new: Wanted<'a>) {
        let (Shape::Map(_), Held::Value(old)) = (row.shape, old) else { return };
        let mut dropped = members(old);
        if let Wanted::Value(new) = new {
            dropped.retain(|name, _| new.get(name).is_none());
        }
        if !dropped.is_empty() {
            let names: Vec<String> = dropped.into_keys().collect();
            self.difference.remarks.push(words::may_stay(row, &items::named(&names)));
        }
    }

    /// What is wanted and is no setting.
    fn remark_on_strangers(&mut self, new: &Document<'a>) {
        let Some(root) = new.tree.root() else { return };
        if root.get(update_deployment.row.name).is_some() {
            self.difference.remarks.push(words::flag_of_one_request());
        }
        let strangers: Vec<String> =
            members(root).into_keys().filter(|name| settings::TABLE.row(name).is_none()).collect();
        if !strangers.is_empty() {
            self.difference.remarks.push(words::strangers(&strangers));
        }
    }

    fn finish(self) -> Difference {
        let Self { number, members, mut difference, .. } = self;
        difference.changes.sort_by_key(|change| change.kind);
        if !members.is_empty() {
            let number = (version_number.row.name.into(), Json::Node(number));
            let members = members.into_iter().map(|(row, json)| (row.name.into(), json));
            let update = Json::Object(std::iter::once(number).chain(members).collect());
            difference.update = Some(update.pretty());
        }
        difference
    }
}

/// The analysis has two names. What stands under the first of them that holds something is it.
fn analysis<'a>(held: &Effective<'a>, wanted: &Settings<'a>) -> Setting<'a> {
    let rows = [post_call_analysis.row, postcall_analysis.row];
    let olds = rows.map(|row| (row, held_in(held, row)));
    let news = rows.map(|row| (row, wanted_in(wanted, row)));
    let old = olds
        .into_iter()
        .find(|(_, old)| matches!(old, Held::Value(_)))
        .or_else(|| olds.into_iter().find(|(_, old)| *old == Held::Unset));
    let new = news
        .into_iter()
        .find(|(_, new)| matches!(new, Wanted::Value(_)))
        .or_else(|| news.into_iter().find(|(_, new)| matches!(new, Wanted::Empty)));
    Setting {
        row: new.map(|(row, _)| row).or(old.map(|(row, _)| row)).unwrap_or(post_call_analysis.row),
        old: old.map_or(Held::Unknown, |(_, old)| old),
        new: new.map_or(Wanted::Omitted, |(_, new)| new),
    }
}

fn held_in<'a>(held: &Effective<'a>, row: &'static Row) -> Held<'a> {
    match held.held(row) {
        Held::Value(node) if is_empty(row, node) => Held::Unset,
        held => held,
    }
}

fn wanted_in<'a>(wanted: &Settings<'a>, row: &'static Row) -> Wanted<'a> {
    match wanted.member(row) {
        Some(node) if is(row, is_published.row) && node.kind() == Kind::Null => Wanted::Omitted,
        Some(node) if is_empty(row, node) => Wanted::Empty,
        Some(node) => Wanted::Value(node),
        None => Wanted::Omitted,
    }
}

/// Whether a value says that nothing is set.
fn is_empty(row: &Row, node: Node<'_>) -> bool {
    match node.kind() {
        Kind::Null => true,
        Kind::Array => matches!(row.shape, Shape::List(_)) && node.elements().next().is_none(),
        Kind::Object => matches!(row.shape, Shape::Map(_)) && node.members().next().is_none(),
        Kind::String => is_phone_number(row) && node.as_str().is_some_and(|id| id.is_empty()),
        Kind::Bool => is(row, is_published.row) && node.as_bool() == Some(false),
        Kind::Number | Kind::Key | Kind::Invalid => false,
    }
}

/// How an update unsets a setting, where it can.
fn cleared(row: &Row) -> Option<Json<'static>> {
    match row.shape {
        _ if is_phone_number(row) => Some(Json::Text("".into())),
        _ if is(row, is_published.row) => Some(Json::Flag(false)),
        Shape::List(_) => Some(Json::List(Vec::new())),
        Shape::Map(_) => Some(Json::Object(Vec::new())),
        _ if row.null == Null::Clears => Some(Json::Null),
        _ => None,
    }
}

/// What the change of a setting is, where its value is not the stored one.
fn kind(setting: Setting<'_>) -> ChangeKind {
    use voxlint_schema::settings::{agent_functions, fallback_llm_enabled, fallback_stt_enabled};

    let Setting { row, old, new } = setting;
    let is_any = |rows: &[&Row]| rows.iter().any(|one| is(row, one));
    let flag = |node: Node<'_>| node.as_bool();
    match (old, new) {
        (_, Wanted::Value(new)) if is(row, is_published.row) && flag(new) == Some(true) => {
            ChangeKind::Publishing
        }
        (_, Wanted::Omitted | Wanted::Empty) if is_phone_number(row) => ChangeKind::NumberDetached,
        (Held::Value(_) | Held::Unknown, Wanted::Value(_)) if is_phone_number(row) => {
            ChangeKind::NumberMoved
        }
        (_, Wanted::Omitted | Wanted::Empty) if is_any(&[agent_functions.row]) => {
            ChangeKind::FunctionsRemoved
        }
        (old, Wanted::Value(new)) if is_any(&[agent_functions.row]) && loses(old, new) => {
            ChangeKind::FunctionsRemoved
        }
        (_, Wanted::Omitted | Wanted::Empty)
            if is_any(&[post_call_analysis.row, postcall_analysis.row]) =>
        {
            ChangeKind::AnalysisCleared
        }
        (Held::Value(_) | Held::Unknown, Wanted::Value(new))
            if is_any(&[fallback_stt_enabled.row, fallback_llm_enabled.row])
                && flag(new) == Some(false) =>
        {
            ChangeKind::FallbackSwitchedOff
        }
        (Held::Unset | Held::Unknown, Wanted::Value(_)) => ChangeKind::Set,
        (Held::Value(_), Wanted::Value(_)) => ChangeKind::Changed,
        (_, Wanted::Omitted | Wanted::Empty) => ChangeKind::Unset,
    }
}

/// Whether a list may be without something that the stored one has.
fn loses(old: Held<'_>, new: Node<'_>) -> bool {
    match old {
        Held::Value(old) => {
            items::Entries::between(old, new).is_none_or(|entries| !entries.removed.is_empty())
        }
        Held::Unset => false,
        Held::Unknown => true,
    }
}

/// Whether a row is one that two states of a version can differ in.
fn is_compared(row: &Row) -> bool {
    // The first selects the version, the second is a flag of one request, and the third is another name.
    ![version_number.row, update_deployment.row, postcall_analysis.row]
        .into_iter()
        .any(|not| is(row, not))
}

fn is_phone_number(row: &Row) -> bool {
    is(row, inbound_phone_number_id.row) || is(row, outbound_phone_number_id.row)
}

fn is(row: &Row, other: &Row) -> bool {
    std::ptr::eq(row, other)
}
