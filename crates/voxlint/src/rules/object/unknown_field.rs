use voxlint_schema::{Extra, settings};

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
    /// Inside the items of `post_call_analysis` and `agent_functions`, and in what the service itself answers, an
    /// unknown name is worth a remark only; `default_dynamic_variables`, `json_output_instructions` and `config` are free.
    ///
    /// ```json,possible
    /// { "version_number": 3, "max_call_duration": 600 }
    /// ```
    ///
    /// ```json,advice
    /// { "version_number": 3, "post_call_analysis": [
    ///   { "field_name": "mood", "field_type": "STRING", "field_description": "How the caller felt", "example": "calm" }
    /// ] }
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
    if object.table.extra == Extra::Free {
        return Verdicts::none();
    }
    object
        .node
        .members()
        .filter_map(|member| {
            let name = member.name();
            if object.table.row(&name).is_some()
                || response_only(object, &name).is_some()
                || member.key.is_faulty()
            {
                return None;
            }
            let place = Place::of(object.origin, member.key);
            let mut finding = Finding::new(
                place.clone(),
                format!("{} is not a field of {}", quote(&name), object.what()),
            );
            if let Some(near) = nearest(object, &name) {
                finding = finding.help(format!("did you mean `{near}`?")).fix(Change {
                    title: format!("rename to `{near}`"),
                    safety: Safety::Unsafe,
                    at: place,
                    replacement: Replacement::Text(near.to_owned()),
                });
            } else if let Some(home) = home(object, &name) {
                finding = finding.help(format!("`{name}` belongs inside {home}"));
            }
            Some(verdict(object, finding))
        })
        .collect()
}

fn verdict(object: &ObjectValue<'_>, finding: Finding) -> Verdict {
    if object.table.extra == Extra::Doubtful {
        finding.possible(Hinge::reading(
            "the description does not say whether members that it does not name are refused, dropped or kept",
        ))
    } else {
        finding.advice()
    }
}

/// The field that the name was most likely meant to be: best one that the object does not have yet.
fn nearest(object: &ObjectValue<'_>, name: &str) -> Option<&'static str> {
    let names = || object.table.rows.iter().map(|row| row.name);
    suggest::nearest(name, names().filter(|known| object.node.get(known).is_none()))
        .or_else(|| suggest::nearest(name, names()))
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
