use std::collections::HashSet;

use voxlint_schema::{Presence, Row, Table, UnknownFields, settings};
use voxlint_syntax::{Member, NodeId};

use super::{
    has_the_version_number, is_allowed, mostly_unknown_with_version,
    mostly_unknown_without_version, response_only, told_as_missing, wrappers,
};
use crate::Safety;
use crate::place::Place;
use crate::quote::{list, quote};
use crate::recognition::MostlyUnknown;
use crate::rule::rule;
use crate::suggest;
use crate::value::ObjectValue;
use crate::verdict::{Condition, Finding, ProposedFix, Replacement, Verdict, Verdicts};

rule! {
    /// A field name is unknown.
    ///
    /// A mistyped name is the hardest mistake to notice: if the service drops the field, the update is accepted and the
    /// setting never takes effect. The description does not say whether it rejects, drops or keeps such fields.
    ///
    /// If most fields of an update are unknown, that is reported once, instead of once for each field. Names that the
    /// configuration allows count as known.
    ///
    /// Fields of an update inside another object, such as `prompts`, are treated as unknown: the service looks for them at
    /// the top level.
    ///
    /// The items of `post_call_analysis` and `agent_functions`, and the service's answers, may have further fields. Only
    /// likely misspellings and `enabled: false`, which leaves the function active, are reported there.
    /// `default_dynamic_variables`, `json_output_instructions` and `config` may have any fields.
    ///
    /// A name that differs from a known one only by one slip, by letter case or by separators is an error by default,
    /// because the intended setting is lost either way. A level in the configuration applies to all findings of the rule.
    ///
    /// ```json,possible
    /// { "version_number": 3, "max_call_duration": 600 }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "prompts": { "prompt_text": "You answer the phone.", "welcome_message": "Hi" } }
    /// ```
    ///
    /// ```json,advice
    /// { "id": "ag_frontdesk", "agent_type": "Single_Prompt_Agent", "time_zone": "Asia/Kolkata" }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "default_dynamic_variables": { "anything": "goes" } }
    /// ```
    "unknown-field": Object {
        section: "4.1",
        status: 400,
        advice: Info,
        properties: [UnknownFields],
    }
}

/// For how many members of one object a suggestion is looked up. A document with more of them is not mistyped.
const SUGGESTIONS: usize = 50;

/// What decides about a field without a row.
const UNNAMED: &str =
    "the description does not say whether unknown fields are rejected, ignored or stored";

fn check(object: &ObjectValue<'_>) -> Verdicts {
    if object.table.unknown_fields == UnknownFields::Allow
        || mostly_unknown_without_version(object).is_some()
    {
        return Verdicts::none();
    }
    let mut mostly_unknown: Option<Option<MostlyUnknown>> = None;
    let mut strange = 0;
    let wrappers = wrappers(object);
    let mut absent: Option<Vec<&'static Row>> = None;
    let mut told: Option<Vec<NodeId>> = None;
    let mut verdicts = Verdicts::none();
    for (count, member) in strangers(object).enumerate() {
        let told = told.get_or_insert_with(|| told_as_missing(object));
        if told.contains(&member.key.id()) {
            continue;
        }
        if wrappers.as_ref().is_some_and(|wrappers| wrappers.has(member)) {
            if !has_the_version_number(object, member) {
                verdicts.add(wrapped(object, member));
            }
            continue;
        }
        let near = if count < SUGGESTIONS {
            let absent = absent.get_or_insert_with(|| rows_without_member(object));
            let name = suggest::nearest(&member.name(), absent.iter().map(|row| row.name));
            name.and_then(|near| object.table.row(near))
        } else {
            None
        };
        let is_slip = |near: &Row| suggest::is_one_typo(&member.name(), near.name);
        if mostly_unknown.get_or_insert_with(|| mostly_unknown_with_version(object)).is_some()
            && !near.is_some_and(is_slip)
        {
            strange += usize::from(!is_allowed(object, &member.name()));
            continue;
        }
        match object.table.unknown_fields {
            UnknownFields::Unspecified => {
                verdicts.add(doubt(object, member, near, count < SUGGESTIONS))
            }
            UnknownFields::Warn => verdicts.add(remark(object, member, near)),
            UnknownFields::Reject => {
                let finding = finding(object, member);
                let finding = match near {
                    Some(near) => meant(finding, object, member, near.name),
                    None => finding.help(format!(
                        "the fields are {}",
                        list(object.table.rows.iter().map(|row| row.name))
                    )),
                };
                verdicts.add(finding.reject());
            }
            UnknownFields::Allow => {}
        }
    }
    if let Some(mostly_unknown) = mostly_unknown.flatten().filter(|_| strange > 0) {
        verdicts.add(most(object, MostlyUnknown { unknown: strange, ..mostly_unknown }));
    }
    verdicts
}

/// Most fields are unknown. That is said once, whatever else is wrong.
fn most(object: &ObjectValue<'_>, mostly_unknown: MostlyUnknown) -> Verdict {
    let MostlyUnknown { unknown, fields } = mostly_unknown;
    let verb = if unknown == 1 { "is" } else { "are" };
    let message = format!("{unknown} of {fields} fields {verb} unknown to update agent");
    Finding::new(object.place().opening(), message)
        .of_root()
        .help(
            "leave the file out of the check if it belongs to another service, or list the names under `allow` of \
             `unknown-field` in voxlint.toml",
        )
        .possible(Condition::reading(UNNAMED))
}

/// The members that no table names. Of members with the same name the first: `duplicate-key` speaks of the others.
fn strangers<'a>(object: &ObjectValue<'a>) -> impl Iterator<Item = Member<'a>> {
    let mut seen = HashSet::new();
    object.node.members().filter(move |member| {
        let name = member.name();
        object.table.row(&name).is_none()
            && response_only(object, &name).is_none()
            && !member.key.is_faulty()
            && seen.insert(name)
    })
}

/// The rows that the object has no member for: what a strange name may have been meant to be.
fn rows_without_member(object: &ObjectValue<'_>) -> Vec<&'static Row> {
    let mut present = vec![false; object.table.rows.len()];
    for member in object.node.members() {
        let row = object.table.row(&member.name());
        if let Some(slot) = row.and_then(|row| present.get_mut(row.index)) {
            *slot = true;
        }
    }
    let absent = object.table.rows.iter().zip(present).filter(|(_, present)| !present);
    absent.map(|(row, _)| *row).collect()
}

fn doubt(
    object: &ObjectValue<'_>,
    member: Member<'_>,
    near: Option<&'static Row>,
    is_looked_up: bool,
) -> Verdict {
    let name = member.name();
    let mut finding = finding(object, member);
    if let Some(near) = near {
        finding = meant(finding, object, member, near.name);
    } else if let Some(near) = is_looked_up.then(|| nearest(&name, object.table)).flatten() {
        finding = finding.help(format!("remove it: `{near}` is there already"));
    } else if let Some(home) = home(&name) {
        finding = finding.help(format!("`{name}` belongs inside {home}"));
    }
    finding.possible(Condition::reading(UNNAMED))
}

/// Fields of an update that stand one level too low.
fn wrapped(object: &ObjectValue<'_>, member: Member<'_>) -> Verdict {
    let name = quote(&member.name());
    Finding::new(
        Place::of(object.origin, member.key),
        format!("{name} contains fields of an update"),
    )
    .label("not at the top level")
    .help("move them to the top level")
    .possible(Condition::reading(UNNAMED))
}

/// A name that looks like a slip. Where the field that it misses has to be there, `missing-field` has said so.
fn remark(object: &ObjectValue<'_>, member: Member<'_>, near: Option<&'static Row>) -> Verdict {
    match near {
        Some(near) if near.presence == Presence::Optional => {
            meant(finding(object, member), object, member, near.name).advice()
        }
        _ if is_switched_off(object, member) => finding(object, member)
            .label("the function stays active")
            .help(format!(
                "to switch the function off, remove its item: the service does not list {}",
                quote(&member.name())
            ))
            .advice(),
        _ => Verdict::Holds,
    }
}

/// Whether a member of a function says that the function is off.
fn is_switched_off(object: &ObjectValue<'_>, member: Member<'_>) -> bool {
    let off = match &*member.name() {
        "enabled" | "is_enabled" | "isEnabled" | "active" | "is_active" => false,
        "disabled" | "is_disabled" | "isDisabled" | "inactive" => true,
        _ => return false,
    };
    object.is(&settings::agent_function::TABLE) && member.value.as_bool() == Some(off)
}

fn nearest(name: &str, table: &Table) -> Option<&'static str> {
    suggest::nearest(name, table.rows.iter().map(|row| row.name))
}

fn finding(object: &ObjectValue<'_>, member: Member<'_>) -> Finding {
    let message = format!("{} is not a field of {}", quote(&member.name()), object.noun_phrase());
    Finding::new(Place::of(object.origin, member.key), message)
}

fn meant(finding: Finding, object: &ObjectValue<'_>, member: Member<'_>, near: &str) -> Finding {
    let is_slip = object.kind.is_sent() && suggest::is_one_typo(&member.name(), near);
    let finding = if is_slip { finding.an_error() } else { finding };
    finding.help(format!("did you mean `{near}`?")).fix(ProposedFix {
        title: format!("rename to `{near}`"),
        safety: Safety::Unsafe,
        at: Place::of(object.origin, member.key),
        replacement: Replacement::Text(near.to_owned()),
    })
}

/// Where a name of a nested object belongs, when it stands among the settings.
fn home(name: &str) -> Option<&'static str> {
    if settings::default_dynamic_variables::TABLE.row(name).is_some() {
        Some("`default_dynamic_variables`")
    } else if settings::post_call_analysis_item::TABLE.row(name).is_some() {
        Some("an item of `post_call_analysis`")
    } else if settings::agent_function::TABLE.row(name).is_some() {
        Some("an item of `agent_functions`")
    } else {
        None
    }
}
