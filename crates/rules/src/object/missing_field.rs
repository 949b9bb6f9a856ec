use voxlint_model::fields::{RowOf as _, rows_in};
use voxlint_model::other_names::field_called;
use voxlint_model::recognition::MostlyUnknown;
use voxlint_model::value::section;
use voxlint_schema::Presence;
use voxlint_schema::settings::{agent_function, version_number};

use super::shared::{
    has_the_version_number, may_rename, misnamed, mostly_unknown_without_version, names_here,
    wrappers,
};
use crate::prelude::*;

rule! {
    /// A required field is missing.
    ///
    /// An update names the version that it changes, so `version_number` is required even for a minimal publish. Each item
    /// of `post_call_analysis` needs all three of its fields. The description lists four fields for the items of
    /// `agent_functions` without saying whether they are required, so an object without one may be rejected.
    ///
    /// A field with a misspelled name, or with the name that other services use, is reported at that name.
    ///
    /// Fields inside a wrapping object count as missing. A document without a version number, most of whose fields are
    /// unknown, may belong to another service. That is reported once, not for each field.
    ///
    /// ```json,reject
    /// { "is_published": true }
    /// ```
    ///
    /// ```json,reject
    /// { "update": { "version_number": 3, "is_published": true } }
    /// ```
    ///
    /// ```json,reject
    /// { "verison_number": 3, "is_published": true }
    /// ```
    ///
    /// ```json,reject
    /// {
    ///   "version_number": 3,
    ///   "post_call_analysis": [{ "name": "resolved", "type": "BOOLEAN", "description": "Whether the problem is solved." }]
    /// }
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
        group: Correctness,
        basis: Read("It lists the fields of functions without saying which are required."),
        section: "2.3",
        status: 400,
        fix: Unsafe("Renames a field with a misspelled or another name to the missing one. A function of the type `end_call` without `config` gets an empty one."),
        readings: [INCOMPLETE_ITEMS],
        properties: [MissingFields],
    }
}

/// The type of a function that ends the call.
const END_CALL: &str = "end_call";

fn check(object: &ObjectValue<'_>) -> Verdicts {
    if object.node.is_incomplete() {
        return Verdicts::none();
    }
    if let Some(mostly_unknown) = mostly_unknown_without_version(object) {
        return of_another_service(object, mostly_unknown).into();
    }
    let mut verdicts = Verdicts::none();
    for row in rows_in(object.table.expected & !object.fields.present(), object.table) {
        let presence = object.kind.presence(row);
        if presence == Presence::Optional {
            continue;
        }
        if std::ptr::eq(row, version_number.row)
            && let Some(wrapped) = wrapped(object)
        {
            verdicts.add(wrapped);
            continue;
        }
        let finding = if let Some(member) = misnamed(object, row) {
            renamed(object, member, row)
        } else {
            let message = format!("`{}` is missing", row.name);
            let help = format!("add `{}`: {}", row.name, lower_first(&row.description()));
            let mut finding = Finding::new(object.place().opening(), message).help(help);
            finding.fix = empty_config(object, row);
            if object.is_root {
                finding.label(format!("{} needs `{}`", object.noun_phrase(), row.name))
            } else {
                finding
            }
        };
        let finding = finding.missing_from(object.place(), row.name).section(section(row));
        verdicts.add(if presence == Presence::Required {
            finding.reject()
        } else {
            finding.possible(Condition::first(&readings::INCOMPLETE_ITEMS))
        });
    }
    verdicts
}

/// Adds an empty `config` to a function that ends the call: it has nothing to configure.
fn empty_config(object: &ObjectValue<'_>, row: &Row) -> Option<ProposedFix> {
    let is_config =
        object.is(&agent_function::TABLE) && row.name == agent_function::config.row.name;
    let (function_type, _) = object.get(&agent_function::function_type).filter(|_| is_config)?;
    (function_type == END_CALL).then(|| {
        ProposedFix::insert(
            format!("add an empty `{}`", agent_function::config.row.name),
            Safety::Unsafe,
            object.place(),
            agent_function::config.row.name,
            Replacement::Literal("{}".to_owned()),
        )
    })
}

/// The field is present under another name.
fn renamed(object: &ObjectValue<'_>, member: Member<'_>, row: &'static Row) -> Finding {
    let name = row.name;
    let written = quote(&member.name());
    let at = Place::of(object.origin, member.key);
    let message =
        format!("{written} is not a field of {}, and `{name}` is missing", object.noun_phrase());
    let finding = Finding::new(at.clone(), message).help(format!("rename {written} to `{name}`"));
    let rows = object.table.rows.iter().map(|row| row.name);
    let is_meant = match field_called(&member.name(), object.table) {
        // Another service may use another type under its own name.
        Some(renamed) if std::ptr::eq(renamed.row, row) => renamed.is_same,
        _ => suggest::is_only_nearest(&member.name(), name, rows),
    };
    if !is_meant || !may_rename(object, &member.name(), name) {
        return finding;
    }
    finding.fix(ProposedFix::replace(
        format!("rename to `{name}`"),
        Safety::Unsafe,
        at,
        Replacement::Text(name.to_owned()),
    ))
}

/// The version number is inside an object instead of at the top level.
fn wrapped(object: &ObjectValue<'_>) -> Option<Verdict> {
    let wrappers = wrappers(object)?;
    let wrapper = object.node.members().find(|member| {
        object.table.row_of(*member).is_none()
            && wrappers.has(*member)
            && has_the_version_number(object, *member)
    })?;
    let name = quote(&wrapper.name());
    let place = Place::of(object.origin, wrapper.key);
    let finding = if wrapper.value.kind() == Kind::Array {
        Finding::new(place, format!("{name} contains updates"))
            .help("use a separate file and a separate request for each update")
    } else {
        Finding::new(place, format!("{name} contains fields of an update"))
            .help("move them to the top level")
    };
    let finding = finding.of_root().section(section(version_number.row));
    Some(finding.label("not at the top level").reject())
}

/// Most fields are unknown, so this may not be an update at all.
fn of_another_service(object: &ObjectValue<'_>, mostly_unknown: MostlyUnknown) -> Verdict {
    let MostlyUnknown { unknown, fields } = mostly_unknown;
    let message = format!(
        "`{}` is missing, and {unknown} of {fields} fields are unknown to update agent",
        version_number.row.name
    );
    Finding::new(object.place().opening(), message)
        .of_root()
        .label("is this a document of another service?")
        .help(match names_here(object) {
            Some(names) => format!(
                "exclude the file if it belongs to another service; to make it an update, add `{}` and {names}",
                version_number.row.name
            ),
            None => "exclude the file, or set its kind".to_owned(),
        })
        .section(section(version_number.row))
        .reject()
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
