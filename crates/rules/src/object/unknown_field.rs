use std::collections::HashSet;

use voxlint_model::fields::RowOf as _;
use voxlint_model::other_names::{Renamed, field_called};
use voxlint_model::quote::list;
use voxlint_model::text::destinations::DIGITS;
use voxlint_schema::settings::default_dynamic_variables;
use voxlint_schema::{Presence, UnknownFields};

use super::shared::{
    has_the_version_number, is_allowed, may_rename, mostly_unknown_with_version,
    mostly_unknown_without_version, names_here, reported_as_missing, response_only, wrappers,
};
use crate::prelude::*;

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
    /// `default_dynamic_variables`, `json_output_instructions` and `config` may have any fields. Only a misspelled
    /// `agent_transfer_destinations` with a phone number is reported.
    ///
    /// A name that differs from a known one only by one typo, by letter case or by separators is an error by default,
    /// because the intended setting is lost either way. Names that other services, or people in other languages, use for a
    /// field are recognised: `firstMessage`, `silenceTimeoutSeconds`. A level in the configuration applies to all findings of the rule.
    ///
    /// ```json,possible
    /// { "version_number": 3, "welcom_message": "Hello!" }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "firstMessage": "Hello!" }
    /// ```
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
        group: Correctness,
        basis: Read("It does not say whether unknown fields are rejected, dropped or kept."),
        section: "4.1",
        status: 400,
        advice: Info,
        fix: Unsafe("Renames the field if its name is near that of exactly one field that is not set, or another name of it."),
        readings: [UNKNOWN_FIELDS],
        properties: [UnknownFields],
    }
}

/// The number of unknown fields of one object for which a similar name is looked up. More of them are not misspellings.
const SUGGESTIONS: usize = 50;

fn check(object: &ObjectValue<'_>) -> Verdicts {
    if object.is(&default_dynamic_variables::TABLE) && object.fields.has_unknown() {
        return misspelled_destinations(object);
    }
    if object.table.unknown_fields == UnknownFields::Allow
        || !object.fields.has_unknown()
        || mostly_unknown_without_version(object).is_some()
    {
        return Verdicts::none();
    }
    let unknown = unknown_fields(object);
    if unknown.is_empty() {
        return Verdicts::none();
    }
    let reported = reported_as_missing(object);
    let wrappers = wrappers(object);
    let unused = unused_rows(object);
    let mostly_unknown = mostly_unknown_with_version(object);
    let mut summarized = 0;
    let mut verdicts = Verdicts::none();
    for (index, member) in unknown.into_iter().enumerate() {
        if reported.contains(&member.key.id()) {
            continue;
        }
        if let Some(anchor) =
            anchor(member).filter(|_| object.kind.has_settings() && object.is_root)
        {
            verdicts.add(holder(object, member, &anchor));
            continue;
        }
        if wrappers.as_ref().is_some_and(|wrappers| wrappers.has(member)) {
            if !has_the_version_number(object, member) {
                verdicts.add(wrapper(object, member));
            }
            continue;
        }
        let has_suggestion = index < SUGGESTIONS;
        let similar =
            if has_suggestion { similar_field(object, &member.name(), &unused) } else { None };
        let is_slip = similar.is_some_and(|it| suggest::is_one_typo(&member.name(), it.row.name));
        if mostly_unknown.is_some() && !is_slip {
            summarized += usize::from(!is_allowed(object, &member.name()));
            continue;
        }
        verdicts.add(match object.table.unknown_fields {
            UnknownFields::Unspecified => possible(object, member, similar, has_suggestion),
            UnknownFields::Warn => warning(object, member, similar),
            UnknownFields::Reject => rejected(object, member, similar),
            UnknownFields::Allow => Verdict::Holds,
        });
    }
    if let Some(mostly_unknown) = mostly_unknown.filter(|_| summarized > 0) {
        verdicts.add(summary(object, summarized, mostly_unknown.fields));
    }
    verdicts
}

/// Phone numbers in a variable whose name is nearly that of the transfer destinations: no call is transferred to them.
fn misspelled_destinations(object: &ObjectValue<'_>) -> Verdicts {
    let row = default_dynamic_variables::agent_transfer_destinations.row;
    if object.fields.has(row) {
        return Verdicts::none();
    }
    let has_number = |member: &Member<'_>| {
        member.value.source().bytes().filter(u8::is_ascii_digit).count() >= DIGITS
    };
    let found = object
        .node
        .members()
        .filter(|member| has_number(member) && suggest::is_one_typo(&member.name(), row.name));
    let found = found.map(|member| {
        let message = format!(
            "{} is an ordinary variable: no call is transferred to its numbers",
            quote(&member.name())
        );
        let finding = Finding::new(Place::of(object.origin, member.key), message);
        suggesting(finding, object, member, Renamed { row, is_same: true, rank: 0 }).advice()
    });
    found.collect()
}

/// The fields without a row. `duplicate-key` reports further fields with the same name.
fn unknown_fields<'a>(object: &ObjectValue<'a>) -> Vec<Member<'a>> {
    let mut seen = HashSet::new();
    let unknown = object.node.members().filter(move |member| {
        object.table.row_of(*member).is_none()
            && response_only(object, *member).is_none()
            && !member.key.is_faulty()
            && seen.insert(member.name())
    });
    unknown.collect()
}

/// The rows for which the object has no field: what a misspelled name may mean.
fn unused_rows(object: &ObjectValue<'_>) -> Vec<&'static Row> {
    object.table.rows.iter().copied().filter(|row| !object.fields.has(row)).collect()
}

/// The field that a name means, among some rows: one with this other name, or with a similar name.
fn similar_field(object: &ObjectValue<'_>, name: &str, rows: &[&'static Row]) -> Option<Renamed> {
    let find = |similar: &str| rows.iter().find(|row| row.name == similar).copied();
    // A field of an object inside keeps its meaning at the wrong level.
    let renamed = || field_called(name, object.table).filter(|it| find(it.row.name).is_some());
    let nearest = || {
        let row = find(suggest::nearest(name, rows.iter().map(|row| row.name))?)?;
        let names = rows.iter().map(|row| row.name);
        Some(Renamed { row, is_same: suggest::is_only_nearest(name, row.name, names), rank: 0 })
    };
    let is_misplaced = object.is_root && parent_of(name).is_some();
    if is_misplaced { nearest() } else { renamed().or_else(nearest) }
}

/// The finding for an update most of whose fields are unknown.
fn summary(object: &ObjectValue<'_>, unknown: usize, fields: usize) -> Verdict {
    let verb = if unknown == 1 { "is" } else { "are" };
    let message = format!("{unknown} of {fields} fields {verb} unknown to update agent");
    Finding::new(object.place().opening(), message)
        .of_root()
        .help(match names_here(object) {
            Some(names) => {
                format!("exclude the file if it belongs to another service; in an update, {names}")
            }
            None => "exclude the file if it belongs to another service, or list the names under `allow` of \
                     `unknown-field` in voxlint.toml"
                .to_owned(),
        })
        .possible(Condition::first(&readings::UNKNOWN_FIELDS))
}

/// An object with fields that belong at the top level of an update.
fn wrapper(object: &ObjectValue<'_>, member: Member<'_>) -> Verdict {
    let name = quote(&member.name());
    Finding::new(
        Place::of(object.origin, member.key),
        format!("{name} contains fields of an update"),
    )
    .label("not at the top level")
    .help("move them to the top level")
    .possible(Condition::first(&readings::UNKNOWN_FIELDS))
}

/// The anchor before the value of a member, which is there to be used elsewhere.
fn anchor(member: Member<'_>) -> Option<String> {
    let text = member.key.tree().text();
    let between = member.key.span().end as usize..member.value.span().start as usize;
    let before_comment = text.get(between)?.split('#').next()?;
    Some(before_comment.split_once('&')?.1.split_whitespace().next()?.to_owned())
}

/// A field that only holds an anchor.
fn holder(object: &ObjectValue<'_>, member: Member<'_>, anchor: &str) -> Verdict {
    let name = quote(&member.name());
    finding(object, member)
        .label("an anchor does not keep it out of the document")
        .help(format!(
            "write the value in place of {}, and remove {name}",
            quote(&format!("*{anchor}"))
        ))
        .possible(Condition::first(&readings::UNKNOWN_FIELDS))
}

fn possible(
    object: &ObjectValue<'_>,
    member: Member<'_>,
    similar: Option<Renamed>,
    has_suggestion: bool,
) -> Verdict {
    let name = member.name();
    let present = || {
        let present = similar_field(object, &name, object.table.rows)?;
        (has_suggestion && present.is_same).then_some(present.row)
    };
    let variable = || field_called(&name, &default_dynamic_variables::TABLE);
    let finding = finding(object, member);
    let finding = if let Some(similar) = similar {
        suggesting(finding, object, member, similar)
    } else if let Some(present) = present() {
        finding.help(format!("remove it: `{}` is already set", present.name))
    } else if let Some(parent) = parent_of(&name) {
        finding.help(format!("move `{name}` into {parent}"))
    } else if let Some(variable) = variable().filter(|_| has_suggestion && object.is_root) {
        finding.help(format!("use `{}` in `default_dynamic_variables`", variable.row.name))
    } else {
        finding
    };
    finding.possible(Condition::first(&readings::UNKNOWN_FIELDS))
}

/// Objects with more fields than described: only likely misspellings are reported. `missing-field` reports a misspelled
/// required field.
fn warning(object: &ObjectValue<'_>, member: Member<'_>, similar: Option<Renamed>) -> Verdict {
    match similar {
        Some(similar) if similar.row.presence == Presence::Optional => {
            suggesting(finding(object, member), object, member, similar).advice()
        }
        _ if switches_off(object, member) => finding(object, member)
            .label("the function stays active")
            .help("to switch the function off, remove its item")
            .advice(),
        _ => Verdict::Holds,
    }
}

fn rejected(object: &ObjectValue<'_>, member: Member<'_>, similar: Option<Renamed>) -> Verdict {
    let finding = finding(object, member);
    let names = || list(object.table.rows.iter().map(|row| row.name));
    let finding = match similar {
        Some(similar) => suggesting(finding, object, member, similar),
        None => finding.help(format!("use one of {}", names())),
    };
    finding.reject()
}

/// Whether a field is meant to switch a function off.
fn switches_off(object: &ObjectValue<'_>, member: Member<'_>) -> bool {
    let off = match &*member.name() {
        "enabled" | "is_enabled" | "isEnabled" | "active" | "is_active" => false,
        "disabled" | "is_disabled" | "isDisabled" | "inactive" => true,
        _ => return false,
    };
    object.is(&settings::agent_function::TABLE) && member.value.as_bool() == Some(off)
}

fn finding(object: &ObjectValue<'_>, member: Member<'_>) -> Finding {
    let message = format!("{} is not a field of {}", quote(&member.name()), object.noun_phrase());
    Finding::new(Place::of(object.origin, member.key), message)
}

/// The finding with a suggestion. In documents that are sent, an obvious slip is an error by default.
fn suggesting(
    finding: Finding,
    object: &ObjectValue<'_>,
    member: Member<'_>,
    meant: Renamed,
) -> Finding {
    let similar = meant.row.name;
    let is_slip = object.kind.is_sent() && suggest::is_one_typo(&member.name(), similar);
    let finding = if is_slip { finding.an_error() } else { finding };
    let unit = match meant.row.shape {
        Shape::Number(number) if !meant.is_same => number.unit,
        _ => None,
    };
    let finding = finding.help(match unit {
        Some(unit) => format!("did you mean `{similar}`, in {unit}?"),
        None => format!("did you mean `{similar}`?"),
    });
    if !meant.is_same || !may_rename(object, &member.name(), similar) {
        return finding;
    }
    finding.fix(ProposedFix::replace(
        format!("rename to `{similar}`"),
        Safety::Unsafe,
        Place::of(object.origin, member.key),
        Replacement::Text(similar.to_owned()),
    ))
}

/// The nested object that a field of this name belongs to.
fn parent_of(name: &str) -> Option<&'static str> {
    if default_dynamic_variables::TABLE.row(name).is_some() {
        Some("`default_dynamic_variables`")
    } else if settings::post_call_analysis_item::TABLE.row(name).is_some() {
        Some("an item of `post_call_analysis`")
    } else if settings::agent_function::TABLE.row(name).is_some() {
        Some("an item of `agent_functions`")
    } else {
        None
    }
}
