use voxlint_schema::{Extra, Presence, Row, settings};
use voxlint_syntax::Member;

use super::response_only;
use crate::Safety;
use crate::place::Place;
use crate::quote::quote;
use crate::rule::rule;
use crate::suggest;
use crate::value::ObjectValue;
use crate::verdict::{Change, Finding, Hinge, Replacement, Verdict, Verdicts};

rule! {
    /// A member has a name that the service does not know.
    ///
    /// A mistyped name is the quietest fault of all: if the service drops the member, the update is accepted and the
    /// setting never takes effect. The description does not say whether it refuses, drops or keeps such members.
    ///
    /// The items of `post_call_analysis` and `agent_functions`, and what the service itself answers, have room for more
    /// than the description shows: there only a name that looks like a slip is worth a remark.
    /// `default_dynamic_variables`, `json_output_instructions` and `config` are free.
    ///
    /// ```json,possible
    /// { "version_number": 3, "max_call_duration": 600 }
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
    }
}

fn check(object: &ObjectValue<'_>) -> Verdicts {
    match object.table.extra {
        Extra::Doubtful => strangers(object).map(|member| doubt(object, member)).collect(),
        Extra::Remarkable => {
            strangers(object).filter_map(|member| remark(object, member)).collect()
        }
        Extra::Free => Verdicts::none(),
    }
}

/// The members that no table names.
fn strangers<'a>(object: &ObjectValue<'a>) -> impl Iterator<Item = Member<'a>> {
    object.node.members().filter(|member| {
        let name = member.name();
        object.table.row(&name).is_none()
            && response_only(object, &name).is_none()
            && !member.key.is_faulty()
    })
}

fn doubt(object: &ObjectValue<'_>, member: Member<'_>) -> Verdict {
    let name = member.name();
    let mut finding = finding(object, member);
    if let Some(near) = nearest_absent(object, &name) {
        finding = meant(finding, object, member, near.name);
    } else if let Some(near) = suggest::nearest(&name, object.table.rows.iter().map(|row| row.name))
    {
        finding = finding.help(format!("remove it: `{near}` is there already"));
    } else if let Some(home) = home(object, &name) {
        finding = finding.help(format!("`{name}` belongs inside {home}"));
    }
    finding.possible(Hinge::reading(
        "the description does not say whether members that it does not name are refused, dropped or kept",
    ))
}

/// A name that looks like a slip. Where the field that it misses has to be there, `missing-field` has said so.
fn remark(object: &ObjectValue<'_>, member: Member<'_>) -> Option<Verdict> {
    let near = nearest_absent(object, &member.name())?;
    let is_optional = near.presence == Presence::Optional;
    is_optional.then(|| meant(finding(object, member), object, member, near.name).advice())
}

fn finding(object: &ObjectValue<'_>, member: Member<'_>) -> Finding {
    let message = format!("{} is not a field of {}", quote(&member.name()), object.what());
    Finding::new(Place::of(object.origin, member.key), message)
}

fn meant(finding: Finding, object: &ObjectValue<'_>, member: Member<'_>, near: &str) -> Finding {
    finding.help(format!("did you mean `{near}`?")).fix(Change {
        title: format!("rename to `{near}`"),
        safety: Safety::Unsafe,
        at: Place::of(object.origin, member.key),
        replacement: Replacement::Text(near.to_owned()),
    })
}

/// The field that the name was most likely meant to be, among those that the object does not have.
fn nearest_absent(object: &ObjectValue<'_>, name: &str) -> Option<&'static Row> {
    let absent = object.table.rows.iter().filter(|row| object.node.get(row.name).is_none());
    suggest::nearest(name, absent.map(|row| row.name)).and_then(|near| object.table.row(near))
}

/// Where a name of a nested object belongs, when it stands at the root.
fn home(object: &ObjectValue<'_>, name: &str) -> Option<&'static str> {
    if !object.is_root || !object.kind.has_settings() {
        return None;
    }
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
