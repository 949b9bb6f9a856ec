//! What the names of fields say about the kind of a document.

use std::sync::LazyLock;

use voxlint_schema::other_names::OF_OTHER_AGENTS;
use voxlint_schema::{Row, Table, agent, names, settings};
use voxlint_syntax::{Member, Node};

use crate::fields::RowOf as _;
use crate::suggest::{self, flatten};

/// The weight of a field that only this service has.
pub(super) const OWN: u32 = 10;
/// The weight of a field that other records rarely have.
pub(super) const CHARACTERISTIC: u32 = 6;
/// The weight of a field that agents of other services have as well.
pub(super) const SHARED: u32 = 2;
/// The weight of a field that all sorts of records have.
pub(super) const WEAK: u32 = 1;
/// The weight of a name of another service or tool, against an update.
pub(super) const FOREIGN: u32 = 4;
/// The weight of an unknown name, against an update.
pub(super) const UNKNOWN: u32 = 1;

/// Settings (2.3) that all sorts of files have. They have no weight.
pub const COMMON_NAMES: [&str; 3] = ["title", "description", "timezone"];

/// Settings that all sorts of records have.
pub(super) const WEAK_NAMES: [&str; 4] = ["is_published", "folder_id", "webhook_id", "language_id"];

/// Settings that agents of other services and chat bots have as well.
pub(super) const SHARED_NAMES: [&str; 19] = [
    "version_title",
    "voice_id",
    "voice_model_id",
    "llm_id",
    "llm_temperature",
    "transcriber_id",
    "knowledge_base_ids",
    "welcome_message",
    "voicemail_message",
    "pipeline_type",
    "structured_output",
    "allow_interruptions",
    "responsiveness",
    "interruption_sensitivity",
    "backchannel_frequency",
    "boosted_keywords",
    "denoising_mode",
    "background_sound",
    "ambient_noise",
];

/// Settings that other records rarely have.
pub(super) const CHARACTERISTIC_NAMES: [&str; 2] = ["version_number", "prompt_text"];

/// Names at the top level of files of other tools: configurations, manifests and the like.
const OF_OTHER_TOOLS: [&str; 36] = [
    "$defs",
    "$id",
    "$ref",
    "$schema",
    "apiVersion",
    "asyncapi",
    "build-system",
    "cells",
    "compilerOptions",
    "components",
    "containers",
    "dependencies",
    "devDependencies",
    "docker",
    "env",
    "extends",
    "image",
    "jobs",
    "kind",
    "lockfileVersion",
    "manifest_version",
    "metadata",
    "nbformat",
    "openapi",
    "package",
    "panels",
    "paths",
    "plugins",
    "project",
    "repository",
    "resources",
    "scripts",
    "services",
    "swagger",
    "terraform_version",
    "website_url",
];

/// The name at the top level of documents of other services and tools, if it is one. No document of this service has it.
pub(super) fn foreign(name: &str) -> Option<&'static str> {
    OF_OTHER_AGENTS.iter().chain(&OF_OTHER_TOOLS).copied().find(|foreign| *foreign == name)
}

/// The weights of the names that are not [`OWN`], by their numbers.
static WEIGHTS: [Option<u8>; names::COUNT] = {
    let mut weights = [None; names::COUNT];
    weigh(&mut weights, &COMMON_NAMES, 0);
    weigh(&mut weights, &WEAK_NAMES, WEAK);
    weigh(&mut weights, &SHARED_NAMES, SHARED);
    weigh(&mut weights, &CHARACTERISTIC_NAMES, CHARACTERISTIC);
    weights
};

#[expect(clippy::indexing_slicing, reason = "the compiler evaluates it")]
const fn weigh(weights: &mut [Option<u8>; names::COUNT], weighed: &[&str], weight: u32) {
    let mut at = 0;
    while at < weighed.len() {
        weights[names::id_of_field(weighed[at]) as usize] = Some(weight as u8);
        at += 1;
    }
}

/// The weight of a setting.
pub(super) fn weight(row: &Row) -> u32 {
    WEIGHTS.get(usize::from(row.name_id)).copied().flatten().map_or(OWN, u32::from)
}

/// The index of a setting in [`COMMON_NAMES`].
pub(super) fn common(row: &Row) -> Option<usize> {
    if weight(row) > 0 { None } else { COMMON_NAMES.iter().position(|common| *common == row.name) }
}

/// Whether agents or version summaries, as the service answers them, have a field of this name.
pub(super) fn is_response_field(member: Member<'_>) -> bool {
    agent::TABLE.row_of(member).is_some() || agent::version_summary::TABLE.row_of(member).is_some()
}

pub(super) fn is_agent_type(value: Node<'_>) -> bool {
    value.as_str().is_some_and(|text| suggest::nearest(&text, agent::AGENT_TYPES).is_some())
}

/// The names of an object's members, as far as they are fields of some table.
#[derive(Debug, Default)]
pub(super) struct FieldNames([u64; names::COUNT.div_ceil(64)]);

impl FieldNames {
    pub(super) fn of(object: Node<'_>) -> Self {
        let mut all = Self::default();
        for member in object.members() {
            if let Some(word) = all.0.get_mut(usize::from(member.name_id() / 64)) {
                *word |= 1 << (member.name_id() % 64);
            }
        }
        all
    }

    /// Whether the object has a member with the name of this field.
    pub(super) fn has(&self, row: &Row) -> bool {
        let word = self.0.get(usize::from(row.name_id / 64));
        word.is_some_and(|word| word & (1 << (row.name_id % 64)) != 0)
    }

    /// Whether the object has a member with the name of one of these fields.
    pub(super) fn has_any(&self, rows: &[&Row]) -> bool {
        rows.iter().any(|row| self.has(row))
    }
}

/// How many fields of an object a table names, and how many it does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FieldCounts {
    pub(super) known: usize,
    pub(super) unknown: usize,
}

impl FieldCounts {
    pub(super) fn of(object: Node<'_>, table: &Table) -> Self {
        let known = object.members().filter(|member| table.row_of(*member).is_some()).count();
        Self { known, unknown: object.members().count() - known }
    }
}

/// The setting (2.3) that a misspelled name means: one typo away, or in another naming convention, as in `verison_number` and
/// `versionNumber`. This is stricter than did-you-mean: `session_number` and `invoice_id` are other words.
pub(super) fn misspelled_setting(name: &str) -> Option<&'static Row> {
    static FLAT: LazyLock<Vec<(&'static Row, String)>> = LazyLock::new(|| {
        settings::TABLE.rows.iter().map(|row| (*row, flatten(row.name))).collect()
    });
    const MAX_NAME: usize = 64;
    if name.len() > MAX_NAME {
        return None;
    }
    let written = flatten(name);
    FLAT.iter().find(|(_, target)| suggest::is_clear_typo(&written, target)).map(|(row, _)| *row)
}

#[cfg(test)]
mod tests {
    use voxlint_schema::DocumentKind;

    use super::*;

    #[test]
    fn weighed_names_are_fields_and_foreign_names_are_not() {
        let weighed = COMMON_NAMES.iter().chain(&WEAK_NAMES).chain(&SHARED_NAMES);
        for name in weighed.chain(&CHARACTERISTIC_NAMES) {
            assert!(settings::TABLE.row(name).is_some(), "{name}");
        }
        for kind in DocumentKind::ALL {
            for name in OF_OTHER_AGENTS.into_iter().chain(OF_OTHER_TOOLS) {
                let is_own =
                    kind != DocumentKind::Configuration && kind.table().row(name).is_some();
                assert!(!is_own, "{name} is a field of {}", kind.noun_phrase());
            }
        }
        for name in OF_OTHER_AGENTS.into_iter().chain(OF_OTHER_TOOLS) {
            assert!(misspelled_setting(name).is_none(), "{name} is near a field");
        }
        assert!(settings::TABLE.rows.len() <= 128, "a field has no bit of its own");
    }

    #[test]
    fn a_name_is_near_with_one_slip() {
        for (name, meant) in [
            ("verison_number", Some("version_number")),
            ("versionNumber", Some("version_number")),
            ("promt_text", Some("prompt_text")),
            ("llm-id", Some("llm_id")),
            ("session_number", None),
            ("invoice_id", None),
            ("title_text", None),
            ("", None),
        ] {
            assert_eq!(misspelled_setting(name).map(|row| row.name), meant, "{name}");
        }
    }
}
