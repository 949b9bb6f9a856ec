use voxlint_schema::Presence;
use voxlint_schema::settings::version_number;
use voxlint_syntax::Kind;

use super::{crowd, has_the_version_number, wrappers};
use crate::place::Place;
use crate::quote::quote;
use crate::recognise::Crowd;
use crate::rule::rule;
use crate::suggest;
use crate::value::{ObjectValue, section};
use crate::verdict::{Finding, Hinge, Verdict, Verdicts};

rule! {
    /// A required member is missing.
    ///
    /// An update names the version that it changes, so `version_number` is required even for a minimal publish. Each
    /// item of `post_call_analysis` needs all three of its members. Items of `agent_functions` are said to have four
    /// members, without their being called required: a missing one is refused under one reading.
    ///
    /// An update that is wrapped in another object lacks everything that the wrapper holds. A document without a version
    /// number, most of whose fields are unknown, may belong to another service: that is said once, instead of once for
    /// each field.
    ///
    /// ```json,reject
    /// { "is_published": true }
    /// ```
    ///
    /// ```json,reject
    /// { "update": { "version_number": 3, "is_published": true } }
    /// ```
    ///
    /// ```json,possible
    /// { "version_number": 3, "agent_functions": [{ "displayName": "Goodbye", "type": "end_call", "config": {} }] }
    /// ```
    ///
    /// ```json,holds
    /// { "version_number": 3, "is_published": true }
    /// ```
    "missing-field": Object {
        section: "2.3",
        status: 400,
    }
}

fn check(object: &ObjectValue<'_>) -> Verdicts {
    if object.node.is_incomplete() {
        return Verdicts::none();
    }
    if let Some(crowd) = crowd(object) {
        return of_another_service(object, crowd).into();
    }
    let mut verdicts = Verdicts::none();
    for row in object.table.rows {
        let presence = object.kind.presence(row);
        if presence == Presence::Optional || object.node.get(row.name).is_some() {
            continue;
        }
        if std::ptr::eq(*row, version_number.row)
            && let Some(wrapped) = wrapped(object)
        {
            verdicts.add(wrapped);
            continue;
        }
        let mut finding =
            Finding::new(object.place().opening(), format!("`{}` is missing", row.name))
                .missing(row.name)
                .section(section(row));
        if object.is_root {
            finding = finding.label(format!("{} needs `{}`", object.what(), row.name));
        }
        let meant = object.node.members().find(|member| {
            let name = member.name();
            object.table.row(&name).is_none() && suggest::nearest(&name, [row.name]).is_some()
        });
        finding = match meant {
            Some(member) => finding
                .also(Place::of(object.origin, member.key), "is it meant by this?")
                .help(format!("rename {} to `{}`", quote(&member.name()), row.name)),
            None => {
                finding.help(format!("add `{}`: {}", row.name, lower_first(&row.description())))
            }
        };
        verdicts.add(if presence == Presence::Required {
            finding.refused()
        } else {
            finding
                .possible(Hinge::reading("the member is described without being called required"))
        });
    }
    verdicts
}

/// The version number stands inside an object instead of beside it.
fn wrapped(object: &ObjectValue<'_>) -> Option<Verdict> {
    let wrappers = wrappers(object)?;
    let wrapper = object.node.members().find(|member| {
        object.table.row(&member.name()).is_none()
            && wrappers.has(*member)
            && has_the_version_number(object, *member)
    })?;
    let name = quote(&wrapper.name());
    let place = Place::of(object.origin, wrapper.key);
    let finding = if wrapper.value.kind() == Kind::Array {
        Finding::new(place, format!("{name} contains updates")).help(
            "keep each update in a document of its own, and send each in a request of its own",
        )
    } else {
        Finding::new(place, format!("{name} contains fields of an update"))
            .help("move them to the top level")
    };
    let finding = finding.of_root().section(section(version_number.row));
    Some(finding.label("not at the top level").refused())
}

/// Most fields are unknown, so this may be no update at all.
fn of_another_service(object: &ObjectValue<'_>, crowd: Crowd) -> Verdict {
    let Crowd { unknown, fields } = crowd;
    let message = format!(
        "{unknown} of {fields} fields are unknown to update agent: is this a document of another service?"
    );
    Finding::new(object.place().opening(), message)
        .of_root()
        .label("`version_number` is missing as well")
        .help(
            "leave the file out of the check, or name its kind if it is a document of this service",
        )
        .section(section(version_number.row))
        .refused()
}

/// The first sentence of a row's description, as the second half of another sentence.
fn lower_first(description: &str) -> String {
    let sentence =
        description.split_once(". ").map_or(description, |(first, _)| first).trim_end_matches('.');
    let mut characters = sentence.chars();
    match characters.next() {
        Some(first) => first.to_lowercase().chain(characters).collect(),
        None => String::new(),
    }
}
