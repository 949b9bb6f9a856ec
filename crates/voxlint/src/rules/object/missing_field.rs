use voxlint_schema::Presence;

use crate::quote::quote;
use crate::rule::rule;
use crate::suggest;
use crate::value::{ObjectValue, section};
use crate::verdict::{Finding, Hinge, Verdicts};

rule! {
    /// A required member is missing.
    ///
    /// An update names the version that it changes, so `version_number` is required even for a minimal publish. Each
    /// item of `post_call_analysis` needs all three of its members. Items of `agent_functions` are said to have four
    /// members, without their being called required: a missing one is refused under one reading.
    ///
    /// ```json,reject
    /// { "is_published": true }
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
    let mut verdicts = Verdicts::none();
    for row in object.table.rows {
        let presence = object.kind.presence(row);
        if presence == Presence::Optional || object.node.get(row.name).is_some() {
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
                .also(crate::place::Place::of(object.origin, member.key), "is it meant by this?")
                .help(format!("rename {} to `{}`", quote(&member.name()), row.name)),
            None => {
                finding.help(format!("add `{}`: {}", row.name, lower_first(&row.description())))
            }
        };
        verdicts.add(if presence == Presence::Required {
            finding.refused()
        } else {
            finding.possible(Hinge::reading(
                "the description lists this field without saying whether it is required",
            ))
        });
    }
    verdicts
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
